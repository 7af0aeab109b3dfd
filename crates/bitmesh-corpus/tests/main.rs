//! One test binary: what a scan promises, seen from outside.

#[path = "main/cases.rs"]
mod cases;
#[path = "main/formats.rs"]
mod formats;
#[path = "main/games.rs"]
mod games;
#[path = "main/order.rs"]
mod order;
#[path = "main/outputs.rs"]
mod outputs;
#[path = "main/support.rs"]
mod support;
#[path = "main/tables.rs"]
mod tables;
