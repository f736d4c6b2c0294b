//! `tagwise serve`: the check of a configuration, and a running server with its signals and administration socket.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(unix)]

mod common;
#[path = "../../../crates/pki/ca/tests/common/postgres.rs"]
mod postgres;

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::tagwise;

const CONFIG: &str = "
[ca]
sqlite = 'ca.db'
passphrase-file = 'secret.txt'
[[listen]]
address = '127.0.0.1:0'
[tls]
names = ['127.0.0.1']
[acme]
dns = ['example.test']
profiles = ['server', 'own.toml']
[ocsp]
[crl]
[admin]
socket = 'admin.sock'
";

const SECRET: &str = "correct horse battery staple";

/// A folder with a CA and a configuration.
fn folder(config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "secret.txt", SECRET);
    write(folder.path(), "own.toml", "name = 'own'\ndays = 3\n");
    write(folder.path(), "server.toml", config);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (db, secret, root) = (path("ca.db"), path("secret.txt"), path("root.pem"));
    let init = ["ca", "init", "--db", &db, "--subject", "CN=Root", "--passphrase-file", &secret, "-o", &root];
    assert_eq!(tagwise(&init).code, Some(0));
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
    std::fs::set_permissions(folder.join(name), std::fs::Permissions::from_mode(0o600)).unwrap();
}

/// A running server, which is killed at the end.
struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(config: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.args(["serve", "run", "--config", config]).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let listener = lines.next().unwrap().unwrap();
        assert!(listener.starts_with("127.0.0.1:0: 127.0.0.1:"), "{listener}");
        let url = lines.next().unwrap().unwrap();
        Self { child, url }
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }
}

#[test]
fn check_reports_all_errors() {
    let folder = folder(&CONFIG.replace("dns =", "dsn =").replace("days", "day").replace("own.toml", "none.toml"));
    let config = folder.path().join("server.toml");
    let config = config.to_str().unwrap();
    let run = tagwise(&["serve", "check", "--config", config]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.contains("server.toml:10:1: unknown key `dsn` in [acme], expected `dns`"), "{}", run.err);
    assert!(run.err.contains("acme.profiles: ") && run.err.contains("none.toml"), "{}", run.err);
    write(folder.path(), "server.toml", CONFIG);
    let run = tagwise(&["serve", "check", "--config", config]);
    assert_eq!((run.code, run.out.trim_end().ends_with("server.toml: good")), (Some(0), true), "{}", run.err);
    // What cannot be read has its own exit code.
    for command in ["check", "run"] {
        let run = tagwise(&["serve", command, "--config", "none.toml"]);
        assert_eq!(run.code, Some(3), "{}", run.err);
        assert!(run.err.contains("none.toml: cannot be read"), "{}", run.err);
    }
    write(folder.path(), "server.toml", &CONFIG.replace("ca.db", "none.db"));
    for command in ["check", "run"] {
        let run = tagwise(&["serve", command, "--config", config]);
        assert_eq!(run.code, Some(3), "{}", run.err);
        assert!(run.err.contains("none.db: cannot be opened") && run.err.contains("`tagwise ca init`"), "{}", run.err);
    }
}

