//! A CA and a signer below it, whose certificates are put together byte by byte: with faults that no builder makes.

use std::fs;
use std::sync::Arc;

use tagwise_codec::{Encode, encode, pem};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, Digest, KeyType, Primitives, PrivateKey, Scheme};
use tagwise_path_testing::{element, extension, name, sequence};
use tagwise_pkix::oids;

use super::{Run, tagwise};

/// The moment of the tests.
pub(crate) const AT: &str = "2027-01-01";
pub(crate) const ECDSA: &[u8] = b"\x06\x08\x2A\x86\x48\xCE\x3D\x04\x03\x02";
const VALIDITY: &[u8] = b"\x30\x1E\x17\x0D250101000000Z\x17\x0D350101000000Z";

/// The parts of a certificate to sign.
pub(crate) struct Parts {
    pub(crate) version: Vec<u8>,
    pub(crate) serial: Vec<u8>,
    /// The content of the inner AlgorithmIdentifier, and of the outer one.
    pub(crate) algorithms: [Vec<u8>; 2],
    pub(crate) validity: Vec<u8>,
    pub(crate) subject: Vec<u8>,
    pub(crate) key: Vec<u8>,
    pub(crate) extensions: Vec<Vec<u8>>,
    /// What stands behind the whole.
    pub(crate) behind: Vec<u8>,
}

/// A CA with its key, and the key of a signer below it.
pub(crate) struct Lab {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) ca: Arc<dyn PrivateKey>,
    pub(crate) signer: Arc<dyn PrivateKey>,
}

