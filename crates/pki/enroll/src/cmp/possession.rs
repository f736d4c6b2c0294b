//! Proof of possession (RFC 9810 §5.2.8): by a signature or, for keys that cannot sign, by decrypting the certificate or a
//! challenge.

use tagwise_ca::Row;
use tagwise_codec::text::{base64, hex};
use tagwise_codec::{BitStr, Decode, Int, OctetStr, SeqOf, encode};
use tagwise_crypto::cms::{EncryptOptions, RecipientKey, encrypt};
use tagwise_crypto::{Cipher, Digest, KeyTransport, KeyType, OaepParameters, verify};
use tagwise_pkix::cmp::{Challenge, PkiBody, PopoDecKeyRespContent, Pvno, Rand};
use tagwise_pkix::cms::{Content, ContentInfo, EnvelopedData, IssuerAndSerialNumber, RecipientInfo};
use tagwise_pkix::crmf::{
    CertReqMsg, EncryptedKey, EncryptedValue, PopoPrivKey, PopoSigningKey, ProofOfPossession, SubsequentMessage,
};
use tagwise_pkix::ext::GeneralName;
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{AlgorithmIdentifier, Certificate, SubjectPublicKeyInfo};

use super::body::{KUR, int, only};
use super::fault::{BAD_POP, BAD_REQUEST, Fault};
use super::{Answer, Context};
use crate::issue::Possession;
use crate::records::{Challenged, Exchange};
use crate::secret::is_same;

/// The proof that a request contains or announces.
pub(super) enum Proof<'r> {
    /// The certificate can be issued.
    Possession(Possession),
    /// Before the certificate is issued, the holder of this key answers a challenge.
    Challenge(SubjectPublicKeyInfo<'r>),
}

fn wrong(what: &str) -> Fault {
    Fault::new(BAD_POP, what)
}

/// Checks the proof that the client has the private key (RFC 4211 §4). A registration authority may have verified the proof
/// itself (RFC 9483 §5.2.3.2).
pub(super) fn check<'r>(context: &Context<'_, '_>, kind: u8, request: &CertReqMsg<'r>) -> Result<Proof<'r>, Fault> {
    let key = request.cert_req.cert_template.public_key;
    let key = || key.ok_or_else(|| wrong("the template has no public key"));
    match request.popo {
        Some(ProofOfPossession::Signature(proof)) => {
            check_signature(context, &key()?, &proof, request.cert_req.as_bytes())?;
            Ok(Proof::Possession(Possession::Verified))
        }
        // The holder of the old key proves possession of the new one itself.
        Some(ProofOfPossession::RaVerified) if kind != KUR && context.is_registration_authority()? => {
            Ok(Proof::Possession(Possession::ByAuthority))
        }
        Some(ProofOfPossession::RaVerified) => {
            Err(wrong("only a registration authority may verify the proof of possession (RFC 9483 §5.2.3.2)"))
        }
        Some(ProofOfPossession::KeyEncipherment(PopoPrivKey::SubsequentMessage(method))) => {
            context.announced(key()?, method, false)
        }
        Some(ProofOfPossession::KeyAgreement(PopoPrivKey::SubsequentMessage(method))) => {
            context.announced(key()?, method, true)
        }
        // RFC 9810 §5.2.8.3.1: the other methods reveal the private key, or need a key of the CA.
        Some(_) => Err(wrong("this proof of possession is not supported, expected a signature or subsequentMessage")),
        None => Err(wrong("the proof of possession is missing")),
    }
}

/// Checks a signature over the request itself, which therefore must contain the key and the subject.
fn check_signature(
    context: &Context<'_, '_>,
    key: &SubjectPublicKeyInfo<'_>,
    proof: &PopoSigningKey<'_>,
    signed: &[u8],
) -> Result<(), Fault> {
    if proof.poposk_input.is_some() {
        return Err(wrong("the proof of possession must cover the request (RFC 4211 §4.1)"));
    }
    let signature = proof.signature.octets().ok_or_else(|| wrong("the signature is malformed"))?;
    let done = verify(context.call.service.backend, key, &proof.algorithm_identifier, signed, signature);
    done.map_err(|error| Fault::new(BAD_POP, format!("the proof of possession is invalid: {error}")))
}

