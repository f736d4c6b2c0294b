//! `scan`, `tree` and `check`: what they find, how they say it, and that neither threads nor one bad file change that.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;
use std::time::Duration;

use common::{bounded, corpus, data, der, files, tagwise, tagwise_with};
use serde_json::Value;

/// The fixtures, one that is no certificate, and one that is cut off, in a folder with another below it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("below")).unwrap();
    fs::copy(data("root.pem"), folder.path().join("a-root.pem")).unwrap();
    fs::copy(data("leaf.pem"), folder.path().join("below/leaf.pem")).unwrap();
    fs::write(folder.path().join("cut.der"), &der("root.pem")[..100]).unwrap();
    fs::write(folder.path().join("README"), "words\n").unwrap();
    fs::copy(data("negative.pem"), folder.path().join("negative.pem")).unwrap();
    folder
}

fn path(folder: &Path) -> &str {
    folder.to_str().unwrap()
}

#[test]
fn a_table() {
    let folder = folder();
    let run = tagwise(&["scan", "--at", "2027-01-01", path(folder.path())]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("expires     key "), "{}", run.out);
    assert!(lines[1].contains("a-root.pem") && lines[1].contains(" ok "), "{}", run.out);
    assert!(lines[2].contains("leaf.pem"), "{}", run.out);
    assert!(lines[3].contains("deviates") && lines[3].contains("negative.pem"), "{}", run.out);
    assert!(lines[4].contains("negative-serial at byte "), "{}", run.out);
    assert_eq!(lines.len(), 5);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    assert!(run.err.contains("cut.der: not an element, or longer than the remaining input (truncated)"), "{}", run.err);

    let run = tagwise(&["scan", &data("root.pem"), &data("leaf.pem")]);
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    let run = tagwise(&["scan", "--allow", "negative-serial", &data("negative.pem")]);
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    assert!(run.out.contains("allowed"));
}

#[test]
fn errors_of_scan() {
    let folder = folder();
    let readme = folder.path().join("README");
    let run = tagwise(&["scan", path(&readme)]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("no certificate or CRL found in this text"), "{}", run.err);
    let run = tagwise(&["scan", "/no/such/file", &data("root.pem")]);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("/no/such/file: cannot be read") && run.out.contains("root.pem"));
    let run = tagwise(&["scan", "--filter", "key=rsa &", &data("root.pem")]);
    assert_eq!((run.code, &*run.out), (Some(2), ""));
    assert_eq!(run.err, "tagwise: --filter, at character 10: missing comparison, such as key=rsa\n");
    let run = tagwise(&["scan", "--filter", "cn=nobody", &data("root.pem")]);
    assert_eq!((run.code, &*run.out, &*run.err), (Some(1), "", "tagwise: nothing matches the filter\n"));
    assert_eq!(tagwise(&["scan"]).code, Some(2));
    assert_eq!(tagwise(&["scan", "--csv", "--ndjson", "x"]).code, Some(2));
    assert_eq!(tagwise(&["scan", "--jobs", "0", "x"]).code, Some(2));
}

