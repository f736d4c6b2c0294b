//! Signatures by every backend of tagwise-crypto, and by the crate native-ossl beside the crate openssl on the same library.
//!
//! One message of 700 octets, one thread, keys parsed once. All run in turn within each round, a few milliseconds each, so that a
//! change of the processor's clock cancels, and the clock is the thread's own; the figure is the median of the rounds.

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use tagwise_crypto::backends::all;
use tagwise_crypto::{Backend, KeyType, PrivateKey, PublicKey, Scheme};

type Failure = Box<dyn std::error::Error>;
type Work<'a> = Box<dyn FnMut() + 'a>;

const MESSAGE: [u8; 700] = [0x5A; 700];
const ROUNDS: usize = 41;
const SLICE: Duration = Duration::from_millis(4);

const KINDS: [KeyType; 9] = [
    KeyType::P256,
    KeyType::P384,
    KeyType::Ed25519,
    KeyType::Rsa(2048),
    KeyType::Rsa(3072),
    KeyType::Rsa(4096),
    KeyType::MlDsa44,
    KeyType::MlDsa65,
    KeyType::MlDsa87,
];

/// Who does it, and the two operations.
struct Peer<'a> {
    name: String,
    sign: Work<'a>,
    verify: Work<'a>,
}

/// Operations per second in one slice of time.
fn rate(work: &mut Work<'_>) -> f64 {
    let start = ThreadTime::now();
    let mut count = 0_u32;
    while start.elapsed() < SLICE || count == 0 {
        work();
        count += 1;
    }
    f64::from(count) / start.elapsed().as_secs_f64()
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

fn ours(
    name: String,
    key: Arc<dyn PrivateKey>,
    public: Arc<dyn PublicKey>,
    scheme: Scheme,
) -> Result<Peer<'static>, Failure> {
    let signature = key.sign(&scheme, &MESSAGE)?;
    public.verify(&scheme, &MESSAGE, &signature)?;
    Ok(Peer {
        name,
        sign: Box::new(move || {
            black_box(key.sign(&scheme, black_box(&MESSAGE)).expect("it did before"));
        }),
        verify: Box::new(move || {
            public
                .verify(&scheme, black_box(&MESSAGE), &signature)
                .expect("it did before");
        }),
    })
}

/// The same key in native-ossl, in the way its documentation shows.
#[cfg(feature = "peer-native-ossl")]
fn native(pkcs8: &[u8], info: &[u8], scheme: Scheme) -> Result<Peer<'static>, Failure> {
    use native_ossl::digest::DigestAlg;
    use native_ossl::pkey::{Pkey, Private, Public, SignInit, Signer, Verifier};
    let text = |error: native_ossl::error::ErrorStack| error.to_string();
    let key = Pkey::<Private>::from_der(pkcs8).map_err(text)?;
    let public = Pkey::<Public>::from_der(info).map_err(text)?;
    let digest = match scheme.digest() {
        Some(tagwise_crypto::Digest::Sha256) => Some(DigestAlg::fetch(c"SHA2-256", None).map_err(text)?),
        Some(tagwise_crypto::Digest::Sha384) => Some(DigestAlg::fetch(c"SHA2-384", None).map_err(text)?),
        Some(_) => Some(DigestAlg::fetch(c"SHA2-512", None).map_err(text)?),
        None => None,
    };
    let digest = Arc::new(digest);
    let sign = {
        let digest = digest.clone();
        move || -> Result<Vec<u8>, native_ossl::error::ErrorStack> {
            let init = SignInit::new(digest.as_ref().as_ref(), None);
            Signer::new(&key, &init)?.sign_oneshot(black_box(&MESSAGE))
        }
    };
    let signature = sign().map_err(text)?;
    Ok(Peer {
        name: "native-ossl".to_owned(),
        sign: Box::new(move || {
            black_box(sign().expect("it did before"));
        }),
        verify: Box::new(move || {
            let init = SignInit::new(digest.as_ref().as_ref(), None);
            let verified =
                Verifier::new(&public, &init).and_then(|mut verifier| verifier.verify_oneshot(&MESSAGE, &signature));
            assert!(matches!(verified, Ok(true)));
        }),
    })
}

fn run() -> Result<(), Failure> {
    let backends: Vec<&dyn Backend> = all();
    for backend in &backends {
        println!("{}: {}", backend.name(), backend.version());
    }
    println!("\n| | sign / verify, thousand a second: |");
    for kind in KINDS {
        let scheme = Scheme::preferred(kind).ok_or("a kind that does not sign")?;
        // One key for all that can load it.
        let made = backends[0].generate(kind)?;
        let pkcs8 = made.to_pkcs8()?;
        let mut peers = Vec::new();
        for backend in &backends {
            let Ok(key) = backend.private_key_from_pkcs8(pkcs8.expose()) else {
                continue;
            };
            let public = backend.public_key_from_der(made.public_key_info())?;
            peers.push(ours(backend.name().to_owned(), key, public, scheme)?);
        }
        #[cfg(feature = "peer-native-ossl")]
        match native(pkcs8.expose(), made.public_key_info(), scheme) {
            Ok(peer) => peers.push(peer),
            Err(error) => eprintln!("native-ossl, {kind}: {error}"),
        }
        let mut rates = vec![(Vec::new(), Vec::new()); peers.len()];
        for round in 0..ROUNDS {
            for step in 0..peers.len() {
                let at = (round + step) % peers.len();
                rates[at].0.push(rate(&mut peers[at].sign));
                rates[at].1.push(rate(&mut peers[at].verify));
            }
        }
        let cells: Vec<String> = peers
            .iter()
            .zip(rates)
            .map(|(peer, (sign, verify))| {
                format!(
                    "{} {:.2} / {:.2}",
                    peer.name,
                    median(sign) / 1000.0,
                    median(verify) / 1000.0
                )
            })
            .collect();
        println!("| {scheme} ({kind}) | {} |", cells.join(" | "));
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("crypto: {error}");
            ExitCode::FAILURE
        }
    }
}
