//! Files of PKCS #12 with the library's own cryptography: those of others are opened with the passwords that they are published
//! with, those of the `openssl` command in every algorithm that it writes, and it opens what is written here. A wrong password,
//! a wrong MAC's parameters, a truncated file and an unsupported algorithm are told apart.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fs;

use tagwise_codec::{Any, Decode, OctetStr, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::pkcs12::{ByPassword, Password, is_password, open};
use tagwise_crypto::{
    Backend, Error, ErrorKind, KeySigner, KeyType, PasswordOptions, PrivateKeyInfo, Secret, decrypt_key, encrypt_key,
};
use tagwise_pkix::build::{self, CertificateBuilder, Pkcs12Item, Pkcs12Layout, Pkcs12Value};
use tagwise_pkix::pkcs5::{Pbkdf2Params, Pbkdf2ParamsSalt, Pbmac1Params};
use tagwise_pkix::pkcs12::{
    Cost, CostLimits, DigestInfo, Integrity, MacData, MacParameters, OpenError, Opened, Pfx, Protection, SecretKey,
};
use tagwise_pkix::{AlgorithmIdentifier, BundleKind, Certificate, oids};
use tagwise_tests::{corpora, openssl};
use zeroize::Zeroizing;

const BACKEND: AwsLc = AwsLc::new();

fn opened(file: &[u8], password: &Password) -> Result<Opened, OpenError<Error>> {
    open(&BACKEND, file, password, CostLimits::DEFAULT)
}

/// What is in a file, in a line; private keys are loaded, certificates read.
fn said(opened: &Opened) -> String {
    let of = |kind| opened.items().filter(move |item| item.kind == kind);
    for key in of(BundleKind::PrivateKey) {
        match BACKEND.private_key_from_pkcs8(key.octets) {
            Ok(_) => {}
            // Keys of 1024 bits, which the backend does not take.
            Err(error) => assert_eq!(error.kind(), ErrorKind::KeySize, "{error}"),
        }
    }
    for certificate in of(BundleKind::Certificate) {
        Certificate::outline(certificate.octets).unwrap();
    }
    let names = opened.items().filter(|item| item.friendly_name().is_some()).count();
    let keys = of(BundleKind::PrivateKey).count();
    format!("{} items, {keys} keys, {names} names, {:?}", opened.items().count(), opened.integrity())
}

#[test]
fn files_of_pyca() {
    let Some(set) = corpora::set("pyca/pkcs12") else { return };
    let mut listed = String::new();
    for (name, file) in corpora::files(&set).into_iter().filter(|(name, _)| name.ends_with(".p12")) {
        let password = match name.as_str() {
            name if name.ends_with("-no-pwd.p12") || name == "no-password.p12" => Password::absent(),
            "java-truststore.p12" => Password::new(""),
            name if name.ends_with("-pwd.p12") => Password::new("password"),
            _ => Password::new("cryptography"),
        };
        let found = opened(&file, &password).unwrap_or_else(|error| panic!("{name}: {error}"));
        listed += &format!("{name}\t{}\n", said(&found));
        let wrong = opened(&file, &Password::new("wrong")).unwrap_err();
        assert!(matches!(wrong, OpenError::Mac), "{name}: {wrong}");
    }
    assert_eq!(listed, include_str!("../register/pyca-pkcs12.tsv"));
}

/// By the names of the files, as they are published; the last one of `cms` has a password that is not.
#[test]
fn files_of_rustcrypto_and_asn1crypto() {
    let Some(set) = corpora::set("rustcrypto-formats/pkcs12/tests/examples") else { return };
    let mut count = 0;
    for (name, file) in corpora::files(&set) {
        if !name.ends_with(".p12") && !name.ends_with(".pfx") {
            continue;
        }
        let password = match name.as_str() {
            "example.pfx" => "",
            name if name.starts_with("example") => "1234",
            _ => "password",
        };
        count += 1;
        let found = opened(&file, &Password::new(password));
        if name == "example11.pfx" {
            // A MAC with BLAKE2b.
            let Err(OpenError::Protection { part: "macData", error }) = found else { panic!("{name}") };
            assert_eq!((error.kind(), error.algorithm()), (ErrorKind::Unsupported, "id-blake2b512"));
            continue;
        }
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        let integrity = if name == "example5.pfx" { Integrity::Absent } else { Integrity::Verified };
        assert_eq!(found.integrity(), integrity, "{name}");
        assert!(!said(&found).starts_with("0 items"), "{name}");
        let wrong = opened(&file, &Password::new("wrong")).unwrap_err();
        assert!(is_password(&wrong) && matches!(wrong, OpenError::Mac) != (name == "example5.pfx"), "{name}: {wrong}");
    }
    assert_eq!(count, 22);
    let Some(set) = corpora::set("asn1crypto/fixtures") else { return };
    for name in ["test-tripledes.p12", "keys/test-rc2.p12"] {
        let file = fs::read(set.join(name)).unwrap();
        let found = opened(&file, &Password::new("password123")).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(said(&found).contains(" 1 keys"), "{name}");
    }
}

/// Every algorithm of encryption and of MACs that the command writes.
#[test]
fn stores_of_openssl_open() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let certificate = openssl::new_certificate(folder, "store", &openssl::EC, &[]);
    let export = ["pkcs12", "-export", "-in", "store.pem", "-inkey", "store.key", "-name", "x", "-out", "file"];
    let write = |password: &str, more: &[&str]| {
        let pass = format!("pass:{password}");
        let _ = openssl::run(folder, &[&export[..], &["-passout", &pass], more].concat());
        fs::read(folder.join("file")).unwrap()
    };
    for algorithm in [
        "PBE-SHA1-3DES",
        "PBE-SHA1-2DES",
        "PBE-SHA1-RC2-128",
        "PBE-SHA1-RC2-40",
        "PBE-SHA1-RC4-128",
        "PBE-SHA1-RC4-40",
        "AES-128-CBC",
        "AES-192-CBC",
        "AES-256-CBC",
        "DES-EDE3-CBC",
    ] {
        let file = write("Pässwörd 🔑", &["-legacy", "-keypbe", algorithm, "-certpbe", algorithm]);
        let found = opened(&file, &Password::new("Pässwörd 🔑")).unwrap_or_else(|error| panic!("{algorithm}: {error}"));
        assert_eq!(said(&found), "2 items, 1 keys, 2 names, Verified", "{algorithm}");
        assert!(found.items().any(|item| item.octets == certificate));
        // Without a MAC, a wrong password is told by what comes out; a stream cipher's noise is no list of bags.
        let file = write("right", &["-legacy", "-keypbe", algorithm, "-certpbe", algorithm, "-nomac"]);
        assert_eq!(opened(&file, &Password::new("right")).unwrap().integrity(), Integrity::Absent);
        let wrong = opened(&file, &Password::new("wrong")).unwrap_err();
        assert!(is_password(&wrong) && !matches!(wrong, OpenError::Mac), "{algorithm}: {wrong}");
    }
    for digest in ["sha1", "sha224", "sha256", "sha384", "sha512", "sha512-256"] {
        let file = write("right", &["-macalg", digest]);
        match opened(&file, &Password::new("right")) {
            Ok(found) => assert_eq!(found.integrity(), Integrity::Verified),
            Err(OpenError::Protection { part: "macData", error }) if digest == "sha512-256" => {
                assert_eq!((error.kind(), error.backend()), (ErrorKind::NotOffered, Some("aws-lc")), "{error}");
                continue;
            }
            Err(error) => panic!("{digest}: {error}"),
        }
        assert!(matches!(opened(&file, &Password::new("Right")), Err(OpenError::Mac)), "{digest}");
    }
    // An empty password and none: whoever has either gets in.
    let file = write("", &[]);
    for password in [Password::new(""), Password::absent()] {
        assert_eq!(said(&opened(&file, &password).unwrap()), "2 items, 1 keys, 2 names, Verified");
    }
    // Keys outside of PKCS #12 in its schemes, and by scrypt.
    for args in [&["-v1", "PBE-SHA1-3DES"][..], &["-v1", "PBE-SHA1-RC2-128"], &["-v2", "des3"], &["-scrypt"]] {
        let topk8 =
            ["pkcs8", "-topk8", "-in", "store.key", "-outform", "DER", "-passout", "pass:secret", "-out", "key"];
        let _ = openssl::run(folder, &[&topk8[..], &["-provider", "legacy", "-provider", "default"], args].concat());
        let key = fs::read(folder.join("key")).unwrap();
        let options = PasswordOptions::DEFAULT;
        let read = decrypt_key(&BACKEND, &key, b"secret", &options).unwrap_or_else(|error| panic!("{args:?}: {error}"));
        assert!(BACKEND.private_key(&read).is_ok());
        let wrong = decrypt_key(&BACKEND, &key, b"Secret", &options).unwrap_err();
        assert_eq!(wrong.kind(), ErrorKind::Integrity, "{args:?}");
    }
}

