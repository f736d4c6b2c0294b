//! What other ASN.1 libraries were seen to get wrong in their codecs, by running them: regressions to never have.
//!
//! The comment above each test says what happened there.
#![cfg(feature = "dynamic")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

use std::cell::RefCell;
use std::fmt::Debug;
use std::thread;

use tagwise_codec::{
    Any, BitStr, Budget, Decode, DecodeValue, EncodeError, EncodeValue, Fault, FaultKind, GeneralizedTime, Int, Null,
    OctetStr, Oid, Open, Options, Raw, Reader, Real, SeqOf, SetOf, Tag, Tagged, Typed, Unknown, UtcTime, Writer,
    encode, oid, table,
};
use tagwise_derive::Asn1;

#[path = "agree/mod.rs"]
mod agree;

#[track_caller]
fn refused<'a, T: Decode<'a> + Debug>(input: &'a [u8], kind: FaultKind, offset: usize) {
    if input.len() < 64 {
        agree::agree_around::<T>(input);
    } else {
        agree::agree::<T>(input);
    }
    let error = T::from_der(input).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (kind, offset), "{error}");
}

/// An element of any size.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    match content.len() {
        len @ 0..=0x7F => out.push(len as u8),
        len => {
            let octets = (len as u32).to_be_bytes();
            let skip = octets.iter().take_while(|octet| **octet == 0).count();
            out.push(0x84 - skip as u8);
            out.extend(&octets[skip..]);
        }
    }
    out.extend(content);
    out
}

/// `levels` times `tag` around `content`; written back to front, for wrapping again and again would take quadratic time.
fn nested(tag: u8, levels: usize, content: &[u8]) -> Vec<u8> {
    let mut reversed: Vec<u8> = content.iter().rev().copied().collect();
    for _ in 0..levels {
        let len = (reversed.len() as u32).to_be_bytes();
        match reversed.len() {
            len @ 0..=0x7F => reversed.push(len as u8),
            _ => {
                let skip = len.iter().take_while(|octet| **octet == 0).count();
                reversed.extend(len[skip..].iter().rev());
                reversed.push(0x84 - skip as u8);
            }
        }
        reversed.push(tag);
    }
    reversed.reverse();
    reversed
}

// ---- Panics -----------------------------------------------------------------------------------------------------

// synta 0.5.1 sliced the text of a UTCTime at fixed octets, in the middle of a two-octet character: a panic, which aborts
// callers from C.
#[test]
fn a_two_octet_character_in_a_time() {
    for at in 0..12 {
        let mut text = *b"250131235959Z";
        text[at..at + 2].copy_from_slice("é".as_bytes());
        refused::<UtcTime>(&element(0x17, &text), FaultKind::TimeSyntax, 2 + at);
        let mut text = *b"20250131235959Z";
        text[at..at + 2].copy_from_slice("é".as_bytes());
        refused::<GeneralizedTime<'_>>(&element(0x18, &text), FaultKind::TimeSyntax, 2 + at);
    }
    // At the end, and where the octets are one too many.
    refused::<UtcTime>(&element(0x17, "25013123595é".as_bytes()), FaultKind::TimeSyntax, 13);
    refused::<UtcTime>(&element(0x17, "250131235959é".as_bytes()), FaultKind::TimeSyntax, 14);
}

// ---- Stack ------------------------------------------------------------------------------------------------------

/// `Chain ::= CHOICE { end NULL, next [0] EXPLICIT Chain }`
#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(choice, boxed)]
enum Chain {
    End,
    #[asn1(explicit = 0)]
    Next(Box<Chain>),
}

/// `Tree ::= SEQUENCE { value INTEGER OPTIONAL, children SEQUENCE OF Tree }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Tree<'a> {
    value: Option<Int<'a>>,
    children: SeqOf<'a, Tree<'a>>,
}

/// 64 KiB, or eight times as much where the compiler does not optimize.
fn small_stack() -> usize {
    if stack_taken(0xA0) < 1024 { 64 << 10 } else { 512 << 10 }
}

fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(small_stack()).spawn(run).unwrap().join().unwrap();
}

const DEEPEST: Budget = Budget { depth: u8::MAX, ..Budget::DEFAULT };

// synta 0.5.1 started a fresh decoder, with a fresh depth, for each of 60,000 nested [0]: a stack overflow. Here they are
// refused at the budget's depth, on a small stack, whatever budget the caller asks for.
#[test]
fn sixty_thousand_nested_tags() {
    on_a_small_stack(|| {
        let deep = nested(0xA0, 60_000, &[5, 0]);
        for (options, depth) in [(Options::der(), 64), (Options::der().budget(DEEPEST), 128)] {
            let offset = (0..=depth).map(|level| header_len(&deep, level)).sum::<usize>();
            let error = options.decode::<Any<'_>>(&deep).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (FaultKind::DepthExceeded, offset), "{error}");
            let error = options.decode::<Chain>(&deep).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (FaultKind::DepthExceeded, offset), "{error}");
            // The path leads there as well, and stops somewhere.
            assert!(error.path().starts_with("next.next.next") && error.path().len() < 2_000);
        }
        let trees = nested(0x30, 60_000, &[]);
        let error = Options::der().budget(DEEPEST).decode::<Tree<'_>>(&trees).unwrap_err();
        assert_eq!(error.kind(), FaultKind::DepthExceeded);
    });
}

/// The size of the identifier and length `level` levels down.
fn header_len(input: &[u8], level: usize) -> usize {
    let start = (0..level).fold(0, |at, _| at + header_at(input, at));
    header_at(input, start)
}

fn header_at(input: &[u8], at: usize) -> usize {
    match input[at + 1] {
        0..=0x7F => 2,
        form => 2 + usize::from(form & 0x7F),
    }
}

// What the budget allows is read, on the same stack.
#[test]
fn the_deepest_nesting_allowed() {
    on_a_small_stack(|| {
        let options = Options::der().budget(DEEPEST);
        let deep = nested(0xA0, 128, &[5, 0]);
        let chain = options.decode::<Chain>(&deep).unwrap().value;
        assert_eq!(encode(&chain).unwrap(), deep);
        let any = options.decode::<Any<'_>>(&deep).unwrap().value;
        assert_eq!(any.as_bytes(), deep);
        let trees = nested(0x30, 128, &[]);
        assert!(options.decode::<Tree<'_>>(&trees).is_ok());
    });
}

thread_local! {
    /// Where on the stack each [`Probe`] was read.
    static SEEN: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// `INTEGER`, which notes where on the stack it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Probe(u8);

impl Typed for Probe {
    fn ty() -> &'static table::Type {
        u8::ty()
    }
}

impl Tagged for Probe {
    const TAG: Tag = Tag::INTEGER;
}

impl<'a> DecodeValue<'a> for Probe {
    fn decode_value(reader: &mut Reader<'a, '_>, len: usize) -> Result<Self, Fault> {
        note();
        u8::decode_value(reader, len).map(Self)
    }
}

impl EncodeValue for Probe {
    fn value_len(&self) -> usize {
        self.0.value_len()
    }

    fn encode_value(&self, writer: &mut Writer<'_>) -> Result<(), EncodeError> {
        self.0.encode_value(writer)
    }
}

#[inline(never)]
fn note() {
    let here = 0u8;
    SEEN.with_borrow_mut(|seen| seen.push(std::ptr::from_ref(&here).addr()));
}

/// ```asn1
/// Probed ::= SEQUENCE {
///     value    INTEGER,
///     owner    OCTET STRING OPTIONAL,
///     critical BOOLEAN DEFAULT FALSE,
///     inner    [0] EXPLICIT Probed OPTIONAL,
///     list     [1] IMPLICIT SEQUENCE OF Probed OPTIONAL }
/// ```
#[derive(Asn1, Clone, Debug, PartialEq)]
struct Probed<'a> {
    value: Probe,
    owner: Option<OctetStr<'a>>,
    #[asn1(default = false)]
    critical: bool,
    #[asn1(explicit = 0)]
    inner: Option<Box<Probed<'a>>>,
    #[asn1(implicit = 1)]
    list: Option<SeqOf<'a, Probed<'a>>>,
}

