//! Users who are gone, locked or expired get no tickets, whatever they hold; a service of users that hangs stops nobody else; each request
//! has one line in the record.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::time::{Duration, Instant};

use common::{BY_PROGRAM, Lab, PROGRAM, Users, installed, userdb_of};
use serde_json::Value;

const SERVICES: &str = "[[services]]\nname = 'HTTP/front.test'\ndelegates_to = ['HTTP/back.test']\n[[services]]\nname = 'HTTP/back.test'\n";
/// Longer than an answer about a user is kept.
const FORGOTTEN: Duration = Duration::from_millis(1300);

fn lab(users: &Users) -> Lab {
    let mut lab = Lab::new(&format!("{BY_PROGRAM}{SERVICES}"), &[("check", PROGRAM)]);
    lab.setup();
    userdb_of(lab.folder.path().join("users"), users.clone());
    lab.daemon();
    lab.kdc();
    lab.anonymous();
    lab
}

fn granted(lab: &Lab, name: &str, arguments: &[&str]) {
    let (granted, said) = lab.tried(name, arguments);
    assert!(granted, "{name} {arguments:?}: {said}{}", lab.log());
}

fn refused(lab: &Lab, name: &str, arguments: &[&str], why: &str) {
    let (granted, said) = lab.tried(name, arguments);
    assert!(!granted && said.contains(why), "{name} {arguments:?}: {said}{}", lab.log());
}

