/* Whole certificates: as text, their error, and the part that SCTs sign. */

#include "support.h"

#include "utils/builtins.h"

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
