//! Tests of the services: with messages that are built here, and with other programs as clients.

mod attacks;
mod certmonger;
mod cmp;
mod cmp_pending;
mod est;
mod extensions;
mod nested;
mod net;
mod possession;
mod revocation;
mod scep;
mod several;
mod tsp;

use std::sync::Arc;

use tagwise_ca::{
    AltName, Authority, Definition, Founding, Order, Profile, Protection, Restrictions, SqliteStore, Urls,
};
use tagwise_codec::Decode;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend, KeySigner, KeyType, PrivateKey};
use tagwise_pkix::build::CsrBuilder;
use tagwise_pkix::name::NameBuf;
use tagwise_pkix::{Certificate, UnixTime, oids};

use crate::secret::{self, NewSecret, Usage};
use crate::{Enrollment, Policy};

static BACKEND: AwsLc = AwsLc::new();

const DAY: i64 = 86_400;

const POLICY: &str = "failures-per-hour = 5
[[grants]]
name = 'servers'
profile = 'server'
dns = ['example.org']
ip = ['127.0.0.1', '192.0.2.0/24']
subject = 'O=Example'
certificates = ['device']
registration-authority = true
[[grants]]
name = 'devices'
profile = 'device'
common-names = ['device-*']
[[grants]]
name = 'reviewed'
profile = 'server'
protocols = ['est', 'scep', 'cmp']
dns = ['review.example.org']
approval = 'manual'
[[grants]]
name = 'est-only'
profile = 'server'
protocols = ['est']
dns = ['example.org']
";

/// A CA with its database and clock.
struct World {
    enrollment: Enrollment,
    store: SqliteStore,
    now: UnixTime,
}

impl World {
    fn new(policy: &str) -> Self {
        Self::with_key(policy, KeyType::P256)
    }

    fn with_key(policy: &str, key: KeyType) -> Self {
        Self::in_store(policy, key, SqliteStore::in_memory().unwrap())
    }

