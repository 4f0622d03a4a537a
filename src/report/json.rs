//! Tables as JSON: for each table a list of objects, numbers as numbers, unknown as null.

use serde_json::{Map, Value, json};

use super::table::{Cell, Table};

/// One object: the name of each table to the list of its rows.
pub fn tables(tables: &[Table]) -> Value {
    tables.iter().map(|table| (table.name.to_owned(), rows(table))).collect::<Map<_, _>>().into()
}

fn rows(table: &Table) -> Value {
    let row = |row: &Vec<Cell>| {
        let cells = table.header.iter().cloned().zip(row.iter().map(value));
        Value::Object(cells.collect())
    };
    table.rows.iter().map(row).collect()
}

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Text(text) => json!(text),
        Cell::Int(number) => json!(number),
        Cell::Real(number) => json!(number),
        Cell::Empty => Value::Null,
    }
}
