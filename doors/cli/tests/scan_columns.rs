//! `scan --parquet` and `--arrow`: columns in files, which an interrupted command continues without loss or repetition.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]
#![cfg(feature = "columns")]

mod common;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{data, der, tagwise};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tagwise_columns::arrow_array::cast::AsArray;
use tagwise_columns::arrow_array::types::Int64Type;
use tagwise_columns::arrow_array::{Array, RecordBatch};
use tagwise_testing::archives::{mtc_entries, mtc_entry};

/// Returns the names of the parts of a result.
fn parts(folder: &Path, extension: &str) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(extension)).collect();
    names.sort();
    names
}

fn parquet_batches(folder: &Path) -> Vec<RecordBatch> {
    let read = |name: &String| {
        let file = File::open(folder.join(name)).unwrap();
        ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap().map(Result::unwrap).collect::<Vec<_>>()
    };
    parts(folder, ".parquet").iter().flat_map(read).collect()
}

/// Returns the offsets of all rows, in order.
fn offsets(folder: &Path) -> Vec<i64> {
    let offsets =
        |batch: &RecordBatch| batch.column_by_name("offset").unwrap().as_primitive::<Int64Type>().values().to_vec();
    parquet_batches(folder).iter().flat_map(offsets).collect()
}

fn texts(batches: &[RecordBatch], name: &str) -> Vec<Option<String>> {
    let texts = |batch: &RecordBatch| {
        let column = batch.column_by_name(name).unwrap().as_string::<i32>().clone();
        column.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
    };
    batches.iter().flat_map(texts).collect()
}

/// A file with so many certificates, and their offsets.
fn many(path: &Path, count: usize) -> Vec<i64> {
    let (root, leaf) = (der("root.pem"), der("leaf.pem"));
    let values: Vec<&[u8]> = (0..count).map(|index| if index % 3 == 0 { &*root } else { &*leaf }).collect();
    fs::write(path, values.concat()).unwrap();
    let mut end = 0;
    let place = |value: &&[u8]| {
        let start = end;
        end += value.len() as i64;
        start
    };
    values.iter().map(place).collect()
}

#[test]
fn certificates_become_rows() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let (leaf, negative, list) = (data("leaf.pem"), data("negative.pem"), data("list.pem"));
    let to = out.to_str().unwrap();
    let run = tagwise(&["scan", "--parquet", to, &leaf, &negative, &list]);
    assert_eq!((run.code, &*run.out), (Some(1), ""), "{}", run.err);
    assert_eq!(run.err, "tagwise: wrote 2 rows in 1 file, 1 of them malformed\n");
    let batches = parquet_batches(&out);
    assert_eq!(texts(&batches, "file"), [Some(leaf.clone()), Some(negative.clone())]);
    let subject = tagwise(&["get", "subject", &leaf]);
    assert_eq!(texts(&batches, "subject"), [Some(subject.out.trim_end().to_owned()), None]);
    let error = batches[0].column_by_name("error").unwrap().as_struct();
    assert!(error.is_null(0) && error.is_valid(1));
    assert_eq!(error.column_by_name("kind").unwrap().as_string::<i32>().value(1), "negative-serial");
    assert!(batches[0].column_by_name("der").is_none());

    // The same command again has nothing to do; another one is refused.
    let again = tagwise(&["scan", "--parquet", to, &leaf, &negative, &list]);
    assert_eq!((again.code, &again.err), (run.code, &run.err));
    let other = tagwise(&["scan", "--parquet", to, &leaf]);
    assert_eq!(other.code, Some(2), "{}", other.err);
    assert!(other.err.contains("contains the result of another command"), "{}", other.err);
    let full = tagwise(&["scan", "--parquet", folder.path().to_str().unwrap(), &leaf]);
    assert_eq!(full.code, Some(2), "{}", full.err);

    let allowed = folder.path().join("allowed");
    let to = allowed.to_str().unwrap();
    let run =
        tagwise(&["scan", "--allow", "negative-serial", "--columns", "serial,sha256", "--parquet", to, &negative]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let batches = parquet_batches(&allowed);
    assert_eq!(batches[0].num_columns(), 4 + 2 + 1);
    assert!(texts(&batches, "serial")[0].as_ref().unwrap().starts_with('-'));
    let run = tagwise(&["scan", "--columns", "serial,subjct", "--parquet", "x", &leaf]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("--columns: unknown column \"subjct\", expected one of version, serial, "), "{}", run.err);
    let run = tagwise(&["scan", "--unique", &leaf]);
    assert_eq!(run.code, Some(2), "{}", run.out);
}

