/*
 * Certificates in PostgreSQL, over libtagwise. The functions have the names and results of libx509pq, which crt.sh uses;
 * functions.tsv lists them.
 *
 * Memory: a handle of the library is freed when the memory context of the call is reset, so also after an error. No error is raised
 * while a frame of the library is on the stack.
 */

#include "postgres.h"

#include "common/md5.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "tagwise.h"

PG_MODULE_MAGIC;

#include "functions.inc"

/* What the text functions of libx509pq return for a malformed certificate. */
static const char MALFORMED[] = "ERROR!";

/* Tolerates everything that the library can tolerate, as libx509pq does. */
static struct tagwise_options *lenient;
static struct tagwise_backend *backend;

void _PG_init(void);

void _PG_init(void)
{
    lenient = tagwise_options_new();
    backend = tagwise_backend_new("aws-lc", NULL);
    if (lenient == NULL || backend == NULL || !tagwise_options_allow(lenient, "all", NULL))
        ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("cannot initialize libtagwise")));
}

/* ---- Memory ---- */

static void free_certificate(void *certificate)
{
    tagwise_certificate_free(certificate);
}

static void free_buffer(void *buffer)
{
    tagwise_buffer_free(buffer);
}

/* Returns a callback that frees a handle when the current memory context is reset. */
static MemoryContextCallback *owner(void (*release)(void *))
{
    MemoryContextCallback *callback = palloc0(sizeof(MemoryContextCallback));
    callback->func = release;
    MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
    return callback;
}

