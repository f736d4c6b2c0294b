//! The sizes of numbers and strings.

use tagwise_per::plan::Bounds;

/// The size of a fixed-size number, with its sign, or `None` for numbers behind a length (§10).
pub(crate) fn size(bounds: Bounds) -> (Option<u32>, bool) {
    let bounds = if bounds.extensible { Bounds::default() } else { bounds };
    match (bounds.min, bounds.max) {
        (Some(0..), Some(max)) => ([1, 2, 4, 8].into_iter().find(|size| max < 1 << (8 * size)), false),
        (Some(0..), None) => (None, false),
        (Some(min), Some(max)) => {
            let fits = |size: &u32| min >= -(1 << (8 * size - 1)) && max < 1 << (8 * size - 1);
            ([1, 2, 4, 8].into_iter().find(fits), true)
        }
        (None, _) | (_, None) => (None, true),
    }
}

/// The fixed size of all values, if there is one.
pub(crate) fn fixed(size: Bounds) -> Option<u64> {
    let max = size.max.filter(|_| !size.extensible && size.min == size.max)?;
    u64::try_from(max).ok()
}
