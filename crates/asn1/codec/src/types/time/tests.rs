//! Encodings of UTCTime and GeneralizedTime that are accepted, refused and tolerated.

extern crate std;
use std::format;
use std::string::ToString;
use std::vec::Vec;

use super::{CivilTime, GeneralizedTime, UnixTime, UtcTime};
use crate::encode::encode;
use crate::kind::FaultKind;
use crate::options::Options;
use crate::rule::Rule;
use crate::types::testing::{accepted, refused, tolerated};
use crate::{Decode, EncodeError};

/// An element with short-form length.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    [&[tag, content.len() as u8], content].concat()
}

fn utc(text: &str) -> Vec<u8> {
    element(0x17, text.as_bytes())
}

fn generalized(text: &str) -> Vec<u8> {
    element(0x18, text.as_bytes())
}

/// Refused under every rule of BER too.
#[track_caller]
fn never<'a, T: Decode<'a> + core::fmt::Debug>(input: &'a [u8], kind: FaultKind, detail: u8, offset: usize) {
    for options in [Options::der(), Options::ber_definite()] {
        let fault = options.decode::<T>(input).unwrap_err().fault();
        assert_eq!((fault.kind(), fault.detail(), fault.offset()), (kind, detail, offset), "{input:02X?}");
    }
}

#[test]
fn utc_accepted() {
    for (text, shown, unix) in [
        ("700101000000Z", "1970-01-01T00:00:00Z", 0),
        ("500101000000Z", "1950-01-01T00:00:00Z", -631_152_000),
        ("491231235959Z", "2049-12-31T23:59:59Z", 2_524_607_999),
        ("000229120000Z", "2000-02-29T12:00:00Z", 951_825_600),
        ("991231235959Z", "1999-12-31T23:59:59Z", 946_684_799),
        ("910506234540Z", "1991-05-06T23:45:40Z", 673_573_540),
    ] {
        let der = utc(text);
        let time = accepted::<UtcTime>(&der);
        assert_eq!((time.to_string(), time.unix()), (shown.into(), UnixTime(unix)));
        assert_eq!(UtcTime::from_unix(UnixTime(unix)), Ok(time));
        assert_eq!(UtcTime::from_content(text.as_bytes()), Ok(time));
        assert_eq!(CivilTime::from(time).to_string(), shown);
    }
    let (early, late) = (utc("991231235959Z"), utc("000101000000Z"));
    assert!(accepted::<UtcTime>(&early) < accepted::<UtcTime>(&late));
    assert_eq!(accepted::<UtcTime>(&late).two_digit_year(), 0);
}

#[test]
fn utc_every_day_of_the_century() {
    for year in 1950..=2049u16 {
        for month in 0..=13u8 {
            for day in 0..=32u8 {
                let text = format!("{:02}{month:02}{day:02}102030Z", year % 100);
                let der = utc(&text);
                match CivilTime::new(year, month, day, 10, 20, 30) {
                    Ok(civil) => assert_eq!(accepted::<UtcTime>(&der).civil(), civil),
                    Err(error) => {
                        let (detail, offset) = if error.kind() == FaultKind::TimeMonth { (month, 4) } else { (day, 6) };
                        never::<UtcTime>(&der, error.kind(), detail, offset);
                    }
                }
            }
        }
    }
}

