//! A Parquet or Arrow IPC file that is written under a temporary name until it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use arrow_ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use tagwise_columns::arrow_array::RecordBatch;
use tagwise_columns::arrow_schema::SchemaRef;

use crate::shared::output::{Failure, loses_no_key};

/// The format of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Parquet.
    Parquet,
    /// Arrow IPC, the file format.
    Arrow,
}

impl Format {
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }
}

enum Writer {
    Parquet(Box<ArrowWriter<File>>),
    Arrow(Box<FileWriter<BufWriter<File>>>),
}

/// A file of columns that is being written under a temporary name.
pub struct Part {
    writer: Writer,
    path: PathBuf,
    rows: usize,
    /// The number of rows that are malformed, which the writer counts.
    pub(crate) malformed: usize,
    /// The fingerprints of the rows, if each is written once.
    pub(crate) prints: Vec<[u8; 32]>,
}

/// Returns the temporary name of a part.
fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("_{name}.unfinished"))
}

impl Part {
    /// Creates a part. `memory` limits the size of a row group, in bytes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created, or if it would replace a private key or a database.
    pub fn create(format: Format, path: PathBuf, schema: &SchemaRef, memory: usize) -> Result<Self, Failure> {
        loses_no_key(&path)?;
        let temporary = unfinished(&path);
        let file = File::create(&temporary).map_err(|error| Failure::file(&temporary, "created", &error))?;
        let failed = |error: String| Failure::file(&temporary, "written", &io::Error::other(error));
        let writer = match format {
            Format::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_max_row_group_bytes(Some((memory / 4).max(1 << 20)))
                    .set_created_by(concat!("tagwise ", env!("CARGO_PKG_VERSION")).to_owned())
                    .build();
                let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties));
                Writer::Parquet(Box::new(writer.map_err(|error| failed(error.to_string()))?))
            }
            Format::Arrow => {
                let writer = FileWriter::try_new_buffered(file, schema);
                Writer::Arrow(Box::new(writer.map_err(|error| failed(error.to_string()))?))
            }
        };
        Ok(Self { writer, path, rows: 0, malformed: 0, prints: Vec::new() })
    }

    /// Writes the rows of a batch.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        let written = match &mut self.writer {
            Writer::Parquet(writer) => writer.write(batch).map_err(|error| error.to_string()),
            Writer::Arrow(writer) => writer.write(batch).map_err(|error| error.to_string()),
        };
        written.map_err(|error| self.failed(error))?;
        self.rows += batch.num_rows();
        Ok(())
    }

    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    fn failed(&self, error: String) -> Failure {
        Failure::file(&self.path, "written", &io::Error::other(error))
    }

    /// Removes the unfinished file.
    pub fn discard(self) {
        let path = unfinished(&self.path);
        drop(self.writer);
        // Nothing else can be done about a file that cannot be removed.
        let _ = fs::remove_file(path);
    }

    /// Ends the file, writes it to the disk, and gives it its name, which is returned.
    ///
    /// # Errors
    /// Returns an error if writing or renaming fails.
    pub fn finish(self) -> Result<PathBuf, Failure> {
        let Self { writer, path, .. } = self;
        let failed = |error: String| Failure::file(&path, "written", &io::Error::other(error));
        let file = match writer {
            Writer::Parquet(writer) => writer.into_inner().map_err(|error| failed(error.to_string()))?,
            Writer::Arrow(writer) => {
                // It also ends the file.
                let buffered = writer.into_inner().map_err(|error| failed(error.to_string()))?;
                buffered.into_inner().map_err(|error| failed(error.to_string()))?
            }
        };
        let renamed = file.sync_all().and_then(|()| fs::rename(unfinished(&path), &path));
        renamed.map_err(|error| Failure::file(&path, "written", &error))?;
        Ok(path)
    }
}
