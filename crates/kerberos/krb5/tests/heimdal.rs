//! The client against Heimdal's KDC, which the test starts on loopback, and between its realm and one of MIT's.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/heimdal.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod heimdal;
#[path = "common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use heimdal::Heimdal;
use realm::Realm;
use tagwise_codec::Decode as _;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{ErrorKind, Secret};
use tagwise_krb5::cache::{Cache, Settings};
use tagwise_krb5::client::net::{Transport, ask, run, servers};
use tagwise_krb5::client::{
    AsExchange, AsOptions, ClientError, Impersonation, Login, Moment, PasswordChange, PreauthMethod, TgsExchange,
    TgsOptions,
};
use tagwise_krb5::conf::{Config, NoIncludes};
use tagwise_krb5::crypto::EncType;
use tagwise_krb5::flags::{bit, kdc, ticket};
use tagwise_krb5::messages::{EncTicketPart, Ticket};
use tagwise_krb5::numbers::{error, name_type};
use tagwise_krb5::{Ccache, Credential, Keytab, Principal};

const TCP: Transport = Transport { udp_limit: 0, ..Transport::DEFAULT };

struct Client<'r> {
    config: &'r Config,
    backend: AwsLc,
}

fn principal(text: &str) -> Principal {
    Principal::parse(text, Some(heimdal::REALM)).unwrap()
}

fn code(result: Result<Credential, ClientError>) -> i32 {
    match result {
        Err(ClientError::Kdc(error)) => error.code,
        other => panic!("{other:?}"),
    }
}

impl Client<'_> {
    fn login(
        &self,
        client: Principal,
        password: &str,
        change: impl FnOnce(&mut AsOptions),
    ) -> Result<Credential, ClientError> {
        let mut options = AsOptions::new(client);
        change(&mut options);
        let login = Login::Password(Secret::from(password.as_bytes()));
        run(&mut AsExchange::new(&self.backend, options, login), self.config, &TCP)
    }

    fn alice(&self, change: impl FnOnce(&mut AsOptions)) -> Result<Credential, ClientError> {
        self.login(principal("alice"), "alicepw", change)
    }

    fn service(&self, options: TgsOptions, tgt: &Credential) -> Result<Credential, ClientError> {
        run(&mut TgsExchange::new(&self.backend, options, tgt.clone()), self.config, &TCP)
    }
}

/// One realm for all: starting it is most of the time.
#[test]
fn exchanges_with_heimdal() {
    let Some(realm) = Heimdal::start() else { return };
    let client = Client { config: &realm.config, backend: AwsLc::new() };
    let keytab = Keytab::from_bytes(&std::fs::read(realm.path("all.keytab")).unwrap()).unwrap();
    let tgt = initial(&client, &keytab);
    encryption_types(&client);
    armored(&client, &tgt);
    refused(&client);
    services(&client, &tgt, &keytab);
    in_other_names(&client, &keytab);
    caches(&client, &realm, &tgt);
    passwords(&client);
}

fn initial(client: &Client<'_>, keytab: &Keytab) -> Credential {
    let got = client.alice(|options| options.methods = vec![PreauthMethod::EncTimestamp]).unwrap();
    assert_eq!(
        (got.client.to_string(), got.server.to_string()),
        ("alice@HEIM.TEST".into(), "krbtgt/HEIM.TEST@HEIM.TEST".into())
    );
    assert!(got.flags & bit(ticket::PRE_AUTHENT) != 0 && got.flags & bit(ticket::INITIAL) != 0);
    // Without preauthentication; over UDP; with a keytab; by an enterprise name; renewable.
    client.login(principal("bob"), "bobpw", |_| ()).unwrap();
    let login = Login::Password(Secret::from(&b"alicepw"[..]));
    let mut exchange = AsExchange::new(&client.backend, AsOptions::new(principal("alice")), login);
    run(&mut exchange, client.config, &Transport::DEFAULT).unwrap();
    let login = Login::Keytab(keytab.clone());
    run(&mut AsExchange::new(&client.backend, AsOptions::new(principal("alice")), login), client.config, &TCP).unwrap();
    let mail = Principal::parse_enterprise("alice@mail.example", Some(heimdal::REALM)).unwrap();
    let named = client.login(mail, "alicepw", |options| options.options.push(kdc::CANONICALIZE)).unwrap();
    assert_eq!(named.client.to_string(), "alice@HEIM.TEST");
    let renewable = client.alice(|options| options.renewable = Some(Duration::from_secs(86_400))).unwrap();
    assert!(renewable.flags & bit(ticket::RENEWABLE) != 0 && renewable.renew_till > renewable.end_time);
    renewable
}

