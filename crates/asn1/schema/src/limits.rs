//! The limits of a compilation.

/// Limits on depth, and on memory and work relative to the text.
///
/// A kilobyte of schema can expand to gigabytes: `COMPONENTS OF`, parameters, nested values and nested sets can each
/// double with every line. Everything that is created, copied or traversed again is therefore counted in bytes against
/// one allowance. Exceeding the allowance ends the compilation with an error at the current position.
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
/// assert!(compilation.render().contains("the schema requires more than"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum nesting of types, values, constraints and braces. Chains of references that must be computed in order may
    /// have half this length. Published modules need 20.
    pub depth: u32,
    /// The maximum number of instances of parameterized definitions. Published modules need a few hundred.
    pub instances: u32,
    /// The allowance for the smallest schema, in bytes of memory and work.
    pub bytes: u64,
    /// The allowance per byte of text. The modules of RFC 5912 and its successors need 55. The densest text without
    /// copies (two-letter components) needs about 400.
    pub bytes_per_byte: u32,
}

impl Limits {
    /// A depth of 64, ten thousand instances, 32 MiB, and 1,024 bytes per byte of text.
    pub const DEFAULT: Self = Self { depth: 64, instances: 10_000, bytes: 32 << 20, bytes_per_byte: 1024 };

    /// Returns the allowance for a schema with this many bytes of text.
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
