/* Schemas at run time: compiling, decoding, walking, encoding, BER. */
#include "check.h"

static tagwise_error *error;
static tagwise_schema *compiled(const char *text, size_t len);

static const char TEXT[] = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n"
                           "  Ticket ::= SEQUENCE { serial INTEGER, owner UTF8String OPTIONAL, seats SEQUENCE OF Seat, kind Kind }\n"
                           "  Seat ::= INTEGER (1..500)\n"
                           "  Kind ::= CHOICE { day NULL, night OCTET STRING }\n"
                           "END\n";

/* Encodings without tags, in both directions. */
static void untagged(void) {
    static const char TEXT[] = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n"
                               "  Point ::= SEQUENCE { x INTEGER (0..100), up BOOLEAN, name IA5String (SIZE (1..8)) OPTIONAL, ... }\n"
                               "  Shape ::= CHOICE { side INTEGER (0..7), ... }\n"
                               "END\n";
    static const struct {
        uint32_t rules;
        const char *octets;
        size_t len;
    } known[] = {
        {TAGWISE_RULES_UPER, "\x42\xCE\x1C\x40", 4},  {TAGWISE_RULES_APER, "\x42\xC8\x61\x62", 4},
        {TAGWISE_RULES_CUPER, "\x42\xCE\x1C\x40", 4}, {TAGWISE_RULES_CAPER, "\x42\xC8\x61\x62", 4},
        {TAGWISE_RULES_OER, "\x40\x05\xFF\x02" "ab", 6}, {TAGWISE_RULES_COER, "\x40\x05\xFF\x02" "ab", 6},
        {TAGWISE_RULES_DER, "\x30\x0A\x80\x01\x05\x81\x01\xFF\x82\x02" "ab", 12},
        {TAGWISE_RULES_XER, "<Point><x>5</x><up><true/></up><name>ab</name></Point>", 54},
        {TAGWISE_RULES_CXER, "<Point><x>5</x><up><true/></up><name>ab</name></Point>", 54},
        {TAGWISE_RULES_EXER, "<Point><x>5</x><up><true/></up><name>ab</name></Point>", 54},
    };
    struct tagwise_bytes padded = BYTES("\x02\xE1"), extended = BYTES("\x82\xC0\x40\x50\x00");
    struct tagwise_deviation deviation;
    struct tagwise_position position;
    tagwise_schema *schema;
    tagwise_value *value, *read;
    tagwise_buffer *buffer;
    tagwise_options *options;
    size_t index;

    FINE(schema = compiled(TEXT, sizeof(TEXT) - 1));
    FINE(value = tagwise_value_from_json(schema, "Point", BYTES("{\"x\":5,\"up\":true,\"name\":\"ab\"}"), &error));
    for (index = 0; index < sizeof(known) / sizeof(known[0]); index++) {
        struct tagwise_bytes octets = bytes_of(known[index].octets, known[index].len);
        FINE(buffer = tagwise_value_encode_as(value, known[index].rules, &error));
        CHECK(is(tagwise_buffer_bytes(buffer), octets));
        tagwise_buffer_free(buffer);
        FINE(read = tagwise_value_decode(schema, "Point", octets, known[index].rules, NULL, &error));
        FINE(buffer = tagwise_value_json(read, &error));
        CHECK(buffer_is(buffer, "{\"x\":5,\"up\":true,\"name\":\"ab\"}"));
        FINE(buffer = tagwise_value_encode(read, &error));
        CHECK(is(tagwise_buffer_bytes(buffer), bytes_of(known[6].octets, known[6].len)));
        tagwise_buffer_free(buffer);
        CHECK(tagwise_value_position_get(read, 0, &position) == (index != 6));
        if (index == 0) {
            CHECK(position.path.len == 0 && position.start == 0 && position.end == 27);
            CHECK(tagwise_value_position_get(read, 1, &position) && is_text(position.path, "x"));
            CHECK(position.start == 2 && position.end == 9 && !tagwise_value_position_get(read, 4, &position));
        }
        tagwise_value_free(read);
    }
    error = NULL;
    CHECK(tagwise_value_encode_as(value, 11, &error) == NULL && strcmp(tagwise_error_code(error), "argument") == 0);
    tagwise_error_free(error);
    tagwise_value_free(value);
    error = NULL;
    CHECK(tagwise_value_from_json(schema, "Point", BYTES("{\"x\":101,\"up\":true}"), &error) == NULL);
    CHECK(tagwise_error_get_kind(error) == TAGWISE_ERROR_KIND_ENCODING && tagwise_error_bit(error) == UINT64_MAX);
    tagwise_error_free(error);

    /* An error has path, bit and clause; its rule can be tolerated. */
    error = NULL;
    CHECK(tagwise_value_decode(schema, "Point", padded, TAGWISE_RULES_UPER, NULL, &error) == NULL);
    CHECK(tagwise_error_bit(error) == 10 && tagwise_error_offset(error) == 1 && strcmp(tagwise_error_path(error), "") == 0);
    CHECK(strcmp(tagwise_error_code(error), "per-padding-zero") == 0 && strcmp(tagwise_error_clause(error), "X.691 \xC2\xA7" "11.1") == 0);
    tagwise_error_free(error);
    FINE(options = tagwise_options_new());
    FINE(tagwise_options_allow(options, "per-padding-zero,long-length", &error));
    FINE(value = tagwise_value_decode(schema, "Point", padded, TAGWISE_RULES_UPER, options, &error));
    CHECK(tagwise_value_deviation(value, 0, &deviation) && is_text(deviation.rule, "per-padding-zero"));
    CHECK(deviation.bit == 10 && deviation.offset == 1 && !tagwise_value_deviation(value, 1, &deviation));
    tagwise_value_free(value);
    tagwise_options_free(options);

    /* In XER, offsets are those of bytes. */
    error = NULL;
    CHECK(tagwise_value_decode(schema, "Point", BYTES("<Point><x>x</x></Point>"), TAGWISE_RULES_XER, NULL, &error) == NULL);
    CHECK(tagwise_error_offset(error) == 10 && strcmp(tagwise_error_path(error), "x") == 0);
    tagwise_error_free(error);
    error = NULL;
    CHECK(tagwise_value_decode(schema, "Point", BYTES("<Point> <x>5</x><up><true/></up></Point>"), TAGWISE_RULES_CXER, NULL, &error) == NULL);
    CHECK(strcmp(tagwise_error_code(error), "xer-white-space") == 0 && strcmp(tagwise_error_clause(error), "X.693 \xC2\xA7" "9.1.2") == 0);
    tagwise_error_free(error);
    FINE(options = tagwise_options_new());
    FINE(tagwise_options_allow(options, "xer-white-space", &error));
    FINE(value = tagwise_value_decode(schema, "Point", BYTES("<Point> <x>5</x><up><true/></up></Point>"), TAGWISE_RULES_CXER, options, &error));
    CHECK(tagwise_value_deviation(value, 0, &deviation) && is_text(deviation.rule, "xer-white-space") && deviation.offset == 7);
    tagwise_value_free(value);
    tagwise_options_free(options);

    /* An unknown addition stays under its rules, and a value needs its schema no more. */
    FINE(value = tagwise_value_decode(schema, "Point", extended, TAGWISE_RULES_UPER, NULL, &error));
    FINE(read = tagwise_value_decode(schema, "Shape", BYTES("\x80\x01\xAA"), TAGWISE_RULES_UPER, NULL, &error));
    tagwise_schema_free(schema);
    FINE(buffer = tagwise_value_encode_as(value, TAGWISE_RULES_UPER, &error));
    CHECK(is(tagwise_buffer_bytes(buffer), extended));
    tagwise_buffer_free(buffer);
    error = NULL;
    CHECK(tagwise_value_encode_as(value, TAGWISE_RULES_OER, &error) == NULL && tagwise_value_encode(value, NULL) == NULL);
    CHECK(strcmp(tagwise_error_code(error), "mismatch") == 0);
    tagwise_error_free(error);
    error = NULL;
    tagwise_value_free(value);
    CHECK(tagwise_node_get_kind(tagwise_value_root(read)) == TAGWISE_NODE_KIND_FOREIGN);
    CHECK(is(tagwise_node_content(tagwise_value_root(read)), BYTES("\xAA")));
    tagwise_value_free(read);
}

