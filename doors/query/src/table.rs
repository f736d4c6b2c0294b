//! Tables of certificates, CRLs and messages: they read files while the query runs, and decode only the columns that it names.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{ScalarValue, plan_datafusion_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use tagwise_cli::Failure;
use tagwise_cli::query::{Files, Kind};

/// The number of batches that wait for the query. Then the reader waits.
const WAITING: usize = 2;

/// An error of the reader.
#[derive(Debug)]
pub(crate) struct Stopped(pub(crate) Failure);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Failure::Output(error) => error.fmt(f),
            Failure::Said(_, message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Stopped {}

fn stopped(failure: Failure) -> DataFusionError {
    DataFusionError::External(Box::new(Stopped(failure)))
}

/// The values of one kind in files.
#[derive(Debug)]
pub(crate) struct FileTable {
    files: Files,
    kind: Kind,
    schema: SchemaRef,
}

impl FileTable {
    pub(crate) fn new(files: Files, kind: Kind) -> Result<Self, Failure> {
        Ok(Self { schema: files.schema(kind)?, files, kind })
    }
}

#[async_trait]
impl TableProvider for FileTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = match projection {
            Some(projection) => Arc::new(self.schema.project(projection)?),
            None => Arc::clone(&self.schema),
        };
        let rows = Rows { files: self.files.clone(), kind: self.kind, schema: Arc::clone(&schema) };
        let plan = StreamingTableExec::try_new(schema, vec![Arc::new(rows)], None, [], false, limit)?;
        Ok(Arc::new(plan))
    }
}

/// A stream of the rows of a table, with the columns of its schema.
#[derive(Debug)]
struct Rows {
    files: Files,
    kind: Kind,
    schema: SchemaRef,
}

impl PartitionStream for Rows {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut stream = RecordBatchReceiverStreamBuilder::new(Arc::clone(&self.schema), WAITING);
        let (files, kind, schema, batches) = (self.files.clone(), self.kind, Arc::clone(&self.schema), stream.tx());
        stream.spawn_blocking(move || {
            // The receiver is gone if the query has enough rows.
            let mut send = |batch| batches.blocking_send(Ok(batch)).is_ok();
            files.read(kind, &schema, &mut send).map_err(stopped)
        });
        stream.build()
    }
}

/// A table function whose arguments are patterns of file names.
#[derive(Debug)]
pub(crate) struct FilesFunction {
    pub(crate) files: Files,
    pub(crate) kind: Kind,
}

impl TableFunctionImpl for FilesFunction {
    fn call_with_args(&self, arguments: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let mut paths = Vec::new();
        for argument in arguments.exprs() {
            let Expr::Literal(ScalarValue::Utf8(Some(pattern)), _) = argument else {
                return Err(plan_datafusion_err!(
                    "{}: expected patterns of file names, such as '*.pem'",
                    self.kind.name()
                ));
            };
            expand(pattern, &mut paths)?;
        }
        if paths.is_empty() {
            return Err(plan_datafusion_err!("{}: no file, expected a pattern such as '*.pem'", self.kind.name()));
        }
        Ok(Arc::new(FileTable::new(self.files.with_paths(paths), self.kind).map_err(stopped)?))
    }
}

/// Adds the files that match a pattern, in the order of their names. The name of an existing file matches only that file.
fn expand(pattern: &str, paths: &mut Vec<PathBuf>) -> Result<()> {
    let literal = PathBuf::from(pattern);
    if literal.exists() {
        paths.push(literal);
        return Ok(());
    }
    let before = paths.len();
    let matches =
        glob::glob(pattern).map_err(|error| plan_datafusion_err!("malformed pattern \"{pattern}\": {error}"))?;
    for path in matches {
        paths.push(path.map_err(|error| DataFusionError::IoError(error.into()))?);
    }
    if paths.len() == before {
        return Err(plan_datafusion_err!("no file matches \"{pattern}\""));
    }
    Ok(())
}
