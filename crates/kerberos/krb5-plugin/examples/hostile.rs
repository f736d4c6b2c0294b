//! Misbehaving modules, for testing that hosts survive them.
#![deny(unsafe_code)]
#![allow(clippy::panic, reason = "that is what they are for")]

use std::ffi::CStr;
use std::time::Duration;

use tagwise_krb5_plugin::audit::{Audit, Event};
use tagwise_krb5_plugin::kadm5_hook::{Kadm5Hook, Stage};
use tagwise_krb5_plugin::kdcpolicy::{AsCheck, Denial, Kdcpolicy, Limits, TgsCheck};
use tagwise_krb5_plugin::localauth::{An2ln, Localauth};
use tagwise_krb5_plugin::pwqual::{Check, Pwqual};
use tagwise_krb5_plugin::view::{Context, PrincipalEntryRef, PrincipalRef};
use tagwise_krb5_plugin::{Error, Result, krb5_plugin};

/// A module that panics at every call but the first, including the last call, and when it is dropped.
struct Panics;

impl Drop for Panics {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

impl Pwqual for Panics {
    fn open(_: &Context<'_>, _: Option<&CStr>) -> Result<Self> {
        Ok(Self)
    }

    fn check(&self, _: &Context<'_>, _: &Check<'_>) -> Result<()> {
        panic!("check");
    }

    fn close(&mut self, _: &Context<'_>) {
        panic!("close");
    }
}

impl Audit for Panics {
    fn open() -> Result<Self> {
        Ok(Self)
    }

    fn as_req(&self, _: Event<'_>) -> Result<()> {
        panic!("as_req");
    }

    fn tgs_req(&self, _: Event<'_>) -> Result<()> {
        std::panic::panic_any(Panics)
    }

    fn close(&mut self) -> Result<()> {
        panic!("close");
    }
}

impl Localauth for Panics {
    fn init(_: &Context<'_>) -> Result<Self> {
        Ok(Self)
    }

    fn userok(&self, _: &Context<'_>, _: PrincipalRef<'_>, _: &CStr) -> Result<()> {
        panic!("userok");
    }

    fn an2ln(&self, _: &Context<'_>, _: An2ln<'_>) -> Result<String> {
        Ok("zero\0byte".to_owned())
    }

    fn fini(&mut self, _: &Context<'_>) {
        panic!("fini");
    }
}

impl Kadm5Hook for Panics {
    fn init(_: &Context<'_>) -> Result<Self> {
        Ok(Self)
    }

    fn modify(&self, _: &Context<'_>, _: Stage, _: PrincipalEntryRef<'_>) -> Result<()> {
        panic!("modify");
    }

    fn fini(&mut self, _: &Context<'_>) {
        panic!("fini");
    }
}

/// A module that panics for the name `panic`, sleeps for `sleep`, and returns inconsistent results for `nonsense`. Its last call panics.
struct ByName;

impl Drop for ByName {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

impl Kdcpolicy for ByName {
    fn init(_: &Context<'_>) -> Result<Self> {
        Ok(Self)
    }

    fn check_as(&self, _: &Context<'_>, check: &AsCheck<'_>) -> Result<Limits, Denial> {
        match check.request.client().and_then(|client| client.components().next()) {
            Some(b"panic") => panic!("check_as"),
            Some(b"sleep") => std::thread::sleep(Duration::from_secs(2)),
            Some(b"zero") => return Err(Error::from(0).into()),
            Some(b"nonsense") => {
                return Ok(Limits { lifetime: Some(Duration::ZERO), renew_lifetime: Some(Duration::MAX) });
            }
            _ => {}
        }
        Ok(Limits::default())
    }

    fn check_tgs(&self, _: &Context<'_>, _: &TgsCheck<'_>) -> Result<Limits, Denial> {
        Ok(Limits::default())
    }

    fn fini(&mut self, _: &Context<'_>) {
        panic!("fini");
    }
}

krb5_plugin! {
    pwqual "hostile" => Panics,
    audit "hostile" => Panics,
    localauth "hostile" => Panics,
    kadm5_hook "hostile" => Panics,
    kdcpolicy "hostile" => ByName,
}
