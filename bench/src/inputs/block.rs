//! Values one behind the other in one block of memory, as a store that was read or mapped has them.

use memmap2::MmapMut;

/// What a large page of most machines has. A block begins and ends at one.
const LARGE: usize = 2 << 20;

/// Puts the values into one block, which stays as long as the process does: inputs are few and wanted to the end.
///
/// Blocks of 2 MiB and more ask for large pages. With small ones each third certificate begins a page that the processor has to find
/// first, which says as much of the machine as of a library; every library gets the same block.
pub(crate) fn together(values: &[Vec<u8>]) -> Vec<&'static [u8]> {
    let mut rest: &'static mut [u8] = block(values.iter().map(Vec::len).sum());
    let mut parts = Vec::with_capacity(values.len());
    for value in values {
        let (part, behind) = rest.split_at_mut(value.len());
        part.copy_from_slice(value);
        parts.push(&*part);
        rest = behind;
    }
    parts
}

/// So many zeros.
fn block(len: usize) -> &'static mut [u8] {
    large(len).unwrap_or_else(|| vec![0; len].leak())
}

/// The same at the start of a large page, if the system has such memory to give.
fn large(len: usize) -> Option<&'static mut [u8]> {
    if len < LARGE {
        return None;
    }
    let map = MmapMut::map_anon(len.checked_next_multiple_of(LARGE)?.checked_add(LARGE)?).ok()?;
    // Where the kernel has none to give, pages stay small and the values are the same.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    let start = map.as_ptr().align_offset(LARGE);
    Box::leak(Box::new(map)).get_mut(start..)?.get_mut(..len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_or_moved() {
        for size in [0, 1, 1000, 70_000] {
            let values: Vec<Vec<u8>> = (0..50u8)
                .map(|number| vec![number; size + usize::from(number)])
                .collect();
            let parts = together(&values);
            assert_eq!(parts, values);
            let ends = parts.iter().zip(parts.iter().skip(1));
            assert!(
                ends.into_iter()
                    .all(|(one, next)| one.as_ptr_range().end == next.as_ptr())
            );
        }
    }
}
