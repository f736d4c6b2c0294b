//! CRLs: fields, iteration over entries, and lookup by serial number.

use std::mem::MaybeUninit;

use tagwise::codec::{Decode as _, Int, Options, Reader, Session, Tag};
use tagwise::pkix::ext::CrlReason;
use tagwise::pkix::oids::files;
use tagwise::pkix::{CertificateList, CertificateSerialNumber, CrlIndex, Name, RevokedCertificate};

#[cfg(feature = "full")]
use crate::bytes::tagwise_buffer;
use crate::bytes::{given, put, tagwise_bytes};
use crate::error::{Problem, tagwise_error};
use crate::extension::{content, find, list, tagwise_extension};
use crate::held::{Extent, Held};
use crate::options::{deviation, tagwise_deviation, tagwise_options};
use crate::parts::part;

/// A CRL (RFC 5280 section 5.1) with a copy of its encoding. Values returned by its functions are borrowed from it, except
/// for buffers. Immutable: threads may share it.
#[cfg_attr(all(), repr(transparent))]
pub struct tagwise_crl(pub(crate) Held<CrlFamily>);

held!(tagwise_crl, CrlFamily, CertificateList);

impl tagwise_crl {
    pub(crate) fn value(&self) -> &CertificateList<'_> {
        self.0.parsed()
    }
}

/// Reads a CRL in DER and checks every byte, including each entry.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_read(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_crl {
    guard!(error, tagwise_crl::read(der, Extent::Whole, options))
}

/// Reads a CRL's outer structure. Entries and extensions are checked on access, so the cost does not depend on the number
/// of entries.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_outline(
    der: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_crl {
    guard!(error, tagwise_crl::read(der, Extent::Outline, options))
}

/// Reads the first CRL in a PEM text and checks every byte.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_from_pem(
    text: tagwise_bytes,
    options: Option<&tagwise_options>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> *mut tagwise_crl {
    guard!(error, {
        let der = crate::pem::labelled(text, &files::CRL, options)?;
        tagwise_crl::read(tagwise_bytes::of(&der), Extent::Whole, options)
    })
}

/// Frees a CRL; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_free(crl: *mut tagwise_crl) {
    guard!(tagwise_crl::release(crl))
}

/// Returns the complete CRL in DER.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_der(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(crl.map(|crl| crl.0.der())))
}

/// Returns the to-be-signed bytes, unchanged from the encoding.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_tbs(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(crl.map(|crl| crl.value().tbs_cert_list.as_bytes())))
}

/// Returns the signature algorithm: an encoded AlgorithmIdentifier.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_signature_algorithm(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(crl.and_then(|crl| part(crl.0.der(), None, 1))))
}

/// Returns the signature, without the BIT STRING's count of unused bits.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_signature(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| tagwise_bytes::of(crl.value().signature_value.as_bytes())))
}

/// Returns the issuer: an encoded name.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_issuer(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(tagwise_bytes::of_option(crl.and_then(|crl| part(
        crl.value().tbs_cert_list.as_bytes(),
        Some(Tag::INTEGER),
        1
    ))))
}

/// Returns the issue time (thisUpdate), in seconds since 1970, or 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_this_update(crl: Option<&tagwise_crl>) -> i64 {
    guard!(crl.map_or(0, |crl| crl.value().this_update().unix().0))
}

/// Reads the time when the next CRL is due (nextUpdate), in seconds since 1970. Returns false if the CRL has none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_next_update(crl: Option<&tagwise_crl>, seconds: Option<&mut MaybeUninit<i64>>) -> bool {
    guard!(crl.and_then(|crl| crl.value().next_update()).is_some_and(|time| {
        put(seconds, time.unix().0);
        true
    }))
}

/// Reads the CRL number, as INTEGER content bytes. Returns false, without setting an error, if it is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_number(
    crl: Option<&tagwise_crl>,
    number: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let Some(found) = given(crl, "crl")?.value().number()? else { return Ok(false) };
        put(number, tagwise_bytes::of(found.0.int().as_bytes()));
        Ok(true)
    })
}

/// Reads the base CRL number of a delta CRL. Returns false, without setting an error, if the CRL is not a delta CRL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_delta_base(
    crl: Option<&tagwise_crl>,
    number: Option<&mut MaybeUninit<tagwise_bytes>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let Some(found) = given(crl, "crl")?.value().tbs_cert_list.delta_base()? else { return Ok(false) };
        put(number, tagwise_bytes::of(found.0.0.int().as_bytes()));
        Ok(true)
    })
}

/// Reads whether the CRL may list certificates from other issuers (RFC 5280 section 5.2.5).
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_is_indirect(
    crl: Option<&tagwise_crl>,
    indirect: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        put(indirect, given(crl, "crl")?.value().tbs_cert_list.is_indirect()?);
        Ok(true)
    })
}

/// Returns the extensions, concatenated, for tagwise_extension_next().
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_extensions(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| list(&crl.value().extensions())))
}

/// Looks up an extension by its identifier. Returns false, without setting an error, if it is absent.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_extension(
    crl: Option<&tagwise_crl>,
    oid: tagwise_bytes,
    extension: Option<&mut MaybeUninit<tagwise_extension>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, find(&given(crl, "crl")?.value().extensions(), oid, extension))
}

/// Gets the tolerated deviation at the given index, counted from 0. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_deviation(
    crl: Option<&tagwise_crl>,
    index: usize,
    found: Option<&mut MaybeUninit<tagwise_deviation>>,
) -> bool {
    guard!(crl.is_some_and(|crl| deviation(crl.0.deviations(), index, found)))
}

/// Returns the CRL as text, as OpenSSL prints it.
#[cfg(feature = "full")]
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_text(
    crl: Option<&tagwise_crl>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let mut text = String::new();
        let written = tagwise::pkix::text::openssl::list(given(crl, "crl")?.value(), &mut text);
        written?;
        Ok(tagwise_buffer::new(text))
    })
}

/// One entry of a CRL, borrowed from the CRL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_crl_entry {
    /// The serial number as the content of its INTEGER.
    serial: tagwise_bytes,
    /// The time of revocation, in seconds since 1970.
    date: i64,
    /// The extensions of the entry, concatenated, for tagwise_extension_next().
    extensions: tagwise_bytes,
}

impl tagwise_crl_entry {
    fn of(entry: &RevokedCertificate<'_>) -> Self {
        Self {
            serial: tagwise_bytes::of(entry.user_certificate.as_bytes()),
            date: entry.revocation_date.unix().0,
            extensions: entry.crl_entry_extensions.map_or(tagwise_bytes::of(&[]), |extensions| list(&extensions)),
        }
    }
}

/// Returns the entries, concatenated, for tagwise_crl_entry_next().
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_entries(crl: Option<&tagwise_crl>) -> tagwise_bytes {
    guard!(crl.map_or(tagwise_bytes::NONE, |crl| {
        content(&crl.value().tbs_cert_list.revoked_certificates.unwrap_or_default())
    }))
}

/// Returns the number of entries.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_crl_count(crl: Option<&tagwise_crl>) -> usize {
    guard!(crl.map_or(0, |crl| crl.value().tbs_cert_list.revoked_certificates.map_or(0, |entries| entries.len())))
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
        let Some(whole) = crate::parts::next(rest, &session)? else { return Ok(false) };
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
        while let Some(whole) = crate::parts::next(Some(&mut rest), &session)? {
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
        let wanted = serial.get()?;
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
                    inner.take(len)? == wanted
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
        let read = Options::ber_definite().outline::<RevokedCertificate<'_>>(whole)?.value;
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
