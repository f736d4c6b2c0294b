//! The client against MIT's KDC, which the test starts on loopback.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;

#[cfg(unix)]
#[path = "common/radius.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod radius;

use realm::Realm;
use tagwise_codec::Decode as _;
use tagwise_crypto::Secret;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::client::net::{Transport, ask, run, servers};
use tagwise_krb5::client::{
    AsExchange, AsOptions, ClientError, Impersonation, Login, Moment, OneTimePassword, PasswordChange, PreauthMethod,
    TgsExchange, TgsOptions,
};
use tagwise_krb5::crypto::EncType;
use tagwise_krb5::flags::{bit, kdc, ticket};
use tagwise_krb5::numbers::{error, name_type};
use tagwise_krb5::{Ccache, Credential, Keytab, Principal};

const TCP: Transport = Transport { udp_limit: 0, ..Transport::DEFAULT };

struct Client<'r> {
    realm: &'r Realm,
    backend: AwsLc,
}

fn principal(text: &str) -> Principal {
    Principal::parse(text, Some(realm::REALM)).unwrap()
}

impl Client<'_> {
    fn login(
        &self,
        name: &str,
        password: &str,
        change: impl FnOnce(&mut AsOptions),
    ) -> Result<Credential, ClientError> {
        let mut options = AsOptions::new(principal(name));
        change(&mut options);
        let login = Login::Password(Secret::from(password.as_bytes()));
        run(&mut AsExchange::new(&self.backend, options, login), &self.realm.config, &TCP)
    }

    fn service(&self, options: TgsOptions, tgt: &Credential) -> Result<Credential, ClientError> {
        run(&mut TgsExchange::new(&self.backend, options, tgt.clone()), &self.realm.config, &TCP)
    }

    fn code(result: Result<Credential, ClientError>) -> i32 {
        match result {
            Err(ClientError::Kdc(error)) => error.code,
            other => panic!("{other:?}"),
        }
    }
}

/// One realm for all: starting it is most of the time.
#[test]
fn exchanges_with_mit() {
    let Some(realm) = Realm::start() else { return };
    let client = Client { realm: &realm, backend: AwsLc::new() };
    let tgt = initial(&client);
    encryption_types(&client);
    armored(&client, &tgt);
    refused(&client);
    services(&client, &tgt);
    in_other_names(&client);
    caches(&client, &tgt);
    passwords(&client);
}

fn initial(client: &Client<'_>) -> Credential {
    for method in [PreauthMethod::Spake, PreauthMethod::EncTimestamp] {
        let got = client.login("alice", "alicepw", |options| options.methods = vec![method]).unwrap();
        assert_eq!(got.client.to_string(), "alice@KRB.TEST");
        assert_eq!(got.server.to_string(), "krbtgt/KRB.TEST@KRB.TEST");
        assert!(got.flags & bit(ticket::PRE_AUTHENT) != 0 && got.flags & bit(ticket::INITIAL) != 0);
        assert!(got.flags & bit(ticket::ENC_PA_REP) != 0, "the request was proven");
    }
    // Without preauthentication; over UDP; with a keytab; canonicalized; renewable.
    client.login("bob", "bobpw", |_| ()).unwrap();
    let login = Login::Password(Secret::from(&b"alicepw"[..]));
    let mut exchange = AsExchange::new(&client.backend, AsOptions::new(principal("alice")), login);
    run(&mut exchange, &client.realm.config, &Transport::DEFAULT).unwrap();
    let keytab = std::fs::read(client.realm.folder.path().join("all.keytab")).unwrap();
    let login = Login::Keytab(Keytab::from_bytes(&keytab).unwrap());
    let mut exchange = AsExchange::new(&client.backend, AsOptions::new(principal("alice")), login);
    run(&mut exchange, &client.realm.config, &TCP).unwrap();
    client.login("alice", "alicepw", |options| options.options.push(kdc::CANONICALIZE)).unwrap();
    let renewable = client
        .login("alice", "alicepw", |options| options.renewable = Some(std::time::Duration::from_secs(86_400)))
        .unwrap();
    assert!(renewable.flags & bit(ticket::RENEWABLE) != 0 && renewable.renew_till > renewable.end_time);
    renewable
}

