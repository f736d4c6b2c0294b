//! An asynchronous driver for exchanges, based on tokio.

use core::future::poll_fn;
use core::task::Poll;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::{TcpStream, UdpSocket};
use tokio::time::{Instant, timeout, timeout_at};

use super::attempts::{Attempt, DATAGRAM_WAIT, MAX_REPLY, Tried, attempts, by, is_reply, timed_out, too_long};
use super::network::{is_same, nobody, unresolved};
use super::{Event, Exchange, Https, Resolver, Server, Service, Transport, kkdcp, locate};
use crate::Credential;
use crate::client::{ClientError, Moment, Step};
use crate::conf::Config;

/// An asynchronous [`Network`](super::Network) on tokio: a configuration, and the means to reach servers.
///
/// Requires a runtime with I/O and time enabled. Name resolution and proxies use tokio's blocking threads. Dropping a
/// future cancels its exchange, but a blocking thread continues until its own timeout.
///
/// ```no_run
/// # async fn example(exchange: &mut tagwise_krb5::client::AsExchange<'_>) -> Result<(), Box<dyn std::error::Error>> {
/// use tagwise_krb5::client::net::{AsyncNetwork, Transport};
/// use tagwise_krb5::conf::{Config, NoIncludes};
/// let text = "[realms]\nEXAMPLE.COM = {\n  kdc = kdc.example.com\n}\n";
/// let network = AsyncNetwork::new(Config::parse(text, &mut NoIncludes)?, Transport::DEFAULT);
/// let credential = network.run(exchange).await?;
/// # let _ = credential;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct AsyncNetwork {
    config: Arc<Config>,
    transport: Transport,
    resolver: Option<Arc<dyn Resolver + Send + Sync>>,
    https: Option<Arc<dyn Https + Send + Sync>>,
}

/// The result of a completed exchange, and the last server that replied.
struct Driven {
    result: Result<Credential, ClientError>,
    answered: Option<(String, Server)>,
}

impl AsyncNetwork {
    /// Creates a network from a configuration, which provides the servers.
    #[must_use]
    pub fn new(config: impl Into<Arc<Config>>, transport: Transport) -> Self {
        Self { config: config.into(), transport, resolver: None, https: None }
    }

    /// Enables DNS lookup for realms without configured servers, unless `dns_lookup_kdc` is off.
    #[must_use]
    pub fn with_resolver(mut self, resolver: Arc<dyn Resolver + Send + Sync>) -> Self {
        self.resolver = Some(resolver);
        self
    }

    /// Enables proxies, for servers given as URLs.
    #[must_use]
    pub fn with_https(mut self, https: Arc<dyn Https + Send + Sync>) -> Self {
        self.https = Some(https);
        self
    }

    /// Returns a realm's servers, from the configuration or otherwise from DNS.
    ///
    /// # Errors
    /// Returns [`ClientError::Network`] if DNS does not respond.
    pub async fn servers(&self, realm: &str, service: Service) -> Result<Vec<Server>, ClientError> {
        let (config, resolver, of) = (Arc::clone(&self.config), self.resolver.clone(), realm.to_owned());
        let find = move || {
            let resolver = resolver.as_deref().map(|resolver| resolver as &dyn Resolver);
            locate::locate(&config, resolver, &of, service)
        };
        blocking(find).await.map_err(|error| unresolved(realm, &error))
    }

    /// Sends a message to a realm's servers until one answers.
    ///
    /// # Errors
    /// Returns [`ClientError::Network`], with the result for each server, if none answers.
    pub async fn ask(&self, realm: &str, service: Service, message: &[u8], tcp: bool) -> Result<Vec<u8>, ClientError> {
        self.answered(realm, service, message, tcp).await.map(|(_, reply)| reply)
    }

