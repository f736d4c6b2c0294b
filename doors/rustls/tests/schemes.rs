//! Handshakes with each scheme that a client offers, and with schemes that do not go with the key or the version.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P521_SHA256_ASN1_SIGNING, ECDSA_P521_SHA384_ASN1_SIGNING, ECDSA_P521_SHA512_ASN1_SIGNING, EcdsaKeyPair,
};
use common::*;
use rustls::internal::msgs::codec::Codec;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::{CertifiedKey, Signer, SigningKey};
use rustls::{DigitallySignedStruct, Error, ServerConfig, SignatureAlgorithm, SignatureScheme};
use tagwise_crypto::{Backend, Digest, KeySigner, KeyType, PrivateKey, PssParameters, Scheme};
use tagwise_path::{Anchor, Anchors, CryptoVerifier, Policy, Profile};
use tagwise_pkix::build::CertificateBuilder;
use tagwise_pkix::ext::KeyUsage;
use tagwise_pkix::{UnixTime, oids};
use tagwise_rustls::{Handshake, Judge};

/// A server's certificate with a key of a kind, under a root on P-256.
struct Party {
    key: Arc<dyn PrivateKey>,
    certificate: CertificateDer<'static>,
    root: Vec<u8>,
}

impl Party {
    fn new(kind: KeyType) -> Self {
        let root_key = KeySigner::preferred(BACKEND.generate(KeyType::P256).unwrap()).unwrap();
        let root = CertificateBuilder::new().subject("CN=Root").unwrap().ca(None).self_signed(&root_key).unwrap();
        let key = BACKEND.generate(kind).unwrap();
        let builder = CertificateBuilder::new().dns("localhost").key_usage(KeyUsage::DIGITAL_SIGNATURE);
        let builder = builder.purpose(oids::KP_SERVER_AUTH).public_key(key.public_key_info()).unwrap();
        let certificate = builder.issuer(&root).unwrap().sign(&root_key).unwrap();
        Self { key, certificate: certificate.as_der().to_vec().into(), root: root.as_der().to_vec() }
    }

    /// A judge by the root, for keys of any kind.
    fn judge(&self) -> Judge<Verifying> {
        let anchors: Anchors = [Anchor::from_certificate(self.root.clone()).unwrap()].into_iter().collect();
        let mut policy = Policy::new(&Profile::RFC5280, UnixTime(0));
        policy.require_purpose(oids::KP_SERVER_AUTH);
        Judge::new(anchors, policy, CryptoVerifier(&BACKEND))
    }

    /// What rustls makes of the key.
    fn of_rustls(&self) -> Arc<dyn SigningKey> {
        let pkcs8 = self.key.to_pkcs8().unwrap();
        let der = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pkcs8.expose().to_vec()));
        provider().key_provider.load_private_key(der).unwrap()
    }
}

/// A key that signs by one scheme only, if that is offered, or whatever is.
#[derive(Debug)]
struct Only {
    key: Arc<dyn SigningKey>,
    scheme: SignatureScheme,
}

impl SigningKey for Only {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        offered.contains(&self.scheme).then(|| self.key.choose_scheme(&[self.scheme])).flatten()
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        self.key.algorithm()
    }
}

/// A key on P-521 that signs with some digest, and says that it signs by some scheme.
#[derive(Clone, Debug)]
struct Pretender {
    key: Arc<EcdsaKeyPair>,
    says: SignatureScheme,
}

impl SigningKey for Pretender {
    fn choose_scheme(&self, _: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        Some(Box::new(self.clone()))
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::ECDSA
    }
}

impl Signer for Pretender {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let signature = self.key.sign(&SystemRandom::new(), message);
        signature.map(|signature| signature.as_ref().to_vec()).map_err(|error| Error::General(error.to_string()))
    }

    fn scheme(&self) -> SignatureScheme {
        self.says
    }
}

#[derive(Debug)]
struct Resolver(Arc<CertifiedKey>);

