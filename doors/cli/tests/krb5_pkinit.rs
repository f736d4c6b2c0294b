//! `tagwise krb5 kinit` with certificates, as nobody, and in tunnels of anonymous tickets, against MIT's KDC.
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

    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        self.run_with(args, &[])
    }

    fn run_with(&self, args: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tagwise"));
        let conf = format!("{}:{}", self.path("more.conf"), self.path("krb5.conf"));
        command.args(args).env("KRB5_CONFIG", conf).env("KRB5CCNAME", format!("FILE:{}", self.path("cc")));
        command.envs(variables.iter().copied());
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

/// SoftHSM's library, if it is there.
fn softhsm() -> Option<&'static str> {
    let places =
        ["/usr/lib/softhsm/libsofthsm2.so", "/usr/lib64/softhsm/libsofthsm2.so", "/usr/lib/pkcs11/libsofthsm2.so"];
    let found = places.into_iter().find(|path| Path::new(path).exists());
    if found.is_none() {
        tagwise_testing::skip("no SoftHSM");
    }
    found
}

/// Puts a certificate into the token of the environment: SoftHSM reads its configuration when it is loaded, so that the test starts
/// itself once more for it.
fn certificate_into_token(file: &Path) {
    use cryptoki::object::{Attribute, CertificateType, ObjectClass};
    let context = cryptoki::context::Pkcs11::new(softhsm().unwrap()).unwrap();
    let arguments = cryptoki::context::CInitializeArgs::new(cryptoki::context::CInitializeFlags::OS_LOCKING_OK);
    context.initialize(arguments).unwrap();
    let slots = context.get_slots_with_initialized_token().unwrap();
    let session = context.open_rw_session(slots[0]).unwrap();
    session.login(cryptoki::session::UserType::User, Some(&cryptoki::types::AuthPin::new("1234".into()))).unwrap();
    let der = fs::read(file).unwrap();
    session
        .create_object(&[
            Attribute::Class(ObjectClass::CERTIFICATE),
            Attribute::CertificateType(CertificateType::X_509),
            Attribute::Token(true),
            Attribute::Private(false),
            Attribute::Label(b"alice's certificate".to_vec()),
            Attribute::Id(vec![7, 0x0A]),
            Attribute::Subject(vec![0x30, 0]),
            Attribute::Value(der),
        ])
        .unwrap();
}

/// A token with a client's key and certificate; gives the configuration.
fn token(folder: &Path, client: &pki::Leaf) -> String {
    let (conf, place) = (folder.join("softhsm.conf"), folder.join("tokens"));
    fs::create_dir(&place).unwrap();
    let text = format!("directories.tokendir = {}\nobjectstore.backend = file\nlog.level = ERROR\n", place.display());
    fs::write(&conf, text).unwrap();
    fs::write(folder.join("token.key"), client.key_pem()).unwrap();
    fs::write(folder.join("token.der"), &client.der).unwrap();
    let run = |command: &mut Command| {
        let output = command.env("SOFTHSM2_CONF", &conf).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    };
    let util = || Command::new("softhsm2-util");
    run(util().args(["--init-token", "--free", "--label", "Users", "--pin", "1234", "--so-pin", "5678"]));
    run(util()
        .arg("--import")
        .arg(folder.join("token.key"))
        .args(["--token", "Users", "--pin", "1234", "--label", "alice", "--id", "070a"]));
    run(Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "certificates"])
        .env("TAGWISE_TEST_CERTIFICATE", folder.join("token.der")));
    conf.display().to_string()
}

