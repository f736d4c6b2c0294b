//! Containers opened, and what is in them left as it is: for readers that look for more than certificates.

use std::borrow::Cow;

use super::detect;
use super::{Flaw, Form, Gather, Spot};
use crate::Limits;

/// A part of a container: a member of an archive, a cell, a value in base64.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its bytes, in a form that is no container.
    pub octets: Vec<u8>,
    /// The member of an archive that it is, or that it is in.
    pub entry: Option<String>,
    /// The offset that it begins at in the container, or in the member.
    pub offset: usize,
    /// The line that it begins in, where the container is text: from 1.
    pub line: Option<usize>,
    /// The reason why it cannot be read, if it has no bytes: a code and a sentence.
    pub failure: Option<(&'static str, String)>,
}

/// A container, opened.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// The form of the container.
    pub form: Form,
    /// Its parts in their order. Of PEM, only those that are beside its blocks.
    pub parts: Vec<Part>,
}

/// A part with a spot.
pub(super) struct Raw {
    octets: Vec<u8>,
    pub(super) spot: Spot,
}

/// Opens a container, under the limits of [`Contents::read`](super::Contents::read), and what is in it as far as that is a container:
/// zip, gzip, CSV, certdata.txt, and values in base64 in other text. `None` for any other input.
///
/// ```
/// use tagwise_store::{Form, Limits, unpack};
/// let secret = format!("data:\n  tls.crt: MIGK{}\n", "A".repeat(184));
/// let unpacked = unpack(secret.as_bytes(), &Limits::DEFAULT).unwrap();
/// assert_eq!((unpacked.form, unpacked.parts.len(), unpacked.parts[0].line), (Form::Text, 1, Some(2)));
/// assert!(unpack(&[0x30, 0x00], &Limits::DEFAULT).is_none());
/// ```
#[must_use]
pub fn unpack(input: &[u8], limits: &Limits) -> Option<Unpacked> {
    let (form, octets) = detect::detect(Cow::Borrowed(input));
    let mut gather = Gather::new(input.len(), limits, None);
    gather.parts = Some(Vec::new());
    let form = match form {
        Form::Csv | Form::Certdata | Form::Zip | Form::Gzip | Form::Text => {
            gather.gather(Cow::Borrowed(input), Spot::default(), limits.depth)
        }
        Form::Pem => {
            gather.embedded(&octets, true, Spot::default(), limits.depth.saturating_sub(1));
            Form::Pem
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
        Part { octets: octets.clone(), entry, offset, line, failure: None }
    });
    let failures = contents.failures.iter().map(|Flaw { spot, code, message }| {
        let (entry, offset, line) = place(*spot);
        Part { octets: Vec::new(), entry, offset, line, failure: Some((*code, message.clone())) }
    });
    Some(Unpacked { form, parts: parts.chain(failures).collect() })
}

impl Gather<'_, '_> {
    /// Keeps a part as it is.
    pub(super) fn part(&mut self, octets: &[u8], spot: Spot) {
        if self.parts.as_ref().is_some_and(|parts| parts.len() >= self.limits.items as usize) {
            return self.fail(spot, "items-exceeded", "more parts than the limit allows");
        }
        if let Some(parts) = &mut self.parts {
            parts.push(Raw { octets: octets.to_vec(), spot });
        }
    }
}
