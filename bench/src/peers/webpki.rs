//! `rustls-webpki`: the parse inside a TLS library's path validation, reached as its users reach it.

use crate::parsed::{Facts, content_of_name, count_linked, magnitude, threads};
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
            Op::Chain | Op::Tree => vec![tree(input)],
            Op::Threads(count) | Op::ThreadsStrict(count) => threads(count, PARSE, input, |item| {
                // What it gives borrows from this, so only success leaves.
                EndEntityCert::try_from(&CertificateDer::from(item))
                    .ok()
                    .map(|certificate| {
                        black_box(&certificate);
                    })
            }),
            // It neither formats, walks nor encodes, and reads no time.
            _ => Vec::new(),
        }
    }

    fn facts(&self, der: &[u8]) -> Option<Facts> {
        let der = CertificateDer::from(der);
        let certificate = EndEntityCert::try_from(&der).ok()?;
        Some(Facts {
            serial: Some(magnitude(certificate.serial())),
            issuer: Some(content_of_name(certificate.issuer())),
            subject: Some(content_of_name(certificate.subject())),
            ..Facts::default()
        })
    }

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        vec![
            ("certificate", size_of::<EndEntityCert<'_>>()),
            ("error", size_of::<::webpki::Error>()),
        ]
    }
}

fn outline(input: &Input) -> Task<'_> {
    Task::new(PARSE, input.items.len(), move || {
        let mut accepted = 0;
        for item in &input.items {
            let der = CertificateDer::from(black_box(*item));
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
    let inputs: Vec<CertificateDer<'_>> = input.items.iter().map(|item| CertificateDer::from(*item)).collect();
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

fn tree(input: &Input) -> Task<'_> {
    let inputs: Vec<CertificateDer<'_>> = input.items.iter().map(|item| CertificateDer::from(*item)).collect();
    Task::new(PARSE, input.items.len(), move || {
        let parsed: Vec<EndEntityCert<'_>> = inputs
            .iter()
            .filter_map(|der| EndEntityCert::try_from(black_box(der)).ok())
            .collect();
        let names: Vec<[&[u8]; 2]> = parsed
            .iter()
            .map(|certificate| [certificate.issuer(), certificate.subject()])
            .collect();
        count_linked(&names)
    })
}
