//! Decoding into a caller's memory, and encoding from it, without a [`Value`](super::Value) in between.
//!
//! The memory's owner implements [`Target`] and [`Origin`]: how a component, an item or a content is stored and found
//! again. [`Dynamic`] drives them by the type's table. Both directions accept and refuse what the functions on values do.

mod decode;
mod encode;
mod keys;
mod output;

use alloc::vec::Vec;

use super::{Dynamic, Value};
use crate::encode::EncodeError;
use crate::error::Error;
use crate::fault::Fault;
use crate::options::Session;
use crate::reader::Reader;
use crate::table::{ObjectSet, Type};

/// The memory cannot store or supply a value. Its owner knows why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Memory that is decoded into. Every place is zeroed at first.
///
/// ```
/// use tagwise_codec::table::Type;
/// use tagwise_codec::value::{Dynamic, Stopped, Target, Value};
/// use tagwise_codec::SeqOf;
///
/// /// Adds up the bytes of all contents.
/// struct Sum(u64);
///
/// impl<'a> Target<'a> for Sum {
///     type Place = ();
///     fn leaf(&mut self, (): (), _: &'a Type, content: &'a [u8]) {
///         self.0 += content.iter().map(|byte| u64::from(*byte)).sum::<u64>();
///     }
///     fn items(&mut self, (): (), _: usize) -> Result<(), Stopped> {
///         Ok(())
///     }
///     fn part(&mut self, (): (), _: usize) -> Result<(), Stopped> {
///         Ok(())
///     }
/// }
///
/// let mut sum = Sum(0);
/// let numbers = Dynamic::of::<SeqOf<'_, u8>>();
/// numbers.decode_into(&[0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07], &mut sum, ())?;
/// assert_eq!(sum.0, 12);
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
pub trait Target<'a> {
    /// A place in the memory, of a type that the table describes.
    type Place: Copy;

    /// Stores the content bytes of a type without components. Called before constraints are checked, so an owner who
    /// cannot store them keeps the reason for later.
    fn leaf(&mut self, place: Self::Place, base: &'a Type, content: &'a [u8]);

    /// The place of a component that is present, of the alternative of a CHOICE, or of an item, by its index.
    ///
    /// # Errors
    /// If there is none.
    fn part(&mut self, place: Self::Place, index: usize) -> Result<Self::Place, Stopped>;

    /// Makes room for the items of a list, and returns the place that contains them.
    ///
    /// # Errors
    /// If there is no room.
    fn items(&mut self, place: Self::Place, count: usize) -> Result<Self::Place, Stopped>;

    /// Marks a component as absent, with its DEFAULT value if it has one. It may have been stored before.
    fn absent(&mut self, place: Self::Place, index: usize, default: Option<&Value<'_>>) {
        let _ = (place, index, default);
    }

    /// Stores the unknown extension additions of a SEQUENCE or SET, of which there is at least one.
    fn additions(&mut self, place: Self::Place, elements: &[&'a [u8]]) {
        let _ = (place, elements);
    }

    /// Stores an element of an unknown type: that of an open type, or an unknown alternative. Part of another value may
    /// have been stored there before.
    fn unknown(&mut self, place: Self::Place, element: &'a [u8]) {
        let _ = (place, element);
    }

    /// The place of the value of an open type, by the index of the object that selects its type.
    ///
    /// # Errors
    /// If there is none.
    fn selected(&mut self, place: Self::Place, set: &'a ObjectSet, object: usize) -> Result<Self::Place, Stopped> {
        let _ = set;
        self.part(place, object)
    }

    /// The place of the value that an OCTET STRING or BIT STRING contains.
    ///
    /// # Errors
    /// If there is none.
    fn contained(&mut self, place: Self::Place) -> Result<Self::Place, Stopped> {
        Ok(place)
    }
}

