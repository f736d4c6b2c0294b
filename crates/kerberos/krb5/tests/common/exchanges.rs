//! Every exchange that a KDC has, each by itself, so that all can be played over each transport.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{KeyType, Secret};
use tagwise_krb5::agreement::Group;
use tagwise_krb5::client::net::{Event, Exchange, Network, Server, Service, Transport, ask};
use tagwise_krb5::client::{
    AsExchange, AsOptions, ClientError, Impersonation, KdcTrust, Login, Moment, OneTimePassword, PasswordChange,
    Pkinit, PreauthMethod, TgsExchange, TgsOptions,
};
use tagwise_krb5::flags::{bit, kdc, ticket};
use tagwise_krb5::numbers::{error, name_type};
use tagwise_krb5::{Credential, Keytab, Principal};

use crate::pki::{Ca, Leaf};

/// A transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Udp,
    Tcp,
    Unix,
    Proxy,
}

impl Way {
    pub const ALL: &[Self] = &[Self::Udp, Self::Tcp, Self::Unix, Self::Proxy];

    /// The word for it in the guide.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Udp => "UDP",
            Self::Tcp => "TCP",
            Self::Unix => "UNIX",
            Self::Proxy => "KKDCP",
        }
    }

    /// The word that a [`Server`] has for it.
    const fn transport(self) -> &'static str {
        match self {
            Self::Udp => "UDP",
            Self::Tcp => "TCP",
            Self::Unix => "a UNIX socket",
            Self::Proxy => "HTTPS",
        }
    }

    /// All requests over UDP first, or over TCP.
    pub const fn limits(self) -> Transport {
        let udp_limit = if matches!(self, Self::Udp) { usize::MAX } else { 0 };
        Transport { udp_limit, ..Transport::DEFAULT }
    }
}

/// An exchange, and the KDCs that have it.
pub struct Row {
    pub name: &'static str,
    /// The first minor release of MIT's that has it.
    pub mit: Option<u32>,
    /// The transports over which Heimdal has it.
    pub heimdal: &'static [Way],
    pub play: fn(&Peer<'_>),
}

const fn row(name: &'static str, mit: Option<u32>, heimdal: &'static [Way], play: fn(&Peer<'_>)) -> Row {
    Row { name, mit, heimdal, play }
}

const ALL: &[Way] = Way::ALL;
const NONE: &[Way] = &[];

/// The exchanges, as the guide lists them.
pub const ROWS: &[Row] = &[
    row("Keys of a keytab (RFC 4120 §3.1)", Some(0), ALL, keys),
    row("Encrypted timestamp (RFC 4120 §5.2.7.2)", Some(0), ALL, timestamp),
    row("SPAKE (RFC 9588)", Some(0), NONE, spake),
    row("FAST tunnel (RFC 6113 §5.4)", Some(0), ALL, tunnel),
    row("Encrypted challenge (RFC 6113 §5.4.6)", Some(0), NONE, challenge),
    row("One-time password (RFC 6560)", Some(0), NONE, one_time),
    row("PKINIT, MODP group 14 (RFC 4556)", Some(0), ALL, group_14),
    row("PKINIT, MODP group 16", Some(0), NONE, group_16),
    row("PKINIT, P-256, P-384, P-521 (RFC 5349)", Some(22), NONE, curves),
    row("Anonymous PKINIT (RFC 8062)", Some(0), ALL, anonymous),
    row("Ticket of a service (RFC 4120 §3.3)", Some(0), ALL, service),
    row("Ticket of a service in a FAST tunnel", Some(0), NONE, service_in_tunnel),
    row("Renewal", Some(0), ALL, renewal),
    row("Forwarded and proxy tickets", Some(0), ALL, passed_on),
    row("User to user", Some(0), ALL, user_to_user),
    row("S4U2Self (MS-SFU)", Some(0), ALL, to_self),
    row("S4U2Proxy (MS-SFU)", None, ALL, to_proxy),
    row("Refusals", Some(0), ALL, refusals),
    // Heimdal's password server knows datagrams alone.
    row("Change of a password (RFC 3244)", Some(0), &[Way::Udp], password),
];

/// A KDC over a transport.
pub struct Peer<'a> {
    pub realm: &'static str,
    pub network: Network<'a>,
    pub way: Way,
    pub folder: &'a Path,
    pub certificates: &'a Certificates,
    pub backend: AwsLc,
    /// The transports that replies came over.
    pub seen: RefCell<BTreeSet<&'static str>>,
}

/// The CA of a realm, its KDC's certificate and that of `pkuser`.
pub struct Certificates {
    ca: Ca,
    kdc: Leaf,
    client: Leaf,
}

impl Certificates {
    pub fn new(realm: &str) -> Self {
        // RSA, which each KDC has.
        let ca = Ca::new("Test CA", KeyType::Rsa(2048));
        let (kdc, client) =
            (ca.kdc(KeyType::Rsa(2048), realm), ca.client(KeyType::Rsa(2048), &format!("pkuser@{realm}")));
        Self { ca, kdc, client }
    }

