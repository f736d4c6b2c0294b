//! `tagwise krb5 kinit`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use tagwise_crypto::Secret;
use tagwise_krb5::cache::Cache;
use tagwise_krb5::client::{AsExchange, AsOptions, ClientError, Login, OneTimePassword, TgsExchange, TgsOptions};
use tagwise_krb5::conf::parse_duration;
use tagwise_krb5::flags::kdc;
use tagwise_krb5::numbers::{error, pa};
use tagwise_krb5::show::{self, View};
use tagwise_krb5::{Ccache, Credential, Keytab, Principal};
use tagwise_pkix::name::visible;
use tagwise_show::tree::Value;

use super::environment::{Environment, granting, read_cache, read_keytab, refused, shown_name, unusable, write_cache};
use super::pkinit::Attributes;
use super::{kpasswd, output};
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::output::Failure;
use crate::shared::passphrase::PassphraseArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise krb5 kinit alice@EXAMPLE.COM
  tagwise krb5 kinit --password-file secret.txt -c FILE:alice.cache alice@EXAMPLE.COM
  tagwise krb5 kinit -k -t /etc/krb5.keytab host/www.example.com@EXAMPLE.COM
  tagwise krb5 kinit -T FILE:host.cache alice@EXAMPLE.COM   everything in a FAST tunnel
  tagwise krb5 kinit -T FILE:host.cache --otp-file token.txt alice@EXAMPLE.COM
  tagwise krb5 kinit -X X509_user_identity=FILE:alice.pem,alice.key -X X509_anchors=FILE:ca.pem alice@EXAMPLE.COM
  tagwise krb5 kinit -n @EXAMPLE.COM                        anonymous; the KDC's certificate is checked
  tagwise krb5 kinit --anonymous-armor --otp-file token.txt alice@EXAMPLE.COM
  tagwise krb5 kinit -R                                     renew
  tagwise krb5 kinit --trace alice@EXAMPLE.COM

