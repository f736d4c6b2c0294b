//! What MIT's KDC has since release 1.22: key agreement on elliptic curves (RFC 5349), UNIX sockets. `./x krb5-plugins --release forky` runs
//! all of it.
#![cfg(all(unix, feature = "pkinit"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

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
use realm::Realm;
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{KeyType, Secret};
use tagwise_krb5::agreement::Group;
use tagwise_krb5::client::net::{Transport, run};
use tagwise_krb5::client::{
    AsExchange, AsOptions, ClientError, KdcTrust, Login, OneTimePassword, Pkinit, PreauthMethod, TgsExchange,
    TgsOptions,
};
use tagwise_krb5::conf::{Config, NoIncludes};
use tagwise_krb5::flags::kdc;
use tagwise_krb5::numbers::error;
use tagwise_krb5::{Credential, Principal};

const TCP: Transport = Transport { udp_limit: 0, ..Transport::DEFAULT };
const CURVES: [Group; 3] = [Group::P256, Group::P384, Group::P521];

/// A realm with certificates.
struct Lab {
    realm: Realm,
    ca: Ca,
    client: Leaf,
    backend: AwsLc,
}

fn principal(text: &str) -> Principal {
    Principal::parse(text, Some(realm::REALM)).unwrap()
}

impl Lab {
    /// A realm with more lines in its section of `kdc.conf`, in which `ROOM` is its folder.
    fn start(more: &str) -> Option<Self> {
        let ca = Ca::new("Test CA", KeyType::P256);
        // RSA: with a key of a curve MIT's KDC writes NULL parameters for ECDSA, which RFC 5758 §3.2 forbids.
        let (kdc, client) = (ca.kdc(KeyType::Rsa(2048), realm::REALM), ca.client(KeyType::P256, "pkuser@KRB.TEST"));
        let queries = ["addprinc -pw pkpw +requires_preauth pkuser", "addprinc -randkey WELLKNOWN/ANONYMOUS"];
        let lines = |folder: &Path| {
            fs::write(folder.join("ca.pem"), ca.pem()).unwrap();
            fs::write(folder.join("kdc.pem"), kdc.pem() + &kdc.key_pem()).unwrap();
            let identity = "  pkinit_identity = FILE:ROOM/kdc.pem,ROOM/kdc.pem\n  pkinit_anchors = FILE:ROOM/ca.pem\n";
            format!("{identity}{more}").replace("ROOM", &folder.display().to_string())
        };
        let realm = Realm::start_with(&queries, lines)?;
        Some(Self { realm, ca, client, backend: AwsLc::new() })
    }

    fn pkinit(&self, groups: &[Group]) -> Pkinit {
        let pkinit = Pkinit::new(Some(self.client.identity()), KdcTrust::new(self.ca.anchors()));
        Pkinit { groups: groups.to_vec(), ..pkinit }
    }

    fn get(&self, config: &Config, options: AsOptions, login: Login) -> Result<Credential, ClientError> {
        run(&mut AsExchange::new(&self.backend, options, login), config, &TCP)
    }

    fn certificate(&self, config: &Config, groups: &[Group]) -> Result<Credential, ClientError> {
        self.get(config, AsOptions::new(principal("pkuser")), Login::Pkinit(Box::new(self.pkinit(groups))))
    }

    fn service(&self, config: &Config, tgt: &Credential, fast: bool) {
        let options = TgsOptions { fast, ..TgsOptions::new(principal("host/localhost")) };
        let got = run(&mut TgsExchange::new(&self.backend, options, tgt.clone()), config, &TCP).unwrap();
        assert_eq!(got.client, tgt.client);
    }
}

/// Tests that an older release has nothing for say so.
fn needs_1_22() {
    assert!(realm::release() >= 22, "MIT Kerberos 1.22 is needed, here is 1.{}", realm::release());
}

fn installed() -> bool {
    realm::plugin("pkinit", "krb5-pkinit") && realm::plugin("otp", "krb5-otp")
}

