//! Creates a CA in memory, issues a server certificate, revokes it and creates a CRL.

use std::error::Error;
use std::time::Duration;

use tagwise::ca::{AltName, Authority, Founding, Order, Profile, Protection, Restrictions, SqliteStore, Urls};
use tagwise::codec::pem;
use tagwise::crypto::{Backend, KeyType, backends::AwsLc};
use tagwise::pkix::{UnixTime, ext::CrlReason, name::NameBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let backend = AwsLc::new();
    let now = UnixTime(1_790_000_000);
    let day = Duration::from_secs(86_400);
    // `SqliteStore::create` keeps it in a file.
    let mut store = SqliteStore::in_memory()?;
    let founding = Founding {
        label: "root",
        subject: NameBuf::parse("CN=Example Root,O=Example")?,
        key_identifier: None,
        not_before: now,
        not_after: now.saturating_add(3650 * day),
        path_len: None,
        urls: Urls::default(),
        pss: false,
    };
    let root = backend.generate(KeyType::P256)?;
    let protection = Protection::passphrase(b"correct horse");
    let authority = Authority::found(&mut store, &backend, &root, &founding, &protection)?;
    let signer = authority.unlock(&backend, Some(b"correct horse"))?;

    let server = backend.generate(KeyType::P256)?;
    let order = Order {
        subject: NameBuf::parse("CN=www.example.org")?,
        names: vec![AltName::dns("www.example.org")?],
        public_key: server.public_key_info(),
        key_identifier: None,
        restrictions: Restrictions::default(),
        profile: Profile::Server,
        not_before: now,
        not_after: now.saturating_add(90 * day),
    };
    let issued = authority.issue(&mut store, &backend, &signer, &order, now)?;
    print!("{}", pem::encode("CERTIFICATE", &issued.der)?);

    authority.revoke(&mut store, &issued.serial, CrlReason::Superseded, None, now.saturating_add(day))?;
    let crl = authority.crl(&mut store, &signer, now.saturating_add(day), now.saturating_add(8 * day))?;
    println!("CRL {} has {} entry", crl.number, crl.entries);
    Ok(())
}
