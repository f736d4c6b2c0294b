//! Results in tables beside those of the CAs.

use std::path::Path;

use rusqlite::{Connection, params};

use crate::Failure;
use crate::report::Report;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS pipeline_run (
    id INTEGER PRIMARY KEY, started INTEGER NOT NULL, algorithm TEXT NOT NULL, subscriber TEXT NOT NULL,
    backend TEXT NOT NULL, version TEXT NOT NULL, jobs INTEGER NOT NULL, reuse_keys INTEGER NOT NULL, not_offered TEXT) STRICT;
CREATE TABLE IF NOT EXISTS pipeline_stage (
    run INTEGER NOT NULL REFERENCES pipeline_run (id), batch INTEGER NOT NULL, stage TEXT NOT NULL, rounds INTEGER NOT NULL,
    items INTEGER NOT NULL, ms REAL NOT NULL, floor_ms REAL, by_floor REAL, by_floor_cpu REAL,
    synta_ms REAL, by_synta REAL, by_synta_cpu REAL,
    PRIMARY KEY (run, batch, stage)) STRICT;
CREATE TABLE IF NOT EXISTS pipeline_scaling (
    run INTEGER NOT NULL REFERENCES pipeline_run (id), stage TEXT NOT NULL, rounds INTEGER NOT NULL, own REAL NOT NULL,
    raw REAL NOT NULL, of_raw REAL NOT NULL, PRIMARY KEY (run, stage)) STRICT;
";

/// Adds a report to a database, all of it or nothing.
pub(crate) fn keep(path: &Path, report: &Report) -> Result<(), Failure> {
    let mut connection = Connection::open(path)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    for run in &report.runs {
        transaction.execute(
            "INSERT INTO pipeline_run (started, algorithm, subscriber, backend, version, jobs, reuse_keys, not_offered) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                report.started,
                run.algorithm,
                run.subscriber,
                run.backend,
                run.version,
                i64::try_from(report.jobs)?,
                report.reuse_keys,
                run.not_offered
            ],
        )?;
        let id = transaction.last_insert_rowid();
        for batch in &run.batches {
            for line in &batch.stages {
                transaction.execute(
                    "INSERT INTO pipeline_stage VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
                    params![
                        id,
                        i64::try_from(batch.batch)?,
                        line.stage,
                        i64::try_from(batch.rounds)?,
                        i64::try_from(line.items)?,
                        line.ms,
                        line.floor_ms,
                        line.by_floor,
                        line.by_floor_cpu,
                        line.synta_ms,
                        line.by_synta,
                        line.by_synta_cpu
                    ],
                )?;
            }
        }
        for line in &run.scaling {
            transaction.execute(
                "INSERT INTO pipeline_scaling VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    id,
                    line.stage,
                    i64::try_from(line.rounds)?,
                    line.own,
                    line.raw,
                    line.of_raw
                ],
            )?;
        }
    }
    transaction.commit()?;
    Ok(())
}
