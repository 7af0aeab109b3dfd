//! Rows as a table of a notebook.

use std::fmt::Write as _;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use bitmesh_diagram::escape_xml;

/// How many rows are shown at the beginning and at the end.
const SHOWN: usize = 5;

/// How many characters of a cell are shown.
const CELL: usize = 80;

/// The first and the last rows, with the columns that say something in them.
pub(super) fn table(batch: &RecordBatch) -> String {
    let rows = batch.num_rows();
    let places: Vec<Option<usize>> = if rows <= 2 * SHOWN + 1 {
        (0..rows).map(Some).collect()
    } else {
        (0..SHOWN).map(Some).chain([None]).chain((rows - SHOWN..rows).map(Some)).collect()
    };
    let schema = batch.schema_ref();
    let says_something =
        |column: &dyn Array| places.iter().flatten().any(|&place| cell(column, place).is_some());
    let columns: Vec<_> =
        schema.fields().iter().zip(batch.columns()).filter(|(_, column)| says_something(column)).collect();

    let mut html = String::from("<table><thead><tr><th></th>");
    for (field, _) in &columns {
        let _ = write!(html, "<th>{}</th>", escape_xml(field.name()));
    }
    html.push_str("</tr></thead><tbody>");
    for place in &places {
        html.push_str("<tr>");
        match place {
            Some(place) => {
                let _ = write!(html, "<th>{place}</th>");
                for (_, column) in &columns {
                    let text = cell(column, *place).unwrap_or_default();
                    let _ = write!(html, "<td>{}</td>", escape_xml(&text));
                }
            }
            None => (0..=columns.len()).for_each(|_| html.push_str("<td>⋮</td>")),
        }
        html.push_str("</tr>");
    }
    let _ = write!(html, "</tbody></table><p>{rows} rows of {}", bitmesh_corpus::SCHEMA);
    let hidden = batch.num_columns() - columns.len();
    if hidden > 0 {
        let _ = write!(html, "; {hidden} columns without a value here are not shown");
    }
    html.push_str("</p>");
    html
}

/// A value in words; nothing if there is none.
fn cell(column: &dyn Array, place: usize) -> Option<String> {
    if column.is_null(place) {
        return None;
    }
    let text = match column.data_type() {
        DataType::Int64 => column.as_primitive::<Int64Type>().value(place).to_string(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(place).to_string(),
        DataType::Boolean => if column.as_boolean().value(place) { "yes" } else { "no" }.to_owned(),
        DataType::Binary => format!("{} bytes", column.as_binary::<i32>().value(place).len()),
        DataType::List(_) => {
            let texts = column.as_list::<i32>().value(place);
            let texts = texts.as_string::<i32>();
            (0..texts.len()).map(|at| texts.value(at)).collect::<Vec<_>>().join(" ")
        }
        _ => column.as_string::<i32>().value(place).to_owned(),
    };
    if text.is_empty() {
        return None;
    }
    match text.char_indices().nth(CELL) {
        Some((end, _)) => Some(format!("{}…", &text[..end])),
        None => Some(text),
    }
}
