//! Extensions defined by Netscape in the 1990s, which are still in use.

use tagwise_codec::{BitStr, General, Ia5, NamedBits};
use tagwise_derive::Asn1;

use crate::ext::bits;

/// ```asn1
/// NetscapeCertType ::= BIT STRING {
///     sslClient   (0),
///     sslServer   (1),
///     smime       (2),
///     objectSigning (3),
///     reserved    (4),
///     sslCA       (5),
///     smimeCA     (6),
///     objectSigningCA (7) }
/// ```
///
/// Netscape's certificate type. Netscape's specification does not use ASN.1, so the names of the bits are this library's
/// own.
///
/// ```
/// use tagwise_codec::Decode;
/// use tagwise_x509::ext::NetscapeCertType;
/// let ty = NetscapeCertType::from_der(&[0x03, 0x02, 0x00, 0x07])?;
/// assert!(ty.ssl_ca() && ty.names().eq(["sslCA", "smimeCA", "objectSigningCA"]));
/// # Ok::<(), tagwise_codec::Error>(())
/// ```
#[derive(Asn1, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[asn1(named_bits(
    ssl_client = 0,
    ssl_server = 1,
    smime = 2,
    object_signing = 3,
    reserved = 4,
    ssl_ca("sslCA") = 5,
    smime_ca("smimeCA") = 6,
    object_signing_ca("objectSigningCA") = 7
))]
pub struct NetscapeCertType<'a>(
    /// The bits.
    pub NamedBits<'a>,
);

bits::named!(NetscapeCertType);

macro_rules! texts {
    ($($name:ident, $what:literal;)*) => {$(
        /// ```asn1
        /// IA5String
        /// ```
        ///
        #[doc = concat!("Netscape Certificate Extensions: ", $what, ".")]
        #[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
        #[asn1(name = "IA5String")]
        pub struct $name<'a>(
            /// The text.
            pub Ia5<'a>,
        );
    )*};
}

texts! {
    NetscapeBaseUrl, "base of the relative URLs";
    NetscapeRevocationUrl, "revocation check of the certificate";
    NetscapeCaRevocationUrl, "revocation check of certificates issued by the CA";
    NetscapeRenewalUrl, "renewal of the certificate";
    NetscapeCaPolicyUrl, "the CA's policies";
    NetscapeSslServerName, "the server's host name, as a shell pattern";
    NetscapeComment, "comment for users";
}

/// ```asn1
/// EntrustVersInfoSyntax ::= SEQUENCE {
///     entrustVers      GeneralString,
///     entrustVersInfo  EntrustInfoFlags }
///
/// EntrustInfoFlags ::= BIT STRING {
///     keyUpdateAllowed  (0),
///     newExtensions     (1),
///     pKIXCertificate   (2) }
/// ```
///
/// The Entrust release that issued the certificate. The later flags were never published, and only some releases omit
/// trailing zero bits, so the flags are a plain BIT STRING.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq)]
#[asn1(name = "EntrustVersInfoSyntax")]
pub struct EntrustVersionInfo<'a> {
    /// The release.
    #[asn1(name = "entrustVers")]
    pub entrust_vers: General<'a>,
    /// The flags.
    #[asn1(name = "entrustVersInfo")]
    pub entrust_vers_info: BitStr<'a>,
}
