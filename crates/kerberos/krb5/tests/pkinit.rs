//! PKINIT against MIT's KDC and Heimdal's, which the tests start on loopback.
#![cfg(all(unix, feature = "pkinit"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "common/heimdal.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod heimdal;
#[path = "common/pki.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod pki;
#[path = "common/radius.rs"]
#[allow(unreachable_pub, reason = "a module of the tests")]
mod radius;
#[path = "common/realm.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the tests")]
mod realm;

use std::fs;
use std::path::Path;

use pki::{Ca, Leaf};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{KeyType, Secret};
use tagwise_krb5::agreement::{Group, Kdf};
use tagwise_krb5::client::net::{Transport, run};
use tagwise_krb5::client::{
    AsExchange, AsOptions, ClientError, KdcTrust, Login, OneTimePassword, Pkinit, PreauthMethod, TgsExchange,
    TgsOptions,
};
use tagwise_krb5::conf::Config;
use tagwise_krb5::crypto::EncType;
use tagwise_krb5::flags::{bit, kdc, ticket};
use tagwise_krb5::numbers::error;
use tagwise_krb5::{Credential, Principal};

const TCP: Transport = Transport { udp_limit: 0, ..Transport::DEFAULT };

/// Certificates of a realm: its CA's, the KDC's, a client's.
struct Pki {
    ca: Ca,
    kdc: Leaf,
    client: Leaf,
}

impl Pki {
    fn new(realm: &str) -> Self {
        let ca = Ca::new("Test CA", KeyType::Rsa(2048));
        let (kdc, client) =
            (ca.kdc(KeyType::Rsa(2048), realm), ca.client(KeyType::Rsa(2048), &format!("pkuser@{realm}")));
        Self { ca, kdc, client }
    }

    fn write(&self, folder: &Path) {
        let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
        write("ca.pem", self.ca.pem());
        write("kdc.pem", self.kdc.pem() + &self.kdc.key_pem());
    }

    fn pkinit(&self) -> Pkinit {
        Pkinit::new(Some(self.client.identity()), KdcTrust::new(self.ca.anchors()))
    }

    fn nobody(&self) -> Pkinit {
        Pkinit { identity: None, ..self.pkinit() }
    }
}

struct Client<'r> {
    realm: &'static str,
    config: &'r Config,
    backend: AwsLc,
}

impl Client<'_> {
    fn principal(&self, name: &str) -> Principal {
        Principal::parse(name, Some(self.realm)).unwrap()
    }

    fn get(&self, options: AsOptions, login: Login) -> Result<Credential, ClientError> {
        run(&mut AsExchange::new(&self.backend, options, login), self.config, &TCP)
    }

    fn login(&self, pkinit: Pkinit, change: impl FnOnce(&mut AsOptions)) -> Result<Credential, ClientError> {
        let mut options = AsOptions::new(self.principal("pkuser"));
        change(&mut options);
        self.get(options, Login::Pkinit(Box::new(pkinit)))
    }

    fn anonymous(&self, pkinit: Pkinit) -> Result<Credential, ClientError> {
        let mut options = AsOptions::new(Principal::anonymous(self.realm.as_bytes()));
        options.options = vec![kdc::REQUEST_ANONYMOUS];
        self.get(options, Login::Pkinit(Box::new(pkinit)))
    }

    fn service(&self, tgt: &Credential) -> Credential {
        let options = TgsOptions::new(self.principal("host/localhost"));
        run(&mut TgsExchange::new(&self.backend, options, tgt.clone()), self.config, &TCP).unwrap()
    }
}

fn code(result: Result<Credential, ClientError>) -> i32 {
    match result {
        Err(ClientError::Kdc(error)) => error.code,
        other => panic!("{other:?}"),
    }
}