/// Those that Heimdal has: all but Camellia.
fn encryption_types(client: &Client<'_>) {
    for enc_type in EncType::ALL {
        let got = client.alice(|options| options.enc_types = vec![*enc_type]);
        if matches!(enc_type, EncType::Camellia128CtsCmac | EncType::Camellia256CtsCmac) {
            assert_eq!(code(got), error::ETYPE_NOSUPP, "{enc_type}");
            continue;
        }
        let got = got.unwrap_or_else(|error| panic!("{enc_type}: {error}"));
        assert_eq!(got.session_key().unwrap().enc_type(), *enc_type);
        let options = TgsOptions { enc_types: vec![*enc_type], ..TgsOptions::new(principal("host/localhost")) };
        let service = client.service(options, &got).unwrap_or_else(|error| panic!("{enc_type}: {error}"));
        assert_eq!(service.session_key().unwrap().enc_type(), *enc_type);
    }
}

fn armored(client: &Client<'_>, armor: &Credential) {
    let tunnelled = |password: &str, method: PreauthMethod| {
        client.login(principal("alice"), password, |options| {
            options.armor = Some(armor.clone());
            options.methods = vec![method];
        })
    };
    // Outside of the tunnel the reply is nobody's: the tunnel says whose it is.
    let got = tunnelled("alicepw", PreauthMethod::EncTimestamp).unwrap();
    assert!(got.flags & bit(ticket::PRE_AUTHENT) != 0 && got.client == principal("alice"));
    assert_eq!(code(tunnelled("wrong", PreauthMethod::EncTimestamp)), error::PREAUTH_FAILED);
    // The challenge with which Heimdal 7.8 answers does not decrypt with the key of RFC 6113 §5.4.6, as MIT's client finds, too
    // (and goes on). Here the next mechanism is tried; without one, the cause ends the exchange.
    match tunnelled("alicepw", PreauthMethod::EncryptedChallenge) {
        Err(ClientError::Crypto(error)) => assert_eq!(error.kind(), ErrorKind::Integrity),
        other => panic!("{other:?}"),
    }
    assert_eq!(code(tunnelled("wrong", PreauthMethod::EncryptedChallenge)), error::AP_BAD_INTEGRITY);
    let options = AsOptions { armor: Some(armor.clone()), ..AsOptions::new(principal("alice")) };
    let login = Login::Password(Secret::from(&b"alicepw"[..]));
    let mut exchange = AsExchange::new(&client.backend, options.clone(), login);
    let got = run(&mut exchange, client.config, &TCP).unwrap();
    assert_eq!(got.client, principal("alice"));
    assert!(matches!(exchange.setbacks(), [(PreauthMethod::EncryptedChallenge, ClientError::Crypto(_))]));
    let login = Login::Password(Secret::from(&b"wrong"[..]));
    let mut exchange = AsExchange::new(&client.backend, options, login);
    assert!(run(&mut exchange, client.config, &TCP).is_err());
    assert!(exchange.setbacks().is_empty(), "a wrong password is not tried twice");
}

fn refused(client: &Client<'_>) {
    assert_eq!(code(client.login(principal("nobody"), "x", |_| ())), error::C_PRINCIPAL_UNKNOWN);
    assert_eq!(code(client.login(principal("alice"), "wrong", |_| ())), error::PREAUTH_FAILED);
    assert_eq!(code(client.login(principal("locked"), "locked", |_| ())), error::POLICY);
    assert!(matches!(client.login(principal("bob"), "wrong", |_| ()), Err(ClientError::Crypto(_))));
}

fn opened(client: &Client<'_>, keytab: &Keytab, got: &Credential) -> Principal {
    let read = Ticket::from_der(&got.ticket).unwrap();
    let enc_type = EncType::from_number(read.enc_part.etype).unwrap();
    let key = keytab.find(&got.server, enc_type, None).unwrap();
    let plain = key.decrypt(&client.backend, 2, read.enc_part.cipher.as_bytes()).unwrap();
    let part = EncTicketPart::from_der(plain.expose()).unwrap();
    assert_eq!(part.key.keyvalue.as_bytes(), got.session_key().unwrap().expose());
    Principal::from_message(&part.cname, &part.crealm).unwrap()
}

