//! The library's verdict on an input, and invariants that hold for any verdict.

use std::fmt::Debug;

use tagwise_codec::{Captured, Decode, DecodeValue, Encode, Error, FaultKind, Options, Rule, RuleSet, encode};
use tagwise_pkix::{Certificate, CertificateIndex, CertificateList, CertificateView, profile};

/// The reason why strict decoding rejects an input, and the rules whose violations must be tolerated to accept it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The code of the first error.
    pub code: String,
    /// The path of the error.
    pub path: String,
    /// The offset of the error, in bytes.
    pub offset: usize,
    /// The error, with the clause of the standard.
    pub why: String,
    /// The deviations recorded when the input is decoded tolerating violations of as few rules as possible, in order. `None` if no
    /// rules suffice.
    pub deviations: Option<Vec<(String, usize)>>,
    /// Whether the tolerated value encodes to its original bytes, to other bytes, or not at all.
    pub again: Again,
}

/// The result of encoding a tolerated value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// The original bytes. The deviations are in the signed part, whose bytes are preserved.
    Same,
    /// DER: the deviations are outside the signed part and are not encoded.
    Der,
    /// No encoding: a value outside the signed part cannot be encoded in DER.
    Refused,
    /// The input was not accepted even if violations of all rules are tolerated.
    Never,
}

/// A signed structure, whose value keeps the signed bytes.
pub trait Signed {
    /// Those octets.
    fn signed(&self) -> &[u8];

    /// Checks further ways to read the same octets.
    ///
    /// # Panics
    /// If they disagree with the type's own.
    fn agree(octets: &[u8]) {
        let _ = octets;
    }
}

impl Signed for Certificate<'_> {
    fn signed(&self) -> &[u8] {
        Captured::as_bytes(&self.tbs_certificate)
    }

    /// [`CertificateView`] takes what [`Decode::outline`] takes, says the same of the rest, and points at the same parts; so does
    /// its `from_der` beside the type's own.
    fn agree(octets: &[u8]) {
        let sound = CertificateView::from_der(octets);
        let whole = Certificate::from_der(octets);
        assert_eq!(sound.as_ref().err(), whole.as_ref().err());
        let mut all = Certificate::from_der_all([octets]);
        same(octets, &all.next(), &Some(whole));
        assert_eq!(all.next(), None);
        let sealed = Certificate::from_der_sealed_all([octets]).next();
        same(octets, &sealed, &Some(Certificate::from_der_sealed(octets)));
        same(octets, &Certificate::outline_all([octets]).next(), &Some(Certificate::outline(octets)));
        assert_eq!(CertificateView::from_der_all([octets]).next().as_ref(), Some(&sound));
        let (positions, outline) = match (CertificateView::outline(octets), Certificate::outline(octets)) {
            (Ok(positions), Ok(outline)) => (positions, outline),
            (Err(error), Err(other)) => return assert_eq!(error, other),
            (positions, outline) => panic!("{positions:?} and {outline:?}"),
        };
        assert!(sound.is_err() || sound.as_ref() == Ok(&positions));
        assert_eq!(CertificateIndex::read(octets), Ok(positions.index()));
        let tbs = &outline.tbs_certificate;
        assert_eq!(positions.tbs_bytes(), Captured::as_bytes(tbs));
        assert_eq!(positions.version(), tbs.version);
        assert_eq!(positions.serial_number(), tbs.serial_number);
        assert_eq!((positions.issuer(), positions.subject()), (tbs.issuer, tbs.subject));
        assert_eq!(positions.not_before(), tbs.validity.not_before.civil());
        assert_eq!(positions.not_after(), tbs.validity.not_after.civil());
        assert_eq!(positions.subject_public_key(), tbs.subject_public_key_info.subject_public_key);
        assert_eq!(positions.signature_value(), outline.signature_value);
        assert_eq!(format!("{:?}", positions.extensions()), format!("{:?}", tbs.extensions));
        // Algorithm parameters are decoded when asked for only.
        assert!(positions.signature_algorithm().map_or(true, |algorithm| algorithm == outline.signature_algorithm));
    }
}

impl Signed for CertificateList<'_> {
    fn signed(&self) -> &[u8] {
        Captured::as_bytes(&self.tbs_cert_list)
    }
}

/// Returns the set of all rules.
#[must_use]
pub fn every_rule() -> RuleSet {
    Rule::ALL.iter().chain(profile::ALL).fold(RuleSet::NONE, RuleSet::with)
}

fn noted<T>(read: &tagwise_codec::Tolerated<T>) -> Vec<(String, usize)> {
    read.deviations.iter().map(|deviation| (deviation.rule.name.to_owned(), deviation.offset)).collect()
}

/// The rule that an error asks for.
fn rule_of(error: &Error) -> Option<&'static Rule> {
    assert_ne!(error.code(), "profile", "{error}: the table of the type does not name the rule");
    assert_ne!(error.kind(), FaultKind::Internal, "{error}");
    error.rule()
}

