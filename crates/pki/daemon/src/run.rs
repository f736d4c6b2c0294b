//! The server: start, signals, reload, renewal of the TLS certificate, and shutdown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use hyper::body::Body;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, StatusCode};
use tagwise_ca::{Authority, Document};
use tagwise_pkix::UnixTime;
use tagwise_serve::http::{Limits, RequestBody, Transport, serve_over};
use tagwise_serve::tls::Tls;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};

use crate::admin::{self, Command, ListenerStatus, ServiceStatus, Status};
use crate::config::{Config, Problems, ServiceName, TlsClients};
use crate::enroll::Off;
use crate::identity::{Identity, RENEWAL};
use crate::listeners::{Bound, Inherited, Listener};
use crate::log::{Log, Request as LogRequest, Sink};
use crate::metrics::{Gauges, Metrics};
use crate::notify::Notifier;
use crate::parts::{Parts, Pools, now};
use crate::plan::{Plan, TlsSource, load};
use crate::reply::{Reply, text};
use crate::router::Router;

/// The time for which the readiness of the database is remembered, and the time limit for its check.
const READINESS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(2));

/// The parts and settings of a server.
pub struct Options {
    /// The configuration file.
    pub config: PathBuf,
    /// The backend and profiles.
    pub parts: Parts,
    /// The log's destination.
    pub log: Sink,
    /// Commands, in addition to those of signals and the administration socket.
    pub commands: Option<mpsc::Receiver<Command>>,
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("config", &self.config).finish_non_exhaustive()
    }
}

/// A server that accepts connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// The configured addresses of the listeners, and their local addresses.
    pub listeners: Vec<(String, SocketAddr)>,
    /// The address of the metrics, if any.
    pub metrics: Option<SocketAddr>,
    /// The URLs that clients are configured with.
    pub urls: Vec<String>,
}

