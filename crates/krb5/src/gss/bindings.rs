//! Channel bindings (RFC 2744 §3.11) and their hash (RFC 4121 §4.1.1.2).

use tagwise_crypto::{Error, Primitives};

use crate::crypto::ChecksumType;

/// An address of channel bindings: its type (RFC 2744, appendix A) and bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// The type; 0 is unspecified.
    pub kind: u32,
    /// The bytes.
    pub octets: Vec<u8>,
}

/// A description of the channel below a context, which both sides have to agree on.
///
/// Addresses are seldom given: networks change them. With TLS, `application` is the name of the binding, a colon and its bytes, as in
/// `tls-server-end-point:` and the hash of the certificate (RFC 5929, RFC 5056).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChannelBindings {
    /// The initiator's address.
    pub initiator: Address,
    /// The acceptor's address.
    pub acceptor: Address,
    /// The application's data.
    pub application: Vec<u8>,
}

impl ChannelBindings {
    /// Bindings of an application's data alone.
    #[must_use]
    pub fn application(data: impl Into<Vec<u8>>) -> Self {
        Self { application: data.into(), ..Self::default() }
    }

    /// The MD5 of the bindings, with numbers in little-endian order.
    pub(super) fn hash(&self, backend: &dyn Primitives) -> Result<Vec<u8>, Error> {
        let len = |octets: &[u8]| (octets.len() as u32).to_le_bytes();
        let mut text = Vec::new();
        for address in [&self.initiator, &self.acceptor] {
            text.extend(address.kind.to_le_bytes());
            text.extend(len(&address.octets));
            text.extend(&address.octets);
        }
        text.extend(len(&self.application));
        text.extend(&self.application);
        ChecksumType::RsaMd5.unkeyed(backend, &text)
    }
}
