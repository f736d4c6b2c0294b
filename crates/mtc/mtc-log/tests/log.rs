//! Logs: what goes in, what comes out, and what is refused.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests: what is wrong ends them")]

mod common;

use common::{NOW, ca_key, check, create, entries, entry, id, info, key, party};
use tagwise_mtc::crypto::CosignerKey;
use tagwise_mtc::landmark::LandmarkSchedule;
use tagwise_mtc::note::{Checkpoint, Note, NoteKey, NoteKeyKind};
use tagwise_mtc::relying::{Refusal, Trust, TrustedSubtree};
use tagwise_mtc::tree::{MemoryTree, Subtree, root};
use tagwise_mtc::{Draft, LogEntry, MtcCertificate, hash};
use tagwise_mtc_log::{AuditError, Auditor, Error, Log, LogInfo, NewEntry, Synchronous, entry_of_tbs, publish};
use tagwise_pkix::UnixTime;

fn note_key() -> NoteKey {
    NoteKey::from_key_info(&id("32473.1").name(), NoteKeyKind::MlDsa44, ca_key().cosigner().key_info()).unwrap()
}

#[test]
fn batches() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    let mut log = create(&path);
    let mut tree = MemoryTree::new();
    let mut total = 0;
    // Sizes beside those of tiles, in batches that end inside and outside of them.
    for (turn, count) in [1u64, 1, 5, 248, 1, 1, 255, 300, 0, 700].into_iter().enumerate() {
        let new = entries(total, total + count);
        new.iter().for_each(|one| tree.push(hash::leaf(&one.entry)));
        assert_eq!(log.append(&new).unwrap(), total);
        total += count;
        assert_eq!(log.size().unwrap(), total);
        let record = log.checkpoint(&ca_key(), &[], NOW + turn as u64).unwrap();
        assert_eq!((record.size, record.root), (total, root(&tree, total).unwrap()));
        let note = Note::parse(&record.note).unwrap();
        assert!(matches!(note_key().verify(&note, &check()), Ok(Some(time)) if time >= NOW));
        assert_eq!(Checkpoint::parse(note.text()).unwrap().root, record.root);
    }
    // Every certificate is accepted, with nothing but the CA's signature.
    let party = party();
    let check = check();
    let certificates = log.certificates(0, total).unwrap();
    assert_eq!(certificates.len() as u64, total);
    for (index, one) in certificates.iter().enumerate().filter(|(index, _)| index % 37 == 0 || *index < 10) {
        let outcome = party.verify(&one.der, Some(UnixTime(NOW as i64)), &check);
        assert_eq!(outcome.result, Ok(Trust::Cosignatures), "{index}: {outcome}");
        assert_eq!(outcome.serial.unwrap().index(), index as u64);
    }
    drop(log);
    let log = Log::open(&path, Synchronous::Full).unwrap();
    assert_eq!((log.size().unwrap(), log.info()), (total, &info()));
    assert!(matches!(Log::create(&path, &info(), Synchronous::Full, NOW), Err(Error::Exists)));
}

#[test]
fn each_source_is_logged_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    let mut log = create(&path);
    log.append(&entries(0, 3)).unwrap();
    let one = |source: &'static [u8], number| (source, entry(number));
    assert_eq!(log.append_once(&[one(b"a", 10), one(b"b", 11), one(b"a", 12)]).unwrap(), [3, 4, 3]);
    assert_eq!(log.size().unwrap(), 5);
    log.append(&entries(20, 21)).unwrap();
    drop(log);
    let mut log = Log::open(&path, Synchronous::Normal).unwrap();
    assert_eq!(log.append_once(&[one(b"b", 13), one(b"c", 14)]).unwrap(), [4, 6]);
    assert_eq!(log.append_once(&[]).unwrap(), [0; 0]);
    assert_eq!(log.entries(3, 5).unwrap(), [entry(10).entry, entry(11).entry]);
    assert_eq!((log.index_of(b"c").unwrap(), log.index_of(b"d").unwrap()), (Some(6), None));
    assert_eq!((log.source_of(4).unwrap(), log.source_of(5).unwrap()), (Some(b"b".to_vec()), None));
    // Nothing is logged if one of the entries is wrong.
    let wrong = NewEntry { key: Some(vec![0x30, 0]), ..entry(15) };
    assert!(log.append_once(&[one(b"e", 15), (b"f", wrong)]).is_err());
    assert_eq!((log.size().unwrap(), log.index_of(b"e").unwrap()), (7, None));
}

