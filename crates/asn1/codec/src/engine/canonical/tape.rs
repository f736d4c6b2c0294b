//! The recorded output of a conversion, written once all lengths are known.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use crate::engine::canonical::header::Header;
use crate::engine::canonical::map::{Run, push, source};
use crate::kind::Kind;
use crate::tag::Tag;
use crate::writer::Writer;

/// A part of the output.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// Bytes of the input as they stand.
    Copy { start: u32, len: u32 },
    /// `count` times `len` bytes of the input, with two bytes between each that are left out: short segments of bytes. Only
    /// DER has them, and only under an OCTET STRING, whose bytes nothing changes.
    Strided { start: u32, len: u32, count: u32 },
    /// Bytes that were made, in place of `span` bytes of the input at `source`.
    Made { at: u32, len: u32, source: u32, span: u32 },
    /// Identifier and length of an element that stood at `source`, where they took `span` bytes.
    Header { tag: Tag, len: u32, source: u32, span: u8 },
    /// The same with an indefinite length.
    Indefinite { tag: Tag, source: u32, span: u8 },
    /// The end of what has an indefinite length, which ended at `source`.
    End { source: u32 },
    /// The elements that come next, until the matching [`Node::Sort`], will be put in order.
    Unsorted,
    /// All elements since the matching [`Node::Unsorted`] are there.
    Sort(Order),
    /// The same, where they stay as they are, of a SET or SET OF that stood at `source`: whether they are in order is seen now.
    Look { source: u32 },
}

/// The order of elements in a SET or SET OF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// By tag (X.690 §10.3).
    Tags,
    /// By encoding (X.690 §11.6).
    Encodings,
    /// By tags that are on the tape under this number (X.690 §9.3).
    Ranks(u32),
}

/// Origin of the bytes of an output.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) runs: Vec<Run>,
    /// Offsets of elements of a SET OF that came too late.
    pub(crate) late: Vec<usize>,
    /// Offsets of SETs whose elements turned out to be in the order of their encodings.
    pub(crate) ordered: Vec<usize>,
}

/// The parts, and the new bytes.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    pub(crate) nodes: Vec<Node>,
    pub(crate) made: Vec<u8>,
    /// Tags by which elements of SETs are sorted, if they differ from the elements' own.
    pub(crate) ranks: Vec<Vec<Tag>>,
}

impl Tape {
    pub(crate) fn copy(&mut self, range: Range<usize>) {
        // Inputs are at most u32::MAX octets.
        let (from, size) = (range.start as u32, range.len() as u32);
        if let Some(Node::Copy { start, len }) = self.nodes.last_mut()
            && *start + *len == from
        {
            *len += size;
            return;
        }
        self.nodes.push(Node::Copy { start: from, len: size });
    }

    /// Bytes behind a header of two bytes that is left out.
    pub(crate) fn strided(&mut self, from: u32, size: u32) {
        match self.nodes.last_mut() {
            Some(Node::Strided { start, len, count }) if *len == size && from == *start + *count * (*len + 2) => {
                *count += 1;
            }
            _ => self.nodes.push(Node::Strided { start: from, len: size, count: 1 }),
        }
    }

    /// Keeps only this many bytes of what is there from a node on.
    pub(crate) fn keep(&mut self, first: usize, len: usize) {
        let mut left = len as u32;
        for node in self.nodes.iter_mut().skip(first) {
            if let Node::Copy { len, .. } | Node::Made { len, .. } = node {
                *len = left.min(*len);
                left -= *len;
            }
        }
    }

    /// An order by these tags.
    pub(crate) fn rank(&mut self, tags: Vec<Tag>) -> Order {
        self.ranks.push(tags);
        Order::Ranks(self.ranks.len() as u32 - 1)
    }

    /// A part of the tape as it will be written.
    pub(crate) fn rendered(&self, nodes: Range<usize>, input: &[u8]) -> Result<Vec<u8>, Kind> {
        let mut octets = Vec::new();
        self.write(nodes, input, &mut octets, None)?;
        Ok(octets)
    }

    pub(crate) fn make(&mut self, octets: &[u8], source: Range<usize>) {
        let at = self.made.len() as u32;
        self.made.extend_from_slice(octets);
        let span = source.len() as u32;
        self.nodes.push(Node::Made { at, len: octets.len() as u32, source: source.start as u32, span });
    }

