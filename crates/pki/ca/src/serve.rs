//! OCSP and CRLs over HTTP (RFC 6960 appendix A, RFC 5019 §5 and §6): GET and POST, cacheable responses, and limits on
//! all client input. When all connections are in use, the connection that has been idle longest is closed to admit a new
//! client.
//!
//! `tagwise-serve` accepts connections, `routes` answers requests, and `pool` shares stores between requests. There is
//! no TLS, because responses are signed.

mod pool;
mod routes;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Request, Response};
use tagwise_crypto::{Backend, KeyType, Signer};
use tagwise_pkix::UnixTime;
use tagwise_pkix::ocsp::OcspResponseStatus;
use tagwise_serve::http::{Limits, RequestBody};
use tokio::net::TcpListener;
use tokio::sync::watch;

pub use pool::Pool;

use crate::{Error, Responder, Serial};

/// Limits and periodic tasks of an OCSP and CRL server.
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
    /// The time allowed for completing current requests on shutdown.
    pub grace: Duration,
    /// True to sign OCSP responses in advance.
    pub in_advance: bool,
    /// The validity period of the CRLs that the server creates, or `None` to create none. Each CRL is issued after half of
    /// the previous one's validity period.
    pub crl_lifetime: Option<Duration>,
    /// The minimum age of the last CRL at which a revocation, or a release from hold, causes the next one to be issued. `None` to
    /// issue CRLs only after half of the validity period.
    pub crl_after_revocation: Option<Duration>,
    /// The interval between checks for CRLs and responses to sign.
    pub interval: Duration,
}

impl ServeOptions {
    /// The default options: limits of 16 KiB each for head and body, 256 connections, 5 seconds to receive, 10 seconds idle,
    /// and one minute per connection. Responses are signed in advance. CRLs are valid for a week, and are replaced after a revocation
    /// if they are at least 10 minutes old. Checks run every 10 seconds.
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
        crl_after_revocation: Some(Duration::from_secs(600)),
        interval: Duration::from_secs(10),
    };
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Counters of a server's connections and responses.
#[derive(Debug, Default)]
pub struct Counters {
    /// The number of accepted connections.
    pub connections: AtomicU64,
    /// The number of OCSP requests answered with a certificate status.
    pub answered: AtomicU64,
    /// The number of rejected OCSP requests: malformed, or about other CAs' certificates.
    pub refused: AtomicU64,
    /// The number of OCSP requests that failed because of a local error.
    pub failed: AtomicU64,
    /// The number of responses signed in advance.
    pub in_advance: AtomicU64,
    /// The number of CRLs served.
    pub crls: AtomicU64,
}

impl Counters {
    fn add(counter: &AtomicU64, count: u64) {
        counter.fetch_add(count, Ordering::Relaxed);
    }
}

/// A callback that reports local errors to the operator.
pub type Report = dyn Fn(&Error) + Send + Sync;

/// A request and its response, for an access log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The time at which the request was answered.
    pub at: UnixTime,
    /// The client's address.
    pub peer: Option<SocketAddr>,
    /// The HTTP method.
    pub method: String,
    /// The path of the requested URL, unmodified.
    pub path: String,
    /// The status code of the HTTP response.
    pub status: u16,
    /// The size of the response's body, in bytes.
    pub size: usize,
    /// The status of the OCSP response, if any.
    pub ocsp: Option<OcspResponseStatus>,
    /// The serial numbers in the OCSP request, if it is one.
    pub serials: Vec<Serial>,
    /// The time taken to answer the request.
    pub elapsed: Duration,
}

/// A callback that records a request and its answer.
pub type Log = dyn Fn(&Access) + Send + Sync;

/// The settings for creating delegated responders.
pub struct Delegation {
    /// The CA's key, which certifies each responder and signs CRLs.
    pub signer: Arc<dyn Signer>,
    /// The backend that generates keys.
    pub backend: &'static dyn Backend,
    /// The type of the responders' keys.
    pub key_type: KeyType,
    /// The validity period of a responder's certificate. The responder is replaced after half of that time.
    pub lifetime: Duration,
}

/// Callbacks and keys of a server.
pub struct Hooks {
    /// A callback that reports local errors to the operator.
    pub report: Box<Report>,
    /// The callback that records each request, if any.
    pub log: Option<Box<Log>>,
    /// The settings for replacing the responder's key and certificate before they expire. `None` to keep the responder.
    pub delegation: Option<Delegation>,
}

/// The state shared by all connections.
struct Shared {
    responder: RwLock<Arc<Responder>>,
    pool: Pool,
    options: ServeOptions,
    counters: Arc<Counters>,
    hooks: Hooks,
    crl: routes::CrlCache,
}

impl Shared {
    /// Returns the current responder.
    fn responder(&self) -> Arc<Responder> {
        // The responder is consistent even if a thread panicked while holding the lock.
        Arc::clone(&self.responder.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn report(&self, error: &Error) {
        (self.hooks.report)(error);
    }
}

/// An OCSP and CRL server without its connections. Clones share their state.
#[derive(Clone)]
pub struct Server(Arc<Shared>);

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("options", &self.0.options).finish_non_exhaustive()
    }
}

