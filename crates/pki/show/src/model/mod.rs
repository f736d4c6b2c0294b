//! Certificates and CRLs as trees of [`Value`]s.

mod any;
mod cert;
mod crl;
mod ext;
mod general;
mod key;
pub(crate) mod message;

mod misc;
mod name;
mod policy;
mod sct;
mod signed;
mod table;

use core::time::Duration;

use sha1::Sha1;
use sha2::{Digest, Sha256};
use tagwise_codec::{BitStr, CivilTime, Oid};
use tagwise_pkix::{Certificate, UnixTime, oids};

use crate::lens::Lens;
use crate::tree::{Line, Record, Tone, Value};

pub use cert::{short_name_of, short_name_of_certificate, short_subject};
pub use key::{oid_line, summary};
#[cfg(feature = "crypto")]
pub use signed::verify;
#[cfg(feature = "verify")]
pub use signed::verify_with;
pub use signed::{SelfSignature, Verify};

pub(crate) use cert::certificate;
pub(crate) use crl::list;

/// The context for building a tree.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// The decoder for deferred components.
    pub lens: Lens,
    /// The time at which validity is evaluated.
    pub now: UnixTime,
    /// The number of CRL entries to show.
    pub entries: Option<usize>,
    /// The current nesting depth of messages. Nested contents are decoded separately, each with its own budget.
    pub depth: u8,
    /// The function that builds the tree of a proof, which replaces a certificate's signature, such as
    /// `tagwise_mtc::show::proof`. With `None`, the proof is shown like any other signature.
    pub proof: Option<Proof>,
    /// The function that verifies the signatures of requests and self-signed certificates with their own keys. With `None`, they
    /// are not verified. With the feature `crypto`, pass `verify`.
    pub verify: Option<Verify>,
}

/// A function that builds the tree of the proof in a certificate, or returns `None` if the certificate has a signature.
pub type Proof = for<'a> fn(&Certificate<'a>) -> Option<Value<'a>>;

impl Scene {
    /// The maximum nesting depth of messages.
    const DEEP: u8 = 12;

    /// Returns the context for a nested message, or `None` if the nesting is too deep.
    pub fn inside(&self) -> Option<Self> {
        (self.depth < Self::DEEP).then(|| Self { depth: self.depth.saturating_add(1), ..*self })
    }
}

/// Returns the standard name of an object identifier.
#[must_use]
pub fn oid_name(oid: Oid<'_>) -> Option<String> {
    oids::lookup(oid).map(|info| info.name.to_owned())
}

/// Shows the fingerprints of a certificate or CRL.
pub(crate) fn fingerprints<'a>(der: &[u8]) -> Value<'a> {
    Record::default()
        .with("sha256", Value::Hex(Sha256::digest(der).to_vec().into()))
        .with("sha1", Value::Hex(Sha1::digest(der).to_vec().into()))
        .into()
}

/// Shows a BIT STRING without a known structure.
fn bits<'a>(bits: BitStr<'a>) -> Value<'a> {
    let unused = bits.unused_bits();
    let record =
        Record::titled(Line::plain(format!("{} bits", bits.bit_len()))).json("bits", Value::Number(bits.bit_len()));
    record.bare("hex", Value::bulk(bits.as_bytes())).json("unused_bits", Value::Number(u64::from(unused))).into()
}

/// Shows a validity period, and its state at the time `now`.
fn period<'a>(from: CivilTime, until: CivilTime, now: UnixTime) -> Value<'a> {
    let (first, last) = (from.unix(), until.unix());
    let (status, tone, words) = if let Some(early) = first.since(now).filter(|early| !early.is_zero()) {
        ("not-yet-valid", Tone::Warn, format!("begins in {}", span(early)))
    } else if let Some(left) = last.since(now) {
        ("valid", Tone::Good, format!("valid for {}", span(left)))
    } else {
        ("expired", Tone::Bad, format!("expired {} ago", span(now.since(last).unwrap_or_default())))
    };
    let title = Line::plain(format!("{from} to {until}")).and(Tone::Plain, "  ").and(tone, words);
    Record::titled(title)
        .json("not_before", Value::Time(from))
        .json("not_after", Value::Time(until))
        .json("status", Value::word(status))
        .into()
}

/// Formats a duration in days, or in hours if it is short.
fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    let (count, unit) = match seconds {
        172_800.. => (seconds / 86_400, "days"),
        7200.. => (seconds / 3600, "hours"),
        _ => (seconds / 60, "minutes"),
    };
    format!("{count} {unit}")
}
