//! Tests of the resources with a scripted client, whose requests are signed by keys of `tagwise-crypto`.

mod attacks;
mod flow;
mod instant;
mod mtc;
mod network;
mod permission;

use std::sync::Arc;

use serde_json::{Value, json};
use tagwise_ca::{Authority, Definition, Founding, Protection, SqliteStore, Urls};
use tagwise_codec::Decode;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, Digest, KeySigner, KeyType, PrivateKey, Scheme};
use tagwise_keys::jwk;
use tagwise_pkix::UnixTime;
use tagwise_pkix::algorithms::EcdsaSigValue;
use tagwise_pkix::build::CsrBuilder;
use tagwise_pkix::name::NameBuf;

use crate::problem::Problem;
use crate::reply::{Job, Reply};
use crate::routes::Asked;
use crate::service::Call;
use crate::{Acme, NamedProfile, Policy};

static BACKEND: AwsLc = AwsLc::new();

const URL: &str = "https://ca.test/acme";
const NOW: UnixTime = UnixTime(1_790_000_000);
const POLICY: &str = "dns = ['example.org']\nip = ['192.0.2.0/24']\nwildcards = true\ncaa-identities = ['ca.test']\norders-per-hour = 20";

/// Creates a CA in a store.
fn authority(store: &mut SqliteStore, from: UnixTime) -> Authority {
    let founding = Founding {
        label: "ca",
        subject: NameBuf::parse("CN=Root").unwrap(),
        key_identifier: None,
        not_before: from,
        not_after: UnixTime(from.0 + 3650 * 86_400),
        path_len: None,
        urls: Urls::default(),
        pss: false,
    };
    let key = BACKEND.generate(KeyType::P256).unwrap();
    Authority::found(store, &BACKEND, &key, &founding, &Protection::Clear).unwrap()
}

/// A server of a CA, with the profiles `server` and `short`.
fn acme(authority: Authority, policy: &str, url: &str) -> Acme {
    let signer = Arc::new(authority.unlock(&BACKEND, None).unwrap());
    let profile = |name: &str, days: u64| {
        let definition =
            Definition { validity: std::time::Duration::from_secs(days * 86_400), ..Definition::new(name) };
        NamedProfile { name: name.to_owned(), description: format!("{days} days"), definition: Arc::new(definition) }
    };
    let profiles = vec![profile("server", 90), profile("short", 6)];
    Acme::new(authority, signer, &BACKEND, Policy::from_toml(policy).unwrap(), profiles, url).unwrap()
}

/// A server without connections, and its clock.
struct Server {
    acme: Acme,
    store: SqliteStore,
    now: UnixTime,
}

impl Server {
    fn new(policy: &str) -> Self {
        let mut store = SqliteStore::in_memory().unwrap();
        let authority = authority(&mut store, UnixTime(NOW.0 - 86_400));
        Self { acme: acme(authority, policy, URL), store, now: NOW }
    }

    fn call(&mut self) -> Call<'_> {
        Call { acme: &self.acme, store: &mut self.store, now: self.now }
    }

    fn send(&mut self, method: &str, path: &str, body: &[u8]) -> Reply {
        let path = format!("/acme/{path}");
        let content_type = Some(&b"application/jose+json"[..]);
        self.call().answer(Asked { method, path: &path, content_type, accept: None, body })
    }

    fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, b"")
    }

    fn nonce(&mut self) -> String {
        header(&self.send("HEAD", "new-nonce", b""), "replay-nonce").unwrap()
    }

    /// Records results of validations.
    fn conclude(&mut self, jobs: &[Job], result: Result<(), Problem>) {
        for job in jobs {
            self.call().conclude(job, result.clone()).unwrap();
        }
    }
}

fn header(reply: &Reply, name: &str) -> Option<String> {
    reply.headers.iter().find(|(own, _)| *own == name).map(|(_, value)| value.clone())
}

fn body(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).unwrap_or(Value::Null)
}

/// The name of a problem's type.
fn problem(reply: &Reply) -> String {
    assert!(reply.status >= 400, "{}", String::from_utf8_lossy(&reply.body));
    assert_eq!(reply.kind, "application/problem+json");
    let kind = body(reply)["type"].as_str().unwrap().to_owned();
    kind.strip_prefix("urn:ietf:params:acme:error:").unwrap().to_owned()
}

/// The path of a URL of the server.
fn path(url: &Value) -> String {
    url.as_str().unwrap().strip_prefix("https://ca.test/acme/").unwrap().to_owned()
}

fn algorithm(key: KeyType) -> (&'static str, Scheme) {
    match key {
        KeyType::P256 => ("ES256", Scheme::Ecdsa(Digest::Sha256)),
        KeyType::P384 => ("ES384", Scheme::Ecdsa(Digest::Sha384)),
        KeyType::P521 => ("ES512", Scheme::Ecdsa(Digest::Sha512)),
        KeyType::Rsa(_) => ("RS256", Scheme::RsaPkcs1(Digest::Sha256)),
        KeyType::Ed25519 => ("EdDSA", Scheme::Ed25519),
        KeyType::MlDsa44 => ("ML-DSA-44", Scheme::MlDsa44),
        other => panic!("{other}"),
    }
}

/// The signature in the form of RFC 7518 §3.4.
fn signature(key: &dyn PrivateKey, scheme: &Scheme, input: &[u8]) -> Vec<u8> {
    let signature = key.sign(scheme, input).unwrap();
    let len = match key.key_type() {
        KeyType::P256 => 32,
        KeyType::P384 => 48,
        KeyType::P521 => 66,
        _ => return signature,
    };
    let value = EcdsaSigValue::from_der(&signature).unwrap();
    let padded = |number: &[u8]| [vec![0; len - number.len()], number.to_vec()].concat();
    [padded(value.r.magnitude()), padded(value.s.magnitude())].concat()
}

