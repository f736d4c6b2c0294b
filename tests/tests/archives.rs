//! tar, zstd, and entries of CT logs and of Merkle Tree Certificate logs: each form is read, and damaged files are reported.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use tagwise_codec::text::base64;
use tagwise_input::contents::ContentsKind;
use tagwise_input::{Contents, InputForm, Limits};
use tagwise_testing::archives::{
    checksummed, log_entry, mtc_entries, mtc_entry, pax, tar, tar_header, tar_member, tile_leaf, timestamped, vector,
};

/// An empty sequence with the outline of a certificate of version 3.
const CERTIFICATE: &[u8] = &[0x30, 0x07, 0x30, 0x05, 0xA0, 0x03, 2, 1, 2];

fn zstd(octets: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(octets, ruzstd::encoding::CompressionLevel::Fastest)
}

/// The names of the members with certificates, and the codes of the failures.
fn read(octets: &[u8], form: InputForm) -> (Vec<String>, Vec<&'static str>) {
    read_with(octets, form, &Limits::DEFAULT)
}

fn read_with(octets: &[u8], form: InputForm, limits: &Limits) -> (Vec<String>, Vec<&'static str>) {
    let contents = Contents::read(octets, limits);
    assert_eq!(contents.form(), form);
    assert!(contents.items().all(|item| item.der == CERTIFICATE));
    let names = contents.items().map(|item| item.place.entry.unwrap_or_default().to_owned());
    (names.collect(), contents.failures().map(|failure| failure.code).collect())
}

/// The failures, each with its offset.
fn failures(octets: &[u8]) -> Vec<(usize, String)> {
    let contents = Contents::read(octets, &Limits::DEFAULT);
    contents.failures().map(|failure| (failure.place.offset, failure.message.to_owned())).collect()
}

fn messages(octets: &[u8]) -> Vec<String> {
    failures(octets).into_iter().map(|(_, message)| message).collect()
}

/// A header of another format, with the right checksum.
fn header(name: &str, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut block = tar_header(name, b'0', CERTIFICATE.len());
    change(&mut block);
    let mut member = [&checksummed(block), CERTIFICATE].concat();
    member.resize(1024, 0);
    [member, vec![0; 1024]].concat()
}

#[test]
fn tar_headers_of_all_formats_are_read() {
    let names = |octets: &[u8]| {
        let (names, failures) = read(octets, InputForm::Tar);
        assert_eq!(failures, [""; 0]);
        names
    };
    // POSIX, with a prefix.
    assert_eq!(names(&header("name", |block| block[345..351].copy_from_slice(b"prefix"))), ["prefix/name"]);
    // GNU, with a time in the place of the prefix, and a size in binary.
    let gnu = header("name", |block| {
        block[257..265].copy_from_slice(b"ustar  \0");
        block[345..356].copy_from_slice(b"15000000000");
        block[124..136].copy_from_slice(&[0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, CERTIFICATE.len() as u8]);
    });
    assert_eq!(names(&gnu), ["name"]);
    // Version 7, without a magic number and a type.
    let old = header("name", |block| {
        block[257..265].fill(0);
        block[156] = 0;
        block[124..136].copy_from_slice(b"         11 ");
    });
    assert_eq!(names(&old), ["name"]);
    // Long names, of GNU and of pax. A type that is not known is a regular file (POSIX).
    let long = "n".repeat(300);
    let linked = tar_member("././@LongLink", b'L', format!("{long}\0").as_bytes());
    let pax = tar_member("pax", b'x', [pax("mtime", "1.5"), pax("path", &long)].concat().as_bytes());
    let global = tar_member("pax_global_header", b'g', b"12 comment=a\n");
    let rest = [tar_member("x", b'Q', CERTIFICATE), vec![0; 1024]].concat();
    assert_eq!(names(&[&*linked, &rest].concat()), [&*long]);
    assert_eq!(names(&[&*global, &pax, &rest].concat()), [&*long]);
    // The size of pax replaces that of the header.
    let sized = tar_member("pax", b'x', b"9 size=9\n");
    let member = header("big", |block| block[124..136].copy_from_slice(b"77777777777\0"));
    assert_eq!(names(&[sized, member].concat()), ["big"]);
    // Members of members.
    assert_eq!(names(&tar(&[("inner.tar", &tar(&[("a", CERTIFICATE)]))])), ["inner.tar!a"]);
}

