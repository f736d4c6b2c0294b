/* Setters that fail: what they were called on is of no use any more, whoever ignores it. */
#include "check.h"

static tagwise_error *error;

#define NOW 1767225600
#define YEAR 31536000

static tagwise_certificate *made(tagwise_buffer *der) {
    tagwise_certificate *certificate;
    CHECK(der != NULL);
    FINE(certificate = tagwise_certificate_read(tagwise_buffer_bytes(der), NULL, &error));
    tagwise_buffer_free(der);
    return certificate;
}

/* Calls one setter of a policy in a way that fails. */
static bool spoil_policy(int which, tagwise_policy *policy) {
    const struct tagwise_bytes none = {NULL, 0};
    struct tagwise_bytes lost = {NULL, 1};
    switch (which) {
    case 0: return tagwise_policy_require_dns(policy, "", &error);
    case 1: return tagwise_policy_require_dns(policy, "192.0.2.7", &error);
    case 2: return tagwise_policy_require_dns(policy, "2001:db8::1", &error);
    case 3: return tagwise_policy_require_dns(policy, "a..example", &error);
    case 4: return tagwise_policy_require_dns(policy, NULL, &error);
    case 5: return tagwise_policy_require_dns(policy, "\xFF", &error);
    case 6: return tagwise_policy_require_ip(policy, BYTES("\xC0\x00\x02"), &error);
    case 7: return tagwise_policy_require_ip(policy, none, &error);
    case 8: return tagwise_policy_require_email(policy, "nobody", &error);
    case 9: return tagwise_policy_require_email(policy, NULL, &error);
    case 10: return tagwise_policy_require_purpose(policy, BYTES("\x80"), &error);
    case 11: return tagwise_policy_understand(policy, none, &error);
    case 12: return tagwise_policy_enable(policy, "no-such-rule", &error);
    case 13: return tagwise_policy_disable(policy, "signature", &error);
    case 14: return tagwise_policy_set_revocation(policy, 9, &error);
    case 15: return tagwise_policy_add_crl(policy, lost, &error);
    case 16: return tagwise_policy_add_ocsp(policy, lost, &error);
    default: return true;
    }
}

static void policies(const tagwise_certificate *leaf, const tagwise_certificate *root) {
    tagwise_anchors *anchors = tagwise_anchors_new();
    tagwise_policy *policy;
    tagwise_path *path;
    tagwise_buffer *report;
    int which;

    FINE(tagwise_anchors_add(anchors, tagwise_certificate_der(root), &error));
    FINE(policy = tagwise_policy_new("rfc5280", NOW + 1000, &error));
    FINE(tagwise_policy_require_dns(policy, "www.example.org", &error));
    FINE(path = tagwise_path_find(leaf, NULL, anchors, policy, NULL, NULL, &error));
    tagwise_path_free(path);
    tagwise_policy_free(policy);

    for (which = 0; which < 17; which++) {
        tagwise_error *first = NULL;
        FINE(policy = tagwise_policy_new("rfc5280", NOW + 1000, &error));
        error = NULL;
        if (spoil_policy(which, policy) || error == NULL) {
            fprintf(stderr, "setter %d does not fail\n", which);
            exit(1);
        }
        first = error;
        error = NULL;
        report = NULL;
        path = tagwise_path_find(leaf, NULL, anchors, policy, NULL, &report, &error);
        if (path != NULL || report != NULL || error == NULL) {
            fprintf(stderr, "setter %d fails open\n", which);
            exit(1);
        }
        /* It is that error, and says that it came earlier. */
        CHECK(strcmp(tagwise_error_code(error), tagwise_error_code(first)) == 0);
        CHECK(strstr(tagwise_error_message(error), tagwise_error_message(first)) != NULL);
        tagwise_error_free(error);
        FAILS(tagwise_policy_require_dns(policy, "www.example.org", &error), tagwise_error_code(first), tagwise_error_offset(first));
        tagwise_policy_set_max_intermediates(policy, 1);
        tagwise_error_free(first);
        tagwise_policy_free(policy);
    }
    /* What is not added to anchors or a pool is not trusted, and changes nothing else. */
    FAILS(tagwise_anchors_add(anchors, BYTES("nothing"), &error), "unexpected-tag", 0);
    FINE(policy = tagwise_policy_new("rfc5280", NOW + 1000, &error));
    FINE(path = tagwise_path_find(leaf, NULL, anchors, policy, NULL, NULL, &error));
    tagwise_path_free(path);
    tagwise_policy_free(policy);
    tagwise_anchors_free(anchors);
}

