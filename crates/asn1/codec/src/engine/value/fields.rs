//! Reads the components of a SEQUENCE or SET, in the same order and with the same checks as derived decoders.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::decode::{At, field, is_default, starts};
use super::open::{Ahead, Scope};
use super::{Components, Value};
use crate::__private::SetOrder;
use crate::any::Any;
use crate::decode::Decode;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::reader::Reader;
use crate::rule::Rule;
use crate::table::{Field, Fields, Presence};

/// Range of the extension additions.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) start: usize,
    pub(super) end: usize,
}

#[inline]
pub(super) fn additions(fields: &Fields) -> Option<Extent> {
    let marker = fields.marker?;
    Some(Extent { start: marker.start as usize, end: (marker.end as usize).min(fields.list.len()) })
}

struct Sequence<'x, 'a> {
    at: At<'x, 'a>,
    fields: &'a Fields,
    slots: Vec<Option<Value<'a>>>,
}

/// Reads the components of a SEQUENCE whose content has `len` bytes.
pub(super) fn sequence<'a>(
    at: At<'_, 'a>,
    fields: &'a Fields,
    reader: &mut Reader<'a, '_>,
    len: usize,
) -> Result<Components<'a>, Fault> {
    reader.spend_values(fields.list.len())?;
    let outer = reader.enter(len)?;
    let extent = additions(fields);
    let mut sequence = Sequence { at, fields, slots: Vec::with_capacity(fields.list.len()) };
    let mut unknown = Vec::new();
    loop {
        let index = sequence.slots.len();
        // What is unknown comes after the additions that are known.
        if let Some(extent) = extent.filter(|extent| extent.end == index) {
            sequence.unknown(extent, &mut unknown, reader)?;
        }
        match fields.list.get(index) {
            None => break,
            Some(next) if next.group.is_some() && is_addition(extent, index) => sequence.group(index, reader)?,
            Some(next) => sequence.component(next, reader)?,
        }
    }
    // A marker at the end takes all that is left.
    if extent.is_some_and(|extent| extent.end == fields.list.len()) {
        reader.leave(outer)?;
    } else {
        reader.leave_components(outer)?;
    }
    Ok(Components { fields, slots: sequence.slots, unknown, foreign: None })
}

#[inline]
pub(super) fn is_addition(extent: Option<Extent>, index: usize) -> bool {
    extent.is_some_and(|extent| (extent.start..extent.end).contains(&index))
}

impl<'a> Sequence<'_, 'a> {
    fn read(&self, next: &'a Field, reader: &mut Reader<'a, '_>) -> Result<Value<'a>, Fault> {
        let current = self.slots.len();
        let scope = Scope {
            fields: self.fields,
            slots: &self.slots,
            current,
            is_partial: true,
            ahead: None,
            outer: self.at.scope,
        };
        field(self.at.among(&scope), next, reader)
    }

    fn starts(&self, next: &'a Field, reader: &Reader<'_, '_>) -> bool {
        starts(self.at.types, next, reader)
    }

    fn component(&mut self, next: &'a Field, reader: &mut Reader<'a, '_>) -> Result<(), Fault> {
        let required = matches!(next.presence, Presence::Required);
        let slot = if required || self.starts(next, reader) {
            let position = reader.position();
            let value = self.read(next, reader)?;
            default_encoded(self.at, next, value, reader, position)?
        } else {
            None
        };
        self.slots.push(slot);
        Ok(())
    }

    /// Decodes an addition group. It is present if any of its components is, and its required components must then be present.
    fn group(&mut self, index: usize, reader: &mut Reader<'a, '_>) -> Result<(), Fault> {
        let rest = self.fields.list.get(index..).unwrap_or_default();
        let number = rest.first().and_then(|first| first.group);
        let end = additions(self.fields).map_or(0, |extent| extent.end.saturating_sub(index));
        let len = rest.iter().take(end).take_while(|member| member.group == number).count();
        let members = rest.get(..len).unwrap_or_default();
        let there = members.iter().any(|member| self.starts(member, reader));
        for member in members {
            if there {
                self.component(member, reader)?;
            } else {
                self.slots.push(None);
            }
        }
        Ok(())
    }

    /// Collects unknown elements, up to the end of the SEQUENCE or a component after the second extension marker.
    fn unknown(
        &self,
        extent: Extent,
        unknown: &mut Vec<Cow<'a, [u8]>>,
        reader: &mut Reader<'a, '_>,
    ) -> Result<(), Fault> {
        let known = self.fields.list.get(extent.start..extent.end).unwrap_or_default();
        let roots = self.fields.list.get(extent.end..).unwrap_or_default();
        // Up to the first one that must be there.
        let last = roots.iter().position(|root| matches!(root.presence, Presence::Required)).map(|last| last + 1);
        let next = roots.get(..last.unwrap_or(roots.len())).unwrap_or_default();
        while !reader.is_empty() {
            if known.iter().any(|member| self.starts(member, reader)) {
                return Err(reader.fault(FaultKind::UnexpectedTag, reader.position()));
            }
            if next.iter().any(|member| self.starts(member, reader)) {
                break;
            }
            unknown.push(Cow::Borrowed(Any::decode(reader)?.as_bytes()));
        }
        Ok(())
    }
}