static struct tagwise_bytes bytes_of(const bytea *value)
{
    struct tagwise_bytes bytes = {(const uint8_t *)VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
    return bytes;
}

/* Reads the outline of a certificate. The parts are checked where they are used. Returns NULL if it is malformed. */
static struct tagwise_certificate *certificate_of(const bytea *value)
{
    MemoryContextCallback *callback = owner(free_certificate);
    callback->arg = tagwise_certificate_outline(bytes_of(value), lenient, NULL);
    return callback->arg;
}

static struct tagwise_certificate *certificate_arg(FunctionCallInfo fcinfo)
{
    return certificate_of(PG_GETARG_BYTEA_PP(0));
}

/* Returns the bytes of a buffer, which is freed with the current memory context. Absent if there is no buffer. */
static struct tagwise_bytes kept(MemoryContextCallback *callback, struct tagwise_buffer *buffer)
{
    struct tagwise_bytes none = {NULL, 0};
    callback->arg = buffer;
    return buffer == NULL ? none : tagwise_buffer_bytes(buffer);
}

/* `kept` with a callback that exists before the buffer does. */
#define KEPT(call) kept(owner(free_buffer), (call))

/* ---- Results ---- */

static bytea *bytea_of(struct tagwise_bytes bytes)
{
    bytea *value = palloc(VARHDRSZ + bytes.len);
    SET_VARSIZE(value, VARHDRSZ + bytes.len);
    memcpy(VARDATA(value), bytes.ptr, bytes.len);
    return value;
}

/* Converts text to the encoding of the database. NUL, which PostgreSQL does not support, is written as \00, and if the text is not
 * UTF-8, each of its bytes above 7F as \ and two digits. */
static text *text_of(struct tagwise_bytes bytes)
{
    bool is_utf8 = pg_verify_mbstr(PG_UTF8, (const char *)bytes.ptr, bytes.len, true);
    StringInfoData out;
    char *converted;
    if (is_utf8 && memchr(bytes.ptr, 0, bytes.len) == NULL && GetDatabaseEncoding() == PG_UTF8)
        return cstring_to_text_with_len((const char *)bytes.ptr, bytes.len);
    initStringInfo(&out);
    for (size_t at = 0; at < bytes.len; at++) {
        uint8_t byte = bytes.ptr[at];
        if (byte == 0 || (byte >= 0x80 && !is_utf8))
            appendStringInfo(&out, "\\%02X", byte);
        else
            appendStringInfoCharMacro(&out, (char)byte);
    }
    converted = pg_any_to_server(out.data, out.len, PG_UTF8);
    return cstring_to_text(converted);
}

static Datum text_or_null(FunctionCallInfo fcinfo, struct tagwise_bytes bytes)
{
    if (bytes.ptr == NULL)
        PG_RETURN_NULL();
    PG_RETURN_TEXT_P(text_of(bytes));
}

static Datum bytea_or_null(FunctionCallInfo fcinfo, struct tagwise_bytes bytes)
{
    if (bytes.ptr == NULL)
        PG_RETURN_NULL();
    PG_RETURN_BYTEA_P(bytea_of(bytes));
}

static Datum text_or_malformed(struct tagwise_bytes bytes)
{
    PG_RETURN_TEXT_P(bytes.ptr == NULL ? cstring_to_text(MALFORMED) : text_of(bytes));
}

/* Begins a set of rows of one text. */
static ReturnSetInfo *begin_set(FunctionCallInfo fcinfo)
{
    InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
    return (ReturnSetInfo *)fcinfo->resultinfo;
}

static void add(ReturnSetInfo *set, struct tagwise_bytes bytes)
{
    bool is_null = bytes.ptr == NULL;
    Datum value = is_null ? (Datum)0 : PointerGetDatum(text_of(bytes));
    CHECK_FOR_INTERRUPTS();
    tuplestore_putvalues(set->setResult, set->setDesc, &value, &is_null);
}

static void add_oid(ReturnSetInfo *set, struct tagwise_bytes oid, bool is_numeric)
{
    struct tagwise_bytes name = tagwise_oid_name(oid);
    add(set, !is_numeric && name.ptr != NULL ? name : KEPT(tagwise_oid_text(oid, NULL)));
}

/* ---- Parts of certificates ---- */

/* Returns the content bytes of an object identifier in dotted form or with a name. Absent if it is none. */
static struct tagwise_bytes oid_of(const char *dotted)
{
    return KEPT(tagwise_oid_from_text(dotted, NULL));
}

static bool extension_of(const struct tagwise_certificate *certificate, const char *dotted, struct tagwise_extension *found)
{
    struct tagwise_error *error = NULL;
    bool is_found = tagwise_certificate_extension(certificate, oid_of(dotted), found, &error);
    tagwise_error_free(error);
    return is_found;
}

/* Gives the field with an index among those that a path selects in an extension. */
static bool field_of(const struct tagwise_extension *extension, const char *path, size_t index, struct tagwise_element *field)
{
    struct tagwise_error *error = NULL;
    bool is_found = tagwise_extension_get(extension, path, index, lenient, field, &error);
    tagwise_error_free(error);
    return is_found;
}

/* The short names of attributes in OpenSSL. Others are written as numbers. */
static const char *const SHORT_NAMES[][2] = {
    {"2.5.4.3", "CN"},
    {"2.5.4.4", "SN"},
    {"2.5.4.5", "serialNumber"},
    {"2.5.4.6", "C"},
    {"2.5.4.7", "L"},
    {"2.5.4.8", "ST"},
    {"2.5.4.9", "street"},
    {"2.5.4.10", "O"},
    {"2.5.4.11", "OU"},
    {"2.5.4.12", "title"},
    {"2.5.4.13", "description"},
    {"2.5.4.15", "businessCategory"},
    {"2.5.4.16", "postalAddress"},
    {"2.5.4.17", "postalCode"},
    {"2.5.4.18", "postOfficeBox"},
    {"2.5.4.20", "telephoneNumber"},
    {"2.5.4.41", "name"},
    {"2.5.4.42", "GN"},
    {"2.5.4.43", "initials"},
    {"2.5.4.44", "generationQualifier"},
    {"2.5.4.45", "x500UniqueIdentifier"},
    {"2.5.4.46", "dnQualifier"},
    {"2.5.4.65", "pseudonym"},
    {"2.5.4.72", "role"},
    {"2.5.4.97", "organizationIdentifier"},
    {"0.9.2342.19200300.100.1.1", "UID"},
    {"0.9.2342.19200300.100.1.3", "mail"},
    {"0.9.2342.19200300.100.1.25", "DC"},
    {"1.2.840.113549.1.9.1", "emailAddress"},
    {"1.2.840.113549.1.9.2", "unstructuredName"},
    {"1.2.840.113549.1.9.8", "unstructuredAddress"},
    {"1.3.6.1.4.1.311.60.2.1.1", "jurisdictionL"},
    {"1.3.6.1.4.1.311.60.2.1.2", "jurisdictionST"},
    {"1.3.6.1.4.1.311.60.2.1.3", "jurisdictionC"},
};

static bool is_text(struct tagwise_bytes bytes, const char *expected)
{
    return bytes.ptr != NULL && bytes.len == strlen(expected) && memcmp(bytes.ptr, expected, bytes.len) == 0;
}

/* Writes the value of an attribute: in quotation marks if a character requires it (RFC 2253 section 2.4), and as # and its encoding if
 * it is not text. */
static void add_value(StringInfo out, const struct tagwise_name_attribute *attribute)
{
    struct tagwise_bytes text = KEPT(tagwise_name_attribute_text(attribute, NULL));
    bool is_quoted = false;
    if (text.ptr == NULL) {
        appendStringInfoChar(out, '#');
        for (size_t at = 0; at < attribute->value.whole.len; at++)
            appendStringInfo(out, "%02X", attribute->value.whole.ptr[at]);
        return;
    }
    for (size_t at = 0; at < text.len; at++) {
        uint8_t byte = text.ptr[at];
        bool is_end = at == 0 || at + 1 == text.len;
        is_quoted = is_quoted || (byte != 0 && strchr(",+<>;", byte) != NULL) || (at == 0 && byte == '#') || (is_end && byte == ' ');
    }
    if (is_quoted)
        appendStringInfoChar(out, '"');
    for (size_t at = 0; at < text.len; at++) {
        uint8_t byte = text.ptr[at];
        if (byte == '"' || byte == '\\')
            appendStringInfo(out, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7F)
            appendStringInfo(out, "\\%02X", byte);
        else
            appendStringInfoCharMacro(out, (char)byte);
    }
    if (is_quoted)
        appendStringInfoChar(out, '"');
}

/* Returns a name in the order of its encoding, as libx509pq does, such as C=DE, O="Example, Inc.", CN=CA. Absent if it is malformed. */
static struct tagwise_bytes one_line(struct tagwise_bytes name)
{
    struct tagwise_bytes bytes = {NULL, 0};
    struct tagwise_name_attribute attribute;
    struct tagwise_error *error = NULL;
    StringInfoData out;
    size_t rdn = 0;
    initStringInfo(&out);
    for (size_t index = 0; tagwise_name_attribute_get(name, index, &attribute, &error); index++) {
        struct tagwise_bytes oid = KEPT(tagwise_oid_text(attribute.oid, NULL));
        const char *shown = oid.ptr == NULL ? "" : (const char *)oid.ptr;
        for (int row = 0; row < lengthof(SHORT_NAMES); row++)
            if (is_text(oid, SHORT_NAMES[row][0]))
                shown = SHORT_NAMES[row][1];
        appendStringInfo(&out, "%s%s=", index == 0 ? "" : attribute.rdn == rdn ? " + " : ", ", shown);
        add_value(&out, &attribute);
        rdn = attribute.rdn;
    }
    if (error != NULL) {
        tagwise_error_free(error);
        return bytes;
    }
    bytes.ptr = (const uint8_t *)out.data;
    bytes.len = out.len;
    return bytes;
}

static struct tagwise_bytes name_line(struct tagwise_bytes name, FunctionCallInfo fcinfo)
{
    /* XN_FLAG_RFC2253 of OpenSSL. */
    const int32 rfc2253 = 0x1110317;
    if (PG_ARGISNULL(1))
        return one_line(name);
    if (PG_GETARG_INT32(1) == rfc2253)
        return KEPT(tagwise_name_rfc4514(name, NULL));
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("flags %d are not supported, expected null or %d (RFC 2253)", PG_GETARG_INT32(1), rfc2253)));
}

