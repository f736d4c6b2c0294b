//! PAC signature verification and creation (MS-PAC §2.8).

use tagwise_crypto::{Error, ErrorKind, Primitives};

use crate::bin::{Cursor, FileError, Order};
use crate::crypto::{ChecksumType, Key, hmac_md5, usage};

use super::{Pac, buffer};

/// PAC_SIGNATURE_DATA (MS-PAC §2.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature<'a> {
    /// The checksum type's number.
    pub kind: i32,
    /// The checksum.
    pub checksum: &'a [u8],
    /// The number of the read-only KDC that signed, if any.
    pub rodc: Option<u16>,
}

impl<'a> Signature<'a> {
    pub(super) fn from_bytes(octets: &'a [u8]) -> Result<Self, FileError> {
        let mut cursor = Cursor::new(octets, Order::Little);
        let kind = cursor.i32()?;
        let len = ChecksumType::from_number(kind).map(ChecksumType::len);
        let checksum = cursor.take(len.unwrap_or(cursor.remaining()))?;
        let rodc = if cursor.remaining() >= 2 { Some(cursor.u16()?) } else { None };
        Ok(Self { kind, checksum, rodc })
    }
}

/// The signatures that were verified with a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signed {
    /// True if the service's signature over the whole PAC was verified.
    pub by_server: bool,
    /// True if the KDC's signature over the service's signature was verified.
    pub by_kdc: bool,
    /// True if the KDC's signature over the whole PAC was present and verified.
    pub by_kdc_fully: bool,
}

fn malformed(error: FileError) -> Error {
    Error::new(ErrorKind::Parameters, "PAC").because(error)
}

fn missing(kind: u32) -> Error {
    Error::new(ErrorKind::Integrity, format_args!("PAC without {}", buffer::name(kind).unwrap_or("a signature")))
}

fn verify(backend: &dyn Primitives, key: &Key, data: &[u8], signature: &Signature<'_>) -> Result<(), Error> {
    // Old domains sign with hmac-md5 whatever the key is.
    if signature.kind == ChecksumType::HmacMd5.number() {
        return match crate::crypto::is_same(&hmac_md5(key, usage::PA_FOR_USER, data)?, signature.checksum) {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::Integrity, "PAC signature")),
        };
    }
    key.verify(backend, usage::PA_FOR_USER, data, signature.kind, signature.checksum)
}

