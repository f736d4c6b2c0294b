//! `tagwise krb5 kvno`.

use std::io::Write;

use serde::Serialize;
use tagwise_codec::Decode as _;
use tagwise_krb5::cache::Cache;
use tagwise_krb5::client::{Impersonation, Moment, TgsExchange};
use tagwise_krb5::crypto::EncType;
use tagwise_krb5::flags::kdc;
use tagwise_krb5::gss::ServiceKeys;
use tagwise_krb5::messages::Ticket;
use tagwise_krb5::{Ccache, Credential, Principal, UInt32, show};
use tagwise_pkix::name::visible;

use super::environment::{Environment, granting, read_cache, read_keytab, refused, shown_name, unusable};
use super::output;
use crate::shared::backend::EMBEDDED;
use crate::shared::context::Context;
use crate::shared::output::{Failure, finish};

pub(super) const EXAMPLES: &str = "\
Examples:
  tagwise krb5 kvno host/www.example.com
  tagwise krb5 kvno -k /etc/krb5.keytab host/www.example.com   also check that the keytab decrypts the ticket
  tagwise krb5 kvno -U bob HTTP/www.example.com                on behalf of bob (S4U2Self)
  tagwise krb5 kvno -U bob -P HTTP/back.example.com            on behalf of bob, to another service (S4U2Proxy)
  tagwise krb5 kvno --u2u bob.cache bob@EXAMPLE.COM            encrypted in bob's session key

Tickets that are already in the cache are not requested again; new ones are added to it. If one service fails, the others are requested
all the same, and the exit code is the highest.
Exit codes: 0 got the tickets; 1 the KDC refused, or the keytab does not decrypt one; 2 usage error; 3 no KDC answered, or a file could not
be read or written.";

#[derive(Debug, clap::Args)]
pub(crate) struct KvnoArgs {
    /// Services
    #[arg(value_name = "SERVICE", required = true)]
    services: Vec<String>,
    /// Use this credential cache [default: that of KRB5CCNAME or the configuration, or /tmp/krb5cc_UID]
    #[arg(short = 'c', long, value_name = "NAME")]
    cache: Option<String>,
    /// Request a session key of this encryption type; may be repeated
    #[arg(short = 'e', long, value_name = "TYPE")]
    enctype: Vec<EncType>,
    /// Decrypt the tickets with the keys of this keytab
    #[arg(short = 'k', long, value_name = "NAME")]
    keytab: Option<String>,
    /// Request a ticket to the client itself on behalf of this user (S4U2Self)
    #[arg(short = 'U', long, value_name = "PRINCIPAL", conflicts_with = "u2u")]
    for_user: Option<String>,
    /// With -U, use the user's ticket to request one for each SERVICE (S4U2Proxy)
    #[arg(short = 'P', long, requires = "for_user")]
    proxy: bool,
    /// Request a user-to-user ticket, encrypted in the session key of this cache's ticket-granting ticket
    #[arg(long, value_name = "NAME")]
    u2u: Option<String>,
    /// Trace the exchange on standard error, one line per message
    #[arg(long)]
    trace: bool,
    /// Print JSON (schema tagwise.krb5-kvno/2)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    cache: String,
    tickets: Vec<TicketRow>,
}

#[derive(Serialize)]
struct TicketRow {
    server: String,
    client: String,
    kvno: Option<u32>,
    ticket_etype: String,
    session_key_etype: String,
    end_time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    opened: Option<bool>,
}

