/* Keys, builders, requests, CRLs, paths: a small hierarchy made and judged. */
#include "check.h"

static tagwise_error *error;

#define YEAR 31536000

/* The certificate of a builder, signed and read. */
static tagwise_certificate *made(tagwise_buffer *der) {
    tagwise_certificate *certificate;
    FINE(der != NULL);
    FINE(certificate = tagwise_certificate_read(tagwise_buffer_bytes(der), NULL, &error));
    tagwise_buffer_free(der);
    return certificate;
}

/* `openssl ec -aes128` of a key on P-256; the password is `secret`. EC PARAMETERS are in front of it, as `openssl ecparam -genkey` has them. */
#define TRADITIONAL(cipher)                                                    \
    "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" \
    "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"               \
    "DEK-Info: " cipher ",17550477029588EC3E0B31E7930C75CC\n\n"              \
    "kqPCRmHh755eAfb8r1iuzn5DoX/z6te5pbhuDH4LqM+IlZYhAlf5MF4l6m+bbrT+\n"      \
    "guJnI9XPSZCjqQCqUimSc8Gg7+JeI5BLDvSDfc7oQOunswR6b8axrYYXdQcwyRO6\n"      \
    "SxlUWa8qaMvHimh3+Y7WWxFF3EjktZE7cn1sGzHQnNo=\n"                          \
    "-----END EC PRIVATE KEY-----\n"

static void texts(void) {
    struct tagwise_bytes none = {NULL, 0};
    tagwise_key *key;

    FINE(key = tagwise_key_from_pem(NULL, BYTES(TRADITIONAL("AES-128-CBC")), BYTES("secret"), &error));
    CHECK(buffer_is(tagwise_key_type(key, NULL), "ecdsa-p256"));
    tagwise_key_free(key);
    FAILS(tagwise_key_from_pem(NULL, BYTES(TRADITIONAL("AES-128-CBC")), none, &error), "password-needed", NOWHERE);
    FAILS(tagwise_key_from_pem(NULL, BYTES(TRADITIONAL("AES-128-CBC")), BYTES("Secret"), &error), "integrity", NOWHERE);
    FAILS(tagwise_key_from_pem(NULL, BYTES(TRADITIONAL("SEED-CBC")), BYTES("secret"), &error), "unsupported", NOWHERE);
    FAILS(tagwise_key_from_pem(NULL, BYTES("no key"), none, &error), "malformed-key", NOWHERE);
}

/* A DSA key is read and converted, but nothing signs with it. */
static void dsa(void) {
    struct tagwise_bytes none = {NULL, 0}, own = BYTES("\x30\x12\x02\x01\x00\x02\x01\x17\x02\x01\x0B\x02\x01\x04\x02\x01\x12\x02\x01\x03");
    tagwise_key *key, *again;
    tagwise_buffer *pkcs8, *locked;

    FINE(key = tagwise_key_from_any(NULL, own, none, NULL, &error));
    CHECK(buffer_is(tagwise_key_type(key, NULL), "dsa"));
    FINE(pkcs8 = tagwise_key_pkcs8(key, &error));
    FINE(again = tagwise_key_read(NULL, tagwise_buffer_bytes(pkcs8), none, &error));
    CHECK(is(tagwise_key_public(again), tagwise_key_public(key)));
    tagwise_key_free(again);
    FINE(locked = tagwise_key_pkcs8_encrypted(key, NULL, BYTES("secret"), &error));
    FINE(again = tagwise_key_read(NULL, tagwise_buffer_bytes(locked), BYTES("secret"), &error));
    CHECK(is(tagwise_key_public(again), tagwise_key_public(key)));
    tagwise_key_free(again);
    FAILS(tagwise_key_read(NULL, tagwise_buffer_bytes(locked), none, &error), "password-needed", NOWHERE);
    FAILS(tagwise_key_signature_algorithm(key, &error), "wrong-key", NOWHERE);
    FAILS(tagwise_key_sign(key, BYTES("message"), &error), "wrong-key", NOWHERE);
    tagwise_buffer_free(locked);
    tagwise_buffer_free(pkcs8);
    tagwise_key_free(key);
}

