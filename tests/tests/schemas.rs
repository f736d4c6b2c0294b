//! The project's own ASN.1 modules: they compile, they are laid out as they should be, and they say what the published modules
//! say but for what is registered with its reason.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use tagwise_schema::model::Module;
use tagwise_schema::{Model, Source, compile};
use tagwise_tests::definitions::{Definition, of_module};
use tagwise_tests::{corpora, register};

const COLUMNS: &str = "definition\there\tpublished\twhy";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas")
}

/// The modules by the path in the folder.
fn modules() -> BTreeMap<String, String> {
    let files = corpora::files(&folder()).into_iter();
    files
        .filter(|(path, _)| path.ends_with(".asn1"))
        .map(|(path, octets)| (path, String::from_utf8(octets).unwrap()))
        .collect()
}

fn sources<'t>(texts: impl IntoIterator<Item = (&'t String, &'t String)>) -> Vec<Source> {
    texts.into_iter().map(|(name, text)| Source::new(name, text)).collect()
}

/// The model of texts that compile without errors; nothing is said where warnings are allowed.
fn model(sources: Vec<Source>, warnings: bool) -> Model {
    let compilation = compile(sources);
    let said = compilation.diagnostics();
    assert!(said.errors() == 0 && (warnings || said.warnings() == 0), "{}", compilation.render());
    compilation.into_model().unwrap()
}

#[test]
fn all_of_them_compile() {
    let texts = modules();
    let model = model(sources(&texts), false);
    assert_eq!(model.modules.len(), texts.len());
    for module in &model.modules {
        for import in &module.imports {
            assert!(import.module.is_some(), "{} imports from {}, which is not here", module.name, import.name);
        }
    }
    println!("{} modules, {} types, {} objects", model.modules.len(), model.types.len(), model.objects.len());
}

/// A folder compiles with what it imports and nothing else.
#[test]
fn every_folder_compiles() {
    let texts = modules();
    let whole = model(sources(&texts), false);
    let paths: BTreeMap<&str, &String> =
        texts.keys().map(|path| (Path::new(path).file_stem().unwrap().to_str().unwrap(), path)).collect();
    let imports: BTreeMap<&str, Vec<&str>> = whole
        .modules
        .iter()
        .map(|module| (module.name.as_str(), module.imports.iter().map(|import| import.name.as_str()).collect()))
        .collect();
    let folders: BTreeSet<&str> = texts.keys().map(|path| path.split('/').next().unwrap()).collect();
    let mut done = BTreeSet::new();
    for folder in folders {
        let own = texts.keys().filter(|path| path.split('/').next() == Some(folder));
        let mut open: Vec<&str> = own.map(|path| Path::new(path).file_stem().unwrap().to_str().unwrap()).collect();
        let mut needed = BTreeSet::new();
        while let Some(name) = open.pop() {
            if needed.insert(name) {
                open.extend(&imports[name]);
            }
        }
        // Many folders need the same modules.
        if done.insert(needed.clone()) {
            model(sources(needed.iter().map(|name| (paths[name], &texts[paths[name]]))), false);
        }
    }
}

#[test]
fn layout() {
    let listed = fs::read_to_string(folder().join("SOURCES.md")).unwrap();
    let rows: BTreeSet<&str> = listed
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .filter(|row| row.contains('/'))
        .collect();
    let texts = modules();
    let paths: BTreeSet<&str> = texts.keys().map(|path| path.strip_suffix(".asn1").unwrap()).collect();
    assert_eq!(rows, paths, "SOURCES.md lists the modules");
    for (path, text) in &texts {
        let name = Path::new(path).file_stem().unwrap().to_str().unwrap();
        assert!(
            text.starts_with("-- ") && text.ends_with("\nEND\n"),
            "{path} begins with what it is and ends with END"
        );
        assert!(text.contains(&format!("\n\n{name}\n")), "{path} holds the module of its name");
        for (number, line) in text.lines().enumerate() {
            let number = number + 1;
            assert!(line.chars().count() <= 120, "{path}:{number} is longer than 120 columns");
            assert!(
                line.trim_end() == line && !line.contains('\t'),
                "{path}:{number} has white space that nobody sees"
            );
            let indent = line.len() - line.trim_start().len();
            assert!(
                indent % 2 == 0 || line.trim_start().starts_with("WITH COMPONENTS"),
                "{path}:{number} is not indented by twos"
            );
        }
        assert!(!text.contains("\n\n\n"), "{path} has two empty lines together");
    }
}

