//! Evaluation of a filter for a certificate or CRL.

use tagwise_codec::text::hex::Hex;
use tagwise_pkix::oids;

use super::{Filter, Flag, Match, Moment, Number, Order, Step, Test, Text};
use crate::shared::stores::Facts;
use crate::shared::stores::facts::{Judge, State, Status};

impl Filter {
    /// Returns whether a certificate or CRL passes the filter. A comparison with an absent field is false, except for `!=` and
    /// `!~`.
    pub(crate) fn passes(&self, facts: &Facts<'_>, judge: &Judge) -> bool {
        let mut answers: Vec<bool> = Vec::with_capacity(8);
        for step in &self.program {
            let answer = match step {
                Step::Test(test) => test.holds(facts, judge),
                Step::Not => !answers.pop().unwrap_or_default(),
                Step::And => {
                    let (one, other) = (answers.pop(), answers.pop());
                    one.unwrap_or_default() && other.unwrap_or_default()
                }
                Step::Or => {
                    let (one, other) = (answers.pop(), answers.pop());
                    one.unwrap_or_default() || other.unwrap_or_default()
                }
            };
            answers.push(answer);
        }
        answers.pop().unwrap_or_default()
    }
}

impl Test {
    fn holds(&self, facts: &Facts<'_>, judge: &Judge) -> bool {
        match self {
            Self::Flag(flag) => flag.holds(facts, judge),
            Self::Text(field, positive, matches) => field.any(facts, judge, matches) == *positive,
            Self::Number(field, order, wanted) => {
                field.of(facts).is_some_and(|number| order.holds(number, (*wanted, *wanted)))
            }
            Self::Time(field, order, span) => {
                let time = match field {
                    Moment::NotBefore => facts.not_before(),
                    Moment::NotAfter => facts.not_after(),
                };
                time.is_some_and(|time| order.holds(time.unix(), *span))
            }
        }
    }
}

impl Order {
    /// Compares a number with a range. A number within the range is equal to it.
    fn holds<T: Ord>(self, number: T, (first, last): (T, T)) -> bool {
        match self {
            Self::Equal => first <= number && number <= last,
            Self::Unequal => number < first || last < number,
            Self::Less => number < first,
            Self::LessOrEqual => number <= last,
            Self::Greater => number > last,
            Self::GreaterOrEqual => number >= first,
        }
    }
}

impl Flag {
    fn holds(self, facts: &Facts<'_>, judge: &Judge) -> bool {
        match self {
            Self::Ca => facts.ca() == Some(true),
            Self::Strict => facts.state == State::Strict,
            Self::Crl => facts.kind() == "crl",
            Self::SelfIssued => {
                facts.subject().zip(facts.issuer()).is_some_and(|(subject, issuer)| subject.matches(&issuer))
            }
            Self::Expired => judge.status(facts) == Some(Status::Expired),
            Self::Valid => judge.status(facts) == Some(Status::Valid),
        }
    }
}

impl Match {
    fn holds(&self, text: &str) -> bool {
        match self {
            Self::Same(wanted) => {
                text.eq_ignore_ascii_case(wanted) || (!text.is_ascii() && text.to_lowercase() == wanted.to_lowercase())
            }
            Self::Has(wanted) => text.to_lowercase().contains(wanted),
        }
    }
}

impl Text {
    /// Returns whether any text of a field matches.
    fn any(self, facts: &Facts<'_>, judge: &Judge, matches: &Match) -> bool {
        let is = |text: &str| matches.holds(text);
        let name = |name: tagwise_pkix::Name<'_>| is(&name.rfc4514().extended().to_string());
        match self {
            Self::Subject => facts.subject().is_some_and(name),
            Self::Issuer => facts.issuer().is_some_and(name),
            Self::CommonName => {
                let common = facts.subject().and_then(|subject| subject.get(oids::COMMON_NAME));
                common.and_then(|attribute| attribute.text()).is_some_and(|text| is(&text))
            }
            Self::Dns => facts.dns_names().into_iter().any(is),
            Self::Serial => facts.serial().is_some_and(|serial| is(&serial)),
            Self::Sha256 => is(&Hex(&facts.fingerprint).to_string()),
            Self::Key => facts.key().is_some_and(|key| is(key.algorithm)),
            Self::Curve => facts.key().and_then(|key| key.curve).is_some_and(is),
            Self::Signature => facts.signature().is_some_and(is),
            Self::File => is(facts.file),
            Self::Entry => facts.item.place.entry.is_some_and(is),
            Self::State => is(facts.state.name()),
            Self::Status => judge.status(facts).is_some_and(|status| is(status.name())),
            Self::Error => facts.error.as_ref().is_some_and(|error| is(error.code())),
            Self::Rule => facts.deviations.iter().any(|deviation| is(deviation.rule.name)),
            Self::Lint => facts.lints.iter().any(|finding| is(finding.lint.id)),
            Self::Trust => facts.item.trust.is_some_and(|trust| is(trust.server_auth.name())),
        }
    }
}

impl Number {
    fn of(self, facts: &Facts<'_>) -> Option<i64> {
        match self {
            Self::Bits => facts.key().and_then(|key| key.bits).map(i64::from),
            Self::Version => facts.version().and_then(|version| i64::try_from(version).ok()),
            Self::Days => {
                let span = facts.not_after()?.unix().0.saturating_sub(facts.not_before()?.unix().0);
                // Both ends are inclusive (RFC 5280 §4.1.2.5).
                Some(span.saturating_add(1).div_euclid(86_400))
            }
            Self::Size => i64::try_from(facts.item.der.len()).ok(),
            Self::Offset => i64::try_from(facts.item.place.offset).ok(),
        }
    }
}
