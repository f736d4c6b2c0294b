//! Text output of certificates and CRLs, identical to other tools'.

#![forbid(unsafe_code)]

pub mod openssl;
