/* Messages of LDAP decoded and encoded: by the C that Tagwise makes, by the C that asn1c makes, by liblber; and certificates through the
   library for C. One process, in turn, by the time of the processor. `./x c bench` builds and runs it. */
#define _POSIX_C_SOURCE 200112L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lber.h>

#include "LDAPMessage.h"
#include "ldap.h"

#define ROUNDS 31

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static struct tagwise_bytes text(const char *words) {
    struct tagwise_bytes bytes;
    bytes.ptr = (const uint8_t *)words;
    bytes.len = strlen(words);
    return bytes;
}

/* An entry of eight attributes with two values each. */
static struct tagwise_buffer *entry(void) {
    static struct tw_SearchResultEntry_attributes_item rows[8];
    static struct tagwise_bytes values[2];
    struct tw_SearchResultEntry found;
    struct tw_LDAPMessage message;
    size_t row;
    memset(&message, 0, sizeof message);
    memset(&found, 0, sizeof found);
    message.messageID = 7;
    message.protocolOp.choice = tw_LDAPMessage_protocolOp_choice_searchResEntry;
    message.protocolOp.u.searchResEntry = &found;
    found.objectName = text("cn=Person 7,ou=People,dc=example,dc=org");
    values[0] = text("a first value of some length");
    values[1] = text("another value");
    for (row = 0; row < 8; row++) {
        rows[row].type = text("description");
        rows[row].vals.count = 2;
        rows[row].vals.items = values;
    }
    found.attributes.count = 8;
    found.attributes.items = rows;
    return tw_LDAPMessage_encode(&message, NULL);
}

static struct tagwise_bytes input;
static struct tagwise_arena *arena;

static void own_decode(void) {
    struct tw_LDAPMessage *read;
    if (!tw_LDAPMessage_decode(input.ptr, input.len, arena, &read, NULL)) fail("Tagwise does not decode");
    if (read->protocolOp.u.searchResEntry->attributes.count != 8) fail("Tagwise reads something else");
    tagwise_arena_reset(arena);
}

static void asn1c_decode(void) {
    LDAPMessage_t *read = NULL;
    asn_dec_rval_t result = ber_decode(NULL, &asn_DEF_LDAPMessage, (void **)&read, input.ptr, input.len);
    if (result.code != RC_OK || read->protocolOp.choice.searchResEntry.attributes.list.count != 8) fail("asn1c does not decode");
    ASN_STRUCT_FREE(asn_DEF_LDAPMessage, read);
}

static void lber_decode(void) {
    struct berval bytes;
    BerElement *ber;
    ber_int_t number;
    ber_tag_t tag;
    ber_len_t length;
    char *last;
    struct berval name;
    int rows = 0;
    bytes.bv_val = (char *)input.ptr;
    bytes.bv_len = input.len;
    ber = ber_init(&bytes);
    if (ber == NULL || ber_scanf(ber, "{i{m", &number, &name) == LBER_ERROR) fail("liblber does not decode");
    for (tag = ber_first_element(ber, &length, &last); tag != LBER_DEFAULT; tag = ber_next_element(ber, &length, last)) {
        struct berval type;
        BerVarray values = NULL;
        if (ber_scanf(ber, "{m[W]}", &type, &values) == LBER_ERROR) fail("liblber does not decode a row");
        ber_bvarray_free(values);
        rows++;
    }
    if (rows != 8) fail("liblber reads something else");
    ber_free(ber, 1);
}

static struct tw_LDAPMessage *held;
static LDAPMessage_t *held_asn1c;

static void own_encode(void) {
    struct tagwise_buffer *der = tw_LDAPMessage_encode(held, NULL);
    if (tagwise_buffer_bytes(der).len != input.len) fail("Tagwise encodes something else");
    tagwise_buffer_free(der);
}

static void asn1c_encode(void) {
    uint8_t room[4096];
    asn_enc_rval_t result = der_encode_to_buffer(&asn_DEF_LDAPMessage, held_asn1c, room, sizeof room);
    if (result.encoded != (ssize_t)input.len) fail("asn1c encodes something else");
}

