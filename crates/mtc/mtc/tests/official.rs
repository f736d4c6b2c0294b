//! Certificates, logs and checkpoints that others have made: read, verified, and made again byte for byte.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests: what is wrong ends them")]

use std::fs;
use std::path::{Path, PathBuf};

use tagwise_codec::text::{base64, hex};
use tagwise_codec::{Decode, OctetStr, UnixTime, encode, pem};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, PrivateKey};
use tagwise_mtc::crypto::{BackendCheck, CosignerKey};
use tagwise_mtc::note::{Checkpoint, Note, NoteKey, NoteKeyKind};
use tagwise_mtc::relying::{
    ConfigurationFault, CosignatureStatus, Cosigner, Outcome, Refusal, RelyingParty, Trust, TrustedAuthority,
};
use tagwise_mtc::tile::{self, TilePath};
use tagwise_mtc::tree::{MemoryTree, Subtree, inclusion_proof, root, subtree_hash};
use tagwise_mtc::{
    CaCertificate, CertificateProperties, CosignedSubtree, CosignerAlgorithm, Draft, EntryContent, ErrorKind, Hash,
    LogEntry, MtcCertificate, MtcProof, NewCaCertificate, PROPERTIES_LABEL, TbsCertificateLogEntry, TrustAnchorId,
    TrustAnchorPattern, assemble, is_mtc,
};
use tagwise_pkix::Version;
use tagwise_testing::corpus;

fn blocks(path: &Path) -> Vec<(String, Vec<u8>)> {
    let text = fs::read(path).unwrap();
    let blocks = pem::blocks(&text).map(|block| {
        let block = block.unwrap();
        (block.label().to_owned(), block.decode().unwrap())
    });
    blocks.collect()
}

/// The only certificate of a file.
fn certificate(path: &Path) -> Vec<u8> {
    let mut found: Vec<_> = blocks(path).into_iter().filter(|(label, _)| label == "CERTIFICATE").collect();
    assert_eq!(found.len(), 1, "{}", path.display());
    found.pop().unwrap().1
}

fn hex_file(path: &Path) -> Vec<u8> {
    hex::decode(fs::read_to_string(path).unwrap().trim().as_bytes()).unwrap()
}

fn id(text: &str) -> TrustAnchorId {
    text.parse().unwrap()
}

/// The cosigners of the demo, with the keys that the crate `mtcs` has of it.
fn policy(party: &mut RelyingParty, keys: &Path) {
    for name in ["32473.2.1", "32473.2.2", "32473.2.3", "32473.3.1", "32473.3.2", "32473.3.3", "32473.3.4"] {
        let key = hex_file(&keys.join(format!("C_{}.hex", name.replace('.', "_"))));
        let algorithm = CosignerAlgorithm::of_key(&key).unwrap();
        party.policy_mut().add_cosigner(Cosigner::new(id(name), algorithm, &key).unwrap()).unwrap();
    }
}

fn party(ca: &[u8], keys: &Path, configuration: &str) -> RelyingParty {
    let mut party = RelyingParty::new();
    party.add(TrustedAuthority::new(&CaCertificate::from_der(ca).unwrap()).unwrap());
    policy(&mut party, keys);
    party.configure(configuration).unwrap();
    party
}

const NOW: UnixTime = UnixTime(1_790_000_000);

fn verify(party: &RelyingParty, der: &[u8]) -> Outcome {
    let backend = AwsLc::new();
    party.verify(der, Some(NOW), &BackendCheck::new(&backend))
}

const ANY: &str = "group w any 32473.2.1 32473.2.2 32473.2.3\nrequire-cosigners all w\n";

