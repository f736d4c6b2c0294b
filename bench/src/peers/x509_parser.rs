//! `x509-parser`: borrowed certificates over nom.

use crate::parsed::{Extensions, Facts, Parsed, facts};
use crate::peer::{AllFields, Fields, Input, Peer, Task, decode_each, decode_repeat};
use crate::rows::Op;
use ::x509_parser::asn1_rs::{Any, FromDer, Header, Oid};
use ::x509_parser::certificate::{X509Certificate, X509CertificateParser};
use ::x509_parser::der_parser::parse_der;
use ::x509_parser::nom::Parser;
use std::borrow::Cow;
use std::hint::black_box;

/// The adapter.
pub(super) struct X509Parser;

const SHALLOW: &str = "Full parse with deep extension parsing off. Checks names to attribute values, times, each \
    extension's frame. Leaves: extension values, key, padded serial numbers. Names and extensions into Vecs";

const DEEP: &str = "Full parse, extension values too (its default). Leaves: key, padded serial numbers, string \
    alphabets. Names and extensions into Vecs";

impl Peer for X509Parser {
    fn name(&self) -> &'static str {
        "x509-parser"
    }

    fn crates(&self) -> &'static [&'static str] {
        &["x509-parser"]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        match op {
            Op::Outline => vec![decode_each(SHALLOW, input, parse)],
            Op::Strict => vec![decode_each(DEEP, input, |der| whole(X509Certificate::from_der(der)))],
            Op::Index => vec![index(input)],
            Op::Fields => vec![decode_each(
                "Full parse, extensions shallow; names by `Display` (encoded order, no escaping), algorithms as OIDs, \
                 times to seconds",
                input,
                |der| parse(der).map(|certificate| fields(&certificate)),
            )],
            Op::AllFields => vec![decode_each(
                "The same with OIDs by `to_id_string`, and a look at each extension",
                input,
                all_fields,
            )],
            Op::WalkLazy => vec![decode_each("`Any`: header and bounds", input, |der| {
                whole(Any::from_der(der))
            })],
            Op::WalkEager => vec![decode_each(
                "`parse_der`: a tree of `BerObject` in Vecs, leaf types recognised",
                input,
                |der| whole(parse_der(der)),
            )],
            Op::Header => decode_repeat("`asn1_rs::Header`", input, |der| {
                Header::from_der(der).ok().map(|(_, header)| header)
            }),
            Op::ThreadsStrict(count) => {
                crate::parsed::threads(count, DEEP, input, |der| whole(X509Certificate::from_der(der)))
            }
            // It does not encode; its small values are `asn1-rs`'s.
            op => super::derived::<X509Certificate<'a>>(op, input, SHALLOW),
        }
    }

    fn all_fields(&self, der: &[u8]) -> Option<AllFields> {
        all_fields(der)
    }

    fn facts(&self, der: &[u8]) -> Option<Facts> {
        facts::<Deep<'_>>(der)
    }

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("certificate", size_of::<X509Certificate<'_>>()),
            ("error", size_of::<::x509_parser::error::X509Error>()),
        ]
    }
}

/// The default parse, which knows extension values.
struct Deep<'a>(X509Certificate<'a>);

impl<'a> Parsed<'a> for Deep<'a> {
    const ACCESS: &'static str = <X509Certificate<'a> as Parsed<'a>>::ACCESS;

    fn parse(der: &'a [u8]) -> Option<Self> {
        whole(X509Certificate::from_der(der)).map(Self)
    }

    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        Parsed::serial(&self.0)
    }

    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        Parsed::issuer(&self.0)
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        Parsed::subject(&self.0)
    }

    fn not_before(&self) -> Option<i64> {
        Parsed::not_before(&self.0)
    }

    fn not_after(&self) -> Option<i64> {
        Parsed::not_after(&self.0)
    }

    fn algorithm(&self) -> Option<String> {
        Parsed::algorithm(&self.0)
    }

    fn key_algorithm(&self) -> Option<String> {
        Parsed::key_algorithm(&self.0)
    }

    fn key(&self) -> Option<Cow<'_, [u8]>> {
        Parsed::key(&self.0)
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        Parsed::signature(&self.0)
    }

    fn extensions(&self) -> Option<Extensions> {
        Parsed::extensions(&self.0)
    }

    fn ca(&self) -> Option<Option<bool>> {
        let found = self.0.basic_constraints().ok()?;
        Some(found.map(|extension| extension.value.ca))
    }
}

