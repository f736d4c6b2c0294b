//! Validation of certification paths beside rustls-webpki and OpenSSL, with and without the signatures.
//!
//! Two paths of P-256 keys, made when the program starts: a *typical* one (leaf, intermediate, root) and a *hard* one (three
//! intermediates with name constraints and policies, among twenty cross-certificates that lead nowhere).

use std::cell::RefCell;
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey,
};
use openssl::stack::Stack;
use openssl::x509::store::{X509Store, X509StoreBuilder};
use openssl::x509::verify::X509VerifyParam;
use openssl::x509::{X509, X509StoreContext};
use rustls_pki_types::{
    AlgorithmIdentifier as Algorithm, CertificateDer, InvalidSignature, ServerName, SignatureVerificationAlgorithm,
    TrustAnchor, alg_id,
};
use tagwise_bench::callgrind::instructions_per_repeat;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, PublicKey, Scheme};
use tagwise_path::{
    Anchor, Anchors, CryptoVerifier, ExpectedName, Policy, Pool, Profile, SignatureFault, Verifier, verify,
};
use tagwise_path_testing::*;
use tagwise_pkix::{AlgorithmIdentifier, SubjectPublicKeyInfo};
use webpki::{EndEntityCert, KeyUsage, anchor_from_trusted_cert};

/// `{ id-ecPublicKey, prime256v1 }` and `{ ecdsa-with-SHA256 }`.
const P256: &[u8] = b"\x30\x13\x06\x07\x2A\x86\x48\xCE\x3D\x02\x01\x06\x08\x2A\x86\x48\xCE\x3D\x03\x01\x07";
const ECDSA: &[u8] = b"\x30\x0A\x06\x08\x2A\x86\x48\xCE\x3D\x04\x03\x02";
/// 2026-01-01, as `common::NOW`.
const SECONDS: u64 = 1_767_225_600;

/// Keys by name.
struct Keys(RefCell<HashMap<Vec<u8>, Arc<EcdsaKeyPair>>>);

impl Keys {
    fn get(&self, name: &[u8]) -> Arc<EcdsaKeyPair> {
        let make = || {
            EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING)
                .map(Arc::new)
                .unwrap()
        };
        self.0.borrow_mut().entry(name.to_vec()).or_insert_with(make).clone()
    }

    /// The certificate of a specification, with real keys in place of those of tests.
    fn sign(&self, spec: &Spec) -> Vec<u8> {
        let point = self.get(&spec.key).public_key().as_ref().to_vec();
        let key = sequence(&[P256, &element(0x03, &[&[0], &point])]);
        spec.signed(&key, ECDSA, |tbs| {
            let signature = self.get(&spec.signer).sign(&SystemRandom::new(), tbs).unwrap();
            signature.as_ref().to_vec()
        })
    }
}

/// A leaf, what a peer sends with it, and the root.
struct Chain {
    name: &'static str,
    leaf: Vec<u8>,
    between: Vec<Vec<u8>>,
    root: Vec<u8>,
}

fn chains() -> Vec<Chain> {
    let keys = Keys(RefCell::default());
    let server = |issuer: &str, signer: &str| {
        let names: [(u8, &[u8]); 2] = [(DNS, b"www.example.org"), (DNS, b"example.org")];
        Spec::leaf("www.example.org", issuer, signer).with(alt_names(&names))
    };
    let typical = Chain {
        name: "typical",
        leaf: keys.sign(&server("CA", "ca")),
        between: vec![keys.sign(&Spec::ca("CA", "ca", "Root", "root"))],
        root: keys.sign(&root()),
    };
    let constrained = |spec: Spec| {
        let permitted: [(u8, &[u8]); 3] = [(DNS, b"example.org"), (DNS, b"example.net"), (DNS, b"example.com")];
        let excluded: [(u8, &[u8]); 2] = [(DNS, b"internal.example.org"), (IP, &[0; 8])];
        spec.with(name_constraints(&permitted, &excluded))
    };
    let mut between = Vec::new();
    for number in 0..20u32 {
        // Of the names that the path has, by other keys and issuers.
        let (subject, key) = [("CA 1", "one"), ("CA 2", "two")][number as usize % 2];
        let cross = Spec::ca(subject, key, &format!("Elsewhere {number}"), "elsewhere");
        between.push(keys.sign(&Spec {
            serial: 100 + number,
            ..cross
        }));
    }
    between.push(keys.sign(&constrained(Spec::ca("CA 1", "one", "Root", "root")).with(policies(&[1, 2]))));
    between.push(keys.sign(&constrained(Spec::ca("CA 2", "two", "CA 1", "one")).with(policies(&[1, 2]))));
    between.push(keys.sign(&Spec::ca("CA 3", "three", "CA 2", "two").with(policies(&[1]))));
    let hard = Chain {
        name: "hard",
        leaf: keys.sign(&server("CA 3", "three").with(policies(&[1]))),
        between,
        root: keys.sign(&root()),
    };
    vec![typical, hard]
}

