//! Encodings of the types of X.680 §38 that are accepted, refused and tolerated.

extern crate std;
use std::string::ToString;
use std::vec::Vec;

use super::{Date, DateTime, Duration, DurationUnit, IsoTime, TimeOfDay};
use crate::encode::{EncodeError, encode};
use crate::kind::FaultKind;
use crate::options::Options;
use crate::rule::Rule;
use crate::types::testing::{accepted, refused, tolerated};

fn element(tag: &[u8], text: &str) -> Vec<u8> {
    [tag, &[text.len() as u8], text.as_bytes()].concat()
}

fn date(text: &str) -> Vec<u8> {
    element(&[0x1F, 0x1F], text)
}

fn time_of_day(text: &str) -> Vec<u8> {
    element(&[0x1F, 0x20], text)
}

fn date_time(text: &str) -> Vec<u8> {
    element(&[0x1F, 0x21], text)
}

fn duration(text: &str) -> Vec<u8> {
    element(&[0x1F, 0x22], text)
}

fn time(text: &str) -> Vec<u8> {
    element(&[0x0E], text)
}

#[test]
fn dates() {
    for (text, shown) in [("20261121", "2026-11-21"), ("15820101", "1582-01-01"), ("99991231", "9999-12-31")] {
        assert_eq!(accepted::<Date>(&date(text)).to_string(), shown);
    }
    for (text, kind, offset) in [
        ("2026-11-21", FaultKind::IsoTime, 7),
        ("15811231", FaultKind::IsoTime, 3),
        ("20261321", FaultKind::TimeMonth, 7),
        ("20230229", FaultKind::TimeDay, 9),
        ("2026112", FaultKind::IsoTime, 10),
        ("202611210", FaultKind::IsoTime, 11),
        ("", FaultKind::IsoTime, 3),
        ("+1+1+1+1", FaultKind::IsoTime, 3),
        ("202611é", FaultKind::IsoTime, 9),
    ] {
        refused::<Date>(&date(text), kind, offset);
    }
    refused::<Date>(&time_of_day("000000"), FaultKind::UnexpectedTag, 0);
    assert_eq!(Date::new(1970, 1, 2).unwrap().unix_day(), 1);
    assert_eq!(Date::new(1581, 1, 2).unwrap_err().kind(), FaultKind::Value);
    assert_eq!(Date::new(2026, 0, 2).unwrap_err().kind(), FaultKind::TimeMonth);
    assert_eq!(Date::new(2026, 2, 30).unwrap_err().kind(), FaultKind::TimeDay);
}

#[test]
fn times_of_day() {
    for (text, shown) in [
        ("063000", "06:30:00"),
        ("000000", "00:00:00"),
        ("240000", "24:00:00"),
        ("235960", "23:59:60"),
        ("182960", "18:29:60"),
    ] {
        assert_eq!(accepted::<TimeOfDay>(&time_of_day(text)).to_string(), shown);
    }
    for (text, kind, offset) in [
        ("06:30:00", FaultKind::IsoTime, 5),
        ("240001", FaultKind::TimeHour, 3),
        ("250000", FaultKind::TimeHour, 3),
        ("006000", FaultKind::TimeMinute, 5),
        ("000061", FaultKind::TimeSecond, 7),
        ("0630", FaultKind::IsoTime, 7),
        ("063000Z", FaultKind::IsoTime, 9),
        ("063000.5", FaultKind::IsoTime, 9),
    ] {
        refused::<TimeOfDay>(&time_of_day(text), kind, offset);
    }
    assert_eq!(TimeOfDay::new(24, 0, 1).unwrap_err().kind(), FaultKind::TimeHour);
    assert_eq!(TimeOfDay::new(23, 60, 1).unwrap_err().kind(), FaultKind::TimeMinute);
    assert_eq!(TimeOfDay::new(23, 59, 61).unwrap_err().kind(), FaultKind::TimeSecond);
    assert_eq!(encode(&TimeOfDay::new(24, 0, 0).unwrap()).unwrap(), time_of_day("240000"));
}

