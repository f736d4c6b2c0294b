//! Components that have their DEFAULT value, which DER leaves out (X.690 §11.5).

use alloc::vec::Vec;

use crate::engine::canonical::walk::{Done, Walk};
use crate::fault::Fault;
use crate::kind::Kind;
use crate::reader::Reader;
use crate::table::{DefaultValue, Field};
use crate::writer::{Writer, element_len};

/// Default values are what a schema says in a line or two.
const LONGEST: usize = 1 << 16;

impl Walk<'_, '_, '_> {
    /// Whether an element that is done is the default value of its component.
    pub(super) fn is_default(&mut self, done: &Done<'_>, field: &Field, default: &DefaultValue) -> Result<bool, Fault> {
        let internal = |kind: Kind| Fault::new(kind, done.at);
        let tagged;
        let mut expected = default_der(default, &mut self.scratch).map_err(internal)?;
        if !field.tagging.is_empty() {
            tagged = under_tags(field, expected).map_err(internal)?;
            expected = &tagged;
        }
        if expected.len() as u64 != done.len {
            return Ok(false);
        }
        if !done.changed {
            return Ok(self.input.get(done.at..done.end) == Some(expected));
        }
        let mut written = Vec::with_capacity(expected.len());
        let nodes = done.node..self.tape.nodes.len();
        self.tape.write(nodes, self.input, &mut written, None).map_err(internal)?;
        Ok(written == expected)
    }
}

/// A default value without the tags of its component.
fn default_der<'b>(default: &'b DefaultValue, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Kind> {
    let write = match default {
        DefaultValue::Der(octets) => return Ok(octets),
        DefaultValue::Write(write) => write,
    };
    let free = loop {
        let mut writer = Writer::new(buffer);
        match write(&mut writer).map_err(|error| error.kind()) {
            Ok(()) => break writer.free(),
            Err(Kind::BufferTooSmall) if buffer.len() < LONGEST => {
                let longer = buffer.len().max(16) * 4;
                buffer.resize(longer, 0);
            }
            Err(kind) => return Err(kind),
        }
    };
    Ok(buffer.get(free..).unwrap_or_default())
}

/// A value under the tags of its component.
fn under_tags(field: &Field, der: &[u8]) -> Result<Vec<u8>, Kind> {
    let mut octets = der.to_vec();
    for tagging in field.tagging.iter().rev() {
        let mut tag = tagging.tag.constructed();
        let mut content = octets.as_slice();
        if !tagging.explicit {
            // The tag stands in the place of the one that is there.
            let mut reader = Reader::new(content).map_err(|fault| fault.kind())?;
            let (inner, len) = reader.header().map_err(|fault| fault.kind())?;
            tag = tagging.tag.formed_like(inner);
            content = reader.take(len).map_err(|fault| fault.kind())?;
        }
        let mut outer = alloc::vec![0; element_len(tag, content.len())];
        let written = Writer::new(&mut outer).element(tag, |writer| writer.bytes(content));
        written.map_err(|error| error.kind())?;
        octets = outer;
    }
    Ok(octets)
}
