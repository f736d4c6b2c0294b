//! Decoding options: tolerated rule violations, budgets and recorded deviations.

use core::cell::Cell;
#[cfg(feature = "alloc")]
use core::cell::RefCell;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::fault::Fault;
use crate::kept::Kept;
use crate::kind::FaultKind;
use crate::oid::Oid;
use crate::reader::Reader;
use crate::rule::{Deviation, Rule, RuleSet};
use crate::table::TypeRef;

/// Resource limits for untrusted input, shared by all entry points.
///
/// ```
/// use tagwise_codec::Budget;
/// assert_eq!(Budget::DEFAULT.depth, 64);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The maximum nesting depth of constructed values, up to [`Budget::MAX_DEPTH`]. For comparison: the limit is 30 in
    /// OpenSSL's templates (`ASN1_MAX_CONSTRUCTED_NEST`) and 128 in BoringSSL's BER conversion. Real certificates stay below
    /// 16.
    pub depth: u8,
    /// The maximum number of SEQUENCE OF and SET OF elements in one decoding. The input's size already bounds the work,
    /// at two bytes per element. This limit bounds the memory that a caller needs to hold the elements.
    pub elements: u64,
    /// The maximum size of one encoding or conversion, in bytes.
    pub output: u64,
    /// The maximum number of values that a decoding by a run-time type creates (`value::Value`), with the absent components of
    /// each SEQUENCE and SET. A value takes about 112 bytes, and one bit of PER can hold one, so the input's size does not
    /// bound their memory well. Recorded positions count too.
    pub values: u64,
}

impl Budget {
    /// The highest depth that a budget can allow. Larger values are clamped.
    ///
    /// Each level of a derived type takes 200 to 300 bytes of stack, so the maximum fits in 64 KiB. Unoptimized builds
    /// take 2.5 KiB per level, or 512 KiB in total. `tests/peer_defects.rs` measures this.
    pub const MAX_DEPTH: u8 = 128;

    /// The default budget: 64 levels, 2³² elements, 4 GiB of output, and 2²³ values (8,388,608), which take about 1 GB.
    pub const DEFAULT: Self = Self { depth: 64, elements: 1 << 32, output: 1 << 32, values: 1 << 23 };
}

impl Default for Budget {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A caller's entry in an object set, valid for one decoding: an object identifier and the type that it selects.
///
/// See [`Options::register`].
#[derive(Clone, Copy, Debug)]
pub struct Registered {
    /// The name of the extended object set, as in its `Type` table.
    pub set: &'static str,
    /// The object identifier that selects the type.
    pub oid: Oid<'static>,
    /// The function that decodes and checks a value of the type. Set by [`Registered::new`].
    pub check: for<'a, 'o> fn(&mut Reader<'a, 'o>) -> Result<(), Fault>,
    /// The type's table.
    pub ty: TypeRef,
}

/// A check for a user-defined constraint (X.682 §9), valid for one decoding.
///
/// See [`Options::user_checks`].
#[derive(Clone, Copy, Debug)]
pub struct UserCheck<'o> {
    /// The text between the braces of CONSTRAINED BY, as in the table.
    pub text: &'o str,
    /// The function that returns whether bytes satisfy the constraint. The bytes are the whole element for a component's
    /// constraint, or the content for a constraint on a tagged type.
    pub check: fn(&[u8]) -> bool,
}

/// Decoding options: tolerated deviations, budget and additional open types.
///
/// ```
/// use tagwise_codec::{Options, Rule};
/// // TRUE encoded as 0x01 is BER, not DER.
/// let bytes = [0x01, 0x01, 0x01];
/// assert!(Options::der().decode::<bool>(&bytes).is_err());
/// let read = Options::der().allow(&Rule::BOOLEAN_VALUE).decode::<bool>(&bytes)?;
/// assert!(read.value);
/// assert_eq!(read.deviations[0].to_string(), "boolean-value at byte 2 (X.690 §11.1)");
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'o> {
    rules: RuleSet,
    /// The rules for deferred parts, if they differ from `rules`.
    later: Option<RuleSet>,
    budget: Budget,
    registered: &'o [Registered],
    checks: &'o [UserCheck<'o>],
}

impl<'o> Options<'o> {
    /// Creates options for strict DER with the default budget.
    #[must_use]
    pub const fn der() -> Self {
        Self { rules: RuleSet::NONE, later: None, budget: Budget::DEFAULT, registered: &[], checks: &[] }
    }

    /// Creates options for BER with definite lengths and primitive strings, as sent by LDAP servers:
    /// [`RuleSet::BER_DEFINITE`].
    #[must_use]
    pub const fn ber_definite() -> Self {
        Self { rules: RuleSet::BER_DEFINITE, ..Self::der() }
    }

    /// Also tolerates violations of the given rule.
    #[must_use]
    pub const fn allow(mut self, rule: &Rule) -> Self {
        self.rules = self.rules.with(rule);
        self
    }

