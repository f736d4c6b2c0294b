//! The command's end when it cannot finish: a signal, a reader that has gone, a full device.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{data, tagwise};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ending-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The command with signals as a terminal has them: whatever starts the tests in the background may ignore some, and what is
/// ignored at the start stays so.
fn command(args: &[&str]) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,QUIT,TERM", env!("CARGO_BIN_EXE_tagwise")]);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

/// Waits until something is so.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{what} does not happen");
        std::thread::yield_now();
    }
}

/// While a file is written it has no name (or, where the system has no such files, another one): a signal leaves nothing.
#[test]
fn a_signal_leaves_nothing_half_written() {
    let folder = folder("written");
    // A key, and behind it octets that take a moment to write.
    let key = folder.join("key.der");
    assert_eq!(tagwise(&["key", "new", "ed25519", "--no-passphrase", "-o", key.to_str().unwrap()]).code, Some(0));
    let block = fs::read(&key).unwrap();
    let der = tagwise_codec::pem::blocks(&block).next().unwrap().unwrap().decode().unwrap();
    let len: u32 = 12 << 20;
    let input = [&der[..], &[0x04, 0x84], &len.to_be_bytes(), &vec![0; len as usize]].concat();
    fs::write(&key, input).unwrap();
    let out = folder.join("out");
    fs::create_dir(&out).unwrap();
    let whole = out.join("whole");
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let mut caught = false;
        for attempt in 0..20 {
            let args = ["convert", "--to", "hex", "-o", whole.to_str().unwrap(), key.to_str().unwrap()];
            let mut child = command(&args).spawn().unwrap();
            // It takes some hundred milliseconds in all.
            std::thread::sleep(Duration::from_millis(10 + 25 * attempt));
            signal(&child, name);
            let status = child.wait().unwrap();
            if status.signal() == Some(number) {
                let left = names(&out);
                assert!(left.is_empty() || left == ["whole"], "{name}: {left:?}");
                caught |= left.is_empty();
            } else {
                assert_eq!((status.code(), names(&out)), (Some(0), vec!["whole".to_owned()]));
            }
            let _ = fs::remove_file(&whole);
            if caught {
                break;
            }
        }
        assert!(caught, "{name} was never in time");
    }
}

/// Decrypted content is written nowhere before all of the message has been read.
#[test]
fn a_slow_message_leaves_nothing() {
    let folder = folder("slow");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    fs::write(path("shared"), "00112233445566778899aabbccddeeff\n").unwrap();
    fs::write(path("letter"), "secret ".repeat(1000)).unwrap();
    let (shared, sealed) = (path("shared"), path("sealed"));
    let args =
        ["cms", "encrypt", &path("letter"), "--shared-key-file", &shared, "--shared-key-id", "01", "-o", &sealed];
    assert_eq!(tagwise(&args).code, Some(0));
    let message = fs::read(&sealed).unwrap();
    let before = names(&folder).len();
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        let args = ["cms", "decrypt", "-", "--shared-key-file", &shared, "-o", &path("opened")];
        let mut child = command(&args).stdin(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(&message[..message.len() / 2]).unwrap();
        pipe.flush().unwrap();
        std::thread::sleep(Duration::from_millis(200));
        signal(&child, name);
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(names(&folder).len(), before);
    }
}

/// The text in the editor goes with the command; Ctrl-C is the editor's.
#[test]
fn a_signal_takes_the_text_away() {
    let folder = folder("text");
    let (temporary, file, ready) = (folder.join("tmp"), folder.join("root.pem"), folder.join("ready"));
    fs::create_dir(&temporary).unwrap();
    fs::copy(data("root.pem"), &file).unwrap();
    let editor = folder.join("editor");
    fs::write(&editor, "#!/bin/sh\ncp \"$1\" \"$1~\"\n: > ready\nwhile test -e ready; do sleep 0.05; done\n").unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    for (name, number) in [("TERM", Some(15)), ("HUP", Some(1)), ("INT", None)] {
        let mut edit = command(&["edit", file.to_str().unwrap()]);
        edit.current_dir(&folder).env("VISUAL", &editor).env("TMPDIR", &temporary);
        let mut child = edit.spawn().unwrap();
        until("the editor", || ready.exists().then_some(()));
        let kept = names(&temporary);
        assert_eq!(kept.len(), 1);
        assert_eq!(fs::metadata(temporary.join(&kept[0])).unwrap().permissions().mode() & 0o777, 0o700);
        signal(&child, name);
        if number.is_none() {
            std::thread::sleep(Duration::from_millis(100));
            fs::remove_file(&ready).unwrap();
        }
        let status = child.wait().unwrap();
        assert_eq!((status.signal(), status.code()), (number, number.is_none().then_some(0)), "{name}");
        assert_eq!(names(&temporary), [""; 0], "{name}");
        let _ = fs::remove_file(&ready);
    }
}

/// Commands that print something about a certificate.
fn printing() -> Vec<Vec<String>> {
    let (leaf, root, list) = (data("leaf.pem"), data("root.pem"), data("list.pem"));
    let lines = [
        "show LEAF",
        "show --json LEAF",
        "show --text openssl LEAF",
        "dump LEAF",
        "dump --json LEAF",
        "get tbsCertificate LEAF",
        "get --json tbsCertificate LEAF",
        "explain 10 LEAF",
        "scan LEAF",
        "scan --csv LEAF",
        "scan --ndjson LEAF",
        "scan --summary LEAF",
        "scan --json LEAF",
        "tree LEAF ROOT",
        "check LEAF",
        "lint LEAF",
        "lint --json LEAF",
        "diff LEAF ROOT",
        "convert --to pem LEAF",
        "convert --to json LIST",
        "edit --text LEAF",
        "key new ed25519 --no-passphrase",
        "key new --list",
        "rules",
        "rules --json",
        "schema fmt -",
        "compile --check -",
        "--help",
        "show --help",
        "--version",
        "version",
        "--version --verbose",
    ];
    let word = |word: &str| match word {
        "LEAF" => leaf.clone(),
        "ROOT" => root.clone(),
        "LIST" => list.clone(),
        word => word.to_owned(),
    };
    lines.iter().map(|line| line.split(' ').map(word).collect()).collect()
}

fn printer(args: &[String], stdout: Stdio) -> (std::process::ExitStatus, String) {
    let mut command = command(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let mut child = command.stdin(Stdio::piped()).stdout(stdout).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(b"M DEFINITIONS ::= BEGIN END\n");
    let output = child.wait_with_output().unwrap();
    (output.status, String::from_utf8(output.stderr).unwrap())
}

/// Whoever closes the pipe has an answer that is not complete: the command ends as `cat` does, without a word.
#[test]
fn a_closed_pipe_is_no_success() {
    for args in printing() {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let (status, said) = printer(&args, writer.into());
        assert_eq!((status.signal(), &*said), (Some(13), ""), "{args:?}: {status}");
    }
}

#[test]
fn a_full_device_is_an_error() {
    for args in printing() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let (status, said) = printer(&args, full.into());
        assert_eq!(status.code(), Some(3), "{args:?}: {status} {said}");
        assert!(said.contains("the output could not be written: No space left on device\n"), "{args:?}: {said}");
    }
}