#[test]
fn crls_become_rows_in_arrow_files() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("out");
    let run =
        tagwise(&["scan", "--arrow", to.to_str().unwrap(), "--rows", "crls", &data("leaf.pem"), &data("list.pem")]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let file = File::open(to.join("part-00000.arrow")).unwrap();
    let batches: Vec<RecordBatch> =
        arrow_ipc::reader::FileReader::try_new(file, None).unwrap().map(Result::unwrap).collect();
    assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 1);
    assert!(batches[0].column_by_name("entries").unwrap().as_list::<i32>().value(0).len() > 1);
}

/// Readers of datasets need a file for the schema.
#[test]
fn no_rows_give_an_empty_file() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["parquet", "arrow"] {
        let to = folder.path().join(format);
        let option = format!("--{format}");
        let arguments = ["scan", &option, to.to_str().unwrap(), "--columns", "subject", &data("list.pem")];
        let run = tagwise(&arguments);
        let words = "tagwise: wrote 0 rows in 1 file, 0 of them malformed\n";
        assert_eq!((run.code, &*run.err), (Some(1), words));
        assert_eq!(parts(&to, format), [format!("part-00000.{format}")]);
        let again = tagwise(&arguments);
        assert_eq!((again.code, &*again.err), (Some(1), words));
    }
    let file = File::open(folder.path().join("parquet/part-00000.parquet")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let names: Vec<String> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["file", "entry", "offset", "line", "subject", "error"]);
    assert_eq!(reader.build().unwrap().count(), 0);
}

/// A column of a table gives the same columns as the files from which it was made.
#[test]
fn columns_of_tables_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    many(&folder.path().join("in.der"), 2500);
    let (input, columns) = (path("in.der"), "subject,not_after,der");
    for format in ["parquet", "arrow"] {
        let option = format!("--{format}");
        let first = path(&format!("first-{format}"));
        let run = tagwise(&["scan", &option, &first, "--columns", columns, &input, &data("negative.pem")]);
        assert_eq!(run.code, Some(1), "{}", run.err);
        let table = format!("{first}/part-00000.{format}");
        let second = path(&format!("second-{format}"));
        let arguments =
            ["scan", "--parquet", &second, "--column", "der", "--columns", "subject", "--part-rows", "1000", &table];
        let run = tagwise(&arguments);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(run.err, "tagwise: wrote 2501 rows in 3 files, 0 of them malformed\n");
        let batches = parquet_batches(Path::new(&second));
        let subjects = texts(&batches, "subject");
        let leaf = tagwise(&["get", "subject", &data("leaf.pem")]).out;
        assert_eq!(subjects[1], Some(leaf.trim_end().to_owned()));
        assert_eq!(subjects.iter().filter(|subject| **subject == subjects[0]).count(), 2500usize.div_ceil(3));
        // The malformed certificate has no encoding in the first table, so it is null here.
        assert_eq!(subjects[2500], None);
        let rows: Vec<i64> = batches
            .iter()
            .flat_map(|batch| batch.column_by_name("row").unwrap().as_primitive::<Int64Type>().values().to_vec())
            .collect();
        assert_eq!(rows, (0..2501).collect::<Vec<i64>>());
        // After the first part, the same command continues.
        let manifest = Path::new(&second).join("_manifest.ndjson");
        let text = fs::read_to_string(&manifest).unwrap();
        fs::write(&manifest, text.lines().take(2).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        assert_eq!(tagwise(&arguments).err, run.err);
        assert_eq!(texts(&parquet_batches(Path::new(&second)), "subject"), subjects);
    }
}

#[test]
fn unreadable_tables_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = tagwise(&["scan", "--parquet", &path("a"), "--columns", "subject,der", &data("leaf.pem")]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let table = path("a/part-00000.parquet");
    let damaged = path("damaged.parquet");
    let mut octets = fs::read(&table).unwrap();
    octets.truncate(octets.len() - 9);
    fs::write(&damaged, octets).unwrap();
    for (column, input, code, words) in [
        ("drr", &*table, 1, "no column \"drr\", expected one of file, entry, offset, line, subject, der, error"),
        ("der", &data("leaf.pem"), 1, "not a table: expected a Parquet or Arrow IPC file for --column"),
        ("der", &damaged, 1, "malformed or unsupported table"),
        ("der", &path("missing"), 3, "cannot be read"),
    ] {
        let to = path(&format!("{column}{code}{}", words.len()));
        let run = tagwise(&["scan", "--parquet", &to, "--column", column, input]);
        assert_eq!(run.code, Some(code), "{}", run.err);
        assert!(run.err.contains(words), "{}", run.err);
        assert!(!Path::new(&to).exists());
    }
    let run = tagwise(&["scan", "--parquet", &path("b"), "--column", "offset", &table]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("Int64"), "{}", run.err);
}