const LAYOUTS: [Pkcs12Layout; 4] =
    [Pkcs12Layout::Modern, Pkcs12Layout::Pbmac1, Pkcs12Layout::LegacyWindows, Pkcs12Layout::JavaTruststore];

#[test]
fn openssl_opens_what_is_written() {
    if !openssl::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let certificate = openssl::new_certificate(folder, "store", &openssl::EC, &[]);
    let _ =
        openssl::run(folder, &["pkcs8", "-topk8", "-nocrypt", "-in", "store.key", "-outform", "DER", "-out", "key"]);
    let key = fs::read(folder.join("key")).unwrap();
    let cert = Pkcs12Item::new(Pkcs12Value::Certificate(&certificate)).named("Schlüssel").tied(&[1]);
    let items = [cert, Pkcs12Item { value: Pkcs12Value::PrivateKey(&key), ..cert }];
    for text in ["Pässwort", ""] {
        let password = Password::new(text);
        for layout in LAYOUTS {
            let java = layout == Pkcs12Layout::JavaTruststore;
            let items = if java { &items[..1] } else { &items[..] };
            let file = build::pkcs12(items, layout, &ByPassword::new(&BACKEND, password.clone())).unwrap();
            fs::write(folder.join("file.p12"), &file).unwrap();
            let pass = format!("pass:{text}");
            let mut args = vec!["pkcs12", "-in", "file.p12", "-info", "-nodes", "-passin", &pass];
            // The command knows PBMAC1 from version 3.4 on.
            if layout == Pkcs12Layout::Pbmac1 {
                args.push("-nomacver");
            }
            let said = openssl::run(folder, &args);
            assert!(said.contains("BEGIN CERTIFICATE") && said.contains("BEGIN PRIVATE KEY") != java, "{said}");
            let found = opened(&file, &password).unwrap();
            assert_eq!((found.integrity(), found.items().count()), (Integrity::Verified, items.len()));
            assert!(matches!(opened(&file, &Password::new("wrong")), Err(OpenError::Mac)), "{layout:?}");
        }
    }
}

