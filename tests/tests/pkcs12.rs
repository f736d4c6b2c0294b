//! Files of PKCS #12: what is written in each layout is opened by the `openssl` command, with cryptography that the command computes;
//! what others wrote is opened; and what is written is read as it was meant.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proptest::prelude::*;
use tagwise_codec::{Decode, Oid, oid};
use tagwise_pkix::build::{self, BuildError, Digest, Pkcs12Item, Pkcs12Layout, Pkcs12Value, ProtectError};
use tagwise_pkix::pkcs5::{Pbes2Params, Pbkdf2Params, Pbkdf2ParamsSalt, Pbmac1Params};
use tagwise_pkix::pkcs12::{Cost, CostLimits, Integrity, MacParameters, OpenError, Pkcs12PbeParams, Protection, Store};
use tagwise_pkix::{AlgorithmIdentifier, Bundle, BundleItem, BundleKind, Certificate, oids};
use tagwise_tests::{corpora, openssl};
use zeroize::Zeroizing;

/// The cryptography of the command.
struct ByCommand {
    folder: PathBuf,
    /// An empty password and none differ.
    password: Option<&'static str>,
    /// What algorithms were asked for.
    seen: RefCell<Vec<String>>,
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

impl ByCommand {
    fn new(folder: &Path, password: Option<&'static str>) -> Self {
        Self { folder: folder.to_path_buf(), password, seen: RefCell::default() }
    }

    fn run(&self, args: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        fs::write(self.folder.join("in"), input).unwrap();
        let output =
            Command::new("openssl").current_dir(&self.folder).args(args).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(fs::read(self.folder.join("out")).unwrap()) } else { Err(said) }
    }

    fn derive(
        &self,
        kdf: &str,
        digest: &str,
        pass: &[u8],
        salt: &[u8],
        iterations: u64,
        more: &[&str],
    ) -> Result<Vec<u8>, String> {
        let (digest, pass) = (format!("digest:{digest}"), format!("hexpass:{}", hex(pass)));
        let (salt, iterations) = (format!("hexsalt:{}", hex(salt)), format!("iter:{iterations}"));
        let mut args = vec!["kdf", "-binary", "-out", "out"];
        for option in [&digest, &pass, &salt, &iterations] {
            args.extend(["-kdfopt", option]);
        }
        args.extend(more);
        args.push(kdf);
        self.run(&args, &[])
    }

    /// RFC 7292 Appendix B: the password in UTF-16, and two octets more; no password is no octets at all, as others write it.
    fn pkcs12(&self, digest: &str, id: u8, len: usize, salt: &[u8], iterations: u64) -> Result<Vec<u8>, String> {
        let units = self.password.map(|password| password.encode_utf16().chain([0]));
        let pass: Vec<u8> = units.into_iter().flatten().flat_map(u16::to_be_bytes).collect();
        let (id, len) = (format!("id:{id}"), len.to_string());
        self.derive("PKCS12KDF", digest, &pass, salt, iterations, &["-keylen", &len, "-kdfopt", &id])
    }

    fn pbkdf2(&self, algorithm: &AlgorithmIdentifier<'_>, len: usize) -> Result<Vec<u8>, String> {
        let parameters = Pbkdf2Params::from_der(algorithm.parameters.unwrap().as_bytes()).unwrap();
        let Pbkdf2ParamsSalt::Specified(salt) = parameters.salt else { return Err("salt".to_owned()) };
        let digest = match parameters.prf.algorithm {
            oids::HMAC_WITH_SHA1 => "SHA1",
            oids::HMAC_WITH_SHA256 => "SHA256",
            prf => return Err(format!("prf {prf}")),
        };
        let len = len.to_string();
        let (pass, count) = (self.password.unwrap_or_default().as_bytes(), parameters.iteration_count);
        self.derive("PBKDF2", digest, pass, &salt, count, &["-keylen", &len])
    }

