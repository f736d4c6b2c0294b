//! Agreement before speed: what each library says of each certificate is compared, and differences are reported.

use crate::parsed::Facts;
use crate::peer::{Input, Peer};
use serde::{Deserialize, Serialize};

/// What one library said of one set, held against the majority.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Agreement {
    /// The set.
    pub input: String,
    /// The library.
    pub library: String,
    /// The fields that it offers.
    pub offers: Vec<String>,
    /// How many certificates it read.
    pub read: usize,
    /// How many there are.
    pub items: usize,
    /// Differences from what most libraries say, field by field: how many, and the first certificates' numbers.
    pub differs: Vec<Difference>,
}

/// One field that a library gives otherwise than most.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Difference {
    /// The field.
    pub field: String,
    /// On how many certificates.
    pub count: usize,
    /// The first of them, counted from 0, with both values.
    pub example: String,
}

/// The fields of one certificate by name, as text that compares and prints.
type Row = [(&'static str, Option<String>); 11];

/// The facts in that form.
fn fields(facts: &Facts) -> Row {
    let hex = |octets: &Option<Vec<u8>>| octets.as_ref().map(|octets| short(octets));
    let debug = |text: Option<String>| text;
    [
        ("serial", hex(&facts.serial)),
        ("issuer", hex(&facts.issuer)),
        ("subject", hex(&facts.subject)),
        ("notBefore", debug(facts.not_before.map(|time| time.to_string()))),
        ("notAfter", debug(facts.not_after.map(|time| time.to_string()))),
        ("algorithm", facts.algorithm.clone()),
        ("key algorithm", facts.key_algorithm.clone()),
        ("key", hex(&facts.key)),
        ("signature", hex(&facts.signature)),
        ("extensions", facts.extensions.map(|found| format!("{found:?}"))),
        ("cA", facts.ca.map(|ca| format!("{ca:?}"))),
    ]
}

/// Octets as hex, the long ones by length, both ends and a sum, so that a set of 70 MB compares in little memory.
fn short(octets: &[u8]) -> String {
    let hex = |part: &[u8]| part.iter().map(|octet| format!("{octet:02x}")).collect::<String>();
    match octets {
        [] => "(none)".to_owned(),
        _ if octets.len() <= 24 => hex(octets),
        _ => {
            // FNV-1a: enough to tell two honest results apart.
            let sum = octets.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, octet| {
                (sum ^ u64::from(*octet)).wrapping_mul(0x0100_0000_01b3)
            });
            format!(
                "{}…{} ({} octets, {sum:016x})",
                hex(&octets[..6]),
                hex(&octets[octets.len() - 6..]),
                octets.len()
            )
        }
    }
}

/// Compares every library that reads fields on every item of `input`.
#[must_use]
pub fn compare(peers: &[Box<dyn Peer>], input: &Input) -> Vec<Agreement> {
    let probe = input.items.first().copied().unwrap_or_default();
    let able: Vec<&dyn Peer> = peers.iter().map(Box::as_ref).filter(|peer| peer.compares()).collect();
    let mut results: Vec<Agreement> = able
        .iter()
        .map(|peer| Agreement {
            input: input.name.clone(),
            library: peer.name().to_owned(),
            offers: peer
                .facts(probe)
                .map(|facts| {
                    let offered = fields(&facts).into_iter().filter(|(_, value)| value.is_some());
                    offered.map(|(name, _)| name.to_owned()).collect()
                })
                .unwrap_or_default(),
            read: 0,
            items: input.items.len(),
            differs: Vec::new(),
        })
        .collect();
    for (number, der) in input.items.iter().enumerate() {
        let given: Vec<Option<Facts>> = able.iter().map(|peer| peer.facts(der)).collect();
        let rows: Vec<Option<Row>> = given.iter().map(|facts| facts.as_ref().map(fields)).collect();
        for (result, row) in results.iter_mut().zip(&rows) {
            let Some(row) = row else { continue };
            result.read += 1;
            for (at, (name, value)) in row.iter().enumerate() {
                let Some(value) = value else { continue };
                let expected = majority(rows.iter().flatten().filter_map(|row| row[at].1.as_deref()));
                if expected.is_some_and(|expected| expected != value) {
                    note(result, name, number, value, expected.unwrap_or_default());
                }
            }
        }
    }
    results
}

fn note(result: &mut Agreement, field: &str, number: usize, own: &str, expected: &str) {
    if let Some(known) = result.differs.iter_mut().find(|difference| difference.field == field) {
        known.count += 1;
        return;
    }
    result.differs.push(Difference {
        field: field.to_owned(),
        count: 1,
        example: format!("certificate {number}: {own}, most say {expected}"),
    });
}

/// The value that most give; the earliest of those that are given equally often.
fn majority<'v>(values: impl Iterator<Item = &'v str>) -> Option<&'v str> {
    let mut seen: Vec<(&str, usize)> = Vec::new();
    for value in values {
        match seen.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => seen.push((value, 1)),
        }
    }
    let most = seen.iter().map(|(_, count)| *count).max()?;
    seen.into_iter()
        .find(|(_, count)| *count == most)
        .map(|(value, _)| value)
}
