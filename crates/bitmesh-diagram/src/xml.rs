//! Text in XML and HTML.

/// Text as it can stand in XML and HTML, between tags and in attributes with quotes of either kind.
///
/// Characters that XML forbids stay as they are: make the text [printable](bitmesh::Printable) first.
///
/// ```
/// assert_eq!(bitmesh_diagram::escape_xml("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
/// ```
#[must_use]
pub fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}