/// The published modules: the name here, the name there, and the set that has it.
const PUBLISHED: &[(&str, &str, &str)] = &[
    ("PKIX-CommonTypes-2009", "PKIX-CommonTypes-2009", "RFC5912"),
    ("AlgorithmInformation-2009", "AlgorithmInformation-2009", "RFC5912"),
    ("PKIX1Explicit-2009", "PKIX1Explicit-2009", "RFC5912"),
    ("PKIX1Implicit-2009", "PKIX1Implicit-2009", "RFC5912"),
    ("PKIXAlgs-2009", "PKIXAlgs-2009", "RFC5912"),
    ("PKIX1-PSS-OAEP-Algorithms-2009", "PKIX1-PSS-OAEP-Algorithms-2009", "RFC5912"),
    ("PKIX-X400Address-2009", "PKIX-X400Address-2009", "RFC5912"),
    ("PKIXAttributeCertificate-2009", "PKIXAttributeCertificate-2009", "RFC5912"),
    ("AttributeCertificateVersion1-2009", "AttributeCertificateVersion1-2009", "RFC5912"),
    ("PKCS-10", "PKCS-10", "RFC5912"),
    ("PKIXCRMF-2009", "PKIXCRMF-2009", "RFC5912"),
    ("PKIXCMP-2023", "PKIXCMP-2009", "RFC5912"),
    ("EnrollmentMessageSyntax-2011-v08", "EnrollmentMessageSyntax-2009", "RFC5912"),
    ("OCSP-2013-08", "OCSP-2009", "RFC5912"),
    ("CryptographicMessageSyntaxAlgorithms-2009", "CryptographicMessageSyntaxAlgorithms-2009", "RFC5912"),
    ("SecureMimeMessageV3dot1-2009", "SecureMimeMessageV3dot1-2009", "RFC5912"),
    ("CryptographicMessageSyntax-2010", "CryptographicMessageSyntax-2010", "RFC6268"),
    ("CMS-AuthEnvelopedData-2010", "CMS-AuthEnvelopedData-2010", "RFC6268"),
    ("CMS-AES-CCM-and-AES-GCM-2009", "CMS-AES-CCM-and-AES-GCM-2009", "RFC6268"),
    ("CompressedDataContent-2010", "CompressedDataContent-2010", "RFC6268"),
    ("ContentCollectionModule-2010", "ContentCollectionModule-2010", "RFC6268"),
    ("MultipleSignatures-2010", "MultipleSignatures-2010", "RFC6268"),
    ("BinarySigningTimeModule-2010", "BinarySigningTimeModule-2010", "RFC6268"),
    ("HMAC-2010", "HMAC-2010", "RFC6268"),
    ("IPAddrAndASCertExtn-2010", "IPAddrAndASCertExtn-2010", "RFC6268"),
    ("WLANCertExtn-2010", "WLANCertExtn-2010", "RFC6268"),
    ("ExtendedSecurityServices-2009", "ExtendedSecurityServices-2009", "RFC6268"),
    ("CMSAesRsaesOaep-2009", "CMSAesRsaesOaep-2009", "RFC5911"),
    ("AsymmetricKeyPackageModuleV1", "AsymmetricKeyPackageModuleV1", "RFC5958"),
    ("PKCS-12", "PKCS-12", "RFC7292"),
    ("X509-ML-DSA-2025", "X509-ML-DSA-2025", "ML-DSA"),
    ("X509-ML-KEM-2025", "X509-ML-KEM-2025", "ML-KEM"),
];

