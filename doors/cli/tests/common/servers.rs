//! Servers on the loopback interface, and their certificates.
#![allow(dead_code, reason = "no test uses all of it")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::{Run, tagwise};

/// A root, and certificates of servers with their keys.
pub(crate) fn made() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |args: &[&str]| {
        let run = tagwise(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    };
    let (db, root) = (at("ca.db"), at("root.pem"));
    run(&["ca", "init", "--db", &db, "--subject", "CN=Root", "--no-passphrase", "-o", &root]);
    for kind in ["ecdsa-p256", "rsa2048", "ed25519"] {
        let (key, public, leaf) = (at(&format!("{kind}.key")), at(&format!("{kind}.pub")), at(&format!("{kind}.pem")));
        run(&["key", "new", kind, "--no-passphrase", "-o", &key, "--public", &public]);
        run(&[
            "ca",
            "issue",
            "--db",
            &db,
            "--public-key",
            &public,
            "--dns",
            "localhost",
            "--ip",
            "127.0.0.1",
            "-o",
            &leaf,
        ]);
    }
    folder
}

/// A running `openssl s_server`.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
}

impl Server {
    pub(crate) fn start(folder: &Path, kind: &str, more: &str) -> Self {
        let mut command = Command::new("openssl");
        let (certificate, key) = (format!("{kind}.pem"), format!("{kind}.key"));
        command.current_dir(folder).args(["s_server", "-accept", "127.0.0.1:0", "-cert", &certificate, "-key", &key]);
        command.args(["-www"]).args(more.split_whitespace());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("ACCEPT ") {
            line.clear();
            assert!(output.read_line(&mut line).unwrap() > 0, "s_server ended");
        }
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        Self { child, port: line.trim().rsplit(':').next().unwrap().parse().unwrap() }
    }

    pub(crate) fn show(&self, folder: &Path, host: &str, more: &[&str]) -> Run {
        let root = folder.join("root.pem");
        let address = format!("tls://{host}:{}", self.port);
        tagwise(&[&["show", &address, "--trust", root.to_str().unwrap()], more].concat())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A certificate that signs itself, made by `openssl req`.
pub(crate) fn self_signed(folder: &Path, name: &str, subject: &str, extensions: &[&str]) {
    let (key, leaf) = (format!("{name}.key"), format!("{name}.pem"));
    let mut command = Command::new("openssl");
    command.current_dir(folder).args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]);
    command.args(["-nodes", "-subj", subject, "-keyout", &key, "-out", &leaf, "-days", "30"]);
    extensions.iter().for_each(|extension| _ = command.args(["-addext", extension]));
    assert!(command.stderr(Stdio::null()).status().unwrap().success(), "{name}");
}

/// A dialogue: the lines that a server expects, and its answers.
pub(crate) type Words = &'static [(&'static [u8], &'static [u8])];

/// A server that says other things first, and hands the handshake on to one that speaks TLS.
pub(crate) fn front(port: u16, words: Words) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let own = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        for (heard, said) in words {
            let mut got = vec![0; heard.len()];
            client.read_exact(&mut got).unwrap();
            assert_eq!(got, *heard);
            client.write_all(said).unwrap();
        }
        let mut server = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let (mut back, mut forth) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut back, &mut forth));
        let _ = std::io::copy(&mut client, &mut server);
    });
    own
}
