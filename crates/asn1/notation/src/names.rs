//! The names of the universal types in texts.

use alloc::string::String;
use alloc::vec::Vec;

/// The name and number of each type, and whether this is the name to write. DER ASCII supports every name that is written, with
/// the same number.
const TYPES: &[(&str, u32, bool)] = &[
    ("BOOLEAN", 1, true),
    ("INTEGER", 2, true),
    ("BIT_STRING", 3, true),
    ("OCTET_STRING", 4, true),
    ("NULL", 5, true),
    ("OBJECT_IDENTIFIER", 6, true),
    ("OBJECT_DESCRIPTOR", 7, true),
    ("ObjectDescriptor", 7, false),
    ("EXTERNAL", 8, true),
    ("REAL", 9, true),
    ("ENUMERATED", 10, true),
    ("EMBEDDED_PDV", 11, false),
    ("UTF8String", 12, true),
    ("RELATIVE_OID", 13, false),
    ("RELATIVE-OID", 13, false),
    ("TIME", 14, true),
    ("SEQUENCE", 16, true),
    ("SET", 17, true),
    ("NumericString", 18, true),
    ("PrintableString", 19, true),
    ("T61String", 20, true),
    ("TeletexString", 20, false),
    ("VideotexString", 21, true),
    ("IA5String", 22, true),
    ("UTCTime", 23, true),
    ("GeneralizedTime", 24, true),
    ("GraphicString", 25, true),
    ("VisibleString", 26, true),
    ("ISO646String", 26, false),
    ("GeneralString", 27, true),
    ("UniversalString", 28, true),
    ("CHARACTER_STRING", 29, false),
    ("BMPString", 30, true),
    ("DATE", 31, true),
    ("TIME-OF-DAY", 32, true),
    ("DATE-TIME", 33, true),
    ("DURATION", 34, true),
    ("OID-IRI", 35, true),
    ("RELATIVE-OID-IRI", 36, true),
];

/// The other words that may occur in a text.
const WORDS: &[&str] =
    &["TRUE", "FALSE", "indefinite", "long-form:", "UNIVERSAL", "APPLICATION", "PRIVATE", "PRIMITIVE", "CONSTRUCTED"];

/// Returns the name to write for a universal type.
pub(crate) fn name_of(number: u32) -> Option<&'static str> {
    TYPES.iter().find(|(_, of, written)| *of == number && *written).map(|(name, ..)| *name)
}

/// Returns the number of the universal type with the given name.
pub(crate) fn number_of(name: &[u8]) -> Option<u32> {
    TYPES.iter().find(|(of, ..)| of.as_bytes() == name).map(|(_, number, _)| *number)
}

/// Returns whether X.680 defines a universal type with this number.
pub(crate) const fn is_type(number: u32) -> bool {
    matches!(number, 1..=14 | 16..=36)
}

/// Returns whether a type's name denotes the constructed form. As in DER ASCII, this is only the case for SEQUENCE and
/// SET.
pub(crate) const fn is_constructed(number: u32) -> bool {
    matches!(number, 16 | 17)
}

/// Returns the probably intended word: one that differs only in case or separators, begins with `word`,
/// or one that differs by one or two letters.
pub(crate) fn nearest(word: &[u8]) -> Option<&'static str> {
    // No word is longer; what is pasted by mistake is.
    let letters = |text: &[u8]| -> Vec<u8> {
        text.iter().filter(|octet| octet.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).take(40).collect()
    };
    let wanted = letters(word);
    if wanted.len() < 2 {
        return None;
    }
    let all = || TYPES.iter().map(|(name, ..)| *name).chain(WORDS.iter().copied());
    let own = |name: &str| letters(name.as_bytes());
    all()
        .find(|name| own(name) == wanted)
        .or_else(|| all().find(|name| wanted.len() > 2 && own(name).starts_with(&wanted)))
        .or_else(|| {
            let near = all().map(|name| (distance(&own(name), &wanted), name)).min()?;
            (near.0 <= 1 + wanted.len() / 6).then_some(near.1)
        })
}

/// Returns the Levenshtein distance of two words.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.iter().enumerate() {
        let (mut diagonal, mut left) = (index, index + 1);
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (slot, against) in row.iter_mut().skip(1).zip(other) {
            let best = (diagonal + usize::from(letter != against)).min(*slot + 1).min(left + 1);
            diagonal = *slot;
            *slot = best;
            left = best;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// Formats a word for an error message: shortened, and without invisible characters.
pub(crate) fn shown(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    let mut out = String::new();
    for char in text.chars().take(24) {
        if crate::quote::is_hidden(char) { out.extend(char.escape_unicode()) } else { out.push(char) }
    }
    if text.chars().nth(24).is_some() {
        out.push('…');
    }
    out
}