    /// Replaces the set of rules whose violations are tolerated.
    #[must_use]
    pub const fn rules(mut self, rules: RuleSet) -> Self {
        self.rules = rules;
        self
    }

    /// Sets the rules for deferred parts ([`Any::decode_as`](crate::Any::decode_as), [`Raw::get`](crate::Raw::get),
    /// list items, open types). By default, they are the rules of the decoding itself, so a violation tolerated in a value
    /// is tolerated in all of it.
    ///
    /// Use this to read a malformed value's top-level structure leniently, and its parts under other rules.
    ///
    /// ```
    /// use tagwise_codec::{Any, Options, RuleSet, SeqOf};
    /// // A SEQUENCE OF with a padded INTEGER.
    /// let bytes = [0x30, 0x04, 0x02, 0x02, 0x00, 0x05];
    /// let lax = Options::der().rules(RuleSet::ALL);
    /// let kept = lax.outline::<SeqOf<u8>>(&bytes)?.value;
    /// assert_eq!(kept.iter().next(), Some(Ok(5)));
    /// let strict = lax.parts(RuleSet::NONE).outline::<SeqOf<u8>>(&bytes)?.value;
    /// assert!(strict.iter().next().is_some_and(|item| item.is_err()));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    #[must_use]
    pub const fn parts(mut self, rules: RuleSet) -> Self {
        self.later = Some(rules);
        self
    }

    /// Sets the resource limits.
    #[must_use]
    pub const fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Registers additional open types. They are checked like built-in ones.
    #[must_use]
    pub const fn register(mut self, registered: &'o [Registered]) -> Self {
        self.registered = registered;
        self
    }

    /// Sets the checks for user-defined constraints (CONSTRAINED BY). [`Rule::VALUE`] can tolerate a violation.
    ///
    /// ```
    /// use tagwise_codec::table::{Constraint, List, Shape, Text, Type};
    /// use tagwise_codec::{FaultKind, Options, Tag, UserCheck, value::Dynamic};
    /// let even = List::Const(const { &[Constraint::User(Text::Const("an even number"))] });
    /// let ty = Type::new("Even", Some(Tag::INTEGER), Shape::Integer(List::EMPTY)).constrained(even);
    /// // Without a check, the constraint is not enforced, but `unchecked` lists it.
    /// let value = Dynamic::new(&ty).decode(&[0x02, 0x01, 0x05])?.value;
    /// assert_eq!(Dynamic::new(&ty).unchecked(&value)[0].to_string(), "CONSTRAINED BY {an even number}, at byte 0");
    /// let checks = [UserCheck { text: "an even number", check: |content| matches!(content, [.., last] if last % 2 == 0) }];
    /// let even = Dynamic::new(&ty).options(Options::der().user_checks(&checks));
    /// assert!(even.decode(&[0x02, 0x01, 0x04]).is_ok());
    /// let error = even.decode(&[0x02, 0x01, 0x05]).unwrap_err();
    /// assert_eq!((error.kind(), error.offset()), (FaultKind::Value, 2));
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    #[must_use]
    pub const fn user_checks(mut self, checks: &'o [UserCheck<'o>]) -> Self {
        self.checks = checks;
        self
    }

    /// Returns the checks for user-defined constraints.
    #[must_use]
    pub const fn user_checks_in_force(&self) -> &'o [UserCheck<'o>] {
        self.checks
    }

    /// Returns the set of rules whose violations are tolerated.
    #[must_use]
    pub const fn tolerated(&self) -> RuleSet {
        self.rules
    }

    /// Returns the registered open types.
    #[must_use]
    pub const fn registered_types(&self) -> &'o [Registered] {
        self.registered
    }

    /// Returns the resource limits.
    #[must_use]
    pub const fn budget_in_force(&self) -> Budget {
        self.budget
    }
}

/// The state of a decoding with non-default options: options, spent budget and recorded deviations.
///
/// [`Options::decode`] creates one. It is public for callers that drive a [`Reader`] directly.
#[derive(Debug)]
pub struct Session<'o> {
    options: Options<'o>,
    /// The interned rules for deferred parts, once they have an index.
    kept: Cell<Option<Kept>>,
    elements: Cell<u64>,
    #[cfg(feature = "dynamic")]
    values: Cell<u64>,
    /// True if an open type came before its selector.
    #[cfg(feature = "dynamic")]
    is_late: Cell<bool>,
    /// The first deviations. Without an allocator, only these are kept, but all are counted.
    #[cfg(not(feature = "alloc"))]
    notes: Cell<[Option<Deviation>; 8]>,
    #[cfg(not(feature = "alloc"))]
    count: Cell<usize>,
    #[cfg(feature = "alloc")]
    notes: RefCell<Vec<Deviation>>,
}

