//! Passwords changed by MIT's `kadmind` on the local KDC's database, and what a kill of it leaves.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod stored;

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::process::Child;
use std::time::{Duration, Instant};

use stored::{Lab, program, start, text};

/// A realm with ann, whose passwords a `kadmind` changes.
struct Changing {
    lab: Lab,
    port: u16,
}

/// A port of the loopback that nobody has for UDP and TCP.
fn free() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    UdpSocket::bind((Ipv4Addr::LOCALHOST, port)).unwrap();
    port
}

impl Changing {
    fn new() -> Option<Self> {
        let mut lab = Lab::new("")?;
        lab.setup().unwrap();
        lab.local("addprinc -pw first ann");
        let (port, admin) = (free(), free());
        let client = format!("[realms]\n LOCALKDC = {{\n  kpasswd_server = 127.0.0.1:{port}\n }}\n");
        fs::write(lab.path("client.conf"), format!("include {}\n{client}", lab.layout.krb5_conf().display())).unwrap();
        fs::write(lab.path("acl"), "").unwrap();
        let server = format!(
            " LOCALKDC = {{\n  kpasswd_listen = 127.0.0.1:{port}\n  kadmind_listen = 127.0.0.1:{admin}\n  acl_file = {}\n",
            lab.path("acl")
        );
        let kdc = fs::read_to_string(lab.layout.kdc_conf()).unwrap();
        assert!(kdc.contains(" LOCALKDC = {\n"), "{kdc}");
        fs::write(lab.path("kadmind.conf"), kdc.replacen(" LOCALKDC = {\n", &server, 1)).unwrap();
        lab.kdc();
        Some(Self { lab, port })
    }

    fn kadmind(&self) -> Child {
        let mut command = self.lab.command("kadmind");
        let log = fs::File::create(self.lab.path("kadmind.out")).unwrap();
        command.args(["-nofork", "-r", "LOCALKDC"]).env("KRB5_KDC_PROFILE", self.lab.path("kadmind.conf"));
        command.stdout(log.try_clone().unwrap()).stderr(log);
        let child = command.spawn().unwrap();
        let begun = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            let said = fs::read_to_string(self.lab.path("kadmind.out")).unwrap();
            assert!(begun.elapsed() < Duration::from_secs(20), "{said}");
            std::thread::sleep(Duration::from_millis(10));
        }
        child
    }

    /// `kpasswd`, which has read what it needs.
    fn change(&self, old: &str, new: &str) -> Child {
        let mut command = self.lab.command("kpasswd");
        command.arg("ann").env("KRB5_CONFIG", self.lab.path("client.conf"));
        start(command, &format!("{old}\n{new}\n{new}\n"))
    }

    fn works(&self, password: &str) -> bool {
        self.lab.kinit("ann", password).0
    }
}

#[test]
fn a_server_is_killed_while_it_changes_a_password() {
    if !tagwise_testing::tool(&program("kadmind"), &["-?"]) || !tagwise_testing::tool(&program("kpasswd"), &["-?"]) {
        return;
    }
    let Some(mut changing) = Changing::new() else { return };
    // How long the whole takes, and that it works.
    let mut server = changing.kadmind();
    let begun = Instant::now();
    let output = changing.change("first", "round").wait_with_output().unwrap();
    let whole = begun.elapsed();
    assert!(output.status.success() && changing.works("round"), "{}{}", text(&output), changing.lab.log());
    server.kill().unwrap();
    server.wait().unwrap();

    let rounds = if std::env::var_os("TAGWISE_ALL").is_some() { 100 } else { 12 };
    let (mut password, mut changed, mut kept) = ("round".to_owned(), 0, 0);
    // The moment of the kill moves towards the change: later when it came before it, earlier when it came after.
    let mut part = 0.7;
    for round in 0..10 * rounds {
        if round >= rounds && changed > 0 && kept > 0 {
            break;
        }
        let new = format!("round{round}");
        let mut server = changing.kadmind();
        let begun = Instant::now();
        let client = changing.change(&password, &new);
        std::thread::sleep(whole.mul_f64(part));
        server.kill().unwrap();
        server.wait().unwrap();
        let output = client.wait_with_output().unwrap();
        let told = output.status.success();
        assert!(begun.elapsed() < Duration::from_secs(30), "round {round}: {}", text(&output));
        let (before, after) = (changing.works(&password), changing.works(&new));
        assert!(before != after, "round {round}: {before} {after}: {}", text(&output));
        assert!(!told || after, "round {round}: told that it was modified");
        assert!(told || !text(&output).trim().is_empty(), "round {round}: an error without a word");
        if after {
            (password, changed, part) = (new, changed + 1, part * 0.85);
        } else {
            (kept, part) = (kept + 1, part * 1.1);
        }
    }
    eprintln!("killed {} times: {changed} changed, {kept} as before", changed + kept);
    assert!(changed > 0 && kept > 0, "the kills were all too late or too early: {changed} {kept}");
    let database = rusqlite::Connection::open(changing.lab.layout.database()).unwrap();
    let said: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(said, "ok");
    drop(database);
    let listed = changing.lab.local("listprincs");
    assert!(listed.contains("ann@") && listed.contains("kadmin/changepw@"), "{listed}");
    changing.lab.stop();
}
