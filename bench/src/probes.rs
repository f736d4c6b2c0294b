//! What each library checks, found out by experiment: one good certificate, one fault at a time, accepted or refused.
//!
//! The signatures no longer fit; nothing here verifies them, and a parse does not look.

use crate::cli;
use crate::edit::{children, content, replace, tlv};
use crate::peer::{Input, Peer};
use crate::rows::{Op, Row};
use serde::{Deserialize, Serialize};

/// One fault and who refuses it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Probe {
    /// What is wrong.
    pub fault: String,
    /// The rule that it breaks.
    pub clause: String,
    /// Library and call, and whether it refused; in the order of the libraries.
    pub refused: Vec<(String, bool)>,
}

type Change = Box<dyn Fn(&[u8]) -> Result<Vec<u8>, String>>;

/// Replaces what stands at a path by given octets.
fn set(path: &'static [usize], octets: &'static [u8]) -> Change {
    Box::new(move |cert| replace(cert, path, &|_| octets.to_vec()))
}

/// Changes what stands at a path.
fn map(path: &'static [usize], change: impl Fn(&[u8]) -> Vec<u8> + 'static) -> Change {
    Box::new(move |cert| replace(cert, path, &change))
}

const SERIAL: &[usize] = &[0, 1];
const TBS: &[usize] = &[0];
const ALGORITHM_OID: &[usize] = &[0, 2, 0];
const NOT_AFTER: &[usize] = &[0, 4, 1];
const SUBJECT: &[usize] = &[0, 5];
const KEY: &[usize] = &[0, 6, 1];
const EXTENSIONS: &[usize] = &[0, 7, 0];

/// `2.5.29.19`, critical, TRUE, and the value.
fn basic_constraints(boolean: &[u8], value: &[u8]) -> Vec<u8> {
    tlv(
        0x30,
        &[&[0x06, 0x03, 0x55, 0x1d, 0x13], boolean, &tlv(0x04, value)].concat(),
    )
}

/// One RDN with one attribute of type commonName.
fn common_name(tag: u8, text: &[u8]) -> Vec<u8> {
    tlv(0x31, &attribute(&[0x55, 0x04, 0x03], tag, text))
}

fn attribute(kind: &[u8], tag: u8, text: &[u8]) -> Vec<u8> {
    tlv(0x30, &[tlv(0x06, kind), tlv(tag, text)].concat())
}

fn name(rdns: Vec<u8>) -> Change {
    Box::new(move |cert| replace(cert, SUBJECT, &|_| tlv(0x30, &rdns)))
}

/// Puts another extension at the end.
fn extension(added: Vec<u8>) -> Change {
    Box::new(move |cert| {
        replace(cert, EXTENSIONS, &|list| {
            tlv(0x30, &[content(list).unwrap_or_default(), &added].concat())
        })
    })
}

