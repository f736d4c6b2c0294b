//! Buffers that do not use NDR: client info, directory names, attributes and requestor.

use core::fmt;

use tagwise_pkix::UnixTime;

use crate::bin::{Cursor, FileError, Order};

/// The number of seconds from 1601, the Windows epoch, to 1970.
const EPOCH: i64 = 11_644_473_600;

/// Converts a time in units of 100 ns since 1601.
pub(super) fn filetime(units: u64) -> UnixTime {
    UnixTime(i64::try_from(units / 10_000_000).unwrap_or(i64::MAX).saturating_sub(EPOCH))
}

/// Decodes little-endian UTF-16 text.
pub(super) fn text(octets: &[u8]) -> String {
    let units =
        octets.chunks_exact(2).map(|pair| pair.iter().rev().fold(0_u16, |unit, octet| unit << 8 | u16::from(*octet)));
    char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// PAC_CLIENT_INFO (MS-PAC §2.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientInfo {
    /// The time of the client's authentication, equal to the ticket's authtime.
    pub auth_time: UnixTime,
    /// The client's name without the realm.
    pub name: String,
}

impl ClientInfo {
    pub(super) fn from_bytes(octets: &[u8]) -> Result<Self, FileError> {
        let mut cursor = Cursor::new(octets, Order::Little);
        let auth_time = filetime(cursor.u64()?);
        let name = text(cursor.counted16()?);
        Ok(Self { auth_time, name })
    }

    /// Encodes the buffer's content.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let units = u64::try_from(self.auth_time.0.saturating_add(EPOCH)).unwrap_or(0).saturating_mul(10_000_000);
        let name: Vec<u8> = self.name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let len = u16::try_from(name.len()).unwrap_or(u16::MAX) & !1;
        [&units.to_le_bytes()[..], &len.to_le_bytes(), name.get(..usize::from(len)).unwrap_or_default()].concat()
    }
}

/// UPN_DNS_INFO (MS-PAC §2.10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpnDnsInfo {
    /// The user principal name.
    pub upn: String,
    /// The DNS domain name.
    pub dns_domain: String,
    /// True if the user has no UPN, so that `upn` was constructed from the domain name.
    pub is_constructed: bool,
    /// The SAM account name, in the extended form.
    pub sam_name: Option<String>,
    /// The account's SID, in the extended form.
    pub sid: Option<Sid>,
}

impl UpnDnsInfo {
    pub(super) fn from_bytes(octets: &[u8]) -> Result<Self, FileError> {
        let mut cursor = Cursor::new(octets, Order::Little);
        let mut span = || -> Result<&[u8], FileError> {
            let (len, start) = (usize::from(cursor.u16()?), usize::from(cursor.u16()?));
            let mut there = Cursor::new(octets, Order::Little);
            there.seek(start)?;
            there.take(len)
        };
        let (upn, domain) = (span()?, span()?);
        let flags = Cursor::clone(&cursor).u32()?;
        cursor.u32()?;
        let (mut sam_name, mut sid) = (None, None);
        if flags & 2 != 0 {
            let mut span = || -> Result<&[u8], FileError> {
                let (len, start) = (usize::from(cursor.u16()?), usize::from(cursor.u16()?));
                let mut there = Cursor::new(octets, Order::Little);
                there.seek(start)?;
                there.take(len)
            };
            sam_name = Some(text(span()?));
            sid = Some(Sid::from_bytes(span()?)?);
        }
        Ok(Self { upn: text(upn), dns_domain: text(domain), is_constructed: flags & 1 != 0, sam_name, sid })
    }
}

/// PAC_ATTRIBUTES_INFO (MS-PAC §2.14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// The flags, with flag 0 as the least significant bit.
    pub flags: u32,
}

impl Attributes {
    pub(super) fn from_bytes(octets: &[u8]) -> Result<Self, FileError> {
        let mut cursor = Cursor::new(octets, Order::Little);
        // The number of bits that count.
        cursor.u32()?;
        Ok(Self { flags: cursor.u32()? })
    }

    /// Returns whether the client requested a PAC.
    #[must_use]
    pub const fn was_requested(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Returns whether the PAC was included although the client did not request it.
    #[must_use]
    pub const fn was_given_implicitly(&self) -> bool {
        self.flags & 2 != 0
    }
}

/// PAC_REQUESTOR (MS-PAC §2.15): see [`Sid`].
#[derive(Clone, Copy, Debug)]
pub struct Requestor;

impl Requestor {
    pub(super) fn from_bytes(octets: &[u8]) -> Result<Sid, FileError> {
        Sid::from_bytes(octets)
    }
}

/// A security identifier (MS-DTYP §2.4.2): `S-1-5-21-…`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sid {
    /// The 48-bit authority.
    pub authority: u64,
    /// The subauthorities, at most 15.
    pub parts: Vec<u32>,
}

impl Sid {
    /// Decodes a SID, without trailing data.
    ///
    /// # Errors
    /// Returns a `FileError` with its position if the SID is malformed.
    pub fn from_bytes(octets: &[u8]) -> Result<Self, FileError> {
        let mut cursor = Cursor::new(octets, Order::Little);
        let sid = Self::read(&mut cursor)?;
        match cursor.is_empty() {
            true => Ok(sid),
            false => Err(FileError::new(cursor.offset(), "trailing data after a security identifier")),
        }
    }

    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Self, FileError> {
        let at = cursor.offset();
        let (revision, count) = (cursor.u8()?, cursor.u8()?);
        if revision != 1 || count > 15 {
            return Err(FileError::new(at, "a security identifier must have revision 1 and at most 15 subauthorities"));
        }
        let authority = cursor.take(6)?.iter().fold(0, |sum, octet| sum << 8 | u64::from(*octet));
        let parts = (0..count).map(|_| cursor.u32()).collect::<Result<_, _>>()?;
        Ok(Self { authority, parts })
    }

    /// Appends a RID, which identifies a user or group within a domain.
    #[must_use]
    pub fn with(&self, rid: u32) -> Self {
        let mut sid = self.clone();
        sid.parts.push(rid);
        sid
    }
}

impl fmt::Display for Sid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S-1-{}", self.authority)?;
        self.parts.iter().try_for_each(|part| write!(f, "-{part}"))
    }
}
