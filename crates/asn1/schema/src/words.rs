//! The reserved words of X.680 (§12.38), and the reserved words of macros in old modules.

/// The reserved words, sorted for binary search.
const RESERVED: &[&str] = &[
    "ABSENT",
    "ABSTRACT-SYNTAX",
    "ALL",
    "APPLICATION",
    "AUTOMATIC",
    "BEGIN",
    "BIT",
    "BMPString",
    "BOOLEAN",
    "BY",
    "CHARACTER",
    "CHOICE",
    "CLASS",
    "COMPONENT",
    "COMPONENTS",
    "CONSTRAINED",
    "CONTAINING",
    "DATE",
    "DATE-TIME",
    "DEFAULT",
    "DEFINITIONS",
    "DURATION",
    "EMBEDDED",
    "ENCODED",
    "ENCODING-CONTROL",
    "END",
    "ENUMERATED",
    "EXCEPT",
    "EXPLICIT",
    "EXPORTS",
    "EXTENSIBILITY",
    "EXTERNAL",
    "FALSE",
    "FROM",
    "GeneralString",
    "GeneralizedTime",
    "GraphicString",
    "IA5String",
    "IDENTIFIER",
    "IMPLICIT",
    "IMPLIED",
    "IMPORTS",
    "INCLUDES",
    "INSTANCE",
    "INSTRUCTIONS",
    "INTEGER",
    "INTERSECTION",
    "ISO646String",
    "MAX",
    "MIN",
    "MINUS-INFINITY",
    "NOT-A-NUMBER",
    "NULL",
    "NumericString",
    "OBJECT",
    "OCTET",
    "OF",
    "OID-IRI",
    "OPTIONAL",
    "ObjectDescriptor",
    "PATTERN",
    "PDV",
    "PLUS-INFINITY",
    "PRESENT",
    "PRIVATE",
    "PrintableString",
    "REAL",
    "RELATIVE-OID",
    "RELATIVE-OID-IRI",
    "SEQUENCE",
    "SET",
    "SETTINGS",
    "SIZE",
    "STRING",
    "SYNTAX",
    "T61String",
    "TAGS",
    "TIME",
    "TIME-OF-DAY",
    "TRUE",
    "TYPE-IDENTIFIER",
    "TeletexString",
    "UNION",
    "UNIQUE",
    "UNIVERSAL",
    "UTCTime",
    "UTF8String",
    "UniversalString",
    "VideotexString",
    "VisibleString",
    "WITH",
];

/// Words that are not allowed as literals in WITH SYNTAX (X.681 §10.6), sorted.
const NO_LITERALS: &[&str] = &[
    "BIT",
    "BOOLEAN",
    "CHARACTER",
    "CHOICE",
    "DATE",
    "DATE-TIME",
    "DURATION",
    "EMBEDDED",
    "END",
    "ENUMERATED",
    "ERROR",
    "EXTERNAL",
    "FALSE",
    "INSTANCE",
    "INTEGER",
    "INTERSECTION",
    "MINUS-INFINITY",
    "NULL",
    "OBJECT",
    "OCTET",
    "OID-IRI",
    "PLUS-INFINITY",
    "REAL",
    "RELATIVE-OID",
    "RELATIVE-OID-IRI",
    "SEQUENCE",
    "SET",
    "TIME",
    "TIME-OF-DAY",
    "TRUE",
    "UNION",
];

/// The names of macros from the time of X.208 whose uses are skipped, sorted.
const MACROS: &[&str] = &[
    "ABSTRACT-BIND",
    "ABSTRACT-ERROR",
    "ABSTRACT-OPERATION",
    "ABSTRACT-UNBIND",
    "AGENT-CAPABILITIES",
    "ALGORITHM",
    "APPLICATION-CONTEXT",
    "APPLICATION-SERVICE-ELEMENT",
    "ATTRIBUTE",
    "ATTRIBUTE-SYNTAX",
    "BIND",
    "ENCRYPTED",
    "ERROR",
    "EXTENSION",
    "EXTENSION-ATTRIBUTE",
    "EXTENSIONS",
    "HASHED",
    "MODULE-COMPLIANCE",
    "MODULE-IDENTITY",
    "NOTIFICATION-GROUP",
    "NOTIFICATION-TYPE",
    "OBJECT-CLASS",
    "OBJECT-GROUP",
    "OBJECT-IDENTITY",
    "OBJECT-TYPE",
    "OPERATION",
    "PORT",
    "PROTECTED",
    "REFINE",
    "SECURITY-CATEGORY",
    "SIGNATURE",
    "SIGNED",
    "TEXTUAL-CONVENTION",
    "TOKEN",
    "TOKEN-DATA",
    "TRAP-TYPE",
    "UNBIND",
];

/// Returns whether a word is reserved, so that it cannot be used as a name.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// Returns whether a word is not allowed in WITH SYNTAX.
pub(crate) fn is_no_literal(word: &str) -> bool {
    NO_LITERALS.binary_search(&word).is_ok()
}

/// Returns whether a word is the name of a macro from an earlier version.
pub(crate) fn is_macro(word: &str) -> bool {
    MACROS.binary_search(&word).is_ok()
}

/// Returns whether a word has no lowercase letters, like the names of classes and macros.
pub(crate) fn is_all_caps(word: &str) -> bool {
    !word.bytes().any(|octet| octet.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    #[test]
    fn lists_are_sorted() {
        assert!(super::RESERVED.is_sorted() && super::NO_LITERALS.is_sorted() && super::MACROS.is_sorted());
    }
}
