//! Nothing is lost and nothing is repeated when commands of a CA are killed at any point, or run at once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(unix)]

mod common;

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::tagwise;
use tagwise_codec::{Decode, pem};
use tagwise_pkix::{Certificate, CertificateList};

const KILLS: usize = 200;

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// A CA, a public key to certify, and a few certificates to revoke.
fn prepare(folder: &Path) -> String {
    let db = path(folder, "ca.db");
    let init = ["ca", "init", "--db", &db, "--subject", "CN=Root", "--key-type", "ed25519", "--no-passphrase"];
    let run = tagwise(&init);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let (key, public) = (path(folder, "key"), path(folder, "key.pub"));
    let run = tagwise(&["key", "new", "ed25519", "--no-passphrase", "-o", &key, "--public", &public]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    db
}

fn command(args: &[&str], out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
    command.args(args).stdin(Stdio::null()).stdout(File::create(out).unwrap());
    command.stderr(File::create(out.with_extension("err")).unwrap());
    command
}

/// All blocks of PEM that are whole in a file: one that was being written may be cut.
fn blocks(path: &Path) -> Vec<Vec<u8>> {
    let text = fs::read(path).unwrap();
    pem::blocks(&text).map_while(Result::ok).map_while(|block| block.decode().ok()).collect()
}

/// The database as a stranger sees it: whole, serial numbers once each, and no CRL with a number that another has.
fn check(db: &str) -> (HashSet<Vec<u8>>, Vec<u64>) {
    let connection = rusqlite::Connection::open(db).unwrap();
    let text = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(text("PRAGMA integrity_check"), "ok");
    let wrong = connection.prepare("PRAGMA foreign_key_check").unwrap().query_map([], |_row| Ok(())).unwrap().count();
    assert_eq!(wrong, 0);
    let mut statement = connection.prepare("SELECT serial, der FROM certificate ORDER BY id").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Vec<u8>>(1)?))).unwrap();
    let mut serials = HashSet::new();
    for row in rows {
        let (serial, der) = row.unwrap();
        let certificate = Certificate::from_der(&der).unwrap();
        assert_eq!(certificate.tbs_certificate.serial_number.0.as_bytes(), serial);
        assert!(serials.insert(serial), "a serial number is there twice");
    }
    let mut statement = connection.prepare("SELECT number, der FROM crl ORDER BY id").unwrap();
    let rows = statement.query_map([], |row| Ok((row.get::<_, u32>(0)?, row.get::<_, Vec<u8>>(1)?))).unwrap();
    let numbers: Vec<u64> = rows
        .map(|row| {
            let (number, der) = row.unwrap();
            let number = u64::from(number);
            let list = CertificateList::from_der(&der).unwrap();
            assert_eq!(list.tbs_cert_list.number().unwrap().unwrap().0.get(), number);
            number
        })
        .collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
    (serials, numbers)
}

/// Moments to kill at. `seed` is the state of a generator that gives the same numbers each time. `last` has the latest moment of
/// each kind of command in microseconds. It follows the load of the machine, so that some commands end and some do not.
struct Moments {
    seed: u64,
    last: [u64; 3],
}

impl Moments {
    fn new(seed: u64, last: Duration) -> Moments {
        Moments { seed, last: [u64::try_from(last.as_micros()).unwrap(); 3] }
    }

    /// Sends SIGKILL to a command of this kind, and returns whether it was still running.
    fn kill(&mut self, kind: usize, child: &mut Child) -> bool {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let last = &mut self.last[kind];
        std::thread::sleep(Duration::from_micros((self.seed >> 33) % *last));
        child.kill().unwrap();
        let killed = child.wait().unwrap().code().is_none();
        *last = if killed { *last * 5 / 4 } else { (*last * 4 / 5).max(1000) };
        killed
    }
}