/// The most that one `Probed` takes on the stack, for what it is nested in.
fn stack_taken(tag: u8) -> usize {
    let mut der = element(0x30, &[2, 1, 0]);
    for _ in 0..30 {
        der = element(0x30, &[&[2, 1, 0], element(tag, &der).as_slice()].concat());
    }
    SEEN.take();
    Probed::from_der(&der).unwrap();
    let seen = SEEN.take();
    assert!(seen.len() >= 31);
    seen.windows(2).map(|pair| pair[0].saturating_sub(pair[1])).max().unwrap()
}

// Nobody says what a level costs. Here it is measured: two levels of the budget (the SEQUENCE, and the tag or the list that
// it stands in) must stay so small that the deepest nesting fits on a small stack.
#[test]
fn the_stack_that_a_level_takes() {
    let (tagged, listed) = (stack_taken(0xA0), stack_taken(0xA1));
    println!("stack for two levels: {tagged} bytes in an explicit tag, {listed} bytes in a SEQUENCE OF");
    assert!(tagged.max(listed) * usize::from(Budget::MAX_DEPTH) / 2 < small_stack() * 3 / 4, "{tagged}, {listed}");
}

// ---- Accepted although it is not DER ----------------------------------------------------------------------------

/// `Three ::= SEQUENCE { a INTEGER, b BOOLEAN, c NULL }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Three {
    a: u8,
    b: bool,
    c: Null,
}

// SEQUENCEs that synta 0.5.1's derive read ended where the last component did: a fourth element went unnoticed.
#[test]
fn a_fourth_element() {
    let der = [0x30, 8, 2, 1, 5, 1, 1, 0xFF, 5, 0];
    assert_eq!(Three::from_der(&der).unwrap(), Three { a: 5, b: true, c: Null });
    refused::<Three>(&[0x30, 10, 2, 1, 5, 1, 1, 0xFF, 5, 0, 5, 0], FaultKind::TrailingData, 10);
    refused::<SeqOf<'_, Three>>(
        &element(0x30, &[&der[..], &[0x30, 10, 2, 1, 5, 1, 1, 0xFF, 5, 0, 5, 0]].concat()),
        FaultKind::TrailingData,
        22,
    );
}

/// `Tagged ::= SEQUENCE { owned [3] EXPLICIT Chain, octets [4] IMPLICIT OCTET STRING }`
#[derive(Asn1, Clone, Debug, PartialEq)]
struct Tags {
    #[asn1(explicit = 3)]
    owned: Box<Chain>,
    #[asn1(implicit = 4)]
    number: u64,
}

// synta 0.5.1 took any tag for a tagged field whose type owns its value.
#[test]
fn tagged_fields_take_their_own_tag_only() {
    let der = [0x30, 7, 0xA3, 2, 5, 0, 0x84, 1, 5];
    assert_eq!(Tags::from_der(&der).unwrap(), Tags { owned: Box::new(Chain::End), number: 5 });
    for first in [0xA2, 0xA4, 0x63, 0xE3, 0x23, 0x30, 0x05] {
        let mut wrong = der;
        wrong[2] = first;
        refused::<Tags>(&wrong, FaultKind::UnexpectedTag, 2);
    }
    for second in [0x83, 0x85, 0x44, 0xC4, 0x04, 0x02] {
        let mut wrong = der;
        wrong[6] = second;
        refused::<Tags>(&wrong, FaultKind::UnexpectedTag, 6);
    }
    refused::<Tags>(&[0x30, 7, 0x83, 2, 5, 0, 0x84, 1, 5], FaultKind::ConstructedExpected, 2);
    refused::<Tags>(&[0x30, 7, 0xA3, 2, 5, 0, 0xA4, 1, 5], FaultKind::PrimitiveExpected, 6);
}