#[test]
fn links_and_folders_have_no_content() {
    for kind in b'1'..=b'6' {
        let archive = [tar_header("x", kind, 5000), tar(&[("a", CERTIFICATE)])].concat();
        assert_eq!(read(&archive, InputForm::Tar), (vec!["a".to_owned()], vec![]), "{kind}");
    }
}

#[test]
fn damaged_tar_archives_keep_their_first_members() {
    let good = tar_member("a", b'0', CERTIFICATE);
    let read = |rest: &[u8]| {
        let archive = [&*good, rest].concat();
        let (names, failures) = read(&archive, InputForm::Tar);
        assert_eq!(names, ["a"]);
        assert_eq!(failures.len(), 1, "{failures:?}");
        messages(&archive).remove(0)
    };
    let end = [0; 1024];
    assert_eq!(read(&[]), "truncated tar archive: missing end, expected two blocks of zeros");
    assert_eq!(read(&good[..511]), "truncated tar archive: missing end, expected two blocks of zeros");
    assert_eq!(read(&tar_header("b", b'0', 9)), "truncated tar archive: a member exceeds the remaining input");
    let huge =
        header("b", |block| block[124..136].copy_from_slice(&[0x80, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]));
    assert_eq!(read(&huge), "truncated tar archive: a member exceeds the remaining input");
    let negative = header("b", |block| block[124..136].fill(0xFF));
    assert_eq!(read(&negative), "malformed tar header: the size is not a number");
    assert_eq!(read(&[&end[..], b"x"].concat()), "data after the end of the tar archive");
    let mut wrong = tar_member("b", b'0', CERTIFICATE);
    wrong[0] ^= 1;
    assert_eq!(read(&wrong), "malformed tar header: wrong checksum");
    for records in ["5 a=b", "99 a=b\n", "0 a=b\n", "x a=b\n", "6 abc\n", "9 size=x\n", "18446744073709551616 a=b\n"] {
        let pax = tar_member("pax", b'x', records.as_bytes());
        assert_eq!(read(&[&*pax, &good, &end].concat()), "malformed pax header", "{records}");
    }
    let sparse = tar_member("pax", b'x', pax("GNU.sparse.major", "1").as_bytes());
    let unsupported = "sparse members of tar archives are not supported";
    assert_eq!(read(&[&*sparse, &tar_member("b", b'0', CERTIFICATE), &end].concat()), unsupported);
    assert_eq!(read(&[&*tar_member("b", b'S', b""), &end].concat()), unsupported);
}

#[test]
fn limits_of_archives_hold() {
    let members: Vec<(String, &[u8])> = (0..10).map(|name| (name.to_string(), CERTIFICATE)).collect();
    let archive = tar(&members.iter().map(|(name, content)| (name.as_str(), *content)).collect::<Vec<_>>());
    let few = Limits { entries: 4, ..Limits::DEFAULT };
    assert_eq!(
        read_with(&archive, InputForm::Tar, &few),
        ((0..4).map(|name| name.to_string()).collect(), vec!["entries-exceeded"])
    );
    let nested = |levels: usize| (0..levels).fold(CERTIFICATE.to_vec(), |inner, _| tar(&[("a", &inner)]));
    assert_eq!(read(&nested(4), InputForm::Tar).1, [""; 0]);
    assert_eq!(read(&nested(5), InputForm::Tar).1, ["nesting-exceeded"]);
    let bomb = zstd(&vec![0; 4 << 20]);
    assert_eq!(read(&bomb, InputForm::Zstd).1, ["ratio-exceeded"]);
    // The first member has used up the budget of the whole input.
    let members = tar(&[("a", &bomb), ("b", &zstd(CERTIFICATE))]);
    assert_eq!(read(&members, InputForm::Tar), (vec![], vec!["ratio-exceeded"; 2]));
    let small = Limits { output: 1000, ..Limits::DEFAULT };
    assert_eq!(read_with(&zstd(&[b' '; 1001]), InputForm::Zstd, &small).1, ["output-exceeded"]);
    assert_eq!(read_with(&zstd(&[b' '; 1000]), InputForm::Zstd, &small).1, [""; 0]);
}