fn services(client: &Client<'_>, tgt: &Credential, keytab: &Keytab) {
    let got = client.service(TgsOptions::new(principal("host/localhost")), tgt).unwrap();
    assert_eq!(got.server.to_string(), "host/localhost@HEIM.TEST");
    assert_eq!(opened(client, keytab, &got), tgt.client);
    // Heimdal 7.8 takes a TGS-REQ in a tunnel and answers outside of it, which nothing vouches for.
    let fast = TgsOptions { fast: true, ..TgsOptions::new(principal("host/localhost")) };
    assert!(matches!(client.service(fast, tgt), Err(ClientError::Reply(_, "RFC 6113 §5.4.3"))));
    assert_eq!(code(client.service(TgsOptions::new(principal("no/such")), tgt)), error::S_PRINCIPAL_UNKNOWN);
    let renewed = client.service(TgsOptions::renewal(tgt), tgt).unwrap();
    assert!(renewed.server == tgt.server && renewed.renew_till == tgt.renew_till);
    // User to user: encrypted in the session key of the other's ticket.
    let other = client.alice(|_| ()).unwrap();
    let options = TgsOptions { user_to_user: Some(other.ticket.clone()), ..TgsOptions::new(principal("alice")) };
    let got = client.service(options, tgt).unwrap();
    let read = Ticket::from_der(&got.ticket).unwrap();
    other.session_key().unwrap().decrypt(&client.backend, 2, read.enc_part.cipher.as_bytes()).unwrap();
}

/// S4U2Self, and S4U2Proxy, which MIT's database of files has no rules for.
fn in_other_names(client: &Client<'_>, keytab: &Keytab) {
    let front = principal("HTTP/front.test");
    let login = Login::Keytab(keytab.clone());
    let mut exchange = AsExchange::new(&client.backend, AsOptions::new(front.clone()), login);
    let tgt = run(&mut exchange, client.config, &TCP).unwrap();
    let options = TgsOptions {
        impersonation: Some(Impersonation::ToSelf(principal("bob"))),
        options: vec![kdc::FORWARDABLE],
        ..TgsOptions::new(front)
    };
    let evidence = client.service(options, &tgt).unwrap();
    assert_eq!(evidence.client, principal("bob"));
    assert_eq!(opened(client, keytab, &evidence), principal("bob"));
    let proxy = |service: &str| {
        let impersonation = Some(Impersonation::Proxy(evidence.ticket.clone()));
        client.service(TgsOptions { impersonation, ..TgsOptions::new(principal(service)) }, &tgt)
    };
    let got = proxy("HTTP/back.test").unwrap();
    assert_eq!((&got.client, opened(client, keytab, &got)), (&principal("bob"), principal("bob")));
    assert_eq!(code(proxy("host/localhost")), error::BADOPTION);
}

/// Heimdal's programs use what was got here, and the other way round.
fn caches(client: &Client<'_>, realm: &Heimdal, tgt: &Credential) {
    let mut cache = Ccache::new(tgt.client.clone());
    cache.store(tgt.clone());
    std::fs::write(realm.path("cache"), cache.to_bytes().unwrap()).unwrap();
    // Heimdal's programs read no cache that others can read.
    std::fs::set_permissions(realm.path("cache"), std::fs::Permissions::from_mode(0o600)).unwrap();
    let name = format!("FILE:{}", realm.path("cache"));
    let listed = realm.run("heimtools", &["klist", "-f", "-c", &name]);
    assert!(listed.contains("krbtgt/HEIM.TEST@HEIM.TEST") && listed.contains("alice@HEIM.TEST"), "{listed}");
    realm.run("kgetcred", &["-c", &name, "host/localhost@HEIM.TEST"]);
    let read = Ccache::from_bytes(&std::fs::read(realm.path("cache")).unwrap()).unwrap();
    assert!(read.find(&principal("host/localhost"), Moment::now().unix).unwrap().session_key().is_some());
    let theirs = format!("FILE:{}", realm.path("theirs"));
    let keytab = realm.path("all.keytab");
    realm.run("kinit.heimdal", &["-c", &theirs, "-k", "-t", &keytab, "alice@HEIM.TEST"]);
    let read = Ccache::from_bytes(&std::fs::read(realm.path("theirs")).unwrap()).unwrap();
    let tgt = read.find(&principal("krbtgt/HEIM.TEST"), Moment::now().unix).unwrap();
    client.service(TgsOptions::new(principal("host/localhost")), tgt).unwrap();
    // A collection in a folder: theirs sees ours, and ours what theirs adds.
    let (folder, settings) = (format!("DIR:{}", realm.path("caches")), Settings::default());
    let here = client;
    for (client, place) in [("alice", Cache::resolve(&folder, &settings)), ("bob", Cache::unused(&folder, &settings))] {
        let (place, password) = (place.unwrap(), format!("{client}pw"));
        let got = here.login(principal(client), &password, |_| ()).unwrap();
        let mut cache = Ccache::new(got.client.clone());
        cache.store(got);
        place.write(&cache).unwrap();
        let listed = realm.run("heimtools", &["klist", "-c", &place.name()]);
        assert!(listed.contains(&format!("Principal: {client}@HEIM.TEST")), "{listed}");
        realm.run("kgetcred", &["-c", &place.name(), "host/localhost@HEIM.TEST"]);
        assert_eq!(place.read().unwrap().tickets().count(), 2);
    }
    // A keytab of ours, used by theirs.
    let ours = Keytab::from_bytes(&std::fs::read(&keytab).unwrap()).unwrap().to_bytes().unwrap();
    std::fs::write(realm.path("ours.keytab"), ours).unwrap();
    realm.run("kinit.heimdal", &["-c", &theirs, "-k", "-t", &realm.path("ours.keytab"), "alice@HEIM.TEST"]);
}

