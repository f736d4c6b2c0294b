/*
 * tagwise.h - ASN.1 and PKI: strict DER, certificates, CRLs, messages, and the host's users and groups. For C99 and later, and C++.
 *
 * Generated from the sources of libtagwise by cbindgen. Do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * CONVENTIONS, which apply to all functions
 *
 * Names      Functions are named tagwise_<type>_<verb>. Functions named _read parse an entire encoding, and functions named
 *            _outline only its outer structure. Lists are slices of concatenated elements, and functions named _next give the
 *            next element. Functions named _get take an index that counts from 0, and functions named _find a key.
 *
 * Handles    Types without fields in this header are handles. If a function returns a handle, the caller owns it and frees it once,
 *            with the type's _free function. A type's _retain function returns the same handle to a further owner, who also
 *            frees it once. Freeing NULL has no effect. If a handle is NULL in any other call, fallible functions
 *            fail with TAGWISE_ERROR_KIND_ARGUMENT, and others return 0, false, NULL or absent bytes.
 *
 * Bytes      struct tagwise_bytes is a borrowed slice. Never free it. A slice that a function returns, or writes into a struct, is
 *            valid as long as the handle that was passed to the function. If a function accepts slices and returns slices (those
 *            with `rest`), the result is valid as long as the first argument's memory. A slice that you pass must be valid until
 *            the call returns. Exceptions are tagwise_cursor_new() and tagwise_cursor_new_ber(), whose input must be valid until
 *            the cursor is freed. Absent bytes have a NULL ptr. You may pass { NULL, 0 } for empty bytes. Otherwise, ptr must point
 *            to len bytes.
 *
 * Buffers    Functions that generate text or encodings return a tagwise_buffer, which the caller frees. Its content is followed by
 *            a NUL.
 *
 * Text       Text is UTF-8. A `const char *` is NUL-terminated. Returned text is not escaped unless a function's description says
 *            so.
 *
 * Errors     The last parameter of a fallible function is `tagwise_error **error`, which may be NULL. On failure, the function
 *            returns false or NULL and stores an error there, which the caller frees with tagwise_error_free(). An earlier value is
 *            overwritten, not freed. On success, nothing is stored. If a negative answer is not a failure, the function returns
 *            false and stores no error, so set the pointer to NULL before the call and check it afterwards. Output parameters are
 *            written only on success, and may be NULL. If a function fails to change an object that later calls use (a policy, a
 *            builder, a writer, the rules of an arena), every later call with that object fails with the same error. This ensures
 *            that no requirement is lost. If a certificate cannot be added to anchors or to a pool, or a rule cannot be tolerated,
 *            the object is unchanged, because it then trusts less, not more.
 *
 * Options    A tagwise_options contains tolerated rule violations and budgets. NULL means strict DER and the default budgets.
 *
 * Tags       Tags are numbers: TAGWISE_SEQUENCE, TAGWISE_CONTEXT(0), TAGWISE_CONTEXT(0) | TAGWISE_CONSTRUCTED.
 *
 * Threads    The only global state is the allocator, which must be set before any other call, and constant tables, which are built
 *            on first use and never freed. The description of each type says how threads may share it. Several threads may use an
 *            immutable object at once, but only one at a time a mutable object. Freeing requires exclusive access.
 *
 * Defects    A defect in the library leads to an error of kind TAGWISE_ERROR_KIND_INTERNAL, not to an exception or an abort. The
 *            details are also written to standard error.
 */


#ifndef TAGWISE_H
#define TAGWISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define TAGWISE_VERSION_MAJOR 0
#define TAGWISE_VERSION_MINOR 1
#define TAGWISE_VERSION_PATCH 0

/* Compilers warn if a result with this attribute is ignored. To disable the warnings, define it as empty before including this file. */
#ifndef TAGWISE_MUST_USE
#if (defined __STDC_VERSION__ && __STDC_VERSION__ >= 202311L) || (defined __cplusplus && __cplusplus >= 201703L)
#define TAGWISE_MUST_USE [[nodiscard]]
#elif defined __GNUC__ || defined __clang__
#define TAGWISE_MUST_USE __attribute__((warn_unused_result))
#elif defined _MSC_VER
#include <sal.h>
#define TAGWISE_MUST_USE _Check_return_
#else
#define TAGWISE_MUST_USE
#endif
#endif

/* Tags: a class and a number, with TAGWISE_CONSTRUCTED if the form matters. */
#define TAGWISE_CONSTRUCTED ((uint32_t)1 << 29)
#define TAGWISE_APPLICATION(number) ((uint32_t)1 << 30 | (uint32_t)(number))
#define TAGWISE_CONTEXT(number) ((uint32_t)2 << 30 | (uint32_t)(number))
#define TAGWISE_PRIVATE(number) ((uint32_t)3 << 30 | (uint32_t)(number))
#define TAGWISE_BOOLEAN ((uint32_t)1)
#define TAGWISE_INTEGER ((uint32_t)2)
#define TAGWISE_BIT_STRING ((uint32_t)3)
#define TAGWISE_OCTET_STRING ((uint32_t)4)
#define TAGWISE_NULL ((uint32_t)5)
#define TAGWISE_OBJECT_IDENTIFIER ((uint32_t)6)
#define TAGWISE_EXTERNAL ((uint32_t)8 | TAGWISE_CONSTRUCTED)
#define TAGWISE_REAL ((uint32_t)9)
#define TAGWISE_ENUMERATED ((uint32_t)10)
#define TAGWISE_EMBEDDED_PDV ((uint32_t)11 | TAGWISE_CONSTRUCTED)
#define TAGWISE_UTF8_STRING ((uint32_t)12)
#define TAGWISE_RELATIVE_OID ((uint32_t)13)
#define TAGWISE_TIME ((uint32_t)14)
#define TAGWISE_SEQUENCE ((uint32_t)16 | TAGWISE_CONSTRUCTED)
#define TAGWISE_SET ((uint32_t)17 | TAGWISE_CONSTRUCTED)
#define TAGWISE_NUMERIC_STRING ((uint32_t)18)
#define TAGWISE_PRINTABLE_STRING ((uint32_t)19)
#define TAGWISE_TELETEX_STRING ((uint32_t)20)
#define TAGWISE_VIDEOTEX_STRING ((uint32_t)21)
#define TAGWISE_IA5_STRING ((uint32_t)22)
#define TAGWISE_UTC_TIME ((uint32_t)23)
#define TAGWISE_GENERALIZED_TIME ((uint32_t)24)
#define TAGWISE_GRAPHIC_STRING ((uint32_t)25)
#define TAGWISE_VISIBLE_STRING ((uint32_t)26)
#define TAGWISE_GENERAL_STRING ((uint32_t)27)
#define TAGWISE_UNIVERSAL_STRING ((uint32_t)28)
#define TAGWISE_CHARACTER_STRING ((uint32_t)29 | TAGWISE_CONSTRUCTED)
#define TAGWISE_BMP_STRING ((uint32_t)30)
#define TAGWISE_DATE ((uint32_t)31)
#define TAGWISE_TIME_OF_DAY ((uint32_t)32)
#define TAGWISE_DATE_TIME ((uint32_t)33)
#define TAGWISE_DURATION ((uint32_t)34)
#define TAGWISE_OID_IRI ((uint32_t)35)
#define TAGWISE_RELATIVE_OID_IRI ((uint32_t)36)

/* Bits of tagwise_certificate_key_usage(). */
#define TAGWISE_KEY_USAGE_DIGITAL_SIGNATURE 0x001
#define TAGWISE_KEY_USAGE_NON_REPUDIATION 0x002
#define TAGWISE_KEY_USAGE_KEY_ENCIPHERMENT 0x004
#define TAGWISE_KEY_USAGE_DATA_ENCIPHERMENT 0x008
#define TAGWISE_KEY_USAGE_KEY_AGREEMENT 0x010
#define TAGWISE_KEY_USAGE_KEY_CERT_SIGN 0x020
#define TAGWISE_KEY_USAGE_CRL_SIGN 0x040
#define TAGWISE_KEY_USAGE_ENCIPHER_ONLY 0x080
#define TAGWISE_KEY_USAGE_DECIPHER_ONLY 0x100

/* Text of a struct tagwise_bytes for printf("%.*s", TAGWISE_TEXT(bytes)). */
#define TAGWISE_TEXT(bytes) (int)(bytes).len, (const char *)(bytes).ptr


// Kinds of errors.
typedef enum tagwise_error_kind {
    // No error.
    TAGWISE_ERROR_KIND_NONE = 0,
    // An argument is NULL where NULL is not allowed, or has an invalid value.
    TAGWISE_ERROR_KIND_ARGUMENT = 1,
    // The input is not valid for the function. The error has a path, an offset and a clause.
    TAGWISE_ERROR_KIND_INPUT = 2,
    // A value cannot be encoded.
    TAGWISE_ERROR_KIND_ENCODING = 3,
    // A signature, a digest or an authentication code is invalid.
    TAGWISE_ERROR_KIND_SIGNATURE = 4,
    // A key cannot be used, or a password is wrong.
    TAGWISE_ERROR_KIND_KEY = 5,
    // An algorithm is not supported by the library or by the backend.
    TAGWISE_ERROR_KIND_UNSUPPORTED = 6,
    // No valid certification path was found.
    TAGWISE_ERROR_KIND_PATH = 7,
    // A schema contains errors.
    TAGWISE_ERROR_KIND_SCHEMA = 8,
    // An internal error in the library. Please report it.
    TAGWISE_ERROR_KIND_INTERNAL = 9,
    // A service on the host is unreachable, or its reply is an error or invalid.
    TAGWISE_ERROR_KIND_SERVICE = 10,
} tagwise_error_kind;

// Kinds of general names (RFC 5280 section 4.2.1.6). The values are the tag numbers.
typedef enum tagwise_general_name_kind {
    // A name of a kind that an OID identifies. The value is an encoded OtherName with its tag.
    TAGWISE_GENERAL_NAME_KIND_OTHER = 0,
    // An email address, as text.
    TAGWISE_GENERAL_NAME_KIND_EMAIL = 1,
    // A host name, as text.
    TAGWISE_GENERAL_NAME_KIND_DNS = 2,
    // An X.400 address, encoded.
    TAGWISE_GENERAL_NAME_KIND_X400 = 3,
    // A distinguished name, encoded, for the tagwise_name functions.
    TAGWISE_GENERAL_NAME_KIND_DIRECTORY = 4,
    // An EDI party name, encoded.
    TAGWISE_GENERAL_NAME_KIND_EDI = 5,
    // A URI, as text.
    TAGWISE_GENERAL_NAME_KIND_URI = 6,
    // An IP address of 4 or 16 bytes, followed by its mask in name constraints.
    TAGWISE_GENERAL_NAME_KIND_IP = 7,
    // An object identifier, as its content bytes.
    TAGWISE_GENERAL_NAME_KIND_REGISTERED_ID = 8,
} tagwise_general_name_kind;

// The status of a certificate in a response.
typedef enum tagwise_ocsp_status {
    // Not revoked, according to the responder.
    TAGWISE_OCSP_STATUS_GOOD = 0,
    // Revoked.
    TAGWISE_OCSP_STATUS_REVOKED = 1,
    // The responder does not recognize the certificate.
    TAGWISE_OCSP_STATUS_UNKNOWN = 2,
} tagwise_ocsp_status;

// Kinds of items in bundles and PKCS #12 files.
typedef enum tagwise_item_kind {
    // Any other kind.
    TAGWISE_ITEM_KIND_OTHER = 0,
    // A certificate in DER.
    TAGWISE_ITEM_KIND_CERTIFICATE = 1,
    // A CRL in DER.
    TAGWISE_ITEM_KIND_CRL = 2,
    // An unencrypted private key in PKCS #8.
    TAGWISE_ITEM_KIND_PRIVATE_KEY = 3,
    // A password-encrypted private key in PKCS #8.
    TAGWISE_ITEM_KIND_ENCRYPTED_PRIVATE_KEY = 4,
    // A secret that is not a private key.
    TAGWISE_ITEM_KIND_SECRET = 5,
    // An attribute certificate, with its CMS tag.
    TAGWISE_ITEM_KIND_ATTRIBUTE_CERTIFICATE = 6,
    // Encrypted content.
    TAGWISE_ITEM_KIND_ENCRYPTED = 7,
} tagwise_item_kind;

// Kinds of nodes.
typedef enum tagwise_node_kind {
    // No node.
    TAGWISE_NODE_KIND_NONE = 0,
    // A primitive value: use the tagwise_element functions for its content.
    TAGWISE_NODE_KIND_LEAF = 1,
    // A SEQUENCE or SET: its children are the components that are present.
    TAGWISE_NODE_KIND_COMPONENTS = 2,
    // A SEQUENCE OF or SET OF: its children are the items.
    TAGWISE_NODE_KIND_ITEMS = 3,
    // A CHOICE: its child is the alternative.
    TAGWISE_NODE_KIND_CHOICE = 4,
    // An OCTET STRING or BIT STRING that contains an encoding: its child is the contained value.
    TAGWISE_NODE_KIND_CONTAINING = 5,
    // An element of unknown type: its content is the complete encoding.
    TAGWISE_NODE_KIND_UNKNOWN = 6,
    // A part of unknown type in PER or OER: an alternative, the value of an open type, or an item of an ENUMERATED, which has
    // no content. Other content is the encoding.
    TAGWISE_NODE_KIND_FOREIGN = 7,
} tagwise_node_kind;

// Modes of revocation checking.
typedef enum tagwise_revocation {
    // Revocation is not checked.
    TAGWISE_REVOCATION_IGNORE = 0,
    // Revoked certificates are rejected; certificates of unknown status are accepted.
    TAGWISE_REVOCATION_PREFER = 1,
    // The end-entity certificate is accepted only if a CRL or OCSP response shows that it is not revoked.
    TAGWISE_REVOCATION_REQUIRE_LEAF = 2,
    // Each certificate of the path is accepted only if a CRL or OCSP response shows that it is not revoked.
    TAGWISE_REVOCATION_REQUIRE_PATH = 3,
} tagwise_revocation;

// Encoding rules.
typedef enum tagwise_rules {
    // DER, with the deviations that the options allow.
    TAGWISE_RULES_DER = 0,
    // BER in any form.
    TAGWISE_RULES_BER = 1,
    // PER (X.691), BASIC, UNALIGNED.
    TAGWISE_RULES_UPER = 2,
    // PER, BASIC, ALIGNED.
    TAGWISE_RULES_APER = 3,
    // PER, CANONICAL, UNALIGNED.
    TAGWISE_RULES_CUPER = 4,
    // PER, CANONICAL, ALIGNED.
    TAGWISE_RULES_CAPER = 5,
    // OER (X.696), BASIC.
    TAGWISE_RULES_OER = 6,
    // OER, CANONICAL.
    TAGWISE_RULES_COER = 7,
    // XER (X.693), BASIC.
    TAGWISE_RULES_XER = 8,
    // XER, CANONICAL.
    TAGWISE_RULES_CXER = 9,
    // XER, EXTENDED: by the encoding instructions of the schema.
    TAGWISE_RULES_EXER = 10,
} tagwise_rules;

// The kind of C type that a layout describes.
typedef enum tagwise_layout_kind {
    // `bool`.
    TAGWISE_LAYOUT_KIND_BOOLEAN = 1,
    // A signed integer type: `int8_t` to `int64_t`.
    TAGWISE_LAYOUT_KIND_SIGNED = 2,
    // An unsigned integer type: `uint8_t` to `uint64_t`.
    TAGWISE_LAYOUT_KIND_UNSIGNED = 3,
    // `struct tagwise_bytes`: the content of a primitive value.
    TAGWISE_LAYOUT_KIND_CONTENT = 4,
    // `struct tagwise_bits`.
    TAGWISE_LAYOUT_KIND_BITS = 5,
    // `uint8_t`, unused: a NULL.
    TAGWISE_LAYOUT_KIND_NULL = 6,
    // A struct with a member for each component.
    TAGWISE_LAYOUT_KIND_COMPONENTS = 7,
    // `struct { size_t count; T *items; }`.
    TAGWISE_LAYOUT_KIND_LIST = 8,
    // `struct { int32_t choice; struct tagwise_bytes unknown; union { … } u; }`.
    TAGWISE_LAYOUT_KIND_CHOICE = 9,
    // A choice among the types of an object set. For any other type, `unknown` is the complete encoding.
    TAGWISE_LAYOUT_KIND_OPEN = 10,
    // `struct tagwise_bytes`: a complete encoding.
    TAGWISE_LAYOUT_KIND_ELEMENT = 11,
    // The content of an OCTET STRING or BIT STRING, decoded as its contained type.
    TAGWISE_LAYOUT_KIND_CONTAINING = 12,
} tagwise_layout_kind;

// The kind of a constraint in generated code.
typedef enum tagwise_layout_rule {
    // The value ranges of an INTEGER, with `text` such as `1..5|7..`.
    TAGWISE_LAYOUT_RULE_VALUE = 1,
    // A SIZE constraint, with ranges like those of `Value`.
    TAGWISE_LAYOUT_RULE_SIZE = 2,
    // A FROM constraint, with ranges of code points.
    TAGWISE_LAYOUT_RULE_ALPHABET = 3,
    // The value ranges of a REAL or a large INTEGER, each with two bounds as parts.
    TAGWISE_LAYOUT_RULE_BETWEEN = 4,
    // A bound of a range, with its content in `bytes`. `text` is `<` if the bound itself is excluded.
    TAGWISE_LAYOUT_RULE_BOUND = 5,
    // The bound MIN or MAX.
    TAGWISE_LAYOUT_RULE_UNBOUNDED = 6,
    // Permitted single values, each with an encoding.
    TAGWISE_LAYOUT_RULE_VALUES = 7,
    // The encoding of a single value.
    TAGWISE_LAYOUT_RULE_SINGLE = 8,
    // A PATTERN constraint.
    TAGWISE_LAYOUT_RULE_PATTERN = 9,
    // A SETTINGS constraint.
    TAGWISE_LAYOUT_RULE_SETTINGS = 10,
    // A CONTAINING constraint.
    TAGWISE_LAYOUT_RULE_CONTAINING = 11,
    // An ENCODED BY constraint, with the content bytes of the object identifier.
    TAGWISE_LAYOUT_RULE_ENCODED_BY = 12,
    // A WITH COMPONENTS constraint. `extensible` is true if the list begins with `...`.
    TAGWISE_LAYOUT_RULE_WITH_COMPONENTS = 13,
    // A component in WITH COMPONENTS. `text` is its name, and `reference` is 0 for ABSENT or 1 for PRESENT.
    TAGWISE_LAYOUT_RULE_COMPONENT = 14,
    // A WITH COMPONENT constraint.
    TAGWISE_LAYOUT_RULE_WITH_COMPONENT = 15,
    // The constraints of another type (contained subtype).
    TAGWISE_LAYOUT_RULE_INCLUDES = 16,
    // An INTERSECTION of constraints.
    TAGWISE_LAYOUT_RULE_ALL_OF = 17,
    // A UNION of constraints.
    TAGWISE_LAYOUT_RULE_ANY_OF = 18,
    // An EXCEPT clause.
    TAGWISE_LAYOUT_RULE_NONE_OF = 19,
    // An extension marker. The parts are the constraints before it, combined into one, and those after it.
    TAGWISE_LAYOUT_RULE_EXTENSIBLE = 20,
    // A table constraint without a selector.
    TAGWISE_LAYOUT_RULE_TABLE = 21,
    // A component relation constraint. `text` is the selector.
    TAGWISE_LAYOUT_RULE_RELATION = 22,
    // A CONSTRAINED BY constraint.
    TAGWISE_LAYOUT_RULE_USER = 23,
} tagwise_layout_rule;

