//! How a key goes to the holder of an RSA key (RFC 8017 §7).

use core::fmt;

use tagwise_codec::{Any, Encode, EncodeError, Tag, Writer, element_len, encode};
use tagwise_pkix::{AlgorithmIdentifier, oids};

use crate::key_type::named;
use crate::{Digest, Error, ErrorKind};

/// An encryption scheme of RSA.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_crypto::{Digest, KeyTransport};
/// use tagwise_pkix::AlgorithmIdentifier;
/// let transport = KeyTransport::Oaep(Digest::Sha256);
/// let der = transport.identifier()?;
/// assert_eq!(KeyTransport::of(&AlgorithmIdentifier::from_der(&der).unwrap())?, transport);
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyTransport {
    /// RSAES-PKCS1-v1_5 (RFC 8017 §7.2), which everybody reads. Whoever tells its errors apart becomes an oracle.
    Pkcs1,
    /// RSAES-OAEP (RFC 8017 §7.1) with one digest for label and mask, and an empty label.
    Oaep(Digest),
}

impl KeyTransport {
    /// The scheme of an identifier.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`], also for two digests and for labels; [`ErrorKind::Parameters`].
    pub fn of(identifier: &AlgorithmIdentifier<'_>) -> Result<Self, Error> {
        if identifier.algorithm == oids::RSA_ENCRYPTION {
            // RFC 3370 §4.2.1: NULL; what has none is taken too.
            let null = identifier.parameters.is_none_or(|parameters| parameters.tag() == Tag::NULL);
            return if null { Ok(Self::Pkcs1) } else { Err(Error::new(ErrorKind::Parameters, "RSAES-PKCS1-v1_5")) };
        }
        if identifier.algorithm != oids::RSAES_OAEP {
            return Err(Error::new(ErrorKind::Unsupported, named(identifier.algorithm)));
        }
        let wrong = || Error::new(ErrorKind::Parameters, "RSAES-OAEP");
        let parameters = identifier.parameters.filter(|parameters| parameters.tag() == Tag::SEQUENCE);
        // RSAES-OAEP-params ::= SEQUENCE {
        //   hashAlgorithm     [0] HashAlgorithm     DEFAULT sha1,
        //   maskGenAlgorithm  [1] MaskGenAlgorithm  DEFAULT mgf1SHA1,
        //   pSourceAlgorithm  [2] PSourceAlgorithm  DEFAULT pSpecifiedEmpty }
        let (mut digest, mut mask, mut next) = (Digest::Sha1, Digest::Sha1, 0);
        for child in parameters.ok_or_else(wrong)?.children() {
            let child = child.map_err(|error| wrong().because(error))?;
            let place =
                (next..3).find(|number| child.tag() == Tag::context(*number).constructed()).ok_or_else(wrong)?;
            next = place + 1;
            let inside: AlgorithmIdentifier<'_> =
                tagwise_codec::Decode::from_der(child.content()).map_err(|error| wrong().because(error))?;
            match place {
                0 => digest = Digest::from_identifier(&inside)?,
                1 if inside.algorithm == oids::MGF1 => {
                    let of_mask = inside.parameters.ok_or_else(wrong)?.decode_as::<AlgorithmIdentifier<'_>>();
                    mask = Digest::from_identifier(&of_mask.map_err(|error| wrong().because(error))?)?;
                }
                // An empty label is the default.
                2 if inside.algorithm == oids::P_SPECIFIED => {
                    let label = inside.parameters.ok_or_else(wrong)?;
                    if label.tag() != Tag::OCTET_STRING || !label.content().is_empty() {
                        return Err(Error::new(ErrorKind::Unsupported, "RSAES-OAEP with a label"));
                    }
                }
                _ => return Err(Error::new(ErrorKind::Unsupported, named(inside.algorithm))),
            }
        }
        if digest != mask {
            return Err(Error::new(ErrorKind::Unsupported, format_args!("RSAES-OAEP with {digest} and {mask}")));
        }
        Ok(Self::Oaep(digest))
    }

