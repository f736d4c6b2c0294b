//! Certificates. Reading a certificate requires one allocation, and accessing its fields none.

use tagwise::codec::Tag;
use tagwise::pkix::{Certificate, Name};

use crate::held::Held;
use crate::slices::{after, around, part};

/// A certificate (RFC 5280 section 4.1) with a copy of its encoding. Values returned by its functions are borrowed from it,
/// except for buffers. Immutable: threads may share it.
#[cfg_attr(all(), repr(transparent))]
pub struct tagwise_certificate(pub(crate) Held<CertificateFamily>);

held!(tagwise_certificate, CertificateFamily, Certificate);

impl tagwise_certificate {
    pub(crate) fn value(&self) -> &Certificate<'_> {
        self.0.parsed()
    }

    fn tbs(&self, index: usize) -> Option<&[u8]> {
        part(self.value().tbs_certificate.as_bytes(), Some(Tag::context(0)), index)
    }

    /// Returns the original encoding of a name. `index` is the name's position among the components of the to-be-signed
    /// certificate.
    pub(crate) fn name(&self, name: Name<'_>, index: usize) -> Option<&[u8]> {
        let found = name.0.content().and_then(|content| around(self.0.der(), content));
        found.or_else(|| self.tbs(index))
    }

    pub(crate) fn public_key(&self) -> Option<&[u8]> {
        let subject = self.value().subject();
        let found = subject.0.content().and_then(|subject| after(self.0.der(), subject));
        found.or_else(|| self.tbs(5))
    }

    pub(crate) fn signature_algorithm(&self) -> Option<&[u8]> {
        after(self.0.der(), self.value().tbs_certificate.as_bytes())
    }
}