/// A file with another MAC than its own.
fn with_mac(file: &[u8], change: impl Fn(MacData<'_>) -> Vec<u8>) -> Vec<u8> {
    let read = Pfx::from_der(file).unwrap();
    let mac = change(read.mac_data.unwrap());
    encode(&Pfx { mac_data: Some(MacData::from_der(&mac).unwrap()), ..read }).unwrap()
}

fn pbmac1(key_length: Option<u64>, iterations: u64) -> Vec<u8> {
    let hmac = AlgorithmIdentifier { algorithm: oids::HMAC_WITH_SHA256, parameters: Some(Any::null(0)) };
    let derivation = encode(&Pbkdf2Params {
        salt: Pbkdf2ParamsSalt::Specified(OctetStr::new(b"saltsalt")),
        iteration_count: iterations,
        key_length,
        prf: hmac,
    })
    .unwrap();
    let derivation = AlgorithmIdentifier { algorithm: oids::PBKDF2, parameters: Any::from_der(&derivation).ok() };
    let parameters = encode(&Pbmac1Params { key_derivation_func: derivation, message_auth_scheme: hmac }).unwrap();
    encode(&AlgorithmIdentifier { algorithm: oids::PBMAC1, parameters: Any::from_der(&parameters).ok() }).unwrap()
}

/// Each way in which a file does not open is an error of its own.
#[test]
fn errors_of_damaged_stores_and_wrong_passwords() {
    let item = Pkcs12Item::new(Pkcs12Value::Secret { id: oids::DATA, value: b"\x04\x02\xCA\xFE" });
    let protection = ByPassword::new(&BACKEND, Password::new("right"));
    let file = build::pkcs12_with(&[item], Pkcs12Layout::Modern, 1000, &protection).unwrap();
    let right = Password::new("right");
    assert!(opened(&file, &right).is_ok());
    // A wrong password.
    assert!(matches!(opened(&file, &Password::new("wrong")), Err(OpenError::Mac)));
    // A changed file: the last octet of the content that is authenticated.
    let mut changed = file.clone();
    let content = Pfx::from_der(&file).unwrap();
    let end = file.len() - encode(&content.mac_data.unwrap()).unwrap().len();
    changed[end - 1] ^= 1;
    assert!(matches!(opened(&changed, &right), Err(OpenError::Mac)));
    // Truncated, at every length.
    for len in 0..file.len() {
        let error = opened(&file[..len], &right).unwrap_err();
        assert!(matches!(error, OpenError::Malformed { part: "PFX", .. }), "{len}: {error}");
        assert!(!is_password(&error));
    }
    // Parameters of the MAC that cannot be.
    let kind = |file: &[u8]| match opened(file, &right).unwrap_err() {
        OpenError::Protection { part: "macData", error } => error.kind(),
        error => panic!("{error}"),
    };
    let digest = |algorithm| {
        with_mac(&file, |mac| {
            let digest_algorithm = AlgorithmIdentifier { algorithm, parameters: None };
            encode(&MacData { mac: DigestInfo { digest_algorithm, ..mac.mac }, ..mac }).unwrap()
        })
    };
    assert_eq!(kind(&digest(oids::MD5)), ErrorKind::Unsupported);
    assert_eq!(kind(&digest(oids::PBMAC1)), ErrorKind::Parameters);
    for (parameters, expected) in [
        (pbmac1(None, 1000), Some(ErrorKind::Parameters)),
        (pbmac1(Some(15), 1000), Some(ErrorKind::Parameters)),
        (pbmac1(Some(1025), 1000), Some(ErrorKind::Parameters)),
        // Right but for the MAC itself: RFC 9579 §5 asks for a length and sets no limit.
        (pbmac1(Some(16), 1000), None),
        (pbmac1(Some(32), 1000), None),
        (pbmac1(Some(128), 1000), None),
    ] {
        let file = with_mac(&file, |mac| {
            let digest_algorithm = AlgorithmIdentifier::from_der(&parameters).unwrap();
            encode(&MacData { mac: DigestInfo { digest_algorithm, ..mac.mac }, ..mac }).unwrap()
        });
        match expected {
            Some(expected) => assert_eq!(kind(&file), expected),
            None => assert!(matches!(opened(&file, &right), Err(OpenError::Mac))),
        }
    }
    // More work than is allowed.
    let limits = CostLimits(Cost { iterations: 999, memory: 0 });
    assert!(matches!(open(&BACKEND, &file, &right, limits), Err(OpenError::Cost(_))));
    let long = pbmac1(Some(1 << 40), 1000);
    let long = with_mac(&file, |mac| {
        let digest_algorithm = AlgorithmIdentifier::from_der(&long).unwrap();
        encode(&MacData { mac: DigestInfo { digest_algorithm, ..mac.mac }, ..mac }).unwrap()
    });
    assert!(matches!(opened(&long, &right), Err(OpenError::Cost(_))));
    let many = with_mac(&file, |mac| encode(&MacData { iterations: u64::MAX >> 1, ..mac }).unwrap());
    assert!(matches!(opened(&many, &right), Err(OpenError::Cost(_))));
}

/// Keys under one password, everything else and the MAC under another.
struct Two<'b> {
    keys: ByPassword<'b>,
    rest: ByPassword<'b>,
}

