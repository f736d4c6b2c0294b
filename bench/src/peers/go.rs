//! Go's crypto/x509, as a shared library that is loaded when it is asked for. Whole rows run in Go.

use crate::parsed::{Extensions, Facts, Field, content_of_name, magnitude};
use crate::peer::{Clock, Input, Peer, Task};
use crate::rows::Op;
use libloading::Library;
use std::sync::OnceLock;

/// The adapter.
pub(super) struct Go;

const PARSE: &str = "`x509.ParseCertificate`. Checks names, times, key (decoded), every known extension's value, duplicates, negative \
    serials. Leaves: attribute alphabets beyond UTF-8 and PrintableString. Copies into Go structures; its collector's \
    threads are in the figure, for the clock is the process's";

const READ: &str = "The same, then `Name.String` twice and the fields; what crypto/x509 does not keep (OIDs, key bits) by `asn1.Unmarshal` of \
    the raw parts";

const ACCESS: &str = "Fields and methods of `x509.Certificate`; names as text by `Name.String`";

/// One certificate of a set, as Go takes it.
#[repr(C)]
struct Item {
    data: *const u8,
    len: i64,
}

/// The functions that `native/go` exports.
struct Functions {
    load: unsafe extern "C" fn(*const Item, i64) -> i64,
    unload: unsafe extern "C" fn(i64),
    parse: unsafe extern "C" fn(i64) -> i64,
    read: unsafe extern "C" fn(i64, i64) -> i64,
    index: unsafe extern "C" fn(i64) -> i64,
    chain: unsafe extern "C" fn(i64) -> i64,
    tree: unsafe extern "C" fn(i64) -> i64,
    threads: unsafe extern "C" fn(i64, i64) -> i64,
    access: unsafe extern "C" fn(i64, i64) -> i64,
    facts: unsafe extern "C" fn(i64, i64, *mut u8, i64) -> i64,
    version: unsafe extern "C" fn(*mut u8, i64) -> i64,
    heap: unsafe extern "C" fn(*mut u64, *mut u64),
}

fn go() -> &'static Functions {
    static LOADED: OnceLock<Functions> = OnceLock::new();
    LOADED.get_or_init(|| {
        let path = env!("TAGWISE_BENCH_GO");
        // SAFETY: it is the library that the build script made; its initialisation is that of Go's runtime.
        let library = unsafe { Library::new(path) };
        let library = Box::leak(Box::new(
            library.unwrap_or_else(|error| panic!("the Go peer does not load: {error}")),
        ));
        /// Looks a function up and trusts its type.
        macro_rules! function {
            ($name:literal) => {{
                // SAFETY: the types are those of `native/go/main.go`, and the library is never unloaded.
                let symbol = unsafe { library.get($name) };
                *symbol.unwrap_or_else(|error| panic!("the Go peer: {error}"))
            }};
        }
        Functions {
            load: function!("TagwiseLoad"),
            unload: function!("TagwiseUnload"),
            parse: function!("TagwiseParse"),
            read: function!("TagwiseRead"),
            index: function!("TagwiseIndex"),
            chain: function!("TagwiseChain"),
            tree: function!("TagwiseTree"),
            threads: function!("TagwiseThreads"),
            access: function!("TagwiseAccess"),
            facts: function!("TagwiseFacts"),
            version: function!("TagwiseVersion"),
            heap: function!("TagwiseHeap"),
        }
    })
}

/// A set that Go knows, for as long as the input lives.
struct Set<'a>(i64, std::marker::PhantomData<&'a Input>);

impl<'a> Set<'a> {
    fn new(items: impl Iterator<Item = &'a [u8]>) -> Self {
        let items: Vec<Item> = items
            .map(|item| Item {
                data: item.as_ptr(),
                len: item.len() as i64,
            })
            .collect();
        // SAFETY: the octets outlive the set, by its lifetime; Go keeps no pointer to the list itself.
        let number = unsafe { (go().load)(items.as_ptr(), items.len() as i64) };
        Self(number, std::marker::PhantomData)
    }
}

impl Drop for Set<'_> {
    fn drop(&mut self) {
        // SAFETY: the number is one that `load` gave.
        unsafe { (go().unload)(self.0) }
    }
}

fn task<'a>(says: &'static str, input: &'a Input, run: impl Fn(i64) -> i64 + 'a) -> Task<'a> {
    let set = Set::new(input.items.iter().copied());
    // The closure takes the whole set, which else were dropped here, and not its number alone.
    let run = move || {
        let set = &set;
        run(set.0).max(0) as u64
    };
    Task::new(says, input.items.len(), run).timed_by(Clock::Process)
}