A cache file is written atomically, and is readable by its owner only. In a collection (DIR, KCM, KEYRING), the tickets are stored in \
the client's cache or a new one, which becomes the primary cache. Durations are written as 10h, 1d12h, 08:00 or 3600 (seconds).
Exit codes: 0 got a ticket; 1 the KDC refused, or the password is wrong; 2 usage error; 3 no KDC answered, or a file could not be
read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct KinitArgs {
    /// Client principal [default: that of the cache; with -k, the first in the keytab]
    #[arg(value_name = "PRINCIPAL")]
    principal: Option<String>,
    /// Write to this credential cache, such as FILE:PATH [default: that of KRB5CCNAME or the configuration, or /tmp/krb5cc_UID]
    #[arg(short = 'c', long, value_name = "NAME")]
    cache: Option<String>,
    /// Use a key from a keytab
    #[arg(short = 'k', long, conflicts_with = "password_file")]
    use_keytab: bool,
    /// Use this keytab [default: that of KRB5_KTNAME or the configuration, or /etc/krb5.keytab]
    #[arg(short = 't', long, value_name = "NAME", requires = "use_keytab")]
    keytab: Option<String>,
    /// Read the password from the first line of this file; `-` is standard input [default: prompt, or a line of standard input if that
    /// is not a terminal]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Read a one-time password from the first line of this file; `-` is standard input
    #[arg(long, value_name = "FILE", requires = "tunnel", conflicts_with_all = ["use_keytab", "password_file"])]
    otp_file: Option<PathBuf>,
    /// Lifetime of the ticket [default: ticket_lifetime, or 24h]
    #[arg(short = 'l', long, value_name = "TIME", value_parser = lifetime)]
    lifetime: Option<Duration>,
    /// Request a ticket that is renewable for this time [default: renew_lifetime]
    #[arg(short = 'r', long, value_name = "TIME", value_parser = duration)]
    renewable: Option<Duration>,
    /// Request a postdated ticket that becomes valid after this time
    #[arg(short = 's', long, value_name = "TIME", value_parser = duration)]
    start: Option<Duration>,
    /// Request a forwardable ticket
    #[arg(short = 'f', long, conflicts_with = "not_forwardable")]
    forwardable: bool,
    /// Request a ticket that is not forwardable
    #[arg(short = 'F', long)]
    not_forwardable: bool,
    /// Request a proxiable ticket
    #[arg(short = 'p', long)]
    proxiable: bool,
    /// Let the KDC canonicalize the principal's name
    #[arg(short = 'C', long)]
    canonicalize: bool,
    /// The principal is an enterprise name, such as user@mail.example
    #[arg(short = 'E', long)]
    enterprise: bool,
    /// Request a ticket for this service instead of the ticket-granting service
    #[arg(short = 'S', long, value_name = "SERVICE")]
    service: Option<String>,
    /// Send everything through a FAST tunnel armored with the tickets of this cache
    #[arg(short = 'T', long, value_name = "NAME", group = "tunnel")]
    armor: Option<String>,
    /// Send everything through a FAST tunnel armored with an anonymous ticket, which is requested first
    #[arg(long, group = "tunnel")]
    anonymous_armor: bool,
    /// Request an anonymous ticket: without a principal or with @REALM, a fully anonymous one; with a principal, one that hides its
    /// name but not its realm
    #[arg(short = 'n', long)]
    anonymous: bool,
    /// Set a PKINIT attribute; may be repeated. X509_user_identity names the client's certificate and key: FILE:CERTIFICATE,KEY,
    /// PKCS12:FILE, PKCS11:MODULE:token=LABEL:certid=HEX or a pkcs11: URI. X509_anchors=FILE:CERTIFICATES names the KDC's CA.
    /// flag_RSA_PROTOCOL=yes encrypts the reply key to an RSA key [default: pkinit_identities, pkinit_anchors, key agreement]
    #[arg(short = 'X', value_name = "NAME=VALUE", conflicts_with = "use_keytab")]
    attributes: Vec<String>,
    /// Read the passphrase of the certificate's key, or the token's PIN, from the first line of this file; `-` is standard input
    /// [default: prompt]
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// Renew the ticket-granting ticket in the cache
    #[arg(short = 'R', long, conflicts_with_all = ["use_keytab", "password_file", "otp_file", "service", "tunnel", "anonymous", "attributes", "validate"])]
    renew: bool,
    /// Validate a postdated ticket in the cache
    #[arg(short = 'v', long, conflicts_with_all = ["use_keytab", "password_file", "otp_file", "service", "tunnel", "anonymous", "attributes"])]
    validate: bool,
    /// Minimum number of PBKDF2 iterations to accept from the KDC [default: 4096]
    #[arg(long, value_name = "COUNT")]
    min_iterations: Option<u32>,
    /// Trace the exchange on standard error, one line per message
    #[arg(long)]
    trace: bool,
    /// Print the ticket as JSON (schema tagwise.krb5-ticket/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    cache: String,
    ticket: Value<'static>,
}

/// Parses a duration from the command line.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).ok_or_else(|| "expected a duration, such as 10h, 1d12h, 08:00 or 3600".to_owned())
}

/// Parses a lifetime, which must not be zero.
fn lifetime(text: &str) -> Result<Duration, String> {
    duration(text).and_then(|span| match span.is_zero() {
        true => Err("a ticket needs a lifetime of at least one second".to_owned()),
        false => Ok(span),
    })
}

