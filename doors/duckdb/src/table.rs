//! Table functions: the values of one kind in files, with the requested columns.

use std::error::Error;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use duckdb::Connection;
use duckdb::core::{DataChunkHandle, LogicalTypeHandle, LogicalTypeId};
use duckdb::vtab::arrow::{record_batch_to_duckdb_data_chunk, to_duckdb_logical_type};
use duckdb::vtab::{BindInfo, InitInfo, TableFunctionInfo, VTab, Value};
use tagwise_codec::RuleSet;
use tagwise_columns::arrow_array::{Array as _, ArrayRef, Int64Array, LargeBinaryArray, RecordBatch, StringArray};
use tagwise_columns::arrow_schema::{DataType, Field, Schema};
use tagwise_columns::{Column, Kernel, Kind, Options, PLACE};
use tagwise_pkix::profile;

use crate::files::{self, Reader, Row};

/// Registers a table function for each kind.
///
/// # Errors
/// Returns an error if DuckDB rejects a function.
pub(crate) fn register(connection: &Connection) -> Result<(), Box<dyn Error>> {
    connection.register_table_function::<Table<0>>(name::<0>()?)?;
    connection.register_table_function::<Table<1>>(name::<1>()?)?;
    connection.register_table_function::<Table<2>>(name::<2>()?)?;
    connection.register_table_function::<Table<3>>(name::<3>()?)?;
    connection.register_table_function::<Table<4>>(name::<4>()?)?;
    connection.register_table_function::<Table<5>>(name::<5>()?)?;
    // A compiler error here means a new kind without a table function.
    const { assert!(Kind::ALL.len() == 6) };
    Ok(())
}

fn kind<const KIND: usize>() -> Result<Kind, Box<dyn Error>> {
    Kind::ALL.get(KIND).copied().ok_or_else(|| "an unknown kind".into())
}

fn name<const KIND: usize>() -> Result<&'static str, Box<dyn Error>> {
    Ok(kind::<KIND>()?.name())
}

/// The table function for the kind with this position in [`Kind::ALL`].
struct Table<const KIND: usize>;

/// The arguments of a call.
struct Arguments {
    paths: Vec<PathBuf>,
    rules: RuleSet,
    options: Options,
}

/// A running call.
struct Running {
    /// The positions of the requested columns.
    indices: Vec<u64>,
    /// It is created at the first use, because only then the arguments are accessible.
    state: Mutex<Option<Scan>>,
}

impl<const KIND: usize> VTab for Table<KIND> {
    type InitData = Running;
    type BindData = Arguments;

    fn bind(bind: &BindInfo) -> Result<Arguments, Box<dyn Error>> {
        let kind = kind::<KIND>()?;
        // An unknown setting permits nothing.
        if !bind.get_config_option("enable_external_access").is_some_and(|value| value.to_bool()) {
            return Err(format!("{}: access to files is disabled (enable_external_access)", kind.name()).into());
        }
        let pattern = bind.get_parameter(0);
        if pattern.is_null() {
            return Err(format!("{}: no file, expected a pattern such as '*.pem'", kind.name()).into());
        }
        let paths = files::expand(&pattern.to_string()).map_err(|error| format!("{}: {error}", kind.name()))?;
        let rules = profile::allowances(&names(bind.get_named_parameter("allow").as_ref()).join(","))?;
        let partial = bind.get_named_parameter("partial").is_some_and(|value| !value.is_null() && value.to_bool());
        let options = Options::default().rules(rules).partial(partial).plain(true);
        for (name, data_type) in PLACE {
            bind.add_result_column(name, to_duckdb_logical_type(&data_type)?);
        }
        for field in &Kernel::all(kind, options).fields() {
            bind.add_result_column(field.name(), to_duckdb_logical_type(field.data_type())?);
        }
        Ok(Arguments { paths, rules, options })
    }

    fn init(init: &InitInfo) -> Result<Running, Box<dyn Error>> {
        // One thread, so that the rows are in the order of the files.
        init.set_max_threads(1);
        Ok(Running { indices: init.get_column_indices(), state: Mutex::default() })
    }