impl Context<'_, '_> {
    /// Checks that the client can prove possession of a key by decryption.
    fn announced<'r>(
        &self,
        key: SubjectPublicKeyInfo<'r>,
        method: SubsequentMessage,
        agreement: bool,
    ) -> Result<Proof<'r>, Fault> {
        let kind = KeyType::of(&key).map_err(|error| Fault::new(BAD_POP, error.to_string()))?;
        // RFC 9810 §5.2.2: KEM keys are for key encipherment.
        if kind.agrees() != agreement {
            return Err(wrong("the proof of possession is for another type of key (RFC 4211 §4)"));
        }
        let is_challenge = match method {
            SubsequentMessage::ENCR_CERT => false,
            SubsequentMessage::CHALLENGE_RESP => true,
            _ => return Err(wrong("the subsequentMessage is unknown (RFC 4211 §4.2)")),
        };
        // Before EnvelopedData, only RSA keys could decrypt certificates, and challenges had no room for names.
        let is_old = self.message.header.pvno == Pvno::CMP2000;
        if is_old && (is_challenge || !matches!(kind, KeyType::Rsa(_))) {
            return Err(wrong("this proof of possession requires version cmp2021 (RFC 9810 §5.2.2, §7)"));
        }
        if is_challenge {
            return Ok(Proof::Challenge(key));
        }
        // A key that cannot decrypt is refused before its certificate is issued.
        self.envelope(key, Int::ZERO, b"")?;
        Ok(Proof::Possession(Possession::ByDecryption))
    }

    fn transport(&self) -> KeyTransport {
        match self.message.header.pvno {
            // RFC 4210 §5.2.2: the clients of this version know no other scheme.
            Pvno::CMP2000 => KeyTransport::Pkcs1,
            _ => KeyTransport::Oaep(OaepParameters::of(Digest::Sha256)),
        }
    }

    fn seal(&self, recipient: RecipientKey<'_>, content: &[u8]) -> Result<Vec<u8>, Fault> {
        // EnvelopedData has no tag of an authenticated cipher. The message around it is protected.
        let options = EncryptOptions { cipher: Cipher::Aes256Cbc, ..EncryptOptions::DEFAULT };
        let done = encrypt(self.call.service.backend, content, &[recipient], &options);
        done.map_err(|error| Fault::new(BAD_POP, format!("the key cannot decrypt: {error}")))
    }

    /// Encrypts for a key without a certificate, which the number of the request identifies (RFC 9810 §5.2.8.3.3).
    fn envelope(&self, key: SubjectPublicKeyInfo<'_>, number: Int<'_>, content: &[u8]) -> Result<Vec<u8>, Fault> {
        let null = NameBuf::parse("").map_err(Fault::internal)?;
        let identifier = IssuerAndSerialNumber { issuer: null.name(), serial_number: number };
        self.seal(RecipientKey::PublicKey { key, identifier, transport: self.transport() }, content)
    }

    /// Encrypts an issued certificate for the holder of its key.
    pub(super) fn sealed(&self, certificate: &Certificate<'_>, der: &[u8]) -> Result<Vec<u8>, Fault> {
        let identifier = tagwise_crypto::cms::Identifier::IssuerAndSerialNumber;
        self.seal(RecipientKey::Certificate { certificate, identifier, transport: self.transport() }, der)
    }

    /// Answers a request with a challenge: a random number for the holder of the key to decrypt (RFC 9810 §5.2.8.3.3).
    pub(super) fn challenge(
        &mut self,
        row: &mut Row<Exchange>,
        request: &CertReqMsg<'_>,
        key: SubjectPublicKeyInfo<'_>,
    ) -> Result<Answer, Fault> {
        let service = self.call.service;
        let mut number = [0; 32];
        service.backend.random(&mut number).map_err(Fault::internal)?;
        // A positive number whose content in DER has no leading zero, so that the hash is over the same bytes everywhere.
        if let Some(first) = number.first_mut() {
            *first = (*first & 0x3F) | 0x40;
        }
        let own = service.authority.certificate().tbs_certificate.subject;
        let rand = Rand { int: Int::from_signed(&number), sender: GeneralName::DirectoryName(own) };
        let rand = encode(&rand).map_err(Fault::internal)?;
        let witness = service.backend.digest(Digest::Sha256, &number).map_err(Fault::internal)?;
        let mut octets = [0; 8];
        let sealed = self.envelope(key, int(row.value.request, &mut octets), &rand)?;
        let wait = i64::from(service.policy.cmp_confirm_seconds);
        row.value.nonce = super::stored(&self.nonce);
        row.value.challenge = Some(Challenged {
            witness: hex::encode(&witness),
            deadline: self.call.now.0.saturating_add(wait),
            request: base64::encode(request.cert_req.as_bytes()),
            grant: self.grant.clone(),
        });
        self.call.records.update(row)?;
        let challenge = [Challenge {
            owf: Some(AlgorithmIdentifier { algorithm: Digest::Sha256.oid(), parameters: None }),
            witness: OctetStr::new(&witness),
            challenge: OctetStr::new(b""),
            encrypted_rand: Some(enveloped(&sealed)?),
        }];
        Answer::new(&PkiBody::Popdecc(SeqOf::from_slice(&challenge)))
    }

    /// Answers popdecr: issues the certificate if the client has decrypted the challenge. Each challenge has one answer.
    pub(super) fn answer_challenge(&mut self, list: &PopoDecKeyRespContent<'_>) -> Result<Answer, Fault> {
        let mut row = self.continued()?;
        let none = || Fault::new(BAD_REQUEST, "no challenge of this transaction awaits an answer");
        let challenged = row.value.challenge.take().ok_or_else(none)?;
        row.value.nonce = super::stored(&self.nonce);
        // Of several servers, one accepts the answer.
        self.call.records.update(&mut row)?;
        let done = self.check_answer(&challenged, list).and_then(|()| {
            self.grant = challenged.grant;
            let damaged = |_| Fault::internal("a stored request is malformed");
            let der = base64::decode(challenged.request.as_bytes()).map_err(damaged)?;
            self.enroll_crmf(row.value.kind, &der, Possession::Verified)
        });
        self.conclude(row, done)
    }

    fn check_answer(&self, challenged: &Challenged, list: &PopoDecKeyRespContent<'_>) -> Result<(), Fault> {
        if challenged.deadline < self.call.now.0 {
            return Err(wrong("the answer to the challenge is late"));
        }
        let digest = self.call.service.backend.digest(Digest::Sha256, only(list)?.as_bytes());
        let hash = hex::encode(&digest.map_err(Fault::internal)?);
        if is_same(hash.as_bytes(), challenged.witness.as_bytes()) {
            return Ok(());
        }
        Err(wrong("the answer to the challenge is wrong"))
    }
}

