//! Open types governed by object sets; strings that hold encodings; named bits.
#![allow(missing_docs, clippy::unwrap_used)]

use tagwise_codec::table::{Shape, TypeRef};
use tagwise_codec::{
    Any, BitStr, Decode, DecodeOpen, Encode, FaultKind, Int, NamedBits, Null, OctetStr, Oid, Open, OpenType, Options,
    Registered, Rule, Typed, Unknown, encode, oid,
};
use tagwise_derive::Asn1;

#[path = "../../codec/tests/agree/mod.rs"]
mod agree;

fn refused<'a, T: Decode<'a> + std::fmt::Debug>(der: &'a [u8]) -> (FaultKind, usize) {
    agree::agree_around::<T>(der);
    let error = T::from_der(der).unwrap_err();
    (error.kind(), error.offset())
}

fn both_ways<'a, T: Decode<'a> + Encode + std::fmt::Debug + PartialEq>(value: &T, der: &'a [u8]) {
    agree::agree_around::<T>(der);
    assert_eq!(encode(value).unwrap(), der);
    assert_eq!(T::from_der(der).unwrap(), *value);
}

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
#[asn1(named_bits(digital_signature = 0, content_commitment("nonRepudiation") = 1, crl_sign = 6, decipher_only = 8))]
struct KeyUsage<'a>(NamedBits<'a>);