/// Every signature is good.
#[derive(Debug)]
struct Yes;

impl Verifier for Yes {
    fn verify(
        &self,
        _: &SubjectPublicKeyInfo<'_>,
        _: &AlgorithmIdentifier<'_>,
        _: &[u8],
        _: &[u8],
    ) -> Result<(), SignatureFault> {
        Ok(())
    }
}

impl SignatureVerificationAlgorithm for Yes {
    fn verify_signature(&self, _: &[u8], _: &[u8], _: &[u8]) -> Result<(), InvalidSignature> {
        Ok(())
    }

    fn public_key_alg_id(&self) -> Algorithm {
        alg_id::ECDSA_P256
    }

    fn signature_alg_id(&self) -> Algorithm {
        alg_id::ECDSA_SHA256
    }
}

/// A verifier that keeps the keys that it has read.
struct Keeping {
    backend: AwsLc,
    keys: RefCell<HashMap<Vec<u8>, Arc<dyn PublicKey>>>,
}

impl Verifier for Keeping {
    fn verify(
        &self,
        key: &SubjectPublicKeyInfo<'_>,
        algorithm: &AlgorithmIdentifier<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), SignatureFault> {
        let octets = key.subject_public_key.as_bytes();
        let mut keys = self.keys.borrow_mut();
        if !keys.contains_key(octets) {
            let read = self
                .backend
                .public_key(key)
                .map_err(|error| SignatureFault::Refused(error.to_string()))?;
            keys.insert(octets.to_vec(), read);
        }
        let scheme = Scheme::of(algorithm).map_err(|error| SignatureFault::Refused(error.to_string()))?;
        keys[octets]
            .verify(&scheme, message, signature)
            .map_err(|_| SignatureFault::Wrong)
    }
}

/// The least of 400 rounds of about half a millisecond, in nanoseconds a call: what other processes take does not count.
fn time(mut call: impl FnMut()) -> f64 {
    call();
    let start = Instant::now();
    let mut count = 0u32;
    while start.elapsed() < Duration::from_micros(500) {
        call();
        count += 1;
    }
    let rounds = (0..400).map(|_| {
        let start = Instant::now();
        (0..count).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / f64::from(count)
    });
    rounds.fold(f64::INFINITY, f64::min)
}

fn row(chain: &str, what: &str, nanoseconds: f64, floor: f64) {
    println!(
        "| {chain} | {what} | {:.2} | {:.1} % |",
        nanoseconds / 1000.0,
        nanoseconds / floor * 100.0
    );
}

/// A way to validate with Tagwise: the profile, and what is kept between calls.
struct Way {
    title: &'static str,
    profile: &'static Profile,
    /// True if the pool is kept between calls, and with signatures the keys.
    kept: bool,
    signed: bool,
}

const WAYS: [Way; 6] = [
    way("Tagwise, profile webpki, fresh keys", &Profile::WEBPKI, false, true),
    way(
        "Tagwise, profile webpki, cached keys and pool",
        &Profile::WEBPKI,
        true,
        true,
    ),
    way("Tagwise, profile webpki, no signatures", &Profile::WEBPKI, false, false),
    way(
        "Tagwise, profile webpki, no signatures, cached pool",
        &Profile::WEBPKI,
        true,
        false,
    ),
    way(
        "Tagwise, profile rfc5280, no signatures",
        &Profile::RFC5280,
        false,
        false,
    ),
    way(
        "Tagwise, profile rfc5280, no signatures, cached pool",
        &Profile::RFC5280,
        true,
        false,
    ),
];

const fn way(title: &'static str, profile: &'static Profile, kept: bool, signed: bool) -> Way {
    Way {
        title,
        profile,
        kept,
        signed,
    }
}

