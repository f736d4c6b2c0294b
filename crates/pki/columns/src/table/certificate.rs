//! Columns of certificates.

use tagwise_pkix::ext::{Sct, SctList};
use tagwise_pkix::oids;

use super::common::*;
use crate::column::{Column, Get, Word};
use crate::row::Value;

const SCT: &[Column] = &[
    Column {
        name: "log_id",
        about: "log ID: SHA-256 of the log's public key",
        get: Get::Bytes(|row| {
            let Value::Sct(sct) = &row.value else { return Ok(None) };
            Ok(Some(sct.log_id.as_slice()))
        }),
    },
    Column {
        name: "timestamp",
        about: "time of the timestamp; null if it is out of range",
        get: Get::Time(|row| {
            let Value::Sct(sct) = &row.value else { return Ok(None) };
            Ok(i64::try_from(sct.timestamp).ok().and_then(|millis| millis.checked_mul(1000)))
        }),
    },
    Column {
        name: "algorithm",
        about: "signature algorithm, such as `ECDSA-SHA256`",
        get: Get::Word(|row| {
            let Value::Sct(sct) = &row.value else { return Ok(None) };
            Ok(sct.algorithm_name().map(Word::Known))
        }),
    },
];

pub(crate) static CERTIFICATE: &[Column] = &[
    Column {
        name: "version",
        about: "version, from 1 to 3",
        get: Get::Int32(|row| {
            let Value::Certificate(certificate) = &row.value else { return Ok(None) };
            Ok(Some(i32::from(certificate.version().0) + 1))
        }),
    },
    Column {
        name: "serial",
        about: "serial number in hexadecimal",
        get: Get::Text(|row, out| {
            let Value::Certificate(certificate) = &row.value else { return Ok(None) };
            out.push_str(&certificate.serial_number().hex().to_string());
            Ok(Some(()))
        }),
    },
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
    KEY_BITS,
    KEY_CURVE,
    SPKI,
    SPKI_SHA256,
    SIGNATURE_ALGORITHM,
    SAN_DNS,
    SAN_IP,
    SAN_EMAIL,
    SAN_URI,
    SAN_OTHER,
    KEY_USAGE,
    EXTENDED_KEY_USAGE,
    POLICIES,
    Column {
        name: "is_ca",
        about: "whether it is a CA certificate; of versions 1 and 2, self-issued ones count (RFC 5280 §4.2.1.9)",
        get: Get::Bool(|row| {
            let Value::Certificate(certificate) = &row.value else { return Ok(None) };
            certificate.is_authority().map(Some)
        }),
    },
    PATH_LENGTH,
    Column {
        name: "is_self_issued",
        about: "whether subject and issuer match (RFC 5280 §7.1)",
        get: Get::Bool(|row| {
            let Value::Certificate(certificate) = &row.value else { return Ok(None) };
            Ok(Some(certificate.is_self_issued()))
        }),
    },
    SKI,
    AKI,
    OCSP_URLS,
    ISSUER_URLS,
    CRL_URLS,
    Column {
        name: "scts",
        about: "signed certificate timestamps of version 1 (RFC 6962); null if the extension is absent",
        get: Get::Rows(SCT, |row, each| {
            let Some(list) = row.extension::<SctList<'_>>()? else { return Ok(None) };
            for sct in list.iter() {
                if let Sct::V1(sct) = sct {
                    each(&row.part(Value::Sct(sct)))?;
                }
            }
            Ok(Some(()))
        }),
    },
    Column {
        name: "is_precertificate",
        about: "whether it contains the poison extension (RFC 6962 §3.1)",
        get: Get::Bool(|row| {
            let list = row.extensions()?;
            let poison = list.map_or(Ok(None), |list| list.find(oids::CT_POISON))?;
            Ok(Some(poison.is_some()))
        }),
    },
    EXTENSIONS,
    LINTS,
    SHA256,
    SHA1,
    SIZE,
    DER,
];
