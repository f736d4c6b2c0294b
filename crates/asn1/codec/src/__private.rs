//! Support code for `#[derive(Asn1)]`: constraints, extension addition groups, the order of SET components and
//! compile-time tag checks. Hand-written types may use it too.

#[cfg(feature = "dynamic")]
mod by_table;
mod characters;
#[cfg(not(feature = "dynamic"))]
mod no_table;
mod octets;

use core::marker::PhantomData;
use core::mem;

use crate::decode::{Decode, Tagged};
use crate::encode::EncodeError;
use crate::fault::Fault;
use crate::kind::FaultKind;
use crate::oid::Oid;
use crate::open_list::OpenListOf;
use crate::options::{Budget, Options, Session};
use crate::reader::Reader;
#[cfg(feature = "dynamic")]
use crate::rule::RuleSet;
use crate::seq_of::{SeqOf, SetOf};
use crate::table::{DefaultValue, Field, List, Presence, Text, TypeRef};
use crate::tag::Tag;
use crate::{BitStr, Int, OctetStr};
use crate::{
    Bmp, Captured, General, Graphic, Ia5, Numeric, ObjectDescriptor, Printable, Teletex, Universal, Utf8, Videotex,
    Visible,
};

#[cfg(feature = "dynamic")]
pub use self::by_table::{component_obeys, component_written, newtype_obeys, newtype_written};
pub use self::characters::Characters;
#[cfg(not(feature = "dynamic"))]
pub use self::no_table::{component_obeys, component_written, newtype_obeys, newtype_written};
pub use self::octets::{FromOctets, Octets};
#[cfg(feature = "alloc")]
pub use alloc::boxed::Box;

/// Returns the DEFAULT value of an absent component, decoded from its DER.
///
/// # Errors
/// Returns [`FaultKind::Internal`] if the DER is not a value of the type: the schema is at fault, not the input.
#[cold]
pub fn default_of<'a, T: Decode<'a>>(der: &'static [u8], reader: &Reader<'_, '_>) -> Result<T, Fault> {
    // The fault that is dropped counts from the DEFAULT's own octets: in an error it would point into the input.
    decoded(der).map_err(|_| reader.fault(FaultKind::Internal, reader.position()))
}

/// Returns whether a value equals its component's DEFAULT value, which is passed as DER.
#[must_use]
pub fn is_default<'a, T: Decode<'a> + PartialEq>(value: &T, der: &'static [u8]) -> bool {
    decoded::<T>(der).is_ok_and(|default| default == *value)
}

fn decoded<'a, T: Decode<'a>>(der: &'static [u8]) -> Result<T, Fault> {
    let mut reader = Reader::new(der)?;
    let value = T::decode(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// A value whose size a SIZE constraint can limit (X.680 §51.5), in bytes, bits, characters or elements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot have a SIZE constraint",
    note = "implement `codec::constraint::Measure` for a newtype of a string or list"
)]
pub trait Measure {
    /// Returns the size in the unit that SIZE counts: bytes, bits, characters or elements.
    fn size(&self) -> usize;

    /// Returns whether the size is at least `min` and at most `max`.
    #[inline]
    fn size_within(&self, min: usize, max: usize) -> bool {
        (min..=max).contains(&self.size())
    }
}

impl Measure for OctetStr<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn size(&self) -> usize {
        self.len()
    }
}

impl Measure for &[u8] {
    #[inline]
    fn size(&self) -> usize {
        self.len()
    }
}

impl<T, const N: usize> Measure for [T; N] {
    #[inline]
    fn size(&self) -> usize {
        N
    }
}

impl Measure for BitStr<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn size(&self) -> usize {
        usize::try_from(self.bit_len()).unwrap_or(usize::MAX)
    }
}

macro_rules! octets {
    ($($name:ident),*) => {$(
        impl Measure for $name<'_> {
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn size(&self) -> usize {
                self.as_bytes().len()
            }
        }
    )*};
}

// One octet a character; what Teletex, Videotex, Graphic and General strings hold is not taken apart into characters.
octets!(Numeric, Printable, Ia5, Visible, Teletex, Videotex, Graphic, General, ObjectDescriptor);

macro_rules! chars {
    ($($name:ident),*) => {$(
        impl Measure for $name<'_> {
            fn size(&self) -> usize {
                self.chars().count()
            }
        }
    )*};
}

chars!(Bmp, Universal);

impl Measure for &str {
    fn size(&self) -> usize {
        self.chars().count()
    }

