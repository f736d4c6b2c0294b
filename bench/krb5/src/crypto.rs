//! Tickets decrypted, keys of passwords, messages wrapped: each beside what the backend takes for as many bytes.

use std::hint::black_box;
use std::num::NonZeroU32;

use aws_lc_rs::{hmac, pbkdf2};
use tagwise_codec::{Decode as _, OctetStr, UnixTime};
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::client::Moment;
use tagwise_krb5::crypto::{EncType, Key, StringToKey, usage};
use tagwise_krb5::gss::{Acceptor, AcceptorOptions, Context, Initiator, InitiatorOptions, ReplayCache, ServiceKeys};
use tagwise_krb5::messages::{EncryptedData, Ticket};
use tagwise_krb5::{Keytab, KeytabEntry, Principal};

use crate::captures::{keytab, ticket};
use crate::floor::Floor;
use crate::row::{Failure, Row};

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// The floor of an encryption type: any keys of its lengths.
fn floor(of: EncType) -> Floor {
    let mac = match of {
        EncType::Aes128CtsHmacSha256128 => hmac::HMAC_SHA256,
        EncType::Aes256CtsHmacSha384192 => hmac::HMAC_SHA384,
        _ => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
    };
    let mac_len = if of == EncType::Aes256CtsHmacSha384192 {
        24
    } else {
        of.key_len()
    };
    Floor {
        key: vec![3; of.key_len()],
        mac_key: vec![5; mac_len],
        mac,
    }
}

/// The captured tickets for a service, one for each encryption type.
const TICKETS: [(&str, EncType); 4] = [
    ("tgs-etype-aes128-cts-hmac-sha1-96", EncType::Aes128CtsHmacSha196),
    ("tgs-etype-aes256-cts-hmac-sha1-96", EncType::Aes256CtsHmacSha196),
    ("tgs-etype-aes128-cts-hmac-sha256-128", EncType::Aes128CtsHmacSha256128),
    ("tgs-etype-aes256-cts-hmac-sha384-192", EncType::Aes256CtsHmacSha384192),
];

fn service_key(keytab: &Keytab, ticket: &Ticket<'_>) -> Result<(EncType, Key), Failure> {
    let service = Principal::from_message(&ticket.sname, &ticket.realm)?;
    let enc_type = EncType::from_number(ticket.enc_part.etype).ok_or("an unknown encryption type")?;
    let kvno = ticket.enc_part.kvno.map(|kvno| kvno.get());
    Ok((
        enc_type,
        keytab.find(&service, enc_type, kvno).ok_or("no key for a ticket")?,
    ))
}

/// A keytab of a service with one key, and a captured ticket for it, with a ciphertext in that key.
fn accepting<'a>(of: Ticket<'a>, key: &Key, sent: &'a [u8]) -> Result<(ServiceKeys, Ticket<'a>), Failure> {
    let mut keytab = Keytab::default();
    keytab.add(KeytabEntry {
        principal: Principal::from_message(&of.sname, &of.realm)?,
        timestamp: UnixTime(0),
        kvno: 1,
        enc_type: key.enc_type().number(),
        key: key.expose().into(),
    });
    let enc_part = EncryptedData {
        etype: key.enc_type().number(),
        kvno: None,
        cipher: OctetStr::new(sent),
    };
    Ok((ServiceKeys::from(keytab), Ticket { enc_part, ..of }))
}

fn decrypting() -> Result<Vec<Row>, Failure> {
    let (backend, keytab) = (leak(AwsLc::new()), keytab()?);
    let mut rows = Vec::new();
    // A service has keys of one type as a rule: tickets are encrypted anew in each.
    for (cache, wanted) in TICKETS {
        let credential = leak(ticket(cache)?);
        let captured = Ticket::from_der(&credential.ticket)?;
        let (_, key) = service_key(&keytab, &captured)?;
        let plain = key.decrypt(backend, usage::TICKET, captured.enc_part.cipher.as_bytes())?;
        let key = leak(Key::new(wanted, vec![7; wanted.key_len()])?);
        let sent: &'static [u8] = leak(key.encrypt(backend, usage::TICKET, plain.expose())?);
        let ready = key.opening_key(backend, usage::TICKET)?;
        let (keys, again) = accepting(captured, key, sent)?;
        let (raw, whole) = (leak(floor(wanted)), &sent[..sent.len() - wanted.mac_len()]);
        let raw_ready = raw.ready()?;
        let row = Row::new(format!("ticket/{wanted}"), &[sent.len()])
            .way("raw, keys ready", move || {
                raw_ready.open(black_box(whole)).unwrap_or_default()
            })
            .way("tagwise, keys ready", move || {
                let plain = ready.decrypt(backend, black_box(sent));
                plain.map_or(0, |plain| plain.len() as u64)
            })
            .way("tagwise, an acceptor", move || {
                let plain = keys.open_ticket(backend, black_box(&again));
                plain.map_or(0, |plain| plain.len() as u64)
            })
            .way("raw, keys from bytes", move || {
                raw.open(black_box(whole)).unwrap_or_default()
            })
            .way("tagwise, keys derived", move || {
                let plain = key.decrypt(backend, usage::TICKET, black_box(sent));
                plain.map_or(0, |plain| plain.len() as u64)
            });
        #[cfg(feature = "peer-picky-krb")]
        let row = match picky_krb::crypto::CipherSuite::try_from(wanted.number() as usize) {
            Ok(suite) => {
                let (cipher, octets) = (suite.cipher(), vec![7; wanted.key_len()]);
                if cipher.decrypt(&octets, usage::TICKET as i32, sent).ok().as_deref() != Some(plain.expose()) {
                    return Err("picky-krb decrypts to something else".into());
                }
                row.way("picky-krb", move || {
                    cipher
                        .decrypt(&octets, usage::TICKET as i32, black_box(sent))
                        .map_or(0, |plain| plain.len() as u64)
                })
            }
            Err(_) => row,
        };
        rows.push(row);
    }
    Ok(rows)
}

