//! KDC proxies (MS-KKDCP), with Python's HTTPS, so that the package does not need its own TLS.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tagwise::krb5::client::net::{MAX_ANSWER, MEDIA_TYPE};
use tagwise::krb5::conf::Config;

use super::reach::Post;

/// Returns the `http_anchors` of a realm, or else the general ones.
fn anchors<'c>(config: &'c Config, realm: &str) -> Vec<&'c str> {
    let of_realm = config.texts(&["realms", realm, "http_anchors"]);
    if of_realm.is_empty() { config.texts(&["libdefaults", "http_anchors"]) } else { of_realm }
}

/// Sends a request to a proxy, with the trust anchors configured for the realm.
pub(super) fn post(py: Python<'_>, config: &Config, request: &Post) -> PyResult<Vec<u8>> {
    let post = py.import("tagwise.krb5._https")?.getattr("post")?;
    let (body, timeout) = (PyBytes::new(py, &request.body), request.timeout.as_secs_f64());
    let anchors = anchors(config, &request.realm);
    post.call1((&request.url, body, MEDIA_TYPE, timeout, MAX_ANSWER, anchors))?.extract()
}
