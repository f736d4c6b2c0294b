//! Checks whether attributes are in the right list: attributes that vouch for a message must be signed.

use tagwise_codec::{Oid, SetOf};
use tagwise_pkix::cms::{Attribute, SignerInfo};
use tagwise_pkix::oids;

use super::CmsError;

/// An attribute, what is wrong with its place, and the clause.
type Row = (Oid<'static>, &'static str, &'static str);

/// Attributes that must always be signed.
const SIGNED: &[Row] = &[
    (oids::CONTENT_TYPE, "the type of the content is among the unsigned attributes", "RFC 5652 §11.1"),
    (oids::MESSAGE_DIGEST, "the digest of the content is among the unsigned attributes", "RFC 5652 §11.2"),
    (oids::SIGNING_TIME, "the time of signing is among the unsigned attributes", "RFC 5652 §11.3"),
    (oids::AA_SIGNING_CERTIFICATE, "the signing certificate is among the unsigned attributes", "RFC 2634 §1.3.4"),
    (oids::AA_SIGNING_CERTIFICATE_V2, "the signing certificate is among the unsigned attributes", "RFC 5035 §3"),
    (oids::AA_CMS_ALGORITHM_PROTECTION, "the algorithm protection is among the unsigned attributes", "RFC 6211 §2"),
    (oids::AA_RECEIPT_REQUEST, "the request for a receipt is among the unsigned attributes", "RFC 2634 §1.3.4"),
    (oids::AA_SECURITY_LABEL, "the security label is among the unsigned attributes", "RFC 2634 §1.3.4"),
    (oids::AA_ML_EXPAND_HISTORY, "the history of mailing lists is among the unsigned attributes", "RFC 2634 §1.3.4"),
    (oids::AA_CONTENT_HINT, "the content hint is among the unsigned attributes", "RFC 2634 §1.3.4"),
    (oids::AA_MSG_SIG_DIGEST, "the digest of a signed message is among the unsigned attributes", "RFC 2634 §1.3.4"),
    (oids::AA_BINARY_SIGNING_TIME, "the time of signing is among the unsigned attributes", "RFC 6019 §3"),
    (oids::SMIME_CAPABILITIES, "the S/MIME capabilities are among the unsigned attributes", "RFC 8551 §2.5.2"),
];

/// Attributes that cannot be signed, for they are made from the signature.
const UNSIGNED: &[Row] = &[
    (oids::COUNTERSIGNATURE, "a countersignature is among the signed attributes", "RFC 5652 §11.4"),
    (oids::AA_TIME_STAMP_TOKEN, "a time stamp of the signature is among the signed attributes", "RFC 3161 appendix A"),
];

/// Checks that each attribute of a signer is in its list.
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
