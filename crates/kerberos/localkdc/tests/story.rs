//! The whole story with MIT's programs, below a prefix and without privileges: setup, an anonymous ticket, a user's ticket with the
//! password of the machine, a service's ticket, the record of it, and the end. Then what is said when something is wrong.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{BY_PROGRAM, Lab, PROGRAM, installed, userdb};
use tagwise_localkdc::setup::{Change, SetupError, status, teardown};

/// Delegation: `front` passes tickets on to `back`, which it may; `store` takes them from `front` because it says so.
const SERVICES: &str = "
[[services]]
name = 'HTTP/front.test'
protocol_transition = true
delegates_to = ['HTTP/back.test']
[[services]]
name = 'HTTP/back.test'
[[services]]
name = 'HTTP/store.test'
accepts_from = ['HTTP/front.test']
[[services]]
name = 'HTTP/other.test'
";

#[test]
fn services_act_for_users_as_the_policy_says() {
    if !installed() {
        return;
    }
    let mut lab = Lab::new(&format!("{BY_PROGRAM}{SERVICES}"), &[("check", PROGRAM)]);
    userdb(lab.folder.path().join("users"));
    lab.setup();
    lab.kdc();
    let keytab = lab.layout.keytab().display().to_string();
    let (granted, said) = lab.tried("kinit", &["-k", "-t", &keytab, "-f", "HTTP/front.test"]);
    assert!(granted, "{said}");
    for (target, allowed) in [("HTTP/back.test", true), ("HTTP/store.test", true), ("HTTP/other.test", false)] {
        let (granted, said) = lab.tried("kvno", &["-U", "ferris", "-k", &keytab, "-P", target]);
        assert_eq!(granted, allowed, "{target}: {said}");
    }
    let (granted, said) = lab.tried("kinit", &["-k", "-t", &keytab, "-f", "HTTP/other.test"]);
    assert!(granted, "{said}");
    let (granted, said) = lab.tried("kvno", &["-U", "ferris", "-k", &keytab, "-P", "HTTP/back.test"]);
    assert!(!granted, "{said}");
    lab.stop();
    let records = lab.records();
    assert!(
        records
            .iter()
            .any(|(event, success, _, server)| event == "s4u2proxy" && *success && server.starts_with("HTTP/back")),
        "{records:?}"
    );
}

#[test]
fn a_setup_that_was_cut_short() {
    if !installed() {
        return;
    }
    let services = "[[services]]\nname = 'HTTP/web.test'\nkeytab = 'BASE/later/keytab'\n";
    let lab = Lab::new(&format!("{BY_PROGRAM}{services}"), &[]);
    let error = lab.wanted().plan().unwrap().apply().unwrap_err();
    assert!(matches!(&error, SetupError::Program("kadmin.local", said) if said.contains("later/keytab")), "{error}");
    // What was made until then is known, and a second setup completes it.
    fs::create_dir(lab.path("later")).unwrap();
    lab.setup();
    let bytes = fs::read(lab.path("later/keytab")).unwrap();
    let keys = tagwise_krb5::Keytab::from_bytes(&bytes).unwrap();
    assert!(keys.entries().iter().any(|entry| entry.principal.to_string() == "HTTP/web.test@LOCALKDC"));
    // Cut short on the way out, too.
    fs::remove_file(lab.layout.database()).unwrap();
    fs::remove_file(lab.layout.ca()).unwrap();
    let removed = teardown(&lab.layout, false).unwrap();
    assert!(removed.iter().all(|removal| removal.kept.is_none()), "{removed:?}");
    assert!(!lab.layout.state().exists() && lab.layout.policy().exists());
}

