//! PKCS #11 URIs (RFC 7512), which locate a key or certificate in a token: parsing, formatting and matching.

use core::fmt::{self, Write as _};
use core::str::FromStr;

/// A PKCS #11 URI (RFC 7512 §2.3): attributes of an object, its token, slot and library, and how to access them.
///
/// An absent attribute matches anything, so a URI is also a pattern.
///
/// ```
/// use tagwise_messages::pkcs11::{ObjectClass, Pkcs11Uri};
/// let uri: Pkcs11Uri = "pkcs11:token=My%20token;object=web;type=private?module-name=softhsm2".parse()?;
/// assert_eq!(uri.token.as_deref(), Some("My token"));
/// assert_eq!(uri.object_class, Some(ObjectClass::Private));
/// assert_eq!(uri.to_string(), "pkcs11:token=My%20token;object=web;type=private?module-name=softhsm2");
/// # Ok::<(), tagwise_messages::pkcs11::Pkcs11UriError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Pkcs11Uri {
    /// `token`: the token's label.
    pub token: Option<String>,
    /// `manufacturer`: the token's manufacturer.
    pub manufacturer: Option<String>,
    /// `serial`: the token's serial number.
    pub serial: Option<String>,
    /// `model`: the token's model.
    pub model: Option<String>,
    /// `library-manufacturer`: the manufacturer of the PKCS #11 library.
    pub library_manufacturer: Option<String>,
    /// `library-description`: the description of the PKCS #11 library.
    pub library_description: Option<String>,
    /// `library-version`: the major and minor version. A missing minor version is 0.
    pub library_version: Option<(u8, u8)>,
    /// `object`: the label of the object.
    pub object: Option<String>,
    /// `type`: the class of the object.
    pub object_class: Option<ObjectClass>,
    /// `id`: the identifier of the object, as bytes.
    pub id: Option<Vec<u8>>,
    /// `slot-description`: the description of the slot.
    pub slot_description: Option<String>,
    /// `slot-manufacturer`: the manufacturer of the slot.
    pub slot_manufacturer: Option<String>,
    /// `slot-id`: the number of the slot.
    pub slot_id: Option<u64>,
    /// Vendor-specific attributes in the path.
    pub vendor: Vec<(String, Vec<u8>)>,
    /// `pin-source`: the location of the PIN, a URI or a path.
    pub pin_source: Option<String>,
    /// `pin-value`: the PIN itself. Shown by [`Display`](fmt::Display), but not by [`Debug`].
    pub pin_value: Option<String>,
    /// `module-name`: the library name without system-specific prefix and suffix.
    pub module_name: Option<String>,
    /// `module-path`: the path of the library.
    pub module_path: Option<String>,
    /// Vendor-specific attributes in the query.
    pub vendor_query: Vec<(String, Vec<u8>)>,
}

/// The class of a token object (RFC 7512 §2.3, `pk11-type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectClass {
    /// `public`: a public key (CKO_PUBLIC_KEY).
    Public,
    /// `private`: a private key (CKO_PRIVATE_KEY).
    Private,
    /// `cert`: a certificate (CKO_CERTIFICATE).
    Certificate,
    /// `secret-key`: a secret key (CKO_SECRET_KEY).
    SecretKey,
    /// `data`: a data object (CKO_DATA).
    Data,
}

impl ObjectClass {
    const ALL: [Self; 5] = [Self::Public, Self::Private, Self::Certificate, Self::SecretKey, Self::Data];

    /// Returns the name used in URIs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
            Self::Certificate => "cert",
            Self::SecretKey => "secret-key",
            Self::Data => "data",
        }
    }
}

/// An error in a PKCS #11 URI, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pkcs11UriError {
    /// The kind of error.
    pub reason: Pkcs11UriReason,
    /// The offset in the text, in bytes.
    pub offset: usize,
}

