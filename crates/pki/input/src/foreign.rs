//! Recognizes, by their first bytes, formats without readable ASN.1 values, and gives advice on them.

use tagwise_pkix::Foreign;

use crate::{keystore, tar_header};

/// A format and the bytes that its files start with.
struct Row {
    begins: &'static [u8],
    what: &'static str,
    advice: &'static str,
    is_keystore: bool,
}

const fn row(begins: &'static [u8], what: &'static str, advice: &'static str) -> Row {
    Row { begins, what, advice, is_keystore: false }
}

const fn store(begins: &'static [u8], what: &'static str, advice: &'static str) -> Row {
    Row { begins, what, advice, is_keystore: true }
}

const JAVA: &str = "extract its keys and certificates as PEM: tagwise p12 extract FILE -o NEW";
const BOUNCY: &str =
    "it is Bouncy Castle's own format: convert it to PKCS #12 with keytool and Bouncy Castle's provider";
const KERBEROS: &str = "read it with tagwise krb5 decode";
const PRIVATE_BLOB: &str =
    "it is Microsoft's own format, not ASN.1; convert it: tagwise key convert --to pkcs8 FILE -o NEW";
const PUBLIC_BLOB: &str =
    "it is Microsoft's own format, not ASN.1; convert it: tagwise key convert --to public FILE -o NEW";
const CNG: &str = "it is Microsoft's own format, not ASN.1: export the key as PKCS #8";
const SST: &str = "it is Microsoft's own format: export the certificates as PKCS #7";
const PACKED: &str = "decompress it first";
const EXTRACT: &str = "extract it first";
const DAMAGED: &str = "its checksum is wrong: get an undamaged copy";
const OTHER: &str = "it does not contain ASN.1";
const PDF: &str = "extract the signature first";
const CODE: &str = "extract the Authenticode signature first (osslsigncode extract-signature)";
const NSS: &str = "export the certificates: certutil -L -d FOLDER -n NAME -a";
const SSH: &str = "its format is SSH's own, not ASN.1; convert it: tagwise key convert --to public FILE -o NEW";
const SSH_CERTIFICATE: &str = "its format is OpenSSH's own, not X.509; show it: tagwise key show FILE";
const SSH1: &str = "its format is that of SSH version 1, which is not supported";
const DNSSEC: &str = "its format is BIND's own, not ASN.1; convert it: tagwise key convert --to pkcs8 FILE -o NEW";
const PGP: &str = "its format is OpenPGP's, not ASN.1: gpg reads it";
const AGE: &str = "its format is age's own, not ASN.1: age reads it";
const TEXT_FORM: &str = "the text does not contain the encoding; write it as PEM: openssl x509 -in FILE -out NEW";