#[test]
fn dates_with_times() {
    for (text, shown) in [("20261121063000", "2026-11-21T06:30:00"), ("20240229240000", "2024-02-29T24:00:00")] {
        assert_eq!(accepted::<DateTime>(&date_time(text)).to_string(), shown);
    }
    for (text, kind, offset) in [
        ("20261121T063000", FaultKind::IsoTime, 11),
        ("20230229063000", FaultKind::TimeDay, 9),
        ("20261121243000", FaultKind::TimeHour, 11),
        ("20261121", FaultKind::IsoTime, 11),
        ("20261121063000Z", FaultKind::IsoTime, 17),
    ] {
        refused::<DateTime>(&date_time(text), kind, offset);
    }
}

#[test]
fn durations() {
    for text in [
        "2Y10M15DT10H20M30S",
        "1Y",
        "0Y",
        "T0S",
        "T0.00S",
        "3W",
        "1.5W",
        "T36H",
        "1DT0.5H",
        "123456789012345678901234567890Y",
        "1M",
        "T1M",
        "1MT1M",
    ] {
        let der = duration(text);
        let value = accepted::<Duration<'_>>(&der);
        assert_eq!((value.as_str(), value.to_string()), (text, ["P", text].concat()));
        let again: Vec<_> = value.parts().map(|part| part.number).collect();
        assert_eq!(again.concat(), text.replace(|c: char| c.is_ascii_uppercase(), ""));
    }
    for (text, offset) in [
        ("", 3),
        ("P1Y", 3),
        ("T", 4),
        ("1YT", 6),
        ("1", 4),
        ("Y", 3),
        ("01Y", 3),
        ("00Y", 3),
        ("1M1Y", 6),
        ("1Y1Y", 6),
        ("1D1W", 6),
        ("1W1D", 6),
        ("1H", 4),
        ("T1D", 5),
        ("1.5Y1M", 7),
        ("1.Y", 5),
        ("1,Y", 5),
        (".5Y", 3),
        ("1YT1HT1M", 8),
        ("-1Y", 3),
        ("1Y/", 5),
        ("1é", 4),
    ] {
        refused::<Duration<'_>>(&duration(text), FaultKind::IsoTime, offset);
    }
    for (text, offset) in [("1,5Y", 4), ("0Y2M", 3), ("1YT0H5S", 6), ("0Y2M0DT0,00S", 3)] {
        let input = duration(text);
        let value = tolerated::<Duration<'_>>(&input, &Rule::TIME_FORM, FaultKind::TimeForm, offset);
        assert_eq!(value.as_str(), text);
        assert_eq!(encode(&value), Err(EncodeError::new(FaultKind::NotEncodable)));
    }
    let der = duration("1MT2M");
    let units: Vec<_> = accepted::<Duration<'_>>(&der).parts().map(|part| part.unit).collect();
    assert_eq!(units, [DurationUnit::Months, DurationUnit::Minutes]);
}