    #[inline]
    fn size_within(&self, min: usize, max: usize) -> bool {
        // A character takes one to four octets, so the count of octets mostly decides.
        (self.len() <= max && self.len().div_ceil(4) >= min) || (min..=max).contains(&self.size())
    }
}

impl Measure for Utf8<'_> {
    fn size(&self) -> usize {
        self.as_str().size()
    }

    #[inline]
    fn size_within(&self, min: usize, max: usize) -> bool {
        self.as_str().size_within(min, max)
    }
}

#[cfg(feature = "alloc")]
mod owned {
    use alloc::borrow::Cow;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::{Measure, Number};
    use crate::{BitString, Ia5String, IntBuf, NumericString, OctetString, PrintableString, SetVec, VisibleString};

    macro_rules! text {
        ($($name:ty),*) => {$(
            impl Measure for $name {
                fn size(&self) -> usize {
                    self.chars().count()
                }

                fn size_within(&self, min: usize, max: usize) -> bool {
                    let text: &str = self;
                    text.size_within(min, max)
                }
            }
        )*};
    }

    text!(String, Cow<'_, str>, Ia5String, NumericString, PrintableString, VisibleString);

    macro_rules! counted {
        ($([$($param:ident)?] $name:ty),*) => {$(
            impl<$($param)?> Measure for $name {
                fn size(&self) -> usize {
                    self.len()
                }
            }
        )*};
    }

    counted!([] OctetString, [] Cow<'_, [u8]>, [] super::Box<[u8]>, [T] Vec<T>, [T] SetVec<T>);

    impl Measure for BitString {
        fn size(&self) -> usize {
            self.as_bit_str().size()
        }
    }

    impl Number for IntBuf {
        fn within(&self, min: Option<i128>, max: Option<i128>) -> bool {
            self.as_int().within(min, max)
        }
    }
}

#[cfg(feature = "alloc")]
impl<T: Measure> Measure for Box<T> {
    fn size(&self) -> usize {
        (**self).size()
    }

    fn size_within(&self, min: usize, max: usize) -> bool {
        (**self).size_within(min, max)
    }
}

impl<T: Measure> Measure for Captured<'_, T> {
    fn size(&self) -> usize {
        (**self).size()
    }

    fn size_within(&self, min: usize, max: usize) -> bool {
        (**self).size_within(min, max)
    }
}

impl<S, const SET: bool> Measure for OpenListOf<'_, S, SET> {
    fn size(&self) -> usize {
        self.len()
    }
}

macro_rules! collections {
    ($($name:ident),*) => {$(
        impl<'a, T: Decode<'a> + Clone> Measure for $name<'a, T> {
            fn size(&self) -> usize {
                self.len()
            }

            #[inline]
            fn size_within(&self, min: usize, max: usize) -> bool {
                // Counting takes a walk; the most common constraint, SIZE (1..MAX), needs none.
                match (min, max) {
                    (1, usize::MAX) => !self.is_empty(),
                    _ => (min..=max).contains(&self.len()),
                }
            }
        }
    )*};
}

collections!(SeqOf, SetOf);

/// A number that an INTEGER value constraint can limit (X.680 §51.4).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot have a value constraint: it is not a number",
    note = "implement `codec::constraint::Number` for a newtype of an integer"
)]
pub trait Number {
    /// Returns whether the number is within an inclusive range. An absent bound is MIN or MAX.
    fn within(&self, min: Option<i128>, max: Option<i128>) -> bool;
}

macro_rules! natives {
    ($($native:ident),*) => {$(
        impl Number for $native {
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            fn within(&self, min: Option<i128>, max: Option<i128>) -> bool {
                // An unsigned number above i128::MAX is above every end that is given.
                match i128::try_from(*self) {
                    Ok(number) => min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max),
                    Err(_) => max.is_none(),
                }
            }
        }
    )*};
}

natives!(i8, i16, i32, i64, i128, u8, u16, u32, u64, u128);

impl Number for Int<'_> {
    #[inline]
    fn within(&self, min: Option<i128>, max: Option<i128>) -> bool {
        match i128::try_from(*self) {
            Ok(number) => number.within(min, max),
            Err(_) if self.is_negative() => min.is_none(),
            Err(_) => max.is_none(),
        }
    }
}

