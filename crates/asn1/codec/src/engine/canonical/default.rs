//! Components equal to their DEFAULT value, which DER omits (X.690 §11.5).

use alloc::vec::Vec;

use crate::engine::canonical::frame::Done;
use crate::engine::canonical::header::Header;
use crate::engine::canonical::resolve::component;
use crate::engine::canonical::segments::SEGMENT;
use crate::engine::canonical::tape::{header, identifier};
use crate::engine::canonical::walk::Walk;
use crate::engine::canonical::{Target, Task, convert};
use crate::engine::components::Expect;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::options::Options;
use crate::table::{DefaultValue, Field};
use crate::writer::Writer;

/// The maximum size of a default value, in bytes. Default values in real schemas are much smaller.
const LONGEST: usize = 1 << 16;

impl<'s> Walk<'s, '_, '_> {
    /// Returns whether a finished element is the default value of its component.
    pub(super) fn is_default(
        &mut self,
        done: &Done<'_>,
        field: &'s Field,
        default: &DefaultValue,
    ) -> Result<bool, Fault> {
        let internal = |kind: FaultKind| Fault::new(kind, done.at);
        let converted;
        let tagged;
        let mut expected = default_der(default, &mut self.scratch).map_err(internal)?;
        // A short primitive value is the same in CER.
        let same = matches!(expected, [first, ..] if first & 0x20 == 0) && expected.len() <= SEGMENT;
        if self.target == Target::Cer && !same {
            // A default value that holds values of its own component may be compared with itself on the way, and so on.
            let Some(defaults) = self.defaults.checked_sub(1) else { return Ok(false) };
            let expect = Expect { tags: &[], ..component(field, self.tables) };
            let task = Task { tables: self.tables, expect: Some(expect), target: Target::Cer, strict: false, defaults };
            converted = convert(&task, expected, &Options::der())?;
            expected = &converted.bytes;
        }
        if !field.tagging.is_empty() {
            tagged = under_tags(field, expected, self.target).map_err(internal)?;
            expected = &tagged;
        }
        if expected.len() as u64 != done.len {
            return Ok(false);
        }
        if !done.changed {
            return Ok(self.input.get(done.at..done.end) == Some(expected));
        }
        let nodes = done.node..self.tape.nodes.len();
        Ok(self.tape.rendered(nodes, self.input).map_err(internal)? == expected)
    }
}

/// A default value without the tags of its component.
fn default_der<'b>(default: &'b DefaultValue, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], FaultKind> {
    let write = match default {
        DefaultValue::Der(octets) => return Ok(octets),
        DefaultValue::Write(write) => write,
    };
    let free = loop {
        let mut writer = Writer::new(buffer);
        match write(&mut writer).map_err(|error| error.kind()) {
            Ok(()) => break writer.free(),
            Err(FaultKind::BufferTooSmall) if buffer.len() < LONGEST => {
                let longer = buffer.len().max(16) * 4;
                buffer.resize(longer, 0);
            }
            Err(kind) => return Err(kind),
        }
    };
    Ok(buffer.get(free..).unwrap_or_default())
}

/// A value under the tags of its component.
fn under_tags(field: &Field, value: &[u8], target: Target) -> Result<Vec<u8>, FaultKind> {
    let mut octets = value.to_vec();
    for tagging in field.tagging.iter().rev() {
        let mut outer = Vec::with_capacity(octets.len() + 16);
        if !tagging.explicit {
            // The tag stands in the place of the one that is there.
            let inner = Header::read(&octets, 0, octets.len(), None).map_err(|fault| fault.kind())?;
            identifier(&mut outer, tagging.tag.formed_like(inner.tag))?;
            outer.extend_from_slice(octets.get(inner.length_at()..).unwrap_or_default());
        } else if target == Target::Der {
            header(&mut outer, tagging.tag.constructed(), octets.len())?;
            outer.append(&mut octets);
        } else {
            identifier(&mut outer, tagging.tag.constructed())?;
            outer.push(0x80);
            outer.append(&mut octets);
            outer.extend_from_slice(&[0, 0]);
        }
        octets = outer;
    }
    Ok(octets)
}
