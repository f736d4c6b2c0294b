//! `tagwise key`: keys made, shown and converted, as a user does it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::path::Path;

use common::openssl::{has_openssl, openssl};
use common::{tagwise, tagwise_with};

fn text(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn keys_are_made_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for kind in ["rsa2048", "ecdsa-p256", "ecdsa-p384", "ecdsa-p521", "ed25519", "x25519", "ml-dsa-44", "ml-kem-768"] {
        let (file, public) = (text(folder, kind), text(folder, &format!("{kind}.pub")));
        let run = tagwise(&["key", "new", kind, "-o", &file, "--public", &public, "--no-passphrase"]);
        assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
        assert!(run.err.starts_with(&format!("{kind}: SHA-256 of its public key ")), "{}", run.err);
        let run = tagwise(&["key", "show", "--json", &file, &public]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(shown["schema"], "tagwise.key/2");
        let (private, public) = (&shown["keys"][0], &shown["keys"][1]);
        assert_eq!((&private["private"], &public["private"]), (&true.into(), &false.into()));
        assert_eq!(private["type"], kind);
        assert_eq!(private["public_key_sha256"], public["public_key_sha256"]);
    }
    let run = tagwise(&["key", "show", &text(folder, "ml-dsa-44")]);
    assert!(run.out.contains("Holds:     seed\n") && run.out.contains("Signs:     ML-DSA-44\n"), "{}", run.out);
}

/// Nothing takes the place of a key, and others do not read it.
#[test]
fn keys_are_not_overwritten_and_nobody_else_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = text(folder.path(), "key");
    let make = ["key", "new", "ed25519", "--no-passphrase", "-o", &file];
    assert_eq!(tagwise(&make).code, Some(0));
    let before = fs::read(&file).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let run = tagwise(&make);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("cannot be written: it already exists"), "{}", run.err);
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn passphrases_protect_keys() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (key, right, wrong) = (text(folder, "key"), text(folder, "right"), text(folder, "wrong"));
    fs::write(&right, "correct horse\nnot this\n").unwrap();
    fs::write(&wrong, "battery staple\n").unwrap();
    let run = tagwise(&["key", "new", "ecdsa-p256", "-o", &key, "--passphrase-file", &right]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(fs::read_to_string(&key).unwrap().starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));

    let run = tagwise(&["key", "show", &key, "--passphrase-file", &right]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("Form:      PKCS #8, encrypted\n"), "{}", run.out);
    let run = tagwise_with(&["key", "show", &key, "--passphrase-file", "-"], b"correct horse\r\n");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = tagwise(&["key", "show", &key, "--passphrase-file", &wrong]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("integrity check failed: wrong password or key, or damaged data"), "{}", run.err);
    let run = tagwise(&["key", "show", &key]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.contains("there is no terminal to read it from: give --passphrase-file or --passphrase-fd"),
        "{}",
        run.err
    );
    fs::write(&right, "\n").unwrap();
    let run = tagwise(&["key", "new", "ed25519", "--passphrase-file", &right]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
}

