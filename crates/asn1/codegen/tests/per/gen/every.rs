// PER types of the ASN.1 modules `Every`.
// Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_per::code::{self, Decoder, Encoder, PerType, Stop};

/// ```asn1
/// Numbers ::= SEQUENCE {
///   bit       INTEGER (0..1),
///   fixed     INTEGER (7),
///   small     INTEGER (-5..250),
///   byte      INTEGER (0..255),
///   word      INTEGER (0..65535),
///   long      INTEGER (0..4294967295),
///   large     INTEGER (0..18446744073709551615),
///   signed    INTEGER (-9223372036854775808..9223372036854775807),
///   from      INTEGER (10..MAX),
///   to        INTEGER (MIN..10),
///   any       INTEGER,
///   open      INTEGER (0..15, ..., 20..30),
///   parts     INTEGER (0..3 | 8..9)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// `bit`.
    pub bit: u8,
    /// `fixed`.
    pub fixed: u8,
    /// `small`.
    pub small: i16,
    /// `byte`.
    pub byte: u8,
    /// `word`.
    pub word: u16,
    /// `long`.
    pub long: u32,
    /// `large`.
    pub large: u64,
    /// `signed`.
    pub signed: i64,
    /// `from`.
    pub from: code::IntBuf,
    /// `to`.
    pub to: code::IntBuf,
    /// `any`.
    pub any: code::IntBuf,
    /// `open`.
    pub open: code::IntBuf,
    /// `parts`.
    pub parts: u8,
}