    /// The identifier in DER.
    ///
    /// # Errors
    /// [`ErrorKind::Failed`] if it has none.
    pub fn identifier(&self) -> Result<Vec<u8>, Error> {
        let failed = |error: EncodeError| Error::new(ErrorKind::Failed, self).because(error);
        let inside = match self {
            Self::Pkcs1 => vec![5, 0],
            Self::Oaep(digest) => encode(&OaepParameters(*digest)).map_err(failed)?,
        };
        let algorithm = match self {
            Self::Pkcs1 => oids::RSA_ENCRYPTION,
            Self::Oaep(_) => oids::RSAES_OAEP,
        };
        let parameters = <Any<'_> as tagwise_codec::Decode<'_>>::from_der(&inside).ok();
        encode(&AlgorithmIdentifier { algorithm, parameters }).map_err(failed)
    }
}

impl fmt::Display for KeyTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pkcs1 => f.write_str("RSAES-PKCS1-v1_5"),
            Self::Oaep(digest) => write!(f, "RSAES-OAEP with {digest}"),
        }
    }
}

/// `RSAES-OAEP-params` with one digest, DEFAULTs left out.
struct OaepParameters(Digest);

impl OaepParameters {
    fn parts(&self) -> Result<Vec<(u32, Vec<u8>)>, EncodeError> {
        if self.0 == Digest::Sha1 {
            return Ok(Vec::new());
        }
        let digest = encode(&AlgorithmIdentifier { algorithm: self.0.oid(), parameters: None })?;
        let parameters = <Any<'_> as tagwise_codec::Decode<'_>>::from_der(&digest).ok();
        let mask = encode(&AlgorithmIdentifier { algorithm: oids::MGF1, parameters })?;
        Ok(vec![(0, digest), (1, mask)])
    }
}

impl Encode for OaepParameters {
    fn encoded_len(&self) -> usize {
        let parts = self.parts().unwrap_or_default();
        let inside = parts.iter().map(|(number, part)| element_len(Tag::context(*number).constructed(), part.len()));
        element_len(Tag::SEQUENCE, inside.sum())
    }

    fn encode(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        let parts = self.parts()?;
        writer.element(Tag::SEQUENCE, |w| {
            parts
                .iter()
                .rev()
                .try_for_each(|(number, part)| w.element(Tag::context(*number).constructed(), |w| w.bytes(part)))
        })
    }
}

#[cfg(test)]
mod tests {
    use tagwise_codec::Decode;

    use super::*;

    #[test]
    fn identifiers_come_back() {
        for transport in [
            KeyTransport::Pkcs1,
            KeyTransport::Oaep(Digest::Sha1),
            KeyTransport::Oaep(Digest::Sha256),
            KeyTransport::Oaep(Digest::Sha512),
        ] {
            let der = transport.identifier().unwrap();
            assert_eq!(KeyTransport::of(&AlgorithmIdentifier::from_der(&der).unwrap()).unwrap(), transport);
        }
        // RFC 4055 §4.1: with the defaults, the parameters are an empty SEQUENCE.
        assert!(KeyTransport::Oaep(Digest::Sha1).identifier().unwrap().ends_with(&[0x30, 0]));
    }

    #[test]
    fn what_is_not_offered_is_named() {
        let of = |parameters: &[u8]| {
            let parameters = Any::from_der(parameters).ok();
            KeyTransport::of(&AlgorithmIdentifier { algorithm: oids::RSAES_OAEP, parameters }).unwrap_err().kind()
        };
        assert_eq!(of(&[]), ErrorKind::Parameters);
        assert_eq!(of(&[5, 0]), ErrorKind::Parameters);
        // SHA-256 for the label, SHA-1 for the mask.
        let digest = encode(&AlgorithmIdentifier { algorithm: oids::SHA256, parameters: None }).unwrap();
        let len = u8::try_from(digest.len()).unwrap();
        assert_eq!(of(&[&[0x30, len + 2, 0xA0, len][..], &digest].concat()), ErrorKind::Unsupported);
        // In another order, and twice.
        let empty = encode(&AlgorithmIdentifier { algorithm: oids::P_SPECIFIED, parameters: None }).unwrap();
        let len = u8::try_from(empty.len()).unwrap();
        assert_eq!(of(&[&[0x30, len + 2, 0xA2, len][..], &empty].concat()), ErrorKind::Parameters);
    }
}