#[test]
fn named_bits() {
    let usage = KeyUsage::from_der(&[3, 2, 1, 0x82]).unwrap();
    assert!(usage.digital_signature() && usage.crl_sign());
    assert!(!usage.content_commitment() && !usage.decipher_only());
    assert_eq!(refused::<KeyUsage<'_>>(&[3, 2, 0, 0x82]), (FaultKind::NamedBitsTrailing, 3));
    let Shape::BitString(bits) = &KeyUsage::ty().shape else { panic!() };
    let bits: Vec<(&str, i64)> = bits.iter().map(|bit| (&*bit.name, bit.number)).collect();
    assert_eq!(bits, [("digitalSignature", 0), ("nonRepudiation", 1), ("crlSign", 6), ("decipherOnly", 8)]);
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(open_type, name = "Extensions")]
enum ExtensionValue<'a> {
    #[asn1(oid = "2.5.29.15")]
    KeyUsage(KeyUsage<'a>),
    #[asn1(oid = "2.5.29.19", name = "basicConstraints")]
    Constraints(bool),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

#[derive(Asn1, Debug, PartialEq, Clone)]
struct Extension<'a> {
    #[asn1(name = "extnID")]
    id: Oid<'a>,
    #[asn1(default = false)]
    critical: bool,
    #[asn1(defined_by = id, octet_string)]
    value: ExtensionValue<'a>,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
struct LazyExtension<'a> {
    id: Oid<'a>,
    #[asn1(defined_by = id, octet_string)]
    value: Open<'a, ExtensionValue<'a>>,
}

const KEY_USAGE: &[u8] = &[0x30, 11, 6, 3, 0x55, 0x1D, 15, 4, 4, 3, 2, 1, 0x82];
const UNKNOWN: &[u8] = &[0x30, 9, 6, 3, 0x55, 0x1D, 99, 4, 2, 0xCA, 0xFE];

#[test]
fn at_once() {
    let extension = Extension::from_der(KEY_USAGE).unwrap();
    let ExtensionValue::KeyUsage(usage) = &extension.value else { panic!() };
    assert!(usage.crl_sign());
    assert_eq!(encode(&extension).unwrap(), KEY_USAGE);
    // What an OCTET STRING holds need not be DER where its type is unknown.
    let extension = Extension::from_der(UNKNOWN).unwrap();
    let ExtensionValue::Unknown(unknown) = &extension.value else { panic!() };
    assert_eq!((unknown.bytes, unknown.offset, unknown.key), (&[0xCA, 0xFE][..], 9, &[0x55, 0x1D, 99][..]));
    assert_eq!(encode(&extension).unwrap(), UNKNOWN);
    // A BOOLEAN where a BIT STRING should be, with the offset in the whole.
    let der = [0x30, 10, 6, 3, 0x55, 0x1D, 15, 4, 3, 1, 1, 0xFF];
    assert_eq!(refused::<Extension<'_>>(&der), (FaultKind::UnexpectedTag, 9));
    // Something after the value.
    let der = [0x30, 12, 6, 3, 0x55, 0x1D, 19, 4, 5, 1, 1, 0xFF, 5, 0];
    assert_eq!(refused::<Extension<'_>>(&der), (FaultKind::TrailingData, 12));
}

#[test]
fn later() {
    let extension = LazyExtension::from_der(KEY_USAGE).unwrap();
    assert_eq!(extension.value.as_bytes(), &KEY_USAGE[9..]);
    assert!(matches!(extension.value.get().unwrap(), ExtensionValue::KeyUsage(_)));
    assert_eq!(encode(&extension).unwrap(), KEY_USAGE);
    // Checked all the same,
    let der = [0x30, 10, 6, 3, 0x55, 0x1D, 15, 4, 3, 1, 1, 0xFF];
    assert_eq!(refused::<LazyExtension<'_>>(&der), (FaultKind::UnexpectedTag, 9));
    // but not by an outline.
    let extension = LazyExtension::outline(&der).unwrap();
    assert_eq!(extension.value.get().unwrap_err().offset(), 9);
    let read = Options::der().allow(&Rule::OPEN_TYPE).decode::<LazyExtension<'_>>(&der).unwrap();
    assert_eq!(read.deviations[0].offset, 9);
}

#[test]
fn registered_by_the_user() {
    let registered = [Registered::new(
        "Extensions",
        oid!("2.5.29.99"),
        |reader| reader.read::<u8>().map(|_| ()),
        TypeRef::of::<u8>(),
    )];
    let options = Options::der().register(&registered);
    let der = [0x30, 10, 6, 3, 0x55, 0x1D, 99, 4, 3, 2, 1, 5];
    assert!(options.decode::<LazyExtension<'_>>(&der).is_ok());
    assert_eq!(options.decode::<Extension<'_>>(UNKNOWN).unwrap_err().offset(), 9);
}

#[derive(Asn1, Debug, PartialEq, Clone)]
struct Algorithm<'a> {
    algorithm: Oid<'a>,
    #[asn1(defined_by = algorithm)]
    parameters: Option<Parameters<'a>>,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(open_type)]
enum Parameters<'a> {
    #[asn1(oid = "1.2.840.113549.1.1.1")]
    Rsa(Null),
    #[asn1(oid = "2.25.329800735698586629295641978511506172918")]
    Uuid(Int<'a>),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

#[derive(Asn1, Debug, PartialEq, Clone)]
struct Numbered<'a> {
    #[asn1(explicit = 1)]
    number: Int<'a>,
    #[asn1(explicit = 2, defined_by = number, octet_string)]
    data: Data<'a>,
    #[asn1(implicit = 3, defined_by = number, bit_string)]
    more: Option<Data<'a>>,
    #[asn1(explicit = 4, defined_by = number)]
    bare: Option<Data<'a>>,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
#[asn1(open_type)]
enum Data<'a> {
    #[asn1(number = 2)]
    Two(bool),
    #[asn1(number = -129)]
    Negative(u8),
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

#[test]
fn without_a_string() {
    let rsa = [0x30, 13, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 13, 1, 1, 1, 5, 0];
    let algorithm = oid!("1.2.840.113549.1.1.1");
    both_ways(&Algorithm { algorithm, parameters: Some(Parameters::Rsa(Null)) }, &rsa);
    let absent = [0x30, 11, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 13, 1, 1, 1];
    both_ways(&Algorithm { algorithm, parameters: None }, &absent);
    assert!(Parameters::knows(oid!("2.25.329800735698586629295641978511506172918").as_bytes()));
    // An unknown one is one element.
    assert_eq!(refused::<Algorithm<'_>>(&[0x30, 7, 6, 1, 0x2A, 5, 0, 5, 0]), (FaultKind::TrailingData, 7));
    assert_eq!(refused::<Algorithm<'_>>(&[0x30, 6, 6, 1, 0x2A, 2, 1, 5, 0]).0, FaultKind::TrailingData);
}

#[test]
fn selected_by_a_number() {
    let der = [
        0x30, 24, 0xA1, 3, 2, 1, 2, 0xA2, 5, 4, 3, 1, 1, 0xFF, // number, data
        0x83, 4, 0, 1, 1, 0, 0xA4, 3, 1, 1, 0, // more, bare
    ];
    let der = { [&der[..1], &[(der.len() - 2) as u8], &der[2..]].concat() };
    let value = Numbered {
        number: Int::from_signed(&[2]),
        data: Data::Two(true),
        more: Some(Data::Two(false)),
        bare: Some(Data::Two(false)),
    };
    assert_eq!(encode(&value).unwrap(), der);
    assert_eq!(Numbered::from_der(&der).unwrap(), value);
    let der = [0x30, 13, 0xA1, 4, 2, 2, 0xFF, 0x7F, 0xA2, 5, 4, 3, 2, 1, 9];
    assert_eq!(Numbered::from_der(&der).unwrap().data, Data::Negative(9));
}

#[derive(Asn1, Debug, PartialEq, Clone, Copy)]
struct AlgorithmId<'a> {
    oid: Oid<'a>,
}

#[derive(Asn1, Debug, PartialEq, Clone)]
struct Key<'a> {
    algorithm: AlgorithmId<'a>,
    #[asn1(defined_by = algorithm.oid, bit_string, name = "subjectPublicKey")]
    key: Parameters<'a>,
    #[asn1(containing)]
    number: Option<u8>,
    #[asn1(containing, bit_string, implicit = 0)]
    bits: Option<Any<'a>>,
}

#[test]
fn selected_by_a_part_of_a_component() {
    let der = [
        0x30, 30, 0x30, 11, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 13, 1, 1, 1, // algorithm
        3, 3, 0, 5, 0, // key
        4, 3, 2, 1, 7, // number
        0x80, 5, 0, 4, 2, 1, 2, // bits
    ];
    let key = Key::from_der(&der).unwrap();
    assert_eq!((&key.key, key.number), (&Parameters::Rsa(Null), Some(7)));
    assert_eq!(key.bits.unwrap().decode_as::<OctetStr<'_>>().unwrap().as_bytes(), [1, 2]);
    assert_eq!(encode(&key).unwrap(), der);
    let Shape::Sequence(fields) = &Key::ty().shape else { panic!() };
    assert_eq!(&*fields.list[1].ty.get(None).unwrap().name, &*BitStr::ty().name);
    let Shape::Open { set, selector } = &fields.list[1].containing.unwrap().get(None).unwrap().shape else { panic!() };
    assert_eq!(&**selector, "algorithm.oid");
    assert_eq!(set.unwrap().get(None).unwrap().objects.len(), 2);
    assert_eq!(&*fields.list[2].containing.unwrap().get(None).unwrap().name, "INTEGER");
}

#[test]
fn the_table_says_the_same() {
    let set = <ExtensionValue<'_> as DecodeOpen<'_>>::governing();
    assert_eq!((&*set.name, set.extensible), ("Extensions", true));
    assert_eq!(&*set.find(&[0x55, 0x1D, 19]).unwrap().name, "basicConstraints");
    let Shape::Sequence(fields) = &Extension::ty().shape else { panic!() };
    let Shape::Open { selector, .. } = &fields.list[2].containing.unwrap().get(None).unwrap().shape else { panic!() };
    assert_eq!(&**selector, "extnID");
    let Shape::Sequence(fields) = &Algorithm::ty().shape else { panic!() };
    assert!(matches!(fields.list[1].ty.get(None).unwrap().shape, Shape::Open { .. }));
}

/// X.690 §10.3: what selects comes after what it selects where its tag is the higher one.
mod in_a_set {
    use super::*;
    use tagwise_codec::{Utf8, ber};

    /// `Chosen ::= SET { value [0] CHOSEN.&Type({Choices}{@.kind}), kind [1] INTEGER, note [2] NULL OPTIONAL }`
    #[derive(Asn1, Debug, PartialEq)]
    #[asn1(set)]
    struct Chosen<'a> {
        #[asn1(explicit = 0, defined_by = kind)]
        value: Choice<'a>,
        #[asn1(implicit = 1)]
        kind: Int<'a>,
        #[asn1(implicit = 2)]
        note: Option<Null>,
    }

    #[derive(Asn1, Debug, PartialEq)]
    #[asn1(open_type, name = "Choices")]
    enum Choice<'a> {
        #[asn1(number = 1)]
        Number(u8),
        #[asn1(number = 2)]
        Text(Utf8<'a>),
        #[asn1(unknown)]
        Unknown(Unknown<'a>),
    }

    #[test]
    fn the_selector_comes_later() {
        let der = [0x31, 8, 0xA0, 3, 2, 1, 7, 0x81, 1, 1];
        let read = Chosen::from_der(&der).unwrap();
        assert!(matches!(read, Chosen { value: Choice::Number(7), note: None, .. }));
        assert_eq!(tagwise_codec::encode(&read).unwrap(), der);
        crate::agree::agree_around::<Chosen<'_>>(&der);
        crate::agree::agree_around::<Chosen<'_>>(&[0x31, 9, 0xA0, 2, 0x0C, 0, 0x81, 1, 2, 0x82, 0]);
        crate::agree::agree_around::<Chosen<'_>>(&[0x31, 8, 0xA0, 2, 0x0C, 0, 0x81, 2, 2, 2]);
        // A fault before the selector: neither looks behind it.
        crate::agree::agree::<Chosen<'_>>(&[0x31, 11, 0xA0, 3, 0x0C, 1, 0xFF, 5, 0x81, 0, 0x81, 1, 2]);
        // The wrong type for its selector.
        let error = Chosen::from_der(&[0x31, 8, 0xA0, 3, 2, 1, 7, 0x81, 1, 2]).unwrap_err();
        assert_eq!((error.kind(), error.offset(), error.path()), (tagwise_codec::FaultKind::UnexpectedTag, 4, "value"));
    }

    #[test]
    fn in_ber_too() {
        // The string in the open value is in segments: only the selector says that it is one.
        let ber = [0x31, 0x80, 0xA0, 0x80, 0x2C, 6, 4, 1, b'H', 4, 1, b'i', 0, 0, 0x81, 1, 2, 0, 0];
        let canonical = ber::to_der::<Chosen<'_>>(&ber).unwrap();
        assert_eq!(*canonical.bytes, [0x31, 9, 0xA0, 4, 0x0C, 2, b'H', b'i', 0x81, 1, 2]);
        assert_eq!(canonical.residue, []);
        // Out of order, and of a type that selects nothing.
        let canonical = ber::to_der::<Chosen<'_>>(&[0x31, 9, 0x81, 1, 9, 0xA0, 4, 0xA5, 2, 5, 0]).unwrap();
        assert_eq!(*canonical.bytes, [0x31, 9, 0xA0, 4, 0xA5, 2, 5, 0, 0x81, 1, 9]);
        assert_eq!(canonical.residue.len(), 1);
    }
}
