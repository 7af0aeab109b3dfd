//! Arguments of functions: what is wrong with one is said with its name and a code.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyMemoryView, PyString};

use crate::errors::{argument_error, range_error, shown, type_error};

/// An argument may be left out, and `None` says the same.
pub(crate) type Optional<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// A value as it can stand in a message.
pub(crate) fn representation(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| "that value".to_owned(), |text| shown(&text.to_string_lossy()))
}

/// What was needed, and what came instead.
pub(crate) fn wrong_type(argument: &str, needed: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let given = object.get_type().name().map_or_else(|_| "that".to_owned(), |name| name.to_string());
    type_error(argument, &format!("{needed} is needed, not {given}"), "argument/type")
}

/// A number of positions, from 0.
pub(crate) fn count(argument: &str, object: Optional<'_, '_>, default: u32) -> PyResult<u32> {
    let Some(object) = object else { return Ok(default) };
    number(argument, "an int", object)?.ok_or_else(|| {
        range_error(argument, &format!("{} is not between 0 and {}", representation(object), u32::MAX))
    })
}

/// More than any machine has cores for; each takes a stack and a batch of rows.
const MOST_THREADS: usize = 1024;

/// A number of threads; by default one for each core.
pub(crate) fn threads(object: Optional<'_, '_>) -> PyResult<NonZeroUsize> {
    let Some(object) = object else {
        return Ok(thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    };
    let out_of_range = || {
        let given = representation(object);
        range_error(
            "threads",
            &format!("at least one thread is needed and {MOST_THREADS} at most, not {given}"),
        )
    };
    let number = number("threads", "an int", object)?.ok_or_else(out_of_range)?;
    NonZeroUsize::new(number).filter(|number| number.get() <= MOST_THREADS).ok_or_else(out_of_range)
}

/// A width in pixels; whether there are pictures of it is for them to say.
pub(crate) fn pixels(argument: &str, object: Optional<'_, '_>) -> PyResult<Option<u32>> {
    let Some(object) = object else { return Ok(None) };
    let out_of_range =
        || range_error(argument, &format!("{} pixels are out of range", representation(object)));
    number(argument, "an int", object)?.ok_or_else(out_of_range).map(Some)
}

/// A text that is an option, not a position.
pub(crate) fn text(argument: &str, object: Optional<'_, '_>) -> PyResult<Option<String>> {
    let Some(object) = object else { return Ok(None) };
    let text = read_text(argument, object)?;
    text.map(Some).ok_or_else(|| wrong_type(argument, "a str", object))
}

/// The text in an object, if it is a `str`.
///
/// # Errors
///
/// A text that has no UTF-8.
pub(crate) fn read_text(argument: &str, object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let Ok(text) = object.cast::<PyString>() else { return Ok(None) };
    let text = text
        .to_cow()
        .map_err(|_| argument_error(argument, "the text has a lone surrogate", "argument/lone-surrogate"))?;
    Ok(Some(text.into_owned()))
}

/// A text that must be given.
pub(crate) fn needed_text(argument: &str, object: &Bound<'_, PyAny>) -> PyResult<String> {
    text(argument, Some(object)).map(Option::unwrap_or_default)
}

/// A number of any size; true and false are none, although Python counts them among the numbers.
///
/// Nothing if it is out of the range of the type.
///
/// # Errors
///
/// Whatever is not a number.
pub(crate) fn number<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>>(
    argument: &str,
    needed: &str,
    object: &Bound<'py, PyAny>,
) -> PyResult<Option<T>> {
    if object.is_instance_of::<PyBool>() {
        return Err(wrong_type(argument, needed, object));
    }
    match object.extract() {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
            Err(wrong_type(argument, needed, object))
        }
        Err(_) => Ok(None),
    }
}

/// Yes or no.
pub(crate) fn flag(argument: &str, object: Optional<'_, '_>, default: bool) -> PyResult<bool> {
    let Some(object) = object else { return Ok(default) };
    object.extract().map_err(|_| wrong_type(argument, "a bool", object))
}

/// The name of one of several things.
pub(crate) fn choice<T: FromStr<Err: std::fmt::Display>>(
    argument: &str,
    object: Optional<'_, '_>,
) -> PyResult<Option<T>> {
    let Some(name) = text(argument, object)? else { return Ok(None) };
    let value = name.parse().map_err(|error: T::Err| unknown_value(argument, &error));
    value.map(Some)
}

/// An argument names something that there is not.
pub(crate) fn unknown_value(argument: &str, message: &dyn std::fmt::Display) -> PyErr {
    argument_error(argument, &message.to_string(), "argument/unknown-value")
}

/// The name of a file or folder.
pub(crate) fn path(argument: &str, object: Optional<'_, '_>) -> PyResult<Option<PathBuf>> {
    let Some(object) = object else { return Ok(None) };
    object.extract().map(Some).map_err(|_| no_path(argument, "a path", object))
}

/// Why an object is not a path.
pub(crate) fn no_path(argument: &str, needed: &str, object: &Bound<'_, PyAny>) -> PyErr {
    match object.is_instance_of::<PyString>() {
        true => argument_error(argument, "no file has such a name", "argument/lone-surrogate"),
        false => wrong_type(argument, needed, object),
    }
}

/// Bytes out of `bytes`, `bytearray` or `memoryview`; nothing if the object is none of them.
pub(crate) fn bytes<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<Cow<'a, [u8]>>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Some(Cow::Borrowed(bytes.as_bytes())));
    }
    if let Ok(bytes) = object.cast::<PyByteArray>() {
        return Ok(Some(Cow::Owned(bytes.to_vec())));
    }
    if object.is_instance_of::<PyMemoryView>() {
        let copy = object.call_method0("tobytes")?;
        return Ok(Some(Cow::Owned(copy.cast::<PyBytes>()?.as_bytes().to_vec())));
    }
    Ok(None)
}

/// The payload of a certificate.
pub(crate) fn payload<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    bytes(object)?.ok_or_else(|| wrong_type("payload", "bytes, bytearray or memoryview", object))
}
