//! XML documents as trees, with byte offsets. Entities are not expanded, and document type declarations are refused.

use std::borrow::Cow;
use std::rc::Rc;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::error::Kind;

/// An element.
#[derive(Debug)]
pub(crate) struct Element<'x> {
    /// The name, as written.
    pub(crate) name: &'x str,
    /// The namespace of the name.
    pub(crate) namespace: Option<Rc<str>>,
    /// The offset of the start tag.
    pub(crate) at: usize,
    /// The offset after the end tag.
    pub(crate) end: usize,
    /// True for an empty-element tag.
    pub(crate) empty_tag: bool,
    /// True if there is white-space within the tags.
    pub(crate) spaced: bool,
    pub(crate) attributes: Vec<Attribute<'x>>,
    pub(crate) content: Vec<Content<'x>>,
}

impl Element<'_> {
    /// Returns whether the element has a name.
    pub(crate) fn is(&self, name: &str, namespace: Option<&str>) -> bool {
        let local = self.name.split_once(':').map_or(self.name, |(_, local)| local);
        local == name && self.namespace.as_deref() == namespace
    }

    /// The name and its namespace, if any, for messages.
    pub(crate) fn shown(&self) -> String {
        match &self.namespace {
            Some(uri) => format!("<{}> in the namespace {uri}", self.name),
            None => format!("<{}>", self.name),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Attribute<'x> {
    pub(crate) name: &'x str,
    pub(crate) value: String,
}

impl Attribute<'_> {
    /// Returns whether the attribute belongs to XML: a declaration of a namespace, or the location of an XML schema.
    pub(crate) fn is_of_xml(&self) -> bool {
        self.name == "xmlns" || self.name.starts_with("xmlns:") || self.name.ends_with(":schemaLocation")
    }
}

/// A part of an element's content.
#[derive(Debug)]
pub(crate) enum Content<'x> {
    Text(Text<'x>),
    Element(Element<'x>),
}

/// Characters between tags, with escapes resolved.
#[derive(Debug)]
pub(crate) struct Text<'x> {
    pub(crate) text: Cow<'x, str>,
    pub(crate) at: usize,
    /// The offset of the first character that is not in its canonical form.
    pub(crate) escape: Option<usize>,
}

impl Content<'_> {
    /// Text that is not in the document itself.
    pub(crate) fn text(text: String, at: usize) -> Self {
        Self::Text(Text { text: Cow::Owned(text), at, escape: None })
    }
}

impl Text<'_> {
    pub(crate) fn is_space(&self) -> bool {
        self.text.trim_matches(SPACE).is_empty()
    }
}

/// The white-space characters of XML.
pub(crate) const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// A document.
#[derive(Debug)]
pub(crate) struct Document<'x> {
    pub(crate) root: Element<'x>,
    /// The offset of the XML declaration, or of a byte order mark.
    pub(crate) prolog: Option<usize>,
    /// The offset of the first comment, processing instruction or CDATA section.
    pub(crate) extra: Option<usize>,
    /// The offset of the first white-space outside of the root element.
    pub(crate) space: Option<usize>,
}

/// The limits of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) depth: usize,
    pub(crate) elements: u64,
}

/// An error at an offset.
pub(crate) type Parsed<T> = Result<T, (usize, Kind)>;

fn malformed<T>(at: usize, message: impl Into<String>) -> Parsed<T> {
    Err((at, Kind::Xml(message.into())))
}

/// Returns whether XML allows a character (XML 1.0 §2.2).
pub(crate) const fn is_allowed(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{1_0000}'..)
}

struct Builder<'x> {
    text: &'x str,
    limits: Limits,
    open: Vec<Element<'x>>,
    /// The declared namespaces: the number of open elements, the prefix and the URI.
    namespaces: Vec<(usize, String, Rc<str>)>,
    root: Option<Element<'x>>,
    prolog: Option<usize>,
    extra: Option<usize>,
    space: Option<usize>,
}