#[test]
fn curves() {
    if !installed() {
        return;
    }
    let Some(lab) = Lab::start("") else { return };
    let config = &lab.realm.config;
    for curve in CURVES {
        match (lab.certificate(config, &[curve]), realm::release() >= 22) {
            (Ok(got), true) => lab.service(config, &got, false),
            (Err(ClientError::Kdc(said)), false) => assert_eq!(said.code, error::DH_KEY_PARAMETERS_NOT_ACCEPTED),
            (other, _) => panic!("{curve}: {other:?}"),
        }
        // A KDC without curves says what it has.
        lab.certificate(config, &[curve, Group::Modp16]).unwrap();
    }
    // The anonymous ticket by a curve, and a tunnel of it.
    if realm::release() >= 22 {
        let mut options = AsOptions::new(Principal::anonymous(realm::REALM.as_bytes()));
        options.options = vec![kdc::REQUEST_ANONYMOUS];
        let nobody = Pkinit { identity: None, ..lab.pkinit(&[Group::P256]) };
        let armor = lab.get(config, options, Login::Pkinit(Box::new(nobody))).unwrap();
        let mut options = AsOptions::new(principal("pkuser"));
        options.armor = Some(armor);
        lab.get(config, options, Login::Pkinit(Box::new(lab.pkinit(&[Group::P521])))).unwrap();
    }
}

/// KDCs that take nothing weaker than a curve: what the client offered first is refused, and the KDC's list has what both have.
#[test]
#[ignore = "needs MIT Kerberos 1.22"]
fn the_weakest_group() {
    needs_1_22();
    if !installed() {
        return;
    }
    for (least, at) in CURVES.iter().enumerate() {
        let Some(lab) = Lab::start(&format!("  pkinit_dh_min_bits = {at}\n")) else { return };
        let config = &lab.realm.config;
        for group in [Group::Modp14, Group::Modp16, Group::P256, Group::P384, Group::P521] {
            let accepted = group.modulus_bits() >= at.modulus_bits();
            match lab.certificate(config, &[group]) {
                Ok(_) => assert!(accepted, "{group} where {at} is the least"),
                Err(ClientError::Kdc(said)) => {
                    assert!(!accepted && said.code == error::DH_KEY_PARAMETERS_NOT_ACCEPTED, "{group}: {said}");
                }
                other => panic!("{group}: {other:?}"),
            }
        }
        lab.certificate(config, &[Group::Modp14, CURVES[least]]).unwrap();
        lab.certificate(config, Group::ALL).unwrap();
    }
}

/// Every kind of exchange with a KDC behind a UNIX socket.
#[test]
#[ignore = "needs MIT Kerberos 1.22"]
fn unix_sockets() {
    needs_1_22();
    if !installed() {
        return;
    }
    let Some(lab) = Lab::start("  kdc_listen = ROOM/kdc.sock\n") else { return };
    let room = lab.realm.folder.path();
    let text = format!(
        "[libdefaults]\n default_realm = {0}\n dns_lookup_kdc = false\n[realms]\n {0} = {{\n  kdc = {1}/kdc.sock\n }}\n",
        realm::REALM,
        room.display()
    );
    let config = Config::parse(&text, &mut NoIncludes).unwrap();
    for method in [PreauthMethod::Spake, PreauthMethod::EncTimestamp] {
        let mut options = AsOptions::new(principal("alice"));
        options.methods = vec![method];
        let got = lab.get(&config, options, Login::Password(Secret::from(&b"alicepw"[..]))).unwrap();
        lab.service(&config, &got, false);
        lab.service(&config, &got, true);
    }
    let armor = lab.certificate(&config, Group::ALL).unwrap();
    radius::start(&room.join("radius.sock"), b"123456");
    let mut options = AsOptions::new(principal("otto"));
    options.armor = Some(armor.clone());
    let login = Login::OneTime(OneTimePassword { value: Secret::from(&b"123456"[..]), pin: None });
    lab.get(&config, options, login).unwrap();
    let mut options = AsOptions::new(principal("carol"));
    options.armor = Some(armor);
    options.methods = vec![PreauthMethod::EncryptedChallenge];
    lab.get(&config, options, Login::Password(Secret::from(&b"carolpw"[..]))).unwrap();
    // A refusal comes the same way.
    let refused = lab.get(&config, AsOptions::new(principal("alice")), Login::Password(Secret::from(&b"wrong"[..])));
    assert!(matches!(refused, Err(ClientError::Kdc(said)) if said.code == error::PREAUTH_FAILED));
}
