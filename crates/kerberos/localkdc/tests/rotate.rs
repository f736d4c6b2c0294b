//! Rotation of keys under tickets that live, and the seal of the master key.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod stored;

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use stored::{Lab, text};
use tagwise_codec::Decode as _;
use tagwise_krb5::messages::Ticket;
use tagwise_krb5::{Ccache, Keytab};
use tagwise_localkdc::setup::{Action, Rotation, SetupError, rotate, status};

const DAY: u64 = 86_400;

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// The versions of a service's keys in a keytab.
fn kvnos(path: &Path, name: &str) -> Vec<u32> {
    let keys = Keytab::from_bytes(&fs::read(path).unwrap()).unwrap();
    let of = keys.entries().iter().filter(|entry| entry.principal.to_string() == format!("{name}@LOCALKDC"));
    let mut found: Vec<u32> = of.map(|entry| entry.kvno).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The version of the key that the ticket-granting ticket is encrypted under.
fn granting_kvno(lab: &Lab) -> u32 {
    let cache = Ccache::from_bytes(&fs::read(lab.path("cc")).unwrap()).unwrap();
    let granting = cache.tickets().find(|ticket| ticket.server.to_string().starts_with("krbtgt/")).unwrap();
    let ticket = Ticket::from_der(&granting.ticket).unwrap();
    ticket.enc_part.kvno.unwrap().get()
}

/// The turns of a rotation, as principal, action and version.
fn turns(lab: &Lab, rotation: &Rotation) -> Vec<(String, Action, u32)> {
    let turns = rotate(&lab.layout, rotation).unwrap();
    turns.into_iter().map(|turn| (turn.principal, turn.action, turn.kvno)).collect()
}

fn turn(name: &str, action: Action, kvno: u32) -> (String, Action, u32) {
    (name.to_owned(), action, kvno)
}

#[test]
fn keys_change_under_tickets_that_live() {
    let Some(mut lab) = Lab::new("[[services]]\nname = 'HTTP/web.test'\nkeytab = 'BASE/web.keytab'\n") else { return };
    lab.setup().unwrap();
    lab.local("addprinc -pw annpw ann");
    lab.kdc();
    let (granted, said) = lab.kinit("ann", "annpw");
    assert!(granted, "{said}");
    let (host, web) = (lab.layout.keytab(), lab.folder.path().join("web.keytab"));
    fs::set_permissions(&web, fs::Permissions::from_mode(0o640)).unwrap();
    let inode = fs::metadata(&web).unwrap().ino();
    assert!(
        rotate(&lab.layout, &Rotation { services: vec!["HTTP/nobody".to_owned()], now: now(), ..Rotation::default() })
            .is_err()
    );
    // Releases begin to count at 1 or 2.
    let first = kvnos(&web, "HTTP/web.test")[0];
    // Nothing is due, and a plan changes nothing.
    assert!(turns(&lab, &Rotation { now: now(), ..Rotation::default() }).is_empty());
    let old = Rotation { now: now() + 91 * DAY, dry_run: true, ..Rotation::default() };
    assert_eq!(turns(&lab, &old).len(), 5, "two services with their keytabs, and the ticket-granting service");
    assert_eq!(kvnos(&web, "HTTP/web.test"), [first]);

    // A service: the new key is in its keytab, beside the old.
    lab.run("kvno", &["HTTP/web.test"]);
    let one = Rotation { services: vec!["HTTP/web.test".to_owned()], now: now(), ..Rotation::default() };
    let done = turns(&lab, &one);
    assert_eq!(
        done,
        [turn("HTTP/web.test", Action::Renew, first + 1), turn("HTTP/web.test", Action::Write, first + 1)]
    );
    assert_eq!((kvnos(&web, "HTTP/web.test"), kvnos(&host, "host/localhost")), (vec![first, first + 1], vec![first]));
    let data = fs::metadata(&web).unwrap();
    assert!(data.mode() & 0o777 == 0o640 && data.ino() != inode, "replaced as a whole, for the same readers");
    // The ticket that was there, and a new one, both decrypt with the keytab.
    let said = lab.run("kvno", &["-k", &web.display().to_string(), "HTTP/web.test"]);
    assert!(said.contains(&format!("kvno = {first}, keytab entry valid")), "{said}");
    assert!(lab.kinit("ann", "annpw").0);
    let said = lab.run("kvno", &["-k", &web.display().to_string(), "HTTP/web.test"]);
    assert!(said.contains(&format!("kvno = {}, keytab entry valid", first + 1)), "{said}");

    // The ticket-granting service: a ticket under the old key gets tickets, and is renewed.
    assert!(lab.kinit("ann", "annpw").0);
    let krbtgt = Rotation { krbtgt: true, now: now(), ..Rotation::default() };
    assert_eq!(turns(&lab, &krbtgt), [turn("krbtgt/LOCALKDC", Action::Renew, 2)]);
    lab.run("kvno", &["host/localhost"]);
    lab.run("kvno", &["HTTP/web.test"]);
    assert_eq!(granting_kvno(&lab), 1);
    lab.run("kinit", &["-R"]);
    assert_eq!(granting_kvno(&lab), 2, "renewed under the new key");
    lab.run("kvno", &["host/localhost"]);
    assert!(lab.kinit("ann", "annpw").0);
    lab.run("kvno", &["host/localhost"]);

    // Old keys stay while a ticket under them may live, renewals included; then they go, from keytabs too.
    assert!(turns(&lab, &Rotation { now: now() + 6 * DAY, ..Rotation::default() }).is_empty());
    let done = turns(&lab, &Rotation { now: now() + 8 * DAY, ..Rotation::default() });
    let expected = [
        turn("HTTP/web.test", Action::Drop, first + 1),
        turn("HTTP/web.test", Action::Write, first + 1),
        turn("krbtgt/LOCALKDC", Action::Drop, 2),
    ];
    assert_eq!(done, expected);
    assert_eq!(kvnos(&web, "HTTP/web.test"), [first + 1]);
    lab.run("kvno", &["HTTP/web.test"]);

    // A rotation that was cut short between database and keytab is completed by the next.
    lab.local("cpw -randkey -keepold host/localhost");
    assert_eq!(
        turns(&lab, &Rotation { now: now(), ..Rotation::default() }),
        [turn("host/localhost", Action::Write, first + 1)]
    );
    assert_eq!(kvnos(&host, "host/localhost"), [first, first + 1]);
    // All, by age.
    let due = Rotation { now: now() + 91 * DAY, ..Rotation::default() };
    assert_eq!(turns(&lab, &due).iter().filter(|(_, action, _)| *action == Action::Renew).count(), 3);
    let all = Rotation { all: true, now: now(), ..Rotation::default() };
    assert_eq!(turns(&lab, &all).iter().filter(|(_, action, _)| *action == Action::Renew).count(), 3);
    assert!(!lab.layout.rotation().exists());
    assert_eq!(status(&lab.layout).unwrap().master_key, Some("file"));
    lab.stop();
}

#[test]
fn a_service_has_its_keys_wherever_a_rotation_is_killed() {
    let Some(mut lab) = Lab::new("") else { return };
    lab.setup().unwrap();
    lab.local("addprinc -pw annpw ann");
    lab.kdc();
    let host = lab.layout.keytab().display().to_string();
    let rotation = |lab: &Lab| {
        let mut command = lab.on(Command::new(std::env::current_exe().unwrap()));
        command.args(["--ignored", "--exact", "rotate_all"]).env("ROTATED_PREFIX", lab.layout.prefix());
        command
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap()
    };
    let begun = Instant::now();
    assert!(rotation(&lab).wait().unwrap().success());
    let whole = begun.elapsed();
    let rounds = if std::env::var_os("TAGWISE_ALL").is_some() { 100 } else { 14 };
    for round in 0..rounds {
        assert!(lab.kinit("ann", "annpw").0);
        lab.run("kvno", &["host/localhost"]);
        let mut child = rotation(&lab);
        std::thread::sleep(whole * round / rounds);
        // With the programs that it started.
        let group = child.id().to_string();
        let _ = Command::new("/bin/sh").args(["-c", "kill -s KILL -- \"-$0\"", &group]).status();
        child.wait().unwrap();
        // The ticket of the time before, and one under whatever key the KDC has now.
        lab.run("kvno", &["-k", &host, "host/localhost"]);
        assert!(lab.kinit("ann", "annpw").0);
        lab.run("kvno", &["-k", &host, "host/localhost"]);
    }
    // The next rotation leaves no key in the keytab that the KDC does not have.
    turns(&lab, &Rotation { now: now(), ..Rotation::default() });
    let held = lab.local("getprinc host/localhost");
    let path = lab.layout.keytab();
    for kvno in kvnos(&path, "host/localhost") {
        assert!(held.contains(&format!("vno {kvno},")), "{kvno}: {held}");
    }
    lab.run("kvno", &["-k", &host, "host/localhost"]);
    lab.stop();
}

#[test]
#[ignore = "a part of `a_service_has_its_keys_wherever_a_rotation_is_killed`"]
fn rotate_all() {
    let layout = tagwise_localkdc::setup::Layout::new(Path::new(&std::env::var_os("ROTATED_PREFIX").unwrap())).unwrap();
    rotate(&layout, &Rotation { all: true, now: now(), ..Rotation::default() }).unwrap();
}

#[test]
fn a_keytab_with_another_key_of_the_same_version_is_mended() {
    let Some(lab) = Lab::new("") else { return };
    lab.setup().unwrap();
    let path = lab.layout.keytab();
    let before = fs::read(&path).unwrap();
    let kvno = kvnos(&path, "host/localhost")[0];
    lab.local("cpw -randkey host/localhost");
    lab.local(&format!("modprinc -kvno {kvno} host/localhost"));
    assert_eq!(
        turns(&lab, &Rotation { now: now(), ..Rotation::default() }),
        [turn("host/localhost", Action::Write, kvno)]
    );
    assert_ne!(fs::read(&path).unwrap(), before);
}

#[test]
fn the_master_key_is_sealed() {
    // The key of the service manager is a file of the system's, which this test must not make: it runs itself again where it has its own.
    let root = nix::unistd::geteuid().is_root();
    if !root
        || !tagwise_testing::tool("systemd-creds", &["--version"])
        || !tagwise_testing::tool("unshare", &["--version"])
    {
        if !root {
            tagwise_testing::skip("not root");
        }
        return;
    }
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    let output = Command::new("unshare")
        .args(["-m", "/bin/sh", "-c", "mount --bind \"$1\" /var/lib/systemd && shift && exec \"$@\"", "sh"])
        .arg(folder.path())
        .arg(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "sealed", "--nocapture"])
        .output()
        .unwrap();
    if text(&output).contains("mount:") {
        tagwise_testing::skip("no namespace of mounts");
        return;
    }
    assert!(output.status.success() && text(&output).contains("1 passed"), "{}", text(&output));
}

