//! Texts and boards out of a list or an iterator.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::jobs::{Packed, Positions};
use super::pool::Pool;
use crate::arguments::{self, wrong_type};
use crate::ending;
use crate::errors::type_error;
use crate::input::{BoardError, BoardFailure, Boards};

pub(super) fn submit(pool: &mut Pool, positions: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = positions.py();
    let boards = Boards::known(py)?;
    let is_single = positions.is_instance_of::<PyString>()
        || arguments::bytes(positions)?.is_some()
        || !matches!(boards.text(positions), Ok(None));
    if is_single {
        return Err(type_error(
            "positions",
            "a collection of positions is needed, not a single one",
            "argument/single-position",
        ));
    }
    let items = positions.try_iter().map_err(|error| match error.is_instance_of::<PyTypeError>(py) {
        true => wrong_type("positions", "a collection of positions", positions),
        false => error,
    })?;
    let mut packed = Packed::default();
    let mut room = pool.room();
    for object in items {
        ending::check()?;
        push(&mut packed, &boards, &object?)?;
        if packed.len() == room {
            pool.submit(py, Positions::Packed(std::mem::take(&mut packed)))?;
            room = pool.room();
        }
    }
    if packed.len() > 0 {
        pool.submit(py, Positions::Packed(packed))?;
    }
    Ok(())
}

/// Takes an item; one that is of no use becomes a row with an error.
fn push<'py>(packed: &mut Packed, boards: &Boards<'py>, object: &Bound<'py, PyAny>) -> PyResult<()> {
    if let Ok(text) = object.cast::<PyString>() {
        match text.encode_utf8() {
            Ok(bytes) => packed.push(bytes.as_bytes()),
            // A lone surrogate makes bytes that are not UTF-8: its row says so.
            Err(_) => {
                let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
                packed.push(bytes.cast::<PyBytes>()?.as_bytes());
            }
        }
        return Ok(());
    }
    match boards.text(object) {
        Ok(Some(text)) => {
            packed.push_board(&text);
            return Ok(());
        }
        Ok(None) => {}
        Err(BoardFailure::Board(error)) => {
            packed.refuse(error);
            return Ok(());
        }
        Err(BoardFailure::Python(error)) => return Err(error),
    }
    if is_missing(object) {
        packed.push(&[]);
    } else if let Ok(Some(bytes)) = arguments::bytes(object) {
        packed.push(&bytes);
    } else {
        let name = object.get_type().name()?;
        let message = format!("a position is a str, bytes or a chess.Board, not {name}");
        packed.refuse(BoardError::new("argument/item-type", message));
    }
    Ok(())
}

/// Whether an item says that there is nothing: `None`, the NaN and NaT of any library, and `pandas.NA`.
fn is_missing(object: &Bound<'_, PyAny>) -> bool {
    if object.is_none() {
        return true;
    }
    if object.get_type().name().is_ok_and(|name| name == "NAType") {
        return true;
    }
    // They alone are not equal to themselves. A comparison of arrays gives an array.
    let is_scalar = object.hasattr("__len__").is_ok_and(|has_length| !has_length);
    is_scalar && object.ne(object).unwrap_or(false)
}