#[test]
fn lines_for_programs() {
    let run = tagwise(&["scan", "--ndjson", "--at", "2027-01-01", &data("negative.pem"), &data("list.pem")]);
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["schema"], "tagwise.scan/1");
    assert_eq!(lines[1]["kind"], "certificate");
    assert_eq!(lines[1]["state"], "deviates");
    assert_eq!(lines[1]["deviations"][0]["rule"], "negative-serial");
    assert_eq!(lines[1]["error"]["code"], "negative-serial");
    assert_eq!(lines[1]["line"], 3);
    assert_eq!(lines[1]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(lines[2]["kind"], "crl");
    assert_eq!(lines.len(), 3);

    let run = tagwise(&["scan", "--csv", &data("bundle.pem")]);
    let mut reader = csv::Reader::from_reader(run.out.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    assert!(!rows.is_empty());
    for row in &rows {
        assert_eq!(row.len(), headers.len());
        assert!(["certificate", "crl"].contains(&&row[column("kind")]));
        assert!(row[column("sha256")].len() == 64 && !row[column("line")].is_empty());
    }
}

#[test]
fn hostile_names_are_visible() {
    for mode in [&["scan"][..], &["scan", "--csv"], &["scan", "--ndjson"], &["tree"], &["check", "--at", "2060-01-01"]]
    {
        let mut args = mode.to_vec();
        let file = data("hostile.pem");
        args.push(&file);
        let run = tagwise(&args);
        let odd = |char: char| (char.is_control() && char != '\n') || ('\u{202A}'..='\u{202E}').contains(&char);
        assert!(!run.out.contains(odd) && !run.err.contains(odd), "{args:?}");
    }
}

#[test]
fn a_summary() {
    let folder = folder();
    let run = tagwise(&["scan", "--json", "--at", "2027-01-01", path(folder.path())]);
    let summary: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(summary["schema"], "tagwise.scan-summary/1");
    assert_eq!((&summary["certificates"], &summary["distinct"]), (&Value::from(3), &Value::from(3)));
    assert_eq!(summary["states"]["deviates"], 1);
    assert_eq!(summary["deviations"]["negative-serial"], 1);
    assert_eq!(summary["failures"], 1);
    let problems = summary["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 2);
    assert!(problems[0]["place"].as_str().unwrap().ends_with("cut.der"));
    assert_eq!(problems[1]["code"], "negative-serial");
    let text = tagwise(&["scan", "--summary", "--at", "2027-01-01", path(folder.path())]);
    assert_eq!(text.code, Some(1));
    for part in
        ["3 certificates in 5 files", "\ncheck\n", "\nkey\n", "\nsignature\n", "\ndeviates from\n", "2 problems"]
    {
        assert!(text.out.contains(part), "{part}: {}", text.out);
    }
}

#[test]
fn threads_change_nothing() {
    let Some(set) = corpus("ccadb") else { return };
    let certificates = set.join("certs.der");
    let pyca = corpus("pyca").unwrap();
    for mode in ["--csv", "--ndjson", "--summary", "--json"] {
        let run = |jobs: &str| {
            tagwise(&["scan", mode, "--at", "2026-03-01", "--jobs", jobs, path(&certificates), path(&pyca)])
        };
        let one = run("1");
        assert_eq!(one.code, Some(1));
        for jobs in ["2", "7"] {
            let other = run(jobs);
            assert!(one.out == other.out && one.err == other.err && one.code == other.code, "{mode} {jobs}");
        }
    }
}

#[test]
fn filters_count_what_they_say() {
    let Some(set) = corpus("ccadb") else { return };
    let certificates = set.join("certs.der");
    let count = |filter: &str| {
        let run = tagwise(&["scan", "--json", "--at", "2026-03-01", "--filter", filter, path(&certificates)]);
        let summary: Value = serde_json::from_str(&run.out).unwrap();
        summary["certificates"].as_u64().unwrap()
    };
    let all = count("size>0");
    assert_eq!(all, 9898);
    for filter in ["key=rsa", "bits<2048", "ca", "strict", "subject~amazon", "expires<2030", "days>3650 | key=ec & !ca"]
    {
        let some = count(filter);
        assert!(some > 0 && some < all, "{filter}: {some}");
        assert_eq!(some + count(&format!("!({filter})")), all, "{filter}");
    }
    assert_eq!(count("valid") + count("status=expired") + count("status=not-yet-valid"), all);
    assert_eq!(count("subject~amazon & key=rsa") + count("subject~amazon & key!=rsa"), count("subject~AMAZON"));
}

#[test]
fn the_hierarchy() {
    let run = tagwise(&["tree", "--at", "2027-01-01", &data("leaf.pem"), &data("root.pem")]);
    assert_eq!((run.code, &*run.err), (Some(0), ""));
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(!lines[0].starts_with(' ') && lines[1].starts_with("  "), "{}", run.out);
    assert!(run.out.ends_with("maximum depth 1\n"), "{}", run.out);
    let run = tagwise(&["tree", "--json", &data("leaf.pem"), &data("root.pem")]);
    let tree: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&tree["schema"], &tree["roots"]), (&Value::from("tagwise.tree/1"), &Value::from(1)));
    let list = tree["certificates"].as_array().unwrap();
    assert_eq!(list[0]["role"], "root");
    assert_eq!(list[1]["parent"], list[0]["sha256"]);
    assert_eq!(list[1]["depth"], 1);
    // Without its root it is an orphan.
    let run = tagwise(&["tree", &data("leaf.pem")]);
    assert!(run.out.contains("orphan"), "{}", run.out);
    // What a CA issues to servers has no basic constraints; `tree` and `scan` say the same of it.
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (db, root, server, key) = (file("ca.db"), file("root.pem"), file("server.pem"), file("server.key"));
    let run = tagwise(&["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "-o", &root]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let issue = ["ca", "issue", "--db", &db, "--new-key", "ed25519", "--key-out", &key, "--key-no-passphrase"];
    let run = tagwise(&[&issue[..], &["--dns", "www.example.org", "-o", &server]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = tagwise(&["tree", &root, &server]);
    assert!(run.out.contains("  end entity") && run.out.contains("\n1 root, 1 end entity; "), "{}", run.out);
    for (file, authority, role) in [(&root, true, "root"), (&server, false, "end-entity")] {
        let run = tagwise(&["scan", "--ndjson", file]);
        let scanned: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let certificate = scanned.iter().find(|line| line["kind"] == "certificate").unwrap();
        assert_eq!(certificate["ca"], authority, "{}", run.out);
        let tree: Value = serde_json::from_str(&tagwise(&["tree", "--json", &root, &server]).out).unwrap();
        let list = tree["certificates"].as_array().unwrap();
        assert!(list.iter().any(|node| node["sha256"] == certificate["sha256"] && node["role"] == role), "{tree}");
    }
    let Some(set) = corpus("mozilla-roots") else { return };
    let run = tagwise(&["tree", "--at", "2026-01-01", path(&set.join("certdata-2025-10-23.txt"))]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains(" roots"), "{}", run.out.lines().last().unwrap());
}

#[test]
fn certificates_that_expire() {
    let root = data("root.pem");
    let document = |args: &[&str]| {
        let mut all = vec!["check", "--json"];
        all.extend(args);
        all.push(&root);
        let run = tagwise(&all);
        (run.code, serde_json::from_str::<Value>(&run.out).unwrap())
    };
    let (code, all) = document(&["--at", "2027-01-01"]);
    assert_eq!((code, &all["schema"], &all["checked"]), (Some(0), &Value::from("tagwise.check/1"), &Value::from(1)));
    assert_eq!(all["certificates"].as_array().unwrap().len(), 0);
    let show = tagwise(&["show", "--json", &root]);
    let show: Value = serde_json::from_str(&show.out).unwrap();
    let end = show["files"][0]["items"][0]["certificate"]["validity"]["not_after"]["iso"].as_str().unwrap().to_owned();
    let (code, soon) = document(&["--at", &end]);
    assert_eq!((code, &soon["expired"]), (Some(0), &Value::from(0)));
    let (code, soon) = document(&["--at", &end, "--expires-within", "30d"]);
    assert_eq!((code, &soon["expires_soon"]), (Some(1), &Value::from(1)));
    assert_eq!(soon["certificates"][0]["status"], "expires-soon");
    let (code, late) = document(&["--at", "2200-01-01"]);
    assert_eq!((code, &late["expired"]), (Some(1), &Value::from(1)));
    let (code, early) = document(&["--at", "1990-01-01"]);
    assert_eq!((code, &early["not_yet_valid"]), (Some(1), &Value::from(1)));
    let run = tagwise(&["check", "--at", "2027-01-01", "--expires-within", "30d", &root]);
    assert_eq!((run.code, &*run.out), (Some(0), "all 1 valid at least until 2027-01-31T00:00:00Z\n"));
    let run = tagwise(&["check", "--at", "2200-01-01", &root]);
    assert!(run.out.starts_with("expired ") && run.out.ends_with("1 expired, of 1\n"), "{}", run.out);
    assert_eq!(tagwise(&["check", "--expires-within", "soon", &root]).code, Some(2));
    assert_eq!(tagwise_with(&["check", "-"], b"").code, Some(1));
}

/// Whatever there is: no panic, an answer, in time.
#[test]
fn everything_at_hand() {
    for set in ["pyca", "asn1crypto", "rustcrypto-formats", "x509-limbo", "pkits", "fuzz", "lamps-pqc", "kerberos"] {
        let Some(folder) = corpus(set) else { continue };
        assert!(!files(&folder).is_empty());
        for mode in [&["scan", "--ndjson"][..], &["scan", "--summary"], &["tree"], &["check", "--json"]] {
            let mut args = mode.to_vec();
            args.push(path(&folder));
            let run = bounded(set, Duration::from_secs(120), || tagwise(&args));
            assert!(matches!(run.code, Some(0 | 1)), "{set} {mode:?} {:?}: {}", run.code, run.err);
        }
    }
}

/// The bar is drawn by a thread of its own while results are made: on a terminal too, everything ends. `script` makes one.
#[cfg(target_os = "linux")]
#[test]
fn progress_on_a_terminal() {
    use std::process::{Command, Stdio};
    let Some(set) = corpus("ccadb") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (out, file) = (folder.path().join("out"), set.join("certs.der"));
    let line = format!(
        "timeout 300 '{}' scan --csv --jobs 1 '{}' '{}' > '{}'",
        env!("CARGO_BIN_EXE_tagwise"),
        path(&file),
        path(&file),
        path(&out)
    );
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).stdin(Stdio::null());
    let Ok(run) = script.output() else {
        tagwise_testing::skip("no command `script`");
        return;
    };
    assert_eq!(run.status.code(), Some(1));
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 2 * 9898 + 1);
}

/// Cells that a spreadsheet would take for formulas have an apostrophe in front; numbers are unchanged.
#[test]
fn cells_are_no_formulas() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let names = ["=cmd|' -C calc'!A1.pem", "+1.pem", "-1.pem", "@x.pem", "\tx.pem", "\rx.pem", "'x.pem", "x=1.pem"];
    let pem = fs::read(data("root.pem")).unwrap();
    let mut archive = zip::ZipWriter::new(fs::File::create(folder.path().join("all.zip")).unwrap());
    for name in names {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(&pem).unwrap();
        fs::write(folder.path().join(name), &pem).unwrap();
    }
    archive.finish().unwrap();
    // The command is run where the files are, so that their names stand first in a cell.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tagwise"));
    command.current_dir(folder.path()).args(["scan", "--csv", "all.zip", "--"]).args(names);
    let run = common::run_of(&command.output().unwrap());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let mut reader = csv::Reader::from_reader(run.out.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2 * names.len());
    for row in &rows {
        for cell in row {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell}");
        }
        assert!(row[2].parse::<u64>().is_ok() && row[6].parse::<u64>().is_ok());
    }
    let seen = [
        "'=cmd|' -C calc'!A1.pem",
        "'+1.pem",
        "'-1.pem",
        "'@x.pem",
        r"\u{9}x.pem",
        r"\u{d}x.pem",
        "''x.pem",
        "x=1.pem",
    ];
    let files: Vec<&str> = rows[names.len()..].iter().map(|row| &row[0]).collect();
    let members: Vec<&str> = rows[..names.len()].iter().map(|row| &row[1]).collect();
    assert_eq!((files, members), (seen.to_vec(), seen.to_vec()));
}

