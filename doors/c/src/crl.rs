//! CRLs: fields, iteration over entries, and lookup by serial number.

use std::mem::MaybeUninit;

use tagwise::codec::{Decode as _, Int, Options, Reader, Rule, Session, Tag};
use tagwise::pkix::ext::CrlReason;
use tagwise::pkix::{CertificateList, CertificateSerialNumber, CrlIndex, Name, RevokedCertificate};

use crate::bytes::{given, put, tagwise_bytes};
use crate::error::{Problem, tagwise_error};
use crate::extension::list_of;
use crate::held::Held;
use crate::options::tagwise_options;
use crate::slices::{self, part};

/// A CRL (RFC 5280 section 5.1) with a copy of its encoding. Values returned by its functions are borrowed from it, except
/// for buffers. Immutable: threads may share it.
#[cfg_attr(all(), repr(transparent))]
pub struct tagwise_crl(pub(crate) Held<CrlFamily>);

held!(tagwise_crl, CrlFamily, CertificateList);

impl tagwise_crl {
    pub(crate) fn value(&self) -> &CertificateList<'_> {
        self.0.parsed()
    }

    pub(crate) fn signature_algorithm(&self) -> Option<&[u8]> {
        part(self.0.der(), None, 1)
    }
}

/// A CRL entry. Its bytes are borrowed from the CRL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_crl_entry {
    /// The serial number, as INTEGER content bytes.
    serial: tagwise_bytes,
    /// The revocation date, in seconds since 1970.
    date: i64,
    /// The entry's extensions, concatenated, for tagwise_extension_next().
    extensions: tagwise_bytes,
}

impl tagwise_crl_entry {
    fn of(entry: &RevokedCertificate<'_>) -> Self {
        Self {
            serial: tagwise_bytes::of(entry.user_certificate.as_bytes()),
            date: entry.revocation_date.unix().0,
            extensions: list_of(entry.crl_entry_extensions),
        }
    }
}

/// Gets the next entry and advances `rest` past it. Returns false, without setting an error, after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_entry_next(
    rest: Option<&mut tagwise_bytes>,
    options: Option<&tagwise_options>,
    entry: Option<&mut MaybeUninit<tagwise_crl_entry>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let session = Session::new(tagwise_options::of(options)?);
        let Some(whole) = slices::next(rest, &session)? else { return Ok(false) };
        let read = match options {
            None => RevokedCertificate::outline(whole)?,
            Some(_) => tagwise_options::of(options)?.outline::<RevokedCertificate<'_>>(whole)?.value,
        };
        put(entry, tagwise_crl_entry::of(&read));
        Ok(true)
    })
}

/// Reads an entry's reason as its number in RFC 5280 section 5.3.1. Returns false, without setting an error, if the entry
/// has none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_entry_reason(
    entry: Option<&tagwise_crl_entry>,
    reason: Option<&mut MaybeUninit<u32>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let entry = given(entry, "entry")?;
        let session = Session::new(Options::der());
        let mut rest = entry.extensions;
        while let Some(whole) = slices::next(Some(&mut rest), &session)? {
            let extension = tagwise::pkix::Extension::outline(whole)?;
            if extension.extn_id == <CrlReason as tagwise::pkix::ext::KnownExtension>::ID {
                put(reason, extension.extn_value.decode_as::<CrlReason>()? as u32);
                return Ok(true);
            }
        }
        Ok(false)
    })
}

/// Finds the first entry with the given serial number (INTEGER content bytes) by linear search. Returns false, without
/// setting an error, if there is none. In an indirect CRL, the entry may refer to another issuer's certificate: use
/// tagwise_crl_index_find().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_find(
    crl: Option<&tagwise_crl>,
    serial: tagwise_bytes,
    entry: Option<&mut MaybeUninit<tagwise_crl_entry>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let wanted = Int::from_signed(serial.get()?);
        let entries = given(crl, "crl")?.value().tbs_cert_list.revoked_certificates.unwrap_or_default();
        let Some(row) = entries.content() else { return Ok(false) };
        let session = Session::new(Options::ber_definite());
        let scan = || {
            let mut reader = Reader::with_session(row, &session)?;
            while !reader.is_empty() {
                let start = reader.position();
                let (_, len) = reader.header()?;
                let found = {
                    let content = reader.rest();
                    let mut inner = Reader::with_session(content.get(..len).unwrap_or_default(), &session)?;
                    let len = inner.expect(Tag::INTEGER)?;
                    Int::from_signed(inner.take(len)?) == wanted
                };
                reader.take(len)?;
                if found {
                    return Ok(Some(reader.since(start)));
                }
            }
            Ok(None)
        };
        let found = scan().map_err(|fault| Problem::fault(fault, row, 0).moved(entries.offset()))?;
        let Some(whole) = found else { return Ok(false) };
        let lax = Options::ber_definite().allow(&Rule::INTEGER_PADDED);
        let read = lax.outline::<RevokedCertificate<'_>>(whole)?.value;
        put(entry, tagwise_crl_entry::of(&read));
        Ok(true)
    })
}

/// An index of a CRL by serial number. It borrows from the CRL, so free the index first. Immutable: threads may share it.
pub struct tagwise_crl_index {
    index: CrlIndex<'static>,
    issuer: Name<'static>,
}

/// Creates an index of a CRL, for many lookups. It uses 12 to 24 bytes per entry.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_index_new(
    crl: Option<&tagwise_crl>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_crl_index>> {
    guard!(error, {
        let crl = given(crl, "crl")?;
        // SAFETY: The header asks that the CRL is freed after its index; its value does not move or change.
        let list: &'static CertificateList<'static> = unsafe { &*std::ptr::from_ref(crl.value()).cast() };
        Ok(Some(Box::new(tagwise_crl_index { index: CrlIndex::new(list)?, issuer: list.issuer() })))
    })
}

/// Frees an index; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_index_free(index: Option<Box<tagwise_crl_index>>) {
    guard!(drop(index))
}

/// Finds the last entry for the certificate with the given serial number and issuer. The issuer is an encoded name; if it
/// is absent, the CRL's issuer is used. Returns false, without setting an error, if there is no such entry.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_index_find(
    index: Option<&tagwise_crl_index>,
    serial: tagwise_bytes,
    issuer: tagwise_bytes,
    entry: Option<&mut MaybeUninit<tagwise_crl_entry>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let tagwise_crl_index { index, issuer: own } = given(index, "index")?;
        let serial = CertificateSerialNumber(Int::from_signed(serial.get()?));
        let issuer = issuer.optional()?.map(Name::outline).transpose()?.unwrap_or(*own);
        let Some(found) = index.get(serial, &issuer)? else { return Ok(false) };
        put(entry, tagwise_crl_entry::of(&found.entry));
        Ok(true)
    })
}
