//! What is to be signed, and what it becomes with a signature.

use tagwise_codec::{BitStr, Encode, EncodeError, Tag, Writer, element_len, encode};

use super::BuildError;

/// ```asn1
/// SIGNED ::= SEQUENCE {
///      tbs                  ANY,
///      signatureAlgorithm   AlgorithmIdentifier,
///      signature            BIT STRING  }
/// ```
///
/// The frame that certificates, CRLs and requests share (RFC 5280 §4.1, §5.1; RFC 2986 §4.2), but for its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsigned {
    tbs: Vec<u8>,
    algorithm: Vec<u8>,
}

impl Unsigned {
    pub(super) const fn new(tbs: Vec<u8>, algorithm: Vec<u8>) -> Self {
        Self { tbs, algorithm }
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
        Ok(encode(&Signed { unsigned: self, signature: BitStr::from_octets(signature) })?)
    }
}

struct Signed<'a> {
    unsigned: &'a Unsigned,
    signature: BitStr<'a>,
}

impl Encode for Signed<'_> {
    fn encoded_len(&self) -> usize {
        let inside = self.unsigned.tbs.len() + self.unsigned.algorithm.len() + self.signature.encoded_len();
        element_len(Tag::SEQUENCE, inside)
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        writer.element(Tag::SEQUENCE, |w| {
            w.write(&self.signature)?;
            w.bytes(&self.unsigned.algorithm)?;
            w.bytes(&self.unsigned.tbs)
        })
    }
}
