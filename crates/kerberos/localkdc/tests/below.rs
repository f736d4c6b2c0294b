//! The modules of MIT's that the driver can stand on, and the address of the KDC, which depend on the release. `./x krb5-plugins --release`
//! runs all of it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::net::TcpStream;
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use common::{BY_PROGRAM, Lab, PROGRAM, installed, userdb};
use tagwise_localkdc::setup::{Action, Change, Rotation, SetupError, rotate, status, teardown};

const SERVICES: &str = "
[[services]]
name = 'HTTP/front.test'
protocol_transition = true
delegates_to = ['HTTP/back.test']
[[services]]
name = 'HTTP/back.test'
";

/// The minor number of MIT's release.
fn release(lab: &Lab) -> u32 {
    let (_, said) = lab.tried("klist", &["-V"]);
    let minor = said.split_once("version 1.").unwrap().1;
    minor.split(|digit: char| !digit.is_ascii_digit()).next().unwrap().parse().unwrap()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// Returns whether MIT Kerberos is installed with a module for databases.
fn has_module(name: &str) -> bool {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    folders.iter().any(|folder| Path::new(folder).join("krb5/plugins/kdb").join(format!("{name}.so")).exists())
}

fn lab(database: &str) -> Lab {
    let head = format!("database = '{database}'\n");
    Lab::headed(&head, &format!("{BY_PROGRAM}{SERVICES}"), &[("check", PROGRAM)])
}

fn local(lab: &Lab, query: &str) -> String {
    let words: Vec<&str> = query.split(' ').collect();
    let (done, said) = lab.tried("kadmin.local", &[&["-r", "LOCALKDC"], &words[..]].concat());
    assert!(done, "{query}: {said}{}", lab.log());
    said
}

/// A ticket with a password that the KDC knows itself.
fn kinit(lab: &Lab, name: &str, password: &str) -> (bool, String) {
    let mut command = lab.command("/bin/sh");
    let script = format!("printf '%s\\n' '{password}' | kinit '{name}'");
    let output = command.args(["-c", &script]).output().unwrap();
    (output.status.success(), common::text(&output))
}

/// All that a local KDC is for, on a module of MIT's with these files.
fn story(database: &str, files: &[&str]) {
    if !installed() {
        return;
    }
    let mut lab = lab(database);
    userdb(lab.folder.path().join("users"));
    lab.setup();
    let again = lab.wanted().plan().unwrap();
    assert!(again.steps().iter().all(|step| step.change == Change::Keep), "{:?}", again.steps());
    for name in files {
        assert!(lab.layout.state().join(name).exists(), "{name}");
    }
    assert!(!lab.layout.database().exists(), "no file of SQLite");
    lab.daemon();
    lab.kdc();
    let state = status(&lab.layout).unwrap();
    assert!(state.works() && state.parts.iter().all(|part| part.state == "present"), "{state:?}");
    on_demand(&lab);
    administered(&lab);
    rotated(&lab);
    delegated(&lab);
    // Power is cut: what was told to be done is done.
    local(&lab, "cpw -pw annpw3 ann");
    let mut kdc = lab.children.pop().unwrap();
    kdc.kill().unwrap();
    kdc.wait().unwrap();
    lab.kdc();
    let (granted, said) = kinit(&lab, "ann", "annpw3");
    assert!(granted, "{said}{}", lab.log());
    moved(&mut lab);
}

/// Users and addresses of the machine are principals, and nothing is put into the database.
fn on_demand(lab: &Lab) {
    lab.anonymous();
    assert!(!lab.kinit("ferris", "wrong").0);
    let (granted, said) = lab.kinit("ferris", "right");
    assert!(granted, "{said}{}", lab.daemon_log());
    for (service, known) in [("host/localhost", true), ("host/127.0.0.1", true), ("host/192.0.2.1", false)] {
        let (granted, said) = lab.tried("kvno", &[service]);
        assert_eq!(granted, known, "{service}: {said}{}", lab.log());
    }
    let listed = local(lab, "listprincs");
    assert!(listed.contains("host/localhost@") && listed.contains("HTTP/front.test@"), "{listed}");
    assert!(!listed.contains("ferris") && !listed.contains("127.0.0.1"), "{listed}");
}

/// Changes by an administrator, which a KDC that runs sees at once.
fn administered(lab: &Lab) {
    local(lab, "addpol -minlength 5 -history 2 strict");
    local(lab, "addprinc -pw annpw -policy strict ann");
    assert!(kinit(lab, "ann", "annpw").0, "{}", lab.log());
    local(lab, "cpw -pw annpw2 ann");
    let (granted, said) = kinit(lab, "ann", "annpw");
    assert!(!granted && said.contains("Password incorrect"), "{said}");
    assert!(kinit(lab, "ann", "annpw2").0, "{}", lab.log());
    let short = lab.tried("kadmin.local", &["-r", "LOCALKDC", "cpw", "-pw", "abc", "ann"]).1;
    assert!(short.contains("too short"), "{short}");
    local(lab, "addprinc -pw gonepw gone");
    local(lab, "renprinc -force gone going");
    local(lab, "delprinc -force going");
    let listed = local(lab, "listprincs");
    assert!(listed.contains("ann@") && !listed.contains("going@") && !listed.contains("gone@"), "{listed}");
    assert_eq!(local(lab, "listpols").lines().last(), Some("strict"));
}

/// Keys change under tickets that live.
fn rotated(lab: &Lab) {
    assert!(kinit(lab, "ann", "annpw2").0);
    let services = vec!["HTTP/back.test".to_owned()];
    let turns = rotate(&lab.layout, &Rotation { services, krbtgt: true, now: now(), ..Rotation::default() }).unwrap();
    let renewed: Vec<&str> =
        turns.iter().filter(|turn| turn.action == Action::Renew).map(|turn| turn.principal.as_str()).collect();
    assert_eq!(renewed, ["HTTP/back.test", "krbtgt/LOCALKDC"]);
    let keytab = lab.layout.keytab().display().to_string();
    let (valid, said) = lab.tried("kvno", &["-k", &keytab, "HTTP/back.test"]);
    assert!(valid && said.contains("keytab entry valid"), "{said}{}", lab.log());
}

/// A service gets tickets in a user's name, where the policy lets it.
fn delegated(lab: &Lab) {
    let keytab = lab.layout.keytab().display().to_string();
    let (granted, said) = lab.tried("kinit", &["-k", "-t", &keytab, "-f", "HTTP/front.test"]);
    assert!(granted, "{said}");
    for (target, allowed) in [("HTTP/back.test", true), ("host/localhost", false)] {
        let (granted, said) = lab.tried("kvno", &["-U", "ferris", "-k", &keytab, "-P", target]);
        assert_eq!(granted, allowed, "{target}: {said}");
    }
}

/// To a file of SQLite, as the guide has it: dump, take away, set up, load.
fn moved(lab: &mut Lab) {
    let (dump, stash) = (lab.path("dump"), lab.path("stash"));
    let (dumped, said) = lab.tried("kdb5_util", &["-r", "LOCALKDC", "dump", &dump]);
    assert!(dumped, "{said}");
    fs::copy(lab.layout.stash(), &stash).unwrap();
    lab.stop();
    let policy = fs::read_to_string(lab.layout.policy()).unwrap();
    let (_, rest) = policy.split_once('\n').unwrap();
    fs::write(lab.layout.policy(), rest).unwrap();
    // A policy without a kind keeps the one that is there; another kind is an error.
    lab.setup();
    assert!(!lab.layout.database().exists());
    fs::write(lab.layout.policy(), format!("database = 'sqlite'\n{rest}")).unwrap();
    let refused = lab.wanted().plan().unwrap_err().to_string();
    assert!(refused.contains("already exists as db2; to use sqlite, dump it"), "{refused}");
    let removed = teardown(&lab.layout, false).unwrap();
    assert!(removed.iter().all(|removal| removal.kept.is_none()), "{removed:?}");
    assert!(!lab.layout.state().exists() && lab.layout.policy().exists(), "nothing of it stays");
    lab.setup();
    fs::copy(&stash, lab.layout.stash()).unwrap();
    let (loaded, said) = lab.tried("kdb5_util", &["-r", "LOCALKDC", "load", &dump]);
    assert!(loaded, "{said}");
    lab.kdc();
    let (granted, said) = kinit(lab, "ann", "annpw3");
    assert!(granted, "{said}{}", lab.log());
    // The keytab has the keys of the setup, not those of the dump.
    rotate(&lab.layout, &Rotation { all: true, now: now(), ..Rotation::default() }).unwrap();
    assert!(kinit(lab, "ann", "annpw3").0);
    let keytab = lab.layout.keytab().display().to_string();
    let (valid, said) = lab.tried("kvno", &["-k", &keytab, "host/localhost"]);
    assert!(valid && said.contains("keytab entry valid"), "{said}{}", lab.log());
    lab.stop();
}

#[test]
fn stacked_on_db2() {
    story("db2", &["principal", "principal.ok", "principal.kadm5", "principal.kadm5.lock"]);
}

#[test]
#[ignore = "needs MIT Kerberos' module klmdb"]
fn stacked_on_klmdb() {
    assert!(has_module("klmdb"), "MIT Kerberos has no module klmdb here");
    story("klmdb", &["principal.mdb", "principal.lockout.mdb"]);
}

#[test]
fn a_module_that_is_not_there() {
    if !installed() {
        return;
    }
    let lab = lab("klmdb");
    let planned = lab.wanted().plan();
    if has_module("klmdb") {
        planned.unwrap();
        return;
    }
    match planned {
        Err(SetupError::Other(said)) => assert!(said.contains("krb5/plugins/kdb/klmdb.so"), "{said}"),
        other => panic!("{:?}", other.map(|plan| plan.steps().len())),
    }
    assert!(!lab.layout.state().exists());
}

/// From 1.22 on the KDC is behind a UNIX socket and has no port at all, before that at a port of 127.0.0.1; both can be handed over.
#[test]
fn the_address_of_the_kdc() {
    if !installed() {
        return;
    }
    let mut lab = lab("sqlite");
    lab.setup();
    local(&lab, "addprinc -pw annpw ann");
    let (socket, conf) = (lab.layout.kdc_socket(), fs::read_to_string(lab.layout.snippet()).unwrap());
    let is_socket = release(&lab) >= 22;
    let named = conf.lines().find_map(|line| line.trim().strip_prefix("kdc = ")).unwrap().to_owned();
    let serves = |lab: &Lab| {
        let (granted, said) = kinit(lab, "ann", "annpw");
        assert!(granted, "{said}{}", lab.log());
        let (granted, said) = lab.tried("kvno", &["host/localhost"]);
        assert!(granted, "{said}");
    };
    lab.kdc();
    serves(&lab);
    if is_socket {
        assert_eq!(Path::new(&named), socket);
        assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
        assert_eq!(ports(lab.children[0].id()), 0, "no port");
    } else {
        assert!(named.starts_with("127.0.0.1:") && TcpStream::connect(&named).is_ok(), "{named}");
        assert!(!socket.exists());
        assert_eq!(ports(lab.children[0].id()), 1);
    }
    lab.stop();
    if !is_socket {
        return;
    }
    // As the unit `localkdc.socket` has it: a service manager listens, and starts the KDC for the first client.
    if !tagwise_testing::tool("systemd-socket-activate", &["--version"]) {
        return;
    }
    let unit = fs::read_to_string(lab.layout.units().join("localkdc.socket")).unwrap();
    assert!(unit.contains(&format!("ListenStream={}\n", socket.display())), "{unit}");
    let _ = fs::remove_file(&socket);
    let kdc = ["/usr/sbin/krb5kdc", "-n", "-r", "LOCALKDC"];
    let names = ["KRB5_CONFIG", "KRB5_KDC_PROFILE", "LOCALKDC_CONFIG", "KRB5RCACHEDIR", "TMPDIR"];
    let mut command = lab.command("systemd-socket-activate");
    command.arg("-l").arg(&socket).args(names.iter().flat_map(|name| ["-E", name])).args(kdc);
    lab.children.push(command.spawn().unwrap());
    lab.until("the socket", |lab| UnixStream::connect(lab.layout.kdc_socket()).is_ok());
    serves(&lab);
    lab.stop();
}

/// Ports of TCP and UDP that a process has open.
fn ports(pid: u32) -> usize {
    let links =
        fs::read_dir(format!("/proc/{pid}/fd")).unwrap().filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
    let inodes: Vec<String> =
        links.filter_map(|link| Some(link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned())).collect();
    let tables = ["tcp", "tcp6", "udp", "udp6"]
        .map(|table| fs::read_to_string(format!("/proc/{pid}/net/{table}")).unwrap_or_default());
    let rows = tables.iter().flat_map(|table| table.lines().skip(1));
    // The state 0A is a listener's, 07 that of a socket of datagrams.
    rows.filter(|row| {
        let words: Vec<&str> = row.split_whitespace().collect();
        ["0A", "07"].contains(&words[3]) && inodes.iter().any(|inode| inode == words[9])
    })
    .count()
}
