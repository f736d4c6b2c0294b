//! Rejects content that could be mistaken for signed attributes, and vice versa.
//!
//! A signature with attributes covers these attributes as a SET OF. A signature without attributes covers the content
//! (RFC 5652 §5.4). The signed bytes do not reveal which of the two was signed. An attacker can remove the attributes from
//! a signed message and present their encoding as the content, with a valid signature. Conversely, a signature over such
//! content can be presented as a signature with attributes, over any other content whose digest the attributes contain.
//! Both attacks are detected from the content, because legitimate content never resembles signed attributes.

use tagwise_codec::{Options, Rule, RuleSet, Tag};
use tagwise_pkix::cms::{Attributes, ID_MESSAGE_DIGEST};

use super::CmsError;

/// Rejects content that is signed without attributes but parses as signed attributes with a message digest.
///
/// Signed attributes always include a message digest (RFC 5652 §5.3). They also include a content type, except in
/// countersignatures (§11.4), which are signed in the same way. Therefore only the digest is checked.
///
/// # Errors
/// Returns [`CmsError::Invalid`] if the content parses as such attributes.
pub(super) fn refuse_attributes(content: &[u8]) -> Result<(), CmsError> {
    CmsError::demand(
        !are_attributes(content),
        "content without attributes could be read as signed attributes",
        "RFC 5652 §5.4",
    )
}

fn are_attributes(content: &[u8]) -> bool {
    if content.first() != Some(&Tag::SET.first_octet()) {
        return false;
    }
    // With every leniency that a reader of attributes might have, because a more tolerant verifier could be fooled as well. With
    // trailing data, it is not an encoding of signed attributes.
    let rules = RuleSet::ALL.without(&Rule::TRAILING_DATA);
    let read = Options::der().rules(rules).outline::<Attributes<'_>>(content);
    read.is_ok_and(|read| matches!(read.value.find(ID_MESSAGE_DIGEST), Ok(Some(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SET { SEQUENCE { type, SET { value } } … }
    fn set(attributes: &[&[u8]]) -> Vec<u8> {
        let content = attributes.concat();
        [&[0x31, content.len() as u8][..], &content].concat()
    }

    // contentType: id-data
    const TYPE: &[u8] =
        b"\x30\x18\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x09\x03\x31\x0B\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01";
    // messageDigest: four octets
    const DIGEST: &[u8] = b"\x30\x13\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x09\x04\x31\x06\x04\x04\x01\x02\x03\x04";
    // signingTime
    const TIME: &[u8] =
        b"\x30\x1C\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x09\x05\x31\x0F\x17\x0D\x32\x36\x31\x31\x32\x31\x31\x30\x30\x30\x30\x30\x5A";

    #[test]
    fn attributes_are_told_by_their_digest() {
        for attributes in [&[TYPE, DIGEST][..], &[DIGEST], &[TYPE, TIME, DIGEST], &[DIGEST, TYPE], &[DIGEST, DIGEST]] {
            assert!(refuse_attributes(&set(attributes)).is_err(), "{attributes:X?}");
        }
        for content in [&b""[..], b"1", b"letter", &set(&[]), &set(&[TYPE, TIME]), DIGEST, &set(&[b"\x05\x00"])] {
            assert!(refuse_attributes(content).is_ok(), "{content:X?}");
        }
        // Something before or behind it: then the signature is of something else.
        assert!(refuse_attributes(&[&set(&[DIGEST])[..], b"\n"].concat()).is_ok());
        assert!(refuse_attributes(&[b"\n", &set(&[DIGEST])[..]].concat()).is_ok());
        assert!(refuse_attributes(&set(&[DIGEST])[..10]).is_ok());
    }
}
