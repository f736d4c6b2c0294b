//! Checks values from derived decoders against table constraints.

use super::constraint::{self, Listed, When};
use super::decode::{self, At};
use super::types::Types;
use crate::engine::components::{Inside, Tables, component};
use crate::engine::lenient::Lenient;
use crate::fault::Fault;
use crate::options::{Budget, Session};
use crate::reader::Reader;
use crate::rule::RuleSet;
use crate::table::{Constraint, Field, Fields, Shape, Type};

/// The item to which constraints are applied. It ends at the reader's cursor.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Held {
    /// A component, including its tags.
    Component(&'static Field),
    /// An element of a type.
    Element(&'static Type),
    /// The content of a type's value.
    Content(&'static Type),
}

/// Checks the data read from `at` to the reader's position against constraints.
pub(crate) fn judge(
    held: Held,
    reader: &Reader<'_, '_>,
    at: usize,
    constraints: &'static [Constraint],
) -> Result<(), Fault> {
    let options = reader.options();
    let types = Types { schema: None, registered: options.registered_types() };
    // Whatever was tolerated was noted when it was read.
    let budget = Budget { depth: Budget::MAX_DEPTH, ..Budget::DEFAULT };
    let session = Session::new(options.rules(RuleSet::ALL).budget(budget));
    let octets = reader.since(at);
    // Where nothing was tolerated, elements are what their tags say.
    if reader.is_plain()
        && let Held::Content(ty) = held
        && let Shape::Sequence(fields) = &ty.shape
        && fields.marker.is_none()
        && constraints.iter().all(|constraint| has_components(types, fields, octets, constraint))
    {
        return Ok(());
    }
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

/// Returns whether a constraint on a SEQUENCE only requires some components to be present, and they are. Most constraints that
/// are checked here are of this kind, and most values satisfy them. The tags suffice to determine this, without decoding a
/// value.
// Recursion follows the constraints in the schema, not the input.
fn has_components(types: Types<'_>, fields: &'static Fields, octets: &[u8], constraint: &'static Constraint) -> bool {
    let tables = Tables { schema: types.schema, registered: types.registered };
    let has = |name: &str| {
        let mut inside = Inside::components(fields, false);
        component(&mut Lenient::new(octets), tables, &mut inside, 0, octets.len(), name).is_some()
    };
    match constraint {
        Constraint::AnyOf(list) => list.iter().any(|one| has_components(types, fields, octets, one)),
        Constraint::AllOf(list) => list.iter().all(|one| has_components(types, fields, octets, one)),
        Constraint::WithComponents { components, partial: true } => components
            .iter()
            .all(|listed| listed.present == Some(true) && listed.constraints.is_empty() && has(&listed.name)),
        _ => false,
    }
}
