//! Collections of chess positions, read, evaluated and returned as rows.
//!
//! A [`Scan`] reads FEN and EPD lines, games (PGN), tables (CSV and TSV) and
//! Parquet files, packed or not, evaluates every position on all cores, and
//! hands out rows of the schema [`bitmesh.scan.v1`](SCHEMA) in the order of the
//! sources. Memory does not grow with the size of the sources.
//!
//! Nothing is lost and nothing is invented: what is not a position is a row with an
//! error, what is forgiven is a notice, and both are counted. The handbook page
//! `docs/scan.md` has the rules for every oddity of the formats.
//!
//! The crate prints nothing and keeps no global state. The caller chooses what becomes of
//! the rows: [`JsonLines`], [`Csv`], Arrow record batches, [`Rows`], or
//! another [`Collect`]; [`output`] writes files that survive a kill.

#![forbid(unsafe_code)]

mod ahead;
#[cfg(feature = "parquet")]
mod arrow_rows;
mod audit;
mod audit_table;
mod audit_tags;
mod blocks;
mod carried;
mod claims;
#[cfg(feature = "parquet")]
mod columnar;
mod columns;
mod counts;
mod csv;
mod deciding;
mod deepen;
mod ending;
mod evaluate;
mod evidence;
mod extra;
mod format;
mod how;
mod inputs;
mod json;
mod kind;
mod lines;
mod memory;
mod objects;
mod options;
pub mod output;
mod pgn;
mod plain_fen;
mod printable;
mod problem;
mod records;
mod row;
mod scan;
mod shape;
mod sight;
mod source;
mod stream;
mod subject;
mod table;
mod text;
mod texts;
mod visit;
mod walls;
mod zip;

#[cfg(feature = "parquet")]
pub use crate::arrow_rows::{Batches, schema, schema_with};
pub use crate::audit::{Audit, AuditCell, AuditFinding, prepare_audit};
pub use crate::audit_table::AuditTable;
pub use crate::audit_tags::AUDIT_SCHEMA;
pub use crate::carried::{Carried, Value};
pub use crate::claims::{Claim, Claims, UnknownClaim};
pub use crate::columns::COLUMNS;
pub use crate::counts::Counts;
pub use crate::csv::Csv;
pub use crate::extra::{Extra, RepeatedColumn};
pub use crate::format::{Format, UnknownFormat, not_a_position};
pub use crate::inputs::{Inputs, Mark};
pub use crate::json::JsonLines;
pub use crate::options::Options;
pub use crate::printable::write_json;
pub use crate::problem::{Notice, Place, Problem, ScanError};
pub use crate::records::{Record, Records};
pub use crate::row::{ACCEPTED, Collect, DECISION_COLUMNS, Finding, Permanent, Row, Rows, SCHEMA};
pub use crate::scan::{Block, Remark, Scan, Step};
pub use crate::source::ReadAs;
pub use crate::stream::Compression;
pub use crate::table::{Column, UnknownColumn};
pub use crate::texts::{Depth, Texts};
pub use bitmesh::{Printable, is_obeyed};
