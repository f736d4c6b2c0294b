//! The realm's policy.

use tagwise_krb5_plugin::kdb::{AsPolicy, Delegation, DelegationFrom, Denial, IssuePac, TgsPolicy};
use tagwise_krb5_plugin::view::{DbEntryRef, NewPac, PaData, PrincipalRef};
use tagwise_krb5_plugin::{Error, Result, codes};

/// The type of this module's own PAC buffer.
pub(crate) const BUFFER: u32 = 0x7001;

/// Denies clients that have the attribute `banned`, and sends them the attribute's value as the reason.
pub(crate) fn policy_as(check: &AsPolicy<'_>) -> Result<(), Denial> {
    match check.client.string("banned") {
        Some(why) => Err(Denial { e_data: vec![PaData::new(-77, why)], ..Denial::policy(c"CLIENT_BANNED") }),
        None => Ok(()),
    }
}

/// Denies tickets for services that have the attribute `banned`.
pub(crate) fn policy_tgs(check: &TgsPolicy<'_>) -> Result<(), Denial> {
    match check.server.string("banned") {
        Some(_) => Err(Denial::policy(c"SERVER_BANNED")),
        None => Ok(()),
    }
}

fn listed(entry: DbEntryRef<'_>, attribute: &str, name: Option<PrincipalRef<'_>>) -> Result<()> {
    let list = String::from_utf8_lossy(entry.string(attribute).unwrap_or_default());
    let found = match name {
        Some(name) => list.split(' ').any(|listed| listed == name.to_string()),
        None => !list.is_empty(),
    };
    found.then_some(()).ok_or_else(|| Error::from(codes::KRB5KDC_ERR_BADOPTION))
}

/// Allows a server to delegate to the targets listed in its attribute `delegate_to`.
pub(crate) fn delegates(delegation: &Delegation<'_>) -> Result<()> {
    listed(delegation.server, "delegate_to", delegation.proxy)
}

/// Allows the servers listed in the target's attribute `delegate_from` to delegate to it.
pub(crate) fn delegates_from(delegation: &DelegationFrom<'_>) -> Result<()> {
    listed(delegation.proxy, "delegate_from", Some(delegation.server))
}

/// Adds this module's own buffer to the PAC of an AS reply, and copies it to later tickets. Clients with an `indicator`
/// attribute receive that authentication indicator.
pub(crate) fn pac(issue: &IssuePac<'_>, new_pac: &mut NewPac<'_>) -> Result<Option<Vec<Vec<u8>>>> {
    match issue.old_pac {
        Some(old) if old.types()?.contains(&BUFFER) => new_pac.copy_buffer(old, BUFFER)?,
        Some(_) => {}
        None => new_pac.add_buffer(BUFFER, b"ours")?,
    }
    let indicator = issue.client.and_then(|client| client.string("indicator"));
    Ok(indicator.map(|indicator| {
        let mut all: Vec<Vec<u8>> = issue.auth_indicators.iter().map(|one| one.to_vec()).collect();
        all.push(indicator.to_vec());
        all
    }))
}