/// Runs a type's own check on a value that was already read, from `at` to the reader's position. `read` decodes the value
/// again, without the type's checks, and `check` receives the result. For use as a [`Constraint::Check`].
///
/// [`Constraint::Check`]: crate::table::Constraint::Check
///
/// # Errors
/// Returns any error from `check`, and any error from `read` that no rule can tolerate. Returns [`FaultKind::Internal`] if the
/// feature `dynamic` is disabled, because only dynamic values are checked by tables.
#[cfg_attr(not(feature = "dynamic"), expect(unused_variables, reason = "nothing is checked by tables"))]
pub fn recheck<'a, T>(
    reader: &Reader<'a, '_>,
    at: usize,
    read: impl FnOnce(&mut Reader<'a, '_>, usize) -> Result<T, Fault>,
    check: impl FnOnce(&T, &Reader<'a, '_>, usize) -> Result<(), Fault>,
) -> Result<(), Fault> {
    #[cfg(feature = "dynamic")]
    {
        let session = Session::new(again(reader).rules(RuleSet::ALL));
        let value = read_again(reader, at, &session, true, read)?;
        check(&value, reader, at)
    }
    #[cfg(not(feature = "dynamic"))]
    Err(reader.fault(FaultKind::Internal, at))
}

/// Checks that the Rust type can represent a value that was already read, from `at` to the reader's position. `read`
/// decodes it again as the Rust type. For use as a [`Constraint::Check`](crate::table::Constraint::Check).
///
/// # Errors
/// Returns any error from `read`. Returns [`FaultKind::Internal`] if the feature `dynamic` is disabled, as for [`recheck`].
#[cfg_attr(not(feature = "dynamic"), expect(unused_variables, reason = "nothing is checked by tables"))]
pub fn held<'a, T>(
    reader: &Reader<'a, '_>,
    at: usize,
    read: impl FnOnce(&mut Reader<'a, '_>, usize) -> Result<T, Fault>,
) -> Result<(), Fault> {
    #[cfg(feature = "dynamic")]
    {
        let session = Session::new(again(reader));
        read_again(reader, at, &session, false, read).map(|_| ())
    }
    #[cfg(not(feature = "dynamic"))]
    Err(reader.fault(FaultKind::Internal, at))
}

/// Returns options for a separate session that tolerates the same rule violations as the reader's. The separate session prevents
/// deviations and elements from being recorded or counted twice.
pub(crate) fn again<'o>(reader: &Reader<'_, 'o>) -> Options<'o> {
    let options = reader.options();
    options.budget(Budget { depth: Budget::MAX_DEPTH, ..Budget::DEFAULT })
}

#[cfg(feature = "dynamic")]
fn read_again<'a, T>(
    reader: &Reader<'a, '_>,
    at: usize,
    session: &Session<'_>,
    outline: bool,
    read: impl FnOnce(&mut Reader<'a, '_>, usize) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let base = reader.offset().wrapping_sub(reader.position()).wrapping_add(at);
    let content = reader.since(at);
    let again = Reader::with_session(content, session)?.at_base(base);
    read(&mut if outline { again.outlined() } else { again }, content.len())
}

/// A component that selects the type of an open type. Its content bytes are the key.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot select the type of an open type",
    note = "an open type is selected by an `Oid` or an `Int`, or by a type that implements `codec::constraint::Selector`"
)]
pub trait Selector<'a> {
    /// Returns the content bytes used as the key.
    fn key(&self) -> &'a [u8];
}

impl<'a, T: Selector<'a>> Selector<'a> for &T {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn key(&self) -> &'a [u8] {
        (**self).key()
    }
}

impl<'a> Selector<'a> for Oid<'a> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn key(&self) -> &'a [u8] {
        self.as_bytes()
    }
}

impl<'a> Selector<'a> for Int<'a> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn key(&self) -> &'a [u8] {
        self.as_bytes()
    }
}

/// Reads the first remaining element that matches a SET component, out of order. Returns `None` if no element matches or
/// if the element is malformed. A malformed element is reported when its component is decoded in order.
pub fn look_ahead<'a, T>(
    reader: &Reader<'a, '_>,
    starts: impl Fn(&Reader<'a, '_>) -> bool,
    read: impl FnOnce(&mut Reader<'a, '_>) -> Result<T, Fault>,
) -> Option<T> {
    look_ahead_in(reader.rest(), again(reader), starts, read)
}

/// Like [`look_ahead`], but searches the given bytes, the rest of a SET's content.
pub(crate) fn look_ahead_in<'a, T>(
    rest: &'a [u8],
    options: Options<'_>,
    starts: impl Fn(&Reader<'a, '_>) -> bool,
    read: impl FnOnce(&mut Reader<'a, '_>) -> Result<T, Fault>,
) -> Option<T> {
    let session = Session::new(options);
    let mut ahead = Reader::with_session(rest, &session).ok()?;
    while !ahead.is_empty() {
        if starts(&ahead) {
            return read(&mut ahead).ok();
        }
        ahead.skip().ok()?;
    }
    None
}

