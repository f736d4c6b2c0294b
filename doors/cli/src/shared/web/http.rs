//! A client of HTTP/1.1, limited in the number of requests, their time, the size of answers, and the addresses.

use std::io::Read;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{CONNECTION, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderName, RETRY_AFTER, USER_AGENT};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use tagwise_pkix::name::visible;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

use super::tls::{Tls, TlsConfig};
use super::url::{Url, is_supported};
use crate::shared::output::{Failure, reason};

/// The most requests of a run, the time for all of them in units of the time for one, and the size of one answer and of all.
const REQUESTS: u32 = 64;
const TIMES: u32 = 10;
const LARGEST: usize = 32 << 20;
const TOTAL: usize = 128 << 20;
/// The addresses of a host that are tried.
const ADDRESSES: usize = 4;

/// The addresses that may be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All but loopback, link-local, unspecified and multicast addresses. Private addresses are those of companies' CAs.
    NotLocal,
    /// Those, and loopback addresses.
    Everywhere,
}

impl Reach {
    fn has(self, address: IpAddr) -> bool {
        // An IPv4 address within one of IPv6 is that of IPv4.
        let address = address.to_canonical();
        let is_link_local = match address {
            IpAddr::V4(address) => {
                address.is_link_local() || address.is_broadcast() || address.octets().starts_with(&[0])
            }
            IpAddr::V6(address) => address.is_unicast_link_local(),
        };
        !is_link_local
            && !address.is_unspecified()
            && !address.is_multicast()
            && (self == Self::Everywhere || !address.is_loopback())
    }
}

/// The client.
pub(crate) struct Web {
    runtime: Runtime,
    timeout: Duration,
    /// The end of the time for all requests, if it is limited.
    deadline: Option<Instant>,
    reach: Reach,
    requests_left: u32,
    left: usize,
    tls: Tls,
    /// The open connection, with its scheme and authority, if connections are kept.
    kept: Option<(String, Sender)>,
    keeps: bool,
}

type Sender = SendRequest<Full<Bytes>>;

/// A server's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The field Retry-After in seconds, if it has this form.
    pub(crate) retry_after: Option<u64>,
    pub(crate) body: Vec<u8>,
}

impl Web {
    /// Creates a client. `timeout` is for each request.
    ///
    /// # Errors
    /// Returns an error if the system does not offer what is needed for network connections.
    pub(crate) fn new(timeout: Duration, reach: Reach) -> Result<Self, Failure> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let deadline = Some(Instant::now() + timeout * TIMES);
        let (requests_left, left) = (REQUESTS, TOTAL);
        let tls = Tls::none();
        Ok(Self { runtime, timeout, deadline, reach, requests_left, left, tls, kept: None, keeps: false })
    }

    /// Also supports `https`, and verifies servers with the given anchors.
    pub(crate) fn trusting(mut self, tls: Tls) -> Self {
        self.tls = tls;
        self
    }

    /// Permits any number of requests, and keeps the connection to the last server. For servers that the user chose.
    pub(crate) fn unlimited(mut self) -> Self {
        (self.deadline, self.requests_left, self.left, self.keeps) = (None, u32::MAX, usize::MAX, true);
        self
    }

    /// Returns whether a URL has a supported scheme.
    pub(super) fn supports(&self, url: &str) -> bool {
        is_supported(url, self.tls.is_some())
    }

    /// Gets a resource, or posts a body of a media type. The answer must have the status 200.
    ///
    /// # Errors
    /// Returns the reason if no answer is received.
    pub(crate) fn request(&mut self, url: &str, body: Option<(&str, &[u8])>) -> Result<Vec<u8>, String> {
        let answer = self.ask(url, body)?;
        match answer.status {
            200 => Ok(answer.body),
            status => Err(format!("the server answered with status {status}")),
        }
    }

    /// Gets a resource, or posts a body of a media type, and returns the answer with its status.
    ///
    /// # Errors
    /// Returns the reason if no answer is received. Redirects are not followed.
    pub(crate) fn ask(&mut self, url: &str, body: Option<(&str, &[u8])>) -> Result<Answer, String> {
        let url = Url::parse(url, self.tls.is_some())?;
        let config = if url.is_tls { Some(self.tls.config()?) } else { None };
        self.requests_left =
            self.requests_left.checked_sub(1).ok_or_else(|| format!("more than {REQUESTS} requests"))?;
        let left =
            self.deadline.map_or(self.timeout, |end| end.saturating_duration_since(Instant::now()).min(self.timeout));
        if left.is_zero() {
            return Err("the time for all requests was used up".to_owned());
        }
        let most = LARGEST.min(self.left);
        let (reach, keeps) = (self.reach, self.keeps);
        let server = format!("{}{}", if url.is_tls { "https://" } else { "http://" }, url.authority);
        let kept = self.kept.take().filter(|(own, _)| *own == server).map(|(_, sender)| sender);
        let work = async {
            // The server may have closed the kept connection in the meantime.
            if let Some(mut sender) = kept.filter(|sender| !sender.is_closed())
                && let Ok(done) = exchange(&mut sender, &url, body, keeps, most).await
            {
                return Ok((done, sender));
            }
            let mut sender = open(&url, config, reach).await?;
            Ok((exchange(&mut sender, &url, body, keeps, most).await?, sender))
        };
        let done = self.runtime.block_on(async { tokio::time::timeout(left, work).await });
        let done = done.unwrap_or_else(|_elapsed| Err("the server exceeded the time set by --timeout".to_owned()));
        let (answer, sender) = done?;
        self.kept = self.keeps.then_some((server, sender));
        self.left = self.left.saturating_sub(answer.body.len());
        Ok(answer)
    }
}

