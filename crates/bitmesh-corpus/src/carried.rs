//! What a row carries along from its source.

use std::sync::Arc;

/// A column that was carried along, in one row.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Carried {
    /// Its name.
    pub name: Arc<str>,
    /// What it holds.
    pub value: Value,
}

/// What a carried column holds in one row.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// The record does not have it.
    Nothing,
    /// The text of a tag, cell or field, whatever its type was there.
    Text(String),
    /// A number: the offset.
    Number(u64),
}
