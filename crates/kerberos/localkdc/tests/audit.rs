//! Records in a file and in the journal.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::os::unix::net::UnixDatagram;

use tagwise_localkdc::audit::{EventKind, Record, Sinks};
use tagwise_localkdc::policy;

fn record() -> Record {
    Record {
        client: Some("ann@LOCAL".into()),
        status: Some("ISSUE".into()),
        ..Record::new(EventKind::TgsReq, false, 0)
    }
}

#[test]
fn lines_are_appended_to_what_is_at_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit");
    let sinks = Sinks::open(&policy::Audit { file: Some(path.clone()), journal: false }).unwrap();
    sinks.write(&record()).unwrap();
    sinks.write(&record()).unwrap();
    fs::rename(&path, folder.path().join("old")).unwrap();
    let hostile = Record { client: Some("a\nb\"c@LOCAL".into()), ..record() };
    sinks.write(&hostile).unwrap();
    let old = fs::read_to_string(folder.path().join("old")).unwrap();
    let one =
        r#"{"time":"1970-01-01T00:00:00Z","event":"tgs_req","success":false,"client":"ann@LOCAL","status":"ISSUE"}"#;
    assert_eq!(old, format!("{one}\n{one}\n"));
    let new = fs::read_to_string(&path).unwrap();
    assert!(new.lines().count() == 1 && new.contains(r#""client":"a\nb\"c@LOCAL""#), "{new}");
    let nowhere = policy::Audit { file: Some(folder.path().join("no/audit")), journal: false };
    assert!(Sinks::open(&nowhere).is_err());
}

#[test]
fn the_journal_gets_fields() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let journal = UnixDatagram::bind(&path).unwrap();
    let sinks = Sinks::with_journal(&policy::Audit { file: None, journal: true }, &path).unwrap();
    sinks.write(&record()).unwrap();
    let mut packet = [0; 1000];
    let len = journal.recv(&mut packet).unwrap();
    let text = std::str::from_utf8(&packet[..len]).unwrap();
    let begin = "MESSAGE=tgs_req failed for ann@LOCAL : ISSUE\nPRIORITY=5\nSYSLOG_IDENTIFIER=localkdc\n";
    assert!(text.starts_with(begin) && text.contains("\nLOCALKDC_RECORD={\"time\""), "{text}");
    // A name with an end of line is no field of its own.
    sinks.write(&Record { client: Some("x\nUID=0".into()), ..record() }).unwrap();
    let len = journal.recv(&mut packet).unwrap();
    let field = [&b"LOCALKDC_CLIENT\n\x07\0\0\0\0\0\0\0x\nUID=0\n"[..]].concat();
    assert!(packet[..len].windows(field.len()).any(|window| window == field));
    // A journal that went away is an error where it is the only sink, and not otherwise.
    drop(journal);
    assert!(sinks.write(&record()).is_err());
    let file = Some(folder.path().join("audit"));
    Sinks::with_journal(&policy::Audit { file, journal: true }, &path).unwrap().write(&record()).unwrap();
}
