//! A certification authority for tests of PKINIT: certificates as KDCs and clients have them, and CRLs.

use std::sync::Arc;

use tagwise_codec::{Decode as _, Oid, encode, pem};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend as _, KeySigner, KeyType, PrivateKey, Signer as _};
use tagwise_krb5::Principal;
use tagwise_krb5::client::Identity;
use tagwise_krb5::pkinit::Krb5PrincipalName;
use tagwise_path::{Anchor, Anchors};
use tagwise_path_testing::{
    authority_key, basic_constraints, element, evidence, extension, general_names, key_usage, name, sequence,
    subject_key,
};
use tagwise_pkix::oids;

/// A CA whose certificate it signed itself.
pub struct Ca {
    name: &'static str,
    signer: KeySigner,
    pub der: Vec<u8>,
}

/// A certificate and its key.
pub struct Leaf {
    pub key: Arc<dyn PrivateKey>,
    pub der: Vec<u8>,
}

fn signed(signer: &KeySigner, tbs: &dyn Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let algorithm = signer.scheme().identifier().unwrap();
    let tbs = tbs(&algorithm);
    let signature = signer.sign(&tbs).unwrap();
    sequence(&[&tbs, &algorithm, &element(0x03, &[&[0], &signature])])
}

impl Ca {
    pub fn new(name: &'static str, kind: KeyType) -> Self {
        let signer = KeySigner::preferred(AwsLc::new().generate(kind).unwrap()).unwrap();
        let mut ca = Self { name, signer, der: Vec::new() };
        let extensions = [basic_constraints(None), key_usage(true), subject_key(name.as_bytes())];
        ca.der = ca.certificate(name, 1, ca.signer.public_key_info(), &extensions);
        ca
    }

    fn certificate(&self, subject: &str, serial: u32, key: &[u8], extensions: &[Vec<u8>]) -> Vec<u8> {
        let validity = sequence(&[b"\x17\x0D200101000000Z", b"\x17\x0D400101000000Z"]);
        let extensions: Vec<&[u8]> = extensions.iter().map(Vec::as_slice).collect();
        let extensions = element(0xA3, &[&sequence(&extensions)]);
        let (serial, issuer, subject) = (evidence::serial_number(serial), name(self.name), name(subject));
        signed(&self.signer, &|algorithm| {
            let version = b"\xA0\x03\x02\x01\x02";
            sequence(&[version, &serial, algorithm, &issuer, &validity, &subject, key, &extensions])
        })
    }

    /// A certificate for a new key, for signatures.
    pub fn issue(&self, kind: KeyType, subject: &str, serial: u32, extensions: &[Vec<u8>]) -> Leaf {
        let key = AwsLc::new().generate(kind).unwrap();
        let usual = [key_usage(false), subject_key(subject.as_bytes()), authority_key(self.name.as_bytes())];
        let extensions: Vec<Vec<u8>> = usual.iter().chain(extensions).cloned().collect();
        Leaf { der: self.certificate(subject, serial, key.public_key_info(), &extensions), key }
    }

    /// A certificate of a realm's KDC.
    pub fn kdc(&self, kind: KeyType, realm: &str) -> Leaf {
        let name = principal_name(&Principal::krbtgt(realm.as_bytes(), realm.as_bytes()));
        self.issue(kind, "kdc", 2, &[purpose(oids::PKINIT_KP_KDC), name])
    }

    /// A certificate of a client.
    pub fn client(&self, kind: KeyType, principal: &str) -> Leaf {
        let name = principal_name(&Principal::parse(principal, None).unwrap());
        self.issue(kind, "client", 3, &[purpose(oids::PKINIT_KP_CLIENT_AUTH), name])
    }

    /// A CRL with these serial numbers.
    pub fn crl(&self, serials: &[u32]) -> Vec<u8> {
        self.crl_of(serials, [b"\x17\x0D260101000000Z", b"\x17\x0D400101000000Z"])
    }

    /// A CRL with these serial numbers, and with these times of its issue and of the next one, in DER.
    pub fn crl_of(&self, serials: &[u32], times: [&[u8]; 2]) -> Vec<u8> {
        let entries: Vec<Vec<u8>> = serials
            .iter()
            .map(|serial| sequence(&[&evidence::serial_number(*serial), b"\x17\x0D251201000000Z"]))
            .collect();
        let entries = sequence(&entries.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let extensions = sequence(&[&authority_key(self.name.as_bytes()), &evidence::number(5)]);
        let extensions = element(0xA0, &[&extensions]);
        let issuer = name(self.name);
        signed(&self.signer, &|algorithm| {
            sequence(&[&[2, 1, 1], algorithm, &issuer, times[0], times[1], &entries, &extensions])
        })
    }

    pub fn pem(&self) -> String {
        pem::encode("CERTIFICATE", &self.der).unwrap()
    }

    pub fn anchors(&self) -> Anchors {
        [Anchor::from_certificate(self.der.clone()).unwrap()].into_iter().collect()
    }
}

impl Leaf {
    pub fn pem(&self) -> String {
        pem::encode("CERTIFICATE", &self.der).unwrap()
    }

    pub fn key_pem(&self) -> String {
        pem::encode("PRIVATE KEY", self.key.to_pkcs8().unwrap().expose()).unwrap()
    }

    pub fn identity(&self) -> Identity {
        Identity::new(self.key.clone(), self.der.clone(), []).unwrap()
    }
}

/// An extended key usage.
pub fn purpose(oid: Oid<'_>) -> Vec<u8> {
    extension(37, false, &sequence(&[&encode(&oid).unwrap()]))
}

/// A subjectAltName with a principal as id-pkinit-san.
pub fn principal_name(principal: &Principal) -> Vec<u8> {
    let strings = principal.strings();
    let name = Krb5PrincipalName { realm: principal.realm_string(), principal_name: principal.name(&strings) };
    let name = encode(&name).unwrap();
    assert!(Krb5PrincipalName::from_der(&name).is_ok());
    let other = [encode(&oids::PKINIT_SAN).unwrap(), element(0xA0, &[&name])].concat();
    extension(17, false, &general_names(&[(0xA0, &other)]))
}
