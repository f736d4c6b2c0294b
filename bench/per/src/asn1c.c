/* The calls of asn1c's run-time library that the benchmark times. */

#include <asn_application.h>

#include <string.h>

/* Decodes a message in UNALIGNED PER. Returns NULL if it is refused. */
void *perbench_decode(asn_TYPE_descriptor_t *ty, const void *octets, size_t size) {
    void *value = NULL;
    asn_dec_rval_t result = uper_decode_complete(NULL, ty, &value, octets, size);
    if (result.code == RC_OK)
        return value;
    if (value)
        ASN_STRUCT_FREE(*ty, value);
    return NULL;
}

/* Encodes a message. Returns the number of bytes, or 0 if it is refused. */
size_t perbench_encode(asn_TYPE_descriptor_t *ty, void *value, void *buffer, size_t size) {
    asn_enc_rval_t result = uper_encode_to_buffer(ty, value, buffer, size);
    return result.encoded < 0 ? 0 : (size_t)(result.encoded + 7) / 8;
}

/* Frees a message. */
void perbench_free(asn_TYPE_descriptor_t *ty, void *value) {
    ASN_STRUCT_FREE(*ty, value);
}

struct text {
    char *buffer;
    size_t used, size;
};

static int append(const void *octets, size_t size, void *key) {
    struct text *text = key;
    if (size > text->size - text->used)
        return -1;
    memcpy(text->buffer + text->used, octets, size);
    text->used += size;
    return 0;
}

/* Writes a message in BASIC-XER. Returns the number of bytes, or 0 if it does not fit. */
size_t perbench_print(asn_TYPE_descriptor_t *ty, void *value, char *buffer, size_t size) {
    struct text text = {buffer, 0, size};
    asn_enc_rval_t result = xer_encode(ty, value, XER_F_BASIC, append, &text);
    return result.encoded < 0 ? 0 : text.used;
}
