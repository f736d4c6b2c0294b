/*
 * tagwise.h - ASN.1 and PKI: strict DER, certificates, CRLs, messages. C99 and later, and C++.
 *
 * Made from the sources of libtagwise by cbindgen: do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * CONVENTIONS, the same for every function
 *
 * Names      tagwise_<type>_<verb>. A function that reads a whole encoding is called _read; one that reads only its frame, _outline.
 *
 * Handles    Types without fields here are handles. A function that returns a handle gives it to the caller, who frees it once with
 *            the function of its type; freeing NULL does nothing. A handle may be NULL in any other call, too: functions that can
 *            fail then fail with TAGWISE_ERROR_KIND_ARGUMENT, the others return 0, false, NULL or absent bytes.
 *
 * Bytes      struct tagwise_bytes is a borrowed slice and never freed. What a function returns so, or writes into a struct, belongs to
 *            the handle it was asked of and lives as long as that handle; where a function takes slices and gives slices (those
 *            with `rest`), they belong to whom the first belonged. Slices that you pass need to live only until the call returns,
 *            but for tagwise_cursor_new() and tagwise_cursor_new_ber(), which read them until the cursor is freed.
 *            Absent bytes have ptr NULL; you may pass { NULL, 0 } for empty ones. A length goes with an address of so many bytes.
 *
 * Buffers    What has to be made (text, encodings) comes as a tagwise_buffer, which the caller frees. It ends with a NUL.
 *
 * Text       is UTF-8. `const char *` ends with a NUL. Text that is returned is escaped nowhere but where its function says so.
 *
 * Errors     The last parameter of a function that can fail is `tagwise_error **error`, which may be NULL. On failure the function
 *            returns false or NULL and writes an error there, which the caller frees with tagwise_error_free(); whatever was there
 *            before is overwritten, not freed. On success nothing is written. Where an answer of no is not a failure, the function
 *            returns false and writes no error: set the pointer to NULL before the call, and look at it afterwards. Results are
 *            written on success only; places for them may be NULL.
 *
 * Options    Rules that are tolerated and budgets come with each call as a tagwise_options; NULL means strict DER and the default budgets.
 *
 * Tags       are numbers: TAGWISE_SEQUENCE, TAGWISE_CONTEXT(0), TAGWISE_CONTEXT(0) | TAGWISE_CONSTRUCTED.
 *
 * Threads    There is no global state but the allocator, which is set before anything else or never. Each type says what threads may do
 *            with it: what is immutable may be used by many at once, what is not by one at a time. Freeing needs exclusive use.
 *
 * Defects    A defect of the library becomes an error of the kind TAGWISE_ERROR_KIND_INTERNAL, not an exception or an abort.
 */


#ifndef TAGWISE_H
#define TAGWISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define TAGWISE_VERSION_MAJOR 0
#define TAGWISE_VERSION_MINOR 1
#define TAGWISE_VERSION_PATCH 0

/* Tags: class and number; TAGWISE_CONSTRUCTED where the form matters. */
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


// What kind of error an error is.
typedef enum tagwise_error_kind {
    // No error.
    TAGWISE_ERROR_KIND_NONE = 0,
    // An argument is NULL that may not be, or has a value that the function does not take.
    TAGWISE_ERROR_KIND_ARGUMENT = 1,
    // The input is not what the function reads; the error has path, offset and clause.
    TAGWISE_ERROR_KIND_INPUT = 2,
    // A value cannot be encoded.
    TAGWISE_ERROR_KIND_ENCODING = 3,
    // A signature, a digest or an authentication code is wrong.
    TAGWISE_ERROR_KIND_SIGNATURE = 4,
    // A key cannot be used, or a password is wrong.
    TAGWISE_ERROR_KIND_KEY = 5,
    // An algorithm is not supported, or not by this backend.
    TAGWISE_ERROR_KIND_UNSUPPORTED = 6,
    // There is no valid certification path.
    TAGWISE_ERROR_KIND_PATH = 7,
    // A schema does not compile.
    TAGWISE_ERROR_KIND_SCHEMA = 8,
    // A defect in the library. Please report it.
    TAGWISE_ERROR_KIND_INTERNAL = 9,
} tagwise_error_kind;

// Kinds of general names (RFC 5280 section 4.2.1.6); their numbers are those of their tags.
typedef enum tagwise_general_name_kind {
    // A name of a kind that an object identifier tells; the value is the encoding of an OtherName under its tag.
    TAGWISE_GENERAL_NAME_KIND_OTHER = 0,
    // A mailbox, as text.
    TAGWISE_GENERAL_NAME_KIND_EMAIL = 1,
    // A host name, as text.
    TAGWISE_GENERAL_NAME_KIND_DNS = 2,
    // An X.400 address, encoded.
    TAGWISE_GENERAL_NAME_KIND_X400 = 3,
    // A distinguished name, encoded: what the tagwise_name functions take.
    TAGWISE_GENERAL_NAME_KIND_DIRECTORY = 4,
    // A name in electronic data interchange, encoded.
    TAGWISE_GENERAL_NAME_KIND_EDI = 5,
    // A URI, as text.
    TAGWISE_GENERAL_NAME_KIND_URI = 6,
    // An IP address in 4 or 16 bytes; in name constraints with its mask.
    TAGWISE_GENERAL_NAME_KIND_IP = 7,
    // An object identifier, as its content.
    TAGWISE_GENERAL_NAME_KIND_REGISTERED_ID = 8,
} tagwise_general_name_kind;