impl PerType for Numbers {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let f0 = d.part("bit", |d| d.whole(0, 1).map(|n| n as u8))?;
        let f1 = d.part("fixed", |d| d.whole(7, 0).map(|n| n as u8))?;
        let f2 = d.part("small", |d| d.whole(18446744073709551611, 255).map(|n| n as i16))?;
        let f3 = d.part("byte", |d| d.whole(0, 255).map(|n| n as u8))?;
        let f4 = d.part("word", |d| d.whole(0, 65535).map(|n| n as u16))?;
        let f5 = d.part("long", |d| d.whole(0, 4294967295).map(|n| n as u32))?;
        let f6 = d.part("large", |d| d.whole(0, 18446744073709551615))?;
        let f7 = d.part("signed", |d| d.whole(9223372036854775808, 18446744073709551615).map(|n| n as i64))?;
        let f8 = d.part("from", |d| d.integer(code::Bounds { min: Some(10), max: None, extensible: false }))?;
        let f9 = d.part("to", |d| { let start = d.position(); d.integer(code::Bounds { min: None, max: Some(10), extensible: false }).and_then(|value| { let v = &value; d.ensure(start, code::within(v, &[(None, Some(10))])).map(|()| value) }) })?;
        let f10 = d.part("any", |d| d.integer(code::Bounds { min: None, max: None, extensible: false }))?;
        let f11 = d.part("open", |d| d.integer(code::Bounds { min: Some(0), max: Some(15), extensible: true }))?;
        let f12 = d.part("parts", |d| { let start = d.position(); d.whole(0, 9).map(|n| n as u8).and_then(|value| { let v = &value; d.ensure(start, matches!(*v, 0..=3 | 8..=9)).map(|()| value) }) })?;
        d.leave();
        Ok(Self { bit: f0, fixed: f1, small: f2, byte: f3, word: f4, long: f5, large: f6, signed: f7, from: f8, to: f9, any: f10, open: f11, parts: f12 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.part("bit", |e| { let v = &self.bit; e.whole(*v as u64, 0, 1) })?;
        e.part("fixed", |e| { let v = &self.fixed; e.whole(*v as u64, 7, 0) })?;
        e.part("small", |e| { let v = &self.small; e.whole(*v as u64, 18446744073709551611, 255) })?;
        e.part("byte", |e| { let v = &self.byte; e.whole(*v as u64, 0, 255) })?;
        e.part("word", |e| { let v = &self.word; e.whole(*v as u64, 0, 65535) })?;
        e.part("long", |e| { let v = &self.long; e.whole(*v as u64, 0, 4294967295) })?;
        e.part("large", |e| { let v = &self.large; e.whole(*v as u64, 0, 18446744073709551615) })?;
        e.part("signed", |e| { let v = &self.signed; e.whole(*v as u64, 9223372036854775808, 18446744073709551615) })?;
        e.part("from", |e| { let v = &self.from; e.integer(v, code::Bounds { min: Some(10), max: None, extensible: false }) })?;
        e.part("to", |e| { let v = &self.to; { e.ensure(code::within(v, &[(None, Some(10))]))?; e.integer(v, code::Bounds { min: None, max: Some(10), extensible: false }) } })?;
        e.part("any", |e| { let v = &self.any; e.integer(v, code::Bounds { min: None, max: None, extensible: false }) })?;
        e.part("open", |e| { let v = &self.open; e.integer(v, code::Bounds { min: Some(0), max: Some(15), extensible: true }) })?;
        e.part("parts", |e| { let v = &self.parts; { e.ensure(matches!(*v, 0..=3 | 8..=9))?; e.whole(*v as u64, 0, 9) } })?;
        e.leave();
        Ok(())
    }
}

static CHARACTERS_1: code::Characters = code::Characters { size: code::Bounds { min: Some(2), max: Some(4), extensible: false }, alphabet: std::borrow::Cow::Borrowed(&[(32, 32), (48, 57)]), width: 1 };

static CHARACTERS_2: code::Characters = code::Characters { size: code::Bounds { min: Some(0), max: None, extensible: false }, alphabet: std::borrow::Cow::Borrowed(&[(32, 32), (39, 41), (43, 58), (61, 61), (63, 63), (65, 90), (97, 122)]), width: 1 };

static CHARACTERS_3: code::Characters = code::Characters { size: code::Bounds { min: Some(3), max: Some(3), extensible: false }, alphabet: std::borrow::Cow::Borrowed(&[(32, 126)]), width: 1 };

static CHARACTERS_4: code::Characters = code::Characters { size: code::Bounds { min: Some(0), max: None, extensible: false }, alphabet: std::borrow::Cow::Borrowed(&[(97, 100), (122, 122)]), width: 1 };

/// ```asn1
/// Strings ::= SEQUENCE {
///   digits    NumericString (SIZE (2..4)) OPTIONAL,
///   print     PrintableString OPTIONAL,
///   visible   VisibleString (SIZE (3)) OPTIONAL,
///   ia5       IA5String (FROM ("a".."d" | "z")) OPTIONAL,
///   utf8      UTF8String (SIZE (0..6)) OPTIONAL,
///   octets    OCTET STRING OPTIONAL,
///   two       OCTET STRING (SIZE (2)) OPTIONAL,
///   few       OCTET STRING (SIZE (1..5, ...)) OPTIONAL,
///   bits      BIT STRING OPTIONAL,
///   flags     BIT STRING { first(0), second(1), ninth(8) } (SIZE (4..12)) OPTIONAL,
///   thirty    BIT STRING (SIZE (30)) OPTIONAL,
///   oid       OBJECT IDENTIFIER OPTIONAL
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strings {
    /// `digits`.
    pub digits: Option<String>,
    /// `print`.
    pub print: Option<String>,
    /// `visible`.
    pub visible: Option<String>,
    /// `ia5`.
    pub ia5: Option<String>,
    /// `utf8`.
    pub utf8: Option<String>,
    /// `octets`.
    pub octets: Option<Vec<u8>>,
    /// `two`.
    pub two: Option<Vec<u8>>,
    /// `few`.
    pub few: Option<Vec<u8>>,
    /// `bits`.
    pub bits: Option<code::BitString>,
    /// `flags`.
    pub flags: Option<code::BitString>,
    /// `thirty`.
    pub thirty: Option<code::BitString>,
    /// `oid`.
    pub oid: Option<code::OidBuf>,
}

impl PerType for Strings {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let p0 = d.bits(12)?;
        let f0 = d.optional(p0 >> 11 & 1 != 0, "digits", |d| d.text(&CHARACTERS_1))?;
        let f1 = d.optional(p0 >> 10 & 1 != 0, "print", |d| d.text(&CHARACTERS_2))?;
        let f2 = d.optional(p0 >> 9 & 1 != 0, "visible", |d| d.text(&CHARACTERS_3))?;
        let f3 = d.optional(p0 >> 8 & 1 != 0, "ia5", |d| d.text(&CHARACTERS_4))?;
        let f4 = d.optional(p0 >> 7 & 1 != 0, "utf8", |d| { let start = d.position(); d.utf8().and_then(|value| { let v = &value; d.ensure_size(start, matches!(v.chars().count() as u64, 0..=6)).map(|()| value) }) })?;
        let f5 = d.optional(p0 >> 6 & 1 != 0, "octets", |d| d.octets(code::Bounds { min: Some(0), max: None, extensible: false }))?;
        let f6 = d.optional(p0 >> 5 & 1 != 0, "two", |d| d.octets(code::Bounds { min: Some(2), max: Some(2), extensible: false }))?;
        let f7 = d.optional(p0 >> 4 & 1 != 0, "few", |d| d.octets(code::Bounds { min: Some(1), max: Some(5), extensible: true }))?;
        let f8 = d.optional(p0 >> 3 & 1 != 0, "bits", |d| d.bit_string(code::Bounds { min: Some(0), max: None, extensible: false }, false))?;
        let f9 = d.optional(p0 >> 2 & 1 != 0, "flags", |d| d.bit_string(code::Bounds { min: Some(4), max: Some(12), extensible: false }, true))?;
        let f10 = d.optional(p0 >> 1 & 1 != 0, "thirty", |d| d.bit_string(code::Bounds { min: Some(30), max: Some(30), extensible: false }, false))?;
        let f11 = d.optional(p0 >> 0 & 1 != 0, "oid", |d| d.oid())?;
        d.leave();
        Ok(Self { digits: f0, print: f1, visible: f2, ia5: f3, utf8: f4, octets: f5, two: f6, few: f7, bits: f8, flags: f9, thirty: f10, oid: f11 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.bits(u64::from(self.digits.is_some()) << 11 | u64::from(self.print.is_some()) << 10 | u64::from(self.visible.is_some()) << 9 | u64::from(self.ia5.is_some()) << 8 | u64::from(self.utf8.is_some()) << 7 | u64::from(self.octets.is_some()) << 6 | u64::from(self.two.is_some()) << 5 | u64::from(self.few.is_some()) << 4 | u64::from(self.bits.is_some()) << 3 | u64::from(self.flags.is_some()) << 2 | u64::from(self.thirty.is_some()) << 1 | u64::from(self.oid.is_some()) << 0, 12)?;
        e.optional("digits", &self.digits, |e, v| e.text(v, &CHARACTERS_1))?;
        e.optional("print", &self.print, |e, v| e.text(v, &CHARACTERS_2))?;
        e.optional("visible", &self.visible, |e, v| e.text(v, &CHARACTERS_3))?;
        e.optional("ia5", &self.ia5, |e, v| e.text(v, &CHARACTERS_4))?;
        e.optional("utf8", &self.utf8, |e, v| { e.ensure_size(matches!(v.chars().count() as u64, 0..=6))?; e.utf8(v) })?;
        e.optional("octets", &self.octets, |e, v| e.octets(v, code::Bounds { min: Some(0), max: None, extensible: false }))?;
        e.optional("two", &self.two, |e, v| e.octets(v, code::Bounds { min: Some(2), max: Some(2), extensible: false }))?;
        e.optional("few", &self.few, |e, v| e.octets(v, code::Bounds { min: Some(1), max: Some(5), extensible: true }))?;
        e.optional("bits", &self.bits, |e, v| e.bit_string(v, code::Bounds { min: Some(0), max: None, extensible: false }, false))?;
        e.optional("flags", &self.flags, |e, v| e.bit_string(v, code::Bounds { min: Some(4), max: Some(12), extensible: false }, true))?;
        e.optional("thirty", &self.thirty, |e, v| e.bit_string(v, code::Bounds { min: Some(30), max: Some(30), extensible: false }, false))?;
        e.optional("oid", &self.oid, |e, v| e.oid(v))?;
        e.leave();
        Ok(())
    }
}

/// ```asn1
/// Kind ::= ENUMERATED { car(0), bus(7), truck(3), ..., tram(9), ship(20) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The number 0.
    Car,
    /// The number 3.
    Truck,
    /// The number 7.
    Bus,
    /// The number 9.
    Tram,
    /// The number 20.
    Ship,
    /// An item that the module does not define: its place among the additional items, from 0.
    Unknown(u32),
}

impl PerType for Kind {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        Ok(match d.index(3, true)? {
            0 => Self::Car,
            1 => Self::Truck,
            2 => Self::Bus,
            3 => Self::Tram,
            4 => Self::Ship,
            n => Self::Unknown(d.unknown_item(n - 3)?),
        })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        let number = match self {
            Self::Car => 0,
            Self::Truck => 1,
            Self::Bus => 2,
            Self::Tram => 3,
            Self::Ship => 4,
            Self::Unknown(n) => return e.unknown_item(*n, 2),
        };
        e.index(number, 3, true)
    }
}

