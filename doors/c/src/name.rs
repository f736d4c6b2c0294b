//! Names: text, comparison and attributes. A name is passed as its encoding, borrowed from the object that contains it.

use std::mem::MaybeUninit;

use tagwise::codec::{Any, Decode as _, Reader, SeqOf, Session, Tag, encode};
use tagwise::pkix::Name;
use tagwise::pkix::name::{self, NameBuf};

use crate::bytes::{put, tagwise_buffer, tagwise_bytes};
use crate::element::tagwise_element;
use crate::error::{Problem, tagwise_error, tagwise_error_kind};
use crate::oid::same;
use crate::options::tagwise_options;

/// Decodes a name leniently, because it may come from a value that was read with options.
fn read<'a>(der: tagwise_bytes) -> Result<Name<'a>, Problem> {
    let der = der.der()?;
    Name::outline(der).map_err(Problem::from)
}

/// Formats a name as RFC 4514 text, such as `CN=Eva,O=Example,C=DE`, with the last RDN first.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_name_rfc4514(
    name: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(read(name)?.rfc4514().to_string())))
}

/// Formats a name in the order of its encoding, such as `C=DE, O=Example, CN=Eva`. Attributes of the same RDN are joined
/// with `+`. The text is UTF-8. Control characters, and characters with a special meaning such as commas, are escaped as in
/// RFC 4514.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_name_oneline(
    name: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let mut line = String::new();
        for rdn in read(name)?.rdns() {
            let single = encode(&Name(SeqOf::from_slice(&[rdn?])))?;
            if !line.is_empty() {
                line.push_str(", ");
            }
            line.push_str(&Name::outline(&single)?.rfc4514().extended().to_string());
        }
        Ok(tagwise_buffer::new(line))
    })
}

/// Parses RFC 4514 text and returns the name's encoding.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_name_from_text(
    text: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let name =
            NameBuf::parse(text.text()?).map_err(|error| Problem::argument(error.to_string()).at(error.offset))?;
        Ok(tagwise_buffer::new(name.into_der()))
    })
}

/// Returns whether two names match according to RFC 5280 section 7.1, which ignores case and repeated spaces. Invalid names
/// never match.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_name_equal(one: tagwise_bytes, other: tagwise_bytes) -> bool {
    guard!(matches!((read(one), read(other)), (Ok(one), Ok(other)) if one.matches(&other)))
}

/// Returns whether a name is within the subtree of another name (RFC 5280 section 4.2.1.10).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_name_is_within(name: tagwise_bytes, subtree: tagwise_bytes) -> bool {
    guard!(matches!((read(name), read(subtree)), (Ok(name), Ok(subtree)) if name.is_within(&subtree)))
}

/// Computes a lookup key for a name: two keys are equal if and only if the names match.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_name_match_key(
    name: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, Ok(tagwise_buffer::new(read(name)?.match_key())))
}

/// An attribute of a name.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_name_attribute {
    /// The attribute type, as OBJECT IDENTIFIER content bytes. Borrowed like the name.
    oid: tagwise_bytes,
    /// The attribute's value, for tagwise_element_text(). Borrowed like the name.
    value: tagwise_element,
    /// The index of the RDN that contains the attribute.
    rdn: usize,
}

fn attributes(name: tagwise_bytes, mut found: impl FnMut(tagwise_name_attribute) -> bool) -> Result<bool, Problem> {
    let name = read(name)?;
    for (index, rdn) in name.rdns().enumerate() {
        for attribute in rdn?.0.iter() {
            let attribute = attribute?;
            let value: Any<'_> = attribute.value;
            let value = tagwise_element::new(value.tag(), value.as_bytes(), value.content(), value.offset());
            if found(tagwise_name_attribute {
                oid: tagwise_bytes::of(attribute.attr_type.as_bytes()),
                value,
                rdn: index,
            }) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Gets the attribute at the given index, counted from 0 over all RDNs. Returns false, without setting an error, after the
/// last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_name_attribute_get(
    name: tagwise_bytes,
    index: usize,
    attribute: Option<&mut MaybeUninit<tagwise_name_attribute>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let mut left = index;
        attributes_to(name, attribute, |_| {
            left = left.wrapping_sub(1);
            left == usize::MAX
        })
    })
}

/// Finds the first attribute with the given type (OBJECT IDENTIFIER content bytes). Returns false, without setting an
/// error, if there is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_name_attribute_find(
    name: tagwise_bytes,
    oid: tagwise_bytes,
    attribute: Option<&mut MaybeUninit<tagwise_name_attribute>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, attributes_to(name, attribute, |found| same(found.oid, oid)))
}

