/* Keys, algorithms and signatures. */

#include "support.h"

#include "common/md5.h"
#include "utils/builtins.h"

Datum x509_publickey(PG_FUNCTION_ARGS)
{
    return bytea_or_null(fcinfo, tagwise_certificate_public_key(certificate_arg(fcinfo)));
}

/* Returns the content of the key's BIT STRING, after its count of unused bits. */
static struct tagwise_bytes key_of(const struct tagwise_certificate *certificate)
{
    static const int path[] = {0, 1, -1};
    struct tagwise_bytes bits = nested(tagwise_certificate_public_key(certificate), path);
    if (bits.ptr == NULL || bits.len == 0) {
        bits.ptr = NULL;
        return bits;
    }
    bits.ptr++;
    bits.len--;
    return bits;
}

Datum x509_publickeymd5(PG_FUNCTION_ARGS)
{
    struct tagwise_bytes key = key_of(certificate_arg(fcinfo));
    const char *failure = NULL;
    uint8_t digest[MD5_DIGEST_LENGTH];
    struct tagwise_bytes bytes = {digest, sizeof digest};
    if (key.ptr == NULL || !pg_md5_binary(key.ptr, key.len, digest, &failure))
        PG_RETURN_NULL();
    PG_RETURN_BYTEA_P(bytea_of(bytes));
}

static bool key_info(const struct tagwise_certificate *certificate, struct tagwise_key_info *info)
{
    return certificate != NULL && tagwise_public_key_info(tagwise_certificate_public_key(certificate), info, NULL);
}

/* Returns the modulus of an RSA key without leading zeros, or absent bytes. */
static struct tagwise_bytes modulus_of(const struct tagwise_certificate *certificate)
{
    static const int path[] = {0, 0, -1};
    struct tagwise_bytes modulus = {NULL, 0};
    struct tagwise_key_info info;
    if (!key_info(certificate, &info) || !is_text(info.algorithm, "RSA"))
        return modulus;
    modulus = nested(key_of(certificate), path);
    while (modulus.len > 1 && modulus.ptr[0] == 0) {
        modulus.ptr++;
        modulus.len--;
    }
    return modulus;
}

Datum x509_rsamodulus(PG_FUNCTION_ARGS)
{
    return bytea_or_null(fcinfo, modulus_of(certificate_arg(fcinfo)));
}

Datum x509_keyalgorithm(PG_FUNCTION_ARGS)
{
    struct tagwise_key_info info;
    if (!key_info(certificate_arg(fcinfo), &info))
        PG_RETURN_TEXT_P(cstring_to_text(MALFORMED));
    return text_or_malformed(info.algorithm);
}

Datum x509_keysize(PG_FUNCTION_ARGS)
{
    struct tagwise_key_info info;
    PG_RETURN_INT32(key_info(certificate_arg(fcinfo), &info) && info.bits > 0 ? (int32)info.bits : -1);
}

/* Signature algorithms: identifier, digest, key. */
static const char *const SIGNATURES[][3] = {
    {"1.2.840.113549.1.1.2", "MD2", "RSA"},
    {"1.2.840.113549.1.1.3", "MD4", "RSA"},
    {"1.2.840.113549.1.1.4", "MD5", "RSA"},
    {"1.2.840.113549.1.1.5", "SHA-1", "RSA"},
    {"1.3.14.3.2.29", "SHA-1", "RSA"},
    {"1.2.840.113549.1.1.14", "SHA-224", "RSA"},
    {"1.2.840.113549.1.1.11", "SHA-256", "RSA"},
    {"1.2.840.113549.1.1.12", "SHA-384", "RSA"},
    {"1.2.840.113549.1.1.13", "SHA-512", "RSA"},
    {"1.2.840.10040.4.3", "SHA-1", "DSA"},
    {"1.3.14.3.2.27", "SHA-1", "DSA"},
    {"2.16.840.1.101.3.4.3.1", "SHA-224", "DSA"},
    {"2.16.840.1.101.3.4.3.2", "SHA-256", "DSA"},
    {"1.2.840.10045.4.1", "SHA-1", "ECDSA"},
    {"1.2.840.10045.4.3.1", "SHA-224", "ECDSA"},
    {"1.2.840.10045.4.3.2", "SHA-256", "ECDSA"},
    {"1.2.840.10045.4.3.3", "SHA-384", "ECDSA"},
    {"1.2.840.10045.4.3.4", "SHA-512", "ECDSA"},
    {"1.2.643.2.2.4", "GOST R 34.11-94", "GOST R 34.10-94"},
    {"1.2.643.2.2.3", "GOST R 34.11-94", "GOST R 34.10-2001"},
};

