//! Header protection (RFC 9788): header fields inside the signature or encryption of a mail, compared with those outside.

use super::entity::{Entity, Field};

/// The scheme of header protection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scheme {
    /// `hp="clear"`: the fields are also outside, unchanged (RFC 9788 §2.1).
    Clear,
    /// `hp="cipher"`: the message is encrypted, and some fields outside are removed or obscured (RFC 9788 §2.1).
    Cipher,
    /// The whole mail is inside, as message/rfc822 (RFC 8551 §3.1).
    Wrapped,
}

impl Scheme {
    /// The name: `clear`, `cipher`, `wrapped`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Cipher => "cipher",
            Self::Wrapped => "wrapped",
        }
    }
}

/// A protected header field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protected {
    /// The field inside.
    pub field: Field,
    /// The value of the field outside, if it is there.
    pub outside: Option<String>,
    /// Set if the sender did not put this value outside, so that only recipients can read it.
    pub confidential: bool,
    /// Set if the field outside is not what the sender put there.
    pub changed: bool,
}

/// The header fields of a mail, inside and outside.
///
/// ```
/// use tagwise_input::mail::{Field, Protection, Scheme};
/// let outside = [Field { name: "Subject".to_owned(), value: "Lunch".to_owned() }];
/// let payload = b"Content-Type: text/plain; hp=\"clear\"\r\nSubject: Dinner\r\n\r\nAt eight.\r\n";
/// let protection = Protection::of(&outside, payload).unwrap();
/// assert_eq!(protection.scheme, Scheme::Clear);
/// assert!(protection.fields[0].changed);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protection {
    /// The scheme.
    pub scheme: Scheme,
    /// The protected fields, in order.
    pub fields: Vec<Protected>,
    /// The fields outside that are not inside, or more often than inside. They are not protected.
    pub unprotected: Vec<Field>,
}

impl Protection {
    /// Compares the header of a mail with the header inside its innermost cryptographic layer. Returns `None` if the headers
    /// are not protected.
    #[must_use]
    pub fn of(outside: &[Field], payload: &[u8]) -> Option<Self> {
        let entity = Entity::read(payload)?;
        let hp = entity.parameter("hp").map(|scheme| scheme.to_ascii_lowercase());
        let (scheme, inside) = match hp.as_deref() {
            Some("clear") => (Scheme::Clear, entity.fields),
            Some("cipher") => (Scheme::Cipher, entity.fields),
            _ if entity.kind() == "message/rfc822" => (Scheme::Wrapped, Entity::read(&entity.decoded().ok()?)?.fields),
            _ => return None,
        };
        // RFC 9788 §2.2: the fields outside, as the sender wrote them.
        let recorded: Vec<Field> = inside.iter().filter(|field| field.is("hp-outer")).filter_map(recorded).collect();
        let is_own = |field: &&Field| !field.is_structural() && !field.is("hp-outer");
        let inside: Vec<&Field> = inside.iter().filter(is_own).collect();
        let mut fields = Vec::new();
        for (at, field) in inside.iter().enumerate() {
            // Fields of one name are compared in order.
            let nth = inside.iter().take(at).filter(|other| other.is(&field.name)).count();
            let of_name = |list: &[Field]| list.iter().filter(|other| other.is(&field.name)).nth(nth).cloned();
            let outer = of_name(outside);
            let expected = match scheme {
                Scheme::Cipher => of_name(&recorded),
                Scheme::Clear | Scheme::Wrapped => Some((*field).clone()),
            };
            let same = |one: &Option<Field>, other: &Option<Field>| match (one, other) {
                (Some(one), Some(other)) => unfolded(&one.value) == unfolded(&other.value),
                (one, other) => one.is_none() && other.is_none(),
            };
            fields.push(Protected {
                field: (*field).clone(),
                confidential: scheme == Scheme::Cipher && !same(&expected, &Some((*field).clone())),
                changed: !same(&outer, &expected),
                outside: outer.map(|field| field.value),
            });
        }
        // Each field inside protects one outside.
        let mut unprotected = Vec::new();
        for (at, field) in outside.iter().enumerate().filter(|(_, field)| !field.is_structural()) {
            let nth = outside.iter().take(at).filter(|other| other.is(&field.name)).count();
            if inside.iter().filter(|inner| inner.is(&field.name)).nth(nth).is_none() {
                unprotected.push(field.clone());
            }
        }
        Some(Self { scheme, fields, unprotected })
    }
}