// Bytes that the caller owns and frees with tagwise_buffer_free(). One NUL follows the last byte. Immutable: threads may share it.
typedef struct tagwise_buffer tagwise_buffer;

// A certificate (RFC 5280 section 4.1) with a copy of its encoding. What its functions return is borrowed from it unless it is a
// buffer. Immutable: threads may share it.
typedef struct tagwise_certificate tagwise_certificate;

// A CRL (RFC 5280 section 5.1) with a copy of its encoding. What its functions return is borrowed from it unless it is a buffer.
// Immutable: threads may share it.
typedef struct tagwise_crl tagwise_crl;

// An index of a CRL by serial number. It borrows from the CRL, which must be freed after it. Immutable: threads may share it.
typedef struct tagwise_crl_index tagwise_crl_index;

// A position in an input, with the values that were entered. It borrows the input, which the caller keeps until the cursor is freed.
// Not for two threads at once.
typedef struct tagwise_cursor tagwise_cursor;

// An error: kind, code, message, path, offset, clause. Immutable: threads may share it.
typedef struct tagwise_error tagwise_error;

// Rules to tolerate and budgets of the calls it is given to; NULL stands for strict DER with the default budgets.
// Functions that only read it may share it between threads.
typedef struct tagwise_options tagwise_options;

// A growing encoding. Not for two threads at once. A call that fails leaves it as it was.
typedef struct tagwise_writer tagwise_writer;

// Functions that allocate for the library.
typedef struct tagwise_allocator {
    // Allocates `size` bytes at an address that is a multiple of `align`, a power of two; NULL if it cannot.
    void *(*allocate)(void *context, size_t size, size_t align);
    // Frees what `allocate` gave for the same `size` and `align`.
    void (*release)(void *context, void *memory, size_t size, size_t align);
    // Given to both as it is.
    void *context;
} tagwise_allocator;

// Bytes that somebody else owns. A function that returns them says whose they are. Absent bytes have `ptr` NULL; empty ones have
// `len` 0 and some other `ptr`.
typedef struct tagwise_bytes {
    // The first byte, or NULL.
    const uint8_t *ptr;
    // The number of bytes.
    size_t len;
} tagwise_bytes;

// One extension, borrowed as the list it comes from is.
typedef struct tagwise_extension {
    // Its identifier: the content of an object identifier.
    struct tagwise_bytes oid;
    // Whether who does not understand it must refuse what has it.
    bool critical;
    // Its value: an encoding, which nobody has looked into where the list was not checked whole.
    struct tagwise_bytes value;
} tagwise_extension;

// A rule that an input broke and that was tolerated, and where.
typedef struct tagwise_deviation {
    // The rule's name; it is never freed.
    struct tagwise_bytes rule;
    // The clause of the standard; it is never freed.
    struct tagwise_bytes clause;
    // The byte offset in the input.
    size_t offset;
} tagwise_deviation;

// One entry of a CRL, borrowed from the CRL.
typedef struct tagwise_crl_entry {
    // The serial number as the content of its INTEGER.
    struct tagwise_bytes serial;
    // When the certificate was revoked, in seconds since 1970.
    int64_t date;
    // The extensions of the entry, one after the other: what tagwise_extension_next() takes.
    struct tagwise_bytes extensions;
} tagwise_crl_entry;

// One element of an input: tag, whole encoding, content, place. Its bytes are borrowed as those of the input are.
typedef struct tagwise_element {
    // The tag, to be compared with TAGWISE_SEQUENCE, TAGWISE_CONTEXT(0) and so on; 0 for no element.
    uint32_t tag;
    // The offset of the element in the input.
    size_t offset;
    // The whole encoding.
    struct tagwise_bytes whole;
    // The content.
    struct tagwise_bytes content;
} tagwise_element;

// One attribute of a name.
typedef struct tagwise_name_attribute {
    // Its type: the content of an object identifier; borrowed as the name is.
    struct tagwise_bytes oid;
    // Its value, which tagwise_element_text() makes text of; borrowed as the name is.
    struct tagwise_element value;
    // The index of the RDN that it is in.
    size_t rdn;
} tagwise_name_attribute;

// One general name, borrowed as the list it comes from is.
typedef struct tagwise_general_name {
    // Its kind.
    enum tagwise_general_name_kind kind;
    // Its value, as its kind says.
    struct tagwise_bytes value;
    // The whole encoding.
    struct tagwise_bytes whole;
} tagwise_general_name;

// A rule that can be tolerated.
typedef struct tagwise_rule {
    // Its name; like the other texts never freed.
    struct tagwise_bytes name;
    // The clause of the standard that it stands for.
    struct tagwise_bytes clause;
    // The demand, in a sentence.
    struct tagwise_bytes summary;
} tagwise_rule;

// One block of a text in PEM; its bytes are borrowed from the text.
typedef struct tagwise_pem_block {
    // The label, as `CERTIFICATE`.
    struct tagwise_bytes label;
    // The block, with its boundaries: what tagwise_pem_decode() takes.
    struct tagwise_bytes text;
    // The line of its BEGIN in what was left of the text, counted from 1.
    size_t line;
} tagwise_pem_block;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Makes the library allocate with these functions from now on, in the whole process. Call it once, before every other function: false
// if the library has allocated already, or a function is missing. What the backend's own C code allocates does not go through it.
// Where `allocate` returns NULL, the process is aborted.
bool tagwise_allocator_set(const struct tagwise_allocator *allocator);

