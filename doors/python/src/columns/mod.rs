//! Certificates, CRLs, requests, OCSP responses and CMS messages as Arrow columns, through Arrow's PyCapsule interface.

mod import;

use std::ffi::CString;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi::{FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{
    Array, ArrayReader as _, ArrayRef, BinaryArray, RecordBatch, RecordBatchIterator, RecordBatchReader, StructArray,
};
use arrow_schema::{ArrowError, DataType, Fields, Schema, SchemaRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};
use tagwise::columns::{ColumnsError, Kernel, Kind, Options};

use crate::errors::argument;
use crate::input;

fn arrow(error: &ArrowError) -> PyErr {
    argument(error.to_string())
}

fn failed(error: &ColumnsError) -> PyErr {
    match error {
        ColumnsError::InputType(_) => PyTypeError::new_err(error.to_string()),
        _ => argument(error.to_string()),
    }
}

fn capsule<T: Send + 'static>(py: Python<'_>, value: T, name: &str) -> PyResult<Py<PyCapsule>> {
    let name = CString::new(name).map_err(|_| argument("a name contains a zero byte"))?;
    #[expect(deprecated, reason = "an owned name, which the replacement does not accept")]
    Ok(PyCapsule::new(py, value, Some(name))?.unbind())
}

/// The result for an array, which can be exported any number of times.
#[pyclass(frozen, module = "tagwise._native")]
struct ColumnArray(StructArray);

#[pymethods]
impl ColumnArray {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __arrow_c_schema__(&self, py: Python<'_>) -> PyResult<Py<PyCapsule>> {
        schema(py, self.0.fields())
    }

    /// Returns the capsules of the schema and the array.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__(
        &self,
        py: Python<'_>,
        requested_schema: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(Py<PyCapsule>, Py<PyCapsule>)> {
        // A producer may ignore the requested schema (Arrow's PyCapsule interface).
        drop(requested_schema);
        let (array, schema) = to_ffi(&self.0.to_data()).map_err(|error| arrow(&error))?;
        Ok((capsule(py, schema, "arrow_schema")?, capsule(py, array, "arrow_array")?))
    }

    /// Returns the capsule of a stream with one batch.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__(
        &self,
        py: Python<'_>,
        requested_schema: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyCapsule>> {
        drop(requested_schema);
        let batch = RecordBatch::from(&self.0);
        let schema = batch.schema();
        let batches = RecordBatchIterator::new([Ok(batch)], schema);
        capsule(py, FFI_ArrowArrayStream::new(Box::new(batches)), "arrow_array_stream")
    }
}

fn schema(py: Python<'_>, fields: &Fields) -> PyResult<Py<PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(Schema::new(fields.clone())).map_err(|error| arrow(&error))?;
    capsule(py, schema, "arrow_schema")
}

/// Returns the column of a table, or the array itself.
fn selected(array: &ArrayRef, column: Option<&str>) -> Result<ArrayRef, ArrowError> {
    match (array.data_type(), column) {
        (DataType::Struct(_), Some(column)) => {
            let found = array.as_struct().column_by_name(column).cloned();
            found.ok_or_else(|| ArrowError::SchemaError(format!("the table has no column {column:?}")))
        }
        (DataType::Struct(fields), None) if fields.len() == 1 => {
            let only = array.as_struct().columns().first().cloned();
            only.ok_or_else(|| ArrowError::SchemaError("the table has no columns".to_owned()))
        }
        (DataType::Struct(fields), None) => {
            let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
            let names = names.join(", ");
            Err(ArrowError::SchemaError(format!("the table has several columns, expected one of: {names}")))
        }
        (_, Some(_)) => Err(ArrowError::SchemaError("an array has no named columns".to_owned())),
        (_, None) => Ok(array.clone()),
    }
}

/// A kernel: kind, columns and options.
#[pyclass(frozen, module = "tagwise._native")]
struct ColumnKernel(Kernel);

