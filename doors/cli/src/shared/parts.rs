//! The individual values in a file, for `get` and `explain`.

use std::borrow::Cow;
use std::path::Path;

use tagwise_codec::RuleSet;
use tagwise_codec::table::Type;
use tagwise_input::{Content, Wrapped, WrappedValue, content, security_object};
use tagwise_input::{ValueKind, names};
use tagwise_pkix::name::visible;

use crate::shared::context::Context;
use crate::shared::output::{Failure, name_of};

/// Returns the requested type. If none is requested, detects the type from the bytes.
///
/// # Errors
/// Returns an error if the type name is unknown, or the type cannot be detected.
pub(crate) fn type_of(asked: Option<&str>, octets: &[u8]) -> Result<&'static Type, Failure> {
    if let Some(name) = asked {
        return names::find(name).ok_or_else(|| {
            let (names, asked) = (names::all(), name.to_ascii_lowercase());
            let near =
                names.iter().map(|known| (strsim::levenshtein(&known.to_ascii_lowercase(), &asked), *known)).min();
            match near {
                Some((..=3, near)) => Failure::usage(format!("unknown type '{}'; did you mean {near}?", visible(name))),
                _ => Failure::usage(format!("unknown type '{}', expected one of {}", visible(name), names.join(", "))),
            }
        });
    }
    let content = content(octets);
    content.kind().map(ValueKind::ty).ok_or_else(|| match content {
        Content::Other(what) => Failure::negative(format!("unknown content ({}): give --type NAME", visible(&what))),
        _ => Failure::negative("unknown content: give --type NAME"),
    })
}

/// Converts a message from BER to DER, if its standard allows BER.
pub(crate) fn der_of<'o>(octets: &'o [u8]) -> Cow<'o, [u8]> {
    match content(octets) {
        Content::Kind(what) => what.to_der(octets).map_or(Cow::Borrowed(octets), Cow::Owned),
        _ => Cow::Borrowed(octets),
    }
}

/// Opens a file and unwraps its content.
///
/// # Errors
/// Returns an error if the file cannot be read, is empty, or has a malformed wrapping.
pub(crate) fn open(context: &Context, file: &Path) -> Result<Wrapped, Failure> {
    let octets = context.load(file).map_err(|error| Failure::file(file, "read", &error))?;
    opened(octets, file)
}

/// Unwraps the content of a file.
///
/// # Errors
/// Returns an error if the file is empty or has a malformed wrapping.
pub(crate) fn opened(octets: Vec<u8>, file: &Path) -> Result<Wrapped, Failure> {
    let negative = |message: &str| Failure::negative(format!("{}: {}", name_of(file), visible(message)));
    if octets.is_empty() {
        return Err(negative("the file is empty"));
    }
    Wrapped::open(octets, None).map_err(|message| negative(&message))
}

/// A value in a file: in a PEM block, or concatenated with others.
pub(crate) struct Part<'s> {
    pub(crate) octets: Result<&'s [u8], String>,
    /// The start offset in the block or file.
    pub(crate) start: usize,
    /// The name of the archive member that contains the value.
    entry: Option<&'s str>,
    /// The line at which the value's PEM block begins, and whether the file or block contains several values.
    line: Option<usize>,
    several: bool,
    row: bool,
    /// The number of the value's block, from 1.
    number: usize,
}

impl Part<'_> {
    /// Describes the location of this value for messages, if the file contains several values.
    pub(crate) fn place(&self) -> String {
        let Self { number, start, .. } = self;
        let entry = self.entry.map(|entry| format!("{}: ", visible(entry))).unwrap_or_default();
        let place = match self.line {
            Some(line) if self.row => format!("the value at byte {start} of block {number} in line {line}: "),
            Some(line) if self.several => format!("block {number} in line {line}: "),
            None if self.several => format!("block {number}: "),
            None if self.row => format!("the value at byte {start}: "),
            _ => String::new(),
        };
        entry + &place
    }
}

/// Returns all values of a file, in order.
pub(crate) fn parts(source: &Wrapped) -> Vec<Part<'_>> {
    let several = source.values.len() > 1;
    source.values.iter().zip(1..).flat_map(|(item, number)| parts_of(item, several, number)).collect()
}

pub(crate) fn parts_of(item: &WrappedValue, several: bool, number: usize) -> Vec<Part<'_>> {
    let line = item.block.as_ref().map(|(_, line)| *line);
    let entry = item.entry.as_deref();
    if let Some(problem) = item.problem.clone().or_else(|| Some(item.foreign.as_ref()?.to_string())) {
        return vec![Part { octets: Err(problem), start: 0, entry, line, several, row: false, number }];
    }
    let ends = ends(&item.octets);
    let row = ends.len() > 1;
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let part = |(start, end): (usize, &usize)| {
        let (skipped, octets) = unwrapped(item.octets.get(start..*end).unwrap_or_default());
        Part { octets: Ok(octets), start: start + skipped, entry, line, several, row, number }
    };
    starts.zip(&ends).map(part).collect()
}

/// Returns the CMS message in a passport's security object without the surrounding tag, and its offset.
fn unwrapped(octets: &[u8]) -> (usize, &[u8]) {
    let message = security_object(octets).and_then(|range| Some((range.start, octets.get(range)?)));
    message.unwrap_or((0, octets))
}

/// Returns the ends of concatenated values. A malformed value extends to the end of the input, so that its decoder reports the error.
/// Trailing data that is not a constructed element also belongs to the value before it.
pub(crate) fn ends(octets: &[u8]) -> Vec<usize> {
    let mut ends = tagwise_input::row::ends(octets, RuleSet::ALL);
    let malformed = ends.last().is_none_or(|end| octets.get(*end).is_some_and(|first| first & 0x20 != 0));
    if !malformed {
        ends.pop();
    }
    ends.push(octets.len());
    ends
}
