//! OpenSSH's keys: read from and written for `ssh-keygen`, in each cipher and form.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use common::{BACKEND, half, one, public, run, unarmored};
use tagwise_codec::text::base64;
use tagwise_crypto::{Backend as _, ErrorKind, KeyType, PrivateKeyInfo};
use tagwise_keys::{Key, Limits, read, ssh};

const LABEL: &str = "OPENSSH PRIVATE KEY";
const TYPES: [(&str, &str, KeyType); 5] = [
    ("rsa", "2048", KeyType::Rsa(2048)),
    ("ecdsa", "256", KeyType::P256),
    ("ecdsa", "384", KeyType::P384),
    ("ecdsa", "521", KeyType::P521),
    ("ed25519", "256", KeyType::Ed25519),
];

fn ssh_keygen() -> bool {
    tagwise_testing::tool("ssh-keygen", &["-?"])
}

#[test]
fn keys_of_ssh_keygen_are_read() {
    if !ssh_keygen() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, bits, kind) in TYPES {
        for password in ["", "secret"] {
            let file = format!("{name}{bits}{password}");
            let args = ["-q", "-t", name, "-b", bits, "-N", password, "-C", "me@here", "-a", "4", "-f", &file];
            run(folder.path(), "ssh-keygen", &args);
            let text = fs::read(folder.path().join(&file)).unwrap();
            let found = one(&unarmored(&text, LABEL), &["wrong", password]).unwrap();
            let Key::Private(info) = &found.key else { panic!("{found:?}") };
            assert_eq!((info.key_type(), found.name.as_deref()), (kind, Some("me@here")));
            let line = fs::read(folder.path().join(format!("{file}.pub"))).unwrap();
            let outside = one(&line, &[]).unwrap();
            assert_eq!((public(&found), outside.name.as_deref()), (public(&outside), Some("me@here")));
            assert_eq!(ssh::write_line(&public(&found), "me@here").unwrap().into_bytes(), line);
            let ssh2 = run(folder.path(), "ssh-keygen", &["-e", "-m", "RFC4716", "-f", &file, "-P", password]);
            assert_eq!(public(&one(&ssh2, &[]).unwrap()), public(&found));
        }
    }
}

#[test]
fn each_cipher_is_read() {
    if !ssh_keygen() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for cipher in [
        "aes128-ctr",
        "aes192-ctr",
        "aes256-ctr",
        "aes128-cbc",
        "aes192-cbc",
        "aes256-cbc",
        "3des-cbc",
        "aes128-gcm@openssh.com",
        "aes256-gcm@openssh.com",
        "chacha20-poly1305@openssh.com",
    ] {
        let args = ["-q", "-t", "ed25519", "-N", "secret", "-a", "2", "-Z", cipher, "-f", cipher];
        run(folder.path(), "ssh-keygen", &args);
        let der = unarmored(&fs::read(folder.path().join(cipher)).unwrap(), LABEL);
        let found = one(&der, &["secret"]).unwrap();
        let outside = one(&fs::read(folder.path().join(format!("{cipher}.pub"))).unwrap(), &[]).unwrap();
        assert_eq!(public(&found), public(&outside), "{cipher}");
        assert_eq!(one(&der, &["another"]).unwrap_err().kind(), ErrorKind::Integrity, "{cipher}");
        assert_eq!(one(&der, &[]).unwrap_err().kind(), ErrorKind::PasswordNeeded, "{cipher}");
    }
}

#[test]
fn ssh_keygen_reads_what_is_written() {
    if !ssh_keygen() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, bits, kind) in TYPES {
        let key = BACKEND.generate(kind).unwrap();
        let info = PrivateKeyInfo::from_pkcs8(key.to_pkcs8().unwrap().expose()).unwrap();
        for password in [None, Some("secret")] {
            let file = format!("{name}{bits}{}", password.is_some());
            let path = folder.path().join(&file);
            let octets = password.map(str::as_bytes);
            let text = ssh::write_private(&BACKEND, &info, key.public_key_info(), "a\ncomment", octets).unwrap();
            fs::write(&path, text.expose()).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            let password = password.unwrap_or_default();
            let line = run(folder.path(), "ssh-keygen", &["-y", "-P", password, "-f", &file]);
            assert_eq!(public(&one(&line, &[]).unwrap()), key.public_key_info());
            let ssh2 = ssh::write_ssh2(key.public_key_info(), "a comment").unwrap();
            fs::write(folder.path().join("ssh2"), &ssh2).unwrap();
            let line = run(folder.path(), "ssh-keygen", &["-i", "-m", "RFC4716", "-f", "ssh2"]);
            assert_eq!(public(&one(&line, &[]).unwrap()), key.public_key_info());
        }
    }
}

