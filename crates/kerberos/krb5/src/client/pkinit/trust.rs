//! Validation of the KDC's certificate: its path to a trust anchor, its purpose, and its realm (RFC 4556 §3.2.4).

use tagwise_codec::{Options, RuleSet};
use tagwise_crypto::Backend;
use tagwise_path::{
    Anchors, CryptoVerifier, ExpectedName, OidBuf, Path, Policy, Pool, Profile, RevocationMode, RevocationPolicy,
    verify,
};
use tagwise_pkix::ext::{GeneralName, OtherNameValue, SubjectAltName};
use tagwise_pkix::{Certificate, CertificateList, UnixTime, oids};

use crate::Principal;

use super::super::ClientError;

/// The key usage bit digitalSignature.
const DIGITAL_SIGNATURE: u16 = 1;

/// The required extended key usage of the KDC's certificate (`pkinit_eku_checking`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KdcUsage {
    /// id-pkinit-KPKdc (RFC 4556 §3.2.4). `kpKDC` in configurations.
    #[default]
    Kdc,
    /// id-pkinit-KPKdc or, as in old domain controllers, id-kp-serverAuth. `kpServerAuth` in configurations.
    ServerAuth,
    /// No requirement: any certificate with the realm's or host's name is accepted as a KDC certificate. `none` in configurations.
    Any,
}

/// The requirements on the KDC's certificate.
#[derive(Clone, Debug)]
pub struct KdcTrust {
    /// The trust anchors (`pkinit_anchors`). If there are none, no KDC is trusted.
    pub anchors: Anchors,
    /// DER-encoded intermediate certificates, in addition to those that the KDC sends (`pkinit_pool`).
    pub intermediates: Vec<Vec<u8>>,
    /// The required extended key usage.
    pub usage: KdcUsage,
    /// Host names that are accepted in the certificate instead of the realm's name (`pkinit_kdc_hostname`).
    pub host_names: Vec<String>,
    /// DER-encoded CRLs (`pkinit_revoke`).
    pub crls: Vec<Vec<u8>>,
    /// True to reject certificates that no CRL covers (`pkinit_require_crl_checking`).
    pub require_crls: bool,
    /// The path validation profile.
    pub profile: &'static Profile,
}

impl KdcTrust {
    /// Creates requirements with the given trust anchors and the defaults of RFC 4556 and RFC 5280: the KDC's extended key usage and the
    /// realm's name, without CRLs.
    #[must_use]
    pub const fn new(anchors: Anchors) -> Self {
        Self {
            anchors,
            intermediates: Vec::new(),
            usage: KdcUsage::Kdc,
            host_names: Vec::new(),
            crls: Vec::new(),
            require_crls: false,
            profile: &Profile::RFC5280,
        }
    }

    /// Checks that a certificate belongs to one of the realm's KDCs. `sent` contains the other certificates that the KDC sent.
    pub(super) fn check(
        &self,
        backend: &dyn Backend,
        leaf: &[u8],
        sent: &[Vec<u8>],
        realm: &[u8],
        now: UnixTime,
    ) -> Result<(), ClientError> {
        let names = if names_realm(leaf, realm)? { None } else { Some(self.host_names.as_slice()) };
        if names.is_some_and(<[_]>::is_empty) {
            let realm = String::from_utf8_lossy(realm).escape_debug().to_string();
            return Err(ClientError::KdcCertificate(format!(
                "its subjectAltName does not contain krbtgt/{realm}@{realm} (RFC 4556 §3.2.4)"
            )));
        }
        let pool: Pool = sent.iter().chain(&self.intermediates).collect();
        let mut said = None;
        for name in names.map_or_else(|| vec![None], |names| names.iter().map(Some).collect()) {
            for purpose in self.purposes() {
                let mut policy = self.policy(now);
                if let Some(name) = name {
                    let name = ExpectedName::dns(name);
                    policy.names.push(name.map_err(|error| ClientError::KdcCertificate(error.to_string()))?);
                }
                policy.purposes.extend(purpose.iter().cloned());
                policy.explicit_purposes = purpose.is_some();
                match verify::path(leaf, &pool, &self.anchors, &policy, &CryptoVerifier(backend)) {
                    Ok(path) => return self.check_crls(&path, now),
                    // The first attempt is what the standard asks for; the others are what was allowed beside it.
                    Err(report) => said = said.or(Some(report)),
                }
            }
        }
        let why = said.as_ref().and_then(|report| report.refusal());
        Err(ClientError::KdcCertificate(match why {
            Some(refusal) => format!("{} ({})", refusal.message, refusal.clause),
            None => "no path to a trust anchor was found".to_owned(),
        }))
    }