/// ```asn1
/// Closed ::= ENUMERATED { one, two, three }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i64)]
pub enum Closed {
    /// The number 0.
    One = 0,
    /// The number 1.
    Two = 1,
    /// The number 2.
    Three = 2,
}

impl PerType for Closed {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        Ok(match d.index(3, false)? {
            0 => Self::One,
            1 => Self::Two,
            2 => Self::Three,
            _ => return Err(d.fail(code::Kind::UnknownItem)),
        })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        let number = match self {
            Self::One => 0,
            Self::Two => 1,
            Self::Three => 2,
        };
        e.index(number, 3, false)
    }
}

/// ```asn1
/// Point ::= SEQUENCE { x INTEGER (0..100), y INTEGER (0..100) OPTIONAL }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// `x`.
    pub x: u8,
    /// `y`.
    pub y: Option<u8>,
}

impl PerType for Point {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let p0 = d.bits(1)?;
        let f0 = d.part("x", |d| d.whole(0, 100).map(|n| n as u8))?;
        let f1 = d.optional(p0 >> 0 & 1 != 0, "y", |d| d.whole(0, 100).map(|n| n as u8))?;
        d.leave();
        Ok(Self { x: f0, y: f1 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.bits(u64::from(self.y.is_some()) << 0, 1)?;
        e.part("x", |e| { let v = &self.x; e.whole(*v as u64, 0, 100) })?;
        e.optional("y", &self.y, |e, v| e.whole(*v as u64, 0, 100))?;
        e.leave();
        Ok(())
    }
}

static CHARACTERS_5: code::Characters = code::Characters { size: code::Bounds { min: Some(0), max: None, extensible: false }, alphabet: std::borrow::Cow::Borrowed(&[(0, 127)]), width: 1 };

/// ```asn1
/// Defaults ::= SEQUENCE {
///   number    INTEGER (0..7) DEFAULT 5,
///   wide      INTEGER DEFAULT -3,
///   flag      BOOLEAN DEFAULT TRUE,
///   kind      Kind DEFAULT bus,
///   text      IA5String DEFAULT "ab",
///   octets    OCTET STRING DEFAULT '0102'H,
///   bits      BIT STRING DEFAULT '101'B,
///   point     Point DEFAULT { x 1, y 2 },
///   list      SEQUENCE OF Closed DEFAULT { one, two },
///   pick      CHOICE { a NULL, b INTEGER (0..9) } DEFAULT b : 4,
///   ...,
///   later     INTEGER (0..9) DEFAULT 3
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// `number`.
    pub number: u8,
    /// `wide`.
    pub wide: code::IntBuf,
    /// `flag`.
    pub flag: bool,
    /// `kind`.
    pub kind: Kind,
    /// `text`.
    pub text: String,
    /// `octets`.
    pub octets: Vec<u8>,
    /// `bits`.
    pub bits: code::BitString,
    /// `point`.
    pub point: Point,
    /// `list`.
    pub list: Vec<Closed>,
    /// `pick`.
    pub pick: DefaultsPick,
    /// `later`.
    pub later: u8,
    /// Extension additions that the module does not define.
    pub unknown: code::Additions,
}

impl PerType for Defaults {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let more = d.bit()?;
        let p0 = d.bits(10)?;
        let f0 = d.defaulted(p0 >> 9 & 1 != 0, "number", true, || 5, |d| d.whole(0, 7).map(|n| n as u8))?;
        let f1 = d.defaulted(p0 >> 8 & 1 != 0, "wide", true, || code::IntBuf::from_signed(&[253]), |d| d.integer(code::Bounds { min: None, max: None, extensible: false }))?;
        let f2 = d.defaulted(p0 >> 7 & 1 != 0, "flag", true, || true, |d| d.bit())?;
        let f3 = d.defaulted(p0 >> 6 & 1 != 0, "kind", true, || Kind::Bus, |d| Kind::read(d))?;
        let f4 = d.defaulted(p0 >> 5 & 1 != 0, "text", true, || "ab".to_owned(), |d| d.text(&CHARACTERS_5))?;
        let f5 = d.defaulted(p0 >> 4 & 1 != 0, "octets", true, || vec![1, 2], |d| d.octets(code::Bounds { min: Some(0), max: None, extensible: false }))?;
        let f6 = d.defaulted(p0 >> 3 & 1 != 0, "bits", true, || code::bits(&[160], 5), |d| d.bit_string(code::Bounds { min: Some(0), max: None, extensible: false }, false))?;
        let f7 = d.defaulted(p0 >> 2 & 1 != 0, "point", false, || Point { x: 1, y: Some(2) }, |d| Point::read(d))?;
        let f8 = d.defaulted(p0 >> 1 & 1 != 0, "list", false, || vec![Closed::One, Closed::Two], |d| d.list(code::Bounds { min: Some(0), max: None, extensible: false }, |d| Closed::read(d)))?;
        let f9 = d.defaulted(p0 >> 0 & 1 != 0, "pick", false, || DefaultsPick::B(4), |d| DefaultsPick::read(d))?;
        let mut a0 = 3;
        let unknown = if more {
            d.additions(1, |d, n| {
                match n {
                    0 => a0 = d.defaulted(true, "later", false, || 3, |d| d.whole(0, 9).map(|n| n as u8))?,
                    _ => {}
                }
                Ok(())
            })?
        } else {
            code::Additions::NONE
        };
        d.leave();
        Ok(Self { number: f0, wide: f1, flag: f2, kind: f3, text: f4, octets: f5, bits: f6, point: f7, list: f8, pick: f9, later: a0, unknown })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        let known: [bool; 1] = [self.later != 3];
        let more = known.contains(&true) || self.unknown.is_present();
        e.bit(more)?;
        e.bits(u64::from(self.number != 5) << 9 | u64::from(self.wide != code::IntBuf::from_signed(&[253])) << 8 | u64::from(self.flag != true) << 7 | u64::from(self.kind != Kind::Bus) << 6 | u64::from(self.text != "ab".to_owned()) << 5 | u64::from(self.octets != vec![1, 2]) << 4 | u64::from(self.bits != code::bits(&[160], 5)) << 3 | u64::from(self.point != Point { x: 1, y: Some(2) }) << 2 | u64::from(self.list != vec![Closed::One, Closed::Two]) << 1 | u64::from(self.pick != DefaultsPick::B(4)) << 0, 10)?;
        if self.number != 5 {
            e.part("number", |e| { let v = &self.number; e.whole(*v as u64, 0, 7) })?;
        }
        if self.wide != code::IntBuf::from_signed(&[253]) {
            e.part("wide", |e| { let v = &self.wide; e.integer(v, code::Bounds { min: None, max: None, extensible: false }) })?;
        }
        if self.flag != true {
            e.part("flag", |e| { let v = &self.flag; e.bit(*v) })?;
        }
        if self.kind != Kind::Bus {
            e.part("kind", |e| { let v = &self.kind; v.write(e) })?;
        }
        if self.text != "ab".to_owned() {
            e.part("text", |e| { let v = &self.text; e.text(v, &CHARACTERS_5) })?;
        }
        if self.octets != vec![1, 2] {
            e.part("octets", |e| { let v = &self.octets; e.octets(v, code::Bounds { min: Some(0), max: None, extensible: false }) })?;
        }
        if self.bits != code::bits(&[160], 5) {
            e.part("bits", |e| { let v = &self.bits; e.bit_string(v, code::Bounds { min: Some(0), max: None, extensible: false }, false) })?;
        }
        if self.point != (Point { x: 1, y: Some(2) }) {
            e.part("point", |e| { let v = &self.point; v.write(e) })?;
        }
        if self.list != vec![Closed::One, Closed::Two] {
            e.part("list", |e| { let v = &self.list; e.list(code::Bounds { min: Some(0), max: None, extensible: false }, v, |e, v| v.write(e)) })?;
        }
        if self.pick != DefaultsPick::B(4) {
            e.part("pick", |e| { let v = &self.pick; v.write(e) })?;
        }
        if more {
            e.additions(&known, &self.unknown, |e, n| match n {
                0 => if self.later != 3 { e.part("later", |e| { let v = &self.later; e.whole(*v as u64, 0, 9) }) } else { Ok(()) },
                _ => Ok(()),
            })?;
        }
        e.leave();
        Ok(())
    }
}