impl Way {
    /// Calls a function with one validation of a chain.
    fn with(&self, chain: &Chain, then: impl FnOnce(&dyn Fn())) {
        let mut anchors = Anchors::new();
        anchors.read(&chain.root);
        let mut policy = Policy::new(self.profile, NOW);
        policy.names.push(ExpectedName::dns("www.example.org").unwrap());
        let pool: Pool = chain.between.iter().collect();
        let backend = AwsLc::new();
        let fresh = CryptoVerifier(&backend);
        let keeping = Keeping {
            backend: AwsLc::new(),
            keys: RefCell::default(),
        };
        let verifier: &dyn Verifier = match (self.signed, self.kept) {
            (false, _) => &Yes,
            (true, true) => &keeping,
            (true, false) => &fresh,
        };
        let validate = |pool: &Pool| {
            let found = verify::path(black_box(&chain.leaf), pool, &anchors, &policy, verifier);
            if let Err(report) = found {
                panic!("{}, {}: {report}", chain.name, self.title);
            }
        };
        if self.kept {
            then(&|| validate(&pool));
        } else {
            then(&|| validate(&chain.between.iter().collect()));
        }
    }
}

fn tagwise(chain: &Chain, floor: f64) {
    for way in &WAYS {
        way.with(chain, |call| row(chain.name, way.title, time(call), floor));
    }
}

fn webpki(chain: &Chain, floor: f64) {
    let algorithms: [(&str, &[&dyn SignatureVerificationAlgorithm]); 2] = [
        ("webpki", &[webpki::aws_lc_rs::ECDSA_P256_SHA256]),
        ("webpki, no signatures", &[&Yes]),
    ];
    for (what, algorithms) in algorithms {
        webpki_with(chain, algorithms, |call| match call() {
            Ok(()) => row(chain.name, what, time(|| _ = black_box(call().is_ok())), floor),
            Err(error) => println!("| {} | {what} | refused: {error:?} | |", chain.name),
        });
    }
}

/// Calls a function with one validation of a chain.
fn webpki_with(
    chain: &Chain,
    algorithms: &[&dyn SignatureVerificationAlgorithm],
    then: impl FnOnce(&dyn Fn() -> Result<(), webpki::Error>),
) {
    let root = CertificateDer::from(chain.root.clone());
    let anchors: Vec<TrustAnchor<'_>> = vec![anchor_from_trusted_cert(&root).unwrap()];
    let leaf = CertificateDer::from(chain.leaf.clone());
    let between: Vec<CertificateDer<'_>> = chain.between.iter().cloned().map(CertificateDer::from).collect();
    let name = ServerName::try_from("www.example.org").unwrap();
    let now = rustls_pki_types::UnixTime::since_unix_epoch(Duration::from_secs(SECONDS));
    then(&|| {
        let end = EndEntityCert::try_from(black_box(&leaf))?;
        end.verify_for_usage(algorithms, &anchors, &between, now, KeyUsage::server_auth(), None, None)?;
        end.verify_is_valid_for_subject_name(&name)
    });
}

fn by_openssl(chain: &Chain, floor: f64) {
    let store = || -> X509Store {
        let mut builder = X509StoreBuilder::new().unwrap();
        builder.add_cert(X509::from_der(&chain.root).unwrap()).unwrap();
        let mut parameters = X509VerifyParam::new().unwrap();
        parameters.set_time(SECONDS as i64);
        parameters.set_host("www.example.org").unwrap();
        builder.set_param(&parameters).unwrap();
        builder.build()
    };
    let store = store();
    let read = || {
        let mut between = Stack::new().unwrap();
        chain
            .between
            .iter()
            .for_each(|der| between.push(X509::from_der(der).unwrap()).unwrap());
        (X509::from_der(black_box(&chain.leaf)).unwrap(), between)
    };
    let check = |leaf: &X509, between: &Stack<X509>| {
        let mut context = X509StoreContext::new().unwrap();
        context
            .init(&store, leaf, between, |context| context.verify_cert())
            .unwrap()
    };
    let (leaf, between) = read();
    if !check(&leaf, &between) {
        // It is known to try one issuer of a name and key, and not to come back for another.
        return println!("| {} | OpenSSL | refused | |", chain.name);
    }
    let fresh = time(|| {
        let (leaf, between) = read();
        black_box(check(&leaf, &between));
    });
    row(chain.name, "OpenSSL, fresh", fresh, floor);
    row(
        chain.name,
        "OpenSSL, certificates and keys read before",
        time(|| _ = black_box(check(&leaf, &between))),
        floor,
    );
}

/// One way of Tagwise, or webpki without signatures, `count` times: what callgrind and other profilers run.
fn once(chain: &str, title: &str, count: usize) {
    let chains = chains();
    let chain = chains.iter().find(|known| known.name == chain).unwrap();
    if title == "webpki" {
        return webpki_with(chain, &[&Yes], |call| (0..count).for_each(|_| _ = call()));
    }
    let way = WAYS.iter().find(|way| way.title == title).unwrap();
    way.with(chain, |call| (0..count).for_each(|_| call()));
}

