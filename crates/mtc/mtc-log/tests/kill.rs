//! A log whose process is killed at random points: it never shows two views.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests: what is wrong ends them")]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{NOW, ca_key, entries, info};
use tagwise_mtc::landmark::LandmarkSchedule;
use tagwise_mtc::note::{Checkpoint, Note};
use tagwise_mtc_log::{Log, Synchronous};

const CHILD: &str = "TAGWISE_MTC_KILL";

/// In the child: appends, signs and prints what it has signed, until it is killed.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let mut log = Log::open(Path::new(&path), Synchronous::Normal).unwrap();
    let schedule = LandmarkSchedule { interval: 0, max_lifetime: 1000 };
    let mut out = std::io::stdout();
    for turn in 0u64.. {
        let size = log.size().unwrap();
        // What was appended before it was signed is there after the kill, too.
        log.append(&entries(size, size + 1 + turn % 7 * 40)).unwrap();
        let record = log.checkpoint(&ca_key(), &[], NOW + turn).unwrap();
        writeln!(out, "signed {} {}", record.size, tagwise_codec::text::hex::encode(&record.root)).unwrap();
        out.flush().unwrap();
        log.add_landmark(&schedule, NOW + turn).unwrap();
    }
}

#[test]
fn one_view() {
    if std::env::var_os(CHILD).is_some() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    drop(Log::create(&path, &info(), Synchronous::Normal, NOW).unwrap());
    let kills = match std::env::var_os("TAGWISE_ALL") {
        Some(_) => 300,
        None => 12,
    };
    let mut signed: Vec<(u64, String)> = Vec::new();
    // A sequence of delays that is the same each time, though what they hit is not.
    let mut random = 0x9E37_79B9_7F4A_7C15u64;
    for kill in 0..kills {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child", "--nocapture", "--test-threads=1"])
            .env(CHILD, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            let signed = lines.filter_map(|line| {
                let (_, rest) = line.split_once("signed ")?;
                let (size, root) = rest.split_once(' ')?;
                (root.len() == 64).then(|| (size.parse().unwrap(), root.to_owned()))
            });
            signed.collect::<Vec<(u64, String)>>()
        });
        std::thread::sleep(Duration::from_millis(30 + (random >> 33) % 250));
        child.kill().unwrap();
        child.wait().unwrap();
        signed.extend(reader.join().unwrap());
        // It opens, which compares tiles, state and what was signed; and everything that was given out is in it.
        let log = Log::open(&path, Synchronous::Normal).unwrap();
        let last = log.last_checkpoint().unwrap();
        let known = last.as_ref().map_or(0, |last| last.size);
        assert!(signed.iter().all(|(size, _)| *size <= known && known <= log.size().unwrap()));
        if let Some(last) = last {
            let checkpoint = Checkpoint::parse(Note::parse(&last.note).unwrap().text()).unwrap();
            assert_eq!((checkpoint.size, checkpoint.root), (last.size, last.root));
            // All of them after each kill would cost the square of the kills.
            if kill < 12 || kill % 10 == 0 {
                assert_eq!(log.certificates(0, known).unwrap().len() as u64, known);
            }
        }
    }
    assert!(!signed.is_empty(), "nothing was signed before any kill");
    let log = Log::open(&path, Synchronous::Normal).unwrap();
    let mut last = 0;
    for (size, root) in &signed {
        assert!(*size >= last, "a smaller tree was signed after a larger one");
        last = *size;
        assert_eq!(&tagwise_codec::text::hex::encode(&log.root_at(*size).unwrap()), root, "size {size} has two roots");
    }
}
