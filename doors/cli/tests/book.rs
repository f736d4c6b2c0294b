//! The commands in README.md and the guide: every `console` block runs, and prints what the page shows.
//!
//! A line that begins with `$ ` is a command; the lines below it, up to the next one, are what it prints on either stream. `...`
//! alone stands for any lines, within a line for any text. Commands of one page run in order in one folder, which has the files of
//! `docs/samples`. `TAGWISE_BLESS=1` writes what is printed into the pages where they differ.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;
#[path = "common/console.rs"]
mod console;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use console::{matches, steps};

/// The root of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Pages below the root: the README and all of the guide.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![PathBuf::from("README.md")];
    for file in common::files(&root().join("docs/src")) {
        if file.extension().is_some_and(|end| end == "md") {
            pages.push(file.strip_prefix(root()).unwrap().to_owned());
        }
    }
    pages
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in common::files(from) {
        fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
}

/// Runs a command by the shell, with `tagwise` in its path. The result is the exit code and what it printed on either stream.
fn run(folder: &Path, command: &str) -> (Option<i32>, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_tagwise"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .env_remove("VISUAL")
        .env_remove("EDITOR")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a page, and adds what is wrong to `problems`. The result is the page as the commands would have it.
fn run_page(page: &Path, text: &str, problems: &mut String) -> String {
    let folder = tempfile::tempdir().unwrap();
    // The README is read at the project's root, the guide beside its samples.
    let samples = folder.path().join(if page.starts_with("docs") { "." } else { "docs/samples" });
    copy(&root().join("docs/samples"), &samples);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for step in steps(text) {
        let (code, printed) = run(folder.path(), step.command);
        let printed: Vec<&str> = printed.lines().collect();
        let place = format!("{}:{}: $ {}", page.display(), step.line, step.command);
        // 1 is a negative answer, which the page has to show; anything else that is not 0 is a command that does not work.
        if !(code == Some(0) || code == Some(1) && !step.expected.is_empty()) {
            let _ = writeln!(problems, "{place}\n  ended with {code:?}\n{}", printed.join("\n"));
        } else if !matches(&step.expected, &printed) {
            let _ = writeln!(
                problems,
                "{place}\n--- shown\n{}\n--- printed\n{}\n",
                step.expected.join("\n"),
                printed.join("\n")
            );
            // Marked first, spliced below: earlier lines keep their numbers.
            let mark = printed.iter().map(|line| format!("{}\n", line.trim_end())).collect::<String>();
            lines[step.line - 1].push('\0');
            lines[step.line - 1].push_str(&mark);
            for old in lines.iter_mut().skip(step.line).take(step.expected.len()) {
                *old = "\0".to_owned();
            }
        }
    }
    let mut blessed = String::new();
    for line in lines.iter().filter(|line| *line != "\0") {
        let _ = writeln!(blessed, "{}", line.replace('\0', "\n").trim_end());
    }
    blessed
}

#[test]
fn commands_print_what_the_pages_show() {
    let mut problems = String::new();
    let mut count = 0;
    for page in pages() {
        let file = root().join(&page);
        let text = fs::read_to_string(&file).unwrap();
        count += steps(&text).len();
        let blessed = run_page(&page, &text, &mut problems);
        if std::env::var_os("TAGWISE_BLESS").is_some() && blessed != text {
            fs::write(&file, blessed).unwrap();
        }
    }
    assert!(problems.is_empty(), "{problems}");
    assert!(count > 40, "the guide has commands: {count}");
}

#[test]
fn every_page_is_in_the_summary_and_links_lead_somewhere() {
    let summary = fs::read_to_string(root().join("docs/src/SUMMARY.md")).unwrap();
    let mut problems = String::new();
    for page in pages() {
        let name = page.file_name().unwrap().to_str().unwrap();
        if page.starts_with("docs") && name != "SUMMARY.md" && !summary.contains(&format!("({name})")) {
            let _ = writeln!(problems, "{}: not in SUMMARY.md", page.display());
        }
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            let file = link.split('#').next().unwrap_or_default();
            let target = root().join(page.parent().unwrap()).join(file);
            if !file.is_empty() && !link.contains("://") && !target.exists() {
                let _ = writeln!(problems, "{}: no {link}", page.display());
            }
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

#[test]
fn wildcards_stand_for_text_and_lines() {
    assert!(matches(&["a", "...", "z"], &["a", "z"]));
    assert!(matches(&["a", "...", "z"], &["a", "b", "c", "z"]));
    assert!(!matches(&["a", "...", "z"], &["a", "b"]));
    assert!(!matches(&["a"], &["a", "b"]));
    assert!(matches(&["...", "b"], &["a", "b"]));
    assert!(matches(&["until ..., serial ..."], &["until 2036, serial 0A"]));
    assert!(!matches(&["until ... (now)"], &["until 2036 (then)"]));
}
