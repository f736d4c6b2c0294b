//! Message protection: signatures and password-based MACs (RFC 9810 §5.1.3, RFC 9481 §6).

use tagwise_codec::{Decode, encode};
use tagwise_crypto::{Backend, Digest, Secret, verify};
use tagwise_pkix::cmp::{CmpCertificate, ID_PASSWORD_BASED_MAC, PkiMessage, ProtectedPart};
use tagwise_pkix::crmf::PbmParameter;
use tagwise_pkix::ext::GeneralName;
use tagwise_pkix::pkcs5::{Pbkdf2Params, Pbkdf2ParamsSalt, Pbmac1Params};
use tagwise_pkix::{AlgorithmIdentifier, oids};

use super::fault::{BAD_ALG, BAD_MESSAGE_CHECK, Fault, SIGNER_NOT_TRUSTED};
use crate::refusal::Kind;
use crate::secret::{Check, Usage, is_same};
use crate::service::{Call, Client};

/// The HMAC algorithms of both kinds of MACs (RFC 9481 §6.2).
const HMACS: [(tagwise_codec::Oid<'static>, Digest); 6] = [
    (oids::HMAC_SHA1, Digest::Sha1),
    (oids::HMAC_WITH_SHA1, Digest::Sha1),
    (oids::HMAC_WITH_SHA224, Digest::Sha224),
    (oids::HMAC_WITH_SHA256, Digest::Sha256),
    (oids::HMAC_WITH_SHA384, Digest::Sha384),
    (oids::HMAC_WITH_SHA512, Digest::Sha512),
];

/// The longest key that PBMAC1 may derive.
const KEY: u64 = 64;

/// The MAC of a client, with which responses are protected too.
pub(super) struct Mac {
    /// The AlgorithmIdentifier in DER.
    pub(super) algorithm: Vec<u8>,
    /// The reference to the secret.
    pub(super) reference: Vec<u8>,
    secret: Secret,
}

impl Mac {
    pub(super) fn of(&self, backend: &dyn Backend, most: u32, message: &[u8]) -> Result<Vec<u8>, Fault> {
        let algorithm = AlgorithmIdentifier::from_der(&self.algorithm).map_err(Fault::malformed)?;
        mac(backend, &algorithm, self.secret.expose(), most, message)
    }
}

/// The header and body as they are protected (RFC 9810 §5.1.3).
pub(super) fn protected(message: &PkiMessage<'_>) -> Result<Vec<u8>, Fault> {
    encode(&ProtectedPart { header: message.header, body: message.body }).map_err(Fault::internal)
}

fn hmac_of(algorithm: &AlgorithmIdentifier<'_>) -> Result<Digest, Fault> {
    let found = HMACS.iter().find(|(oid, _)| *oid == algorithm.algorithm);
    found.map(|(_, digest)| *digest).ok_or_else(|| Fault::new(BAD_ALG, "the MAC algorithm is not supported"))
}

/// Computes a password-based MAC. `most` limits the iterations, which the client chooses.
fn mac(
    backend: &dyn Backend,
    algorithm: &AlgorithmIdentifier<'_>,
    secret: &[u8],
    most: u32,
    message: &[u8],
) -> Result<Vec<u8>, Fault> {
    let wrong = |what: &str| Fault::new(BAD_ALG, what);
    let parameters = algorithm.parameters.ok_or_else(|| wrong("the protection has no parameters"))?;
    let iterations = |count: u64| {
        let count = u32::try_from(count).ok().filter(|count| (1..=most).contains(count));
        count.ok_or_else(|| Fault::new(BAD_ALG, format!("unaccepted number of iterations, expected 1 to {most}")))
    };
    let (key, digest) = if algorithm.algorithm == ID_PASSWORD_BASED_MAC {
        let read: PbmParameter<'_> = parameters.decode_as().map_err(Fault::malformed)?;
        let digest = Digest::from_identifier(&read.owf).map_err(|error| wrong(&error.to_string()))?;
        let count = iterations(read.iteration_count)?;
        let mut key = Secret::from([secret, read.salt.as_bytes()].concat());
        for _ in 0..count {
            key = Secret::from(backend.digest(digest, key.expose()).map_err(Fault::internal)?);
        }
        (key, hmac_of(&read.mac)?)
    } else if algorithm.algorithm == oids::PBMAC1 {
        let read: Pbmac1Params<'_> = parameters.decode_as().map_err(Fault::malformed)?;
        if read.key_derivation_func.algorithm != oids::PBKDF2 {
            return Err(wrong("the key derivation is not supported, expected PBKDF2 (RFC 9481 §6.1.2)"));
        }
        let inner = read.key_derivation_func.parameters.ok_or_else(|| wrong("PBKDF2 has no parameters"))?;
        let inner: Pbkdf2Params<'_> = inner.decode_as().map_err(Fault::malformed)?;
        let Pbkdf2ParamsSalt::Specified(salt) = inner.salt else { return Err(wrong("the salt is not specified")) };
        let len = inner.key_length.filter(|len| *len <= KEY).and_then(|len| usize::try_from(len).ok());
        let len = len.ok_or_else(|| wrong("unaccepted key length of PBKDF2, expected 1 to 64"))?;
        let mut key = Secret::zeroed(len);
        let (prf, count) = (hmac_of(&inner.prf)?, iterations(inner.iteration_count)?);
        backend.pbkdf2(prf, secret, salt.as_bytes(), count, key.expose_mut()).map_err(Fault::internal)?;
        (key, hmac_of(&read.message_auth_scheme)?)
    } else {
        return Err(wrong("the protection algorithm is not supported"));
    };
    let mut hasher = backend.hmac(digest, key.expose()).map_err(Fault::internal)?;
    hasher.update(message);
    hasher.finish().map_err(Fault::internal)
}

/// Verifies the protection of a message. Returns its sender, and the MAC if it has one.
pub(super) fn authenticate(call: &mut Call<'_>, message: &PkiMessage<'_>) -> Result<(Client, Option<Mac>), Fault> {
    let unprotected = || Fault::new(BAD_MESSAGE_CHECK, "the message is not protected");
    let header = &*message.header;
    let algorithm = header.protection_alg.ok_or_else(unprotected)?;
    let protection = message.protection.ok_or_else(unprotected)?.octets().ok_or_else(unprotected)?;
    let signed = protected(message)?;
    let is_mac = algorithm.algorithm == ID_PASSWORD_BASED_MAC || algorithm.algorithm == oids::PBMAC1;
    if !is_mac {
        return signer(call, message, &algorithm, &signed, protection).map(|client| (client, None));
    }
    // RFC 9483 §3.1: the identifier of the shared secret.
    let reference = header.sender_kid.ok_or_else(|| Fault::new(BAD_MESSAGE_CHECK, "the message has no senderKID"))?;
    let reference = reference.as_bytes();
    let id = core::str::from_utf8(reference).map_err(|_| Fault::from(crate::refusal::Refusal::unauthenticated()))?;
    let credential = call.check().find(Usage::Shared, id)?;
    let algorithm = encode(&algorithm).map_err(Fault::internal)?;
    let own = Mac { algorithm, reference: reference.to_vec(), secret: Check::shared(&credential)? };
    let expected = own.of(call.service.backend, call.service.policy.cmp_iterations, &signed)?;
    if !is_same(&expected, protection) {
        return Err(call.check().failed(id).into());
    }
    Ok((Client::Secret(Box::new(credential)), Some(own)))
}

/// Verifies a signature. The signer's certificate is the first of extraCerts (RFC 9483 §3.3).
fn signer(
    call: &mut Call<'_>,
    message: &PkiMessage<'_>,
    algorithm: &AlgorithmIdentifier<'_>,
    signed: &[u8],
    signature: &[u8],
) -> Result<Client, Fault> {
    let missing =
        || Fault::new(SIGNER_NOT_TRUSTED, "the signer's certificate is missing in extraCerts (RFC 9483 §3.3)");
    let first = message.extra_certs.as_ref().and_then(|list| list.iter().next()).ok_or_else(missing)?;
    let CmpCertificate::X509(raw) = first.map_err(Fault::malformed)? else { return Err(missing()) };
    let certificate = raw.get().map_err(Fault::malformed)?;
    let tbs = &certificate.tbs_certificate;
    let done = verify(call.service.backend, &tbs.subject_public_key_info, algorithm, signed, signature);
    done.map_err(|error| match error.kind() {
        tagwise_crypto::ErrorKind::Signature => {
            Fault::new(BAD_MESSAGE_CHECK, "the signature of the message is invalid")
        }
        _ => Fault::new(BAD_ALG, error.to_string()),
    })?;
    // RFC 9483 §3.1: the sender is the certificate's subject.
    if !matches!(message.header.sender, GeneralName::DirectoryName(name) if name.matches(&tbs.subject)) {
        return Err(Fault::new(BAD_MESSAGE_CHECK, "the sender is not the subject of its certificate (RFC 9483 §3.1)"));
    }
    let der = raw.as_bytes().ok_or_else(missing)?;
    call.certificate(der).map_err(|refusal| match refusal.kind {
        Kind::Unauthenticated => Fault::new(SIGNER_NOT_TRUSTED, refusal.detail),
        _ => refusal.into(),
    })
}