#[test]
fn reference_demo() {
    let Some(folder) = corpus("mtc/reference-demo-07") else { return };
    let Some(keys) = corpus("mtc/mtcs-0.3.1/keys") else { return };
    let ca = certificate(&folder.join("mtc-ca-cert.pem"));
    let trusts = party(&ca, &keys, ANY);

    let standalone = certificate(&folder.join("standalone.pem"));
    assert!(is_mtc(&standalone) && !is_mtc(&ca));
    let outcome = verify(&trusts, &standalone);
    assert_eq!(outcome.result, Ok(Trust::Cosignatures), "{outcome}");
    assert_eq!(hex::encode(&outcome.root.unwrap()), "a6e190dcf174674967ef25d2e56749842dd280202e3bbc9fff01762f907b47c4");
    let status: Vec<_> = outcome.cosignatures.iter().map(|one| (one.cosigner.to_string(), one.status)).collect();
    assert_eq!(
        status,
        [
            ("32473.1".to_owned(), CosignatureStatus::Valid),
            ("32473.2.1".to_owned(), CosignatureStatus::Valid),
            ("32473.2.2".to_owned(), CosignatureStatus::NotNeeded)
        ]
    );

    // All of three are asked for, and one has not signed.
    let strict = party(&ca, &keys, "group w all 32473.2.1 32473.2.2 32473.2.3\nrequire-cosigners 32473.1 w\n");
    let outcome = verify(&strict, &standalone);
    assert_eq!(outcome.result, Err(Refusal::Quorum), "{outcome}");
    assert_eq!((outcome.groups[0].found, outcome.groups[0].needed), (2, 3));
    // Two of three, in a group of groups.
    let nested = "group a all 32473.2.1 32473.2.2\ngroup b any 32473.2.3 a\nrequire-cosigners all b\n";
    assert_eq!(verify(&party(&ca, &keys, nested), &standalone).result, Ok(Trust::Cosignatures));

    let unused = verify(&trusts, &certificate(&folder.join("standalone-unused-bit.pem")));
    let Err(Refusal::Malformed(error)) = unused.result else { panic!("{unused}") };
    assert_eq!(error.kind(), ErrorKind::Der(tagwise_codec::FaultKind::BitStringUnused));

    let grease = verify(&trusts, &certificate(&folder.join("standalone-extra-cosignatures.pem")));
    assert_eq!(grease.result, Ok(Trust::Cosignatures), "{grease}");
    let unknown = grease.cosignatures.iter().filter(|one| one.status == CosignatureStatus::Unknown);
    assert_eq!(unknown.map(|one| one.cosigner.to_string()).collect::<Vec<_>>(), ["32473.0", "32473.4.5.6"]);

    // A landmark-relative certificate is worth nothing to who does not know the landmark.
    let landmark = certificate(&folder.join("landmark-extra-cosignatures.pem"));
    assert_eq!(verify(&trusts, &landmark).result, Err(Refusal::AuthoritySignature));
    let hash = hex::decode(b"87c2b0d81a958e561a0777ac8af5554b099141fc1521be84ef50c478add84307").unwrap();
    let known = |log: u32, hash: &[u8]| format!("trusted-subtree 32473.1 {log} 0 32 {}\n", base64::encode(hash));
    let informed = party(&ca, &keys, &known(1, &hash));
    assert_eq!(verify(&informed, &landmark).result, Ok(Trust::TrustedSubtree));
    // The same range in another log is another subtree.
    assert_eq!(verify(&party(&ca, &keys, &known(2, &hash)), &landmark).result, Err(Refusal::AuthoritySignature));
    // A known subtree with another hash is a refusal, with signatures as without.
    let other = format!("trusted-subtree 32473.1 1 8 11 {}", base64::encode(&hash));
    assert_eq!(verify(&party(&ca, &keys, &other), &standalone).result, Err(Refusal::SubtreeMismatch));
    // A subtree that has expired is as if unknown.
    let late = known(1, &hash).trim().to_owned() + " 1789999999\n";
    assert_eq!(verify(&party(&ca, &keys, &late), &landmark).result, Err(Refusal::AuthoritySignature));
    // Revoked, by index and by a whole log.
    for range in ["1:10 1:10", "1:0 1:max", "0 max"] {
        let revoked = party(&ca, &keys, &format!("revoke-range 32473.1 {range}\n"));
        assert_eq!(verify(&revoked, &standalone).result, Err(Refusal::Revoked), "{range}");
    }
    assert!(verify(&party(&ca, &keys, "revoke-range 32473.1 1:11 max\n"), &standalone).is_accepted());
    // Not valid any more, or not yet.
    let backend = AwsLc::new();
    let check = BackendCheck::new(&backend);
    assert_eq!(trusts.verify(&standalone, Some(UnixTime(2_000_000_000)), &check).result, Err(Refusal::Expired));
    assert_eq!(trusts.verify(&standalone, Some(UnixTime(1_500_000_000)), &check).result, Err(Refusal::NotYetValid));
    // A CA whose certificate has expired before the one that it issued.
    let mut brief = ca.clone();
    let at = brief.windows(13).position(|time| time == b"301231235959Z").unwrap();
    brief[at..at + 13].copy_from_slice(b"251231235959Z");
    let brief = party(&brief, &keys, ANY);
    assert_eq!(verify(&brief, &standalone).result, Err(Refusal::AuthorityValidity));
    assert!(brief.verify_proof(&standalone, Some(NOW), &check).is_accepted());
    // Nobody is known.
    assert_eq!(verify(&RelyingParty::new(), &standalone).result, Err(Refusal::UnknownAuthority));
}

