//! `tagwise krb5 kpasswd`.

use std::io::Write;
use std::path::{Path, PathBuf};

use tagwise_crypto::Secret;
use tagwise_krb5::client::net::Service;
use tagwise_krb5::client::{AsExchange, AsOptions, Login, Moment, PasswordChange};
use tagwise_krb5::{Credential, Principal};
use tagwise_pkix::name::visible;

use super::environment::{Environment, granting, read_cache, refused};
use super::kinit::password;
use crate::shared::backend::EMBEDDED;
use crate::shared::output::Failure;
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise krb5 kpasswd alice@EXAMPLE.COM
  tagwise krb5 kpasswd --password-file old.txt --new-password-file new.txt alice@EXAMPLE.COM
  tagwise krb5 kpasswd -T FILE:host.cache alice@EXAMPLE.COM

Exit codes: 0 changed; 1 the KDC refused, or the new password was rejected; 2 usage error; 3 no server answered, or a file could not \
be read.";

#[derive(Debug, clap::Args)]
pub(crate) struct KpasswdArgs {
    /// Principal whose password to change [default: that of the credential cache]
    #[arg(value_name = "PRINCIPAL")]
    principal: Option<String>,
    /// Read the password from the first line of this file; `-` is standard input [default: prompt, or a line of standard input if that
    /// is not a terminal]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Read the new password from the first line of this file [default: prompt, twice]
    #[arg(long, value_name = "FILE")]
    new_password_file: Option<PathBuf>,
    /// Send the ticket requests through a FAST tunnel armored with the tickets of this cache
    #[arg(short = 'T', long, value_name = "NAME")]
    armor: Option<String>,
    /// Trace the exchange on standard error, one line per message
    #[arg(long)]
    trace: bool,
}

impl KpasswdArgs {
    pub(super) fn change(&self, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let environment = Environment::read()?;
        let client = match &self.principal {
            Some(text) => environment.principal(text)?,
            None => read_cache(&environment.cache(None)?)?.principal().clone(),
        };
        let armor = match &self.armor {
            Some(armor) => {
                let cache = environment.cache(Some(armor))?;
                Some(granting(&read_cache(&cache)?, &cache, Some(client.realm()))?)
            }
            None => None,
        };
        let old = password(&client, self.password_file.as_deref())?;
        let ticket = ticket(&environment, &client, old, armor, self.trace, err)?;
        let new = new_password(&client, self.new_password_file.as_deref())?;
        set(&environment, &client, &ticket, &new)?;
        writeln!(out, "Password changed.")?;
        Ok(0)
    }
}

/// Gets an initial ticket for the password-change service. Also returns the seconds by which the KDC's clock is ahead.
pub(super) fn ticket(
    environment: &Environment,
    client: &Principal,
    old: Secret,
    armor: Option<Credential>,
    trace: bool,
    err: &mut dyn Write,
) -> Result<(Credential, i64), Failure> {
    let options = AsOptions { armor, ..environment.password_options(client)? };
    let login = Login::Password(old);
    let mut begin = || AsExchange::new(EMBEDDED, options.clone(), login.clone());
    let ticket = environment.drive_initial(&mut begin, trace, err).map_err(|error| refused(client, &error))?;
    let ahead = environment.clock_of(&ticket);
    Ok((ticket, ahead))
}

/// Sets a new password, with a ticket and the seconds by which the KDC's clock is ahead.
pub(super) fn set(
    environment: &Environment,
    client: &Principal,
    (ticket, ahead): &(Credential, i64),
    new: &Secret,
) -> Result<(), Failure> {
    let request = PasswordChange::request(EMBEDDED, ticket, new, None, Moment::now().by_clock(*ahead));
    let (exchange, message) = request.map_err(|error| refused(client, &error))?;
    let realm = String::from_utf8_lossy(client.realm()).into_owned();
    let reply = environment.network().ask(&realm, Service::Kpasswd, &message, false);
    let result = reply.and_then(|reply| exchange.reply(&reply)).map_err(|error| refused(client, &error))?;
    match result.is_success() {
        true => Ok(()),
        false => {
            let told = visible(&result.text).to_string();
            Err(Failure::negative(format!("{}: {}: {told}", visible(client), result.name())))
        }
    }
}

/// Reads a new password from a file, or prompts for it twice.
pub(super) fn new_password(client: &Principal, file: Option<&Path>) -> Result<Secret, Failure> {
    let args = PassphraseArgs::named_by("--new-password-file", file).or_piped();
    let new = args.password(&format!("New password for {}: ", visible(client)))?;
    if file.is_none() && args.password("Repeat the new password: ")?.expose() != new.expose() {
        return Err(Failure::usage("the two passwords differ"));
    }
    if new.is_empty() {
        return Err(Failure::usage("the new password is empty"));
    }
    Ok(new)
}
