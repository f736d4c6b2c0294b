//! Contexts of GSS-API against MIT's library, both ways, with each encryption type.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/peer.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod peer;
#[path = "common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;

use std::process::{Command, Stdio};

use peer::{Peer, hex, unhex};
use realm::Realm;
use tagwise_codec::{Decode as _, OctetStr, Oid, SeqOf, encode};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{ErrorKind, Secret};
use tagwise_krb5::client::net::{Transport, run};
use tagwise_krb5::client::{AsExchange, AsOptions, Login, Moment, TgsExchange, TgsOptions};
use tagwise_krb5::crypto::EncType;
use tagwise_krb5::flags::{bit, kdc, ticket};
use tagwise_krb5::gss::spnego::{Negotiation, Negotiator};
use tagwise_krb5::gss::{
    Acceptor, AcceptorOptions, ChannelBindings, Context, Flags, GssError, Initiator, InitiatorOptions, MessagePart,
    Order, ReplayCache,
};
use tagwise_krb5::spnego::{NegState, NegTokenInit, NegTokenResp, NegotiationToken};
use tagwise_krb5::{Ccache, Credential, KRB5_MECH, Keytab, Principal, SPNEGO_MECH};

/// Python with gssapi, as Debian's package has it; `TAGWISE_GSS_PYTHON` names another.
fn python() -> Option<String> {
    let named = std::env::var("TAGWISE_GSS_PYTHON").unwrap_or_else(|_| "/usr/bin/python3".to_owned());
    let done = Command::new(&named).args(["-c", "import gssapi"]).stderr(Stdio::null()).status();
    if done.is_ok_and(|status| status.success()) {
        return Some(named);
    }
    tagwise_testing::skip("python-gssapi (Debian: python3-gssapi)");
    None
}

/// A process of MIT's library.
fn start(lab: &Lab) -> Peer {
    let path = |name: &str| lab.realm.folder.path().join(name);
    let mut python = Command::new(&lab.python);
    python.env("KRB5_CONFIG", path("krb5.conf")).env("KRB5CCNAME", path("peer.cache"));
    python.env("KRB5_KTNAME", path("all.keytab")).env("KRB5RCACHENAME", "none:");
    Peer::start(python, "gss_peer.py")
}

struct Lab {
    realm: Realm,
    python: String,
    backend: AwsLc,
    tgt: Credential,
    keytab: Keytab,
}

const SERVICE: &str = "host/localhost@KRB.TEST";

impl Lab {
    fn start() -> Option<Self> {
        let python = python()?;
        let realm = Realm::start()?;
        let backend = AwsLc::new();
        let alice = Principal::parse("alice@KRB.TEST", None).unwrap();
        let login = Login::Password(Secret::from(&b"alicepw"[..]));
        let tgt = run(&mut AsExchange::new(&backend, AsOptions::new(alice), login), &realm.config, &Transport::DEFAULT);
        let keytab = Keytab::from_bytes(&std::fs::read(realm.folder.path().join("all.keytab")).unwrap()).unwrap();
        Some(Self { realm, python, backend, tgt: tgt.unwrap(), keytab })
    }

    fn ticket(&self, change: impl FnOnce(&mut TgsOptions)) -> Credential {
        let mut options = TgsOptions::new(Principal::parse(SERVICE, None).unwrap());
        change(&mut options);
        let mut exchange = TgsExchange::new(&self.backend, options, self.tgt.clone());
        run(&mut exchange, &self.realm.config, &Transport::DEFAULT).unwrap()
    }

    /// Gives the peer's cache these tickets.
    fn lend(&self, tickets: &[&Credential]) {
        let mut cache = Ccache::new(self.tgt.client.clone());
        tickets.iter().for_each(|one| cache.store((*one).clone()));
        std::fs::write(self.realm.folder.path().join("peer.cache"), cache.to_bytes().unwrap()).unwrap();
    }

    fn acceptor<'b>(&'b self, replays: &'b ReplayCache, bindings: Option<&[u8]>) -> Acceptor<'b> {
        let bindings = bindings.map(ChannelBindings::application);
        let options = AcceptorOptions { bindings, ..AcceptorOptions::default() };
        Acceptor::new(&self.backend, self.keytab.clone(), replays, options)
    }
}

