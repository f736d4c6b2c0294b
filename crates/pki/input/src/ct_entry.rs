//! The encoding of entries.

use memchr::memmem;

use crate::ct_json;

/// The member of a JSON entry that names it.
const LEAF: &[u8] = b"leaf_input";
/// The first part of a JSON text, which contains an entry's name. A chain may be before it.
const START: usize = 1 << 20;

/// Returns whether a text is JSON with entries of a log.
pub(crate) fn is_entries(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text).trim_ascii_start();
    let is_json = matches!(text.first(), Some(b'{' | b'['));
    let start = text.get(..text.len().min(START)).unwrap_or_default();
    let is_present = |part: &[u8]| memmem::find(start, part).is_some();
    is_json && (is_present(b"\"leaf_input\"") || is_present(b"\\u") && ct_json::contains(start, LEAF))
}

/// Returns whether an input begins with an entry of a data tile, which has a plausible time and a certificate.
pub(crate) fn is_tile(octets: &[u8]) -> bool {
    let mut rest = octets;
    octets.starts_with(&[0, 0]) && tile_leaf(&mut rest).is_ok_and(|leaf| leaf.first() == Some(&0x30))
}

/// Splits the first bytes off.
pub(crate) fn take<'e>(rest: &mut &'e [u8], len: usize) -> Result<&'e [u8], String> {
    let (first, after) = rest.split_at_checked(len).ok_or("truncated entry of a CT log")?;
    *rest = after;
    Ok(first)
}

/// Splits a vector off, whose length has so many bytes (RFC 8446 §3.4).
pub(crate) fn vector<'e>(rest: &mut &'e [u8], width: usize) -> Result<&'e [u8], String> {
    let len = take(rest, width)?.iter().fold(0, |len, byte| (len << 8) | usize::from(*byte));
    take(rest, len)
}

/// Splits a `TimestampedEntry` off (RFC 6962 §3.4), and returns its certificate, or `None` for a precertificate.
fn timestamped<'e>(rest: &mut &'e [u8]) -> Result<Option<&'e [u8]>, String> {
    take(rest, 8)?;
    let kind = take(rest, 2)?;
    let certificate = match kind {
        [0, 0] => Some(vector(rest, 3)?),
        [0, 1] => {
            // The hash of the issuer's key, and the to-be-signed part.
            take(rest, 32)?;
            vector(rest, 3)?;
            None
        }
        _ => {
            let number = kind.iter().fold(0, |number, byte| (number << 8) | u32::from(*byte));
            return Err(format!("unknown type of an entry of a CT log: {number}, expected 0 or 1 (RFC 6962 §3.1)"));
        }
    };
    vector(rest, 2)?;
    Ok(certificate)
}

/// Returns the certificate or precertificate of an entry in JSON.
pub(crate) fn json_leaf<'e>(leaf: &'e [u8], extra: Option<&'e [u8]>) -> Result<&'e [u8], String> {
    let mut rest = leaf;
    let [version, kind] = *take(&mut rest, 2)? else { return Err("truncated entry of a CT log".to_owned()) };
    if (version, kind) != (0, 0) {
        return Err(format!(
            "unknown entry of a CT log: version {version}, type {kind}, expected 0, 0 (RFC 6962 §3.4)"
        ));
    }
    let certificate = timestamped(&mut rest)?;
    if !rest.is_empty() {
        return Err("data after an entry of a CT log".to_owned());
    }
    match (certificate, extra) {
        (Some(certificate), _) => Ok(certificate),
        (None, Some(mut extra)) => vector(&mut extra, 3),
        (None, None) => Err("missing extra_data, expected the precertificate (RFC 6962 §4.6)".to_owned()),
    }
}

/// Splits an entry of a tile off (`TileLeaf`), and returns its certificate or precertificate.
pub(crate) fn tile_leaf<'e>(rest: &mut &'e [u8]) -> Result<&'e [u8], String> {
    let certificate = match timestamped(rest)? {
        Some(certificate) => certificate,
        None => vector(rest, 3)?,
    };
    let chain = vector(rest, 2)?;
    if chain.len().is_multiple_of(32) {
        Ok(certificate)
    } else {
        Err(format!("wrong size of the chain in an entry of a CT log: {} bytes, expected fingerprints", chain.len()))
    }
}