fn encryption_types(client: &Client<'_>) {
    for enc_type in EncType::ALL {
        let got = client.login("bob", "bobpw", |options| options.enc_types = vec![*enc_type]).unwrap();
        assert_eq!(got.session_key().unwrap().enc_type(), *enc_type);
        let options = TgsOptions { enc_types: vec![*enc_type], ..TgsOptions::new(principal("host/localhost")) };
        let service = client.service(options, &got).unwrap_or_else(|error| panic!("{enc_type}: {error}"));
        assert_eq!(service.session_key().unwrap().enc_type(), *enc_type);
    }
}

fn armored(client: &Client<'_>, armor: &Credential) {
    for methods in [vec![PreauthMethod::Spake], vec![PreauthMethod::EncryptedChallenge]] {
        let got = client.login("carol", "carolpw", |options| {
            options.armor = Some(armor.clone());
            options.methods = methods.clone();
        });
        got.unwrap_or_else(|error| panic!("{methods:?}: {error}"));
    }
    client.login("bob", "bobpw", |options| options.armor = Some(armor.clone())).unwrap();
    // What the KDC says inside of the tunnel is the KDC's.
    let wrong = client.login("carol", "wrong", |options| {
        options.armor = Some(armor.clone());
        options.methods = vec![PreauthMethod::EncryptedChallenge];
    });
    match wrong {
        Err(ClientError::Kdc(said)) => assert!(said.authenticated && said.code == error::PREAUTH_FAILED, "{said}"),
        other => panic!("{other:?}"),
    }
}

fn refused(client: &Client<'_>) {
    assert_eq!(Client::code(client.login("nobody", "x", |_| ())), error::C_PRINCIPAL_UNKNOWN);
    assert_eq!(Client::code(client.login("alice", "wrong", |_| ())), error::PREAUTH_FAILED);
    assert_eq!(Client::code(client.login("locked", "locked", |_| ())), error::CLIENT_REVOKED);
    assert_eq!(Client::code(client.login("exuser", "expw", |_| ())), error::KEY_EXPIRED);
    // Without preauthentication only the reply tells that the password is wrong.
    assert!(matches!(client.login("bob", "wrong", |_| ()), Err(ClientError::Crypto(_))));
    let none = client.login("alice", "alicepw", |options| options.methods = vec![PreauthMethod::EncryptedChallenge]);
    let Err(ClientError::NoPreauth(offered)) = none else { panic!("{none:?}") };
    assert!(offered.contains(&2) && offered.contains(&151));
}

