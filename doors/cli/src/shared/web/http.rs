//! A client of HTTP/1.1, limited in the number of requests, their time, the size of answers, and the addresses.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1::handshake;
use hyper::header::{CONNECTION, CONTENT_TYPE, HOST, USER_AGENT};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use tagwise_pkix::name::visible;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

use super::url::Url;
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
    deadline: Instant,
    reach: Reach,
    requests_left: u32,
    left: usize,
}

impl Web {
    /// Creates a client. `timeout` is for each request.
    ///
    /// # Errors
    /// Returns an error if the system does not offer what is needed for network connections.
    pub(crate) fn new(timeout: Duration, reach: Reach) -> Result<Self, Failure> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let deadline = Instant::now() + timeout * TIMES;
        Ok(Self { runtime, timeout, deadline, reach, requests_left: REQUESTS, left: TOTAL })
    }

    /// Gets a resource, or posts a body of a media type. The answer must have the status 200.
    ///
    /// # Errors
    /// Returns the reason why there is no answer.
    pub(crate) fn request(&mut self, url: &str, body: Option<(&str, &[u8])>) -> Result<Vec<u8>, String> {
        let url = Url::parse(url)?;
        self.requests_left =
            self.requests_left.checked_sub(1).ok_or_else(|| format!("more than {REQUESTS} requests"))?;
        let left = self.deadline.saturating_duration_since(Instant::now()).min(self.timeout);
        if left.is_zero() {
            return Err("the time for all requests was used up".to_owned());
        }
        let most = LARGEST.min(self.left);
        let work = exchange(&url, body, self.reach, most);
        let done = self.runtime.block_on(async { tokio::time::timeout(left, work).await });
        let answer = done.unwrap_or_else(|_elapsed| Err("the server exceeded the time set by --timeout".to_owned()))?;
        self.left = self.left.saturating_sub(answer.len());
        Ok(answer)
    }
}

async fn exchange(url: &Url, body: Option<(&str, &[u8])>, reach: Reach, most: usize) -> Result<Vec<u8>, String> {
    let failed = |error: hyper::Error| visible(&error).to_string();
    let stream = connect(url, reach).await?;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await.map_err(failed)?;
    tokio::spawn(connection);
    let mut request = Request::builder()
        .uri(&url.path)
        .header(HOST, &url.authority)
        .header(USER_AGENT, concat!("tagwise/", env!("CARGO_PKG_VERSION")))
        .header(CONNECTION, "close");
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
    if status != StatusCode::OK {
        return Err(format!("the server answered with status {}", status.as_u16()));
    }
    let body = Limited::new(answer.into_body(), most).collect().await;
    match body {
        Ok(body) => Ok(body.to_bytes().to_vec()),
        Err(error) if error.is::<LengthLimitError>() => Err(format!("the answer has more than {most} bytes")),
        Err(error) => Err(visible(&error).to_string()),
    }
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
