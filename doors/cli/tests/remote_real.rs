//! `tagwise verify` of servers by protocol, with Debian's servers where they are installed.
#![cfg(all(feature = "tls", target_os = "linux"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod common;
#[path = "common/servers.rs"]
mod servers;

use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::tagwise;
use servers::made;

/// A server process; it ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let id = self.0.id().to_string();
        let _ = Command::new("kill").args(["-INT", &id]).status();
        let start = Instant::now();
        while self.0.try_wait().is_ok_and(|ended| ended.is_none()) && start.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn start(mut command: Command, ports: &[u16]) -> Process {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut process = Process(child);
    let start = Instant::now();
    for port in ports {
        while TcpStream::connect(("127.0.0.1", *port)).is_err() {
            assert!(process.0.try_wait().unwrap().is_none(), "the server has ended: {command:?}");
            assert!(start.elapsed() < Duration::from_secs(30), "the server does not listen: {command:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    process
}

fn verified(folder: &Path, address: &str) {
    let root = folder.join("root.pem");
    let run = tagwise(&["verify", address, "--trust", root.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{address}: {}{}", run.out, run.err);
    assert!(run.out.contains("Connection:  TLS 1."), "{}", run.out);
}

fn installed(program: &str) -> bool {
    let is_there = Path::new(program).exists();
    if !is_there {
        tagwise_testing::skip(&format!("{program} is missing"));
    }
    is_there
}

#[test]
fn openldap() {
    if !installed("/usr/sbin/slapd") {
        return;
    }
    let folder = made();
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::create_dir(at("data")).unwrap();
    let conf = format!(
        "pidfile {}\nTLSCACertificateFile {}\nTLSCertificateFile {}\nTLSCertificateKeyFile {}\n",
        at("slapd.pid"),
        at("root.pem"),
        at("ecdsa-p256.pem"),
        at("ecdsa-p256.key")
    );
    std::fs::write(at("slapd.conf"), conf).unwrap();
    let (plain, tls) = (port(), port());
    let urls = format!("ldap://127.0.0.1:{plain}/ ldaps://127.0.0.1:{tls}/");
    let mut command = Command::new("/usr/sbin/slapd");
    command.args(["-f", &at("slapd.conf"), "-d", "0", "-h", &urls]);
    let _server = start(command, &[plain, tls]);
    verified(folder.path(), &format!("ldap://localhost:{plain}"));
    verified(folder.path(), &format!("ldaps://localhost:{tls}"));
}

/// The user of a package, if the test runs as root; servers refuse to.
fn as_user(user: &str, program: &Path) -> Command {
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let mut command = Command::new(if is_root { Path::new("setpriv") } else { program });
    if is_root {
        let (reuid, regid) = (format!("--reuid={user}"), format!("--regid={user}"));
        command.args([reuid, regid]).args(["--clear-groups", "--"]).arg(program);
    }
    command.env("LC_ALL", "C.UTF-8").current_dir("/");
    command
}

#[test]
fn postgresql() {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut bins: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    bins.retain(|bin| bin.join("initdb").exists());
    bins.sort();
    let Some(bin) = bins.pop() else {
        tagwise_testing::skip("no PostgreSQL server");
        return;
    };
    let (made, folder) = (made(), tempfile::tempdir().unwrap());
    let data = folder.path().join("data");
    for name in ["ecdsa-p256.pem", "ecdsa-p256.key"] {
        std::fs::copy(made.path().join(name), folder.path().join(name)).unwrap();
    }
    let _ = Command::new("chown").args(["-R", "postgres"]).arg(folder.path()).stderr(Stdio::null()).status();
    let mut init = as_user("postgres", &bin.join("initdb"));
    let output = init.args(["--auth=trust", "--no-sync", "-D"]).arg(&data).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let port = port();
    let mut command = as_user("postgres", &bin.join("postgres"));
    command.arg("-D").arg(&data).args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "ssl=on"]);
    for (setting, name) in [("ssl_cert_file", "ecdsa-p256.pem"), ("ssl_key_file", "ecdsa-p256.key")] {
        command.arg("-c").arg(format!("{setting}={}", folder.path().join(name).display()));
    }
    command.arg("-c").arg(format!("unix_socket_directories={}", folder.path().display()));
    let _server = start(command, &[port]);
    verified(made.path(), &format!("postgres://localhost:{port}"));
}

#[test]
fn dovecot() {
    if !installed("/usr/sbin/dovecot") {
        return;
    }
    if Command::new("id").arg("-u").output().unwrap().stdout != b"0\n" {
        tagwise_testing::skip("Dovecot needs root");
        return;
    }
    let made = made();
    let folder = tempfile::tempdir().unwrap();
    // Its login processes have a user of their own.
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let services = [
        ("imap", "imap-login", "imap"),
        ("imaps", "imap-login", "imaps"),
        ("pop3", "pop3-login", "pop3"),
        ("pop3s", "pop3-login", "pop3s"),
        ("submission", "submission-login", "submission"),
        ("sieve", "managesieve-login", "sieve"),
    ];
    let modules = |name: &str| Path::new("/usr/lib/dovecot").join(name).exists();
    let services: Vec<_> = services.into_iter().filter(|(_, login, _)| modules(login)).collect();
    let ports: Vec<u16> = services.iter().map(|_| port()).collect();
    let protocols = [
        ("imap", "imap-login"),
        ("pop3", "pop3-login"),
        ("submission", "submission-login"),
        ("sieve", "managesieve-login"),
    ];
    let protocols: Vec<&str> =
        protocols.into_iter().filter(|(_, login)| modules(login)).map(|(name, _)| name).collect();
    let mut conf = format!(
        "base_dir = {}\nlog_path = {}\nprotocols = {}\nssl = yes\nssl_cert = <{}\nssl_key = <{}\nlisten = 127.0.0.1\n\
         submission_relay_host = 127.0.0.1\nfirst_valid_uid = 0\nmail_location = maildir:{}\n\
         passdb {{\n driver = static\n args = nopassword=y\n}}\nuserdb {{\n driver = static\n args = uid=0 gid=0 home={}\n}}\n",
        at("run"),
        at("log"),
        protocols.join(" "),
        made.path().join("ecdsa-p256.pem").display(),
        made.path().join("ecdsa-p256.key").display(),
        at("mail"),
        at("home"),
    );
    for ((_, login, listener), port) in services.iter().zip(&ports) {
        let ssl = if listener.ends_with("3s") || listener.ends_with("ps") { "\n  ssl = yes" } else { "" };
        conf.push_str(&format!(
            "service {login} {{\n chroot =\n inet_listener {listener} {{\n  port = {port}{ssl}\n }}\n}}\n"
        ));
    }
    std::fs::write(at("dovecot.conf"), conf).unwrap();
    let mut command = Command::new("/usr/sbin/dovecot");
    command.args(["-F", "-c", &at("dovecot.conf")]);
    let _server = start(command, &ports);
    for ((scheme, ..), port) in services.iter().zip(&ports) {
        verified(made.path(), &format!("{scheme}://localhost:{port}"));
    }
}

#[test]
fn mariadb() {
    if !installed("/usr/sbin/mariadbd") {
        return;
    }
    let (made, folder) = (made(), tempfile::tempdir().unwrap());
    let at = |name: &str| folder.path().join(name).display().to_string();
    let port = port();
    let mut command = Command::new("/usr/sbin/mariadbd");
    // Without grant tables, it needs no database.
    command.args(["--no-defaults", "--user=root", "--skip-grant-tables", "--bind-address=127.0.0.1"]);
    command.arg(format!("--port={port}")).arg(format!("--datadir={}", folder.path().display()));
    command.arg(format!("--socket={}", at("socket"))).arg(format!("--pid-file={}", at("pid")));
    command.arg(format!("--ssl-cert={}", made.path().join("ecdsa-p256.pem").display()));
    command.arg(format!("--ssl-key={}", made.path().join("ecdsa-p256.key").display()));
    let _server = start(command, &[port]);
    verified(made.path(), &format!("mysql://localhost:{port}"));
}

#[test]
fn vsftpd() {
    if !installed("/usr/sbin/vsftpd") {
        return;
    }
    let (made, folder) = (made(), tempfile::tempdir().unwrap());
    let port = port();
    let conf = format!(
        "listen=YES\nlisten_address=127.0.0.1\nlisten_port={port}\nbackground=NO\nssl_enable=YES\nrsa_cert_file={}\n\
         rsa_private_key_file={}\nsecure_chroot_dir={}\nanonymous_enable=YES\nnopriv_user=nobody\nftp_username=nobody\n",
        made.path().join("ecdsa-p256.pem").display(),
        made.path().join("ecdsa-p256.key").display(),
        folder.path().display()
    );
    let file = folder.path().join("vsftpd.conf");
    std::fs::write(&file, conf).unwrap();
    let mut command = Command::new("/usr/sbin/vsftpd");
    command.arg(&file);
    let _server = start(command, &[port]);
    verified(made.path(), &format!("ftp://localhost:{port}"));
}

#[test]
fn prosody() {
    if !installed("/usr/bin/prosody") {
        return;
    }
    let (made, folder) = (made(), tempfile::tempdir().unwrap());
    let (clients, servers) = (port(), port());
    let conf = format!(
        "daemonize = false\nrun_as_root = true\npidfile = \"{0}/pid\"\ndata_path = \"{0}\"\ninterfaces = {{ \"127.0.0.1\" }}\n\
         c2s_ports = {{ {clients} }}\ns2s_ports = {{ {servers} }}\nmodules_enabled = {{ \"tls\", \"saslauth\", \"dialback\" }}\n\
         log = {{ error = \"{0}/log\" }}\nssl = {{ key = \"{1}/ecdsa-p256.key\", certificate = \"{1}/ecdsa-p256.pem\" }}\n\
         VirtualHost \"localhost\"\n",
        folder.path().display(),
        made.path().display()
    );
    let file = folder.path().join("prosody.cfg.lua");
    std::fs::write(&file, conf).unwrap();
    let mut command = Command::new("/usr/bin/prosody");
    command.arg("--config").arg(&file);
    let _server = start(command, &[clients, servers]);
    verified(made.path(), &format!("xmpp://localhost:{clients}"));
    verified(made.path(), &format!("xmpp-server://localhost:{servers}"));
}