/// Key and certificate in a token, by both spellings.
fn tokens(lab: &Lab, client: &pki::Leaf, anchors: &str) {
    let Some(module) = softhsm() else { return };
    let conf = token(lab.0.folder.path(), client);
    fs::write(lab.path("pin"), "1234\n").unwrap();
    fs::write(lab.path("wrong"), "9999\n").unwrap();
    let kinit = |identity: &str, pin: &str| {
        let identity = format!("X509_user_identity={identity}");
        let pin = lab.path(pin);
        let args = ["krb5", "kinit", "-X", &identity, "-X", anchors, "--passphrase-file", &pin, "pkuser"];
        lab.run_with(&args, &[("SOFTHSM2_CONF", &conf)])
    };
    for identity in [
        format!("PKCS11:{module}:token=Users:certid=070a"),
        format!("PKCS11:module_name={module}:token=Users:certlabel=alice's certificate"),
        format!("PKCS11:{module}"),
        format!("pkcs11:token=Users;id=%07%0A?module-path={module}"),
        format!("pkcs11:token=Users;object=alice's%20certificate?module-path={module}&pin-value=1234"),
    ] {
        let (code, text) = kinit(&identity, "pin");
        assert_eq!(code, Some(0), "{identity}: {text}");
        assert!(lab.must(&["krb5", "klist"]).contains("Default principal: pkuser@KRB.TEST"));
    }
    for (identity, pin, wanted) in [
        (format!("PKCS11:{module}:token=Users:certid=0b"), "pin", "no matching certificate"),
        (format!("PKCS11:{module}:token=Nobody"), "pin", "no matching token"),
        (format!("PKCS11:{module}:token=Users:certid=070a"), "wrong", "the PIN of Users"),
        (format!("pkcs11:token=Nobody?module-path={module}&pin-value=1234"), "pin", "no matching token"),
    ] {
        let (code, text) = kinit(&identity, pin);
        assert!(code == Some(1) && text.contains(wanted) && !text.contains("1234"), "{identity}: {text}");
    }
}

#[test]
fn certificates() {
    if let Some(file) = std::env::var_os("TAGWISE_TEST_CERTIFICATE") {
        return certificate_into_token(Path::new(&file));
    }
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

    tokens(&lab, &client, &anchors);
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
    assert!(code == Some(1) && text.contains("requires the client's key to be RSA"), "{text}");
    let (code, text) = kinit(&["-X", anchors, "-X", "X509_user_identity=ENV:token"]);
    assert!(code == Some(2) && text.contains("ENV: is not supported"), "{text}");
    let (code, text) = kinit(&["-X", anchors, "-X", "X509_user_identity=PKCS11:/nowhere/p11.so:token=CA"]);
    assert!(code == Some(1) && text.contains("/nowhere/p11.so"), "{text}");
    let (code, text) = kinit(&["-X", anchors, "-X", "X509_user_identity=PKCS11:p11.so:key=1"]);
    assert!(code == Some(2) && text.contains("expected module_name="), "{text}");
    fs::write(lab.path("stranger.pem"), Ca::new("Test CA", KeyType::P256).pem()).unwrap();
    let (code, text) = kinit(&["-X", identity, "-X", &format!("X509_anchors=FILE:{}", lab.path("stranger.pem"))]);
    assert!(code == Some(1) && text.contains("the KDC's certificate is rejected: "), "{text}");
    for (setting, wanted) in [
        (format!(" pkinit_revoke = FILE:{}\n", lab.path("revoked.pem")), "revoked"),
        (" pkinit_require_crl_checking = yes\n".to_owned(), "the KDC's certificate is rejected"),
        (" pkinit_eku_checking = any\n".to_owned(), "expected kpKDC, kpServerAuth or none, found any"),
        (" pkinit_dh_min_bits = 16000\n".to_owned(), "no group has this strength"),
        (" pkinit_dh_min_bits = P-192\n".to_owned(), "expected a number of bits, P-256, P-384 or P-521, found P-192"),
    ] {
        lab.settings(&setting);
        let (code, text) = kinit(&["-X", identity, "-X", anchors]);
        assert!(code != Some(0) && text.contains(wanted), "{setting}: {text}");
    }
    // Groups that MIT's KDC has are left.
    lab.settings(" pkinit_dh_min_bits = 4096\n pkinit_eku_checking = none\n pkinit_kdc_hostname = kdc.test\n");
    lab.must(&["krb5", "kinit", "-X", identity, "-X", anchors, "pkuser"]);
}
