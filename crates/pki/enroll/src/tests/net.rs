//! A server on a loopback address for clients of other makers, with or without TLS.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE};
use hyper_util::rt::TokioIo;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tagwise_ca::SqliteStore;
use tagwise_pkix::UnixTime;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Runtime;

use super::World;
use crate::{Request, Response, Service};

/// A running server, which stops when it is dropped.
pub(super) struct Net {
    runtime: Option<Runtime>,
    shared: Arc<Shared>,
    pub(super) address: SocketAddr,
}

struct Shared {
    service: Arc<dyn Service>,
    store: Mutex<SqliteStore>,
}

impl Net {
    pub(super) fn plain(world: World, service: Arc<dyn Service>) -> Self {
        Self::start(world.store, service, None)
    }

    /// Serves with a certificate for 127.0.0.1 from the CA, and accepts client certificates.
    pub(super) fn tls(mut world: World, service: Arc<dyn Service>) -> Self {
        let (key, certificate) = world.client("CN=127.0.0.1", "server");
        let mut roots = rustls::RootCertStore::empty();
        roots.add(CertificateDer::from(world.authority().certificate_der().to_vec())).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let verifier =
            rustls::server::WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider));
        let verifier = verifier.allow_unauthenticated().build().unwrap();
        let key = PrivateKeyDer::try_from(key.to_pkcs8().unwrap().expose().to_vec()).unwrap();
        let config =
            rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_client_cert_verifier(verifier);
        let config = config.with_single_cert(vec![CertificateDer::from(certificate)], key).unwrap();
        Self::start(world.store, service, Some(Arc::new(config)))
    }

    /// The database, between requests.
    pub(super) fn store(&self) -> MutexGuard<'_, SqliteStore> {
        self.shared.store.lock().unwrap()
    }

    fn start(store: SqliteStore, service: Arc<dyn Service>, tls: Option<Arc<rustls::ServerConfig>>) -> Self {
        let shared = Arc::new(Shared { service, store: Mutex::new(store) });
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let services = Arc::clone(&shared);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (shared, tls) = (Arc::clone(&services), tls.clone());
                tokio::spawn(async move {
                    let Some(tls) = tls else { return connection(stream, shared, Vec::new()).await };
                    let Ok(stream) = tokio_rustls::TlsAcceptor::from(tls).accept(stream).await else { return };
                    let chain = stream.get_ref().1.peer_certificates().unwrap_or_default();
                    let chain = chain.iter().map(|it| it.to_vec()).collect();
                    connection(stream, shared, chain).await;
                });
            }
        });
        Self { runtime: Some(runtime), shared, address }
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        self.runtime.take().into_iter().for_each(Runtime::shutdown_background);
    }
}

async fn connection<S>(stream: S, shared: Arc<Shared>, chain: Vec<Vec<u8>>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let chain = Arc::new(chain);
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let (shared, chain) = (Arc::clone(&shared), Arc::clone(&chain));
        async move {
            let (parts, body) = request.into_parts();
            let body = Limited::new(body, shared.service.max_body()).collect().await;
            let response = match body {
                Err(_too_long) => Response { status: 413, ..Response::default() },
                Ok(body) => {
                    let body = body.to_bytes();
                    tokio::task::block_in_place(|| {
                        let request = Request {
                            method: parts.method.as_str(),
                            path: parts.uri.path(),
                            query: parts.uri.query(),
                            content_type: parts.headers.get(CONTENT_TYPE).map(|value| value.as_bytes()),
                            authorization: parts.headers.get(AUTHORIZATION).map(|value| value.as_bytes()),
                            chain: &chain,
                            binding: None,
                            peer: None,
                            body: &body,
                        };
                        shared.service.answer(&mut *shared.store.lock().unwrap(), &request, UnixTime::now())
                    })
                }
            };
            if response.status >= 400 {
                eprintln!("{} {}: {} {:?}", parts.method, parts.uri, response.status, response.internal);
            }
            let mut sent = hyper::Response::new(Full::new(Bytes::from(response.body)));
            *sent.status_mut() = hyper::StatusCode::from_u16(response.status).unwrap();
            if !response.content_type.is_empty() {
                sent.headers_mut().insert(CONTENT_TYPE, response.content_type.parse().unwrap());
            }
            for (name, value) in response.headers {
                sent.headers_mut().append(name, value.parse().unwrap());
            }
            Ok::<_, Infallible>(sent)
        }
    });
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}