#[test]
fn keys_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fingerprint = |file: &str| {
        let run = tagwise(&["key", "show", "--json", file]);
        assert_eq!(run.code, Some(0), "{file}: {}", run.err);
        let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        (shown["keys"][0]["public_key_sha256"].to_string(), shown["keys"][0]["form"].to_string())
    };
    for (kind, to, form) in [
        ("ecdsa-p384", "sec1", "SEC 1"),
        ("rsa2048", "pkcs1", "PKCS #1"),
        ("ed25519", "public", "SubjectPublicKeyInfo"),
        ("ecdsa-p521", "pkcs8", "PKCS #8"),
    ] {
        let (key, other, back) =
            (text(folder, kind), text(folder, &format!("{kind}.o")), text(folder, &format!("{kind}.b")));
        assert_eq!(tagwise(&["key", "new", kind, "-o", &key, "--no-passphrase"]).code, Some(0));
        let run = tagwise(&["key", "convert", "--to", to, "--no-passphrase", &key, "-o", &other]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let (before, after) = (fingerprint(&key), fingerprint(&other));
        assert_eq!((before.0, format!("\"{form}\"")), (after.0.clone(), after.1));
        if to != "public" {
            let run = tagwise(&["key", "convert", "--to", "pkcs8", "--no-passphrase", &other, "-o", &back]);
            assert_eq!(run.code, Some(0), "{}", run.err);
            assert_eq!(fingerprint(&back).0, after.0);
        }
    }
    let key = text(folder, "ml-dsa");
    assert_eq!(tagwise(&["key", "new", "ml-dsa-44", "-o", &key, "--no-passphrase"]).code, Some(0));
    let run = tagwise(&["key", "convert", "--to", "pkcs8", "--hold", "both", "--no-passphrase", &key]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = tagwise_with(&["key", "show", "-"], run.out.as_bytes());
    assert!(run.out.contains("Holds:     seed and expanded key\n"), "{}{}", run.out, run.err);
    let run = tagwise(&["key", "convert", "--to", "sec1", "--no-passphrase", &key]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("ml-dsa-44 keys do not support this format; use --to pkcs8"), "{}", run.err);
    let run = tagwise(&["key", "convert", "--to", "sec1", &text(folder, "ecdsa-p384")]);
    assert_eq!(run.code, Some(2), "{}", run.err);
}

/// What is no key, what is not to be had, and one bad file among good ones.
#[test]
fn errors_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (good, bad) = (text(folder, "good"), text(folder, "bad"));
    assert_eq!(tagwise(&["key", "new", "ed25519", "-o", &good, "--no-passphrase"]).code, Some(0));
    fs::write(&bad, "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n").unwrap();
    let run = tagwise(&["key", "show", &bad, &good]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("Type:      ed25519\n"), "{}", run.out);
    assert!(run.err.contains("bad: PRIVATE KEY, line 1: private key is malformed"), "{}", run.err);
    fs::write(&bad, [0x30, 0x00]).unwrap();
    let run = tagwise(&["key", "show", &bad]);
    assert!(run.err.contains("no key found"), "{}", run.err);
    let run = tagwise(&["key", "new", "rsa1024", "--no-passphrase"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), "tagwise: rsa1024 is not offered by aws-lc\n"));
    assert_eq!(tagwise(&["key", "new", "dsa", "--no-passphrase"]).code, Some(2));
    assert_eq!(tagwise(&["key", "show", &text(folder, "absent")]).code, Some(3));
}

/// Keys of every backend that is built in are read by every other, and what is not built in is refused with what there is.
#[test]
fn unknown_kinds_name_the_known_ones() {
    let known = "rsa2048, rsa3072, rsa4096, ecdsa-p256, ecdsa-p384, ecdsa-p521, ed25519, ed448, x25519, x448, ml-dsa-44, \
                 ml-dsa-65, ml-dsa-87, ml-kem-512, ml-kem-768, ml-kem-1024, or another of `tagwise key new --list`";
    for (kind, hint) in [
        ("rsa", "; did you mean rsa2048?"),
        ("EC", "; did you mean ecdsa-p256?"),
        ("ed25591", "; did you mean ed25519?"),
        ("dsa", ""),
    ] {
        for args in [&["key", "new", kind][..], &["ca", "init", "--subject", "CN=a", "--key-type", kind]] {
            let run = tagwise(args);
            assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
            let said = format!(": unsupported key type; expected {known}{hint}\n");
            assert!(run.err.contains(&said), "{args:?}: {}", run.err);
        }
    }
}

