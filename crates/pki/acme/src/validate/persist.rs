//! `dns-persist-01` (draft-ietf-acme-dns-persist-01).

use std::time::SystemTime;

use hickory_resolver::proto::rr::{RData, RecordType};
use tagwise_pkix::UnixTime;

use super::Validator;
use super::caa::issuer;
use crate::authorization::Attempt;
use crate::problem::{Kind, Problem};

/// Returns whether a TXT record lets an account obtain certificates from a CA with these names.
fn allows(text: &[u8], identities: &[String], attempt: &Attempt, now: UnixTime) -> bool {
    let Some((name, parameters)) = issuer(text) else { return false };
    // A repeated parameter is malformed. Unknown ones are ignored.
    let value = |tag: &str| {
        let mut found = parameters.iter().filter(|(own, _)| own.eq_ignore_ascii_case(tag));
        match (found.next(), found.next()) {
            (one, None) => Some(one.map(|(_, value)| *value)),
            _ => None,
        }
    };
    let (Some(account), Some(policy), Some(until)) = (value("accounturi"), value("policy"), value("persistUntil"))
    else {
        return false;
    };
    // Without the policy, the record is only about the domain itself.
    let covers_names_below = policy.is_some_and(|policy| policy.eq_ignore_ascii_case("wildcard"));
    let is_current = until.is_none_or(|until| {
        until.bytes().all(|digit| digit.is_ascii_digit()) && until.parse().is_ok_and(|until| now.0 <= until)
    });
    identities.iter().any(|own| own.eq_ignore_ascii_case(name))
        && account == Some(attempt.account.as_str())
        && is_current
        && (covers_names_below || !attempt.wildcard)
}

impl Validator {
    /// Validates `dns-persist-01`: a TXT record with the CA and the account.
    pub(super) async fn persistent(&self, attempt: &Attempt) -> Result<(), Problem> {
        let name = format!("_validation-persist.{}", attempt.identifier.value);
        let found = self.dns.records(&name, RecordType::TXT, |data| match data {
            RData::TXT(text) => Some(text.txt_data.concat()),
            _ => None,
        });
        let (found, now) = (found.await?, SystemTime::now().into());
        if found.iter().any(|text| allows(text, &self.policy.caa_identities, attempt, now)) {
            return Ok(());
        }
        let what = match found.len() {
            0 => format!("{name} has no TXT record"),
            count => format!("none of the {count} TXT records of {name} allows this CA and account"),
        };
        Err(Problem::new(Kind::IncorrectResponse, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::ChallengeType;
    use crate::problem::Identifier;

    #[test]
    fn records_name_the_ca_and_the_account() {
        let attempt = |wildcard| Attempt {
            kind: ChallengeType::DnsPersist,
            identifier: Identifier { kind: "dns".to_owned(), value: "example.org".to_owned() },
            wildcard,
            token: String::new(),
            key_authorization: String::new(),
            account: "https://ca.test/account/1".to_owned(),
        };
        let identities = ["other.test".to_owned(), "ca.test".to_owned()];
        for (text, name, wildcard) in [
            ("ca.test; accounturi=https://ca.test/account/1", true, false),
            (" CA.test ;accounturi = https://ca.test/account/1;", true, false),
            ("ca.test; accounturi=https://ca.test/account/1; policy=wildcard", true, true),
            ("ca.test; ACCOUNTURI=https://ca.test/account/1; Policy=WildCard; new=1", true, true),
            ("ca.test; accounturi=https://ca.test/account/1; policy=other", true, false),
            ("ca.test; accounturi=https://ca.test/account/1; persistUntil=1000", true, false),
            ("ca.test; accounturi=https://ca.test/account/1; persistUntil=999", false, false),
            ("ca.test; accounturi=https://ca.test/account/1; persistUntil=+1001", false, false),
            ("ca.test; accounturi=https://ca.test/account/1; persistUntil=", false, false),
            ("ca.test; accounturi=https://ca.test/account/1; persistUntil=99999999999999999999", false, false),
            ("ca.test; accounturi=https://ca.test/account/2; policy=wildcard", false, false),
            ("ca.test; accounturi=https://ca.test/account/1; accounturi=https://ca.test/account/1", false, false),
            ("ca.test; accounturi=https://ca.test/account/1; policy=wildcard; policy=wildcard", false, false),
            ("third.test; accounturi=https://ca.test/account/1", false, false),
            ("ca.test.evil; accounturi=https://ca.test/account/1", false, false),
            ("ca.test", false, false),
            ("ca.test; accounturi", false, false),
            ("", false, false),
        ] {
            let found =
                [false, true].map(|wildcard| allows(text.as_bytes(), &identities, &attempt(wildcard), UnixTime(1000)));
            assert_eq!(found, [name, wildcard], "{text}");
        }
        assert!(!allows(b"\xFF", &identities, &attempt(false), UnixTime(1000)));
    }
}