/// The size of an RSA key is that of its modulus under every identifier; one that is not known is neither small nor large.
#[test]
fn sizes_of_keys() {
    if !common::openssl::has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let make = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key", "-subj", "/CN=x", "-outform", "DER"];
    common::openssl::openssl(folder.path(), &[&make[..], &["-out", "rsa"]].concat());
    let rsa = std::fs::read(folder.path().join("rsa")).unwrap();
    let replaced = |wanted: &[u8], by: &[u8]| {
        let at = rsa.windows(wanted.len()).position(|window| window == wanted).unwrap();
        [&rsa[..at], by, &rsa[at + wanted.len()..]].concat()
    };
    // rsaEncryption; id-RSASSA-PSS, id-RSAES-OAEP; a SET in the place of RSAPublicKey; an algorithm of nobody.
    const RSA: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1, 5, 0];
    for (name, input, bits) in [
        ("pss", replaced(RSA, &[&RSA[..8], &[10, 5, 0]].concat()), Some(2048)),
        ("oaep", replaced(RSA, &[&RSA[..8], &[7, 5, 0]].concat()), Some(2048)),
        ("set", replaced(&[0, 0x30, 0x82, 1, 0x0A, 2, 0x82], &[0, 0x31, 0x82, 1, 0x0A, 2, 0x82]), None),
        ("unknown", replaced(RSA, &[&RSA[..8], &[99, 5, 0]].concat()), None),
        ("rsa", rsa.clone(), Some(2048)),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, input).unwrap();
        let run = tagwise(&["scan", "--ndjson", path(&file)]);
        let row: serde_json::Value = serde_json::from_str(run.out.lines().nth(1).unwrap()).unwrap();
        assert_eq!(row["key"]["bits"].as_u64(), bits, "{name}");
        let csv = tagwise(&["scan", "--csv", path(&file)]).out;
        let cell = csv.lines().nth(1).unwrap().split(',').nth(16).unwrap().to_owned();
        assert_eq!(cell, bits.map(|bits| bits.to_string()).unwrap_or_default(), "{name}");
        for (filter, passes) in
            [("bits<2048", false), ("bits>=2048", bits.is_some()), ("bits!=2048", false), ("bits=2048", bits.is_some())]
        {
            let run = tagwise(&["scan", "--ndjson", "--filter", filter, path(&file)]);
            assert_eq!(run.out.lines().count(), 1 + usize::from(passes), "{name}: {filter}");
        }
        let shown: serde_json::Value = serde_json::from_str(&tagwise(&["show", "--json", path(&file)]).out).unwrap();
        let key = &shown["files"][0]["items"][0]["certificate"]["public_key"];
        assert_eq!(key["bits"].as_u64(), bits, "{name}: {key}");
    }
}
