//! What is refused, and what is not: entries, proofs, serial numbers, landmark documents, notes, tiles.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests: what is wrong ends them")]

use tagwise_mtc::landmark::{Landmark, LandmarkDocument, LandmarkSchedule};
use tagwise_mtc::note::{AddCheckpoint, AddEntries, Checkpoint, MirrorInfo, Note, NoteKey, NoteKeyKind, SignSubtree};
use tagwise_mtc::relying::{ConfigurationFault, PolicyFault, RelyingParty, SignatureCheck, SignatureFault};
use tagwise_mtc::tile::{self, TileKind, TilePath};
use tagwise_mtc::tree::Subtree;
use tagwise_mtc::{
    Cosignature, Cosignatures, CosignedSubtree, CosignerAlgorithm, Draft, EntryContent, EntryExtensions, ErrorKind,
    LogEntry, MtcProof, Serial, TrustAnchorId, TrustAnchorPattern, hash,
};

fn id(text: &str) -> TrustAnchorId {
    text.parse().unwrap()
}

#[test]
fn entries() {
    fn kind(bytes: &[u8]) -> Result<LogEntry<'_>, ErrorKind> {
        LogEntry::decode(bytes).map_err(|error| error.kind())
    }
    assert_eq!(kind(&[0, 0, 0, 0]), Ok(LogEntry::NULL));
    assert_eq!(kind(&[0, 0, 0]), Err(ErrorKind::Truncated));
    assert_eq!(kind(&[0, 0, 0, 0, 0]), Err(ErrorKind::NullEntryContent));
    // An extension of type F000 with one byte.
    let with = [0, 5, 0xF0, 0, 0, 1, 7, 0, 0];
    let read = kind(&with).unwrap();
    let extension = read.extensions.iter().next().unwrap();
    assert_eq!((extension.kind, extension.data), (0xF000, [7].as_slice()));
    assert!(!read.is_recognised());
    assert_eq!(read.encode().unwrap(), with);
    // The same type twice; descending.
    assert_eq!(kind(&[0, 8, 0xF0, 0, 0, 0, 0xF0, 0, 0, 0, 0, 0]), Err(ErrorKind::EntryExtensionOrder));
    assert_eq!(kind(&[0, 8, 0xF0, 1, 0, 0, 0xF0, 0, 0, 0, 0, 0]), Err(ErrorKind::EntryExtensionOrder));
    // A length that ends in the middle.
    assert_eq!(kind(&[0, 3, 0xF0, 0, 0, 0, 0]), Err(ErrorKind::Truncated));
    // Types that are not assigned are read, and not signed for.
    let unknown = kind(&[0, 0, 0x12, 0x34, 9]).unwrap();
    assert_eq!(unknown.content, EntryContent::Unknown { kind: 0x1234, data: &[9] });
    assert!(!unknown.is_recognised());
    let long = vec![0; 65_532];
    assert_eq!(LogEntry::certificate(&long).encode().unwrap_err().kind(), ErrorKind::EntryLength);
    assert_eq!(LogEntry::certificate(&long[1..]).encode().unwrap().len(), 65_535);
    assert_eq!(kind(&[0; 65_536]), Err(ErrorKind::EntryLength));
}

fn proof(signatures: &[(&str, &[u8])]) -> Vec<u8> {
    let list: Vec<_> =
        signatures.iter().map(|(name, signature)| Cosignature { cosigner: id(name), signature }).collect();
    let bytes = Cosignatures::encode(&list).unwrap();
    let proof = MtcProof {
        extensions: EntryExtensions::NONE,
        subtree: Subtree::new(8, 10).unwrap(),
        inclusion_proof: &[[7; 32]],
        signatures: Cosignatures::from_bytes(&bytes).unwrap(),
    };
    proof.encode(Draft::V07).unwrap()
}

