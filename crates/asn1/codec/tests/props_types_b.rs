//! Properties of the time types, OID-IRI, base64, hexadecimal and PEM.
#![cfg(feature = "alloc")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fmt::Debug;

use proptest::collection::vec;
use proptest::prelude::*;
use tagwise_codec::text::{TextForm, base64, hex, sniff};
use tagwise_codec::{
    CivilTime, Date, DateTime, Decode, Duration, Encode, GeneralizedTime, IsoTime, OidIri, Options, RelativeOidIri,
    RuleSet, Session, Tag, TimeOfDay, UnixTime, UtcTime, encode, pem,
};

/// What strict decoding takes, encoding writes again; what BER takes besides encodes to something that strict decoding takes,
/// or does not encode.
fn decode_then_encode<'a, T: Decode<'a> + Encode + Debug>(
    input: &'a [u8],
    strict: impl Fn(&[u8]) -> Result<Vec<u8>, String>,
) -> Result<(), TestCaseError> {
    match T::from_der(input) {
        Ok(value) => prop_assert_eq!(encode(&value).unwrap(), input),
        Err(error) => prop_assert!(error.offset() <= input.len()),
    }
    if let Ok(read) = Options::ber_definite().decode::<T>(input) {
        prop_assert_eq!(read.deviations.is_empty(), T::from_der(input).is_ok());
        if let Ok(der) = encode(&read.value) {
            prop_assert_eq!(strict(&der), Ok(der.clone()), "{:?}", read.value);
        }
    }
    Ok(())
}

macro_rules! decode_then_encode {
    ($($type:ty),*; $input:expr) => {$(
        decode_then_encode::<$type>($input, |der| match <$type>::from_der(der) {
            Ok(value) => encode(&value).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        })?;
    )*};
}

/// A decoded value equals the one that was encoded.
macro_rules! encode_then_decode {
    ($type:ty, $value:expr) => {{
        let value: $type = $value;
        let der = encode(&value).unwrap();
        prop_assert_eq!(der.len(), value.encoded_len());
        prop_assert_eq!(<$type>::from_der(&der).unwrap(), value);
    }};
}

/// An element of each tag whose content comes from what the types consist of.
fn element() -> impl Strategy<Value = Vec<u8>> {
    let tags = prop::sample::select(vec![
        Tag::UTC_TIME,
        Tag::GENERALIZED_TIME,
        Tag::TIME,
        Tag::DATE,
        Tag::TIME_OF_DAY,
        Tag::DATE_TIME,
        Tag::DURATION,
        Tag::OID_IRI,
        Tag::RELATIVE_OID_IRI,
    ]);
    let pieces = prop::sample::select(vec![
        "0",
        "1",
        "2",
        "19",
        "20",
        "26",
        "1985",
        "2016",
        "04",
        "12",
        "30",
        "31",
        "59",
        "60",
        "23",
        "24",
        "Z",
        "+",
        "-",
        ".",
        ",",
        ":",
        "/",
        "T",
        "P",
        "W",
        "R",
        "C",
        "Y",
        "M",
        "D",
        "H",
        "S",
        "é",
        "\u{0}",
        "ISO",
        "261121",
        "100000",
        "161231235960",
    ]);
    let content = prop_oneof![
        vec(pieces, 0..12).prop_map(|pieces| pieces.concat().into_bytes()),
        vec(any::<u8>(), 0..24),
        // Nearly right.
        ("[0-9]{12,14}(\\.[0-9]{1,12})?(Z|[+-][0-9]{2,4})?").prop_map(String::into_bytes),
        ("[12][0-9]{3}-(0[1-9]|1[0-2])-[0-3][0-9](T[0-2][0-9](:[0-5][0-9](:[0-6][0-9])?)?)?(Z|[+-]0[0-9](:[0-5][0-9])?)?")
            .prop_map(String::into_bytes),
        ("P?([0-9]Y)?([0-9]M)?([0-9]D)?(T([0-9]H)?([0-9]M)?([0-9]([.,][0-9]+)?S)?)?").prop_map(String::into_bytes),
        ("/?[a-c0-1.-]{1,4}(/[a-c0-1-]{1,4}){0,3}").prop_map(String::into_bytes),
    ];
    (tags, content).prop_map(|(tag, content)| {
        let number = tag.number() as u8;
        let len = content.len() as u8;
        let header = if number < 31 { vec![number, len] } else { vec![0x1F, number, len] };
        [header, content].concat()
    })
}

