//! A fully decoded certificate of a candidate path, with its extensions by type and position.

use core::cell::OnceCell;
use std::rc::Rc;

use tagwise_codec::OidBuf;
use tagwise_codec::{Decode, Deviation, FaultKind, Options, Rule as Leniency, RuleSet as Tolerated, Typed};
use tagwise_pkix::ext::{
    AuthorityKeyIdentifier, BasicConstraints, CertificatePolicies, ExtKeyUsage, InhibitAnyPolicy, KeyUsage,
    KnownExtension, NameConstraints, PolicyConstraints, PolicyMappings, SubjectAltName, SubjectKeyIdentifier,
    TlsFeature,
};
use tagwise_pkix::{Certificate, CertificateBuf, Extension, oids};

use crate::constraints::Subtrees;
use crate::refusal::Refusal;
use crate::rules::{Rule, RuleSet};

/// A decoded extension and its position.
#[derive(Clone, Copy)]
pub(crate) struct Ext<T> {
    pub(crate) value: T,
    pub(crate) critical: bool,
    /// The offset of the value in the certificate.
    pub(crate) offset: usize,
}

/// A certificate with everything needed to validate it.
pub(crate) struct Cert<'p> {
    pub(crate) buf: &'p CertificateBuf,
    pub(crate) certificate: Certificate<'p>,
    pub(crate) self_issued: bool,
    pub(crate) basic: Option<Ext<BasicConstraints<'p>>>,
    /// The key usage as a bit mask, in which bit n is `1 << n`.
    pub(crate) usage: Option<Ext<u64>>,
    pub(crate) purposes: Option<Ext<ExtKeyUsage<'p>>>,
    pub(crate) names: Option<Ext<SubjectAltName<'p>>>,
    pub(crate) constraints: Option<Ext<NameConstraints<'p>>>,
    pub(crate) policies: Option<Ext<CertificatePolicies<'p>>>,
    pub(crate) mappings: Option<Ext<PolicyMappings<'p>>>,
    pub(crate) policy_constraints: Option<Ext<PolicyConstraints<'p>>>,
    pub(crate) inhibit_any: Option<Ext<InhibitAnyPolicy<'p>>>,
    pub(crate) authority_key: Option<Ext<AuthorityKeyIdentifier<'p>>>,
    pub(crate) subject_key: Option<Ext<SubjectKeyIdentifier<'p>>>,
    pub(crate) features: Option<Ext<TlsFeature<'p>>>,
    /// The subtrees of the name constraints, read on first use.
    subtrees: OnceCell<Result<Rc<Subtrees<'p>>, Refusal>>,
    /// The first critical extension that is not supported.
    not_understood: Option<(String, usize)>,
    /// The deviations that the policy tolerated.
    pub(crate) tolerated: Vec<Deviation>,
}

/// Bits of the key usage (RFC 5280 §4.2.1.3).
pub(crate) const DIGITAL_SIGNATURE: u64 = 1;
pub(crate) const KEY_CERT_SIGN: u64 = 1 << 5;
pub(crate) const CRL_SIGN: u64 = 1 << 6;

/// Critical extensions that are applied, or that impose no requirement on a path. The first nine are applied by §6.1, key
/// identifiers order candidates, and the rest are locations.
const UNDERSTOOD: &[tagwise_codec::Oid<'static>] = &[
    BasicConstraints::ID,
    KeyUsage::ID,
    ExtKeyUsage::ID,
    SubjectAltName::ID,
    NameConstraints::ID,
    CertificatePolicies::ID,
    PolicyMappings::ID,
    PolicyConstraints::ID,
    InhibitAnyPolicy::ID,
    AuthorityKeyIdentifier::ID,
    SubjectKeyIdentifier::ID,
    tagwise_pkix::ext::IssuerAltName::ID,
    tagwise_pkix::ext::CrlDistributionPoints::ID,
    tagwise_pkix::ext::FreshestCrl::ID,
];