#[test]
fn distinct_certificates_are_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let (input, to) = (folder.path().join("in.der"), folder.path().join("out"));
    many(&input, 100);
    let run =
        tagwise(&["scan", "--unique", "--part-rows", "1", "--parquet", to.to_str().unwrap(), input.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(offsets(&to).len(), 2);
    assert_eq!(parts(&to, ".parquet").len(), 2);
}

/// After each possible interruption between parts, the same command completes the result.
#[test]
fn an_interrupted_command_continues() {
    let folder = tempfile::tempdir().unwrap();
    let (input, whole) = (folder.path().join("in.der"), folder.path().join("whole"));
    let expected = many(&input, 35);
    let leaf = data("leaf.pem");
    for unique in [false, true] {
        let run = |to: &Path| {
            let mut arguments =
                vec!["scan", "--part-rows", "10", "--columns", "sha256", "--parquet", to.to_str().unwrap()];
            arguments.extend(unique.then_some("--unique"));
            tagwise(&[&arguments[..], &[input.to_str().unwrap(), &leaf]].concat())
        };
        let to = whole.with_extension(unique.to_string());
        assert_eq!(run(&to).code, Some(0));
        let rows = offsets(&to);
        assert_eq!(rows.len(), if unique { 2 } else { 36 });
        assert!(unique || rows[..35] == expected);
        let log = fs::read_to_string(to.join("_manifest.ndjson")).unwrap();
        let lines: Vec<&str> = log.split_inclusive('\n').collect();
        assert_eq!(lines.len(), if unique { 3 } else { 6 }, "{log}");
        for kept in 1..lines.len() {
            // Killed while the next line was being written: its part exists, and is written again.
            let text = format!("{}{}", lines[..kept].concat(), &lines[kept][..10]);
            fs::write(to.join("_manifest.ndjson"), text).unwrap();
            let again = run(&to);
            assert_eq!(again.code, Some(0), "{}", again.err);
            assert_eq!(offsets(&to), rows, "after {kept} lines");
        }
    }
    // Damage of a complete part is detected.
    let to = whole.with_extension("false");
    let again = || {
        let arguments = ["scan", "--part-rows", "10", "--columns", "sha256", "--parquet", to.to_str().unwrap()];
        tagwise(&[&arguments[..], &[input.to_str().unwrap(), &leaf]].concat())
    };
    let part = to.join("part-00001.parquet");
    let octets = fs::read(&part).unwrap();
    fs::write(&part, &octets[..octets.len() - 1]).unwrap();
    let cut = again();
    assert_eq!(cut.code, Some(3), "{}", cut.err);
    fs::remove_file(&part).unwrap();
    let missing = again();
    assert_eq!(missing.code, Some(3), "{}", missing.err);
    fs::write(&part, octets).unwrap();
    assert_eq!(again().code, Some(0));
    // Other contents under the same name are detected, whether the result is complete or not.
    let to = whole.with_extension("false");
    let log = fs::read_to_string(to.join("_manifest.ndjson")).unwrap();
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    many(&input, 36);
    for log in [lines.concat(), lines[..2].concat()] {
        fs::write(to.join("_manifest.ndjson"), log).unwrap();
        let arguments = ["scan", "--part-rows", "10", "--columns", "sha256", "--parquet", to.to_str().unwrap()];
        let changed = tagwise(&[&arguments[..], &[input.to_str().unwrap(), &leaf]].concat());
        assert_eq!(changed.code, Some(2), "{}", changed.err);
        assert!(changed.err.contains("the inputs have changed since"), "{}", changed.err);
    }
}

/// Errors in the inputs determine the exit code of the run that reports them, and of those that continue or repeat it.
#[test]
fn errors_before_an_interruption_keep_their_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = folder.path().join("in");
    fs::create_dir(&inputs).unwrap();
    fs::write(inputs.join("a.pem"), "-----BEGIN CERTIFICATE-----\n%%%%\n-----END CERTIFICATE-----\n").unwrap();
    many(&inputs.join("b.der"), 25);
    let missing = folder.path().join("missing");
    for (code, path) in [(1, &inputs), (3, &missing)] {
        let to = folder.path().join(format!("out-{code}"));
        let run = || {
            let arguments = ["scan", "--part-rows", "10", "--columns", "sha256", "--parquet", to.to_str().unwrap()];
            tagwise(&[&arguments[..], &[path.to_str().unwrap(), inputs.join("b.der").to_str().unwrap()]].concat())
        };
        let first = run();
        assert_eq!(first.code, Some(code), "{}", first.err);
        assert!(!first.err.contains("an earlier run"), "{}", first.err);
        let log = fs::read_to_string(to.join("_manifest.ndjson")).unwrap();
        let lines: Vec<&str> = log.split_inclusive('\n').collect();
        for kept in 2..=lines.len() {
            fs::write(to.join("_manifest.ndjson"), lines[..kept].concat()).unwrap();
            let again = run();
            assert_eq!(again.code, Some(code), "after {kept} lines: {}", again.err);
            assert!(again.err.contains("tagwise: an earlier run reported errors in its inputs"), "{}", again.err);
        }
    }
}