#[test]
fn zstd_may_begin_with_a_skippable_frame() {
    for magic in [0x50, 0x5F] {
        let octets = [&[magic, 0x2A, 0x4D, 0x18, 3, 0, 0, 0][..], b"abc", &zstd(CERTIFICATE)].concat();
        assert_eq!(read(&octets, InputForm::Zstd), (vec![String::new()], vec![]));
    }
}

#[test]
fn damaged_zstd_is_reported() {
    let packed = zstd(&CERTIFICATE.repeat(100));
    let len = packed.len();
    for (octets, at, message) in [
        (packed[..len - 1].to_vec(), len - 1, "truncated zstd data"),
        ([&*packed, b"rest"].concat(), len, "data after the last zstd frame"),
        ([&*packed, b"\x50\x2A\x4D\x18\x09\0\0\0x"].concat(), len + 8, "truncated zstd data"),
        (
            b"\x28\xB5\x2F\xFD\x00\xF8\x01\0\0".to_vec(),
            0,
            "zstd window too large: 2199023255552 bytes, expected at most 134217728",
        ),
        (
            b"\x28\xB5\x2F\xFD\x21\x07\x05\x01\0\0".to_vec(),
            0,
            "zstd dictionary 7 is required, expected data without a dictionary",
        ),
        // A single segment of six bytes, with a raw block of five (RFC 8878 §3.1.1.1.4).
        (b"\x28\xB5\x2F\xFD\x20\x06\x29\0\0hello".to_vec(), 14, "wrong zstd frame size: 5 bytes, expected 6"),
        // A checksum of zeros.
        (b"\x28\xB5\x2F\xFD\x24\x05\x29\0\0hello\0\0\0\0".to_vec(), 18, "wrong zstd checksum"),
    ] {
        assert_eq!(failures(&octets), [(at, message.to_owned())]);
    }
    // No byte of a frame can be changed so that reading panics.
    let packed = zstd(&(0..4000u32).flat_map(|number| (number * number).to_be_bytes()).collect::<Vec<u8>>());
    for at in (0..packed.len()).step_by(31) {
        for flip in [1, 0x80] {
            let mut octets = packed.clone();
            octets[at] ^= flip;
            let contents = Contents::read(&octets, &Limits::DEFAULT);
            assert!(contents.is_empty());
        }
    }
}

/// A gzip member with one stored block (RFC 1952 §2.3, RFC 1951 §3.2.4).
const GZIP: &[u8] = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\x01\x05\0\xFA\xFF%%%%%\xCE\x88\x9E\xC5\x05\0\0\0";

#[test]
fn damaged_gzip_is_reported_with_its_offset() {
    let len = GZIP.len();
    let changed = |at: usize| {
        let mut octets = GZIP.to_vec();
        octets[at] ^= 0xFF;
        octets
    };
    let checksum = "malformed gzip data: corrupt gzip stream does not have a matching checksum";
    assert_eq!(failures(GZIP), []);
    assert_eq!(failures(&[GZIP, GZIP].concat()), []);
    for (octets, at, message) in [
        (GZIP[..len - 1].to_vec(), len - 1, "truncated gzip data"),
        (GZIP[..17].to_vec(), 17, "truncated gzip data"),
        ([GZIP, &GZIP[..17]].concat(), len + 17, "truncated gzip data"),
        ([GZIP, b"rest"].concat(), len, "data after the last gzip member"),
        // No filler is allowed, either (RFC 1952 §2.2).
        ([GZIP, &[0; 512]].concat(), len, "data after the last gzip member"),
        (changed(17), len, checksum),
        (changed(20), len, checksum),
        (changed(24), len, checksum),
        // The complement of the block's length.
        (changed(13), 15, "malformed gzip data: corrupt deflate stream"),
        // Only method 8 is defined.
        (changed(2), 10, "malformed gzip data: invalid gzip header"),
    ] {
        assert_eq!(failures(&octets), [(at, message.to_owned())]);
    }
}

