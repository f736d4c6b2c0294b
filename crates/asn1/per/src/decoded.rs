//! The result of decoding.

use tagwise_codec::value::Value;

use crate::rules::Rule;

/// A decoded value, with the violations that were tolerated.
#[derive(Clone, Debug)]
pub struct Decoded<'s> {
    /// The value.
    pub value: Value<'s>,
    /// The violated rules, with the offset of each violation in bits.
    pub deviations: Vec<(Rule, u64)>,
    /// The rules of violated constraints that the options tolerate, with the offset of each value in bits.
    pub violations: Vec<(&'static tagwise_codec::Rule, u64)>,
    /// The position of each component, and of padding in PER, if requested.
    pub positions: Vec<Position>,
}

/// The position of a value in an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The component's path; empty for the outermost value.
    pub path: String,
    /// The offset of the first bit.
    pub start: u64,
    /// The offset after the last bit.
    pub end: u64,
    /// True for padding bits in front of or within the component, or behind the encoding that it contains.
    pub is_padding: bool,
}

impl Position {
    /// The path of the innermost value that contains a bit, from positions in the order of decoding. It is empty for the
    /// outermost value, and for bits behind it.
    ///
    /// ```
    /// use tagwise_per::Position;
    /// let list = [("", 0, 9), ("a", 1, 4), ("b", 4, 9)];
    /// let list = list.map(|(path, start, end)| Position { path: path.to_owned(), start, end, is_padding: false });
    /// assert_eq!([0, 3, 4, 9].map(|bit| Position::at(&list, bit)), ["", "a", "b", ""]);
    /// ```
    #[must_use]
    pub fn at(list: &[Self], bit: u64) -> &str {
        Self::find(list, bit).map_or("", |found| &found.path)
    }

    /// The innermost position that contains a bit: of a value, or of padding.
    #[must_use]
    pub fn find(list: &[Self], bit: u64) -> Option<&Self> {
        list.iter().rfind(|position| (position.start..position.end).contains(&bit))
    }
}
