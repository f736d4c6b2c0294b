//! Times (X.680 §38, §46, §47; X.690 §11.7, §11.8): their forms and the calendar.

use tagwise_codec::{Any, Date, DateTime, Duration, GeneralizedTime, IsoTime, Rule, TimeOfDay, UtcTime};

use crate::Then::{By, KeptBy, Never};
use crate::rows;

rows! {
    "X.690 §11.8.2", "a UTCTime without seconds": UtcTime,
        "17 0D '250131235900Z'", "17 0B '2501312359Z'" => TimeForm at 12, By(&Rule::TIME_FORM);
    "X.690 §11.8.1", "a UTCTime with a time difference": UtcTime,
        "17 0D '250131220000Z'", "17 11 '250131235900+0159'" => TimeForm at 14, By(&Rule::TIME_FORM);
    "X.690 §11.8.1", "a UTCTime with a time difference into the next month": UtcTime,
        "17 0D '250201010000Z'", "17 11 '250131230000-0200'" => TimeForm at 14, By(&Rule::TIME_FORM);
    "X.680 §47.3", "a UTCTime without a zone": UtcTime,
        "17 0D '250131235959Z'", "17 0C '250131235959'" => TimeSyntax at 14, Never;
    "X.680 §47.3", "a letter in a UTCTime": UtcTime,
        "17 0D '250131235959Z'", "17 0D '2501a1235959Z'" => TimeSyntax at 6, Never;
    "X.680 §47.3", "plus signs in a UTCTime": UtcTime,
        "17 0D '010101010101Z'", "17 07 '+1+1+1Z'" => TimeSyntax at 2, Never;
    "X.680 §47.3", "a two-octet character in a UTCTime": UtcTime,
        "17 0D '250131235959Z'", "17 0D '2501312359' C3 A9 'Z'" => TimeSyntax at 12, Never;
    "X.680 §47.3", "a fraction in a UTCTime": UtcTime,
        "17 0D '250131235959Z'", "17 0F '250131235959.5Z'" => TimeSyntax at 14, Never;
    "X.680 §47.3", "something after the Z": UtcTime,
        "17 0D '250131235959Z'", "17 0E '250131235959ZZ'" => TimeSyntax at 15, Never;
    "X.680 §47.3", "a lower-case z": UtcTime,
        "17 0D '250131235959Z'", "17 0D '250131235959z'" => TimeSyntax at 14, Never;
    "X.680 §47", "an empty UTCTime": UtcTime,
        "17 0D '500101000000Z'", "17 00" => TimeSyntax at 2, Never;
    "X.680 §47", "month 13": UtcTime,
        "17 0D '251231235959Z'", "17 0D '251331235959Z'" => TimeMonth at 4, Never;
    "X.680 §47", "month 0": UtcTime,
        "17 0D '250101000000Z'", "17 0D '250001000000Z'" => TimeMonth at 4, Never;
    "X.680 §47", "31 February": UtcTime,
        "17 0D '250228000000Z'", "17 0D '250231000000Z'" => TimeDay at 6, Never;
    "X.680 §47", "29 February of a common year": UtcTime,
        "17 0D '240229000000Z'", "17 0D '250229000000Z'" => TimeDay at 6, Never;
    "X.680 §47", "31 April": UtcTime,
        "17 0D '250430000000Z'", "17 0D '250431000000Z'" => TimeDay at 6, Never;
    "X.680 §47", "day 0": UtcTime,
        "17 0D '250101000000Z'", "17 0D '250100000000Z'" => TimeDay at 6, Never;
    "X.680 §47", "hour 24 of a UTCTime": UtcTime,
        "17 0D '250101235959Z'", "17 0D '250101240000Z'" => TimeHour at 8, Never;
    "X.680 §47", "minute 60": UtcTime,
        "17 0D '250101005959Z'", "17 0D '250101006000Z'" => TimeMinute at 10, Never;
    "X.680 §47", "second 60 of a UTCTime": UtcTime,
        "17 0D '250101000059Z'", "17 0D '250101000060Z'" => TimeSecond at 12, Never;

    "X.690 §11.7.1", "a GeneralizedTime with a time difference": GeneralizedTime<'_>,
        "18 0F '20250131220000Z'", "18 13 '20250131235900+0159'" => TimeForm at 16, By(&Rule::TIME_FORM);
    "X.690 §11.7.1", "a GeneralizedTime of local time": GeneralizedTime<'_>,
        "18 0F '20250131235959Z'", "18 0E '20250131235959'" => TimeForm at 16, KeptBy(&Rule::TIME_FORM);
    "X.690 §11.7.2", "a GeneralizedTime without seconds": GeneralizedTime<'_>,
        "18 0F '20250131235900Z'", "18 0D '202501312359Z'" => TimeForm at 14, By(&Rule::TIME_FORM);
    "X.690 §11.7.2", "a GeneralizedTime without minutes": GeneralizedTime<'_>,
        "18 0F '20250131230000Z'", "18 0B '2025013123Z'" => TimeForm at 12, By(&Rule::TIME_FORM);
    "X.690 §11.7.3", "a fraction that ends in zero": GeneralizedTime<'_>,
        "18 11 '20250131235959.5Z'", "18 12 '20250131235959.50Z'" => TimeForm at 18, By(&Rule::TIME_FORM);
    "X.690 §11.7.3", "a fraction of zeros": GeneralizedTime<'_>,
        "18 0F '20250131235959Z'", "18 11 '20250131235959.0Z'" => TimeForm at 16, By(&Rule::TIME_FORM);
    "X.690 §11.7.4", "a comma": GeneralizedTime<'_>,
        "18 11 '20250131235959.5Z'", "18 11 '20250131235959,5Z'" => TimeForm at 16, By(&Rule::TIME_FORM);
    "X.680 §46.2", "a point without a fraction": GeneralizedTime<'_>,
        "18 11 '20250131235959.5Z'", "18 10 '20250131235959.Z'" => TimeSyntax at 17, Never;
    "X.680 §46", "29 February 1900": GeneralizedTime<'_>,
        "18 0F '20000229000000Z'", "18 0F '19000229000000Z'" => TimeDay at 8, Never;
    "X.680 §46", "month 13 of a GeneralizedTime": GeneralizedTime<'_>,
        "18 0F '00001231235959Z'", "18 0F '20251331235959Z'" => TimeMonth at 6, Never;
    "X.680 §46", "hour 24, but not midnight": GeneralizedTime<'_>,
        "18 0F '20250101235959Z'", "18 0F '20250101240001Z'" => TimeHour at 10, Never;
    "X.680 §46", "minute 60 of a GeneralizedTime": GeneralizedTime<'_>,
        "18 0F '20250101005959Z'", "18 0F '20250101006000Z'" => TimeMinute at 12, Never;
    "X.680 §46", "second 61": GeneralizedTime<'_>,
        "18 0F '20250101000059Z'", "18 0F '20250101000061Z'" => TimeSecond at 14, Never;

    "X.680 §46", "31 February, in an element that no schema describes": Any<'_>,
        "17 0D '250228000000Z'", "17 0D '250231000000Z'" => TimeDay at 6, Never;
    "X.690 §11.7.1", "local time, in an element that no schema describes": Any<'_>,
        "18 0F '20250131235959Z'", "18 0E '20250131235959'" => TimeForm at 16, KeptBy(&Rule::TIME_FORM);

    // What X.680 §38 adds: without separators, as X.690 §8.26 says.
    "X.690 §8.26.1", "a DATE with hyphens": Date,
        "1F 1F 08 '20261121'", "1F 1F 0A '2026-11-21'" => IsoTime at 7, Never;
    "X.680 §38", "29 February 2023": Date,
        "1F 1F 08 '20240229'", "1F 1F 08 '20230229'" => TimeDay at 9, Never;
    "X.690 §8.26.2", "a TIME-OF-DAY with colons": TimeOfDay,
        "1F 20 06 '063000'", "1F 20 08 '06:30:00'" => IsoTime at 5, Never;
    "X.680 §38", "a second after 24:00:00": TimeOfDay,
        "1F 20 06 '240000'", "1F 20 06 '240001'" => TimeHour at 3, Never;
    "X.690 §8.26.3", "a DATE-TIME with a T": DateTime,
        "1F 21 0E '20261121063000'", "1F 21 0F '20261121T063000'" => IsoTime at 11, Never;
    "X.690 §8.26.4", "a DURATION with its P": Duration<'_>,
        "1F 22 02 '5D'", "1F 22 03 'P5D'" => IsoTime at 3, Never;
    "X.680 §38", "a TIME that is no time": IsoTime<'_>,
        "0E 0A '2026-11-21'", "0E 0A '2026x11x21'" => IsoTime at 6, Never;
}