static tagwise_schema *compiled(const char *text, size_t len) {
    struct tagwise_schema_source source;
    source.name = BYTES("demo.asn1");
    source.text = bytes_of(text, len);
    return tagwise_schema_compile(&source, 1, &error);
}

int main(void) {
    /* serial 7, owner "A", seats 1 and 300, night AA BB: the string in two segments. */
    static const char ber[] = "\x30\x80\x80\x01\x07\x81\x01" "A" "\xA2\x07\x02\x01\x01\x02\x02\x01\x2C"
                              "\xA3\x80\xA1\x80\x04\x01\xAA\x04\x01\xBB\x00\x00\x00\x00\x00\x00";
    static const char der[] = "\x30\x15\x80\x01\x07\x81\x01" "A" "\xA2\x07\x02\x01\x01\x02\x02\x01\x2C\xA3\x04\x81\x02\xAA\xBB";
    struct tagwise_bytes input = bytes_of(ber, sizeof(ber) - 1), strict = bytes_of(der, sizeof(der) - 1), module, name;
    struct tagwise_element element;
    const tagwise_node *root, *node, *seats;
    tagwise_schema *schema;
    tagwise_value *value;
    tagwise_buffer *buffer, *json;
    int64_t number;
    size_t index, residue;

    error = NULL;
    CHECK(compiled("Demo DEFINITIONS ::= BEGIN A ::= B END", 38) == NULL);
    CHECK(tagwise_error_get_kind(error) == TAGWISE_ERROR_KIND_SCHEMA && strstr(tagwise_error_message(error), "demo.asn1") != NULL);
    tagwise_error_free(error);

    FINE(schema = compiled(TEXT, sizeof(TEXT) - 1));
    CHECK(tagwise_schema_type_get(schema, 0, &module, &name) && is_text(module, "Demo"));
    FAILS(tagwise_value_decode(schema, "Tikcet", strict, TAGWISE_RULES_DER, NULL, &error), "argument", NOWHERE);
    error = NULL;
    CHECK(tagwise_value_decode(schema, "Ticket", input, TAGWISE_RULES_DER, NULL, &error) == NULL && error != NULL);
    tagwise_error_free(error);
    FINE(buffer = tagwise_schema_to_der(schema, "Ticket", input, NULL, &residue, &error));
    CHECK(residue == 0 && is(tagwise_buffer_bytes(buffer), strict));
    tagwise_buffer_free(buffer);

    FINE(value = tagwise_value_decode(schema, "Ticket", input, TAGWISE_RULES_BER, NULL, &error));
    /* It needs its schema no more. */
    tagwise_schema_free(schema);
    root = tagwise_value_root(value);
    CHECK(tagwise_node_get_kind(root) == TAGWISE_NODE_KIND_COMPONENTS && is_text(tagwise_node_type(root), "Ticket"));
    CHECK((node = tagwise_node_child_find(root, "serial")) != NULL && tagwise_node_element(node, &element));
    FINE(tagwise_element_int64(&element, NULL, &number, &error));
    CHECK(number == 7 && tagwise_node_universal(node) == TAGWISE_INTEGER);
    CHECK((node = tagwise_node_child_find(root, "owner")) != NULL && tagwise_node_element(node, &element));
    CHECK(buffer_is(tagwise_element_text(&element, 0, NULL, NULL), "A"));
    CHECK((seats = tagwise_node_child_find(root, "seats")) != NULL && tagwise_node_get_kind(seats) == TAGWISE_NODE_KIND_ITEMS);
    for (index = 0; (node = tagwise_node_child_get(seats, index, &name)) != NULL; index++) CHECK(name.ptr == NULL);
    CHECK(index == 2);
    CHECK((node = tagwise_node_child_find(root, "kind")) != NULL && tagwise_node_get_kind(node) == TAGWISE_NODE_KIND_CHOICE);
    CHECK((node = tagwise_node_child_get(node, 0, &name)) != NULL && is_text(name, "night"));
    CHECK(is(tagwise_node_content(node), BYTES("\xAA\xBB")) && tagwise_node_offset(node) == 19);
    CHECK(tagwise_node_child_find(root, "nobody") == NULL && tagwise_node_child_get(root, 4, &name) == NULL);
    CHECK(tagwise_node_get_kind(NULL) == TAGWISE_NODE_KIND_NONE);

    FINE(buffer = tagwise_value_encode(value, &error));
    CHECK(is(tagwise_buffer_bytes(buffer), strict));
    tagwise_buffer_free(buffer);
    FINE(json = tagwise_value_json(value, &error));
    FINE(buffer = tagwise_value_text(value, &error));
    CHECK(strstr(tagwise_buffer_text(buffer), "owner") != NULL);
    tagwise_buffer_free(buffer);
    tagwise_value_free(value);

    FINE(schema = compiled(TEXT, sizeof(TEXT) - 1));
    FINE(buffer = tagwise_schema_encode_json(schema, "Ticket", tagwise_buffer_bytes(json), &error));
    CHECK(is(tagwise_buffer_bytes(buffer), strict));
    tagwise_buffer_free(buffer);
    tagwise_buffer_free(json);
    /* Seat 501 is one too many; the error has path and place. */
    error = NULL;
    CHECK(tagwise_value_decode(schema, "Ticket", BYTES("\x30\x0D\x80\x01\x07\xA2\x04\x02\x02\x01\xF5\xA3\x02\x80\x00"), TAGWISE_RULES_DER, NULL,
                               &error) == NULL);
    CHECK(strcmp(tagwise_error_path(error), "seats[0]") == 0 && strcmp(tagwise_error_code(error), "value") == 0);
    tagwise_error_free(error);
    tagwise_schema_free(schema);

    FINE(buffer = tagwise_ber_to_der(BYTES("\x30\x80\x01\x01\x05\x00\x00"), NULL, NULL, &residue, &error));
    CHECK(residue == 0 && is(tagwise_buffer_bytes(buffer), BYTES("\x30\x03\x01\x01\xFF")));
    tagwise_buffer_free(buffer);
    FAILS(tagwise_ber_to_der(BYTES("\x30\x00"), "Certificat", NULL, &residue, &error), "argument", NOWHERE);
    untagged();
    printf("ok\n");
    return 0;
}