/// The anonymous type `DefaultsPick`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultsPick {
    /// `a`.
    A(()),
    /// `b`.
    B(u8),
}

impl PerType for DefaultsPick {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let value = match d.index(2, false)? {
            0 => Self::A(d.part("a", |d| d.null())?),
            1 => Self::B(d.part("b", |d| d.whole(0, 9).map(|n| n as u8))?),
            _ => return Err(d.fail(code::Kind::Range)),
        };
        d.leave();
        Ok(value)
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        match self {
            Self::A(v) => {
                e.index(0, 2, false)?;
                e.part("a", |e| e.null(v))?;
            }
            Self::B(v) => {
                e.index(1, 2, false)?;
                e.part("b", |e| e.whole(*v as u64, 0, 9))?;
            }
        }
        e.leave();
        Ok(())
    }
}

/// An extension addition group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionsAdditions1 {
    /// `grouped`.
    pub grouped: u8,
    /// `other`.
    pub other: Option<bool>,
}

impl VersionsAdditions1 {
    fn has_values(&self) -> bool {
        true
    }
}

impl PerType for VersionsAdditions1 {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        let start = d.position();
        let p0 = d.bits(1)?;
        let f1 = d.part("grouped", |d| d.whole(0, 15).map(|n| n as u8))?;
        let f2 = d.optional(p0 >> 0 & 1 != 0, "other", |d| d.bit())?;
        let value = Self { grouped: f1, other: f2 };
        let is_empty = !value.has_values();
        d.group(start, 2, is_empty)?;
        Ok(value)
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.bits(u64::from(self.other.is_some()) << 0, 1)?;
        e.part("grouped", |e| { let v = &self.grouped; e.whole(*v as u64, 0, 15) })?;
        e.optional("other", &self.other, |e, v| e.bit(*v))?;
        Ok(())
    }
}

/// An extension addition group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionsAdditions3 {
    /// `some`.
    pub some: Option<()>,
    /// `more`.
    pub more: Option<Kind>,
}

impl VersionsAdditions3 {
    fn has_values(&self) -> bool {
        self.some.is_some() || self.more.is_some()
    }
}

impl PerType for VersionsAdditions3 {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        let start = d.position();
        let p0 = d.bits(2)?;
        let f4 = d.optional(p0 >> 1 & 1 != 0, "some", |d| d.null())?;
        let f5 = d.optional(p0 >> 0 & 1 != 0, "more", |d| Kind::read(d))?;
        let value = Self { some: f4, more: f5 };
        let is_empty = !value.has_values();
        d.group(start, 2, is_empty)?;
        Ok(value)
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.bits(u64::from(self.some.is_some()) << 1 | u64::from(self.more.is_some()) << 0, 2)?;
        e.optional("some", &self.some, |e, v| e.null(v))?;
        e.optional("more", &self.more, |e, v| v.write(e))?;
        Ok(())
    }
}

/// ```asn1
/// Versions ::= SEQUENCE {
///   first     INTEGER (0..200),
///   ...,
///   [[ grouped INTEGER (0..15), other BOOLEAN OPTIONAL ]],
///   single    IA5String OPTIONAL,
///   [[ some NULL OPTIONAL, more Kind OPTIONAL ]],
///   ...,
///   last      OCTET STRING OPTIONAL
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    /// `first`.
    pub first: u8,
    /// `last`.
    pub last: Option<Vec<u8>>,
    /// An extension addition group.
    pub additions_1: Option<VersionsAdditions1>,
    /// `single`.
    pub single: Option<String>,
    /// An extension addition group.
    pub additions_3: Option<VersionsAdditions3>,
    /// Extension additions that the module does not define.
    pub unknown: code::Additions,
}

impl PerType for Versions {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let more = d.bit()?;
        let p0 = d.bits(1)?;
        let f0 = d.part("first", |d| d.whole(0, 200).map(|n| n as u8))?;
        let f6 = d.optional(p0 >> 0 & 1 != 0, "last", |d| d.octets(code::Bounds { min: Some(0), max: None, extensible: false }))?;
        let mut a0 = None;
        let mut a1 = None;
        let mut a2 = None;
        let unknown = if more {
            d.additions(3, |d, n| {
                match n {
                    0 => a0 = Some(VersionsAdditions1::read(d)?),
                    1 => a1 = d.optional(true, "single", |d| d.text(&CHARACTERS_5))?,
                    2 => a2 = Some(VersionsAdditions3::read(d)?),
                    _ => {}
                }
                Ok(())
            })?
        } else {
            code::Additions::NONE
        };
        d.leave();
        Ok(Self { first: f0, last: f6, additions_1: a0, single: a1, additions_3: a2, unknown })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        let known: [bool; 3] = [self.additions_1.as_ref().is_some_and(|group| group.has_values()), self.single.is_some(), self.additions_3.as_ref().is_some_and(|group| group.has_values())];
        let more = known.contains(&true) || self.unknown.is_present();
        e.bit(more)?;
        e.bits(u64::from(self.last.is_some()) << 0, 1)?;
        e.part("first", |e| { let v = &self.first; e.whole(*v as u64, 0, 200) })?;
        e.optional("last", &self.last, |e, v| e.octets(v, code::Bounds { min: Some(0), max: None, extensible: false }))?;
        if more {
            e.additions(&known, &self.unknown, |e, n| match n {
                0 => match &self.additions_1 { Some(v) => v.write(e), None => Ok(()) },
                1 => e.optional("single", &self.single, |e, v| e.text(v, &CHARACTERS_5)),
                2 => match &self.additions_3 { Some(v) => v.write(e), None => Ok(()) },
                _ => Ok(()),
            })?;
        }
        e.leave();
        Ok(())
    }
}

