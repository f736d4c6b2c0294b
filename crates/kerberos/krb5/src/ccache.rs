//! Credential cache files, versions 1 to 4: a principal and its tickets.
//!
//! Versions 1 and 2 use the writer's byte order, which is detected heuristically. Version 1 has no name types, and counts
//! the realm as a component. Both versions are read-only, and are written as version 4.

use core::fmt;

use tagwise_crypto::Secret;
use tagwise_pkix::UnixTime;

use crate::bin::{Cursor, FileError, Order, put32};
use crate::crypto::{EncType, Key};
use crate::{Principal, numbers};

/// The realm of entries that contain configuration instead of a ticket.
const CONFIG_REALM: &[u8] = b"X-CACHECONF:";
/// The first component of the service name in configuration entries.
const CONFIG_NAME: &[u8] = b"krb5_ccache_conf_data";

/// A ticket, with its session key and other client-side data.
#[derive(Clone)]
pub struct Credential {
    /// The client in the ticket.
    pub client: Principal,
    /// The service.
    pub server: Principal,
    /// The encryption type number of the session key.
    pub enc_type: i32,
    /// The session key's bytes.
    pub key: Secret,
    /// The time of the client's initial authentication.
    pub auth_time: UnixTime,
    /// The start of the ticket's validity.
    pub start_time: UnixTime,
    /// The ticket's expiration time.
    pub end_time: UnixTime,
    /// The end of the ticket's renewable lifetime, or 0 if it is not renewable.
    pub renew_till: UnixTime,
    /// Nonzero if the ticket is encrypted with a session key (user to user). MIT's clients write 8.
    pub is_skey: u8,
    /// The ticket flags, with flag 0 as the most significant bit.
    pub flags: u32,
    /// The addresses for which the ticket is valid: type and bytes.
    pub addresses: Vec<(u16, Vec<u8>)>,
    /// Authorization data: type and bytes.
    pub auth_data: Vec<(u16, Vec<u8>)>,
    /// The ticket, in DER.
    pub ticket: Vec<u8>,
    /// The second ticket, whose session key encrypts the first one (user to user).
    pub second_ticket: Vec<u8>,
}

impl Credential {
    /// Returns the session key, if its encryption type is supported.
    #[must_use]
    pub fn session_key(&self) -> Option<Key> {
        Key::new(EncType::from_number(self.enc_type)?, self.key.clone()).ok()
    }

    /// Decodes a standalone version 4 credential, as stored by services and keyrings.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only read on UNIX"))]
    pub(crate) fn from_bytes(octets: &[u8]) -> Result<Self, FileError> {
        let mut cursor = Cursor::new(octets, Order::Big);
        let credential = read_credential(&mut cursor, 4)?;
        ended(&cursor)?;
        Ok(credential)
    }

    /// Encodes the credential as in a version 3 or 4 file. Returns `None` if a value is too long for the format.
    pub(crate) fn to_bytes(&self, version: u8) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        write_credential(&mut out, self, version)?;
        Some(out)
    }

    /// Returns the name and value of a configuration entry, or `None` for a ticket. The name consists of the setting and optionally a
    /// principal.
    #[must_use]
    pub fn config(&self) -> Option<(Vec<&[u8]>, &[u8])> {
        let mut components = self.server.components();
        if self.server.realm() != CONFIG_REALM || components.first() != Some(&CONFIG_NAME) {
            return None;
        }
        components.remove(0);
        Some((components, &self.ticket))
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = numbers::enc_type::name(self.enc_type).unwrap_or("unknown");
        write!(f, "Credential({} for {}, {name}, until {})", self.client, self.server, self.end_time)
    }
}

/// A credential cache.
///
/// ```
/// use tagwise_krb5::{Ccache, Principal};
/// let cache = Ccache::new(Principal::parse("alice@KRB.TEST", None)?);
/// let read = Ccache::from_bytes(&cache.to_bytes()?)?;
/// assert_eq!(read.principal(), cache.principal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ccache {
    version: u8,
    /// Header fields of version 4: tag and bytes.
    header: Vec<(u16, Vec<u8>)>,
    principal: Principal,
    credentials: Vec<Credential>,
}

impl Ccache {
    /// Creates an empty version 4 cache.
    #[must_use]
    pub const fn new(principal: Principal) -> Self {
        Self { version: 4, header: Vec::new(), principal, credentials: Vec::new() }
    }

    /// Creates a version 4 cache with the given contents.
    #[cfg_attr(not(unix), expect(dead_code, reason = "only created on UNIX"))]
    pub(crate) fn from_parts(principal: Principal, credentials: Vec<Credential>, offset: Option<(i32, i32)>) -> Self {
        let offset = offset.map(|(seconds, micros)| (1, [seconds.to_be_bytes(), micros.to_be_bytes()].concat()));
        Self { version: 4, header: offset.into_iter().collect(), principal, credentials }
    }