/// The kind of an error in a PKCS #11 URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pkcs11UriReason {
    /// The text does not begin with `pkcs11:`.
    Scheme,
    /// An attribute without a name or without `=`.
    Attribute,
    /// A character that must be percent-encoded, or cannot be in a name.
    Character,
    /// `%` without two hexadecimal digits.
    Percent,
    /// Bytes that are not UTF-8, in a text attribute.
    Utf8,
    /// A duplicate attribute.
    Twice,
    /// An invalid value for the attribute, such as an unknown class or a malformed number.
    Value,
    /// The URI contains both `pin-source` and `pin-value`.
    TwoPins,
}

impl fmt::Display for Pkcs11UriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.reason {
            Pkcs11UriReason::Scheme => "a PKCS #11 URI must begin with pkcs11:",
            Pkcs11UriReason::Attribute => "expected an attribute, name=value",
            Pkcs11UriReason::Character => "this character must be percent-encoded",
            Pkcs11UriReason::Percent => "% must be followed by two hexadecimal digits",
            Pkcs11UriReason::Utf8 => "the value is not UTF-8",
            Pkcs11UriReason::Twice => "duplicate attribute",
            Pkcs11UriReason::Value => "invalid attribute value",
            Pkcs11UriReason::TwoPins => "pin-source and pin-value must not both be present",
        };
        write!(f, "{text}, at byte {} (RFC 7512 §2.3)", self.offset)
    }
}

impl std::error::Error for Pkcs11UriError {}

const SCHEME: &str = "pkcs11:";

/// Returns whether a character need not be percent-encoded in a value of the path or query.
const fn is_plain(octet: u8, in_query: bool) -> bool {
    match octet {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => true,
        b':' | b'[' | b']' | b'@' | b'!' | b'$' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b'=' => true,
        b'&' => !in_query,
        b'/' | b'?' | b'|' => in_query,
        _ => false,
    }
}

/// An attribute in the text.
struct Attribute<'t> {
    name: &'t str,
    value: Vec<u8>,
    /// The offset of the name. The offset of the value follows.
    at: usize,
    value_at: usize,
}

const fn error(reason: Pkcs11UriReason, offset: usize) -> Pkcs11UriError {
    Pkcs11UriError { reason, offset }
}

impl<'t> Attribute<'t> {
    fn parse(text: &'t str, at: usize, in_query: bool) -> Result<Self, Pkcs11UriError> {
        let (name, escaped) = text.split_once('=').ok_or(error(Pkcs11UriReason::Attribute, at))?;
        if name.is_empty() {
            return Err(error(Pkcs11UriReason::Attribute, at));
        }
        let is_name = |octet: u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_');
        if let Some(bad) = name.bytes().position(|octet| !is_name(octet)) {
            return Err(error(Pkcs11UriReason::Character, at + bad));
        }
        let value_at = at + name.len() + 1;
        let mut value = Vec::with_capacity(escaped.len());
        let mut rest = escaped.as_bytes();
        while let [first, after @ ..] = rest {
            let here = value_at + escaped.len() - rest.len();
            match (first, after) {
                (b'%', [high, low, after @ ..]) => {
                    let digit = |octet: &u8| char::from(*octet).to_digit(16);
                    let octet = digit(high).zip(digit(low)).ok_or(error(Pkcs11UriReason::Percent, here))?;
                    value.push((octet.0 << 4 | octet.1) as u8);
                    rest = after;
                }
                (b'%', _) => return Err(error(Pkcs11UriReason::Percent, here)),
                (octet, after) if is_plain(*octet, in_query) => {
                    value.push(*octet);
                    rest = after;
                }
                _ => return Err(error(Pkcs11UriReason::Character, here)),
            }
        }
        Ok(Self { name, value, at, value_at })
    }

    fn put<T>(&self, slot: &mut Option<T>, value: Option<T>) -> Result<(), Pkcs11UriError> {
        if slot.is_some() {
            return Err(error(Pkcs11UriReason::Twice, self.at));
        }
        *slot = Some(value.ok_or(error(Pkcs11UriReason::Value, self.value_at))?);
        Ok(())
    }

