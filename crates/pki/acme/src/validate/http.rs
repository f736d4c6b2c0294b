//! `http-01` (RFC 8555 §8.3).

use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{ACCEPT, CONNECTION, HOST, LOCATION, USER_AGENT};
use hyper::{Request, Response, Uri};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};

use super::Validator;
use super::connect::connect;
use crate::authorization::Attempt;
use crate::problem::{Identifier, Kind, Problem};

/// The maximum number of redirects.
const REDIRECTS: usize = 10;

/// The maximum size of a response's body, and of its head.
const BODY: usize = 8 * 1024;
const HEAD: usize = 16 * 1024;

/// The maximum length of a redirect's URL.
const URL: usize = 2000;

/// A place to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Target {
    tls: bool,
    /// The host: a DNS name or an IP address without brackets.
    host: Identifier,
    port: u16,
    /// The path with the query.
    path: String,
}

fn connection(what: impl std::fmt::Display) -> Problem {
    Problem::new(Kind::Connection, what.to_string())
}

impl Target {
    /// The value of the header Host.
    fn authority(&self) -> String {
        let host =
            if self.host.value.contains(':') { format!("[{}]", self.host.value) } else { self.host.value.clone() };
        let usual = if self.tls { 443 } else { 80 };
        if self.port == usual { host } else { format!("{host}:{}", self.port) }
    }

    /// The target of a redirect.
    fn redirected(&self, location: &str) -> Result<Self, Problem> {
        let wrong = |what: &str| connection(format!("the redirect {what}"));
        if location.len() > URL {
            return Err(wrong("is too long"));
        }
        let location = location.split('#').next().unwrap_or_default();
        let scheme = if self.tls { "https:" } else { "http:" };
        let absolute = if location.starts_with("//") {
            format!("{scheme}{location}")
        } else if location.starts_with('/') {
            format!("{scheme}//{}{location}", self.authority())
        } else if location.contains("://") {
            location.to_owned()
        } else {
            return Err(wrong("is neither an absolute URL nor an absolute path"));
        };
        let uri: Uri = absolute.parse().map_err(|_| wrong("is not a URL"))?;
        let tls = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(wrong("is neither to http nor to https")),
        };
        let authority = uri.authority().ok_or_else(|| wrong("has no host"))?;
        if authority.as_str().contains('@') {
            return Err(wrong("contains a user name"));
        }
        let name = authority.host().trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let is_address = name.parse::<std::net::IpAddr>().is_ok();
        if !is_address && tagwise_ca::AltName::dns(&name).is_err() || name.starts_with('*') {
            return Err(wrong("has an invalid host"));
        }
        let host = Identifier { kind: if is_address { "ip" } else { "dns" }.to_owned(), value: name };
        let port = authority.port_u16().unwrap_or(if tls { 443 } else { 80 });
        let path = uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        Ok(Self { tls, host, port, path })
    }
}

/// The part of an answer that matters.
enum Answer {
    Body(Vec<u8>),
    Redirect(String),
}

/// Sends a request and reads the answer.
async fn ask(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, target: &Target) -> Result<Answer, Problem> {
    let (mut sender, driver) =
        http1::Builder::new().max_buf_size(HEAD).handshake(TokioIo::new(stream)).await.map_err(connection)?;
    let driver = tokio::spawn(driver);
    let request = Request::get(target.path.as_str())
        .header(HOST, target.authority())
        .header(USER_AGENT, "tagwise-acme")
        .header(ACCEPT, "*/*")
        .header(CONNECTION, "close")
        .body(Empty::<Bytes>::new())
        .map_err(connection)?;
    let answer = async {
        let response = sender.send_request(request).await.map_err(connection)?;
        read(response).await
    };
    let answer = answer.await;
    driver.abort();
    answer
}

async fn read(response: Response<hyper::body::Incoming>) -> Result<Answer, Problem> {
    match response.status().as_u16() {
        200 => {
            let body = Limited::new(response.into_body(), BODY).collect().await;
            let body = body.map_err(|error| connection(format!("the body of the answer: {error}")))?;
            Ok(Answer::Body(body.to_bytes().to_vec()))
        }
        301 | 302 | 303 | 307 | 308 => {
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            location
                .map(|text| Answer::Redirect(text.to_owned()))
                .ok_or_else(|| connection("the redirect has no Location"))
        }
        other => {
            let what = format!("the web server answered with status {other}, expected 200 (RFC 8555 §8.3)");
            Err(Problem::new(Kind::IncorrectResponse, what))
        }
    }
}

impl Validator {
    /// Validates `http-01`: a file with the key authorization.
    pub(super) async fn http(&self, attempt: &Attempt) -> Result<(), Problem> {
        let path = format!("/.well-known/acme-challenge/{}", attempt.token);
        let host = attempt.identifier.clone();
        let mut target = Target { tls: false, host, port: self.policy.http_port, path };
        for _ in 0..=REDIRECTS {
            match self.fetch(&target).await? {
                Answer::Body(body) if body.trim_ascii_end() == attempt.key_authorization.as_bytes() => return Ok(()),
                Answer::Body(_) => {
                    let what =
                        format!("the file at {} is not the key authorization (RFC 8555 §8.3)", target.host.value);
                    return Err(Problem::new(Kind::IncorrectResponse, what));
                }
                Answer::Redirect(location) => target = target.redirected(&location)?,
            }
        }
        Err(connection(format!("the web server redirected more than {REDIRECTS} times")))
    }

    async fn fetch(&self, target: &Target) -> Result<Answer, Problem> {
        let port = if target.tls { self.policy.tls_port } else { self.policy.http_port };
        if target.port != port {
            return Err(connection(format!("the redirect is to port {}, expected {port}", target.port)));
        }
        let addresses = self.addresses(&target.host).await?;
        let stream = connect(&addresses, target.port).await?;
        if !target.tls {
            return ask(stream, target).await;
        }
        ask(self.tls.any(stream, &target.host).await?, target).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_are_resolved() {
        let host = Identifier { kind: "dns".to_owned(), value: "www.example.org".to_owned() };
        let from = Target { tls: false, host, port: 80, path: "/.well-known/acme-challenge/t".to_owned() };
        for (location, tls, host, port, path) in [
            ("/a?b#c", false, "www.example.org", 80, "/a?b"),
            ("//Other.example.org/x", false, "other.example.org", 80, "/x"),
            ("https://example.org", true, "example.org", 443, "/"),
            ("http://example.org:8080/", false, "example.org", 8080, "/"),
            ("http://[2001:db8::1]/", false, "2001:db8::1", 80, "/"),
        ] {
            let to = from.redirected(location).unwrap();
            assert_eq!((to.tls, to.host.value.as_str(), to.port, to.path.as_str()), (tls, host, port, path));
        }
        for location in [
            "",
            "x",
            "ftp://example.org/",
            "http://user@example.org/",
            "http:///x",
            "gopher://x",
            "http://a_b/",
            "http://127.1/",
        ] {
            assert!(from.redirected(location).is_err(), "{location}");
        }
    }
}
