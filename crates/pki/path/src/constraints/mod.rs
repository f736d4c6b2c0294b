//! Name constraints (RFC 5280 §4.2.1.10, §6.1.3 (b) and (c)): an extension's subtrees, and the check of names.
//!
//! A name is compared only with subtrees of its own form. An unusable subtree (malformed, of an unsupported form, or
//! with a minimum or maximum) rejects all certificates with a name of that form, but no others.

mod directory;
mod dns;
mod ip;
mod mail;
mod other;
mod uri;

use tagwise_codec::Oid;
use tagwise_pkix::ext::{GeneralName, GeneralNames, GeneralSubtree, NameConstraints, OtherNameValue, SubtreeName};
use tagwise_pkix::{Name, oids};

pub(crate) use dns::is_host;
pub(crate) use mail::split as split_mailbox;
pub(crate) use uri::{host as uri_host, scheme as uri_scheme};

use crate::budget::Meter;
use crate::cert::Cert;
use crate::refusal::{Refusal, Stop};
use crate::rules::{Rule, RuleSet};

/// The form of a name, which selects the subtrees that apply to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConstraintForm<'p> {
    Mail,
    Dns,
    Directory,
    Uri,
    Ip,
    X400,
    EdiParty,
    RegisteredId,
    /// An otherName, with its `type-id`.
    Other(Oid<'p>),
}

impl core::fmt::Display for ConstraintForm<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Mail => f.write_str("rfc822Name"),
            Self::Dns => f.write_str("dNSName"),
            Self::Directory => f.write_str("directoryName"),
            Self::Uri => f.write_str("uniformResourceIdentifier"),
            Self::Ip => f.write_str("iPAddress"),
            Self::X400 => f.write_str("x400Address"),
            Self::EdiParty => f.write_str("ediPartyName"),
            Self::RegisteredId => f.write_str("registeredID"),
            Self::Other(id) => write!(f, "otherName {id}"),
        }
    }
}

