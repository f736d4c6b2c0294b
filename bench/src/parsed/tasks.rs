//! Rows that are made of a parse and accessors alone, the same code for every library.

use super::{Field, Parsed};
use crate::peer::{Clock, Input, Task, decode_each};
use std::borrow::Cow;
use std::collections::HashMap;
use std::hint::black_box;

/// One field of certificates that were parsed before the clock started.
pub fn access<'a, P: Parsed<'a> + 'a>(field: Field, input: &'a Input) -> Vec<Task<'a>> {
    // One arm a field, so that the choice is made once and not in the loop.
    match field {
        Field::Serial => each(input, P::ACCESS, |value: &P| value.serial().map(|serial| serial.len())),
        Field::Issuer => each(input, P::ACCESS, |value: &P| value.issuer().map(|name| name.len())),
        Field::Subject => each(input, P::ACCESS, |value: &P| value.subject().map(|name| name.len())),
        Field::IssuerText => each(input, P::ACCESS, |value: &P| value.issuer_text().map(kept)),
        Field::SubjectText => each(input, P::ACCESS, |value: &P| value.subject_text().map(kept)),
        Field::Validity => each(input, P::ACCESS, |value: &P| {
            Some((value.not_before()?, value.not_after()?))
        }),
        Field::Algorithm => each(input, P::ACCESS, |value: &P| value.algorithm().map(kept)),
        Field::KeyAlgorithm => each(input, P::ACCESS, |value: &P| value.key_algorithm().map(kept)),
        Field::Key => each(input, P::ACCESS, |value: &P| value.key().map(|key| key.len())),
        Field::Signature => each(input, P::ACCESS, |value: &P| {
            value.signature().map(|signature| signature.len())
        }),
        Field::Extensions => each(input, P::ACCESS, |value: &P| value.extensions()),
        Field::BasicConstraints => each(input, P::ACCESS, |value: &P| value.ca()),
    }
}

/// Fresh text is looked at before it is dropped.
fn kept(text: String) -> usize {
    black_box(&text).len()
}

fn each<'a, P: Parsed<'a> + 'a, T: 'a>(
    input: &'a Input,
    says: &'static str,
    get: impl Fn(&P) -> Option<T> + 'a,
) -> Vec<Task<'a>> {
    let values: Vec<P> = input.items.iter().filter_map(|item| P::parse(item)).collect();
    if !values.iter().any(|value| get(value).is_some()) {
        return Vec::new();
    }
    vec![Task::new(says, values.len(), move || {
        let mut given = 0;
        for value in &values {
            given += u64::from(black_box(get(black_box(value))).is_some());
        }
        given
    })]
}

/// Everything: parse and all accessors.
pub fn read<'a, P: Parsed<'a> + 'a>(says: &'static str, input: &'a Input) -> Vec<Task<'a>> {
    let offered = input.items.iter().any(|item| super::all_fields::<P>(item).is_some());
    if !offered {
        return Vec::new();
    }
    vec![decode_each(says, input, super::all_fields::<P>)]
}

/// Every field outside extensions but the algorithms, which a library may give in a form that is no text.
pub fn fields<'a, P: Parsed<'a> + 'a>(says: &'static str, input: &'a Input) -> Vec<Task<'a>> {
    let fields = |der: &'a [u8]| {
        let value = P::parse(der)?;
        Some((
            value.serial()?.len(),
            value.not_before()?,
            value.not_after()?,
            value.issuer_text()?,
            value.subject_text()?,
            value.key()?.len(),
            value.signature()?.len(),
        ))
    };
    if !input.items.iter().any(|item| fields(item).is_some()) {
        return Vec::new();
    }
    vec![decode_each(says, input, fields)]
}

/// Entries for a store: serial, names and key as the library gives them, both times as seconds.
pub fn index<'a, P: Parsed<'a> + 'a>(says: &'static str, input: &'a Input) -> Vec<Task<'a>> {
    vec![decode_each(says, input, |der| {
        let value = P::parse(der)?;
        black_box((value.serial(), value.issuer(), value.subject(), value.key()));
        Some((value.not_before()?, value.not_after()?))
    })]
}

