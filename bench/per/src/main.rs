//! Decodes and encodes messages of LTE RRC, NGAP and ETSI CAM: generated Rust and run-time tables, beside rasn, asn1c, asn1tools and
//! pycrate. Every library has its turn in every round, so that a slow moment of the machine falls on all alike.
//!
//! Arguments: the file of messages, the sources of asn1tools, the folder of 3GPP's modules, and a Python with asn1tools and pycrate
//! (optional). Build it with `TAGWISE_PER_SOURCES`, `TAGWISE_PER_TELECOM` and `TAGWISE_PER_MESSAGES`; see `build.rs`. With
//! `TAGWISE_PER_COUNT=SET TYPE LIBRARY decode|encode`, it only repeats this work a thousand times, for callgrind.
//!
//! The value that a library decoded is compared with that of the tables, in JER (asn1c: in XER).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use cpu_time::ThreadTime;
use tagwise_codec::text::hex;
use tagwise_per::{PerType, Variant};
use tagwise_tables::untagged::Rules;
use tagwise_tables::{Departure, Schema, SchemaOptions, Source};

include!(concat!(env!("OUT_DIR"), "/sets.rs"));
include!("files.rs");

/// The libraries, in the order of the report.
const LIBRARIES: [&str; 6] = [
    "Tagwise, generated",
    "Tagwise, tables",
    "rasn, generated",
    "asn1c",
    "asn1tools",
    "pycrate",
];
/// The number of rounds.
const ROUNDS: usize = 21;
/// The processor time of one sample, in nanoseconds.
const SAMPLE: f64 = 1.5e6;

/// A message of a library: the work, the encoding that it makes of the message, and the value that it decoded.
pub(crate) struct Case {
    decode: Work,
    encode: Work,
    again: Vec<u8>,
    value: Text,
}

/// The text of a value.
enum Text {
    /// JER.
    Json(String),
    /// BASIC-XER, of asn1c.
    #[cfg_attr(not(asn1c), expect(dead_code, reason = "only asn1c writes XML"))]
    Xml(Vec<u8>),
    /// A value that the tables decoded, or, of generated Rust, that the tests compare with it.
    Same,
}

/// Work that can be repeated.
enum Work {
    Own(Box<dyn FnMut()>),
    /// A line for another process, in which `{}` is the number of calls.
    Asked(Rc<RefCell<Peer>>, String),
}

impl Work {
    fn own<R>(mut call: impl FnMut() -> R + 'static) -> Self {
        Self::Own(Box::new(move || {
            black_box(call());
        }))
    }

    /// Returns the processor time of some calls, in nanoseconds.
    fn time(&mut self, calls: u32) -> Option<f64> {
        match self {
            Self::Own(call) => {
                let start = ThreadTime::now();
                (0..calls).for_each(|_| call());
                Some(start.elapsed().as_nanos() as f64)
            }
            Self::Asked(peer, line) => peer
                .borrow_mut()
                .ask(&line.replace("{}", &calls.to_string()))?
                .parse()
                .ok(),
        }
    }

    /// Returns the number of calls that fill a sample.
    fn calibrate(&mut self) -> u32 {
        let mut calls = 1;
        while let Some(time) = self.time(calls) {
            if time >= SAMPLE / 2.0 || calls >= 1 << 24 {
                return ((SAMPLE / time * f64::from(calls)) as u32).max(1);
            }
            calls *= 2;
        }
        1
    }
}

/// Generated Rust.
#[allow(dead_code, reason = "without modules, there are no types")]
fn generated<T: PerType + 'static>(octets: &[u8], rules: Rules) -> Option<Case> {
    let Rules::Per(variant) = rules else { return None };
    let (value, input) = (T::decode_per(octets, variant).ok()?, octets.to_vec());
    let again = value.encode_per(variant).ok()?;
    Some(Case {
        decode: Work::own(move || T::decode_per(black_box(&input), variant)),
        encode: Work::own(move || black_box(&value).encode_per(variant)),
        again,
        value: Text::Same,
    })
}

