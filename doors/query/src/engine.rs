//! Answers a query: registers the tables, plans the SQL, and passes the batches of the result to the output.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use datafusion::common::TableReference;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::options::{ArrowReadOptions, JsonReadOptions};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{CsvReadOptions, DataFrame, ParquetReadOptions, SQLOptions, SessionConfig, SessionContext};
use futures::StreamExt;
use tagwise_cli::Failure;
use tagwise_cli::query::{Kind, Query};

use crate::output::Output;
use crate::table::{FileTable, FilesFunction, Stopped};

/// The entries of CRLs as rows.
const CRL_ENTRIES: &str = "SELECT file, issuer, this_update, entry['serial'] AS serial, entry['revoked_at'] AS revoked_at, \
entry['reason'] AS reason, entry['invalid_since'] AS invalid_since, entry['is_indirect'] AS is_indirect, \
entry['certificate_issuer'] AS certificate_issuer \
FROM (SELECT file, issuer, this_update, unnest(entries) AS entry FROM crls)";

/// Answers a query, and returns the exit code.
///
/// # Errors
/// Returns an error if the query is not valid SQL or would change something, or if a table cannot be read.
pub(crate) fn run(query: &Query<'_>, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
    // The reader of certificates has its own threads.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build();
    let runtime = runtime.map_err(|error| Failure::Said(3, format!("threads cannot be started: {error}")))?;
    runtime.block_on(answer(query, out, err))
}

async fn answer(query: &Query<'_>, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
    let session = session(query.memory).map_err(|error| failed(&error, 3))?;
    register(&session, query).await?;
    // A query changes nothing: no CREATE, COPY, INSERT or SET.
    let options = SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    let frame = session.sql_with_options(query.sql, options).await.map_err(|error| unplanned(&error, query))?;
    let schema = Arc::clone(frame.schema().inner());
    let mut output = Output::new(query, &schema, out)?;
    if let Err(failure) = pass(frame, &mut output).await {
        output.discard();
        return Err(failure);
    }
    let rows = output.finish(err)?;
    let mut outcome = query.files.outcome();
    outcome.negative |= rows == 0;
    Ok(outcome.code())
}

/// Passes the rows of the result to the output.
async fn pass(frame: DataFrame, output: &mut Output<'_>) -> Result<(), Failure> {
    let mut batches = frame.execute_stream().await.map_err(|error| failed(&error, 2))?;
    while let Some(batch) = batches.next().await {
        output.write(&batch.map_err(|error| failed(&error, 1))?)?;
    }
    Ok(())
}

/// Creates a session with a limit of its memory, in bytes.
fn session(memory: usize) -> Result<SessionContext> {
    // One partition: the order of the rows does not depend on threads.
    let config = SessionConfig::new()
        .with_target_partitions(1)
        .with_information_schema(true)
        .with_sort_spill_reservation_bytes((memory / 8).min(10 << 20));
    let runtime = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(FairSpillPool::new(memory)));
    Ok(SessionContext::new_with_config_rt(config, runtime.build_arc()?))
}

/// Registers the tables and table functions.
async fn register(session: &SessionContext, query: &Query<'_>) -> Result<(), Failure> {
    for kind in Kind::ALL.iter().copied() {
        session.register_udtf(kind.name(), Arc::new(FilesFunction { files: query.files.clone(), kind }));
    }
    if query.files.is_named() {
        for kind in Kind::ALL.iter().copied() {
            let table = FileTable::new(query.files.clone(), kind)?;
            session
                .register_table(TableReference::bare(kind.name()), Arc::new(table))
                .map_err(|error| failed(&error, 2))?;
        }
        let entries = session.sql(CRL_ENTRIES).await.map_err(|error| failed(&error, 2))?.into_view();
        session.register_table(TableReference::bare("crl_entries"), entries).map_err(|error| failed(&error, 2))?;
    }
    for (name, path) in query.tables {
        register_file(session, name, path).await?;
    }
    Ok(())
}

/// Registers a file of other data. Its extension says what it is.
async fn register_file(session: &SessionContext, name: &str, path: &Path) -> Result<(), Failure> {
    let metadata = std::fs::metadata(path).map_err(|error| Failure::file(path, "read", &error))?;
    if !metadata.is_file() {
        return Err(Failure::file(path, "read", &io::Error::other("not a regular file")));
    }
    let path = std::path::absolute(path).map_err(|error| Failure::file(path, "read", &error))?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let Some(text) = path.to_str().filter(|text| !text.contains(['*', '?', '[', '%'])) else {
        return Err(Failure::usage("--table: unsupported file name: it is not UTF-8, or contains *, ?, [ or %"));
    };
    let (ending, table) = (format!(".{extension}"), TableReference::bare(name));
    if session.table_exist(table.clone()).map_err(|error| failed(&error, 2))? {
        return Err(Failure::usage(format!("--table: duplicate table \"{name}\"")));
    }
    let registered = match extension.to_ascii_lowercase().as_str() {
        "csv" => session.register_csv(table, text, CsvReadOptions::new().file_extension(&ending)).await,
        "tsv" => {
            let options = CsvReadOptions::new().file_extension(&ending).delimiter(b'\t');
            session.register_csv(table, text, options).await
        }
        "json" | "jsonl" | "ndjson" => {
            session.register_json(table, text, JsonReadOptions::default().file_extension(&ending)).await
        }
        "parquet" => {
            let options = ParquetReadOptions { file_extension: &ending, ..ParquetReadOptions::default() };
            session.register_parquet(table, text, options).await
        }
        "arrow" | "feather" | "ipc" => {
            let options = ArrowReadOptions { file_extension: &ending, ..ArrowReadOptions::default() };
            session.register_arrow(table, text, options).await
        }
        _ => {
            return Err(Failure::usage(format!(
                "--table: unsupported file extension \"{extension}\", expected csv, tsv, ndjson, parquet or arrow"
            )));
        }
    };
    registered.map_err(|error| match failed(&error, 1) {
        Failure::Said(code, message) => Failure::Said(code, format!("--table {name}: {message}")),
        other => other,
    })
}

/// Returns why a query was not planned.
fn unplanned(error: &DataFusionError, query: &Query<'_>) -> Failure {
    match failed(error, 2) {
        Failure::Said(2, message) if !query.files.is_named() && message.contains("not found") => {
            Failure::usage(format!("{message}; no files were given, so there are only tables of --table and functions"))
        }
        failure => failure,
    }
}

/// Converts an error of DataFusion. `code` is the exit code of errors without one of their own.
fn failed(error: &DataFusionError, code: u8) -> Failure {
    let root = error.find_root();
    if let DataFusionError::External(source) = root
        && let Some(Stopped(failure)) = find(&**source)
    {
        return match failure {
            Failure::Said(code, message) => Failure::Said(*code, message.clone()),
            Failure::Output(error) => Failure::Output(io::Error::new(error.kind(), error.to_string())),
        };
    }
    let message = root.message();
    let message = message.lines().next().unwrap_or_default();
    match root {
        // A budget is exhausted.
        DataFusionError::ResourcesExhausted(_) => {
            Failure::Said(4, format!("the query needs more memory than --memory permits: {message}"))
        }
        DataFusionError::IoError(_) | DataFusionError::ObjectStore(_) => Failure::Said(3, message.to_owned()),
        _ => Failure::Said(code, format!("query: {message}")),
    }
}

/// Finds the error of the reader of certificates among the causes of an error.
fn find<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Stopped> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(stopped) = error.downcast_ref() {
            return Some(stopped);
        }
        cause = error.source();
    }
    None
}
