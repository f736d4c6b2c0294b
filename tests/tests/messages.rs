//! Messages, read as the Rust types that are made from the schemas: they give the same octets again, and what they say in JSON
//! is what the schemas' tables say.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};

use tagwise_codec::value::{Data, Dynamic, Types, Value};
use tagwise_codec::{Decode, Error};
use tagwise_pkix::pkcs8::OneAsymmetricKey;
use tagwise_tests::files::{self, Content, Held};
use tagwise_tests::messages::{self, ALL, Message};
use tagwise_tests::register;
use tagwise_tests::samples::{UNNAMED, samples, schema, ty};

/// Why something has another form in JSON, by the component it stands in.
const WHY: [(&str, &str); 10] = [
    (
        "attrValues",
        "values of attributes are encodings, decoded when they are asked for: any type may stand there (RFC 5652 §11)",
    ),
    ("byName", NAME),
    (
        "certificationRequestInfo",
        "CMC's CertificationRequest is that of PKCS #10, which names subjectPKInfo otherwise (RFC 5272 §3.2.1.2.1)",
    ),
    ("directoryName", NAME),
    ("extnValue", "extension values that are by hand: SCTs are octets of TLS (RFC 6962 §3.3)"),
    ("issuer", NAME),
    (
        "parameters",
        "one AlgorithmIdentifier for all algorithms: parameters are ANY DEFINED BY algorithm (RFC 5280 §4.1.1.2)",
    ),
    ("subject", NAME),
    ("value", "an otherName that is known by hand and in no schema (RFC 5280 §4.2.1.6)"),
    (
        "values",
        "values of attributes are encodings, decoded when they are asked for: any type may stand there (RFC 2986 §4.1)",
    ),
];
const NAME: &str = "Name is the list behind its CHOICE of one alternative (RFC 5280 §4.1.2.4)";

/// One value by two tables.
struct Pair<'t, 'f> {
    rust: Types<'t>,
    schema: Types<'t>,
    found: &'f mut BTreeSet<[String; 3]>,
}

fn form(value: &Value<'_>) -> String {
    match value.data() {
        Data::Leaf(_) => "a value".to_owned(),
        Data::Components(_) => "components".to_owned(),
        Data::Items(_) => "a list".to_owned(),
        Data::Alternative(chosen) => format!("alternative {}", &*chosen.field().name),
        Data::Containing(_) => "a value in octets".to_owned(),
        Data::Unknown(_) => "an encoding".to_owned(),
        _ => "something".to_owned(),
    }
}

impl Pair<'_, '_> {
    /// Notes the places where JSON differs; the octets behind are the same everywhere.
    fn walk(&mut self, rust: &Value<'_>, schema: &Value<'_>, name: &str) {
        if tagwise_jer::to_string(self.rust, rust) == tagwise_jer::to_string(self.schema, schema) {
            return;
        }
        match (rust.data(), schema.data()) {
            (Data::Components(one), Data::Components(other))
                if one.iter().map(|(field, _)| &*field.name).eq(other.iter().map(|(field, _)| &*field.name)) =>
            {
                for ((field, one), (_, other)) in one.iter().zip(other.iter()) {
                    match (one, other) {
                        (Some(one), Some(other)) => self.walk(one, other, &field.name),
                        (None, None) => {}
                        _ => panic!("{}: only one has it", &*field.name),
                    }
                }
            }
            (Data::Items(one), Data::Items(other)) if one.len() == other.len() => {
                for (one, other) in one.iter().zip(other) {
                    self.walk(one, other, name);
                }
            }
            (Data::Alternative(one), Data::Alternative(other)) if *one.field().name == *other.field().name => {
                self.walk(one.value(), other.value(), &one.field().name);
            }
            (Data::Containing(one), Data::Containing(other)) => self.walk(one, other, name),
            _ => {
                if let (Some(one), Some(other)) = (rust.as_bytes(), schema.as_bytes()) {
                    assert_eq!(one, other, "{name}");
                }
                self.found.insert([name.to_owned(), form(rust), form(schema)]);
            }
        }
    }
}

/// What a reading says: `ok`, or code and offset.
fn verdict<T>(read: &Result<T, Error>) -> String {
    match read {
        Ok(_) => "ok".to_owned(),
        Err(error) => format!("{} at {}", error.code(), error.offset()),
    }
}

