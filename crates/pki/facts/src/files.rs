//! Kinds of values in files: their names and PEM labels.
//!
//! ```
//! use tagwise_facts::files::{self, label};
//! assert_eq!(files::CRL.labels, [label::X509_CRL, label::CRL]);
//! assert_eq!(files::of_label("CRL").unwrap().name, "crl");
//! ```

macro_rules! labels {
    ($($constant:ident = $label:literal, $doc:literal;)*) => {
        /// The PEM labels, without duplicates.
        pub mod label {
            $(
                #[doc = $doc]
                pub const $constant: &str = $label;
            )*
        }
    };
}

labels! {
    CERTIFICATE = "CERTIFICATE", "A certificate (RFC 7468 §5).";
    X509_CERTIFICATE = "X509 CERTIFICATE", "A certificate, as old programs label it (RFC 7468 §5.1).";
    TRUSTED_CERTIFICATE = "TRUSTED CERTIFICATE", "A certificate followed by OpenSSL's trust settings.";
    X509_CRL = "X509 CRL", "A CRL (RFC 7468 §6).";
    CRL = "CRL", "A CRL, as old programs label it (RFC 7468 §6).";
    CERTIFICATE_REQUEST = "CERTIFICATE REQUEST", "A certification request (RFC 7468 §7).";
    NEW_CERTIFICATE_REQUEST = "NEW CERTIFICATE REQUEST", "A certification request, as old programs label it (RFC 7468 §7).";
    PKCS7 = "PKCS7", "A PKCS #7 message (RFC 7468 §8).";
    PKCS7_SIGNED_DATA = "PKCS #7 SIGNED DATA", "A PKCS #7 message, as OpenSSL also reads it.";
    CMS = "CMS", "A CMS message (RFC 7468 §9).";
    PRIVATE_KEY = "PRIVATE KEY", "An unencrypted PKCS #8 private key (RFC 7468 §10).";
    ENCRYPTED_PRIVATE_KEY = "ENCRYPTED PRIVATE KEY", "An encrypted PKCS #8 private key (RFC 7468 §11).";
    RSA_PRIVATE_KEY = "RSA PRIVATE KEY", "A PKCS #1 private key, as OpenSSL labels it.";
    EC_PRIVATE_KEY = "EC PRIVATE KEY", "A SEC 1 private key (RFC 5915 §4).";
    DSA_PRIVATE_KEY = "DSA PRIVATE KEY", "OpenSSL's own DSA private key.";
    PUBLIC_KEY = "PUBLIC KEY", "A SubjectPublicKeyInfo (RFC 7468 §13).";
    RSA_PUBLIC_KEY = "RSA PUBLIC KEY", "A PKCS #1 public key, as OpenSSL labels it.";
    EC_PARAMETERS = "EC PARAMETERS", "Curve parameters, as OpenSSL labels them.";
    ATTRIBUTE_CERTIFICATE = "ATTRIBUTE CERTIFICATE", "An attribute certificate (RFC 7468 §12).";
    PKCS12 = "PKCS12", "A PKCS #12 file.";
    OCSP_REQUEST = "OCSP REQUEST", "An OCSP request.";
    OCSP_RESPONSE = "OCSP RESPONSE", "An OCSP response.";
    TIMESTAMP_QUERY = "TIMESTAMP QUERY", "A time-stamp request.";
    TIME_STAMP_REQUEST = "TIME STAMP REQUEST", "A time-stamp request, in another spelling.";
    TIMESTAMP_REPLY = "TIMESTAMP REPLY", "A time-stamp response.";
    TIME_STAMP_RESPONSE = "TIME STAMP RESPONSE", "A time-stamp response, in another spelling.";
    OPENSSH_PRIVATE_KEY = "OPENSSH PRIVATE KEY", "OpenSSH's private key, which is not ASN.1.";
    SSH2_PUBLIC_KEY = "SSH2 PUBLIC KEY", "An SSH public key (RFC 4716), which is not ASN.1.";
    SSH2_ENCRYPTED_PRIVATE_KEY = "SSH2 ENCRYPTED PRIVATE KEY", "A private key of SSH Communications, which is not ASN.1.";
}

/// A kind of value that files contain, such as a certificate or a private key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// The name in JSON and options, in kebab case.
    pub name: &'static str,
    /// The descriptive name, such as `CMS (PKCS #7) message`.
    pub words: &'static str,
    /// The accepted PEM labels. The first one is used for writing.
    pub labels: &'static [&'static str],
    /// True for public and private keys.
    pub is_key: bool,
}

macro_rules! files {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $words:literal, [$($label:ident),*] $(, $key:ident)?;)*) => {
        $(
            $(#[$doc])*
            pub const $constant: FileKind =
                FileKind { name: $name, words: $words, labels: &[$(label::$label),*], is_key: files!(@ $($key)?) };
        )*

        /// All kinds.
        pub const ALL: &[FileKind] = &[$($constant),*];
    };
    (@) => { false };
    (@ key) => { true };
}

