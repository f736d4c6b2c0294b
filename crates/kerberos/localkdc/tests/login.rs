//! A login by ssh with a ticket of the local KDC, which the password of the machine got: OpenSSH's client and server with the keys of setup.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;
#[path = "../../krb5/tests/common/sshd.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod sshd;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Output;

use common::{BY_PROGRAM, Lab, PROGRAM, installed, own_name, text, userdb};
use sshd::Sshd;

struct Session<'a> {
    lab: &'a Lab,
    sshd: &'a Sshd,
}

impl Session<'_> {
    /// A session with the ticket in the lab's cache.
    fn run(&self, options: &[&str], command_line: &str) -> Output {
        let mut command = self.sshd.client(options, command_line);
        let cache = format!("FILE:{}", self.lab.path("cc"));
        command.env("KRB5_CONFIG", self.lab.layout.krb5_conf()).env("KRB5CCNAME", cache).output().unwrap()
    }

    fn must(&self, options: &[&str], command_line: &str) -> String {
        let output = self.run(options, command_line);
        assert!(output.status.success(), "{}{}", text(&output), self.sshd.log());
        String::from_utf8(output.stdout).unwrap()
    }

    fn must_not(&self) {
        let output = self.run(&[], "id -un");
        assert!(!output.status.success() && text(&output).contains("Permission denied"), "{}", text(&output));
    }
}

#[test]
fn a_login_by_ssh_with_the_password_of_the_machine() {
    if !installed() || !sshd::installed() {
        return;
    }
    let mut lab = Lab::new(BY_PROGRAM, &[("check", PROGRAM)]);
    userdb(lab.folder.path().join("users"));
    lab.setup();
    lab.daemon();
    lab.kdc();
    // The keys of the host are for its servers alone, and the configuration names them.
    let keys = fs::metadata(lab.layout.keytab()).unwrap().permissions().mode();
    assert_eq!(keys & 0o777, 0o600);
    let config = sshd::let_in(lab.folder.path(), &[]);
    let environment = [
        ("KRB5_CONFIG", format!("{}:{}", config.display(), lab.layout.krb5_conf().display())),
        ("KRB5RCACHEDIR", lab.folder.path().display().to_string()),
    ];
    let sshd = Sshd::start(lab.folder.path(), &environment);
    let me = own_name();

    // MIT's rule: the principal with the user's name in the default realm is the user.
    lab.anonymous();
    let (granted, said) = lab.kinit_with(&["-f"], &me, "right");
    assert!(granted, "{said}{}", lab.daemon_log());
    let session = Session { lab: &lab, sshd: &sshd };
    assert_eq!(session.must(&[], "id -un; echo \"<$KRB5CCNAME>\""), format!("{me}\n<>\n"));
    let said = session.must(&["-o", "GSSAPIDelegateCredentials=yes"], "klist; kvno host/127.0.0.1");
    assert!(said.contains(&format!("Default principal: {me}@LOCALKDC")), "{said}");
    assert!(said.contains("host/127.0.0.1@LOCALKDC: kvno = "), "{said}");
    // The host is proven by its ticket, where nobody knows its key.
    let by_kerberos = ["-o", "GSSAPIKeyExchange=yes", "-o", "UserKnownHostsFile=none"];
    assert_eq!(session.must(&by_kerberos, "id -un"), format!("{me}\n"));

    // Another user of the machine is not this one, and the anonymous ticket is nobody.
    let (granted, said) = lab.kinit("ferris", "right");
    assert!(granted, "{said}{}", lab.daemon_log());
    session.must_not();
    fs::copy(lab.path("armor"), lab.path("cc")).unwrap();
    session.must_not();
    assert!(sshd.log().contains("Failed gssapi-with-mic for"), "{}", sshd.log());
    drop(sshd);
    lab.stop();

    let records = lab.records();
    for (event, client, server) in [
        ("as_req", me.as_str(), "krbtgt/LOCALKDC@LOCALKDC"),
        ("tgs_req", &me, "host/localhost@LOCALKDC"),
        ("tgs_req", &me, "host/127.0.0.1@LOCALKDC"),
        ("tgs_req", "ferris", "host/localhost@LOCALKDC"),
    ] {
        let row = (event.to_owned(), true, format!("{client}@LOCALKDC"), server.to_owned());
        assert!(records.contains(&row), "{row:?} in {records:?}");
    }
}
