//! Stores of certificates: every container gives the same certificates, limits hold, and who issued whom is compared with what
//! the signatures of the Common CA Database say (`register/ccadb-parents.tsv`).
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use tagwise_codec::text::{base64, hex};
use tagwise_codec::{Decode, Rule, pem};
use tagwise_pkix::{Certificate, CertificateBuf, CertificateView};
use tagwise_store::{Contents, ContentsKind, InputForm, Level, Limits, Link, Record, Role, Store, StoreEntry};
use tagwise_tests::{corpora, register};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn read(octets: &[u8]) -> Contents<'_> {
    Contents::read(octets, &Limits::DEFAULT)
}

/// The certificates, and that nothing failed.
fn certificates(octets: &[u8], form: InputForm) -> Vec<Vec<u8>> {
    let contents = read(octets);
    assert_eq!(contents.form(), form);
    assert_eq!(contents.failures().map(|failure| failure.message.to_owned()).collect::<Vec<_>>(), [""; 0]);
    contents.items().map(|item| item.der.to_vec()).collect()
}

fn codes(octets: &[u8], limits: &Limits) -> Vec<&'static str> {
    Contents::read(octets, limits).failures().map(|failure| failure.code).collect()
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, octets) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(octets).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn armour(der: &[u8]) -> String {
    pem::encode("CERTIFICATE", der).unwrap()
}

/// An element with a length of up to two octets.
fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let mut out = vec![tag];
    match content.len() {
        len @ 0..0x80 => out.push(len as u8),
        len @ 0x80..0x100 => out.extend([0x81, len as u8]),
        len => out.extend([0x82, (len >> 8) as u8, len as u8]),
    }
    out.extend(content);
    out
}

/// What a made-up certificate says.
#[derive(Clone, Copy, Default)]
struct Made<'a> {
    serial: u16,
    subject: &'a str,
    issuer: &'a str,
    own_key: &'a [u8],
    issuer_key: &'a [u8],
    says: Says,
}

/// The statement of a made-up certificate about being a certification authority's.
#[derive(Clone, Copy, Default, PartialEq)]
enum Says {
    /// Basic constraints with `cA`.
    #[default]
    Authority,
    /// Basic constraints without it.
    Leaf,
    /// Nothing, in version 3.
    Nothing,
    /// Nothing, for want of extensions: version 1.
    V1,
}

/// A certificate with an Ed25519 key of zeros and a signature of zeros.
fn make(made: Made<'_>) -> Vec<u8> {
    let name = |text: &str| {
        let attribute = tlv(0x30, &[&[0x06, 3, 0x55, 4, 3], &tlv(0x0C, &[text.as_bytes()])]);
        tlv(0x30, &[&tlv(0x31, &[&attribute])])
    };
    let extension = |arc: u8, value: &[u8]| tlv(0x30, &[&[0x06, 3, 0x55, 0x1D, arc], &tlv(0x04, &[value])]);
    let mut extensions = match made.says {
        Says::Authority => extension(19, &[0x30, 3, 1, 1, 0xFF]),
        Says::Leaf => extension(19, &[0x30, 0]),
        // keyUsage: digitalSignature
        Says::Nothing | Says::V1 => extension(15, &[0x03, 2, 7, 0x80]),
    };
    if !made.own_key.is_empty() {
        extensions.extend(extension(14, &tlv(0x04, &[made.own_key])));
    }
    if !made.issuer_key.is_empty() {
        extensions.extend(extension(35, &tlv(0x30, &[&tlv(0x80, &[made.issuer_key])])));
    }
    let algorithm = tlv(0x30, &[&[0x06, 3, 0x2B, 0x65, 0x70]]);
    let validity = tlv(0x30, &[b"\x17\x0d200101000000Z", b"\x17\x0d400101000000Z"]);
    let serial = tlv(0x02, &[&[0x40], &made.serial.to_be_bytes()]);
    let (version, extensions) = match made.says {
        Says::V1 => (&[][..], Vec::new()),
        _ => (&[0xA0, 3, 2, 1, 2][..], tlv(0xA3, &[&tlv(0x30, &[&extensions])])),
    };
    let tbs = tlv(
        0x30,
        &[
            version,
            &serial,
            &algorithm,
            &name(made.issuer),
            &validity,
            &name(made.subject),
            &tlv(0x30, &[&algorithm, &tlv(0x03, &[&[0; 33]])]),
            &extensions,
        ],
    );
    tlv(0x30, &[&tbs, &algorithm, &tlv(0x03, &[&[0; 65]])])
}

