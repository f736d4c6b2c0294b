//! The acronym table, for words that letter case does not separate.

/// Mixed-case words, with their usual capitalization.
const MIXED: &[&str] = &["IPsec", "IPv4", "IPv6", "OAuth", "ipSec", "mTLS"];

/// Acronyms that occur without separation. An uppercase word that consists only of these is split between them.
const TOGETHER: &[&str] = &[
    "AA", "AC", "AES", "ALG", "AP", "AS", "ASN1", "ATT", "BER", "CA", "CBC", "CCM", "CFB", "CMAC", "CMC", "CMP", "CMS",
    "CPS", "CRL", "CSR", "CT", "CTR", "DER", "DES", "DH", "DNS", "DP", "DSA", "EC", "ECB", "ECC", "ECDH", "ECDSA",
    "EDI", "EE", "GCM", "HMAC", "ID", "IP", "ISO", "KDC", "KDF", "KEM", "KRB", "LDAP", "MAC", "MD5", "MGF1", "OCSP",
    "OFB", "OID", "PBE", "PFX", "PK", "PKCS", "PKI", "PKIX", "POP", "PSS", "RA", "RC2", "RC4", "RC5", "RDN", "RSA",
    "SCT", "SHA", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SMIME", "SSL", "TBS", "TGS", "TGT", "TLS", "TSA",
    "TST", "UPN", "URI", "URL", "UTC", "XML",
];

/// Uppercase words that are not split, although the table would allow it.
const WHOLE: &[&str] =
    &["PKIX", "PKCS", "ECDSA", "ECDH", "HMAC", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "CMAC", "RACA"];

/// Returns the length of the mixed-case word that a text begins with, if no lowercase letter follows it.
pub(super) fn mixed(text: &str) -> Option<usize> {
    let fits = |word: &&&str| {
        text.strip_prefix(**word).is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_lowercase()))
    };
    MIXED.iter().filter(fits).map(|word| word.len()).max()
}

/// Splits a word that consists of two or three known acronyms.
pub(super) fn parts(word: &str) -> Option<Vec<&str>> {
    let plain = word.len() >= 4 && word.bytes().all(|octet| octet.is_ascii_uppercase() || octet.is_ascii_digit());
    if !plain || WHOLE.contains(&word) || TOGETHER.contains(&word) {
        return None;
    }
    two(word).or_else(|| {
        let heads = (2..word.len()).rev().filter_map(|at| word.split_at_checked(at));
        heads
            .filter(|(head, _)| TOGETHER.contains(head))
            .find_map(|(head, rest)| two(rest).map(|parts| std::iter::once(head).chain(parts).collect()))
    })
}

/// Splits a word into two acronyms, the first one as long as possible.
fn two(word: &str) -> Option<Vec<&str>> {
    let cuts = (2..word.len()).rev().filter_map(|at| word.split_at_checked(at));
    let known = cuts.filter(|(head, tail)| TOGETHER.contains(head) && TOGETHER.contains(tail));
    known.map(|(head, tail)| vec![head, tail]).next()
}
