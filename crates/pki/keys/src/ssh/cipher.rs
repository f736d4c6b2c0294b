//! The ciphers of OpenSSH's private keys (RFC 4344 §4, `PROTOCOL.chacha20poly1305`).

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit as _, StreamCipher as _, StreamCipherSeek as _};
use poly1305::Poly1305;
use poly1305::universal_hash::KeyInit as _;
use tagwise_crypto::{Backend, Cipher, Direction, Error, ErrorKind, OldCipher, Secret};

/// A cipher of the OpenSSH private key format.
#[derive(Clone, Copy, Debug)]
pub(super) struct SshCipher {
    pub(super) name: &'static str,
    key_len: usize,
    iv_len: usize,
    mode: Mode,
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    Counter(Cipher),
    Cbc(Cipher),
    TripleDes,
    Gcm(Cipher),
    ChaCha,
}

const fn row(name: &'static str, key_len: usize, iv_len: usize, mode: Mode) -> SshCipher {
    SshCipher { name, key_len, iv_len, mode }
}

/// The cipher that is used for writing.
pub(super) const WRITTEN: SshCipher = row("aes256-ctr", 32, 16, Mode::Counter(Cipher::Aes256Cbc));

const CIPHERS: [SshCipher; 11] = [
    WRITTEN,
    row("aes192-ctr", 24, 16, Mode::Counter(Cipher::Aes192Cbc)),
    row("aes128-ctr", 16, 16, Mode::Counter(Cipher::Aes128Cbc)),
    row("aes256-cbc", 32, 16, Mode::Cbc(Cipher::Aes256Cbc)),
    row("rijndael-cbc@lysator.liu.se", 32, 16, Mode::Cbc(Cipher::Aes256Cbc)),
    row("aes192-cbc", 24, 16, Mode::Cbc(Cipher::Aes192Cbc)),
    row("aes128-cbc", 16, 16, Mode::Cbc(Cipher::Aes128Cbc)),
    row("3des-cbc", 24, 8, Mode::TripleDes),
    row("aes128-gcm@openssh.com", 16, 12, Mode::Gcm(Cipher::Aes128Gcm)),
    row("aes256-gcm@openssh.com", 32, 12, Mode::Gcm(Cipher::Aes256Gcm)),
    row("chacha20-poly1305@openssh.com", 64, 0, Mode::ChaCha),
];

impl SshCipher {
    pub(super) fn named(name: &str) -> Result<Self, Error> {
        let found = CIPHERS.iter().find(|cipher| cipher.name == name).copied();
        found.ok_or_else(|| {
            let name: String = name.chars().filter(char::is_ascii_graphic).take(64).collect();
            Error::new(ErrorKind::Unsupported, format_args!("an OpenSSH key encrypted with {name}"))
        })
    }

    /// Returns the number of bytes to derive from the password, for the key and the initialization vector.
    pub(super) const fn derived_len(self) -> usize {
        self.key_len + self.iv_len
    }

    /// Returns the length of the authentication tag after the ciphertext, in bytes.
    pub(super) const fn tag_len(self) -> usize {
        match self.mode {
            Mode::Gcm(_) | Mode::ChaCha => 16,
            _ => 0,
        }
    }

    /// Returns the block length in bytes. The plaintext is padded to a multiple of it.
    pub(super) const fn block_len(self) -> usize {
        match self.mode {
            Mode::Counter(_) | Mode::Cbc(_) | Mode::Gcm(_) => 16,
            Mode::TripleDes | Mode::ChaCha => 8,
        }
    }

    /// Decrypts a ciphertext that is followed by its authentication tag.
    pub(super) fn decrypt(self, backend: &dyn Backend, derived: &Secret, ciphertext: &[u8]) -> Result<Secret, Error> {
        let length = || Error::new(ErrorKind::Length, self.name);
        let (key, iv) = derived.expose().split_at_checked(self.key_len).ok_or_else(length)?;
        match self.mode {
            Mode::Counter(cipher) => counter(backend, cipher, key, iv, ciphertext),
            Mode::Cbc(cipher) => {
                let mut plain = Secret::from(ciphertext);
                let ready = backend.ready_cbc(cipher, Direction::Decrypt, key)?;
                let ready = ready.ok_or_else(|| Error::new(ErrorKind::NotOffered, self.name).by(backend.name()))?;
                ready.run(iv.try_into().map_err(|_| length())?, plain.expose_mut()).map_err(|_| length())?;
                Ok(plain)
            }
            // The plaintext has no padding that the cipher knows: a block is added that decrypts to one.
            Mode::TripleDes => triple_des(key, iv, ciphertext),
            Mode::Gcm(cipher) => backend.decrypt(cipher, key, iv, &[], ciphertext),
            Mode::ChaCha => chacha(key, ciphertext).ok_or_else(|| Error::new(ErrorKind::Integrity, self.name)),
        }
    }

