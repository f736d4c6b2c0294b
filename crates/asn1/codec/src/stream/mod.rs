//! Streaming: values of any size from any reader, in constant memory.
//!
//! - [`Events`] is the pull parser: start, chunks of content, end. [`NamedEvents`] adds the names from a type to the
//!   elements.
//! - [`Items`] decodes the items of a SEQUENCE OF anywhere inside a value, one by one. [`SliceItems`] does so on a
//!   slice, such as a mapped file, without copying.
//! - [`Content`] reads the content of one string, such as the content of a CMS message.
//!
//! Offsets are absolute 64-bit numbers. Values are not canonicalized, and checks that need a whole value are not performed.
//! The order in a SET or SET OF is checked as far as [`Settings::order`] allows.

mod content;
mod error;
mod event;
mod events;
mod items;
mod names;
mod open;
mod order;
mod scan;
mod slice;
mod source;

use crate::head::Lengths;
use crate::options::Budget;

pub use content::{Content, content};
pub use error::Error;
pub use event::{Chunk, End, Event, Header};
pub use events::Events;
pub use items::{Items, StreamItem, items};
pub use names::{NamedEvents, StreamPlace};
pub use slice::{SliceItems, slice_items};

/// The encoding rules that a stream must follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// X.690 §10 and §11: definite, minimal lengths; primitive strings; canonical content.
    #[default]
    Der,
    /// X.690 §8: any length form; primitive or segmented strings; content in any BER form.
    Ber,
    /// X.690 §9 and §11: constructed elements with indefinite lengths, others with minimal lengths; strings above 1000
    /// bytes in segments of 1000; canonical content.
    Cer,
}

impl Rules {
    /// Returns the length forms that are accepted.
    pub(crate) const fn lengths(self) -> Lengths {
        Lengths { long: matches!(self, Self::Ber), indefinite: !matches!(self, Self::Der) }
    }
}

/// The rules and limits of a stream.
///
/// ```
/// use tagwise_codec::stream::{Events, Rules, Settings};
/// let settings = Settings::new(Rules::Ber).concatenated().chunk(4096);
/// let mut events = Events::with(&b"\x05\x00\x30\x80\x00\x00"[..], settings);
/// let mut count = 0;
/// while events.next()?.is_some() {
///     count += 1;
/// }
/// assert_eq!(count, 4);
/// # Ok::<(), tagwise_codec::stream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Settings {
    pub(crate) rules: Rules,
    pub(crate) budget: Budget,
    pub(crate) chunk: usize,
    pub(crate) concatenated: bool,
    pub(crate) padded: bool,
    pub(crate) item: usize,
    pub(crate) order: usize,
}

impl Settings {
    /// The default content chunk: 64 KiB.
    pub const CHUNK: usize = 64 * 1024;
    /// The default maximum item length: 1 MiB.
    pub const ITEM: usize = 1024 * 1024;

    /// The default number of bytes retained per SET or SET OF element for order checks: 4 KiB.
    pub const ORDER: usize = 4096;

    /// Creates settings for one DER value with the default budget.
    pub const fn der() -> Self {
        Self::new(Rules::Der)
    }

    /// Creates settings for one value under these rules, with the default budget.
    pub const fn new(rules: Rules) -> Self {
        Self {
            rules,
            budget: Budget::DEFAULT,
            chunk: Self::CHUNK,
            concatenated: false,
            padded: false,
            item: Self::ITEM,
            order: Self::ORDER,
        }
    }

    /// Sets the budget. The depth limit applies to constructed elements, and the element limit to all elements. The output
    /// limit is ignored.
    pub const fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Sets the maximum chunk size, in bytes, which is also the buffer size. The minimum is 266.
    pub const fn chunk(mut self, octets: usize) -> Self {
        self.chunk = octets;
        self
    }

    /// Allows any number of concatenated values, including none.
    pub const fn concatenated(mut self) -> Self {
        self.concatenated = true;
        self
    }

    /// Skips zero bytes after values, since no value begins with one. Such bytes are unused space reserved for a signature, as
    /// in PDF (ISO 32000-2 §12.8.3.3.1), or block padding.
    ///
    /// ```
    /// use tagwise_codec::stream::{Events, Rules, Settings};
    /// let mut events = Events::with(&[0x05, 0, 0, 0, 0][..], Settings::new(Rules::Ber).padded());
    /// while events.next()?.is_some() {}
    /// let mut events = Events::with(&[0x05, 0, 0, 0, 5][..], Settings::new(Rules::Ber).padded());
    /// while events.next().is_ok_and(|event| event.is_some()) {}
    /// assert_eq!(events.next().unwrap_err().code(), "trailing-data");
    /// # Ok::<(), tagwise_codec::stream::Error>(())
    /// ```
    pub const fn padded(mut self) -> Self {
        self.padded = true;
        self
    }

    /// Sets the maximum size of an item of [`Items`], in bytes. The buffer grows to this size if necessary.
    pub const fn item(mut self, octets: usize) -> Self {
        self.item = octets;
        self
    }

    /// Sets how many bytes of each SET or SET OF element are retained for order checks under DER and CER. Each nested set uses
    /// twice this amount of memory. 0 disables the check. Elements that agree in all retained bytes are not compared: see
    /// [`Events::order_unknown`].
    pub const fn order(mut self, octets: usize) -> Self {
        self.order = octets;
        self
    }

    /// Returns the encoding rules that the stream must follow.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }
}
