//! Faults around the KDC: its database is locked, read-only or cut off in the middle of a change, users cannot be looked up, the clock
//! jumps. A client gets a clear error soon, nothing is lost, and when it is over all is as before.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod stored;

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use stored::Lab;

/// The text of `KDC_ERR_SVC_UNAVAILABLE` (RFC 4120 §7.5.9).
const UNAVAILABLE: &str = "service is not available";
/// The longest time until a client knows.
const SOON: Duration = Duration::from_secs(15);

fn lab(policy: &str) -> Option<Lab> {
    let lab = Lab::new(policy)?;
    lab.setup().unwrap();
    lab.local("addprinc -pw annpw ann");
    Some(lab)
}

/// The result of a `kinit`, and its time.
fn timed(lab: &Lab, name: &str) -> (bool, String, Duration) {
    let begun = Instant::now();
    let (granted, said) = lab.kinit(name, "annpw");
    (granted, said, begun.elapsed())
}

fn granted(lab: &Lab) {
    let (granted, said, time) = timed(lab, "ann");
    assert!(granted && time < SOON, "{said} after {time:?}: {}", lab.log());
}

fn unavailable(lab: &Lab, name: &str) {
    let (granted, said, time) = timed(lab, name);
    assert!(!granted && said.contains(UNAVAILABLE) && time < SOON, "{said} after {time:?}: {}", lab.log());
}

/// Holds a lock of the system's on a whole file until the value is dropped.
fn lock(path: &Path) -> fs::File {
    let file = fs::File::options().read(true).write(true).open(path).unwrap();
    let whole = nix::libc::flock {
        l_type: i16::try_from(nix::libc::F_WRLCK).unwrap(),
        l_whence: i16::try_from(nix::libc::SEEK_SET).unwrap(),
        l_start: 0,
        l_len: 0,
        l_pid: 0,
    };
    nix::fcntl::fcntl(&file, nix::fcntl::FcntlArg::F_SETLK(&whole)).unwrap();
    file
}

