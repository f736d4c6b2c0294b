//! An ACME client, and the servers for its challenges.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use instant_acme::{
    Account, AuthorizationStatus, BodyWrapper, BytesResponse, ChallengeType, Error, HttpClient, Identifier, NewOrder,
    OrderStatus, RetryPolicy,
};
use tagwise_codec::pem;
use tagwise_crypto::{Backend, KeySigner, KeyType};
use tagwise_pkix::build::CsrBuilder;

use crate::common::BACKEND;

/// Sends each request to the next node that accepts connections, as a load balancer does, whatever the URL's host is.
#[derive(Clone)]
pub(crate) struct Nodes(Arc<(Vec<SocketAddr>, AtomicUsize)>);

impl Nodes {
    /// Creates a client of these nodes, whose first request goes to the node with an index.
    pub(crate) fn new(nodes: Vec<SocketAddr>, first: usize) -> Self {
        Self(Arc::new((nodes, AtomicUsize::new(first))))
    }
}

impl HttpClient for Nodes {
    fn request(
        &self,
        request: hyper::Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let next = self.0.1.fetch_add(1, Ordering::Relaxed);
        let nodes = self.0.0.clone();
        Box::pin(async move {
            let other = |error: Box<dyn std::error::Error + Send + Sync>| Error::Other(error);
            let sent = async {
                let mut stream = Err(std::io::ErrorKind::NotConnected.into());
                for index in 0..nodes.len() {
                    stream = tokio::net::TcpStream::connect(nodes[(next + index) % nodes.len()]).await;
                    if stream.is_ok() {
                        break;
                    }
                }
                let stream = stream.map_err(|error: std::io::Error| other(error.into()))?;
                let (mut sender, driver) =
                    http1::handshake(TokioIo::new(stream)).await.map_err(|error| other(error.into()))?;
                tokio::spawn(driver);
                let (mut parts, body) = request.into_parts();
                parts.headers.insert("host", "ca.test".parse().unwrap());
                parts.uri = parts.uri.path_and_query().unwrap().as_str().parse().unwrap();
                let request = hyper::Request::from_parts(parts, body);
                let response = sender.send_request(request).await.map_err(|error| other(error.into()))?;
                Ok(BytesResponse::from(response))
            };
            let sent = tokio::time::timeout(Duration::from_secs(15), sent).await;
            sent.unwrap_or_else(|error| Err(other(error.into())))
        })
    }
}

/// Answers every A query with 127.0.0.1, and every other query with no records.
pub(crate) fn dns() -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 1500];
        while let Ok((_, from)) = socket.recv_from(&mut buffer) {
            let mut at = 12;
            while buffer[at] != 0 {
                at += 1 + usize::from(buffer[at]);
            }
            let is_a = buffer[at + 1..at + 3] == [0, 1];
            let mut answer =
                [&buffer[..2], &[0x81, 0x80, 0, 1, 0, u8::from(is_a), 0, 0, 0, 0], &buffer[12..at + 5]].concat();
            if is_a {
                answer.extend([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
            }
            let _ = socket.send_to(&answer, from);
        }
    });
    address
}

pub(crate) type Challenges = Arc<Mutex<HashMap<String, String>>>;

/// Serves key authorizations by their tokens.
pub(crate) fn web(challenges: Challenges) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut line = String::new();
            let mut reader = BufReader::new(&stream);
            let _ = reader.read_line(&mut line);
            let token = line.split(' ').nth(1).and_then(|path| path.rsplit('/').next()).unwrap_or_default().to_owned();
            let mut head = String::new();
            while reader.read_line(&mut head).unwrap_or(0) > 2 {
                head.clear();
            }
            let text = challenges.lock().unwrap().get(&token).cloned().unwrap_or_default();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", text.len());
            let _ = (&stream).write_all((head + &text).as_bytes());
        }
    });
    port
}

/// Orders a certificate, from the order to the chain in PEM.
pub(crate) async fn order(
    account: &Account,
    name: &str,
    profile: Option<&str>,
    challenges: &Challenges,
) -> Result<String, Error> {
    let identifiers = [Identifier::Dns(name.to_owned())];
    let retries = RetryPolicy::new().initial_delay(Duration::from_millis(50)).timeout(Duration::from_secs(15));
    let new = NewOrder::new(&identifiers);
    let new = match profile {
        Some(profile) => new.profile(profile),
        None => new,
    };
    let mut order = account.new_order(&new).await?;
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization?;
        if authorization.status == AuthorizationStatus::Pending {
            let mut challenge = authorization.challenge(ChallengeType::Http01).ok_or(Error::Str("no challenge"))?;
            let (token, text) = (challenge.token.clone(), challenge.key_authorization().as_str().to_owned());
            challenges.lock().unwrap().insert(token, text);
            challenge.set_ready().await?;
        }
    }
    if order.poll_ready(&retries).await? != OrderStatus::Ready {
        return Err(Error::Str("the order is not ready"));
    }
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let signer = KeySigner::preferred(Arc::clone(&key)).unwrap();
    let csr = CsrBuilder::new().subject("").unwrap().dns(name).sign(&signer).unwrap();
    order.finalize_csr(csr.as_der()).await?;
    order.poll_certificate(&retries).await
}

/// The certificates of a chain in PEM.
pub(crate) fn certificates(pem: &str) -> Vec<Vec<u8>> {
    let blocks = pem::blocks(pem.as_bytes()).map(|block| block.unwrap().decode().unwrap());
    blocks.collect()
}
