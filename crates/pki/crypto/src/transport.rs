//! RSA key transport (RFC 8017 §7).
//!
//! OAEP labels are not part of the scheme because they are rarely used. The scheme can therefore be `Copy`.

use core::fmt;

use tagwise_codec::{Any, Decode, EncodeError, Options, Rule, Tag, encode};
use tagwise_pkix::pss::{NULL_OCTET_STRING, RsaesOaepParams};
use tagwise_pkix::{AlgorithmIdentifier, oids};

use crate::error::named;
use crate::{Digest, Error, ErrorKind};

/// An RSA encryption scheme.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_crypto::{Digest, KeyTransport, OaepParameters};
/// use tagwise_pkix::AlgorithmIdentifier;
/// let transport = KeyTransport::Oaep(OaepParameters::of(Digest::Sha256));
/// let der = transport.identifier()?;
/// assert_eq!(KeyTransport::of(&AlgorithmIdentifier::from_der(&der).unwrap())?, transport);
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyTransport {
    /// RSAES-PKCS1-v1_5 (RFC 8017 §7.2), which is universally supported. Revealing its errors creates a decryption
    /// oracle.
    Pkcs1,
    /// RSAES-OAEP (RFC 8017 §7.1).
    Oaep(OaepParameters),
}

/// RSAES-OAEP parameters (RFC 4055 §4.1) without the label.
///
/// ```
/// use tagwise_crypto::{Digest, KeyTransport, OaepParameters};
/// // What Java calls `OAEPWithSHA-256AndMGF1Padding`.
/// let java = OaepParameters { digest: Digest::Sha256, mask: Digest::Sha1 };
/// assert_eq!(KeyTransport::Oaep(java).to_string(), "RSAES-OAEP with SHA-256, MGF1 SHA-1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OaepParameters {
    /// The hash function for the label.
    pub digest: Digest,
    /// The hash function that the mask generation function MGF1 uses.
    pub mask: Digest,
}

impl OaepParameters {
    /// Creates parameters with the same digest for label and mask, which is the usual choice.
    #[must_use]
    pub const fn of(digest: Digest) -> Self {
        Self { digest, mask: digest }
    }
}

impl KeyTransport {
    /// Returns the scheme for an identifier without a label.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`] for other algorithms and for labels, and [`ErrorKind::Parameters`] for invalid
    /// parameters.
    pub fn of(identifier: &AlgorithmIdentifier<'_>) -> Result<Self, Error> {
        match Self::labeled(identifier)? {
            (transport, []) => Ok(transport),
            (transport, _) => Err(Error::new(ErrorKind::Unsupported, format_args!("{transport} with a label"))),
        }
    }

    /// Returns the scheme for an identifier, and the RSAES-OAEP label (RFC 4055 §4.1, pSourceFunc), which is usually empty.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Unsupported`] for other algorithms, and [`ErrorKind::Parameters`] for invalid parameters.
    pub fn labeled<'a>(identifier: &AlgorithmIdentifier<'a>) -> Result<(Self, &'a [u8]), Error> {
        if identifier.algorithm == oids::RSA_ENCRYPTION {
            // RFC 3370 §4.2.1: NULL; absent parameters are also accepted.
            let null = identifier.parameters.is_none_or(|parameters| parameters.tag() == Tag::NULL);
            return if null {
                Ok((Self::Pkcs1, &[]))
            } else {
                Err(Error::new(ErrorKind::Parameters, "RSAES-PKCS1-v1_5"))
            };
        }
        if identifier.algorithm != oids::RSAES_OAEP {
            return Err(Error::new(ErrorKind::Unsupported, named(identifier.algorithm)));
        }
        let parameters = identifier.parameters.ok_or_else(|| Error::new(ErrorKind::Parameters, "RSAES-OAEP"))?;
        oaep(&parameters).map(|(oaep, label)| (Self::Oaep(oaep), label))
    }

    /// Encodes the AlgorithmIdentifier in DER.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Failed`] if the scheme has no identifier.
    pub fn identifier(&self) -> Result<Vec<u8>, Error> {
        let written = match self {
            Self::Pkcs1 => {
                encode(&AlgorithmIdentifier { algorithm: oids::RSA_ENCRYPTION, parameters: Some(Any::null(0)) })
            }
            Self::Oaep(parameters) => oaep_identifier(parameters),
        };
        written.map_err(|error| Error::new(ErrorKind::Failed, self).because(error))
    }
}

