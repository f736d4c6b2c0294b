//! Tokens of GSS-API: an acceptor and an initiator refuse any that nobody made for them.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::client::Moment;
use tagwise_krb5::gss::spnego::{Negotiation, Negotiator};
use tagwise_krb5::gss::{Acceptor, AcceptorOptions, Context, Initiator, InitiatorOptions, MessagePart, ReplayCache};
use tagwise_krb5::{Credential, Keytab, KeytabEntry, Principal, Token};
use tagwise_pkix::UnixTime;

static BACKEND: LazyLock<AwsLc> = LazyLock::new(AwsLc::new);
static REPLAYS: LazyLock<ReplayCache> = LazyLock::new(ReplayCache::default);

/// `[APPLICATION 1] SEQUENCE { 5, "R", { 1, { "h" } }, { 17, 'ab' } }`: a ticket that nobody opens.
const TICKET: &[u8] = b"\x61\x2c\x30\x2a\xa0\x03\x02\x01\x05\xa1\x03\x1b\x01R\xa2\x0e\x30\x0c\xa0\x03\x02\x01\x01\xa1\x05\x30\x03\x1b\x01h\
\xa3\x0e\x30\x0c\xa0\x03\x02\x01\x11\xa2\x05\x04\x03abc";

fn principal(name: &str) -> Principal {
    Principal::new(1, *b"R", [name.as_bytes()])
}

fn credential() -> Credential {
    Credential {
        client: principal("c"),
        server: principal("h"),
        enc_type: 17,
        key: Secret::from(vec![7; 16]),
        auth_time: UnixTime(0),
        start_time: UnixTime(0),
        end_time: UnixTime(1),
        renew_till: UnixTime(0),
        is_skey: 0,
        flags: 0,
        addresses: Vec::new(),
        auth_data: Vec::new(),
        ticket: TICKET.to_vec(),
        second_ticket: Vec::new(),
    }
}

fuzz_target!(|data: &[u8]| {
    let now = Moment { unix: UnixTime(0), micros: 0 };
    let _ = Token::from_bytes(data).map(|token| (token.mech_name(), token.ty()));
    let mut keytab = Keytab::default();
    let key = Secret::from(vec![9; 16]);
    keytab.add(KeytabEntry { principal: principal("h"), timestamp: UnixTime(0), kvno: 1, enc_type: 17, key });
    let acceptor = Acceptor::new(&*BACKEND, keytab, &REPLAYS, AcceptorOptions::default());
    assert!(acceptor.accept(data, now).is_err());
    let mut negotiator = Negotiator::new(&acceptor);
    if negotiator.step(data, now).is_ok() {
        assert!(!negotiator.is_done());
        assert!(negotiator.step(data, now).is_err());
    }
    let start = || {
        let mut initiator = Initiator::new(&*BACKEND, credential(), InitiatorOptions::default());
        initiator.start(now).expect("the ticket above");
        initiator
    };
    assert!(start().reply(data).is_err());
    let mut negotiation =
        Negotiation::new(Initiator::new(&*BACKEND, credential(), InitiatorOptions::default())).expect("one mechanism");
    negotiation.start(now).expect("the ticket above");
    assert!(negotiation.reply(data).is_err());
    // Messages of a context without an acceptor's proof.
    let flags = tagwise_krb5::gss::Flags::REPLAY;
    let mut initiator =
        Initiator::new(&*BACKEND, credential(), InitiatorOptions { flags, ..InitiatorOptions::default() });
    initiator.start(now).expect("the ticket above");
    let mut context = initiator.into_context().expect("no answer is needed");
    assert!(context.unwrap(data).is_err());
    assert!(context.verify_mic(b"message", data).is_err());
    let (header, rest) = data.split_at(data.len().min(32));
    let mut body = rest.to_vec();
    assert!(context.unwrap_in_place(header, &mut [MessagePart::Data(&mut body)], b"").is_err());
    assert_eq!(body, rest, "what is refused stays as it was");
    // An exported context that reads is one that is written so.
    if let Ok(imported) = Context::import(&*BACKEND, data) {
        assert_eq!(imported.export().expect("it was read").expose(), data);
    }
});
