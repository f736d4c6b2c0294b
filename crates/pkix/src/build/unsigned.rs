//! What is to be signed, and what it becomes with a signature.

use tagwise_codec::{BitStr, Encode, EncodeError, Tag, Writer, element_len, encode, explicit_len};

use super::BuildError;

/// ```asn1
/// SIGNED ::= SEQUENCE {
///      tbs                  ANY,
///      signatureAlgorithm   AlgorithmIdentifier,
///      signature            BIT STRING  }
/// ```
///
/// The frame that certificates, CRLs and requests share (RFC 5280 §4.1, §5.1; RFC 2986 §4.2), but for its signature; and the
/// frames of OCSP, which have certificates behind the signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsigned {
    tbs: Vec<u8>,
    algorithm: Vec<u8>,
    /// What stands behind the signature, as octets.
    behind: Vec<u8>,
    frame: Frame,
}

/// What is around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// `SEQUENCE { tbs, algorithm, signature }`
    Signed,
    /// `OCSPRequest`: algorithm and signature are a SEQUENCE of their own, in `[0]`.
    OcspRequest,
    /// `OCSPResponse` with a `BasicOCSPResponse` in its OCTET STRING.
    OcspResponse,
}

impl Unsigned {
    pub(super) const fn new(tbs: Vec<u8>, algorithm: Vec<u8>) -> Self {
        Self { tbs, algorithm, behind: Vec::new(), frame: Frame::Signed }
    }

    pub(super) const fn framed(tbs: Vec<u8>, algorithm: Vec<u8>, behind: Vec<u8>, frame: Frame) -> Self {
        Self { tbs, algorithm, behind, frame }
    }

    /// The octets that a signature is to be of.
    #[must_use]
    pub fn tbs(&self) -> &[u8] {
        &self.tbs
    }

    /// The algorithm identifier that the signature must be of, in DER.
    #[must_use]
    pub fn algorithm(&self) -> &[u8] {
        &self.algorithm
    }

    /// The whole, with the octets of its signature as the algorithm encodes them: for ECDSA and DSA the SEQUENCE of two INTEGERs.
    /// Nothing here verifies the signature.
    ///
    /// # Errors
    /// If it were larger than [`Budget::DEFAULT`](tagwise_codec::Budget::DEFAULT) allows.
    pub fn attach(&self, signature: &[u8]) -> Result<Vec<u8>, BuildError> {
        let signed = Signed { unsigned: self, signature: BitStr::from_octets(signature) };
        Ok(match self.frame {
            Frame::Signed | Frame::OcspRequest => encode(&signed)?,
            Frame::OcspResponse => encode(&Successful(signed))?,
        })
    }
}

struct Signed<'a> {
    unsigned: &'a Unsigned,
    signature: BitStr<'a>,
}

impl Signed<'_> {
    /// Algorithm, signature, and what is behind it.
    fn seal_len(&self) -> usize {
        self.unsigned.algorithm.len() + self.signature.encoded_len() + self.unsigned.behind.len()
    }

    fn seal(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(&self.unsigned.behind)?;
        writer.write(&self.signature)?;
        writer.bytes(&self.unsigned.algorithm)
    }
}

impl Encode for Signed<'_> {
    fn encoded_len(&self) -> usize {
        let seal = match self.unsigned.frame {
            Frame::OcspRequest => {
                element_len(Tag::context(0).constructed(), element_len(Tag::SEQUENCE, self.seal_len()))
            }
            Frame::Signed | Frame::OcspResponse => self.seal_len(),
        };
        element_len(Tag::SEQUENCE, self.unsigned.tbs.len() + seal)
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.element(Tag::SEQUENCE, |w| {
            if self.unsigned.frame == Frame::OcspRequest {
                w.element(Tag::context(0).constructed(), |w| w.element(Tag::SEQUENCE, |w| self.seal(w)))?;
            } else {
                self.seal(w)?;
            }
            w.bytes(&self.unsigned.tbs)
        })
    }
}

/// `OCSPResponse ::= SEQUENCE { responseStatus ENUMERATED, responseBytes [0] SEQUENCE { responseType, response OCTET STRING } }`,
/// successful, with a basic response.
struct Successful<'a>(Signed<'a>);

impl Successful<'_> {
    fn bytes_len(&self) -> usize {
        let id = crate::ocsp::ID_PKIX_OCSP_BASIC.encoded_len();
        element_len(Tag::SEQUENCE, id + explicit_len(Tag::OCTET_STRING, &self.0))
    }
}

impl Encode for Successful<'_> {
    fn encoded_len(&self) -> usize {
        let bytes = element_len(Tag::context(0).constructed(), self.bytes_len());
        element_len(Tag::SEQUENCE, crate::ocsp::OcspResponseStatus::Successful.encoded_len() + bytes)
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.element(Tag::SEQUENCE, |w| {
            w.element(Tag::context(0).constructed(), |w| {
                w.element(Tag::SEQUENCE, |w| {
                    w.element(Tag::OCTET_STRING, |w| w.write(&self.0))?;
                    w.write(&crate::ocsp::ID_PKIX_OCSP_BASIC)
                })
            })?;
            w.write(&crate::ocsp::OcspResponseStatus::Successful)
        })
    }
}