fn record(lab: &Lab) -> Vec<Value> {
    let text = fs::read_to_string(lab.layout.audit()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_ticket_is_worth_nothing_once_its_user_is_locked_expired_or_gone() {
    if !installed() {
        return;
    }
    let users = Users::new();
    let mut lab = lab(&users);
    let (made, said) = lab.kinit_with(&["-r", "1d", "-f"], "ferris", "right");
    assert!(made, "{said}{}", lab.log());
    granted(&lab, "kvno", &["host/localhost"]);
    granted(&lab, "kinit", &["-R"]);

    type Change = fn(&mut tagwise_userdb::UserRecord);
    let changes: [(Change, &str, &str); 3] = [
        (|user| user.locked = Some(true), "revoked", "CLIENT_LOCKED_OUT"),
        (|user| user.not_after = Some(1_000_000), "has expired", "CLIENT_EXPIRED"),
        (|user| user.uid = Some(7), "not found in Kerberos database", "CLIENT_NOT_FOUND"),
    ];
    for (change, why, status) in changes {
        users.change(change);
        std::thread::sleep(FORGOTTEN);
        refused(&lab, "kvno", &["HTTP/front.test"], why);
        let last = record(&lab).pop().unwrap();
        assert_eq!(
            (last["event"].as_str(), last["success"].as_bool(), last["status"].as_str(), last["client"].as_str()),
            (Some("tgs_req"), Some(false), Some(status), Some("ferris@LOCALKDC")),
            "{last}"
        );
        refused(&lab, "kinit", &["-R"], why);
        let (made, said) = lab.kinit_with(&["-c", &format!("FILE:{}", lab.path("other"))], "ferris", "right");
        assert!(!made && said.contains(why), "{said}");
        users.change(|user| (user.locked, user.not_after, user.uid) = (None, None, Some(4242)));
        std::thread::sleep(FORGOTTEN);
        granted(&lab, "kvno", &["HTTP/front.test"]);
        granted(&lab, "kinit", &["-R"]);
    }

    // A password that has to be changed is told apart from a wrong one. Tickets that are there stay good.
    users.change(|user| drop(user.rest.insert("passwordChangeNow".to_owned(), true.into())));
    std::thread::sleep(FORGOTTEN);
    let (made, said) = lab.kinit_with(&["-c", &format!("FILE:{}", lab.path("other"))], "ferris", "right");
    assert!(!made && said.contains("assword expired"), "{said}");
    granted(&lab, "kinit", &["-R"]);
    users.change(|user| drop(user.rest.remove("passwordChangeNow")));
    std::thread::sleep(FORGOTTEN);

    // Nor does a service get tickets in the name of such a user, by a ticket of the time before.
    granted(&lab, "kvno", &["HTTP/front.test"]);
    users.change(|user| user.locked = Some(true));
    std::thread::sleep(FORGOTTEN);
    let keytab = lab.layout.keytab().display().to_string();
    let service = format!("FILE:{}", lab.path("service"));
    granted(&lab, "kinit", &["-k", "-t", &keytab, "-f", "-c", &service, "HTTP/front.test"]);
    refused(&lab, "kvno", &["-c", &service, "-U", "ferris", "-k", &keytab, "-P", "HTTP/back.test"], "");

    // A user who cannot be looked up has no tickets for now.
    users.change(|user| user.locked = None);
    fs::remove_file(lab.path("users")).unwrap();
    std::thread::sleep(FORGOTTEN);
    refused(&lab, "kvno", &["HTTP/back.test"], "service is not available");
    lab.stop();
}

#[test]
fn each_request_has_one_line_and_each_ticket_a_success() {
    if !installed() {
        return;
    }
    let users = Users::new();
    let mut lab = lab(&users);
    // The anonymous ticket is the first.
    let mut tickets = 1;
    for (user, password, made) in
        [("ferris", "right", true), ("ferris", "wrong", false), ("lp", "right", false), ("root1", "x", false)]
    {
        assert_eq!(lab.kinit(user, password).0, made, "{user}");
        tickets += usize::from(made);
    }
    granted(&lab, "kvno", &["host/localhost"]);
    granted(&lab, "kvno", &["host/127.0.0.1"]);
    refused(&lab, "kvno", &["host/192.0.2.1"], "not found");
    let keytab = lab.layout.keytab().display().to_string();
    let service = format!("FILE:{}", lab.path("service"));
    granted(&lab, "kinit", &["-k", "-t", &keytab, "-f", "-c", &service, "HTTP/front.test"]);
    granted(&lab, "kvno", &["-c", &service, "-U", "ferris", "HTTP/front.test"]);
    tickets += 4;
    lab.stop();
    let lines: Vec<Value> = record(&lab).into_iter().filter(|line| line["request"].is_string()).collect();
    let successes: Vec<&Value> = lines.iter().filter(|line| line["success"] == true).collect();
    assert_eq!(successes.len(), tickets, "{lines:#?}");
    assert!(
        successes.iter().all(|line| line["ticket_out"].is_string() && line["client"].is_string()),
        "{successes:#?}"
    );
    let failures: Vec<&Value> = lines.iter().filter(|line| line["success"] == false).collect();
    assert!(failures.iter().all(|line| line["status"].is_string()), "{failures:#?}");
    assert!(lines.iter().all(|line| line["stage"].is_string() && line["address"] == "127.0.0.1"), "{lines:#?}");
    let ids: std::collections::BTreeSet<&str> = lines.iter().map(|line| line["request"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), lines.len(), "a request has one line");
    // The KDC's own log has a line for each request, too.
    let log = fs::read_to_string(lab.layout.kdc_log()).unwrap();
    let logged = log.lines().filter(|line| line.contains(": AS_REQ ") || line.contains(": TGS_REQ ")).count();
    assert_eq!(lines.len(), logged, "{log}");
    let of_user = |status: Option<&str>| {
        lines.iter().any(|line| {
            line["client"] == "ferris@LOCALKDC" && line["success"] == false && line["status"].as_str() == status
        })
    };
    assert!(of_user(Some("PREAUTH_FAILED")), "{lines:#?}");
    assert!(lines.iter().any(|line| line["event"] == "s4u2self" && line["client"] == "ferris@LOCALKDC"), "{lines:#?}");
}

#[test]
fn a_service_of_users_that_hangs_stops_nobody_else() {
    if !installed() {
        return;
    }
    let users = Users::new();
    let mut lab = lab(&users);
    let added = lab.tried("kadmin.local", &["-r", "LOCALKDC", "addprinc", "-pw", "annpw", "ann"]);
    assert!(added.0, "{}", added.1);
    let keytab = lab.layout.keytab().display().to_string();
    granted(&lab, "kinit", &["-k", "-t", &keytab, "HTTP/front.test"]);
    *users.hangs.lock().unwrap() = Duration::from_secs(10);
    std::thread::scope(|scope| {
        for user in 0..20 {
            let lab = &lab;
            scope.spawn(move || {
                lab.kinit_with(&["-c", &format!("FILE:{}", lab.path(&format!("h{user}")))], &format!("u{user}"), "x")
            });
        }
        std::thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        granted(&lab, "kvno", &["host/localhost"]);
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    });
    lab.stop();
}
