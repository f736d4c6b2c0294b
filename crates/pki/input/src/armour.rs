//! Input armor that can be removed and restored (PEM, hexadecimal, base64 or none), and containers, which can only be
//! opened.

use std::borrow::Cow;
use std::ops::Range;

use tagwise_codec::text::{self, base64, hex, recognise};
use tagwise_codec::{Deviation, Options, Rule, RuleSet, Session};
use tagwise_pkix::Foreign;

use crate::block;
use crate::container::contained;
use crate::contents::unpack;
use crate::detect::{InputForm, detect};
use crate::find::{Content, Found, LIMITS, SPKAC, located};
use crate::problem::Problem;

/// A kind of armor: the text encoding of binary data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Armour {
    /// PEM (RFC 7468).
    Pem,
    /// Hexadecimal digits.
    Hex,
    /// Base64 (RFC 4648 §4).
    Base64,
    /// None: binary data.
    Binary,
    /// A container, whose values cannot be replaced: an archive, a keystore, or text that contains values.
    Container(InputForm),
}

/// An input without its armor. The armor can be restored around other bytes.
///
/// ```
/// use tagwise_input::{Armour, Wrapped};
/// let input = b"before\n-----BEGIN X-----\nBQA=\n-----END X-----\nafter\n".to_vec();
/// let wrapped = Wrapped::open(input, None).unwrap();
/// assert_eq!((wrapped.armour, &*wrapped.values[0].octets), (Armour::Pem, &[5, 0][..]));
/// let changed = wrapped.replaced(&wrapped.values[0], &[5, 1]);
/// assert_eq!(changed.unwrap(), b"before\n-----BEGIN X-----\nBQE=\n-----END X-----\nafter\n");
/// ```
#[derive(Clone, Debug)]
pub struct Wrapped {
    input: Vec<u8>,
    /// The kind of armor.
    pub armour: Armour,
    /// The PEM blocks, or the whole input.
    pub values: Vec<WrappedValue>,
}

/// The content of one block.
#[derive(Clone, Debug)]
pub struct WrappedValue {
    /// The decoded bytes. Empty if there is a problem.
    pub octets: Vec<u8>,
    /// The label of the PEM block, and the number of its first line.
    pub block: Option<(String, usize)>,
    /// The archive member that contains the value.
    pub entry: Option<String>,
    /// True if the block has headers, which indicate encryption.
    pub headers: bool,
    /// The format of the block, if it is recognized but not supported.
    pub foreign: Option<Foreign>,
    /// The reason why the block could not be decoded.
    pub problem: Option<String>,
    /// The range of the input that encodes the bytes. `None` if they cannot be replaced.
    span: Option<Range<usize>>,
}

/// The message about hexadecimal text with half a byte.
pub const ODD_DIGITS: &str = "an odd number of hexadecimal digits";

/// Returns whether an input is hexadecimal text with an odd number of digits. A byte by itself is none, because it may be binary.
///
/// ```
/// use tagwise_input::has_odd_digits;
/// assert!(has_odd_digits(b"30 0\n") && has_odd_digits(b"010") && has_odd_digits(b"1\n"));
/// assert!(!has_odd_digits(b"3000\n") && !has_odd_digits(b"A") && !has_odd_digits(b"xyz"));
/// ```
#[must_use]
pub fn has_odd_digits(input: &[u8]) -> bool {
    let digits = input.iter().filter(|octet| octet.is_ascii_hexdigit()).count();
    let is_text = input.iter().all(|octet| octet.is_ascii_hexdigit() || octet.is_ascii_whitespace());
    is_text && digits % 2 == 1 && input.len() > 1
}

/// The number of bytes per line of hexadecimal.
const HEX_LINE: usize = 32;
/// The number of bytes per line of base64.
const BASE64_LINE: usize = 48;