fn keys_of_passwords() -> Result<Vec<Row>, Failure> {
    const PASSWORD: &[u8] = b"correct horse battery staple";
    const SALT: &[u8] = b"KRB.TESTalice";
    let backend = leak(AwsLc::new());
    let mut rows = Vec::new();
    for (wanted, algorithm, count) in [
        (EncType::Aes256CtsHmacSha196, pbkdf2::PBKDF2_HMAC_SHA1, 4096),
        (EncType::Aes256CtsHmacSha384192, pbkdf2::PBKDF2_HMAC_SHA384, 32_768),
    ] {
        let count = NonZeroU32::new(count).ok_or("no iterations")?;
        let row = Row::new(format!("string-to-key/{wanted}"), &[PASSWORD.len()])
            .way("PBKDF2 of AWS-LC", move || {
                let mut key = [0; 32];
                pbkdf2::derive(algorithm, count, SALT, black_box(PASSWORD), &mut key);
                u64::from(key[0])
            })
            .way("tagwise", move || {
                let key = StringToKey::new(wanted).salt(SALT).derive(backend, black_box(PASSWORD));
                key.map_or(0, |key| u64::from(key.expose()[0]))
            });
        #[cfg(feature = "openssl")]
        let row = {
            use tagwise_crypto::{Digest, Primitives as _};
            let openssl = tagwise_crypto::backends::OpenSsl::new();
            let digest = if count.get() == 4096 {
                Digest::Sha1
            } else {
                Digest::Sha384
            };
            row.way("PBKDF2 of OpenSSL", move || {
                let mut key = [0; 32];
                let made = openssl.pbkdf2(digest, black_box(PASSWORD), SALT, count.get(), &mut key);
                made.map_or(0, |()| u64::from(key[0]))
            })
        };
        #[cfg(feature = "peer-picky-krb")]
        let row = match picky_krb::crypto::CipherSuite::try_from(wanted.number() as usize) {
            Ok(suite) => row.way("picky-krb", move || {
                suite
                    .cipher()
                    .generate_key_from_password(black_box(PASSWORD), SALT)
                    .map_or(0, |key| u64::from(key[0]))
            }),
            Err(_) => row,
        };
        rows.push(row);
    }
    Ok(rows)
}

/// Two contexts of a captured ticket: the ticket is encrypted in the service's key, the session key is in the cache.
fn contexts(cache: &str) -> Result<[Context<'static>; 2], Failure> {
    let backend = leak(AwsLc::new());
    let credential = ticket(cache)?;
    let now = Moment {
        unix: credential.start_time.saturating_add(std::time::Duration::from_secs(1)),
        micros: 0,
    };
    let replays = leak(ReplayCache::new(16));
    let mut initiator = Initiator::new(backend, credential, InitiatorOptions::default());
    let accepted =
        Acceptor::new(backend, keytab()?, replays, AcceptorOptions::default()).accept(&initiator.start(now)?, now)?;
    initiator.reply(&accepted.token.ok_or("no answer")?)?;
    Ok([initiator.into_context()?, accepted.context])
}

fn wrapping() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (cache, wanted) in TICKETS.into_iter().filter(|(_, of)| of.key_len() == 32) {
        for size in [1024, 65_536] {
            let message: &'static [u8] = leak(vec![0x5A; size]);
            let [mut ours, _] = contexts(cache)?;
            let [mut from, mut to] = contexts(cache)?;
            let ready = leak(floor(wanted).ready()?);
            // The confounder and the copy of the header are encrypted, too.
            let sealed: &'static [u8] = leak(vec![0x5A; size + 32]);
            let there = Row::new(format!("wrap/{wanted}/{size}"), &[size])
                .way("raw, keys ready", move || {
                    ready.seal(black_box(sealed)).unwrap_or_default()
                })
                .way("tagwise", move || {
                    ours.wrap(black_box(message), true)
                        .map_or(0, |token| token.len() as u64)
                });
            let back = Row::new(format!("wrap and unwrap/{wanted}/{size}"), &[size])
                .way("raw, keys ready", move || {
                    let made = ready.seal(black_box(sealed)).unwrap_or_default();
                    made + ready.open(black_box(sealed)).unwrap_or_default()
                })
                .way("tagwise", move || {
                    let token = from.wrap(black_box(message), true).unwrap_or_default();
                    to.unwrap(&token).map_or(0, |opened| opened.data.len() as u64)
                });
            rows.extend([there, back]);
        }
    }
    Ok(rows)
}

/// All rows of this file.
pub(crate) fn rows() -> Result<Vec<Row>, Failure> {
    let mut rows = decrypting()?;
    rows.extend(keys_of_passwords()?);
    rows.extend(wrapping()?);
    Ok(rows)
}
