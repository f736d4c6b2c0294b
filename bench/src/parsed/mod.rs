//! What a parsed certificate gives, the same for every library, and the rows that follow from it alone.
//!
//! A library says here how it parses and how each field is had; what it does not offer stays `None`, and it then takes no
//! part in that row. Access to fields, chains, trees, threads and the comparison of results are written once, on top.

mod tasks;

pub use tasks::{access, chain, count_linked, fields, index, read, threads, tree};

use crate::peer::{AllFields, Fields};
use std::borrow::Cow;

/// A certificate as one library holds it.
pub trait Parsed<'a>: Sized {
    /// What the accessors do, in words, for the tables.
    const ACCESS: &'static str;

    /// Parses by the library's usual call.
    fn parse(der: &'a [u8]) -> Option<Self>;

    /// The content octets of the serial number, as the library gives them.
    fn serial(&self) -> Option<Cow<'_, [u8]>> {
        None
    }

    /// The issuer as DER, with or without its header, as the library keeps it.
    fn issuer(&self) -> Option<Cow<'_, [u8]>> {
        None
    }

    /// The subject in the same form.
    fn subject(&self) -> Option<Cow<'_, [u8]>> {
        None
    }

    /// The issuer as fresh text in the library's own style.
    fn issuer_text(&self) -> Option<String> {
        None
    }

    /// The subject as fresh text in the library's own style.
    fn subject_text(&self) -> Option<String> {
        None
    }

    /// Seconds since 1970.
    fn not_before(&self) -> Option<i64> {
        None
    }

    /// Seconds since 1970.
    fn not_after(&self) -> Option<i64> {
        None
    }

    /// The signature's algorithm as fresh dotted text.
    fn algorithm(&self) -> Option<String> {
        None
    }

    /// The key's algorithm as fresh dotted text.
    fn key_algorithm(&self) -> Option<String> {
        None
    }

    /// The octets of the public key's BIT STRING.
    fn key(&self) -> Option<Cow<'_, [u8]>> {
        None
    }

    /// The octets of the signature.
    fn signature(&self) -> Option<Cow<'_, [u8]>> {
        None
    }

    /// A look at every extension.
    fn extensions(&self) -> Option<Extensions> {
        None
    }

    /// Whether BasicConstraints, decoded, say that it is a CA; `Some(None)` where there are none.
    fn ca(&self) -> Option<Option<bool>> {
        None
    }
}

/// What a look at every extension found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extensions {
    /// How many.
    pub count: usize,
    /// How many are critical.
    pub critical: usize,
    /// Octets of all their values.
    pub octets: usize,
}

impl Extensions {
    /// Counts one more.
    pub fn add(&mut self, critical: bool, octets: usize) {
        self.count += 1;
        self.critical += usize::from(critical);
        self.octets += octets;
    }
}

/// The fields whose access is timed one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the fields say it")]
pub enum Field {
    Serial,
    Issuer,
    Subject,
    IssuerText,
    SubjectText,
    Validity,
    Algorithm,
    KeyAlgorithm,
    Key,
    Signature,
    Extensions,
    BasicConstraints,
}

/// What a library says a certificate holds, to compare libraries by. `None` is not offered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the fields say it")]
pub struct Facts {
    pub serial: Option<Vec<u8>>,
    pub issuer: Option<Vec<u8>>,
    pub subject: Option<Vec<u8>>,
    pub not_before: Option<i64>,
    pub not_after: Option<i64>,
    pub algorithm: Option<String>,
    pub key_algorithm: Option<String>,
    pub key: Option<Vec<u8>>,
    pub signature: Option<Vec<u8>>,
    pub extensions: Option<Extensions>,
    pub ca: Option<Option<bool>>,
}

/// The facts in a form that compares: serials as magnitudes without leading zeros (some libraries give no sign), names
/// as the content of their SEQUENCE.
pub fn facts<'a, P: Parsed<'a>>(der: &'a [u8]) -> Option<Facts> {
    let value = P::parse(der)?;
    Some(Facts {
        serial: value.serial().map(|serial| magnitude(&serial)),
        issuer: value.issuer().map(|name| content_of_name(&name)),
        subject: value.subject().map(|name| content_of_name(&name)),
        not_before: value.not_before(),
        not_after: value.not_after(),
        algorithm: value.algorithm(),
        key_algorithm: value.key_algorithm(),
        key: value.key().map(Cow::into_owned),
        signature: value.signature().map(Cow::into_owned),
        extensions: value.extensions(),
        ca: value.ca(),
    })
}

/// A serial number without sign and leading zeros. Libraries differ in whether they keep the octet that shows the sign.
#[must_use]
pub fn magnitude(serial: &[u8]) -> Vec<u8> {
    let zeros = serial.iter().take_while(|octet| **octet == 0).count();
    serial[zeros..].to_vec()
}

/// A name without the header of its outer SEQUENCE. Content begins with a SET (0x31), so the two forms cannot be taken
/// for one another.
#[must_use]
pub fn content_of_name(name: &[u8]) -> Vec<u8> {
    match name {
        [0x30, 0x81, _, content @ ..] | [0x30, 0x82, _, _, content @ ..] => content.to_vec(),
        [0x30, _, content @ ..] => content.to_vec(),
        content => content.to_vec(),
    }
}

/// Every field, for the rows "all fields"; `None` also where the library does not offer one of them.
pub fn all_fields<'a, P: Parsed<'a>>(der: &'a [u8]) -> Option<AllFields> {
    let value = P::parse(der)?;
    let extensions = value.extensions()?;
    Some(AllFields {
        fields: Fields {
            serial: value.serial()?.len(),
            not_before: value.not_before()?,
            not_after: value.not_after()?,
            issuer: value.issuer_text()?,
            subject: value.subject_text()?,
            algorithm: value.algorithm()?,
            key_algorithm: value.key_algorithm()?,
            key: value.key()?.len(),
            signature: value.signature()?.len(),
        },
        extensions: extensions.count,
        critical: extensions.critical,
        value_octets: extensions.octets,
    })
}
