//! SSH keys: OpenSSH private keys (`PROTOCOL.key`), and public keys on one line or in the format of RFC 4716 (RFC 4253 §6.6,
//! RFC 5656 §3.1, RFC 8709 §4).

mod certificate;
mod cipher;
mod private;

use tagwise_codec::Decode;
use tagwise_codec::text::base64;
use tagwise_crypto::{Error, ErrorKind, KeyType};
use tagwise_pkix::SubjectPublicKeyInfo;

use crate::cursor::Cursor;
use crate::parts::{Public, dsa_public, public, rsa_public};
use crate::{Found, Key, Limits, dsa};

pub use certificate::{SshCertificate, read_certificate};
pub use private::{MAGIC, read_private, write_private};

/// The begin marker of an RFC 4716 (SSH2) public key.
pub(crate) const SSH2_BEGIN: &str = "---- BEGIN SSH2 PUBLIC KEY ----";
const SSH2_END: &str = "---- END SSH2 PUBLIC KEY ----";

const LINE: &str = "SSH public key";
const CERTIFICATE: &str = "SSH certificate";
const SSH2: &str = "SSH public key (RFC 4716)";
/// The format's name in error messages.
const NAME: &str = "SSH public";

/// The supported key types, with their SSH names and the SSH names of their curves.
const TYPES: [(&str, &str, KeyType); 5] = [
    ("ecdsa-sha2-nistp256", "nistp256", KeyType::P256),
    ("ecdsa-sha2-nistp384", "nistp384", KeyType::P384),
    ("ecdsa-sha2-nistp521", "nistp521", KeyType::P521),
    ("ssh-ed25519", "", KeyType::Ed25519),
    ("ssh-ed448", "", KeyType::Ed448),
];
const RSA: &str = "ssh-rsa";
const DSA: &str = "ssh-dss";

/// Returns the key type with the given SSH name.
fn type_of(name: &str) -> Result<KeyType, Error> {
    let found = TYPES.iter().find(|(known, ..)| *known == name);
    let why = if certificate::is_certificate(name) {
        "it is an SSH certificate, expected a key"
    } else if name.starts_with("sk-") {
        "it is a security key (FIDO), which is not supported"
    } else {
        "it is not one of ssh-rsa, ecdsa-sha2-nistp256, -nistp384, -nistp521, ssh-ed25519, ssh-ed448, ssh-dss"
    };
    found.map(|(.., key)| *key).ok_or_else(|| {
        let name: String = name.chars().filter(|char| char.is_ascii_graphic()).take(64).collect();
        Error::new(ErrorKind::Unsupported, format_args!("the SSH key type {name}")).because(why)
    })
}

/// Reads a public key in the SSH protocol's encoding (RFC 4253 §6.6), and returns its SubjectPublicKeyInfo in DER.
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] for other key types, or [`ErrorKind::MalformedKey`] if the encoding is invalid.
pub fn read_blob(blob: &[u8]) -> Result<Vec<u8>, Error> {
    let mut cursor = Cursor::new(NAME, blob);
    let name = cursor.text()?;
    let info = match name {
        RSA => {
            let exponent = cursor.natural()?;
            rsa_public(cursor.natural()?, exponent)?
        }
        DSA => {
            let (parameters, key) = dsa::ssh_public(&mut cursor)?;
            dsa_public(&parameters, key)
        }
        _ => public_of(type_of(name)?, &mut cursor)?,
    };
    cursor.end()?;
    Ok(info)
}

/// Reads a public key of a type other than RSA, after the type's name.
fn public_of(key: KeyType, cursor: &mut Cursor<'_>) -> Result<Vec<u8>, Error> {
    let curve = TYPES.iter().find(|(.., known)| *known == key).map_or("", |(_, curve, _)| *curve);
    if !curve.is_empty() {
        let here = *cursor;
        let found = cursor.text()?;
        if found != curve {
            return Err(here.wrong(&format!("the curve does not match the key type: expected {curve}")));
        }
    }
    let here = *cursor;
    let octets = cursor.long()?;
    // RFC 5656 §3.1: a point as SEC 1 encodes it; OpenSSH only writes uncompressed ones.
    let len = match key {
        KeyType::Ed25519 => 32,
        KeyType::Ed448 => 57,
        _ => 1 + 2 * crate::parts::coordinate_len(key).unwrap_or_default(),
    };
    if octets.len() != len || !curve.is_empty() && octets.first() != Some(&4) {
        return Err(here.wrong(&format!("the public key has {} bytes, expected {len}", octets.len())));
    }
    public(key, octets)
}