impl Pac<'_> {
    /// Returns the PAC's bytes with the checksums in the given buffers zeroed.
    fn zeroed(&self, kinds: &[u32]) -> Result<Vec<u8>, Error> {
        let mut octets = self.as_bytes().to_vec();
        for kind in kinds {
            let (Some((start, _)), Some(signature)) = (self.place(*kind), self.signature(*kind)) else { continue };
            let len = signature.map_err(malformed)?.checksum.len();
            // Behind the type, of four bytes.
            if let Some(checksum) = octets.get_mut(start + 4..start + 4 + len) {
                checksum.fill(0);
            }
        }
        Ok(octets)
    }

    /// Verifies the service's signature, as proof that the PAC was issued for the holder of the service's key.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Integrity`] if the signature is missing or invalid.
    pub fn verify_server(&self, backend: &dyn Primitives, key: &Key) -> Result<(), Error> {
        let signature = self.signature(buffer::SERVER_CHECKSUM).ok_or_else(|| missing(buffer::SERVER_CHECKSUM))?;
        let data = self.zeroed(&[buffer::SERVER_CHECKSUM, buffer::KDC_CHECKSUM])?;
        verify(backend, key, &data, &signature.map_err(malformed)?)
    }

    /// Verifies the KDC's signatures: over the service's signature and, if present, over the whole PAC.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Integrity`] if the first signature is missing, or if either is invalid.
    pub fn verify_kdc(&self, backend: &dyn Primitives, key: &Key) -> Result<Signed, Error> {
        let server = self.signature(buffer::SERVER_CHECKSUM).ok_or_else(|| missing(buffer::SERVER_CHECKSUM))?;
        let kdc = self.signature(buffer::KDC_CHECKSUM).ok_or_else(|| missing(buffer::KDC_CHECKSUM))?;
        verify(backend, key, server.map_err(malformed)?.checksum, &kdc.map_err(malformed)?)?;
        let mut signed = Signed { by_kdc: true, ..Signed::default() };
        if let Some(full) = self.signature(buffer::FULL_CHECKSUM) {
            let kinds = [buffer::SERVER_CHECKSUM, buffer::KDC_CHECKSUM, buffer::FULL_CHECKSUM];
            verify(backend, key, &self.zeroed(&kinds)?, &full.map_err(malformed)?)?;
            signed.by_kdc_fully = true;
        }
        Ok(signed)
    }

    /// Verifies the KDC's signature over a ticket (MS-PAC §2.8.3). `ticket_without_pac` is the EncTicketPart in DER, with one zero byte
    /// in place of the PAC.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Integrity`] if the signature is missing or invalid.
    pub fn verify_ticket(&self, backend: &dyn Primitives, key: &Key, ticket_without_pac: &[u8]) -> Result<(), Error> {
        let signature = self.signature(buffer::TICKET_CHECKSUM).ok_or_else(|| missing(buffer::TICKET_CHECKSUM))?;
        verify(backend, key, ticket_without_pac, &signature.map_err(malformed)?)
    }

    /// Creates a signed PAC from buffers. Adds the KDC's signature over the PAC, the service's signature, and the KDC's
    /// signature over the service's.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Limit`] if the PAC exceeds 4 GiB, or [`ErrorKind::NotOffered`] if the backend does not support the
    /// algorithm.
    pub fn sign(
        backend: &dyn Primitives,
        buffers: &[(u32, Vec<u8>)],
        server: &Key,
        kdc: &Key,
    ) -> Result<Vec<u8>, Error> {
        let empty = |key: &Key| {
            let kind = key.enc_type().checksum();
            [&kind.number().to_le_bytes()[..], &vec![0; kind.len()]].concat()
        };
        let mut all: Vec<(u32, Vec<u8>)> = buffers.to_vec();
        all.extend([
            (buffer::FULL_CHECKSUM, empty(kdc)),
            (buffer::SERVER_CHECKSUM, empty(server)),
            (buffer::KDC_CHECKSUM, empty(kdc)),
        ]);
        let mut octets = assemble(&all).ok_or_else(|| Error::new(ErrorKind::Limit, "PAC"))?;
        let full = kdc.checksum(backend, usage::PA_FOR_USER, &octets)?;
        put(&mut octets, buffer::FULL_CHECKSUM, &full)?;
        let by_server = server.checksum(backend, usage::PA_FOR_USER, &octets)?;
        put(&mut octets, buffer::SERVER_CHECKSUM, &by_server)?;
        let by_kdc = kdc.checksum(backend, usage::PA_FOR_USER, &by_server)?;
        put(&mut octets, buffer::KDC_CHECKSUM, &by_kdc)?;
        Ok(octets)
    }
}

/// Assembles the list of buffers and the buffers themselves, each aligned to eight bytes.
fn assemble(buffers: &[(u32, Vec<u8>)]) -> Option<Vec<u8>> {
    let mut out = [u32::try_from(buffers.len()).ok()?.to_le_bytes(), [0; 4]].concat();
    let mut at = 8 + 16 * buffers.len();
    for (kind, content) in buffers {
        out.extend(kind.to_le_bytes());
        out.extend(u32::try_from(content.len()).ok()?.to_le_bytes());
        out.extend(u64::try_from(at).ok()?.to_le_bytes());
        at += content.len().next_multiple_of(8);
    }
    for (_, content) in buffers {
        out.extend(content);
        out.resize(out.len().next_multiple_of(8), 0);
    }
    Some(out)
}

fn put(octets: &mut [u8], kind: u32, checksum: &[u8]) -> Result<(), Error> {
    let (start, _) = Pac::from_bytes(octets).map_err(malformed)?.place(kind).ok_or_else(|| missing(kind))?;
    if let Some(place) = octets.get_mut(start + 4..start + 4 + checksum.len()) {
        place.copy_from_slice(checksum);
    }
    Ok(())
}
