//! Runs a program: all states advance together, character by character, without backtracking.

use super::{MAX_STEPS, Step};

/// The program states reached after part of a text.
///
/// ```
/// use tagwise_codec::pattern::{Matcher, Pattern};
/// let pattern = Pattern::new("a+b")?;
/// let mut matcher = Matcher::new(pattern.steps());
/// assert!("aab".chars().all(|character| matcher.feed(character.into())));
/// assert!(matcher.finish());
/// # Ok::<(), tagwise_codec::pattern::PatternError>(())
/// ```
#[derive(Debug)]
pub struct Matcher<'p> {
    steps: &'p [Step],
    now: States,
    next: States,
    before: Option<u32>,
}

/// A list of distinct program steps, in the order in which they were reached.
struct States {
    list: [u16; MAX_STEPS + 1],
    len: usize,
    met: [u64; MAX_STEPS / 64 + 1],
}

impl core::fmt::Debug for States {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.list.iter().take(self.len)).finish()
    }
}

impl States {
    const fn new() -> Self {
        Self { list: [0; MAX_STEPS + 1], len: 0, met: [0; MAX_STEPS / 64 + 1] }
    }

    #[inline]
    fn add(&mut self, state: usize) {
        let Some(word) = self.met.get_mut(state / 64) else { return };
        let bit = 1u64 << (state % 64);
        if *word & bit != 0 {
            return;
        }
        *word |= bit;
        if let Some(slot) = self.list.get_mut(self.len) {
            // Programs are shorter than u16::MAX.
            *slot = state as u16;
            self.len += 1;
        }
    }

    /// Removes all states. Only used entries are cleared.
    fn clear(&mut self) {
        for state in self.list.iter().take(self.len) {
            if let Some(word) = self.met.get_mut(usize::from(*state) / 64) {
                *word = 0;
            }
        }
        self.len = 0;
    }
}

/// Returns whether a code point is a letter or digit, which form words.
const fn is_word(point: Option<u32>) -> bool {
    match point {
        Some(point) => point < 0x80 && (point as u8).is_ascii_alphanumeric(),
        None => false,
    }
}

impl<'p> Matcher<'p> {
    /// Creates a matcher at the start of a text.
    #[must_use]
    pub fn new(steps: &'p [Step]) -> Self {
        let mut now = States::new();
        now.add(0);
        Self { steps, now, next: States::new(), before: None }
    }

    /// Returns whether a sequence of code points matches.
    #[must_use]
    pub fn whole(steps: &'p [Step], points: impl IntoIterator<Item = u32>) -> bool {
        let mut matcher = Self::new(steps);
        points.into_iter().all(|point| matcher.feed(point)) && matcher.finish()
    }

    /// Feeds the next character. Returns whether a match is still possible.
    pub fn feed(&mut self, point: u32) -> bool {
        self.pass(Some(point));
        core::mem::swap(&mut self.now, &mut self.next);
        self.next.clear();
        self.before = Some(point);
        self.now.len > 0
    }

    /// Returns whether the text fed so far matches.
    #[must_use]
    pub fn finish(mut self) -> bool {
        self.pass(None);
        let end = self.steps.len();
        self.now.list.iter().take(self.now.len).any(|state| usize::from(*state) == end)
    }

    /// Advances all states by one character. States that consume no character are followed at the same position.
    fn pass(&mut self, point: Option<u32>) {
        let boundary = is_word(self.before) != is_word(point);
        let mut index = 0;
        while index < self.now.len {
            let state = self.now.list.get(index).copied().map_or(0, usize::from);
            index += 1;
            let jump = |by: i16| state.saturating_add_signed(isize::from(by));
            match self.steps.get(state) {
                // The end, which only the end of the text reaches.
                None => {}
                Some(Step::Split(by)) => {
                    self.now.add(state + 1);
                    self.now.add(jump(*by));
                }
                Some(Step::Jump(by)) => self.now.add(jump(*by)),
                Some(Step::Boundary) if boundary => self.now.add(state + 1),
                Some(Step::Boundary) => {}
                Some(Step::One { low, high }) => match point {
                    Some(point) if (*low..=*high).contains(&point) => self.next.add(state + 1),
                    _ => {}
                },
                Some(Step::Set { len, not }) => {
                    let len = usize::from(*len);
                    let members = self.steps.get(state + 1..=state + len).unwrap_or_default();
                    let holds = |point: u32| {
                        members
                            .iter()
                            .any(|member| matches!(member, Step::One { low, high } if (*low..=*high).contains(&point)))
                    };
                    if point.is_some_and(|point| holds(point) != *not) {
                        self.next.add(state + 1 + len);
                    }
                }
            }
        }
    }
}