fn civil() -> impl Strategy<Value = CivilTime> {
    (-62_167_219_200..=253_402_300_799i64).prop_map(|unix| CivilTime::from_unix(UnixTime(unix)).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_octets(input in vec(any::<u8>(), 0..64)) {
        decode_then_encode!(UtcTime, GeneralizedTime<'_>, Date, TimeOfDay, DateTime, Duration<'_>, IsoTime<'_>, OidIri<'_>, RelativeOidIri<'_>; &input);
        for content in [&input[..], &input[input.len() / 2..]] {
            let _ = (UtcTime::from_content(content), GeneralizedTime::from_content(content), Duration::from_content(content));
        }
    }

    #[test]
    fn elements(input in element()) {
        decode_then_encode!(UtcTime, GeneralizedTime<'_>, Date, TimeOfDay, DateTime, Duration<'_>, IsoTime<'_>, OidIri<'_>, RelativeOidIri<'_>; &input);
    }

    #[test]
    fn utc_times(civil in civil(), two in 0..100u16) {
        let year = if two < 50 { 2000 + two } else { 1900 + two };
        if let Ok(civil) = CivilTime::new(year, civil.month(), civil.day(), civil.hour(), civil.minute(), civil.second()) {
            let time = UtcTime::new(civil).unwrap();
            encode_then_decode!(UtcTime, time);
            prop_assert_eq!(UtcTime::from_unix(time.unix()).unwrap(), time);
            prop_assert_eq!(UtcTime::try_from(CivilTime::from(time)).unwrap(), time);
        }
    }

    #[test]
    fn generalized_times(civil in civil(), nanos in 0..1_000_000_000u32, other in any::<i64>()) {
        encode_then_decode!(GeneralizedTime<'_>, GeneralizedTime::new(civil));
        let time = GeneralizedTime::new(civil).with_nanosecond(nanos).unwrap();
        encode_then_decode!(GeneralizedTime<'_>, time);
        prop_assert_eq!(CivilTime::from_unix(civil.unix()).unwrap(), civil);
        if let Ok(other) = GeneralizedTime::from_unix(UnixTime(other)) {
            prop_assert_eq!(GeneralizedTime::new(civil).cmp(&other), civil.unix().cmp(&other.unix()));
        }
    }

    /// Any time difference of any instant names that instant.
    #[test]
    fn time_differences(unix in -62_167_132_800..253_402_214_399i64, minutes in -1439..=1439i64, fraction in "[0-9]{0,10}[1-9]") {
        let utc = CivilTime::from_unix(UnixTime(unix)).unwrap();
        let local = CivilTime::from_unix(UnixTime(unix + minutes * 60)).unwrap();
        let digits = |time: CivilTime| {
            format!("{:04}{:02}{:02}{:02}{:02}{:02}.{fraction}", time.year(), time.month(), time.day(), time.hour(), time.minute(), time.second())
        };
        let sign = if minutes < 0 { '-' } else { '+' };
        let loose = format!("{}{sign}{:02}{:02}", digits(local), minutes.abs() / 60, minutes.abs() % 60);
        let strict = format!("{}Z", digits(utc));
        let element = |text: &str| [&[0x18, text.len() as u8], text.as_bytes()].concat();
        let (loose, strict) = (element(&loose), element(&strict));
        let read = Options::ber_definite().decode::<GeneralizedTime<'_>>(&loose).unwrap();
        prop_assert_eq!(encode(&read.value).unwrap(), strict);
    }

    #[test]
    fn useful_times(civil in civil(), hour in 0..=24u8, second in 0..=60u8) {
        if let Ok(date) = Date::new(civil.year(), civil.month(), civil.day()) {
            encode_then_decode!(Date, date);
            if let Ok(time) = TimeOfDay::new(hour, civil.minute(), second) {
                encode_then_decode!(TimeOfDay, time);
                encode_then_decode!(DateTime, DateTime { date, time });
            }
        }
    }

    /// Units, and whether each is zero, in any combination: DER leaves out what is zero before the last.
    #[test]
    fn durations(numbers in prop::array::uniform6(prop::option::of(0..40u32)), fraction in prop::option::of("[0-9]{1,5}")) {
        let write = |keep: &dyn Fn(usize, u32) -> bool, text: &mut String| {
            let last = numbers.iter().rposition(Option::is_some);
            for (index, number) in numbers.iter().enumerate() {
                let Some(number) = number.filter(|number| keep(index, *number) || Some(index) == last) else { continue };
                if index >= 3 && !text.contains('T') {
                    text.push('T');
                }
                text.push_str(&number.to_string());
                if let (Some(fraction), true) = (&fraction, Some(index) == last) {
                    text.push('.');
                    text.push_str(fraction);
                }
                text.push(['Y', 'M', 'D', 'H', 'M', 'S'][index]);
            }
        };
        let (mut all, mut canonical) = (String::new(), String::new());
        write(&|_, _| true, &mut all);
        write(&|_, number| number != 0, &mut canonical);
        prop_assert_eq!(Duration::from_content(canonical.as_bytes()).is_ok(), !canonical.is_empty());
        prop_assert_eq!(Duration::from_content(all.as_bytes()).is_ok(), !all.is_empty() && all == canonical);
        if let Ok(duration) = Duration::from_content(canonical.as_bytes()) {
            encode_then_decode!(Duration<'_>, duration);
            prop_assert_eq!(duration.parts().count(), canonical.replace('T', "").chars().filter(char::is_ascii_uppercase).count());
            let text = format!("P{canonical}");
            encode_then_decode!(IsoTime<'_>, IsoTime::from_content(text.as_bytes()).unwrap());
        }
    }

    #[test]
    fn iris(labels in vec("(0|[1-9][0-9]{0,5}|[a-zA-Z_~.][a-zA-Z0-9_~.]{0,6}|[à-ü]{1,3})", 1..6)) {
        let text = labels.join("/");
        let relative = RelativeOidIri::new(&text).unwrap();
        encode_then_decode!(RelativeOidIri<'_>, relative);
        prop_assert_eq!(relative.labels().collect::<Vec<_>>(), labels.clone());
        let text = format!("/{text}");
        let iri = OidIri::new(&text).unwrap();
        encode_then_decode!(OidIri<'_>, iri);
        prop_assert_eq!(iri.labels().collect::<Vec<_>>(), labels);
    }

    #[test]
    fn base64_there_and_back(octets in vec(any::<u8>(), 0..300), at in any::<prop::sample::Index>(), octet in any::<u8>()) {
        let text = base64::encode(&octets);
        prop_assert_eq!(base64::decode(text.as_bytes()).unwrap(), octets.clone());
        let mut out = vec![0; octets.len()];
        prop_assert_eq!(base64::decode_to_slice(text.as_bytes(), &mut out), Ok(octets.len()));
        // One text a value: another octet anywhere is another value, or none.
        let mut other = text.clone().into_bytes();
        if !other.is_empty() {
            let at = at.index(other.len());
            other[at] = octet;
            if let Ok(value) = base64::decode(&other) {
                prop_assert_eq!(base64::encode(&value).into_bytes(), other);
            }
        }
    }

    #[test]
    fn base64_of_any_octets(text in prop_oneof![vec(any::<u8>(), 0..80), "[A-Da-d=\n ]{0,80}".prop_map(String::into_bytes)]) {
        match base64::decode(&text) {
            Ok(octets) => prop_assert_eq!(base64::encode(&octets).into_bytes(), text.clone()),
            Err(fault) => prop_assert!(fault.offset() <= text.len()),
        }
        let bare: Vec<u8> = text.iter().copied().filter(|octet| !octet.is_ascii_whitespace() && *octet != 0x0B).collect();
        prop_assert_eq!(base64::decode_wrapped(&text).ok(), base64::decode(&bare).ok());
    }

    #[test]
    fn hex_there_and_back(octets in vec(any::<u8>(), 0..64), separator in prop::sample::select(vec!["", " ", ":", "\n", ", 0x", "\\x"])) {
        let pairs: Vec<String> = octets.iter().map(|octet| hex::encode(&[*octet])).collect();
        let text = pairs.join(separator);
        prop_assert_eq!(hex::decode(text.as_bytes()).unwrap(), octets.clone());
        prop_assert_eq!(hex::decode(text.to_uppercase().replace('X', "x").as_bytes()).unwrap(), octets);
    }

    #[test]
    fn hex_of_any_octets(text in prop_oneof![vec(any::<u8>(), 0..40), "[0-3a-cx:, \\\\]{0,40}".prop_map(String::into_bytes)]) {
        match hex::decode(&text) {
            Ok(octets) => prop_assert!(octets.len() <= text.len() / 2),
            Err(fault) => prop_assert!(fault.offset() <= text.len()),
        }
        let _ = sniff(&text);
    }

    #[test]
    fn pem_there_and_back(
        blocks in vec(("[A-Z]{0,3}( [A-Z0-9]{1,3}){0,2}".prop_filter("a label begins with a character", |label| !label.starts_with(' ')), vec(any::<u8>(), 1..200)), 1..4),
        between in "[a-z \n]{0,20}",
        ending in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let mut text = String::new();
        for (label, octets) in &blocks {
            text.push_str(&between);
            text.push('\n');
            pem::encode_append(label, octets, &mut text).unwrap();
        }
        let text = text.replace('\n', ending);
        prop_assert_eq!(sniff(text.as_bytes()), TextForm::Pem);
        let session = Session::new(Options::der().rules(RuleSet::NONE));
        let found: Vec<_> = pem::blocks_with(text.as_bytes(), &session).map(Result::unwrap).collect();
        prop_assert_eq!(found.len(), blocks.len());
        for (found, (label, octets)) in found.iter().zip(&blocks) {
            prop_assert_eq!(found.label(), label);
            let preamble = format!("{between}\n").replace('\n', ending);
            prop_assert_eq!(found.preamble(), preamble.as_bytes());
            prop_assert_eq!(&found.decode().unwrap(), octets);
            let line = text[..found.begin()].replace("\r\n", "\n").matches(['\n', '\r']).count() + 1;
            prop_assert_eq!(found.line(), line);
        }
    }

    /// Laxly at least as much is found as strictly, and where strict reading finds octets, lax reading finds the same.
    #[test]
    fn pem_of_any_text(pieces in vec(prop::sample::select(vec![
        "-----BEGIN A-----", "-----END A-----", "-----BEGIN B-----", "----BEGIN A----", "-----END ", "-----BEGIN ", "\n", "\n", "\r\n",
        "AgEF", "MAA=", "MA==", "Ag", "EF", " ", "-", "X: y", "=", "\u{2014}", "é", "\0",
    ]), 0..24)) {
        let text = pieces.concat();
        let default: Vec<_> = pem::blocks(text.as_bytes()).collect();
        let session = Session::new(Options::der().rules(RuleSet::PEM_LAX));
        let lax: Vec<_> = pem::blocks_with(text.as_bytes(), &session).collect();
        for error in default.iter().chain(&lax).filter_map(|found| found.as_ref().err()) {
            prop_assert!(error.offset() <= text.len());
        }
        prop_assert_eq!(default.len(), lax.len());
        let mut last = 0;
        for (default, lax) in default.iter().zip(&lax) {
            let (Ok(block), Ok(same)) = (default, lax) else { continue };
            prop_assert!(block.begin() >= last && block.begin() < block.end());
            last = block.end();
            prop_assert_eq!((block.begin(), block.end(), block.label(), block.body()), (same.begin(), same.end(), same.label(), same.body()));
            if let Ok(octets) = block.decode() {
                prop_assert_eq!(same.decode().unwrap(), octets);
            }
        }
    }

    #[test]
    fn sniffing_is_right_about_our_own(octets in vec(any::<u8>(), 3..100)) {
        let der = encode(&tagwise_codec::OctetStr::new(&octets)).unwrap();
        prop_assert_eq!(sniff(hex::encode(&der).as_bytes()), TextForm::Hex);
        prop_assert_eq!(sniff(pem::encode("A", &der).unwrap().as_bytes()), TextForm::Pem);
        if hex::decode(base64::encode(&der).as_bytes()).is_err() {
            prop_assert_eq!(sniff(base64::encode(&der).as_bytes()), TextForm::Base64);
        }
    }
}
