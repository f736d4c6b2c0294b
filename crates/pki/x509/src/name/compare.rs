//! Comparison of names (RFC 5280 §7.1).

use super::Name;
use super::prepare::{PreparedAscii, prepared};
use super::text::text_of;
use super::walk::{Attribute, Element, Elements, attribute, attributes};

impl Name<'_> {
    /// Returns whether the names match: the same RDNs in the same order, each with the same attributes in any order.
    ///
    /// Values match if their encodings are equal, or if both are text and equal after caseIgnoreMatch preparation (RFC
    /// 4518). Case, spaces, compatibility forms and string types are therefore ignored. RFC 5280 requires this for
    /// directory strings (§7.1), domain components (§7.3) and email addresses (§4.1.2.6). It is also applied to other
    /// attributes, whose values are rarely case-sensitive.
    ///
    /// Malformed values, which only an [`outline`](tagwise_codec::Decode::outline) accepts, match only if their encodings are
    /// equal.
    ///
    /// ```
    /// use tagwise_x509::name::NameBuf;
    /// let name = NameBuf::parse("CN=Große  Straße 1,C=DE")?;
    /// assert!(name.name().matches(&NameBuf::parse("cn=GROSSE STRASSE 1,C=de")?.name()));
    /// assert!(!name.name().matches(&NameBuf::parse("CN=Große Straße,C=DE")?.name()));
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    #[must_use]
    pub fn matches(&self, other: &Name<'_>) -> bool {
        let (own, others) = (self.content(), other.content());
        own == others || same_rdns(Elements(&own), Elements(&others)) == Some(Left::Nothing)
    }

    /// Returns whether the name equals `subtree` or is below it: its first RDNs match those of `subtree`.
    ///
    /// ```
    /// use tagwise_x509::name::NameBuf;
    /// let name = NameBuf::parse("CN=a,O=Acme,C=US")?;
    /// assert!(name.name().is_within(&NameBuf::parse("O=ACME,C=US")?.name()));
    /// assert!(!name.name().is_within(&NameBuf::parse("CN=a")?.name()));
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    #[must_use]
    pub fn is_within(&self, subtree: &Name<'_>) -> bool {
        let (own, subtree) = (self.content(), subtree.content());
        matches!(same_rdns(Elements(&own), Elements(&subtree)), Some(Left::Nothing | Left::Own))
    }

    /// Returns a lookup key, which is equal for two names if and only if they [match](Name::matches). It is not an encoding of
    /// the name.
    ///
    /// ```
    /// use tagwise_x509::name::NameBuf;
    /// let key = |text| Ok::<_, tagwise_x509::name::ParseError>(NameBuf::parse(text)?.name().match_key());
    /// assert_eq!(key("CN=EVA+UID=7,C=DE")?, key("uid=7+cn=Eva,c=de")?);
    /// assert_ne!(key("CN=Eva,C=DE")?, key("C=DE,CN=Eva")?);
    /// # Ok::<(), tagwise_x509::name::ParseError>(())
    /// ```
    #[must_use]
    pub fn match_key(&self) -> Vec<u8> {
        let content = self.content();
        let mut out = Vec::with_capacity(content.len() + 16);
        for rdn in Elements(&content) {
            let keys = match rdn {
                Ok(rdn) => keys(&rdn),
                Err(malformed) => vec![Key { attr_type: &[], value: PreparedValue::Octets(malformed) }],
            };
            push_len(&mut out, keys.len());
            keys.iter().for_each(|key| key.push(&mut out));
        }
        out
    }
}

/// The name that has RDNs left after the other one ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    Nothing,
    Own,
    Others,
}

/// Compares RDNs pairwise until one of the names ends. Returns `None` at the first mismatch.
fn same_rdns(mut own: Elements<'_>, mut others: Elements<'_>) -> Option<Left> {
    loop {
        match (own.next(), others.next()) {
            (None, None) => return Some(Left::Nothing),
            (Some(_), None) => return Some(Left::Own),
            (None, Some(_)) => return Some(Left::Others),
            (Some(Ok(rdn)), Some(Ok(other))) if same_rdn(&rdn, &other) => {}
            (Some(Err(malformed)), Some(Err(other))) if malformed == other => {}
            _ => return None,
        }
    }
}

