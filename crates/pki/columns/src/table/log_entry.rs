//! Columns of entries of Merkle Tree Certificate logs. An entry has neither a serial number nor a signature, and only the hash of
//! the public key.

use super::common::*;
use crate::column::{Column, Get};
use crate::row::Value;

pub(crate) static LOG_ENTRY: &[Column] = &[
    SUBJECT,
    SUBJECT_CN,
    SUBJECT_ATTRIBUTES,
    SUBJECT_DER,
    ISSUER,
    ISSUER_CN,
    ISSUER_ATTRIBUTES,
    ISSUER_DER,
    NOT_BEFORE,
    NOT_AFTER,
    KEY_TYPE,
    KEY_CURVE,
    Column {
        name: "spki_sha256",
        about: "SHA-256 of the SubjectPublicKeyInfo, which the entry contains instead of the key",
        get: Get::Bytes(|row| {
            let Value::LogEntry(entry) = &row.value else { return Ok(None) };
            Ok(Some(entry.subject_public_key_info_hash.as_bytes()))
        }),
    },
    SAN_DNS,
    SAN_IP,
    SAN_EMAIL,
    SAN_URI,
    SAN_OTHER,
    KEY_USAGE,
    EXTENDED_KEY_USAGE,
    POLICIES,
    PATH_LENGTH,
    SKI,
    AKI,
    OCSP_URLS,
    ISSUER_URLS,
    CRL_URLS,
    EXTENSIONS,
    SHA256,
    SHA1,
    SIZE,
    DER,
];
