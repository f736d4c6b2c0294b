//! Names and object identifiers of real certificates, read in place: decoded, written, read again, compared.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "what tests rely on may fail them")]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tagwise_codec::{Any, Decode, FaultKind, Oid, Options, Reader, Rule};
use tagwise_pkix::name::{Name, NameBuf};
use tagwise_pkix::{Certificate, oids};
use tagwise_testing::corpus;

/// The certificates of a file that holds one after the other.
fn certificates(file: &str) -> Option<Vec<Vec<u8>>> {
    let octets = std::fs::read(corpus(file)?).unwrap();
    let mut reader = Reader::new(&octets).unwrap();
    let mut certificates = Vec::new();
    while !reader.is_empty() {
        certificates.push(reader.skip().unwrap().to_vec());
    }
    Some(certificates)
}

fn ccadb() -> Option<Vec<Vec<u8>>> {
    certificates("ccadb/certs.der")
}

/// Issuer and subject of every certificate, in DER.
fn names(certificates: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let names = |certificate: &Vec<u8>| {
        let tbs = Any::outline(certificate).unwrap().children().next().unwrap().unwrap();
        let components: Vec<_> = tbs.children().map(Result::unwrap).collect();
        // The version may be left out.
        let first = usize::from(components[0].as_bytes()[0] == 0xA0);
        [first + 2, first + 4].map(|index| components[index].as_bytes().to_vec())
    };
    certificates.iter().flat_map(names).collect()
}

#[test]
fn real_names_are_written_and_read_again() {
    for (file, refused) in [("ccadb/certs.der", 3), ("mozilla-roots/mozilla-180-roots.der", 0)] {
        let Some(certificates) = certificates(file) else { continue };
        let mut faults = 0;
        let mut same = 0;
        let all = names(&certificates);
        for der in &all {
            let name = match Name::from_der(der) {
                Ok(name) => name,
                Err(error) => {
                    // "Wells Fargo & Company" in a PrintableString.
                    assert_eq!(error.kind(), FaultKind::StringAlphabet, "{error}");
                    faults += 1;
                    Options::der().allow(&Rule::STRING_ALPHABET).decode::<Name<'_>>(der).unwrap().value
                }
            };
            for text in [name.to_string(), name.rfc4514().extended().to_string()] {
                let read = NameBuf::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert!(read.name().matches(&name) && name.matches(&read.name()), "{text}");
                assert_eq!(read.name().match_key(), name.match_key());
                // Where the values have the types that text gives them, the octets are the same.
                let tags = |name: &Name<'_>| name.attributes().map(|each| each.value.tag()).collect::<Vec<_>>();
                if tags(&read.name()) == tags(&name) {
                    assert_eq!(read.as_der(), der, "{text}");
                    same += 1;
                }
                let mut written = String::new();
                name.write_rfc4514(&mut written).unwrap();
                assert_eq!(written, name.to_string());
            }
            // What is shown to people has no control characters, and no line of it is empty.
            let shown = name.oneline().to_string();
            assert!(!shown.is_empty() && !shown.chars().any(char::is_control), "{shown}");
            assert_eq!(Name::outline(der).unwrap().to_string(), name.to_string());
            // The common form and the general path agree: where there is a session, the latter decides.
            assert_eq!(Options::der().decode::<Name<'_>>(der).is_ok(), Name::from_der(der).is_ok());
        }
        assert_eq!(faults, refused);
        assert!(same > all.len(), "{same} of {}", all.len());
    }
}

#[test]
fn issuers_match_the_subjects_above_them() {
    let (Some(certificates), Some(index)) = (ccadb(), corpus("ccadb/index.csv")) else { return };
    let all = names(&certificates);
    let index = std::fs::read_to_string(index).unwrap();
    let rows: Vec<Vec<&str>> = index.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), certificates.len());
    let places: HashMap<&str, usize> = rows.iter().enumerate().map(|(place, row)| (row[0], place)).collect();
    let decode = |der: &[u8]| Name::outline(der).map(|name| (name.match_key(), name.to_string())).unwrap();
    let (mut pairs, mut unequal, mut others) = (0, 0, 0);
    for (row, place) in rows.iter().zip(0..) {
        let Some(parent) = places.get(row[4]) else { continue };
        let (issuer, subject) = (&all[place * 2], &all[parent * 2 + 1]);
        let (own, above) = (Name::outline(issuer).unwrap(), Name::outline(subject).unwrap());
        pairs += 1;
        unequal += usize::from(issuer != subject);
        assert_eq!(own.matches(&above), decode(issuer).0 == decode(subject).0);
        assert_eq!(own.is_within(&above), own.matches(&above));
        if !own.matches(&above) {
            others += 1;
            println!("{own}\n{above}");
        }
    }
    println!("{pairs} pairs, {unequal} of other octets, {others} of other names");
    assert!(pairs > 8000 && others == 0);
}

/// Identifiers in certificates of the Common CA Database that nobody has published a name for.
const UNKNOWN: &[&str] =
    &["1.3.6.1.4.1.18332.19.1", "1.3.6.1.4.1.18332.42.6", "1.3.6.1.4.1.519.1", "1.3.6.1.4.1.52266.1"];

