//! Squares and sets of squares between Python and the library.

use bitmesh::shakmaty::{Bitboard, Color, Square};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::arguments::{number, read_text, representation, unknown_value, wrong_type};
use crate::errors::range_error;

/// A set of squares as `chess.SquareSet`, or as an int of 64 bits where python-chess is not installed.
pub(crate) fn square_set(py: Python<'_>, squares: Bitboard) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Option<Py<PyAny>>> = PyOnceLock::new();
    let class = CLASS.get_or_init(py, || {
        let class = py.import("chess").and_then(|chess| chess.getattr("SquareSet"));
        class.ok().map(Bound::unbind)
    });
    match class {
        Some(class) => class.bind(py).call1((squares.0,)),
        None => Ok(squares.0.into_pyobject(py)?.into_any()),
    }
}

/// A set of squares from an int of 64 bits or a `chess.SquareSet`.
pub(crate) fn to_squares(argument: &str, object: &Bound<'_, PyAny>) -> PyResult<Bitboard> {
    // A SquareSet is an int where one is needed.
    let number = object.py().import("operator")?.call_method1("index", (object,));
    let number = match number {
        Ok(number) => number,
        Err(_) => object
            .call_method0("__int__")
            .map_err(|_| wrong_type(argument, "a chess.SquareSet or an int of 64 bits", object))?,
    };
    let bits = number.extract().map_err(|_| range_error(argument, "a set of squares has 64 bits"))?;
    Ok(Bitboard(bits))
}

/// The root of a region: a square, by its number alone.
pub(crate) fn to_root(argument: &str, object: &Bound<'_, PyAny>) -> PyResult<Square> {
    let number: Option<u8> = number(argument, "the number of a square from 0 to 63", object)?;
    let square = number.and_then(|number| Square::try_from(number).ok());
    square
        .ok_or_else(|| range_error(argument, &format!("{} is not between 0 and 63", representation(object))))
}

/// A square from its number (a1 = 0, h8 = 63) or its name.
pub(crate) fn to_square(argument: &str, object: &Bound<'_, PyAny>) -> PyResult<Square> {
    if let Some(name) = read_text(argument, object)? {
        return name.parse().map_err(|_| unknown_value(argument, &format_args!("{name:?} is not a square")));
    }
    let number: Option<u8> = number(argument, "the number of a square from 0 to 63 or its name", object)?;
    let square = number.and_then(|number| Square::try_from(number).ok());
    square.ok_or_else(|| unknown_value(argument, &format_args!("{} is not a square", representation(object))))
}

/// A colour from `chess.WHITE` and `chess.BLACK`, which are true and false, or its name.
pub(crate) fn to_color(argument: &str, object: &Bound<'_, PyAny>) -> PyResult<Color> {
    if let Ok(white) = object.extract::<bool>() {
        return Ok(Color::from_white(white));
    }
    match object.extract::<String>().as_deref() {
        Ok("white") => Ok(Color::White),
        Ok("black") => Ok(Color::Black),
        _ => Err(unknown_value(argument, &"a colour is \"white\" or \"black\", or one of python-chess")),
    }
}