#[test]
fn iso_times() {
    for text in [
        // X.680 §38.2: every kind of date.
        "19C",
        "-01C",
        "+123C",
        "1985",
        "0000",
        "-0002",
        "+12345",
        "-12345",
        "1985-04",
        "1985-04-12",
        "-0002-04-12",
        "-0004-02-29",
        "+12000-02-29",
        "1985-102",
        "1984-366",
        "1985-W15",
        "1985-W15-5",
        "2020-W53-7",
        "2015-W53",
        // Times of day.
        "15",
        "15.5",
        "15:27",
        "15:27:46",
        "15:27:35.5",
        "15:27:35.50",
        "24:00:00",
        "24.0",
        "23:59:60Z",
        "15:27:46Z",
        "15:27:46+01",
        "15:27:46-05:30",
        "15+00",
        "15+15:59",
        // Both.
        "1985-04-12T10:15:30",
        "1985-102T10:15Z",
        "1985-W15-5T10+04",
        // Durations and intervals.
        "P1Y",
        "1985/1986",
        "1985-04-12/1986-05-13",
        "1985-04-12T10:15/P1DT2H",
        "P1DT2H/1985-04-12T10:15",
        "10:15+01/11:15",
        "10:15+01/11:15+02",
        "10:15Z/11:15Z",
        "00:00/23:59",
        "R/P1Y",
        "R12/1985-04-12/1986-05-13",
        "R0/P1Y",
    ] {
        let der = time(text);
        assert_eq!(accepted::<IsoTime<'_>>(&der).as_str(), text);
    }
}

#[test]
fn iso_times_refused() {
    for (text, kind, offset) in [
        ("", FaultKind::IsoTime, 2),
        ("1", FaultKind::IsoTime, 3),
        ("198", FaultKind::IsoTime, 5),
        ("19850", FaultKind::IsoTime, 6),
        ("+1985", FaultKind::IsoTime, 3),
        ("-0000", FaultKind::IsoTime, 3),
        ("-00C", FaultKind::IsoTime, 3),
        ("+01234", FaultKind::IsoTime, 3),
        ("1985-13", FaultKind::TimeMonth, 7),
        ("1985-02-29", FaultKind::TimeDay, 10),
        ("-0001-02-29", FaultKind::TimeDay, 11),
        ("1985-366", FaultKind::IsoTime, 7),
        ("1985-000", FaultKind::IsoTime, 7),
        ("1985-W00", FaultKind::IsoTime, 8),
        ("1985-W53", FaultKind::IsoTime, 8),
        ("1985-W15-0", FaultKind::IsoTime, 11),
        ("1985-W15-8", FaultKind::IsoTime, 11),
        ("1985-1", FaultKind::IsoTime, 8),
        ("1985-", FaultKind::IsoTime, 7),
        ("1985-04-12T", FaultKind::IsoTime, 13),
        ("1985-04T10", FaultKind::IsoTime, 9),
        ("25", FaultKind::TimeHour, 2),
        ("24:01", FaultKind::TimeHour, 2),
        ("24.01", FaultKind::TimeHour, 2),
        ("15:60", FaultKind::TimeMinute, 5),
        ("15:27:61", FaultKind::TimeSecond, 8),
        ("15:2", FaultKind::IsoTime, 6),
        ("15:27.", FaultKind::IsoTime, 8),
        ("15:27-00", FaultKind::IsoTime, 7),
        ("15:27-00:00", FaultKind::IsoTime, 7),
        ("15:27+16", FaultKind::TimeHour, 8),
        ("15:27+0100", FaultKind::IsoTime, 10),
        ("15:27+01:", FaultKind::IsoTime, 11),
        ("P", FaultKind::IsoTime, 3),
        ("R", FaultKind::IsoTime, 3),
        ("R/", FaultKind::IsoTime, 4),
        ("R01/P1Y", FaultKind::IsoTime, 3),
        ("R/1985", FaultKind::IsoTime, 8),
        ("P1Y/P1Y", FaultKind::IsoTime, 6),
        ("1985/", FaultKind::IsoTime, 7),
        ("1985/1986/1987", FaultKind::IsoTime, 11),
        ("1985/1986-01", FaultKind::IsoTime, 7),
        ("1581/1582", FaultKind::IsoTime, 7),
        ("1985/10:15", FaultKind::IsoTime, 7),
        ("10:15/11:15:00", FaultKind::IsoTime, 8),
        ("10:15Z/11:15", FaultKind::IsoTime, 9),
        ("10:15/11:15Z", FaultKind::IsoTime, 8),
        ("00:00/24:00", FaultKind::IsoTime, 8),
        ("19é", FaultKind::IsoTime, 4),
        ("é", FaultKind::IsoTime, 2),
        ("1985 ", FaultKind::IsoTime, 6),
    ] {
        let input = time(text);
        for options in [Options::der(), Options::ber_definite()] {
            let error = options.decode::<IsoTime<'_>>(&input).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (kind, offset), "{text}");
        }
    }
}

#[test]
fn iso_times_tolerated() {
    for (text, offset) in [
        ("15:27:35,5", 10),
        ("15:27:46+01:00", 13),
        ("15:27+00:00", 10),
        ("10:15+01/11:15+01", 16),
        ("10:15+01:30/11:15+01:30", 19),
        ("10:15+01/11:15+01:00", 16),
        ("P0Y1M", 3),
        ("1985/P0Y1M", 8),
        ("R3/2024-01-01T12:30+08:00/2024-01-02T12:30+08", 24),
    ] {
        let input = time(text);
        let value = tolerated::<IsoTime<'_>>(&input, &Rule::TIME_FORM, FaultKind::TimeForm, offset);
        assert_eq!(value.as_str(), text);
        assert_eq!(encode(&value), Err(EncodeError::new(FaultKind::NotEncodable)));
        assert!(IsoTime::from_content(text.as_bytes()).is_err());
    }
}