/// Entries in JSON.
fn json(leaf: &[u8], extra: &[u8]) -> String {
    format!("{{\"leaf_input\":\"{}\",\"extra_data\":\"{}\"}}", base64::encode(leaf), base64::encode(extra))
}

#[test]
fn log_entries_are_read_in_any_order_of_members() {
    let (leaf, extra) = log_entry(CERTIFICATE, true);
    let (leaf, extra) = (base64::encode(&leaf), base64::encode(&extra));
    let text =
        format!("[{{\"extra_data\" : \"{extra}\",\n \"index\": 5, \"leaf_input\"\n:\"{leaf}\", \"a\\\"b\": \"{{\"}}]");
    assert_eq!(read(text.as_bytes(), InputForm::CtEntries), (vec![String::new()], vec![]));
    let text = format!("{{\"leaf_input\": \"{leaf}\", \"extra_data\": \"{extra}\", \"audit_path\": [\"{leaf}\"]}}\n");
    assert_eq!(read(text.as_bytes(), InputForm::CtEntries), (vec![String::new()], vec![]));
}

#[test]
fn malformed_log_entries_are_reported_in_their_lines() {
    let (leaf, extra) = log_entry(CERTIFICATE, false);
    let (pre, _) = log_entry(CERTIFICATE, true);
    let unknown = [&[0, 0][..], &[0; 8], &[0x80, 0, 0, 0]].concat();
    let good = json(&leaf, &extra);
    let text = [
        good.clone(),
        json(&leaf[..20], &extra),
        json(&[&[1], &leaf[1..]].concat(), &extra),
        json(&unknown, &extra),
        json(&pre, &[]),
        format!("{{\"leaf_input\":\"{}\"}}", base64::encode(&pre)),
        json(&[&*leaf, &[0]].concat(), &extra),
        "{\"leaf_input\":\"AA*A\",\"extra_data\":\"\"}".to_owned(),
        good.clone(),
        good[..good.len() - 3].to_owned(),
    ]
    .join("\n");
    let contents = Contents::read(text.as_bytes(), &Limits::DEFAULT);
    assert_eq!(contents.form(), InputForm::CtEntries);
    assert_eq!(contents.items().map(|item| item.place.line.unwrap()).collect::<Vec<_>>(), [1, 9]);
    let failures: Vec<_> =
        contents.failures().map(|failure| (failure.place.line.unwrap(), failure.code, failure.message)).collect();
    let short = "truncated entry of a CT log";
    let expected = [
        (2, "ct", short),
        (3, "ct", "unknown entry of a CT log: version 1, type 0, expected 0, 0 (RFC 6962 §3.4)"),
        (4, "ct", "unknown type of an entry of a CT log: 32768, expected 0 or 1 (RFC 6962 §3.1)"),
        (5, "ct", short),
        (6, "ct", "missing extra_data, expected the precertificate (RFC 6962 §4.6)"),
        (7, "ct", "data after an entry of a CT log"),
    ];
    assert_eq!(failures[..6], expected);
    assert_eq!((failures[6].0, failures[6].1), (8, "base64-character"));
    assert_eq!(failures[7..], [(10, "truncated", "truncated JSON: an entry of a CT log has no end")]);
}

