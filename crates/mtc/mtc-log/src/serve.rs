//! An HTTP/1.1 server for logs, witnesses and mirrors, with a matching client. TLS is left to a proxy.

mod client;
mod routes;
mod submit;

use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::{Method, Request, Response, StatusCode};
use tagwise_serve::http::{BodyError, Limits, RequestBody};
use tokio::net::TcpListener;

pub use client::{Client, Response as ClientResponse};
pub use routes::{LogService, MirrorService, WitnessService};
pub use submit::{Cosigned, submit_to_mirror, submit_to_witness};

use crate::Reply;

/// A request handler. It runs on a thread that is allowed to block.
pub trait Service: Send + Sync + 'static {
    /// Returns the maximum size of a request body for a path, in bytes, or `None` if the path does not accept POST.
    fn max_body(&self, path: &str) -> Option<usize>;

    /// Answers a request: `GET` without a body, `POST` with one. The path has no leading slash.
    fn answer(&self, path: &str, body: Option<&[u8]>) -> Answer;
}

/// A response with its cache lifetime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status, media type and body.
    pub reply: Reply,
    /// The cache lifetime in seconds. 0 prevents caching.
    pub max_age: u64,
}

/// Limits of a log, witness or mirror server.
#[derive(Clone, Copy, Debug)]
pub struct ServeOptions {
    /// The maximum number of simultaneous connections. A further connection replaces the one that has been idle longest, or
    /// waits if none is idle.
    pub max_connections: usize,
    /// The maximum idle time of a connection.
    pub idle_timeout: Duration,
    /// The time limit for receiving a request's head. The same limit applies separately to its body.
    pub read_timeout: Duration,
    /// The maximum lifetime of a connection.
    pub lifetime: Duration,
    /// The time allowed for completing current requests on shutdown.
    pub grace: Duration,
}

impl ServeOptions {
    /// The default limits: 256 connections, 10 seconds of idle time, 10 seconds to receive, 2 minutes per connection, and 5
    /// seconds for shutdown.
    pub const DEFAULT: Self = Self {
        max_connections: 256,
        idle_timeout: Duration::from_secs(10),
        read_timeout: Duration::from_secs(10),
        lifetime: Duration::from_secs(120),
        grace: Duration::from_secs(5),
    };
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The state shared by all connections.
struct Shared {
    service: Arc<dyn Service>,
    options: ServeOptions,
}

/// Serves requests until `stop` completes, and then finishes those in progress.
pub async fn serve(
    listener: TcpListener,
    service: Arc<dyn Service>,
    options: ServeOptions,
    stop: impl Future<Output = ()>,
) {
    let shared = Arc::new(Shared { service, options });
    let limits = Limits {
        max_connections: options.max_connections,
        idle_timeout: options.idle_timeout,
        read_timeout: options.read_timeout,
        lifetime: options.lifetime,
        grace: options.grace,
        ..Limits::DEFAULT
    };
    let answer = move |request| answer(Arc::clone(&shared), request);
    tagwise_serve::http::serve(listener, limits, || {}, answer, stop).await;
}

async fn answer(shared: Arc<Shared>, request: Request<RequestBody>) -> Response<Full<Bytes>> {
    let path = request.uri().path().trim_start_matches('/').to_owned();
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let limit = shared.service.max_body(&path);
    let body = match (is_read, request.method() == Method::POST, limit) {
        (true, _, _) => None,
        (false, true, Some(limit)) => match request.into_body().receive(limit, shared.options.read_timeout).await {
            Ok(body) => Some(body),
            Err(error) => {
                let what = match error {
                    BodyError::Slow => "The body did not arrive in time.\n",
                    BodyError::TooLong => "The request is too long.\n",
                    BodyError::Broken => "The body is incomplete.\n",
                };
                return closing(response(Reply::text(error.status().as_u16(), what), 0));
            }
        },
        (false, true, None) => return closing(response(Reply::text(404, "POST is not supported here.\n"), 0)),
        _ => return closing(response(Reply::text(405, "GET, HEAD or POST.\n"), 0)),
    };
    let service = Arc::clone(&shared.service);
    let done = tokio::task::spawn_blocking(move || service.answer(&path, body.as_deref())).await;
    match done {
        Ok(Answer { reply, max_age }) => response(reply, max_age),
        Err(_panicked) => response(Reply::text(500, "Internal error.\n"), 0),
    }
}

fn response(reply: Reply, max_age: u64) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(reply.body)));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(reply.media_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let age = match max_age {
        0 => HeaderValue::from_static("no-store"),
        IMMUTABLE => HeaderValue::from_static("public, max-age=31536000, immutable"),
        seconds => {
            HeaderValue::from_str(&format!("public, max-age={seconds}")).unwrap_or(HeaderValue::from_static("no-store"))
        }
    };
    headers.insert(CACHE_CONTROL, age);
    response
}

/// The cache lifetime of immutable resources, in seconds: one year.
pub(crate) const IMMUTABLE: u64 = 31_536_000;

/// Closes the connection after a response. Otherwise, the unread body could be mistaken for the next request.
fn closing(mut response: Response<Full<Bytes>>) -> Response<Full<Bytes>> {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}
