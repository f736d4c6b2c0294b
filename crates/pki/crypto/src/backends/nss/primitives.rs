//! Digests, MACs, key derivation and ciphers.
//!
//! PBKDF2 and HKDF are implemented with HMAC, because the token's mechanisms for them are vendor-specific or too new.

use cryptoki::error::Error as Failure;
use cryptoki::mechanism::aead::{GcmMessageParams, GcmParams, GeneratorFunction};
use cryptoki::mechanism::{Mechanism, MechanismType, MessageParam};
use cryptoki::object::{Attribute, KeyType as Kind, ObjectClass, ObjectHandle};
use cryptoki::session::Session;
use cryptoki::types::Ulong;

use super::Nss;
use crate::pkcs11::operation::{digest as mechanism_of, digesting};
use crate::primitives::lengths;
use crate::{Cipher, Digest, Error, ErrorKind, Hasher, Primitives, Secret, Wrap};

/// An incremental digest or MAC in its own session.
struct Fed {
    session: Session,
    mac: bool,
    failed: Option<Failure>,
}

impl Hasher for Fed {
    fn update(&mut self, octets: &[u8]) {
        let fed = match self.mac {
            true => self.session.sign_update(octets),
            false => self.session.digest_update(octets),
        };
        if let (Err(failure), None) = (fed, &self.failed) {
            self.failed = Some(failure);
        }
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, Error> {
        let Self { session, mac, failed } = *self;
        let done = match mac {
            true => session.sign_final(),
            false => session.digest_final(),
        };
        let done = failed.map_or(done, Err);
        done.map_err(|failure| Error::new(ErrorKind::Failed, "a digest or a MAC in NSS").because(failure))
    }
}

const fn hmac_of(digest: Digest) -> Option<(Mechanism<'static>, MechanismType)> {
    Some(match digest {
        Digest::Sha1 => (Mechanism::Sha1Hmac, MechanismType::SHA1_HMAC),
        Digest::Sha224 => (Mechanism::Sha224Hmac, MechanismType::SHA224_HMAC),
        Digest::Sha256 => (Mechanism::Sha256Hmac, MechanismType::SHA256_HMAC),
        Digest::Sha384 => (Mechanism::Sha384Hmac, MechanismType::SHA384_HMAC),
        Digest::Sha512 => (Mechanism::Sha512Hmac, MechanismType::SHA512_HMAC),
        _ => return None,
    })
}

/// Creates a secret key in a session.
fn secret(session: &Session, kind: Kind, key: &[u8]) -> Result<ObjectHandle, Failure> {
    session.create_object(&[
        Attribute::Class(ObjectClass::SECRET_KEY),
        Attribute::KeyType(kind),
        Attribute::Token(false),
        Attribute::Sign(true),
        Attribute::Encrypt(true),
        Attribute::Decrypt(true),
        Attribute::Value(key.to_vec()),
    ])
}

/// Encrypts with AES-GCM as a PKCS #11 3.0 message (§5.9). If asked for the output length of C_Encrypt, softokens do not
/// include the tag.
fn sealed(
    session: &Session,
    key: ObjectHandle,
    iv: &[u8],
    associated: &[u8],
    plain: &[u8],
) -> Result<Vec<u8>, Failure> {
    let (mut nonce, mut tag) = (iv.to_vec(), [0; 16]);
    let parameters = GcmMessageParams::new(&mut nonce, Ulong::from(0), GeneratorFunction::NoGenerate, &mut tag)?;
    session.message_encrypt_init(&Mechanism::AesGcmMessage(parameters), key)?;
    let mut sealed = session.encrypt_message(&MessageParam::AesGcmMessage(parameters), associated, plain)?;
    session.message_encrypt_final()?;
    sealed.extend_from_slice(&tag);
    Ok(sealed)
}

impl Nss {
    /// Creates an HMAC key, and returns it with its session.
    fn mac_key(
        &self,
        digest: Digest,
        key: &[u8],
        of: &str,
    ) -> Result<(Session, ObjectHandle, Mechanism<'static>), Error> {
        let missing = || self.failed(ErrorKind::NotOffered, format_args!("{of} with {digest}"));
        let (mechanism, kind) = hmac_of(digest).ok_or_else(missing)?;
        self.slot.mechanism(kind).ok_or_else(missing)?;
        let make = || {
            let session = self.slot.session()?;
            // RFC 2104 §2: keys are padded with zeros, so a single zero byte equals an empty key, which tokens do not accept.
            let object = secret(&session, Kind::GENERIC_SECRET, if key.is_empty() { &[0] } else { key })?;
            Ok((session, object))
        };
        let (session, object) =
            make().map_err(|failure: Failure| self.failed(ErrorKind::Failed, of).because(failure))?;
        Ok((session, object, mechanism))
    }