    /// Writes `ca.pem`, and `kdc.pem` with its key.
    pub fn write(&self, folder: &Path) {
        fs::write(folder.join("ca.pem"), self.ca.pem()).unwrap();
        fs::write(folder.join("kdc.pem"), self.kdc.pem() + &self.kdc.key_pem()).unwrap();
    }

    fn pkinit(&self, groups: &[Group]) -> Pkinit {
        let trust = KdcTrust::new(self.ca.anchors());
        Pkinit { groups: groups.to_vec(), ..Pkinit::new(Some(self.client.identity()), trust) }
    }
}

impl Peer<'_> {
    /// Plays the exchanges that a function chooses, and checks that each went over the transport.
    pub fn play(&self, is_there: impl Fn(&Row) -> bool) {
        for row in ROWS.iter().filter(|row| is_there(row)) {
            self.seen.borrow_mut().clear();
            eprintln!("{}: {} over {}", self.realm, row.name, self.way.name());
            (row.play)(self);
            self.went(row.name);
        }
    }

    /// Checks the transports of replies. What is too long for a datagram comes over TCP (RFC 4120 §7.2.1).
    pub fn went(&self, what: &str) {
        let mut seen = self.seen.borrow().clone();
        assert!(seen.remove(self.way.transport()), "{what} over {:?}: {seen:?}", self.way);
        if self.way == Way::Udp {
            seen.remove("TCP");
        }
        assert!(seen.is_empty(), "{what} over {:?}: {seen:?}", self.way);
    }

    pub fn principal(&self, name: &str) -> Principal {
        Principal::parse(name, Some(self.realm)).unwrap()
    }

    pub fn run(&self, exchange: &mut dyn Exchange) -> Result<Credential, ClientError> {
        self.network.watch(exchange, &mut |event| {
            if let Event::Received { from, .. } = event {
                self.seen.borrow_mut().insert(from.transport());
            }
        })
    }

    fn get(&self, options: AsOptions, login: Login) -> Result<Credential, ClientError> {
        self.run(&mut AsExchange::new(&self.backend, options, login))
    }

    fn login(
        &self,
        name: &str,
        password: &str,
        change: impl FnOnce(&mut AsOptions),
    ) -> Result<Credential, ClientError> {
        let mut options = AsOptions::new(self.principal(name));
        change(&mut options);
        self.get(options, Login::Password(Secret::from(password.as_bytes())))
    }

    /// A ticket-granting ticket of `alice`, with whatever the KDC offers first.
    pub fn alice(&self, change: impl FnOnce(&mut AsOptions)) -> Credential {
        self.login("alice", "alicepw", change).unwrap()
    }

    fn by(&self, method: PreauthMethod, armor: Option<Credential>) {
        let got = self.alice(|options| {
            options.methods = vec![method];
            options.armor = armor;
        });
        assert!(got.client == self.principal("alice") && got.flags & bit(ticket::PRE_AUTHENT) != 0);
    }

    fn certificate(&self, groups: &[Group]) -> Credential {
        let login = Login::Pkinit(Box::new(self.certificates.pkinit(groups)));
        let got = self.get(AsOptions::new(self.principal("pkuser")), login).unwrap();
        assert_eq!(got.client, self.principal("pkuser"));
        got
    }

    fn nobody(&self) -> Credential {
        let mut options = AsOptions::new(Principal::anonymous(self.realm.as_bytes()));
        options.options = vec![kdc::REQUEST_ANONYMOUS];
        let nobody = Pkinit { identity: None, ..self.certificates.pkinit(Group::ALL) };
        let got = self.get(options, Login::Pkinit(Box::new(nobody))).unwrap();
        assert!(got.client.is_anonymous());
        got
    }