// Frees a buffer; NULL is allowed.
void tagwise_buffer_free(struct tagwise_buffer *buffer);

// The bytes of a buffer; borrowed from it.
struct tagwise_bytes tagwise_buffer_bytes(const struct tagwise_buffer *buffer);

// The text of a buffer, which ends with a NUL; an empty text for NULL. Borrowed from the buffer. Use tagwise_buffer_bytes() where the
// bytes may contain a NUL.
const char *tagwise_buffer_text(const struct tagwise_buffer *buffer);

// Reads a certificate in DER and checks every byte of it, extension values and keys included.
struct tagwise_certificate *tagwise_certificate_read(struct tagwise_bytes der,
                                                     const struct tagwise_options *options,
                                                     struct tagwise_error **error);

// Reads the frame of a certificate. Names, extension values and the key are checked when they are asked for: something bad in one of them
// does not keep the rest from being read.
struct tagwise_certificate *tagwise_certificate_outline(struct tagwise_bytes der,
                                                        const struct tagwise_options *options,
                                                        struct tagwise_error **error);

// Reads the first certificate of a text in PEM and checks every byte of it.
struct tagwise_certificate *tagwise_certificate_from_pem(struct tagwise_bytes text,
                                                         const struct tagwise_options *options,
                                                         struct tagwise_error **error);

// Frees a certificate; NULL is allowed.
void tagwise_certificate_free(struct tagwise_certificate *certificate);

// The whole encoding.
struct tagwise_bytes tagwise_certificate_der(const struct tagwise_certificate *certificate);

// The signed part, as it stands in the encoding.
struct tagwise_bytes tagwise_certificate_tbs(const struct tagwise_certificate *certificate);

// The version as people count it, from 1; 0 for NULL.
uint32_t tagwise_certificate_version(const struct tagwise_certificate *certificate);

// The serial number as the content of its INTEGER: two's complement, highest byte first.
struct tagwise_bytes tagwise_certificate_serial(const struct tagwise_certificate *certificate);

// The algorithm of the signature: the encoding of an AlgorithmIdentifier.
struct tagwise_bytes tagwise_certificate_signature_algorithm(const struct tagwise_certificate *certificate);

// The signature, without its count of unused bits.
struct tagwise_bytes tagwise_certificate_signature(const struct tagwise_certificate *certificate);

// The issuer: the encoding of a name, which the tagwise_name functions take.
struct tagwise_bytes tagwise_certificate_issuer(const struct tagwise_certificate *certificate);

// The subject: the encoding of a name.
struct tagwise_bytes tagwise_certificate_subject(const struct tagwise_certificate *certificate);

// The public key with its algorithm: the encoding of a SubjectPublicKeyInfo.
struct tagwise_bytes tagwise_certificate_public_key(const struct tagwise_certificate *certificate);

// The first moment of the validity period, in seconds since 1970; 0 for NULL.
int64_t tagwise_certificate_not_before(const struct tagwise_certificate *certificate);

// The last moment of the validity period, in seconds since 1970; 0 for NULL.
int64_t tagwise_certificate_not_after(const struct tagwise_certificate *certificate);

// Returns whether subject and issuer match.
bool tagwise_certificate_is_self_issued(const struct tagwise_certificate *certificate);

// The extensions, one after the other: what tagwise_extension_next() takes. Empty if there are none.
struct tagwise_bytes tagwise_certificate_extensions(const struct tagwise_certificate *certificate);

// Gives the extension with that identifier; false with no error if there is none.
bool tagwise_certificate_extension(const struct tagwise_certificate *certificate,
                                   struct tagwise_bytes oid,
                                   struct tagwise_extension *extension,
                                   struct tagwise_error **error);

// Gives the key usage: bit n is bit n of KeyUsage, digitalSignature being bit 0. Returns false with no error if the extension is absent.
bool tagwise_certificate_key_usage(const struct tagwise_certificate *certificate,
                                   uint16_t *usage,
                                   struct tagwise_error **error);

// Gives the basic constraints: whether the subject is a CA, and how many certificates of CAs may follow (UINT64_MAX: any number).
// Returns false with no error if the extension is absent.
bool tagwise_certificate_basic_constraints(const struct tagwise_certificate *certificate,
                                           bool *ca,
                                           uint64_t *path_length,
                                           struct tagwise_error **error);

// Returns whether the extended key usage has that purpose, or is absent. Returns false with an error if it cannot be read.
bool tagwise_certificate_allows_purpose(const struct tagwise_certificate *certificate,
                                        struct tagwise_bytes purpose,
                                        struct tagwise_error **error);

// Gives the subject's key identifier; false with no error if the extension is absent.
bool tagwise_certificate_key_identifier(const struct tagwise_certificate *certificate,
                                        struct tagwise_bytes *identifier,
                                        struct tagwise_error **error);

// Gives the issuer's key identifier; false with no error if it is absent.
bool tagwise_certificate_authority_key_identifier(const struct tagwise_certificate *certificate,
                                                  struct tagwise_bytes *identifier,
                                                  struct tagwise_error **error);

