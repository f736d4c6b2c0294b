use proptest::prelude::*;
use tagwise_codec::{Any, Decode, FaultKind, Options, Rule, SeqOf, SetOf, encode};

use super::*;

/// A name of RDNs of attributes: dotted type, tag of the value, content of the value.
fn name(rdns: &[&[(&str, u8, &[u8])]]) -> NameBuf {
    let rdns = rdns.iter().map(|rdn| {
        let attributes = rdn.iter().map(|(attr_type, tag, content)| {
            let octets = tagwise_codec::value::from_dotted(attr_type).expect(attr_type);
            element(0x30, &[element(6, &octets), element(*tag, content)].concat())
        });
        let mut attributes: Vec<_> = attributes.collect();
        attributes.sort_unstable();
        element(0x31, &attributes.concat())
    });
    let der = element(0x30, &rdns.collect::<Vec<_>>().concat());
    NameBuf::new(&Name::from_der(&der).unwrap()).unwrap()
}

fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let len = content.len();
    let mut out = vec![tag];
    match len {
        0..0x80 => out.push(len as u8),
        0x80..0x100 => out.extend([0x81, len as u8]),
        _ => out.extend([0x82, (len >> 8) as u8, len as u8]),
    }
    out.extend(content);
    out
}

fn parsed(text: &str) -> NameBuf {
    NameBuf::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

const CN: &str = "2.5.4.3";
const O: &str = "2.5.4.10";
const OU: &str = "2.5.4.11";
const DC: &str = "0.9.2342.19200300.100.1.25";
const UID: &str = "0.9.2342.19200300.100.1.1";
const UTF8: u8 = 0x0C;
const PRINTABLE: u8 = 0x13;
const TELETEX: u8 = 0x14;
const IA5: u8 = 0x16;

#[test]
fn examples_of_rfc_4514() {
    // §4. Values are PrintableStrings where they can be, but for domain components.
    let net: &[(&str, u8, &[u8])] = &[(DC, IA5, b"net")];
    let example: &[(&str, u8, &[u8])] = &[(DC, IA5, b"example")];
    let examples: [(&str, NameBuf); 6] = [
        ("UID=jsmith,DC=example,DC=net", name(&[net, example, &[(UID, PRINTABLE, b"jsmith")]])),
        // In the order of DER, where what is shorter comes first.
        (
            "OU=Sales+CN=J.  Smith,DC=example,DC=net",
            name(&[net, example, &[(OU, PRINTABLE, b"Sales"), (CN, PRINTABLE, b"J.  Smith")]]),
        ),
        (
            r#"CN=James \"Jim\" Smith\, III,DC=example,DC=net"#,
            name(&[net, example, &[(CN, UTF8, b"James \"Jim\" Smith, III")]]),
        ),
        ("CN=Before\rAfter,DC=example,DC=net", name(&[net, example, &[(CN, UTF8, b"Before\rAfter")]])),
        ("1.3.6.1.4.1.1466.0=#04024869", name(&[&[("1.3.6.1.4.1.1466.0", 4, b"Hi")]])),
        ("CN=Lučić", name(&[&[(CN, UTF8, "Lučić".as_bytes())]])),
    ];
    for (text, name) in &examples {
        assert_eq!(name.to_string(), *text);
        assert_eq!(parsed(text), *name);
    }
    // The same with the escapes that the examples use.
    let forms = [
        ("CN=J.  Smith+OU=Sales,DC=example,DC=net", 1),
        ("CN=Before\\0dAfter,DC=example,DC=net", 3),
        ("CN=Lu\\C4\\8Di\\C4\\87", 5),
        (r"CN=James \22Jim\22 Smith\2C III,DC=example,DC=net", 2),
    ];
    for (text, example) in forms {
        assert_eq!(parsed(text), examples[example].1);
    }
}

#[test]
fn escapes() {
    // Value, and how it is written.
    let cases: [(&[u8], &str); 16] = [
        (b"", "CN="),
        (b" ", r"CN=\ "),
        (b"  ", r"CN=\ \ "),
        (b"   ", r"CN=\  \ "),
        (b" a ", r"CN=\ a\ "),
        (b"a b", "CN=a b"),
        (b"#a#", r"CN=\#a#"),
        (b"#", r"CN=\#"),
        (b" #", r"CN=\ #"),
        (b"\0", r"CN=\00"),
        (b"a\0b", r"CN=a\00b"),
        (b"\"+,;<>\\=", r#"CN=\"\+\,\;\<\>\\="#),
        (b"a,b,c", r"CN=a\,b\,c"),
        (b"a\\ ", r"CN=a\\\ "),
        (b"\x01\x1F\x7F", "CN=\x01\x1F\x7F"),
        ("é\u{202E}, ".as_bytes(), "CN=é\u{202E}\\,\\ "),
    ];
    for (value, text) in cases {
        let name = name(&[&[(CN, UTF8, value)]]);
        assert_eq!(name.to_string(), text);
        assert!(
            parsed(text).name().get(crate::oids::COMMON_NAME).unwrap().text().unwrap().as_bytes() == value,
            "{text}"
        );
    }
}

#[test]
fn a_value_cannot_pose_as_another_attribute() {
    let hostile = name(&[&[(O, UTF8, b"Acme, CN=admin")]]);
    assert_eq!(hostile.to_string(), r"O=Acme\, CN=admin");
    assert_eq!(hostile.name().oneline().to_string(), r"O=Acme\, CN=admin");
    let hostile = name(&[&[(O, UTF8, b"Acme+CN=admin")], &[(CN, UTF8, b"x\n\x1B[2JCN=y\xE2\x80\xAE")]]);
    assert_eq!(hostile.name().oneline().to_string(), r"CN=x\u{a}\u{1b}[2JCN=y\u{202e}, O=Acme\+CN=admin");
}

#[test]
fn every_string_type_has_a_text() {
    let cases: [(u8, &[u8], &str); 12] = [
        (UTF8, "ü€🔑".as_bytes(), "ü€🔑"),
        (0x12, b"12 3", "12 3"),
        (PRINTABLE, b"Acme (1)", "Acme (1)"),
        (TELETEX, b"M\xFCll", "Müll"),
        (TELETEX, b"plain", "plain"),
        (IA5, b"a@b_c", "a@b_c"),
        (0x19, b"graphic", "graphic"),
        (0x1A, b"a~b", "a~b"),
        (0x1B, b"general", "general"),
        (0x1C, b"\0\0\0A\0\x01\xF5\x11", "A🔑"),
        (0x1E, b"\0A\x20\xAC", "A€"),
        (0x1E, b"", ""),
    ];
    for (tag, content, text) in cases {
        let name = name(&[&[(CN, tag, content)]]);
        assert_eq!(name.name().attributes().next().unwrap().text().as_deref(), Some(text));
        assert_eq!(name.to_string(), format!("CN={text}"));
    }
    // No text: hexadecimal.
    for (tag, content, hex) in [
        (3, &[0, 0x53][..], "#03020053"),
        (2, &[5], "#020105"),
        (0x15, b"V", "#150156"),
        (0x1B, b"\xE9", "#1b01e9"),
        (0x30, b"\x05\0", "#30020500"),
        (0x80, b"A", "#800141"),
    ] {
        let name = name(&[&[(CN, tag, content)]]);
        assert_eq!(name.name().attributes().next().unwrap().text(), None);
        assert_eq!(name.to_string(), format!("CN={hex}"));
        assert_eq!(parsed(&name.to_string()), name);
    }
}

#[test]
fn what_rules_tolerated_is_shown_as_far_as_it_is_text() {
    let der = element(0x30, &element(0x31, &element(0x30, b"\x06\x03\x55\x04\x03\x13\x03A&B")));
    let strict = Name::from_der(&der).unwrap_err();
    assert_eq!((strict.kind(), strict.offset()), (FaultKind::StringAlphabet, 14));
    assert_eq!(strict.path(), "[0][0].value");
    let options = Options::der().allow(&Rule::STRING_ALPHABET);
    let read = options.decode::<Name<'_>>(&der).unwrap();
    assert_eq!(read.value.to_string(), "CN=A&B");
    assert!(NameBuf::new(&read.value).is_err());
    let der = element(0x30, &element(0x31, &element(0x30, b"\x06\x03\x55\x04\x03\x13\x03A\xE9B")));
    let read = options.decode::<Name<'_>>(&der).unwrap();
    assert_eq!(read.value.to_string(), "CN=#130341e942");
    assert_eq!(read.value.get(crate::oids::COMMON_NAME).unwrap().text(), None);
}

#[test]
fn malformed_parts_of_an_outline_are_octets() {
    // An empty RDN, an RDN that is not a SET, an attribute that is not a SEQUENCE, a valid RDN, and trailing bytes that are not an element.
    let content = b"\x31\x00\x30\x02\x05\x00\x31\x02\x05\x00\x31\x0A\x30\x08\x06\x03\x55\x04\x03\x13\x01A\x31\x05\x30";
    let der = element(0x30, content);
    assert!(Name::from_der(&der).is_err());
    let name = Name::outline(&der).unwrap();
    assert_eq!(name.to_string(), "#310530,CN=A,#0500,#30020500,#3100");
    assert!(name.matches(&name) && name.is_within(&name) && !name.matches(&Name::default()));
    assert!(NameBuf::parse(&name.to_string()).is_err());
}

#[test]
fn structure_is_checked() {
    let refused = |der: &[u8]| {
        let error = Name::from_der(der).unwrap_err();
        (error.kind(), error.offset(), error.path().to_owned())
    };
    assert!(Name::from_der(b"\x30\x00").unwrap().is_empty());
    assert_eq!(refused(b"\x31\x00"), (FaultKind::UnexpectedTag, 0, String::new()));
    assert_eq!(refused(b"\x30\x02\x31\x00"), (FaultKind::Size, 4, "[0]".to_owned()));
    assert_eq!(refused(b"\x30\x02\x30\x00"), (FaultKind::UnexpectedTag, 2, "[0]".to_owned()));
    assert_eq!(refused(b"\x30\x04\x31\x02\x05\x00"), (FaultKind::UnexpectedTag, 4, "[0][0]".to_owned()));
    assert_eq!(refused(b"\x30\x06\x31\x04\x30\x02\x05\x00"), (FaultKind::UnexpectedTag, 6, "[0][0].type".to_owned()));
    assert_eq!(refused(b"\x30\x09\x31\x07\x30\x05\x06\x03\x55\x04\x03").0, FaultKind::Missing);
    assert_eq!(refused(b"\x30\x0D\x31\x0B\x30\x09\x06\x03\x55\x04\x03\x05\x00\x05\x00").0, FaultKind::TrailingData);
    assert_eq!(refused(b"\x30\x0C\x31\x0A\x30\x08\x06\x03\x55\x04\x03\x0C\x01\xFF").0, FaultKind::Utf8Invalid);
    // A SET OF in the wrong order.
    let pair = |last: u8| element(0x30, &[6, 3, 0x55, 4, 3, 0x13, 1, last]);
    let der = element(0x30, &element(0x31, &[pair(b'B'), pair(b'A')].concat()));
    assert_eq!(refused(&der).0, FaultKind::SetOfOrder);
    let read = Options::der().allow(&Rule::SIZE).decode::<Name<'_>>(b"\x30\x02\x31\x00").unwrap();
    assert_eq!(read.value.to_string(), "#3100");
    assert!(encode(&RelativeDistinguishedName(SetOf::default())).is_err());
}

#[test]
fn names_are_built_from_values() {
    let value = Any::from_der(b"\x0C\x03Eva").unwrap();
    let attributes = [
        AttributeTypeAndValue { attr_type: crate::oids::USER_ID, value },
        AttributeTypeAndValue { attr_type: crate::oids::COMMON_NAME, value },
    ];
    let rdns = [RelativeDistinguishedName(SetOf::from_slice(&attributes))];
    let built = Name(SeqOf::from_slice(&rdns));
    assert_eq!(built.to_string(), "CN=Eva+UID=Eva");
    assert_eq!(format!("{built:?}"), "Name(CN=Eva+UID=Eva)");
    let copy = NameBuf::new(&built).unwrap();
    assert_eq!(copy, name(&[&[(CN, UTF8, b"Eva"), (UID, UTF8, b"Eva")]]));
    assert!(built.matches(&copy.name()));
    assert_eq!(built.attributes().count(), 2);
    assert_eq!(copy.name().get(crate::oids::USER_ID).unwrap().text().unwrap(), "Eva");
    assert_eq!(copy.name().rdns().count(), 1);
}

#[test]
fn directory_strings() {
    for (der, text) in [
        (&b"\x14\x02A\xE9"[..], "Aé"),
        (b"\x13\x01A", "A"),
        (b"\x1C\x04\0\0\0A", "A"),
        (b"\x0C\x02\xC3\xA9", "é"),
        (b"\x1E\x02\0\xE9", "é"),
    ] {
        let string = DirectoryString::from_der(der).unwrap();
        assert_eq!((string.text().as_ref(), string.to_string().as_str()), (text, text));
        assert_eq!(encode(&string).unwrap(), der);
    }
    let refused = |der: &[u8]| DirectoryString::from_der(der).unwrap_err().kind();
    assert_eq!(refused(b"\x16\x01A"), FaultKind::ChoiceUnknown);
    for tag in [0x14, 0x13, 0x1C, 0x0C, 0x1E] {
        assert_eq!(refused(&[tag, 0]), FaultKind::Size);
    }
}

#[test]
fn attributes_know_where_they_stood() {
    let name = parsed("CN=x+UID=yy,O=Acme");
    let places = |name: Name<'_>| name.attributes().map(|attribute| attribute.value.offset()).collect::<Vec<_>>();
    let whole = name.as_der();
    let expected: Vec<_> = name
        .name()
        .attributes()
        .map(|attribute| attribute.value.as_bytes().as_ptr() as usize - whole.as_ptr() as usize)
        .collect();
    assert_eq!(expected.len(), 3);
    assert_eq!(places(name.name()), expected);
    assert_eq!(places(Name::outline(whole).unwrap()), expected);
}

/// RFC 4514 §2.4: what the parser would refuse as a string is written as its encoding, and so read again as the same name.
#[test]
fn texts_that_their_attribute_has_no_place_for_are_hexadecimal() {
    let (country, component, email, long) =
        ("2.5.4.6", "0.9.2342.19200300.100.1.25", "1.2.840.113549.1.9.1", "2.5.4.5");
    for (attr_type, tag, value, written, extended) in [
        // UTF8String, BMPString, UniversalString, TeletexString, IA5String, NumericString.
        (country, 0x0C, &b"D\xC3\x96"[..], "C=#0c0344c396", "C=#0c0344c396"),
        (country, 0x1E, b"\x4E\x2D\x56\xFD", "C=#1e044e2d56fd", "C=#1e044e2d56fd"),
        (country, 0x1E, b"\0D\0E", "C=DE", "C=DE"),
        (country, 0x1C, b"\0\0\x4E\x2D", "C=#1c0400004e2d", "C=#1c0400004e2d"),
        (country, 0x14, b"\xD6", "C=#1401d6", "C=#1401d6"),
        (country, 0x16, b"D*", "C=#1602442a", "C=#1602442a"),
        (country, 0x0C, b"D E", "C=D E", "C=D E"),
        (country, 0x12, b"49", "C=49", "C=49"),
        (component, 0x0C, b"\xC3\xA4", "DC=#0c02c3a4", "DC=#0c02c3a4"),
        (component, 0x0C, b"a*", "DC=a*", "DC=a*"),
        (email, 0x0C, b"\xC3\xA4@a", "1.2.840.113549.1.9.1=#0c04c3a44061", "emailAddress=#0c04c3a44061"),
        (long, 0x0C, b"1*2", "2.5.4.5=#0c03312a32", "serialNumber=#0c03312a32"),
        (long, 0x0C, b"12", "2.5.4.5=#0c023132", "serialNumber=12"),
    ] {
        let buf = name(&[&[(attr_type, tag, value)]]);
        let name = buf.name();
        assert_eq!(name.rfc4514().to_string(), written);
        assert_eq!(name.rfc4514().extended().to_string(), extended);
        for text in [written, extended] {
            assert!(NameBuf::parse(text).unwrap().name().matches(&name), "{text}");
        }
        // Among others, where another path writes it.
        let many = NameBuf::parse(&format!("CN=a+CN=b,{written},CN=c")).unwrap();
        assert_eq!(many.name().rfc4514().to_string(), format!("CN=a+CN=b,{written},CN=c"));
    }
    // People see the text all the same.
    assert_eq!(name(&[&[(country, 0x0C, b"D\xC3\x96")]]).name().oneline().to_string(), "C=DÖ");
}

#[test]
fn long_names_are_reversed_too() {
    let ous: Vec<String> = (0..100).map(|index| format!("OU={index}")).collect();
    let text = ous.join(",");
    assert_eq!(parsed(&text).to_string(), text);
    let plus = ous.join("+");
    assert_eq!(parsed(&plus).name().attributes().count(), 100);
    // Lengths in long form.
    let value = "x".repeat(300);
    let text = format!("CN={value}\\,,O={value}");
    assert_eq!(parsed(&text).to_string(), text);
}

#[test]
fn types_are_read_by_any_name() {
    let one = parsed("CN=x");
    for text in ["cn=x", "commonName=x", "COMMONNAME=x", "2.5.4.3=x", "OID.2.5.4.3=x", "oid.2.5.4.3 = x ", " CN = x "] {
        assert_eq!(parsed(text), one, "{text}");
    }
    assert_eq!(parsed("E=a@b").name().rfc4514().extended().to_string(), "emailAddress=a@b");
    assert_eq!(parsed(""), parsed("  "));
    assert_eq!(parsed("C = DE, O=a b  + OU=c,CN=d").to_string(), "C=DE,OU=c+O=a b,CN=d");
}

#[test]
fn string_types_of_values() {
    for (text, tag) in [
        ("CN=Acme (1)", PRINTABLE),
        ("CN=A&B", UTF8),
        ("CN=a@b", UTF8),
        ("C=DE", PRINTABLE),
        ("DC=x_y", IA5),
        ("emailAddress=a@b", IA5),
        ("serialNumber=12", PRINTABLE),
        ("CN=", PRINTABLE),
        ("2.999=x", PRINTABLE),
    ] {
        assert_eq!(u32::from(tag), parsed(text).name().attributes().next().unwrap().value.tag().number(), "{text}");
    }
}

#[test]
fn faults_in_text_have_a_reason_and_a_place() {
    use Reason::*;
    let cases = [
        (",", AttributeType, 0),
        ("CN=a,", AttributeType, 5),
        ("CN=a,,O=b", AttributeType, 5),
        ("CN=a+", AttributeType, 5),
        ("=a", AttributeType, 0),
        ("2.5.4.=a", AttributeType, 0),
        ("3.5=a", AttributeType, 0),
        ("OID.CN=a", AttributeType, 0),
        ("O=b, XY=a", UnknownType, 5),
        ("rsaEncryption=a", UnknownType, 0),
        ("CN", Equals, 2),
        ("CN x=a", Equals, 3),
        ("CN\u{E9}=a", Equals, 2),
        ("CN=\"a\"", Unescaped, 3),
        ("CN=a\"", Unescaped, 4),
        ("CN=a;O=b", Unescaped, 4),
        ("CN=a<b", Unescaped, 4),
        ("CN=a\0", Unescaped, 4),
        ("CN=#0500x", Unescaped, 8),
        ("CN=#0500 x", Unescaped, 9),
        ("CN=a\\", Escape, 4),
        ("CN=a\\x", Escape, 4),
        ("CN=a\\4", Escape, 4),
        ("CN=a\\4g", Escape, 4),
        ("CN=\\\u{E9}", Escape, 3),
        ("CN=\\C4", Utf8, 3),
        ("O=x,CN=a\\FF", Utf8, 7),
        ("C=\u{E9}", Alphabet, 2),
        ("DC=\u{E9}", Alphabet, 3),
        ("CN=#", Hexadecimal, 4),
        ("CN=#050", Hexadecimal, 7),
        ("CN=#x", Hexadecimal, 4),
        ("CN=#0501", Element, 3),
        ("CN=#05000500", Element, 3),
        ("CN=#0C01FF", Element, 3),
    ];
    for (text, reason, offset) in cases {
        assert_eq!(NameBuf::parse(text).map(|name| name.to_string()), Err(ParseError { reason, offset }), "{text:?}");
    }
}

#[test]
fn comparison() {
    let same = [
        ("CN=Eva,C=DE", "CN=eva,C=de"),
        ("CN=a  b", "CN=\\ A B\\ "),
        ("CN=#1302414c", "CN=#0c02616c"),
        ("CN=#1302414c", "CN=#1e040041006c"),
        ("CN=#1302414c", "CN=#1402616c"),
        ("CN=#1403e94141", "CN=Éaa"),
        ("CN=Stra\u{DF}e", "CN=STRASSE"),
        ("CN=\u{C5}", "CN=A\u{30A}"),
        ("CN=\u{FB01}n", "CN=FIN"),
        ("DC=Example", "DC=eXAMPLE"),
        ("E=A@B.example", "E=a@b.EXAMPLE"),
        ("CN=a+O=b", "O=B+CN=A"),
        ("CN=a+CN=B", "CN=A+CN=b"),
        ("CN=\\FF", ""),
    ];
    for (left, right) in same.into_iter().take(13) {
        let (left, right) = (parsed(left), parsed(right));
        assert!(left.name().matches(&right.name()) && right.name().matches(&left.name()), "{left} {right}");
        assert_eq!(left.name().match_key(), right.name().match_key());
    }
    for (left, right) in [
        ("CN=a", "CN=b"),
        ("CN=a", "O=a"),
        ("CN=a", ""),
        ("CN=a", "CN=a,CN=a"),
        ("CN=a,O=b", "O=b,CN=a"),
        ("CN=a+O=b", "CN=a"),
        ("CN=a+CN=a", "CN=a+CN=b"),
        ("CN=ab", "CN=a b"),
        ("CN=a", "CN=#0401a0"),
        ("CN=#03020041", "CN=A"),
        ("CN=#03020041", "CN=#03020061"),
    ] {
        let (left, right) = (parsed(left), parsed(right));
        assert!(!left.name().matches(&right.name()) && !right.name().matches(&left.name()), "{left} {right}");
        assert_ne!(left.name().match_key(), right.name().match_key());
    }
}

#[test]
fn subtrees() {
    let within = |name: &str, subtree: &str| parsed(name).name().is_within(&parsed(subtree).name());
    assert!(within("CN=a,O=b,C=DE", ""));
    assert!(within("CN=a,O=b,C=DE", "C=de"));
    assert!(within("CN=a,O=b,C=DE", "cn=A,O=B,C=de"));
    assert!(within("CN=a+UID=1,O=b", "UID=1+CN=a,O=b"));
    assert!(!within("CN=a,O=b,C=DE", "CN=a"));
    assert!(!within("O=b,C=DE", "CN=a,O=b,C=DE"));
    assert!(!within("CN=a+UID=1,O=b", "CN=a,O=b"));
    assert!(!within("", "C=DE"));
}

#[test]
fn the_invisible_is_shown() {
    for char in [
        '\0',
        '\n',
        '\x1B',
        '\x7F',
        '\u{85}',
        '\u{AD}',
        '\u{61C}',
        '\u{200B}',
        '\u{200F}',
        '\u{2028}',
        '\u{202E}',
        '\u{2066}',
        '\u{FEFF}',
        '\u{E0041}',
    ] {
        assert_eq!(visible(&char).to_string(), format!("\\u{{{:x}}}", u32::from(char)));
    }
    for text in ["", "a b~", "Zoë €\u{3000}日本\u{301}🔑", "back\\slash"] {
        assert_eq!(Visible(text).to_string(), text);
    }
}

/// The general path decides alone where there is a session.
fn general(der: &[u8]) -> Result<(), (FaultKind, usize)> {
    Options::der().decode::<Name<'_>>(der).map(|_| ()).map_err(|error| (error.kind(), error.offset()))
}

#[test]
fn the_common_form_is_what_the_general_path_accepts() {
    let names = [
        parsed("CN=Eva,O=Acme,C=DE"),
        parsed("CN=\u{E9},emailAddress=a@b,DC=x"),
        parsed("CN=a+O=b,C=DE"),
        parsed(""),
        name(&[&[(CN, TELETEX, b"\xE9")]]),
        name(&[&[(CN, 3, &[0, 1])]]),
        name(&[&[("2.5.4.200", PRINTABLE, b"x")]]),
    ];
    for name in &names {
        let der = name.as_der();
        assert_eq!(general(der), Ok(()));
        for at in 0..der.len() {
            for bit in 0..8 {
                let mut other = der.to_vec();
                other[at] ^= 1 << bit;
                let outcome = Name::from_der(&other).map(|_| ()).map_err(|error| (error.kind(), error.offset()));
                assert_eq!(outcome, general(&other), "{other:02x?}");
            }
            assert_eq!(Name::from_der(&der[..at]).is_ok(), general(&der[..at]).is_ok());
        }
    }
}

#[test]
fn texts_of_the_common_form_are_those_of_the_general_one() {
    // A text that does not fit the stack, and one that does, by one octet each way.
    for len in [100, 127, 200, 240, 245, 246, 247, 248, 249, 250, 251, 252, 253, 300] {
        let values = "x".repeat(len / 3);
        let text = format!("CN={values}{},O={values},L={values}", "y".repeat(len % 3));
        assert_eq!(parsed(&text).to_string(), text);
    }
    for text in [
        "1.2.840.113549.1.9.1=#1603614062,CN=a",
        "2.5.4.97=#13026162,2.5.4.5=#130131,2.5.4.99=#130131,2.5.4.100=#130131",
        "DC=a\\,b,UID=c,2.999=#0500",
    ] {
        assert_eq!(parsed(text).to_string(), text);
    }
    for octets in [b" a", b"a ", b"# ", b"\0,"] {
        let name = name(&[&[(CN, UTF8, octets)], &[(O, UTF8, octets)]]);
        // With more names of types it is always the general one.
        let forced = name.name().rfc4514().extended().to_string();
        assert_eq!(name.to_string(), forced);
    }
}

fn attribute_text() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec!["CN", "L", "ST", "O", "OU", "STREET", "UID"]);
    (known, any::<String>()).prop_map(|(key, value)| {
        let hex: String = value.bytes().map(|octet| format!("\\{octet:02x}")).collect();
        format!("{key}={hex}")
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(rdns in prop::collection::vec(prop::collection::vec(attribute_text(), 1..3), 0..5)) {
        let text = rdns.iter().map(|rdn| rdn.join("+")).collect::<Vec<_>>().join(",");
        let name = NameBuf::parse(&text).unwrap();
        for text in [name.to_string(), name.name().rfc4514().extended().to_string()] {
            prop_assert_eq!(&NameBuf::parse(&text).unwrap(), &name);
        }
        let _ = name.name().oneline().to_string();
        let swapped = NameBuf::parse(&name.to_string().to_uppercase().replace("\\U", "\\u"));
        if let Ok(swapped) = swapped {
            prop_assert_eq!(
                swapped.name().matches(&name.name()),
                swapped.name().match_key() == name.name().match_key()
            );
        }
    }

    /// Whatever string type a value has, and whatever its attribute asks for: what is written is read as a name that matches.
    #[test]
    fn any_name_that_decodes_is_read_again(
        attr_type in prop::sample::select(&[CN, DC, UID, "2.5.4.6", "2.5.4.5", "2.5.4.46", "1.2.840.113549.1.9.1", "2.999"][..]),
        tag in prop::sample::select(&[UTF8, PRINTABLE, TELETEX, 0x12, 0x16, 0x1A, 0x1C, 0x1E, 0x04][..]),
        text in prop_oneof![any::<String>(), "[ -~]{0,12}", "[A-Z]{2}", "[a-zÖé*中]{0,4}"],
    ) {
        let content: Vec<u8> = match tag {
            0x1C => text.chars().flat_map(|char| u32::from(char).to_be_bytes()).collect(),
            0x1E => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            TELETEX => text.chars().filter_map(|char| u8::try_from(char).ok()).collect(),
            _ => text.clone().into_bytes(),
        };
        let octets = tagwise_codec::value::from_dotted(attr_type).unwrap();
        let attribute = element(0x30, &[element(6, &octets), element(tag, &content)].concat());
        let der = element(0x30, &element(0x31, &attribute));
        if let Ok(name) = Name::from_der(&der) {
            for text in [name.rfc4514().to_string(), name.rfc4514().extended().to_string()] {
                let again = NameBuf::parse(&text);
                prop_assert!(again.as_ref().is_ok_and(|again| again.name().matches(&name)), "{} {:?}", text, again);
            }
        }
    }

    #[test]
    fn no_text_is_too_odd(text in any::<String>(), junk in "[CNO=,+#\\\\ 0-9a-f;\"<>]{0,40}") {
        for text in [text, junk] {
            if let Ok(name) = NameBuf::parse(&text) {
                prop_assert_eq!(&NameBuf::parse(&name.to_string()).unwrap(), &name);
            }
        }
    }

    #[test]
    fn no_octets_are_too_odd(octets in prop::collection::vec(any::<u8>(), 0..60)) {
        let der = element(0x30, &octets);
        let name = Name::outline(&der).unwrap();
        let _ = (name.to_string(), name.oneline().to_string(), name.match_key());
        prop_assert!(name.matches(&name));
    }
}