impl KvnoArgs {
    pub(super) fn get(&self, context: &Context, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8, Failure> {
        let environment = Environment::read()?;
        let place = environment.cache(self.cache.as_deref())?;
        let mut cache = read_cache(&place)?;
        let keytab = match &self.keytab {
            Some(name) => Some(ServiceKeys::from(read_keytab(context, &environment.keytab(Some(name))?)?)),
            None => None,
        };
        let (mut items, mut failed) = (Vec::new(), 0_u8);
        for service in &self.services {
            let got = environment
                .service(service, cache.principal())
                .and_then(|server| self.ticket(&environment, &mut cache, &place, &server, err));
            // The other services do not depend on it.
            let got = match got {
                Ok(got) => got,
                Err(failure) => {
                    failed = failed.max(finish(Err(failure), err)?);
                    continue;
                }
            };
            let ticket = Ticket::from_der(&got.ticket)
                .map_err(|error| Failure::negative(format!("{}: {error}", shown_name(&place))))?;
            let kvno = ticket.enc_part.kvno.map(UInt32::get);
            let opened = keytab.as_ref().map(|keytab| opens(keytab, &ticket));
            let item = TicketRow {
                server: got.server.to_string(),
                client: got.client.to_string(),
                kvno,
                ticket_etype: show::enc_type(ticket.enc_part.etype),
                session_key_etype: show::enc_type(got.enc_type),
                end_time: show::stamp(got.end_time),
                opened,
            };
            if !self.json {
                let kvno = kvno.map_or_else(|| "none".to_owned(), |kvno| kvno.to_string());
                let told = match opened {
                    Some(true) => ", keytab entry valid",
                    Some(false) => ", no key in the keytab decrypts the ticket",
                    None => "",
                };
                writeln!(out, "{}: kvno = {kvno}{told}", visible(&item.server))?;
            }
            items.push(item);
        }
        let code = failed.max(u8::from(items.iter().any(|item| item.opened == Some(false))));
        if self.json {
            output::document(
                out,
                &Document { schema: "tagwise.krb5-kvno/2", cache: shown_name(&place), tickets: items },
            )?;
        }
        Ok(code)
    }

    fn ticket(
        &self,
        environment: &Environment,
        cache: &mut Ccache,
        place: &Cache,
        server: &Principal,
        err: &mut dyn Write,
    ) -> Result<Credential, Failure> {
        let plain = self.u2u.is_none() && self.for_user.is_none();
        let ahead_seconds = environment.ahead_seconds(cache);
        let now = Moment::now().by_clock(ahead_seconds).unix;
        let is_wanted = |found: &&Credential| {
            self.enctype.is_empty() || self.enctype.iter().any(|wanted| wanted.number() == found.enc_type)
        };
        if let Some(found) = cache.find(server, now).filter(|_| plain).filter(is_wanted) {
            return Ok(found.clone());
        }
        let tgt = granting(cache, place, Some(server.realm()))?;
        let mut options = environment.tgs_options(server);
        options.inherit(&tgt);
        options.ahead_seconds = ahead_seconds;
        if !self.enctype.is_empty() {
            options.enc_types = self.enctype.clone();
        }
        if let Some(user) = &self.for_user {
            let user = environment.principal(user)?;
            options.impersonation = Some(match self.proxy {
                true => Impersonation::Proxy(self.evidence(
                    environment,
                    cache,
                    &granting(cache, place, None)?,
                    user,
                    err,
                )?),
                false => Impersonation::ToSelf(user),
            });
        }
        if let Some(name) = &self.u2u {
            let other = environment.cache(Some(name))?;
            options.user_to_user = Some(granting(&read_cache(&other)?, &other, None)?.ticket);
        }
        let mut exchange = TgsExchange::new(EMBEDDED, options, tgt);
        let got = environment.drive(&mut exchange, self.trace, err).map_err(|error| refused(server, &error))?;
        let mut keep = |got: &Credential| {
            cache.store(got.clone());
            place.add(got).map_err(|error| unusable(&error))
        };
        // Each is kept as it comes: a refusal of the next one does not lose it.
        exchange.referrals().iter().try_for_each(&mut keep)?;
        // A ticket on behalf of another user does not belong to the cache's client.
        if self.for_user.is_none() {
            keep(&got)?;
        }
        Ok(got)
    }
}

impl KvnoArgs {
    /// Gets a forwardable ticket of the user for the client itself (S4U2Self), as S4U2Proxy requires.
    fn evidence(
        &self,
        environment: &Environment,
        cache: &Ccache,
        tgt: &Credential,
        user: Principal,
        err: &mut dyn Write,
    ) -> Result<Vec<u8>, Failure> {
        let itself = tgt.client.clone();
        let mut options = environment.tgs_options(&itself);
        options.ahead_seconds = environment.ahead_seconds(cache);
        options.options.push(kdc::FORWARDABLE);
        options.impersonation = Some(Impersonation::ToSelf(user));
        let mut exchange = TgsExchange::new(EMBEDDED, options, tgt.clone());
        let got = environment.drive(&mut exchange, self.trace, err).map_err(|error| refused(&itself, &error))?;
        Ok(got.ticket)
    }
}

/// Returns whether any key in the keytab decrypts a ticket, regardless of the key's principal, as services do.
fn opens(keys: &ServiceKeys, ticket: &Ticket<'_>) -> bool {
    keys.open_ticket(EMBEDDED, ticket).is_ok()
}
