//! Orders (RFC 8555 §7.4).

use serde::Deserialize;
use serde_json::{Value, json};
use tagwise_ca::Row;
use tagwise_codec::GeneralizedTime;
use tagwise_codec::pem;
use tagwise_keys::jwk;
use tagwise_pkix::UnixTime;
use tagwise_pkix::oids::files::label;

use crate::authorization::KEPT;
use crate::problem::{Identifier, Kind, Problem};
use crate::records::{Authorization, Issued, Order, Replaced, Status};
use crate::reply::Reply;
use crate::service::{Call, Signed};

/// The time after which another node may finish an issuance that has no result.
const ABANDONED: i64 = 30;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewOrder {
    identifiers: Vec<NewIdentifier>,
    not_before: Option<String>,
    not_after: Option<String>,
    profile: Option<String>,
    replaces: Option<String>,
}

/// The forms in which a certificate can be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The form that was ordered: with the first chain, or as a standalone Merkle Tree Certificate.
    Ordered,
    /// With one of the chains.
    Chain(usize),
    /// As a Merkle Tree Certificate that is relative to a landmark.
    Landmark,
}

/// An identifier of a new order (RFC 9444 §4.1).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewIdentifier {
    #[serde(flatten)]
    identifier: Identifier,
    ancestor_domain: Option<String>,
}

#[derive(Deserialize)]
struct Finalize {
    csr: String,
}

/// Parses a time of RFC 3339 (RFC 8555 §7.4).
fn time(name: &str, text: &str) -> Result<UnixTime, Problem> {
    let wrong = || Problem::malformed(format!("{name} is not a time, expected 2030-01-01T12:00:00Z (RFC 3339)"));
    let (plain, offset) = match text.strip_suffix(['Z', 'z']) {
        Some(plain) => (plain, 0),
        None => offset(text).ok_or_else(wrong)?,
    };
    let (plain, fraction) = plain.split_once('.').unwrap_or((plain, ""));
    let shape = |(at, octet): (usize, u8)| match at {
        4 | 7 => octet == b'-',
        10 => matches!(octet, b'T' | b't'),
        13 | 16 => octet == b':',
        _ => octet.is_ascii_digit(),
    };
    if plain.len() != 19 || !plain.bytes().enumerate().all(shape) || !fraction.bytes().all(|it| it.is_ascii_digit()) {
        return Err(wrong());
    }
    if fraction.bytes().any(|it| it != b'0') {
        // A certificate would contain another time (RFC 5280 §4.1.2.5).
        return Err(Problem::malformed(format!(
            "{name} has a fraction of a second, which certificates cannot express"
        )));
    }
    let digits: String = plain.chars().filter(char::is_ascii_digit).chain(['Z']).collect();
    let local = GeneralizedTime::from_content(digits.as_bytes()).map_err(|_| wrong())?;
    // The offset is that of the local time from UTC.
    Ok(UnixTime(local.unix().0.saturating_sub(offset)))
}

/// Splits a time from its offset, and returns the offset in seconds (RFC 3339 §5.6).
fn offset(text: &str) -> Option<(&str, i64)> {
    let (plain, offset) = text.split_at_checked(text.len().checked_sub(6)?)?;
    let (hours, minutes) = offset.get(1..)?.split_once(':')?;
    let number = |text: &str, most: i64| {
        let is_plain = text.len() == 2 && text.bytes().all(|it| it.is_ascii_digit());
        text.parse::<i64>().ok().filter(|it| is_plain && *it <= most)
    };
    let seconds = number(hours, 23)?.checked_mul(3600)?.checked_add(number(minutes, 59)?.checked_mul(60)?)?;
    match offset.as_bytes().first()? {
        b'+' => Some((plain, seconds)),
        b'-' => Some((plain, seconds.checked_neg()?)),
        _ => None,
    }
}

