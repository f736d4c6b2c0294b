//! Tree of a value: one model that text and JSON both render, so that neither tells what the other hides.
//!
//! Strings in the tree may be anyone's; whoever renders them makes them safe to print.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use tagwise_codec::{CivilTime, Deviation, Int, Oid};
use tagwise_pkix::oids;
use tagwise_source::Problem;

/// A value of the model.
pub enum Value<'a> {
    /// Nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A small number.
    Number(u64),
    /// Text of ours: a keyword.
    Word(Cow<'static, str>),
    /// Text of anyone's.
    Text(Cow<'a, str>),
    /// Bytes, shown whole.
    Hex(Cow<'a, [u8]>),
    /// Bytes of a key or a signature: text shows the first ones unless asked for all.
    Bulk(Cow<'a, [u8]>),
    /// An object identifier.
    Oid(Oid<'a>),
    /// An integer of any size.
    Integer(Int<'a>),
    /// A moment.
    Time(CivilTime),
    /// Values in a row.
    List(Vec<Value<'a>>),
    /// Values in a row that are made while they are rendered.
    Stream(Stream<'a>),
    /// Named values.
    Record(Record<'a>),
    /// Something that did not decode.
    Problem(Box<Problem>),
}

/// Makes an iterator over values, as often as asked.
pub type Stream<'a> = Box<dyn Fn() -> Box<dyn Iterator<Item = Value<'a>> + 'a> + 'a>;

/// Named values, and how text sums them up.
#[derive(Default)]
pub struct Record<'a> {
    /// The line that text shows for it.
    pub title: Line,
    /// The values.
    pub fields: Vec<Field<'a>>,
}

/// A named value.
pub struct Field<'a> {
    /// The key in JSON; text makes words of it.
    pub key: Cow<'static, str>,
    /// The value.
    pub value: Value<'a>,
    /// Output that shows it.
    pub seen: Seen,
}

/// Output that shows a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Everywhere.
    Both,
    /// In text without its label.
    Bare,
    /// In JSON only: the record's title says it.
    Json,
    /// In text only: JSON says it in another form.
    Text,
    /// In text only, and without its label.
    BareText,
}

/// A line of text in parts.
#[derive(Clone, Debug, Default)]
pub struct Line(pub Vec<(Tone, String)>);

/// Tone of a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As it is.
    Plain,
    /// A value that readers look for.
    Strong,
    /// A value that readers can skip.
    Dim,
    /// As it should be.
    Good,
    /// Worth a look.
    Warn,
    /// Wrong.
    Bad,
}

impl Value<'_> {
    /// The parts that did not decode, in their order; not those that are made while they are rendered.
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
    /// A line of one part.
    pub fn new(tone: Tone, text: impl fmt::Display) -> Self {
        Self::default().and(tone, text)
    }

    /// A line of one plain part.
    pub fn plain(text: impl fmt::Display) -> Self {
        Self::new(Tone::Plain, text)
    }

    /// The line with another part behind it.
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
    /// A record with a title and no fields.
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

    /// Adds a field that text shows without label.
    pub fn bare(mut self, key: impl Into<Cow<'static, str>>, value: Value<'a>) -> Self {
        self.push(key, value, Seen::Bare);
        self
    }

    /// Adds a field that only JSON shows.
    pub fn json(mut self, key: impl Into<Cow<'static, str>>, value: Value<'a>) -> Self {
        self.push(key, value, Seen::Json);
        self
    }

    /// Adds a field with who gets to see it.
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
    /// A keyword.
    pub fn word(word: impl Into<Cow<'static, str>>) -> Self {
        Self::Word(word.into())
    }

    /// Text of anyone's.
    pub fn text(text: impl fmt::Display) -> Self {
        Self::Text(Cow::Owned(text.to_string()))
    }

    /// The first part that did not decode, in the order of the tree; entries that are made while they are rendered aside.
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

    /// Bytes, shown whole.
    #[must_use]
    pub const fn hex(octets: &'a [u8]) -> Self {
        Self::Hex(Cow::Borrowed(octets))
    }

    /// Bytes of a key or a signature.
    #[must_use]
    pub const fn bulk(octets: &'a [u8]) -> Self {
        Self::Bulk(Cow::Borrowed(octets))
    }

    /// A number.
    #[must_use]
    pub fn number(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

/// Bytes as hexadecimal digits.
pub struct Hex<'a>(pub &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|octet| write!(f, "{octet:02x}"))
    }
}

/// An integer in decimal, if it has at most 128 bits.
pub fn decimal(int: Int<'_>) -> Option<String> {
    let octets = int.magnitude();
    if octets.len() > 16 {
        return None;
    }
    let fill = if int.is_negative() { -1i128 as u128 } else { 0 };
    let bits = octets.iter().fold(fill, |bits, octet| bits << 8 | u128::from(*octet));
    Some(if int.is_negative() { (bits as i128).to_string() } else { bits.to_string() })
}

/// A tolerated deviation.
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
