//! The base64 between boundaries.

use super::boundary::is_blank;
use super::{Block, Error};
use crate::kind::FaultKind;
use crate::rule::{Rule, RuleSet};
use crate::text::base64::{Group, Sink, decode_64, value};

/// The layout of the lines read so far.
#[derive(Debug)]
struct Layout {
    /// The start of the line.
    start: usize,
    /// Characters of base64 in the line, padding included.
    count: usize,
    /// The position of a line that does not have 64 characters. It is valid only as the last line.
    odd: Option<usize>,
    /// The start of the blanks after the line's last character.
    blanks: Option<usize>,
    /// The position of an empty line after base64. It is valid only if nothing but blanks follows.
    empty: Option<usize>,
    /// True once base64 was found.
    any: bool,
}

/// Decodes a block's base64 and returns the number of bytes.
pub(super) fn decode(block: &Block<'_>, out: &mut [u8]) -> Result<usize, Error> {
    let body = block.body();
    let mut sink = Sink::new(out);
    let mut group = Group::default();
    let mut noted = RuleSet::NONE;
    let base = block.body.0;
    let mut layout = Layout { start: 0, count: 0, odd: None, blanks: None, empty: None, any: false };
    let (mut at, mut last) = (0, 0);
    while let Some(octet) = body.get(at).copied() {
        if at == layout.start
            && group.is_fresh()
            && layout.odd.is_none()
            && layout.empty.is_none()
            && let Some(next) = full_lines(body, at, &mut sink)
        {
            layout = Layout { start: next, any: true, ..layout };
            (last, at) = (next, next);
            continue;
        }
        match octet {
            b'\n' | b'\r' => {
                at += 1 + usize::from(octet == b'\r' && body.get(at + 1) == Some(&b'\n'));
                end_of_line(block, &mut layout, &mut noted, group)?;
                layout = Layout { start: at, count: 0, blanks: None, ..layout };
                continue;
            }
            octet if is_blank(octet) => {
                if layout.count == 0 && layout.blanks.is_none() && !rest_of_line_is_blank(body, at) {
                    block.deviate(&Rule::PEM_WHITESPACE, FaultKind::PemLayout, base + at, &mut noted)?;
                }
                layout.blanks = layout.blanks.or(Some(at));
                at += 1;
                continue;
            }
            _ => {}
        }
        // RFC 7468 §3: only the last line may be shorter, and only in the lax grammar is base64 interrupted.
        if layout.count == 0 {
            layout.blanks = None;
            if let Some(odd) = layout.odd.take() {
                block.deviate(&Rule::PEM_LINE_LENGTH, FaultKind::PemLayout, base + odd, &mut noted)?;
            }
            if let Some(empty) = layout.empty.take() {
                block.deviate(&Rule::PEM_WHITESPACE, FaultKind::PemLayout, base + empty, &mut noted)?;
            }
        } else if let Some(blank) = layout.blanks.take() {
            block.deviate(&Rule::PEM_WHITESPACE, FaultKind::PemLayout, base + blank, &mut noted)?;
        }
        let value = value(octet);
        if value < 64 {
            if group.is_padded() {
                return Err(block.error(FaultKind::Base64Padding, base + at, None));
            }
            if group.push(value).is_some_and(|octets| !sink.put(&octets)) {
                return Err(block.error(FaultKind::BufferTooSmall, base + at, None));
            }
            last = at;
        } else if octet == b'=' {
            if !group.pad() {
                return Err(block.error(FaultKind::Base64Padding, base + at, None));
            }
        } else {
            block.deviate(&Rule::PEM_FOREIGN_OCTETS, FaultKind::Base64Character, base + at, &mut noted)?;
            at += 1;
            continue;
        }
        (layout.count, layout.any) = (layout.count + 1, true);
        at += 1;
    }
    if layout.count > 0 || layout.blanks.is_some() {
        end_of_line(block, &mut layout, &mut noted, group)?;
    }
    finish(block, group, last, at, &mut sink, &mut noted)?;
    Ok(sink.len())
}

/// Decodes consecutive lines of 64 characters. Returns the start of the next line if there was at least one such line.
#[inline]
fn full_lines(body: &[u8], mut at: usize, sink: &mut Sink<'_>) -> Option<usize> {
    let start = at;
    while let (Some((line, rest)), Some(slot)) = (body.get(at..)?.split_first_chunk::<64>(), sink.slot()) {
        let next = match rest {
            [b'\n', ..] => at + 65,
            [b'\r', b'\n', ..] => at + 66,
            _ => break,
        };
        if !decode_64(line, slot) {
            break;
        }
        sink.advance(48);
        at = next;
    }
    (at > start).then_some(at)
}

fn rest_of_line_is_blank(body: &[u8], at: usize) -> bool {
    let rest = body.get(at..).unwrap_or_default();
    rest.iter().find(|octet| !is_blank(**octet)).is_none_or(|octet| matches!(octet, b'\n' | b'\r'))
}

fn end_of_line(block: &Block<'_>, layout: &mut Layout, noted: &mut RuleSet, group: Group) -> Result<(), Error> {
    let base = block.body.0;
    if layout.count == 0 {
        // Empty lines before the base64 are `*eolWSP` of the grammar; one after it is the empty `base64finl`, unless padding ended it.
        if !layout.any || !group.is_padded() && layout.empty.is_none() {
            block.deviate(&Rule::PEM_TRAILING_SPACE, FaultKind::PemLayout, base + layout.start, noted)?;
        } else {
            block.deviate(&Rule::PEM_WHITESPACE, FaultKind::PemLayout, base + layout.start, noted)?;
        }
        if layout.any {
            layout.empty = layout.empty.or(Some(layout.start));
        }
        return Ok(());
    }
    if let Some(blank) = layout.blanks {
        block.deviate(&Rule::PEM_TRAILING_SPACE, FaultKind::PemLayout, base + blank, noted)?;
    }
    if layout.count > 64 {
        block.deviate(&Rule::PEM_LINE_LENGTH, FaultKind::PemLayout, base + layout.start, noted)?;
    } else if layout.count < 64 {
        layout.odd = layout.odd.or(Some(layout.start));
    }
    Ok(())
}

fn finish(
    block: &Block<'_>,
    group: Group,
    last: usize,
    at: usize,
    sink: &mut Sink<'_>,
    noted: &mut RuleSet,
) -> Result<(), Error> {
    let base = block.body.0;
    let end = group.end();
    if end.lone {
        return Err(block.error(FaultKind::Base64Length, base + at, None));
    }
    if end.unpadded {
        block.deviate(&Rule::PEM_MISSING_PADDING, FaultKind::Base64Length, base + at, noted)?;
    }
    if end.dirty {
        block.deviate(&Rule::PEM_UNUSED_BITS, FaultKind::Base64Bits, base + last, noted)?;
    }
    if sink.put(end.octets()) { Ok(()) } else { Err(block.error(FaultKind::BufferTooSmall, base + at, None)) }
}