// The kind of an ASN.1 type in generated code.
typedef enum tagwise_layout_shape {
    TAGWISE_LAYOUT_SHAPE_BOOLEAN = 1,
    TAGWISE_LAYOUT_SHAPE_INTEGER = 2,
    TAGWISE_LAYOUT_SHAPE_BIT_STRING = 3,
    TAGWISE_LAYOUT_SHAPE_OCTET_STRING = 4,
    TAGWISE_LAYOUT_SHAPE_NULL = 5,
    TAGWISE_LAYOUT_SHAPE_OBJECT_IDENTIFIER = 6,
    TAGWISE_LAYOUT_SHAPE_OBJECT_DESCRIPTOR = 7,
    // EXTERNAL, EMBEDDED PDV or CHARACTER STRING, distinguished by its tag.
    TAGWISE_LAYOUT_SHAPE_PRESENTATION = 8,
    TAGWISE_LAYOUT_SHAPE_REAL = 9,
    TAGWISE_LAYOUT_SHAPE_ENUMERATED = 10,
    TAGWISE_LAYOUT_SHAPE_UTF8_STRING = 12,
    TAGWISE_LAYOUT_SHAPE_RELATIVE_OID = 13,
    TAGWISE_LAYOUT_SHAPE_TIME = 14,
    TAGWISE_LAYOUT_SHAPE_SEQUENCE = 16,
    TAGWISE_LAYOUT_SHAPE_SET = 17,
    TAGWISE_LAYOUT_SHAPE_NUMERIC_STRING = 18,
    TAGWISE_LAYOUT_SHAPE_PRINTABLE_STRING = 19,
    TAGWISE_LAYOUT_SHAPE_TELETEX_STRING = 20,
    TAGWISE_LAYOUT_SHAPE_VIDEOTEX_STRING = 21,
    TAGWISE_LAYOUT_SHAPE_IA5_STRING = 22,
    TAGWISE_LAYOUT_SHAPE_UTC_TIME = 23,
    TAGWISE_LAYOUT_SHAPE_GENERALIZED_TIME = 24,
    TAGWISE_LAYOUT_SHAPE_GRAPHIC_STRING = 25,
    TAGWISE_LAYOUT_SHAPE_VISIBLE_STRING = 26,
    TAGWISE_LAYOUT_SHAPE_GENERAL_STRING = 27,
    TAGWISE_LAYOUT_SHAPE_UNIVERSAL_STRING = 28,
    TAGWISE_LAYOUT_SHAPE_BMP_STRING = 30,
    TAGWISE_LAYOUT_SHAPE_DATE = 31,
    TAGWISE_LAYOUT_SHAPE_TIME_OF_DAY = 32,
    TAGWISE_LAYOUT_SHAPE_DATE_TIME = 33,
    TAGWISE_LAYOUT_SHAPE_DURATION = 34,
    TAGWISE_LAYOUT_SHAPE_OID_IRI = 35,
    TAGWISE_LAYOUT_SHAPE_RELATIVE_OID_IRI = 36,
    TAGWISE_LAYOUT_SHAPE_SEQUENCE_OF = 64,
    TAGWISE_LAYOUT_SHAPE_SET_OF = 65,
    TAGWISE_LAYOUT_SHAPE_CHOICE = 66,
    TAGWISE_LAYOUT_SHAPE_OPEN = 67,
    // A type with an additional tag.
    TAGWISE_LAYOUT_SHAPE_TAGGED = 68,
    // A reference to another type under a new name.
    TAGWISE_LAYOUT_SHAPE_NAMED = 69,
} tagwise_layout_shape;

// Kinds of users and groups, as bit flags.
typedef enum tagwise_disposition {
    // The users `root` and `nobody`, and their groups.
    TAGWISE_DISPOSITION_INTRINSIC = 1,
    // Users of the system's own services.
    TAGWISE_DISPOSITION_SYSTEM = 2,
    // Temporary users of a service, which exist while it runs.
    TAGWISE_DISPOSITION_DYNAMIC = 4,
    // People.
    TAGWISE_DISPOSITION_REGULAR = 8,
    // Users of containers.
    TAGWISE_DISPOSITION_CONTAINER = 16,
    // Reserved UIDs and GIDs.
    TAGWISE_DISPOSITION_RESERVED = 32,
    // Users of another namespace.
    TAGWISE_DISPOSITION_FOREIGN = 64,
    // A kind that this library does not recognize.
    TAGWISE_DISPOSITION_OTHER = 128,
} tagwise_disposition;

// A set of trust anchors. Once the last one has been added, threads may share it.
typedef struct tagwise_anchors tagwise_anchors;

// The memory of decoded values, freed all at once, with the rules for decoding into it. Not thread-safe.
typedef struct tagwise_arena tagwise_arena;

// A cryptographic backend: keys, signatures and ciphers. NULL always selects the embedded backend. Immutable: threads may
// share it.
typedef struct tagwise_backend tagwise_backend;

// Bytes that the caller owns and frees with tagwise_buffer_free(). A NUL follows the last byte. Immutable: threads may
// share it.
typedef struct tagwise_buffer tagwise_buffer;

// A certificate (RFC 5280 section 4.1) with a copy of its encoding. Values returned by its functions are borrowed from it,
// except for buffers. Immutable: threads may share it.
typedef struct tagwise_certificate tagwise_certificate;

// A certificate under construction: the subject's key and names, the issuer, and the extensions. Not thread-safe. After a
// failed call, every later call fails with the same error.
typedef struct tagwise_certificate_builder tagwise_certificate_builder;

// A SignedData whose signatures were checked: content, signers and certificates. Values returned by its functions are
// borrowed from it. Immutable: threads may share it.
typedef struct tagwise_cms tagwise_cms;

// A CRL (RFC 5280 section 5.1) with a copy of its encoding. Values returned by its functions are borrowed from it, except
// for buffers. Immutable: threads may share it.
typedef struct tagwise_crl tagwise_crl;

// A CRL under construction. Not thread-safe. If a call fails, every later call fails with the same error.
typedef struct tagwise_crl_builder tagwise_crl_builder;

// An index of a CRL by serial number. It borrows from the CRL, so free the index first. Immutable: threads may share it.
typedef struct tagwise_crl_index tagwise_crl_index;

// A position in an input, with the stack of entered values. It borrows the input, which must outlive the cursor. Not
// thread-safe.
typedef struct tagwise_cursor tagwise_cursor;

// An error: kind, code, message, path, offset and clause. Immutable: threads may share it.
typedef struct tagwise_error tagwise_error;

// A group record from a service. Values returned by its functions are borrowed from it, except for buffers. Immutable:
// threads may share it.
typedef struct tagwise_group tagwise_group;

// A list of groups. Immutable: threads may share it.
typedef struct tagwise_groups tagwise_groups;

// The values found in an input. Values returned by its functions are borrowed from it. Immutable: threads may share it.
typedef struct tagwise_input tagwise_input;

// A private key. Its secret is exported only by functions that are documented to do so. Immutable: threads may share it.
typedef struct tagwise_key tagwise_key;

// Memberships of users in groups. Immutable: threads may share it.
typedef struct tagwise_memberships tagwise_memberships;

// A node of a value's tree: a component, an item, or the value itself. Borrowed from the value.
typedef struct tagwise_node tagwise_node;

// An OCSP response with a copy of its encoding. Values returned by its functions are borrowed from it, except for buffers.
// Immutable: threads may share it. tagwise_path_find() checks whether its signer is authorized.
typedef struct tagwise_ocsp_response tagwise_ocsp_response;

// Decoding options: the rules whose violation is tolerated, and the budgets. NULL means strict DER with the default budgets.
// Threads may share the options once the last setter has returned. If a setter fails, every function that receives the options
// fails with the same error.
typedef struct tagwise_options tagwise_options;

// A valid path. Values returned by its functions are borrowed from it. Immutable: threads may share it.
typedef struct tagwise_path tagwise_path;

// An opened PKCS #12 file. Values returned by its functions are borrowed from it. Immutable: threads may share it.
typedef struct tagwise_pkcs12 tagwise_pkcs12;

// The requirements for a path. Threads may share the policy once the last setter has returned. If a setter fails,
// tagwise_path_find() and all later calls fail with the same error, so that no requirement is silently dropped.
typedef struct tagwise_policy tagwise_policy;

// A pool of candidate certificates for path building. Once the last certificate has been added, threads may share it.
typedef struct tagwise_pool tagwise_pool;

// A certification request (RFC 2986) with a copy of its encoding. Values returned by its functions are borrowed from it,
// except for buffers. Immutable: threads may share it.
typedef struct tagwise_request tagwise_request;

// A certification request under construction. Not thread-safe. If a call fails, every later call fails with the same error.
typedef struct tagwise_request_builder tagwise_request_builder;

// Compiled ASN.1 modules. Immutable: threads may share them.
typedef struct tagwise_schema tagwise_schema;

// A verified time stamp. Values returned by its functions are borrowed from it. Immutable: threads may share it.
typedef struct tagwise_timestamp tagwise_timestamp;

// To-be-signed bytes and their algorithm, for signing with an external key. Immutable: threads may share it.
typedef struct tagwise_unsigned tagwise_unsigned;

// A user record from a service. Values returned by its functions are borrowed from it, except for buffers. Immutable:
// threads may share it.
typedef struct tagwise_user tagwise_user;

// A client for one user database service (io.systemd.UserDatabase) and its socket. Each query opens its own connection.
// Threads may share it unless its budget is being set.
typedef struct tagwise_userdb_client tagwise_userdb_client;

// A list of users. Immutable: threads may share it.
typedef struct tagwise_users tagwise_users;

// A decoded value with its encoding: a tree whose nodes are borrowed from it. It remains valid after its schema is freed.
// Immutable: threads may share it.
typedef struct tagwise_value tagwise_value;

// An encoding under construction. Not thread-safe. After a failed call, every later call fails with the same error,
// including tagwise_writer_finish(), because the encoding would be incomplete.
typedef struct tagwise_writer tagwise_writer;

// Memory allocation functions for the library.
typedef struct tagwise_allocator {
    // Allocates `size` bytes at an address that is a multiple of `align`, a power of two. Returns NULL on failure.
    void *(*allocate)(void *context, size_t size, size_t align);
    // Frees memory that `allocate` returned for the same `size` and `align`.
    void (*release)(void *context, void *memory, size_t size, size_t align);
    // Passed unchanged to both functions.
    void *context;
} tagwise_allocator;

// Borrowed bytes. The function that returns them documents their owner. If the bytes are absent, `ptr` is NULL; if they
// are empty, `len` is 0 and `ptr` is not NULL.
typedef struct tagwise_bytes {
    // The first byte, or NULL.
    const uint8_t *ptr;
    // The number of bytes.
    size_t len;
} tagwise_bytes;

// A signer of a message. Its bytes are borrowed from the tagwise_cms.
typedef struct tagwise_cms_signer {
    // True if the signature is valid and the certificate passes the checks that need no certification path.
    bool valid;
    // The description of the fault. Empty if the signature is valid.
    struct tagwise_bytes fault;
    // The signer's certificate in DER. Absent if it was not found.
    struct tagwise_bytes certificate;
    // The signing time claimed by the signer, in seconds since 1970; INT64_MIN if there is none. It is not verified.
    int64_t signing_time;
} tagwise_cms_signer;

// A CRL entry. Its bytes are borrowed from the CRL.
typedef struct tagwise_crl_entry {
    // The serial number, as INTEGER content bytes.
    struct tagwise_bytes serial;
    // The revocation date, in seconds since 1970.
    int64_t date;
    // The entry's extensions, concatenated, for tagwise_extension_next().
    struct tagwise_bytes extensions;
} tagwise_crl_entry;

// An element of an input: tag, complete encoding, content and offset. Its bytes are borrowed from the input.
typedef struct tagwise_element {
    // The tag, to be compared with TAGWISE_SEQUENCE, TAGWISE_CONTEXT(0) and so on. 0 means no element.
    uint32_t tag;
    // The element's offset in the input.
    size_t offset;
    // The complete encoding.
    struct tagwise_bytes whole;
    // The content.
    struct tagwise_bytes content;
} tagwise_element;

// An extension, borrowed from the same owner as its list.
typedef struct tagwise_extension {
    // The extension's identifier, as OBJECT IDENTIFIER content bytes.
    struct tagwise_bytes oid;
    // True if a reader that does not support the extension must reject the entire object.
    bool critical;
    // The extension's encoded value. It has not been checked if only the outer structure of the enclosing object was read.
    struct tagwise_bytes value;
} tagwise_extension;

// A value found in an input.
typedef struct tagwise_input_value {
    // The kind, as in the output of `tagwise show --json`: `certificate`, `crl`, `certification-request`, `private-key` and
    // others. It is `other` for unsupported values, and `unreadable` for unreadable ones.
    struct tagwise_bytes kind;
    // A description of the kind.
    struct tagwise_bytes description;
    // The value in DER, even if the input is BER. Empty if the text could not be decoded.
    struct tagwise_bytes der;
    // The label of the PEM block. Absent if the value is not in one.
    struct tagwise_bytes label;
    // The name of the archive member that contains the value. Absent if there is none.
    struct tagwise_bytes entry;
    // The line number of the PEM block, from 1; 0 if there is none.
    size_t line;
    // The byte offset in the input or in the decoded text.
    size_t offset;
    // The code of the error in the value's encoding. Absent if there is none.
    struct tagwise_bytes error_code;
    // The error's message. Absent if there is none.
    struct tagwise_bytes error_text;
} tagwise_input_value;

// A tag.
typedef struct tagwise_layout_tag {
    // The tag number.
    uint32_t number;
    // The class and form, as the three highest bits of an identifier octet. Any other bit means that there is no tag.
    uint8_t form;
    // True if the tag is EXPLICIT.
    bool is_explicit;
} tagwise_layout_tag;

// A constraint.
typedef struct tagwise_layout_constraint {
    // The kind of constraint, a value of enum tagwise_layout_rule.
    uint32_t rule;
    // True if an extension marker allows other values.
    bool extensible;
    // The index of the type or object set to which the constraint refers.
    uint32_t reference;
    // The text of the constraint, or NULL.
    const char *text;
    // The bytes of the constraint, if any.
    struct tagwise_bytes bytes;
    // The parts of the constraint.
    const struct tagwise_layout_constraint *parts;
    // The number of parts.
    size_t count;
} tagwise_layout_constraint;

// A component or alternative of a type.
typedef struct tagwise_layout_field {
    // The component's name.
    const char *name;
    // The index of the component's type.
    uint32_t type;
    // True if the component is OPTIONAL or has a DEFAULT.
    bool optional;
    // The encoding of the DEFAULT value, if there is one.
    struct tagwise_bytes value;
    // The number of the extension addition group; -1 if there is none.
    int32_t group;
    // The component's tags, outermost first.
    const struct tagwise_layout_tag *tags;
    // The number of tags.
    size_t tag_count;
    // The component's constraints.
    const struct tagwise_layout_constraint *constraints;
    // The number of constraints.
    size_t constraint_count;
} tagwise_layout_field;

// A named number, or an item of an ENUMERATED.
typedef struct tagwise_layout_number {
    // Its name.
    const char *name;
    // The number.
    int64_t number;
} tagwise_layout_number;

// An ASN.1 type.
typedef struct tagwise_layout_type {
    // The type's name.
    const char *name;
    // The kind of type, a value of enum tagwise_layout_shape.
    uint32_t shape;
    // The outermost tag of the type's encodings.
    struct tagwise_layout_tag tag;
    // The tag that a tagged type adds.
    struct tagwise_layout_tag tagging;
    // The index of the type of the items, of the referenced or tagged type, or of the object set; UINT32_MAX if there is none.
    uint32_t inner;
    // True if a CHOICE or ENUMERATED has an extension marker.
    bool extensible;
    // The index of the first extension addition; UINT32_MAX if there is no extension marker.
    uint32_t additions;
    // The index of the first component after the extension additions.
    uint32_t root;
    // The type's components or alternatives.
    const struct tagwise_layout_field *fields;
    // The number of components or alternatives.
    size_t count;
    // The type's named numbers.
    const struct tagwise_layout_number *numbers;
    // The number of named numbers.
    size_t number_count;
    // The type's constraints.
    const struct tagwise_layout_constraint *constraints;
    // The number of constraints.
    size_t constraint_count;
    // The path to the component that selects the type of an open type; NULL if there is none.
    const char *selector;
} tagwise_layout_type;

// An information object.
typedef struct tagwise_layout_object {
    // The object's name.
    const char *name;
    // The content of the component that selects the object.
    struct tagwise_bytes key;
    // The index of the object's type.
    uint32_t type;
} tagwise_layout_object;

// An information object set.
typedef struct tagwise_layout_set {
    // The set's name.
    const char *name;
    // The set's objects.
    const struct tagwise_layout_object *objects;
    // The number of objects.
    size_t count;
    // True if the set has an extension marker, so that other objects are allowed.
    bool extensible;
} tagwise_layout_set;

// The types of generated code.
typedef struct tagwise_layout_module {
    // The types.
    const struct tagwise_layout_type *types;
    // The number of types.
    size_t type_count;
    // The object sets.
    const struct tagwise_layout_set *sets;
    // The number of object sets.
    size_t set_count;
    // The library's own state. Initialize it to NULL.
    void *state;
} tagwise_layout_module;

