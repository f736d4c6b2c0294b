//! Lists the entries of Java keystores (JKS, JCEKS), whose certificates are not encrypted.

use std::ops::Range;

use tagwise_codec::Tag;

use crate::java_object;
use crate::kind::Frame;

const JKS: &[u8] = &[0xFE, 0xED, 0xFE, 0xED];
const JCEKS: &[u8] = &[0xCE, 0xCE, 0xCE, 0xCE];

/// Returns whether bytes look like a Java keystore.
///
/// ```
/// assert!(tagwise_input::keystore::is_java(b"\xFE\xED\xFE\xED\x00\x00\x00\x02"));
/// ```
#[must_use]
pub fn is_java(octets: &[u8]) -> bool {
    octets.starts_with(JKS) || octets.starts_with(JCEKS)
}

/// The content of a Java keystore's entry, by its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// An X.509 certificate.
    Certificate(Range<usize>),
    /// A private key, encrypted: an EncryptedPrivateKeyInfo in DER.
    PrivateKey(Range<usize>),
    /// A secret key, encrypted: a serialized Java object.
    SecretKey(Range<usize>),
}

/// Returns the positions of a Java keystore's certificates, in order. Keys and the integrity digest, which need its password, are
/// ignored.
///
/// ```
/// use tagwise_input::keystore;
/// // Version 2, one trusted certificate with the alias "a", created at 0.
/// let store = b"\xFE\xED\xFE\xED\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\x01a\0\0\0\0\0\0\0\0\0\x05X.509\0\0\0\x02\x30\x00";
/// assert_eq!(keystore::certificates(store).unwrap(), vec![38..40]);
/// ```
///
/// # Errors
/// Returns any error from [`entries`].
pub fn certificates(octets: &[u8]) -> Result<Vec<Range<usize>>, usize> {
    let certificate = |stored| match stored {
        Stored::Certificate(range) => Some(range),
        Stored::PrivateKey(_) | Stored::SecretKey(_) => None,
    };
    Ok(entries(octets)?.into_iter().filter_map(certificate).collect())
}

/// Returns the positions of a Java keystore's keys and certificates, in order. The chain of a private key follows it.
///
/// # Errors
/// Returns the offset of malformed data.
pub fn entries(octets: &[u8]) -> Result<Vec<Stored>, usize> {
    let mut cursor = Cursor { octets, at: 4 };
    let version = cursor.number()?;
    if !matches!(version, 1 | 2) {
        return Err(4);
    }
    let count = cursor.number()?;
    let mut found = Vec::new();
    for _ in 0..count {
        let start = cursor.at;
        let tag = cursor.number()?;
        cursor.short()?;
        // The date.
        cursor.take(8)?;
        match tag {
            1 => {
                let len = cursor.long()?.len();
                found.push(Stored::PrivateKey(cursor.at.saturating_sub(len)..cursor.at));
                for _ in 0..cursor.number()? {
                    found.extend(cursor.certificate(version)?.map(Stored::Certificate));
                }
            }
            2 => found.extend(cursor.certificate(version)?.map(Stored::Certificate)),
            // JCEKS has secret keys as serialized objects, whose length only shows when they are parsed.
            3 if octets.starts_with(JCEKS) => {
                let at = cursor.at;
                let len = java_object::len(octets.get(at..).unwrap_or_default()).ok_or(at)?;
                cursor.take(len)?;
                found.push(Stored::SecretKey(at..cursor.at));
            }
            _ => return Err(start),
        }
    }
    Ok(found)
}

struct Cursor<'o> {
    octets: &'o [u8],
    at: usize,
}

impl<'o> Cursor<'o> {
    fn take(&mut self, count: usize) -> Result<&'o [u8], usize> {
        let taken = self.octets.get(self.at..).and_then(|rest| rest.get(..count)).ok_or(self.at)?;
        self.at += count;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, usize> {
        let at = self.at;
        self.take(4)?.first_chunk().map(|digits| u32::from_be_bytes(*digits)).ok_or(at)
    }