impl<'p> Cert<'p> {
    /// Decodes a complete certificate, tolerating the deviations that the policy allows. If `is_strict`, every byte of it is known
    /// to conform.
    pub(crate) fn read(
        buf: &'p CertificateBuf,
        is_strict: bool,
        tolerate: Tolerated,
        understood: &[OidBuf],
    ) -> Result<Self, Refusal> {
        let (certificate, tolerated) =
            if is_strict { (*buf.get(), Vec::new()) } else { decode(buf.as_der(), tolerate)? };
        let tbs = &certificate.tbs_certificate;
        let mut cert = Self {
            buf,
            certificate,
            self_issued: tbs.issuer.matches(&tbs.subject),
            basic: None,
            usage: None,
            purposes: None,
            names: None,
            constraints: None,
            policies: None,
            mappings: None,
            policy_constraints: None,
            inhibit_any: None,
            authority_key: None,
            subject_key: None,
            features: None,
            subtrees: OnceCell::new(),
            not_understood: None,
            tolerated,
        };
        // All sizes have already been checked.
        let options = Options::der().rules(tolerate.with(&Leniency::SIZE));
        if let Some(extensions) = tbs.extensions {
            for extension in extensions.iter() {
                let extension = extension.map_err(|error| Refusal::malformed(&error))?;
                cert.take(&extension, &options, understood)?;
            }
        }
        Ok(cert)
    }

    fn take(&mut self, extension: &Extension<'p>, options: &Options<'_>, handled: &[OidBuf]) -> Result<(), Refusal> {
        let id = extension.extn_id;
        if extension.critical && !UNDERSTOOD.contains(&id) && !handled.iter().any(|handled| *handled == id) {
            let name = oids::lookup(id).map_or_else(|| id.to_string(), |info| format!("{} ({id})", info.name));
            let offset = self.offset_of(id.as_bytes());
            self.not_understood.get_or_insert((name, offset));
        }
        match id {
            BasicConstraints::ID => self.basic = Some(read(extension, options)?),
            KeyUsage::ID => {
                let usage: Ext<KeyUsage<'_>> = read(extension, options)?;
                // RFC 5280 defines nine bits; others have no meaning.
                let value = (0..9).filter(|bit| usage.value.0.contains(*bit)).fold(0, |mask, bit| mask | 1 << bit);
                self.usage = Some(Ext { value, critical: usage.critical, offset: usage.offset });
            }
            ExtKeyUsage::ID => self.purposes = Some(read(extension, options)?),
            SubjectAltName::ID => self.names = Some(read(extension, options)?),
            NameConstraints::ID => self.constraints = Some(read(extension, options)?),
            CertificatePolicies::ID => {
                let policies: Ext<CertificatePolicies<'p>> = read(extension, options)?;
                if let Some(id) = policies.critical.then(|| unknown_qualifier(&policies.value)).flatten() {
                    let offset = self.offset_of(id.as_bytes());
                    self.not_understood.get_or_insert((format!("certificatePolicies with the qualifier {id}"), offset));
                }
                self.policies = Some(policies);
            }
            PolicyMappings::ID => self.mappings = Some(read(extension, options)?),
            PolicyConstraints::ID => self.policy_constraints = Some(read(extension, options)?),
            InhibitAnyPolicy::ID => self.inhibit_any = Some(read(extension, options)?),
            AuthorityKeyIdentifier::ID => self.authority_key = Some(read(extension, options)?),
            SubjectKeyIdentifier::ID => self.subject_key = Some(read(extension, options)?),
            TlsFeature::ID => self.features = Some(read(extension, options)?),
            _ => {}
        }
        Ok(())
    }