impl KinitArgs {
    pub(super) fn get(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let environment = Environment::read()?;
        let name = environment.cache_name(self.cache.as_deref())?;
        let (got, place, switches, ahead) = match self.renew || self.validate {
            true => {
                let place = environment.cache(Some(&name))?;
                let cache = read_cache(&place)?;
                if let Some(text) = &self.principal {
                    let wanted = self.client(&environment, &name, None)?;
                    if wanted != *cache.principal() {
                        return Err(Failure::negative(format!(
                            "{}: the cache belongs to {}, not to {}",
                            shown_name(&place),
                            visible(cache.principal()),
                            visible(text)
                        )));
                    }
                }
                let ahead = environment.ahead_seconds(&cache);
                (self.renewed(&environment, &cache, &place, err)?, place, false, ahead)
            }
            false => {
                let (got, place, switches) = self.initial(context, &environment, &name, err)?;
                let ahead = if self.start.is_none() { environment.clock_of(&got) } else { 0 };
                (got, place, switches, ahead)
            }
        };
        let ahead = i32::try_from(ahead).unwrap_or_default();
        let mut cache = Ccache::new(got.client.clone());
        if ahead != 0 {
            cache.set_ahead_seconds(ahead);
        }
        cache.store(got.clone());
        write_cache(&place, &cache)?;
        if switches {
            place.switch().map_err(|error| unusable(&error))?;
        }
        if self.json {
            let ticket = show::ticket(&got, View::new(false)).into();
            output::document(out, &Document { schema: "tagwise.krb5-ticket/1", cache: shown_name(&place), ticket })?;
        }
        Ok(0)
    }

    fn initial(
        &self,
        context: &Context,
        environment: &Environment,
        name: &str,
        err: &mut dyn Write,
    ) -> Result<(Credential, Cache, bool), Failure> {
        let keytab = match self.use_keytab {
            true => Some(read_keytab(context, &environment.keytab(self.keytab.as_deref())?)?),
            false => None,
        };
        let client = self.client(environment, name, keytab.as_ref())?;
        let (place, switches) = self.place(environment, name, &client)?;
        let mut options = environment.as_options(&client);
        options.lifetime = self.lifetime.unwrap_or(options.lifetime);
        if let Some(span) = self.renewable {
            options.renewable = Some(span).filter(|span| !span.is_zero());
        }
        options.postdate = self.start;
        options.limits.min_iterations = self.min_iterations.unwrap_or(options.limits.min_iterations);
        let wanted = [
            (kdc::FORWARDABLE, self.forwardable),
            (kdc::PROXIABLE, self.proxiable),
            (kdc::CANONICALIZE, self.canonicalize || self.enterprise),
            (kdc::REQUEST_ANONYMOUS, self.anonymous || client.is_anonymous()),
        ];
        options.options.extend(wanted.into_iter().filter(|(_, is_wanted)| *is_wanted).map(|(number, _)| number));
        options.options.retain(|number| *number != kdc::FORWARDABLE || !self.not_forwardable);
        options.service = match &self.service {
            Some(service) => Some(environment.service(service, &client)?),
            None => None,
        };
        let attributes = Attributes::parse(&self.attributes)?;
        options.armor = self.armor(context, environment, &attributes, &client, &options, err)?;
        let login = match self.is_password_asked_for(environment, &attributes, &client)
            && self.wants_one_time(environment, &options, err)
        {
            true => one_time(self.otp_file.as_deref(), &client)?,
            false => self.login(context, environment, &attributes, &client, keytab)?,
        };
        let mut begin = || AsExchange::new(EMBEDDED, options.clone(), login.clone());
        let mut got = environment.drive_initial(&mut begin, self.trace, err);
        if let (Err(ClientError::Kdc(said)), Login::Password(old)) = (&got, &login)
            && said.code == error::KEY_EXPIRED
        {
            let new = Login::Password(self.changed(environment, &client, old, &options, err)?);
            let mut begin = || AsExchange::new(EMBEDDED, options.clone(), new.clone());
            got = environment.drive_initial(&mut begin, self.trace, err);
        }
        Ok((got.map_err(|error| refused(&client, &error))?, place, switches))
    }

