//! One test binary: what a scan promises, seen from outside.

#[path = "main/account.rs"]
mod account;
#[path = "main/archives.rs"]
mod archives;
#[path = "main/carried.rs"]
mod carried;
#[path = "main/cases.rs"]
mod cases;
#[path = "main/columns.rs"]
mod columns;
#[path = "main/decisions.rs"]
mod decisions;
#[cfg(feature = "parquet")]
#[path = "main/formats.rs"]
mod formats;
#[path = "main/games.rs"]
mod games;
#[path = "main/order.rs"]
mod order;
#[cfg(feature = "parquet")]
#[path = "main/outputs.rs"]
mod outputs;
#[path = "main/round2.rs"]
mod round2;
#[path = "main/support.rs"]
mod support;
#[path = "main/tables.rs"]
mod tables;
