/* The d2i_X509 family: OpenSSL, and AWS-LC which descends from it. Compiled once for each, against its own headers;
 * TABLE names the table. Every call is the documented one of a C program. */
#define _GNU_SOURCE
#include "library.h"
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#ifdef OPENSSL_IS_AWSLC
#include <openssl/service_indicator.h>
#endif
#include <stdlib.h>
#include <time.h>

static int start(void) { return 1; }

static const char *version(void) {
#ifdef OPENSSL_IS_AWSLC
    return awslc_version_string();
#else
    return OpenSSL_version(OPENSSL_VERSION);
#endif
}

static void *parse(const uint8_t *der, size_t len) {
    const uint8_t *at = der;
    X509 *cert = d2i_X509(NULL, &at, (long)len);
    if (cert == NULL) {
        /* The queue of errors would grow else, and a program reads or clears it. */
        ERR_clear_error();
        return NULL;
    }
    /* d2i leaves what follows to the caller. */
    if (at != der + len) {
        X509_free(cert);
        return NULL;
    }
    return cert;
}

static void drop(void *cert) { X509_free(cert); }

static octets string(const ASN1_STRING *value) {
    octets out = {ASN1_STRING_get0_data(value), (size_t)ASN1_STRING_length(value)};
    return out;
}

/* The magnitude: the sign is in the type. */
static octets serial(void *cert) { return string(X509_get0_serialNumber(cert)); }

static X509_NAME *name_of(void *cert, int subject) {
    return (X509_NAME *)(subject ? X509_get_subject_name(cert) : X509_get_issuer_name(cert));
}

static octets name(void *cert, int subject) {
    octets out = {NULL, 0};
    if (!X509_NAME_get0_der(name_of(cert, subject), &out.data, &out.len)) out.len = 0;
    return out;
}

static void name_text(void *cert, int subject, sink take, void *state) {
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio == NULL) return;
    if (X509_NAME_print_ex(bio, name_of(cert, subject), 0, XN_FLAG_RFC2253) >= 0) {
        char *text = NULL;
        long len = BIO_get_mem_data(bio, &text);
        take(state, text, (size_t)len);
    }
    BIO_free(bio);
}

static int seconds(const ASN1_TIME *time, int64_t *out) {
    struct tm parts;
    if (!ASN1_TIME_to_tm(time, &parts)) return 0;
    *out = timegm(&parts);
    return 1;
}

static int validity(void *cert, int64_t times[2]) {
    return seconds(X509_get0_notBefore(cert), &times[0]) && seconds(X509_get0_notAfter(cert), &times[1]);
}

static void algorithm(void *cert, int key, sink take, void *state) {
    char text[128];
    const ASN1_OBJECT *object = NULL;
    if (key) {
        ASN1_OBJECT *of_key = NULL;
        if (!X509_PUBKEY_get0_param(&of_key, NULL, NULL, NULL, X509_get_X509_PUBKEY(cert))) return;
        object = of_key;
    } else {
        const X509_ALGOR *of_signature = NULL;
        X509_get0_signature(NULL, &of_signature, cert);
        X509_ALGOR_get0(&object, NULL, NULL, of_signature);
    }
    int len = OBJ_obj2txt(text, sizeof text, object, 1);
    if (len > 0 && (size_t)len < sizeof text) take(state, text, (size_t)len);
}

static octets key(void *cert) { return string(X509_get0_pubkey_bitstr(cert)); }

static octets signature(void *cert) {
    const ASN1_BIT_STRING *bits = NULL;
    X509_get0_signature(&bits, NULL, cert);
    return string(bits);
}

static extensions look(void *cert) {
    extensions found = {0, 0, 0};
    int count = X509_get_ext_count(cert);
    for (int i = 0; i < count; i++) {
        X509_EXTENSION *extension = X509_get_ext(cert, i);
        found.count++;
        found.critical += X509_EXTENSION_get_critical(extension) != 0;
        found.octets += string(X509_EXTENSION_get_data(extension)).len;
    }
    return found;
}

static int ca(void *cert) {
    int critical = 0;
    BASIC_CONSTRAINTS *constraints = X509_get_ext_d2i(cert, NID_basic_constraints, &critical, NULL);
    if (constraints == NULL) {
        ERR_clear_error();
        return critical == -1 ? -1 : -2;
    }
    int result = constraints->ca != 0;
    BASIC_CONSTRAINTS_free(constraints);
    return result;
}

static size_t encode(void *cert) {
    uint8_t *out = NULL;
    int len = i2d_X509(cert, &out);
    if (len <= 0) return 0;
    OPENSSL_free(out);
    return (size_t)len;
}

const library TABLE = {start, version, parse,     drop, serial, name, name_text, validity,
                       algorithm, key, signature, look, ca,     encode};
