/* Certificates: fields, names, extensions, deviations. Arguments: a certificate, its issuer's, and one with a negative serial number. */
#include "check.h"

static tagwise_error *error;

static void fields(const tagwise_certificate *certificate) {
    struct tagwise_bytes rest, names, value;
    struct tagwise_name_attribute attribute;
    struct tagwise_general_name name;
    struct tagwise_extension extension;
    tagwise_buffer *oid, *text;
    size_t count = 0;
    uint64_t length;
    uint16_t usage;
    bool ca;

    CHECK(tagwise_certificate_version(certificate) == 3);
    CHECK(is(tagwise_certificate_serial(certificate), BYTES("\x5E\xC3\xB7\xA6\x43\x7F\xA4\xE0\x5E\xC3\xB7\xA6\x43\x7F\xA4\xE0")));
    CHECK(tagwise_certificate_not_before(certificate) == 1795265489 && tagwise_certificate_not_after(certificate) == 4948865489);
    CHECK(buffer_is(tagwise_name_rfc4514(tagwise_certificate_subject(certificate), NULL),
                    "CN=www.example.com,O=Beispiel AG\\, M\xC3\xBCller & S\xC3\xB6hne,C=DE"));
    FINE(text = tagwise_name_from_text(BYTES("CN=Example  root,O=Beispiel AG\\, M\xC3\xBCller & s\xC3\xB6hne,C=de"), &error));
    CHECK(tagwise_name_equal(tagwise_certificate_issuer(certificate), tagwise_buffer_bytes(text)));
    CHECK(!tagwise_name_equal(tagwise_certificate_subject(certificate), tagwise_buffer_bytes(text)));
    tagwise_buffer_free(text);
    CHECK(!tagwise_certificate_is_self_issued(certificate));

    while (tagwise_name_attribute_get(tagwise_certificate_subject(certificate), count, &attribute, &error)) count++;
    CHECK(count == 3 && error == NULL);
    FINE(oid = tagwise_oid_from_text("2.5.4.10", &error));
    FINE(tagwise_name_attribute_find(tagwise_certificate_subject(certificate), tagwise_buffer_bytes(oid), &attribute, &error));
    CHECK(attribute.rdn == 1 && buffer_is(tagwise_name_attribute_text(&attribute, NULL), "Beispiel AG, M\xC3\xBCller & S\xC3\xB6hne"));
    tagwise_buffer_free(oid);

    FINE(tagwise_certificate_key_usage(certificate, &usage, &error));
    CHECK(usage == TAGWISE_KEY_USAGE_DIGITAL_SIGNATURE);
    FINE(tagwise_certificate_basic_constraints(certificate, &ca, &length, &error));
    CHECK(!ca && length == UINT64_MAX);
    FINE(tagwise_certificate_authority_key_identifier(certificate, &value, &error));
    CHECK(value.len == 20 && value.ptr[0] == 0xD1);

    FINE(tagwise_certificate_names(certificate, &names, &error));
    count = 0;
    while (tagwise_general_name_next(&names, NULL, &name, &error)) {
        if (count == 0) CHECK(name.kind == TAGWISE_GENERAL_NAME_KIND_DNS && is_text(name.value, "www.example.com"));
        if (count == 2) CHECK(name.kind == TAGWISE_GENERAL_NAME_KIND_IP && is(name.value, BYTES("\xC0\x00\x02\x07")));
        if (count == 2) CHECK(buffer_is(tagwise_general_name_text(&name, NULL), "IP:192.0.2.7"));
        if (name.kind == TAGWISE_GENERAL_NAME_KIND_DIRECTORY) CHECK(buffer_is(tagwise_name_rfc4514(name.value, NULL), "O=Nobody"));
        count++;
    }
    CHECK(error == NULL && count == 9);

    FINE(oid = tagwise_oid_from_text("keyUsage", &error));
    FINE(tagwise_certificate_extension(certificate, tagwise_buffer_bytes(oid), &extension, &error));
    CHECK(extension.critical && is(extension.value, BYTES("\x03\x02\x07\x80")));
    rest = tagwise_certificate_extensions(certificate);
    FINE(tagwise_extension_find(rest, tagwise_buffer_bytes(oid), NULL, &extension, &error));
    CHECK(extension.critical);
    tagwise_buffer_free(oid);
    for (count = 0; tagwise_extension_next(&rest, NULL, &extension, &error);) count++;
    CHECK(error == NULL && count > 3);
    FINE(oid = tagwise_oid_from_text("nameConstraints", &error));
    CHECK(!tagwise_certificate_extension(certificate, tagwise_buffer_bytes(oid), &extension, &error) && error == NULL);
    tagwise_buffer_free(oid);
    FINE(text = tagwise_certificate_text(certificate, &error));
    CHECK(strstr(tagwise_buffer_text(text), "DNS:www.example.com") != NULL);
    tagwise_buffer_free(text);
}

