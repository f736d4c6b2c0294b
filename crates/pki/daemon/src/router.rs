//! The services of a configuration, and the choice of the one that answers a request.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use hyper::{Request, StatusCode};
use tagwise_acme::Acme;
use tagwise_ca::serve::{Delegation, Hooks, ServeOptions};
use tagwise_ca::{Authority, OcspOptions, Responder};
use tagwise_crypto::KeyType;
use tagwise_serve::http::{Limits, RequestBody};
use tokio::sync::watch;

use crate::config::{Config, ServiceName, days, path_of};
use crate::enroll::{self, Services};
use crate::log::Log;
use crate::parts::{Parts, Pools, now};
use crate::plan::Plan;
use crate::reply::{Reply, text};

const MINUTE: std::time::Duration = std::time::Duration::from_secs(60);

/// The key type of a delegated responder.
const DELEGATED: KeyType = KeyType::P256;

/// The services of a configuration.
pub(crate) struct Router {
    /// The ACME server, and its path without slashes at the ends.
    acme: Option<(String, Acme, tagwise_acme::Server)>,
    /// OCSP and CRLs.
    ca: Option<tagwise_ca::serve::Server>,
    /// EST, SCEP, CMP and time stamps.
    others: Services,
    authority: Arc<Authority>,
    pools: Pools,
    log: Arc<Log>,
}

impl Router {
    /// Creates the services. `first` is the address of the first listener with ACME, and whether it is plain.
    pub(crate) async fn new(
        plan: &Plan,
        parts: &Parts,
        pools: &Pools,
        log: &Arc<Log>,
        first: Option<(SocketAddr, bool)>,
    ) -> Result<Self, String> {
        for service in plan.services.values() {
            let log = Arc::clone(log);
            service.report_issued(Box::new(move |what| log.info("issued", what)));
        }
        Ok(Self {
            acme: acme(plan, parts, pools, log, first)?,
            ca: ca(plan, parts, pools, log).await?,
            others: plan.services.clone(),
            authority: Arc::clone(&plan.authority),
            pools: pools.clone(),
            log: Arc::clone(log),
        })
    }

    /// Starts the periodic tasks of the services, which end when `told` is true.
    pub(crate) fn keep(&self, told: &watch::Receiver<bool>) {
        if let Some((_, _, server)) = &self.acme {
            tokio::spawn(server.clone().keep(told.clone()));
        }
        if !self.others.is_empty() {
            let services = (Arc::clone(&self.authority), self.others.values().cloned().collect());
            tokio::spawn(enroll::keep(services, self.pools.clone(), Arc::clone(&self.log), told.clone()));
        }
        if let Some(server) = &self.ca {
            tokio::spawn(server.clone().keep(told.clone()));
        }
    }

    /// The number of certificates that were issued to clients.
    pub(crate) fn issued(&self) -> u64 {
        let by_acme = self.acme.as_ref().map_or(0, |(_, acme, _)| acme.counters().issued.load(Ordering::Relaxed));
        self.others.values().fold(by_acme, |sum, service| sum.saturating_add(service.issued()))
    }

    /// The URLs for clients.
    pub(crate) fn urls(&self) -> Vec<String> {
        self.acme.iter().map(|(_, acme, _)| acme.directory_url()).collect()
    }

    /// The service of a path.
    fn find(&self, path: &str) -> Option<ServiceName> {
        if self.ca.as_ref().is_some_and(|server| server.has_crl(path)) {
            return Some(ServiceName::Crl);
        }
        let path = path.strip_prefix('/').unwrap_or(path);
        let is_below =
            |front: &str| path.strip_prefix(front).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if self.acme.as_ref().is_some_and(|(front, ..)| is_below(front)) {
            return Some(ServiceName::Acme);
        }
        match path {
            "ca" => return Some(ServiceName::Crl),
            "tsp" => return Some(ServiceName::Tsp),
            "scep" | "cgi-bin/pkiclient.exe" => return Some(ServiceName::Scep),
            _ => {}
        }
        let fronts = [
            ("ocsp", ServiceName::Ocsp),
            (".well-known/est", ServiceName::Est),
            (".well-known/cmp", ServiceName::Cmp),
            ("cmp", ServiceName::Cmp),
        ];
        fronts.into_iter().find_map(|(front, service)| is_below(front).then_some(service))
    }

