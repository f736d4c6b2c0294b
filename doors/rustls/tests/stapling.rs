//! OCSP responses that servers staple: made by OpenSSL, judged by the clock of each handshake.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use common::*;
use rustls::pki_types::UnixTime;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, ServerConfig};
use tagwise_path::{CryptoVerifier, Policy, Profile, RevocationMode, RevocationScope};
use tagwise_rustls::{Judge, ServerVerifier};

const DAY: u64 = 86_400;

/// The response of the CA about the server's certificate, good for two days: `V`, or `R` with a date and a reason.
fn response(folder: &Path, name: &str, status: &str) -> Vec<u8> {
    let output = std::process::Command::new("openssl")
        .current_dir(folder)
        .args(["x509", "-in", "server.pem", "-noout", "-serial"])
        .output()
        .unwrap();
    let serial = String::from_utf8(output.stdout).unwrap().trim().replace("serial=", "");
    std::fs::write(folder.join("index.txt"), format!("{status}\t{serial}\tunknown\t/CN=localhost\n")).unwrap();
    openssl(folder, "ocsp -issuer ca.pem -cert server.pem -no_nonce -reqout request.der");
    let signing = "-index index.txt -CA ca.pem -rsigner ca.pem -rkey ca.key -resp_no_certs -ndays 2";
    openssl(folder, &format!("ocsp {signing} -reqin request.der -respout {name}.der"));
    std::fs::read(folder.join(format!("{name}.der"))).unwrap()
}

#[derive(Debug)]
struct Resolver(Arc<CertifiedKey>);

impl ResolvesServerCert for Resolver {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.clone())
    }
}

fn server(folder: &Path, stapled: Option<Vec<u8>>) -> Arc<ServerConfig> {
    let key = provider().key_provider.load_private_key(key(folder, "server.key")).unwrap();
    let mut certified = CertifiedKey::new(certificates(folder, "server-chain.pem"), key);
    certified.ocsp = stapled;
    let config = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().unwrap();
    Arc::new(config.with_no_client_auth().with_cert_resolver(Arc::new(Resolver(Arc::new(certified)))))
}

/// A clock that is ahead of the system's.
#[derive(Debug)]
struct Ahead(u64);

impl rustls::time_provider::TimeProvider for Ahead {
    fn current_time(&self) -> Option<UnixTime> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        Some(UnixTime::since_unix_epoch(now + Duration::from_secs(self.0)))
    }
}

fn client(folder: &Path, mode: RevocationMode, ahead: u64, tls13: bool) -> Arc<ClientConfig> {
    let mut policy = Policy::new(&Profile::WEBPKI, tagwise_pkix::UnixTime(0));
    (policy.revocation.mode, policy.revocation.scope) = (mode, RevocationScope::Leaf);
    let judge = Judge::new(anchors(folder, "root.pem"), policy, CryptoVerifier(&BACKEND));
    let version = if tls13 { &rustls::version::TLS13 } else { &rustls::version::TLS12 };
    let builder = ClientConfig::builder_with_details(provider(), Arc::new(Ahead(ahead)));
    let builder = builder.with_protocol_versions(&[version]).unwrap().dangerous();
    let verifier = ServerVerifier::new(judge, &provider());
    Arc::new(builder.with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
}

#[test]
fn good_revoked_stale_and_none() {
    let Some(folder) = hierarchy() else { return };
    let folder = folder.path();
    let good = response(folder, "good", "V\t490101000000Z\t");
    let revoked = response(folder, "revoked", "R\t490101000000Z\t250601000000Z,superseded");
    let mut forged = good.clone();
    *forged.last_mut().unwrap() ^= 1;
    use RevocationMode::{Ignore, Prefer, Require};
    for tls13 in [false, true] {
        for (what, stapled, ahead, mode, error) in [
            ("good", Some(&good), 0, Require, None),
            ("good", Some(&good), DAY, Require, None),
            ("stale", Some(&good), 3 * DAY, Require, Some("UnknownRevocationStatus")),
            ("stale", Some(&good), 3 * DAY, Prefer, None),
            ("revoked", Some(&revoked), 0, Require, Some("Revoked")),
            ("revoked", Some(&revoked), 0, Prefer, Some("Revoked")),
            ("revoked", Some(&revoked), 0, Ignore, None),
            ("forged", Some(&forged), 0, Require, Some("UnknownRevocationStatus")),
            ("none", None, 0, Require, Some("UnknownRevocationStatus")),
            ("none", None, 0, Prefer, None),
        ] {
            let config = client(folder, mode, ahead, tls13);
            let (client, _) = both(server(folder, stapled.cloned()), "localhost", config);
            match error {
                None => assert_eq!(client, Ok(()), "{what} {mode:?}"),
                Some(error) => assert!(client.as_ref().is_err_and(|said| said.contains(error)), "{what}: {client:?}"),
            }
        }
    }
}

/// RFC 7633 §4.2.3.1: a certificate that demands a staple is good for nothing without one, whatever else the policy asks.
#[test]
fn a_staple_that_is_demanded() {
    let Some(folder) = hierarchy() else { return };
    let folder = folder.path();
    let end = "-addext basicConstraints=critical,CA:FALSE -addext keyUsage=critical,digitalSignature";
    let names = "-addext subjectAltName=DNS:localhost -addext extendedKeyUsage=serverAuth";
    let new = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout server.key -out server.pem";
    let below = "-subj /CN=localhost -days 20 -CA ca.pem -CAkey ca.key -addext tlsfeature=status_request";
    openssl(folder, &format!("{new} {below} {end} {names}"));
    let chain: Vec<String> =
        ["server.pem", "ca.pem"].iter().map(|name| std::fs::read_to_string(folder.join(name)).unwrap()).collect();
    std::fs::write(folder.join("server-chain.pem"), chain.concat()).unwrap();
    let good = response(folder, "good", "V\t490101000000Z\t");
    let mut forged = good.clone();
    *forged.last_mut().unwrap() ^= 1;
    for tls13 in [false, true] {
        for mode in [RevocationMode::Ignore, RevocationMode::Prefer] {
            for (stapled, is_good) in [(Some(&good), true), (None, false), (Some(&forged), false)] {
                let config = client(folder, mode, 0, tls13);
                let (client, _) = both(server(folder, stapled.cloned()), "localhost", config);
                assert_eq!(client.is_ok(), is_good, "{mode:?}: {client:?}");
                assert!(is_good || client.is_err_and(|said| said.contains("MustStaple")));
            }
        }
    }
}