files! {
    /// A CMS or PKCS #7 message (RFC 5652 §3).
    CMS = "cms", "CMS (PKCS #7) message", [CMS, PKCS7, PKCS7_SIGNED_DATA];
    /// A time-stamp request (RFC 3161 §2.4.1).
    TIME_STAMP_REQUEST = "time-stamp-request", "time-stamp request", [TIMESTAMP_QUERY, TIME_STAMP_REQUEST];
    /// A PKCS #8 private key (RFC 5958 §2).
    PRIVATE_KEY = "private-key", "private key (PKCS #8)", [PRIVATE_KEY], key;
    /// A PKCS #12 file (RFC 7292 §4).
    PKCS12 = "pkcs12", "PKCS #12 file", [PKCS12];
    /// A PKCS #1 public key (RFC 8017 App. A.1.1).
    RSA_PUBLIC_KEY = "rsa-public-key", "RSA public key (PKCS #1)", [RSA_PUBLIC_KEY], key;
    /// A PKCS #1 private key (RFC 8017 App. A.1.2).
    RSA_PRIVATE_KEY = "rsa-private-key", "RSA private key (PKCS #1)", [RSA_PRIVATE_KEY], key;
    /// A SEC 1 private key (RFC 5915 §3).
    EC_PRIVATE_KEY = "ec-private-key", "EC private key", [EC_PRIVATE_KEY], key;
    /// A public key with its algorithm (RFC 5280 §4.1.2.7).
    PUBLIC_KEY = "public-key", "public key", [PUBLIC_KEY], key;
    /// An encrypted PKCS #8 private key (RFC 5958 §3).
    ENCRYPTED_PRIVATE_KEY = "encrypted-private-key", "encrypted private key (PKCS #8)", [ENCRYPTED_PRIVATE_KEY], key;
    /// An OCSP response (RFC 6960 §4.2.1).
    OCSP_RESPONSE = "ocsp-response", "OCSP response", [OCSP_RESPONSE];
    /// A CMP message (RFC 9810 §5.1).
    CMP = "cmp", "CMP message", [];
    /// Certificate request messages (RFC 4211 §3).
    CERTIFICATE_REQUEST_MESSAGES = "certificate-request-messages", "certificate request messages (CRMF)", [];
    /// A full CMC request (RFC 5272 §3.2.1).
    CMC_REQUEST = "cmc-request", "CMC request (PKIData)", [];
    /// A full CMC response (RFC 5272 §4.2).
    CMC_RESPONSE = "cmc-response", "CMC response (PKIResponse)", [];
    /// An OCSP request (RFC 6960 §4.1.1).
    OCSP_REQUEST = "ocsp-request", "OCSP request", [OCSP_REQUEST];
    /// A time-stamp response (RFC 3161 §2.4.2).
    TIME_STAMP_RESPONSE = "time-stamp-response", "time-stamp response", [TIMESTAMP_REPLY, TIME_STAMP_RESPONSE];
    /// An entry of a Merkle Tree Certificate log: the fields of a certificate.
    LOG_ENTRY = "log-entry", "entry of a Merkle Tree Certificate log", [];
    /// A CRL (RFC 5280 §5.1).
    CRL = "crl", "CRL", [X509_CRL, CRL];
    /// A certification request (RFC 2986 §4.2).
    CERTIFICATION_REQUEST = "certification-request", "certification request (PKCS #10)", [CERTIFICATE_REQUEST, NEW_CERTIFICATE_REQUEST];
    /// A signed public key and challenge, SPKAC (HTML 5.0 §4.10.15).
    SIGNED_PUBLIC_KEY_AND_CHALLENGE = "signed-public-key-and-challenge", "signed public key and challenge (SPKAC)", [];
    /// An attribute certificate (RFC 5755 §4.1).
    ATTRIBUTE_CERTIFICATE = "attribute-certificate", "attribute certificate", [ATTRIBUTE_CERTIFICATE];
    /// Curve parameters (RFC 5480 §2.1.1).
    EC_PARAMETERS = "ec-parameters", "curve (EC parameters)", [EC_PARAMETERS];
    /// An X.509 certificate (RFC 5280 §4.1).
    CERTIFICATE = "certificate", "certificate", [CERTIFICATE, X509_CERTIFICATE, TRUSTED_CERTIFICATE];
}

/// Returns the kind that a PEM label identifies.
#[must_use]
pub fn of_label(label: &str) -> Option<&'static FileKind> {
    ALL.iter().find(|kind| kind.labels.contains(&label))
}

/// Returns whether a PEM label denotes a private key, even if its format is not supported.
///
/// ```
/// use tagwise_facts::files::is_secret_label;
/// assert!(is_secret_label("EC PRIVATE KEY") && is_secret_label("OPENSSH PRIVATE KEY"));
/// assert!(!is_secret_label("PUBLIC KEY"));
/// ```
#[must_use]
pub fn is_secret_label(label: &str) -> bool {
    label.ends_with(label::PRIVATE_KEY)
}
