//! An HTTP/1.1 client for logs, witnesses and mirrors. It supports only `http`, for loopback and proxies.

use std::cell::RefCell;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

use crate::audit::LogSource;
use crate::error::Error;

/// The maximum size of a response, in bytes.
const MAX_ANSWER: usize = 32 * 1024 * 1024;
/// The time limit for a response.
const PATIENCE: Duration = Duration::from_secs(30);

/// A blocking client for a single server. It keeps its connection open.
pub struct Client {
    authority: String,
    prefix: String,
    runtime: Runtime,
    sender: RefCell<Option<SendRequest<Full<Bytes>>>>,
}

/// A server's response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The media type, or empty if there is none.
    pub media_type: String,
    /// The response body.
    pub body: Vec<u8>,
}

fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::store("asking a server")(error.into())
}

impl Client {
    /// Creates a client for a URL prefix, such as `http://127.0.0.1:8080/1`.
    ///
    /// # Errors
    /// Returns [`Error::Store`] if the URL's scheme is not `http`.
    pub fn new(url: &str) -> Result<Self, Error> {
        let rest = url.strip_prefix("http://").ok_or_else(|| failed("the URL must begin with http://"))?;
        let (authority, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if authority.is_empty() {
            return Err(failed("the URL has no host"));
        }
        // Colons inside the brackets of an IPv6 address do not begin a port.
        let has_port = authority.rsplit(']').next().is_some_and(|rest| rest.contains(':'));
        let authority = if has_port { authority.to_owned() } else { format!("{authority}:80") };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let prefix = prefix.trim_end_matches('/').to_owned();
        Ok(Self { authority, prefix, runtime, sender: RefCell::new(None) })
    }

    /// Gets a resource.
    ///
    /// # Errors
    /// Returns any network error.
    pub fn get(&self, path: &str) -> Result<Response, Error> {
        self.request(&Method::GET, path, &[])
    }

    /// Posts a body.
    ///
    /// # Errors
    /// Returns any network error.
    pub fn post(&self, path: &str, body: &[u8]) -> Result<Response, Error> {
        self.request(&Method::POST, path, body)
    }

    fn request(&self, method: &Method, path: &str, body: &[u8]) -> Result<Response, Error> {
        let slash = if self.prefix.is_empty() { "" } else { "/" };
        let uri = format!("/{}{slash}{path}", self.prefix);
        let work = async {
            // The server may have closed the kept connection in the meantime. In that case, it has not processed the request.
            let kept = self.sender.take();
            if let Some(mut sender) = kept.filter(|sender| !sender.is_closed())
                && let Ok(done) = self.send(&mut sender, method, &uri, body).await
            {
                self.sender.replace(Some(sender));
                return Ok(done);
            }
            let stream = TcpStream::connect(&self.authority).await.map_err(failed)?;
            let _ = stream.set_nodelay(true);
            let (mut sender, connection) = handshake(TokioIo::new(stream)).await.map_err(failed)?;
            tokio::spawn(connection);
            let done = self.send(&mut sender, method, &uri, body).await?;
            self.sender.replace(Some(sender));
            Ok(done)
        };
        self.runtime.block_on(async { tokio::time::timeout(PATIENCE, work).await.map_err(failed)? })
    }

    async fn send(
        &self,
        sender: &mut SendRequest<Full<Bytes>>,
        method: &Method,
        uri: &str,
        body: &[u8],
    ) -> Result<Response, Error> {
        sender.ready().await.map_err(failed)?;
        let request = Request::builder().method(method).uri(uri).header(HOST, &self.authority);
        let request = request.body(Full::new(Bytes::copy_from_slice(body))).map_err(failed)?;
        let response = sender.send_request(request).await.map_err(failed)?;
        let status = response.status().as_u16();
        let media_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media_type = media_type.to_owned();
        let body = Limited::new(response.into_body(), MAX_ANSWER).collect().await.map_err(failed)?;
        Ok(Response { status, media_type, body: body.to_bytes().to_vec() })
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Client(http://{}/{})", self.authority, self.prefix)
    }
}

impl LogSource for Client {
    fn get(&self, path: &str) -> Result<Vec<u8>, Error> {
        let response = Self::get(self, path)?;
        match response.status {
            200 => Ok(response.body),
            404 => Err(Error::Missing("resource on the server")),
            status => Err(failed(format!("{path}: the server answered with status {status}"))),
        }
    }
}