/// A log published as files, as `tagwise mtc checkpoint --publish` writes it.
#[test]
fn entries_of_logs_become_rows() {
    let folder = tempfile::tempdir().unwrap();
    let public = folder.path().join("public");
    let bundles = public.join("tile/entries");
    fs::create_dir_all(public.join("tile/0")).unwrap();
    fs::create_dir_all(&bundles).unwrap();
    let content = mtc_entry();
    let mut entries = vec![Some(&content[..]); 256];
    entries[0] = None;
    fs::write(bundles.join("000"), mtc_entries(&entries)).unwrap();
    fs::write(bundles.join("001"), mtc_entries(&entries[..3])).unwrap();
    // Other files of a log, which are not entries.
    fs::write(public.join("tile/0/000"), [0xAA; 32 * 256]).unwrap();
    fs::write(public.join("checkpoint"), "oid/1.3.6.1.4.1.32473.1.0.1\n259\nAAAA\n\n").unwrap();
    let (to, none) = (folder.path().join("out"), folder.path().join("none"));
    let run = |to: &Path, rows: &str| {
        let options = ["scan", "--rows", rows, "--parquet", to.to_str().unwrap(), public.to_str().unwrap()];
        tagwise(&options)
    };
    let entries = run(&to, "log-entries");
    assert_eq!(
        (entries.code, entries.err.as_str()),
        (Some(0), "tagwise: wrote 257 rows in 1 file, 0 of them malformed\n")
    );
    let batches = parquet_batches(&to);
    assert!(texts(&batches, "issuer").iter().all(|issuer| issuer.as_deref() == Some("CN=MTC1")));
    let offsets = offsets(&to);
    // The contents begin after the null entry, a length, no extensions and the type.
    assert_eq!((offsets.len(), &offsets[..2], offsets[255]), (257, &[12, 12 + 149][..], 12));
    // An entry is not a certificate.
    assert_eq!(run(&none, "certificates").err, "tagwise: wrote 0 rows in 1 file, 0 of them malformed\n");
    let table = tagwise(&["scan", "--at", "2026-02-01", bundles.join("001").to_str().unwrap()]);
    assert_eq!(table.code, Some(0), "{}", table.err);
    assert!(table.out.contains("2026-04-01  EC P-256") && table.out.contains("www.example.org"), "{}", table.out);
    let summary = tagwise(&["scan", "--summary", public.to_str().unwrap()]);
    assert!(summary.out.starts_with("0 certificates and 257 log entries in 4 files: 2 MTC entries"), "{}", summary.out);
    let check = tagwise(&["check", bundles.join("001").to_str().unwrap()]);
    assert!(check.code == Some(1) && check.err.ends_with("no certificate or CRL found\n"), "{}", check.err);
}

/// Killed by a signal at any point, a command leaves a result that the next one continues.
#[test]
fn a_killed_command_loses_and_repeats_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (input, to) = (folder.path().join("in.der"), folder.path().join("out"));
    let expected = many(&input, 20_000);
    let mut killed = 0;
    for attempt in 1..40u64 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.args(["scan", "--part-rows", "500", "--columns", "serial", "--parquet"]).arg(&to).arg(&input);
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(40 * attempt));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        killed += 1;
    }
    let end = tagwise(&[
        "scan",
        "--part-rows",
        "500",
        "--columns",
        "serial",
        "--parquet",
        to.to_str().unwrap(),
        input.to_str().unwrap(),
    ]);
    assert_eq!(end.code, Some(0), "{}", end.err);
    assert!(killed > 0);
    assert_eq!(offsets(&to), expected);
    assert_eq!(offsets(&to).into_iter().collect::<BTreeSet<_>>().len(), expected.len());
}