impl Lab {
    pub(crate) fn new() -> Self {
        let make = || AwsLc::new().generate(KeyType::P256).unwrap();
        let lab = Self { folder: tempfile::tempdir().unwrap(), ca: make(), signer: make() };
        let extensions = vec![
            extension(19, true, &sequence(&[b"\x01\x01\xFF"])),
            extension(15, true, b"\x03\x02\x01\x06"),
            extension(14, false, b"\x04\x02CA"),
        ];
        let root = Parts { subject: name("CA"), extensions, ..lab.parts(lab.ca.public_key_info()) };
        lab.write("root.pem", "CERTIFICATE", &lab.signed(&root));
        lab.write("key.pem", "PRIVATE KEY", lab.signer.to_pkcs8().unwrap().expose());
        fs::write(lab.path("letter"), "A letter.\n").unwrap();
        lab
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn write(&self, name: &str, label: &str, der: &[u8]) {
        fs::write(self.path(name), pem::encode(label, der).unwrap()).unwrap();
    }

    /// A sound certificate of the signer.
    pub(crate) fn sound(&self) -> Parts {
        let mut parts = self.parts(self.signer.public_key_info());
        parts.extensions = vec![
            extension(15, true, b"\x03\x02\x07\x80"),
            extension(14, false, b"\x04\x04leaf"),
            extension(35, false, b"\x30\x04\x80\x02CA"),
        ];
        parts
    }

    pub(crate) fn parts(&self, key: &[u8]) -> Parts {
        Parts {
            version: b"\xA0\x03\x02\x01\x02".to_vec(),
            serial: b"\x02\x01\x07".to_vec(),
            algorithms: [ECDSA.to_vec(), ECDSA.to_vec()],
            validity: VALIDITY.to_vec(),
            subject: name("Signer"),
            key: key.to_vec(),
            extensions: Vec::new(),
            behind: Vec::new(),
        }
    }

    pub(crate) fn signed(&self, parts: &Parts) -> Vec<u8> {
        let [inner, outer] = parts.algorithms.each_ref().map(|content| sequence(&[content]));
        let list: Vec<&[u8]> = parts.extensions.iter().map(Vec::as_slice).collect();
        let extensions = element(0xA3, &[&sequence(&list)]);
        let extensions = if list.is_empty() { &[][..] } else { &extensions };
        let tbs = sequence(&[
            &parts.version,
            &parts.serial,
            &inner,
            &name("CA"),
            &parts.validity,
            &parts.subject,
            &parts.key,
            extensions,
        ]);
        let signature = self.ca.sign(&Scheme::Ecdsa(Digest::Sha256), &tbs).unwrap();
        let whole = sequence(&[&tbs, &outer, &element(0x03, &[&[0], &signature])]);
        [whole, parts.behind.clone()].concat()
    }

    /// Runs the command; words with `@` in front are files of the folder.
    pub(crate) fn run(&self, line: &str) -> Run {
        let words: Vec<String> = line
            .split(' ')
            .map(|word| word.strip_prefix('@').map_or_else(|| word.to_owned(), |name| self.path(name)))
            .collect();
        tagwise(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

const SHA256: &[u8] = b"\x30\x0B\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01";
pub(crate) const DATA: &[u8] = b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01";

pub(crate) fn id(oid: impl Encode) -> Vec<u8> {
    encode(&oid).unwrap()
}

pub(crate) fn attribute(oid: impl Encode, value: &[u8]) -> Vec<u8> {
    sequence(&[&id(oid), &element(0x31, &[value])])
}

/// The parts of a signed message.
pub(crate) struct Message<'a> {
    /// The type of the content, and the content under its explicit tag.
    pub(crate) kind: &'a [u8],
    pub(crate) content: Vec<u8>,
    /// The version, and the identifier of the signer.
    pub(crate) sid: (u8, Vec<u8>),
    /// What is digested.
    pub(crate) digested: &'a [u8],
    pub(crate) certificates: Vec<Vec<u8>>,
    pub(crate) signed: Vec<Vec<u8>>,
    pub(crate) unsigned: Vec<Vec<u8>>,
}

impl Message<'_> {
    pub(crate) fn der(&self, lab: &Lab) -> Vec<u8> {
        self.der_with(lab, |_| self.unsigned.clone())
    }

    /// The message with unsigned attributes that depend on the signature.
    pub(crate) fn der_with(&self, lab: &Lab, unsigned: impl Fn(&[u8]) -> Vec<Vec<u8>>) -> Vec<u8> {
        let digest = AwsLc::new().digest(Digest::Sha256, self.digested).unwrap();
        let mut signed = self.signed.clone();
        signed.push(attribute(oids::CONTENT_TYPE, self.kind));
        signed.push(attribute(oids::MESSAGE_DIGEST, &element(0x04, &[&digest])));
        signed.sort();
        let signed = signed.concat();
        let signature = lab.signer.sign(&Scheme::Ecdsa(Digest::Sha256), &element(0x31, &[&signed])).unwrap();
        let list = unsigned(&signature);
        let unsigned = element(0xA1, &[&list.concat()]);
        let signer = sequence(&[
            &[2, 1, self.sid.0],
            &self.sid.1,
            SHA256,
            &element(0xA0, &[&signed]),
            &sequence(&[ECDSA]),
            &element(0x04, &[&signature]),
            if list.is_empty() { b"" } else { &unsigned },
        ]);
        let data = sequence(&[
            b"\x02\x01\x01",
            &element(0x31, &[SHA256]),
            &sequence(&[self.kind, &self.content]),
            &element(0xA0, &[&self.certificates.concat()]),
            &element(0x31, &[&signer]),
        ]);
        sequence(&[b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02", &element(0xA0, &[&data])])
    }
}

pub(crate) fn letter(lab: &Lab) -> Message<'static> {
    Message {
        kind: DATA,
        content: element(0xA0, &[&element(0x04, &[b"A letter."])]),
        sid: (1, sequence(&[&name("CA"), b"\x02\x01\x07"])),
        digested: b"A letter.",
        certificates: vec![lab.signed(&lab.sound())],
        signed: Vec::new(),
        unsigned: Vec::new(),
    }
}
