//! Keys in formats other than ASN.1, through the command: OpenSSH, JWK, Java keystores, SPKAC; and PKCS #12 files whose keys have
//! other passphrases.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{tagwise, tagwise_with};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::pkcs12::{ByPassword, Password};
use tagwise_crypto::{Backend as _, KeyType, PrivateKeyInfo};
use tagwise_pkix::AlgorithmIdentifier;
use tagwise_pkix::build::{Pkcs12Item, Pkcs12Layout, Pkcs12Value, pkcs12_with};
use tagwise_pkix::pkcs12::{MacParameters, Protection};

fn run(folder: &Path, program: &str, args: &[&str]) -> String {
    let output = Command::new(program).current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program} {args:?}: {out}{err}");
    out.into_owned()
}

fn text(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    fs::write(folder.join(name), content).unwrap();
    text(folder, name)
}

/// The only key of a file, as JSON.
fn shown(args: &[&str]) -> serde_json::Value {
    let run = tagwise(&[&["key", "show", "--json"], args].concat());
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.err);
    let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(shown["keys"].as_array().unwrap().len(), 1, "{args:?}");
    shown["keys"][0].clone()
}

/// DSA private keys of OpenSSL, OpenSSH and Java are shown, compared and converted to PKCS #8, but do not sign.
#[test]
fn dsa_keys_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let openssl = |args: &[&str]| {
        let done = Command::new("openssl").current_dir(folder).args(args).stdin(Stdio::null()).output();
        done.is_ok_and(|done| done.status.success())
    };
    if !openssl(&["dsaparam", "-genkey", "-out", "made.pem", "1024"]) {
        tagwise_testing::skip("openssl is not installed, or without DSA");
        return;
    }
    assert!(openssl(&["dsa", "-in", "made.pem", "-pubout", "-out", "public.pem"]));
    assert!(openssl(&["pkcs8", "-topk8", "-nocrypt", "-in", "made.pem", "-out", "plain.pem"]));
    assert!(openssl(&["pkcs8", "-topk8", "-passout", "pass:secret", "-in", "made.pem", "-out", "sealed.pem"]));
    assert!(openssl(&["dsa", "-in", "made.pem", "-aes128", "-passout", "pass:secret", "-out", "locked.pem"]));
    assert!(openssl(&["dsa", "-in", "made.pem", "-outform", "DER", "-out", "old.der"]));
    let at = |name: &str| text(folder, name);
    let hash = shown(&[&at("public.pem")])["public_key_sha256"].clone();
    let secret = file(folder, "secret", "secret\n");
    for name in ["made.pem", "plain.pem", "sealed.pem", "locked.pem", "old.der"] {
        let key = shown(&["--passphrase-file", &secret, &at(name)]);
        assert_eq!((&key["public_key_sha256"], &key["private"]), (&hash, &true.into()), "{name}: {key}");
        assert!(key["type"].as_str().unwrap().starts_with("DSA 1024"), "{key}");
        assert!(key["signs"].is_null(), "{key}");
        let run = tagwise(&["match", "--passphrase-file", &secret, &at(name), &at("public.pem")]);
        assert_eq!(run.code, Some(0), "{name}: {}{}", run.out, run.err);
        let run =
            tagwise(&["key", "convert", "--to", "pkcs8", "--no-passphrase", "--passphrase-file", &secret, &at(name)]);
        assert_eq!(run.out.as_bytes(), fs::read(at("plain.pem")).unwrap(), "{name}: {}", run.err);
    }
    for to in ["openssh", "jwk", "pkcs1", "sec1"] {
        let run = tagwise(&["key", "convert", "--to", to, "--no-passphrase", &at("plain.pem")]);
        let expected = "a DSA private key can only be converted to pkcs8, public, openssh-public and rfc4716";
        assert!(run.code == Some(1) && run.err.contains(expected), "{to}: {}", run.err);
    }
    for to in ["pkcs8", "public", "openssh-public", "rfc4716"] {
        let run = tagwise(&["key", "convert", "--to", to, "--no-passphrase", &at("plain.pem")]);
        assert_eq!(run.code, Some(0), "{to}: {}", run.err);
    }
    let signed = tagwise(&["key", "sign", "--key", &at("plain.pem"), &secret, "-o", &at("signature")]);
    assert!(signed.code == Some(1) && signed.err.contains("signing with DSA is not supported"), "{}", signed.err);
    assert!(openssl(&["dsaparam", "-genkey", "-out", "other.pem", "1024"]));
    assert_eq!(tagwise(&["match", &at("other.pem"), &at("public.pem")]).code, Some(1));
    let ssh = Command::new("ssh-keygen").args(["-q", "-t", "dsa", "-N", "", "-f", &at("ssh")]).status();
    if ssh.is_ok_and(|status| status.success()) {
        let key = shown(&[&at("ssh")]);
        assert!(key["ssh_fingerprint"].as_str().unwrap().starts_with("SHA256:"), "{key}");
        assert_eq!(tagwise(&["match", &at("ssh"), &at("ssh.pub")]).code, Some(0));
    }
    if tagwise_testing::tool("keytool", &["-help"]) {
        let line = "-genkeypair -keyalg DSA -keysize 1024 -storetype JKS -keystore dsa.jks -alias a -dname CN=a -storepass changeit -keypass changeit";
        run(folder, "keytool", &line.split(' ').collect::<Vec<_>>());
        let secret = file(folder, "store", "changeit\n");
        let run = tagwise(&[
            "p12",
            "extract",
            "--passphrase-file",
            &secret,
            "--no-passphrase",
            &at("dsa.jks"),
            "-o",
            &at("out.pem"),
        ]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(openssl(&["dsa", "-in", "out.pem", "-noout"]));
    }
}

