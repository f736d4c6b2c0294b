//! HTTP/1.1 over TCP, without TLS.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

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
    /// The time limit for receiving a request's head.
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

/// Serves clients until `stop` completes, and then finishes current requests. Calls `accepted` for each connection, and
/// `answer` for each request, whose extensions contain the client's [`SocketAddr`].
pub async fn serve<A, F>(
    listener: TcpListener,
    limits: Limits,
    accepted: impl Fn(),
    answer: A,
    stop: impl Future<Output = ()>,
) where
    A: Fn(Request<Incoming>) -> F + Clone + Send + Sync + 'static,
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
                connections.spawn(connection(stream, limits, answer.clone(), place, told.clone()));
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

async fn connection<A, F>(
    (stream, peer): (TcpStream, SocketAddr),
    limits: Limits,
    answer: A,
    place: Arc<ConnectionSlot>,
    mut told: watch::Receiver<bool>,
) where
    A: Fn(Request<Incoming>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    let _ = stream.set_nodelay(true);
    let own = Arc::clone(&place);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        let busy = own.begin();
        let answer = answer(request);
        async move {
            let answer = answer.await;
            drop(busy);
            Ok::<_, Infallible>(answer)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.read_timeout)
        .max_buf_size(limits.max_head.max(8192))
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let stopped = async move {
        // Fails if the server is gone, which also means stopping.
        let _ = told.wait_for(|stop| *stop).await;
    };
    let grace = tokio::select! {
        _ = connection.as_mut() => return,
        () = stopped => limits.grace,
        () = tokio::time::sleep(limits.lifetime) => limits.grace,
        // The idle connection must free its slot for a waiting client, but its last answer may still be in transit.
        answered = place.end(limits.idle_timeout) => match answered {
            Some(answered) => limits.grace.min(LEAVING).saturating_sub(answered),
            None => return,
        },
    };
    // Finishes the current request, and accepts no further ones.
    connection.as_mut().graceful_shutdown();
    let _ = tokio::time::timeout(grace, connection).await;
}