/// ```asn1
/// Empty ::= SEQUENCE { ... }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Empty {
    /// Extension additions that the module does not define.
    pub unknown: code::Additions,
}

impl PerType for Empty {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let more = d.bit()?;
        let unknown = if more {
            d.additions(0, |_, _| {
                match () {
                    () => {}
                }
                Ok(())
            })?
        } else {
            code::Additions::NONE
        };
        d.leave();
        Ok(Self { unknown })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        let known: [bool; 0] = [];
        let more = known.contains(&true) || self.unknown.is_present();
        e.bit(more)?;
        if more {
            e.additions(&known, &self.unknown, |_, _| match () {
                () => Ok(()),
            })?;
        }
        e.leave();
        Ok(())
    }
}

/// ```asn1
/// Set ::= SET { b [1] BOOLEAN, a [0] INTEGER (0..3) OPTIONAL, c [APPLICATION 4] Closed }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// `c`.
    pub c: Closed,
    /// `a`.
    pub a: Option<u8>,
    /// `b`.
    pub b: bool,
}

impl PerType for Set {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let p0 = d.bits(1)?;
        let f2 = d.part("c", |d| Closed::read(d))?;
        let f1 = d.optional(p0 >> 0 & 1 != 0, "a", |d| d.whole(0, 3).map(|n| n as u8))?;
        let f0 = d.part("b", |d| d.bit())?;
        d.leave();
        Ok(Self { c: f2, a: f1, b: f0 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.bits(u64::from(self.a.is_some()) << 0, 1)?;
        e.part("c", |e| { let v = &self.c; v.write(e) })?;
        e.optional("a", &self.a, |e, v| e.whole(*v as u64, 0, 3))?;
        e.part("b", |e| { let v = &self.b; e.bit(*v) })?;
        e.leave();
        Ok(())
    }
}

static CHARACTERS_6: code::Characters = code::Characters { size: code::Bounds { min: Some(0), max: Some(5), extensible: false }, alphabet: std::borrow::Cow::Borrowed(&[(32, 32), (39, 41), (43, 58), (61, 61), (63, 63), (65, 90), (97, 122)]), width: 1 };

/// ```asn1
/// Tree ::= CHOICE {
///   leaf      PrintableString (SIZE (0..5)),
///   branches  SEQUENCE (SIZE (0..3)) OF Tree,
///   set       SET OF INTEGER (0..300),
///   wrapped   OCTET STRING (CONTAINING Tree),
///   bits      BIT STRING (CONTAINING Point),
///   pair      SEQUENCE { one Tree OPTIONAL, other Tree OPTIONAL },
///   ...,
///   added     Kind,
///   further   Point
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// `leaf`.
    Leaf(String),
    /// `branches`.
    Branches(Vec<Tree>),
    /// `set`.
    Set(Vec<u16>),
    /// `wrapped`.
    Wrapped(Box<Tree>),
    /// `bits`.
    Bits(Point),
    /// `pair`.
    Pair(Box<TreePair>),
    /// `added`.
    Added(Kind),
    /// `further`.
    Further(Point),
    /// An alternative that the module does not define.
    Unknown(code::Foreign),
}

impl PerType for Tree {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let value = match d.index(6, true)? {
            0 => Self::Leaf(d.part("leaf", |d| d.text(&CHARACTERS_6))?),
            1 => Self::Branches(d.part("branches", |d| d.list(code::Bounds { min: Some(0), max: Some(3), extensible: false }, |d| Tree::read(d)))?),
            2 => Self::Set(d.part("set", |d| { let start = d.position(); d.list(code::Bounds { min: Some(0), max: None, extensible: false }, |d| d.whole(0, 300).map(|n| n as u16)).and_then(|list| d.sorted(start, &list, |e, v| e.whole(*v as u64, 0, 300)).map(|()| list)) })?),
            3 => Self::Wrapped(d.part("wrapped", |d| d.in_octets(code::Bounds { min: Some(0), max: None, extensible: false }, |d| Tree::read(d)).and_then(|v| d.boxed(v)))?),
            4 => Self::Bits(d.part("bits", |d| d.in_bits(code::Bounds { min: Some(0), max: None, extensible: false }, |d| Point::read(d)))?),
            5 => Self::Pair(d.part("pair", |d| TreePair::read(d).and_then(|v| d.boxed(v)))?),
            6 => Self::Added(d.part("added", |d| d.open(|d| Kind::read(d)))?),
            7 => Self::Further(d.part("further", |d| d.open(|d| Point::read(d)))?),
            n => Self::Unknown(d.unknown(n - 6)?),
        };
        d.leave();
        Ok(value)
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        match self {
            Self::Leaf(v) => {
                e.index(0, 6, true)?;
                e.part("leaf", |e| e.text(v, &CHARACTERS_6))?;
            }
            Self::Branches(v) => {
                e.index(1, 6, true)?;
                e.part("branches", |e| e.list(code::Bounds { min: Some(0), max: Some(3), extensible: false }, v, |e, v| v.write(e)))?;
            }
            Self::Set(v) => {
                e.index(2, 6, true)?;
                e.part("set", |e| e.set(code::Bounds { min: Some(0), max: None, extensible: false }, v, |e, v| e.whole(*v as u64, 0, 300)))?;
            }
            Self::Wrapped(v) => {
                e.index(3, 6, true)?;
                e.part("wrapped", |e| { let v = &**v; e.in_octets(code::Bounds { min: Some(0), max: None, extensible: false }, |e| v.write(e)) })?;
            }
            Self::Bits(v) => {
                e.index(4, 6, true)?;
                e.part("bits", |e| e.in_bits(code::Bounds { min: Some(0), max: None, extensible: false }, |e| v.write(e)))?;
            }
            Self::Pair(v) => {
                e.index(5, 6, true)?;
                e.part("pair", |e| { let v = &**v; v.write(e) })?;
            }
            Self::Added(v) => {
                e.index(6, 6, true)?;
                e.part("added", |e| e.open(|e| v.write(e)))?;
            }
            Self::Further(v) => {
                e.index(7, 6, true)?;
                e.part("further", |e| e.open(|e| v.write(e)))?;
            }
            Self::Unknown(v) => e.unknown(v, 2)?,
        }
        e.leave();
        Ok(())
    }
}

