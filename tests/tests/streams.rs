//! Streams on real files: names as the locator gives them, and a list of half a million entries in little memory.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use tagwise_codec::stream::{self, Event, Events, NamedEvents, Settings};
use tagwise_codec::table::Type;
use tagwise_codec::{Any, Decode, FaultKind, Options, RuleSet, Tag, Typed, path_at};
use tagwise_pkix::{Certificate, CertificateList, RevokedCertificate};
use tagwise_tests::sets::{self, What};

fn ty(what: What) -> &'static Type {
    match what {
        What::Certificate => Certificate::ty(),
        What::CertificateList => CertificateList::ty(),
    }
}

#[test]
fn places_are_those_of_the_locator() {
    let mut compared = 0;
    let small = |item: &sets::Item| item.octets.len() < 20_000;
    let all =
        [("roots", sets::mozilla_roots()), ("pkits", sets::folder("pkits/crls", |_| Some(What::CertificateList)))];
    for (_, items) in all {
        for item in items.unwrap_or_default().iter().filter(|item| small(item)) {
            let mut events = NamedEvents::new(&item.octets[..], ty(item.what));
            while let Some((event, place)) = events.next().unwrap() {
                let (Event::Start(tagwise_codec::stream::Header { offset, .. })
                | Event::End(tagwise_codec::stream::End { offset, .. })) = event
                else {
                    continue;
                };
                let offset = usize::try_from(offset).unwrap();
                assert_eq!(place.path, path_at(ty(item.what), &item.octets, offset), "{} at {offset}", item.name);
                compared += 1;
            }
        }
    }
    println!("{compared} places");
}

#[test]
fn streams_and_slices_judge_alike() {
    for (name, items) in sets::all() {
        let mut refused = 0;
        for item in items.unwrap_or_default() {
            let slice = Any::from_der(&item.octets).map_err(|error| (Some(error.kind()), error.offset() as u64)).err();
            // `Any` does not look at orders.
            let stream = first_error(&item.octets, Settings::der().order(0));
            assert_eq!(slice, stream, "{}", item.name);
            refused += usize::from(stream.is_some());
            // Whatever is out of order is so for its type as well.
            if let Some((Some(FaultKind::SetOfOrder), offset)) = first_error(&item.octets, Settings::der()) {
                let options = Options::der().rules(RuleSet::ALL);
                let met = match item.what {
                    What::Certificate => options.decode::<Certificate<'_>>(&item.octets).unwrap().deviations,
                    What::CertificateList => options.decode::<CertificateList<'_>>(&item.octets).unwrap().deviations,
                };
                assert!(met.iter().any(|met| met.offset as u64 == offset), "{} at {offset}", item.name);
            }
        }
        println!("{name}: {refused} refused");
    }
}

/// What ends a reading, if it is not the end.
fn first_error(octets: &[u8], settings: Settings) -> Option<(Option<FaultKind>, u64)> {
    let mut events = Events::with(octets, settings);
    loop {
        match events.next() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => return Some((error.kind(), error.offset())),
        }
    }
}

/// How many entries, and what they should come to.
const ENTRIES: u32 = 415_756;

/// A list of about 9 MB with entries of 20 to 22 octets, like one that is really out there.
fn write_list(path: &Path) -> io::Result<u64> {
    let entry = |serial: u32| {
        let octets = serial.to_be_bytes();
        let skip = octets.iter().take_while(|octet| **octet == 0).count().min(3);
        let skip = if octets[skip] >= 0x80 { skip - 1 } else { skip };
        let serial = &octets[skip..];
        let mut entry = vec![0x30, serial.len() as u8 + 17, 0x02, serial.len() as u8];
        entry.extend(serial);
        entry.extend(b"\x17\x0D121201020304Z");
        entry
    };
    let length = |len: usize| [&[0x84][..], &(len as u32).to_be_bytes()].concat();
    let short =
        |len: usize| if len < 1 << 24 { [&[0x83][..], &(len as u32).to_be_bytes()[1..]].concat() } else { length(len) };
    let entries: usize = (1..=ENTRIES).map(|serial| entry(serial * 3).len()).sum();
    let front: &[u8] =
        b"\x02\x01\x01\x30\x0D\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0D\x05\x00\x30\x0D\x31\x0B\x30\x09\
        \x06\x03\x55\x04\x0A\x13\x02CA\x17\x0D200208072510Z\x17\x0D200309072510Z";
    let back: &[u8] = b"\x30\x0D\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x01\x0D\x05\x00\x03\x03\x00\xAB\xCD";
    let list = [&[0x30][..], &short(entries)].concat();
    let tbs = [&[0x30][..], &short(front.len() + list.len() + entries)].concat();
    let total = tbs.len() + front.len() + list.len() + entries + back.len();
    let outer = [&[0x30][..], &short(total)].concat();
    let mut file = BufWriter::new(File::create(path)?);
    for part in [&outer, &tbs, front, &list] {
        file.write_all(part)?;
    }
    for serial in 1..=ENTRIES {
        file.write_all(&entry(serial * 3))?;
    }
    file.write_all(back)?;
    file.flush()?;
    Ok((outer.len() + total) as u64)
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The memory that this process holds now and that is no file's, in KiB. Pages of the program itself are a file's: how many
/// of them are loaded depends on the machine and says nothing of the list.
fn held() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?.trim().trim_end_matches(" kB").parse().ok()
}

