//! Limits on the cost of opening a file, in iterations and memory. The file determines this cost, so it may be malicious.

use tagwise_codec::{Decode, Options, RuleSet};

use super::{MacParameters, Pkcs12PbeParams};
use crate::pkcs5::{ID_PBES2, ID_PBKDF2, ID_PBMAC1, PKCS_5, PbeParameter, Pbes2Params, Pbkdf2Params, Pbmac1Params};
use crate::pkcs12::PKCS_12PBE_IDS;
use crate::scrypt::{ID_SCRYPT, ScryptParams};
use tagwise_x509::alg::AlgorithmIdentifier;
use tagwise_x509::oids;

/// The cost of deriving a key.
///
/// ```
/// use tagwise_codec::{Decode, oid};
/// use tagwise_messages::pkcs12::Cost;
/// use tagwise_x509::AlgorithmIdentifier;
/// // pbeWithSHAAnd3-KeyTripleDES-CBC, 2048 iterations.
/// let algorithm = AlgorithmIdentifier::from_der(b"\x30\x1C\x06\x0A\x2A\x86\x48\x86\xF7\x0D\x01\x0C\x01\x03\
///     \x30\x0E\x04\x08saltsalt\x02\x02\x08\x00")?;
/// assert_eq!(Cost::of(&algorithm), Cost { iterations: 2048, memory: 0 });
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The approximate number of digests or MACs to compute.
    pub iterations: u64,
    /// The peak memory use in bytes, or 0 if negligible.
    pub memory: u64,
}

/// Limits on the cost of opening a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostLimits(
    /// The maximum total number of iterations for all keys, and the maximum memory for any single key.
    pub Cost,
);

impl CostLimits {
    /// The default limits: 10,000,000 iterations, which take a few seconds, and 256 MiB. Common programs use at most about
    /// 1,000,000 iterations, and 64 MiB (scrypt with N = 2¹⁶, r = 8).
    pub const DEFAULT: Self = Self(Cost { iterations: 10_000_000, memory: 256 << 20 });
}

/// The accumulated cost of opening a file, within limits. Each derivation is charged before it is computed.
///
/// ```
/// use tagwise_messages::pkcs12::{Cost, CostBudget, CostLimits};
/// let mut budget = CostBudget::new(CostLimits(Cost { iterations: 1000, memory: 0 }));
/// let one = Cost { iterations: 600, memory: 0 };
/// assert!(budget.charge(one).is_ok());
/// assert_eq!(budget.charge(one).unwrap_err().iterations, 1200);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CostBudget {
    limits: Cost,
    spent: Cost,
}

impl CostBudget {
    /// Creates an unused budget.
    #[must_use]
    pub const fn new(limits: CostLimits) -> Self {
        Self { limits: limits.0, spent: Cost { iterations: 0, memory: 0 } }
    }

    /// Checks that a further cost is within the limits, without charging it.
    ///
    /// # Errors
    /// Returns the total cost if it would exceed the limits.
    pub fn check(&self, cost: Cost) -> Result<(), Cost> {
        let total = self.spent.and(cost);
        let within = total.iterations <= self.limits.iterations && total.memory <= self.limits.memory;
        if within { Ok(()) } else { Err(total) }
    }

    /// Charges the cost of a key derivation.
    ///
    /// # Errors
    /// Returns the total cost if it would exceed the limits. Nothing is charged in that case.
    pub fn charge(&mut self, cost: Cost) -> Result<(), Cost> {
        self.check(cost)?;
        self.spent = self.spent.and(cost);
        Ok(())
    }
}

impl Default for CostLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Cost {
    /// Returns the cost of an algorithm. It is zero if the algorithm or its parameters are unknown, because no key is then
    /// derived.
    #[must_use]
    pub fn of(algorithm: &AlgorithmIdentifier<'_>) -> Self {
        Self::read(algorithm).unwrap_or_default()
    }

    /// Combines two costs: iterations add up, and memory is the maximum.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let iterations = self.iterations.saturating_add(other.iterations);
        Self { iterations, memory: self.memory.max(other.memory) }
    }

    /// Returns the cost of a MAC.
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
        let is_mac = id == ID_PBMAC1;
        let derivation = if id == ID_PBES2 {
            Pbes2Params::outline(parameters).ok()?.key_derivation_func
        } else if is_mac {
            Pbmac1Params::outline(parameters).ok()?.key_derivation_func
        } else {
            *algorithm
        };
        let (id, parameters) = (derivation.algorithm, derivation.parameters?.as_bytes());
        if id == ID_PBKDF2 {
            // Read with every deviation tolerated, so that no other reader computes a higher cost.
            let lax = Options::der().rules(RuleSet::ALL);
            let read = lax.outline::<Pbkdf2Params<'_>>(parameters).ok()?.value;
            // Each block of the key costs all iterations (RFC 8018 §5.2). A file states the length with PBMAC1 alone, where it may be long.
            let block = match read.prf.algorithm {
                prf if prf == oids::HMAC_WITH_SHA512 => 64,
                prf if prf == oids::HMAC_WITH_SHA384 => 48,
                prf if prf == oids::HMAC_WITH_SHA224 => 28,
                prf if prf == oids::HMAC_WITH_SHA1 => 20,
                _ => 32,
            };
            let blocks = read.key_length.filter(|_| is_mac).map_or(1, |len| len.div_ceil(block).max(1));
            return Some(Self { iterations: read.iteration_count.saturating_mul(blocks), memory: 0 });
        }
        if id == ID_SCRYPT {
            // RFC 7914 §6: p times N iterations over 128 r bytes, N of them kept.
            let scrypt = ScryptParams::outline(parameters).ok()?;
            let block = scrypt.block_size.saturating_mul(128);
            let steps = scrypt.cost_parameter.saturating_mul(scrypt.block_size);
            let iterations = steps.saturating_mul(scrypt.parallelization_parameter);
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
