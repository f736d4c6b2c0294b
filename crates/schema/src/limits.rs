//! The limits beyond which a compilation refuses a schema.

/// Limits of a compilation: how deep, and how much memory and work in proportion to the text.
///
/// A schema of a kilobyte may stand for gigabytes: `COMPONENTS OF`, parameters, values in values and sets in sets each double
/// with every line. So everything that is made, copied or gone through again is counted in bytes against one allowance, and
/// what exceeds it is one error with its place, after which the compilation ends.
///
/// ```
/// use tagwise_schema::{Limits, Source, compile_within};
/// let mut text = "M DEFINITIONS ::= BEGIN A0 ::= SEQUENCE { a NULL }\n".to_owned();
/// for n in 0..40 {
///     text += &format!("A{} ::= SEQUENCE {{ COMPONENTS OF A{n}, COMPONENTS OF A{n} }}\n", n + 1);
/// }
/// let mut limits = Limits::DEFAULT;
/// limits.bytes = 1 << 20;
/// let compilation = compile_within(vec![Source::new("m.asn1", &(text + "END"))], &limits);
/// assert!(compilation.render().contains("the schema takes more than"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The greatest depth of types, values, constraints and braces, and half of how many definitions a chain of references runs
    /// through where each has to be computed before the next. Published modules need 20.
    pub depth: u32,
    /// The greatest number of instances of parameterised definitions. Published modules need some hundreds.
    pub instances: u32,
    /// The allowance of the smallest schema, in bytes of memory and work.
    pub bytes: u64,
    /// The bytes that each byte of text adds to the allowance. The modules of RFC 5912 and its successors need 55, the densest
    /// text without copies, components of two letters, some 400.
    pub bytes_per_byte: u32,
}

impl Limits {
    /// A depth of 64, ten thousand instances, 32 MiB and 1,024 bytes for each byte of text.
    pub const DEFAULT: Self = Self { depth: 64, instances: 10_000, bytes: 32 << 20, bytes_per_byte: 1024 };

    /// The bytes that a schema of so many bytes of text may take.
    ///
    /// ```
    /// use tagwise_schema::Limits;
    /// assert_eq!(Limits::DEFAULT.allowance(0), 32 << 20);
    /// assert_eq!(Limits::DEFAULT.allowance(1000), (32 << 20) + 1_024_000);
    /// ```
    #[must_use]
    pub const fn allowance(&self, text: usize) -> u64 {
        self.bytes.saturating_add((text as u64).saturating_mul(self.bytes_per_byte as u64))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
