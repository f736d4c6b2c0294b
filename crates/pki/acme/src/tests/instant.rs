//! The server on loopback with the client instant-acme, from the account to the revocation.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use instant_acme::{
    Account, AuthorizationStatus, BodyWrapper, BytesResponse, CertificateIdentifier, ChallengeType, Error,
    ExternalAccountKey, HttpClient, Identifier, NewAccount, NewOrder, OrderStatus, RetryPolicy, RevocationRequest,
};
use tagwise_ca::Documents;
use tagwise_ca::serve::Pool;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::*;
use crate::{Limits, Transport, serve};

/// HTTP without TLS.
struct Plain;

impl HttpClient for Plain {
    fn request(
        &self,
        request: hyper::Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        Box::pin(async move {
            let other = |error: hyper::Error| Error::Other(Box::new(error));
            let authority = request.uri().authority().unwrap().to_string();
            let stream = TcpStream::connect(&authority).await.unwrap();
            let (mut sender, driver) = http1::handshake(TokioIo::new(stream)).await.map_err(other)?;
            tokio::spawn(driver);
            let (mut parts, body) = request.into_parts();
            parts.headers.insert("host", authority.parse().unwrap());
            parts.uri = parts.uri.path_and_query().unwrap().as_str().parse().unwrap();
            let response = sender.send_request(hyper::Request::from_parts(parts, body)).await.map_err(other)?;
            Ok(BytesResponse::from(response))
        })
    }
}

/// A web server with the last key authorization.
async fn web(text: Arc<Mutex<String>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = [0; 2048];
            let _ = stream.read(&mut head).await;
            let body = text.lock().unwrap().clone();
            let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    port
}

#[tokio::test]
async fn instant_acme() {
    let text = Arc::new(Mutex::new(String::new()));
    let port = web(Arc::clone(&text)).await;
    let dns = network::dns(vec![("www.example.test", 1, network::loopback())]).await;
    let policy = format!(
        "dns = ['example.test']\nresolver = '{dns}'\nhttp-port = {port}\nallow-addresses = ['127.0.0.1']\n\
         external-account-required = true"
    );
    let mut store = SqliteStore::in_memory().unwrap();
    let now = UnixTime::from(SystemTime::now());
    let authority = authority(&mut store, UnixTime(now.0 - 3600));
    let (id, secret) = crate::external::add(&mut store, &authority, &BACKEND, "", now).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let acme = acme(authority, &policy, &format!("http://{}", listener.local_addr().unwrap()));
    let url = acme.directory_url();
    let pool = Pool::new(vec![Box::new(store) as Box<dyn Documents>]);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = async {
        let _ = stopped.await;
    };
    let report = Box::new(|error: &str| panic!("{error}"));
    let server = tokio::spawn(serve(listener, Transport::Plain, acme, pool, Limits::DEFAULT, report, stopped));

    let new =
        NewAccount { contact: &["mailto:a@example.org"], terms_of_service_agreed: true, only_return_existing: false };
    let key = jwk::from_base64url(std::str::from_utf8(secret.expose()).unwrap()).unwrap();
    let key = ExternalAccountKey::new(id, key.expose());
    let (mut account, _) = Account::builder_with_http(Box::new(Plain)).create(&new, url, Some(&key)).await.unwrap();
    let _credentials = account.update_key().await.unwrap();

    let identifiers = [Identifier::Dns("www.example.test".to_owned())];
    let retries = RetryPolicy::new().initial_delay(Duration::from_millis(20)).timeout(Duration::from_secs(20));
    let mut replaced: Option<CertificateIdentifier<'static>> = None;
    let mut last = Vec::new();
    // The second order renews the certificate of the first.
    for _ in 0..2 {
        let mut asked = NewOrder::new(&identifiers).profile("short");
        if let Some(id) = replaced.take() {
            asked = asked.replaces(id);
        }
        let mut order = account.new_order(&asked).await.unwrap();
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization.unwrap();
            assert_eq!(authorization.status, AuthorizationStatus::Pending);
            let mut challenge = authorization.challenge(ChallengeType::Http01).unwrap();
            *text.lock().unwrap() = challenge.key_authorization().as_str().to_owned();
            challenge.set_ready().await.unwrap();
        }
        assert_eq!(order.poll_ready(&retries).await.unwrap(), OrderStatus::Ready);
        let key = BACKEND.generate(KeyType::P256).unwrap();
        order.finalize_csr(&csr(&key, &["www.example.test"], "")).await.unwrap();
        let chain = order.poll_certificate(&retries).await.unwrap();
        last = certificates(chain.as_bytes()).remove(0);
        let certificate = tagwise_pkix::Certificate::from_der(&last).unwrap();
        let own = certificate.extension::<tagwise_pkix::ext::AuthorityKeyIdentifier<'_>>().unwrap().unwrap();
        replaced = Some(CertificateIdentifier {
            authority_key_identifier: jwk::base64url(own.key_identifier.unwrap().as_bytes()).into(),
            serial: jwk::base64url(certificate.tbs_certificate.serial_number.0.as_bytes()).into(),
        });
    }
    let der = last.into();
    account.revoke(&RevocationRequest { certificate: &der, reason: None }).await.unwrap();
    assert!(account.revoke(&RevocationRequest { certificate: &der, reason: None }).await.is_err());
    account.deactivate().await.unwrap();
    let _ = stop.send(());
    server.await.unwrap().unwrap();
}