static Datum name_datum(FunctionCallInfo fcinfo, bool is_subject)
{
    struct tagwise_bytes none = {NULL, 0};
    struct tagwise_certificate *certificate;
    if (PG_ARGISNULL(0))
        PG_RETURN_NULL();
    certificate = certificate_arg(fcinfo);
    if (certificate == NULL)
        return text_or_malformed(none);
    return text_or_malformed(name_line(
        is_subject ? tagwise_certificate_subject(certificate) : tagwise_certificate_issuer(certificate), fcinfo));
}

Datum x509_issuername(PG_FUNCTION_ARGS)
{
    return name_datum(fcinfo, false);
}

Datum x509_subjectname(PG_FUNCTION_ARGS)
{
    return name_datum(fcinfo, true);
}

Datum x509_name(PG_FUNCTION_ARGS)
{
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    return bytea_or_null(fcinfo, PG_GETARG_BOOL(1) ? tagwise_certificate_subject(certificate)
                                                   : tagwise_certificate_issuer(certificate));
}

Datum x509_name_print(PG_FUNCTION_ARGS)
{
    if (PG_ARGISNULL(0))
        PG_RETURN_NULL();
    return text_or_malformed(name_line(bytes_of(PG_GETARG_BYTEA_PP(0)), fcinfo));
}

Datum x509_commonname(PG_FUNCTION_ARGS)
{
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    struct tagwise_name_attribute attribute;
    struct tagwise_error *error = NULL;
    struct tagwise_bytes none = {NULL, 0};
    bool is_found;
    if (certificate == NULL)
        return text_or_malformed(none);
    is_found = tagwise_name_attribute_find(tagwise_certificate_subject(certificate), oid_of("2.5.4.3"), &attribute, &error);
    if (error != NULL) {
        tagwise_error_free(error);
        return text_or_malformed(none);
    }
    return text_or_null(fcinfo, is_found ? KEPT(tagwise_name_attribute_text(&attribute, NULL)) : none);
}

Datum x509_nameattributes(PG_FUNCTION_ARGS)
{
    ReturnSetInfo *set = begin_set(fcinfo);
    struct tagwise_certificate *certificate;
    struct tagwise_bytes name, wanted = {NULL, 0};
    struct tagwise_name_attribute attribute;
    bool is_value;
    if (PG_ARGISNULL(0) || PG_ARGISNULL(2) || PG_ARGISNULL(3))
        return (Datum)0;
    is_value = PG_GETARG_BOOL(3);
    if (!PG_ARGISNULL(1)) {
        wanted = oid_of(text_to_cstring(PG_GETARG_TEXT_PP(1)));
        if (wanted.ptr == NULL)
            ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                            errmsg("unknown attribute \"%s\", expected a name such as commonName or an object identifier",
                                   text_to_cstring(PG_GETARG_TEXT_PP(1)))));
    }
    certificate = certificate_arg(fcinfo);
    name = PG_GETARG_BOOL(2) ? tagwise_certificate_subject(certificate) : tagwise_certificate_issuer(certificate);
    if (name.ptr == NULL)
        return (Datum)0;
    for (size_t index = 0; tagwise_name_attribute_get(name, index, &attribute, NULL); index++) {
        if (wanted.ptr != NULL && !tagwise_oid_equal(wanted, attribute.oid))
            continue;
        if (is_value)
            add(set, KEPT(tagwise_name_attribute_text(&attribute, NULL)));
        else
            add_oid(set, attribute.oid, true);
    }
    return (Datum)0;
}

Datum x509_serialnumber(PG_FUNCTION_ARGS)
{
    return bytea_or_null(fcinfo, tagwise_certificate_serial(certificate_arg(fcinfo)));
}

/* Returns a time in seconds since 1970 as a timestamp, or null if it is out of range. */
static Datum time_or_null(FunctionCallInfo fcinfo, int64_t seconds)
{
    Timestamp time = (seconds - SECS_PER_DAY * (int64)(POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE)) * USECS_PER_SEC;
    if (!IS_VALID_TIMESTAMP(time))
        PG_RETURN_NULL();
    PG_RETURN_TIMESTAMP(time);
}

