//! What one guesses works: conversions that nobody looks up before writing them.

#![cfg(all(feature = "derive", feature = "build"))]
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::collections::{BTreeSet, HashSet};
use std::error::Error;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use tagwise::Asn1;
use tagwise::codec::{
    Any, BitStr, CivilTime, Decode, Encode, Frame, GeneralizedTime, Ia5, Ia5String, Int, IntBuf, Lend, OctetStr,
    OctetString, Oid, OidBuf, Options, Owned, PrintableString, SeqOf, UtcTime, Utf8, ber, encode, frame, oid,
};
use tagwise::pkix::ext::{
    Count, CrlNumber, ExtensionValue, GeneralName, KeyUsage, KnownExtension, SubjectKeyIdentifier,
};
use tagwise::pkix::name::NameBuf;
use tagwise::pkix::{Certificate, CertificateBuf, Extension, Extensions, Time, UnixTime, Version};

type Tried = Result<(), Box<dyn Error>>;

const LEAF: &str = include_str!("../../../docs/samples/leaf.pem");

#[test]
fn g01_an_object_identifier_is_parsed() -> Tried {
    let id: OidBuf = "2.5.4.3".parse()?;
    assert_eq!(id, oid!("2.5.4.3"));
    assert_eq!(OidBuf::from_arcs(&[2, 5, 4, 3])?, id);
    assert!(OidBuf::try_from("2.5.x").is_err());
    Ok(())
}

#[test]
fn g02_an_object_identifier_is_shown_and_ordered() {
    assert_eq!(oid!("1.2.3").to_string(), "1.2.3");
    let set: BTreeSet<OidBuf> = [oid!("2.5.4.6"), oid!("2.5.4.3")].map(OidBuf::from).into();
    assert_eq!(set.first().unwrap().to_string(), "2.5.4.3");
}

#[test]
fn g03_an_address_is_a_general_name() -> Tried {
    let address: IpAddr = "192.0.2.1".parse()?;
    assert_eq!(encode(&GeneralName::from(address))?, [0x87, 4, 192, 0, 2, 1]);
    assert_eq!(GeneralName::dns("a.example")?.to_string(), "DNS:a.example");
    Ok(())
}

#[test]
fn g04_bytes_are_strings_of_bytes() {
    let vector = vec![1, 2];
    assert_eq!(OctetStr::from(&vector), OctetStr::from(&[1, 2]));
    assert_eq!(OctetStr::from(&vector[..]), [1, 2]);
    assert_eq!(BitStr::from(&vector).octets(), Some(&[1, 2][..]));
    assert_eq!(OctetString::from(vector.clone()), OctetString::from([1, 2]));
    let identifier = SubjectKeyIdentifier(vector.as_slice().into());
    assert_eq!(identifier.0.as_ref(), [1, 2]);
}

#[test]
fn g05_text_is_a_string() -> Tried {
    let text: Utf8<'_> = "größe".into();
    assert_eq!(text, "größe");
    assert_eq!(Ia5::try_from("a@b")?, "a@b");
    assert_eq!("DE".parse::<PrintableString>()?, "DE");
    let owned: Ia5String = String::from("a@b").try_into()?;
    assert_eq!(owned.len(), 3);
    assert_eq!(encode(&"hi")?, [0x0C, 2, b'h', b'i']);
    Ok(())
}

#[test]
fn g06_extensions_are_gone_through() -> Tried {
    let certificate = CertificateBuf::from_pem(LEAF)?;
    let mut count = 0;
    for extension in &certificate.extensions() {
        count += usize::from(!extension?.extn_value.as_bytes().is_empty());
    }
    assert!(count > 0);
    let list = SeqOf::from(&[1u8, 2]);
    assert_eq!(list.into_iter().collect::<Result<Vec<_>, _>>()?, [1, 2]);
    Ok(())
}

#[test]
fn g07_integers_are_shown() {
    assert_eq!(Int::from_signed(&[0xFF, 0x7F]).to_string(), "-129");
    assert_eq!(IntBuf::from(u128::MAX).to_string(), u128::MAX.to_string());
}

#[test]
fn g08_integers_come_from_integers() -> Tried {
    assert_eq!(i64::try_from(&IntBuf::from(-5i8))?, -5);
    assert_eq!(usize::try_from(Int::from_signed(&[7]))?, 7);
    assert_eq!(IntBuf::from_unsigned(&[0xFF]), IntBuf::from(255u8));
    assert_eq!("18446744073709551616".parse::<IntBuf>()?.as_bytes().len(), 9);
    let number = IntBuf::from(70_000u32);
    assert_eq!(CrlNumber(Count::try_from(&number)?).to_string(), "70000");
    Ok(())
}

