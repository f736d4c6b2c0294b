/* What the adapters of libraries written in C offer to the Rust side: one table of functions a library. */
#ifndef TAGWISE_BENCH_LIBRARY_H
#define TAGWISE_BENCH_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *data;
    size_t len;
} octets;

typedef struct {
    size_t count;
    size_t critical;
    size_t octets;
} extensions;

/* Takes text that lives no longer than the call. */
typedef void (*sink)(void *state, const char *text, size_t len);

typedef struct {
    /* Makes the library ready; 0 where that fails. Called once. */
    int (*start)(void);
    const char *(*version)(void);
    /* NULL where the certificate is refused. The octets live longer than the certificate. */
    void *(*parse)(const uint8_t *der, size_t len);
    void (*drop)(void *cert);
    octets (*serial)(void *cert);
    octets (*name)(void *cert, int subject);
    void (*name_text)(void *cert, int subject, sink take, void *state);
    /* Seconds since 1970 of notBefore and notAfter; 0 where they cannot be had. */
    int (*validity)(void *cert, int64_t times[2]);
    /* The dotted OID of the signature's or the key's algorithm. */
    void (*algorithm)(void *cert, int key, sink take, void *state);
    octets (*key)(void *cert);
    octets (*signature)(void *cert);
    extensions (*look)(void *cert);
    /* 1 and 0 as cA says, -1 without the extension, -2 where it does not decode. */
    int (*ca)(void *cert);
    /* Encodes into fresh memory, frees it, and gives the length; 0 where that fails. NULL where there is no such call. */
    size_t (*encode)(void *cert);
} library;

#endif
