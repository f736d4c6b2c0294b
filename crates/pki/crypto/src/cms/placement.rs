//! Checks whether attributes are in the right list: attributes that authenticate a message must be signed.

use tagwise_codec::{Oid, SetOf};
use tagwise_pkix::cms::{Attribute, SignerInfo};
use tagwise_pkix::oids;

use super::CmsError;

/// An attribute, the error message for the wrong list, and the clause.
type Row = (Oid<'static>, &'static str, &'static str);

/// Attributes that must always be signed.
const SIGNED: &[Row] = &[
    (oids::CONTENT_TYPE, "contentType must be a signed attribute", "RFC 5652 §11.1"),
    (oids::MESSAGE_DIGEST, "messageDigest must be a signed attribute", "RFC 5652 §11.2"),
    (oids::SIGNING_TIME, "signingTime must be a signed attribute", "RFC 5652 §11.3"),
    (oids::AA_SIGNING_CERTIFICATE, "signingCertificate must be a signed attribute", "RFC 2634 §1.3.4"),
    (oids::AA_SIGNING_CERTIFICATE_V2, "signingCertificateV2 must be a signed attribute", "RFC 5035 §3"),
    (oids::AA_CMS_ALGORITHM_PROTECTION, "cmsAlgorithmProtection must be a signed attribute", "RFC 6211 §2"),
    (oids::AA_RECEIPT_REQUEST, "receiptRequest must be a signed attribute", "RFC 2634 §1.3.4"),
    (oids::AA_SECURITY_LABEL, "eSSSecurityLabel must be a signed attribute", "RFC 2634 §1.3.4"),
    (oids::AA_ML_EXPAND_HISTORY, "mlExpansionHistory must be a signed attribute", "RFC 2634 §1.3.4"),
    (oids::AA_CONTENT_HINT, "contentHints must be a signed attribute", "RFC 2634 §1.3.4"),
    (oids::AA_MSG_SIG_DIGEST, "msgSigDigest must be a signed attribute", "RFC 2634 §1.3.4"),
    (oids::AA_BINARY_SIGNING_TIME, "signingTime must be a signed attribute", "RFC 6019 §3"),
    (oids::SMIME_CAPABILITIES, "sMIMECapabilities must be a signed attribute", "RFC 8551 §2.5.2"),
];

/// Attributes that cannot be signed, because they depend on the signature.
const UNSIGNED: &[Row] = &[
    (oids::COUNTERSIGNATURE, "countersignature must be an unsigned attribute", "RFC 5652 §11.4"),
    (oids::AA_TIME_STAMP_TOKEN, "signatureTimeStampToken must be an unsigned attribute", "RFC 3161 appendix A"),
];

/// Checks that each of a signer's attributes is in the list where it belongs.
pub(super) fn check(info: &SignerInfo<'_>) -> Result<(), CmsError> {
    if let Some(attributes) = &info.unsigned_attrs {
        none_of(&attributes.0, SIGNED)?;
    }
    match &info.signed_attrs {
        Some(attributes) => none_of(&attributes.0, UNSIGNED),
        None => Ok(()),
    }
}

fn none_of(list: &SetOf<'_, Attribute<'_>>, rows: &[Row]) -> Result<(), CmsError> {
    for attribute in list.iter() {
        let attribute = attribute.map_err(CmsError::malformed("attributes"))?;
        if let Some((_, what, clause)) = rows.iter().find(|(id, ..)| *id == attribute.attr_type) {
            return Err(CmsError::Invalid { what, clause });
        }
    }
    Ok(())
}