#[test]
#[ignore = "a part of `the_master_key_is_sealed`"]
fn sealed() {
    let Some(mut lab) = Lab::new("[keys]\nseal = 'systemd'\n") else { return };
    lab.setup().unwrap();
    let (clear, sealed) = (lab.layout.stash(), lab.layout.sealed_stash());
    assert!(!clear.exists());
    assert_eq!(fs::metadata(&sealed).unwrap().mode() & 0o777, 0o600);
    let state = status(&lab.layout).unwrap();
    assert_eq!(state.master_key, Some("sealed"));
    assert!(state.parts.iter().all(|part| part.state == "present"), "{state:?}");
    let unit = fs::read_to_string(lab.layout.units().join("localkdc.service")).unwrap();
    assert!(unit.contains(&format!("LoadCredentialEncrypted=localkdc-stash:{}\n", sealed.display())), "{unit}");
    // A second setup, the administrator and the KDC open the seal.
    lab.setup().unwrap();
    lab.local("addprinc -pw annpw ann");
    lab.kdc();
    let (granted, said) = lab.kinit("ann", "annpw");
    assert!(granted, "{said}{}", lab.log());
    lab.stop();
    // As the service manager gives it to its service: opened, in a folder of its own.
    let folder = lab.folder.path().join("credentials");
    fs::create_dir(&folder).unwrap();
    let opened = Command::new("systemd-creds")
        .args(["decrypt", "--name=localkdc-stash"])
        .arg(&sealed)
        .arg(folder.join("localkdc-stash"))
        .output()
        .unwrap();
    assert!(opened.status.success(), "{}", text(&opened));
    fs::rename(&sealed, sealed.with_extension("away")).unwrap();
    let mut command = lab.command("krb5kdc");
    command.env("CREDENTIALS_DIRECTORY", &folder);
    lab.kdc_by(command);
    assert!(lab.kinit("ann", "annpw").0);
    lab.stop();
    fs::rename(sealed.with_extension("away"), &sealed).unwrap();
    // A seal of another machine: the KDC does not start, and says why.
    fs::remove_file("/var/lib/systemd/credential.secret").unwrap();
    let (opened, said) = lab.tried("kadmin.local", &["-r", "LOCALKDC", "listprincs"]);
    assert!(!opened && said.contains("stash: systemd-creds: "), "{said}");
    let output = lab.command("krb5kdc").args(["-n", "-r", "LOCALKDC"]).output().unwrap();
    assert!(!output.status.success());
    assert!(lab.log().contains("systemd-creds: "), "{}{}", lab.log(), text(&output));
    assert!(matches!(lab.setup(), Err(SetupError::Program(..))), "nothing is made anew");
}
