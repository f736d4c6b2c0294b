//! OpenSSH certificates (`PROTOCOL.certkeys` in its sources): a public key with a name, principals, a validity and options, signed
//! by a CA's SSH key.

use tagwise_codec::{Any, Decode};
use tagwise_crypto::{Backend, Error, ErrorKind, verify, verify_legacy};
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo, oids};

use super::{NAME, RSA, public_of, read_blob, type_of};
use crate::cursor::Cursor;
use crate::parts::{ecdsa_signature, rsa_public};

/// The end of the names of certificate types.
const SUFFIX: &str = "-cert-v01@openssh.com";
/// The maximum number of principals, and of options of one kind.
const MOST: usize = 1024;

/// An OpenSSH certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshCertificate {
    /// The name of the certificate's type, such as `ssh-ed25519-cert-v01@openssh.com`.
    pub type_name: String,
    /// The serial number.
    pub serial: u64,
    /// The kind: 1 for users, 2 for hosts.
    pub kind: u32,
    /// The key identifier, which is free text.
    pub key_id: String,
    /// The users or hosts. A certificate without principals is for all of them.
    pub principals: Vec<String>,
    /// The start of the validity, in seconds since 1970.
    pub valid_after: u64,
    /// The end of the validity, in seconds since 1970; [`u64::MAX`] if there is none.
    pub valid_before: u64,
    /// The critical options and their values.
    pub critical_options: Vec<(String, String)>,
    /// The extensions and their values.
    pub extensions: Vec<(String, String)>,
    /// The CA's key: a SubjectPublicKeyInfo in DER.
    pub authority: Vec<u8>,
    /// The name of the signature algorithm.
    pub signature_algorithm: String,
    signed: Vec<u8>,
    signature: Vec<u8>,
}

/// Returns whether a type's name is that of a certificate.
pub(super) fn is_certificate(name: &str) -> bool {
    name.ends_with(SUFFIX)
}

/// Reads a certificate in the encoding of the protocol. Also returns the certified key, as a SubjectPublicKeyInfo in DER.
///
/// # Errors
/// [`ErrorKind::Unsupported`] for other key types; [`ErrorKind::MalformedKey`]; [`ErrorKind::Limit`].
pub fn read_certificate(blob: &[u8]) -> Result<(Vec<u8>, SshCertificate), Error> {
    let mut cursor = Cursor::new(NAME, blob);
    let type_name = cursor.text()?;
    let name = type_name.strip_suffix(SUFFIX);
    let name = name.ok_or_else(|| Error::new(ErrorKind::MalformedKey, NAME).because("it is not an SSH certificate"))?;
    // The nonce makes the signed bytes unpredictable.
    cursor.long()?;
    let info = match name {
        RSA => {
            let exponent = cursor.natural()?;
            rsa_public(cursor.natural()?, exponent)?
        }
        _ => public_of(type_of(name)?, &mut cursor)?,
    };
    let serial = u64_of(&mut cursor)?;
    let here = cursor;
    let kind = cursor.u32()?;
    if !matches!(kind, 1 | 2) {
        return Err(here.wrong(&format!("a certificate of type {kind}, expected 1 (user) or 2 (host)")));
    }
    let key_id = cursor.text()?.to_owned();
    let mut list = Cursor::new(NAME, cursor.long()?);
    let mut principals = Vec::new();
    while !list.rest().is_empty() {
        bounded(principals.len())?;
        principals.push(list.text()?.to_owned());
    }
    let (valid_after, valid_before) = (u64_of(&mut cursor)?, u64_of(&mut cursor)?);
    let critical_options = options(cursor.long()?)?;
    let extensions = options(cursor.long()?)?;
    cursor.long()?;
    let here = cursor;
    let authority = cursor.long()?;
    // A certificate of a certificate is not allowed.
    if is_certificate(Cursor::new(NAME, authority).text().unwrap_or_default()) {
        return Err(here.wrong("the CA's key is a certificate, expected a key"));
    }
    let authority = read_blob(authority)?;
    let signed = blob.get(..cursor.at).unwrap_or_default().to_vec();
    let mut signature = Cursor::new(NAME, cursor.long()?);
    cursor.end()?;
    let signature_algorithm = signature.text()?.to_owned();
    let octets = signature.long()?.to_vec();
    signature.end()?;
    let certificate = SshCertificate {
        type_name: type_name.to_owned(),
        serial,
        kind,
        key_id,
        principals,
        valid_after,
        valid_before,
        critical_options,
        extensions,
        authority,
        signature_algorithm,
        signed,
        signature: octets,
    };
    Ok((info, certificate))
}

