//! `tagwise query`: tables, functions, forms of output, limits and errors.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;

use common::{query, query_in, samples};
use serde_json::{Value, json};

const ALL: [&str; 3] = ["leaf.pem", "root.pem", "negative.pem"];

/// Runs a query and returns its rows.
fn rows(sql: &str, args: &[&str]) -> Vec<Value> {
    let run = query(&[&[sql, "--ndjson"], args].concat());
    assert!(matches!(run.code, Some(0 | 1)), "{sql}: {:?} {}", run.code, run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn rows_keep_their_place_and_have_their_error() {
    let sql = "SELECT file, subject, error['kind'] AS kind, error['offset'] AS offset FROM certificates";
    let run = query(&[&[sql, "--json"], &ALL[..]].concat());
    // As in `scan`, a malformed row is a negative answer.
    assert_eq!(run.code, Some(1), "{}", run.err);
    let rows: Vec<Value> = serde_json::from_str(&run.out).unwrap();
    let files: Vec<&str> = rows.iter().map(|row| row["file"].as_str().unwrap()).collect();
    assert_eq!(files, ALL);
    assert!(rows[0]["subject"].is_string() && rows[0]["kind"].is_null());
    assert_eq!((&rows[2]["subject"], &rows[2]["kind"]), (&Value::Null, &json!("negative-serial")));
    assert!(rows[2]["offset"].as_i64().unwrap() > 0);
    // The rule can be allowed, and the other columns of the row can be kept.
    let allowed = query(&[&[sql, "--allow", "negative-serial", "--json"], &ALL[..]].concat());
    assert_eq!(allowed.code, Some(0), "{}", allowed.err);
    let rows: Vec<Value> = serde_json::from_str(&allowed.out).unwrap();
    assert!(rows[2]["subject"].is_string() && rows[2]["kind"].is_null());
    let partial = query(&[sql, "--partial", "--json", "negative.pem"]);
    let rows: Vec<Value> = serde_json::from_str(&partial.out).unwrap();
    assert!(rows[0]["subject"].is_string() && rows[0]["kind"] == "negative-serial", "{}", partial.out);
}

#[test]
fn only_the_named_columns_are_decoded() {
    // The plan shows the columns that the table computes.
    let run = query(&["EXPLAIN SELECT count(*) FROM certificates WHERE is_ca", "--ndjson", "leaf.pem"]);
    let plan = run.out.replace("\\n", " ");
    assert!(plan.contains("projection=[is_ca]"), "{plan}");
    assert_eq!(rows("SELECT count(*) AS n FROM certificates", &ALL), [json!({"n": 3})]);
    let names = rows("SELECT column_name FROM information_schema.columns WHERE table_name = 'certificates'", &ALL);
    let names: Vec<&str> = names.iter().map(|row| row["column_name"].as_str().unwrap()).collect();
    assert_eq!(names[..5], ["file", "entry", "offset", "line", "version"]);
    assert_eq!(names[names.len() - 2..], ["der", "error"]);
}

#[test]
fn each_kind_of_value_is_a_table() {
    let crl = rows("SELECT entry_count, (SELECT count(*) FROM crl_entries) AS entries FROM crls", &["list.pem"]);
    assert_eq!(crl.len(), 1);
    assert_eq!(crl[0]["entry_count"], crl[0]["entries"]);
    let entries = rows("SELECT serial, revoked_at, reason, issuer FROM crl_entries", &["list.pem"]);
    assert_eq!(json!(entries.len()), crl[0]["entry_count"]);
    assert!(entries.iter().all(|row| row["serial"].is_string() && row["revoked_at"].is_string()));
    // A message of a kind is not a row of another, and a named file without rows is a negative answer.
    for table in ["requests", "ocsp", "cms"] {
        let run = query(&[&format!("SELECT count(*) AS n FROM {table}"), "--ndjson", "leaf.pem"]);
        assert_eq!((run.code, &*run.out), (Some(1), "{\"n\":0}\n"), "{table}");
        assert!(run.err.contains("leaf.pem: no "), "{}", run.err);
    }
    let pyca = tagwise_testing::corpus("pyca").map(|pyca| (pyca.join("x509/requests"), pyca.join("x509/ocsp")));
    let Some((requests, ocsp)) = pyca else { return };
    let found = rows("SELECT subject, error FROM requests WHERE error IS NULL", &[requests.to_str().unwrap()]);
    assert!(found.len() > 10, "{}", found.len());
    let found = rows("SELECT response_status FROM ocsp WHERE error IS NULL", &[ocsp.to_str().unwrap()]);
    assert!(found.iter().any(|row| row["response_status"] == "successful"), "{found:?}");
}

#[test]
fn table_functions_read_patterns() {
    let sql = "SELECT count(*) AS n FROM certificates('l*f.pem', 'root.pem') AS a JOIN certificates AS b ON a.sha256 = b.sha256";
    assert_eq!(rows(sql, &ALL), [json!({"n": 2})]);
    assert_eq!(rows("SELECT count(*) AS n FROM crls('list.pem')", &[]), [json!({"n": 1})]);
    for (sql, message) in [
        ("SELECT 1 FROM certificates('none*.pem')", "no file matches \"none*.pem\""),
        ("SELECT 1 FROM certificates(1)", "certificates: expected patterns of file names, such as '*.pem'"),
        ("SELECT 1 FROM certificates()", "certificates: no file, expected a pattern such as '*.pem'"),
        ("SELECT 1 FROM certificates", "no files were given"),
    ] {
        let run = query(&[sql]);
        assert_eq!(run.code, Some(2), "{sql}: {}", run.err);
        assert!(run.err.contains(message), "{sql}: {}", run.err);
    }
}

#[test]
fn a_query_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(samples().join("leaf.pem"), folder.path().join("leaf.pem")).unwrap();
    fs::write(folder.path().join("t.csv"), "a\n1\n").unwrap();
    for sql in [
        "COPY certificates TO 'out.parquet'",
        "COPY (SELECT 1) TO 'out.csv'",
        "CREATE TABLE x AS SELECT 1",
        "CREATE VIEW x AS SELECT 1",
        "CREATE EXTERNAL TABLE x STORED AS CSV LOCATION 't.csv'",
        "INSERT INTO t VALUES (2)",
        "DROP TABLE t",
        "SET datafusion.execution.batch_size = 1",
        "EXPLAIN COPY certificates TO 'out.parquet'",
        "EXPLAIN ANALYZE COPY certificates TO 'out.parquet'",
        "SELECT 1; COPY certificates TO 'out.parquet'",
    ] {
        let run = query_in(folder.path(), &[sql, "--table", "t=t.csv", "leaf.pem"], b"");
        assert_eq!(run.code, Some(2), "{sql}: {} {}", run.out, run.err);
    }
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["leaf.pem", "t.csv"]);
    assert_eq!(fs::read(folder.path().join("t.csv")).unwrap(), b"a\n1\n");
}

