//! The first rows of a result, as text and numbers, for tables, plots and pages.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type, Schema};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use tagwise_pkix::name::visible;

/// Rows of a result.
pub(crate) struct Sample {
    /// The names of the columns.
    pub(crate) names: Vec<String>,
    /// True for columns of numbers.
    pub(crate) is_number: Vec<bool>,
    /// The rows, up to the limit.
    pub(crate) rows: Vec<Vec<String>>,
    /// The values of columns of numbers, column by column. They are empty for other columns.
    pub(crate) numbers: Vec<Vec<Option<f64>>>,
    /// The number of rows beyond the limit.
    pub(crate) more: usize,
    limit: usize,
}

impl Sample {
    /// Creates an empty sample that keeps a limited number of rows.
    pub(crate) fn new(schema: &Schema, limit: usize) -> Self {
        let fields = schema.fields();
        Self {
            names: fields.iter().map(|field| visible(field.name()).to_string()).collect(),
            is_number: fields.iter().map(|field| is_number(field.data_type())).collect(),
            rows: Vec::new(),
            numbers: vec![Vec::new(); fields.len()],
            more: 0,
            limit,
        }
    }

    /// Adds the rows of a batch.
    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let taken = batch.num_rows().min(self.limit.saturating_sub(self.rows.len()));
        self.more += batch.num_rows() - taken;
        let batch = batch.slice(0, taken);
        self.rows.extend(cells(&batch)?);
        for (column, numbers) in batch.columns().iter().zip(&mut self.numbers) {
            if is_number(column.data_type()) {
                numbers.extend(floats(column)?);
            }
        }
        Ok(())
    }

    /// Returns the columns of numbers after the first column, which has the labels.
    pub(crate) fn series(&self) -> impl Iterator<Item = (&str, &[Option<f64>])> {
        let columns = self.names.iter().zip(&self.is_number).zip(&self.numbers).skip(1);
        columns
            .filter(|((_, is_number), _)| **is_number)
            .map(|((name, _), numbers)| (name.as_str(), numbers.as_slice()))
    }

    /// Returns the label of a row: the text of its first column.
    pub(crate) fn label(&self, row: usize) -> &str {
        self.rows.get(row).and_then(|cells| cells.first()).map_or("", String::as_str)
    }
}

fn is_number(data_type: &DataType) -> bool {
    data_type.is_numeric()
}

fn floats(column: &ArrayRef) -> Result<Vec<Option<f64>>, ArrowError> {
    let floats = cast(column, &DataType::Float64)?;
    // What is not finite cannot be drawn.
    Ok(floats.as_primitive::<Float64Type>().iter().map(|value| value.filter(|value| value.is_finite())).collect())
}

/// Returns the text of all cells, row by row. Bytes are in hexadecimal, times in RFC 3339, and nulls are empty.
pub(crate) fn cells(batch: &RecordBatch) -> Result<Vec<Vec<String>>, ArrowError> {
    let options = FormatOptions::new().with_timestamp_tz_format(Some("%Y-%m-%dT%H:%M:%SZ"));
    let formatters: Vec<ArrayFormatter<'_>> =
        batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options)).collect::<Result<_, _>>()?;
    let row = |row: usize| -> Result<Vec<String>, ArrowError> {
        let cell = |formatter: &ArrayFormatter<'_>| {
            formatter.value(row).try_to_string().map(|text| visible(&text).to_string())
        };
        formatters.iter().map(cell).collect()
    };
    (0..batch.num_rows()).map(row).collect()
}
