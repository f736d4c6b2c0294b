//! Decodes the components of a SEQUENCE or SET into memory, with the steps of [`fields`](super::super::fields).

use alloc::vec::Vec;

use super::super::decode::{is_default, starts, with_default};
use super::super::fields::{additions as extent_of, is_addition};
use super::super::open::Ahead;
use super::Target;
use super::decode::{At, Subject, field, stopped};
use super::keys::{Found, Frame};
use crate::__private::SetOrder;
use crate::any::Any;
use crate::decode::Decode;
use crate::fault::Fault;
use crate::kind::Kind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Field, Fields, Presence};

/// The components of a SEQUENCE or SET that are being read.
struct Among<'x, 'a, T: Target<'a>> {
    at: At<'x, 'a>,
    fields: &'a Fields,
    content: &'a [u8],
    /// The position of the content.
    origin: usize,
    starts: Vec<Option<usize>>,
    found: Found<'a>,
    place: T::Place,
}

impl<'a, T: Target<'a>> Among<'_, 'a, T> {
    /// Reads a component that is there.
    fn read(
        &mut self,
        index: usize,
        next: &'a Field,
        ahead: Option<&Ahead<'_>>,
        reader: &mut Reader<'a, '_>,
        out: &mut T,
    ) -> Result<(), Fault> {
        let position = reader.position();
        let place = stopped(out.part(self.place, index), reader)?;
        let read = {
            let frame = Frame {
                fields: self.fields,
                content: self.content,
                starts: &self.starts,
                found: &self.found,
                current: index,
                ahead,
                session: reader.session(),
                outer: self.at.frame,
            };
            field(At { frame: Some(&frame), ..self.at }, next, reader, out, place)?
        };
        // X.690 §11.5. A component with its DEFAULT value is absent even if it was encoded.
        if matches!(next.presence, Presence::Default(_)) {
            let value = self.at.value(read, Subject::Field(next), reader, position)?;
            if is_default(self.at.types, next, &value) {
                reader.deviate(&Rule::DEFAULT_ENCODED, Kind::DefaultEncoded, position)?;
                self.absent(index, next, out);
                return Ok(());
            }
        }
        if self.at.selectors
            && let Some(start) = self.starts.get_mut(index)
        {
            *start = Some(position.wrapping_sub(self.origin));
        }
        Ok(())
    }

    fn absent(&self, index: usize, next: &'a Field, out: &mut T) {
        let place = self.place;
        let done = with_default(self.at.types, next, |default| out.absent(place, index, Some(default)));
        if done.is_none() {
            out.absent(place, index, None);
        }
    }

    fn starts(&self, next: &'a Field, reader: &Reader<'_, '_>) -> bool {
        starts(self.at.types, next, reader)
    }

    fn component(
        &mut self,
        index: usize,
        next: &'a Field,
        reader: &mut Reader<'a, '_>,
        out: &mut T,
    ) -> Result<(), Fault> {
        if matches!(next.presence, Presence::Required) || self.starts(next, reader) {
            return self.read(index, next, None, reader, out);
        }
        self.absent(index, next, out);
        Ok(())
    }

    /// A group is there if any of its components is; then those that are required must be there. Returns their number.
    fn group(&mut self, index: usize, reader: &mut Reader<'a, '_>, out: &mut T) -> Result<usize, Fault> {
        let rest = self.fields.list.get(index..).unwrap_or_default();
        let number = rest.first().and_then(|first| first.group);
        let end = extent_of(self.fields).map_or(0, |extent| extent.end.saturating_sub(index));
        let len = rest.iter().take(end).take_while(|member| member.group == number).count();
        let members = rest.get(..len).unwrap_or_default();
        let there = members.iter().any(|member| self.starts(member, reader));
        for (member, index) in members.iter().zip(index..) {
            if there {
                self.component(index, member, reader, out)?;
            } else {
                self.absent(index, member, out);
            }
        }
        // A group has a component: the one that it was found by.
        Ok(len.max(1))
    }

