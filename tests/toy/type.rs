/// ```asn1
/// Toy ::= SEQUENCE {
///   color   UTF8String,
///   wheels  INTEGER (0..255) OPTIONAL,
///   loud    BOOLEAN DEFAULT FALSE }
/// ```
///
/// A toy.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Toy<'a> {
    /// Its color.
    pub color: tagwise_codec::Utf8<'a>,
    /// The number of its wheels, if it has any.
    pub wheels: Option<u8>,
    /// True if it makes noise.
    #[asn1(default = false)]
    pub loud: bool,
}

