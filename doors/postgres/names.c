/* Names, serial numbers and times. */

#include "support.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

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
struct tagwise_bytes one_line(struct tagwise_bytes name)
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
