//! Properties of the string, bit string, identifier, REAL and presentation types:
//! what is accepted encodes to the same octets, what is tolerated and can be encoded is DER then, and values survive.
#![cfg(feature = "alloc")]

use proptest::collection::vec;
use proptest::prelude::*;
use tagwise_codec::{
    BitStr, Bmp, CharacterString, ContextNegotiation, Decode, EmbeddedPdv, Encode, Enumerated, External,
    ExternalEncoding, FaultKind, General, Graphic, Ia5, Identification, Int, NamedBits, Numeric, ObjectDescriptor,
    OctetStr, Oid, Options, Printable, Real, RelativeOid, Rule, RuleSet, Syntaxes, Tag, Tagged, Teletex, Universal,
    Utf8, Videotex, Visible, encode,
};

/// An element with the tag of a type.
fn element(tag: Tag, content: &[u8]) -> Vec<u8> {
    assert!(tag.is_low());
    let mut octets = vec![tag.first_octet()];
    match content.len() {
        len @ ..0x80 => octets.push(len as u8),
        len => octets.extend([0x82, (len >> 8) as u8, len as u8]),
    }
    octets.extend(content);
    octets
}

fn every_rule() -> RuleSet {
    Rule::ALL.iter().fold(RuleSet::NONE, |rules, rule| rules.with(rule))
}

/// Octets as a type, strictly and with every rule allowed. A macro, for the type borrows from the octets.
macro_rules! holds {
    ($name:ty, $input:expr) => {
        let input: &[u8] = $input;
        let strict = <$name>::from_der(input);
        if let Ok(value) = &strict {
            prop_assert_eq!(encode(value).unwrap(), input);
        }
        let tolerant = Options::der().rules(every_rule()).decode::<$name>(input);
        match (&strict, &tolerant) {
            (Ok(strict), Ok(tolerant)) => {
                prop_assert_eq!(strict, &tolerant.value);
                prop_assert!(tolerant.deviations.is_empty());
            }
            (Ok(_), Err(error)) => prop_assert!(false, "strict accepts, tolerant says {error}"),
            (Err(error), Ok(tolerant)) => {
                prop_assert_eq!(error.offset(), tolerant.deviations[0].offset);
                match encode(&tolerant.value) {
                    Ok(octets) => prop_assert_eq!(&<$name>::from_der(&octets).unwrap(), &tolerant.value),
                    Err(error) => prop_assert_eq!(error.kind(), FaultKind::NotEncodable),
                }
            }
            (Err(_), Err(_)) => {}
        }
    };
}

/// A value that is encoded and read again.
macro_rules! survives {
    ($name:ty, $value:expr) => {
        let value: $name = $value;
        let octets = encode(&value).unwrap();
        prop_assert_eq!(octets.len(), value.encoded_len());
        prop_assert_eq!(<$name>::from_der(&octets).unwrap(), value);
    };
}

macro_rules! arbitrary_octets {
    ($($test:ident: $name:ty;)*) => {
        proptest! {$(
            #[test]
            fn $test(content in octets()) {
                holds!($name, &content);
                holds!($name, &element(<$name>::TAG, &content));
            }
        )*}
    };
}

/// Octets, often of few kinds, so that they are often nearly right.
fn octets() -> impl Strategy<Value = Vec<u8>> {
    let few = prop::sample::select(vec![0x00, 0x01, 0x03, 0x07, 0x20, 0x31, 0x41, 0x7F, 0x80, 0x81, 0xD8, 0xFF]);
    prop_oneof![vec(any::<u8>(), 0..24), vec(few, 0..12), vec(0x20u8..0x7F, 0..150)]
}

arbitrary_octets! {
    bit_string: BitStr<'_>;
    named_bits: NamedBits<'_>;
    enumerated: Enumerated;
    real: Real<'_>;
    relative_oid: RelativeOid<'_>;
    utf8: Utf8<'_>;
    str: &str;
    numeric: Numeric<'_>;
    printable: Printable<'_>;
    ia5: Ia5<'_>;
    visible: Visible<'_>;
    teletex: Teletex<'_>;
    videotex: Videotex<'_>;
    graphic: Graphic<'_>;
    general: General<'_>;
    bmp: Bmp<'_>;
    universal: Universal<'_>;
    object_descriptor: ObjectDescriptor<'_>;
    external: External<'_>;
    embedded_pdv: EmbeddedPdv<'_>;
    character_string: CharacterString<'_>;
}

/// The content octets of a binary REAL of any form.
fn binary_content() -> impl Strategy<Value = Vec<u8>> {
    let forms = (0x80u8..=0xFF, vec(any::<u8>(), 0..5), vec(any::<u8>(), 0..20));
    forms.prop_map(|(first, exponent, mantissa)| {
        let mut content = vec![first & 0xFC | (exponent.len() as u8).wrapping_sub(1) & 3];
        if exponent.len() > 3 {
            content.push(exponent.len() as u8);
        }
        content.extend(exponent);
        content.extend(mantissa);
        content
    })
}

