//! The fields of synta's typed certificate.

use super::{unix, walk_ca};
use crate::parsed::{Extensions, Parsed};
use std::borrow::Cow;
use synta_certificate::{Certificate, decode_extensions, format_dn};

impl<'a> Parsed<'a> for Certificate<'a> {
    const ACCESS: &'static str = "Typed parse and its fields; names borrowed raw, as text by `format_dn`, OIDs by `to_string`, extensions by \
        `decode_extensions`";

    fn parse(der: &'a [u8]) -> Option<Self> {
        super::parse(der)
    }

    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs_certificate.serial_number.as_bytes().into())
    }

    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs_certificate.issuer.as_bytes().into())
    }

    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.tbs_certificate.subject.as_bytes().into())
    }

    fn issuer_text(&self) -> Option<String> {
        Some(format_dn(self.tbs_certificate.issuer.as_bytes()))
    }

    fn subject_text(&self) -> Option<String> {
        Some(format_dn(self.tbs_certificate.subject.as_bytes()))
    }

    fn not_before(&self) -> Option<i64> {
        Some(unix(&self.tbs_certificate.validity.not_before))
    }

    fn not_after(&self) -> Option<i64> {
        Some(unix(&self.tbs_certificate.validity.not_after))
    }

    fn algorithm(&self) -> Option<String> {
        Some(self.signature_algorithm.algorithm.to_string())
    }

    fn key_algorithm(&self) -> Option<String> {
        Some(
            self.tbs_certificate
                .subject_public_key_info
                .algorithm
                .algorithm
                .to_string(),
        )
    }

    fn key(&self) -> Option<Cow<'_, [u8]>> {
        Some(
            self.tbs_certificate
                .subject_public_key_info
                .subject_public_key
                .as_bytes()
                .into(),
        )
    }

    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        Some(self.signature_value.as_bytes().into())
    }

    fn extensions(&self) -> Option<Extensions> {
        let mut found = Extensions::default();
        let list = self
            .tbs_certificate
            .extensions
            .map(|raw| decode_extensions(raw.as_bytes()));
        for extension in list.iter().flatten() {
            let critical = extension.critical.is_some_and(|critical| critical.0);
            found.add(critical, extension.extn_value.as_bytes().len());
        }
        Some(found)
    }

    fn ca(&self) -> Option<Option<bool>> {
        walk_ca(self)
    }
}
