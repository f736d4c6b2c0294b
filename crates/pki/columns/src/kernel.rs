//! The kernel: one column of encodings to many columns of values.

use arrow_array::{Array, RecordBatch, StructArray};
use arrow_buffer::Buffer;
use arrow_schema::{DataType, Field, Fields};

use crate::builder::{Builder, Home, Stop};
use crate::column::Column;
use crate::decode;
use crate::errors::{self, Errors};
use crate::failure::{ColumnsError, Failure};
use crate::kind::Kind;
use crate::options::Options;
use crate::source::{Source, home};

/// A function from a column of encoded values to a structure of typed columns.
///
/// The result has as many rows as the input, in the same order. Rows are independent of each other, so callers can split a table
/// and process the parts in parallel.
#[derive(Clone, Debug)]
pub struct Kernel {
    kind: Kind,
    columns: Vec<&'static Column>,
    options: Options,
}

impl Kernel {
    /// Creates a kernel that computes the named columns, and the column `error`, which is always the last one.
    ///
    /// # Errors
    /// Returns an error if a column is unknown or duplicate.
    pub fn new<S: AsRef<str>>(kind: Kind, names: &[S], options: Options) -> Result<Self, ColumnsError> {
        let mut columns: Vec<&'static Column> = Vec::with_capacity(names.len());
        for name in names.iter().map(AsRef::as_ref).filter(|name| *name != errors::NAME) {
            let found = kind.columns().iter().find(|column| column.name == name);
            let column = found.ok_or_else(|| ColumnsError::UnknownColumn {
                name: name.to_owned(),
                known: kind.columns().iter().map(Column::name).chain([errors::NAME]).collect(),
            })?;
            if columns.iter().any(|known| known.name == name) {
                return Err(ColumnsError::Duplicate(name.to_owned()));
            }
            columns.push(column);
        }
        Ok(Self { kind, columns, options })
    }

    /// Creates a kernel that computes all columns of the kind.
    #[must_use]
    pub fn all(kind: Kind, options: Options) -> Self {
        Self { kind, columns: kind.columns().iter().collect(), options }
    }

    /// Returns the kind of the rows.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the fields of the result.
    ///
    /// ```
    /// use tagwise_columns::{Kernel, Kind, Options};
    /// let kernel = Kernel::new(Kind::Certificate, &["subject", "not_after"], Options::default())?;
    /// assert_eq!(kernel.fields()[1].data_type().to_string(), "Timestamp(µs, \"UTC\")");
    /// # Ok::<(), tagwise_columns::ColumnsError>(())
    /// ```
    #[must_use]
    pub fn fields(&self) -> Fields {
        let column = |column: &&'static Column| Field::new(column.name, column.data_type(&self.options), true);
        let error = Field::new(errors::NAME, DataType::Struct(errors::fields()), true);
        self.columns.iter().map(column).chain([error]).collect()
    }

    /// Computes the columns for a column of a batch.
    ///
    /// # Errors
    /// Returns an error if the batch has no such column, and the errors of [`Kernel::run`].
    pub fn run_batch(&self, batch: &RecordBatch, column: &str) -> Result<StructArray, ColumnsError> {
        let index = batch.schema_ref().index_of(column)?;
        self.run(batch.column(index))
    }

    /// Computes the columns for an array of type Binary, LargeBinary, BinaryView, FixedSizeBinary, Utf8, LargeUtf8 or Utf8View.
    /// Values are DER, PEM or base64. A null remains null in all columns.
    ///
    /// # Errors
    /// Returns an error if the array has another type, or if a result is larger than 2 GiB. A malformed row is not an error: its
    /// columns are null, and its `error` column describes the first error.
    pub fn run(&self, input: &dyn Array) -> Result<StructArray, ColumnsError> {
        let source = Source::new(input)?;
        let blocks = source.blocks();
        let builders = self.columns.iter().map(|column| Builder::new(column, &self.options, &blocks, false));
        let mut builders: Vec<Builder> = builders.collect();
        let mut errors = Errors::new();
        for row in 0..input.len() {
            let failure = match source.value(row) {
                Some((octets, block)) => self.row(octets, source.is_text(), (&blocks, block), &mut builders)?,
                None => {
                    builders.iter_mut().for_each(Builder::push_null);
                    None
                }
            };
            errors.push(failure.as_ref()).map_err(stopped)?;
        }
        let mut arrays = builders.into_iter().map(Builder::finish).collect::<Result<Vec<_>, _>>()?;
        arrays.push(errors.finish()?);
        Ok(StructArray::try_new(self.fields(), arrays, None)?)
    }

    /// Adds one row to all columns, and returns its error.
    fn row(
        &self,
        octets: &[u8],
        is_text: bool,
        (blocks, block): (&[Buffer], u32),
        builders: &mut [Builder],
    ) -> Result<Option<Failure>, ColumnsError> {
        let decoded;
        let (der, place) = if is_text || decode::is_text(octets) {
            match decode::from_text(self.kind, octets) {
                Ok(der) => {
                    decoded = der;
                    (&*decoded, None)
                }
                Err(failure) => {
                    builders.iter_mut().for_each(Builder::push_null);
                    return Ok(Some(failure));
                }
            }
        } else {
            (octets, home(blocks, block))
        };
        let options = &self.options;
        match decode::with_row(self.kind, der, options, |row, error| fill(builders, row, place, error, options.partial))
        {
            Ok(filled) => filled.map(|error| error.map(Failure::from)),
            Err(error) => {
                builders.iter_mut().for_each(Builder::push_null);
                Ok(Some(error.into()))
            }
        }
    }
}

/// Adds a decoded row to all columns, and returns its error.
fn fill(
    builders: &mut [Builder],
    row: &crate::row::Row<'_>,
    home: Option<Home<'_>>,
    mut error: Option<tagwise_codec::Error>,
    partial: bool,
) -> Result<Option<tagwise_codec::Error>, ColumnsError> {
    let len = builders.first().map_or(0, Builder::len);
    let mut whole = true;
    for builder in builders.iter_mut() {
        match builder.push(row, home) {
            Ok(()) => {}
            Err(Stop::Row(own)) => {
                error = error.or(Some(own));
                if !partial {
                    whole = false;
                    break;
                }
                builder.push_null();
            }
            Err(full) => return Err(stopped(full)),
        }
    }
    if !whole {
        for builder in builders.iter_mut() {
            builder.truncate(len);
            builder.push_null();
        }
    }
    Ok(error)
}

fn stopped(stop: Stop) -> ColumnsError {
    match stop {
        Stop::Full(name) => ColumnsError::TooLarge(name),
        Stop::Row(_) => ColumnsError::TooLarge(errors::NAME),
    }
}
