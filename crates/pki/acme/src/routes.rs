//! The resources and their methods (RFC 8555 §7.1).

use crate::order::Form;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::service::Call;

/// A request, after its body was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// `GET`, `HEAD`, `POST` or another method.
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) content_type: Option<&'a [u8]>,
    /// The media types that the client accepts.
    pub(crate) accept: Option<&'a [u8]>,
    pub(crate) body: &'a [u8],
}

/// Media types are compared without case, and may have parameters (RFC 9110 §8.3.1).
fn is_jose(value: Option<&[u8]>) -> bool {
    let plain = value.and_then(|value| value.split(|octet| *octet == b';').next()).unwrap_or_default();
    plain.trim_ascii().eq_ignore_ascii_case(b"application/jose+json")
}

impl Call<'_> {
    /// Answers a request, whatever it is.
    pub(crate) fn answer(&mut self, asked: Asked<'_>) -> Reply {
        let path = self.acme.path(asked.path).to_owned();
        let mut reply = self.route(&path, asked).unwrap_or_else(Reply::from);
        // RFC 8555 §6.5: also with errors.
        if asked.method == "POST" || path == "new-nonce" {
            match self.nonce() {
                Ok(nonce) => reply = reply.header("replay-nonce", nonce),
                Err(problem) if reply.status < 400 => reply = problem.into(),
                Err(_) => {}
            }
        }
        // RFC 9110 §15.5.6.
        if reply.status == 405 {
            let is_read =
                matches!(path.split('/').next(), Some("directory" | "new-nonce" | "renewal-info" | "health" | ""));
            reply = reply.header("allow", if is_read { "GET, HEAD" } else { "POST" });
        }
        // RFC 8555 §7.1.
        if path != "directory" {
            reply = reply.header("link", format!("<{}>;rel=\"index\"", self.acme.directory_url()));
        }
        if reply.headers.iter().any(|(name, _)| *name == "cache-control") {
            reply
        } else {
            reply.header("cache-control", "no-store")
        }
    }

    fn route(&mut self, path: &str, asked: Asked<'_>) -> Result<Reply, Problem> {
        let parts: Vec<&str> = path.split('/').collect();
        let is_read = matches!(asked.method, "GET" | "HEAD");
        let body = asked.body;
        if is_read {
            return match parts.as_slice() {
                ["directory"] => Ok(self.directory()),
                ["new-nonce"] => Ok(Reply::empty(if asked.method == "HEAD" { 200 } else { 204 })),
                ["renewal-info", id] => self.renewal_info(id),
                [""] | ["health"] => Ok(Reply::new(
                    "text/plain; charset=utf-8",
                    b"An ACME server (RFC 8555); see /directory.\n".to_vec(),
                )),
                // RFC 8555 §6.3.
                ["account" | "order" | "authorization" | "challenge" | "certificate", ..]
                | ["new-account" | "new-order" | "new-authorization" | "key-change" | "revoke-certificate"] => {
                    Err(Problem::malformed("expected POST (RFC 8555 §6.3)").with_status(405))
                }
                _ => Err(Problem::not_found("resource")),
            };
        }
        if asked.method != "POST" {
            return Err(Problem::malformed("expected GET, HEAD or POST").with_status(405));
        }
        if !is_jose(asked.content_type) {
            return Err(
                Problem::malformed("expected the content type application/jose+json (RFC 8555 §6.2)").with_status(415)
            );
        }
        match parts.as_slice() {
            ["new-account"] => self.new_account(body),
            ["account", id] => self.change_account(path, id, body),
            ["account", id, "orders"] => self.orders(path, id, "", body),
            ["account", id, "orders", after] => self.orders(path, id, after, body),
            ["key-change"] => self.key_change(body),
            ["new-order"] => self.new_order(body),
            ["order", id] => self.order(path, id, body),
            ["order", id, "finalize"] => self.finalize(path, id, body),
            ["certificate", serial] => self.certificate(path, serial, Form::Ordered, asked.accept, body),
            ["certificate", serial, "landmark"] => self.certificate(path, serial, Form::Landmark, asked.accept, body),
            ["certificate", serial, chain] => {
                let chain = chain.parse().map_err(|_| Problem::not_found("certificate"))?;
                self.certificate(path, serial, Form::Chain(chain), asked.accept, body)
            }
            ["new-authorization"] => self.new_authorization(body),
            ["authorization", id] => self.authorization(path, id, body),
            ["challenge", id, index] => {
                let index = index.parse().map_err(|_| Problem::not_found("challenge"))?;
                self.challenge(path, id, index, body)
            }
            ["revoke-certificate"] => self.revoke(body),
            ["directory" | "new-nonce"] => Err(Problem::malformed("expected GET or HEAD").with_status(405)),
            _ => Err(Problem::not_found("resource")),
        }
    }
}