/// Memory that is encoded from.
///
/// ```
/// use tagwise_codec::table::Type;
/// use tagwise_codec::value::{Chosen, Dynamic, Origin, Stopped};
/// use tagwise_codec::SeqOf;
///
/// struct Numbers([u8; 2]);
///
/// impl<'v> Origin<'v> for Numbers {
///     /// The list, or the index of an item.
///     type Place = Option<usize>;
///     fn leaf<'s>(&'s mut self, at: Option<usize>, _: &Type, _: &'s mut Vec<u8>) -> Result<&'s [u8], Stopped> {
///         let at = at.ok_or(Stopped)?;
///         self.0.get(at..=at).ok_or(Stopped)
///     }
///     fn part(&mut self, _: Option<usize>, index: usize) -> Result<Option<Option<usize>>, Stopped> {
///         Ok(Some(Some(index)))
///     }
///     fn items(&mut self, _: Option<usize>) -> Result<(usize, Option<usize>), Stopped> {
///         Ok((self.0.len(), None))
///     }
/// }
///
/// let numbers = Dynamic::of::<SeqOf<'_, u8>>();
/// assert_eq!(numbers.encode_from(&mut Numbers([5, 7]), None)?, [0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07]);
/// # Ok::<(), tagwise_codec::EncodeError>(())
/// ```
pub trait Origin<'v> {
    /// A place in the memory, of a type that the table describes.
    type Place: Copy;

    /// The content bytes of a type without components: bytes of the memory, or bytes that were put into `scratch`.
    ///
    /// # Errors
    /// If there is no such value.
    fn leaf<'s>(&'s mut self, place: Self::Place, base: &Type, scratch: &'s mut Vec<u8>) -> Result<&'s [u8], Stopped>;

    /// The place of a component or an item, by its index; `None` for a component that is absent.
    ///
    /// # Errors
    /// If there is no such value.
    fn part(&mut self, place: Self::Place, index: usize) -> Result<Option<Self::Place>, Stopped>;

    /// The number of items, and the place that contains them.
    ///
    /// # Errors
    /// If there is no list.
    fn items(&mut self, place: Self::Place) -> Result<(usize, Self::Place), Stopped>;

    /// The unknown extension additions, one after the other.
    ///
    /// # Errors
    /// If there is no such value.
    fn additions(&mut self, place: Self::Place) -> Result<&'v [u8], Stopped> {
        let _ = place;
        Ok(&[])
    }

    /// The alternative of a CHOICE, or the value of an open type.
    ///
    /// # Errors
    /// If there is none.
    fn chosen(&mut self, place: Self::Place) -> Result<Chosen<'v, Self::Place>, Stopped> {
        let _ = place;
        Err(Stopped)
    }

    /// Returns whether the value of an open type has the type that an object selects.
    fn is_selected(&self, chosen: usize, set: &ObjectSet, object: usize) -> bool {
        let _ = set;
        chosen == object
    }

    /// The place of the value that an OCTET STRING or BIT STRING contains.
    ///
    /// # Errors
    /// If there is none.
    fn contained(&mut self, place: Self::Place) -> Result<Self::Place, Stopped> {
        Ok(place)
    }
}

/// The alternative of a CHOICE, or the value of an open type.
#[derive(Clone, Copy, Debug)]
pub enum Chosen<'v, P> {
    /// The alternative with this index.
    Alternative(usize, P),
    /// An element of an unknown type.
    Unknown(&'v [u8]),
}

impl<'s> Dynamic<'s> {
    /// Decodes an input that must be exactly one value of the type into memory. Tolerated deviations are not listed. Types
    /// that [`Options::register`](crate::Options::register) adds are unknown here.
    ///
    /// # Errors
    /// The errors of [`Dynamic::decode`]. If the memory stopped the decoding, [`Kind::Internal`](crate::Kind::Internal):
    /// its owner knows why.
    pub fn decode_into<'a, T: Target<'a>>(&self, input: &'a [u8], target: &mut T, place: T::Place) -> Result<(), Error>
    where
        's: 'a,
    {
        let session = Session::new(*self.options_in_force());
        let mut read = || -> Result<(), Fault> {
            let mut reader = Reader::with_session(input, &session)?;
            decode::value(self.types(), self.ty(), &mut reader, target, place)?;
            reader.finish()
        };
        read().map_err(|fault| Error::locate_in(fault, self.types().tables(), self.ty(), input, 0))
    }

    /// Encodes a value of the type from memory, in DER. Constraints are checked.
    ///
    /// # Errors
    /// The errors of [`Dynamic::encode`]. If the memory stopped the encoding, [`Kind::Internal`](crate::Kind::Internal)
    /// with the path: its owner knows why.
    pub fn encode_from<'v, O: Origin<'v>>(&self, origin: &mut O, place: O::Place) -> Result<Vec<u8>, EncodeError> {
        encode::value(self.types(), self.ty(), origin, place, self.options_in_force().budget_in_force().output, true)
    }

    /// [`Dynamic::encode_from`] for display: constraints are not checked.
    ///
    /// # Errors
    /// If the value does not match the type otherwise.
    pub fn encode_unconstrained<'v, O: Origin<'v>>(
        &self,
        origin: &mut O,
        place: O::Place,
    ) -> Result<Vec<u8>, EncodeError> {
        encode::value(self.types(), self.ty(), origin, place, self.options_in_force().budget_in_force().output, false)
    }
}
