//! Revocation evidence: CRLs and OCSP responses in DER, each decoded and indexed once, on first use.

use std::sync::Arc;

use tagwise_codec::RuleSet as Tolerated;

use super::list::Crl;
use super::response::Ocsp;

/// Revocation evidence: fetched or stapled CRLs and OCSP responses. Clones share the bytes and indexes.
///
/// ```
/// use tagwise_path::Evidence;
/// let mut evidence = Evidence::default();
/// evidence.add_ocsp(vec![0x30, 0x00]);
/// assert!(evidence.crls().next().is_none() && evidence.ocsp_responses().next().is_some());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    crls: Vec<Arc<Crl>>,
    ocsp: Vec<Arc<Ocsp>>,
    /// The decoding rules that CRLs and OCSP responses added from now on may violate.
    tolerated: Tolerated,
}

impl Evidence {
    /// Tolerates violations of these decoding rules in CRLs and OCSP responses added after this call, in addition to those that RFC
    /// 5280 requires relying parties to accept.
    ///
    /// ```
    /// use tagwise_codec::{Rule, RuleSet};
    /// use tagwise_path::Evidence;
    /// let mut evidence = Evidence::default();
    /// evidence.tolerate(RuleSet::NONE.with(&Rule::DEFAULT_ENCODED));
    /// evidence.add_crl(vec![0x30, 0x00]);
    /// ```
    pub const fn tolerate(&mut self, rules: Tolerated) {
        self.tolerated = rules;
    }

    /// Adds a CRL in DER: complete or delta, direct or indirect. It is decoded, checked and indexed when first needed, and
    /// clones share the result.
    pub fn add_crl(&mut self, der: impl Into<Arc<[u8]>>) {
        self.crls.push(Arc::new(Crl::new(der.into(), self.tolerated)));
    }

    /// Adds an OCSP response in DER, fetched or stapled. Its nonce is ignored.
    pub fn add_ocsp(&mut self, der: impl Into<Arc<[u8]>>) {
        self.ocsp.push(Arc::new(Ocsp::new(der.into(), None, self.tolerated)));
    }

    /// Adds an OCSP response in DER that must repeat the request's nonce (RFC 9654). RFC 5019 responders do not repeat nonces.
    /// Add their responses with [`Evidence::add_ocsp`], which relies on their times.
    ///
    /// ```
    /// use tagwise_path::Evidence;
    /// let mut evidence = Evidence::default();
    /// evidence.add_ocsp_with_nonce(vec![0x30, 0x00], vec![7; 32]);
    /// assert!(!evidence.is_empty());
    /// ```
    pub fn add_ocsp_with_nonce(&mut self, der: impl Into<Arc<[u8]>>, nonce: impl Into<Box<[u8]>>) {
        self.ocsp.push(Arc::new(Ocsp::new(der.into(), Some(nonce.into()), self.tolerated)));
    }

    /// Iterates over the added CRLs.
    pub fn crls(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.crls.iter().map(|crl| crl.der())
    }

    /// Iterates over the added OCSP responses.
    pub fn ocsp_responses(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.ocsp.iter().map(|response| response.der())
    }

    /// Returns whether there are no CRLs and no OCSP responses.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.crls.is_empty() && self.ocsp.is_empty()
    }

    pub(super) fn lists(&self) -> &[Arc<Crl>] {
        &self.crls
    }

    pub(crate) fn responses(&self) -> &[Arc<Ocsp>] {
        &self.ocsp
    }
}
