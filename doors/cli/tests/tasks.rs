//! Ordinary tasks, with what a user types first: the first guess works, or its error names the right command.
//!
//! `tests/register/tasks.tsv` has one row per task:
//!
//! | column | meaning |
//! |---|---|
//! | task | what the user wants |
//! | words | whose words the guess has: `tagwise`, or another program's |
//! | first guess | the command line, without `tagwise` in front, in a folder with fixtures |
//! | expected | `works` (exit code 0), or `hint` |
//! | text | a text of the output, on either stream; of a hint, the right command |
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A row of the register.
struct Task<'a> {
    name: &'a str,
    words: &'a str,
    guess: &'a str,
    works: bool,
    text: &'a str,
}

fn tasks(text: &str) -> Vec<Task<'_>> {
    let row = |line| {
        let columns: Vec<&str> = str::split(line, '\t').collect();
        let [name, words, guess, expected, text] = columns[..] else { panic!("a row has five columns: {line}") };
        assert!(matches!(expected, "works" | "hint"), "{line}");
        Task { name, words, guess, works: expected == "works", text }
    };
    text.lines().skip(1).map(row).collect()
}

fn register() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/register/tasks.tsv");
    fs::read_to_string(path).unwrap()
}

/// Runs a line in a folder; the exit code, and what it printed on both streams.
fn run(folder: &Path, line: &str) -> (Option<i32>, String) {
    let bin = Path::new(env!("CARGO_BIN_EXE_tagwise")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(["-c", &format!("{{ {line}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The lines that make the fixtures.
const FIXTURES: &str = "\
echo 'correct horse' > secret.txt
echo 'A letter.' > letter.txt
printf 'subject = \"CN=www.example.org\"\\ndns = [\"www.example.org\"]\\next-key-usage = [\"serverAuth\"]\\n' > www.toml
tagwise cert self-signed --ca --subject 'CN=Test CA' --key-out ca.key -o ca.pem
tagwise csr new --key-out server.key --no-passphrase --subject CN=www.example.org --dns www.example.org -o www.csr
tagwise csr sign www.csr --ca ca.pem --ca-key ca.key -o cert.pem
tagwise convert --to der cert.pem -o cert.der
cat cert.pem ca.pem > chain.pem
tagwise convert --to p7 chain.pem -o chain.p7b
tagwise key convert --to public server.key -o server.pub
tagwise key convert --to pkcs8 --new-passphrase-file secret.txt server.key -o locked.key
tagwise key sign letter.txt --key server.key -o letter.ok
tagwise p12 create --key server.key --certificate cert.pem --passphrase-file secret.txt -o store.p12
tagwise cert self-signed --subject CN=Eva --email eva@example.org --key-out eva.key --no-passphrase -o eva.pem
tagwise cms sign letter.txt --key eva.key --certificate eva.pem -o signed.p7
tagwise cms encrypt letter.txt --to cert.pem -o sealed.cms
tagwise ca init --db crl.db --key ca.key --certificate ca.pem --no-history --no-passphrase -o /dev/null
tagwise ca crl --db crl.db -o ca.crl
tagwise ca init --db lab.db --subject CN=Lab --no-passphrase -o lab.pem
tagwise ca issue www.csr --db lab.db -o issued.pem
tagwise ca issue www.csr --db lab.db -o gone.pem
tagwise ca revoke --db lab.db --certificate gone.pem
tagwise ca crl --db lab.db -o revoked.crl
rm gone.pem crl.db lab.pem";

/// A folder with the fixtures.
fn fixtures() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for line in FIXTURES.lines() {
        let (code, text) = run(folder.path(), line);
        assert_eq!(code, Some(0), "{line}: {text}");
    }
    folder
}

#[test]
fn each_task_works_or_has_a_hint() {
    let (fixtures, text) = (fixtures(), register());
    let mut problems = Vec::new();
    for task in tasks(&text) {
        let folder = tempfile::tempdir().unwrap();
        for file in common::files(fixtures.path()) {
            fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
        }
        let (code, printed) = run(folder.path(), &format!("tagwise {}", task.guess));
        let is_right = if task.works { code == Some(0) } else { code == Some(2) || code == Some(1) };
        if !is_right || !printed.contains(task.text) {
            problems.push(format!("{}: tagwise {}: {code:?}\n{printed}", task.name, task.guess));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Of a hundred tasks, four in five first guesses in this program's own words work.
#[test]
fn four_guesses_in_five_work() {
    let text = register();
    let all = tasks(&text);
    let own: Vec<&Task<'_>> = all.iter().filter(|task| task.words == "tagwise").collect();
    let works = own.iter().filter(|task| task.works).count();
    assert!(all.len() >= 100, "{} tasks", all.len());
    assert!(works * 5 >= own.len() * 4, "{works} of {} work", own.len());
    let mut names: Vec<&str> = all.iter().map(|task| task.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
}
