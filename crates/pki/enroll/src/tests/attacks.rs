//! Attacks, each of which is refused without a panic.

use tagwise_codec::text::base64;
use tagwise_crypto::{Digest, tsp::request};

use super::est::Sent;
use super::*;
use crate::{Est, Request, Service};

/// Bodies that are cut at each byte.
fn cuts(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    (0..body.len()).map(|end| &body[..end])
}

#[test]
fn tsp_requests() {
    let mut world = World::new(POLICY);
    let tsp = super::tsp::service(&mut world);
    let good = request(&BACKEND, Digest::Sha256, &[7; 32], None, true).unwrap();
    let failure = |world: &mut World, body: &[u8]| super::tsp::failure(&super::tsp::send(world, &tsp, body));
    assert_eq!(failure(&mut world, &good), None);
    for body in cuts(&good) {
        assert_eq!(failure(&mut world, body), Some(1 << 5), "{}", body.len());
    }
    // SEQUENCE { 1, { { digest }, imprint }, ... }, from parts.
    let wrap = |tag: u8, content: &[u8]| {
        let len = content.len();
        let head = if len < 128 { vec![tag, len as u8] } else { vec![tag, 0x82, (len >> 8) as u8, len as u8] };
        [head, content.to_vec()].concat()
    };
    let sha256 = b"\x60\x86\x48\x01\x65\x03\x04\x02\x01";
    let build = |version: u8, digest: &[u8], imprint: usize, more: &[u8]| {
        let algorithm = wrap(0x30, &wrap(0x06, digest));
        let imprint = wrap(0x30, &[algorithm, wrap(0x04, &vec![7; imprint])].concat());
        wrap(0x30, &[&[0x02, 1, version][..], &imprint, more].concat())
    };
    assert_eq!(failure(&mut world, &build(1, sha256, 32, b"")), None);
    let unknown = wrap(0x06, b"\x2A\x03");
    let extension = wrap(0xA0, &wrap(0x30, &[wrap(0x06, b"\x2A\x03"), wrap(0x04, b"")].concat()));
    for (name, body, expected) in [
        ("huge imprint", build(1, sha256, 3000, b""), 5),
        ("short imprint", build(1, sha256, 31, b""), 5),
        ("empty imprint", build(1, sha256, 0, b""), 5),
        ("unknown digest", build(1, b"\x2A\x03", 32, b""), 0),
        ("SHA-1", build(1, b"\x2B\x0E\x03\x02\x1A", 20, b""), 0),
        ("version 2", build(2, sha256, 32, b""), 2),
        ("unknown policy", build(1, sha256, 32, &unknown), 15),
        ("extension", build(1, sha256, 32, &extension), 16),
        ("trailing data", [good.as_slice(), b"\0"].concat(), 5),
        ("a response", super::tsp::send(&mut world, &tsp, &good).body, 5),
    ] {
        assert_eq!(failure(&mut world, &body), Some(1 << expected), "{name}");
    }
    let long = Request {
        method: "POST",
        content_type: Some(b"application/timestamp-query"),
        body: &vec![0x30; 1 << 20],
        ..Request::default()
    };
    assert_eq!(tsp.answer(&mut world.store, &long, world.now).status, 413);
    assert_eq!(tsp.answer(&mut world.store, &Request { method: "GET", ..Request::default() }, world.now).status, 405);
    assert_eq!(tsp.answer(&mut world.store, &Request { method: "POST", ..Request::default() }, world.now).status, 415);
}

