//! The time that a backend takes for the same bytes: AWS-LC by its own crate, without Kerberos.

use aws_lc_rs::cipher::{
    AES_128, AES_256, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext, UnboundCipherKey,
};
use aws_lc_rs::hmac;
use aws_lc_rs::iv::FixedLength;

use crate::row::Failure;

const BLOCK: usize = 16;

/// AES in CBC mode without padding, and an HMAC: keys of bytes, made ready once or for each message.
pub(crate) struct Floor {
    pub(crate) key: Vec<u8>,
    pub(crate) mac_key: Vec<u8>,
    pub(crate) mac: hmac::Algorithm,
}

/// Keys made ready.
pub(crate) struct Ready {
    encrypt: EncryptingKey,
    decrypt: DecryptingKey,
    mac: hmac::Key,
}

impl Floor {
    fn cipher(&self) -> Result<UnboundCipherKey, Failure> {
        let algorithm = if self.key.len() == 16 { &AES_128 } else { &AES_256 };
        Ok(UnboundCipherKey::new(algorithm, &self.key)?)
    }

    pub(crate) fn ready(&self) -> Result<Ready, Failure> {
        Ok(Ready {
            encrypt: EncryptingKey::cbc(self.cipher()?)?,
            decrypt: DecryptingKey::cbc(self.cipher()?)?,
            mac: hmac::Key::new(self.mac, &self.mac_key),
        })
    }

    /// A copy decrypted, and the MAC of as many bytes.
    pub(crate) fn open(&self, sent: &[u8]) -> Result<u64, Failure> {
        let decrypt = DecryptingKey::cbc(self.cipher()?)?;
        open(&decrypt, &hmac::Key::new(self.mac, &self.mac_key), sent)
    }
}

impl Ready {
    pub(crate) fn open(&self, sent: &[u8]) -> Result<u64, Failure> {
        open(&self.decrypt, &self.mac, sent)
    }

    pub(crate) fn seal(&self, plain: &[u8]) -> Result<u64, Failure> {
        seal(&self.encrypt, &self.mac, plain)
    }
}

/// Whole blocks, the last one filled up.
fn blocks(octets: &[u8]) -> Vec<u8> {
    // With room for a MAC.
    let mut blocks = Vec::with_capacity(octets.len().next_multiple_of(BLOCK) + 64);
    blocks.extend(octets);
    blocks.resize(octets.len().next_multiple_of(BLOCK), 0);
    blocks
}

fn open(key: &DecryptingKey, mac: &hmac::Key, sent: &[u8]) -> Result<u64, Failure> {
    let mut blocks = blocks(sent);
    key.decrypt(&mut blocks, DecryptionContext::Iv128(FixedLength::from([0; BLOCK])))?;
    let mac = hmac::sign(mac, &blocks);
    Ok(std::hint::black_box(blocks).len() as u64 + u64::from(mac.as_ref()[0]))
}

fn seal(key: &EncryptingKey, mac: &hmac::Key, plain: &[u8]) -> Result<u64, Failure> {
    let mut blocks = blocks(plain);
    key.less_safe_encrypt(&mut blocks, EncryptionContext::Iv128(FixedLength::from([0; BLOCK])))?;
    let mac = hmac::sign(mac, &blocks);
    blocks.extend(mac.as_ref());
    Ok(std::hint::black_box(blocks).len() as u64)
}