    /// The name of the cipher for the command, its key and its initial vector.
    fn cipher(&self, algorithm: &AlgorithmIdentifier<'_>) -> Result<(&'static str, Vec<u8>, Vec<u8>), String> {
        self.seen.borrow_mut().push(algorithm.algorithm.to_string());
        let parameters = algorithm.parameters.unwrap();
        if algorithm.algorithm == oids::PBES2 {
            let parameters = Pbes2Params::from_der(parameters.as_bytes()).unwrap();
            let scheme = parameters.encryption_scheme;
            assert_eq!(scheme.algorithm, oids::AES256_CBC);
            let key = self.pbkdf2(&parameters.key_derivation_func, 32)?;
            return Ok(("-aes-256-cbc", key, scheme.parameters.unwrap().content().to_vec()));
        }
        let pbe = Pkcs12PbeParams::from_der(parameters.as_bytes()).unwrap();
        let (name, len) = match algorithm.algorithm.as_bytes().last() {
            Some(3) => ("-des-ede3-cbc", 24),
            Some(6) => ("-rc2-40-cbc", 5),
            _ => return Err(format!("algorithm {}", algorithm.algorithm)),
        };
        let part = |id, len| self.pkcs12("SHA1", id, len, &pbe.salt, pbe.iterations);
        Ok((name, part(1, len)?, part(2, 8)?))
    }

    fn enc(&self, algorithm: &AlgorithmIdentifier<'_>, input: &[u8], way: &str) -> Result<Vec<u8>, String> {
        let (name, key, iv) = self.cipher(algorithm)?;
        let (key, iv) = (hex(&key), hex(&iv));
        let mut args = vec!["enc", way, name, "-K", &key, "-iv", &iv, "-in", "in", "-out", "out"];
        if name == "-rc2-40-cbc" {
            args.extend(["-provider", "legacy", "-provider", "default"]);
        }
        self.run(&args, input)
    }
}

impl Protection for ByCommand {
    type Error = String;

    fn decrypt(&self, algorithm: &AlgorithmIdentifier<'_>, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, String> {
        self.enc(algorithm, ciphertext, "-d").map(Zeroizing::new)
    }

    fn encrypt(&self, algorithm: &AlgorithmIdentifier<'_>, plaintext: &[u8]) -> Result<Vec<u8>, String> {
        self.enc(algorithm, plaintext, "-e")
    }

    fn mac(&self, parameters: &MacParameters<'_>, content: &[u8]) -> Result<Vec<u8>, String> {
        let (digest, key) = if parameters.is_pbmac1() {
            let pbmac1 = Pbmac1Params::from_der(parameters.algorithm.parameters.unwrap().as_bytes()).unwrap();
            assert_eq!(pbmac1.message_auth_scheme.algorithm, oids::HMAC_WITH_SHA256);
            ("SHA256", self.pbkdf2(&pbmac1.key_derivation_func, 32)?)
        } else {
            let (digest, len) = match parameters.algorithm.algorithm {
                algorithm if algorithm == oids::SHA1 => ("SHA1", 20),
                algorithm if algorithm == oids::SHA256 => ("SHA256", 32),
                other => return Err(format!("digest {other}")),
            };
            (digest, self.pkcs12(digest, 3, len, parameters.salt, parameters.iterations)?)
        };
        let (digest, key) = (format!("-{digest}"), format!("hexkey:{}", hex(&key)));
        self.run(&["dgst", &digest, "-mac", "HMAC", "-macopt", &key, "-binary", "-out", "out", "in"], content)
    }
}

fn key_der(folder: &Path, name: &str) -> Vec<u8> {
    let file = format!("{name}.key");
    let _ = openssl::run(folder, &["pkcs8", "-topk8", "-nocrypt", "-in", &file, "-outform", "DER", "-out", "key.der"]);
    fs::read(folder.join("key.der")).unwrap()
}

