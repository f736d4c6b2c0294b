//! Subject and issuer alternative names (RFC 5280 §4.2.1.6, §4.2.1.7).

use super::attributes;
use super::list::{self, Lint};
use super::sink::Sink;
use super::syntax::{Uri, is_dns_name, is_mailbox, is_numeric};
use super::walk::each;
use tagwise_x509::ext::{GeneralName, GeneralNames};

/// The lints under which violations are reported.
pub(super) struct Lints {
    empty: &'static Lint,
    mailbox: &'static Lint,
    dns: &'static Lint,
    address: &'static Lint,
    blank: &'static Lint,
    uri: &'static Lint,
    host: &'static Lint,
    string_type: &'static Lint,
}

/// The lints of the subject alternative name.
pub(super) const SUBJECT: Lints = Lints {
    empty: &list::EMPTY_ALT_NAME,
    mailbox: &list::RFC822_NAME,
    dns: &list::DNS_NAME,
    address: &list::DNS_NAME_ADDRESS,
    blank: &list::BLANK_DNS_NAME,
    uri: &list::URI,
    host: &list::URI_HOST,
    string_type: &list::ALT_NAME_STRING_TYPE,
};

/// The lints of a certificate's issuer alternative name. Directory names in it share a lint with the issuer field.
pub(super) const ISSUER: Lints = issuer(&list::ISSUER_STRING_TYPE);

/// The lints of a CRL's issuer alternative name.
pub(super) const CRL_ISSUER: Lints = issuer(&list::CRL_ISSUER_STRING_TYPE);

const fn issuer(string_type: &'static Lint) -> Lints {
    let name = &list::ISSUER_ALT_NAME;
    Lints { empty: name, mailbox: name, dns: name, address: name, blank: name, uri: name, host: name, string_type }
}

/// Checks each name, and returns whether there is an rfc822Name.
#[inline]
pub(super) fn check(sink: &mut Sink, names: &GeneralNames<'_>, lints: &Lints) -> bool {
    let mut has_mailbox = false;
    each(sink, names.0.content(), names.0.offset(), |sink, name: GeneralName<'_>, item| {
        let at = item.offset;
        match name {
            GeneralName::DnsName(host) => match host.as_bytes() {
                b"" => sink.find(lints.empty, at),
                b" " => sink.find(lints.blank, at),
                host if !is_dns_name(host) => sink.find(lints.dns, at),
                host if is_numeric(host) => sink.find(lints.address, at),
                _ => {}
            },
            GeneralName::Rfc822Name(mailbox) => {
                has_mailbox = true;
                match mailbox.as_bytes() {
                    b"" => sink.find(lints.empty, at),
                    mailbox if !is_mailbox(mailbox) => sink.find(lints.mailbox, at),
                    _ => {}
                }
            }
            GeneralName::UniformResourceIdentifier(uri) => match uri.as_bytes() {
                b"" => sink.find(lints.empty, at),
                uri => match Uri::parse(uri) {
                    None => sink.find(lints.uri, at),
                    Some(uri) if !uri.has_host() => sink.find(lints.host, at),
                    Some(_) => {}
                },
            },
            GeneralName::DirectoryName(name) if name.is_empty() => sink.find(lints.empty, at),
            GeneralName::DirectoryName(name) => {
                attributes::check(sink, &name, lints.string_type);
            }
            // The decoder reports addresses of any other invalid length.
            GeneralName::IpAddress(address) if address.as_bytes().is_empty() => sink.find(lints.empty, at),
            _ => {}
        }
    });
    has_mailbox
}
