//! Request bodies.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::EXPECT;
use hyper::{Request, StatusCode};

/// A request's body.
///
/// If it is dropped before its end, the rest is received and discarded within a time limit. Otherwise, the server would
/// reset the stream or connection while the client is still sending, and many clients then discard the response.
#[derive(Debug)]
pub struct RequestBody {
    /// Always present, except while the body is dropped.
    inner: Option<Incoming>,
    /// The time limit for the rest, or `None` if the client waits for the response (`Expect: 100-continue`).
    rest: Option<Duration>,
}

/// The reason why a body was not received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// The body exceeds the maximum size.
    TooLong,
    /// The body did not arrive within the time limit.
    Slow,
    /// The body is incomplete.
    Broken,
}

impl BodyError {
    /// The status code of the response.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        match self {
            Self::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Slow => StatusCode::REQUEST_TIMEOUT,
            Self::Broken => StatusCode::BAD_REQUEST,
        }
    }
}

impl RequestBody {
    /// Wraps the body of a request. `rest` is the time limit for discarding the rest of the body.
    pub(super) fn wrap(request: Request<Incoming>, rest: Duration) -> Request<Self> {
        let rest = (!request.headers().contains_key(EXPECT)).then_some(rest);
        request.map(|body| Self { inner: Some(body), rest })
    }

    /// Receives the body within a time limit, if it has at most `most` bytes.
    ///
    /// # Errors
    /// Returns a [`BodyError`] if the body is too long, too slow or incomplete.
    pub async fn receive(self, most: usize, time: Duration) -> Result<Bytes, BodyError> {
        match tokio::time::timeout(time, Limited::new(self, most).collect()).await {
            Err(_slow) => Err(BodyError::Slow),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(BodyError::TooLong),
            Ok(Err(_broken)) => Err(BodyError::Broken),
            Ok(Ok(body)) => Ok(body.to_bytes()),
        }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match &mut self.inner {
            Some(inner) => Pin::new(inner).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.as_ref().map_or_else(SizeHint::default, Body::size_hint)
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        let Some((mut inner, rest)) = self.inner.take().zip(self.rest) else { return };
        if inner.is_end_stream() {
            return;
        }
        // Without a runtime, the server has stopped.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let discard = async { while let Some(Ok(_)) = inner.frame().await {} };
                let _ = tokio::time::timeout(rest, discard).await;
            });
        }
    }
}