#[test]
fn log_entries_beside_others_are_not_dropped() {
    let (leaf, extra) = log_entry(CERTIFICATE, false);
    let (leaf, extra) = (base64::encode(&leaf), base64::encode(&extra));
    let good = format!("{{\"leaf_input\":\"{leaf}\",\"extra_data\":\"{extra}\"}}");
    let start = "{\"entries\":[".len() + good.len() + 1;
    let not_a_string = "malformed entry of a CT log: leaf_input is not a string";
    let missing = "missing leaf_input, expected an entry of a CT log (RFC 6962 §4.6)";
    for (second, message) in [
        (good.replace('}', ",\"meta\":{\"a\":1}}"), None),
        (good.replace('{', "{\"meta\":{\"a\":1},"), None),
        (good.replace("leaf_", "leaf\\u005f"), None),
        (good.replace(&format!("\"{leaf}\""), "null"), Some(not_a_string)),
        (good.replace(&format!("\"{leaf}\""), &format!("[\"{leaf}\"]")), Some(not_a_string)),
        (format!("{{\"extra_data\":\"{extra}\"}}"), Some(missing)),
        ("null".to_owned(), Some(missing)),
        (
            good.replace('}', &format!(",\"leaf_input\":\"{leaf}\"}}")),
            Some("malformed entry of a CT log: duplicate leaf_input"),
        ),
    ] {
        let text = format!("{{\"entries\":[{good},{second}]}}");
        let contents = Contents::read(text.as_bytes(), &Limits::DEFAULT);
        let failures: Vec<_> = contents.failures().map(|failure| (failure.place.offset, failure.message)).collect();
        assert_eq!(failures, message.map(|message| (start, message)).into_iter().collect::<Vec<_>>(), "{second}");
        assert_eq!(contents.len(), 2 - failures.len(), "{second}");
    }
    // A text that only has escaped names.
    let text = good.replace("leaf_", "leaf\\u005f");
    assert_eq!(read(text.as_bytes(), InputForm::CtEntries), (vec![String::new()], vec![]));
    // The end is missing after an entry.
    let text = format!("{{\"entries\":[{good}");
    let contents = Contents::read(text.as_bytes(), &Limits::DEFAULT);
    assert_eq!((contents.len(), contents.failures().map(|failure| failure.code).collect()), (1, vec!["truncated"]));
}

#[test]
fn tiles_end_at_the_first_malformed_entry() {
    let good = tile_leaf(CERTIFICATE, true);
    let chain = [timestamped(CERTIFICATE, false), vector(2, &[9; 33])].concat();
    let message = "wrong size of the chain in an entry of a CT log: 33 bytes, expected fingerprints";
    for (bad, message) in [(&good[..good.len() - 1], "truncated entry of a CT log"), (&chain[..], message)] {
        let tile = [&good[..], bad].concat();
        let contents = Contents::read(&tile, &Limits::DEFAULT);
        assert_eq!((contents.form(), contents.len()), (InputForm::CtTile, 1));
        let failure = contents.failures().next().unwrap();
        assert_eq!((failure.code, failure.message, failure.place.offset), ("ct", message, good.len()));
    }
    let item = Contents::read(&good, &Limits::DEFAULT);
    let place = item.items().next().unwrap().place.offset;
    assert_eq!(&good[place..place + CERTIFICATE.len()], CERTIFICATE);
    // Other binary files that begin with zeros.
    assert_eq!(Contents::read(&[0; 600], &Limits::DEFAULT).form(), InputForm::Unknown);
}

/// Returns the failures of an entry bundle, with their offsets, and the number of its items.
fn bundle(octets: &[u8]) -> (usize, Vec<(usize, String)>) {
    let contents = Contents::read(octets, &Limits::DEFAULT);
    assert_eq!(contents.form(), InputForm::MtcEntries);
    assert!(contents.items().all(|item| item.kind == ContentsKind::LogEntry));
    let failures = contents.failures().map(|failure| {
        assert_eq!(failure.code, "mtc");
        (failure.place.offset, failure.message.to_owned())
    });
    (contents.len(), failures.collect())
}