    fn text(&self, slot: &mut Option<String>) -> Result<(), Pkcs11UriError> {
        let text = String::from_utf8(self.value.clone()).map_err(|bad| {
            error(Pkcs11UriReason::Utf8, self.value_at + bad.utf8_error().valid_up_to().min(self.value.len()))
        })?;
        self.put(slot, Some(text))
    }

    fn number<T: FromStr>(digits: &[u8]) -> Option<T> {
        let digits = core::str::from_utf8(digits).ok()?;
        let are_digits = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        digits.parse().ok().filter(|_| are_digits)
    }
}

impl FromStr for Pkcs11Uri {
    type Err = Pkcs11UriError;

    /// Parses a PKCS #11 URI.
    ///
    /// # Errors
    /// Returns the first error, with its offset.
    fn from_str(text: &str) -> Result<Self, Pkcs11UriError> {
        let scheme = text.get(..SCHEME.len()).filter(|scheme| scheme.eq_ignore_ascii_case(SCHEME));
        let rest = scheme.and_then(|_| text.get(SCHEME.len()..)).ok_or(error(Pkcs11UriReason::Scheme, 0))?;
        let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
        let mut uri = Self::default();
        let mut at = SCHEME.len();
        for part in path.split(';').filter(|_| !path.is_empty()) {
            uri.path_attribute(&Attribute::parse(part, at, false)?)?;
            at += part.len() + 1;
        }
        let mut at = SCHEME.len() + path.len() + 1;
        for part in query.into_iter().filter(|query| !query.is_empty()).flat_map(|query| query.split('&')) {
            uri.query_attribute(&Attribute::parse(part, at, true)?)?;
            at += part.len() + 1;
        }
        Ok(uri)
    }
}

/// Attributes: their names, and their values as bytes.
type Named<'u> = Vec<(&'u str, Vec<u8>)>;

impl Pkcs11Uri {
    fn path_attribute(&mut self, attribute: &Attribute<'_>) -> Result<(), Pkcs11UriError> {
        let value = &*attribute.value;
        match attribute.name {
            "token" => attribute.text(&mut self.token),
            "manufacturer" => attribute.text(&mut self.manufacturer),
            "serial" => attribute.text(&mut self.serial),
            "model" => attribute.text(&mut self.model),
            "library-manufacturer" => attribute.text(&mut self.library_manufacturer),
            "library-description" => attribute.text(&mut self.library_description),
            "library-version" => {
                let mut parts = value.splitn(2, |octet| *octet == b'.');
                let major = parts.next().and_then(Attribute::number);
                let minor = parts.next().map_or(Some(0), Attribute::number);
                attribute.put(&mut self.library_version, major.zip(minor))
            }
            "object" => attribute.text(&mut self.object),
            "type" => {
                let class = ObjectClass::ALL.into_iter().find(|class| class.name().as_bytes() == value);
                attribute.put(&mut self.object_class, class)
            }
            "id" => attribute.put(&mut self.id, Some(value.to_vec())),
            "slot-description" => attribute.text(&mut self.slot_description),
            "slot-manufacturer" => attribute.text(&mut self.slot_manufacturer),
            "slot-id" => attribute.put(&mut self.slot_id, Attribute::number(value)),
            // Those of vendors may be repeated.
            name => {
                self.vendor.push((name.to_owned(), value.to_vec()));
                Ok(())
            }
        }
    }

    fn query_attribute(&mut self, attribute: &Attribute<'_>) -> Result<(), Pkcs11UriError> {
        match attribute.name {
            "pin-source" => attribute.text(&mut self.pin_source)?,
            "pin-value" => attribute.text(&mut self.pin_value)?,
            "module-name" => attribute.text(&mut self.module_name)?,
            "module-path" => attribute.text(&mut self.module_path)?,
            name => self.vendor_query.push((name.to_owned(), attribute.value.clone())),
        }
        // RFC 7512 §2.4: such a URI should be refused.
        let both = self.pin_source.is_some() && self.pin_value.is_some();
        if both { Err(error(Pkcs11UriReason::TwoPins, attribute.at)) } else { Ok(()) }
    }