    /// Returns the certificate's DER.
    pub(crate) fn der(&self) -> &'p [u8] {
        self.buf.as_der()
    }

    /// Returns the offset of a part of the certificate.
    pub(crate) fn offset_of(&self, part: &[u8]) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.der().as_ptr() as usize)
    }

    /// Returns the offset of the subject's public key.
    pub(crate) fn key_offset(&self) -> usize {
        self.offset_of(self.certificate.tbs_certificate.subject_public_key_info.algorithm.algorithm.as_bytes())
    }

    /// Returns the offset of the signature algorithm's identifier.
    pub(crate) fn algorithm_offset(&self) -> usize {
        self.offset_of(self.certificate.signature_algorithm.algorithm.as_bytes())
    }

    /// Returns the offset of the signature.
    pub(crate) fn signature_offset(&self) -> usize {
        self.offset_of(self.certificate.signature_value.as_bytes())
    }

    /// Returns the offset to report for a missing extension: the offset of the extensions or, without extensions, of the
    /// TBSCertificate.
    pub(crate) fn extensions_offset(&self) -> usize {
        let tbs = &self.certificate.tbs_certificate;
        tbs.extensions.map_or(tbs.offset(), |extensions| extensions.as_seq_of().offset())
    }

    /// Returns the subtrees of the name constraints, if any.
    pub(crate) fn subtrees(&self, rules: RuleSet) -> Option<Result<Rc<Subtrees<'p>>, Refusal>> {
        let constraints = self.constraints.as_ref()?;
        let read = || Subtrees::new(&constraints.value, rules).map(Rc::new);
        Some(self.subtrees.get_or_init(read).clone().map_err(|refusal| refusal.at(constraints.offset)))
    }

    /// Returns the subject on one line or, if it is empty, an alternative name or the serial number.
    pub(crate) fn title(&self) -> String {
        let tbs = &self.certificate.tbs_certificate;
        if !tbs.subject.is_empty() {
            return tbs.subject.oneline().to_string();
        }
        match self.names.as_ref().and_then(|names| names.value.0.iter().map_while(Result::ok).next()) {
            Some(name) => format!("(no subject) {name}"),
            None => format!("(no subject) serial number {}", tbs.serial_number.hex()),
        }
    }

    /// Returns whether the basic constraints identify the certificate as a CA's.
    pub(crate) fn is_ca(&self) -> bool {
        self.basic.is_some_and(|basic| basic.value.ca)
    }

    /// Checks that no critical extension is unsupported: §6.1.4 (o), §6.1.5 (f).
    pub(crate) fn understood(&self) -> Result<(), Refusal> {
        match &self.not_understood {
            None => Ok(()),
            Some((name, offset)) => {
                let message = format!("unknown critical extension {name}");
                Err(Refusal::new(Rule::UnknownCritical, message).at(*offset))
            }
        }
    }
}

/// Returns the identifier of a policy qualifier that RFC 5280 does not define. If the policies are critical, §4.2.1.4 requires
/// software to "interpret this extension (including the optional qualifier)", or to reject the certificate.
fn unknown_qualifier<'p>(policies: &CertificatePolicies<'p>) -> Option<tagwise_codec::Oid<'p>> {
    let informations = policies.0.iter().map_while(Result::ok);
    let qualifiers = informations.filter_map(|information| information.policy_qualifiers);
    let mut ids = qualifiers
        .flat_map(|qualifiers| qualifiers.iter().map_while(Result::ok).map(|qualifier| qualifier.policy_qualifier_id));
    ids.find(|id| *id != oids::QT_CPS && *id != oids::QT_UNOTICE)
}

fn read<'p, T: Decode<'p>>(extension: &Extension<'p>, options: &Options<'_>) -> Result<Ext<T>, Refusal> {
    let offset = extension.extn_value.offset();
    // Without options, for speed: anything accepted here would be accepted with options, too.
    if let Ok(value) = T::outline(extension.extn_value.as_bytes()) {
        return Ok(Ext { value, critical: extension.critical, offset });
    }
    match options.outline::<T>(extension.extn_value.as_bytes()) {
        Ok(read) => Ok(Ext { value: read.value, critical: extension.critical, offset }),
        Err(error) => {
            let message = format!("{} ({})", error.message(), error.clause());
            let refusal = Refusal::new(Rule::Malformed, message).at(offset + error.offset());
            Err(Refusal { decoding: error.rule(), ..refusal })
        }
    }
}

/// Reads every byte of a certificate that does not conform, and lists what is tolerated.
fn decode(der: &[u8], tolerate: Tolerated) -> Result<(Certificate<'_>, Vec<Deviation>), Refusal> {
    let error = match Options::der().rules(tolerate).decode::<Certificate<'_>>(der) {
        Ok(read) => return Ok((read.value, read.deviations)),
        Err(error) => error,
    };
    if error.rule() != Some(&Leniency::SIZE) || !is_explicit_text(&error) {
        return Err(Refusal::malformed(&error));
    }
    // RFC 5280 §4.2.1.4 asks users to handle an explicitText of more than 200 characters gracefully, but no other excess size.
    let read = Options::der().rules(tolerate.with(&Leniency::SIZE)).decode::<Certificate<'_>>(der);
    let read = read.map_err(|error| Refusal::malformed(&error))?;
    for deviation in read.deviations.iter().filter(|deviation| *deviation.rule == Leniency::SIZE) {
        let fault = tagwise_codec::Fault::new(FaultKind::Size, deviation.offset);
        let error = tagwise_codec::Error::locate(fault, Certificate::ty(), der);
        if !is_explicit_text(&error) {
            return Err(Refusal::malformed(&error));
        }
    }
    Ok((read.value, read.deviations))
}

fn is_explicit_text(error: &tagwise_codec::Error) -> bool {
    error.path().ends_with(".explicitText")
}