#[test]
fn killed_at_any_point() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let db = prepare(folder);
    let public = path(folder, "key.pub");
    let issue = ["ca", "issue", "--db", &db, "--public-key", &public, "--dns", "a.example.org"];
    // How long each takes when it is left alone.
    let start = Instant::now();
    for number in 0..8 {
        assert!(command(&issue, &folder.join(format!("first{number}"))).status().unwrap().success());
    }
    let usual = start.elapsed() / 8;
    let mut to_revoke: Vec<String> =
        (0..8).map(|number| serial(&blocks(&folder.join(format!("first{number}")))[0])).collect();
    let mut moments = Moments::new(7, usual);
    let (mut killed, mut ended, mut said_revoked, mut attempted) = (0, 0, HashSet::new(), HashSet::new());
    let mut printed: Vec<Vec<u8>> = Vec::new();
    let mut crls: Vec<u64> = Vec::new();
    let mut round = 0;
    while killed < KILLS {
        round += 1;
        assert!(round < 4 * KILLS, "only {killed} of {round} were still running when they were to be killed");
        let out = folder.join(format!("out{round}"));
        let kind = round % 3;
        let target = to_revoke.last().cloned();
        let revoke = ["ca", "revoke", "--db", &db, target.as_deref().unwrap_or("00"), "--reason", "superseded"];
        let crl = ["ca", "crl", "--db", &db];
        let args: &[&str] = match kind {
            0 => &issue,
            1 => &revoke,
            _ => &crl,
        };
        let mut child = command(args, &out).spawn().unwrap();
        if moments.kill(kind, &mut child) {
            killed += 1;
        } else {
            ended += 1;
        }
        let err = fs::read_to_string(out.with_extension("err")).unwrap();
        assert!(!err.contains("locked") && !err.contains("in use"), "{err}");
        match kind {
            0 => {
                let found = blocks(&out);
                to_revoke.extend(found.iter().map(|der| serial(der)));
                printed.extend(found);
            }
            1 => {
                if fs::read_to_string(&out).unwrap().contains(": revoked since ") {
                    said_revoked.insert(target.clone().unwrap());
                }
                attempted.extend(target);
                to_revoke.pop();
            }
            _ => crls.extend(blocks(&out).iter().map(|der| {
                let list = CertificateList::from_der(der).unwrap();
                list.tbs_cert_list.number().unwrap().unwrap().0.get()
            })),
        }
        fs::remove_file(&out).unwrap();
        // Some of the time others see the file before it is mended; that is theirs to do, and changes nothing.
        if round % 40 == 0 {
            check(&db);
        }
    }
    let (serials, numbers) = check(&db);
    for der in &printed {
        let certificate = Certificate::from_der(der).unwrap();
        let serial = certificate.tbs_certificate.serial_number.0.as_bytes();
        assert!(serials.contains(serial), "a certificate that was printed is lost");
    }
    assert!(crls.windows(2).all(|pair| pair[0] < pair[1]), "{crls:?}");
    assert!(crls.iter().all(|number| numbers.contains(number)), "a CRL that was printed is lost");

    // What was said to be revoked is, and nothing is that nobody asked for. All still works.
    let run = tagwise(&["ca", "crl", "--db", &db, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let last = document["crl"]["number"].as_u64().unwrap();
    assert!(numbers.iter().all(|number| *number < last));
    let run = tagwise(&["ca", "list", "--db", &db, "--json", "--status", "revoked"]);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let listed = document["certificates"].as_array().unwrap();
    let revoked: HashSet<String> = listed.iter().map(|one| one["serial"].as_str().unwrap().to_owned()).collect();
    assert!(said_revoked.is_subset(&revoked) && revoked.is_subset(&attempted));
    assert_eq!(document.get("exit_code"), None);
    println!(
        "{killed} killed, {ended} ended before; {} certificates stored, {} printed; {} CRLs stored, {} printed; {} revoked, {} said so",
        serials.len(),
        printed.len() + 8,
        numbers.len(),
        crls.len(),
        revoked.len(),
        said_revoked.len()
    );
    assert!(!printed.is_empty() && !crls.is_empty() && !said_revoked.is_empty());
}

/// A CA that was not made to the end is made by the next attempt; one that was is there.
#[test]
fn killed_while_it_is_made() {
    let mut moments = Moments::new(11, Duration::from_millis(30));
    let (mut made, mut unmade) = (0, 0);
    for _ in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        let db = path(folder.path(), "ca.db");
        let init = ["ca", "init", "--db", &db, "--subject", "CN=Root", "--key-type", "ed25519", "--no-passphrase"];
        let out = folder.path().join("out");
        let mut child = command(&init, &out).spawn().unwrap();
        moments.kill(0, &mut child);
        let printed = blocks(&out);
        let again = tagwise(&init);
        match again.code {
            Some(0) => unmade += 1,
            Some(1) if again.err.contains("the database already has a CA") => made += 1,
            _ => panic!("{}", again.err),
        }
        let run = tagwise(&["ca", "export", "--db", &db]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let is_there = |der: &Vec<u8>| run.out == pem::encode("CERTIFICATE", der).unwrap();
        assert!(printed.iter().all(is_there), "a CA that was printed is lost");
        check(&db);
    }
    println!("{made} made, {unmade} not");
}

/// A CA that is renewed, backed up, rekeyed or restored is whole after every kill, and so is every backup.
#[test]
fn killed_while_it_is_cared_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let db = prepare(folder);
    let public = path(folder, "key.pub");
    for _ in 0..20 {
        let issue = ["ca", "issue", "--db", &db, "--public-key", &public, "--dns", "a.example.org"];
        assert_eq!(tagwise(&issue).code, Some(0));
    }
    let (first, _) = check(&db);
    let base = path(folder, "base.db");
    assert_eq!(tagwise(&["ca", "backup", "--db", &db, "-o", &base]).code, Some(0));
    let start = Instant::now();
    assert_eq!(tagwise(&["ca", "renew", "--db", &db]).code, Some(0));
    let mut moments = Moments::new(13, start.elapsed());
    let (mut killed, mut backups, mut renewed) = (0, 0, 0);
    for round in 0..90 {
        let backup = path(folder, &format!("backup{round}.db"));
        let lost = path(folder, &format!("lost{round}.db"));
        let renew = ["ca", "renew", "--db", &db];
        let back_up = ["ca", "backup", "--db", &db, "-o", &backup];
        let restore = ["ca", "restore", &base, "--db", &lost];
        let args: &[&str] = match round % 3 {
            0 => &renew,
            1 => &back_up,
            _ => &restore,
        };
        let out = folder.join("out");
        let mut child = command(args, &out).spawn().unwrap();
        killed += usize::from(moments.kill(round % 3, &mut child));
        // What was printed is stored; what is there is whole.
        if round % 3 == 0
            && let Some(der) = blocks(&out).first()
        {
            renewed += 1;
            assert!(check(&db).0.contains(&stored_serial(der)), "a renewed certificate is lost");
        }
        if Path::new(&backup).exists() {
            backups += 1;
            assert!(first.is_subset(&check(&backup).0), "a backup is incomplete");
        }
        if round % 3 == 2 {
            // It can be restored by the next attempt, whatever the first one left.
            let again = tagwise(&restore);
            assert_eq!(again.code, Some(0), "{}", again.err);
            assert_eq!(check(&lost).0, first);
        }
    }
    assert!(first.is_subset(&check(&db).0));
    let run = tagwise(&["ca", "audit", "--db", &db]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    println!("{killed} killed; {backups} backups, {renewed} renewed certificates printed");
    assert!(killed > 10 && backups > 0 && renewed > 0);
}

/// An import is there as a whole or not at all.
#[test]
fn killed_while_it_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let db = prepare(folder);
    let (public, certs) = (path(folder, "key.pub"), path(folder, "certs"));
    fs::create_dir(&certs).unwrap();
    let mut serials = Vec::new();
    for number in 0..30 {
        let out = path(Path::new(&certs), &format!("{number}.pem"));
        let issue = ["ca", "issue", "--db", &db, "--public-key", &public, "--dns", "a.example.org", "-o", &out];
        assert_eq!(tagwise(&issue).code, Some(0));
        serials.push(stored_serial(&blocks(Path::new(&out))[0]));
    }
    let (key, certificate, crl) = (path(folder, "ca.key"), path(folder, "ca.pem"), path(folder, "last.crl"));
    assert_eq!(tagwise(&["ca", "crl", "--db", &db, "-o", &crl]).code, Some(0));
    assert_eq!(tagwise(&["ca", "export", "--db", &db, "--key", "-o", &key]).code, Some(0));
    assert_eq!(tagwise(&["ca", "export", "--db", &db, "-o", &certificate]).code, Some(0));
    let mut moments = Moments::new(17, Duration::from_millis(100));
    let (mut whole, mut none) = (0, 0);
    for round in 0..40 {
        let new = path(folder, &format!("new{round}.db"));
        let import = ["ca", "import", "--db", &new, "--key", &key, "--certificate", &certificate, "--certs", &certs];
        let import = [&import[..], &["--last-crl", &crl, "--no-passphrase"]].concat();
        let out = folder.join("out");
        moments.kill(0, &mut command(&import, &out).spawn().unwrap());
        if !Path::new(&new).exists() {
            none += 1;
            let again = tagwise(&import);
            assert_eq!(again.code, Some(0), "{}", again.err);
        } else {
            whole += 1;
        }
        let (stored, numbers) = check(&new);
        assert!(serials.iter().all(|serial| stored.contains(serial)), "a certificate is lost");
        assert_eq!(numbers, [1]);
    }
    println!("{whole} imported, {none} not");
    assert!(whole > 0 && none > 0);
}

