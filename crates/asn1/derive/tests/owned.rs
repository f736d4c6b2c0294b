//! Owned values in derived types: they decode, encode and compare as the borrowed ones.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::borrow::Cow;

use tagwise_codec::{
    Any, BitStr, BitString, Budget, Captured, Decode, Encode, Fault, FaultKind, GeneralizedTime, Ia5, Ia5String, Int,
    IntBuf, Lend, NamedBits, OctetStr, OctetString, Oid, OidBuf, Options, Owned, Printable, PrintableString, Reader,
    Rule, SeqOf, SetOf, SetVec, Typed, UnixTime, encode, oid,
};
use tagwise_derive::Asn1;

#[derive(Asn1, Clone, Debug, PartialEq)]
struct Borrowed<'a> {
    id: Oid<'a>,
    serial: Int<'a>,
    #[asn1(implicit = 0, size(1..=8))]
    name: Option<&'a str>,
    #[asn1(explicit = 1)]
    mail: Option<Ia5<'a>>,
    country: Printable<'a>,
    #[asn1(implicit = 2, size(2))]
    data: OctetStr<'a>,
    bits: BitStr<'a>,
    list: SeqOf<'a, u8>,
    set: SetOf<'a, i16>,
    #[asn1(implicit = 3, size(2))]
    pair: SeqOf<'a, bool>,
    #[asn1(default = "x")]
    label: &'a str,
    when: GeneralizedTime<'a>,
    #[asn1(explicit = 4)]
    rest: Any<'a>,
}

/// The same, without a lifetime.
#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(name = "Borrowed")]
struct Own {
    id: OidBuf,
    serial: IntBuf,
    #[asn1(implicit = 0, size(1..=8))]
    name: Option<String>,
    #[asn1(explicit = 1)]
    mail: Option<Ia5String>,
    country: PrintableString,
    #[asn1(implicit = 2, size(2))]
    data: OctetString,
    bits: BitString,
    list: Vec<IntBuf>,
    set: SetVec<i16>,
    #[asn1(implicit = 3)]
    pair: [bool; 2],
    #[asn1(default = String::from("x"))]
    label: String,
    when: Owned<GeneralizedTime<'static>>,
    #[asn1(explicit = 4)]
    rest: Owned<Any<'static>>,
}

/// The same, some of each.
#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(name = "Borrowed")]
struct Mixed<'a> {
    id: Oid<'a>,
    serial: u64,
    #[asn1(implicit = 0, size(1..=8))]
    name: Option<Cow<'a, str>>,
    #[asn1(explicit = 1)]
    mail: Option<Ia5<'a>>,
    country: Box<PrintableString>,
    #[asn1(implicit = 2, octets)]
    data: [u8; 2],
    bits: BitStr<'a>,
    #[asn1(numbers)]
    list: Vec<u8>,
    set: SetOf<'a, i16>,
    #[asn1(implicit = 3, size(2))]
    pair: Vec<bool>,
    #[asn1(default = Cow::Borrowed("x"))]
    label: Cow<'a, str>,
    when: GeneralizedTime<'a>,
    #[asn1(explicit = 4)]
    rest: Any<'a>,
}

fn sample() -> Vec<u8> {
    encode(&Borrowed {
        id: oid!("1.2.840.113549"),
        serial: Int::from_signed(&[0x7F; 8]),
        name: Some("größe"),
        mail: Some(Ia5::new("a@b").unwrap()),
        country: Printable::new("DE").unwrap(),
        data: OctetStr::new(&[1, 2]),
        bits: BitStr::new(&[0xA0], 4).unwrap(),
        list: SeqOf::from_slice(&[5, 200]),
        set: SetOf::from_slice(&[-1, 700]),
        pair: SeqOf::from_slice(&[true, false]),
        label: "y",
        when: GeneralizedTime::from_unix(UnixTime(1_790_000_000)).unwrap(),
        rest: Any::from_der(&[0x30, 0x03, 0x02, 0x01, 0x05]).unwrap(),
    })
    .unwrap()
}

