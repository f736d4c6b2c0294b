//! Captured exchanges open with their keytab, and what comes out are values of their types; what stays closed is in a register.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use std::collections::BTreeMap;

use common::{PEERS, again, bytes, compare, files};
use tagwise_codec::{Decode, Options};
use tagwise_crypto::backends::AwsLc;
use tagwise_crypto::{Backend as _, PrivateKeyInfo};
use tagwise_krb5::crypto::{EncType, Key, StringToKey};
use tagwise_krb5::messages::EncTicketPart;
use tagwise_krb5::numbers::ad;
use tagwise_krb5::open::{Opener, PacVerdict};
use tagwise_krb5::pac::{Pac, buffer, of_ticket};
use tagwise_krb5::{Ccache, Keytab, KeytabEntry, Principal, auth_data_elements};
use tagwise_testing::corpus;

/// Why messages stay closed.
const WHY: &[(&str, &str)] = &[
    ("063-", "a wrong password, so that the client's keys are others"),
    ("067-", "a wrong password"),
    ("076-", "the keytab has no key of exuser"),
    ("121-", "a wrong password"),
    ("126-", "the reply key came of a Diffie-Hellman exchange (RFC 4556 §3.2.3.1), whose private values nobody kept"),
    ("134-", "the reply key came of a Diffie-Hellman exchange"),
    ("162-", "the password had been changed, and the keytab has the other one"),
];

/// Names of opened parts whose octets may end in the zero bytes of a block cipher, with the type they are.
fn check_type(name: &str, ty: &str, der: &[u8]) {
    let ty = if ty == "KrbFastReq" { return } else { ty };
    let exact = again(ty, der, PEERS);
    if let Ok(made) = exact {
        assert_eq!(made, der, "{name}: {ty}");
        return;
    }
    // Triple DES pads to whole blocks.
    let cut = (1..8).find_map(|cut| again(ty, &der[..der.len() - cut], PEERS).ok().map(|made| (cut, made)));
    let (cut, made) = cut.unwrap_or_else(|| panic!("{name}: {ty}: {exact:?}"));
    assert_eq!(made, der[..der.len() - cut]);
    assert!(der[der.len() - cut..].iter().all(|octet| *octet == 0) && der.len().is_multiple_of(8), "{name}");
}