#[test]
fn openssh_there_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let secret = file(folder, "secret", "correct horse\n");
    for kind in ["rsa2048", "ecdsa-p256", "ecdsa-p384", "ecdsa-p521", "ed25519"] {
        let key = text(folder, kind);
        assert_eq!(tagwise(&["key", "new", kind, "--no-passphrase", "-o", &key]).code, Some(0));
        let hash = shown(&[&key])["public_key_sha256"].clone();
        let ssh = text(folder, &format!("{kind}.ssh"));
        let to = ["key", "convert", "--to", "openssh", "--comment", "me@here", "--new-passphrase-file", &secret, &key];
        let run = tagwise(&[&to[..], &["-o", &ssh]].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(fs::metadata(&ssh).unwrap().permissions().mode() & 0o777, 0o600);
        let key = shown(&["--passphrase-file", &secret, &ssh]);
        assert_eq!(
            (&key["public_key_sha256"], &key["form"], &key["name"]),
            (&hash, &"OpenSSH, encrypted".into(), &"me@here".into())
        );
        let wrong = file(folder, "wrong", "wrong\n");
        let run = tagwise(&["key", "show", "--passphrase-file", &wrong, &ssh]);
        assert_eq!((run.code, run.err.contains("wrong password")), (Some(1), true), "{}", run.err);
        // The name goes with the key.
        let run = tagwise(&["key", "convert", "--to", "openssh-public", "--passphrase-file", &secret, &ssh]);
        assert!(run.out.ends_with(" me@here\n"), "{}", run.out);
        let line = file(folder, "line", &run.out);
        assert_eq!(
            (&shown(&[&line])["public_key_sha256"], &shown(&[&line])["ssh_fingerprint"]),
            (&hash, &key["ssh_fingerprint"])
        );
        let run = tagwise(&["key", "convert", "--to", "rfc4716", &line]);
        assert_eq!(shown(&[&file(folder, "ssh2", &run.out)])["public_key_sha256"], hash);
        // It signs as any other key.
        let signature = text(folder, &format!("{kind}.sig"));
        let args = ["key", "sign", "--passphrase-file", &secret, "--key", &ssh, &line, "-o", &signature];
        assert_eq!(tagwise(&args).code, Some(0));
        assert_eq!(tagwise(&["key", "verify", "--key", &line, "--signature", &signature, &line]).code, Some(0));
        let back = text(folder, &format!("{kind}.back"));
        let args =
            ["key", "convert", "--to", "pkcs8", "--no-passphrase", "--passphrase-file", &secret, &ssh, "-o", &back];
        assert_eq!(tagwise(&args).code, Some(0));
        assert_eq!(shown(&[&back])["public_key_sha256"], hash);
        if tagwise_testing::tool("ssh-keygen", &["-?"]) {
            let out = run_ssh(folder, &ssh);
            assert!(out.contains(key["ssh_fingerprint"].as_str().unwrap()), "{out}");
        }
    }
}

