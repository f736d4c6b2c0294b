//! Resolves the path to a selector from an open type, or from a value constrained by a component relation (X.682 §10.7).

/// One path to a selector: where it starts, and its component names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selector<'t> {
    /// The number of SEQUENCEs and SETs to step out of, if specified. Otherwise, the path starts in the innermost one that
    /// has a component with the first name.
    pub(crate) level: Option<usize>,
    names: &'t str,
}

impl<'t> Selector<'t> {
    /// Iterates over the comma-separated paths in a text. If there are several, their components select the type together.
    pub(crate) fn all(text: &'t str) -> impl Iterator<Item = Self> + Clone {
        text.split(',').map(Self::one)
    }

    fn one(text: &'t str) -> Self {
        let text = text.trim();
        let names = text.trim_start_matches('@').trim_start_matches('.');
        let dots = text.trim_start_matches('@').len() - names.len();
        let level = if text.starts_with('@') { dots.checked_sub(1) } else { None };
        Self { level, names }
    }

    /// Returns the names on the path.
    pub(crate) fn names(self) -> impl Iterator<Item = &'t str> + Clone {
        self.names.split('.').filter(|name| !name.is_empty())
    }

    /// Finds the structure in which the path starts. `around` yields the enclosing structures, innermost first. `has`
    /// returns whether a structure has a component with a given name.
    pub(crate) fn start<S>(self, mut around: impl Iterator<Item = S>, has: impl Fn(&S, &str) -> bool) -> Option<S> {
        let first = self.names().next()?;
        match self.level {
            Some(level) => around.nth(level).filter(|structure| has(structure, first)),
            None => around.find(|structure| has(structure, first)),
        }
    }
}

/// The key that selects an object. For one selecting component, the key is its content. For several, each component's
/// content is preceded by its length.
#[derive(Debug, Default)]
pub(crate) struct Key {
    octets: alloc::vec::Vec<u8>,
}

impl Key {
    /// Appends the content bytes of one of several components.
    pub(crate) fn push(&mut self, content: &[u8]) {
        let len = content.len();
        if len < 0x80 {
            self.octets.push(len as u8);
        } else {
            let octets = len.to_be_bytes();
            let zeros = octets.iter().take_while(|octet| **octet == 0).count();
            let digits = octets.get(zeros..).unwrap_or_default();
            self.octets.push(0x80 | digits.len() as u8);
            self.octets.extend_from_slice(digits);
        }
        self.octets.extend_from_slice(content);
    }

    /// Returns the key's bytes.
    pub(crate) fn into_octets(self) -> alloc::vec::Vec<u8> {
        self.octets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn levels_and_names() {
        let of = |text| {
            let one = Selector::all(text).next().map(|one| (one.level, one.names().collect::<Vec<_>>()));
            one.unwrap_or_default()
        };
        assert_eq!(of("extnID"), (None, alloc::vec!["extnID"]));
        assert_eq!(of("@a.b"), (None, alloc::vec!["a", "b"]));
        assert_eq!(of("@.a"), (Some(0), alloc::vec!["a"]));
        assert_eq!(of("@...a.b"), (Some(2), alloc::vec!["a", "b"]));
        assert_eq!(Selector::all("@.a, @.b").count(), 2);
    }

    #[test]
    fn keys_of_several() {
        let mut key = Key::default();
        key.push(&[1, 2]);
        key.push(&[7; 200]);
        let octets = key.into_octets();
        assert_eq!((octets.len(), octets.get(..6)), (205, Some(&[2, 1, 2, 0x81, 200, 7][..])));
    }
}
