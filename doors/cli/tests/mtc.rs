//! `tagwise mtc` as a user meets it, from the key to the audit, and each thing that goes wrong.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::{Run, tagwise};
use serde_json::Value;

/// Words with an ending of files are those of the folder.
fn words(folder: &Path, args: &[&str]) -> Vec<String> {
    let is_file = |arg: &str| {
        let end = Path::new(arg).extension().and_then(|end| end.to_str());
        end.is_some_and(|end| ["pem", "key", "pub", "db", "txt", "der"].contains(&end)) && !arg.contains('/')
    };
    args.iter()
        .map(|arg| if is_file(arg) { folder.join(arg).to_str().unwrap().to_owned() } else { (*arg).to_owned() })
        .collect()
}

fn run(folder: &Path, args: &[&str]) -> Run {
    let args = words(folder, args);
    tagwise(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A run that has to go well.
fn good(folder: &Path, args: &[&str]) -> Run {
    let run = run(folder, args);
    assert_eq!(run.code, Some(0), "{args:?}: {}{}", run.out, run.err);
    run
}

fn json(run: &Run) -> Value {
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(value["schema"], "tagwise.mtc/1");
    value
}

/// A folder with a CA, its log, and a server's public key.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let made = good(
        folder.path(),
        &[
            "mtc",
            "init",
            "--id",
            "32473.1",
            "--db",
            "mtc.db",
            "--new-key",
            "--key-out",
            "mtc.key",
            "--no-passphrase",
            "-o",
            "ca.pem",
        ],
    );
    assert!(made.err.contains("oid/1.3.6.1.4.1.32473.1.0.1, log 1 of 32473.1"), "{}", made.err);
    good(folder.path(), &["key", "new", "ecdsa-p256", "-o", "server.key", "--public", "server.pub", "--no-passphrase"]);
    folder
}

/// The options that name the log and its key.
const LOG: [&str; 4] = ["--db", "mtc.db", "--key", "mtc.key"];

fn issue(folder: &Path, args: &[&str]) -> Run {
    good(folder, &[&["mtc", "issue", "--public-key", "server.pub"], &LOG[..], args].concat())
}

