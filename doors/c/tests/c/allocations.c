/* The allocator hook, and what it counts: one allocation to read a certificate, none to read its fields. Argument: a certificate. */
#include "check.h"

static tagwise_error *error;
static size_t allocated, released, held;

static void *allocate(void *context, size_t size, size_t align) {
    CHECK(context == &held && align <= 16);
    allocated++;
    held += size;
    return malloc(size);
}

static void release(void *context, void *memory, size_t size, size_t align) {
    CHECK(context == &held && align <= 16);
    released++;
    held -= size;
    free(memory);
}

int main(int argc, char **argv) {
    struct tagwise_allocator allocator;
    struct tagwise_bytes text, rest, sink;
    struct tagwise_general_name name;
    struct tagwise_extension extension;
    tagwise_buffer *der;
    tagwise_certificate *certificate;
    size_t before;
    uint64_t length;
    uint16_t usage;
    bool ca;

    CHECK(argc == 2);
    CHECK(!tagwise_allocator_set(NULL));
    allocator.allocate = NULL;
    allocator.release = release;
    allocator.context = &held;
    CHECK(!tagwise_allocator_set(&allocator));
    allocator.allocate = allocate;
    CHECK(tagwise_allocator_set(&allocator));

    text = file(argv[1]);
    FINE(der = tagwise_pem_decode(text, "CERTIFICATE", NULL, &error));
    CHECK(allocated > 0 && !tagwise_allocator_set(&allocator));

    before = allocated;
    FINE(certificate = tagwise_certificate_read(tagwise_buffer_bytes(der), NULL, &error));
    CHECK(allocated == before + 1);
    before = allocated;
    sink = tagwise_certificate_der(certificate);
    sink = tagwise_certificate_tbs(certificate);
    sink = tagwise_certificate_serial(certificate);
    sink = tagwise_certificate_issuer(certificate);
    sink = tagwise_certificate_subject(certificate);
    sink = tagwise_certificate_public_key(certificate);
    sink = tagwise_certificate_signature_algorithm(certificate);
    sink = tagwise_certificate_signature(certificate);
    CHECK(sink.len > 0 && tagwise_certificate_version(certificate) == 3);
    CHECK(tagwise_certificate_not_before(certificate) < tagwise_certificate_not_after(certificate));
    CHECK(!tagwise_certificate_is_self_issued(certificate));
    FINE(tagwise_certificate_key_usage(certificate, &usage, &error));
    FINE(tagwise_certificate_basic_constraints(certificate, &ca, &length, &error));
    FINE(tagwise_certificate_authority_key_identifier(certificate, &sink, &error));
    FINE(tagwise_certificate_names(certificate, &rest, &error));
    while (tagwise_general_name_next(&rest, NULL, &name, &error)) CHECK(name.value.len > 0);
    rest = tagwise_certificate_extensions(certificate);
    while (tagwise_extension_next(&rest, NULL, &extension, &error)) CHECK(extension.value.len > 0);
    CHECK(error == NULL && allocated == before);

    tagwise_certificate_free(certificate);
    tagwise_buffer_free(der);
    CHECK(allocated == released && held == 0);
    free((void *)text.ptr);
    printf("ok\n");
    return 0;
}