    /// Reads bytes with a four-byte length prefix.
    fn long(&mut self) -> Result<&'o [u8], usize> {
        let (at, count) = (self.at, self.number()?);
        self.take(usize::try_from(count).ok().ok_or(at)?)
    }

    /// Reads bytes with a two-byte length prefix: text in Java's modified UTF-8.
    fn short(&mut self) -> Result<&'o [u8], usize> {
        let at = self.at;
        let count = self.take(2)?.first_chunk().map(|digits| u16::from_be_bytes(*digits)).ok_or(at)?;
        self.take(usize::from(count))
    }

    /// Returns the position of a certificate, or `None` if it is not an X.509 certificate. In version 2, it follows its
    /// type.
    fn certificate(&mut self, version: u32) -> Result<Option<Range<usize>>, usize> {
        let is_x509 = version == 1 || matches!(self.short()?, b"X.509" | b"X509");
        let len = self.long()?.len();
        Ok(is_x509.then(|| self.at.saturating_sub(len)..self.at))
    }
}

/// Returns whether bytes are Bouncy Castle's FIPS keystore (BCFKS): `SEQUENCE { storeData, integrityCheck }`, whose first
/// part is encrypted with PBES2.
pub(crate) fn is_bcfks(octets: &[u8]) -> bool {
    let store = Frame::read(octets).filter(|store| store.is_whole() && store.tag() == Tag::SEQUENCE);
    store.is_some_and(|store| {
        // PbkdMacIntegrityCheck ::= SEQUENCE { macAlgorithm, pbkdAlgorithm, mac }
        matches!(store.tags(), [Tag::SEQUENCE, Tag::SEQUENCE])
            && matches!(*store.tags_in(0), [Tag::SEQUENCE, Tag::OCTET_STRING])
            && matches!(*store.tags_in(1), [Tag::SEQUENCE, Tag::SEQUENCE, Tag::OCTET_STRING])
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::*;

    fn text(text: &str) -> Vec<u8> {
        [&(text.len() as u16).to_be_bytes()[..], text.as_bytes()].concat()
    }

    fn long(octets: &[u8]) -> Vec<u8> {
        [&(octets.len() as u32).to_be_bytes()[..], octets].concat()
    }

    /// Returns a store with a private key, whose chain has two certificates, and a trusted certificate.
    fn keystore() -> Vec<u8> {
        [
            JKS.to_vec(),
            vec![0, 0, 0, 2, 0, 0, 0, 2],
            // A private key.
            vec![0, 0, 0, 1],
            text("server"),
            vec![0; 8],
            long(b"encrypted"),
            vec![0, 0, 0, 2],
            text("X.509"),
            long(&[0x30, 0x01, 0x05]),
            text("X.509"),
            long(&[0x30, 0x00]),
            // A trusted certificate.
            vec![0, 0, 0, 2],
            text("root"),
            vec![0; 8],
            text("X.509"),
            long(&[0x30, 0x02, 0x05, 0x00]),
            // The digest.
            vec![7; 20],
        ]
        .concat()
    }

    #[test]
    fn certificates_of_keys_and_trusted_ones() {
        let store = keystore();
        let expected = [&[0x30, 0x01, 0x05][..], &[0x30, 0x00], &[0x30, 0x02, 0x05, 0x00]];
        let found: Vec<&[u8]> = certificates(&store).unwrap().into_iter().map(|range| &store[range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn keys_and_secret_keys_are_listed() {
        let store = keystore();
        let kinds: Vec<&str> = entries(&store)
            .unwrap()
            .iter()
            .map(|stored| match stored {
                Stored::PrivateKey(range) if &store[range.clone()] == b"encrypted" => "key",
                Stored::Certificate(_) => "certificate",
                _ => "other",
            })
            .collect();
        assert_eq!(kinds, ["key", "certificate", "certificate", "certificate"]);
        // A null reference as the object, and a certificate behind it.
        let object = [&java_object::MAGIC[..], &[0x70]].concat();
        let certificate = [vec![0, 0, 0, 2], text("root"), vec![0; 8], text("X.509"), long(&[0x30, 0x00])].concat();
        let secret = [&[0, 0, 0, 3][..], &text("aes"), &[0; 8], &object].concat();
        let jceks = [JCEKS, &[0, 0, 0, 2, 0, 0, 0, 2], &secret, &certificate, &[7; 20]].concat();
        let found = entries(&jceks).unwrap();
        assert!(
            matches!(&found[..], [Stored::SecretKey(secret), Stored::Certificate(_)] if jceks[secret.clone()] == object)
        );
        assert_eq!(certificates(&jceks).unwrap().len(), 1);
        assert!(entries(&jceks[..20]).is_err());
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        let store = keystore();
        for len in 4..store.len() - 20 {
            assert!(certificates(&store[..len]).is_err(), "{len}");
        }
        // JKS has no secret keys.
        let mut other = store;
        other[15] = 3;
        assert_eq!(certificates(&other), Err(12));
    }
}