#[test]
fn from_the_key_to_the_landmark() {
    let folder = folder();
    let at = folder.path();
    let run = issue(at, &["--dns", "www.example.org", "-o", "server.pem"]);
    assert!(run.err.contains("entry 0, checkpoint 1, signed by the CA and 0 cosigners"), "{}", run.err);
    let run = issue(at, &["--dns", "host{}.example.org", "--repeat", "20", "-o", "all.pem"]);
    assert!(run.err.contains("entries 1 to 20, checkpoint 21"), "{}", run.err);
    let run = good(at, &["mtc", "verify", "server.pem", "all.pem", "--ca", "ca.pem"]);
    assert_eq!(
        run.out.lines().filter(|line| line.contains(": accepted: the cosignatures satisfy the policy")).count(),
        21
    );
    // The rest of path validation.
    let run =
        good(at, &["verify", "server.pem", "--trust", "ca.pem", "--host", "www.example.org", "--profile", "rfc5280"]);
    assert!(run.out.contains("server.pem: valid"), "{}", run.out);
    let wrong = self::run(
        at,
        &["verify", "server.pem", "--trust", "ca.pem", "--host", "www.example.com", "--profile", "rfc5280"],
    );
    assert_eq!(wrong.code, Some(1), "{}", wrong.out);
    assert!(wrong.out.contains("peer-name"), "{}", wrong.out);

    // Without signatures, for those who know the landmark.
    let landmarks = good(at, &["mtc", "landmark", "--db", "mtc.db"]);
    assert!(landmarks.out.starts_with("1\n21 "), "{}", landmarks.out);
    assert!(landmarks.out.ends_with("\n0 0\n"));
    let again = json(&good(at, &["mtc", "landmark", "--db", "mtc.db", "--json"]));
    assert_eq!((&again["allocated"], &again["landmarks"][0]["size"]), (&Value::Null, &Value::from(21)));
    good(at, &["mtc", "prove", "7", "--db", "mtc.db", "--landmark", "-o", "small.pem"]);
    let trusted = good(at, &["mtc", "landmark", "--list", "--trusted", "--db", "mtc.db"]);
    fs::write(at.join("policy.txt"), &trusted.out).unwrap();
    let refused = self::run(at, &["mtc", "verify", "small.pem", "--ca", "ca.pem"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.out.contains("refused: no valid signature of the CA (MTC §7.2 step 12)"), "{}", refused.out);
    let run = good(at, &["mtc", "verify", "small.pem", "--ca", "ca.pem", "--policy", "policy.txt", "--explain"]);
    assert!(run.out.contains("accepted: the subtree is trusted"), "{}", run.out);
    assert!(run.out.contains("  entry: 7 of log 32473.1.0.1"), "{}", run.out);
    let path = ["verify", "small.pem", "--trust", "ca.pem", "--mtc-policy", "policy.txt"];
    assert!(good(at, &path).out.contains("small.pem: valid"));
    assert_eq!(self::run(at, &path[..4]).code, Some(1));
    // About 1 KB at most, whatever signatures weigh: properties and PEM are beside it.
    good(at, &["mtc", "prove", "7", "--db", "mtc.db", "--landmark", "--der", "-o", "small.der"]);
    assert!(fs::metadata(at.join("small.der")).unwrap().len() < 700);

    // JSON says the same.
    let verified = json(&good(at, &["mtc", "verify", "server.pem", "--ca", "ca.pem", "--json"]));
    let row = &verified["results"][0];
    assert_eq!(
        (&row["status"], &row["reason"], &row["serial"]),
        (&"accepted".into(), &"cosignatures".into(), &"1:0".into())
    );
    assert_eq!(row["cosignatures"][0]["status"], "valid");
    let late = self::run(at, &["mtc", "verify", "server.pem", "--ca", "ca.pem", "--json", "--at", "2099-01-01"]);
    assert_eq!((late.code, &json(&late)["results"][0]["reason"]), (Some(1), &"expired".into()));
}

#[test]
fn later_and_proofs() {
    let folder = folder();
    let at = folder.path();
    let run = issue(at, &["--dns", "a.example.org", "--later"]);
    assert!(run.err.contains("entry 0 logged, not signed yet"), "{}", run.err);
    let run = self::run(at, &["mtc", "prove", "0", "--db", "mtc.db"]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("is not yet in a checkpoint"), "{}", run.err);
    assert!(self::run(at, &["mtc", "prove", "5", "--db", "mtc.db"]).err.contains("no entry 5: the log has 1"));
    let note = good(at, &[&["mtc", "checkpoint"], &LOG[..]].concat()).out;
    assert!(note.starts_with("oid/1.3.6.1.4.1.32473.1.0.1\n1\n"), "{note}");
    assert_eq!(good(at, &[&["mtc", "checkpoint"], &LOG[..]].concat()).out, note);
    issue(at, &["--dns", "b.example.org", "--repeat", "4", "-o", "b.pem"]);
    let proof = json(&good(at, &["mtc", "prove", "--from", "1", "--db", "mtc.db", "--json"]));
    assert_eq!((&proof["checkpoint"]["size"], proof["proof"].as_array().unwrap().len()), (&5.into(), 3));
    let tlog = good(at, &["mtc", "prove", "4", "--tlog", "--db", "mtc.db"]).out;
    assert!(tlog.starts_with("c2sp.org/tlog-proof@v1\nindex 4\n"), "{tlog}");
    assert!(tlog.contains("\n\noid/1.3.6.1.4.1.32473.1.0.1\n5\n"), "{tlog}");
    assert_eq!(self::run(at, &["mtc", "prove", "--from", "9", "--db", "mtc.db"]).code, Some(1));

    // Files for a web server, audited from there; names of interest.
    let files = at.join("public");
    let checkpoint = [&["mtc", "checkpoint", "--publish", files.to_str().unwrap()], &LOG[..]].concat();
    assert!(good(at, &checkpoint).err.contains("checkpoint 5, 0 cosigners, 4 files written"));
    let audit =
        ["mtc", "audit", files.to_str().unwrap(), "--ca", "ca.pem", "--state", "state.txt", "--name", "a.example.org"];
    let run = good(at, &audit);
    assert_eq!(
        run.out,
        "entry 0: a.example.org\n\
         oid/1.3.6.1.4.1.32473.1.0.1: good: entries 0 to 5, 5 certificates, 0 null entries, 1 tiles\n"
    );
    assert!(good(at, &audit).out.contains("good: entries 5 to 5, 0 certificates"));
    // From the database, with the state of the files.
    issue(at, &["--dns", "www.a.example.org", "-o", "c.pem"]);
    let run = good(
        at,
        &["mtc", "audit", "mtc.db", "--ca", "ca.pem", "--state", "state.txt", "--name", "A.example.org", "--json"],
    );
    let audited = json(&run);
    assert_eq!(
        (&audited["status"], &audited["from"], &audited["found"][0]["index"]),
        (&"good".into(), &5.into(), &5.into())
    );
    // An entry is changed in the files.
    let bundle = files.join("tile/entries/000.p/5");
    let mut bytes = fs::read(&bundle).unwrap();
    bytes[30] ^= 1;
    fs::write(&bundle, bytes).unwrap();
    let run = self::run(at, &["mtc", "audit", files.to_str().unwrap(), "--ca", "ca.pem"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.contains("tile/0/000.p/5 does not match the entries"), "{}", run.err);
    // The files are behind the state now.
    let run = self::run(at, &audit);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("the log had 6 entries and now has only 5"), "{}", run.err);
}

#[test]
fn shown() {
    let folder = folder();
    let at = folder.path();
    issue(at, &["--dns", "a.example.org", "--repeat", "3", "-o", "all.pem"]);
    good(at, &["mtc", "landmark", "--db", "mtc.db"]);
    good(at, &["mtc", "prove", "2", "--db", "mtc.db", "-o", "server.pem"]);
    fs::write(at.join("note.txt"), good(at, &[&["mtc", "checkpoint"], &LOG[..]].concat()).out).unwrap();
    fs::write(at.join("landmarks.txt"), good(at, &["mtc", "landmark", "--list", "--db", "mtc.db"]).out).unwrap();
    let run = good(at, &["mtc", "show", "server.pem", "ca.pem", "note.txt", "landmarks.txt"]);
    for part in [
        "trust anchor ID",
        "32473.1.2.{0-}.{0-}",
        "Merkle tree proof, draft 07  with cosignatures",
        "[2, 3)",
        "32473.1  2420 bytes",
        "CA 32473.1, draft 07",
        "1:0 to the maximum",
        "checkpoint of oid/1.3.6.1.4.1.32473.1.0.1",
        "landmarks up to 1",
        "1: size 3, until",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let shown = json(&good(at, &["mtc", "show", "--json", "server.pem"]));
    assert_eq!(shown["items"][0]["kind"], "properties");
    assert_eq!(shown["items"][1]["value"]["index"], 2);
    let whole = good(at, &["show", "server.pem"]);
    assert!(whole.out.contains("Merkle tree proof, draft 07"), "{}", whole.out);
    assert!(whole.out.contains("a.example.org"), "{}", whole.out);
    let whole: Value = serde_json::from_str(&good(at, &["show", "--json", "server.pem"]).out).unwrap();
    let text = whole.to_string();
    assert!(text.contains("\"inclusion_proof\":") && text.contains("\"cosigner\":\"32473.1\""), "{text}");
    let run = self::run(at, &["mtc", "show", "server.pub"]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("expected a Merkle Tree Certificate"), "{}", run.err);
}

#[test]
fn refusals() {
    let folder = folder();
    let at = folder.path();
    let code = |args: &[&str], expected: i32, part: &str| {
        let run = self::run(at, args);
        assert_eq!(run.code, Some(expected), "{args:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(part), "{args:?}: {}", run.err);
    };
    code(&["mtc", "init", "--id", "32473.1", "--db", "mtc.db", "--key", "mtc.key"], 1, "it already exists");
    code(&["mtc", "init", "--id", "32473..1", "--db", "x.db", "--key", "mtc.key"], 2, "numbers separated by dots");
    code(&["mtc", "init", "--id", "32473.1", "--db", "x.db", "--key", "server.key"], 1, "not an ML-DSA-44 key");
    code(&["mtc", "init", "--id", "32473.1", "--db", "x.db"], 2, "--new-key");
    code(&["mtc", "serve", "--db", "none.db"], 3, "`tagwise mtc init` creates a log");
    code(&["mtc", "issue", "none.pem", "--db", "mtc.db", "--key", "mtc.key"], 3, "cannot be read");
    code(&["mtc", "issue", "--public-key", "server.pub", "--db", "mtc.db"], 2, "--dns");
    let bad = ["mtc", "issue", "--public-key", "server.pub", "--dns", "a..b", "--db", "mtc.db", "--key", "mtc.key"];
    code(&bad, 2, "a label is empty");
    // Another key is not the CA's: nothing is logged and nothing signed.
    good(at, &["key", "new", "ml-dsa-44", "-o", "other.key", "--no-passphrase"]);
    let other = [
        "mtc",
        "issue",
        "--public-key",
        "server.pub",
        "--dns",
        "a.example.org",
        "--db",
        "mtc.db",
        "--key",
        "other.key",
    ];
    code(&other, 1, "the key differs from that of the last checkpoint");
    code(&["mtc", "prove", "0", "--db", "mtc.db"], 1, "no entry 0: the log has 0");
    code(&["mtc", "verify", "ca.pem", "--ca", "server.pub"], 1, "no certificate found");
    code(&["mtc", "verify", "server.key", "--ca", "ca.pem"], 3, "no certificate");
    fs::write(at.join("policy.txt"), "group a any 1.2\n").unwrap();
    code(&["mtc", "verify", "ca.pem", "--ca", "ca.pem", "--policy", "policy.txt"], 3, "line 1: a member must be");
    fs::write(at.join("cosigners.txt"), "witness nonsense http://127.0.0.1:1\n").unwrap();
    let asked = [&["mtc", "checkpoint", "--cosigners", "cosigners.txt"], &LOG[..]].concat();
    code(&asked, 1, "line 1: expected name+keyid+base64");
    code(&["mtc", "audit", "http://127.0.0.1:1/1", "--ca", "ca.pem"], 3, "asking a server");
    code(&["mtc", "prove", "--db", "mtc.db"], 2, "--from");
}

/// `ca init --mtc`: one request, two certificates.
#[test]
fn a_ca_of_both_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("secret.txt"), "correct horse\n").unwrap();
    let secret = ["--passphrase-file", "secret.txt"];
    let init = ["ca", "init", "--db", "ca.db", "--subject", "CN=Root", "--crl-url", "http://ca.example.org/crl"];
    let run = good(at, &[&init[..], &["--mtc", "32473.1", "-o", "root.pem"], &secret].concat());
    assert!(run.err.contains("ca.mtc.db: log 1 of 32473.1, whose certificate is "), "{}", run.err);
    good(at, &["key", "new", "ecdsa-p256", "-o", "server.key", "--public", "server.pub", "--no-passphrase"]);
    let issue = ["ca", "issue", "--db", "ca.db", "--public-key", "server.pub", "--subject", "CN=www.example.org"];
    let issue = [&issue[..], &["--dns", "www.example.org"], &secret].concat();
    let run = good(at, &[&issue[..], &["-o", "server.pem"]].concat());
    assert!(run.err.contains("1:0: the Merkle Tree Certificate, in "), "{}", run.err);
    let host = ["--host", "www.example.org", "--profile", "rfc5280"];
    good(at, &[&["verify", "server.pem", "--trust", "root.pem"], &host[..]].concat());
    good(at, &[&["verify", "server.mtc.pem", "--trust", "ca.mtc.pem"], &host[..]].concat());
    let crossed = self::run(at, &[&["verify", "server.mtc.pem", "--trust", "root.pem"], &host[..]].concat());
    assert_eq!(crossed.code, Some(1), "{}", crossed.out);
    // The same but for what is about the CA that signs.
    let names = |file: &str| -> (Vec<String>, String) {
        let shown: Value = serde_json::from_str(&good(at, &["show", "--json", file]).out).unwrap();
        let text = shown.to_string();
        let all = ["authorityKeyIdentifier", "cRLDistributionPoints", "extKeyUsage", "keyUsage", "subjectAltName"];
        (all.iter().filter(|name| text.contains(*name)).map(|name| (*name).to_owned()).collect(), text)
    };
    let (signed, logged) = (names("server.pem"), names("server.mtc.pem"));
    assert_eq!(signed.0.len(), 5, "{}", signed.1);
    assert_eq!(logged.0, ["extKeyUsage", "keyUsage", "subjectAltName"], "{}", logged.1);
    let run = good(at, &[&issue[..], &["--json"]].concat());
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&value["mtc"]["serial"], &value["mtc"]["index"]), (&"1:1".into(), &1.into()));
    assert!(good(at, &["mtc", "audit", "ca.mtc.db", "--ca", "ca.mtc.pem"]).out.contains("2 certificates"));
    // The log's key is under the CA's passphrase, too.
    assert!(fs::read_to_string(at.join("ca.mtc.key")).unwrap().contains("ENCRYPTED PRIVATE KEY"));
    let again = self::run(at, &[&init[..], &["--mtc", "32473.1"], &secret].concat());
    assert_eq!(again.code, Some(1), "{}", again.err);
    // So are the certificate of an OCSP responder, and that of the next key.
    let ocsp = ["ca", "serve-ocsp", "--db", "ca.db", "--delegate-days", "7", "--listen", "127.0.0.1:0"];
    drop(Server::start(at, &[&ocsp[..], &secret].concat()));
    assert!(good(at, &["mtc", "audit", "ca.mtc.db", "--ca", "ca.mtc.pem"]).out.contains("3 certificates"));
    let rekey = ["ca", "rekey", "--db", "ca.db", "--new-db", "next.db", "--crl-url", "http://ca.example.org/next.crl"];
    let files = ["--no-new-passphrase", "--new-with-old", "cross.pem", "-o", "next.pem"];
    good(at, &[&rekey[..], &files, &secret].concat());
    assert!(good(at, &["mtc", "audit", "ca.mtc.db", "--ca", "ca.mtc.pem"]).out.contains("4 certificates"));
    // A CA without a log.
    let plain = ["ca", "init", "--db", "plain.db", "--subject", "CN=Plain", "--no-passphrase", "-o", "plain.pem"];
    good(at, &plain);
    let issue = ["ca", "issue", "--db", "plain.db", "--public-key", "server.pub", "--subject", "CN=a"];
    let run = self::run(at, &[&issue[..], &["--mtc-output", "x.pem"]].concat());
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("`tagwise ca init --mtc ID` creates one"), "{}", run.err);
}