    /// Reads a cache of version 1 to 4.
    ///
    /// # Errors
    /// Returns a `FileError` with its position if the cache is malformed.
    pub fn from_bytes(octets: &[u8]) -> Result<Self, FileError> {
        match octets {
            [5, 1 | 2, ..] => {
                let little = Self::read(octets, Order::Little);
                little.or_else(|error| Self::read(octets, Order::Big).map_err(|_| error))
            }
            _ => Self::read(octets, Order::Big),
        }
    }

    fn read(octets: &[u8], order: Order) -> Result<Self, FileError> {
        let mut cursor = Cursor::new(octets, order);
        let version = match cursor.take(2)? {
            [5, version @ 1..=4] => *version,
            _ => {
                return Err(FileError::new(0, "not a credential cache: expected the byte 5 and a version from 1 to 4"));
            }
        };
        let mut header = Vec::new();
        if version == 4 {
            let len = usize::from(cursor.u16()?);
            let mut fields = cursor.window(len)?;
            while !fields.is_empty() {
                header.push((fields.u16()?, fields.counted16()?.to_vec()));
            }
        }
        let principal = read_principal(&mut cursor, version)?;
        let mut credentials = Vec::new();
        while !cursor.is_empty() {
            credentials.push(read_credential(&mut cursor, version)?);
        }
        Ok(Self { version, header, principal, credentials })
    }

    /// Encodes the cache in its own version, or as version 4 for versions 1 and 2.
    ///
    /// # Errors
    /// Returns an error if a value is too long for the format. The offset is the credential's index.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        let too_long = |at| FileError::new(at, "a credential is too long for a credential cache");
        let version = if self.version < 3 { 4 } else { self.version };
        let mut out = vec![5, version];
        if version == 4 {
            let mut fields = Vec::new();
            for (tag, field) in &self.header {
                fields.extend(tag.to_be_bytes());
                crate::bin::put16(&mut fields, field).ok_or_else(|| too_long(0))?;
            }
            crate::bin::put16(&mut out, &fields).ok_or_else(|| too_long(0))?;
        }
        write_principal(&mut out, &self.principal).ok_or_else(|| too_long(0))?;
        for (at, credential) in self.credentials.iter().enumerate() {
            write_credential(&mut out, credential, version).ok_or_else(|| too_long(at))?;
        }
        Ok(out)
    }

    /// Returns the format version: 1 to 4.
    #[must_use]
    pub const fn version(&self) -> u8 {
        self.version
    }

    /// Returns the principal that owns the cache.
    #[must_use]
    pub const fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Returns the KDC's clock offset in seconds and microseconds, if the header contains it.
    #[must_use]
    pub fn time_offset(&self) -> Option<(i32, i32)> {
        let (_, field) = self.header.iter().find(|(tag, _)| *tag == 1)?;
        let mut cursor = Cursor::new(field, Order::Big);
        Some((cursor.i32().ok()?, cursor.i32().ok()?))
    }

    /// Returns the seconds by which the KDC's clock is ahead of the client's clock, or 0 if the header does not contain an offset.
    #[must_use]
    pub fn ahead_seconds(&self) -> i64 {
        self.time_offset().map_or(0, |(seconds, _)| i64::from(seconds))
    }

    /// Sets the KDC's clock offset in the header of version 4, in seconds.
    ///
    /// ```
    /// use tagwise_krb5::{Ccache, Principal};
    /// let mut cache = Ccache::new(Principal::parse("alice@KRB.TEST", None)?);
    /// cache.set_ahead_seconds(-3600);
    /// assert_eq!(Ccache::from_bytes(&cache.to_bytes()?)?.time_offset(), Some((-3600, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_ahead_seconds(&mut self, seconds: i32) {
        self.header.retain(|(tag, _)| *tag != 1);
        self.header.push((1, [seconds.to_be_bytes(), [0; 4]].concat()));
    }

    /// All entries in file order, including configuration entries.
    #[must_use]
    pub fn entries(&self) -> &[Credential] {
        &self.credentials
    }

    /// Iterates over the ticket entries.
    pub fn tickets(&self) -> impl Iterator<Item = &Credential> {
        self.credentials.iter().filter(|credential| credential.config().is_none())
    }

    /// Returns a configuration value for a service principal, or for the whole cache.
    #[must_use]
    pub fn config(&self, name: &str, principal: Option<&Principal>) -> Option<&[u8]> {
        let principal = principal.map(ToString::to_string);
        let wanted: Vec<&[u8]> =
            core::iter::once(name.as_bytes()).chain(principal.as_ref().map(String::as_bytes)).collect();
        self.credentials.iter().filter_map(Credential::config).find(|(name, _)| *name == wanted).map(|(_, value)| value)
    }

    /// Sets a configuration value, replacing a previous one.
    pub fn set_config(&mut self, name: &str, principal: Option<&Principal>, value: &[u8]) {
        let principal = principal.map(ToString::to_string);
        let parts = [CONFIG_NAME, name.as_bytes()].into_iter().chain(principal.as_ref().map(String::as_bytes));
        let server = Principal::new(numbers::name_type::UNKNOWN, CONFIG_REALM, parts);
        self.credentials.retain(|credential| credential.server != server);
        self.credentials.push(Credential {
            client: self.principal.clone(),
            server,
            enc_type: 0,
            key: Secret::default(),
            auth_time: UnixTime(0),
            start_time: UnixTime(0),
            end_time: UnixTime(0),
            renew_till: UnixTime(0),
            is_skey: 0,
            flags: 0,
            addresses: Vec::new(),
            auth_data: Vec::new(),
            ticket: value.to_vec(),
            second_ticket: Vec::new(),
        });
    }

    /// Appends a credential, replacing any for the same service.
    pub fn store(&mut self, credential: Credential) {
        self.credentials
            .retain(|one| one.server != credential.server || (one.is_skey != 0) != (credential.is_skey != 0));
        self.credentials.push(credential);
    }

    /// Returns the unexpired credential for a service that expires last.
    #[must_use]
    pub fn find(&self, server: &Principal, now: UnixTime) -> Option<&Credential> {
        self.tickets().filter(|one| one.server == *server && one.end_time > now).max_by_key(|one| one.end_time)
    }

    /// Returns a valid ticket-granting ticket: for the given realm if available, otherwise for the client's realm.
    #[must_use]
    pub fn granting(&self, realm: Option<&[u8]>, now: UnixTime) -> Option<&Credential> {
        let home = self.principal.realm();
        let of = |realm: &[u8]| self.find(&Principal::krbtgt(realm, home), now);
        // The anonymous principal is in the anonymous realm (RFC 8062 §3), and the ticket in the issuing realm.
        let own = |realm: &[u8]| self.find(&Principal::krbtgt(realm, realm), now);
        let own = realm.filter(|_| self.principal.is_anonymous()).and_then(own);
        realm.and_then(of).or(own).or_else(|| of(home))
    }
}