#[test]
fn everything_that_follows_from_the_keytab_opens() {
    let Some(folder) = corpus("kerberos/captures") else { return };
    let backend = AwsLc::new();
    let keytab = Keytab::from_bytes(&std::fs::read(folder.join("keys/all.keytab")).unwrap()).unwrap();
    let mut opener = Opener::new(&backend, keytab.clone());
    let pem = std::fs::read_to_string(folder.join("keys/client.key")).unwrap();
    let der = tagwise_codec::pem::blocks(pem.as_bytes()).next().unwrap().unwrap().decode().unwrap();
    let info = PrivateKeyInfo::from_pkcs8(&der).unwrap();
    opener.add_private_key(backend.private_key(&info).unwrap());

    let krbtgt = Principal::krbtgt(b"KRB.TEST", b"KRB.TEST");
    let (mut rows, mut counts, mut pacs) = (Vec::new(), BTreeMap::new(), [0; 4]);
    for (name, octets) in files(&folder.join("raw")).into_iter().filter(|(name, _)| name.ends_with(".bin")) {
        for part in opener.open(&octets).unwrap_or_else(|error| panic!("{name}: {error}")) {
            let Some(der) = &part.der else {
                let why = WHY.iter().find(|(of, _)| name.starts_with(of)).map_or("?", |(_, why)| why);
                rows.push(format!("{}\t{}\t{}\t{why}", name.trim_end_matches(".bin"), part.path, part.key));
                continue;
            };
            check_type(&name, part.ty, der.expose());
            let has_pac = part.ty == "EncTicketPart" && of_ticket(der.expose()).unwrap().is_some();
            assert_eq!(part.pac.is_some(), has_pac, "{name}");
            if let Some(verdicts) = &part.pac {
                assert_eq!((&verdicts.server, &verdicts.kdc), (&PacVerdict::Valid, &PacVerdict::Valid), "{name}");
                assert!(!verdicts.is_invalid(), "{name}: {verdicts:?}");
            }
            *counts.entry(part.ty).or_insert(0) += 1;
            if part.ty != "EncTicketPart" {
                continue;
            }
            let options = Options::der().allow(&tagwise_codec::Rule::TRAILING_DATA);
            let ticket = options.decode::<EncTicketPart<'_>>(der.expose()).unwrap().value;
            for element in ticket.authorization_data.iter().flat_map(|data| auth_data_elements(data).unwrap()) {
                if element.kind != ad::WIN2K_PAC {
                    continue;
                }
                let pac = Pac::from_bytes(&element.data).unwrap();
                let client = pac.client_info().unwrap().unwrap();
                assert_eq!(client.auth_time, ticket.authtime.unix(), "{name}");
                pacs[0] += 1;
                // The KDC signs with the first key of its krbtgt, the service's signature is by the ticket's key.
                let key = EncType::ALL.iter().filter_map(|of| keytab.find(&krbtgt, *of, None)).find(|key| {
                    pac.signature(buffer::KDC_CHECKSUM).unwrap().unwrap().kind == key.enc_type().checksum().number()
                });
                let key = key.unwrap();
                pac.verify_kdc(&backend, &key).unwrap_or_else(|error| panic!("{name}: {error}"));
                pacs[1] += 1;
                let found = of_ticket(der.expose()).unwrap().unwrap();
                assert_eq!(found.pac, element.data, "{name}");
                // The KDC signs tickets of services, not its own.
                if pac.signature(buffer::TICKET_CHECKSUM).is_some() {
                    let checked = pac.verify_ticket(&backend, &key, &found.without_pac);
                    checked.unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert!(pac.verify_ticket(&backend, &key, der.expose()).is_err(), "{name}");
                    pacs[3] += 1;
                }
                // User to user: the key is a session key.
                let Ok(server) = Principal::parse(part.key.as_str(), None) else { continue };
                let kind = pac.signature(buffer::SERVER_CHECKSUM).unwrap().unwrap().kind;
                let key = EncType::ALL.iter().filter_map(|of| keytab.find(&server, *of, None));
                let key = key.into_iter().find(|key| key.enc_type().checksum().number() == kind);
                if let Some(key) = key {
                    pac.verify_server(&backend, &key).unwrap_or_else(|error| panic!("{name}: {error}"));
                    pacs[2] += 1;
                    let mut damaged = element.data.clone();
                    let last = damaged.len() - 1;
                    damaged[last / 2] ^= 1;
                    assert!(
                        Pac::from_bytes(&damaged).is_err()
                            || Pac::from_bytes(&damaged).unwrap().verify_server(&backend, &key).is_err()
                    );
                }
            }
        }
    }
    println!("{counts:?} {pacs:?}");
    compare("captures-closed.tsv", "message\tpart\tkey\twhy", &rows);
    let counted: Vec<String> = counts.iter().map(|(ty, count)| format!("{ty}\t{count}")).collect();
    compare("captures-opened.tsv", "type\topened", &counted);
    assert!(pacs[..3].iter().all(|count| *count > 50) && pacs[3] > 10, "{pacs:?}");
}

/// The KDC's signatures are not valid under another key of the KDC, and not verified without one.
#[test]
fn signatures_of_pacs_are_verified_with_the_keys_at_hand() {
    let Some(folder) = corpus("kerberos/captures") else { return };
    let backend = AwsLc::new();
    let all = Keytab::from_bytes(&std::fs::read(folder.join("keys/all.keytab")).unwrap()).unwrap();
    let krbtgt = Principal::krbtgt(b"KRB.TEST", b"KRB.TEST");
    let (mut without, mut other) = (all.clone(), Keytab::default());
    without.retain(|entry| entry.principal != krbtgt);
    for entry in all.entries() {
        let key = EncType::from_number(entry.enc_type).map(|kind| Key::generate(&backend, kind).unwrap());
        let key =
            key.filter(|_| entry.principal == krbtgt).map_or_else(|| entry.key.clone(), |key| key.expose().into());
        other.add(KeytabEntry { key, ..entry.clone() });
    }
    for (keytab, is_other) in [(other, true), (without, false)] {
        let mut count = 0;
        for (name, octets) in files(&folder.join("raw")).into_iter().filter(|(name, _)| name.ends_with(".bin")) {
            let parts = Opener::new(&backend, keytab.clone()).open(&octets).unwrap();
            for pac in parts.iter().filter_map(|part| part.pac.as_ref()) {
                assert_eq!(pac.server, PacVerdict::Valid, "{name}");
                assert_eq!(matches!(pac.kdc, PacVerdict::Invalid(_)), is_other, "{name}: {pac:?}");
                assert_eq!(pac.is_invalid(), is_other, "{name}: {pac:?}");
                count += 1;
            }
        }
        assert!(count > 10, "{count}");
    }
}

