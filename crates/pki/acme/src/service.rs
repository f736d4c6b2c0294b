//! The server's state, and the parts that all requests share: nonces, signatures and documents.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tagwise_ca::{Authority, Documents, Error, Record, Records, Row};
use tagwise_crypto::{Backend, Signer as CaSigner};
use tagwise_keys::jwk;
use tagwise_pkix::UnixTime;

use crate::counters::Counters;
use crate::jws::{Jws, Signer};
use crate::policy::Policy;
use crate::problem::{Kind, Problem};
use crate::profile::{NamedProfile, offered_profiles};
use crate::records::{Account, Count, Nonce};
use crate::reply::{Reply, Report};

/// The lifetime of a nonce.
const NONCE: Duration = Duration::from_secs(3600);

pub(crate) const HOUR: Duration = Duration::from_secs(3600);

/// An ACME server for a CA, without its connections. It keeps all state in the CA's database, so that several servers
/// can share it.
#[derive(Clone)]
pub struct Acme {
    pub(crate) authority: Arc<Authority>,
    pub(crate) signer: Arc<dyn CaSigner>,
    pub(crate) backend: &'static dyn Backend,
    pub(crate) policy: Arc<Policy>,
    pub(crate) profiles: Arc<[NamedProfile]>,
    /// The chains above a certificate, each in DER, lowest first. The first is the default.
    pub(crate) chains: Arc<[Vec<Vec<u8>>]>,
    /// The URL, without a slash at the end.
    pub(crate) url: Arc<str>,
    pub(crate) counters: Arc<Counters>,
    /// The callback for a line about each issued certificate.
    pub(crate) report: Option<Arc<Report>>,
}

impl std::fmt::Debug for Acme {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Acme").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Acme {
    /// Creates a server for a CA. `url` is its URL for clients, without a slash at the end, unless the policy has another.
    ///
    /// # Errors
    /// The reason, if the key is not the CA's, the policy and the profiles do not agree, the policy requires a log that the
    /// CA does not have, or an alternate chain is not one of the CA.
    pub fn new(
        authority: Authority,
        signer: Arc<dyn CaSigner>,
        backend: &'static dyn Backend,
        policy: Policy,
        profiles: Vec<NamedProfile>,
        url: &str,
    ) -> Result<Self, String> {
        policy.check()?;
        authority.check_signer(&*signer).map_err(|error| error.to_string())?;
        if profiles.is_empty() {
            return Err("no certificate profile, expected at least one".to_owned());
        }
        for profile in &profiles {
            if let Some(what) = profile.definition.signs_for_ca() {
                let name = &profile.name;
                return Err(format!("the profile {name} is for signing {what}, which ACME cannot authorize"));
            }
        }
        let profiles = offered_profiles(&policy, &authority, profiles)?;
        let url = policy.url.clone().unwrap_or_else(|| url.to_owned());
        let mut chains = vec![vec![authority.certificate_der().to_vec()]];
        let now = std::time::SystemTime::now().into();
        chains.extend(crate::chain::alternate_chains(&policy, &authority, backend, now)?);
        Ok(Self {
            authority: Arc::new(authority),
            signer,
            backend,
            policy: Arc::new(policy),
            profiles: profiles.into(),
            chains: chains.into(),
            url: url.into(),
            counters: Arc::default(),
            report: None,
        })
    }

    /// Replaces the chains that clients receive after a certificate. Each begins with a certificate of the CA, in DER. The
    /// first is the default, and the others are alternates (RFC 8555 §7.4.2).
    #[must_use]
    pub fn with_chains(self, chains: Vec<Vec<Vec<u8>>>) -> Self {
        if chains.is_empty() { self } else { Self { chains: chains.into(), ..self } }
    }

    /// Sets the callback for a line about each issued certificate ([`describe`](tagwise_ca::describe)).
    #[must_use]
    pub fn with_issued(self, report: Arc<Report>) -> Self {
        Self { report: Some(report), ..self }
    }

    /// The directory's URL, which clients are configured with.
    #[must_use]
    pub fn directory_url(&self) -> String {
        self.to_url("directory")
    }

    /// The server's counters.
    #[must_use]
    pub const fn counters(&self) -> &Arc<Counters> {
        &self.counters
    }

    /// The URL of a path.
    pub(crate) fn to_url(&self, path: &str) -> String {
        format!("{}/{path}", self.url)
    }

    /// The path of a request below the server's URL. A proxy may have removed the front.
    pub(crate) fn path<'p>(&self, path: &'p str) -> &'p str {
        let front =
            self.url.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, front)| front);
        let path = path.strip_prefix('/').unwrap_or(path);
        let inner = path
            .strip_prefix(front)
            .and_then(|rest| if front.is_empty() { Some(rest) } else { rest.strip_prefix('/') });
        inner.unwrap_or(path)
    }

    /// The thumbprint of a key, a SubjectPublicKeyInfo in DER.
    pub(crate) fn thumbprint(&self, info: &[u8]) -> Result<String, Problem> {
        jwk::thumbprint(self.backend, info).map_err(Problem::internal)
    }

    /// A random identifier with 128 bits, or a token with 256.
    pub(crate) fn random(&self, len: usize) -> Result<String, Problem> {
        let mut octets = vec![0; len];
        self.backend.random(&mut octets).map_err(Problem::internal)?;
        Ok(jwk::base64url(&octets))
    }
}

