//! Preauthentication, the KDC's side: what is offered, whether an answer is right, what the reply carries.
//!
//! Verification may take its time: [`Verdict::Later`] leaves it to the KDC's event loop, and the KDC serves others meanwhile. The other
//! methods answer before they return.

use std::ffi::CStr;
use std::os::fd::BorrowedFd;
use std::task::Poll;
use std::time::Instant;

pub use crate::ffi::kdcpreauth::Exchange;
use crate::view::{AuthData, Context, PaData, PaDataRef, ReplyRef, RequestRef};
use crate::{Error, Result, codes};

/// Properties of a mechanism, as bits.
pub mod flags {
    /// Offered to principals that need hardware preauthentication.
    pub const HARDWARE: i32 = 0x4;
    /// Offered to principals that need preauthentication, all of which fails if this does.
    pub const REQUIRED: i32 = 0x8;
    /// Offered to principals that need preauthentication, for which this is enough.
    pub const SUFFICIENT: i32 = 0x10;
    /// Replaces the key of the reply.
    pub const REPLACES_KEY: i32 = 0x20;
    /// Is no type of preauthentication data, and not listed.
    pub const PSEUDO: i32 = 0x80;
    /// Data of errors are typed data.
    pub const TYPED_E_DATA: i32 = 0x100;
}

/// An answer that is right.
#[derive(Clone, Debug)]
pub struct Verified<R> {
    /// State for [`return_padata`](Kdcpreauth::return_padata).
    pub request: Option<R>,
    /// `true` if hardware was used, which the ticket tells.
    pub hardware: bool,
    /// Authorization data for the ticket.
    pub authz_data: Vec<AuthData>,
}

impl<R> Default for Verified<R> {
    fn default() -> Self {
        Self { request: None, hardware: false, authz_data: Vec::new() }
    }
}

/// An answer that is wrong, or not enough.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The error: `KRB5KDC_ERR_PREAUTH_FAILED`, or `KRB5KDC_ERR_MORE_PREAUTH_DATA_REQUIRED` for another round. The KDC
    /// makes most other codes the former.
    pub error: Error,
    /// Data for the client.
    pub e_data: Vec<PaData>,
}

impl From<Error> for Rejected {
    fn from(error: Error) -> Self {
        Self { error, e_data: Vec::new() }
    }
}

/// Verdict on an answer.
pub enum Verdict<R> {
    /// The answer is right.
    Now(Verified<R>),
    /// The verdict comes later.
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

/// Use of a descriptor that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// It can be read.
    Read,
    /// It can be written.
    Write,
}

/// Events that a verification waits for; the first that happens ends the wait.
#[derive(Clone, Copy, Debug)]
pub struct Wait<'a> {
    /// A descriptor that is ready.
    pub ready: Option<(BorrowedFd<'a>, Interest)>,
    /// A moment.
    pub until: Instant,
}

/// A verification that waits for something in the KDC's event loop, in the KDC's one thread.
///
/// It is dropped after its verdict, and without one when the KDC ends. A panic is the verdict that the answer is wrong.
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
    /// Returns what to wait for. A descriptor must stay open until [`resume`](Self::resume).
    fn wait(&self) -> Wait<'_>;

    /// Goes on when an event has happened. `Pending` waits once more.
    fn resume(&mut self, exchange: &Exchange<'_>) -> Poll<Result<Verified<R>, Rejected>>;
}

/// A client's answer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Answer<'a> {
    /// The data.
    pub data: PaDataRef<'a>,
    /// The request.
    pub request: RequestRef<'a>,
    /// The request as it came.
    pub packet: &'a [u8],
}

/// A reply in the making.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Reply<'a> {
    /// The client's data.
    pub data: Option<PaDataRef<'a>>,
    /// The request.
    pub request: RequestRef<'a>,
    /// The request as it came.
    pub packet: &'a [u8],
    /// The reply.
    pub reply: ReplyRef<'a>,
}

/// A mechanism on the KDC's side.
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
    /// Types of preauthentication data, sixteen at most.
    const PA_TYPES: &'static [i32];

    /// State between an answer and its reply.
    type Request: 'static;

    /// Starts the module, with the KDC's realms.
    ///
    /// # Errors
    ///
    /// An error leaves the module out.
    fn init(context: &Context<'_>, realms: &[&CStr]) -> Result<Self>;

    /// Returns the [`flags`] of a type.
    fn flags(_context: &Context<'_>, _pa_type: i32) -> i32 {
        0
    }

    /// Makes the data by which a type is offered; none for an empty value.
    ///
    /// # Errors
    ///
    /// An error leaves the type out of the offer.
    fn edata(&self, _exchange: &Exchange<'_>, _request: RequestRef<'_>, _pa_type: i32) -> Result<Option<PaData>> {
        Ok(None)
    }

    /// Verifies an answer, now or later. The KDC marks the ticket if it is right.
    ///
    /// # Errors
    ///
    /// The answer is wrong, or another round follows.
    fn verify(&self, _exchange: &Exchange<'_>, _answer: Answer<'_>) -> Result<Verdict<Self::Request>, Rejected> {
        Err(Error::from(codes::KRB5KDC_ERR_PREAUTH_FAILED).into())
    }

    /// Makes data for the reply.
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

    /// Ends the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}