#[test]
fn est_requests() {
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", false);
    let (challenge, text) = world.secret(Usage::Challenge, "servers", false);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let good = csr(&key, "", &["www.example.org"]);
    let login = Some((user.as_str(), password.as_str()));
    let (_, server) = world.client("CN=www.example.org", "server");
    let (_, device) = world.client("CN=device-1", "device");
    let (_, revoked) = world.client("CN=www.example.org", "server");
    world.revoke(&revoked);
    let mut other = World::new(POLICY);
    let (_, foreign) = other.client("CN=www.example.org", "server");
    let count = world.count();

    let weak = csr(&BACKEND.generate(KeyType::P384).unwrap(), "", &["www.example.org"]);
    let own = csr(&key, "CN=www.example.org", &["www.example.org"]);
    let more = csr(&key, "CN=www.example.org", &["www.example.org", "b.example.org"]);
    let fewer = csr(&key, "CN=www.example.org", &[]);
    let renamed = csr(&key, "CN=b.example.org", &["www.example.org"]);
    let stolen = {
        // A signed request with another key inside.
        let mut forged = good.clone();
        let at = forged.windows(key.public_key_info().len()).position(|it| it == key.public_key_info()).unwrap();
        let public = BACKEND.generate(KeyType::P256).unwrap();
        forged[at..at + public.public_key_info().len()].copy_from_slice(public.public_key_info());
        forged
    };
    let names = |names: &[&str]| csr(&key, "", names);
    let subject = |subject: &str| csr(&key, subject, &["www.example.org"]);
    let linked = {
        let request = CsrBuilder::new().subject("").unwrap().dns("www.example.org");
        let request = request.attribute(oids::CHALLENGE_PASSWORD, &tagwise_codec::Utf8::new("AAAA")).unwrap();
        request.sign(&KeySigner::preferred(Arc::clone(&key)).unwrap()).unwrap().as_der().to_vec()
    };
    type Case<'a> = (&'a str, &'a str, Option<(&'a str, &'a str)>, Option<&'a [u8]>, &'a [u8], u16);
    let cases: [Case<'_>; 27] = [
        ("no authentication", "simpleenroll", None, None, &good, 401),
        ("wrong password", "simpleenroll", Some((&user, "x")), None, &good, 401),
        ("unknown user", "simpleenroll", Some(("nobody", &password)), None, &good, 401),
        ("challenge password as user", "simpleenroll", Some((&challenge, &text)), None, &good, 401),
        ("certificate of another CA", "simpleenroll", None, Some(&foreign), &good, 401),
        ("revoked certificate", "simplereenroll", None, Some(&revoked), &own, 401),
        ("password for renewal", "simplereenroll", login, None, &own, 401),
        ("renewal with an added name", "simplereenroll", None, Some(&server), &more, 403),
        ("renewal without a name", "simplereenroll", None, Some(&server), &fewer, 403),
        ("renewal with another subject", "simplereenroll", None, Some(&server), &renamed, 403),
        ("renewal of another's certificate", "simplereenroll", None, Some(&device), &own, 403),
        ("name outside the policy", "simpleenroll", login, None, &names(&["www.evil.example"]), 403),
        ("one name outside the policy", "simpleenroll", login, None, &names(&["a.example.org", "evil.example"]), 403),
        ("wildcard", "simpleenroll", login, None, &names(&["*.example.org"]), 403),
        ("address outside the policy", "simpleenroll", login, None, &names(&["192.0.3.1"]), 403),
        ("common name outside the policy", "simpleenroll", login, None, &subject("CN=www.evil.example"), 403),
        ("attribute outside the policy", "simpleenroll", login, None, &subject("O=Evil"), 403),
        ("key that the profile excludes", "simpleenroll", login, None, &weak, 400),
        ("key of another", "simpleenroll", login, None, &stolen, 400),
        ("channel binding of another connection", "simpleenroll", login, None, &linked, 400),
        ("generation of an excluded key", "serverkeygen", login, None, &weak, 400),
        ("another grant", "devices/simpleenroll", login, None, &good, 403),
        ("unknown grant", "unknown/simpleenroll", login, None, &good, 404),
        ("path traversal", "servers/../simpleenroll", login, None, &good, 404),
        ("certificate as request", "simpleenroll", login, None, &server, 400),
        ("nothing", "simpleenroll", login, None, b"", 400),
        ("deep nesting", "simpleenroll", login, None, &[0x30, 0x80].repeat(10_000), 400),
    ];
    for (name, operation, user, certificate, body, status) in cases {
        let response = super::est::send(&mut world, &Sent { operation, user, certificate, peer: None, body });
        assert_eq!(response.status, status, "{name}: {}", String::from_utf8_lossy(&response.body));
        assert!(response.internal.is_none(), "{name}: {:?}", response.internal);
    }
    for body in cuts(&good) {
        let response = super::est::send(&mut world, &Sent { user: login, ..Sent::new("simpleenroll", body) });
        assert_eq!(response.status, 400, "{}", body.len());
    }
    let est = Est::new(world.enrollment.clone());
    for (name, body, status) in [
        ("DER without base64", good.clone(), 400),
        ("PEM", pem("CERTIFICATE REQUEST", &good).into_bytes(), 400),
        ("long body", base64::encode(&vec![0; 100_000]).into_bytes(), 413),
    ] {
        let authorization = format!("Basic {}", base64::encode(format!("{user}:{password}").as_bytes()));
        let request = Request {
            method: "POST",
            path: "/.well-known/est/simpleenroll",
            content_type: Some(b"application/pkcs10"),
            authorization: Some(authorization.as_bytes()),
            body: &body,
            ..Request::default()
        };
        assert_eq!(est.answer(&mut world.store, &request, world.now).status, status, "{name}");
    }
    assert_eq!(world.count(), count);
    // The good request, after all of that.
    let response = super::est::send(&mut world, &Sent { user: login, ..Sent::new("simpleenroll", &good) });
    assert_eq!(response.status, 200);
}