fn store<'a>(ders: &'a [Vec<u8>]) -> Store<'a> {
    Store::new(ders.iter().map(|der| StoreEntry { der, record: Record::read(der).unwrap() }).collect())
}

fn mozilla() -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
    let der = fs::read(corpora::set("mozilla-roots")?.join("mozilla-180-roots.der")).unwrap();
    let list = certificates(&der, InputForm::Der);
    assert_eq!(list.len(), 180);
    Some((der, list))
}

#[test]
fn every_container_gives_the_same() {
    let Some((der, list)) = mozilla() else { return };
    let blocks: String = list.iter().map(|der| armour(der)).collect();
    let commented = format!("# Roots\n{}", blocks.replace('\n', "\r\n"));
    assert_eq!(certificates(blocks.as_bytes(), InputForm::Pem), list);
    assert_eq!(certificates(commented.as_bytes(), InputForm::Pem), list);
    assert_eq!(certificates(hex::encode(&der).as_bytes(), InputForm::Hex), list);
    assert_eq!(certificates(base64::encode(&der).as_bytes(), InputForm::Base64), list);

    // As the Common CA Database has it: PEM in apostrophes in quotation marks, among other columns.
    let rows =
        list.iter().map(|der| format!("\"Owner, Inc.\",\"{}\",\"'{}'\"\n", "30".repeat(32), armour(der).trim_end()));
    let table = format!("\"CA Owner\",\"SHA-256 Fingerprint\",\"PEM Info\"\n{}", rows.collect::<String>());
    assert_eq!(certificates(table.as_bytes(), InputForm::Csv), list);
    for (header, encode) in [
        ("id;X.509 Certificate (DER)", base64::encode as fn(&[u8]) -> String),
        ("whatever\tdata", |octets| hex::encode(octets).to_uppercase()),
    ] {
        let delimiter = if header.contains(';') { ';' } else { '\t' };
        let rows = list.iter().enumerate().map(|(index, der)| format!("{index}{delimiter}{}\r\n", encode(der)));
        let table = format!("{header}\r\n{}", rows.collect::<String>());
        assert_eq!(certificates(table.as_bytes(), InputForm::Csv), list);
    }

    let gz = gzip(blocks.as_bytes());
    assert_eq!(certificates(&gz, InputForm::Gzip), list);
    assert_eq!(certificates(&[gzip(&der[..5000]), gzip(&der[5000..])].concat(), InputForm::Gzip), list);
    let (front, back) = list.split_at(90);
    let back: String = back.iter().map(|der| armour(der)).collect();
    let inner = zip(&[("b.pem.gz", &gzip(back.as_bytes())), ("empty", b"")]);
    let archive = zip(&[("README", b"words"), ("a.der", &front.concat()), ("inner.zip", &inner)]);
    assert_eq!(certificates(&archive, InputForm::Zip), list);

    let contents = read(&archive);
    let place = |index: usize| contents.get(index).unwrap().place;
    assert_eq!((place(0).entry, place(0).offset, place(0).line), (Some("a.der"), 0, None));
    assert_eq!((place(1).entry, place(1).offset), (Some("a.der"), list[0].len()));
    assert_eq!((place(90).entry, place(90).line), (Some("inner.zip!b.pem.gz"), Some(1)));
    assert_eq!(contents.others(), 2);
    let contents = read(table.as_bytes());
    let second = contents.get(1).unwrap().place;
    assert_eq!(&table[second.offset..second.offset + 7], "\"Owner,");
    assert_eq!(second.line, Some(2 + armour(&list[0]).lines().count()));
}