/// The table of an extension addition group (X.680 §25.1: `[[ … ]]`). Its components are encoded inline in the
/// SEQUENCE.
pub trait GroupFields {
    /// The group's components.
    const FIELDS: &'static [Field];
}

/// Decodes an extension addition group.
pub trait DecodeGroup<'a>: GroupFields + Sized {
    /// Returns whether the next element can be a component of the group.
    fn starts(reader: &Reader<'a, '_>) -> bool;

    /// Reads the components. At least one must be present.
    ///
    /// # Errors
    /// Returns any decoding error in a component.
    fn decode_components(reader: &mut Reader<'a, '_>) -> Result<Self, Fault>;
}

/// Encodes an extension addition group.
pub trait EncodeGroup {
    /// Returns the encoded size of the components.
    fn components_len(&self) -> usize;

    /// Writes the components.
    ///
    /// # Errors
    /// Returns any encoding error in a component.
    fn encode_components(&self, writer: &mut crate::Writer<'_>) -> Result<(), EncodeError>;
}

/// One part of a SEQUENCE table.
#[derive(Debug)]
pub enum Part {
    /// A single component.
    One(Field),
    /// The components of an extension addition group, and the group's number.
    Group(&'static [Field], u16),
}

/// Returns the number of components in all parts.
#[must_use]
pub const fn fields_len(parts: &[Part]) -> usize {
    let (mut rest, mut len) = (parts, 0);
    while let [part, after @ ..] = rest {
        len += match part {
            Part::One(_) => 1,
            Part::Group(fields, _) => fields.len(),
        };
        rest = after;
    }
    len
}

/// Flattens all parts into a constant array of components. `N` must be their [`fields_len`].
#[expect(clippy::indexing_slicing, reason = "constant evaluation: an index out of bounds is a compile error")]
#[must_use]
pub const fn fields<const N: usize>(parts: &[Part]) -> [Field; N] {
    let mut all = [const { Field::new("", TypeRef::of::<bool>()) }; N];
    let (mut rest, mut next) = (parts, 0);
    while let [part, after @ ..] = rest {
        let (mut members, group): (&[Field], _) = match part {
            Part::One(field) => (core::slice::from_ref(field), field.group),
            Part::Group(fields, group) => (*fields, Some(*group)),
        };
        while let [field, others @ ..] = members {
            // What is replaced is forgotten, for constants cannot drop.
            mem::forget(mem::replace(&mut all[next], copy(field, group)));
            members = others;
            next += 1;
        }
        rest = after;
    }
    all
}

/// Copies a component of a constant table, and sets its addition group. Lists built at run time cannot occur here.
const fn copy(field: &Field, group: Option<u16>) -> Field {
    const fn list<T>(list: &List<T>) -> List<T> {
        match list {
            List::Const(items) => List::Const(items),
            #[cfg(feature = "alloc")]
            List::Owned(_) => List::EMPTY,
        }
    }
    Field {
        name: match field.name {
            Text::Const(name) => Text::Const(name),
            #[cfg(feature = "alloc")]
            Text::Owned(_) => Text::Const(""),
        },
        ty: field.ty,
        tagging: list(&field.tagging),
        presence: match &field.presence {
            Presence::Required => Presence::Required,
            Presence::Optional => Presence::Optional,
            Presence::Default(DefaultValue::Write(write)) => Presence::Default(DefaultValue::Write(*write)),
            Presence::Default(DefaultValue::Der(der)) => Presence::Default(DefaultValue::Der(list(der))),
        },
        group,
        constraints: list(&field.constraints),
        secret: field.secret,
        containing: field.containing,
    }
}

/// Checks that SET components are in tag order (X.690 §10.3).
#[derive(Debug, Default)]
pub struct SetOrder {
    last: Option<Tag>,
}

impl SetOrder {
    /// Creates a checker that has seen no component.
    #[must_use]
    pub const fn new() -> Self {
        Self { last: None }
    }

