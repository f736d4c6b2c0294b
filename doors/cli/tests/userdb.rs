//! `tagwise userdb`: users and groups of a service, which the command itself is.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use common::{Run, tagwise};
use serde_json::Value;

const USERS: &str = r#"{
  "users": [
    { "userName": "ferris", "realName": "Ferris\u001b[31m", "uid": 4242, "gid": 4242, "disposition": "regular",
      "homeDirectory": "/home/ferris", "privileged": { "hashedPassword": ["$y$hash"] }, "iconName": "crab" },
    { "userName": "corro", "uid": 4243 }
  ],
  "groups": [{ "groupName": "crabs", "gid": 4242, "members": ["ferris"] }],
  "memberships": [{ "userName": "ferris", "groupName": "crabs" }]
}"#;

struct Service {
    process: Child,
    folder: tempfile::TempDir,
}

impl Service {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (file, socket) = (folder.path().join("users.json"), folder.path().join("socket"));
        fs::write(&file, USERS).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.args(["userdb", "serve", "--socket"]).arg(&socket).arg(&file).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(Path::new(line.trim()), socket);
        Self { process, folder }
    }

    fn asked(&self, args: &[&str]) -> Run {
        let socket = self.folder.path().join("socket");
        let mut all = vec!["userdb"];
        all.extend(args);
        all.extend(["--service", "org.tagwise.Users", "--socket", socket.to_str().unwrap()]);
        tagwise(&all)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert!(self.process.wait().unwrap().success());
        assert!(!self.folder.path().join("socket").exists());
    }
}

#[test]
fn users_by_name_and_number() {
    let service = Service::start();
    let run = service.asked(&["get", "ferris", "4243", "9"]);
    let privileged = if is_root() { "present, not shown" } else { "withheld by the service" };
    let expected = format!(
        "user ferris\n  Name            Ferris\\u{{1b}}[31m\n  Kind            regular\n  Number          4242\n  \
         Group           4242\n  Home            /home/ferris\n  Service         org.tagwise.Users\n  \
         Privileged      {privileged}\n  Also has        iconName\n\n\
         user corro\n  Kind            regular\n  Number          4243\n  Service         org.tagwise.Users\n"
    );
    assert_eq!((run.code, run.out), (Some(1), expected));
    assert_eq!(run.err, "tagwise: 9: no matching record\n");
    let run = service.asked(&["get", "--json", "ferris"]);
    let users: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, users["users"][0]["iconName"].as_str()), (Some(0), Some("crab")));
    assert!(!run.out.contains("$y$hash"), "{}", run.out);
    let run = service.asked(&["get", "--json", "--privileged", "ferris"]);
    assert_eq!(run.out.contains("$y$hash"), is_root(), "{}", run.out);
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout == b"0\n"
}

#[test]
fn lists_and_groups() {
    let service = Service::start();
    let run = service.asked(&["list"]);
    let names: Vec<&str> = run.out.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!((run.code, names), (Some(0), vec!["NAME", "ferris", "corro"]));
    assert_eq!(service.asked(&["list", "--match", "FER", "--max", "4242"]).out.lines().count(), 2);
    let run = service.asked(&["list", "--kind", "system"]);
    assert_eq!((run.code, &*run.out), (Some(1), ""));
    // `corro` is regular by number alone.
    assert_eq!(service.asked(&["list", "--kind", "regular"]).out.lines().count(), 3);
    assert_eq!(service.asked(&["groups", "--of", "ferris"]).out, "crabs\n");
    assert_eq!(service.asked(&["groups", "--members", "crabs"]).out, "ferris\n");
    assert_eq!(service.asked(&["groups", "--members", "none"]).code, Some(1));
    let run = service.asked(&["groups", "crabs"]);
    assert!(
        run.out
            .starts_with("group crabs\n  Kind            regular\n  Number          4242\n  Members         ferris\n"),
        "{}",
        run.out
    );
    let run = service.asked(&["groups", "--json"]);
    let groups: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(groups["groups"][0]["gid"], 4242);
}

#[test]
fn what_does_not_answer() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    let run = tagwise(&["userdb", "list", "--socket", nowhere.to_str().unwrap()]);
    assert_eq!(run.code, Some(3));
    assert!(run.err.starts_with("tagwise: no service listens at "), "{}", run.err);
    // At a path of its own a service is found without its name, and not by another's.
    let service = Service::start();
    let socket = service.folder.path().join("socket");
    assert_eq!(tagwise(&["userdb", "get", "--socket", socket.to_str().unwrap(), "ferris"]).code, Some(0));
    let other = ["--service", "io.systemd.Home"];
    let run = tagwise(&[&["userdb", "get", "--socket", socket.to_str().unwrap()][..], &other, &["ferris"]].concat());
    let says = "tagwise: ferris: the query names a different service\n";
    assert_eq!((run.code, &*run.err), (Some(1), says));
    // A file that is none of users, and a socket that is in use.
    let file = folder.path().join("users.json");
    fs::write(&file, r#"{"user":[]}"#).unwrap();
    let run = tagwise(&["userdb", "serve", "--socket", nowhere.to_str().unwrap(), file.to_str().unwrap()]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("unknown field `user`"), "{}", run.err);
    fs::write(&file, "{}").unwrap();
    let run = tagwise(&["userdb", "serve", "--socket", socket.to_str().unwrap(), file.to_str().unwrap()]);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("in use"), "{}", run.err);
    assert_eq!(service.asked(&["get", "corro"]).code, Some(0));
}

#[test]
fn root_is_found_on_any_host() {
    let run = tagwise(&["userdb", "get", "0"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.starts_with("user root\n"), "{}", run.out);
}
