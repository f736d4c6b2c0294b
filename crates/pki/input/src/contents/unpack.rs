//! Opens containers and returns their parts unchanged, for programs that read more than certificates.

use std::borrow::Cow;

use super::{Flaw, Gather, Spot};
use crate::Limits;
use crate::detect::{self, InputForm};

/// A part of a container: an archive member, a CSV cell, or a base64 value.
#[derive(Clone, Debug)]
pub struct ContainerPart {
    /// The part's bytes, which are not a container themselves.
    pub octets: Vec<u8>,
    /// The archive member that is the part or contains it.
    pub entry: Option<String>,
    /// The part's offset in the container or member.
    pub offset: usize,
    /// The part's line number, from 1, if the container is text.
    pub line: Option<usize>,
    /// The reason why the part could not be read: a code and a message. The part then has no bytes.
    pub failure: Option<(&'static str, String)>,
}

/// An opened container.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// The format of the container.
    pub form: InputForm,
    /// The container's parts in order. For PEM, only the parts outside its blocks.
    pub parts: Vec<ContainerPart>,
}

/// An extracted part and its location.
pub(super) struct Raw {
    octets: Vec<u8>,
    pub(super) spot: Spot,
}

/// Opens a container and its nested containers, with the limits of [`Contents::read`](super::Contents::read). Containers
/// are tar, zip, gzip, zstd, CSV, certdata.txt, entries of CT logs, and other text with base64 values. Returns `None` for any other input.
///
/// ```
/// use tagwise_input::{InputForm, Limits, unpack};
/// let secret = format!("data:\n  tls.crt: MIGK{}\n", "A".repeat(184));
/// let unpacked = unpack(secret.as_bytes(), &Limits::DEFAULT).unwrap();
/// assert_eq!((unpacked.form, unpacked.parts.len(), unpacked.parts[0].line), (InputForm::Text, 1, Some(2)));
/// assert!(unpack(&[0x30, 0x00], &Limits::DEFAULT).is_none());
/// ```
#[must_use]
pub fn unpack(input: &[u8], limits: &Limits) -> Option<Unpacked> {
    let (form, octets) = detect::detect(Cow::Borrowed(input));
    let mut gather = Gather::new(input.len(), limits, None);
    gather.parts = Some(Vec::new());
    let form = match form {
        form if form.is_unpacked() => gather.gather(Cow::Borrowed(input), Spot::default(), limits.depth),
        InputForm::Pem => {
            gather.around(&octets, limits.depth.saturating_sub(1));
            InputForm::Pem
        }
        _ => return None,
    };
    let contents = &gather.contents;
    let place = |spot: Spot| {
        let place = contents.place(spot);
        (place.entry.map(str::to_owned), place.offset, place.line)
    };
    let parts = gather.parts.iter().flatten().map(|Raw { octets, spot }| {
        let (entry, offset, line) = place(*spot);
        ContainerPart { octets: octets.clone(), entry, offset, line, failure: None }
    });
    let failures = contents.failures.iter().map(|Flaw { spot, code, message }| {
        let (entry, offset, line) = place(*spot);
        ContainerPart { octets: Vec::new(), entry, offset, line, failure: Some((*code, message.clone())) }
    });
    Some(Unpacked { form, parts: parts.chain(failures).collect() })
}

impl Gather<'_, '_> {
    /// Adds a part unchanged.
    pub(super) fn part(&mut self, octets: &[u8], spot: Spot) {
        if self.parts.as_ref().is_some_and(|parts| parts.len() >= self.limits.items as usize) {
            return self.fail(spot, "items-exceeded", "the number of parts exceeds the limit");
        }
        if let Some(parts) = &mut self.parts {
            parts.push(Raw { octets: octets.to_vec(), spot });
        }
    }
}
