//! The KDC's database driver, which adds principals on demand to the underlying database.
//!
//! Each system user has a principal, but no key is stored for it. Such a principal cannot be a service, and its tickets require the
//! user's local password. `host/ADDRESS` has the keys of `host/localhost` as long as the address is assigned to the machine. None of
//! these entries are stored in the underlying database.

use std::cell::RefCell;
use std::ffi::CStr;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tagwise_krb5_plugin::kdb::{
    self, AsAudit, DbEntry, Delegation, DelegationFrom, Denial, Flags, Inner, IterFlags, Kdb, LockMode, MasterKey,
    PolicyVisitor, Replaced, Server, Settings, TgsPolicy, Visitor, attribute,
};
use tagwise_krb5_plugin::view::{Context, DbEntryRef, PrincipalRef};
use tagwise_krb5_plugin::{Error, Principal, Result, codes};
use tagwise_userdb::Error as UserdbError;

use super::below::Below;
use super::{refused, stash};
use crate::log::log;
use crate::policy::{Policy, Service};
use crate::users::{self, Lookups, Standing, Unanswered};

/// The value of the string attribute `otp` that makes the KDC check the password.
const OTP: &str = r#"[{"type":"localkdc","indicators":["localkdc"]}]"#;
/// The host whose keys are also used for the machine's addresses and names.
const HOST: &str = "localhost";

pub(crate) struct Local {
    below: Below,
    /// True to add principals on demand, which only a KDC does. Administrative programs see the stored entries, and may add a user.
    demand: bool,
    file: PathBuf,
    policy: RefCell<Policy>,
    lookups: Lookups,
}

fn failed(error: &dyn std::fmt::Display) -> Error {
    Error::new(codes::KRB5KRB_ERR_GENERIC, error.to_string())
}

/// Returns the error that tells a client about a temporary failure. The KDC's log contains the details.
fn unavailable(error: &dyn std::fmt::Display) -> Error {
    Error::new(codes::KRB5KDC_ERR_SVC_UNAVAILABLE, error.to_string())
}

impl Local {
    fn open(context: &Context<'_>, settings: &Settings<'_>, below: Below) -> Result<Self> {
        let demand = settings.server() == Server::Kdc;
        let file = PathBuf::from(settings.required(context, "policy")?);
        let policy = Policy::read(&file).map_err(|error| failed(&error))?;
        Ok(Self { below, demand, file, policy: RefCell::new(policy), lookups: Lookups::default() })
    }

    /// Returns the error for the calling program. Administrative programs receive the details.
    fn told(&self, error: Error) -> Error {
        if self.demand { unavailable(&error) } else { error }
    }

    /// Returns the entry for a system user. The entry of a locked account does not permit tickets.
    fn user(&self, name: PrincipalRef<'_>, user: &str) -> Result<Option<DbEntry>> {
        let policy = self.policy.borrow();
        let (users, asked) = (policy.users.clone(), user.to_owned());
        let found = self.lookups.get(user, move || {
            users::standing(&users, &asked).map_err(|error| match error {
                UserdbError::Time(_) => Unanswered::Slow,
                other => Unanswered::Failed(other.to_string()),
            })
        });
        let found = match found {
            // A hanging service does not lock out the host's own users.
            Err(error @ (Unanswered::Slow | Unanswered::Busy)) => match users::local_standing(&policy.users, user) {
                Ok(Some(found)) => Ok(found),
                _ => Err(error),
            },
            found => found,
        };
        let found =
            found.map_err(|error| unavailable(&format_args!("the user {user:?} cannot be looked up: {error}")))?;
        let mut attributes = attribute::REQUIRES_PRE_AUTH | attribute::DISALLOW_SVR;
        let (expires, password_expires) = match found {
            Standing::Unknown => return Ok(None),
            Standing::Principal { expires, password_expires } => (expires, password_expires),
            Standing::Locked => {
                attributes |= attribute::DISALLOW_ALL_TIX;
                (None, None)
            }
        };
        let mut entry = DbEntry::new(&name.to_principal())?;
        entry.set_attributes(attributes);
        entry.set_expiration(expires);
        entry.set_pw_expiration(password_expires);
        entry.set_max_life(Duration::from_secs(policy.tickets.max_life.into()));
        entry.set_max_renewable_life(Duration::from_secs(policy.tickets.max_renewable_life.into()));
        entry.set_string("otp", Some(OTP))?;
        Ok(Some(entry))
    }