/// Every fault. The first is none at all, which everyone must accept.
fn faults() -> Vec<(&'static str, &'static str, Change)> {
    let key_usage = |value: &[u8]| {
        tlv(
            0x30,
            &[
                &tlv(0x06, &[0x55, 0x1d, 0x0f])[..],
                &[0x01, 0x01, 0xff],
                &tlv(0x04, value),
            ]
            .concat(),
        )
    };
    let unsorted = tlv(
        0x31,
        &[
            attribute(&[0x55, 0x04, 0x0a], 0x13, b"B"),
            attribute(&[0x55, 0x04, 0x03], 0x13, b"A"),
        ]
        .concat(),
    );
    vec![
        (
            "nothing: the control",
            "–",
            Box::new(|cert: &[u8]| Ok(cert.to_vec())) as Change,
        ),
        (
            "an octet after the certificate",
            "X.690 §8.1",
            Box::new(|cert| Ok([cert, &[0]].concat())),
        ),
        (
            "indefinite length outside",
            "X.690 §10.1",
            Box::new(|cert| Ok([&[0x30, 0x80], content(cert).unwrap_or_default(), &[0, 0]].concat())),
        ),
        (
            "serial: length in long form",
            "X.690 §10.1",
            set(SERIAL, &[0x02, 0x81, 0x01, 0x05]),
        ),
        (
            "serial: tag in high form",
            "X.690 §8.1.2.2",
            set(SERIAL, &[0x1f, 0x02, 0x01, 0x05]),
        ),
        (
            "serial: padded with a zero",
            "X.690 §8.3.2",
            set(SERIAL, &[0x02, 0x02, 0x00, 0x05]),
        ),
        ("serial: no octets", "X.690 §8.3.1", set(SERIAL, &[0x02, 0x00])),
        (
            "serial: negative",
            "RFC 5280 §4.1.2.2",
            set(SERIAL, &[0x02, 0x01, 0x85]),
        ),
        (
            "serial: 21 octets",
            "RFC 5280 §4.1.2.2",
            Box::new(|cert| replace(cert, SERIAL, &|_| tlv(0x02, &[0x55; 21]))),
        ),
        (
            "version 1 written out",
            "X.690 §11.5",
            set(&[0, 0, 0], &[0x02, 0x01, 0x00]),
        ),
        ("version 6", "RFC 5280 §4.1", set(&[0, 0, 0], &[0x02, 0x01, 0x05])),
        (
            "both signature algorithms differ",
            "RFC 5280 §4.1.1.2",
            set(
                ALGORITHM_OID,
                &[0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0c],
            ),
        ),
        (
            "OID with a padded arc",
            "X.690 §8.19.2",
            map(KEY_OID, |_| {
                vec![0x06, 0x0a, 0x2a, 0x80, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]
            }),
        ),
        (
            "a third element in the key's SEQUENCE",
            "X.680 §25",
            map(&[0, 6], |key| {
                tlv(0x30, &[content(key).unwrap_or_default(), &[0x05, 0x00]].concat())
            }),
        ),
        (
            "an element after the signature",
            "X.680 §25",
            Box::new(|cert| Ok(tlv(0x30, &[content(cert).unwrap_or_default(), &[0x05, 0x00]].concat()))),
        ),
        (
            "notAfter: 31 February",
            "X.680 §47",
            set(NOT_AFTER, b"\x17\x0d300231120000Z"),
        ),
        (
            "notAfter: month 13",
            "X.680 §47",
            set(NOT_AFTER, b"\x17\x0d301331120000Z"),
        ),
        (
            "notAfter: +0100 for Z",
            "X.690 §11.8.1",
            set(NOT_AFTER, b"\x17\x11301231120000+0100"),
        ),
        (
            "notAfter: no seconds",
            "X.690 §11.8.2",
            set(NOT_AFTER, b"\x17\x0b3012311200Z"),
        ),
        (
            "notAfter: GeneralizedTime before 2050",
            "RFC 5280 §4.1.2.5",
            set(NOT_AFTER, b"\x18\x0f20301231120000Z"),
        ),
        (
            "subject: an INTEGER in place of an RDN",
            "RFC 5280 §4.1.2.4",
            name(vec![0x02, 0x01, 0x05]),
        ),
        (
            "subject: PrintableString with @",
            "X.680 §41.4",
            name(common_name(0x13, b"a@b")),
        ),
        (
            "subject: UTF8String that is not UTF-8",
            "X.690 §8.21.10",
            name(common_name(0x0c, &[0xff, 0xfe])),
        ),
        ("subject: SET OF not sorted", "X.690 §11.6", name(unsorted)),
        ("subject: empty RDN", "RFC 5280 §4.1.2.4", name(vec![0x31, 0x00])),
        ("issuer: empty", "RFC 5280 §4.1.2.4", set(&[0, 3], &[0x30, 0x00])),
        (
            "key: 9 unused bits",
            "X.690 §8.6.2.2",
            map(KEY, |key| with_first(key, 9)),
        ),
        (
            "key: no RSA key inside",
            "RFC 3279 §2.3.1",
            Box::new(|cert| replace(cert, KEY, &|_| tlv(0x03, &[0, 0xde, 0xad, 0xbe, 0xef]))),
        ),
        (
            "signature: unused bits not zero",
            "X.690 §11.2.1",
            map(&[2], |bits| with_first(&with_last(bits, 0xff), 3)),
        ),
        (
            "extension: critical FALSE written out",
            "X.690 §11.5",
            extension(basic_constraints(&[0x01, 0x01, 0x00], &[0x30, 0x00])),
        ),
        (
            "extension: TRUE as 01",
            "X.690 §11.1",
            extension(basic_constraints(&[0x01, 0x01, 0x01], &[0x30, 0x00])),
        ),
        (
            "extension: value of BasicConstraints cut short",
            "RFC 5280 §4.2.1.9",
            extension(basic_constraints(&[], &[0x30, 0x03, 0x01])),
        ),
        (
            "extension: twice",
            "RFC 5280 §4.2",
            Box::new(|cert| {
                replace(cert, EXTENSIONS, &|list| {
                    let first = children(list)
                        .ok()
                        .and_then(|all| all.into_iter().next())
                        .unwrap_or_default();
                    tlv(0x30, &[content(list).unwrap_or_default(), &first].concat())
                })
            }),
        ),
        (
            "extension: KeyUsage not trimmed",
            "X.690 §11.2.2",
            Box::new(move |cert| {
                let spoilt = key_usage(&[0x03, 0x02, 0x00, 0x80]);
                replace(cert, EXTENSIONS, &|list| {
                    let all = children(list).unwrap_or_default();
                    let others = all
                        .into_iter()
                        .filter(|extension| !extension.windows(3).any(|part| part == [0x55, 0x1d, 0x0f]));
                    tlv(0x30, &[others.collect::<Vec<_>>().concat(), spoilt.clone()].concat())
                })
            }),
        ),
        (
            "extensions in a certificate of version 1",
            "RFC 5280 §4.1.2.9",
            map(TBS, |tbs| {
                let parts = children(tbs).unwrap_or_default();
                tlv(0x30, &parts.get(1..).unwrap_or_default().concat())
            }),
        ),
    ]
}

