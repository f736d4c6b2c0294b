//! Authorizations and challenges (RFC 8555 §7.4.1, §7.5).

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tagwise_ca::Row;
use tagwise_pkix::UnixTime;

use crate::policy::ChallengeType;
use crate::problem::{Identifier, Kind, Problem};
use crate::records::{Account, Authorization, Challenge, Grant, Status};
use crate::reply::{Job, Reply};
use crate::service::{Call, HOUR, account_key};

/// The time after which another node may repeat a validation that has no result.
const ABANDONED: i64 = 120;

/// The time for which expired documents are kept, so that clients see their status.
pub(crate) const KEPT: Duration = Duration::from_secs(7 * 86_400);

/// The input of a validation.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub(crate) kind: ChallengeType,
    pub(crate) identifier: Identifier,
    /// True if the names below the identifier are authorized too.
    pub(crate) wildcard: bool,
    pub(crate) token: String,
    /// RFC 8555 §8.1.
    pub(crate) key_authorization: String,
    /// The account's URL.
    pub(crate) account: String,
}

#[derive(Deserialize)]
struct NewAuthorization {
    identifier: Domain,
}

/// The identifier of a new authorization.
///
/// RFC 9444 §4.2: clients include `subdomainAuthAllowed` in the "identifier" object of newAuthz requests, as in its example and in that of
/// §5. Beside that object, the flag is a field of the server's authorization object (§4.1), and is ignored in a request.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Domain {
    #[serde(flatten)]
    identifier: Identifier,
    #[serde(default)]
    subdomain_auth_allowed: bool,
}

#[derive(Deserialize)]
struct Change {
    status: Option<Status>,
}

/// The identifier of an account's grant. Values are checked before, and have no slash.
fn grant_id(account: &str, identifier: &Identifier, wildcard: bool) -> String {
    format!("{account}/{}/{}{}", identifier.kind, if wildcard { "*." } else { "" }, identifier.value)
}

/// Splits an identifier into its base and whether it is a wildcard.
pub(crate) fn base(identifier: &Identifier) -> (Identifier, bool) {
    match identifier.value.strip_prefix("*.") {
        Some(value) => (Identifier { kind: identifier.kind.clone(), value: value.to_owned() }, true),
        None => (identifier.clone(), false),
    }
}

impl Authorization {
    /// The status at a time.
    pub(crate) const fn status_at(&self, now: UnixTime) -> Status {
        match self.status {
            Status::Pending if self.expires < now.0 => Status::Invalid,
            Status::Valid if self.expires < now.0 => Status::Expired,
            status => status,
        }
    }
}