/// Writes bytes with a four-byte length prefix.
fn put(out: &mut Vec<u8>, octets: &[u8]) {
    out.extend((octets.len() as u32).to_be_bytes());
    out.extend_from_slice(octets);
}

/// Writes an `mpint`.
fn put_natural(out: &mut Vec<u8>, number: &[u8]) {
    let number = crate::parts::trimmed(number);
    let sign = usize::from(matches!(number.first(), Some(0x80..)));
    out.extend(((number.len() + sign) as u32).to_be_bytes());
    out.extend(core::iter::repeat_n(0, sign));
    out.extend_from_slice(number);
}

/// Encodes a SubjectPublicKeyInfo in the SSH protocol's encoding (RFC 4253 §6.6): the type's name and the key.
///
/// # Errors
/// Returns [`ErrorKind::Unsupported`] if SSH does not define the key type, or [`ErrorKind::MalformedKey`] if the key does
/// not decode.
pub fn write_blob(info: &[u8]) -> Result<Vec<u8>, Error> {
    let info = SubjectPublicKeyInfo::from_der(info);
    let info = info.map_err(|error| Error::new(ErrorKind::MalformedKey, "public").because(error))?;
    let mut out = Vec::new();
    if let Some(numbers) = dsa::parts_of(&info) {
        put(&mut out, DSA.as_bytes());
        numbers.iter().for_each(|number| put_natural(&mut out, number));
        return Ok(out);
    }
    let (key, octets) = match Public::of(&info, "an SSH key")? {
        Public::Rsa { modulus, exponent } => {
            put(&mut out, RSA.as_bytes());
            put_natural(&mut out, exponent.magnitude());
            put_natural(&mut out, modulus.magnitude());
            return Ok(out);
        }
        Public::Curve(key, octets) | Public::Edwards(key, octets) => (key, octets),
    };
    let found = TYPES.iter().find(|(.., known)| *known == key);
    let (name, curve, _) =
        found.ok_or_else(|| Error::new(ErrorKind::Unsupported, format_args!("{key} as an SSH key")))?;
    put(&mut out, name.as_bytes());
    if !curve.is_empty() {
        put(&mut out, curve.as_bytes());
    }
    put(&mut out, octets);
    Ok(out)
}

/// Returns the name of the key type at the start of a blob.
fn name_of(blob: &[u8]) -> &str {
    Cursor::new(NAME, blob).text().unwrap_or_default()
}

/// Removes the control characters from a comment, so that it fits on one line.
fn one_line(comment: &str) -> String {
    comment.chars().filter(|char| !char.is_control()).collect()
}

/// Writes a public key on one line, as in `id_ed25519.pub` and `authorized_keys`.
///
/// ```
/// let line = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4TPGqhSVCjxDyHMGHUBNjtlYX6qRnOwGhZcMGMLSfA alice";
/// let info = tagwise_keys::ssh::read_blob(&tagwise_codec::text::base64::decode(line[12..80].as_bytes()).unwrap())?;
/// assert_eq!(tagwise_keys::ssh::write_line(&info, "alice")?, format!("{line}\n"));
/// # Ok::<(), tagwise_crypto::Error>(())
/// ```
///
/// # Errors
/// Returns any error from [`write_blob`].
pub fn write_line(info: &[u8], comment: &str) -> Result<String, Error> {
    let blob = write_blob(info)?;
    let comment = one_line(comment);
    let blank = if comment.is_empty() { "" } else { " " };
    Ok(format!("{} {}{blank}{comment}\n", name_of(&blob), base64::encode(&blob)))
}

/// Writes a public key in the format of RFC 4716 §3.
///
/// # Errors
/// Returns any error from [`write_blob`].
pub fn write_ssh2(info: &[u8], comment: &str) -> Result<String, Error> {
    let blob = write_blob(info)?;
    let mut text = format!("{SSH2_BEGIN}\n");
    let comment = one_line(comment).replace('"', "'");
    // RFC 4716 §3.3: lines have at most 72 bytes. A longer comment is left out rather than continued.
    if !comment.is_empty() && comment.len() <= 60 {
        text.push_str(&format!("Comment: \"{comment}\"\n"));
    }
    let body = base64::encode(&blob);
    for line in body.as_bytes().chunks(70) {
        text.push_str(core::str::from_utf8(line).unwrap_or_default());
        text.push('\n');
    }
    text.push_str(SSH2_END);
    text.push('\n');
    Ok(text)
}