/// What published texts need to compile at all: the set, what stands there, what is put in its place.
const MENDED: &[(&str, &str, &str)] = &[
    // Numbers that were assigned later.
    ("ML-DSA", "id-mod-x509-ml-dsa-2025(TBD1)", "id-mod-x509-ml-dsa-2025(119)"),
    ("ML-KEM", "id-mod-x509-ml-kem-2025(TBD)", "id-mod-x509-ml-kem-2025(121)"),
    // Sets of another class than where they are used.
    ("RFC5958", "PrivateKeyAlgorithms ALGORITHM", "PrivateKeyAlgorithms PUBLIC-KEY"),
    ("RFC5958", "KeyEncryptionAlgorithms ALGORITHM", "KeyEncryptionAlgorithms CONTENT-ENCRYPTION"),
];

/// What PKCS #12 imports and its set does not have.
const BEHIND_PKCS12: &str = "\
UsefulDefinitions { joint-iso-itu-t(2) ds(5) module(1) usefulDefinitions(0) 3 } DEFINITIONS ::= BEGIN
  informationFramework OBJECT IDENTIFIER ::= { joint-iso-itu-t(2) ds(5) module(1) informationFramework(1) 3 }
END
InformationFramework { joint-iso-itu-t(2) ds(5) module(1) informationFramework(1) 3 } DEFINITIONS ::= BEGIN
  ATTRIBUTE ::= CLASS { &Type OPTIONAL, &id OBJECT IDENTIFIER UNIQUE } WITH SYNTAX { [WITH SYNTAX &Type] ID &id }
END
PKCS-7 { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-7(7) modules(0) pkcs-7(1) } DEFINITIONS ::= BEGIN
  ContentInfo ::= SEQUENCE { contentType OBJECT IDENTIFIER }
  DigestInfo ::= SEQUENCE { digest OCTET STRING }
END
PKCS-8 { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-8(8) modules(1) pkcs-8(1) } DEFINITIONS ::= BEGIN
  PrivateKeyInfo ::= SEQUENCE { version INTEGER }
  EncryptedPrivateKeyInfo ::= SEQUENCE { encryptedData OCTET STRING }
END
PKCS-9 { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs-9(9) modules(0) pkcs-9(1) } DEFINITIONS ::= BEGIN
  IMPORTS ATTRIBUTE FROM InformationFramework { 2 5 1 1 3 };
  pkcs-9 OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) 9 }
  certTypes OBJECT IDENTIFIER ::= { pkcs-9 22 }
  crlTypes OBJECT IDENTIFIER ::= { pkcs-9 23 }
  friendlyName ATTRIBUTE ::= { WITH SYNTAX BMPString ID { pkcs-9 20 } }
  localKeyId ATTRIBUTE ::= { WITH SYNTAX OCTET STRING ID { pkcs-9 21 } }
END
";

/// A published set.
fn published(set: &str) -> Option<Vec<Source>> {
    let modules = corpora::set("asn1-modules/pycrate-pki")?;
    let folder = |name: &str| corpora::files(&modules.join(format!("IETF_PKI_{name}")));
    let mut files = match set {
        "ML-DSA" | "ML-KEM" => {
            let name = format!("lamps-pqc/{}/X509-{set}-2025.asn", set.to_lowercase());
            let mut files = folder("RFC5912");
            files.extend(corpora::files(&corpora::set(&name)?));
            files
        }
        _ => folder(set),
    };
    files.retain(|path, _| path.ends_with(".asn"));
    if set == "RFC7292" {
        files.insert("behind.asn".into(), BEHIND_PKCS12.into());
    }
    if set == "ML-KEM" {
        let path = self::folder().join("rfc9629/KEMAlgorithmInformation-2023.asn1");
        files.insert("kem.asn".into(), fs::read(path).unwrap());
    }
    let mut texts: BTreeMap<String, String> =
        files.into_iter().map(|(path, octets)| (path, String::from_utf8_lossy(&octets).into_owned())).collect();
    for (_, from, to) in MENDED.iter().filter(|(of, _, _)| *of == set) {
        let mut found = false;
        for text in texts.values_mut().filter(|text| text.contains(from)) {
            *text = text.replace(from, to);
            found = true;
        }
        assert!(found, "{set} has no {from}");
    }
    Some(sources(&texts))
}

