//! Streams: values of any size, read from anything that can be read, in constant memory.
//!
//! - [`Events`] is the pull parser: start, chunks of content, end. [`NamedEvents`] is the same with the names that a type
//!   gives to the elements.
//! - [`Items`] decodes the items of one SEQUENCE OF somewhere inside a value one after the other; [`SliceItems`] does so on a
//!   slice, for instance a mapped file, without copying anything.
//! - [`Content`] reads the content of one string, for instance what a CMS message carries.
//!
//! Offsets are u64 and absolute. Values are not canonicalised here, and nothing that needs a whole value is checked: the order
//! of a SET OF, for one.

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
pub use items::{Item, Items, items};
pub use names::{NamedEvents, Place};
pub use slice::{SliceItems, slice_items};

/// The encoding rules that a stream is held to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// X.690 §10 and §11: definite, minimal lengths; strings primitive; canonical content.
    #[default]
    Der,
    /// X.690 §8: any length form; strings primitive or in segments; content in any form that §8 knows.
    Ber,
    /// X.690 §9 and §11: constructed elements indefinite, others with minimal lengths; strings above 1000 octets in segments
    /// of 1000; canonical content.
    Cer,
}

impl Rules {
    /// The forms of lengths that are read.
    pub(crate) const fn lengths(self) -> Lengths {
        Lengths { long: matches!(self, Self::Ber), indefinite: !matches!(self, Self::Der) }
    }
}

/// Rules and limits of a stream.
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
    /// Default size of a content chunk: 64 KiB.
    pub const CHUNK: usize = 64 * 1024;
    /// Default limit of an item's length: 1 MiB.
    pub const ITEM: usize = 1024 * 1024;

    /// Default number of bytes kept of an element of a SET or SET OF for the order: 4 KiB.
    pub const ORDER: usize = 4096;

    /// One value in DER, with the default budget.
    pub const fn der() -> Self {
        Self::new(Rules::Der)
    }

    /// One value under these rules, with the default budget.
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

    /// Sets the budget. Its depth counts constructed elements, its elements all that are met; nothing is written, so its
    /// output is of no meaning here.
    pub const fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Sets how many octets of content come in one chunk, which is also the size of the buffer; at least 266.
    pub const fn chunk(mut self, octets: usize) -> Self {
        self.chunk = octets;
        self
    }

    /// Allows any number of values, one after the other, none included.
    pub const fn concatenated(mut self) -> Self {
        self.concatenated = true;
        self
    }

    /// Passes over zero bytes behind values, which no value begins with: space that was kept for a signature and not filled, as in PDF
    /// (ISO 32000-2 §12.8.3.3.1), or the rest of a block.
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

    /// Sets how many octets one item of [`Items`] may take; the buffer grows as far where an item needs it.
    pub const fn item(mut self, octets: usize) -> Self {
        self.item = octets;
        self
    }

    /// Sets how many octets are kept of an element of a SET or SET OF, to compare it with the next one under DER and CER: twice as
    /// many for each set that stands in another. 0 leaves the order unchecked. Elements that are alike for longer are not
    /// compared; [`Events::order_unknown`] says so.
    pub const fn order(mut self, octets: usize) -> Self {
        self.order = octets;
        self
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }
}