// A member of a struct or union, for a component or an alternative.
typedef struct tagwise_layout_member {
    // The member's C type.
    const struct tagwise_layout *layout;
    // The member's offset in the struct.
    size_t offset;
    // The offset of the `bool` that tells whether the component is present; SIZE_MAX if there is none.
    size_t present;
    // True if the member is a pointer to its type. It is NULL if the component is absent.
    bool pointer;
} tagwise_layout_member;

// The memory layout of a C type that represents an ASN.1 type. Generated code contains these tables. Do not write them by
// hand: the library trusts their memory layout.
typedef struct tagwise_layout {
    // The kind, a value of enum tagwise_layout_kind.
    uint32_t kind;
    // The size of the C type.
    size_t size;
    // The number of members.
    size_t count;
    // The members.
    const struct tagwise_layout_member *members;
    // The layout of the list's items or of the contained value.
    const struct tagwise_layout *item;
    // The offset of the `struct tagwise_bytes` for an unknown alternative or for concatenated unknown extension additions;
    // SIZE_MAX if there is none.
    size_t unknown;
} tagwise_layout;

// An attribute of a name.
typedef struct tagwise_name_attribute {
    // The attribute type, as OBJECT IDENTIFIER content bytes. Borrowed like the name.
    struct tagwise_bytes oid;
    // The attribute's value, for tagwise_element_text(). Borrowed like the name.
    struct tagwise_element value;
    // The index of the RDN that contains the attribute.
    size_t rdn;
} tagwise_name_attribute;

// A general name, borrowed from the same owner as its list.
typedef struct tagwise_general_name {
    // The kind of name.
    enum tagwise_general_name_kind kind;
    // The value, in the form described for the kind.
    struct tagwise_bytes value;
    // The complete encoding.
    struct tagwise_bytes whole;
} tagwise_general_name;

// A response's statement about one certificate, borrowed from the response.
typedef struct tagwise_ocsp_single {
    // The hash algorithm, as OBJECT IDENTIFIER content bytes.
    struct tagwise_bytes hash_algorithm;
    // The hash of the issuer's name.
    struct tagwise_bytes issuer_name_hash;
    // The hash of the issuer's key.
    struct tagwise_bytes issuer_key_hash;
    // The certificate's serial number, as INTEGER content bytes.
    struct tagwise_bytes serial;
    // The certificate's status.
    enum tagwise_ocsp_status status;
    // The revocation time, in seconds since 1970; 0 if the certificate is not revoked.
    int64_t revoked_at;
    // The reason code (RFC 5280 section 5.3.1); -1 if there is none.
    int32_t reason;
    // The time at which the status was known to be correct (thisUpdate), in seconds since 1970.
    int64_t this_update;
    // The time by which newer information will be available (nextUpdate), in seconds since 1970; INT64_MAX if there is none.
    int64_t next_update;
    // The single response's extensions, concatenated, for tagwise_extension_next().
    struct tagwise_bytes extensions;
} tagwise_ocsp_single;

// A rule whose violation can be tolerated.
typedef struct tagwise_rule {
    // The rule's name. Static, like the other texts; do not free it.
    struct tagwise_bytes name;
    // The clause of the standard.
    struct tagwise_bytes clause;
    // The requirement, as a sentence.
    struct tagwise_bytes summary;
} tagwise_rule;

// A block of a PEM text. Its bytes are borrowed from the text.
typedef struct tagwise_pem_block {
    // The label, such as `CERTIFICATE`.
    struct tagwise_bytes label;
    // The block with its boundaries, for tagwise_pem_decode().
    struct tagwise_bytes text;
    // The line number of its BEGIN boundary, counted from 1 at the start of `rest`.
    size_t line;
} tagwise_pem_block;

// An item of a PKCS #12 file, borrowed from the file.
typedef struct tagwise_pkcs12_item {
    // The kind of item.
    enum tagwise_item_kind kind;
    // The value, in the form described for the kind.
    struct tagwise_bytes value;
    // The friendly name as UTF-8. Absent if there is none.
    struct tagwise_bytes friendly_name;
    // The localKeyId, which links a key to its certificate. Absent if there is none.
    struct tagwise_bytes local_key_id;
} tagwise_pkcs12_item;

// A description of a public key. The strings are static and must not be freed.
typedef struct tagwise_key_info {
    // The name of the algorithm.
    struct tagwise_bytes algorithm;
    // The name of the curve. Absent if the key has no curve, or its name is unknown.
    struct tagwise_bytes curve;
    // The key size in bits; 0 if it is unknown.
    uint32_t bits;
} tagwise_key_info;

// The text of ASN.1 modules, with a name for error messages.
typedef struct tagwise_schema_source {
    // The name that identifies the text, such as a file name.
    struct tagwise_bytes name;
    // The text of one or more modules.
    struct tagwise_bytes text;
} tagwise_schema_source;

// A tolerated rule violation in an input, with its location.
typedef struct tagwise_deviation {
    // The name of the violated rule. Static; do not free it.
    struct tagwise_bytes rule;
    // The violated clause of the standard. Static; do not free it.
    struct tagwise_bytes clause;
    // The byte offset in the input.
    size_t offset;
    // The offset in bits, for PER. Otherwise, 8 times the byte offset.
    uint64_t bit;
} tagwise_deviation;

// The position of a component in an encoding in PER, OER or XER.
typedef struct tagwise_position {
    // The component's path, empty for the whole value. Borrowed from the value.
    struct tagwise_bytes path;
    // The offset of the first bit.
    uint64_t start;
    // The offset after the last bit.
    uint64_t end;
} tagwise_position;

// A filter for users or groups. A zeroed filter accepts all records.
typedef struct tagwise_userdb_filter {
    // Substrings, at least one of which must occur in the name. NULL accepts any name.
    const char *const *names;
    // The number of substrings.
    size_t name_count;
    // The accepted kinds, as bits of enum tagwise_disposition; 0 for any.
    uint32_t dispositions;
    // The minimum UID or GID.
    uint32_t min;
    // The maximum UID or GID; 0 for no limit.
    uint32_t max;
} tagwise_userdb_filter;

// A BIT STRING.
typedef struct tagwise_bits {
    // Its bytes. The last byte may be partially unused.
    struct tagwise_bytes bytes;
    // The number of unused bits in the last byte.
    uint8_t unused;
} tagwise_bits;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Makes the whole process use the given functions for the library's allocations from now on. Call it once, before any
// other function. Returns false if the library has already allocated memory, or a function is missing. Allocations in the
// backend's own C code do not use these functions. If `allocate` returns NULL, the process is aborted.
TAGWISE_MUST_USE bool tagwise_allocator_set(const struct tagwise_allocator *allocator);

// Converts BER in any form to DER, including indefinite lengths, segmented strings and unordered SETs. `type` is the value's
// type: `Certificate`, `CertificateList`, `CertificationRequest`, `ContentInfo` (CMS), `OCSPRequest` or `OCSPResponse`. NULL
// means an element of unknown type; its strings with implicit tags are not converted. `residue` is set to the number of
// elements whose conversion is uncertain. If it is 0, the result is DER. Signed parts keep their original bytes.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_ber_to_der(struct tagwise_bytes input,
                                          const char *type,
                                          const struct tagwise_options *options,
                                          size_t *residue,
                                          struct tagwise_error **error);

// Creates a certificate builder with defaults for everything except the subject's key. tagwise_certificate_builder_sign() also
// requires a public key and an issuer. tagwise_certificate_builder_self_sign() requires neither. Free it with
// tagwise_certificate_builder_free().
TAGWISE_MUST_USE struct tagwise_certificate_builder *tagwise_certificate_builder_new(void);

// Creates a certificate builder with the public key, subject and subject alternative names of a certification request. The
// request's signature is not verified.
TAGWISE_MUST_USE
struct tagwise_certificate_builder *tagwise_certificate_builder_for_request(const struct tagwise_request *request,
                                                                            struct tagwise_error **error);

// Creates a CRL builder for an issuer, with a CRL number (INTEGER content bytes). Free it with tagwise_crl_builder_free().
TAGWISE_MUST_USE
struct tagwise_crl_builder *tagwise_crl_builder_new(const struct tagwise_certificate *issuer,
                                                    struct tagwise_bytes number,
                                                    struct tagwise_error **error);

// Creates a builder for an empty certification request. Free it with tagwise_request_builder_free().
TAGWISE_MUST_USE struct tagwise_request_builder *tagwise_request_builder_new(void);

// Frees a buffer; NULL is allowed.
void tagwise_buffer_free(struct tagwise_buffer *buffer);

// Returns a buffer's bytes, borrowed from it.
struct tagwise_bytes tagwise_buffer_bytes(const struct tagwise_buffer *buffer);

// Returns a buffer's text, NUL-terminated, or an empty string for NULL. Borrowed from the buffer. Use
// tagwise_buffer_bytes() if the bytes may contain a NUL.
const char *tagwise_buffer_text(const struct tagwise_buffer *buffer);

// Verifies the signatures of a SignedData in DER or BER. The content is taken from `content` if present, otherwise from
// the message. Signers' certificates are looked up in the message and in `certificates`, an array of `count` certificates
// in DER. `at` is the time at which they are checked, in seconds since 1970; NULL means now. `purpose` is the purpose
// required in the extended key usage; if absent, any purpose is accepted. The signers' certificates may violate the rules
// that `options` tolerate.
//
// A readable message is returned even if its signatures are invalid; call tagwise_cms_is_valid() to check them. Trust in the
// signers is not checked; pass their certificates to tagwise_path_find().
TAGWISE_MUST_USE
struct tagwise_cms *tagwise_cms_verify(const struct tagwise_backend *backend,
                                       struct tagwise_bytes message,
                                       struct tagwise_bytes content,
                                       const struct tagwise_bytes *certificates,
                                       size_t count,
                                       const int64_t *at,
                                       struct tagwise_bytes purpose,
                                       const struct tagwise_options *options,
                                       struct tagwise_error **error);

// Gets the signer at the given index, counted from 0. Returns false after the last one.
TAGWISE_MUST_USE bool tagwise_cms_signer_get(const struct tagwise_cms *cms, size_t index, struct tagwise_cms_signer *signer);

// Returns the message's content type, as OBJECT IDENTIFIER content bytes borrowed from the message. The rest of the
// message is not parsed.
TAGWISE_MUST_USE bool tagwise_cms_type(struct tagwise_bytes message, struct tagwise_bytes *oid, struct tagwise_error **error);

// Creates a SignedData in DER, signed with a key. The message includes the key's certificate and `certificates`, an array
// of `count` certificates. It includes the content unless `detached` is set.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_cms_sign(const struct tagwise_backend *backend,
                                        struct tagwise_bytes content,
                                        const struct tagwise_key *key,
                                        const struct tagwise_certificate *certificate,
                                        const struct tagwise_bytes *certificates,
                                        size_t count,
                                        bool detached,
                                        struct tagwise_error **error);

// Encrypts content for the holders of `certificates`, an array of `count` certificates in DER. Returns an EnvelopedData or
// AuthEnvelopedData in DER.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_cms_encrypt(const struct tagwise_backend *backend,
                                           struct tagwise_bytes content,
                                           const struct tagwise_bytes *certificates,
                                           size_t count,
                                           struct tagwise_error **error);

// Encrypts content with a password. Returns an EnvelopedData or AuthEnvelopedData in DER.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_cms_encrypt_password(const struct tagwise_backend *backend,
                                                    struct tagwise_bytes content,
                                                    struct tagwise_bytes password,
                                                    struct tagwise_error **error);

// Decrypts a message with a private key. If `certificate` is not NULL, it selects the recipient. `authenticated` is set to
// true if the content was protected against modification. The buffer is overwritten when it is freed.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_cms_decrypt(const struct tagwise_backend *backend,
                                           struct tagwise_bytes message,
                                           const struct tagwise_key *key,
                                           const struct tagwise_certificate *certificate,
                                           bool *authenticated,
                                           struct tagwise_error **error);

// Decrypts a message with a password. `authenticated` is set as in tagwise_cms_decrypt(). The buffer is overwritten when it is
// freed.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_cms_decrypt_password(const struct tagwise_backend *backend,
                                                    struct tagwise_bytes message,
                                                    struct tagwise_bytes password,
                                                    bool *authenticated,
                                                    struct tagwise_error **error);

// Returns the certificates of a PKCS #7 bundle (a SignedData, signed or not) as concatenated DER. Iterate over them with
// tagwise_element_next(). Signatures are not verified.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_pkcs7_certificates(struct tagwise_bytes message, struct tagwise_error **error);

// Returns the CRLs of a PKCS #7 bundle as concatenated DER. Iterate over them with tagwise_element_next().
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_pkcs7_crls(struct tagwise_bytes message, struct tagwise_error **error);

// Builds a PKCS #7 bundle of certificates and CRLs in DER, without signatures.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_pkcs7_build(const struct tagwise_bytes *certificates,
                                           size_t certificate_count,
                                           const struct tagwise_bytes *crls,
                                           size_t crl_count,
                                           struct tagwise_error **error);

// Gets the next entry and advances `rest` past it. Returns false, without setting an error, after the last one.
TAGWISE_MUST_USE
bool tagwise_crl_entry_next(struct tagwise_bytes *rest,
                            const struct tagwise_options *options,
                            struct tagwise_crl_entry *entry,
                            struct tagwise_error **error);

// Reads an entry's reason as its number in RFC 5280 section 5.3.1. Returns false, without setting an error, if the entry
// has none.
TAGWISE_MUST_USE
bool tagwise_crl_entry_reason(const struct tagwise_crl_entry *entry,
                              uint32_t *reason,
                              struct tagwise_error **error);

// Finds the first entry with the given serial number (INTEGER content bytes) by linear search. Returns false, without
// setting an error, if there is none. In an indirect CRL, the entry may refer to another issuer's certificate: use
// tagwise_crl_index_find().
TAGWISE_MUST_USE
bool tagwise_crl_find(const struct tagwise_crl *crl,
                      struct tagwise_bytes serial,
                      struct tagwise_crl_entry *entry,
                      struct tagwise_error **error);

// Creates an index of a CRL, for many lookups. It uses 12 to 24 bytes per entry.
TAGWISE_MUST_USE struct tagwise_crl_index *tagwise_crl_index_new(const struct tagwise_crl *crl, struct tagwise_error **error);

// Frees an index; NULL is allowed.
void tagwise_crl_index_free(struct tagwise_crl_index *index);

// Finds the last entry for the certificate with the given serial number and issuer. The issuer is an encoded name; if it
// is absent, the CRL's issuer is used. Returns false, without setting an error, if there is no such entry.
TAGWISE_MUST_USE
bool tagwise_crl_index_find(const struct tagwise_crl_index *index,
                            struct tagwise_bytes serial,
                            struct tagwise_bytes issuer,
                            struct tagwise_crl_entry *entry,
                            struct tagwise_error **error);

// Creates a cursor at the start of an input, which it borrows. If the options allow deviations, it reads definite-length
// BER without conversion.
TAGWISE_MUST_USE
struct tagwise_cursor *tagwise_cursor_new(struct tagwise_bytes input,
                                          const struct tagwise_options *options,
                                          struct tagwise_error **error);

// Creates a cursor at the start of an element in any form of BER. The element is first converted to DER without a schema;
// the cursor owns the result. Offsets refer to the input. A segmented string is joined only if it has its universal tag;
// for other tags, use tagwise_ber_to_der() with a type.
TAGWISE_MUST_USE
struct tagwise_cursor *tagwise_cursor_new_ber(struct tagwise_bytes input,
                                              const struct tagwise_options *options,
                                              struct tagwise_error **error);

// Frees a cursor; NULL is allowed.
void tagwise_cursor_free(struct tagwise_cursor *cursor);

// Returns whether the innermost entered value, or the input, has no more elements. Returns true for NULL.
TAGWISE_MUST_USE bool tagwise_cursor_is_empty(const struct tagwise_cursor *cursor);

// Returns the cursor's offset in the input.
size_t tagwise_cursor_offset(const struct tagwise_cursor *cursor);

// Returns the number of entered values.
size_t tagwise_cursor_depth(const struct tagwise_cursor *cursor);

// Returns the remaining bytes of the innermost entered value, borrowed from the input.
struct tagwise_bytes tagwise_cursor_rest(const struct tagwise_cursor *cursor);

// Returns the tag of the next element without advancing.
TAGWISE_MUST_USE bool tagwise_cursor_peek(const struct tagwise_cursor *cursor, uint32_t *tag, struct tagwise_error **error);

// Returns whether the next element has the given tag class and number.
TAGWISE_MUST_USE bool tagwise_cursor_at(const struct tagwise_cursor *cursor, uint32_t tag);

// Reads the next element, whatever its tag. Its content is not parsed.
TAGWISE_MUST_USE
bool tagwise_cursor_next(struct tagwise_cursor *cursor,
                         struct tagwise_element *element,
                         struct tagwise_error **error);

// Reads the next element, which must have the given tag.
TAGWISE_MUST_USE
bool tagwise_cursor_read(struct tagwise_cursor *cursor,
                         uint32_t tag,
                         struct tagwise_element *element,
                         struct tagwise_error **error);

// Reads the next element if it has the given tag class and number. Otherwise returns true with an element whose tag is 0
// and whose bytes are absent.
TAGWISE_MUST_USE
bool tagwise_cursor_read_optional(struct tagwise_cursor *cursor,
                                  uint32_t tag,
                                  struct tagwise_element *element,
                                  struct tagwise_error **error);

// Skips the next element.
TAGWISE_MUST_USE bool tagwise_cursor_skip(struct tagwise_cursor *cursor, struct tagwise_error **error);

// Enters the next element, which must have the given tag and be constructed.
TAGWISE_MUST_USE bool tagwise_cursor_enter(struct tagwise_cursor *cursor, uint32_t tag, struct tagwise_error **error);

// Leaves the innermost entered value, which must have been read completely.
TAGWISE_MUST_USE bool tagwise_cursor_leave(struct tagwise_cursor *cursor, struct tagwise_error **error);

// Leaves the innermost entered value and skips the rest of it.
TAGWISE_MUST_USE bool tagwise_cursor_leave_early(struct tagwise_cursor *cursor, struct tagwise_error **error);

// Checks that every entered value was left and that nothing follows the last element.
TAGWISE_MUST_USE bool tagwise_cursor_finish(const struct tagwise_cursor *cursor, struct tagwise_error **error);