fn stored_serial(der: &[u8]) -> Vec<u8> {
    Certificate::from_der(der).unwrap().tbs_certificate.serial_number.0.as_bytes().to_vec()
}

/// The number of a certificate, as the command writes it.
fn serial(der: &[u8]) -> String {
    let certificate = Certificate::from_der(der).unwrap();
    let number = certificate.tbs_certificate.serial_number.0;
    number.magnitude().iter().map(|octet| format!("{octet:02X}")).collect()
}

#[test]
fn two_at_once() {
    const EACH: usize = 30;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let db = prepare(folder);
    let public = path(folder, "key.pub");
    let workers: Vec<_> = (0..2)
        .map(|worker| {
            let (db, public, out) = (db.clone(), public.clone(), folder.join(format!("out{worker}")));
            std::thread::spawn(move || {
                let (mut serials, mut numbers) = (Vec::new(), Vec::new());
                for _ in 0..EACH {
                    let issue = ["ca", "issue", "--db", &db, "--public-key", &public, "--dns", "a.example.org"];
                    for args in [&issue[..], &["ca", "crl", "--db", &db]] {
                        let status = command(args, &out).status().unwrap();
                        assert!(status.success(), "{}", fs::read_to_string(out.with_extension("err")).unwrap());
                        let der = blocks(&out).remove(0);
                        if args.len() == issue.len() {
                            let new = serial(&der);
                            let status = command(&["ca", "revoke", "--db", &db, &new], &out).status().unwrap();
                            assert!(status.success(), "{}", fs::read_to_string(out.with_extension("err")).unwrap());
                            serials.push(new);
                        } else {
                            let list = CertificateList::from_der(&der).unwrap();
                            numbers.push(list.tbs_cert_list.number().unwrap().unwrap().0.get());
                        }
                    }
                }
                (serials, numbers)
            })
        })
        .collect();
    let (mut serials, mut numbers) = (HashSet::new(), HashSet::new());
    for worker in workers {
        let (mine, lists) = worker.join().unwrap();
        assert!(lists.windows(2).all(|pair| pair[0] < pair[1]));
        for (seen, new) in [(serials.len(), mine.len()), (numbers.len(), lists.len())] {
            assert!(seen <= EACH && new == EACH);
        }
        serials.extend(mine);
        numbers.extend(lists);
    }
    assert_eq!((serials.len(), numbers.len()), (2 * EACH, 2 * EACH));
    let (stored, lists) = check(&db);
    // The root's own is there, too.
    assert_eq!((stored.len(), lists.len()), (2 * EACH + 1, 2 * EACH));
}