// Gives the subject's alternative names, one after the other: what tagwise_general_name_next() takes. Returns false with no error if the
// extension is absent.
bool tagwise_certificate_names(const struct tagwise_certificate *certificate,
                               struct tagwise_bytes *names,
                               struct tagwise_error **error);

// Gives the deviation of that index that was tolerated, counted from 0; false after the last one.
bool tagwise_certificate_deviation(const struct tagwise_certificate *certificate, size_t index, struct tagwise_deviation *found);

// The certificate as OpenSSL prints it.
struct tagwise_buffer *tagwise_certificate_text(const struct tagwise_certificate *certificate, struct tagwise_error **error);

// Reads a CRL in DER and checks every byte of it, each entry included.
struct tagwise_crl *tagwise_crl_read(struct tagwise_bytes der, const struct tagwise_options *options, struct tagwise_error **error);

// Reads the frame of a CRL. Entries and extensions are checked when they are asked for: a list of any size is read in no time.
struct tagwise_crl *tagwise_crl_outline(struct tagwise_bytes der,
                                        const struct tagwise_options *options,
                                        struct tagwise_error **error);

// Reads the first CRL of a text in PEM and checks every byte of it.
struct tagwise_crl *tagwise_crl_from_pem(struct tagwise_bytes text,
                                         const struct tagwise_options *options,
                                         struct tagwise_error **error);

// Frees a CRL; NULL is allowed.
void tagwise_crl_free(struct tagwise_crl *crl);

// The whole encoding.
struct tagwise_bytes tagwise_crl_der(const struct tagwise_crl *crl);

// The signed part, as it stands in the encoding.
struct tagwise_bytes tagwise_crl_tbs(const struct tagwise_crl *crl);

// The algorithm of the signature: the encoding of an AlgorithmIdentifier.
struct tagwise_bytes tagwise_crl_signature_algorithm(const struct tagwise_crl *crl);

// The signature, without its count of unused bits.
struct tagwise_bytes tagwise_crl_signature(const struct tagwise_crl *crl);

// The issuer: the encoding of a name.
struct tagwise_bytes tagwise_crl_issuer(const struct tagwise_crl *crl);

// When the CRL was issued, in seconds since 1970; 0 for NULL.
int64_t tagwise_crl_this_update(const struct tagwise_crl *crl);

// Gives when the next CRL is due, in seconds since 1970; false if the CRL does not say.
bool tagwise_crl_next_update(const struct tagwise_crl *crl, int64_t *seconds);

// Gives the number of the CRL as the content of an INTEGER; false with no error if it has none.
bool tagwise_crl_number(const struct tagwise_crl *crl, struct tagwise_bytes *number, struct tagwise_error **error);

// Gives the number of the base CRL of a delta CRL; false with no error if it is none.
bool tagwise_crl_delta_base(const struct tagwise_crl *crl, struct tagwise_bytes *number, struct tagwise_error **error);

// Gives whether the CRL may have certificates of other issuers (RFC 5280 section 5.2.5).
bool tagwise_crl_is_indirect(const struct tagwise_crl *crl, bool *indirect, struct tagwise_error **error);

// The extensions, one after the other: what tagwise_extension_next() takes.
struct tagwise_bytes tagwise_crl_extensions(const struct tagwise_crl *crl);

// Gives the extension with that identifier; false with no error if there is none.
bool tagwise_crl_extension(const struct tagwise_crl *crl,
                           struct tagwise_bytes oid,
                           struct tagwise_extension *extension,
                           struct tagwise_error **error);

// Gives the deviation of that index that was tolerated, counted from 0; false after the last one.
bool tagwise_crl_deviation(const struct tagwise_crl *crl, size_t index, struct tagwise_deviation *found);

// The CRL as OpenSSL prints it.
struct tagwise_buffer *tagwise_crl_text(const struct tagwise_crl *crl, struct tagwise_error **error);

// The entries, one after the other: what tagwise_crl_entry_next() takes.
struct tagwise_bytes tagwise_crl_entries(const struct tagwise_crl *crl);

// The number of entries.
size_t tagwise_crl_count(const struct tagwise_crl *crl);

// Gives the next entry and moves `rest` behind it. Returns false with no error after the last one.
bool tagwise_crl_entry_next(struct tagwise_bytes *rest,
                            const struct tagwise_options *options,
                            struct tagwise_crl_entry *entry,
                            struct tagwise_error **error);

// Gives the reason of an entry, as the number that RFC 5280 section 5.3.1 has for it; false with no error if it has none.
bool tagwise_crl_entry_reason(const struct tagwise_crl_entry *entry, uint32_t *reason, struct tagwise_error **error);

// Gives the first entry with that serial number, the content of an INTEGER, by looking at one after the other. Returns false with no error
// if there is none. In an indirect CRL the entry may be about a certificate of another issuer: tagwise_crl_index_find() knows whose.
bool tagwise_crl_find(const struct tagwise_crl *crl,
                      struct tagwise_bytes serial,
                      struct tagwise_crl_entry *entry,
                      struct tagwise_error **error);

// An index of a CRL, for many look-ups: 12 to 24 bytes an entry.
struct tagwise_crl_index *tagwise_crl_index_new(const struct tagwise_crl *crl, struct tagwise_error **error);

// Frees an index; NULL is allowed.
void tagwise_crl_index_free(struct tagwise_crl_index *index);

