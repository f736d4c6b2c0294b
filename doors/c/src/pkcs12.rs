//! PKCS #12 files (RFC 7292, RFC 9579).

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::crypto::pkcs12::{self, ByPassword, Password};
use tagwise::pkix::build::{Pkcs12Item, Pkcs12Layout, Pkcs12Value, pkcs12_with};
use tagwise::pkix::pkcs12::{CostLimits, Integrity, Opened};

use crate::bytes::{put, tagwise_buffer, tagwise_bytes, terminated};
use crate::cms::{kind, slices, tagwise_item_kind};
use crate::error::{Problem, tagwise_error, tagwise_error_kind as Kind};
use crate::key::{tagwise_backend, tagwise_key};

/// An opened PKCS #12 file. Values returned by its functions are borrowed from it. Immutable: threads may share it.
pub struct tagwise_pkcs12 {
    opened: Opened,
    names: Vec<Option<String>>,
}

fn secret(given: tagwise_bytes) -> Result<Password, Problem> {
    Ok(given.optional()?.map(Password::from_utf8).transpose()?.unwrap_or_else(Password::absent))
}

/// Opens a file: verifies its MAC, and decrypts its encrypted parts. The password is UTF-8 or absent. Fails for a file without a MAC,
/// whose integrity nothing protects: tagwise_pkcs12_open_unchecked() opens it.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pkcs12_open(
    backend: Option<&tagwise_backend>,
    file: tagwise_bytes,
    password: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_pkcs12>> {
    guard!(error, {
        let opened = open(backend, file, password)?;
        let text = match opened.opened.integrity() {
            Integrity::Verified => return Ok(Some(opened)),
            Integrity::Absent => "the file has no MAC, so its integrity cannot be checked",
            Integrity::Signed => "the file is signed instead of protected with a MAC; the signature is not verified",
        };
        Err(Problem::new(Kind::Signature, "integrity", text).clause("RFC 7292 §4"))
    })
}

/// Opens a file like tagwise_pkcs12_open(), also one without a MAC. The MAC is verified if there is one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pkcs12_open_unchecked(
    backend: Option<&tagwise_backend>,
    file: tagwise_bytes,
    password: tagwise_bytes,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_pkcs12>> {
    guard!(error, { open(backend, file, password).map(Some) })
}

fn open(
    backend: Option<&tagwise_backend>,
    file: tagwise_bytes,
    password: tagwise_bytes,
) -> Result<Box<tagwise_pkcs12>, Problem> {
    let backend = tagwise_backend::of(backend)?;
    let opened = pkcs12::open(backend, file.der()?, &secret(password)?, CostLimits::DEFAULT)?;
    let names = opened.items().map(|item| item.friendly_name()).collect();
    Ok(Box::new(tagwise_pkcs12 { opened, names }))
}

/// Frees an opened file; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pkcs12_free(pkcs12: Option<Box<tagwise_pkcs12>>) {
    guard!(drop(pkcs12))
}

/// An item of a PKCS #12 file, borrowed from the file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_pkcs12_item {
    /// The kind of item.
    kind: tagwise_item_kind,
    /// The value, in the form described for the kind.
    value: tagwise_bytes,
    /// The friendly name as UTF-8. Absent if there is none.
    friendly_name: tagwise_bytes,
    /// The localKeyId, which links a key to its certificate. Absent if there is none.
    local_key_id: tagwise_bytes,
}

/// Gets the item at the given index, counted from 0. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pkcs12_item_get(
    pkcs12: Option<&tagwise_pkcs12>,
    index: usize,
    item: Option<&mut MaybeUninit<tagwise_pkcs12_item>>,
) -> bool {
    guard!({
        let found = pkcs12.and_then(|file| file.opened.items().nth(index).zip(file.names.get(index)));
        found.is_some_and(|(found, name)| {
            put(
                item,
                tagwise_pkcs12_item {
                    kind: kind(found.kind),
                    value: tagwise_bytes::of(found.octets),
                    friendly_name: tagwise_bytes::of_option(name.as_deref().map(str::as_bytes)),
                    local_key_id: tagwise_bytes::of_option(found.local_key_id()),
                },
            );
            true
        })
    })
}

/// Builds a file in DER with a key (or NULL) and `certificates`, an array of `count` certificates in DER, starting with the
/// key's certificate. `layout` is `modern`, `pbmac1`, `legacy-windows` or `java-truststore`. `name` is the friendly name of
/// the key and the first certificate, or NULL. `iterations` is the iteration count for password-based key derivation; 0
/// means the layout's default.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_pkcs12_build(
    backend: Option<&tagwise_backend>,
    layout: *const c_char,
    key: Option<&tagwise_key>,
    certificates: *const tagwise_bytes,
    count: usize,
    name: *const c_char,
    password: tagwise_bytes,
    iterations: u32,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> Option<Box<tagwise_buffer>> {
    guard!(error, {
        let layout = match terminated(layout, "layout")? {
            "modern" => Pkcs12Layout::Modern,
            "pbmac1" => Pkcs12Layout::Pbmac1,
            "legacy-windows" => Pkcs12Layout::LegacyWindows,
            "java-truststore" => Pkcs12Layout::JavaTruststore,
            other => {
                let known = ["modern", "pbmac1", "legacy-windows", "java-truststore"];
                return Err(Problem::unknown("layout", other, known));
            }
        };
        let name = if name.is_null() { None } else { Some(terminated(name, "name")?) };
        let certificates = slices(certificates, count)?;
        let pkcs8 = key.map(|key| key.pkcs8()).transpose()?;
        let tie = [1];
        let mut items = Vec::new();
        if let Some(pkcs8) = &pkcs8 {
            let item = Pkcs12Item::new(Pkcs12Value::PrivateKey(pkcs8.expose())).tied(&tie);
            items.push(name.map_or(item, |name| item.named(name)));
        }
        for (index, der) in certificates.iter().enumerate() {
            let item = Pkcs12Item::new(Pkcs12Value::Certificate(der));
            let item = if index == 0 && pkcs8.is_some() { item.tied(&tie) } else { item };
            items.push(if index == 0 { name.map_or(item, |name| item.named(name)) } else { item });
        }
        let iterations = if iterations == 0 { layout.iterations() } else { iterations };
        let protection = ByPassword::new(tagwise_backend::of(backend)?, secret(password)?);
        Ok(tagwise_buffer::new(pkcs12_with(&items, layout, iterations, &protection)?))
    })
}
