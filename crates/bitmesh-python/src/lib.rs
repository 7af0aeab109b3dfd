//! Bitmesh as a Python module.
//!
//! No chess is decided here: objects of Python become inputs of the library, results of the library become objects
//! of Python. The package around it is in `python/bitmesh`. What is documented here is what `help()` shows; the stub
//! beside the package repeats it (`python/stubs.py`).

#![deny(unsafe_code)]

mod arguments;
mod audit;
mod binding;
mod bulk;
mod certificates;
mod composition;
mod decision;
mod deprecation;
mod diagnose;
mod documents;
mod drawing;
mod ending;
mod errors;
mod evidence;
mod html;
mod input;
mod interrupt;
mod persistent;
mod rows;
mod scan;
mod squares;
mod violation;

use pyo3::prelude::*;

#[pymodule]
fn _bitmesh(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("SCHEMA", bitmesh_corpus::SCHEMA)?;
    module.add("COLUMNS", pyo3::types::PyTuple::new(module.py(), bitmesh_corpus::COLUMNS)?)?;

    module.add_class::<binding::Binding>()?;
    module.add_class::<certificates::Component>()?;
    module.add_class::<certificates::Decomposition>()?;
    module.add_class::<certificates::Certification>()?;
    module.add_class::<composition::Composition>()?;
    module.add_class::<decision::Decision>()?;
    module.add_class::<decision::Decisions>()?;
    module.add_class::<decision::Line>()?;
    module.add_class::<drawing::Drawing>()?;
    module.add_class::<evidence::Examination>()?;
    module.add_class::<input::Note>()?;
    module.add_class::<input::PositionReading>()?;
    module.add_class::<persistent::Mover>()?;
    module.add_class::<persistent::Persistent>()?;
    module.add_class::<rows::Rows>()?;
    module.add_class::<scan::Scan>()?;
    module.add_class::<violation::Violation>()?;

    module.add_function(wrap_pyfunction!(input::read, module)?)?;
    module.add_function(wrap_pyfunction!(certificates::certify, module)?)?;
    module.add_function(wrap_pyfunction!(persistent::prove, module)?)?;
    module.add_function(wrap_pyfunction!(decision::decide, module)?)?;
    module.add_function(wrap_pyfunction!(evidence::verify, module)?)?;
    module.add_function(wrap_pyfunction!(evidence::examine, module)?)?;
    module.add_function(wrap_pyfunction!(diagnose::diagnose, module)?)?;
    module.add_function(wrap_pyfunction!(drawing::draw, module)?)?;
    module.add_function(wrap_pyfunction!(bulk::certify_many, module)?)?;
    module.add_function(wrap_pyfunction!(bulk::decide_many, module)?)?;
    module.add_function(wrap_pyfunction!(bulk::prove_many, module)?)?;
    module.add_function(wrap_pyfunction!(scan::scan, module)?)?;
    module.add_function(wrap_pyfunction!(audit::audit, module)?)?;

    ending::register(module)
}
