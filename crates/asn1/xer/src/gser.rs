//! The Generic String Encoding Rules (RFC 3641): value notation for directories (LDAP), on one line.
//!
//! Values are printed, not read. Components have the identifiers of the schema, so that the common types have the text that
//! RFC 3642 describes.
//!
//! | ASN.1 | GSER | RFC 3641 |
//! |---|---|---|
//! | character strings, times | `"…"`, with `""` for a quotation mark | §3.2 |
//! | BIT STRING | `'0101'B`; with named bits, `{ first, third }` | §3.5 |
//! | BOOLEAN | `TRUE`, `FALSE` | §3.6 |
//! | ENUMERATED, INTEGER, NULL | `red`, `5`, `NULL` | §3.7 to §3.9 |
//! | OBJECT IDENTIFIER, RELATIVE-OID | `2.5.29.17` | §3.10 |
//! | OCTET STRING | `'CAFE'H` | §3.11 |
//! | CHOICE | `dNSName:"example.org"` | §3.12 |
//! | SEQUENCE, SET | `{ x 5, y TRUE }` | §3.13 |
//! | SEQUENCE OF, SET OF | `{ 5, 7 }` | §3.14 |
//! | REAL | `15E-1`; in base 2, `{ mantissa 3, base 2, exponent -1 }` | §3.19 |
//!
//! The RFC is older than some types. Minus zero is `-0`, not a number is `NOT-A-NUMBER`, and the contained value of a string is
//! the string's bytes.

use tagwise_codec::Real;
use tagwise_codec::table::Shape;
use tagwise_codec::text::hex::Hex;
use tagwise_codec::value::{Data, Dynamic, Scaled, Types, Value, decimal};
use tagwise_per::shared::{Step, path};

use crate::error::{Error, Kind};

/// Prints a value.
///
/// ```
/// use tagwise_codec::{SeqOf, value::Dynamic};
/// let numbers = Dynamic::of::<SeqOf<'_, u8>>();
/// let value = numbers.decode(&[0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07])?.value;
/// assert_eq!(tagwise_xer::gser::to_string(numbers.types(), &value)?, "{ 5, 7 }");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error for parts of unknown type, unknown alternatives and items, and bytes without a character.
pub fn to_string(types: Types<'_>, value: &Value<'_>) -> Result<String, Error> {
    let mut printer = Printer { types, output: String::new(), steps: Vec::new() };
    match printer.value(value) {
        Ok(()) => Ok(printer.output),
        Err(kind) => Err(Error { path: path(&printer.steps), offset: None, kind, limit: None }),
    }
}

struct Printer<'v, 's> {
    types: Types<'s>,
    output: String,
    steps: Vec<Step<'v>>,
}

impl<'v, 's> Printer<'v, 's> {
    fn text(&mut self, text: &str) {
        self.output.push_str(text);
    }

