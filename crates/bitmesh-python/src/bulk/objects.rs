//! Texts and boards out of a list or an iterator.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyString};

use super::jobs::{Packed, Positions};
use super::pool::Pool;
use crate::arguments::{self, wrong_type};
use crate::errors::type_error;
use crate::input::{BoardFailure, Boards};

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
    for (index, object) in items.enumerate() {
        push(&mut packed, &boards, &object?, index)?;
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

fn push<'py>(
    packed: &mut Packed,
    boards: &Boards<'py>,
    object: &Bound<'py, PyAny>,
    index: usize,
) -> PyResult<()> {
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
            packed.push(text.as_bytes());
            return Ok(());
        }
        Ok(None) => {}
        Err(BoardFailure::Board(error)) => {
            packed.refuse(error);
            return Ok(());
        }
        Err(BoardFailure::Python(error)) => return Err(error),
    }
    if is_missing(object)? {
        packed.push(&[]);
    } else if let Some(bytes) = arguments::bytes(object)? {
        packed.push(&bytes);
    } else {
        let name = object.get_type().name()?;
        return Err(type_error(
            "positions",
            &format!("item {index} is neither a str nor a chess.Board, but {name}"),
            "argument/item-type",
        ));
    }
    Ok(())
}

/// Whether an item says that there is nothing: `None`, NaN, `pandas.NA` and `pandas.NaT`.
fn is_missing(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.is_none() {
        return Ok(true);
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return Ok(number.value().is_nan());
    }
    let name = object.get_type().name()?;
    Ok(name == "NAType" || name == "NaTType")
}