#[test]
fn a_bundle_in_ber() {
    let Some(folder) = corpora::set("pyca") else { return };
    let bundle = fs::read(folder.join("pkcs7/amazon-roots.p7b")).unwrap();
    let list = certificates(&bundle, InputForm::Pkcs7);
    assert_eq!(list.len(), 2);
    for der in &list {
        assert!(CertificateView::outline(der).is_ok());
        let at = read(&bundle).items().find(|item| item.der == der).unwrap().place.offset;
        assert_eq!(&bundle[at..at + der.len()], der);
    }
    // The same with a CRL and an attribute certificate in it, in PEM, with definite lengths; and a certificate in BER.
    let crl = fs::read(corpora::set("x509-parser-assets").unwrap().join("example.crl")).unwrap();
    let mut loose = vec![0x30, 0x80];
    let (header, content) = list[0].split_at(4);
    assert_eq!(header[..2], [0x30, 0x82]);
    loose.extend(content);
    loose.extend([0, 0]);
    let signed = tlv(
        0x30,
        &[
            &[2, 1, 1],
            &[0x31, 0],
            &tlv(0x30, &[&[6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]]),
            &tlv(0xA0, &[&list[1], &[0xA2, 0], &loose]),
            &tlv(0xA1, &[&crl]),
            &[0x31, 0],
        ],
    );
    let message = tlv(0x30, &[&[6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2], &tlv(0xA0, &[&signed])]);
    let text = pem::encode("PKCS7", &message).unwrap();
    let contents = read(text.as_bytes());
    assert_eq!(contents.failures().len(), 0);
    let kinds: Vec<_> = contents.items().map(|item| (item.kind, item.der.to_vec())).collect();
    let wanted = [
        (ContentsKind::Certificate, list[0].clone()),
        (ContentsKind::Certificate, list[1].clone()),
        (ContentsKind::Crl, crl),
    ];
    assert_eq!(kinds, wanted);
    assert_eq!(contents.others(), 1);
}

