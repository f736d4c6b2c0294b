//! Parses values as OpenSSL's templates do: components in order, without checking DER or sizes. Values that do not match
//! their template yield `None`, and are printed as bytes.

use tagwise_codec::Reader;

/// A split BER element: its tag and content.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    /// The first identifier byte.
    pub(super) tag: u8,
    pub(super) content: &'a [u8],
}

/// Splits off the first element, and returns it with the remaining bytes.
fn split(octets: &[u8]) -> Option<(Element<'_>, &[u8])> {
    let mut reader = Reader::new(octets).ok()?;
    let tag = reader.peek_octet()?;
    let (_, len) = reader.header().ok()?;
    let content = reader.take(len).ok()?;
    Some((Element { tag, content }, octets.get(reader.position()..)?))
}

/// Concatenated elements that have not been read yet.
#[derive(Clone, Copy)]
pub(super) struct Seq<'a>(pub(super) &'a [u8]);

pub(super) const BOOLEAN: u8 = 0x01;
pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const OCTET_STRING: u8 = 0x04;
pub(super) const NULL: u8 = 0x05;
pub(super) const OID: u8 = 0x06;
pub(super) const ENUMERATED: u8 = 0x0A;
pub(super) const UTF8: u8 = 0x0C;
pub(super) const PRINTABLE: u8 = 0x13;
pub(super) const IA5: u8 = 0x16;
pub(super) const GENERALIZED_TIME: u8 = 0x18;
pub(super) const SEQUENCE: u8 = 0x30;

impl<'a> Seq<'a> {
    /// Returns the content of the SEQUENCE at the start. Any following bytes are ignored.
    pub(super) fn whole(octets: &'a [u8]) -> Option<Self> {
        let (element, _) = split(octets)?;
        (element.tag == SEQUENCE).then_some(Self(element.content))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the tag of the next element.
    pub(super) fn tag(&self) -> Option<u8> {
        self.0.first().copied()
    }

    /// Returns the next element of any type, or `None` at the end or if it is malformed.
    pub(super) fn next(&mut self) -> Option<Element<'a>> {
        let (element, rest) = split(self.0)?;
        self.0 = rest;
        Some(element)
    }

    /// Returns the content of the next element, which must have the given tag.
    pub(super) fn expect(&mut self, tag: u8) -> Option<&'a [u8]> {
        let element = self.next()?;
        (element.tag == tag).then_some(element.content)
    }

    /// Returns the content of the next element if it has the given tag.
    pub(super) fn optional(&mut self, tag: u8) -> Option<&'a [u8]> {
        if self.tag() == Some(tag) { self.expect(tag) } else { None }
    }

    /// Returns the content of the next SEQUENCE.
    pub(super) fn sequence(&mut self) -> Option<Self> {
        self.expect(SEQUENCE).map(Self)
    }

    /// Passes each element to `item`, which must accept all of them.
    pub(super) fn each(mut self, mut item: impl FnMut(Element<'a>) -> Option<()>) -> Option<()> {
        while !self.is_empty() {
            item(self.next()?)?;
        }
        Some(())
    }

    /// Returns `None` unless all elements have been read.
    pub(super) fn end(&self) -> Option<()> {
        self.is_empty().then_some(())
    }
}

/// Returns the content of the first element, if it has the given tag.
pub(super) fn only(octets: &[u8], tag: u8) -> Option<&[u8]> {
    Seq(octets).expect(tag)
}