/// Parses a document.
pub(crate) fn parse(input: &[u8], limits: Limits) -> Parsed<Document<'_>> {
    let text = match std::str::from_utf8(input) {
        Ok(text) => text,
        Err(error) => return malformed(error.valid_up_to(), "the input is not in UTF-8"),
    };
    let body = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let skipped = text.len() - body.len();
    if let Some((at, character)) = text.char_indices().find(|(_, character)| !is_allowed(*character)) {
        return malformed(at, format!("character U+{:04X} is not allowed in XML", u32::from(character)));
    }
    let prolog = (skipped > 0).then_some(0);
    let mut builder = Builder {
        text,
        limits,
        open: Vec::new(),
        namespaces: Vec::new(),
        root: None,
        prolog,
        extra: None,
        space: None,
    };
    let mut reader = Reader::from_str(body);
    loop {
        let start = skipped + position(reader.buffer_position());
        let event = reader.read_event();
        let end = skipped + position(reader.buffer_position());
        match event {
            Ok(Event::Eof) => break,
            Ok(event) => builder.event(&event, start, end)?,
            Err(error) => return malformed(skipped + position(reader.error_position()), error.to_string()),
        }
    }
    if let Some(open) = builder.open.last() {
        return malformed(text.len(), format!("the element <{}> has no end tag", open.name));
    }
    match builder.root {
        Some(root) => Ok(Document { root, prolog: builder.prolog, extra: builder.extra, space: builder.space }),
        None => malformed(text.len(), "no element found"),
    }
}

fn position(offset: u64) -> usize {
    // The input is in memory.
    usize::try_from(offset).unwrap_or(usize::MAX)
}

