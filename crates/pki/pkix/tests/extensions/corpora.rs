//! Extensions of real and of test certificates and CRLs, read in place: each is accepted and encodes again to the same
//! octets, or stands in a register with what is wrong with it.

use std::collections::{BTreeMap, BTreeSet};

use tagwise_codec::{
    Any, Decode, Oid, Open, OpenType, Options, Reader, Rule, RuleSet, Session, Tag, Writer, path_at, pem,
};
use tagwise_pkix::ext::ExtensionValue;
use tagwise_pkix::profile;
use tagwise_testing::corpus;
use tagwise_testing::register::comparable;

/// What is known to deviate, and why: `extensions/register.txt`.
const REGISTER: &str = include_str!("register.txt");

/// Every file of a set, by its path from the folder of all sets.
pub(crate) fn files(name: &str) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let Some(path) = corpus(name) else { return found };
    let mut open = vec![(name.to_owned(), path)];
    while let Some((name, path)) = open.pop() {
        if path.is_dir() {
            for entry in std::fs::read_dir(&path).unwrap() {
                let entry = entry.unwrap();
                open.push((format!("{name}/{}", entry.file_name().to_str().unwrap()), entry.path()));
            }
        } else {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}

/// What a file holds: itself, or the blocks of PEM in it.
pub(crate) fn contents(file: &[u8]) -> Vec<Vec<u8>> {
    if !file.windows(11).any(|window| window == b"-----BEGIN ") {
        return vec![file.to_vec()];
    }
    let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
    pem::blocks_with(file, &session).filter_map(|block| block.ok()?.decode().ok()).collect()
}

/// An extension: its identifier, its value, and where the value starts.
pub(crate) type Found<'a> = (Oid<'a>, &'a [u8], usize);

/// Everything inside an element that looks like an extension of a known type.
pub(crate) fn extensions(der: &[u8]) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    let mut open: Vec<Any<'_>> = Any::outline(der).into_iter().collect();
    while let Some(any) = open.pop() {
        let children: Vec<Any<'_>> = any.children().map_while(Result::ok).collect();
        let (Some(first), Some(last)) = (children.first(), children.last()) else { continue };
        let shape = any.tag() == Tag::SEQUENCE
            && matches!(children.len(), 2 | 3)
            && first.tag() == Tag::OBJECT_IDENTIFIER
            && last.tag() == Tag::OCTET_STRING;
        if shape && ExtensionValue::knows(first.content()) {
            let at = last.offset() + last.as_bytes().len() - last.content().len();
            found.push((first.decode_as().unwrap(), last.content(), at));
        } else {
            open.extend(children.into_iter().rev());
        }
    }
    found
}

/// Everything that is wrong with an extension: rule (or kind, if there is no rule for it), offset and path in its value. What is
/// right encodes again to the same octets.
fn check(id: Oid<'_>, value: &[u8], at: usize) -> Vec<String> {
    let every = Rule::ALL.iter().chain(profile::ALL).filter(|rule| **rule != Rule::OPEN_TYPE);
    let options = every.fold(Options::der(), |options, rule| options.allow(rule));
    let session = Session::new(options);
    let mut reader = Reader::with_session(value, &session).unwrap().at_base(at);
    let checked = ExtensionValue::check_open(&mut reader, id.as_bytes()).and_then(|()| reader.finish());
    let mut wrong: Vec<(&str, usize)> =
        session.into_deviations().iter().map(|deviation| (deviation.rule.name, deviation.offset)).collect();
    if let Err(fault) = checked {
        wrong.push((fault.kind().code(), fault.offset()));
    }

    match Open::<ExtensionValue<'_>>::new(id.as_bytes(), value).get() {
        Ok(read) => {
            assert_eq!(wrong, [], "{id} {read:?}");
            let mut buffer = vec![0; read.open_len()];
            let mut writer = Writer::new(&mut buffer);
            read.encode_open(&mut writer, true).unwrap();
            assert_eq!(writer.written(), value, "{id} {read:?}");
        }
        Err(error) => assert!(wrong.iter().any(|(_, offset)| *offset == at + error.offset()), "{id} {error} {wrong:?}"),
    }
    let ty = ExtensionValue::set().find(id.as_bytes()).and_then(|object| object.ty.get(None)).unwrap();
    let line = |(name, offset): (&str, usize)| format!("{id} {name} {offset} {}", path_at(ty, value, offset - at));
    wrong.into_iter().map(|wrong| line(wrong).trim_end().to_owned()).collect()
}

/// The lines of the register for the files whose names start so.
fn registered(prefix: &str) -> BTreeSet<&'static str> {
    let lines = REGISTER.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter(|line| line.starts_with(prefix)).collect()
}

#[track_caller]
fn compare(prefix: &str, found: &BTreeSet<String>) {
    let (registered, _) = comparable(registered(prefix));
    let registered: BTreeSet<String> = registered.into_iter().map(String::from).collect();
    let surprises: Vec<&String> = found.difference(&registered).collect();
    let gone: Vec<&String> = registered.difference(found).collect();
    assert!(surprises.is_empty() && gone.is_empty(), "not registered: {surprises:#?}, no longer so: {gone:#?}");
}

#[test]
fn certificates_of_public_cas() {
    let (Some(certs), Some(index)) = (corpus("ccadb/certs.der"), corpus("ccadb/index.csv")) else { return };
    let (certs, index) = (std::fs::read(certs).unwrap(), std::fs::read_to_string(index).unwrap());
    let (mut found, mut count) = (BTreeSet::new(), 0);
    for row in index.lines().skip(1) {
        let mut columns = row.split(',');
        let name = &columns.next().unwrap()[..16];
        let start: usize = columns.next().unwrap().parse().unwrap();
        let len: usize = columns.next().unwrap().parse().unwrap();
        for (id, value, at) in extensions(&certs[start..start + len]) {
            count += 1;
            found.extend(check(id, value, at).iter().map(|wrong| format!("ccadb/{name} {wrong}")));
        }
    }
    assert!(count > 72_000, "{count}");
    compare("ccadb/", &found);
}

#[test]
fn test_certificates_and_crls() {
    let sets =
        ["pyca/x509", "x509-parser-assets", "pkits", "crl/real", "asn1crypto", "rustcrypto-formats", "lamps-pqc"];
    for name in sets {
        let (mut found, mut count) = (BTreeSet::new(), 0);
        for (file, octets) in files(name) {
            for der in contents(&octets) {
                for (id, value, at) in extensions(&der) {
                    count += 1;
                    found.extend(check(id, value, at).iter().map(|wrong| format!("{file} {wrong}")));
                }
            }
        }
        println!("{name}: {count} extensions, {} deviations", found.len());
        compare(&format!("{name}/"), &found);
    }
}
