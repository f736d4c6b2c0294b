// A grammar for ASN.1 modules (X.680 to X.683), for highlighting and navigation in editors.
//
// Types are parsed in full. Values, constraints, parameters and classes are lists of tokens, because only a compiler can tell what a
// brace contains: the syntax of an information object is defined by its class (X.681 §10), which another module may contain.

const commas = (rule) => optional(commas1(rule));
const commas1 = (rule) => seq(rule, repeat(seq(',', rule)));

/** Reserved words in lists of tokens (X.680 §12.38). Where the grammar does not expect a word, it is a reference. */
const WORDS = [
  'ABSENT', 'ALL', 'ANY', 'APPLICATION', 'BIT', 'BOOLEAN', 'BY', 'CHARACTER', 'CHOICE', 'CLASS', 'COMPONENT', 'COMPONENTS',
  'CONSTRAINED', 'CONTAINING', 'DEFAULT', 'DEFINED', 'EMBEDDED', 'ENCODED', 'ENUMERATED', 'EXCEPT', 'EXPLICIT', 'EXTERNAL', 'FALSE',
  'FROM', 'IDENTIFIER', 'IMPLICIT', 'INCLUDES', 'INSTANCE', 'INTEGER', 'INTERSECTION', 'MAX', 'MIN', 'MINUS-INFINITY', 'NOT-A-NUMBER',
  'NULL', 'OBJECT', 'OCTET', 'OF', 'OPTIONAL', 'PATTERN', 'PDV', 'PLUS-INFINITY', 'PRESENT', 'PRIVATE', 'REAL', 'RELATIVE-OID',
  'SEQUENCE', 'SET', 'SETTINGS', 'SIZE', 'STRING', 'SYNTAX', 'TRUE', 'UNION', 'UNIQUE', 'UNIVERSAL', 'WITH',
];

