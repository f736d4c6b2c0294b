//! Open types whose selectors follow them: their values are stored when all selectors are known (X.682 §10.7).

use alloc::vec::Vec;

use super::super::Types;
use super::super::decode::{Expect, dangling};
use super::super::late::Selection;
use super::Target;
use super::decode::{At, element, stopped};
use crate::fault::Fault;
use crate::options::Session;
use crate::reader::Reader;
use crate::table::ObjectSet;

/// Memory, and the values that it stores last.
pub(super) struct Out<'t, 'a, T: Target<'a>> {
    pub(super) target: &'t mut T,
    pub(super) late: Vec<Late<'a, T::Place>>,
}

/// A value whose selector had not been read. Nothing is stored in its place yet.
pub(super) struct Late<'a, P> {
    pub(super) place: P,
    pub(super) set: &'a ObjectSet,
    pub(super) octets: &'a [u8],
    pub(super) offset: usize,
    /// The number of further levels allowed.
    pub(super) depth: u32,
}

/// Stores the values that came before their selectors, with the types that decoding the whole value has selected.
pub(super) fn store<'a, T: Target<'a>>(
    types: Types<'a>,
    selections: &[Selection],
    out: &mut Out<'_, 'a, T>,
    session: &Session<'_>,
) -> Result<(), Fault> {
    // A value that is stored may contain others.
    while let Some(Late { place, set, octets, offset, depth }) = out.late.pop() {
        let object = selections.iter().find(|one| one.offset == offset).and_then(|one| one.object);
        let Some(object) = object else {
            out.target.unknown(place, octets);
            continue;
        };
        let mut reader = Reader::with_session(octets, session)?.at_base(offset).at_depth(depth);
        let ty = set.objects.get(object).and_then(|object| types.get(&object.ty)).ok_or_else(|| dangling(&reader))?;
        let place = stopped(out.target.selected(place, set, object), &reader)?;
        element(At::new(types), Expect { ty, implicit: None, containing: None }, &mut reader, out, place)?;
        reader.finish()?;
    }
    Ok(())
}
