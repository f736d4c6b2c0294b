//! The daemon as a KDC meets it: over its socket, with PAM and without, and when something is wrong.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit as _, Mac as _};
use md5::{Digest as _, Md5};

struct Daemon {
    folder: tempfile::TempDir,
    child: Child,
}

/// A daemon under this policy.
fn start(policy: &str, files: &[(&str, &str)], environment: &[(&str, &str)]) -> Daemon {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().display().to_string();
    for (name, text) in [("policy.toml", policy)].iter().chain(files) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text.replace("ROOT", &root)).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_localkdc-pam-auth"));
    command.arg("--config").arg(folder.path().join("policy.toml"));
    command.arg("--socket").arg(folder.path().join("socket"));
    for (name, value) in environment {
        command.env(name, value.replace("ROOT", &root));
    }
    let log = fs::File::create(folder.path().join("log")).unwrap();
    let child = command.stdin(Stdio::null()).stderr(log).spawn().unwrap();
    let daemon = Daemon { folder, child };
    let begun = Instant::now();
    while UnixStream::connect(daemon.folder.path().join("socket")).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{}", daemon.log());
        std::thread::sleep(Duration::from_millis(20));
    }
    daemon
}

impl Daemon {
    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    fn connect(&self) -> UnixStream {
        let stream = UnixStream::connect(self.folder.path().join("socket")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// The code of the reply: 2 accepts, 3 rejects.
    fn ask(&self, user: &str, password: &str) -> u8 {
        let stream = self.connect();
        (&stream).write_all(&request(7, user, password)).unwrap();
        reply(&stream)[0]
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn hmac(message: &[u8]) -> Vec<u8> {
    Hmac::<Md5>::new_from_slice(b"").unwrap().chain_update(message).finalize().into_bytes().to_vec()
}

/// An Access-Request without a secret, signed.
fn request(identifier: u8, user: &str, password: &str) -> Vec<u8> {
    let authenticator = [identifier; 16];
    let mut plain = password.as_bytes().to_vec();
    plain.resize(plain.len().max(1).next_multiple_of(16), 0);
    let (mut hidden, mut before) = (Vec::new(), authenticator.to_vec());
    for block in plain.chunks(16) {
        before = block.iter().zip(Md5::digest(&before)).map(|(byte, mask)| byte ^ mask).collect();
        hidden.extend(&before);
    }
    let mut packet = [&[1, identifier, 0, 0], &authenticator[..]].concat();
    for (kind, value) in [(1, user.as_bytes()), (2, &hidden), (80, &[0; 16])] {
        packet.extend([kind, u8::try_from(value.len() + 2).unwrap()]);
        packet.extend(value);
    }
    let len = u16::try_from(packet.len()).unwrap();
    packet[2..4].copy_from_slice(&len.to_be_bytes());
    let at = packet.len() - 16;
    let signature = hmac(&packet);
    packet[at..].copy_from_slice(&signature);
    packet
}

/// A reply, whose signatures are verified.
fn reply(mut stream: &UnixStream) -> Vec<u8> {
    let mut packet = vec![0; 38];
    stream.read_exact(&mut packet).unwrap();
    let authenticator = [packet[1]; 16];
    let expected = Md5::digest([&packet[..4], &authenticator, &packet[20..]].concat());
    assert_eq!(packet[4..20], expected[..]);
    let signed = [&packet[..4], &authenticator, &[80, 18], &[0; 16]].concat();
    assert_eq!(packet[22..], hmac(&signed)[..]);
    packet
}

/// Accepts the password `right`, cannot tell about `broken`, hangs on `hang`.
const PROGRAM: &str = r#"#!/bin/sh
case "$(tr '\0' ':')" in
    *:right) exit 0 ;;
    *:broken) exit 7 ;;
    *:hang) exec sleep 60 ;;
    *) exit 1 ;;
esac
"#;
const POLICY: &str = "[passwords]\ncheck = 'program'\nprogram = 'ROOT/check'\ntimeout = 2\nfailures = 3\n";