/// Returns the decoded key in a line, and its comment. The line consists of a type name, base64 that starts with the same
/// name, and the comment. It may start with options, as in `authorized_keys`, or host names, as in `known_hosts`.
fn blob_in(line: &str) -> Option<(Vec<u8>, &str)> {
    let line = line.trim();
    if line.starts_with('#') {
        return None;
    }
    let mut rest = line;
    while let Some(at) = rest.find(char::is_whitespace) {
        let (name, after) = rest.split_at(at);
        let after = after.trim_start();
        let (body, comment) = after.split_once(char::is_whitespace).unwrap_or((after, ""));
        if name.contains('-') && body.starts_with("AAAA") {
            let blob = base64::decode(body.as_bytes()).ok().filter(|blob| name_of(blob) == name);
            if let Some(blob) = blob {
                return Some((blob, comment.trim()));
            }
        }
        rest = after;
    }
    None
}

/// Returns whether the first line that is not a comment contains a public key.
pub(crate) fn has_line(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| {
        let begins = ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"].iter().any(|name| line.starts_with(name));
        begins && line.contains(char::is_whitespace) || blob_in(line).is_some()
    })
}

/// Reads public keys, one per line. Empty lines and comments are ignored.
///
/// # Errors
/// Returns [`ErrorKind::MalformedKey`] if a line is not a valid key, [`ErrorKind::Unsupported`] for other key types, or
/// [`ErrorKind::Limit`] if there are too many keys.
pub fn read_lines(text: &str, limits: &Limits) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        if found.len() >= limits.keys as usize {
            return Err(Error::new(ErrorKind::Limit, "the number of keys"));
        }
        let wrong = || {
            let why = format!("line {}: expected a key type, base64 that begins with it, and a comment", index + 1);
            Error::new(ErrorKind::MalformedKey, NAME).because(why)
        };
        let (blob, comment) = blob_in(line).ok_or_else(wrong)?;
        let name = (!comment.is_empty()).then(|| comment.to_owned());
        let (info, certificate) = match certificate::is_certificate(name_of(&blob)) {
            true => read_certificate(&blob).map(|(info, certificate)| (info, Some(Box::new(certificate))))?,
            false => (read_blob(&blob)?, None),
        };
        let form = if certificate.is_some() { CERTIFICATE } else { LINE };
        found.push(Found { name, ssh_certificate: certificate, ..Found::new(form, Key::Public(info)) });
    }
    Ok(found)
}

/// Reads a public key in the format of RFC 4716.
///
/// # Errors
/// Returns [`ErrorKind::MalformedKey`] if the text is invalid, or [`ErrorKind::Unsupported`] for other key types.
pub fn read_ssh2(text: &str) -> Result<Found, Error> {
    let wrong = |why: &'static str| Error::new(ErrorKind::MalformedKey, NAME).because(why);
    let inside = text.split_once(SSH2_BEGIN).map(|(_, after)| after);
    let inside = inside.and_then(|after| after.split_once(SSH2_END)).map(|(inside, _)| inside);
    let inside = inside.ok_or_else(|| wrong("the line ---- END SSH2 PUBLIC KEY ---- is missing"))?;
    let (mut name, mut body, mut continued) = (None, String::new(), false);
    for line in inside.lines().map(str::trim) {
        let is_header = continued || line.contains(':');
        if !is_header {
            body.push_str(line);
            continue;
        }
        // RFC 4716 §3.3.2: a comment may be quoted.
        if let Some(comment) = line.strip_prefix("Comment:").filter(|_| !continued) {
            name = Some(comment.trim().trim_end_matches('\\').trim_matches('"').to_owned());
        }
        continued = line.ends_with('\\');
    }
    let blob = base64::decode_wrapped(body.as_bytes());
    let blob = blob.map_err(|fault| Error::new(ErrorKind::MalformedKey, NAME).because(fault.kind().text()))?;
    Ok(Found { name, ..Found::new(SSH2, Key::Public(read_blob(&blob)?)) })
}
