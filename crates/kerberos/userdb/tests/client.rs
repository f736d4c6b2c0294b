//! The client, against services that are as they should be, and others.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod common;

use std::io::Write as _;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use common::Fake;
use tagwise_userdb::{
    Budget, Disposition, Error, Filter, GroupQuery, Membership, MembershipQuery, ServiceError, UserQuery, blocking,
};

const FERRIS: &str = r#"{"parameters":{"record":{"userName":"ferris","realName":"Ferris","uid":4242,"gid":4242,
    "disposition":"regular","homeDirectory":"/home/ferris","iconName":"crab","privileged":{"hashedPassword":["$y$secret"]}},
    "incomplete":true}}"#;

#[test]
fn a_record_has_its_fields_and_keeps_the_rest() {
    let fake = Fake::new(|question, mut stream| {
        let question: serde_json::Value = serde_json::from_str(&question).unwrap();
        let expected = serde_json::json!({
            "method": "io.systemd.UserDatabase.GetUserRecord",
            "parameters": { "service": "org.example.Fake", "userName": "ferris" },
        });
        assert_eq!(question, expected);
        stream.write_all(&[FERRIS.as_bytes(), &[0]].concat()).unwrap();
    });
    let user = fake.client().user(&UserQuery::name("ferris")).unwrap();
    assert_eq!((&*user.user_name, user.uid, user.disposition), ("ferris", Some(4242), Some(Disposition::Regular)));
    assert!(user.incomplete && user.rest["iconName"] == "crab");
    assert_eq!(user.privileged.as_ref().unwrap().reveal()["hashedPassword"][0], "$y$secret");
    assert!(!format!("{user:?}").contains("$y$"), "{user:?}");
    assert!(!serde_json::to_string(&user.public()).unwrap().contains("$y$"));
}

