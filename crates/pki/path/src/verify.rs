//! The functions that find and validate paths.

use crate::anchors::Anchors;
use crate::budget::Meter;
use crate::path::Path;
use crate::policy::Policy;
use crate::pool::{self, Pool};
use crate::report::Report;
use crate::search::Engine;
use crate::verifier::Verifier;

/// Finds a path from a certificate in DER through a pool to an anchor, and validates it against a policy (RFC 5280
/// §6.1).
///
/// The validation time, CRLs, OCSP responses and all other inputs are passed as values. Only signatures are checked by a
/// callback.
///
/// ```
/// # #[cfg(feature = "crypto")] {
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_path::{Anchors, CryptoVerifier, ExpectedName, Policy, Pool, Profile, verify};
/// use tagwise_pkix::UnixTime;
///
/// # fn check(leaf: &[u8], sent: &[Vec<u8>], roots: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
/// let mut anchors = Anchors::new();
/// anchors.read(roots);
/// let pool: Pool = sent.iter().collect();
/// let mut policy = Policy::new(&Profile::WEBPKI, UnixTime(1_795_255_200));
/// policy.names.push(ExpectedName::dns("www.example.org")?);
///
/// let backend = AwsLc::new();
/// match verify::path(leaf, &pool, &anchors, &policy, &CryptoVerifier(&backend)) {
///     Ok(path) => println!("{path}"),
///     Err(report) => println!("{report}"),
/// }
/// # Ok(())
/// # }
/// # check(b"", &[], b"").unwrap();
/// # }
/// ```
///
/// # Errors
/// Returns the report on every candidate if there is no valid path. [`Report::outcome`] states whether the budget was
/// exceeded first.
pub fn path<V: Verifier + ?Sized>(
    leaf: &[u8],
    pool: &Pool,
    anchors: &Anchors,
    policy: &Policy,
    verifier: &V,
) -> Result<Path, Report> {
    let (leaf, is_strict) = match pool::leaf(leaf) {
        Ok(leaf) => leaf,
        Err(error) => return Err(Report::unreadable(policy, &error)),
    };
    Engine::new((&leaf, is_strict), pool, anchors, policy, verifier, Meter::new(policy.budget)).run()
}

/// All valid paths of a certificate, and a report on the other candidates.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The valid paths, in the order in which they were found, each with its assumptions. Rejected candidates are in the
    /// report.
    pub paths: Vec<Path>,
    /// The other candidates. The outcome is [`Outcome::Exhausted`](crate::Outcome::Exhausted) if the budget ended the
    /// search. There may then be more paths.
    pub report: Report,
}

/// Finds all paths from a certificate to the anchors that satisfy a policy. The result shows which roots accept the
/// certificate, and why others do not.
///
/// Works like [`path`](fn@path) but continues after a valid path, within the budget.
///
/// ```
/// # #[cfg(feature = "crypto")] {
/// use tagwise_crypto::backends::AwsLc;
/// use tagwise_path::{Anchors, CryptoVerifier, Policy, Pool, Profile, verify};
/// use tagwise_pkix::UnixTime;
///
/// # fn check(leaf: &[u8], sent: &[Vec<u8>], roots: &[u8]) {
/// let mut anchors = Anchors::new();
/// anchors.read(roots);
/// let pool: Pool = sent.iter().collect();
/// let policy = Policy::new(&Profile::WEBPKI, UnixTime(1_795_255_200));
/// let backend = AwsLc::new();
/// for path in verify::all_paths(leaf, &pool, &anchors, &policy, &CryptoVerifier(&backend)).paths {
///     println!("{}", path.anchor.label());
/// }
/// # }
/// # check(b"", &[], b"");
/// # }
/// ```
pub fn all_paths<V: Verifier + ?Sized>(
    leaf: &[u8],
    pool: &Pool,
    anchors: &Anchors,
    policy: &Policy,
    verifier: &V,
) -> Survey {
    let (leaf, is_strict) = match pool::leaf(leaf) {
        Ok(leaf) => leaf,
        Err(error) => return Survey { paths: Vec::new(), report: Report::unreadable(policy, &error) },
    };
    let mut engine = Engine::new((&leaf, is_strict), pool, anchors, policy, verifier, Meter::new(policy.budget));
    let (paths, report) = engine.run_all();
    Survey { paths, report }
}
