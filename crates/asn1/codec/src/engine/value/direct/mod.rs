//! Decoding into a caller's memory, and encoding from it, without a [`Value`](super::Value) in between.
//!
//! The memory's owner implements [`Target`] and [`Origin`], which store and retrieve components, items and contents.
//! [`Dynamic`] calls them according to the type's table. Both directions accept and reject the same values as the functions on
//! [`Value`](super::Value)s.

mod decode;
mod encode;
mod keys;
mod output;

use alloc::vec::Vec;

use self::decode::{At, element, stopped};
use super::decode::{Expect, dangling};
use super::late::Selection;
use super::{Dynamic, Types, Value};
use crate::encode::EncodeError;
use crate::error::Error;
use crate::fault::Fault;
use crate::options::Session;
use crate::reader::Reader;
use crate::table::{ObjectSet, Type};

/// The error of memory that cannot store or supply a value. Only the memory's owner knows the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Memory into which a value is decoded. All places are initially zeroed.
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
    /// A location in the memory for a value of a type in the table.
    type Place: Copy;

    /// Stores the content bytes of a type without components. Called before constraints are checked. If the content cannot be
    /// stored, the owner must record the reason and report it later.
    fn leaf(&mut self, place: Self::Place, base: &'a Type, content: &'a [u8]);

    /// Returns the place of a present component, of the chosen alternative of a CHOICE, or of a list item. `index` counts from
    /// 0.
    ///
    /// # Errors
    /// Returns [`Stopped`] if there is no such place.
    fn part(&mut self, place: Self::Place, index: usize) -> Result<Self::Place, Stopped>;

    /// Allocates space for the items of a list, and returns the place that contains them.
    ///
    /// # Errors
    /// Returns [`Stopped`] if there is not enough space.
    fn items(&mut self, place: Self::Place, count: usize) -> Result<Self::Place, Stopped>;

    /// Marks a component as absent, with its DEFAULT value, if any. The component may already have been stored.
    fn absent(&mut self, place: Self::Place, index: usize, default: Option<&Value<'_>>) {
        let _ = (place, index, default);
    }

    /// Stores the unknown extension additions of a SEQUENCE or SET. There is at least one.
    fn additions(&mut self, place: Self::Place, elements: &[&'a [u8]]) {
        let _ = (place, elements);
    }

    /// Stores an element of unknown type: the value of an open type, or an unknown alternative. Part of another value may
    /// already have been stored there.
    fn unknown(&mut self, place: Self::Place, element: &'a [u8]) {
        let _ = (place, element);
    }

    /// Returns the place of the value of an open type. `object` is the index of the object in `set` that selects the type.
    ///
    /// # Errors
    /// Returns [`Stopped`] if there is no such place.
    fn selected(&mut self, place: Self::Place, set: &'a ObjectSet, object: usize) -> Result<Self::Place, Stopped> {
        let _ = set;
        self.part(place, object)
    }

    /// Returns the place of the value that an OCTET STRING or BIT STRING contains.
    ///
    /// # Errors
    /// Returns [`Stopped`] if there is no such place.
    fn contained(&mut self, place: Self::Place) -> Result<Self::Place, Stopped> {
        Ok(place)
    }
}

/// Memory from which a value is encoded.
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
    /// A location in the memory of a value of a type in the table.
    type Place: Copy;

    /// Returns the content bytes of a type without components, borrowed from the memory or from `scratch`, which the function
    /// may fill.
    ///
    /// # Errors
    /// Returns [`Stopped`] if there is no such value.
    fn leaf<'s>(&'s mut self, place: Self::Place, base: &Type, scratch: &'s mut Vec<u8>) -> Result<&'s [u8], Stopped>;

    /// Returns the place of a component or list item by its index, or `None` if the component is absent.
    ///
    /// # Errors
    /// Returns [`Stopped`] if there is no such value.
    fn part(&mut self, place: Self::Place, index: usize) -> Result<Option<Self::Place>, Stopped>;

    /// Returns the number of items, and the place that contains them.
    ///
    /// # Errors
    /// Returns [`Stopped`] if there is no list.
    fn items(&mut self, place: Self::Place) -> Result<(usize, Self::Place), Stopped>;

    /// Returns the concatenated encodings of the unknown extension additions.
    ///
    /// # Errors
    /// Returns [`Stopped`] if there is no such value.
    fn additions(&mut self, place: Self::Place) -> Result<&'v [u8], Stopped> {
        let _ = place;
        Ok(&[])
    }

    /// Returns the alternative of a CHOICE, or the value of an open type.
    ///
    /// # Errors
    /// Returns [`Stopped`] if there is no such value.
    fn chosen(&mut self, place: Self::Place) -> Result<Chosen<'v, Self::Place>, Stopped> {
        let _ = place;
        Err(Stopped)
    }

    /// Returns whether a chosen open type value has the type selected by the object with index `object` in `set`. `chosen` is
    /// the index in [`Chosen::Alternative`].
    fn is_selected(&self, chosen: usize, set: &ObjectSet, object: usize) -> bool {
        let _ = set;
        chosen == object
    }

    /// Returns the place of the value that an OCTET STRING or BIT STRING contains.
    ///
    /// # Errors
    /// Returns [`Stopped`] if there is no such place.
    fn contained(&mut self, place: Self::Place) -> Result<Self::Place, Stopped> {
        Ok(place)
    }
}

