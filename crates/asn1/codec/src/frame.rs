//! Finds the end of a value in a partial buffer, for sockets.

use crate::fault::Fault;
use crate::head::{self, Lengths, Parsed};
use crate::kind::FaultKind;
use crate::options::{Budget, Options};
use crate::rule::Rule;

/// The extent of the value at the start of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    /// The value is complete and has this size in bytes. The next value may follow.
    Complete(usize),
    /// The value is incomplete: at least this many bytes are missing. The number is exact once the length is known.
    NeedMore(usize),
}

/// Finds the end of the value at the start of a buffer from its header, without examining its content. Lengths must be
/// definite, and minimal unless the options tolerate [`Rule::LONG_LENGTH`], as for [`Options::decode`].
///
/// A server should compare the buffer's size plus the missing bytes to its own limit before it reads on.
///
/// ```
/// use tagwise_codec::{Frame, Options, frame};
/// let options = Options::der();
/// let input = [0x30, 0x03, 0x02, 0x01, 0x05, 0x30];
/// assert_eq!(frame(&input, &options)?, Frame::Complete(5));
/// assert_eq!(frame(&input[..3], &options)?, Frame::NeedMore(2));
/// assert_eq!(frame(&[], &options)?, Frame::NeedMore(2));
/// assert!(frame(&[0x30, 0x80], &options).is_err());
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
///
/// # Errors
/// Returns an error if the header is malformed. Reading more bytes cannot fix it.
pub fn frame(buffer: &[u8], options: &Options<'_>) -> Result<Frame, Fault> {
    scan(buffer, options, false)
}

/// Like [`frame`](crate::frame()), for the input of [`ber::to_der_with`](crate::ber::to_der_with): lengths may also be
/// indefinite. The depth budget limits how many can be open.
///
/// Each call rescans the content of an indefinite length from its start.
///
/// ```
/// use tagwise_codec::{Frame, Options, ber};
/// let options = Options::ber_definite();
/// let input = [0x30, 0x80, 0x02, 0x01, 0x05, 0x00, 0x00];
/// assert_eq!(ber::frame(&input, &options)?, Frame::Complete(7));
/// assert_eq!(ber::frame(&input[..4], &options)?, Frame::NeedMore(3));
/// # Ok::<(), tagwise_codec::Fault>(())
/// ```
///
/// # Errors
/// Returns an error if a header is malformed, or [`FaultKind::DepthExceeded`] if the depth budget is exceeded.
#[cfg(feature = "alloc")]
#[cfg(feature = "ber")]
pub fn frame_ber(buffer: &[u8], options: &Options<'_>) -> Result<Frame, Fault> {
    scan(buffer, options, true)
}

fn scan(buffer: &[u8], options: &Options<'_>, indefinite: bool) -> Result<Frame, Fault> {
    let lengths = Lengths { long: options.tolerated().has(&Rule::LONG_LENGTH), indefinite };
    let depth = usize::from(options.budget_in_force().depth.min(Budget::MAX_DEPTH));
    // Position, and number of indefinite lengths that are open there.
    let (mut at, mut open) = (0usize, 0usize);
    loop {
        let rest = buffer.get(at..).unwrap_or_default();
        let parsed = head::parse(rest, lengths, open > 0);
        match parsed.map_err(|(kind, offset)| Fault::new(kind, at.saturating_add(offset)))? {
            // The rest of the header, and what closes the rest; an element takes two bytes at least.
            Parsed::More(count) => {
                let least = if open == 0 { count.max(2) } else { count.max(2).saturating_add(2 * (open - 1)) };
                return Ok(Frame::NeedMore(least.saturating_sub(rest.len()).max(1)));
            }
            Parsed::EndOfContents => {
                at = at.saturating_add(2);
                open = open.saturating_sub(1);
            }
            Parsed::Header { len: None, size, .. } => {
                if open >= depth {
                    return Err(Fault::new(FaultKind::DepthExceeded, at));
                }
                at = at.saturating_add(size);
                open += 1;
            }
            Parsed::Header { len: Some(len), size, .. } => {
                let end = u64::try_from(at.saturating_add(size)).ok().and_then(|start| start.checked_add(len));
                // The reader takes no more than that.
                let end = end.and_then(|end| u32::try_from(end).ok()).and_then(|end| usize::try_from(end).ok());
                at = end.ok_or_else(|| Fault::new(FaultKind::LengthTooLarge, at))?;
                if at > buffer.len() {
                    return Ok(Frame::NeedMore((at - buffer.len()).saturating_add(2 * open)));
                }
            }
        }
        if open == 0 {
            return Ok(Frame::Complete(at));
        }
    }
}