// Gives the last entry for the certificate with that serial number and that issuer, the encoding of a name; absent, the issuer is that of
// the CRL. Returns false with no error if there is none.
bool tagwise_crl_index_find(const struct tagwise_crl_index *index,
                            struct tagwise_bytes serial,
                            struct tagwise_bytes issuer,
                            struct tagwise_crl_entry *entry,
                            struct tagwise_error **error);

// A cursor at the start of an input, which it borrows. With options that allow deviations it reads definite-length BER as it stands.
struct tagwise_cursor *tagwise_cursor_new(struct tagwise_bytes input,
                                          const struct tagwise_options *options,
                                          struct tagwise_error **error);

// A cursor at the start of an element in any form of BER, which is converted to DER without a schema first; the cursor owns the result.
// Offsets are those of the input. A string in segments is joined only under its universal tag: see tagwise_ber_to_der() for the rest.
struct tagwise_cursor *tagwise_cursor_new_ber(struct tagwise_bytes input,
                                              const struct tagwise_options *options,
                                              struct tagwise_error **error);

// Frees a cursor; NULL is allowed.
void tagwise_cursor_free(struct tagwise_cursor *cursor);

// Returns whether the value that was entered last, or the input, ends here; true for NULL.
bool tagwise_cursor_is_empty(const struct tagwise_cursor *cursor);

// The offset of the cursor in the input.
size_t tagwise_cursor_offset(const struct tagwise_cursor *cursor);

// The number of values that were entered and not left.
size_t tagwise_cursor_depth(const struct tagwise_cursor *cursor);

// The bytes that are left in the value that was entered last; borrowed as the input is.
struct tagwise_bytes tagwise_cursor_rest(const struct tagwise_cursor *cursor);

// Gives the tag of the next element and stays where it is.
bool tagwise_cursor_peek(const struct tagwise_cursor *cursor, uint32_t *tag, struct tagwise_error **error);

// Returns whether the next element has that class and number.
bool tagwise_cursor_at(const struct tagwise_cursor *cursor, uint32_t tag);

// Reads the next element, whatever its tag, without looking inside.
bool tagwise_cursor_next(struct tagwise_cursor *cursor, struct tagwise_element *element, struct tagwise_error **error);

// Reads the next element, which must have that tag.
bool tagwise_cursor_read(struct tagwise_cursor *cursor,
                         uint32_t tag,
                         struct tagwise_element *element,
                         struct tagwise_error **error);

// Reads the next element if it has that class and number. Otherwise gives an element of the tag 0 and absent bytes, and returns true.
bool tagwise_cursor_read_optional(struct tagwise_cursor *cursor,
                                  uint32_t tag,
                                  struct tagwise_element *element,
                                  struct tagwise_error **error);

// Steps over the next element.
bool tagwise_cursor_skip(struct tagwise_cursor *cursor, struct tagwise_error **error);

// Enters the next element, which must have that tag and be constructed.
bool tagwise_cursor_enter(struct tagwise_cursor *cursor, uint32_t tag, struct tagwise_error **error);

// Leaves the value that was entered last; nothing of it may be left.
bool tagwise_cursor_leave(struct tagwise_cursor *cursor, struct tagwise_error **error);

// Leaves the value that was entered last, whatever is left of it; that is not looked at.
bool tagwise_cursor_leave_early(struct tagwise_cursor *cursor, struct tagwise_error **error);

// Checks that every value was left and that nothing follows the last element.
bool tagwise_cursor_finish(const struct tagwise_cursor *cursor, struct tagwise_error **error);

// Reads a BOOLEAN.
bool tagwise_cursor_boolean(struct tagwise_cursor *cursor, bool *value, struct tagwise_error **error);

// Reads an INTEGER that fits into 64 bits with a sign.
bool tagwise_cursor_int64(struct tagwise_cursor *cursor, int64_t *value, struct tagwise_error **error);

// Reads an INTEGER that fits into 64 bits without a sign.
bool tagwise_cursor_uint64(struct tagwise_cursor *cursor, uint64_t *value, struct tagwise_error **error);

// Reads an INTEGER of any size as its content: two's complement, highest byte first; borrowed as the input is.
bool tagwise_cursor_integer(struct tagwise_cursor *cursor, struct tagwise_bytes *value, struct tagwise_error **error);

// Reads an ENUMERATED that fits into 64 bits.
bool tagwise_cursor_enumerated(struct tagwise_cursor *cursor, int64_t *value, struct tagwise_error **error);

// Reads a NULL.
bool tagwise_cursor_null(struct tagwise_cursor *cursor, struct tagwise_error **error);

// Reads an OBJECT IDENTIFIER as its content, which tagwise_oid_text() makes text of; borrowed as the input is.
bool tagwise_cursor_oid(struct tagwise_cursor *cursor, struct tagwise_bytes *value, struct tagwise_error **error);

// Reads an OCTET STRING; borrowed as the input is.
bool tagwise_cursor_octets(struct tagwise_cursor *cursor, struct tagwise_bytes *value, struct tagwise_error **error);

// Reads a BIT STRING: its bytes, borrowed as the input is, and the number of unused bits in the last one.
bool tagwise_cursor_bits(struct tagwise_cursor *cursor, struct tagwise_bytes *value, uint8_t *unused, struct tagwise_error **error);

// Reads a string of any character string type as UTF-8, in a buffer.
struct tagwise_buffer *tagwise_cursor_text(struct tagwise_cursor *cursor, struct tagwise_error **error);