/// The reason why a server did not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The configuration has errors.
    Config(Problems),
    /// The database, an address or the operating system failed.
    System(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(problems) => problems.fmt(f),
            Self::System(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Failure {}

/// Runs a server until SIGTERM, SIGINT or [`Command::Stop`], and completes current requests. SIGHUP reloads the
/// configuration. Calls `ready` when all listeners accept connections. Must not be called from asynchronous code.
///
/// # Errors
/// The reason why the server did not start.
pub fn run(options: Options, ready: impl FnOnce(&Started)) -> Result<(), Failure> {
    let (config, problems) = load(&options.config);
    let Some(config) = config.filter(|_| problems.is_empty()) else { return Err(Failure::Config(problems)) };
    let log = Log::new(options.log);
    log.configure(&config.log);
    // Upgrades the tables, which the check of the plan requires.
    let pools = Pools::open(&config.ca).map_err(Failure::System)?;
    let plan = Plan::make(&options.config, &options.parts).map_err(Failure::Config)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::System(error.to_string()))?;
    let shared = Shared {
        file: options.config,
        parts: options.parts,
        log: Arc::new(log),
        metrics: Metrics::default(),
        pools: pools.clone(),
        state: RwLock::default(),
        tls: Mutex::default(),
        readiness: Mutex::default(),
        draining: AtomicBool::new(false),
        start: Instant::now(),
    };
    let done = runtime.block_on(Supervisor::start(Arc::new(shared), plan, options.commands, ready));
    runtime.shutdown_timeout(Limits::DEFAULT.grace);
    // The last clone: PostgreSQL's client must not be dropped in asynchronous code.
    drop(pools);
    done.map_err(Failure::System)
}

/// The services of the current configuration.
struct State {
    config: Config,
    authority: Arc<Authority>,
    tls: TlsSource,
    router: Router,
    /// The services that refuse all requests.
    off: Off,
    /// The services of each listener.
    services: BTreeMap<String, BTreeSet<ServiceName>>,
    /// Stops the periodic tasks.
    tell: watch::Sender<bool>,
}

/// The TLS configuration of all listeners, and the time of its renewal.
struct CurrentTls {
    tls: Tls,
    due: UnixTime,
    not_after: UnixTime,
}

impl Bound {
    /// Starts to accept connections.
    pub(crate) fn start(self, shared: &Arc<Shared>) -> Result<Listener, String> {
        let Self { config, local, listener } = self;
        let transport = match (config.plain, shared.tls()) {
            (true, _) => Transport::Plain,
            (false, Some(tls)) => Transport::Tls(tls),
            (false, None) => return Err(format!("{}: no TLS certificate", config.address)),
        };
        let (stop, mut told) = watch::channel(false);
        let limits = Config::limits(&config);
        let own = Arc::clone(shared);
        let accepted = move || {
            own.metrics.connections.fetch_add(1, Ordering::Relaxed);
        };
        let (own, address) = (Arc::clone(shared), Arc::<str>::from(config.address.as_str()));
        let answer = move |request: Request<RequestBody>| {
            let (shared, address) = (Arc::clone(&own), Arc::clone(&address));
            async move { shared.answer(&address, request).await }
        };
        let stopped = async move {
            let _ = told.wait_for(|stop| *stop).await;
        };
        let task = tokio::spawn(serve_over(listener, transport, limits, accepted, answer, stopped));
        Ok(Listener { config, local, stop, task })
    }
}

/// The state that all tasks share.
pub(crate) struct Shared {
    file: PathBuf,
    parts: Parts,
    log: Arc<Log>,
    pub(crate) metrics: Metrics,
    pools: Pools,
    state: RwLock<Option<Arc<State>>>,
    tls: Mutex<Option<CurrentTls>>,
    readiness: Mutex<Option<(Instant, bool)>>,
    draining: AtomicBool,
    start: Instant,
}

impl Shared {
    fn state(&self) -> Option<Arc<State>> {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The TLS configuration for listeners.
    pub(crate) fn tls(&self) -> Option<Tls> {
        self.tls.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|current| current.tls.clone())
    }

    /// Answers a request to a listener.
    pub(crate) async fn answer(&self, address: &str, request: Request<RequestBody>) -> Reply {
        let start = Instant::now();
        let peer = request.extensions().get::<SocketAddr>().copied();
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let (service, reply) = match (path.as_str(), self.state()) {
            ("/healthz" | "/readyz", _) => ("health", self.health(&path).await),
            (_, Some(state)) => {
                let none = BTreeSet::new();
                state.router.answer(state.services.get(address).unwrap_or(&none), request).await
            }
            // Not reached, because listeners start after the services.
            (_, None) => ("none", text(StatusCode::SERVICE_UNAVAILABLE, "Starting.\n")),
        };
        self.record(service, peer, &method, &path, &reply, start.elapsed());
        reply
    }

    fn record(
        &self,
        service: &'static str,
        peer: Option<SocketAddr>,
        method: &Method,
        path: &str,
        reply: &Reply,
        elapsed: Duration,
    ) {
        let status = reply.status().as_u16();
        self.metrics.record(service, status, elapsed);
        let size = reply.body().size_hint().exact().unwrap_or_default();
        self.log.request(&LogRequest { service, peer, method: method.as_str(), path, status, size, elapsed });
    }

    async fn health(&self, path: &str) -> Reply {
        match path {
            "/healthz" => text(StatusCode::OK, "ok\n"),
            _ if self.draining.load(Ordering::Relaxed) => text(StatusCode::SERVICE_UNAVAILABLE, "draining\n"),
            _ if self.is_ready().await => {
                // The other services are needed: clients must learn of a revocation.
                let off: Vec<&str> =
                    self.state().iter().flat_map(|state| state.off.keys().map(|one| one.name())).collect();
                let without = if off.is_empty() { String::new() } else { format!(" without {}", off.join(", ")) };
                text(StatusCode::OK, format!("ready{without}\n"))
            }
            _ => text(StatusCode::SERVICE_UNAVAILABLE, "the database does not answer, or cannot be written\n"),
        }
    }

    /// Returns whether the database answers and can be written. Otherwise, for example if the disk is full, nothing can be issued or revoked.
    async fn is_ready(&self) -> bool {
        let (fresh, limit) = READINESS;
        let known = *self.readiness.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, is_ready)) = known.filter(|(at, _)| at.elapsed() < fresh) {
            return is_ready;
        }
        let asked = self.pools.documents.run_combined(|store| {
            let Some((of, _)) = store.authority(Authority::LABEL)? else { return Ok(false) };
            let probe = Document::new("readiness", "probe", "", now(), "{}".to_owned());
            // Another server may be doing the same.
            store.insert_document(of, &probe)?;
            store.take_document(of, &probe.kind, &probe.id)?;
            Ok(true)
        });
        let is_ready = matches!(tokio::time::timeout(limit, asked).await, Ok(Ok(true)));
        *self.readiness.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), is_ready));
        is_ready
    }

    /// Answers a request to the listener for Prometheus.
    async fn answer_metrics(&self, request: Request<RequestBody>) -> Reply {
        let path = request.uri().path();
        match path {
            "/healthz" | "/readyz" => self.health(path).await,
            "/metrics" => {
                let gauges = self.gauges(self.is_ready().await && !self.draining.load(Ordering::Relaxed));
                let mut reply = text(StatusCode::OK, self.metrics.render(gauges));
                let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
                reply.headers_mut().insert(CONTENT_TYPE, kind);
                reply
            }
            _ => text(StatusCode::NOT_FOUND, "Not found; see /metrics, /healthz and /readyz.\n"),
        }
    }

    fn gauges(&self, is_ready: bool) -> Gauges {
        let tls = self.tls.lock().unwrap_or_else(PoisonError::into_inner);
        Gauges {
            issued: self.state().map_or(0, |state| state.router.issued()),
            database_errors: self.pools.documents.failures().saturating_add(self.pools.stores.failures()),
            tls_failures: tls.as_ref().map_or(0, |current| current.tls.failures()),
            tls_not_after: tls.as_ref().map(|current| current.not_after.0),
            is_ready,
            services: self.state().map_or_else(Vec::new, |state| {
                let all = state.config.services().into_iter();
                all.map(|service| (service.name(), !state.off.contains_key(&service))).collect()
            }),
        }
    }

    /// Puts a certificate into use: from a file, or a new one from the CA.
    async fn renew_tls(&self, source: &TlsSource, clients: TlsClients, authority: &[u8]) -> Result<(), String> {
        let issued;
        let identity: &Identity = match source {
            TlsSource::None => return Ok(()),
            TlsSource::Files(identity) => identity,
            TlsSource::Own(issuer) => {
                let issuer = issuer.clone();
                let done = self.pools.documents.run(move |store| issuer.issue(store, now()));
                issued = done.await.map_err(|error| format!("the server's certificate: {error}"))?;
                &issued
            }
        };
        let config = identity.config(clients, authority)?;
        let mut current = self.tls.lock().unwrap_or_else(PoisonError::into_inner);
        let tls = match current.take() {
            Some(CurrentTls { tls, .. }) => {
                tls.replace(config);
                tls
            }
            None => Tls::new(config),
        };
        *current = Some(CurrentTls { tls, due: identity.due(), not_after: identity.not_after() });
        Ok(())
    }
}

