//! `tagwise ca` where nothing can be written: read-only folders, full disks, files that may not grow.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{Run, run_of, tagwise};

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn good(run: &Run) {
    assert_eq!(run.code, Some(0), "{}", run.err);
}

/// A CA with a certificate and a CRL in a folder.
fn ca(folder: &Path) -> String {
    let db = path(folder, "ca.db");
    good(&tagwise(&["ca", "init", "--db", &db, "--subject", "CN=Root", "--key-type", "ed25519", "--no-passphrase"]));
    let (key, public) = (path(folder, "key"), path(folder, "key.pub"));
    good(&tagwise(&["key", "new", "ed25519", "--no-passphrase", "-o", &key, "--public", &public]));
    issue(&db, &public);
    good(&tagwise(&["ca", "crl", "--db", &db]));
    db
}

fn issue(db: &str, public: &str) {
    good(&tagwise(&["ca", "issue", "--db", db, "--public-key", public, "--dns", "a.example.org"]));
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().unwrap().stdout == b"0\n"
}

/// Runs the command as somebody for whom permissions count.
fn as_nobody(args: &[&str]) -> Run {
    let program = env!("CARGO_BIN_EXE_tagwise");
    let mut command = Command::new(if is_root() { "setpriv" } else { program });
    if is_root() {
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--", program]);
    }
    run_of(&command.args(args).stdin(Stdio::null()).output().unwrap())
}

/// Runs the command with files that may not grow beyond so many blocks of 512 octets.
fn limited(blocks: u64, args: &[&str]) -> Run {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_tagwise")]).args(args);
    run_of(&command.stdin(Stdio::null()).output().unwrap())
}

/// Checks that such a run of the command can list and export the contents.
fn is_read(run: impl Fn(&[&str]) -> Run, db: &str) {
    let listed = run(&["ca", "list", "--db", db]);
    good(&listed);
    assert!(listed.out.contains("DNS:a.example.org"), "{}", listed.out);
    for what in [&["--ca"][..], &["--all"], &["--crl"], &["--key"]] {
        let run = run(&[&["ca", "export", "--db", db][..], what].concat());
        good(&run);
        assert!(run.out.starts_with("-----BEGIN "), "{}", run.out);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn read_only_folders() {
    let folder = tempfile::tempdir().unwrap();
    let db = ca(folder.path());
    let before = fs::read(&db).unwrap();
    fs::set_permissions(&db, fs::Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    is_read(as_nobody, &db);
    let run = as_nobody(&["ca", "crl", "--db", &db]);
    assert_eq!(run.code, Some(3), "{}", run.err);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(names(folder.path()), ["ca.db", "key", "key.pub"]);
    assert!(fs::read(&db).unwrap() == before);
    // A log that holds what is not in the file yet is not passed over.
    fs::set_permissions(&db, fs::Permissions::from_mode(0o644)).unwrap();
    let copy = tempfile::tempdir().unwrap();
    let copied = path(copy.path(), "ca.db");
    let held = rusqlite::Connection::open(&db).unwrap();
    held.query_row("SELECT count(*) FROM crl", [], |row| row.get::<_, i64>(0)).unwrap();
    issue(&db, &path(folder.path(), "key.pub"));
    for end in ["", "-wal"] {
        fs::copy(format!("{db}{end}"), format!("{copied}{end}")).unwrap();
        fs::set_permissions(format!("{copied}{end}"), fs::Permissions::from_mode(0o444)).unwrap();
    }
    fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let run = as_nobody(&["ca", "list", "--db", &copied]);
    assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{}", run.err);
    assert!(
        run.err.contains("unable to open database file") && run.err.contains("its write-ahead log (-wal) has changes"),
        "{}",
        run.err
    );
    fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

/// A file system of a few hundred KiB, which is gone with this value.
struct Small(PathBuf);

impl Small {
    fn new(at: &Path) -> Option<Self> {
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=512k", "tmpfs"]).arg(at).output();
        if is_root() && mount.is_ok_and(|output| output.status.success()) {
            return Some(Self(at.to_owned()));
        }
        tagwise_testing::skip("no file system could be mounted");
        None
    }

    fn fill(&self) {
        let mut octets = vec![0; 1 << 20];
        while !octets.is_empty() {
            // The last one that fits in part fills it.
            let _ = fs::write(self.0.join(format!("full{}", octets.len())), &octets);
            octets.truncate(octets.len() / 2);
        }
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn full_disks() {
    let folder = tempfile::tempdir().unwrap();
    let Some(small) = Small::new(folder.path()) else { return };
    let db = ca(folder.path());
    small.fill();
    let before = names(folder.path());
    is_read(tagwise, &db);
    for args in [
        &["ca", "crl", "--db", &db][..],
        &["ca", "issue", "--db", &db, "--public-key", &path(folder.path(), "key.pub"), "--dns", "b.example.org"],
    ] {
        let run = tagwise(args);
        assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{}", run.err);
        assert!(run.err.contains("the disk is full"), "{}", run.err);
        is_read(tagwise, &db);
    }
    // Nothing half-made is left of a new CA.
    let other = path(folder.path(), "other.db");
    let run =
        tagwise(&["ca", "init", "--db", &other, "--subject", "CN=Other", "--key-type", "ed25519", "--no-passphrase"]);
    assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{}", run.err);
    let after: Vec<String> = names(folder.path()).into_iter().filter(|name| !name.starts_with("ca.db-")).collect();
    assert_eq!(after, before);
}

/// The same by a limit on files, which needs nobody's leave.
#[test]
fn files_that_may_not_grow() {
    let folder = tempfile::tempdir().unwrap();
    let db = ca(folder.path());
    is_read(|args| limited(1, args), &db);
    let other = path(folder.path(), "other.db");
    let before = names(folder.path());
    let init = ["ca", "init", "--db", &other, "--subject", "CN=Other", "--key-type", "ed25519", "--no-passphrase"];
    let run = limited(16, &init);
    assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{}", run.err);
    assert_eq!(names(folder.path()), before);
    good(&tagwise(&init));
}

/// A new key is kept unless it is certain that it has no certificate.
#[test]
fn keys_of_commits_that_fail() {
    let folder = tempfile::tempdir().unwrap();
    let db = ca(folder.path());
    // The log stays and grows as long as somebody has the file open.
    let held = rusqlite::Connection::open(&db).unwrap();
    held.query_row("SELECT count(*) FROM crl", [], |row| row.get::<_, i64>(0)).unwrap();
    for _ in 0..6 {
        issue(&db, &path(folder.path(), "key.pub"));
    }
    let log = fs::metadata(format!("{db}-wal")).unwrap().len();
    let key = path(folder.path(), "new.key");
    let new = ["--new-key", "ed25519", "--key-out", &key, "--key-no-passphrase", "--dns", "b.example.org"];
    let issue = [&["ca", "issue", "--db", &db][..], &new].concat();
    let run = limited(log / 512, &issue);
    assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{}", run.err);
    for words in [
        "which may or may not have completed",
        "the key was kept in ",
        "new.key: `tagwise ca list` shows whether it was certified",
    ] {
        assert!(run.err.contains(words), "{}", run.err);
    }
    assert!(fs::read_to_string(&key).unwrap().contains("PRIVATE KEY"));
    assert!(!tagwise(&["ca", "list", "--db", &db]).out.contains("b.example.org"));
    fs::remove_file(&key).unwrap();
    // What is refused for certain leaves no key.
    let run = tagwise(&[&issue[..], &["--days", "36500"]].concat());
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(!Path::new(&key).exists());
    good(&tagwise(&issue));
}
