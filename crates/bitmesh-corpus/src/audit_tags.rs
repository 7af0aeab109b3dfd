//! The tags that an audit needs of every game, and those that it is asked to repeat.

use crate::extra::Extra;

/// Name and version of the rows of an audit.
pub const AUDIT_SCHEMA: &str = "bitmesh.audit.v1";

pub(crate) const RESULT: &str = "Result";
pub(crate) const TERMINATION: &str = "Termination";
pub(crate) const ICC_RESULT: &str = "ICCResult";
pub(crate) const WHITE: &str = "White";
pub(crate) const BLACK: &str = "Black";

/// The tags that say how a game ended and who played. They are the first ones of the scan that is audited.
const TAGS: [&str; 5] = [RESULT, TERMINATION, ICC_RESULT, WHITE, BLACK];

/// The tags that an audit reads, and after them those that its rows repeat.
pub(crate) fn with_asked(tags: &[String]) -> Vec<String> {
    // The columns of these two names hold the tags as they are.
    let has_column = |tag: &&String| matches!(tag.as_str(), "result" | "termination");
    let asked = tags.iter().filter(|tag| !has_column(tag)).cloned();
    TAGS.into_iter().map(str::to_owned).chain(asked).collect()
}

/// What stands after the tags that every audit reads.
pub(crate) fn after_needed<T>(tags: &[T]) -> &[T] {
    tags.get(TAGS.len()..).unwrap_or_default()
}

/// The names of the tags that were asked for.
pub(crate) fn asked(extra: &Extra) -> &[String] {
    after_needed(&extra.tags)
}