fn same_rdn(rdn: &Element<'_>, other: &Element<'_>) -> bool {
    if rdn.bytes == other.bytes {
        return true;
    }
    match (single(rdn), single(other)) {
        (Some(own), Some(others)) => own.attr_type == others.attr_type && same_value(&own.value, &others.value),
        (None, None) => keys(rdn) == keys(other),
        _ => false,
    }
}

/// Returns the attribute of a single-attribute RDN.
fn single<'a>(rdn: &Element<'a>) -> Option<Attribute<'a>> {
    let mut list = attributes(rdn)?;
    let first = attribute(&list.next()?.ok()?);
    if list.0.is_empty() { first } else { None }
}

fn same_value(value: &Element<'_>, other: &Element<'_>) -> bool {
    if value.bytes == other.bytes {
        return true;
    }
    // Universal, primitive, low tag numbers.
    if value.tag >= 0x1F || other.tag >= 0x1F {
        return false;
    }
    let texts = (text_of(u32::from(value.tag), value.content), text_of(u32::from(other.tag), other.content));
    match texts {
        (Some(text), Some(other)) if text.is_ascii() && other.is_ascii() => {
            PreparedAscii::new(text.as_bytes()).eq(PreparedAscii::new(other.as_bytes()))
        }
        (Some(text), Some(other)) => prepared(&text).eq(prepared(&other)),
        _ => false,
    }
}

/// The comparison key of an attribute.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    attr_type: &'a [u8],
    value: PreparedValue<'a>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum PreparedValue<'a> {
    /// Prepared text in UTF-8.
    Text(Vec<u8>),
    /// The encoding of a value that is not text.
    Octets(&'a [u8]),
}

/// Returns the comparison keys of an RDN's attributes, sorted. The key of a malformed attribute has an empty type.
fn keys<'a>(rdn: &Element<'a>) -> Vec<Key<'a>> {
    let Some(list) = attributes(rdn) else {
        return vec![Key { attr_type: &[], value: PreparedValue::Octets(rdn.bytes) }];
    };
    let mut keys: Vec<_> = list
        .map(|element| match element {
            Ok(element) => match attribute(&element) {
                Some(Attribute { attr_type, value }) => Key { attr_type, value: value_key(&value) },
                None => Key { attr_type: &[], value: PreparedValue::Octets(element.bytes) },
            },
            Err(malformed) => Key { attr_type: &[], value: PreparedValue::Octets(malformed) },
        })
        .collect();
    keys.sort_unstable();
    keys
}

fn value_key<'a>(value: &Element<'a>) -> PreparedValue<'a> {
    let text = if value.tag < 0x1F { text_of(u32::from(value.tag), value.content) } else { None };
    match text {
        Some(text) if text.is_ascii() => {
            let mut prepared = Vec::with_capacity(text.len());
            prepared.extend(PreparedAscii::new(text.as_bytes()));
            PreparedValue::Text(prepared)
        }
        Some(text) => PreparedValue::Text(prepared(&text).collect::<String>().into_bytes()),
        None => PreparedValue::Octets(value.bytes),
    }
}

impl Key<'_> {
    fn push(&self, out: &mut Vec<u8>) {
        let (kind, octets) = match &self.value {
            PreparedValue::Text(text) => (b't', text.as_slice()),
            PreparedValue::Octets(octets) => (b'o', *octets),
        };
        push_len(out, self.attr_type.len());
        out.extend_from_slice(self.attr_type);
        out.push(kind);
        push_len(out, octets.len());
        out.extend_from_slice(octets);
    }
}

/// Appends a length in base 128, least significant digit first.
fn push_len(out: &mut Vec<u8>, mut len: usize) {
    while len >= 0x80 {
        out.push((len & 0x7F) as u8 | 0x80);
        len >>= 7;
    }
    out.push(len as u8);
}
