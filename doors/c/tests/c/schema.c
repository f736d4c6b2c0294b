/* Schemas at run time: compiling, decoding, walking, encoding, BER. */
#include "check.h"

static tagwise_error *error;

static const char TEXT[] = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n"
                           "  Ticket ::= SEQUENCE { serial INTEGER, owner UTF8String OPTIONAL, seats SEQUENCE OF Seat, kind Kind }\n"
                           "  Seat ::= INTEGER (1..500)\n"
                           "  Kind ::= CHOICE { day NULL, night OCTET STRING }\n"
                           "END\n";

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
    printf("ok\n");
    return 0;
}
