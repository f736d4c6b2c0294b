//! Proxies of KDCs (MS-KKDCP), by Python's own HTTPS: the package needs no TLS of its own.

use std::io;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::krb5::client::net::{Https, MAX_ANSWER, MEDIA_TYPE};
use tagwise::krb5::conf::Config;

/// A client of HTTPS with the trust anchors that a configuration names for realms.
#[derive(Debug)]
pub(super) struct Web<'c>(&'c Config);

impl<'c> Web<'c> {
    pub(super) const fn new(config: &'c Config) -> Self {
        Self(config)
    }

    /// `http_anchors` of a realm, else of all.
    fn anchors(&self, realm: &str) -> Vec<&str> {
        let of_realm = self.0.texts(&["realms", realm, "http_anchors"]);
        if of_realm.is_empty() { self.0.texts(&["libdefaults", "http_anchors"]) } else { of_realm }
    }
}

impl Https for Web<'_> {
    fn post(&self, realm: &str, url: &str, body: &[u8], timeout: Duration) -> io::Result<Vec<u8>> {
        let answer = Python::try_attach(|py| {
            let post = py.import("tagwise.krb5._https")?.getattr("post")?;
            let anchors = self.anchors(realm);
            let body = PyBytes::new(py, body);
            let answer = post.call1((url, body, MEDIA_TYPE, timeout.as_secs_f64(), MAX_ANSWER, anchors))?;
            answer.extract::<Vec<u8>>()
        });
        answer.ok_or_else(|| io::Error::other("the interpreter is about to end"))?.map_err(io::Error::other)
    }
}
