//! A valid path, and what it is valid for.

use core::fmt;

use tagwise_pkix::CertificateBuf;

use crate::anchors::Anchor;
use crate::oid::OidBuf;
use crate::report::{self, Explanation};

/// A valid path, with everything that was checked and assumed. Displays as text; [`Path::to_json`] has the same as JSON.
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

impl Path {
    /// The path as JSON, in the shape of [`Report::to_json`](crate::Report::to_json), with `certificates`, `anchor` and `policies`.
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
