//! Types without components.

use std::borrow::Cow;

use tagwise_codec::table::{NamedNumber, Shape, TimeKind, Type};
use tagwise_codec::value::{Data, Value, from_decimal, from_text};
use tagwise_per::shared::without_zeros;

use super::{Content, Decoder, Expect, Kind, Place, Token, excerpt};
use crate::instructions::Instructions;
use crate::rules::{Rule, Variant};
use crate::text::{Number, control, encoded};
use crate::xml::SPACE;

fn unexpected<T>(token: &Token<'_, '_>, expected: &str) -> Result<T, Kind> {
    Err(Kind::Content(match token {
        Token::Text("") => format!("the value is empty, expected {expected}"),
        Token::Text(text) => format!("unexpected text `{}`, expected {expected}", excerpt(text)),
        Token::Name(name) => format!("unexpected element <{name}>, expected {expected}"),
    }))
}

fn named<'n>(names: &'n [NamedNumber], name: &str) -> Option<&'n NamedNumber> {
    names.iter().find(|item| *item.name == *name)
}

impl<'s, 'x> Decoder<'s, 'x> {
    /// Reads a value of a type without components, except OCTET STRING and BIT STRING.
    pub(super) fn leaf(
        &mut self,
        expect: Expect<'_, 's>,
        shape: &'s Shape,
        place: Place<'_, 'x>,
    ) -> Result<Value<'s>, Kind> {
        let ty = expect.ty;
        if matches!(shape, Shape::Real) {
            return self.real(expect, place);
        }
        let own = self.instructions(expect.layout)?;
        let is_free = expect.is_text || own.text;
        let content = match shape {
            Shape::Boolean => {
                let token = self.token(place)?;
                match token {
                    Token::Name("true") => vec![0xFF],
                    Token::Name("false") => vec![0],
                    Token::Text(text) => {
                        // X.680 §12.27, §12.28: 1 and 0 are other forms of true and false.
                        let is = |name: &str, digit: &str| own.text_of(name) == text || text == digit;
                        let octet = match (is("true", "1"), is("false", "0")) {
                            (true, _) => 0xFF,
                            (false, true) => 0,
                            (false, false) => return unexpected(&token, "<true/> or <false/>"),
                        };
                        self.form(is_free)?;
                        vec![octet]
                    }
                    token => return unexpected(&token, "<true/> or <false/>"),
                }
            }
            Shape::Null => match self.token(place)? {
                Token::Text("") => Vec::new(),
                token => return unexpected(&token, "nothing"),
            },
            Shape::Integer(names) => self.integer(names, own, is_free, place)?,
            Shape::Enumerated { items, extensible } => {
                let token = self.token(place)?;
                if let (Token::Name(name), true) = (&token, *extensible)
                    && named(items, name).is_none()
                {
                    let element = place.content.iter().find_map(|part| match part {
                        Content::Element(element) => Some(element),
                        Content::Text(_) => None,
                    });
                    return self.foreign(expect, element.ok_or(Kind::Schema)?, place);
                }
                let item = match token {
                    Token::Name(name) => named(items, name),
                    Token::Text(text) => items.iter().find(|item| own.text_of(&item.name) == text),
                };
                let Some(item) = item else {
                    return unexpected(&token, "the empty element of an item of the ENUMERATED");
                };
                if matches!(token, Token::Text(_)) {
                    self.form(is_free)?;
                }
                encoded(&item.number).ok_or(Kind::Schema)?
            }
            Shape::String(_) => {
                let text = self.string(place)?;
                let text = own.white_space.map(|mode| mode.apply(&text)).unwrap_or(text);
                from_text(shape, &text)
                    .ok_or_else(|| Kind::Content("the string has characters that its type does not allow".to_owned()))?
            }
            Shape::ObjectIdentifier | Shape::RelativeOid => self.object_identifier(shape, place)?,
            _ => {
                let token = self.token(place)?;
                let content = match token {
                    Token::Text(text) => from_text(shape, text),
                    Token::Name(_) => None,
                };
                match content {
                    Some(content) => content,
                    None => return unexpected(&token, "a text of the type"),
                }
            }
        };
        self.made(ty, shape, content)
    }

    fn made(&mut self, ty: &'s Type, shape: &Shape, content: Vec<u8>) -> Result<Value<'s>, Kind> {
        match Value::leaf(self.types, ty, Cow::Borrowed(&content)) {
            Ok(_) => {}
            // BASIC-XER leaves the form of a time to the sender (§9.10, §9.11). The whole value is checked later.
            Err(_) if matches!(shape, Shape::Time(TimeKind::Utc | TimeKind::Generalized)) => {
                self.canonical(Rule::TimeForm, self.at)?;
            }
            Err(fault) => return Err(Kind::Content(fault.kind().text().to_owned())),
        }
        Ok(Value::new(self.types, ty, Data::Leaf(Cow::Owned(content))))
    }

    /// Checks that a value may have the form of EXTENDED-XER.
    fn form(&mut self, is_free: bool) -> Result<(), Kind> {
        if is_free { Ok(()) } else { self.violates(Rule::ValueForm, self.at) }
    }

    fn integer(
        &mut self,
        names: &'s [NamedNumber],
        own: &Instructions,
        is_free: bool,
        place: Place<'_, 'x>,
    ) -> Result<Vec<u8>, Kind> {
        let token = self.token(place)?;
        if let Token::Text(text) = token {
            let digits = text.strip_prefix('-').unwrap_or(text);
            // X.680 §12.8, §19.9: no zero stands before other digits, and zero has no sign.
            let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
            let is_shortest = digits == "0" && text == "0" || !digits.starts_with('0');
            if is_number
                && is_shortest
                && let Some(content) = from_decimal(text)
            {
                return Ok(content);
            }
        }
        let item = match token {
            Token::Name(name) => named(names, name),
            Token::Text(text) => names.iter().find(|item| own.text_of(&item.name) == text),
        };
        match item {
            Some(item) => {
                // An empty element is an option of the sender in EXTENDED-XER.
                let is_element = matches!(token, Token::Name(_));
                self.form(is_free || is_element && self.setting.variant == Variant::Extended)?;
                encoded(&item.number).ok_or(Kind::Schema)
            }
            None => unexpected(&token, "a number"),
        }
    }

    fn real(&mut self, expect: Expect<'_, 's>, place: Place<'_, 'x>) -> Result<Value<'s>, Kind> {
        let (ty, own) = (expect.ty, self.instructions(expect.layout)?);
        let token = self.token(place)?;
        let special = match token {
            Token::Name("PLUS-INFINITY") | Token::Text("INF") => Some(0x40),
            Token::Name("MINUS-INFINITY") | Token::Text("-INF") => Some(0x41),
            Token::Name("NOT-A-NUMBER") | Token::Text("NaN") => Some(0x42),
            _ => None,
        };
        if let Some(octet) = special {
            if matches!(token, Token::Text(_)) {
                self.form(expect.is_text || own.text)?;
            }
            return self.made(ty, &Shape::Real, vec![octet]);
        }
        let number = match token {
            Token::Text(text) if own.decimal && text.contains(['e', 'E']) => None,
            Token::Text(text) => Number::parse(text),
            Token::Name(_) => None,
        };
        let Some(number) = number else { return unexpected(&token, "a decimal number") };
        if !matches!(token, Token::Text(text) if number.text() == text) {
            self.canonical(Rule::RealForm, self.at)?;
        }
        // X.680 §21.7: a number has base 10, unless the type permits only base 2.
        let is_binary = self.types.real_base(ty, expect.constraints) == Some(2);
        match number.content(is_binary) {
            Some(content) => self.made(ty, &Shape::Real, content),
            None => Err(Kind::Content("the number has too many digits".to_owned())),
        }
    }

    fn object_identifier(&mut self, shape: &Shape, place: Place<'_, 'x>) -> Result<Vec<u8>, Kind> {
        let token = self.token(place)?;
        let Token::Text(text) = token else { return unexpected(&token, "numbers with dots between them") };
        // X.680 §32.3: `name(number)` is allowed for a component.
        let mut plain = String::new();
        for part in text.split('.') {
            let number = part.strip_suffix(')').and_then(|part| part.split_once('(')).map(|(_, number)| number);
            if !plain.is_empty() {
                plain.push('.');
            }
            plain.push_str(number.unwrap_or(part));
        }
        if plain != text {
            self.canonical(Rule::ObjectIdentifierForm, self.at)?;
        }
        match from_text(shape, &plain) {
            Some(content) => Ok(content),
            None => unexpected(&token, "numbers with dots between them"),
        }
    }

    /// Reads the characters of a string, in which control characters are empty elements.
    fn string(&mut self, place: Place<'_, 'x>) -> Result<String, Kind> {
        let mut string = String::new();
        for part in place.content {
            match part {
                Content::Text(text) => {
                    if let Some(at) = text.escape {
                        self.canonical(Rule::Escapes, at)?;
                    }
                    string.push_str(&text.text);
                }
                Content::Element(element) => {
                    self.enter(element)?;
                    match control(element.name).filter(|_| element.content.is_empty()) {
                        Some(character) => string.push(character),
                        None => return Err(Kind::Structure(format!("unexpected element <{}> in text", element.name))),
                    }
                }
            }
        }
        self.at = place.at;
        Ok(string)
    }

    /// Reads an OCTET STRING or BIT STRING, which may contain an encoding.
    pub(super) fn string_type(
        &mut self,
        expect: Expect<'_, 's>,
        base: &'s Type,
        place: Place<'_, 'x>,
    ) -> Result<Value<'s>, Kind> {
        let ty = expect.ty;
        let names: Option<&'s [NamedNumber]> = match &base.shape {
            Shape::BitString(names) => Some(names),
            _ => None,
        };
        let has_element = place.content.iter().any(|part| matches!(part, Content::Element(_)));
        let mut contained = match expect.containing {
            Some(inner) => Some(self.get(&inner)?),
            None => self.types.contained(ty),
        };
        if let Some(inner) = contained.filter(|inner| matches!(self.types.base(inner).shape, Shape::Open { .. })) {
            contained = self.types.selected(self.types.base(inner), expect.scope);
        }
        if let (Some(inner), true) = (contained, has_element) {
            let depth = expect.depth.checked_sub(1).ok_or(Kind::Depth)?;
            let layout = self.layout_of(inner);
            let inside = Expect { ty: inner, layout, containing: None, constraints: &[], depth, ..expect };
            let value = self.typed(inside, place)?;
            return Ok(Value::new(self.types, ty, Data::Containing(Box::new(value))));
        }
        // X.680 §22.10 and §23.6: the XML has the contained value, and digits only for other strings.
        if let Some(inner) = contained {
            let name = self.name(inner);
            self.at = place.at;
            return Err(Kind::Structure(format!("expected <{name}>, the value that the string contains")));
        }
        let content = match names {
            None if self.instructions(expect.layout)?.base64 => self.base64(place)?,
            None => self.hexadecimal(place)?,
            Some(names) if has_element => self.bits_by_name(names, place)?,
            Some(names) => {
                let bits = self.bits(place)?;
                if names.is_empty() { bits } else { return self.named_bits(expect, &bits) }
            }
        };
        self.content(ty, content)
    }

    fn content(&self, ty: &'s Type, content: Vec<u8>) -> Result<Value<'s>, Kind> {
        Value::leaf(self.types, ty, Cow::Owned(content)).map_err(|fault| Kind::Content(fault.kind().text().to_owned()))
    }

    /// Creates named bits from their digits. Zero bits behind the last one that is set are not part of the value (X.680 §22.7). In
    /// CANONICAL-XER, there are as many of them as the size requires.
    fn named_bits(&mut self, expect: Expect<'_, 's>, bits: &[u8]) -> Result<Value<'s>, Kind> {
        let value = self.content(expect.ty, without_zeros(bits))?;
        if value.sized_bits(self.types, expect.constraints).is_none_or(|sized| *sized != *bits) {
            self.canonical(Rule::NamedBits, self.at)?;
        }
        Ok(value)
    }

    /// Reads the digits of a BIT STRING, and returns its content bytes.
    fn bits(&mut self, place: Place<'_, 'x>) -> Result<Vec<u8>, Kind> {
        let token = self.token(place)?;
        let Token::Text(text) = token else { return unexpected(&token, "binary digits") };
        let (mut octets, mut count) = (vec![0], 0usize);
        for character in text.chars() {
            let bit = match character {
                '0' => 0,
                '1' => 1,
                _ if SPACE.contains(&character) => {
                    self.canonical(Rule::WhiteSpace, self.at)?;
                    continue;
                }
                _ => return unexpected(&token, "binary digits"),
            };
            if count % 8 == 0 {
                octets.push(0);
            }
            if let Some(last) = octets.last_mut() {
                *last |= bit << (7 - count % 8);
            }
            count += 1;
        }
        if let Some(unused) = octets.first_mut() {
            *unused = ((8 - count % 8) % 8) as u8;
        }
        Ok(octets)
    }

    /// Reads the names of bits, which are empty elements.
    fn bits_by_name(&mut self, names: &[NamedNumber], place: Place<'_, 'x>) -> Result<Vec<u8>, Kind> {
        let mut octets = vec![0];
        for part in self.children(place)? {
            let Content::Element(element) = part else { continue };
            let number = named(names, element.name).and_then(|item| usize::try_from(item.number).ok());
            // A BIT STRING that names a bit beyond these does not exist in practice.
            let Some(number) = number.filter(|number| *number < 1 << 20 && element.content.is_empty()) else {
                self.at = element.at;
                return Err(Kind::Content(format!("the BIT STRING has no bit <{}>", element.name)));
            };
            let place = number / 8 + 1;
            if octets.len() <= place {
                octets.resize(place + 1, 0);
            }
            if let Some(octet) = octets.get_mut(place) {
                *octet |= 0x80 >> (number % 8);
            }
        }
        if self.setting.variant != Variant::Extended {
            self.violates(Rule::ValueForm, place.at)?;
        }
        Ok(without_zeros(&octets))
    }
}
