//! User stories: inputs that were once answered wrongly, each with its command and the right answer.
//!
//! `tests/register/stories.tsv` has one row per case in `../shared/cases`:
//!
//! | column | meaning |
//! |---|---|
//! | case | `<folder>/<id>` |
//! | door | `shell`: a `bash` line in an empty folder, with `tagwise` on the path and `$C` for the folder of the case; `python`: the same, with the package importable; `test`: a test function elsewhere, as `file::function` |
//! | command | what runs |
//! | exit | the exit code, `-` for `test` |
//! | expect | texts that the output contains, separated by ` && `; `!` in front means that it does not contain the text |
//! | clause | why that is right |

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(120);

/// One row of the register.
struct Story<'a> {
    case: &'a str,
    door: &'a str,
    command: &'a str,
    exit: &'a str,
    expect: &'a str,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn stories(text: &str) -> Vec<Story<'_>> {
    text.lines().skip(1).map(story).collect()
}

fn story(line: &str) -> Story<'_> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [case, door, command, exit, expect, _clause] = columns[..] else { panic!("a row has six columns: {line}") };
    Story { case, door, command, exit, expect }
}

/// What is wrong with the answer, if anything is.
fn play(story: &Story<'_>, cases: &Path, scratch: &Path) -> Option<String> {
    let folder = cases.join(story.case.split('/').next().unwrap());
    let bin = Path::new(env!("CARGO_BIN_EXE_tagwise")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let output = scratch.join("output");
    let file = fs::File::create(&output).unwrap();
    let work = scratch.join("work");
    fs::create_dir(&work).unwrap();
    let mut command = Command::new("bash");
    // A folder with the package `tagwise`, its extension module included.
    if let Some(package) = std::env::var_os("TAGWISE_PYTHON_PATH") {
        command.env("PYTHONPATH", package);
    }
    let mut child = command
        .args(["-c", story.command])
        .current_dir(&work)
        .env("C", &folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(file.try_clone().unwrap())
        .stderr(file)
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            return Some(format!("{}: no end within {LIMIT:?}", story.case));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = String::from_utf8_lossy(&fs::read(&output).unwrap()).into_owned();
    let mut wrong = Vec::new();
    if status.code().map(|code| code.to_string()).as_deref() != Some(story.exit) {
        wrong.push(format!("exit code {:?}, expected {}", status.code(), story.exit));
    }
    for expected in story.expect.split(" && ").filter(|text| !text.is_empty()) {
        let (text_wanted, wanted) = expected.strip_prefix('!').map_or((expected, true), |rest| (rest, false));
        if text.contains(text_wanted) != wanted {
            wrong.push(format!("{} {text_wanted:?}", if wanted { "no" } else { "there is" }));
        }
    }
    let text = text.chars().take(2000).collect::<String>();
    (!wrong.is_empty()).then(|| format!("{}: {}\n$ {}\n{text}", story.case, wrong.join("; "), story.command))
}

/// Whether `file::function` is a test function of this repository.
fn is_a_test(place: &str) -> bool {
    let Some((file, function)) = place.split_once("::") else { return false };
    let text = fs::read_to_string(root().join(file)).unwrap_or_default();
    text.contains(&format!("fn {function}(")) || text.contains(&format!("def {function}("))
}

/// Plays all stories of a door, two at a time.
fn played(door: &str) {
    let text = fs::read_to_string(root().join("tests/register/stories.tsv")).unwrap();
    let stories = stories(&text);
    let Some(cases) = tagwise_testing::cases() else { return };
    let played: Vec<&Story<'_>> = stories.iter().filter(|story| story.door == door).collect();
    assert!(!played.is_empty(), "no story of {door}");
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(story) = played.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let scratch = tempfile::tempdir().unwrap();
                    found.lock().unwrap().extend(play(story, &cases, scratch.path()));
                }
            });
        }
    });
    let wrong = found.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} stories end otherwise:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn stories_of_the_command() {
    played("shell");
}

#[test]
fn stories_of_python() {
    if std::env::var_os("TAGWISE_PYTHON_PATH").is_none() {
        tagwise_testing::skip("the Python package is not built: `./x test` builds it");
        return;
    }
    played("python");
}

#[test]
fn stories_that_name_a_test() {
    let text = fs::read_to_string(root().join("tests/register/stories.tsv")).unwrap();
    let missing: Vec<String> = stories(&text)
        .iter()
        .filter(|story| story.door == "test" && !is_a_test(story.command))
        .map(|story| format!("{}: there is no test {}", story.case, story.command))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Every door has a known name, and no case is left out.
#[test]
fn every_case_has_a_story() {
    let text = fs::read_to_string(root().join("tests/register/stories.tsv")).unwrap();
    let stories = stories(&text);
    let doors = ["shell", "python", "test"];
    let unknown: Vec<&str> =
        stories.iter().filter(|story| !doors.contains(&story.door)).map(|story| story.case).collect();
    assert!(unknown.is_empty(), "rows with an unknown door: {unknown:?}");
    let Some(cases) = tagwise_testing::cases() else { return };
    let told: BTreeSet<&str> = stories.iter().map(|story| story.case).collect();
    let mut missing = Vec::new();
    for folder in ["bugs", "krb"] {
        let log = fs::read_to_string(cases.join(folder).join("LOG.tsv")).unwrap();
        let names = log.lines().skip(1).filter_map(|line| line.split('\t').next());
        missing.extend(names.map(|name| format!("{folder}/{name}")).filter(|case| !told.contains(case.as_str())));
    }
    assert!(missing.is_empty(), "cases without a story: {missing:?}");
}

/// AWS-LC measures the jitter of the CPU for 40 to 60 ms otherwise, in every process that needs a random number.
#[test]
fn builds_take_seeds_from_the_kernel() {
    for file in [".cargo/config.toml", "tools/xtask/src/project.rs", "doors/python/pyproject.toml"] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains("AWS_LC_SYS_NO_JITTER_ENTROPY"), "{file}");
    }
}