impl Principal {
    /// Decodes a standalone principal, as stored by services and keyrings.
    pub(crate) fn from_bytes(octets: &[u8]) -> Result<Self, FileError> {
        let mut cursor = Cursor::new(octets, Order::Big);
        let principal = read_principal(&mut cursor, 4)?;
        ended(&cursor)?;
        Ok(principal)
    }

    /// Encodes the principal as in a credential cache. Returns `None` if a value is too long.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        write_principal(&mut out, self)?;
        Some(out)
    }
}

fn ended(cursor: &Cursor<'_>) -> Result<(), FileError> {
    match cursor.is_empty() {
        true => Ok(()),
        false => Err(FileError::new(cursor.offset(), "trailing data after the record")),
    }
}

fn read_principal(cursor: &mut Cursor<'_>, version: u8) -> Result<Principal, FileError> {
    let at = cursor.offset();
    let (name_type, count) = match version {
        1 => {
            let no_realm = || FileError::new(at, "a name has no realm");
            (numbers::name_type::UNKNOWN, cursor.len32()?.checked_sub(1).ok_or_else(no_realm)?)
        }
        _ => (cursor.i32()?, cursor.len32()?),
    };
    let realm = cursor.counted32()?;
    let mut components = Vec::new();
    for _ in 0..count {
        components.push(cursor.counted32()?);
    }
    Ok(Principal::new(name_type, realm, components))
}

fn read_pairs(cursor: &mut Cursor<'_>) -> Result<Vec<(u16, Vec<u8>)>, FileError> {
    let mut pairs = Vec::new();
    for _ in 0..cursor.len32()? {
        pairs.push((cursor.u16()?, cursor.counted32()?.to_vec()));
    }
    Ok(pairs)
}

