//! CAA records (RFC 8659), with the parameters of RFC 8657.

use hickory_resolver::proto::rr::{RData, RecordType};

use super::Validator;
use crate::authorization::Attempt;
use crate::problem::{Kind, Problem};

/// A CAA record.
#[derive(Clone, Debug)]
struct Record {
    critical: bool,
    tag: String,
    value: Vec<u8>,
}

/// The issuer of an `issue` or `issuewild` property, and its parameters (RFC 8659 §4.2). `None` if it is malformed, which
/// forbids issuance.
pub(super) fn issuer(value: &[u8]) -> Option<(&str, Vec<(&str, &str)>)> {
    let text = core::str::from_utf8(value).ok()?;
    let (name, rest) = text.split_once(';').unwrap_or((text, ""));
    let mut parameters = Vec::new();
    for parameter in rest.split(';').map(str::trim).filter(|parameter| !parameter.is_empty()) {
        let (tag, value) = parameter.split_once('=')?;
        parameters.push((tag.trim(), value.trim()));
    }
    Some((name.trim(), parameters))
}

/// Returns whether a property allows a CA with these names to issue after an attempt.
fn allows(value: &[u8], identities: &[String], attempt: &Attempt) -> bool {
    let Some((name, parameters)) = issuer(value) else { return false };
    if !identities.iter().any(|own| own.eq_ignore_ascii_case(name)) {
        return false;
    }
    let mut accounts = 0;
    parameters.iter().all(|(tag, value)| match tag.to_ascii_lowercase().as_str() {
        "accounturi" => {
            // RFC 8657 §3: more than one cannot be satisfied.
            accounts += 1;
            accounts == 1 && *value == attempt.account
        }
        "validationmethods" => value.split(',').any(|method| method.trim() == attempt.kind.name()),
        // Only the CA gives parameters a meaning (RFC 8659 §4.2), and this one has none.
        _ => false,
    })
}

/// Checks the relevant record set of a name.
fn check(records: &[Record], identities: &[String], attempt: &Attempt) -> Result<(), String> {
    let has = |tag: &str| records.iter().any(|record| record.tag.eq_ignore_ascii_case(tag));
    const KNOWN: [&str; 5] = ["issue", "issuewild", "iodef", "contactemail", "contactphone"];
    let unknown = |record: &&Record| !KNOWN.iter().any(|tag| record.tag.eq_ignore_ascii_case(tag));
    // RFC 8659 §4.5.
    if let Some(record) = records.iter().filter(unknown).find(|record| record.critical) {
        return Err(format!("the critical property {} is unknown", record.tag.escape_debug()));
    }
    let tag = if attempt.wildcard && has("issuewild") { "issuewild" } else { "issue" };
    let mut relevant = records.iter().filter(|record| record.tag.eq_ignore_ascii_case(tag)).peekable();
    if relevant.peek().is_none() || relevant.any(|record| allows(&record.value, identities, attempt)) {
        return Ok(());
    }
    Err(format!("no property {tag} allows this CA, account and validation method"))
}

impl Validator {
    /// Checks the CAA records of a name, or those of the closest parent that has some (RFC 8659 §3). A failed query is a refusal.
    pub(super) async fn caa(&self, attempt: &Attempt) -> Result<(), Problem> {
        let mut name = attempt.identifier.value.as_str();
        loop {
            let found = self.dns.records(name, RecordType::CAA, |data| match data {
                RData::CAA(record) => Some(Record {
                    critical: record.issuer_critical,
                    tag: record.tag.clone(),
                    value: record.value.clone(),
                }),
                // Records that the resolver does not decode still restrict issuance.
                RData::Unknown { code: RecordType::CAA, .. } => {
                    Some(Record { critical: true, tag: "malformed".to_owned(), value: Vec::new() })
                }
                _ => None,
            });
            let refuse = |what: String| Problem::new(Kind::Caa, what);
            let found = found.await.map_err(|problem| refuse(problem.detail))?;
            if !found.is_empty() {
                let checked = check(&found, &self.policy.caa_identities, attempt);
                return checked
                    .map_err(|what| refuse(format!("the CAA records of {name} forbid issuance: {what} (RFC 8659)")));
            }
            match name.split_once('.') {
                Some((_, parent)) => name = parent,
                None => return Ok(()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::ChallengeType;
    use crate::problem::Identifier;

    fn attempt(wildcard: bool) -> Attempt {
        Attempt {
            kind: ChallengeType::Dns,
            identifier: Identifier { kind: "dns".to_owned(), value: "example.org".to_owned() },
            wildcard,
            token: String::new(),
            key_authorization: String::new(),
            account: "https://ca.test/account/1".to_owned(),
        }
    }

    fn is_allowed(records: &[(&str, &str)], wildcard: bool) -> bool {
        let record = |(tag, value): &(&str, &str)| Record {
            critical: tag.starts_with('!'),
            tag: tag.trim_start_matches('!').to_owned(),
            value: value.as_bytes().to_vec(),
        };
        let records: Vec<Record> = records.iter().map(record).collect();
        check(&records, &["ca.test".to_owned()], &attempt(wildcard)).is_ok()
    }

    #[test]
    fn properties_of_the_standard() {
        for (records, name, wildcard) in [
            (&[("issue", "ca.test")][..], true, true),
            (&[("ISSUE", " CA.test ; ")], true, true),
            (&[("issue", ";")], false, false),
            (&[("issue", "")], false, false),
            (&[("issue", "other.test")], false, false),
            (&[("issue", "other.test"), ("issue", "ca.test")], true, true),
            (&[("issue", "ca.test"), ("issuewild", ";")], true, false),
            (&[("issue", ";"), ("issuewild", "ca.test")], false, true),
            (&[("issuewild", ";")], true, false),
            (&[("iodef", "mailto:a@example.org")], true, true),
            (&[("unknown", "x")], true, true),
            (&[("!unknown", "x"), ("issue", "ca.test")], false, false),
            (&[("!issue", "ca.test")], true, true),
            (&[("issue", "ca.test; accounturi=https://ca.test/account/1")], true, true),
            (&[("issue", "ca.test; accounturi=https://ca.test/account/2")], false, false),
            (
                &[("issue", "ca.test; accounturi=https://ca.test/account/1; accounturi=https://ca.test/account/1")],
                false,
                false,
            ),
            (&[("issue", "ca.test; validationmethods=http-01,dns-01")], true, true),
            (&[("issue", "ca.test; validationmethods=http-01")], false, false),
            (&[("issue", "ca.test; policy=ev")], false, false),
            (&[("issue", "ca.test; malformed")], false, false),
        ] {
            assert_eq!((is_allowed(records, false), is_allowed(records, true)), (name, wildcard), "{records:?}");
        }
    }
}