/// The code of rasn-compiler.
#[allow(dead_code, reason = "without modules, there are no types")]
fn by_rasn<T: rasn::Decode + rasn::Encode + 'static>(octets: &[u8], rules: Rules) -> Option<Case> {
    let Rules::Per(variant) = rules else { return None };
    let input = octets.to_vec();
    Some(if variant == Variant::UNALIGNED {
        let value: T = rasn::uper::decode(octets).ok()?;
        let again = rasn::uper::encode(&value).ok()?;
        let json = rasn::jer::encode(&value).ok()?;
        Case {
            decode: Work::own(move || rasn::uper::decode::<T>(black_box(&input))),
            encode: Work::own(move || rasn::uper::encode(black_box(&value))),
            again,
            value: Text::Json(json),
        }
    } else {
        let value: T = rasn::aper::decode(octets).ok()?;
        let again = rasn::aper::encode(&value).ok()?;
        let json = rasn::jer::encode(&value).ok()?;
        Case {
            decode: Work::own(move || rasn::aper::decode::<T>(black_box(&input))),
            encode: Work::own(move || rasn::aper::encode(black_box(&value))),
            again,
            value: Text::Json(json),
        }
    })
}

/// The type descriptor of asn1c.
#[cfg(asn1c)]
#[repr(C)]
pub(crate) struct Descriptor {
    _opaque: [u8; 0],
}

#[cfg(asn1c)]
mod native {
    use super::{Case, Descriptor, Text, Work};
    use std::ffi::c_void;

    unsafe extern "C" {
        fn perbench_decode(ty: *const Descriptor, octets: *const u8, size: usize) -> *mut c_void;
        fn perbench_print(ty: *const Descriptor, value: *mut c_void, buffer: *mut u8, size: usize) -> usize;
        fn perbench_encode(ty: *const Descriptor, value: *mut c_void, buffer: *mut u8, size: usize) -> usize;
        fn perbench_free(ty: *const Descriptor, value: *mut c_void);
    }

    /// The code of asn1c.
    pub(crate) fn case(ty: *const Descriptor, octets: &[u8]) -> Option<Case> {
        let input = octets.to_vec();
        // SAFETY: the descriptor is a static of the library, and the bytes are valid for their length.
        let value = unsafe { perbench_decode(ty, octets.as_ptr(), octets.len()) };
        if value.is_null() {
            return None;
        }
        let mut buffer = vec![0; 2 * octets.len() + 64];
        let mut encode = move || {
            // SAFETY: the value is never freed, and the buffer has its length.
            let size = unsafe { perbench_encode(ty, value, buffer.as_mut_ptr(), buffer.len()) };
            buffer.get(..size).map(<[u8]>::to_vec)
        };
        let again = encode()?;
        let mut text = vec![0; 1 << 20];
        // SAFETY: as above.
        let size = unsafe { perbench_print(ty, value, text.as_mut_ptr(), text.len()) };
        text.truncate(size);
        let decode = Work::own(move || {
            // SAFETY: as above. A value that was decoded is freed once.
            unsafe {
                let value = perbench_decode(ty, input.as_ptr(), input.len());
                if !value.is_null() {
                    perbench_free(ty, value);
                }
            }
        });
        Some(Case {
            decode,
            encode: Work::own(encode),
            again,
            value: Text::Xml(text),
        })
    }
}

#[cfg(asn1c)]
fn by_asn1c(ty: *const Descriptor, octets: &[u8]) -> Option<Case> {
    native::case(ty, octets)
}

/// Run-time tables.
fn tables(schema: &'static Schema, ty: &str, octets: &[u8], rules: Rules) -> Option<Case> {
    let ty = schema.untagged(ty, rules).ok()?;
    let (value, input) = (ty.decode(octets).ok()?.value, octets.to_vec());
    let again = ty.encode(&value).ok()?;
    Some(Case {
        decode: Work::own(move || ty.decode(black_box(&input))),
        encode: Work::own(move || ty.encode(black_box(&value))),
        again,
        value: Text::Same,
    })
}

