//! OpenSSH's server on loopback, which lets in who has a ticket and nobody else, as the user who runs the test.
//!
//! Without privileges it lets in its own user alone. As root it wants its user `sshd` and the empty folder `/run/sshd`, in which it confines
//! what speaks before a login.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The server, which ends with the value.
pub struct Sshd {
    child: Child,
    folder: PathBuf,
    /// Its port on loopback.
    pub port: u16,
}

const SERVER: &str = "/usr/sbin/sshd";

/// Returns whether OpenSSH's programs are there, with GSS-API; skips the test where they are not.
pub fn installed() -> bool {
    let help = Command::new("ssh").args(["-Q", "kex-gss"]).output();
    let has_gss = help.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("gss-"));
    let found = has_gss && Path::new(SERVER).exists();
    if !found {
        tagwise_testing::skip(
            "OpenSSH with GSS-API (Debian: openssh-server; from forky on openssh-server-gssapi and openssh-client-gssapi)",
        );
    }
    found
}

/// The release of OpenSSH: major and minor number.
fn release() -> (u32, u32) {
    let output = Command::new("ssh").arg("-V").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let numbers = said.strip_prefix("OpenSSH_").unwrap_or_else(|| panic!("no release: {said}"));
    let mut numbers = numbers.split(|digit: char| !digit.is_ascii_digit()).map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

/// The name of the user who runs the test.
pub fn user() -> String {
    let output = Command::new("id").arg("-un").output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Writes a configuration of Kerberos in a folder that lets these principals in as the user, and nobody else; it belongs before the realm's.
/// Without principals the user's own name does, in the realm of the configuration.
pub fn let_in(folder: &Path, principals: &[&str]) -> PathBuf {
    let (path, logins) = (folder.join("ssh/krb5.conf"), folder.join("ssh/logins"));
    fs::create_dir_all(&logins).unwrap();
    if !principals.is_empty() {
        fs::write(logins.join(user()), principals.join("\n") + "\n").unwrap();
    }
    fs::write(&path, format!("[libdefaults]\n k5login_directory = {}\n", logins.display())).unwrap();
    path
}

impl Sshd {
    /// Starts one in a folder, in an environment with a keytab. Sessions have its `KRB5_CONFIG`, too.
    pub fn start(folder: &Path, environment: &[(&str, String)]) -> Self {
        let room = folder.join("ssh");
        fs::create_dir_all(&room).unwrap();
        let key = room.join("host_key");
        let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key).status().unwrap();
        assert!(made.success());
        if user() == "root" {
            fs::create_dir_all("/run/sshd").unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let public = fs::read_to_string(key.with_extension("pub")).unwrap();
        fs::write(room.join("known_hosts"), format!("[localhost]:{port} {public}")).unwrap();
        let (_, config) = environment.iter().find(|(name, _)| *name == "KRB5_CONFIG").unwrap();
        let lines = format!(
            "ListenAddress 127.0.0.1:{port}
HostKey {}
PidFile none
StrictModes no
UsePAM no
UseDNS no
PermitRootLogin yes
AuthenticationMethods gssapi-with-mic gssapi-keyex
AuthorizedKeysFile none
PubkeyAuthentication no
PasswordAuthentication no
KbdInteractiveAuthentication no
GSSAPIAuthentication yes
GSSAPIKeyExchange yes
GSSAPIStrictAcceptorCheck no
PrintMotd no
PrintLastLog no
PermitUserRC no
LogLevel DEBUG1
SetEnv KRB5_CONFIG={config}
",
            key.display()
        );
        // From this release on, who is refused waits before the next attempt.
        let lines = lines + if release() >= (9, 8) { "PerSourcePenalties no\n" } else { "" };
        let conf = room.join("sshd_config");
        fs::write(&conf, lines).unwrap();
        let mut command = Command::new(SERVER);
        command.arg("-D").arg("-f").arg(&conf).arg("-E").arg(room.join("log")).envs(environment.iter().cloned());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let started = Self { child, folder: room, port };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "sshd does not start: {}", started.log());
            std::thread::sleep(Duration::from_millis(20));
        }
        started
    }

    /// The bytes that the server has written.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// The client's command for a session of the user who runs the test.
    pub fn client(&self, options: &[&str], command_line: &str) -> Command {
        client(self.port, &self.folder.join("known_hosts"), &user(), options, command_line)
    }
}

/// OpenSSH's client, which knows no way to log in but a ticket.
pub fn client(port: u16, known_hosts: &Path, user: &str, options: &[&str], command_line: &str) -> Command {
    let mut command = Command::new("ssh");
    // The first value of an option counts.
    command.args(["-F", "none", "-T", "-n", "-p", &port.to_string()]).args(options);
    let known_hosts = format!("UserKnownHostsFile={}", known_hosts.display());
    for option in [
        "BatchMode=yes",
        "ConnectTimeout=20",
        "StrictHostKeyChecking=yes",
        "GlobalKnownHostsFile=none",
        "PubkeyAuthentication=no",
        "PreferredAuthentications=gssapi-keyex,gssapi-with-mic",
        "GSSAPIAuthentication=yes",
        known_hosts.as_str(),
    ] {
        command.args(["-o", option]);
    }
    command.arg(format!("{user}@localhost")).arg(command_line).stdin(Stdio::null());
    command
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
