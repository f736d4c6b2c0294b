//! Authorization of PKINIT certificates.

use std::ffi::{CStr, CString};

use crate::Result;
use crate::view::{Context, DbEntryRef, PrincipalRef};

/// An opinion on a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// The certificate may authenticate as the principal.
    Authorized,
    /// Like [`Authorized`](Self::Authorized), and the key is in hardware.
    AuthorizedInHardware,
    /// The module neither accepts nor rejects the certificate.
    None,
    /// The module neither accepts nor rejects the certificate, but states that the key is in hardware.
    NoneInHardware,
}

/// A module's decision.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The opinion.
    pub opinion: Opinion,
    /// Authentication indicators for the ticket.
    pub indicators: Vec<CString>,
}

/// A request to authorize a certificate for a principal.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Authorize<'a> {
    /// The DER-encoded certificate. The KDC has verified it.
    pub cert: &'a [u8],
    /// The principal as which the certificate's holder requests a ticket.
    pub princ: PrincipalRef<'a>,
    /// The principal's database entry.
    pub entry: Option<DbEntryRef<'a>>,
}

/// A certificate authorization module.
///
/// ```
/// use tagwise_krb5_plugin::certauth::{Authorize, Certauth, Decision, Opinion};
/// use tagwise_krb5_plugin::{Result, codes, krb5_plugin, view::Context};
///
/// struct Listed;
///
/// impl Certauth for Listed {
///     fn init(_: &Context<'_>) -> Result<Self> {
///         Ok(Self)
///     }
///
///     /// Principals whose string attribute `certificates` is `no` have none.
///     fn authorize(&self, _: &Context<'_>, asked: &Authorize<'_>) -> Result<Decision> {
///         match asked.entry.and_then(|entry| entry.string("certificates")) {
///             Some(b"no") => Err(codes::KRB5KDC_ERR_CERTIFICATE_MISMATCH.into()),
///             _ => Ok(Decision { opinion: Opinion::None, indicators: vec![c"certificate".to_owned()] }),
///         }
///     }
/// }
///
/// krb5_plugin! { certauth "listed" => Listed }
/// ```
pub trait Certauth: Sized + Send + 'static {
    /// Initializes the module.
    ///
    /// # Errors
    ///
    /// On error, the module is not used.
    fn init(context: &Context<'_>) -> Result<Self>;

    /// Initializes the module with the KDC's realms (1.21 and later; earlier releases call [`init`](Self::init)).
    ///
    /// # Errors
    ///
    /// On error, the module is not used.
    fn init_ex(context: &Context<'_>, _realms: &[&CStr]) -> Result<Self> {
        Self::init(context)
    }

    /// Decides whether a certificate is authorized.
    ///
    /// # Errors
    ///
    /// Return `KRB5KDC_ERR_CLIENT_NAME_MISMATCH`, `KRB5KDC_ERR_INCONSISTENT_KEY_PURPOSE` or `KRB5KDC_ERR_CERTIFICATE_MISMATCH` to reject
    /// the certificate.
    fn authorize(&self, context: &Context<'_>, asked: &Authorize<'_>) -> Result<Decision>;

    /// Finalizes the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}