// Frees an error; NULL is allowed.
void tagwise_error_free(struct tagwise_error *error);

// Returns the kind of an error, or TAGWISE_ERROR_KIND_NONE for NULL.
enum tagwise_error_kind tagwise_error_get_kind(const struct tagwise_error *error);

// Returns an error's stable code, such as `integer-padded`, borrowed from the error.
const char *tagwise_error_code(const struct tagwise_error *error);

// Returns an error's full message, with path, offset and clause, borrowed from the error.
const char *tagwise_error_message(const struct tagwise_error *error);

// Returns the path to the faulty component, such as `tbsCertificate.validity.notAfter`, or an empty string. Borrowed from
// the error.
const char *tagwise_error_path(const struct tagwise_error *error);

// Returns the relevant clause of the standard, or an empty string. Borrowed from the error.
const char *tagwise_error_clause(const struct tagwise_error *error);

// Returns an error's byte offset in the input, or SIZE_MAX if it has none.
size_t tagwise_error_offset(const struct tagwise_error *error);

// Returns an error's offset in the input in bits, for PER, OER and XER, or UINT64_MAX if it has none.
uint64_t tagwise_error_bit(const struct tagwise_error *error);

// Gets the next extension of a list, such as the one that tagwise_certificate_extensions() returns, and advances `rest`
// past it. Returns false, without setting an error, after the last one.
TAGWISE_MUST_USE
bool tagwise_extension_next(struct tagwise_bytes *rest,
                            const struct tagwise_options *options,
                            struct tagwise_extension *extension,
                            struct tagwise_error **error);

// Finds an extension in a list by its identifier. Returns false, without setting an error, if it is absent. A duplicate is an
// error.
TAGWISE_MUST_USE
bool tagwise_extension_find(struct tagwise_bytes list,
                            struct tagwise_bytes oid,
                            const struct tagwise_options *options,
                            struct tagwise_extension *extension,
                            struct tagwise_error **error);

// Decodes an extension's value as a tree, with the type of the extension. The tree can be walked node by node, or written
// as JSON or text.
TAGWISE_MUST_USE
struct tagwise_value *tagwise_extension_decode(const struct tagwise_extension *extension,
                                               const struct tagwise_options *options,
                                               struct tagwise_error **error);

// Encodes an extension's value in DER, from JSON in the format that tagwise_value_json() writes for
// tagwise_extension_decode(). `oid` is the extension's identifier (OBJECT IDENTIFIER content bytes).
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_extension_encode(struct tagwise_bytes oid,
                                                struct tagwise_bytes json,
                                                struct tagwise_error **error);

// Gets the field at the given index, counted from 0, among those that a path selects in an extension's value. Use the
// tagwise_element functions to read it. Examples of paths: `cA`, `[0].distributionPoint.fullName`, `keyCertSign`. A path
// consists of the names of components, alternatives and bits, and of item numbers in brackets. An empty path selects the whole
// value. A named bit is a BOOLEAN, and an absent component with a DEFAULT has its default value. Returns false, without
// setting an error, after the last field, or if the component is absent. The element is borrowed from the same owner as the
// extension.
TAGWISE_MUST_USE
bool tagwise_extension_get(const struct tagwise_extension *extension,
                           const char *path,
                           size_t index,
                           const struct tagwise_options *options,
                           struct tagwise_element *field,
                           struct tagwise_error **error);

// Finds all values in an input, as `tagwise show` does: PEM, DER, BER, hexadecimal, base64, tar, zip, gzip, zstd, CSV,
// certdata.txt, keystores, entries of CT logs, and base64 in other text. An input without values is not an error. An unreadable
// value is listed with its error.
TAGWISE_MUST_USE
struct tagwise_input *tagwise_input_find(struct tagwise_bytes input,
                                         const struct tagwise_options *options,
                                         struct tagwise_error **error);

// Frees the values of an input; NULL is allowed.
void tagwise_input_free(struct tagwise_input *input);

// Returns the format of an input, such as `PEM`, `DER` or `gzip`, or `unknown`.
struct tagwise_bytes tagwise_input_form(const struct tagwise_input *input);

// Gets the value at the given index, counted from 0. Returns false after the last one.
TAGWISE_MUST_USE bool tagwise_input_get(const struct tagwise_input *input, size_t index, struct tagwise_input_value *value);

// Returns the backend with the given name: `aws-lc` (embedded), or `openssl` (the system's) if the library was built with
// it. Free it with tagwise_backend_free().
TAGWISE_MUST_USE struct tagwise_backend *tagwise_backend_new(const char *name, struct tagwise_error **error);

// Frees a backend; NULL is allowed.
void tagwise_backend_free(struct tagwise_backend *backend);

// Returns a backend's name and version.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_backend_version(const struct tagwise_backend *backend,
                                               struct tagwise_error **error);

// Computes the digest of bytes with the named algorithm, such as `SHA-256`.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_digest(const struct tagwise_backend *backend,
                                      const char *name,
                                      struct tagwise_bytes data,
                                      struct tagwise_error **error);

// Generates a key of the given type: `p-256`, `rsa-3072`, `ed25519`, `ml-dsa-65` and others.
TAGWISE_MUST_USE
struct tagwise_key *tagwise_key_generate(const struct tagwise_backend *backend,
                                         const char *type,
                                         struct tagwise_error **error);

// Reads a private key in DER: PKCS #8 (encrypted or not), PKCS #1 or SEC 1. The password may be absent. It is ignored if the
// key is not encrypted. The error's code is `password-needed` if the key is encrypted and no password was given, and
// `integrity` if the password is wrong.
TAGWISE_MUST_USE
struct tagwise_key *tagwise_key_read(const struct tagwise_backend *backend,
                                     struct tagwise_bytes der,
                                     struct tagwise_bytes password,
                                     struct tagwise_error **error);

// Reads the first private key in a PEM text, like tagwise_key_read(). Keys encrypted with PEM headers (`DEK-Info`), as
// written by `openssl rsa -aes128 -traditional`, are also supported. Deviations in the PEM itself are tolerated, as with
// tagwise_options_allow_pem().
TAGWISE_MUST_USE
struct tagwise_key *tagwise_key_from_pem(const struct tagwise_backend *backend,
                                         struct tagwise_bytes text,
                                         struct tagwise_bytes password,
                                         struct tagwise_error **error);

// Reads the private key of a file in any format: PEM and DER as the functions above, OpenSSH, JWK, Java keystores, PVK, key blobs
// of Microsoft, and DNSSEC. If the file has several keys, the name selects one by its alias, comment or key identifier; NULL
// requires a single key. The password may be absent; an unneeded one is ignored.
TAGWISE_MUST_USE
struct tagwise_key *tagwise_key_from_any(const struct tagwise_backend *backend,
                                         struct tagwise_bytes data,
                                         struct tagwise_bytes password,
                                         const char *name,
                                         struct tagwise_error **error);

// Returns the public key of a file in any format, as tagwise_key_from_any() reads it, or of a certificate: an encoded
// SubjectPublicKeyInfo. The name selects one of several keys; NULL requires a single key.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_public_key_from_any(const struct tagwise_backend *backend,
                                                   struct tagwise_bytes data,
                                                   const char *name,
                                                   struct tagwise_error **error);

// Frees a key; NULL is allowed.
void tagwise_key_free(struct tagwise_key *key);

// Returns the name of a key's type. A DSA key, `dsa`, does not sign: it is read and converted only.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_key_type(const struct tagwise_key *key, struct tagwise_error **error);

// Returns the public key: an encoded SubjectPublicKeyInfo, borrowed from the key.
struct tagwise_bytes tagwise_key_public(const struct tagwise_key *key);

// Encodes the key as unencrypted PKCS #8. The buffer is overwritten when it is freed.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_key_pkcs8(const struct tagwise_key *key, struct tagwise_error **error);

// Encodes the key as PKCS #8, encrypted with a password.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_key_pkcs8_encrypted(const struct tagwise_key *key,
                                                   const struct tagwise_backend *backend,
                                                   struct tagwise_bytes password,
                                                   struct tagwise_error **error);

// Returns the key's signature algorithm: an encoded AlgorithmIdentifier.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_key_signature_algorithm(const struct tagwise_key *key,
                                                       struct tagwise_error **error);

// Signs a message with a key, using the algorithm that tagwise_key_signature_algorithm() returns.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_key_sign(const struct tagwise_key *key,
                                        struct tagwise_bytes message,
                                        struct tagwise_error **error);

// Verifies a signature with a public key (an encoded SubjectPublicKeyInfo) and an algorithm (an encoded
// AlgorithmIdentifier). SHA-1 is not accepted.
TAGWISE_MUST_USE
bool tagwise_signature_verify(const struct tagwise_backend *backend,
                              struct tagwise_bytes public_key,
                              struct tagwise_bytes algorithm,
                              struct tagwise_bytes message,
                              struct tagwise_bytes signature,
                              struct tagwise_error **error);

// Decodes a value into a C type. All its memory is in the arena and is freed with it. Without an arena, the value has its
// own arena, and tagwise_layout_free() frees both. The input is copied. For generated code.
TAGWISE_MUST_USE
void *tagwise_layout_decode(const struct tagwise_layout_module *module,
                            uint32_t type,
                            const struct tagwise_layout *layout,
                            struct tagwise_bytes input,
                            struct tagwise_arena *arena,
                            struct tagwise_error **error);

// Frees a value that was decoded without an arena. Does nothing for NULL, or for a value in an arena that has not been freed.
// Do not call it for values that the program created itself. For generated code.
void tagwise_layout_free(void *value);

// Encodes a value in a C type as DER, and checks it against the type's constraints. For generated code.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_layout_encode(const struct tagwise_layout_module *module,
                                             uint32_t type,
                                             const struct tagwise_layout *layout,
                                             const void *value,
                                             struct tagwise_error **error);

// Checks a value in a C type against the type's constraints. For generated code.
TAGWISE_MUST_USE
bool tagwise_layout_check(const struct tagwise_layout_module *module,
                          uint32_t type,
                          const struct tagwise_layout *layout,
                          const void *value,
                          struct tagwise_error **error);

// Formats a value in a C type as readable text, with the names of its components. Constraints are not checked. For generated
// code.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_layout_print(const struct tagwise_layout_module *module,
                                            uint32_t type,
                                            const struct tagwise_layout *layout,
                                            const void *value,
                                            struct tagwise_error **error);

// Formats OBJECT IDENTIFIER content bytes as dotted text, such as `1.2.840.113549`. For members of generated C types.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_content_oid_text(struct tagwise_bytes content, struct tagwise_error **error);

// Reads INTEGER content bytes as a signed 64-bit integer. Returns false if the value does not fit.
TAGWISE_MUST_USE bool tagwise_content_int64(struct tagwise_bytes content, int64_t *value);

// Creates an arena of at most `limit` bytes; 0 means 1 GiB. Free it with tagwise_arena_free().
TAGWISE_MUST_USE struct tagwise_arena *tagwise_arena_new(size_t limit);

// Frees an arena and everything decoded into it; NULL is allowed.
void tagwise_arena_free(struct tagwise_arena *arena);

// Discards everything decoded into an arena, and keeps its memory for reuse.
void tagwise_arena_reset(struct tagwise_arena *arena);

// Sets the encoding rules (a value of enum tagwise_rules) and the options for decoding into an arena. The options are
// copied and may be NULL. The default is strict DER with the default budgets. After a failure, nothing can be decoded into
// the arena.
TAGWISE_MUST_USE
bool tagwise_arena_set_rules(struct tagwise_arena *arena,
                             uint32_t rules,
                             const struct tagwise_options *options,
                             struct tagwise_error **error);

// Allocates zeroed memory in an arena, for parts of a value that the program creates. The memory is aligned for every C type.
// Returns NULL if the limit is reached.
TAGWISE_MUST_USE void *tagwise_arena_alloc(struct tagwise_arena *arena, size_t bytes);

// Frees the library's representation of generated types, which is built on first use. Call it after the last decoding, or
// before unloading the library. No other function of the generated code may be running. The next call builds the
// representation again. Decoded values remain valid. For generated code.
void tagwise_layout_module_unload(const struct tagwise_layout_module *module);

// Formats a name as RFC 4514 text, such as `CN=Eva,O=Example,C=DE`, with the last RDN first.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_name_rfc4514(struct tagwise_bytes name, struct tagwise_error **error);

// Formats a name in the order of its encoding, such as `C=DE, O=Example, CN=Eva`. Attributes of the same RDN are joined
// with `+`. The text is UTF-8. Control characters, and characters with a special meaning such as commas, are escaped as in
// RFC 4514.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_name_oneline(struct tagwise_bytes name, struct tagwise_error **error);

// Parses RFC 4514 text and returns the name's encoding.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_name_from_text(struct tagwise_bytes text, struct tagwise_error **error);

// Returns whether two names match according to RFC 5280 section 7.1, which ignores case and repeated spaces. Invalid names
// never match.
TAGWISE_MUST_USE bool tagwise_name_equal(struct tagwise_bytes one, struct tagwise_bytes other);

// Returns whether a name is within the subtree of another name (RFC 5280 section 4.2.1.10).
TAGWISE_MUST_USE bool tagwise_name_is_within(struct tagwise_bytes name, struct tagwise_bytes subtree);

// Computes a lookup key for a name: two keys are equal if and only if the names match.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_name_match_key(struct tagwise_bytes name, struct tagwise_error **error);

// Gets the attribute at the given index, counted from 0 over all RDNs. Returns false, without setting an error, after the
// last one.
TAGWISE_MUST_USE
bool tagwise_name_attribute_get(struct tagwise_bytes name,
                                size_t index,
                                struct tagwise_name_attribute *attribute,
                                struct tagwise_error **error);

// Finds the first attribute with the given type (OBJECT IDENTIFIER content bytes). Returns false, without setting an
// error, if there is none.
TAGWISE_MUST_USE
bool tagwise_name_attribute_find(struct tagwise_bytes name,
                                 struct tagwise_bytes oid,
                                 struct tagwise_name_attribute *attribute,
                                 struct tagwise_error **error);

// Returns an attribute's value as UTF-8, regardless of its string type.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_name_attribute_text(const struct tagwise_name_attribute *attribute,
                                                   struct tagwise_error **error);

// Gets the next name from the content of a GeneralNames, such as tagwise_certificate_names() returns, and advances `rest`
// past it. Returns false, without setting an error, after the last one. Only the name's tag is checked, so a malformed
// name does not hide those after it.
TAGWISE_MUST_USE
bool tagwise_general_name_next(struct tagwise_bytes *rest,
                               const struct tagwise_options *options,
                               struct tagwise_general_name *name,
                               struct tagwise_error **error);

// Formats a general name, such as `DNS:example.org` or `IP:192.0.2.1`.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_general_name_text(const struct tagwise_general_name *name,
                                                 struct tagwise_error **error);

// Gets the next single response and advances `rest` past it. Returns false, without setting an error, after the last one.
TAGWISE_MUST_USE
bool tagwise_ocsp_single_next(struct tagwise_bytes *rest,
                              const struct tagwise_options *options,
                              struct tagwise_ocsp_single *single,
                              struct tagwise_error **error);

// Creates a request about one certificate, in DER. `digest` is the name of the hash algorithm; NULL means SHA-1. `nonce`
// may be absent.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_ocsp_request_build(const struct tagwise_certificate *certificate,
                                                  const struct tagwise_certificate *issuer,
                                                  const char *digest,
                                                  struct tagwise_bytes nonce,
                                                  struct tagwise_error **error);

// Converts the content bytes of an object identifier to dotted text, such as `2.5.29.17`.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_oid_text(struct tagwise_bytes oid, struct tagwise_error **error);

// Returns the content bytes of an object identifier, given as dotted text or by name, such as `subjectAltName`.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_oid_from_text(const char *text, struct tagwise_error **error);

// Returns the name of an object identifier, such as `subjectAltName`, or absent bytes if its name is unknown. The name is
// static and must not be freed.
struct tagwise_bytes tagwise_oid_name(struct tagwise_bytes oid);

// Returns whether two object identifiers are equal, or false if either is absent.
TAGWISE_MUST_USE bool tagwise_oid_equal(struct tagwise_bytes one, struct tagwise_bytes other);

// Converts the content bytes of a RELATIVE-OID to dotted text.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_relative_oid_text(struct tagwise_bytes oid, struct tagwise_error **error);

// Converts dotted text to the content bytes of a RELATIVE-OID.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_relative_oid_from_text(const char *text, struct tagwise_error **error);

// Creates options for strict DER with the default budgets: 64 levels, 2^32 elements, 4 GiB of output, 2^23 values. Free them with
// tagwise_options_free().
TAGWISE_MUST_USE struct tagwise_options *tagwise_options_new(void);

// Frees options; NULL is allowed.
void tagwise_options_free(struct tagwise_options *options);

// Tolerates violations of further rules. `rules` is one name, such as `negative-serial` or `long-length`, or several
// separated by commas. The names are those of the command-line option `--allow`. tagwise_rule_get() lists the rules, and
// `ber`, `pem` and `all` are groups of rules.
TAGWISE_MUST_USE bool tagwise_options_allow(struct tagwise_options *options, const char *rules, struct tagwise_error **error);

// Tolerates BER with definite lengths and primitive strings, as LDAP servers send it.
void tagwise_options_allow_ber(struct tagwise_options *options);

// Tolerates common, unambiguous PEM errors: every rule whose name begins with `pem-`.
void tagwise_options_allow_pem(struct tagwise_options *options);

// Sets the maximum nesting depth of constructed values, up to 128.
void tagwise_options_set_depth(struct tagwise_options *options, uint8_t depth);

// Sets the maximum number of SEQUENCE OF and SET OF elements per call.
void tagwise_options_set_elements(struct tagwise_options *options, uint64_t elements);

// Sets the maximum number of values that one decoding by a schema creates, including absent components, and so its memory. The
// default is 2^23, which take about 1 GB.
void tagwise_options_set_values(struct tagwise_options *options, uint64_t values);

// Sets the maximum output of one encoding or conversion, in bytes.
void tagwise_options_set_output(struct tagwise_options *options, uint64_t bytes);

// Gets the rule at the given index, counted from 0. Returns false after the last one.
TAGWISE_MUST_USE bool tagwise_rule_get(size_t index, struct tagwise_rule *rule);

// Creates an empty set of trust anchors. Free it with tagwise_anchors_free().
TAGWISE_MUST_USE struct tagwise_anchors *tagwise_anchors_new(void);