fn oid_content() -> impl Strategy<Value = Vec<u8>> {
    let arc = (vec(0x81u8..=0xFF, 0..3), 0u8..0x80).prop_map(|(more, last)| [more, vec![last]].concat());
    vec(arc, 1..6).prop_map(|arcs| arcs.concat())
}

fn int_content() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 1..20)
}

proptest! {
    #[test]
    fn bit_strings_survive(octets in vec(any::<u8>(), 1..40), unused in 0u8..8) {
        survives!(BitStr<'_>, BitStr::new(&octets, unused).unwrap());
        survives!(BitStr<'_>, BitStr::from_octets(&octets));
        let bits = BitStr::new(&octets, unused).unwrap();
        let len = bits.bit_len();
        prop_assert_eq!(len, octets.len() as u64 * 8 - u64::from(unused));
        for n in 0..len + 9 {
            let octet = octets.get((n / 8) as usize).copied().unwrap_or(0);
            prop_assert_eq!(bits.bit(n), (n < len).then_some(octet >> (7 - n % 8) & 1 == 1));
        }
    }

    #[test]
    fn named_bits_survive(mask in any::<u64>(), shift in 0u32..64) {
        let mask = mask >> shift;
        let bits = NamedBits::from_mask(mask);
        survives!(NamedBits<'_>, bits);
        prop_assert_eq!(bits.to_mask(), Some(mask));
        prop_assert_eq!(bits.iter().fold(0, |mask, n| mask | 1 << n), mask);
        let octets = encode(&bits).unwrap();
        let read = NamedBits::from_der(&octets).unwrap();
        prop_assert_eq!(read.to_mask(), Some(mask));
        for n in 0..70 {
            prop_assert_eq!((bits.contains(n), read.contains(n)), (n < 64 && mask >> n & 1 == 1, bits.contains(n)));
        }
    }

    #[test]
    fn named_bits_are_the_set_bits(octets in vec(prop_oneof![Just(0u8), any::<u8>()], 0..20)) {
        let input = element(Tag::BIT_STRING, &[&[0], &octets[..]].concat());
        let read = Options::ber_definite().decode::<NamedBits<'_>>(&input).unwrap().value;
        let plain = BitStr::from_der(&input).unwrap();
        let set: Vec<u64> = (0..plain.bit_len()).filter(|n| plain.bit(*n) == Some(true)).collect();
        prop_assert!(read.iter().eq(set));
        survives!(NamedBits<'_>, read);
    }

    #[test]
    fn enumerated_survives(number in any::<i64>(), shift in 0u32..64) {
        survives!(Enumerated, Enumerated(number >> shift));
    }

    #[test]
    fn floats_survive(bits in any::<u64>()) {
        let float = f64::from_bits(bits);
        survives!(Real<'_>, Real::from_f64(float));
        let octets = encode(&Real::from_f64(float)).unwrap();
        let read = Real::from_der(&octets).unwrap().to_f64();
        prop_assert!(read.to_bits() == bits || read.is_nan() && float.is_nan());
    }

    #[test]
    fn binary_reals(content in binary_content()) {
        let input = element(Tag::REAL, &content);
        holds!(Real<'_>, &input);
        if let Ok(loose) = Options::ber_definite().decode::<Real<'_>>(&input)
            && let Ok(octets) = encode(&loose.value)
        {
            let strict = Real::from_der(&octets).unwrap();
            prop_assert_eq!(strict.to_f64().to_bits(), loose.value.to_f64().to_bits());
            prop_assert_eq!(strict.to_string(), loose.value.to_string());
        }
    }

    #[test]
    fn decimal_reals(
        text in "[ ]{0,2}[+-]?[0-9]{0,20}([.,][0-9]{0,20})?([Ee][+-]?[0-9]{1,3})?",
        form in 1u8..4,
    ) {
        let input = element(Tag::REAL, &[&[form], text.as_bytes()].concat());
        holds!(Real<'_>, &input);
        if let Ok(loose) = Options::ber_definite().decode::<Real<'_>>(&input) {
            let expected: f64 = text.trim_start().replace(',', ".").parse().unwrap();
            prop_assert_eq!(loose.value.to_f64().to_bits(), expected.to_bits());
            let octets = encode(&loose.value).unwrap();
            prop_assert_eq!(Real::from_der(&octets).unwrap().to_f64().to_bits(), expected.to_bits());
            prop_assert_eq!(loose.value.to_string().parse::<f64>().unwrap().to_bits(), expected.to_bits());
        }
    }

    #[test]
    fn text_survives(text in any::<String>(), ascii in "[ -~]{0,40}", printable in "[A-Za-z0-9 '()+,./:=?-]{0,40}") {
        survives!(Utf8<'_>, Utf8::new(&text));
        survives!(&str, &text);
        survives!(Universal<'_>, Universal::new(&text));
        survives!(General<'_>, General::new(&text));
        survives!(Graphic<'_>, Graphic::new(&text));
        survives!(ObjectDescriptor<'_>, ObjectDescriptor::new(&text));
        survives!(Ia5<'_>, Ia5::new(&ascii).unwrap());
        survives!(Visible<'_>, Visible::new(&ascii).unwrap());
        survives!(Printable<'_>, Printable::new(&printable).unwrap());
        prop_assert_eq!(Utf8::new(&text).to_string(), text.as_str());
        prop_assert_eq!(Ia5::new(&ascii).unwrap().as_str(), Some(ascii.as_str()));
        prop_assert!(Universal::new(&text).chars().eq(text.chars()));
        match Bmp::new(&text) {
            Ok(bmp) => {
                survives!(Bmp<'_>, bmp);
                prop_assert_eq!(bmp.to_string(), text.as_str());
            }
            Err(fault) => {
                let above = text[fault.offset()..].chars().next().is_some_and(|char| u32::from(char) > 0xFFFF);
                prop_assert!(above);
            }
        }
        for (index, char) in text.char_indices().take(8) {
            let one = &text[index..index + char.len_utf8()];
            prop_assert_eq!(Numeric::new(one).is_ok(), char == ' ' || char.is_ascii_digit());
        }
    }

    #[test]
    fn relative_oids_survive(content in oid_content()) {
        survives!(RelativeOid<'_>, RelativeOid::from_content(&content).unwrap());
        let oid = RelativeOid::from_content(&content).unwrap();
        prop_assert_eq!(oid.arcs().count(), content.iter().filter(|octet| **octet < 0x80).count());
        let text: Vec<String> = oid.arcs().map(|arc| arc.to_u128().unwrap().to_string()).collect();
        prop_assert_eq!(oid.to_string(), text.join("."));
    }

    #[test]
    fn identifications_survive(
        first in oid_content(),
        second in oid_content(),
        number in int_content(),
        value in vec(any::<u8>(), 0..200),
    ) {
        let (abstract_syntax, transfer_syntax) = (Oid::from_content(&first).unwrap(), Oid::from_content(&second).unwrap());
        let presentation_context_id = Int::from_signed(&number);
        for identification in [
            Identification::Syntaxes(Syntaxes { abstract_syntax, transfer_syntax }),
            Identification::Syntax(abstract_syntax),
            Identification::PresentationContextId(presentation_context_id),
            Identification::ContextNegotiation(ContextNegotiation { presentation_context_id, transfer_syntax }),
            Identification::TransferSyntax(transfer_syntax),
            Identification::Fixed,
        ] {
            survives!(Identification<'_>, identification);
            survives!(EmbeddedPdv<'_>, EmbeddedPdv { identification, data_value: OctetStr::new(&value) });
            survives!(CharacterString<'_>, CharacterString { identification, string_value: OctetStr::new(&value) });
        }
    }

    #[test]
    fn externals_survive(
        direct in prop::option::of(oid_content()),
        indirect in prop::option::of(int_content()),
        text in prop::option::of(any::<String>()),
        value in vec(any::<u8>(), 1..200),
        unused in 0u8..8,
    ) {
        let single = element(Tag::OCTET_STRING, &value);
        for encoding in [
            ExternalEncoding::OctetAligned(OctetStr::new(&value)),
            ExternalEncoding::Arbitrary(BitStr::new(&value, unused).unwrap()),
            ExternalEncoding::from_der(&element(Tag::context(0).constructed(), &single)).unwrap_or(
                ExternalEncoding::OctetAligned(OctetStr::new(&[])),
            ),
        ] {
            let external = External {
                direct_reference: direct.as_deref().map(|content| Oid::from_content(content).unwrap()),
                indirect_reference: indirect.as_deref().map(Int::from_signed),
                data_value_descriptor: text.as_deref().map(ObjectDescriptor::new),
                encoding,
            };
            if direct.is_none() && indirect.is_none() {
                prop_assert_eq!(encode(&external).unwrap_err().kind(), FaultKind::Inconsistent);
            } else {
                survives!(External<'_>, external);
            }
        }
    }

    /// One octet changed in a valid encoding: still nothing panics, and what is accepted encodes to itself.
    #[test]
    fn one_octet_changed(at in any::<prop::sample::Index>(), octet in any::<u8>()) {
        let external = [
            0x28, 0x14, 0x06, 0x01, 0x51, 0x02, 0x01, 0x03, 0x07, 0x02, 0x68, 0x69, 0xA0, 0x08, 0x30, 0x06, 0x02, 0x01,
            0x05, 0x01, 0x01, 0xFF,
        ];
        let pdv = [0x2B, 0x0D, 0xA0, 0x09, 0xA3, 0x07, 0x80, 0x01, 0xFF, 0x81, 0x02, 0x51, 0x01, 0x82, 0x00];
        prop_assert!(External::from_der(&external).is_ok() && EmbeddedPdv::from_der(&pdv).is_ok());
        let mut changed = external;
        changed[at.index(external.len())] = octet;
        holds!(External<'_>, &changed);
        let mut changed = pdv;
        changed[at.index(pdv.len())] = octet;
        holds!(EmbeddedPdv<'_>, &changed);
    }
}