impl Wrapped {
    /// Removes an input's armor. Its kind is detected unless `armour` is given. Containers are opened as in
    /// [`find`](crate::find).
    ///
    /// # Errors
    /// Returns an error message if the armor as a whole is invalid. Errors in single blocks are in [`WrappedValue::problem`].
    pub fn open(input: Vec<u8>, armour: Option<Armour>) -> Result<Self, String> {
        let form = if armour.is_none() { detect(Cow::Borrowed(&input)).0 } else { InputForm::Unknown };
        match form {
            // PEM may have further values in the text around its blocks.
            InputForm::Pem => {
                let more = unpack(&input, &LIMITS).map(|unpacked| contained(&input, unpacked, RuleSet::PEM_LAX));
                let more: Vec<WrappedValue> = more.map(|found| values(found).collect()).unwrap_or_default();
                let mut opened = Self::bare(input, armour)?;
                opened.values.extend(more);
                return Ok(opened);
            }
            InputForm::Der | InputForm::Hex | InputForm::Pkcs7 => {}
            _ if armour.is_none() => {
                let found = located(&input, RuleSet::PEM_LAX);
                let form = found.form;
                let values: Vec<WrappedValue> = values(found).collect();
                let is_container = form.is_container() || input.starts_with(SPKAC);
                if is_container && values.iter().any(|value| !value.octets.is_empty() || value.problem.is_some()) {
                    return Ok(Self { input, armour: Armour::Container(form), values });
                }
            }
            _ => {}
        }
        Self::bare(input, armour)
    }

    /// Opens an input that is not a container.
    fn bare(input: Vec<u8>, armour: Option<Armour>) -> Result<Self, String> {
        let (form, text) = recognise(&input);
        // A line break ends no binary value of digits.
        let is_line = input.last().is_some_and(u8::is_ascii_whitespace);
        if armour.is_none() && (is_line || form == text::TextForm::Base64) && has_odd_digits(&input) {
            return Err(ODD_DIGITS.to_owned());
        }
        let armour = armour.unwrap_or(match form {
            text::TextForm::Pem => Armour::Pem,
            text::TextForm::Hex => Armour::Hex,
            text::TextForm::Base64 => Armour::Base64,
            _ => Armour::Binary,
        });
        // Text in UTF-16 goes on as UTF-8.
        let input = match text {
            Cow::Owned(text) if armour != Armour::Binary => text,
            _ => input,
        };
        let octets = match armour {
            Armour::Pem => {
                let values = blocks(&input);
                if values.is_empty() {
                    return Err("no PEM block found".to_owned());
                }
                return Ok(Self { input, armour, values });
            }
            Armour::Hex => hex::decode(&input),
            Armour::Base64 => base64::decode_wrapped(&input),
            Armour::Binary | Armour::Container(_) => Ok(input.clone()),
        };
        let octets = octets.map_err(|fault| Problem::of_text(fault).line())?;
        let foreign = crate::foreign::recognise(&octets).filter(|_| armour == Armour::Binary);
        let value = WrappedValue { foreign, span: Some(0..input.len()), ..WrappedValue::new(octets) };
        Ok(Self { input, armour, values: vec![value] })
    }

    /// Creates an input from decoded values and their PEM labels, without armor.
    #[must_use]
    pub fn made(values: Vec<(Option<String>, Vec<u8>)>) -> Self {
        let value = |(label, octets): (Option<String>, Vec<u8>)| WrappedValue {
            block: label.map(|label| (label, 0)),
            ..WrappedValue::new(octets)
        };
        Self { input: Vec::new(), armour: Armour::Binary, values: values.into_iter().map(value).collect() }
    }

    /// Returns the concatenated bytes of all values.
    #[must_use]
    pub fn octets(self) -> Vec<u8> {
        self.values.into_iter().flat_map(|value| value.octets).collect()
    }

    /// Returns the original input.
    #[must_use]
    pub fn input(&self) -> &[u8] {
        &self.input
    }