    /// Returns whether this URI matches an object's own URI: every path attribute must have the same value in both (RFC 7512
    /// §2.5). The query is ignored, because it does not identify objects.
    ///
    /// ```
    /// use tagwise_messages::pkcs11::Pkcs11Uri;
    /// let pattern: Pkcs11Uri = "pkcs11:object=web;type=private".parse()?;
    /// let key: Pkcs11Uri = "pkcs11:token=A;object=web;type=private;id=%01%02".parse()?;
    /// let certificate: Pkcs11Uri = "pkcs11:token=A;object=web;type=cert;id=%01%02".parse()?;
    /// assert!(pattern.matches(&key) && !pattern.matches(&certificate));
    /// # Ok::<(), tagwise_messages::pkcs11::Pkcs11UriError>(())
    /// ```
    #[must_use]
    pub fn matches(&self, object: &Self) -> bool {
        fn is<T: PartialEq>(wanted: &Option<T>, found: &Option<T>) -> bool {
            wanted.is_none() || wanted == found
        }
        is(&self.token, &object.token)
            && is(&self.manufacturer, &object.manufacturer)
            && is(&self.serial, &object.serial)
            && is(&self.model, &object.model)
            && is(&self.library_manufacturer, &object.library_manufacturer)
            && is(&self.library_description, &object.library_description)
            && is(&self.library_version, &object.library_version)
            && is(&self.object, &object.object)
            && is(&self.object_class, &object.object_class)
            && is(&self.id, &object.id)
            && is(&self.slot_description, &object.slot_description)
            && is(&self.slot_manufacturer, &object.slot_manufacturer)
            && is(&self.slot_id, &object.slot_id)
            && self.vendor.iter().all(|attribute| object.vendor.contains(attribute))
    }

    /// Returns the attributes of the path and of the query, in output order, as bytes.
    fn attributes(&self) -> [Named<'_>; 2] {
        let text = |name, value: &Option<String>| value.as_ref().map(|value| (name, value.clone().into_bytes()));
        let version = self.library_version.map(|(major, minor)| format!("{major}.{minor}"));
        let path = [
            text("token", &self.token),
            text("manufacturer", &self.manufacturer),
            text("serial", &self.serial),
            text("model", &self.model),
            text("library-manufacturer", &self.library_manufacturer),
            text("library-description", &self.library_description),
            text("library-version", &version),
            text("slot-manufacturer", &self.slot_manufacturer),
            text("slot-description", &self.slot_description),
            self.slot_id.map(|id| ("slot-id", id.to_string().into_bytes())),
            text("object", &self.object),
            self.object_class.map(|class| ("type", class.name().into())),
            self.id.as_ref().map(|id| ("id", id.clone())),
        ];
        let query = [
            text("pin-source", &self.pin_source),
            text("pin-value", &self.pin_value),
            text("module-name", &self.module_name),
            text("module-path", &self.module_path),
        ];
        let path = path.into_iter().flatten().chain(self.vendor.iter().map(|(name, value)| (&**name, value.clone())));
        let query = query.into_iter().flatten();
        let query = query.chain(self.vendor_query.iter().map(|(name, value)| (&**name, value.clone())));
        [path.collect(), query.collect()]
    }
}