/// Every byte of a standalone certificate counts, but those of signatures that nobody needs: with a change in it, the certificate is
/// refused.
#[test]
fn every_byte_counts() {
    let Some(folder) = corpus("mtc/reference-demo-07") else { return };
    let Some(keys) = corpus("mtc/mtcs-0.3.1/keys") else { return };
    let ca = certificate(&folder.join("mtc-ca-cert.pem"));
    let all = party(&ca, &keys, "group w all 32473.2.1 32473.2.2\nrequire-cosigners all w\n");
    let standalone = certificate(&folder.join("standalone.pem"));
    let backend = AwsLc::new();
    let check = BackendCheck::new(&backend);
    assert!(all.verify(&standalone, Some(NOW), &check).is_accepted());
    // All of the head, and of the long signatures some.
    let positions = (0..400).chain((400..standalone.len()).step_by(29));
    for at in positions {
        let mut changed = standalone.clone();
        changed[at] ^= 1 << (at % 8);
        let outcome = all.verify(&changed, Some(NOW), &check);
        assert!(!outcome.is_accepted(), "byte {at}: {outcome}");
    }
}

#[test]
fn certificates_of_mtcs() {
    let Some(folder) = corpus("mtc/mtcs-0.3.1") else { return };
    let keys = folder.join("keys");
    let ca = fs::read(folder.join("ca.der")).unwrap();
    let subtrees: String = ["0_32", "32_34", "0_1024", "1024_2036", "2032_2048", "2048_2122"]
        .iter()
        .map(|range| {
            let hash = hex_file(&keys.join(format!("SUBTREE_{range}.hex")));
            format!("trusted-subtree 32473.1 1 {} {}\n", range.replace('_', " "), base64::encode(&hash))
        })
        .collect();
    let trusts = party(&ca, &keys, ANY);
    let informed = party(&ca, &keys, &(ANY.to_owned() + &subtrees));
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    assert_eq!(verify(&trusts, &read("standalone.der")).result, Ok(Trust::Cosignatures));
    assert_eq!(verify(&trusts, &read("standalone_ca_only.der")).result, Err(Refusal::Quorum));
    let modest = party(&ca, &keys, "");
    assert_eq!(verify(&modest, &read("standalone_ca_only.der")).result, Ok(Trust::Cosignatures));
    for name in ["landmark_32.der", "landmark_2121.der"] {
        let outcome = verify(&informed, &read(name));
        assert_eq!(outcome.result, Ok(Trust::TrustedSubtree), "{name}: {outcome}");
        assert_eq!(verify(&trusts, &read(name)).result, Err(Refusal::AuthoritySignature), "{name}");
    }
    let flipped = verify(&informed, &read("bitflip_bad.der"));
    assert_eq!(flipped.result, Err(Refusal::AuthoritySignature), "{flipped}");
    assert!(matches!(verify(&informed, &read("unused_bit_bad.der")).result, Err(Refusal::Malformed(_))));
    let plain = certificate(&folder.join("plain.pem"));
    assert!(!is_mtc(&plain));
    let Err(Refusal::Malformed(error)) = verify(&informed, &plain).result else { panic!("a signed certificate") };
    assert_eq!(error.kind(), ErrorKind::NotMtcProof);
}

/// A log as the demo writes it: entries, tiles, checkpoint, certificates.
struct Demo {
    folder: PathBuf,
    draft: Draft,
    entries: Vec<Vec<u8>>,
    tree: MemoryTree,
}

