/* Prints every certificate of a file: print_certificate FILE. */
#include <time.h>

#include "common.h"

static void print_name(const char *label, struct tagwise_bytes name) {
    tagwise_error *error = NULL;
    tagwise_buffer *text = tagwise_name_rfc4514(name, &error);
    if (text == NULL) die(label, error);
    printf("%s: %s\n", label, tagwise_buffer_text(text));
    tagwise_buffer_free(text);
}

static void print_time(const char *label, int64_t seconds) {
    time_t time = (time_t)seconds;
    char text[32];
    struct tm *utc = gmtime(&time);
    if (utc != NULL && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", utc) > 0) printf("%s: %s\n", label, text);
}

static void print_extensions(const tagwise_certificate *certificate) {
    struct tagwise_bytes rest = tagwise_certificate_extensions(certificate);
    struct tagwise_extension extension;
    tagwise_error *error = NULL;
    while (tagwise_extension_next(&rest, NULL, &extension, &error)) {
        struct tagwise_bytes name = tagwise_oid_name(extension.oid);
        tagwise_buffer *dotted = name.ptr == NULL ? tagwise_oid_text(extension.oid, NULL) : NULL;
        if (dotted != NULL) name = tagwise_buffer_bytes(dotted);
        printf("extension: %.*s%s, %lu bytes\n", TAGWISE_TEXT(name), extension.critical ? " (critical)" : "",
               (unsigned long)extension.value.len);
        tagwise_buffer_free(dotted);
    }
    if (error != NULL) die("extensions", error);
}

/* One bad extension does not hide the others: names that cannot be read are said to be so. */
static void print_names(const tagwise_certificate *certificate) {
    struct tagwise_bytes rest;
    struct tagwise_general_name name;
    tagwise_error *error = NULL;
    if (!tagwise_certificate_names(certificate, &rest, &error)) {
        if (error != NULL) printf("names: %s\n", tagwise_error_message(error));
        tagwise_error_free(error);
        return;
    }
    while (tagwise_general_name_next(&rest, NULL, &name, &error)) {
        tagwise_buffer *text = tagwise_general_name_text(&name, &error);
        printf("name: %s\n", text == NULL ? tagwise_error_message(error) : tagwise_buffer_text(text));
        tagwise_error_free(error);
        error = NULL;
        tagwise_buffer_free(text);
    }
    tagwise_error_free(error);
}

static void print(const tagwise_certificate *certificate) {
    struct tagwise_bytes serial = tagwise_certificate_serial(certificate);
    struct tagwise_key_info key;
    size_t at;
    printf("serial: ");
    for (at = 0; at < serial.len; at++) printf("%02x", serial.ptr[at]);
    printf("\n");
    print_name("issuer", tagwise_certificate_issuer(certificate));
    print_name("subject", tagwise_certificate_subject(certificate));
    print_time("not before", tagwise_certificate_not_before(certificate));
    print_time("not after", tagwise_certificate_not_after(certificate));
    if (tagwise_public_key_info(tagwise_certificate_public_key(certificate), &key, NULL))
        printf("key: %.*s, %u bits\n", TAGWISE_TEXT(key.algorithm), (unsigned)key.bits);
    print_extensions(certificate);
    print_names(certificate);
}

static void print_encoded(struct tagwise_bytes der) {
    tagwise_error *error = NULL;
    tagwise_certificate *certificate = tagwise_certificate_outline(der, NULL, &error);
    if (certificate == NULL) die("certificate", error);
    print(certificate);
    tagwise_certificate_free(certificate);
}

int main(int argc, char **argv) {
    struct tagwise_bytes content, rest;
    struct tagwise_pem_block block;
    tagwise_error *error = NULL;
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    content = rest = read_file(argv[1]);
    if (!is_pem(content)) {
        print_encoded(content);
    } else {
        while (tagwise_pem_next(&rest, NULL, &block, &error)) {
            tagwise_buffer *der = tagwise_pem_decode(block.text, NULL, NULL, &error);
            if (der == NULL) die(argv[1], error);
            if (block.label.len == 11 && memcmp(block.label.ptr, "CERTIFICATE", 11) == 0) print_encoded(tagwise_buffer_bytes(der));
            tagwise_buffer_free(der);
        }
        if (error != NULL) die(argv[1], error);
    }
    free((void *)content.ptr);
    return 0;
}
