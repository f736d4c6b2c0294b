//! KDC methods of the underlying database.
//!
//! The underlying module receives copies of entries, because it may change them. For example, db2 counts failures in them.

use core::ffi::{CStr, c_char};
use core::ptr::{from_ref, null, null_mut};
use std::borrow::Cow;

use tagwise_codec::UnixTime;
use tagwise_krb5_plugin_sys::link::kdb as libkdb5;
use tagwise_krb5_plugin_sys::mit::{krb5_address, krb5_db_entry, krb5_keyblock, krb5_pa_data, krb5_principal_data};

use super::Inner;
use crate::ffi::kdb::kdc::{free_indicators, given_indicators, indicators};
use crate::host::context::data;
use crate::host::lent::{Lent, text};
use crate::kdb::{AsAudit, AsPolicy, DbEntry, Delegation, DelegationFrom, Denial, Flags, IssuePac, TgsPolicy};
use crate::view::{AddressRef, DbEntryRef, NewPac, PaData, PaDataRef, PrincipalRef, stamp};
use crate::{Error, Result};

fn time(time: UnixTime) -> i32 {
    stamp(Some(time))
}

/// Copies an entry, if any.
fn copy(entry: Option<DbEntryRef<'_>>) -> Result<Option<DbEntry>> {
    entry.map(DbEntryRef::to_entry).transpose()
}

/// Returns the pointer to a copied entry, or null.
fn pointer(entry: &mut Option<DbEntry>) -> *mut krb5_db_entry {
    entry.as_mut().map_or(null_mut(), DbEntry::pointer)
}

fn address(address: Option<AddressRef<'_>>) -> *const krb5_address {
    address.map_or(null(), |address| from_ref(address.0.get()))
}

fn principal(name: Option<PrincipalRef<'_>>) -> *const krb5_principal_data {
    name.map_or(null(), |name| from_ref(name.0.get()))
}

/// The status text and preauthentication data that a module returns in addition to a code.
struct Said {
    status: *const c_char,
    data: *mut *mut krb5_pa_data,
}

impl Said {
    const NOTHING: Self = Self { status: null(), data: null_mut() };

    /// Converts the module's return code and output to a verdict.
    ///
    /// # Safety
    ///
    /// The text and the data must be null or valid. The data must be allocated with `malloc` and not shared.
    unsafe fn verdict(self, code: Result<()>) -> Result<(), Denial> {
        // SAFETY: the caller's.
        let (status, e_data) = unsafe {
            let mut e_data = Vec::new();
            if !self.data.is_null() {
                let mut at = 0;
                while let Some(item) = Lent::new((*self.data.add(at)).cast_const()) {
                    let seen = PaDataRef(item);
                    e_data.push(PaData::new(seen.pa_type(), seen.contents()));
                    libc::free((**self.data.add(at)).contents.cast());
                    libc::free((*self.data.add(at)).cast());
                    at += 1;
                }
                libc::free(self.data.cast());
            }
            (text(self.status).map(CStr::to_owned), e_data)
        };
        match code {
            // The method is one that a module need not have.
            Err(error) if error.code() == crate::codes::KRB5_PLUGIN_OP_NOTSUPP => Ok(()),
            Err(error) => {
                let denial = Denial::from(error);
                Err(Denial { status: status.map_or(denial.status, Cow::Owned), error: denial.error, e_data })
            }
            Ok(()) => Ok(()),
        }
    }
}

impl Inner {
    /// Checks the realms that a ticket has transited.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_check_transited_realms`.
    pub fn check_transited_realms(&self, transited: &[u8], client_realm: &[u8], server_realm: &[u8]) -> Result<()> {
        let (transited, client, server) = (data(transited)?, data(client_realm)?, data(server_realm)?);
        // SAFETY: the context is this value's, and the data is only read.
        self.done(unsafe {
            libkdb5::krb5_db_check_transited_realms(
                self.context,
                &raw const transited,
                &raw const client,
                &raw const server,
            )
        }?)
    }

    /// Checks an AS request against the policy.
    ///
    /// # Errors
    ///
    /// Returns the underlying module's denial.
    pub fn check_policy_as(&self, check: &AsPolicy<'_>) -> Result<(), Denial> {
        let (mut client, mut server) = (check.client.to_entry()?, check.server.to_entry()?);
        let mut said = Said::NOTHING;
        // SAFETY: the context is this value's, the entries are one's own, and the request is only read.
        unsafe {
            let request = from_ref(check.request.0.get()).cast_mut();
            let (status, e_data) = (&raw mut said.status, &raw mut said.data);
            let (client, server, now) = (client.pointer(), server.pointer(), time(check.kdc_time));
            let code = libkdb5::krb5_db_check_policy_as(self.context, request, client, server, now, status, e_data);
            said.verdict(code.map_err(Error::from).and_then(|code| self.done(code)))
        }
    }