#[test]
fn certdata() {
    let Some(folder) = corpora::set("mozilla-roots") else { return };
    let text = fs::read(folder.join("certdata-2025-10-23.txt")).unwrap();
    let contents = read(&text);
    assert_eq!((contents.form(), contents.failures().len()), (InputForm::Certdata, 0));
    let index = fs::read_to_string(folder.join("index.json")).unwrap();
    let index: serde_json::Value = serde_json::from_str(&index).unwrap();
    let wanted: BTreeMap<&str, &str> = index
        .as_array()
        .unwrap()
        .iter()
        .map(|root| (root["sha256"].as_str().unwrap(), root["label"].as_str().unwrap()))
        .collect();
    let mut found = BTreeMap::new();
    let mut counts = BTreeMap::new();
    for item in contents.items() {
        let trust = item.trust.unwrap();
        assert!(trust.has_certificate && item.place.line.is_some());
        // The line before says what the octets are.
        assert!(text[item.place.offset..].starts_with(b"CKA_VALUE MULTILINE_OCTAL"), "{:?}", item.place);
        let fingerprint = hex::encode(Record::read(item.der).unwrap().fingerprint());
        *counts.entry((trust.server_auth.name(), trust.email_protection.name())).or_insert(0) += 1;
        found.insert(fingerprint, trust.label.clone());
    }
    let found: BTreeMap<&str, &str> = found.iter().map(|(key, label)| (key.as_str(), label.as_str())).collect();
    let missing: Vec<_> = wanted.keys().filter(|key| !found.contains_key(*key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(found.len() >= wanted.len());
    let delegators: usize = counts.iter().filter(|(key, _)| key.0 == "trusted-delegator").map(|(_, count)| count).sum();
    assert!(delegators > 100, "{counts:?}");
    // A date from which on certificates of a root are not trusted.
    assert!(contents.trusts().iter().any(|trust| trust.server_distrust_after.is_some()));
    assert!(contents.trusts().iter().any(|trust| trust.server_auth == Level::MustVerify));

    // A bad octal digit costs that certificate only.
    let at = text.windows(10).position(|window| window == b"\nCKA_VALUE").unwrap() + 1;
    let mut bad = text.clone();
    bad[at + 30] = b'8';
    let damaged = read(&bad);
    assert_eq!(damaged.len(), contents.len() - 1);
    let failure = damaged.failures().next().unwrap();
    assert_eq!((failure.code, damaged.failures().len()), ("octal", 1));
    assert!((at..at + 40).contains(&failure.place.offset));
}

#[test]
fn malformed_entries_do_not_hide_others() {
    let good = make(Made { subject: "a", issuer: "a", ..Made::default() });
    let block = armour(&good);
    let text = format!("{block}-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n{block}");
    let contents = read(text.as_bytes());
    assert_eq!((contents.len(), contents.failures().len()), (2, 1));
    assert_eq!(contents.failures().next().unwrap().place.line, Some(block.lines().count() + 2));

    // The last one is cut off.
    let octets = [&good[..], &good, &good[..20]].concat();
    let contents = read(&octets);
    assert_eq!(contents.len(), 2);
    assert_eq!(contents.failures().next().unwrap().place.offset, 2 * good.len());

    // A cell that was cut, in a column of certificates.
    let row = base64::encode(&good);
    let table = format!("n,cert\n1,{row}\n2,{}\n3,\n4,{row}\n", &row[..60]);
    let contents = read(table.as_bytes());
    assert_eq!(contents.len(), 2);
    let failures: Vec<_> = contents.failures().map(|failure| (failure.code, failure.place.line)).collect();
    assert_eq!(failures, [("column", Some(3))]);

    // A member that is no deflate stream.
    let mut archive = zip(&[("a", block.as_bytes()), ("b", block.as_bytes())]);
    let at = archive.windows(4).position(|window| window == b"PK\x03\x04").unwrap() + 31;
    archive[at..at + 8].fill(0xFF);
    let contents = read(&archive);
    assert_eq!((contents.len(), contents.failures().len()), (1, 1));
    assert_eq!(contents.failures().next().unwrap().place.entry, Some("a"));
    // And an archive without its directory.
    assert_eq!(codes(&archive[..archive.len() - 30], &Limits::DEFAULT), ["archive"]);
    assert_eq!(codes(b"\x1F\x8B\x08nothing", &Limits::DEFAULT), ["archive"]);
}

#[test]
fn limits_hold() {
    let good = make(Made { subject: "a", issuer: "a", ..Made::default() });
    let bomb = gzip(&vec![0; 50 << 20]);
    assert_eq!(codes(&bomb, &Limits::DEFAULT), ["ratio-exceeded"]);
    assert_eq!(codes(&zip(&[("bomb", &vec![0; 50 << 20])]), &Limits::DEFAULT), ["ratio-exceeded"]);
    let small = Limits { output: 1000, ..Limits::DEFAULT };
    assert_eq!(codes(&gzip(&[b' '; 1001]), &small), ["output-exceeded"]);
    assert_eq!(codes(&gzip(&[b' '; 1000]), &small), [""; 0]);
    // What all members together come to.
    let parts: Vec<(&str, &[u8])> = vec![("a", &[b' '; 600]), ("b", &[b' '; 300]), ("c", &[b' '; 300])];
    assert_eq!(codes(&zip(&parts), &small), ["output-exceeded"]);
    let few = Limits { entries: 2, ..Limits::DEFAULT };
    assert_eq!(codes(&zip(&parts), &few), ["entries-exceeded"]);
    // gzip in gzip in gzip …
    let nested = |levels: usize| (0..levels).fold(good.clone(), |octets, _| gzip(&octets));
    assert_eq!(read(&nested(4)).len(), 1);
    assert_eq!(codes(&nested(5), &Limits::DEFAULT), ["nesting-exceeded"]);
    assert_eq!(codes(&nested(100), &Limits::DEFAULT), ["nesting-exceeded"]);
    let two = Limits { items: 2, ..Limits::DEFAULT };
    let three = [&good[..], &good, &good].concat();
    let contents = Contents::read(&three, &two);
    assert_eq!(contents.len(), 2);
    assert_eq!(codes(&three, &two), ["items-exceeded"]);
}

/// One header and its octets, named in the directory again and again.
#[test]
fn members_do_not_overlap() {
    let good = armour(&make(Made { subject: "a", issuer: "a", ..Made::default() }));
    let honest = zip(&[("a", good.as_bytes()), ("b", good.as_bytes())]);
    assert_eq!((read(&honest).len(), codes(&honest, &Limits::DEFAULT).len()), (2, 0));
    // The second entry of the directory points at the first header, too.
    let entries: Vec<usize> = (0..honest.len() - 4).filter(|at| honest[*at..].starts_with(b"PK\x01\x02")).collect();
    let mut overlapping = honest.clone();
    overlapping[entries[1] + 42..entries[1] + 46].fill(0);
    let contents = read(&overlapping);
    let failures: Vec<_> = contents.failures().map(|failure| (failure.code, failure.place.entry)).collect();
    assert_eq!((contents.len(), failures), (1, vec![("overlap", Some("b"))]));
    // A member that goes on into the next: its size says so.
    let mut longer = honest.clone();
    for at in [entries[0] + 20, 18] {
        let size = u32::from_le_bytes(longer[at..at + 4].try_into().unwrap()) + 20;
        longer[at..at + 4].copy_from_slice(&size.to_le_bytes());
    }
    assert!(codes(&longer, &Limits::DEFAULT).contains(&"overlap"), "{:?}", codes(&longer, &Limits::DEFAULT));
}

/// Many members, each below its first mebibyte, together come to no more than the size of the archive allows.
#[test]
fn the_ratio_is_that_of_the_whole_input() {
    let good = make(Made { subject: "a", issuer: "a", ..Made::default() });
    let row = good.repeat((1 << 20) / good.len());
    let names: Vec<String> = (0..64).map(|number| number.to_string()).collect();
    let members: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), row.as_slice())).collect();
    let archive = zip(&members);
    let limits = Limits { ratio: 20, ..Limits::DEFAULT };
    let most = limits.expansion(archive.len() as u64);
    assert!(most < 64 << 20, "{} octets", archive.len());
    let contents = Contents::read(&archive, &limits);
    let held: usize = contents.items().map(|item| item.der.len()).sum();
    assert!(held as u64 <= most && held > 0, "{held} of {most}");
    assert!(contents.failures().all(|failure| failure.code == "ratio-exceeded") && contents.failures().len() > 0);
    // In an archive in an archive it is the same.
    let outer = zip(&[("inner.zip", &archive)]);
    let contents = Contents::read(&outer, &limits);
    let held: usize = contents.items().map(|item| item.der.len()).sum();
    assert!(held as u64 <= limits.expansion(outer.len() as u64), "{held}");
}

