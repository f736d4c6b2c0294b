//! The stashed master key, which may be sealed (encrypted with `systemd-creds`).

use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use tagwise_krb5_plugin::kdb::MasterKey;
use tagwise_krb5_plugin::view::{Keyblock, PrincipalRef};
use tagwise_krb5_plugin::{Error, Result, codes};

/// Reads the master key from a stash: the requested version, or the newest.
pub(crate) fn master_key(name: PrincipalRef<'_>, kvno: Option<u32>, stash: Option<&CStr>) -> Result<MasterKey> {
    let failed = |text: String| Error::new(codes::KRB5_KDB_CANTREAD_STORED, text);
    let stash = stash.ok_or_else(|| failed("[realms]: missing relation `key_stash_file`".to_owned()))?;
    let path = Path::new(OsStr::from_bytes(stash.to_bytes()));
    let say = |text: &dyn std::fmt::Display| failed(format!("{}: {text}", path.display()));
    let content = crate::seal::read(path).map_err(|error| say(&error))?;
    let keys = tagwise_krb5::Keytab::from_bytes(&content).map_err(|error| say(&error))?;
    let of = |entry: &&tagwise_krb5::KeytabEntry| name == entry.principal && kvno.is_none_or(|kvno| entry.kvno == kvno);
    let found = keys.entries().iter().filter(of).max_by_key(|entry| entry.kvno);
    let entry = found.ok_or_else(|| match kvno {
        Some(kvno) => say(&format_args!("no master key of version {kvno}")),
        None => say(&"no master key"),
    })?;
    Ok(MasterKey { kvno: entry.kvno, key: Keyblock::new(entry.enc_type, entry.key.expose()) })
}