/// Messages in both directions, sealed, signed and with signatures beside them.
fn talk(ours: &mut Context<'_>, peer: &mut Peer) {
    for len in [0, 1, 15, 16, 17, 1000, 70_000] {
        let message: Vec<u8> = (0..len).map(|at| at as u8).collect();
        for sealed in [true, false] {
            let token = ours.wrap(&message, sealed).unwrap();
            let told = if sealed { "sealed" } else { "signed" };
            assert_eq!(peer.must(&format!("unwrap {}", hex(&token))), format!("{} {told}", hex(&message)));
            let token = unhex(&peer.must(&format!("wrap {} {}", u8::from(sealed), hex(&message))));
            let got = ours.unwrap(&token).unwrap();
            assert_eq!((got.data.expose(), got.sealed, got.order), (&message[..], sealed, Order::InOrder));
            assert!(matches!(ours.unwrap(&token), Err(GssError::Replay)));
            let mut damaged = token.clone();
            let at = damaged.len() / 2;
            damaged[at] ^= 0x20;
            assert!(ours.unwrap(&damaged).is_err());
        }
        let mic = ours.mic(&message).unwrap();
        assert_eq!(peer.must(&format!("verify {} {}", hex(&message), hex(&mic))), "ok");
        let mic = unhex(&peer.must(&format!("mic {}", hex(&message))));
        let other = [&message[..], b"x"].concat();
        assert!(ours.verify_mic(&other, &mic).is_err());
        assert_eq!(ours.verify_mic(&message, &mic).unwrap(), Order::InOrder);
    }
}

/// Messages that stay where they are, with a part that is only signed.
fn talk_in_place(ours: &mut Context<'_>, peer: &mut Peer) {
    for len in [1, 16, 1000] {
        let message: Vec<u8> = (0..len).map(|at| at as u8).collect();
        for sealed in [true, false] {
            let told = if sealed { "sealed" } else { "signed" };
            let mut data = message.clone();
            let parts = &mut [MessagePart::SignOnly(b"beside"), MessagePart::Data(&mut data)];
            let ends = ours.wrap_in_place(parts, sealed).unwrap();
            let (header, trailer) = (hex(&ends.header), hex(&ends.trailer));
            let answer = peer.must(&format!("unwrap_iov {header} {} {} {trailer}", hex(b"beside"), hex(&data)));
            assert_eq!(answer, format!("{} {told}", hex(&message)));
            let answer = peer.must(&format!("wrap_iov {} {} {}", u8::from(sealed), hex(b"beside"), hex(&message)));
            let words: Vec<Vec<u8>> = answer.split(' ').map(unhex).collect();
            let mut data = words[1].clone();
            // One byte of 256 is encrypted to itself.
            assert!(len < 16 || (data == message) != sealed);
            assert!(ours.unwrap_in_place(&words[0], &mut [MessagePart::Data(&mut data)], &words[2]).is_err());
            let parts = &mut [MessagePart::SignOnly(b"beside"), MessagePart::Data(&mut data)];
            let opened = ours.unwrap_in_place(&words[0], parts, &words[2]).unwrap();
            assert_eq!((opened.sealed, opened.order, &data), (sealed, Order::InOrder, &message));
        }
    }
}

#[test]
fn contexts_with_mit() {
    let Some(lab) = Lab::start() else { return };
    for enc_type in EncType::ALL {
        let service = lab.ticket(|options| options.enc_types = vec![*enc_type]);
        assert_eq!(service.enc_type, enc_type.number());
        if enc_type.is_legacy() {
            let refused = Initiator::new(&lab.backend, service, InitiatorOptions::default()).start(Moment::now());
            assert!(matches!(&refused, Err(GssError::Crypto(error)) if error.kind() == ErrorKind::Unsupported));
            continue;
        }
        for mutual in [true, false] {
            ours_initiates(&lab, &service, mutual);
            theirs_initiates(&lab, &service, mutual);
        }
    }
    let service = lab.ticket(|_| ());
    negotiated(&lab, &service);
    not_preferred(&lab, &service);
    bound(&lab, &service);
    delegated(&lab, &service);
    refused(&lab, &service);
}

fn flags(mutual: bool) -> Flags {
    let base = Flags::REPLAY | Flags::SEQUENCE | Flags::CONFIDENTIALITY | Flags::INTEGRITY;
    if mutual { base | Flags::MUTUAL } else { base }
}

