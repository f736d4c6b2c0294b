//! Replies to requests.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};

/// A reply.
pub(crate) type Reply = Response<Full<Bytes>>;

/// A plain text reply. It closes the connection, because the request's body was not read.
pub(crate) fn text(status: StatusCode, text: impl Into<Bytes>) -> Reply {
    let mut reply = Response::new(Full::new(text.into()));
    *reply.status_mut() = status;
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if status.is_client_error() {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    reply
}