/// Connects to a server, with TLS if there is a configuration.
async fn open(url: &Url, config: Option<TlsConfig>, reach: Reach) -> Result<Sender, String> {
    let failed = |error: hyper::Error| visible(&error).to_string();
    let stream = connect(url, reach).await?;
    let Some(config) = config else {
        let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(failed)?;
        tokio::spawn(connection);
        return Ok(sender);
    };
    let stream = super::tls::start(&url.host, config, stream).await?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(failed)?;
    tokio::spawn(connection);
    Ok(sender)
}

async fn exchange(
    sender: &mut Sender,
    url: &Url,
    body: Option<(&str, &[u8])>,
    keeps: bool,
    most: usize,
) -> Result<Answer, String> {
    let failed = |error: hyper::Error| visible(&error).to_string();
    sender.ready().await.map_err(failed)?;
    let mut request = Request::builder()
        .uri(&url.path)
        .header(HOST, &url.authority)
        .header(USER_AGENT, concat!("tagwise/", env!("CARGO_PKG_VERSION")));
    if !keeps {
        request = request.header(CONNECTION, "close");
    }
    let octets = match body {
        Some((media, octets)) => {
            request = request.method(Method::POST).header(CONTENT_TYPE, media);
            octets
        }
        None => &[],
    };
    let request = request.body(Full::new(Bytes::copy_from_slice(octets))).map_err(|error| error.to_string())?;
    let answer = sender.send_request(request).await.map_err(failed)?;
    let status = answer.status();
    if status.is_redirection() {
        return Err(format!("redirects are not followed (status {})", status.as_u16()));
    }
    let field = |name: HeaderName| answer.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let (retry_after, encoding) = (field(RETRY_AFTER).and_then(|text| text.parse().ok()), field(CONTENT_ENCODING));
    let status = status.as_u16();
    if status != StatusCode::OK.as_u16() {
        return Ok(Answer { status, retry_after, body: Vec::new() });
    }
    let longer = || format!("the answer has more than {most} bytes");
    let body = Limited::new(answer.into_body(), most).collect().await;
    let body = match body {
        Ok(body) => body.to_bytes().to_vec(),
        Err(error) if error.is::<LengthLimitError>() => return Err(longer()),
        Err(error) => return Err(visible(&error).to_string()),
    };
    let body = match encoding.as_deref() {
        None | Some("identity") => body,
        // Servers of files that are stored compressed send them so even if it was not asked for (RFC 9110 §12.5.3).
        Some("gzip") => {
            let mut plain = Vec::new();
            let read = flate2::read::GzDecoder::new(body.as_slice()).take(most as u64 + 1).read_to_end(&mut plain);
            read.map_err(|error| format!("malformed gzip encoding: {}", reason(&error)))?;
            if plain.len() > most {
                return Err(longer());
            }
            plain
        }
        Some(other) => return Err(format!("unsupported content encoding {}, expected gzip", visible(&other))),
    };
    Ok(Answer { status, retry_after, body })
}

/// Connects to the first address that may be reached and answers.
async fn connect(url: &Url, reach: Reach) -> Result<TcpStream, String> {
    let found = tokio::net::lookup_host((url.host.as_str(), url.port)).await;
    let found = found.map_err(|error| format!("the host name could not be resolved: {}", reason(&error)))?;
    let (allowed, others): (Vec<SocketAddr>, Vec<SocketAddr>) = found.partition(|address| reach.has(address.ip()));
    let mut last = match others.first() {
        Some(address) => format!("the address {} is local, and not contacted", address.ip()),
        None => "the host name has no address".to_owned(),
    };
    for address in allowed.iter().take(ADDRESSES) {
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(error) => last = format!("{address}: {}", reason(&error)),
        }
    }
    Err(last)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (address, not_local, everywhere) in [
            ("192.0.2.1", true, true),
            ("10.0.0.1", true, true),
            ("2001:db8::1", true, true),
            ("127.0.0.1", false, true),
            ("127.1.2.3", false, true),
            ("::1", false, true),
            ("::ffff:127.0.0.1", false, true),
            ("169.254.169.254", false, false),
            ("::ffff:169.254.169.254", false, false),
            ("fe80::1", false, false),
            ("0.0.0.0", false, false),
            ("0.1.2.3", false, false),
            ("::", false, false),
            ("224.0.0.1", false, false),
            ("255.255.255.255", false, false),
            ("ff02::1", false, false),
        ] {
            let parsed: IpAddr = address.parse().unwrap();
            let found = (Reach::NotLocal.has(parsed), Reach::Everywhere.has(parsed));
            assert_eq!(found, (not_local, everywhere), "{address}");
        }
    }
}
