//! The privilege attribute certificate (MS-PAC) issued by Microsoft's and MIT's KDCs: buffers by type, their contents, and
//! signatures.

mod claims;
mod info;
mod logon;
mod ndr;
mod sign;
mod ticket;
mod xca;

use core::fmt;

pub use claims::{ClaimEntry, ClaimValue, ClaimsArray};
pub use info::{Attributes, ClientInfo, Requestor, Sid, UpnDnsInfo};
pub use logon::{GroupMembership, LogonInfo};
pub use sign::{Signature, Signed};
pub use ticket::{TicketPac, of_ticket};

use crate::bin::{Cursor, FileError, Order};

/// The maximum number of buffers to read.
const MAX_BUFFERS: usize = 64;
/// The alignment of buffers, in bytes (MS-PAC §2.4).
const ALIGNMENT: usize = 8;

macro_rules! buffers {
    ($($name:ident = $number:literal, $text:literal, $doc:literal;)*) => {
        /// Buffer types (MS-PAC §2.4).
        pub mod buffer {
            $(#[doc = $doc] pub const $name: u32 = $number;)*

            /// All buffer types, with their names.
            pub const NAMES: &[(u32, &str)] = &[$(($number, $text)),*];

            /// Returns the name of a type, if known.
            #[must_use]
            pub fn name(number: u32) -> Option<&'static str> {
                NAMES.iter().find(|(of, _)| *of == number).map(|(_, name)| *name)
            }
        }
    };
}

buffers! {
    LOGON_INFO = 1, "logon information", "KERB_VALIDATION_INFO (§2.5).";
    CREDENTIALS = 2, "credentials", "Encrypted credentials (§2.6.1).";
    SERVER_CHECKSUM = 6, "server checksum", "The signature by the service's key (§2.8.1).";
    KDC_CHECKSUM = 7, "KDC checksum", "The signature by the KDC's key (§2.8.2).";
    CLIENT_INFO = 10, "client name and ticket information", "PAC_CLIENT_INFO (§2.7).";
    DELEGATION_INFO = 11, "delegation information", "S4U_DELEGATION_INFO (§2.9).";
    UPN_DNS_INFO = 12, "UPN and DNS information", "UPN_DNS_INFO (§2.10).";
    CLIENT_CLAIMS = 13, "client claims", "PAC_CLIENT_CLAIMS_INFO (§2.11).";
    DEVICE_INFO = 14, "device information", "PAC_DEVICE_INFO (§2.12).";
    DEVICE_CLAIMS = 15, "device claims", "PAC_DEVICE_CLAIMS_INFO (§2.13).";
    TICKET_CHECKSUM = 16, "ticket checksum", "The signature over the ticket by the KDC's key (§2.8.3).";
    ATTRIBUTES = 17, "attributes", "PAC_ATTRIBUTES_INFO (§2.14).";
    REQUESTOR = 18, "requestor", "PAC_REQUESTOR_SID (§2.15).";
    FULL_CHECKSUM = 19, "extended KDC checksum", "The signature over all other buffers by the KDC's key (§2.8.4).";
}

/// A PAC. Keeps the original bytes, which the signatures cover.
///
/// ```
/// use tagwise_krb5::pac::{Pac, buffer};
/// //  one buffer, version 0; type 17, 8 bytes, at 24; flags of 2 bits: requested and given implicitly
/// let octets = [1, 0, 0, 0, 0, 0, 0, 0, 17, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0];
/// let pac = Pac::from_bytes(&octets)?;
/// assert!(pac.attributes().unwrap()?.was_requested());
/// assert!(pac.buffer(buffer::LOGON_INFO).is_none());
/// # Ok::<(), tagwise_krb5::FileError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Pac<'a> {
    octets: &'a [u8],
    /// The type, offset and length of each buffer.
    buffers: Vec<(u32, usize, usize)>,
}

impl<'a> Pac<'a> {
    /// Parses the list of buffers. Their contents are decoded on access.
    ///
    /// # Errors
    /// Returns a `FileError` with its position if the list is malformed, or a buffer is duplicated, out of range or not aligned, overlaps
    /// another one, or is followed by bytes of no buffer (MS-PAC §2.3, §2.4).
    pub fn from_bytes(octets: &'a [u8]) -> Result<Self, FileError> {
        let mut cursor = Cursor::new(octets, Order::Little);
        let count = cursor.len32()?;
        if count > MAX_BUFFERS {
            return Err(FileError::new(0, "a PAC can have at most 64 buffers"));
        }
        if cursor.u32()? != 0 {
            return Err(FileError::new(4, "the version of a PAC must be 0"));
        }
        let mut buffers: Vec<(u32, usize, usize)> = Vec::new();
        for _ in 0..count {
            let at = cursor.offset();
            let (kind, len) = (cursor.u32()?, cursor.len32()?);
            let start = usize::try_from(cursor.u64()?);
            let start = start.map_err(|_: core::num::TryFromIntError| FileError::new(at, "an offset is too large"))?;
            let end = start.checked_add(len).filter(|end| *end <= octets.len());
            if end.is_none() {
                return Err(FileError::new(at, "a buffer extends past the end of the PAC"));
            }
            // The result must not depend on which of two a reader uses.
            if buffers.iter().any(|(other, ..)| *other == kind) {
                return Err(FileError::new(at, "duplicate buffer type in the PAC"));
            }
            if start % ALIGNMENT != 0 {
                return Err(FileError::new(at, "the offset of a buffer must be a multiple of 8 (MS-PAC §2.4)"));
            }
            buffers.push((kind, start, len));
        }
        // Each byte belongs to one buffer at most, so readers agree on what the signatures cover.
        let mut places: Vec<(usize, usize)> = buffers.iter().map(|(_, start, len)| (*start, *len)).collect();
        places.sort_unstable();
        let mut end = cursor.offset();
        for (start, len) in places {
            if start < end {
                return Err(FileError::new(
                    start,
                    "a buffer overlaps the list of buffers or another buffer (MS-PAC §2.3)",
                ));
            }
            end = start.saturating_add(len);
        }
        let rest = octets.get(end..).unwrap_or_default();
        if rest.len() >= ALIGNMENT || rest.iter().any(|byte| *byte != 0) {
            return Err(FileError::new(end, "trailing bytes after the last buffer of the PAC (MS-PAC §2.3)"));
        }
        Ok(Self { octets, buffers })
    }