/// The directory of an archive takes memory too, so it is counted before it is read.
#[test]
fn an_archive_with_too_many_members_is_not_opened() {
    let names: Vec<String> = (0..30).map(|number| number.to_string()).collect();
    let archive = zip(&names.iter().map(|name| (name.as_str(), &b""[..])).collect::<Vec<_>>());
    assert_eq!(codes(&archive, &Limits { entries: 29, ..Limits::DEFAULT }), ["entries-exceeded"]);
    assert_eq!(codes(&archive, &Limits { entries: 30, ..Limits::DEFAULT }), [""; 0]);
}

#[test]
fn chains_by_name_and_key() {
    let ca = |subject, issuer, own_key, issuer_key| Made { subject, issuer, own_key, issuer_key, ..Made::default() };
    let ders: Vec<Vec<u8>> = [
        ca("Root", "Root", b"r", b""),                              // 0
        ca("Root", "Root", b"s", b"r"),                             // 1: the root's new key, signed with its old one
        ca("Sub", "ROOT ", b"x", b"s"),                             // 2: names match whatever their case and spaces
        Made { says: Says::Leaf, ..ca("Leaf", "Sub", b"l", b"x") }, // 3
        ca("Other", "Sub", b"o", b"none"),                          // 4: names a key that nobody has
        ca("Plain", "Root", b"p", b""),                             // 5: names no key: nearest to a root
        ca("East", "West", b"e", b"w"),                             // 6: a circle
        ca("West", "East", b"w", b"e"),                             // 7
        ca("Lost", "Leaf", b"y", b"l"),                             // 8: a leaf issues nothing
        ca("Root", "Root", b"r", b""),                              // 9: the same as the first
        ca("Deep", "East", b"d", b"e"),                             // 10
    ]
    .map(make)
    .to_vec();
    let store = store(&ders);
    let tree = store.hierarchy();
    let parents: Vec<_> = (0..11).map(|number| tree.parent(number)).collect();
    let roles: Vec<_> = (0..11).map(|number| tree.role(number).unwrap()).collect();
    assert_eq!(parents[0], None);
    assert_eq!(parents[1], Some((0, Link::KeyIdentifier)));
    assert_eq!(parents[2], Some((1, Link::KeyIdentifier)));
    assert_eq!(parents[3], Some((2, Link::KeyIdentifier)));
    assert_eq!(parents[4], None);
    assert_eq!(parents[5], Some((0, Link::Name)));
    assert_eq!(parents[8], None);
    assert_eq!(parents[9], None);
    assert_eq!(
        roles[..6],
        [Role::Root, Role::Intermediate, Role::Intermediate, Role::EndEntity, Role::Orphan, Role::Intermediate]
    );
    assert_eq!(roles[8..10], [Role::Orphan, Role::Duplicate]);
    assert_eq!((0..4).map(|number| tree.depth(number)).collect::<Vec<_>>(), [Some(0), Some(1), Some(2), Some(3)]);
    // The circle is cut at one place, and what hangs on it stays.
    let cut: Vec<u32> = [6, 7].into_iter().filter(|number| parents[*number as usize].is_none()).collect();
    assert_eq!(cut.len(), 1);
    assert_eq!(parents[10], Some((6, Link::KeyIdentifier)));
    assert_eq!(tree.depth(10), None);
    assert_eq!(tree.tops(), [0, 4, 8, cut[0]]);
    assert_eq!(tree.children(2), [3]);
    assert_eq!(tree.roots().collect::<Vec<_>>(), [0]);
    // Look-up.
    assert_eq!(store.by_subject(&store.subject(0).unwrap()), [0, 1, 9]);
    assert_eq!(store.by_fingerprint(store.get(9).unwrap().record.fingerprint()), Some(0));
    assert_eq!(store.issuers_of(2).collect::<Vec<_>>(), [1]);
    assert_eq!(store.issuers_of(5).collect::<Vec<_>>(), [0, 1, 9]);
}