/// The chosen alternative of a CHOICE, or the value of an open type.
#[derive(Clone, Copy, Debug)]
pub enum Chosen<'v, P> {
    /// The alternative with this index.
    Alternative(usize, P),
    /// An element of an unknown type.
    Unknown(&'v [u8]),
}

impl<'s> Dynamic<'s> {
    /// Decodes an input that must be exactly one value of the type into memory. Tolerated deviations are not listed. Types
    /// added with [`Options::register`](crate::Options::register) are treated as unknown.
    ///
    /// # Errors
    /// The errors of [`Dynamic::decode`]. If the memory stopped the decoding, [`FaultKind::Internal`](crate::FaultKind::Internal):
    /// its owner knows why.
    pub fn decode_into<'a, T: Target<'a>>(&self, input: &'a [u8], target: &mut T, place: T::Place) -> Result<(), Error>
    where
        's: 'a,
    {
        let session = Session::new(*self.options_in_force());
        let locate = |fault| Error::locate_in(fault, self.types().tables(), self.ty(), input, 0);
        let mut out = Out { target, late: Vec::new() };
        let mut read = || -> Result<(), Fault> {
            let mut reader = Reader::with_session(input, &session)?;
            decode::value(self.types(), self.ty(), &mut reader, &mut out, place)?;
            reader.finish()
        };
        read().map_err(locate)?;
        if session.is_late() {
            // Finds the selectors, and checks what depends on them.
            let selections = self.selections(input)?;
            store_late(self.types(), &selections, &mut out, &session).map_err(locate)?;
        }
        Ok(())
    }

    /// Encodes a value of the type from memory, in DER. Constraints are checked.
    ///
    /// # Errors
    /// The errors of [`Dynamic::encode`]. If the memory stopped the encoding, [`FaultKind::Internal`](crate::FaultKind::Internal)
    /// with the path: its owner knows why.
    pub fn encode_from<'v, O: Origin<'v>>(&self, origin: &mut O, place: O::Place) -> Result<Vec<u8>, EncodeError> {
        encode::value(self.types(), self.ty(), origin, place, self.options_in_force().budget_in_force().output, true)
    }

    /// Like [`Dynamic::encode_from`], but without checking constraints. Use it for display.
    ///
    /// # Errors
    /// Returns an error if the value does not match the type in other respects.
    pub fn encode_unconstrained<'v, O: Origin<'v>>(
        &self,
        origin: &mut O,
        place: O::Place,
    ) -> Result<Vec<u8>, EncodeError> {
        encode::value(self.types(), self.ty(), origin, place, self.options_in_force().budget_in_force().output, false)
    }
}

/// Memory, and the values that it stores last.
struct Out<'t, 'a, T: Target<'a>> {
    target: &'t mut T,
    late: Vec<Late<'a, T::Place>>,
}

/// A value whose selector had not been read. Nothing is stored in its place yet.
struct Late<'a, P> {
    place: P,
    set: &'a ObjectSet,
    octets: &'a [u8],
    offset: usize,
    /// The number of further levels allowed.
    depth: u32,
}

/// Stores the values that came before their selectors, with the types that decoding the whole value has selected.
fn store_late<'a, T: Target<'a>>(
    types: Types<'a>,
    selections: &[Selection],
    out: &mut Out<'_, 'a, T>,
    session: &Session<'_>,
) -> Result<(), Fault> {
    // A value that is stored may contain others.
    while let Some(Late { place, set, octets, offset, depth }) = out.late.pop() {
        let object = selections.iter().find(|one| one.offset == offset).and_then(|one| one.object);
        let Some(object) = object else {
            out.target.unknown(place, octets);
            continue;
        };
        let mut reader = Reader::with_session(octets, session)?.at_base(offset).at_depth(depth);
        let ty = set.objects.get(object).and_then(|object| types.get(&object.ty)).ok_or_else(|| dangling(&reader))?;
        let place = stopped(out.target.selected(place, set, object), &reader)?;
        element(At::new(types), Expect { ty, implicit: None, containing: None }, &mut reader, out, place)?;
        reader.finish()?;
    }
    Ok(())
}
