//! Patterns of names.

/// A pattern: a name, or all names below a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    name: String,
    below: bool,
}

impl std::str::FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, below) = text.strip_prefix("*.").map_or((text, false), |name| (name, true));
        if name.is_empty() || name.contains('*') || name.starts_with('.') {
            return Err("expected a name such as www.example.org, or *.example.org for all names below".to_owned());
        }
        Ok(Self { name: name.trim_end_matches('.').to_ascii_lowercase(), below })
    }
}

impl Pattern {
    /// Returns whether the pattern covers a name in a certificate. A wildcard in a certificate stands for one label (RFC 9525 §6.3),
    /// so it also matches each name that it covers.
    pub(super) fn matches(&self, name: &str) -> bool {
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        if self.below {
            return name.strip_suffix(&self.name).is_some_and(|rest| rest.ends_with('.'));
        }
        match name.strip_prefix("*.") {
            Some(parent) => self.name.split_once('.').is_some_and(|(_, own)| own == parent) || self.name == name,
            None => self.name == name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, name, matches) in [
            ("*.example.org", "www.example.org", true),
            ("*.example.org", "a.b.Example.org", true),
            ("*.example.org", "*.example.org", true),
            ("*.example.org", "example.org", false),
            ("*.example.org", "wwwexample.org", false),
            ("*.example.org", "www.example.org.attacker.example", false),
            ("example.org", "example.org.", true),
            ("example.org", "www.example.org", false),
            ("www.example.org", "*.example.org", true),
            ("a.www.example.org", "*.example.org", false),
        ] {
            assert_eq!(
                pattern.parse::<Pattern>().map(|pattern| pattern.matches(name)),
                Ok(matches),
                "{pattern} {name}"
            );
        }
        for text in ["", "*.", "*", "a.*.example"] {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
    }
}
