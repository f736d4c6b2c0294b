//! Rows of files as record batches, for `scan` and `query`: the place of each row, and its columns.

pub(crate) mod part;

use std::sync::Arc;

use tagwise_columns::arrow_array::{
    Array as _, ArrayRef, Int64Array, LargeBinaryArray, RecordBatch, RecordBatchOptions, StringArray,
};
use tagwise_columns::arrow_schema::{Field, Schema, SchemaRef};
use tagwise_columns::{ColumnsError, Kernel, PLACE};
use tagwise_store::ContentsPlace;

/// The number of rows that a thread computes at once.
pub(crate) const CHUNK: usize = 1024;

/// A row of a file: an encoded value, and its place.
pub(crate) struct Row<'f> {
    pub(crate) file: &'f str,
    pub(crate) place: ContentsPlace<'f>,
    pub(crate) der: &'f [u8],
}

/// Returns the schema of rows: their places, and the kernel's columns.
pub(crate) fn schema(kernel: &Kernel) -> SchemaRef {
    let place = PLACE.into_iter().map(|(name, data_type)| Field::new(name, data_type, true).into());
    SchemaRef::from(Schema::new(place.chain(kernel.fields().iter().cloned()).collect::<Vec<_>>()))
}

/// Computes the columns of a schema for rows. Returns them with the number of malformed rows.
///
/// The schema has some of the columns of [`schema`], in any order.
pub(crate) fn batch(
    kernel: &Kernel,
    schema: &SchemaRef,
    rows: &[Row<'_>],
) -> Result<(RecordBatch, usize), ColumnsError> {
    // A CRL may be larger than 2 GiB.
    let input = LargeBinaryArray::from_iter_values(rows.iter().map(|row| row.der));
    let (fields, columns, _) = kernel.run(&input)?.into_parts();
    let number = |number: usize| i64::try_from(number).ok();
    let column = |name: &str| -> Option<ArrayRef> {
        let array: ArrayRef = match name {
            "file" => Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.file))),
            "entry" => Arc::new(StringArray::from_iter(rows.iter().map(|row| row.place.entry))),
            "offset" => Arc::new(Int64Array::from_iter(rows.iter().map(|row| number(row.place.offset)))),
            "line" => Arc::new(Int64Array::from_iter(rows.iter().map(|row| row.place.line.and_then(number)))),
            _ => columns.get(fields.find(name)?.0)?.clone(),
        };
        Some(array)
    };
    let arrays = schema.fields().iter().filter_map(|field| column(field.name())).collect();
    // A query that only counts rows has no columns.
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    Ok((RecordBatch::try_new_with_options(schema.clone(), arrays, &options)?, malformed(&columns)))
}

/// Returns the number of malformed rows: those whose last column, `error`, is not null.
pub(crate) fn malformed(columns: &[ArrayRef]) -> usize {
    columns.last().map_or(0, |errors| errors.len() - errors.null_count())
}
