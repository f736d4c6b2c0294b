//! Builds PA-PK-AS-REQ: the client's public value, if any, signed together with the request (RFC 4556 §3.2.1).

use tagwise_codec::{Any, Decode as _, OctetStr, Oid, SeqOf, encode};
use tagwise_crypto::cms::{SignedOptions, Signing, sign};
use tagwise_crypto::{Backend, Digest};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};

use crate::KerberosTime;
use crate::agreement::Private;
use crate::pkinit::{AuthPack, KdfAlgorithmId, PaChecksum2, PaPkAsReq, PkAuthenticator};

use super::super::{ClientError, Moment};
use super::{Pkinit, trust};

/// The signature algorithms that the KDC may use, in order of preference. If a client names none, Heimdal's KDC signs with SHA-1. A
/// digest is listed with its signature algorithms, because a signer has only one digest (RFC 8933 §3).
const SUPPORTED: [AlgorithmIdentifier<'static>; 9] = [
    plain(oids::SHA256),
    rsa(oids::SHA256_WITH_RSA_ENCRYPTION),
    plain(oids::ECDSA_WITH_SHA256),
    plain(oids::SHA384),
    rsa(oids::SHA384_WITH_RSA_ENCRYPTION),
    plain(oids::ECDSA_WITH_SHA384),
    plain(oids::SHA512),
    rsa(oids::SHA512_WITH_RSA_ENCRYPTION),
    plain(oids::ECDSA_WITH_SHA512),
];

const fn plain(algorithm: Oid<'static>) -> AlgorithmIdentifier<'static> {
    AlgorithmIdentifier { algorithm, parameters: None }
}

/// Returns an RSA algorithm identifier, whose parameters are NULL (RFC 4055 §5).
const fn rsa(algorithm: Oid<'static>) -> AlgorithmIdentifier<'static> {
    AlgorithmIdentifier { algorithm, parameters: Some(Any::null(0)) }
}

/// The content of an AuthPack.
pub(super) struct Request<'a> {
    pub(super) backend: &'a dyn Backend,
    pub(super) pkinit: &'a Pkinit,
    /// The private value for key agreement, or `None` to request an enveloped key.
    pub(super) private: Option<&'a Private>,
    pub(super) now: Moment,
    pub(super) nonce: u32,
    /// The KDC-REQ-BODY as DER.
    pub(super) body: &'a [u8],
    pub(super) freshness: Option<&'a [u8]>,
    /// True to add a SHA-256 checksum, in addition to the SHA-1 checksum (MS-PKCA §2.2.3).
    pub(super) second_checksum: bool,
}

impl Request<'_> {
    /// Encodes the value of PA-PK-AS-REQ.
    pub(super) fn encode(&self) -> Result<Vec<u8>, ClientError> {
        let signed = self.signed(&self.auth_pack()?)?;
        Ok(encode(&PaPkAsReq::new(OctetStr::new(&signed)))?)
    }

    fn auth_pack(&self) -> Result<Vec<u8>, ClientError> {
        let sha1 = self.backend.digest(Digest::Sha1, self.body)?;
        let sha256 = match self.second_checksum {
            true => Some(self.backend.digest(Digest::Sha256, self.body)?),
            false => None,
        };
        // Functions for what is agreed on.
        let kdfs = self.private.map_or(&[][..], |_| &self.pkinit.kdfs);
        let kdfs: Vec<KdfAlgorithmId<'_>> = kdfs.iter().map(|kdf| KdfAlgorithmId::new(kdf.oid())).collect();
        let value = self.private.map(|private| SubjectPublicKeyInfo::from_der(private.public_key_info()));
        Ok(encode(&AuthPack {
            pk_authenticator: PkAuthenticator {
                cusec: self.now.micros,
                ctime: KerberosTime::from_unix(self.now.unix)?,
                nonce: self.nonce,
                pa_checksum: Some(OctetStr::new(&sha1)),
                additions: Default::default(),
                freshness_token: self.freshness.map(OctetStr::new),
                pa_checksum2: sha256.as_ref().map(|sha256| PaChecksum2 {
                    checksum: OctetStr::new(sha256),
                    algorithm_identifier: AlgorithmIdentifier { algorithm: Digest::Sha256.oid(), parameters: None },
                }),
            },
            client_public_value: value.transpose()?,
            supported_cms_types: Some(SeqOf::from_slice(&SUPPORTED)),
            // Private values are used once, which is what no nonce says.
            client_dh_nonce: None,
            additions: Default::default(),
            supported_kdfs: (!kdfs.is_empty()).then(|| SeqOf::from_slice(&kdfs)),
        })?)
    }

    /// Returns the SignedData, which is unsigned for the anonymous principal (RFC 8062 §4.1).
    fn signed(&self, content: &[u8]) -> Result<Vec<u8>, ClientError> {
        let options = SignedOptions { content_type: oids::PKINIT_AUTH_DATA, ..SignedOptions::DEFAULT };
        let Some(identity) = &self.pkinit.identity else {
            return Ok(sign(self.backend, content, &[], &options)?);
        };
        let certificate = trust::certificate(&identity.certificate)?;
        let sent = core::iter::once(&identity.certificate).chain(&identity.chain);
        let sent: Vec<&[u8]> = sent.map(Vec::as_slice).collect();
        let options = SignedOptions { certificates: &sent, ..options };
        Ok(sign(self.backend, content, &[Signing::new(identity.signer.as_ref(), &certificate)], &options)?)
    }
}