impl Protection for Two<'_> {
    type Error = Error;

    fn decrypt(&self, algorithm: &AlgorithmIdentifier<'_>, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.rest.decrypt(algorithm, ciphertext)
    }

    fn encrypt(&self, algorithm: &AlgorithmIdentifier<'_>, plaintext: &[u8]) -> Result<Vec<u8>, Error> {
        let is_key = PrivateKeyInfo::from_pkcs8(plaintext).is_ok();
        if is_key { self.keys.encrypt(algorithm, plaintext) } else { self.rest.encrypt(algorithm, plaintext) }
    }

    fn mac(&self, parameters: &MacParameters<'_>, content: &[u8]) -> Result<Vec<u8>, Error> {
        self.rest.mac(parameters, content)
    }
}

/// A key under a password of its own hides nothing else, and is told.
#[test]
fn parts_under_another_password() {
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let signer = KeySigner::preferred(key.clone()).unwrap();
    let certificate = CertificateBuilder::new().subject("CN=Root").unwrap().ca(None).self_signed(&signer).unwrap();
    let key = key.to_pkcs8().unwrap();
    let items = [
        Pkcs12Item::new(Pkcs12Value::PrivateKey(key.expose())).named("key"),
        Pkcs12Item::new(Pkcs12Value::Certificate(certificate.as_der())).named("certificate"),
    ];
    let by = |password: &str| ByPassword::new(&BACKEND, Password::new(password));
    let two = Two { keys: by("of the key"), rest: by("of the store") };
    for layout in [Pkcs12Layout::Modern, Pkcs12Layout::Pbmac1, Pkcs12Layout::LegacyWindows] {
        let file = build::pkcs12_with(&items, layout, 10, &two).unwrap();
        let found = opened(&file, &Password::new("of the store")).unwrap();
        assert_eq!(found.integrity(), Integrity::Verified);
        let of = |kind| found.items().filter(move |item| item.kind == kind).count();
        assert_eq!((of(BundleKind::Certificate), of(BundleKind::PrivateKey)), (1, 0), "{layout:?}");
        assert_eq!(of(BundleKind::EncryptedPrivateKey), 1, "{layout:?}");
        let unreadable = found.unreadable();
        assert_eq!(unreadable.len(), 1);
        assert_eq!(unreadable[0].part, "an encrypted key");
        // With the other password, the MAC is wrong, and nothing is opened.
        assert!(matches!(opened(&file, &Password::new("of the key")), Err(OpenError::Mac)));
        let whole = build::pkcs12_with(&items, layout, 10, &by("of the store")).unwrap();
        assert!(opened(&whole, &Password::new("of the store")).unwrap().unreadable().is_empty());
    }
}