    /// Encrypts in counter mode.
    pub(super) fn encrypt(self, backend: &dyn Backend, derived: &Secret, plain: &[u8]) -> Result<Vec<u8>, Error> {
        let length = || Error::new(ErrorKind::Length, self.name);
        let (key, iv) = derived.expose().split_at_checked(self.key_len).ok_or_else(length)?;
        match self.mode {
            Mode::Counter(cipher) => counter(backend, cipher, key, iv, plain).map(Secret::into_public),
            _ => Err(Error::new(ErrorKind::Unsupported, self.name)),
        }
    }
}

/// Encrypts or decrypts in counter mode (RFC 4344 §4), using a backend's CBC mode. With the counter as the initialization
/// vector, the first block of encrypted zeros is the key stream.
fn counter(backend: &dyn Backend, cipher: Cipher, key: &[u8], iv: &[u8], octets: &[u8]) -> Result<Secret, Error> {
    let mut count: [u8; 16] = iv.try_into().map_err(|_| Error::new(ErrorKind::Length, cipher))?;
    let ready = backend.ready_cbc(cipher, Direction::Encrypt, key)?;
    let mut output = Secret::from(octets);
    for block in output.expose_mut().chunks_mut(16) {
        let mut stream = Secret::zeroed(16);
        match &ready {
            Some(ready) => ready.run(&count, stream.expose_mut())?,
            None => stream = Secret::from(backend.encrypt(cipher, key, &count, &[], &[0; 16])?),
        }
        block.iter_mut().zip(stream.expose()).for_each(|(octet, with)| *octet ^= with);
        count = u128::from_be_bytes(count).wrapping_add(1).to_be_bytes();
    }
    Ok(output)
}

/// Decrypts Triple DES in CBC mode without padding.
fn triple_des(key: &[u8], iv: &[u8], ciphertext: &[u8]) -> Result<Secret, Error> {
    let wrong = || Error::new(ErrorKind::Length, "3des-cbc");
    let last = match ciphertext.len() {
        len if len % 8 == 0 && len > 0 => ciphertext.get(len - 8..).ok_or_else(wrong)?,
        _ => return Err(wrong()),
    };
    // The encryption of a whole block of padding under the last block.
    let padding = OldCipher::TripleDesCbc.encrypt(key, last, &[])?;
    OldCipher::TripleDesCbc.decrypt(key, iv, &[ciphertext, &padding].concat())
}

/// Decrypts OpenSSH's combination of ChaCha20 and Poly1305, with packet number 0 and no additional data. The nonce is
/// therefore zero in both variants of ChaCha20. The first half of the key encrypts the data. The second half, for packet
/// lengths, is not used here.
fn chacha(key: &[u8], ciphertext: &[u8]) -> Option<Secret> {
    let (ciphertext, tag) = ciphertext.split_at_checked(ciphertext.len().checked_sub(16)?)?;
    let mut cipher = ChaCha20::new_from_slices(key.get(..32)?, &[0; 12]).ok()?;
    let mut mac_key = Secret::zeroed(32);
    cipher.try_apply_keystream(mac_key.expose_mut()).ok()?;
    let computed = Poly1305::new_from_slice(mac_key.expose()).ok()?.compute_unpadded(ciphertext);
    let differing = computed.iter().zip(tag).fold(0, |bits, (one, other)| bits | (one ^ other));
    if core::hint::black_box(differing) != 0 {
        return None;
    }
    let mut plain = Secret::from(ciphertext);
    cipher.try_seek(64_u64).ok()?;
    cipher.try_apply_keystream(plain.expose_mut()).ok()?;
    Some(plain)
}