/// The EnvelopedData of a message.
fn enveloped(message: &[u8]) -> Result<EnvelopedData<'_>, Fault> {
    let info = ContentInfo::from_der(message).map_err(Fault::internal)?;
    match info.content.get().map_err(Fault::internal)? {
        Content::EnvelopedData(data) => Ok(data),
        _ => Err(Fault::internal("the message is not enveloped data")),
    }
}

/// An encrypted certificate in the form of the client's version (RFC 9810 §5.2.2).
pub(super) fn encrypted_key(message: &[u8], version: Pvno) -> Result<EncryptedKey<'_>, Fault> {
    let data = enveloped(message)?;
    if version != Pvno::CMP2000 {
        return Ok(EncryptedKey::EnvelopedData(data));
    }
    let (recipient, content) = (data.recipient_infos.0.iter().next(), data.encrypted_content_info);
    let (Some(Ok(RecipientInfo::Ktri(recipient))), Some(encrypted)) = (recipient, content.encrypted_content) else {
        return Err(Fault::internal("the certificate is not encrypted with key transport"));
    };
    Ok(EncryptedKey::EncryptedValue(EncryptedValue {
        intended_alg: None,
        symm_alg: Some(content.content_encryption_algorithm),
        enc_symm_key: Some(BitStr::from_octets(recipient.encrypted_key.as_bytes())),
        key_alg: Some(recipient.key_encryption_algorithm),
        value_hint: None,
        enc_value: BitStr::from_octets(encrypted.as_bytes()),
    }))
}
