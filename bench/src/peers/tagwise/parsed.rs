//! The fields of a certificate as positions, and of the typed struct after the full check.

use crate::parsed::{Extensions, Parsed};
use std::borrow::Cow;
use tagwise_codec::Decode;
use tagwise_pkix::ext::BasicConstraints;
use tagwise_pkix::{Certificate, CertificateView, Name};

/// By positions.
impl<'a> Parsed<'a> for CertificateView<'a> {
    const ACCESS: &'static str = "`CertificateView::outline` and its methods: all borrowed, decoded when asked for; names as text by RFC 4514, OIDs \
        by `to_string`";

    fn parse(der: &'a [u8]) -> Option<Self> {
        Self::outline(der).ok()
    }

    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.serial_number().0.as_bytes().into())
    }

    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        Some(content(&(*self).issuer()).into())
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        Some(content(&(*self).subject()).into())
    }

    fn issuer_text(&self) -> Option<String> {
        Some((*self).issuer().rfc4514().to_string())
    }

    fn subject_text(&self) -> Option<String> {
        Some((*self).subject().rfc4514().to_string())
    }

    fn not_before(&self) -> Option<i64> {
        Some(Self::not_before(self).unix().0)
    }

    fn not_after(&self) -> Option<i64> {
        Some(Self::not_after(self).unix().0)
    }

    fn algorithm(&self) -> Option<String> {
        Some(self.signature_algorithm().ok()?.algorithm.to_string())
    }

    fn key_algorithm(&self) -> Option<String> {
        Some(self.subject_public_key_info().ok()?.algorithm.algorithm.to_string())
    }

    fn key(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.subject_public_key().as_bytes().into())
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.signature_value().as_bytes().into())
    }

    fn extensions(&self) -> Option<Extensions> {
        let mut found = Extensions::default();
        let Some(list) = Self::extensions(self) else {
            return Some(found);
        };
        for extension in list.iter() {
            let extension = extension.ok()?;
            found.add(extension.critical, extension.extn_value.as_bytes().len());
        }
        Some(found)
    }

    fn ca(&self) -> Option<Option<bool>> {
        let Some(list) = Self::extensions(self) else {
            return Some(None);
        };
        Some(
            list.get::<BasicConstraints<'_>>()
                .ok()?
                .map(|constraints| constraints.ca),
        )
    }
}

/// The typed struct, every octet checked.
pub(super) struct Strict<'a>(Certificate<'a>);

impl<'a> Parsed<'a> for Strict<'a> {
    const ACCESS: &'static str = "`Certificate::from_der`, every octet checked, and its fields: all borrowed; names as text by RFC 4514, OIDs by \
        `to_string`";

    fn parse(der: &'a [u8]) -> Option<Self> {
        Certificate::from_der(der).ok().map(Self)
    }

    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.0.tbs_certificate.serial_number.0.as_bytes().into())
    }

    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        Some(content(&self.0.tbs_certificate.issuer).into())
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        Some(content(&self.0.tbs_certificate.subject).into())
    }

    fn issuer_text(&self) -> Option<String> {
        Some(self.0.tbs_certificate.issuer.rfc4514().to_string())
    }

    fn subject_text(&self) -> Option<String> {
        Some(self.0.tbs_certificate.subject.rfc4514().to_string())
    }

    fn not_before(&self) -> Option<i64> {
        Some(self.0.tbs_certificate.validity.not_before.unix().0)
    }

    fn not_after(&self) -> Option<i64> {
        Some(self.0.tbs_certificate.validity.not_after.unix().0)
    }

    fn algorithm(&self) -> Option<String> {
        Some(self.0.signature_algorithm.algorithm.to_string())
    }

    fn key_algorithm(&self) -> Option<String> {
        Some(
            self.0
                .tbs_certificate
                .subject_public_key_info
                .algorithm
                .algorithm
                .to_string(),
        )
    }

    fn key(&self) -> Option<Cow<'_, [u8]>> {
        Some(
            self.0
                .tbs_certificate
                .subject_public_key_info
                .subject_public_key
                .as_bytes()
                .into(),
        )
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.0.signature_value.as_bytes().into())
    }

    fn extensions(&self) -> Option<Extensions> {
        let mut found = Extensions::default();
        for extension in self.0.tbs_certificate.extensions.iter().flat_map(|list| list.iter()) {
            let extension = extension.ok()?;
            found.add(extension.critical, extension.extn_value.as_bytes().len());
        }
        Some(found)
    }

    fn ca(&self) -> Option<Option<bool>> {
        let Some(list) = &self.0.tbs_certificate.extensions else {
            return Some(None);
        };
        Some(
            list.get::<BasicConstraints<'_>>()
                .ok()?
                .map(|constraints| constraints.ca),
        )
    }
}

fn content<'a>(name: &Name<'a>) -> &'a [u8] {
    name.0.content().unwrap_or_default()
}