    /// Checks a TGS request against the policy.
    ///
    /// # Errors
    ///
    /// Returns the underlying module's denial.
    pub fn check_policy_tgs(&self, check: &TgsPolicy<'_>) -> Result<(), Denial> {
        let mut server = check.server.to_entry()?;
        let mut said = Said::NOTHING;
        // SAFETY: the context is this value's, the entry is one's own, and request and ticket are only read.
        unsafe {
            let request = from_ref(check.request.0.get()).cast_mut();
            let ticket = from_ref(check.ticket.0.get()).cast_mut();
            let (status, e_data) = (&raw mut said.status, &raw mut said.data);
            let code =
                libkdb5::krb5_db_check_policy_tgs(self.context, request, server.pointer(), ticket, status, e_data);
            said.verdict(code.map_err(Error::from).and_then(|code| self.done(code)))
        }
    }

    /// Reports a completed AS request. Clients that are not in the underlying database are not reported, because db2 counts
    /// failures in the reported entry and would create it.
    pub fn audit_as_req(&self, audit: &AsAudit<'_>) {
        if let Some(name) = audit.client.and_then(DbEntryRef::principal)
            && !matches!(self.get_principal(name, Flags::default()), Ok(Some(_)))
        {
            return;
        }
        let (Ok(mut client), Ok(mut server)) = (copy(audit.client), copy(audit.server)) else { return };
        // SAFETY: the context is this value's, the entries are one's own, and request and addresses are only read.
        unsafe {
            let request = from_ref(audit.request.0.get()).cast_mut();
            let (local, remote) = (address(audit.local_addr), address(audit.remote_addr));
            let (client, server, at) = (pointer(&mut client), pointer(&mut server), time(audit.authtime));
            // A library without the function audits nothing.
            let _ = libkdb5::krb5_db_audit_as_req(
                self.context,
                request,
                local,
                remote,
                client,
                server,
                at,
                audit.error_code,
            );
        }
    }

    /// Checks delegation against the rules of the delegating server.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_check_allowed_to_delegate`.
    pub fn check_allowed_to_delegate(&self, delegation: &Delegation<'_>) -> Result<()> {
        let mut server = delegation.server.to_entry()?;
        // SAFETY: the context is this value's, the entry is one's own, and names are only read.
        self.done(unsafe {
            let (client, proxy) = (principal(delegation.client), principal(delegation.proxy));
            libkdb5::krb5_db_check_allowed_to_delegate(self.context, client, server.pointer(), proxy)
        }?)
    }

    /// Checks delegation against the rules of the target.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_allowed_to_delegate_from`.
    pub fn allowed_to_delegate_from(&self, delegation: &DelegationFrom<'_>) -> Result<()> {
        let mut proxy = delegation.proxy.to_entry()?;
        // SAFETY: the context is this value's, the entry is one's own, and names are only read.
        self.done(unsafe {
            let (client, server) = (principal(Some(delegation.client)), principal(Some(delegation.server)));
            let pac = delegation.server_pac.map_or(null_mut(), |pac| pac.0.pointer());
            libkdb5::krb5_db_allowed_to_delegate_from(self.context, client, server, pac, proxy.pointer())
        }?)
    }

    /// Returns the entry of a certificate's owner.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_get_s4u_x509_principal`, except for `KRB5_KDB_NOENTRY`.
    pub fn get_s4u_x509_principal(
        &self,
        client_cert: &[u8],
        name: PrincipalRef<'_>,
        flags: Flags,
    ) -> Result<Option<DbEntry>> {
        let certificate = data(client_cert)?;
        let mut found = null_mut();
        // SAFETY: the context is this value's, certificate and name are only read, and an entry that is returned is the caller's.
        unsafe {
            let (name, out) = (principal(Some(name)), &raw mut found);
            let code =
                libkdb5::krb5_db_get_s4u_x509_principal(self.context, &raw const certificate, name, flags.0, out)?;
            self.found(code, found)
        }
    }

    /// Adds buffers to a PAC. If the underlying module changed the authentication indicators, returns the indicators that
    /// replace the ticket's.
    ///
    /// # Errors
    ///
    /// Returns any error from `krb5_db_issue_pac`.
    pub fn issue_pac(&self, issue: &IssuePac<'_>, new_pac: &mut NewPac<'_>) -> Result<Option<Vec<Vec<u8>>>> {
        let (mut client, mut krbtgt) = (copy(issue.client)?, copy(issue.signing_krbtgt)?);
        let mut server = issue.server.to_entry()?;
        let mut list = given_indicators(&issue.auth_indicators)?;
        // SAFETY: the context is this value's, the entries and the list are one's own, and the key is only read.
        unsafe {
            let replaced: *mut krb5_keyblock =
                issue.replaced_reply_key.map_or(null_mut(), |key| from_ref(key.0.get()).cast_mut());
            let code = libkdb5::krb5_db_issue_pac(
                self.context,
                issue.flags.0,
                pointer(&mut client),
                replaced,
                server.pointer(),
                pointer(&mut krbtgt),
                time(issue.authtime),
                issue.old_pac.map_or(null_mut(), |pac| pac.0.pointer()),
                new_pac.0.pointer(),
                &raw mut list,
            );
            let after: Vec<Vec<u8>> = indicators(&raw const list).into_iter().map(<[u8]>::to_vec).collect();
            free_indicators(list);
            self.done(code?)?;
            Ok((after != issue.auth_indicators).then_some(after))
        }
    }
}
