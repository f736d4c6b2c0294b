//! Merkle Tree Certificates (draft-ietf-plants-merkle-tree-certs-07), which a CA with a log issues under profiles of their
//! own. An order of such a profile receives the standalone certificate, and may fetch the one that is relative to a landmark
//! later (§9).

use tagwise_ca::store::CertificateRecord;
use tagwise_ca::{LogCertificate, Serial};
use tagwise_codec::pem;
use tagwise_mtc::PROPERTIES_LABEL;
use tagwise_pkix::oids::files::label;

use crate::problem::Problem;
use crate::profile::ENDING;
use crate::reply::Reply;
use crate::service::Call;

/// The media type of chains that begin with properties (draft-ietf-tls-trust-anchor-ids-06 §8).
const WITH_PROPERTIES: &str = "application/pem-certificate-chain-with-properties";

/// Returns whether a client accepts chains with properties.
fn accepts_properties(accept: Option<&[u8]>) -> bool {
    let mut list = accept.unwrap_or_default().split(|octet| *octet == b',');
    list.any(|range| {
        let name = range.split(|octet| *octet == b';').next().unwrap_or_default();
        name.trim_ascii().eq_ignore_ascii_case(WITH_PROPERTIES.as_bytes())
    })
}

impl Call<'_> {
    /// Returns whether orders of a profile receive Merkle Tree Certificates.
    pub(crate) fn is_mtc(&self, profile: &str) -> bool {
        self.acme.authority.log().is_some() && profile.ends_with(ENDING)
    }

    /// Returns the Merkle Tree Certificate of an order, in one of its forms. The form that is relative to a landmark may not
    /// exist yet.
    pub(crate) fn log_certificate(
        &self,
        serial: &Serial,
        is_relative: bool,
        accept: Option<&[u8]>,
    ) -> Result<Reply, Problem> {
        let log = self.acme.authority.log().ok_or_else(|| Problem::internal("the CA has no log any more"))?;
        let url = self.acme.to_url(&format!("certificate/{serial}/landmark"));
        let link = format!("<{url}>;rel=\"acme-optional-alternate\"");
        let found = if is_relative { log.landmark_relative(serial, self.now)? } else { log.standalone(serial)? };
        match found {
            Some(one) if is_relative => chain(&one, log.anchor(), accept),
            Some(one) => Ok(chain(&one, log.anchor(), accept)?.header("link", link)),
            None if is_relative => {
                let seconds = log.landmark_interval().as_secs();
                Ok(Reply::empty(202).header("retry-after", seconds.to_string()))
            }
            None => Err(Problem::internal(format!("the certificate {serial} is not logged"))),
        }
    }

    /// The record of a Merkle Tree Certificate, given in any form.
    pub(crate) fn logged(&mut self, certificate: &[u8]) -> Result<Option<CertificateRecord>, Problem> {
        let authority = &self.acme.authority;
        let serial = authority.log().map_or(Ok(None), |log| log.serial_of(certificate))?;
        let Some(serial) = serial else { return Ok(None) };
        Ok(self.store.certificate(authority.id(), &serial)?)
    }
}

/// A chain in PEM. With properties, it ends below the trust anchor. Otherwise, it contains the anchor's certificate as other
/// chains of the server do, because some clients reject chains with one certificate.
fn chain(one: &LogCertificate, anchor: &[u8], accept: Option<&[u8]>) -> Result<Reply, Problem> {
    let (kind, blocks) = if accepts_properties(accept) {
        (WITH_PROPERTIES, [(PROPERTIES_LABEL, one.properties.as_slice()), (label::CERTIFICATE, &one.der)])
    } else {
        ("application/pem-certificate-chain", [(label::CERTIFICATE, one.der.as_slice()), (label::CERTIFICATE, anchor)])
    };
    let mut text = String::new();
    for (label, der) in blocks {
        text += &pem::encode(label, der).map_err(Problem::internal)?;
    }
    Ok(Reply::new(kind, text.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_for_clients_that_name_their_type() {
        for (accept, expected) in [
            (None, false),
            (Some("*/*"), false),
            (Some("application/pem-certificate-chain"), false),
            (Some("application/pem-certificate-chain-with-properties"), true),
            (Some("text/plain, Application/PEM-certificate-chain-with-properties;q=0.5"), true),
        ] {
            assert_eq!(accepts_properties(accept.map(str::as_bytes)), expected, "{accept:?}");
        }
    }
}