#[test]
fn openssl_opens_what_is_written() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let certificate = openssl::new_certificate(folder, "store", &openssl::EC, &[]);
    let key = key_der(folder, "store");
    let protection = ByCommand::new(folder, Some("Pässwort"));
    let cert = Pkcs12Item::new(Pkcs12Value::Certificate(&certificate)).named("Schlüssel").tied(&[1]);
    let items = [cert, Pkcs12Item { value: Pkcs12Value::PrivateKey(&key), ..cert }];
    for (layout, algorithm, mac) in [
        (Pkcs12Layout::Modern, "PBES2, PBKDF2, AES-256-CBC, Iteration 2048, PRF hmacWithSHA256", "MAC: sha256"),
        (Pkcs12Layout::Pbmac1, "PBES2, PBKDF2, AES-256-CBC, Iteration 2048, PRF hmacWithSHA256", ""),
        (Pkcs12Layout::LegacyWindows, "pbeWithSHA1And3-KeyTripleDES-CBC, Iteration 2048", "MAC: sha1"),
        (Pkcs12Layout::JavaTruststore, "PBES2, PBKDF2, AES-256-CBC, Iteration 2048, PRF hmacWithSHA256", "MAC: sha256"),
    ] {
        let java = layout == Pkcs12Layout::JavaTruststore;
        let items = if java { &items[..1] } else { &items[..] };
        let file = build::pkcs12_with(items, layout, 2048, &protection).unwrap();
        fs::write(folder.join("file.p12"), &file).unwrap();
        // The command knows PBMAC1 from version 3.4 on.
        let mut args = vec!["pkcs12", "-in", "file.p12", "-info", "-nodes", "-passin", "pass:Pässwort"];
        if layout == Pkcs12Layout::Pbmac1 {
            args.push("-nomacver");
        }
        let said = openssl::run(folder, &args);
        assert!(said.contains(algorithm) && said.contains(mac), "{layout:?}: {said}");
        assert!(said.contains("localKeyID: 01"), "{said}");
        assert!(said.contains("BEGIN CERTIFICATE") && said.contains("BEGIN PRIVATE KEY") != java, "{said}");
        assert!(!java || said.contains("2.16.840.1.113894.746875.1.1") || said.contains("Trusted key usage"), "{said}");
        // And it is opened by ourselves, as it was meant.
        let opened = Store::read(&file).unwrap().open(&protection).unwrap();
        assert_eq!(opened.integrity(), Integrity::Verified);
        let found: BTreeMap<_, _> = opened.items().map(|item| (format!("{:?}", item.kind), item)).collect();
        assert_eq!(found["Certificate"].octets, certificate);
        assert_eq!(found["Certificate"].friendly_name().as_deref(), Some("Schlüssel"));
        assert_eq!(found["Certificate"].trusted_usages().collect::<Vec<_>>().len(), usize::from(java));
        if !java {
            assert_eq!(found["PrivateKey"].octets, key);
            assert_eq!(found["PrivateKey"].local_key_id(), Some(&[1][..]));
        }
        let wrong = ByCommand::new(folder, Some("wrong"));
        assert!(matches!(Store::read(&file).unwrap().open(&wrong), Err(OpenError::Mac)));
    }
    // Without any protection.
    let file = build::pkcs12_plain(&items).unwrap();
    fs::write(folder.join("file.p12"), &file).unwrap();
    let said = openssl::run(folder, &["pkcs12", "-in", "file.p12", "-info", "-nodes", "-passin", "pass:"]);
    assert!(said.contains("BEGIN CERTIFICATE") && said.contains("BEGIN PRIVATE KEY"), "{said}");
    let bundle = Bundle::read(&file).unwrap();
    let kinds: Vec<_> = bundle.items().map(|item| item.kind).collect();
    assert_eq!(kinds, [BundleKind::Certificate, BundleKind::PrivateKey]);
}