// Loads the system's trust anchors from the locations that common distributions use.
TAGWISE_MUST_USE struct tagwise_anchors *tagwise_anchors_system(struct tagwise_error **error);

// Frees trust anchors; NULL is allowed.
void tagwise_anchors_free(struct tagwise_anchors *anchors);

// Adds a certificate in DER as a trust anchor.
TAGWISE_MUST_USE
bool tagwise_anchors_add(struct tagwise_anchors *anchors,
                         struct tagwise_bytes certificate,
                         struct tagwise_error **error);

// Adds every certificate in the content of a file (PEM, DER and other containers). Unreadable certificates are skipped. If
// all are unreadable, the call fails.
TAGWISE_MUST_USE
bool tagwise_anchors_read(struct tagwise_anchors *anchors,
                          struct tagwise_bytes content,
                          struct tagwise_error **error);

// Returns the number of trust anchors.
size_t tagwise_anchors_count(const struct tagwise_anchors *anchors);

// Creates an empty pool of candidate certificates for path building. Free it with tagwise_pool_free().
TAGWISE_MUST_USE struct tagwise_pool *tagwise_pool_new(void);

// Frees a pool; NULL is allowed.
void tagwise_pool_free(struct tagwise_pool *pool);

// Adds a certificate in DER.
TAGWISE_MUST_USE bool tagwise_pool_add(struct tagwise_pool *pool, struct tagwise_bytes certificate, struct tagwise_error **error);

// Creates a policy from a profile (`rfc5280`, `webpki`, `smime`, `code-signing`, `time-stamping`) and a validation time in
// seconds since 1970. Free it with tagwise_policy_free().
TAGWISE_MUST_USE struct tagwise_policy *tagwise_policy_new(const char *profile, int64_t time, struct tagwise_error **error);

// Frees a policy; NULL is allowed.
void tagwise_policy_free(struct tagwise_policy *policy);

// Requires that the certificate is valid for the given host name.
TAGWISE_MUST_USE bool tagwise_policy_require_dns(struct tagwise_policy *policy, const char *host, struct tagwise_error **error);

// Requires that the certificate is valid for the given IP address of 4 or 16 bytes.
TAGWISE_MUST_USE
bool tagwise_policy_require_ip(struct tagwise_policy *policy,
                               struct tagwise_bytes address,
                               struct tagwise_error **error);

// Requires that the certificate is valid for the given email address.
TAGWISE_MUST_USE
bool tagwise_policy_require_email(struct tagwise_policy *policy,
                                  const char *mailbox,
                                  struct tagwise_error **error);

// Requires that the certificate allows the given extended key usage purpose (OBJECT IDENTIFIER content bytes), instead of
// the profile's purpose.
TAGWISE_MUST_USE
bool tagwise_policy_require_purpose(struct tagwise_policy *policy,
                                    struct tagwise_bytes purpose,
                                    struct tagwise_error **error);

// Accepts the critical extension with the given identifier (OBJECT IDENTIFIER content bytes), which the caller must check
// itself.
TAGWISE_MUST_USE
bool tagwise_policy_understand(struct tagwise_policy *policy,
                               struct tagwise_bytes extension,
                               struct tagwise_error **error);

// Limits the number of certificates between the end-entity certificate and the trust anchor.
void tagwise_policy_set_max_intermediates(struct tagwise_policy *policy, uint32_t count);

// Enables the rule with the given name, such as `purpose`. `tagwise verify --list-rules` lists the names.
TAGWISE_MUST_USE bool tagwise_policy_enable(struct tagwise_policy *policy, const char *rule, struct tagwise_error **error);

// Disables the rule with the given name, unless it is essential for validation. Without `weak-digest`, signatures with SHA-1 are
// accepted; without `key-size`, those by weak keys.
TAGWISE_MUST_USE bool tagwise_policy_disable(struct tagwise_policy *policy, const char *rule, struct tagwise_error **error);

// Sets the mode of revocation checking: a value of enum tagwise_revocation.
TAGWISE_MUST_USE
bool tagwise_policy_set_revocation(struct tagwise_policy *policy,
                                   uint32_t revocation,
                                   struct tagwise_error **error);

// Adds a CRL in DER for revocation checks. It is checked during path search.
TAGWISE_MUST_USE bool tagwise_policy_add_crl(struct tagwise_policy *policy, struct tagwise_bytes crl, struct tagwise_error **error);

// Adds an OCSP response in DER for revocation checks. It is checked during path search.
TAGWISE_MUST_USE
bool tagwise_policy_add_ocsp(struct tagwise_policy *policy,
                             struct tagwise_bytes response,
                             struct tagwise_error **error);

// Finds a valid path from a certificate to an anchor. If there is none, the error has the kind TAGWISE_ERROR_KIND_PATH,
// and its code, clause and offset are those of the rule that rejected the best candidate. `report` is set to a buffer with
// the full JSON report, both on success and on failure; the caller frees it. `pool` may be NULL.
TAGWISE_MUST_USE
struct tagwise_path *tagwise_path_find(const struct tagwise_certificate *certificate,
                                       const struct tagwise_pool *pool,
                                       const struct tagwise_anchors *anchors,
                                       const struct tagwise_policy *policy,
                                       const struct tagwise_backend *backend,
                                       struct tagwise_buffer **report,
                                       struct tagwise_error **error);

// Frees a path; NULL is allowed.
void tagwise_path_free(struct tagwise_path *path);

// Gets the certificate at the given index in DER, starting with the verified certificate. The anchor is not included.
// Returns false after the last one.
TAGWISE_MUST_USE
bool tagwise_path_certificate_get(const struct tagwise_path *path,
                                  size_t index,
                                  struct tagwise_bytes *certificate);

// Returns the anchor's certificate in DER. Absent if the anchor is only a name and a key.
struct tagwise_bytes tagwise_path_anchor(const struct tagwise_path *path);

// Returns the anchor's encoded name.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_path_anchor_name(const struct tagwise_path *path, struct tagwise_error **error);

// Gets the next block of a text and advances `rest`, which is initially the whole text, past it. Returns false, without
// setting an error, after the last block.
TAGWISE_MUST_USE
bool tagwise_pem_next(struct tagwise_bytes *rest,
                      const struct tagwise_options *options,
                      struct tagwise_pem_block *block,
                      struct tagwise_error **error);

// Decodes the first block with the given label, or the first block of all if `label` is NULL.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_pem_decode(struct tagwise_bytes text,
                                          const char *label,
                                          const struct tagwise_options *options,
                                          struct tagwise_error **error);

// Encodes bytes as a PEM block with the given label.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_pem_encode(const char *label,
                                          struct tagwise_bytes der,
                                          struct tagwise_error **error);

// Opens a file: verifies its MAC, and decrypts its encrypted parts. The password is UTF-8 or absent. Fails for a file without a MAC,
// whose integrity nothing protects: tagwise_pkcs12_open_unchecked() opens it.
TAGWISE_MUST_USE
struct tagwise_pkcs12 *tagwise_pkcs12_open(const struct tagwise_backend *backend,
                                           struct tagwise_bytes file,
                                           struct tagwise_bytes password,
                                           struct tagwise_error **error);

// Opens a file like tagwise_pkcs12_open(), also one without a MAC. The MAC is verified if there is one.
TAGWISE_MUST_USE
struct tagwise_pkcs12 *tagwise_pkcs12_open_unchecked(const struct tagwise_backend *backend,
                                                     struct tagwise_bytes file,
                                                     struct tagwise_bytes password,
                                                     struct tagwise_error **error);

// Frees an opened file; NULL is allowed.
void tagwise_pkcs12_free(struct tagwise_pkcs12 *pkcs12);

// Gets the item at the given index, counted from 0. Returns false after the last one.
TAGWISE_MUST_USE bool tagwise_pkcs12_item_get(const struct tagwise_pkcs12 *pkcs12, size_t index, struct tagwise_pkcs12_item *item);

// Builds a file in DER with a key (or NULL) and `certificates`, an array of `count` certificates in DER, starting with the
// key's certificate. `layout` is `modern`, `pbmac1`, `legacy-windows` or `java-truststore`. `name` is the friendly name of
// the key and the first certificate, or NULL. `iterations` is the iteration count for password-based key derivation; 0
// means the layout's default.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_pkcs12_build(const struct tagwise_backend *backend,
                                            const char *layout,
                                            const struct tagwise_key *key,
                                            const struct tagwise_bytes *certificates,
                                            size_t count,
                                            const char *name,
                                            struct tagwise_bytes password,
                                            uint32_t iterations,
                                            struct tagwise_error **error);

// Describes a public key, given as an encoded SubjectPublicKeyInfo.
TAGWISE_MUST_USE
bool tagwise_public_key_info(struct tagwise_bytes public_key,
                             struct tagwise_key_info *info,
                             struct tagwise_error **error);

// Compiles modules from `count` texts. If compilation fails, the error's message lists all errors with their line numbers.
TAGWISE_MUST_USE
struct tagwise_schema *tagwise_schema_compile(const struct tagwise_schema_source *sources,
                                              size_t count,
                                              struct tagwise_error **error);

// Frees a schema; NULL is allowed. Values decoded with it remain valid.
void tagwise_schema_free(struct tagwise_schema *schema);

// Gets the module and name of the type at the given index, counted from 0, borrowed from the schema. Returns false after
// the last one.
TAGWISE_MUST_USE
bool tagwise_schema_type_get(const struct tagwise_schema *schema,
                             size_t index,
                             struct tagwise_bytes *module,
                             struct tagwise_bytes *name);

// Decodes a value of a named type (`Name` or `Module.Name`). `rules`, a value of enum tagwise_rules, selects DER, BER, PER, OER
// or XER. Offsets in errors refer to the input; node offsets refer to the DER, and are 0 for the other rules.
TAGWISE_MUST_USE
struct tagwise_value *tagwise_value_decode(const struct tagwise_schema *schema,
                                           const char *type,
                                           struct tagwise_bytes input,
                                           uint32_t rules,
                                           const struct tagwise_options *options,
                                           struct tagwise_error **error);

// Frees a value; NULL is allowed.
void tagwise_value_free(struct tagwise_value *value);

// Gets the tolerated deviation at the given index, counted from 0. Returns false after the last one.
TAGWISE_MUST_USE bool tagwise_value_deviation(const struct tagwise_value *value, size_t index, struct tagwise_deviation *found);

// Gets the position of the component at the given index, counted from 0, of a value that was decoded from PER, OER or XER. The
// components are in the order of the encoding. Returns false after the last one.
TAGWISE_MUST_USE
bool tagwise_value_position_get(const struct tagwise_value *value,
                                size_t index,
                                struct tagwise_position *position);

// Returns the DER of a value.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_value_encode(const struct tagwise_value *value, struct tagwise_error **error);

// Encodes a value with the given rules, a value of enum tagwise_rules. TAGWISE_RULES_BER produces DER. Parts of unknown type
// that were read in PER or OER can only be encoded with the same rules.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_value_encode_as(const struct tagwise_value *value,
                                               uint32_t rules,
                                               struct tagwise_error **error);

// Reads a value of a named type from JSON (X.697). Constraints are checked.
TAGWISE_MUST_USE
struct tagwise_value *tagwise_value_from_json(const struct tagwise_schema *schema,
                                              const char *type,
                                              struct tagwise_bytes json,
                                              struct tagwise_error **error);

// Encodes the value as JSON with the JSON Encoding Rules (X.697).
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_value_json(const struct tagwise_value *value, struct tagwise_error **error);

// Formats the value as readable text, with component names. Secret components are not shown.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_value_text(const struct tagwise_value *value, struct tagwise_error **error);

// Encodes a value, given in the JSON Encoding Rules (X.697), as DER.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_schema_encode_json(const struct tagwise_schema *schema,
                                                  const char *type,
                                                  struct tagwise_bytes json,
                                                  struct tagwise_error **error);

// Converts a value of the given type from BER in any form to DER. `residue` is set to the number of elements whose
// conversion is uncertain.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_schema_to_der(const struct tagwise_schema *schema,
                                             const char *type,
                                             struct tagwise_bytes input,
                                             const struct tagwise_options *options,
                                             size_t *residue,
                                             struct tagwise_error **error);

// Returns the root of a value's tree.
const struct tagwise_node *tagwise_value_root(const struct tagwise_value *value);

// Returns the node at the given index, counted from 0, among those that a path selects, such as `extensions[2].extnID`. A
// path consists of the names of components and alternatives, and of items in brackets. An item is selected by its number,
// or by an object identifier that it contains. An empty path selects the whole value. Returns NULL, without setting an
// error, after the last node, or if the component is absent.
const struct tagwise_node *tagwise_value_select(const struct tagwise_value *value,
                                                const char *path,
                                                size_t index,
                                                struct tagwise_error **error);

// Returns the kind of a node, or TAGWISE_NODE_KIND_NONE for NULL.
enum tagwise_node_kind tagwise_node_get_kind(const struct tagwise_node *node);

// Returns the name of a node's type, such as `INTEGER` or `Certificate`.
struct tagwise_bytes tagwise_node_type(const struct tagwise_node *node);

// Returns the universal tag number of a leaf's type, such as TAGWISE_INTEGER, or 0 for other nodes. Pass it to
// tagwise_element_text() and tagwise_element_time().
uint32_t tagwise_node_universal(const struct tagwise_node *node);

// Returns the content of a leaf, or the complete encoding of a node of unknown type. Absent for other nodes.
struct tagwise_bytes tagwise_node_content(const struct tagwise_node *node);

// Returns a node's offset in the DER of its value.
size_t tagwise_node_offset(const struct tagwise_node *node);

// Returns the child at the given index, counted from 0, or NULL after the last one. `name` is set to the name of the
// component or alternative; it is absent for items.
const struct tagwise_node *tagwise_node_child_get(const struct tagwise_node *node, size_t index, struct tagwise_bytes *name);

// Returns the component or chosen alternative with the given name, or NULL if it is absent.
const struct tagwise_node *tagwise_node_child_find(const struct tagwise_node *node, const char *name);

// Reads a leaf as an element, for the tagwise_element functions. Returns false for other nodes. The element has no
// complete encoding, and its tag is the universal tag of its type.
TAGWISE_MUST_USE bool tagwise_node_element(const struct tagwise_node *node, struct tagwise_element *element);

// Gets the next of several concatenated elements, such as the content of a SEQUENCE, and advances `rest` past it. Returns
// false, without setting an error, after the last one. Offsets are relative to the initial `rest`.
TAGWISE_MUST_USE
bool tagwise_element_next(struct tagwise_bytes *rest,
                          const struct tagwise_options *options,
                          struct tagwise_element *element,
                          struct tagwise_error **error);

// Determines the length of the element at the start of an input. `rules` is a value of enum tagwise_rules; with
// TAGWISE_RULES_BER, lengths may be indefinite. Returns false, without setting an error, if the element is incomplete.
// `missing` is then set to the number of missing bytes, which is a minimum until the length is known. Bytes after the element
// are never read. Its contents are read only if the length is indefinite. Use it to split the input from a socket or a file of
// concatenated records.
TAGWISE_MUST_USE
bool tagwise_element_length(struct tagwise_bytes input,
                            uint32_t rules,
                            const struct tagwise_options *options,
                            size_t *length,
                            size_t *missing,
                            struct tagwise_error **error);

// Creates a time-stamp request for data, in DER, with a nonce. `name` is the digest's name, such as `SHA-256`. If
// `certificates` is true, the request asks the TSA to include its certificates.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_timestamp_request(const struct tagwise_backend *backend,
                                                 const char *name,
                                                 struct tagwise_bytes data,
                                                 bool certificates,
                                                 struct tagwise_error **error);

// Verifies a time-stamp response or a bare token: its signature, and that it covers `data` or, if `request` is present,
// answers that request. Certificates are taken from the token and from `certificates`, an array of `count` certificates in
// DER. `at` is the time at which the TSA certificate is checked; NULL means the stamped time. A time stamp later than `at`, or
// without it than the current time, is an error. The TSA certificate may
// violate the rules that `options` tolerate. Trust in the TSA is not checked: pass tagwise_timestamp_certificate() to
// tagwise_path_find().
TAGWISE_MUST_USE
struct tagwise_timestamp *tagwise_timestamp_verify(const struct tagwise_backend *backend,
                                                   struct tagwise_bytes response,
                                                   struct tagwise_bytes data,
                                                   struct tagwise_bytes request,
                                                   const struct tagwise_bytes *certificates,
                                                   size_t count,
                                                   const int64_t *at,
                                                   const struct tagwise_options *options,
                                                   struct tagwise_error **error);

// Looks up a user by name and UID, either of which may be NULL. Queries the host's multiplexing service or, if it is not
// running, the host's own user tables (NSS). Returns NULL, without setting an error, if there is no such user. The call waits
// at most ten seconds for the reply.
TAGWISE_MUST_USE struct tagwise_user *tagwise_user_find(const char *name, const uint32_t *uid, struct tagwise_error **error);

// Looks up a group by name and GID, like tagwise_user_find().
TAGWISE_MUST_USE struct tagwise_group *tagwise_group_find(const char *name, const uint32_t *gid, struct tagwise_error **error);

// Creates a client for the named service. If `service` is NULL, it is `io.systemd.Multiplexer`, which combines all others.
// `path` is its socket; NULL means the default socket in /run/systemd/userdb. No query is sent yet.
TAGWISE_MUST_USE
struct tagwise_userdb_client *tagwise_userdb_client_new(const char *service,
                                                        const char *path,
                                                        struct tagwise_error **error);

// Frees a client; NULL is allowed.
void tagwise_userdb_client_free(struct tagwise_userdb_client *client);

// Limits each query: the maximum time in milliseconds, and the maximum number of bytes and records in the reply. 0 selects
// the default: ten seconds, 256 MiB or one million records.
TAGWISE_MUST_USE
bool tagwise_userdb_client_set_budget(struct tagwise_userdb_client *client,
                                      uint32_t milliseconds,
                                      size_t bytes,
                                      size_t records,
                                      struct tagwise_error **error);

// Looks up a user by name and UID, either of which may be NULL. Returns NULL, without setting an error, if there is none.
TAGWISE_MUST_USE
struct tagwise_user *tagwise_userdb_client_user(const struct tagwise_userdb_client *client,
                                                const char *name,
                                                const uint32_t *uid,
                                                struct tagwise_error **error);

// Returns the users that match the filter, or all users if it is NULL. The list is empty if there are none. Not every
// service can list its records.
TAGWISE_MUST_USE
struct tagwise_users *tagwise_userdb_client_users(const struct tagwise_userdb_client *client,
                                                  const struct tagwise_userdb_filter *filter,
                                                  struct tagwise_error **error);

