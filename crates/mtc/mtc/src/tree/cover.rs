//! Covering of a range of new entries with two subtrees (MTC §4.5).

use super::Subtree;

/// Returns two adjacent subtrees that cover `[start, end)`. The first may begin before `start`, and the second ends at
/// `end`. Either may be empty. For ranges of at most one leaf, the second is empty. Returns `None` if `start` is after
/// `end`.
///
/// ```
/// use tagwise_mtc::tree::cover;
/// let [left, right] = cover(5, 13).unwrap();
/// assert_eq!((left.to_string(), right.to_string()), ("[4, 8)".into(), "[8, 13)".into()));
/// ```
#[must_use]
pub const fn cover(start: u64, end: u64) -> Option<[Subtree; 2]> {
    let Some(size) = end.checked_sub(start) else { return None };
    if size <= 1 {
        return Some([Subtree::known(start, end), Subtree::known(end, end)]);
    }
    let last = end - 1;
    // At least two leaves: start and last differ in a bit.
    let split = 63 - (start ^ last).leading_zeros();
    let mask = (1u64 << split) - 1;
    let middle = last & !mask;
    let left_bits = 64 - (!start & mask).leading_zeros();
    // `left_bits` is at most `split`, so below 64.
    let left = start & !((1u64 << left_bits) - 1);
    Some([Subtree::known(left, middle), Subtree::known(middle, end)])
}
