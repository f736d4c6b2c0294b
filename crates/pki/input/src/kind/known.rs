//! Types identified by object identifiers in attributes, controls and rare extensions.

use crate::MESSAGES;
use tagwise_codec::table::{Type, Typed};
use tagwise_codec::{Int, Null, OctetStr, Oid, Utf8};
use tagwise_pkix::cms::{self, multiple, protection, signing_time};
use tagwise_pkix::ext;
use tagwise_pkix::{Extensions, Time, ac, cmc, crmf, ess, ocsp, oids, smime, tsp};

type Table = fn() -> &'static Type;

/// Iterates over all types in this module's lists.
pub fn types() -> impl Iterator<Item = &'static Type> {
    LISTS.iter().flat_map(|list| list.iter()).map(|(_, ty)| ty())
}

const LISTS: [&[(Oid<'static>, Table)]; 4] = [EXTENSIONS, ext::RARE, ATTRIBUTES, CONTROLS];

fn find(list: &[(Oid<'static>, Table)], id: Oid<'_>) -> Option<&'static Type> {
    list.iter().find(|(known, _)| *known == id).map(|(_, ty)| ty())
}

/// Returns the type of a CMC control (RFC 5272 §6, RFC 6402 §2).
#[must_use]
pub fn control(id: Oid<'_>) -> Option<&'static Type> {
    if MESSAGES { find(CONTROLS, id) } else { None }
}

const CONTROLS: &[(Oid<'static>, Table)] = &[
    (cmc::ID_CMC_STATUS_INFO, cmc::CmcStatusInfo::ty),
    (cmc::ID_CMC_IDENTIFICATION, Utf8::ty),
    (cmc::ID_CMC_IDENTITY_PROOF, OctetStr::ty),
    (cmc::ID_CMC_DATA_RETURN, OctetStr::ty),
    (cmc::ID_CMC_TRANSACTION_ID, Int::ty),
    (cmc::ID_CMC_SENDER_NONCE, OctetStr::ty),
    (cmc::ID_CMC_RECIPIENT_NONCE, OctetStr::ty),
    (cmc::ID_CMC_ADD_EXTENSIONS, cmc::AddExtensions::ty),
    (cmc::ID_CMC_ENCRYPTED_POP, cmc::EncryptedPop::ty),
    (cmc::ID_CMC_DECRYPTED_POP, cmc::DecryptedPop::ty),
    (cmc::ID_CMC_LRA_POP_WITNESS, cmc::LraPopWitness::ty),
    (cmc::ID_CMC_GET_CERT, cmc::GetCert::ty),
    (cmc::ID_CMC_GET_CRL, cmc::GetCrl::ty),
    (cmc::ID_CMC_REVOKE_REQUEST, cmc::RevokeRequest::ty),
    (cmc::ID_CMC_REG_INFO, OctetStr::ty),
    (cmc::ID_CMC_RESPONSE_INFO, OctetStr::ty),
    (cmc::ID_CMC_QUERY_PENDING, OctetStr::ty),
    (cmc::ID_CMC_POP_LINK_RANDOM, OctetStr::ty),
    (cmc::ID_CMC_POP_LINK_WITNESS, OctetStr::ty),
    (cmc::ID_CMC_CONFIRM_CERT_ACCEPTANCE, cmc::CmcCertId::ty),
    (cmc::ID_CMC_STATUS_INFO_V2, cmc::CmcStatusInfoV2::ty),
    (cmc::ID_CMC_TRUSTED_ANCHORS, cmc::PublishTrustAnchors::ty),
    (cmc::ID_CMC_AUTH_DATA, cmc::AuthPublish::ty),
    (cmc::ID_CMC_BATCH_REQUESTS, cmc::BodyPartList::ty),
    (cmc::ID_CMC_BATCH_RESPONSES, cmc::BodyPartList::ty),
    (cmc::ID_CMC_PUBLISH_CERT, cmc::CmcPublicationInfo::ty),
    (cmc::ID_CMC_MOD_CERT_TEMPLATE, cmc::ModCertTemplate::ty),
    (cmc::ID_CMC_CONTROL_PROCESSED, cmc::ControlsProcessed::ty),
    (cmc::ID_CMC_POP_LINK_WITNESS_V2, cmc::PopLinkWitnessV2::ty),
    (cmc::ID_CMC_IDENTITY_PROOF_V2, cmc::IdentityProofV2::ty),
    (cmc::ID_CMC_RA_IDENTITY_WITNESS, cmc::BodyPartPath::ty),
    (cmc::ID_CMC_CHANGE_SUBJECT_NAME, cmc::ChangeSubjectName::ty),
    (cmc::ID_CMC_RESPONSE_BODY, cmc::BodyPartPath::ty),
];

/// Returns the type of a signer, request or attribute certificate attribute, if it is structured.
#[must_use]
pub fn attribute(id: Oid<'_>) -> Option<&'static Type> {
    if MESSAGES { find(ATTRIBUTES, id) } else { None }
}

const ATTRIBUTES: &[(Oid<'static>, Table)] = &[
    // RFC 5652 §11.3, §11.4
    (cms::ID_SIGNING_TIME, Time::ty),
    (cms::ID_COUNTERSIGNATURE, cms::SignerInfo::ty),
    // RFC 2634, RFC 5035
    (ess::ID_AA_RECEIPT_REQUEST, ess::ReceiptRequest::ty),
    (ess::ID_AA_CONTENT_HINT, ess::ContentHints::ty),
    (ess::ID_AA_CONTENT_REFERENCE, ess::ContentReference::ty),
    (ess::ID_AA_SECURITY_LABEL, ess::EssSecurityLabel::ty),
    (ess::ID_AA_EQUIVALENT_LABELS, ess::EquivalentLabels::ty),
    (ess::ID_AA_ML_EXPAND_HISTORY, ess::MlExpansionHistory::ty),
    (ess::ID_AA_SIGNING_CERTIFICATE, ess::SigningCertificate::ty),
    (ess::ID_AA_SIGNING_CERTIFICATE_V2, ess::SigningCertificateV2::ty),
    // RFC 8551 §2.5
    (smime::SMIME_CAPABILITIES, ext::SmimeCapabilities::ty),
    (smime::ID_AA_ENCRYP_KEY_PREF, smime::SmimeEncryptionKeyPreference::ty),
    // RFC 3161 App. A, RFC 6019, RFC 6211, RFC 5752
    (tsp::ID_AA_TIME_STAMP_TOKEN, cms::ContentInfo::ty),
    (signing_time::ID_AA_BINARY_SIGNING_TIME, Int::ty),
    (protection::ID_AA_CMS_ALGORITHM_PROTECTION, protection::CmsAlgorithmProtection::ty),
    (multiple::ID_AA_MULTIPLE_SIGNATURES, multiple::MultipleSignatures::ty),
    // RFC 5272 §3.2.1.1, §6.8
    (cmc::ID_AA_CMC_UNSIGNED_DATA, cmc::CmcUnsignedData::ty),
    (cmc::ID_EXTENSION_REQ, Extensions::ty),
    (cmc::ID_CMC_CHANGE_SUBJECT_NAME, cmc::ChangeSubjectName::ty),
    // RFC 5755 §4.4
    (ac::ID_ACA_AUTHENTICATION_INFO, ac::SvceAuthInfo::ty),
    (ac::ID_ACA_ACCESS_IDENTITY, ac::SvceAuthInfo::ty),
    (ac::ID_ACA_CHARGING_IDENTITY, ac::IetfAttrSyntax::ty),
    (ac::ID_ACA_GROUP, ac::IetfAttrSyntax::ty),
    (ac::ID_AT_ROLE, ac::RoleSyntax::ty),
    (ac::ID_AT_CLEARANCE, ac::Clearance::ty),
    // RFC 4211 §6, in requests
    (crmf::ID_REG_CTRL_PKI_PUBLICATION_INFO, crmf::PkiPublicationInfo::ty),
    (crmf::ID_REG_CTRL_OLD_CERT_ID, crmf::CertId::ty),
    (crmf::ID_REG_CTRL_REG_TOKEN, crmf::RegToken::ty),
    (crmf::ID_REG_CTRL_AUTHENTICATOR, crmf::Authenticator::ty),
];

/// Returns the type of an extension that is rare in certificates ([`ext::RARE`]) or used only in messages.
#[must_use]
pub fn extension(id: Oid<'_>) -> Option<&'static Type> {
    find(EXTENSIONS, id).or_else(|| find(ext::RARE, id))
}

/// Extensions used only in messages, with types from schemas.
const EXTENSIONS: &[(Oid<'static>, Table)] = &[
    // RFC 6960 §4.4, RFC 9654
    (oids::OCSP_NONCE, ocsp::Nonce::ty),
    (oids::OCSP_CRL, ocsp::CrlId::ty),
    (oids::OCSP_RESPONSE, ocsp::AcceptableResponses::ty),
    (oids::OCSP_ARCHIVE_CUTOFF, ocsp::ArchiveCutoff::ty),
    (oids::OCSP_SERVICE_LOCATOR, ocsp::ServiceLocator::ty),
    (oids::OCSP_PREF_SIG_ALGS, ocsp::PreferredSignatureAlgorithms::ty),
    (oids::OCSP_EXTENDED_REVOKE, Null::ty),
    // RFC 5755 §4.3, §7.2, §7.4
    (ac::ID_PE_AC_AUDIT_IDENTITY, OctetStr::ty),
    (ac::ID_PE_AA_CONTROLS, ac::AaControls::ty),
    (ac::ID_PE_AC_PROXYING, ac::ProxyInfo::ty),
    // RFC 5913 §3
    (oids::PE_CLEARANCE_CONSTRAINTS, ac::AuthorityClearanceConstraints::ty),
    // Its syntax is SEQUENCE OF Targets (§4.3.2), which ProxyInfo is too.
    (ac::ID_CE_TARGET_INFORMATION, ac::ProxyInfo::ty),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tagwise_codec::{OpenType, oid};
    use tagwise_pkix::ext::ExtensionValue;

    use super::*;

    /// The first entry of an identifier would hide any other.
    #[test]
    fn each_identifier_once() {
        let set = &ExtensionValue::set().objects;
        for list in LISTS {
            let mut seen = BTreeSet::new();
            for (id, ty) in list {
                assert!(seen.insert(id.to_string()), "{id} is listed twice, with {} last", &*ty().name);
            }
        }
        // What the library's own set has is shown by that.
        for (id, ty) in EXTENSIONS.iter().chain(ext::RARE) {
            assert!(!set.iter().any(|object| *object.key == *id.as_bytes()), "{} is in ExtensionValue", &*ty().name);
        }
    }

    #[test]
    fn each_list_has_its_own() {
        assert_eq!(control(oid!("1.3.6.1.5.5.7.7.5")).map(|ty| &*ty.name), Some("INTEGER"));
        assert!(attribute(oid!("1.2.840.113549.1.9.3")).is_none());
        assert!(extension(oid!("1.3.6.1.5.5.7.7.5")).is_none());
    }
}
