//! Statements of qualified certificates (RFC 3739 §3.2.6, ETSI EN 319 412-5, ETSI TS 119 495).

use tagwise_codec::{Fault, FaultKind, Ia5, Int, Oid, Open, Printable, Reader, Rule, SeqOf, Unknown, Utf8};
use tagwise_derive::Asn1;

use crate::ext::GeneralName;
use crate::oids;

/// ```asn1
/// QCStatements ::= SEQUENCE OF QCStatement
/// ```
///
/// Statements of a qualified certificate (RFC 3739 §3.2.6).
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::{ext::QcStatements, oids};
/// let statements = QcStatements::from_der(b"\x30\x0A\x30\x08\x06\x06\x04\x00\x8E\x46\x01\x01")?;
/// assert!(statements.find(oids::ETSI_QCS_QC_COMPLIANCE).is_some());
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "QCStatements")]
pub struct QcStatements<'a>(
    /// The statements.
    pub SeqOf<'a, QcStatement<'a>>,
);

impl<'a> QcStatements<'a> {
    /// Returns the first statement with the given identifier.
    #[must_use]
    pub fn find(&self, statement_id: Oid<'_>) -> Option<QcStatement<'a>> {
        self.0.iter().map_while(Result::ok).find(|statement| statement.statement_id == statement_id)
    }
}

/// ```asn1
/// QCStatement ::= SEQUENCE {
///     statementId   OBJECT IDENTIFIER,
///     statementInfo ANY DEFINED BY statementId OPTIONAL}
/// ```
///
/// A statement of a qualified certificate (RFC 3739 §3.2.6).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "QCStatement")]
pub struct QcStatement<'a> {
    /// The statement's identifier. Known ones are in [`oids`](crate::oids).
    pub statement_id: Oid<'a>,
    /// Additional information.
    #[asn1(defined_by = statement_id)]
    pub statement_info: Option<Open<'a, QcStatementInfo<'a>>>,
}

