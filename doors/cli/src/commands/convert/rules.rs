//! Conversion of a single value from any BER to the requested encoding rules.

use std::borrow::Cow;
use tagwise_pkix::oids::files::label;

use tagwise_codec::ber::{Canonical, Residue, Uncovered};
use tagwise_codec::stream::{Event, Events, Rules, Settings};
use tagwise_codec::table::Type;
use tagwise_codec::{Error, Options, RuleSet, Typed, ber, cer};
use tagwise_pkix::{Certificate, CertificateList};

use crate::shared::context::Context;
use crate::shared::refused::Refused;
use crate::shared::rules as allowances;

/// Converts a value. Messages contain its offset, `start`. Elements whose conversion is uncertain are reported if the conversion changed
/// the bytes, or if `strict` is set.
///
/// # Errors
/// Returns a description if the value cannot be converted.
pub(super) fn convert(
    context: &Context,
    octets: &[u8],
    start: usize,
    rules: Rules,
    strict: bool,
    tell: &mut dyn FnMut(String),
) -> Result<Vec<u8>, Refused> {
    let words = |error: Error| {
        let refused = Refused::with_hint(&error, allowances::hint(&error));
        if start == 0 { refused } else { refused.inside(format_args!("in the value at byte {start}: ")) }
    };
    if rules == Rules::Ber {
        return indefinite(octets);
    }
    let ty = type_of(octets);
    let options = Options::der().rules(RuleSet::BER_DEFINITE.union(context.allowed.decoding));
    let der = match ty {
        Some(ty) => ber::to_der_as(ty, None, octets, &options),
        None => ber::to_der_untyped_with(octets, &options),
    };
    let der = der.map_err(words)?;
    let told = match rules {
        // Input that is already in that form is certain.
        Rules::Cer => {
            let cer = match ty {
                Some(ty) => cer::from_der_as(ty, None, &der.bytes, &options),
                None => cer::from_der_untyped(&der.bytes, &options),
            };
            let cer = cer.map_err(|error| words(der.original(error)))?;
            let residue =
                cer.residue.iter().map(|one| Residue { offset: der.map.source(one.offset), ..*one }).collect();
            Canonical { bytes: Cow::Owned(cer.bytes.into_owned()), map: cer.map, residue, deviations: Vec::new() }
        }
        _ => der,
    };
    if strict || *told.bytes != *octets {
        for residue in &told.residue {
            tell(note(residue, start));
        }
    }
    Ok(told.bytes.into_owned())
}

/// Returns the type of a value, if it is known.
fn type_of(octets: &[u8]) -> Option<&'static Type> {
    match tagwise_input::certain_label(octets)? {
        label::CERTIFICATE => Some(Certificate::ty()),
        label::X509_CRL => Some(CertificateList::ty()),
        _ => None,
    }
}

/// Re-encodes constructed elements with indefinite lengths.
pub(super) fn indefinite(octets: &[u8]) -> Result<Vec<u8>, Refused> {
    let mut events = Events::with(octets, Settings::new(Rules::Ber));
    let mut out = Vec::with_capacity(octets.len());
    while let Some(event) = events.next()? {
        match event {
            Event::Start(header) => {
                // The element lies in the octets.
                let at = usize::try_from(header.offset).unwrap_or(octets.len());
                let len = match header.tag.is_constructed() {
                    true => header.tag.encoded_len(),
                    false => usize::from(header.header_len),
                };
                out.extend_from_slice(octets.get(at..at + len).unwrap_or_default());
                if header.tag.is_constructed() {
                    out.push(0x80);
                }
            }
            Event::Chunk(chunk) => out.extend_from_slice(chunk.octets),
            Event::End(end) if end.tag.is_constructed() => out.extend_from_slice(&[0, 0]),
            Event::End(_) => {}
        }
    }
    Ok(out)
}

/// Describes an element that no schema covers.
fn note(residue: &Residue, start: usize) -> String {
    let why = match residue.why {
        Uncovered::Unknown => "unknown type: only lengths and universal tags were converted",
        Uncovered::MaybeString => "possibly a string in segments; only a schema can decide",
        Uncovered::Order => "only a schema can tell a SET from a SET OF; the order is unchanged",
        Uncovered::Formless => "the value has no canonical form and is unchanged",
        Uncovered::Verbatim => "its bytes may be signed, so they are unchanged",
        _ => "not converted with certainty",
    };
    format!("{} at byte {}: {why}", residue.tag, start + residue.offset)
}
