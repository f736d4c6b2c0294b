/* Memory, arguments, results and parts of certificates. */

#include "support.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"

/* ---- Memory ---- */

void free_certificate(void *certificate)
{
    tagwise_certificate_free(certificate);
}

void free_buffer(void *buffer)
{
    tagwise_buffer_free(buffer);
}

/* Returns a callback that frees a handle when the current memory context is reset. */
MemoryContextCallback *owner(void (*release)(void *))
{
    MemoryContextCallback *callback = palloc0(sizeof(MemoryContextCallback));
    callback->func = release;
    MemoryContextRegisterResetCallback(CurrentMemoryContext, callback);
    return callback;
}

struct tagwise_bytes bytes_of(const bytea *value)
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

struct tagwise_certificate *certificate_arg(FunctionCallInfo fcinfo)
{
    return certificate_of(PG_GETARG_BYTEA_PP(0));
}

/* Returns the bytes of a buffer, which is freed with the current memory context. Absent if there is no buffer. */
struct tagwise_bytes kept(MemoryContextCallback *callback, struct tagwise_buffer *buffer)
{
    struct tagwise_bytes none = {NULL, 0};
    callback->arg = buffer;
    return buffer == NULL ? none : tagwise_buffer_bytes(buffer);
}

/* ---- Results ---- */

bytea *bytea_of(struct tagwise_bytes bytes)
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

Datum text_or_null(FunctionCallInfo fcinfo, struct tagwise_bytes bytes)
{
    if (bytes.ptr == NULL)
        PG_RETURN_NULL();
    PG_RETURN_TEXT_P(text_of(bytes));
}

Datum bytea_or_null(FunctionCallInfo fcinfo, struct tagwise_bytes bytes)
{
    if (bytes.ptr == NULL)
        PG_RETURN_NULL();
    PG_RETURN_BYTEA_P(bytea_of(bytes));
}

Datum text_or_malformed(struct tagwise_bytes bytes)
{
    PG_RETURN_TEXT_P(bytes.ptr == NULL ? cstring_to_text(MALFORMED) : text_of(bytes));
}

/* Begins a set of rows of one text. */
ReturnSetInfo *begin_set(FunctionCallInfo fcinfo)
{
    InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
    return (ReturnSetInfo *)fcinfo->resultinfo;
}

void add(ReturnSetInfo *set, struct tagwise_bytes bytes)
{
    bool is_null = bytes.ptr == NULL;
    Datum value = is_null ? (Datum)0 : PointerGetDatum(text_of(bytes));
    CHECK_FOR_INTERRUPTS();
    tuplestore_putvalues(set->setResult, set->setDesc, &value, &is_null);
}

void add_oid(ReturnSetInfo *set, struct tagwise_bytes oid, bool is_numeric)
{
    struct tagwise_bytes name = tagwise_oid_name(oid);
    add(set, !is_numeric && name.ptr != NULL ? name : KEPT(tagwise_oid_text(oid, NULL)));
}

/* ---- Parts of certificates ---- */

/* Returns the content bytes of an object identifier in dotted form or with a name. Absent if it is none. */
struct tagwise_bytes oid_of(const char *dotted)
{
    return KEPT(tagwise_oid_from_text(dotted, NULL));
}

bool extension_of(const struct tagwise_certificate *certificate, const char *dotted, struct tagwise_extension *found)
{
    struct tagwise_error *error = NULL;
    bool is_found = tagwise_certificate_extension(certificate, oid_of(dotted), found, &error);
    tagwise_error_free(error);
    return is_found;
}

/* Gives the field with an index among those that a path selects in an extension. */
bool field_of(const struct tagwise_extension *extension, const char *path, size_t index, struct tagwise_element *field)
{
    struct tagwise_error *error = NULL;
    bool is_found = tagwise_extension_get(extension, path, index, lenient, field, &error);
    tagwise_error_free(error);
    return is_found;
}

bool is_text(struct tagwise_bytes bytes, const char *expected)
{
    return bytes.ptr != NULL && bytes.len == strlen(expected) && memcmp(bytes.ptr, expected, bytes.len) == 0;
}

/* Gives the content of the nested elements at the indexes, which end with -1. Absent if there is no such element. */
struct tagwise_bytes nested(struct tagwise_bytes rest, const int *indexes)
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