impl ResolvesServerCert for Resolver {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.clone())
    }
}

/// A handshake with a server that has the party's certificate and a key; what the client says.
fn shake(party: &Party, key: Arc<dyn SigningKey>, tls13: bool) -> Result<(), String> {
    let certified = Arc::new(CertifiedKey::new(vec![party.certificate.clone()], key));
    let config = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(config.with_no_client_auth().with_cert_resolver(Arc::new(Resolver(certified))));
    let (client, _) = both(config, "localhost", client_config(party.judge(), None, tls13));
    client
}

/// Every scheme that is offered, with the kind of its key; whether it is one of TLS 1.2 and of 1.3.
const SCHEMES: [(SignatureScheme, KeyType, bool, bool); 13] = [
    (SignatureScheme::ECDSA_NISTP256_SHA256, KeyType::P256, true, true),
    (SignatureScheme::ECDSA_NISTP384_SHA384, KeyType::P384, true, true),
    (SignatureScheme::ECDSA_NISTP521_SHA512, KeyType::P521, true, true),
    (SignatureScheme::ED25519, KeyType::Ed25519, true, true),
    (SignatureScheme::RSA_PSS_SHA256, KeyType::Rsa(2048), true, true),
    (SignatureScheme::RSA_PSS_SHA384, KeyType::Rsa(2048), true, true),
    (SignatureScheme::RSA_PSS_SHA512, KeyType::Rsa(2048), true, true),
    (SignatureScheme::RSA_PKCS1_SHA256, KeyType::Rsa(2048), true, false),
    (SignatureScheme::RSA_PKCS1_SHA384, KeyType::Rsa(2048), true, false),
    (SignatureScheme::RSA_PKCS1_SHA512, KeyType::Rsa(2048), true, false),
    (SignatureScheme::ML_DSA_44, KeyType::MlDsa44, false, true),
    (SignatureScheme::ML_DSA_65, KeyType::MlDsa65, false, true),
    (SignatureScheme::ML_DSA_87, KeyType::MlDsa87, false, true),
];

#[test]
fn each_scheme_that_is_offered() {
    let offered = Handshake::new(provider().signature_verification_algorithms).schemes();
    assert_eq!(offered.len(), SCHEMES.len(), "{offered:?}");
    let mut rsa = None;
    for (scheme, kind, in12, in13) in SCHEMES {
        assert!(offered.contains(&scheme), "{scheme:?}");
        // Keys of RSA take long to make.
        let of_rsa;
        let party = match kind {
            KeyType::Rsa(_) => rsa.get_or_insert_with(|| Party::new(kind)),
            _ => {
                of_rsa = Party::new(kind);
                &of_rsa
            }
        };
        for (tls13, is_of_it) in [(false, in12), (true, in13)] {
            let only = Arc::new(Only { key: party.of_rustls(), scheme });
            let done = shake(party, only, tls13);
            assert_eq!(done.is_ok(), is_of_it, "{scheme:?}, TLS 1.3: {tls13}: {done:?}");
        }
    }
}

/// RFC 8446 §4.2.3: a scheme of ECDSA names the curve, and in TLS 1.2 (RFC 8422 §5.4) the digest alone.
#[test]
fn curves() {
    let party = Party::new(KeyType::P521);
    let pkcs8 = party.key.to_pkcs8().unwrap();
    for (says, algorithm, in13) in [
        (SignatureScheme::ECDSA_NISTP256_SHA256, &ECDSA_P521_SHA256_ASN1_SIGNING, false),
        (SignatureScheme::ECDSA_NISTP384_SHA384, &ECDSA_P521_SHA384_ASN1_SIGNING, false),
        (SignatureScheme::ECDSA_NISTP521_SHA512, &ECDSA_P521_SHA512_ASN1_SIGNING, true),
    ] {
        let key = Arc::new(EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.expose()).unwrap());
        let key = Arc::new(Pretender { key, says });
        assert_eq!(shake(&party, key.clone(), false), Ok(()), "{says:?}");
        let done = shake(&party, key, true);
        assert_eq!(done.is_ok(), in13, "{says:?}: {done:?}");
        assert!(done.is_ok() || done.is_err_and(|said| said.contains("NoSignatureSchemesInCommon")), "{says:?}");
    }
}

