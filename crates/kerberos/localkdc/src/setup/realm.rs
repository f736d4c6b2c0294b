//! Creation of the database and its principals using MIT's programs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use data_encoding::BASE64URL_NOPAD;
use tagwise_krb5::{Keytab, Principal};
use zeroize::Zeroizing;

use super::{Layout, SetupError, database, manifest, programs};
use crate::policy::{Database, Policy, Seal};

/// The client principal of anonymous tickets (RFC 8062).
const ANONYMOUS: &str = "WELLKNOWN/ANONYMOUS";
/// Checks that MIT's database programs are installed.
pub(super) fn installed() -> Result<(), SetupError> {
    programs::find("kdb5_util", "krb5-kdc")?;
    programs::find("kadmin.local", "krb5-admin-server").map(|_| ())
}

fn command(layout: &Layout, name: &'static str, package: &'static str) -> Result<Command, SetupError> {
    let mut command = Command::new(programs::find(name, package)?);
    command.env("KRB5_CONFIG", layout.snippet()).env("KRB5_KDC_PROFILE", layout.kdc_conf());
    Ok(command)
}

/// Creates the database, unless it exists, and any missing principals.
pub(super) fn make(layout: &Layout, policy: &Policy, database: Database) -> Result<(), SetupError> {
    let realm = policy.realm.as_str();
    if !database::file(layout, database).exists() {
        // The master password need not be known: the stash contains the key.
        let backend = tagwise_crypto::backends::AwsLc::new();
        let password = password(&backend)?;
        let input = Zeroizing::new(format!("{}\n{}\n", *password, *password));
        let mut create = command(layout, "kdb5_util", "krb5-kdc")?;
        programs::run(create.args(["create", "-s", "-r", realm]), "kdb5_util", input.as_bytes())?;
    }
    let present: BTreeSet<String> = query(layout, realm, &["listprincs"])?
        .lines()
        .filter_map(|line| line.strip_suffix(&format!("@{realm}")))
        .map(str::to_owned)
        .collect();
    if !present.contains(ANONYMOUS) {
        query(layout, realm, &["addprinc", "-randkey", "-requires_preauth", ANONYMOUS])?;
    }
    for service in services(policy) {
        if !present.contains(&service) {
            query(layout, realm, &["addprinc", "-randkey", "-requires_preauth", &service])?;
        }
        let keytab = keytab(layout, policy, &service);
        if !has_keys(&keytab, &service, realm)? {
            let keytab = keytab.display().to_string();
            query(layout, realm, &["ktadd", "-k", &keytab, "-norandkey", &service])?;
        }
    }
    match seals(layout, policy) && layout.stash().exists() {
        true => crate::seal::seal(&layout.stash()).map_err(|error| {
            SetupError::Other(format!(
                "the master key cannot be sealed (keys.seal = \"none\" leaves it unsealed): {error}"
            ))
        }),
        false => Ok(()),
    }
}

/// Returns whether the master key is to be sealed on disk.
pub(super) fn seals(layout: &Layout, policy: &Policy) -> bool {
    match policy.keys.seal {
        Seal::Auto => layout.is_system() && crate::seal::is_installed(),
        Seal::Systemd => true,
        Seal::None => false,
    }
}

/// Returns the path of a service's keytab.
pub(super) fn keytab(layout: &Layout, policy: &Policy, service: &str) -> PathBuf {
    let named = policy.services.iter().find(|known| known.name == service);
    named.and_then(|known| known.keytab.clone()).unwrap_or_else(|| layout.keytab())
}

/// Returns the principal of a service.
pub(super) fn principal(service: &str, realm: &str) -> Result<Principal, SetupError> {
    Principal::parse(service, Some(realm)).map_err(|error| SetupError::Other(format!("{service}: {error}")))
}

/// Reads a keytab. A missing keytab yields no keys.
pub(super) fn read_keytab(path: &Path) -> Result<Keytab, SetupError> {
    let Some(bytes) = manifest::content(path)?.map(Zeroizing::new) else { return Ok(Keytab::default()) };
    Keytab::from_bytes(&bytes).map_err(|error| SetupError::Other(format!("{}: {error}", path.display())))
}

/// Returns whether a keytab contains keys of a service.
fn has_keys(keytab: &Path, service: &str, realm: &str) -> Result<bool, SetupError> {
    let principal = principal(service, realm)?;
    Ok(read_keytab(keytab)?.entries().iter().any(|entry| entry.principal == principal))
}

fn random(backend: &dyn tagwise_crypto::Backend) -> Result<Zeroizing<Vec<u8>>, SetupError> {
    // The private scalar of a fresh key is as random as can be.
    let key = backend.generate(tagwise_crypto::KeyType::Ed25519);
    let key = key.and_then(|key| key.to_pkcs8()).map_err(|error| SetupError::Other(error.to_string()))?;
    Ok(Zeroizing::new(key.expose().iter().rev().take(32).copied().collect()))
}

/// Generates a password from 256 random bits.
pub(super) fn password(backend: &dyn tagwise_crypto::Backend) -> Result<Zeroizing<String>, SetupError> {
    Ok(Zeroizing::new(BASE64URL_NOPAD.encode(&random(backend)?)))
}

/// Runs a kadmin.local query. Its arguments do not pass through a shell or a second parser.
pub(super) fn query(layout: &Layout, realm: &str, arguments: &[&str]) -> Result<String, SetupError> {
    query_with(layout, realm, arguments, b"")
}

/// Runs a kadmin.local query like `query`, and passes data on standard input that must not appear in the arguments.
pub(super) fn query_with(layout: &Layout, realm: &str, arguments: &[&str], input: &[u8]) -> Result<String, SetupError> {
    let mut local = command(layout, "kadmin.local", "krb5-admin-server")?;
    local.args(["-r", realm, "-p", &format!("localkdc@{realm}")]).args(arguments);
    programs::run(&mut local, "kadmin.local", input)
}

/// Returns the services in the database: this host's and the policy's.
pub(super) fn services(policy: &Policy) -> BTreeSet<String> {
    let mut services: BTreeSet<String> = policy.hosts.names.iter().map(|name| format!("host/{name}")).collect();
    // The keys of the machine's addresses.
    services.insert("host/localhost".to_owned());
    services.extend(policy.services.iter().map(|service| service.name.clone()));
    services
}