// Reads a UTCTime or GeneralizedTime: seconds since 1970 and nanoseconds.
bool tagwise_cursor_time(struct tagwise_cursor *cursor, int64_t *seconds, uint32_t *nanoseconds, struct tagwise_error **error);

// Reads the content of an element as that of a BOOLEAN. Like all tagwise_element functions it leaves the tag to the caller, so that
// elements under IMPLICIT tags can be read.
bool tagwise_element_boolean(const struct tagwise_element *element,
                             const struct tagwise_options *options,
                             bool *out,
                             struct tagwise_error **error);

// Reads the content of an element as that of an INTEGER or ENUMERATED that fits into 64 bits with a sign.
bool tagwise_element_int64(const struct tagwise_element *element,
                           const struct tagwise_options *options,
                           int64_t *out,
                           struct tagwise_error **error);

// Reads the content of an element as that of an INTEGER or ENUMERATED that fits into 64 bits without a sign.
bool tagwise_element_uint64(const struct tagwise_element *element,
                            const struct tagwise_options *options,
                            uint64_t *out,
                            struct tagwise_error **error);

// Checks the content of an element as that of an INTEGER of any size, and gives it: two's complement, highest byte first.
bool tagwise_element_integer(const struct tagwise_element *element,
                             const struct tagwise_options *options,
                             struct tagwise_bytes *out,
                             struct tagwise_error **error);

// Checks that the content of an element is that of a NULL.
bool tagwise_element_null(const struct tagwise_element *element,
                          const struct tagwise_options *options,
                          struct tagwise_error **error);

// Checks the content of an element as that of an OBJECT IDENTIFIER, and gives it.
bool tagwise_element_oid(const struct tagwise_element *element,
                         const struct tagwise_options *options,
                         struct tagwise_bytes *out,
                         struct tagwise_error **error);

// Checks the content of an element as that of a RELATIVE-OID, and gives it.
bool tagwise_element_relative_oid(const struct tagwise_element *element,
                                  const struct tagwise_options *options,
                                  struct tagwise_bytes *out,
                                  struct tagwise_error **error);

// Reads the content of an element as that of a BIT STRING: bytes, and the number of unused bits in the last one.
bool tagwise_element_bits(const struct tagwise_element *element,
                          const struct tagwise_options *options,
                          struct tagwise_bytes *out,
                          uint8_t *unused,
                          struct tagwise_error **error);

// Reads the content of an element as that of a REAL. What a double cannot hold is rounded, or becomes infinite.
bool tagwise_element_real(const struct tagwise_element *element,
                          const struct tagwise_options *options,
                          double *out,
                          struct tagwise_error **error);

// Reads the content of an element as that of a UTCTime if `universal` is TAGWISE_UTC_TIME, of a GeneralizedTime if it is
// TAGWISE_GENERALIZED_TIME, and by the element's own tag if it is 0: seconds since 1970 and nanoseconds.
bool tagwise_element_time(const struct tagwise_element *element,
                          uint32_t universal,
                          const struct tagwise_options *options,
                          int64_t *seconds,
                          uint32_t *nanoseconds,
                          struct tagwise_error **error);

// Reads the content of an element as a string of the type `universal`, as TAGWISE_BMP_STRING, or by the element's own tag if that is 0.
// The text is UTF-8, in a buffer.
struct tagwise_buffer *tagwise_element_text(const struct tagwise_element *element,
                                            uint32_t universal,
                                            const struct tagwise_options *options,
                                            struct tagwise_error **error);

// Frees an error; NULL is allowed.
void tagwise_error_free(struct tagwise_error *error);

// The kind of an error; TAGWISE_ERROR_KIND_NONE for NULL.
enum tagwise_error_kind tagwise_error_get_kind(const struct tagwise_error *error);

// The stable code of an error, as `integer-padded`; borrowed from the error.
const char *tagwise_error_code(const struct tagwise_error *error);

// The whole message of an error, with path, offset and clause; borrowed from the error.
const char *tagwise_error_message(const struct tagwise_error *error);

// The path to the component at fault, as `tbsCertificate.validity.notAfter`, or an empty text; borrowed from the error.
const char *tagwise_error_path(const struct tagwise_error *error);

// The clause of the standard that decides, or an empty text; borrowed from the error.
const char *tagwise_error_clause(const struct tagwise_error *error);

// The byte offset of an error in the input, or SIZE_MAX if it has none.
size_t tagwise_error_offset(const struct tagwise_error *error);

// Gives the next extension of a list, as tagwise_certificate_extensions() has it, and moves `rest` behind it. Returns false with no error
// after the last one.
bool tagwise_extension_next(struct tagwise_bytes *rest,
                            const struct tagwise_options *options,
                            struct tagwise_extension *extension,
                            struct tagwise_error **error);

// Gives the extension with that identifier of a list; false with no error if there is none. One that is there twice is an error.
bool tagwise_extension_find(struct tagwise_bytes list,
                            struct tagwise_bytes oid,
                            const struct tagwise_options *options,
                            struct tagwise_extension *extension,
                            struct tagwise_error **error);

// The text of a name as RFC 4514 has it, as `CN=Eva,O=Example,C=DE`: the last RDN first.
struct tagwise_buffer *tagwise_name_rfc4514(struct tagwise_bytes name, struct tagwise_error **error);

