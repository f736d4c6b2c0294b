//! Evidence as values: CRLs and OCSP responses in DER, wherever they came from.

use std::sync::Arc;

/// Fetched or stapled CRLs and OCSP responses. Cloning shares their octets.
///
/// ```
/// use tagwise_path::Evidence;
/// let mut evidence = Evidence::default();
/// evidence.add_ocsp(vec![0x30, 0x00]);
/// assert!(evidence.crls().next().is_none() && evidence.ocsp_responses().next().is_some());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    crls: Vec<Arc<[u8]>>,
    ocsp: Vec<Arc<[u8]>>,
}

impl Evidence {
    /// Adds a CRL in DER.
    pub fn add_crl(&mut self, der: impl Into<Arc<[u8]>>) {
        self.crls.push(der.into());
    }

    /// Adds an OCSP response in DER.
    pub fn add_ocsp(&mut self, der: impl Into<Arc<[u8]>>) {
        self.ocsp.push(der.into());
    }

    /// The CRLs.
    pub fn crls(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.crls.iter().map(|der| &**der)
    }

    /// The OCSP responses.
    pub fn ocsp_responses(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.ocsp.iter().map(|der| &**der)
    }

    /// Returns whether there is no evidence.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.crls.is_empty() && self.ocsp.is_empty()
    }
}