static struct tagwise_bytes certificate;

static void parse(void) {
    struct tagwise_certificate *read = tagwise_certificate_read(certificate, NULL, NULL);
    if (read == NULL) fail("no certificate");
    tagwise_certificate_free(read);
}

static void fields(void) {
    struct tagwise_certificate *read = tagwise_certificate_read(certificate, NULL, NULL);
    size_t sum;
    if (read == NULL) fail("no certificate");
    sum = tagwise_certificate_serial(read).len + tagwise_certificate_issuer(read).len + tagwise_certificate_subject(read).len +
          (size_t)tagwise_certificate_not_before(read) + (size_t)tagwise_certificate_not_after(read) +
          tagwise_certificate_tbs(read).len + tagwise_certificate_signature(read).len;
    if (sum == 0) fail("nothing in the certificate");
    tagwise_certificate_free(read);
}

struct row {
    const char *what, *who;
    void (*run)(void);
    double times[ROUNDS];
};

static int order(const void *one, const void *other) {
    double difference = *(const double *)one - *(const double *)other;
    return difference < 0 ? -1 : difference > 0;
}

int main(int count, char **files) {
    struct row rows[] = {
        {"LDAP entry, decode", "tagwise", own_decode, {0}}, {"LDAP entry, decode", "asn1c", asn1c_decode, {0}},
        {"LDAP entry, decode", "liblber", lber_decode, {0}}, {"LDAP entry, encode", "tagwise", own_encode, {0}},
        {"LDAP entry, encode", "asn1c", asn1c_encode, {0}},
    };
    struct tagwise_buffer *der = entry();
    size_t row;
    int round, turn, file;
    if (der == NULL) fail("no entry");
    input = tagwise_buffer_bytes(der);
    arena = tagwise_arena_new(0);
    if (!tw_LDAPMessage_decode(input.ptr, input.len, NULL, &held, NULL)) fail("no message");
    if (ber_decode(NULL, &asn_DEF_LDAPMessage, (void **)&held_asn1c, input.ptr, input.len).code != RC_OK) fail("no message of asn1c");
    printf("an entry of %lu bytes; nanoseconds, medians of %d rounds\n", (unsigned long)input.len, ROUNDS);
    for (round = 0; round < ROUNDS; round++)
        for (row = 0; row < sizeof rows / sizeof rows[0]; row++) {
            double start = now();
            for (turn = 0; turn < 2000; turn++) rows[row].run();
            rows[row].times[round] = (now() - start) / 2000;
        }
    for (row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        qsort(rows[row].times, ROUNDS, sizeof(double), order);
        printf("%s\t%s\t%.0f\n", rows[row].what, rows[row].who, rows[row].times[ROUNDS / 2]);
    }
    for (file = 1; file < count; file++) {
        static uint8_t bytes[65536];
        double parsed[ROUNDS], all[ROUNDS];
        FILE *stream = fopen(files[file], "rb");
        if (stream == NULL) fail(files[file]);
        certificate.ptr = bytes;
        certificate.len = fread(bytes, 1, sizeof bytes, stream);
        fclose(stream);
        for (round = 0; round < ROUNDS; round++) {
            double start = now();
            for (turn = 0; turn < 4000; turn++) parse();
            parsed[round] = (now() - start) / 4000;
            start = now();
            for (turn = 0; turn < 4000; turn++) fields();
            all[round] = (now() - start) / 4000;
        }
        qsort(parsed, ROUNDS, sizeof(double), order);
        qsort(all, ROUNDS, sizeof(double), order);
        printf("%s\tparse\t%.0f\tand fields\t%.0f\n", strrchr(files[file], '/') ? strrchr(files[file], '/') + 1 : files[file],
               parsed[ROUNDS / 2], all[ROUNDS / 2]);
    }
    return 0;
}