/// Instructions of each call without signatures, by callgrind.
fn instructions() {
    println!("| path | way | instructions |\n|---|---|--:|");
    for chain in ["typical", "hard"] {
        let titles = WAYS.iter().filter(|way| !way.signed).map(|way| way.title);
        for title in titles.chain(["webpki"]) {
            let count = instructions_per_repeat(&["--once", chain, title], 10, 110);
            let count = count.map_or_else(|| "not counted".to_owned(), |count| format!("{count:.0}"));
            println!("| {chain} | {title} | {count} |");
        }
    }
}

/// Loads trust anchors, then validates a path to the last of them: Tagwise, then OpenSSL.
fn many_anchors(count: usize) {
    let keys = Keys(RefCell::default());
    let roots: Vec<Vec<u8>> = (0..count)
        .map(|number| {
            let name = format!("Root {number}");
            keys.sign(&Spec {
                serial: number as u32,
                ..Spec::ca(&name, "root", &name, "root")
            })
        })
        .collect();
    let last = format!("Root {}", count - 1);
    let names: [(u8, &[u8]); 1] = [(DNS, b"www.example.org")];
    let leaf = keys.sign(&Spec::leaf("www.example.org", &last, "root").with(alt_names(&names)));
    let milliseconds = |start: Instant| start.elapsed().as_nanos() as f64 / 1e6;
    println!("\n| {count} trust anchors | loaded, ms | the first path, µs | the next, µs |\n|---|--:|--:|--:|");

    let mut policy = Policy::new(&Profile::RFC5280, NOW);
    policy.names.push(ExpectedName::dns("www.example.org").unwrap());
    let start = Instant::now();
    let anchors: Anchors = roots
        .iter()
        .map(|root| Anchor::from_certificate(root.as_slice()).unwrap())
        .collect();
    let loaded = milliseconds(start);
    let validate = || verify::path(black_box(&leaf), &Pool::new(), &anchors, &policy, &Yes).unwrap();
    let start = Instant::now();
    black_box(validate());
    let first = milliseconds(start) * 1000.0;
    let next = time(|| _ = black_box(validate())) / 1000.0;
    println!("| Tagwise, no signatures | {loaded:.1} | {first:.1} | {next:.2} |");

    let start = Instant::now();
    let mut builder = X509StoreBuilder::new().unwrap();
    for root in &roots {
        builder.add_cert(X509::from_der(root).unwrap()).unwrap();
    }
    let mut parameters = X509VerifyParam::new().unwrap();
    parameters.set_time(SECONDS as i64);
    builder.set_param(&parameters).unwrap();
    let store: X509Store = builder.build();
    let loaded = milliseconds(start);
    let (leaf, none) = (X509::from_der(&leaf).unwrap(), Stack::new().unwrap());
    let check = || {
        let mut context = X509StoreContext::new().unwrap();
        let verified = context.init(&store, &leaf, &none, |context| context.verify_cert());
        assert!(verified.unwrap());
    };
    let start = Instant::now();
    check();
    let first = milliseconds(start) * 1000.0;
    let next = time(check) / 1000.0;
    println!("| OpenSSL, with signatures | {loaded:.1} | {first:.1} | {next:.2} |");
}

/// Without arguments, every row; `--instructions`; `--anchors [N]`; `--once CHAIN WAY N`, for a profiler.
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => {}
        ["--instructions"] => return instructions(),
        ["--anchors"] => return many_anchors(20_000),
        ["--anchors", count] => return many_anchors(count.parse().unwrap()),
        ["--once", chain, title, count] => return once(chain, title, count.parse().unwrap()),
        other => panic!("unexpected arguments {other:?}"),
    }
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap();
    let message = [7u8; 500];
    let signature = pair.sign(&SystemRandom::new(), &message).unwrap();
    let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, pair.public_key().as_ref());
    let floor = time(|| key.verify(black_box(&message), signature.as_ref()).unwrap());
    println!("{}", openssl::version::version());
    println!("| path | way | µs | of one ECDSA verification |\n|---|---|--:|--:|");
    row("", "one ECDSA P-256 verification by AWS-LC", floor, floor);
    for chain in chains() {
        tagwise(&chain, floor);
        webpki(&chain, floor);
        by_openssl(&chain, floor);
    }
    many_anchors(20_000);
}
