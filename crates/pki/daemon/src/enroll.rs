//! EST, SCEP, CMP and time stamps: their services, and their requests.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Request, Response, StatusCode};
use tagwise_ca::{Authority, Definition, Error};
use tagwise_crypto::{KeySigner, PrivateKey, Signer};
use tagwise_enroll::{Cmp, Enrollment, Est, Policy, Scep, Service, Tsp, TspOptions};
use tagwise_pkix::CertificateBuf;
use tagwise_serve::http::{BodyError, Limits, RequestBody};
use tagwise_serve::tls::rustls::pki_types::pem::PemObject;
use tagwise_serve::tls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tagwise_serve::tls::{ChannelBinding, ClientCertificates};
use tokio::sync::watch;

use crate::config::{CaConfig, Config, Problems, ScepConfig, ServiceName, TspConfig};
use crate::log::Log;
use crate::parts::{Parts, Pools, now, open_to_read};
use crate::reply::{Reply, text};

/// The interval between runs of maintenance, and the number of documents deleted at once.
const PURGE: (Duration, u32) = (Duration::from_secs(60), 10_000);

/// Services by their names.
pub(crate) type Services = BTreeMap<ServiceName, Arc<dyn Service>>;

/// The reasons for which configured services refuse all requests.
pub(crate) type Off = BTreeMap<ServiceName, String>;

/// The CA and its key.
pub(crate) type Ca<'a> = (&'a Arc<Authority>, &'a Arc<dyn Signer>);

/// Creates the configured services. Those in the second result refuse all requests, because their certificates have expired
/// or are revoked.
pub(crate) fn services(config: &Config, parts: &Parts, ca: Ca<'_>, problems: &mut Problems) -> (Services, Off) {
    let mut services = Services::new();
    let mut off = Off::new();
    if let Some(policy) = config.enroll.as_ref().filter(|_| !problems.is_incomplete("enroll")) {
        match enrollment(policy, parts, ca) {
            Ok(enrollment) => {
                if config.est.is_some() {
                    services.insert(ServiceName::Est, Arc::new(Est::new(enrollment.clone())));
                }
                if config.cmp.is_some() {
                    services.insert(ServiceName::Cmp, Arc::new(Cmp::new(enrollment.clone())));
                }
                let made = config.scep.as_ref().map(|own| scep((config, own), parts, enrollment, ca.0, &mut off));
                match made.transpose() {
                    Ok(scep) => {
                        services.extend(scep.map(|scep| (ServiceName::Scep, Arc::new(scep) as Arc<dyn Service>)))
                    }
                    Err(what) => problems.add(format!("[scep]: {what}")),
                }
            }
            Err(what) => problems.add(format!("[enroll]: {what}")),
        }
    }
    match config.tsp.as_ref().map(|own| tsp((config, own), parts, ca.0, &mut off)).transpose() {
        Ok(tsp) => services.extend(tsp.map(|tsp| (ServiceName::Tsp, Arc::new(tsp) as Arc<dyn Service>))),
        Err(what) => problems.add(format!("[tsp]: {what}")),
    }
    (services, off)
}

