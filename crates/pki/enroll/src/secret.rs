//! Secrets of clients: passwords of EST users, challenge passwords of SCEP, and shared secrets of CMP.
//!
//! Passwords and challenge passwords are stored as hashes. Shared secrets of CMP are stored as they are, because both sides
//! compute MACs with them (RFC 9810 §5.1.3.1): protect the database and its backups accordingly.

use core::net::IpAddr;

use tagwise_ca::{AltName, Authority, Documents, Error, Record, Records, Row};
use tagwise_codec::text::hex;
use tagwise_crypto::{Backend, Digest, Secret};
use tagwise_pkix::UnixTime;

use crate::policy::Policy;
pub use crate::records::Usage;
use crate::records::{Count, Credential, Verifier};
use crate::refusal::{Kind, Refusal};

/// A secret to create.
#[derive(Clone, Debug)]
pub struct NewSecret<'a> {
    /// The purpose.
    pub usage: Usage,
    /// The name of the grant in the policy.
    pub grant: &'a str,
    /// The description for the operator.
    pub note: &'a str,
    /// The only names that certificates may contain: `dns:www.example.org`. Empty for all that the grant allows.
    pub names: &'a [AltName],
    /// The time after which the secret is invalid.
    pub expires: UnixTime,
    /// True if the secret can be used for one certificate. Challenge passwords always can be used once.
    pub once: bool,
}

/// A secret as it is listed, without its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSecret {
    /// The identifier: the user's name, the first part of a challenge password, or the reference for CMP.
    pub id: String,
    /// The purpose.
    pub usage: Usage,
    /// The name of the grant in the policy.
    pub grant: String,
    /// The operator's note.
    pub note: String,
    /// The time of creation.
    pub created: UnixTime,
    /// The time after which the secret is invalid.
    pub expires: UnixTime,
    /// True if the secret could be used once and was.
    pub used: bool,
}

/// The iterations for passwords that people choose (OWASP Password Storage Cheat Sheet, 2023).
const CHOSEN: u32 = 600_000;

/// The iterations for secrets with 160 random bits, which cannot be guessed.
const GENERATED: u32 = 1;

/// The owner of the documents of all secrets, by which they are listed.
const OWNER: &str = "operator";

fn crypto(error: tagwise_crypto::Error) -> Error {
    Error::Crypto { what: "the secret", error }
}

/// Creates a secret with 160 random bits. Returns its identifier, and the text that the client is configured with: for
/// challenge passwords, both in one.
///
/// # Errors
/// Errors of the database or the random number generator.
pub fn add(
    store: &mut dyn Documents,
    authority: &Authority,
    backend: &dyn Backend,
    new: &NewSecret<'_>,
    now: UnixTime,
) -> Result<(String, Secret), Error> {
    let (mut id, mut secret) = ([0; 8], Secret::zeroed(20));
    backend.random(&mut id).map_err(crypto)?;
    backend.random(secret.expose_mut()).map_err(crypto)?;
    let (id, text) = (hex::encode(&id), Secret::from(hex::encode(secret.expose()).into_bytes()));
    insert(store, authority, backend, new, (&id, &text, GENERATED), now)?;
    let text = match new.usage {
        Usage::Challenge => Secret::from([id.as_bytes(), b"-", text.expose()].concat()),
        Usage::User | Usage::Shared => text,
    };
    Ok((id, text))
}

/// Creates a secret with a chosen name and password. Challenge passwords are always generated: see [`add`].
///
/// # Errors
/// Returns [`Error::Refused`] if the name is malformed or taken, the password is shorter than 8 bytes, or the purpose is
/// [`Usage::Challenge`]. Also fails if the database does.
pub fn add_chosen(
    store: &mut dyn Documents,
    authority: &Authority,
    backend: &dyn Backend,
    name: &str,
    password: &Secret,
    new: &NewSecret<'_>,
    now: UnixTime,
) -> Result<(), Error> {
    let refused = |what: &str| Error::Refused { what: what.to_owned(), clause: None };
    // RFC 7617 §2: no colon.
    if !is_name(name) {
        return Err(refused("the name must consist of 1 to 64 letters, digits and any of -_.@"));
    }
    if new.usage == Usage::Challenge {
        return Err(refused("challenge passwords cannot be chosen"));
    }
    if password.len() < 8 {
        return Err(refused("the password is too short, expected at least 8 bytes"));
    }
    insert(store, authority, backend, new, (name, password, CHOSEN), now)
}

fn is_name(name: &str) -> bool {
    let plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-_.@".contains(&octet);
    (1..=64).contains(&name.len()) && name.bytes().all(plain)
}

