//! `rustls-webpki`: the parse inside a TLS library's path validation, reached as its users reach it.

use crate::peer::{Input, Peer, Task};
use crate::rows::Op;
use ::webpki::EndEntityCert;
use rustls_pki_types::{CertificateDer, SubjectPublicKeyInfoDer};
use std::hint::black_box;

/// The adapter.
pub(super) struct Webpki;

const PARSE: &str = "`EndEntityCert::try_from`. Checks the frame, that both algorithms agree, every extension's frame, \
    and keeps six known extensions; refuses versions other than 3 and unknown critical extensions. Leaves: names, \
    validity (not read), key, OIDs, extension values";

impl Peer for Webpki {
    fn name(&self) -> &'static str {
        "webpki"
    }

    fn crates(&self) -> &'static [&'static str] {
        &["rustls-webpki"]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        match op {
            Op::Outline | Op::Strict => vec![outline(input)],
            Op::Index => vec![index(input)],
            // It neither formats, walks nor encodes.
            _ => Vec::new(),
        }
    }
}

fn outline(input: &Input) -> Task<'_> {
    Task::new(PARSE, input.items.len(), move || {
        let mut accepted = 0;
        for item in &input.items {
            let der = CertificateDer::from(black_box(item.as_slice()));
            if let Ok(certificate) = EndEntityCert::try_from(&der) {
                black_box(&certificate);
                accepted += 1;
            }
        }
        accepted
    })
}

struct Entry<'a> {
    _serial: &'a [u8],
    _issuer: &'a [u8],
    _subject: &'a [u8],
    _key: SubjectPublicKeyInfoDer<'static>,
}

fn index(input: &Input) -> Task<'_> {
    let inputs: Vec<CertificateDer<'_>> = input
        .items
        .iter()
        .map(|item| CertificateDer::from(item.as_slice()))
        .collect();
    let says = "The same parse; serial, issuer and subject only within the loop, because they borrow from the parsed \
        value; the key copied; no access to the validity";
    Task::new(says, input.items.len(), move || {
        let mut accepted = 0;
        for der in &inputs {
            let Ok(certificate) = EndEntityCert::try_from(black_box(der)) else {
                continue;
            };
            black_box(Entry {
                _serial: certificate.serial(),
                _issuer: certificate.issuer(),
                _subject: certificate.subject(),
                _key: certificate.subject_public_key_info(),
            });
            accepted += 1;
        }
        accepted
    })
}