// The text of a name in the order of its encoding, as `C=DE, O=Example, CN=Eva`.
struct tagwise_buffer *tagwise_name_oneline(struct tagwise_bytes name, struct tagwise_error **error);

// The encoding of a name from its text as RFC 4514 has it.
struct tagwise_buffer *tagwise_name_from_text(struct tagwise_bytes text, struct tagwise_error **error);

// Returns whether two names match by the rules of RFC 5280 section 7.1: case and repeated spaces do not count. What is not a name matches
// nothing.
bool tagwise_name_equal(struct tagwise_bytes one,
                        struct tagwise_bytes other);

// Returns whether a name lies in the subtree of another (RFC 5280 section 4.2.1.10).
bool tagwise_name_is_within(struct tagwise_bytes name, struct tagwise_bytes subtree);

// Bytes that are equal for names that match, and only for those: a key for tables.
struct tagwise_buffer *tagwise_name_match_key(struct tagwise_bytes name, struct tagwise_error **error);

// Gives the attribute of that index, counted from 0 over all RDNs; false with no error after the last one.
bool tagwise_name_attribute_get(struct tagwise_bytes name,
                                size_t index,
                                struct tagwise_name_attribute *attribute,
                                struct tagwise_error **error);

// Gives the first attribute of that type, as the content of its identifier; false with no error if there is none.
bool tagwise_name_attribute_find(struct tagwise_bytes name,
                                 struct tagwise_bytes oid,
                                 struct tagwise_name_attribute *attribute,
                                 struct tagwise_error **error);

// The value of an attribute as UTF-8, whatever its string type.
struct tagwise_buffer *tagwise_name_attribute_text(const struct tagwise_name_attribute *attribute, struct tagwise_error **error);

// Gives the next name of the content of GeneralNames, as tagwise_certificate_names() has it, and moves `rest` behind it. Returns false
// with no error after the last one. A name is not checked beyond its tag: names that are bad do not hide those after them.
bool tagwise_general_name_next(struct tagwise_bytes *rest,
                               const struct tagwise_options *options,
                               struct tagwise_general_name *name,
                               struct tagwise_error **error);

// The text of a general name, as `DNS:example.org` or `IP:192.0.2.1`.
struct tagwise_buffer *tagwise_general_name_text(const struct tagwise_general_name *name, struct tagwise_error **error);

// The dotted text of an object identifier, as `2.5.29.17`, from its content.
struct tagwise_buffer *tagwise_oid_text(struct tagwise_bytes oid, struct tagwise_error **error);

// The content of an object identifier from its dotted text, or from its name, as `subjectAltName`.
struct tagwise_buffer *tagwise_oid_from_text(const char *text, struct tagwise_error **error);

// The name of an object identifier, as `subjectAltName`; absent if it has none here. It is never freed.
struct tagwise_bytes tagwise_oid_name(struct tagwise_bytes oid);

// Returns whether two object identifiers are the same; false for absent ones.
bool tagwise_oid_equal(struct tagwise_bytes one, struct tagwise_bytes other);

// The dotted text of a RELATIVE-OID from its content.
struct tagwise_buffer *tagwise_relative_oid_text(struct tagwise_bytes oid, struct tagwise_error **error);

// The content of a RELATIVE-OID from its dotted text.
struct tagwise_buffer *tagwise_relative_oid_from_text(const char *text, struct tagwise_error **error);

// Options for strict DER with the default budgets: 64 levels, 2^32 elements, 4 GiB of output. Free them with tagwise_options_free().
struct tagwise_options *tagwise_options_new(void);

// Frees options; NULL is allowed.
void tagwise_options_free(struct tagwise_options *options);

// Tolerates one rule more, by its name, as `negative-serial` or `long-length`. tagwise_rule_get() lists the rules.
bool tagwise_options_allow(struct tagwise_options *options, const char *rule, struct tagwise_error **error);

// Tolerates what BER leaves to the sender where lengths are definite and strings primitive, as LDAP servers do.
void tagwise_options_allow_ber(struct tagwise_options *options);

// Tolerates the common faults of PEM that can only be meant in one way: every rule whose name begins with `pem-`.
void tagwise_options_allow_pem(struct tagwise_options *options);

// Sets how many constructed values may enclose a value; at most 128.
void tagwise_options_set_depth(struct tagwise_options *options, uint8_t depth);

// Sets how many elements of SEQUENCE OF and SET OF one call may meet.
void tagwise_options_set_elements(struct tagwise_options *options, uint64_t elements);

// Sets how many bytes one encoding or conversion may write.
void tagwise_options_set_output(struct tagwise_options *options, uint64_t bytes);

// Gives the rule of that index, counted from 0; false after the last one.
bool tagwise_rule_get(size_t index, struct tagwise_rule *rule);

// Gives the next element of a row of elements, as the content of a SEQUENCE is, and moves `rest` behind it. Returns false with no error
// after the last one. Offsets count from where `rest` started.
bool tagwise_element_next(struct tagwise_bytes *rest,
                          const struct tagwise_options *options,
                          struct tagwise_element *element,
                          struct tagwise_error **error);

// Gives the next block of a text and moves `rest`, which starts as the whole text, behind it. Returns false with no error after the last
// block.
bool tagwise_pem_next(struct tagwise_bytes *rest,
                      const struct tagwise_options *options,
                      struct tagwise_pem_block *block,
                      struct tagwise_error **error);

