//! Text output of certificates and CRLs in exactly the format of other tools.

#![forbid(unsafe_code)]

pub mod openssl;
