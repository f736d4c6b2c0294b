//! Deputies (`NAME/deputy`) may do everything except delete principals. Principals that they add expire after an hour.

use std::ffi::CStr;
use std::time::Duration;

use tagwise_krb5_plugin::kadm5_auth::{Kadm5Auth, Restrictions};
use tagwise_krb5_plugin::view::{Context, PolicyRef, PrincipalEntryRef, PrincipalRef};
use tagwise_krb5_plugin::{Error, Result};

use crate::trace::called;

pub(crate) struct Deputies;

/// Allows the operation if the client is a deputy. Otherwise has no opinion.
fn deputy(client: PrincipalRef<'_>) -> Result<()> {
    match client.components().nth(1) {
        Some(b"deputy") => Ok(()),
        _ => Err(Error::no_handle()),
    }
}

fn an_hour() -> Option<Restrictions> {
    // Tickets that can be forwarded are not for them (KRB5_KDB_DISALLOW_FORWARDABLE), nor may they be locked (DISALLOW_ALL_TIX).
    Some(Restrictions {
        attributes: Some((0x2, 0x40)),
        max_life: Some(Duration::from_secs(3600)),
        ..Restrictions::default()
    })
}

impl Kadm5Auth for Deputies {
    fn init(_: &Context<'_>, acl_file: Option<&CStr>) -> Result<Self> {
        called("kadm5_auth", "init", format_args!("{acl_file:?}"));
        Ok(Self)
    }

    fn addprinc(
        &self,
        _: &Context<'_>,
        client: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
        entry: PrincipalEntryRef<'_>,
    ) -> Result<Option<Restrictions>> {
        called("kadm5_auth", "addprinc", format_args!("{client} {target} {:?}", entry.policy()));
        deputy(client)?;
        Ok(an_hour())
    }

    fn modprinc(
        &self,
        _: &Context<'_>,
        client: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
        entry: PrincipalEntryRef<'_>,
    ) -> Result<Option<Restrictions>> {
        called("kadm5_auth", "modprinc", format_args!("{client} {target} {:?}", entry.attributes()));
        deputy(client)?;
        Ok(an_hour())
    }

    fn setstr(
        &self,
        _: &Context<'_>,
        client: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
        key: &CStr,
        value: Option<&CStr>,
    ) -> Result<()> {
        called("kadm5_auth", "setstr", format_args!("{client} {target} {key:?} {value:?}"));
        deputy(client)
    }

    fn cpw(&self, _: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_auth", "cpw", format_args!("{client} {target}"));
        deputy(client)
    }

    fn chrand(&self, _: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_auth", "chrand", format_args!("{client} {target}"));
        deputy(client)
    }

    fn setkey(&self, _: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_auth", "setkey", format_args!("{client} {target}"));
        deputy(client)
    }

    fn purgekeys(&self, _: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_auth", "purgekeys", format_args!("{client} {target}"));
        deputy(client)
    }

    fn delprinc(&self, _: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_auth", "delprinc", format_args!("{client} {target}"));
        deputy(client)?;
        Err(Error::denied("deputies delete no principals"))
    }

    fn renprinc(
        &self,
        _: &Context<'_>,
        client: PrincipalRef<'_>,
        src: PrincipalRef<'_>,
        dest: PrincipalRef<'_>,
    ) -> Result<()> {
        called("kadm5_auth", "renprinc", format_args!("{client} {src} {dest}"));
        deputy(client)
    }

    fn getprinc(&self, _: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_auth", "getprinc", format_args!("{client} {target}"));
        deputy(client)
    }

    fn getstrs(&self, _: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_auth", "getstrs", format_args!("{client} {target}"));
        deputy(client)
    }

    fn extract(&self, _: &Context<'_>, client: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_auth", "extract", format_args!("{client} {target}"));
        deputy(client)
    }

    fn listprincs(&self, _: &Context<'_>, client: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_auth", "listprincs", format_args!("{client}"));
        deputy(client)
    }

    fn addpol(&self, _: &Context<'_>, client: PrincipalRef<'_>, policy: &CStr, entry: PolicyRef<'_>) -> Result<()> {
        called("kadm5_auth", "addpol", format_args!("{client} {policy:?} {:?}", entry.pw_min_length()));
        deputy(client)
    }

    fn modpol(&self, _: &Context<'_>, client: PrincipalRef<'_>, policy: &CStr, entry: PolicyRef<'_>) -> Result<()> {
        called("kadm5_auth", "modpol", format_args!("{client} {policy:?} {:?}", entry.pw_min_length()));
        deputy(client)
    }

    fn delpol(&self, _: &Context<'_>, client: PrincipalRef<'_>, policy: &CStr) -> Result<()> {
        called("kadm5_auth", "delpol", format_args!("{client} {policy:?}"));
        deputy(client)
    }

    fn getpol(
        &self,
        _: &Context<'_>,
        client: PrincipalRef<'_>,
        policy: &CStr,
        client_policy: Option<&CStr>,
    ) -> Result<()> {
        called("kadm5_auth", "getpol", format_args!("{client} {policy:?} {client_policy:?}"));
        deputy(client)
    }

    fn listpols(&self, _: &Context<'_>, client: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_auth", "listpols", format_args!("{client}"));
        deputy(client)
    }

    fn iprop(&self, _: &Context<'_>, client: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_auth", "iprop", format_args!("{client}"));
        deputy(client)
    }

    fn addalias(
        &self,
        _: &Context<'_>,
        client: PrincipalRef<'_>,
        alias: PrincipalRef<'_>,
        target: PrincipalRef<'_>,
    ) -> Result<()> {
        called("kadm5_auth", "addalias", format_args!("{client} {alias} {target}"));
        deputy(client)
    }

    fn end(&self, _: &Context<'_>) {
        called("kadm5_auth", "end", "");
    }

    fn fini(&mut self, _: &Context<'_>) {
        called("kadm5_auth", "fini", "");
    }
}