fn insert(
    store: &mut dyn Documents,
    authority: &Authority,
    backend: &dyn Backend,
    new: &NewSecret<'_>,
    (name, secret, iterations): (&str, &Secret, u32),
    now: UnixTime,
) -> Result<(), Error> {
    let verifier = match new.usage {
        Usage::Shared => Verifier::Shared { secret: hex::encode(secret.expose()) },
        Usage::User | Usage::Challenge => {
            let (mut salt, mut hash) = ([0; 16], [0; 32]);
            backend.random(&mut salt).map_err(crypto)?;
            backend.pbkdf2(Digest::Sha256, secret.expose(), &salt, iterations, &mut hash).map_err(crypto)?;
            Verifier::Hashed { salt: hex::encode(&salt), iterations, hash: hex::encode(&hash) }
        }
    };
    let credential = Credential {
        usage: new.usage,
        grant: new.grant.to_owned(),
        note: new.note.to_owned(),
        names: new.names.iter().map(|name| format!("{}:{}", name.kind(), name.value())).collect(),
        created: now.0,
        // RFC 8894 §7.3: a challenge password that is used twice admits whoever has seen it.
        chosen: iterations == CHOSEN,
        once: new.once || new.usage == Usage::Challenge,
        used: None,
        recorded: false,
        verifier,
    };
    let mut records = Records { store, authority: authority.id() };
    let is_new = records.insert(&Row::new(name, OWNER, new.expires, credential))?;
    if is_new { Ok(()) } else { Err(Error::Refused { what: format!("the name {name} is taken"), clause: None }) }
}

/// Lists all secrets.
///
/// # Errors
/// Errors of the database.
pub fn list(store: &mut dyn Documents, authority: &Authority) -> Result<Vec<ListedSecret>, Error> {
    let rows = Records { store, authority: authority.id() }.list::<Credential>(OWNER)?;
    let listed = |row: Row<Credential>| ListedSecret {
        id: row.id().to_owned(),
        expires: row.expires(),
        usage: row.value.usage,
        created: UnixTime(row.value.created),
        used: row.value.used.is_some(),
        grant: row.value.grant,
        note: row.value.note,
    };
    Ok(rows.into_iter().map(listed).collect())
}

/// Removes a secret. Returns false if there is none. Certificates that were issued with it remain valid.
///
/// # Errors
/// Errors of the database.
pub fn remove(store: &mut dyn Documents, authority: &Authority, id: &str) -> Result<bool, Error> {
    store.take_document(authority.id(), Credential::KIND, id).map(|found| found.is_some())
}

/// Compares without a dependency on the position of the first difference.
pub(crate) fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differing = one.iter().zip(other).fold(0, |bits, (one, other)| bits | (one ^ other));
    one.len() == other.len() && core::hint::black_box(differing) == 0
}

/// Checks the secret of a client.
pub(crate) struct Check<'r, 's> {
    pub(crate) records: &'r mut Records<'s>,
    pub(crate) backend: &'r dyn Backend,
    pub(crate) policy: &'r Policy,
    /// The client's address.
    pub(crate) peer: Option<IpAddr>,
    pub(crate) now: UnixTime,
}

impl Check<'_, '_> {
    /// A secret by its identifier, whose value the caller checks: see [`failed`](Self::failed).
    pub(crate) fn find(&mut self, usage: Usage, id: &str) -> Result<Row<Credential>, Refusal> {
        if !is_name(id) {
            return Err(Refusal::unauthenticated());
        }
        let found = self.records.get::<Credential>(id)?;
        match found.filter(|row| row.value.usage == usage && row.expires() >= self.now) {
            // Nobody guesses 160 random bits. If the right secret were refused too, others could lock out the client.
            Some(row) if !row.value.chosen => Ok(row),
            Some(row) => self.check_counts(id).map(|()| row),
            None => Err(self.failed(id)),
        }
    }

    /// Verifies a password.
    pub(crate) fn password(&mut self, usage: Usage, id: &str, password: &[u8]) -> Result<Row<Credential>, Refusal> {
        let row = match self.find(usage, id) {
            Err(refusal) if refusal.kind == Kind::Unauthenticated => {
                // Takes as long as for a user, at least as often as guesses of one user's password are allowed.
                let unknown = self.by_name("")?;
                if usage == Usage::User && self.check_count(&unknown).is_ok() {
                    self.hash(password, &[0; 16], CHOSEN)?;
                    self.count(&unknown.0)?;
                }
                return Err(refusal);
            }
            found => found?,
        };
        let Verifier::Hashed { salt, iterations, hash } = &row.value.verifier else {
            return Err(Refusal::unauthenticated());
        };
        let damaged = |_| Refusal::internal("a stored hash is malformed");
        let salt = hex::decode(salt.as_bytes()).map_err(damaged)?;
        let expected = hex::decode(hash.as_bytes()).map_err(damaged)?;
        if is_same(&self.hash(password, &salt, *iterations)?, &expected) {
            return Ok(row);
        }
        Err(self.failed(id))
    }