#[test]
fn all_forms_are_one_encoding() {
    let der = sample();
    let (borrowed, own, mixed) =
        (Borrowed::from_der(&der).unwrap(), Own::from_der(&der).unwrap(), Mixed::from_der(&der).unwrap());
    assert_eq!(encode(&own).unwrap(), der);
    assert_eq!(encode(&mixed).unwrap(), der);
    assert_eq!(own.to_der().unwrap(), der);
    assert_eq!(own.id, borrowed.id);
    assert_eq!(borrowed.id, own.id);
    assert_eq!(own.serial, borrowed.serial);
    assert_eq!((own.name.as_deref(), mixed.name.as_deref()), (borrowed.name, borrowed.name));
    assert_eq!(own.mail.as_ref().unwrap(), &borrowed.mail.unwrap());
    assert_eq!(own.country, "DE");
    assert_eq!(own.data, borrowed.data);
    assert_eq!(own.bits, borrowed.bits);
    assert_eq!(own.list, [5u8, 200].map(IntBuf::from));
    assert_eq!(*own.set, [-1, 700]);
    assert_eq!((mixed.data, mixed.list.as_slice()), ([1, 2], &[5, 200][..]));
    assert_eq!(own.when.get().unwrap(), borrowed.when);
    assert_eq!(own.rest.as_der(), borrowed.rest.as_bytes());
    // What is read as an outline is the same.
    assert_eq!(Own::outline(&der).unwrap(), own);
    assert_eq!(Own::from_der_sealed(&der).unwrap(), own);
    // Nothing refers to the input.
    drop(der);
    assert_eq!(own.clone(), own);
}

#[test]
fn errors_are_the_same() {
    let der = sample();
    for at in 0..der.len() {
        for flip in [0x01, 0x20, 0x80, 0xFF] {
            let mut wrong = der.clone();
            wrong[at] ^= flip;
            let (one, other) = (Borrowed::from_der(&wrong), Own::from_der(&wrong));
            match (one, other) {
                (Err(one), Err(other)) => assert_eq!(
                    (one.kind(), one.offset(), one.path()),
                    (other.kind(), other.offset(), other.path()),
                    "byte {at} by {flip:02X}"
                ),
                (Ok(_), Ok(value)) => assert_eq!(encode(&value).unwrap(), wrong),
                // The list of the one holds what one byte can hold.
                (Err(one), Ok(_)) => assert_eq!(one.kind(), FaultKind::IntegerRange),
                (Ok(_), Err(other)) => panic!("byte {at} by {flip:02X}: {other}"),
            }
        }
    }
}

#[test]
fn sizes_and_counts() {
    #[derive(Asn1, Debug, PartialEq)]
    struct Three([u16; 3]);
    assert_eq!(Three::from_der(&[0x30, 9, 2, 1, 1, 2, 1, 2, 2, 1, 3]).unwrap(), Three([1, 2, 3]));
    let error = Three::from_der(&[0x30, 6, 2, 1, 1, 2, 1, 2]).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::Size, 2));

    #[derive(Asn1, Debug, PartialEq)]
    struct Key {
        #[asn1(octets)]
        key: [u8; 4],
        #[asn1(octets, size(..=3), implicit = 0)]
        more: Option<Vec<u8>>,
        #[asn1(octets, default = vec![7])]
        last: Vec<u8>,
    }
    let key = Key { key: [1, 2, 3, 4], more: Some(vec![5]), last: vec![7] };
    let der = [0x30, 9, 0x04, 4, 1, 2, 3, 4, 0x80, 1, 5];
    assert_eq!(encode(&key).unwrap(), der);
    assert_eq!(Key::from_der(&der).unwrap(), key);
    assert_eq!(encode(&Key { more: Some(vec![0; 4]), ..key }).unwrap_err().kind(), FaultKind::Size);
    let error = Key::from_der(&[0x30, 5, 0x04, 3, 1, 2, 3]).unwrap_err();
    assert_eq!((error.kind(), error.path()), (FaultKind::Size, "key"));
}

