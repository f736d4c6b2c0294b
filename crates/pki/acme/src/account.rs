//! Accounts (RFC 8555 §7.3).

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tagwise_ca::{Error, Row};
use tagwise_keys::jwk;
use tagwise_pkix::UnixTime;

use crate::jws::{Jws, Signer, public_key};
use crate::problem::{Kind, Problem};
use crate::records::{Account, External, Key, Order, Status};
use crate::reply::Reply;
use crate::service::{Call, account_key, payload};

/// The maximum number of contacts of an account.
const CONTACTS: usize = 10;

/// The number of orders in a page of the list.
const PAGE: u32 = 100;

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct NewAccount {
    contact: Vec<String>,
    terms_of_service_agreed: bool,
    only_return_existing: bool,
    external_account_binding: Option<Value>,
}

#[derive(Deserialize)]
struct Update {
    contact: Option<Vec<String>>,
    status: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyChange<'t> {
    account: String,
    #[serde(borrow)]
    old_key: &'t RawValue,
}

/// Checks contact URLs (RFC 8555 §7.3).
fn check_contacts(contacts: &[String]) -> Result<(), Problem> {
    if contacts.len() > CONTACTS {
        let what = format!("the account has {} contacts, expected at most {CONTACTS}", contacts.len());
        return Err(Problem::new(Kind::InvalidContact, what));
    }
    for contact in contacts {
        let Some(address) = contact.strip_prefix("mailto:") else {
            let what = "unsupported scheme of a contact URL, expected mailto";
            return Err(Problem::new(Kind::UnsupportedContact, what));
        };
        // RFC 8555 §7.3: neither header fields nor several addresses. AltName refuses commas.
        if address.contains('?') || address.len() > 254 || tagwise_ca::AltName::email(address).is_err() {
            let what = "a mailto contact must be a single email address without header fields (RFC 8555 §7.3)";
            return Err(Problem::new(Kind::InvalidContact, what));
        }
    }
    Ok(())
}