    /// Checks that a ticket's client may still receive tickets. A client that cannot be looked up is denied for now.
    fn check_client(&self, context: &Context<'_>, client: PrincipalRef<'_>) -> Result<(), Denial> {
        // Clients of other realms, and the anonymous principal in its own, are not in this database.
        if client.realm() != self.policy.borrow().realm.as_str().as_bytes() {
            return Ok(());
        }
        let denied = |code: i32, status: &'static CStr| {
            let error = Error::new(code, format!("{client}: {}", status.to_string_lossy()));
            Err(Denial { status: status.into(), ..Denial::from(error) })
        };
        let entry = match self.get_principal(context, client, Flags::CLIENT) {
            Ok(Some(entry)) => entry,
            Ok(None) => return denied(codes::KRB5KDC_ERR_C_PRINCIPAL_UNKNOWN, c"CLIENT_NOT_FOUND"),
            Err(error) => return Err(Denial { status: c"CLIENT_LOOKUP_FAILED".into(), ..Denial::from(error) }),
        };
        let entry = entry.as_ref();
        if entry.attributes() & attribute::DISALLOW_ALL_TIX != 0 {
            return denied(codes::KRB5KDC_ERR_CLIENT_REVOKED, c"CLIENT_LOCKED_OUT");
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        if entry.expiration().is_some_and(|end| u64::try_from(end.0).unwrap_or(0) < now) {
            return denied(codes::KRB5KDC_ERR_NAME_EXP, c"CLIENT_EXPIRED");
        }
        Ok(())
    }

    /// Returns the entry for this machine, by its name or one of its addresses.
    fn host(&self, name: PrincipalRef<'_>, host: &str, flags: Flags) -> Result<Option<DbEntry>> {
        if !self.policy.borrow().hosts.addresses || !is_here(host)? {
            return Ok(None);
        }
        let template = Principal::new(name.name_type(), name.realm(), ["host", HOST]);
        let found = self.below.get_own(&template, flags).map_err(|error| self.told(error));
        let Some(mut entry) = found? else { return Ok(None) };
        entry.set_principal(&name.to_principal())?;
        Ok(Some(entry))
    }

    /// Returns whether the policy contains a service that satisfies a rule.
    fn allows(&self, name: PrincipalRef<'_>, rule: impl Fn(&Service) -> bool) -> bool {
        let policy = self.policy.borrow();
        name.realm() == policy.realm.as_str().as_bytes()
            && policy.services.iter().any(|service| is_named(name, &service.name) && rule(service))
    }
}

/// Returns whether a principal has this name, such as `HTTP/web.local`.
fn is_named(principal: PrincipalRef<'_>, name: &str) -> bool {
    principal.components().eq(name.split('/').map(str::as_bytes))
}

/// Returns whether a text is this machine's name or one of its current addresses.
fn is_here(host: &str) -> Result<bool> {
    let Ok(address) = host.parse::<IpAddr>() else {
        let name = nix::unistd::gethostname().map_err(|error| failed(&error))?;
        return Ok(name.to_str() == Some(host));
    };
    let interfaces = nix::ifaddrs::getifaddrs().map_err(|error| failed(&error))?;
    let mut addresses = interfaces.filter_map(|interface| interface.address).filter_map(|found| {
        let four = found.as_sockaddr_in().map(|found| IpAddr::from(found.ip()));
        four.or_else(|| found.as_sockaddr_in6().map(|found| IpAddr::from(found.ip())))
    });
    Ok(addresses.any(|found| found == address))
}

impl Kdb for Local {
    const REPLACED: Replaced = Replaced::FETCH_MASTER_KEY;

    fn init_module(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        Self::open(context, settings, Below::open(context, settings)?)
    }

    fn create(context: &Context<'_>, settings: &Settings<'_>) -> Result<Self> {
        Self::open(context, settings, Below::create(context, settings)?)
    }

    fn destroy(context: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        Below::destroy(context, settings)
    }

    fn inner(&self) -> Option<&Inner> {
        self.below.mit()
    }

    fn promote_db(&self, _: &Context<'_>, settings: &Settings<'_>) -> Result<()> {
        self.below.promote_db(settings)
    }

    fn lock(&self, _: &Context<'_>, mode: LockMode) -> Result<()> {
        self.below.lock(mode)
    }

    fn unlock(&self, _: &Context<'_>) -> Result<()> {
        self.below.unlock()
    }

    fn put_principal(&self, _: &Context<'_>, entry: DbEntryRef<'_>, db_args: &[&CStr]) -> Result<()> {
        self.below.put_principal(entry, db_args)
    }

    fn delete_principal(&self, _: &Context<'_>, name: PrincipalRef<'_>) -> Result<()> {
        self.below.delete_principal(name)
    }

    fn iterate(
        &self,
        _: &Context<'_>,
        match_entry: Option<&CStr>,
        flags: IterFlags,
        visitor: &mut Visitor<'_>,
    ) -> Result<()> {
        self.below.iterate(match_entry, flags, visitor)
    }