    /// Answers a request, and returns the name of the service.
    pub(crate) async fn answer(
        &self,
        services: &BTreeSet<ServiceName>,
        request: Request<RequestBody>,
    ) -> (&'static str, Reply) {
        let found = self.find(request.uri().path()).filter(|service| services.contains(service));
        let Some(service) = found else { return ("none", text(StatusCode::NOT_FOUND, "Not found.\n")) };
        let reply = match (service, &self.acme, &self.ca) {
            (ServiceName::Acme, Some((_, _, server)), _) => server.answer(request).await,
            (ServiceName::Ocsp | ServiceName::Crl, _, Some(server)) => server.answer(request).await,
            (other, ..) => match self.others.get(&other) {
                Some(found) => enroll::answer(Arc::clone(found), &self.pools, &self.log, request).await,
                None => text(StatusCode::NOT_FOUND, "Not found.\n"),
            },
        };
        (service.name(), reply)
    }
}

fn acme(
    plan: &Plan,
    parts: &Parts,
    pools: &Pools,
    log: &Arc<Log>,
    first: Option<(SocketAddr, bool)>,
) -> Result<Option<(String, Acme, tagwise_acme::Server)>, String> {
    let (Some(policy), Some((address, is_plain))) = (&plan.config.acme, first) else { return Ok(None) };
    let url = plan.config.acme_url(address, is_plain);
    let front = path_of(policy.url.as_deref().unwrap_or(&url)).to_owned();
    let (authority, signer) = (plan.authority.as_ref().clone(), Arc::clone(&plan.signer));
    let acme = Acme::new(authority, signer, parts.backend, policy.clone(), plan.profiles.clone(), &url)?;
    let own = Arc::clone(log);
    let acme = acme.with_issued(Arc::new(move |what| own.info("issued", what)));
    let log = Arc::clone(log);
    let report = Box::new(move |what: &str| log.error("acme", what));
    let pool = pools.documents.clone();
    let server = tagwise_acme::Server::new(acme.clone(), pool, Limits::DEFAULT.read_timeout, report)?;
    Ok(Some((front, acme, server)))
}

async fn ca(
    plan: &Plan,
    parts: &Parts,
    pools: &Pools,
    log: &Arc<Log>,
) -> Result<Option<tagwise_ca::serve::Server>, String> {
    let Config { ocsp, crl, .. } = &plan.config;
    if ocsp.is_none() && crl.is_none() {
        return Ok(None);
    }
    let told = |error: tagwise_ca::Error| error.to_string();
    let settings = ocsp.clone().unwrap_or_default();
    let hour = std::time::Duration::from_secs(3600);
    let options =
        OcspOptions { lifetime: hour.saturating_mul(settings.hours), nonce: settings.nonce, ..OcspOptions::DEFAULT };
    let (authority, signer) = (Arc::clone(&plan.authority), Arc::clone(&plan.signer));
    let lifetime = settings.delegate_days.filter(|_| ocsp.is_some()).map(days);
    let (responder, delegation) = match lifetime {
        None => (Responder::new(authority, signer, options).map_err(told)?, None),
        Some(lifetime) => {
            let (backend, own) = (parts.backend, Arc::clone(&signer));
            let made = pools.stores.run(move |store| {
                Responder::delegate(authority, store, backend, &*own, (DELEGATED, lifetime), options, now())
            });
            let delegation = Delegation { signer, backend, key_type: DELEGATED, lifetime };
            (made.await.map_err(told)?, Some(delegation))
        }
    };
    let log = Arc::clone(log);
    let report = Box::new(move |error: &tagwise_ca::Error| log.error("ca", &error.to_string()));
    let hooks = Hooks { report, log: None, delegation };
    let options = ServeOptions {
        in_advance: settings.in_advance && ocsp.is_some(),
        crl_lifetime: crl.as_ref().map(|crl| days(crl.days)),
        crl_after_revocation: crl.as_ref().map(|crl| MINUTE.saturating_mul(crl.minutes_after_revocation)),
        ..ServeOptions::DEFAULT
    };
    let server = tagwise_ca::serve::Server::new(responder, pools.stores.clone(), options, Arc::default(), hooks);
    server.await.map(Some).map_err(told)
}
