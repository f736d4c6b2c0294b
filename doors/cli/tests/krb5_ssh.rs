//! Logins by OpenSSH's client and server with tickets of `tagwise krb5`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../../../crates/kerberos/krb5/tests/common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;
#[path = "../../../crates/kerberos/krb5/tests/common/sshd.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod sshd;

use std::fs;
use std::process::{Command, Output};

use realm::Realm;
use sshd::Sshd;

struct Lab {
    realm: Realm,
    sshd: Sshd,
}

impl Lab {
    fn path(&self, name: &str) -> String {
        self.realm.folder.path().join(name).display().to_string()
    }

    /// A new ticket, by our command.
    fn kinit(&self, user: &str, options: &[&str]) {
        let password = self.path("password");
        fs::write(&password, format!("{user}pw\n")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.args(["krb5", "kinit", "--password-file", &password]).args(options).arg(user);
        command.env("KRB5_CONFIG", self.path("krb5.conf")).env("KRB5CCNAME", self.cache());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", text(&output));
    }

    fn cache(&self) -> String {
        format!("FILE:{}", self.path("cc"))
    }

    fn ssh(&self, options: &[&str], command_line: &str) -> Output {
        let mut command = self.sshd.client(options, command_line);
        command.env("KRB5_CONFIG", self.path("krb5.conf")).env("KRB5CCNAME", self.cache()).output().unwrap()
    }

    /// The lines that a session prints.
    fn session(&self, options: &[&str], command_line: &str) -> String {
        let output = self.ssh(options, command_line);
        assert!(output.status.success(), "{options:?}: {}{}", text(&output), self.sshd.log());
        String::from_utf8(output.stdout).unwrap()
    }
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn our_tickets_open_a_session_of_ssh() {
    if !sshd::installed() {
        return;
    }
    let Some(realm) = Realm::start() else { return };
    let folder = realm.folder.path();
    let config =
        format!("{}:{}", sshd::let_in(folder, &["alice@KRB.TEST"]).display(), folder.join("krb5.conf").display());
    let environment = [
        ("KRB5_CONFIG", config),
        ("KRB5_KTNAME", folder.join("all.keytab").display().to_string()),
        ("KRB5RCACHEDIR", folder.display().to_string()),
    ];
    let sshd = Sshd::start(folder, &environment);
    let lab = Lab { realm, sshd };

    // The client asks for a service's ticket with ours, and lets it stand in our cache.
    lab.kinit("alice", &[]);
    assert_eq!(lab.session(&[], "id -un; echo \"<$KRB5CCNAME>\""), format!("{}\n<>\n", sshd::user()));
    let mut ours = Command::new(env!("CARGO_BIN_EXE_tagwise"));
    let ours = ours.args(["krb5", "klist", &lab.cache()]).env("KRB5_CONFIG", lab.path("krb5.conf")).output().unwrap();
    assert!(text(&ours).contains("host/localhost@"), "{}", text(&ours));

    // A forwardable ticket is passed on, and good for other services there.
    lab.kinit("alice", &["-f"]);
    let delegate = ["-o", "GSSAPIDelegateCredentials=yes"];
    let said = lab.session(&delegate, "klist -f; kvno HTTP/front.test@KRB.TEST");
    assert!(said.contains("Default principal: alice@KRB.TEST") && said.contains("Flags: Ff"), "{said}");
    assert!(said.contains("HTTP/front.test@KRB.TEST: kvno = "), "{said}");

    // Kerberos proves the host, too: its key is known to nobody.
    let by_kerberos = ["-o", "GSSAPIKeyExchange=yes", "-o", "UserKnownHostsFile=none"];
    let output = lab.ssh(&["-v", by_kerberos[0], by_kerberos[1], by_kerberos[2], by_kerberos[3]], "id -un");
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("using \"gssapi-keyex\""), "{}", text(&output));

    // Another's ticket opens nothing, nor does none.
    lab.kinit("bob", &[]);
    let output = lab.ssh(&[], "id -un");
    assert!(!output.status.success() && text(&output).contains("Permission denied"), "{}", text(&output));
    assert!(lab.sshd.log().contains("Failed gssapi-with-mic for"), "{}", lab.sshd.log());
    fs::remove_file(lab.path("cc")).unwrap();
    let output = lab.ssh(&[], "id -un");
    assert!(!output.status.success() && text(&output).contains("Permission denied"), "{}", text(&output));
}
