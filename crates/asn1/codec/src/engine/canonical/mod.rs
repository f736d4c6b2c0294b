//! Table-driven conversion of BER to DER or CER. The walk first records the output on a tape, and then writes it all at
//! once.
//!
//! The walk is iterative and linear. It never scans ahead for end-of-contents bytes, and unchanged parts need neither
//! memory nor a copy. Sorting a SET or SET OF adds the cost of the sort.

mod default;
mod frame;
pub(crate) mod header;
mod join;
mod leaf;
mod map;
mod resolve;
mod segments;
mod tape;
mod walk;

use alloc::borrow::Cow;
use alloc::vec::Vec;

pub use self::map::Map;
#[cfg(feature = "stream")]
pub(crate) use self::resolve::least_tag;
use self::tape::Trace;
use self::walk::Walk;
use crate::engine::components::{Expect, Tables};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::{Budget, Options, Session};
use crate::rule::{Deviation, Rule};
use crate::tag::Tag;

/// An element that could not be reliably converted to DER. Everything else in the output is DER.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residue {
    /// The element's offset in the input.
    pub offset: usize,
    /// The element's tag, with the form found in the input.
    pub tag: Tag,
    /// The reason that the element was not converted.
    pub why: Uncovered,
}

/// The reason that a conversion could not handle an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Uncovered {
    /// An element that no schema describes: an unknown component, an open type without a matching entry, or bytes after the value.
    /// Its lengths were made definite and its universal types normalized.
    Unknown,
    /// A constructed element with a non-universal tag, which may be a segmented string. Only a schema can determine this.
    MaybeString,
    /// A constructed element that may be a SET or a SET OF. Its elements were not sorted.
    Order,
    /// The value has no DER encoding: a local time, a REAL with an exponent beyond 62 bits, or a string with invalid
    /// characters.
    Formless,
    /// The type is `verbatim`, so its bytes were kept, and they are not DER.
    Verbatim,
}

/// The result of a conversion.
#[derive(Debug)]
pub(crate) struct Converted<'i> {
    pub(crate) bytes: Cow<'i, [u8]>,
    pub(crate) map: Map,
    pub(crate) residue: Vec<Residue>,
    pub(crate) deviations: Vec<Deviation>,
}

/// The encoding rules of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Der,
    Cer,
}

/// The parameters of a conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'s> {
    pub(crate) tables: Tables<'s>,
    /// The expected type; `None` accepts anything.
    pub(crate) expect: Option<Expect<'s>>,
    pub(crate) target: Target,
    /// True if the input must already equal the output. Any deviation is then a fault.
    pub(crate) strict: bool,
    /// The number of levels of nested default values that may still be converted.
    pub(crate) defaults: u8,
}

impl Task<'_> {
    /// Depth to which nested default values are converted. In real schemas, default values contain at most simple default
    /// values.
    pub(crate) const DEFAULTS: u8 = 4;
}

/// Converts one element.
pub(crate) fn convert<'i>(task: &Task<'_>, input: &'i [u8], options: &Options<'_>) -> Result<Converted<'i>, Fault> {
    let (mut converted, mut again) = round(task, input, options)?;
    // An encoding in a string of segments is looked at once the string is joined: one more round for each such string that
    // stands in another one.
    for _ in 0..Budget::MAX_DEPTH {
        if !again {
            break;
        }
        let (next, once_more) = round(task, &converted.bytes, options).map_err(|fault| {
            let offset = converted.map.source(fault.offset());
            Fault::new(fault.kind(), offset).with_detail(fault.detail())
        })?;
        (converted, again) = (next.after(&converted), once_more);
    }
    Ok(converted)
}

impl Converted<'_> {
    /// Composes the results of two consecutive conversions. `before` is the first one's result.
    fn after<'i>(self, before: &Converted<'i>) -> Converted<'i> {
        let source = |offset: usize| before.map.source(offset);
        let residue = self.residue.iter().map(|entry| Residue { offset: source(entry.offset), ..*entry }).collect();
        let mut deviations = before.deviations.clone();
        deviations.extend(
            self.deviations.iter().map(|deviation| Deviation { offset: source(deviation.offset), ..*deviation }),
        );
        // What has no normal form is met in every round.
        deviations.sort_by_key(|deviation| (deviation.offset, deviation.rule.id()));
        deviations.dedup();
        let map = before.map.clone().then(self.map, &self.bytes);
        Converted { bytes: Cow::Owned(self.bytes.into_owned()), map, residue, deviations }
    }
}

fn round<'i>(task: &Task<'_>, input: &'i [u8], options: &Options<'_>) -> Result<(Converted<'i>, bool), Fault> {
    if u32::try_from(input.len()).is_err() {
        return Err(Fault::new(FaultKind::InputTooLarge, 0));
    }
    let session = Session::new(*options);
    let mut walk = Walk::new(task, input, &session);
    walk.run()?;
    let (unchanged, len) = walk.outcome();
    if len > options.budget_in_force().output.min(u64::from(u32::MAX)) {
        return Err(Fault::new(FaultKind::OutputExceeded, 0));
    }
    let Walk { tape, mut residue, again, .. } = walk;
    residue.sort_by_key(|entry| entry.offset);
    let (bytes, map) = if unchanged {
        (Cow::Borrowed(input), Map::IDENTITY)
    } else {
        let mut output = Vec::with_capacity(len as usize);
        let mut trace = Trace::default();
        let written = tape.write(0..tape.nodes.len(), input, &mut output, Some(&mut trace));
        written.map_err(|kind| Fault::new(kind, 0))?;
        for late in trace.late {
            session.tolerate(&Rule::SET_OF_ORDER, late);
        }
        trace.ordered.sort_unstable();
        let known = |entry: &Residue| trace.ordered.binary_search(&entry.offset).is_ok();
        residue.retain(|entry| entry.why != Uncovered::Order || !known(entry));
        let map = Map::new(trace.runs, output.len(), input.len());
        (Cow::Owned(output), map)
    };
    Ok((Converted { bytes, map, residue, deviations: session.into_deviations() }, again))
}
