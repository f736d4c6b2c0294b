//! Encodes bytes as PEM.

use alloc::string::String;

use super::boundary::{Found, at};
use crate::encode::EncodeError;
use crate::kind::FaultKind;
use crate::text::base64;

/// The number of bytes in a full line: 64 characters (RFC 7468 §2).
const LINE: usize = 48;

/// Encodes bytes as a PEM block in the `stricttextualmsg` form of RFC 7468 §3: 64-character lines that end with a line
/// feed.
///
/// Empty input produces a block with an empty line, which is only valid as `textualmsg`.
///
/// ```
/// use tagwise_codec::pem;
/// let text = pem::encode("EXAMPLE", &[0x02, 0x01, 0x05])?;
/// assert_eq!(text, "-----BEGIN EXAMPLE-----\nAgEF\n-----END EXAMPLE-----\n");
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
///
/// # Errors
/// Returns [`FaultKind::PemBoundary`] if the label is invalid under RFC 7468 §3. A label is printable ASCII. Spaces and
/// hyphens cannot be first, last or adjacent.
pub fn encode(label: &str, octets: &[u8]) -> Result<String, EncodeError> {
    let mut out = String::new();
    encode_append(label, octets, &mut out)?;
    Ok(out)
}

/// Appends a PEM block to a string. On error, the string is unchanged.
///
/// # Errors
/// Returns the same errors as [`encode`].
pub fn encode_append(label: &str, octets: &[u8], out: &mut String) -> Result<(), EncodeError> {
    let start = out.len();
    let lines = octets.len().div_ceil(LINE);
    out.reserve(lines.saturating_mul(65).saturating_add(label.len().saturating_add(17).saturating_mul(2)));
    for part in ["-----BEGIN ", label, "-----\n"] {
        out.push_str(part);
    }
    match at(out.as_bytes(), start) {
        Found::Boundary(found) if found.label == label && found.next == out.len() && found.dashes.is_none() => {}
        _ => {
            out.truncate(start);
            return Err(EncodeError::new(FaultKind::PemBoundary));
        }
    }
    if octets.is_empty() {
        out.push('\n');
    }
    for line in octets.chunks(LINE) {
        base64::encode_append(line, out);
        out.push('\n');
    }
    for part in ["-----END ", label, "-----\n"] {
        out.push_str(part);
    }
    Ok(())
}
