//! One ASN.1 type per file.

mod additions;
mod bit_string;
mod boolean;
mod boxed;
mod character_string;
mod embedded_pdv;
mod enumerated;
mod external;
mod integer;
mod integer_text;
mod named_bits;
mod null;
mod octet_string;
pub(crate) mod oid;
mod oid_iri;
#[expect(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "constant evaluation: positions are bounded by construction, and a panic is a compile error"
)]
mod oid_text;
mod presentation;
mod real;
mod relative_oid;
mod strings;
#[cfg(feature = "alloc")]
#[cfg(test)]
pub(crate) mod testing;
mod time;
mod universal;

pub use additions::Additions;
#[cfg(feature = "alloc")]
pub use additions::SetAdditions;
pub use bit_string::BitStr;
pub use character_string::CharacterString;
pub use embedded_pdv::EmbeddedPdv;
pub use enumerated::Enumerated;
pub use external::{External, ExternalEncoding};
pub use integer::{Int, OutOfRange};
pub use named_bits::{NamedBits, SetBits};
pub use null::Null;
pub use octet_string::OctetStr;
pub use oid::{Arc, Arcs, Oid};
pub use oid_iri::{OidIri, RelativeOidIri};
pub use oid_text::{oid_text_into, oid_text_len, oid_text_octets, relative_oid_text_len, relative_oid_text_octets};
pub use presentation::{ContextNegotiation, Identification, Syntaxes};
#[cfg(feature = "dynamic")]
pub(crate) use real::Compared;
pub use real::Real;
pub use relative_oid::RelativeOid;
pub use strings::{
    Bmp, General, Graphic, Ia5, Numeric, ObjectDescriptor, Printable, Teletex, Universal, Utf8, Videotex, Visible,
};
pub use time::{
    CivilTime, Date, DateTime, Duration, DurationPart, DurationUnit, GeneralizedTime, IsoTime, TimeOfDay,
    TimeOutOfRange, UnixTime, UtcTime,
};
#[cfg(feature = "dynamic")]
pub(crate) use time::{has_settings, knows_settings};
pub(crate) use universal::check_universal;