static Datum signature_datum(FunctionCallInfo fcinfo, int column)
{
    static const int path[] = {0, 0, -1};
    struct tagwise_bytes oid = nested(tagwise_certificate_signature_algorithm(certificate_arg(fcinfo)), path);
    if (oid.ptr != NULL)
        oid = KEPT(tagwise_oid_text(oid, NULL));
    for (int row = 0; row < lengthof(SIGNATURES); row++)
        if (is_text(oid, SIGNATURES[row][0]))
            PG_RETURN_TEXT_P(cstring_to_text(SIGNATURES[row][column]));
    PG_RETURN_TEXT_P(cstring_to_text(MALFORMED));
}

Datum x509_signaturehashalgorithm(PG_FUNCTION_ARGS)
{
    return signature_datum(fcinfo, 1);
}

Datum x509_signaturekeyalgorithm(PG_FUNCTION_ARGS)
{
    return signature_datum(fcinfo, 2);
}

/* Null if the algorithm is not supported, such as SHA-1: libx509pq returns false then. */
Datum x509_verify(PG_FUNCTION_ARGS)
{
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    struct tagwise_error *error = NULL;
    enum tagwise_error_kind kind;
    if (certificate == NULL)
        PG_RETURN_BOOL(false);
    if (tagwise_signature_verify(backend, bytes_of(PG_GETARG_BYTEA_PP(1)), tagwise_certificate_signature_algorithm(certificate),
                                 tagwise_certificate_tbs(certificate), tagwise_certificate_signature(certificate), &error))
        PG_RETURN_BOOL(true);
    kind = tagwise_error_get_kind(error);
    tagwise_error_free(error);
    if (kind == TAGWISE_ERROR_KIND_UNSUPPORTED || kind == TAGWISE_ERROR_KIND_INTERNAL)
        PG_RETURN_NULL();
    PG_RETURN_BOOL(false);
}

/* Keys of CVE-2017-15361 are powers of 65537 modulo each small prime. */
Datum x509_hasrocafingerprint(PG_FUNCTION_ARGS)
{
    static const int primes[] = {3,  5,  7,  11, 13,  17,  19,  23,  29,  31,  37,  41,  43,  47,  53,  59,  61,  67,  71,
                                 73, 79, 83, 89, 97,  101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167};
    struct tagwise_certificate *certificate = certificate_arg(fcinfo);
    struct tagwise_bytes modulus;
    if (certificate == NULL)
        PG_RETURN_NULL();
    modulus = modulus_of(certificate);
    if (modulus.ptr == NULL)
        PG_RETURN_BOOL(false);
    for (int index = 0; index < lengthof(primes); index++) {
        int prime = primes[index], rest = 0, power = 1;
        bool is_power = false;
        for (size_t at = 0; at < modulus.len; at++)
            rest = (rest * 256 + modulus.ptr[at]) % prime;
        do {
            is_power = is_power || power == rest;
            power = power * (65537 % prime) % prime;
        } while (power != 1);
        if (!is_power)
            PG_RETURN_BOOL(false);
    }
    PG_RETURN_BOOL(true);
}