#[test]
fn identifiers_of_real_certificates_have_names() {
    let Some(certificates) = ccadb() else { return };
    let mut found: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut add = |oid: Oid<'_>, place| {
        found.entry(oid.to_string()).or_default().insert(place);
    };
    for der in &certificates {
        let Ok(certificate) = Certificate::outline(der) else { continue };
        let tbs = certificate.tbs_certificate.into_value();
        for name in [tbs.issuer, tbs.subject] {
            name.attributes().for_each(|attribute| add(attribute.attr_type, "attribute"));
        }
        add(certificate.signature_algorithm.algorithm, "signature");
        add(tbs.signature.algorithm, "signature");
        add(tbs.subject_public_key_info.algorithm.algorithm, "key");
        if let Some(parameters) = tbs.subject_public_key_info.algorithm.parameters
            && let Ok(curve) = parameters.decode_as::<Oid<'_>>()
        {
            add(curve, "curve");
        }
        for extension in tbs.extensions.iter().flat_map(|extensions| extensions.iter()).flatten() {
            add(extension.extn_id, "extension");
        }
    }
    assert!(found.len() > 60, "{}", found.len());
    for (dotted, places) in &found {
        let info = oids::by_dotted(dotted);
        assert_eq!(info.is_none(), UNKNOWN.contains(&dotted.as_str()), "{dotted} {places:?}");
        let Some(info) = info else { continue };
        for place in places {
            let expected = match *place {
                "attribute" => oids::ObjectKind::Attribute,
                "signature" => oids::ObjectKind::Signature,
                "key" => oids::ObjectKind::PublicKey,
                "curve" => oids::ObjectKind::Curve,
                // One certificate has commonName for an extension.
                _ if info.oid == oids::COMMON_NAME => oids::ObjectKind::Attribute,
                _ => oids::ObjectKind::Extension,
            };
            assert_eq!(info.kind, expected, "{info:?}");
        }
    }
}

#[test]
fn hostile_names_do_no_harm() {
    let (mut count, mut previous) = (0, b"\x30\x00".to_vec());
    for folder in ["fuzzer", "normalizename_fuzzer", "verifynameinsubtree_fuzzer"] {
        let Some(folder) = corpus(&format!("fuzz/boringssl/verify_name_match_{folder}_corpus")) else { continue };
        for entry in std::fs::read_dir(folder).unwrap() {
            let octets = std::fs::read(entry.unwrap().path()).unwrap();
            // As it is, as the content of a name, and as two of them.
            let half = octets.len() / 2;
            let content = |octets: &[u8]| {
                let mut der = vec![0x30, 0x83];
                der.extend(&(octets.len() as u32).to_be_bytes()[1..]);
                der.extend(octets);
                der
            };
            let forms = [octets.clone(), content(&octets), content(&octets[..half]), content(&octets[half..])];
            let tolerant = Options::der().allow(&Rule::LONG_LENGTH).allow(&Rule::STRING_ALPHABET);
            for der in &forms {
                let Ok(name) = tolerant.outline::<Name<'_>>(der).map(|read| read.value) else { continue };
                let other = tolerant.outline::<Name<'_>>(&previous).unwrap().value;
                assert_eq!(name.matches(&other), other.matches(&name));
                assert_eq!(name.matches(&other), name.match_key() == other.match_key());
                assert!(name.is_within(&name) && name.is_within(&Name::default()));
                let text = name.to_string();
                assert!(!name.oneline().to_string().chars().any(char::is_control));
                if let Ok(read) = NameBuf::parse(&text) {
                    assert!(read.name().matches(&name), "{text}");
                }
                let _ = name.attributes().filter_map(|attribute| attribute.text()).count();
                previous.clone_from(der);
                count += 1;
            }
        }
    }
    println!("{count} names");
}

/// Names, and what OpenSSL 3.0.19 writes for them (`-nameopt RFC2253,-esc_msb,-esc_ctrl,utf8`).
const WRITTEN_BY_OPENSSL: &[(&[u8], &str)] = &[
    (
        b"0-1\x0B0\x09\x06\x03U\x04\x06\x13\x02US1\x1E0\x1C\x06\x03U\x04\x0A\x0C\x15Acme, \x22Rocket\x22 <x> \x5C;",
        r#"O=Acme\, \"Rocket\" \<x\> \\\;,C=US"#,
    ),
    (b"0\x101\x0E0\x0C\x06\x03U\x04\x03\x0C\x05 #a# ", r"CN=\ #a#\ "),
    (b"0\x0E1\x0C0\x0A\x06\x03U\x04\x03\x0C\x03#a=", r"CN=\#a="),
    (b"0\x191\x0B0\x09\x06\x03U\x04\x03\x0C\x02  1\x0A0\x08\x06\x03U\x04\x0A\x0C\x01 ", r"O=\ ,CN=\ \ "),
    (
        b"0]1\x170\x15\x06\x0A\x09\x92&\x89\x93\xF2,d\x01\x19\x16\x07example1\x160\x14\x06\x0A\x09\x92&\x89\x93\xF2,d\
          \x01\x01\x0C\x06jsmith1\x110\x0F\x06\x03U\x04\x08\x0C\x08\xC3\x91\xF0\x9F\x94\x91++1\x170\x15\x06\x03U\x04\x07\x1E\x0E\x00M\
          \x00\xFC\x00n\x00c\x00h\x00e\x00n",
        r"L=München,ST=Ñ🔑\+\+,UID=jsmith,DC=example",
    ),
    (
        b"0#1\x0E0\x0C\x06\x03U\x04\x03\x14\x05M\xC3\xBCll1\x110\x0F\x06\x03U\x04\x03\x1C\x08\x00\x00\x00A\x00\x00 \xAC",
        "CN=A€,CN=MÃ¼ll",
    ),
    (b"0\x0F1\x0D0\x0B\x06\x03U\x04\x03\x0C\x04a\x0Ab\x7F", "CN=a\nb\x7F"),
];

#[test]
fn texts_are_those_of_openssl() {
    for (der, text) in WRITTEN_BY_OPENSSL {
        let name = Name::from_der(der).unwrap();
        assert_eq!(name.to_string(), *text);
        assert!(NameBuf::parse(text).unwrap().name().matches(&name));
    }
}
