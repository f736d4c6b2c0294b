//! Certificate policies, qualifiers and policy mappings (RFC 5280 §4.2.1.4, §4.2.1.5, RFC 6818 §3).

use std::collections::BTreeSet;

use tagwise_codec::Decode;
use unicode_normalization::is_nfc;

use super::list;
use super::sink::Sink;
use super::walk::{Element, each, value};
use tagwise_x509::ext::{
    CertificatePolicies, DisplayText, PolicyInformation, PolicyMapping, PolicyMappings, PolicyQualifierInfo, UserNotice,
};
use tagwise_x509::oids;

/// The number of identifiers up to which they are compared linearly. More are put into a set.
const FEW: usize = 16;

/// The identifiers found so far, to detect duplicates.
#[derive(Default)]
struct Seen<'a> {
    few: [&'a [u8]; FEW],
    count: usize,
    many: BTreeSet<&'a [u8]>,
}

impl<'a> Seen<'a> {
    fn has(&self, id: &[u8]) -> bool {
        self.few.iter().take(self.count).any(|seen| *seen == id) || self.many.contains(id)
    }

    /// Adds an identifier. Returns whether it is new.
    fn insert(&mut self, id: &'a [u8]) -> bool {
        if self.has(id) {
            return false;
        }
        match self.few.get_mut(self.count) {
            Some(slot) => {
                *slot = id;
                self.count += 1;
            }
            None => {
                self.many.insert(id);
            }
        }
        true
    }
}

/// Checks each policy and its qualifiers.
#[inline]
pub(super) fn policies<'a>(sink: &mut Sink, policies: &CertificatePolicies<'a>) {
    let mut seen = Seen::default();
    each(sink, policies.0.content(), policies.0.offset(), |sink, policy: PolicyInformation<'a>, item| {
        if !seen.insert(policy.policy_identifier.as_bytes()) {
            sink.find(&list::DUPLICATE_POLICY, item.offset);
        }
        if let Some(qualifiers) = &policy.policy_qualifiers {
            let any_policy = policy.policy_identifier == oids::ANY_POLICY;
            each(sink, qualifiers.content(), qualifiers.offset(), |sink, info: PolicyQualifierInfo<'a>, item| {
                qualifier(sink, &info, item, any_policy);
            });
        }
    });
}

#[inline]
fn qualifier(sink: &mut Sink, info: &PolicyQualifierInfo<'_>, item: Element<'_>, any_policy: bool) {
    let id = info.policy_qualifier_id;
    if id == oids::QT_UNOTICE {
        let (bytes, offset) = (info.qualifier.as_bytes(), info.qualifier.offset());
        let whole = Element { bytes, offset };
        if let Some(notice) = value::<UserNotice<'_>>(sink, whole) {
            user_notice(sink, &notice, whole);
        }
    } else if id != oids::QT_CPS {
        sink.find(if any_policy { &list::ANY_POLICY_QUALIFIER } else { &list::UNKNOWN_QUALIFIER }, item.offset);
    }
}

/// `DisplayText ::= CHOICE { ia5String IA5String (SIZE (1..200)), … }`
const MOST_CHARACTERS: usize = 200;

fn length(text: &DisplayText<'_>) -> usize {
    match text {
        DisplayText::Ia5(text) => text.as_bytes().len(),
        DisplayText::Visible(text) => text.as_bytes().len(),
        DisplayText::Bmp(text) => text.chars().count(),
        DisplayText::Utf8(text) => text.as_str().chars().count(),
    }
}

fn user_notice(sink: &mut Sink, notice: &UserNotice<'_>, whole: Element<'_>) {
    if notice.notice_ref.is_some() {
        sink.find_at(&list::NOTICE_REFERENCE, || whole.component(0x30));
    }
    for organization in notice.notice_ref.iter().map(|reference| &reference.organization) {
        if length(organization) > MOST_CHARACTERS {
            sink.find_at(&list::NOTICE_LENGTH, || whole.component(0x30));
        }
    }
    let Some(text) = &notice.explicit_text else { return };
    let (tag, control) = match text {
        DisplayText::Ia5(text) => (0x16, text.as_bytes().iter().any(u8::is_ascii_control)),
        DisplayText::Visible(_) => (0x1A, false),
        DisplayText::Bmp(text) => (0x1E, text.chars().any(char::is_control)),
        DisplayText::Utf8(text) => (0x0C, text.as_str().chars().any(char::is_control)),
    };
    if length(text) > MOST_CHARACTERS {
        sink.find_at(&list::NOTICE_LENGTH, || whole.component(tag));
    }
    match text {
        DisplayText::Ia5(_) => sink.find_at(&list::NOTICE_IA5, || whole.component(tag)),
        DisplayText::Visible(_) | DisplayText::Bmp(_) => {
            sink.find_at(&list::NOTICE_NOT_UTF8, || whole.component(tag));
        }
        DisplayText::Utf8(text) if !text.as_str().is_ascii() && !is_nfc(text.as_str()) => {
            sink.find_at(&list::NOTICE_NOT_NORMALIZED, || whole.component(tag));
        }
        DisplayText::Utf8(_) => {}
    }
    if control {
        sink.find_at(&list::NOTICE_CONTROL_CHARACTER, || whole.component(tag));
    }
}

/// Checks each mapping. `asserted` is the value of the certificate policies.
pub(super) fn mappings<'a>(sink: &mut Sink, mappings: &PolicyMappings<'a>, asserted: Option<Element<'a>>) {
    let mut policies = Seen::default();
    if let Some(list) = asserted.and_then(tolerantly::<CertificatePolicies<'a>>) {
        for policy in list.0.iter().filter_map(Result::ok) {
            policies.insert(policy.policy_identifier.as_bytes());
        }
    }
    each(sink, mappings.0.content(), mappings.0.offset(), |sink, mapping: PolicyMapping<'a>, item| {
        let (from, to) = (mapping.issuer_domain_policy, mapping.subject_domain_policy);
        if from == oids::ANY_POLICY || to == oids::ANY_POLICY {
            sink.find(&list::ANY_POLICY_MAPPED, item.offset);
        }
        if !policies.has(from.as_bytes()) {
            sink.find(&list::MAPPED_POLICY_NOT_ASSERTED, item.offset);
        }
    });
}

/// Decodes a value that was already checked, without reporting its faults again.
fn tolerantly<'a, T: Decode<'a>>(element: Element<'a>) -> Option<T> {
    let mut nobody = Sink::new(&super::Options::none());
    value(&mut nobody, element)
}