fn read_credential(cursor: &mut Cursor<'_>, version: u8) -> Result<Credential, FileError> {
    let (client, server) = (read_principal(cursor, version)?, read_principal(cursor, version)?);
    let enc_type = i32::from(cursor.u16()? as i16);
    if version == 3 {
        // Written twice.
        cursor.u16()?;
    }
    let key = Secret::from(cursor.counted32()?);
    let mut time = || cursor.u32().map(|seconds| UnixTime(i64::from(seconds)));
    let (auth_time, start_time, end_time, renew_till) = (time()?, time()?, time()?, time()?);
    let is_skey = cursor.u8()?;
    let flags = cursor.u32()?;
    let (addresses, auth_data) = (read_pairs(cursor)?, read_pairs(cursor)?);
    let (ticket, second_ticket) = (cursor.counted32()?.to_vec(), cursor.counted32()?.to_vec());
    Ok(Credential {
        client,
        server,
        enc_type,
        key,
        auth_time,
        start_time,
        end_time,
        renew_till,
        is_skey,
        flags,
        addresses,
        auth_data,
        ticket,
        second_ticket,
    })
}

fn write_principal(out: &mut Vec<u8>, principal: &Principal) -> Option<()> {
    out.extend(principal.name_type().to_be_bytes());
    let components = principal.components();
    out.extend(u32::try_from(components.len()).ok()?.to_be_bytes());
    put32(out, principal.realm())?;
    components.iter().try_for_each(|part| put32(out, part))
}

fn write_pairs(out: &mut Vec<u8>, pairs: &[(u16, Vec<u8>)]) -> Option<()> {
    out.extend(u32::try_from(pairs.len()).ok()?.to_be_bytes());
    pairs.iter().try_for_each(|(number, octets)| {
        out.extend(number.to_be_bytes());
        put32(out, octets)
    })
}

fn write_credential(out: &mut Vec<u8>, credential: &Credential, version: u8) -> Option<()> {
    write_principal(out, &credential.client)?;
    write_principal(out, &credential.server)?;
    let enc_type = i16::try_from(credential.enc_type).ok()?.to_be_bytes();
    out.extend(enc_type);
    if version == 3 {
        out.extend(enc_type);
    }
    put32(out, credential.key.expose())?;
    for time in [credential.auth_time, credential.start_time, credential.end_time, credential.renew_till] {
        out.extend((time.0 as u32).to_be_bytes());
    }
    out.push(credential.is_skey);
    out.extend(credential.flags.to_be_bytes());
    write_pairs(out, &credential.addresses)?;
    write_pairs(out, &credential.auth_data)?;
    put32(out, &credential.ticket)?;
    put32(out, &credential.second_ticket)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// Builds a version 1 or 2 cache, with the given functions to encode numbers.
    fn old(version: u8, number: fn(u32) -> [u8; 4], short: fn(u16) -> [u8; 2]) -> Vec<u8> {
        let text = |text: &str| [&number(u32::try_from(text.len()).unwrap())[..], text.as_bytes()].concat();
        let name = |parts: &[&str]| {
            let count = u32::try_from(parts.len()).unwrap();
            let head = match version {
                1 => number(count + 1).to_vec(),
                _ => [number(1), number(count)].concat(),
            };
            [&head[..], &text("A.TEST"), &parts.iter().flat_map(|part| text(part)).collect::<Vec<u8>>()].concat()
        };
        let times = [1, 2, 3, 4].map(number).concat();
        [
            &[5, version][..],
            &name(&["ann"]),
            &name(&["ann"]),
            &name(&["host", "a"]),
            &short(18),
            &text("12345678901234567890123456789012"),
            &times,
            &[0],
            &number(0x4080_0000),
            &number(0),
            &number(0),
            &text("ticket"),
            &text(""),
        ]
        .concat()
    }

    #[test]
    fn versions_1_and_2_in_both_orders() {
        for version in [1, 2] {
            let files =
                [old(version, u32::to_le_bytes, u16::to_le_bytes), old(version, u32::to_be_bytes, u16::to_be_bytes)];
            for file in files {
                let cache = Ccache::from_bytes(&file).unwrap();
                let found = cache.tickets().next().unwrap();
                assert_eq!((cache.version(), cache.entries().len()), (version, 1));
                assert_eq!(
                    (found.client.to_string(), found.server.to_string()),
                    ("ann@A.TEST".into(), "host/a@A.TEST".into())
                );
                assert_eq!((found.enc_type, found.end_time, found.flags), (18, UnixTime(3), 0x4080_0000));
                assert_eq!(found.ticket, b"ticket");
                // Written as version 4.
                let written = Ccache::from_bytes(&cache.to_bytes().unwrap()).unwrap();
                assert_eq!((written.version(), written.principal()), (4, cache.principal()));
                for end in 2..file.len() {
                    // A cache without its ticket is one, too.
                    let cut = Ccache::from_bytes(file.get(..end).unwrap());
                    assert!(cut.is_err() || cut.unwrap().entries().is_empty(), "{end}");
                }
            }
        }
        assert!(Ccache::from_bytes(&[5, 5, 0, 0]).is_err());
    }
}