/// A signature of a message as a handshake carries it.
fn signed(scheme: SignatureScheme, signature: &[u8]) -> DigitallySignedStruct {
    let len = u16::try_from(signature.len()).unwrap();
    let octets = [&u16::from(scheme).to_be_bytes()[..], &len.to_be_bytes(), signature].concat();
    DigitallySignedStruct::read_bytes(&octets).unwrap()
}

/// Schemes by the version that they belong to, whatever rustls itself lets through.
#[test]
fn versions() {
    let handshake = Handshake::new(provider().signature_verification_algorithms);
    let message = b"a handshake";
    let pss = |digest| Scheme::RsaPss(PssParameters::of(digest));
    for (kind, by, scheme, in12, in13) in [
        (KeyType::MlDsa44, Scheme::MlDsa44, SignatureScheme::ML_DSA_44, false, true),
        (KeyType::MlDsa65, Scheme::MlDsa65, SignatureScheme::ML_DSA_65, false, true),
        (KeyType::MlDsa87, Scheme::MlDsa87, SignatureScheme::ML_DSA_87, false, true),
        (KeyType::Ed25519, Scheme::Ed25519, SignatureScheme::ED25519, true, true),
        (KeyType::Rsa(2048), pss(Digest::Sha256), SignatureScheme::RSA_PSS_SHA256, true, true),
        (KeyType::Rsa(2048), Scheme::RsaPkcs1(Digest::Sha256), SignatureScheme::RSA_PKCS1_SHA256, true, false),
        (KeyType::Rsa(2048), Scheme::RsaPkcs1(Digest::Sha1), SignatureScheme::RSA_PKCS1_SHA1, false, false),
        (KeyType::P256, Scheme::Ecdsa(Digest::Sha256), SignatureScheme::ECDSA_NISTP256_SHA256, true, true),
        // Schemes of the wrong kind of key.
        (KeyType::P256, Scheme::Ecdsa(Digest::Sha256), SignatureScheme::ED25519, false, false),
        (KeyType::Ed25519, Scheme::Ed25519, SignatureScheme::RSA_PSS_SHA256, false, false),
        (KeyType::MlDsa44, Scheme::MlDsa44, SignatureScheme::ML_DSA_65, false, false),
        (KeyType::Rsa(2048), pss(Digest::Sha384), SignatureScheme::RSA_PSS_SHA256, false, false),
        (KeyType::P256, Scheme::Ecdsa(Digest::Sha256), SignatureScheme::Unknown(0x0403 + 0x4000), false, false),
    ] {
        let party = Party::new(kind);
        // No backend signs with SHA-1.
        let Ok(signature) = party.key.sign(&by, message) else {
            assert_eq!(scheme, SignatureScheme::RSA_PKCS1_SHA1);
            continue;
        };
        let dss = signed(scheme, &signature);
        assert_eq!(handshake.verify_tls12(message, &party.certificate, &dss).is_ok(), in12, "{kind:?} {scheme:?}");
        assert_eq!(handshake.verify_tls13(message, &party.certificate, &dss).is_ok(), in13, "{kind:?} {scheme:?}");
        // Another message, and another signature.
        assert!(handshake.verify_tls12(b"another", &party.certificate, &dss).is_err());
        assert!(handshake.verify_tls13(b"another", &party.certificate, &dss).is_err());
        let mut signature = signature;
        signature[7] ^= 1;
        let dss = signed(scheme, &signature);
        assert!(handshake.verify_tls12(message, &party.certificate, &dss).is_err());
        assert!(handshake.verify_tls13(message, &party.certificate, &dss).is_err());
    }
}