/// A Python process with a library.
struct Peer {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    fn start(python: &str, library: &str, files: &[PathBuf]) -> Option<Self> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/peers.py");
        let mut command = Command::new(python);
        command
            .args([script, library])
            .args(files)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut process = command.spawn().ok()?;
        let (input, output) = (process.stdin.take()?, BufReader::new(process.stdout.take()?));
        Some(Self { process, input, output })
    }

    fn ask(&mut self, line: &str) -> Option<String> {
        writeln!(self.input, "{line}").ok()?;
        self.input.flush().ok()?;
        let mut answer = String::new();
        self.output.read_line(&mut answer).ok()?;
        let answer = answer.trim().to_owned();
        (!answer.is_empty() && answer != "refused").then_some(answer)
    }

    fn case(peer: &Rc<RefCell<Self>>, rules: &str, ty: &str, data: &str) -> Option<Case> {
        let answer = peer.borrow_mut().ask(&format!("check {rules} {ty} {data}"))?;
        let (again, json) = answer.split_once(' ')?;
        let (again, value) = (hex::decode_pairs(again)?, Text::Json(json.to_owned()));
        let work = |verb| Work::Asked(peer.clone(), format!("{verb} {{}} {rules} {ty} {data}"));
        Some(Case {
            decode: work("decode"),
            encode: work("encode"),
            again,
            value,
        })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The process ends with its input; what it answers no longer matters.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The figures of a library in a set: nanoseconds per message, and the ratio to generated Rust.
#[derive(Default)]
struct Total {
    messages: usize,
    time: [f64; 2],
    /// The logarithms of the ratios.
    ratio: [f64; 2],
}

/// Times the cases of one message.
fn measure(cases: &mut [(&'static str, Case)], totals: &mut BTreeMap<usize, Total>) {
    for direction in 0..2 {
        let mut works: Vec<&mut Work> = cases
            .iter_mut()
            .map(|(_, case)| {
                if direction == 0 {
                    &mut case.decode
                } else {
                    &mut case.encode
                }
            })
            .collect();
        let calls: Vec<u32> = works.iter_mut().map(|work| work.calibrate()).collect();
        let mut samples = vec![Vec::new(); works.len()];
        for round in 0..ROUNDS {
            for step in 0..works.len() {
                let index = (round + step) % works.len();
                if let (Some(work), Some(calls), Some(samples)) =
                    (works.get_mut(index), calls.get(index), samples.get_mut(index))
                {
                    samples.push(work.time(*calls).unwrap_or(f64::NAN) / f64::from(*calls));
                }
            }
        }
        let base = samples.first().cloned().unwrap_or_default();
        for ((name, _), samples) in cases.iter().zip(samples) {
            let rank = LIBRARIES
                .iter()
                .position(|library| library == name)
                .unwrap_or(LIBRARIES.len());
            let total = totals.entry(rank).or_default();
            let ratios = samples.iter().zip(&base).map(|(own, base)| own / base).collect();
            total.messages += usize::from(direction == 0);
            if let (Some(time), Some(ratio)) = (total.time.get_mut(direction), total.ratio.get_mut(direction)) {
                *time += median(samples);
                *ratio += median(ratios).ln();
            }
        }
    }
}

/// Returns whether a text has the value that the tables decode.
fn is_same(schema: &'static Schema, name: &str, octets: &[u8], rules: Rules, library: &str, text: &Text) -> bool {
    let value = || -> Result<Vec<u8>, Box<dyn Error>> {
        let ty = schema.untagged(name, rules)?;
        let value = match text {
            Text::Json(text) => tagwise_jer::from_str(&schema.ty(name)?, text)?,
            Text::Xml(text) => schema.xer(name)?.decode(text)?.value,
            Text::Same => return Ok(octets.to_vec()),
        };
        Ok(ty.encode(&value)?)
    };
    match value() {
        Ok(again) if again == octets => return true,
        Ok(again) => eprintln!("{library}: another value of {name}: {:X}", hex::Hex(&again)),
        Err(error) => eprintln!("{library}: the value of {name} cannot be read: {error}"),
    }
    false
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("expected MESSAGES SOURCES MODULES [PYTHON]");
    let (messages, sources, telecom) = (std::fs::read_to_string(next()?)?, next()?, next()?);
    let python = arguments.next();
    let mut report = String::from(
        "| messages | library | decode | encode | decode, × generated | encode, × generated |\n|---|---|--:|--:|--:|--:|\n",
    );
    let counted = std::env::var("TAGWISE_PER_COUNT").unwrap_or_default();
    for set in SETS {
        let files = files(set, Path::new(&sources), Path::new(&telecom))?;
        let mut texts = Vec::new();
        for file in &files {
            texts.push(Source::new(&file.to_string_lossy(), &std::fs::read_to_string(file)?));
        }
        let options = Departure::ALL
            .iter()
            .fold(SchemaOptions::default(), |options, one| options.allow(*one));
        // For as long as the program runs.
        let schema: &'static Schema = Box::leak(Box::new(Schema::compile_with(texts, &options)?));
        let peer = |library| {
            let peer = Peer::start(python.as_deref()?, library, &files)?;
            Some((library, Rc::new(RefCell::new(peer))))
        };
        let peers: Vec<_> = ["asn1tools", "pycrate"].into_iter().filter_map(peer).collect();
        let (mut totals, mut octets_of_all, mut count) = (BTreeMap::new(), 0, 0);
        let mut seen = Vec::new();
        for line in messages.lines() {
            let mut words = line.split('\t');
            let (Some(of), Some(rules), Some(ty), Some(data)) =
                (words.next(), words.next(), words.next(), words.next())
            else {
                continue;
            };
            if of != set || seen.contains(&line) {
                continue;
            }
            seen.push(line);
            let (Some(known), Some(octets)) = (Rules::named(rules), hex::decode_pairs(data)) else {
                continue;
            };
            let Some(first) = tagwise(set, ty, &octets, known) else {
                continue;
            };
            let mut cases = vec![("Tagwise, generated", first)];
            cases.extend(tables(schema, ty, &octets, known).map(|case| ("Tagwise, tables", case)));
            cases.extend(rasn(set, ty, &octets, known).map(|case| ("rasn, generated", case)));
            cases.extend(asn1c(set, ty, &octets, known).map(|case| ("asn1c", case)));
            for (library, peer) in &peers {
                cases.extend(Peer::case(peer, rules, ty, data).map(|case| (*library, case)));
            }
            // What decodes or encodes a message differently is not compared with.
            cases.retain(|(library, case)| {
                if case.again != octets {
                    eprintln!(
                        "{library}: another encoding of {ty} {data}: {:X}",
                        hex::Hex(&case.again)
                    );
                }
                case.again == octets && is_same(schema, ty, &octets, known, library, &case.value)
            });
            if !counted.is_empty() {
                for (library, case) in &mut cases {
                    for (direction, work) in [("decode", &mut case.decode), ("encode", &mut case.encode)] {
                        if counted == format!("{set} {ty} {library} {direction}") {
                            work.time(1000);
                        }
                    }
                }
                continue;
            }
            octets_of_all += octets.len();
            count += 1;
            measure(&mut cases, &mut totals);
        }
        for (rank, total) in totals {
            let library = LIBRARIES.get(rank).copied().unwrap_or("another library");
            let Total {
                messages,
                time: [decode, encode],
                ratio: [slower, slower_to],
            } = total;
            let each = messages.max(1) as f64;
            let part = if messages == count {
                String::new()
            } else {
                format!(" ({messages} of {count})")
            };
            writeln!(
                report,
                "| {set}: {count} of {octets_of_all} bytes | {library}{part} | {:.0} ns | {:.0} ns | {:.2} | {:.2} |",
                decode / each,
                encode / each,
                (slower / each).exp(),
                (slower_to / each).exp()
            )?;
        }
    }
    print!("{report}");
    Ok(())
}
