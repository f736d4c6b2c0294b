//! `NAME/login` may log in as `NAME`, and nobody may log in as `root`. `auth_to_local = EXAMPLE:PREFIX` prepends a prefix
//! to names.

use std::ffi::CStr;

use tagwise_krb5_plugin::localauth::{An2ln, Localauth};
use tagwise_krb5_plugin::view::{Context, PrincipalRef};
use tagwise_krb5_plugin::{Error, Result, codes};

use crate::trace::called;

pub(crate) struct Accounts;

impl Localauth for Accounts {
    const AN2LN_TYPES: &'static [&'static CStr] = &[c"EXAMPLE"];

    fn init(_: &Context<'_>) -> Result<Self> {
        called("localauth", "init", "");
        Ok(Self)
    }

    fn userok(&self, _: &Context<'_>, aname: PrincipalRef<'_>, lname: &CStr) -> Result<()> {
        called("localauth", "userok", format_args!("{aname} {}", lname.to_string_lossy()));
        let mut components = aname.components();
        match (components.next(), components.next(), components.next()) {
            _ if lname == c"root" => Err(Error::denied("nobody logs in as root")),
            (Some(name), Some(b"login"), None) if name == lname.to_bytes() => Ok(()),
            _ => Err(Error::no_handle()),
        }
    }

    fn an2ln(&self, _: &Context<'_>, asked: An2ln<'_>) -> Result<String> {
        called("localauth", "an2ln", format_args!("{} {:?} {:?}", asked.aname, asked.kind, asked.residual));
        let name = asked.aname.components().next().and_then(|name| std::str::from_utf8(name).ok());
        let name = name.ok_or(codes::KRB5_LNAME_NOTRANS)?;
        Ok(format!("{}{name}", asked.residual.unwrap_or_default().to_string_lossy()))
    }

    fn fini(&mut self, _: &Context<'_>) {
        called("localauth", "fini", "");
    }
}
