//! One adapter a library. Each is a cargo feature, so that any set of peers can be built.

use crate::peer::Peer;

#[cfg(feature = "peer-asn1")]
mod asn1;
#[cfg(feature = "peer-der")]
mod der;
#[cfg(feature = "peer-rasn")]
mod rasn;
#[cfg(feature = "peer-synta")]
mod synta;
#[cfg(feature = "peer-tagwise")]
mod tagwise;
#[cfg(feature = "peer-webpki")]
mod webpki;
#[cfg(feature = "peer-x509-cert")]
mod x509_cert;
#[cfg(feature = "peer-x509-parser")]
mod x509_parser;

/// The libraries that this build holds, Tagwise first and then the one that ratios refer to.
#[must_use]
pub fn all() -> Vec<Box<dyn Peer>> {
    vec![
        #[cfg(feature = "peer-tagwise")]
        Box::new(tagwise::Tagwise),
        #[cfg(feature = "peer-synta")]
        Box::new(synta::Synta),
        #[cfg(feature = "peer-asn1")]
        Box::new(asn1::Asn1),
        #[cfg(feature = "peer-der")]
        Box::new(der::Der),
        #[cfg(feature = "peer-x509-cert")]
        Box::new(x509_cert::X509Cert),
        #[cfg(feature = "peer-x509-parser")]
        Box::new(x509_parser::X509Parser),
        #[cfg(feature = "peer-rasn")]
        Box::new(rasn::Rasn),
        #[cfg(feature = "peer-webpki")]
        Box::new(webpki::Webpki),
    ]
}

/// The library that ratios refer to.
pub const BASE: &str = "synta";

#[cfg(test)]
mod tests;