#[test]
fn backends_are_chosen() {
    let run = tagwise(&["key", "new", "--list"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let head = run.out.lines().next().unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(head[0], "aws-lc");
    assert!(run.out.lines().any(|line| line.split_whitespace().take(2).eq(["ecdsa-p256", "makes"])), "{}", run.out);
    assert!(run.out.lines().any(|line| line.split_whitespace().take(2).eq(["ed448", "makes"])), "{}", run.out);
    let folder = tempfile::tempdir().unwrap();
    for maker in &head {
        let key = text(folder.path(), maker);
        let run = tagwise(&["key", "new", "ecdsa-p384", "--backend", maker, "--no-passphrase", "-o", &key]);
        assert_eq!(run.code, Some(0), "{maker}: {}", run.err);
        let shown: Vec<String> = head
            .iter()
            .map(|reader| {
                let run = tagwise(&["key", "show", "--backend", reader, &key]);
                assert_eq!(run.code, Some(0), "{maker} {reader}: {}", run.err);
                run.out
            })
            .collect();
        assert!(shown.iter().all(|text| *text == shown[0]), "{shown:?}");
    }
    #[cfg(feature = "openssl")]
    {
        let key = text(folder.path(), "ed448");
        let run = tagwise(&["key", "new", "ed448", "--backend", "openssl", "--no-passphrase", "-o", &key]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let run = tagwise(&["key", "show", &key]);
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    let run = tagwise(&["key", "new", "ed25519", "--backend", "none"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.starts_with("tagwise: the backend none is not offered; available: aws-lc"), "{}", run.err);
}

/// Signatures by themselves, in contexts where there are any; what is not good is told from what cannot be.
#[test]
fn files_are_signed_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (file, other) = (text(folder, "file"), text(folder, "other"));
    fs::write(&file, "what is signed").unwrap();
    fs::write(&other, "something else").unwrap();
    for (kind, more, algorithm) in [
        ("ecdsa-p256", &[][..], "ECDSA-SHA256"),
        ("rsa3072", &["--scheme", "rsa-sha512"], "RSA-SHA512"),
        ("rsa2048", &["--pss"], "RSASSA-PSS (SHA-256, MGF1 SHA-256, salt 32)"),
        ("ed25519", &[], "Ed25519"),
        ("ml-dsa-44", &["--context", "invoices"], "ML-DSA-44"),
        ("mldsa44-ed25519-sha512", &["--context", "invoices"], "MLDSA44-Ed25519-SHA512"),
    ] {
        let name = |suffix: &str| text(folder, &format!("{kind}.{suffix}"));
        let (key, public, signature) = (name("key"), name("pub"), name("sig"));
        let run = tagwise(&["key", "new", kind, "--no-passphrase", "-o", &key, "--public", &public]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let run = tagwise(&[&["key", "sign", &file, "--key", &key, "-o", &signature], more].concat());
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "", ""), "{kind}");
        for key in [&public, &key] {
            let run = tagwise(&[&["key", "verify", &file, "--key", key, "--signature", &signature], more].concat());
            assert_eq!((run.code, run.out), (Some(0), format!("{file}: good, {algorithm}\n")), "{}", run.err);
        }
        let verify = |file: &str, more: &[&str]| {
            let run = tagwise(&[&["key", "verify", file, "--key", &public, "--signature", &signature], more].concat());
            (run.code, run.out)
        };
        assert_eq!(verify(&other, more), (Some(1), format!("{other}: NOT GOOD, {algorithm}\n")));
        if more.contains(&"--context") {
            assert_eq!(verify(&file, &["--context", "orders"]).0, Some(1));
            assert_eq!(verify(&file, &[]).0, Some(1));
        }
    }
    if has_openssl() {
        let pss: &[&str] = &["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"];
        for (digest, name, more) in
            [("-sha256", "ecdsa-p256", &[][..]), ("-sha512", "rsa3072", &[]), ("-sha256", "rsa2048", pss)]
        {
            let (key, signature) = (format!("{name}.pub"), format!("{name}.sig"));
            let args = ["dgst", digest, "-verify", &key, "-signature", &signature];
            assert_eq!(openssl(folder, &[&args[..], more, &["file"]].concat()), "Verified OK\n", "{name}");
        }
    }

    let (ec, rsa, ml_dsa) =
        (text(folder, "ecdsa-p256.key"), text(folder, "rsa2048.key"), text(folder, "ml-dsa-44.key"));
    let long = "x".repeat(256);
    for (key, more, code, said) in [
        (&ec, &["--context", "invoices"][..], 1, "ECDSA-SHA256 with a context has invalid parameters"),
        (&ml_dsa, &["--context", &long], 1, "ML-DSA-44 with a context input has the wrong length"),
        (&ec, &["--scheme", "Ed25519"], 1, "Ed25519 does not match this type of key"),
        (&rsa, &["--scheme", "RSA-SHA1"], 1, "RSA-SHA1 is disabled: it is only for legacy data"),
        (&ec, &["--scheme", "RSASSA-PSS"], 2, "unknown algorithm 'RSASSA-PSS'"),
        (&ec, &["--pss"], 2, "--pss requires an RSA key; this key is ecdsa-p256"),
    ] {
        let run = tagwise(&[&["key", "sign", &file, "--key", key], more].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{more:?}: {}", run.err);
        assert!(run.err.contains(said), "{more:?}: {}", run.err);
    }
    let key = text(folder, "x25519.key");
    assert_eq!(tagwise(&["key", "new", "x25519", "--no-passphrase", "-o", &key]).code, Some(0));
    let run = tagwise(&["key", "sign", &file, "--key", &key]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), "tagwise: x25519 keys do not support signing\n"));
}

/// Both backends sign and verify with Ed448.
#[cfg(feature = "openssl")]
#[test]
fn messages_are_signed_with_ed448() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    if !has_openssl() {
        return;
    }
    let name = |name: &str| text(folder, name);
    fs::write(name("file"), "what is signed").unwrap();
    let args = ["req", "-x509", "-newkey", "ed448", "-nodes", "-subj", "/CN=Signer", "-days", "3650"];
    openssl(folder, &[&args[..], &["-keyout", "key", "-out", "certificate"]].concat());
    let sign = ["cms", "sign", &name("file"), "--key", &name("key"), "--certificate", &name("certificate")];
    let run = tagwise(&[&sign[..], &["-o", &name("other")]].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let run = tagwise(&[&sign[..], &["-o", &name("message"), "--backend", "openssl"]].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let run = tagwise(&["cms", "verify", &name("message"), "--backend", "openssl"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.out.contains("signature good, trust not checked: CN=Signer") && run.out.contains("Algorithm:   Ed448"),
        "{}",
        run.out
    );
    for (message, backend) in [("message", "aws-lc"), ("other", "aws-lc"), ("other", "openssl")] {
        let run = tagwise(&["cms", "verify", &name(message), "--backend", backend]);
        assert_eq!(run.code, Some(0), "{message} {backend}: {}", run.out);
    }
}

/// The public key of a file is shown for certificates, requests and keys that no backend uses.
#[test]
fn public_keys_of_other_files_are_shown() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let show = |name: &str| -> serde_json::Value {
        let run = tagwise(&["key", "show", "--json", &text(folder, name)]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.err);
        let shown: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(shown["keys"].as_array().unwrap().len(), 1, "{name}");
        shown["keys"][0].clone()
    };
    let restricted = ["rsa_pss_keygen_md:sha256", "rsa_pss_keygen_mgf1_md:sha384", "rsa_pss_keygen_saltlen:32"]
        .map(|o| ["-pkeyopt", o]);
    let pss = [&["-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"][..], restricted.as_flattened()].concat();
    for (name, algorithm, kind, bits) in [
        ("ec", &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"][..], "ecdsa-p384", 384),
        ("pss", &pss, "RSASSA-PSS 2048", 2048),
        ("open", &["-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"], "RSASSA-PSS 2048", 2048),
        ("other", &["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:brainpoolP256r1"], "ecdsa-brainpoolp256r1", 256),
        ("small", &["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:512"], "rsa512", 512),
    ] {
        let file = |ending: &str| format!("{name}.{ending}");
        openssl(folder, &[&["genpkey", "-out", &file("key")][..], algorithm].concat());
        openssl(folder, &["pkey", "-in", &file("key"), "-pubout", "-out", &file("pub")]);
        // A key that takes no SHA-256 cannot sign here.
        let mut files = vec![file("pub")];
        if name != "small" {
            openssl(folder, &["req", "-new", "-key", &file("key"), "-subj", "/CN=x", "-out", &file("csr")]);
            openssl(
                folder,
                &["req", "-x509", "-key", &file("key"), "-subj", "/CN=x", "-outform", "DER", "-out", &file("crt")],
            );
            files.extend([file("csr"), file("crt")]);
        }
        let public = show(&file("pub"));
        assert_eq!((&public["type"], &public["bits"]), (&kind.into(), &bits.into()), "{name}");
        for other in files {
            let shown = show(&other);
            assert_eq!(shown["public_key_sha256"], public["public_key_sha256"], "{other}");
            assert_eq!((&shown["type"], &shown["private"]), (&kind.into(), &false.into()), "{other}");
        }
    }
    // The private half of a key bound to RSASSA-PSS, with its parameters, which its signatures have.
    let (private, public) = (show("pss.key"), show("pss.pub"));
    assert_eq!((&private["private"], &private["public_key_sha256"]), (&true.into(), &public["public_key_sha256"]));
    for shown in [&private, &public] {
        assert_eq!(shown["pss"], serde_json::json!({"digest": "SHA-256", "mask": "SHA-384", "least_salt": 32}));
    }
    assert!(show("open.pub")["pss"].is_null());
    let (key, message, signature) = (text(folder, "pss.key"), text(folder, "pss.pub"), text(folder, "pss.sig"));
    let run = tagwise(&["key", "sign", "--key", &key, &message, "-o", &signature]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let verified = |more: &[&str]| {
        let args = ["key", "verify", "--key", &message, "--signature", &signature, &message];
        tagwise(&[&args[..], more].concat())
    };
    let run = verified(&[]);
    assert_eq!((run.code, run.out.contains("good, RSASSA-PSS (SHA-256, MGF1 SHA-384, salt 32)")), (Some(0), true));
    assert_eq!(verified(&["--salt-length", "40"]).code, Some(1));
    let options =
        ["-sigopt", "rsa_mgf1_md:sha384", "-sigopt", "rsa_pss_saltlen:32", "-signature", "pss.sig", "pss.pub"];
    openssl(folder, &[&["dgst", "-sha256", "-verify", "pss.pub"][..], &options].concat());
    for wrong in [&["--scheme", "RSA-SHA256"][..], &["--salt-length", "31"]] {
        let run = tagwise(&[&["key", "sign", "--key", &key, &message][..], wrong].concat());
        assert_eq!(run.code, Some(1));
        assert!(run.err.contains("restricted to RSASSA-PSS with its parameters (RFC 4055 §1.2, §3.3)"), "{}", run.err);
        let run = verified(wrong);
        assert_eq!(run.code, Some(1));
        assert!(run.err.contains("restricted to RSASSA-PSS (RFC 4055 §3.3)"), "{}", run.err);
    }
    // The key of a certificate verifies, and is no private key.
    let run = tagwise(&[
        "key",
        "sign",
        "--key",
        &text(folder, "ec.key"),
        &text(folder, "pss.pub"),
        "-o",
        &text(folder, "sig"),
    ]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let verify = [
        "key",
        "verify",
        "--key",
        &text(folder, "ec.crt"),
        "--signature",
        &text(folder, "sig"),
        &text(folder, "pss.pub"),
    ];
    assert_eq!(tagwise(&verify).code, Some(0));
    let run = tagwise(&["key", "sign", "--key", &text(folder, "ec.crt"), &text(folder, "pss.pub")]);
    assert!(run.err.contains("expected a private key, found a public key"), "{}", run.err);
}

/// PBES2 with RC2, which OpenSSL writes with its legacy provider: for keys, and in PKCS #12.
#[test]
fn rc2_under_pbes2_is_read() {
    if !has_openssl() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("pw"), "correct horse\n").unwrap();
    openssl(folder, &["genpkey", "-algorithm", "ed25519", "-out", "key"]);
    openssl(folder, &["req", "-x509", "-key", "key", "-subj", "/CN=x", "-out", "crt"]);
    let legacy = ["-provider", "legacy", "-provider", "default"];
    let (works, said) = common::openssl::openssl_try(folder, &[&["list", "-providers"][..], &legacy].concat());
    if !works {
        println!("skipped: no legacy provider: {said}");
        return;
    }
    for cipher in ["rc2", "rc2-64", "rc2-40"] {
        let to = ["pkcs8", "-topk8", "-in", "key", "-v2", cipher, "-passout", "pass:correct horse", "-out", "enc"];
        openssl(folder, &[&to[..], &legacy].concat());
        let run = tagwise(&[
            "key",
            "convert",
            "--to",
            "pkcs8",
            "--no-passphrase",
            "--passphrase-file",
            &text(folder, "pw"),
            &text(folder, "enc"),
        ]);
        assert_eq!(run.code, Some(0), "{cipher}: {}", run.err);
        assert_eq!(run.out, fs::read_to_string(folder.join("key")).unwrap(), "{cipher}");
        let cipher = format!("{cipher}-cbc").replace("-cbc-cbc", "-cbc");
        let to = ["pkcs12", "-export", "-in", "crt", "-inkey", "key", "-passout", "pass:correct horse", "-out", "p12"];
        openssl(folder, &[&to[..], &["-keypbe", &cipher, "-certpbe", &cipher], &legacy].concat());
        let run = tagwise(&["p12", "show", "--passphrase-file", &text(folder, "pw"), &text(folder, "p12")]);
        assert_eq!(run.code, Some(0), "{cipher}: {}", run.err);
        assert!(run.out.contains("2 items"), "{}", run.out);
    }
}

/// With several files, an error names the file it is about.
#[test]
fn errors_name_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (good, bad, other) = (text(folder, "good"), text(folder, "bad"), text(folder, "other"));
    assert_eq!(tagwise(&["key", "new", "rsa2048", "--no-passphrase", "-o", &good]).code, Some(0));
    let pem = fs::read(&good).unwrap();
    let mut der = tagwise_codec::pem::blocks(&pem).next().unwrap().unwrap().decode().unwrap();
    // In the last number, the coefficient: the numbers do not belong together.
    *der.last_mut().unwrap() ^= 1;
    fs::write(&bad, der).unwrap();
    fs::write(&other, "-----BEGIN DSA PRIVATE KEY-----\nMAA=\n-----END DSA PRIVATE KEY-----\n").unwrap();
    let run = tagwise(&["key", "show", &bad, &good, &other]);
    assert_eq!(run.code, Some(1));
    let lines: Vec<&str> = run.err.lines().collect();
    assert!(lines[0].starts_with(&format!("tagwise: {bad}: rsa2048 key is ")), "{}", run.err);
    assert_eq!(
        lines[1],
        format!("tagwise: {other}: DSA PRIVATE KEY, line 1: DSA key is malformed: expected six numbers")
    );
    assert!(run.out.contains("rsa2048"), "{}", run.out);
}
