//! Extensions of certificates, CRLs, CRL entries, requests and OCSP messages.

use std::mem::MaybeUninit;

use tagwise::codec::{BitStr, Decode as _, Oid, SeqOf, Session};
use tagwise::pkix::ext::{KeyUsage, KnownExtension as _};
use tagwise::pkix::{Extension, Extensions};

use crate::bytes::{put, tagwise_bytes};
use crate::error::{Problem, tagwise_error};
use crate::oid::same;
use crate::options::tagwise_options;
use crate::slices;

/// An extension, borrowed from the same owner as its list.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_extension {
    /// The extension's identifier, as OBJECT IDENTIFIER content bytes.
    pub(crate) oid: tagwise_bytes,
    /// True if a reader that does not support the extension must reject the entire object.
    critical: bool,
    /// The extension's encoded value. It has not been checked if only the outer structure of the enclosing object was read.
    pub(crate) value: tagwise_bytes,
}

impl tagwise_extension {
    pub(crate) fn of(extension: &Extension<'_>) -> Self {
        Self {
            oid: tagwise_bytes::of(extension.extn_id.as_bytes()),
            critical: extension.critical,
            value: tagwise_bytes::of(extension.extn_value.as_bytes()),
        }
    }
}

/// Returns the content bytes of a list of extensions.
pub(crate) fn list(extensions: &Extensions<'_>) -> tagwise_bytes {
    content(&extensions.as_seq_of())
}

/// Returns the content bytes of a list of extensions, or empty bytes if the list is absent.
pub(crate) fn list_of(extensions: Option<Extensions<'_>>) -> tagwise_bytes {
    extensions.map_or(tagwise_bytes::of(&[]), |extensions| list(&extensions))
}

/// Returns the bits of the key usage extension. They are decoded leniently, because the certificate may have been read
/// with options that tolerate deviations.
pub(crate) fn key_usage(extensions: &Extensions<'_>) -> Result<Option<u16>, Problem> {
    let Some(found) = extensions.find(KeyUsage::ID)? else { return Ok(None) };
    let bits = found.extn_value.decode_as::<BitStr<'_>>()?;
    let set = |bit: &u16| bits.bit(u64::from(*bit)) == Some(true);
    Ok(Some((0..16).filter(set).fold(0, |usage, bit| usage | 1 << bit)))
}

/// Returns the content bytes of a SEQUENCE OF. They are absent if the list was built from items and not encoded.
pub(crate) fn content<'a, T>(list: &SeqOf<'a, T>) -> tagwise_bytes {
    tagwise_bytes::of_option(list.content())
}

/// Finds an extension in a list by its identifier. Returns false, without setting an error, if it is absent.
pub(crate) fn find(
    extensions: &Extensions<'_>,
    oid: tagwise_bytes,
    place: Option<&mut MaybeUninit<tagwise_extension>>,
) -> Result<bool, Problem> {
    let found = extensions.find(Oid::from_content(oid.get()?)?)?;
    Ok(found.is_some_and(|extension| {
        put(place, tagwise_extension::of(&extension));
        true
    }))
}

fn next(
    rest: Option<&mut tagwise_bytes>,
    session: &Session<'_>,
    options: Option<&tagwise_options>,
) -> Result<Option<tagwise_extension>, Problem> {
    let Some(whole) = slices::next(rest, session)? else { return Ok(None) };
    let extension = match options {
        None => Extension::outline(whole)?,
        Some(_) => tagwise_options::of(options)?.outline::<Extension<'_>>(whole)?.value,
    };
    Ok(Some(tagwise_extension::of(&extension)))
}

/// Gets the next extension of a list, such as the one that tagwise_certificate_extensions() returns, and advances `rest`
/// past it. Returns false, without setting an error, after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_extension_next(
    rest: Option<&mut tagwise_bytes>,
    options: Option<&tagwise_options>,
    extension: Option<&mut MaybeUninit<tagwise_extension>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let session = Session::new(tagwise_options::of(options)?);
        Ok(next(rest, &session, options)?.is_some_and(|found| {
            put(extension, found);
            true
        }))
    })
}

/// Finds an extension in a list by its identifier. Returns false, without setting an error, if it is absent. A duplicate is an
/// error.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_extension_find(
    list: tagwise_bytes,
    oid: tagwise_bytes,
    options: Option<&tagwise_options>,
    extension: Option<&mut MaybeUninit<tagwise_extension>>,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let session = Session::new(tagwise_options::of(options)?);
        let (mut rest, mut found) = (list, None);
        while let Some(one) = next(Some(&mut rest), &session, options)? {
            if same(one.oid, oid) && found.replace(one).is_some() {
                return Err(Problem::new(
                    crate::error::tagwise_error_kind::Input,
                    "duplicate-extension",
                    "duplicate extension (RFC 5280 §4.2)",
                ));
            }
        }
        Ok(found.is_some_and(|found| {
            put(extension, found);
            true
        }))
    })
}
