//! Key rotation for services and for the ticket-granting service. Old keys are kept while tickets encrypted with them are
//! valid.
//!
//! A service's new keys are added to its keytab before they are added to the database. Even if a rotation is interrupted,
//! the service can therefore decrypt everything that the KDC encrypts. The next rotation removes keys from the keytab that
//! never reached the database.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use serde::Serialize;
use tagwise_crypto::backends::AwsLc;
use tagwise_krb5::crypto::{EncType, StringToKey};
use tagwise_krb5::{Keytab, KeytabEntry, Principal};
use tagwise_pkix::UnixTime;

use super::manifest::{self, Manifest};
use super::{Layout, SetupError, realm};
use crate::policy::Policy;

/// Twice the clock skew that Kerberos tolerates, in seconds.
const SKEW: u64 = 600;
const DAY: u64 = 86_400;

/// Rotation options. By default, keys older than the policy's `max_age` days are replaced.
#[derive(Clone, Debug, Default)]
pub struct Rotation {
    /// The services whose keys to replace, such as `HTTP/web.local`.
    pub services: Vec<String>,
    /// True to replace the keys of the ticket-granting service.
    pub krbtgt: bool,
    /// True to replace all keys.
    pub all: bool,
    /// True to only plan the rotation, without changes.
    pub dry_run: bool,
    /// The current Unix time.
    pub now: u64,
}

/// A rotation action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The principal gets a new key, and keeps the old ones.
    Renew,
    /// The database's keys are written to the keytab.
    Write,
    /// Old keys are removed because no ticket encrypted with them is still valid.
    Drop,
}

/// A completed or planned rotation step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// The principal without its realm.
    pub principal: String,
    /// The action.
    pub action: Action,
    /// The newest key version after the action.
    pub kvno: u32,
    /// The keytab that is written, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keytab: Option<PathBuf>,
}

/// A principal's keys according to the database.
#[derive(Debug, PartialEq, Eq)]
struct Held {
    /// The time at which the newest key was created.
    since: u64,
    /// The maximum lifetime of a ticket that is encrypted with the newest key.
    life: u64,
    /// The key versions, newest first.
    kvnos: Vec<u32>,
    /// The encryption type numbers of the newest version.
    enc_types: Vec<i32>,
}

/// Reads a line of `getprinc -terse`.
fn parse(line: &str) -> Option<Held> {
    let fields: Vec<&str> = line.trim_end().split('\t').collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    // The last change of the key, or for one that never changed the last change of the entry.
    let since = match number(2)? {
        0 => number(6)?,
        changed => changed,
    };
    // Form, version, encryption type and type of salt.
    let keys = fields.get(16..)?.chunks_exact(4);
    let keys = keys.map(|key| Some((key.get(1)?.parse().ok()?, key.get(2)?.parse().ok()?)));
    let keys = keys.collect::<Option<Vec<(u32, i32)>>>()?;
    let mut kvnos: Vec<u32> = keys.iter().map(|(kvno, _)| *kvno).collect();
    kvnos.sort_unstable_by(|one, other| other.cmp(one));
    kvnos.dedup();
    let newest = *kvnos.first()?;
    let enc_types = keys.iter().filter(|(kvno, _)| *kvno == newest).map(|(_, number)| *number).collect();
    Some(Held { since, life: number(4)?.max(number(11)?), kvnos, enc_types })
}

/// Rotates keys, or lists the planned steps with `dry_run`.
///
/// # Errors
///
/// Returns an error if there is no local KDC, the policy is invalid or does not contain a service, another rotation is
/// running, or programs fail. Completed steps remain consistent.
pub fn rotate(layout: &Layout, rotation: &Rotation) -> Result<Vec<Turn>, SetupError> {
    let path = layout.manifest();
    let other = |text: String| SetupError::Other(text);
    Manifest::read(&path)?.ok_or_else(|| other("no local KDC found: set one up first".to_owned()))?;
    let file = crate::policy::open(&path).map_err(SetupError::at(&path))?;
    let _lock = Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, error)| match error {
        Errno::EWOULDBLOCK => other("another rotation is in progress".to_owned()),
        error => SetupError::at(&path)(error.into()),
    })?;
    let policy = Policy::read(&layout.policy())?;
    let realm = policy.realm.as_str();
    let services = realm::services(&policy);
    if let Some(unknown) = rotation.services.iter().find(|name| !services.contains(*name)) {
        return Err(other(format!("{unknown} is not a service of the policy")));
    }
    let tgs = format!("krbtgt/{realm}");
    let names = services.iter().map(|name| (name.as_str(), true)).chain([(tgs.as_str(), false)]);
    let mut turns = Vec::new();
    for (name, is_service) in names {
        let chosen =
            rotation.all || if is_service { rotation.services.iter().any(|one| one == name) } else { rotation.krbtgt };
        let asked = rotation.all || rotation.krbtgt || !rotation.services.is_empty();
        let mut one = One { layout, policy: &policy, name, rotation, turns: &mut turns };
        let mut held = one.held()?;
        let age = rotation.now.saturating_sub(held.since);
        if chosen || (!asked && age > u64::from(policy.keys.max_age).saturating_mul(DAY)) {
            held = one.renew(held, is_service)?;
        } else if held.kvnos.len() > 1 && age > one.longest(&held).saturating_add(SKEW) {
            held = one.forget(held)?;
        }
        if is_service {
            one.write(&held)?;
        }
    }
    Ok(turns)
}