    /// Returns the encoded PAC.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.octets
    }

    /// Iterates over the types and contents of the buffers, in order.
    pub fn buffers(&self) -> impl Iterator<Item = (u32, &'a [u8])> {
        self.buffers.iter().map(|(kind, start, len)| (*kind, self.octets.get(*start..start + len).unwrap_or_default()))
    }

    /// Returns the content of a buffer.
    #[must_use]
    pub fn buffer(&self, kind: u32) -> Option<&'a [u8]> {
        self.buffers().find(|(of, _)| *of == kind).map(|(_, content)| content)
    }

    /// Returns the offset and length of a buffer.
    pub(crate) fn place(&self, kind: u32) -> Option<(usize, usize)> {
        self.buffers.iter().find(|(of, ..)| *of == kind).map(|(_, start, len)| (*start, *len))
    }

    /// Returns the client's name and authentication time.
    #[must_use]
    pub fn client_info(&self) -> Option<Result<ClientInfo, FileError>> {
        self.buffer(buffer::CLIENT_INFO).map(ClientInfo::from_bytes)
    }

    /// Returns the user's directory names.
    #[must_use]
    pub fn upn_dns_info(&self) -> Option<Result<UpnDnsInfo, FileError>> {
        self.buffer(buffer::UPN_DNS_INFO).map(UpnDnsInfo::from_bytes)
    }

    /// Returns the PAC's attributes, which record whether the client requested it (MS-PAC §2.14).
    #[must_use]
    pub fn attributes(&self) -> Option<Result<Attributes, FileError>> {
        self.buffer(buffer::ATTRIBUTES).map(Attributes::from_bytes)
    }

    /// Returns the SID of the ticket's requestor.
    #[must_use]
    pub fn requestor(&self) -> Option<Result<Sid, FileError>> {
        self.buffer(buffer::REQUESTOR).map(Requestor::from_bytes)
    }

    /// Returns the user and the user's groups.
    #[must_use]
    pub fn logon_info(&self) -> Option<Result<LogonInfo, FileError>> {
        self.buffer(buffer::LOGON_INFO).map(LogonInfo::from_bytes)
    }

    /// Returns the claims of the user ([`buffer::CLIENT_CLAIMS`]) or device ([`buffer::DEVICE_CLAIMS`]), by source.
    #[must_use]
    pub fn claims(&self, kind: u32) -> Option<Result<Vec<ClaimsArray>, FileError>> {
        self.buffer(kind).map(claims::from_bytes)
    }

    /// Returns the signature in the given buffer.
    #[must_use]
    pub fn signature(&self, kind: u32) -> Option<Result<Signature<'a>, FileError>> {
        self.buffer(kind).map(Signature::from_bytes)
    }
}

impl fmt::Debug for Pac<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.buffers.iter().map(|(kind, ..)| kind)).finish()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// A PAC with buffers of types from 1, at these offsets and with these lengths, in so many bytes.
    fn pac(places: &[(u32, u32)], len: usize) -> Vec<u8> {
        let entries = places.iter().zip(1..).flat_map(|((start, len), kind)| [kind, *len, *start, 0_u32]);
        let words = [places.len() as u32, 0].into_iter().chain(entries);
        let mut octets: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        octets.resize(len, 0);
        octets
    }

    #[test]
    fn buffers_are_aligned_and_apart() {
        for (places, len) in
            [(&[(24, 8)][..], 32), (&[(24, 5)], 32), (&[(48, 8), (40, 3)], 56), (&[(40, 0), (40, 4)], 48)]
        {
            assert!(Pac::from_bytes(&pac(places, len)).is_ok(), "{places:?}");
        }
        let (aligned, overlap, trailing) = (
            "the offset of a buffer must be a multiple of 8 (MS-PAC §2.4), at byte 8",
            "a buffer overlaps the list of buffers or another buffer (MS-PAC §2.3), at byte",
            "trailing bytes after the last buffer of the PAC (MS-PAC §2.3), at byte",
        );
        for (places, len, told) in [
            (&[(25, 4)][..], 32, aligned.to_owned()),
            (&[(16, 4)], 32, format!("{overlap} 16")),
            (&[(40, 9), (48, 4)], 56, format!("{overlap} 48")),
            (&[(24, 8)], 40, format!("{trailing} 32")),
        ] {
            assert_eq!(Pac::from_bytes(&pac(places, len)).unwrap_err().to_string(), told);
        }
        let mut octets = pac(&[(24, 5)], 32);
        octets[30] = 1;
        assert_eq!(Pac::from_bytes(&octets).unwrap_err().to_string(), format!("{trailing} 29"));
    }
}