    /// Unknown elements end where the SEQUENCE ends or a component after the second marker comes.
    fn unknown(
        &self,
        known: &'a [Field],
        roots: &'a [Field],
        reader: &mut Reader<'a, '_>,
        out: &mut T,
    ) -> Result<(), Fault> {
        // Up to the first one that must be there.
        let last = roots.iter().position(|root| matches!(root.presence, Presence::Required)).map(|last| last + 1);
        let next = roots.get(..last.unwrap_or(roots.len())).unwrap_or_default();
        let mut additions: Vec<&'a [u8]> = Vec::new();
        while !reader.is_empty() {
            if known.iter().any(|member| self.starts(member, reader)) {
                return Err(reader.fault(Kind::UnexpectedTag, reader.position()));
            }
            if next.iter().any(|member| self.starts(member, reader)) {
                break;
            }
            additions.push(Any::decode(reader)?.as_bytes());
        }
        if !additions.is_empty() {
            out.additions(self.place, &additions);
        }
        Ok(())
    }
}

fn among<'x, 'a, T: Target<'a>>(
    at: At<'x, 'a>,
    fields: &'a Fields,
    reader: &Reader<'a, '_>,
    place: T::Place,
) -> Among<'x, 'a, T> {
    let starts = if at.selectors { alloc::vec![None; fields.list.len()] } else { Vec::new() };
    let (content, origin) = (reader.rest(), reader.position());
    Among { at, fields, content, origin, starts, found: Found::default(), place }
}

/// Reads the components of a SEQUENCE whose content has `len` bytes.
pub(super) fn sequence<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    fields: &'a Fields,
    (reader, len): (&mut Reader<'a, '_>, usize),
    out: &mut T,
    place: T::Place,
) -> Result<(), Fault> {
    let outer = reader.enter(len)?;
    let extent = extent_of(fields);
    let mut among = among::<T>(at, fields, reader, place);
    let mut index = 0;
    loop {
        // What is unknown comes after the additions that are known.
        if let Some(extent) = extent.filter(|extent| extent.end == index) {
            let known = fields.list.get(extent.start..extent.end).unwrap_or_default();
            among.unknown(known, fields.list.get(extent.end..).unwrap_or_default(), reader, out)?;
        }
        match fields.list.get(index) {
            None => break,
            Some(next) if next.group.is_some() && is_addition(extent, index) => {
                index += among.group(index, reader, out)?;
            }
            Some(next) => {
                among.component(index, next, reader, out)?;
                index += 1;
            }
        }
    }
    // A marker at the end takes all that is left.
    if extent.is_some_and(|extent| extent.end == fields.list.len()) {
        reader.leave(outer)
    } else {
        reader.leave_components(outer)
    }
}

/// Reads the components of a SET whose content has `len` bytes.
pub(super) fn set<'a, T: Target<'a>>(
    at: At<'_, 'a>,
    fields: &'a Fields,
    (reader, len): (&mut Reader<'a, '_>, usize),
    out: &mut T,
    place: T::Place,
) -> Result<(), Fault> {
    let outer = reader.enter(len)?;
    let ahead = Ahead::new(reader);
    let mut among = among::<T>(at, fields, reader, place);
    // What was read, also if it has its DEFAULT value.
    let mut met = alloc::vec![false; fields.list.len()];
    let mut additions: Vec<&'a [u8]> = Vec::new();
    let mut order = SetOrder::new();
    while !reader.is_empty() {
        order.next(reader)?;
        let found = fields.list.iter().enumerate().find(|(_, next)| among.starts(next, reader));
        let Some((index, next)) = found else {
            if fields.marker.is_some() {
                reader.spend_elements(1)?;
                additions.push(Any::decode(reader)?.as_bytes());
            } else {
                reader.extra_component()?;
            }
            continue;
        };
        match met.get_mut(index) {
            Some(met) if !*met => *met = true,
            // Another alternative of a CHOICE has another tag, and so may come in order.
            _ => return Err(reader.fault(Kind::SetDuplicate, reader.position())),
        }
        among.read(index, next, Some(&ahead), reader, out)?;
    }
    if !additions.is_empty() {
        out.additions(place, &additions);
    }
    // The members of an addition group come together, but sender and receiver may know different versions.
    let extent = extent_of(fields);
    for (index, (next, met)) in fields.list.iter().zip(&met).enumerate() {
        if !met {
            if matches!(next.presence, Presence::Required) && !is_addition(extent, index) {
                return Err(reader.fault(Kind::Missing, reader.position()));
            }
            among.absent(index, next, out);
        }
    }
    reader.leave(outer)
}
