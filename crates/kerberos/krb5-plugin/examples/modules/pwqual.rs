//! Rejects passwords that equal the user's name.

use std::ffi::CStr;

use tagwise_krb5_plugin::pwqual::{Check, Pwqual};
use tagwise_krb5_plugin::view::Context;
use tagwise_krb5_plugin::{Error, Result, codes};

use crate::trace::called;

pub(crate) struct NoNames;

impl Pwqual for NoNames {
    fn open(_: &Context<'_>, dict_file: Option<&CStr>) -> Result<Self> {
        called("pwqual", "open", format_args!("{dict_file:?}"));
        Ok(Self)
    }

    fn check(&self, _: &Context<'_>, check: &Check<'_>) -> Result<()> {
        called("pwqual", "check", format_args!("{} {:?}", check.princ, check.policy_name));
        let name = check.princ.components().next().unwrap_or_default();
        match check.password.to_bytes() == name {
            true => Err(Error::new(codes::KADM5_PASS_Q_GENERIC, "the password is the user's name: choose another")),
            false => Ok(()),
        }
    }

    fn close(&mut self, _: &Context<'_>) {
        called("pwqual", "close", "");
    }
}