/// RFC 5280 §4.2.1.9: without basic constraints a certificate of version 3 is no authority's, wherever it stands; those of
/// version 1 are one's where they are self-issued (§6.1.4 (k)).
#[test]
fn who_is_an_authority() {
    let of = |says, subject, issuer| Made { says, subject, issuer, ..Made::default() };
    let ders: Vec<Vec<u8>> = [
        of(Says::Authority, "Root", "Root"),
        of(Says::Authority, "Sub", "Root"),
        of(Says::Leaf, "A", "Sub"),
        of(Says::Nothing, "B", "Sub"),
        of(Says::Nothing, "Router", "ROUTER"), // self-issued
        of(Says::Leaf, "Phone", "Phone"),
        of(Says::V1, "Old root", "Old Root"),
        of(Says::V1, "Old", "Old Root"),
        of(Says::Leaf, "C", "B"),       // what is no authority's issued nothing
        of(Says::Leaf, "D", "Old"),     // neither did this
        of(Says::Leaf, "E", "Router"),  // nor this
        of(Says::Nothing, "F", "Gone"), // no issuer
    ]
    .map(make)
    .to_vec();
    let store = store(&ders);
    let tree = store.hierarchy();
    let roles: Vec<_> = (0..12).map(|number| tree.role(number).unwrap()).collect();
    assert_eq!(
        roles,
        [
            Role::Root,
            Role::Intermediate,
            Role::EndEntity,
            Role::EndEntity,
            Role::EndEntity,
            Role::EndEntity,
            Role::Root,
            Role::EndEntity,
            Role::Orphan,
            Role::Orphan,
            Role::Orphan,
            Role::Orphan,
        ]
    );
    assert_eq!(tree.tops(), [0, 6, 8, 9, 10, 11, 4, 5]);
    let depths: Vec<_> = (0..8).map(|number| tree.depth(number)).collect();
    assert_eq!(depths, [Some(0), Some(1), Some(2), Some(2), None, None, Some(0), Some(1)]);
    for (number, der) in ders.iter().enumerate() {
        let certificate = Certificate::from_der(der).unwrap();
        let record = &store.get(number as u32).unwrap().record;
        assert_eq!(certificate.is_authority().unwrap(), [0, 1, 6].contains(&number), "{number}");
        assert_eq!(record.is_authority(), certificate.is_authority().unwrap(), "{number}");
    }
}