fn services(client: &Client<'_>, tgt: &Credential) {
    let got = client.service(TgsOptions::new(principal("host/localhost")), tgt).unwrap();
    assert_eq!(
        (got.client.to_string(), got.server.to_string()),
        ("alice@KRB.TEST".into(), "host/localhost@KRB.TEST".into())
    );
    // In a tunnel: the same, and a refusal is a principal of the KDC itself.
    let fast = TgsOptions { fast: true, ..TgsOptions::new(principal("host/localhost")) };
    assert_eq!(client.service(fast, tgt).unwrap().server, got.server);
    let fast = TgsOptions { fast: true, ..TgsOptions::new(principal("nothing/there")) };
    match client.service(fast, tgt) {
        Err(ClientError::Kdc(said)) => {
            assert_eq!((said.code, said.authenticated), (error::S_PRINCIPAL_UNKNOWN, true));
        }
        other => panic!("{other:?}"),
    }
    // The service opens it with its key.
    let keytab = std::fs::read(client.realm.folder.path().join("all.keytab")).unwrap();
    let read = tagwise_krb5::messages::Ticket::from_der(&got.ticket).unwrap();
    let enc_type = EncType::from_number(read.enc_part.etype).unwrap();
    let key = Keytab::from_bytes(&keytab).unwrap().find(&got.server, enc_type, None).unwrap();
    let plain = key.decrypt(&client.backend, 2, read.enc_part.cipher.as_bytes()).unwrap();
    let part = tagwise_krb5::messages::EncTicketPart::from_der(plain.expose()).unwrap();
    assert_eq!(part.key.keyvalue.as_bytes(), got.session_key().unwrap().expose());

    let renewed = client.service(TgsOptions::renewal(tgt), tgt).unwrap();
    assert!(renewed.server == tgt.server && renewed.renew_till == tgt.renew_till);
    assert_eq!(Client::code(client.service(TgsOptions::new(principal("no/such")), tgt)), error::S_PRINCIPAL_UNKNOWN);
    // User to user: encrypted in the session key of the other's ticket.
    let other = client.login("alice", "alicepw", |_| ()).unwrap();
    let options = TgsOptions { user_to_user: Some(other.ticket.clone()), ..TgsOptions::new(principal("alice")) };
    let got = client.service(options, tgt).unwrap();
    let read = tagwise_krb5::messages::Ticket::from_der(&got.ticket).unwrap();
    other.session_key().unwrap().decrypt(&client.backend, 2, read.enc_part.cipher.as_bytes()).unwrap();
}

fn in_other_names(client: &Client<'_>) {
    let keytab = std::fs::read(client.realm.folder.path().join("all.keytab")).unwrap();
    let login = Login::Keytab(Keytab::from_bytes(&keytab).unwrap());
    let front = principal("HTTP/front.test");
    let mut options = AsOptions::new(front.clone());
    options.enc_types = EncType::DEFAULT.to_vec();
    let tgt = run(&mut AsExchange::new(&client.backend, options, login), &client.realm.config, &TCP).unwrap();
    let user = principal("carol").with_type(name_type::ENTERPRISE);
    let options = TgsOptions {
        impersonation: Some(Impersonation::ToSelf(user.clone())),
        options: vec![kdc::FORWARDABLE, kdc::CANONICALIZE],
        ..TgsOptions::new(front)
    };
    let got = client.service(options, &tgt).unwrap();
    assert_eq!(got.client, user);
    assert!(got.flags & bit(ticket::FORWARDABLE) != 0);
    // MIT's database of files has no rules for passing it on: the KDC refuses, and says so.
    let options = TgsOptions {
        impersonation: Some(Impersonation::Proxy(got.ticket.clone())),
        ..TgsOptions::new(principal("host/localhost"))
    };
    assert_eq!(Client::code(client.service(options, &tgt)), error::BADOPTION);
}

/// MIT's programs use what was got here, and the other way round.
fn caches(client: &Client<'_>, tgt: &Credential) {
    let path = client.realm.folder.path().join("cache");
    let mut cache = Ccache::new(tgt.client.clone());
    cache.store(tgt.clone());
    std::fs::write(&path, cache.to_bytes().unwrap()).unwrap();
    let name = format!("FILE:{}", path.display());
    let listed = client.realm.run("klist", &["-f", "-c", &name]);
    assert!(listed.contains("krbtgt/KRB.TEST@KRB.TEST") && listed.contains("alice@KRB.TEST"), "{listed}");
    let found = client.realm.run("kvno", &["-c", &name, "host/localhost@KRB.TEST"]);
    assert!(found.contains("kvno = "), "{found}");
    let read = Ccache::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
    let service = read.find(&principal("host/localhost"), Moment::now().unix).unwrap();
    assert!(service.session_key().is_some());
    // A ticket-granting ticket of MIT's kinit, used here.
    let theirs = client.realm.folder.path().join("theirs");
    let keytab = client.realm.folder.path().join("all.keytab");
    let name = format!("FILE:{}", theirs.display());
    client.realm.run("kinit", &["-c", &name, "-k", "-t", &keytab.display().to_string(), "alice"]);
    let read = Ccache::from_bytes(&std::fs::read(&theirs).unwrap()).unwrap();
    let tgt = read.find(&principal("krbtgt/KRB.TEST"), Moment::now().unix).unwrap();
    client.service(TgsOptions::new(principal("host/localhost")), tgt).unwrap();
}

