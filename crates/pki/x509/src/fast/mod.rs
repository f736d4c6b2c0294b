//! Hand-written fast paths for common certificates and CRLs, based on byte comparison. Each returns the same result as
//! the general decoder, or `None`. In that case, the general decoder reads the same bytes and reports any error. Tests
//! compare both on every corpus and on mutations.

mod certificate;
mod entry;
mod extension;
mod frame;
mod touch;
mod usual;

pub(crate) use certificate::{algorithm, certificate, loaded, sound};
pub(crate) use entry::entry;
pub(crate) use extension::outlined as extension;
pub(crate) use frame::{Frame, Span, WHOLE_HEADER, whole};
pub(crate) use touch::touch;

/// Splits off a leading element with the identifier byte `tag`, and returns its content and the rest. Supports lengths up to
/// 65,535.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn element(octets: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    match octets {
        [found, len, tail @ ..] if *found == tag && *len < 0x80 => tail.split_at_checked(usize::from(*len)),
        [found, 0x82, high, low, tail @ ..] if *found == tag && *high != 0 => {
            tail.split_at_checked(usize::from(*high) << 8 | usize::from(*low))
        }
        [found, 0x81, len, tail @ ..] if *found == tag && *len >= 0x80 => tail.split_at_checked(usize::from(*len)),
        _ => None,
    }
}
