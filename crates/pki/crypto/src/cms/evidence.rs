//! Revocation information in a message: in the field crls (RFC 5652 §10.2.1), and in attributes of its signers.

use std::io;

use tagwise_codec::ber::{self, Element};
use tagwise_codec::{Decode, Oid, Open, Tag, encode};
use tagwise_pkix::cms::{Limits, SignedReader, SignerInfo};
use tagwise_pkix::ocsp::{ID_PKIX_OCSP_BASIC, OcspResponse, OcspResponseStatus, ResponseBytes};
use tagwise_pkix::oids;

use super::CmsError;

/// The attributes with CRLs and OCSP responses. Both are `SEQUENCE { [0] SEQUENCE OF CertificateList, [1] SEQUENCE OF response,
/// [2] other }` with explicit tags and optional fields: ETSI EN 319 122-1 §A.1.5.2 with `BasicOCSPResponse`, and ISO 32000-2
/// §12.8.3.3.2 with `OCSPResponse`.
const ARCHIVES: [Oid<'static>; 2] = [oids::AA_ETS_REVOCATION_VALUES, oids::ADOBE_REVOCATION_INFO_ARCHIVAL];

/// The revocation information of a message, by format.
///
/// ```
/// use tagwise_crypto::cms::RevocationInfo;
/// // [1] { otherRevInfoFormat id-ri-scvp, otherRevInfo {} }
/// let scvp = b"\xA1\x0C\x06\x08\x2B\x06\x01\x05\x05\x07\x10\x04\x30\x00";
/// let found = RevocationInfo::of(vec![b"\x30\x00".to_vec(), scvp.to_vec()]);
/// assert_eq!((found.crls.len(), found.ocsp_responses.len(), &found.unused[..]), (1, 0, &["id-ri-scvp".to_owned()][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RevocationInfo {
    /// The CRLs, unchanged.
    pub crls: Vec<Vec<u8>>,
    /// The OCSP responses, each an `OCSPResponse`.
    pub ocsp_responses: Vec<Vec<u8>>,
    /// The names of the formats that are not read.
    pub unused: Vec<String>,
}

impl RevocationInfo {
    /// Sorts the elements of the field crls, each a `RevocationInfoChoice` (RFC 5652 §10.2.1).
    #[must_use]
    pub fn of(choices: Vec<Vec<u8>>) -> Self {
        let mut found = Self::default();
        for octets in choices {
            match tag(&octets) {
                Some(Tag::SEQUENCE) => found.crls.push(octets),
                _ => found.other(&octets),
            }
        }
        found
    }

    /// Reads the revocation information of signed data in BER or DER, without verifying the message. CRLs and OCSP responses need no
    /// signature of the message, because they have those of their issuers.
    ///
    /// # Errors
    /// Returns an error if the message is not signed data, is malformed, or exceeds a limit.
    ///
    /// ```
    /// use tagwise_crypto::cms::RevocationInfo;
    /// use tagwise_pkix::cms::Limits;
    /// assert!(RevocationInfo::of_message(b"\x30\x00", Limits::DEFAULT).is_err());
    /// ```
    pub fn of_message(message: &[u8], limits: Limits) -> Result<Self, CmsError> {
        let mut reader = SignedReader::with(message, limits)?;
        io::copy(&mut reader, &mut io::sink()).map_err(super::of_stream)?;
        let tail = reader.finish()?;
        let mut found = Self::of(tail.crls);
        for info in &tail.signers {
            found.add_attributes(&super::part(info).map_err(CmsError::malformed("a signer"))?);
        }
        Ok(found)
    }

    /// Adds an `OtherRevocationInfoFormat`. RFC 5940 §2.1: with id-ri-ocsp-response, it is an `OCSPResponse`.
    fn other(&mut self, octets: &[u8]) {
        let parts = children(octets);
        let format = parts.first().and_then(|part| Oid::from_der(part).ok());
        match (format, parts.get(1)) {
            (Some(oids::RI_OCSP_RESPONSE), Some(response)) => {
                let der = ber::to_der::<OcspResponse<'_>>(response).map(|der| der.into_bytes().into_owned());
                self.ocsp_responses.push(der.unwrap_or_else(|_| response.to_vec()));
            }
            (Some(format), _) => self.unused(format),
            (None, _) => self.unused.push("an unknown format".to_owned()),
        }
    }

    /// Adds the contents of a signer's attributes. They need no signature of the signer, because they have those of their issuers.
    pub(super) fn add_attributes(&mut self, signer: &SignerInfo<'_>) {
        let unsigned = signer.unsigned_attrs.iter().flat_map(|attributes| attributes.0.iter());
        let signed = signer.signed_attrs.iter().flat_map(|attributes| attributes.0.iter());
        for attribute in signed.chain(unsigned).map_while(Result::ok) {
            if ARCHIVES.contains(&attribute.attr_type) {
                for value in attribute.attr_values.iter().map_while(Result::ok) {
                    self.add_archive(value.as_bytes(), attribute.attr_type);
                }
            }
        }
    }

    fn add_archive(&mut self, archive: &[u8], format: Oid<'_>) {
        let fields = children(archive);
        let mut is_known = !fields.is_empty();
        for field in fields {
            let list = children(field).into_iter().flat_map(children);
            match tag(field) {
                Some(tag) if tag == Tag::context(0).constructed() => self.crls.extend(list.map(<[u8]>::to_vec)),
                Some(tag) if tag == Tag::context(1).constructed() => self.ocsp_responses.extend(list.map(response)),
                _ => is_known = false,
            }
        }
        if !is_known {
            self.unused(format);
        }
    }

    fn unused(&mut self, format: Oid<'_>) {
        self.unused.push(oids::lookup(format).map_or_else(|| format.to_string(), |info| info.short_name().to_owned()));
    }
}

/// Returns an OCSPResponse, which is wrapped around a BasicOCSPResponse (RFC 6960 §4.2.1).
fn response(octets: &[u8]) -> Vec<u8> {
    if children(octets).first().and_then(|first| tag(first)) == Some(Tag::ENUMERATED) {
        return octets.to_vec();
    }
    let response = Open::new(ID_PKIX_OCSP_BASIC.as_bytes(), octets);
    let response_bytes = Some(ResponseBytes { response_type: ID_PKIX_OCSP_BASIC, response });
    let whole = OcspResponse { response_status: OcspResponseStatus::Successful, response_bytes };
    encode(&whole).unwrap_or_else(|_| octets.to_vec())
}

fn tag(octets: &[u8]) -> Option<Tag> {
    Element::read(octets, 0, octets.len()).ok().map(|element| element.tag)
}

/// Returns the elements in a constructed element, up to the first malformed one.
pub(crate) fn children(octets: &[u8]) -> Vec<&[u8]> {
    let Ok(element) = Element::read(octets, 0, octets.len()) else { return Vec::new() };
    let mut parts = element.children();
    core::iter::from_fn(|| octets.get(parts.next(octets).ok()?.range())).collect()
}