// Looks up a group by name and GID, either of which may be NULL. Returns NULL, without setting an error, if there is none.
TAGWISE_MUST_USE
struct tagwise_group *tagwise_userdb_client_group(const struct tagwise_userdb_client *client,
                                                  const char *name,
                                                  const uint32_t *gid,
                                                  struct tagwise_error **error);

// Returns the groups that match the filter, or all groups if it is NULL. The list is empty if there are none.
TAGWISE_MUST_USE
struct tagwise_groups *tagwise_userdb_client_groups(const struct tagwise_userdb_client *client,
                                                    const struct tagwise_userdb_filter *filter,
                                                    struct tagwise_error **error);

// Returns the groups of a user, the members of a group, whether a user is in a group, or all memberships: `user` and
// `group` may be NULL. The list is empty if there are none.
TAGWISE_MUST_USE
struct tagwise_memberships *tagwise_userdb_client_memberships(const struct tagwise_userdb_client *client,
                                                              const char *user,
                                                              const char *group,
                                                              struct tagwise_error **error);

// Frees memberships; NULL is allowed.
void tagwise_memberships_free(struct tagwise_memberships *memberships);

// Returns the number of memberships.
size_t tagwise_memberships_count(const struct tagwise_memberships *memberships);

// Returns the user of the membership at the given index. Absent after the last one.
struct tagwise_bytes tagwise_memberships_user(const struct tagwise_memberships *memberships, size_t index);

// Returns the group of the membership at the given index. Absent after the last one.
struct tagwise_bytes tagwise_memberships_group(const struct tagwise_memberships *memberships, size_t index);

// Creates a writer with the budget from the given options. Free it with tagwise_writer_free().
TAGWISE_MUST_USE struct tagwise_writer *tagwise_writer_new(const struct tagwise_options *options);

// Frees a writer; NULL is allowed.
void tagwise_writer_free(struct tagwise_writer *writer);

// Begins a constructed value with the given tag, such as TAGWISE_SEQUENCE. Subsequent values are written into it.
TAGWISE_MUST_USE bool tagwise_writer_begin(struct tagwise_writer *writer, uint32_t tag, struct tagwise_error **error);

// Ends the innermost open value.
TAGWISE_MUST_USE bool tagwise_writer_end(struct tagwise_writer *writer, struct tagwise_error **error);

// Ends the innermost open value as a SET OF and sorts its elements by their encodings (X.690 clause 11.6).
TAGWISE_MUST_USE bool tagwise_writer_end_set_of(struct tagwise_writer *writer, struct tagwise_error **error);

// Ends the innermost open value as a SET and sorts its elements by tag (X.690 clause 10.3). Duplicate tags are an error.
TAGWISE_MUST_USE bool tagwise_writer_end_set(struct tagwise_writer *writer, struct tagwise_error **error);

// Writes an encoded element, which is checked as far as possible without a schema.
TAGWISE_MUST_USE
bool tagwise_writer_encoded(struct tagwise_writer *writer,
                            struct tagwise_bytes element,
                            struct tagwise_error **error);

// Writes a primitive element with the given content and a tag that is not universal.
TAGWISE_MUST_USE
bool tagwise_writer_primitive(struct tagwise_writer *writer,
                              uint32_t tag,
                              struct tagwise_bytes content,
                              struct tagwise_error **error);

// Returns the encoding and empties the writer. All values must have been ended.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_writer_finish(struct tagwise_writer *writer, struct tagwise_error **error);

// Reads an OCSP response in DER and checks every byte of it.
TAGWISE_MUST_USE
struct tagwise_ocsp_response *tagwise_ocsp_response_read(struct tagwise_bytes der,
                                                         const struct tagwise_options *options,
                                                         struct tagwise_error **error);

// Reads the outer structure of an OCSP response. The parts inside are checked on access: a malformed one does not prevent reading
// the rest.
TAGWISE_MUST_USE
struct tagwise_ocsp_response *tagwise_ocsp_response_outline(struct tagwise_bytes der,
                                                            const struct tagwise_options *options,
                                                            struct tagwise_error **error);

// Reads the first OCSP response of a text in PEM and checks every byte of it.
TAGWISE_MUST_USE
struct tagwise_ocsp_response *tagwise_ocsp_response_from_pem(struct tagwise_bytes text,
                                                             const struct tagwise_options *options,
                                                             struct tagwise_error **error);

// Returns an OCSP response again, for another owner. Each owner frees it once; the last one frees its memory.
TAGWISE_MUST_USE struct tagwise_ocsp_response *tagwise_ocsp_response_retain(const struct tagwise_ocsp_response *response);

// Frees an OCSP response; NULL is allowed.
void tagwise_ocsp_response_free(struct tagwise_ocsp_response *response);

// The whole encoding.
struct tagwise_bytes tagwise_ocsp_response_der(const struct tagwise_ocsp_response *response);

// Gives the tolerated deviation with this index, counted from 0; false after the last one.
TAGWISE_MUST_USE
bool tagwise_ocsp_response_deviation(const struct tagwise_ocsp_response *response,
                                     size_t index,
                                     struct tagwise_deviation *found);

// The value as `tagwise show` prints it below the heading. `time`, in seconds since 1970, is the moment for which it tells whether
// something has expired.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_certificate_show(const struct tagwise_certificate *certificate,
                                                int64_t time,
                                                struct tagwise_error **error);

// The value as `tagwise show` prints it below the heading. `time`, in seconds since 1970, is the moment for which it tells whether
// something has expired.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_crl_show(const struct tagwise_crl *crl, int64_t time, struct tagwise_error **error);

// The value as `tagwise show` prints it below the heading. `time`, in seconds since 1970, is the moment for which it tells whether
// something has expired.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_request_show(const struct tagwise_request *request,
                                            int64_t time,
                                            struct tagwise_error **error);

// The value as `tagwise show` prints it below the heading. `time`, in seconds since 1970, is the moment for which it tells whether
// something has expired.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_ocsp_response_show(const struct tagwise_ocsp_response *response,
                                                  int64_t time,
                                                  struct tagwise_error **error);

// The value as `tagwise show --json` prints it, with the same `time` as the function for text.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_certificate_json(const struct tagwise_certificate *certificate,
                                                int64_t time,
                                                struct tagwise_error **error);

// The value as `tagwise show --json` prints it, with the same `time` as the function for text.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_crl_json(const struct tagwise_crl *crl, int64_t time, struct tagwise_error **error);

// The value as `tagwise show --json` prints it, with the same `time` as the function for text.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_request_json(const struct tagwise_request *request,
                                            int64_t time,
                                            struct tagwise_error **error);

// The value as `tagwise show --json` prints it, with the same `time` as the function for text.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_ocsp_response_json(const struct tagwise_ocsp_response *response,
                                                  int64_t time,
                                                  struct tagwise_error **error);

// The field with a customary name, such as `notAfter`, `subject`, `san` or `fingerprint`, as `tagwise get` prints it. Several
// values are separated by newlines; the buffer is empty if the value does not have the field.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_certificate_get(const struct tagwise_certificate *certificate,
                                               const char *name,
                                               struct tagwise_error **error);

// The field with a customary name, such as `notAfter`, `subject`, `san` or `fingerprint`, as `tagwise get` prints it. Several
// values are separated by newlines; the buffer is empty if the value does not have the field.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_crl_get(const struct tagwise_crl *crl,
                                       const char *name,
                                       struct tagwise_error **error);

// The field with a customary name, such as `notAfter`, `subject`, `san` or `fingerprint`, as `tagwise get` prints it. Several
// values are separated by newlines; the buffer is empty if the value does not have the field.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_request_get(const struct tagwise_request *request,
                                           const char *name,
                                           struct tagwise_error **error);

// The certificate as OpenSSL prints it.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_certificate_text(const struct tagwise_certificate *certificate,
                                                struct tagwise_error **error);

// The CRL as OpenSSL prints it.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_crl_text(const struct tagwise_crl *crl, struct tagwise_error **error);

// Verifies the signature of a certificate with its issuer's key, and that the value names that issuer. Nothing else is checked:
// use tagwise_path_find() to decide whether a certificate is trusted.
TAGWISE_MUST_USE
bool tagwise_certificate_verify_signature(const struct tagwise_certificate *certificate,
                                          const struct tagwise_certificate *issuer,
                                          const struct tagwise_backend *backend,
                                          struct tagwise_error **error);

// Verifies the signature of a CRL with its issuer's key, and that the value names that issuer. Nothing else is checked: use
// tagwise_path_find() to decide whether a certificate is trusted.
TAGWISE_MUST_USE
bool tagwise_crl_verify_signature(const struct tagwise_crl *crl,
                                  const struct tagwise_certificate *issuer,
                                  const struct tagwise_backend *backend,
                                  struct tagwise_error **error);

// Verifies the signature of a request with the key inside it.
TAGWISE_MUST_USE
bool tagwise_request_verify_signature(const struct tagwise_request *request,
                                      const struct tagwise_backend *backend,
                                      struct tagwise_error **error);

// The response status by its number in RFC 6960 section 4.2.1: 0 for a successful response, otherwise the reason for the failure;
// 255 for NULL.
uint8_t tagwise_ocsp_response_status(const struct tagwise_ocsp_response *response);

// Gives the signed part, unchanged.
TAGWISE_MUST_USE
bool tagwise_ocsp_response_tbs(const struct tagwise_ocsp_response *response,
                               struct tagwise_bytes *tbs,
                               struct tagwise_error **error);

// Gives the algorithm of the signature: the encoding of an AlgorithmIdentifier.
TAGWISE_MUST_USE
bool tagwise_ocsp_response_signature_algorithm(const struct tagwise_ocsp_response *response,
                                               struct tagwise_bytes *algorithm,
                                               struct tagwise_error **error);

// Gives the signature, without its count of unused bits.
TAGWISE_MUST_USE
bool tagwise_ocsp_response_signature(const struct tagwise_ocsp_response *response,
                                     struct tagwise_bytes *signature,
                                     struct tagwise_error **error);

// Gives the time of signing (producedAt), in seconds since 1970.
TAGWISE_MUST_USE
bool tagwise_ocsp_response_produced_at(const struct tagwise_ocsp_response *response,
                                       int64_t *seconds,
                                       struct tagwise_error **error);

// Gives the responder: `name` is the encoding of a name, or `key_hash` the SHA-1 of its key; the other one is absent.
TAGWISE_MUST_USE
bool tagwise_ocsp_response_responder(const struct tagwise_ocsp_response *response,
                                     struct tagwise_bytes *name,
                                     struct tagwise_bytes *key_hash,
                                     struct tagwise_error **error);

// Gives the included certificates, concatenated, for tagwise_element_next(). Empty if there are none.
TAGWISE_MUST_USE
bool tagwise_ocsp_response_certificates(const struct tagwise_ocsp_response *response,
                                        struct tagwise_bytes *certificates,
                                        struct tagwise_error **error);

// Gives the extensions, concatenated, for tagwise_extension_next(). Empty if there are none.
TAGWISE_MUST_USE
bool tagwise_ocsp_response_extensions(const struct tagwise_ocsp_response *response,
                                      struct tagwise_bytes *extensions,
                                      struct tagwise_error **error);

// Gives the extension with that identifier; false with no error if there is none.
TAGWISE_MUST_USE
bool tagwise_ocsp_response_extension(const struct tagwise_ocsp_response *response,
                                     struct tagwise_bytes oid,
                                     struct tagwise_extension *extension,
                                     struct tagwise_error **error);

// Gives the single responses, concatenated, for tagwise_ocsp_single_next().
TAGWISE_MUST_USE
bool tagwise_ocsp_response_singles(const struct tagwise_ocsp_response *response,
                                   struct tagwise_bytes *singles,
                                   struct tagwise_error **error);

// Sets the subject from text as RFC 4514 has it.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_subject(struct tagwise_certificate_builder *builder,
                                         const char *subject,
                                         struct tagwise_error **error);

// Sets the subject from text as RFC 4514 has it.
TAGWISE_MUST_USE
bool tagwise_request_builder_subject(struct tagwise_request_builder *builder,
                                     const char *subject,
                                     struct tagwise_error **error);

// Sets the subject from the encoding of a name.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_subject_name(struct tagwise_certificate_builder *builder,
                                              struct tagwise_bytes subject,
                                              struct tagwise_error **error);

// Sets the subject from the encoding of a name.
TAGWISE_MUST_USE
bool tagwise_request_builder_subject_name(struct tagwise_request_builder *builder,
                                          struct tagwise_bytes subject,
                                          struct tagwise_error **error);

// Sets the issuer from its certificate: name and key identifier.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_issuer(struct tagwise_certificate_builder *builder,
                                        const struct tagwise_certificate *issuer,
                                        struct tagwise_error **error);

// Sets the issuer from the encoding of its name, and from its key identifier unless that is absent.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_issuer_name(struct tagwise_certificate_builder *builder,
                                             struct tagwise_bytes issuer,
                                             struct tagwise_bytes identifier,
                                             struct tagwise_error **error);

// Sets the subject's public key: the encoding of a SubjectPublicKeyInfo.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_public_key(struct tagwise_certificate_builder *builder,
                                            struct tagwise_bytes public_key,
                                            struct tagwise_error **error);

// Sets the serial number, the content of an INTEGER; without it, it is random.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_serial(struct tagwise_certificate_builder *builder,
                                        struct tagwise_bytes serial,
                                        struct tagwise_error **error);

// Sets the validity period, in seconds since 1970.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_validity(struct tagwise_certificate_builder *builder,
                                          int64_t not_before,
                                          int64_t not_after,
                                          struct tagwise_error **error);

// Makes the subject a CA. `path_length` is the maximum number of CA certificates below it; a negative number means no limit.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_ca(struct tagwise_certificate_builder *builder,
                                    int32_t path_length,
                                    struct tagwise_error **error);

// Sets the key usage, a combination of bits such as TAGWISE_KEY_USAGE_DIGITAL_SIGNATURE.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_key_usage(struct tagwise_certificate_builder *builder,
                                           uint16_t usage,
                                           struct tagwise_error **error);

// Adds a purpose (OBJECT IDENTIFIER content bytes) to the extended key usage.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_purpose(struct tagwise_certificate_builder *builder,
                                         struct tagwise_bytes purpose,
                                         struct tagwise_error **error);

// Adds a DNS name to the subject alternative names.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_dns(struct tagwise_certificate_builder *builder,
                                     const char *host,
                                     struct tagwise_error **error);

// Adds a DNS name to the subject alternative names.
TAGWISE_MUST_USE
bool tagwise_request_builder_dns(struct tagwise_request_builder *builder,
                                 const char *host,
                                 struct tagwise_error **error);

// Adds an IP address of 4 or 16 bytes to the subject alternative names.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_ip(struct tagwise_certificate_builder *builder,
                                    struct tagwise_bytes address,
                                    struct tagwise_error **error);

// Adds an IP address of 4 or 16 bytes to the subject alternative names.
TAGWISE_MUST_USE
bool tagwise_request_builder_ip(struct tagwise_request_builder *builder,
                                struct tagwise_bytes address,
                                struct tagwise_error **error);

// Adds an email address to the subject alternative names.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_email(struct tagwise_certificate_builder *builder,
                                       const char *mailbox,
                                       struct tagwise_error **error);

// Adds an email address to the subject alternative names.
TAGWISE_MUST_USE
bool tagwise_request_builder_email(struct tagwise_request_builder *builder,
                                   const char *mailbox,
                                   struct tagwise_error **error);

// Adds a URI to the subject alternative names.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_uri(struct tagwise_certificate_builder *builder,
                                     const char *uri,
                                     struct tagwise_error **error);

// Adds a URI to the subject alternative names.
TAGWISE_MUST_USE
bool tagwise_request_builder_uri(struct tagwise_request_builder *builder,
                                 const char *uri,
                                 struct tagwise_error **error);

// Adds an encoded GeneralName of any kind to the subject alternative names.
TAGWISE_MUST_USE
bool tagwise_certificate_builder_name(struct tagwise_certificate_builder *builder,
                                      struct tagwise_bytes name,
                                      struct tagwise_error **error);

// Adds an encoded GeneralName of any kind to the subject alternative names.
TAGWISE_MUST_USE
bool tagwise_request_builder_name(struct tagwise_request_builder *builder,
                                  struct tagwise_bytes name,
                                  struct tagwise_error **error);

// Sets the issue time (thisUpdate) and the time by which the next CRL is due (nextUpdate), in seconds since 1970.
TAGWISE_MUST_USE
bool tagwise_crl_builder_updates(struct tagwise_crl_builder *builder,
                                 int64_t this_update,
                                 int64_t next_update,
                                 struct tagwise_error **error);

// Adds an entry: the revoked certificate's serial number (INTEGER content bytes), the revocation time in seconds since 1970, and
// the reason's number in RFC 5280 section 5.3.1, or a negative number for no reason.
TAGWISE_MUST_USE
bool tagwise_crl_builder_revoke(struct tagwise_crl_builder *builder,
                                struct tagwise_bytes serial,
                                int64_t date,
                                int32_t reason,
                                struct tagwise_error **error);

// Adds an extension with the given identifier and encoded value, for example from tagwise_extension_encode().
TAGWISE_MUST_USE
bool tagwise_certificate_builder_extension(struct tagwise_certificate_builder *builder,
                                           struct tagwise_bytes oid,
                                           bool critical,
                                           struct tagwise_bytes value,
                                           struct tagwise_error **error);

// Adds an extension with the given identifier and encoded value, for example from tagwise_extension_encode().
TAGWISE_MUST_USE
bool tagwise_request_builder_extension(struct tagwise_request_builder *builder,
                                       struct tagwise_bytes oid,
                                       bool critical,
                                       struct tagwise_bytes value,
                                       struct tagwise_error **error);

// Adds an extension with the given identifier and encoded value, for example from tagwise_extension_encode().
TAGWISE_MUST_USE
bool tagwise_crl_builder_extension(struct tagwise_crl_builder *builder,
                                   struct tagwise_bytes oid,
                                   bool critical,
                                   struct tagwise_bytes value,
                                   struct tagwise_error **error);

// Signs the value, and returns it in DER. `key` is the issuer's for a certificate or CRL, and the subject's for a request.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_certificate_builder_sign(const struct tagwise_certificate_builder *builder,
                                                        const struct tagwise_key *key,
                                                        struct tagwise_error **error);

