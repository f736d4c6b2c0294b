//! Code points of strings, for FROM and PATTERN constraints.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

use crate::pattern::{Matcher, Step};
use crate::{
    Bmp, Captured, Ia5, Numeric, ObjectDescriptor, Printable, Universal, Utf8, Visible,
    types::{General, Graphic, Teletex, Videotex},
};

/// A string to which FROM and PATTERN constraints apply (X.680 §51.7, §51.9).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot have a FROM or PATTERN constraint: it has no characters",
    note = "implement `codec::constraint::Characters` for a newtype of a string"
)]
pub trait Characters {
    /// Calls `with` for each code point until it returns `false`. Returns whether it always returned `true`.
    fn all(&self, with: impl FnMut(u32) -> bool) -> bool;

    /// Returns whether the whole string matches a compiled regular expression.
    fn matches(&self, steps: &[Step]) -> bool {
        let mut matcher = Matcher::new(steps);
        self.all(|point| matcher.feed(point)) && matcher.finish()
    }
}

macro_rules! octets {
    ($($name:ident),*) => {$(
        impl Characters for $name<'_> {
            fn all(&self, mut with: impl FnMut(u32) -> bool) -> bool {
                self.as_bytes().iter().all(|octet| with(u32::from(*octet)))
            }
        }
    )*};
}

// One octet a character; what Teletex, Videotex, Graphic and General strings hold is not taken apart into characters.
octets!(Numeric, Printable, Ia5, Visible, Teletex, Videotex, Graphic, General, ObjectDescriptor);

macro_rules! chars {
    ($($name:ident),*) => {$(
        impl Characters for $name<'_> {
            fn all(&self, mut with: impl FnMut(u32) -> bool) -> bool {
                self.chars().all(|character| with(character.into()))
            }
        }
    )*};
}

chars!(Bmp, Universal);

impl Characters for &str {
    fn all(&self, mut with: impl FnMut(u32) -> bool) -> bool {
        self.chars().all(|character| with(character.into()))
    }
}

impl Characters for Utf8<'_> {
    fn all(&self, with: impl FnMut(u32) -> bool) -> bool {
        self.as_str().all(with)
    }
}

#[cfg(feature = "alloc")]
mod owned {
    use alloc::borrow::Cow;
    use alloc::string::String;

    use super::Characters;
    use crate::{Ia5String, NumericString, PrintableString, VisibleString};

    macro_rules! text {
        ($($name:ty),*) => {$(
            impl Characters for $name {
                fn all(&self, with: impl FnMut(u32) -> bool) -> bool {
                    let text: &str = self;
                    text.all(with)
                }
            }
        )*};
    }

    text!(String, Cow<'_, str>, Ia5String, NumericString, PrintableString, VisibleString);
}

#[cfg(feature = "alloc")]
impl<T: Characters> Characters for Box<T> {
    fn all(&self, with: impl FnMut(u32) -> bool) -> bool {
        (**self).all(with)
    }
}

impl<T: Characters> Characters for Captured<'_, T> {
    fn all(&self, with: impl FnMut(u32) -> bool) -> bool {
        (**self).all(with)
    }
}
