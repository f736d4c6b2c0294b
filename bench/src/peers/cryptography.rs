//! `cryptography-x509`, the crate inside PyCA's cryptography, from its source package.

use super::unix;
use crate::parsed::{Extensions, Facts, Parsed, facts};
use crate::peer::{AllFields, Input, Peer, Task, decode_each, encode_each};
use crate::rows::Op;
use ::asn1::{parse_single, write_single};
use ::cryptography_x509::certificate::Certificate;
use ::cryptography_x509::common::{AttributeValue, Time};
use ::cryptography_x509::extensions::BasicConstraints;
use ::cryptography_x509::name::NameReadable;
use ::cryptography_x509::oid::BASIC_CONSTRAINTS_OID;
use std::borrow::Cow;
use std::fmt::Write as _;

/// The adapter.
pub(super) struct Cryptography;

const PARSE: &str = "`asn1::parse_single::<Certificate>`. Checks names to the alphabets of their strings, times, algorithms and \
    their parameters where it knows them, each extension's frame. Leaves: extension values, key";

impl Peer for Cryptography {
    fn name(&self) -> &'static str {
        "cryptography"
    }

    fn crates(&self) -> &'static [&'static str] {
        &[]
    }

    fn versions(&self) -> Vec<String> {
        vec![format!(
            "cryptography-x509 of cryptography {}",
            env!("TAGWISE_BENCH_CRYPTOGRAPHY")
        )]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        match op {
            Op::EncodeCert => vec![encode_each(
                "`asn1::write_single`; every field of names and extensions written",
                input,
                Certificate::parse,
                |cert, _| write_single(cert).ok(),
            )],
            Op::Recode => vec![decode_each("The parse, then `asn1::write_single`", input, |der| {
                write_single(&Certificate::parse(der)?).ok()
            })],
            op => super::common::<Certificate<'a>>(op, input, PARSE, Certificate::ACCESS),
        }
    }

    fn all_fields(&self, der: &[u8]) -> Option<AllFields> {
        crate::parsed::all_fields::<Certificate<'_>>(der)
    }

    fn facts(&self, der: &[u8]) -> Option<Facts> {
        facts::<Certificate<'_>>(der)
    }

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("certificate", size_of::<Certificate<'_>>()),
            ("error", size_of::<::asn1::ParseError>()),
        ]
    }
}

impl<'a> Parsed<'a> for Certificate<'a> {
    const ACCESS: &'static str = "The parse and its fields; names as DER by `write_single`, as text by a loop of the adapter's over RDNs (dotted \
        types, no escaping: the crate has no formatter), OIDs by `to_string`";

    fn parse(der: &'a [u8]) -> Option<Self> {
        parse_single(der).ok()
    }

    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs_cert.serial.as_bytes().into())
    }

    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        write_single(&self.tbs_cert.issuer).ok().map(Cow::Owned)
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        write_single(&self.tbs_cert.subject).ok().map(Cow::Owned)
    }

    fn issuer_text(&self) -> Option<String> {
        Some(text(self.issuer()))
    }

    fn subject_text(&self) -> Option<String> {
        Some(text(self.subject()))
    }

    fn not_before(&self) -> Option<i64> {
        Some(seconds(&self.tbs_cert.validity.not_before))
    }

    fn not_after(&self) -> Option<i64> {
        Some(seconds(&self.tbs_cert.validity.not_after))
    }

    fn algorithm(&self) -> Option<String> {
        Some(self.signature_alg.oid().to_string())
    }

    fn key_algorithm(&self) -> Option<String> {
        Some(self.tbs_cert.spki.algorithm.oid().to_string())
    }

    fn key(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs_cert.spki.subject_public_key.as_bytes().into())
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.signature.as_bytes().into())
    }

    fn extensions(&self) -> Option<Extensions> {
        let mut found = Extensions::default();
        for extension in self.extensions().ok()?.iter() {
            found.add(extension.critical, extension.extn_value.len());
        }
        Some(found)
    }

    fn ca(&self) -> Option<Option<bool>> {
        let Some(found) = self.extensions().ok()?.get_extension(&BASIC_CONSTRAINTS_OID) else {
            return Some(None);
        };
        Some(Some(found.value::<BasicConstraints>().ok()?.ca))
    }
}

fn text(name: &NameReadable<'_>) -> String {
    let mut out = String::new();
    for rdn in name.clone() {
        for attribute in rdn {
            if !out.is_empty() {
                out.push(',');
            }
            let _ = write!(out, "{}=", attribute.type_id);
            match &attribute.value {
                AttributeValue::PrintableString(value) => out.push_str(value.as_str()),
                AttributeValue::AnyString(value) => out.push_str(&String::from_utf8_lossy(value.data())),
                AttributeValue::BmpString(value) => {
                    let units: Vec<u16> = value
                        .as_utf16_be_bytes()
                        .chunks(2)
                        .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
                        .collect();
                    out.push_str(&String::from_utf16_lossy(&units));
                }
                AttributeValue::UniversalString(_) => out.push('?'),
            }
        }
    }
    out
}

fn seconds(time: &Time) -> i64 {
    let date = time.as_datetime();
    let seconds = i64::from(date.hour()) * 3600 + i64::from(date.minute()) * 60 + i64::from(date.second());
    unix(date.year().into(), date.month().into(), date.day().into(), seconds)
}
