//! `tagwise view`: the document is served to one client of the page alone, in time, and without secrets.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{data, der, tagwise};
use serde_json::Value;
use tagwise_codec::text::hex;

/// A running `tagwise view`.
struct View {
    child: Child,
    host: String,
    base: String,
    began: Instant,
}

impl View {
    fn start(command: &mut Command) -> Self {
        let began = Instant::now();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (host, token) = line.trim_end().strip_prefix("http://").unwrap().split_once('/').unwrap();
        Self { child, host: host.to_owned(), base: format!("/{token}"), began }
    }

    fn of(args: &[&str]) -> Self {
        Self::start(Command::new(env!("CARGO_BIN_EXE_tagwise")).args(["view", "--no-open"]).args(args))
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.host).unwrap()
    }

    /// The status and the body of an answer.
    fn get(&self, name: &str, fields: &str) -> (u16, String) {
        let mut stream = self.connect();
        let head = format!("GET {}{name} HTTP/1.1\r\nHost: {}\r\n{fields}\r\n", self.base, self.host);
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    /// The exit code, and how long the command ran.
    fn end(mut self) -> (Option<i32>, Duration) {
        let code = self.child.wait().unwrap().code();
        (code, self.began.elapsed())
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_document_is_served_once() {
    let view = View::of(&["--wait", "30", &data("leaf.pem")]);
    for fields in [
        format!("Host: {}\r\n", view.host),
        "Host: evil.example\r\n".to_owned(),
        "Origin: http://evil.example\r\n".to_owned(),
        "Origin: null\r\n".to_owned(),
        "Sec-Fetch-Site: cross-site\r\n".to_owned(),
    ] {
        let (status, body) = view.get("document.json", &fields);
        assert!(matches!(status, 400 | 403 | 404) && !body.contains("leaf"), "{fields}: {status}");
    }
    // A file leads the browser to the page.
    let opened = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
    assert_eq!(view.get("", opened).0, 200);
    assert_eq!(view.get("view.js", "Sec-Fetch-Site: same-origin\r\n").0, 200);
    let own = format!("Origin: http://{}\r\nSec-Fetch-Site: same-origin\r\n", view.host);
    let (status, body) = view.get("document.json", &own);
    let document: Value = serde_json::from_str(&body).unwrap();
    let item = &document["files"][0]["items"][0];
    assert_eq!((status, &item["hex"]), (200, &hex::encode(&der("leaf.pem")).into()));
    assert_eq!(item["hidden"], serde_json::json!([]));
    let loaded = view.began.elapsed();
    assert_eq!(view.get("document.json", &own).0, 404);
    // The rest of the page, and no second load that would give more time.
    assert_eq!(view.get("icon.svg", &own).0, 200);
    let (code, ran) = view.end();
    assert!(code == Some(0) && ran < loaded + Duration::from_secs(5), "{code:?} {ran:?}");
}

/// Without trust anchors, the self-signed certificates of the files end the path, and `trusted` is false.
#[test]
fn the_end_entity_certificate_is_verified() {
    let verdict = |args: &[&str]| {
        let (status, body) = View::of(args).get("document.json", "");
        assert_eq!(status, 200);
        serde_json::from_str::<Value>(&body).unwrap()["verdict"].take()
    };
    let is = |verdict: &Value, status: &str, trusted: bool| {
        assert_eq!((&verdict["status"], &verdict["trusted"]), (&status.into(), &trusted.into()), "{verdict}");
        assert_eq!(verdict["subject"], "CN=www.example.com,O=Beispiel AG\\, Müller & Söhne,C=DE");
    };
    let (leaf, root) = (data("leaf.pem"), data("root.pem"));
    // The order does not matter.
    is(&verdict(&[&root, &leaf]), "valid", false);
    let alone = verdict(&[&leaf]);
    is(&alone, "invalid", false);
    assert_eq!(alone["report"]["rejected"][0]["rule"], "no-issuer");
    let valid = verdict(&["--trust", &root, &leaf]);
    is(&valid, "valid", true);
    assert!(valid["paths"][0]["anchor"].as_str().is_some_and(|name| name.contains("Example Root")), "{valid}");
    // A root that issued nothing here.
    is(&verdict(&["--trust", "mozilla", &leaf, &root]), "invalid", true);
    assert_eq!(verdict(&[&data("list.pem")]), Value::Null);
    // Each end-entity certificate has its verdict.
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.pem").to_str().unwrap().to_owned();
    let key = folder.path().join("other.key").to_str().unwrap().to_owned();
    let run = tagwise(&["cert", "self-signed", "--host", "other.example", "--key-out", &key, "-o", &other]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let both = verdict(&["--trust", &root, &leaf, &other]);
    is(&both, "valid", true);
    assert_eq!(both["omitted"], 0);
    let others = both["others"].as_array().unwrap();
    assert_eq!(others.len(), 1, "{both}");
    assert_eq!((&others[0]["status"], &others[0]["trusted"]), (&"invalid".into(), &true.into()), "{both}");
}

/// Clients that send nothing, or a byte now and then, hold up neither the page nor the end.
#[test]
fn idle_clients() {
    let view = View::of(&["--wait", "30", &data("leaf.pem")]);
    let idle: Vec<TcpStream> = (0..8).map(|_| view.connect()).collect();
    std::thread::sleep(Duration::from_millis(100));
    let asked = Instant::now();
    assert_eq!(view.get("", "").0, 200);
    assert_eq!(view.get("document.json", "").0, 200);
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    assert_eq!(view.end().0, Some(0));
    drop(idle);

    let view = View::of(&["--wait", "2", &data("leaf.pem")]);
    let _idle = view.connect();
    let mut slow = view.connect();
    let slow = std::thread::spawn(move || {
        for _ in 0..40 {
            if slow.write_all(b"G").is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let (code, ran) = view.end();
    assert!(code == Some(1) && ran < Duration::from_secs(6), "{code:?} {ran:?}");
    slow.join().unwrap();
}

/// The document about a file.
fn document(args: &[&str]) -> Value {
    let view = View::of(&[&["--wait", "30"], args].concat());
    let (status, body) = view.get("document.json", "");
    assert_eq!(status, 200);
    serde_json::from_str(&body).unwrap()
}

#[test]
fn secrets_are_blank() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |args: &[&str]| {
        let run = tagwise(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    };
    run(&["key", "new", "ed25519", "--no-passphrase", "-o", &at("ed.key")]);
    run(&["key", "new", "ecdsa-p256", "--no-passphrase", "-o", &at("ec8.key")]);
    run(&["key", "convert", "--to", "sec1", "--no-passphrase", &at("ec8.key"), "-o", &at("ec.key")]);
    run(&["convert", "--to", "der", &at("ec.key"), "-o", &at("ec.der")]);
    run(&["key", "convert", "--to", "openssh", "--no-passphrase", &at("ed.key"), "-o", &at("ssh.key")]);
    run(&["convert", "--to", "p12", &at("ed.key"), "-o", &at("ed.p12")]);
    let key = |name: &str, from: usize| {
        let text = std::fs::read(at(name)).unwrap();
        let der = tagwise_codec::pem::blocks(&text).next().unwrap().unwrap().decode().unwrap();
        hex::encode(&der[from..from + 32])
    };
    // After the headers of RFC 8410 §7 and RFC 5915 §3.
    let (ed, ec) = (key("ed.key", 16), key("ec.key", 7));
    for (name, secret) in
        [("ed.key", &ed), ("ssh.key", &ed), ("ed.p12", &ed), ("ec8.key", &ec), ("ec.key", &ec), ("ec.der", &ec)]
    {
        let shown = document(&[&at(name)]);
        let text = shown.to_string();
        // Not half of it either.
        assert!(!text.contains(&secret[..16]) && !text.contains(&secret[48..]), "{name}: {text}");
        let item = &shown["files"][0]["items"][0];
        let size = item["hex"].as_str().unwrap().len() / 2;
        assert_eq!(item["hidden"], serde_json::json!([[0, size]]), "{name}");
        let all = document(&["--secrets", &at(name)]).to_string();
        assert!(all.contains(secret.as_str()), "{name}: {all}");
    }
    // A public key is none.
    run(&["key", "convert", "--to", "public", &at("ec.key"), "-o", &at("ec.pub")]);
    let shown = document(&[&at("ec.pub")]);
    assert_eq!(shown["files"][0]["items"][0]["hidden"], serde_json::json!([]));
    assert!(shown["files"][0]["items"][0]["hex"].as_str().unwrap().contains("2a8648ce3d0301"));
}

/// Other users see the arguments of the browser, but not the file that they name.
#[cfg(unix)]
#[test]
fn the_browser_is_given_a_private_file() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let (bin, seen) = (folder.path().join("bin"), folder.path().join("seen"));
    std::fs::create_dir(&bin).unwrap();
    let browser = bin.join("xdg-open");
    let script = "#!/bin/sh\n{ echo \"$@\"; ls -ld \"$1\"; ls -ld \"$(dirname \"$1\")\"; cat \"$1\"; } > \"$SEEN.new\"\nmv \"$SEEN.new\" \"$SEEN\"\n";
    std::fs::write(&browser, script).unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
    command.args(["view", "--wait", "30", &data("leaf.pem")]).env("PATH", path).env("SEEN", &seen);
    let view = View::start(&mut command);
    let end = Instant::now() + Duration::from_secs(20);
    while !seen.exists() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = std::fs::read_to_string(&seen).unwrap();
    let mut lines = text.lines();
    let file = Path::new(lines.next().unwrap());
    let token = view.base.trim_matches('/');
    assert!(file.is_absolute() && !file.to_str().unwrap().contains(token), "{}", file.display());
    assert!(lines.next().unwrap().starts_with("-rw-------"), "{text}");
    assert!(lines.next().unwrap().starts_with("drwx------"), "{text}");
    assert!(text.contains(&format!("url=http://{}{}\"", view.host, view.base)), "{text}");
    assert!(file.exists());
    assert_eq!(view.get("document.json", "").0, 200);
    assert_eq!(view.end().0, Some(0));
    assert!(!file.exists() && !file.parent().unwrap().exists());
}