    fn service(&self, tgt: &Credential, options: TgsOptions) -> Result<Credential, ClientError> {
        self.run(&mut TgsExchange::new(&self.backend, options, tgt.clone()))
    }

    /// A ticket with options of the KDC's, which has a flag.
    fn flagged(&self, tgt: &Credential, server: &Principal, option: u8, flag: u8) {
        let options = TgsOptions { options: vec![option], ..TgsOptions::new(server.clone()) };
        let got = self.service(tgt, options).unwrap();
        assert!(got.server == *server && got.flags & bit(flag) != 0, "{server} {flag}");
    }

    fn keytab(&self) -> Keytab {
        Keytab::from_bytes(&fs::read(self.folder.join("all.keytab")).unwrap()).unwrap()
    }

    /// A ticket for `HTTP/front.test` and one of a user's to it.
    fn front(&self, user: &str) -> (Credential, Credential) {
        let front = self.principal("HTTP/front.test");
        let tgt = self.get(AsOptions::new(front.clone()), Login::Keytab(self.keytab())).unwrap();
        let user = self.principal(user);
        let options = TgsOptions {
            impersonation: Some(Impersonation::ToSelf(user.clone())),
            options: vec![kdc::FORWARDABLE, kdc::CANONICALIZE],
            ..TgsOptions::new(front)
        };
        let got = self.service(&tgt, options).unwrap();
        assert_eq!(got.client, user);
        (tgt, got)
    }
}

fn code(result: Result<Credential, ClientError>) -> i32 {
    match result {
        Err(ClientError::Kdc(error)) => error.code,
        other => panic!("{other:?}"),
    }
}

fn keys(peer: &Peer<'_>) {
    let got = peer.get(AsOptions::new(peer.principal("alice")), Login::Keytab(peer.keytab())).unwrap();
    assert_eq!(got.server, peer.principal(&format!("krbtgt/{}", peer.realm)));
}

fn timestamp(peer: &Peer<'_>) {
    peer.by(PreauthMethod::EncTimestamp, None);
}

fn spake(peer: &Peer<'_>) {
    peer.by(PreauthMethod::Spake, None);
}

fn tunnel(peer: &Peer<'_>) {
    let armor = peer.alice(|_| ());
    // Heimdal has the timestamp in tunnels, where MIT's KDC has SPAKE.
    let got = peer.alice(|options| {
        options.armor = Some(armor);
        options.methods = vec![PreauthMethod::Spake, PreauthMethod::EncTimestamp];
    });
    assert!(got.flags & bit(ticket::PRE_AUTHENT) != 0);
}

fn challenge(peer: &Peer<'_>) {
    peer.by(PreauthMethod::EncryptedChallenge, Some(peer.alice(|_| ())));
}

fn one_time(peer: &Peer<'_>) {
    let mut options = AsOptions::new(peer.principal("otto"));
    options.armor = Some(peer.nobody());
    let login = Login::OneTime(OneTimePassword { value: Secret::from(&b"123456"[..]), pin: None });
    assert_eq!(peer.get(options, login).unwrap().client, peer.principal("otto"));
}

fn group_14(peer: &Peer<'_>) {
    peer.certificate(&[Group::Modp14]);
}

fn group_16(peer: &Peer<'_>) {
    peer.certificate(&[Group::Modp16]);
}

fn curves(peer: &Peer<'_>) {
    for group in [Group::P256, Group::P384, Group::P521] {
        peer.certificate(&[group]);
    }
}

fn anonymous(peer: &Peer<'_>) {
    peer.nobody();
}

fn service(peer: &Peer<'_>) {
    let server = peer.principal("host/localhost");
    let got = peer.service(&peer.alice(|_| ()), TgsOptions::new(server.clone())).unwrap();
    assert_eq!((got.client, got.server), (peer.principal("alice"), server));
}

fn service_in_tunnel(peer: &Peer<'_>) {
    let options = TgsOptions { fast: true, ..TgsOptions::new(peer.principal("host/localhost")) };
    peer.service(&peer.alice(|_| ()), options).unwrap();
}

