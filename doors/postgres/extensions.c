/* Extensions and what they permit. */

#include "support.h"

#include "utils/builtins.h"

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