Datum x509_notbefore(PG_FUNCTION_ARGS)
{
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    if (certificate == NULL)
        PG_RETURN_NULL();
    return time_or_null(fcinfo, tagwise_certificate_not_before(certificate));
}

Datum x509_notafter(PG_FUNCTION_ARGS)
{
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    if (certificate == NULL)
        PG_RETURN_NULL();
    return time_or_null(fcinfo, tagwise_certificate_not_after(certificate));
}

/* ---- Keys and algorithms ---- */

Datum x509_publickey(PG_FUNCTION_ARGS)
{
    return bytea_or_null(fcinfo, tagwise_certificate_public_key(certificate_arg(fcinfo)));
}

/* Gives the content of the nested elements at the indexes, which end with -1. Absent if there is no such element. */
static struct tagwise_bytes nested(struct tagwise_bytes rest, const int *indexes)
{
    struct tagwise_bytes none = {NULL, 0};
    struct tagwise_element element;
    for (; *indexes >= 0; indexes++) {
        for (int index = 0; index <= *indexes; index++)
            if (!tagwise_element_next(&rest, lenient, &element, NULL))
                return none;
        rest = element.content;
    }
    return rest;
}

/* Returns the content of the key's BIT STRING, after its count of unused bits. */
static struct tagwise_bytes key_of(const struct tagwise_certificate *certificate)
{
    static const int path[] = {0, 1, -1};
    struct tagwise_bytes bits = nested(tagwise_certificate_public_key(certificate), path);
    if (bits.ptr == NULL || bits.len == 0) {
        bits.ptr = NULL;
        return bits;
    }
    bits.ptr++;
    bits.len--;
    return bits;
}

Datum x509_publickeymd5(PG_FUNCTION_ARGS)
{
    struct tagwise_bytes key = key_of(certificate_arg(fcinfo));
    const char *failure = NULL;
    uint8_t digest[MD5_DIGEST_LENGTH];
    struct tagwise_bytes bytes = {digest, sizeof digest};
    if (key.ptr == NULL || !pg_md5_binary(key.ptr, key.len, digest, &failure))
        PG_RETURN_NULL();
    PG_RETURN_BYTEA_P(bytea_of(bytes));
}

static bool key_info(const struct tagwise_certificate *certificate, struct tagwise_key_info *info)
{
    return certificate != NULL && tagwise_public_key_info(tagwise_certificate_public_key(certificate), info, NULL);
}

/* Returns the modulus of an RSA key without leading zeros, or absent bytes. */
static struct tagwise_bytes modulus_of(const struct tagwise_certificate *certificate)
{
    static const int path[] = {0, 0, -1};
    struct tagwise_bytes modulus = {NULL, 0};
    struct tagwise_key_info info;
    if (!key_info(certificate, &info) || !is_text(info.algorithm, "RSA"))
        return modulus;
    modulus = nested(key_of(certificate), path);
    while (modulus.len > 1 && modulus.ptr[0] == 0) {
        modulus.ptr++;
        modulus.len--;
    }
    return modulus;
}

Datum x509_rsamodulus(PG_FUNCTION_ARGS)
{
    return bytea_or_null(fcinfo, modulus_of(certificate_arg(fcinfo)));
}

Datum x509_keyalgorithm(PG_FUNCTION_ARGS)
{
    struct tagwise_key_info info;
    if (!key_info(certificate_arg(fcinfo), &info))
        PG_RETURN_TEXT_P(cstring_to_text(MALFORMED));
    return text_or_malformed(info.algorithm);
}

Datum x509_keysize(PG_FUNCTION_ARGS)
{
    struct tagwise_key_info info;
    PG_RETURN_INT32(key_info(certificate_arg(fcinfo), &info) && info.bits > 0 ? (int32)info.bits : -1);
}

/* Signature algorithms: identifier, digest, key. */
static const char *const SIGNATURES[][3] = {
    {"1.2.840.113549.1.1.2", "MD2", "RSA"},
    {"1.2.840.113549.1.1.3", "MD4", "RSA"},
    {"1.2.840.113549.1.1.4", "MD5", "RSA"},
    {"1.2.840.113549.1.1.5", "SHA-1", "RSA"},
    {"1.3.14.3.2.29", "SHA-1", "RSA"},
    {"1.2.840.113549.1.1.14", "SHA-224", "RSA"},
    {"1.2.840.113549.1.1.11", "SHA-256", "RSA"},
    {"1.2.840.113549.1.1.12", "SHA-384", "RSA"},
    {"1.2.840.113549.1.1.13", "SHA-512", "RSA"},
    {"1.2.840.10040.4.3", "SHA-1", "DSA"},
    {"1.3.14.3.2.27", "SHA-1", "DSA"},
    {"2.16.840.1.101.3.4.3.1", "SHA-224", "DSA"},
    {"2.16.840.1.101.3.4.3.2", "SHA-256", "DSA"},
    {"1.2.840.10045.4.1", "SHA-1", "ECDSA"},
    {"1.2.840.10045.4.3.1", "SHA-224", "ECDSA"},
    {"1.2.840.10045.4.3.2", "SHA-256", "ECDSA"},
    {"1.2.840.10045.4.3.3", "SHA-384", "ECDSA"},
    {"1.2.840.10045.4.3.4", "SHA-512", "ECDSA"},
    {"1.2.643.2.2.4", "GOST R 34.11-94", "GOST R 34.10-94"},
    {"1.2.643.2.2.3", "GOST R 34.11-94", "GOST R 34.10-2001"},
};

