//! PDF documents: signature dictionaries with a byte range (ISO 32000-2 §12.8.1). The file is searched for `/ByteRange`, which is
//! never in a compressed object, because its numbers are positions in the file.

use memchr::memmem;
use tagwise_codec::text::hex;

use super::{SIGNATURES, Signature};

const KEY: &[u8] = b"/ByteRange";

/// Returns whether the file begins like a PDF document. Some bytes may be in front (ISO 32000-2 annex I).
pub(super) fn is_pdf(file: &[u8]) -> bool {
    file.starts_with(b"%PDF-")
}

/// The signatures, in the order of their revisions.
pub(super) fn signatures(file: &[u8]) -> Result<Vec<Signature>, String> {
    let mut found = Vec::new();
    for at in memmem::find_iter(file, KEY) {
        let Some(numbers) = numbers(file.get(at.saturating_add(KEY.len())..).unwrap_or_default()) else { continue };
        let [start, first, second, last] = numbers;
        let ends = (start.checked_add(first), second.checked_add(last));
        let (Some(gap), Some(end)) = ends else { continue };
        // Templates of unsigned documents have placeholders here.
        if gap >= second || end > file.len() {
            return Err(format!("/ByteRange [{start} {first} {second} {last}] is not within the file, at byte {at}"));
        }
        if found.len() == SIGNATURES {
            return Err(format!("more than {SIGNATURES} signatures"));
        }
        let between = file.get(gap..second).unwrap_or_default();
        let digits = between.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">"));
        let before = file.get(..gap).unwrap_or_default().trim_ascii_end();
        let digits = digits.filter(|_| before.ends_with(b"/Contents"));
        let fault = match digits {
            // Bytes before the first range, or besides the string, would not be covered.
            None => Some("the byte range leaves out other bytes than the value of /Contents".to_owned()),
            Some(_) if start != 0 => Some(format!("the byte range begins at byte {start}, expected 0")),
            Some(_) => None,
        };
        let message = digits.map(hex::decode).transpose();
        let message = message.map_err(|_| format!("/Contents is not hexadecimal, at byte {gap}"))?;
        let after = file.get(end..).unwrap_or_default().trim_ascii().len();
        let format = dictionary(file, at).and_then(sub_filter);
        let message = message.unwrap_or_default();
        found.push(Signature {
            name: String::new(),
            message,
            covered: vec![start..gap, second..end],
            format,
            fault,
            after,
        });
    }
    found.sort_by_key(|signature: &Signature| signature.covered.iter().map(|range| range.end).max());
    found.dedup_by(|one, other| one.covered == other.covered);
    for (index, signature) in found.iter_mut().enumerate() {
        signature.name = format!("signature {}", index.saturating_add(1));
    }
    Ok(found)
}

/// The four numbers of a byte range.
fn numbers(text: &[u8]) -> Option<[usize; 4]> {
    let text = text.trim_ascii_start().strip_prefix(b"[")?;
    // Four numbers of at most ten digits, and white space that keeps their place.
    let inside = text.get(..text.iter().take(200).position(|octet| *octet == b']')?)?;
    let inside = core::str::from_utf8(inside).ok()?;
    let numbers: Option<Vec<usize>> = inside.split_ascii_whitespace().map(|number| number.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// The surroundings of a byte range: its dictionary, apart from the contents.
fn dictionary(file: &[u8], at: usize) -> Option<(&[u8], &[u8])> {
    let before = file.get(at.saturating_sub(4096)..at)?;
    let before = before.get(memmem::rfind(before, b"obj").unwrap_or_default()..)?;
    let after = file.get(at..)?;
    let after = after.get(..memmem::find(after, b"endobj").unwrap_or(after.len()))?;
    Some((before, after))
}

/// The value of `/SubFilter`.
fn sub_filter((before, after): (&[u8], &[u8])) -> Option<String> {
    const KEY: &[u8] = b"/SubFilter";
    let value = |part: &[u8]| {
        let rest = part.get(memmem::find(part, KEY)?.checked_add(KEY.len())?..)?;
        let name = rest.trim_ascii_start().strip_prefix(b"/")?;
        let end = name
            .iter()
            .take(64)
            .position(|octet| !octet.is_ascii_alphanumeric() && !matches!(octet, b'.' | b'-' | b'_'))?;
        Some(String::from_utf8_lossy(name.get(..end)?).into_owned())
    };
    value(before).or_else(|| value(after))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests")]

    use super::*;

    /// A document with one signature dictionary; the numbers of the byte range are computed.
    fn document(message: &str, padding: usize) -> Vec<u8> {
        let start = "%PDF-1.7\n1 0 obj\n<< /Type /Sig /SubFilter /ETSI.CAdES.detached /ByteRange [";
        let end = "] /Contents ";
        let contents = format!("<{message}{}>", "0".repeat(padding));
        let tail = " >>\nendobj\n%%EOF\n";
        let gap = start.len() + 40 + end.len();
        let range = format!("0 {gap} {} {}", gap + contents.len(), tail.len());
        format!("{start}{range:<40}{end}{contents}{tail}").into_bytes()
    }

    #[test]
    fn contents_and_ranges() {
        let file = document("3000", 8);
        let found = signatures(&file).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, [0x30, 0, 0, 0, 0, 0]);
        assert_eq!((found[0].fault.as_deref(), found[0].after), (None, 0));
        assert_eq!(found[0].format.as_deref(), Some("ETSI.CAdES.detached"));
        let [first, second] = &found[0].covered[..] else { panic!() };
        assert_eq!((first.start, second.end), (0, file.len()));
        assert_eq!(&file[first.end..second.start], b"<300000000000>");
        let updated = [&file[..], b"2 0 obj\nendobj\n"].concat();
        assert_eq!(signatures(&updated).unwrap()[0].after, 14);
    }

    #[test]
    fn ranges_that_leave_out_other_bytes_are_faults() {
        let file = String::from_utf8(document("3000", 0)).unwrap();
        let at = file.find("[0 ").unwrap();
        let digits: usize = file[at + 3..].split(' ').next().unwrap().parse().unwrap();
        for changed in [
            file.replacen(&format!("[0 {digits} "), &format!("[0 {} ", digits - 1), 1),
            file.replacen("[0 ", "[1 ", 1).replacen(&format!(" {digits} "), &format!(" {} ", digits - 1), 1),
            file.replacen("/Contents", "/Contentz", 1),
        ] {
            assert!(signatures(changed.as_bytes()).unwrap()[0].fault.is_some(), "{changed}");
        }
        let outside = file.replacen(&format!("[0 {digits} "), &format!("[0 {digits}0 "), 1);
        assert!(signatures(outside.as_bytes()).is_err());
    }
}
