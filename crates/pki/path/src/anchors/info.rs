//! Trust anchors in RFC 5914 formats: TrustAnchorInfo and TrustAnchorList.

use tagwise_codec::OidBuf;
use tagwise_codec::{BitStr, Captured, Decode, Error, NamedBits, OctetStr, SeqOf, Utf8, encode};
use tagwise_derive::Asn1;
use tagwise_pkix::ext::{CertificatePolicies, Count, ExtKeyUsage, KnownExtension as _, NameConstraints};
use tagwise_pkix::{Certificate, Extensions, Name, SubjectPublicKeyInfo, TbsCertificate, oids};

use super::{Anchor, AnchorConstraints};
use crate::pool;

/// ```asn1
/// TrustAnchorList ::= SEQUENCE SIZE (1..MAX) OF TrustAnchorChoice
/// ```
///
/// RFC 5914 §3.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..))]
struct TrustAnchorList<'a>(SeqOf<'a, TrustAnchorChoice<'a>>);

/// ```asn1
/// TrustAnchorChoice ::= CHOICE {
///      certificate  Certificate,
///      tbsCert      [1] EXPLICIT TBSCertificate,
///      taInfo       [2] EXPLICIT TrustAnchorInfo }
/// ```
///
/// RFC 5914 §3.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "made once and taken apart at once")]
enum TrustAnchorChoice<'a> {
    #[asn1(name = "certificate")]
    Certificate(Captured<'a, Certificate<'a>>),
    #[asn1(explicit = 1, name = "tbsCert")]
    TbsCert(Captured<'a, TbsCertificate<'a>>),
    #[asn1(explicit = 2, name = "taInfo")]
    TaInfo(TrustAnchorInfo<'a>),
}

/// ```asn1
/// TrustAnchorInfo ::= SEQUENCE {
///      version         TrustAnchorInfoVersion DEFAULT v1,
///      pubKey          SubjectPublicKeyInfo,
///      keyId           KeyIdentifier,
///      taTitle         TrustAnchorTitle OPTIONAL,
///      certPath        CertPathControls OPTIONAL,
///      exts            [1] EXPLICIT Extensions OPTIONAL,
///      taTitleLangTag  [2] UTF8String OPTIONAL }
/// ```
///
/// RFC 5914 §2.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct TrustAnchorInfo<'a> {
    #[asn1(default = 1)]
    version: u8,
    pub_key: SubjectPublicKeyInfo<'a>,
    key_id: OctetStr<'a>,
    #[asn1(size(1..=64))]
    ta_title: Option<Utf8<'a>>,
    cert_path: Option<CertPathControls<'a>>,
    #[asn1(explicit = 1)]
    exts: Option<Extensions<'a>>,
    #[asn1(implicit = 2)]
    ta_title_lang_tag: Option<Utf8<'a>>,
}

/// ```asn1
/// CertPathControls ::= SEQUENCE {
///      taName             Name,
///      certificate        [0] Certificate OPTIONAL,
///      policySet          [1] CertificatePolicies OPTIONAL,
///      policyFlags        [2] CertPolicyFlags OPTIONAL,
///      nameConstr         [3] NameConstraints OPTIONAL,
///      pathLenConstraint  [4] INTEGER (0..MAX) OPTIONAL }
/// ```
///
/// RFC 5914 §2.5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
struct CertPathControls<'a> {
    ta_name: Name<'a>,
    #[asn1(implicit = 0)]
    certificate: Option<Certificate<'a>>,
    #[asn1(implicit = 1)]
    policy_set: Option<CertificatePolicies<'a>>,
    #[asn1(implicit = 2)]
    policy_flags: Option<CertPolicyFlags<'a>>,
    #[asn1(implicit = 3)]
    name_constr: Option<NameConstraints<'a>>,
    #[asn1(implicit = 4)]
    path_len_constraint: Option<Count<'a>>,
}

/// ```asn1
/// CertPolicyFlags ::= BIT STRING {
///      inhibitPolicyMapping(0), requireExplicitPolicy(1), inhibitAnyPolicy(2) }
/// ```
///
/// RFC 5914 §2.5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Default)]
#[asn1(named_bits(inhibit_policy_mapping = 0, require_explicit_policy = 1, inhibit_any_policy = 2))]
struct CertPolicyFlags<'a>(NamedBits<'a>);