    fn hash(&self, password: &[u8], salt: &[u8], iterations: u32) -> Result<[u8; 32], Refusal> {
        let mut hash = [0; 32];
        let done = self.backend.pbkdf2(Digest::Sha256, password, salt, iterations, &mut hash);
        done.map_err(Refusal::internal).map(|()| hash)
    }

    /// The secret with which a client computes MACs.
    pub(crate) fn shared(row: &Row<Credential>) -> Result<Secret, Refusal> {
        let Verifier::Shared { secret } = &row.value.verifier else { return Err(Refusal::unauthenticated()) };
        let octets = hex::decode(secret.as_bytes()).map_err(|_| Refusal::internal("a stored secret is malformed"))?;
        Ok(Secret::from(octets))
    }

    /// The counter of a name. Names share 65,536 counters, so that unknown names do not fill the database.
    fn by_name(&self, id: &str) -> Result<(String, u32), Refusal> {
        let group = if id.is_empty() { String::new() } else { self.group(id.as_bytes())? };
        Ok((group, self.policy.failures_per_hour))
    }

    /// The counter of the client's address. Addresses share 65,536 counters, too. Those of this machine have none: a reverse proxy may
    /// have sent the requests of all clients.
    fn by_address(&self) -> Result<Option<(String, u32)>, Refusal> {
        let octets = match self.peer.map(|peer| peer.to_canonical()) {
            Some(address) if address.is_loopback() => return Ok(None),
            Some(IpAddr::V4(address)) => address.octets().to_vec(),
            // A client usually has a whole subnet (RFC 6177 §2).
            Some(IpAddr::V6(address)) => (address.to_bits() >> 64).to_be_bytes().to_vec(),
            None => return Ok(None),
        };
        Ok(Some((format!("address/{}", self.group(&octets)?), self.policy.address_failures_per_hour)))
    }

    fn group(&self, octets: &[u8]) -> Result<String, Refusal> {
        let hash = self.backend.digest(Digest::Sha256, octets).map_err(Refusal::internal)?;
        Ok(hex::encode(hash.get(..2).unwrap_or_default()))
    }

    fn counter(&mut self, group: &str) -> Result<Row<Count>, Refusal> {
        let hour = self.now.0.div_euclid(3600);
        let key = format!("{hour}/{group}");
        let expires = self.now.saturating_add(core::time::Duration::from_secs(3600));
        let found = self.records.get(&key)?;
        Ok(found.unwrap_or_else(|| Row::new(&key, "", expires, Count { count: 0 })))
    }

    fn check_count(&mut self, (group, most): &(String, u32)) -> Result<(), Refusal> {
        if self.counter(group)?.value.count < *most {
            return Ok(());
        }
        Err(Refusal::new(Kind::Limited, "too many failed authentications in this hour"))
    }

    /// Checks the counters of a name and of the client's address.
    fn check_counts(&mut self, id: &str) -> Result<(), Refusal> {
        let counters = [Some(self.by_name(id)?), self.by_address()?];
        counters.iter().flatten().try_for_each(|counter| self.check_count(counter))
    }

    /// Counts a failed authentication, and returns its refusal. They do not depend on the name, so they do not reveal which
    /// names exist.
    pub(crate) fn failed(&mut self, id: &str) -> Refusal {
        let counted = self.check_counts(id).and_then(|()| {
            let counters = [Some(self.by_name(id)?), self.by_address()?];
            counters.iter().flatten().try_for_each(|(group, _)| self.count(group))
        });
        counted.map_or_else(|refusal| refusal, |()| Refusal::unauthenticated())
    }

    fn count(&mut self, group: &str) -> Result<(), Refusal> {
        for _ in 0..8 {
            let mut row = self.counter(group)?;
            row.value.count = row.value.count.saturating_add(1);
            let done = match row.value.count {
                1 => self.records.insert(&row)?,
                _ => match self.records.update(&mut row) {
                    Err(Error::Conflict) => false,
                    done => done.map(|()| true)?,
                },
            };
            if done {
                return Ok(());
            }
        }
        Err(Refusal::busy())
    }
}
