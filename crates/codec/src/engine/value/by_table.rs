//! The constraints of a table on what a derived decoder has read.

use super::constraint::{self, Listed, When};
use super::decode::{self, At};
use super::types::Types;
use crate::fault::Fault;
use crate::options::{Budget, Options, Session};
use crate::reader::Reader;
use crate::rule::RuleSet;
use crate::table::{Constraint, Field, Type};

/// What stands in front of a reader's cursor.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Held {
    /// A component, with the tags that are put on it.
    Component(&'static Field),
    /// An element of a type.
    Element(&'static Type),
    /// The content of a value of a type.
    Content(&'static Type),
}

/// Holds what was read from `at` to the reader's position to constraints.
pub(crate) fn judge(
    held: Held,
    reader: &Reader<'_, '_>,
    at: usize,
    constraints: &'static [Constraint],
) -> Result<(), Fault> {
    let options = reader.session().map_or(Options::der(), |session| *session.options());
    let types = Types { schema: None, registered: options.registered_types() };
    // Whatever was tolerated was noted when it was read.
    let budget = Budget { depth: Budget::MAX_DEPTH, ..Budget::DEFAULT };
    let session = Session::new(options.rules(RuleSet::ALL).budget(budget));
    let octets = reader.since(at);
    let base = reader.offset().wrapping_sub(octets.len());
    let mut again = Reader::with_session(octets, &session)?.at_base(base);
    let place = At::new(types);
    let (value, containing) = match held {
        Held::Component(field) => (decode::component(place, field, &mut again)?, field.containing),
        Held::Element(ty) => (decode::value(types, ty, &mut again)?, None),
        Held::Content(ty) => (decode::content(place, ty, None, &mut again, octets.len())?, None),
    };
    constraint::check(place.judge(reader), Listed { constraints, containing }, &value, reader, at, When::Both)
}