    /// Changes an expired password, and returns the new one.
    fn changed(
        &self,
        environment: &Environment,
        client: &Principal,
        old: &Secret,
        options: &AsOptions,
        err: &mut dyn Write,
    ) -> Result<Secret, Failure> {
        if self.password_file.is_some() {
            return Err(Failure::negative(format!(
                "{client}: the password has expired; change it with `tagwise krb5 kpasswd {client}`",
                client = visible(client)
            )));
        }
        writeln!(err, "tagwise: {}: the password has expired and must be changed now", visible(client))?;
        let ticket = kpasswd::ticket(environment, client, old.clone(), options.armor.clone(), self.trace, err)?;
        let new = kpasswd::new_password(client, None)?;
        kpasswd::set(environment, client, &ticket, &new)?;
        Ok(new)
    }

    /// Returns the ticket that armors the FAST tunnel, if one is requested.
    fn armor(
        &self,
        context: &Context,
        environment: &Environment,
        attributes: &Attributes,
        client: &Principal,
        options: &AsOptions,
        err: &mut dyn Write,
    ) -> Result<Option<Credential>, Failure> {
        if let Some(armor) = &self.armor {
            let cache = environment.cache(Some(armor))?;
            return granting(&read_cache(&cache)?, &cache, Some(client.realm())).map(Some);
        }
        if !self.anonymous_armor {
            return Ok(None);
        }
        let nobody = Principal::anonymous(client.realm());
        let login = attributes.login(context, environment, &realm_of(client), None, &PassphraseArgs::default())?;
        let options = AsOptions {
            options: vec![kdc::REQUEST_ANONYMOUS],
            enc_types: options.enc_types.clone(),
            skew: options.skew,
            ..AsOptions::new(nobody.clone())
        };
        let mut exchange = AsExchange::new(EMBEDDED, options, Login::Pkinit(Box::new(login)));
        environment.drive(&mut exchange, self.trace, err).map(Some).map_err(|error| refused(&nobody, &error))
    }

    fn login(
        &self,
        context: &Context,
        environment: &Environment,
        attributes: &Attributes,
        client: &Principal,
        keytab: Option<Keytab>,
    ) -> Result<Login, Failure> {
        if let Some(keytab) = keytab {
            return Ok(Login::Keytab(keytab));
        }
        if self.otp_file.is_some() {
            return one_time(self.otp_file.as_deref(), client);
        }
        let realm = realm_of(client);
        let passphrase = PassphraseArgs::named_by("--passphrase-file", self.passphrase_file.as_deref());
        let identity = match client.is_anonymous() || self.password_file.is_some() {
            true => None,
            false => attributes.identity(environment, &realm),
        };
        if client.is_anonymous() || identity.is_some() {
            let login = attributes.login(context, environment, &realm, identity.as_deref(), &passphrase)?;
            return Ok(Login::Pkinit(Box::new(login)));
        }
        Ok(Login::Password(password(client, self.password_file.as_deref())?))
    }

    /// Returns whether logging in requires a password and none is given.
    fn is_password_asked_for(&self, environment: &Environment, attributes: &Attributes, client: &Principal) -> bool {
        let is_named = self.use_keytab || self.password_file.is_some() || self.otp_file.is_some();
        !is_named && !client.is_anonymous() && attributes.identity(environment, &realm_of(client)).is_none()
    }

    /// Returns whether the KDC prefers a one-time password in the tunnel to a permanent one. The KDC is asked before the user, because the
    /// two have different prompts, as in MIT's `kinit`. A KDC lists its preferred mechanism first.
    fn wants_one_time(&self, environment: &Environment, options: &AsOptions, err: &mut dyn Write) -> bool {
        if options.armor.is_none() {
            return false;
        }
        let options = AsOptions { methods: Vec::new(), ..options.clone() };
        let mut begin = || AsExchange::new(EMBEDDED, options.clone(), Login::Password(Secret::from(Vec::new())));
        match environment.drive_initial(&mut begin, self.trace, err) {
            Err(ClientError::NoPreauth(offered)) => {
                let asked = [pa::OTP_CHALLENGE, pa::ENCRYPTED_CHALLENGE, pa::SPAKE];
                offered.iter().find(|number| asked.contains(number)) == Some(&pa::OTP_CHALLENGE)
            }
            // The login itself will report any error.
            _ => false,
        }
    }

