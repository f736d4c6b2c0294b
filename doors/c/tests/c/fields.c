/* Extensions field by field, written from JSON; requests, owners, and values as the command shows them. Argument: a certificate. */
#include "check.h"

static tagwise_error *error;

/* The extension of that name with a value in JSON; the value is borrowed from the buffer. */
static struct tagwise_extension made(const char *name, const char *json, tagwise_buffer **oid, tagwise_buffer **value) {
    struct tagwise_extension extension;

    FINE(*oid = tagwise_oid_from_text(name, &error));
    FINE(*value = tagwise_extension_encode(tagwise_buffer_bytes(*oid), bytes_of(json, strlen(json)), &error));
    extension.oid = tagwise_buffer_bytes(*oid);
    extension.critical = false;
    extension.value = tagwise_buffer_bytes(*value);
    return extension;
}

static bool truth(const struct tagwise_extension *extension, const char *path) {
    struct tagwise_element field;
    bool value;

    FINE(tagwise_extension_get(extension, path, 0, NULL, &field, &error));
    FINE(tagwise_element_boolean(&field, NULL, &value, &error));
    return value;
}

static void fields(void) {
    tagwise_buffer *oid, *value;
    struct tagwise_extension extension;
    struct tagwise_element field;
    tagwise_cursor *cursor;
    tagwise_value *tree;
    const tagwise_node *node;
    uint64_t number;

    /* Components, and one with a DEFAULT that is absent. */
    extension = made("basicConstraints", "{\"cA\":true,\"pathLenConstraint\":3}", &oid, &value);
    CHECK(is(extension.value, BYTES("\x30\x06\x01\x01\xFF\x02\x01\x03")) && truth(&extension, "cA"));
    FINE(tagwise_extension_get(&extension, "pathLenConstraint", 0, NULL, &field, &error));
    FINE(tagwise_element_uint64(&field, NULL, &number, &error));
    CHECK(number == 3 && field.offset == 5 && field.content.ptr == extension.value.ptr + 7);
    CHECK(!tagwise_extension_get(&extension, "pathLenConstraint", 1, NULL, &field, &error) && error == NULL);
    FAILS(tagwise_extension_get(&extension, "pathLen", 0, NULL, &field, &error), "argument", NOWHERE);
    FAILS(tagwise_extension_get(&extension, "cA.", 0, NULL, &field, &error), "argument", NOWHERE);
    tagwise_buffer_free(value);
    extension.value = BYTES("\x30\x00");
    CHECK(!truth(&extension, "cA"));
    CHECK(!tagwise_extension_get(&extension, "pathLenConstraint", 0, NULL, &field, &error) && error == NULL);
    extension.value = BYTES("\x30\x03\x01\x01\x01");
    FAILS(tagwise_extension_get(&extension, "cA", 0, NULL, &field, &error), "boolean-value", 4);
    tagwise_buffer_free(oid);

    /* Named bits, by their names. */
    FINE(oid = tagwise_oid_from_text("keyUsage", &error));
    extension.oid = tagwise_buffer_bytes(oid);
    extension.value = BYTES("\x03\x02\x01\x06");
    CHECK(truth(&extension, "keyCertSign") && truth(&extension, "cRLSign") && !truth(&extension, "digitalSignature"));
    FAILS(tagwise_extension_get(&extension, "sign", 0, NULL, &field, &error), "argument", NOWHERE);
    tagwise_buffer_free(oid);

    /* Items, all at once and by number. */
    extension = made("subjectAltName", "[{\"dNSName\":\"a.example\"},{\"dNSName\":\"b.example\"}]", &oid, &value);
    for (number = 0; tagwise_extension_get(&extension, "dNSName", number, NULL, &field, &error); number++)
        CHECK(buffer_is(tagwise_element_text(&field, 0, NULL, NULL), number == 0 ? "a.example" : "b.example"));
    CHECK(number == 2 && error == NULL);
    FINE(tagwise_extension_get(&extension, "[1].dNSName", 0, NULL, &field, &error));
    CHECK(is_text(field.content, "b.example") && field.tag == TAGWISE_IA5_STRING);
    FINE(tree = tagwise_extension_decode(&extension, NULL, &error));
    FINE(node = tagwise_value_select(tree, "[0].dNSName", 0, &error));
    CHECK(is_text(tagwise_node_content(node), "a.example"));
    CHECK(tagwise_value_select(tree, "dNSName", 2, &error) == NULL && error == NULL);
    CHECK(buffer_is(tagwise_value_json(tree, NULL), "[{\"dNSName\":\"a.example\"},{\"dNSName\":\"b.example\"}]"));
    tagwise_value_free(tree);
    tagwise_buffer_free(value);
    tagwise_buffer_free(oid);

    /* A value with parts is an element, which a cursor reads. */
    extension = made("crlDistributionPoints", "[{\"distributionPoint\":{\"fullName\":[{\"uniformResourceIdentifier\":\"http://a\"}]}}]", &oid, &value);
    FINE(tagwise_extension_get(&extension, "[0]", 0, NULL, &field, &error));
    CHECK(field.tag == TAGWISE_SEQUENCE && field.offset == 2);
    FINE(cursor = tagwise_cursor_new(field.whole, NULL, &error));
    FINE(tagwise_cursor_enter(cursor, TAGWISE_SEQUENCE, &error));
    tagwise_cursor_free(cursor);
    FINE(tagwise_extension_get(&extension, "[0].distributionPoint.fullName[0].uniformResourceIdentifier", 0, NULL, &field, &error));
    CHECK(is_text(field.content, "http://a"));
    tagwise_buffer_free(value);
    tagwise_buffer_free(oid);

    /* An extension of few certificates, one of OCSP, and one that nobody knows. */
    extension = made("2.23.140.3.1", "{\"registrationSchemeIdentifier\":\"VAT\",\"registrationCountry\":\"DE\",\"registrationReference\":\"1\"}",
                     &oid, &value);
    FINE(tagwise_extension_get(&extension, "registrationCountry", 0, NULL, &field, &error));
    CHECK(is_text(field.content, "DE"));
    CHECK(!tagwise_extension_get(&extension, "registrationStateOrProvince", 0, NULL, &field, &error) && error == NULL);
    tagwise_buffer_free(value);
    tagwise_buffer_free(oid);
    FINE(oid = tagwise_oid_from_text("id-pkix-ocsp-nonce", &error));
    extension.oid = tagwise_buffer_bytes(oid);
    extension.value = BYTES("\x04\x01\x07");
    FINE(tagwise_extension_get(&extension, "", 0, NULL, &field, &error));
    CHECK(is(field.content, BYTES("\x07")));
    tagwise_buffer_free(oid);
    extension.oid = BYTES("\x88\x37\x09");
    FAILS(tagwise_extension_get(&extension, "", 0, NULL, &field, &error), "unknown-extension", NOWHERE);
    FAILS(tagwise_extension_decode(&extension, NULL, &error), "unknown-extension", NOWHERE);
}

