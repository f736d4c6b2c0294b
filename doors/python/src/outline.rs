//! The elements of an encoding of unknown type: an index, from which Python creates objects on access.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::codec::Tag;
use tagwise::codec::stream::{Event, Events};

use crate::{errors, input, stream};

/// An element in 32 bytes, so that the memory used for many small elements is proportional to the size of the encoding.
struct Node {
    tag: Tag,
    offset: u32,
    end: u32,
    /// The index of the element after this one and its content.
    next: u32,
    /// The number of preceding elements in the enclosing element.
    place: u32,
    header: u8,
    indefinite: bool,
}

/// The elements of an encoding, outermost first and in order. If the encoding is damaged, it contains only the elements before the
/// damage.
#[pyclass(frozen, module = "tagwise._native")]
pub(crate) struct Outline {
    nodes: Vec<Node>,
    /// The error that ended a partial reading.
    error: Option<Py<PyAny>>,
}

/// A header: offset, tag, lengths of tag, length and content, and the form of the length.
type Header = (u32, (u8, u32, bool), usize, usize, u32, bool);

impl Outline {
    fn node(&self, number: usize) -> PyResult<&Node> {
        self.nodes.get(number).ok_or_else(|| PyIndexError::new_err("the index is out of range"))
    }
}

#[pymethods]
impl Outline {
    /// Reads the elements of one value. If `partial` is true, damage ends the reading and is stored as `error`.
    #[new]
    #[pyo3(signature = (data, rules, partial = false))]
    fn new(py: Python<'_>, data: &Bound<'_, PyBytes>, rules: &str, partial: bool) -> PyResult<Self> {
        let octets = data.as_bytes();
        let total = u32::try_from(octets.len())
            .ok()
            .ok_or_else(|| errors::argument("an encoding of 4 GiB or more must be read with Type.events"))?;
        let mut nodes: Vec<Node> = Vec::new();
        // The elements that are open, and the number of those in each.
        let mut open: Vec<(usize, u32)> = Vec::new();
        let mut events = Events::with(octets, stream::settings(stream::rules(rules)?)?);
        let error = loop {
            match events.next() {
                Ok(None) => break None,
                Ok(Some(Event::Start(start))) => {
                    let place = match open.last_mut() {
                        Some((_, count)) => {
                            *count = count.saturating_add(1);
                            count.saturating_sub(1)
                        }
                        None => 0,
                    };
                    open.push((nodes.len(), 0));
                    nodes.push(Node {
                        tag: start.tag,
                        offset: start.offset as u32,
                        end: total,
                        next: 0,
                        place,
                        header: start.header_len,
                        indefinite: start.len.is_none(),
                    });
                }
                Ok(Some(Event::Chunk(_))) => {}
                Ok(Some(Event::End(end))) => {
                    let after = nodes.len() as u32;
                    if let Some(node) = open.pop().and_then(|(number, _)| nodes.get_mut(number)) {
                        (node.end, node.next) = (end.end as u32, after);
                    }
                }
                Err(error) if partial => break Some(errors::streaming(py, &error).into_value(py).into_any()),
                Err(error) => return Err(errors::streaming(py, &error)),
            }
        };
        let after = nodes.len() as u32;
        for (number, _) in open {
            if let Some(node) = nodes.get_mut(number) {
                node.next = after;
            }
        }
        nodes.shrink_to_fit();
        Ok(Self { nodes, error })
    }

    fn __len__(&self) -> usize {
        self.nodes.len()
    }

    /// The error that ended a partial reading.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.error.as_ref().map(|error| error.bind(py).clone())
    }

    /// Returns the header of an element.
    fn header(&self, number: usize) -> PyResult<Header> {
        let node = self.node(number)?;
        let tag_len = node.tag.encoded_len();
        let trailer = if node.indefinite { 2 } else { 0 };
        let len = node.end.saturating_sub(node.offset).saturating_sub(u32::from(node.header)).saturating_sub(trailer);
        let tag = (node.tag.class() as u8, node.tag.number(), node.tag.is_constructed());
        Ok((node.offset, tag, tag_len, usize::from(node.header).saturating_sub(tag_len), len, node.indefinite))
    }

    /// Returns the end offset of an element.
    fn end(&self, number: usize) -> PyResult<u32> {
        Ok(self.node(number)?.end)
    }

    /// Returns the number of preceding elements in the enclosing element.
    fn place(&self, number: usize) -> PyResult<u32> {
        Ok(self.node(number)?.place)
    }

    /// Returns the indexes of the elements inside an element.
    fn children(&self, number: usize) -> PyResult<Vec<u32>> {
        let end = self.node(number)?.next;
        let mut next = (number as u32).saturating_add(1);
        let mut found = Vec::new();
        while next < end {
            found.push(next);
            next = self.node(next as usize)?.next.max(next.saturating_add(1));
        }
        Ok(found)
    }
}

/// Returns the length of the first element in BER data, including its header, or None if more bytes are needed to determine it.
#[pyfunction]
#[pyo3(signature = (data, offset = 0))]
fn first_length(py: Python<'_>, data: &Bound<'_, PyAny>, offset: usize) -> PyResult<Option<u64>> {
    let data = input::bytes(data)?;
    let octets = data.as_bytes().get(offset..).unwrap_or_default();
    if octets.is_empty() {
        return Ok(None);
    }
    let settings = stream::settings(stream::rules("BER")?)?.concatenated().order(0);
    let mut events = Events::with(octets, settings);
    let mut depth = 0_u32;
    loop {
        match events.next() {
            Ok(Some(Event::Start(start))) => {
                // The header is enough.
                if let (0, Some(len)) = (depth, start.len) {
                    return Ok(Some(len.saturating_add(start.header_len.into())));
                }
                depth = depth.saturating_add(1);
            }
            Ok(Some(Event::Chunk(_))) => {}
            Ok(Some(Event::End(end))) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Ok(Some(end.end));
                }
            }
            Ok(None) => return Ok(None),
            Err(error) if error.is_truncated() => return Ok(None),
            Err(error) => return Err(errors::streaming(py, &error)),
        }
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Outline>()?;
    module.add_function(wrap_pyfunction!(first_length, module)?)
}
