//! Signs a text as a CMS message with the key and certificate of a new CA, and verifies it.

use std::error::Error;
use std::time::Duration;

use tagwise::ca::{Authority, Founding, Order, Profile, Protection, Restrictions, SqliteStore, Urls};
use tagwise::codec::Decode;
use tagwise::crypto::cms::{SignedOptions, Signing, VerifyOptions, sign, verify};
use tagwise::crypto::{Backend, KeySigner, KeyType, backends::AwsLc};
use tagwise::pkix::{Certificate, UnixTime, name::NameBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let (backend, now) = (AwsLc::new(), UnixTime(1_790_000_000));
    let end = now.saturating_add(Duration::from_secs(1_000_000));
    let mut store = SqliteStore::in_memory()?;
    let founding = Founding {
        label: "root",
        subject: NameBuf::parse("CN=Example Root")?,
        key_identifier: None,
        not_before: now,
        not_after: end,
        path_len: None,
        urls: Urls::default(),
        pss: false,
    };
    let root = backend.generate(KeyType::P256)?;
    let authority = Authority::found(&mut store, &backend, &root, &founding, &Protection::Clear)?;
    let eva = KeySigner::preferred(backend.generate(KeyType::P256)?)?;
    let order = Order {
        subject: NameBuf::parse("CN=Eva")?,
        names: Vec::new(),
        public_key: eva.key().public_key_info(),
        key_identifier: None,
        restrictions: Restrictions::default(),
        profile: Profile::Client,
        not_before: now,
        not_after: end,
    };
    let issued = authority.issue(&mut store, &backend, &authority.unlock(&backend, None)?, &order, now)?;

    let certificate = Certificate::from_der(&issued.der)?;
    let options = SignedOptions { certificates: &[&issued.der], ..SignedOptions::DEFAULT };
    let message = sign(&backend, b"Dear Anna", &[Signing::new(&eva, &certificate)], &options)?;

    let verified = verify(&backend, &message, None, &VerifyOptions { at: Some(now), ..VerifyOptions::DEFAULT })?;
    println!("{} bytes, acceptable: {}", message.len(), verified.is_acceptable());
    println!("{}", String::from_utf8_lossy(&verified.content));
    Ok(())
}
