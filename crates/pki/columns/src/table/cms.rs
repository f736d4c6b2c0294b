//! Columns of CMS messages.

use tagwise_pkix::CertificateSerialNumber;
use tagwise_pkix::cms::SignerIdentifier;

use super::common::*;
use crate::column::{Column, Get, Word};
use crate::row::Value;

const SIGNER: &[Column] = &[
    Column {
        name: "issuer",
        about: "issuer of the signer's certificate (RFC 4514), if the signer is identified by it",
        get: Get::Name(|row| {
            let Value::Signer(signer) = &row.value else { return Ok(None) };
            Ok(match signer.sid {
                SignerIdentifier::IssuerAndSerialNumber(pair) => Some(pair.issuer),
                _ => None,
            })
        }),
    },
    Column {
        name: "serial",
        about: "serial number of the signer's certificate, in hexadecimal",
        get: Get::Text(|row, out| {
            let Value::Signer(signer) = &row.value else { return Ok(None) };
            let SignerIdentifier::IssuerAndSerialNumber(pair) = signer.sid else { return Ok(None) };
            out.push_str(&CertificateSerialNumber::from(pair.serial_number).hex().to_string());
            Ok(Some(()))
        }),
    },
    Column {
        name: "subject_key_id",
        about: "key identifier of the signer, if the signer is identified by it",
        get: Get::Bytes(|row| {
            let Value::Signer(signer) = &row.value else { return Ok(None) };
            Ok(match signer.sid {
                SignerIdentifier::SubjectKeyIdentifier(identifier) => Some(identifier.as_bytes()),
                _ => None,
            })
        }),
    },
    Column {
        name: "digest_algorithm",
        about: "digest algorithm",
        get: Get::Word(|row| {
            let Value::Signer(signer) = &row.value else { return Ok(None) };
            Ok(Some(signer.digest_algorithm.algorithm.into()))
        }),
    },
    SIGNATURE_ALGORITHM,
    Column {
        name: "signing_time",
        about: "claimed time of the signature, if it is a signed attribute",
        get: Get::Time(|row| {
            let Value::Signer(signer) = &row.value else { return Ok(None) };
            moment(signer.signing_time()?)
        }),
    },
    Column {
        name: "message_digest",
        about: "digest of the content, if it is a signed attribute",
        get: Get::Bytes(|row| {
            let Value::Signer(signer) = &row.value else { return Ok(None) };
            signer.message_digest()
        }),
    },
];

pub(crate) static CMS: &[Column] = &[
    Column {
        name: "content_type",
        about: "type of the message, such as `signedData`",
        get: Get::Word(|row| {
            let Value::Cms(id, _) = &row.value else { return Ok(None) };
            Ok(Some(Word::from(*id)))
        }),
    },
    Column {
        name: "signed_content_type",
        about: "type of the signed content",
        get: Get::Word(|row| {
            let Value::Cms(_, Some(signed)) = &row.value else { return Ok(None) };
            Ok(Some(Word::from(signed.encap_content_info.e_content_type)))
        }),
    },
    Column {
        name: "is_detached",
        about: "whether the signed content is outside the message",
        get: Get::Bool(|row| {
            let Value::Cms(_, Some(signed)) = &row.value else { return Ok(None) };
            Ok(Some(signed.encap_content_info.e_content.is_none()))
        }),
    },
    Column {
        name: "certificate_count",
        about: "number of included certificates",
        get: Get::Int64(|row| {
            let Value::Cms(_, Some(signed)) = &row.value else { return Ok(None) };
            Ok(i64::try_from(signed.certificates.map_or(0, |list| list.iter().count())).ok())
        }),
    },
    Column {
        name: "signers",
        about: "signers; null if the message is not signed data",
        get: Get::Rows(SIGNER, |row, each| {
            let Value::Cms(_, Some(signed)) = &row.value else { return Ok(None) };
            for signer in signed.signer_infos.iter() {
                each(&row.part(Value::Signer(signer?)))?;
            }
            Ok(Some(()))
        }),
    },
    SHA256,
    SHA1,
    SIZE,
    DER,
];
