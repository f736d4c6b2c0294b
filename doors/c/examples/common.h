/* What the examples share: whole files, PEM or DER, and the end of a program with an error. */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tagwise.h>

/* Ends the program with an error of the library, and where it comes from. */
static inline void die(const char *what, tagwise_error *error) {
    fprintf(stderr, "%s: %s\n", what, error == NULL ? "failed" : tagwise_error_message(error));
    tagwise_error_free(error);
    exit(3);
}

/* The content of a file; freed by the caller. */
static inline struct tagwise_bytes read_file(const char *path) {
    struct tagwise_bytes bytes = {NULL, 0};
    size_t room = 0, len = 0, got;
    uint8_t *data = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(3);
    }
    do {
        if (len == room) {
            uint8_t *more;
            room = room == 0 ? 65536 : room * 2;
            more = (uint8_t *)realloc(data, room);
            if (more == NULL) {
                fputs("out of memory\n", stderr);
                exit(3);
            }
            data = more;
        }
        got = fread(data + len, 1, room - len, file);
        len += got;
    } while (got > 0);
    if (ferror(file)) {
        perror(path);
        exit(3);
    }
    fclose(file);
    bytes.ptr = data;
    bytes.len = len;
    return bytes;
}

/* Whether a file is text in PEM and not DER, whose first byte here is that of a SEQUENCE. */
static inline bool is_pem(struct tagwise_bytes content) { return content.len > 0 && content.ptr[0] != 0x30; }

/* The first certificate of a file, in PEM or DER. */
static inline tagwise_certificate *read_certificate(const char *path) {
    struct tagwise_bytes content = read_file(path);
    tagwise_error *error = NULL;
    tagwise_certificate *certificate = is_pem(content) ? tagwise_certificate_from_pem(content, NULL, &error)
                                                       : tagwise_certificate_read(content, NULL, &error);
    if (certificate == NULL) die(path, error);
    free((void *)content.ptr);
    return certificate;
}

/* Writes a buffer to a file and frees it. */
static inline void write_file(const char *path, tagwise_buffer *buffer) {
    struct tagwise_bytes bytes = tagwise_buffer_bytes(buffer);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes.ptr, 1, bytes.len, file) != bytes.len || fclose(file) != 0) {
        perror(path);
        exit(3);
    }
    tagwise_buffer_free(buffer);
}

#endif
