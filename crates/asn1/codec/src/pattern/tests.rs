use super::*;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

fn matches(pattern: &str, text: &str) -> bool {
    Pattern::new(pattern).unwrap().is_match(text)
}

#[track_caller]
fn hold(pattern: &str, yes: &[&str], no: &[&str]) {
    for text in yes {
        assert!(matches(pattern, text), "{pattern} should match {text:?}");
    }
    for text in no {
        assert!(!matches(pattern, text), "{pattern} should not match {text:?}");
    }
}

#[test]
fn characters_and_classes() {
    hold("abc", &["abc"], &["", "ab", "abcd", "Abc"]);
    hold("", &[""], &["a"]);
    hold(".", &["a", "€", "\t"], &["", "\n", "\r", "\u{b}", "\u{c}", "ab"]);
    hold(r"\d", &["0", "9"], &["a", "", "٣"]);
    hold(r"\w", &["a", "Z", "5"], &["_", "-", "é"]);
    hold(r"\t\r", &["\t\r"], &["\r\t"]);
    hold(r"\n", &["\n", "\u{b}", "\u{c}", "\r"], &["\t", " "]);
    hold(r"\s", &[" ", "\t", "\n", "\u{a0}"], &["a", ""]);
    hold(r"\.\*\\\[\(\#\|", &[r".*\[(#|"], &["a"]);
    hold(r"\a\-", &["a-"], &["-a"]);
    hold("€uro-", &["€uro-"], &["euro-"]);
}

#[test]
fn sets() {
    hold("[a-c_]", &["a", "b", "c", "_"], &["d", "-", ""]);
    hold("[^a-c]", &["d", "\n"], &["a", "c", ""]);
    hold("[-a]", &["-", "a"], &["b"]);
    hold("[a-]", &["-", "a"], &["b"]);
    hold(r"[\d\-x]", &["7", "-", "x"], &["d", "\\"]);
    hold(r"[\]^]", &["]", "^"], &["a"]);
    hold("[.*+]", &[".", "*", "+"], &["a"]);
    hold("[^\\s]+", &["ab"], &["a b"]);
    hold("[{0,0,3,145}-{0,0,3,169}]+", &["ΑΒΩ"], &["α", "A"]);
}

#[test]
fn repetition() {
    hold("a*", &["", "a", "aaaa"], &["b", "aab"]);
    hold("a+b?", &["a", "aab"], &["", "b", "abb"]);
    hold("a#3", &["aaa"], &["aa", "aaaa", ""]);
    hold("a#0b", &["b"], &["ab"]);
    hold("a#(3)", &["aaa"], &["aa", "aaaa"]);
    hold("a#(2,)", &["aa", "aaaaa"], &["", "a"]);
    hold("a#(,2)", &["", "a", "aa"], &["aaa"]);
    hold("a#(2,4)b", &["aab", "aaab", "aaaab"], &["ab", "aaaaab"]);
    hold("a#(0,0)b", &["b"], &["ab"]);
    hold("(ab)#2", &["abab"], &["ab", "aabb", "ababab"]);
    hold("(a|bc)#(1,2)", &["a", "bc", "abc", "bca", "aa"], &["", "abca"]);
    hold("(a*)*", &["", "aaa"], &["b"]);
    hold("()*x", &["x"], &["", "y"]);
    hold("[a-z]#(1,64)", &["a", &"z".repeat(64)], &["", &"z".repeat(65)]);
    // What was repeated is repeated as a whole.
    hold("a#2*", &["", "aa", "aaaa"], &["a", "aaa"]);
}

#[test]
fn alternatives_and_groups() {
    hold("ab|cd|e", &["ab", "cd", "e"], &["abcd", "a", "", "de"]);
    hold("|a", &["", "a"], &["aa"]);
    hold("a||b", &["", "a", "b"], &["ab"]);
    hold("x(a|)(|b)y", &["xy", "xay", "xby", "xaby"], &["xbay"]);
    hold("((a|b)c|d)+", &["ac", "bcd", "dd"], &["a", "cd"]);
}

#[test]
fn words() {
    hold(r"\bword\b", &["word"], &["words"]);
    hold(r"a\b.b", &["a b", "a-b"], &["aab"]);
    hold(r".*\bcat\b.*", &["cat", "a cat.", "the cat sat"], &["concat", "cats"]);
    hold(r"\b", &[], &["", "a"]);
}

#[test]
fn names() {
    hold(r"a\N{ht}b", &["a\tb"], &["ab"]);
    hold(r"[\N{is1}-\N{del}]", &["\u{1f}", " ", "\u{7f}"], &["\u{1e}"]);
}

#[test]
fn names_of_a_caller() {
    let known = |name: &str| match name {
        "BasicLatin" => Some(vec![(0x20, 0x7E)]),
        "greek" => Some(vec![(0x370, 0x3CF), (0x1F00, 0x1FFF)]),
        _ => None,
    };
    let pattern = Pattern::with_names(r"[\N{greek}\\N]*\N{BasicLatin}", known).unwrap();
    assert!(pattern.is_match("αἀN\\x") && !pattern.is_match("xx€"));
    assert_eq!(pattern.as_str(), r"[\N{greek}\\N]*\N{BasicLatin}");
    assert_eq!(Pattern::with_names(r"\N{other}", known).unwrap_err().flaw, PatternFlaw::Name);
}

