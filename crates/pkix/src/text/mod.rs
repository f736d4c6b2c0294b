//! Certificates and CRLs as other tools print them, to the character.

pub mod openssl;