#[test]
fn budgets_hold_before_items_are_held() {
    let options = Options::der().budget(Budget { elements: 2, ..Budget::DEFAULT });
    let three = [0x30, 9, 2, 1, 1, 2, 1, 2, 2, 1, 3];
    assert_eq!(options.decode::<Vec<u16>>(&three[..]).unwrap_err().kind(), FaultKind::ElementsExceeded);
    let mut set = three;
    set[0] = 0x31;
    assert_eq!(options.decode::<SetVec<u16>>(&set).unwrap_err().kind(), FaultKind::ElementsExceeded);
    assert_eq!(options.decode::<Vec<u16>>(&[0x30, 6, 2, 1, 1, 2, 1, 2]).unwrap().value, [1, 2]);
}

#[test]
fn a_newtype_of_bytes() {
    #[derive(Asn1, Debug, PartialEq)]
    #[asn1(application = 3, size(1..=2), octets)]
    struct Tag<'a>(&'a [u8]);
    assert_eq!(Tag::from_der(&[0x43, 1, 9]).unwrap(), Tag(&[9]));
    assert_eq!(encode(&Tag(&[9])).unwrap(), [0x43, 1, 9]);
    assert_eq!(Tag::from_der(&[0x43, 0]).unwrap_err().kind(), FaultKind::Size);
}

#[test]
fn owned_values_of_tolerated_deviations_are_der() {
    let options = Options::der().allow(&Rule::INTEGER_PADDED).allow(&Rule::STRING_ALPHABET);
    // A list with a padded number.
    let loose = [0x30, 4, 0x02, 2, 0, 5];
    let owned = Owned::<SeqOf<'static, Int<'static>>>::decode_with(&loose, &options);
    // A list is written as it was read, so that this one has no DER.
    assert_eq!(owned.unwrap_err().kind(), FaultKind::NotEncodable);
    let owned = Owned::<Int<'static>>::decode_with(&[0x02, 2, 0, 5], &options).unwrap();
    assert_eq!(owned.as_der(), [0x02, 1, 5]);
    // A character outside of the alphabet is refused where it would be kept.
    let error = options.decode::<PrintableString>(b"\x13\x01@").unwrap_err();
    assert_eq!(error.kind(), FaultKind::NotEncodable);
}

#[test]
fn any_derived_type_is_kept() {
    fn keep<T: Lend>(der: &[u8]) -> Owned<T> {
        Owned::from_der(der).unwrap()
    }
    let der = sample();
    let kept = keep::<Borrowed<'static>>(&der);
    assert_eq!(kept, Borrowed::from_der(&der).unwrap().into_static().unwrap());
    assert_eq!(kept.get().unwrap().label, "y");
    assert_eq!(format!("{kept:?}"), format!("{:?}", Borrowed::from_der(&der).unwrap()));
    assert_eq!(Owned::<Own>::ty().name.to_string(), "Borrowed");
    let thread = std::thread::spawn(move || kept.get().unwrap().country.to_string());
    assert_eq!(thread.join().unwrap(), "DE");
}

#[test]
fn outlines_defer_nothing_that_is_owned() {
    // An INTEGER without content inside ANY: an outline of what borrows lets it in.
    let wrong = [0x30, 4, 0x30, 2, 0x02, 0];
    #[derive(Asn1, Debug)]
    struct Loose<'a> {
        _any: Any<'a>,
    }
    #[derive(Asn1, Debug)]
    struct Strict {
        _any: Owned<Any<'static>>,
    }
    assert!(Loose::outline(&wrong).is_ok());
    let error = Strict::outline(&wrong).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (FaultKind::IntegerEmpty, 6));
}