static void keys(void) {
    tagwise_key *key, *again;
    tagwise_buffer *algorithm, *signature, *secret, *locked;
    struct tagwise_key_info info;
    tagwise_backend *backend;

    FAILS(tagwise_key_generate(NULL, "p-999", &error), "unsupported", NOWHERE);
    FINE(key = tagwise_key_generate(NULL, "p-256", &error));
    CHECK(buffer_is(tagwise_key_type(key, NULL), "ecdsa-p256"));
    FINE(tagwise_public_key_info(tagwise_key_public(key), &info, &error));
    CHECK(info.bits == 256);
    FINE(algorithm = tagwise_key_signature_algorithm(key, &error));
    FINE(signature = tagwise_key_sign(key, BYTES("message"), &error));
    FINE(tagwise_signature_verify(NULL, tagwise_key_public(key), tagwise_buffer_bytes(algorithm), BYTES("message"),
                                  tagwise_buffer_bytes(signature), &error));
    FAILS(tagwise_signature_verify(NULL, tagwise_key_public(key), tagwise_buffer_bytes(algorithm), BYTES("massage"),
                                   tagwise_buffer_bytes(signature), &error), "signature", NOWHERE);
    FINE(secret = tagwise_key_pkcs8(key, &error));
    FINE(again = tagwise_key_read(NULL, tagwise_buffer_bytes(secret), bytes_of(NULL, 0), &error));
    CHECK(is(tagwise_key_public(again), tagwise_key_public(key)));
    tagwise_key_free(again);
    FINE(locked = tagwise_key_pkcs8_encrypted(key, NULL, BYTES("secret"), &error));
    FAILS(tagwise_key_read(NULL, tagwise_buffer_bytes(locked), BYTES("other"), &error), "integrity", NOWHERE);
    error = NULL;
    CHECK(tagwise_key_read(NULL, tagwise_buffer_bytes(locked), bytes_of(NULL, 0), &error) == NULL);
    CHECK(tagwise_error_get_kind(error) == TAGWISE_ERROR_KIND_KEY && strstr(tagwise_error_message(error), "password") != NULL);
    CHECK(strcmp(tagwise_error_code(error), "password-needed") == 0);
    tagwise_error_free(error);
    FINE(again = tagwise_key_read(NULL, tagwise_buffer_bytes(locked), BYTES("secret"), &error));
    tagwise_key_free(again);
    FINE(backend = tagwise_backend_new("aws-lc", &error));
    FAILS(tagwise_backend_new("abacus", &error), "not-offered", NOWHERE);
    FINE(again = tagwise_key_read(backend, tagwise_buffer_bytes(secret), bytes_of(NULL, 0), &error));
    tagwise_key_free(again);
    tagwise_backend_free(backend);
    tagwise_buffer_free(locked);
    tagwise_buffer_free(secret);
    tagwise_buffer_free(signature);
    tagwise_buffer_free(algorithm);
    tagwise_key_free(key);
    FINE(secret = tagwise_digest(NULL, "sha-256", BYTES("abc"), &error));
    CHECK(tagwise_buffer_bytes(secret).len == 32 && tagwise_buffer_bytes(secret).ptr[0] == 0xBA);
    tagwise_buffer_free(secret);
}

/* A request, checked, and the builder for its certificate. */
static tagwise_certificate_builder *requested(const tagwise_key *key) {
    tagwise_request_builder *builder = tagwise_request_builder_new();
    tagwise_certificate_builder *certificate;
    tagwise_request *request;
    tagwise_buffer *der;
    struct tagwise_bytes names;
    struct tagwise_general_name name;
    uint8_t *broken;
    size_t at;

    FINE(tagwise_request_builder_subject(builder, "CN=www.example.org", &error));
    FINE(tagwise_request_builder_dns(builder, "www.example.org", &error));
    FINE(tagwise_request_builder_ip(builder, BYTES("\xC0\x00\x02\x01"), &error));
    FINE(der = tagwise_request_builder_sign(builder, key, &error));
    tagwise_request_builder_free(builder);
    FINE(request = tagwise_request_read(tagwise_buffer_bytes(der), NULL, &error));
    FINE(tagwise_request_verify_signature(request, NULL, &error));
    CHECK(buffer_is(tagwise_name_rfc4514(tagwise_request_subject(request), NULL), "CN=www.example.org"));
    CHECK(is(tagwise_request_public_key(request), tagwise_key_public(key)));
    FINE(tagwise_request_names(request, &names, &error));
    FINE(tagwise_general_name_next(&names, NULL, &name, &error));
    CHECK(is_text(name.value, "www.example.org") && tagwise_request_attributes(request).len > 0);
    FINE(certificate = tagwise_certificate_builder_for_request(request, &error));
    tagwise_request_free(request);

    /* Another subject, the same signature. */
    broken = (uint8_t *)malloc(tagwise_buffer_bytes(der).len);
    CHECK(broken != NULL);
    memcpy(broken, tagwise_buffer_bytes(der).ptr, tagwise_buffer_bytes(der).len);
    for (at = 0; memcmp(broken + at, "www.", 4) != 0; at++) CHECK(at + 4 < tagwise_buffer_bytes(der).len);
    broken[at] = 'x';
    FINE(request = tagwise_request_read(bytes_of(broken, tagwise_buffer_bytes(der).len), NULL, &error));
    FAILS(tagwise_request_verify_signature(request, NULL, &error), "signature", NOWHERE);
    tagwise_request_free(request);
    free(broken);
    tagwise_buffer_free(der);
    return certificate;
}