impl fmt::Display for KeyTransport {
    /// Displays the scheme, such as `RSAES-PKCS1-v1_5`, `RSAES-OAEP with SHA-256` or `RSAES-OAEP with SHA-256, MGF1 SHA-1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pkcs1 => f.write_str("RSAES-PKCS1-v1_5"),
            Self::Oaep(OaepParameters { digest, mask }) if digest == mask => write!(f, "RSAES-OAEP with {digest}"),
            Self::Oaep(OaepParameters { digest, mask }) => write!(f, "RSAES-OAEP with {digest}, MGF1 {mask}"),
        }
    }
}

/// Decodes the parameters of RSAES-OAEP, and returns them with the label.
fn oaep<'a>(parameters: &Any<'a>) -> Result<(OaepParameters, &'a [u8]), Error> {
    let wrong = || Error::new(ErrorKind::Parameters, "RSAES-OAEP");
    // RFC 4055 §4.1: recipients must accept encoded DEFAULT values, which DER does not allow.
    let options = Options::der().allow(&Rule::DEFAULT_ENCODED);
    let read = options.decode::<RsaesOaepParams<'a>>(parameters.as_bytes());
    let read = read.map_err(|error| wrong().because(error))?.value;
    let digest = Digest::from_identifier(&read.hash_func)?;
    let mask = read.mask_gen_func;
    if mask.algorithm != oids::MGF1 {
        return Err(Error::new(ErrorKind::Unsupported, named(mask.algorithm)));
    }
    let inside = mask.parameters.ok_or_else(wrong)?.decode_as::<AlgorithmIdentifier<'_>>();
    let mask = Digest::from_identifier(&inside.map_err(|error| wrong().because(error))?)?;
    let source = read.p_source_func;
    if source.algorithm != oids::P_SPECIFIED {
        return Err(Error::new(ErrorKind::Unsupported, named(source.algorithm)));
    }
    let label = source.parameters.filter(|label| label.tag() == Tag::OCTET_STRING).ok_or_else(wrong)?;
    Ok((OaepParameters { digest, mask }, label.content()))
}