#[test]
fn other_files_are_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("t.csv"), "file,owner\nleaf.pem,Ann\nroot.pem,Bob\n").unwrap();
    fs::write(path("t.ndjson"), "{\"owner\":\"Ann\",\"n\":1}\n{\"owner\":\"Bob\",\"n\":2}\n").unwrap();
    let (csv, lines) = (format!("owners={}", path("t.csv")), format!("Numbers={}", path("t.ndjson")));
    let sql = "SELECT owner, n FROM certificates JOIN owners USING (file) JOIN \"Numbers\" USING (owner) ORDER BY n";
    let both = rows(sql, &[&["--table", &csv, "--table", &lines], &ALL[..]].concat());
    assert_eq!(both, [json!({"owner": "Ann", "n": 1}), json!({"owner": "Bob", "n": 2})]);
    // A result in Parquet is a table again.
    let parquet = path("t.parquet");
    let sql = "SELECT file, not_after, san_dns FROM certificates";
    let run = query(&[&[sql, "--parquet", &parquet, "--allow", "negative-serial"], &ALL[..]].concat());
    assert_eq!((run.code, &*run.out), (Some(0), ""), "{}", run.err);
    let table = format!("t={parquet}");
    let again = rows("SELECT * FROM t", &["--table", &table]);
    assert_eq!(again, rows(sql, &[&["--allow", "negative-serial"], &ALL[..]].concat()));
    for (table, code, message) in [
        (format!("t={}", path("absent.csv")), 3, "absent.csv: cannot be read"),
        (format!("t={}", samples().join("leaf.pem").display()), 2, "unsupported file extension \"pem\""),
        (format!("certificates={}", path("t.csv")), 2, "duplicate table \"certificates\""),
        ("t".to_owned(), 2, "expected NAME=FILE"),
    ] {
        let run = query(&["SELECT 1", "--table", &table, "leaf.pem"]);
        assert_eq!(run.code, Some(code), "{}", run.err);
        assert!(run.err.contains(message), "{}", run.err);
    }
}