fn ours_initiates(lab: &Lab, service: &Credential, mutual: bool) {
    let mut peer = start(lab);
    peer.must("accept -");
    let options = InitiatorOptions { flags: flags(mutual), ..InitiatorOptions::default() };
    let mut ours = Initiator::new(&lab.backend, service.clone(), options);
    let first = ours.start(Moment::now()).unwrap();
    let answer = peer.must(&format!("step {}", hex(&first)));
    let token = answer.strip_suffix(" done").unwrap();
    assert_eq!((token.is_empty(), ours.is_waiting()), (!mutual, mutual));
    if mutual {
        // An answer that was changed is refused, and the right one still counts.
        let mut damaged = unhex(token);
        *damaged.last_mut().unwrap() ^= 1;
        assert!(ours.reply(&damaged).is_err());
        ours.reply(&unhex(token)).unwrap();
    }
    let mut context = ours.into_context().unwrap();
    talk(&mut context, &mut peer);
    talk_in_place(&mut context, &mut peer);
    // It goes on in another process, as it were.
    let exported = context.export().unwrap();
    let mut context = Context::import(&lab.backend, exported.expose()).unwrap();
    talk(&mut context, &mut peer);
    assert_eq!(peer.must("names"), "alice@KRB.TEST host/localhost@KRB.TEST");
}

fn theirs_initiates(lab: &Lab, service: &Credential, mutual: bool) {
    lab.lend(&[service]);
    let mut peer = start(lab);
    let replays = ReplayCache::default();
    let acceptor = lab.acceptor(&replays, None);
    let first = unhex(&peer.must(&format!("initiate {SERVICE} krb5 {} -", flags(mutual).0)));
    let accepted = acceptor.accept(&first, Moment::now()).unwrap();
    assert!(matches!(acceptor.accept(&first, Moment::now()), Err(GssError::Replay)));
    assert_eq!(accepted.token.is_some(), mutual);
    if let Some(token) = &accepted.token {
        assert_eq!(peer.must(&format!("step {}", hex(token))), " done");
    }
    let mut context = accepted.context;
    assert_eq!(context.client().to_string(), "alice@KRB.TEST");
    assert_eq!(context.flags().contains(Flags::MUTUAL), mutual);
    talk(&mut context, &mut peer);
    talk_in_place(&mut context, &mut peer);
}

fn negotiated(lab: &Lab, service: &Credential) {
    // Ours initiates.
    let mut peer = start(lab);
    peer.must("accept -");
    let ours = Initiator::new(&lab.backend, service.clone(), InitiatorOptions::default());
    let mut ours = Negotiation::new(ours).unwrap();
    let mut token = Some(ours.start(Moment::now()).unwrap());
    while let Some(sent) = token {
        let answer = peer.must(&format!("step {}", hex(&sent)));
        let (answer, _) = answer.split_once(' ').unwrap();
        token = if answer.is_empty() { None } else { ours.reply(&unhex(answer)).unwrap() };
    }
    talk(&mut ours.into_context().unwrap(), &mut peer);
    // Theirs does.
    lab.lend(&[service]);
    let mut peer = start(lab);
    let replays = ReplayCache::default();
    let acceptor = lab.acceptor(&replays, None);
    talk(
        &mut peer.negotiates(&format!("initiate {SERVICE} spnego {} -", flags(true).0), Negotiator::new(&acceptor)),
        &mut peer,
    );
}