fn renewal(peer: &Peer<'_>) {
    let tgt = peer.alice(|options| options.renewable = Some(Duration::from_secs(86_400)));
    let renewed = peer.service(&tgt, TgsOptions::renewal(&tgt)).unwrap();
    assert!(renewed.server == tgt.server && renewed.renew_till == tgt.renew_till && renewed.ticket != tgt.ticket);
}

fn passed_on(peer: &Peer<'_>) {
    let tgt = peer.alice(|options| options.options.extend([kdc::FORWARDABLE, kdc::PROXIABLE]));
    assert!(tgt.flags & bit(ticket::FORWARDABLE) != 0 && tgt.flags & bit(ticket::PROXIABLE) != 0);
    peer.flagged(&tgt, &tgt.server, kdc::FORWARDED, ticket::FORWARDED);
    // MIT's KDC makes a proxy ticket out of a service's ticket, others out of a ticket-granting ticket.
    let host = peer.principal("host/localhost");
    let options = vec![kdc::PROXIABLE, kdc::CANONICALIZE];
    let got = peer.service(&tgt, TgsOptions { options, ..TgsOptions::new(host.clone()) }).unwrap();
    peer.flagged(if peer.realm == "KRB.TEST" { &got } else { &tgt }, &host, kdc::PROXY, ticket::PROXY);
}

fn user_to_user(peer: &Peer<'_>) {
    let (tgt, other) = (peer.alice(|_| ()), peer.alice(|_| ()));
    let user_to_user = Some(other.ticket);
    let got = peer.service(&tgt, TgsOptions { user_to_user, ..TgsOptions::new(peer.principal("alice")) }).unwrap();
    assert_eq!(got.server, peer.principal("alice"));
}

fn to_self(peer: &Peer<'_>) {
    peer.front("bob");
}

fn to_proxy(peer: &Peer<'_>) {
    let (tgt, evidence) = peer.front("bob");
    let impersonation = Some(Impersonation::Proxy(evidence.ticket));
    let back = TgsOptions { impersonation, ..TgsOptions::new(peer.principal("HTTP/back.test")) };
    assert_eq!(peer.service(&tgt, back).unwrap().client, peer.principal("bob"));
}

fn refusals(peer: &Peer<'_>) {
    assert_eq!(code(peer.login("nobody", "x", |_| ())), error::C_PRINCIPAL_UNKNOWN);
    assert_eq!(code(peer.login("alice", "wrong", |_| ())), error::PREAUTH_FAILED);
    let missing = TgsOptions::new(peer.principal("no/such"));
    assert_eq!(code(peer.service(&peer.alice(|_| ()), missing)), error::S_PRINCIPAL_UNKNOWN);
}

fn password(peer: &Peer<'_>) {
    let service = |options: &mut AsOptions| options.service = Some(peer.principal("kadmin/changepw"));
    let ticket = peer.login("dave", "davepass1", service).unwrap();
    let secret = Secret::from(&b"a longer davepass2"[..]);
    let (exchange, message) = PasswordChange::request(&peer.backend, &ticket, &secret, None, Moment::now()).unwrap();
    let reply = match peer.network.servers(peer.realm, Service::Kpasswd).unwrap().first() {
        Some(Server::Address { address, .. }) => {
            let is_udp = peer.way == Way::Udp;
            ask(
                &[Server::Address { address: *address, udp: is_udp, tcp: !is_udp }],
                &message,
                false,
                &peer.way.limits(),
            )
        }
        _ => peer.network.ask(peer.realm, Service::Kpasswd, &message, false),
    };
    let result = exchange.reply(&reply.unwrap()).unwrap();
    assert!(result.is_success(), "{result:?}");
    peer.login("dave", "a longer davepass2", |_| ()).unwrap();
}

/// A service of another realm, which the KDC refers to.
pub fn referral(peer: &Peer<'_>, service: &str, server: &str) {
    peer.seen.borrow_mut().clear();
    let far = peer.principal(service).with_type(name_type::SRV_HST);
    let mut exchange = TgsExchange::new(&peer.backend, TgsOptions::new(far), peer.alice(|_| ()));
    let got = peer.run(&mut exchange).unwrap();
    assert_eq!((got.server.to_string().as_str(), exchange.referrals().len()), (server, 1));
    peer.went("a referral");
}