impl Demo {
    fn read(folder: PathBuf, draft: Draft) -> Self {
        const SIZE: u64 = 2036;
        let mut entries = Vec::new();
        for path in tile::changed_bundles(0, SIZE) {
            let bytes = fs::read(folder.join(path.to_string())).unwrap();
            let found = tile::entries(&bytes, path.width).unwrap();
            let mut again = Vec::new();
            found.iter().for_each(|entry| tile::put_entry(&mut again, entry).unwrap());
            assert_eq!(again, bytes, "{path}");
            entries.extend(found.iter().map(|entry| entry.to_vec()));
        }
        assert_eq!(entries.len() as u64, SIZE);
        let leaves: Vec<Hash> =
            entries.iter().map(|entry| LogEntry::decode(entry).unwrap().leaf_hash().unwrap()).collect();
        Self { folder, draft, entries, tree: MemoryTree::from_leaves(leaves) }
    }

    fn check_tiles(&self) {
        use tagwise_mtc::tree::NodeReader;
        let paths: Vec<TilePath> = tile::changed(0, self.tree.size()).collect();
        assert_eq!(paths.len(), 9);
        for path in paths {
            let bytes = fs::read(self.folder.join(path.to_string())).unwrap();
            let tile::TileKind::Hashes(level) = path.kind else { panic!("a bundle") };
            for (place, hash) in tile::hashes(&bytes, path.width).unwrap().iter().enumerate() {
                let node = self.tree.node(u32::from(level) * 8, path.index * 256 + place as u64).unwrap();
                assert_eq!(node, *hash, "{path} {place}");
            }
        }
    }

    fn checkpoint(&self) -> Note {
        let note = fs::read_to_string(self.folder.join("checkpoint")).unwrap();
        let read = Note::parse(&note).unwrap();
        assert_eq!(read.to_string(), note);
        let checkpoint = Checkpoint::parse(read.text()).unwrap();
        assert_eq!(checkpoint.origin, id("32473.1").log(1).unwrap().name());
        assert_eq!(checkpoint.root, root(&self.tree, checkpoint.size).unwrap());
        read
    }

    /// Each certificate is made again of its entry, and is the same to the byte.
    fn check_certificates(&self) -> usize {
        let mut count = 0;
        for file in fs::read_dir(&self.folder).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if !name.starts_with("cert_") {
                continue;
            }
            let der = certificate(&path);
            let read = MtcCertificate::from_der(&der).unwrap();
            assert_eq!(read.draft(), self.draft, "{name}");
            let index = read.serial().index();
            let entry = &self.entries[index as usize];
            assert_eq!(&read.entry().unwrap(), entry, "{name}");
            assert_eq!(read.entry_hash(), tagwise_mtc::hash::leaf(entry), "{name}");
            let subtree = read.proof().subtree;
            let mut hashes = inclusion_proof(&self.tree, subtree, index).unwrap();
            if name == "cert_2035_2.pem" {
                // BitFlipProof of the configuration.
                assert_ne!(hashes, read.proof().inclusion_proof, "{name}");
                hashes = read.proof().inclusion_proof.to_vec();
            }
            let proof = MtcProof { inclusion_proof: &hashes, ..*read.proof() };
            let EntryContent::TbsCert(contents) = LogEntry::decode(entry).unwrap().content else { panic!("{name}") };
            assert_eq!(TbsCertificateLogEntry::from_contents(contents).unwrap().to_contents(), contents);
            same_fields(contents);
            let again = assemble(contents, read.public_key_info(), read.serial(), &proof).unwrap();
            assert_eq!(again, der, "{name}");
            self.check_signatures(&read, &hashes, &name);
            count += 1;
        }
        count
    }

    fn check_signatures(&self, read: &MtcCertificate<'_>, _hashes: &[Hash], name: &str) {
        let hash = subtree_hash(&self.tree, read.proof().subtree).unwrap();
        let origin = id("32473.1").log(1).unwrap().name();
        let backend = AwsLc::new();
        let check = BackendCheck::new(&backend);
        for one in read.proof().signatures.iter() {
            let Some(key) = demo_key(&one.cosigner) else { continue };
            let name_of = one.cosigner.name();
            let message = CosignedSubtree {
                cosigner: &name_of,
                timestamp: 0,
                origin: &origin,
                subtree: read.proof().subtree,
                hash: &hash,
            };
            let cosigner = CosignerKey::new(one.cosigner, key).unwrap();
            let cosigner = cosigner.cosigner();
            use tagwise_mtc::relying::SignatureCheck;
            let done =
                check.verify(cosigner.algorithm(), cosigner.key_info(), &message.encode().unwrap(), one.signature);
            assert_eq!(done, Ok(()), "{name}: {}", one.cosigner);
        }
    }
}