#[test]
fn a_ticket_with_the_password_of_the_machine() {
    if !installed() {
        return;
    }
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    let wrapper = folders.iter().map(Path::new).find(|folder| folder.join("libpam_wrapper.so").exists());
    let helper = Path::new(env!("CARGO_BIN_EXE_localkdc-pam-auth")).with_file_name("localkdc-pam-check");
    // PAM where it can be asked unprivileged, else a program.
    let (passwords, files, environment) = match wrapper.filter(|_| cfg!(feature = "pam") && helper.exists()) {
        Some(folder) => {
            let module = folder.join("pam_wrapper/pam_matrix.so").display().to_string();
            let line = format!("required {module} passdb=BASE/passwords\n");
            let service = format!("auth {line}account {line}");
            let preload = folder.join("libpam_wrapper.so").display().to_string();
            (
                "service = 'localkdc'\n".to_owned(),
                vec![("pam/localkdc", service), ("passwords", "ferris:right:localkdc\n".to_owned())],
                vec![
                    ("LD_PRELOAD", preload),
                    ("PAM_WRAPPER", "1".into()),
                    ("PAM_WRAPPER_SERVICE_DIR", "BASE/pam".into()),
                ],
            )
        }
        None => (BY_PROGRAM.to_owned(), vec![("check", PROGRAM.to_owned())], Vec::new()),
    };
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let mut lab = Lab::new(&passwords, &files);
    let base = lab.folder.path().display().to_string();
    lab.environment =
        environment.into_iter().map(|(name, value)| (name.into(), value.replace("BASE", &base))).collect();
    let before = fs::read(lab.layout.policy()).unwrap();

    // A plan changes nothing.
    let plan = lab.wanted().plan().unwrap();
    assert!(plan.steps().iter().any(|step| step.path == lab.layout.database() && step.change == Change::Make));
    assert_eq!(status(&lab.layout).unwrap().realm, None);
    lab.setup();
    let again = lab.wanted().plan().unwrap();
    let changes: Vec<_> = again.steps().iter().filter(|step| step.change != Change::Keep).collect();
    assert!(changes.is_empty(), "{changes:?}");
    again.apply().unwrap();
    let state = status(&lab.layout).unwrap();
    assert!(!state.works() && !state.kdc && state.parts.iter().all(|part| part.state == "present"), "{state:?}");
    let key = fs::metadata(lab.layout.key()).unwrap().permissions().mode();
    assert_eq!(key & 0o777, 0o600);

    lab.daemon();
    lab.kdc();
    lab.anonymous();
    // Without the service of users nobody is one, and nobody is told that there is no such user.
    let (granted, said) = lab.kinit("ferris", "right");
    assert!(!granted && !said.contains("not found"), "{said}");
    userdb(lab.folder.path().join("users"));
    assert!(status(&lab.layout).unwrap().works());
    // The KDC remembers for a second that the service was not there.
    std::thread::sleep(Duration::from_millis(1_200));
    assert!(matches!(teardown(&lab.layout, false), Err(SetupError::Other(_))), "the KDC runs");
    let (granted, said) = lab.kinit("ferris", "wrong");
    assert!(!granted && said.contains("reauthentication failed"), "{said}");
    let (granted, said) = lab.kinit("ferris", "right");
    assert!(granted, "{said}{}", lab.daemon_log());
    let (granted, said) = lab.tried("kvno", &["host/localhost"]);
    assert!(granted, "{said}");
    // An address that the machine has, and one that it has not.
    let (granted, said) = lab.tried("kvno", &["host/127.0.0.1"]);
    assert!(granted, "{said}");
    let (granted, said) = lab.tried("kvno", &["host/192.0.2.1"]);
    assert!(!granted && said.contains("not found in Kerberos database"), "{said}");
    let listed = lab.tried("kadmin.local", &["-r", "LOCALKDC", "listprincs"]).1;
    assert!(!listed.contains("ferris") && !listed.contains("127.0.0.1"), "nothing is put into the database: {listed}");
    let (granted, said) = lab.kinit("lp", "right");
    assert!(!granted && said.contains("not found in Kerberos database"), "{said}");
    // An anonymous ticket is for the tunnel alone.
    let armor = format!("FILE:{}", lab.path("armor"));
    let (granted, said) = lab.tried("kvno", &["-c", &armor, "host/localhost"]);
    assert!(!granted && said.contains("policy"), "{said}");
    lab.stop();

    let records = lab.records();
    let has = |event: &str, success: bool, client: &str, server: &str| {
        let row = (event.to_owned(), success, client.to_owned(), server.to_owned());
        assert!(records.contains(&row), "{row:?} in {records:?}");
    };
    let tgt = "krbtgt/LOCALKDC@LOCALKDC";
    has("kdc_start", true, "", "");
    has("as_req", true, "ferris@LOCALKDC", tgt);
    has("as_req", false, "ferris@LOCALKDC", tgt);
    has("as_req", false, "lp@LOCALKDC", tgt);
    has("tgs_req", true, "ferris@LOCALKDC", "host/localhost@LOCALKDC");
    has("kdc_stop", true, "", "");
    for (name, log) in [("daemon", lab.daemon_log()), ("audit", fs::read_to_string(lab.layout.audit()).unwrap())] {
        assert!(!log.contains("right") && !log.contains("wrong"), "{name}: {log}");
    }

    // The policy was there before; what somebody adds or changes stays.
    fs::write(lab.layout.state().join("notes"), "mine").unwrap();
    fs::write(lab.layout.snippet(), "[realms]\n").unwrap();
    assert!(matches!(lab.wanted().plan(), Err(SetupError::Conflict(paths)) if paths == [lab.layout.snippet()]));
    let planned = teardown(&lab.layout, true).unwrap();
    assert!(lab.layout.database().exists());
    assert_eq!(teardown(&lab.layout, false).unwrap(), planned);
    let kept: Vec<_> = planned.iter().filter_map(|removal| removal.kept.map(|_| removal.path.clone())).collect();
    assert!(kept.contains(&lab.layout.snippet()) && kept.contains(&lab.layout.state()), "{kept:?}");
    assert_eq!(fs::read(lab.layout.policy()).unwrap(), before);
    assert!(!lab.layout.database().exists() && !lab.layout.key().exists() && !lab.layout.manifest().exists());
    assert!(!lab.layout.run().exists(), "an empty folder goes");
    assert!(teardown(&lab.layout, false).unwrap().is_empty());
}

