(comment) @comment

(module name: (reference) @module)
(import module: (reference) @module)

(type_assignment name: (reference) @type.definition)
(set_assignment name: (reference) @constant)
(class_assignment name: (reference) @type.definition)
(macro_definition name: (reference) @type.definition)
(value_assignment name: (identifier) @constant)
(macro_use name: (identifier) @constant macro: (reference) @function.macro)
(component name: (identifier) @property)
(list_type name: (identifier) @property)
(additions (number) @number)

(type_reference (reference) @type)
((reference) @type.builtin
  (#any-of? @type.builtin
    "BMPString" "DATE" "DATE-TIME" "DURATION" "GeneralString" "GeneralizedTime" "GraphicString" "IA5String" "ISO646String"
    "NumericString" "ObjectDescriptor" "PrintableString" "T61String" "TIME" "TIME-OF-DAY" "TeletexString" "UTCTime" "UTF8String"
    "UniversalString" "VideotexString" "VisibleString"))
(builtin_type) @type.builtin

; Lists of tokens
(braces [(reference) @type (identifier) @variable])
(parentheses [(reference) @type (identifier) @variable])
(constraint [(reference) @type (identifier) @variable])
(field) @property

(number) @number
(real) @number.float
(string) @string
(bits) @string.special
(word) @keyword

[
  "ALL" "ANY" "AUTOMATIC" "BEGIN" "BIT" "BOOLEAN" "BY" "CHARACTER" "CHOICE" "CLASS" "COMPONENTS" "DEFAULT" "DEFINED" "DEFINITIONS"
  "DESCENDANTS" "EMBEDDED" "ENCODING-CONTROL" "END" "ENUMERATED" "EXPLICIT" "EXPORTS" "EXTENSIBILITY" "EXTERNAL" "FROM" "IDENTIFIER"
  "IMPLICIT" "IMPLIED" "IMPORTS" "INSTANCE" "INSTRUCTIONS" "INTEGER" "MACRO" "NULL" "OBJECT" "OCTET" "OF" "OID-IRI" "OPTIONAL" "PDV"
  "REAL" "RELATIVE-OID" "RELATIVE-OID-IRI" "SEQUENCE" "SET" "SIZE" "STRING" "SUCCESSORS" "SYNTAX" "TAGS" "WITH"
] @keyword

["::=" ".." "..." "|" "^" "<" "!" "@" "-"] @operator
["{" "}" "(" ")" "[" "]" "[[" "]]"] @punctuation.bracket
["," ";" ":" "."] @punctuation.delimiter
