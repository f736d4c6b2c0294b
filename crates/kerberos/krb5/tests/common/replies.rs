//! The client's exchanges, given replies of a KDC that are true, changed or made up: they end, and what they believe is what was asked.

use std::sync::LazyLock;

use tagwise_codec::{Decode, OctetStr, SeqOf, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{KeyType, Secret};
use tagwise_krb5::agreement::Group;
use tagwise_krb5::client::{
    AsExchange, AsOptions, ClientError, Identity, Impersonation, KdcTrust, Login, Moment, OneTimePassword, Pkinit,
    Step, TgsExchange, TgsOptions,
};
use tagwise_krb5::crypto::{EncType, Key, StringToKeyLimits, usage};
use tagwise_krb5::flags::kdc;
use tagwise_krb5::messages::{
    ApReq, Authenticator, EncKdcRepPart, EncTgsRepPart, EncryptedData, KdcRep, KrbError, LastReqEntry, MethodData,
    Microseconds, PaData, TgsRep, TgsReq, Ticket,
};
use tagwise_krb5::numbers::{error, pa};
use tagwise_krb5::{Credential, KerberosFlags, KerberosTime, Keytab, KeytabEntry, Principal, UInt32};
use tagwise_path_testing::bytes::Bytes;
use tagwise_path_testing::naive::generate::Choices;
use tagwise_pkix::UnixTime;

use super::fake_kdc::FakeKdc;
use super::pki::{Ca, Leaf};

const REALM: &str = "FUZZ.TEST";
const NOW: UnixTime = UnixTime(1_795_000_000);

struct Room {
    ca: Ca,
    kdc: Leaf,
    identity: Identity,
}

static BACKEND: LazyLock<AwsLc> = LazyLock::new(AwsLc::new);
static ROOM: LazyLock<Room> = LazyLock::new(|| {
    let ca = Ca::new("CA", KeyType::P256);
    let (kdc, client) = (ca.kdc(KeyType::P256, REALM), ca.client(KeyType::P256, "c@FUZZ.TEST"));
    Room { ca, kdc, identity: client.identity() }
});

fn principal(name: &str) -> Principal {
    Principal::new(1, REALM, [name])
}

/// Types of preauthentication data that mean something to a client.
const TYPES: [i32; 16] = [
    pa::ETYPE_INFO2,
    pa::ETYPE_INFO,
    pa::ENC_TIMESTAMP,
    pa::SPAKE,
    pa::FX_COOKIE,
    pa::FX_FAST,
    pa::FX_ERROR,
    pa::ENCRYPTED_CHALLENGE,
    pa::OTP_CHALLENGE,
    pa::PK_AS_REQ,
    pa::PK_AS_REP,
    pa::PKINIT_KX,
    pa::AS_FRESHNESS,
    pa::REQ_ENC_PA_REP,
    109,
    0,
];

const CODES: [i32; 8] = [
    error::PREAUTH_REQUIRED,
    error::MORE_PREAUTH_DATA_REQUIRED,
    error::AP_SKEW,
    error::WRONG_REALM,
    error::RESPONSE_TOO_BIG,
    error::DH_KEY_PARAMETERS_NOT_ACCEPTED,
    error::PREAUTH_EXPIRED,
    error::GENERIC,
];

/// Seeds of values that decode: encryption types with a salt, challenges.
const VALUES: [&[u8]; 4] = [
    b"",
    // ETYPE-INFO2 { { 18, "s" }, { 17 } }
    b"\x30\x13\x30\x0a\xa0\x03\x02\x01\x12\xa1\x03\x1b\x01s\x30\x05\xa0\x03\x02\x01\x11",
    // ETYPE-INFO2 { { 18, "", 4096 iterations } }
    b"\x30\x13\x30\x11\xa0\x03\x02\x01\x12\xa1\x02\x1b\x00\xa2\x06\x04\x04\x00\x00\x10\x00",
    // PA-SPAKE: a challenge of edwards25519 with SF-NONE and a value of ones
    b"\xa1\x3b\x30\x39\xa0\x03\x02\x01\x01\xa1\x22\x04\x20\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\
\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\xa2\x0e\x30\x0c\x30\x05\xa0\x03\x02\x01\x01\x30\x03\xa0\x01\x02",
];

fn error(choices: &mut Bytes<'_>) -> Vec<u8> {
    let mut entries = Vec::new();
    for _ in 0..choices.below(6) {
        let padata_type = TYPES[choices.below(TYPES.len())];
        let value = match choices.below(6) {
            at if at < VALUES.len() => VALUES[at],
            _ => {
                let len = choices.below(200);
                choices.octets(len)
            }
        };
        entries.push(PaData { padata_type, padata_value: OctetStr::new(value) });
    }
    let methods: MethodData<'_> = SeqOf::from_slice(&entries);
    let methods = encode(&methods).expect("made of octets");
    let server = Principal::krbtgt(REALM.as_bytes(), REALM.as_bytes());
    let strings = server.strings();
    let other = principal("elsewhere").in_realm(b"OTHER.TEST");
    let said = KrbError {
        pvno: 5,
        msg_type: 30,
        ctime: None,
        cusec: None,
        stime: KerberosTime::from_unix(UnixTime(NOW.0 + choices.below(1000) as i64)).expect("this century"),
        susec: Microseconds(0),
        error_code: CODES[choices.below(CODES.len())],
        crealm: (choices.below(2) == 0).then(|| other.realm_string()),
        cname: None,
        realm: server.realm_string(),
        sname: server.name(&strings),
        e_text: None,
        e_data: Some(OctetStr::new(&methods)),
    };
    encode(&said).expect("made of octets")
}

/// Changes a few octets, or the length.
fn changed(mut octets: Vec<u8>, choices: &mut Bytes<'_>) -> Vec<u8> {
    for _ in 0..choices.below(4) {
        let at = choices.below(octets.len().max(1));
        match (choices.below(8), octets.get_mut(at)) {
            (0, _) => octets.truncate(at),
            (1, Some(_)) => octets.insert(at, 0),
            (_, Some(octet)) => *octet = choices.below(256) as u8,
            (_, None) => {}
        }
    }
    octets
}

fn tgt() -> Credential {
    Credential {
        client: principal("c"),
        server: Principal::krbtgt(REALM.as_bytes(), REALM.as_bytes()),
        enc_type: EncType::Aes128CtsHmacSha196.number(),
        key: Secret::from(vec![7; 16]),
        auth_time: NOW,
        start_time: NOW,
        end_time: UnixTime(NOW.0 + 36_000),
        renew_till: UnixTime(0),
        is_skey: 0,
        flags: 0,
        addresses: Vec::new(),
        auth_data: Vec::new(),
        // `[APPLICATION 1] SEQUENCE { 5, "R", { 1, { "h" } }, { 17, 'abc' } }`
        ticket: b"\x61\x2c\x30\x2a\xa0\x03\x02\x01\x05\xa1\x03\x1b\x01R\xa2\x0e\x30\x0c\xa0\x03\x02\x01\x01\xa1\x05\x30\x03\x1b\x01h\
\xa3\x0e\x30\x0c\xa0\x03\x02\x01\x11\xa2\x05\x04\x03abc"
            .to_vec(),
        second_ticket: Vec::new(),
    }
}

/// A true TGS-REP; nothing for a request in a tunnel.
fn service(request: &[u8]) -> Option<Vec<u8>> {
    let read = TgsReq::from_der(request).expect("the client made it").0;
    let session = tgt().session_key()?;
    let ap = read.padata.iter().flatten().flatten().find(|data| data.padata_type == pa::TGS_REQ)?;
    let ap = ApReq::from_der(ap.padata_value.as_bytes()).ok()?;
    let sealed = ap.authenticator.cipher.as_bytes();
    let plain = session.decrypt(&*BACKEND, usage::TGS_REQ_AUTHENTICATOR, sealed).expect("the client made it");
    let authenticator = Authenticator::from_der(plain.expose()).expect("the client made it");
    let subkey = Key::from_message(&authenticator.subkey?).ok()?;
    let server = Principal::from_message(&read.req_body.sname?, &read.req_body.realm).ok()?;
    let (client, strings) = (principal("c"), server.strings());
    let session = Key::generate(&*BACKEND, EncType::Aes256CtsHmacSha196).ok()?;
    let (time, last) = (KerberosTime::from_unix(NOW).ok()?, [] as [LastReqEntry; 0]);
    let part = EncKdcRepPart {
        key: session.to_message(),
        last_req: SeqOf::from_slice(&last),
        nonce: UInt32::new(read.req_body.nonce.get()),
        key_expiration: None,
        flags: KerberosFlags::NONE,
        authtime: time,
        starttime: Some(time),
        endtime: read.req_body.till,
        renew_till: None,
        srealm: server.realm_string(),
        sname: server.name(&strings),
        caddr: None,
        encrypted_pa_data: None,
    };
    let sealed = subkey.seal(&*BACKEND, usage::TGS_REP_SUBKEY, &EncTgsRepPart(part)).ok()?;
    let client_strings = client.strings();
    let data = |cipher| EncryptedData { etype: subkey.enc_type().number(), kvno: None, cipher: OctetStr::new(cipher) };
    let reply = TgsRep(KdcRep {
        pvno: 5,
        msg_type: 13,
        padata: None,
        crealm: client.realm_string(),
        cname: client.name(&client_strings),
        ticket: Ticket {
            tkt_vno: 5,
            realm: server.realm_string(),
            sname: server.name(&strings),
            enc_part: data(b"sealed"),
        },
        enc_part: data(&sealed),
    });
    encode(&reply).ok()
}

/// Requests a service's ticket from a KDC that knows the name in its own realm only, and has no path to another realm. It does not support
/// FAST. Gives the ticket's service.
pub fn service_of(realm: &str) -> Result<String, String> {
    let now = Moment { unix: NOW, micros: 0 };
    let mut exchange = TgsExchange::new(&*BACKEND, TgsOptions::new(Principal::new(1, realm, ["service"])), tgt());
    let mut step = exchange.start(now);
    for _ in 0..20 {
        step = match step.map_err(|error| error.to_string())? {
            Step::Send { message, .. } => {
                let read = TgsReq::from_der(&message).expect("the client made it").0;
                let is_referral = read.req_body.sname.as_ref().is_some_and(|name| {
                    let server = Principal::from_message(name, &read.req_body.realm).expect("the client made it");
                    server.krbtgt_realm().is_some()
                });
                let reply = if is_referral { unknown_server() } else { service(&message).expect("a reply") };
                exchange.reply(now, &reply)
            }
            Step::Done(got) => return Ok(got.server.to_string()),
        };
    }
    Err("no end".to_owned())
}

/// A KRB-ERROR with KDC_ERR_S_PRINCIPAL_UNKNOWN.
fn unknown_server() -> Vec<u8> {
    let (time, kdc) =
        (KerberosTime::from_unix(NOW).expect("a time"), Principal::krbtgt(REALM.as_bytes(), REALM.as_bytes()));
    let strings = kdc.strings();
    encode(&KrbError {
        pvno: 5,
        msg_type: 30,
        ctime: None,
        cusec: None,
        stime: time,
        susec: Microseconds(0),
        error_code: 7,
        crealm: None,
        cname: None,
        realm: kdc.realm_string(),
        sname: kdc.name(&strings),
        e_text: None,
        e_data: None,
    })
    .expect("an error")
}

/// Drives an exchange to its end: not for ever.
fn drive(
    choices: &mut Bytes<'_>,
    mut step: Result<Step, ClientError>,
    truth: &dyn Fn(&[u8]) -> Option<Vec<u8>>,
    reply: &mut dyn FnMut(&[u8]) -> Result<Step, ClientError>,
) -> Option<Credential> {
    for _ in 0..64 {
        match step {
            Ok(Step::Done(credential)) => {
                assert!(reply(&[]).is_err(), "it is over");
                return Some(*credential);
            }
            Ok(Step::Send { message, .. }) => {
                let answer = match choices.below(4) {
                    0 => error(choices),
                    1 => {
                        let len = choices.below(400);
                        choices.octets(len).to_vec()
                    }
                    2 => changed(truth(&message).unwrap_or_default(), choices),
                    _ => truth(&message).unwrap_or_else(|| error(choices)),
                };
                step = reply(&answer);
            }
            Err(said) => {
                let _ = said.to_string();
                return None;
            }
        }
    }
    panic!("the exchange does not end");
}

fn login(choices: &mut Bytes<'_>) -> Login {
    let room = &*ROOM;
    let pkinit = |identity| Pkinit {
        groups: vec![Group::P256, Group::P384],
        ..Pkinit::new(identity, KdcTrust::new(room.ca.anchors()))
    };
    match choices.below(5) {
        0 => Login::Password(Secret::from(&b"password"[..])),
        1 => {
            let mut keytab = Keytab::default();
            let key = Secret::from(vec![9; 32]);
            keytab.add(KeytabEntry { principal: principal("c"), timestamp: NOW, kvno: 1, enc_type: 18, key });
            Login::Keytab(keytab)
        }
        2 => Login::OneTime(OneTimePassword { value: Secret::from(&b"123456"[..]), pin: None }),
        3 => Login::Pkinit(Box::new(pkinit(None))),
        _ => Login::Pkinit(Box::new(pkinit(Some(room.identity.clone())))),
    }
}

/// Drives an exchange with replies by the bytes of an input. Gives whether it got a ticket.
pub fn run(data: &[u8]) -> bool {
    let mut choices = Bytes(data);
    let now = Moment { unix: NOW, micros: 0 };
    if choices.below(3) == 0 {
        let mut options = TgsOptions::new(principal("service"));
        options.fast = choices.below(4) == 0;
        if choices.below(4) == 0 {
            options.impersonation = Some(Impersonation::ToSelf(principal("somebody")));
        }
        let mut exchange = TgsExchange::new(&*BACKEND, options, tgt());
        let step = exchange.start(now);
        let got = drive(&mut choices, step, &service, &mut |reply| exchange.reply(now, reply));
        assert!(got.as_ref().is_none_or(|got| got.session_key().is_some()));
        return got.is_some();
    }
    let login = login(&mut choices);
    let kdc = FakeKdc { strict: false, ..FakeKdc::new(&ROOM.kdc, REALM, NOW) };
    let client = match &login {
        Login::Pkinit(pkinit) if pkinit.identity.is_none() => Principal::anonymous(REALM.as_bytes()),
        _ => principal("c"),
    };
    let mut options = AsOptions::new(client.clone());
    options.limits = StringToKeyLimits { max_iterations: 5_000, ..StringToKeyLimits::DEFAULT };
    if choices.below(2) == 0 {
        options.options.push(kdc::CANONICALIZE);
    }
    if choices.below(4) == 0 {
        options.armor = Some(tgt());
    }
    let mut exchange = AsExchange::new(&*BACKEND, options, login);
    let step = exchange.start(now);
    let truth = |message: &[u8]| Some(kdc.answer(message));
    let got = drive(&mut choices, step, &truth, &mut |reply| exchange.reply(now, reply));
    if let Some(got) = &got {
        assert!(got.client == client || got.client.is_anonymous(), "a ticket of somebody else");
        assert!(got.session_key().is_some());
    }
    got.is_some()
}
