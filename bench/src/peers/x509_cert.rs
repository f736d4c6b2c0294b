//! `x509-cert` of RustCrypto: owned certificates over `der`.

use crate::parsed::{Extensions, Facts, Parsed, facts};
use crate::peer::{AllFields, Fields, Input, Peer, Task, decode_each, encode_each};
use crate::rows::Op;
use ::x509_cert::Certificate;
use ::x509_cert::der::{Decode, Encode, oid::ObjectIdentifier};
use ::x509_cert::ext::pkix::BasicConstraints;
use std::borrow::Cow;

/// The adapter.
pub(super) struct X509Cert;

const PARSE: &str = "Full owned parse. Checks everything outside extension values and the key: names to attribute \
    values, times, each extension, serial to 21 octets. Leaves: extension values, key, attribute value alphabets. Copies all";

impl Peer for X509Cert {
    fn name(&self) -> &'static str {
        "x509-cert"
    }

    fn crates(&self) -> &'static [&'static str] {
        &["x509-cert"]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        match op {
            Op::Outline | Op::Strict => vec![decode_each(PARSE, input, Certificate::from_der)],
            Op::Fields => vec![decode_each(
                "Full owned parse; names by `Display` (RFC 4514, reversed and escaped), algorithms as OIDs, times to seconds",
                input,
                fields,
            )],
            Op::AllFields => vec![decode_each(
                "The same with OIDs by `to_string`, and a look at each extension",
                input,
                all_fields,
            )],
            Op::EncodeCert => vec![encode_each(
                "`to_der`: exact length, then one pass; every field of names and extensions encoded",
                input,
                parse,
                |certificate, _| certificate.to_der().ok(),
            )],
            Op::Recode => vec![decode_each("Full owned parse, then `to_der`", input, |der| {
                parse(der)?.to_der().ok()
            })],
            // Elements and small values are `der`'s.
            Op::Index => crate::parsed::index::<Certificate>(PARSE, input),
            op => super::derived::<Certificate>(op, input, PARSE),
        }
    }

    fn all_fields(&self, der: &[u8]) -> Option<AllFields> {
        all_fields(der)
    }

    fn facts(&self, der: &[u8]) -> Option<Facts> {
        facts::<Certificate>(der)
    }

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("certificate", size_of::<Certificate>()),
            ("error", size_of::<::x509_cert::der::Error>()),
        ]
    }
}

impl<'a> Parsed<'a> for Certificate {
    const ACCESS: &'static str = "`Certificate::from_der` and its methods; names as DER by `to_der`, as text by `Display`, OIDs by \
        `to_string`";

    fn parse(der: &'a [u8]) -> Option<Self> {
        parse(der)
    }

    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs_certificate().serial_number().as_bytes().into())
    }

    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        self.tbs_certificate().issuer().to_der().ok().map(Cow::Owned)
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        self.tbs_certificate().subject().to_der().ok().map(Cow::Owned)
    }

    fn issuer_text(&self) -> Option<String> {
        Some(self.tbs_certificate().issuer().to_string())
    }

    fn subject_text(&self) -> Option<String> {
        Some(self.tbs_certificate().subject().to_string())
    }

    fn not_before(&self) -> Option<i64> {
        Some(
            self.tbs_certificate()
                .validity()
                .not_before
                .to_unix_duration()
                .as_secs() as i64,
        )
    }

    fn not_after(&self) -> Option<i64> {
        Some(self.tbs_certificate().validity().not_after.to_unix_duration().as_secs() as i64)
    }

    fn algorithm(&self) -> Option<String> {
        Some(self.signature_algorithm().oid.to_string())
    }

    fn key_algorithm(&self) -> Option<String> {
        Some(
            self.tbs_certificate()
                .subject_public_key_info()
                .algorithm
                .oid
                .to_string(),
        )
    }

    fn key(&self) -> Option<Cow<'_, [u8]>> {
        let bits = &self.tbs_certificate().subject_public_key_info().subject_public_key;
        Some(bits.raw_bytes().into())
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        Some((*self).signature().raw_bytes().into())
    }

    fn extensions(&self) -> Option<Extensions> {
        let mut found = Extensions::default();
        for extension in self
            .tbs_certificate()
            .extensions()
            .map(Vec::as_slice)
            .unwrap_or_default()
        {
            found.add(extension.critical, extension.extn_value.as_bytes().len());
        }
        Some(found)
    }

    fn ca(&self) -> Option<Option<bool>> {
        let found = self.tbs_certificate().get_extension::<BasicConstraints>().ok()?;
        Some(found.map(|(_, constraints)| constraints.ca))
    }
}

fn parse(der: &[u8]) -> Option<Certificate> {
    Certificate::from_der(der).ok()
}

fn fields(der: &[u8]) -> Option<Fields<ObjectIdentifier>> {
    let certificate = parse(der)?;
    let signature = certificate.signature_algorithm().oid;
    let key = certificate.tbs_certificate().subject_public_key_info().algorithm.oid;
    Some(read(&certificate, signature, key))
}

fn all_fields(der: &[u8]) -> Option<AllFields> {
    let certificate = parse(der)?;
    let tbs = certificate.tbs_certificate();
    let signature = certificate.signature_algorithm().oid.to_string();
    let key = tbs.subject_public_key_info().algorithm.oid.to_string();
    let extensions = tbs.extensions().map(Vec::as_slice).unwrap_or_default();
    Some(AllFields {
        fields: read(&certificate, signature, key),
        extensions: extensions.len(),
        critical: extensions.iter().filter(|extension| extension.critical).count(),
        value_octets: extensions
            .iter()
            .map(|extension| extension.extn_value.as_bytes().len())
            .sum(),
    })
}

fn read<A>(certificate: &Certificate, algorithm: A, key_algorithm: A) -> Fields<A> {
    let tbs = certificate.tbs_certificate();
    Fields {
        serial: tbs.serial_number().as_bytes().len(),
        not_before: tbs.validity().not_before.to_unix_duration().as_secs() as i64,
        not_after: tbs.validity().not_after.to_unix_duration().as_secs() as i64,
        issuer: tbs.issuer().to_string(),
        subject: tbs.subject().to_string(),
        algorithm,
        key_algorithm,
        key: tbs.subject_public_key_info().subject_public_key.raw_bytes().len(),
        signature: certificate.signature().raw_bytes().len(),
    }
}