    fn in_store(policy: &str, key: KeyType, mut store: SqliteStore) -> Self {
        let now = UnixTime::now();
        let founding = Founding {
            label: "ca",
            subject: NameBuf::parse("CN=Root,O=Example").unwrap(),
            key_identifier: None,
            not_before: UnixTime(now.0 - DAY),
            not_after: UnixTime(now.0 + 3650 * DAY),
            path_len: None,
            urls: Urls::default(),
            pss: false,
        };
        let key = BACKEND.generate(key).unwrap();
        let authority = Authority::found(&mut store, &BACKEND, &key, &founding, &Protection::Clear).unwrap();
        let signer = Arc::new(authority.unlock(&BACKEND, None).unwrap());
        let purposes = |list: &[tagwise_codec::Oid<'static>]| list.iter().map(|oid| (*oid).into()).collect();
        let server = Definition {
            purposes: purposes(&[oids::KP_SERVER_AUTH, oids::KP_CLIENT_AUTH]),
            keys: vec![tagwise_ca::KeyRule::Exactly(KeyType::P256), tagwise_ca::KeyRule::RsaFrom(2048)],
            ..Definition::new("server")
        };
        let device = Definition { purposes: purposes(&[oids::KP_CLIENT_AUTH]), ..Definition::new("device") };
        let ra = Definition { purposes: purposes(&[oids::KP_CMC_RA]), ..Definition::new("ra") };
        let profiles = vec![Arc::new(server), Arc::new(device), Arc::new(ra)];
        let policy = Policy::from_toml(policy).unwrap();
        let enrollment = Enrollment::new(authority, signer, &BACKEND, policy, profiles).unwrap();
        Self { enrollment, store, now }
    }

    /// Changes the policy, as a reload does, and returns the former one.
    fn change_policy(&mut self, change: impl FnOnce(&mut Policy)) -> Arc<Policy> {
        let former = Arc::clone(&self.enrollment.policy);
        let mut policy = (*former).clone();
        change(&mut policy);
        self.enrollment.policy = Arc::new(policy);
        former
    }

    fn authority(&self) -> Arc<Authority> {
        Arc::clone(&self.enrollment.authority)
    }

    /// Creates a secret for a grant.
    fn secret(&mut self, usage: Usage, grant: &str, once: bool) -> (String, String) {
        let new = NewSecret { usage, grant, note: "", names: &[], expires: UnixTime(self.now.0 + DAY), once };
        self.add_secret(&new)
    }

    fn add_secret(&mut self, new: &NewSecret<'_>) -> (String, String) {
        let authority = self.authority();
        let (id, secret) = secret::add(&mut self.store, &authority, &BACKEND, new, self.now).unwrap();
        (id, String::from_utf8(secret.expose().to_vec()).unwrap())
    }

    /// Issues a certificate without a protocol.
    fn issue(&mut self, key: &Arc<dyn PrivateKey>, subject: &str, profile: Definition) -> Vec<u8> {
        let host = subject.strip_prefix("CN=").filter(|name| name.contains('.'));
        let names = host.map(|name| match name.parse() {
            Ok(address) => AltName::ip(address),
            Err(_) => AltName::dns(name).unwrap(),
        });
        let order = Order {
            subject: NameBuf::parse(subject).unwrap(),
            names: names.into_iter().collect(),
            public_key: key.public_key_info(),
            key_identifier: None,
            restrictions: Restrictions::default(),
            profile: Profile::Defined(Arc::new(profile)),
            not_before: UnixTime(self.now.0 - 3600),
            not_after: UnixTime(self.now.0 + 30 * DAY),
        };
        let (authority, signer) = (self.authority(), Arc::clone(&self.enrollment.signer));
        authority.issue(&mut self.store, &BACKEND, &*signer, &order, self.now).unwrap().der
    }

    /// Issues a certificate of a profile of the policy.
    fn client(&mut self, subject: &str, profile: &str) -> (Arc<dyn PrivateKey>, Vec<u8>) {
        let key = BACKEND.generate(KeyType::P256).unwrap();
        let definition = self.enrollment.profiles.iter().find(|it| it.name == profile).unwrap().as_ref().clone();
        let der = self.issue(&key, subject, definition);
        (key, der)
    }

    fn revoke(&mut self, der: &[u8]) {
        let serial = tagwise_ca::Serial::from_int(Certificate::from_der(der).unwrap().tbs_certificate.serial_number.0);
        let reason = tagwise_pkix::ext::CrlReason::Superseded;
        let authority = self.authority();
        authority.revoke(&mut self.store, &serial, reason, None, self.now).unwrap();
    }

    /// The number of certificates in the database, without the CA's own.
    fn count(&mut self) -> usize {
        let mut count = 0usize;
        let id = self.authority().id();
        let mut visit = |_: &[u8]| {
            count += 1;
            Ok(core::ops::ControlFlow::Continue(()))
        };
        use tagwise_ca::Store;
        self.store.certificate_octets(id, tagwise_ca::store::Cursor::default(), &mut visit).unwrap();
        count - 1
    }
}

fn csr(key: &Arc<dyn PrivateKey>, subject: &str, names: &[&str]) -> Vec<u8> {
    let mut builder = CsrBuilder::new().subject(subject).unwrap();
    for name in names {
        builder = match name.parse::<std::net::IpAddr>() {
            Ok(address) => builder.ip(address),
            Err(_) => builder.dns(*name),
        };
    }
    builder.sign(&KeySigner::preferred(Arc::clone(key)).unwrap()).unwrap().as_der().to_vec()
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = tagwise_codec::text::base64::encode(der);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

/// Runs a program, which must succeed. Returns its output.
fn run(program: &str, arguments: &[&str]) -> String {
    let output = std::process::Command::new(program).args(arguments).stdin(std::process::Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {text}");
    text
}

/// Returns whether a program is installed.
fn has(program: &str) -> bool {
    let found = std::env::var_os("PATH")
        .is_some_and(|paths| std::env::split_paths(&paths).any(|path| path.join(program).is_file()));
    if !found {
        tagwise_testing::skip(program);
    }
    found
}
