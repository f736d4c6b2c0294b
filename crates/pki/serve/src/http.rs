//! HTTP/1.1 over TCP, and over TLS with the feature `tls`, which adds HTTP/2.

mod body;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, HOST, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, Version};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

pub use self::body::{BodyError, RequestBody};
use crate::{ConnectionSlot, Connections};

/// Server limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of simultaneous connections. A further connection replaces the one that has been idle longest, or
    /// waits if none is idle.
    pub max_connections: usize,
    /// The maximum size of a request line and headers, in bytes.
    pub max_head: usize,
    /// The maximum idle time of a connection.
    pub idle_timeout: Duration,
    /// The time limit for receiving a request's head. The same limit applies separately to the TLS handshake.
    pub read_timeout: Duration,
    /// The maximum lifetime of a connection.
    pub lifetime: Duration,
    /// The time allowed for completing current requests on shutdown.
    pub grace: Duration,
}

impl Limits {
    /// The default limits: 256 connections, 16 KiB for the head, 5 seconds to receive it, 10 seconds idle, one minute per
    /// connection, and 5 seconds for shutdown.
    pub const DEFAULT: Self = Self {
        max_connections: 256,
        max_head: 16 * 1024,
        idle_timeout: Duration::from_secs(10),
        read_timeout: Duration::from_secs(5),
        lifetime: Duration::from_secs(60),
        grace: Duration::from_secs(5),
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The time limit for sending the last answer of a connection that is closed to free its slot.
const LEAVING: Duration = Duration::from_millis(250);

/// The protection of a listener's connections.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Transport {
    /// TCP without TLS.
    #[default]
    Plain,
    /// TLS. The negotiated protocol selects HTTP/1.1 or HTTP/2.
    #[cfg(feature = "tls")]
    Tls(crate::tls::Tls),
}

/// Serves clients over TCP until `stop` completes, and then finishes current requests. Calls `accepted` for each
/// connection, and `answer` for each request, whose extensions contain the client's [`SocketAddr`].
pub async fn serve<A, F>(
    listener: TcpListener,
    limits: Limits,
    accepted: impl Fn(),
    answer: A,
    stop: impl Future<Output = ()>,
) where
    A: Fn(Request<RequestBody>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    serve_over(listener, Transport::Plain, limits, accepted, answer, stop).await;
}

/// Serves clients like [`serve`], with TLS if the transport has it.
///
/// A TLS handshake takes a slot like an idle connection: it must complete within the limit for a request's head, and can
/// be closed to admit a new client. The request's extensions contain the client's `tls::ClientCertificates` and,
/// with TLS 1.3, the `tls::ChannelBinding`.
pub async fn serve_over<A, F>(
    listener: TcpListener,
    transport: Transport,
    limits: Limits,
    accepted: impl Fn(),
    answer: A,
    stop: impl Future<Output = ()>,
) where
    A: Fn(Request<RequestBody>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    let (tell, told) = watch::channel(false);
    let places = Connections::new(limits.max_connections);
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        // Removes tasks that have ended.
        while connections.try_join_next().is_some() {}
        let next = async {
            let (stream, peer) = listener.accept().await?;
            Ok::<_, io::Error>(((stream, peer), places.place().await))
        };
        let next = tokio::select! {
            () = &mut stop => break,
            next = next => next,
        };
        match next {
            Ok((stream, Some(place))) => {
                accepted();
                let own = Own { limits, place, told: told.clone() };
                connections.spawn(connection(stream, transport.clone(), answer.clone(), own));
            }
            // Not reached, because `place` waits until a slot is free.
            Ok((_, None)) => {}
            // Usually, no file descriptors are left. Some will be freed soon.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    drop(listener);
    let _ = tell.send(true);
    let ended = async { while connections.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(limits.grace, ended).await;
    connections.shutdown().await;
}

/// A connection's limits, its slot, and the signal to stop.
struct Own {
    limits: Limits,
    place: Arc<ConnectionSlot>,
    told: watch::Receiver<bool>,
}

impl Own {
    /// Completes when the server stops.
    async fn stopped(&self) {
        // Fails if the server is gone, which also means stopping.
        let _ = self.told.clone().wait_for(|stop| *stop).await;
    }
}

async fn connection<A, F>((stream, peer): (TcpStream, SocketAddr), transport: Transport, answer: A, own: Own)
where
    A: Fn(Request<RequestBody>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    let _ = stream.set_nodelay(true);
    match transport {
        Transport::Plain => {
            let answer = move |mut request: Request<RequestBody>| {
                request.extensions_mut().insert(peer);
                answer(request)
            };
            http1(stream, answer, own).await;
        }
        #[cfg(feature = "tls")]
        Transport::Tls(tls) => {
            let handshake = tokio::time::timeout(own.limits.read_timeout, tls.accept(stream));
            let shaken = tokio::select! {
                shaken = handshake => shaken.ok().flatten(),
                () = own.stopped() => return,
                _ = own.place.end(own.limits.idle_timeout) => return,
            };
            let Some(crate::tls::Accepted { stream, is_http2, client, binding }) = shaken else { return };
            let answer = move |mut request: Request<RequestBody>| {
                let extensions = request.extensions_mut();
                extensions.insert(peer);
                extensions.insert(client.clone());
                if let Some(binding) = binding {
                    extensions.insert(binding);
                }
                answer(request)
            };
            if is_http2 { http2(stream, answer, own).await } else { http1(stream, answer, own).await }
        }
    }
}

/// The answers of a connection, which mark its slot as busy.
fn answers<A, F>(
    answer: A,
    own: &Own,
) -> impl hyper::service::Service<
    Request<Incoming>,
    Response = Response<Full<Bytes>>,
    Error = Infallible,
    Future = impl Future<Output = Result<Response<Full<Bytes>>, Infallible>> + Send + 'static,
> + Send
+ 'static
where
    A: Fn(Request<RequestBody>) -> F + Send + Sync + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    let (place, rest) = (Arc::clone(&own.place), own.limits.read_timeout);
    service_fn(move |request| {
        let busy = place.begin();
        let answer = answer(RequestBody::wrap(request, rest));
        async move {
            let answer = answer.await;
            drop(busy);
            Ok::<_, Infallible>(answer)
        }
    })
}

async fn http1<A, F>(stream: impl AsyncRead + AsyncWrite + Unpin, answer: A, own: Own)
where
    A: Fn(Request<RequestBody>) -> F + Send + Sync + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    let answer = move |request: Request<RequestBody>| {
        let answer = has_host(&request).then(|| answer(request));
        async move {
            match answer {
                Some(answer) => answer.await,
                None => without_host(),
            }
        }
    };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(own.limits.read_timeout)
        .max_buf_size(own.limits.max_head.max(8192))
        .serve_connection(TokioIo::new(stream), answers(answer, &own));
    let mut connection = pin!(connection);
    let grace = tokio::select! {
        _ = connection.as_mut() => return,
        grace = own.ends() => grace,
    };
    // Finishes the current request, and accepts no further ones.
    connection.as_mut().graceful_shutdown();
    let _ = tokio::time::timeout(grace, connection).await;
}

/// Returns whether a request has the Host header that its version of HTTP requires: one in HTTP/1.1, and at most one before (RFC 9112
/// §3.2).
fn has_host<B>(request: &Request<B>) -> bool {
    let count = request.headers().get_all(HOST).iter().count();
    count == 1 || count == 0 && request.version() < Version::HTTP_11
}

/// The response to a request without a Host header, or with several.
fn without_host() -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(b"HTTP/1.1 requires one Host header.\n")));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The maximum number of simultaneous requests on an HTTP/2 connection.
#[cfg(feature = "tls")]
const STREAMS: u32 = 16;

