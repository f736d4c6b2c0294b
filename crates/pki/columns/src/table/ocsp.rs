//! Columns of OCSP responses.

use tagwise_pkix::CertificateSerialNumber;
use tagwise_pkix::ocsp::{CertStatus, Nonce, OcspResponseStatus, ResponderId};

use super::common::*;
use crate::column::{Column, Get, Word};
use crate::row::{Row, Value};

fn revoked<'r, 'a>(row: &'r Row<'a>) -> Option<&'r tagwise_pkix::ocsp::RevokedInfo<'a>> {
    match &row.value {
        Value::Single(single) => match &single.cert_status {
            CertStatus::Revoked(info) => Some(info),
            _ => None,
        },
        _ => None,
    }
}

const SINGLE: &[Column] = &[
    Column {
        name: "serial",
        about: "serial number of the certificate, in hexadecimal",
        get: Get::Text(|row, out| {
            let Value::Single(single) = &row.value else { return Ok(None) };
            out.push_str(&CertificateSerialNumber(single.cert_id.serial_number).hex().to_string());
            Ok(Some(()))
        }),
    },
    Column {
        name: "status",
        about: "`good`, `revoked` or `unknown`",
        get: Get::Word(|row| {
            let Value::Single(single) = &row.value else { return Ok(None) };
            Ok(Some(Word::Known(match single.cert_status {
                CertStatus::Good => "good",
                CertStatus::Revoked(_) => "revoked",
                CertStatus::Unknown(_) => "unknown",
            })))
        }),
    },
    Column {
        name: "revoked_at",
        about: "time of the revocation",
        get: Get::Time(|row| Ok(revoked(row).map(|info| micros(info.revocation_time.unix())))),
    },
    Column {
        name: "reason",
        about: "reason of the revocation, if given",
        get: Get::Word(|row| {
            Ok(revoked(row).and_then(|info| info.revocation_reason).map(|reason| Word::Known(reason.name())))
        }),
    },
    Column {
        name: "this_update",
        about: "time at which the status was known to be correct",
        get: Get::Time(|row| {
            let Value::Single(single) = &row.value else { return Ok(None) };
            Ok(Some(micros(single.this_update.unix())))
        }),
    },
    Column {
        name: "next_update",
        about: "time by which newer information will be available",
        get: Get::Time(|row| {
            let Value::Single(single) = &row.value else { return Ok(None) };
            Ok(single.next_update.map(|time| micros(time.unix())))
        }),
    },
    Column {
        name: "hash_algorithm",
        about: "hash algorithm of the next two columns",
        get: Get::Word(|row| {
            let Value::Single(single) = &row.value else { return Ok(None) };
            Ok(Some(single.cert_id.hash_algorithm.algorithm.into()))
        }),
    },
    Column {
        name: "issuer_name_hash",
        about: "hash of the issuer's name",
        get: Get::Bytes(|row| {
            let Value::Single(single) = &row.value else { return Ok(None) };
            Ok(Some(single.cert_id.issuer_name_hash.as_bytes()))
        }),
    },
    Column {
        name: "issuer_key_hash",
        about: "hash of the issuer's key",
        get: Get::Bytes(|row| {
            let Value::Single(single) = &row.value else { return Ok(None) };
            Ok(Some(single.cert_id.issuer_key_hash.as_bytes()))
        }),
    },
];

pub(crate) static OCSP: &[Column] = &[
    Column {
        name: "response_status",
        about: "status of the response, such as `successful` or `tryLater`",
        get: Get::Word(|row| {
            let Value::Ocsp(status, _) = &row.value else { return Ok(None) };
            Ok(Some(Word::Known(match status {
                OcspResponseStatus::Successful => "successful",
                OcspResponseStatus::MalformedRequest => "malformedRequest",
                OcspResponseStatus::InternalError => "internalError",
                OcspResponseStatus::TryLater => "tryLater",
                OcspResponseStatus::SigRequired => "sigRequired",
                OcspResponseStatus::Unauthorized => "unauthorized",
            })))
        }),
    },
    Column {
        name: "produced_at",
        about: "time at which the response was signed",
        get: Get::Time(|row| {
            let Value::Ocsp(_, basic) = &row.value else { return Ok(None) };
            Ok(basic.as_ref().map(|basic| micros(basic.tbs_response_data.produced_at.unix())))
        }),
    },
    Column {
        name: "responder_name",
        about: "distinguished name of the responder (RFC 4514), if it identifies itself by name",
        get: Get::Name(|row| {
            let Value::Ocsp(_, Some(basic)) = &row.value else { return Ok(None) };
            Ok(match basic.tbs_response_data.responder_id {
                ResponderId::ByName(name) => Some(name),
                ResponderId::ByKey(_) => None,
            })
        }),
    },
    Column {
        name: "responder_key_hash",
        about: "SHA-1 of the responder's key, if it identifies itself by key",
        get: Get::Bytes(|row| {
            let Value::Ocsp(_, Some(basic)) = &row.value else { return Ok(None) };
            Ok(match basic.tbs_response_data.responder_id {
                ResponderId::ByKey(hash) => Some(hash.as_bytes()),
                ResponderId::ByName(_) => None,
            })
        }),
    },
    SIGNATURE_ALGORITHM,
    Column {
        name: "nonce",
        about: "nonce of the request",
        get: Get::Bytes(|row| Ok(row.extension::<Nonce<'_>>()?.map(|nonce| nonce.0.as_bytes()))),
    },
    Column {
        name: "responses",
        about: "statuses of certificates; null unless the response is a successful basic response",
        get: Get::Rows(SINGLE, |row, each| {
            let Value::Ocsp(_, Some(basic)) = &row.value else { return Ok(None) };
            for single in basic.tbs_response_data.responses.iter() {
                each(&row.part(Value::Single(single?)))?;
            }
            Ok(Some(()))
        }),
    },
    EXTENSIONS,
    SHA256,
    SHA1,
    SIZE,
    DER,
];