/// A server that ends with this value.
struct Server {
    child: Child,
    line: String,
}

impl Server {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tagwise"))
            .args(words(folder, args))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, line }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A log, a witness and a mirror on loopback, as the guide has them.
#[test]
fn all_together() {
    let folder = folder();
    let at = folder.path();
    for name in ["witness.key", "mirror.key"] {
        good(at, &["key", "new", "ml-dsa-44", "-o", name, "--no-passphrase"]);
    }
    let listen = ["--listen", "127.0.0.1:0", "--ca", "ca.pem"];
    let witness = ["mtc", "witness", "--id", "32473.20", "--key", "witness.key", "--db", "witness.db"];
    let mirror = ["mtc", "mirror", "--id", "32473.30", "--key", "mirror.key", "--db", "mirror.db"];
    let witness = Server::start(at, &[&witness[..], &listen].concat());
    let mirror = Server::start(at, &[&mirror[..], &listen].concat());
    assert!(witness.line.starts_with("witness oid/1.3.6.1.4.1.32473.20+"), "{}", witness.line);
    assert!(mirror.line.starts_with("mirror oid/1.3.6.1.4.1.32473.30+"), "{}", mirror.line);
    fs::write(at.join("cosigners.txt"), format!("# both\n{}{}", witness.line, mirror.line)).unwrap();
    for _ in 0..2 {
        let names = ["--dns", "host{}.example.org", "--repeat", "300"];
        let run = issue(at, &[&names[..], &["--cosigners", "cosigners.txt", "-o", "all.pem"]].concat());
        assert!(run.err.contains("signed by the CA and 2 cosigners"), "{}", run.err);
    }
    let shown = json(&good(at, &["mtc", "show", "all.pem", "--json"]));
    let cosignatures = shown["items"][1]["value"]["cosignatures"].as_array().unwrap();
    let names: Vec<_> = cosignatures.iter().map(|one| one["cosigner"].as_str().unwrap()).collect();
    assert_eq!(names, ["32473.1", "32473.20", "32473.30"]);
    let server = Server::start(at, &["mtc", "serve", "--db", "mtc.db", "--listen", "127.0.0.1:0"]);
    let url = server.line.trim();
    let run = good(at, &["mtc", "audit", url, "--ca", "ca.pem"]);
    assert!(run.out.contains("good: entries 0 to 600, 600 certificates"), "{}", run.out);
    // Two views of one log: the witness does not cosign the second.
    fs::copy(at.join("mtc.key"), at.join("fork.key")).unwrap();
    good(at, &["mtc", "init", "--id", "32473.1", "--db", "fork.db", "--key", "fork.key", "-o", "fork.pem"]);
    let fork = ["mtc", "issue", "--public-key", "server.pub", "--dns", "evil.example.org", "--db", "fork.db"];
    let run = self::run(at, &[&fork[..], &["--key", "fork.key", "--cosigners", "cosigners.txt"]].concat());
    assert_eq!(run.code, Some(3), "{}", run.out);
    assert!(run.err.contains("its tree is larger than the signed one"), "{}", run.err);
    assert_eq!(run.out, "");
}

