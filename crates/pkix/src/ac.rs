//! Attribute certificates (RFC 5755), with the attributes and extensions in them. Types alone, made from the schemas.

pub use crate::r#gen::ac::*;
/// Attribute certificates of version 1, which CMS may carry (RFC 5652 §12.2).
pub use crate::r#gen::ac_v1 as v1;