/// The demo's keys: of ML-DSA all have the seed 00 01 … 1f.
fn demo_key(id: &TrustAnchorId) -> Option<std::sync::Arc<dyn PrivateKey>> {
    let pkcs8 = match id.to_string().as_str() {
        "32473.1" => "MDQCAQAwCwYJYIZIAWUDBAMRBCKAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f",
        "32473.2.1" => {
            "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgthrguld6LZNJw6UMbhyTkML7u3BMcdEyomQIwB+N2o6hRANCAAR6nKeTu+M2OxL7HCjH/i0+lnIx7OE0b3DnXWVue+5TBVDq8aG6KqFq+xprV5ll6QtPJb+TTBp+Kv1IRpDxMpxt"
        }
        "32473.2.2" => "MDQCAQAwCwYJYIZIAWUDBAMSBCKAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f",
        "32473.2.3" => "MDQCAQAwCwYJYIZIAWUDBAMTBCKAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f",
        _ => return None,
    };
    Some(AwsLc::new().private_key_from_pkcs8(&base64::decode(pkcs8.as_bytes()).unwrap()).unwrap())
}

#[test]
fn demo_log_07() {
    let Some(folder) = corpus("mtc/demo-patched-plants07") else { return };
    let demo = Demo::read(folder, Draft::V07);
    demo.check_tiles();
    demo.checkpoint();
    assert_eq!(demo.check_certificates(), 12);
    let subtree = |start, end| hex::encode(&subtree_hash(&demo.tree, Subtree::new(start, end).unwrap()).unwrap());
    assert_eq!(subtree(8, 11), "a6e190dcf174674967ef25d2e56749842dd280202e3bbc9fff01762f907b47c4");
    assert_eq!(subtree(0, 32), "87c2b0d81a958e561a0777ac8af5554b099141fc1521be84ef50c478add84307");
}

#[test]
fn demo_log_05() {
    let Some(folder) = corpus("mtc/ietf-demo-plants05") else { return };
    let demo = Demo::read(folder, Draft::V05);
    demo.check_tiles();
    demo.checkpoint();
    assert_eq!(demo.check_certificates(), 12);
    // What is of -05 is not read as -07 for a CA of -07.
    let Some(ca) = corpus("mtc/reference-demo-07/mtc-ca-cert.pem") else { return };
    let mut party = RelyingParty::new();
    party.add(TrustedAuthority::new(&CaCertificate::from_der(&certificate(&ca)).unwrap()).unwrap());
    let old = certificate(&demo.folder.join("cert_10_0.pem"));
    assert_eq!(verify(&party, &old).result, Err(Refusal::WrongDraft));
    let old_ca = certificate(&demo.folder.join("ca_cert.pem"));
    let mut party = RelyingParty::new();
    party.add(TrustedAuthority::new(&CaCertificate::from_der(&old_ca).unwrap()).unwrap());
    assert_eq!(verify(&party, &old).result, Ok(Trust::Cosignatures));
}

/// The landmark-relative certificate and the subtree's signatures of the reference demo, from nothing but the entries of its
/// configuration.
#[test]
fn reference_demo_again() {
    let Some(log) = corpus("mtc/demo-patched-plants07") else { return };
    let Some(folder) = corpus("mtc/reference-demo-07") else { return };
    let demo = Demo::read(log, Draft::V07);
    for name in ["standalone.pem", "standalone-extra-cosignatures.pem", "landmark-extra-cosignatures.pem"] {
        let der = certificate(&folder.join(name));
        let read = MtcCertificate::from_der(&der).unwrap();
        let entry = &demo.entries[read.serial().index() as usize];
        let EntryContent::TbsCert(contents) = LogEntry::decode(entry).unwrap().content else { panic!("{name}") };
        let hashes = inclusion_proof(&demo.tree, read.proof().subtree, read.serial().index()).unwrap();
        // Signatures of the demo are random: they are taken as they are, and checked.
        let proof = MtcProof { inclusion_proof: &hashes, ..*read.proof() };
        assert_eq!(assemble(contents, read.public_key_info(), read.serial(), &proof).unwrap(), der, "{name}");
        demo.check_signatures(&read, &hashes, name);
    }
}

