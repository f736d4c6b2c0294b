//! `tagwise krb5 kinit` with certificates, as nobody, and in tunnels of anonymous tickets, against MIT's KDC.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../../krb5/tests/common/pki.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod pki;
#[path = "../../krb5/tests/common/radius.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod radius;
#[path = "../../krb5/tests/common/realm.rs"]
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

    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        let conf = format!("{}:{}", self.path("more.conf"), self.path("krb5.conf"));
        command.args(args).env("KRB5_CONFIG", conf).env("KRB5CCNAME", format!("FILE:{}", self.path("cc")));
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    }

    fn must(&self, args: &[&str]) -> String {
        let (code, text) = self.run(args);
        assert_eq!(code, Some(0), "{args:?}: {text}");
        text
    }

    /// Further settings of `[libdefaults]`.
    fn settings(&self, text: &str) {
        fs::write(self.path("more.conf"), format!("[libdefaults]\n{text}")).unwrap();
    }
}

#[test]
fn certificates() {
    if !realm::plugin("pkinit", "krb5-pkinit") || !realm::plugin("otp", "krb5-otp") {
        return;
    }
    let ca = Ca::new("Test CA", KeyType::P256);
    let (kdc, client) = (ca.kdc(KeyType::Rsa(2048), realm::REALM), ca.client(KeyType::P256, "pkuser@KRB.TEST"));
    let lines = |folder: &Path| {
        let at = folder.display();
        fs::write(folder.join("ca.pem"), ca.pem()).unwrap();
        fs::write(folder.join("kdc.pem"), kdc.pem() + &kdc.key_pem()).unwrap();
        fs::write(folder.join("client.pem"), client.pem()).unwrap();
        fs::write(folder.join("client.key"), client.key_pem()).unwrap();
        fs::write(folder.join("revoked.pem"), ca.crl(&[2])).unwrap();
        format!("  pkinit_identity = FILE:{at}/kdc.pem,{at}/kdc.pem\n  pkinit_anchors = FILE:{at}/ca.pem\n")
    };
    let queries = ["addprinc -pw pkpw +requires_preauth pkuser", "addprinc -randkey WELLKNOWN/ANONYMOUS"];
    let Some(realm) = Realm::start_with(&queries, lines) else { return };
    let lab = Lab(realm);
    lab.settings("");
    let identity = format!("X509_user_identity=FILE:{},{}", lab.path("client.pem"), lab.path("client.key"));
    let anchors = format!("X509_anchors=FILE:{}", lab.path("ca.pem"));

    lab.must(&["krb5", "kinit", "-X", &identity, "-X", &anchors, "pkuser"]);
    assert!(lab.must(&["krb5", "klist"]).contains("Default principal: pkuser@KRB.TEST"));
    let theirs = lab.0.run("kvno", &["-c", &format!("FILE:{}", lab.path("cc")), "host/localhost@KRB.TEST"]);
    assert!(theirs.contains("kvno = "), "{theirs}");
    // The reply key enveloped to an RSA key, where it is asked for.
    let rsa = ca.client(KeyType::Rsa(2048), "pkuser@KRB.TEST");
    fs::write(lab.path("rsa.pem"), rsa.pem() + &rsa.key_pem()).unwrap();
    let enveloped = format!("X509_user_identity=FILE:{}", lab.path("rsa.pem"));
    lab.must(&["krb5", "kinit", "-X", &enveloped, "-X", &anchors, "-X", "flag_RSA_PROTOCOL=yes", "pkuser"]);
    lab.must(&["krb5", "klist"]);
    // The configuration names both, and PKCS #12 holds key and certificate.
    fs::write(lab.path("pass"), "opensesame\n").unwrap();
    let (key, certificate) = (lab.path("client.key"), lab.path("client.pem"));
    lab.must(&[
        "p12",
        "create",
        "--key",
        &key,
        "--passphrase-file",
        &lab.path("pass"),
        "-o",
        &lab.path("client.p12"),
        "--certificate",
        &certificate,
    ]);
    lab.settings(&format!(
        " pkinit_anchors = FILE:{}\n pkinit_identities = PKCS12:{}\n",
        lab.path("ca.pem"),
        lab.path("client.p12")
    ));
    lab.must(&["krb5", "kinit", "--passphrase-file", &lab.path("pass"), "pkuser"]);

    let text = lab.must(&["krb5", "kinit", "--trace", "-n"]);
    assert!(text.contains("WELLKNOWN/ANONYMOUS") && text.contains("PA-PK-AS-REQ"), "{text}");
    assert!(lab.must(&["krb5", "klist"]).contains("WELLKNOWN/ANONYMOUS@WELLKNOWN:ANONYMOUS"));
    radius::start(Path::new(&lab.path("radius.sock")), b"123456");
    fs::write(lab.path("token"), "123456\n").unwrap();
    let (token, otto) = (lab.path("token"), lab.path("otto"));
    lab.must(&["krb5", "kinit", "--anonymous-armor", "--otp-file", &token, "-c", &otto, "otto"]);
    // The same with the anonymous ticket out of the cache.
    let cache = format!("FILE:{}", lab.path("cc"));
    lab.must(&["krb5", "kinit", "-T", &cache, "--otp-file", &token, "-c", &otto, "otto"]);

    refusals(&lab, &identity, &anchors);
}

fn refusals(lab: &Lab, identity: &str, anchors: &str) {
    let kinit = |args: &[&str]| lab.run(&[&["krb5", "kinit"], args, &["pkuser"]].concat());
    lab.settings("");
    let (code, text) = kinit(&["-X", identity]);
    assert!(code == Some(2) && text.contains("X509_anchors") && text.contains("pkinit_anchors"), "{text}");
    let (code, text) = kinit(&["-X", "flag_RSA_PROTOCOL=maybe"]);
    assert!(code == Some(2) && text.contains("expected X509_user_identity"), "{text}");
    let (code, text) = kinit(&["-X", anchors, "-X", identity, "-X", "flag_RSA_PROTOCOL=yes"]);
    assert!(code == Some(1) && text.contains("needs an RSA key"), "{text}");
    let (code, text) = kinit(&["-X", anchors, "-X", "X509_user_identity=PKCS11:token"]);
    assert!(code == Some(2) && text.contains("PKCS11: is not supported"), "{text}");
    fs::write(lab.path("stranger.pem"), Ca::new("Test CA", KeyType::P256).pem()).unwrap();
    let (code, text) = kinit(&["-X", identity, "-X", &format!("X509_anchors=FILE:{}", lab.path("stranger.pem"))]);
    assert!(code == Some(1) && text.contains("the KDC's certificate is not accepted: "), "{text}");
    for (setting, wanted) in [
        (format!(" pkinit_revoke = FILE:{}\n", lab.path("revoked.pem")), "revoked"),
        (" pkinit_require_crl_checking = yes\n".to_owned(), "the KDC's certificate is not accepted"),
        (" pkinit_eku_checking = any\n".to_owned(), "expected kpKDC, kpServerAuth or none, found any"),
        (" pkinit_dh_min_bits = 9000\n".to_owned(), "no group is that strong"),
    ] {
        lab.settings(&setting);
        let (code, text) = kinit(&["-X", identity, "-X", anchors]);
        assert!(code != Some(0) && text.contains(wanted), "{setting}: {text}");
    }
    // Groups that MIT's KDC has are left.
    lab.settings(" pkinit_dh_min_bits = 4096\n pkinit_eku_checking = none\n pkinit_kdc_hostname = kdc.test\n");
    lab.must(&["krb5", "kinit", "-X", identity, "-X", anchors, "pkuser"]);
}