/* Options are of no use after a rule that there is not, wherever they are given. */
static void options(const tagwise_certificate *leaf) {
    static const char *const names[] = {"no-such-rule", "ber,no-such-rule", "\xFF", NULL};
    struct tagwise_bytes der = tagwise_certificate_der(leaf), rest;
    tagwise_options *options;
    tagwise_writer *writer;
    struct tagwise_element element;
    size_t which;

    for (which = 0; which < sizeof names / sizeof *names; which++) {
        options = tagwise_options_new();
        FINE(tagwise_options_allow(options, "long-length, ber,pem,all", &error));
        FAILS(tagwise_options_allow(options, names[which], &error), "argument", NOWHERE);
        tagwise_options_allow_ber(options);
        tagwise_options_set_depth(options, 9);
        FAILS(tagwise_options_allow(options, "long-length", &error), "argument", NOWHERE);
        FAILS(tagwise_certificate_read(der, options, &error), "argument", NOWHERE);
        FAILS(tagwise_cursor_new(der, options, &error), "argument", NOWHERE);
        FAILS(tagwise_ber_to_der(der, NULL, options, NULL, &error), "argument", NOWHERE);
        FAILS(tagwise_pem_decode(der, NULL, options, &error), "argument", NOWHERE);
        rest = der;
        FAILS(tagwise_element_next(&rest, options, &element, &error), "argument", NOWHERE);
        writer = tagwise_writer_new(options);
        FAILS(tagwise_writer_null(writer, 0, &error), "argument", NOWHERE);
        tagwise_writer_free(writer);
        tagwise_options_free(options);
    }
}

static bool spoil_certificate(int which, tagwise_certificate_builder *builder) {
    const struct tagwise_bytes none = {NULL, 0};
    switch (which) {
    case 0: return tagwise_certificate_builder_subject(builder, "CN", &error);
    case 1: return tagwise_certificate_builder_subject_name(builder, none, &error);
    case 2: return tagwise_certificate_builder_issuer(builder, NULL, &error);
    case 3: return tagwise_certificate_builder_public_key(builder, none, &error);
    case 4: return tagwise_certificate_builder_serial(builder, none, &error);
    case 5: return tagwise_certificate_builder_ca(builder, 256, &error);
    case 6: return tagwise_certificate_builder_key_usage(builder, 0x200, &error);
    case 7: return tagwise_certificate_builder_key_usage(builder, 0, &error);
    case 8: return tagwise_certificate_builder_purpose(builder, none, &error);
    case 9: return tagwise_certificate_builder_dns(builder, NULL, &error);
    case 10: return tagwise_certificate_builder_ip(builder, none, &error);
    case 11: return tagwise_certificate_builder_email(builder, NULL, &error);
    case 12: return tagwise_certificate_builder_uri(builder, NULL, &error);
    case 13: return tagwise_certificate_builder_extension(builder, none, true, none, &error);
    default: return true;
    }
}

static bool spoil_request(int which, tagwise_request_builder *builder) {
    const struct tagwise_bytes none = {NULL, 0};
    switch (which) {
    case 0: return tagwise_request_builder_subject(builder, "CN", &error);
    case 1: return tagwise_request_builder_subject_name(builder, none, &error);
    case 2: return tagwise_request_builder_dns(builder, NULL, &error);
    case 3: return tagwise_request_builder_ip(builder, BYTES("\xC0\x00\x02"), &error);
    case 4: return tagwise_request_builder_email(builder, NULL, &error);
    case 5: return tagwise_request_builder_extension(builder, none, true, none, &error);
    default: return true;
    }
}

static bool spoil_crl(int which, tagwise_crl_builder *builder) {
    const struct tagwise_bytes none = {NULL, 0};
    switch (which) {
    case 0: return tagwise_crl_builder_revoke(builder, BYTES("\x05"), NOW, 7, &error);
    case 1: return tagwise_crl_builder_revoke(builder, none, NOW, -1, &error);
    case 2: return tagwise_crl_builder_extension(builder, none, true, none, &error);
    default: return true;
    }
}

static bool spoil_writer(int which, tagwise_writer *writer) {
    switch (which) {
    case 0: return tagwise_writer_text(writer, 0, TAGWISE_PRINTABLE_STRING, BYTES("a@b"), &error);
    case 1: return tagwise_writer_bits(writer, 0, BYTES("\x80"), 8, &error);
    case 2: return tagwise_writer_primitive(writer, TAGWISE_INTEGER, BYTES(""), &error);
    case 3: return tagwise_writer_encoded(writer, BYTES("\x05\x01"), &error);
    case 4: return tagwise_writer_oid(writer, 0, BYTES(""), &error);
    case 5: return tagwise_writer_end(writer, &error);
    default: return true;
    }
}