// Accepted as DER by synta 0.5.1, in typed fields and in the elements that no schema describes.
#[test]
fn padded_object_identifiers() {
    for padded in [&[6, 3, 0x80, 0x55, 4][..], &[6, 3, 0x55, 0x80, 4], &[6, 4, 0x55, 0x80, 0x80, 4]] {
        let at = padded.iter().position(|octet| *octet == 0x80).unwrap();
        refused::<Oid<'_>>(padded, FaultKind::OidPadded, at);
        refused::<Any<'_>>(padded, FaultKind::OidPadded, at);
        refused::<Any<'_>>(&element(0x30, padded), FaultKind::OidPadded, at + 2);
    }
    refused::<Oid<'_>>(&[6, 2, 0x55, 0x84], FaultKind::OidTruncated, 4);
    refused::<Oid<'_>>(&[6, 0], FaultKind::OidEmpty, 2);
}

// The same: a tag below 31 in the form for those from 31 on.
#[test]
fn the_high_form_of_low_tags() {
    refused::<Any<'_>>(&[0x1F, 2, 1, 5], FaultKind::TagNotMinimal, 0);
    refused::<Int<'_>>(&[0x1F, 2, 1, 5], FaultKind::TagNotMinimal, 0);
    refused::<Three>(&[0x3F, 0x10, 8, 2, 1, 5, 1, 1, 0xFF, 5, 0], FaultKind::TagNotMinimal, 0);
    refused::<Tags>(&[0x30, 8, 0xA3, 2, 5, 0, 0x9F, 4, 1, 5], FaultKind::TagNotMinimal, 6);
    refused::<Any<'_>>(&[0x5F, 0x80, 0x1F, 0], FaultKind::TagNotMinimal, 0);
}

// The same: seven unused bits of no octets.
#[test]
fn unused_bits_of_nothing() {
    refused::<BitStr<'_>>(&[3, 1, 7], FaultKind::BitStringUnused, 2);
    refused::<Any<'_>>(&[3, 1, 7], FaultKind::BitStringUnused, 2);
    refused::<BitStr<'_>>(&[3, 0], FaultKind::BitStringEmpty, 2);
}

// The same: elements of a SET OF in the order they were written.
#[test]
fn unsorted_sets() {
    refused::<SetOf<'_, u8>>(&[0x31, 6, 2, 1, 2, 2, 1, 1], FaultKind::SetOfOrder, 5);
    // Signed order is not the order of encodings, and equal elements are in order.
    assert!(SetOf::<i8>::from_der(&[0x31, 9, 2, 1, 1, 2, 1, 1, 2, 1, 0xFF]).is_ok());
    // What is encoded is sorted.
    assert_eq!(encode(&SetOf::from_slice(&[2u8, 1])).unwrap(), [0x31, 6, 2, 1, 1, 2, 1, 2]);
}

// The same: dates that no calendar has, and numbers as a lenient parser of integers takes them.
#[test]
fn impossible_times() {
    refused::<UtcTime>(&element(0x17, b"250231000000Z"), FaultKind::TimeDay, 6);
    refused::<GeneralizedTime<'_>>(&element(0x18, b"20250231000000Z"), FaultKind::TimeDay, 8);
    refused::<GeneralizedTime<'_>>(&element(0x18, b"21000229000000Z"), FaultKind::TimeDay, 8);
    refused::<UtcTime>(&element(0x17, b"+1+1+1+1+1+1Z"), FaultKind::TimeSyntax, 2);
    refused::<UtcTime>(&element(0x17, b"+1+1+1Z"), FaultKind::TimeSyntax, 2);
    refused::<UtcTime>(&element(0x17, b"25 131000000Z"), FaultKind::TimeSyntax, 4);
    refused::<GeneralizedTime<'_>>(&element(0x18, b"+0250101000000Z"), FaultKind::TimeSyntax, 2);
    refused::<Any<'_>>(&element(0x17, b"250231000000Z"), FaultKind::TimeDay, 6);
}