    fn through(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        associated: &[u8],
        octets: &[u8],
        encrypts: bool,
    ) -> Result<Result<Vec<u8>, Failure>, Error> {
        lengths(cipher.name(), &[(key.len(), cipher.key_len()), (iv.len(), cipher.iv_len())])?;
        if !(cipher.is_authenticated() || associated.is_empty()) {
            return Err(self.failed(ErrorKind::Parameters, cipher));
        }
        let mut nonce = iv.to_vec();
        let token = |failure: Failure| self.failed(ErrorKind::Failed, cipher).because(failure);
        let mechanism = if cipher.is_authenticated() {
            Mechanism::AesGcm(GcmParams::new(&mut nonce, associated, Ulong::from(128)).map_err(token)?)
        } else {
            let iv = <[u8; 16]>::try_from(iv).map_err(|error| self.failed(ErrorKind::Length, cipher).because(error))?;
            Mechanism::AesCbcPad(iv)
        };
        self.slot.mechanism(mechanism.mechanism_type()).ok_or_else(|| self.failed(ErrorKind::NotOffered, cipher))?;
        let run = |session: &Session| {
            let object = secret(session, Kind::AES, key)?;
            let done = match encrypts {
                true if cipher.is_authenticated() => sealed(session, object, iv, associated, octets),
                true => session.encrypt(&mechanism, object, octets),
                false => session.decrypt(&mechanism, object, octets),
            };
            session.destroy_object(object)?;
            done
        };
        Ok(self.slot.with(run))
    }

    fn wrapped(
        &self,
        wrap: Wrap,
        key: &[u8],
        octets: &[u8],
        encrypts: bool,
    ) -> Result<Result<Vec<u8>, Failure>, Error> {
        lengths(wrap.name(), &[(key.len(), wrap.key_len())])?;
        let mechanism = MechanismType::AES_KEY_WRAP;
        self.slot.mechanism(mechanism).ok_or_else(|| self.failed(ErrorKind::NotOffered, wrap))?;
        let run = |session: &Session| {
            let object = secret(session, Kind::AES, key)?;
            let done = match encrypts {
                true => session.encrypt(&Mechanism::AesKeyWrap, object, octets),
                false => session.decrypt(&Mechanism::AesKeyWrap, object, octets),
            };
            session.destroy_object(object)?;
            done
        };
        Ok(self.slot.with(run))
    }
}

impl Primitives for Nss {
    fn random(&self, octets: &mut [u8]) -> Result<(), Error> {
        let fill = |session: &Session| session.generate_random_slice(octets);
        self.slot.with(fill).map_err(|failure| self.failed(ErrorKind::Failed, "random bytes").because(failure))
    }

    fn hasher(&self, digest: Digest) -> Result<Box<dyn Hasher>, Error> {
        let missing = || self.failed(ErrorKind::NotOffered, digest);
        let mechanism = digesting(digest).ok_or_else(missing)?;
        mechanism_of(digest).and_then(|kind| self.slot.mechanism(kind)).ok_or_else(missing)?;
        let begin = || {
            let session = self.slot.session()?;
            session.digest_init(&mechanism)?;
            Ok(session)
        };
        let session = begin().map_err(|failure: Failure| self.failed(ErrorKind::Failed, digest).because(failure))?;
        Ok(Box::new(Fed { session, mac: false, failed: None }))
    }