fn attributes_to(
    name: tagwise_bytes,
    place: Option<&mut MaybeUninit<tagwise_name_attribute>>,
    mut is: impl FnMut(&tagwise_name_attribute) -> bool,
) -> Result<bool, Problem> {
    let mut hit = None;
    attributes(name, |found| {
        let yes = is(&found);
        if yes {
            hit = Some(found);
        }
        yes
    })?;
    Ok(hit.is_some_and(|found| {
        put(place, found);
        true
    }))
}

/// Returns an attribute's value as UTF-8, regardless of its string type.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_name_attribute_text(
    attribute: Option<&tagwise_name_attribute>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let attribute = crate::bytes::given(attribute, "attribute")?;
        let value = Any::outline(attribute.value.whole().get()?)?;
        let text = name::text(&value);
        let text = text.ok_or_else(|| {
            Problem::new(tagwise_error_kind::Input, "attribute-type", "the attribute is not a string")
        })?;
        Ok(tagwise_buffer::new(text.into_owned()))
    })
}

/// Kinds of general names (RFC 5280 section 4.2.1.6). The values are the tag numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum tagwise_general_name_kind {
    /// A name of a kind that an OID identifies. The value is an encoded OtherName with its tag.
    Other = 0,
    /// An email address, as text.
    Email = 1,
    /// A host name, as text.
    Dns = 2,
    /// An X.400 address, encoded.
    X400 = 3,
    /// A distinguished name, encoded, for the tagwise_name functions.
    Directory = 4,
    /// An EDI party name, encoded.
    Edi = 5,
    /// A URI, as text.
    Uri = 6,
    /// An IP address of 4 or 16 bytes, followed by its mask in name constraints.
    Ip = 7,
    /// An object identifier, as its content bytes.
    RegisteredId = 8,
}

/// A general name, borrowed from the same owner as its list.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_general_name {
    /// The kind of name.
    kind: tagwise_general_name_kind,
    /// The value, in the form described for the kind.
    value: tagwise_bytes,
    /// The complete encoding.
    whole: tagwise_bytes,
}

/// Gets the next name from the content of a GeneralNames, such as tagwise_certificate_names() returns, and advances `rest`
/// past it. Returns false, without setting an error, after the last one. Only the name's tag is checked, so a malformed
/// name does not hide those after it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_general_name_next(
    rest: Option<&mut tagwise_bytes>,
    options: Option<&tagwise_options>,
    name: Option<&mut MaybeUninit<tagwise_general_name>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        use tagwise_general_name_kind as Kind;
        let session = Session::new(tagwise_options::of(options)?);
        let Some(whole) = crate::slices::next(rest, &session)? else { return Ok(false) };
        let mut reader = Reader::with_session(whole, &session)?;
        let (tag, len) = reader.header()?;
        let content = reader.take(len)?;
        let kind = match tag {
            tag if tag.same(Tag::context(0)) => Kind::Other,
            tag if tag.same(Tag::context(1)) => Kind::Email,
            tag if tag.same(Tag::context(2)) => Kind::Dns,
            tag if tag.same(Tag::context(3)) => Kind::X400,
            tag if tag.same(Tag::context(4)) => Kind::Directory,
            tag if tag.same(Tag::context(5)) => Kind::Edi,
            tag if tag.same(Tag::context(6)) => Kind::Uri,
            tag if tag.same(Tag::context(7)) => Kind::Ip,
            tag if tag.same(Tag::context(8)) => Kind::RegisteredId,
            _ => {
                return Err(Problem::new(
                    tagwise_error_kind::Input,
                    "choice-unknown",
                    "a general name has an unknown tag",
                ));
            }
        };
        let value = match kind {
            Kind::Other | Kind::X400 | Kind::Edi => whole,
            _ => content,
        };
        put(name, tagwise_general_name { kind, value: tagwise_bytes::of(value), whole: tagwise_bytes::of(whole) });
        Ok(true)
    })
}

/// Formats a general name, such as `DNS:example.org` or `IP:192.0.2.1`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_general_name_text(
    name: Option<&tagwise_general_name>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let name = crate::bytes::given(name, "name")?;
        let name = tagwise::pkix::ext::GeneralName::from_der(name.whole.get()?)?;
        Ok(tagwise_buffer::new(name.to_string()))
    })
}
