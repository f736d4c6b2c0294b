//! Certificates, revocation information and attributes in messages, and their effect on version numbers.

use tagwise_codec::{Oid, SetOf, Tag, encode};

use super::piece::{Piece, each};
use crate::{BuildError, error::demand};
use tagwise_messages::cms::{
    Attribute, Attributes, CertificateChoices, ID_CONTENT_TYPE, ID_COUNTERSIGNATURE, ID_MESSAGE_DIGEST,
    ID_SIGNING_TIME, OriginatorInfo, RevocationInfoChoice,
};

/// Certificate and revocation formats that affect message versions (RFC 5652 §5.1, §6.1, §9.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    /// True if there are certificates or revocation information in other formats.
    pub(super) other: bool,
    /// True if there are version 2 attribute certificates.
    pub(super) v2: bool,
    /// True if there are version 1 attribute certificates.
    pub(super) v1: bool,
}

impl Kinds {
    pub(super) fn add_certificate(&mut self, choice: &CertificateChoices<'_>) -> Result<(), BuildError> {
        match choice {
            CertificateChoices::Certificate(_) => {}
            // RFC 5652 §10.2.2: PKCS #6 extended certificates are obsolete, and must not be sent.
            CertificateChoices::ExtendedCertificate(_) => {
                demand(false, "extended certificates are obsolete", "RFC 5652 §10.2.2")?;
            }
            CertificateChoices::V1AttrCert(_) => self.v1 = true,
            CertificateChoices::V2AttrCert(_) => self.v2 = true,
            CertificateChoices::Other(_) => self.other = true,
            CertificateChoices::Unknown(_) => {
                demand(false, "unknown certificate format", "RFC 5652 §10.2.2")?;
            }
        }
        Ok(())
    }

    pub(super) fn add_revocation(&mut self, choice: &RevocationInfoChoice<'_>) -> Result<(), BuildError> {
        match choice {
            RevocationInfoChoice::Crl(_) => {}
            RevocationInfoChoice::Other(_) => self.other = true,
            RevocationInfoChoice::Unknown(_) => {
                demand(false, "unknown revocation information format", "RFC 5652 §10.2.1")?;
            }
        }
        Ok(())
    }

    pub(super) fn of_originator(info: Option<&OriginatorInfo<'_>>) -> Result<Self, BuildError> {
        let mut kinds = Self::default();
        if let Some(info) = info {
            for choice in info.certs.iter().flat_map(SetOf::iter) {
                kinds.add_certificate(&choice?)?;
            }
            for choice in info.crls.iter().flat_map(SetOf::iter) {
                kinds.add_revocation(&choice?)?;
            }
        }
        Ok(kinds)
    }
}

/// Encodes `[0] IMPLICIT CertificateSet OPTIONAL` and `[1] IMPLICIT RevocationInfoChoices OPTIONAL`.
pub(super) fn lists(
    certificates: &[CertificateChoices<'_>],
    crls: &[RevocationInfoChoice<'_>],
) -> Result<(Vec<u8>, Kinds), BuildError> {
    let mut kinds = Kinds::default();
    certificates.iter().try_for_each(|choice| kinds.add_certificate(choice))?;
    crls.iter().try_for_each(|choice| kinds.add_revocation(choice))?;
    let mut octets = Vec::new();
    if !certificates.is_empty() {
        octets.extend(encode(&Piece::tagged(0, Piece::set(each(certificates)?)))?);
    }
    if !crls.is_empty() {
        octets.extend(encode(&Piece::tagged(1, Piece::set(each(crls)?)))?);
    }
    Ok((octets, kinds))
}

/// The location of attributes in a message, which determines the allowed types (RFC 5652 §11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributePlacement {
    /// Signed or authenticated attributes.
    Protected,
    Unprotected,
}

/// Rejects attributes that must not occur together, or must not occur in this location.
pub(super) fn check_attributes(attributes: &[Attribute<'_>], place: AttributePlacement) -> Result<(), BuildError> {
    let mut seen: Vec<Oid<'_>> = attributes.iter().map(|attribute| attribute.attr_type).collect();
    seen.sort_unstable();
    // §5.3: signed attributes must not be repeated. §11.4 allows several countersignatures, even as separate attributes.
    let twice =
        seen.windows(2).find(|pair| matches!(pair, [one, other] if one == other && *one != ID_COUNTERSIGNATURE));
    if let Some([one, _]) = twice {
        return Err(BuildError::TwiceAttribute(one.to_string()));
    }
    for attribute in attributes {
        let single = [ID_CONTENT_TYPE, ID_MESSAGE_DIGEST, ID_SIGNING_TIME].contains(&attribute.attr_type);
        demand(!attribute.attr_values.is_empty(), "an attribute has no values", "RFC 5652 §5.3")?;
        demand(
            !single || attribute.attr_values.len() == 1,
            "a single-valued attribute has several values",
            "RFC 5652 §11",
        )?;
        match place {
            AttributePlacement::Protected => {
                let countersigns = attribute.attr_type == ID_COUNTERSIGNATURE;
                demand(!countersigns, "a countersignature must be an unsigned attribute", "RFC 5652 §11.4")?;
            }
            AttributePlacement::Unprotected => {
                demand(!single, "the attribute must be a signed attribute", "RFC 5652 §11")?
            }
        }
    }
    Ok(())
}

/// Checks attributes and encodes them as `[number] IMPLICIT`. Returns an empty vector if there are none.
pub(super) fn attributes(
    number: u32,
    list: &[Attribute<'_>],
    place: AttributePlacement,
) -> Result<Vec<u8>, BuildError> {
    check_attributes(list, place)?;
    if list.is_empty() {
        return Ok(Vec::new());
    }
    Ok(encode(&Piece::tagged(number, Piece::set(each(list)?)))?)
}

/// Encodes attributes in the form that is signed or authenticated: a DER SET OF (RFC 5652 §5.4, §9.2).
pub(super) fn as_set(list: &[Attribute<'_>]) -> Result<Vec<u8>, BuildError> {
    Ok(encode(&Attributes(SetOf::from_slice(list)))?)
}

/// Replaces the SET OF tag with the context-specific tag that the attributes have in the message.
pub(super) fn retag(set: &[u8], number: u32) -> Vec<u8> {
    let mut octets = set.to_vec();
    if let Some(first) = octets.first_mut() {
        *first = Tag::context(number).constructed().first_octet();
    }
    octets
}
