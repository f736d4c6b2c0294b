//! Logs changes, and rejects new principals whose names begin with `reserved`.

use tagwise_krb5_plugin::kadm5_hook::{Chpass, Create, Kadm5Hook, Stage};
use tagwise_krb5_plugin::view::{Context, PrincipalEntryRef, PrincipalRef};
use tagwise_krb5_plugin::{Error, Result};

use crate::trace::called;

pub(crate) struct Journal;

impl Kadm5Hook for Journal {
    fn init(_: &Context<'_>) -> Result<Self> {
        called("kadm5_hook", "init", "");
        Ok(Self)
    }

    fn chpass(&self, _: &Context<'_>, stage: Stage, change: &Chpass<'_>) -> Result<()> {
        called(
            "kadm5_hook",
            "chpass",
            format_args!("{stage:?} {} password: {}", change.princ, change.newpass.is_some()),
        );
        Ok(())
    }

    fn create(&self, _: &Context<'_>, stage: Stage, change: &Create<'_>) -> Result<()> {
        let principal = change.entry.principal();
        called("kadm5_hook", "create", format_args!("{stage:?} {principal:?} {:?}", change.entry.policy()));
        let reserved =
            principal.and_then(|name| name.components().next()).is_some_and(|name| name.starts_with(b"reserved"));
        if reserved && stage == Stage::Precommit {
            return Err(Error::denied("the name is reserved"));
        }
        Ok(())
    }

    fn modify(&self, _: &Context<'_>, stage: Stage, entry: PrincipalEntryRef<'_>) -> Result<()> {
        called("kadm5_hook", "modify", format_args!("{stage:?} {:?} {:?}", entry.principal(), entry.max_life()));
        Ok(())
    }

    fn remove(&self, _: &Context<'_>, stage: Stage, princ: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_hook", "remove", format_args!("{stage:?} {princ}"));
        Ok(())
    }

    fn rename(&self, _: &Context<'_>, stage: Stage, from: PrincipalRef<'_>, to: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_hook", "rename", format_args!("{stage:?} {from} {to}"));
        Ok(())
    }

    fn alias(&self, _: &Context<'_>, stage: Stage, alias: PrincipalRef<'_>, target: PrincipalRef<'_>) -> Result<()> {
        called("kadm5_hook", "alias", format_args!("{stage:?} {alias} {target}"));
        Ok(())
    }

    fn fini(&mut self, _: &Context<'_>) {
        called("kadm5_hook", "fini", "");
    }
}
