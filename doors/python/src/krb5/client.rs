//! A client for initial tickets, service tickets and passwords. Calls block, while other threads continue to run.

use std::sync::Arc;

use pyo3::prelude::*;
use tagwise::crypto::{PrivateKey, Secret};
use tagwise::krb5::client::net::{Network, Service};
use tagwise::krb5::client::{
    AsExchange, AsOptions, Identity, Impersonation, KdcTrust, KdcUsage, Login, Moment, OneTimePassword, PasswordChange,
    Pkinit, PreauthMethod, TgsExchange, TgsOptions,
};
use tagwise::krb5::crypto::StringToKeyLimits;
use tagwise::krb5::flags::kdc;
use tagwise::krb5::{Environment, Principal as Name};
use tagwise::path::{Anchor, Anchors};

use super::config::Krb5Config;
use super::credential::Credential;
use super::keytab::Krb5Keytab;
use super::principal::{Principal, principal};
use super::reach::{Patience, with_network};
use super::{backend, enc_type, failure, secret, span};
use crate::errors;
use crate::key::PrivateKey as Held;

/// The requirements on a KDC's certificate: anchors, intermediates, extended key usage, host names, CRLs, and whether CRLs are required.
type Trust = (Vec<Vec<u8>>, Vec<Vec<u8>>, String, Vec<String>, Vec<Vec<u8>>, bool);
/// A certificate with its key and chain.
type Certified<'py> = (Bound<'py, Held>, Vec<u8>, Vec<Vec<u8>>);

/// The client's credentials, exactly one of which is set.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Proof<'py> {
    password: Option<Bound<'py, PyAny>>,
    keytab: Option<Bound<'py, Krb5Keytab>>,
    otp: Option<Bound<'py, PyAny>>,
    pin: Option<Bound<'py, PyAny>>,
    certified: Option<Certified<'py>>,
    trust: Option<Trust>,
}

/// A request for an initial ticket. Options that are None come from the configuration.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Asked<'py> {
    client: Bound<'py, PyAny>,
    service: Option<Bound<'py, PyAny>>,
    lifetime: Option<f64>,
    renewable: Option<f64>,
    postdate: Option<f64>,
    forwardable: Option<bool>,
    proxiable: Option<bool>,
    canonicalize: Option<bool>,
    anonymous: bool,
    enctypes: Option<Vec<Bound<'py, PyAny>>>,
    methods: Option<Vec<String>>,
    armor: Option<Bound<'py, Credential>>,
    max_iterations: u32,
    min_iterations: u32,
}

fn method(name: &str) -> PyResult<PreauthMethod> {
    Ok(match name {
        "spake" => PreauthMethod::Spake,
        "encrypted-challenge" => PreauthMethod::EncryptedChallenge,
        "encrypted-timestamp" => PreauthMethod::EncTimestamp,
        "otp" => PreauthMethod::Otp,
        "pkinit" => PreauthMethod::Pkinit,
        other => return Err(errors::argument(format!("unknown preauthentication method `{other}`"))),
    })
}

fn trust(py: Python<'_>, given: Trust) -> PyResult<KdcTrust> {
    let (anchors, intermediates, usage, host_names, crls, require_crls) = given;
    let anchor = |der: Vec<u8>| Anchor::from_certificate(der).map_err(|error| errors::decoding(py, &error));
    let anchors: Anchors = anchors.into_iter().map(anchor).collect::<PyResult<_>>()?;
    let usage = match usage.as_str() {
        "kpKDC" => KdcUsage::Kdc,
        "kpServerAuth" => KdcUsage::ServerAuth,
        "none" => KdcUsage::Any,
        other => return Err(errors::argument(format!("expected kpKDC, kpServerAuth or none, found {other}"))),
    };
    Ok(KdcTrust { intermediates, usage, host_names, crls, require_crls, ..KdcTrust::new(anchors) })
}

fn login(py: Python<'_>, proof: Proof<'_>) -> PyResult<Login> {
    if let Some(password) = &proof.password {
        return Ok(Login::Password(secret(password)?));
    }
    if let Some(keytab) = &proof.keytab {
        return Ok(Login::Keytab(keytab.get().copied(keytab.py())));
    }
    if let Some(value) = &proof.otp {
        let pin = proof.pin.as_ref().map(secret).transpose()?;
        return Ok(Login::OneTime(OneTimePassword { value: secret(value)?, pin }));
    }
    let given = proof.trust.ok_or_else(|| {
        errors::argument("expected a password, a keytab, a certificate, a one-time password or anonymous")
    })?;
    let identity = match proof.certified {
        Some((key, certificate, chain)) => {
            let key: Arc<dyn PrivateKey> = key.get().inner();
            Some(Identity::new(key, certificate, chain).map_err(|error| failure::crypto(py, &error))?)
        }
        None => None,
    };
    Ok(Login::Pkinit(Box::new(Pkinit::new(identity, trust(py, given)?))))
}

