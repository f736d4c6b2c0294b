//! Checks of the parts that vary between certificates created from the same template.

use super::options::Options;
use super::sink::Sink;
use super::{alt_name, attributes, list};
use tagwise_x509::ext::GeneralNames;
use tagwise_x509::name::Name;
use tagwise_x509::time::Validity;

/// Returns whether alternative names, considered in isolation, have no findings.
pub fn are_good_names(names: &GeneralNames<'_>, options: &Options) -> bool {
    let mut sink = Sink::new(options);
    sink.encodings(Some(&list::CERTIFICATE_EXTENSION_VALUE));
    alt_name::check(&mut sink, names, &alt_name::SUBJECT);
    sink.done().is_empty()
}

/// Returns whether a certificate's fields have no findings, given another certificate from the same template that has no
/// findings and has a subject. The result is conservative: it is `false` for email addresses in the subject.
pub fn are_good_fields(
    validity: &Validity<'_>,
    subject: &Name<'_>,
    alt_names: Option<&GeneralNames<'_>>,
    options: &Options,
) -> bool {
    let mut sink = Sink::new(options);
    let email = attributes::check(&mut sink, subject, &list::SUBJECT_STRING_TYPE);
    sink.encodings(Some(&list::CERTIFICATE_EXTENSION_VALUE));
    if let Some(names) = alt_names {
        alt_name::check(&mut sink, names, &alt_name::SUBJECT);
    }
    let in_order = validity.not_after.civil() >= validity.not_before.civil();
    in_order && email.is_none() && sink.done().is_empty()
}