#[test]
fn certificates_with_mit() {
    if !realm::plugin("pkinit", "krb5-pkinit") || !realm::plugin("otp", "krb5-otp") {
        return;
    }
    let pki = Pki::new(realm::REALM);
    let queries = [
        "addprinc -pw pkpw +requires_preauth pkuser",
        "addprinc -pw easypw easy",
        "addprinc -randkey WELLKNOWN/ANONYMOUS",
    ];
    let lines = |folder: &Path| {
        pki.write(folder);
        let at = folder.display();
        format!("  pkinit_identity = FILE:{at}/kdc.pem,{at}/kdc.pem\n  pkinit_anchors = FILE:{at}/ca.pem\n")
    };
    let Some(realm) = realm::Realm::start_with(&queries, lines) else { return };
    let client = Client { realm: realm::REALM, config: &realm.config, backend: AwsLc::new() };
    let got = client.login(pki.pkinit(), |_| ()).unwrap();
    assert_eq!(got.client.to_string(), "pkuser@KRB.TEST");
    assert!(got.flags & bit(ticket::PRE_AUTHENT) != 0 && got.flags & bit(ticket::HW_AUTHENT) == 0);
    client.service(&got);
    parameters(&client, &pki);
    enveloped(&client, &pki);
    tunnels(&client, &pki, &realm);
    nobody(&client, &pki);
    refusals(&client, &pki);
}

/// Every group, key derivation function and encryption type that MIT's KDC has.
fn parameters(client: &Client<'_>, pki: &Pki) {
    for group in [Group::Modp14, Group::Modp16] {
        let pkinit = Pkinit { groups: vec![group], ..pki.pkinit() };
        client.login(pkinit, |_| ()).unwrap_or_else(|error| panic!("{group}: {error}"));
    }
    for kdfs in [vec![], vec![Kdf::Sha1], vec![Kdf::Sha256], vec![Kdf::Sha512], vec![Kdf::Sha384]] {
        let pkinit = Pkinit { kdfs: kdfs.clone(), ..pki.pkinit() };
        client.login(pkinit, |_| ()).unwrap_or_else(|error| panic!("{kdfs:?}: {error}"));
    }
    for enc_type in [EncType::Aes128CtsHmacSha256128, EncType::Aes256CtsHmacSha196, EncType::Camellia128CtsCmac] {
        let got = client.login(pki.pkinit(), |options| options.enc_types = vec![enc_type]).unwrap();
        assert_eq!(got.session_key().unwrap().enc_type(), enc_type);
    }
    // Keys of elliptic curves sign, too.
    let leaf = pki.ca.client(KeyType::P256, "pkuser@KRB.TEST");
    client.login(Pkinit::new(Some(leaf.identity()), KdcTrust::new(pki.ca.anchors())), |_| ()).unwrap();
    // The KDC asks for no preauthentication of this one, and its first reply is in a key of the password.
    let leaf = pki.ca.client(KeyType::P256, "easy@KRB.TEST");
    let easy = Pkinit::new(Some(leaf.identity()), KdcTrust::new(pki.ca.anchors()));
    client.login(easy, |options| options.client = client.principal("easy")).unwrap();
    // Before release 1.22 MIT's KDC knows no curves, and says what it knows.
    let curves = Pkinit { groups: vec![Group::P256, Group::Modp14], ..pki.pkinit() };
    client.login(curves, |_| ()).unwrap();
}

/// The reply key enveloped to the client's RSA key, where that is asked for.
fn enveloped(client: &Client<'_>, pki: &Pki) {
    let transport = || Pkinit { key_transport: true, ..pki.pkinit() };
    if realm::release() >= 22 {
        // MIT's KDC no longer has it, and says so in its log alone.
        assert_eq!(code(client.login(transport(), |_| ())), error::PREAUTH_FAILED);
        return;
    }
    let got = client.login(transport(), |_| ()).unwrap();
    client.service(&got);
    for enc_type in [EncType::Aes128CtsHmacSha256128, EncType::Camellia256CtsCmac] {
        let got = client.login(transport(), |options| options.enc_types = vec![enc_type]).unwrap();
        assert_eq!(got.session_key().unwrap().enc_type(), enc_type);
    }
    client.login(transport(), |options| options.armor = Some(got.clone())).unwrap();
    let curve = pki.ca.client(KeyType::P256, "pkuser@KRB.TEST");
    let curve = client.login(Pkinit { identity: Some(curve.identity()), ..transport() }, |_| ());
    assert!(matches!(curve, Err(ClientError::Login(_))), "{curve:?}");
}