/// The links from each certificate of a chain to the next: all parsed, names compared octet by octet.
pub fn chain<'a, P: Parsed<'a> + 'a>(says: &'static str, input: &'a Input) -> Vec<Task<'a>> {
    if !offers_names::<P>(input) {
        return Vec::new();
    }
    vec![Task::new(says, input.items.len(), move || {
        let parsed: Vec<P> = input
            .items
            .iter()
            .filter_map(|item| P::parse(black_box(item)))
            .collect();
        let links = parsed.windows(2).filter(|pair| pair[0].issuer() == pair[1].subject());
        // The last one's issuer is itself.
        let root = parsed.last().is_some_and(|last| last.issuer() == last.subject());
        links.count() as u64 + u64::from(root)
    })]
}

/// Parents by name for a whole store: parse all, subject → certificate by a hash map, then every depth.
pub fn tree<'a, P: Parsed<'a> + 'a>(says: &'static str, input: &'a Input) -> Vec<Task<'a>> {
    if !offers_names::<P>(input) {
        return Vec::new();
    }
    vec![Task::new(says, input.items.len(), move || {
        let parsed: Vec<P> = input
            .items
            .iter()
            .filter_map(|item| P::parse(black_box(item)))
            .collect();
        linked(&parsed)
    })]
}

/// How many certificates have a parent or are their own.
fn linked<'a, P: Parsed<'a>>(parsed: &[P]) -> u64 {
    let names: Vec<[Cow<'_, [u8]>; 2]> = parsed
        .iter()
        .filter_map(|value| Some([value.issuer()?, value.subject()?]))
        .collect();
    count_linked(&names)
}

/// The tree from pairs of issuer and subject: parent of each, and how far each is from its root.
#[must_use]
pub fn count_linked<N: AsRef<[u8]>>(names: &[[N; 2]]) -> u64 {
    const NONE: u32 = u32::MAX;
    let mut by_subject: HashMap<&[u8], u32> = HashMap::with_capacity(names.len());
    for (index, [_, subject]) in names.iter().enumerate() {
        by_subject.entry(subject.as_ref()).or_insert(index as u32);
    }
    let parents: Vec<u32> = names
        .iter()
        .map(|[issuer, _]| by_subject.get(issuer.as_ref()).copied().unwrap_or(NONE))
        .collect();
    // Depths from the roots down; names may go in a circle, so no walk is longer than the store.
    let mut depths = vec![NONE; names.len()];
    let mut path = Vec::new();
    for start in 0..names.len() {
        let mut at = start;
        path.clear();
        let base = loop {
            if depths[at] != NONE {
                break depths[at];
            }
            let parent = parents[at];
            if parent == NONE || parent as usize == at || path.len() > 64 {
                depths[at] = 0;
                break 0;
            }
            path.push(at);
            at = parent as usize;
        };
        for (above, index) in path.iter().rev().enumerate() {
            depths[*index] = base + 1 + above as u32;
        }
    }
    black_box(&depths);
    parents.iter().filter(|parent| **parent != NONE).count() as u64
}

fn offers_names<'a, P: Parsed<'a>>(input: &'a Input) -> bool {
    let offers = |item: &&'static [u8]| {
        P::parse(item).is_some_and(|value| value.issuer().is_some() && value.subject().is_some())
    };
    input.items.iter().any(offers)
}

/// The input divided among `count` threads, by the wall's clock.
pub fn threads<'a, T>(
    count: usize,
    says: &'static str,
    input: &'a Input,
    parse: impl Fn(&'a [u8]) -> Option<T> + Sync + 'a,
) -> Vec<Task<'a>> {
    let task = Task::new(says, input.items.len(), move || {
        let share = input.items.len().div_ceil(count).max(1);
        std::thread::scope(|scope| {
            let parse = &parse;
            let workers: Vec<_> = input
                .items
                .chunks(share)
                .map(|items| {
                    scope.spawn(move || {
                        let mut accepted = 0;
                        for item in items {
                            if let Some(value) = parse(black_box(item)) {
                                black_box(&value);
                                accepted += 1;
                            }
                        }
                        accepted
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap_or(0)).sum()
        })
    });
    vec![task.timed_by(Clock::Wall)]
}