impl Call<'_> {
    /// Creates an order (RFC 8555 §7.4).
    pub(crate) fn new_order(&mut self, body: &[u8]) -> Result<Reply, Problem> {
        let signed = self.signed("new-order", body)?;
        self.check_account(&signed.account)?;
        let asked: NewOrder = signed.payload()?;
        let most = self.acme.policy.identifiers;
        if asked.identifiers.is_empty() || asked.identifiers.len() > most {
            let what = format!("the order has {} identifiers, expected 1 to {most}", asked.identifiers.len());
            return Err(Problem::malformed(what));
        }
        let mut identifiers: Vec<Identifier> = Vec::new();
        // The identifiers to authorize, and whether with the names below them.
        let mut to_authorize: Vec<(Identifier, bool)> = Vec::new();
        let mut problems = Vec::new();
        for new in &asked.identifiers {
            let found = self.acme.policy.identifier(&new.identifier);
            match found.and_then(|identifier| Ok((self.ancestor(&identifier, new)?, identifier))) {
                Ok((_, identifier)) if identifiers.contains(&identifier) => {}
                Ok((ancestor, identifier)) => {
                    let one = ancestor.map_or_else(|| (identifier.clone(), false), |ancestor| (ancestor, true));
                    if !to_authorize.contains(&one) {
                        to_authorize.push(one);
                    }
                    identifiers.push(identifier);
                }
                Err(problem) => problems.push(problem),
            }
        }
        if let Some(problem) = Problem::of(problems) {
            return Err(problem);
        }
        let profile = self.profile(asked.profile.as_deref())?.name.clone();
        let not_before = asked.not_before.as_deref().map(|text| time("notBefore", text)).transpose()?;
        let not_after = asked.not_after.as_deref().map(|text| time("notAfter", text)).transpose()?;
        self.check_not_before(&profile, not_before)?;
        self.validity(&profile, not_before, not_after)?;
        let account = signed.account.id();
        let id = self.acme.random(16)?;
        self.count("orders", account, self.acme.policy.orders_per_hour)?;
        if let Some(certificate) = &asked.replaces {
            self.replace(account, certificate, &identifiers, &id)?;
        }
        let mut authorizations = Vec::with_capacity(to_authorize.len());
        for (identifier, subdomains) in &to_authorize {
            let id = self.authorize(account, identifier, *subdomains)?;
            if !authorizations.contains(&id) {
                authorizations.push(id);
            }
        }
        let expires = self.now.saturating_add(self.order_lifetime());
        let order = Order {
            status: Status::Pending,
            expires: expires.0,
            identifiers,
            not_before: not_before.map(|time| time.0),
            not_after: not_after.map(|time| time.0),
            mtc: self.is_mtc(&profile),
            profile,
            profile_asked: asked.profile.is_some(),
            authorizations,
            replaces: asked.replaces,
            error: None,
            csr: None,
            claimed: None,
            certificate: None,
            serial: None,
        };
        let row = Row::new(&id, account, expires.saturating_add(KEPT), order);
        self.insert(&row)?;
        let reply = self.order_reply(&row)?;
        Ok(Reply { status: 201, ..reply })
    }

    /// The domain above an identifier whose authorization covers it, if the client can validate that and the server
    /// accepts it (RFC 9444 §4.1).
    fn ancestor(&self, identifier: &Identifier, new: &NewIdentifier) -> Result<Option<Identifier>, Problem> {
        let policy = &self.acme.policy;
        let Some(domain) = new.ancestor_domain.as_ref().filter(|_| policy.subdomains) else { return Ok(None) };
        let domain = Identifier { kind: "dns".to_owned(), value: domain.to_ascii_lowercase() };
        if identifier.kind != "dns" || !crate::policy::is_below(&identifier.value, &domain.value) {
            let what = "ancestorDomain is not a domain above the identifier (RFC 9444 §4.1)";
            return Err(Problem::malformed(what).about(&new.identifier));
        }
        let is_accepted = policy.is_covered(identifier, &domain.value) && policy.identifier(&domain).is_ok();
        Ok(is_accepted.then_some(domain))
    }

    /// Marks a certificate as replaced by an order (RFC 9773 §5).
    fn replace(&mut self, account: &str, certificate: &str, names: &[Identifier], order: &str) -> Result<(), Problem> {
        let record = self.certificate_of(certificate)?;
        let issued = self.get::<Issued>(&record.serial.to_string())?;
        if issued.is_none_or(|issued| issued.owner() != account) {
            return Err(Problem::unauthorized("the certificate to replace belongs to another account"));
        }
        let old = crate::revoke::identifiers(&record.der)?;
        if !old.iter().any(|old| names.contains(old)) {
            return Err(Problem::malformed(
                "the order and the certificate to replace have no common identifier (RFC 9773 §5)",
            ));
        }
        let replaced = Replaced { order: order.to_owned() };
        let expires = record.not_after.saturating_add(KEPT);
        if self.insert(&Row::new(certificate, account, expires, replaced.clone()))? {
            return Ok(());
        }
        let mut row = self.get::<Replaced>(certificate)?.ok_or_else(Problem::busy)?;
        if let Some(other) = self.get::<Order>(&row.value.order)?
            && self.order_status(&other)? != Status::Invalid
        {
            return Err(Problem::new(Kind::AlreadyReplaced, "another order replaces the certificate (RFC 9773 §5)"));
        }
        row.value = replaced;
        self.update(&mut row)
    }

    /// The status of an order now, which depends on its authorizations while it is pending.
    pub(crate) fn order_status(&mut self, row: &Row<Order>) -> Result<Status, Problem> {
        let order = &row.value;
        if order.status != Status::Pending {
            return Ok(order.status);
        }
        if order.expires < self.now.0 {
            return Ok(Status::Invalid);
        }
        let mut ready = true;
        for id in &order.authorizations {
            let found = self.get::<Authorization>(id)?;
            match found.map(|row| row.value.status_at(self.now)) {
                Some(Status::Valid) => {}
                Some(Status::Pending) => ready = false,
                _ => return Ok(Status::Invalid),
            }
        }
        Ok(if ready { Status::Ready } else { Status::Pending })
    }

    fn order_reply(&mut self, row: &Row<Order>) -> Result<Reply, Problem> {
        let status = self.order_status(row)?;
        let order = &row.value;
        let url = self.acme.to_url(&format!("order/{}", row.id()));
        let list: Vec<String> =
            order.authorizations.iter().map(|id| self.acme.to_url(&format!("authorization/{id}"))).collect();
        let mut json = json!({
            "status": status,
            "expires": UnixTime(order.expires).to_string(),
            "identifiers": order.identifiers,
            "authorizations": list,
            "finalize": format!("{url}/finalize"),
        });
        let mut add = |name: &str, value: Option<Value>| {
            if let (Some(object), Some(value)) = (json.as_object_mut(), value) {
                object.insert(name.to_owned(), value);
            }
        };
        let written = |time: i64| json!(UnixTime(time).to_string());
        add("notBefore", order.not_before.map(written));
        add("notAfter", order.not_after.map(written));
        add("profile", order.profile_asked.then(|| json!(order.profile)));
        add("replaces", order.replaces.as_ref().map(|replaces| json!(replaces)));
        add("error", order.error.clone());
        let serial = order.serial.as_ref().filter(|_| status == Status::Valid);
        add("certificate", serial.map(|serial| json!(self.acme.to_url(&format!("certificate/{serial}")))));
        let reply = Reply::json(200, &json).header("location", url);
        Ok(if status == Status::Processing { reply.header("retry-after", "2") } else { reply })
    }

    /// An account's own order.
    fn own_order(&mut self, path: &str, id: &str, body: &[u8]) -> Result<(Signed, Row<Order>), Problem> {
        let signed = self.signed(path, body)?;
        let row = self.get::<Order>(id)?.ok_or_else(|| Problem::not_found("order"))?;
        signed.owns(&row)?;
        Ok((signed, row))
    }

    /// Returns an order.
    pub(crate) fn order(&mut self, path: &str, id: &str, body: &[u8]) -> Result<Reply, Problem> {
        let (signed, mut row) = self.own_order(path, id, body)?;
        signed.reads()?;
        let claimed = row.value.claimed.unwrap_or_default();
        if row.value.status == Status::Processing && self.now.0.saturating_sub(claimed) > ABANDONED {
            // The node that began to issue has stopped.
            row.value.claimed = Some(self.now.0);
            self.update(&mut row)?;
            if let Err(problem) = self.resume_issue(&mut row, &signed.account) {
                if problem.internal.is_some() || problem.status() == 503 {
                    return Err(problem);
                }
                self.fail(&mut row, &problem)?;
            }
        }
        self.order_reply(&row)
    }

    /// Marks an order as invalid.
    fn fail(&mut self, row: &mut Row<Order>, problem: &Problem) -> Result<(), Problem> {
        row.value.status = Status::Invalid;
        row.value.error = Some(problem.to_json());
        self.update(row)
    }

    /// Issues the certificate of an order (RFC 8555 §7.4).
    pub(crate) fn finalize(&mut self, path: &str, id: &str, body: &[u8]) -> Result<Reply, Problem> {
        let (signed, mut row) = self.own_order(path, id, body)?;
        let asked: Finalize = signed.payload()?;
        let status = self.order_status(&row)?;
        if status != Status::Ready {
            let name = serde_json::to_value(status).ok();
            let name = name.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
            return Err(Problem::new(
                Kind::OrderNotReady,
                format!("the order is {name}, expected ready (RFC 8555 §7.4)"),
            ));
        }
        if let Err(problem) = self.check_order(&signed.account, &row.value) {
            if problem.internal.is_none() {
                self.fail(&mut row, &problem)?;
            }
            return Err(problem);
        }
        let bad = || Problem::new(Kind::BadCsr, "the CSR is not base64url without padding (RFC 8555 §7.4)");
        let csr = jwk::from_base64url(&asked.csr).ok_or_else(bad)?;
        let info = crate::service::account_key(&signed.account)?;
        // What is wrong with the request is found before the order changes.
        let prepared = self.prepare(&row.value, csr.expose(), &info)?;
        row.value.status = Status::Processing;
        row.value.csr = Some(asked.csr);
        row.value.claimed = Some(self.now.0);
        self.update(&mut row)?;
        self.issue(&mut row, prepared)?;
        self.order_reply(&row)
    }

    /// Returns a certificate with one of its chains (RFC 8555 §7.4.2).
    pub(crate) fn certificate(
        &mut self,
        path: &str,
        serial: &str,
        form: Form,
        accept: Option<&[u8]>,
        body: &[u8],
    ) -> Result<Reply, Problem> {
        let signed = self.signed(path, body)?;
        signed.reads()?;
        let missing = || Problem::not_found("certificate");
        let issued = self.get::<Issued>(serial)?.ok_or_else(missing)?;
        signed.owns(&issued)?;
        let number = serial.parse().map_err(|_| missing())?;
        let record = self.store.certificate(self.acme.authority.id(), &number)?.ok_or_else(missing)?;
        let is_mtc = self.get::<Order>(&issued.value.order)?.is_some_and(|order| order.value.mtc);
        let chain = match form {
            Form::Ordered | Form::Landmark if is_mtc => {
                return self.log_certificate(&number, form == Form::Landmark, accept);
            }
            Form::Ordered => 0,
            Form::Chain(chain) if !is_mtc => chain,
            _ => return Err(missing()),
        };
        let above = self.acme.chains.get(chain).ok_or_else(missing)?;
        let mut text = String::new();
        for der in std::iter::once(&record.der).chain(above) {
            text += &pem::encode(label::CERTIFICATE, der).map_err(Problem::internal)?;
        }
        let mut reply = Reply::new("application/pem-certificate-chain", text.into_bytes());
        for other in (0..self.acme.chains.len()).filter(|other| *other != chain) {
            let url = self.acme.to_url(&format!("certificate/{serial}/{other}"));
            reply = reply.header("link", format!("<{url}>;rel=\"alternate\""));
        }
        Ok(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_may_have_an_offset() {
        assert_eq!(time("t", "1970-01-02T01:30:01+01:30").unwrap(), UnixTime(86_401));
        assert_eq!(time("t", "1970-01-01T19:00:01-05:00").unwrap(), UnixTime(86_401));
        assert_eq!(time("t", "1970-01-02T00:00:01.000-00:00").unwrap(), UnixTime(86_401));
        assert_eq!(time("t", "1970-01-02T00:00:01Z").unwrap(), UnixTime(86_401));
        assert_eq!(time("t", "1970-01-02t00:00:01z").unwrap(), UnixTime(86_401));
        for text in [
            "1970-01-02t00:00:01.500z",
            "1970-01-02T00:00:01",
            "1970-01-02T00:00:01+24:00",
            "1970-01-02T00:00:01+01:60",
            "1970-01-02T00:00:01+0100",
            "1970-01-02T00:00:01 01:00",
            "+01:00",
            "1970-13-02T00:00:01Z",
            "19700102000001Z",
            "",
            "Z",
        ] {
            assert!(time("t", text).is_err(), "{text}");
        }
    }
}
