//! Decoding rules and budgets for a call, and tolerated deviations.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::codec::{Budget, Deviation, Options, RuleSet};
use tagwise::pkix::profile;
#[cfg(feature = "full")]
use tagwise::tables::untagged::{Rule, Tolerance};

use crate::bytes::{put, terminated};
use crate::error::{Problem, tagwise_error};
use crate::settings::Settings;

/// Decoding options: the rules whose violation is tolerated, and the budgets. NULL means strict DER with the default budgets.
/// Threads may share the options once the last setter has returned. If a setter fails, every function that receives the options
/// fails with the same error.
#[derive(Clone, Debug)]
pub struct tagwise_options(Settings<Chosen>);

/// The rules whose violations are tolerated, and the budgets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen {
    rules: RuleSet,
    #[cfg(feature = "full")]
    untagged: Tolerance,
    budget: Budget,
}

impl tagwise_options {
    /// Returns the options for reading DER.
    ///
    /// # Errors
    /// Returns the error of the first setter that failed.
    pub(crate) fn of(options: Option<&Self>) -> Result<Options<'static>, Problem> {
        let Some(options) = options else { return Ok(Options::der()) };
        let Chosen { rules, budget, .. } = options.0.get()?;
        Ok(Options::der().rules(*rules).budget(*budget))
    }

    /// Returns the rules of PER, OER and XER whose violations are tolerated.
    #[cfg(feature = "full")]
    pub(crate) fn untagged(options: Option<&Self>) -> Result<Tolerance, Problem> {
        options.map_or(Ok(Tolerance::NONE), |options| Ok(options.0.get()?.untagged))
    }

    /// Returns the options for conversions from BER, which by default convert every form to DER.
    pub(crate) fn ber(options: Option<&Self>) -> Result<Options<'static>, Problem> {
        match options {
            Some(_) => Self::of(options),
            None => Ok(Options::ber_definite()),
        }
    }

    /// Returns the options for PEM, which by default is read with the lax parsing rules of RFC 7468.
    pub(crate) fn pem(options: Option<&Self>) -> Result<Options<'static>, Problem> {
        let read = Self::of(options)?;
        Ok(read.rules(read.tolerated().union(RuleSet::PEM)))
    }

    /// Returns the value for modification, unless an earlier setter failed.
    fn changed(options: Option<&mut Self>) -> Option<&mut Chosen> {
        options.and_then(|options| options.0.get_mut().ok())
    }
}

/// Creates options for strict DER with the default budgets: 64 levels, 2^32 elements, 4 GiB of output, 2^23 values. Free them with
/// tagwise_options_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_new() -> Option<Box<tagwise_options>> {
    guard!({
        let chosen = Chosen {
            rules: RuleSet::NONE,
            #[cfg(feature = "full")]
            untagged: Tolerance::NONE,
            budget: Budget::DEFAULT,
        };
        Some(Box::new(tagwise_options(Settings::new(chosen))))
    })
}

/// Frees options; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_free(options: Option<Box<tagwise_options>>) {
    guard!(drop(options))
}

/// Tolerates violations of further rules. `rules` is one name, such as `negative-serial` or `long-length`, or several
/// separated by commas. The names are those of the command-line option `--allow`. tagwise_rule_get() lists the rules, and
/// `ber`, `pem` and `all` are groups of rules.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_allow(
    options: Option<&mut tagwise_options>,
    rules: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    setter!(error, options, |options| {
        let names = terminated(rules, "rules")?;
        #[cfg(feature = "full")]
        let (untagged, names) = Tolerance::take(names);
        #[cfg(not(feature = "full"))]
        let names = std::borrow::Cow::Borrowed(names);
        let allowed = profile::allowances(&names).map_err(|error| Problem::argument(error.to_string()))?;
        options.rules = options.rules.union(allowed);
        #[cfg(feature = "full")]
        {
            options.untagged = options.untagged.union(untagged);
        }
        Ok(())
    })
}

/// Tolerates BER with definite lengths and primitive strings, as LDAP servers send it.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_allow_ber(options: Option<&mut tagwise_options>) {
    guard!({
        if let Some(options) = tagwise_options::changed(options) {
            options.rules = options.rules.union(RuleSet::BER_DEFINITE);
        }
    })
}