#[test]
fn guessing_passwords_is_limited() {
    let mut world = World::new(POLICY);
    let (user, password) = ("alice", "correct horse");
    let expires = UnixTime(world.now.0 + DAY);
    let new = NewSecret { usage: Usage::User, grant: "servers", note: "", names: &[], expires, once: false };
    let (authority, chosen) = (world.authority(), tagwise_crypto::Secret::from(password.as_bytes().to_vec()));
    secret::add_chosen(&mut world.store, &authority, &BACKEND, user, &chosen, &new, world.now).unwrap();
    let (generated, random) = world.secret(Usage::User, "servers", false);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let good = csr(&key, "", &["www.example.org"]);
    let mut status = |user: &str, password: &str, after: i64| {
        let now = world.now;
        world.now = UnixTime(now.0 + after);
        let sent = Sent { user: Some((user, password)), ..Sent::new("simpleenroll", &good) };
        let status = super::est::send(&mut world, &sent).status;
        world.now = now;
        status
    };
    let guesses: Vec<u16> = (0..7).map(|guess| status(user, &format!("{guess}"), 0)).collect();
    assert_eq!(guesses, [401, 401, 401, 401, 401, 429, 429]);
    assert_eq!(status(user, password, 0), 429);
    assert_eq!(status(user, password, 3600), 200);
    // Nobody learns which names exist. Others cannot lock out a client with a generated secret.
    for name in [generated.as_str(), "nobody", "somebody"] {
        let guesses: Vec<u16> = (0..7).map(|guess| status(name, &format!("{guess}"), 0)).collect();
        assert_eq!(guesses, [401, 401, 401, 401, 401, 429, 429], "{name}");
    }
    assert_eq!(status(&generated, &random, 0), 200);
}

