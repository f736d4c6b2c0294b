//! The rules of a deferred part, packed into one byte. Rules that a value may violate may also be violated by its parts when they
//! are read later.
//!
//! Deferred parts are small and copied often, but a [`RuleSet`] occupies twenty bytes. Programs use few sets, so each set
//! is assigned an index. When the indices run out, parts with new sets are read strictly.

use crate::rule::{Rule, RuleSet};

/// The index of an interned rule set: the rules under which a deferred part was read. Index 0 is the empty set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept(u8);

impl Kept {
    /// The empty rule set.
    pub const NONE: Self = Self(0);

    /// Returns the index of a rule set. Rules that only concern a whole input (surrounding text and trailing bytes) are
    /// ignored.
    #[cold]
    pub(crate) fn of(rules: RuleSet) -> Self {
        let rules = rules.without(&Rule::TRAILING_DATA);
        if rules.words() == RuleSet::NONE.words() { Self::NONE } else { Self(sets::number(rules.words())) }
    }

    /// Returns the rule set with this index.
    #[cold]
    pub(crate) fn rules(self) -> RuleSet {
        match self.0 {
            0 => RuleSet::NONE,
            number => RuleSet::of_words(sets::words(number)),
        }
    }

    /// Returns whether the set is empty.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set contains a rule.
    #[cold]
    pub(crate) fn has(self, rule: &Rule) -> bool {
        self.0 != 0 && self.rules().has(rule)
    }
}

#[cfg(all(target_has_atomic = "8", target_has_atomic = "32"))]
mod sets {
    use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

    /// The maximum number of interned sets. It is smaller without an allocator.
    const MOST: usize = if cfg!(feature = "alloc") { 255 } else { 15 };

    const FREE: u8 = 0;
    const TAKEN: u8 = 1;
    const WRITTEN: u8 = 2;

    /// A slot for a rule set. It is claimed once, written by the thread that claimed it, and never changed again.
    struct Slot {
        state: AtomicU8,
        words: [AtomicU32; 4],
    }

    impl Slot {
        const fn new() -> Self {
            Self { state: AtomicU8::new(FREE), words: [const { AtomicU32::new(0) }; 4] }
        }

        fn words(&self) -> [u32; 4] {
            self.words.each_ref().map(|word| word.load(Ordering::Relaxed))
        }
    }

    static SLOTS: [Slot; MOST] = [const { Slot::new() }; MOST];

    /// Returns the index of a nonempty set, or 0 if all indices are in use.
    pub(super) fn number(words: [u32; 4]) -> u8 {
        for (number, slot) in (1u8..).zip(&SLOTS) {
            match slot.state.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => {
                    for (slot, word) in slot.words.iter().zip(words) {
                        slot.store(word, Ordering::Relaxed);
                    }
                    slot.state.store(WRITTEN, Ordering::Release);
                    return number;
                }
                Err(WRITTEN) if slot.words() == words => return number,
                // Another set, or one that another thread is writing: the same set may then get a second number.
                Err(_) => {}
            }
        }
        0
    }

    pub(super) fn words(number: u8) -> [u32; 4] {
        let slot = SLOTS.get(usize::from(number).wrapping_sub(1));
        slot.filter(|slot| slot.state.load(Ordering::Acquire) == WRITTEN).map_or([0; 4], Slot::words)
    }
}

/// Fallback for targets without atomic operations: no sets are stored, so parts are read strictly.
#[cfg(not(all(target_has_atomic = "8", target_has_atomic = "32")))]
mod sets {
    pub(super) fn number(_words: [u32; 4]) -> u8 {
        0
    }

    pub(super) fn words(_number: u8) -> [u32; 4] {
        [0; 4]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_one_number() {
        let set = RuleSet::NONE.with(&Rule::NAMED_BITS).with(&Rule::SIZE);
        let kept = Kept::of(set);
        assert_eq!((kept, kept.rules()), (Kept::of(set), set));
        assert!(kept.has(&Rule::SIZE) && !kept.has(&Rule::VALUE) && !kept.is_none());
        assert_ne!(Kept::of(set.with(&Rule::VALUE)), kept);
        // What concerns a whole input only is not kept.
        assert_eq!(Kept::of(RuleSet::PEM_LAX.with(&Rule::TRAILING_DATA)), Kept::NONE);
    }
}