#[test]
fn what_is_wrong_and_where() {
    use PatternFlaw::*;
    let deep = "(".repeat(40);
    let wrong: [(&str, PatternFlaw, usize); 25] = [
        ("[ab", SetOpen, 3),
        ("x[]", SetEmpty, 1),
        ("[b-a]", Range, 1),
        (r"[a-\d]", Range, 1),
        ("a(b", GroupOpen, 1),
        ("ab)", GroupUnopened, 2),
        ("*a", NothingToRepeat, 0),
        ("(+a)", NothingToRepeat, 1),
        ("a|?", NothingToRepeat, 2),
        (r"\b*", NothingToRepeat, 2),
        ("a#", Count, 1),
        ("a#x", Count, 1),
        ("a#(", Count, 1),
        ("a#(3,2)", Count, 1),
        ("a#(,)", Count, 1),
        ("a#(2", Count, 1),
        ("a#(99999)", Count, 1),
        ("{1,2,3}", Quadruple, 0),
        ("{0,0,1,256}", Quadruple, 0),
        (r"\N{no-such}", Name, 0),
        (r"\Nx", Name, 0),
        ("\\", Stray, 0),
        ("]", Stray, 0),
        ("(a#(1000))#(1000)", TooLarge, 10),
        (&deep, TooLarge, 31),
    ];
    for (text, flaw, offset) in wrong {
        assert_eq!(Pattern::new(text).unwrap_err(), PatternError { offset, flaw }, "{text}");
    }
}

/// X.680 Annex A's kind of examples: dates, times, telephone numbers.
#[test]
fn of_the_standards_kind() {
    hold(
        r"\d#2/\d#2/\d#4(-\d#2:\d#2)?",
        &["21/11/2026", "21/11/2026-17:36"],
        &["1/1/2026", "21/11/2026-", "21/11/2026-1:36"],
    );
    hold(r"\+\d#(1,3)( \d+)+", &["+31 20 1234567"], &["31 20", "+1234 5"]);
}

/// What takes exponential time with backtracking.
#[test]
fn hostile_patterns_take_linear_time() {
    let text = "a".repeat(20_000);
    for pattern in ["(a*)*b", "(a|a)*b", "(a|aa)+b", "a*a*a*a*a*a*b", "((a+)+)+b"] {
        assert!(!matches(pattern, &text), "{pattern}");
    }
    let many = "a?".repeat(200) + &"a".repeat(200);
    assert!(matches(&many, &"a".repeat(200)));
}

#[test]
fn compiled_as_a_constant() {
    const TEXT: &str = "[a-z]#(2,3)|x+";
    const STEPS: [Step; size(TEXT)] = program(TEXT);
    let constant = Pattern::constant(TEXT, &STEPS);
    assert_eq!(constant.steps(), Pattern::new(TEXT).unwrap().steps());
    assert_eq!(constant.to_string(), TEXT);
}

/// Against a matcher that is slow and simple: all texts of a small alphabet, for all patterns from a few parts.
#[test]
fn as_a_naive_matcher_says() {
    let atoms = ["a", "b", "[ab]", ".", "(a|b)", "(ab|)", "(a*|b)"];
    let quantifiers = ["", "*", "+", "?", "#2", "#(1,2)", "#(,2)", "#(2,)"];
    let mut texts = vec![String::new()];
    for len in 0..4 {
        let longer: Vec<String> = texts
            .iter()
            .filter(|text| text.len() == len)
            .flat_map(|text| ["a", "b", "c"].map(|next| alloc::format!("{text}{next}")))
            .collect();
        texts.extend(longer);
    }
    for first in atoms {
        for one in quantifiers {
            for second in atoms {
                for other in quantifiers {
                    let pattern = alloc::format!("{first}{one}{second}{other}");
                    let compiled = Pattern::new(&pattern).unwrap();
                    for text in &texts {
                        let expected =
                            naive(first, one, text).into_iter().any(|rest| naive(second, other, rest).contains(&""));
                        assert_eq!(compiled.is_match(text), expected, "{pattern} {text}");
                    }
                }
            }
        }
    }
}

/// What is left of a text after an atom with a quantifier.
fn naive<'t>(atom: &str, quantifier: &str, text: &'t str) -> Vec<&'t str> {
    let (min, max) = match quantifier {
        "" => (1, 1),
        "*" => (0, 9),
        "+" => (1, 9),
        "?" => (0, 1),
        "#2" => (2, 2),
        "#(1,2)" => (1, 2),
        "#(,2)" => (0, 2),
        _ => (2, 9),
    };
    let once = |text: &'t str| -> Vec<&'t str> {
        let after = |prefix: &str| text.strip_prefix(prefix);
        let any = |set: &[&str]| set.iter().filter_map(|one| after(one)).collect::<Vec<_>>();
        match atom {
            "a" => any(&["a"]),
            "b" => any(&["b"]),
            "[ab]" | "(a|b)" => any(&["a", "b"]),
            "." => any(&["a", "b", "c"]),
            "(ab|)" => any(&["ab", ""]),
            _ => any(&["", "a", "aa", "aaa", "aaaa", "b"]),
        }
    };
    let (mut now, mut found) = (vec![text], Vec::new());
    for count in 0..=max {
        if count >= min {
            found.extend(now.iter().copied());
        }
        now = now.into_iter().flat_map(once).collect();
        now.sort_unstable();
        now.dedup();
    }
    found
}