const ROWS: &[Row] = &[
    store(b"\xFE\xED\xFE\xED", "a Java keystore (JKS)", JAVA),
    store(b"\xCE\xCE\xCE\xCE", "a Java keystore (JCEKS)", JAVA),
    store(b"\x00\x00\x00\x01\x00\x00\x00\x14", "a Bouncy Castle keystore (BKS)", BOUNCY),
    store(b"\x00\x00\x00\x02\x00\x00\x00\x14", "a Bouncy Castle keystore (BKS)", BOUNCY),
    store(b"\x00\x00\x00\x00CERT", "a Microsoft certificate store (SST)", SST),
    store(b"\x00\x06\x15\x61", "a Berkeley database, as in old NSS databases", NSS),
    row(
        b"SQLite format 3\0",
        "an SQLite database",
        "export the certificates: certutil -L -d FOLDER -n NAME -a for NSS, tagwise ca export for a Tagwise CA",
    ),
    row(b"\x1E\xF1\xB5\xB0", "a Microsoft private key (PVK)", PRIVATE_BLOB),
    row(b"RSA1\x00", "a Microsoft CNG public key blob", CNG),
    row(b"RSA2\x00", "a Microsoft CNG private key blob", CNG),
    row(b"RSA3\x00", "a Microsoft CNG private key blob", CNG),
    row(b"ECS1\x20\x00", "a Microsoft CNG public key blob", CNG),
    row(b"ECS2\x20\x00", "a Microsoft CNG private key blob", CNG),
    row(b"ECK1\x20\x00", "a Microsoft CNG public key blob", CNG),
    row(b"ECK2\x20\x00", "a Microsoft CNG private key blob", CNG),
    row(b"\x1F\x8B\x08", "a gzip file", PACKED),
    row(b"PK\x03\x04", "a zip archive", EXTRACT),
    row(b"BZh", "a file compressed with bzip2", PACKED),
    row(b"\xFD7zXZ\x00", "a file compressed with xz", PACKED),
    row(b"\x28\xB5\x2F\xFD", "a file compressed with zstd", PACKED),
    row(b"\x04\x22\x4D\x18", "a file compressed with lz4", PACKED),
    row(b"\x1F\x9D", "a file compressed with compress", PACKED),
    row(b"LZIP", "a file compressed with lzip", PACKED),
    row(b"\x5D\x00\x00\x80\x00", "a file compressed with lzma", PACKED),
    row(b"7z\xBC\xAF\x27\x1C", "a 7z archive", PACKED),
    row(b"Rar!\x1A\x07", "a RAR archive", PACKED),
    row(b"MSCF\x00\x00\x00\x00", "a cabinet archive", PACKED),
    row(b"!<arch>\n", "an ar archive, such as a Debian package", EXTRACT),
    row(b"\xED\xAB\xEE\xDB", "an RPM package", EXTRACT),
    row(b"%PDF-", "a PDF document", PDF),
    row(b"\x7FELF", "an ELF program", OTHER),
    row(b"MZ\x90\x00", "a Windows program", CODE),
    row(b"\x89PNG\r\n", "an image (PNG)", OTHER),
    row(b"\xFF\xD8\xFF", "an image (JPEG)", OTHER),
    row(b"GIF8", "an image (GIF)", OTHER),
    row(b"bplist00", "a binary property list", OTHER),
    row(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "a file in Microsoft's compound format", OTHER),
    row(b"\xCA\xFE\xBA\xBE", "a Java class or a Mach-O program", OTHER),
    row(b"SSH PRIVATE KEY FILE FORMAT", "an SSH version 1 private key", SSH1),
    row(b"age-encryption.org/", "a file encrypted with age", AGE),
    row(b"AGE-SECRET-KEY-", "an age private key", AGE),
    row(b"PuTTY-User-Key-File-", "a PuTTY private key", "convert it: puttygen FILE -O private-openssh -o NEW"),
    row(b"Private-key-format:", "a DNSSEC private key", DNSSEC),
    row(b"---- BEGIN SSH2 PUBLIC KEY", "an SSH public key (RFC 4716)", SSH),
    row(b"ssh-", "an SSH public key", SSH),
    row(b"ecdsa-sha2-", "an SSH public key", SSH),
    row(b"sk-ssh-", "an SSH public key", SSH),
    row(b"sk-ecdsa-", "an SSH public key", SSH),
    row(b"Certificate:\n    Data:", "openssl's text output for a certificate", TEXT_FORM),
    row(b"Certificate Request:\n    Data:", "openssl's text output for a CSR", TEXT_FORM),
    row(b"Certificate Revocation List (CRL):\n", "openssl's text output for a CRL", TEXT_FORM),
    row(b"<?xml", "an XML document", OTHER),
    row(b"<!DOCTYPE html", "an HTML page", OTHER),
    row(b"<!doctype html", "an HTML page", OTHER),
    row(b"<html", "an HTML page", OTHER),
];

/// The magic numbers of keys in Microsoft blobs.
const BLOB_KEYS: [&[u8]; 6] = [b"RSA1", b"RSA2", b"DSS1", b"DSS2", b"DSS3", b"DSS4"];

/// Recognizes a format that is not supported: a key blob, keytab, database, compressed file or program.
///
/// ```
/// use tagwise_input::foreign;
/// assert_eq!(foreign::recognise(b"\xFE\xED\xFE\xED\0\0\0\x02").unwrap().what, "a Java keystore (JKS)");
/// assert!(foreign::recognise(&[0x30, 0x00]).is_none());
/// ```
#[must_use]
pub fn recognise(octets: &[u8]) -> Option<Foreign> {
    let text = octets.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(octets);
    if let Some(what) = blob(octets) {
        let advice = if octets.first() == Some(&7) { PRIVATE_BLOB } else { PUBLIC_BLOB };
        return Some(Foreign { what: what.to_owned(), advice, dek_info: None });
    }
    if let Some(what) = kerberos(octets) {
        return Some(Foreign { what: what.to_owned(), advice: KERBEROS, dek_info: None });
    }
    if tar_header::is_tar(octets) {
        let is_whole = octets.get(..tar_header::BLOCK).is_some_and(|block| tar_header::Header::read(block).is_some());
        let what = if is_whole { "a tar archive" } else { "a tar archive with a malformed first header" };
        let advice = if is_whole { EXTRACT } else { DAMAGED };
        return Some(Foreign { what: what.to_owned(), advice, dek_info: None });
    }
    if is_ssh_certificate(text) {
        return Some(Foreign { what: "an SSH certificate".to_owned(), advice: SSH_CERTIFICATE, dek_info: None });
    }
    if is_openpgp(octets) {
        return Some(Foreign { what: "a binary OpenPGP file".to_owned(), advice: PGP, dek_info: None });
    }
    let row = ROWS.iter().find(|row| text.starts_with(row.begins))?;
    Some(Foreign { what: row.what.to_owned(), advice: row.advice, dek_info: None })
}

/// Returns whether a recognized format is an archive or a compressed file, whose contents are not read.
///
/// ```
/// use tagwise_input::foreign;
/// assert!(foreign::is_packed(&foreign::recognise(b"BZh91AY").unwrap()));
/// assert!(!foreign::is_packed(&foreign::recognise(b"%PDF-1.7").unwrap()));
/// ```
#[must_use]
pub fn is_packed(foreign: &Foreign) -> bool {
    matches!(foreign.advice, PACKED | EXTRACT | DAMAGED)
}