/// The limit is that of the file: of all its keys and the MAC together, and known before the first is derived.
#[test]
fn cost_is_summed() {
    let key = BACKEND.generate(KeyType::Ed25519).unwrap().to_pkcs8().unwrap();
    let keys = [0, 1, 2].map(|_| Pkcs12Item::new(Pkcs12Value::PrivateKey(key.expose())));
    let right = Password::new("right");
    let file =
        build::pkcs12_with(&keys, Pkcs12Layout::Modern, 1000, &ByPassword::new(&BACKEND, right.clone())).unwrap();
    let within = |iterations, password: &Password| {
        open(&BACKEND, &file, password, CostLimits(Cost { iterations, memory: 0 })).map(|opened| opened.items().count())
    };
    assert_eq!(within(4000, &right).unwrap(), 3);
    let Err(OpenError::Cost(cost)) = within(3999, &right) else { panic!("a limit is exceeded") };
    assert_eq!(cost.iterations, 4000);
    // No password and an empty one are two attempts at one budget.
    assert!(matches!(within(4000, &Password::absent()), Err(OpenError::Mac)));
}

/// Java's secret keys: a SecretBag around an EncryptedPrivateKeyInfo, whose algorithm is that of the key.
#[test]
fn secret_keys_of_java() {
    // PrivateKeyInfo with the algorithm AES (2.16.840.1.101.3.4.1) and 16 bytes.
    let info = b"\x30\x22\x02\x01\x00\x30\x0B\x06\x09\x60\x86\x48\x01\x65\x03\x04\x01\x02\x04\x100123456789abcdef";
    let options = PasswordOptions { iterations: 10, ..PasswordOptions::DEFAULT };
    let encrypted = encrypt_key(&BACKEND, &Secret::from(&info[..]), b"right", &options).unwrap();
    let value = encode(&OctetStr::new(&encrypted)).unwrap();
    let items = [
        Pkcs12Item::new(Pkcs12Value::Secret { id: oids::PKCS8_SHROUDED_KEY_BAG, value: &value }).named("aes"),
        Pkcs12Item::new(Pkcs12Value::Secret { id: oids::DATA, value: b"\x04\x02\xCA\xFE" }).named("plain"),
    ];
    let right = Password::new("right");
    let file = build::pkcs12_with(&items, Pkcs12Layout::Modern, 10, &ByPassword::new(&BACKEND, right.clone())).unwrap();
    let found = opened(&file, &right).unwrap();
    let keys: Vec<_> = found.items().map(|item| SecretKey::read(item.octets).unwrap().key.to_vec()).collect();
    assert_eq!(keys, [b"0123456789abcdef".to_vec(), vec![0xCA, 0xFE]]);
    assert!(found.items().all(|item| item.kind == BundleKind::Secret));
}