    /// Replaces one value in the input. The rest of a PEM text is preserved: labels, headers, text before and after, line
    /// endings, indentation. Returns `None` for a value in a container, which cannot be replaced.
    #[must_use]
    pub fn replaced(&self, value: &WrappedValue, octets: &[u8]) -> Option<Vec<u8>> {
        let span = value.span.as_ref()?;
        if self.armour != Armour::Pem {
            return Some(wrap(self.armour, octets));
        }
        let before = self.input.get(..span.start).unwrap_or_default();
        let after = self.input.get(span.end..).unwrap_or_default();
        let old = self.input.get(span.clone()).unwrap_or_default();
        let line_break = if before.ends_with(b"\r\n") { "\r\n" } else { "\n" };
        // As in YAML, lines may be indented, and so may be the END line.
        let blanks = |text: &[u8]| -> String {
            text.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).map(|octet| char::from(*octet)).collect()
        };
        let indent = if before.ends_with(b"\n") { blanks(old) } else { String::new() };
        let last = old.rsplit(|octet| *octet == b'\n').next().map(blanks).unwrap_or_default();
        let mut body = String::new();
        if !before.ends_with(b"\n") {
            body.push_str(line_break);
        }
        for line in octets.chunks(BASE64_LINE) {
            body.push_str(&indent);
            body.push_str(&base64::encode(line));
            body.push_str(line_break);
        }
        if old.ends_with(last.as_bytes()) {
            body.push_str(&last);
        }
        Some([before, body.as_bytes(), after].concat())
    }
}

impl WrappedValue {
    /// A value that cannot be replaced.
    const fn new(octets: Vec<u8>) -> Self {
        Self { octets, block: None, entry: None, headers: false, foreign: None, problem: None, span: None }
    }

    /// Returns whether [`Wrapped::replaced`] can replace the value.
    #[must_use]
    pub const fn is_replaceable(&self) -> bool {
        self.span.is_some()
    }

    /// Returns a name that distinguishes the value from others: its label and line, or its size.
    #[must_use]
    pub fn name(&self) -> String {
        let entry = self.entry.as_ref().map(|entry| format!("{entry}: ")).unwrap_or_default();
        match &self.block {
            Some((label, line)) => format!("{entry}{label}, line {line}"),
            None => format!("{entry}{} bytes", self.octets.len()),
        }
    }
}

/// Encodes bytes in hexadecimal or base64. For other kinds of armor, returns the bytes unchanged, because PEM requires a
/// label.
#[must_use]
pub fn wrap(armour: Armour, octets: &[u8]) -> Vec<u8> {
    let lines = |len: usize, encode: fn(&[u8]) -> String| -> Vec<u8> {
        octets.chunks(len).flat_map(|line| (encode(line) + "\n").into_bytes()).collect()
    };
    match armour {
        Armour::Hex => lines(HEX_LINE, hex::encode),
        Armour::Base64 => lines(BASE64_LINE, base64::encode),
        Armour::Pem | Armour::Binary | Armour::Container(_) => octets.to_vec(),
    }
}

/// The values in a container, which cannot be replaced. A keystore itself is not a value.
fn values(found: Found<'_>) -> impl Iterator<Item = WrappedValue> {
    let Found { form, items } = found;
    let is_value = move |content: &Content| match content {
        Content::C509 | Content::Trust => false,
        Content::Other(_) => form != InputForm::Keystore,
        Content::Kind(_) | Content::Nothing => true,
    };
    let octets = |der: Cow<'_, [u8]>, notes: &[Deviation]| {
        let mut octets = der.into_owned();
        // Padding is refused where the value is decoded, unless it is allowed there.
        if notes.iter().any(|note| note.rule == &Rule::TRAILING_ZEROS) {
            octets.push(0);
        }
        octets
    };
    items.into_iter().filter(move |item| is_value(&item.content)).map(move |item| WrappedValue {
        octets: octets(item.der, &item.notes),
        block: item.label.map(|label| (label, item.line.unwrap_or_default())),
        entry: item.entry,
        headers: item.foreign.as_ref().is_some_and(|foreign| foreign.dek_info.is_some()),
        foreign: item.foreign,
        problem: item.problem.map(|problem| problem.line()),
        span: None,
    })
}

/// The blocks of a PEM text, by the most lenient rules that leave no doubt.
fn blocks(input: &[u8]) -> Vec<WrappedValue> {
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    let value = |block: block::Block| {
        let (octets, problem) = match block.bytes {
            Ok(bytes) => (bytes, None),
            Err(problem) => (Vec::new(), Some(problem.line())),
        };
        WrappedValue {
            octets,
            block: block.label.map(|label| (label, block.line)),
            entry: None,
            headers: block.headers,
            foreign: block.foreign,
            problem,
            span: Some(block.body),
        }
    };
    block::blocks(input, &session).map(value).collect()
}