#[test]
fn samples_say_the_same_in_rust() {
    let Some(samples) = samples() else { return };
    let schema = schema();
    let (mut differ, mut places, mut met) = (BTreeMap::new(), BTreeSet::new(), 0);
    for sample in &samples {
        let octets = &sample.octets;
        let name = match &sample.class {
            Some(class) => ty(class),
            None => UNNAMED.into_iter().find(|name| schema.ty(name).unwrap().decode(octets).is_ok()),
        };
        let Some(message) = name.and_then(messages::named) else { continue };
        let by_schema = schema.ty(message.name).unwrap();
        let by_rust = (message.dynamic)();
        let (rust, dynamic, table) = ((message.again)(octets), by_rust.decode(octets), by_schema.decode(octets));
        if let Ok(again) = &rust {
            assert!(again == octets, "{}: other octets", sample.file);
        }
        assert_eq!(verdict(&rust), verdict(&dynamic), "{}: code and table of one type", sample.file);
        if let (Ok(rust), Ok(table)) = (&dynamic, &table) {
            let mut pair = Pair { rust: by_rust.types(), schema: by_schema.types(), found: &mut places };
            pair.walk(&rust.value, &table.value, message.name);
            met += 1;
        }
        if verdict(&rust) != verdict(&table) {
            let why = [rust.err(), table.err()].into_iter().flatten().map(|error| error.to_string());
            let why = why.collect::<Vec<_>>().join("; ");
            let row =
                [&*sample.file, message.name, &verdict(&dynamic), &verdict(&by_schema.decode(octets)), &why].join("\t");
            differ.insert(sample.file.clone(), row);
        }
    }
    println!("{met} samples, {} differ, {} places", differ.len(), places.len());
    register::keep("messages-rfc-samples", "item\ttype\trust\tschema\twhy", &differ);
    let places = places.into_iter().map(|[name, rust, table]| {
        let key = format!("{name}: {rust}, {table}");
        let known = WHY.iter().find(|(known, _)| *known == name);
        let (_, why) = known.unwrap_or_else(|| panic!("{key}: no reason is known"));
        (key.clone(), [&*key, &rust, &table, why].join("\t"))
    });
    register::keep("messages-json", "place\trust\tschema\twhy", &places.collect());
}