    /// Returns the cache to write, and whether it becomes the primary one. In a collection, it is the client's cache or a new one, so
    /// that another client's tickets are not overwritten. A cache given with `-c` is used directly.
    fn place(&self, environment: &Environment, name: &str, client: &Principal) -> Result<(Cache, bool), Failure> {
        let settings = environment.cache_settings();
        let failed = |error| unusable(&error);
        if self.cache.is_some() || !Cache::is_collection(name) {
            return Ok((Cache::resolve(name, &settings).map_err(failed)?, false));
        }
        if let Some(cache) = Cache::of_client(name, client, &settings).map_err(failed)? {
            return Ok((cache, true));
        }
        let primary = Cache::resolve(name, &settings).map_err(failed)?;
        match primary.read() {
            Err(error) if error.is_missing() => Ok((primary, true)),
            _ => Ok((Cache::unused(name, &settings).map_err(failed)?, true)),
        }
    }

    fn client(&self, environment: &Environment, name: &str, keytab: Option<&Keytab>) -> Result<Principal, Failure> {
        let realm =
            self.principal.as_deref().map_or(Some(""), |text| text.strip_prefix('@')).filter(|_| self.anonymous);
        if let Some(realm) = realm {
            let realm = Some(realm).filter(|realm| !realm.is_empty()).or(environment.config().default_realm());
            let none = || Failure::usage("no realm given, and no default realm configured");
            return Ok(Principal::anonymous(realm.ok_or_else(none)?.as_bytes()));
        }
        match (&self.principal, keytab) {
            (Some(text), _) if self.enterprise => environment.enterprise(text),
            (Some(text), _) => environment.principal(text),
            (None, Some(keytab)) => match keytab.entries().first() {
                Some(entry) => Ok(entry.principal.clone()),
                None => Err(Failure::negative("the keytab is empty")),
            },
            (None, None) => match environment.cache(Some(name))?.read() {
                Ok(cache) => Ok(cache.principal().clone()),
                Err(error) if error.is_missing() => {
                    Err(Failure::usage("no principal given, and no credential cache found"))
                }
                Err(error) => Err(unusable(&error)),
            },
        }
    }

    fn renewed(
        &self,
        environment: &Environment,
        cache: &Ccache,
        place: &Cache,
        err: &mut dyn Write,
    ) -> Result<Credential, Failure> {
        let tgt = granting(cache, place, None)?;
        let mut options = TgsOptions::renewal(&tgt);
        options.ahead_seconds = environment.ahead_seconds(cache);
        if self.validate {
            options.options = vec![kdc::VALIDATE];
        }
        options.lifetime = self.lifetime;
        let client = tgt.client.clone();
        let mut exchange = TgsExchange::new(EMBEDDED, options, tgt);
        environment.drive(&mut exchange, self.trace, err).map_err(|error| refused(&client, &error))
    }
}

/// Returns the realm of a principal, as text.
fn realm_of(client: &Principal) -> String {
    String::from_utf8_lossy(client.realm()).into_owned()
}

/// Reads a one-time password from a file or a prompt.
fn one_time(file: Option<&std::path::Path>, of: &Principal) -> Result<Login, Failure> {
    let args = PassphraseArgs::named_by("--otp-file", file).or_piped();
    let value = args.password(&format!("One-time password for {}: ", visible(of)))?;
    Ok(Login::OneTime(OneTimePassword { value, pin: None }))
}

/// Reads a principal's password from a file or a prompt.
pub(super) fn password(of: &Principal, file: Option<&std::path::Path>) -> Result<tagwise_crypto::Secret, Failure> {
    PassphraseArgs::named_by("--password-file", file).or_piped().password(&format!("Password for {}: ", visible(of)))
}