/// The anonymous type `TreePair`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreePair {
    /// `one`.
    pub one: Option<Box<Tree>>,
    /// `other`.
    pub other: Option<Box<Tree>>,
}

impl PerType for TreePair {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let p0 = d.bits(2)?;
        let f0 = d.optional(p0 >> 1 & 1 != 0, "one", |d| Tree::read(d).and_then(|v| d.boxed(v)))?;
        let f1 = d.optional(p0 >> 0 & 1 != 0, "other", |d| Tree::read(d).and_then(|v| d.boxed(v)))?;
        d.leave();
        Ok(Self { one: f0, other: f1 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.bits(u64::from(self.one.is_some()) << 1 | u64::from(self.other.is_some()) << 0, 2)?;
        e.optional("one", &self.one, |e, v| { let v = &**v; v.write(e) })?;
        e.optional("other", &self.other, |e, v| { let v = &**v; v.write(e) })?;
        e.leave();
        Ok(())
    }
}

/// ```asn1
/// Lists ::= SEQUENCE {
///   plain     SEQUENCE OF BOOLEAN OPTIONAL,
///   sized     SEQUENCE (SIZE (1..20)) OF Point OPTIONAL,
///   either    SEQUENCE (SIZE (1 | 3)) OF NULL OPTIONAL,
///   extended  SEQUENCE (SIZE (1..2, ...)) OF INTEGER (0..7) OPTIONAL,
///   names     SET (SIZE (0..4)) OF IA5String OPTIONAL
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    /// `plain`.
    pub plain: Option<Vec<bool>>,
    /// `sized`.
    pub sized: Option<Vec<Point>>,
    /// `either`.
    pub either: Option<Vec<()>>,
    /// `extended`.
    pub extended: Option<Vec<u8>>,
    /// `names`.
    pub names: Option<Vec<String>>,
}

impl PerType for Lists {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let p0 = d.bits(5)?;
        let f0 = d.optional(p0 >> 4 & 1 != 0, "plain", |d| d.list(code::Bounds { min: Some(0), max: None, extensible: false }, |d| d.bit()))?;
        let f1 = d.optional(p0 >> 3 & 1 != 0, "sized", |d| d.list(code::Bounds { min: Some(1), max: Some(20), extensible: false }, |d| Point::read(d)))?;
        let f2 = d.optional(p0 >> 2 & 1 != 0, "either", |d| { let start = d.position(); d.list(code::Bounds { min: Some(1), max: Some(3), extensible: false }, |d| d.null()).and_then(|value| { let v = &value; d.ensure_size(start, matches!(v.len() as u64, 1 | 3)).map(|()| value) }) })?;
        let f3 = d.optional(p0 >> 1 & 1 != 0, "extended", |d| d.list(code::Bounds { min: Some(1), max: Some(2), extensible: true }, |d| d.whole(0, 7).map(|n| n as u8)))?;
        let f4 = d.optional(p0 >> 0 & 1 != 0, "names", |d| { let start = d.position(); d.list(code::Bounds { min: Some(0), max: Some(4), extensible: false }, |d| d.text(&CHARACTERS_5)).and_then(|list| d.sorted(start, &list, |e, v| e.text(v, &CHARACTERS_5)).map(|()| list)) })?;
        d.leave();
        Ok(Self { plain: f0, sized: f1, either: f2, extended: f3, names: f4 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.bits(u64::from(self.plain.is_some()) << 4 | u64::from(self.sized.is_some()) << 3 | u64::from(self.either.is_some()) << 2 | u64::from(self.extended.is_some()) << 1 | u64::from(self.names.is_some()) << 0, 5)?;
        e.optional("plain", &self.plain, |e, v| e.list(code::Bounds { min: Some(0), max: None, extensible: false }, v, |e, v| e.bit(*v)))?;
        e.optional("sized", &self.sized, |e, v| e.list(code::Bounds { min: Some(1), max: Some(20), extensible: false }, v, |e, v| v.write(e)))?;
        e.optional("either", &self.either, |e, v| { e.ensure_size(matches!(v.len() as u64, 1 | 3))?; e.list(code::Bounds { min: Some(1), max: Some(3), extensible: false }, v, |e, v| e.null(v)) })?;
        e.optional("extended", &self.extended, |e, v| e.list(code::Bounds { min: Some(1), max: Some(2), extensible: true }, v, |e, v| e.whole(*v as u64, 0, 7)))?;
        e.optional("names", &self.names, |e, v| e.set(code::Bounds { min: Some(0), max: Some(4), extensible: false }, v, |e, v| e.text(v, &CHARACTERS_5)))?;
        e.leave();
        Ok(())
    }
}

/// The types that `id` selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageValue {
    /// `Point`.
    Point(Point),
    /// `Kind`.
    Kind(Kind),
    /// `Tree`.
    Tree(Tree),
    /// A type that no object of the set describes.
    Unknown(code::Foreign),
}

impl MessageValue {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>, key: &u8) -> Result<Self, Stop> {
        match key {
            1 => d.open(|d| Point::read(d)).map(Self::Point),
            2 => d.open(|d| Kind::read(d)).map(Self::Kind),
            3 => d.open(|d| Tree::read(d)).map(Self::Tree),
            _ => d.foreign().map(Self::Unknown),
        }
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>, key: &u8) -> Result<(), Stop> {
        match (key, self) {
            (1, Self::Point(v)) => e.open(|e| v.write(e)),
            (2, Self::Kind(v)) => e.open(|e| v.write(e)),
            (3, Self::Tree(v)) => e.open(|e| v.write(e)),
            (_, Self::Unknown(v)) => e.foreign(v),
            _ => Err(e.fail(code::Kind::Mismatch("the open type's value does not match its selector"))),
        }
    }
}

/// ```asn1
/// Message ::= SEQUENCE {
///   id        MESSAGE.&id ({Messages}),
///   level     MESSAGE.&level ({Messages}{@id}),
///   value     MESSAGE.&Type ({Messages}{@id})
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// `id`.
    pub id: u8,
    /// `level`.
    pub level: Closed,
    /// `value`.
    pub value: MessageValue,
}