static Datum signature_datum(FunctionCallInfo fcinfo, int column)
{
    static const int path[] = {0, 0, -1};
    struct tagwise_bytes oid = nested(tagwise_certificate_signature_algorithm(certificate_arg(fcinfo)), path);
    if (oid.ptr != NULL)
        oid = KEPT(tagwise_oid_text(oid, NULL));
    for (int row = 0; row < lengthof(SIGNATURES); row++)
        if (is_text(oid, SIGNATURES[row][0]))
            PG_RETURN_TEXT_P(cstring_to_text(SIGNATURES[row][column]));
    PG_RETURN_TEXT_P(cstring_to_text(MALFORMED));
}

Datum x509_signaturehashalgorithm(PG_FUNCTION_ARGS)
{
    return signature_datum(fcinfo, 1);
}

Datum x509_signaturekeyalgorithm(PG_FUNCTION_ARGS)
{
    return signature_datum(fcinfo, 2);
}

/* Null if the algorithm is not supported, such as SHA-1: libx509pq returns false then. */
Datum x509_verify(PG_FUNCTION_ARGS)
{
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    struct tagwise_error *error = NULL;
    enum tagwise_error_kind kind;
    if (certificate == NULL)
        PG_RETURN_BOOL(false);
    if (tagwise_signature_verify(backend, bytes_of(PG_GETARG_BYTEA_PP(1)), tagwise_certificate_signature_algorithm(certificate),
                                 tagwise_certificate_tbs(certificate), tagwise_certificate_signature(certificate), &error))
        PG_RETURN_BOOL(true);
    kind = tagwise_error_get_kind(error);
    tagwise_error_free(error);
    if (kind == TAGWISE_ERROR_KIND_UNSUPPORTED || kind == TAGWISE_ERROR_KIND_INTERNAL)
        PG_RETURN_NULL();
    PG_RETURN_BOOL(false);
}

/* Keys of CVE-2017-15361 are powers of 65537 modulo each small prime. */
Datum x509_hasrocafingerprint(PG_FUNCTION_ARGS)
{
    static const int primes[] = {3,  5,  7,  11, 13,  17,  19,  23,  29,  31,  37,  41,  43,  47,  53,  59,  61,  67,  71,
                                 73, 79, 83, 89, 97,  101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167};
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    struct tagwise_bytes modulus;
    if (certificate == NULL)
        PG_RETURN_NULL();
    modulus = modulus_of(certificate);
    if (modulus.ptr == NULL)
        PG_RETURN_BOOL(false);
    for (int index = 0; index < lengthof(primes); index++) {
        int prime = primes[index], rest = 0, power = 1;
        bool is_power = false;
        for (size_t at = 0; at < modulus.len; at++)
            rest = (rest * 256 + modulus.ptr[at]) % prime;
        do {
            is_power = is_power || power == rest;
            power = power * (65537 % prime) % prime;
        } while (power != 1);
        if (!is_power)
            PG_RETURN_BOOL(false);
    }
    PG_RETURN_BOOL(true);
}

/* ---- Extensions ---- */

Datum x509_subjectkeyidentifier(PG_FUNCTION_ARGS)
{
    struct tagwise_bytes identifier = {NULL, 0};
    if (!tagwise_certificate_key_identifier(certificate_arg(fcinfo), &identifier, NULL))
        PG_RETURN_NULL();
    return bytea_or_null(fcinfo, identifier);
}

Datum x509_authoritykeyid(PG_FUNCTION_ARGS)
{
    struct tagwise_bytes identifier = {NULL, 0};
    if (!tagwise_certificate_authority_key_identifier(certificate_arg(fcinfo), &identifier, NULL))
        PG_RETURN_NULL();
    return bytea_or_null(fcinfo, identifier);
}

static const char EXTENDED_KEY_USAGE[] = "2.5.29.37";
static const char POLICIES[] = "2.5.29.32";

/* Adds the object identifiers that a path with an index selects in an extension. */
static void add_oids(ReturnSetInfo *set, const struct tagwise_certificate *certificate, const char *extension, const char *path,
                     bool is_numeric)
{
    struct tagwise_extension found;
    struct tagwise_element field;
    if (certificate == NULL || !extension_of(certificate, extension, &found))
        return;
    for (int index = 0; field_of(&found, psprintf(path, index), 0, &field); index++)
        add_oid(set, field.content, is_numeric);
}

Datum x509_extkeyusages(PG_FUNCTION_ARGS)
{
    add_oids(begin_set(fcinfo), certificate_arg(fcinfo), EXTENDED_KEY_USAGE, "[%d]", PG_GETARG_BOOL(1));
    return (Datum)0;
}

Datum x509_certpolicies(PG_FUNCTION_ARGS)
{
    add_oids(begin_set(fcinfo), certificate_arg(fcinfo), POLICIES, "[%d].policyIdentifier", true);
    return (Datum)0;
}

/* Returns whether an extension is absent, or has an object identifier or the one that means any. A malformed one permits nothing. */
static bool is_permitted(const struct tagwise_certificate *certificate, const char *extension, const char *path, const char *wanted,
                         const char *any)
{
    struct tagwise_extension found;
    struct tagwise_element field;
    struct tagwise_error *error = NULL;
    struct tagwise_bytes wanted_oid = oid_of(wanted), any_oid = oid_of(any);
    bool is_found;
    if (certificate == NULL)
        return false;
    if (tagwise_oid_equal(wanted_oid, any_oid))
        return true;
    is_found = tagwise_certificate_extension(certificate, oid_of(extension), &found, &error);
    if (!is_found) {
        bool is_absent = error == NULL;
        tagwise_error_free(error);
        return is_absent;
    }
    for (int index = 0; field_of(&found, psprintf(path, index), 0, &field); index++)
        if (tagwise_oid_equal(field.content, wanted_oid) || tagwise_oid_equal(field.content, any_oid))
            return true;
    return false;
}