/* What a builder of requests sets is what the getters of requests give. */
static void requests(void) {
    tagwise_request_builder *builder = tagwise_request_builder_new();
    tagwise_buffer *oid, *value, *der;
    tagwise_key *key;
    tagwise_request *request;
    struct tagwise_extension extension;
    struct tagwise_bytes names;
    struct tagwise_general_name name;
    uint64_t length;
    uint16_t usage;
    bool ca;

    FINE(key = tagwise_key_generate(NULL, "p-256", &error));
    FINE(tagwise_request_builder_subject(builder, "CN=a", &error));
    FINE(tagwise_request_builder_uri(builder, "https://a.example", &error));
    FINE(tagwise_request_builder_name(builder, BYTES("\x82\x01" "a"), &error));
    extension = made("basicConstraints", "{\"cA\":true,\"pathLenConstraint\":3}", &oid, &value);
    FINE(tagwise_request_builder_extension(builder, extension.oid, true, extension.value, &error));
    FINE(der = tagwise_request_builder_sign(builder, key, &error));
    FINE(request = tagwise_request_outline(tagwise_buffer_bytes(der), NULL, &error));
    FINE(tagwise_request_basic_constraints(request, &ca, &length, &error));
    CHECK(ca && length == 3);
    FINE(tagwise_request_extension(request, extension.oid, &extension, &error));
    CHECK(extension.critical && truth(&extension, "cA"));
    CHECK(!tagwise_request_key_usage(request, &usage, &error) && error == NULL);
    FINE(tagwise_request_names(request, &names, &error));
    for (length = 0; tagwise_general_name_next(&names, NULL, &name, &error); length++)
        CHECK(name.kind == (length == 0 ? TAGWISE_GENERAL_NAME_KIND_URI : TAGWISE_GENERAL_NAME_KIND_DNS));
    CHECK(length == 2 && error == NULL);
    tagwise_request_free(request);
    tagwise_buffer_free(der);
    tagwise_buffer_free(value);
    tagwise_buffer_free(oid);
    tagwise_key_free(key);
    tagwise_request_builder_free(builder);
}

/* Each owner frees once, and the last one ends the value. */
static void owners(struct tagwise_bytes text) {
    tagwise_certificate *one, *other;
    tagwise_buffer *shown;

    FINE(one = tagwise_certificate_from_pem(text, NULL, &error));
    other = tagwise_certificate_retain(one);
    CHECK(other == one);
    tagwise_certificate_free(one);
    CHECK(tagwise_certificate_version(other) == 3);
    /* In 1970 it is not valid yet. */
    FINE(shown = tagwise_certificate_show(other, 0, &error));
    CHECK(strstr(tagwise_buffer_text(shown), "www.example.com") != NULL && strstr(tagwise_buffer_text(shown), "begins in") != NULL);
    tagwise_buffer_free(shown);
    FINE(shown = tagwise_certificate_json(other, 0, &error));
    CHECK(tagwise_buffer_text(shown)[0] == '{' && strstr(tagwise_buffer_text(shown), "\"subject\"") != NULL);
    tagwise_buffer_free(shown);
    tagwise_certificate_free(other);
}

int main(int argc, char **argv) {
    struct tagwise_bytes text;

    CHECK(argc == 2);
    text = file(argv[1]);
    fields();
    requests();
    owners(text);
    free((void *)text.ptr);
    printf("ok\n");
    return 0;
}