/// Whatever reads a certificate says the same of it.
#[test]
fn authorities_of_the_common_ca_database() {
    let Some(folder) = corpora::set("ccadb") else { return };
    let all = fs::read(folder.join("certs.der")).unwrap();
    let (mut authorities, mut others) = (0, 0);
    for item in read(&all).items() {
        let (Ok(record), Ok(certificate)) = (Record::read(item.der), Certificate::outline(item.der)) else { continue };
        let Ok(authority) = certificate.is_authority() else { continue };
        assert_eq!(record.is_authority(), authority, "{}", hex::encode(record.fingerprint()));
        *if authority { &mut authorities } else { &mut others } += 1;
    }
    println!("{authorities} of authorities, {others} others");
    assert!(authorities > 9000, "{authorities} {others}");
}

/// Of what everything has the same name, and of what all keys are the same as well, nothing is looked at more than once: with
/// squares this would take hours.
#[test]
fn many_of_one_name() {
    for (own_key, issuer_key) in [(&b""[..], &b""[..]), (b"k", b"k"), (b"k", b"other"), (b"", b"k")] {
        let ders: Vec<Vec<u8>> = (0..30_000u16)
            .map(|serial| make(Made { serial, subject: "One", issuer: "One", own_key, issuer_key, ..Made::default() }))
            .collect();
        let store = store(&ders);
        let tree = store.hierarchy();
        assert_eq!(store.by_subject(&store.subject(0).unwrap()).len(), ders.len());
        assert_eq!(tree.tops().len(), ders.len());
    }
    // A chain as long as that.
    let names: Vec<String> = (0..=30_000).map(|number| format!("CA {number}")).collect();
    let ders: Vec<Vec<u8>> = (1..names.len())
        .map(|number| {
            make(Made { serial: number as u16, subject: &names[number], issuer: &names[number - 1], ..Made::default() })
        })
        .collect();
    let store = store(&ders);
    let tree = store.hierarchy();
    assert_eq!(tree.tops(), [0]);
    assert_eq!(tree.level(ders.len() as u32 - 1) as usize, ders.len() - 1);
}

#[test]
fn parents_of_the_common_ca_database() {
    let Some(folder) = corpora::set("ccadb") else { return };
    let all = fs::read(folder.join("certs.der")).unwrap();
    let ders = certificates(&all, InputForm::Der);
    let store = store(&ders);
    let tree = store.hierarchy();
    let mut found = BTreeMap::new();
    let short = |number: Option<u32>| {
        number.map_or(String::new(), |number| hex::encode(&store.get(number).unwrap().record.fingerprint()[..8]))
    };
    let number = |text: &str| store.by_fingerprint(&hex::decode(text.as_bytes()).unwrap().try_into().unwrap());
    let spki = |number: u32| {
        let key = CertificateView::outline(store.get(number).unwrap().der).map(|outline| outline.subject_public_key());
        key.map(|key| key.as_bytes().to_vec()).ok()
    };
    let mut kinds = BTreeSet::new();
    for line in fs::read_to_string(folder.join("index.csv")).unwrap().lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let own = number(columns[0]).unwrap();
        let theirs = if columns[4].is_empty() { None } else { number(columns[4]) };
        let ours = tree.parent(own);
        let depth = tree.depth(own).map(|depth| depth.to_string()).unwrap_or_default();
        if theirs == ours.map(|(parent, _)| parent) && depth == columns[5] {
            continue;
        }
        let why = match (theirs, ours) {
            (None, None) if tree.role(own) == Some(Role::Root) => {
                "it names itself, by name and key; the index wants a signature that verifies"
            }
            (None, None) if tree.role(own) == Some(Role::EndEntity) => {
                "it names itself, and has no basic constraints with cA: not an authority's by RFC 5280 §4.2.1.9"
            }
            (None, Some(_)) => "name and key identifier fit an issuer; the index found no signature that verifies",
            (Some(_), None) => "the key identifier of the issuer that it names is not the one that its issuer has",
            (Some(theirs), Some((ours, _))) if theirs == ours => "another issuer further up has the same name and key",
            (Some(theirs), Some((ours, _))) if spki(theirs) == spki(ours) => "both have the issuer's name and key",
            (Some(_), Some(_)) => "the index has another one with the issuer's name",
            (None, None) => "the index has a depth without a parent",
        };
        kinds.insert(why);
        let link = ours.map_or("", |(_, link)| link.name());
        let (name, theirs, ours) =
            (columns[0][..16].to_lowercase(), short(theirs), short(ours.map(|(parent, _)| parent)));
        let row = [&*name, columns[3], &theirs, columns[5], &ours, &depth, link, why].join("\t");
        found.insert(name, row);
    }
    println!("{} of {} differ: {kinds:?}", found.len(), store.len());
    register::compare("ccadb-parents", "item\tkind\tparent\tdepth\tours\tour depth\tlink\twhy", &found);
}