#[test]
fn ca_certificates() {
    let cases = [
        ("mtc/reference-demo-07/mtc-ca-cert.pem", Draft::V07),
        ("mtc/demo-patched-plants07/ca_cert.pem", Draft::V07),
        ("mtc/ietf-demo-plants05/ca_cert.pem", Draft::V05),
        ("mtc/openssl-06/mtc-ca-cert.pem", Draft::V06),
    ];
    for (name, draft) in cases {
        let Some(path) = corpus(name) else { return };
        let der = certificate(&path);
        let read = CaCertificate::from_der(&der).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((read.draft, read.id), (draft, id("32473.1")), "{name}");
        if name.contains("openssl") {
            continue;
        }
        let again = NewCaCertificate {
            id: read.id,
            draft,
            key_info: read.key_info,
            min_serial: read.min_serial,
            max_serial: read.max_serial,
            validity: read.validity,
        };
        assert_eq!(again.to_der().unwrap(), der, "{name}");
        // The seed of the demo gives its key.
        let key = demo_key(&read.id).unwrap();
        assert_eq!(key.public_key_info(), read.key_info, "{name}");
    }
}

#[test]
fn openssl_06() {
    let Some(folder) = corpus("mtc/openssl-06") else { return };
    let ca = certificate(&folder.join("mtc-ca-cert.pem"));
    let read = CaCertificate::from_der(&ca).unwrap();
    assert_eq!(read.key_info, fs::read(folder.join("ca-cosigner-pubkey.der")).unwrap());
    let mut party = RelyingParty::new();
    party.add(TrustedAuthority::new(&read).unwrap());
    let backend = AwsLc::new();
    let check = BackendCheck::new(&backend);
    let standalone = certificate(&folder.join("mtc-leaf-standalone.pem"));
    let outcome = party.verify(&standalone, None, &check);
    assert_eq!(outcome.result, Ok(Trust::Cosignatures), "{outcome}");
    assert_eq!(outcome.draft, Some(Draft::V06));
    let landmark = certificate(&folder.join("mtc-landmark.pem"));
    let outcome = party.verify(&landmark, None, &check);
    assert!(outcome.root.is_some(), "{outcome}");
    for (label, properties) in blocks(&folder.join("mtc-landmark.pem")) {
        if label == PROPERTIES_LABEL {
            let read = CertificateProperties::decode(&properties).unwrap();
            assert_eq!(read, CertificateProperties::of_landmark(&id("32473.1"), 1, 1).unwrap());
        }
    }
}

/// RFC 5280 §4.2: a CA certificate with a critical extension that is not known here makes no trust anchor.
#[test]
fn critical_extensions_of_ca_certificates() {
    let Some(path) = corpus("mtc/reference-demo-07/mtc-ca-cert.pem") else { return };
    let mut der = certificate(&path);
    assert!(CaCertificate::from_der(&der).is_ok());
    // keyUsage, 2.5.29.15, becomes nameConstraints, 2.5.29.30.
    let at = der.windows(5).position(|five| five == [0x06, 0x03, 0x55, 0x1D, 0x0F]).unwrap();
    der[at + 4] = 30;
    assert_eq!(CaCertificate::from_der(&der).unwrap_err().kind(), ErrorKind::CriticalExtension);
}

/// The entry's fields as they are here, each as its bytes, are those of the type in PKIX, which decodes them.
fn same_fields(contents: &[u8]) {
    let wrapped = |tag: u8, content: &[u8]| {
        let mut der = encode(&OctetStr::new(content)).unwrap();
        der[0] = tag;
        der
    };
    let raw = TbsCertificateLogEntry::from_contents(contents).unwrap();
    let der = wrapped(0x30, contents);
    let typed = tagwise_pkix::TbsCertificateLogEntry::from_der(&der).unwrap();
    let explicit = |tag: u8, der: Result<Vec<u8>, _>| wrapped(tag, &der.unwrap());
    let version = (typed.version != Version::V1).then(|| explicit(0xA0, encode(&typed.version)));
    assert_eq!(raw.version, version.as_deref());
    assert_eq!(raw.issuer, encode(&typed.issuer).unwrap());
    assert_eq!(raw.validity, encode(&typed.validity).unwrap());
    assert_eq!(raw.validity().unwrap(), (typed.validity.not_before.unix(), typed.validity.not_after.unix()));
    assert_eq!(raw.subject, encode(&typed.subject).unwrap());
    assert_eq!(raw.key_algorithm, encode(&typed.subject_public_key_algorithm).unwrap());
    assert_eq!(raw.key_hash, typed.subject_public_key_info_hash.as_bytes());
    let mut rest = Vec::new();
    for (tag, unique) in [(0x81, typed.issuer_unique_id), (0x82, typed.subject_unique_id)] {
        if let Some(unique) = unique {
            let mut der = encode(&unique).unwrap();
            der[0] = tag;
            rest.extend(der);
        }
    }
    rest.extend(typed.extensions.map(|list| explicit(0xA3, encode(&list))).unwrap_or_default());
    assert_eq!(raw.rest, rest);
}