/// A request in progress: the server, the database and the time.
pub(crate) struct Call<'a> {
    pub(crate) acme: &'a Acme,
    pub(crate) store: &'a mut dyn Documents,
    pub(crate) now: UnixTime,
}

/// A signed request whose account is known.
pub(crate) struct Signed {
    pub(crate) account: Row<Account>,
    pub(crate) jws: Jws,
}

impl Signed {
    /// The payload.
    pub(crate) fn payload<T: serde::de::DeserializeOwned>(&self) -> Result<T, Problem> {
        payload(&self.jws)
    }

    /// Checks that it is a POST-as-GET (RFC 8555 §6.3).
    pub(crate) fn reads(&self) -> Result<(), Problem> {
        if self.jws.payload.is_empty() {
            return Ok(());
        }
        Err(Problem::malformed("expected an empty payload, because the resource can only be read (RFC 8555 §6.3)"))
    }

    /// Checks that the account owns a document.
    pub(crate) fn owns<T: Record>(&self, row: &Row<T>) -> Result<(), Problem> {
        if row.owner() == self.account.id() {
            return Ok(());
        }
        Err(Problem::unauthorized("the resource belongs to another account"))
    }
}

/// The payload of a request.
pub(crate) fn payload<T: serde::de::DeserializeOwned>(jws: &Jws) -> Result<T, Problem> {
    serde_json::from_slice(&jws.payload).map_err(|error| {
        // What serde_json says may quote the payload.
        let what = if error.is_data() { "has a missing or wrong member" } else { "is malformed" };
        Problem::malformed(format!("the payload {what} at line {}, column {}", error.line(), error.column()))
    })
}