#[test]
fn bits_by_name() {
    #[derive(Asn1, Clone, Copy, Debug, PartialEq)]
    #[asn1(named_bits(read = 0, write = 1, run_as = 9))]
    struct Rights<'a>(NamedBits<'a>);
    let rights = Rights::from(Rights::READ | Rights::RUN_AS);
    assert!(rights.read() && rights.contains(Rights::READ) && !rights.contains(Rights::WRITE));
    assert!(rights.contains(Rights::READ | Rights::RUN_AS) && !rights.contains(Rights::READ | Rights::WRITE));
    assert_eq!(Rights::from_der(&encode(&rights).unwrap()).unwrap(), rights);
    const BOTH: tagwise_codec::Flags<Rights<'static>> = Rights::READ.union(Rights::WRITE);
    assert_eq!(BOTH - Rights::READ, Rights::WRITE);
}

#[test]
fn secrets_are_not_shown() {
    #[derive(Asn1, Clone, PartialEq)]
    struct Login<'a> {
        user: &'a str,
        #[asn1(secret)]
        password: &'a str,
        #[asn1(secret, implicit = 0)]
        pin: Option<u32>,
    }
    #[derive(Asn1)]
    #[asn1(secret)]
    struct Key<'a>(OctetStr<'a>);
    #[derive(Asn1)]
    enum Credential<'a> {
        #[asn1(secret)]
        Password(&'a str),
        Login(Login<'a>),
        None,
    }
    #[derive(Asn1)]
    #[asn1(secret, own_debug)]
    struct Own(u8);
    impl std::fmt::Debug for Own {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("own")
        }
    }
    let login = Login { user: "eva", password: "geheim", pin: Some(1234) };
    assert_eq!(format!("{login:?}"), r#"Login { user: "eva", password: …, pin: … }"#);
    assert_eq!(format!("{:?}", Key(OctetStr::new(b"geheim"))), "Key(…)");
    assert_eq!(format!("{:?}", Credential::Password("geheim")), "Password(…)");
    assert_eq!(format!("{:?}", Credential::None), "None");
    assert!(!format!("{:#?}", Credential::Login(login.clone())).contains("geheim"));
    assert_eq!(format!("{:?}", Own(7)), "own");
    // Wherever the value is.
    let kept = login.into_static().unwrap();
    assert!(!format!("{kept:?} {:?}", [&kept]).contains("geheim"));
}

#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(check = even, rules(EVEN))]
struct Even {
    number: u8,
}

const EVEN: Rule = Rule::custom(0, "even", "here", "numbers are even");

fn even(even: &Even, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if even.number & 1 == 0 { Ok(()) } else { reader.deviate_profile(&EVEN, at) }
}

/// What was made or tolerated without a check is checked before it is kept: what is kept can always be had again.
#[test]
fn nothing_is_kept_unchecked() {
    assert_eq!(Owned::<Even>::new(&Even { number: 3 }).unwrap_err().kind(), FaultKind::Profile);
    let options = Options::der().allow(&EVEN).allow(&Rule::INTEGER_PADDED);
    let odd = [0x30, 3, 2, 1, 3];
    assert_eq!(Owned::<Even>::decode_with(&odd, &options).unwrap_err().kind(), FaultKind::NotEncodable);
    let read = options.decode::<Even>(&odd).unwrap().value;
    assert!(read.into_static().is_err());
    // Bytes as they came, with a leniency in them.
    let padded = options.decode::<Captured<'_, u8>>(&[2, 2, 0, 5]).unwrap().value;
    assert!(padded.into_static().is_err());
}

/// What is owned inside an outline is checked whole, and under the budget of the whole.
#[test]
fn an_outline_spends_the_budget_of_the_whole() {
    #[derive(Asn1, Debug)]
    struct Held {
        list: Owned<SeqOf<'static, u8>>,
    }
    let three = [0x30, 11, 0x30, 9, 2, 1, 1, 2, 1, 2, 2, 1, 3];
    let options = Options::der().budget(Budget { elements: 2, ..Budget::DEFAULT });
    assert_eq!(options.outline::<Held>(&three).unwrap_err().kind(), FaultKind::ElementsExceeded);
    assert_eq!(Options::der().outline::<Held>(&three).unwrap().value.list.get().unwrap().len(), 3);
}
