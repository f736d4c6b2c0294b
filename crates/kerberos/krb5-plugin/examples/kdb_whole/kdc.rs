//! Policy of the realm.

use tagwise_krb5_plugin::kdb::{AsPolicy, Delegation, DelegationFrom, Denial, IssuePac, TgsPolicy};
use tagwise_krb5_plugin::view::{DbEntryRef, NewPac, PaData, PrincipalRef};
use tagwise_krb5_plugin::{Error, Result, codes};

/// Type of a buffer of our own.
pub(crate) const BUFFER: u32 = 0x7001;

/// Who has the attribute `banned` gets nothing, and learns why.
pub(crate) fn policy_as(check: &AsPolicy<'_>) -> Result<(), Denial> {
    match check.client.string("banned") {
        Some(why) => Err(Denial { e_data: vec![PaData::new(-77, why)], ..Denial::policy(c"CLIENT_BANNED") }),
        None => Ok(()),
    }
}

/// Nor does anybody for a service that has it.
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

/// A server delegates to what its attribute `delegate_to` lists.
pub(crate) fn delegates(delegation: &Delegation<'_>) -> Result<()> {
    listed(delegation.server, "delegate_to", delegation.proxy)
}

/// A target lets those servers delegate that its attribute `delegate_from` lists.
pub(crate) fn delegates_from(delegation: &DelegationFrom<'_>) -> Result<()> {
    listed(delegation.proxy, "delegate_from", Some(delegation.server))
}

/// The PAC of an AS reply has a buffer of our own, which later tickets keep. Clients with an `indicator` get it.
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