Datum x509_isekupermitted(PG_FUNCTION_ARGS)
{
    char *wanted = text_to_cstring(PG_GETARG_TEXT_PP(1));
    PG_RETURN_BOOL(is_permitted(certificate_arg(fcinfo), EXTENDED_KEY_USAGE, "[%d]", wanted, "2.5.29.37.0"));
}

Datum x509_ispolicypermitted(PG_FUNCTION_ARGS)
{
    char *wanted = text_to_cstring(PG_GETARG_TEXT_PP(1));
    PG_RETURN_BOOL(is_permitted(certificate_arg(fcinfo), POLICIES, "[%d].policyIdentifier", wanted, "2.5.29.32.0"));
}

/* Gives the basic constraints: 1 if there are some, 0 if there are none, -1 if they are malformed. */
static int constraints_of(const struct tagwise_certificate *certificate, bool *ca, uint64_t *path_length)
{
    struct tagwise_error *error = NULL;
    if (tagwise_certificate_basic_constraints(certificate, ca, path_length, &error))
        return 1;
    if (error == NULL)
        return 0;
    tagwise_error_free(error);
    return -1;
}

/* Certificates of versions 1 and 2 may issue if they are self-issued, as in libx509pq. */
Datum x509_canissuecerts(PG_FUNCTION_ARGS)
{
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    struct tagwise_error *error = NULL;
    bool ca = false;
    uint64_t path_length;
    uint16_t usage = 0;
    if (certificate == NULL)
        PG_RETURN_BOOL(false);
    if (tagwise_certificate_version(certificate) < 3)
        PG_RETURN_BOOL(tagwise_certificate_is_self_issued(certificate));
    if (constraints_of(certificate, &ca, &path_length) != 1 || !ca)
        PG_RETURN_BOOL(false);
    if (tagwise_certificate_key_usage(certificate, &usage, &error))
        PG_RETURN_BOOL((usage & TAGWISE_KEY_USAGE_KEY_CERT_SIGN) != 0);
    ca = error == NULL;
    tagwise_error_free(error);
    PG_RETURN_BOOL(ca);
}

Datum x509_getpathlenconstraint(PG_FUNCTION_ARGS)
{
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    bool ca = false;
    uint64_t path_length = UINT64_MAX;
    if (certificate == NULL)
        PG_RETURN_INT32(-1);
    if (tagwise_certificate_version(certificate) < 3)
        PG_RETURN_NULL();
    switch (constraints_of(certificate, &ca, &path_length)) {
    case 0:
        PG_RETURN_INT32(-4);
    case -1:
        PG_RETURN_INT32(-1);
    }
    if (!ca)
        PG_RETURN_INT32(-3);
    if (path_length == UINT64_MAX)
        PG_RETURN_NULL();
    PG_RETURN_INT32(path_length > PG_INT32_MAX ? PG_INT32_MAX : (int32)path_length);
}

/* Returns a general name as libx509pq does: the text, the address, or the name on one line. Absent for other kinds. */
static struct tagwise_bytes general_name(const struct tagwise_general_name *name)
{
    struct tagwise_bytes none = {NULL, 0};
    char *text;
    switch (name->kind) {
    case TAGWISE_GENERAL_NAME_KIND_EMAIL:
    case TAGWISE_GENERAL_NAME_KIND_DNS:
    case TAGWISE_GENERAL_NAME_KIND_URI:
        return name->value;
    case TAGWISE_GENERAL_NAME_KIND_DIRECTORY:
        return one_line(name->value);
    case TAGWISE_GENERAL_NAME_KIND_IP:
        if (name->value.len == 4)
            text = psprintf("%d.%d.%d.%d", name->value.ptr[0], name->value.ptr[1], name->value.ptr[2], name->value.ptr[3]);
        else if (name->value.len == 16) {
            StringInfoData out;
            initStringInfo(&out);
            for (int at = 0; at < 16; at += 2)
                appendStringInfo(&out, "%s%X", at == 0 ? "" : ":", name->value.ptr[at] << 8 | name->value.ptr[at + 1]);
            text = out.data;
        } else
            return none;
        none.ptr = (const uint8_t *)text;
        none.len = strlen(text);
        return none;
    default:
        return none;
    }
}

