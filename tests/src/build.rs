//! Handmade small certificates and large lists, for cases that do not occur in real files.

/// Encodes an element.
#[must_use]
pub fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    match content.len() {
        len @ 0..0x80 => out.push(len as u8),
        len => {
            let octets: Vec<u8> = len.to_be_bytes().into_iter().skip_while(|octet| *octet == 0).collect();
            out.push(0x80 | octets.len() as u8);
            out.extend(octets);
        }
    }
    out.extend(content);
    out
}

/// Encodes a constructed element from parts.
#[must_use]
pub fn parts(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    element(tag, &parts.concat())
}

/// `ecdsa-with-SHA256`.
#[must_use]
pub fn algorithm() -> Vec<u8> {
    b"\x30\x0A\x06\x08\x2A\x86\x48\xCE\x3D\x04\x03\x02".to_vec()
}

/// Encodes a name with one commonName, a UTF8String.
#[must_use]
pub fn name(text: &str) -> Vec<u8> {
    let attribute = parts(0x30, &[b"\x06\x03\x55\x04\x03", &element(0x0C, text.as_bytes())]);
    parts(0x30, &[&parts(0x31, &[&attribute])])
}

/// Encodes a non-critical extension.
#[must_use]
pub fn extension(oid: &[u8], value: &[u8]) -> Vec<u8> {
    parts(0x30, &[&element(0x06, oid), &element(0x04, value)])
}

/// Encodes a certificate with the given serial number (content bytes), subject (DER) and extensions, with an Ed25519 key of
/// zeros and a dummy signature.
#[must_use]
pub fn certificate(serial: &[u8], subject: &[u8], extensions: &[Vec<u8>]) -> Vec<u8> {
    let times = parts(0x30, &[&element(0x17, b"250101000000Z"), &element(0x17, b"350101000000Z")]);
    let key = parts(0x30, &[b"\x30\x05\x06\x03\x2B\x65\x70", &element(0x03, &[0; 33])]);
    let extensions =
        if extensions.is_empty() { Vec::new() } else { parts(0xA3, &[&element(0x30, &extensions.concat())]) };
    let version: &[u8] = if extensions.is_empty() { &[] } else { b"\xA0\x03\x02\x01\x02" };
    let issuer = name("issuer");
    let tbs =
        parts(0x30, &[version, &element(0x02, serial), &algorithm(), &issuer, &times, subject, &key, &extensions]);
    parts(0x30, &[&tbs, &algorithm(), b"\x03\x02\x00\x00"])
}
