//! What an adapter offers: for an operation on an input, the ways in which its library can do it.

pub use crate::harness::Clock;
use crate::inputs::together;
use crate::parsed::Facts;
use crate::rows::Op;
use prefetch_index::prefetch_index;
use std::hint::black_box;

/// The values that a row is measured on.
#[derive(Debug, Clone)]
pub struct Input {
    /// Its name in row ids.
    pub name: String,
    /// What it is, for the report.
    pub about: String,
    /// One DER value each, one behind the other in memory.
    pub items: Vec<&'static [u8]>,
}

impl Input {
    /// Of these values.
    #[must_use]
    pub fn new(name: &str, about: String, values: &[Vec<u8>]) -> Self {
        Self {
            name: name.to_owned(),
            about,
            items: together(values),
        }
    }
}

/// One library's way of doing a row, ready to run.
pub struct Task<'a> {
    /// Tells several ways of one library apart; empty for the usual one.
    pub variant: &'static str,
    /// What it checks and what it leaves, in words: half of every result.
    pub says: &'static str,
    /// How many items one run handles.
    pub items: usize,
    /// The clock that it is measured by.
    pub clock: Clock,
    /// Runs once and returns how many items were accepted.
    pub run: Box<dyn FnMut() -> u64 + 'a>,
}

impl<'a> Task<'a> {
    /// The library's usual way.
    #[must_use]
    pub fn new(says: &'static str, items: usize, run: impl FnMut() -> u64 + 'a) -> Self {
        Self {
            variant: "",
            says,
            items,
            clock: Clock::Thread,
            run: Box::new(run),
        }
    }

    /// Names this way as one beside the usual one.
    #[must_use]
    pub fn named(self, variant: &'static str) -> Self {
        Self { variant, ..self }
    }

    /// Measured by another clock than the thread's.
    #[must_use]
    pub fn timed_by(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }
}

/// A library under measurement.
pub trait Peer {
    /// Its name in tables and for `--once`.
    fn name(&self) -> &'static str;

    /// The crates whose versions the report states.
    fn crates(&self) -> &'static [&'static str];

    /// Versions that no lock file knows: of a library in C or Go, or of a crate that is in no registry.
    fn versions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Its ways of doing `op` on `input`; none where it has no such operation.
    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>>;

    /// What [`Op::AllFields`] reads of one certificate, for the test that holds the adapters to the same work.
    fn all_fields(&self, _der: &[u8]) -> Option<AllFields> {
        None
    }

    /// Whether [`Peer::facts`] gives anything.
    fn compares(&self) -> bool {
        true
    }

    /// What it says that a certificate holds; nothing where it refuses it.
    fn facts(&self, der: &[u8]) -> Option<Facts>;

    /// Sizes of its types in octets: the certificate, the error, small values.
    fn sizes(&self) -> Vec<(&'static str, usize)> {
        Vec::new()
    }

    /// Heap allocations and octets that a collector of its own made so far; the counting allocator does not see them.
    fn own_heap(&self) -> Option<(u64, u64)> {
        None
    }
}

/// How often a primitive is repeated in one run, so that the call through a box does not show.
pub const REPEAT: usize = 64;

/// What a decoding gives, in the form that the library gives it in: making an `Option` of a `Result` copies the value, which is
/// not the library's work.
pub trait Outcome {
    /// Whether it was accepted.
    fn is_accepted(&self) -> bool;
}

impl<T> Outcome for Option<T> {
    fn is_accepted(&self) -> bool {
        self.is_some()
    }
}

impl<T, E> Outcome for Result<T, E> {
    fn is_accepted(&self) -> bool {
        self.is_ok()
    }
}

/// What an encoding gives, in the form that the library gives it in.
pub trait Encoded {
    /// The octets, if there are any.
    fn octets(&self) -> Option<&[u8]>;
}

impl<T: AsRef<[u8]>, E> Encoded for Result<T, E> {
    fn octets(&self) -> Option<&[u8]> {
        self.as_ref().ok().map(T::as_ref)
    }
}

/// Whether it was accepted, and keeps the compiler from dropping it.
pub fn accepted(outcome: &impl Outcome) -> u64 {
    black_box(outcome);
    u64::from(outcome.is_accepted())
}

/// A task that decodes every item and keeps the compiler from dropping the result.
pub fn decode_each<'a, O: Outcome>(
    says: &'static str,
    input: &'a Input,
    decode: impl Fn(&'a [u8]) -> O + 'a,
) -> Task<'a> {
    let items = input.items.iter();
    Task::new(says, items.len(), move || {
        items.clone().map(|item| accepted(&decode(black_box(item)))).sum()
    })
}

/// How many items [`decode_ahead`] has on their way.
const AHEAD: usize = 3;

/// The same for a library that does not look ahead by itself: before an item is decoded, the cache lines of the one that comes
/// three later are asked for, as any user of the library could do.
pub fn decode_ahead<'a, O: Outcome>(
    says: &'static str,
    input: &'a Input,
    decode: impl Fn(&'a [u8]) -> O + 'a,
) -> Task<'a> {
    Task::new(says, input.items.len(), move || {
        let mut count = 0;
        for (number, item) in input.items.iter().enumerate() {
            if let Some(later) = input.items.get(number + AHEAD) {
                let mut at = 0;
                while at < later.len() {
                    prefetch_index(later, at);
                    at += 64;
                }
            }
            count += accepted(&decode(black_box(item)));
        }
        count
    })
}