impl PerType for Message {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let f0 = d.part("id", |d| d.whole(0, 255).map(|n| n as u8))?;
        let f1 = d.part("level", |d| { let start = d.position(); Closed::read(d).and_then(|value| { let v = &value; d.ensure(start, match &f0 { 1 => matches!(*v, Closed::One), 2 => matches!(*v, Closed::Two), 3 => matches!(*v, Closed::Three), _ => true }).map(|()| value) }) })?;
        let f2 = d.part("value", |d| MessageValue::read(d, &f0))?;
        d.leave();
        Ok(Self { id: f0, level: f1, value: f2 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.part("id", |e| { let v = &self.id; e.whole(*v as u64, 0, 255) })?;
        e.part("level", |e| { let v = &self.level; { e.ensure(match &self.id { 1 => matches!(*v, Closed::One), 2 => matches!(*v, Closed::Two), 3 => matches!(*v, Closed::Three), _ => true })?; v.write(e) } })?;
        e.part("value", |e| { let v = &self.value; v.write(e, &self.id) })?;
        e.leave();
        Ok(())
    }
}

/// ```asn1
/// Both ::= SEQUENCE { first Container { {Messages} }, second Container { {Others} } OPTIONAL }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Both {
    /// `first`.
    pub first: Vec<BothFirst>,
    /// `second`.
    pub second: Option<Vec<BothSecond>>,
}

impl PerType for Both {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let p0 = d.bits(1)?;
        let f0 = d.part("first", |d| d.list(code::Bounds { min: Some(0), max: Some(10), extensible: false }, |d| BothFirst::read(d)))?;
        let f1 = d.optional(p0 >> 0 & 1 != 0, "second", |d| d.list(code::Bounds { min: Some(0), max: Some(10), extensible: false }, |d| BothSecond::read(d)))?;
        d.leave();
        Ok(Self { first: f0, second: f1 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.bits(u64::from(self.second.is_some()) << 0, 1)?;
        e.part("first", |e| { let v = &self.first; e.list(code::Bounds { min: Some(0), max: Some(10), extensible: false }, v, |e, v| v.write(e)) })?;
        e.optional("second", &self.second, |e, v| e.list(code::Bounds { min: Some(0), max: Some(10), extensible: false }, v, |e, v| v.write(e)))?;
        e.leave();
        Ok(())
    }
}

/// The types that `id` selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BothFirstValue {
    /// `Point`.
    Point(Point),
    /// `Kind`.
    Kind(Kind),
    /// `Tree`.
    Tree(Tree),
    /// A type that no object of the set describes.
    Unknown(code::Foreign),
}

impl BothFirstValue {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>, key: &u8) -> Result<Self, Stop> {
        match key {
            1 => d.open(|d| Point::read(d)).map(Self::Point),
            2 => d.open(|d| Kind::read(d)).map(Self::Kind),
            3 => d.open(|d| Tree::read(d)).map(Self::Tree),
            _ => d.foreign().map(Self::Unknown),
        }
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>, key: &u8) -> Result<(), Stop> {
        match (key, self) {
            (1, Self::Point(v)) => e.open(|e| v.write(e)),
            (2, Self::Kind(v)) => e.open(|e| v.write(e)),
            (3, Self::Tree(v)) => e.open(|e| v.write(e)),
            (_, Self::Unknown(v)) => e.foreign(v),
            _ => Err(e.fail(code::Kind::Mismatch("the open type's value does not match its selector"))),
        }
    }
}

/// The anonymous type `BothFirst`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BothFirst {
    /// `id`.
    pub id: u8,
    /// `value`.
    pub value: BothFirstValue,
}

impl PerType for BothFirst {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let f0 = d.part("id", |d| d.whole(0, 255).map(|n| n as u8))?;
        let f1 = d.part("value", |d| BothFirstValue::read(d, &f0))?;
        d.leave();
        Ok(Self { id: f0, value: f1 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.part("id", |e| { let v = &self.id; e.whole(*v as u64, 0, 255) })?;
        e.part("value", |e| { let v = &self.value; v.write(e, &self.id) })?;
        e.leave();
        Ok(())
    }
}

/// The types that `id` selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BothSecondValue {
    /// `Boolean`.
    Boolean(bool),
    /// A type that no object of the set describes.
    Unknown(code::Foreign),
}

impl BothSecondValue {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>, key: &u8) -> Result<Self, Stop> {
        match key {
            9 => d.open(|d| d.bit()).map(Self::Boolean),
            _ => d.foreign().map(Self::Unknown),
        }
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>, key: &u8) -> Result<(), Stop> {
        match (key, self) {
            (9, Self::Boolean(v)) => e.open(|e| e.bit(*v)),
            (_, Self::Unknown(v)) => e.foreign(v),
            _ => Err(e.fail(code::Kind::Mismatch("the open type's value does not match its selector"))),
        }
    }
}

/// The anonymous type `BothSecond`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BothSecond {
    /// `id`.
    pub id: u8,
    /// `value`.
    pub value: BothSecondValue,
}

impl PerType for BothSecond {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let f0 = d.part("id", |d| { let start = d.position(); d.whole(0, 255).map(|n| n as u8).and_then(|value| { let v = &value; d.ensure(start, matches!(*v, 9)).map(|()| value) }) })?;
        let f1 = d.part("value", |d| BothSecondValue::read(d, &f0))?;
        d.leave();
        Ok(Self { id: f0, value: f1 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.part("id", |e| { let v = &self.id; { e.ensure(matches!(*v, 9))?; e.whole(*v as u64, 0, 255) } })?;
        e.part("value", |e| { let v = &self.value; v.write(e, &self.id) })?;
        e.leave();
        Ok(())
    }
}

/// ```asn1
/// Nulls ::= SEQUENCE OF NULL
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nulls(
    /// The value.
    pub Vec<()>,
);

impl PerType for Nulls {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.list(code::Bounds { min: Some(0), max: None, extensible: false }, |d| d.null()).map(Self)
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        let v = &self.0;
        e.list(code::Bounds { min: Some(0), max: None, extensible: false }, v, |e, v| e.null(v))
    }
}

static CHARACTERS_7: code::Characters = code::Characters { size: code::Bounds { min: Some(0), max: Some(6), extensible: false }, alphabet: std::borrow::Cow::Borrowed(&[(0, 127)]), width: 1 };

