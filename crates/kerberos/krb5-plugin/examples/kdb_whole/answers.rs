//! Lookups by alias and by certificate.

use tagwise_krb5_plugin::kdb::{DbEntry, Flags, Inner};
use tagwise_krb5_plugin::view::PrincipalRef;
use tagwise_krb5_plugin::{Principal, Result};

/// Looks up an entry by name. `nick-NAME` is an alias of `NAME`, and `gone-NAME` is a client in another realm.
pub(crate) fn aliased(inner: &Inner, name: PrincipalRef<'_>, flags: Flags) -> Result<Option<DbEntry>> {
    let first = name.components().next().unwrap_or_default();
    if let Some(canonical) = first.strip_prefix(b"nick-") {
        // The entry has the canonical name, which the KDC uses if the client lets it.
        return inner.get_principal(&Principal::new(1, name.realm(), [canonical]), flags);
    }
    if let Some(elsewhere) = first.strip_prefix(b"gone-")
        && flags.contains(Flags::CLIENT.union(Flags::REFERRAL_OK))
    {
        return DbEntry::new(&Principal::new(1, "ELSEWHERE.TEST", [elsewhere])).map(Some);
    }
    inner.get_principal(name, flags)
}

/// Returns the entry of the requested principal, or of `alice` if none was requested, if the entry's attribute
/// `certlength` equals the certificate's length.
pub(crate) fn by_certificate(
    inner: &Inner,
    certificate: &[u8],
    principal: PrincipalRef<'_>,
    flags: Flags,
) -> Result<Option<DbEntry>> {
    // An AS request has a placeholder for the name.
    let named = match principal.components().len() == 0 || flags.contains(Flags::REFERRAL_OK) {
        true => Principal::new(1, principal.realm(), ["alice"]),
        false => principal.to_principal(),
    };
    let length = certificate.len().to_string();
    let found = inner.get_principal(&named, flags)?;
    Ok(found.filter(|entry| entry.as_ref().string("certlength") == Some(length.as_bytes())))
}
