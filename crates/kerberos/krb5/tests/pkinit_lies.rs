//! PKINIT against a KDC in memory that tells lies: each is noticed, by name, and nothing secret is said.
#![cfg(feature = "pkinit")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/fake_kdc.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod fake_kdc;
#[path = "common/pki.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod pki;

use fake_kdc::{FakeKdc, Lie};
use pki::{Ca, purpose};
use tagwise_codec::{Int, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{ErrorKind, KeyType};
use tagwise_krb5::agreement::{Group, Kdf};
use tagwise_krb5::client::{AsExchange, AsOptions, ClientError, KdcTrust, KdcUsage, Login, Moment, Pkinit, Step};
use tagwise_krb5::flags::kdc;
use tagwise_krb5::{Credential, Principal};
use tagwise_pkix::oids;

const REALM: &str = "LIES.TEST";

fn drive(kdc: &FakeKdc<'_>, options: AsOptions, pkinit: Pkinit) -> Result<Credential, ClientError> {
    let backend = AwsLc::new();
    let mut exchange = AsExchange::new(&backend, options, Login::Pkinit(Box::new(pkinit)));
    let now = Moment { unix: kdc.now, micros: 0 };
    let mut step = exchange.start(now)?;
    loop {
        match step {
            Step::Done(credential) => return Ok(*credential),
            Step::Send { message, .. } => step = exchange.reply(now, &kdc.answer(&message))?,
        }
    }
}

fn options(anonymous: bool) -> AsOptions {
    let mut options = match anonymous {
        true => AsOptions::new(Principal::anonymous(REALM.as_bytes())),
        false => AsOptions::new(Principal::parse("pkuser@LIES.TEST", None).unwrap()),
    };
    if anonymous {
        options.options.push(kdc::REQUEST_ANONYMOUS);
    }
    options
}

/// A client, and how it logs in, against a KDC.
struct Room {
    ca: Ca,
    client: pki::Leaf,
    kdc: pki::Leaf,
}

impl Room {
    fn new() -> Self {
        let ca = Ca::new("Test CA", KeyType::P256);
        let (client, kdc) = (ca.client(KeyType::P256, "pkuser@LIES.TEST"), ca.kdc(KeyType::P256, REALM));
        Self { ca, client, kdc }
    }

    fn pkinit(&self) -> Pkinit {
        // A curve first: tests need not wait for modular arithmetic.
        let groups = vec![Group::P256, Group::P384, Group::Modp14, Group::Modp16];
        Pkinit { groups, ..Pkinit::new(Some(self.client.identity()), KdcTrust::new(self.ca.anchors())) }
    }

    fn fake(&self) -> FakeKdc<'_> {
        FakeKdc::new(&self.kdc, REALM, Moment::now().unix)
    }

    /// With a lie, to the certificate's owner.
    fn lied(&self, lie: Lie) -> ClientError {
        let kdc = FakeKdc { lie: Some(lie.clone()), ..self.fake() };
        let error = drive(&kdc, options(false), self.pkinit()).err().unwrap_or_else(|| panic!("{lie:?} was believed"));
        quiet(&error);
        error
    }

    /// The reason why a certificate of a KDC is refused.
    fn distrusted(&self, leaf: &pki::Leaf, change: impl FnOnce(&mut KdcTrust)) -> String {
        let mut pkinit = self.pkinit();
        change(&mut pkinit.trust);
        match drive(&FakeKdc { leaf, ..self.fake() }, options(false), pkinit) {
            Err(ClientError::KdcCertificate(why)) => why,
            other => panic!("{other:?}"),
        }
    }
}

/// No message shows what could be a key: long runs of hexadecimal digits or lists of numbers.
fn quiet(error: &ClientError) {
    for text in [format!("{error}"), format!("{error:?}")] {
        let digits = text.split(|char: char| !char.is_ascii_hexdigit()).map(str::len).max().unwrap_or_default();
        assert!(digits < 24 && text.matches(", ").count() < 12, "{text}");
    }
}

