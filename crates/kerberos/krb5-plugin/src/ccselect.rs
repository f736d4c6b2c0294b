//! Credential cache selection for GSS-API initiators.

use crate::view::{Context, PrincipalRef};
use crate::{Principal, Result};

/// The order in which modules are consulted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Consulted after the authoritative modules.
    Heuristic,
    /// Consulted first.
    Authoritative,
}

/// A module's choice.
#[derive(Clone, Debug)]
pub enum Choice {
    /// The cache with this name, such as `FILE:/tmp/krb5cc_1000`.
    Cache(String),
    /// The client principal to use. It has no cache yet.
    NoCache(Principal),
}

/// A credential cache selection module.
///
/// ```
/// use tagwise_krb5_plugin::ccselect::{Ccselect, Choice, Priority};
/// use tagwise_krb5_plugin::view::{Context, PrincipalRef};
/// use tagwise_krb5_plugin::{Error, Result, krb5_plugin};
///
/// struct Files;
///
/// impl Ccselect for Files {
///     fn init(_: &Context<'_>) -> Result<(Self, Priority)> {
///         Ok((Self, Priority::Heuristic))
///     }
///
///     /// `nfs/...` is asked for with a cache of its own.
///     fn choose(&self, _: &Context<'_>, server: PrincipalRef<'_>) -> Result<Choice> {
///         match server.components().next() {
///             Some(b"nfs") => Ok(Choice::Cache("FILE:/run/user/1000/nfs.ccache".to_owned())),
///             _ => Err(Error::no_handle()),
///         }
///     }
/// }
///
/// krb5_plugin! { ccselect "files" => Files }
/// ```
pub trait Ccselect: Sized + Send + 'static {
    /// Initializes the module, and returns its priority.
    ///
    /// # Errors
    ///
    /// On error, the module is not used.
    fn init(context: &Context<'_>) -> Result<(Self, Priority)>;

    /// Selects a cache for a server.
    ///
    /// # Errors
    ///
    /// Return [`Error::no_handle`](crate::Error::no_handle) to defer to other modules. Any other error ends the selection.
    fn choose(&self, context: &Context<'_>, server: PrincipalRef<'_>) -> Result<Choice>;

    /// Finalizes the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}