/* The setter failed; the code of its error. */
static char *failed(bool done, const char *what, int which) {
    static char code[64];
    if (done || error == NULL) {
        fprintf(stderr, "%s setter %d does not fail\n", what, which);
        exit(1);
    }
    snprintf(code, sizeof code, "%s", tagwise_error_code(error));
    tagwise_error_free(error);
    error = NULL;
    return code;
}

/* Nothing was made, for the reason of the setter. */
static void nothing(tagwise_buffer *made, const char *code, const char *what, int which) {
    if (made != NULL || error == NULL || strcmp(tagwise_error_code(error), code) != 0) {
        fprintf(stderr, "%s setter %d: %s, %s\n", what, which, code, tagwise_error_message(error));
        exit(1);
    }
    tagwise_error_free(error);
    error = NULL;
}

static void builders(const tagwise_certificate *root, const tagwise_key *key) {
    int which;
    char *code;
    for (which = 0; which < 14; which++) {
        tagwise_certificate_builder *builder = tagwise_certificate_builder_new();
        FINE(tagwise_certificate_builder_validity(builder, NOW, NOW + YEAR, &error));
        code = failed(spoil_certificate(which, builder), "certificate", which);
        nothing(tagwise_certificate_builder_self_sign(builder, key, &error), code, "certificate", which);
        nothing(tagwise_certificate_builder_sign(builder, key, &error), code, "certificate", which);
        CHECK(!tagwise_certificate_builder_validity(builder, NOW, NOW + YEAR, NULL));
        tagwise_certificate_builder_free(builder);
    }
    for (which = 0; which < 6; which++) {
        tagwise_request_builder *builder = tagwise_request_builder_new();
        FINE(tagwise_request_builder_subject(builder, "CN=www.example.org", &error));
        code = failed(spoil_request(which, builder), "request", which);
        nothing(tagwise_request_builder_sign(builder, key, &error), code, "request", which);
        tagwise_request_builder_free(builder);
    }
    for (which = 0; which < 3; which++) {
        tagwise_crl_builder *builder;
        FINE(builder = tagwise_crl_builder_new(root, BYTES("\x01"), &error));
        FINE(tagwise_crl_builder_updates(builder, NOW, NOW + YEAR, &error));
        code = failed(spoil_crl(which, builder), "CRL", which);
        nothing(tagwise_crl_builder_sign(builder, key, &error), code, "CRL", which);
        tagwise_crl_builder_free(builder);
    }
    for (which = 0; which < 6; which++) {
        tagwise_writer *writer = tagwise_writer_new(NULL);
        FINE(tagwise_writer_null(writer, 0, &error));
        code = failed(spoil_writer(which, writer), "writer", which);
        CHECK(!tagwise_writer_null(writer, 0, NULL));
        nothing(tagwise_writer_finish(writer, &error), code, "writer", which);
        tagwise_writer_free(writer);
    }
}

int main(void) {
    tagwise_key *root_key, *leaf_key;
    tagwise_certificate *root, *leaf;
    tagwise_certificate_builder *builder = tagwise_certificate_builder_new();

    FINE(root_key = tagwise_key_generate(NULL, "p-256", &error));
    FINE(leaf_key = tagwise_key_generate(NULL, "p-256", &error));
    FINE(tagwise_certificate_builder_subject(builder, "CN=Root", &error));
    FINE(tagwise_certificate_builder_validity(builder, NOW, NOW + YEAR, &error));
    FINE(tagwise_certificate_builder_ca(builder, -1, &error));
    root = made(tagwise_certificate_builder_self_sign(builder, root_key, &error));
    tagwise_certificate_builder_free(builder);
    builder = tagwise_certificate_builder_new();
    FINE(tagwise_certificate_builder_subject(builder, "CN=www.example.org", &error));
    FINE(tagwise_certificate_builder_dns(builder, "www.example.org", &error));
    FINE(tagwise_certificate_builder_validity(builder, NOW, NOW + YEAR, &error));
    FINE(tagwise_certificate_builder_public_key(builder, tagwise_key_public(leaf_key), &error));
    FINE(tagwise_certificate_builder_issuer(builder, root, &error));
    leaf = made(tagwise_certificate_builder_sign(builder, root_key, &error));
    tagwise_certificate_builder_free(builder);

    policies(leaf, root);
    options(leaf);
    builders(root, root_key);

    tagwise_certificate_free(leaf);
    tagwise_certificate_free(root);
    tagwise_key_free(leaf_key);
    tagwise_key_free(root_key);
    printf("ok\n");
    return 0;
}
