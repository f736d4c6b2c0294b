//! A service of one's own: what it answers, and to whom.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};
use tagwise_userdb::{
    Client, Filter, GroupQuery, GroupRecord, Membership, MembershipQuery, Provider, Sealed, Service, ServiceError,
    UserQuery, UserRecord, blocking, serve,
};
use tokio::sync::oneshot;

struct Crabs;

impl Provider for Crabs {
    fn users(&mut self, _: &UserQuery) -> Result<Vec<UserRecord>, ServiceError> {
        let privileged = serde_json::Map::from_iter([("hashedPassword".to_owned(), json!(["$y$x"]))]);
        let own = UserRecord { uid: Some(nix::unistd::getuid().as_raw()), ..UserRecord::new("own") };
        let secret = Some(Sealed::from(privileged));
        Ok(vec![
            UserRecord { privileged: secret.clone(), secret: secret.clone(), ..own },
            UserRecord { uid: Some(4242), privileged: secret, ..UserRecord::new("ferris") },
        ])
    }

    fn groups(&mut self, query: &GroupQuery) -> Result<Vec<GroupRecord>, ServiceError> {
        if query.is_enumeration() {
            return Err(ServiceError::EnumerationNotSupported);
        }
        Ok(vec![GroupRecord { gid: Some(4242), ..GroupRecord::new("crabs") }])
    }

    fn memberships(&mut self, _: &MembershipQuery) -> Result<Vec<Membership>, ServiceError> {
        Ok(vec![Membership::new("ferris", "crabs")])
    }
}

struct Running {
    folder: tempfile::TempDir,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Running {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let (stop, stopped) = oneshot::channel();
        let (ready, is_ready) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let mut service = Service::new("org.example.Crabs");
            service.budget.time = Duration::from_secs(2);
            let stop = async {
                ready.send(()).unwrap();
                let _ = stopped.await;
            };
            runtime.block_on(serve(service, &path, Crabs, stop)).unwrap();
        });
        is_ready.recv().unwrap();
        Self { folder, stop: Some(stop), thread: Some(thread) }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    fn client(&self) -> blocking::Client {
        blocking::Client::new(Client::at(self.path(), "org.example.Crabs")).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.thread.take().unwrap().join().unwrap();
        assert!(!self.path().exists());
    }
}

fn connected(path: &Path) -> UnixStream {
    let stream = UnixStream::connect(path).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream
}

/// One message there, one back.
fn asked(path: &Path, call: &Value) -> Value {
    let mut stream = connected(path);
    stream.write_all(&[call.to_string().as_bytes(), &[0]].concat()).unwrap();
    let (mut answer, mut byte) = (Vec::new(), [0]);
    while stream.read(&mut byte).unwrap() == 1 && byte != [0] {
        answer.extend(byte);
    }
    serde_json::from_slice(&answer).unwrap()
}

/// Connections that ask for nothing make room, however many they are.
#[test]
fn idle_connections_make_room() {
    let running = Running::new();
    let held: Vec<_> = (0..300).map(|_| connected(&running.path())).collect();
    for _ in 0..5 {
        let start = std::time::Instant::now();
        let user = running.client().user(&UserQuery::name("ferris")).unwrap();
        assert_eq!(user.uid, Some(4242));
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    }
    drop(held);
}

#[test]
fn our_client_reads_it() {
    let running = Running::new();
    let mut client = running.client();
    let ferris = client.user(&UserQuery::name("ferris")).unwrap();
    // root sees everything; others see what is their own.
    let is_root = nix::unistd::getuid().is_root();
    assert_eq!((ferris.uid, ferris.privileged.is_some(), ferris.incomplete), (Some(4242), is_root, !is_root));
    let own = client.user(&UserQuery::name("own")).unwrap();
    assert!(own.privileged.is_some() && own.secret.is_none() && !own.incomplete);
    assert_eq!(client.users(&UserQuery::all()).unwrap().len(), 2);
    assert!(client.user(&UserQuery::uid(7)).unwrap_err().is_not_found());
    let filter = Filter { uid_max: Some(100), ..Filter::default() };
    let refused = client.user(&UserQuery { filter, ..UserQuery::name("ferris") }).unwrap_err();
    assert_eq!(refused.to_string(), ServiceError::NonMatchingRecordFound.to_string());
    for both in [("own", 4242), ("ferris", 7), ("nobody-here", 4242)] {
        let refused = client.user(&UserQuery { uid: Some(both.1), ..UserQuery::name(both.0) }).unwrap_err();
        assert_eq!(refused.code(), "conflicting-record", "{both:?}");
    }
    let refused = client.group(&GroupQuery { gid: Some(7), ..GroupQuery::name("crabs") }).unwrap_err();
    assert_eq!(refused.code(), "conflicting-record");
    assert_eq!(client.group(&GroupQuery::gid(4242)).unwrap().group_name, "crabs");
    let refused = client.groups(&GroupQuery::all()).unwrap_err();
    assert_eq!(refused.to_string(), "the service does not list its records");
    assert_eq!(client.memberships(&MembershipQuery::all()).unwrap().len(), 1);
}

#[test]
fn it_says_what_it_is_and_refuses_what_it_does_not_know() {
    let running = Running::new();
    let path = running.path();
    let call = |method: &str, parameters: Value| asked(&path, &json!({ "method": method, "parameters": parameters }));
    let info = asked(&path, &json!({ "method": "org.varlink.service.GetInfo" }));
    assert_eq!(info["parameters"]["interfaces"], json!(["io.systemd.UserDatabase", "org.varlink.service"]));
    let interface = json!({ "interface": "io.systemd.UserDatabase" });
    let described = call("org.varlink.service.GetInterfaceDescription", interface);
    assert!(described["parameters"]["description"].as_str().unwrap().contains("method GetUserRecord("));
    assert_eq!(call("org.example.No", json!({}))["error"], "org.varlink.service.MethodNotFound");
    let user = "io.systemd.UserDatabase.GetUserRecord";
    let service = "org.example.Crabs";
    let answer = call(user, json!({ "service": "other", "uid": 1 }));
    assert_eq!(answer["error"], "io.systemd.UserDatabase.BadService");
    let answer = call(user, json!({ "service": service, "uid": "1" }));
    let expected = json!({ "error": "org.varlink.service.InvalidParameter", "parameters": { "parameter": "uid" } });
    assert_eq!(answer, expected);
    // A condition that is not known here would be left out of the answer.
    let answer = call(user, json!({ "service": service, "userName": "ferris", "uuid": "x" }));
    assert_eq!(answer["parameters"]["parameter"], "uuid");
    assert_eq!(call(user, json!({ "service": service }))["error"], "org.varlink.service.ExpectedMore");
}

#[test]
fn callers_that_are_slow_or_send_too_much_hold_up_nobody() {
    let running = Running::new();
    let mut slow = connected(&running.path());
    slow.write_all(b"{\"method\":").unwrap();
    let mut flood = connected(&running.path());
    let sent = (0..1000).all(|_| flood.write_all(&[b'['; 4096]).is_ok());
    assert!(!sent, "four megabytes were read");
    assert_eq!(running.client().user(&UserQuery::name("ferris")).unwrap().uid, Some(4242));
    // The slow one is let go.
    assert_eq!(slow.read(&mut [0; 16]).unwrap_or(0), 0);
}
