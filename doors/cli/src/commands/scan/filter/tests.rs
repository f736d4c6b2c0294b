#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

const NOW: i64 = 1_800_000_000;

/// The program in words.
fn program(text: &str) -> String {
    let filter = Filter::parse(text, UnixTime(NOW)).unwrap();
    let step = |step: &Step| match step {
        Step::Test(Test::Flag(flag)) => format!("{flag:?}"),
        Step::Test(Test::Text(field, positive, matches)) => {
            let (kind, text) = match matches {
                Match::Same(text) => ("=", text),
                Match::Has(text) => ("~", text),
            };
            format!("{field:?}{}{kind}{text}", if *positive { "" } else { "!" })
        }
        Step::Test(Test::Number(field, order, number)) => format!("{field:?} {order:?} {number}"),
        Step::Test(Test::Time(field, order, (first, last))) => format!("{field:?} {order:?} {}..{}", first.0, last.0),
        step => format!("{step:?}"),
    };
    filter.program.iter().map(step).collect::<Vec<_>>().join(", ")
}

fn error(text: &str) -> String {
    Filter::parse(text, UnixTime(NOW)).unwrap_err().to_string()
}

#[test]
fn what_binds_how_strongly() {
    assert_eq!(program("ca"), "Ca");
    assert_eq!(program("ca & strict | crl"), "Ca, Strict, And, Crl, Or");
    assert_eq!(program("ca | strict & crl"), "Ca, Strict, Crl, And, Or");
    assert_eq!(program("(ca | strict) & crl"), "Ca, Strict, Or, Crl, And");
    assert_eq!(program("!ca & !!strict"), "Ca, Not, Strict, Not, Not, And");
    assert_eq!(program("!(ca | strict)"), "Ca, Strict, Or, Not");
    assert_eq!(program("not ca and strict or crl"), "Ca, Not, Strict, And, Crl, Or");
    assert_eq!(program("ca&&strict||crl"), "Ca, Strict, And, Crl, Or");
    assert_eq!(program("((((ca))))"), "Ca");
}

#[test]
fn values() {
    assert_eq!(program("key=RSA & bits<2048"), "Key=RSA, Bits Less 2048, And");
    assert_eq!(program(r#"subject ~ "Ama\"zon \\ )" "#), r#"Subject~ama"zon \ )"#);
    assert_eq!(program("SIZE>=2_000"), "Size GreaterOrEqual 2000");
}

#[test]
fn times() {
    let second = |text: &str| span(text, UnixTime(NOW)).map(|(first, last)| (first.0, last.0));
    assert_eq!(second("2027-01-15T08:00:00Z"), Some((NOW, NOW)));
    assert_eq!(second("now"), Some((NOW, NOW)));
    assert_eq!(second("+30d"), Some((NOW + 2_592_000, NOW + 2_592_000)));
    assert_eq!(second("-2h"), Some((NOW - 7200, NOW - 7200)));
    assert_eq!(second("2027-01-15"), Some((1_799_971_200, 1_800_057_599)));
    assert_eq!(second("2024-02"), Some((1_706_745_600, 1_709_251_199)));
    assert_eq!(second("2027"), Some((1_798_761_600, 1_830_297_599)));
    assert_eq!(second("9999").unwrap().1, 253_402_300_799);
    for text in [
        "",
        "20",
        "2027-13",
        "2027-02-30",
        "2027-1-1",
        "+3",
        "3d",
        "+d",
        "2027-01-01T1:00:00Z",
        "tomorrow",
        "+99999999999999999y",
    ] {
        assert_eq!(second(text), None, "{text}");
    }
    assert_eq!(program("expires<2027"), "NotAfter Less 1798761600..1830297599");
    assert_eq!(program("begins = 2027-01-15"), "NotBefore Equal 1799971200..1800057599");
}

#[test]
fn what_is_wrong() {
    assert_eq!(error(""), "at character 1: missing comparison, such as key=rsa");
    assert_eq!(error("ca &"), "at character 5: missing comparison, such as key=rsa");
    assert_eq!(error("ca strict"), "at character 4: expected &, | or the end");
    assert_eq!(error("(ca"), "at character 1: unclosed (");
    assert_eq!(error("ca)"), "at character 3: unmatched )");
    assert_eq!(error("key"), "at character 4: expected = != < <= > >= ~ or !~ after key");
    assert_eq!(error("key="), "at character 5: missing value");
    assert_eq!(error("key<rsa"), "at character 4: key is a text field: use = != ~ or !~");
    assert_eq!(error("bits~3"), "at character 5: bits has = != < <= > and >=");
    assert_eq!(error("bits<x"), "at character 6: expected a number, found 'x'");
    assert_eq!(error("subject=\"x"), "at character 9: unterminated string");
    assert_eq!(error("ca & #"), "at character 6: unexpected character");
    assert!(error("expires<soon").starts_with("at character 9: 'soon' is not a time: 2027, "));
    assert!(error("nonsense=3").contains("expected one of subject, issuer, cn"));
    assert_eq!(error("subjekt=3"), "at character 1: unknown field 'subjekt'; did you mean subject?");
}

#[test]
fn depth_costs_nothing() {
    let deep = format!("{}ca{}", "!(".repeat(20_000), ")".repeat(20_000));
    assert_eq!(Filter::parse(&deep, UnixTime(NOW)).unwrap().program.len(), 20_001);
    assert!(error(&"(".repeat(60_000)).contains("missing"));
    assert!(error(&"!".repeat(70_000)).contains("64 KiB"));
}