/// An initiator that likes another mechanism best: the list of mechanisms is signed by both sides, and must be.
fn not_preferred(lab: &Lab, service: &Credential) {
    let ntlm = [0x2B, 6, 1, 4, 1, 0x82, 0x37, 2, 2, 0x0A];
    let mechs = [Oid::from_content(&ntlm).unwrap(), Oid::from_content(KRB5_MECH).unwrap()];
    let list = encode(&SeqOf::from_slice(&mechs)).unwrap();
    let mut init = NegTokenInit::new(SeqOf::from_slice(&mechs));
    init.mech_token = Some(OctetStr::new(b"NTLMSSP"));
    let init = encode(&NegotiationToken::NegTokenInit(init)).unwrap();
    let content = [&[6, 6][..], SPNEGO_MECH, &init].concat();
    let framed = [&[0x60, u8::try_from(content.len()).unwrap()][..], &content].concat();
    let respond = |token: Option<&[u8]>, mic: Option<&[u8]>| {
        let response = NegTokenResp {
            response_token: token.map(OctetStr::new),
            mech_list_mic: mic.map(OctetStr::new),
            ..NegTokenResp::default()
        };
        encode(&NegotiationToken::NegTokenResp(response)).unwrap()
    };
    let read = |octets: &[u8]| match NegotiationToken::from_der(octets).unwrap() {
        NegotiationToken::NegTokenResp(reply) => (
            reply.neg_state,
            reply.response_token.map(|token| token.to_vec()),
            reply.mech_list_mic.map(|mic| mic.to_vec()),
        ),
        NegotiationToken::NegTokenInit(_) => panic!("an offer"),
    };
    for honest in [true, false] {
        let replays = ReplayCache::default();
        let acceptor = lab.acceptor(&replays, None);
        let mut theirs = Negotiator::new(&acceptor);
        let answer = theirs.step(&framed, Moment::now()).unwrap().unwrap();
        assert_eq!(read(&answer), (Some(NegState::RequestMic), None, None));
        let mut ours = Initiator::new(&lab.backend, service.clone(), InitiatorOptions::default());
        let first = ours.start(Moment::now()).unwrap();
        let answer = theirs.step(&respond(Some(&first), None), Moment::now()).unwrap().unwrap();
        let (state, token, mic) = read(&answer);
        assert_eq!((state, theirs.is_done()), (Some(NegState::AcceptIncomplete), false));
        ours.reply(&token.unwrap()).unwrap();
        let mut ours = ours.into_context().unwrap();
        ours.verify_mic(&list, &mic.unwrap()).unwrap();
        // Somebody in between who had put the other mechanism first could not sign the list.
        let signed = if honest { list.clone() } else { encode(&SeqOf::from_slice(&mechs[1..])).unwrap() };
        let last = theirs.step(&respond(None, Some(&ours.mic(&signed).unwrap())), Moment::now());
        assert_eq!((last.is_ok(), theirs.is_done()), (honest, honest));
    }
}

fn bound(lab: &Lab, service: &Credential) {
    lab.lend(&[service]);
    let data = b"tls-server-end-point:0123456789";
    for (ours, theirs, agree) in [(&data[..], &data[..], true), (data, b"tls-server-end-point:other", false)] {
        let mut peer = start(lab);
        peer.must(&format!("accept {}", hex(theirs)));
        let bindings = Some(ChannelBindings::application(ours));
        let options = InitiatorOptions { bindings, ..InitiatorOptions::default() };
        let first = Initiator::new(&lab.backend, service.clone(), options).start(Moment::now()).unwrap();
        assert_eq!(peer.ask(&format!("step {}", hex(&first))).starts_with('!'), !agree);
        let mut peer = start(lab);
        let replays = ReplayCache::default();
        let first = unhex(&peer.must(&format!("initiate {SERVICE} krb5 {} {}", flags(true).0, hex(theirs))));
        let accepted = lab.acceptor(&replays, Some(ours)).accept(&first, Moment::now());
        match agree {
            true => assert!(accepted.is_ok()),
            false => assert!(matches!(accepted, Err(GssError::Bindings))),
        }
    }
    // An initiator that names no channel does not pass one that asks for it.
    let mut peer = start(lab);
    let replays = ReplayCache::default();
    let first = unhex(&peer.must(&format!("initiate {SERVICE} krb5 {} -", flags(true).0)));
    assert!(matches!(lab.acceptor(&replays, Some(data)).accept(&first, Moment::now()), Err(GssError::Bindings)));
    // With bindings that are optional it does, and the context says which it was.
    let bindings = Some(ChannelBindings::application(data));
    let options = AcceptorOptions { bindings, bindings_optional: true, ..AcceptorOptions::default() };
    let replays = ReplayCache::default();
    let acceptor = Acceptor::new(&lab.backend, lab.keytab.clone(), &replays, options);
    for (theirs, bound) in [("-".to_owned(), Some(false)), (hex(data), Some(true)), (hex(b"other"), None)] {
        let mut peer = start(lab);
        let first = unhex(&peer.must(&format!("initiate {SERVICE} krb5 {} {theirs}", flags(true).0)));
        match (acceptor.accept(&first, Moment::now()), bound) {
            (Ok(accepted), Some(bound)) => assert_eq!(accepted.context.flags().contains(Flags::CHANNEL_BOUND), bound),
            (Err(GssError::Bindings), None) => {}
            (other, _) => panic!("{theirs}: {other:?}"),
        }
    }
}