/// Reports a component encoded with its DEFAULT value (X.690 §11.5). The decoded component is absent.
fn default_encoded<'a>(
    at: At<'_, 'a>,
    next: &'a Field,
    value: Value<'a>,
    reader: &Reader<'_, '_>,
    position: usize,
) -> Result<Option<Value<'a>>, Fault> {
    if is_default(at.types, next, &value) {
        reader.deviate(&Rule::DEFAULT_ENCODED, FaultKind::DefaultEncoded, position)?;
        return Ok(None);
    }
    Ok(Some(value))
}

/// Reads the components of a SET whose content has `len` bytes.
pub(super) fn set<'a>(
    at: At<'_, 'a>,
    fields: &'a Fields,
    reader: &mut Reader<'a, '_>,
    len: usize,
) -> Result<Components<'a>, Fault> {
    reader.spend_values(fields.list.len())?;
    let outer = reader.enter(len)?;
    let ahead = Ahead::new(reader);
    let mut slots: Vec<Option<Value<'a>>> = fields.list.iter().map(|_| None).collect();
    // What was read, also if it has its DEFAULT value.
    let mut met: Vec<bool> = fields.list.iter().map(|_| false).collect();
    let mut unknown = Vec::new();
    let mut order = SetOrder::new();
    while !reader.is_empty() {
        order.next(reader)?;
        let found = fields.list.iter().enumerate().find(|(_, next)| starts(at.types, next, reader));
        let Some((index, next)) = found else {
            if fields.marker.is_some() {
                reader.spend_elements(1)?;
                unknown.push(Cow::Borrowed(Any::decode(reader)?.as_bytes()));
            } else {
                reader.extra_component()?;
            }
            continue;
        };
        match met.get_mut(index) {
            Some(met) if !*met => *met = true,
            // Another alternative of a CHOICE has another tag, and so may come in order.
            _ => return Err(reader.fault(FaultKind::SetDuplicate, reader.position())),
        }
        let position = reader.position();
        let value = {
            let (ahead, outer) = (Some(&ahead), at.scope);
            let scope = Scope { fields, slots: &slots, current: index, is_partial: false, ahead, outer };
            field(at.among(&scope), next, reader)?
        };
        let value = default_encoded(at, next, value, reader, position)?;
        if let Some(slot) = slots.get_mut(index) {
            *slot = value;
        }
    }
    // The members of an addition group come together, but sender and receiver may know different versions.
    let extent = additions(fields);
    let lacking = |(index, (field, met)): (usize, (&Field, &bool))| {
        !met && matches!(field.presence, Presence::Required) && !is_addition(extent, index)
    };
    if fields.list.iter().zip(&met).enumerate().any(lacking) {
        return Err(reader.fault(FaultKind::Missing, reader.position()));
    }
    reader.leave(outer)?;
    Ok(Components { fields, slots, unknown, foreign: None })
}