static void faults(const tagwise_certificate *certificate) {
    struct tagwise_bytes der = tagwise_certificate_der(certificate);
    uint8_t *copy = (uint8_t *)malloc(der.len);
    tagwise_certificate *read;
    struct tagwise_bytes names;

    CHECK(copy != NULL);
    memcpy(copy, der.ptr, der.len);
    FINE(read = tagwise_certificate_outline(bytes_of(copy, der.len), NULL, &error));
    /* A copy is kept: what the caller does with the input does not matter. */
    memset(copy, 0, der.len);
    CHECK(is(tagwise_certificate_der(read), der));
    tagwise_certificate_free(read);

    /* An extension that is broken inside is refused by a whole reading, and by an outline only when it is asked for. */
    memcpy(copy, der.ptr, der.len);
    FINE(tagwise_certificate_names(certificate, &names, &error));
    copy[names.ptr - der.ptr + 1] = 0xFF;
    FAILS(tagwise_certificate_read(bytes_of(copy, der.len), NULL, &error), "length-reserved", names.ptr - der.ptr + 1);
    FINE(read = tagwise_certificate_outline(bytes_of(copy, der.len), NULL, &error));
    FAILS(tagwise_certificate_names(read, &names, &error), "length-reserved", names.ptr - der.ptr + 1);
    CHECK(buffer_is(tagwise_name_oneline(tagwise_certificate_issuer(read), NULL),
                    "C=DE, O=Beispiel AG\\, M\xC3\xBCller & S\xC3\xB6hne, CN=Example Root"));
    tagwise_certificate_free(read);
    FAILS(tagwise_certificate_read(bytes_of(copy, der.len - 1), NULL, &error), "length-overrun", 1);
    free(copy);
}

static void deviations(struct tagwise_bytes text) {
    tagwise_options *options = tagwise_options_new();
    tagwise_certificate *certificate;
    struct tagwise_deviation deviation;

    error = NULL;
    CHECK(tagwise_certificate_from_pem(text, NULL, &error) == NULL);
    CHECK(strcmp(tagwise_error_code(error), "negative-serial") == 0 && strcmp(tagwise_error_path(error), "tbsCertificate.serialNumber") == 0);
    CHECK(strstr(tagwise_error_clause(error), "RFC 5280") != NULL && strstr(tagwise_error_message(error), "at byte") != NULL);
    tagwise_error_free(error);
    FINE(tagwise_options_allow(options, "negative-serial", &error));
    FINE(certificate = tagwise_certificate_from_pem(text, options, &error));
    CHECK(tagwise_certificate_deviation(certificate, 0, &deviation) && is_text(deviation.rule, "negative-serial"));
    CHECK(!tagwise_certificate_deviation(certificate, 1, &deviation));
    tagwise_certificate_free(certificate);
    tagwise_options_free(options);
}

int main(int argc, char **argv) {
    struct tagwise_bytes leaf, root, negative;
    tagwise_certificate *certificate;

    CHECK(argc == 4);
    leaf = file(argv[1]);
    root = file(argv[2]);
    negative = file(argv[3]);
    FINE(certificate = tagwise_certificate_from_pem(leaf, NULL, &error));
    fields(certificate);
    faults(certificate);
    tagwise_certificate_free(certificate);
    deviations(negative);
    free((void *)leaf.ptr);
    free((void *)root.ptr);
    free((void *)negative.ptr);
    printf("ok\n");
    return 0;
}