impl<'a> Parsed<'a> for X509Certificate<'a> {
    const ACCESS: &'static str =
        "Full parse, extensions shallow, and its fields; names as text by `Display`, OIDs by `to_id_string`";

    fn parse(der: &'a [u8]) -> Option<Self> {
        parse(der)
    }

    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs_certificate.raw_serial().into())
    }

    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs_certificate.issuer.as_raw().into())
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs_certificate.subject.as_raw().into())
    }

    fn issuer_text(&self) -> Option<String> {
        Some(self.tbs_certificate.issuer.to_string())
    }

    fn subject_text(&self) -> Option<String> {
        Some(self.tbs_certificate.subject.to_string())
    }

    fn not_before(&self) -> Option<i64> {
        Some(self.tbs_certificate.validity.not_before.timestamp())
    }

    fn not_after(&self) -> Option<i64> {
        Some(self.tbs_certificate.validity.not_after.timestamp())
    }

    fn algorithm(&self) -> Option<String> {
        Some(self.signature_algorithm.algorithm.to_id_string())
    }

    fn key_algorithm(&self) -> Option<String> {
        Some(self.tbs_certificate.subject_pki.algorithm.algorithm.to_id_string())
    }

    fn key(&self) -> Option<Cow<'_, [u8]>> {
        Some((&*self.tbs_certificate.subject_pki.subject_public_key.data).into())
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        Some((&*self.signature_value.data).into())
    }

    fn extensions(&self) -> Option<Extensions> {
        let mut found = Extensions::default();
        for extension in self.tbs_certificate.extensions() {
            found.add(extension.critical, extension.value.len());
        }
        Some(found)
    }
}

/// The value of a nom result that left nothing over.
fn whole<T, E>(result: Result<(&[u8], T), E>) -> Option<T> {
    match result {
        Ok(([], value)) => Some(value),
        _ => None,
    }
}

fn parse(der: &[u8]) -> Option<X509Certificate<'_>> {
    whole(
        X509CertificateParser::new()
            .with_deep_parse_extensions(false)
            .parse(der),
    )
}

struct Entry<'a> {
    _serial: &'a [u8],
    _issuer: &'a [u8],
    _subject: &'a [u8],
    _key: &'a [u8],
    _validity: (i64, i64),
}

fn index(input: &Input) -> Task<'_> {
    let mut entries = Vec::with_capacity(input.items.len());
    let says = "Full parse, extensions shallow; four borrowed slices, validity as seconds";
    Task::new(says, input.items.len(), move || {
        entries.clear();
        for der in &input.items {
            let Some(certificate) = parse(black_box(der)) else {
                continue;
            };
            let tbs = &certificate.tbs_certificate;
            entries.push(Entry {
                _serial: tbs.raw_serial(),
                _issuer: tbs.issuer.as_raw(),
                _subject: tbs.subject.as_raw(),
                _key: tbs.subject_pki.raw,
                _validity: (tbs.validity.not_before.timestamp(), tbs.validity.not_after.timestamp()),
            });
        }
        black_box(&entries);
        entries.len() as u64
    })
}

fn fields<'a>(certificate: &X509Certificate<'a>) -> Fields<Oid<'a>> {
    let signature = certificate.signature_algorithm.algorithm.clone();
    read(
        certificate,
        signature,
        certificate.subject_pki.algorithm.algorithm.clone(),
    )
}

fn all_fields(der: &[u8]) -> Option<AllFields> {
    let certificate = parse(der)?;
    let signature = certificate.signature_algorithm.algorithm.to_id_string();
    let key = certificate.subject_pki.algorithm.algorithm.to_id_string();
    let extensions = certificate.tbs_certificate.extensions();
    Some(AllFields {
        fields: read(&certificate, signature, key),
        extensions: extensions.len(),
        critical: extensions.iter().filter(|extension| extension.critical).count(),
        value_octets: extensions.iter().map(|extension| extension.value.len()).sum(),
    })
}

fn read<A>(certificate: &X509Certificate<'_>, algorithm: A, key_algorithm: A) -> Fields<A> {
    let tbs = &certificate.tbs_certificate;
    Fields {
        serial: tbs.raw_serial().len(),
        not_before: tbs.validity.not_before.timestamp(),
        not_after: tbs.validity.not_after.timestamp(),
        issuer: tbs.issuer.to_string(),
        subject: tbs.subject.to_string(),
        algorithm,
        key_algorithm,
        key: tbs.subject_pki.subject_public_key.data.len(),
        signature: certificate.signature_value.data.len(),
    }
}