    /// Runs an exchange to completion.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    pub async fn run(&self, exchange: &mut (dyn Exchange + Send)) -> Result<Credential, ClientError> {
        self.watch(exchange, &mut |_| ()).await
    }

    /// Runs an exchange to completion, and reports each message.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    pub async fn watch(
        &self,
        exchange: &mut (dyn Exchange + Send),
        watcher: &mut (dyn FnMut(Event<'_>) + Send),
    ) -> Result<Credential, ClientError> {
        self.drive(exchange, Service::Kdc, watcher).await.result
    }

    /// Runs an exchange. If a server other than the primary one rejects it, retries with a new exchange and the primary server,
    /// which receives password changes first. If the primary server does not respond, returns the first error.
    ///
    /// # Errors
    /// Returns a [`ClientError`] if the exchange fails.
    pub async fn initial<E: Exchange + Send>(
        &self,
        begin: &mut (dyn FnMut() -> E + Send),
        watcher: &mut (dyn FnMut(Event<'_>) + Send),
    ) -> Result<Credential, ClientError> {
        let first = self.drive(&mut begin(), Service::Kdc, watcher).await;
        let (refusal, (realm, server)) = match (first.result, first.answered) {
            (Err(error), Some(answered)) if !matches!(error, ClientError::Network(_)) => (error, answered),
            (result, _) => return result,
        };
        let primaries = self.servers(&realm, Service::PrimaryKdc).await.unwrap_or_default();
        if primaries.is_empty() || primaries.iter().any(|primary| is_same(primary, &server)) {
            return Err(refusal);
        }
        match self.drive(&mut begin(), Service::PrimaryKdc, watcher).await.result {
            Err(ClientError::Network(_)) => Err(refusal),
            result => result,
        }
    }

    async fn drive(
        &self,
        exchange: &mut (dyn Exchange + Send),
        service: Service,
        watcher: &mut (dyn FnMut(Event<'_>) + Send),
    ) -> Driven {
        let mut answered = None;
        let mut step = exchange.start(Moment::now());
        loop {
            let (realm, message, tcp) = match step {
                Err(error) => return Driven { result: Err(error), answered },
                Ok(Step::Done(credential)) => return Driven { result: Ok(*credential), answered },
                Ok(Step::Send { realm, message, tcp }) => (realm, message, tcp),
            };
            watcher(Event::Sent { realm: &realm, message: &message });
            step = self.answered(&realm, service, &message, tcp).await.and_then(|(server, reply)| {
                watcher(Event::Received { from: &server, message: &reply });
                answered = Some((realm, server));
                let step = exchange.reply(Moment::now(), &reply);
                if let Some(text) = exchange.note() {
                    watcher(Event::Note { text: &text });
                }
                step
            });
        }
    }

    async fn answered(
        &self,
        realm: &str,
        service: Service,
        message: &[u8],
        tcp: bool,
    ) -> Result<(Server, Vec<u8>), ClientError> {
        let servers = self.servers(realm, service).await?;
        if servers.is_empty() {
            return Err(nobody(realm, service));
        }
        let mut tried = Tried::default();
        for attempt in attempts(&servers, message.len() <= self.transport.udp_limit, tcp) {
            let answered = match &attempt {
                Attempt::Datagrams(to) => self.datagrams(to, message, &mut tried).await,
                Attempt::Stream(server) => match self.stream(server, realm, message).await {
                    Ok(reply) => Some((by(server, false), reply)),
                    Err(error) => {
                        tried.failed(&by(server, false), &error);
                        None
                    }
                },
            };
            if let Some(answered) = answered.and_then(|answered| tried.counts(answered)) {
                return Ok(answered);
            }
        }
        tried.end()
    }

    /// Sends datagrams to each server in turn, several times. Late replies are accepted while the function waits for any server.
    async fn datagrams(
        &self,
        to: &[(&Server, SocketAddr)],
        message: &[u8],
        tried: &mut Tried,
    ) -> Option<(Server, Vec<u8>)> {
        let mut asked: Vec<Asked> = to.iter().map(|_| Asked::NotYet).collect();
        let mut buffer = vec![0; 65_536];
        let mut odd = false;
        for _ in 0..self.transport.tries.max(1) {
            for (at, (_, address)) in to.iter().enumerate() {
                let Some(place) = asked.get_mut(at) else { continue };
                place.send(*address, message).await;
                let until = Instant::now().checked_add(self.transport.timeout.min(DATAGRAM_WAIT))?;
                while let Ok(Some((of, reply))) = timeout_at(until, first_of(&mut asked, at, &mut buffer)).await {
                    if is_reply(message, &reply) {
                        return Some((by(to.get(of)?.0, true), reply));
                    }
                    odd = true;
                }
            }
        }
        for ((server, _), asked) in to.iter().zip(asked) {
            match asked {
                Asked::Failed(error) => tried.failed(&by(server, true), &error),
                Asked::NotYet | Asked::Waiting(_) => tried.failed(&by(server, true), &timed_out(odd)),
            }
        }
        None
    }

    async fn stream(&self, server: &Server, realm: &str, message: &[u8]) -> io::Result<Vec<u8>> {
        let wait = self.transport.timeout;
        match server {
            Server::Address { address, .. } => {
                within(wait, async { framed(TcpStream::connect(address).await?, message).await }).await
            }
            #[cfg(unix)]
            Server::Unix(path) => {
                within(wait, async { framed(tokio::net::UnixStream::connect(path).await?, message).await }).await
            }
            #[cfg(not(unix))]
            Server::Unix(_) => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "UNIX sockets are not supported on this system"))
            }
            Server::Https(url) => {
                let https = self.https.clone().ok_or_else(|| {
                    io::Error::new(io::ErrorKind::Unsupported, "this program was built without HTTPS")
                })?;
                let (url, realm, message) = (url.clone(), realm.to_owned(), message.to_vec());
                blocking(move || kkdcp::ask(&*https, &url, Some(&realm), &message, wait)).await
            }
        }
    }
}

/// A server to which a datagram was sent.
enum Asked {
    NotYet,
    Waiting(UdpSocket),
    Failed(io::Error),
}

impl Asked {
    async fn send(&mut self, address: SocketAddr, message: &[u8]) {
        let sent = match self {
            Self::Failed(_) => return,
            Self::Waiting(socket) => socket.send(message).await.map(drop),
            Self::NotYet => match open(address).await {
                Err(error) => Err(error),
                Ok(socket) => {
                    let sent = socket.send(message).await.map(drop);
                    *self = Self::Waiting(socket);
                    sent
                }
            },
        };
        if let Err(error) = sent {
            *self = Self::Failed(error);
        }
    }
}

/// Returns the first reply from any server, with the server's index. Returns `None` if the most recently contacted server has failed.
async fn first_of(asked: &mut [Asked], last: usize, buffer: &mut [u8]) -> Option<(usize, Vec<u8>)> {
    poll_fn(|context| {
        for (of, place) in asked.iter_mut().enumerate() {
            let Asked::Waiting(socket) = place else { continue };
            let mut into = ReadBuf::new(buffer);
            match socket.poll_recv(context, &mut into) {
                Poll::Ready(Ok(())) => return Poll::Ready(Some((of, into.filled().to_vec()))),
                Poll::Ready(Err(error)) => *place = Asked::Failed(error),
                Poll::Pending => {}
            }
        }
        match asked.get(last) {
            Some(Asked::Waiting(_)) => Poll::Pending,
            _ => Poll::Ready(None),
        }
    })
    .await
}

/// Opens a socket that only receives datagrams from this address.
async fn open(address: SocketAddr) -> io::Result<UdpSocket> {
    let any: SocketAddr = if address.is_ipv4() { ([0; 4], 0).into() } else { ([0_u16; 8], 0).into() };
    let socket = UdpSocket::bind(any).await?;
    socket.connect(address).await?;
    Ok(socket)
}

/// Sends a message and receives the reply, both with a length prefix (RFC 4120 §7.2.2).
async fn framed(mut stream: impl AsyncRead + AsyncWrite + Unpin, message: &[u8]) -> io::Result<Vec<u8>> {
    let len = u32::try_from(message.len()).map_err(|_: core::num::TryFromIntError| too_long())?;
    stream.write_all(&[&len.to_be_bytes()[..], message].concat()).await?;
    // The highest bit is reserved (RFC 4120 §7.2.2).
    let len = stream.read_u32().await?;
    if len > MAX_REPLY {
        return Err(too_long());
    }
    let mut reply = Vec::new();
    stream.take(u64::from(len)).read_to_end(&mut reply).await?;
    match u32::try_from(reply.len()) == Ok(len) {
        true => Ok(reply),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Runs a conversation with a timeout.
async fn within<T>(wait: Duration, talk: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    timeout(wait, talk).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// Runs blocking work on one of tokio's threads for it.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}