impl Server {
    /// Creates a server, and the first CRL if there is none.
    ///
    /// # Errors
    /// Returns an error if the store or the key fails while creating the first CRL.
    pub async fn new(
        responder: Responder,
        pool: Pool,
        options: ServeOptions,
        counters: Arc<Counters>,
        hooks: Hooks,
    ) -> Result<Self, Error> {
        let crl = routes::CrlCache::default();
        let responder = RwLock::new(Arc::new(responder));
        let shared = Arc::new(Shared { responder, pool, options, counters, hooks, crl });
        renew_crl(&shared).await?;
        Ok(Self(shared))
    }

    /// Returns whether a path is that of a CRL: `/crl`, those of the series, and the path of the URL in certificates.
    #[must_use]
    pub fn has_crl(&self, path: &str) -> bool {
        routes::series_at(&self.0, path).is_some()
    }

    /// Answers a request.
    pub async fn answer(&self, request: Request<RequestBody>) -> Response<Full<Bytes>> {
        routes::answer(Arc::clone(&self.0), request).await
    }

    /// Periodically signs responses in advance, and renews the responder and the CRL, until `told` is true.
    pub async fn keep(self, told: watch::Receiver<bool>) {
        keep(self.0, told).await;
    }
}

/// Serves OCSP responses and CRLs until `stop` completes, and then finishes current requests.
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
    hooks: Hooks,
    stop: impl Future<Output = ()>,
) -> Result<(), Error> {
    let server = Server::new(responder, pool, options, Arc::clone(&counters), hooks).await?;
    let (tell, told) = watch::channel(false);
    let keeper = tokio::spawn(server.clone().keep(told));
    let limits = Limits {
        max_connections: options.max_connections,
        max_head: options.max_head,
        idle_timeout: options.idle_timeout,
        read_timeout: options.read_timeout,
        lifetime: options.lifetime,
        grace: options.grace,
    };
    let accepted = move || Counters::add(&counters.connections, 1);
    let answer = move |request| {
        let server = server.clone();
        async move { server.answer(request).await }
    };
    tagwise_serve::http::serve(listener, limits, accepted, answer, stop).await;
    let _ = tell.send(true);
    let _ = keeper.await;
    Ok(())
}

/// Periodically signs responses in advance, and renews the responder and the CRL.
async fn keep(shared: Arc<Shared>, mut told: watch::Receiver<bool>) {
    loop {
        if shared.options.in_advance {
            let (inner, stop) = (Arc::clone(&shared), told.clone());
            let responder = inner.responder();
            let done = shared.pool.run(move |store| responder.sign_in_advance(store, now(), &mut || !*stop.borrow()));
            match done.await {
                Ok(count) => Counters::add(&shared.counters.in_advance, u64::try_from(count).unwrap_or(u64::MAX)),
                Err(error) => shared.report(&error),
            }
        }
        tokio::select! {
            _ = told.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(shared.options.interval) => {}
        }
        for done in [renew_responder(&shared).await, renew_crl(&shared).await] {
            if let Err(error) = done {
                shared.report(&error);
            }
        }
    }
}

/// Replaces a delegated responder after half of its certificate's validity period, or if the certificate was revoked.
async fn renew_responder(shared: &Arc<Shared>) -> Result<(), Error> {
    let Some(delegation) = &shared.hooks.delegation else { return Ok(()) };
    let old = shared.responder();
    let current = Arc::clone(&old);
    let checked = shared.pool.run(move |store| match current.check_certificate(store) {
        Err(Error::Refused { .. }) => Ok(true),
        done => done.map(|()| false),
    });
    if !checked.await? && !old.is_due(now()) {
        return Ok(());
    }
    let (signer, lifetime) = (Arc::clone(&delegation.signer), delegation.lifetime);
    let (backend, key_type) = (delegation.backend, delegation.key_type);
    let done = shared.pool.run(move |store| {
        let authority = Arc::clone(old.authority());
        Responder::delegate(authority, store, backend, &*signer, (key_type, lifetime), *old.options(), now())
    });
    let new = Arc::new(done.await?);
    *shared.responder.write().unwrap_or_else(PoisonError::into_inner) = new;
    Ok(())
}

/// Creates a CRL if there is none, after half of the last one's validity period, and after a revocation. Only the CA's own key signs
/// CRLs.
async fn renew_crl(shared: &Arc<Shared>) -> Result<(), Error> {
    let Some(lifetime) = shared.options.crl_lifetime else { return Ok(()) };
    let pause = shared.options.crl_after_revocation;
    let responder = shared.responder();
    let delegation = shared.hooks.delegation.as_ref().map(|delegation| Arc::clone(&delegation.signer));
    if delegation.is_none() && !responder.is_the_authority() {
        return Ok(());
    }
    let done = shared.pool.run(move |store| {
        let (authority, now) = (responder.authority(), now());
        // Such a CA only answers OCSP requests.
        if authority.check_signs_crls().is_err() {
            return Ok(());
        }
        authority.check_clock(store, now)?;
        let last = store.crl(authority.id(), None)?;
        let half = |from: UnixTime, to: UnixTime| from.saturating_add(to.since(from).unwrap_or_default() / 2);
        if let Some(last) = last.filter(|last| now < half(last.this_update, last.next_update)) {
            let may_follow = pause.is_some_and(|pause| now >= last.this_update.saturating_add(pause));
            if !may_follow || !store.has_changed(authority.id())? {
                return Ok(());
            }
        }
        let signer = delegation.as_deref().unwrap_or_else(|| responder.signer());
        authority.crl(store, signer, now, now.saturating_add(lifetime)).map(drop)
    });
    done.await
}

/// Returns the current time.
fn now() -> UnixTime {
    SystemTime::now().into()
}