const fn limits(max_iterations: u32, min_iterations: u32) -> StringToKeyLimits {
    StringToKeyLimits { max_iterations, min_iterations }
}

fn initial(environment: &Environment, asked: &Asked<'_>) -> PyResult<AsOptions> {
    let client = principal(&asked.client, environment.config.default_realm())?;
    let home = String::from_utf8_lossy(client.realm()).into_owned();
    let mut options = environment.as_options(client.clone());
    options.service = asked.service.as_ref().map(|service| principal(service, Some(&home))).transpose()?;
    options.lifetime = asked.lifetime.map(span).transpose()?.unwrap_or(options.lifetime);
    if let Some(seconds) = asked.renewable {
        options.renewable = Some(span(seconds)?).filter(|span| !span.is_zero());
    }
    options.postdate = asked.postdate.map(span).transpose()?;
    for (number, wanted) in [
        (kdc::FORWARDABLE, asked.forwardable),
        (kdc::PROXIABLE, asked.proxiable),
        (kdc::CANONICALIZE, asked.canonicalize),
        (kdc::REQUEST_ANONYMOUS, Some(asked.anonymous || client.is_anonymous())),
    ] {
        if let Some(wanted) = wanted {
            options.options.retain(|one| *one != number);
            options.options.extend(wanted.then_some(number));
        }
    }
    if let Some(list) = &asked.enctypes {
        options.enc_types = list.iter().map(enc_type).collect::<PyResult<_>>()?;
    }
    if let Some(list) = &asked.methods {
        options.methods = list.iter().map(|name| method(name)).collect::<PyResult<_>>()?;
    }
    options.armor = asked.armor.as_ref().map(|armor| armor.get().0.clone());
    options.limits = limits(asked.max_iterations, asked.min_iterations);
    Ok(options)
}

/// Obtains an initial ticket.
#[pyfunction]
fn krb5_initial(
    py: Python<'_>,
    config: &Bound<'_, Krb5Config>,
    asked: Asked<'_>,
    proof: Proof<'_>,
    watcher: Option<Py<PyAny>>,
    patience: Patience,
) -> PyResult<Credential> {
    let (options, login) = (initial(&config.get().0, &asked)?, login(py, proof)?);
    got_initial(config, options, login, watcher, patience)
}

/// Returns the seconds by which the KDC's clock is ahead, from the initial ticket that it has just issued.
#[pyfunction]
fn krb5_clock_of(config: &Bound<'_, Krb5Config>, ticket: &Bound<'_, Credential>) -> i64 {
    config.get().0.clock_of(&ticket.get().0, Moment::now())
}

/// Runs an exchange for an initial ticket.
fn got_initial(
    config: &Bound<'_, Krb5Config>,
    options: AsOptions,
    login: Login,
    watcher: Option<Py<PyAny>>,
    patience: Patience,
) -> PyResult<Credential> {
    let py = config.py();
    let got = with_network(config, watcher, patience, move |network, waiting| {
        let mut begin = || AsExchange::new(backend(), options.clone(), login.clone());
        network.initial(&mut begin, &mut |event| waiting.tell(event))
    })?;
    got.map(Credential).map_err(|error| failure::client(py, error))
}

/// A request for a service ticket. Options that are None come from the configuration.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ServiceAsked<'py> {
    lifetime: Option<f64>,
    enctypes: Option<Vec<Bound<'py, PyAny>>>,
    user_to_user: Option<Vec<u8>>,
    to_self: Option<Bound<'py, PyAny>>,
    evidence: Option<Vec<u8>>,
    fast: bool,
    forwarded: bool,
    renew: bool,
    validate: bool,
    clock_offset: i64,
}

