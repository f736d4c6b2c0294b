//! Columns of CRLs.

use tagwise_pkix::ext::{CertificateIssuer, GeneralName, InvalidityDate};

use super::common::*;
use crate::column::{Column, Get, Word};
use crate::row::{Row, Value};

fn number(row: &Row<'_>, out: &mut String, delta: bool) -> crate::row::Read<()> {
    let Value::Crl(list) = &row.value else { return Ok(None) };
    let list = &list.tbs_cert_list;
    let number = if delta { list.delta_base()?.map(|base| base.0) } else { list.number()? };
    let Some(number) = number else { return Ok(None) };
    out.push_str(&number.to_string());
    Ok(Some(()))
}

const ENTRY: &[Column] = &[
    Column {
        name: "serial",
        about: "serial number of the revoked certificate, in hexadecimal",
        get: Get::Text(|row, out| {
            let Value::Revocation(revocation) = &row.value else { return Ok(None) };
            out.push_str(&revocation.entry.user_certificate.hex().to_string());
            Ok(Some(()))
        }),
    },
    Column {
        name: "revoked_at",
        about: "time of the revocation",
        get: Get::Time(|row| {
            let Value::Revocation(revocation) = &row.value else { return Ok(None) };
            moment(Some(revocation.entry.revocation_date))
        }),
    },
    Column {
        name: "reason",
        about: "reason, such as `keyCompromise`; null if the entry gives none",
        get: Get::Word(|row| {
            let Value::Revocation(revocation) = &row.value else { return Ok(None) };
            Ok(revocation.reason()?.map(|reason| Word::Known(reason.name())))
        }),
    },
    Column {
        name: "invalid_since",
        about: "invalidity date: the time at which the key is suspected to be compromised",
        get: Get::Time(|row| Ok(row.extension::<InvalidityDate<'_>>()?.map(|date| micros(date.0.0.unix())))),
    },
    Column {
        name: "is_indirect",
        about: "whether another CA issued the certificate: one that this or an earlier entry names (RFC 5280 §5.3.3)",
        get: Get::Bool(|row| {
            let Value::Revocation(revocation) = &row.value else { return Ok(None) };
            Ok(Some(revocation.certificate_issuer.is_some()))
        }),
    },
    Column {
        name: "certificate_issuer",
        about: "issuer that this entry names for itself and the following entries; null if it names none",
        get: Get::Text(|row, out| {
            let Some(names) = row.extension::<CertificateIssuer<'_>>()? else { return Ok(None) };
            for (index, name) in names.0.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                match name? {
                    GeneralName::DirectoryName(name) => out.push_str(&name.rfc4514().to_string()),
                    other => out.push_str(&other.to_string()),
                }
            }
            Ok(Some(()))
        }),
    },
];

pub(crate) static CRL: &[Column] = &[
    Column {
        name: "version",
        about: "version: 1 or 2",
        get: Get::Int32(|row| {
            let Value::Crl(list) = &row.value else { return Ok(None) };
            Ok(Some(list.tbs_cert_list.version.map_or(1, |version| i32::from(version.0) + 1)))
        }),
    },
    ISSUER,
    ISSUER_CN,
    ISSUER_ATTRIBUTES,
    Column { name: "this_update", about: "time of issue", get: Get::Time(|row| moment(row.start())) },
    Column {
        name: "next_update",
        about: "time by which the next CRL will be issued",
        get: Get::Time(|row| moment(row.end())),
    },
    Column {
        name: "crl_number",
        about: "number of the CRL, in decimal",
        get: Get::Text(|row, out| number(row, out, false)),
    },
    Column {
        name: "delta_base",
        about: "number of the base CRL of a delta CRL, in decimal",
        get: Get::Text(|row, out| number(row, out, true)),
    },
    Column {
        name: "is_indirect",
        about: "whether the CRL may list certificates of other issuers (RFC 5280 §5.2.5)",
        get: Get::Bool(|row| {
            let Value::Crl(list) = &row.value else { return Ok(None) };
            list.tbs_cert_list.is_indirect().map(Some)
        }),
    },
    SIGNATURE_ALGORITHM,
    AKI,
    Column {
        name: "entry_count",
        about: "number of entries",
        get: Get::Int64(|row| {
            let Value::Crl(list) = &row.value else { return Ok(None) };
            let count = list.tbs_cert_list.revoked_certificates.map_or(0, |entries| entries.len());
            Ok(i64::try_from(count).ok())
        }),
    },
    Column {
        name: "entries",
        about: "revoked certificates",
        get: Get::Rows(ENTRY, |row, each| {
            let Value::Crl(list) = &row.value else { return Ok(None) };
            for revocation in list.tbs_cert_list.revocations() {
                each(&row.part(Value::Revocation(revocation?)))?;
            }
            Ok(Some(()))
        }),
    },
    EXTENSIONS,
    LINTS,
    SHA256,
    SHA1,
    SIZE,
    DER,
];
