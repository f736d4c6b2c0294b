//! PKCS #12 files, opened with a password.

use serde::Serialize;
use tagwise_codec::text::hex;
use tagwise_crypto::PrivateKeyInfo;
use tagwise_crypto::pkcs12::{Password, is_password, open as decrypt};
use tagwise_pkix::pkcs12::{CostLimits, Integrity};
use tagwise_pkix::{BundleItem, BundleKind};

use crate::Response;
use crate::backend::BACKEND;
use crate::error::Failure;
use crate::read::item;
use crate::request::{Request, json};

#[derive(Serialize)]
struct Document {
    integrity: &'static str,
    items: Vec<Bag>,
    /// The parts that the password does not decrypt, or that are malformed.
    unreadable: Vec<String>,
}

/// An item without its secret.
#[derive(Serialize)]
struct Bag {
    kind: &'static str,
    friendly_name: Option<String>,
    local_key_id: Option<String>,
    /// The type of a private key.
    key_type: Option<String>,
    size: usize,
    /// The encoding of a certificate or a CRL, in hexadecimal.
    der: Option<String>,
}

fn bag(item: &BundleItem<'_>) -> Bag {
    let kind = match item.kind {
        BundleKind::Certificate => "certificate",
        BundleKind::CertificateList => "crl",
        BundleKind::PrivateKey => "private-key",
        BundleKind::Secret => "secret",
        BundleKind::EncryptedPrivateKey => "encrypted-private-key",
        BundleKind::Encrypted => "encrypted",
        _ => "other",
    };
    let is_key = item.kind == BundleKind::PrivateKey;
    let key = is_key.then(|| PrivateKeyInfo::from_pkcs8(item.octets).ok()).flatten();
    let is_public = matches!(item.kind, BundleKind::Certificate | BundleKind::CertificateList);
    Bag {
        kind,
        friendly_name: item.friendly_name(),
        local_key_id: item.local_key_id().map(hex::encode),
        key_type: key.map(|info| info.key_type().to_string()),
        size: item.octets.len(),
        der: is_public.then(|| hex::encode(item.octets)),
    }
}

/// Opens a PKCS #12 file, and returns its certificates and CRLs, and descriptions of its keys. The second argument is the password, which
/// may be missing.
pub(crate) fn open(request: &Request<'_>) -> Result<Response, Failure> {
    let file = item(request, 0, request.options.item)?;
    let password = match request.blob(1) {
        Ok(text) => Password::from_utf8(text).map_err(Failure::usage)?,
        Err(_) => Password::absent(),
    };
    let opened = decrypt(&BACKEND, &file.der, &password, CostLimits::DEFAULT);
    let opened = opened.map_err(|error| match is_password(&error) {
        true => Failure::password(error),
        false => Failure::input(error),
    })?;
    json(&Document {
        integrity: match opened.integrity() {
            Integrity::Verified => "verified",
            Integrity::Absent => "no MAC",
            Integrity::Signed => "signed, not verified",
        },
        items: opened.items().map(|item| bag(&item)).collect(),
        unreadable: opened.unreadable().iter().map(ToString::to_string).collect(),
    })
}