/// A file of version 1 had no table of sources.
#[test]
fn older_logs_are_upgraded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    let mut log = create(&path);
    log.append(&entries(0, 2)).unwrap();
    drop(log);
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("DROP TABLE source; PRAGMA user_version = 1").unwrap();
    drop(connection);
    let mut log = Log::open(&path, Synchronous::Normal).unwrap();
    assert_eq!(log.append_once(&[(b"a", entry(2))]).unwrap(), [2]);
}

#[test]
fn landmarks() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = create(&folder.path().join("log.db"));
    let schedule = LandmarkSchedule { interval: 100, max_lifetime: 1000 };
    assert_eq!(log.add_landmark(&schedule, NOW).unwrap(), None);
    log.append(&entries(0, 10)).unwrap();
    // What is not in a checkpoint is in no landmark.
    assert_eq!(log.add_landmark(&schedule, NOW).unwrap(), None);
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    assert_eq!(log.add_landmark(&schedule, NOW).unwrap().unwrap().number, 1);
    log.append(&entries(10, 37)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW + 10).unwrap();
    assert_eq!(log.add_landmark(&schedule, NOW + 50).unwrap(), None);
    assert_eq!(log.landmark_certificate(20, NOW + 50).unwrap(), None);
    assert_eq!(log.add_landmark(&schedule, NOW + 100).unwrap().unwrap().size, 37);
    let document = log.landmarks(NOW + 100).unwrap();
    assert_eq!(document.to_string(), format!("2\n37 {}\n10 {}\n0 0\n", NOW + 1100, NOW + 1000));
    let relative = log.landmark_certificate(20, NOW + 100).unwrap().unwrap();
    assert_eq!(relative.landmark.unwrap().number, 2);
    // Who knows the landmark's subtrees accepts it.
    let mut party = party();
    let now = Some(UnixTime(NOW as i64 + 100));
    assert_eq!(party.verify(&relative.der, now, &check()).result, Err(Refusal::AuthoritySignature));
    let last = log.last_checkpoint().unwrap().unwrap();
    for (landmark, subtree) in document.subtrees(NOW + 100) {
        let hash = log.subtree_hash(subtree).unwrap();
        let proof = log.consistency_proof(subtree, last.size).unwrap();
        let authority = party.authority_mut(&id("32473.1")).unwrap();
        let trusted = TrustedSubtree { hash, expiry: Some(landmark.expiry) };
        assert!(authority.trust_consistent(1, subtree, trusted, (last.size, &last.root), &proof));
        let wrong = TrustedSubtree { hash: [1; 32], ..trusted };
        assert!(!authority.trust_consistent(1, subtree, wrong, (last.size, &last.root), &proof));
    }
    assert_eq!(party.verify(&relative.der, now, &check()).result, Ok(Trust::TrustedSubtree));
    assert!(relative.der.len() < 700);
    // An entry of before the first landmark that is still there has none.
    assert_eq!(log.landmark_certificate(5, NOW + 1050).unwrap(), None);
    assert!(log.landmark_certificate(20, NOW + 1050).unwrap().is_some());
}

/// MTC §6.4.1: a landmark does not expire before the certificates that it has.
#[test]
fn landmarks_outlive_their_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = create(&folder.path().join("log.db"));
    let schedule = LandmarkSchedule { interval: 0, max_lifetime: 100 };
    let until = |turn: u64| NOW + 1000 + turn;
    for turn in 0..3 {
        // The certificates of these tests are valid until NOW + 1000.
        log.append(&entries(turn * 300, turn * 300 + 300)).unwrap();
        log.append(&[NewEntry::null()]).unwrap();
        log.checkpoint(&ca_key(), &[], NOW).unwrap();
        let landmark = log.add_landmark(&schedule, NOW + turn).unwrap().unwrap();
        assert_eq!(landmark.expiry, until(0));
    }
    // Later, the schedule decides.
    log.append(&entries(900, 901)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    assert_eq!(log.add_landmark(&schedule, NOW + 950).unwrap().unwrap().expiry, NOW + 1050);
}