/// What octets are.
enum Found {
    /// A value of a type, which gives the same octets again.
    Der(&'static str),
    /// A value in BER; its DER decodes and gives the same octets again.
    Ber(&'static str),
    /// Refused as the type whose frame it has, or which came furthest.
    Refused(&'static str, Error),
    /// Nothing that begins like one of the types.
    Other,
}

/// Offsets up to here are within the first element, whose tag many types have.
const BEGUN: usize = 3;

/// The types whose frames, three parts with a signature at the end, are like no other's.
const SIGNED: [&str; 3] =
    ["PKIX1Explicit-2009.Certificate", "PKIX1Explicit-2009.CertificateList", "PKCS-10.CertificationRequest"];

/// The readings of octets as a type: that they are no DER, and if they can be made DER, that this is none of the type's.
fn try_as(message: &'static Message, octets: &[u8]) -> Result<Found, Vec<Error>> {
    let again =
        |octets: &[u8]| (message.again)(octets).map(|again| assert!(again == octets, "{}: other octets", message.name));
    let Err(error) = again(octets) else { return Ok(Found::Der(message.name)) };
    let mut errors = vec![error];
    match (message.to_der)(octets) {
        Ok(der) if der != octets => match again(&der) {
            Ok(()) => {
                assert!((message.to_der)(&der).unwrap() == der, "{}: DER is not canonical", message.name);
                return Ok(Found::Ber(message.name));
            }
            // Its offsets are those of the DER.
            Err(error) => errors.push(error),
        },
        Ok(_) => {}
        Err(error) => errors.push(error),
    }
    Err(errors)
}

fn read(candidates: &[&'static Message], octets: &[u8]) -> Found {
    let mut refusals: Vec<(&'static Message, Error)> = Vec::new();
    for message in candidates {
        match try_as(message, octets) {
            Ok(found) => return found,
            Err(errors) => refusals.extend(errors.into_iter().map(|error| (*message, error))),
        }
    }
    let known = candidates.len() < ALL.len();
    let signed = |message: &Message| SIGNED.contains(&message.name) && (message.framed)(octets);
    refusals.retain(|(message, error)| known || (message.of_components)() && error.offset() > BEGUN);
    match refusals.into_iter().rev().max_by_key(|(message, error)| (signed(message), error.offset())) {
        Some((message, error)) => Found::Refused(message.name, error),
        None => Found::Other,
    }
}

/// The type that stands in the OCTET STRING of a private key.
fn inside(key: &OneAsymmetricKey<'_>) -> Option<&'static Message> {
    messages::named(match key.private_key_algorithm.algorithm.to_string().as_str() {
        "1.2.840.113549.1.1.1" => "PKCS-1.RSAPrivateKey",
        "1.2.840.10045.2.1" => "ECPrivateKey.ECPrivateKey",
        "2.16.840.1.101.3.4.3.17" => "X509-ML-DSA-2025.ML-DSA-44-PrivateKey",
        "2.16.840.1.101.3.4.3.18" => "X509-ML-DSA-2025.ML-DSA-65-PrivateKey",
        "2.16.840.1.101.3.4.3.19" => "X509-ML-DSA-2025.ML-DSA-87-PrivateKey",
        "2.16.840.1.101.3.4.4.1" => "X509-ML-KEM-2025.ML-KEM-512-PrivateKey",
        "2.16.840.1.101.3.4.4.2" => "X509-ML-KEM-2025.ML-KEM-768-PrivateKey",
        "2.16.840.1.101.3.4.4.3" => "X509-ML-KEM-2025.ML-KEM-1024-PrivateKey",
        _ => return None,
    })
}

/// What became of the contents of a set.
#[derive(Default)]
struct Counts {
    contents: usize,
    der: usize,
    ber: usize,
    refused: usize,
    other: usize,
}

const SETS: [&str; 7] =
    ["asn1crypto", "lamps-pqc", "pyca", "rasn", "rfc-samples", "rustcrypto-formats", "x509-parser-assets"];

/// The column that people write: what the set expects of an item that is refused. A new row has a question mark there, which fails.
fn expected(rows: &BTreeMap<String, String>, key: &str) -> String {
    rows.get(key).and_then(|row| row.split('\t').nth(2)).unwrap_or("?").to_owned()
}

#[test]
fn files_of_these_types_are_read_and_written() {
    let registered = register::rows("messages");
    let (mut refused, mut others, mut counts) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut types = BTreeMap::<&str, usize>::new();
    for set in SETS {
        let Some(contents) = files::contents(set) else { return };
        let mut count = Counts { contents: contents.len(), ..Counts::default() };
        for Content { key, held, octets } in contents {
            let mut refuse = |key: &str, name: &str, code: &str, why: &str| {
                let row = [key, name, &expected(&registered, key), code, why].join("\t");
                refused.insert(key.to_owned(), row);
            };
            let place = |error: &Error| format!("{} at {}", error.code(), error.offset());
            let candidates = match held {
                Held::One(candidates) => candidates,
                Held::Other(rule) => {
                    count.other += 1;
                    others.insert(key.clone(), format!("{key}\t{rule}"));
                    continue;
                }
                Held::Unreadable(code, why) => {
                    count.refused += 1;
                    refuse(&key, "PEM", &code, &why);
                    continue;
                }
            };
            match read(&candidates, &octets) {
                Found::Der(name) => {
                    count.der += 1;
                    *types.entry(name).or_default() += 1;
                    let Ok(info) = OneAsymmetricKey::from_der(&octets) else { continue };
                    let Some(message) = inside(&info) else { continue };
                    let content = info.private_key.0.as_bytes();
                    *types.entry(message.name).or_default() += 1;
                    match (message.again)(content) {
                        Ok(again) => assert!(again == content, "{key}: other octets"),
                        Err(error) => {
                            refuse(&format!("{key}!privateKey"), message.name, &place(&error), &error.to_string());
                        }
                    }
                }
                Found::Ber(name) => {
                    count.ber += 1;
                    *types.entry(name).or_default() += 1;
                }
                Found::Refused(name, error) => {
                    count.refused += 1;
                    let mut why = error.to_string();
                    // Line breaks behind a value are no part of it.
                    if error.code() == "trailing-data" && octets.ends_with(b"\n") {
                        let value = octets.trim_ascii_end();
                        if matches!(read(&candidates, value), Found::Der(_) | Found::Ber(_)) {
                            why.push_str("; without the line break behind it, it decodes and gives its octets again");
                        }
                    }
                    refuse(&key, name, &place(&error), &why);
                }
                Found::Other => {
                    count.other += 1;
                    others.insert(key.clone(), format!("{key}\tbegins like none of the types"));
                }
            }
        }
        let Counts { contents, der, ber, refused, other } = count;
        assert_eq!(contents, der + ber + refused + other, "{set}: everything is one of these");
        counts.insert(set.to_owned(), format!("{set}\t{contents}\t{der}\t{ber}\t{refused}\t{other}"));
    }
    println!("{types:#?}");
    register::compare("messages-counts", "set\tcontents\tder\tber\trefused\tother", &counts);
    register::compare("messages-other", "item\trule", &others);
    register::keep("messages", "item\ttype\texpected\trefused\twhy", &refused);
    let new: Vec<_> = refused.iter().filter(|(key, _)| expected(&registered, key) == "?").collect();
    assert!(new.is_empty(), "what is expected of these nobody has written yet: {new:#?}");
}

/// Every type by its Rust code and its table, on its neighbours' encodings: same octets, or the same error.
#[test]
fn code_and_tables_agree_on_what_is_not_theirs() {
    let Some(samples) = samples() else { return };
    let mut tried = 0;
    for sample in samples.iter().filter(|sample| sample.octets.len() < 4096) {
        for message in ALL {
            let dynamic: Dynamic<'_> = (message.dynamic)();
            let (code, table) = ((message.again)(&sample.octets), dynamic.decode(&sample.octets));
            assert_eq!(verdict(&code), verdict(&table), "{}: {}", sample.file, message.name);
            tried += 1;
        }
    }
    println!("{tried} readings");
}