module.exports = grammar({
  name: 'asn1',

  word: ($) => $.reference,
  extras: ($) => [/[\s\u00a0\ufeff\u001a]/, $.comment],
  externals: ($) => [$.comment],

  // `FROM M a` assigns the object identifier `a` to M, unless a comma or FROM follows: then `a` is imported from another module.
  conflicts: ($) => [[$.import]],

  rules: {
    source_file: ($) => repeat($.module),

    module: ($) => seq(
      field('name', $.reference),
      field('identifier', optional($.braces)),
      optional($.string),
      'DEFINITIONS',
      optional(seq($.reference, 'INSTRUCTIONS')),
      optional(seq(choice('EXPLICIT', 'IMPLICIT', 'AUTOMATIC'), 'TAGS')),
      optional(seq('EXTENSIBILITY', 'IMPLIED')),
      '::=',
      'BEGIN',
      optional($.exports),
      optional($.imports),
      repeat($._assignment),
      optional($.encoding_control),
      'END',
    ),

    exports: ($) => seq('EXPORTS', choice('ALL', commas($._symbol)), ';'),
    imports: ($) => seq('IMPORTS', repeat($.import), ';'),
    import: ($) => seq(
      commas1($._symbol),
      'FROM',
      field('module', $.reference),
      optional(choice($.braces, $.identifier)),
      optional(seq('WITH', choice('SUCCESSORS', 'DESCENDANTS'))),
    ),
    _symbol: ($) => seq(choice($.reference, $.identifier), optional($.braces)),
    encoding_control: ($) => seq('ENCODING-CONTROL', repeat1(choice($._token, '::=', ';'))),

    _assignment: ($) => choice($.type_assignment, $.set_assignment, $.value_assignment, $.class_assignment, $.macro_definition, $.macro_use),
    type_assignment: ($) => seq(field('name', $.reference), field('parameters', optional($.braces)), '::=', field('type', $._type)),
    // A value set or an object set.
    set_assignment: ($) => seq(field('name', $.reference), field('parameters', optional($.braces)), field('type', $._type), '::=', field('value', $.braces)),
    // A value or an object.
    value_assignment: ($) => seq(field('name', $.identifier), field('parameters', optional($.braces)), field('type', $._type), '::=', field('value', $._value)),
    class_assignment: ($) => seq(field('name', $.reference), field('parameters', optional($.braces)), '::=', 'CLASS', $.braces, optional(seq('WITH', 'SYNTAX', $.braces))),
    // Macros of X.208, which X.681 replaced.
    macro_definition: ($) => seq(field('name', $.reference), 'MACRO', '::=', 'BEGIN', repeat(choice($._token, '::=')), 'END'),
    macro_use: ($) => seq(field('name', $.identifier), field('macro', $.reference), choice($.reference, $.word), repeat($._token), '::=', field('value', $._value)),

    // A constraint after the type of a list's elements belongs to that type (X.680 §49.1).
    _type: ($) => prec.right(seq(
      repeat($.prefix),
      choice($.builtin_type, $.structure, $.list_type, $.type_reference, $.selection_type),
      repeat($.constraint),
    )),
    // A tag or an encoding instruction.
    prefix: ($) => prec.right(seq('[', repeat1($._plain), ']', optional(choice('IMPLICIT', 'EXPLICIT')))),
    builtin_type: ($) => choice(
      'BOOLEAN', 'NULL', 'REAL', 'EXTERNAL', 'RELATIVE-OID', 'OID-IRI', 'RELATIVE-OID-IRI',
      seq('OBJECT', 'IDENTIFIER'),
      seq('OCTET', 'STRING'),
      seq('CHARACTER', 'STRING'),
      seq('EMBEDDED', 'PDV'),
      seq('INTEGER', optional($.braces)),
      seq('BIT', 'STRING', optional($.braces)),
      seq('ENUMERATED', $.braces),
      seq('INSTANCE', 'OF', $.reference),
      prec.right(seq('ANY', optional(seq('DEFINED', 'BY', $.identifier)))),
    ),
    structure: ($) => seq(choice('SEQUENCE', 'SET', 'CHOICE'), '{', commas(choice($.component, $.extension, $.additions)), '}'),
    component: ($) => choice(
      // X.208 permits components without names.
      seq(field('name', optional($.identifier)), field('type', $._type), optional(choice('OPTIONAL', seq('DEFAULT', field('default', $._value))))),
      seq('COMPONENTS', 'OF', field('type', $._type)),
    ),
    extension: ($) => seq('...', optional(seq('!', $._value))),
    additions: ($) => seq('[[', optional(seq($.number, ':')), commas1($.component), ']]'),
    list_type: ($) => seq(
      choice('SEQUENCE', 'SET'),
      optional(choice($.constraint, seq('SIZE', $.constraint))),
      'OF',
      field('name', optional($.identifier)),
      field('type', $._type),
    ),
    // A type, or the type in a field of a class or an object.
    type_reference: ($) => choice(
      seq($.reference, repeat(seq('.', choice($.reference, $.field))), optional($.braces)),
      seq($.identifier, repeat1(seq('.', $.field))),
    ),
    selection_type: ($) => seq($.identifier, '<', $._type),
    constraint: ($) => seq('(', repeat($._token), ')'),

    _value: ($) => choice(
      $.braces,
      $._number,
      $.string,
      $.bits,
      alias(choice('TRUE', 'FALSE', 'NULL', 'PLUS-INFINITY', 'MINUS-INFINITY', 'NOT-A-NUMBER', 'MIN', 'MAX'), $.word),
      seq($.identifier, optional(choice($.braces, seq(':', $._value), repeat1(seq('.', $.field))))),
      seq($.reference, '.', $.identifier, optional($.braces)),
      seq($._type, ':', $._value),
    ),
    _number: ($) => seq(optional('-'), choice($.number, $.real)),

    // Tokens between brackets, which only a compiler can interpret.
    braces: ($) => seq('{', repeat($._token), '}'),
    parentheses: ($) => seq('(', repeat($._token), ')'),
    _token: ($) => choice($._plain, '[', ']', '[[', ']]'),
    _plain: ($) => choice(
      $.braces, $.parentheses, $.reference, $.identifier, $.field, $.number, $.real, $.string, $.bits, $.word,
      ',', '.', '..', '...', ':', '|', '^', '<', '!', '@', '-', '*', '=', '/', '>',
    ),
    word: ($) => choice(...WORDS),

    // X.680 §12.2 and §12.3: hyphens are neither last nor doubled.
    reference: () => /[A-Z][A-Za-z0-9]*(-[A-Za-z0-9]+)*/,
    identifier: () => /[a-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*/,
    field: () => /&[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*/,
    number: () => /[0-9]+/,
    real: () => /[0-9]+(\.[0-9]+([eE]-?[0-9]+)?|[eE]-?[0-9]+)/,
    string: () => /"([^"]|"")*"/,
    bits: () => /'[0-9A-F\s]*'[BH]/,
  },
});