/// Every bit of a file that is changed is noticed, or is of no meaning: how long a length is written, what the MAC is not of.
#[test]
fn changes_are_noticed() {
    let items = [
        Pkcs12Item::new(Pkcs12Value::Secret { id: oids::DATA, value: b"\x04\x02\xCA\xFE" }).named("coffee"),
        Pkcs12Item::new(Pkcs12Value::Secret { id: oids::DATA, value: b"\x04\x02\xBA\xBE" }).tied(&[1, 2]),
    ];
    let right = Password::new("right");
    for layout in [Pkcs12Layout::Modern, Pkcs12Layout::Pbmac1, Pkcs12Layout::LegacyWindows] {
        let file = build::pkcs12_with(&items, layout, 1, &ByPassword::new(&BACKEND, right.clone())).unwrap();
        let of = |opened: &Opened| -> Vec<_> {
            opened.items().map(|item| (item.octets.to_vec(), item.friendly_name())).collect()
        };
        let meant = of(&opened(&file, &right).unwrap());
        let (mut macs, mut others) = (0, 0);
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut changed = file.clone();
                changed[at] ^= 1 << bit;
                match opened(&changed, &right) {
                    Ok(opened) => {
                        assert_eq!(opened.integrity(), Integrity::Verified, "{layout:?} {at} {bit}");
                        assert_eq!(of(&opened), meant, "{layout:?} {at} {bit}");
                    }
                    Err(OpenError::Mac) => macs += 1,
                    Err(_) => others += 1,
                }
            }
        }
        assert!(macs > 8 * 100 && others > 0, "{layout:?}: {macs}, {others}");
    }
}

/// What is old is opened, and written only where a layout names it.
#[test]
fn old_schemes_are_not_written() {
    let protection = ByPassword::new(&BACKEND, Password::new("right"));
    let salt = [1; 8];
    let parameters = tagwise_pkix::pkcs12::Pkcs12PbeParams { salt: OctetStr::new(&salt), iterations: 1 };
    let parameters = encode(&parameters).unwrap();
    use tagwise_pkix::pkcs12 as p;
    for (algorithm, written) in [
        (p::PBE_WITH_SHA_AND3_KEY_TRIPLE_DES_CBC, true),
        (p::PBE_WITH_SHA_AND2_KEY_TRIPLE_DES_CBC, false),
        (p::PBE_WITH_SHA_AND128_BIT_RC2_CBC, false),
        (p::PBEWITH_SHA_AND40_BIT_RC2_CBC, false),
        (p::PBE_WITH_SHA_AND128_BIT_RC4, false),
        (p::PBE_WITH_SHA_AND40_BIT_RC4, false),
    ] {
        let algorithm = AlgorithmIdentifier { algorithm, parameters: Any::from_der(&parameters).ok() };
        match protection.encrypt(&algorithm, b"plain") {
            Ok(made) => assert!(written && protection.decrypt(&algorithm, &made).unwrap()[..] == b"plain"[..]),
            Err(error) => assert!(!written && error.kind() == ErrorKind::Legacy, "{error}"),
        }
    }
    let unknown = AlgorithmIdentifier { algorithm: oids::PBE_WITH_MD2_AND_DES_CBC, parameters: None };
    assert_eq!(protection.decrypt(&unknown, b"").unwrap_err().kind(), ErrorKind::Unsupported);
    let parameters = MacParameters { algorithm: unknown, salt: &[], iterations: 1 };
    assert_eq!(protection.mac(&parameters, b"").unwrap_err().kind(), ErrorKind::Unsupported);
}