    // Recursion is as deep as the value, which the depth budget limited.
    fn value(&mut self, value: &'v Value<'_>) -> Result<(), Kind> {
        match value.data() {
            Data::Leaf(_) => self.leaf(value),
            Data::Components(components) => {
                if components.unknown().next().is_some() || components.foreign().is_some() {
                    return Err(Kind::Unsupported("unknown extension additions".to_owned()));
                }
                let mut separator = "{ ";
                for (field, value) in components.iter() {
                    let Some(value) = value else { continue };
                    self.text(separator);
                    separator = ", ";
                    self.text(&field.name);
                    self.text(" ");
                    self.steps.push(Step::Name(&field.name));
                    self.value(value)?;
                    self.steps.pop();
                }
                self.text(if separator == "{ " { "{ }" } else { " }" });
                Ok(())
            }
            Data::Items(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.text(if index == 0 { "{ " } else { ", " });
                    self.steps.push(Step::Item(index));
                    self.value(item)?;
                    self.steps.pop();
                }
                self.text(if items.is_empty() { "{ }" } else { " }" });
                Ok(())
            }
            Data::Alternative(chosen) => {
                self.text(&chosen.field().name);
                self.text(":");
                self.steps.push(Step::Name(&chosen.field().name));
                self.value(chosen.value())?;
                self.steps.pop();
                Ok(())
            }
            Data::Containing(inner) => {
                let mut dynamic = Dynamic::new(inner.ty());
                if let Some(schema) = self.types.schema() {
                    dynamic = dynamic.schema(schema);
                }
                let octets = dynamic.encode(inner).map_err(|error| Kind::Value(error.kind()))?;
                if matches!(value.base().shape, Shape::BitString(_)) {
                    self.bits(&octets, 0);
                } else {
                    self.text(&format!("'{:X}'H", Hex(&octets)));
                }
                Ok(())
            }
            _ => Err(Kind::Unsupported("values of unknown type".to_owned())),
        }
    }

    fn bits(&mut self, octets: &[u8], unused: usize) {
        let digits: String = octets.iter().map(|octet| format!("{octet:08b}")).collect();
        let digits = digits.get(..digits.len().saturating_sub(unused)).unwrap_or_default();
        self.text(&format!("'{digits}'B"));
    }

    fn leaf(&mut self, value: &Value<'_>) -> Result<(), Kind> {
        let content = value.der_content().ok_or(Kind::Schema)?;
        match &value.base().shape {
            Shape::Boolean => self.text(if *content == [0] { "FALSE" } else { "TRUE" }),
            Shape::Null => self.text("NULL"),
            Shape::Integer(_) => {
                let text = decimal(&content);
                self.text(&text.ok_or_else(|| Kind::Unsupported("INTEGERs above 4096 bytes".to_owned()))?);
            }
            Shape::Enumerated { items, .. } => {
                let number = value.view::<i64>();
                match items.iter().find(|item| Some(item.number) == number) {
                    Some(item) => self.text(&item.name),
                    None => return Err(Kind::Unsupported("unknown ENUMERATED items".to_owned())),
                }
            }
            Shape::Real => {
                let real = value.view::<Real<'_>>().ok_or(Kind::Schema)?;
                let text = real_text(&real, &content);
                self.text(&text.ok_or_else(|| Kind::Unsupported("REALs of this size".to_owned()))?);
            }
            Shape::BitString(names) => {
                let (unused, octets) = content.split_first().map_or((0, &[][..]), |(unused, rest)| (*unused, rest));
                let set = |number: i64| {
                    let number = usize::try_from(number).ok()?;
                    octets.get(number / 8).map(|octet| octet & (0x80 >> (number % 8)) != 0)
                };
                let named: Vec<&str> =
                    names.iter().filter(|name| set(name.number) == Some(true)).map(|name| &*name.name).collect();
                let count: u32 = octets.iter().map(|octet| octet.count_ones()).sum();
                if names.is_empty() || named.len() != count as usize {
                    self.bits(octets, unused.into());
                } else if named.is_empty() {
                    self.text("{ }");
                } else {
                    self.text(&format!("{{ {} }}", named.join(", ")));
                }
            }
            Shape::OctetString => self.text(&format!("'{:X}'H", Hex(&content))),
            Shape::ObjectIdentifier | Shape::RelativeOid => {
                let text = value.text();
                self.text(&text.ok_or(Kind::Schema)?);
            }
            _ => match value.text() {
                Some(text) => self.text(&format!("\"{}\"", text.replace('"', "\"\""))),
                None => return Err(Kind::Unsupported("bytes without a defined character".to_owned())),
            },
        }
        Ok(())
    }
}

fn real_text(real: &Real<'_>, content: &[u8]) -> Option<String> {
    Some(match content {
        [] => "0".to_owned(),
        [0x40] => "PLUS-INFINITY".to_owned(),
        [0x41] => "MINUS-INFINITY".to_owned(),
        [0x42] => "NOT-A-NUMBER".to_owned(),
        [0x43] => "-0".to_owned(),
        _ => {
            let scaled = Scaled::of(real)?;
            let (mantissa, exponent) = (decimal(&scaled.mantissa)?, scaled.exponent);
            if scaled.decimal {
                format!("{mantissa}E{exponent}")
            } else {
                format!("{{ mantissa {mantissa}, base 2, exponent {exponent} }}")
            }
        }
    })
}
