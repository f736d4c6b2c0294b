//! CRL entries (RFC 5280 §5.3). There may be half a million, so each is checked once and nothing is retained.

use tagwise_codec::SeqOf;

use super::extension::{Ext, extensions};
use super::list;
use super::sink::Sink;
use super::walk::each;
use tagwise_x509::crl::RevokedCertificate;
use tagwise_x509::ext::{CertificateIssuer, CrlReason, GeneralName};

/// The facts from a CRL's extensions that apply to its entries.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    pub(super) is_delta: bool,
    pub(super) is_indirect: bool,
    /// The bits of onlySomeReasons, if present.
    pub(super) reasons: Option<u64>,
}

/// A checker for CRL entries.
pub(super) struct Entries {
    scope: Scope,
}

impl Entries {
    pub(super) const fn new(scope: Scope) -> Self {
        Self { scope }
    }

    pub(super) fn check<'a>(&self, sink: &mut Sink, entries: &SeqOf<'a, RevokedCertificate<'a>>) {
        each(sink, entries.content(), entries.offset(), |sink, entry: RevokedCertificate<'a>, _| {
            if let Some(list) = &entry.crl_entry_extensions {
                extensions(sink, list, &list::ENTRY_EXTENSION_VALUE, |sink, ext| self.extension(sink, ext));
            }
        });
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn extension(&self, sink: &mut Sink, ext: Ext<'_>) {
        match ext.id {
            [0x55, 0x1D, 21] => {
                ext.never_critical(sink, &list::REASON_CRITICAL);
                if let Some(reason) = ext.read(sink) {
                    self.reason(sink, reason, ext.value.offset);
                }
            }
            [0x55, 0x1D, 24] => {
                ext.never_critical(sink, &list::INVALIDITY_DATE_CRITICAL);
                ext.check(sink);
            }
            [0x55, 0x1D, 29] => {
                ext.always_critical(sink, &list::CERTIFICATE_ISSUER_NOT_CRITICAL);
                if !self.scope.is_indirect {
                    sink.find(&list::NOT_INDIRECT, ext.whole.offset);
                }
                if let Some(names) = ext.read::<CertificateIssuer<'_>>(sink) {
                    let mut named = false;
                    each(sink, names.0.0.content(), names.0.0.offset(), |_, name: GeneralName<'_>, _| {
                        named |= matches!(name, GeneralName::DirectoryName(name) if !name.is_empty());
                    });
                    if !named {
                        sink.find(&list::CERTIFICATE_ISSUER_WITHOUT_NAME, ext.value.offset);
                    }
                }
            }
            _ => {
                ext.unknown_critical(sink, &list::UNKNOWN_CRITICAL_ENTRY_EXTENSION);
                ext.check(sink);
            }
        }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn reason(&self, sink: &mut Sink, reason: CrlReason, at: usize) {
        match reason {
            CrlReason::Unspecified => {
                sink.find(&list::REASON_UNSPECIFIED, at);
                if self.scope.reasons.is_some() {
                    sink.find(&list::UNSPECIFIED_IN_SCOPE, at);
                }
            }
            CrlReason::RemoveFromCrl => {
                if !self.scope.is_delta {
                    sink.find(&list::REMOVE_FROM_COMPLETE, at);
                }
            }
            reason => {
                if self.scope.reasons.is_some_and(|reasons| reasons & flag(reason) == 0) {
                    sink.find(&list::REASON_OUT_OF_SCOPE, at);
                }
            }
        }
    }
}

/// Returns the ReasonFlags bit (§4.2.1.13) of a CRLReason (§5.3.1). Their numbers differ from 7 on.
const fn flag(reason: CrlReason) -> u64 {
    match reason {
        CrlReason::KeyCompromise => 1 << 1,
        CrlReason::CaCompromise => 1 << 2,
        CrlReason::AffiliationChanged => 1 << 3,
        CrlReason::Superseded => 1 << 4,
        CrlReason::CessationOfOperation => 1 << 5,
        CrlReason::CertificateHold => 1 << 6,
        CrlReason::PrivilegeWithdrawn => 1 << 7,
        CrlReason::AaCompromise => 1 << 8,
        CrlReason::Unspecified | CrlReason::RemoveFromCrl => 0,
    }
}