impl Call<'_> {
    fn account_reply(&self, status: u16, account: &Row<Account>) -> Reply {
        let Account { status: state, contact, terms_agreed, external, .. } = &account.value;
        let url = self.acme.to_url(&format!("account/{}", account.id()));
        let mut value = json!({ "status": state, "contact": contact, "orders": format!("{url}/orders") });
        if let Some(object) = value.as_object_mut() {
            if *terms_agreed {
                object.insert("termsOfServiceAgreed".to_owned(), Value::Bool(true));
            }
            if let Some(binding) = external {
                object.insert("externalAccountBinding".to_owned(), binding.clone());
            }
        }
        Reply::json(status, &value).header("location", url)
    }

    /// The account of a key. A row that a change of keys left behind does not count.
    fn account_of(&mut self, thumbprint: &str, info: &[u8]) -> Result<Option<Row<Account>>, Problem> {
        let Some(key) = self.get::<Key>(thumbprint)? else { return Ok(None) };
        let account = self.get::<Account>(&key.value.account)?;
        let Some(account) = account.filter(|account| account.value.key == jwk::base64url(info)) else {
            self.take::<Key>(thumbprint)?;
            return Ok(None);
        };
        Ok(Some(account))
    }

    /// Refuses a key for an account if a certificate for it was revoked because the key is compromised: its finder could use the account.
    fn check_compromise(&mut self, info: &[u8]) -> Result<(), Problem> {
        self.acme.authority.check_compromise(self.store, info).map_err(|error| match error {
            error @ Error::Refused { .. } => Problem::new(Kind::BadPublicKey, error.to_string()),
            error => error.into(),
        })
    }

    /// Creates an account, or returns an existing one (RFC 8555 §7.3, §7.3.1).
    pub(crate) fn new_account(&mut self, body: &[u8]) -> Result<Reply, Problem> {
        let jws = self.parse("new-account", body)?;
        let Signer::Key(info) = &jws.signer else {
            return Err(Problem::malformed("newAccount requires jwk in the protected header (RFC 8555 §7.3)"));
        };
        self.verify(&jws, info)?;
        let asked: NewAccount = payload(&jws)?;
        let thumbprint = self.acme.thumbprint(info)?;
        if let Some(account) = self.account_of(&thumbprint, info)? {
            // RFC 8555 §7.3.6.
            return match account.value.status.inactive() {
                Some(problem) => Err(problem),
                None => Ok(self.account_reply(200, &account)),
            };
        }
        if asked.only_return_existing {
            return Err(Problem::new(Kind::AccountDoesNotExist, "no account has this key"));
        }
        self.check_compromise(info)?;
        check_contacts(&asked.contact)?;
        let policy = &self.acme.policy;
        if policy.terms_of_service.is_some() && !asked.terms_of_service_agreed {
            let what = "the terms of service must be agreed to: termsOfServiceAgreed must be true (RFC 8555 §7.3.3)";
            return Err(Problem::new(Kind::UserActionRequired, what));
        }
        if policy.external_account_required && asked.external_account_binding.is_none() {
            let what = "a new account requires an external account binding; the CA's operator issues its key";
            return Err(Problem::new(Kind::ExternalAccountRequired, what));
        }
        self.count("new accounts", "", policy.accounts_per_hour)?;
        let id = self.acme.random(16)?;
        if let Some(binding) = &asked.external_account_binding {
            self.bind(binding, info, &id)?;
        }
        let account = Account {
            status: Status::Valid,
            key: jwk::base64url(info),
            contact: asked.contact,
            terms_agreed: asked.terms_of_service_agreed,
            external: asked.external_account_binding,
        };
        let account = Row::new(&id, "", UnixTime::MAX, account);
        self.insert(&account)?;
        // The row of the key decides between two requests at the same time. The other account is never used.
        if !self.insert(&Row::new(&thumbprint, &id, UnixTime::MAX, Key { account: id.clone() }))? {
            self.take::<Account>(&id)?;
            return match self.account_of(&thumbprint, info)? {
                Some(account) => Ok(self.account_reply(200, &account)),
                None => Err(Problem::busy()),
            };
        }
        Ok(self.account_reply(201, &account))
    }

    /// Verifies an external account binding, and uses up its key (RFC 8555 §7.3.4).
    fn bind(&mut self, binding: &Value, info: &[u8], account: &str) -> Result<(), Problem> {
        let jws = Jws::parse(self.acme.backend, binding.to_string().as_bytes())?;
        let Signer::Identifier(kid) = &jws.signer else {
            return Err(Problem::malformed("the external account binding requires kid (RFC 8555 §7.3.4)"));
        };
        if jws.nonce.is_some() || jws.url != self.acme.to_url("new-account") {
            let what = "the external account binding must have the URL of newAccount and no nonce (RFC 8555 §7.3.4)";
            return Err(Problem::malformed(what));
        }
        let unknown =
            || Problem::unauthorized("the key of the external account binding is unknown or was already used");
        let mut row = self.get::<External>(kid)?.ok_or_else(unknown)?;
        let key =
            jwk::from_base64url(&row.value.key).ok_or_else(|| Problem::internal("a binding's key is malformed"))?;
        jws.verify_mac(self.acme.backend, key.expose())?;
        let text = core::str::from_utf8(&jws.payload)
            .map_err(|_| Problem::malformed("the payload of the external account binding is not a JWK"))?;
        if public_key(self.acme.backend, text)? != info {
            return Err(Problem::malformed("the external account binding is for another key (RFC 8555 §7.3.4)"));
        }
        if row.value.account.is_some() {
            return Err(unknown());
        }
        row.value.account = Some(account.to_owned());
        self.update(&mut row)
    }

    /// Returns, updates or deactivates an account (RFC 8555 §7.3.2, §7.3.6).
    pub(crate) fn change_account(&mut self, path: &str, id: &str, body: &[u8]) -> Result<Reply, Problem> {
        let mut signed = self.signed(path, body)?;
        if signed.account.id() != id {
            return Err(Problem::unauthorized("this is another account"));
        }
        if !signed.jws.payload.is_empty() {
            let asked: Update = signed.payload()?;
            let account = &mut signed.account;
            match asked.status {
                None | Some(Status::Valid) => {}
                Some(Status::Deactivated) => account.value.status = Status::Deactivated,
                Some(_) => return Err(Problem::malformed("the status can only become deactivated (RFC 8555 §7.3.6)")),
            }
            if let Some(contact) = asked.contact {
                check_contacts(&contact)?;
                account.value.contact = contact;
            }
            self.update(account)?;
        }
        Ok(self.account_reply(200, &signed.account))
    }

    /// The list of an account's orders (RFC 8555 §7.1.2.1), in pages.
    pub(crate) fn orders(&mut self, path: &str, id: &str, after: &str, body: &[u8]) -> Result<Reply, Problem> {
        let signed = self.signed(path, body)?;
        signed.reads()?;
        if signed.account.id() != id {
            return Err(Problem::unauthorized("this is another account"));
        }
        let list = self.list::<Order>(id, after, PAGE)?;
        let urls: Vec<String> = list.iter().map(|row| self.acme.to_url(&format!("order/{}", row.id()))).collect();
        let mut reply = Reply::json(200, &json!({ "orders": urls }));
        if let Some(last) = list.last().filter(|_| u32::try_from(list.len()) == Ok(PAGE)) {
            let next = self.acme.to_url(&format!("account/{id}/orders/{}", last.id()));
            reply = reply.header("link", format!("<{next}>;rel=\"next\""));
        }
        Ok(reply)
    }

    /// Replaces an account's key (RFC 8555 §7.3.5).
    pub(crate) fn key_change(&mut self, body: &[u8]) -> Result<Reply, Problem> {
        let mut signed = self.signed("key-change", body)?;
        let inner = Jws::parse(self.acme.backend, &signed.jws.payload)?;
        let Signer::Key(new) = &inner.signer else {
            return Err(Problem::malformed("the inner JWS requires jwk, the new key (RFC 8555 §7.3.5)"));
        };
        inner.verify(self.acme.backend, new)?;
        if inner.nonce.is_some() || inner.url != signed.jws.url {
            let what = "the inner JWS must have the URL of the outer one and no nonce (RFC 8555 §7.3.5)";
            return Err(Problem::malformed(what));
        }
        let change: KeyChange<'_> = serde_json::from_slice(&inner.payload)
            .map_err(|_| Problem::malformed("the inner payload must have account and oldKey (RFC 8555 §7.3.5)"))?;
        let url = self.acme.to_url(&format!("account/{}", signed.account.id()));
        let old = account_key(&signed.account)?;
        if change.account != url || public_key(self.acme.backend, change.old_key.get())? != old {
            return Err(Problem::malformed("the account or the old key is not that of the request (RFC 8555 §7.3.5)"));
        }
        if *new == old {
            return Err(Problem::malformed("the new key is the account's present key (RFC 8555 §7.3.5)"));
        }
        self.check_compromise(new)?;
        let conflict = |id: &str| {
            let problem = Problem::malformed("another account has the new key (RFC 8555 §7.3.5)").with_status(409);
            Problem { location: Some(self.acme.to_url(&format!("account/{id}"))), ..problem }
        };
        let thumbprint = self.acme.thumbprint(new)?;
        let other = self.account_of(&thumbprint, new)?;
        if let Some(other) = other {
            return Err(conflict(other.id()));
        }
        let id = signed.account.id().to_owned();
        if !self.insert(&Row::new(&thumbprint, &id, UnixTime::MAX, Key { account: id.clone() }))? {
            return Err(Problem::busy());
        }
        signed.account.value.key = jwk::base64url(new);
        if let Err(problem) = self.update(&mut signed.account) {
            self.take::<Key>(&thumbprint)?;
            return Err(problem);
        }
        let old = self.acme.thumbprint(&old)?;
        self.take::<Key>(&old)?;
        Ok(self.account_reply(200, &signed.account))
    }
}
