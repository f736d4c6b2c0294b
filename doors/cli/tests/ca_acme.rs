//! `tagwise ca serve-acme` with clients of other makers, which are skipped where they are not installed, and keys for external
//! account bindings. Clients use TLS if they can be told to trust a root. A DNS server and a web server of the test run on loopback.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, UdpSocket};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use common::tagwise;

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        tagwise_testing::skip(program);
    }
    found
}

/// Answers every A query with 127.0.0.1, and every other query with no records.
fn dns() -> String {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let mut buffer = [0; 1500];
        while let Ok((_, from)) = socket.recv_from(&mut buffer) {
            let mut at = 12;
            while buffer[at] != 0 {
                at += 1 + usize::from(buffer[at]);
            }
            let is_a = buffer[at + 1..at + 3] == [0, 1];
            let mut answer =
                [&buffer[..2], &[0x81, 0x80, 0, 1, 0, u8::from(is_a), 0, 0, 0, 0], &buffer[12..at + 5]].concat();
            if is_a {
                answer.extend([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
            }
            let _ = socket.send_to(&answer, from);
        }
    });
    address
}

/// Serves the files of a folder by the last part of the path.
fn web(folder: std::path::PathBuf) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut line = String::new();
            let mut reader = BufReader::new(&stream);
            let _ = reader.read_line(&mut line);
            let name = line.split(' ').nth(1).and_then(|path| path.rsplit('/').next()).unwrap_or_default().to_owned();
            let mut head = String::new();
            while reader.read_line(&mut head).unwrap_or(0) > 2 {
                head.clear();
            }
            let text = std::fs::read(folder.join(name)).unwrap_or_default();
            let _ = write!(&stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", text.len());
            let _ = (&stream).write_all(&text);
        }
    });
    port
}

/// A CA with a running server, which is killed at the end.
struct Server {
    folder: tempfile::TempDir,
    child: Child,
    url: String,
    db: String,
    challenges: std::path::PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(http_port: Option<u16>, more: &str) -> Self {
        Self::start_with(http_port, more, &[])
    }

    fn start_with(http_port: Option<u16>, more: &str, options: &[&str]) -> Self {
        Self::start_from(&[], http_port, more, options)
    }