#[test]
fn the_database_is_locked() {
    let Some(mut lab) = lab("") else { return };
    lab.kdc();
    // By another program, before the KDC has served anybody.
    let held = lock(&lab.layout.database());
    unavailable(&lab, "ann");
    assert!(
        lab.log().contains("principal.sqlite: another program has had the database locked for 3 seconds"),
        "{}",
        lab.log()
    );
    let begun = Instant::now();
    let (done, said) = lab.tried("kadmin.local", &["-r", "LOCALKDC", "addprinc", "-pw", "bobpw", "bob"]);
    assert!(!done && said.contains("another program has had the database locked"), "{said}");
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    drop(held);
    granted(&lab);
    // By somebody who writes: the KDC reads on, an administrator waits, and is told.
    let other = rusqlite::Connection::open(lab.layout.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE; DELETE FROM principal").unwrap();
    granted(&lab);
    let (done, said) = lab.tried("kadmin.local", &["-r", "LOCALKDC", "cpw", "-pw", "otherpw", "ann"]);
    assert!(!done && said.contains("another program has had the database locked"), "{said}");
    other.execute_batch("ROLLBACK").unwrap();
    granted(&lab);
    lab.local("addprinc -pw bobpw bob");
    lab.stop();
}

#[test]
fn the_database_is_away_damaged_or_another() {
    let Some(mut lab) = lab("") else { return };
    lab.kdc();
    granted(&lab);
    let database = lab.layout.database();
    let away = database.with_extension("away");
    fs::rename(&database, &away).unwrap();
    unavailable(&lab, "ann");
    fs::write(&database, "not a database, but a text that is long enough to be looked at").unwrap();
    unavailable(&lab, "ann");
    let (done, said) = lab.tried("kadmin.local", &["-r", "LOCALKDC", "listprincs"]);
    assert!(!done && said.contains("principal.sqlite: not a SQLite database"), "{said}");
    fs::remove_file(&database).unwrap();
    let other = rusqlite::Connection::open(&database).unwrap();
    other.execute_batch("CREATE TABLE principal (name, entry)").unwrap();
    drop(other);
    unavailable(&lab, "ann");
    // What was there is put back, under the KDC that runs.
    fs::rename(&away, &database).unwrap();
    granted(&lab);
    // A later version of the tables is not guessed at.
    lab.stop();
    let later = rusqlite::Connection::open(&database).unwrap();
    later.pragma_update(None, "user_version", 2).unwrap();
    drop(later);
    let (done, said) = lab.tried("kadmin.local", &["-r", "LOCALKDC", "listprincs"]);
    assert!(!done && said.contains("database version 2 is not supported: expected 1"), "{said}");
}

#[test]
fn the_file_system_is_read_only() {
    let Some(mut lab) = lab("") else { return };
    if !nix::unistd::geteuid().is_root() {
        tagwise_testing::skip("not root");
        return;
    }
    let state = lab.layout.state().display().to_string();
    let barred = |lab: &Lab, name: &str| {
        let program = stored::program(name);
        let script = "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" && shift && exec \"$@\"";
        let mut command = lab.command("/usr/bin/unshare");
        command.args(["-m", "/bin/sh", "-c", script, "sh", &state, &program]);
        command
    };
    if !barred(&lab, "true").output().is_ok_and(|output| output.status.success()) {
        tagwise_testing::skip("no namespace of mounts");
        return;
    }
    let command = barred(&lab, "krb5kdc");
    lab.kdc_by(command);
    granted(&lab);
    granted(&lab);
    let output =
        barred(&lab, "kadmin.local").args(["-r", "LOCALKDC", "cpw", "-pw", "otherpw", "ann"]).output().unwrap();
    let said = stored::text(&output);
    assert!(!output.status.success() && said.contains("principal.sqlite: the database"), "{said}");
    granted(&lab);
    lab.stop();
}

#[test]
fn users_cannot_be_looked_up() {
    let Some(mut lab) = lab("[users]\nsocket = 'BASE/users'\n") else { return };
    lab.kdc();
    // No service.
    unavailable(&lab, "ferris");
    // One that takes connections and says nothing: the KDC waits two seconds for each of the client's tries.
    let silent = UnixListener::bind(lab.path("users")).unwrap();
    unavailable(&lab, "ferris");
    // One that died.
    drop(silent);
    unavailable(&lab, "ferris");
    assert!(lab.log().contains("the user \"ferris\" cannot be looked up"), "{}", lab.log());
    // Who is in the database needs no service.
    granted(&lab);
    lab.stop();
}

/// The library that tells programs another time.
fn faketime() -> Option<String> {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    let found = folders
        .iter()
        .map(|folder| format!("{folder}/faketime/libfaketime.so.1"))
        .find(|path| Path::new(path).exists());
    if found.is_none() {
        tagwise_testing::skip("no libfaketime (faketime)");
    }
    found
}

#[test]
fn the_clock_jumps() {
    let Some(library) = faketime() else { return };
    let Some(mut lab) = lab("") else { return };
    let jump = |lab: &Lab, by: &str| {
        let new = lab.path("time.new");
        fs::write(&new, format!("{by}\n")).unwrap();
        fs::rename(new, lab.path("time")).unwrap();
    };
    jump(&lab, "+0");
    let mut command = lab.command("krb5kdc");
    command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", lab.path("time")).env("FAKETIME_NO_CACHE", "1");
    command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    lab.kdc_by(command);
    granted(&lab);
    lab.run("kvno", &["host/localhost"]);
    for by in ["+3h", "-3h"] {
        granted(&lab);
        jump(&lab, by);
        // A ticket of the time before: the client learns that clocks differ, or that its ticket is of another time.
        let begun = Instant::now();
        let (granted, said) = lab.tried("kvno", &["host/127.0.0.1"]);
        let clear = ["lock skew too great", "not yet valid", "expired"].iter().any(|text| said.contains(text));
        assert!(!granted && clear, "{by}: {said}");
        assert!(begun.elapsed() < SOON);
        jump(&lab, "+0");
        let (granted, said) = lab.tried("kvno", &["host/127.0.0.1"]);
        assert!(granted, "back from {by}: {said}{}", lab.log());
    }
    lab.stop();
}

/// Pseudo-random numbers, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

#[test]
fn a_change_of_a_password_is_cut() {
    let Some(mut lab) = lab("") else { return };
    lab.kdc();
    let rounds = if std::env::var_os("TAGWISE_ALL").is_some() { 500 } else { 15 };
    let begun = Instant::now();
    lab.local("cpw -pw first ann");
    let whole = begun.elapsed();
    let (mut random, mut password, mut changed, mut kept) = (Random(0x2545_f491_4f6c_dd1d), "first".to_owned(), 0, 0);
    for round in 0..rounds {
        let new = format!("round{round}");
        let mut command = lab.command("kadmin.local");
        command.args(["-r", "LOCALKDC", "cpw", "-pw", &new, "ann"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        // Mostly near its end, where it writes.
        let span = u64::try_from(whole.as_micros()).unwrap();
        std::thread::sleep(Duration::from_micros(span / 3 + random.below(span)));
        child.kill().unwrap();
        let told = child.wait().unwrap().success();
        let works = |password: &str| lab.kinit("ann", password).0;
        let (before, after) = (works(&password), works(&new));
        assert!(before != after, "round {round}: {before} {after}");
        assert!(!told || after, "round {round}: told that it was modified");
        if after {
            (password, changed) = (new, changed + 1);
        } else {
            kept += 1;
        }
    }
    eprintln!("cut {rounds} times: {changed} changed, {kept} as before");
    assert!(changed > 0 && kept > 0, "the cuts were all too late or too early: {changed} {kept}");
    let database = rusqlite::Connection::open(lab.layout.database()).unwrap();
    let said: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(said, "ok");
    drop(database);
    let listed = lab.local("listprincs");
    assert!(listed.contains("ann@") && listed.contains("host/localhost@") && listed.contains("krbtgt/"), "{listed}");
    lab.stop();
}
