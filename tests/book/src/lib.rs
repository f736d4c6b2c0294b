//! The programs in README.md and the guide (`docs/src`), compiled and run as documentation examples.
//!
//! `doors/cli/tests/book.rs` runs the commands in them.
#![forbid(unsafe_code)]

#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    mod readme {}

    #[doc = include_str!("../../../docs/src/strictness.md")]
    mod strictness {}

    #[doc = include_str!("../../../docs/src/certificates.md")]
    mod certificates {}

    #[doc = include_str!("../../../docs/src/keys.md")]
    mod keys {}

    #[doc = include_str!("../../../docs/src/ca.md")]
    mod ca {}

    #[doc = include_str!("../../../docs/src/cms.md")]
    mod cms {}

    #[doc = include_str!("../../../docs/src/kerberos.md")]
    mod kerberos {}

    #[doc = include_str!("../../../docs/src/columns.md")]
    mod columns {}

    #[doc = include_str!("../../../docs/src/schemas.md")]
    mod schemas {}

    #[doc = include_str!("../../../docs/src/ber-and-streams.md")]
    mod ber_and_streams {}

    #[doc = include_str!("../../../docs/src/path-validation.md")]
    mod path_validation {}

    #[cfg(target_os = "linux")]
    #[doc = include_str!("../../../docs/src/krb5-plugins.md")]
    mod krb5_plugins {}

    #[cfg(target_os = "linux")]
    #[doc = include_str!("../../../docs/src/userdb.md")]
    mod userdb {}

    #[doc = include_str!("../../../docs/src/coming-from-x509-parser.md")]
    mod coming_from_x509_parser {}

    #[doc = include_str!("../../../docs/src/coming-from-x509-cert.md")]
    mod coming_from_x509_cert {}

    #[doc = include_str!("../../../docs/src/coming-from-rcgen.md")]
    mod coming_from_rcgen {}

    #[doc = include_str!("../../../docs/src/coming-from-openssl.md")]
    mod coming_from_openssl {}

    #[doc = include_str!("../../../docs/src/coming-from-rasn.md")]
    mod coming_from_rasn {}
}