/// What the command wrote, with what it has for old readers and for new ones.
#[test]
fn stores_of_openssl_open() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let certificate = openssl::new_certificate(folder, "store", &openssl::EC, &[]);
    let export = [
        "pkcs12",
        "-export",
        "-in",
        "store.pem",
        "-inkey",
        "store.key",
        "-name",
        "x",
        "-passout",
        "pass:p",
        "-out",
        "file",
    ];
    for more in [&[][..], &["-legacy"], &["-keypbe", "NONE", "-certpbe", "NONE"], &["-nomac"]] {
        let _ = openssl::run(folder, &[&export[..], more].concat());
        let file = fs::read(folder.join("file")).unwrap();
        let opened = Store::read(&file).unwrap().open(&ByCommand::new(folder, Some("p"))).unwrap();
        let integrity = if more == ["-nomac"] { Integrity::Absent } else { Integrity::Verified };
        assert_eq!(opened.integrity(), integrity, "{more:?}");
        let items: Vec<BundleItem<'_>> = opened.items().collect();
        assert_eq!(items.len(), 2, "{more:?}");
        assert!(items.iter().any(|item| item.octets == certificate));
        assert!(
            items.iter().any(|item| item.kind == BundleKind::PrivateKey && item.octets == key_der(folder, "store"))
        );
        // A wrong password and a changed file are told from what is malformed.
        let wrong = Store::read(&file).unwrap().open(&ByCommand::new(folder, Some("q"))).unwrap_err();
        let told = matches!(wrong, OpenError::Mac | OpenError::Protection { .. } | OpenError::Plaintext { .. });
        assert!(told || more.contains(&"NONE"), "{wrong}");
        assert!(Store::read(&file[..file.len() - 1]).is_err());
        // The file asks for more than it may.
        let limits = CostLimits(Cost { iterations: 1000, memory: 0 });
        let refused = Store::read(&file).unwrap().open_with(&ByCommand::new(folder, Some("p")), limits).unwrap_err();
        assert!(matches!(refused, OpenError::Cost(cost) if cost.iterations >= 2048), "{refused}");
    }
}

/// Passwords by the names of the files, as the project that they are from has them.
fn password(name: &str) -> Option<&'static str> {
    match name {
        name if name.ends_with("-no-pwd.p12") || name == "no-password.p12" => None,
        "java-truststore.p12" => Some(""),
        name if name.ends_with("-pwd.p12") => Some("password"),
        _ => Some("cryptography"),
    }
}

#[test]
fn files_of_others_are_opened() {
    let Some(set) = corpora::set("pyca/pkcs12") else { return };
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (name, file) in corpora::files(&set).into_iter().filter(|(name, _)| name.ends_with(".p12")) {
        let protection = ByCommand::new(folder.path(), password(&name));
        let said = match Store::read(&file) {
            Ok(store) => match store.open(&protection) {
                Ok(opened) => {
                    for item in opened.items().filter(|item| item.kind == BundleKind::Certificate) {
                        Certificate::outline(item.octets).unwrap();
                    }
                    let names = opened.items().filter(|item| item.friendly_name().is_some()).count();
                    let keys = opened.items().filter(|item| item.kind == BundleKind::PrivateKey).count();
                    format!("{} items, {keys} keys, {names} names, {:?}", opened.items().count(), opened.integrity())
                }
                Err(error) => format!("{error}"),
            },
            Err(error) => format!("malformed: {error}"),
        };
        found.insert(name, said);
    }
    let listed: String = found.iter().map(|(name, said)| format!("{name}\t{said}\n")).collect();
    let expected = include_str!("../register/pyca-pkcs12.tsv");
    assert_eq!(listed, expected);
}

/// A seam without a password: what is encrypted is the complement, and the MAC is a digest.
struct Mirror;

impl Protection for Mirror {
    type Error = std::convert::Infallible;

    fn decrypt(&self, _: &AlgorithmIdentifier<'_>, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Self::Error> {
        Ok(Zeroizing::new(ciphertext.iter().map(|octet| !octet).collect()))
    }