const CHILD: &str = "TAGWISE_STREAMED_LIST";

#[test]
fn half_a_million_entries_in_four_mebibytes() {
    if let Some(path) = std::env::var_os(CHILD) {
        return child(Path::new(&path));
    }
    let path = scratch("streamed.crl");
    let size = write_list(&path).unwrap();
    assert!(size > 8_000_000);
    let mapped = std::fs::read(&path).unwrap();
    let path_of_list = "tbsCertList.revokedCertificates";
    let entries = stream::slice_items::<RevokedCertificate<'_>>(&mapped, CertificateList::ty(), path_of_list).unwrap();
    assert_eq!(entries.map(Result::unwrap).count(), ENTRIES as usize);
    assert!(CertificateList::from_der(&mapped).is_ok());
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "half_a_million_entries_in_four_mebibytes", "--nocapture", "--test-threads=1"])
        .env(CHILD, &path)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("entries streamed"), "{text}");
    std::fs::remove_file(&path).unwrap();
    println!("{text}");
}

/// In a process of its own, for the memory is the process's.
fn child(path: &Path) {
    let start = held();
    // Once in part: what is allocated once, whatever the list's length, is not the list's.
    let (_, few) = streamed(path, 1000);
    let (last, all) = streamed(path, ENTRIES);
    assert!(last.is_some());
    println!("{ENTRIES} entries streamed; {start:?} KiB at first, at most {few:?} for 1000 entries, {all:?} for all");
    if let (Some(start), Some(few), Some(all)) = (start, few, all) {
        // The kernel counts in batches of some dozen pages a processor.
        assert!(all < few + 1024, "{all} KiB for all, {few} for 1000");
        assert!(all < start + 4096, "{all} KiB, of them {start} at first");
    }
}

/// Reads the first `most` entries, to the end of the file if that is all: the last one of all with its place, and the most
/// memory that was held meanwhile.
fn streamed(path: &Path, most: u32) -> (Option<(String, u64)>, Option<u64>) {
    let list = CertificateList::ty();
    let mut items = stream::items(File::open(path).unwrap(), list, "tbsCertList.revokedCertificates").unwrap();
    let (mut count, mut last, mut most_held) = (0u32, None, held());
    while count < most
        && let Some(item) = items.next::<RevokedCertificate<'_>>().unwrap()
    {
        count += 1;
        assert_eq!(item.octets[0], 0x30);
        if count.is_multiple_of(1000) {
            most_held = most_held.max(held());
        }
        if count == ENTRIES {
            last = Some((format!("{:?}", item.value.user_certificate), item.offset));
        }
    }
    assert_eq!(count, most);
    if most == ENTRIES {
        assert!(items.next::<RevokedCertificate<'_>>().unwrap().is_none());
        items.finish().unwrap();
    }
    (last, most_held.max(held()))
}

#[test]
fn a_skipped_list_is_stepped_over() {
    let path = scratch("skipped.crl");
    let size = write_list(&path).unwrap();
    let mut events = NamedEvents::new(File::open(&path).unwrap(), CertificateList::ty());
    let mut tags = Vec::new();
    while let Some((event, place)) = events.next().unwrap() {
        let Event::Start(start) = event else { continue };
        tags.push(start.tag);
        if place.path == "tbsCertList.revokedCertificates" {
            assert!(place.list && start.tag == Tag::SEQUENCE);
            events.skip().unwrap();
        }
    }
    assert_eq!((tags.len(), events.events().offset()), (18, size));
    std::fs::remove_file(&path).unwrap();
}

/// X.690 §10.3 puts what selects behind what it selects: a stream does not look ahead, and never takes another for it.
#[test]
fn a_selector_that_comes_later_is_not_guessed() {
    use tagwise_tests::forms::constrained::Chosen;
    let seen = |input: &'static [u8], rules| {
        let mut events = NamedEvents::with(input, Settings::new(rules), Chosen::ty());
        let mut seen = Vec::new();
        while let Some((event, place)) = events.next().unwrap() {
            if let Event::Start(start) = event {
                seen.push((start.offset, place.path.to_owned()));
            }
        }
        seen
    };
    let is = |found: Vec<(u64, String)>, expected: &[(u64, &str)]| {
        let found: Vec<_> = found.iter().map(|(offset, path)| (*offset, path.as_str())).collect();
        assert_eq!(found, expected);
    };
    // The outer `kind`, 3, is behind the value, and so is the inner one.
    const DER: &[u8] = &[0x31, 15, 0xA0, 10, 0x31, 8, 0xA0, 3, 2, 1, 7, 0x81, 1, 1, 0x81, 1, 3];
    assert!(Chosen::from_der(DER).is_ok());
    is(
        seen(DER, stream::Rules::Der),
        &[(0, ""), (2, "value"), (4, "value"), (6, "value"), (8, "value"), (11, "value"), (14, "kind")],
    );
    // Here it comes first; the inner one does not, and the outer one does not stand in for it.
    const BER: &[u8] = &[0x31, 15, 0x81, 1, 3, 0xA0, 10, 0x31, 8, 0xA0, 3, 2, 1, 7, 0x81, 1, 1];
    is(
        seen(BER, stream::Rules::Ber),
        &[
            (0, ""),
            (2, "kind"),
            (5, "value"),
            (7, "value"),
            (9, "value.value"),
            (11, "value.value"),
            (14, "value.kind"),
        ],
    );
}
