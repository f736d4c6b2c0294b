//! Differences between two certificates, CRLs, messages or keys.
//!
//! Both are decoded with the schema tables, with as many deviations tolerated as possible, and compared component by component.
//! Components with identical bytes are skipped. Extensions are matched by OID, CRL entries by serial number.

mod crl;
mod json;
mod precert;
pub(crate) mod walk;

use tagwise_codec::Options;
use tagwise_codec::value::Dynamic;
use tagwise_input::{Content, InputItem, ValueKind};

pub use json::Place;
pub use precert::{Match, Timestamp};
pub use walk::{ChangeKind, Difference, Shown};

use self::walk::Walk;
use crate::every_rule;

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The kind of both values.
    pub kind: ValueKind,
    /// The differences.
    pub differences: Vec<Difference>,
    /// The comparison of a precertificate with its certificate, if it was requested.
    pub precert: Option<Match>,
    /// True if the inputs also contain other values, which are not compared in detail and differ. Set by the caller.
    pub others_differ: bool,
}

/// The reason why two values cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unequal {
    /// They are of different kinds, which the text names.
    Kinds([&'static str; 2]),
    /// A comparison of precertificates was requested for other values.
    NotCertificates,
    /// The first (0) or second (1) value is malformed.
    Malformed(usize, String),
    /// The values are malformed, or neither is a precertificate.
    Precertificate(String),
}

impl Comparison {
    /// Compares two values found by [`find`](tagwise_input::find). With `precert`, compares a precertificate with its certificate
    /// (RFC 6962 §3.1, §3.2).
    ///
    /// ```
    /// use tagwise_codec::RuleSet;
    /// use tagwise_show::diff::Comparison;
    /// let one = tagwise_input::find(b"300a300506032b6570030100", RuleSet::NONE);
    /// let found = Comparison::of(&one.items[0], &one.items[0], false).unwrap();
    /// assert!(found.same());
    /// ```
    ///
    /// # Errors
    /// Returns the reason if the values cannot be compared.
    pub fn of(one: &InputItem<'_>, other: &InputItem<'_>, precert: bool) -> Result<Self, Unequal> {
        let kind = match (&one.content, &other.content) {
            (Content::Kind(kind), Content::Kind(second)) if kind == second => *kind,
            _ => return Err(Unequal::Kinds([words(&one.content), words(&other.content)])),
        };
        let (one, other) = (&*one.der, &*other.der);
        let mut found = Self { kind, differences: Vec::new(), precert: None, others_differ: false };
        if precert {
            if kind != ValueKind::Certificate {
                return Err(Unequal::NotCertificates);
            }
            found.precert = Some(precert::compare(one, other).map_err(Unequal::Precertificate)?);
        }
        found.differences = match kind {
            ValueKind::CertificateList => {
                crl::compare(one, other).map_err(|(side, message)| Unequal::Malformed(side, message))?
            }
            _ => by_table(kind, one, other)?,
        };
        if precert {
            found.differences.retain(|difference| !precert::is_expected(difference));
        }
        Ok(found)
    }

    /// Returns whether there are no relevant differences.
    #[must_use]
    pub fn same(&self) -> bool {
        !self.others_differ && self.precert.as_ref().map_or(self.differences.is_empty(), |found| found.same)
    }

    /// Returns the exit code: 0 if there are no relevant differences, 1 if there are, or 4 if only the precertificate's issuer differs,
    /// because the certificates do not show whether it is a precertificate signing certificate of the same CA (RFC 6962 §3.1).
    #[must_use]
    pub fn code(&self) -> u8 {
        let is_unknown = self.precert.as_ref().is_some_and(|found| found.other_issuer);
        if is_unknown && !self.others_differ { 4 } else { u8::from(!self.same()) }
    }
}

/// Returns the name of a kind.
#[must_use]
pub fn words(content: &Content) -> &'static str {
    content.kind().map_or("unknown content", ValueKind::words)
}

/// Options for reading both values: all deviations are tolerated, because the values only need to be compared.
fn options() -> Options<'static> {
    Options::der().rules(every_rule())
}

fn by_table(kind: ValueKind, one: &[u8], other: &[u8]) -> Result<Vec<Difference>, Unequal> {
    let dynamic = Dynamic::new(kind.ty()).options(options());
    let failed = |side: usize| move |error: tagwise_codec::Error| Unequal::Malformed(side, error.to_string());
    let first = dynamic.decode(one).map_err(failed(0))?;
    let second = dynamic.decode(other).map_err(failed(1))?;
    let mut walk = Walk::new(dynamic.types());
    walk.compare(Some(&first.value), Some(&second.value), "");
    Ok(walk.differences)
}
