//! Hooks of kadmind and kadmin.local: what changes, before and after the database changes.

use std::ffi::CStr;

use crate::Result;
use crate::view::{Context, PrincipalEntryRef, PrincipalRef};

/// Stage at which a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Before the change, which an error prevents.
    Precommit,
    /// After the change; an error is only logged.
    Postcommit,
}

/// An encryption type and a type of salt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySalt {
    /// The encryption type.
    pub enctype: i32,
    /// The type of the salt.
    pub salttype: i32,
}

/// A change of keys.
#[derive(Clone)]
#[non_exhaustive]
pub struct Chpass<'a> {
    /// The principal.
    pub princ: PrincipalRef<'a>,
    /// `true` if old keys stay.
    pub keepold: bool,
    /// The kinds of keys; none for the realm's.
    pub ks_tuple: Vec<KeySalt>,
    /// The new password, or `None` for random keys.
    pub newpass: Option<&'a CStr>,
}

impl std::fmt::Debug for Chpass<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chpass").field("princ", &self.princ).finish_non_exhaustive()
    }
}

/// A new principal.
#[derive(Clone)]
#[non_exhaustive]
pub struct Create<'a> {
    /// The record.
    pub entry: PrincipalEntryRef<'a>,
    /// The kinds of keys; none for the realm's.
    pub ks_tuple: Vec<KeySalt>,
    /// The password, or `None` for random keys.
    pub password: Option<&'a CStr>,
}

impl std::fmt::Debug for Create<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Create").field("entry", &self.entry).finish_non_exhaustive()
    }
}

/// A module of hooks. Each does nothing unless it is written.
///
/// ```
/// use tagwise_krb5_plugin::kadm5_hook::{Create, Kadm5Hook, Stage};
/// use tagwise_krb5_plugin::{Error, Result, krb5_plugin, view::Context};
///
/// struct Reserved;
///
/// impl Kadm5Hook for Reserved {
///     fn init(_: &Context<'_>) -> Result<Self> {
///         Ok(Self)
///     }
///
///     /// Nobody creates `reserved`.
///     fn create(&self, _: &Context<'_>, stage: Stage, change: &Create<'_>) -> Result<()> {
///         let name = change.entry.principal().and_then(|name| name.components().next());
///         match stage == Stage::Precommit && name == Some(b"reserved") {
///             true => Err(Error::denied("the name is reserved")),
///             false => Ok(()),
///         }
///     }
/// }
///
/// krb5_plugin! { kadm5_hook "reserved" => Reserved }
/// ```
pub trait Kadm5Hook: Sized + Send + 'static {
    /// Starts the module.
    ///
    /// # Errors
    ///
    /// An error keeps the server from starting.
    fn init(context: &Context<'_>) -> Result<Self>;

    /// Keys change.
    ///
    /// # Errors
    ///
    /// An error before the change prevents it.
    fn chpass(&self, _context: &Context<'_>, _stage: Stage, _change: &Chpass<'_>) -> Result<()> {
        Ok(())
    }

    /// A principal is created.
    ///
    /// # Errors
    ///
    /// An error before the change prevents it.
    fn create(&self, _context: &Context<'_>, _stage: Stage, _change: &Create<'_>) -> Result<()> {
        Ok(())
    }

    /// A principal is modified.
    ///
    /// # Errors
    ///
    /// An error before the change prevents it.
    fn modify(&self, _context: &Context<'_>, _stage: Stage, _entry: PrincipalEntryRef<'_>) -> Result<()> {
        Ok(())
    }

    /// A principal is deleted.
    ///
    /// # Errors
    ///
    /// An error before the change prevents it.
    fn remove(&self, _context: &Context<'_>, _stage: Stage, _princ: PrincipalRef<'_>) -> Result<()> {
        Ok(())
    }

    /// A principal is renamed.
    ///
    /// # Errors
    ///
    /// An error before the change prevents it.
    fn rename(
        &self,
        _context: &Context<'_>,
        _stage: Stage,
        _from: PrincipalRef<'_>,
        _to: PrincipalRef<'_>,
    ) -> Result<()> {
        Ok(())
    }

    /// An alias is made (1.22 and later).
    ///
    /// # Errors
    ///
    /// An error before the change prevents it.
    fn alias(
        &self,
        _context: &Context<'_>,
        _stage: Stage,
        _alias: PrincipalRef<'_>,
        _target: PrincipalRef<'_>,
    ) -> Result<()> {
        Ok(())
    }

    /// Ends the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}