/// A principal whose keys are rotated.
struct One<'a> {
    layout: &'a Layout,
    policy: &'a Policy,
    name: &'a str,
    rotation: &'a Rotation,
    turns: &'a mut Vec<Turn>,
}

impl One<'_> {
    fn query(&self, arguments: &[&str]) -> Result<String, SetupError> {
        realm::query(self.layout, self.policy.realm.as_str(), arguments)
    }

    fn held(&self) -> Result<Held, SetupError> {
        let said = self.query(&["getprinc", "-terse", self.name])?;
        let line = said.lines().find_map(parse);
        line.ok_or_else(|| SetupError::Program("kadmin.local", format!("{}: unexpected reply: {said}", self.name)))
    }

    /// Returns the maximum lifetime of a ticket that is encrypted with a key, including renewals, according to the entry and the realm.
    fn longest(&self, held: &Held) -> u64 {
        let tickets = &self.policy.tickets;
        held.life.max(tickets.max_life.max(tickets.max_renewable_life).into())
    }

    fn turn(&mut self, action: Action, kvno: u32, keytab: Option<PathBuf>) {
        self.turns.push(Turn { principal: self.name.to_owned(), action, kvno, keytab });
    }

    fn renew(&mut self, mut held: Held, is_service: bool) -> Result<Held, SetupError> {
        if self.rotation.dry_run {
            held.kvnos.insert(0, held.kvnos.first().copied().unwrap_or(0).saturating_add(1));
        } else {
            match is_service {
                true => self.renew_service(&held)?,
                false => self.query(&["cpw", "-randkey", "-keepold", self.name]).map(drop)?,
            }
            held = self.held()?;
        }
        let newest = held.kvnos.first().copied().unwrap_or(0);
        self.turn(Action::Renew, newest, None);
        if is_service && !self.rotation.dry_run {
            self.turn(Action::Write, newest, Some(realm::keytab(self.layout, self.policy, self.name)));
        }
        Ok(held)
    }

    /// Creates new keys, and writes them to the keytab before the database. They are derived from a random password, because kadmin
    /// accepts externally created keys in no other form.
    fn renew_service(&self, held: &Held) -> Result<(), SetupError> {
        let other = |error: &dyn std::fmt::Display| SetupError::Other(format!("{}: {error}", self.name));
        let backend = AwsLc::new();
        let password = realm::password(&backend)?;
        let principal = realm::principal(self.name, self.policy.realm.as_str())?;
        let kvno = held.kvnos.first().copied().unwrap_or(0).saturating_add(1);
        let path = realm::keytab(self.layout, self.policy, self.name);
        let mut keytab = realm::read_keytab(&path)?;
        keytab.retain(|entry| entry.principal != principal || entry.kvno != kvno);
        let mut salts = Vec::new();
        for number in &held.enc_types {
            let enc_type = EncType::from_number(*number).ok_or_else(|| {
                other(&format_args!("unsupported encryption type {number}, expected one of AES or Camellia"))
            })?;
            let key = StringToKey::new(enc_type).salt(&principal.salt()).derive(&backend, password.as_bytes());
            let key = key.map_err(|error| other(&error))?;
            keytab.add(KeytabEntry {
                principal: principal.clone(),
                timestamp: UnixTime(i64::try_from(self.rotation.now).unwrap_or(i64::MAX)),
                kvno,
                enc_type: enc_type.number(),
                key: tagwise_crypto::Secret::from(key.expose()),
            });
            salts.push(format!("{}:normal", enc_type.name()));
        }
        replace(&path, &keytab)?;
        let input = zeroize::Zeroizing::new(format!("{}\n{}\n", *password, *password));
        let arguments = ["cpw", "-keepold", "-e", &salts.join(","), self.name];
        realm::query_with(self.layout, self.policy.realm.as_str(), &arguments, input.as_bytes()).map(drop)
    }

    fn forget(&mut self, mut held: Held) -> Result<Held, SetupError> {
        let newest = held.kvnos.first().copied().unwrap_or(0);
        if self.rotation.dry_run {
            held.kvnos.truncate(1);
        } else {
            self.query(&["purgekeys", "-keepkvno", &newest.to_string(), self.name])?;
            held = self.held()?;
        }
        self.turn(Action::Drop, newest, None);
        Ok(held)
    }

    /// Updates a keytab to match the database. Services can use new keys as soon as they are written.
    fn write(&mut self, held: &Held) -> Result<(), SetupError> {
        let path = realm::keytab(self.layout, self.policy, self.name);
        let principal = realm::principal(self.name, self.policy.realm.as_str())?;
        let before = realm::read_keytab(&path)?;
        let mut there: Vec<u32> = entries(&before, &principal).map(|entry| entry.kvno).collect();
        there.sort_unstable_by(|one, other| other.cmp(one));
        there.dedup();
        if there == held.kvnos && (self.rotation.dry_run || self.agrees(&before, &principal)?) {
            return Ok(());
        }
        let newest = held.kvnos.first().copied().unwrap_or(0);
        if !self.rotation.dry_run {
            let fresh = self.extract()?;
            let mut after = before;
            after.retain(|entry| entry.principal != principal);
            after.merge(&fresh);
            replace(&path, &after)?;
        }
        self.turn(Action::Write, newest, Some(path));
        Ok(())
    }

    /// Returns whether a keytab contains the database's keys. Comparing versions is not enough, because an interrupted rotation may have
    /// written the same version.
    fn agrees(&self, keytab: &Keytab, principal: &Principal) -> Result<bool, SetupError> {
        let fresh = self.extract()?;
        let is_there = |wanted: &KeytabEntry| {
            entries(keytab, principal).any(|entry| {
                (entry.kvno, entry.enc_type) == (wanted.kvno, wanted.enc_type)
                    && entry.key.expose() == wanted.key.expose()
            })
        };
        Ok(entries(&fresh, principal).all(is_there))
    }

    /// Extracts the principal's keys from the database, through a temporary keytab.
    fn extract(&self) -> Result<Keytab, SetupError> {
        let path = self.layout.rotation();
        let remove = || match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(SetupError::Io(path.clone(), error)),
            _ => Ok(()),
        };
        remove()?;
        let extracted = self.query(&["ktadd", "-k", &path.display().to_string(), "-norandkey", self.name]);
        let read = extracted.and_then(|_| realm::read_keytab(&path));
        remove()?;
        read
    }
}

