//! Cost of a file before anything of it can be read: iterations and memory. Its author chose them, so there are limits.

use tagwise_codec::{Decode, Options, RuleSet};

use super::{MacParameters, Pkcs12PbeParams};
use crate::pkcs5::{ID_PBES2, ID_PBKDF2, ID_PBMAC1, PKCS_5, PbeParameter, Pbes2Params, Pbkdf2Params, Pbmac1Params};
use crate::pkcs12::PKCS_12PBE_IDS;
use crate::scrypt::{ID_SCRYPT, ScryptParams};
use tagwise_x509::alg::AlgorithmIdentifier;

/// Cost of deriving a key.
///
/// ```
/// use tagwise_codec::{Decode, oid};
/// use tagwise_pkix::{AlgorithmIdentifier, pkcs12::Cost};
/// // pbeWithSHAAnd3-KeyTripleDES-CBC, 2048 iterations.
/// let algorithm = AlgorithmIdentifier::from_der(b"\x30\x1C\x06\x0A\x2A\x86\x48\x86\xF7\x0D\x01\x0C\x01\x03\
///     \x30\x0E\x04\x08saltsalt\x02\x02\x08\x00")?;
/// assert_eq!(Cost::of(&algorithm), Cost { iterations: 2048, memory: 0 });
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Number of digests or MACs to compute, roughly.
    pub iterations: u64,
    /// Octets of memory that have to be there at once; 0 where they do not count.
    pub memory: u64,
}

/// Limits on the cost of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostLimits(
    /// The most that one key may cost.
    pub Cost,
);

impl CostLimits {
    /// 10,000,000 iterations, which take some seconds, and 256 MiB. The most that programs write by themselves today is some
    /// 1,000,000 iterations, and 64 MiB (scrypt with N = 2¹⁶, r = 8).
    pub const DEFAULT: Self = Self(Cost { iterations: 10_000_000, memory: 256 << 20 });

    /// The cost, if it is too high.
    pub(super) fn exceeded(self, cost: Cost) -> Option<Cost> {
        (cost.iterations > self.0.iterations || cost.memory > self.0.memory).then_some(cost)
    }
}

impl Default for CostLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Cost {
    /// Cost of an algorithm; zero for one that is not known, or whose parameters are not: nobody will compute it.
    #[must_use]
    pub fn of(algorithm: &AlgorithmIdentifier<'_>) -> Self {
        Self::read(algorithm).unwrap_or_default()
    }

    /// Cost of a MAC.
    #[must_use]
    pub fn of_mac(parameters: &MacParameters<'_>) -> Self {
        if parameters.is_pbmac1() {
            Self::of(&parameters.algorithm)
        } else {
            Self { iterations: parameters.iterations, memory: 0 }
        }
    }

    fn read(algorithm: &AlgorithmIdentifier<'_>) -> Option<Self> {
        let id = algorithm.algorithm;
        let parameters = algorithm.parameters?.as_bytes();
        let derivation = if id == ID_PBES2 {
            Pbes2Params::outline(parameters).ok()?.key_derivation_func
        } else if id == ID_PBMAC1 {
            Pbmac1Params::outline(parameters).ok()?.key_derivation_func
        } else {
            *algorithm
        };
        let (id, parameters) = (derivation.algorithm, derivation.parameters?.as_bytes());
        if id == ID_PBKDF2 {
            // Read with every deviation: what others compute is never to cost more than what is said here.
            let lax = Options::der().rules(RuleSet::ALL);
            let iterations = lax.outline::<Pbkdf2Params<'_>>(parameters).ok()?.value.iteration_count;
            return Some(Self { iterations, memory: 0 });
        }
        if id == ID_SCRYPT {
            // RFC 7914 §6: p times N iterations over 128 r octets, N of them kept.
            let scrypt = ScryptParams::outline(parameters).ok()?;
            let block = scrypt.block_size.saturating_mul(128);
            let iterations = scrypt.cost_parameter.saturating_mul(scrypt.parallelization_parameter);
            return Some(Self { iterations, memory: scrypt.cost_parameter.saturating_mul(block) });
        }
        if id.starts_with(PKCS_12PBE_IDS) {
            return Some(Self { iterations: Pkcs12PbeParams::outline(parameters).ok()?.iterations, memory: 0 });
        }
        if id.starts_with(PKCS_5) {
            return Some(Self { iterations: PbeParameter::outline(parameters).ok()?.iteration_count, memory: 0 });
        }
        None
    }
}