#[test]
fn g09_versions_are_shown() -> Tried {
    assert_eq!(Version::V3.to_string(), "v3");
    assert_eq!(CertificateBuf::from_pem(LEAF)?.version().to_string(), "v3");
    Ok(())
}

#[test]
fn g10_everything_has_bytes() -> Tried {
    fn len(bytes: impl AsRef<[u8]>) -> usize {
        bytes.as_ref().len()
    }
    let (any, id) = (Any::from_der(&[5, 0])?, oid!("1.2.3"));
    assert_eq!(len(any) + len(id) + len(Int::ZERO) + len(OctetStr::new(&[1])) + len(Utf8::new("a")), 2 + 2 + 1 + 1 + 1);
    assert_eq!(any.as_bytes().len() + id.as_bytes().len() + OctetString::from([1]).as_bytes().len(), 5);
    let certificate = CertificateBuf::from_pem(LEAF)?;
    assert_eq!(certificate.as_ref(), certificate.as_der());
    assert_eq!(len(certificate.get().tbs_certificate), certificate.get().tbs_certificate.as_bytes().len());
    Ok(())
}

#[test]
fn g11_the_systems_clock() -> Tried {
    let now = SystemTime::now();
    assert_eq!(SystemTime::try_from(GeneralizedTime::try_from(now)?)?, now);
    let time = Time::try_from(now)?;
    assert!(now.duration_since(time.try_into()?)? < Duration::from_secs(1));
    assert!(UnixTime::from(now) <= UnixTime::now());
    let before = SystemTime::UNIX_EPOCH - Duration::from_millis(1);
    assert_eq!(UtcTime::try_from(before)?.to_string(), "1969-12-31T23:59:59Z");
    assert_eq!(SystemTime::try_from(GeneralizedTime::try_from(before)?)?, before);
    Ok(())
}

#[test]
#[cfg(feature = "chrono")]
fn g12_chrono() -> Tried {
    let time = chrono::DateTime::from_timestamp(1_790_000_000, 500_000_000).unwrap();
    assert_eq!(GeneralizedTime::try_from(time)?.to_string(), "2026-09-21T14:13:20.5Z");
    assert_eq!(chrono::DateTime::<chrono::Utc>::try_from(GeneralizedTime::try_from(time)?)?, time);
    assert_eq!(Time::new(time.try_into()?).unix().0, 1_790_000_000);
    Ok(())
}

#[test]
#[cfg(feature = "jiff")]
fn g13_jiff() -> Tried {
    for (second, nanos) in [(1_790_000_000, 500_000_000), (-1, -500_000_000)] {
        let time = jiff::Timestamp::new(second, nanos).unwrap();
        assert_eq!(jiff::Timestamp::try_from(GeneralizedTime::try_from(time)?)?, time);
    }
    Ok(())
}

#[test]
#[cfg(feature = "time")]
fn g14_time() -> Tried {
    let time = time::OffsetDateTime::from_unix_timestamp(1_790_000_000)?;
    assert_eq!(time::OffsetDateTime::try_from(CivilTime::try_from(time)?)?, time);
    assert_eq!(time::UtcDateTime::try_from(UtcTime::try_from(time)?)?.unix_timestamp(), 1_790_000_000);
    Ok(())
}

#[test]
fn g15_bits_have_names() -> Tried {
    let usage = KeyUsage::from(KeyUsage::KEY_CERT_SIGN | KeyUsage::CRL_SIGN);
    assert!(usage.contains(KeyUsage::CRL_SIGN) && !usage.contains(KeyUsage::DIGITAL_SIGNATURE));
    assert_eq!(encode(&usage)?, [3, 2, 1, 6]);
    Ok(())
}

