//! Requests and responses, without connections.

use core::fmt;
use core::net::IpAddr;

use tagwise_ca::Documents;
use tagwise_pkix::UnixTime;

/// An HTTP request, after its body was read. `Debug` shows neither passwords nor the body.
#[derive(Clone, Copy, Default)]
pub struct Request<'a> {
    /// The method: `GET`, `POST` or another.
    pub method: &'a str,
    /// The path, such as `/.well-known/est/cacerts`.
    pub path: &'a str,
    /// The query without the question mark.
    pub query: Option<&'a str>,
    /// The header Content-Type.
    pub content_type: Option<&'a [u8]>,
    /// The header Authorization. Pass it only if the connection is encrypted.
    pub authorization: Option<&'a [u8]>,
    /// The client's certificate and chain in DER, after the TLS handshake has proven possession of the key. Empty if the
    /// client has none.
    pub chain: &'a [Vec<u8>],
    /// The channel binding of the TLS connection, such as `tls-unique` (RFC 5929) or `tls-exporter` (RFC 9266).
    pub binding: Option<&'a [u8]>,
    /// The client's address, or `None` if it is unknown. Failed authentications are counted by it.
    pub peer: Option<IpAddr>,
    /// The body, of at most [`Service::max_body`] bytes.
    pub body: &'a [u8],
}

impl Request<'_> {
    /// Returns whether the content has a media type, regardless of case and parameters (RFC 9110 §8.3.1).
    pub(crate) fn is(&self, media_type: &str) -> bool {
        let plain = self.content_type.and_then(|value| value.split(|octet| *octet == b';').next()).unwrap_or_default();
        plain.trim_ascii().eq_ignore_ascii_case(media_type.as_bytes())
    }
}

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Request");
        shown.field("method", &self.method).field("path", &self.path).field("len", &self.body.len());
        shown.finish_non_exhaustive()
    }
}

/// An HTTP response. `Debug` does not show the body, which may contain a private key.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The header Content-Type, or an empty string.
    pub content_type: &'static str,
    /// Other headers, with names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// An internal error for the operator, which is not sent.
    pub internal: Option<String>,
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Response");
        shown.field("status", &self.status).field("content_type", &self.content_type).field("len", &self.body.len());
        shown.field("internal", &self.internal).finish_non_exhaustive()
    }
}

impl Response {
    /// A response with a body.
    pub(crate) fn new(content_type: &'static str, body: Vec<u8>) -> Self {
        Self { status: 200, content_type, body, ..Self::default() }
    }

    /// A plain text response.
    pub(crate) fn text(status: u16, text: impl Into<String>) -> Self {
        let mut text = text.into();
        text.push('\n');
        Self { status, content_type: "text/plain; charset=utf-8", body: text.into_bytes(), ..Self::default() }
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// A callback that receives lines for the operator's log.
pub type Report = dyn Fn(&str) + Send + Sync;

/// A service that answers HTTP requests. All its state is in the CA's database, so that several servers can share it.
pub trait Service: Send + Sync {
    /// Answers a request, whatever it contains.
    fn answer(&self, store: &mut dyn Documents, request: &Request<'_>, now: UnixTime) -> Response;

    /// Does what is due without a request, such as revoking certificates whose confirmation is overdue. Call it about once a
    /// minute.
    ///
    /// # Errors
    /// Errors of the database.
    fn maintain(&self, _: &mut dyn Documents, _: UnixTime) -> Result<(), tagwise_ca::Error> {
        Ok(())
    }

    /// The number of certificates that the service has issued since it was created.
    fn issued(&self) -> u64 {
        0
    }

    /// Sets the callback for a line about each issued certificate, with its serial number and the client. Only the first is
    /// used.
    fn report_issued(&self, _: Box<Report>) {}

    /// The maximum size of a request body, in bytes. Longer bodies are answered with 413, and need not be read.
    fn max_body(&self) -> usize {
        64 * 1024
    }
}

/// The response to a body that is too long, if it is.
pub(crate) fn too_long(service: &dyn Service, request: &Request<'_>) -> Option<Response> {
    let most = service.max_body();
    (request.body.len() > most)
        .then(|| Response::text(413, format!("the body is too long, expected at most {most} bytes")))
}

/// The response to an unexpected method.
pub(crate) fn wrong_method(allowed: &'static str) -> Response {
    Response::text(405, format!("unexpected method, expected {allowed}")).header("allow", allowed)
}

/// The values of a query (RFC 3986 §3.4), with percent-encoding removed. Values in forms may encode a space as a plus sign,
/// but those here are base64, where the plus sign stands for itself.
pub(crate) fn query(text: &str) -> impl Iterator<Item = (&str, Vec<u8>)> {
    text.split('&').filter_map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Some((name, percent_decoded(value)?))
    })
}

fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(octet) = rest.next() {
        if octet != b'%' {
            octets.push(octet);
            continue;
        }
        let digit = |octet: Option<u8>| octet.and_then(|octet| char::from(octet).to_digit(16));
        let value = digit(rest.next())? << 4 | digit(rest.next())?;
        octets.push(u8::try_from(value).ok()?);
    }
    Some(octets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded() {
        let found: Vec<_> = query("operation=PKIOperation&message=MIA%2B+%3D&x").collect();
        assert_eq!(
            found,
            [("operation", b"PKIOperation".to_vec()), ("message", b"MIA++=".to_vec()), ("x", Vec::new())]
        );
        assert_eq!(query("a=%4&b=%zz&c=%").count(), 0);
    }

    #[test]
    fn secrets_are_not_shown() {
        let (authorization, body) = (Some(&b"Basic c2VjcmV0"[..]), &b"secret"[..]);
        let request = format!("{:?}", Request { authorization, body, ..Request::default() });
        let response = format!("{:?}", Response { body: b"secret".to_vec(), ..Response::default() });
        // As text or as bytes.
        assert!(!request.contains("secret") && !request.contains("115"), "{request}");
        assert!(!response.contains("secret") && !response.contains("115"), "{response}");
    }

    #[test]
    fn media_types_ignore_case_and_parameters() {
        let request = Request { content_type: Some(b"Application/PKCS10 ; charset=x"), ..Request::default() };
        assert!(request.is("application/pkcs10"));
        assert!(!request.is("application/pkcs7-mime"));
        assert!(!Request::default().is("application/pkcs10"));
    }
}
