//! synta and synta-certificate: the closest peer, and the one that ratios refer to.
//!
//! The calls are those of its documentation's fast path: typed structs by derive, borrowed values, `format_dn`.

mod parsed;
mod prims;

use crate::parsed::{Facts, facts};
use crate::peer::{AllFields, Fields, Input, Peer, Task, decode_ahead, decode_each, encode_each};
use crate::rows::Op;
use ::synta::{Decoder, Element, Encode, Encoder, Encoding, GeneralizedTime, Integer, TagClass, ToDer};
use std::hint::black_box;
use synta_certificate::{
    BasicConstraints, Certificate, Extension, Time, Validity, decode_extensions, format_dn,
    identify_public_key_algorithm, identify_signature_algorithm,
};

/// The adapter.
pub(super) struct Synta;

const TYPED: &str = "Typed parse. Checks tags, lengths, BIT STRING padding, both times; decodes OIDs to arcs. Leaves: \
    names, the whole extension list, key; padded OIDs, calendar days, extra elements in a SEQUENCE, bytes after the \
    certificate";

const AHEAD: &str =
    "The same parse, the benchmark asking for the cache lines of the certificate three later before each";

impl Peer for Synta {
    fn name(&self) -> &'static str {
        "synta"
    }

    fn crates(&self) -> &'static [&'static str] {
        &["synta", "synta-certificate"]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        match op {
            Op::Outline => vec![
                decode_each(TYPED, input, typed),
                decode_ahead(AHEAD, input, typed).named("ahead"),
            ],
            Op::Strict => vec![decode_each(TYPED, input, typed)],
            Op::Index => vec![index(input), scan(input)],
            Op::Fields => vec![decode_each(
                "Typed parse, `format_dn` twice (comma-separated in encoded order, no RFC 4514 escaping), algorithms \
                 by `identify_…` as static names, times to seconds",
                input,
                fields,
            )],
            Op::AllFields => vec![decode_each(
                "The same with OIDs by `to_string`, and `decode_extensions` into a Vec",
                input,
                all_fields,
            )],
            Op::WalkLazy => vec![decode_each(
                "`Element` of the outermost SEQUENCE: its header only",
                input,
                element,
            )],
            Op::WalkEager => vec![decode_each(
                "`Element`s recursively; leaf types decoded and checked; inside OCTET STRINGs not entered",
                input,
                |der| element(der).and_then(|element| walk(&element)),
            )],
            Op::EncodeCert => vec![
                encode_each(
                    "`Certificate::to_der`; names and extensions written back from raw bytes",
                    input,
                    parse,
                    to_der,
                ),
                encode_each("The same into `Encoder::with_capacity`", input, parse, to_der_sized).named("sized"),
            ],
            Op::Recode => vec![decode_each("Typed parse, then `to_der`", input, |der| {
                to_der(&parse(der)?, der)
            })],
            Op::Header => vec![prims::header(input)],
            Op::Decode(prim) => prims::decode(prim, input),
            Op::Encode(prim) => prims::encode(prim, input),
            Op::RecodeElement => vec![decode_each(
                "`Element` decoded, which keeps children raw, then `to_der`",
                input,
                |der| element(der)?.to_der().ok(),
            )],
            op => super::derived::<Certificate<'a>>(op, input, TYPED),
        }
    }

    fn facts(&self, der: &[u8]) -> Option<Facts> {
        facts::<Certificate<'_>>(der)
    }

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        let mut sizes = vec![
            ("certificate", size_of::<Certificate<'_>>()),
            ("error", size_of::<synta::Error>()),
            ("INTEGER, general type", size_of::<Integer>()),
        ];
        sizes.extend(prims::sizes());
        sizes
    }

    fn all_fields(&self, der: &[u8]) -> Option<AllFields> {
        all_fields(der)
    }
}

fn typed(der: &[u8]) -> Result<Certificate<'_>, synta::Error> {
    Decoder::new(der, Encoding::Der).decode()
}

fn parse(der: &[u8]) -> Option<Certificate<'_>> {
    typed(der).ok()
}

fn to_der(certificate: &Certificate<'_>, _: &[u8]) -> Option<Vec<u8>> {
    certificate.to_der().ok()
}

fn to_der_sized(certificate: &Certificate<'_>, der: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = Encoder::with_capacity(Encoding::Der, der.len() + 16);
    certificate.encode(&mut encoder).ok()?;
    encoder.finish().ok()
}

/// What a typed parse can put into a store: synta keeps no span of the key or of the validity.
struct Entry<'a> {
    _serial: Integer,
    _issuer: &'a [u8],
    _subject: &'a [u8],
    _key: &'a [u8],
    _validity: Validity,
}

fn index(input: &Input) -> Task<'_> {
    let mut entries = Vec::with_capacity(input.items.len());
    Task::new(
        "Typed parse; serial copied, names borrowed, key bits borrowed, validity decoded",
        input.items.len(),
        move || {
            entries.clear();
            for der in &input.items {
                let Some(certificate) = parse(black_box(der)) else {
                    continue;
                };
                let tbs = certificate.tbs_certificate;
                entries.push(Entry {
                    _serial: tbs.serial_number,
                    _issuer: tbs.issuer.as_bytes(),
                    _subject: tbs.subject.as_bytes(),
                    _key: tbs.subject_public_key_info.subject_public_key.as_bytes(),
                    _validity: tbs.validity,
                });
            }
            black_box(&entries);
            entries.len() as u64
        },
    )
}

