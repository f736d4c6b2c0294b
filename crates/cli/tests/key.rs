//! `tagwise key`: keys made, shown and converted, as a user does it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::fs;
use std::path::Path;

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
        assert_eq!(shown["schema"], "tagwise.key/1");
        let (private, public) = (&shown["keys"][0], &shown["keys"][1]);
        assert_eq!((&private["private"], &public["private"]), (&true.into(), &false.into()));
        assert_eq!(private["type"], kind);
        assert_eq!(private["publicKeySha256"], public["publicKeySha256"]);
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
    assert!(run.err.contains("could not be written: it is there already"), "{}", run.err);
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
    assert!(run.err.contains("integrity check failed: another password or key, or damaged data"), "{}", run.err);
    let run = tagwise(&["key", "show", &key]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.contains("there is no terminal to ask on: say --passphrase-file or --passphrase-fd"),
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
        (shown["keys"][0]["publicKeySha256"].to_string(), shown["keys"][0]["form"].to_string())
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
    assert!(run.err.contains("there is no such form of ml-dsa-44 keys"), "{}", run.err);
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
    assert!(run.err.contains("there is no key in it"), "{}", run.err);
    let run = tagwise(&["key", "new", "ed448", "--no-passphrase"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), "tagwise: ed448 is not offered by aws-lc\n"));
    assert_eq!(tagwise(&["key", "new", "dsa", "--no-passphrase"]).code, Some(2));
    assert_eq!(tagwise(&["key", "show", &text(folder, "absent")]).code, Some(3));
}

/// Keys of every backend that is built in are read by every other, and what is not built in is refused with what there is.
#[test]
fn backends_are_chosen() {
    let run = tagwise(&["key", "new", "--list"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let head = run.out.lines().next().unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(head[0], "aws-lc");
    assert!(run.out.lines().any(|line| line.split_whitespace().take(2).eq(["ecdsa-p256", "makes"])), "{}", run.out);
    assert!(run.out.lines().any(|line| line.split_whitespace().take(2).eq(["ed448", "-"])), "{}", run.out);
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
        assert_eq!((run.code, run.err.as_str()), (Some(1), "tagwise: ed448 is not offered by aws-lc\n"));
    }
    let run = tagwise(&["key", "new", "ed25519", "--backend", "none"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.starts_with("tagwise: the backend none is not offered; there are: aws-lc"), "{}", run.err);
}
