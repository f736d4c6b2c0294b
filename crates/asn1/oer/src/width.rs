//! The sizes of numbers and strings, and the forms of REALs.

use tagwise_codec::Real;
use tagwise_per::plan::{Bounds, RealForm, Wide};

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

/// Returns whether an INTEGER with bounds beyond 128 bits has a sign (§10).
pub(crate) fn is_signed(bounds: &Wide) -> bool {
    let min = bounds.min.as_ref().filter(|_| !bounds.extensible);
    min.is_none_or(|min| min.first().is_some_and(|first| *first >= 0x80))
}

/// The bounds of a number of that sign behind a length.
pub(crate) fn behind_length(is_signed: bool) -> Bounds {
    Bounds { min: if is_signed { None } else { Some(0) }, ..Bounds::default() }
}

/// The fixed size of all values, if there is one.
pub(crate) fn fixed(size: Bounds) -> Option<u64> {
    let max = size.max.filter(|_| !size.extensible && size.min == size.max)?;
    u64::try_from(max).ok()
}

/// The bytes of a REAL in a form of IEEE 754 (§12.2, §12.3), if it has exactly this value.
pub(crate) fn real(real: &Real<'_>, form: RealForm) -> Option<Vec<u8>> {
    let float = real.to_f64();
    if float.is_nan() {
        return Some(match form {
            RealForm::Binary32 => 0x7FC0_0000u32.to_be_bytes().to_vec(),
            _ => 0x7FF8_0000_0000_0000u64.to_be_bytes().to_vec(),
        });
    }
    if Real::from_f64(float) != *real {
        return None;
    }
    match form {
        RealForm::Binary32 => {
            let short = float as f32;
            (f64::from(short).to_bits() == float.to_bits()).then(|| short.to_be_bytes().to_vec())
        }
        _ => Some(float.to_be_bytes().to_vec()),
    }
}

/// Adds zero bits to the content of named bits, up to the smallest size. Returns `None` if that is larger than any list of flags.
pub(crate) fn least(mut content: Vec<u8>, size: Bounds) -> Option<Vec<u8>> {
    let min = size.min.filter(|min| *min > 0 && !size.extensible).map_or(Ok(0), usize::try_from).ok()?;
    let unused = content.first().copied().unwrap_or_default();
    if content.len().saturating_sub(1).saturating_mul(8).saturating_sub(unused.into()) >= min {
        return Some(content);
    }
    let octets = min.div_ceil(8);
    if octets > 1 << 16 {
        return None;
    }
    content.resize(octets + 1, 0);
    if let Some(unused) = content.first_mut() {
        *unused = ((8 - min % 8) % 8) as u8;
    }
    Some(content)
}