    /// Starts a server whose CA is created with further options.
    fn start_from(created: &[&str], http_port: Option<u16>, more: &str, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = path(folder.path(), "ca.db");
        let root = path(folder.path(), "root.pem");
        let init = ["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "-o", &root];
        assert_eq!(tagwise(&[&init[..], created].concat()).code, Some(0));
        let challenges = folder.path().join("challenges");
        std::fs::create_dir(&challenges).unwrap();
        let port = http_port.unwrap_or_else(|| web(challenges.clone()));
        let config = path(folder.path(), "acme.toml");
        let text = format!(
            "dns = ['example.test']\nresolver = '{}'\nhttp-port = {port}\nallow-addresses = ['127.0.0.1']\n{more}",
            dns()
        );
        std::fs::write(&config, text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.args(["ca", "serve-acme", "--db", &db, "--listen", "127.0.0.1:0", "--config", &config]).args(options);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().to_owned();
        let scheme = if options.contains(&"--plain") { "http://" } else { "https://" };
        assert!(url.starts_with(scheme) && url.ends_with("/directory"), "{url}");
        Self { folder, child, url, db, challenges }
    }

    fn path(&self, name: &str) -> String {
        path(self.folder.path(), name)
    }

    /// Checks that the last certificate has this name, and is that of a file.
    fn check(&self, name: &str, file: &Path) {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.starts_with("-----BEGIN CERTIFICATE-----"), "{text}");
        let verify = tagwise(&[
            "verify",
            file.to_str().unwrap(),
            "--trust",
            &self.path("root.pem"),
            "--host",
            name,
            "--profile",
            "rfc5280",
        ]);
        assert_eq!(verify.code, Some(0), "{}{}", verify.out, verify.err);
    }
}

fn run(command: &mut Command) -> (bool, String) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn certbot() {
    if !has("certbot") {
        return;
    }
    let port = free_port();
    let server = Server::start(Some(port), "external-account-required = true");
    let added = tagwise(&["ca", "acme", "eab", "add", "--db", &server.db, "certbot"]).out;
    let words: Vec<&str> = added.split_whitespace().collect();
    let ["id:", id, "key:", key] = words.as_slice() else { panic!("{added}") };
    let folders = ["config", "work", "logs"].map(|name| server.path(name));
    let certbot = |args: &[&str]| {
        let mut command = Command::new("certbot");
        command.env("REQUESTS_CA_BUNDLE", server.path("root.pem"));
        command.args(args).args([
            "--config-dir",
            &folders[0],
            "--work-dir",
            &folders[1],
            "--logs-dir",
            &folders[2],
            "-n",
        ]);
        run(&mut command)
    };
    let http = port.to_string();
    let (done, text) = certbot(&[
        "certonly",
        "--standalone",
        "--http-01-port",
        &http,
        "--server",
        &server.url,
        "--agree-tos",
        "--register-unsafely-without-email",
        "--eab-kid",
        id,
        "--eab-hmac-key",
        key,
        "-d",
        "www.example.test",
    ]);
    assert!(done, "{text}");
    let live = format!("{}/live/www.example.test", folders[0]);
    server.check("www.example.test", &Path::new(&live).join("fullchain.pem"));
    let (done, text) = certbot(&["renew", "--no-random-sleep-on-renew", "--force-renewal", "--http-01-port", &http]);
    assert!(done, "{text}");
    let (done, text) = certbot(&[
        "revoke",
        "--cert-path",
        &format!("{live}/cert.pem"),
        "--server",
        &server.url,
        "--reason",
        "superseded",
    ]);
    assert!(done, "{text}");
    let list = tagwise(&["ca", "list", "--db", &server.db]).out;
    assert!(list.contains("revoked"), "{list}");
}

/// Certbot knows nothing of Merkle Tree Certificates.
#[test]
fn certbot_receives_merkle_tree_certificates() {
    if !has("certbot") {
        return;
    }
    let port = free_port();
    let server = Server::start_from(&["--mtc", "32473.1"], Some(port), "mtc-by-default = true", &[]);
    let folders = ["config", "work", "logs"].map(|name| server.path(name));
    let certbot = |args: &[&str]| {
        let folders = ["--config-dir", &folders[0], "--work-dir", &folders[1], "--logs-dir", &folders[2], "-n"];
        let mut command = Command::new("certbot");
        command.env("REQUESTS_CA_BUNDLE", server.path("root.pem")).args(args).args(folders);
        run(command.args(["--server", &server.url]))
    };
    let http = port.to_string();
    let account = ["--agree-tos", "--register-unsafely-without-email", "--key-type", "ecdsa"];
    let order = ["certonly", "--standalone", "--http-01-port", &http, "-d", "m.example.test"];
    let (done, text) = certbot(&[&order[..], &account].concat());
    assert!(done, "{text}");
    let live = format!("{}/live/m.example.test", folders[0]);
    let (certificate, anchor) = (format!("{live}/cert.pem"), server.path("ca.mtc.pem"));
    let verify = tagwise(&["mtc", "verify", &certificate, "--ca", &anchor]);
    assert_eq!(verify.code, Some(0), "{}{}", verify.out, verify.err);
    let arguments = ["verify", &certificate, "--trust", &anchor, "--host", "m.example.test", "--profile", "rfc5280"];
    let verify = tagwise(&arguments);
    assert_eq!(verify.code, Some(0), "{}{}", verify.out, verify.err);
    let (done, text) = certbot(&["revoke", "--cert-path", &certificate, "--no-delete-after-revoke"]);
    assert!(done, "{text}");
    // The first entry is the server's own TLS certificate.
    let list = tagwise(&["ca", "list", "--db", &server.db, "--mtc-revoked"]);
    assert_eq!(list.out, "revoke-range 32473.1 1:1 1:1\n", "{}", list.err);
    std::fs::write(server.path("policy.txt"), &list.out).unwrap();
    let verify = tagwise(&["mtc", "verify", &certificate, "--ca", &anchor, "--policy", &server.path("policy.txt")]);
    assert_eq!(verify.code, Some(1), "{}{}", verify.out, verify.err);
}

#[test]
fn dehydrated() {
    if !has("dehydrated") {
        return;
    }
    let server = Server::start(None, "");
    let config = server.path("dehydrated.conf");
    let text = format!(
        "CA={}\nCURL_OPTS='--cacert {}'\nBASEDIR={}\nWELLKNOWN={}\nCHALLENGETYPE=http-01\n",
        server.url,
        server.path("root.pem"),
        server.folder.path().display(),
        server.challenges.display()
    );
    std::fs::write(&config, text).unwrap();
    let (done, text) = run(Command::new("dehydrated").args(["-f", &config, "--register", "--accept-terms"]));
    assert!(done, "{text}");
    let (done, text) =
        run(Command::new("dehydrated").args(["-f", &config, "-c", "-d", "a.example.test", "-d", "b.example.test"]));
    assert!(done, "{text}");
    let certificate = server.folder.path().join("certs/a.example.test/fullchain.pem");
    server.check("b.example.test", &certificate);
    let single = server.path("certs/a.example.test/cert.pem");
    let (done, text) = run(Command::new("dehydrated").args(["-f", &config, "--revoke", &single]));
    assert!(done, "{text}");
}

#[test]
fn uacme() {
    if !has("uacme") {
        return;
    }
    // It trusts the system's roots only.
    let server = Server::start_with(None, "", &["--plain"]);
    let hook = server.path("hook.sh");
    let text = format!(
        "#!/bin/sh\n[ \"$2\" = http-01 ] || exit 1\n[ \"$1\" != begin ] || printf %s \"$5\" > '{}'/\"$4\"\n",
        server.challenges.display()
    );
    std::fs::write(&hook, text).unwrap();
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let folder = server.path("uacme");
    let uacme = |args: &[&str]| {
        run(Command::new("uacme").args(["-v", "-y", "-t", "EC", "-a", &server.url, "-c", &folder]).args(args))
    };
    let (done, text) = uacme(&["new"]);
    assert!(done, "{text}");
    let (done, text) = uacme(&["-h", &hook, "issue", "c.example.test"]);
    assert!(done, "{text}");
    server.check("c.example.test", &Path::new(&folder).join("c.example.test/cert.pem"));
}

#[test]
fn lego() {
    if !has("lego") {
        return;
    }
    let port = free_port();
    let server = Server::start(Some(port), "");
    let folder = server.path("lego");
    let http = format!("127.0.0.1:{port}");
    let (done, text) = run(Command::new("lego").env("LEGO_CA_CERTIFICATES", server.path("root.pem")).args([
        "--server",
        &server.url,
        "--path",
        &folder,
        "--email",
        "a@example.org",
        "--accept-tos",
        "--http",
        "--http.port",
        &http,
        "-d",
        "d.example.test",
        "run",
    ]));
    assert!(done, "{text}");
    server.check("d.example.test", &Path::new(&folder).join("certificates/d.example.test.crt"));
}

/// A server that is killed at the end.
struct Caddy(Child);

impl Drop for Caddy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A web server gets its certificate itself, and serves with it.
#[test]
fn caddy() {
    if !has("caddy") {
        return;
    }
    let (port, tls_port) = (free_port(), free_port());
    let server = Server::start(Some(port), "");
    let folder = server.path("caddy");
    let config = server.path("Caddyfile");
    let text = format!(
        "{{\n admin off\n skip_install_trust\n storage file_system {folder}\n default_bind 127.0.0.1\n http_port {port}\n \
         https_port {tls_port}\n}}\ne.example.test {{\n respond hello\n tls {{\n  issuer acme {{\n   dir {}\n   trusted_roots {}\n   \
         disable_tlsalpn_challenge\n  }}\n }}\n}}\n",
        server.url,
        server.path("root.pem"),
    );
    std::fs::write(&config, text).unwrap();
    let log = std::fs::File::create(server.path("caddy.log")).unwrap();
    let mut command = Command::new("caddy");
    command.args(["run", "--config", &config, "--adapter", "caddyfile"]).env("HOME", server.folder.path());
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap();
    let _caddy = Caddy(child);
    let start = std::time::Instant::now();
    let (remote, root) = (format!("tls://127.0.0.1:{tls_port}"), server.path("root.pem"));
    let verify = ["verify", &remote, "--trust", &root, "--host", "e.example.test", "--servername", "e.example.test"];
    loop {
        let verify = tagwise(&[&verify[..], &["--profile", "rfc5280"]].concat());
        if verify.code == Some(0) {
            break;
        }
        let log = std::fs::read_to_string(server.path("caddy.log")).unwrap_or_default();
        assert!(start.elapsed().as_secs() < 60, "{}{}\n{log}", verify.out, verify.err);
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
}

#[test]
fn plain_http_is_for_loopback() {
    let folder = tempfile::tempdir().unwrap();
    let config = path(folder.path(), "acme.toml");
    std::fs::write(&config, "dns = ['example.test']").unwrap();
    let run = tagwise(&["ca", "serve-acme", "--plain", "--config", &config, "--listen", "0.0.0.0:0"]);
    assert_eq!((run.code, run.err.contains("requires a loopback address")), (Some(2), true), "{}", run.err);
}

#[test]
fn a_certificate_needs_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let config = path(folder.path(), "acme.toml");
    std::fs::write(&config, "dns = ['example.test']").unwrap();
    let run = tagwise(&["ca", "serve-acme", "--config", &config, "--listen", "0.0.0.0:0"]);
    assert_eq!((run.code, run.err.contains("no name for the TLS certificate")), (Some(2), true), "{}", run.err);
}

#[test]
fn eab_keys() {
    let folder = tempfile::tempdir().unwrap();
    let db = path(folder.path(), "ca.db");
    let init =
        ["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "-o", &path(folder.path(), "root.pem")];
    assert_eq!(tagwise(&init).code, Some(0));
    let added = tagwise(&["ca", "acme", "eab", "add", "--db", &db, "team web"]);
    assert_eq!(added.code, Some(0), "{}", added.err);
    let words: Vec<&str> = added.out.split_whitespace().collect();
    let list = tagwise(&["ca", "acme", "eab", "list", "--db", &db]).out;
    assert!(list.contains(words[1]) && list.contains("unused") && list.contains("team web"), "{list}");
    assert!(!list.contains(words[3]), "{list}");
    let json = tagwise(&["ca", "acme", "eab", "list", "--db", &db, "--json"]).out;
    common::documents::check(&json);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&value["keys"][0]["id"], &value["keys"][0]["note"]), (&words[1].into(), &"team web".into()));
    assert!(!json.contains(words[3]), "{json}");
    assert_eq!(tagwise(&["ca", "acme", "eab", "remove", "--db", &db, words[1]]).code, Some(0));
    assert_eq!(tagwise(&["ca", "acme", "eab", "remove", "--db", &db, words[1]]).code, Some(1));
    assert_eq!(tagwise(&["ca", "acme", "eab", "list", "--db", &db]).out, "");
    let accounts = tagwise(&["ca", "acme", "account", "list", "--db", &db, "--json"]).out;
    common::documents::check(&accounts);
    let unknown = tagwise(&["ca", "acme", "account", "revoke", "--db", &db, "nobody"]);
    assert_eq!((unknown.code, unknown.err.contains("no account has the identifier nobody")), (Some(1), true));
}
