//! A CA with a log of Merkle Tree Certificates: an ACME client receives them, and nothing is issued that is not logged.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![cfg(unix)]

#[path = "common/acme.rs"]
mod acme;
mod common;

use std::sync::Arc;

use acme::{Challenges, Nodes, certificates, dns, order, web};
use common::{BACKEND, Folder, PASSPHRASE, Server, client, now};
use instant_acme::{Account, NewAccount, RevocationRequest};
use tagwise_ca::Store;
use tagwise_codec::pem;
use tagwise_crypto::{Backend, KeyType, PasswordOptions, encrypt_key};
use tagwise_daemon::{LogFiles, check};
use tagwise_mtc::crypto::{BackendCheck, CosignerKey};
use tagwise_mtc::relying::{RelyingParty, Trust, TrustedAuthority};
use tagwise_mtc::{CaCertificate, Draft, MtcCertificate, NewCaCertificate, Serial, TrustAnchorId};
use tagwise_mtc_log::{Log, LogInfo, Synchronous};
use tagwise_pkix::UnixTime;
use tagwise_pkix::oids::files::label;

/// Gives the CA a log, as `tagwise ca init --mtc` does, and returns the certificate of the log's CA.
fn add_log(folder: &Folder) -> Vec<u8> {
    let files = LogFiles::beside(&folder.path("ca.db"));
    let id: TrustAnchorId = "32473.1".parse().unwrap();
    let info = LogInfo::new(id, 1, Draft::V07).unwrap();
    let key = BACKEND.generate(KeyType::MlDsa44).unwrap();
    let new = NewCaCertificate {
        id,
        draft: info.draft,
        key_info: key.public_key_info(),
        min_serial: Serial::MIN,
        max_serial: Serial::MAX,
        validity: (UnixTime(now().0 - 100), UnixTime(now().0 + 86_400)),
    };
    let anchor = new.to_der().unwrap();
    std::fs::write(&files.certificate, pem::encode(label::CERTIFICATE, &anchor).unwrap()).unwrap();
    let pkcs8 = key.to_pkcs8().unwrap();
    let encrypted = encrypt_key(&BACKEND, &pkcs8, PASSPHRASE.as_bytes(), &PasswordOptions::DEFAULT).unwrap();
    std::fs::write(&files.key, pem::encode(label::ENCRYPTED_PRIVATE_KEY, &encrypted).unwrap()).unwrap();
    folder.protect("ca.mtc.key", 0o600);
    let time = u64::try_from(now().0).unwrap();
    let mut log = Log::create(&files.log, &info, Synchronous::Normal, time).unwrap();
    log.checkpoint(&CosignerKey::new(id, Arc::clone(&key)).unwrap(), &[], time).unwrap();
    anchor
}

const PLAIN: &str = "[ca]\nsqlite = 'ca.db'\npassphrase-file = 'passphrase'\n\
                     [[listen]]\naddress = '127.0.0.1:0'\nplain = true\n";

fn log(folder: &Folder) -> Log {
    Log::open(&folder.path("ca.mtc.db"), Synchronous::Normal).unwrap()
}

