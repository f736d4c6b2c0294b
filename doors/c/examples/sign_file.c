/*
 * Signs files with CMS, and verifies them.
 *   sign_file sign KEY CERTIFICATE FILE SIGNATURE     writes a detached signature of FILE
 *   sign_file verify CERTIFICATE FILE SIGNATURE       exit code 0 if the holder of CERTIFICATE signed FILE, 1 if not
 */
#include "common.h"

static int sign(char **argv) {
    struct tagwise_bytes none = {NULL, 0}, pem = read_file(argv[2]), content = read_file(argv[4]);
    tagwise_certificate *certificate = read_certificate(argv[3]);
    tagwise_error *error = NULL;
    tagwise_buffer *message;
    tagwise_key *key = tagwise_key_from_pem(NULL, pem, none, &error);
    if (key == NULL) die(argv[2], error);
    message = tagwise_cms_sign(NULL, content, key, certificate, NULL, 0, true, &error);
    if (message == NULL) die(argv[4], error);
    write_file(argv[5], message);
    tagwise_key_free(key);
    tagwise_certificate_free(certificate);
    free((void *)pem.ptr);
    free((void *)content.ptr);
    return 0;
}

static int verify(char **argv) {
    struct tagwise_bytes none = {NULL, 0}, content = read_file(argv[3]), message = read_file(argv[4]);
    tagwise_certificate *certificate = read_certificate(argv[2]);
    struct tagwise_bytes wanted = tagwise_certificate_der(certificate);
    struct tagwise_cms_signer signer;
    tagwise_error *error = NULL;
    bool by_holder = false, valid;
    size_t index;
    tagwise_cms *cms = tagwise_cms_verify(NULL, message, content, &wanted, 1, NULL, none, NULL, &error);
    if (cms == NULL) die(argv[4], error);
    for (index = 0; tagwise_cms_signer_get(cms, index, &signer); index++) {
        if (!signer.valid) printf("signer %lu: %.*s\n", (unsigned long)index, TAGWISE_TEXT(signer.fault));
        by_holder = by_holder || (signer.valid && signer.certificate.len == wanted.len &&
                                  memcmp(signer.certificate.ptr, wanted.ptr, wanted.len) == 0);
    }
    valid = by_holder && tagwise_cms_is_valid(cms);
    printf(valid ? "valid\n" : "not valid\n");
    tagwise_cms_free(cms);
    tagwise_certificate_free(certificate);
    free((void *)content.ptr);
    free((void *)message.ptr);
    return valid ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc == 6 && strcmp(argv[1], "sign") == 0) return sign(argv);
    if (argc == 5 && strcmp(argv[1], "verify") == 0) return verify(argv);
    fprintf(stderr, "usage: %s sign KEY CERTIFICATE FILE SIGNATURE\n       %s verify CERTIFICATE FILE SIGNATURE\n", argv[0], argv[0]);
    return 2;
}