#[test]
fn refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    let mut log = create(&path);
    let good = entry(1);
    let mut other_key = good.clone();
    other_key.key.as_mut().unwrap()[20] ^= 1;
    let unknown = NewEntry { entry: vec![0, 0, 0xF0, 0, 1], key: None };
    let extended = NewEntry { entry: vec![0, 4, 0xF0, 0, 0, 0, 0, 0], key: None };
    // The issuer is 32473.2: its last byte is at 4 + 5 + 22 - 1.
    let mut other_ca = good.clone();
    let at = other_ca.entry.windows(4).position(|four| four == [0x81, 0xFD, 0x59, 1]).unwrap();
    other_ca.entry[at + 3] = 2;
    for wrong in [other_key, unknown, extended, other_ca, NewEntry { entry: vec![0, 0, 0, 0, 1], key: None }] {
        assert!(matches!(log.append(&[good.clone(), wrong]), Err(Error::Format(_))));
    }
    // All or nothing.
    assert_eq!(log.size().unwrap(), 0);
    log.append(&[NewEntry::null(), good]).unwrap();
    assert_eq!(log.certificate(0).unwrap(), None);
    // Not before there is a checkpoint.
    assert_eq!(log.certificate(1).unwrap(), None);
    let other = CosignerKey::new(id("32473.2"), key(1)).unwrap();
    assert!(matches!(log.checkpoint(&other, &[], NOW), Err(Error::Key(_))));
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    // The CA has one key: another one signs nothing, whether the log has grown or not.
    let second = CosignerKey::new(id("32473.1"), key(9)).unwrap();
    assert!(matches!(log.checkpoint(&second, &[], NOW), Err(Error::Key(_))));
    log.append(&[NewEntry::null()]).unwrap();
    assert!(matches!(log.checkpoint(&second, &[], NOW), Err(Error::Key(_))));
    assert_eq!(log.last_checkpoint().unwrap().unwrap().size, 2);
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    // A null entry has no certificate.
    assert_eq!(log.certificate(0).unwrap(), None);
    assert!(log.certificate(1).unwrap().is_some());
    // The same size is signed once.
    let again = log.checkpoint(&ca_key(), &[], NOW + 5).unwrap();
    assert_eq!(again.time, NOW);
}

/// What nobody does by accident: the tables refuse it, and what goes around them is found on opening.
#[test]
fn tampering() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    let mut log = create(&path);
    log.append(&entries(0, 300)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    drop(log);
    let raw = rusqlite::Connection::open(&path).unwrap();
    for statement in [
        "UPDATE tree SET size = 299",
        "UPDATE tree SET root = zeroblob(32)",
        "DELETE FROM entry WHERE id = 7",
        "UPDATE entry SET entry = x'00000000' WHERE id = 7",
        "UPDATE checkpoint SET root = zeroblob(32)",
        "DELETE FROM checkpoint",
        "INSERT INTO checkpoint SELECT origin, 5, root, time, note FROM checkpoint",
    ] {
        assert!(raw.execute(statement, []).is_err(), "{statement}");
    }
    raw.execute("UPDATE tile SET hashes = zeroblob(length(hashes)) WHERE id = 1", []).unwrap();
    drop(raw);
    assert!(matches!(Log::open(&path, Synchronous::Full), Err(Error::Fork { size: 300, .. })));
    std::fs::write(folder.path().join("other.db"), "no database, however long it is, and it is long enough").unwrap();
    assert!(Log::open(&folder.path().join("other.db"), Synchronous::Full).is_err());
}

