//! Certificate Transparency logs: their keys, and connections to them.

use std::time::Duration;

use tagwise_codec::text::base64;
use tagwise_codec::{Decode, pem};
use tagwise_pkix::SubjectPublicKeyInfo;

use crate::shared::context::Context;
use crate::shared::output::Failure;
use crate::shared::trust::Origin;
use crate::shared::web::{Reach, Tls, Web};

/// Reads a log's public key: a SubjectPublicKeyInfo in PEM, DER, or base64 as in log lists.
///
/// # Errors
/// Returns the reason why it is not one.
pub(crate) fn log_key(octets: &[u8]) -> Result<Vec<u8>, String> {
    let der = match octets.first() {
        Some(0x30) => octets.to_vec(),
        _ if octets.starts_with(b"-----") => {
            let block = pem::blocks(octets).next().ok_or("not a public key: no PEM block")?;
            block.and_then(|block| block.decode()).map_err(|error| format!("not a public key: {error}"))?
        }
        _ => base64::decode_wrapped(octets.trim_ascii()).map_err(|error| format!("not a public key: {error}"))?,
    };
    SubjectPublicKeyInfo::from_der(&der).map_err(|error| format!("not a public key: {error}"))?;
    Ok(der)
}

/// Creates a client for logs that the user chose. The anchors for servers are read only if a URL is `https`.
///
/// # Errors
/// Returns an error if the anchors cannot be read.
pub(crate) fn web<'u>(
    context: &Context,
    mut urls: impl Iterator<Item = &'u str>,
    trust: &[Origin],
    timeout: Duration,
) -> Result<Web, Failure> {
    let web = Web::new(timeout, Reach::Everywhere)?.unlimited();
    let is_tls = |url: &str| url.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"));
    if !urls.any(is_tls) {
        return Ok(web);
    }
    let system = [Origin::System];
    let trust = if trust.is_empty() { system.as_slice() } else { trust };
    Ok(web.trusting(Tls::new(context, trust)?))
}
