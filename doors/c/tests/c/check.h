/* What the test programs share: checks that say where they fail, and files. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tagwise.h>

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

/* The call succeeded and left no error. */
#define FINE(call)                                                                                            \
    do {                                                                                                      \
        error = NULL;                                                                                         \
        if (!(call) || error != NULL) {                                                                       \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, tagwise_error_message(error));      \
            exit(1);                                                                                          \
        }                                                                                                     \
    } while (0)

/* The call failed with that code, at that offset. */
#define FAILS(call, code, offset)                                                                             \
    do {                                                                                                      \
        error = NULL;                                                                                         \
        if ((call) || error == NULL || strcmp(tagwise_error_code(error), code) != 0 ||                        \
            tagwise_error_offset(error) != (size_t)(offset)) {                                                \
            fprintf(stderr, "%s:%d: %s: %s %s\n", __FILE__, __LINE__, #call, tagwise_error_code(error),       \
                    tagwise_error_message(error));                                                            \
            exit(1);                                                                                          \
        }                                                                                                     \
        tagwise_error_free(error);                                                                            \
        error = NULL;                                                                                         \
    } while (0)

#define NOWHERE SIZE_MAX
#define BYTES(literal) bytes_of((literal), sizeof(literal) - 1)

static inline struct tagwise_bytes bytes_of(const void *data, size_t len) {
    struct tagwise_bytes bytes;
    bytes.ptr = (const uint8_t *)data;
    bytes.len = len;
    return bytes;
}

static inline bool is(struct tagwise_bytes one, struct tagwise_bytes other) {
    return one.len == other.len && (one.len == 0 || memcmp(one.ptr, other.ptr, one.len) == 0);
}

static inline bool is_text(struct tagwise_bytes bytes, const char *text) {
    return is(bytes, bytes_of(text, strlen(text)));
}

/* Compares the text of a buffer and frees it. */
static inline bool buffer_is(struct tagwise_buffer *buffer, const char *text) {
    bool same = buffer != NULL && strcmp(tagwise_buffer_text(buffer), text) == 0;
    if (!same) fprintf(stderr, "found %s\n", tagwise_buffer_text(buffer));
    tagwise_buffer_free(buffer);
    return same;
}

static inline struct tagwise_bytes file(const char *path) {
    FILE *stream = fopen(path, "rb");
    uint8_t *data;
    long size;
    if (stream == NULL) {
        perror(path);
        exit(1);
    }
    fseek(stream, 0, SEEK_END);
    size = ftell(stream);
    rewind(stream);
    data = (uint8_t *)malloc((size_t)size + 1);
    if (data == NULL || fread(data, 1, (size_t)size, stream) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(stream);
    return bytes_of(data, (size_t)size);
}

#endif