#[test]
fn audits() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = create(&folder.path().join("log.db"));
    let mut auditor = Auditor::new(info().origin, note_key());
    let mut names = 0;
    log.append(&entries(0, 300)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    let report = auditor.follow(&log, &check(), &mut |entry| {
        assert_eq!(entry.dns_names().unwrap(), [format!("host{}.example.org", entry.index)]);
        names += 1;
    });
    let report = report.unwrap();
    assert_eq!((report.from, report.to, report.certificates, report.tiles, names), (0, 300, 300, 3, 300));
    let kept = auditor.state();
    let mut again = Auditor::from_state(&kept).unwrap();
    assert_eq!(again, auditor);
    log.append(&entries(300, 600)).unwrap();
    log.append(&[NewEntry::null()]).unwrap();
    log.checkpoint(&ca_key(), &[], NOW + 1).unwrap();
    // The same from files.
    let files = folder.path().join("public");
    publish(&log, &files, NOW + 1).unwrap();
    let report = again.follow(files.as_path(), &check(), &mut |_| {}).unwrap();
    assert_eq!((report.from, report.to, report.nulls), (300, 601, 1));
    assert_eq!(auditor.follow(&log, &check(), &mut |_| {}).unwrap().to, 601);
    assert_eq!(auditor, again);
    assert_eq!(auditor.follow(&log, &check(), &mut |_| {}).unwrap().certificates, 0);
    // A second log with the same key, and another view: it is smaller, then of another root.
    let mut other = create(&folder.path().join("other.db"));
    other.append(&entries(1, 500)).unwrap();
    other.checkpoint(&ca_key(), &[], NOW + 2).unwrap();
    assert!(matches!(auditor.follow(&other, &check(), &mut |_| {}), Err(AuditError::Shrunk { from: 601, to: 499 })));
    other.append(&entries(500, 700)).unwrap();
    other.checkpoint(&ca_key(), &[], NOW + 3).unwrap();
    assert!(matches!(auditor.follow(&other, &check(), &mut |_| {}), Err(AuditError::Fork { size: 699, .. })));
    // A changed tile, and a changed entry.
    let changed = |name: &str, at: usize| {
        let file = files.join(name);
        let mut bytes = std::fs::read(&file).unwrap();
        bytes[at] ^= 1;
        std::fs::write(&file, &bytes).unwrap();
        let mut fresh = Auditor::new(info().origin, note_key());
        let found = fresh.follow(files.as_path(), &check(), &mut |_| {});
        bytes[at] ^= 1;
        std::fs::write(&file, &bytes).unwrap();
        found.unwrap_err()
    };
    assert!(matches!(changed("tile/0/001", 40), AuditError::Tile(_)));
    assert!(matches!(changed("tile/entries/001", 40), AuditError::Tile(_)));
    assert!(matches!(changed("checkpoint", 100), AuditError::Signature | AuditError::Checkpoint(_)));
    assert_eq!(auditor.size(), 601);
    assert!(Auditor::from_state(&kept.replace("300", "301")).is_err());
    let entries = log.entries(0, 1).unwrap();
    let first = LogEntry::decode(&entries[0]).unwrap();
    assert!(first.is_recognised());
}

/// A log that was put back to an earlier state does not go over what was published of it.
/// Tiles above the leaves are compared, full ones and those at the right edge, also from a state that was kept.
#[test]
fn audits_of_tiles_above_the_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    let mut log = create(&folder.path().join("log.db"));
    let fresh = || Auditor::new(info().origin, note_key());
    log.append(&entries(0, 700)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    publish(&log, &site, NOW).unwrap();
    let mut kept = fresh();
    kept.follow(site.as_path(), &check(), &mut |_| ()).unwrap();
    log.append(&entries(700, 1500)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    publish(&log, &site, NOW).unwrap();
    let state = kept.state();
    for auditor in [fresh(), Auditor::from_state(&state).unwrap()] {
        auditor.clone().follow(site.as_path(), &check(), &mut |_| ()).unwrap();
    }
    let tile = site.join("tile/1/000.p/5");
    let good = std::fs::read(&tile).unwrap();
    // The first two were there when the state was kept, and make its edge.
    for hash in 0..5 {
        let mut bad = good.clone();
        bad[hash * 32] ^= 1;
        std::fs::write(&tile, &bad).unwrap();
        for mut auditor in [fresh(), Auditor::from_state(&state).unwrap()] {
            let found = auditor.follow(site.as_path(), &check(), &mut |_| ());
            assert!(
                matches!(&found, Err(AuditError::Tile(path)) if path.to_string() == "tile/1/000.p/5"),
                "{hash}: {found:?}"
            );
        }
    }
    std::fs::write(&tile, &good[..128]).unwrap();
    assert!(fresh().follow(site.as_path(), &check(), &mut |_| ()).is_err());
    std::fs::remove_file(&tile).unwrap();
    assert!(matches!(fresh().follow(site.as_path(), &check(), &mut |_| ()), Err(AuditError::Source(_))));
    // A device in its place has no end, and is not read.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/dev/zero", &tile).unwrap();
        let found = fresh().follow(site.as_path(), &check(), &mut |_| ()).unwrap_err();
        assert!(found.to_string().contains("it is not a regular file"), "{found}");
    }
}

