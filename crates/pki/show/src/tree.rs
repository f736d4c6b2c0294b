//! The tree of a value. Both text and JSON are rendered from it, so that neither omits information.
//!
//! Strings in the tree may be untrusted. Renderers make them safe to print.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use tagwise_codec::text::hex::Hex;
use tagwise_codec::{CivilTime, Deviation, Int, Oid};
use tagwise_input::Problem;
use tagwise_pkix::oids;

/// A value in the tree.
pub enum Value<'a> {
    /// No value.
    Null,
    /// A Boolean.
    Bool(bool),
    /// A small number.
    Number(u64),
    /// A keyword, which is trusted text.
    Word(Cow<'static, str>),
    /// Untrusted text.
    Text(Cow<'a, str>),
    /// Bytes that are shown in full.
    Hex(Cow<'a, [u8]>),
    /// Bytes of a key or signature. By default, text output shows only the first bytes.
    Bulk(Cow<'a, [u8]>),
    /// An object identifier.
    Oid(Oid<'a>),
    /// An integer of any size.
    Integer(Int<'a>),
    /// A UTC time.
    Time(CivilTime),
    /// A list of values.
    List(Vec<Value<'a>>),
    /// A list of values that are generated while rendering.
    Stream(Stream<'a>),
    /// Named values.
    Record(Record<'a>),
    /// A decoding error.
    Problem(Box<Problem>),
}

/// A function that returns a new iterator over the values each time it is called.
pub type Stream<'a> = Box<dyn Fn() -> Box<dyn Iterator<Item = Value<'a>> + 'a> + 'a>;

/// Named values with a title.
#[derive(Default)]
pub struct Record<'a> {
    /// The title, which only text output shows.
    pub title: Line,
    /// The named values, in output order.
    pub fields: Vec<Field<'a>>,
}

/// A named value.
pub struct Field<'a> {
    /// The JSON key, from which the label in text output is derived.
    pub key: Cow<'static, str>,
    /// The field's value.
    pub value: Value<'a>,
    /// The outputs that show the field.
    pub seen: Seen,
}

/// The outputs in which a field is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Shown in text and JSON.
    Both,
    /// Shown in text (without its label) and JSON.
    Bare,
    /// Shown only in JSON, because in text the record's title contains the value.
    Json,
    /// Shown only in text, because JSON contains it in a different form.
    Text,
    /// Shown only in text, without the label.
    BareText,
}

/// A line of text, with a tone for each part.
#[derive(Clone, Debug, Default)]
pub struct Line(pub Vec<(Tone, String)>);

/// The tone of a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Normal text.
    Plain,
    /// An important value.
    Strong,
    /// An unimportant value.
    Dim,
    /// A good result.
    Good,
    /// A warning.
    Warn,
    /// An error.
    Bad,
}

impl Value<'_> {
    /// Returns the decoding errors in order, except in values that are generated while rendering.
    #[must_use]
    pub fn problems(&self) -> Vec<&Problem> {
        let (mut found, mut open) = (Vec::new(), vec![self]);
        while let Some(value) = open.pop() {
            match value {
                Value::Problem(problem) => found.push(&**problem),
                Value::List(items) => open.extend(items.iter().rev()),
                Value::Record(record) => open.extend(record.fields.iter().rev().map(|field| &field.value)),
                _ => {}
            }
        }
        found
    }
}

impl Line {
    /// Creates a line with one part.
    pub fn new(tone: Tone, text: impl fmt::Display) -> Self {
        Self::default().and(tone, text)
    }

    /// Creates a plain line.
    pub fn plain(text: impl fmt::Display) -> Self {
        Self::new(Tone::Plain, text)
    }

    /// Appends a part with the given tone.
    #[must_use]
    pub fn and(mut self, tone: Tone, text: impl fmt::Display) -> Self {
        self.0.push((tone, text.to_string()));
        self
    }

    /// Returns whether the line has no parts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> Record<'a> {
    /// Creates a record with a title and no fields.
    #[must_use]
    pub fn titled(title: Line) -> Self {
        Self { title, fields: Vec::new() }
    }

    /// Adds a field.
    pub fn with(mut self, key: impl Into<Cow<'static, str>>, value: Value<'a>) -> Self {
        self.push(key, value, Seen::Both);
        self
    }

    /// Adds a field if there is a value.
    pub fn with_some(self, key: impl Into<Cow<'static, str>>, value: Option<Value<'a>>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Adds a field that text shows without a label.
    pub fn bare(mut self, key: impl Into<Cow<'static, str>>, value: Value<'a>) -> Self {
        self.push(key, value, Seen::Bare);
        self
    }

    /// Adds a field that only JSON shows.
    pub fn json(mut self, key: impl Into<Cow<'static, str>>, value: Value<'a>) -> Self {
        self.push(key, value, Seen::Json);
        self
    }

    /// Adds a field that is shown in the given outputs.
    pub fn push(&mut self, key: impl Into<Cow<'static, str>>, value: Value<'a>, seen: Seen) {
        self.fields.push(Field { key: key.into(), value, seen });
    }
}

impl<'a> From<Record<'a>> for Value<'a> {
    fn from(record: Record<'a>) -> Self {
        Self::Record(record)
    }
}

impl<'a> Value<'a> {
    /// Creates a keyword.
    pub fn word(word: impl Into<Cow<'static, str>>) -> Self {
        Self::Word(word.into())
    }

    /// Creates untrusted text.
    pub fn text(text: impl fmt::Display) -> Self {
        Self::Text(Cow::Owned(text.to_string()))
    }

    /// Returns the first decoding error in tree order, except in values that are generated while rendering.
    #[must_use]
    pub fn first_problem(&self) -> Option<&Problem> {
        let mut open = vec![self];
        while let Some(value) = open.pop() {
            match value {
                Self::Problem(problem) => return Some(problem),
                Self::List(items) => open.extend(items.iter().rev()),
                Self::Record(record) => open.extend(record.fields.iter().rev().map(|field| &field.value)),
                _ => {}
            }
        }
        None
    }

    /// Creates bytes that are shown in full.
    #[must_use]
    pub const fn hex(octets: &'a [u8]) -> Self {
        Self::Hex(Cow::Borrowed(octets))
    }

    /// Creates bytes of a key or signature.
    #[must_use]
    pub const fn bulk(octets: &'a [u8]) -> Self {
        Self::Bulk(Cow::Borrowed(octets))
    }

    /// Creates a number.
    #[must_use]
    pub fn number(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

/// Formats an integer in decimal, if it has at most 128 bits.
pub fn decimal(int: Int<'_>) -> Option<String> {
    let octets = int.magnitude();
    if octets.len() > 16 {
        return None;
    }
    let fill = if int.is_negative() { -1i128 as u128 } else { 0 };
    let bits = octets.iter().fold(fill, |bits, octet| bits << 8 | u128::from(*octet));
    Some(if int.is_negative() { (bits as i128).to_string() } else { bits.to_string() })
}

/// Shows a tolerated deviation from the encoding rules.
pub fn note<'a>(deviation: &Deviation) -> Value<'a> {
    let rule = deviation.rule;
    let title = Line::new(Tone::Warn, rule.name)
        .and(Tone::Plain, format!(" at byte {}", deviation.offset))
        .and(Tone::Dim, format!(" ({}): ", rule.clause))
        .and(Tone::Plain, rule.summary);
    Record::titled(title)
        .json("rule", Value::word(rule.name))
        .json("offset", Value::number(deviation.offset))
        .json("clause", Value::word(rule.clause))
        .json("summary", Value::word(rule.summary))
        .into()
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => serializer.serialize_u64(*value),
            Self::Word(text) => serializer.serialize_str(text),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Hex(octets) | Self::Bulk(octets) => serializer.collect_str(&Hex(octets)),
            Self::Oid(oid) => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("oid", &oid.to_string())?;
                if let Some(info) = oids::lookup(*oid) {
                    map.serialize_entry("name", info.name)?;
                }
                map.end()
            }
            Self::Integer(int) => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("hex", &Hex(int.magnitude()).to_string())?;
                if let Some(decimal) = decimal(*int) {
                    map.serialize_entry("decimal", &decimal)?;
                }
                if int.is_negative() {
                    map.serialize_entry("negative", &true)?;
                }
                map.end()
            }
            Self::Time(time) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("iso", &time.to_string())?;
                map.serialize_entry("unix", &time.unix().0)?;
                map.end()
            }
            Self::List(items) => serializer.collect_seq(items),
            Self::Stream(make) => {
                let mut seq = serializer.serialize_seq(None)?;
                for item in make() {
                    seq.serialize_element(&item)?;
                }
                seq.end()
            }
            Self::Record(record) => {
                let mut map = serializer.serialize_map(None)?;
                for field in record.fields.iter().filter(|field| !matches!(field.seen, Seen::Text | Seen::BareText)) {
                    map.serialize_entry(&*field.key, &field.value)?;
                }
                map.end()
            }
            Self::Problem(problem) => problem.serialize(serializer),
        }
    }
}