/// ```asn1
/// Contained ::= SEQUENCE {
///   octets    OCTET STRING (SIZE (2..5)) (CONTAINING IA5String (SIZE (0..6))) OPTIONAL,
///   bits      BIT STRING (SIZE (8..14)) (CONTAINING Point) OPTIONAL,
///   open      OCTET STRING (SIZE (2 | 4, ...)) (CONTAINING IA5String (SIZE (0..6))) OPTIONAL,
///   openBits  BIT STRING (SIZE (8 | 15, ..., 20)) (CONTAINING Lists) OPTIONAL,
///   from      OCTET STRING (SIZE (3..MAX)) (CONTAINING IA5String) OPTIONAL,
///   one       OCTET STRING (SIZE (2)) (CONTAINING Point) OPTIONAL,
///   oneBits   BIT STRING (SIZE (15)) (CONTAINING Point) OPTIONAL
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contained {
    /// `octets`.
    pub octets: Option<String>,
    /// `bits`.
    pub bits: Option<Point>,
    /// `open`.
    pub open: Option<String>,
    /// `openBits`.
    pub open_bits: Option<Lists>,
    /// `from`.
    pub from: Option<String>,
    /// `one`.
    pub one: Option<Point>,
    /// `oneBits`.
    pub one_bits: Option<Point>,
}

impl PerType for Contained {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let p0 = d.bits(7)?;
        let f0 = d.optional(p0 >> 6 & 1 != 0, "octets", |d| d.in_octets(code::Bounds { min: Some(2), max: Some(5), extensible: false }, |d| d.text(&CHARACTERS_7)))?;
        let f1 = d.optional(p0 >> 5 & 1 != 0, "bits", |d| d.in_bits(code::Bounds { min: Some(8), max: Some(14), extensible: false }, |d| Point::read(d)))?;
        let f2 = d.optional(p0 >> 4 & 1 != 0, "open", |d| d.in_octets(code::Bounds { min: Some(2), max: Some(4), extensible: true }, |d| d.text(&CHARACTERS_7)))?;
        let f3 = d.optional(p0 >> 3 & 1 != 0, "openBits", |d| d.in_bits(code::Bounds { min: Some(8), max: Some(15), extensible: true }, |d| Lists::read(d)))?;
        let f4 = d.optional(p0 >> 2 & 1 != 0, "from", |d| d.in_octets(code::Bounds { min: Some(3), max: None, extensible: false }, |d| d.text(&CHARACTERS_5)))?;
        let f5 = d.optional(p0 >> 1 & 1 != 0, "one", |d| d.in_octets(code::Bounds { min: Some(2), max: Some(2), extensible: false }, |d| Point::read(d)))?;
        let f6 = d.optional(p0 >> 0 & 1 != 0, "oneBits", |d| d.in_bits(code::Bounds { min: Some(15), max: Some(15), extensible: false }, |d| Point::read(d)))?;
        d.leave();
        Ok(Self { octets: f0, bits: f1, open: f2, open_bits: f3, from: f4, one: f5, one_bits: f6 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.bits(u64::from(self.octets.is_some()) << 6 | u64::from(self.bits.is_some()) << 5 | u64::from(self.open.is_some()) << 4 | u64::from(self.open_bits.is_some()) << 3 | u64::from(self.from.is_some()) << 2 | u64::from(self.one.is_some()) << 1 | u64::from(self.one_bits.is_some()) << 0, 7)?;
        e.optional("octets", &self.octets, |e, v| e.in_octets(code::Bounds { min: Some(2), max: Some(5), extensible: false }, |e| e.text(v, &CHARACTERS_7)))?;
        e.optional("bits", &self.bits, |e, v| e.in_bits(code::Bounds { min: Some(8), max: Some(14), extensible: false }, |e| v.write(e)))?;
        e.optional("open", &self.open, |e, v| e.in_octets(code::Bounds { min: Some(2), max: Some(4), extensible: true }, |e| e.text(v, &CHARACTERS_7)))?;
        e.optional("openBits", &self.open_bits, |e, v| e.in_bits(code::Bounds { min: Some(8), max: Some(15), extensible: true }, |e| v.write(e)))?;
        e.optional("from", &self.from, |e, v| e.in_octets(code::Bounds { min: Some(3), max: None, extensible: false }, |e| e.text(v, &CHARACTERS_5)))?;
        e.optional("one", &self.one, |e, v| e.in_octets(code::Bounds { min: Some(2), max: Some(2), extensible: false }, |e| v.write(e)))?;
        e.optional("oneBits", &self.one_bits, |e, v| e.in_bits(code::Bounds { min: Some(15), max: Some(15), extensible: false }, |e| v.write(e)))?;
        e.leave();
        Ok(())
    }
}

static CHARACTERS_8: code::Characters = code::Characters { size: code::Bounds { min: Some(1), max: Some(8), extensible: false }, alphabet: std::borrow::Cow::Borrowed(&[(0, 127)]), width: 1 };

/// ```asn1
/// Name ::= IA5String (SIZE (1..8))
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(
    /// The value.
    pub String,
);

impl PerType for Name {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.text(&CHARACTERS_8).map(Self)
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        let v = &self.0;
        e.text(v, &CHARACTERS_8)
    }
}

static CHARACTERS_9: code::Characters = code::Characters { size: code::Bounds { min: Some(1), max: Some(3), extensible: false }, alphabet: std::borrow::Cow::Borrowed(&[(0, 127)]), width: 1 };

/// ```asn1
/// Short ::= Name (SIZE (1..3))
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Short(
    /// The value.
    pub String,
);

impl PerType for Short {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        { let start = d.position(); d.text(&CHARACTERS_9).and_then(|value| { let v = &value; d.ensure_size(start, matches!(v.len() as u64, 1..=3)).map(|()| value) }) }.map(Self)
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        let v = &self.0;
        { e.ensure_size(matches!(v.len() as u64, 1..=3))?; e.text(v, &CHARACTERS_9) }
    }
}

/// ```asn1
/// Named ::= SEQUENCE { name Name, short Short, names SEQUENCE (SIZE (0..3)) OF Name }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// `name`.
    pub name: Name,
    /// `short`.
    pub short: Short,
    /// `names`.
    pub names: Vec<Name>,
}

impl PerType for Named {
    fn read<const A: bool>(d: &mut Decoder<'_, '_, A>) -> Result<Self, Stop> {
        d.enter()?;
        let f0 = d.part("name", |d| Name::read(d))?;
        let f1 = d.part("short", |d| Short::read(d))?;
        let f2 = d.part("names", |d| d.list(code::Bounds { min: Some(0), max: Some(3), extensible: false }, |d| Name::read(d)))?;
        d.leave();
        Ok(Self { name: f0, short: f1, names: f2 })
    }

    fn write<const A: bool>(&self, e: &mut Encoder<'_, A>) -> Result<(), Stop> {
        e.enter()?;
        e.part("name", |e| { let v = &self.name; v.write(e) })?;
        e.part("short", |e| { let v = &self.short; v.write(e) })?;
        e.part("names", |e| { let v = &self.names; e.list(code::Bounds { min: Some(0), max: Some(3), extensible: false }, v, |e, v| v.write(e)) })?;
        e.leave();
        Ok(())
    }
}