impl Anchor {
    /// Decodes the anchors of a TrustAnchorList in DER (RFC 5914 §3): certificates, or names and keys with their
    /// constraints.
    ///
    /// Anchors without a name (RFC 5914 §2.5) cannot end a path and are omitted. Anchors with an unknown version, an unsupported
    /// critical extension, or a certificate for a different name or key are omitted too.
    ///
    /// ```
    /// use tagwise_path::Anchor;
    /// assert_eq!(Anchor::from_list(&[0x30, 0x00]).unwrap_err().code(), "size");
    /// ```
    ///
    /// # Errors
    /// Returns an error if the list is malformed.
    pub fn from_list(der: &[u8]) -> Result<Vec<Self>, Error> {
        let mut anchors = Vec::new();
        for choice in TrustAnchorList::from_der(der)?.0.iter() {
            match choice? {
                TrustAnchorChoice::Certificate(certificate) => {
                    anchors.push(Self::from_certificate(certificate.as_bytes())?)
                }
                TrustAnchorChoice::TbsCert(tbs) => {
                    // Like a certificate whose signature is not checked, so that its extensions apply (RFC 5937 §3.2).
                    let signature_algorithm = tbs.signature;
                    let signature_value = BitStr::from_octets(&[]);
                    let certificate = Certificate { tbs_certificate: tbs, signature_algorithm, signature_value };
                    anchors.push(Self::from_certificate(encode(&certificate).unwrap_or_default())?);
                }
                TrustAnchorChoice::TaInfo(info) => anchors.extend(of_info(&info)?),
            }
        }
        Ok(anchors)
    }

    /// Decodes an anchor from a TrustAnchorInfo in DER (RFC 5914 §2). Returns `None` if it has no name (and so cannot end
    /// a path), an unknown version, an unsupported critical extension, or a certificate for a different name or key.
    ///
    /// ```
    /// use tagwise_path::Anchor;
    /// assert!(Anchor::from_info(&[0x30, 0x00]).is_err());
    /// ```
    ///
    /// # Errors
    /// Returns an error if the anchor is malformed.
    pub fn from_info(der: &[u8]) -> Result<Option<Self>, Error> {
        of_info(&TrustAnchorInfo::from_der(der)?)
    }

    fn from_parts(name: &Name<'_>, key: &SubjectPublicKeyInfo<'_>, constraints: AnchorConstraints) -> Self {
        // Both were read strictly, so they encode to the same bytes.
        let (name, key) = (encode(name).unwrap_or_default().into(), encode(key).unwrap_or_default().into());
        Self { constraints, ..Self::of(name, key) }
    }
}

fn of_info(info: &TrustAnchorInfo<'_>) -> Result<Option<Anchor>, Error> {
    let Some(controls) = &info.cert_path else { return Ok(None) };
    if info.version != 1 || !is_understood(info)? {
        return Ok(None);
    }
    let has = |bit| controls.policy_flags.is_some_and(|flags| flags.0.contains(bit));
    let policies = controls.policy_set.map(|policies| {
        let listed = policies.0.iter().map_while(Result::ok);
        listed.map(|policy| OidBuf::from(policy.policy_identifier)).collect::<Vec<_>>()
    });
    // §2.6: extensions of the anchor, of which purposes are one.
    let purposes = match info.exts {
        Some(extensions) => extensions.get::<ExtKeyUsage<'_>>()?,
        None => None,
    };
    let purposes =
        purposes.map(|purposes| purposes.0.iter().map_while(Result::ok).map(OidBuf::from).collect::<Vec<_>>());
    let constraints = AnchorConstraints {
        label: info.ta_title.map(|title| title.as_str().to_owned()),
        path_length: controls.path_len_constraint.map(|limit| limit.get()),
        name_constraints: controls.name_constr.and_then(|constraints| encode(&constraints).ok()),
        policies: policies.filter(|policies| !policies.iter().any(|policy| *policy == oids::ANY_POLICY)),
        explicit_policy: has(1),
        inhibit_mapping: has(0),
        inhibit_any: has(2),
        purposes: purposes.filter(|purposes| !purposes.iter().any(|purpose| *purpose == oids::ANY_EXTENDED_KEY_USAGE)),
        rejected: Vec::new(),
        distrust_after: Vec::new(),
        assumption: None,
    };
    let mut anchor = Anchor::from_parts(&controls.ta_name, &info.pub_key, constraints);
    if let Some(certificate) = &controls.certificate {
        let tbs = &certificate.tbs_certificate;
        if !tbs.subject.matches(&controls.ta_name) || tbs.subject_public_key_info != info.pub_key {
            return Ok(None);
        }
        // Its extensions limit the anchor as well (RFC 5937 §3.2).
        anchor.certificate = Some(pool::read(encode(certificate).unwrap_or_default())?);
    }
    Ok(Some(anchor))
}

/// Returns whether every critical extension of an anchor is supported. Only the extended key usage is.
fn is_understood(info: &TrustAnchorInfo<'_>) -> Result<bool, Error> {
    for extension in info.exts.iter().flat_map(Extensions::iter) {
        let extension = extension?;
        if extension.critical && extension.extn_id != ExtKeyUsage::ID {
            return Ok(false);
        }
    }
    Ok(true)
}
