//! Answers as plain structs. Their layout is the header's.

use std::ffi::c_char;
use std::mem::{offset_of, size_of};

use bitmesh::decision;
use bitmesh::persistent::Coupling;
use bitmesh::{Assessment, Input, OnePlyVerdict};

/// The version of the interface, which callers put into the structs that they hand over.
pub const INTERFACE: u32 = 1;

/// Why something failed: two texts that end with a zero byte.
#[repr(C)]
pub struct Error {
    code: [c_char; 64],
    message: [c_char; 448],
}

impl Error {
    pub(crate) fn new(code: &str, message: &str) -> Self {
        Self { code: cut(code), message: cut(message) }
    }
}

/// As much of a text as fits before a zero byte, whole characters only.
fn cut<const N: usize>(text: &str) -> [c_char; N] {
    // A zero byte inside would end the text early.
    let end = text.find('\0').unwrap_or(text.len());
    let mut length = end.min(N - 1);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    let mut field = [0; N];
    for (place, byte) in field.iter_mut().zip(&text.as_bytes()[..length]) {
        *place = c_char::from_ne_bytes([*byte]);
    }
    field
}

/// Bytes that the caller owns until they are freed.
#[repr(C)]
pub struct Bytes {
    data: *mut u8,
    length: usize,
}

impl Bytes {
    pub(crate) const NONE: Self = Self { data: std::ptr::null_mut(), length: 0 };

    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        if bytes.is_empty() {
            return Self::NONE;
        }
        let length = bytes.len();
        Self { data: Box::into_raw(bytes.into_boxed_slice()).cast(), length }
    }

    /// # Safety
    ///
    /// The bytes come from [`Bytes::of`], unchanged, and were not freed; or they are none.
    pub(crate) unsafe fn free(&mut self) {
        let Self { data, length } = std::mem::replace(self, Self::NONE);
        if !data.is_null() {
            // SAFETY: `of` made them from a boxed slice of this length.
            drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(data, length)) });
        }
    }
}

/// A struct whose first field says for which interface the caller was built.
///
/// # Safety
///
/// The type is `repr(C)` and begins with a `u32`.
pub(crate) unsafe trait Versioned {}

/// What all layers say at a glance.
#[repr(C)]
#[derive(Debug)]
pub struct Verdicts {
    interface_version: u32,
    is_position: u8,
    one_ply: u8,
    regions: u8,
    components: u8,
    coupling: u8,
    unwinnable_white: u8,
    unwinnable_black: u8,
    dead: u8,
    reserved: u32,
    barrier: u64,
    frozen: u64,
}

// SAFETY: `repr(C)`, and the first field is a `u32`.
unsafe impl Versioned for Verdicts {}

impl Verdicts {
    pub(crate) fn of(assessment: &Assessment) -> Self {
        let outline = assessment.outline();
        let unwinnable = outline.map_or(Default::default(), |outline| outline.unwinnable);
        Self {
            interface_version: INTERFACE,
            is_position: matches!(assessment.input(), Input::Position(_)).into(),
            one_ply: match assessment.verdict() {
                OnePlyVerdict::Rejected => 0,
                OnePlyVerdict::Refused => 1,
                OnePlyVerdict::Accepted => 2,
            },
            regions: assessment.structure().active_component_count,
            components: outline.map_or(0, |outline| outline.components),
            coupling: match outline {
                Some(outline) if outline.decomposed() => match outline.coupling {
                    Coupling::ExactSum => 1,
                    _ => 2,
                },
                _ => 0,
            },
            unwinnable_white: unwinnable.white.into(),
            unwinnable_black: unwinnable.black.into(),
            dead: (unwinnable.white && unwinnable.black).into(),
            reserved: 0,
            barrier: assessment.barrier().0,
            frozen: outline.map_or(0, |outline| outline.frozen.0),
        }
    }
}

/// Whether one side can still give mate.
#[repr(C)]
#[derive(Debug)]
pub struct Decision {
    interface_version: u32,
    verdict: i32,
    plies: u32,
    looked_at: u32,
}

// SAFETY: `repr(C)`, and the first field is a `u32`.
unsafe impl Versioned for Decision {}

impl Decision {
    pub(crate) fn of(verdict: decision::Verdict, looked_at: u32) -> Self {
        Self {
            interface_version: INTERFACE,
            verdict: match verdict {
                decision::Verdict::Undecided { .. } => 0,
                decision::Verdict::Winnable { .. } => 1,
                decision::Verdict::Unwinnable => 2,
            },
            plies: verdict.plies().map_or(0, u32::from),
            looked_at,
        }
    }
}

// The header asserts the same sizes; the offsets are those of its fields.
const _: () = {
    assert!(size_of::<Error>() == 512 && offset_of!(Error, message) == 64);
    assert!(size_of::<Bytes>() == 2 * size_of::<usize>());
    assert!(size_of::<Verdicts>() == 32);
    assert!(offset_of!(Verdicts, dead) == 11 && offset_of!(Verdicts, barrier) == 16);
    assert!(offset_of!(Verdicts, frozen) == 24);
    assert!(size_of::<Decision>() == 16 && offset_of!(Decision, looked_at) == 12);
};
