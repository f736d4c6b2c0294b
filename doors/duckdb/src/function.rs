//! Scalar functions: a column of encoded values to one column, or to a structure of all columns.

use std::cell::RefCell;
use std::error::Error;
use std::sync::Arc;

use duckdb::Connection;
use duckdb::core::{DataChunkHandle, LogicalTypeId};
use duckdb::vscalar::{ScalarFunctionSignature, VScalar};
use duckdb::vtab::arrow::{WritableVector, data_chunk_to_arrow, to_duckdb_logical_type, write_arrow_array_to_vector};
use tagwise_columns::arrow_array::{Array as _, ArrayRef, StructArray};
use tagwise_columns::arrow_schema::DataType;
use tagwise_columns::{Column, Kernel, Kind, Options};

thread_local! {
    /// The type that the next registered function returns. [`VScalar::signatures`] has no access to the function's state.
    static RETURNED: RefCell<DataType> = const { RefCell::new(DataType::Null) };
}

/// Registers the functions of a kind: one for each column, and one for all.
///
/// # Errors
/// Returns an error if DuckDB has no type for a column, or rejects a function.
pub(crate) fn register(connection: &Connection, kind: Kind) -> Result<(), Box<dyn Error>> {
    let prefix = match kind {
        Kind::Cms => "cms",
        Kind::LogEntry => "log_entry",
        kind => kind.name().trim_end_matches('s'),
    };
    let options = Options::default().plain(true);
    let whole = Kernel::all(kind, options);
    add(connection, prefix, DataType::Struct(whole.fields()), &State { kernel: whole, is_whole: true })?;
    for name in kind.columns().iter().map(Column::name).chain(["error"]) {
        let kernel = Kernel::new(kind, &[name], options)?;
        let first = kernel.fields().first().map(|field| field.data_type().clone());
        let returned = first.ok_or("a kernel without columns")?;
        add(connection, &format!("{prefix}_{name}"), returned, &State { kernel, is_whole: false })?;
    }
    Ok(())
}

fn add(connection: &Connection, name: &str, returned: DataType, state: &State) -> Result<(), Box<dyn Error>> {
    to_duckdb_logical_type(&returned)?;
    RETURNED.set(returned);
    Ok(connection.register_scalar_function_with_state::<Function>(name, state)?)
}

/// The state of a function: the kernel that computes its result.
#[derive(Clone)]
struct State {
    kernel: Kernel,
    /// True if the result is the structure of all columns, and false if it is the first column.
    is_whole: bool,
}

struct Function;

impl VScalar for Function {
    type State = State;

    fn invoke(
        state: &State,
        input: &mut DataChunkHandle,
        output: &mut dyn WritableVector,
    ) -> Result<(), Box<dyn Error>> {
        let batch = data_chunk_to_arrow(input)?;
        let input = batch.columns().first().ok_or("a function without an argument")?;
        let (fields, columns, _) = state.kernel.run(input)?.into_parts();
        let result: ArrayRef = if state.is_whole {
            Arc::new(StructArray::try_new(fields, columns, input.logical_nulls())?)
        } else {
            columns.into_iter().next().ok_or("a kernel without columns")?
        };
        write_arrow_array_to_vector(&result, output)
    }

    /// Binary values are DER, PEM or base64, and texts are PEM or base64.
    fn signatures() -> Vec<ScalarFunctionSignature> {
        let signature = |input: LogicalTypeId| {
            let returned = RETURNED.with_borrow(to_duckdb_logical_type).ok()?;
            Some(ScalarFunctionSignature::exact(vec![input.into()], returned))
        };
        [LogicalTypeId::Blob, LogicalTypeId::Varchar].into_iter().filter_map(signature).collect()
    }
}