#[test]
fn error_messages_for_users() {
    if !installed() {
        return;
    }
    let mut lab = Lab::new(BY_PROGRAM, &[("check", PROGRAM)]);
    lab.setup();
    userdb(lab.folder.path().join("users"));
    lab.kdc();
    lab.anonymous();
    let timed = |lab: &Lab, password: &str| {
        let begun = Instant::now();
        let (granted, said) = lab.kinit("ferris", password);
        (granted, said, begun.elapsed())
    };
    // Nobody checks passwords.
    let (granted, said, time) = timed(&lab, "right");
    assert!(!granted && said.contains("failed") && time < Duration::from_secs(60), "{said}");
    // The check hangs; the KDC serves others meanwhile.
    lab.daemon();
    std::thread::scope(|scope| {
        let hanging = scope.spawn(|| timed(&lab, "hang"));
        std::thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        let armor = format!("FILE:{}", lab.path("other"));
        let (made, said) = lab.tried("kinit", &["-n", "-c", &armor]);
        assert!(made && begun.elapsed() < Duration::from_secs(20), "{said}");
        let (granted, said, time) = hanging.join().unwrap();
        assert!(!granted && said.contains("failed") && time < Duration::from_secs(60), "{said}");
    });
    let (granted, said, _) = timed(&lab, "right");
    assert!(granted, "{said}{}", lab.daemon_log());
    // It dies, and comes back at the same path.
    let mut daemon = lab.children.pop().unwrap();
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    let (granted, said, time) = timed(&lab, "right");
    assert!(!granted && said.contains("failed") && time < Duration::from_secs(60), "{said}");
    lab.daemon();
    let (granted, said, _) = timed(&lab, "right");
    assert!(granted, "{said}{}", lab.daemon_log());
    // Somebody listens and never answers.
    let mut daemon = lab.children.pop().unwrap();
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    fs::remove_file(lab.layout.radius()).unwrap();
    let silent = UnixListener::bind(lab.layout.radius()).unwrap();
    let (granted, said, time) = timed(&lab, "right");
    assert!(!granted && said.contains("failed") && time < Duration::from_secs(60), "{said} after {time:?}");
    drop(silent);
    // An administrator changes the database at this moment: nobody waits.
    fs::remove_file(lab.layout.radius()).unwrap();
    lab.daemon();
    let other = rusqlite::Connection::open(lab.layout.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE; DELETE FROM principal").unwrap();
    let (granted, said, time) = timed(&lab, "right");
    assert!(granted && time < Duration::from_secs(20), "{said} after {time:?}");
    other.execute_batch("ROLLBACK").unwrap();
    let (granted, said, _) = timed(&lab, "right");
    assert!(granted, "{said}");
}
