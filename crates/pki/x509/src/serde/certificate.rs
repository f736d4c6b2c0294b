//! Certificates and CRLs.

use serde::Serialize;
use serde::ser::{SerializeStruct as _, Serializer};

use super::scalar::List;
use crate::cert::{Certificate, Version};
use crate::crl::{CertificateList, RevokedCertificate};
use crate::ext::CrlReason;
use crate::owned::CertificateBuf;

/// Returns the conventional version number, which starts at 1.
const fn number(version: Version) -> u8 {
    version.0.saturating_add(1)
}

impl Serialize for Certificate<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tbs = &self.tbs_certificate;
        let mut object = serializer.serialize_struct("Certificate", 7 + usize::from(tbs.extensions.is_some()))?;
        object.serialize_field("version", &number(tbs.version))?;
        object.serialize_field("serial_number", &tbs.serial_number)?;
        object.serialize_field("signature_algorithm", &self.signature_algorithm)?;
        object.serialize_field("issuer", &tbs.issuer)?;
        object.serialize_field("validity", &tbs.validity)?;
        object.serialize_field("subject", &tbs.subject)?;
        object.serialize_field("public_key", &tbs.subject_public_key_info)?;
        match &tbs.extensions {
            Some(extensions) => object.serialize_field("extensions", extensions)?,
            None => object.skip_field("extensions")?,
        }
        object.end()
    }
}

impl Serialize for CertificateBuf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.get().serialize(serializer)
    }
}

impl Serialize for RevokedCertificate<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let reason = self.crl_entry_extensions.and_then(|extensions| extensions.get::<CrlReason>().ok().flatten());
        let mut object = serializer.serialize_struct("RevokedCertificate", 2 + usize::from(reason.is_some()))?;
        object.serialize_field("serial_number", &self.user_certificate)?;
        object.serialize_field("revocation_date", &self.revocation_date)?;
        match reason {
            Some(reason) => object.serialize_field("reason", &reason)?,
            None => object.skip_field("reason")?,
        }
        object.end()
    }
}

impl Serialize for CertificateList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tbs = &self.tbs_cert_list;
        let fields = 5 + usize::from(tbs.next_update.is_some()) + usize::from(tbs.crl_extensions.is_some());
        let mut object = serializer.serialize_struct("CertificateList", fields)?;
        object.serialize_field("version", &tbs.version.map_or(1, number))?;
        object.serialize_field("issuer", &tbs.issuer)?;
        object.serialize_field("this_update", &tbs.this_update)?;
        match &tbs.next_update {
            Some(time) => object.serialize_field("next_update", time)?,
            None => object.skip_field("next_update")?,
        }
        object.serialize_field("signature_algorithm", &self.signature_algorithm)?;
        // An entry that does not decode, possible after an outline only, is null.
        let entries = || tbs.revoked_certificates.into_iter().flat_map(|list| list.iter()).map(Result::ok);
        object.serialize_field("entries", &List(entries))?;
        match &tbs.crl_extensions {
            Some(extensions) => object.serialize_field("extensions", extensions)?,
            None => object.skip_field("extensions")?,
        }
        object.end()
    }
}