#[test]
fn several_records_come_one_after_the_other() {
    let record = |name: &str, more: bool| {
        format!(r#"{{"parameters":{{"record":{{"userName":"{name}","uid":10}}}},"continues":{more}}}"#)
    };
    let texts = [record("a", true), record("b", true), record("c", false)];
    let texts = [&*texts[0], &*texts[1], &*texts[2]];
    let users = Fake::saying(&texts).client().users(&UserQuery::all()).unwrap();
    assert_eq!(users.iter().map(|user| &*user.user_name).collect::<Vec<_>>(), ["a", "b", "c"]);
    let mut seen = 0;
    let stopped = Fake::saying(&texts).client().each_user(&UserQuery::all(), |_| {
        seen += 1;
        ControlFlow::Break(())
    });
    assert!(stopped.is_ok() && seen == 1);
    // What a service does not filter is filtered here.
    let filter = Filter { fuzzy_names: Some(vec!["B".to_owned()]), ..Filter::default() };
    let users = Fake::saying(&texts).client().users(&UserQuery { filter, ..UserQuery::all() }).unwrap();
    assert_eq!(users.len(), 1);
    let few = Budget::DEFAULT.with_records(2);
    let refused = Fake::saying(&texts).client().with_budget(few).users(&UserQuery::all());
    assert!(matches!(refused, Err(Error::Records(2))), "{refused:?}");
}

#[test]
fn memberships_and_groups() {
    let fake = Fake::saying(&[
        r#"{"parameters":{"userName":"ann","groupName":"wheel"},"continues":true}"#,
        r#"{"parameters":{"userName":"ann","groupName":"audio"}}"#,
    ]);
    let memberships = fake.client().memberships(&MembershipQuery::user("ann")).unwrap();
    assert_eq!(memberships, [Membership::new("ann", "wheel"), Membership::new("ann", "audio")]);
    let fake = Fake::saying(&[r#"{"error":"io.systemd.UserDatabase.NoRecordFound","parameters":{}}"#]);
    assert!(fake.client().memberships(&MembershipQuery::group("none")).unwrap().is_empty());
    let fake = Fake::saying(&[r#"{"parameters":{"record":{"groupName":"wheel","gid":10,"members":["ann"]}}}"#]);
    assert_eq!(fake.client().group(&GroupQuery::gid(10)).unwrap().members, ["ann"]);
}

#[test]
fn errors_of_services_have_names() {
    let cases = [
        (r#"{"error":"io.systemd.UserDatabase.NoRecordFound"}"#, ServiceError::NoRecordFound),
        (r#"{"error":"io.systemd.UserDatabase.BadService","parameters":{}}"#, ServiceError::BadService),
        (r#"{"error":"io.systemd.UserDatabase.NonMatchingRecordFound"}"#, ServiceError::NonMatchingRecordFound),
        (r#"{"error":"io.systemd.System","parameters":{"errno":16}}"#, ServiceError::System(16)),
        (
            r#"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"uid"}}"#,
            ServiceError::InvalidParameter("uid".to_owned()),
        ),
        (r#"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#, ServiceError::PermissionDenied),
        (
            r#"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"x.Y"}}"#,
            ServiceError::MethodNotFound,
        ),
        (r#"{"error":"org.example.Odd","parameters":{"a":[1]}}"#, ServiceError::Other("org.example.Odd".to_owned())),
    ];
    for (text, expected) in cases {
        let error = Fake::saying(&[text]).client().user(&UserQuery::name("ann")).unwrap_err();
        assert!(matches!(&error, Error::Service(found) if *found == expected), "{text}: {error:?}");
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn untrustworthy_answers_are_rejected() {
    let record = |record: &str| format!(r#"{{"parameters":{{"record":{record},"incomplete":false}}}}"#);
    let cases = [
        (record(r#"{"userName":"eve","uid":4242}"#), "the service returned a different record"),
        (record(r#"{"userName":"ann","uid":4294967295}"#), "uid 4294967295 is not a user name"),
        (record(r#"{"userName":"ann","gid":65535}"#), "gid 65535 is not a user name"),
        (record(r#"{"userName":"ann","homeDirectory":"home"}"#), "homeDirectory \"home\" is not an absolute path"),
        (record(r#"{"userName":"ann","shell":"/bin/sh\nroot:x:0"}"#), "shell"),
        (record(r#"{"userName":"ann\u0000","uid":1}"#), "userName \"ann\\0\" has a control character"),
        (record(r#"{"userName":"ann","memberOf":["a:b"]}"#), "memberOf \"a:b\" has a control character, a colon"),
        (record(r#"{"userName":"ann","uid":-1}"#), "malformed reply from the service"),
        (record(r#"{"userName":"ann","uid":"0"}"#), "malformed reply from the service"),
        (record(r#"{"uid":5}"#), "malformed reply from the service"),
        (record(r#"["ann"]"#), "malformed reply from the service"),
        ("{}".to_owned(), "malformed reply from the service: a reply has no parameters"),
        ("null".to_owned(), "malformed reply from the service"),
        ("{\"parameters\":".to_owned(), "malformed reply from the service"),
        ("[".repeat(100_000), "malformed reply from the service"),
        (
            r#"{"parameters":{"record":{"userName":"ann"}},"continues":true}"#.to_owned(),
            "several replies, expected one",
        ),
    ];
    for (text, expected) in cases {
        let shown: String = text.chars().take(80).collect();
        match Fake::saying(&[&text]).client().user(&UserQuery::name("ann")) {
            Ok(user) => panic!("{shown}: {user:?}"),
            Err(error) => assert!(error.to_string().contains(expected), "{shown}: {error}"),
        }
    }
}

#[test]
fn services_that_end_early_or_never() {
    let fake = Fake::new(|_, stream| drop(stream));
    assert!(matches!(fake.client().user(&UserQuery::name("ann")), Err(Error::Malformed(_))));
    let fake = Fake::new(|_, mut stream| stream.write_all(b"{\"parameters\":{\"record\"").unwrap());
    assert!(matches!(fake.client().user(&UserQuery::name("ann")), Err(Error::Malformed(_))));

    // One byte now and then.
    let fake = Fake::new(|_, mut stream| {
        while stream.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let short = Budget::DEFAULT.with_time(Duration::from_millis(300));
    let start = Instant::now();
    let error = fake.client().with_budget(short).user(&UserQuery::name("ann")).unwrap_err();
    assert!(matches!(error, Error::Time(_)) && start.elapsed() < Duration::from_secs(4), "{error:?}");

    // Without end, in one message and in many.
    let small = Budget::DEFAULT.with_bytes(1 << 20);
    let fake = Fake::new(|_, mut stream| while stream.write_all(&[b'['; 4096]).is_ok() {});
    let error = fake.client().with_budget(small).user(&UserQuery::name("ann")).unwrap_err();
    assert!(matches!(error, Error::Bytes(_)), "{error:?}");
    let fake = Fake::new(|_, mut stream| {
        let one = b"{\"parameters\":{\"record\":{\"userName\":\"ann\"}},\"continues\":true}\0";
        while stream.write_all(&one.repeat(100)).is_ok() {}
    });
    let error =
        fake.client().with_budget(small).each_user(&UserQuery::all(), |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, Error::Bytes(_)), "{error:?}");
}

#[test]
fn no_service() {
    let client = tagwise_userdb::Client::at("/nonexistent/socket", "x");
    let error = blocking::Client::new(client).unwrap().user(&UserQuery::uid(0)).unwrap_err();
    assert_eq!(error.to_string(), "no service listens at \"/nonexistent/socket\"");
}

#[test]
fn captured_replies_of_systemd() {
    let Some(folder) = tagwise_testing::corpus("kerberos/captures/varlink") else { return };
    let reply = |name: &str| {
        let octets = std::fs::read(folder.join(format!("{name}.rep"))).unwrap();
        Fake::new(move |_, mut stream| stream.write_all(&octets).unwrap())
    };
    let root = reply("user-root").client().user(&UserQuery::name("root")).unwrap();
    assert_eq!((root.uid, root.shell.as_deref(), root.incomplete), (Some(0), Some("/bin/bash"), false));
    assert!(root.rest.contains_key("lastPasswordChangeUSec") && root.rest.contains_key("status"));
    let users = reply("user-all").client().users(&UserQuery::all()).unwrap();
    assert!(users.len() > 10 && users.iter().any(|user| user.user_name == "daemon"));
    let groups = reply("group-all").client().groups(&GroupQuery::all()).unwrap();
    assert!(groups.len() > 10 && groups.iter().any(|group| group.group_name == "daemon"));
    assert!(reply("user-none").client().user(&UserQuery::name("nosuch")).unwrap_err().is_not_found());
    let conflict = reply("user-mismatch").client().user(&UserQuery { uid: Some(1), ..UserQuery::name("root") });
    assert!(matches!(conflict, Err(Error::Service(ServiceError::ConflictingRecordFound))), "{conflict:?}");
    let busy = reply("user-all-nomore").client().users(&UserQuery::all());
    assert!(matches!(busy, Err(Error::Service(ServiceError::System(16)))), "{busy:?}");
    assert!(reply("member-user").client().memberships(&MembershipQuery::user("root")).unwrap().is_empty());
}

/// A service of systemd before 257: it refuses parameters of filters.
#[test]
fn a_service_that_knows_no_filters_is_asked_without() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    std::thread::spawn(move || {
        use std::io::Read as _;
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut question, mut byte) = (Vec::new(), [0]);
            while stream.read(&mut byte).unwrap() == 1 && byte != [0] {
                question.extend(byte);
            }
            let question: serde_json::Value = serde_json::from_slice(&question).unwrap();
            let known = ["service", "userName", "uid"];
            let fits = question["parameters"].as_object().unwrap().keys().all(|key| known.contains(&key.as_str()));
            let record = |name: &str, uid: u32, more: bool| {
                format!(
                    "{{\"parameters\":{{\"record\":{{\"userName\":\"{name}\",\"uid\":{uid}}}}},\"continues\":{more}}}\0"
                )
            };
            let answer = match fits {
                true => [record("root", 0, true), record("daemon", 1, true), record("ann", 1000, false)].concat(),
                false => "{\"error\":\"io.systemd.System\",\"parameters\":{\"errno\":99}}\0".to_owned(),
            };
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    let users = |filter: Filter| {
        let client = tagwise_userdb::Client::at(&path, "org.example.Fake");
        let found = blocking::Client::new(client).unwrap().users(&UserQuery { filter, ..UserQuery::all() });
        found.map(|users| users.into_iter().map(|user| user.user_name).collect::<Vec<_>>())
    };
    let kind = |kind| Filter { disposition_mask: Some(vec![kind]), ..Filter::default() };
    // The records do not say which kind they are of: their numbers do.
    assert_eq!(users(kind(Disposition::Regular)).unwrap(), ["ann"]);
    assert_eq!(users(kind(Disposition::System)).unwrap(), ["daemon"]);
    assert_eq!(users(kind(Disposition::Intrinsic)).unwrap(), ["root"]);
    assert_eq!(users(Filter { uid_min: Some(1), uid_max: Some(10), ..Filter::default() }).unwrap(), ["daemon"]);
    assert_eq!(users(Filter { fuzzy_names: Some(vec!["oo".to_owned()]), ..Filter::default() }).unwrap(), ["root"]);
    let none = users(kind(Disposition::Container)).unwrap_err();
    assert!(none.is_not_found(), "{none}");
}
