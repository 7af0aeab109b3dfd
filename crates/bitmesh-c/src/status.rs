//! Statuses, as in the header.

use std::ffi::CStr;

/// What a function returns: 0, a definite negative, or an error below 0.
pub type Status = i32;

pub(crate) const OK: Status = 0;
pub(crate) const NOT_PROVED: Status = 1;
pub(crate) const REFUSED: Status = 2;
pub(crate) const INCOMPLETE: Status = 3;
pub(crate) const NULL: Status = -1;
pub(crate) const TEXT: Status = -2;
pub(crate) const INPUT: Status = -3;
pub(crate) const BOARD: Status = -4;
pub(crate) const EVIDENCE: Status = -5;
pub(crate) const VALUE: Status = -6;
pub(crate) const LENGTH: Status = -7;
pub(crate) const FAULT: Status = -8;

pub(crate) const fn text(status: Status) -> &'static CStr {
    match status {
        OK => c"done",
        NOT_PROVED => c"nothing was proved, which is not a claim",
        REFUSED => c"the evidence fails its examination",
        INCOMPLETE => c"the examination needs something else",
        NULL => c"a pointer that must not be null is null",
        TEXT => c"a text is not UTF-8",
        INPUT => c"the text is neither a position nor a board",
        BOARD => c"the text is a board, and the question needs a position",
        EVIDENCE => c"the bytes are in none of the formats of evidence",
        VALUE => c"a number is not one of those allowed",
        LENGTH => c"a length is larger than any object can be",
        FAULT => c"a fault of the library",
        _ => c"not a status of this library",
    }
}