/// The fingerprint by ssh-keygen, after it decrypted the key.
fn run_ssh(folder: &Path, ssh: &str) -> String {
    let line = run(folder, "ssh-keygen", &["-y", "-P", "correct horse", "-f", ssh]);
    run(folder, "ssh-keygen", &["-l", "-f", &file(folder, "fingerprint", line)])
}

#[test]
fn jwk_there_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // RFC 8037 §A.1 and §A.3, with a name.
    let private = file(
        folder,
        "a",
        r#"{"kty":"OKP","crv":"Ed25519","kid":"first","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
            "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#,
    );
    let key = shown(&[&private]);
    assert_eq!((&key["name"], &key["private"], &key["type"]), (&"first".into(), &true.into(), &"ed25519".into()));
    assert_eq!(key["jwk_thumbprint"], "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    let run = tagwise(&["key", "convert", "--to", "jwk-public", &private]);
    let wanted = "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"kid\":\"first\"}\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), wanted, ""));
    let public = file(folder, "public", &run.out);
    assert_eq!(tagwise(&["key", "convert", "--to", "jwk", &public]).out, wanted);
    let run = tagwise(&["key", "convert", "--to", "jwk", &private]);
    assert_eq!((run.code, run.err.contains("give --no-passphrase")), (Some(2), true));
    let run = tagwise(&["key", "convert", "--to", "jwk", "--no-passphrase", &private]);
    assert!(run.out.contains("\"d\":\"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A\""), "{}", run.err);
    assert!(run.out.ends_with(",\"kid\":\"first\"}\n"), "{}", run.out);
    // A JWK keeps how its key is used, and what another form does not have is named.
    let whole = fs::read_to_string(&private).unwrap();
    let whole = whole.replacen('{', r#"{"use":"sig","alg":"EdDSA","key_ops":["sign"],"x-own":{"a":1},"#, 1);
    let whole = file(folder, "whole", whole);
    let run = tagwise(&["key", "convert", "--to", "jwk-public", &whole]);
    assert!(run.out.ends_with(",\"alg\":\"EdDSA\",\"kid\":\"first\",\"use\":\"sig\"}\n"), "{}", run.out);
    let lost = |names: &str| format!("tagwise: {whole}: members of the JWK that the result does not have: {names}\n");
    assert_eq!(run.err, lost("key_ops, x-own"));
    let run = tagwise(&["key", "convert", "--to", "public", &whole]);
    assert_eq!((run.code, run.err), (Some(0), lost("alg, key_ops, kid, use, x-own")));
    let run = tagwise(&["key", "convert", "--to", "openssh-public", &whole]);
    assert_eq!((run.out.ends_with(" first\n"), run.err), (true, lost("alg, key_ops, use, x-own")), "{}", run.out);
    let set = file(folder, "one", format!("{{\"keys\":[{}]}}", fs::read_to_string(&whole).unwrap()));
    let run = tagwise(&["key", "convert", "--to", "jwk-public", "--name", "first", &set]);
    assert!(run.out.ends_with(",\"alg\":\"EdDSA\",\"kid\":\"first\",\"use\":\"sig\"}\n"), "{}", run.out);
    // A private key that does not belong to the public one.
    let mixed = fs::read_to_string(&private).unwrap().replace("nWGx", "nWGy");
    let run = tagwise(&["key", "show", &file(folder, "mixed", mixed)]);
    assert_eq!((run.code, run.err.contains("not consistent")), (Some(1), true), "{}", run.err);
    // Of a set, one is selected by its name.
    let keys =
        [fs::read_to_string(&private).unwrap(), fs::read_to_string(&private).unwrap().replace("first", "second")];
    let set = file(folder, "set", format!("{{\"keys\":[{}]}}", keys.join(",")));
    let run = tagwise(&["key", "convert", "--to", "public", &set]);
    assert_eq!((run.code, run.err.contains("more than one key")), (Some(1), true));
    assert_eq!(tagwise(&["key", "convert", "--to", "public", "--name", "second", &set]).code, Some(0));
    let run = tagwise(&["key", "convert", "--to", "public", "--name", "third", &set]);
    assert_eq!((run.code, run.err.contains("no key named 'third'")), (Some(1), true));
}

#[test]
fn java_keystores() {
    if !tagwise_testing::tool("keytool", &["-help"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (store, entry) = (file(folder, "store.txt", "changeit\n"), file(folder, "entry.txt", "another\n"));
    let common = ["-storetype", "jceks", "-keystore", "store", "-storepass", "changeit", "-noprompt"];
    let keytool = |args: &[&str]| run(folder, "keytool", &[args, &common].concat());
    let pair = ["-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=server"];
    keytool(&[&pair[..], &["-alias", "server", "-keypass", "changeit"]].concat());
    keytool(&[&pair[..], &["-alias", "other", "-keypass", "another"]].concat());
    keytool(&["-genseckey", "-keyalg", "AES", "-keysize", "128", "-alias", "aes", "-keypass", "changeit"]);
    let path = text(folder, "store");

    // Without a passphrase, nothing is claimed.
    let run = tagwise(&["p12", "show", "--json", &path]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&document["format"], &document["integrity"]), (&"JCEKS".into(), &"not checked".into()));
    assert_eq!(document["integrity_checked"], false);
    let both = ["--passphrase-file", &store, "--passphrase-file", &entry];
    let run = tagwise(&[&["p12", "show", "--json"][..], &both, &[&path]].concat());
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(document["integrity"], "verified", "{}", run.err);
    let find = |alias: &str, kind: &str| {
        let items = document["items"].as_array().unwrap();
        items.iter().find(|item| item["friendly_name"] == alias && item["kind"] == kind).unwrap().clone()
    };
    assert_eq!(find("server", "private-key")["what"], "ecdsa-p256");
    assert_eq!(find("server", "certificate")["what"], "CN=server");
    assert_eq!(find("aes", "secret")["what"], "AES, 128 bits");

    // Each key with its own passphrase.
    let run = tagwise(&["key", "show", "--passphrase-file", &store, &path]);
    assert_eq!((run.code, run.err.contains("entry other: locked: ")), (Some(1), true), "{}", run.err);
    assert!(run.out.contains("server"), "{}", run.out);
    let server = ["key", "convert", "--to", "public", "--name", "server", "--passphrase-file", &store, &path];
    assert_eq!(tagwise(&server).code, Some(0));
    let run = tagwise(&["key", "show", "--passphrase-file", &entry, &path]);
    assert_eq!((run.code, run.err.contains("the integrity digest does not match")), (Some(1), true), "{}", run.err);
    let key = text(folder, "other.key");
    let convert = ["key", "convert", "--to", "pkcs8", "--no-passphrase", "--name", "other", &path, "-o", &key];
    let run = tagwise(&[&convert[..], &both].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let pem = text(folder, "other.pem");
    let extract = ["p12", "extract", "--no-passphrase", "--name", "other", &path, "-o", &pem];
    let run = tagwise(&[&extract[..], &both].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(fs::metadata(&pem).unwrap().permissions().mode() & 0o777, 0o600);
    let content = fs::read_to_string(&pem).unwrap();
    assert!(content.contains("BEGIN PRIVATE KEY") && content.contains("BEGIN CERTIFICATE"));
    assert!(content.contains(fs::read_to_string(&key).unwrap().trim()));
    let aes = text(folder, "aes.key");
    let run = tagwise(&[&["p12", "extract", "--secret", "--name", "aes", &path, "-o", &aes][..], &both].concat());
    assert_eq!((run.code, fs::metadata(&aes).unwrap().len()), (Some(0), 16), "{}", run.err);
    // Certificates need no passphrase, but then their integrity is not checked.
    let run = tagwise(&["p12", "extract", "--certificates", &path]);
    assert_eq!((run.code, run.err.contains("--allow-no-mac")), (Some(1), true));
    let run = tagwise(&["p12", "extract", "--certificates", "--allow-no-mac", &path]);
    assert_eq!((run.code, run.out.matches("BEGIN CERTIFICATE").count()), (Some(0), 2), "{}", run.err);
    // Without a passphrase, the keys are listed, too.
    let run = tagwise(&["show", &path]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(run.out.matches("encrypted private key").count(), 2, "{}", run.out);
    assert_eq!(run.out.matches("encrypted secret key").count(), 1, "{}", run.out);
    let run = tagwise(&["scan", &path]);
    assert_eq!(run.out.matches("server").count(), 2, "{}{}", run.out, run.err);
    assert!(run.err.is_empty(), "{}", run.err);
    // Elsewhere, one passphrase is one.
    let run = tagwise(&[&["key", "new", "ed25519"][..], &both].concat());
    assert_eq!((run.code, run.err.contains("may be repeated only")), (Some(2), true), "{}", run.err);
}

/// RFC 5480 §2.1.1 and RFC 5915 §3 require the name of a curve. Private keys with the parameters of a known curve are read, and public keys
/// only if the rule is allowed, because others could choose the generator.
#[test]
fn explicit_curve_parameters() {
    if !tagwise_testing::tool("openssl", &["version"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let explicit = ["-param_enc", "explicit"];
    let new = ["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "key.pem"];
    run(folder, "openssl", &[&new[..], &explicit].concat());
    for (form, name) in [("PEM", "key.pub"), ("DER", "key.pub.der")] {
        let public = ["ec", "-in", "key.pem", "-pubout", "-outform", form, "-out", name];
        run(folder, "openssl", &[&public[..], &explicit].concat());
    }
    let der = ["ec", "-in", "key.pem", "-outform", "DER", "-out", "key.der"];
    run(folder, "openssl", &[&der[..], &explicit].concat());
    let (pem, der) = (shown(&[&text(folder, "key.pem")]), shown(&[&text(folder, "key.der")]));
    assert_eq!((&der["form"], &der["type"]), (&"SEC 1".into(), &"ecdsa-p256".into()));
    assert_eq!(der["public_key_sha256"], pem["public_key_sha256"]);
    let refused = tagwise(&["key", "show", &text(folder, "key.pub")]);
    assert!(refused.code == Some(1) && refused.err.contains("--allow named-curve tolerates this"), "{}", refused.err);
    for name in ["key.pub", "key.pub.der"] {
        let public = shown(&["--allow", "named-curve", &text(folder, name)]);
        assert_eq!(public["public_key_sha256"], pem["public_key_sha256"], "{name}");
    }
    let (letter, signature) = (file(folder, "letter", "A letter."), text(folder, "letter.sig"));
    let run = tagwise(&["key", "sign", &letter, "--key", &text(folder, "key.der"), "-o", &signature]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let verify = ["key", "verify", &letter, "--signature", &signature, "--key", &text(folder, "key.pub")];
    assert_eq!(tagwise(&verify).code, Some(1));
    let run = tagwise(&[&verify[..], &["--allow", "named-curve"]].concat());
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
}

#[test]
fn spkac_of_openssl() {
    if !tagwise_testing::tool("openssl", &["version"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "openssl", &["genrsa", "-out", "rsa.pem", "2048"]);
    let spkac = run(folder, "openssl", &["spkac", "-key", "rsa.pem", "-challenge", "hello", "-digest", "sha256"]);
    let path = file(folder, "spkac", &spkac);
    let key = shown(&[&path]);
    assert_eq!(
        (&key["form"], &key["challenge"], &key["signature"]),
        (&"SPKAC".into(), &"hello".into(), &"good".into())
    );
    assert_eq!(key["public_key_sha256"], shown(&[&text(folder, "rsa.pem")])["public_key_sha256"]);
    let checked = tagwise(&["csr", "check", &path]);
    assert_eq!((checked.code, checked.out.contains(": valid, ")), (Some(0), true), "{}{}", checked.out, checked.err);
    let status = |run: &common::Run| -> serde_json::Value {
        let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        shown["files"][0]["items"][0]["message"]["self_signature"]["status"].clone()
    };
    let whole = tagwise(&["show", "--json", &path]);
    assert_eq!((whole.code, status(&whole)), (Some(0), "valid".into()), "{}", whole.out);
    // A changed challenge.
    let der = tagwise_codec::text::base64::decode(spkac.trim().strip_prefix("SPKAC=").unwrap().as_bytes()).unwrap();
    let mut der = der.clone();
    let at = der.windows(5).position(|window| window == b"hello").unwrap();
    der[at] = b'j';
    let changed = tagwise_with(&["key", "show", "-"], &der);
    assert_eq!((changed.code, changed.out.contains("Signature: NOT GOOD")), (Some(1), true), "{}", changed.err);
    let changed = tagwise_with(&["csr", "check", "-"], &der);
    assert_eq!((changed.code, changed.out.contains("invalid")), (Some(1), true), "{}{}", changed.out, changed.err);
    let whole = tagwise_with(&["show", "--json", "-"], &der);
    assert_eq!(status(&whole), "invalid", "{}", whole.out);
    // MD5 is what openssl signs with by default, and is not secure (RFC 6151 §2).
    let old = run(folder, "openssl", &["spkac", "-key", "rsa.pem", "-challenge", "hello", "-digest", "md5"]);
    let md5 = file(folder, "md5", &old);
    let run_old = tagwise(&["key", "show", &md5]);
    assert_eq!((run_old.code, run_old.out.contains("Signature: WEAK (RSA-MD5)")), (Some(1), true), "{}", run_old.out);
    let shown = tagwise(&["show", &md5]);
    let refused = "RSA-MD5 is refused, because such signatures can be forged (RFC 6149, RFC 6151 §2)";
    let words = shown.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(refused), "{}", shown.out);
    // Bytes 00 after the value, in the text of `openssl spkac` and without it.
    let padded = file(folder, "padded", format!("{}AAAA\n", old.trim()));
    let run_padded = tagwise(&["key", "show", &padded]);
    assert_eq!(run_padded.code, Some(1), "{}", run_padded.out);
    assert!(run_padded.err.contains("; --allow trailing-zeros tolerates this"), "{}", run_padded.err);
    let allowed = tagwise(&["key", "show", "--allow", "trailing-zeros", &padded]);
    assert_eq!(allowed.out.replace("padded", "md5"), run_old.out);
    let der = tagwise_codec::text::base64::decode(old.trim().strip_prefix("SPKAC=").unwrap().as_bytes()).unwrap();
    for at in [at, der.len() - 1] {
        let mut changed = der.clone();
        changed[at] ^= 1;
        let changed = tagwise_with(&["key", "show", "-"], &changed);
        assert_eq!((changed.code, changed.out.contains("Signature: NOT GOOD")), (Some(1), true), "{}", changed.err);
    }
    // An algorithm that is not known: 1.2.840.113549.1.1.127.
    let mut other = der.clone();
    let oid = b"\x2A\x86\x48\x86\xF7\x0D\x01\x01\x04";
    let place = other.windows(oid.len()).position(|window| window == oid).unwrap();
    other[place + 8] = 127;
    let other = tagwise_with(&["key", "show", "-"], &other);
    assert_eq!((other.code, other.out.contains("Signature: not known")), (Some(4), true), "{}{}", other.out, other.err);
}

/// Protection of a file by one passphrase, and of its keys by another.
struct Two<'b>(ByPassword<'b>, ByPassword<'b>);

/// Protection of a file by one passphrase, and of everything but its keys by another.
struct Bags<'b>(Two<'b>);

impl Protection for Bags<'_> {
    type Error = tagwise_crypto::Error;

    fn decrypt(
        &self,
        algorithm: &AlgorithmIdentifier<'_>,
        octets: &[u8],
    ) -> Result<zeroize::Zeroizing<Vec<u8>>, Self::Error> {
        self.0.decrypt(algorithm, octets)
    }

    fn encrypt(&self, algorithm: &AlgorithmIdentifier<'_>, octets: &[u8]) -> Result<Vec<u8>, Self::Error> {
        let is_key = PrivateKeyInfo::from_pkcs8(octets).is_ok();
        if is_key { self.0.0.encrypt(algorithm, octets) } else { self.0.1.encrypt(algorithm, octets) }
    }

    fn mac(&self, parameters: &MacParameters<'_>, content: &[u8]) -> Result<Vec<u8>, Self::Error> {
        self.0.mac(parameters, content)
    }
}

impl Protection for Two<'_> {
    type Error = tagwise_crypto::Error;

    fn decrypt(
        &self,
        algorithm: &AlgorithmIdentifier<'_>,
        octets: &[u8],
    ) -> Result<zeroize::Zeroizing<Vec<u8>>, Self::Error> {
        self.0.decrypt(algorithm, octets)
    }

    fn encrypt(&self, algorithm: &AlgorithmIdentifier<'_>, octets: &[u8]) -> Result<Vec<u8>, Self::Error> {
        let is_key = PrivateKeyInfo::from_pkcs8(octets).is_ok();
        if is_key { self.1.encrypt(algorithm, octets) } else { self.0.encrypt(algorithm, octets) }
    }

    fn mac(&self, parameters: &MacParameters<'_>, content: &[u8]) -> Result<Vec<u8>, Self::Error> {
        self.0.mac(parameters, content)
    }
}

/// A key bag under another passphrase than the file's.
#[test]
fn pkcs12_with_two_passphrases() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let backend = AwsLc::new();
    let key = backend.generate(KeyType::P256).unwrap().to_pkcs8().unwrap();
    let item = Pkcs12Item::new(Pkcs12Value::PrivateKey(key.expose())).named("server");
    let by = |text| ByPassword::new(&backend, Password::new(text));
    let octets = pkcs12_with(&[item], Pkcs12Layout::Modern, 10, &Two(by("secret"), by("another"))).unwrap();
    let path = file(folder, "two.p12", octets);
    let (right, other) = (file(folder, "right", "secret\n"), file(folder, "other", "another\n"));
    let run = tagwise(&["p12", "extract", "--no-passphrase", "--passphrase-file", &right, &path]);
    assert_eq!(
        (run.code, run.err.contains("a different passphrase: repeat --passphrase-file")),
        (Some(1), true),
        "{}",
        run.err
    );
    let both = ["--passphrase-file", &right, "--passphrase-file", &other];
    let run = tagwise(&[&["p12", "extract", "--no-passphrase"][..], &both, &[&path]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(tagwise_codec::pem::first(&["PRIVATE KEY"], run.out.as_bytes()).unwrap(), key.expose());
    let run = tagwise(&[&["p12", "show"][..], &both, &[&path]].concat());
    assert_eq!((run.code, run.out.contains("ecdsa-p256")), (Some(0), true), "{}{}", run.out, run.err);
}

/// Keys in PKCS #12 files are keys for every command.
#[test]
fn keys_of_pkcs12_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let secret = file(folder, "secret", "secret\n");
    let key = text(folder, "own.key");
    assert_eq!(tagwise(&["key", "new", "ecdsa-p256", "--no-passphrase", "-o", &key]).code, Some(0));
    let pem = text(folder, "own.pem");
    let make = ["cert", "self-signed", "--key", &key, "--host", "own.example", "-o", &pem];
    let made = tagwise(&make);
    assert_eq!(made.code, Some(0), "{}", made.err);
    for layout in ["modern", "pbmac1", "legacy-windows"] {
        let path = text(folder, &format!("{layout}.p12"));
        let create = ["p12", "create", "--layout", layout, "--passphrase-file", &secret, "--name", "own"];
        let run = tagwise(&[&create[..], &["--key", &key, "--certificate", &pem, "-o", &path]].concat());
        assert_eq!(run.code, Some(0), "{layout}: {}", run.err);
        let run = tagwise(&["key", "show", "--json", "--passphrase-file", &secret, &path]);
        assert_eq!(run.code, Some(0), "{layout}: {}", run.err);
        let read: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let found = read["keys"].as_array().unwrap().iter().find(|found| found["private"] == true).unwrap();
        assert_eq!((&found["form"], &found["name"]), (&"PKCS #12".into(), &"own".into()), "{layout}");
        let run = tagwise(&["match", "--passphrase-file", &secret, &path, &pem, &key]);
        assert_eq!(run.code, Some(0), "{layout}: {}{}", run.out, run.err);
        let convert = ["key", "convert", "--to", "pkcs8", "--no-passphrase", "--passphrase-file", &secret, &path];
        let run = tagwise(&convert);
        assert_eq!(run.code, Some(0), "{layout}: {}", run.err);
        assert!(run.out.starts_with("-----BEGIN PRIVATE KEY-----"), "{layout}: {}", run.out);
        let wrong = file(folder, "wrong", "wrong\n");
        assert_eq!(tagwise(&["key", "show", "--passphrase-file", &wrong, &path]).code, Some(1), "{layout}");
    }
}

/// A key is chosen by its name before it is decrypted; the others are listed as locked.
#[test]
fn keys_with_other_passphrases_are_locked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let backend = AwsLc::new();
    let key = backend.generate(KeyType::P256).unwrap().to_pkcs8().unwrap();
    let item = Pkcs12Item::new(Pkcs12Value::PrivateKey(key.expose())).named("server");
    let by = |text| ByPassword::new(&backend, Password::new(text));
    let octets = pkcs12_with(&[item], Pkcs12Layout::Modern, 10, &Two(by("secret"), by("another"))).unwrap();
    let path = file(folder, "two.p12", octets);
    let (right, other) = (file(folder, "right", "secret\n"), file(folder, "other", "another\n"));
    let run = tagwise(&["key", "show", "--passphrase-file", &right, &path]);
    assert_eq!((run.code, run.err.contains("entry server: locked: ")), (Some(1), true), "{}", run.err);
    let run = tagwise(&["key", "convert", "--to", "public", "--passphrase-file", &right, &path]);
    assert_eq!(
        (run.code, run.err.contains("entry server: it has a different passphrase")),
        (Some(1), true),
        "{}",
        run.err
    );
    let run = tagwise(&["key", "convert", "--to", "public", "--name", "none", "--passphrase-file", &right, &path]);
    assert_eq!((run.code, run.err.contains("no key named 'none'")), (Some(1), true), "{}", run.err);
    let both = ["--passphrase-file", &right, "--passphrase-file", &other];
    let run = tagwise(&[&["key", "convert", "--to", "pkcs8", "--no-passphrase"][..], &both, &[&path]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(tagwise_codec::pem::first(&["PRIVATE KEY"], run.out.as_bytes()).unwrap(), key.expose());
}

/// All encrypted bags under another passphrase than the file's.
#[test]
fn pkcs12_with_bags_under_another_passphrase() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let backend = AwsLc::new();
    let key = backend.generate(KeyType::P256).unwrap();
    let pkcs8 = key.to_pkcs8().unwrap();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/root.pem");
    let root = tagwise_codec::pem::first(&["CERTIFICATE"], &fs::read(root).unwrap()).unwrap();
    let items = [
        Pkcs12Item::new(Pkcs12Value::PrivateKey(pkcs8.expose())).named("server"),
        Pkcs12Item::new(Pkcs12Value::Certificate(&root)).named("root"),
    ];
    let by = |text| ByPassword::new(&backend, Password::new(text));
    let octets = pkcs12_with(&items, Pkcs12Layout::Modern, 10, &Bags(Two(by("secret"), by("another")))).unwrap();
    let path = file(folder, "bags.p12", octets);
    let (right, other) = (file(folder, "right", "secret\n"), file(folder, "other", "another\n"));
    let extract = |files: &[&str]| {
        let mut args = vec!["p12", "extract", "--no-passphrase", &path];
        files.iter().for_each(|file| args.extend(["--passphrase-file", file]));
        tagwise(&args)
    };
    let run = extract(&[&right]);
    assert_eq!((run.code, run.out.contains("BEGIN CERTIFICATE")), (Some(1), false), "{}", run.err);
    for files in [[&*right, &*other], [&*other, &*right]] {
        let run = extract(&files);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(run.out.contains("BEGIN CERTIFICATE") && run.out.contains("BEGIN PRIVATE KEY"), "{}", run.out);
    }
    // The MAC is that of the first passphrase: another one opens nothing.
    assert_eq!(extract(&[&other]).code, Some(1));
}

/// An SSH certificate, and the CA that signed it.
#[test]
fn ssh_certificates() {
    if !tagwise_testing::tool("ssh-keygen", &["-?"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for name in ["ca", "eva", "other"] {
        run(folder, "ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", name]);
    }
    run(folder, "ssh-keygen", &["-q", "-s", "ca", "-I", "eva at work", "-n", "eva", "-z", "7", "eva.pub"]);
    let (path, ca, other) = (text(folder, "eva-cert.pub"), text(folder, "ca.pub"), text(folder, "other.pub"));
    let shown = tagwise(&["key", "show", &path]);
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    for line in ["SSH certificate: user, serial 7, \"eva at work\"", "Principals: eva", "Signature: good", "forever"] {
        assert!(shown.out.contains(line), "{line}: {}", shown.out);
    }
    let given = tagwise(&["key", "show", "--json", "--ca", &ca, &path]);
    let document: serde_json::Value = serde_json::from_str(&given.out).unwrap();
    assert_eq!((given.code, &document["keys"][0]["ssh_certificate"]["ca_given"]), (Some(0), &true.into()));
    assert_eq!(tagwise(&["key", "show", "--ca", &other, &path]).code, Some(1));
    // One base64 character of the identifier.
    let line = fs::read_to_string(&path).unwrap();
    let mut parts: Vec<String> = line.trim_end().split(' ').map(str::to_owned).collect();
    let mut blob = tagwise_codec::text::base64::decode(parts[1].as_bytes()).unwrap();
    let at = blob.windows(11).position(|window| window == b"eva at work").unwrap();
    blob[at] = b'E';
    parts[1] = tagwise_codec::text::base64::encode(&blob);
    let changed = file(folder, "changed.pub", parts.join(" "));
    let shown = tagwise(&["key", "show", &changed]);
    assert_eq!((shown.code, shown.out.contains("NOT GOOD")), (Some(1), true), "{}", shown.out);
}