/// The field in an `HP-Outer` field: a name, a colon and a value.
fn recorded(field: &Field) -> Option<Field> {
    let (name, value) = field.value.split_once(':')?;
    Some(Field { name: name.trim().to_owned(), value: value.trim().to_owned() })
}

/// A value with each run of white space as one space. Lines are folded anew in transit (RFC 5322 §2.2.3).
fn unfolded(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<Field> {
        Entity::read(text.as_bytes()).unwrap().fields
    }

    #[test]
    fn obscured_subjects_are_confidential_and_not_changed() {
        let payload = b"Content-Type: text/plain; hp=\"cipher\"\r\nSubject: Secret plan\r\nFrom: eva@example.org\r\n\
            Keywords: x\r\nHP-Outer: Subject: [...]\r\nHP-Outer: From: eva@example.org\r\n\r\nHello\r\n";
        let outside =
            fields("Subject: [...]\nFrom: eva@example.org\nTo: ben@example.org\nContent-Type: text/plain\n\n");
        let found = Protection::of(&outside, payload).unwrap();
        assert_eq!(found.scheme, Scheme::Cipher);
        let rows: Vec<_> =
            found.fields.iter().map(|field| (&*field.field.name, field.confidential, field.changed)).collect();
        assert_eq!(rows, [("Subject", true, false), ("From", false, false), ("Keywords", true, false)]);
        assert_eq!(found.unprotected.iter().map(|field| &*field.name).collect::<Vec<_>>(), ["To"]);
        // Somebody changed the sender outside.
        let outside = fields("Subject: [...]\nFrom: mallory@example.org\n\n");
        let found = Protection::of(&outside, payload).unwrap();
        assert!(found.fields.iter().find(|field| field.field.is("from")).unwrap().changed);
    }

    #[test]
    fn surplus_fields_are_not_protected() {
        let payload = b"Subject: one\r\nFrom: eva@example.org\r\nContent-Type: text/plain; hp=clear\r\n\r\n";
        let of = |outside: &str| Protection::of(&fields(outside), payload).unwrap();
        let found = of("From: eva@example.org\nFrom: boss@example.org\nSubject: one\nSUBJECT: two\n\n");
        assert!(found.fields.iter().all(|field| !field.changed));
        assert_eq!(
            found.unprotected.iter().map(|field| &*field.value).collect::<Vec<_>>(),
            ["boss@example.org", "two"]
        );
        // The other way round, the first differs.
        let found = of("From: boss@example.org\nFrom: eva@example.org\nSubject: one\n\n");
        assert!(found.fields.iter().any(|field| field.field.is("from") && field.changed));
        assert_eq!(of("From: eva@example.org\nSubject: one\n\n").unprotected, []);
    }

    #[test]
    fn folding_is_not_a_change_and_removal_is() {
        let payload = b"Subject: one two\r\nContent-Type: text/plain; hp=clear\r\n\r\n";
        let of = |outside: &str| Protection::of(&fields(outside), payload).unwrap().fields[0].clone();
        assert!(!of("Subject: one\n two\n\n").changed);
        assert!(of("Subject: one three\n\n").changed);
        assert!(of("From: eva@example.org\n\n").changed);
    }

    #[test]
    fn other_payloads_are_not_protected() {
        let outside = fields("Subject: x\n\n");
        for payload in
            ["Content-Type: text/plain\n\nx", "Subject: y\n\nx", "no header", "Content-Type: a/b; hp=\"x\"\n\n"]
        {
            assert_eq!(Protection::of(&outside, payload.as_bytes()), None, "{payload}");
        }
        let wrapped = b"Content-Type: message/rfc822\n\nSubject: inner\n\nHello";
        let found = Protection::of(&outside, wrapped).unwrap();
        assert_eq!((found.scheme, &*found.fields[0].field.value), (Scheme::Wrapped, "inner"));
    }
}
