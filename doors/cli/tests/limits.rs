//! Inputs without an end, and small ones that become large.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs::{self, File};
use std::io::{Cursor, Write};
use std::process::{Command, Stdio};

use common::{data, run_of, tagwise};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Commands that read a file, `FILE`.
const READERS: [&str; 35] = [
    "show FILE",
    "show --json FILE",
    "show --text openssl FILE",
    "get tbsCertificate FILE",
    "explain 10 FILE",
    "scan FILE",
    "scan --no-map FILE",
    "tree FILE",
    "check FILE",
    "lint FILE",
    "diff FILE LEAF",
    "diff LEAF FILE",
    "convert --to der FILE",
    "convert --to pem --from json FILE",
    "edit --text FILE",
    "edit --assemble FILE",
    "decode --schema FILE LEAF",
    "key show FILE",
    "key convert --to public FILE",
    "cms verify FILE",
    "cms decrypt FILE --password --passphrase-file LEAF",
    "p12 show FILE",
    "p12 extract FILE",
    "tsp verify FILE --data LEAF",
    "compile --check FILE",
    "schema fmt FILE",
    "schema list FILE",
    "verify --trust mozilla FILE",
    "verify --trust FILE LEAF",
    "verify --trust mozilla --untrusted FILE LEAF",
    "verify --trust mozilla --crl FILE LEAF",
    "verify --trust mozilla --ocsp FILE LEAF",
    "verify --trust mozilla --sct-logs FILE LEAF",
    "verify --limbo FILE",
    "cms verify --trust FILE LEAF",
];

fn words(line: &str, file: &str) -> Vec<String> {
    let leaf = data("leaf.pem");
    let word = |word: &str| match word {
        "FILE" => file.to_owned(),
        "LEAF" => leaf.clone(),
        word => word.to_owned(),
    };
    line.split(' ').map(word).collect()
}

#[test]
fn inputs_without_an_end() {
    for (line, file) in READERS.iter().flat_map(|line| [(line, "/dev/zero"), (line, "-")]) {
        if file == "-" && line.contains("--schema") {
            continue;
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.args(["--max-input", "1"]).args(words(line, file)).stdin(File::open("/dev/zero").unwrap());
        let run = run_of(&command.output().unwrap());
        assert_eq!(run.code, Some(3), "{line} {file}: {}", run.err);
        let said = run.err.clone() + &run.out;
        // By name, a device that has no end is not even read.
        let is_refused = file != "-" && said.contains("it is a device, expected a file");
        let is_limited = said.contains("larger than 1 MiB: raise the limit with --max-input MIB");
        assert!(is_refused || is_limited, "{line} {file}: {said}");
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("gen");
    for line in ["compile --lang rust -o OUT /dev/zero", "schema doc -o OUT /dev/zero"] {
        let args = words(&line.replace("OUT", out.to_str().unwrap()), "");
        let args: Vec<&str> = ["--max-input", "1"].into_iter().chain(args.iter().map(String::as_str)).collect();
        let run = tagwise(&args);
        assert!(
            run.code == Some(3) && run.err.contains("larger than the limit of 1048576 bytes"),
            "{line}: {}",
            run.err
        );
    }
    // A file says how large it is before it is read, and one that is as large as the limit is read.
    let file = folder.path().join("spaces");
    let path = file.to_str().unwrap();
    fs::write(&file, vec![b' '; (1 << 20) + 1]).unwrap();
    let run = tagwise(&["--max-input", "1", "show", path]);
    assert!(run.code == Some(3) && run.err.contains("larger than 1 MiB"), "{}", run.err);
    assert_eq!(tagwise(&["--max-input", "2", "show", path]).code, Some(1));
    fs::write(&file, vec![b' '; 1 << 20]).unwrap();
    assert_eq!(tagwise(&["--max-input", "1", "show", path]).code, Some(1));
    assert_eq!(tagwise(&["--max-input", "0", "show", path]).code, Some(2));
}

/// The most memory that the command has held, in KiB.
#[cfg(target_os = "linux")]
fn peak(args: &[&str]) -> (Option<i32>, u64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
    let mut child =
        command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let size = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak = peak.max(size.unwrap_or_default());
        if let Some(status) = child.try_wait().unwrap() {
            return (status.code(), peak);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// A small archive does not become large in memory: 300 members of a mebibyte each, every one within the limit of its own.
#[test]
#[cfg(target_os = "linux")]
fn compressed_input_uses_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    // One element, as a certificate is: it is kept until it has been looked at.
    let mut element = vec![0; 1 << 20];
    element[..5].copy_from_slice(&[0x30, 0x83, 0x0F, 0xFF, 0xFB]);
    let bomb = folder.path().join("bomb.zip");
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("0", SimpleFileOptions::default()).unwrap();
    archive.write_all(&element).unwrap();
    for number in 1..300 {
        archive.deep_copy_file("0", &number.to_string()).unwrap();
    }
    fs::write(&bomb, archive.finish().unwrap().into_inner()).unwrap();
    let len = fs::metadata(&bomb).unwrap().len();
    assert!(len < 400_000, "{len}");
    let scan = ["scan", "--summary", "--no-progress", bomb.to_str().unwrap()];
    let (code, size) = peak(&scan);
    let most = ((len * 100) >> 10) + (40 << 10);
    assert!(code == Some(1) && size < most && size > 4 << 10, "{code:?}: {size} KiB of {most}");
}