impl Peer for Go {
    fn name(&self) -> &'static str {
        "go"
    }

    fn crates(&self) -> &'static [&'static str] {
        &[]
    }

    fn versions(&self) -> Vec<String> {
        let mut text = [0; 64];
        // SAFETY: there is room for as much as is said.
        let len = unsafe { (go().version)(text.as_mut_ptr(), text.len() as i64) };
        let text = text.get(..len.max(0) as usize).unwrap_or_default();
        vec![format!("crypto/x509 of {}", String::from_utf8_lossy(text))]
    }

    fn tasks<'a>(&self, op: Op, input: &'a Input) -> Vec<Task<'a>> {
        let go = go();
        // SAFETY, for all calls: the set is live as long as the task.
        let task = match op {
            Op::Outline | Op::Strict => task(PARSE, input, |set| unsafe { (go.parse)(set) }),
            Op::Fields => task(READ, input, |set| unsafe { (go.read)(set, 0) }),
            Op::AllFields => task(READ, input, |set| unsafe { (go.read)(set, 1) }),
            Op::Index => task(ACCESS, input, |set| unsafe { (go.index)(set) }),
            Op::Chain => task(PARSE, input, |set| unsafe { (go.chain)(set) }),
            Op::Tree => task(PARSE, input, |set| unsafe { (go.tree)(set) }),
            Op::Threads(count) | Op::ThreadsStrict(count) => {
                let says = "`x509.ParseCertificate` in as many goroutines";
                task(says, input, move |set| unsafe { (go.threads)(set, count as i64) }).timed_by(Clock::Wall)
            }
            Op::Access(field) => {
                let task = task(ACCESS, input, move |set| unsafe { (go.access)(set, number(field)) });
                // The first run parses; it also tells whether there is such a field.
                return offered(task);
            }
            // crypto/x509 does not encode what it parsed, and encoding/asn1 is another library.
            _ => return Vec::new(),
        };
        vec![task]
    }

    fn facts(&self, der: &[u8]) -> Option<Facts> {
        let set = Set::new(std::iter::once(der));
        let mut text = vec![0; 1 << 17];
        // SAFETY: there is room for as much as is said, and the set has one item.
        let len = unsafe { (go().facts)(set.0, 0, text.as_mut_ptr(), text.len() as i64) };
        text.truncate(usize::try_from(len).ok()?);
        Some(read(&String::from_utf8(text).ok()?))
    }

    fn own_heap(&self) -> Option<(u64, u64)> {
        let (mut calls, mut octets) = (0, 0);
        // SAFETY: two numbers to be written.
        unsafe { (go().heap)(&raw mut calls, &raw mut octets) };
        Some((calls, octets))
    }
}

fn offered(mut task: Task<'_>) -> Vec<Task<'_>> {
    if (task.run)() == 0 { Vec::new() } else { vec![task] }
}

/// The numbers of `TagwiseAccess`.
fn number(field: Field) -> i64 {
    match field {
        Field::Serial => 0,
        Field::Issuer => 1,
        Field::Subject => 2,
        Field::IssuerText => 3,
        Field::SubjectText => 4,
        Field::Validity => 5,
        Field::Signature => 9,
        Field::Extensions => 10,
        Field::BasicConstraints => 11,
        Field::Algorithm | Field::KeyAlgorithm | Field::Key => -1,
    }
}

/// The lines of `TagwiseFacts`.
fn read(text: &str) -> Facts {
    let line = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    let octets = |key: &str| line(key).and_then(unhex);
    let numbers: Vec<usize> = line("extensions")
        .map(|list| list.split(',').filter_map(|number| number.parse().ok()).collect())
        .unwrap_or_default();
    Facts {
        serial: octets("serial").map(|serial| magnitude(&serial)),
        issuer: octets("issuer").map(|name| content_of_name(&name)),
        subject: octets("subject").map(|name| content_of_name(&name)),
        not_before: line("before").and_then(|time| time.parse().ok()),
        not_after: line("after").and_then(|time| time.parse().ok()),
        algorithm: line("algorithm").map(str::to_owned),
        key_algorithm: line("keyAlgorithm").map(str::to_owned),
        key: octets("key"),
        signature: octets("signature"),
        extensions: match numbers[..] {
            [count, critical, octets] => Some(Extensions {
                count,
                critical,
                octets,
            }),
            _ => None,
        },
        ca: line("ca").map(|ca| ca.parse().ok()),
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    digits.collect()
}
