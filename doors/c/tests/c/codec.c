/* The codec: cursor, elements, writer, object identifiers, PEM. */
#include "check.h"

static tagwise_error *error;

static void reading(void) {
    /* SEQUENCE { INTEGER 5, BOOLEAN TRUE, OID 2.5.29.17, OCTET STRING, BIT STRING of 9 bits, UTF8String, UTCTime, [0] IMPLICIT INTEGER -1 } */
    static const char der[] = "\x30\x2B\x02\x01\x05\x01\x01\xFF\x06\x03\x55\x1D\x11\x04\x02\xAA\xBB\x03\x03\x07\xAA\x80"
                              "\x0C\x02\xC3\xBC\x17\x0D" "260102030405Z" "\x80\x01\xFF\x05";
    struct tagwise_bytes input = bytes_of(der, sizeof(der) - 1);
    struct tagwise_bytes bytes;
    struct tagwise_element element;
    tagwise_cursor *cursor;
    int64_t number;
    uint32_t tag, nanoseconds;
    uint8_t unused;
    bool flag;

    FINE(cursor = tagwise_cursor_new(input, NULL, &error));
    CHECK(!tagwise_cursor_is_empty(cursor));
    FINE(tagwise_cursor_peek(cursor, &tag, &error));
    CHECK(tag == TAGWISE_SEQUENCE);
    CHECK(tagwise_cursor_at(cursor, TAGWISE_SEQUENCE) && !tagwise_cursor_at(cursor, TAGWISE_SET));
    FAILS(tagwise_cursor_enter(cursor, TAGWISE_SET, &error), "unexpected-tag", 0);
    FINE(tagwise_cursor_enter(cursor, TAGWISE_SEQUENCE, &error));
    CHECK(tagwise_cursor_depth(cursor) == 1);
    FAILS(tagwise_cursor_boolean(cursor, &flag, &error), "unexpected-tag", 2);
    FINE(tagwise_cursor_int64(cursor, &number, &error));
    CHECK(number == 5);
    FINE(tagwise_cursor_boolean(cursor, &flag, &error));
    CHECK(flag);
    FINE(tagwise_cursor_oid(cursor, &bytes, &error));
    CHECK(is_text(tagwise_oid_name(bytes), "subjectAltName"));
    CHECK(buffer_is(tagwise_oid_text(bytes, NULL), "2.5.29.17"));
    FAILS(tagwise_cursor_leave(cursor, &error), "trailing-data", 13);
    FINE(tagwise_cursor_octets(cursor, &bytes, &error));
    CHECK(is(bytes, BYTES("\xAA\xBB")));
    FINE(tagwise_cursor_bits(cursor, &bytes, &unused, &error));
    CHECK(is(bytes, BYTES("\xAA\x80")) && unused == 7);
    CHECK(buffer_is(tagwise_cursor_text(cursor, NULL), "\xC3\xBC"));
    FINE(tagwise_cursor_time(cursor, &number, &nanoseconds, &error));
    CHECK(number == 1767323045 && nanoseconds == 0);
    FINE(tagwise_cursor_read_optional(cursor, TAGWISE_CONTEXT(1), &element, &error));
    CHECK(element.tag == 0 && element.whole.ptr == NULL);
    FINE(tagwise_cursor_read(cursor, TAGWISE_CONTEXT(0), &element, &error));
    CHECK(element.offset == 41);
    FINE(tagwise_element_int64(&element, NULL, &number, &error));
    CHECK(number == -1);
    FAILS(tagwise_element_uint64(&element, NULL, NULL, &error), "integer-range", element.offset + 2);
    FAILS(tagwise_cursor_skip(cursor, &error), "truncated", tagwise_cursor_offset(cursor) + 1);
    tagwise_cursor_free(cursor);
}