fn passwords(client: &Client<'_>) {
    let dave = principal("dave");
    let service = |options: &mut AsOptions| options.service = Some(principal("kadmin/changepw"));
    let ticket = client.login(dave.clone(), "davepass1", service).unwrap();
    let secret = Secret::from(&b"a longer davepass2"[..]);
    let (exchange, message) = PasswordChange::request(&client.backend, &ticket, &secret, None, Moment::now()).unwrap();
    let found = servers(&client.config.kpasswd_servers(heimdal::REALM), 464);
    let result = exchange.reply(&ask(&found, &message, false, &Transport::DEFAULT).unwrap()).unwrap();
    assert!(result.is_success(), "{result:?}");
    client.login(dave, "a longer davepass2", |_| ()).unwrap();
}

/// From a realm of MIT's to a service in one of Heimdal's, by the KDC's referral, and back by naming the realm.
#[test]
fn referrals_between_mit_and_heimdal() {
    let Some(theirs) = Heimdal::start() else { return };
    let Some(mit) = Realm::start() else { return };
    for shared in ["krbtgt/HEIM.TEST@KRB.TEST", "krbtgt/KRB.TEST@HEIM.TEST"] {
        let query = format!("addprinc -e aes256-cts:normal -pw \"{}\" {shared}", heimdal::SHARED);
        mit.run("kadmin.local", &["-r", realm::REALM, "-q", &query]);
    }
    let mut config = mit.config.clone();
    config.append(Config::parse(&theirs.client_conf, &mut NoIncludes).unwrap());
    let client = Client { config: &config, backend: AwsLc::new() };
    let there = Keytab::from_bytes(&std::fs::read(theirs.path("all.keytab")).unwrap()).unwrap();
    let here = Keytab::from_bytes(&std::fs::read(mit.folder.path().join("all.keytab")).unwrap()).unwrap();

    let alice = Principal::parse("alice@KRB.TEST", None).unwrap();
    let tgt = client.login(alice.clone(), "alicepw", |_| ()).unwrap();
    let far = Principal::parse("host/far.heim.test@KRB.TEST", None).unwrap().with_type(name_type::SRV_HST);
    let mut exchange = TgsExchange::new(&client.backend, TgsOptions::new(far), tgt);
    let got = run(&mut exchange, &config, &TCP).unwrap();
    assert_eq!((got.server.to_string(), &got.client), ("host/far.heim.test@HEIM.TEST".into(), &alice));
    assert_eq!(exchange.referrals().len(), 1);
    assert_eq!(opened(&client, &there, &got), alice);

    // A service whose realm is named, and to which no KDC refers: the way leads over the other realm's ticket-granting ticket.
    let home = client.login(alice.clone(), "alicepw", |_| ()).unwrap();
    let named = Principal::parse("host/localhost@HEIM.TEST", None).unwrap();
    for between in [None, Some(vec![]), Some(vec![b"NOWHERE.TEST".to_vec()])] {
        let mut options = TgsOptions::new(named.clone());
        options.capaths = between.map(|between| (b"KRB.TEST".to_vec(), between)).into_iter().collect();
        let mut exchange = TgsExchange::new(&client.backend, options, home.clone());
        let got = run(&mut exchange, &config, &TCP).unwrap();
        assert_eq!((got.server.to_string(), &got.client), ("host/localhost@HEIM.TEST".into(), &alice));
        let way: Vec<String> = exchange.referrals().iter().map(|one| one.server.to_string()).collect();
        assert_eq!(way, ["krbtgt/HEIM.TEST@KRB.TEST"]);
        assert_eq!(opened(&client, &there, &got), alice);
    }
    // Nobody leads there: what the KDC says of the service itself is the end.
    let nowhere = TgsOptions::new(Principal::parse("host/a@NOWHERE.TEST", None).unwrap());
    assert_eq!(code(client.service(nowhere, &home)), error::S_PRINCIPAL_UNKNOWN);

    // In two steps: a ticket-granting ticket of the other realm, then the service's.
    let tgt = client.alice(|_| ()).unwrap();
    let cross = Principal::parse("krbtgt/KRB.TEST@HEIM.TEST", None).unwrap();
    let cross = client.service(TgsOptions::new(cross), &tgt).unwrap();
    let host = Principal::parse("host/localhost@KRB.TEST", None).unwrap();
    let got = client.service(TgsOptions::new(host), &cross).unwrap();
    assert_eq!(opened(&client, &here, &got), principal("alice"));
}
