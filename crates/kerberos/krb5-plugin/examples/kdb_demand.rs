//! A database module layered on another. `guest/<anything>` exists whenever `guest` does, and services may delegate to
//! the targets listed in their attribute `delegate_to`.
//!
//! ```text
//! [dbmodules]
//!  db_module_dir = /usr/lib/krb5/kdb
//!  main = {
//!   db_library = kdb_demand
//!   inner = files
//!  }
//!  files = {
//!   db_library = db2
//!   database_name = /var/lib/krb5kdc/principal
//!  }
//! ```
#![deny(unsafe_code)]

use tagwise_krb5_plugin::kdb::{DbEntry, Delegation, Flags, Inner, Kdb, Settings};
use tagwise_krb5_plugin::view::{Context, PrincipalRef};
use tagwise_krb5_plugin::{Error, Principal, Result, codes, krb5_plugin};

struct OnDemand {
    inner: Inner,
}

impl Kdb for OnDemand {
    fn init_module(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        Ok(Self { inner: Inner::open(context, settings, &settings.required(context, "inner")?)? })
    }

    fn create(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        Ok(Self { inner: Inner::create(context, settings, &settings.required(context, "inner")?)? })
    }

    fn destroy(context: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        Inner::destroy(context, settings, &settings.required(context, "inner")?)
    }

    fn inner(&self) -> Option<&Inner> {
        Some(&self.inner)
    }

    fn get_principal(&self, context: &Context<'_>, name: PrincipalRef<'_>, flags: Flags) -> Result<Option<DbEntry>> {
        if let Some(found) = self.inner.get_principal(name, flags)? {
            return Ok(Some(found));
        }
        let mut components = name.components();
        if components.len() != 2 || components.next() != Some(b"guest") {
            return Ok(None);
        }
        let template = Principal::new(1, name.realm(), ["guest"]);
        let Some(mut entry) = self.inner.get_principal(&template, flags)? else { return Ok(None) };
        // The salt of the password is that of `guest`, and must not follow the name.
        context.specialize_salt(&mut entry)?;
        entry.set_principal(&name.to_principal())?;
        Ok(Some(entry))
    }

    fn check_allowed_to_delegate(&self, _: &Context<'_>, delegation: &Delegation<'_>) -> Result<()> {
        let targets = delegation.server.string("delegate_to").unwrap_or_default();
        let targets = String::from_utf8_lossy(targets);
        let allowed = match delegation.proxy {
            None => !targets.is_empty(),
            Some(proxy) => targets.split(' ').any(|target| target == proxy.to_string()),
        };
        allowed.then_some(()).ok_or_else(|| Error::from(codes::KRB5KDC_ERR_BADOPTION))
    }
}

krb5_plugin! { kdb => OnDemand }