impl<'x> Builder<'x> {
    fn source(&self, start: usize, end: usize) -> &'x str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn event(&mut self, event: &Event<'_>, start: usize, end: usize) -> Parsed<()> {
        let source = self.source(start, end);
        match event {
            Event::Start(tag) => {
                let element = self.element(tag, start, end)?;
                if self.open.len() >= self.limits.depth {
                    return Err((start, Kind::Depth));
                }
                self.open.push(element);
                Ok(())
            }
            Event::Empty(tag) => {
                let mut element = self.element(tag, start, end)?;
                element.empty_tag = true;
                self.close(element)
            }
            Event::End(_) => match self.open.pop() {
                Some(mut element) => {
                    element.end = end;
                    element.spaced |= source.contains(SPACE);
                    self.close(element)
                }
                None => malformed(start, "there is no start tag for this end tag"),
            },
            Event::Text(_) => {
                if let Some(at) = source.find("]]>") {
                    return malformed(start + at, "`]]>` must be escaped");
                }
                let escape = source.find(['>', '\r']).filter(|_| !self.open.is_empty()).map(|at| start + at);
                self.characters(lines(source), start, escape)
            }
            Event::CData(_) => {
                self.extra.get_or_insert(start);
                let inner = source.strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>"));
                self.characters(lines(inner.unwrap_or_default()), start, Some(start))
            }
            Event::GeneralRef(_) => {
                let name = source.strip_prefix('&').and_then(|rest| rest.strip_suffix(';')).unwrap_or_default();
                let Some(character) = resolve(name) else {
                    return malformed(start, format!("unknown entity or character `{source}`"));
                };
                // A carriage return has no other form.
                let is_canonical = matches!(name, "amp" | "lt" | "gt" | "#xD");
                let escape = (!is_canonical).then_some(start);
                self.characters(Cow::Owned(character.to_string()), start, escape)
            }
            Event::Comment(_) | Event::PI(_) => {
                self.extra.get_or_insert(start);
                Ok(())
            }
            Event::Decl(declaration) => {
                // XML 1.0 §2.8: it is the first thing in the document.
                if start != 0 && self.prolog.is_none() || self.root.is_some() || !self.open.is_empty() {
                    return malformed(start, "the XML declaration is not at the start");
                }
                self.prolog = Some(start);
                match declaration.version() {
                    Ok(version) if version == "1.0" => {}
                    _ => return malformed(start, "unsupported version of XML, expected 1.0"),
                }
                match declaration.encoding() {
                    None => Ok(()),
                    Some(Ok(name)) if name.eq_ignore_ascii_case("utf-8") => Ok(()),
                    Some(_) => malformed(start, "unsupported character encoding, expected UTF-8"),
                }
            }
            Event::DocType(_) => malformed(start, "document type declarations are not supported"),
            Event::Eof => Ok(()),
        }
    }

    fn element(&mut self, tag: &BytesStart<'_>, start: usize, end: usize) -> Parsed<Element<'x>> {
        if self.root.is_some() {
            return malformed(start, "there is an element after the root element");
        }
        match self.limits.elements.checked_sub(1) {
            Some(left) => self.limits.elements = left,
            None => return Err((start, Kind::Elements)),
        }
        let source = self.source(start, end);
        let mut attributes = Vec::new();
        // Attributes without a value, duplicate ones, and unknown entities are errors.
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| (start, Kind::Xml(error.to_string())))?;
            let key: &str = attribute.key.as_ref();
            let name = source.find(key).map_or("", |at| self.source(start + at, start + at + key.len()));
            if attribute.value.contains('<') {
                return malformed(start, format!("`<` in the attribute {key} must be escaped"));
            }
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| (start, Kind::Xml(error.to_string())))?;
            if let Some(character) = value.chars().find(|character| !is_allowed(*character)) {
                return malformed(start, format!("character U+{:04X} is not allowed in XML", u32::from(character)));
            }
            attributes.push(Attribute { name, value: value.into_owned() });
        }
        let length = tag.name().as_ref().len();
        let name = self.source(start + 1, start + 1 + length);
        Ok(Element {
            name,
            namespace: self.namespace(name, &attributes, start)?,
            at: start,
            end,
            empty_tag: false,
            spaced: attributes.is_empty() && source.contains(SPACE),
            attributes,
            content: Vec::new(),
        })
    }

    /// Returns the namespace of an element, with the declarations of its attributes.
    fn namespace(&mut self, name: &str, attributes: &[Attribute<'_>], at: usize) -> Parsed<Option<Rc<str>>> {
        let depth = self.open.len();
        while self.namespaces.last().is_some_and(|(declared, ..)| *declared >= depth) {
            self.namespaces.pop();
        }
        for attribute in attributes {
            let prefix = match attribute.name.strip_prefix("xmlns:") {
                Some(prefix) => prefix,
                None if attribute.name == "xmlns" => "",
                None => continue,
            };
            self.namespaces.push((depth, prefix.to_owned(), attribute.value.as_str().into()));
        }
        let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
        let found = self.namespaces.iter().rev().find(|(_, declared, _)| declared == prefix);
        match found {
            Some((.., uri)) if uri.is_empty() => Ok(None),
            Some((.., uri)) => Ok(Some(uri.clone())),
            None if prefix.is_empty() => Ok(None),
            None => malformed(at, format!("the prefix of the element <{name}> is not declared")),
        }
    }

    fn close(&mut self, element: Element<'x>) -> Parsed<()> {
        match self.open.last_mut() {
            Some(outer) => outer.content.push(Content::Element(element)),
            None => self.root = Some(element),
        }
        Ok(())
    }

    fn characters(&mut self, text: Cow<'x, str>, at: usize, escape: Option<usize>) -> Parsed<()> {
        let Some(open) = self.open.last_mut() else {
            if text.trim_matches(SPACE).is_empty() && escape.is_none() {
                self.space.get_or_insert(at);
                return Ok(());
            }
            return malformed(at, "there is text outside of the root element");
        };
        match open.content.last_mut() {
            Some(Content::Text(before)) => {
                before.text.to_mut().push_str(&text);
                before.escape = before.escape.or(escape);
            }
            _ => open.content.push(Content::Text(Text { text, at, escape })),
        }
        Ok(())
    }
}

/// Converts the ends of lines to line feeds (XML 1.0 §2.11).
fn lines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { Cow::Borrowed(text) }
}

/// Returns the character of a predefined entity, or of a character reference.
fn resolve(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let (digits, radix) = digits.strip_prefix('x').map_or((digits, 10), |digits| (digits, 16));
            if !digits.starts_with(|first: char| first.is_digit(radix)) {
                return None;
            }
            char::from_u32(u32::from_str_radix(digits, radix).ok()?).filter(|character| is_allowed(*character))
        }
    }
}