Datum x509_altnames(PG_FUNCTION_ARGS)
{
    ReturnSetInfo *set = begin_set(fcinfo);
    struct tagwise_certificate *certificate;
    struct tagwise_extension extension;
    struct tagwise_element list;
    struct tagwise_general_name name;
    struct tagwise_bytes rest;
    int kind = -1;
    if (PG_ARGISNULL(0) || PG_ARGISNULL(2) || PG_ARGISNULL(3))
        return (Datum)0;
    if (!PG_ARGISNULL(1)) {
        kind = PG_GETARG_INT32(1);
        if (kind != 1 && kind != 2 && kind != 4 && kind != 6 && kind != 7)
            ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                            errmsg("unsupported kind of name: %d, expected 1, 2, 4, 6 or 7", kind)));
    }
    certificate = certificate_arg(fcinfo);
    if (certificate == NULL || !extension_of(certificate, PG_GETARG_BOOL(2) ? "2.5.29.17" : "2.5.29.18", &extension))
        return (Datum)0;
    rest = extension.value;
    if (!tagwise_element_next(&rest, lenient, &list, NULL) || list.tag != TAGWISE_SEQUENCE)
        return (Datum)0;
    rest = list.content;
    while (tagwise_general_name_next(&rest, lenient, &name, NULL)) {
        static const int path[] = {0, 0, -1};
        struct tagwise_bytes text;
        if (kind != -1 && (int)name.kind != kind)
            continue;
        if (PG_GETARG_BOOL(3)) {
            text = general_name(&name);
            if (text.ptr != NULL || name.kind == TAGWISE_GENERAL_NAME_KIND_IP)
                add(set, text);
        } else if (name.kind == TAGWISE_GENERAL_NAME_KIND_OTHER) {
            text = nested(name.whole, path);
            if (text.ptr != NULL)
                add_oid(set, text, true);
        }
    }
    return (Datum)0;
}

/* Adds the URIs among general names. */
static void add_uris(ReturnSetInfo *set, struct tagwise_bytes rest)
{
    struct tagwise_general_name name;
    while (tagwise_general_name_next(&rest, lenient, &name, NULL))
        if (name.kind == TAGWISE_GENERAL_NAME_KIND_URI)
            add(set, name.value);
}

Datum x509_crldistributionpoints(PG_FUNCTION_ARGS)
{
    ReturnSetInfo *set = begin_set(fcinfo);
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    struct tagwise_extension extension;
    struct tagwise_element point, field;
    if (certificate == NULL || !extension_of(certificate, "2.5.29.31", &extension))
        return (Datum)0;
    for (int index = 0; field_of(&extension, psprintf("[%d]", index), 0, &point); index++)
        if (field_of(&extension, psprintf("[%d].distributionPoint.fullName", index), 0, &field))
            add_uris(set, field.content);
    return (Datum)0;
}

Datum x509_authorityinfoaccess(PG_FUNCTION_ARGS)
{
    ReturnSetInfo *set = begin_set(fcinfo);
    struct tagwise_certificate *certificate;
    struct tagwise_extension extension;
    struct tagwise_element field;
    struct tagwise_bytes wanted = {NULL, 0};
    if (PG_ARGISNULL(0))
        return (Datum)0;
    if (!PG_ARGISNULL(1)) {
        int kind = PG_GETARG_INT32(1);
        if (kind != 1 && kind != 2)
            return (Datum)0;
        wanted = oid_of(kind == 1 ? "1.3.6.1.5.5.7.48.1" : "1.3.6.1.5.5.7.48.2");
    }
    certificate = certificate_arg(fcinfo);
    if (certificate == NULL || !extension_of(certificate, "1.3.6.1.5.5.7.1.1", &extension))
        return (Datum)0;
    for (int index = 0; field_of(&extension, psprintf("[%d].accessMethod", index), 0, &field); index++) {
        if (wanted.ptr != NULL && !tagwise_oid_equal(wanted, field.content))
            continue;
        if (field_of(&extension, psprintf("[%d].accessLocation", index), 0, &field))
            add_uris(set, field.whole);
    }
    return (Datum)0;
}

Datum x509_extensions(PG_FUNCTION_ARGS)
{
    ReturnSetInfo *set = begin_set(fcinfo);
    struct tagwise_bytes rest = tagwise_certificate_extensions(certificate_arg(fcinfo));
    struct tagwise_extension extension;
    while (rest.ptr != NULL && tagwise_extension_next(&rest, lenient, &extension, NULL))
        add_oid(set, extension.oid, PG_GETARG_BOOL(1));
    return (Datum)0;
}

Datum x509_hasextension(PG_FUNCTION_ARGS)
{
    struct tagwise_certificate *certificate;
    struct tagwise_extension extension;
    struct tagwise_bytes oid, rest;
    if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
        PG_RETURN_NULL();
    oid = oid_of(text_to_cstring(PG_GETARG_TEXT_PP(1)));
    certificate = certificate_arg(fcinfo);
    if (certificate == NULL || oid.ptr == NULL)
        PG_RETURN_NULL();
    rest = tagwise_certificate_extensions(certificate);
    while (rest.ptr != NULL && tagwise_extension_next(&rest, lenient, &extension, NULL))
        if (tagwise_oid_equal(oid, extension.oid) && (PG_ARGISNULL(2) || PG_GETARG_BOOL(2) == extension.critical))
            PG_RETURN_BOOL(true);
    PG_RETURN_BOOL(false);
}

static bool has_nul(struct tagwise_bytes bytes)
{
    return bytes.ptr != NULL && memchr(bytes.ptr, 0, bytes.len) != NULL;
}

static bool name_has_nul(struct tagwise_bytes name)
{
    struct tagwise_name_attribute attribute;
    for (size_t index = 0; tagwise_name_attribute_get(name, index, &attribute, NULL); index++)
        if (has_nul(KEPT(tagwise_name_attribute_text(&attribute, NULL))))
            return true;
    return false;
}

