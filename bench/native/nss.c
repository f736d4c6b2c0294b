/* NSS, as a program uses it that opened no database: certificates go through its temporary store. */
#include "library.h"
#include <cert.h>
#include <nss.h>
#include <prerror.h>
#include <prprf.h>
#include <secasn1.h>
#include <secder.h>
#include <secerr.h>
#include <string.h>

static int start(void) { return NSS_NoDB_Init(NULL) == SECSuccess; }

static const char *version(void) { return NSS_GetVersion(); }

static void *parse(const uint8_t *der, size_t len) {
    SECItem item = {siDERCertBuffer, (unsigned char *)der, (unsigned int)len};
    return CERT_NewTempCertificate(CERT_GetDefaultCertDB(), &item, NULL, PR_FALSE, PR_TRUE);
}

/* The same after a look at what kind of package it is. */
static void *parse_package(const uint8_t *der, size_t len) {
    return CERT_DecodeCertFromPackage((char *)der, (int)len);
}

static void drop(void *cert) { CERT_DestroyCertificate(cert); }

static octets item(const SECItem *value) {
    octets out = {value->data, value->len};
    return out;
}

/* Its length is in bits. */
static octets bits(const SECItem *value) {
    octets out = {value->data, (value->len + 7) / 8};
    return out;
}

static octets serial(void *cert) { return item(&((CERTCertificate *)cert)->serialNumber); }

static octets name(void *cert, int subject) {
    CERTCertificate *c = cert;
    return item(subject ? &c->derSubject : &c->derIssuer);
}

/* Decoding wrote both names as text already; this writes one again, as a caller who wants his own copy would. */
static void name_text(void *cert, int subject, sink take, void *state) {
    CERTCertificate *c = cert;
    char *text = CERT_NameToAscii(subject ? &c->subject : &c->issuer);
    if (text == NULL) return;
    take(state, text, strlen(text));
    PORT_Free(text);
}

static int validity(void *cert, int64_t times[2]) {
    CERTCertificate *c = cert;
    PRTime before, after;
    if (DER_DecodeTimeChoice(&before, &c->validity.notBefore) != SECSuccess) return 0;
    if (DER_DecodeTimeChoice(&after, &c->validity.notAfter) != SECSuccess) return 0;
    times[0] = before / PR_USEC_PER_SEC;
    times[1] = after / PR_USEC_PER_SEC;
    return 1;
}

static void algorithm(void *cert, int key, sink take, void *state) {
    CERTCertificate *c = cert;
    SECAlgorithmID *id = key ? &c->subjectPublicKeyInfo.algorithm : &c->signatureWrap.signatureAlgorithm;
    char *text = CERT_GetOidString(&id->algorithm);
    if (text == NULL) return;
    /* It writes `OID.` in front. */
    const char *dotted = strncmp(text, "OID.", 4) == 0 ? text + 4 : text;
    take(state, dotted, strlen(dotted));
    PR_smprintf_free(text);
}

static octets key(void *cert) { return bits(&((CERTCertificate *)cert)->subjectPublicKeyInfo.subjectPublicKey); }

static octets signature(void *cert) { return bits(&((CERTCertificate *)cert)->signatureWrap.signature); }

static extensions look(void *cert) {
    extensions found = {0, 0, 0};
    CERTCertExtension **at = ((CERTCertificate *)cert)->extensions;
    for (; at != NULL && *at != NULL; at++) {
        found.count++;
        found.critical += (*at)->critical.len != 0 && (*at)->critical.data[0] != 0;
        found.octets += (*at)->value.len;
    }
    return found;
}

static int ca(void *cert) {
    CERTBasicConstraints constraints;
    SECItem value = {siBuffer, NULL, 0};
    if (CERT_FindCertExtension(cert, SEC_OID_X509_BASIC_CONSTRAINTS, &value) != SECSuccess)
        return PORT_GetError() == SEC_ERROR_EXTENSION_NOT_FOUND ? -1 : -2;
    SECStatus decoded = CERT_DecodeBasicConstraintValue(&constraints, &value);
    SECITEM_FreeItem(&value, PR_FALSE);
    return decoded == SECSuccess ? constraints.isCA != 0 : -2;
}

const library tagwise_bench_nss = {start,     version, parse,     drop, serial, name, name_text, validity,
                                   algorithm, key,     signature, look, ca,     NULL};
const library tagwise_bench_nss_package = {start,     version, parse_package, drop, serial, name, name_text, validity,
                                           algorithm, key,     signature,     look, ca,     NULL};
