//! Constraints that generated code checks by their tables, as dynamic values do: WITH COMPONENTS, set arithmetic, encodings
//! by rules that are named, words that a caller explains.
//!
//! What was read is read once more as a dynamic value, whatever of it was tolerated: values nest in each other at most to the
//! depth budget, so that this takes time linear in the input on each level.

use crate::encode::EncodeError;
use crate::engine::value::by_table::{Held, judge};
use crate::fault::Fault;
use crate::kind::Kind;
use crate::options::{Budget, Options, Session};
use crate::reader::Reader;
use crate::rule::RuleSet;
use crate::table::{Constraint, Field, Type};
use crate::writer::Writer;

/// Holds a component that was read from `at` to the reader's position to constraints. `field` is its entry in the table.
///
/// # Errors
/// [`Kind::Size`] or [`Kind::Value`] at the component, if that is not tolerated; what is wrong with octets that ENCODED BY
/// says more of.
pub fn component_obeys(
    reader: &Reader<'_, '_>,
    at: usize,
    field: &'static Field,
    constraints: &'static [Constraint],
) -> Result<(), Fault> {
    judge(Held::Component(field), reader, at, constraints)
}

/// Holds what a newtype holds, read from `at` to the reader's position, to constraints: the content of a value of `inner`, or
/// its element if it is `whole`.
///
/// # Errors
/// Those of [`component_obeys`].
pub fn newtype_obeys(
    reader: &Reader<'_, '_>,
    at: usize,
    inner: &'static Type,
    whole: bool,
    constraints: &'static [Constraint],
) -> Result<(), Fault> {
    judge(if whole { Held::Element(inner) } else { Held::Content(inner) }, reader, at, constraints)
}

/// Holds a component that was just written to constraints; `mark` is the [`Writer::mark`] from before.
///
/// # Errors
/// [`Kind::Size`] or [`Kind::Value`].
pub fn component_written(
    writer: &Writer<'_>,
    mark: usize,
    field: &'static Field,
    constraints: &'static [Constraint],
) -> Result<(), EncodeError> {
    written(writer, mark, Held::Component(field), constraints)
}

/// Holds what a newtype holds, which was just written, to constraints: see [`newtype_obeys`].
///
/// # Errors
/// [`Kind::Size`] or [`Kind::Value`].
pub fn newtype_written(
    writer: &Writer<'_>,
    mark: usize,
    inner: &'static Type,
    whole: bool,
    constraints: &'static [Constraint],
) -> Result<(), EncodeError> {
    written(writer, mark, if whole { Held::Element(inner) } else { Held::Content(inner) }, constraints)
}

fn written(
    writer: &Writer<'_>,
    mark: usize,
    held: Held,
    constraints: &'static [Constraint],
) -> Result<(), EncodeError> {
    let octets = writer.written().get(..writer.len_since(mark)).unwrap_or_default();
    let read = |octets| {
        let options =
            Options::der().rules(RuleSet::NONE).budget(Budget { depth: Budget::MAX_DEPTH, ..Budget::DEFAULT });
        let session = Session::new(options);
        let mut reader = Reader::with_session(octets, &session)?;
        reader.take(octets.len())?;
        judge(held, &reader, 0, constraints)
    };
    read(octets).map_err(|fault: Fault| match fault.kind() {
        kind @ (Kind::Size | Kind::Value) => EncodeError::new(kind),
        _ => EncodeError::new(Kind::Value),
    })
}