/// Whether a definition says what the published one says: sets that may be extended may have more.
fn same(here: &Definition, there: &Definition) -> bool {
    match (here, there) {
        (
            Definition::Set { class, root, additions, extensible },
            Definition::Set {
                class: class_there,
                root: root_there,
                additions: additions_there,
                extensible: extensible_there,
            },
        ) => {
            let has = |one: &String| root.contains(one) || *extensible && additions.contains(one);
            class == class_there
                && extensible == extensible_there
                && (*extensible || root == root_there)
                && root_there.iter().chain(additions_there).all(has)
        }
        _ => here == there,
    }
}

/// FNV-1a in 32 bits.
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, octet| (hash ^ u32::from(octet)).wrapping_mul(0x0100_0193))
}

/// The words that differ, between those that both have at the beginning and at the end.
fn differing(here: &str, there: &str) -> (String, String) {
    let (left, right): (Vec<_>, Vec<_>) = (here.split(' ').collect(), there.split(' ').collect());
    let head = left.iter().zip(&right).take_while(|(left, right)| left == right).count();
    let rest = left.len().min(right.len()) - head;
    let tail = left.iter().rev().zip(right.iter().rev()).take(rest).take_while(|(left, right)| left == right).count();
    let part = |words: &[&str]| {
        let text = words[head..words.len() - tail].join(" ");
        let short: String = text.chars().take(96).collect();
        match text.chars().count() {
            0 => "-".to_owned(),
            // What is cut off counts too.
            97.. => format!("{short}… {:08x}", fingerprint(&text)),
            _ => short,
        }
    };
    (part(&left), part(&right))
}

#[test]
fn as_published() {
    let texts = modules();
    let here = model(sources(&texts), false);
    let registered = register::rows("schemas");
    let mut found = BTreeMap::new();
    let mut models: BTreeMap<&str, Model> = BTreeMap::new();
    let mut compared = 0;
    for (own, name, set) in PUBLISHED {
        if !models.contains_key(set) {
            let Some(sources) = published(set) else { return };
            models.insert(set, model(sources, true));
        }
        let there = &models[set];
        let ours = here.modules.iter().find(|module| module.name == *own).unwrap();
        let theirs = there.modules.iter().find(|module| module.name == *name).unwrap();
        assert_eq!(ours.tags, theirs.tags, "the tags of {own}");
        if own == name {
            assert_eq!(ours.oid, theirs.oid, "the identifier of {own}");
        }
        // Names that only this project's modules have say nothing about encodings.
        let added = |module: &Module| module.assignments.iter().map(|one| one.name.clone()).collect::<BTreeSet<_>>();
        let (names, known) = (added(ours), added(theirs));
        let written_out = names.difference(&known).map(String::as_str).collect();
        let (mut ours, theirs) = (of_module(&here, ours, &written_out), of_module(there, theirs, &BTreeSet::new()));
        for (definition, published) in theirs {
            compared += 1;
            let mine = ours.remove(&definition);
            if mine.as_ref().is_some_and(|mine| same(mine, &published)) {
                continue;
            }
            let (here, there) = mine.map_or_else(
                || ("-".to_owned(), "is there".to_owned()),
                |mine| differing(&mine.text(), &published.text()),
            );
            let key = format!("{own}.{definition}");
            let why = registered.get(&key).and_then(|row| row.split('\t').nth(3)).unwrap_or("?");
            assert!(register::blessing() || why != "?", "{key} differs, and nothing says why: {here} / {there}");
            found.insert(key.clone(), format!("{key}\t{here}\t{there}\t{why}"));
        }
    }
    println!("{compared} definitions of {} modules, {} registered", PUBLISHED.len(), found.len());
    register::compare("schemas", COLUMNS, &found);
}
