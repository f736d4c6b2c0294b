//! Certification requests (PKCS #10).

use tagwise::codec::{Reader, Tag};
use tagwise::pkix::csr::CertificationRequest;

use crate::held::Held;
use crate::slices::part;

/// A certification request (RFC 2986) with a copy of its encoding. Values returned by its functions are borrowed from it,
/// except for buffers. Immutable: threads may share it.
#[cfg_attr(all(), repr(transparent))]
pub struct tagwise_request(pub(crate) Held<RequestFamily>);

held!(tagwise_request, RequestFamily, CertificationRequest);

impl tagwise_request {
    pub(crate) fn value(&self) -> &CertificationRequest<'_> {
        self.0.parsed()
    }

    /// Returns the component of the signed part at the given index.
    pub(crate) fn part(&self, index: usize) -> Option<&[u8]> {
        part(self.value().certification_request_info.as_bytes(), None, index)
    }

    pub(crate) fn attributes(&self) -> Option<&[u8]> {
        let mut reader = Reader::new(self.part(3)?).ok()?;
        let len = reader.expect(Tag::context(0).constructed()).ok()?;
        reader.take(len).ok()
    }

    pub(crate) fn signature_algorithm(&self) -> Option<&[u8]> {
        part(self.0.der(), None, 1)
    }
}
