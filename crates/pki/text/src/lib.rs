//! Text output of certificates and CRLs that is identical to that of other tools.

#![forbid(unsafe_code)]

pub mod openssl;