#[test]
fn proofs() {
    fn kind(bytes: &[u8]) -> Result<MtcProof<'_>, ErrorKind> {
        MtcProof::decode(bytes, Draft::V07).map_err(|error| error.kind())
    }
    let whole = proof(&[("32473.2", b"b"), ("32473.1", b""), ("32473.1.1", b"c")]);
    let read = MtcProof::decode(&whole, Draft::V07).unwrap();
    let names: Vec<_> = read.signatures.iter().map(|one| one.cosigner.to_string()).collect();
    assert_eq!(names, ["32473.1", "32473.2", "32473.1.1"]);
    assert_eq!(read.encode(Draft::V07).unwrap(), whole);
    for end in 0..whole.len() {
        assert!(kind(&whole[..end]).is_err(), "{end} bytes");
    }
    assert_eq!(kind(&[whole.as_slice(), &[0]].concat()), Err(ErrorKind::Trailing));
    // The proof of 33 bytes: at 14 its length.
    let mut longer = whole.clone();
    longer[15] += 1;
    longer.insert(16, 0);
    assert_eq!(kind(&longer), Err(ErrorKind::ProofLength));
    // Start 7 is none of three leaves; start behind the end.
    for start in [7, 12] {
        let mut other = whole.clone();
        other[7] = start;
        assert_eq!(kind(&other), Err(ErrorKind::Subtree));
    }
    // Cosignatures out of order, twice, without an ID.
    let head = &whole[..48];
    let list = |entries: &[&[u8]]| {
        let entries = entries.concat();
        [head, &[0, 0, entries.len() as u8], &entries].concat()
    };
    let (one, two, long): (&[u8], &[u8], &[u8]) = (&[1, 5, 0, 0], &[1, 6, 0, 0], &[2, 1, 1, 0, 0]);
    assert!(kind(&list(&[one, two, long])).is_ok());
    assert_eq!(kind(&list(&[two, one])), Err(ErrorKind::CosignatureOrder));
    assert_eq!(kind(&list(&[long, one])), Err(ErrorKind::CosignatureOrder));
    assert_eq!(kind(&list(&[one, one])), Err(ErrorKind::CosignatureOrder));
    assert_eq!(kind(&list(&[&[0, 0, 0]])), Err(ErrorKind::TooShort));
    assert_eq!(kind(&list(&[&[2, 0x80, 1, 0, 0]])), Err(ErrorKind::IdComponent));
    assert_eq!(kind(&list(&[&[[33].as_slice(), &[1; 33], &[0, 0]].concat()])), Err(ErrorKind::IdLength));
    // Above 65535 bytes of signatures: the length has 24 bits, in -05 it has 16.
    let large = vec![0; 60_000];
    let bytes = Cosignatures::encode(&[
        Cosignature { cosigner: id("1.1"), signature: &large },
        Cosignature { cosigner: id("1.2"), signature: &large },
    ])
    .unwrap();
    let large = MtcProof { signatures: Cosignatures::from_bytes(&bytes).unwrap(), ..read };
    let encoded = large.encode(Draft::V07).unwrap();
    assert_eq!(MtcProof::decode(&encoded, Draft::V07).unwrap(), large);
    assert_eq!(large.encode(Draft::V05).unwrap_err().kind(), ErrorKind::TooLong);
    // The wire of -05 is none of -07, and the other way round.
    let old = read.encode(Draft::V05).unwrap();
    assert!(kind(&old).is_err());
    assert!(MtcProof::decode(&whole, Draft::V05).is_err());
    let twice = [Cosignature { cosigner: id("1.1"), signature: b"" }; 2];
    assert_eq!(Cosignatures::encode(&twice).unwrap_err().kind(), ErrorKind::CosignatureOrder);
    // What has no place in 48 bits is not written.
    let far = MtcProof { subtree: Subtree::new(0, 1 << 48).unwrap(), ..read };
    assert_eq!(far.encode(Draft::V07).unwrap_err().kind(), ErrorKind::Uint48);
    // An empty subtree is well formed, and no leaf is in it.
    let mut empty = whole;
    empty[13] = 8;
    assert!(kind(&empty).unwrap().subtree.is_empty());
}

/// A bound of a pattern may be longer than any ID; it is read as it is written.
#[test]
fn bounds_beyond_all_ids() {
    for len in [2, 32, 33, 200, 253] {
        let mut bytes = vec![0xFF; len];
        bytes[0] = 1;
        bytes[len - 1] = 0x7F;
        let pattern = TrustAnchorPattern::from_bytes(&bytes).unwrap();
        assert_eq!(pattern.to_string().parse::<TrustAnchorPattern>(), Ok(pattern), "{len} bytes");
    }
    assert!("9".repeat(700).parse::<TrustAnchorPattern>().is_err());
    let long = format!("32473.{}", "9".repeat(80));
    assert_eq!(long.parse::<TrustAnchorId>().unwrap_err().kind(), ErrorKind::IdLength);
}

