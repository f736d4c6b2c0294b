//! KDC-side preauthentication: the offer, the verification of answers, and the reply.
//!
//! Verification may be asynchronous: [`Verdict::Later`] leaves it to the KDC's event loop, so that the KDC can serve other
//! clients in the meantime. The other methods are synchronous.

use std::ffi::CStr;
use std::os::fd::BorrowedFd;
use std::task::Poll;
use std::time::Instant;

pub use crate::ffi::kdcpreauth::Exchange;
use crate::view::{AuthData, Context, PaData, PaDataRef, ReplyRef, RequestRef};
use crate::{Error, Result, codes};

/// Mechanism flags.
pub mod flags {
    /// The mechanism is offered to principals that require hardware preauthentication.
    pub const HARDWARE: i32 = 0x4;
    /// The mechanism is offered to principals that require preauthentication. If it fails, all preauthentication fails.
    pub const REQUIRED: i32 = 0x8;
    /// The mechanism is offered to principals that require preauthentication, and is sufficient for it.
    pub const SUFFICIENT: i32 = 0x10;
    /// The mechanism replaces the reply key.
    pub const REPLACES_KEY: i32 = 0x20;
    /// The type is not an actual preauthentication data type, and is not listed in the offer.
    pub const PSEUDO: i32 = 0x80;
    /// The mechanism's error data is encoded as TYPED-DATA.
    pub const TYPED_E_DATA: i32 = 0x100;
}

/// The result of verifying a valid answer.
#[derive(Clone, Debug)]
pub struct Verified<R> {
    /// State for [`return_padata`](Kdcpreauth::return_padata).
    pub request: Option<R>,
    /// True if hardware preauthentication was used. The KDC then sets the ticket's HW-AUTHENT flag.
    pub hardware: bool,
    /// Authorization data for the ticket.
    pub authz_data: Vec<AuthData>,
}

impl<R> Default for Verified<R> {
    fn default() -> Self {
        Self { request: None, hardware: false, authz_data: Vec::new() }
    }
}

/// The rejection of an invalid or incomplete answer.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The error: `KRB5KDC_ERR_PREAUTH_FAILED`, or `KRB5KDC_ERR_MORE_PREAUTH_DATA_REQUIRED` for another round. The KDC replaces most
    /// other codes with `KRB5KDC_ERR_PREAUTH_FAILED`.
    pub error: Error,
    /// Preauthentication data for the client.
    pub e_data: Vec<PaData>,
}

impl From<Error> for Rejected {
    fn from(error: Error) -> Self {
        Self { error, e_data: Vec::new() }
    }
}

/// The result of verifying a client's answer.
pub enum Verdict<R> {
    /// The answer is valid.
    Now(Verified<R>),
    /// The result is delivered later, through the KDC's event loop.
    Later(Box<dyn Pending<R>>),
}

impl<R> From<Verified<R>> for Verdict<R> {
    fn from(verified: Verified<R>) -> Self {
        Self::Now(verified)
    }
}

impl<R> std::fmt::Debug for Verdict<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Now(_) => "Now",
            Self::Later(_) => "Later",
        })
    }
}

/// The kind of event to wait for on a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// The descriptor becomes readable.
    Read,
    /// The descriptor becomes writable.
    Write,
}

/// The events that end a verification's wait. The first one to occur ends it.
#[derive(Clone, Copy, Debug)]
pub struct Wait<'a> {
    /// The awaited descriptor and event.
    pub ready: Option<(BorrowedFd<'a>, Interest)>,
    /// The deadline.
    pub until: Instant,
}

/// A pending verification in the KDC's event loop, which runs on the KDC's only thread.
///
/// It is dropped after it returns its result, or when the KDC shuts down. A panic counts as an invalid answer.
///
/// ```
/// use std::task::Poll;
/// use std::time::Instant;
/// use tagwise_krb5_plugin::kdcpreauth::{Exchange, Pending, Rejected, Verified, Wait};
///
/// /// Slows a client down.
/// struct Slow(Instant);
///
/// impl Pending<()> for Slow {
///     fn wait(&self) -> Wait<'_> {
///         Wait { ready: None, until: self.0 }
///     }
///
///     fn resume(&mut self, _: &Exchange<'_>) -> Poll<Result<Verified<()>, Rejected>> {
///         if Instant::now() < self.0 { Poll::Pending } else { Poll::Ready(Ok(Verified::default())) }
///     }
/// }
/// ```
pub trait Pending<R> {
    /// Returns the events to wait for. A descriptor must stay open until [`resume`](Self::resume).
    fn wait(&self) -> Wait<'_>;

