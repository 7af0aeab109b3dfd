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
    // These two have columns already.
    let is_known = |tag: &&String| [RESULT, TERMINATION].iter().any(|known| known.eq_ignore_ascii_case(tag));
    let asked = tags.iter().filter(|tag| !is_known(tag)).cloned();
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