#[test]
#[cfg(feature = "serde")]
fn g16_serde_there_and_back() -> Tried {
    let name = NameBuf::parse("CN=Eva,C=DE")?;
    assert_eq!(serde_json::from_str::<NameBuf>(&serde_json::to_string(&name)?)?, name);
    let certificate = CertificateBuf::from_pem(LEAF)?;
    assert!(serde_json::to_string(&certificate)?.contains("serial_number"));

    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    struct Kept {
        id: OidBuf,
        number: IntBuf,
        data: OctetString,
        mail: Ia5String,
    }
    let kept = Kept { id: "1.2.3".parse()?, number: u64::MAX.into(), data: [0xCA, 0xFE].into(), mail: "a@b".parse()? };
    let json = serde_json::to_string(&kept)?;
    assert_eq!(json, r#"{"id":"1.2.3","number":"18446744073709551615","data":"cafe","mail":"a@b"}"#);
    assert_eq!(serde_json::from_str::<Kept>(&json)?, kept);
    assert!(serde_json::from_str::<Kept>(&json.replace("cafe", "caf")).is_err());

    // What is secret is not serialized, not even as bytes.
    #[derive(tagwise::Asn1, Clone, Copy)]
    struct Account<'a> {
        user: &'a str,
        #[asn1(secret)]
        password: tagwise::codec::OctetStr<'a>,
    }
    let account = Account { user: "ann", password: tagwise::codec::OctetStr::new(b"pw") };
    let account = tagwise::codec::Owned::<Account<'static>>::from_der(tagwise::codec::encode(&account)?)?;
    let error = serde_json::to_string(&account).unwrap_err();
    assert_eq!(error.to_string(), "Account is secret and cannot be serialized");
    Ok(())
}

#[test]
fn g17_a_frame_in_a_buffer() -> Tried {
    assert_eq!(frame(&[0x30, 0x03, 0x02], &Options::der())?, Frame::NeedMore(2));
    assert_eq!(ber::frame(&[0x30, 0x80, 0, 0], &Options::ber_definite())?, Frame::Complete(4));
    Ok(())
}

#[test]
fn g18_owned_fields_anywhere() -> Tried {
    #[derive(Asn1, Clone, Debug, PartialEq)]
    struct Person {
        name: String,
        mails: Vec<Ia5String>,
        #[asn1(octets)]
        photo: Option<Vec<u8>>,
        numbers: [u32; 2],
        next: Option<Box<Person>>,
    }
    let person =
        Person { name: "Eva".into(), mails: vec!["a@b".parse()?], photo: Some(vec![1]), numbers: [1, 2], next: None };
    let pair = Person { next: Some(Box::new(person.clone())), ..person };
    assert_eq!(Person::from_der(&pair.to_der()?)?, pair);
    Ok(())
}

#[test]
fn g19_a_value_outlives_its_input() -> Tried {
    let kept: Owned<Certificate<'static>> = {
        let der = CertificateBuf::from_pem(LEAF)?.to_der();
        Certificate::from_der(&der)?.into_static()?
    };
    assert!(!kept.get()?.subject().is_empty());
    assert!(LEAF.ends_with(&kept.to_pem("CERTIFICATE")?));
    Ok(())
}

#[test]
fn g20_certificates_answer() -> Tried {
    let certificate = CertificateBuf::from_pem(LEAF)?;
    assert!(certificate.not_before().unix() < certificate.not_after().unix());
    assert!(certificate.extension::<KeyUsage<'_>>()?.is_some());
    assert!(certificate.names().count() > 0);
    assert_eq!(CertificateBuf::from_pem_many(certificate.to_pem()? + LEAF)?.len(), 2);
    assert_eq!(certificate.to_pem()?.parse::<CertificateBuf>()?, certificate);
    let all: HashSet<CertificateBuf> = [certificate.clone(), certificate].into();
    assert_eq!(all.len(), 1);
    Ok(())
}

#[test]
fn g21_names_are_parsed() -> Tried {
    let name: NameBuf = "CN=Eva".parse()?;
    assert_eq!(NameBuf::try_from("CN=Eva")?, name);
    assert_eq!(name.to_string(), "CN=Eva");
    Ok(())
}

#[test]
fn g22_lists_of_extensions_by_hand() -> Tried {
    let usage = encode(&KeyUsage::from(KeyUsage::CRL_SIGN))?;
    let list = [Extension {
        extn_id: KeyUsage::ID,
        critical: true,
        extn_value: tagwise::codec::Open::<ExtensionValue<'_>>::new(KeyUsage::ID.as_bytes(), &usage),
    }];
    let extensions = Extensions::new(&list).unwrap();
    for extension in extensions {
        assert_eq!(extension?.extn_id, Oid::from(&OidBuf::from(KeyUsage::ID)));
    }
    Ok(())
}