    pub(crate) fn made(&self, at: u32, len: u32) -> &[u8] {
        self.made.get(at as usize..).and_then(|octets| octets.get(..len as usize)).unwrap_or_default()
    }

    /// Writes a part of the tape, and where each byte comes from.
    pub(crate) fn write(
        &self,
        nodes: Range<usize>,
        input: &[u8],
        output: &mut Vec<u8>,
        mut trace: Option<&mut Trace>,
    ) -> Result<(), Kind> {
        let mut unsorted = Vec::new();
        for node in self.nodes.get(nodes).unwrap_or_default() {
            let start = output.len() as u32;
            let run = match *node {
                Node::Copy { start: from, len } => {
                    let octets = input.get(from as usize..).and_then(|rest| rest.get(..len as usize));
                    output.extend_from_slice(octets.ok_or(Kind::Internal)?);
                    Run { output: start, input: from, span: len }
                }
                Node::Strided { start: from, len, count } => {
                    strided(input, (from, len, count), output, trace.as_deref_mut())?;
                    continue;
                }
                Node::Made { at, len, source, span } => {
                    output.extend_from_slice(self.made(at, len));
                    // Made octets are not linear: they all come from the same place.
                    Run { output: start, input: source, span: span.min(1) }
                }
                Node::Header { tag, len, source, span } => {
                    header(output, tag, len as usize)?;
                    Run { output: start, input: source, span: u32::from(span).min(output.len() as u32 - start) }
                }
                Node::Indefinite { tag, source, span } => {
                    identifier(output, tag)?;
                    output.push(0x80);
                    Run { output: start, input: source, span: u32::from(span).min(output.len() as u32 - start) }
                }
                Node::End { source } => {
                    output.extend_from_slice(&[0, 0]);
                    Run { output: start, input: source, span: 1 }
                }
                Node::Unsorted => {
                    unsorted.push(output.len());
                    continue;
                }
                Node::Sort(order) => {
                    let from = unsorted.pop().ok_or(Kind::Internal)?;
                    let ranks = match order {
                        Order::Ranks(index) => self.ranks.get(index as usize).map(Vec::as_slice),
                        Order::Tags | Order::Encodings => None,
                    };
                    sort(output, from, order, ranks, trace.as_deref_mut())?;
                    continue;
                }
                Node::Look { source } => {
                    let from = unsorted.pop().ok_or(Kind::Internal)?;
                    if let Some(trace) = trace.as_deref_mut() {
                        let content = output.get(from..).unwrap_or_default();
                        let parts = parts(content, None)?;
                        if late(&parts, |left, right| left.octets(content).cmp(right.octets(content))).is_none() {
                            trace.ordered.push(source as usize);
                        }
                    }
                    continue;
                }
            };
            if let Some(trace) = trace.as_deref_mut()
                && output.len() as u32 > start
            {
                push(&mut trace.runs, run);
            }
        }
        Ok(())
    }
}

/// Writes bytes between which two are left out each time: start, length and count of the parts.
fn strided(
    input: &[u8],
    (start, len, count): (u32, u32, u32),
    output: &mut Vec<u8>,
    trace: Option<&mut Trace>,
) -> Result<(), Kind> {
    let (from, size) = (start as usize, len as usize);
    // The parts were met in the input, and inputs are at most u32::MAX octets.
    let whole = (size + 2) * count as usize - 2;
    let octets = input.get(from..from + whole).ok_or(Kind::Internal)?;
    let first = output.len() as u32;
    for part in octets.chunks(size + 2) {
        output.extend_from_slice(part.get(..size).unwrap_or(part));
    }
    if let (Some(trace), true) = (trace, len > 0) {
        let run = |index: u32| Run { output: first + index * len, input: start + index * (len + 2), span: len };
        trace.runs.extend((0..count).map(run));
    }
    Ok(())
}

/// Writes identifier and definite length.
pub(crate) fn header(output: &mut Vec<u8>, tag: Tag, len: usize) -> Result<(), Kind> {
    if tag.is_low() && len < 0x80 {
        output.extend_from_slice(&[tag.first_octet(), len as u8]);
        return Ok(());
    }
    let mut buffer = [0; 16];
    let mut writer = Writer::new(&mut buffer);
    writer.header(tag, len).map_err(|error| error.kind())?;
    output.extend_from_slice(writer.written());
    Ok(())
}