fn oaep_identifier(parameters: &OaepParameters) -> Result<Vec<u8>, EncodeError> {
    // RFC 4055 §2.1: without parameters, but for SHA-1 in DEFAULTs, where they are NULL.
    let digest = |digest: Digest| AlgorithmIdentifier {
        algorithm: digest.oid(),
        parameters: (digest == Digest::Sha1).then_some(Any::null(0)),
    };
    let of_mask = encode(&digest(parameters.mask))?;
    let label = encode(&NULL_OCTET_STRING)?;
    let inside = encode(&RsaesOaepParams {
        hash_func: digest(parameters.digest),
        mask_gen_func: AlgorithmIdentifier { algorithm: oids::MGF1, parameters: Any::from_der(&of_mask).ok() },
        p_source_func: AlgorithmIdentifier { algorithm: oids::P_SPECIFIED, parameters: Any::from_der(&label).ok() },
    })?;
    encode(&AlgorithmIdentifier { algorithm: oids::RSAES_OAEP, parameters: Any::from_der(&inside).ok() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parameters: &[u8]) -> Result<KeyTransport, ErrorKind> {
        let parameters = Any::from_der(parameters).ok();
        let identifier = AlgorithmIdentifier { algorithm: oids::RSAES_OAEP, parameters };
        KeyTransport::of(&identifier).map_err(|error| error.kind())
    }

    /// Returns a constructed element in DER, of one byte of length.
    fn element(tag: u8, content: &[&[u8]]) -> Vec<u8> {
        let content = content.concat();
        assert!(content.len() < 0x80);
        [&[tag, content.len() as u8][..], &content].concat()
    }

    /// Returns a digest's identifier in DER, with NULL or without parameters.
    fn identifier(digest: Digest, null: bool) -> Vec<u8> {
        let parameters = null.then_some(Any::null(0));
        encode(&AlgorithmIdentifier { algorithm: digest.oid(), parameters }).unwrap()
    }

    fn mgf1(digest: &[u8]) -> Vec<u8> {
        element(0x30, &[&encode(&oids::MGF1).unwrap(), digest])
    }

    const SHA256_SHA1: OaepParameters = OaepParameters { digest: Digest::Sha256, mask: Digest::Sha1 };
    const SHA1_SHA256: OaepParameters = OaepParameters { digest: Digest::Sha1, mask: Digest::Sha256 };

    #[test]
    fn identifiers_come_back() {
        let oaep = Digest::ALL
            .iter()
            .copied()
            .flat_map(|digest| Digest::ALL.iter().map(move |mask| OaepParameters { digest, mask: *mask }));
        for transport in oaep.map(KeyTransport::Oaep).chain([KeyTransport::Pkcs1]) {
            let der = transport.identifier().unwrap();
            assert_eq!(KeyTransport::of(&AlgorithmIdentifier::from_der(&der).unwrap()).unwrap(), transport);
        }
    }

    /// What is DEFAULT is not written, each for itself.
    #[test]
    fn defaults_are_left_out() {
        let parameters = |parameters| KeyTransport::Oaep(parameters).identifier().unwrap().split_off(13);
        // RFC 4055 §4.1: with the defaults, the parameters are an empty SEQUENCE.
        assert_eq!(parameters(OaepParameters::of(Digest::Sha1)), [0x30, 0]);
        let sha256 = identifier(Digest::Sha256, false);
        let hash = element(0xA0, &[&sha256]);
        let mask = element(0xA1, &[&mgf1(&sha256)]);
        assert_eq!(parameters(SHA256_SHA1), element(0x30, &[&hash]));
        assert_eq!(parameters(SHA1_SHA256), element(0x30, &[&mask]));
        assert_eq!(parameters(OaepParameters::of(Digest::Sha256)), element(0x30, &[&hash, &mask]));
    }

    /// DEFAULTs that are there, and NULL or nothing beside digests (RFC 4055 §2.1).
    #[test]
    fn what_others_write_is_read() {
        let source = element(0xA2, &[&element(0x30, &[&encode(&oids::P_SPECIFIED).unwrap(), &[4, 0]])]);
        for null in [false, true] {
            let hash = element(0xA0, &[&identifier(Digest::Sha256, null)]);
            let mask = element(0xA1, &[&mgf1(&identifier(Digest::Sha1, null))]);
            assert_eq!(of(&element(0x30, &[&hash, &mask, &source])), Ok(KeyTransport::Oaep(SHA256_SHA1)), "{null}");
            let hash = element(0xA0, &[&identifier(Digest::Sha1, null)]);
            assert_eq!(
                of(&element(0x30, &[&hash, &mask])),
                Ok(KeyTransport::Oaep(OaepParameters::of(Digest::Sha1))),
                "{null}"
            );
        }
    }

    #[test]
    fn what_is_not_offered_is_named() {
        // RFC 4055 §4.1: the parameters are there, and a SEQUENCE.
        assert_eq!(of(&[]), Err(ErrorKind::Parameters));
        assert_eq!(of(&[5, 0]), Err(ErrorKind::Parameters));
        let source = |algorithm, label: &[u8]| {
            element(0x30, &[&element(0xA2, &[&element(0x30, &[&encode(&algorithm).unwrap(), label])])])
        };
        // A label of one octet.
        assert_eq!(of(&source(oids::P_SPECIFIED, &[4, 1, 0])), Err(ErrorKind::Unsupported));
        // A label that is none: absent, and NULL.
        assert_eq!(of(&source(oids::P_SPECIFIED, &[])), Err(ErrorKind::Parameters));
        assert_eq!(of(&source(oids::P_SPECIFIED, &[5, 0])), Err(ErrorKind::Parameters));
        // A label from elsewhere.
        assert_eq!(of(&source(oids::MGF1, &[4, 0])), Err(ErrorKind::Unsupported));
        // MGF1 without a digest.
        assert_eq!(of(&element(0x30, &[&element(0xA1, &[&mgf1(&[])])])), Err(ErrorKind::Parameters));
        // A mask that is not MGF1's.
        let sha256 = identifier(Digest::Sha256, false);
        assert_eq!(of(&element(0x30, &[&element(0xA1, &[&sha256])])), Err(ErrorKind::Unsupported));
        // In another order, and twice.
        let (hash, mask) = (element(0xA0, &[&sha256]), element(0xA1, &[&mgf1(&sha256)]));
        assert_eq!(of(&element(0x30, &[&mask, &hash])), Err(ErrorKind::Parameters));
        assert_eq!(of(&element(0x30, &[&hash, &hash])), Err(ErrorKind::Parameters));
    }
}
