//! `tagwise krb5` with what MIT's KDC has since release 1.22: curves (RFC 5349), and a UNIX socket of its own. `./x krb5-plugins --release
//! forky` runs it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../../../crates/kerberos/krb5/tests/common/pki.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod pki;
#[path = "../../../crates/kerberos/krb5/tests/common/radius.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod radius;
#[path = "../../../crates/kerberos/krb5/tests/common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;

use std::fs;
use std::path::Path;
use std::process::Command;

use pki::Ca;
use realm::Realm;
use tagwise_crypto::KeyType;

struct Lab(Realm);

impl Lab {
    fn path(&self, name: &str) -> String {
        self.0.folder.path().join(name).display().to_string()
    }

    /// A command of ours, by the KDC's UNIX socket.
    fn must(&self, args: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        command.arg("krb5").args(args).env("KRB5_CONFIG", self.path("client.conf"));
        let output = command.env("KRB5CCNAME", format!("FILE:{}", self.path("cc"))).output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.success(), "{args:?}: {text}");
        text
    }

    /// The client's configuration: the socket, and the weakest group.
    fn settings(&self, least: &str) {
        let text = format!(
            "[libdefaults]\n default_realm = {0}\n dns_lookup_kdc = false\n pkinit_dh_min_bits = {least}\n\
             [realms]\n {0} = {{\n  kdc = {1}\n  kpasswd_server = {2}\n  pkinit_anchors = FILE:{3}\n }}\n",
            realm::REALM,
            self.path("kdc.sock"),
            self.path("kpasswd.sock"),
            self.path("ca.pem")
        );
        fs::write(self.path("client.conf"), text).unwrap();
    }
}

/// A realm whose KDC takes no group weaker than a curve.
fn lab(least: &str) -> Option<Lab> {
    if !realm::plugin("pkinit", "krb5-pkinit") || !realm::plugin("otp", "krb5-otp") {
        return None;
    }
    let ca = Ca::new("Test CA", KeyType::P256);
    let (kdc, client) = (ca.kdc(KeyType::Rsa(2048), realm::REALM), ca.client(KeyType::P256, "pkuser@KRB.TEST"));
    let lines = |folder: &Path| {
        let at = folder.display();
        fs::write(folder.join("ca.pem"), ca.pem()).unwrap();
        fs::write(folder.join("kdc.pem"), kdc.pem() + &kdc.key_pem()).unwrap();
        fs::write(folder.join("client.pem"), client.pem() + &client.key_pem()).unwrap();
        format!(
            "  kdc_listen = {at}/kdc.sock\n  pkinit_identity = FILE:{at}/kdc.pem,{at}/kdc.pem\n  \
             pkinit_anchors = FILE:{at}/ca.pem\n  pkinit_dh_min_bits = {least}\n"
        )
    };
    let queries = ["addprinc -pw pkpw +requires_preauth pkuser", "addprinc -randkey WELLKNOWN/ANONYMOUS"];
    let lab = Lab(Realm::start_with(&queries, lines)?);
    lab.settings(least);
    Some(lab)
}

fn needs_1_22() {
    assert!(realm::release() >= 22, "MIT Kerberos 1.22 is needed, here is 1.{}", realm::release());
}

#[test]
#[ignore = "needs MIT Kerberos 1.22"]
fn curves() {
    needs_1_22();
    for curve in ["P-256", "P-384", "P-521"] {
        let Some(lab) = lab(curve) else { return };
        let identity = format!("X509_user_identity=FILE:{}", lab.path("client.pem"));
        let text = lab.must(&["kinit", "--trace", "-X", &identity, "pkuser"]);
        assert!(text.contains("PA-PK-AS-REQ") && text.contains("a UNIX socket"), "{curve}: {text}");
        assert!(lab.must(&["klist"]).contains("Default principal: pkuser@KRB.TEST"));
        lab.must(&["kvno", "host/localhost"]);
        let text = lab.must(&["kinit", "--trace", "-n", "-c", &lab.path("nobody")]);
        assert!(text.contains("WELLKNOWN/ANONYMOUS"), "{curve}: {text}");
    }
}

/// Passwords, tunnels, one-time passwords and a change of a password, by the KDC's sockets and a curve.
#[test]
#[ignore = "needs MIT Kerberos 1.22"]
fn by_sockets() {
    needs_1_22();
    let Some(lab) = lab("P-384") else { return };
    radius::start(Path::new(&lab.path("radius.sock")), b"123456");
    for (name, text) in
        [("alice", "alicepw\n"), ("dave", "davepass1\n"), ("new", "a longer davepass2\n"), ("otp", "123456\n")]
    {
        fs::write(lab.path(name), text).unwrap();
    }
    let text = lab.must(&["kinit", "--trace", "--password-file", &lab.path("alice"), "alice"]);
    assert!(text.contains("PA-SPAKE") && text.contains("a UNIX socket"), "{text}");
    lab.must(&["kvno", "host/localhost"]);
    let cache = format!("FILE:{}", lab.path("cc"));
    let inner = lab.path("inner");
    let text =
        lab.must(&["kinit", "--trace", "-T", &cache, "-c", &inner, "--password-file", &lab.path("alice"), "alice"]);
    assert!(text.contains("PA-FX-FAST"), "{text}");
    let otto = lab.path("otto");
    lab.must(&["kinit", "--anonymous-armor", "--otp-file", &lab.path("otp"), "-c", &otto, "otto"]);
    lab.must(&["kpasswd", "--password-file", &lab.path("dave"), "--new-password-file", &lab.path("new"), "dave"]);
    lab.must(&["kinit", "--password-file", &lab.path("new"), "dave"]);
    // MIT's program goes on with what was got.
    let theirs = lab.0.run("kvno", &["-c", &cache, "host/localhost@KRB.TEST"]);
    assert!(theirs.contains("kvno = "), "{theirs}");
}