fn tunnels(client: &Client<'_>, pki: &Pki, realm: &realm::Realm) {
    let armor = client.anonymous(pki.nobody()).unwrap();
    // PKINIT in a tunnel, and a one-time password in a tunnel that PKINIT made.
    client.login(pki.pkinit(), |options| options.armor = Some(armor.clone())).unwrap();
    radius::start(&realm.folder.path().join("radius.sock"), b"123456");
    let mut options = AsOptions::new(client.principal("otto"));
    options.armor = Some(armor);
    let login = Login::OneTime(OneTimePassword { value: Secret::from(&b"123456"[..]), pin: None });
    let got = client.get(options, login).unwrap();
    assert_eq!(got.client, client.principal("otto"));
}

fn nobody(client: &Client<'_>, pki: &Pki) {
    let got = client.anonymous(pki.nobody()).unwrap();
    assert_eq!(got.client.to_string(), "WELLKNOWN/ANONYMOUS@WELLKNOWN:ANONYMOUS");
    assert!(got.flags & bit(ticket::ANONYMOUS) != 0);
    assert!(client.service(&got).client.is_anonymous());
    // In the name of somebody who is known to the KDC alone: MIT's KDC has no such tickets.
    let named = client.login(pki.pkinit(), |options| options.options.push(kdc::REQUEST_ANONYMOUS));
    assert_eq!(code(named), error::BADOPTION);
}

fn refusals(client: &Client<'_>, pki: &Pki) {
    let stranger = Pkinit { trust: KdcTrust::new(Ca::new("Test CA", KeyType::P256).anchors()), ..pki.pkinit() };
    assert!(matches!(client.login(stranger, |_| ()), Err(ClientError::KdcCertificate(_))));
    // The KDC trusts another CA, and the certificate is somebody else's.
    let other = Ca::new("Other CA", KeyType::P256).client(KeyType::P256, "pkuser@KRB.TEST");
    let unknown = Pkinit { identity: Some(other.identity()), ..pki.pkinit() };
    let refused = code(client.login(unknown, |_| ()));
    assert!([error::CANT_VERIFY_CERTIFICATE, error::PREAUTH_FAILED].contains(&refused), "{refused}");
    let alice = client.login(pki.pkinit(), |options| options.client = client.principal("alice"));
    assert_eq!(code(alice), error::CLIENT_NAME_MISMATCH);
    let never = client.login(pki.pkinit(), |options| options.methods.retain(|method| *method != PreauthMethod::Pkinit));
    assert!(matches!(never, Err(ClientError::NoPreauth(offered)) if offered.contains(&16)));
}

#[test]
fn certificates_with_heimdal() {
    let pki = Pki::new(heimdal::REALM);
    let lines = |folder: &Path| {
        pki.write(folder);
        let at = folder.display();
        format!(
            " enable-pkinit = yes\n pkinit_identity = FILE:{at}/kdc.pem\n pkinit_anchors = FILE:{at}/ca.pem\n \
             pkinit_principal_in_certificate = yes\n allow-anonymous = yes\n"
        )
    };
    let Some(realm) = heimdal::Heimdal::start_with(lines) else { return };
    realm.admin(&["add", "--password=pkpw", "--use-defaults", "pkuser"]);
    realm.admin(&["mod", "--attributes=requires-pre-auth", "pkuser"]);
    let client = Client { realm: heimdal::REALM, config: &realm.config, backend: AwsLc::new() };
    let got = client.login(pki.pkinit(), |_| ()).unwrap();
    assert_eq!(got.client.to_string(), "pkuser@HEIM.TEST");
    client.service(&got);
    // Debian's build has no elliptic curves.
    let curve = client.login(Pkinit { groups: vec![Group::P256], ..pki.pkinit() }, |_| ());
    assert_eq!(code(curve), error::AP_BAD_INTEGRITY);
    client.login(pki.pkinit(), |options| options.armor = Some(got.clone())).unwrap();
    let armor = client.anonymous(pki.nobody()).unwrap();
    assert!(armor.client.is_anonymous());
}