#[test]
fn each_form_of_output_has_the_same_rows() {
    let sql =
        "SELECT file, '=1+1' AS text, line - 10 AS below, version IS NULL AS absent FROM certificates ORDER BY file";
    let run = |form: &[&str]| query(&[&[sql], form, &["--allow", "negative-serial"], &ALL[..]].concat());
    assert_eq!(
        run(&[]).out,
        "file          text  below  absent\n\
         leaf.pem      =1+1     -7  false\n\
         negative.pem  =1+1     -7  false\n\
         root.pem      =1+1     -7  false\n"
    );
    // As in `scan`, text that a spreadsheet would read as a formula has an apostrophe. Numbers have none.
    assert_eq!(
        run(&["--csv"]).out,
        "file,text,below,absent\nleaf.pem,'=1+1,-7,false\nnegative.pem,'=1+1,-7,false\nroot.pem,'=1+1,-7,false\n"
    );
    let lines = run(&["--ndjson"]).out;
    assert_eq!(lines.lines().next().unwrap(), r#"{"file":"leaf.pem","text":"=1+1","below":-7,"absent":false}"#);
    let array: Vec<Value> = serde_json::from_str(&run(&["--json"]).out).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(array, lines);
    for form in ["--json", "--ndjson"] {
        let run = query(&["SELECT file AS a, subject AS a FROM certificates", form, "leaf.pem"]);
        assert_eq!(run.code, Some(2), "{}", run.out);
    }
}

#[test]
fn plots_are_drawn_in_the_terminal_and_in_pages() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let sql = "SELECT '<' || file AS f, length(file) AS n FROM certificates ORDER BY n, f";
    let args = [sql, "--plot", "bar", "--html", page.to_str().unwrap(), "leaf.pem", "root.pem"];
    let run = query(&args);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let bar = "█".repeat(60);
    assert_eq!(run.out, format!("<leaf.pem  {bar} 8\n<root.pem  {bar} 8\n"));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<svg ") && page.contains("<td>&lt;leaf.pem</td><td class=\"number\">8</td>"), "{page}");
    assert!(page.contains("&#39;&lt;&#39; || file") && !page.contains("<leaf"), "{page}");
    let run = query(&[sql, "--plot", "line", "leaf.pem", "root.pem"]);
    assert!(run.out.starts_with("n\n8 ┤"), "{}", run.out);
    // A plot needs a column of numbers.
    let run = query(&["SELECT file FROM certificates", "--plot", "bar", "leaf.pem"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("--plot: expected a first column of labels, then a column of numbers"), "{}", run.err);
}

#[test]
fn a_page_never_replaces_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let key = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n-----END PRIVATE KEY-----\n";
    for option in ["--html", "--parquet"] {
        let path = folder.path().join("key.pem");
        fs::write(&path, key).unwrap();
        let run = query(&["SELECT file FROM certificates", option, path.to_str().unwrap(), "leaf.pem"]);
        assert_eq!(run.code, Some(3), "{}", run.err);
        assert_eq!(fs::read_to_string(&path).unwrap(), key);
    }
}

#[test]
fn exit_codes_are_those_of_the_command() {
    for (args, code, message) in [
        (&["SELECT file FROM certificates", "root.pem"][..], 0, ""),
        // No row.
        (&["SELECT file FROM certificates WHERE file = 'x'", "root.pem"], 1, ""),
        (&["SELECT nothing FROM certificates", "root.pem"], 2, "No field named nothing"),
        (&["SELEC", "root.pem"], 2, "query: "),
        (&["SELECT file FROM certificates", "absent.pem", "root.pem"], 3, "absent.pem: cannot be read"),
        (
            &["SELECT file FROM certificates", "catalog.asn1"],
            1,
            "catalog.asn1: no certificate or CRL found in this text",
        ),
        (&["SELECT 1 / (offset - offset) FROM certificates", "root.pem"], 1, "Divide by zero"),
    ] {
        let run = query(args);
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.err);
        assert!(run.err.contains(message), "{args:?}: {}", run.err);
    }
}

#[test]
fn standard_input_is_read_once() {
    let leaf = fs::read(samples().join("leaf.pem")).unwrap();
    let run = query_in(&samples(), &["SELECT file FROM certificates", "--csv", "-"], &leaf);
    assert_eq!((run.code, &*run.out), (Some(0), "file\nstandard input\n"), "{}", run.err);
    let run = query_in(&samples(), &["SELECT 1 FROM certificates a CROSS JOIN certificates b", "-"], &leaf);
    assert_eq!(run.code, Some(2), "{}", run.out);
    assert!(run.err.contains("a query can read standard input only once; save it to a file"), "{}", run.err);
}

#[test]
fn an_error_is_reported_once_however_often_a_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cut.gz"), b"\x1F\x8B\x08\x00").unwrap();
    let sql = "SELECT count(*) FROM certificates a CROSS JOIN crls b";
    let run = query_in(folder.path(), &[sql, "cut.gz"], b"");
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert_eq!(run.err.matches("cut.gz").count(), 1, "{}", run.err);
}

#[test]
fn memory_is_limited() {
    let folder = tempfile::tempdir().unwrap();
    let leaf = fs::read(samples().join("leaf.pem")).unwrap();
    fs::write(folder.path().join("many.pem"), leaf.repeat(3000)).unwrap();
    // The hash table of a join cannot be on the disk, and contains 3000 certificates.
    let sql = "SELECT count(*) FROM certificates a JOIN certificates b ON a.line = b.line AND a.der = b.der";
    let run = query_in(folder.path(), &[sql, "--memory", "1", "many.pem"], b"");
    assert_eq!(run.code, Some(4), "{} {}", run.out, run.err);
    assert!(run.err.contains("the query needs more memory than --memory permits"), "{}", run.err);
    let run = query_in(folder.path(), &[sql, "--csv", "many.pem"], b"");
    assert_eq!((run.code, run.out.lines().last()), (Some(0), Some("3000")), "{}", run.err);
    // A limit of rows ends reading.
    let run = query_in(folder.path(), &["SELECT line FROM certificates LIMIT 2", "--csv", "many.pem"], b"");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines = leaf.iter().filter(|octet| **octet == b'\n').count();
    assert_eq!(run.out, format!("line\n3\n{}\n", 3 + lines));
}