    fn func(call: &TableFunctionInfo<Self>, output: &mut DataChunkHandle) -> Result<(), Box<dyn Error>> {
        let running = call.get_init_data();
        let mut state = running.state.lock().unwrap_or_else(PoisonError::into_inner);
        let scan = match &mut *state {
            Some(scan) => scan,
            empty => empty.insert(Scan::new(kind::<KIND>()?, call.get_bind_data(), &running.indices)?),
        };
        let rows = scan.reader.next(output.flat_vector(0).capacity())?;
        if rows.is_empty() {
            output.set_len(0);
            return Ok(());
        }
        record_batch_to_duckdb_data_chunk(&scan.batch(&rows)?, output)
    }

    fn supports_pushdown() -> bool {
        true
    }

    fn parameters() -> Option<Vec<LogicalTypeHandle>> {
        Some(vec![LogicalTypeId::Varchar.into()])
    }

    fn named_parameters() -> Option<Vec<(String, LogicalTypeHandle)>> {
        let names = LogicalTypeHandle::list(&LogicalTypeId::Varchar.into());
        Some(vec![("allow".to_owned(), names), ("partial".to_owned(), LogicalTypeId::Boolean.into())])
    }
}

/// Returns the texts of a list.
fn names(list: Option<&Value>) -> Vec<String> {
    list.and_then(Value::to_list).unwrap_or_default().iter().map(Value::to_string).collect()
}

/// Reads files and computes the requested columns.
struct Scan {
    reader: Reader,
    kernel: Kernel,
    /// The requested columns by name. DuckDB requests the number of the row, which has no name here, if a query only counts rows.
    columns: Vec<Option<&'static str>>,
}

impl Scan {
    fn new(kind: Kind, arguments: &Arguments, indices: &[u64]) -> Result<Self, Box<dyn Error>> {
        let place = PLACE.iter().map(|(name, _)| *name);
        let all: Vec<&'static str> = place.chain(kind.columns().iter().map(Column::name)).chain(["error"]).collect();
        let column = |index: &u64| usize::try_from(*index).ok().and_then(|index| all.get(index).copied());
        let columns: Vec<Option<&'static str>> = indices.iter().map(column).collect();
        let is_place = |name: &&str| PLACE.iter().any(|(place, _)| place == name);
        let computed: Vec<&str> = columns.iter().flatten().copied().filter(|name| !is_place(name)).collect();
        let kernel = Kernel::new(kind, &computed, arguments.options)?;
        Ok(Self { reader: Reader::new(kind, arguments.paths.clone(), arguments.rules), kernel, columns })
    }

    fn batch(&self, rows: &[Row]) -> Result<RecordBatch, Box<dyn Error>> {
        // A CRL may be larger than 2 GiB.
        let input = LargeBinaryArray::from_iter(rows.iter().map(|row| row.value.as_deref().ok()));
        let (fields, columns, _) = self.kernel.run(&input)?.into_parts();
        let number = |number: usize| i64::try_from(number).ok();
        let column = |name: Option<&str>| -> Result<ArrayRef, Box<dyn Error>> {
            Ok(match name {
                None => Arc::new(Int64Array::new_null(rows.len())),
                Some("file") => Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &*row.file))),
                Some("entry") => Arc::new(StringArray::from_iter(rows.iter().map(|row| row.entry.as_deref()))),
                Some("offset") => Arc::new(Int64Array::from_iter(rows.iter().map(|row| number(row.offset)))),
                Some("line") => Arc::new(Int64Array::from_iter(rows.iter().map(|row| row.line.and_then(number)))),
                Some(name) => {
                    let (index, _) = fields.find(name).ok_or("the kernel lacks a column")?;
                    let array = columns.get(index).ok_or("the kernel lacks a column")?;
                    if name == "error" { files::with_flaws(array, rows)? } else { array.clone() }
                }
            })
        };
        let arrays = self.columns.iter().map(|name| column(*name)).collect::<Result<Vec<_>, _>>()?;
        let field = |(name, array): (&Option<&str>, &ArrayRef)| {
            Field::new(name.unwrap_or_default(), DataType::clone(array.data_type()), true)
        };
        let schema = Schema::new(self.columns.iter().zip(&arrays).map(field).collect::<Vec<_>>());
        Ok(RecordBatch::try_new(Arc::new(schema), arrays)?)
    }
}