fn passwords(client: &Client<'_>) {
    let change = |old: &str, new: &str, named: bool| {
        let ticket = client
            .login("dave", old, |options| options.service = Some(principal("kadmin/changepw")))
            .unwrap_or_else(|error| panic!("{old}: {error}"));
        let target = named.then(|| principal("dave"));
        let secret = Secret::from(new.as_bytes());
        let (exchange, message) =
            PasswordChange::request(&client.backend, &ticket, &secret, target.as_ref(), Moment::now()).unwrap();
        let servers = servers(&client.realm.config.kpasswd_servers("KRB.TEST"), 464);
        exchange.reply(&ask(&servers, &message, false, &Transport::DEFAULT).unwrap()).unwrap()
    };
    let refused = change("davepass1", "short", false);
    assert_eq!(refused.code, 4);
    assert!(!refused.text.is_empty());
    assert!(change("davepass1", "davepass2", false).is_success());
    client.login("dave", "davepass2", |_| ()).unwrap();
    assert!(change("davepass2", "davepass3", true).is_success());
    client.login("dave", "davepass3", |_| ()).unwrap();
}

/// A token's value, which the KDC asks a RADIUS server about.
#[cfg(unix)]
#[test]
fn one_time_passwords() {
    if !realm::plugin("otp", "krb5-otp") {
        return;
    }
    let Some(realm) = Realm::start() else { return };
    radius::start(&realm.folder.path().join("radius.sock"), b"123456");
    let client = Client { realm: &realm, backend: AwsLc::new() };
    let armor = client.login("bob", "bobpw", |_| ()).unwrap();
    let otto = |value: &str, change: &dyn Fn(&mut AsOptions)| {
        let mut options = AsOptions::new(principal("otto"));
        options.armor = Some(armor.clone());
        change(&mut options);
        let login = Login::OneTime(OneTimePassword { value: Secret::from(value.as_bytes()), pin: None });
        run(&mut AsExchange::new(&client.backend, options, login), &realm.config, &TCP)
    };
    let got = otto("123456", &|_| ()).unwrap();
    assert_eq!(got.client, principal("otto"));
    assert!(got.flags & bit(ticket::PRE_AUTHENT) != 0 && got.flags & bit(ticket::ENC_PA_REP) != 0);
    client.service(TgsOptions::new(principal("host/localhost")), &got).unwrap();
    match otto("654321", &|_| ()) {
        Err(ClientError::Kdc(said)) => assert!(said.authenticated && said.code == error::PREAUTH_FAILED, "{said}"),
        other => panic!("{other:?}"),
    }
    // Outside of a tunnel the KDC offers nothing that takes such a value, and the value is not sent.
    let bare = otto("123456", &|options| options.armor = None);
    assert!(matches!(bare, Err(ClientError::NoPreauth(_))), "{bare:?}");
    let unwanted = otto("123456", &|options| options.methods.retain(|method| *method != PreauthMethod::Otp));
    assert!(matches!(unwanted, Err(ClientError::NoPreauth(_))), "{unwanted:?}");
    // Of a password of the usual kind no value of a token is made.
    let usual = client.login("otto", "123456", |options| {
        options.armor = Some(armor.clone());
        options.methods = vec![PreauthMethod::Otp];
    });
    assert!(matches!(usual, Err(ClientError::NoPreauth(_))), "{usual:?}");
}