/* Strict as DER, tolerant when asked, and BER of any form. */
static void rules(void) {
    static const char ber[] = "\x30\x80\x24\x80\x04\x01\xAA\x04\x01\xBB\x00\x00\x01\x01\x05\x00\x00";
    struct tagwise_bytes bytes;
    tagwise_options *options = tagwise_options_new();
    tagwise_cursor *cursor;
    struct tagwise_rule rule;
    size_t count = 0;
    bool flag;

    FINE(cursor = tagwise_cursor_new(BYTES("\x01\x01\x05"), NULL, &error));
    FAILS(tagwise_cursor_boolean(cursor, &flag, &error), "boolean-value", 2);
    tagwise_cursor_free(cursor);
    FINE(tagwise_options_allow(options, "boolean-value", &error));
    FINE(cursor = tagwise_cursor_new(BYTES("\x01\x01\x05"), options, &error));
    FINE(tagwise_cursor_boolean(cursor, &flag, &error));
    CHECK(flag);
    tagwise_cursor_free(cursor);
    tagwise_options_free(options);

    FINE(cursor = tagwise_cursor_new_ber(bytes_of(ber, sizeof(ber) - 1), NULL, &error));
    FINE(tagwise_cursor_enter(cursor, TAGWISE_SEQUENCE, &error));
    FINE(tagwise_cursor_octets(cursor, &bytes, &error));
    CHECK(is(bytes, BYTES("\xAA\xBB")));
    CHECK(tagwise_cursor_offset(cursor) == 12);
    FINE(tagwise_cursor_boolean(cursor, &flag, &error));
    FINE(tagwise_cursor_leave(cursor, &error));
    FINE(tagwise_cursor_finish(cursor, &error));
    tagwise_cursor_free(cursor);

    /* Budgets hold: three levels, where two are allowed. */
    options = tagwise_options_new();
    tagwise_options_set_depth(options, 2);
    FINE(cursor = tagwise_cursor_new(BYTES("\x30\x04\x30\x02\x30\x00"), options, &error));
    FINE(tagwise_cursor_enter(cursor, TAGWISE_SEQUENCE, &error));
    FINE(tagwise_cursor_enter(cursor, TAGWISE_SEQUENCE, &error));
    FAILS(tagwise_cursor_enter(cursor, TAGWISE_SEQUENCE, &error), "depth-exceeded", 6);
    tagwise_cursor_free(cursor);
    tagwise_options_free(options);

    while (tagwise_rule_get(count, &rule)) {
        CHECK(rule.name.len > 0 && rule.clause.len > 0 && rule.summary.len > 0);
        count++;
    }
    CHECK(count > 30);
}

static void writing(void) {
    tagwise_writer *writer = tagwise_writer_new(NULL);
    tagwise_buffer *oid, *done;
    tagwise_cursor *cursor;
    struct tagwise_element element;
    struct tagwise_bytes bytes;
    double real;

    FINE(oid = tagwise_oid_from_text("1.2.840.113549", &error));
    FAILS(tagwise_oid_from_text("1.2.x", &error), "argument", NOWHERE);
    FINE(tagwise_writer_begin(writer, TAGWISE_SEQUENCE, &error));
    FAILS(tagwise_writer_finish(writer, &error), "argument", NOWHERE);
    FINE(tagwise_writer_int64(writer, 0, -129, &error));
    FINE(tagwise_writer_integer(writer, TAGWISE_CONTEXT(1), BYTES("\x00\x00\x80"), &error));
    FINE(tagwise_writer_oid(writer, 0, tagwise_buffer_bytes(oid), &error));
    FINE(tagwise_writer_begin(writer, TAGWISE_SET, &error));
    FINE(tagwise_writer_octets(writer, 0, BYTES("b"), &error));
    FINE(tagwise_writer_octets(writer, 0, BYTES("a"), &error));
    FINE(tagwise_writer_end_set_of(writer, &error));
    FINE(tagwise_writer_begin(writer, TAGWISE_SET, &error));
    FINE(tagwise_writer_null(writer, 0, &error));
    FINE(tagwise_writer_boolean(writer, 0, true, &error));
    FINE(tagwise_writer_end_set(writer, &error));
    FINE(tagwise_writer_text(writer, 0, TAGWISE_BMP_STRING, BYTES("\xC3\xBC"), &error));
    FINE(tagwise_writer_time(writer, 2524608000, &error));
    FINE(tagwise_writer_real(writer, 0, 0.5, &error));
    FINE(tagwise_writer_bits(writer, 0, BYTES("\x80"), 7, &error));
    FINE(tagwise_writer_enumerated(writer, 0, 3, &error));
    FINE(tagwise_writer_primitive(writer, TAGWISE_CONTEXT(2), BYTES("x"), &error));
    FINE(tagwise_writer_encoded(writer, BYTES("\x05\x00"), &error));
    FINE(tagwise_writer_end(writer, &error));
    FINE(done = tagwise_writer_finish(writer, &error));
    CHECK(is(tagwise_buffer_bytes(done),
             BYTES("\x30\x45\x02\x02\xFF\x7F\x81\x02\x00\x80\x06\x06\x2A\x86\x48\x86\xF7\x0D"
                   "\x31\x06\x04\x01" "a" "\x04\x01" "b" "\x31\x05\x01\x01\xFF\x05\x00\x1E\x02\x00\xFC"
                   "\x18\x0F" "20500101000000Z" "\x09\x03\x80\xFF\x01\x03\x02\x07\x80\x0A\x01\x03\x82\x01x\x05\x00")));

    /* The same, read: REAL and BMPString by their elements. */
    FINE(cursor = tagwise_cursor_new(tagwise_buffer_bytes(done), NULL, &error));
    FINE(tagwise_cursor_enter(cursor, TAGWISE_SEQUENCE, &error));
    while (!tagwise_cursor_is_empty(cursor)) {
        FINE(tagwise_cursor_next(cursor, &element, &error));
        if (element.tag == TAGWISE_REAL) {
            FINE(tagwise_element_real(&element, NULL, &real, &error));
            CHECK(real == 0.5);
        }
        if (element.tag == TAGWISE_BMP_STRING) CHECK(buffer_is(tagwise_element_text(&element, 0, NULL, NULL), "\xC3\xBC"));
        if (element.tag == TAGWISE_OBJECT_IDENTIFIER) {
            FINE(tagwise_element_oid(&element, NULL, &bytes, &error));
            CHECK(tagwise_oid_equal(bytes, tagwise_buffer_bytes(oid)));
        }
    }
    tagwise_cursor_free(cursor);
    tagwise_buffer_free(done);
    tagwise_buffer_free(oid);
    tagwise_writer_free(writer);
}