#[test]
fn entry_bundles_of_logs_are_read() {
    let content = mtc_entry();
    let octets = mtc_entries(&[None, Some(&content), Some(&content)]);
    assert_eq!(bundle(&octets), (2, vec![]));
    let contents = Contents::read(&octets, &Limits::DEFAULT);
    let expected = [&[0x30, 0x81, 0x8F], &content[..]].concat();
    for (item, offset) in contents.items().zip([12, 12 + 143 + 6]) {
        assert_eq!((item.der, item.place.offset), (&expected[..], offset));
        assert_eq!(octets[offset..offset + content.len()], content);
    }
    // A full bundle, and one of null entries only.
    assert_eq!(bundle(&mtc_entries(&[Some(&content[..]); 256])).0, 256);
    assert_eq!(bundle(&mtc_entries(&[None; 256])), (0, vec![]));
}

#[test]
fn malformed_entries_of_logs_are_reported_and_others_kept() {
    let content = mtc_entry();
    let good = mtc_entries(&[Some(&content)]);
    let truncated = "truncated entry of an MTC log";
    // The length, the entry and its type are cut off.
    for cut in [&good[..1], &good[..good.len() - 1], &[0, 3, 0, 0, 0], &[0, 4, 0, 9, 0, 0]] {
        assert_eq!(bundle(&[&good[..], cut].concat()), (1, vec![(good.len(), truncated.to_owned())]), "{cut:?}");
    }
    for (entry, message) in [
        (&[0, 5, 0, 0, 0, 0, 7][..], "a null entry of an MTC log has content"),
        (&[0, 4, 0, 0, 0, 2], "unknown type of an entry of an MTC log: 2, expected 0 or 1 (MTC §5.2.1)"),
        (&[0, 8, 0, 4, 0, 1, 0, 0, 0, 1], "unknown extension of an entry of an MTC log (MTC §5.2.1)"),
    ] {
        let octets = [&good[..], entry, &good].concat();
        assert_eq!(bundle(&octets), (2, vec![(good.len(), message.to_owned())]));
    }
    let (count, failures) = bundle(&mtc_entries(&[Some(&content[..]); 257]));
    let message = "more than 256 entries in an entry bundle of an MTC log (C2SP tlog-tiles)";
    assert_eq!((count, failures), (256, vec![(256 * good.len(), message.to_owned())]));
}

/// Nothing but an entry bundle is read as one: hash tiles, checkpoints, and bundles whose first certificate is implausible.
#[test]
fn other_files_of_logs_are_no_entries() {
    let content = mtc_entry();
    let good = mtc_entries(&[Some(&content)]);
    for octets in [
        vec![0; 32],
        vec![0xAA; 64],
        good[..good.len() - 1].to_vec(),
        good[2..].to_vec(),
        mtc_entries(&[Some(&[0xA0, 3, 2, 1, 2])]),
        mtc_entries(&[Some(b"")]),
        [mtc_entries(&[None]), vec![0]].concat(),
        b"oid/1.3.6.1.4.1.32473.1.0.1\n1\nAAAA\n".to_vec(),
    ] {
        let contents = Contents::read(&octets, &Limits::DEFAULT);
        assert_ne!(contents.form(), InputForm::MtcEntries);
        assert!(contents.is_empty());
    }
}

/// The content is delimited, not decoded: a malformed entry keeps its position.
#[test]
fn entries_with_a_wrong_hash_keep_their_positions() {
    let mut content = mtc_entry();
    let hash = content.iter().position(|octet| *octet == 0x04).unwrap();
    let hash = hash + content[hash..].windows(2).position(|pair| pair == [0x04, 0x20]).unwrap();
    content[hash + 1] = 0x1F;
    content.remove(hash + 2);
    let octets = mtc_entries(&[Some(&mtc_entry()), Some(&content)]);
    assert_eq!(bundle(&octets), (2, vec![]));
}