fn delegated(lab: &Lab, service: &Credential) {
    let forwarded = lab.ticket(|options| {
        options.server = lab.tgt.server.clone();
        options.options = vec![kdc::FORWARDED, kdc::FORWARDABLE];
    });
    assert!(forwarded.flags & bit(ticket::FORWARDED) != 0);
    let mut peer = start(lab);
    peer.must("accept -");
    let options = InitiatorOptions { delegate: Some(forwarded), ..InitiatorOptions::default() };
    let mut ours = Initiator::new(&lab.backend, service.clone(), options);
    let answer = peer.must(&format!("step {}", hex(&ours.start(Moment::now()).unwrap())));
    ours.reply(&unhex(answer.strip_suffix(" done").unwrap())).unwrap();
    assert_eq!(peer.must("delegated"), "alice@KRB.TEST");
    // The other way: what MIT's library forwards is good for tickets.
    lab.lend(&[&lab.tgt, service]);
    let mut peer = start(lab);
    let replays = ReplayCache::default();
    let first = unhex(&peer.must(&format!("initiate {SERVICE} krb5 {} -", (flags(true) | Flags::DELEGATION).0)));
    let accepted = lab.acceptor(&replays, None).accept(&first, Moment::now()).unwrap();
    assert_eq!((accepted.delegated.len(), accepted.context.flags().contains(Flags::DELEGATION)), (1, true));
    let front = TgsOptions::new(Principal::parse("HTTP/front.test@KRB.TEST", None).unwrap());
    let mut exchange = TgsExchange::new(&lab.backend, front, accepted.delegated[0].clone());
    let got = run(&mut exchange, &lab.realm.config, &Transport::DEFAULT).unwrap();
    assert_eq!(got.client.to_string(), "alice@KRB.TEST");
}

fn refused(lab: &Lab, service: &Credential) {
    let replays = ReplayCache::default();
    let start =
        |at: Moment| Initiator::new(&lab.backend, service.clone(), InitiatorOptions::default()).start(at).unwrap();
    let now = Moment::now();
    let acceptor = lab.acceptor(&replays, None);
    let late = Moment { unix: tagwise_pkix::UnixTime(now.unix.0 + 301), ..now };
    assert!(matches!(acceptor.accept(&start(now), late), Err(GssError::Skew(-301))));
    let after = Moment { unix: tagwise_pkix::UnixTime(service.end_time.0 + 301), ..now };
    assert!(matches!(acceptor.accept(&start(after), after), Err(GssError::Ticket("the ticket has expired"))));
    let before = Moment { unix: tagwise_pkix::UnixTime(service.start_time.0 - 301), ..now };
    assert!(matches!(acceptor.accept(&start(before), before), Err(GssError::Ticket("the ticket is not yet valid"))));
    let empty = Acceptor::new(&lab.backend, Keytab::default(), &replays, AcceptorOptions::default());
    assert!(matches!(empty.accept(&start(now), now), Err(GssError::NoKey(what)) if what.starts_with(SERVICE)));
    let service_of_tickets = Principal::parse(SERVICE, None).unwrap();
    let other = Some(Principal::parse("HTTP/front.test@KRB.TEST", None).unwrap());
    let options = AcceptorOptions { service: other, ..AcceptorOptions::default() };
    let other = Acceptor::new(&lab.backend, lab.keytab.clone(), &replays, options);
    assert!(matches!(other.accept(&start(now), now), Err(GssError::Ticket("the ticket is for a different service"))));
    // Whatever bit is changed, and wherever a token is cut, it is refused.
    let (token, mut unprotected) = (start(now), 0);
    for at in (0..token.len()).step_by(7) {
        let mut damaged = token.clone();
        damaged[at] ^= 1 << (at % 8);
        let fresh = ReplayCache::default();
        if let Ok(accepted) = lab.acceptor(&fresh, None).accept(&damaged, now) {
            // The options of an AP-REQ and the ticket's name are outside of what is encrypted. The service is the one whose key opens it.
            let context = &accepted.context;
            assert_eq!((context.client(), context.service()), (&lab.tgt.client, &service_of_tickets), "byte {at}");
            assert_eq!(context.flags(), InitiatorOptions::default().flags);
            unprotected += 1;
        }
        assert!(acceptor.accept(&token[..at], now).is_err());
    }
    assert!(unprotected < 12, "{unprotected}");
    assert!(acceptor.accept(&token, now).is_ok());
    assert!(acceptor.accept(&[&token[..], b"x"].concat(), now).is_err());
}