#[test]
fn utc_refused() {
    for (text, kind, detail, offset) in [
        ("261321100000Z", FaultKind::TimeMonth, 13, 4),
        ("260021100000Z", FaultKind::TimeMonth, 0, 4),
        ("260231100000Z", FaultKind::TimeDay, 31, 6),
        ("250229100000Z", FaultKind::TimeDay, 29, 6),
        ("261100100000Z", FaultKind::TimeDay, 0, 6),
        ("261121240000Z", FaultKind::TimeHour, 24, 8),
        ("261121106000Z", FaultKind::TimeMinute, 60, 10),
        // X.680 §47.3: seconds are 00 to 59.
        ("261231235960Z", FaultKind::TimeSecond, 60, 12),
        ("", FaultKind::TimeSyntax, 0, 2),
        ("Z", FaultKind::TimeSyntax, 0, 2),
        ("+1+1+1+1+1+1Z", FaultKind::TimeSyntax, 0, 2),
        ("26+1+1+1+1+1Z", FaultKind::TimeSyntax, 0, 4),
        (" 61121100000Z", FaultKind::TimeSyntax, 0, 2),
        ("2611211000 0Z", FaultKind::TimeSyntax, 0, 12),
        ("261121100000z", FaultKind::TimeSyntax, 0, 14),
        ("261121100000", FaultKind::TimeSyntax, 0, 14),
        ("2611211000", FaultKind::TimeSyntax, 0, 12),
        ("26112110000Z", FaultKind::TimeSyntax, 0, 13),
        ("261121100000ZZ", FaultKind::TimeSyntax, 0, 15),
        ("261121100000.5Z", FaultKind::TimeSyntax, 0, 14),
        ("20261121100000Z", FaultKind::TimeMonth, 26, 4),
        ("261121100000+01", FaultKind::TimeSyntax, 0, 17),
        ("261121100000+2400", FaultKind::TimeHour, 24, 15),
        ("261121100000+0160", FaultKind::TimeMinute, 60, 17),
        ("261121100000+0100Z", FaultKind::TimeSyntax, 0, 19),
        ("26112110000/Z", FaultKind::TimeSyntax, 0, 13),
        ("26112110000:Z", FaultKind::TimeSyntax, 0, 13),
        ("2611211000é0Z", FaultKind::TimeSyntax, 0, 12),
        ("é61121100000", FaultKind::TimeSyntax, 0, 2),
        ("26112110000é", FaultKind::TimeSyntax, 0, 13),
    ] {
        never::<UtcTime>(&utc(text), kind, detail, offset);
        let fault = UtcTime::from_content(text.as_bytes()).unwrap_err();
        assert_eq!((fault.kind(), fault.offset() + 2), (kind, offset));
    }
    // A long content reads no further than it must.
    never::<UtcTime>(&element(0x17, &[0; 100]), FaultKind::TimeSyntax, 0, 2);
    refused::<UtcTime>(&[0x18, 0x00], FaultKind::UnexpectedTag, 0);
    refused::<UtcTime>(&[0x37, 0x00], FaultKind::PrimitiveExpected, 0);
}

#[test]
fn utc_tolerated() {
    for (text, offset, normal) in [
        ("2611211000Z", 12, "261121100000Z"),
        ("2611211000+0130", 12, "261121083000Z"),
        ("261121100000+0130", 14, "261121083000Z"),
        ("261121100000-0130", 14, "261121113000Z"),
        ("261121100000+0000", 14, "261121100000Z"),
        ("000101003000+0100", 14, "991231233000Z"),
        ("240229233000-0100", 14, "240301003000Z"),
        ("261121100000-2359", 14, "261122095900Z"),
    ] {
        let input = utc(text);
        let time = tolerated::<UtcTime>(&input, &Rule::TIME_FORM, FaultKind::TimeForm, offset);
        assert_eq!(encode(&time).unwrap(), utc(normal));
        assert_eq!(UtcTime::from_content(text.as_bytes()).unwrap_err().kind(), FaultKind::TimeForm);
    }
    // Two digits cannot tell 2050 from 1950.
    never::<UtcTime>(&utc("491231235959-0001"), FaultKind::TimeForm, 0, 14);
    never::<UtcTime>(&utc("500101000000+0001"), FaultKind::TimeForm, 0, 14);
}

#[test]
fn utc_made() {
    let civil = |y, s| CivilTime::new(y, 12, 31, 23, 59, s).unwrap();
    assert_eq!(UtcTime::new(civil(1949, 0)).unwrap_err().kind(), FaultKind::Value);
    assert_eq!(UtcTime::try_from(civil(2050, 0)).unwrap_err().kind(), FaultKind::Value);
    assert_eq!(UtcTime::new(civil(2016, 60)).unwrap_err().kind(), FaultKind::TimeSecond);
    assert_eq!(UtcTime::from_unix(UnixTime::MAX).unwrap_err().kind(), FaultKind::Value);
    assert_eq!(encode(&UtcTime::new(civil(2016, 7)).unwrap()).unwrap(), utc("161231235907Z"));
}