#[test]
fn a_server_reloads_and_stops() {
    let folder = folder(CONFIG);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut server = Server::start(&path("server.toml"));
    assert!(server.url.starts_with("https://127.0.0.1:") && server.url.ends_with("/acme/directory"), "{}", server.url);
    let socket = path("admin.sock");
    let status = || {
        let run = tagwise(&["serve", "status", "--socket", &socket, "--json"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        common::documents::check(&run.out);
        serde_json::from_str::<serde_json::Value>(&run.out).unwrap()
    };
    assert_eq!(status()["state"], "serving");
    assert_eq!(tagwise(&["serve", "drain", "--socket", &socket]).code, Some(0));
    let text = tagwise(&["serve", "status", "--socket", &socket]).out;
    assert!(text.starts_with("draining, process ") && text.contains("0 database errors"), "{text}");
    server.signal("-HUP");
    let start = Instant::now();
    while status()["reloads"] != 1 {
        assert!(start.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(status()["state"], "serving");
    write(folder.path(), "server.toml", "[ca]");
    let run = tagwise(&["serve", "reload", "--socket", &socket]);
    assert_eq!((run.code, run.err.contains("no database")), (Some(1), true), "{}", run.err);
    server.signal("-TERM");
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    let mut log = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains(" info started: https://") && log.contains(" info stopped"), "{log}");
    assert!(!log.contains(SECRET), "{log}");
    assert_eq!(tagwise(&["serve", "status", "--socket", &socket]).code, Some(3));
}

#[test]
fn a_postgresql_database() {
    let Some(server) = postgres::Server::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let url = format!("postgresql://ca:hunter2@127.0.0.1:{}/postgres", server.port());
    write(folder.path(), "secret.txt", SECRET);
    let (secret, root, key) = (path("secret.txt"), path("root.pem"), path("a.key"));
    let ca = |args: &[&str]| {
        let run = tagwise(&[&["ca", args[0], "--db", &url], &args[1..]].concat());
        assert!(!run.out.contains("hunter2") && !run.err.contains("hunter2"), "{}{}", run.out, run.err);
        run
    };
    let init = ["init", "--subject", "CN=Root", "--passphrase-file", &secret, "-o", &root];
    let run = ca(&init);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("postgresql://ca@127.0.0.1:"), "{}", run.err);
    assert_eq!(ca(&init).code, Some(1));
    let issue =
        ["issue", "--new-key", "ecdsa-p256", "--key-out", &key, "--key-no-passphrase", "--passphrase-file", &secret];
    let run = ca(&[&issue[..], &["--dns", "a.example.test", "-o", &path("a.pem")]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(ca(&["list"]).out.contains("a.example.test"));
    assert_eq!(ca(&["revoke", "--certificate", &path("a.pem")]).code, Some(0));
    assert_eq!(ca(&["crl", "--passphrase-file", &secret, "-o", &path("root.crl")]).code, Some(0));
    let run = ca(&["audit"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(ca(&["backup", "-o", &path("backup.db")]).code, Some(2));
    // The other form of the address, and the server's reason.
    let text = format!("host=127.0.0.1 port={} user=ca password=hunter2 dbname=", server.port());
    let list = |name: &str| tagwise(&["ca", "list", "--db", &format!("{text}{name}")]);
    assert!(list("postgres").out.contains("a.example.test"), "{}", list("postgres").err);
    let run = list("none");
    assert_eq!(run.code, Some(3), "{}", run.err);
    assert!(
        run.err.contains("database \"none\" does not exist") && run.err.contains("user=ca dbname=none"),
        "{}",
        run.err
    );
    assert!(!run.err.contains("hunter2"), "{}", run.err);
    // Neither is a part of a password that looks like a parameter.
    let run = tagwise(&["ca", "list", "--db", "host=127.0.0.1 password=a hunter2=x"]);
    assert!(run.code == Some(3) && run.err.contains("unknown option"), "{}", run.err);
    assert!(!run.err.contains("hunter2"), "{}", run.err);
    let config = CONFIG.replace("sqlite = 'ca.db'", &format!("postgresql = '{url}'")).replace(", 'own.toml'", "");
    write(folder.path(), "server.toml", &config);
    let mut running = Server::start(&path("server.toml"));
    running.signal("-TERM");
    assert_eq!(running.child.wait().unwrap().code(), Some(0));
    std::fs::set_permissions(path("server.toml"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let run = tagwise(&["serve", "check", "--config", &path("server.toml")]);
    assert!(run.code == Some(1) && run.err.contains("which contains a password"), "{}", run.err);
    assert!(!run.err.contains("hunter2"), "{}", run.err);
}
