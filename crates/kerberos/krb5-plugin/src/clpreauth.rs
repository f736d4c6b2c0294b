//! Client-side preauthentication, in every program that obtains initial credentials.

use std::ffi::CStr;

pub use crate::ffi::clpreauth::{ErrorRef, Exchange};
use crate::view::{Context, PaData, PaDataRef, RequestRef};
use crate::{Result, codes};

/// The kind of preauthentication data type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreauthKind {
    /// A mechanism that authenticates the client.
    Real,
    /// Informational data, which is processed first.
    Info,
}

/// The requests of an exchange, as input for preauthentication data.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Input<'a> {
    /// The request being built.
    pub request: RequestRef<'a>,
    /// The encoded body of the request.
    pub request_body: &'a [u8],
    /// The previous request of this exchange.
    pub previous_request: Option<&'a [u8]>,
}

/// A client-side preauthentication mechanism.
///
/// ```
/// use tagwise_krb5_plugin::clpreauth::{Clpreauth, Exchange, Input};
/// use tagwise_krb5_plugin::view::{Context, PaData, PaDataRef};
/// use tagwise_krb5_plugin::{Error, Result, codes, krb5_plugin};
///
/// struct Token;
///
/// impl Clpreauth for Token {
///     const PA_TYPES: &'static [i32] = &[-77];
///     type Request = ();
///
///     fn init(_: &Context<'_>) -> Result<Self> {
///         Ok(Self)
///     }
///
///     fn request_init(&self, _: &Context<'_>) {}
///
///     /// The other side of the example of `kdcpreauth`.
///     fn process(&self, _: &(), _: &Exchange<'_>, _: Input<'_>, _: PaDataRef<'_>) -> Result<Vec<PaData>> {
///         let token = std::env::var("TOKEN").map_err(|_| Error::from(codes::KRB5KDC_ERR_PREAUTH_FAILED))?;
///         Ok(vec![PaData::new(-77, token)])
///     }
/// }
///
/// krb5_plugin! { clpreauth "token" => Token }
/// ```
pub trait Clpreauth: Sized + Send + 'static {
    /// The supported preauthentication data types, at most sixteen.
    const PA_TYPES: &'static [i32];

    /// Per-request state. It must be `Send`, because a program may continue a request in another thread:
    ///
    /// ```compile_fail,E0277
    /// use tagwise_krb5_plugin::clpreauth::{Clpreauth, Exchange, Input};
    /// use tagwise_krb5_plugin::view::{Context, PaData, PaDataRef};
    /// use tagwise_krb5_plugin::Result;
    ///
    /// struct Counts;
    ///
    /// impl Clpreauth for Counts {
    ///     const PA_TYPES: &'static [i32] = &[-77];
    ///     type Request = std::rc::Rc<()>; // `Arc` compiles.
    /// #   fn init(_: &Context<'_>) -> Result<Self> {
    /// #       Ok(Self)
    /// #   }
    /// #   fn request_init(&self, _: &Context<'_>) -> Self::Request {
    /// #       Default::default()
    /// #   }
    /// #   fn process(&self, _: &Self::Request, _: &Exchange<'_>, _: Input<'_>, _: PaDataRef<'_>) -> Result<Vec<PaData>> {
    /// #       Ok(Vec::new())
    /// #   }
    /// }
    /// ```
    type Request: Send + 'static;

    /// Initializes the module.
    ///
    /// # Errors
    ///
    /// On error, the module is not used.
    fn init(context: &Context<'_>) -> Result<Self>;

    /// Returns the kind of a type.
    fn flags(_context: &Context<'_>, _pa_type: i32) -> PreauthKind {
        PreauthKind::Real
    }

    /// Creates the state for a request.
    fn request_init(&self, context: &Context<'_>) -> Self::Request;

    /// Processes an option from the program, such as `kinit -X attr=value`.
    ///
    /// # Errors
    ///
    /// An error rejects the option.
    fn gic_opts(&self, _context: &Context<'_>, _attr: &CStr, _value: &CStr) -> Result<()> {
        Ok(())
    }

    /// Asks questions through the program's responder, before [`process`](Self::process).
    ///
    /// # Errors
    ///
    /// On error, the preauthentication data type is skipped.
    fn prep_questions(
        &self,
        _request: &Self::Request,
        _exchange: &Exchange<'_>,
        _input: Input<'_>,
        _data: PaDataRef<'_>,
    ) -> Result<()> {
        Ok(())
    }

    /// Processes preauthentication data from the KDC's offer or reply.
    ///
    /// # Errors
    ///
    /// On error, the preauthentication data type is skipped.
    fn process(
        &self,
        request: &Self::Request,
        exchange: &Exchange<'_>,
        input: Input<'_>,
        data: PaDataRef<'_>,
    ) -> Result<Vec<PaData>>;

    /// Processes an error from the KDC. If the method returns data, the request is retried with it.
    ///
    /// # Errors
    ///
    /// On error, the program receives the KDC's error.
    fn tryagain(
        &self,
        _request: &Self::Request,
        _exchange: &Exchange<'_>,
        _input: Input<'_>,
        _error: &ErrorRef<'_>,
    ) -> Result<Vec<PaData>> {
        Err(codes::KRB5KRB_ERR_GENERIC.into())
    }

    /// Finalizes the module.
    fn fini(&mut self, _context: &Context<'_>) {}
}