/// MTC §5.3: a cosignature of the checkpoint's tree with time 0 states no time; it is the CA's signature of the root all the same.
#[test]
fn an_audit_of_a_checkpoint_without_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    let mut log = create(&folder.path().join("log.db"));
    log.append(&entries(0, 300)).unwrap();
    let record = log.checkpoint(&ca_key(), &[], NOW).unwrap();
    publish(&log, &site, NOW).unwrap();
    let (key, ca) = (note_key(), ca_key());
    let text = Note::parse(&record.note).unwrap().text().to_owned();
    let signed = |time: u64, of: u64| {
        let mut note = Note::new(&text).unwrap();
        note.add(key.signature(time, &ca.sign(&key.message(&text, of).unwrap()).unwrap()));
        std::fs::write(site.join("checkpoint"), note.to_string()).unwrap();
        Auditor::new(info().origin, note_key()).follow(site.as_path(), &check(), &mut |_| ()).map(|report| report.to)
    };
    assert_eq!(signed(0, 0).unwrap(), 300);
    assert_eq!(signed(NOW, NOW).unwrap(), 300);
    assert!(matches!(signed(0, NOW), Err(AuditError::Signature)));
    assert!(matches!(signed(NOW, 0), Err(AuditError::Signature)));
    // A witness's answer has a time.
    let mut note = Note::new(&text).unwrap();
    note.add(key.signature(0, &ca.sign(&key.message(&text, 0).unwrap()).unwrap()));
    assert!(key.verify(&note, &check()).is_err());
}

/// A clock that was ahead or is behind is told, and has a way out.
#[test]
fn clocks() {
    const DAY: u64 = 86_400;
    let folder = tempfile::tempdir().unwrap();
    let mut log = create(&folder.path().join("log.db"));
    let schedule = LandmarkSchedule { interval: 3600, max_lifetime: 7 * DAY };
    let clock = |error: Error| matches!(error, Error::Clock { .. });
    log.append(&entries(0, 10)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW + 1000 * DAY).unwrap();
    let ahead = log.add_landmark(&schedule, NOW + 1000 * DAY).unwrap().unwrap();
    // Right again: the last checkpoint and the last landmark are of later.
    assert!(clock(log.check_clock(NOW).unwrap_err()));
    log.append(&entries(10, 20)).unwrap();
    let error = log.checkpoint(&ca_key(), &[], NOW).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the last checkpoint was signed at 2029-06-17T14:13:20Z, but the clock shows 2026-09-21T14:13:20Z: the clock is wrong \
         now, or was wrong then"
    );
    assert!(clock(log.add_landmark(&schedule, NOW).unwrap_err()));
    log.clock_was_wrong();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    let next = log.add_landmark(&schedule, NOW).unwrap().unwrap();
    // No landmark expires before the one that it follows (MTC §6.4.1).
    assert_eq!((next.number, next.size, next.expiry), (2, 20, ahead.expiry));
    drop(log);
    let mut log = Log::open(&folder.path().join("log.db"), Synchronous::Full).unwrap();
    log.check_clock(NOW).unwrap();
    // Five minutes are two machines' difference.
    log.check_clock(NOW - 300).unwrap();
    assert!(clock(log.check_clock(NOW - 301).unwrap_err()));
    log.append(&entries(20, 30)).unwrap();
    assert!(clock(log.checkpoint(&ca_key(), &[], NOW - 1000 * DAY).unwrap_err()));
    log.checkpoint(&ca_key(), &[], NOW - 100).unwrap();
}

/// Several that append and sign at once: each finds its own entry signed.
#[test]
fn at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    drop(create(&path));
    let work = |number: u64| {
        let path = path.clone();
        move || {
            for turn in 0..10 {
                let mut log = Log::open(&path, Synchronous::Normal).unwrap();
                let index = log.append(&[entry(number * 10 + turn)]).unwrap();
                assert!(log.checkpoint(&ca_key(), &[], NOW).unwrap().size > index);
                let made = log.certificate(index).unwrap().unwrap();
                assert_eq!(
                    party().verify(&made.der, Some(UnixTime(NOW as i64)), &check()).result,
                    Ok(Trust::Cosignatures)
                );
            }
        }
    };
    let threads: Vec<_> = (0..4).map(|number| std::thread::spawn(work(number))).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(Log::open(&path, Synchronous::Normal).unwrap().size().unwrap(), 40);
}