#[pymethods]
impl ColumnKernel {
    #[new]
    fn new(
        kind: &str,
        fields: Option<Vec<String>>,
        allow: Vec<String>,
        partial: bool,
        outline: bool,
        plain: bool,
    ) -> PyResult<Self> {
        let kind = Kind::by_name(kind).ok_or_else(|| argument(format!("unknown kind `{kind}`")))?;
        let options = Options::default().rules(input::rules(&allow)?).partial(partial).outline(outline).plain(plain);
        Ok(Self(match fields {
            Some(fields) => Kernel::new(kind, &fields, options).map_err(|error| failed(&error))?,
            None => Kernel::all(kind, options),
        }))
    }

    /// Returns the schema of the result.
    fn schema(&self, py: Python<'_>) -> PyResult<Py<PyCapsule>> {
        schema(py, &self.0.fields())
    }

    /// Computes the columns for an array.
    fn array(
        &self,
        py: Python<'_>,
        schema: &Bound<'_, PyCapsule>,
        array: &Bound<'_, PyCapsule>,
        column: Option<&str>,
    ) -> PyResult<ColumnArray> {
        let input = selected(&import::array(schema, array)?, column).map_err(|error| arrow(&error))?;
        let result = py.detach(|| self.0.run(&input)).map_err(|error| failed(&error))?;
        Ok(ColumnArray(result))
    }

    /// Computes the columns for a stream, batch by batch, as they are consumed.
    fn stream(&self, py: Python<'_>, stream: &Bound<'_, PyCapsule>, column: Option<String>) -> PyResult<Py<PyCapsule>> {
        let input = import::stream(stream)?;
        // Errors that concern all batches are reported before the first.
        let empty = arrow_array::new_empty_array(input.field().data_type());
        let empty = selected(&empty, column.as_deref()).map_err(|error| arrow(&error))?;
        self.0.run(&empty).map_err(|error| failed(&error))?;
        let schema = Arc::new(Schema::new(self.0.fields()));
        let batches = Batches { kernel: self.0.clone(), input, column, schema };
        capsule(py, FFI_ArrowArrayStream::new(Box::new(batches)), "arrow_array_stream")
    }

    /// Computes the columns for a sequence of bytes, texts and None.
    fn values(&self, py: Python<'_>, values: Vec<Bound<'_, PyAny>>) -> PyResult<ColumnArray> {
        let mut input = Vec::with_capacity(values.len());
        for value in &values {
            input.push(match value.cast::<PyString>() {
                _ if value.is_none() => None,
                Ok(text) => Some(text.to_str()?.as_bytes().to_vec()),
                Err(_) => Some(input::bytes(value)?.as_bytes().to_vec()),
            });
        }
        let total = input.iter().flatten().map(Vec::len).sum::<usize>();
        if i32::try_from(total).is_err() {
            return Err(argument("the values have more than 2 GiB"));
        }
        let run = || self.0.run(&BinaryArray::from_iter(input));
        let result = py.detach(run).map_err(|error| failed(&error))?;
        Ok(ColumnArray(result))
    }
}

/// The results for a stream.
struct Batches {
    kernel: Kernel,
    input: ArrayStreamReader,
    column: Option<String>,
    schema: SchemaRef,
}

impl Batches {
    fn batch(&self, array: &ArrayRef) -> Result<RecordBatch, ArrowError> {
        array.to_data().validate_full()?;
        let input = selected(array, self.column.as_deref())?;
        let result = self.kernel.run(&input).map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
        let (_, columns, _) = result.into_parts();
        RecordBatch::try_new(self.schema.clone(), columns)
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.input.next()?;
        Some(read.and_then(|array| self.batch(&array)))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// A column: name, Arrow type, description.
type Described = (&'static str, String, &'static str);

/// Returns the kinds with their columns.
#[pyfunction]
fn column_table() -> Vec<(&'static str, Vec<Described>)> {
    let options = Options::default().plain(true);
    let columns = |kind: &Kind| {
        let described =
            |column: &tagwise::columns::Column| (column.name(), column.data_type(&options).to_string(), column.about());
        (kind.name(), kind.columns().iter().map(described).collect())
    };
    Kind::ALL.iter().map(columns).collect()
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ColumnArray>()?;
    module.add_class::<ColumnKernel>()?;
    module.add_function(wrap_pyfunction!(column_table, module)?)
}