/// `Extension ::= SEQUENCE { critical BOOLEAN DEFAULT FALSE, version [0] EXPLICIT INTEGER DEFAULT 0 }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Defaults {
    #[asn1(default = false)]
    critical: bool,
    #[asn1(explicit = 0, default = 0)]
    version: u8,
}

// The same: `critical FALSE` and `version v1` written out.
#[test]
fn explicit_defaults() {
    refused::<Defaults>(&[0x30, 3, 1, 1, 0], FaultKind::DefaultEncoded, 2);
    refused::<Defaults>(&[0x30, 8, 1, 1, 0xFF, 0xA0, 3, 2, 1, 0], FaultKind::DefaultEncoded, 5);
    assert_eq!(encode(&Defaults { critical: false, version: 0 }).unwrap(), [0x30, 0]);
}

// The same: REAL in forms that X.690 §11.3 does not allow.
#[test]
fn real_that_is_not_canonical() {
    refused::<Real<'_>>(&[9, 3, 0x80, 0, 2], FaultKind::RealNotCanonical, 4);
    refused::<Real<'_>>(&[9, 3, 0xA0, 1, 1], FaultKind::RealNotCanonical, 2);
    refused::<Real<'_>>(b"\x09\x04\x021.5", FaultKind::RealNotCanonical, 2);
    refused::<Any<'_>>(&[9, 3, 0x80, 0, 2], FaultKind::RealNotCanonical, 4);
}

// asn1crypto (in its strict mode), pyasn1, rasn, x509-parser and webpki accept a certificate whose serial number is padded.
#[test]
fn padded_serial_numbers() {
    for (padded, at) in [(&[2, 2, 0, 5][..], 2), (&[2, 2, 0xFF, 0x80], 2), (&[2, 3, 0, 0, 0x80], 2)] {
        refused::<Int<'_>>(padded, FaultKind::IntegerPadded, at);
        refused::<i32>(padded, FaultKind::IntegerPadded, at);
        refused::<Any<'_>>(&element(0x30, padded), FaultKind::IntegerPadded, at + 2);
    }
}

// ---- Refused although it is DER ---------------------------------------------------------------------------------

// Arcs were 32-bit numbers: 2.25 with a UUID below it did not decode, or printed as another number.
#[test]
fn arcs_of_any_size() {
    let uuid = oid!("2.25.329800735698586629295641978511506172918");
    let der = encode(&uuid).unwrap();
    assert_eq!(Oid::from_der(&der).unwrap().to_string(), "2.25.329800735698586629295641978511506172918");
    assert_eq!(uuid.arcs().nth(2).unwrap().to_u128(), Some(329_800_735_698_586_629_295_641_978_511_506_172_918));
    // More than 128 bits: 2^140, and the largest second arc of 2 that fits nothing.
    assert_eq!(
        oid!("2.1393796574908163946345982392040522594123776").to_string(),
        "2.1393796574908163946345982392040522594123776"
    );
    // A long one stays readable, and takes linear time.
    let long = element(6, &[&[0x2A][..], &[0xFF; 100_000], &[0x7F]].concat());
    assert!(Oid::from_der(&long).unwrap().to_string().len() > 100_000);
}