/// Without any program: what is written is read.
#[test]
fn keys_come_back() {
    for kind in [KeyType::Rsa(2048), KeyType::P256, KeyType::P384, KeyType::P521, KeyType::Ed25519, KeyType::Ed448] {
        let key = BACKEND.generate(kind).unwrap();
        let info = PrivateKeyInfo::from_pkcs8(key.to_pkcs8().unwrap().expose()).unwrap();
        for password in [None, Some(&b"secret"[..])] {
            let text = ssh::write_private(&BACKEND, &info, key.public_key_info(), "name", password).unwrap();
            let found = one(&unarmored(text.expose(), LABEL), &["secret"]).unwrap();
            let form = if password.is_some() { "OpenSSH, encrypted" } else { "OpenSSH" };
            assert_eq!((found.form, found.name.as_deref()), (form, Some("name")));
            let Key::Private(again) = found.key else { panic!() };
            assert_eq!(half(&again), key.public_key_info(), "{kind}");
        }
        for text in [
            ssh::write_line(key.public_key_info(), "name").unwrap(),
            ssh::write_ssh2(key.public_key_info(), "name").unwrap(),
        ] {
            let found = one(text.as_bytes(), &[]).unwrap();
            assert_eq!((public(&found), found.name.as_deref()), (key.public_key_info().to_vec(), Some("name")));
        }
    }
    let key = BACKEND.generate(KeyType::X25519).unwrap();
    let error = ssh::write_line(key.public_key_info(), "").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}

/// The rounds are in the file: a million of them are refused before the first.
#[test]
fn work_is_limited() {
    let key = BACKEND.generate(KeyType::Ed25519).unwrap();
    let info = PrivateKeyInfo::from_pkcs8(key.to_pkcs8().unwrap().expose()).unwrap();
    let text = ssh::write_private(&BACKEND, &info, key.public_key_info(), "", Some(b"secret")).unwrap();
    let mut der = unarmored(text.expose(), LABEL);
    let at = der.windows(4).position(|window| window == 24_u32.to_be_bytes()).unwrap();
    // After the length of the options, which is the same number.
    let at = at + 1 + der[at + 1..].windows(4).position(|window| window == 24_u32.to_be_bytes()).unwrap();
    der[at..at + 4].copy_from_slice(&1_000_000_u32.to_be_bytes());
    let error = one(&der, &["secret"]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.to_string().contains("1000000 rounds, expected at most 1000"), "{error}");
}

#[test]
fn a_public_key_of_another_key_is_rejected() {
    let (key, other) = (BACKEND.generate(KeyType::P256).unwrap(), BACKEND.generate(KeyType::P256).unwrap());
    let info = PrivateKeyInfo::from_pkcs8(key.to_pkcs8().unwrap().expose()).unwrap();
    let text = ssh::write_private(&BACKEND, &info, key.public_key_info(), "", None).unwrap();
    let mut der = unarmored(text.expose(), LABEL);
    let (blob, swapped) =
        (ssh::write_blob(key.public_key_info()).unwrap(), ssh::write_blob(other.public_key_info()).unwrap());
    let at = der.windows(blob.len()).position(|window| window == blob).unwrap();
    der[at..at + blob.len()].copy_from_slice(&swapped);
    assert_eq!(one(&der, &[]).unwrap_err().kind(), ErrorKind::Inconsistent);
    // Every truncation is an error, and none a panic.
    for len in 0..der.len() {
        assert!(ssh::read_private(&BACKEND, &der[..len], &[], &Limits::DEFAULT).is_err());
    }
}