static tagwise_buffer *revoking(const tagwise_certificate *root, const tagwise_key *key, struct tagwise_bytes serial) {
    tagwise_crl_builder *builder;
    tagwise_buffer *der;
    tagwise_crl *crl;
    struct tagwise_crl_entry entry;
    uint32_t reason;

    FINE(builder = tagwise_crl_builder_new(root, BYTES("\x01"), &error));
    FINE(tagwise_crl_builder_updates(builder, 1767225600, 1767225600 + YEAR, &error));
    FINE(tagwise_crl_builder_revoke(builder, serial, 1767225600, 1, &error));
    FINE(der = tagwise_crl_builder_sign(builder, key, &error));
    tagwise_crl_builder_free(builder);
    FINE(crl = tagwise_crl_read(tagwise_buffer_bytes(der), NULL, &error));
    FINE(tagwise_crl_verify_signature(crl, root, NULL, &error));
    FINE(tagwise_crl_find(crl, serial, &entry, &error));
    FINE(tagwise_crl_entry_reason(&entry, &reason, &error));
    CHECK(reason == 1);
    tagwise_crl_free(crl);
    return der;
}

static void paths(void) {
    tagwise_key *root_key, *middle_key, *leaf_key;
    tagwise_certificate_builder *builder;
    tagwise_certificate *root, *middle, *leaf;
    tagwise_anchors *anchors = tagwise_anchors_new();
    tagwise_pool *pool = tagwise_pool_new();
    tagwise_policy *policy;
    tagwise_path *path;
    tagwise_buffer *oid, *crl, *report, *algorithm, *signature;
    tagwise_unsigned *tbs;
    struct tagwise_bytes der;

    FINE(root_key = tagwise_key_generate(NULL, "p-384", &error));
    FINE(middle_key = tagwise_key_generate(NULL, "p-256", &error));
    FINE(leaf_key = tagwise_key_generate(NULL, "p-256", &error));

    builder = tagwise_certificate_builder_new();
    FINE(tagwise_certificate_builder_subject(builder, "CN=Root", &error));
    FINE(tagwise_certificate_builder_validity(builder, 1767225600, 1767225600 + 10 * (int64_t)YEAR, &error));
    FINE(tagwise_certificate_builder_ca(builder, -1, &error));
    root = made(tagwise_certificate_builder_self_sign(builder, root_key, &error));
    tagwise_certificate_builder_free(builder);
    FINE(tagwise_certificate_verify_signature(root, root, NULL, &error));

    /* The key of the root signs as if it were elsewhere. */
    builder = tagwise_certificate_builder_new();
    FINE(tagwise_certificate_builder_subject(builder, "CN=Middle", &error));
    FINE(tagwise_certificate_builder_validity(builder, 1767225600, 1767225600 + 5 * (int64_t)YEAR, &error));
    FINE(tagwise_certificate_builder_ca(builder, 0, &error));
    FINE(tagwise_certificate_builder_issuer(builder, root, &error));
    FINE(tagwise_certificate_builder_public_key(builder, tagwise_key_public(middle_key), &error));
    FINE(algorithm = tagwise_key_signature_algorithm(root_key, &error));
    FINE(tbs = tagwise_certificate_builder_tbs(builder, tagwise_buffer_bytes(algorithm), &error));
    FINE(signature = tagwise_key_sign(root_key, tagwise_unsigned_tbs(tbs), &error));
    middle = made(tagwise_unsigned_attach(tbs, tagwise_buffer_bytes(signature), &error));
    tagwise_buffer_free(signature);
    tagwise_buffer_free(algorithm);
    tagwise_unsigned_free(tbs);
    tagwise_certificate_builder_free(builder);

    builder = requested(leaf_key);
    FINE(tagwise_certificate_builder_serial(builder, BYTES("\x12\x34\x56\x78\x9A\xBC\xDE\xF0"), &error));
    FINE(tagwise_certificate_builder_validity(builder, 1767225600, 1767225600 + YEAR, &error));
    FINE(tagwise_certificate_builder_key_usage(builder, TAGWISE_KEY_USAGE_DIGITAL_SIGNATURE, &error));
    FINE(oid = tagwise_oid_from_text("serverAuth", &error));
    FINE(tagwise_certificate_builder_purpose(builder, tagwise_buffer_bytes(oid), &error));
    FINE(tagwise_certificate_builder_issuer(builder, middle, &error));
    leaf = made(tagwise_certificate_builder_sign(builder, middle_key, &error));
    tagwise_certificate_builder_free(builder);
    CHECK(tagwise_certificate_allows_purpose(leaf, tagwise_buffer_bytes(oid), NULL));
    FAILS(tagwise_certificate_verify_signature(leaf, root, NULL, &error), "mismatch", NOWHERE);

    FINE(tagwise_anchors_add(anchors, tagwise_certificate_der(root), &error));
    CHECK(tagwise_anchors_count(anchors) == 1);
    FAILS(tagwise_anchors_read(anchors, BYTES("nothing"), &error), "no-certificate", NOWHERE);
    FINE(policy = tagwise_policy_new("webpki", 1767225600 + 1000, &error));
    FINE(tagwise_policy_require_dns(policy, "www.example.org", &error));
    FINE(tagwise_policy_require_purpose(policy, tagwise_buffer_bytes(oid), &error));

    error = NULL;
    CHECK(tagwise_path_find(leaf, pool, anchors, policy, NULL, NULL, &error) == NULL && strcmp(tagwise_error_code(error), "no-issuer") == 0);
    tagwise_error_free(error);
    FINE(tagwise_pool_add(pool, tagwise_certificate_der(middle), &error));
    FINE(path = tagwise_path_find(leaf, pool, anchors, policy, NULL, &report, &error));
    CHECK(tagwise_buffer_text(report)[0] == '{');
    tagwise_buffer_free(report);
    CHECK(tagwise_path_certificate_get(path, 1, &der) && is(der, tagwise_certificate_der(middle)));
    CHECK(!tagwise_path_certificate_get(path, 2, &der) && is(tagwise_path_anchor(path), tagwise_certificate_der(root)));
    tagwise_path_free(path);

    /* Revoked by the issuer of the intermediate. */
    crl = revoking(root, root_key, tagwise_certificate_serial(middle));
    FINE(tagwise_policy_add_crl(policy, tagwise_buffer_bytes(crl), &error));
    FINE(tagwise_policy_set_revocation(policy, TAGWISE_REVOCATION_PREFER, &error));
    CHECK(tagwise_path_find(leaf, pool, anchors, policy, NULL, &report, &error) == NULL);
    CHECK(tagwise_error_get_kind(error) == TAGWISE_ERROR_KIND_PATH && strcmp(tagwise_error_code(error), "revocation") == 0);
    CHECK(strstr(tagwise_buffer_text(report), "revocation") != NULL && tagwise_error_clause(error)[0] != 0);
    tagwise_error_free(error);
    tagwise_buffer_free(report);
    tagwise_policy_free(policy);

    FINE(policy = tagwise_policy_new("webpki", 1767225600 + 1000, &error));
    FINE(tagwise_policy_require_dns(policy, "example.org", &error));
    CHECK(tagwise_path_find(leaf, pool, anchors, policy, NULL, NULL, &error) == NULL);
    CHECK(strcmp(tagwise_error_code(error), "peer-name") == 0);
    tagwise_error_free(error);

    tagwise_policy_free(policy);
    tagwise_buffer_free(crl);
    tagwise_buffer_free(oid);
    tagwise_pool_free(pool);
    tagwise_anchors_free(anchors);
    tagwise_certificate_free(leaf);
    tagwise_certificate_free(middle);
    tagwise_certificate_free(root);
    tagwise_key_free(leaf_key);
    tagwise_key_free(middle_key);
    tagwise_key_free(root_key);
}

int main(void) {
    texts();
    dsa();
    keys();
    paths();
    printf("ok\n");
    return 0;
}