fn u64_of(cursor: &mut Cursor<'_>) -> Result<u64, Error> {
    Ok(u64::from(cursor.u32()?) << 32 | u64::from(cursor.u32()?))
}

fn bounded(count: usize) -> Result<(), Error> {
    if count < MOST { Ok(()) } else { Err(Error::new(ErrorKind::Limit, "the number of principals or options")) }
}

/// Names and values. A value is itself a string in a string, or empty.
fn options(octets: &[u8]) -> Result<Vec<(String, String)>, Error> {
    let mut cursor = Cursor::new(NAME, octets);
    let mut found = Vec::new();
    while !cursor.rest().is_empty() {
        bounded(found.len())?;
        let (name, data) = (cursor.text()?.to_owned(), cursor.long()?);
        let mut inside = Cursor::new(NAME, data);
        let value = match data {
            [] => String::new(),
            _ => inside.text().map_or_else(|_| String::from_utf8_lossy(data).into_owned(), str::to_owned),
        };
        found.push((name, value));
    }
    Ok(found)
}

impl SshCertificate {
    /// Verifies the signature with the CA's key in the certificate. Compare that key with the CA's that you trust.
    ///
    /// # Errors
    /// [`ErrorKind::Signature`] if it is wrong; [`ErrorKind::Unsupported`] for other algorithms; [`ErrorKind::Inconsistent`] if the
    /// algorithm is not one of the key's type.
    pub fn verify(&self, backend: &dyn Backend) -> Result<(), Error> {
        let malformed = |error| Error::new(ErrorKind::MalformedKey, "public").because(error);
        let key = SubjectPublicKeyInfo::from_der(&self.authority).map_err(malformed)?;
        // RFC 8332 §3 for RSA, RFC 5656 §3.1.2 for ECDSA, RFC 8709 §6 for EdDSA.
        let (oid, is_rsa, is_ecdsa) = match &*self.signature_algorithm {
            "ssh-rsa" => (oids::SHA1_WITH_RSA_ENCRYPTION, true, false),
            "rsa-sha2-256" => (oids::SHA256_WITH_RSA_ENCRYPTION, true, false),
            "rsa-sha2-512" => (oids::SHA512_WITH_RSA_ENCRYPTION, true, false),
            "ecdsa-sha2-nistp256" => (oids::ECDSA_WITH_SHA256, false, true),
            "ecdsa-sha2-nistp384" => (oids::ECDSA_WITH_SHA384, false, true),
            "ecdsa-sha2-nistp521" => (oids::ECDSA_WITH_SHA512, false, true),
            "ssh-ed25519" => (oids::ED25519, false, false),
            "ssh-ed448" => (oids::ED448, false, false),
            other => {
                let name: String = other.chars().filter(char::is_ascii_graphic).take(64).collect();
                return Err(Error::new(ErrorKind::Unsupported, format_args!("the SSH signature algorithm {name}")));
            }
        };
        let algorithm = AlgorithmIdentifier { algorithm: oid, parameters: is_rsa.then(|| Any::null(0)) };
        let signature = match is_ecdsa {
            true => {
                let mut cursor = Cursor::new(NAME, &self.signature);
                let (r, s) = (cursor.natural()?, cursor.natural()?);
                cursor.end()?;
                ecdsa_signature(r, s)
            }
            false => self.signature.clone(),
        };
        match oid == oids::SHA1_WITH_RSA_ENCRYPTION {
            true => verify_legacy(backend, &key, &algorithm, &self.signed, &signature),
            false => verify(backend, &key, &algorithm, &self.signed, &signature),
        }
    }

    /// Returns whether the certificate is valid at a time, in seconds since 1970.
    #[must_use]
    pub const fn is_valid_at(&self, time: u64) -> bool {
        self.valid_after <= time && time < self.valid_before
    }
}
