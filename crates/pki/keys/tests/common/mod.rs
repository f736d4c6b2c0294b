//! What the tests share.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::process::{Command, Stdio};

use tagwise_codec::pem;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend as _, Error, PrivateKeyInfo, Secret};
use tagwise_keys::{Found, Key, Limits, read};

pub(crate) const BACKEND: AwsLc = AwsLc::new();

/// Runs a program in a folder.
pub(crate) fn run(folder: &Path, program: &str, args: &[&str]) -> Vec<u8> {
    let output = Command::new(program).current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap();
    assert!(
        output.status.success(),
        "{program} {args:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

pub(crate) fn passwords(texts: &[&str]) -> Vec<Secret> {
    texts.iter().map(|text| Secret::from(text.as_bytes())).collect()
}

/// The only key of a file.
pub(crate) fn one(octets: &[u8], texts: &[&str]) -> Result<Found, Error> {
    let mut found = read(&BACKEND, octets, &passwords(texts), &Limits::DEFAULT)?;
    assert_eq!(found.len(), 1);
    Ok(found.remove(0))
}

/// The public half of a key that was read. A private key is checked.
pub(crate) fn public(found: &Found) -> Vec<u8> {
    match &found.key {
        Key::Public(info) => info.clone(),
        Key::Private(info) => half(info),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn half(info: &PrivateKeyInfo) -> Vec<u8> {
    BACKEND.private_key(info).unwrap().public_key_info().to_vec()
}

/// The public key of a private key file, by openssl.
pub(crate) fn public_by_openssl(folder: &Path, file: &str) -> Vec<u8> {
    let text = run(folder, "openssl", &["pkey", "-in", file, "-pubout"]);
    pem::first(&["PUBLIC KEY"], &text).unwrap()
}

pub(crate) fn unarmored(text: &[u8], label: &str) -> Vec<u8> {
    pem::first(&[label], text).unwrap()
}