/// The task that starts, reloads and stops everything else.
struct Supervisor {
    shared: Arc<Shared>,
    listeners: Vec<Listener>,
    inherited: Inherited,
    notifier: Notifier,
}

impl Supervisor {
    async fn start(
        shared: Arc<Shared>,
        plan: Plan,
        commands: Option<mpsc::Receiver<Command>>,
        ready: impl FnOnce(&Started),
    ) -> Result<(), String> {
        let signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
        let [interrupt, terminate, hangup] = signals.map(|signal| signal.map_err(|error| error.to_string()));
        let (mut interrupt, mut terminate, mut hangup) = (interrupt?, terminate?, hangup?);
        let (notifier, inherited) = (Notifier::from_env(), Inherited::from_env());
        let mut own = Self { shared, listeners: Vec::new(), inherited, notifier };
        let (metrics_address, admin_socket) = (plan.config.metrics.clone(), plan.config.admin.clone());
        own.activate(plan).await?;

        let (tell, told) = watch::channel(false);
        let mut metrics = None;
        if let Some(config) = metrics_address {
            let failed = |error: std::io::Error| format!("{}: {error}", config.address);
            let listener = TcpListener::bind(config.address).await.map_err(failed)?;
            metrics = Some(listener.local_addr().map_err(failed)?);
            tokio::spawn(serve_metrics(listener, Arc::clone(&own.shared), told));
        }
        let (sender, mut asked) = mpsc::channel(16);
        let admin = match admin_socket {
            Some(config) => Some(tokio::spawn(admin::bind(&config.socket)?.serve(sender.clone()))),
            None => None,
        };
        let forward = commands.map(|mut commands| {
            tokio::spawn(async move {
                while let Some(command) = commands.recv().await {
                    if sender.send(command).await.is_err() {
                        return;
                    }
                }
            })
        });

        let started = own.started(metrics);
        own.shared.log.info("started", &started.urls.join(" "));
        own.notify("READY=1");
        ready(&started);
        let mut renewal = tokio::time::interval(RENEWAL);
        let mut watchdog = own.notifier.watchdog().map(tokio::time::interval);
        loop {
            tokio::select! {
                _ = interrupt.recv() => break,
                _ = terminate.recv() => break,
                _ = hangup.recv() => {
                    let _ = own.reload().await;
                }
                Some(command) = asked.recv() => match command {
                    Command::Status(tell) => {
                        let _ = tell.send(own.status());
                    }
                    Command::Reload(tell) => {
                        let _ = tell.send(own.reload().await);
                    }
                    Command::Drain(tell) => {
                        own.shared.draining.store(true, Ordering::Relaxed);
                        own.shared.log.info("draining", "requests are still answered");
                        let _ = tell.send(());
                    }
                    Command::Stop => break,
                },
                _ = renewal.tick() => own.renew().await,
                () = tick(watchdog.as_mut()) => own.notify("WATCHDOG=1"),
            }
        }
        own.notify("STOPPING=1");
        own.shared.draining.store(true, Ordering::Relaxed);
        own.shared.log.info("stopping", "current requests are completed");
        if let Some(admin) = admin {
            admin.abort();
        }
        if let Some(forward) = forward {
            forward.abort();
        }
        let tasks: Vec<_> = own.listeners.drain(..).map(Listener::stop).collect();
        for task in tasks {
            let _ = task.await;
        }
        if let Some(state) = own.shared.state() {
            let _ = state.tell.send(true);
        }
        let _ = tell.send(true);
        own.shared.log.info("stopped", "");
        Ok(())
    }