    /// Checks the tag of the next component.
    ///
    /// # Errors
    /// Returns [`FaultKind::SetOrder`] or [`FaultKind::SetDuplicate`] at the component, or the error of a malformed tag.
    #[inline]
    pub fn next(&mut self, reader: &Reader<'_, '_>) -> Result<(), Fault> {
        let tag = reader.peek()?;
        if let Some(last) = self.last {
            if tag.same(last) {
                return Err(reader.fault(FaultKind::SetDuplicate, reader.position()));
            }
            if tag < last {
                return Err(reader.fault(FaultKind::SetOrder, reader.position()));
            }
        }
        self.last = Some(tag);
        Ok(())
    }
}

/// Sorts encoded SET components by tag (X.690 §10.3), in place.
pub fn order_components(octets: &mut [u8]) {
    // What is in order before `done` is not touched again, unless a later component belongs there.
    let (mut done, mut last) = (0, None);
    while let Some((tag, len)) = component(octets, done) {
        let end = done + len;
        if last.is_some_and(|last| tag < last) {
            let mut place = 0;
            while let Some((_, len)) = component(octets, place).filter(|(placed, _)| *placed < tag) {
                place += len;
            }
            if let Some(part) = octets.get_mut(place..end) {
                part.rotate_right(len);
            }
        } else {
            last = Some(tag);
        }
        done = end;
    }
}

/// Returns the tag and encoded size of the component that starts at `place`.
fn component(octets: &[u8], place: usize) -> Option<(Tag, usize)> {
    let mut reader = Reader::new(octets.get(place..)?).ok()?;
    let tag = reader.peek().ok()?;
    Some((tag, reader.skip().ok()?.len()))
}

/// Looks up a type's tag at compile time, if it has one: `TagOf::<T>::TAG`, with [`MaybeTagged`] in scope.
///
/// The result is correct only if `T` is a concrete type.
#[derive(Debug)]
pub struct TagOf<T>(PhantomData<T>);

impl<T: Tagged> TagOf<T> {
    /// The type's tag.
    pub const TAG: Option<Tag> = Some(T::TAG);
}

/// Fallback for [`TagOf`] for types without a single tag of their own.
pub trait MaybeTagged {
    /// Always `None`.
    const TAG: Option<Tag> = None;
}

impl<T> MaybeTagged for TagOf<T> {}

/// Returns whether `tag` differs from all known tags in the list.
#[must_use]
pub const fn is_free(tag: Option<Tag>, tags: &[Option<Tag>]) -> bool {
    let Some(tag) = tag else { return true };
    let mut rest = tags;
    while let [other, after @ ..] = rest {
        if let Some(other) = other
            && other.same(tag)
        {
            return false;
        }
        rest = after;
    }
    true
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;

    #[test]
    fn components_are_put_in_the_order_of_their_tags() {
        // [1] 0A, [0] (constructed), INTEGER 5, [APPLICATION 0], [31]: class first, then number.
        let mut octets = [0x81, 1, 0x0A, 0xA0, 0, 2, 1, 5, 0x40, 0, 0x9F, 0x1F, 0];
        order_components(&mut octets);
        assert_eq!(octets, [2, 1, 5, 0x40, 0, 0xA0, 0, 0x81, 1, 0x0A, 0x9F, 0x1F, 0]);
    }

    #[test]
    fn numbers_beyond_native_size_are_compared() {
        let huge = [1; 20];
        assert!(Int::from_signed(&huge).within(Some(0), None));
        assert!(!Int::from_signed(&huge).within(None, Some(5)));
        let low = [0x80; 20];
        assert!(Int::from_signed(&low).within(None, Some(5)));
        assert!(!Int::from_signed(&low).within(Some(i128::MIN), None));
        assert!(200u8.within(Some(0), Some(200)) && !201u8.within(Some(0), Some(200)));
        assert!(u128::MAX.within(Some(0), None) && !u128::MAX.within(None, Some(i128::MAX)));
    }

    #[test]
    fn sizes_count_characters() {
        // Four characters in seven octets.
        let text = Utf8::new("€uro");
        assert!(text.size() == 4 && text.size_within(4, 4) && text.size_within(1, 64));
        assert!(!text.size_within(5, 9) && !text.size_within(1, 3));
        assert!(OctetStr::new(&[0; 3]).size_within(3, usize::MAX));
    }

    #[test]
    fn tags_are_asked_for_at_compile_time() {
        assert_eq!(TagOf::<bool>::TAG, Some(Tag::BOOLEAN));
        assert_eq!(TagOf::<crate::Any<'_>>::TAG, None);
        assert!(is_free(Some(Tag::NULL), &[Some(Tag::BOOLEAN), None]));
        assert!(!is_free(Some(Tag::context(0)), &[Some(Tag::context(0).constructed())]));
    }
}