// The bytes of the first block of a text under that label, or under any if `label` is NULL.
struct tagwise_buffer *tagwise_pem_decode(struct tagwise_bytes text,
                                          const char *label,
                                          const struct tagwise_options *options,
                                          struct tagwise_error **error);

// Bytes as one block under that label.
struct tagwise_buffer *tagwise_pem_encode(const char *label, struct tagwise_bytes der, struct tagwise_error **error);

// A writer under these options' budget. Free it with tagwise_writer_free().
struct tagwise_writer *tagwise_writer_new(const struct tagwise_options *options);

// Frees a writer; NULL is allowed.
void tagwise_writer_free(struct tagwise_writer *writer);

// Begins a constructed value under that tag, as TAGWISE_SEQUENCE; what is written next goes into it.
bool tagwise_writer_begin(struct tagwise_writer *writer, uint32_t tag, struct tagwise_error **error);

// Ends the value that was begun last.
bool tagwise_writer_end(struct tagwise_writer *writer, struct tagwise_error **error);

// Ends the value that was begun last as a SET OF: its elements are put in the order of their encodings (X.690 clause 11.6).
bool tagwise_writer_end_set_of(struct tagwise_writer *writer, struct tagwise_error **error);

// Ends the value that was begun last as a SET: its elements are put in the order of their tags (X.690 clause 10.3), of which no two may
// be the same.
bool tagwise_writer_end_set(struct tagwise_writer *writer,
                            struct tagwise_error **error);

// Writes one element that is encoded already; it is checked as far as that goes without a schema.
bool tagwise_writer_encoded(struct tagwise_writer *writer, struct tagwise_bytes element, struct tagwise_error **error);

// Writes a primitive element with that content, under a tag that is not universal.
bool tagwise_writer_primitive(struct tagwise_writer *writer,
                              uint32_t tag,
                              struct tagwise_bytes content,
                              struct tagwise_error **error);

// Gives what was written, if every value was ended, and empties the writer.
struct tagwise_buffer *tagwise_writer_finish(struct tagwise_writer *writer, struct tagwise_error **error);

// Writes a BOOLEAN, under its own tag if `tag` is 0. All functions of a type take a tag so: an IMPLICIT one, as TAGWISE_CONTEXT(0).
bool tagwise_writer_boolean(struct tagwise_writer *writer, uint32_t tag, bool value, struct tagwise_error **error);

// Writes an INTEGER.
bool tagwise_writer_int64(struct tagwise_writer *writer, uint32_t tag, int64_t value, struct tagwise_error **error);

// Writes an INTEGER without a sign.
bool tagwise_writer_uint64(struct tagwise_writer *writer, uint32_t tag, uint64_t value, struct tagwise_error **error);

// Writes an INTEGER of any size from its two's complement, highest byte first; needless bytes at its start are left out.
bool tagwise_writer_integer(struct tagwise_writer *writer, uint32_t tag, struct tagwise_bytes value, struct tagwise_error **error);

// Writes an ENUMERATED.
bool tagwise_writer_enumerated(struct tagwise_writer *writer, uint32_t tag, int64_t value, struct tagwise_error **error);

// Writes a NULL.
bool tagwise_writer_null(struct tagwise_writer *writer, uint32_t tag, struct tagwise_error **error);

// Writes an OBJECT IDENTIFIER from its content, which tagwise_oid_from_text() makes of text.
bool tagwise_writer_oid(struct tagwise_writer *writer, uint32_t tag, struct tagwise_bytes oid, struct tagwise_error **error);

// Writes a RELATIVE-OID from its content.
bool tagwise_writer_relative_oid(struct tagwise_writer *writer,
                                 uint32_t tag,
                                 struct tagwise_bytes oid,
                                 struct tagwise_error **error);

// Writes an OCTET STRING.
bool tagwise_writer_octets(struct tagwise_writer *writer, uint32_t tag, struct tagwise_bytes value, struct tagwise_error **error);

// Writes a BIT STRING, of whose last byte the lowest `unused` bits are not part; they are written as zero.
bool tagwise_writer_bits(struct tagwise_writer *writer,
                         uint32_t tag,
                         struct tagwise_bytes value,
                         uint8_t unused,
                         struct tagwise_error **error);

// Writes a string of the type `universal`, as TAGWISE_UTF8_STRING, from UTF-8.
bool tagwise_writer_text(struct tagwise_writer *writer,
                         uint32_t tag,
                         uint32_t universal,
                         struct tagwise_bytes text,
                         struct tagwise_error **error);

// Writes a UTCTime, for the years 1950 to 2049.
bool tagwise_writer_utc_time(struct tagwise_writer *writer, uint32_t tag, int64_t seconds, struct tagwise_error **error);

// Writes a GeneralizedTime, for the years 0 to 9999, with what it needs of nine decimals.
bool tagwise_writer_generalized_time(struct tagwise_writer *writer,
                                     uint32_t tag,
                                     int64_t seconds,
                                     uint32_t nanoseconds,
                                     struct tagwise_error **error);

// Writes a Time as certificates have it: UTCTime up to 2049, GeneralizedTime from then on (RFC 5280 section 4.1.2.5).
bool tagwise_writer_time(struct tagwise_writer *writer, int64_t seconds, struct tagwise_error **error);

// Writes a REAL.
bool tagwise_writer_real(struct tagwise_writer *writer, uint32_t tag, double value, struct tagwise_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TAGWISE_H */
