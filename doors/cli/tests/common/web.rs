//! CAs whose certificates name servers on the loopback interface.
#![allow(dead_code, reason = "no test uses all of it")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::tagwise;

/// A port that was free a moment ago.
pub(crate) fn port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A running `tagwise ca serve-ocsp`.
pub(crate) struct Served(Child);

impl Served {
    pub(crate) fn start(db: &Path, port: u16, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.args(["ca", "serve-ocsp", "--db"]).arg(db).args(["--listen", &format!("127.0.0.1:{port}")]).args(more);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("http://"), "{line}");
        Self(child)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn run(args: &[&str]) {
    let run = tagwise(args);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
}

/// A root, a CA below it, and a server's certificate, whose URLs are those of servers at two ports.
pub(crate) struct Hierarchy {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) ports: [u16; 2],
}

impl Hierarchy {
    /// `kinds` are the options for URLs: `--ocsp-url`, `--crl-url`, `--issuer-url`.
    pub(crate) fn new(kinds: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ports = [port(), port()];
        let hierarchy = Self { folder, ports };
        let at = |name: &str| hierarchy.at(name);
        let urls = |port: u16| -> Vec<String> {
            let path = |kind: &str| match kind {
                "--crl-url" => "crl",
                "--issuer-url" => "ca",
                _ => "",
            };
            kinds
                .iter()
                .flat_map(|kind| [(*kind).to_owned(), format!("http://localhost:{port}/{}", path(kind))])
                .collect()
        };
        let init = |db: &str, port: u16, more: &[&str]| {
            let urls = urls(port);
            let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
            run(&[&["ca", "init", "--db", db, "--no-passphrase"], more, &urls].concat());
        };
        init(&at("root.db"), ports[0], &["--subject", "CN=Root", "-o", &at("root.pem")]);
        let (key, public) = (at("sub.key"), at("sub.pub"));
        run(&["key", "new", "ecdsa-p256", "--no-passphrase", "-o", &key, "--public", &public]);
        let issue = ["ca", "issue", "--db", &at("root.db"), "--public-key", &public, "--profile", "ca"];
        run(&[&issue[..], &["--subject", "CN=Sub", "-o", &at("sub.pem")]].concat());
        let take = ["--key", &key, "--certificate", &at("sub.pem"), "--no-history", "-o", "/dev/null"];
        init(&at("sub.db"), ports[1], &take);
        hierarchy.issue("www");
        hierarchy
    }

    pub(crate) fn at(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Issues a server's certificate.
    pub(crate) fn issue(&self, name: &str) {
        let (db, file, key) = (self.at("sub.db"), self.at(&format!("{name}.pem")), self.at(&format!("{name}.key")));
        let new = ["--new-key", "ecdsa-p256", "--key-out", &key, "--key-no-passphrase"];
        run(&[&["ca", "issue", "--db", &db, "--dns", "www.example.org", "-o", &file], &new[..]].concat());
    }

    pub(crate) fn revoke(&self, name: &str) {
        let file = self.at(&format!("{name}.pem"));
        run(&["ca", "revoke", "--db", &self.at("sub.db"), "--certificate", &file, "--reason", "keyCompromise"]);
    }

    /// Starts both servers.
    pub(crate) fn serve(&self) -> [Served; 2] {
        let start = |name: &str, port: u16| Served::start(&self.folder.path().join(name), port, &[]);
        [start("root.db", self.ports[0]), start("sub.db", self.ports[1])]
    }
}

/// A server that answers every request with the same bytes, and counts them. `more` is sent again and again.
pub(crate) fn says(port: u16, answer: Vec<u8>, more: &'static [u8]) {
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    std::thread::spawn(move || {
        while let Ok((mut client, _)) = listener.accept() {
            let answer = answer.clone();
            std::thread::spawn(move || {
                let _ = client.read(&mut [0; 8192]);
                let _ = client.write_all(&answer);
                while !more.is_empty() && client.write_all(more).is_ok() {}
            });
        }
    });
}