/// Decodes strictly, and if that fails, with the fewest rules necessary.
///
/// # Panics
/// Panics if an invariant is violated: see [`hold`].
pub fn judge<'a, T>(octets: &'a [u8]) -> Result<T, Refusal>
where
    T: DecodeValue<'a> + Encode + PartialEq + Debug + Signed,
{
    let error = match T::from_der(octets) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let mut rules = RuleSet::NONE;
    let mut next = rule_of(&error);
    let tolerated = loop {
        // An error that no rule tolerates may still lie in an open type, which can be given up as a whole.
        let rule = next.filter(|rule| !rules.has(rule)).or((!rules.has(&Rule::OPEN_TYPE)).then_some(&Rule::OPEN_TYPE));
        let Some(rule) = rule else { break None };
        rules = rules.with(rule);
        match Options::der().rules(rules).decode::<T>(octets) {
            Ok(read) => break Some(read),
            Err(error) => next = rule_of(&error),
        }
    };
    let again = match tolerated.as_ref().map(|read| encode(&read.value)) {
        None => Again::Never,
        Some(Ok(der)) if der == octets => Again::Same,
        Some(Ok(_)) => Again::Der,
        Some(Err(_)) => Again::Refused,
    };
    Err(Refusal {
        code: error.code().to_owned(),
        path: error.path().to_owned(),
        offset: error.offset(),
        why: format!("{}: {}", error.clause(), error.message()),
        deviations: tolerated.as_ref().map(noted),
        again,
    })
}

/// Asserts that `deviations` lists exactly the rules whose violations must be tolerated for `octets` to decode.
///
/// # Panics
/// Panics if it does not.
pub fn confirm<'a, T: Decode<'a> + Debug>(octets: &'a [u8], deviations: &[(String, usize)]) {
    let rules: Vec<&Rule> = deviations.iter().map(|(name, _)| profile::by_name(name).unwrap()).collect();
    let all = rules.iter().fold(RuleSet::NONE, |rules, rule| rules.with(rule));
    let read = Options::der().rules(all).decode::<T>(octets).expect("the rules of the register suffice");
    assert_eq!(noted(&read), deviations);
    for rule in rules {
        let fewer = Options::der().rules(all.without(rule)).decode::<T>(octets);
        assert!(fewer.is_err(), "{rule} is not needed");
    }
}

/// Checks the invariants that hold for every input:
///
/// - Strict decoding round-trips.
/// - Errors are located inside the input.
/// - If violations of all rules are tolerated, whatever strict decoding accepts is accepted, and a deviation is listed exactly where
///   strict decoding fails.
/// - Signed bytes are unchanged.
/// - The handwritten fast paths agree with the general decoder.
///
/// # Panics
/// Panics if an invariant is violated.
pub fn hold<'a, T>(octets: &'a [u8])
where
    T: DecodeValue<'a> + Encode + PartialEq + Debug + Signed,
{
    let strict = T::from_der(octets);
    match &strict {
        Ok(value) => {
            assert_eq!(encode(value).as_deref(), Ok(octets));
            let outline = T::outline(octets).expect("an outline asks for less");
            assert_eq!(encode(&outline).as_deref(), Ok(octets), "an outline encodes once it is checked");
            let sealed = T::from_der_sealed(octets).expect("what is sealed is not looked at");
            assert_eq!(encode(&sealed).as_deref(), Ok(octets), "what was sealed is checked when it is written");
        }
        Err(error) => {
            assert!(error.offset() <= octets.len(), "{error}");
            assert!(!error.to_string().is_empty());
            rule_of(error);
        }
    }
    agree(octets, &strict);
    T::agree(octets);
    match Options::der().rules(every_rule()).decode::<T>(octets) {
        Ok(read) => {
            assert_eq!(read.deviations.is_empty(), strict.is_ok(), "{:?} {strict:?}", read.deviations);
            assert!(read.deviations.iter().all(|deviation| deviation.offset <= octets.len()));
            assert!(read.deviations.is_sorted_by_key(|deviation| deviation.offset));
            // What was signed stays as it came, and is written as it came.
            let signed = read.value.signed();
            assert!(contains(octets, signed));
            assert!(encode(&read.value).map_or(true, |again| contains(&again, signed)));
        }
        Err(error) => {
            assert!(strict.is_err(), "{error}");
            assert!(error.offset() <= octets.len(), "{error}");
        }
    }
}

fn contains(octets: &[u8], part: &[u8]) -> bool {
    octets.windows(part.len()).any(|window| window == part)
}

/// Holds that what was read of the octets in two ways is the same.
fn same<T: PartialEq + Debug>(octets: &[u8], one: &T, other: &T) {
    assert_eq!(one, other);
    // Equality is of values; this shows where they were read, too. Long lists would show more of the same.
    if octets.len() < 1 << 13 {
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
    }
}

/// With a session there are no hand-shaped paths: the value, its offsets, and every error must be the same with and without.
fn agree<'a, T: DecodeValue<'a> + PartialEq + Debug>(octets: &'a [u8], strict: &Result<T, Error>) {
    same(octets, strict, &Options::der().decode::<T>(octets).map(|read| read.value));
    let sealed = T::from_der_sealed(octets);
    same(octets, &sealed, &Options::der().decode_sealed::<T>(octets).map(|read| read.value));
    assert!(sealed.is_err() || T::outline(octets).is_ok(), "an outline asks for less");
    same(octets, &T::outline(octets), &Options::der().outline::<T>(octets).map(|read| read.value));
}