    /// Continues after an event. If it returns `Poll::Pending`, the KDC waits again.
    fn resume(&mut self, exchange: &Exchange<'_>) -> Poll<Result<Verified<R>, Rejected>>;
}

/// A client's answer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Answer<'a> {
    /// The client's preauthentication data.
    pub data: PaDataRef<'a>,
    /// The request.
    pub request: RequestRef<'a>,
    /// The encoded request.
    pub packet: &'a [u8],
}

/// A reply being built.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Reply<'a> {
    /// The client's preauthentication data.
    pub data: Option<PaDataRef<'a>>,
    /// The request.
    pub request: RequestRef<'a>,
    /// The encoded request.
    pub packet: &'a [u8],
    /// The reply.
    pub reply: ReplyRef<'a>,
}

/// A KDC-side preauthentication mechanism.
///
/// ```
/// use std::ffi::CStr;
/// use tagwise_krb5_plugin::kdcpreauth::{Answer, Exchange, Kdcpreauth, Rejected, Verdict, Verified};
/// use tagwise_krb5_plugin::{Error, Result, codes, krb5_plugin, view::Context};
///
/// struct Token;
///
/// impl Kdcpreauth for Token {
///     const PA_TYPES: &'static [i32] = &[-77];
///     type Request = ();
///
///     fn init(_: &Context<'_>, _: &[&CStr]) -> Result<Self> {
///         Ok(Self)
///     }
///
///     /// The client sends what its string attribute `token` says: no mechanism, an example.
///     fn verify(&self, exchange: &Exchange<'_>, answer: Answer<'_>) -> Result<Verdict<()>, Rejected> {
///         match exchange.string(c"token")? {
///             Some(right) if right.as_bytes() == answer.data.contents() => Ok(Verified::default().into()),
///             _ => Err(Error::from(codes::KRB5KDC_ERR_PREAUTH_FAILED).into()),
///         }
///     }
/// }
///
/// krb5_plugin! { kdcpreauth "token" => Token }
/// ```
pub trait Kdcpreauth: Sized + Send + 'static {
    /// The supported preauthentication data types, at most sixteen.
    const PA_TYPES: &'static [i32];

    /// State shared between an answer and its reply.
    type Request: 'static;

    /// Initializes the module with the KDC's realms.
    ///
    /// # Errors
    ///
    /// On error, the module is not used.
    fn init(context: &Context<'_>, realms: &[&CStr]) -> Result<Self>;

    /// Returns the [`flags`] of a preauthentication data type.
    fn flags(_context: &Context<'_>, _pa_type: i32) -> i32 {
        0
    }

    /// Creates the data with which to offer a preauthentication data type. An empty value means no data.
    ///
    /// # Errors
    ///
    /// On error, the preauthentication data type is not offered.
    fn edata(&self, _exchange: &Exchange<'_>, _request: RequestRef<'_>, _pa_type: i32) -> Result<Option<PaData>> {
        Ok(None)
    }

    /// Verifies an answer, immediately or later. If it is valid, the KDC marks the ticket as preauthenticated.
    ///
    /// # Errors
    ///
    /// Return an error if the answer is invalid or another round is needed.
    fn verify(&self, _exchange: &Exchange<'_>, _answer: Answer<'_>) -> Result<Verdict<Self::Request>, Rejected> {
        Err(Error::from(codes::KRB5KDC_ERR_PREAUTH_FAILED).into())
    }

    /// Creates data for the reply.
    ///
    /// # Errors
    ///
    /// An error ends the request.
    fn return_padata(
        &self,
        _exchange: &Exchange<'_>,
        _reply: Reply<'_>,
        _request: Option<&Self::Request>,
    ) -> Result<Option<PaData>> {
        Ok(None)
    }

    /// Finalizes the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}