/// Obtains a service ticket with a ticket-granting ticket. Also returns the tickets for other realms that were obtained on the way.
#[pyfunction]
fn krb5_service_ticket(
    py: Python<'_>,
    config: &Bound<'_, Krb5Config>,
    tgt: &Bound<'_, Credential>,
    server: &Bound<'_, Principal>,
    asked: ServiceAsked<'_>,
    watcher: Option<Py<PyAny>>,
    patience: Patience,
) -> PyResult<(Credential, Vec<Credential>)> {
    let tgt = tgt.get().0.clone();
    let mut options = match asked.renew || asked.validate {
        true => TgsOptions::renewal(&tgt),
        false => config.get().0.tgs_options(server.get().0.clone()),
    };
    if asked.validate {
        options.options = vec![kdc::VALIDATE];
    } else if !asked.renew {
        options.inherit(&tgt);
    }
    if asked.forwarded {
        options.options = vec![kdc::FORWARDED, kdc::FORWARDABLE];
    }
    options.lifetime = asked.lifetime.map(span).transpose()?;
    if let Some(list) = &asked.enctypes {
        options.enc_types = list.iter().map(enc_type).collect::<PyResult<_>>()?;
    }
    options.ahead_seconds = asked.clock_offset;
    options.user_to_user = asked.user_to_user;
    options.fast = asked.fast;
    let home = String::from_utf8_lossy(tgt.client.realm()).into_owned();
    options.impersonation = match (&asked.to_self, asked.evidence) {
        (Some(user), None) => Some(Impersonation::ToSelf(principal(user, Some(&home))?)),
        (None, Some(ticket)) => Some(Impersonation::Proxy(ticket)),
        _ => None,
    };
    let (got, referrals) = with_network(config, watcher, patience, move |network, waiting| {
        let mut exchange = TgsExchange::new(backend(), options, tgt);
        let got = network.watch(&mut exchange, &mut |event| waiting.tell(event));
        (got, exchange.referrals().to_vec())
    })?;
    let got = got.map_err(|error| failure::client(py, error))?;
    Ok((Credential(got), referrals.into_iter().map(Credential).collect()))
}

/// Returns a service's principal. Its realm is the one in the name, or else that of its host, or else the client's.
#[pyfunction]
fn krb5_service(
    py: Python<'_>,
    config: &Bound<'_, Krb5Config>,
    service: &Bound<'_, PyAny>,
    realm: Option<&str>,
) -> PyResult<Principal> {
    let config = config.get();
    let realm = realm.or(config.0.config.default_realm());
    let parsed = principal(service, realm)?;
    let has_realm = service.cast::<Principal>().is_ok()
        || service.extract::<&str>().is_ok_and(|text| Name::parse(text, None).is_ok());
    if has_realm {
        return Ok(Principal(parsed));
    }
    let network = Network::new(&config.0.config, config.0.transport());
    network.in_realm_of_host(&parsed).map(Principal).map_err(|error| failure::client(py, error))
}

/// Changes a password with a ticket for `kadmin/changepw`. Returns the server's result code, the code's name, and the server's text.
#[pyfunction]
fn krb5_change_password(
    py: Python<'_>,
    config: &Bound<'_, Krb5Config>,
    ticket: &Bound<'_, Credential>,
    password: &Bound<'_, PyAny>,
    target: Option<&Bound<'_, Principal>>,
    patience: Patience,
) -> PyResult<(u16, &'static str, String)> {
    let (ticket, password): (_, Secret) = (&ticket.get().0, secret(password)?);
    let target = target.map(|target| &target.get().0);
    // The KDC has just issued the ticket.
    let now = Moment::now();
    let now = now.by_clock(config.get().0.clock_of(ticket, now));
    let request = PasswordChange::request(backend(), ticket, &password, target, now);
    let (exchange, message) = request.map_err(|error| failure::client(py, error))?;
    let realm = String::from_utf8_lossy(ticket.server.realm()).into_owned();
    let reply =
        with_network(config, None, patience, move |network, _| network.ask(&realm, Service::Kpasswd, &message, false))?;
    let result = reply.and_then(|reply| exchange.reply(&reply)).map_err(|error| failure::client(py, error))?;
    Ok((result.code, result.name(), result.text))
}

/// Obtains an initial ticket for the password-change service.
#[pyfunction]
fn krb5_password_ticket(
    config: &Bound<'_, Krb5Config>,
    client: &Bound<'_, PyAny>,
    password: &Bound<'_, PyAny>,
    armor: Option<&Bound<'_, Credential>>,
    iterations: (u32, u32),
    watcher: Option<Py<PyAny>>,
    patience: Patience,
) -> PyResult<Credential> {
    let environment = &config.get().0;
    let client = principal(client, environment.config.default_realm())?;
    let mut options = environment.password_options(client).map_err(failure::environment)?;
    options.armor = armor.map(|armor| armor.get().0.clone());
    options.limits = limits(iterations.0, iterations.1);
    got_initial(config, options, Login::Password(secret(password)?), watcher, patience)
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(krb5_initial, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_clock_of, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_service_ticket, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_service, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_password_ticket, module)?)?;
    module.add_function(wrap_pyfunction!(krb5_change_password, module)?)
}
