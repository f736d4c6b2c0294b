//! Unsigned values: the to-be-signed bytes, and a method that attaches the signature.

use tagwise_codec::{BitStr, Encode, EncodeError, Tag, Writer, element_len, encode, explicit_len};

use super::BuildError;

/// An unsigned certificate, CRL or request, which share a common structure (RFC 5280 §4.1, §5.1; RFC 2986 §4.2), or an
/// unsigned OCSP message, in which certificates may follow the signature.
///
/// ```asn1
/// SIGNED ::= SEQUENCE {
///      tbs                  ANY,
///      signatureAlgorithm   AlgorithmIdentifier,
///      signature            BIT STRING  }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsigned {
    /// The bytes to sign, the encoded algorithm, and the bytes after the signature.
    octets: Vec<u8>,
    /// The offset of the algorithm.
    algorithm: usize,
    /// The offset of the bytes that follow the signature.
    behind: usize,
    frame: Frame,
}

/// The structure that encloses the to-be-signed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// `SEQUENCE { tbs, algorithm, signature }`
    Signed,
    /// `OCSPRequest`: the algorithm and signature form a separate SEQUENCE, in `[0]`.
    OcspRequest,
    /// `OCSPResponse`, with a `BasicOCSPResponse` in its OCTET STRING.
    OcspResponse,
}

impl Unsigned {
    pub(super) fn new(tbs: &impl Encode, algorithm: &impl Encode) -> Result<Self, EncodeError> {
        Self::framed(tbs, algorithm, &[], Frame::Signed)
    }

    pub(super) fn framed(
        tbs: &impl Encode,
        algorithm: &impl Encode,
        behind: &[u8],
        frame: Frame,
    ) -> Result<Self, EncodeError> {
        let octets = encode(&Joined { tbs, algorithm, behind })?;
        let behind = octets.len() - behind.len();
        Ok(Self { algorithm: behind - algorithm.encoded_len(), octets, behind, frame })
    }

    /// Returns the to-be-signed bytes.
    #[must_use]
    pub fn tbs(&self) -> &[u8] {
        self.octets.get(..self.algorithm).unwrap_or_default()
    }

    /// Returns the signature AlgorithmIdentifier, in DER.
    #[must_use]
    pub fn algorithm(&self) -> &[u8] {
        self.octets.get(self.algorithm..self.behind).unwrap_or_default()
    }

    fn behind(&self) -> &[u8] {
        self.octets.get(self.behind..).unwrap_or_default()
    }

    /// Returns the complete value with the given signature, which must be encoded as its algorithm requires: for ECDSA and DSA,
    /// a SEQUENCE of two INTEGERs. The signature is not verified.
    ///
    /// # Errors
    /// Returns an error if the value exceeds [`Budget::DEFAULT`](tagwise_codec::Budget::DEFAULT).
    pub fn attach(&self, signature: &[u8]) -> Result<Vec<u8>, BuildError> {
        let signed = Signed { unsigned: self, signature: BitStr::from_octets(signature) };
        Ok(match self.frame {
            Frame::Signed | Frame::OcspRequest => encode(&signed)?,
            Frame::OcspResponse => encode(&Successful(signed))?,
        })
    }
}

/// A value that is already encoded.
pub(super) struct Encoded<'a>(pub(super) &'a [u8]);

impl Encode for Encoded<'_> {
    fn encoded_len(&self) -> usize {
        self.0.len()
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.0)
    }
}

/// The parts of a value, concatenated in one allocation.
struct Joined<'a, T, A> {
    tbs: &'a T,
    algorithm: &'a A,
    behind: &'a [u8],
}

impl<T: Encode, A: Encode> Encode for Joined<'_, T, A> {
    fn encoded_len(&self) -> usize {
        self.tbs.encoded_len() + self.algorithm.encoded_len() + self.behind.len()
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.behind)?;
        writer.write(self.algorithm)?;
        writer.write(self.tbs)
    }
}

struct Signed<'a> {
    unsigned: &'a Unsigned,
    signature: BitStr<'a>,
}

impl Signed<'_> {
    /// Returns the length of the algorithm, the signature and the bytes that follow it.
    fn seal_len(&self) -> usize {
        self.unsigned.octets.len() - self.unsigned.algorithm + self.signature.encoded_len()
    }

    fn seal(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.bytes(self.unsigned.behind())?;
        writer.write(&self.signature)?;
        writer.bytes(self.unsigned.algorithm())
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
        element_len(Tag::SEQUENCE, self.unsigned.tbs().len() + seal)
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.element(Tag::SEQUENCE, |w| {
            if self.unsigned.frame == Frame::OcspRequest {
                w.element(Tag::context(0).constructed(), |w| w.element(Tag::SEQUENCE, |w| self.seal(w)))?;
            } else {
                self.seal(w)?;
            }
            w.bytes(self.unsigned.tbs())
        })
    }
}

/// A successful OCSP response with a basic response: `OCSPResponse ::= SEQUENCE { responseStatus ENUMERATED, responseBytes [0]
/// SEQUENCE { responseType, response OCTET STRING } }`.
struct Successful<'a>(Signed<'a>);

impl Successful<'_> {
    fn bytes_len(&self) -> usize {
        let id = tagwise_messages::ocsp::ID_PKIX_OCSP_BASIC.encoded_len();
        element_len(Tag::SEQUENCE, id + explicit_len(Tag::OCTET_STRING, &self.0))
    }
}

impl Encode for Successful<'_> {
    fn encoded_len(&self) -> usize {
        let bytes = element_len(Tag::context(0).constructed(), self.bytes_len());
        element_len(Tag::SEQUENCE, tagwise_messages::ocsp::OcspResponseStatus::Successful.encoded_len() + bytes)
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.element(Tag::SEQUENCE, |w| {
            w.element(Tag::context(0).constructed(), |w| {
                w.element(Tag::SEQUENCE, |w| {
                    w.element(Tag::OCTET_STRING, |w| w.write(&self.0))?;
                    w.write(&tagwise_messages::ocsp::ID_PKIX_OCSP_BASIC)
                })
            })?;
            w.write(&tagwise_messages::ocsp::OcspResponseStatus::Successful)
        })
    }
}
