//! The cost of a validation: its limits, their sources, and the amounts spent.
//!
//! Each counter covers one complete call, including the validation of CRL and OCSP signers. Exceeding a limit is a separate
//! outcome ([`Outcome::Exhausted`](crate::Outcome::Exhausted)), which does not mean that the certificate is invalid.

use core::fmt;

/// The limits of one validation.
///
/// ```
/// use tagwise_path::Budget;
/// let careful = Budget { signatures: 20, ..Budget::DEFAULT };
/// assert!(careful.signatures < Budget::DEFAULT.signatures);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The maximum number of signature checks of certificates, CRLs, OCSP responses and certificate timestamps. Results are
    /// cached, so the same signature and key count once. Default 100, as in Go (`maxChainSignatureChecks`) and rustls-webpki
    /// (`signatures`).
    pub signatures: u64,
    /// The maximum number of complete paths validated as in RFC 5280 §6.1. Default 1,000.
    pub paths: u64,
    /// The maximum number of candidate issuers examined and names compared. Default 200,000, the same as rustls-webpki's
    /// `build_chain_calls`.
    pub name_comparisons: u64,
    /// The maximum number of nodes in policy graphs (RFC 9618). Default 10,000. OpenSSL allows 1,000 in one tree.
    pub policy_nodes: u64,
    /// The maximum number of comparisons of a name with a name constraint's subtree. Default 250,000, the same as
    /// rustls-webpki's `name_constraint_comparisons`. OpenSSL and BoringSSL allow 2²⁰ per certificate.
    pub constraint_comparisons: u64,
    /// The maximum length of a path, including the end-entity certificate but not the anchor. Default 20, the same as NSS's
    /// `CERT_MAX_CERT_CHAIN`.
    pub path_length: u64,
    /// The maximum nesting depth of validations. Checking a CRL validates its signer's path, which may require further CRLs. At
    /// the deepest level, the signers' own revocation status is not checked and remains unknown. Default 2.
    pub depth: u64,
    /// The maximum size of certificates, CRLs and OCSP responses read, in bytes. A CRL or response is charged to the call that first reads
    /// it, and each search through a CRL costs an eighth of its length. The ninth search builds an index, which costs the CRL's
    /// length once for all clones of [`Evidence`](crate::Evidence). Later searches are free. Default 48 MiB, read in 40 to 60 ms, enough
    /// for a CRL with a million entries.
    pub bytes: u64,
    /// The maximum number of rejected candidates listed in the report. Further ones are only counted. Default 100.
    pub reported: u64,
}

impl Budget {
    /// The default limits. Each field documents the source of its default.
    pub const DEFAULT: Self = Self {
        signatures: 100,
        paths: 1_000,
        name_comparisons: 200_000,
        policy_nodes: 10_000,
        constraint_comparisons: 250_000,
        path_length: 20,
        depth: 2,
        bytes: 48 << 20,
        reported: 100,
    };
}

impl Default for Budget {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A limit of a [`Budget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// The limit on signature checks: [`Budget::signatures`].
    Signatures,
    /// The limit on complete paths: [`Budget::paths`].
    Paths,
    /// The limit on candidate issuers and name comparisons: [`Budget::name_comparisons`].
    NameComparisons,
    /// The limit on policy graph nodes: [`Budget::policy_nodes`].
    PolicyNodes,
    /// The limit on name constraint comparisons: [`Budget::constraint_comparisons`].
    ConstraintComparisons,
    /// The limit on certificates in a path: [`Budget::path_length`].
    PathLength,
    /// The limit on bytes of certificates, CRLs and OCSP responses: [`Budget::bytes`].
    Bytes,
}

impl Limit {
    /// Returns the limit's stable name, such as `path-length`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Signatures => "signatures",
            Self::Paths => "paths",
            Self::NameComparisons => "name-comparisons",
            Self::PolicyNodes => "policy-nodes",
            Self::ConstraintComparisons => "constraint-comparisons",
            Self::PathLength => "path-length",
            Self::Bytes => "bytes",
        }
    }

    /// Returns a description of the limited resource, such as `certificates in a path`.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Signatures => "signature checks",
            Self::Paths => "complete paths",
            Self::NameComparisons => "candidate issuers and name comparisons",
            Self::PolicyNodes => "policy graph nodes",
            Self::ConstraintComparisons => "name constraint comparisons",
            Self::PathLength => "certificates in a path",
            Self::Bytes => "bytes of certificates and evidence",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The cost of a validation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Spent {
    /// The number of signature checks.
    pub signatures: u64,
    /// The number of signature results taken from the cache. They do not count against the budget.
    pub cached_signatures: u64,
    /// The number of complete paths validated.
    pub paths: u64,
    /// The number of candidate issuers examined and names compared.
    pub name_comparisons: u64,
    /// The number of policy graph nodes.
    pub policy_nodes: u64,
    /// The number of comparisons of names with subtrees.
    pub constraint_comparisons: u64,
    /// The number of bytes of certificates, CRLs and OCSP responses read or searched.
    pub bytes: u64,
}

/// A budget and the amounts spent so far.
#[derive(Debug)]
pub(crate) struct Meter {
    pub(crate) limits: Budget,
    pub(crate) spent: Spent,
}

macro_rules! spend {
    ($($field:ident = $limit:ident;)*) => {
        $(pub(crate) fn $field(&mut self, count: u64) -> Result<(), Limit> {
            self.spent.$field = self.spent.$field.saturating_add(count);
            if self.spent.$field > self.limits.$field { Err(Limit::$limit) } else { Ok(()) }
        })*
    };
}

impl Meter {
    pub(crate) fn new(limits: Budget) -> Self {
        Self { limits, spent: Spent::default() }
    }

    spend! {
        signatures = Signatures;
        paths = Paths;
        name_comparisons = NameComparisons;
        policy_nodes = PolicyNodes;
        constraint_comparisons = ConstraintComparisons;
        bytes = Bytes;
    }

    /// Returns the number of bytes that may still be read.
    pub(crate) fn left_bytes(&self) -> u64 {
        self.limits.bytes.saturating_sub(self.spent.bytes)
    }

    /// Counts bytes that were read. The next call of [`Meter::bytes`] checks the limit.
    pub(crate) fn note_bytes(&mut self, count: usize) {
        self.spent.bytes = self.spent.bytes.saturating_add(count as u64);
    }
}