/// Tolerates common, unambiguous PEM errors: every rule whose name begins with `pem-`.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_allow_pem(options: Option<&mut tagwise_options>) {
    guard!({
        if let Some(options) = tagwise_options::changed(options) {
            options.rules = options.rules.union(RuleSet::PEM_LAX);
        }
    })
}

/// Sets the maximum nesting depth of constructed values, up to 128.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_set_depth(options: Option<&mut tagwise_options>, depth: u8) {
    guard!({
        if let Some(options) = tagwise_options::changed(options) {
            options.budget.depth = depth.min(Budget::MAX_DEPTH);
        }
    })
}

/// Sets the maximum number of SEQUENCE OF and SET OF elements per call.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_set_elements(options: Option<&mut tagwise_options>, elements: u64) {
    guard!({
        if let Some(options) = tagwise_options::changed(options) {
            options.budget.elements = elements;
        }
    })
}

/// Sets the maximum number of values that one decoding by a schema creates, including absent components, and so its memory. The
/// default is 2^23, which take about 1 GB.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_set_values(options: Option<&mut tagwise_options>, values: u64) {
    guard!({
        if let Some(options) = tagwise_options::changed(options) {
            options.budget.values = values;
        }
    })
}

/// Sets the maximum output of one encoding or conversion, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_set_output(options: Option<&mut tagwise_options>, bytes: u64) {
    guard!({
        if let Some(options) = tagwise_options::changed(options) {
            options.budget.output = bytes;
        }
    })
}

/// A tolerated rule violation in an input, with its location.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_deviation {
    /// The name of the violated rule. Static; do not free it.
    rule: crate::bytes::tagwise_bytes,
    /// The violated clause of the standard. Static; do not free it.
    clause: crate::bytes::tagwise_bytes,
    /// The byte offset in the input.
    offset: usize,
    /// The offset in bits, for PER. Otherwise, 8 times the byte offset.
    bit: u64,
}

impl tagwise_deviation {
    /// Creates the deviation at an offset in bits.
    pub(crate) const fn new(rule: &'static str, clause: &'static str, bit: u64) -> Self {
        let of = crate::bytes::tagwise_bytes::of;
        Self { rule: of(rule.as_bytes()), clause: of(clause.as_bytes()), offset: (bit / 8) as usize, bit }
    }
}

/// Returns the deviation at the given index, from those found while reading.
pub(crate) fn deviation(
    deviations: &[Deviation],
    index: usize,
    place: Option<&mut MaybeUninit<tagwise_deviation>>,
) -> bool {
    let Some(Deviation { rule, offset }) = deviations.get(index) else { return false };
    put(place, tagwise_deviation::new(rule.name, rule.clause, (*offset as u64).saturating_mul(8)));
    true
}

/// A rule whose violation can be tolerated.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_rule {
    /// The rule's name. Static, like the other texts; do not free it.
    name: crate::bytes::tagwise_bytes,
    /// The clause of the standard.
    clause: crate::bytes::tagwise_bytes,
    /// The requirement, as a sentence.
    summary: crate::bytes::tagwise_bytes,
}

/// Gets the rule at the given index, counted from 0. Returns false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_rule_get(index: usize, rule: Option<&mut MaybeUninit<tagwise_rule>>) -> bool {
    guard!({
        let of = crate::bytes::tagwise_bytes::of;
        let all = tagwise::codec::Rule::ALL.iter().chain(profile::ALL.iter());
        let rules = all.map(|rule| (rule.name, rule.clause, rule.summary));
        #[cfg(feature = "full")]
        let rules = rules.chain(Rule::all().map(|rule| (rule.name(), rule.clause(), rule.summary())));
        { rules }.nth(index).is_some_and(|(name, clause, summary)| {
            let (name, clause, summary) = (of(name.as_bytes()), of(clause.as_bytes()), of(summary.as_bytes()));
            put(rule, tagwise_rule { name, clause, summary });
            true
        })
    })
}
