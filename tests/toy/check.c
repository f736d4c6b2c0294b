/* Reads the toy of the certificate that is given: field by field, as JSON, and writes it from JSON. */
#include "check.h"

static tagwise_error *error;

int main(int count, char **files) {
    struct tagwise_bytes der;
    struct tagwise_extension toy;
    struct tagwise_element field;
    tagwise_certificate *certificate;
    tagwise_buffer *oid, *text;
    tagwise_value *value;
    uint64_t wheels;
    bool loud;

    CHECK(count == 2);
    der = file(files[1]);
    FINE(certificate = tagwise_certificate_read(der, NULL, &error));
    FINE(oid = tagwise_oid_from_text("toy", &error));
    FINE(tagwise_certificate_extension(certificate, tagwise_buffer_bytes(oid), &toy, &error));
    CHECK(toy.critical);
    FINE(tagwise_extension_get(&toy, "color", 0, NULL, &field, &error));
    CHECK(buffer_is(tagwise_element_text(&field, 0, NULL, NULL), "red"));
    FINE(tagwise_extension_get(&toy, "wheels", 0, NULL, &field, &error));
    FINE(tagwise_element_uint64(&field, NULL, &wheels, &error));
    CHECK(wheels == 4);
    FINE(tagwise_extension_get(&toy, "loud", 0, NULL, &field, &error));
    FINE(tagwise_element_boolean(&field, NULL, &loud, &error));
    CHECK(!loud);
    FINE(value = tagwise_extension_decode(&toy, NULL, &error));
    CHECK(buffer_is(tagwise_value_json(value, NULL), "{\"color\":\"red\",\"wheels\":4}"));
    tagwise_value_free(value);
    FINE(text = tagwise_extension_encode(tagwise_buffer_bytes(oid), BYTES("{\"color\":\"red\",\"wheels\":4}"), &error));
    CHECK(is(tagwise_buffer_bytes(text), toy.value));
    tagwise_buffer_free(text);
    FINE(text = tagwise_certificate_show(certificate, 0, &error));
    CHECK(strstr(tagwise_buffer_text(text), "toy") != NULL && strstr(tagwise_buffer_text(text), "red") != NULL);
    tagwise_buffer_free(text);
    tagwise_buffer_free(oid);
    tagwise_certificate_free(certificate);
    puts("ok");
    return 0;
}