    fn notify(&self, state: &str) {
        if let Err(error) = self.notifier.send(state) {
            self.shared.log.error("notify", &error.to_string());
        }
    }

    fn started(&self, metrics: Option<SocketAddr>) -> Started {
        Started {
            listeners: self.listeners.iter().map(|one| (one.config.address.clone(), one.local)).collect(),
            metrics,
            urls: self.shared.state().map(|state| state.router.urls()).unwrap_or_default(),
        }
    }

    fn status(&self) -> Status {
        let state = self.shared.state();
        let gauges = self.shared.gauges(false);
        let totals = self.shared.metrics.totals();
        let configured = state.as_ref().map(|state| state.config.services()).unwrap_or_default();
        let services = configured.into_iter().map(|service| {
            let (requests, errors) = totals.get(service.name()).copied().unwrap_or_default();
            ServiceStatus { name: service.name().to_owned(), requests, errors }
        });
        let listeners = self.listeners.iter().map(|listener| {
            let services = state.as_ref().and_then(|state| state.services.get(&listener.config.address));
            ListenerStatus {
                address: listener.local.to_string(),
                tls: !listener.config.plain,
                services: services.into_iter().flatten().map(|service| service.name().to_owned()).collect(),
            }
        });
        let metrics = &self.shared.metrics;
        Status {
            state: if self.shared.draining.load(Ordering::Relaxed) { "draining" } else { "serving" }.to_owned(),
            pid: std::process::id(),
            uptime: self.shared.start.elapsed().as_secs(),
            listeners: listeners.collect(),
            services: services.collect(),
            tls_not_after: gauges.tls_not_after.map(|time| UnixTime(time).to_string()),
            issued: gauges.issued.saturating_add(metrics.issued_before.load(Ordering::Relaxed)),
            database_errors: gauges.database_errors,
            reloads: metrics.reloads.load(Ordering::Relaxed),
        }
    }

    /// Puts a plan into use. If anything fails, everything stays as it was.
    async fn activate(&mut self, plan: Plan) -> Result<(), String> {
        let shared = Arc::clone(&self.shared);
        let mut bound = Vec::new();
        for config in &plan.config.listen {
            if !self.listeners.iter().any(|old| old.config.address == config.address) {
                bound.push(Bound::new(config, &mut self.inherited).await?);
            }
        }
        let local = |address: &str| {
            let old = self.listeners.iter().map(|one| (&one.config.address, one.local));
            let mut all = old.chain(bound.iter().map(|one| (&one.config.address, one.local)));
            all.find(|(found, _)| *found == address).map(|(_, local)| local)
        };
        let config = &plan.config;
        let mut acme = config.listen.iter().filter(|one| config.services_of(one).contains(&ServiceName::Acme));
        let first = acme.find_map(|one| Some((local(&one.address)?, one.plain)));
        let router = Router::new(&plan, &shared.parts, &shared.pools, &shared.log, first).await?;
        let clients = config.tls.as_ref().map(|tls| tls.client_certificates).unwrap_or_default();
        shared.renew_tls(&plan.tls, clients, plan.authority.certificate_der()).await?;

        // From here on, nothing fails.
        let (tell, told) = watch::channel(false);
        router.keep(&told);
        let services = config.listen.iter().map(|one| (one.address.clone(), config.services_of(one))).collect();
        shared.log.configure(&config.log);
        let Plan { config, authority, tls, off, .. } = plan;
        for (service, what) in &off {
            shared.log.error(service.name(), &format!("{what}; the service refuses all requests until a reload"));
        }
        let kept: BTreeSet<String> = config.listen.iter().map(|one| one.address.clone()).collect();
        let state = Arc::new(State { config, authority, tls, router, off, services, tell });
        let old = shared.state.write().unwrap_or_else(PoisonError::into_inner).replace(state);
        if let Some(old) = old {
            let _ = old.tell.send(true);
            shared.metrics.issued_before.fetch_add(old.router.issued(), Ordering::Relaxed);
        }
        let (keep, gone) = self.listeners.drain(..).partition(|one| kept.contains(&one.config.address));
        self.listeners = keep;
        let gone: Vec<Listener> = gone;
        for listener in gone {
            drop(listener.stop());
        }
        for one in bound {
            self.listeners.push(one.start(&shared)?);
        }
        Ok(())
    }