/// The same five things as spans, walking headers with synta's own reader as its `cert_byte_ranges` does.
fn scan(input: &Input) -> Task<'_> {
    let mut entries: Vec<[(u32, u32); 5]> = Vec::with_capacity(input.items.len());
    Task::new(
        "Headers walked by hand with `Decoder`: five spans, nothing decoded, no tag checked, the rest not read",
        input.items.len(),
        move || {
            entries.clear();
            entries.extend(input.items.iter().filter_map(|der| spans(black_box(der))));
            black_box(&entries);
            entries.len() as u64
        },
    )
    .named("by hand")
}

fn spans(der: &[u8]) -> Option<[(u32, u32); 5]> {
    let mut reader = Decoder::new(der, Encoding::Der);
    for _ in 0..2 {
        reader.read_tag().ok()?;
        reader.read_length().ok()?.definite().ok()?;
    }
    let first = reader.peek_tag().ok()?;
    if first.class() == TagClass::ContextSpecific && first.number() == 0 {
        skip(&mut reader)?;
    }
    let serial = skip(&mut reader)?;
    skip(&mut reader)?;
    Some([
        serial,
        skip(&mut reader)?,
        skip(&mut reader)?,
        skip(&mut reader)?,
        skip(&mut reader)?,
    ])
}

fn skip(reader: &mut Decoder<'_>) -> Option<(u32, u32)> {
    let start = reader.position();
    reader.read_tag().ok()?;
    let length = reader.read_length().ok()?.definite().ok()?;
    reader.read_bytes(length).ok()?;
    Some((start as u32, reader.position() as u32))
}

fn fields(der: &[u8]) -> Option<Fields<&'static str>> {
    let certificate = parse(der)?;
    let signature = identify_signature_algorithm(&certificate.signature_algorithm.algorithm);
    let key = &certificate.tbs_certificate.subject_public_key_info.algorithm.algorithm;
    Some(read(
        &certificate,
        signature,
        identify_public_key_algorithm(key).unwrap_or_default(),
    ))
}

fn all_fields(der: &[u8]) -> Option<AllFields> {
    let certificate = parse(der)?;
    let tbs = &certificate.tbs_certificate;
    let signature = certificate.signature_algorithm.algorithm.to_string();
    let key = tbs.subject_public_key_info.algorithm.algorithm.to_string();
    let extensions = tbs
        .extensions
        .map(|raw| decode_extensions(raw.as_bytes()))
        .unwrap_or_default();
    let critical = |extension: &&Extension<'_>| extension.critical.is_some_and(|critical| critical.0);
    Some(AllFields {
        fields: read(&certificate, signature, key),
        extensions: extensions.len(),
        critical: extensions.iter().filter(critical).count(),
        value_octets: extensions
            .iter()
            .map(|extension| extension.extn_value.as_bytes().len())
            .sum(),
    })
}

fn read<A>(certificate: &Certificate<'_>, algorithm: A, key_algorithm: A) -> Fields<A> {
    let tbs = &certificate.tbs_certificate;
    Fields {
        serial: tbs.serial_number.as_bytes().len(),
        not_before: unix(&tbs.validity.not_before),
        not_after: unix(&tbs.validity.not_after),
        issuer: format_dn(tbs.issuer.as_bytes()),
        subject: format_dn(tbs.subject.as_bytes()),
        algorithm,
        key_algorithm,
        key: tbs.subject_public_key_info.subject_public_key.as_bytes().len(),
        signature: certificate.signature_value.as_bytes().len(),
    }
}

fn unix(time: &Time) -> i64 {
    match time {
        // Only GeneralizedTime has `to_unix`; the fields are the same.
        Time::UtcTime(time) => GeneralizedTime {
            year: time.year,
            month: time.month,
            day: time.day,
            hour: time.hour,
            minute: time.minute,
            second: time.second,
            milliseconds: None,
        }
        .to_unix(),
        Time::GeneralTime(time) => time.to_unix(),
    }
}

fn element(der: &[u8]) -> Option<Element<'_>> {
    Decoder::new(der, Encoding::Der).decode().ok()
}

/// Counts the elements, as the `traverse` of synta's own benchmark visits them.
fn walk(element: &Element<'_>) -> Option<u64> {
    let mut count = 1;
    match element {
        Element::Sequence(sequence) => {
            for child in sequence.iter() {
                count += walk(&child.ok()?)?;
            }
        }
        Element::Set(set) => {
            for child in set.iter() {
                count += walk(&child.ok()?)?;
            }
        }
        Element::Tagged(_, inner) => count += walk(inner)?,
        _ => {}
    }
    Some(count)
}

/// BasicConstraints, found among the extensions and decoded with synta's types.
fn walk_ca(certificate: &Certificate<'_>) -> Option<Option<bool>> {
    const BASIC_CONSTRAINTS: [u32; 4] = [2, 5, 29, 19];
    let Some(raw) = certificate.tbs_certificate.extensions else {
        return Some(None);
    };
    let list = decode_extensions(raw.as_bytes());
    let Some(found) = list
        .iter()
        .find(|extension| extension.extn_id.components() == BASIC_CONSTRAINTS)
    else {
        return Some(None);
    };
    let value: BasicConstraints = Decoder::new(found.extn_value.as_bytes(), Encoding::Der).decode().ok()?;
    Some(Some(value.c_a.is_some_and(|ca| ca.0)))
}
