//! The CA/Browser Forum's Baseline Requirements for names in end-entity certificates, and for roots.

use tagwise_pkix::ext::{GeneralName, OtherNameValue};
use tagwise_pkix::name::visible;
use tagwise_pkix::oids;

use crate::cert::Cert;
use crate::constraints::place;
use crate::policy::Policy;
use crate::punycode;
use crate::refusal::Refusal;
use crate::rules::Rule;

/// Checks the names of the end-entity certificate.
pub(crate) fn leaf(cert: &Cert<'_>, policy: &Policy) -> Result<(), Refusal> {
    let rules = policy.rules;
    if rules.has(Rule::AltNameRequired) {
        alt_name(cert)?;
    }
    if rules.has(Rule::MailboxRequired) && !names(cert).any(|name| is_mailbox(&name)) {
        let offset = cert.names.as_ref().map_or_else(|| cert.extensions_offset(), |names| names.offset);
        return Err(Refusal::new(Rule::MailboxRequired, "the alternative names contain no email address").at(offset));
    }
    for name in names(cert) {
        let GeneralName::DnsName(host) = name else { continue };
        let Some(host) = host.as_str() else { continue };
        let at = place(cert, &name).unwrap_or_default();
        if rules.has(Rule::Wildcard) {
            wildcard(host, policy).map_err(|refusal| refusal.at(at))?;
        }
        if rules.has(Rule::ALabel)
            && let Some(label) = host.split('.').find(|label| !punycode::is_plain_or_a_label(label))
        {
            let label = visible(label);
            let message = format!("{label} has hyphens in positions 3 and 4, but is not an A-label");
            return Err(Refusal::new(Rule::ALabel, message).at(at));
        }
    }
    if rules.has(Rule::CommonName) { common_name(cert) } else { Ok(()) }
}

fn names<'c>(cert: &'c Cert<'_>) -> impl Iterator<Item = GeneralName<'c>> {
    cert.names.iter().flat_map(|names| names.value.0.iter()).map_while(Result::ok)
}

fn is_mailbox(name: &GeneralName<'_>) -> bool {
    match name {
        GeneralName::Rfc822Name(_) => true,
        GeneralName::OtherName(name) => matches!(name.value.get(), Ok(OtherNameValue::SmtpUtf8Mailbox(_))),
        _ => false,
    }
}

/// Checks the alternative names (BR §7.1.2.7.12).
fn alt_name(cert: &Cert<'_>) -> Result<(), Refusal> {
    let Some(names) = &cert.names else {
        let refusal = Refusal::new(Rule::AltNameRequired, "the end-entity certificate has no alternative names");
        return Err(refusal.at(cert.extensions_offset()));
    };
    let empty = cert.certificate.tbs_certificate.subject.is_empty();
    if names.critical == empty {
        return Ok(());
    }
    let message = if empty {
        "the subject is empty, but the alternative names are not critical"
    } else {
        "the alternative names are critical, but the subject is not empty"
    };
    Err(Refusal::new(Rule::AltNameRequired, message).at(names.offset))
}

/// Checks a wildcard (BR §1.6.1, Wildcard Domain Name; §3.2.2.6).
fn wildcard(host: &str, policy: &Policy) -> Result<(), Refusal> {
    if !host.contains('*') {
        return Ok(());
    }
    let refusal = |message: &str| Err(Refusal::new(Rule::Wildcard, format!("{}: {message}", visible(host))));
    let Some(domain) = host.strip_prefix("*.").filter(|domain| !domain.contains('*')) else {
        return refusal("a wildcard must be the whole first label");
    };
    if !domain.contains('.') {
        return refusal("a wildcard must be followed by at least two labels");
    }
    let domain = domain.to_ascii_lowercase();
    match &policy.public_suffixes {
        Some(suffixes) if suffixes.has(&domain) => refusal("a wildcard must not be followed by only a public suffix"),
        _ => Ok(()),
    }
}

/// BR §7.1.4.3: checks that a common name is one of the alternative names, character for character; an address must be
/// written as in RFC 3986 and RFC 5952.
fn common_name(cert: &Cert<'_>) -> Result<(), Refusal> {
    let subject = cert.certificate.tbs_certificate.subject;
    let mut found = None;
    for attribute in subject.attributes().filter(|attribute| attribute.attr_type == oids::COMMON_NAME) {
        let offset = attribute.value.offset();
        if found.replace(offset).is_some() {
            return Err(Refusal::new(Rule::CommonName, "the subject has more than one common name").at(offset));
        }
        let text = attribute.text().unwrap_or_default();
        let repeats = |name: GeneralName<'_>| match name {
            GeneralName::DnsName(host) => host.as_str() == Some(&text),
            GeneralName::IpAddress(address) => address.addr().is_some_and(|address| address.to_string() == text),
            _ => false,
        };
        if !names(cert).any(repeats) {
            let text = visible(&text).to_string();
            let message = format!("the common name {text} is not one of the alternative names");
            return Err(Refusal::new(Rule::CommonName, message).at(offset));
        }
    }
    Ok(())
}

/// Checks the contents of a root's certificate (BR §7.1.2.1).
pub(crate) fn root(cert: &Cert<'_>, policy: &Policy) -> Result<(), Refusal> {
    let self_issued = cert.self_issued;
    if let Some(purposes) = cert.purposes.as_ref().filter(|_| self_issued && policy.rules.has(Rule::RootPurpose)) {
        return Err(Refusal::new(Rule::RootPurpose, "a root has an extended key usage").at(purposes.offset));
    }
    if let Some(authority) =
        cert.authority_key.as_ref().filter(|_| self_issued && policy.rules.has(Rule::RootKeyIdentifier))
    {
        let refusal = |message: &str| Err(Refusal::new(Rule::RootKeyIdentifier, message).at(authority.offset));
        if authority.value.authority_cert_issuer.is_some() || authority.value.authority_cert_serial_number.is_some() {
            return refusal("a root's authority key identifier must not contain an issuer or serial number");
        }
        match (authority.value.key_identifier, cert.subject_key.as_ref()) {
            (None, _) => return refusal("a root's authority key identifier has no key identifier"),
            (Some(own), Some(subject)) if own.as_bytes() != subject.value.0.as_bytes() => {
                return refusal("a root's authority key identifier is not its subject key identifier");
            }
            _ => {}
        }
    }
    Ok(())
}