/// A flattened JWS with any header.
fn jws(key: &dyn PrivateKey, header: &Value, payload: &[u8]) -> Vec<u8> {
    let protected = jwk::base64url(header.to_string().as_bytes());
    let payload = jwk::base64url(payload);
    let (_, scheme) = algorithm(key.key_type());
    let signature = signature(key, &scheme, format!("{protected}.{payload}").as_bytes());
    json!({ "protected": protected, "payload": payload, "signature": jwk::base64url(&signature) })
        .to_string()
        .into_bytes()
}

fn public(key: &dyn PrivateKey) -> Value {
    serde_json::from_str(&jwk::write_public(key.public_key_info()).unwrap()).unwrap()
}

/// A client with its key and account.
struct Client {
    key: Arc<dyn PrivateKey>,
    account: String,
}

impl Client {
    /// A client without an account.
    fn unregistered(kind: KeyType) -> Self {
        Self { key: BACKEND.generate(kind).unwrap(), account: String::new() }
    }

    fn new(server: &mut Server) -> Self {
        let mut client = Self::unregistered(KeyType::P256);
        let reply = client.register(server, &json!({ "termsOfServiceAgreed": true }));
        assert_eq!(reply.status, 201, "{}", body(&reply));
        client.account = header(&reply, "location").unwrap();
        client
    }

    fn register(&self, server: &mut Server, payload: &Value) -> Reply {
        let header = self.header(server, "new-account", true);
        server.send("POST", "new-account", &jws(&*self.key, &header, payload.to_string().as_bytes()))
    }

    /// The usual header of a request.
    fn header(&self, server: &mut Server, path: &str, is_jwk: bool) -> Value {
        let (alg, _) = algorithm(self.key.key_type());
        let mut header = json!({ "alg": alg, "nonce": server.nonce(), "url": format!("{URL}/{path}") });
        if is_jwk {
            header["jwk"] = public(&*self.key);
        } else {
            header["kid"] = json!(self.account);
        }
        header
    }

    fn post(&self, server: &mut Server, path: &str, payload: &Value) -> Reply {
        let header = self.header(server, path, false);
        server.send("POST", path, &jws(&*self.key, &header, payload.to_string().as_bytes()))
    }

    /// A POST-as-GET.
    fn read(&self, server: &mut Server, path: &str) -> Reply {
        let header = self.header(server, path, false);
        server.send("POST", path, &jws(&*self.key, &header, b""))
    }

    /// Creates an order; returns its path and content.
    fn order(&self, server: &mut Server, names: &[&str]) -> (String, Value) {
        let reply = self.post(server, "new-order", &json!({ "identifiers": identifiers(names) }));
        assert_eq!(reply.status, 201, "{}", body(&reply));
        (path(&json!(header(&reply, "location").unwrap())), body(&reply))
    }

    /// Creates an order and validates its identifiers.
    fn ready(&self, server: &mut Server, names: &[&str]) -> String {
        let (path_of, order) = self.order(server, names);
        for authorization in order["authorizations"].as_array().unwrap() {
            let authorization = body(&self.read(server, &path(authorization)));
            let challenge = self.post(server, &path(&authorization["challenges"][0]["url"]), &json!({}));
            server.conclude(&challenge.jobs, Ok(()));
        }
        assert_eq!(body(&self.read(server, &path_of))["status"], "ready");
        path_of
    }

    fn finalize(&self, server: &mut Server, order: &str, csr: &[u8]) -> Reply {
        self.post(server, &format!("{order}/finalize"), &json!({ "csr": jwk::base64url(csr) }))
    }

    /// Issues a certificate; returns its key, its path and the certificate in DER.
    fn issue(&self, server: &mut Server, names: &[&str]) -> (Arc<dyn PrivateKey>, String, Vec<u8>) {
        let order = self.ready(server, names);
        let key = BACKEND.generate(KeyType::P256).unwrap();
        let reply = self.finalize(server, &order, &csr(&key, names, ""));
        assert_eq!(body(&reply)["status"], "valid", "{}", body(&reply));
        let path = path(&body(&reply)["certificate"]);
        let chain = self.read(server, &path);
        (key, path, certificates(&chain.body).remove(0))
    }
}

fn identifiers(names: &[&str]) -> Vec<Value> {
    let kind = |name: &str| if name.parse::<std::net::IpAddr>().is_ok() { "ip" } else { "dns" };
    names.iter().map(|name| json!({ "type": kind(name), "value": name })).collect()
}

fn csr(key: &Arc<dyn PrivateKey>, names: &[&str], subject: &str) -> Vec<u8> {
    let mut builder = CsrBuilder::new().subject(subject).unwrap();
    for name in names {
        builder = match name.parse::<std::net::IpAddr>() {
            Ok(address) => builder.ip(address),
            Err(_) => builder.dns(*name),
        };
    }
    builder.sign(&KeySigner::preferred(Arc::clone(key)).unwrap()).unwrap().as_der().to_vec()
}

/// The certificates of a PEM file.
fn certificates(text: &[u8]) -> Vec<Vec<u8>> {
    let text = std::str::from_utf8(text).unwrap();
    let blocks = text.split("-----BEGIN CERTIFICATE-----").skip(1);
    let content = |block: &str| block.split("-----END").next().unwrap().split_whitespace().collect::<String>();
    blocks.map(|block| tagwise_codec::text::base64::decode(content(block).as_bytes()).unwrap()).collect()
}
