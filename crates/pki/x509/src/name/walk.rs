//! Walks a name's bytes for text and comparison, without offsets or errors.
//!
//! Names are usually checked when decoded. A name that was decoded as an outline or tolerantly may be malformed, so the
//! walk stops at the first error.

use std::borrow::Cow;

use tagwise_codec::{Decode, Items, Kept, Options, Reader, Rule, RuleSet, Session, encode};

use super::{AttributeTypeAndValue, Name, RelativeDistinguishedName};

/// An element of a name.
#[derive(Clone, Copy)]
pub(crate) struct Element<'a> {
    /// The first identifier byte.
    pub(crate) tag: u8,
    pub(crate) content: &'a [u8],
    pub(crate) bytes: &'a [u8],
}

/// Splits off the first element, and returns it with the remaining bytes.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn split(octets: &[u8]) -> Option<(Element<'_>, &[u8])> {
    match octets {
        [tag, len, rest @ ..] if *len < 0x80 && *tag & 0x1F != 0x1F => {
            let (content, after) = rest.split_at_checked(usize::from(*len))?;
            let bytes = octets.get(..usize::from(*len) + 2)?;
            Some((Element { tag: *tag, content, bytes }, after))
        }
        _ => split_long(octets),
    }
}

#[cold]
#[inline(never)]
fn split_long(octets: &[u8]) -> Option<(Element<'_>, &[u8])> {
    // X.690 §10.1 is BER's leave: where it was not allowed, the name was not read.
    let session = Session::new(Options::der().allow(&Rule::LONG_LENGTH));
    let mut reader = Reader::with_session(octets, &session).ok()?;
    let tag = reader.peek_octet()?;
    let (_, len) = reader.header().ok()?;
    let content = reader.take(len).ok()?;
    let (bytes, after) = octets.split_at_checked(reader.position())?;
    Some((Element { tag, content, bytes }, after))
}

/// Concatenated elements. If the remaining bytes are not an element, the iteration returns them unchanged and ends.
#[derive(Clone)]
pub(super) struct Elements<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Elements<'a> {
    type Item = Result<Element<'a>, &'a [u8]>;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        match split(self.0) {
            Some((element, after)) => {
                self.0 = after;
                Some(Ok(element))
            }
            None => Some(Err(core::mem::take(&mut self.0))),
        }
    }
}

/// An attribute: the content bytes of its type, and its value.
#[derive(Clone, Copy)]
pub(super) struct Attribute<'a> {
    pub(super) attr_type: &'a [u8],
    pub(super) value: Element<'a>,
}

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OBJECT_IDENTIFIER: u8 = 0x06;

/// Returns the attributes of an RDN, which must be a SET.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn attributes<'a>(rdn: &Element<'a>) -> Option<Elements<'a>> {
    (rdn.tag == SET && !rdn.content.is_empty()).then_some(Elements(rdn.content))
}

/// Splits an attribute into its type and value.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn attribute<'a>(element: &Element<'a>) -> Option<Attribute<'a>> {
    if element.tag != SEQUENCE {
        return None;
    }
    let (attr_type, rest) = split(element.content)?;
    let (value, end) = split(rest)?;
    let is_attribute = attr_type.tag == OBJECT_IDENTIFIER && end.is_empty();
    is_attribute.then_some(Attribute { attr_type: attr_type.content, value })
}

impl<'a> Name<'a> {
    /// Returns the content bytes: as decoded, or else by encoding the value. They are empty if the value cannot be encoded.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn content(&self) -> Cow<'a, [u8]> {
        match self.0.content() {
            Some(content) => Cow::Borrowed(content),
            None => Cow::Owned(self.encoded_content()),
        }
    }

    #[cold]
    #[inline(never)]
    fn encoded_content(&self) -> Vec<u8> {
        let der = encode(self).unwrap_or_default();
        split(&der).map(|(element, _)| element.content.to_vec()).unwrap_or_default()
    }
}

/// Iterator over the attributes of a name, from the root: see [`Name::attributes`].
#[derive(Clone)]
pub struct Attributes<'a> {
    form: NameForm<'a>,
}

#[derive(Clone)]
enum NameForm<'a> {
    Span {
        rdns: Elements<'a>,
        /// The absolute offset of the end of the name.
        end: usize,
        /// The remaining attributes of the current RDN.
        attributes: Elements<'a>,
        /// The absolute offset of the end of the current RDN.
        rdn_end: usize,
        kept: Kept,
    },
    Items(Items<'a, RelativeDistinguishedName<'a>>, Option<Items<'a, AttributeTypeAndValue<'a>>>),
}

impl<'a> Attributes<'a> {
    pub(super) fn of(name: &Name<'a>) -> Self {
        let form = match name.0.content() {
            Some(content) => NameForm::Span {
                rdns: Elements(content),
                end: name.0.offset() + content.len(),
                attributes: Elements(&[]),
                rdn_end: 0,
                kept: name.0.kept(),
            },
            None => NameForm::Items(name.0.iter(), None),
        };
        Self { form }
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = AttributeTypeAndValue<'a>;

    fn next(&mut self) -> Option<AttributeTypeAndValue<'a>> {
        match &mut self.form {
            NameForm::Span { rdns, end, attributes: list, rdn_end, kept } => loop {
                while let Some(element) = list.next() {
                    let Ok(element) = element else { continue };
                    let offset = *rdn_end - list.0.len() - element.bytes.len();
                    if let Some(attribute) = read(element.bytes, offset, *kept) {
                        return Some(attribute);
                    }
                }
                let Ok(rdn) = rdns.next()? else { continue };
                *rdn_end = *end - rdns.0.len();
                *list = attributes(&rdn).unwrap_or(Elements(&[]));
            },
            NameForm::Items(rdns, list) => loop {
                if let Some(attribute) = list.as_mut().and_then(|list| list.find_map(Result::ok)) {
                    return Some(attribute);
                }
                *list = Some(rdns.next()?.ok()?.0.iter());
            },
        }
    }
}

/// Decodes the attribute at `offset` without checking its value again.
fn read(octets: &[u8], offset: usize, kept: Kept) -> Option<AttributeTypeAndValue<'_>> {
    let reader = Reader::new(octets).ok()?.at_base(offset).outlined().keeping(kept);
    AttributeTypeAndValue::decode(&mut reader.clone()).ok().or_else(|| tolerant(octets, offset))
}

/// Decodes anything with a type and a value, tolerating all deviations. The value itself is decoded strictly later.
#[cold]
fn tolerant(octets: &[u8], offset: usize) -> Option<AttributeTypeAndValue<'_>> {
    let rules = Rule::ALL.iter().fold(RuleSet::NONE, |rules, rule| rules.with(rule));
    let session = Session::new(Options::der().rules(rules).parts(RuleSet::NONE));
    let mut reader = Reader::with_session(octets, &session).ok()?.at_base(offset).outlined();
    AttributeTypeAndValue::decode(&mut reader).ok()
}