#[test]
fn lax_frames_are_indexed() {
    let mut der = make(Made { subject: "a", issuer: "a", ..Made::default() });
    // A serial number with an octet that it does not need: 40 becomes 00.
    let at = der.windows(3).position(|window| window == [0x02, 0x03, 0x40]).unwrap() + 2;
    der[at] = 0;
    let record = Record::read(&der).unwrap();
    assert!(record.is_lax());
    assert_eq!(record.subject(&der).to_string(), "CN=a");
    assert!(Record::read(&der[..20]).is_err());
    assert!(Rule::ALL.iter().any(|rule| rule.name == "integer-padded"));
}

/// Each extension of each certificate is found by its index, and nothing else is.
#[test]
fn extensions_by_index() {
    let Some(folder) = corpora::set("ccadb") else { return };
    let all = fs::read(folder.join("certs.der")).unwrap();
    let (mut found, mut certificates_with) = (0, 0);
    for item in read(&all).items() {
        let Ok(outline) = CertificateView::outline(item.der) else { continue };
        let Some(extensions) = outline.extensions() else { continue };
        let Ok(index) = extensions.index() else { continue };
        certificates_with += 1;
        // One that cannot be read hides no other.
        for extension in extensions.iter().filter_map(Result::ok) {
            assert_eq!(
                index.find(&extensions, extension.extn_id).unwrap(),
                extensions.find(extension.extn_id).unwrap()
            );
            found += 1;
        }
        assert_eq!(index.len(), extensions.iter().filter(Result::is_ok).count());
        // Nothing is said to be absent beside one that cannot be read.
        let absent = index.find(&extensions, tagwise_pkix::oids::NTLMSSP);
        assert_eq!(absent.is_ok_and(|found| found.is_none()), extensions.iter().all(|extension| extension.is_ok()));
    }
    assert!(certificates_with > 9000 && found > 50_000, "{certificates_with} {found}");
}

#[test]
fn certificates_that_own_their_octets() {
    let der = make(Made { subject: "a", issuer: "a", ..Made::default() });
    let certificate = CertificateBuf::from_der(der.clone()).unwrap();
    let clone = certificate.clone();
    let name = std::thread::spawn(move || clone.get().tbs_certificate.subject.to_string()).join().unwrap();
    assert_eq!((name.as_str(), certificate.as_der()), ("CN=a", &*der));
    assert_eq!(size_of::<CertificateBuf>(), size_of::<usize>());
    assert_eq!(CertificateBuf::outline(der.clone()).unwrap(), certificate);
    let error = CertificateBuf::from_der(der[..50].to_vec()).unwrap_err();
    assert_eq!(error.code(), "length-overrun");
    let info = certificate.get().tbs_certificate.subject_public_key_info.info();
    assert_eq!((info.to_string().as_str(), info.bits), ("Ed25519", Some(256)));
}
