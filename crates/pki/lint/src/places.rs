//! Positions of the components of a TBSCertificate or TBSCertList, which are looked up only when reporting.

use tagwise_codec::{Reader, Tag};

use super::walk::tolerant;

/// A component of TBSCertificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CertificatePart {
    Version,
    SerialNumber,
    Issuer,
    Validity,
    Subject,
    IssuerUniqueId,
    SubjectUniqueId,
    /// The SEQUENCE OF Extension, or the TBSCertificate if there is none.
    Extensions,
}

/// A component of TBSCertList.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListPart {
    Version,
    Issuer,
    NextUpdate,
    RevokedCertificates,
    /// The SEQUENCE OF Extension, or the TBSCertList if there is none.
    Extensions,
}

/// Returns the offset of a TBSCertificate component, or of the TBSCertificate if the component is absent. `octets` is the
/// TBSCertificate and `base` its offset.
#[cold]
#[inline(never)]
pub(super) fn certificate_part(octets: &[u8], base: usize, part: CertificatePart) -> usize {
    let session = tolerant();
    let find = || {
        let mut reader = Reader::with_session(octets, &session).ok()?.at_base(base).outlined();
        reader.header().ok()?;
        if reader.at(Tag::context(0)) {
            if part == CertificatePart::Version {
                return Some(reader.offset());
            }
            reader.skip().ok()?;
        }
        use CertificatePart as P;
        // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
        for here in [Some(P::SerialNumber), None, Some(P::Issuer), Some(P::Validity), Some(P::Subject), None] {
            if here == Some(part) {
                return Some(reader.offset());
            }
            reader.skip().ok()?;
        }
        while let Some(octet) = reader.peek_octet() {
            match (octet & 0x1F, part) {
                (1, P::IssuerUniqueId) | (2, P::SubjectUniqueId) => return Some(reader.offset()),
                (3, P::Extensions) => {
                    reader.header().ok()?;
                    return Some(reader.offset());
                }
                _ => reader.skip().ok()?,
            };
        }
        None
    };
    find().unwrap_or(base)
}

/// Returns the offset of a TBSCertList component, or of the TBSCertList if the component is absent. `octets` is the
/// TBSCertList and `base` its offset.
#[cold]
#[inline(never)]
pub(super) fn list_part(octets: &[u8], base: usize, part: ListPart) -> usize {
    let session = tolerant();
    let find = || {
        let mut reader = Reader::with_session(octets, &session).ok()?.at_base(base).outlined();
        reader.header().ok()?;
        if reader.at(Tag::INTEGER) {
            if part == ListPart::Version {
                return Some(reader.offset());
            }
            reader.skip().ok()?;
        }
        // signature, issuer, thisUpdate
        reader.skip().ok()?;
        if part == ListPart::Issuer {
            return Some(reader.offset());
        }
        reader.skip().ok()?;
        reader.skip().ok()?;
        while let Some(octet) = reader.peek_octet() {
            match (octet, part) {
                (0x17 | 0x18, ListPart::NextUpdate) | (0x30, ListPart::RevokedCertificates) => {
                    return Some(reader.offset());
                }
                (0xA0, ListPart::Extensions) => {
                    reader.header().ok()?;
                    return Some(reader.offset());
                }
                _ => reader.skip().ok()?,
            };
        }
        None
    };
    find().unwrap_or(base)
}
