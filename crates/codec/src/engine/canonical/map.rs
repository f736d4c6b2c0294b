//! From offsets in the output of a conversion to offsets in its input, and back.

use alloc::vec::Vec;

/// Octets of the output that come one after the other from the input, or that were made for some part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Start in the output; the run ends where the next one starts.
    pub(crate) output: u32,
    /// Start in the input.
    pub(crate) input: u32,
    /// Number of bytes of the input that it stands for; offsets beyond map to the last of them.
    pub(crate) span: u32,
}

impl Run {
    /// The input's offset for an offset of the output, which lies in the run.
    fn source(&self, output: u32) -> u32 {
        let ahead = output.saturating_sub(self.output);
        self.input.saturating_add(ahead.min(self.span.saturating_sub(1)))
    }
}

/// Map from an offset in the DER to the offset in the original input.
///
/// A run of octets that were taken over as they stood costs twelve octets here; whatever was taken over whole needs nothing.
/// Looking an offset up takes time logarithmic in the number of runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    runs: Vec<Run>,
    /// The runs in the order of what they stand for, where that is another order.
    by_input: Vec<u32>,
    /// The lengths of both sides.
    ends: Option<(u32, u32)>,
}

impl Map {
    /// The map of what was not changed.
    pub(crate) const IDENTITY: Self = Self { runs: Vec::new(), by_input: Vec::new(), ends: None };

    pub(crate) fn new(runs: Vec<Run>, output_len: usize, input_len: usize) -> Self {
        let mut by_input = Vec::new();
        if !runs.is_sorted_by_key(|run| run.input) {
            // Inputs are at most u32::MAX octets, and every run has one at least.
            by_input = (0..runs.len() as u32).collect();
            by_input.sort_by_key(|index| runs.get(*index as usize).map_or(0, |run| run.input));
        }
        Self { runs, by_input, ends: Some((output_len as u32, input_len as u32)) }
    }

    /// Returns whether offsets are the same on both sides.
    #[must_use]
    pub const fn is_identity(&self) -> bool {
        self.ends.is_none()
    }

    /// The offset in the input that an offset of the output comes from. An octet of content that was taken over comes from
    /// the very octet it was taken from; what was made (lengths, the normal form of a value) comes from what it was made
    /// for. The end of the output comes from the end of the input.
    ///
    /// ```
    /// use tagwise_codec::{Any, ber};
    /// // SEQUENCE (indefinite) { INTEGER 5 }
    /// let canonical = ber::to_der::<Any>(&[0x30, 0x80, 0x02, 0x01, 0x05, 0x00, 0x00])?;
    /// assert_eq!(*canonical.bytes, [0x30, 0x03, 0x02, 0x01, 0x05]);
    /// assert_eq!(canonical.map.source(4), 4);
    /// // The end.
    /// assert_eq!(canonical.map.source(5), 7);
    /// # Ok::<(), tagwise_codec::Error>(())
    /// ```
    #[must_use]
    pub fn source(&self, output: usize) -> usize {
        let Some((output_len, input_len)) = self.ends else { return output };
        let Some(offset) = u32::try_from(output).ok().filter(|offset| *offset < output_len) else {
            return input_len as usize + output.saturating_sub(output_len as usize);
        };
        source(&self.runs, offset).unwrap_or_default()
    }

    /// The offset in the input where what ends at an offset of the output ends: behind the octet that came last.
    #[must_use]
    pub fn source_end(&self, output: usize) -> usize {
        match output.checked_sub(1) {
            Some(last) if !self.is_identity() => self.source(last).saturating_add(1),
            _ => output,
        }
    }

