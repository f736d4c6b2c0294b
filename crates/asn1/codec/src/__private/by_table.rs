//! Constraints that derived code checks through the type's table: WITH COMPONENTS, set arithmetic, ENCODED BY and
//! user-defined constraints.
//!
//! The value is decoded a second time as a dynamic value, tolerating the same rule violations. Nesting is bounded by the
//! depth budget, so each level costs time linear in the input.

use crate::encode::EncodeError;
use crate::engine::value::by_table::{Held, judge};
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::{Budget, Options, Session};
use crate::reader::Reader;
use crate::rule::RuleSet;
use crate::table::{Constraint, Field, Type};
use crate::writer::Writer;

/// Checks a component that was read from `at` to the reader's position against its constraints. `field` is the component's
/// table entry.
///
/// # Errors
/// Returns [`FaultKind::Size`] or [`FaultKind::Value`] at the component, unless tolerated. If ENCODED BY is violated, returns the
/// error found in the contained encoding.
pub fn component_obeys(
    reader: &Reader<'_, '_>,
    at: usize,
    field: &'static Field,
    constraints: &'static [Constraint],
) -> Result<(), Fault> {
    judge(Held::Component(field), reader, at, constraints)
}

/// Checks the contents of a newtype, read from `at` to the reader's position, against its constraints. The contents are
/// those of an `inner` value, or its whole element if `whole` is true.
///
/// # Errors
/// Returns the same errors as [`component_obeys`].
pub fn newtype_obeys(
    reader: &Reader<'_, '_>,
    at: usize,
    inner: &'static Type,
    whole: bool,
    constraints: &'static [Constraint],
) -> Result<(), Fault> {
    judge(if whole { Held::Element(inner) } else { Held::Content(inner) }, reader, at, constraints)
}

/// Checks a component that was just written against its constraints. `mark` is the [`Writer::mark`] from before the
/// component was written.
///
/// # Errors
/// Returns [`FaultKind::Size`] or [`FaultKind::Value`].
pub fn component_written(
    writer: &Writer<'_>,
    mark: usize,
    field: &'static Field,
    constraints: &'static [Constraint],
) -> Result<(), EncodeError> {
    written(writer, mark, Held::Component(field), constraints)
}

/// Checks the contents of a newtype that was just written against its constraints: see [`newtype_obeys`].
///
/// # Errors
/// Returns [`FaultKind::Size`] or [`FaultKind::Value`].
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
        kind @ (FaultKind::Size | FaultKind::Value) => EncodeError::new(kind),
        _ => EncodeError::new(FaultKind::Value),
    })
}