/// The root of a usable subtree.
enum Base<'p> {
    Mail(mail::Base<'p>),
    Dns(&'p str),
    Directory(Name<'p>),
    Uri(&'p str),
    Ip(tagwise_pkix::ext::IpSubnet<'p>),
    Upn(&'p str),
    Srv(other::SrvBase<'p>),
}

/// A name to compare with subtrees.
enum Subject<'p> {
    Mail(&'p str),
    Dns(&'p str),
    Directory(Name<'p>),
    Uri(&'p str),
    Ip(core::net::IpAddr),
    Upn(&'p str),
    Srv(&'p str),
    /// A name that cannot be compared, because it is malformed or of an unsupported form.
    Opaque,
}

/// The subtrees of one form, permitted or excluded.
struct Group<'p> {
    form: ConstraintForm<'p>,
    bases: Vec<Base<'p>>,
    /// The reason why one of the subtrees cannot be applied.
    unusable: Option<&'static str>,
}

/// The subtrees of one extension, grouped by form.
pub(crate) struct Subtrees<'p> {
    permitted: Vec<Group<'p>>,
    excluded: Vec<Group<'p>>,
    /// The first dNSName subtree with a leading dot, if the rule that interprets the dot is in force.
    pub(crate) dotted: Option<&'p str>,
}

impl<'p> Subtrees<'p> {
    /// Decodes the subtrees of an extension, applying the rules for their syntax.
    pub(crate) fn new(constraints: &NameConstraints<'p>, rules: RuleSet) -> Result<Self, Refusal> {
        let list = |subtrees: Option<tagwise_codec::SeqOf<'p, GeneralSubtree<'p>>>| {
            let mut groups = Vec::new();
            for subtree in subtrees.into_iter().flat_map(|subtrees| subtrees.iter()) {
                // Every byte was checked before.
                let subtree = subtree.map_err(|error| Refusal::new(Rule::Malformed, error.to_string()))?;
                add(&mut groups, &subtree, rules);
            }
            Ok(groups)
        };
        let (permitted, excluded) = (list(constraints.permitted_subtrees)?, list(constraints.excluded_subtrees)?);
        let bases = permitted.iter().chain(&excluded).flat_map(|group: &Group<'p>| &group.bases);
        let mut hosts = bases.filter_map(|base| if let Base::Dns(host) = base { Some(*host) } else { None });
        let dotted = hosts.find(|host| host.starts_with('.'));
        Ok(Self { permitted, excluded, dotted })
    }

    fn check(
        &self,
        form: ConstraintForm<'p>,
        subject: &Subject<'p>,
        rules: RuleSet,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        let find = |groups: &'_ [Group<'p>]| groups.iter().position(|group| group.form == form);
        for (groups, permitted) in [(&self.permitted, true), (&self.excluded, false)] {
            let Some(group) = find(groups).and_then(|index| groups.get(index)) else { continue };
            if let Some(why) = group.unusable {
                return Err(Refusal::new(Rule::UnsupportedConstraint, format!("the {form} constraint {why}")).into());
            }
            if matches!(subject, Subject::Opaque) {
                let message = format!("malformed {form}: its constraint cannot be applied");
                return Err(Refusal::new(Rule::UnsupportedConstraint, message).into());
            }
            meter.constraint_comparisons(group.bases.len() as u64)?;
            // An excluded subtree matches any name that a wildcard or a local part can represent; a permitted one must contain all of
            // them.
            let within = group.bases.iter().any(|base| is_within(subject, base, !permitted));
            if permitted && !within && rules.has(Rule::PermittedSubtrees) {
                return Err(
                    Refusal::new(Rule::PermittedSubtrees, format!("{form} outside the permitted subtrees")).into()
                );
            }
            if !permitted && within && rules.has(Rule::ExcludedSubtrees) {
                return Err(Refusal::new(Rule::ExcludedSubtrees, format!("{form} within an excluded subtree")).into());
            }
        }
        Ok(())
    }
}

fn is_within(subject: &Subject<'_>, base: &Base<'_>, may: bool) -> bool {
    match (subject, base) {
        (Subject::Mail(mailbox), Base::Mail(base)) if may => mail::may_be_within(mailbox, base),
        (Subject::Mail(mailbox), Base::Mail(base)) => mail::is_within(mailbox, base),
        (Subject::Dns(host), Base::Dns(base)) if may => dns::may_be_within(host, base),
        (Subject::Dns(host), Base::Dns(base)) => dns::is_within(host, base),
        (Subject::Directory(name), Base::Directory(base)) => directory::is_within(name, base),
        (Subject::Uri(uri), Base::Uri(base)) => uri::is_within(uri, base),
        (Subject::Ip(address), Base::Ip(base)) => ip::is_within(*address, base),
        (Subject::Upn(upn), Base::Upn(base)) => other::upn_is_within(upn, base),
        (Subject::Srv(name), Base::Srv(base)) => other::srv_is_within(name, base, may),
        _ => false,
    }
}

/// Adds a subtree to the group of its form.
fn add<'p>(groups: &mut Vec<Group<'p>>, subtree: &GeneralSubtree<'p>, rules: RuleSet) {
    const MALFORMED: &str = "is malformed";
    const UNSUPPORTED: &str = "has an unsupported form";
    let text = |text: Option<&'p str>| text.unwrap_or("\0");
    let (form, base) = match subtree.base {
        SubtreeName::Rfc822Name(mailbox) => {
            (ConstraintForm::Mail, mail::base(text(mailbox.as_str())).map(Base::Mail).ok_or(MALFORMED))
        }
        SubtreeName::DnsName(host) => {
            let dots = rules.has(Rule::LeadingDot) || !rules.has(Rule::ConstraintSyntax);
            (ConstraintForm::Dns, dns::base(text(host.as_str()), dots).map(Base::Dns).ok_or(MALFORMED))
        }
        SubtreeName::DirectoryName(name) => (ConstraintForm::Directory, Ok(Base::Directory(name))),
        SubtreeName::UniformResourceIdentifier(host) => {
            (ConstraintForm::Uri, uri::base(text(host.as_str())).map(Base::Uri).ok_or(MALFORMED))
        }
        SubtreeName::IpAddress(subnet) => {
            (ConstraintForm::Ip, ip::base(subnet, rules.has(Rule::ConstraintSyntax)).map(Base::Ip).ok_or(MALFORMED))
        }
        SubtreeName::X400Address(_) => (ConstraintForm::X400, Err(UNSUPPORTED)),
        SubtreeName::EdiPartyName(_) => (ConstraintForm::EdiParty, Err(UNSUPPORTED)),
        SubtreeName::RegisteredId(_) => (ConstraintForm::RegisteredId, Err(UNSUPPORTED)),
        SubtreeName::OtherName(name) => {
            let base = match name.value.get() {
                Ok(OtherNameValue::Upn(upn)) => other::upn_base(upn.as_str()).map(Base::Upn).ok_or(MALFORMED),
                Ok(OtherNameValue::SrvName(srv)) => {
                    other::srv_base(text(srv.0.as_str())).map(Base::Srv).ok_or(MALFORMED)
                }
                _ => Err(UNSUPPORTED),
            };
            (ConstraintForm::Other(name.type_id), base)
        }
    };
    // RFC 5280 §4.2.1.10: "the minimum MUST be zero, and maximum MUST be absent".
    let plain = subtree.minimum.int().is_zero() && subtree.maximum.is_none();
    let base = if plain { base } else { Err("has a minimum or maximum") };
    let index = groups.iter().position(|group| group.form == form).unwrap_or_else(|| {
        groups.push(Group { form, bases: Vec::new(), unusable: None });
        groups.len() - 1
    });
    if let Some(group) = groups.get_mut(index) {
        match base {
            Ok(base) => group.bases.push(base),
            Err(why) => group.unusable = Some(why),
        }
    }
}

/// Splits a [`GeneralName`] into its form and the part that is compared.
fn subject<'p>(name: &GeneralName<'p>) -> (ConstraintForm<'p>, Subject<'p>) {
    let text = |text: Option<&'p str>| text.unwrap_or("\0");
    match name {
        GeneralName::Rfc822Name(mailbox) => (ConstraintForm::Mail, mail::subject(text(mailbox.as_str()))),
        GeneralName::DnsName(host) => (ConstraintForm::Dns, dns::subject(text(host.as_str()))),
        GeneralName::DirectoryName(name) => (ConstraintForm::Directory, Subject::Directory(*name)),
        GeneralName::UniformResourceIdentifier(uri) => (ConstraintForm::Uri, uri::subject(text(uri.as_str()))),
        GeneralName::IpAddress(address) => (ConstraintForm::Ip, address.addr().map_or(Subject::Opaque, Subject::Ip)),
        GeneralName::X400Address(_) => (ConstraintForm::X400, Subject::Opaque),
        GeneralName::EdiPartyName(_) => (ConstraintForm::EdiParty, Subject::Opaque),
        GeneralName::RegisteredId(_) => (ConstraintForm::RegisteredId, Subject::Opaque),
        GeneralName::OtherName(name) => match name.value.get() {
            // RFC 9598 §6: rfc822Name constraints apply to these as well.
            Ok(OtherNameValue::SmtpUtf8Mailbox(mailbox)) => (ConstraintForm::Mail, mail::subject(mailbox.0.as_str())),
            // A malformed value of this type.
            _ if name.type_id == oids::ON_SMTP_UTF8_MAILBOX => (ConstraintForm::Mail, Subject::Opaque),
            Ok(OtherNameValue::Upn(upn)) => (ConstraintForm::Other(name.type_id), other::upn_subject(upn.as_str())),
            Ok(OtherNameValue::SrvName(srv)) => {
                (ConstraintForm::Other(name.type_id), other::subject(text(srv.0.as_str())))
            }
            _ => (ConstraintForm::Other(name.type_id), Subject::Opaque),
        },
    }
}

/// Checks the names of a certificate against the name constraints of an issuing certificate in its path (RFC 5280 §6.1.3
/// (b) and (c)).
pub(crate) fn check<'p>(
    cert: &Cert<'p>,
    subtrees: &Subtrees<'p>,
    rules: RuleSet,
    meter: &mut Meter,
) -> Result<(), Stop> {
    let offset = cert.names.as_ref().map_or(0, |names| names.offset);
    let names = Names {
        subject: cert.certificate.tbs_certificate.subject,
        alternative: cert.names.as_ref().map(|names| names.value.0),
        offset,
    };
    check_names(&names, subtrees, rules, meter, &|name| place(cert, name).unwrap_or(offset))
}

/// Checks the names of a certificate that is to be issued against the name constraints of its issuer: whether paths could be valid
/// (RFC 5280 §4.2.1.10, §6.1.3 (b) and (c)). The rules are those of [`Profile::RFC5280`](crate::Profile::RFC5280).
///
/// ```
/// use tagwise_codec::{Ia5, SeqOf};
/// use tagwise_path::check_name_constraints;
/// use tagwise_pkix::ext::{Count, GeneralName, GeneralNames, GeneralSubtree, NameConstraints, SubtreeName};
/// let base = SubtreeName::DnsName(Ia5::new("example.org").unwrap());
/// let subtrees = [GeneralSubtree { base, minimum: Count::ZERO, maximum: None }];
/// let issuer = NameConstraints { permitted_subtrees: Some(SeqOf::from_slice(&subtrees)), excluded_subtrees: None };
/// let host = |host| [GeneralName::DnsName(Ia5::new(host).unwrap())];
/// let check = |names: &[GeneralName<'_>]| {
///     check_name_constraints(&issuer, Default::default(), Some(GeneralNames(SeqOf::from_slice(names))))
/// };
/// assert!(check(&host("www.example.org")).is_ok());
/// assert!(check(&host("www.example.com")).is_err());
/// ```
///
/// # Errors
/// Returns the reason, if a name is not permitted, a constraint on its form is not supported, or there are too many constraints.
pub fn check_name_constraints<'p>(
    issuer: &NameConstraints<'p>,
    subject: Name<'p>,
    alternative: Option<GeneralNames<'p>>,
) -> Result<(), Refusal> {
    let rules = crate::Profile::RFC5280.rules;
    let subtrees = Subtrees::new(issuer, rules)?;
    let names = Names { subject, alternative, offset: 0 };
    let mut meter = Meter::new(crate::Budget::DEFAULT);
    match check_names(&names, &subtrees, rules, &mut meter, &|_name| 0) {
        Ok(()) => Ok(()),
        // There are no bytes of a certificate yet.
        Err(Stop::Refusal(refusal)) => Err(Refusal { offset: None, ..refusal }),
        Err(Stop::Limit(limit)) => Err(Refusal::new(Rule::UnsupportedConstraint, limit.to_string()).undecided()),
    }
}

/// The names of a certificate.
struct Names<'p> {
    subject: Name<'p>,
    alternative: Option<GeneralNames<'p>>,
    /// The offset of the alternative names.
    offset: usize,
}

fn check_names<'p>(
    names: &Names<'p>,
    subtrees: &Subtrees<'p>,
    rules: RuleSet,
    meter: &mut Meter,
    place: &dyn Fn(&GeneralName<'p>) -> usize,
) -> Result<(), Stop> {
    let at = |stop: Stop, offset: usize| stop.map(|refusal| refusal.at(offset));
    if !names.subject.is_empty() {
        let offset = names.subject.0.offset();
        subtrees
            .check(ConstraintForm::Directory, &Subject::Directory(names.subject), rules, meter)
            .map_err(|stop| at(stop, offset))?;
    }
    let mut has_mailbox = false;
    // Items are subslices of the extension's value, in order.
    for name in names.alternative.iter().flat_map(|names| names.0.iter()) {
        let name = name.map_err(|error| Refusal::new(Rule::Malformed, error.to_string()).at(names.offset))?;
        let (form, what) = subject(&name);
        has_mailbox |= form == ConstraintForm::Mail;
        let offset = place(&name);
        subtrees.check(form, &what, rules, meter).map_err(|stop| at(named(stop, &name), offset))?;
        // RFC 9598 §6 does not define constraints on this otherName type itself. They are treated as unsupported ones on a present
        // form.
        if form == ConstraintForm::Mail && matches!(name, GeneralName::OtherName(_)) {
            let form = ConstraintForm::Other(oids::ON_SMTP_UTF8_MAILBOX);
            let held = subtrees.check(form, &Subject::Opaque, rules, meter);
            held.map_err(|stop| at(named(stop, &name), offset))?;
        }
    }
    // §4.2.1.10: without mailboxes among the alternative names, rfc822Name constraints apply to those of the subject.
    if !has_mailbox {
        for attribute in names.subject.attributes().filter(|attribute| attribute.attr_type == oids::EMAIL_ADDRESS) {
            let text = core::str::from_utf8(attribute.value.content()).unwrap_or("\0");
            let offset = attribute.value.offset();
            subtrees
                .check(ConstraintForm::Mail, &mail::subject(text), rules, meter)
                .map_err(|stop| at(stop, offset))?;
        }
    }
    Ok(())
}

/// Prefixes a fault's message with the name.
fn named(stop: Stop, name: &GeneralName<'_>) -> Stop {
    stop.map(|refusal| Refusal { message: format!("{name}: {}", refusal.message), ..refusal })
}

/// Returns the offset of a name's bytes in the certificate.
pub(crate) fn place(cert: &Cert<'_>, name: &GeneralName<'_>) -> Option<usize> {
    let octets: &[u8] = match name {
        GeneralName::Rfc822Name(text) | GeneralName::DnsName(text) | GeneralName::UniformResourceIdentifier(text) => {
            text.as_bytes()
        }
        GeneralName::IpAddress(address) => address.as_bytes(),
        GeneralName::OtherName(name) => name.value.as_bytes(),
        GeneralName::DirectoryName(name) => name.0.content()?,
        _ => return None,
    };
    let offset = cert.offset_of(octets);
    (offset < cert.der().len()).then_some(offset)
}

#[cfg(test)]
mod tests;
