//! Bitmesh as a C library.
//!
//! The interface is the header `include/bitmesh.h`, written by hand; its comments are the documentation for callers.
//! This crate turns pointers into values, asks the library, and turns answers into plain structs. It holds no chess logic.
//!
//! Every function that the header declares is here once. A panic never crosses the border: it becomes
//! [`status::FAULT`]. This is the only crate with unsafe code; each block says what makes it sound.

mod answer;
mod border;
mod status;

use std::ffi::c_char;

use bitmesh::decision::{Decider, Effort};
use bitmesh::persistent::Bound;
use bitmesh::{Against, Assessment, ExaminationOutcome, examine_evidence};

pub use answer::{Bytes, Decision, Error, INTERFACE, Verdicts};
pub use status::Status;

use border::{Failure, guard, out_bytes, read_bytes, read_text, versioned};

/// The interface that this library offers.
#[unsafe(no_mangle)]
pub extern "C" fn bitmesh_interface() -> u32 {
    INTERFACE
}

/// The version of this library.
#[unsafe(no_mangle)]
pub extern "C" fn bitmesh_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// What a status means.
#[unsafe(no_mangle)]
pub extern "C" fn bitmesh_status_text(status: Status) -> *const c_char {
    status::text(status).as_ptr()
}

/// Frees bytes.
///
/// # Safety
///
/// `bytes` is null, or points to bytes that a function of this library has filled in and that were not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitmesh_bytes_free(bytes: *mut Bytes) {
    // SAFETY: the caller's promise is that of this function.
    if let Some(bytes) = unsafe { bytes.as_mut() } {
        // SAFETY: the same promise.
        unsafe { bytes.free() };
    }
}

/// All layers at a glance.
///
/// # Safety
///
/// `text` points to `length` bytes (or `length` is 0), `verdicts` to a struct of the header, `error` to one or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitmesh_analyze(
    text: *const c_char,
    length: usize,
    verdicts: *mut Verdicts,
    error: *mut Error,
) -> Status {
    guard(error, || {
        // SAFETY: the caller's promise about `verdicts`.
        let verdicts = unsafe { versioned(verdicts) }?;
        // SAFETY: the caller's promise about `text`.
        let assessment = assess(unsafe { read_text(text, length) }?)?;
        verdicts.write(Verdicts::of(&assessment));
        Ok(status::OK)
    })
}

/// Layer 3 with evidence.
///
/// # Safety
///
/// As for [`bitmesh_analyze`]; `certificate` points to a struct of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitmesh_prove(
    text: *const c_char,
    length: usize,
    positions: u32,
    certificate: *mut Bytes,
    error: *mut Error,
) -> Status {
    guard(error, || {
        // SAFETY: the caller's promise about `certificate`.
        let certificate = unsafe { out_bytes(certificate) }.ok_or(Failure::NULL)?;
        // SAFETY: the caller's promise about `text`.
        let assessment = assess(unsafe { read_text(text, length) }?)?.within(Bound::nodes(positions));
        let checked = assessment.permanent()?;
        if !checked.conclusions().prove_something() {
            return Ok(status::NOT_PROVED);
        }
        *certificate = Bytes::of(checked.certificate().canonical_payload());
        Ok(status::OK)
    })
}

/// A new decider.
#[unsafe(no_mangle)]
pub extern "C" fn bitmesh_decider_new(effort: u32) -> *mut Decider {
    std::panic::catch_unwind(|| Box::into_raw(Box::new(Decider::new(Effort::positions(effort)))))
        .unwrap_or(std::ptr::null_mut())
}

/// Ends a decider.
///
/// # Safety
///
/// `decider` is null, or comes from [`bitmesh_decider_new`] and was not ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitmesh_decider_free(decider: *mut Decider) {
    if !decider.is_null() {
        // SAFETY: it was made by `Box::into_raw`, by the caller's promise.
        drop(unsafe { Box::from_raw(decider) });
    }
}

/// Whether a colour can still give mate.
///
/// # Safety
///
/// As for [`bitmesh_analyze`]; `decider` comes from [`bitmesh_decider_new`] and is used by this call alone, `decision`
/// points to a struct of the header, `evidence` to one or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitmesh_decide(
    decider: *mut Decider,
    text: *const c_char,
    length: usize,
    winner: i32,
    decision: *mut Decision,
    evidence: *mut Bytes,
    error: *mut Error,
) -> Status {
    guard(error, || {
        // SAFETY: the caller's promise about `evidence`.
        let evidence = unsafe { out_bytes(evidence) };
        // SAFETY: the caller's promise about `decider`.
        let decider = unsafe { decider.as_mut() }.ok_or(Failure::NULL)?;
        // SAFETY: the caller's promise about `decision`.
        let decision = unsafe { versioned(decision) }?;
        let winner = border::color(winner)?;
        // SAFETY: the caller's promise about `text`.
        let assessment = assess(unsafe { read_text(text, length) }?)?;
        let position = assessment.position()?;
        let verdict = match evidence {
            None => decider.verdict(position.chess(), winner),
            Some(evidence) => {
                let decided = decider.decide(position.chess(), winner);
                *evidence = decided.canonical_payload().map_or(Bytes::NONE, Bytes::of);
                decided.verdict()
            }
        };
        decision.write(Decision::of(verdict, decider.looked_at()));
        Ok(status::OK)
    })
}

/// Examines evidence in any format.
///
/// # Safety
///
/// `evidence` points to `evidence_length` bytes, `text` to `length` bytes or is null, `report` to a struct of the
/// header or is null, `error` likewise.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitmesh_verify(
    evidence: *const u8,
    evidence_length: usize,
    text: *const c_char,
    length: usize,
    report: *mut Bytes,
    error: *mut Error,
) -> Status {
    guard(error, || {
        // SAFETY: the caller's promise about `report`.
        let report = unsafe { out_bytes(report) };
        // SAFETY: the caller's promise about `evidence`.
        let evidence = unsafe { read_bytes(evidence, evidence_length) }?;
        let about = if text.is_null() && length == 0 {
            None
        } else {
            // SAFETY: the caller's promise about `text`.
            Some(assess(unsafe { read_text(text, length) }?)?)
        };
        let against = Against { input: about.as_ref().map(Assessment::input), certificate: None };
        let examination = examine_evidence(evidence, against)?;
        if let Some(report) = report {
            *report = Bytes::of(serde_json::to_vec(&examination).map_err(|_| Failure::FAULT)?);
        }
        match (examination.outcome(), examination.refusal()) {
            (ExaminationOutcome::Verified, _) => Ok(status::OK),
            (ExaminationOutcome::NothingClaimed, _) => Ok(status::NOT_PROVED),
            (ExaminationOutcome::Incomplete, _) => Ok(status::INCOMPLETE),
            (ExaminationOutcome::Refused, refusal) => Err(Failure::refused(refusal)),
        }
    })
}

fn assess(text: &str) -> Result<Assessment, Failure> {
    Ok(Assessment::read(text)?)
}