// Signs the value, and returns it in DER. `key` is the issuer's for a certificate or CRL, and the subject's for a request.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_request_builder_sign(const struct tagwise_request_builder *builder,
                                                    const struct tagwise_key *key,
                                                    struct tagwise_error **error);

// Signs the value, and returns it in DER. `key` is the issuer's for a certificate or CRL, and the subject's for a request.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_crl_builder_sign(const struct tagwise_crl_builder *builder,
                                                const struct tagwise_key *key,
                                                struct tagwise_error **error);

// Signs a certificate for `key` with that key, and returns it in DER.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_certificate_builder_self_sign(const struct tagwise_certificate_builder *builder,
                                                             const struct tagwise_key *key,
                                                             struct tagwise_error **error);

// Creates the to-be-signed part for a signature algorithm (an encoded AlgorithmIdentifier), to be signed elsewhere.
TAGWISE_MUST_USE
struct tagwise_unsigned *tagwise_certificate_builder_tbs(const struct tagwise_certificate_builder *builder,
                                                         struct tagwise_bytes algorithm,
                                                         struct tagwise_error **error);

// Creates the to-be-signed part for a signature algorithm (an encoded AlgorithmIdentifier), to be signed elsewhere.
TAGWISE_MUST_USE
struct tagwise_unsigned *tagwise_crl_builder_tbs(const struct tagwise_crl_builder *builder,
                                                 struct tagwise_bytes algorithm,
                                                 struct tagwise_error **error);

// Creates a request's to-be-signed part for a public key (an encoded SubjectPublicKeyInfo) and a signature algorithm (an encoded
// AlgorithmIdentifier), to be signed elsewhere.
TAGWISE_MUST_USE
struct tagwise_unsigned *tagwise_request_builder_tbs(const struct tagwise_request_builder *builder,
                                                     struct tagwise_bytes public_key,
                                                     struct tagwise_bytes algorithm,
                                                     struct tagwise_error **error);

// Frees the object; NULL is allowed.
void tagwise_certificate_builder_free(struct tagwise_certificate_builder *builder);

// Frees the object; NULL is allowed.
void tagwise_request_builder_free(struct tagwise_request_builder *builder);

// Frees the object; NULL is allowed.
void tagwise_crl_builder_free(struct tagwise_crl_builder *builder);

// Frees the object; NULL is allowed.
void tagwise_unsigned_free(struct tagwise_unsigned *unsigned_);

// Frees the object; NULL is allowed.
void tagwise_timestamp_free(struct tagwise_timestamp *timestamp);

// Returns the to-be-signed bytes, borrowed from the object.
struct tagwise_bytes tagwise_unsigned_tbs(const struct tagwise_unsigned *unsigned_);

// Adds the signature, and returns the signed structure in DER.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_unsigned_attach(const struct tagwise_unsigned *unsigned_,
                                               struct tagwise_bytes signature,
                                               struct tagwise_error **error);

// Frees a message; NULL is allowed.
void tagwise_cms_free(struct tagwise_cms *cms);

// Returns whether the message has a signature, all signatures are valid, and there are no objections to the signers' certificates
// (validity at the checked time, key usage). Trust in them is not checked.
TAGWISE_MUST_USE bool tagwise_cms_is_valid(const struct tagwise_cms *cms);

// Returns the signed content if the message contains it; otherwise empty.
struct tagwise_bytes tagwise_cms_content(const struct tagwise_cms *cms);

// Returns the content type as OBJECT IDENTIFIER content bytes.
struct tagwise_bytes tagwise_cms_content_type(const struct tagwise_cms *cms);

// Gets the included certificate at the given index, in DER. Returns false after the last one.
TAGWISE_MUST_USE bool tagwise_cms_certificate_get(const struct tagwise_cms *cms, size_t index, struct tagwise_bytes *certificate);

// Gets the included certificate at the given index, in DER. Returns false after the last one.
TAGWISE_MUST_USE
bool tagwise_timestamp_certificate_get(const struct tagwise_timestamp *timestamp,
                                       size_t index,
                                       struct tagwise_bytes *certificate);

// Gets the included CRL at the given index, in DER. Returns false after the last one.
TAGWISE_MUST_USE bool tagwise_cms_crl_get(const struct tagwise_cms *cms, size_t index, struct tagwise_bytes *crl);

// Gets the included CRL at the given index, in DER. Returns false after the last one.
TAGWISE_MUST_USE bool tagwise_timestamp_crl_get(const struct tagwise_timestamp *timestamp, size_t index, struct tagwise_bytes *crl);

// Gets the included OCSP response at the given index, in DER: from the field crls (RFC 5940), or from an attribute of a signer.
// Returns false after the last one.
TAGWISE_MUST_USE bool tagwise_cms_ocsp_get(const struct tagwise_cms *cms, size_t index, struct tagwise_bytes *response);

// Gets the included OCSP response at the given index, in DER: from the field crls (RFC 5940), or from an attribute of a signer.
// Returns false after the last one.
TAGWISE_MUST_USE
bool tagwise_timestamp_ocsp_get(const struct tagwise_timestamp *timestamp,
                                size_t index,
                                struct tagwise_bytes *response);

// Returns the name of the format of included revocation information that is not read, such as `id-ri-scvp`, at the given index;
// absent after the last one.
struct tagwise_bytes tagwise_cms_unused_revocation(const struct tagwise_cms *cms, size_t index);

// Returns the time that the timestamp attests (genTime), in seconds since 1970; 0 for NULL.
int64_t tagwise_timestamp_time(const struct tagwise_timestamp *timestamp);

// Returns the timestamp's serial number as INTEGER content bytes.
struct tagwise_bytes tagwise_timestamp_serial(const struct tagwise_timestamp *timestamp);

// Returns the timestamp authority's certificate, in DER.
struct tagwise_bytes tagwise_timestamp_certificate(const struct tagwise_timestamp *timestamp);

// Returns the signed TSTInfo, in DER.
struct tagwise_bytes tagwise_timestamp_info(const struct tagwise_timestamp *timestamp);

// Returns the objections to the timestamp authority's certificate (its validity at the checked time and its key usage) as text;
// empty if there are none.
struct tagwise_bytes tagwise_timestamp_objections(const struct tagwise_timestamp *timestamp);

// Frees a record; NULL is allowed. A record in a list must not be freed: it is freed with the list.
void tagwise_user_free(struct tagwise_user *user);

// Frees a record; NULL is allowed. A record in a list must not be freed: it is freed with the list.
void tagwise_group_free(struct tagwise_group *group);

// Frees a list; NULL is allowed.
void tagwise_users_free(struct tagwise_users *users);

// Frees a list; NULL is allowed.
void tagwise_groups_free(struct tagwise_groups *groups);

// Returns the number of records in a list.
size_t tagwise_users_count(const struct tagwise_users *users);

// Returns the number of records in a list.
size_t tagwise_groups_count(const struct tagwise_groups *groups);

// Returns the user at the given index, borrowed from the list; NULL after the last one.
const struct tagwise_user *tagwise_users_at(const struct tagwise_users *users, size_t index);

// Returns the group at the given index, borrowed from the list; NULL after the last one.
const struct tagwise_group *tagwise_groups_at(const struct tagwise_groups *groups, size_t index);

// Returns whether the user has the given name: as user name, alias, or `name@realm`.
TAGWISE_MUST_USE bool tagwise_user_has_name(const struct tagwise_user *user, const char *name, struct tagwise_error **error);

// Returns whether the group has the given name: as group name or `name@realm`.
TAGWISE_MUST_USE bool tagwise_group_has_name(const struct tagwise_group *group, const char *name, struct tagwise_error **error);

// Returns the user name.
struct tagwise_bytes tagwise_user_name(const struct tagwise_user *user);

// Returns the group name.
struct tagwise_bytes tagwise_group_name(const struct tagwise_group *group);

// Returns the realm in which the user is defined, if it covers several hosts; otherwise absent.
struct tagwise_bytes tagwise_user_realm(const struct tagwise_user *user);

// Returns the realm in which the group is defined, if it covers several hosts; otherwise absent.
struct tagwise_bytes tagwise_group_realm(const struct tagwise_group *group);

// Returns the user's display name; absent if there is none.
struct tagwise_bytes tagwise_user_real_name(const struct tagwise_user *user);

// Returns the user's email address; absent if there is none.
struct tagwise_bytes tagwise_user_email(const struct tagwise_user *user);

// Returns the home directory's path; absent if there is none.
struct tagwise_bytes tagwise_user_home(const struct tagwise_user *user);

// Returns the login shell's path; absent if there is none.
struct tagwise_bytes tagwise_user_shell(const struct tagwise_user *user);

// Returns the group's description, for display; absent if there is none.
struct tagwise_bytes tagwise_group_description(const struct tagwise_group *group);

// Returns the name of the service that manages the record; absent if the record does not give it.
struct tagwise_bytes tagwise_user_service(const struct tagwise_user *user);

// Returns the name of the service that manages the record; absent if the record does not give it.
struct tagwise_bytes tagwise_group_service(const struct tagwise_group *group);

// Returns the user's alias at the given index; absent after the last one.
struct tagwise_bytes tagwise_user_alias(const struct tagwise_user *user, size_t index);

// Returns the name of the supplementary group at the given index; absent after the last one. Other services may know more
// memberships: see tagwise_userdb_client_memberships().
struct tagwise_bytes tagwise_user_member_of(const struct tagwise_user *user, size_t index);

// Returns the name of the member at the given index; absent after the last one. Other services may know more memberships: see
// tagwise_userdb_client_memberships().
struct tagwise_bytes tagwise_group_member(const struct tagwise_group *group, size_t index);

// Returns the name of the group administrator at the given index; absent after the last one.
struct tagwise_bytes tagwise_group_administrator(const struct tagwise_group *group, size_t index);

// Gets the user's UID. Returns false if there is none.
TAGWISE_MUST_USE bool tagwise_user_uid(const struct tagwise_user *user, uint32_t *uid);

// Gets the GID of the user's primary group. Returns false if there is none.
TAGWISE_MUST_USE bool tagwise_user_gid(const struct tagwise_user *user, uint32_t *gid);

// Gets the group's GID. Returns false if there is none.
TAGWISE_MUST_USE bool tagwise_group_gid(const struct tagwise_group *group, uint32_t *gid);

// Gets the time before which login is not allowed, in microseconds since 1970. Returns false if there is none.
TAGWISE_MUST_USE bool tagwise_user_not_before(const struct tagwise_user *user, uint64_t *value);

// Gets the time from which login is not allowed, in microseconds since 1970. Returns false if there is none.
TAGWISE_MUST_USE bool tagwise_user_not_after(const struct tagwise_user *user, uint64_t *value);

// Returns whether the account is locked, so that the user may not log in.
TAGWISE_MUST_USE bool tagwise_user_is_locked(const struct tagwise_user *user);

// Returns the disposition, such as system or regular, as a bit of enum tagwise_disposition; 0 if the record does not give it.
uint32_t tagwise_user_disposition(const struct tagwise_user *user);

// Returns the disposition, such as system or regular, as a bit of enum tagwise_disposition; 0 if the record does not give it.
uint32_t tagwise_group_disposition(const struct tagwise_group *group);

// Returns whether the service withheld fields from this caller.
TAGWISE_MUST_USE bool tagwise_user_is_incomplete(const struct tagwise_user *user);

// Returns whether the service withheld fields from this caller.
TAGWISE_MUST_USE bool tagwise_group_is_incomplete(const struct tagwise_group *group);

// Formats the record as systemd's JSON, including fields unknown to this library. Privileged fields, such as password hashes, are
// included only if `privileged` is true. The buffer is overwritten when it is freed.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_user_json(const struct tagwise_user *user,
                                         bool privileged,
                                         struct tagwise_error **error);

// Formats the record as systemd's JSON, including fields unknown to this library. Privileged fields, such as password hashes, are
// included only if `privileged` is true. The buffer is overwritten when it is freed.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_group_json(const struct tagwise_group *group,
                                          bool privileged,
                                          struct tagwise_error **error);

// Reads a certificate in DER and checks every byte of it.
TAGWISE_MUST_USE
struct tagwise_certificate *tagwise_certificate_read(struct tagwise_bytes der,
                                                     const struct tagwise_options *options,
                                                     struct tagwise_error **error);

// Reads the outer structure of a certificate. The parts inside are checked on access: a malformed one does not prevent reading the
// rest.
TAGWISE_MUST_USE
struct tagwise_certificate *tagwise_certificate_outline(struct tagwise_bytes der,
                                                        const struct tagwise_options *options,
                                                        struct tagwise_error **error);

// Reads the first certificate of a text in PEM and checks every byte of it.
TAGWISE_MUST_USE
struct tagwise_certificate *tagwise_certificate_from_pem(struct tagwise_bytes text,
                                                         const struct tagwise_options *options,
                                                         struct tagwise_error **error);

// Returns a certificate again, for another owner. Each owner frees it once; the last one frees its memory.
TAGWISE_MUST_USE struct tagwise_certificate *tagwise_certificate_retain(const struct tagwise_certificate *certificate);

// Frees a certificate; NULL is allowed.
void tagwise_certificate_free(struct tagwise_certificate *certificate);

// The whole encoding.
struct tagwise_bytes tagwise_certificate_der(const struct tagwise_certificate *certificate);

// Gives the tolerated deviation with this index, counted from 0; false after the last one.
TAGWISE_MUST_USE
bool tagwise_certificate_deviation(const struct tagwise_certificate *certificate,
                                   size_t index,
                                   struct tagwise_deviation *found);

// Reads a CRL in DER and checks every byte of it.
TAGWISE_MUST_USE
struct tagwise_crl *tagwise_crl_read(struct tagwise_bytes der,
                                     const struct tagwise_options *options,
                                     struct tagwise_error **error);

// Reads the outer structure of a CRL. The parts inside are checked on access: a malformed one does not prevent reading the rest.
TAGWISE_MUST_USE
struct tagwise_crl *tagwise_crl_outline(struct tagwise_bytes der,
                                        const struct tagwise_options *options,
                                        struct tagwise_error **error);

// Reads the first CRL of a text in PEM and checks every byte of it.
TAGWISE_MUST_USE
struct tagwise_crl *tagwise_crl_from_pem(struct tagwise_bytes text,
                                         const struct tagwise_options *options,
                                         struct tagwise_error **error);

// Returns a CRL again, for another owner. Each owner frees it once; the last one frees its memory.
TAGWISE_MUST_USE struct tagwise_crl *tagwise_crl_retain(const struct tagwise_crl *crl);

// Frees a CRL; NULL is allowed.
void tagwise_crl_free(struct tagwise_crl *crl);

// The whole encoding.
struct tagwise_bytes tagwise_crl_der(const struct tagwise_crl *crl);

// Gives the tolerated deviation with this index, counted from 0; false after the last one.
TAGWISE_MUST_USE bool tagwise_crl_deviation(const struct tagwise_crl *crl, size_t index, struct tagwise_deviation *found);

// Reads a request in DER and checks every byte of it.
TAGWISE_MUST_USE
struct tagwise_request *tagwise_request_read(struct tagwise_bytes der,
                                             const struct tagwise_options *options,
                                             struct tagwise_error **error);

// Reads the outer structure of a request. The parts inside are checked on access: a malformed one does not prevent reading the
// rest.
TAGWISE_MUST_USE
struct tagwise_request *tagwise_request_outline(struct tagwise_bytes der,
                                                const struct tagwise_options *options,
                                                struct tagwise_error **error);

// Reads the first request of a text in PEM and checks every byte of it.
TAGWISE_MUST_USE
struct tagwise_request *tagwise_request_from_pem(struct tagwise_bytes text,
                                                 const struct tagwise_options *options,
                                                 struct tagwise_error **error);

// Returns a request again, for another owner. Each owner frees it once; the last one frees its memory.
TAGWISE_MUST_USE struct tagwise_request *tagwise_request_retain(const struct tagwise_request *request);

// Frees a request; NULL is allowed.
void tagwise_request_free(struct tagwise_request *request);

// The whole encoding.
struct tagwise_bytes tagwise_request_der(const struct tagwise_request *request);

// Gives the tolerated deviation with this index, counted from 0; false after the last one.
TAGWISE_MUST_USE
bool tagwise_request_deviation(const struct tagwise_request *request,
                               size_t index,
                               struct tagwise_deviation *found);

// Returns the to-be-signed part, with its original bytes.
struct tagwise_bytes tagwise_certificate_tbs(const struct tagwise_certificate *certificate);

// Returns the to-be-signed part, with its original bytes.
struct tagwise_bytes tagwise_crl_tbs(const struct tagwise_crl *crl);

// Returns the to-be-signed part, with its original bytes.
struct tagwise_bytes tagwise_request_tbs(const struct tagwise_request *request);

// Returns the version, counted from 1 (3 for X.509 v3); 0 for NULL.
uint32_t tagwise_certificate_version(const struct tagwise_certificate *certificate);

// Returns the serial number as INTEGER content bytes (two's complement, big-endian).
struct tagwise_bytes tagwise_certificate_serial(const struct tagwise_certificate *certificate);

// Returns the signature algorithm, an encoded AlgorithmIdentifier.
struct tagwise_bytes tagwise_certificate_signature_algorithm(const struct tagwise_certificate *certificate);

// Returns the signature algorithm, an encoded AlgorithmIdentifier.
struct tagwise_bytes tagwise_crl_signature_algorithm(const struct tagwise_crl *crl);

// Returns the signature algorithm, an encoded AlgorithmIdentifier.
struct tagwise_bytes tagwise_request_signature_algorithm(const struct tagwise_request *request);

// Returns the signature's bytes, without the BIT STRING's count of unused bits.
struct tagwise_bytes tagwise_certificate_signature(const struct tagwise_certificate *certificate);

// Returns the signature's bytes, without the BIT STRING's count of unused bits.
struct tagwise_bytes tagwise_crl_signature(const struct tagwise_crl *crl);

// Returns the signature's bytes, without the BIT STRING's count of unused bits.
struct tagwise_bytes tagwise_request_signature(const struct tagwise_request *request);

// Returns the issuer, an encoded Name for the tagwise_name functions.
struct tagwise_bytes tagwise_certificate_issuer(const struct tagwise_certificate *certificate);

// Returns the issuer, an encoded Name for the tagwise_name functions.
struct tagwise_bytes tagwise_crl_issuer(const struct tagwise_crl *crl);

// Returns the subject, an encoded Name for the tagwise_name functions.
struct tagwise_bytes tagwise_certificate_subject(const struct tagwise_certificate *certificate);