#[test]
fn generalized_accepted() {
    for (text, shown, unix, nanos) in [
        ("19700101000000Z", "1970-01-01T00:00:00Z", 0, 0),
        ("00000101000000Z", "0000-01-01T00:00:00Z", -62_167_219_200, 0),
        ("99991231235959Z", "9999-12-31T23:59:59Z", 253_402_300_799, 0),
        ("20261121100000.5Z", "2026-11-21T10:00:00.5Z", 1_795_255_200, 500_000_000),
        ("19851106210627.3Z", "1985-11-06T21:06:27.3Z", 500_159_187, 300_000_000),
        ("20261121100000.000000001Z", "2026-11-21T10:00:00.000000001Z", 1_795_255_200, 1),
        ("20261121100000.123456789Z", "2026-11-21T10:00:00.123456789Z", 1_795_255_200, 123_456_789),
        ("20261121100000.1234567891Z", "2026-11-21T10:00:00.1234567891Z", 1_795_255_200, 123_456_789),
        ("20261121100000.0000000000001Z", "2026-11-21T10:00:00.0000000000001Z", 1_795_255_200, 0),
        // ISO 8601:2004 §4.2.1: a positive leap second, at the end of a month.
        ("20161231235960Z", "2016-12-31T23:59:60Z", 1_483_228_800, 0),
        ("20150630235960.5Z", "2015-06-30T23:59:60.5Z", 1_435_708_800, 500_000_000),
    ] {
        let der = generalized(text);
        let time = accepted::<GeneralizedTime<'_>>(&der);
        assert_eq!((time.to_string(), time.unix(), time.nanosecond()), (shown.into(), UnixTime(unix), nanos));
        assert_eq!(GeneralizedTime::from_content(text.as_bytes()), Ok(time));
        assert!(!time.is_local());
        assert_eq!(time.fraction_digits(), text.len() - if text.len() == 15 { 15 } else { 16 });
    }
}