#[test]
fn the_truth_is_believed() {
    let room = Room::new();
    for kdf in [None, Some(Kdf::Sha1), Some(Kdf::Sha256), Some(Kdf::Sha384), Some(Kdf::Sha512)] {
        let got = drive(&FakeKdc { kdf, ..room.fake() }, options(false), room.pkinit()).unwrap();
        assert_eq!(got.client.to_string(), "pkuser@LIES.TEST");
    }
    for group in Group::ALL {
        let pkinit = Pkinit { groups: vec![*group], ..room.pkinit() };
        drive(&room.fake(), options(false), pkinit).unwrap_or_else(|error| panic!("{group}: {error}"));
    }
    let anonymous = Pkinit { identity: None, ..room.pkinit() };
    let got = drive(&room.fake(), options(true), anonymous).unwrap();
    assert!(got.client.is_anonymous());
    for kind in [KeyType::Rsa(2048), KeyType::P384] {
        let leaf = room.ca.kdc(kind, REALM);
        drive(&FakeKdc { leaf: &leaf, ..room.fake() }, options(false), room.pkinit()).unwrap();
    }
}

#[test]
fn another_group_is_tried_if_it_is_allowed() {
    let room = Room::new();
    let kdc = FakeKdc { groups: vec![Group::Modp14, Group::P384], ..room.fake() };
    drive(&kdc, options(false), room.pkinit()).unwrap();
    // The KDC's word alone does not bring in a group.
    let pkinit = Pkinit { groups: vec![Group::P256, Group::Modp16], ..room.pkinit() };
    assert!(matches!(drive(&kdc, options(false), pkinit), Err(ClientError::Kdc(said)) if said.code == 65));
    let none = Pkinit { groups: vec![], ..room.pkinit() };
    assert!(matches!(drive(&kdc, options(false), none), Err(ClientError::Login(_))));
}

#[test]
fn a_second_checksum_is_sent_where_it_is_asked_for() {
    let room = Room::new();
    drive(&FakeKdc { second_checksum: true, ..room.fake() }, options(false), room.pkinit()).unwrap();
}

#[test]
fn a_stale_token_is_replaced_once() {
    let room = Room::new();
    let kdc = room.fake();
    kdc.stale.set(true);
    drive(&kdc, options(false), room.pkinit()).unwrap();
}

#[test]
fn public_values_are_checked() {
    let room = Room::new();
    let value = |group: Group, value: Vec<u8>| {
        let kdc = FakeKdc { lie: Some(Lie::Value(value)), ..room.fake() };
        let pkinit = Pkinit { groups: vec![group], ..room.pkinit() };
        match drive(&kdc, options(false), pkinit) {
            Err(ClientError::KdcValue(error)) => error.kind(),
            other => panic!("{other:?}"),
        }
    };
    let number = |octets: &[u8]| encode(&Int::from_signed(octets)).unwrap();
    // 0, 1, -1, and p - 1, p, with p of group 14: all ones at its end.
    let prime = tagwise_krb5::agreement::Private::generate(&AwsLc::new(), Group::Modp14).unwrap();
    let prime = prime.public_key_info();
    let at = prime.windows(5).position(|octets| octets == [2, 0x82, 1, 1, 0]).unwrap();
    let mut prime = prime[at + 4..at + 4 + 257].to_vec();
    for degenerate in [vec![0], vec![1], vec![0xFF]] {
        assert_eq!(value(Group::Modp14, number(&degenerate)), ErrorKind::Parameters);
    }
    assert_eq!(value(Group::Modp14, number(&prime)), ErrorKind::Parameters);
    *prime.last_mut().unwrap() -= 1;
    assert_eq!(value(Group::Modp14, number(&prime)), ErrorKind::Parameters);
    assert_eq!(value(Group::Modp14, vec![4, 1, 2]), ErrorKind::MalformedKey);
    // The point at infinity, and one that is on no curve.
    value(Group::P256, vec![0]);
    value(Group::P256, [&[4][..], &[1; 64]].concat());
}

