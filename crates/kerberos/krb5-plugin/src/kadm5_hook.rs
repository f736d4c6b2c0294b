//! Hooks in kadmind and kadmin.local that run before and after database changes.

use std::ffi::CStr;

use crate::Result;
use crate::view::{Context, PrincipalEntryRef, PrincipalRef};

/// The stage at which a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Before the change. An error prevents it.
    Precommit,
    /// After the change. An error is only logged.
    Postcommit,
}

/// An encryption type and salt type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySalt {
    /// The encryption type.
    pub enctype: i32,
    /// The salt type.
    pub salttype: i32,
}

/// A change of a principal's keys.
#[derive(Clone)]
#[non_exhaustive]
pub struct Chpass<'a> {
    /// The principal.
    pub princ: PrincipalRef<'a>,
    /// True if old keys are kept.
    pub keepold: bool,
    /// The key and salt types. Empty selects the realm's defaults.
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
    /// The key and salt types. Empty selects the realm's defaults.
    pub ks_tuple: Vec<KeySalt>,
    /// The password, or `None` for random keys.
    pub password: Option<&'a CStr>,
}

impl std::fmt::Debug for Create<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Create").field("entry", &self.entry).finish_non_exhaustive()
    }
}

/// A kadmin hook module. By default, each method does nothing.
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
    /// Initializes the module.
    ///
    /// # Errors
    ///
    /// On error, the server does not start.
    fn init(context: &Context<'_>) -> Result<Self>;

    /// Called when keys change.
    ///
    /// # Errors
    ///
    /// An error at the precommit stage prevents the change.
    fn chpass(&self, _context: &Context<'_>, _stage: Stage, _change: &Chpass<'_>) -> Result<()> {
        Ok(())
    }

    /// Called when a principal is created.
    ///
    /// # Errors
    ///
    /// An error at the precommit stage prevents the change.
    fn create(&self, _context: &Context<'_>, _stage: Stage, _change: &Create<'_>) -> Result<()> {
        Ok(())
    }

    /// Called when a principal is modified.
    ///
    /// # Errors
    ///
    /// An error at the precommit stage prevents the change.
    fn modify(&self, _context: &Context<'_>, _stage: Stage, _entry: PrincipalEntryRef<'_>) -> Result<()> {
        Ok(())
    }

    /// Called when a principal is deleted.
    ///
    /// # Errors
    ///
    /// An error at the precommit stage prevents the change.
    fn remove(&self, _context: &Context<'_>, _stage: Stage, _princ: PrincipalRef<'_>) -> Result<()> {
        Ok(())
    }

    /// Called when a principal is renamed.
    ///
    /// # Errors
    ///
    /// An error at the precommit stage prevents the change.
    fn rename(
        &self,
        _context: &Context<'_>,
        _stage: Stage,
        _from: PrincipalRef<'_>,
        _to: PrincipalRef<'_>,
    ) -> Result<()> {
        Ok(())
    }

    /// Called when an alias is created (1.22 and later).
    ///
    /// # Errors
    ///
    /// An error at the precommit stage prevents the change.
    fn alias(
        &self,
        _context: &Context<'_>,
        _stage: Stage,
        _alias: PrincipalRef<'_>,
        _target: PrincipalRef<'_>,
    ) -> Result<()> {
        Ok(())
    }

    /// Finalizes the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}