    fn encrypt(&self, _: &AlgorithmIdentifier<'_>, plaintext: &[u8]) -> Result<Vec<u8>, Self::Error> {
        Ok(plaintext.iter().map(|octet| !octet).collect())
    }

    fn mac(&self, parameters: &MacParameters<'_>, content: &[u8]) -> Result<Vec<u8>, Self::Error> {
        Ok(Digest::Sha256.of(&[parameters.salt, content].concat()))
    }
}

/// A certificate that is one by its frame, which is all that is asked of it.
fn certificate(number: u8) -> Vec<u8> {
    let name = tagwise_pkix::name::NameBuf::parse(&format!("CN=Certificate {number}")).unwrap();
    let algorithm = AlgorithmIdentifier { algorithm: oids::ED25519, parameters: None };
    let serial = build::SerialNumber::from_random([number; 20]);
    let time = |seconds| tagwise_pkix::Time::from_unix(tagwise_pkix::UnixTime(seconds)).unwrap();
    let key = [number; 32];
    let tbs = tagwise_pkix::TbsCertificate {
        version: tagwise_pkix::Version::V1,
        serial_number: serial.number(),
        signature: algorithm,
        issuer: name.name(),
        validity: tagwise_pkix::Validity { not_before: time(0), not_after: time(1_000_000_000) },
        subject: name.name(),
        subject_public_key_info: tagwise_pkix::SubjectPublicKeyInfo {
            algorithm,
            subject_public_key: tagwise_codec::BitStr::from_octets(&key),
        },
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: None,
    };
    build::certificate(&tbs).unwrap().attach(&[number; 64]).unwrap()
}

/// An Ed25519 key.
fn private_key(number: u8) -> Vec<u8> {
    [
        &[0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20][..],
        &[number; 32],
    ]
    .concat()
}

const SECRET: Oid<'static> = oid!("1.2.840.113549.1.12.10.1.1");

