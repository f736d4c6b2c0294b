//! Certificates and CRLs as other tools print them, to the character.

#![forbid(unsafe_code)]

pub mod openssl;