#[cfg(feature = "tls")]
async fn http2<A, F>(stream: impl AsyncRead + AsyncWrite + Unpin, answer: A, own: Own)
where
    A: Fn(Request<RequestBody>) -> F + Send + Sync + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    let connection = hyper::server::conn::http2::Builder::new(hyper_util::rt::TokioExecutor::new())
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(u32::try_from(own.limits.max_head).unwrap_or(u32::MAX))
        .serve_connection(TokioIo::new(stream), answers(answer, &own));
    let mut connection = pin!(connection);
    let grace = tokio::select! {
        _ = connection.as_mut() => return,
        grace = own.ends() => grace,
    };
    connection.as_mut().graceful_shutdown();
    let _ = tokio::time::timeout(grace, connection).await;
}

impl Own {
    /// Waits until the connection must end, and returns the time for its current request.
    async fn ends(&self) -> Duration {
        let limits = &self.limits;
        tokio::select! {
            () = self.stopped() => limits.grace,
            () = tokio::time::sleep(limits.lifetime) => limits.grace,
            // The idle connection must free its slot for a waiting client, but its last answer may still be in transit.
            answered = self.place.end(limits.idle_timeout) => {
                answered.map_or(Duration::ZERO, |answered| limits.grace.min(LEAVING).saturating_sub(answered))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_1_1_requires_one_host() {
        let has = |version, hosts: &[&'static str]| {
            let mut request = Request::new(());
            *request.version_mut() = version;
            for host in hosts {
                request.headers_mut().append(HOST, HeaderValue::from_static(host));
            }
            has_host(&request)
        };
        assert!(has(Version::HTTP_11, &["a.example"]) && !has(Version::HTTP_11, &[]));
        assert!(!has(Version::HTTP_11, &["a.example", "a.example"]));
        assert!(has(Version::HTTP_10, &[]) && !has(Version::HTTP_10, &["a.example", "b.example"]));
        assert_eq!(without_host().status(), StatusCode::BAD_REQUEST);
    }
}
