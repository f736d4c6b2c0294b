//! CSV with a column of PEM, base64 or hexadecimal certificates under any header, as in the Common CA Database.

use std::borrow::Cow;
use std::collections::BTreeSet;

use csv::{ByteRecord, ReaderBuilder};
use memchr::memmem;
use tagwise_codec::text::{base64, hex};

use super::der::{is_element, kind_of};
use super::{Found, Gather, Spot};

/// The minimum length of a cell that may contain a certificate. Every signed certificate is longer in any encoding.
const SHORT: usize = 100;

impl Gather<'_, '_> {
    /// Adds the certificates in all cells. Returns whether any cell contains a certificate, or should contain one.
    pub(super) fn csv(&mut self, text: &[u8], spot: Spot, depth: u8) -> bool {
        let before = self.contents.failures.len();
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let mut reader =
            ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter(text)).from_reader(text);
        let mut out = Vec::new();
        let mut found = Vec::new();
        // The columns that have had a certificate: there, what is none is a failure.
        let mut columns = BTreeSet::new();
        let mut record = ByteRecord::new();
        loop {
            match reader.read_byte_record(&mut record) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.fail(spot, "csv", error.to_string());
                    break;
                }
            }
            let (offset, line) = record.position().map_or((0, 1), |position| (position.byte(), position.line()));
            let here = Spot { offset: spot.offset.saturating_add(offset as u32), line: line as u32, ..spot };
            for (column, cell) in record.iter().enumerate() {
                let (before, failures) = (found.len(), self.contents.failures.len());
                let cell = cell.trim_ascii();
                if memmem::find(cell, b"-----BEGIN ").is_some() {
                    self.cell(cell, here, depth, &mut out, &mut found);
                } else if cell.len() >= SHORT {
                    decoded(cell, here, &mut out, &mut found);
                }
                if found.len() > before {
                    columns.insert(column);
                } else if columns.contains(&column) && !cell.is_empty() && self.contents.failures.len() == failures {
                    self.fail(here, "column", format!("missing certificate in column {}", column + 1));
                }
            }
        }
        let any = !found.is_empty();
        if any {
            self.keep(Cow::Owned(out), found);
        } else {
            self.contents.others += 1;
        }
        any || self.contents.failures.len() > before
    }

    /// Decodes PEM in a cell, with or without the apostrophes that spreadsheets use for text.
    fn cell(&mut self, cell: &[u8], here: Spot, depth: u8, out: &mut Vec<u8>, found: &mut Vec<Found>) {
        let cell = cell.strip_prefix(b"'").unwrap_or(cell);
        let cell = cell.strip_suffix(b"'").unwrap_or(cell);
        let first = found.len();
        self.blocks(cell.trim_ascii(), here, depth, out, found);
        // Where a cell's own lines are, quotation marks hide.
        found.iter_mut().skip(first).for_each(|found| found.spot = here);
    }
}

/// Keeps the certificate or CRL in a cell with base64 or hexadecimal. One element must fill the cell.
fn decoded(cell: &[u8], here: Spot, out: &mut Vec<u8>, found: &mut Vec<Found>) {
    let der = match cell {
        // 30 82 or 30 81.
        [b'3', b'0', b'8', ..] => hex::decode(cell),
        [b'M', b'A'..=b'P', ..] => base64::decode_wrapped(cell),
        _ => return,
    };
    let Ok(der) = der else { return };
    if let Some(kind) = kind_of(&der).filter(|_| is_element(&der)) {
        let start = out.len();
        out.extend_from_slice(&der);
        if out.len() <= u32::MAX as usize {
            found.push(Found { kind, start, len: der.len(), spot: here, settings: 0 });
        }
    }
}

/// Returns the most frequent delimiter of the first line, outside quotation marks.
fn delimiter(text: &[u8]) -> u8 {
    let mut counts = [(0usize, b','), (0, b';'), (0, b'\t')];
    let mut quoted = false;
    for octet in text.iter().take_while(|octet| **octet != b'\n') {
        if *octet == b'"' {
            quoted = !quoted;
        }
        counts.iter_mut().filter(|(_, delimiter)| !quoted && delimiter == octet).for_each(|(count, _)| *count += 1);
    }
    // The first of those that are equal: a comma.
    counts.into_iter().rev().max_by_key(|(count, _)| *count).map_or(b',', |(_, delimiter)| delimiter)
}