Datum x509_anynameswithnuls(PG_FUNCTION_ARGS)
{
    static const char *const names[] = {"2.5.29.17", "2.5.29.18"};
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    if (certificate == NULL)
        PG_RETURN_NULL();
    if (name_has_nul(tagwise_certificate_subject(certificate)) || name_has_nul(tagwise_certificate_issuer(certificate)))
        PG_RETURN_BOOL(true);
    for (int index = 0; index < lengthof(names); index++) {
        struct tagwise_extension extension;
        struct tagwise_element list;
        struct tagwise_general_name name;
        struct tagwise_bytes rest;
        if (!extension_of(certificate, names[index], &extension))
            continue;
        rest = extension.value;
        if (!tagwise_element_next(&rest, lenient, &list, NULL))
            continue;
        rest = list.content;
        while (tagwise_general_name_next(&rest, lenient, &name, NULL)) {
            bool is_string = name.kind == TAGWISE_GENERAL_NAME_KIND_EMAIL || name.kind == TAGWISE_GENERAL_NAME_KIND_DNS
                             || name.kind == TAGWISE_GENERAL_NAME_KIND_URI;
            if (is_string && has_nul(name.value))
                PG_RETURN_BOOL(true);
        }
    }
    PG_RETURN_BOOL(false);
}

/* ---- Whole certificates ---- */

Datum x509_print(PG_FUNCTION_ARGS)
{
    struct tagwise_bytes none = {NULL, 0};
    struct tagwise_certificate *certificate;
    if (PG_ARGISNULL(0))
        PG_RETURN_NULL();
    if (!PG_ARGISNULL(1) || !PG_ARGISNULL(2))
        ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("flags are not supported, expected null")));
    certificate = certificate_arg(fcinfo);
    return text_or_malformed(certificate == NULL ? none : KEPT(tagwise_certificate_text(certificate, NULL)));
}

/* Writes an element with its length in the shortest form (X.690 section 10.1). */
static void add_element(StringInfo out, uint8_t tag, const char *content, size_t len)
{
    uint8_t octets[sizeof len];
    int count = 0;
    appendStringInfoCharMacro(out, (char)tag);
    for (size_t rest = len; rest > 0; rest >>= 8)
        octets[count++] = (uint8_t)rest;
    if (len < 0x80)
        appendStringInfoCharMacro(out, (char)len);
    else {
        appendStringInfoCharMacro(out, (char)(0x80 | count));
        while (count > 0)
            appendStringInfoCharMacro(out, (char)octets[--count]);
    }
    appendBinaryStringInfo(out, content, len);
}

/* Gives the content of the only element of an input, if it has this tag. */
static bool content_of(struct tagwise_bytes input, uint32_t tag, struct tagwise_bytes *content)
{
    struct tagwise_element element;
    if (!tagwise_element_next(&input, lenient, &element, NULL) || element.tag != tag)
        return false;
    *content = element.content;
    return true;
}

/* The to-be-signed part to which SCTs of a certificate and its precertificate refer (RFC 6962 section 3.2). */
Datum x509_tbscert_strip_ct_ext(PG_FUNCTION_ARGS)
{
    struct tagwise_bytes rest, list, scts = oid_of("1.3.6.1.4.1.11129.2.4.2"), poison = oid_of("1.3.6.1.4.1.11129.2.4.3");
    struct tagwise_bytes bytes;
    struct tagwise_element part;
    StringInfoData out, whole;
    if (!content_of(tagwise_certificate_tbs(certificate_arg(fcinfo)), TAGWISE_SEQUENCE, &rest))
        PG_RETURN_NULL();
    initStringInfo(&out);
    initStringInfo(&whole);
    while (rest.len > 0) {
        static const int path[] = {0, -1};
        StringInfoData kept_list, sequence;
        struct tagwise_element extension;
        if (!tagwise_element_next(&rest, lenient, &part, NULL))
            PG_RETURN_NULL();
        if (part.tag != (TAGWISE_CONTEXT(3) | TAGWISE_CONSTRUCTED)) {
            appendBinaryStringInfo(&out, (const char *)part.whole.ptr, part.whole.len);
            continue;
        }
        if (!content_of(part.content, TAGWISE_SEQUENCE, &list))
            PG_RETURN_NULL();
        initStringInfo(&kept_list);
        initStringInfo(&sequence);
        while (list.len > 0) {
            struct tagwise_bytes oid;
            if (!tagwise_element_next(&list, lenient, &extension, NULL))
                PG_RETURN_NULL();
            oid = nested(extension.content, path);
            if (!tagwise_oid_equal(oid, scts) && !tagwise_oid_equal(oid, poison))
                appendBinaryStringInfo(&kept_list, (const char *)extension.whole.ptr, extension.whole.len);
        }
        /* The list has at least one extension (RFC 5280 section 4.1). */
        if (kept_list.len > 0) {
            add_element(&sequence, 0x30, kept_list.data, kept_list.len);
            add_element(&out, 0xA3, sequence.data, sequence.len);
        }
    }
    add_element(&whole, 0x30, out.data, out.len);
    bytes.ptr = (const uint8_t *)whole.data;
    bytes.len = whole.len;
    PG_RETURN_BYTEA_P(bytea_of(bytes));
}

Datum x509_error(PG_FUNCTION_ARGS)
{
    struct tagwise_error *error = NULL;
    MemoryContextCallback *callback = owner(free_certificate);
    char *text;
    callback->arg = tagwise_certificate_read(bytes_of(PG_GETARG_BYTEA_PP(0)), NULL, &error);
    if (error == NULL)
        PG_RETURN_NULL();
    text = pstrdup(tagwise_error_message(error));
    tagwise_error_free(error);
    PG_RETURN_TEXT_P(cstring_to_text(text));
}