#[test]
fn published_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    let files = folder.path().join("public");
    let mut log = create(&path);
    log.append(&entries(0, 10)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    publish(&log, &files, NOW).unwrap();
    let mut again = create(&folder.path().join("again.db"));
    again.append(&entries(0, 9)).unwrap();
    again.checkpoint(&ca_key(), &[], NOW).unwrap();
    assert!(matches!(publish(&again, &files, NOW), Err(Error::Fork { size: 10, .. })));
    // Larger, and no continuation.
    again.append(&entries(10, 20)).unwrap();
    again.checkpoint(&ca_key(), &[], NOW).unwrap();
    assert!(matches!(publish(&again, &files, NOW), Err(Error::Fork { size: 10, .. })));
    log.append(&entries(10, 20)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    assert_eq!(publish(&log, &files, NOW).unwrap(), 4);
}

/// An entry of another issuer has no business in a log; `Log` does not take it, so a source is made up.
#[test]
fn audit_of_issuers() {
    struct Source(std::collections::HashMap<String, Vec<u8>>);
    impl tagwise_mtc_log::LogSource for Source {
        fn get(&self, path: &str) -> Result<Vec<u8>, Error> {
            self.0.get(path).cloned().ok_or(Error::Missing("such file"))
        }
    }
    let mut foreign = entry(1).entry;
    let at = foreign.windows(4).position(|four| four == [0x81, 0xFD, 0x59, 1]).unwrap();
    let audit = |entry: Vec<u8>| {
        let leaf = hash::leaf(&entry);
        let signer = tagwise_mtc_log::NoteSigner::new(&id("32473.1").name(), NoteKeyKind::MlDsa44, key(1)).unwrap();
        let mut note = Note::new(&Checkpoint::new(&info().origin, 1, leaf).to_string()).unwrap();
        note.add(signer.sign(note.text(), NOW).unwrap());
        let mut bundle = Vec::new();
        tagwise_mtc::tile::put_entry(&mut bundle, &entry).unwrap();
        let files = [
            ("checkpoint", note.to_string().into_bytes()),
            ("tile/0/000.p/1", leaf.to_vec()),
            ("tile/entries/000.p/1", bundle),
        ];
        let source = Source(files.map(|(name, bytes)| (name.to_owned(), bytes)).into());
        Auditor::new(info().origin, note_key()).follow(&source, &check(), &mut |_| {})
    };
    assert_eq!(audit(foreign.clone()).unwrap().certificates, 1);
    foreign[at + 3] = 2;
    assert!(matches!(audit(foreign), Err(AuditError::Entry { index: 0, .. })));
}

/// The last byte of 81 FD 59 01 becomes 2.
fn replaced(last: &mut [u8; 3], byte: &u8) -> Option<u8> {
    let found = *last == [0x81, 0xFD, 0x59];
    *last = [last[1], last[2], *byte];
    Some(if found { 2 } else { *byte })
}

#[test]
fn a_certificate_is_its_entry() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = create(&folder.path().join("log.db"));
    log.append(&entries(0, 3)).unwrap();
    log.checkpoint(&ca_key(), &[], NOW).unwrap();
    let one = log.certificate(2).unwrap().unwrap();
    let read = MtcCertificate::from_der(&one.der).unwrap();
    assert_eq!(read.entry().unwrap(), log.entries(2, 3).unwrap()[0]);
    assert_eq!(one.subtree, Subtree::new(2, 3).unwrap());
    // Its TBSCertificate makes the same entry again, and with another CA one of that CA.
    assert_eq!(entry_of_tbs(&info(), read.tbs()).unwrap(), entry(2));
    let other = LogInfo::new(id("32473.2"), 1, Draft::V07).unwrap();
    let other = entry_of_tbs(&other, read.tbs()).unwrap();
    assert_eq!(other.entry, entry(2).entry.iter().scan([0; 3], replaced).collect::<Vec<u8>>());
    assert!(matches!(entry_of_tbs(&info(), &read.tbs()[1..]), Err(Error::Store { .. })));
}