/// Displays the URI. Attributes are in a fixed order, and characters are percent-encoded if required. `id` is completely
/// percent-encoded, as RFC 7512 §2.3 recommends.
impl fmt::Display for Pkcs11Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SCHEME)?;
        for (in_query, list) in [false, true].into_iter().zip(self.attributes()) {
            for (index, (name, value)) in list.iter().enumerate() {
                match (index, in_query) {
                    (0, false) => {}
                    (0, true) => f.write_char('?')?,
                    (_, false) => f.write_char(';')?,
                    (_, true) => f.write_char('&')?,
                }
                write!(f, "{name}=")?;
                for octet in value {
                    if *name != "id" && is_plain(*octet, in_query) {
                        f.write_char(char::from(*octet))?;
                    } else {
                        write!(f, "%{octet:02X}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Displays the URI without the PIN.
impl fmt::Debug for Pkcs11Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hidden = self.pin_value.as_ref().map(|_| "…".to_owned());
        write!(f, "Pkcs11Uri({})", Self { pin_value: hidden, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 7512 §3, and how they are formatted after parsing.
    #[test]
    fn examples() {
        for (text, again) in [
            ("pkcs11:", "pkcs11:"),
            ("pkcs11:object=my-pubkey;type=public", "pkcs11:object=my-pubkey;type=public"),
            (
                "pkcs11:object=my-key;type=private?pin-source=file:/etc/token",
                "pkcs11:object=my-key;type=private?pin-source=file:/etc/token",
            ),
            (
                "pkcs11:token=The%20Software%20PKCS%2311%20Softtoken;manufacturer=Snake%20Oil,%20Inc.;model=1.0;object=my-certificate;type=cert;id=%69%95%3E%5C%F4%BD%EC%91;serial=?pin-source=file:/etc/token_pin",
                "pkcs11:token=The%20Software%20PKCS%2311%20Softtoken;manufacturer=Snake%20Oil,%20Inc.;serial=;model=1.0;object=my-certificate;type=cert;id=%69%95%3E%5C%F4%BD%EC%91?pin-source=file:/etc/token_pin",
            ),
            (
                "pkcs11:object=my-sign-key;type=private?module-name=mypkcs11",
                "pkcs11:object=my-sign-key;type=private?module-name=mypkcs11",
            ),
            ("PKCS11:slot-id=327;library-version=3", "pkcs11:library-version=3.0;slot-id=327"),
            ("pkcs11:x-vend-a=b&c;x-vend-a=d?x-q=a/b?c&x-q=", "pkcs11:x-vend-a=b&c;x-vend-a=d?x-q=a/b?c&x-q="),
            ("pkcs11:object=%c3%a4%3B%2F;id=ab", "pkcs11:object=%C3%A4%3B%2F;id=%61%62"),
        ] {
            let uri: Pkcs11Uri = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(uri.to_string(), again);
            assert_eq!(again.parse::<Pkcs11Uri>().unwrap(), uri);
            assert!(uri.matches(&uri) && Pkcs11Uri::default().matches(&uri));
        }
    }

    #[test]
    fn errors() {
        use Pkcs11UriReason::*;
        for (text, reason, offset) in [
            ("", Scheme, 0),
            ("pkcs12:object=a", Scheme, 0),
            ("pkcs11:object", Attribute, 7),
            ("pkcs11:=a", Attribute, 7),
            ("pkcs11:object=a;", Attribute, 16),
            ("pkcs11:object=a b", Character, 15),
            ("pkcs11:object=a/b", Character, 15),
            ("pkcs11:ob.ject=a", Character, 9),
            ("pkcs11:object=a%2", Percent, 15),
            ("pkcs11:object=a%+1", Percent, 15),
            ("pkcs11:object=a%FF", Utf8, 15),
            ("pkcs11:object=a;object=a", Twice, 16),
            ("pkcs11:type=key", Value, 12),
            ("pkcs11:slot-id=+1", Value, 15),
            ("pkcs11:library-version=1.256", Value, 23),
            ("pkcs11:?pin-value=1&pin-source=a", TwoPins, 20),
            ("pkcs11:?module-name=a;b", Character, 21),
        ] {
            assert_eq!(text.parse::<Pkcs11Uri>(), Err(Pkcs11UriError { reason, offset }), "{text}");
        }
    }

    /// A PIN gets into no log by way of `Debug`.
    #[test]
    fn pins_are_hidden() {
        let uri: Pkcs11Uri = "pkcs11:token=a?pin-value=1234".parse().unwrap();
        assert!(!format!("{uri:?}").contains("1234") && uri.to_string().contains("1234"));
    }
}
