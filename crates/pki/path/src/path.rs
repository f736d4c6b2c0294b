//! A valid path and its valid policies.

use core::fmt;

use tagwise_codec::OidBuf;
use tagwise_pkix::CertificateBuf;

use crate::anchors::Anchor;
use crate::report::{self, Explanation};

/// A valid path, with everything that was checked and assumed. `Display` shows it as text, and [`Path::to_json`] returns
/// the same information as JSON.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Path {
    /// The certificates from the end-entity certificate up, without the anchor.
    pub certificates: Vec<CertificateBuf>,
    /// The trust anchor at which the path ends.
    pub anchor: Anchor,
    /// The requested policies for which the path is valid (user-constrained-policy-set), or `None` for any policy.
    pub policies: Option<Vec<OidBuf>>,
    /// The checks, the assumptions, and the previously rejected candidates.
    pub explanation: Explanation,
}

impl Path {
    /// Returns the path as JSON, in the format of [`Report::to_json`](crate::Report::to_json), with `certificates`,
    /// `anchor` and `policies`.
    #[must_use]
    pub fn to_json(&self) -> String {
        report::path_json(self)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        report::path_text(self, f)
    }
}
