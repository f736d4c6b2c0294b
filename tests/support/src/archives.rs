//! tar archives, and entries of CT logs and of Merkle Tree Certificate logs, built byte by byte.

/// Returns the header of a tar member, with a type flag.
#[must_use]
pub fn tar_header(name: &str, kind: u8, size: usize) -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[100..108].copy_from_slice(b"0000644\0");
    block[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    block[136..148].copy_from_slice(b"00000000000\0");
    block[156] = kind;
    block[257..265].copy_from_slice(b"ustar\x0000");
    checksummed(block)
}

/// Returns a tar header with its checksum.
#[must_use]
pub fn checksummed(mut block: Vec<u8>) -> Vec<u8> {
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// Returns a tar member: its header, and its content with padding.
#[must_use]
pub fn tar_member(name: &str, kind: u8, content: &[u8]) -> Vec<u8> {
    let mut member = [&tar_header(name, kind, content.len()), content].concat();
    member.resize(member.len().next_multiple_of(512), 0);
    member
}

/// Returns a tar archive of regular files.
#[must_use]
pub fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive: Vec<u8> = members.iter().flat_map(|(name, content)| tar_member(name, b'0', content)).collect();
    archive.resize(archive.len() + 1024, 0);
    archive
}

/// Returns a record of a pax header.
#[must_use]
pub fn pax(keyword: &str, value: &str) -> String {
    let rest = keyword.len() + value.len() + 3;
    let digits = (1..).find(|digits| (rest + digits).to_string().len() == *digits).unwrap();
    format!("{} {keyword}={value}\n", rest + digits)
}

/// Returns a vector with a length of so many bytes (RFC 8446 §3.4).
#[must_use]
pub fn vector(width: usize, content: &[u8]) -> Vec<u8> {
    let len = content.len().to_be_bytes();
    [&len[len.len() - width..], content].concat()
}

/// Returns a `TimestampedEntry` of RFC 6962, for a certificate or the to-be-signed part of a precertificate.
#[must_use]
pub fn timestamped(content: &[u8], is_precertificate: bool) -> Vec<u8> {
    let time = 1_795_910_400_000u64.to_be_bytes();
    let content = vector(3, content);
    if is_precertificate {
        [&time[..], &[0, 1], &[7; 32], &content, &[0, 0]].concat()
    } else {
        [&time[..], &[0, 0], &content, &[0, 0]].concat()
    }
}

/// Returns an entry of a data tile (static-ct-api), with a chain of two certificates.
#[must_use]
pub fn tile_leaf(certificate: &[u8], is_precertificate: bool) -> Vec<u8> {
    let entry = timestamped(certificate, is_precertificate);
    let own = if is_precertificate { vector(3, certificate) } else { Vec::new() };
    [entry, own, vector(2, &[9; 64])].concat()
}

/// Returns `leaf_input` and `extra_data` of an entry (RFC 6962 §4.6), with the certificate itself as chain.
#[must_use]
pub fn log_entry(certificate: &[u8], is_precertificate: bool) -> (Vec<u8>, Vec<u8>) {
    let leaf = [&[0, 0][..], &timestamped(certificate, is_precertificate)].concat();
    let chain = vector(3, &vector(3, certificate));
    let extra = if is_precertificate { [vector(3, certificate), chain].concat() } else { chain };
    (leaf, extra)
}

/// Returns the content of a TBSCertificateLogEntry (draft-ietf-plants-merkle-tree-certs-07 §5.2.1), of 143 bytes: for
/// `www.example.org`, with a key on P-256, until 2026-04-01.
#[must_use]
pub fn mtc_entry() -> Vec<u8> {
    [
        // version [0]: v3.
        &b"\xA0\x03\x02\x01\x02"[..],
        // issuer: CN=MTC1.
        b"\x30\x0F\x31\x0D\x30\x0B\x06\x03\x55\x04\x03\x0C\x04MTC1",
        // validity.
        b"\x30\x1E\x17\x0D260101000000Z\x17\x0D260401000000Z",
        // subject, without attributes.
        b"\x30\x00",
        // subjectPublicKeyAlgorithm: id-ecPublicKey, secp256r1.
        b"\x30\x13\x06\x07\x2A\x86\x48\xCE\x3D\x02\x01\x06\x08\x2A\x86\x48\xCE\x3D\x03\x01\x07",
        // subjectPublicKeyInfoHash.
        b"\x04\x20",
        &[0xAA; 32],
        // extensions [3]: subjectAltName with a dNSName.
        b"\xA3\x1E\x30\x1C\x30\x1A\x06\x03\x55\x1D\x11\x04\x13\x30\x11\x82\x0Fwww.example.org",
    ]
    .concat()
}

/// Returns an entry bundle of a log (C2SP tlog-tiles) with these contents of entries. `None` is a null entry.
#[must_use]
pub fn mtc_entries(contents: &[Option<&[u8]>]) -> Vec<u8> {
    let entry = |content: &Option<&[u8]>| match content {
        Some(content) => vector(2, &[&[0, 0, 0, 1], *content].concat()),
        None => vector(2, &[0; 4]),
    };
    contents.iter().flat_map(entry).collect()
}