    /// The offset in the output that an offset of the input went to. What was left out (end-of-contents octets, headers of
    /// segments, default values) gives where the next octets went that were kept before it.
    #[must_use]
    pub fn output(&self, input: usize) -> usize {
        let Some((output_len, input_len)) = self.ends else { return input };
        let Some(offset) = u32::try_from(input).ok().filter(|offset| *offset < input_len) else {
            return output_len as usize + input.saturating_sub(input_len as usize);
        };
        let at = |index: usize| match self.by_input.get(index) {
            Some(run) => *run as usize,
            None => index,
        };
        let mut low = 0;
        let mut high = self.runs.len();
        while low < high {
            let middle = low + (high - low) / 2;
            match self.runs.get(at(middle)) {
                Some(run) if run.input <= offset => low = middle + 1,
                _ => high = middle,
            }
        }
        let Some(index) = low.checked_sub(1).map(at) else { return 0 };
        let Some(run) = self.runs.get(index) else { return 0 };
        let end = self.runs.get(index + 1).map_or(output_len, |next| next.output);
        let ahead = (offset - run.input).min(run.span.saturating_sub(1));
        run.output.saturating_add(ahead).min(end.saturating_sub(1)) as usize
    }

    /// The map of two conversions, this one and then `next`.
    pub(crate) fn then(self, next: Self, output: &[u8]) -> Self {
        let (Some((_, input_len)), false) = (self.ends, next.is_identity()) else {
            return if next.is_identity() { self } else { next };
        };
        let mut runs = Vec::new();
        for (index, run) in next.runs.iter().enumerate() {
            let end = next.runs.get(index + 1).map_or(output.len() as u32, |run| run.output);
            self.through(*run, end - run.output, &mut runs);
        }
        Self::new(runs, output.len(), input_len as usize)
    }

    /// The map of an output whose header was replaced by one of `header` octets.
    pub(crate) fn retagged(self, output_len: usize, input_len: usize, len: usize, header: usize) -> Self {
        let content = len - header;
        let first = self.source(output_len - content) as u32;
        let mut runs = Vec::from([Run { output: 0, input: 0, span: 1 }]);
        let skipped = (output_len - content) as u32;
        if self.is_identity() {
            push(&mut runs, Run { output: header as u32, input: first, span: content as u32 });
        } else {
            let mut next = header as u32;
            for (index, run) in self.runs.iter().enumerate() {
                let end = self.runs.get(index + 1).map_or(output_len as u32, |run| run.output);
                if end <= skipped {
                    continue;
                }
                let start = run.output.max(skipped);
                let input = run.source(start);
                let span = (run.input + run.span).saturating_sub(input);
                push(&mut runs, Run { output: next, input, span });
                next += end - start;
            }
        }
        Self::new(runs, len, input_len)
    }

    /// The runs that a later conversion's run is of `len` octets.
    fn through(&self, run: Run, len: u32, runs: &mut Vec<Run>) {
        let mut done = 0;
        loop {
            let place = run.input.saturating_add(done);
            let source = self.source(place as usize) as u32;
            let index = self.runs.partition_point(|run| run.output <= place);
            let behind = index.checked_sub(1).and_then(|index| self.runs.get(index));
            // How much of the run comes from one run of this map, and how much of that is linear.
            let until = self.runs.get(index).map_or(u32::MAX, |next| next.output).saturating_sub(place);
            let linear = behind.map_or(0, |behind| (behind.input + behind.span).saturating_sub(source));
            let left = run.span.saturating_sub(done);
            let span = linear.min(left).min(until).max(1);
            push(runs, Run { output: run.output + done, input: source, span });
            if until >= left.max(1) || done.saturating_add(until) >= len {
                return;
            }
            done += until;
        }
    }
}

/// Finds the input offset of an output offset.
pub(crate) fn source(runs: &[Run], output: u32) -> Option<usize> {
    let after = runs.partition_point(|run| run.output <= output);
    let run = runs.get(after.checked_sub(1)?)?;
    Some(run.source(output) as usize)
}

/// Adds a run, which may go on where the last one ends.
pub(crate) fn push(runs: &mut Vec<Run>, run: Run) {
    if let Some(last) = runs.last_mut()
        && last.output + last.span == run.output
        && last.input + last.span == run.input
    {
        last.span += run.span;
        return;
    }
    runs.push(run);
}