fn entries<'k>(keytab: &'k Keytab, of: &'k Principal) -> impl Iterator<Item = &'k tagwise_krb5::KeytabEntry> {
    keytab.entries().iter().filter(move |entry| entry.principal == *of)
}

/// Replaces a keytab atomically, with the same owner and mode.
fn replace(path: &Path, keytab: &Keytab) -> Result<(), SetupError> {
    let path = if path.exists() { path.canonicalize().map_err(SetupError::at(path))? } else { path.to_owned() };
    let bytes = keytab.to_bytes().map_err(|error| SetupError::Other(format!("{}: {error}", path.display())))?;
    let bytes = zeroize::Zeroizing::new(bytes);
    let owner = match fs::metadata(&path) {
        Ok(data) => Some((data.uid(), data.gid(), data.mode() & 0o7777)),
        Err(_) => None,
    };
    manifest::write_as(&path, &bytes, owner.map_or(0o600, |(.., mode)| mode), owner.map(|(uid, gid, _)| (uid, gid)))
        .map_err(SetupError::at(&path))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn terse_entries() {
        let line = "\"host/a@A.B\"\t0\t1795681950\t0\t86400\t\"root/admin@A.B\"\t1795681951\t0\t2\t1\t\"[none]\"\t604800\t0\t0\t0\t4\t1\t2\t18\t0\t1\t2\t17\t0\t1\t1\t18\t0\t1\t1\t17\t0";
        let held = parse(line).unwrap();
        assert_eq!(held, Held { since: 1_795_681_950, life: 604_800, kvnos: vec![2, 1], enc_types: vec![18, 17] });
        // Never changed.
        let held = parse(&line.replacen("1795681950", "0", 1)).unwrap();
        assert_eq!(held.since, 1_795_681_951);
        for other in
            ["", "Authenticating as principal x", "\"a\"\t0\t1\t0\t1\t\"b\"\t1\t0\t1\t1\t\"[none]\"\t0\t0\t0\t0\t0"]
        {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
