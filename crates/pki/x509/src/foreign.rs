//! Recognizes PEM blocks that are not directly readable, and gives advice on them.

use std::fmt;

use tagwise_facts::files::{is_secret_label, label};

/// A recognized PEM block that cannot be read directly.
///
/// ```
/// use tagwise_x509::Foreign;
///
/// let found = Foreign::recognise("OPENSSH PRIVATE KEY", std::iter::empty()).unwrap();
/// assert_eq!(found.what, "an OpenSSH private key");
/// assert!(Foreign::recognise("CERTIFICATE", std::iter::empty()).is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The type of block, such as `an OpenSSH private key`.
    pub what: String,
    /// Advice on converting the block.
    pub advice: &'static str,
    /// The DEK-Info header of an encrypted private key, which can be read with the passphrase.
    pub dek_info: Option<String>,
}

const PKCS8: &str = "convert it to PKCS #8, which has stronger encryption: tagwise key convert --to pkcs8 FILE -o NEW";
const OPENSSH: &str = "its format is OpenSSH's own, not ASN.1; convert it: tagwise key convert --to pkcs8 FILE -o NEW";
const OPENSSH_PUBLIC: &str =
    "its format is SSH's own, not ASN.1; convert it: tagwise key convert --to public FILE -o NEW";
const SSH2_PRIVATE: &str = "its format is SSH Communications' own, not ASN.1; convert it: ssh-keygen -i -f FILE";
const OPENPGP: &str = "its format is OpenPGP's, not ASN.1: gpg reads it";
const DECRYPT: &str = "the PEM content is encrypted (RFC 1421 headers), which is not supported; decrypt it first with the program that created it";

/// Recognizes a PEM block that cannot be read directly by its label and headers.
fn foreign<'h>(label: &str, headers: impl Iterator<Item = (&'h str, &'h str)>) -> Option<Foreign> {
    let found = |what: &str, advice| Some(Foreign { what: what.to_owned(), advice, dek_info: None });
    match label {
        label::OPENSSH_PRIVATE_KEY => return found("an OpenSSH private key", OPENSSH),
        label::SSH2_PUBLIC_KEY => return found("an SSH public key (RFC 4716)", OPENSSH_PUBLIC),
        label::SSH2_ENCRYPTED_PRIVATE_KEY => {
            return found("a private key in SSH Communications' format (ssh.com)", SSH2_PRIVATE);
        }
        label if label.starts_with("PGP ") => return found("an OpenPGP block", OPENPGP),
        _ => {}
    }
    let (mut encrypted, mut cipher, mut dek_info) = (false, None, None);
    for (name, value) in headers {
        match name {
            "Proc-Type" => encrypted = value.trim_end().ends_with("ENCRYPTED"),
            "DEK-Info" => {
                cipher = value.split(',').next().map(str::trim);
                dek_info = Some(value.to_owned());
            }
            _ => {}
        }
    }
    if !encrypted && cipher.is_none() {
        return None;
    }
    let by = cipher.map(|cipher| format!(" with {cipher}")).unwrap_or_default();
    // Letters as they are said: an RSA key, an EC key, a DSA key.
    let article = if label.starts_with(['A', 'E', 'I', 'O', 'U', 'R']) { "an" } else { "a" };
    let dek_info = dek_info.filter(|_| is_secret_label(label));
    let (what, advice) = match label.strip_suffix(label::PRIVATE_KEY) {
        Some(kind) => (format!("{article} {kind}private key"), PKCS8),
        None => (format!("{article} {label}"), DECRYPT),
    };
    Some(Foreign { what: format!("{what}, encrypted by PEM headers{by}"), advice, dek_info })
}

impl Foreign {
    /// Recognizes a block by its label and headers. Returns `None` for readable and unknown blocks.
    pub fn recognise<'h>(label: &str, headers: impl Iterator<Item = (&'h str, &'h str)>) -> Option<Self> {
        foreign(label, headers)
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.advice)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn what_blocks_are() {
        let of = |label, headers: &[(&'static str, &'static str)]| {
            foreign(label, headers.iter().copied()).map(|found| found.what)
        };
        let encrypted = ("Proc-Type", "4,ENCRYPTED");
        let what = of("RSA PRIVATE KEY", &[encrypted, ("DEK-Info", "AES-256-CBC,00112233")]).unwrap();
        assert_eq!(what, "an RSA private key, encrypted by PEM headers with AES-256-CBC");
        assert_eq!(of("EC PRIVATE KEY", &[encrypted]).unwrap(), "an EC private key, encrypted by PEM headers");
        assert_eq!(of("OPENSSH PRIVATE KEY", &[]).unwrap(), "an OpenSSH private key");
        assert_eq!(of("PGP MESSAGE", &[("Version", "1")]).unwrap(), "an OpenPGP block");
        assert_eq!(of("RSA PRIVATE KEY", &[]), None);
        // What is said beside a key does not make it encrypted.
        assert_eq!(of("PRIVATE KEY", &[("Comment", "mine"), ("Proc-Type", "4,CLEAR")]), None);
    }
}