impl Call<'_> {
    /// The valid authorization of an account for an identifier, if any.
    pub(crate) fn granted(
        &mut self,
        account: &str,
        identifier: &Identifier,
    ) -> Result<Option<Row<Authorization>>, Problem> {
        let (base, wildcard) = base(identifier);
        let Some(grant) = self.get::<Grant>(&grant_id(account, &base, wildcard))? else { return Ok(None) };
        let now = self.now;
        let found = self.get::<Authorization>(&grant.value.authorization)?;
        Ok(found.filter(|row| {
            let value = &row.value;
            row.owner() == account
                && value.identifier == base
                && value.wildcard == wildcard
                && value.status_at(now) == Status::Valid
        }))
    }

    /// The valid authorization of a domain that covers a name below it, if any.
    fn covered(&mut self, account: &str, identifier: &Identifier) -> Result<Option<Row<Authorization>>, Problem> {
        let mut domain = identifier.value.as_str();
        while let Some((_, above)) = domain.split_once('.') {
            domain = above;
            if !self.acme.policy.is_covered(identifier, domain) {
                return Ok(None);
            }
            let ancestor = Identifier { kind: identifier.kind.clone(), value: domain.to_owned() };
            if let Some(row) = self.granted(account, &ancestor)?.filter(|row| row.value.subdomains) {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }

    /// Creates an authorization, or returns a valid one if the policy reuses them. With `subdomains`, it covers the names
    /// below a domain.
    ///
    /// # Errors
    /// [`Kind::RejectedIdentifier`] if no challenge can validate the identifier.
    pub(crate) fn authorize(
        &mut self,
        account: &str,
        identifier: &Identifier,
        subdomains: bool,
    ) -> Result<String, Problem> {
        if self.acme.policy.preauthorization {
            let own = self.granted(account, identifier)?.filter(|row| row.value.subdomains || !subdomains);
            let found = match own {
                None if !subdomains => self.covered(account, identifier)?,
                own => own,
            };
            if let Some(row) = found {
                return Ok(row.id().to_owned());
            }
        }
        let (base, wildcard) = base(identifier);
        // A web server proves nothing about the names below its own.
        let suits = |kind: &&ChallengeType| kind.suits(&base, wildcard) && (kind.is_dns() || !subdomains);
        let kinds = self.acme.policy.challenges.iter().filter(suits);
        let mut challenges = Vec::new();
        for kind in kinds {
            challenges.push(Challenge {
                kind: *kind,
                status: Status::Pending,
                token: self.acme.random(32)?,
                validated: None,
                error: None,
                claimed: None,
            });
        }
        if challenges.is_empty() {
            let what = "no offered challenge can validate the identifier";
            return Err(Problem::new(Kind::RejectedIdentifier, what).about(identifier));
        }
        let expires = self.now.saturating_add(self.order_lifetime());
        let (status, expires_at) = (Status::Pending, expires.0);
        let value = Authorization { status, expires: expires_at, identifier: base, wildcard, subdomains, challenges };
        let id = self.acme.random(16)?;
        self.insert(&Row::new(&id, account, expires.saturating_add(KEPT), value))?;
        Ok(id)
    }

    pub(crate) fn order_lifetime(&self) -> Duration {
        HOUR.saturating_mul(u32::try_from(self.acme.policy.order_hours).unwrap_or(u32::MAX))
    }

    /// The URL of an account.
    fn account_url(&self, account: &str) -> String {
        self.acme.to_url(&format!("account/{account}"))
    }

    fn challenge_json(&self, row: &Row<Authorization>, index: usize, challenge: &Challenge) -> Value {
        let mut value = json!({
            "type": challenge.kind,
            "url": self.acme.to_url(&format!("challenge/{}/{index}", row.id())),
            "status": challenge.status,
        });
        if let Some(object) = value.as_object_mut() {
            if challenge.kind == ChallengeType::DnsPersist {
                object.insert("issuer-domain-names".to_owned(), json!(self.acme.policy.caa_identities));
                object.insert("accounturi".to_owned(), json!(self.account_url(row.owner())));
            } else {
                object.insert("token".to_owned(), json!(challenge.token));
            }
            if let Some(at) = challenge.validated {
                object.insert("validated".to_owned(), json!(UnixTime(at).to_string()));
            }
            if let Some(error) = &challenge.error {
                object.insert("error".to_owned(), error.clone());
            }
        }
        value
    }

    fn authorization_reply(&self, row: &Row<Authorization>) -> Reply {
        let value = &row.value;
        let challenges = value.challenges.iter().enumerate();
        // RFC 8555 §7.1.4: of a valid authorization, the challenge that was validated.
        let shown =
            challenges.filter(|(_, challenge)| value.status == Status::Pending || challenge.status != Status::Pending);
        let challenges: Vec<Value> =
            shown.map(|(index, challenge)| self.challenge_json(row, index, challenge)).collect();
        let mut json = json!({
            "status": value.status_at(self.now),
            "expires": UnixTime(value.expires).to_string(),
            "identifier": value.identifier,
            "challenges": challenges,
        });
        if let Some(object) = json.as_object_mut() {
            for (name, is_set) in [("wildcard", value.wildcard), ("subdomainAuthAllowed", value.subdomains)] {
                if is_set {
                    object.insert(name.to_owned(), Value::Bool(true));
                }
            }
        }
        let reply = Reply::json(200, &json);
        if value.challenges.iter().any(|challenge| challenge.status == Status::Processing) {
            reply.header("retry-after", "1")
        } else {
            reply
        }
    }

    /// Restarts the validations that another node began and did not end.
    fn resume(&mut self, row: &mut Row<Authorization>) -> Result<Vec<Job>, Problem> {
        let mut jobs = Vec::new();
        if row.value.status_at(self.now) != Status::Pending {
            return Ok(jobs);
        }
        let (now, id) = (self.now.0, row.id().to_owned());
        for (index, challenge) in row.value.challenges.iter_mut().enumerate() {
            let old = challenge.claimed.is_some_and(|claimed| now.saturating_sub(claimed) > ABANDONED);
            if challenge.status == Status::Processing && old {
                challenge.claimed = Some(now);
                jobs.push(Job { authorization: id.clone(), challenge: index, claimed: now });
            }
        }
        if !jobs.is_empty() {
            self.update(row)?;
        }
        Ok(jobs)
    }

    /// Returns or deactivates an authorization (RFC 8555 §7.5, §7.5.2).
    pub(crate) fn authorization(&mut self, path: &str, id: &str, body: &[u8]) -> Result<Reply, Problem> {
        let signed = self.signed(path, body)?;
        let missing = || Problem::not_found("authorization");
        let mut row = self.get::<Authorization>(id)?.ok_or_else(missing)?;
        signed.owns(&row)?;
        if signed.jws.payload.is_empty() {
            let jobs = self.resume(&mut row)?;
            return Ok(self.authorization_reply(&row).with_jobs(jobs));
        }
        let asked: Change = signed.payload()?;
        if asked.status != Some(Status::Deactivated) {
            return Err(Problem::malformed("the status can only become deactivated (RFC 8555 §7.5.2)"));
        }
        if !matches!(row.value.status_at(self.now), Status::Pending | Status::Valid) {
            return Err(Problem::malformed("only pending and valid authorizations can be deactivated"));
        }
        row.value.status = Status::Deactivated;
        self.update(&mut row)?;
        Ok(self.authorization_reply(&row))
    }

    /// Creates an authorization before an order (RFC 8555 §7.4.1).
    pub(crate) fn new_authorization(&mut self, body: &[u8]) -> Result<Reply, Problem> {
        let signed = self.signed("new-authorization", body)?;
        if !self.acme.policy.preauthorization {
            return Err(Problem::unauthorized("authorizations without an order are not offered").with_status(403));
        }
        self.check_account(&signed.account)?;
        let asked: NewAuthorization = signed.payload()?;
        // RFC 8555 §7.4.1: no wildcards.
        let Domain { identifier, subdomain_auth_allowed } = asked.identifier;
        if identifier.value.contains('*') {
            return Err(Problem::malformed("newAuthz does not accept wildcards (RFC 8555 §7.4.1)"));
        }
        let identifier = self.acme.policy.identifier(&identifier)?;
        // Without the capability, the server creates an ordinary authorization, whose object shows that (RFC 9444 §4.2).
        let subdomains = subdomain_auth_allowed && self.acme.policy.subdomains && identifier.kind == "dns";
        let account = signed.account.id();
        self.count("orders", account, self.acme.policy.orders_per_hour)?;
        let id = self.authorize(account, &identifier, subdomains)?;
        let row = self.get::<Authorization>(&id)?.ok_or_else(Problem::busy)?;
        let reply = self.authorization_reply(&row);
        Ok(Reply { status: 201, ..reply }.header("location", self.acme.to_url(&format!("authorization/{id}"))))
    }

    /// Returns a challenge, or begins its validation (RFC 8555 §7.5.1).
    pub(crate) fn challenge(&mut self, path: &str, id: &str, index: usize, body: &[u8]) -> Result<Reply, Problem> {
        let signed = self.signed(path, body)?;
        let missing = || Problem::not_found("challenge");
        let mut row = self.get::<Authorization>(id)?.ok_or_else(missing)?;
        signed.owns(&row)?;
        let reply = |call: &Self, row: &Row<Authorization>| {
            let challenge = row.value.challenges.get(index).ok_or_else(missing)?;
            let up = call.acme.to_url(&format!("authorization/{id}"));
            let reply = Reply::json(200, &call.challenge_json(row, index, challenge));
            Ok::<_, Problem>(reply.header("link", format!("<{up}>;rel=\"up\"")))
        };
        if signed.jws.payload.is_empty() {
            let jobs = self.resume(&mut row)?;
            return Ok(reply(self, &row)?.with_jobs(jobs));
        }
        // RFC 8555 §7.5.1: an object, whose members none of these challenges has.
        let _: serde_json::Map<String, Value> = signed.payload()?;
        let challenge = row.value.challenges.get(index).ok_or_else(missing)?;
        let status = row.value.status_at(self.now);
        match (challenge.status, status) {
            (Status::Pending, Status::Pending) => {}
            // A repeated request.
            (Status::Processing | Status::Valid | Status::Invalid, _) => return reply(self, &row),
            _ => return Err(Problem::malformed("the authorization is no longer pending")),
        }
        let allowed = self.check_account(&signed.account).and_then(|()| self.check_authorization(&row.value));
        if let Err(problem) = allowed {
            // RFC 8555 §7.1.6: with its challenge, the authorization and its orders become invalid.
            if let Some(challenge) = row.value.challenges.get_mut(index) {
                challenge.status = Status::Invalid;
                challenge.error = Some(problem.to_json());
            }
            row.value.status = Status::Invalid;
            self.update(&mut row)?;
            return Err(problem);
        }
        let failures = format!("{}/{}", signed.account.id(), row.value.identifier);
        self.check_count("failed validations", &failures, self.acme.policy.failures_per_hour)?;
        let now = self.now.0;
        if let Some(challenge) = row.value.challenges.get_mut(index) {
            challenge.status = Status::Processing;
            challenge.claimed = Some(now);
        }
        self.update(&mut row)?;
        let job = Job { authorization: id.to_owned(), challenge: index, claimed: now };
        Ok(reply(self, &row)?.header("retry-after", "1").with_jobs(vec![job]))
    }

    /// Returns the validation of a job, or `None` if nothing remains to be done.
    pub(crate) fn attempt(&mut self, job: &Job) -> Result<Option<Attempt>, Problem> {
        let Some((row, challenge)) = self.claimed(job)? else { return Ok(None) };
        let account = self.get::<Account>(row.owner())?.filter(|account| account.value.status == Status::Valid);
        let Some(account) = account else { return Ok(None) };
        let thumbprint = self.acme.thumbprint(&account_key(&account)?)?;
        Ok(Some(Attempt {
            kind: challenge.kind,
            identifier: row.value.identifier.clone(),
            wildcard: row.value.wildcard || row.value.subdomains,
            key_authorization: format!("{}.{thumbprint}", challenge.token),
            token: challenge.token,
            account: self.account_url(account.id()),
        }))
    }

    /// The challenge of a job, while it is claimed by it.
    fn claimed(&mut self, job: &Job) -> Result<Option<(Row<Authorization>, Challenge)>, Problem> {
        let Some(row) = self.get::<Authorization>(&job.authorization)? else { return Ok(None) };
        let challenge = row.value.challenges.get(job.challenge).cloned();
        let is_claimed =
            |challenge: &Challenge| challenge.status == Status::Processing && challenge.claimed == Some(job.claimed);
        let is_pending = row.value.status_at(self.now) == Status::Pending;
        Ok(challenge.filter(|challenge| is_pending && is_claimed(challenge)).map(|challenge| (row, challenge)))
    }

    /// Records the result of a validation, unless another node has done so.
    pub(crate) fn conclude(&mut self, job: &Job, result: Result<(), Problem>) -> Result<(), Problem> {
        let Some((mut row, mut challenge)) = self.claimed(job)? else { return Ok(()) };
        let account = row.owner().to_owned();
        match result {
            Ok(()) => {
                challenge.status = Status::Valid;
                challenge.validated = Some(self.now.0);
                let expires = self.now.saturating_add(self.acme.policy.authorization_lifetime(&row.value.identifier));
                row.value.status = Status::Valid;
                row.value.expires = expires.0;
                row.keep_until(expires.saturating_add(KEPT));
            }
            Err(problem) => {
                challenge.status = Status::Invalid;
                challenge.error = Some(problem.to_json());
                // RFC 8555 §7.1.6: an authorization is invalid once one of its challenges is.
                row.value.status = Status::Invalid;
                let failures = format!("{account}/{}", row.value.identifier);
                // Over the limit, the failure is recorded all the same.
                let _ = self.count("failed validations", &failures, u32::MAX);
            }
        }
        if let Some(own) = row.value.challenges.get_mut(job.challenge) {
            *own = challenge;
        }
        self.update(&mut row)?;
        if row.value.status == Status::Valid {
            let id = grant_id(&account, &row.value.identifier, row.value.wildcard);
            let grant = Grant { authorization: row.id().to_owned() };
            self.put(Row::new(&id, &account, UnixTime(row.value.expires), grant))?;
        }
        Ok(())
    }
}
