//! The HTTP server, and the tasks beside it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Request, Response, StatusCode};
use tagwise_ca::Documents;
use tagwise_ca::serve::Pool;
use tagwise_pkix::UnixTime;
use tagwise_serve::http::{BodyError, Limits, RequestBody, Transport};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::problem::Problem;
use crate::reply::{Job, Reply, Report};
use crate::routes::Asked;
use crate::service::{Acme, Call};
use crate::validate::Validator;

/// The maximum size of a request body. A certification request with 100 names and an ML-DSA key has about 20,000 bytes.
const BODY: usize = 128 * 1024;

/// The maximum number of validations at once.
const VALIDATIONS: usize = 64;

/// The interval between deletions of expired documents, and the number deleted at once.
const PURGE: (Duration, u32) = (Duration::from_secs(60), 10_000);

struct Shared {
    acme: Acme,
    pool: Pool<dyn Documents>,
    validator: Validator,
    validations: Arc<Semaphore>,
    report: Box<Report>,
    read_timeout: Duration,
}

/// An ACME server without its connections. Clones share their state.
#[derive(Clone)]
pub struct Server(Arc<Shared>);

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("acme", &self.0.acme).finish_non_exhaustive()
    }
}

impl Server {
    /// Creates a server. `read_timeout` is the time limit for receiving a request's body.
    ///
    /// # Errors
    /// The reason, if the resolver cannot be set up.
    pub fn new(
        acme: Acme,
        pool: Pool<dyn Documents>,
        read_timeout: Duration,
        report: Box<Report>,
    ) -> Result<Self, String> {
        let validator = Validator::new(Arc::clone(&acme.policy), acme.backend)?;
        let validations = Arc::new(Semaphore::new(VALIDATIONS));
        Ok(Self(Arc::new(Shared { acme, pool, validator, validations, report, read_timeout })))
    }

    /// Answers a request.
    pub async fn answer(&self, request: Request<RequestBody>) -> Response<Full<Bytes>> {
        answer(Arc::clone(&self.0), request).await
    }

    /// Deletes expired documents periodically, until `told` is true.
    pub async fn keep(self, told: watch::Receiver<bool>) {
        purge(self.0, told).await;
    }
}

/// Serves over a transport until told to stop, and then completes current requests.
///
/// # Errors
/// The reason, if the resolver cannot be set up.
pub async fn serve(
    listener: TcpListener,
    transport: Transport,
    acme: Acme,
    pool: Pool<dyn Documents>,
    limits: Limits,
    report: Box<Report>,
    stop: impl Future<Output = ()>,
) -> Result<(), String> {
    let server = Server::new(acme, pool, limits.read_timeout, report)?;
    let (tell, told) = watch::channel(false);
    let keeper = tokio::spawn(server.clone().keep(told));
    let answer = move |request| {
        let server = server.clone();
        async move { server.answer(request).await }
    };
    tagwise_serve::http::serve_over(listener, transport, limits, || {}, answer, stop).await;
    let _ = tell.send(true);
    let _ = keeper.await;
    Ok(())
}

/// Deletes expired documents, over and over.
async fn purge(shared: Arc<Shared>, mut told: watch::Receiver<bool>) {
    let (interval, most) = PURGE;
    loop {
        tokio::select! {
            _ = told.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(interval) => {}
        }
        let id = shared.acme.authority.id();
        if let Err(error) = shared.pool.run(move |store| store.purge_documents(id, now(), most)).await {
            (shared.report)(&error.to_string());
        }
    }
}

async fn answer(shared: Arc<Shared>, request: Request<RequestBody>) -> Response<Full<Bytes>> {
    shared.acme.counters.requests.fetch_add(1, Ordering::Relaxed);
    let (parts, body) = request.into_parts();
    let mut close = false;
    let reply = match body.receive(BODY, shared.read_timeout).await {
        Ok(body) => {
            let acme = shared.acme.clone();
            let run = move |store: &mut (dyn Documents + 'static)| {
                let header = |name| parts.headers.get(name).map(HeaderValue::as_bytes);
                let (content_type, accept) = (header(CONTENT_TYPE), header(ACCEPT));
                let method = parts.method.as_str();
                // The header url must be the URL of the request, with its query (RFC 8555 §6.4). No resource has one.
                let path = parts.uri.path_and_query().map_or_else(|| parts.uri.path(), |whole| whole.as_str());
                let path = if method == "POST" { path } else { parts.uri.path() };
                let asked = Asked { method, path, content_type, accept, body: &body };
                Ok(Call { acme: &acme, store, now: now() }.answer(asked))
            };
            shared.pool.run_combined(run).await.unwrap_or_else(|error| Problem::from(error).into())
        }
        Err(error) => {
            close = true;
            let what = match error {
                BodyError::Slow => "the body did not arrive in time",
                BodyError::TooLong => "the body is too long",
                BodyError::Broken => "the body is incomplete",
            };
            Problem::malformed(what).with_status(error.status().as_u16()).into()
        }
    };
    if reply.status >= 400 {
        shared.acme.counters.problems.fetch_add(1, Ordering::Relaxed);
    }
    if let Some(error) = &reply.internal {
        (shared.report)(error);
    }
    for job in &reply.jobs {
        tokio::spawn(validate(Arc::clone(&shared), job.clone()));
    }
    let mut response = written(reply);
    if close {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn written(reply: Reply) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(reply.body)));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    if !reply.kind.is_empty() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(reply.kind));
    }
    for (name, value) in reply.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.append(HeaderName::from_static(name), value);
        }
    }
    response
}

/// Validates a challenge, and records the result.
async fn validate(shared: Arc<Shared>, job: Job) {
    // Never closed.
    let Ok(_permit) = Arc::clone(&shared.validations).acquire_owned().await else { return };
    shared.acme.counters.validations.fetch_add(1, Ordering::Relaxed);
    let (acme, own) = (shared.acme.clone(), job.clone());
    let attempt = shared.pool.run(move |store| Ok(Call { acme: &acme, store, now: now() }.attempt(&own)));
    let attempt = match attempt.await.map_err(Problem::from).and_then(|attempt| attempt) {
        Ok(Some(attempt)) => attempt,
        Ok(None) => return,
        Err(problem) => return (shared.report)(&problem.to_string()),
    };
    let result = shared.validator.validate(&attempt).await;
    for _ in 0..3 {
        let (acme, job, result) = (shared.acme.clone(), job.clone(), result.clone());
        let done =
            shared.pool.run_combined(move |store| Ok(Call { acme: &acme, store, now: now() }.conclude(&job, result)));
        match done.await.map_err(Problem::from).and_then(|done| done) {
            Ok(()) => return,
            // Another request changed the authorization.
            Err(problem) if problem.status() == 503 && problem.internal.is_none() => {}
            Err(problem) => return (shared.report)(&problem.internal.unwrap_or(problem.detail)),
        }
    }
}

/// The clock's time.
fn now() -> UnixTime {
    SystemTime::now().into()
}