#[test]
fn lines_with_options_hosts_and_comments() {
    let key = BACKEND.generate(KeyType::Ed25519).unwrap();
    let line = ssh::write_line(key.public_key_info(), "").unwrap();
    let line = line.trim();
    let text = format!(
        "# authorized\n\n{line}\nfrom=\"10.0.0.1\",command=\"echo hi\" {line} a name with blanks\nhost.example,10.0.0.2 {line}\r\n"
    );
    let found = read(&BACKEND, text.as_bytes(), &[], &Limits::DEFAULT).unwrap();
    let names: Vec<_> = found.iter().map(|found| found.name.as_deref()).collect();
    assert_eq!(names, [None, Some("a name with blanks"), None]);
    assert!(found.iter().all(|found| public(found) == key.public_key_info()));
    let limits = Limits { keys: 2, ..Limits::DEFAULT };
    assert_eq!(read(&BACKEND, text.as_bytes(), &[], &limits).unwrap_err().kind(), ErrorKind::Limit);
    for (line, kind) in [
        ("ssh-ed25519 AAAA!\n", ErrorKind::MalformedKey),
        (&format!("{line}\nrubbish\n")[..], ErrorKind::MalformedKey),
        (&format!("ssh-dss {}", base64::encode(b"\0\0\0\x07ssh-dss\0\0\0\0")), ErrorKind::MalformedKey),
    ] {
        let error = read(&BACKEND, line.as_bytes(), &[], &Limits::DEFAULT).unwrap_err();
        assert_eq!(error.kind(), kind, "{line}: {error}");
    }
}

/// Certificates of `ssh-keygen -s`, by each type of CA.
#[test]
fn certificates_are_read_and_verified() {
    if !ssh_keygen() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (name, bits, kind) in TYPES {
        let (ca, user) = (format!("ca-{name}{bits}"), format!("user-{name}{bits}"));
        for file in [&ca, &user] {
            run(folder, "ssh-keygen", &["-q", "-t", name, "-b", bits, "-N", "", "-C", "me", "-f", file]);
        }
        let public_file = format!("{user}.pub");
        let sign = ["-q", "-s", &ca, "-I", "the id", "-n", "eva,ben", "-V", "20260101:20360101", "-z", "42", "-O"];
        run(folder, "ssh-keygen", &[&sign[..], &["force-command=ls", &public_file]].concat());
        let line = fs::read(folder.join(format!("{user}-cert.pub"))).unwrap();
        let found = one(&line, &[]).unwrap();
        let certificate = found.ssh_certificate.as_deref().unwrap();
        assert_eq!(public(&found), public(&one(&fs::read(folder.join(&public_file)).unwrap(), &[]).unwrap()));
        assert_eq!((certificate.serial, certificate.kind, &*certificate.key_id), (42, 1, "the id"));
        assert_eq!(certificate.principals, ["eva", "ben"]);
        assert_eq!(certificate.critical_options, [("force-command".to_owned(), "ls".to_owned())]);
        assert!(certificate.extensions.iter().any(|(name, value)| name == "permit-pty" && value.is_empty()));
        assert!(certificate.is_valid_at(1_800_000_000) && !certificate.is_valid_at(1_600_000_000));
        let authority = one(&fs::read(folder.join(format!("{ca}.pub"))).unwrap(), &[]).unwrap();
        assert_eq!(certificate.authority, public(&authority), "{kind}");
        certificate.verify(&BACKEND).unwrap();
        // Any signed byte counts: here, one of the key identifier.
        let text = String::from_utf8(line).unwrap();
        let mut blob = base64::decode(text.split(' ').nth(1).unwrap().as_bytes()).unwrap();
        let at = blob.windows(6).position(|window| window == b"the id").unwrap();
        blob[at] = b'T';
        let (_, changed) = ssh::read_certificate(&blob).unwrap();
        assert_eq!(changed.verify(&BACKEND).unwrap_err().kind(), ErrorKind::Signature);
        for len in 0..blob.len() {
            assert!(ssh::read_certificate(&blob[..len]).is_err(), "{len}");
        }
    }
    // For hosts, without an end.
    let sign = ["-q", "-s", "ca-ed25519256", "-h", "-I", "host", "-n", "a.example.org", "user-rsa2048.pub"];
    run(folder, "ssh-keygen", &sign);
    let found = one(&fs::read(folder.join("user-rsa2048-cert.pub")).unwrap(), &[]).unwrap();
    let certificate = found.ssh_certificate.unwrap();
    assert_eq!((certificate.kind, certificate.valid_before), (2, u64::MAX));
}
