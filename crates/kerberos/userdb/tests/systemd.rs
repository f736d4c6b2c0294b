//! systemd's own service and command: it answers our client, and its command asks our service.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tagwise_userdb::{
    Client, Error, GroupQuery, GroupRecord, Membership, MembershipQuery, Provider, Service, ServiceError, UserQuery,
    UserRecord, blocking, nss, serve,
};

/// systemd's service lists what ours has: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

const DAEMON: &str = "/lib/systemd/systemd-userdbd";

/// The multiplexer at a path of its own, without systemd as init.
struct Multiplexer {
    folder: tempfile::TempDir,
    process: Child,
}

impl Multiplexer {
    fn start() -> Option<Self> {
        if !Path::new(DAEMON).exists() {
            tagwise_testing::skip("no systemd-userdbd");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let mut command = Command::new("systemd-socket-activate");
        command.arg("-l").arg(&path).arg(DAEMON).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().unwrap();
        let start = Instant::now();
        while !path.exists() {
            assert!(start.elapsed() < Duration::from_secs(20), "no socket");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(Self { folder, process })
    }

    fn client(&self) -> blocking::Client {
        let path = self.folder.path().join("socket");
        blocking::Client::new(Client::at(path, "io.systemd.Multiplexer")).unwrap()
    }
}

impl Drop for Multiplexer {
    fn drop(&mut self) {
        // It is the daemon by then; its workers end with it.
        let _ = Command::new("pkill").args(["-TERM", "-P", &self.process.id().to_string()]).status();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_multiplexer_answers() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(multiplexer) = Multiplexer::start() else { return };
    let mut client = multiplexer.client();
    let root = client.user(&UserQuery::name("root")).unwrap();
    let expected = nss::user(&UserQuery::uid(0)).unwrap().unwrap();
    assert_eq!((root.uid, root.home_directory, root.shell), (Some(0), expected.home_directory, expected.shell));
    assert_eq!(client.user(&UserQuery::uid(1)).unwrap().user_name, "daemon");
    let conflict = client.user(&UserQuery { uid: Some(1), ..UserQuery::name("root") }).unwrap_err();
    assert!(matches!(conflict, Error::Service(ServiceError::ConflictingRecordFound)), "{conflict:?}");
    assert!(client.user(&UserQuery::name("no-such-user")).unwrap_err().is_not_found());

    let mut names: Vec<String> =
        client.users(&UserQuery::all()).unwrap().into_iter().map(|user| user.user_name).collect();
    let listed = Command::new("getent").arg("passwd").output().unwrap();
    let mut expected: Vec<String> = String::from_utf8(listed.stdout)
        .unwrap()
        .lines()
        .filter_map(|line| Some(line.split_once(':')?.0.to_owned()))
        .collect();
    names.sort();
    expected.sort();
    assert_eq!(names, expected);

    assert_eq!(client.group(&GroupQuery::gid(0)).unwrap().group_name, "root");
    assert!(client.groups(&GroupQuery::all()).unwrap().len() > 10);
    assert!(client.memberships(&MembershipQuery::user("root")).unwrap().is_empty());
}

struct Crabs;

impl Provider for Crabs {
    fn users(&mut self, _: &UserQuery) -> Result<Vec<UserRecord>, ServiceError> {
        let ferris = UserRecord::new("ferris-the-crab");
        Ok(vec![UserRecord { uid: Some(424_242), gid: Some(424_242), real_name: Some("Ferris".to_owned()), ..ferris }])
    }

    fn groups(&mut self, _: &GroupQuery) -> Result<Vec<GroupRecord>, ServiceError> {
        Ok(vec![GroupRecord { gid: Some(424_242), ..GroupRecord::new("crabs-of-the-beach") }])
    }

    fn memberships(&mut self, _: &MembershipQuery) -> Result<Vec<Membership>, ServiceError> {
        Ok(vec![Membership::new("ferris-the-crab", "crabs-of-the-beach")])
    }
}

#[test]
fn userdbctl_asks_our_service() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !tagwise_testing::tool("userdbctl", &["--version"]) {
        return;
    }
    let name = format!("org.example.Tagwise{}", std::process::id());
    let path = Path::new(tagwise_userdb::DIRECTORY).join(&name);
    if std::fs::create_dir_all(tagwise_userdb::DIRECTORY).is_err() || std::fs::write(&path, "").is_err() {
        tagwise_testing::skip("root alone may put a socket where userdbctl looks for it");
        return;
    }
    let _removed = Removed(path.clone());
    std::fs::remove_file(&path).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    // The command waits for answers: it must not be waited for where they are given.
    let asking = runtime.spawn_blocking({
        let (name, path) = (name.clone(), path.clone());
        move || ask(&name, &path)
    });
    runtime.block_on(serve(Service::new(&name), &path, Crabs, async { asking.await.unwrap() })).unwrap();
}

/// Removes the socket whatever happens: systemd's service would wait for it.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn ask(name: &str, path: &Path) {
    while !path.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let asked = |arguments: &[&str]| {
        let output = Command::new("userdbctl").arg(format!("--service={name}")).args(arguments).output().unwrap();
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (out, err) = asked(&["user", "--output=json", "ferris-the-crab"]);
    assert!(out.contains("424242") && out.contains("Ferris"), "{out}{err}");
    let (out, err) = asked(&["group", "--output=json", "crabs-of-the-beach"]);
    assert!(out.contains("424242"), "{out}{err}");
    let (out, err) = asked(&["users-in-group", "crabs-of-the-beach"]);
    assert!(out.contains("ferris-the-crab"), "{out}{err}");
    let (out, err) = asked(&["user", "no-such-user"]);
    assert!(!out.contains("424242") && err.contains("does not exist"), "{out}{err}");
}