#[test]
fn serials() {
    let read = |content: &[u8]| Serial::from_content(content).map(|serial| (serial.log(), serial.index()));
    assert_eq!(read(&[1, 0, 0, 0, 0, 0, 0]), Ok((1, 0)));
    assert_eq!(read(&[0]), Ok((0, 0)));
    assert_eq!(read(&[0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), Ok((0xFFFF, (1 << 48) - 1)));
    for wrong in [&[0x80][..], &[0xFF, 0, 0, 0, 0, 0, 0, 0, 0], &[1, 0, 0, 0, 0, 0, 0, 0, 0], &[]] {
        assert_eq!(read(wrong).unwrap_err().kind(), ErrorKind::SerialRange);
    }
    assert_eq!(Serial::new(0, 1).unwrap_err().kind(), ErrorKind::LogNumber);
    assert_eq!(Serial::new(1, (1 << 48) - 1).unwrap_err().kind(), ErrorKind::Uint48);
    assert_eq!(Serial::MAX.to_der(), [2, 9, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]);
    assert_eq!(Serial::from_number(0).to_der(), [2, 1, 0]);
    assert_eq!(Serial::from_number(128).to_der(), [2, 2, 0, 128]);
}

#[test]
fn landmark_documents() {
    const NOW: u64 = 1_800_000_000;
    let kind = |text: &str| LandmarkDocument::parse(text, NOW).map_err(|error| error.kind());
    let text = "4\n17 2082758399\n13 2082758399\n9 2082758399\n5 2082758399\n0 1577836800\n";
    let document = kind(text).unwrap();
    assert_eq!(document.to_string(), text);
    assert_eq!(document.landmarks().len(), 5);
    assert_eq!(document.latest(), Landmark { number: 4, size: 17, expiry: 2_082_758_399 });
    let found = document.subtree_of(13).unwrap();
    assert_eq!((found.0.number, found.1.to_string()), (4, "[12, 16)".to_owned()));
    assert_eq!(document.subtree_of(16).unwrap().1.to_string(), "[16, 17)");
    assert_eq!(document.subtree_of(17), None);
    let all: Vec<String> = document.subtrees(NOW).map(|(_, subtree)| subtree.to_string()).collect();
    assert_eq!(all, ["[12, 16)", "[16, 17)", "[8, 12)", "[12, 13)", "[4, 8)", "[8, 9)", "[0, 4)", "[4, 5)"]);
    assert!(kind("0\n0 0\n").is_ok());
    for (wrong, expected) in [
        ("", ErrorKind::LandmarkLine),
        ("1", ErrorKind::LandmarkLine),
        ("1\n", ErrorKind::LandmarkEnd),
        ("1\n5 2082758399\n", ErrorKind::LandmarkEnd),
        ("1\n5 2082758399\n0 0", ErrorKind::LandmarkLine),
        ("1\n5 2082758399\n0 0\n0 0\n", ErrorKind::LandmarkEnd),
        ("01\n5 2082758399\n0 0\n", ErrorKind::LandmarkLine),
        ("1\n05 2082758399\n0 0\n", ErrorKind::LandmarkLine),
        ("1\n5  2082758399\n0 0\n", ErrorKind::LandmarkLine),
        ("1\n5 2082758399 \n0 0\n", ErrorKind::LandmarkLine),
        ("1\r\n5 2082758399\n0 0\n", ErrorKind::LandmarkLine),
        ("+1\n5 2082758399\n0 0\n", ErrorKind::LandmarkLine),
        ("2\n5 2082758399\n5 2082758399\n0 0\n", ErrorKind::LandmarkOrder),
        ("2\n5 2082758399\n6 2082758399\n0 0\n", ErrorKind::LandmarkOrder),
        ("2\n6 2082758399\n5 2082758400\n0 0\n", ErrorKind::LandmarkOrder),
        ("1\n6 2082758399\n1 0\n", ErrorKind::LandmarkOrder),
        ("281474976710656\n6 2082758399\n0 0\n", ErrorKind::Uint48),
        ("1\n281474976710656 2082758399\n0 0\n", ErrorKind::Uint48),
    ] {
        assert_eq!(kind(wrong), Err(expected), "{wrong:?}");
    }
    // Of -05: sizes alone, and how many are active.
    let old = LandmarkDocument::parse_05("4 2\n17\n13\n9\n").unwrap();
    assert_eq!(old.iter().map(|one| (one.number, one.size)).collect::<Vec<_>>(), [(4, 17), (3, 13), (2, 9)]);
    assert!(LandmarkDocument::parse_05("4 2\n17\n13\n").is_err());
    assert!(LandmarkDocument::parse(&"4 2\n17\n13\n9\n".replace("4 2", "4"), NOW).is_err());
}

#[test]
fn landmark_schedules() {
    let schedule = LandmarkSchedule::DEFAULT;
    assert_eq!(schedule.max_active(), 169);
    let first = schedule.next(&Landmark::ZERO, 0, 10, 1000).unwrap();
    assert_eq!((first.number, first.size, first.expiry), (1, 10, 1000 + 7 * 86_400));
    // Too early; nothing new; due.
    assert_eq!(schedule.next(&first, 1000, 20, 4599), None);
    assert_eq!(schedule.next(&first, 1000, 10, 4600), None);
    assert_eq!(schedule.next(&first, 1000, 20, 4600).unwrap().number, 2);
}

#[test]
fn notes() {
    let text = "example.com/log\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
    let line = "\u{2014} example.com/log AAAAAQI=\n";
    let whole = format!("{text}\n{line}");
    let note = Note::parse(&whole).unwrap();
    assert_eq!(note.to_string(), whole);
    let checkpoint = Checkpoint::parse(note.text()).unwrap();
    assert_eq!((checkpoint.size, checkpoint.root), (3, [0; 32]));
    for wrong in [
        String::new(),
        text.to_owned(),
        format!("{text}\n"),
        format!("{text}{line}"),
        format!("{text}\n{}", line.trim_end()),
        format!("{text}\n- example.com/log AAAAAQI=\n"),
        format!("{text}\n\u{2014} example.com/log AAAAAQI\n"),
        format!("{text}\n\u{2014} example.com/log AAAAAA==\n"),
        format!("{text}\n\u{2014} example.com+log AAAAAQI=\n"),
        format!("{text}\n\u{2014}  AAAAAQI=\n"),
        format!("a\tb\n\n{line}"),
    ] {
        assert!(Note::parse(&wrong).is_err(), "{wrong:?}");
    }
    for wrong in [
        "example.com/log\n3\n",
        "example.com/log\n03\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "example.com/log\n3\nAAAA\n",
        "\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "example.com/log\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\nx\n",
        "example.com/log\n281474976710656\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
    ] {
        assert!(Checkpoint::parse(wrong).is_err(), "{wrong:?}");
    }
    // C2SP signed-note: control characters are those below U+0020.
    assert!(Note::parse(&format!("a\u{7F}b\n\n{line}")).is_ok());
    let more = format!("{text}an extension\n");
    assert_eq!(Checkpoint::parse(&more).unwrap().to_string(), more);
    // The example of C2SP's signed notes: an Ed25519 key.
    let key = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    let read = NoteKey::parse(key).unwrap();
    assert_eq!((read.name(), read.kind()), ("PeterNeumann", NoteKeyKind::Ed25519));
    assert_eq!(read.to_string(), key);
    assert!(NoteKey::parse(&key.replace("c74f20a3", "c74f20a4")).is_err());
}

#[test]
fn cosigned_subtrees() {
    let kind = |cosigner, timestamp, origin, subtree| {
        CosignedSubtree { cosigner, timestamp, origin, subtree, hash: &hash::EMPTY }.encode().map_err(|e| e.kind())
    };
    let (tree, part) = (Subtree::whole(5), Subtree::new(4, 6).unwrap());
    assert_eq!(kind("c", 1, "o", tree).unwrap().len(), 12 + 2 + 8 + 2 + 16 + 32);
    assert!(kind("c", 0, "o", part).is_ok());
    // MTC §5.4: no time with a part of a tree; names have 1 to 255 bytes.
    assert_eq!(kind("c", 1, "o", part), Err(ErrorKind::Subtree));
    assert_eq!(kind("", 0, "o", tree), Err(ErrorKind::TooShort));
    assert_eq!(kind("c", 0, "", tree), Err(ErrorKind::TooShort));
    let long = "c".repeat(256);
    assert_eq!(kind(&long, 0, "o", tree), Err(ErrorKind::TooLong));
    assert!(kind(&long[1..], 0, "o", tree).is_ok());
}

/// C2SP tlog-cosignature: a time is at most 2^63-1, and never 0 for a checkpoint; the signature is not even looked at then.
#[test]
fn times_of_cosignatures() {
    struct Anything;
    impl SignatureCheck for Anything {
        fn verify(&self, _: CosignerAlgorithm, _: &[u8], _: &[u8], _: &[u8]) -> Result<(), SignatureFault> {
            Ok(())
        }
    }
    let key = NoteKey::new("c", NoteKeyKind::MlDsa44, &[7; 1312]).unwrap();
    let at = |time| {
        let mut note = Note::new(&Checkpoint::new("o", 1, hash::EMPTY).to_string()).unwrap();
        note.add(key.signature(time, b"signature"));
        key.verify(&note, &Anything)
    };
    assert_eq!(at(1), Ok(Some(1)));
    assert_eq!(at(i64::MAX as u64), Ok(Some(i64::MAX as u64)));
    assert_eq!(at(i64::MAX as u64 + 1), Err(SignatureFault::Invalid));
    assert_eq!(at(0), Err(SignatureFault::Invalid));
}

#[test]
fn requests() {
    let note = "o\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n\u{2014} o AAAAAQI=\n";
    let hash = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    let add = format!("old 0\n{hash}\n\n{note}");
    let read = AddCheckpoint::parse(&add).unwrap();
    assert_eq!((read.old_size, read.proof.len()), (0, 1));
    assert_eq!(read.to_string(), add);
    for wrong in [
        format!("old 00\n\n{note}"),
        format!("old 1\nAAAA\n\n{note}"),
        format!("old 1\n{note}"),
        add.replace("old", "new"),
    ] {
        assert!(AddCheckpoint::parse(&wrong).is_err(), "{wrong:?}");
    }
    let many = format!("old 1\n{}\n{note}", format!("{hash}\n").repeat(64));
    assert_eq!(AddCheckpoint::parse(&many).unwrap_err().kind(), ErrorKind::ProofHashes);
    let sign = format!("subtree 4 8\n{hash}\n\n{note}");
    assert_eq!(SignSubtree::parse(&sign).unwrap().to_string(), sign);
    assert_eq!(SignSubtree::parse(&sign.replace("4 8", "3 8")).unwrap_err().kind(), ErrorKind::Subtree);

    let entries: Vec<&[u8]> = vec![b"a", b"", b"ccc"];
    let upload = AddEntries {
        origin: "o",
        start: 255,
        end: 258,
        ticket: b"t",
        packages: vec![
            tagwise_mtc::note::EntryPackage { first: 255, entries: entries[..1].to_vec(), proof: vec![hash::EMPTY] },
            tagwise_mtc::note::EntryPackage { first: 256, entries: entries[1..].to_vec(), proof: vec![] },
        ],
    };
    let bytes = upload.encode().unwrap();
    assert_eq!(AddEntries::decode(&bytes).unwrap(), upload);
    // It may end behind a package: the head has 22 bytes, the first package 36.
    for end in 0..bytes.len() {
        assert_eq!(AddEntries::decode(&bytes[..end]).is_ok(), [22, 22 + 36].contains(&end), "{end} bytes");
    }
    // As many entries as the head says are not there: no memory is taken for them.
    let mut greedy = bytes[..3].to_vec();
    greedy.extend_from_slice(&0u64.to_be_bytes());
    greedy.extend_from_slice(&((1u64 << 48) - 1).to_be_bytes());
    greedy.extend_from_slice(&[0, 0, 0, 0]);
    assert_eq!(AddEntries::decode(&greedy).unwrap_err().kind(), ErrorKind::Truncated);
    let info = MirrorInfo { pending: 9, next_entry: 3, ticket: vec![1, 2] };
    assert_eq!(MirrorInfo::parse(&info.text()).unwrap(), info);
    assert!(MirrorInfo::parse("9\n3\n").is_err());
}

#[test]
fn tiles() {
    // The example of C2SP: a log of 70,000 entries.
    let paths: Vec<String> = tile::changed(0, 70_000).map(|path| path.to_string()).collect();
    assert_eq!(paths.len(), 273 + 1 + 1 + 1 + 1);
    assert_eq!(paths[273], "tile/0/273.p/112");
    assert_eq!(paths[274], "tile/1/000");
    assert_eq!(paths[275], "tile/1/001.p/17");
    assert_eq!(paths[276], "tile/2/000.p/1");
    let paths: Vec<String> = tile::changed(0, 256).map(|path| path.to_string()).collect();
    assert_eq!(paths, ["tile/0/000", "tile/1/000.p/1"]);
    assert_eq!(tile::changed(300, 300).count() + tile::changed_bundles(300, 300).count(), 0);
    let path = |text: &str| TilePath::parse(text).ok();
    assert_eq!(
        path("tile/0/x001/x234/067"),
        Some(TilePath { kind: TileKind::Hashes(0), index: 1_234_067, width: 256 })
    );
    for text in ["tile/entries/007.p/244", "tile/5/000.p/1", "tile/0/x001/000"] {
        assert_eq!(path(text).unwrap().to_string(), text);
    }
    for wrong in [
        "",
        "tile",
        "tile/0",
        "tile/0/1",
        "tile/0/0001",
        "tile/00/000",
        "tile/0/x000/001",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/0/000/",
        "tile/64/000",
        "tile/0/001/000",
        "tile/-1/000",
        "tile/0/x999/x999/x999/x999/x999/x999/x999/999",
        "tiles/0/000",
        "tile/entries/../000",
    ] {
        assert_eq!(path(wrong), None, "{wrong}");
    }
    assert!(path("tile/0/000.p/5").unwrap().is_in(5) && !path("tile/0/000.p/6").unwrap().is_in(5));
    assert!(path("tile/1/000.p/1").unwrap().is_in(256) && !path("tile/1/000.p/1").unwrap().is_in(255));
    assert!(
        tile::hashes(&[0; 64], 2).is_ok() && tile::hashes(&[0; 65], 2).is_err() && tile::hashes(&[0; 64], 3).is_err()
    );
    let mut bundle = Vec::new();
    for entry in [b"one".as_slice(), b"", b"three"] {
        tile::put_entry(&mut bundle, entry).unwrap();
    }
    assert_eq!(tile::entries(&bundle, 3).unwrap(), [b"one".as_slice(), b"", b"three"]);
    assert!(tile::entries(&bundle, 2).is_err() && tile::entries(&bundle, 4).is_err());
    assert!(tile::entries(&bundle[..bundle.len() - 1], 3).is_err());
}

#[test]
fn configurations() {
    let fault = |text: &str| RelyingParty::new().configure(text).map_err(|error| (error.line, error.fault));
    assert_eq!(fault("# nothing\n\n"), Ok(()));
    assert_eq!(fault("\nhello"), Err((2, ConfigurationFault::Statement)));
    assert_eq!(fault("group a"), Err((1, ConfigurationFault::Words)));
    assert_eq!(fault("group a any"), Err((1, ConfigurationFault::Policy(PolicyFault::Quorum))));
    assert_eq!(fault("group a 1 b"), Err((1, ConfigurationFault::Policy(PolicyFault::UnknownMember))));
    assert_eq!(fault("require-cosigners all a"), Err((1, ConfigurationFault::UnknownGroup)));
    assert_eq!(fault("revoke-range 1.1 5 4"), Err((1, ConfigurationFault::Range)));
    assert_eq!(fault("revoke-range 1.1 4 5"), Err((1, ConfigurationFault::UnknownAuthority)));
    assert_eq!(fault("cosigner 1.1 rsa AAAA"), Err((1, ConfigurationFault::Algorithm)));
    let zero = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    assert_eq!(fault(&format!("1.1 0 0 8 {zero}")), Err((1, ConfigurationFault::Number)));
    assert_eq!(fault(&format!("1.1 1 3 8 {zero}")), Err((1, ConfigurationFault::Subtree)));
    assert_eq!(fault("1.1 1 0 8 AAAA"), Err((1, ConfigurationFault::Base64)));
}