#[test]
fn generalized_order() {
    let texts = [
        "20161231235959.9Z",
        "20161231235960Z",
        "20161231235960.000000000000000001Z",
        "20161231235960.00000000000000001Z",
        "20161231235960.1Z",
        "20161231235960.12Z",
        "20161231235960.123456789Z",
        "20161231235960.1234567891Z",
        "20170101000000Z",
    ];
    let ders: Vec<_> = texts.iter().map(|text| generalized(text)).collect();
    let times: Vec<_> = ders.iter().map(|der| accepted::<GeneralizedTime<'_>>(der)).collect();
    assert!(times.is_sorted_by(|a, b| a < b));
}

#[test]
fn generalized_long_fraction() {
    let text = format!("20261121100000.{}7Z", "0123456789".repeat(20));
    let der = [&[0x18, 0x81, text.len() as u8], text.as_bytes()].concat();
    assert_eq!(accepted::<GeneralizedTime<'_>>(&der).fraction_digits(), 201);
}

#[test]
fn generalized_refused() {
    for (text, kind, detail, offset) in [
        ("20261321100000Z", FaultKind::TimeMonth, 13, 6),
        ("20260231100000Z", FaultKind::TimeDay, 31, 8),
        ("21000229100000Z", FaultKind::TimeDay, 29, 8),
        ("20261121250000Z", FaultKind::TimeHour, 25, 10),
        ("20261121240001Z", FaultKind::TimeHour, 24, 10),
        ("20261121240000.1Z", FaultKind::TimeHour, 24, 10),
        ("99991231240000Z", FaultKind::TimeHour, 24, 10),
        ("20261121106000Z", FaultKind::TimeMinute, 60, 12),
        ("20261121100061Z", FaultKind::TimeSecond, 61, 14),
        // A 60 that no leap second can be.
        ("20261121100060Z", FaultKind::TimeSecond, 60, 14),
        ("20161230235960Z", FaultKind::TimeSecond, 60, 14),
        ("20161231235960+0100", FaultKind::TimeSecond, 60, 14),
        ("20161231185960", FaultKind::TimeSecond, 60, 14),
        ("", FaultKind::TimeSyntax, 0, 2),
        ("+1+1+1+1+1+1+1Z", FaultKind::TimeSyntax, 0, 2),
        ("261121100000Z", FaultKind::TimeMonth, 21, 6),
        ("20261121", FaultKind::TimeSyntax, 0, 10),
        ("20261121100000.Z", FaultKind::TimeSyntax, 0, 17),
        ("20261121100000.", FaultKind::TimeSyntax, 0, 17),
        ("20261121100000,Z", FaultKind::TimeSyntax, 0, 17),
        ("20261121100000..5Z", FaultKind::TimeSyntax, 0, 17),
        ("20261121100000.5.5Z", FaultKind::TimeSyntax, 0, 18),
        ("20261121100000.5z", FaultKind::TimeSyntax, 0, 18),
        ("20261121100000ZZ", FaultKind::TimeSyntax, 0, 17),
        ("2026112110000Z", FaultKind::TimeSyntax, 0, 15),
        ("202611211Z", FaultKind::TimeSyntax, 0, 11),
        ("20261121100000+", FaultKind::TimeSyntax, 0, 17),
        ("20261121100000+1", FaultKind::TimeSyntax, 0, 18),
        ("20261121100000+013", FaultKind::TimeSyntax, 0, 20),
        ("20261121100000+01300", FaultKind::TimeSyntax, 0, 21),
        ("20261121100000+2400", FaultKind::TimeHour, 24, 17),
        ("20261121100000-0060", FaultKind::TimeMinute, 60, 19),
        ("2026112110000é", FaultKind::TimeSyntax, 0, 15),
        ("20261121100000.é", FaultKind::TimeSyntax, 0, 17),
        // Nothing to normalize to: no four-digit year, no whole nanoseconds.
        ("00000101000000+0001", FaultKind::TimeForm, 0, 16),
        ("99991231235959-0001", FaultKind::TimeForm, 0, 16),
        ("2026112110.0000000000000000001Z", FaultKind::TimeForm, 0, 12),
        ("202611211000.123456789123Z", FaultKind::TimeForm, 0, 14),
    ] {
        never::<GeneralizedTime<'_>>(&generalized(text), kind, detail, offset);
        let fault = GeneralizedTime::from_content(text.as_bytes()).unwrap_err();
        assert_eq!((fault.kind(), fault.offset() + 2), (kind, offset));
    }
    refused::<GeneralizedTime<'_>>(&[0x17, 0x00], FaultKind::UnexpectedTag, 0);
}

#[test]
fn generalized_tolerated() {
    for (text, offset, normal) in [
        ("20261121100000.50Z", 18, "20261121100000.5Z"),
        ("20261121100000.5000Z", 18, "20261121100000.5Z"),
        ("20261121100000.0Z", 16, "20261121100000Z"),
        ("20261121100000.000Z", 16, "20261121100000Z"),
        ("20261121100000,5Z", 16, "20261121100000.5Z"),
        ("20261121100000,50+0100", 16, "20261121090000.5Z"),
        ("20261121100000.12345678901200Z", 29, "20261121100000.123456789012Z"),
        ("202611211000Z", 14, "20261121100000Z"),
        ("2026112110Z", 12, "20261121100000Z"),
        ("2026112110.5Z", 12, "20261121103000Z"),
        ("2026112110.1234Z", 12, "20261121100724.24Z"),
        ("2026112110.999999Z", 12, "20261121105959.9964Z"),
        ("202611211000.25Z", 14, "20261121100015Z"),
        ("202611211030,01-01", 14, "20261121113000.6Z"),
        ("20261121100000+01", 16, "20261121090000Z"),
        ("20261121100000-0130", 16, "20261121113000Z"),
        ("20161231185960-0500", 16, "20161231235960Z"),
        ("20170101005960.5+0100", 18, "20161231235960.5Z"),
        ("19991231233000-0100", 16, "20000101003000Z"),
    ] {
        let input = generalized(text);
        let time = tolerated::<GeneralizedTime<'_>>(&input, &Rule::TIME_FORM, FaultKind::TimeForm, offset);
        assert_eq!(encode(&time).unwrap(), generalized(normal), "{text}");
        assert_eq!(GeneralizedTime::from_content(text.as_bytes()).unwrap_err().kind(), FaultKind::TimeForm);
    }
    // X.690 §11.7.5: midnight at the end of a day is the next day's first second.
    for text in ["20261231240000Z", "202612312400Z", "2026123124Z", "20261231240000.0Z", "20261231220000-0200"] {
        let input = generalized(text);
        let (kind, offset) = if text.contains("24") { (FaultKind::TimeHour, 10) } else { (FaultKind::TimeForm, 16) };
        let time = tolerated::<GeneralizedTime<'_>>(&input, &Rule::TIME_FORM, kind, offset);
        assert_eq!(encode(&time).unwrap(), generalized("20270101000000Z"));
    }
}

#[test]
fn generalized_local() {
    for (text, offset) in [("20261121100000.3", 18), ("202611211000", 14)] {
        let input = generalized(text);
        let time = tolerated::<GeneralizedTime<'_>>(&input, &Rule::TIME_FORM, FaultKind::TimeForm, offset);
        assert!(time.is_local() && !time.to_string().ends_with('Z'));
        assert_eq!(encode(&time), Err(EncodeError::new(FaultKind::NotEncodable)));
    }
}

#[test]
fn generalized_made() {
    let time = GeneralizedTime::from_unix(UnixTime(1_795_255_200)).unwrap();
    assert_eq!(encode(&time).unwrap(), generalized("20261121100000Z"));
    let time = time.with_nanosecond(250_000).unwrap();
    assert_eq!(encode(&time).unwrap(), generalized("20261121100000.00025Z"));
    assert_eq!(time.with_nanosecond(1_000_000_000).unwrap_err().kind(), FaultKind::Value);
    assert!(GeneralizedTime::from_unix(UnixTime::MIN).is_err());
    assert_eq!(GeneralizedTime::from(time.civil()).to_string(), "2026-11-21T10:00:00Z");
}