// Returns the subject, an encoded Name for the tagwise_name functions.
struct tagwise_bytes tagwise_request_subject(const struct tagwise_request *request);

// Returns the subject's public key, an encoded SubjectPublicKeyInfo.
struct tagwise_bytes tagwise_certificate_public_key(const struct tagwise_certificate *certificate);

// Returns the subject's public key, an encoded SubjectPublicKeyInfo.
struct tagwise_bytes tagwise_request_public_key(const struct tagwise_request *request);

// Returns the start of the validity period (notBefore), in seconds since 1970; 0 for NULL.
int64_t tagwise_certificate_not_before(const struct tagwise_certificate *certificate);

// Returns the end of the validity period (notAfter), in seconds since 1970; 0 for NULL.
int64_t tagwise_certificate_not_after(const struct tagwise_certificate *certificate);

// Returns whether the subject and issuer names match.
TAGWISE_MUST_USE bool tagwise_certificate_is_self_issued(const struct tagwise_certificate *certificate);

// Returns the concatenated extensions, for tagwise_extension_next(). Empty if there are none.
struct tagwise_bytes tagwise_certificate_extensions(const struct tagwise_certificate *certificate);

// Returns the concatenated extensions, for tagwise_extension_next(). Empty if there are none.
struct tagwise_bytes tagwise_crl_extensions(const struct tagwise_crl *crl);

// Gets the concatenated requested extensions, for tagwise_extension_next(). Empty if there are none.
TAGWISE_MUST_USE
bool tagwise_request_extensions(const struct tagwise_request *request,
                                struct tagwise_bytes *extensions,
                                struct tagwise_error **error);

// Finds the extension with the given identifier. Returns false, without setting an error, if there is none.
TAGWISE_MUST_USE
bool tagwise_certificate_extension(const struct tagwise_certificate *certificate,
                                   struct tagwise_bytes oid,
                                   struct tagwise_extension *extension,
                                   struct tagwise_error **error);

// Finds the extension with the given identifier. Returns false, without setting an error, if there is none.
TAGWISE_MUST_USE
bool tagwise_crl_extension(const struct tagwise_crl *crl,
                           struct tagwise_bytes oid,
                           struct tagwise_extension *extension,
                           struct tagwise_error **error);

// Finds the requested extension with the given identifier. Returns false, without setting an error, if there is none.
TAGWISE_MUST_USE
bool tagwise_request_extension(const struct tagwise_request *request,
                               struct tagwise_bytes oid,
                               struct tagwise_extension *extension,
                               struct tagwise_error **error);

// Gets the key usage as a bit mask: 1 << n for bit n of KeyUsage (digitalSignature is bit 0). Returns false, without setting an
// error, if the extension is absent.
TAGWISE_MUST_USE
bool tagwise_certificate_key_usage(const struct tagwise_certificate *certificate,
                                   uint16_t *usage,
                                   struct tagwise_error **error);

// Gets the key usage as a bit mask: 1 << n for bit n of KeyUsage (digitalSignature is bit 0). Returns false, without setting an
// error, if the extension is absent.
TAGWISE_MUST_USE
bool tagwise_request_key_usage(const struct tagwise_request *request,
                               uint16_t *usage,
                               struct tagwise_error **error);

// Gets the basic constraints: whether the subject is a CA, and the path length constraint (UINT64_MAX if there is none). Returns
// false, without setting an error, if the extension is absent.
TAGWISE_MUST_USE
bool tagwise_certificate_basic_constraints(const struct tagwise_certificate *certificate,
                                           bool *ca,
                                           uint64_t *path_length,
                                           struct tagwise_error **error);

// Gets the basic constraints: whether the subject is a CA, and the path length constraint (UINT64_MAX if there is none). Returns
// false, without setting an error, if the extension is absent.
TAGWISE_MUST_USE
bool tagwise_request_basic_constraints(const struct tagwise_request *request,
                                       bool *ca,
                                       uint64_t *path_length,
                                       struct tagwise_error **error);

// Returns whether the extended key usage contains the given purpose, or is absent. Returns false and sets an error if the
// extension is malformed.
TAGWISE_MUST_USE
bool tagwise_certificate_allows_purpose(const struct tagwise_certificate *certificate,
                                        struct tagwise_bytes purpose,
                                        struct tagwise_error **error);

// Returns whether the extended key usage contains the given purpose, or is absent. Returns false and sets an error if the
// extension is malformed.
TAGWISE_MUST_USE
bool tagwise_request_allows_purpose(const struct tagwise_request *request,
                                    struct tagwise_bytes purpose,
                                    struct tagwise_error **error);

// Gets the subject key identifier. Returns false, without setting an error, if the extension is absent.
TAGWISE_MUST_USE
bool tagwise_certificate_key_identifier(const struct tagwise_certificate *certificate,
                                        struct tagwise_bytes *identifier,
                                        struct tagwise_error **error);

// Gets the subject key identifier. Returns false, without setting an error, if the extension is absent.
TAGWISE_MUST_USE
bool tagwise_request_key_identifier(const struct tagwise_request *request,
                                    struct tagwise_bytes *identifier,
                                    struct tagwise_error **error);

// Gets the key identifier in the authority key identifier extension. Returns false, without setting an error, if it is absent.
TAGWISE_MUST_USE
bool tagwise_certificate_authority_key_identifier(const struct tagwise_certificate *certificate,
                                                  struct tagwise_bytes *identifier,
                                                  struct tagwise_error **error);

// Gets the concatenated subject alternative names, for tagwise_general_name_next(). Returns false, without setting an error, if
// the extension is absent.
TAGWISE_MUST_USE
bool tagwise_certificate_names(const struct tagwise_certificate *certificate,
                               struct tagwise_bytes *names,
                               struct tagwise_error **error);

// Gets the concatenated subject alternative names, for tagwise_general_name_next(). Returns false, without setting an error, if
// the extension is absent.
TAGWISE_MUST_USE
bool tagwise_request_names(const struct tagwise_request *request,
                           struct tagwise_bytes *names,
                           struct tagwise_error **error);

// Returns the CRL's issue time (thisUpdate), in seconds since 1970; 0 for NULL.
int64_t tagwise_crl_this_update(const struct tagwise_crl *crl);

// Gets the time by which the next CRL is due (nextUpdate), in seconds since 1970. Returns false if the CRL has none.
TAGWISE_MUST_USE bool tagwise_crl_next_update(const struct tagwise_crl *crl, int64_t *seconds);

// Gets the CRL number as INTEGER content bytes. Returns false, without setting an error, if it is absent.
TAGWISE_MUST_USE bool tagwise_crl_number(const struct tagwise_crl *crl, struct tagwise_bytes *number, struct tagwise_error **error);

// Gets the base CRL number of a delta CRL as INTEGER content bytes. Returns false, without setting an error, if the CRL is not a
// delta CRL.
TAGWISE_MUST_USE
bool tagwise_crl_delta_base(const struct tagwise_crl *crl,
                            struct tagwise_bytes *number,
                            struct tagwise_error **error);

// Tells whether the CRL is indirect: it may list certificates from other issuers (RFC 5280 section 5.2.5).
TAGWISE_MUST_USE bool tagwise_crl_is_indirect(const struct tagwise_crl *crl, bool *indirect, struct tagwise_error **error);

// Returns the concatenated CRL entries, for tagwise_crl_entry_next().
struct tagwise_bytes tagwise_crl_entries(const struct tagwise_crl *crl);

// Returns the number of revoked certificates in the CRL.
size_t tagwise_crl_count(const struct tagwise_crl *crl);

// Returns the request's concatenated attributes, each an encoded Attribute, for tagwise_element_next().
struct tagwise_bytes tagwise_request_attributes(const struct tagwise_request *request);

// Reads an element's content as a BOOLEAN. Like all tagwise_element functions, it does not check the tag, so that elements with
// IMPLICIT tags can be read.
TAGWISE_MUST_USE
bool tagwise_element_boolean(const struct tagwise_element *element,
                             const struct tagwise_options *options,
                             bool *out,
                             struct tagwise_error **error);

// Reads an element's content as an INTEGER or ENUMERATED that fits in a signed 64-bit integer.
TAGWISE_MUST_USE
bool tagwise_element_int64(const struct tagwise_element *element,
                           const struct tagwise_options *options,
                           int64_t *out,
                           struct tagwise_error **error);

// Reads an element's content as an INTEGER or ENUMERATED that fits in an unsigned 64-bit integer.
TAGWISE_MUST_USE
bool tagwise_element_uint64(const struct tagwise_element *element,
                            const struct tagwise_options *options,
                            uint64_t *out,
                            struct tagwise_error **error);

// Reads an element's content as an INTEGER of any size, and gets its content bytes (two's complement, big-endian).
TAGWISE_MUST_USE
bool tagwise_element_integer(const struct tagwise_element *element,
                             const struct tagwise_options *options,
                             struct tagwise_bytes *out,
                             struct tagwise_error **error);

// Checks that an element's content is that of a NULL: empty.
TAGWISE_MUST_USE
bool tagwise_element_null(const struct tagwise_element *element,
                          const struct tagwise_options *options,
                          struct tagwise_error **error);

// Reads an element's content as an OBJECT IDENTIFIER, and gets its content bytes.
TAGWISE_MUST_USE
bool tagwise_element_oid(const struct tagwise_element *element,
                         const struct tagwise_options *options,
                         struct tagwise_bytes *out,
                         struct tagwise_error **error);

// Reads an element's content as a RELATIVE-OID, and gets its content bytes.
TAGWISE_MUST_USE
bool tagwise_element_relative_oid(const struct tagwise_element *element,
                                  const struct tagwise_options *options,
                                  struct tagwise_bytes *out,
                                  struct tagwise_error **error);

// Reads an element's content as an OCTET STRING, and gets its bytes.
TAGWISE_MUST_USE
bool tagwise_element_octets(const struct tagwise_element *element,
                            const struct tagwise_options *options,
                            struct tagwise_bytes *out,
                            struct tagwise_error **error);

// Reads an element's content as a BIT STRING: its bytes, and the number of unused bits in the last byte.
TAGWISE_MUST_USE
bool tagwise_element_bits(const struct tagwise_element *element,
                          const struct tagwise_options *options,
                          struct tagwise_bytes *out,
                          uint8_t *unused,
                          struct tagwise_error **error);

// Reads an element's content as a REAL, rounded to the nearest double; a value out of range becomes infinite.
TAGWISE_MUST_USE
bool tagwise_element_real(const struct tagwise_element *element,
                          const struct tagwise_options *options,
                          double *out,
                          struct tagwise_error **error);

// Reads an element's content as a time: seconds since 1970, and nanoseconds. `universal` is TAGWISE_UTC_TIME,
// TAGWISE_GENERALIZED_TIME, or 0 for the type given by the element's own tag.
TAGWISE_MUST_USE
bool tagwise_element_time(const struct tagwise_element *element,
                          uint32_t universal,
                          const struct tagwise_options *options,
                          int64_t *seconds,
                          uint32_t *nanoseconds,
                          struct tagwise_error **error);

// Reads an element's content as a character string, and returns it as UTF-8. `universal` is the string type, such as
// TAGWISE_BMP_STRING, or 0 for the type given by the element's own tag.
TAGWISE_MUST_USE
struct tagwise_buffer *tagwise_element_text(const struct tagwise_element *element,
                                            uint32_t universal,
                                            const struct tagwise_options *options,
                                            struct tagwise_error **error);

// Reads a BOOLEAN.
TAGWISE_MUST_USE bool tagwise_cursor_boolean(struct tagwise_cursor *cursor, bool *value, struct tagwise_error **error);

// Reads an INTEGER that fits in a signed 64-bit integer.
TAGWISE_MUST_USE bool tagwise_cursor_int64(struct tagwise_cursor *cursor, int64_t *value, struct tagwise_error **error);

// Reads an INTEGER that fits in an unsigned 64-bit integer.
TAGWISE_MUST_USE bool tagwise_cursor_uint64(struct tagwise_cursor *cursor, uint64_t *value, struct tagwise_error **error);

// Reads an INTEGER of any size as its content bytes (two's complement, big-endian), borrowed from the input.
TAGWISE_MUST_USE
bool tagwise_cursor_integer(struct tagwise_cursor *cursor,
                            struct tagwise_bytes *value,
                            struct tagwise_error **error);

// Reads an ENUMERATED that fits in a signed 64-bit integer.
TAGWISE_MUST_USE bool tagwise_cursor_enumerated(struct tagwise_cursor *cursor, int64_t *value, struct tagwise_error **error);

// Reads a NULL.
TAGWISE_MUST_USE bool tagwise_cursor_null(struct tagwise_cursor *cursor, struct tagwise_error **error);

// Reads an OBJECT IDENTIFIER as its content bytes, borrowed from the input, for tagwise_oid_text().
TAGWISE_MUST_USE bool tagwise_cursor_oid(struct tagwise_cursor *cursor, struct tagwise_bytes *value, struct tagwise_error **error);

// Reads a RELATIVE-OID as its content bytes, borrowed from the input, for tagwise_relative_oid_text().
TAGWISE_MUST_USE
bool tagwise_cursor_relative_oid(struct tagwise_cursor *cursor,
                                 struct tagwise_bytes *value,
                                 struct tagwise_error **error);

// Reads an OCTET STRING as its bytes, borrowed from the input.
TAGWISE_MUST_USE
bool tagwise_cursor_octets(struct tagwise_cursor *cursor,
                           struct tagwise_bytes *value,
                           struct tagwise_error **error);

// Reads a BIT STRING: its bytes, borrowed from the input, and the number of unused bits in the last byte.
TAGWISE_MUST_USE
bool tagwise_cursor_bits(struct tagwise_cursor *cursor,
                         struct tagwise_bytes *value,
                         uint8_t *unused,
                         struct tagwise_error **error);

// Reads a REAL, rounded to the nearest double; a value out of range becomes infinite.
TAGWISE_MUST_USE bool tagwise_cursor_real(struct tagwise_cursor *cursor, double *value, struct tagwise_error **error);

// Reads a string of any character string type, and returns it as UTF-8.
TAGWISE_MUST_USE struct tagwise_buffer *tagwise_cursor_text(struct tagwise_cursor *cursor, struct tagwise_error **error);

// Reads a UTCTime or GeneralizedTime: seconds since 1970, and nanoseconds.
TAGWISE_MUST_USE
bool tagwise_cursor_time(struct tagwise_cursor *cursor,
                         int64_t *seconds,
                         uint32_t *nanoseconds,
                         struct tagwise_error **error);

// Writes a BOOLEAN. As in all tagwise_writer functions for a type, `tag` is an IMPLICIT tag, such as TAGWISE_CONTEXT(0), or 0 for
// the type's own tag.
TAGWISE_MUST_USE bool tagwise_writer_boolean(struct tagwise_writer *writer, uint32_t tag, bool value, struct tagwise_error **error);

// Writes an INTEGER from a signed 64-bit integer.
TAGWISE_MUST_USE
bool tagwise_writer_int64(struct tagwise_writer *writer,
                          uint32_t tag,
                          int64_t value,
                          struct tagwise_error **error);

// Writes an INTEGER from an unsigned 64-bit integer.
TAGWISE_MUST_USE
bool tagwise_writer_uint64(struct tagwise_writer *writer,
                           uint32_t tag,
                           uint64_t value,
                           struct tagwise_error **error);

// Writes an INTEGER of any size from its two's complement, big-endian; redundant leading bytes are omitted.
TAGWISE_MUST_USE
bool tagwise_writer_integer(struct tagwise_writer *writer,
                            uint32_t tag,
                            struct tagwise_bytes value,
                            struct tagwise_error **error);

// Writes an ENUMERATED.
TAGWISE_MUST_USE
bool tagwise_writer_enumerated(struct tagwise_writer *writer,
                               uint32_t tag,
                               int64_t value,
                               struct tagwise_error **error);

// Writes a NULL.
TAGWISE_MUST_USE bool tagwise_writer_null(struct tagwise_writer *writer, uint32_t tag, struct tagwise_error **error);

// Writes an OBJECT IDENTIFIER from its content bytes, such as tagwise_oid_from_text() returns.
TAGWISE_MUST_USE
bool tagwise_writer_oid(struct tagwise_writer *writer,
                        uint32_t tag,
                        struct tagwise_bytes oid,
                        struct tagwise_error **error);

// Writes a RELATIVE-OID from its content bytes.
TAGWISE_MUST_USE
bool tagwise_writer_relative_oid(struct tagwise_writer *writer,
                                 uint32_t tag,
                                 struct tagwise_bytes oid,
                                 struct tagwise_error **error);

// Writes an OCTET STRING.
TAGWISE_MUST_USE
bool tagwise_writer_octets(struct tagwise_writer *writer,
                           uint32_t tag,
                           struct tagwise_bytes value,
                           struct tagwise_error **error);

// Writes a BIT STRING. The lowest `unused` bits of the last byte are not part of it, and are written as zero.
TAGWISE_MUST_USE
bool tagwise_writer_bits(struct tagwise_writer *writer,
                         uint32_t tag,
                         struct tagwise_bytes value,
                         uint8_t unused,
                         struct tagwise_error **error);

// Writes a character string, given as UTF-8, as the type `universal`, such as TAGWISE_UTF8_STRING.
TAGWISE_MUST_USE
bool tagwise_writer_text(struct tagwise_writer *writer,
                         uint32_t tag,
                         uint32_t universal,
                         struct tagwise_bytes text,
                         struct tagwise_error **error);

// Writes a UTCTime, whose year must be from 1950 to 2049.
TAGWISE_MUST_USE
bool tagwise_writer_utc_time(struct tagwise_writer *writer,
                             uint32_t tag,
                             int64_t seconds,
                             struct tagwise_error **error);

// Writes a GeneralizedTime, whose year must be from 0 to 9999, with up to nine decimals of a second.
TAGWISE_MUST_USE
bool tagwise_writer_generalized_time(struct tagwise_writer *writer,
                                     uint32_t tag,
                                     int64_t seconds,
                                     uint32_t nanoseconds,
                                     struct tagwise_error **error);

// Writes a certificate's Time: UTCTime up to 2049, GeneralizedTime from 2050 on (RFC 5280 section 4.1.2.5).
TAGWISE_MUST_USE bool tagwise_writer_time(struct tagwise_writer *writer, int64_t seconds, struct tagwise_error **error);

// Writes a REAL from a double.
TAGWISE_MUST_USE bool tagwise_writer_real(struct tagwise_writer *writer, uint32_t tag, double value, struct tagwise_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TAGWISE_H */