#[test]
fn signatures_and_nonces_are_checked() {
    let room = Room::new();
    let altered = room.lied(Lie::Altered);
    assert!(matches!(altered, ClientError::Cms(_)), "{altered:?}");
    let enc_type = room.lied(Lie::EncType);
    assert!(matches!(enc_type, ClientError::Reply(_, "RFC 4120 §3.1.5")), "{enc_type:?}");
    for (lie, clause) in [
        (Lie::Nonce, "RFC 4556 §3.2.3.1"),
        (Lie::Unsigned, "RFC 4556 §3.2.3.1"),
        (Lie::SignedTwice, "RFC 4556 §3.2.3.1"),
        (Lie::ContentType, "RFC 4556 §3.2.3.1"),
        (Lie::ServerNonce, "RFC 4556 §3.2.3.1"),
        (Lie::Kdf(oids::PKINIT_SAN), "RFC 8636 §6"),
        (Lie::Enveloped, "RFC 4556 §3.2.4"),
        (Lie::NoReply, "RFC 4556 §3.2.3"),
        (Lie::OwnSession, "RFC 8062 §7"),
    ] {
        match room.lied(lie.clone()) {
            ClientError::Reply(_, said) => assert_eq!(said, clause, "{lie:?}"),
            other => panic!("{lie:?}: {other:?}"),
        }
    }
    // A function that exists and was not offered.
    let kdc = FakeKdc { kdf: Some(Kdf::Sha1), ..room.fake() };
    let pkinit = Pkinit { kdfs: vec![Kdf::Sha256], ..room.pkinit() };
    assert!(matches!(drive(&kdc, options(false), pkinit), Err(ClientError::Reply(_, "RFC 8636 §6"))));
    // Who has a certificate may do without the KDC's part of the session key; who has none may not.
    let kdc = FakeKdc { lie: Some(Lie::NoContribution), ..room.fake() };
    drive(&kdc, options(false), room.pkinit()).unwrap();
    for (lie, clause) in [(Lie::NoContribution, "RFC 8062 §7"), (Lie::NotAnonymous, "RFC 8062 §4.1")] {
        let anonymous = Pkinit { identity: None, ..room.pkinit() };
        match drive(&FakeKdc { lie: Some(lie), ..room.fake() }, options(true), anonymous) {
            Err(ClientError::Reply(_, said)) => assert_eq!(said, clause),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn enveloped_keys_are_checked() {
    let mut room = Room::new();
    room.client = room.ca.client(KeyType::Rsa(2048), "pkuser@LIES.TEST");
    room.kdc = room.ca.kdc(KeyType::Rsa(2048), REALM);
    let transport = || Pkinit { key_transport: true, ..room.pkinit() };
    drive(&room.fake(), options(false), transport()).unwrap();
    let lied = |lie: Lie| {
        let kdc = FakeKdc { lie: Some(lie.clone()), ..room.fake() };
        let error = drive(&kdc, options(false), transport()).err().unwrap_or_else(|| panic!("{lie:?} was believed"));
        quiet(&error);
        error
    };
    for (lie, clause) in [
        (Lie::Unsigned, "RFC 4556 §3.2.3.2"),
        (Lie::SignedTwice, "RFC 4556 §3.2.3.2"),
        (Lie::ContentType, "RFC 4556 §3.2.3.2"),
        (Lie::EnvelopedType, "RFC 4556 §3.2.3.2"),
        (Lie::OtherKey, "RFC 4556 §3.2.3.2"),
        (Lie::Agreement, "RFC 4556 §3.2.3"),
        (Lie::EncType, "RFC 4120 §3.1.5"),
        (Lie::NoReply, "RFC 4556 §3.2.3"),
    ] {
        match lied(lie.clone()) {
            ClientError::Reply(_, said) => assert_eq!(said, clause, "{lie:?}"),
            other => panic!("{lie:?}: {other:?}"),
        }
    }
    for (lie, kind) in [(Lie::Checksum, ErrorKind::Integrity), (Lie::PlainChecksum, ErrorKind::WrongKey)] {
        match lied(lie.clone()) {
            ClientError::Crypto(error) => assert_eq!(error.kind(), kind, "{lie:?}"),
            other => panic!("{lie:?}: {other:?}"),
        }
    }
    for lie in [Lie::Altered, Lie::OtherRecipient] {
        let error = lied(lie.clone());
        assert!(matches!(error, ClientError::Cms(_)), "{lie:?}: {error:?}");
    }
    // Another CA's KDC envelops as well as ours.
    let stranger = Ca::new("Test CA", KeyType::P256).kdc(KeyType::P256, REALM);
    let refused = drive(&FakeKdc { leaf: &stranger, ..room.fake() }, options(false), transport());
    assert!(matches!(refused, Err(ClientError::KdcCertificate(_))), "{refused:?}");
    // No group is needed.
    drive(&room.fake(), options(false), Pkinit { groups: vec![], ..transport() }).unwrap();
}

#[test]
fn an_enveloped_key_needs_rsa() {
    let room = Room::new();
    for identity in [room.pkinit().identity, None] {
        let pkinit = Pkinit { identity, key_transport: true, ..room.pkinit() };
        let refused = drive(&room.fake(), options(false), pkinit);
        assert!(matches!(refused, Err(ClientError::Login(_))), "{refused:?}");
    }
}

#[test]
fn an_enveloped_key_for_another_request_is_refused() {
    let mut room = Room::new();
    room.client = room.ca.client(KeyType::Rsa(2048), "pkuser@LIES.TEST");
    let (kdc, backend) = (room.fake(), AwsLc::new());
    let now = Moment { unix: kdc.now, micros: 0 };
    let exchange = || {
        let pkinit = Pkinit { key_transport: true, ..room.pkinit() };
        let mut exchange = AsExchange::new(&backend, options(false), Login::Pkinit(Box::new(pkinit)));
        let Step::Send { message, .. } = exchange.start(now).unwrap() else { panic!() };
        let Step::Send { message, .. } = exchange.reply(now, &kdc.answer(&message)).unwrap() else { panic!() };
        (exchange, message)
    };
    let ((_, first), (mut second, _)) = (exchange(), exchange());
    match second.reply(now, &kdc.answer(&first)) {
        Err(ClientError::Crypto(error)) => assert_eq!(error.kind(), ErrorKind::Integrity),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_reply_to_another_request_is_refused() {
    let room = Room::new();
    let (kdc, backend) = (room.fake(), AwsLc::new());
    let now = Moment { unix: kdc.now, micros: 0 };
    let exchange = || {
        let mut exchange = AsExchange::new(&backend, options(false), Login::Pkinit(Box::new(room.pkinit())));
        let Step::Send { message, .. } = exchange.start(now).unwrap() else { panic!() };
        let Step::Send { message, .. } = exchange.reply(now, &kdc.answer(&message)).unwrap() else { panic!() };
        (exchange, message)
    };
    let ((_, first), (mut second, _)) = (exchange(), exchange());
    let replayed = second.reply(now, &kdc.answer(&first));
    assert!(
        matches!(replayed, Err(ClientError::Reply("the nonce in the signed key agreement data differs", _))),
        "{replayed:?}"
    );
}

#[test]
fn certificates_of_others_are_refused() {
    let room = Room::new();
    let realm = |name: &str| pki::principal_name(&Principal::krbtgt(name.as_bytes(), name.as_bytes()));
    let kdc_purpose = || purpose(oids::PKINIT_KP_KDC);
    let issue = |ca: &Ca, extensions: &[Vec<u8>]| ca.issue(KeyType::P256, "kdc", 2, extensions);

    // Another CA by the same name, and none.
    let other = Ca::new("Test CA", KeyType::P256);
    let why = room.distrusted(&other.kdc(KeyType::P256, REALM), |_| ());
    assert!(why.contains("signature"), "{why}");
    room.distrusted(&room.kdc, |trust| trust.anchors = Default::default());
    // A client's certificate, one without a purpose, one for servers, one for anything.
    for extensions in [
        vec![purpose(oids::PKINIT_KP_CLIENT_AUTH), realm(REALM)],
        vec![realm(REALM)],
        vec![purpose(oids::KP_SERVER_AUTH), realm(REALM)],
        vec![purpose(oids::ANY_EXTENDED_KEY_USAGE), realm(REALM)],
    ] {
        let leaf = issue(&room.ca, &extensions);
        let why = room.distrusted(&leaf, |_| ());
        assert!(why.contains("KPKdc") || why.contains("purpose") || why.contains("extended"), "{why}");
        let pkinit = |usage| {
            let mut pkinit = room.pkinit();
            pkinit.trust.usage = usage;
            drive(&FakeKdc { leaf: &leaf, ..room.fake() }, options(false), pkinit)
        };
        pkinit(KdcUsage::Any).unwrap();
        assert_eq!(pkinit(KdcUsage::ServerAuth).is_ok(), extensions[0] == purpose(oids::KP_SERVER_AUTH));
    }
    // Another realm, another case, another principal, no name at all.
    let host = Principal::parse("host/kdc@LIES.TEST", None).unwrap();
    for name in [realm("OTHER.TEST"), realm("lies.test"), pki::principal_name(&host), vec![]] {
        let names: Vec<Vec<u8>> = [kdc_purpose(), name].into_iter().filter(|name| !name.is_empty()).collect();
        let why = room.distrusted(&issue(&room.ca, &names), |_| ());
        assert!(why.contains("krbtgt/LIES.TEST@LIES.TEST"), "{why}");
    }
}

#[test]
fn a_host_name_stands_for_the_realm_where_it_is_named() {
    let room = Room::new();
    let name = tagwise_path_testing::alt_names(&[(tagwise_path_testing::DNS, b"kdc.lies.test")]);
    let leaf = room.ca.issue(KeyType::P256, "kdc", 2, &[purpose(oids::PKINIT_KP_KDC), name]);
    room.distrusted(&leaf, |_| ());
    room.distrusted(&leaf, |trust| trust.host_names = vec!["other.lies.test".to_owned()]);
    let mut pkinit = room.pkinit();
    pkinit.trust.host_names = vec!["other.lies.test".to_owned(), "KDC.lies.test".to_owned()];
    drive(&FakeKdc { leaf: &leaf, ..room.fake() }, options(false), pkinit).unwrap();
}

#[test]
fn revoked_certificates_are_refused() {
    let room = Room::new();
    let why = room.distrusted(&room.kdc, |trust| trust.crls = vec![room.ca.crl(&[1, 2])]);
    assert!(why.contains("revoked"), "{why}");
    room.distrusted(&room.kdc, |trust| trust.require_crls = true);
    for require in [false, true] {
        let mut pkinit = room.pkinit();
        (pkinit.trust.crls, pkinit.trust.require_crls) = (vec![room.ca.crl(&[3])], require);
        drive(&room.fake(), options(false), pkinit).unwrap();
    }
}

#[test]
fn crls_out_of_their_time_are_refused_unless_another_one_is_current() {
    let room = Room::new();
    let (old, early, late) = (b"\x17\x0D200101000000Z", b"\x17\x0D200201000000Z", b"\x17\x0D450101000000Z");
    for (times, told) in [
        ([&old[..], &early[..]], "expired on 2020-02-01T00:00:00Z (RFC 5280 §6.3.3)"),
        ([&late[..], &late[..]], "is not valid before 2045-01-01T00:00:00Z (RFC 5280 §6.3.3)"),
    ] {
        let stale = room.ca.crl_of(&[3], times);
        let why = room.distrusted(&room.kdc, |trust| trust.crls = vec![stale.clone()]);
        assert!(why.contains(told), "{why}");
        let mut pkinit = room.pkinit();
        pkinit.trust.crls = vec![stale, room.ca.crl(&[3]), Ca::new("Other", KeyType::P256).crl_of(&[1], times)];
        drive(&room.fake(), options(false), pkinit).unwrap();
    }
}

#[test]
fn nothing_secret_is_shown() {
    let room = Room::new();
    let login = Login::Pkinit(Box::new(room.pkinit()));
    assert_eq!(format!("{login:?}"), "Pkinit");
    let backend = AwsLc::new();
    let mut exchange = AsExchange::new(&backend, options(false), login);
    let now = Moment::now();
    exchange.start(now).unwrap();
    assert!(format!("{:?}", room.pkinit().identity).len() < 40);
}