/// Additional information in a [`QcStatement`], selected by its identifier.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type, name = "SupportedStatements")]
pub enum QcStatementInfo<'a> {
    /// `id-qcs-pkixQCSyntax-v1`: the certificate conforms to RFC 3039.
    #[asn1(oid = oids::QCS_PKIX_QC_SYNTAX_V1, name = "SemanticsInformation")]
    SyntaxV1(SemanticsInformation<'a>),
    /// `id-qcs-pkixQCSyntax-v2`: the certificate conforms to RFC 3739.
    #[asn1(oid = oids::QCS_PKIX_QC_SYNTAX_V2, name = "SemanticsInformation")]
    SyntaxV2(SemanticsInformation<'a>),
    /// `id-etsi-qcs-QcLimitValue`: the maximum value of a transaction.
    #[asn1(oid = oids::ETSI_QCS_QC_LIMIT_VALUE, name = "QcEuLimitValue")]
    LimitValue(MonetaryValue<'a>),
    /// `id-etsi-qcs-QcRetentionPeriod`: the number of years that records are kept.
    #[asn1(oid = oids::ETSI_QCS_QC_RETENTION_PERIOD, name = "QcEuRetentionPeriod")]
    RetentionPeriod(Int<'a>),
    /// `id-etsi-qcs-QcPDS`: the locations of PKI disclosure statements.
    #[asn1(oid = oids::ETSI_QCS_QC_PDS, name = "QcEuPDS")]
    Pds(PdsLocations<'a>),
    /// `id-etsi-qcs-QcType`: the purposes of the certificate.
    #[asn1(oid = oids::ETSI_QCS_QC_TYPE, name = "QcType")]
    Type(SeqOf<'a, Oid<'a>>),
    /// `id-etsi-qcs-QcCClegislation`: the countries under whose legislation the certificate is qualified.
    #[asn1(oid = oids::ETSI_QCS_QC_CC_LEGISLATION, name = "QcCClegislation")]
    CountriesOfLegislation(SeqOf<'a, CountryName<'a>>),
    /// `id-etsi-psd2-qcStatement`: a payment service provider's roles and competent authority (ETSI TS 119 495 §5.1).
    #[asn1(oid = oids::ETSI_PSD2_QC_STATEMENT, name = "PSD2QcType")]
    Psd2(Psd2QcType<'a>),
    /// An unknown statement.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// SemanticsInformation ::= SEQUENCE {
///     semanticsIdentifier         OBJECT IDENTIFIER OPTIONAL,
///     nameRegistrationAuthorities NameRegistrationAuthorities OPTIONAL }
///     (WITH COMPONENTS {..., semanticsIdentifier PRESENT}|
///      WITH COMPONENTS {..., nameRegistrationAuthorities PRESENT})
///
/// NameRegistrationAuthorities ::=  SEQUENCE SIZE (1..MAX) OF GeneralName
/// ```
///
/// The semantics of the subject's name attributes (RFC 3739 §3.2.6.1).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(check = check_semantics)]
pub struct SemanticsInformation<'a> {
    /// The identifier of the semantics.
    pub semantics_identifier: Option<Oid<'a>>,
    /// The authorities that register the names.
    #[asn1(size(1..))]
    pub name_registration_authorities: Option<SeqOf<'a, GeneralName<'a>>>,
}

fn check_semantics(semantics: &SemanticsInformation<'_>, reader: &Reader<'_, '_>, at: usize) -> Result<(), Fault> {
    if semantics.semantics_identifier.is_some() || semantics.name_registration_authorities.is_some() {
        Ok(())
    } else {
        reader.deviate(&Rule::VALUE, FaultKind::Value, at)
    }
}

/// ```asn1
/// MonetaryValue::= SEQUENCE {
///     currency Iso4217CurrencyCode,
///     amount   INTEGER,
///     exponent INTEGER}
///     -- value = amount * 10^exponent
/// ```
///
/// An amount of money (ETSI EN 319 412-5 §4.3.2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonetaryValue<'a> {
    /// The currency.
    pub currency: Iso4217CurrencyCode<'a>,
    /// The amount, to be multiplied by 10^exponent.
    pub amount: Int<'a>,
    /// The exponent of the power of ten.
    pub exponent: Int<'a>,
}

/// ```asn1
/// Iso4217CurrencyCode ::= CHOICE {
///     alphabetic PrintableString (SIZE (3)), -- Recommended
///     numeric INTEGER (1..999) }
/// ```
///
/// A currency (ETSI EN 319 412-5 §4.3.2).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iso4217CurrencyCode<'a> {
    /// A three-letter code.
    #[asn1(size(3))]
    Alphabetic(Printable<'a>),
    /// A numeric code.
    #[asn1(value(1..=999))]
    Numeric(u16),
}

/// ```asn1
/// PdsLocations ::= SEQUENCE SIZE (1..MAX) OF PdsLocation
/// ```
///
/// Locations of PKI disclosure statements (ETSI EN 319 412-5 §4.3.4).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..))]
pub struct PdsLocations<'a>(
    /// The statements, in different languages.
    pub SeqOf<'a, PdsLocation<'a>>,
);

/// ```asn1
/// PdsLocation ::= SEQUENCE {
///     url      IA5String,
///     language PrintableString (SIZE(2))} --ISO 639-1 language code
/// ```
///
/// The location of a PKI disclosure statement (ETSI EN 319 412-5 §4.3.4).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
pub struct PdsLocation<'a> {
    /// The URL of the statement.
    pub url: Ia5<'a>,
    /// The language of the statement.
    #[asn1(size(2))]
    pub language: Printable<'a>,
}

/// ```asn1
/// CountryName ::= PrintableString (SIZE (2))
/// ```
///
/// An ISO 3166-1 country code (ETSI EN 319 412-5 §4.2.4).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(size(2))]
pub struct CountryName<'a>(
    /// The two letters.
    pub Printable<'a>,
);

/// ```asn1
/// PSD2QcType ::= SEQUENCE{
///     rolesOfPSP RolesOfPSP,
///     nCAName    NCAName,
///     nCAId      NCAId }
///
/// RolesOfPSP ::= SEQUENCE OF RoleOfPSP
/// NCAName ::= UTF8String (SIZE (1..256))
/// NCAId ::= UTF8String (SIZE (1..256))
/// ```
///
/// A payment service provider (ETSI TS 119 495 §5.1).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "PSD2QcType")]
pub struct Psd2QcType<'a> {
    /// The provider's roles.
    #[asn1(name = "rolesOfPSP")]
    pub roles_of_psp: SeqOf<'a, RoleOfPsp<'a>>,
    /// The name of the competent authority.
    #[asn1(name = "nCAName", size(1..=256))]
    pub nca_name: Utf8<'a>,
    /// The competent authority's identifier.
    #[asn1(name = "nCAId", size(1..=256))]
    pub nca_id: Utf8<'a>,
}

/// ```asn1
/// RoleOfPSP ::= SEQUENCE{
///     roleOfPspOid  RoleOfPspOid,
///     roleOfPspName RoleOfPspName }
///
/// RoleOfPspOid ::= OBJECT IDENTIFIER
/// RoleOfPspName ::= UTF8String (SIZE (1..256))
/// ```
///
/// A role of a payment service provider (ETSI TS 119 495 §5.1).
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "RoleOfPSP")]
pub struct RoleOfPsp<'a> {
    /// The role's identifier.
    pub role_of_psp_oid: Oid<'a>,
    /// The role's name.
    #[asn1(size(1..=256))]
    pub role_of_psp_name: Utf8<'a>,
}
