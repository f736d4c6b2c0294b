//! Rules and budgets of one call, and what was tolerated.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use tagwise::codec::{Budget, Deviation, Options, RuleSet};
use tagwise::pkix::profile;

use crate::bytes::{given, put, terminated};
use crate::error::{Problem, tagwise_error};

/// Rules to tolerate and budgets of the calls it is given to; NULL stands for strict DER with the default budgets.
/// Functions that only read it may share it between threads.
#[derive(Clone, Debug)]
pub struct tagwise_options {
    rules: RuleSet,
    budget: Budget,
}

impl tagwise_options {
    const DER: Self = Self { rules: RuleSet::NONE, budget: Budget::DEFAULT };

    pub(crate) const fn of(options: Option<&Self>) -> Options<'static> {
        let Self { rules, budget } = match options {
            Some(options) => options,
            None => &Self::DER,
        };
        Options::der().rules(*rules).budget(*budget)
    }

    /// Options for conversions from BER, which by default bring every form into its DER.
    pub(crate) const fn ber(options: Option<&Self>) -> Options<'static> {
        match options {
            Some(_) => Self::of(options),
            None => Options::ber_definite(),
        }
    }

    /// Options for PEM, which by default is read as RFC 7468 asks of readers.
    pub(crate) const fn pem(options: Option<&Self>) -> Options<'static> {
        let read = Self::of(options);
        read.rules(read.tolerated().union(RuleSet::PEM))
    }
}

/// Options for strict DER with the default budgets: 64 levels, 2^32 elements, 4 GiB of output. Free them with tagwise_options_free().
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_new() -> Option<Box<tagwise_options>> {
    guard!(Some(Box::new(tagwise_options::DER.clone())))
}

/// Frees options; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_free(options: Option<Box<tagwise_options>>) {
    guard!(drop(options))
}

/// Tolerates one rule more, by its name, as `negative-serial` or `long-length`. tagwise_rule_get() lists the rules.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_allow(
    options: Option<&mut tagwise_options>,
    rule: *const c_char,
    error: Option<&mut MaybeUninit<*mut tagwise_error>>,
) -> bool {
    guard!(error, {
        let options = given(options, "options")?;
        let name = terminated(rule, "rule")?;
        let rule = profile::by_name(name).ok_or_else(|| {
            let known = tagwise::codec::Rule::ALL.iter().chain(profile::ALL.iter()).map(|rule| rule.name);
            Problem::unknown("rule", name, known)
        })?;
        options.rules = options.rules.with(rule);
        Ok(true)
    })
}

/// Tolerates what BER leaves to the sender where lengths are definite and strings primitive, as LDAP servers do.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_allow_ber(options: Option<&mut tagwise_options>) {
    guard!({
        if let Some(options) = options {
            options.rules = options.rules.union(RuleSet::BER_DEFINITE);
        }
    })
}

/// Tolerates the common faults of PEM that can only be meant in one way: every rule whose name begins with `pem-`.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_allow_pem(options: Option<&mut tagwise_options>) {
    guard!({
        if let Some(options) = options {
            options.rules = options.rules.union(RuleSet::PEM_LAX);
        }
    })
}

/// Sets how many constructed values may enclose a value; at most 128.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_set_depth(options: Option<&mut tagwise_options>, depth: u8) {
    guard!({
        if let Some(options) = options {
            options.budget.depth = depth.min(Budget::MAX_DEPTH);
        }
    })
}

/// Sets how many elements of SEQUENCE OF and SET OF one call may meet.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_set_elements(options: Option<&mut tagwise_options>, elements: u64) {
    guard!({
        if let Some(options) = options {
            options.budget.elements = elements;
        }
    })
}

/// Sets how many bytes one encoding or conversion may write.
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_options_set_output(options: Option<&mut tagwise_options>, bytes: u64) {
    guard!({
        if let Some(options) = options {
            options.budget.output = bytes;
        }
    })
}

/// A rule that an input broke and that was tolerated, and where.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_deviation {
    /// The rule's name; it is never freed.
    rule: crate::bytes::tagwise_bytes,
    /// The clause of the standard; it is never freed.
    clause: crate::bytes::tagwise_bytes,
    /// The byte offset in the input.
    offset: usize,
}

/// One of the deviations that a reading met.
pub(crate) fn deviation(
    deviations: &[Deviation],
    index: usize,
    place: Option<&mut MaybeUninit<tagwise_deviation>>,
) -> bool {
    let Some(Deviation { rule, offset }) = deviations.get(index) else { return false };
    let (rule, clause) = (rule.name.as_bytes(), rule.clause.as_bytes());
    let of = crate::bytes::tagwise_bytes::of;
    put(place, tagwise_deviation { rule: of(rule), clause: of(clause), offset: *offset });
    true
}

/// A rule that can be tolerated.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tagwise_rule {
    /// Its name; like the other texts never freed.
    name: crate::bytes::tagwise_bytes,
    /// The clause of the standard that it stands for.
    clause: crate::bytes::tagwise_bytes,
    /// The demand, in a sentence.
    summary: crate::bytes::tagwise_bytes,
}

/// Gives the rule of that index, counted from 0; false after the last one.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn tagwise_rule_get(index: usize, rule: Option<&mut MaybeUninit<tagwise_rule>>) -> bool {
    guard!({
        let of = crate::bytes::tagwise_bytes::of;
        let mut rules = tagwise::codec::Rule::ALL.iter().chain(profile::ALL.iter());
        rules.nth(index).is_some_and(|found| {
            let (name, clause, summary) = (found.name.as_bytes(), found.clause.as_bytes(), found.summary.as_bytes());
            put(rule, tagwise_rule { name: of(name), clause: of(clause), summary: of(summary) });
            true
        })
    })
}