const KEY_OID: &[usize] = &[0, 6, 0, 0];

fn with_first(value: &[u8], octet: u8) -> Vec<u8> {
    let mut content = content(value).unwrap_or_default().to_vec();
    if let Some(first) = content.first_mut() {
        *first = octet;
    }
    tlv(value[0], &content)
}

fn with_last(value: &[u8], octet: u8) -> Vec<u8> {
    let mut value = value.to_vec();
    if let Some(last) = value.last_mut() {
        *last = octet;
    }
    value
}

/// Tries every fault in `good` on every library, by its shallow and by its deep call.
///
/// # Errors
/// Where `good` is not shaped as the edits expect.
pub fn run(peers: &[Box<dyn Peer>], good: &[u8]) -> Result<Vec<Probe>, String> {
    faults()
        .into_iter()
        .map(|(fault, clause, change)| {
            let input = Input::new("probe", String::new(), &[change(good)?]);
            Ok(Probe {
                fault: fault.to_owned(),
                clause: clause.to_owned(),
                refused: refusals(peers, &input),
            })
        })
        .collect()
}

/// Each library's calls that differ: where the deep call is the shallow one, it stands once.
fn refusals(peers: &[Box<dyn Peer>], input: &Input) -> Vec<(String, bool)> {
    let row = |op| Row {
        id: String::new(),
        group: "",
        title: "",
        op,
        input: String::new(),
    };
    let mut all = Vec::new();
    for peer in peers {
        let mut says = Vec::new();
        for (op, suffix) in [(Op::Outline, ""), (Op::Strict, " (deep)")] {
            for (label, mut task) in cli::tasks_of(peer.as_ref(), &row(op), input) {
                if says.contains(&task.says) {
                    continue;
                }
                says.push(task.says);
                let suffix = if says.len() == 1 { "" } else { suffix };
                all.push((format!("{label}{suffix}"), (task.run)() == 0));
            }
        }
    }
    all
}
