//! A decoded row, and the parts of it that become rows of nested columns.

use tagwise_codec::{Any, Decode, Error, Reader, Tag};
use tagwise_pkix::cms::{SignedData, SignerInfo};
use tagwise_pkix::csr::CertificationRequest;
use tagwise_pkix::ext::{KnownExtension, SctV1};
use tagwise_pkix::lint::Finding;
use tagwise_pkix::name::AttributeTypeAndValue;
use tagwise_pkix::ocsp::{BasicOcspResponse, OcspResponseStatus, SingleResponse};
use tagwise_pkix::{
    AlgorithmIdentifier, Certificate, CertificateList, Extension, Extensions, KeyInfo, Name, Revocation,
    TbsCertificateLogEntry, Time,
};

use crate::kind::Kind;

/// The result of reading a value: `None` if it is absent.
pub(crate) type Read<T> = Result<Option<T>, Error>;

/// A decoded row with its encoding.
pub(crate) struct Row<'a> {
    pub(crate) der: &'a [u8],
    pub(crate) value: Value<'a>,
    /// The lints to run.
    pub(crate) lints: tagwise_pkix::lint::Options,
}

/// A decoded value, or a part of one.
pub(crate) enum Value<'a> {
    Certificate(Certificate<'a>),
    Crl(CertificateList<'a>),
    Request(CertificationRequest<'a>),
    LogEntry(TbsCertificateLogEntry<'a>),
    Ocsp(OcspResponseStatus, Option<BasicOcspResponse<'a>>),
    Cms(tagwise_codec::Oid<'a>, Option<SignedData<'a>>),
    Attribute(AttributeTypeAndValue<'a>),
    Extension(Extension<'a>),
    Sct(SctV1<'a>),
    Revocation(Revocation<'a>),
    Single(SingleResponse<'a>),
    Signer(SignerInfo<'a>),
    Finding(Finding, Kind),
}

impl<'a> Row<'a> {
    /// Returns a row for a part of this row.
    pub(crate) const fn part(&self, value: Value<'a>) -> Self {
        Self { der: self.der, value, lints: self.lints }
    }

    pub(crate) fn subject(&self) -> Option<Name<'a>> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate.subject()),
            Value::Request(request) => Some(request.subject()),
            Value::LogEntry(entry) => Some(entry.subject),
            _ => None,
        }
    }

    pub(crate) fn issuer(&self) -> Option<Name<'a>> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate.issuer()),
            Value::Crl(list) => Some(list.issuer()),
            Value::LogEntry(entry) => Some(entry.issuer),
            _ => None,
        }
    }

    pub(crate) fn start(&self) -> Option<Time<'a>> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate.not_before()),
            Value::Crl(list) => Some(list.this_update()),
            Value::LogEntry(entry) => Some(entry.validity.not_before),
            _ => None,
        }
    }

    pub(crate) fn end(&self) -> Option<Time<'a>> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate.not_after()),
            Value::Crl(list) => list.next_update(),
            Value::LogEntry(entry) => Some(entry.validity.not_after),
            _ => None,
        }
    }

    pub(crate) fn key(&self) -> Option<KeyInfo> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate.public_key().info()),
            Value::Request(request) => Some(request.public_key().info()),
            Value::LogEntry(entry) => Some(entry.key_info()),
            _ => None,
        }
    }

    pub(crate) fn algorithm(&self) -> Option<AlgorithmIdentifier<'a>> {
        match &self.value {
            Value::Certificate(certificate) => Some(certificate.signature_algorithm),
            Value::Crl(list) => Some(list.signature_algorithm),
            Value::Request(request) => Some(request.signature_algorithm),
            Value::Ocsp(_, basic) => basic.as_ref().map(|basic| basic.signature_algorithm),
            Value::Signer(signer) => Some(signer.signature_algorithm),
            _ => None,
        }
    }

    pub(crate) fn extensions(&self) -> Read<Extensions<'a>> {
        Ok(match &self.value {
            Value::Certificate(certificate) => certificate.tbs_certificate.extensions,
            Value::Crl(list) => list.tbs_cert_list.crl_extensions,
            Value::Request(request) => Some(request.extensions()?),
            Value::Ocsp(_, basic) => basic.as_ref().and_then(|basic| basic.tbs_response_data.response_extensions),
            Value::Revocation(revocation) => revocation.entry.crl_entry_extensions,
            Value::LogEntry(entry) => entry.extensions,
            _ => None,
        })
    }

    pub(crate) fn extension<T: KnownExtension + Decode<'a>>(&self) -> Read<T> {
        self.extensions()?.map_or(Ok(None), |list| list.get::<T>())
    }

    /// Returns the encoded SubjectPublicKeyInfo, as it is in the input.
    pub(crate) fn key_bytes(&self) -> Option<&'a [u8]> {
        match &self.value {
            Value::Certificate(certificate) => element(certificate.tbs_certificate.as_bytes(), 5),
            Value::Request(request) => element(request.certification_request_info.as_bytes(), 2),
            _ => None,
        }
    }

    /// Returns the encoded subject, as it is in the input.
    pub(crate) fn subject_bytes(&self) -> Option<&'a [u8]> {
        match &self.value {
            Value::Certificate(certificate) => element(certificate.tbs_certificate.as_bytes(), 4),
            Value::Request(request) => element(request.certification_request_info.as_bytes(), 1),
            Value::LogEntry(_) => element(self.der, 2),
            _ => None,
        }
    }

    /// Returns the encoded issuer, as it is in the input.
    pub(crate) fn issuer_bytes(&self) -> Option<&'a [u8]> {
        match &self.value {
            Value::Certificate(certificate) => element(certificate.tbs_certificate.as_bytes(), 2),
            Value::LogEntry(_) => element(self.der, 0),
            _ => None,
        }
    }
}

/// Returns the component with the given index in a SEQUENCE, not counting a leading `[0]`.
fn element(sequence: &[u8], index: usize) -> Option<&[u8]> {
    let mut reader = Reader::new(sequence).ok()?;
    reader.expect(Tag::SEQUENCE).ok()?;
    if reader.at(Tag::context(0)) {
        reader.skip().ok()?;
    }
    for _ in 0..index {
        reader.skip().ok()?;
    }
    reader.skip().ok()
}

/// Returns the text of a value, or its encoding in hexadecimal after `#` (RFC 4514 §2.4).
pub(crate) fn text_of(value: &Any<'_>, out: &mut String) {
    match tagwise_pkix::name::text(value) {
        Some(text) => out.push_str(&text),
        None => {
            out.push('#');
            out.push_str(&tagwise_codec::text::hex::encode(value.as_bytes()));
        }
    }
}