    fn hmac(&self, digest: Digest, key: &[u8]) -> Result<Box<dyn Hasher>, Error> {
        let (session, object, mechanism) = self.mac_key(digest, key, "HMAC")?;
        let begun = session.sign_init(&mechanism, object);
        begun.map_err(|failure| self.failed(ErrorKind::Failed, "HMAC").because(failure))?;
        Ok(Box::new(Fed { session, mac: true, failed: None }))
    }

    fn pbkdf2(
        &self,
        digest: Digest,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        key: &mut [u8],
    ) -> Result<(), Error> {
        let (session, object, mechanism) = self.mac_key(digest, password, "PBKDF2")?;
        if iterations == 0 {
            return Err(self.failed(ErrorKind::Parameters, "PBKDF2"));
        }
        let mac = |octets: &[u8]| {
            let made = session.sign(&mechanism, object, octets).map(Secret::from);
            made.map_err(|failure| self.failed(ErrorKind::Failed, "PBKDF2").because(failure))
        };
        // RFC 8018 §5.2.
        for (number, block) in (1_u32..).zip(key.chunks_mut(digest.output_len())) {
            let mut last = mac(&[salt, &number.to_be_bytes()].concat())?;
            let mut sum = last.clone();
            for _ in 1..iterations {
                last = mac(last.expose())?;
                sum.expose_mut().iter_mut().zip(last.expose()).for_each(|(to, from)| *to ^= from);
            }
            block.iter_mut().zip(sum.expose()).for_each(|(to, from)| *to = *from);
        }
        Ok(())
    }

    fn hkdf(&self, digest: Digest, salt: &[u8], input: &[u8], info: &[u8], key: &mut [u8]) -> Result<(), Error> {
        if key.len() > 255 * digest.output_len() {
            return Err(self.failed(ErrorKind::Length, "HKDF"));
        }
        let mac = |key: &[u8], octets: &[u8]| {
            let (session, object, mechanism) = self.mac_key(digest, key, "HKDF")?;
            let made = session.sign(&mechanism, object, octets).map(Secret::from);
            made.map_err(|failure| self.failed(ErrorKind::Failed, "HKDF").because(failure))
        };
        // RFC 5869 §2.2 and §2.3.
        let extracted = mac(salt, input)?;
        let mut last = Secret::default();
        for (number, block) in (1_u8..=255).zip(key.chunks_mut(digest.output_len())) {
            let octets = Secret::from([last.expose(), info, &[number]].concat());
            last = mac(extracted.expose(), octets.expose())?;
            block.iter_mut().zip(last.expose()).for_each(|(to, from)| *to = *from);
        }
        Ok(())
    }

    fn encrypt(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        associated: &[u8],
        plain: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let done = self.through(cipher, key, iv, associated, plain, true)?;
        done.map_err(|failure| self.failed(ErrorKind::Failed, cipher).because(failure))
    }

    fn decrypt(
        &self,
        cipher: Cipher,
        key: &[u8],
        iv: &[u8],
        associated: &[u8],
        ciphertext: &[u8],
    ) -> Result<Secret, Error> {
        let done = self.through(cipher, key, iv, associated, ciphertext, false)?;
        done.map(Secret::from).map_err(|failure| self.failed(ErrorKind::Integrity, cipher).because(failure))
    }

    fn wrap(&self, wrap: Wrap, key: &[u8], plain: &[u8]) -> Result<Vec<u8>, Error> {
        if plain.len() < 16 || !plain.len().is_multiple_of(8) {
            return Err(self.failed(ErrorKind::Length, wrap));
        }
        let done = self.wrapped(wrap, key, plain, true)?;
        done.map_err(|failure| self.failed(ErrorKind::Failed, wrap).because(failure))
    }

    fn unwrap(&self, wrap: Wrap, key: &[u8], wrapped: &[u8]) -> Result<Secret, Error> {
        if wrapped.len() < 24 || !wrapped.len().is_multiple_of(8) {
            return Err(self.failed(ErrorKind::Length, wrap));
        }
        let done = self.wrapped(wrap, key, wrapped, false)?;
        done.map(Secret::from).map_err(|failure| self.failed(ErrorKind::Integrity, wrap).because(failure))
    }
}