#[test]
fn acme_clients_receive_merkle_tree_certificates() {
    let folder = Folder::new();
    let anchor = add_log(&folder);
    let challenges = Challenges::default();
    let (dns, port) = (dns(), web(Arc::clone(&challenges)));
    let acme = format!(
        "[acme]\nurl = 'http://ca.test/acme'\ndns = ['example.test']\nresolver = '{dns}'\nhttp-port = {port}\n\
         allow-addresses = ['127.0.0.1']\n"
    );
    let config = folder.write("server.toml", &format!("{PLAIN}{acme}"));
    assert_eq!(check(&config, &common::parts()).to_string(), "");
    let server = Server::start(&config);
    let http = Nodes::new(vec![server.address()], 0);
    let (merkle, signed) = client(async {
        let new = NewAccount { contact: &[], terms_of_service_agreed: true, only_return_existing: false };
        let url = "http://ca.test/acme/directory".to_owned();
        let (account, _) = Account::builder_with_http(Box::new(http)).create(&new, url, None).await.unwrap();
        let merkle = order(&account, "a.example.test", Some("server-mtc"), &challenges).await.unwrap();
        let signed = order(&account, "b.example.test", None, &challenges).await.unwrap();
        let der = certificates(&merkle).remove(0).into();
        account.revoke(&RevocationRequest { certificate: &der, reason: None }).await.unwrap();
        assert!(account.revoke(&RevocationRequest { certificate: &der, reason: None }).await.is_err());
        (certificates(&merkle), certificates(&signed))
    });
    server.stop().unwrap();

    assert_eq!((merkle.len(), &merkle[1]), (2, &anchor));
    let mut party = RelyingParty::new();
    party.add(TrustedAuthority::new(&CaCertificate::from_der(&anchor).unwrap()).unwrap());
    let outcome = party.verify(&merkle[0], Some(now()), &BackendCheck::new(&BACKEND));
    assert_eq!(outcome.result, Ok(Trust::Cosignatures), "{outcome}");
    let read = MtcCertificate::from_der(&merkle[0]).unwrap();
    assert_eq!((read.serial().log(), read.serial().index()), (1, 0));
    let text = String::from_utf8_lossy(&merkle[0]).into_owned();
    assert!(text.contains("a.example.test") && !text.contains("b.example.test"));

    // The signed certificate of the other order is logged, too.
    assert_eq!(signed[1], folder.authority.certificate_der());
    let log = log(&folder);
    assert_eq!((log.size().unwrap(), log.last_checkpoint().unwrap().unwrap().size), (2, 2));
    let mut revoked = Vec::new();
    let mut store = folder.store();
    let mut visit = |record: tagwise_ca::store::CertificateRecord| {
        if log.index_of(record.serial.as_bytes()).unwrap().is_some() {
            revoked.push(record.revocation.is_some());
        }
        Ok(())
    };
    store.certificates(folder.authority.id(), &mut visit).unwrap();
    assert_eq!(revoked, [true, false]);
}

/// The server's own TLS certificate is issued by the CA.
#[test]
fn tls_certificates_are_logged() {
    let folder = Folder::new();
    add_log(&folder);
    let tls = "[ca]\nsqlite = 'ca.db'\npassphrase-file = 'passphrase'\n\
               [[listen]]\naddress = '127.0.0.1:0'\n[tls]\nnames = ['127.0.0.1']\n[crl]\n";
    let server = Server::start(&folder.write("server.toml", tls));
    assert_eq!(log(&folder).size().unwrap(), 1);
    server.stop().unwrap();
}

#[test]
fn servers_do_not_start_without_the_log() {
    let folder = Folder::new();
    let config = folder.write("server.toml", &format!("{PLAIN}[acme]\ndns = ['example.test']\n"));
    let problems = || check(&config, &common::parts()).to_string();
    assert_eq!(problems(), "");
    folder.write("server.toml", &format!("{PLAIN}[acme]\ndns = ['example.test']\nmtc-by-default = true\n"));
    assert!(problems().contains("acme.mtc-by-default: the CA has no log"), "{}", problems());
    add_log(&folder);
    assert_eq!(problems(), "");
    let key = std::fs::read(folder.path("ca.mtc.key")).unwrap();
    folder.protect("ca.mtc.key", 0o644);
    assert!(problems().contains("the key of the CA's log"), "{}", problems());
    folder.protect("ca.mtc.key", 0o600);
    // Another key, and no key.
    let other = BACKEND.generate(KeyType::MlDsa44).unwrap().to_pkcs8().unwrap();
    folder.write("ca.mtc.key", &pem::encode(label::PRIVATE_KEY, other.expose()).unwrap());
    assert!(problems().contains("the key differs from that of the last checkpoint"), "{}", problems());
    std::fs::remove_file(folder.path("ca.mtc.key")).unwrap();
    assert!(problems().contains("ca.mtc.key: "), "{}", problems());
    std::fs::write(folder.path("ca.mtc.key"), key).unwrap();
    std::fs::remove_file(folder.path("ca.mtc.db")).unwrap();
    assert!(problems().contains("ca.mtc.db: "), "{}", problems());
}
