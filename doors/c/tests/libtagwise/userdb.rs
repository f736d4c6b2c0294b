//! Users and groups through C: from a service of ours, from services that misbehave, and from this host.

use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use tagwise_userdb::{
    GroupQuery, GroupRecord, Membership, MembershipQuery, Provider, Service, ServiceError, UserQuery, UserRecord, serve,
};
use tokio::sync::oneshot;

use super::build::{compilers, home, program, room, run, running};

struct Crabs;

impl Provider for Crabs {
    fn users(&mut self, _: &UserQuery) -> Result<Vec<UserRecord>, ServiceError> {
        let ferris = r#"{
            "userName": "ferris", "realm": "sea.example", "aliases": ["crab"], "realName": "Ferris the Crab",
            "emailAddress": "ferris@sea.example", "disposition": "regular", "uid": 4242, "gid": 4243, "memberOf": ["claws"],
            "homeDirectory": "/home/ferris", "shell": "/bin/sh", "locked": true, "notBeforeUSec": 1, "notAfterUSec": 2,
            "iconName": "crab", "privileged": { "hashedPassword": ["$y$x"] }
        }"#;
        let of = |text: String| serde_json::from_str(&text).unwrap();
        Ok(vec![of(ferris.to_owned()), of(r#"{"userName":"ghost","uid":77,"disposition":"system"}"#.to_owned())])
    }

    fn groups(&mut self, _: &GroupQuery) -> Result<Vec<GroupRecord>, ServiceError> {
        let crabs = r#"{
            "groupName": "crabs", "description": "All crabs", "gid": 4243, "disposition": "regular", "members": ["ferris"],
            "administrators": ["root"]
        }"#;
        Ok(vec![serde_json::from_str(crabs).unwrap()])
    }

    fn memberships(&mut self, _: &MembershipQuery) -> Result<Vec<Membership>, ServiceError> {
        Ok(vec![Membership::new("ferris", "crabs"), Membership::new("ghost", "crabs")])
    }
}

/// A service that does the same with each caller, for as long as the test runs.
fn listening(path: &Path, mut with: impl FnMut(std::os::unix::net::UnixStream) + Send + 'static) {
    let listener = UnixListener::bind(path).unwrap();
    std::thread::spawn(move || listener.incoming().for_each(|stream| with(stream.unwrap())));
}

#[test]
fn users_and_groups() {
    let folder = tempfile::tempdir_in(room()).unwrap();
    let at = |name: &str| folder.path().join(name);
    let (stop, stopped) = oneshot::channel::<()>();
    let (ready, is_ready) = mpsc::channel();
    let path = at("crabs");
    let service = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let stop = async {
            ready.send(()).unwrap();
            let _ = stopped.await;
        };
        runtime.block_on(serve(Service::new("org.example.Crabs"), &path, Crabs, stop)).unwrap();
    });
    is_ready.recv().unwrap();
    // One hangs up at once, which must not kill the program by SIGPIPE; one never says a word.
    listening(&at("rude"), drop);
    let mut kept = Vec::new();
    listening(&at("silent"), move |stream| kept.push(stream));

    let source = home().join("tests/c/userdb.c");
    let sockets: Vec<PathBuf> = ["crabs", "rude", "silent", "nobody"].map(at).into();
    for (index, compiler) in compilers().iter().enumerate() {
        let binary = program(&source, &format!("userdb-{index}"), compiler);
        let out = run(running(&binary).args(&sockets));
        assert!(out.ends_with("ok\n"), "{compiler}: {out}");
    }
    stop.send(()).unwrap();
    service.join().unwrap();
}
