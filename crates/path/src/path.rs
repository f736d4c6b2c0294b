//! A valid path, and what it is valid for.

use tagwise_pkix::CertificateBuf;

use crate::anchors::Anchor;
use crate::oid::OidBuf;
use crate::report::Explanation;

/// A valid path.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Path {
    /// The certificates, the end certificate first, the anchor not included.
    pub certificates: Vec<CertificateBuf>,
    /// The anchor.
    pub anchor: Anchor,
    /// The policies that the path is valid for, of those that were asked for (user-constrained-policy-set); `None` for any policy.
    pub policies: Option<Vec<OidBuf>>,
    /// What was checked, what was assumed, what was rejected before.
    pub explanation: Explanation,
}