#[test]
fn a_program_is_asked() {
    let daemon = start(POLICY, &[("check", PROGRAM)], &[]);
    let mode = fs::metadata(daemon.folder.path().join("socket")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(daemon.ask("ann", "right"), 2);
    assert_eq!(daemon.ask("ann", "wrong"), 3);
    assert_eq!(daemon.ask("ann", "broken"), 3);
    for password in ["wrong", "wrong"] {
        assert_eq!(daemon.ask("ann", password), 3);
    }
    // The third failure: even the right one is not checked for a second.
    assert_eq!(daemon.ask("ann", "right"), 3);
    assert_eq!(daemon.ask("bob", "right"), 2);
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(daemon.ask("ann", "right"), 2);
    let log = daemon.log();
    assert!(log.contains("ann: not checked") && log.contains("ann: rejected, the user must wait"), "{log}");
    assert!(["right", "wrong", "broken"].iter().all(|password| !log.contains(password)), "{log}");
}

#[test]
fn a_check_that_hangs_holds_up_nobody_else() {
    let daemon = start(POLICY, &[("check", PROGRAM)], &[]);
    let stream = daemon.connect();
    // One connection, as a KDC has it; the second request is sent twice.
    for packet in [request(1, "ann", "hang"), request(2, "bob", "right"), request(2, "bob", "right")] {
        (&stream).write_all(&packet).unwrap();
    }
    assert_eq!(reply(&stream)[..2], [2, 2], "bob is answered first");
    let next = reply(&stream);
    // The repetition is answered again, unless it came while the first was open.
    let last = if next[1] == 2 { reply(&stream) } else { next };
    assert_eq!(last[..2], [3, 1]);
    assert!(daemon.log().contains("ann: not checked") && daemon.log().contains("no reply within"), "{}", daemon.log());
}

#[test]
fn malformed_packets_are_discarded() {
    let daemon = start(&format!("{POLICY}message_authenticator = true\n"), &[("check", PROGRAM)], &[]);
    let stream = daemon.connect();
    let mut unsigned = request(1, "ann", "right");
    unsigned.truncate(unsigned.len() - 18);
    let len = u8::try_from(unsigned.len()).unwrap();
    unsigned[3] = len;
    let mut forged = request(2, "ann", "right");
    forged[22] = b'b';
    for packet in [unsigned, forged, request(3, "ann", "right")] {
        (&stream).write_all(&packet).unwrap();
    }
    assert_eq!(reply(&stream)[..2], [2, 3], "only the whole one is answered");
    // Behind a wrong length nothing can be found.
    (&stream).write_all(&[&[1, 4, 0, 19], &[0; 16][..]].concat()).unwrap();
    assert_eq!((&stream).read(&mut [0; 1]).unwrap(), 0);
    assert_eq!(daemon.ask("ann", "right"), 2);
}

#[test]
fn a_socket_is_handed_over() {
    let folder = tempfile::tempdir().unwrap();
    let (policy, check, path) = (folder.path().join("policy"), folder.path().join("check"), folder.path().join("s"));
    fs::write(&policy, POLICY.replace("ROOT", &folder.path().display().to_string())).unwrap();
    fs::write(&check, PROGRAM).unwrap();
    fs::set_permissions(&check, fs::Permissions::from_mode(0o700)).unwrap();
    let listener = UnixListener::bind(&path).unwrap();
    // `sh` puts the socket at descriptor 3 and names its own process, as a service manager does.
    let mut child = Command::new("/bin/sh")
        .args(["-c", r#"exec 3<&0 0</dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" --config "$1""#])
        .arg(env!("CARGO_BIN_EXE_localkdc-pam-auth"))
        .arg(&policy)
        .stdin(std::os::fd::OwnedFd::from(listener))
        .spawn()
        .unwrap();
    let stream = UnixStream::connect(&path).unwrap();
    (&stream).write_all(&request(1, "ann", "right")).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    assert_eq!(reply(&stream)[0], 2);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn mistakes_end_the_daemon() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy");
    fs::write(&policy, "[password]\n").unwrap();
    let ended = Command::new(env!("CARGO_BIN_EXE_localkdc-pam-auth")).arg("--config").arg(&policy).output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!((ended.status.code(), said.contains("unknown field `password`")), (Some(2), true), "{said}");
    fs::write(&policy, "").unwrap();
    let ended = Command::new(env!("CARGO_BIN_EXE_localkdc-pam-auth")).arg("--config").arg(&policy).output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!((ended.status.code(), said.contains("LISTEN_FDS")), (Some(2), true), "{said}");
}

#[cfg(feature = "pam")]
#[test]
fn pam_is_asked() {
    let found = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    let found = found.iter().map(Path::new).find(|folder| folder.join("libpam_wrapper.so").exists());
    let Some(libraries) = found else { return tagwise_testing::skip("no libpam_wrapper (libpam-wrapper)") };
    let module = libraries.join("pam_wrapper/pam_matrix.so").display().to_string();
    let matrix = format!("{module} passdb=ROOT/passwords");
    let service = format!("auth required {matrix}\naccount required {matrix}\n");
    let policy = "[passwords]\nservice = 'matrix'\n";
    // A user, the password, the services that it is for.
    let passwords = "ann:annpw:matrix\nbob:bobpw:other\n";
    let wrapper = libraries.join("libpam_wrapper.so").display().to_string();
    let files = [("pam/matrix", service.as_str()), ("passwords", passwords)];
    let environment = [("LD_PRELOAD", wrapper.as_str()), ("PAM_WRAPPER", "1"), ("PAM_WRAPPER_SERVICE_DIR", "ROOT/pam")];
    let daemon = start(policy, &files, &environment);
    assert_eq!(daemon.ask("ann", "annpw"), 2, "{}", daemon.log());
    assert_eq!(daemon.ask("ann", "bobpw"), 3);
    assert_eq!(daemon.ask("bob", "bobpw"), 3, "an account for another service");
    assert_eq!(daemon.ask("carol", "annpw"), 3);
    assert_eq!(daemon.ask("ann", ""), 3);
    let log = daemon.log();
    assert!(log.contains("ann: accepted") && !log.contains("annpw") && !log.contains("bobpw"), "{log}");
}