/// A task that decodes the items once, now, and re-encodes the values. What does not decode is left out.
pub fn encode_each<'a, T: 'a, O>(
    says: &'static str,
    input: &'a Input,
    decode: impl Fn(&'a [u8]) -> Option<T>,
    mut encode: impl FnMut(&T, &'a [u8]) -> Option<O> + 'a,
) -> Task<'a> {
    let values: Vec<(T, &[u8])> = input
        .items
        .iter()
        .filter_map(|item| Some((decode(item)?, *item)))
        .collect();
    Task::new(says, values.len(), move || {
        let mut accepted = 0;
        for (value, item) in &values {
            if let Some(bytes) = encode(black_box(value), item) {
                black_box(&bytes);
                accepted += 1;
            }
        }
        accepted
    })
}

/// A task that decodes the one item of a primitive input [`REPEAT`] times.
pub fn decode_repeat<'a, T>(
    says: &'static str,
    input: &'a Input,
    decode: impl Fn(&'a [u8]) -> Option<T> + 'a,
) -> Vec<Task<'a>> {
    let Some(item) = input.items.first() else {
        return Vec::new();
    };
    assert!(decode(item).is_some(), "{says}: {} does not decode", input.name);
    vec![Task::new(says, REPEAT, move || {
        let mut accepted = 0;
        for _ in 0..REPEAT {
            if let Some(value) = decode(black_box(item)) {
                black_box(&value);
                accepted += 1;
            }
        }
        accepted
    })]
}

/// A task that encodes one value [`REPEAT`] times. The value must encode to the input's item.
pub fn encode_repeat<'a, V: 'a, O: Encoded>(
    says: &'static str,
    input: &'a Input,
    value: V,
    encode: impl Fn(&V) -> O + 'a,
) -> Vec<Task<'a>> {
    let Some(item) = input.items.first() else {
        return Vec::new();
    };
    let once = encode(&value);
    assert!(once.octets() == Some(*item), "{says}: {} does not encode", input.name);
    vec![Task::new(says, REPEAT, move || {
        let mut accepted = 0;
        for _ in 0..REPEAT {
            let encoded = encode(black_box(&value));
            if let Some(octets) = encoded.octets() {
                black_box(octets);
                accepted += 1;
            }
        }
        accepted
    })]
}

/// The same into one buffer that keeps its capacity: `encode` appends, and the buffer is cleared each time.
pub fn encode_repeat_into<'a, V: 'a>(
    says: &'static str,
    input: &'a Input,
    value: V,
    encode: impl Fn(&V, &mut Vec<u8>) -> bool + 'a,
) -> Vec<Task<'a>> {
    let Some(item) = input.items.first() else {
        return Vec::new();
    };
    let mut buffer = Vec::with_capacity(1 << 12);
    assert!(
        encode(&value, &mut buffer) && buffer == *item,
        "{says}: {} does not encode",
        input.name
    );
    let task = Task::new(says, REPEAT, move || {
        let mut accepted = 0;
        for _ in 0..REPEAT {
            buffer.clear();
            accepted += u64::from(encode(black_box(&value), &mut buffer));
            black_box(buffer.as_slice());
        }
        accepted
    });
    vec![task.named("reused buffer")]
}

/// What "parse and read the fields" must have produced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields<A> {
    /// Octets of the serial number.
    pub serial: usize,
    /// Seconds since 1970.
    pub not_before: i64,
    /// Seconds since 1970.
    pub not_after: i64,
    /// The issuer as fresh text, in the library's own style.
    pub issuer: String,
    /// The subject as fresh text, in the library's own style.
    pub subject: String,
    /// The signature algorithm, in the library's cheapest form.
    pub algorithm: A,
    /// The key's algorithm, in the library's cheapest form.
    pub key_algorithm: A,
    /// Octets of the public key's BIT STRING.
    pub key: usize,
    /// Octets of the signature.
    pub signature: usize,
}

/// The same with every extension looked at and the signature algorithm as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllFields {
    /// The fields outside extensions; both algorithms as fresh dotted text.
    pub fields: Fields<String>,
    /// How many extensions.
    pub extensions: usize,
    /// How many of them are critical.
    pub critical: usize,
    /// Octets of all their values.
    pub value_octets: usize,
}

/// The value of the primitive inputs.
pub mod samples {
    /// `id` of the three-field SEQUENCE.
    pub const ID: i64 = 1_000_000;
    /// `data` of the three-field SEQUENCE.
    pub const DATA: [u8; 16] = [0x5a; 16];
    /// `level` of the nested SEQUENCE.
    pub const LEVEL: i64 = 7;
    /// The three constrained integers, by their type.
    pub const BOUNDED: (u8, u16, i64) = (200, 9_999, -1_000_000_000);
    /// The constrained integer of 16 bits with a sign.
    pub const SIGNED: i16 = -999;
}

/// The content octets of a primitive input with a short or two-octet length, to build values from.
#[must_use]
pub fn content(item: &[u8]) -> &[u8] {
    match item {
        [_, 0x81, _, content @ ..] | [_, 0x82, _, _, content @ ..] => content,
        [_, _, content @ ..] => content,
        _ => &[],
    }
}