/// Processes that issue at once: each has its certificate, and the log no other entry.
#[test]
fn processes_issue_at_once() {
    let folder = folder();
    let at = folder.path();
    let run_one = |number: usize| {
        let name = format!("p{number}.example.org");
        let out = format!("p{number}.pem");
        issue(at, &["--dns", &name, "-o", &out]).code
    };
    let codes: Vec<_> = std::thread::scope(|scope| {
        let processes = |worker: usize| move || (0..5).map(|turn| run_one(worker * 5 + turn)).collect::<Vec<_>>();
        let workers: Vec<_> = (0..4).map(|worker| scope.spawn(processes(worker))).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert_eq!(codes, vec![Some(0); 20]);
    for number in 0..20 {
        good(at, &["mtc", "verify", &format!("p{number}.pem"), "--ca", "ca.pem"]);
    }
    let audit = good(at, &["mtc", "audit", "mtc.db", "--ca", "ca.pem"]);
    assert!(audit.out.contains("entries 0 to 20, 20 certificates"), "{}", audit.out);
}

/// A range of serial numbers that the CA never gives revokes nothing, and is an error.
#[test]
fn ranges_without_serial_numbers() {
    let folder = folder();
    let at = folder.path();
    issue(at, &["--dns", "www.example.org", "-o", "server.pem"]);
    fs::write(at.join("policy.txt"), "revoke-range 32473.1 0 5\n").unwrap();
    let run = run(at, &["mtc", "verify", "server.pem", "--ca", "ca.pem", "--policy", "policy.txt"]);
    assert_eq!(run.code, Some(3), "{}", run.out);
    assert!(run.err.contains("line 1: the range contains no serial number of a log"), "{}", run.err);
    fs::write(at.join("policy.txt"), "revoke-range 32473.1 1:0 1:5\n").unwrap();
    let run = self::run(at, &["mtc", "verify", "server.pem", "--ca", "ca.pem", "--policy", "policy.txt"]);
    assert!(run.code == Some(1) && run.out.contains("the serial number is revoked"), "{}{}", run.out, run.err);
}

/// A log entry cannot be removed, so everything else is checked before it is added.
#[test]
fn certificates_that_cannot_be_used_or_written_are_not_logged() {
    let folder = folder();
    let at = folder.path();
    let key = ["mtc", "issue", "--public-key", "server.pub", "--dns", "a.test"];
    let run_with = |more: &[&str]| run(at, &[&key[..], &LOG, more].concat());
    let refused = run_with(&["--until", "2020-01-01", "-o", "a.pem"]);
    assert!(
        refused.code == Some(2) && refused.err.contains("--until: expected a time in the future"),
        "{}",
        refused.err
    );
    let missing = at.join("none/a.crt");
    let refused = run_with(&["-o", missing.to_str().unwrap()]);
    assert_eq!(refused.code, Some(3), "{}", refused.err);
    let refused = run_with(&["-o", "server.key"]);
    assert!(refused.code == Some(3) && refused.err.contains("a private key"), "{}", refused.err);
    // The first entry of the log.
    let issued = issue(at, &["--dns", "a.test", "-o", "a.pem"]);
    assert!(issued.err.contains("entry 0, checkpoint 1"), "{}", issued.err);
}
