//! The PKCS #12 key derivation for keys, initialization vectors and MAC keys (RFC 7292 Appendix B.2).

use zeroize::Zeroizing;

use crate::{Backend, Digest, Error, ErrorKind, Secret};

/// The purpose of derived bytes (RFC 7292 Appendix B.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A cipher key.
    Key,
    /// A cipher's initialization vector.
    Iv,
    /// A MAC key.
    Mac,
}

impl Purpose {
    const fn id(self) -> u8 {
        match self {
            Self::Key => 1,
            Self::Iv => 2,
            Self::Mac => 3,
        }
    }
}

/// Derives bytes from a password in the encoding of [`Password::bmp`](super::Password::bmp).
///
/// The caller must limit the number of iterations.
///
/// # Errors
/// Returns [`ErrorKind::Parameters`] for zero iterations, and [`ErrorKind::NotOffered`] if the backend does not support
/// the digest.
pub fn derive(
    backend: &dyn Backend,
    digest: Digest,
    purpose: Purpose,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    len: usize,
) -> Result<Secret, Error> {
    if iterations == 0 {
        return Err(Error::new(ErrorKind::Parameters, "PKCS #12 key derivation with an iteration count of 0"));
    }
    let block = digest.block_len();
    // Steps 2 to 4: salt and password, each repeated until it ends with a block.
    let repeated = |octets: &[u8]| {
        let len = octets.len().div_ceil(block).saturating_mul(block);
        Zeroizing::new(octets.iter().copied().cycle().take(len).collect::<Vec<u8>>())
    };
    // Step 1 and 4: the purpose fills a block.
    let diversifier = vec![purpose.id(); block];
    let input = Zeroizing::new([repeated(salt).as_slice(), repeated(password).as_slice()].concat());
    let mut input = Secret::from(input);

    let mut output = Secret::zeroed(len);
    for chunk in output.expose_mut().chunks_mut(digest.output_len()) {
        // Step 6.A: the digest of the digest … of purpose, salt and password.
        let mut hasher = backend.hasher(digest)?;
        hasher.update(&diversifier);
        hasher.update(input.expose());
        let mut round = Secret::from(hasher.finish()?);
        for _ in 1..iterations {
            round = Secret::from(backend.digest(digest, round.expose())?);
        }
        chunk.iter_mut().zip(round.expose()).for_each(|(octet, from)| *octet = *from);
        // Step 6.B and 6.C: each block of the input grows by the digest, repeated to a block, and 1.
        let adder = Secret::from(round.expose().iter().copied().cycle().take(block).collect::<Vec<u8>>());
        for block in input.expose_mut().chunks_exact_mut(block) {
            let mut carry = 1_u16;
            for (octet, add) in block.iter_mut().zip(adder.expose()).rev() {
                let sum = u16::from(*octet) + u16::from(*add) + carry;
                let [high, low] = sum.to_be_bytes();
                *octet = low;
                carry = high.into();
            }
        }
    }
    Ok(output)
}

#[cfg(all(test, feature = "aws-lc"))]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::backends::AwsLc;
    use crate::pkcs12::Password;

    fn octets(hex: &str) -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
    }

    /// Vectors that are handed on from program to program, since the standard has none: of SHA-1, by Jack Lloyd.
    #[test]
    fn vectors() {
        for (password, salt, iterations, purpose, expected) in [
            ("smeg", "0A58CF64530D823F", 1, Purpose::Key, "8AAAE6297B6CB04642AB5B077851284EB7128F1A2A7FBCA3"),
            ("smeg", "0A58CF64530D823F", 1, Purpose::Iv, "79993DFE048D3B76"),
            ("smeg", "642B99AB44FB4B1F", 1, Purpose::Key, "F3A95FEC48D7711E985CFE67908C5AB79FA3D7C5CAA5D966"),
            ("smeg", "3D83C0E4546AC140", 1, Purpose::Mac, "8D967D88F6CAA9D714800AB3D48051D63F73A312"),
            ("queeg", "05DEC959ACFF72F7", 1000, Purpose::Key, "ED2034E36328830FF09DF1E1A07DD357185DAC0D4F9EB3D4"),
            ("queeg", "05DEC959ACFF72F7", 1000, Purpose::Iv, "11DEDAD7758D4860"),
            ("queeg", "263216FCC2FAB31C", 1000, Purpose::Mac, "5EC4C7A80DF652294C3925B6489A7AB857C83476"),
        ] {
            let (password, expected) = (Password::new(password).bmp(), octets(expected));
            let made = derive(
                &AwsLc::new(),
                Digest::Sha1,
                purpose,
                password.expose(),
                &octets(salt),
                iterations,
                expected.len(),
            );
            assert_eq!(made.unwrap().expose(), expected, "{purpose:?}");
        }
    }

    #[test]
    fn no_iteration_is_refused_and_nothing_is_taken() {
        let derive = |iterations, password: &[u8], salt: &[u8]| {
            derive(&AwsLc::new(), Digest::Sha512, Purpose::Key, password, salt, iterations, 100)
        };
        assert_eq!(derive(0, b"", b"").unwrap_err().kind(), ErrorKind::Parameters);
        let (none, empty) = (derive(1, b"", b"").unwrap(), derive(1, b"\0\0", b"").unwrap());
        assert_eq!((none.len(), none.expose() == empty.expose()), (100, false));
    }
}