#[test]
fn entries_with_all_fields_and_with_the_fewest() {
    let name = "300f310d300b06035504030c0443412031";
    let (validity, algorithm) = ("301e170d3236303130323033303430355a170d3237303130323033303430355a", "300506032b6570");
    let hash = format!("0420{}", "5a".repeat(32));
    let fewest = format!("{name}{validity}3000{algorithm}{hash}");
    // Both unique identifiers, and the extension 1.2.3.
    let all = format!("a003020102{fewest}810200ff820204f0a30c300a300806022a0304020500");
    for text in [fewest, all] {
        same_fields(&hex::decode(text.as_bytes()).unwrap());
    }
}

/// A group that the policy does not have is satisfied by nobody, whoever signed; and no second group takes the place of the first.
#[test]
fn groups_that_are_asked_for() {
    let Some(folder) = corpus("mtc/reference-demo-07") else { return };
    let Some(keys) = corpus("mtc/mtcs-0.3.1/keys") else { return };
    let ca = certificate(&folder.join("mtc-ca-cert.pem"));
    let standalone = certificate(&folder.join("standalone.pem"));
    let mut trusts = party(&ca, &keys, "group w any 32473.2.1\n");
    trusts.authority_mut(&id("32473.1")).unwrap().require(0);
    assert!(verify(&trusts, &standalone).is_accepted());
    trusts.authority_mut(&id("32473.1")).unwrap().require(1);
    let outcome = verify(&trusts, &standalone);
    assert_eq!(outcome.result, Err(Refusal::Quorum), "{outcome}");
    assert!(outcome.groups.is_empty());

    let fault = |text: &str| party(&ca, &keys, ANY).configure(text).unwrap_err().fault;
    assert_eq!(party(&ca, &keys, ANY).configure("require-cosigners 32473.1 w\n"), Ok(()));
    assert_eq!(fault("group v any 32473.2.1\nrequire-cosigners 32473.1 v\n"), ConfigurationFault::DuplicateRequirement);
    let (zero, one) = (base64::encode(&[0; 32]), base64::encode(&[1; 32]));
    let twice = format!("32473.1 1 0 8 {zero}\n32473.1 1 0 8 {zero}\n32473.1 2 0 8 {one}\n");
    assert_eq!(party(&ca, &keys, ANY).configure(&twice), Ok(()));
    assert_eq!(fault(&format!("{twice}32473.1 1 0 8 {one}\n")), ConfigurationFault::DuplicateSubtree);
    assert_eq!(fault("group v +1 32473.2.1\n"), ConfigurationFault::Number);
}

/// A key of notes for the demo's CA; its name is the CA's ID.
#[test]
fn checkpoint_signature() {
    let Some(folder) = corpus("mtc/demo-patched-plants07") else { return };
    let demo = Demo::read(folder, Draft::V07);
    let note = demo.checkpoint();
    let key = demo_key(&id("32473.1")).unwrap();
    let name = id("32473.1").name();
    let key = NoteKey::from_key_info(&name, NoteKeyKind::MlDsa44, key.public_key_info()).unwrap();
    assert_eq!(NoteKey::parse(&key.to_string()).unwrap(), key);
    let line = note.signatures().iter().find(|line| line.name == name).unwrap();
    assert_eq!(line.key_id, key.id());
    let checkpoint = Checkpoint::parse(note.text()).unwrap();
    let backend = AwsLc::new();
    let check = BackendCheck::new(&backend);
    // The demo of that time signed its checkpoint as a subtree: the time is 0.
    let done = key.verify_subtree(line, &checkpoint.origin, Subtree::whole(checkpoint.size), &checkpoint.root, &check);
    assert_eq!(done.map(<[u8]>::len), Ok(2420));
    // Which is no cosignature of a checkpoint.
    assert!(key.verify(&note, &check).is_err());
}