fn enrollment(policy: &Policy, parts: &Parts, (authority, signer): Ca<'_>) -> Result<Enrollment, String> {
    let mut policy = policy.clone();
    let mut profiles: Vec<Arc<Definition>> = Vec::new();
    let mut problems = Vec::new();
    for grant in &mut policy.grants {
        for name in grant.certificates.iter_mut().chain([&mut grant.profile]) {
            let definition = match (parts.profiles)(name) {
                Ok(definition) => definition,
                Err(what) => {
                    problems.push(format!("grant {}: {what}", grant.name));
                    continue;
                }
            };
            // A file may contain a profile with another name.
            name.clone_from(&definition.name);
            if !profiles.iter().any(|known| known.name == definition.name) {
                profiles.push(Arc::new(definition));
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems.join("; "));
    }
    Enrollment::new(authority.as_ref().clone(), Arc::clone(signer), parts.backend, policy, profiles)
}

/// Returns the reason for which the certificate of a registration or time stamp authority cannot be used now.
fn obstacle(
    config: &CaConfig,
    authority: &Authority,
    der: Option<&Vec<u8>>,
    what: &str,
) -> Result<Option<String>, String> {
    // Malformed certificates are reported by the service.
    let Some(certificate) = der.and_then(|der| CertificateBuf::from_der(der.clone()).ok()) else { return Ok(None) };
    let validity = certificate.get().tbs_certificate.validity;
    match (validity.not_before.unix(), validity.not_after.unix()) {
        (from, _) if now() < from => return Ok(Some(format!("{what} is not valid before {from}"))),
        (_, to) if now() > to => return Ok(Some(format!("{what} expired at {to}"))),
        _ => {}
    }
    let checked =
        open_to_read(config).and_then(|mut store| authority.check_delegate(&mut *store, certificate.get(), what));
    match checked {
        Ok(()) => Ok(None),
        Err(error @ Error::Refused { .. }) => Ok(Some(error.to_string())),
        Err(error) => Err(error.to_string()),
    }
}

fn scep(
    (all, config): (&Config, &ScepConfig),
    parts: &Parts,
    enrollment: Enrollment,
    authority: &Authority,
    off: &mut Off,
) -> Result<Scep, String> {
    let key = private_key(&config.key, parts)?;
    let chain = certificates(&config.certificate)?;
    let found = obstacle(&all.ca, authority, chain.first(), "the certificate of the registration authority")?;
    off.extend(found.map(|what| (ServiceName::Scep, what)));
    let certificate = chain.into_iter().next().unwrap_or_default();
    let scep = Scep::new(enrollment, key, certificate)?;
    let Some(path) = &config.next else { return Ok(scep) };
    scep.with_next(certificates(path)?).map_err(|what| format!("{}: {what}", path.display()))
}

fn tsp(
    (all, config): (&Config, &TspConfig),
    parts: &Parts,
    authority: &Arc<Authority>,
    off: &mut Off,
) -> Result<Tsp, String> {
    let wrong = |text: &str| format!("policies: `{}` is not an object identifier", text.escape_debug());
    let policies = config.policies.iter().map(|text| text.parse().map_err(|_| wrong(text)));
    let policies = policies.collect::<Result<Vec<_>, String>>()?;
    let signer = KeySigner::preferred(private_key(&config.key, parts)?).map_err(|error| error.to_string())?;
    let chain = certificates(&config.certificate)?;
    let found = obstacle(&all.ca, authority, chain.first(), "the certificate of the time stamp authority")?;
    off.extend(found.map(|what| (ServiceName::Tsp, what)));
    let options = TspOptions { policies, accuracy: config.accuracy };
    Tsp::new(Arc::clone(authority), parts.backend, Arc::new(signer), chain, options)
}

/// The certificates of a PEM file, in DER.
fn certificates(path: &Path) -> Result<Vec<Vec<u8>>, String> {
    let list = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let list = list.map_err(|error| format!("{}: {error}", path.display()))?;
    if list.is_empty() {
        return Err(format!("{}: no certificate found, expected PEM", path.display()));
    }
    Ok(list.into_iter().map(|der| der.to_vec()).collect())
}

fn private_key(path: &Path, parts: &Parts) -> Result<Arc<dyn PrivateKey>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    match PrivateKeyDer::from_pem_file(path).map_err(|error| failed(&error))? {
        PrivateKeyDer::Pkcs8(der) => {
            parts.backend.private_key_from_pkcs8(der.secret_pkcs8_der()).map_err(|error| failed(&error))
        }
        _ => Err(failed(&"the key is not in PKCS #8 form; `tagwise key convert` converts it")),
    }
}

/// Answers a request.
pub(crate) async fn answer(
    service: Arc<dyn Service>,
    pools: &Pools,
    log: &Log,
    request: Request<RequestBody>,
) -> Reply {
    let (parts, body) = request.into_parts();
    let body = match body.receive(service.max_body(), Limits::DEFAULT.read_timeout).await {
        Ok(body) => body,
        Err(error) => {
            let what = match error {
                BodyError::Slow => "The body did not arrive in time.\n",
                BodyError::TooLong => "The body is too long.\n",
                BodyError::Broken => "The body is incomplete.\n",
            };
            return text(error.status(), what);
        }
    };
    let done = pools.documents.run_combined(move |store| {
        let client = parts.extensions.get::<ClientCertificates>();
        let binding = parts.extensions.get::<ChannelBinding>();
        let header = |name: HeaderName| parts.headers.get(name).map(HeaderValue::as_bytes);
        let request = tagwise_enroll::Request {
            method: parts.method.as_str(),
            path: parts.uri.path(),
            query: parts.uri.query(),
            content_type: header(CONTENT_TYPE),
            // Only connections with TLS have the extension.
            authorization: client.and_then(|_| header(AUTHORIZATION)),
            chain: client.map_or(&[], |client| &client.0),
            binding: binding.map(|binding| binding.0.as_slice()),
            peer: parts.extensions.get::<SocketAddr>().map(SocketAddr::ip),
            body: &body,
        };
        Ok(service.answer(store, &request, now()))
    });
    match done.await {
        Ok(response) => {
            if let Some(what) = &response.internal {
                log.error("enroll", what);
            }
            written(response)
        }
        Err(error) => {
            log.error("enroll", &error.to_string());
            text(StatusCode::INTERNAL_SERVER_ERROR, "Internal error.\n")
        }
    }
}

fn written(response: tagwise_enroll::Response) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from(response.body)));
    *reply.status_mut() = StatusCode::from_u16(response.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = reply.headers_mut();
    if !response.content_type.is_empty() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(response.content_type));
    }
    for (name, value) in response.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.append(HeaderName::from_static(name), value);
        }
    }
    reply
}

/// Maintains the services and deletes expired documents periodically, until `told` is true.
pub(crate) async fn keep(
    (authority, services): (Arc<Authority>, Vec<Arc<dyn Service>>),
    pools: Pools,
    log: Arc<Log>,
    mut told: watch::Receiver<bool>,
) {
    let (interval, most) = PURGE;
    loop {
        tokio::select! {
            _ = told.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(interval) => {}
        }
        let (id, services) = (authority.id(), services.clone());
        let done = pools.documents.run(move |store| {
            services.iter().try_for_each(|service| service.maintain(store, now()))?;
            store.purge_documents(id, now(), most)
        });
        if let Err(error) = done.await {
            log.error("maintenance", &error.to_string());
        }
    }
}
