//! JSON documents, written so that a terminal shows them.

use std::io::{self, Write};

use bitmesh_corpus::write_json;
use serde::Serialize;

/// Writes a JSON document on one line.
pub(crate) fn write(mut out: impl Write, document: &impl Serialize) -> io::Result<()> {
    write_json(&mut out, document)?;
    out.write_all(b"\n")
}