#[test]
fn properties() {
    let Some(folder) = corpus("mtc/reference-demo-07") else { return };
    let ca = id("32473.1");
    let cases = [
        ("standalone.pem", CertificateProperties::of_standalone(&ca).unwrap()),
        ("landmark-extra-cosignatures.pem", CertificateProperties::of_landmark(&ca, 1, 1).unwrap()),
    ];
    for (name, expected) in cases {
        let (label, bytes) = blocks(&folder.join(name)).remove(0);
        assert_eq!(label, PROPERTIES_LABEL);
        assert_eq!(CertificateProperties::decode(&bytes).unwrap(), expected, "{name}");
        assert_eq!(expected.encode().unwrap(), bytes, "{name}");
    }
    // Who is up to date with landmark 5 of log 1 gets both.
    let up_to_date = ca.landmark_group(1, 5).unwrap();
    assert!(cases_match(&ca, &up_to_date) == (true, true));
    assert!(cases_match(&ca, &ca) == (true, false));
    let text = "002a0000000481fd59010001001a001809910b910b02026481480d81fd5981fd5903032a8064814800020000";
    let bytes = hex::decode(text.as_bytes()).unwrap();
    let read = CertificateProperties::decode(&bytes).unwrap();
    assert_eq!(read.groups.as_ref().unwrap().len(), 2);
    assert_eq!(read.encode().unwrap(), bytes);
    // Out of order, twice, with content where there is none.
    for wrong in ["0008000200000000000101", "000800020000000200 00", "0005000200010 0", "0004000100000000"] {
        let wrong = hex::decode(wrong.replace(' ', "").as_bytes()).unwrap();
        assert!(CertificateProperties::decode(&wrong).is_err(), "{wrong:02x?}");
    }
}

fn cases_match(ca: &TrustAnchorId, requested: &TrustAnchorId) -> (bool, bool) {
    let standalone = CertificateProperties::of_standalone(ca).unwrap();
    let landmark = CertificateProperties::of_landmark(ca, 1, 3).unwrap();
    (standalone.matches(requested), landmark.matches(requested))
}

#[test]
fn patterns() {
    let Some(file) = corpus("mtc/tai-06-patterns.json") else { return };
    let cases: Vec<serde_json::Value> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(cases.len(), 22);
    let mut malformed = 0;
    for case in cases {
        let bytes = |name: &str| hex::decode(case[name].as_str().unwrap().as_bytes()).unwrap();
        let expected = case["contains"].as_bool().unwrap();
        let Ok(pattern) = TrustAnchorPattern::from_bytes(&bytes("pattern")) else {
            // Padded, cut off, or not a maximum for each minimum.
            assert!(!expected, "{case}");
            malformed += 1;
            continue;
        };
        assert_eq!(pattern.to_string().parse::<TrustAnchorPattern>().unwrap(), pattern);
        let contains = TrustAnchorId::from_bytes(&bytes("id")).is_ok_and(|id| pattern.contains(&id));
        assert_eq!(contains, expected, "{case}");
    }
    assert_eq!(malformed, 4);
}

/// The identifiers here are those of the table of PKIX.
#[test]
fn identifiers() {
    use tagwise_pkix::oids;
    assert_eq!(Draft::V07.proof_algorithm(), oids::ALG_MTC_PROOF);
    assert_eq!(Draft::V06.proof_algorithm(), oids::ALG_MTC_PROOF_06);
    assert_eq!(Draft::V07.name_attribute(), oids::RDNA_TRUST_ANCHOR_ID);
    assert_eq!(Draft::V06.name_attribute(), oids::RDNA_TRUST_ANCHOR_ID_06);
    assert_eq!(Draft::V05.name_attribute(), oids::RDNA_TRUST_ANCHOR_ID_05);
    assert_eq!(Draft::V07.authority_extension(), oids::PE_MTC_CERTIFICATION_AUTHORITY_SHA256);
}

/// What is read here is a certificate for PKIX, too.
#[test]
fn certificates_are_certificates() {
    let Some(folder) = corpus("mtc/reference-demo-07") else { return };
    for name in ["standalone.pem", "mtc-ca-cert.pem"] {
        let der = certificate(&folder.join(name));
        tagwise_pkix::Certificate::from_der(&der).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