    /// Reads the configuration again. If it has errors, the old one stays.
    async fn reload(&mut self) -> Result<(), String> {
        let monotonic = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let microseconds = monotonic.tv_sec.saturating_mul(1_000_000).saturating_add(monotonic.tv_nsec / 1000);
        self.notify(&format!("RELOADING=1\nMONOTONIC_USEC={microseconds}"));
        let done = self.try_reload().await;
        self.notify("READY=1");
        let metrics = &self.shared.metrics;
        match &done {
            Ok(()) => {
                self.shared.draining.store(false, Ordering::Relaxed);
                metrics.reloads.fetch_add(1, Ordering::Relaxed);
                self.shared.log.info("reloaded", "");
            }
            Err(what) => {
                metrics.failed_reloads.fetch_add(1, Ordering::Relaxed);
                for line in what.lines() {
                    self.shared.log.error("reload", line);
                }
            }
        }
        done
    }

    async fn try_reload(&mut self) -> Result<(), String> {
        let (file, parts) = (self.shared.file.clone(), self.shared.parts.clone());
        let plan = tokio::task::spawn_blocking(move || Plan::make(&file, &parts)).await;
        let plan = plan.map_err(|error| error.to_string())?.map_err(|problems| problems.to_string())?;
        if let Some(state) = self.shared.state() {
            let (old, new) = (&state.config, &plan.config);
            let fixed = [
                ("[ca]", old.ca != new.ca),
                ("[metrics]", old.metrics != new.metrics),
                ("[admin]", old.admin != new.admin),
            ];
            if let Some((section, _)) = fixed.iter().find(|(_, is_changed)| *is_changed) {
                return Err(format!("{section} cannot be changed by a reload; restart the server"));
            }
        }
        for config in &plan.config.listen {
            let old = self.listeners.iter().find(|old| old.config.address == config.address);
            if old.is_some_and(|old| !old.is_like(config)) {
                let address = &config.address;
                return Err(format!(
                    "listen {address}: `plain` and `connections` cannot be changed by a reload; restart the server"
                ));
            }
        }
        self.activate(plan).await
    }

    /// Replaces the TLS certificate if it is due.
    async fn renew(&self) {
        let due = self.shared.tls.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|current| current.due);
        let Some(state) = self.shared.state().filter(|_| due.is_some_and(|due| now() >= due)) else { return };
        // Files are read again by a reload.
        if !matches!(state.tls, TlsSource::Own(_)) {
            return;
        }
        let clients = state.config.tls.as_ref().map(|tls| tls.client_certificates).unwrap_or_default();
        match self.shared.renew_tls(&state.tls, clients, state.authority.certificate_der()).await {
            Ok(()) => self.shared.log.info("renewed", "the TLS certificate"),
            Err(what) => self.shared.log.error("renewal", &what),
        }
    }
}

/// Completes at the next tick, or never without an interval.
async fn tick(interval: Option<&mut tokio::time::Interval>) {
    match interval {
        Some(interval) => {
            interval.tick().await;
        }
        None => std::future::pending().await,
    }
}

async fn serve_metrics(listener: TcpListener, shared: Arc<Shared>, mut told: watch::Receiver<bool>) {
    let answer = move |request| {
        let shared = Arc::clone(&shared);
        async move { shared.answer_metrics(request).await }
    };
    let stop = async move {
        let _ = told.wait_for(|stop| *stop).await;
    };
    let limits = Limits { max_connections: 16, ..Limits::DEFAULT };
    tagwise_serve::http::serve(listener, limits, || {}, answer, stop).await;
}
