//! Channel bindings (RFC 2744 §3.11) and their hash (RFC 4121 §4.1.1.2).

use tagwise_crypto::{Error, Primitives};

use crate::crypto::ChecksumType;

/// An address in channel bindings: its type (RFC 2744, appendix A) and bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// The address type. 0 means unspecified.
    pub kind: u32,
    /// The bytes.
    pub octets: Vec<u8>,
}

/// A description of the underlying channel, on which both sides must agree.
///
/// Addresses are rarely used because networks translate them. For TLS, `application` is the binding's name, a colon,
/// and its bytes, such as `tls-server-end-point:` and the certificate's hash (RFC 5929, RFC 5056).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChannelBindings {
    /// The initiator's address.
    pub initiator: Address,
    /// The acceptor's address.
    pub acceptor: Address,
    /// The application data.
    pub application: Vec<u8>,
}

impl ChannelBindings {
    /// Creates bindings with only application data.
    #[must_use]
    pub fn application(data: impl Into<Vec<u8>>) -> Self {
        Self { application: data.into(), ..Self::default() }
    }

    /// Computes the MD5 hash of the bindings, with numbers in little-endian order.
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