impl Call<'_> {
    pub(crate) fn get<T: Record>(&mut self, id: &str) -> Result<Option<Row<T>>, Problem> {
        Ok(self.records().get(id)?)
    }

    /// The documents of the CA.
    fn records(&mut self) -> Records<'_> {
        Records { store: self.store, authority: self.acme.authority.id() }
    }

    /// Inserts a document; returns whether it is new.
    pub(crate) fn insert<T: Record>(&mut self, row: &Row<T>) -> Result<bool, Problem> {
        Ok(self.records().insert(row)?)
    }

    /// Updates a document that no one else has changed.
    ///
    /// # Errors
    /// [`Problem::busy`] if someone else has.
    pub(crate) fn update<T: Record>(&mut self, row: &mut Row<T>) -> Result<(), Problem> {
        Ok(self.records().update(row)?)
    }

    /// Inserts or replaces a document.
    pub(crate) fn put<T: Record>(&mut self, new: Row<T>) -> Result<(), Problem> {
        Ok(self.records().put(new)?)
    }

    pub(crate) fn list<T: Record>(&mut self, owner: &str, after: &str, most: u32) -> Result<Vec<Row<T>>, Problem> {
        Ok(self.records().page(owner, after, most)?)
    }

    pub(crate) fn take<T: Record>(&mut self, id: &str) -> Result<Option<Row<T>>, Problem> {
        Ok(self.records().take(id)?)
    }

    /// Creates a nonce.
    pub(crate) fn nonce(&mut self) -> Result<String, Problem> {
        let nonce = self.acme.random(16)?;
        self.insert(&Row::new(&nonce, "", self.now.saturating_add(NONCE), Nonce {}))?;
        Ok(nonce)
    }

    /// Counts an event in the current hour.
    ///
    /// # Errors
    /// [`Kind::RateLimited`] if there are more than `most`.
    pub(crate) fn count(&mut self, what: &str, of: &str, most: u32) -> Result<(), Problem> {
        for _ in 0..8 {
            let mut row = self.counter(what, of)?;
            if row.value.count >= most {
                return Err(self.limited(what));
            }
            row.value.count = row.value.count.saturating_add(1);
            let done = match row.value.count {
                1 => self.records().insert(&row),
                _ => self.records().update(&mut row).map(|()| true),
            };
            match done {
                Ok(true) => return Ok(()),
                Ok(false) | Err(Error::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Problem::busy())
    }

    /// Checks a limit without counting.
    ///
    /// # Errors
    /// [`Kind::RateLimited`].
    pub(crate) fn check_count(&mut self, what: &str, of: &str, most: u32) -> Result<(), Problem> {
        if self.counter(what, of)?.value.count < most { Ok(()) } else { Err(self.limited(what)) }
    }

    fn counter(&mut self, what: &str, of: &str) -> Result<Row<Count>, Problem> {
        let hour = self.now.0.div_euclid(3600);
        let id = format!("{what}/{hour}/{of}");
        let found = self.get::<Count>(&id)?;
        Ok(found.unwrap_or_else(|| Row::new(&id, "", self.now.saturating_add(HOUR), Count { count: 0 })))
    }

    fn limited(&self, what: &str) -> Problem {
        let wait = 3600 - self.now.0.rem_euclid(3600);
        let problem = Problem::new(Kind::RateLimited, format!("too many {what} in this hour"));
        Problem { retry_after: u32::try_from(wait).ok(), ..problem }
    }

    /// Parses a request and checks its URL. The signature and the nonce are checked once the key is known.
    pub(crate) fn parse(&mut self, path: &str, body: &[u8]) -> Result<Jws, Problem> {
        let jws = Jws::parse(self.acme.backend, body)?;
        // RFC 8555 §6.4.
        if jws.url != self.acme.to_url(path) {
            return Err(Problem::unauthorized("the header url is not the URL of the request (RFC 8555 §6.4)"));
        }
        Ok(jws)
    }

    /// Verifies the signature, and then uses up the nonce.
    pub(crate) fn verify(&mut self, jws: &Jws, info: &[u8]) -> Result<(), Problem> {
        jws.verify(self.acme.backend, info)?;
        let bad = |what: &str| Problem::new(Kind::BadNonce, what);
        let nonce = jws.nonce.as_deref().ok_or_else(|| bad("the protected header has no nonce"))?;
        // RFC 8555 §6.5.1: base64url. Other text is not looked up.
        if nonce.len() > 64 || jwk::from_base64url(nonce).is_none() {
            return Err(bad("the nonce is not one of this server"));
        }
        match self.take::<Nonce>(nonce)? {
            Some(row) if row.expires() >= self.now => Ok(()),
            _ => Err(bad("the nonce is unknown, used or expired")),
        }
    }

    /// Authenticates a request by an account.
    pub(crate) fn signed(&mut self, path: &str, body: &[u8]) -> Result<Signed, Problem> {
        let jws = self.parse(path, body)?;
        let Signer::Identifier(kid) = &jws.signer else {
            return Err(Problem::malformed("this request requires kid, the account's URL (RFC 8555 §6.2)"));
        };
        let account = self.account(kid)?;
        self.verify(&jws, &account_key(&account)?)?;
        match account.value.status.inactive() {
            Some(problem) => Err(problem),
            None => Ok(Signed { account, jws }),
        }
    }

    /// The account with a URL.
    pub(crate) fn account(&mut self, url: &str) -> Result<Row<Account>, Problem> {
        let missing = || Problem::new(Kind::AccountDoesNotExist, "the account in kid does not exist");
        let front = self.acme.to_url("account/");
        let id = url.strip_prefix(front.as_str()).filter(|id| id.len() < 64).ok_or_else(missing)?;
        self.get::<Account>(id)?.ok_or_else(missing)
    }

    /// The contents of the directory (RFC 8555 §7.1.1).
    pub(crate) fn directory(&self) -> Reply {
        let url = |path: &str| Value::String(self.acme.to_url(path));
        let policy = &self.acme.policy;
        let mut meta = json!({ "externalAccountRequired": policy.external_account_required });
        let profiles: serde_json::Map<String, Value> = self
            .acme
            .profiles
            .iter()
            .map(|profile| (profile.name.clone(), Value::String(profile.description.clone())))
            .collect();
        if let Some(meta) = meta.as_object_mut() {
            let mut add = |name: &str, value: Value| meta.insert(name.to_owned(), value);
            add("profiles", Value::Object(profiles));
            if let Some(terms) = &policy.terms_of_service {
                add("termsOfService", Value::String(terms.clone()));
            }
            if let Some(website) = &policy.website {
                add("website", Value::String(website.clone()));
            }
            if policy.subdomains {
                add("subdomainAuthAllowed", Value::Bool(true));
            }
            if !policy.caa_identities.is_empty() {
                add("caaIdentities", json!(policy.caa_identities));
            }
        }
        let mut directory = json!({
            "newNonce": url("new-nonce"),
            "newAccount": url("new-account"),
            "newOrder": url("new-order"),
            "revokeCert": url("revoke-certificate"),
            "keyChange": url("key-change"),
            "renewalInfo": url("renewal-info"),
            "meta": meta,
        });
        if let Some(directory) = directory.as_object_mut().filter(|_| policy.preauthorization) {
            directory.insert("newAuthz".to_owned(), url("new-authorization"));
        }
        Reply::json(200, &directory)
    }
}

/// The public key of an account, a SubjectPublicKeyInfo in DER.
pub(crate) fn account_key(account: &Row<Account>) -> Result<Vec<u8>, Problem> {
    let key = jwk::from_base64url(&account.value.key);
    key.map(tagwise_crypto::Secret::into_public).ok_or_else(|| Problem::internal("the key of an account is malformed"))
}