/// Writes an identifier.
pub(crate) fn identifier(output: &mut Vec<u8>, tag: Tag) -> Result<(), Kind> {
    header(output, tag, 0)?;
    // The length.
    output.pop();
    Ok(())
}

/// One element of what is sorted: its tag, or the one it is sorted by, and where it lies in the output.
struct Part {
    tag: Tag,
    start: usize,
    end: usize,
}

impl Part {
    fn octets<'o>(&self, content: &'o [u8]) -> &'o [u8] {
        content.get(self.start..self.end).unwrap_or_default()
    }
}

/// The elements of some content, with the tags that they are sorted by.
fn parts(content: &[u8], ranks: Option<&[Tag]>) -> Result<Vec<Part>, Kind> {
    let mut parts = Vec::new();
    let mut start = 0;
    while start < content.len() {
        let header = Header::read(content, start, content.len(), None).map_err(|fault| fault.kind())?;
        let end = header.element_end(content, content.len()).map_err(|fault| fault.kind())?;
        let rank = ranks.and_then(|ranks| ranks.get(parts.len()));
        parts.push(Part { tag: *rank.unwrap_or(&header.tag), start, end });
        start = end;
    }
    Ok(parts)
}

/// Finds the first element that should precede the element before it.
fn late(parts: &[Part], compare: impl Fn(&Part, &Part) -> Ordering) -> Option<usize> {
    parts.windows(2).find_map(|pair| match pair {
        [left, right] if compare(left, right).is_gt() => Some(right.start),
        _ => None,
    })
}

/// Puts the elements from `from` on in order, and the runs with them.
fn sort(
    output: &mut Vec<u8>,
    from: usize,
    order: Order,
    ranks: Option<&[Tag]>,
    trace: Option<&mut Trace>,
) -> Result<(), Kind> {
    let content = output.get(from..).unwrap_or_default();
    let mut parts = parts(content, ranks)?;
    let compare = |left: &Part, right: &Part| match order {
        Order::Tags | Order::Ranks(_) => {
            left.tag.class().cmp(&right.tag.class()).then(left.tag.number().cmp(&right.tag.number()))
        }
        Order::Encodings => left.octets(content).cmp(right.octets(content)),
    };
    let Some(late) = late(&parts, compare) else { return Ok(()) };
    parts.sort_by(compare);
    let mut sorted = Vec::with_capacity(content.len());
    for part in &parts {
        sorted.extend_from_slice(part.octets(content));
    }
    if let Some(trace) = trace {
        if order == Order::Encodings {
            trace.late.extend(source(&trace.runs, (from + late) as u32));
        }
        permute(&mut trace.runs, from, &parts);
    }
    output.truncate(from);
    output.append(&mut sorted);
    Ok(())
}

/// Puts the runs of parts, which lie from `from` on, into the order of the parts.
fn permute(runs: &mut Vec<Run>, from: usize, parts: &[Part]) {
    let first = runs.partition_point(|run| (run.output as usize) < from);
    // The run before may reach into the parts.
    let before = first.checked_sub(1).and_then(|index| runs.get(index)).copied();
    let old: Vec<Run> = before.into_iter().chain(runs.get(first..).unwrap_or_default().iter().copied()).collect();
    runs.truncate(first);
    if let Some(last) = runs.last_mut() {
        last.span = last.span.min(from as u32 - last.output);
    }
    let mut place = from as u32;
    for part in parts {
        let (start, end) = ((from + part.start) as u32, (from + part.end) as u32);
        let mut index = old.partition_point(|run| run.output <= start).saturating_sub(1);
        let mut at = start;
        while let Some(run) = old.get(index).filter(|_| at < end) {
            let until = old.get(index + 1).map_or(end, |next| next.output).min(end);
            let ahead = at.saturating_sub(run.output).min(run.span.saturating_sub(1));
            let span = run.span.saturating_sub(ahead).min(until.saturating_sub(at)).max(1);
            push(runs, Run { output: place + (at - start), input: run.input + ahead, span });
            at = until;
            index += 1;
        }
        place += end - start;
    }
}
