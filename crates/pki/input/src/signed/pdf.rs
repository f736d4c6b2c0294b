//! PDF documents: signature dictionaries with a byte range (ISO 32000-2 §12.8.1). The file is searched for `/ByteRange`, which is
//! never in a compressed object, because its numbers are positions in the file.

use std::io::Read;
use std::ops::Range;

use memchr::memmem;
use tagwise_codec::text::hex;

use super::{SIGNATURES, Signature};

const KEY: &[u8] = b"/ByteRange";

/// The formats whose /Contents is a CMS message (ISO 32000-2 §12.8.3.3, §12.8.3.4, §12.8.5).
const FORMATS: [&str; 4] = ["adbe.pkcs7.detached", "adbe.pkcs7.sha1", "ETSI.CAdES.detached", "ETSI.RFC3161"];

/// The maximum size of all decompressed object streams of a document, in bytes.
const UNPACKED: u64 = 64 << 20;

/// Returns whether the file begins like a PDF document. Some bytes may be in front (ISO 32000-2 annex I).
pub(super) fn is_pdf(file: &[u8]) -> bool {
    file.starts_with(b"%PDF-")
}

/// The signatures, in the order of their revisions.
pub(super) fn signatures(file: &[u8]) -> Result<Vec<Signature>, String> {
    let mut found = Vec::new();
    let mut packed = None;
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
        let dictionary = Dictionary::around(file, at, gap..second);
        let format = dictionary.as_ref().and_then(Dictionary::sub_filter);
        let doubt = match &format {
            None => Some("its dictionary has no readable /SubFilter (ISO 32000-2 §12.8.1)".to_owned()),
            Some(format) if !FORMATS.contains(&format.as_str()) => {
                Some(format!("unknown signature format /{format} (ISO 32000-2 §12.8.1)"))
            }
            Some(_) if dictionary.as_ref().is_none_or(|dictionary| !dictionary.is_value(file, &mut packed)) => {
                Some("no readable signature field refers to it (ISO 32000-2 §12.8.1)".to_owned())
            }
            Some(_) => None,
        };
        let message = message.unwrap_or_default();
        found.push(Signature {
            name: String::new(),
            message,
            covered: vec![start..gap, second..end],
            format,
            fault,
            doubt,
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

/// A signature dictionary.
struct Dictionary<'a> {
    /// The number and generation of the enclosing object.
    id: Option<(u64, u64)>,
    /// The text of the object in order, apart from the contents.
    parts: [&'a [u8]; 3],
}

impl<'a> Dictionary<'a> {
    /// The dictionary around the byte range at the given position. The contents may be before the byte range or after it.
    fn around(file: &'a [u8], at: usize, contents: Range<usize>) -> Option<Self> {
        let (start, between) = match contents.end <= at {
            true => (contents.start, file.get(contents.end..at)?),
            false => (at, &[][..]),
        };
        let window = start.saturating_sub(4096);
        let object = memmem::rfind(file.get(window..start)?, b"obj")?.checked_add(window)?;
        let mut words = file.get(object.saturating_sub(32)..object)?.rsplit(u8::is_ascii_whitespace);
        let mut number = || words.find(|word| !word.is_empty()).and_then(integer);
        let (generation, number) = (number(), number());
        let after = file.get(at..)?;
        let after = after.get(..memmem::find(after, b"endobj").unwrap_or(after.len()))?;
        Some(Self { id: number.zip(generation), parts: [file.get(object..start)?, between, after] })
    }

    /// The value of `/SubFilter`.
    fn sub_filter(&self) -> Option<String> {
        const KEY: &[u8] = b"/SubFilter";
        let value = |part: &&[u8]| {
            let rest = part.get(memmem::find(part, KEY)?.checked_add(KEY.len())?..)?;
            let name = rest.trim_ascii_start().strip_prefix(b"/")?;
            let end = name
                .iter()
                .take(64)
                .position(|octet| !octet.is_ascii_alphanumeric() && !matches!(octet, b'.' | b'-' | b'_'))?;
            Some(String::from_utf8_lossy(name.get(..end)?).into_owned())
        };
        self.parts.iter().find_map(value)
    }

    /// Returns whether the dictionary is the value of a field: directly, or by a reference in the file or in its object streams.
    fn is_value(&self, file: &[u8], packed: &mut Option<Vec<u8>>) -> bool {
        let [before, ..] = self.parts;
        if values(before).any(|value| value.starts_with(b"<<")) {
            return true;
        }
        let Some(id) = self.id else { return false };
        let refers = |value: &[u8]| {
            let mut words = value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            words.next().and_then(integer).zip(words.next().and_then(integer)) == Some(id)
                && words.next().is_some_and(|word| word.starts_with(b"R"))
        };
        values(file).any(refers) || values(packed.get_or_insert_with(|| unpacked(file))).any(refers)
    }
}

fn integer(digits: &[u8]) -> Option<u64> {
    core::str::from_utf8(digits).ok()?.parse().ok()
}

/// The beginnings of the values of `/V`.
fn values(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    memmem::find_iter(text, b"/V").filter_map(|at| {
        let rest = text.get(at.checked_add(2)?..)?;
        Some(rest.get(..64).unwrap_or(rest).trim_ascii_start())
    })
}

/// The decompressed object streams (ISO 32000-2 §7.5.7). Those that are encrypted or have another filter are left out.
fn unpacked(file: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    for at in memmem::find_iter(file, b"/ObjStm") {
        let rest = file.get(at..).unwrap_or_default();
        let Some(start) = memmem::find(rest.get(..4096).unwrap_or(rest), b"stream") else { continue };
        // §7.3.8.1: a line end is after the keyword. No data of zlib begins with one.
        let data = rest.get(start.saturating_add(6)..).unwrap_or_default().trim_ascii_start();
        if all.len() as u64 >= UNPACKED {
            break;
        }
        let left = UNPACKED.saturating_sub(all.len() as u64);
        // What was decompressed before an error is kept.
        let _ = flate2::read::ZlibDecoder::new(data).take(left).read_to_end(&mut all);
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests")]

    use super::*;

    /// A document with one signature dictionary; the numbers of the byte range are computed.
    fn document(message: &str, padding: usize) -> Vec<u8> {
        let field = "%PDF-1.7\n2 0 obj\n<< /FT /Sig /V 1 0 R >>\nendobj\n";
        let start = format!("{field}1 0 obj\n<< /Type /Sig /SubFilter /ETSI.CAdES.detached /ByteRange [");
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
    fn only_the_values_of_fields_count() {
        use std::io::Write;
        let doubt = |file: &[u8]| signatures(file).unwrap()[0].doubt.clone().unwrap_or_default();
        let file = String::from_utf8(document("3000", 8)).unwrap();
        assert_eq!(doubt(file.as_bytes()), "");
        let orphan = file.replacen("/V 1 0 R", "/V 7 0 R", 1);
        assert!(doubt(orphan.as_bytes()).starts_with("no readable signature field refers to it"));
        for other in ["/V 1 1 R", "/V 11 0 R", "/V 1 0 S", "/W 1 0 R"] {
            assert!(!doubt(file.replacen("/V 1 0 R", other, 1).as_bytes()).is_empty(), "{other}");
        }
        // The field may be in an object stream.
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        zlib.write_all(b"2 0 << /FT /Sig /V 1 0 R >>").unwrap();
        let stream =
            [b"3 0 obj\n<< /Type /ObjStm >>\nstream\r\n", &zlib.finish().unwrap()[..], b"\nendstream"].concat();
        assert_eq!(doubt(&[orphan.as_bytes(), &stream].concat()), "");
        let direct = orphan.replacen("1 0 obj\n<< /Type", "1 0 obj /V << /Type", 1);
        assert_eq!(direct.len(), orphan.len() + 3);
        let direct = direct.replacen(" /V 7 0 R", " /V 70 R", 1).replacen("%PDF-1.7\n2 ", "%PDF-1.72 ", 1);
        let direct = direct.replacen("/FT /Sig", "/FT/Sig", 1);
        assert_eq!(doubt(direct.as_bytes()), "");
        let unknown = file.replacen("ETSI.CAdES.detached", "ETSI.CAdES.attached", 1);
        assert_eq!(doubt(unknown.as_bytes()), "unknown signature format /ETSI.CAdES.attached (ISO 32000-2 §12.8.1)");
        assert!(doubt(file.replacen("/SubFilter", "/SubFilder", 1).as_bytes()).contains("no readable /SubFilter"));
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