/// An address is limited whatever names it tries, by its subnet in IPv6. Other addresses, this machine and generated secrets are not.
#[test]
fn guessing_passwords_is_limited_by_address() {
    let mut world = World::new(&format!("address-failures-per-hour = 3\n{POLICY}"));
    let expires = UnixTime(world.now.0 + DAY);
    let new = NewSecret { usage: Usage::User, grant: "servers", note: "", names: &[], expires, once: false };
    let (authority, chosen) = (world.authority(), tagwise_crypto::Secret::from(b"correct horse".to_vec()));
    secret::add_chosen(&mut world.store, &authority, &BACKEND, "alice", &chosen, &new, world.now).unwrap();
    let (generated, random) = world.secret(Usage::User, "servers", false);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let good = csr(&key, "", &["www.example.org"]);
    let mut status = |peer: &str, user: &str, password: &str| {
        let peer = Some(peer.parse().unwrap());
        let sent = Sent { user: Some((user, password)), peer, ..Sent::new("simpleenroll", &good) };
        super::est::send(&mut world, &sent).status
    };
    for (own, same, other) in
        [("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"), ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1")]
    {
        let guesses = ["a", "b", "c", "d"].map(|user| status(own, user, "x"));
        assert_eq!(guesses, [401, 401, 401, 429], "{own}");
        assert_eq!(status(same, "alice", "correct horse"), 429, "{same}");
        assert_eq!(status(own, &generated, &random), 200, "{own}");
        assert_eq!(status(other, "alice", "correct horse"), 200, "{other}");
    }
    let guesses = ["k", "l", "m", "n"].map(|user| status("127.0.0.1", user, "x"));
    assert_eq!(guesses, [401; 4]);
    assert_eq!(status("::1", "alice", "correct horse"), 200);
}

#[test]
fn expired_and_used_secrets_are_refused() {
    let mut world = World::new(POLICY);
    let (user, password) = world.secret(Usage::User, "servers", true);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let mut status = |host: &str, after: i64| {
        let now = world.now;
        world.now = UnixTime(now.0 + after);
        let request = csr(&key, "", &[host]);
        let sent = Sent { user: Some((&user, &password)), ..Sent::new("simpleenroll", &request) };
        let status = super::est::send(&mut world, &sent).status;
        world.now = now;
        status
    };
    assert_eq!(status("evil.example", 0), 403);
    assert_eq!(status("a.example.org", 2 * DAY), 401);
    assert_eq!(status("a.example.org", 0), 200);
    assert_eq!(status("b.example.org", 0), 403);
}

#[test]
fn secrets_are_bound_to_names() {
    let mut world = World::new(POLICY);
    let names = [AltName::dns("a.example.org").unwrap()];
    let expires = UnixTime(world.now.0 + DAY);
    let new = NewSecret { usage: Usage::User, grant: "servers", note: "", names: &names, expires, once: false };
    let (user, password) = world.add_secret(&new);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    for (subject, names, status) in [
        ("", &["a.example.org"][..], 200),
        ("CN=a.example.org", &["a.example.org"], 200),
        ("", &["b.example.org"], 403),
        ("", &["a.example.org", "b.example.org"], 403),
        ("CN=b.example.org", &["a.example.org"], 403),
    ] {
        let request = csr(&key, subject, names);
        let sent = Sent { user: Some((&user, &password)), ..Sent::new("simpleenroll", &request) };
        assert_eq!(super::est::send(&mut world, &sent).status, status, "{subject} {names:?}");
    }
}

#[test]
fn scep_messages() {
    use super::scep::{Draft, Site, read, request, self_signed};
    use tagwise_crypto::{Cipher, Scheme};
    let mut site = Site::new(POLICY);
    let (_, challenge) = site.world.secret(Usage::Challenge, "servers", false);
    let (_, elsewhere) = site.world.secret(Usage::Challenge, "est-only", false);
    let (user, password) = site.world.secret(Usage::User, "servers", false);
    let key = BACKEND.generate(KeyType::Rsa(2048)).unwrap();
    let other = BACKEND.generate(KeyType::Rsa(2048)).unwrap();
    let (own, foreign) = (self_signed(&key), self_signed(&other));
    let profile = site.world.enrollment.profiles[0].as_ref().clone();
    let holder = site.world.issue(&key, "CN=www.example.org", profile.clone());
    let revoked = site.world.issue(&key, "CN=www.example.org", profile);
    site.world.revoke(&revoked);
    let count = site.world.count();

    let names = &["www.example.org"][..];
    let good = request(&key, names, Some(&challenge));
    let with = |names: &[&str], challenge: Option<&str>| request(&key, names, challenge);
    let (_, stem) = challenge.rsplit_once('-').unwrap();
    let guess = format!("{}-{}", challenge.split_once('-').unwrap().0, "0".repeat(stem.len()));
    let login = format!("{user}-{password}");
    let renamed = csr(&key, "CN=b.example.org", &["www.example.org"]);
    let more = csr(&key, "CN=www.example.org", &["www.example.org", "b.example.org"]);
    let base = |content| Draft::new("19", content, &key, &own);
    let contents = [
        ("no challenge", with(names, None), "1"),
        ("empty challenge", with(names, Some("")), "1"),
        ("guessed challenge", with(names, Some(&guess)), "1"),
        ("unknown challenge", with(names, Some("0000000000000000-00")), "1"),
        ("password of a user", with(names, Some(&login)), "1"),
        ("challenge of another protocol", with(names, Some(&elsewhere)), "2"),
        ("name outside the policy", with(&["www.evil.example"], Some(&challenge)), "2"),
        ("wildcard", with(&["*.example.org"], Some(&challenge)), "2"),
        ("key of another", request(&other, names, Some(&challenge)), "1"),
        ("certificate as request", holder.clone(), "1"),
        ("garbage", vec![0x30; 100], "1"),
        ("nothing", Vec::new(), "1"),
    ];
    for (name, content, failure) in &contents {
        let draft = base(content);
        let response = site.post(&draft.build(&site));
        let answer = read(&response, &draft);
        assert_eq!((answer.status.as_str(), answer.failure.as_deref()), ("2", Some(*failure)), "{name}");
        // Only requests that were decrypted and authenticated learn more.
        assert_eq!(answer.why.is_some(), *failure == "2", "{name}");
    }
    let drafts = [
        ("renewal with another name", Draft { certificate: &holder, ..Draft::new("17", &renamed, &key, &holder) }, "2"),
        ("renewal with an added name", Draft::new("17", &more, &key, &holder), "2"),
        ("renewal of a revoked certificate", Draft::new("17", &more, &key, &revoked), "1"),
        ("renewal with a self-signed certificate", Draft::new("17", &good, &key, &own), "1"),
        ("another signer", Draft { key: Arc::clone(&other), certificate: &foreign, ..base(&good) }, "1"),
        ("unknown message type", Draft { kind: "18", ..base(&good) }, "2"),
        ("response as request", Draft { kind: "3", ..base(&good) }, "2"),
        ("poll without a request", Draft { kind: "20", ..base(b"\x30\x00") }, "4"),
    ];
    for (name, draft, failure) in &drafts {
        let answer = read(&site.post(&draft.build(&site)), draft);
        assert_eq!((answer.status.as_str(), answer.failure.as_deref()), ("2", Some(*failure)), "{name}");
    }

    // Damage to the message itself.
    let draft = base(&good);
    let envelope = draft.envelope(&site);
    let message = draft.sign(&envelope);
    let mut failures = std::collections::HashSet::new();
    for at in 0..48 {
        // Each bit of the last blocks decrypts to other padding or content: no answer may tell which.
        let mut damaged = envelope.clone();
        let at = damaged.len() - 1 - at;
        damaged[at] ^= 1 << (at % 8);
        let answer = read(&site.post(&draft.sign(&damaged)), &draft);
        failures.insert((answer.status, answer.failure, answer.why));
    }
    assert_eq!(failures.into_iter().collect::<Vec<_>>(), [("2".to_owned(), Some("1".to_owned()), None)]);
    for (name, body, status) in [
        ("nothing", Vec::new(), 400),
        ("not CMS", b"\x30\x00".to_vec(), 400),
        ("unsigned", envelope.clone(), 400),
        ("short nonce", Draft { nonce: b"1", ..draft.clone() }.build(&site), 400),
        ("long transaction", Draft { transaction: &"a".repeat(129), ..draft.clone() }.build(&site), 400),
        ("long body", vec![0x30; 100_000], 413),
        ("deep nesting", [0x30, 0x80].repeat(30_000), 400),
    ] {
        assert_eq!(site.post(&body).status, status, "{name}");
    }
    for body in cuts(&message).step_by(7) {
        assert_eq!(site.post(body).status, 400, "{}", body.len());
    }
    let gcm = Draft { cipher: Cipher::Aes128Gcm, ..draft.clone() };
    assert_eq!(read(&site.post(&gcm.build(&site)), &gcm).failure.as_deref(), Some("0"));
    let sha1 = Draft { scheme: Scheme::RsaPkcs1(Digest::Sha512), ..draft.clone() };
    let mut sha1 = sha1.build(&site);
    // id-sha512 becomes an unknown algorithm.
    for at in 0..sha1.len() - 9 {
        if sha1[at..].starts_with(b"\x60\x86\x48\x01\x65\x03\x04\x02\x03") {
            sha1[at + 8] = 0x7F;
        }
    }
    assert_eq!(read(&site.post(&sha1), &draft).status, "2");
    assert_eq!(site.world.count(), count);
    // What is damaged may be outside the signature, such as the signature in the client's own certificate.
    for at in (0..message.len()).step_by(13) {
        let mut damaged = message.clone();
        damaged[at] ^= 0x55;
        let response = site.post(&damaged);
        assert!(response.status == 400 || response.status == 200, "{at}: {}", response.status);
    }
    // The good message, after all of that.
    let answer = read(&site.post(&message), &draft);
    assert_eq!(answer.status, "0");
    assert_eq!(site.world.count(), count + 1);
}

#[test]
fn cmp_messages() {
    use super::cmp::{Draft, Guard, Proof, confirmation, post, read, request, revocation};
    use tagwise_pkix::cmp::{PkiBody, PkiMessage};
    use tagwise_pkix::crmf::SubsequentMessage;
    let mut world = World::new(POLICY);
    let (id, secret) = world.secret(Usage::Shared, "servers", false);
    let (_, challenge) = world.secret(Usage::Challenge, "servers", false);
    let (once, once_secret) = world.secret(Usage::Shared, "servers", true);
    let (elsewhere, elsewhere_secret) = world.secret(Usage::Shared, "est-only", false);
    let (server_key, server) = world.client("CN=www.example.org", "server");
    let (device_key, device) = world.client("CN=device-1", "device");
    let (revoked_key, revoked) = world.client("CN=device-2", "device");
    world.revoke(&revoked);
    let mut other = World::new(POLICY);
    let (foreign_key, foreign) = other.client("CN=www.example.org", "server");
    let count = world.count();
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let weak = BACKEND.generate(KeyType::P256).unwrap();
    let names = &["www.example.org"][..];
    let good = request(0, &key, "", names, Proof::Signature, 1);
    let with = |proof| request(0, &key, "", names, proof, 1);
    let named = |names: &[&str]| request(0, &key, "", names, Proof::Signature, 1);
    let update = |subject: &str, names: &[&str]| request(7, &weak, subject, names, Proof::Signature, 1);
    let mac = Guard::Pbm(id.clone(), secret.clone());
    let signed = |key: &Arc<dyn PrivateKey>, der: &[u8]| Guard::Signature(Arc::clone(key), der.to_vec());
    let draft = |guard: &Guard| Draft::new(guard.clone());
    let base = draft(&mac);
    let holder = signed(&server_key, &server);
    let now = world.now.0;
    let new = || Draft { pvno: 3, ..draft(&mac) };
    let (kem, signing) = (BACKEND.generate(KeyType::MlKem768).unwrap(), BACKEND.generate(KeyType::Ed25519).unwrap());
    let of = |key: &Arc<dyn PrivateKey>, proof| request(0, key, "", names, proof, 1);
    let (encrypted, challenging) = (SubsequentMessage::ENCR_CERT, SubsequentMessage::CHALLENGE_RESP);
    let numbers = [tagwise_codec::Int::ZERO];
    let answer = PkiBody::Popdecr(tagwise_codec::SeqOf::from_slice(&numbers));
    let answer = tagwise_codec::encode(&answer).unwrap();
    let error = |bit: u32| ("error", 2, Some(1u64 << bit));
    let ip = |bit: u32| ("ip", 2, Some(1u64 << bit));
    let kup = |bit: u32| ("kup", 2, Some(1u64 << bit));
    let poll = b"\xB9\x07\x30\x05\x30\x03\x02\x01\x00";
    let cases = [
        ("no protection", draft(&Guard::None), good.clone(), error(1)),
        ("wrong secret", draft(&Guard::Pbm(id.clone(), "x".into())), good.clone(), error(1)),
        ("wrong secret, PBMAC1", draft(&Guard::Pbmac1(id.clone(), "x".into())), good.clone(), error(1)),
        ("unknown reference", draft(&Guard::Pbm("nobody".into(), secret.clone())), good.clone(), error(1)),
        (
            "reference to a challenge",
            draft(&Guard::Pbm(challenge[..16].into(), secret.clone())),
            good.clone(),
            error(1),
        ),
        ("secret of another protocol", draft(&Guard::Pbm(elsewhere, elsewhere_secret)), good.clone(), ip(23)),
        ("too many iterations", Draft { iterations: 1 << 40, ..base.clone() }, good.clone(), error(0)),
        ("no iterations", Draft { iterations: 0, ..base.clone() }, good.clone(), error(0)),
        ("certificate of another CA", draft(&signed(&foreign_key, &foreign)), good.clone(), error(20)),
        ("revoked certificate", draft(&signed(&revoked_key, &revoked)), good.clone(), error(20)),
        ("certificate of another", draft(&signed(&key, &server)), good.clone(), error(1)),
        ("another sender", Draft { sender: Some("CN=device-1".into()), ..draft(&holder) }, good.clone(), error(1)),
        ("version 1", Draft { pvno: 1, ..base.clone() }, good.clone(), error(22)),
        ("version 4", Draft { pvno: 4, ..base.clone() }, good.clone(), error(22)),
        ("no transactionID", Draft { transaction: Vec::new(), ..base.clone() }, good.clone(), error(2)),
        ("long transactionID", Draft { transaction: vec![1; 65], ..base.clone() }, good.clone(), error(2)),
        ("no senderNonce", Draft { nonce: Vec::new(), ..base.clone() }, good.clone(), error(18)),
        ("short senderNonce", Draft { nonce: vec![1; 8], ..base.clone() }, good.clone(), error(18)),
        ("old message", Draft { time: Some(now - 7200), ..base.clone() }, good.clone(), error(3)),
        ("message of the future", Draft { time: Some(now + 7200), ..base.clone() }, good.clone(), error(3)),
        ("no proof of possession", draft(&mac), with(Proof::None), ip(9)),
        ("forged proof of possession", draft(&mac), with(Proof::Forged), ip(9)),
        ("claim to be an RA", draft(&mac), with(Proof::RaVerified), ip(9)),
        ("encrypted certificate for another kind of key", new(), with(Proof::Later(encrypted, false)), ip(9)),
        ("encrypted certificate, version 2", draft(&mac), with(Proof::Later(encrypted, true)), ip(9)),
        ("encrypted certificate for a signing key", new(), of(&signing, Proof::Later(encrypted, false)), ip(9)),
        (
            "encrypted certificate and key agreement with a KEM key",
            new(),
            of(&kem, Proof::Later(encrypted, true)),
            ip(9),
        ),
        ("challenge, version 2", draft(&mac), with(Proof::Later(challenging, true)), ip(9)),
        ("challenge for a signing key", new(), of(&signing, Proof::Later(challenging, false)), ip(9)),
        ("unknown subsequent message", new(), with(Proof::Later(SubsequentMessage(2), true)), ip(9)),
        ("private key in the request", new(), of(&kem, Proof::ThisMessage), ip(9)),
        ("MAC of key agreement", new(), with(Proof::DhMac), ip(9)),
        ("signature for a KEM key", new(), of(&kem, Proof::Forged), ip(9)),
        ("answer without a challenge", new(), answer, error(2)),
        ("two requests", draft(&mac), request(0, &key, "", names, Proof::Signature, 2), error(2)),
        ("name outside the policy", draft(&mac), named(&["www.evil.example"]), ip(23)),
        ("wildcard", draft(&mac), named(&["*.example.org"]), ip(23)),
        ("subject outside the policy", draft(&mac), request(0, &key, "O=Evil", names, Proof::Signature, 1), ip(23)),
        ("update with a MAC", draft(&mac), update("CN=www.example.org", names), kup(23)),
        ("update with another subject", draft(&holder), update("CN=b.example.org", names), kup(23)),
        ("update with another name", draft(&holder), update("CN=www.example.org", &["b.example.org"]), kup(23)),
        ("update of another", draft(&signed(&device_key, &device)), update("CN=www.example.org", names), kup(23)),
        ("revocation of another's certificate", draft(&mac), revocation(&server), error(23)),
        ("revocation for another CA", draft(&mac), revocation(&foreign), error(23)),
        ("confirmation without a request", draft(&mac), confirmation(&server, 0, None), error(2)),
        ("poll without a request", draft(&mac), poll.to_vec(), error(2)),
        ("response as request", draft(&mac), b"\xB3\x02\x05\x00".to_vec(), error(2)),
    ];
    for (name, draft, body, expected) in &cases {
        let response = post(&mut world, &draft.build(body));
        assert_eq!(read(&response), *expected, "{name}");
        assert!(response.internal.is_none(), "{name}: {:?}", response.internal);
    }
    assert_eq!(world.count(), count);

    let message = base.build(&good);
    for body in cuts(&message) {
        assert_eq!(post(&mut world, body).status, 400, "{}", body.len());
    }
    for at in 0..message.len() {
        let mut damaged = message.clone();
        damaged[at] ^= 0x21;
        let response = post(&mut world, &damaged);
        if response.status == 200 {
            let (kind, status, _) = read(&response);
            assert_eq!((kind, status), ("error", 2), "{at}");
        }
    }
    assert_eq!(post(&mut world, &vec![0x30; 100_000]).status, 413);
    assert_eq!(world.count(), count);

    // Replays, and continuations by others.
    let explicit = Draft { implicit: false, ..base.clone() };
    let message = explicit.build(&good);
    let first = post(&mut world, &message);
    assert_eq!(read(&first), ("ip", 0, None));
    assert_eq!(read(&post(&mut world, &message)), error(21), "replayed request");
    let der = {
        let read = PkiMessage::from_der(&first.body).unwrap();
        let tagwise_pkix::cmp::PkiBody::Ip(list) = &*read.body else { panic!() };
        let pair = list.response.iter().next().unwrap().unwrap().certified_key_pair.unwrap();
        let tagwise_pkix::cmp::CertOrEncCert::Certificate(certificate) = pair.cert_or_enc_cert else { panic!() };
        tagwise_codec::encode(&certificate).unwrap()
    };
    let next = explicit.next(&first);
    let wrong = Draft { recipient_nonce: vec![9; 16], ..next.clone() };
    assert_eq!(read(&post(&mut world, &wrong.build(&confirmation(&der, 0, None)))), error(13), "wrong nonce");
    let thief = Draft { guard: holder, ..next.clone() };
    assert_eq!(read(&post(&mut world, &thief.build(&confirmation(&der, 0, None)))), error(2), "another client");
    assert_eq!(read(&post(&mut world, &next.build(&confirmation(&der, 1, None)))), error(4), "another request");
    assert_eq!(read(&post(&mut world, &next.build(&confirmation(&der, 0, None)))), ("pkiconf", 0, None));

    // A secret for one certificate.
    let guard = Guard::Pbm(once, once_secret);
    assert_eq!(read(&post(&mut world, &draft(&guard).build(&good))), ("ip", 0, None));
    assert_eq!(read(&post(&mut world, &draft(&guard).build(&good))), ip(23), "used secret");
    assert_eq!(world.count(), count + 2);
}
