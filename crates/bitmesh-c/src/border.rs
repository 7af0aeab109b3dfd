//! What crosses the border: pointers that are checked, failures that become statuses, panics that stop here.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bitmesh::shakmaty::Color;
use bitmesh::{ErrorCode, EvidenceError, PermanentError, ReadPositionError, Refusal};

use crate::answer::{Bytes, Error, INTERFACE, Versioned};
use crate::status::{self, Status};

/// Why a call gives no answer.
pub(crate) struct Failure {
    status: Status,
    code: &'static str,
    message: String,
}

impl Failure {
    pub(crate) const NULL: Self = Self::plain(status::NULL);
    pub(crate) const FAULT: Self = Self::plain(status::FAULT);

    /// A failure that its status says all about.
    const fn plain(status: Status) -> Self {
        Self { status, code: "", message: String::new() }
    }

    fn of(status: Status, error: &impl ErrorCode) -> Self {
        Self { status, code: error.code(), message: error.to_string() }
    }

    /// The evidence fails.
    pub(crate) fn refused(refusal: Option<&Refusal>) -> Self {
        refusal.map_or(Self::plain(status::REFUSED), |refusal| Self {
            status: status::REFUSED,
            code: refusal.code,
            message: refusal.message.clone(),
        })
    }
}

impl From<ReadPositionError> for Failure {
    fn from(error: ReadPositionError) -> Self {
        Self::of(status::INPUT, &error)
    }
}

impl From<PermanentError> for Failure {
    fn from(error: PermanentError) -> Self {
        let status = match error {
            PermanentError::NotAPosition { .. } => status::BOARD,
            _ => status::FAULT,
        };
        Self::of(status, &error)
    }
}

impl From<EvidenceError> for Failure {
    fn from(error: EvidenceError) -> Self {
        Self::of(status::EVIDENCE, &error)
    }
}

/// Answers a call: its status, and the words of a failure where the caller wants them.
pub(crate) fn guard(error: *mut Error, answer: impl FnOnce() -> Result<Status, Failure>) -> Status {
    // What the closure borrows is written as a whole at its end, so that a panic leaves nothing half done; a decider
    // begins every search anew.
    let failure = match catch_unwind(AssertUnwindSafe(answer)) {
        Ok(Ok(status)) => return status,
        Ok(Err(failure)) => failure,
        Err(_) => Failure::FAULT,
    };
    let message = if failure.message.is_empty() {
        status::text(failure.status).to_str().unwrap_or_default()
    } else {
        &failure.message
    };
    // SAFETY: every caller of `guard` passes on a pointer that is null or points to a struct of the header.
    unsafe {
        if !error.is_null() {
            error.write(Error::new(failure.code, message));
        }
    }
    failure.status
}

/// # Safety
///
/// `data` points to `length` bytes that do not change during the call, or `length` is 0.
pub(crate) unsafe fn read_bytes<'a>(data: *const u8, length: usize) -> Result<&'a [u8], Failure> {
    match (data.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::NULL),
        (false, length) if isize::try_from(length).is_err() => Err(Failure::plain(status::LENGTH)),
        // SAFETY: not null, and the caller's promise.
        (false, length) => Ok(unsafe { std::slice::from_raw_parts(data, length) }),
    }
}

/// # Safety
///
/// As for [`read_bytes`].
pub(crate) unsafe fn read_text<'a>(text: *const c_char, length: usize) -> Result<&'a str, Failure> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { read_bytes(text.cast(), length) }?;
    std::str::from_utf8(bytes).map_err(|_| Failure::plain(status::TEXT))
}

/// A result struct whose first field names the interface that the caller was built for.
///
/// # Safety
///
/// `place` is null or points to the struct of the header, at least its first field set.
pub(crate) unsafe fn versioned<'a, T: Versioned>(place: *mut T) -> Result<&'a mut MaybeUninit<T>, Failure> {
    if place.is_null() {
        return Err(Failure::NULL);
    }
    // SAFETY: by the promise of `Versioned`, the struct begins with a `u32`, which the caller has set.
    let version = unsafe { place.cast::<u32>().read() };
    if version != INTERFACE {
        return Err(Failure {
            message: format!("the caller was built for interface {version}, the library offers {INTERFACE}"),
            ..Failure::plain(status::VALUE)
        });
    }
    // SAFETY: not null. Only the first field need be set, so the whole is taken as not yet initialised.
    Ok(unsafe { &mut *place.cast() })
}

/// A place for bytes, set to none; nothing for null.
///
/// # Safety
///
/// `place` is null or points to a struct of the header, which may hold anything.
pub(crate) unsafe fn out_bytes<'a>(place: *mut Bytes) -> Option<&'a mut Bytes> {
    if place.is_null() {
        return None;
    }
    // SAFETY: not null, and it is written before anything is read.
    unsafe {
        place.write(Bytes::NONE);
        Some(&mut *place)
    }
}

pub(crate) fn color(number: i32) -> Result<Color, Failure> {
    match number {
        0 => Ok(Color::White),
        1 => Ok(Color::Black),
        _ => Err(Failure {
            message: format!("{number} is not a colour: 0 is White, 1 is Black"),
            ..Failure::plain(status::VALUE)
        }),
    }
}
