/// ASN.1 module `Base`.
pub mod base;
/// ASN.1 module `More-Types`.
pub mod more_types;