/// Returns whether bytes look like an unsupported keystore, whose certificates are not read.
///
/// ```
/// assert!(tagwise_input::foreign::is_keystore(b"\xCE\xCE\xCE\xCE"));
/// assert!(!tagwise_input::foreign::is_keystore(b"%PDF-1.7"));
/// ```
#[must_use]
pub fn is_keystore(octets: &[u8]) -> bool {
    ROWS.iter().any(|row| row.is_keystore && octets.starts_with(row.begins)) || keystore::is_bcfks(octets)
}

/// Recognizes a `BLOBHEADER` (type, version 2, two reserved bytes, algorithm) and the key's magic number.
fn blob(octets: &[u8]) -> Option<&'static str> {
    let known = octets.get(8..12).is_some_and(|magic| BLOB_KEYS.contains(&magic));
    match octets {
        [7, 2, 0, 0, ..] if known => Some("a Microsoft private key blob (PRIVATEKEYBLOB)"),
        [6, 2, 0, 0, ..] if known => Some("a Microsoft public key blob (PUBLICKEYBLOB)"),
        _ => None,
    }
}

/// Recognizes MIT's keytabs and credential caches: version 5, the format, and the following number.
fn kerberos(octets: &[u8]) -> Option<&'static str> {
    let number = octets.get(2..6).and_then(|digits| digits.first_chunk()).map(|digits| u32::from_be_bytes(*digits));
    match (octets, number) {
        // Size of the first entry, or the type of the principal's name.
        ([5, 1 | 2, ..], Some(number)) => {
            Some(if number > 10 { "a Kerberos keytab" } else { "a Kerberos credential cache" })
        }
        ([5, 2, ..], None) => Some("a Kerberos keytab"),
        ([5, 3, 0, ..] | [5, 4, 0, ..], Some(_)) => Some("a Kerberos credential cache"),
        _ => None,
    }
}

/// Returns whether text starts with the name of a type of SSH certificates, such as `ssh-ed25519-cert-v01@openssh.com` (OpenSSH,
/// PROTOCOL.certkeys).
fn is_ssh_certificate(text: &[u8]) -> bool {
    let word = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    word.ends_with(b"-cert-v01@openssh.com") && ROWS.iter().any(|row| row.advice == SSH && text.starts_with(row.begins))
}

/// Returns whether bytes start with an old-style packet with a public or secret key of version 3 or 4 (RFC 9580 §4.2,
/// §5.5.2), or with an encrypted message.
const fn is_openpgp(octets: &[u8]) -> bool {
    matches!(octets, [0x99 | 0x95, _, _, 3 | 4, ..] | [0x98 | 0x94, _, 3 | 4, ..] | [0x85, 1..=3, _, 3, ..])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn formats_are_named() {
        for (octets, what) in [
            (&b"\x07\x02\x00\x00\x00\xA4\x00\x00RSA2\x00\x08"[..], "a Microsoft private key blob (PRIVATEKEYBLOB)"),
            (b"\x06\x02\x00\x00\x00\xA4\x00\x00RSA1\x00\x08", "a Microsoft public key blob (PUBLICKEYBLOB)"),
            (b"\x05\x02\x00\x00\x00\x55\x00\x02", "a Kerberos keytab"),
            (b"\x05\x02\x00\x00\x00", "a Kerberos keytab"),
            (b"\x05\x04\x00\x0C\x00\x01", "a Kerberos credential cache"),
            (b"\xEF\xBB\xBFssh-ed25519 AAAA", "an SSH public key"),
            (b"ssh-ed25519-cert-v01@openssh.com AAAA", "an SSH certificate"),
            (b"sk-ecdsa-sha2-nistp256-cert-v01@openssh.com AAAA", "an SSH certificate"),
            (b"ssh-ed25519 AAAA ssh-ed25519-cert-v01@openssh.com", "an SSH public key"),
            (b"\xFD7zXZ\x00\x00", "a file compressed with xz"),
        ] {
            assert_eq!(recognise(octets).unwrap().what, what);
        }
        let tar = [&[b'a'; 257][..], b"ustar", &[0; 250]].concat();
        let damaged = recognise(&tar).unwrap();
        assert_eq!(damaged.what, "a tar archive with a malformed first header");
        assert!(is_packed(&damaged));
        // A blob is one by the magic number of its key, not by its type alone.
        assert_eq!(recognise(b"\x07\x02\x00\x00\x00\xA4\x00\x00XXXX"), None);
        for octets in [&b""[..], b"0500", b"-----BEGIN X-----", b"\x30\x82", b"hello\n", b"\x05\x00"] {
            assert_eq!(recognise(octets), None, "{octets:?}");
        }
    }

    #[test]
    fn no_row_hides_another() {
        for (at, row) in ROWS.iter().enumerate() {
            let first = ROWS.iter().position(|other| row.begins.starts_with(other.begins));
            assert_eq!(first, Some(at), "{}", row.what);
        }
    }
}
