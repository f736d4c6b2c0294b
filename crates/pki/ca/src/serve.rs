//! OCSP and CRLs over HTTP (RFC 6960 appendix A, RFC 5019 §5 and §6): GET and POST, cacheable responses, and limits on
//! all client input. When all connections are in use, the connection that has been idle longest is closed to admit a new
//! client.
//!
//! `tagwise-serve` accepts connections, `routes` answers requests, and `pool` shares stores between requests. There is
//! no TLS, because responses are signed.

mod pool;
mod routes;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use tagwise_pkix::UnixTime;
use tagwise_serve::http::Limits;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use pool::Pool;

use crate::{Error, Responder};

/// Server limits and periodic tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServeOptions {
    /// The maximum size of a request body, in bytes. A request for 32 certificates has about 3,000 bytes.
    pub max_body: usize,
    /// The maximum size of a request line and headers, in bytes.
    pub max_head: usize,
    /// The maximum number of simultaneous connections. A further connection replaces the one that has been idle longest, or
    /// waits if none is idle.
    pub max_connections: usize,
    /// The maximum idle time of a connection.
    pub idle_timeout: Duration,
    /// The time limit for receiving a request's head. The same limit applies separately to its body.
    pub read_timeout: Duration,
    /// The maximum lifetime of a connection.
    pub lifetime: Duration,
    /// The time for completing current requests on shutdown.
    pub grace: Duration,
    /// True to sign OCSP responses in advance.
    pub in_advance: bool,
    /// The validity period of the CRLs that the server creates, or `None` to create none. Each CRL is issued after half of
    /// the previous one's validity period.
    pub crl_lifetime: Option<Duration>,
    /// The interval between checks for CRLs and responses to sign.
    pub interval: Duration,
}

impl ServeOptions {
    /// The default options: limits of 16 KiB each for head and body, 256 connections, 5 seconds to receive, 10 seconds idle,
    /// and one minute per connection. Responses are signed in advance and CRLs are created weekly, with checks every 10
    /// seconds.
    pub const DEFAULT: Self = Self {
        max_body: 16 * 1024,
        max_head: 16 * 1024,
        max_connections: 256,
        idle_timeout: Duration::from_secs(10),
        read_timeout: Duration::from_secs(5),
        lifetime: Duration::from_secs(60),
        grace: Duration::from_secs(5),
        in_advance: true,
        crl_lifetime: Some(Duration::from_secs(7 * 86_400)),
        interval: Duration::from_secs(10),
    };
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Counters of a server.
#[derive(Debug, Default)]
pub struct Counters {
    /// Accepted connections.
    pub connections: AtomicU64,
    /// OCSP requests answered with a certificate status.
    pub answered: AtomicU64,
    /// Rejected OCSP requests: malformed, or about other CAs' certificates.
    pub refused: AtomicU64,
    /// OCSP requests that failed because of a local error.
    pub failed: AtomicU64,
    /// Responses signed in advance.
    pub in_advance: AtomicU64,
    /// CRLs served.
    pub crls: AtomicU64,
}

impl Counters {
    fn add(counter: &AtomicU64, count: u64) {
        counter.fetch_add(count, Ordering::Relaxed);
    }
}

/// A callback that reports local errors to the operator.
pub type Report = dyn Fn(&Error) + Send + Sync;

/// State that connections share.
struct Shared {
    responder: Responder,
    pool: Pool,
    options: ServeOptions,
    counters: Arc<Counters>,
    report: Box<Report>,
    crl: routes::CrlCache,
}

/// Serves requests until `stop` completes, and then finishes the current ones.
///
/// # Errors
/// Returns an error if the store or the key fails while creating the first CRL. Later errors are reported, and the
/// operation is retried.
pub async fn serve(
    listener: TcpListener,
    responder: Responder,
    pool: Pool,
    options: ServeOptions,
    counters: Arc<Counters>,
    report: Box<Report>,
    stop: impl Future<Output = ()>,
) -> Result<(), Error> {
    let crl = routes::CrlCache::default();
    let shared = Arc::new(Shared { responder, pool, options, counters, report, crl });
    renew_crl(&shared).await?;
    let (tell, told) = watch::channel(false);
    let keeper = tokio::spawn(keep(Arc::clone(&shared), told.clone()));
    let limits = Limits {
        max_connections: options.max_connections,
        max_head: options.max_head,
        idle_timeout: options.idle_timeout,
        read_timeout: options.read_timeout,
        lifetime: options.lifetime,
        grace: options.grace,
    };
    let counters = Arc::clone(&shared.counters);
    let accepted = move || Counters::add(&counters.connections, 1);
    let answer = move |request| routes::answer(Arc::clone(&shared), request);
    tagwise_serve::http::serve(listener, limits, accepted, answer, stop).await;
    let _ = tell.send(true);
    let _ = keeper.await;
    Ok(())
}

/// Signs in advance what will be asked for, over and over.
async fn keep(shared: Arc<Shared>, mut told: watch::Receiver<bool>) {
    loop {
        if shared.options.in_advance {
            let (inner, stop) = (Arc::clone(&shared), told.clone());
            let done =
                shared.pool.run(move |store| inner.responder.sign_in_advance(store, now(), &mut || !*stop.borrow()));
            match done.await {
                Ok(count) => Counters::add(&shared.counters.in_advance, u64::try_from(count).unwrap_or(u64::MAX)),
                Err(error) => (shared.report)(&error),
            }
        }
        tokio::select! {
            _ = told.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(shared.options.interval) => {}
        }
        if let Err(error) = renew_crl(&shared).await {
            (shared.report)(&error);
        }
    }
}

/// Makes a CRL if there is none, or half of the time of the last one is over. Only the CA's own key signs CRLs.
async fn renew_crl(shared: &Arc<Shared>) -> Result<(), Error> {
    let Some(lifetime) = shared.options.crl_lifetime.filter(|_| shared.responder.is_the_authority()) else {
        return Ok(());
    };
    let inner = Arc::clone(shared);
    let done = shared.pool.run(move |store| {
        let (authority, now) = (inner.responder.authority(), now());
        authority.check_clock(store, now)?;
        let last = store.crl(authority.id(), None)?;
        let half = |from: UnixTime, to: UnixTime| from.saturating_add(to.since(from).unwrap_or_default() / 2);
        if last.is_some_and(|last| now < half(last.this_update, last.next_update)) {
            return Ok(());
        }
        authority.crl(store, inner.responder.signer(), now, now.saturating_add(lifetime)).map(drop)
    });
    done.await
}

/// The clock's time.
fn now() -> UnixTime {
    SystemTime::now().into()
}