// 16 MiB was the most that some take: real CRLs are larger.
#[test]
fn more_than_16_mib() {
    // 20 MiB of INTEGERs, in a SEQUENCE OF and in an element that no schema describes.
    let item = encode(&Int::from_signed(&[5; 1_000])).unwrap();
    let count = (20 << 20) / item.len();
    let der = element(0x30, &item.repeat(count));
    assert!(der.len() > 16 << 20);
    let items = SeqOf::<Int<'_>>::from_der(&der).unwrap();
    assert_eq!(items.len(), count);
    assert_eq!(items.iter().last().unwrap().unwrap().as_bytes(), [5; 1_000]);
    assert!(Any::from_der(&der).is_ok());
    assert_eq!(encode(&items).unwrap().len(), der.len());
    // An OCTET STRING of 20 MiB, and a fault at the end of it all.
    let octets = vec![0xAA; 20 << 20];
    let der = element(0x04, &octets);
    assert_eq!(OctetStr::from_der(&der).unwrap().len(), octets.len());
    let mut two = der;
    two.extend([5, 1, 0]);
    let der = element(0x30, &two);
    let error = SeqOf::<Any<'_>>::from_der(&der).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.path()), (FaultKind::NullLength, der.len() - 1, "[1]"));
}

// ---- Wrong positions --------------------------------------------------------------------------------------------

/// `Outer ::= SEQUENCE { id OBJECT IDENTIFIER, value OCTET STRING (CONTAINING of what id selects) }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Outer<'a> {
    id: Oid<'a>,
    #[asn1(octet_string, defined_by = id)]
    value: Open<'a, Known<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type)]
enum Known<'a> {
    #[asn1(oid = "2.5.29.1")]
    Three(Three),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

// Decoders over an inner slice counted from its start, so that an error in an extension was reported near byte 0; and the
// position was taken after the tag (4 where 10 was right).
#[test]
fn offsets_are_those_of_the_input() {
    // SEQUENCE { OID, OCTET STRING { SEQUENCE { 5, TRUE, a NULL with content } } }
    let der = [0x30, 19, 6, 3, 0x55, 0x1D, 1, 4, 12, 0x30, 10, 2, 1, 5, 1, 1, 0xFF, 5, 2, 0, 0];
    let error = Outer::from_der(&der).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.path()), (FaultKind::NullLength, 19, "value.c"));
    // The same from deeper inside.
    let list = element(
        0x30,
        &[&element(0x30, &[&[6, 3, 0x55, 0x1D, 2], &element(4, &[0; 300])[..]].concat())[..], &der].concat(),
    );
    let error = SeqOf::<Outer<'_>>::from_der(&list).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.path()), (FaultKind::NullLength, list.len() - 2, "[1].value.c"));
    // A wrong tag is where its identifier is.
    let mut wrong = der;
    wrong[17] = 4;
    let error = Outer::from_der(&wrong).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.path()), (FaultKind::UnexpectedTag, 17, "value.c"));
    assert_eq!(error.to_string(), "value.c: expected NULL, found OCTET STRING, at byte 17 (X.690 §8.1.2)");
    // What was deferred is decoded late, and still counts from the start.
    let outline = SeqOf::<Outer<'_>>::outline(&list).unwrap();
    let late = outline.iter().nth(1).unwrap().unwrap();
    assert_eq!(late.value.get().unwrap_err().offset(), list.len() - 2);
    let outer = Raw::<Outer<'_>>::outline(&der).unwrap();
    assert_eq!(outer.get().unwrap_err().offset(), 19);
    let outer = Outer::outline(&der).unwrap();
    assert_eq!(outer.value.get().unwrap_err().offset(), 19);
}

// A length that runs past what contains it was clamped to the input, so that a value ended in its parent's neighbour.
#[test]
fn lengths_stay_in_their_container() {
    refused::<SeqOf<'_, SeqOf<'_, OctetStr<'_>>>>(&[0x30, 8, 0x30, 2, 4, 1, 4, 2, 0, 0], FaultKind::LengthOverrun, 5);
    refused::<Any<'_>>(&[0x30, 8, 0x30, 2, 4, 1, 4, 2, 0, 0], FaultKind::LengthOverrun, 5);
    let mut reader = Reader::new(&[0x30, 2, 4, 1, 0xAA]).unwrap();
    let fault = reader.element(Tag::SEQUENCE, |reader| reader.read::<OctetStr<'_>>().map(|_| ())).unwrap_err();
    assert_eq!((fault.kind(), fault.offset()), (FaultKind::LengthOverrun, 3));
}