/* Lengths of elements that may not be all there, and records one after the other. */
static void lengths(void) {
    static const uint8_t records[] = {0x30, 0x80, 0x02, 0x01, 0x05, 0, 0, 0xFF, 0xFF, 0x30, 0x80, 0x30, 0x80, 0, 0, 0, 0, 0x30, 0x81, 0x01, 0x05};
    static const size_t expected[] = {7, 8};
    size_t at = 0, count = 0, length = 77, missing = 77;

    FINE(tagwise_element_length(BYTES("\x30\x03\x02\x01\x05\x30"), TAGWISE_RULES_DER, NULL, &length, &missing, &error));
    CHECK(length == 5 && missing == 77);
    error = NULL;
    CHECK(!tagwise_element_length(BYTES("\x30\x82\x01"), TAGWISE_RULES_DER, NULL, &length, &missing, &error) && error == NULL);
    CHECK(length == 5 && missing >= 1);
    CHECK(!tagwise_element_length(BYTES("\x30\x82\x01\x00\x02"), TAGWISE_RULES_DER, NULL, NULL, &missing, &error) && error == NULL);
    CHECK(missing == 255);
    CHECK(!tagwise_element_length(bytes_of(NULL, 0), TAGWISE_RULES_BER, NULL, NULL, &missing, &error) && error == NULL && missing == 2);
    CHECK(!tagwise_element_length(bytes_of(records, 5), TAGWISE_RULES_BER, NULL, &length, &missing, &error) && error == NULL);
    CHECK(missing == 2);
    FAILS(tagwise_element_length(bytes_of(records, sizeof records), TAGWISE_RULES_DER, NULL, &length, &missing, &error), "length-indefinite", 1);
    FAILS(tagwise_element_length(BYTES("\x30\xFF"), TAGWISE_RULES_BER, NULL, NULL, NULL, &error), "length-reserved", 1);
    FAILS(tagwise_element_length(BYTES("\x05\x00"), 9, NULL, NULL, NULL, &error), "argument", NOWHERE);

    /* A file of records with filler between. */
    while (at < sizeof records && count < 2) {
        while (records[at] == 0xFF || records[at] == 0) at++;
        FINE(tagwise_element_length(bytes_of(records + at, sizeof records - at), TAGWISE_RULES_BER, NULL, &length, &missing, &error));
        CHECK(length == expected[count]);
        at += length;
        count++;
    }
    /* A length in more bytes than it needs is BER. */
    FINE(tagwise_element_length(bytes_of(records + at, sizeof records - at), TAGWISE_RULES_BER, NULL, &length, &missing, &error));
    CHECK(length == 4);
    FAILS(tagwise_element_length(bytes_of(records + at, sizeof records - at), TAGWISE_RULES_DER, NULL, NULL, NULL, &error), "length-not-minimal", 1);
}

/* Names on one line, as the header says. */
static void names(void) {
    static const char *const texts[][2] = {
        {"CN=Eva,O=Example,C=DE", "C=DE, O=Example, CN=Eva"},
        {"CN=\xC3\x84pfel \xE2\x82\xAC", "CN=\xC3\x84pfel \xE2\x82\xAC"},
        {"CN=a\\, CN\\=b", "CN=a\\, CN=b"},
        {"CN=a+OU=b,C=DE", "C=DE, CN=a+OU=b"},
        {"emailAddress=a@b.example", "emailAddress=a@b.example"},
        {"UID=x,DC=example,DC=com", "DC=com, DC=example, UID=x"},
        {"", ""},
    };
    size_t index;
    for (index = 0; index < sizeof texts / sizeof *texts; index++) {
        tagwise_buffer *name;
        FINE(name = tagwise_name_from_text(bytes_of(texts[index][0], strlen(texts[index][0])), &error));
        CHECK(buffer_is(tagwise_name_oneline(tagwise_buffer_bytes(name), NULL), texts[index][1]));
        tagwise_buffer_free(name);
    }
}