impl<'o> Session<'o> {
    /// Creates a session with no recorded deviations.
    #[must_use]
    pub const fn new(options: Options<'o>) -> Self {
        Self {
            options,
            kept: Cell::new(None),
            elements: Cell::new(options.budget.elements),
            #[cfg(feature = "dynamic")]
            values: Cell::new(options.budget.values),
            #[cfg(feature = "dynamic")]
            is_late: Cell::new(false),
            #[cfg(not(feature = "alloc"))]
            notes: Cell::new([None; 8]),
            #[cfg(not(feature = "alloc"))]
            count: Cell::new(0),
            #[cfg(feature = "alloc")]
            notes: RefCell::new(Vec::new()),
        }
    }

    /// Returns the session's options.
    #[must_use]
    pub const fn options(&self) -> &Options<'o> {
        &self.options
    }

    /// Returns the rules under which deferred parts are read later.
    pub(crate) fn kept(&self) -> Kept {
        self.kept.get().unwrap_or_else(|| {
            let kept = Kept::of(self.options.later.unwrap_or(self.options.rules));
            self.kept.set(Some(kept));
            kept
        })
    }

    /// Returns whether violations of a rule are tolerated.
    #[must_use]
    pub const fn allows(&self, rule: &Rule) -> bool {
        self.options.rules.has(rule)
    }

    /// Returns the number of deviations recorded so far.
    #[must_use]
    pub fn noted(&self) -> usize {
        #[cfg(feature = "alloc")]
        return self.notes.borrow().len();
        #[cfg(not(feature = "alloc"))]
        return self.count.get();
    }

    /// Discards all but the first `count` deviations, for a part that is decoded again or abandoned.
    pub fn forget_after(&self, count: usize) {
        #[cfg(feature = "alloc")]
        self.notes.borrow_mut().truncate(count);
        #[cfg(not(feature = "alloc"))]
        self.count.set(count.min(self.count.get()));
    }

    /// Returns the recorded deviations in offset order.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn into_deviations(self) -> Vec<Deviation> {
        let mut notes = self.notes.into_inner();
        notes.sort_by_key(|note| note.offset);
        notes
    }

    /// Iterates over the first deviations (at most eight), without an allocator.
    #[cfg(not(feature = "alloc"))]
    pub fn deviations(&self) -> impl Iterator<Item = Deviation> {
        self.notes.get().into_iter().take(self.count.get()).flatten()
    }

    /// Returns the caller's entry for an identifier in an object set.
    #[must_use]
    pub fn registered(&self, set: &str, oid: Oid<'_>) -> Option<&'o Registered> {
        self.options.registered.iter().find(|entry| entry.set == set && entry.oid == oid)
    }

    /// Records a deviation if its rule is allowed.
    #[cold]
    pub(crate) fn tolerate(&self, rule: &'static Rule, offset: usize) -> bool {
        let allowed = self.options.rules.has(rule);
        if allowed {
            let note = Deviation { rule, offset };
            #[cfg(feature = "alloc")]
            self.notes.borrow_mut().push(note);
            #[cfg(not(feature = "alloc"))]
            {
                let count = self.count.get();
                let mut notes = self.notes.get();
                if let Some(slot) = notes.get_mut(count) {
                    *slot = Some(note);
                    self.notes.set(notes);
                }
                self.count.set(count.saturating_add(1));
            }
        }
        allowed
    }

    /// Records that an open type came before its selector.
    #[cfg(feature = "dynamic")]
    pub(crate) fn postpone(&self) {
        self.is_late.set(true);
    }

    /// Returns whether an open type came before its selector.
    #[cfg(feature = "dynamic")]
    pub(crate) const fn is_late(&self) -> bool {
        self.is_late.get()
    }

    /// Returns whether a violation of a rule was tolerated at one of the offsets.
    #[cfg(feature = "dynamic")]
    pub(crate) fn has_noted(&self, rule: &Rule, offsets: core::ops::Range<usize>) -> bool {
        self.notes.borrow().iter().any(|note| note.rule == rule && offsets.contains(&note.offset))
    }

    /// Discards the deviations after the first `count`, if the last of them was already recorded before.
    #[cfg(feature = "dynamic")]
    pub(crate) fn forget_repeated(&self, count: usize) {
        let mut notes = self.notes.borrow_mut();
        let (before, after) = notes.split_at(count.min(notes.len()));
        let is_repeated =
            |last: &Deviation| before.iter().any(|note| note.rule == last.rule && note.offset == last.offset);
        if after.last().is_some_and(is_repeated) {
            notes.truncate(count);
        }
    }

    /// Deducts values, and absent components, from the budget.
    #[cfg(feature = "dynamic")]
    pub(crate) fn spend_values(&self, count: usize, offset: usize) -> Result<(), Fault> {
        let left = self.values.get().checked_sub(count as u64);
        self.values.set(left.ok_or(Fault::new(FaultKind::ElementsExceeded, offset))?);
        Ok(())
    }

    pub(crate) fn spend_elements(&self, count: u64, offset: usize) -> Result<(), Fault> {
        match self.elements.get().checked_sub(count) {
            Some(left) => {
                self.elements.set(left);
                Ok(())
            }
            None => Err(Fault::new(FaultKind::ElementsExceeded, offset)),
        }
    }
}