    fn create_policy(&self, _: &Context<'_>, policy: &kdb::Policy) -> Result<()> {
        self.below.create_policy(policy)
    }

    fn get_policy(&self, _: &Context<'_>, name: &CStr) -> Result<Option<kdb::Policy>> {
        self.below.get_policy(name)
    }

    fn put_policy(&self, _: &Context<'_>, policy: &kdb::Policy) -> Result<()> {
        self.below.put_policy(policy)
    }

    fn iter_policy(&self, _: &Context<'_>, match_entry: Option<&CStr>, visitor: &mut PolicyVisitor<'_>) -> Result<()> {
        self.below.iter_policy(match_entry, visitor)
    }

    fn delete_policy(&self, _: &Context<'_>, name: &CStr) -> Result<()> {
        self.below.delete_policy(name)
    }

    fn get_principal(&self, _: &Context<'_>, name: PrincipalRef<'_>, flags: Flags) -> Result<Option<DbEntry>> {
        if let Some(mut entry) = self.below.get_principal(name, flags).map_err(|error| self.told(error))? {
            if self.allows(name, |service| service.protocol_transition) {
                let attributes = entry.as_ref().attributes();
                entry.set_attributes(attributes | attribute::OK_TO_AUTH_AS_DELEGATE);
            }
            return Ok(Some(entry));
        }
        if !self.demand || name.realm() != self.policy.borrow().realm.as_str().as_bytes() {
            return Ok(None);
        }
        let components: Option<Vec<&str>> =
            name.components().map(|component| std::str::from_utf8(component).ok()).collect();
        match components.as_deref() {
            Some([user]) => self.user(name, user),
            Some(["host", host]) => self.host(name, host, flags),
            _ => Ok(None),
        }
    }

    fn fetch_master_key(
        &self,
        _: &Context<'_>,
        mname: PrincipalRef<'_>,
        kvno: Option<u32>,
        db_args: Option<&CStr>,
    ) -> Result<MasterKey> {
        stash::master_key(mname, kvno, db_args)
    }

    /// Does nothing. The password check limits guessing, and a success must not add the user to the database.
    fn audit_as_req(&self, _: &Context<'_>, _: &AsAudit<'_>) {}

    /// Denies tickets, including renewals, to users who were removed or locked since their ticket was issued.
    fn check_policy_tgs(&self, context: &Context<'_>, check: &TgsPolicy<'_>) -> Result<(), Denial> {
        if let Some(client) = check.ticket.part().and_then(|part| part.client())
            && let Err(denial) = self.check_client(context, client)
        {
            refused::keep(check.request.nonce(), client.to_string());
            return Err(denial);
        }
        self.below.mit().map_or(Ok(()), |inner| inner.check_policy_tgs(check))
    }

    fn check_allowed_to_delegate(&self, context: &Context<'_>, delegation: &Delegation<'_>) -> Result<()> {
        if let Some(client) = delegation.client {
            self.check_client(context, client).map_err(|denial| denial.error)?;
        }
        let allowed = delegation.server.principal().is_some_and(|server| {
            self.allows(server, |service| match delegation.proxy {
                Some(proxy) => {
                    proxy.realm() == server.realm() && service.delegates_to.iter().any(|name| is_named(proxy, name))
                }
                None => !service.delegates_to.is_empty(),
            })
        });
        if allowed { Ok(()) } else { Err(Error::from(codes::KRB5KDC_ERR_BADOPTION)) }
    }

    fn allowed_to_delegate_from(&self, context: &Context<'_>, delegation: &DelegationFrom<'_>) -> Result<()> {
        self.check_client(context, delegation.client).map_err(|denial| denial.error)?;
        let server = delegation.server;
        let allowed = delegation.proxy.principal().is_some_and(|proxy| {
            proxy.realm() == server.realm()
                && self.allows(proxy, |service| service.accepts_from.iter().any(|name| is_named(server, name)))
        });
        if allowed { Ok(()) } else { Err(Error::from(codes::KRB5KDC_ERR_BADOPTION)) }
    }

    /// Reloads the policy. If it cannot be read, the current policy remains in effect.
    fn refresh_config(&self, _: &Context<'_>) {
        match Policy::read(&self.file) {
            Ok(policy) if policy.realm == self.policy.borrow().realm => drop(self.policy.replace(policy)),
            Ok(_) => log!("localkdc: {}: the realm cannot change while the KDC runs", self.file.display()),
            Err(error) => log!("localkdc: the policy was not reloaded: {error}"),
        }
        if let Some(inner) = self.below.mit() {
            inner.refresh_config();
        }
    }
}