/// The client's trace tells the transcript's hash and the shared value: what the KDC's cookie gives agrees with it.
#[test]
fn spake_agrees_with_the_trace() {
    let Some(folder) = corpus("kerberos/captures") else { return };
    let trace = std::fs::read_to_string(folder.join("trace/as-spake.txt")).unwrap();
    let said = |what: &str| bytes(&trace.lines().find_map(|line| line.split_once(what)).unwrap().1[..64]);
    let read = |name: &str| std::fs::read(folder.join("raw").join(name)).unwrap();
    let backend = AwsLc::new();
    let key =
        StringToKey::new(EncType::Aes256CtsHmacSha196).salt(b"KRB.TESTalice").derive(&backend, b"alicepw").unwrap();
    let multiplier = tagwise_krb5::spake::multiplier(&backend, &key, 1).unwrap();
    let padata = |octets: &[u8]| -> Vec<u8> {
        let request = tagwise_krb5::messages::AsReq::from_der(octets).unwrap();
        let entry = request.0.padata.unwrap().iter().flatten().find(|entry| entry.padata_type == 151).unwrap();
        entry.padata_value.to_vec()
    };
    let error = read("004-as-spake-s2c-KRB-ERROR.bin");
    let error = tagwise_krb5::messages::KrbError::from_der(&error).unwrap();
    let methods = tagwise_krb5::messages::MethodData::from_der(error.e_data.unwrap().as_bytes()).unwrap();
    let challenge = methods.iter().flatten().find(|entry| entry.padata_type == 151).unwrap().padata_value.to_vec();
    let mut transcript = tagwise_krb5::spake::Transcript::default();
    transcript.update(&backend, &padata(&read("003-as-spake-c2s-AS-REQ.bin")), &challenge).unwrap();
    transcript.update(&backend, &said("SPAKE key generated with pubkey "), &[]).unwrap();
    assert_eq!(transcript.hash(), said("SPAKE final transcript hash: "));
    assert_eq!(multiplier.len(), 32);
}

/// Every cache of MIT's clients is read and written to the same bytes.
#[test]
fn credential_caches() {
    let Some(folder) = corpus("kerberos/captures/ccache") else { return };
    let mut counts = [0; 2];
    for (name, octets) in files(&folder) {
        let cache = Ccache::from_bytes(&octets).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(cache.to_bytes().unwrap() == octets, "{name}");
        counts[0] += 1;
        for credential in cache.tickets() {
            assert!(tagwise_krb5::messages::Ticket::from_der(&credential.ticket).is_ok(), "{name}: {credential:?}");
            assert!(credential.session_key().is_some());
            counts[1] += 1;
        }
        for len in 2..octets.len() {
            // A cut between two entries leaves a shorter cache, another cut none; nothing panics.
            if let Ok(shorter) = Ccache::from_bytes(&octets[..len]) {
                assert!(shorter.entries().len() < cache.entries().len());
            }
        }
    }
    assert!(counts[0] >= 46 && counts[1] > 46, "{counts:?}");
}

#[test]
fn keytabs() {
    let Some(folder) = corpus("kerberos/captures/keys") else { return };
    let backend = AwsLc::new();
    for name in ["all.keytab", "other-realm.keytab"] {
        let octets = std::fs::read(folder.join(name)).unwrap();
        let keytab = Keytab::from_bytes(&octets).unwrap();
        assert!(keytab.to_bytes().unwrap() == octets, "{name}");
        assert!(keytab.entries().iter().all(|entry| entry.to_key().is_some()));
    }
    // Passwords of the realm are the keys of the keytab, for each encryption type.
    let keytab = Keytab::from_bytes(&std::fs::read(folder.join("all.keytab")).unwrap()).unwrap();
    let bob = Principal::parse("bob@KRB.TEST", None).unwrap();
    for enc_type in EncType::ALL {
        let salt = bob.salt();
        let made = StringToKey::new(*enc_type).salt(&salt).derive(&backend, b"bobpw").unwrap();
        assert!(keytab.find(&bob, *enc_type, None).is_none_or(|key| key == made), "{enc_type}");
        assert!(keytab.find(&bob, *enc_type, None).is_some(), "{enc_type}");
    }
}
