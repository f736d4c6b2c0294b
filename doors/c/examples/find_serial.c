/*
 * Looks serial numbers up in a CRL of any size: find_serial CRL HEX ...
 * Exit code 0 if none of them is revoked, 1 if one is.
 */
#include "common.h"

static size_t digits(const char *hex, uint8_t *out, size_t room) {
    size_t len = 0;
    unsigned value;
    if (strlen(hex) % 2 != 0 || strlen(hex) / 2 > room) return 0;
    for (; *hex != 0; hex += 2) {
        if (sscanf(hex, "%2x", &value) != 1) return 0;
        out[len++] = (uint8_t)value;
    }
    return len;
}

int main(int argc, char **argv) {
    struct tagwise_bytes content, serial;
    struct tagwise_crl_entry entry;
    tagwise_crl_index *index;
    tagwise_error *error = NULL;
    tagwise_crl *crl;
    uint8_t bytes[64];
    uint32_t reason;
    int at, status = 0;

    if (argc < 3) {
        fprintf(stderr, "usage: %s CRL HEX ...\n", argv[0]);
        return 2;
    }
    content = read_file(argv[1]);
    crl = is_pem(content) ? tagwise_crl_from_pem(content, NULL, &error) : tagwise_crl_outline(content, NULL, &error);
    if (crl == NULL) die(argv[1], error);
    free((void *)content.ptr);
    index = tagwise_crl_index_new(crl, &error);
    if (index == NULL) die(argv[1], error);
    printf("%lu entries\n", (unsigned long)tagwise_crl_count(crl));
    for (at = 2; at < argc; at++) {
        struct tagwise_bytes issuer = {NULL, 0};
        serial.ptr = bytes;
        serial.len = digits(argv[at], bytes, sizeof(bytes));
        if (serial.len == 0) {
            fprintf(stderr, "%s: not a serial number in hexadecimal\n", argv[at]);
            return 2;
        }
        if (tagwise_crl_index_find(index, serial, issuer, &entry, &error)) {
            status = 1;
            if (tagwise_crl_entry_reason(&entry, &reason, &error))
                printf("%s: revoked at %lld, reason %u\n", argv[at], (long long)entry.date, (unsigned)reason);
            else
                printf("%s: revoked at %lld\n", argv[at], (long long)entry.date);
        } else if (error == NULL) {
            printf("%s: not in the list\n", argv[at]);
        }
        if (error != NULL) die(argv[at], error);
    }
    tagwise_crl_index_free(index);
    tagwise_crl_free(crl);
    return status;
}
