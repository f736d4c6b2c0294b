//! Tagwise itself.

mod cert;
mod frame;
mod parsed;
mod prims;
mod store;

use crate::parsed::{Facts, facts};
use crate::peer::{AllFields, Input, Peer, Task, decode_each, encode_each};
use crate::rows::Op;
use tagwise_codec::{Any, Decode, Fault, encode, encode_into};
use tagwise_pkix::{Certificate, CertificateView};

/// The adapter.
pub(super) struct Tagwise;

const DEFERRED: &str = "Hand-written deferred struct by the derive, `outline`. Checks tags, lengths, OIDs, BIT STRING \
    padding, both times to the calendar day, trailing bytes everywhere. Leaves: names, the whole extension list, key, \
    algorithm parameters";

const DEFERRED_DEEP: &str = "The same struct, `from_der`: also every header inside names, parameters and extensions, and \
    the content rules of universal types there. Leaves: what needs a schema, extension values, key";

impl Peer for Tagwise {
    fn name(&self) -> &'static str {
        "tagwise"
    }

    fn crates(&self) -> &'static [&'static str] {
        &["tagwise-codec", "tagwise-derive", "tagwise-pkix"]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        match op {
            Op::Outline => {
                let own = decode_each(DEFERRED, input, frame::outline).named("own struct");
                with(cert::outline(input), own)
            }
            Op::Strict => {
                let own = decode_each(DEFERRED_DEEP, input, frame::from_der).named("own struct");
                with(cert::strict(input), own)
            }
            Op::EncodeCert => {
                let fresh =
                    "The deferred struct, `encode`: exact size, then one pass; names and extensions from raw bytes";
                let reused = "The same by `encode_into` backwards into one reused buffer";
                let mut buffer = vec![0; 1 << 16];
                let mut tasks = cert::encoding(input);
                tasks.extend([
                    encode_each(fresh, input, frame::from_der, |value, _| encode(value).ok()).named("own struct"),
                    encode_each(reused, input, frame::from_der, move |value, _| {
                        encode_into(value, &mut buffer).ok().map(|bytes| bytes.len())
                    })
                    .named("own struct, reused buffer"),
                ]);
                tasks
            }
            Op::Recode => {
                let own = decode_each("The deferred struct, `from_der`, then `encode`", input, |der| {
                    encode(&frame::from_der(der)?).ok()
                });
                with(cert::recoding(input), own.named("own struct"))
            }
            Op::Index => with(cert::index(input), store::records(input)),
            Op::Scan => vec![store::scan(input)],
            Op::Fields => cert::fields(input),
            Op::AllFields => vec![decode_each(
                "The same with OIDs by `to_string`, and a look at each extension",
                input,
                cert::all_fields,
            )],
            Op::WalkLazy => vec![decode_each(
                "`Any::outline`: header and bounds, no trailing bytes",
                input,
                |der| Any::outline(der).ok(),
            )],
            Op::WalkEager => vec![
                decode_each(
                    "`Any::from_der`: every header to the leaves, and the content rules of every universal type; iterative",
                    input,
                    |der| Any::from_der(der).ok(),
                ),
                decode_each(
                    "`Any::children` recursively: headers and bounds; leaf contents not looked at",
                    input,
                    |der| walk(&Any::outline(der).ok()?).ok(),
                )
                .named("headers"),
            ],
            Op::Header => vec![prims::header(input)],
            Op::Decode(prim) => prims::decode(prim, input),
            Op::Encode(prim) => prims::encode(prim, input),
            Op::RecodeElement => vec![decode_each(
                "`Any::from_der`, every element checked, then `encode`: the octets are copied",
                input,
                |der| encode(&Any::from_der(der).ok()?).ok(),
            )],
            Op::ThreadsStrict(_) => super::derived::<parsed::Strict<'a>>(op, input, cert::STRICT),
            Op::Access(_) | Op::Tree | Op::Chain => {
                let mut tasks = super::derived::<CertificateView<'a>>(op, input, cert::POSITIONS);
                let strict = super::derived::<parsed::Strict<'a>>(op, input, cert::STRICT);
                tasks.extend(strict.into_iter().map(|task| task.named("strict")));
                if op == Op::Tree {
                    tasks.push(store::tree(input));
                }
                tasks
            }
            op => super::derived::<CertificateView<'a>>(op, input, cert::POSITIONS),
        }
    }

    fn facts(&self, der: &[u8]) -> Option<Facts> {
        facts::<parsed::Strict<'_>>(der)
    }

    fn sizes(&self) -> Vec<(&'static str, usize)> {
        let mut sizes = vec![
            ("certificate", size_of::<Certificate<'_>>()),
            ("certificate as positions", size_of::<CertificateView<'_>>()),
            ("error", size_of::<tagwise_codec::Error>()),
            ("error inside", size_of::<Fault>()),
        ];
        sizes.extend(prims::sizes());
        sizes
    }

    fn all_fields(&self, der: &[u8]) -> Option<AllFields> {
        cert::all_fields(der)
    }
}

fn with<'a>(mut tasks: Vec<Task<'a>>, last: Task<'a>) -> Vec<Task<'a>> {
    tasks.push(last);
    tasks
}

/// Counts the elements.
fn walk(element: &Any<'_>) -> Result<u64, Fault> {
    let mut count = 1;
    for child in element.children() {
        count += walk(&child?)?;
    }
    Ok(count)
}
