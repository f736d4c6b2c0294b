//! Associated data: authenticated together with the ciphertext, but not part of it.

/// Bytes that are authenticated at a given offset in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beside<'a> {
    /// The offset in the text. Offsets must be in ascending order.
    pub(crate) at: usize,
    pub(crate) octets: &'a [u8],
}

impl Beside<'_> {
    /// Returns the byte ranges to authenticate: the text with the associated data inserted at its offsets.
    pub(crate) fn pieces<'t>(text: &'t [u8], beside: &[Beside<'t>]) -> Vec<&'t [u8]> {
        let (mut pieces, mut rest, mut done) = (Vec::new(), text, 0_usize);
        for one in beside {
            let (before, after) = rest.split_at_checked(one.at.saturating_sub(done)).unwrap_or((rest, &[]));
            pieces.extend([before, one.octets]);
            (rest, done) = (after, one.at);
        }
        pieces.push(rest);
        pieces
    }

    /// Adjusts the offsets for a text that begins `by` bytes earlier.
    pub(super) fn shifted(beside: &[Self], by: usize) -> Vec<Self> {
        beside.iter().map(|one| Self { at: one.at.saturating_add(by), ..*one }).collect()
    }
}
