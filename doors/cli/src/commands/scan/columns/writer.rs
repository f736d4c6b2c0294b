//! A part of the result: one Parquet or Arrow IPC file.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use arrow_ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use tagwise_columns::arrow_array::RecordBatch;
use tagwise_columns::arrow_schema::SchemaRef;

use super::malformed;
use crate::shared::output::Failure;

/// The format of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    Parquet,
    Arrow,
}

impl Format {
    pub(super) const fn extension(self) -> &'static str {
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

/// A part that is being written under a temporary name.
pub(super) struct Part {
    writer: Writer,
    path: PathBuf,
    rows: usize,
    malformed: usize,
    /// The fingerprints of the rows, if each is written once.
    pub(super) prints: Vec<[u8; 32]>,
}

/// Returns the temporary name of a part.
fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("_{name}.unfinished"))
}

impl Part {
    /// Creates a part. `memory` limits the size of a row group.
    pub(super) fn create(format: Format, path: PathBuf, schema: &SchemaRef, memory: usize) -> Result<Self, Failure> {
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

    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        let written = match &mut self.writer {
            Writer::Parquet(writer) => writer.write(batch).map_err(|error| error.to_string()),
            Writer::Arrow(writer) => writer.write(batch).map_err(|error| error.to_string()),
        };
        written.map_err(|error| self.failed(error))?;
        self.rows += batch.num_rows();
        self.malformed += malformed(batch);
        Ok(())
    }

    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    pub(super) const fn malformed(&self) -> usize {
        self.malformed
    }

    fn failed(&self, error: String) -> Failure {
        Failure::file(&self.path, "written", &io::Error::other(error))
    }

    /// Ends the file, writes it to the disk, and gives it its name.
    pub(super) fn finish(self) -> Result<PathBuf, Failure> {
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