    /// Rejects a path if all CRLs of one of its issuers are out of their time. Without this check, path validation would ignore them when
    /// CRLs are not required, and a revoked certificate would be accepted.
    fn check_crls(&self, path: &Path, now: UnixTime) -> Result<(), ClientError> {
        let options = Options::der().rules(RuleSet::ALL).parts(RuleSet::NONE);
        for certificate in &path.certificates {
            let issuer = certificate.get().tbs_certificate.issuer;
            let (mut is_current, mut wrong) = (false, None);
            for crl in &self.crls {
                let list = options.outline::<CertificateList<'_>>(crl)?.value.tbs_cert_list;
                if list.issuer != issuer {
                    continue;
                }
                let (begin, end) = (UnixTime::from(list.this_update), list.next_update.map(UnixTime::from));
                match end {
                    _ if begin > now => wrong = Some(format!("is not valid before {begin}")),
                    Some(end) if end < now => wrong = Some(format!("expired on {end}")),
                    _ => is_current = true,
                }
            }
            if let (false, Some(wrong)) = (is_current, wrong) {
                let text = format!("the CRL of its issuer {issuer} {wrong} (RFC 5280 §6.3.3)");
                return Err(ClientError::KdcCertificate(text));
            }
        }
        Ok(())
    }

    fn purposes(&self) -> Vec<Option<OidBuf>> {
        let kdc = Some(OidBuf::from(oids::PKINIT_KP_KDC));
        match self.usage {
            KdcUsage::Kdc => vec![kdc],
            KdcUsage::ServerAuth => vec![kdc, Some(OidBuf::from(oids::KP_SERVER_AUTH))],
            KdcUsage::Any => vec![None],
        }
    }

    fn policy(&self, now: UnixTime) -> Policy {
        let mut policy = Policy::new(self.profile, now);
        policy.key_usage = DIGITAL_SIGNATURE;
        policy.revocation = RevocationPolicy {
            mode: match (self.require_crls, self.crls.is_empty()) {
                (true, _) => RevocationMode::Require,
                (false, true) => RevocationMode::Ignore,
                (false, false) => RevocationMode::Prefer,
            },
            ..RevocationPolicy::default()
        };
        self.crls.iter().for_each(|crl| policy.revocation.evidence.add_crl(crl.as_slice()));
        policy
    }
}

/// Decodes only a certificate's outer structure. Path validation reports errors inside it.
pub(super) fn certificate(der: &[u8]) -> Result<Certificate<'_>, tagwise_codec::Error> {
    Ok(Options::der().rules(RuleSet::ALL).parts(RuleSet::NONE).outline::<Certificate<'_>>(der)?.value)
}

/// Returns whether a certificate's id-pkinit-san contains the name of the realm's ticket-granting service. The comparison is
/// case-sensitive and ignores the name type (RFC 4120 §6.2).
fn names_realm(leaf: &[u8], realm: &[u8]) -> Result<bool, ClientError> {
    let wanted = Principal::krbtgt(realm, realm);
    let leaf = certificate(leaf)?;
    let Some(extensions) = leaf.tbs_certificate.extensions else { return Ok(false) };
    let Some(names) = extensions.get::<SubjectAltName<'_>>()? else { return Ok(false) };
    for name in names.0.iter() {
        let GeneralName::OtherName(other) = name? else { continue };
        let Ok(OtherNameValue::Krb5PrincipalName(name)) = other.value.get() else { continue };
        let parts: Result<Vec<&[u8]>, _> =
            name.principal_name.name_string.iter().map(|part| part.map(|part| part.as_bytes())).collect();
        if name.realm.as_bytes() == wanted.realm() && parts? == wanted.components() {
            return Ok(true);
        }
    }
    Ok(false)
}