/* Text in PEM where DER is read. */
static void confused(void) {
    struct tagwise_bytes pem = BYTES(" \n-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"), none = {NULL, 0};
    tagwise_anchors *anchors = tagwise_anchors_new();
    tagwise_pool *pool = tagwise_pool_new();
    tagwise_policy *policy;

    FAILS(tagwise_certificate_read(pem, NULL, &error), "pem", 0);
    FAILS(tagwise_certificate_outline(pem, NULL, &error), "pem", 0);
    FAILS(tagwise_crl_read(pem, NULL, &error), "pem", 0);
    FAILS(tagwise_request_read(pem, NULL, &error), "pem", 0);
    FAILS(tagwise_key_read(NULL, pem, none, &error), "pem", 0);
    FAILS(tagwise_anchors_add(anchors, pem, &error), "pem", 0);
    FAILS(tagwise_pool_add(pool, pem, &error), "pem", 0);
    FINE(policy = tagwise_policy_new("rfc5280", 0, &error));
    FAILS(tagwise_policy_add_crl(policy, pem, &error), "pem", 0);
    FAILS(tagwise_cms_verify(NULL, pem, none, NULL, 0, NULL, none, NULL, &error), "pem", 0);
    FAILS(tagwise_pkcs12_open(NULL, pem, none, &error), "pem", 0);
    FAILS(tagwise_cursor_new(pem, NULL, &error), "pem", 0);
    FAILS(tagwise_ber_to_der(pem, NULL, NULL, NULL, &error), "pem", 0);
    error = NULL;
    CHECK(tagwise_policy_new("web", 0, &error) == NULL && strstr(tagwise_error_message(error), "webpki") != NULL);
    tagwise_error_free(error);
    error = NULL;
    CHECK(tagwise_digest(NULL, "md6", pem, &error) == NULL && strstr(tagwise_error_message(error), "SHA-256") != NULL);
    tagwise_error_free(error);
    tagwise_policy_free(policy);
    tagwise_pool_free(pool);
    tagwise_anchors_free(anchors);
}

static void pem(void) {
    static const char text[] = "junk\n-----BEGIN A-----\nAgEF\n-----END A-----\n-----BEGIN B-----\nBQA=\n-----END B-----\n";
    struct tagwise_bytes rest = bytes_of(text, sizeof(text) - 1);
    struct tagwise_pem_block block;
    tagwise_buffer *buffer;

    FINE(tagwise_pem_next(&rest, NULL, &block, &error));
    CHECK(is_text(block.label, "A") && block.line == 2);
    FINE(buffer = tagwise_pem_decode(block.text, NULL, NULL, &error));
    CHECK(is(tagwise_buffer_bytes(buffer), BYTES("\x02\x01\x05")));
    tagwise_buffer_free(buffer);
    FINE(tagwise_pem_next(&rest, NULL, &block, &error));
    CHECK(is_text(block.label, "B"));
    CHECK(!tagwise_pem_next(&rest, NULL, &block, &error) && error == NULL);
    FINE(buffer = tagwise_pem_decode(bytes_of(text, sizeof(text) - 1), "B", NULL, &error));
    CHECK(is(tagwise_buffer_bytes(buffer), BYTES("\x05\x00")));
    tagwise_buffer_free(buffer);
    FAILS(tagwise_pem_decode(bytes_of(text, sizeof(text) - 1), "C", NULL, &error), "pem-missing", NOWHERE);
    FINE(buffer = tagwise_pem_encode("A", BYTES("\x02\x01\x05"), &error));
    CHECK(buffer_is(buffer, "-----BEGIN A-----\nAgEF\n-----END A-----\n"));
}

/* Lengths that go with no address, and text that is none. */
static void arguments(void) {
    FAILS(tagwise_cursor_new(bytes_of(NULL, 1), NULL, &error), "argument", NOWHERE);
    FAILS(tagwise_cursor_new(bytes_of("", SIZE_MAX), NULL, &error), "argument", NOWHERE);
    FAILS(tagwise_oid_from_text("\xFF", &error), "argument", NOWHERE);
    FAILS(tagwise_oid_text(bytes_of(NULL, 0), &error), "oid-empty", 0);
    CHECK(tagwise_error_get_kind(NULL) == TAGWISE_ERROR_KIND_NONE && tagwise_error_offset(NULL) == NOWHERE);
}

int main(void) {
    lengths();
    names();
    confused();
    reading();
    rules();
    writing();
    pem();
    arguments();
    printf("ok\n");
    return 0;
}
