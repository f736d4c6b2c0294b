//! What works without an allocator: decoding, leniencies and their list, and encoding into a caller's buffer.
//!
//! Nothing here depends on a feature, so that `cargo test --no-default-features` runs all of it; that the codec then links
//! no allocator is for the compiler to say.
#![allow(clippy::unwrap_used, reason = "a test")]

use tagwise_codec::{
    Decode, Encode, FaultKind, Int, NamedBits, OctetStr, Oid, Open, Options, Raw, Reader, Rule, SeqOf, Session, SetOf,
    UnixTime, Unknown, UtcTime, encode_into, oid,
};
use tagwise_derive::Asn1;

/// ```asn1
/// Record ::= SEQUENCE {
///     version  [0] EXPLICIT INTEGER DEFAULT 0,
///     id           OBJECT IDENTIFIER,
///     value        OCTET STRING (CONTAINING of what id selects),
///     when         UTCTime OPTIONAL,
///     flags        BIT STRING { a (0), b (5) },
///     numbers      SEQUENCE SIZE (1..MAX) OF INTEGER,
///     names        SET OF Name }
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct Record<'a> {
    #[asn1(explicit = 0, default = 0)]
    version: u8,
    id: Oid<'a>,
    #[asn1(octet_string, defined_by = id)]
    value: Open<'a, Value<'a>>,
    when: Option<UtcTime>,
    flags: NamedBits<'a>,
    #[asn1(size(1..))]
    numbers: SeqOf<'a, u16>,
    names: SetOf<'a, Name<'a>>,
}

#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type)]
enum Value<'a> {
    #[asn1(oid = "2.5.29.1")]
    Number(Int<'a>),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// `Name ::= CHOICE { text [0] IMPLICIT OCTET STRING, number INTEGER }`
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(choice)]
enum Name<'a> {
    #[asn1(implicit = 0)]
    Text(OctetStr<'a>),
    Number(Int<'a>),
}

const RECORD: &[u8] = b"\x30\x2D\x06\x03\x55\x1D\x01\x04\x03\x02\x01\x05\x17\x0D250101000000Z\
    \x03\x02\x02\x84\x30\x06\x02\x01\x01\x02\x01\x02\x31\x06\x02\x01\x07\x80\x01\x61";

#[test]
fn decoding_and_encoding() {
    let record = Record::from_der(RECORD).unwrap();
    assert_eq!((record.version, record.id), (0, oid!("2.5.29.1")));
    assert_eq!(record.value.get().unwrap(), Value::Number(Int::from_signed(&[5])));
    assert!(record.flags.iter().eq([0, 5]));
    assert!(record.numbers.iter().map(Result::unwrap).eq([1, 2]));
    assert_eq!(record.names.iter().last().unwrap().unwrap(), Name::Text(OctetStr::new(b"a")));
    assert_eq!(record.encoded_len(), RECORD.len());
    let mut buffer = [0; 64];
    assert_eq!(encode_into(&record, &mut buffer).unwrap(), RECORD);
    let error = encode_into(&record, &mut [0; 10]).unwrap_err();
    assert_eq!(error.kind(), FaultKind::BufferTooSmall);
}

#[test]
fn values_made_by_hand() {
    let names = [Name::Text(OctetStr::new(b"a")), Name::Number(Int::from_signed(&[7]))];
    let record = Record {
        version: 0,
        id: oid!("2.5.29.1"),
        value: Open::new(oid!("2.5.29.1").as_bytes(), &[2, 1, 5]),
        when: Some(UtcTime::from_unix(UnixTime(1_735_689_600)).unwrap()),
        flags: NamedBits::from_bits([0, 5]).unwrap(),
        numbers: SeqOf::from_slice(&[1, 2]),
        // Not in the order of a SET OF: that is put right.
        names: SetOf::from_slice(&names),
    };
    let mut buffer = [0; 64];
    assert_eq!(encode_into(&record, &mut buffer).unwrap(), RECORD);
    assert_eq!(encode_into(&Raw::new(&record), &mut buffer).unwrap(), RECORD);
}

#[test]
fn errors_have_kind_and_offset() {
    let mut wrong = [0; RECORD.len()];
    wrong.copy_from_slice(RECORD);
    let month = 16;
    wrong[month..month + 2].copy_from_slice(b"13");
    let error = Record::from_der(&wrong).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.fault().detail()), (FaultKind::TimeMonth, month, 13));
    // The kind is all the same; the path is there with an allocator only.
    #[cfg(feature = "alloc")]
    assert_eq!(error.path(), "when");
    // An outline steps over what is deferred, not over times.
    assert_eq!(Record::outline(&wrong).unwrap_err().kind(), FaultKind::TimeMonth);
}

#[test]
fn deviations_are_listed() {
    // TRUE as 01, in a length of two octets.
    let loose = [1, 0x81, 1, 1];
    let session = Session::new(Options::ber_definite());
    let mut reader = Reader::with_session(&loose, &session).unwrap();
    assert!(reader.read::<bool>().unwrap());
    reader.finish().unwrap();
    assert_eq!(session.noted(), 2);
    #[cfg(not(feature = "alloc"))]
    let noted = session.deviations();
    #[cfg(feature = "alloc")]
    let noted = session.into_deviations().into_iter();
    let expected = [(&Rule::LONG_LENGTH, 1), (&Rule::BOOLEAN_VALUE, 3)];
    assert!(noted.map(|note| (note.rule, note.offset)).eq(expected));
}