#[test]
fn invalid_stores_are_not_built() {
    let key = private_key(1);
    let certificate = certificate(1);
    let java = |item| build::pkcs12_with(&[item], Pkcs12Layout::JavaTruststore, 1, &Mirror);
    assert!(java(Pkcs12Item::new(Pkcs12Value::Certificate(&certificate)).named("alias")).is_ok());
    for item in [
        Pkcs12Item::new(Pkcs12Value::Certificate(&certificate)),
        Pkcs12Item::new(Pkcs12Value::PrivateKey(&key)).named("alias"),
    ] {
        assert!(matches!(java(item), Err(ProtectError::Build(BuildError::Invalid { .. }))));
    }
    let long = "x".repeat(256);
    for item in [
        Pkcs12Item::new(Pkcs12Value::Certificate(&key)),
        Pkcs12Item::new(Pkcs12Value::PrivateKey(&certificate)),
        Pkcs12Item::new(Pkcs12Value::Certificate(&certificate)).named("\u{1F511}"),
        Pkcs12Item::new(Pkcs12Value::Certificate(&certificate)).named(""),
        Pkcs12Item::new(Pkcs12Value::Certificate(&certificate)).named(&long),
        Pkcs12Item::new(Pkcs12Value::Secret { id: SECRET, value: &[0x04, 0x02, 0x00] }),
    ] {
        assert!(build::pkcs12_plain(&[item]).is_err(), "{item:?}");
        assert!(build::pkcs12_with(&[item], Pkcs12Layout::Modern, 1, &Mirror).is_err(), "{item:?}");
    }
    assert!(build::pkcs12_with(&[], Pkcs12Layout::Modern, 0, &Mirror).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_is_read_as_it_was_meant(
        things in prop::collection::vec(
            (0u8..3, any::<u8>(), prop::option::of("[a-zäß]{1,20}"), prop::option::of(prop::collection::vec(any::<u8>(), 0..20))),
            0..6,
        ),
        layout in prop::sample::select(vec![
            None, Some(Pkcs12Layout::Modern), Some(Pkcs12Layout::Pbmac1), Some(Pkcs12Layout::LegacyWindows),
        ]),
        iterations in 1u32..1_000_000,
    ) {
        let octets: Vec<_> = things.iter().map(|(kind, number, ..)| match kind {
            0 => certificate(*number),
            1 => private_key(*number),
            _ => vec![0x04, 0x01, *number],
        }).collect();
        let items: Vec<_> = things.iter().zip(&octets).map(|((kind, _, name, id), octets)| Pkcs12Item {
            value: match kind {
                0 => Pkcs12Value::Certificate(octets),
                1 => Pkcs12Value::PrivateKey(octets),
                _ => Pkcs12Value::Secret { id: SECRET, value: octets },
            },
            friendly_name: name.as_deref(),
            local_key_id: id.as_deref(),
            trusted_for: &[],
        }).collect();
        let file = match layout {
            None => build::pkcs12_plain(&items).unwrap(),
            Some(layout) => build::pkcs12_with(&items, layout, iterations, &Mirror).unwrap(),
        };
        let read = tagwise_pkix::pkcs12::Pfx::from_der(&file).unwrap();
        prop_assert_eq!(&tagwise_codec::encode(&read).unwrap(), &file);
        let store = Store::read(&file).unwrap();
        let opened = store.open(&Mirror).unwrap();
        prop_assert_eq!(opened.integrity(), if layout.is_some() { Integrity::Verified } else { Integrity::Absent });
        let meaning = |kind, octets: &[u8], name: Option<String>, id: Option<&[u8]>| {
            (format!("{kind:?}"), octets.to_vec(), name, id.map(<[u8]>::to_vec))
        };
        let mut found: Vec<_> = opened
            .items()
            .map(|item| {
                // Of a secret the bag is given, with its type.
                let octets = if item.kind == BundleKind::Secret { &item.octets[item.octets.len() - 3..] } else { item.octets };
                meaning(item.kind, octets, item.friendly_name(), item.local_key_id())
            })
            .collect();
        let mut wanted: Vec<_> = things.iter().zip(&octets).map(|((kind, _, name, id), octets)| {
            let kind = [BundleKind::Certificate, BundleKind::PrivateKey, BundleKind::Secret][usize::from(*kind)];
            meaning(kind, octets, name.clone(), id.as_deref())
        }).collect();
        found.sort();
        wanted.sort();
        prop_assert_eq!(found, wanted);
        if layout.is_some() {
            let cost = Cost::of_mac(&store.mac_parameters().unwrap());
            prop_assert_eq!(cost.iterations, u64::from(iterations));
        }
    }

    /// Whatever is changed in a file: it is opened or refused.
    #[test]
    fn what_is_changed_is_refused_at_most(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        (cut, plain) in (any::<prop::sample::Index>(), any::<bool>()),
    ) {
        let (certificate, key) = (certificate(3), private_key(4));
        let items = [
            Pkcs12Item::new(Pkcs12Value::Certificate(&certificate)).named("name").tied(&[1]),
            Pkcs12Item::new(Pkcs12Value::PrivateKey(&key)),
        ];
        let mut file = if plain {
            build::pkcs12_plain(&items).unwrap()
        } else {
            build::pkcs12_with(&items, Pkcs12Layout::Modern, 1, &Mirror).unwrap()
        };
        for (index, octet) in &changes {
            let at = index.index(file.len());
            file[at] = *octet;
        }
        for file in [&file[..], &file[..cut.index(file.len())]] {
            if let Ok(store) = Store::read(file)
                && let Ok(opened) = store.open(&Mirror)
            {
                for item in opened.items() {
                    let _ = (item.friendly_name(), item.local_key_id(), item.trusted_usages().count());
                }
            }
        }
    }
}
