//! Calls from C: method tables, and `extern "C"` functions that call the traits. Unsafe code is only here, in `host`, and in `kdb::entry`.

mod audit;
mod ccselect;
mod certauth;
pub(crate) mod clpreauth;
#[cfg(test)]
mod ends;
mod given;
mod guard;
mod hostrealm;
mod kadm5_auth;
mod kadm5_hook;
pub(crate) mod kdb;
mod kdcpolicy;
pub(crate) mod kdcpreauth;
mod later;
mod localauth;
mod memory;
mod pwqual;

/// Items used by [`krb5_plugin!`](crate::krb5_plugin).
pub mod private {
    pub use super::audit::audit;
    pub use super::ccselect::ccselect;
    pub use super::certauth::certauth;
    pub use super::clpreauth::clpreauth;
    pub use super::hostrealm::hostrealm;
    pub use super::kadm5_auth::kadm5_auth;
    pub use super::kadm5_hook::kadm5_hook;
    pub use super::kdb::kdb;
    pub use super::kdcpolicy::kdcpolicy;
    pub use super::kdcpreauth::kdcpreauth;
    pub use super::localauth::localauth;
    pub use super::pwqual::pwqual;
    /// The method table of a database module.
    pub type KdbTable = tagwise_krb5_plugin_sys::mit::kdb_vftabl;
    /// The host's context.
    pub type Context = tagwise_krb5_plugin_sys::mit::krb5_context;
    /// The host's method table.
    pub type Vtable = *mut core::ffi::c_void;
}
