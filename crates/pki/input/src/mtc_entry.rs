//! Entry bundles of Merkle Tree Certificate logs: up to 256 entries, each after its length in 16 bits (C2SP tlog-tiles).

use tagwise_codec::Tag;

use crate::ct_entry::{take, vector};
use crate::kind::is_log_entry;

/// The number of entries in a full bundle.
pub(crate) const WIDTH: usize = 256;

/// Returns whether an input begins with entries of a log. The first entry that is not null must be plausible. Without one, the
/// whole input must be null entries.
pub(crate) fn is_bundle(octets: &[u8]) -> bool {
    let mut rest = octets;
    for _ in 0..WIDTH {
        match next(&mut rest).map(content) {
            Ok(Ok(Some(content))) => return is_log_entry(&to_der(content)),
            Ok(Ok(None)) if rest.is_empty() => return true,
            Ok(Ok(None)) => {}
            _ => return false,
        }
    }
    false
}

/// Splits an entry off.
pub(crate) fn next<'e>(rest: &mut &'e [u8]) -> Result<&'e [u8], &'static str> {
    vector(rest, 2).map_err(|_| "truncated entry of an MTC log")
}

/// Returns the content of an `MTCLogEntry` (MTC §5.2.1): that of a TBSCertificateLogEntry, or `None` for a null entry.
///
/// ```text
/// struct {
///     MTCLogEntryExtension extensions<0..2^16-1>;
///     MTCLogEntryType type;
///     select (type) {
///        case null_entry: Empty;
///        case tbs_cert_entry: opaque tbs_cert_entry_data[N];
///     }
/// } MTCLogEntry;
/// ```
pub(crate) fn content(entry: &[u8]) -> Result<Option<&[u8]>, String> {
    let truncated = |_| "truncated entry of an MTC log".to_owned();
    let mut rest = entry;
    let extensions = vector(&mut rest, 2).map_err(truncated)?;
    let kind = take(&mut rest, 2).map_err(truncated)?;
    // No extensions are defined. They could change the meaning of the entry.
    if !extensions.is_empty() {
        return Err("unknown extension of an entry of an MTC log (MTC §5.2.1)".to_owned());
    }
    match kind {
        [0, 0] if rest.is_empty() => Ok(None),
        [0, 0] => Err("a null entry of an MTC log has content".to_owned()),
        [0, 1] => Ok(Some(rest)),
        _ => {
            let number = kind.iter().fold(0, |number, byte| (number << 8) | u32::from(*byte));
            Err(format!("unknown type of an entry of an MTC log: {number}, expected 0 or 1 (MTC §5.2.1)"))
        }
    }
}

/// Returns the TBSCertificateLogEntry with the given content. Logs omit its tag and length.
pub(crate) fn to_der(content: &[u8]) -> Vec<u8> {
    let mut out = vec![Tag::SEQUENCE.first_octet()];
    let len = (content.len() as u32).to_be_bytes();
    let digits = len.iter().skip_while(|digit| **digit == 0);
    if content.len() > 0x7F {
        out.push(0x80 | digits.clone().count() as u8);
    }
    out.extend(digits);
    if content.is_empty() {
        out.push(0);
    }
    out.extend_from_slice(content);
    out
}
