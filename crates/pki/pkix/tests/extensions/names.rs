//! GeneralName and the extensions that hold it.

use tagwise_codec::{Decode, FaultKind, Oid, Rule, encode, oid};
use tagwise_pkix::ext::*;
use tagwise_pkix::profile;

use crate::{OID_3, accepted, el, refused, seq, tolerated};

/// An otherName: its type and its value.
fn other(type_id: Oid<'_>, value: &[u8]) -> Vec<u8> {
    el(0xA0, &[&encode(&type_id).unwrap(), &el(0xA0, &[value])])
}

#[track_caller]
fn shown(der: &[u8], text: &str) {
    assert_eq!(accepted::<GeneralName<'_>>(der).to_string(), text);
}

#[test]
fn each_alternative() {
    shown(b"\x81\x09me@a.test", "email:me@a.test");
    shown(b"\x82\x06a.test", "DNS:a.test");
    shown(b"\x86\x0Eldap://a/cn=b?", "URI:ldap://a/cn=b?");
    shown(&[0x87, 4, 192, 0, 2, 1], "IP:192.0.2.1");
    shown(&[0x87, 16, 0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "IP:2001:db8::1");
    shown(&[0x88, 0x02, 0x2A, 0x03], "RID:1.2.3");
    // [4] { CN=a }
    let name = el(0xA4, &[&seq(&[&el(0x31, &[&seq(&[b"\x06\x03\x55\x04\x03", b"\x0C\x01a"])])])]);
    shown(&name, "dirName:CN=a");
    // An X.400 address: SEQUENCE {}, its standard attributes.
    shown(&[0xA3, 0x02, 0x30, 0x00], "x400Address:3000");
    shown(&el(0xA5, &[&el(0xA1, &[b"\x0C\x04Acme"])]), "ediPartyName:Acme");
    shown(&el(0xA5, &[&el(0xA0, &[b"\x13\x02DE"]), &el(0xA1, &[b"\x0C\x04Acme"])]), "ediPartyName:DE/Acme");
}

#[test]
fn other_names() {
    shown(&other(oid!("1.3.6.1.4.1.311.20.2.3"), b"\x0C\x06me@com"), "UPN:me@com");
    shown(&other(oid!("1.3.6.1.5.5.7.8.7"), b"\x16\x07_x.test"), "SRV:_x.test");
    shown(&other(oid!("1.3.6.1.5.5.7.8.9"), "\x0C\x08ü@a.org".as_bytes()), "SmtpUTF8Mailbox:ü@a.org");
    shown(&other(oid!("1.3.6.1.5.5.7.8.5"), b"\x0C\x03a@b"), "XMPP:a@b");
    shown(&other(oid!("1.3.6.1.5.5.7.8.8"), b"\x0C\x06*.test"), "NAIRealm:*.test");
    shown(&other(oid!("1.3.6.1.4.1.311.25.2.1"), b"\x04\x05S-1-5"), "SID:S-1-5");
    shown(&other(oid!("1.3.6.1.4.1.311.25.1"), &[0x04, 0x02, 0xCA, 0xFE]), "ntdsReplication:CAFE");
    shown(&other(oid!("2.16.840.1.101.3.6.6"), &[0x04, 0x01, 0xD4]), "FASC-N:D4");
    shown(&other(oid!("1.3.6.1.5.5.7.8.3"), &seq(&[b"\x0C\x0242", OID_3])), "permanentIdentifier:42 (1.2.3)");
    shown(&other(oid!("1.3.6.1.5.5.7.8.4"), &seq(&[OID_3, &[0x04, 0x01, 0x07]])), "hardwareModuleName:07 (1.2.3)");
    shown(&other(oid!("1.2.3.4"), &[0x02, 0x01, 0x05]), "otherName:1.2.3.4:020105");

    // host/a.test@R, and a component with a separator in it.
    let principal = |components: &[&[u8]]| {
        let names: Vec<Vec<u8>> = components.iter().map(|name| el(0x1B, &[name])).collect();
        let names: Vec<&[u8]> = names.iter().map(|name| &name[..]).collect();
        let name = seq(&[&el(0xA0, &[&[0x02, 0x01, 0x01]]), &el(0xA1, &[&seq(&names)])]);
        other(oid!("1.3.6.1.5.2.2"), &seq(&[&el(0xA0, &[b"\x1B\x01R"]), &el(0xA1, &[&name])]))
    };
    shown(&principal(&[b"host", b"a.test"]), "KRB5:host/a.test@R");
    shown(&principal(&[b"a/b@c\\d"]), "KRB5:a\\/b\\@c\\\\d@R");

    // What the type-id says and the value are two things.
    refused::<GeneralName<'_>>(&other(oid!("1.3.6.1.4.1.311.20.2.3"), b"\x16\x01a"), FaultKind::UnexpectedTag, 16);
    tolerated::<GeneralName<'_>>(&other(oid!("1.3.6.1.5.5.7.8.7"), b"\x16\x00"), &Rule::SIZE, FaultKind::Size, 16);
    // Without a value, and with two.
    refused::<GeneralName<'_>>(&el(0xA0, &[OID_3]), FaultKind::Missing, 6);
    refused::<GeneralName<'_>>(&el(0xA0, &[OID_3, &[0xA0, 0x00]]), FaultKind::Missing, 8);
    refused::<GeneralName<'_>>(&el(0xA0, &[OID_3, &[0xA0, 0x04, 0x05, 0x00, 0x05, 0x00]]), FaultKind::TrailingData, 10);
}

#[test]
fn refused_names() {
    refused::<GeneralName<'_>>(&[0x89, 0x00], FaultKind::ChoiceUnknown, 0);
    refused::<GeneralName<'_>>(&[0x16, 0x01, b'a'], FaultKind::ChoiceUnknown, 0);
    refused::<GeneralName<'_>>(&[0xA2, 0x03, 0x16, 0x01, b'a'], FaultKind::PrimitiveExpected, 0);
    refused::<GeneralName<'_>>(&[0x80, 0x00], FaultKind::ConstructedExpected, 0);
    refused::<GeneralName<'_>>(&[0x84, 0x00], FaultKind::ConstructedExpected, 0);
    refused::<GeneralName<'_>>(&[0x88, 0x01, 0x80], FaultKind::OidPadded, 2);
    refused::<GeneralName<'_>>(&[0xA5, 0x00], FaultKind::Missing, 2);
    refused::<GeneralName<'_>>(&[0xA4, 0x00], FaultKind::Missing, 2);
    refused::<GeneralName<'_>>(&[0xA3, 0x03, 0x02, 0x01], FaultKind::LengthOverrun, 1);
    refused::<GeneralName<'_>>(&[0xA3, 0x02, 0x02, 0x00], FaultKind::IntegerEmpty, 4);
    // UTF-8 as IA5String.
    let latin = "\u{82}\u{2}ü";
    let octets: Vec<u8> = [&[0x82, 0x02][..], &latin.as_bytes()[3..]].concat();
    tolerated::<GeneralName<'_>>(&octets, &Rule::STRING_ALPHABET, FaultKind::StringAlphabet, 2);
    for octets in [&[192, 0, 2][..], &[0; 8], &[0; 32], &[]] {
        let der = el(0x87, &[octets]);
        let read = tolerated::<GeneralName<'_>>(&der, &profile::IP_ADDRESS, FaultKind::Profile, 2);
        let GeneralName::IpAddress(address) = read else { panic!() };
        assert_eq!((address.addr(), address.as_bytes()), (None, octets));
    }
}

#[test]
fn lists_of_names() {
    let two = seq(&[b"\x82\x01a", b"\x82\x01b"]);
    assert!(accepted::<SubjectAltName<'_>>(&two).dns_names().eq(["a", "b"]));
    assert_eq!(accepted::<IssuerAltName<'_>>(&two).0.iter().count(), 2);
    assert_eq!(accepted::<CertificateIssuer<'_>>(&two).0.iter().count(), 2);
    tolerated::<SubjectAltName<'_>>(&[0x30, 0x00], &Rule::SIZE, FaultKind::Size, 2);
    tolerated::<IssuerAltName<'_>>(&[0x30, 0x00], &Rule::SIZE, FaultKind::Size, 2);
    refused::<SubjectAltName<'_>>(&seq(&[b"\x82\x01a", &[0x05, 0x00]]), FaultKind::ChoiceUnknown, 5);
}

#[test]
fn hostile_text_is_shown_harmless() {
    // A terminal escape, and a mark that reverses what follows.
    shown(b"\x82\x06a\x1B[31m", r"DNS:a\u{1b}[31m");
    let upn = other(oid!("1.3.6.1.4.1.311.20.2.3"), "\x0C\x05a\u{202E}b".as_bytes());
    shown(&upn, r"UPN:a\u{202e}b");
    shown(&other(oid!("1.3.6.1.4.1.311.25.2.1"), b"\x04\x02\x1BS"), r"SID:\x1bS");
    let edi = el(0xA5, &[&el(0xA1, &["\x0C\x04\u{200B}a".as_bytes()])]);
    shown(&edi, r"ediPartyName:\u{200b}a");
}

#[test]
fn subject_directory_attributes() {
    let attribute = seq(&[OID_3, &el(0x31, &[b"\x13\x02DE", b"\x13\x02FR"])]);
    let der = seq(&[&attribute]);
    let read = accepted::<SubjectDirectoryAttributes<'_>>(&der);
    assert_eq!(read.0.iter().next().unwrap().unwrap().values.len(), 2);
    tolerated::<SubjectDirectoryAttributes<'_>>(&[0x30, 0x00], &Rule::SIZE, FaultKind::Size, 2);
    tolerated::<SubjectDirectoryAttributes<'_>>(
        &seq(&[&seq(&[OID_3, &[0x31, 0x00]])]),
        &Rule::SIZE,
        FaultKind::Size,
        8,
    );
    // The values in the wrong order.
    let order = seq(&[&seq(&[OID_3, &el(0x31, &[b"\x13\x02FR", b"\x13\x02DE"])])]);
    tolerated::<SubjectDirectoryAttributes<'_>>(&order, &Rule::SET_OF_ORDER, FaultKind::SetOfOrder, 14);
}

#[test]
fn names_nest_to_the_depth_budget_only() {
    // An otherName of an unknown type that holds SEQUENCEs in SEQUENCEs.
    let mut inner = vec![0x05, 0x00];
    for _ in 0..100 {
        inner = seq(&[&inner]);
    }
    let error = GeneralName::from_der(&other(oid!("1.2.3"), &inner)).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), FaultKind::DepthExceeded);
}
