/* CMS, PKCS #7, PKCS #12, OCSP, time stamps. Arguments: an OCSP response, a bundle, a PKCS #12 file under `secret`, a time stamp's response. */
#include "check.h"

static tagwise_error *error;

static void signing(const tagwise_key *key, const tagwise_certificate *certificate) {
    struct tagwise_cms_signer signer;
    struct tagwise_bytes der, none = {NULL, 0};
    tagwise_buffer *message, *detached, *bundle, *list;
    tagwise_cms *cms;
    int64_t late = 4102444800;

    FINE(message = tagwise_cms_sign(NULL, BYTES("content"), key, certificate, NULL, 0, false, &error));
    FINE(tagwise_cms_type(tagwise_buffer_bytes(message), &der, &error));
    CHECK(buffer_is(tagwise_oid_text(der, NULL), "1.2.840.113549.1.7.2"));
    FINE(cms = tagwise_cms_verify(NULL, tagwise_buffer_bytes(message), none, NULL, 0, NULL, none, NULL, &error));
    CHECK(tagwise_cms_is_valid(cms) && is_text(tagwise_cms_content(cms), "content"));
    CHECK(tagwise_cms_signer_get(cms, 0, &signer) && signer.valid && is(signer.certificate, tagwise_certificate_der(certificate)));
    CHECK(!tagwise_cms_signer_get(cms, 1, &signer) && tagwise_cms_certificate_get(cms, 0, &der));
    tagwise_cms_free(cms);

    /* A certificate that has expired by then is an objection, not a wrong signature. */
    FINE(cms = tagwise_cms_verify(NULL, tagwise_buffer_bytes(message), none, NULL, 0, &late, none, NULL, &error));
    CHECK(!tagwise_cms_is_valid(cms) && tagwise_cms_signer_get(cms, 0, &signer) && !signer.valid && signer.fault.len > 0);
    tagwise_cms_free(cms);

    FINE(detached = tagwise_cms_sign(NULL, BYTES("content"), key, certificate, NULL, 0, true, &error));
    FAILS(tagwise_cms_verify(NULL, tagwise_buffer_bytes(detached), none, NULL, 0, NULL, none, NULL, &error), "no-content", NOWHERE);
    FINE(cms = tagwise_cms_verify(NULL, tagwise_buffer_bytes(detached), BYTES("content"), NULL, 0, NULL, none, NULL, &error));
    CHECK(tagwise_cms_is_valid(cms));
    tagwise_cms_free(cms);
    FINE(cms = tagwise_cms_verify(NULL, tagwise_buffer_bytes(detached), BYTES("kontent"), NULL, 0, NULL, none, NULL, &error));
    CHECK(!tagwise_cms_is_valid(cms) && tagwise_cms_signer_get(cms, 0, &signer) && !signer.valid);
    tagwise_cms_free(cms);
    tagwise_buffer_free(detached);
    tagwise_buffer_free(message);

    der = tagwise_certificate_der(certificate);
    FINE(bundle = tagwise_pkcs7_build(&der, 1, NULL, 0, &error));
    FINE(list = tagwise_pkcs7_certificates(tagwise_buffer_bytes(bundle), &error));
    CHECK(is(tagwise_buffer_bytes(list), der));
    FAILS(tagwise_cms_verify(NULL, tagwise_buffer_bytes(bundle), none, NULL, 0, NULL, none, NULL, &error), "no-content", NOWHERE);
    FINE(cms = tagwise_cms_verify(NULL, tagwise_buffer_bytes(bundle), BYTES("content"), NULL, 0, NULL, none, NULL, &error));
    CHECK(!tagwise_cms_is_valid(cms) && !tagwise_cms_signer_get(cms, 0, &signer));
    tagwise_cms_free(cms);
    tagwise_buffer_free(list);
    tagwise_buffer_free(bundle);
}

/* A signer whose key usage breaks a rule of DER is accepted where that rule is tolerated. */
static void tolerating(const tagwise_key *key) {
    struct tagwise_bytes none = {NULL, 0};
    tagwise_certificate_builder *builder = tagwise_certificate_builder_new();
    tagwise_options *options = tagwise_options_new();
    tagwise_certificate *certificate;
    tagwise_buffer *der, *message;
    struct tagwise_bytes loose;
    uint8_t bytes[4096];
    size_t at = 0;
    tagwise_cms *cms;

    loose.ptr = bytes;
    FINE(tagwise_certificate_builder_subject(builder, "CN=Signer", &error));
    FINE(tagwise_certificate_builder_validity(builder, 1577836800, 1893456000, &error));
    FINE(tagwise_certificate_builder_extension(builder, BYTES("\x55\x1D\x0F"), true, BYTES("\x03\x02\x07\x80"), &error));
    FINE(der = tagwise_certificate_builder_self_sign(builder, key, &error));
    FINE(certificate = tagwise_certificate_read(tagwise_buffer_bytes(der), NULL, &error));
    FINE(message = tagwise_cms_sign(NULL, BYTES("content"), key, certificate, NULL, 0, false, &error));
    /* digitalSignature with seven zero bits behind it (X.690 §11.2.2). The certificate's own signature is not looked at. */
    loose.len = tagwise_buffer_bytes(message).len;
    CHECK(loose.len <= sizeof bytes);
    memcpy(bytes, tagwise_buffer_bytes(message).ptr, loose.len);
    while (memcmp(bytes + at, "\x03\x02\x07\x80", 4) != 0) CHECK(++at + 4 <= loose.len);
    bytes[at + 2] = 0;
    FINE(cms = tagwise_cms_verify(NULL, loose, none, NULL, 0, NULL, none, NULL, &error));
    CHECK(!tagwise_cms_is_valid(cms));
    tagwise_cms_free(cms);
    FINE(tagwise_options_allow(options, "boolean-value, named-bits", &error));
    FINE(cms = tagwise_cms_verify(NULL, loose, none, NULL, 0, NULL, none, options, &error));
    CHECK(tagwise_cms_is_valid(cms));
    tagwise_cms_free(cms);
    /* After a call that fails, nothing is verified by these options. */
    FAILS(tagwise_options_allow(options, "named-bit", &error), "argument", NOWHERE);
    FAILS(tagwise_cms_verify(NULL, loose, none, NULL, 0, NULL, none, options, &error), "argument", NOWHERE);
    tagwise_buffer_free(message);
    tagwise_certificate_free(certificate);
    tagwise_buffer_free(der);
    tagwise_options_free(options);
    tagwise_certificate_builder_free(builder);
}

/* A message without signers, with an OCSP response and revocation information in another format (RFC 5940, RFC 5652 §10.2.1). */
static void evidence(void) {
    static const unsigned char bytes[] = {
        0x30, 0x48, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0, 0x3B, 0x30, 0x39,
        /* version, digestAlgorithms, encapContentInfo: id-data, no bytes */
        0x02, 0x01, 0x05, 0x31, 0x00, 0x30, 0x0F, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01,
        0xA0, 0x02, 0x04, 0x00,
        /* crls: id-ri-scvp, then id-ri-ocsp-response with the status malformedRequest */
        0xA1, 0x1F, 0xA1, 0x0C, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x10, 0x04, 0x30, 0x00,
        0xA1, 0x0F, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x10, 0x02, 0x30, 0x03, 0x0A, 0x01, 0x01,
        /* signerInfos */
        0x31, 0x00};
    struct tagwise_bytes none = bytes_of(NULL, 0), found;
    tagwise_cms *cms;

    FINE(cms = tagwise_cms_verify(NULL, bytes_of(bytes, sizeof bytes), none, NULL, 0, NULL, none, NULL, &error));
    CHECK(!tagwise_cms_is_valid(cms) && !tagwise_cms_crl_get(cms, 0, &found));
    CHECK(tagwise_cms_ocsp_get(cms, 0, &found) && is(found, BYTES("\x30\x03\x0A\x01\x01")));
    CHECK(!tagwise_cms_ocsp_get(cms, 1, &found));
    CHECK(is_text(tagwise_cms_unused_revocation(cms, 0), "id-ri-scvp"));
    CHECK(tagwise_cms_unused_revocation(cms, 1).ptr == NULL);
    tagwise_cms_free(cms);
}

static void encrypting(const tagwise_key *key, const tagwise_certificate *certificate) {
    struct tagwise_bytes der = tagwise_certificate_der(certificate);
    tagwise_buffer *message, *content;
    tagwise_key *other;
    bool authenticated;

    FINE(message = tagwise_cms_encrypt(NULL, BYTES("content"), &der, 1, &error));
    FINE(content = tagwise_cms_decrypt(NULL, tagwise_buffer_bytes(message), key, certificate, &authenticated, &error));
    CHECK(buffer_is(content, "content"));
    FINE(other = tagwise_key_generate(NULL, "rsa-2048", &error));
    error = NULL;
    CHECK(tagwise_cms_decrypt(NULL, tagwise_buffer_bytes(message), other, NULL, NULL, &error) == NULL && error != NULL);
    tagwise_error_free(error);
    tagwise_key_free(other);
    tagwise_buffer_free(message);
    FINE(message = tagwise_cms_encrypt_password(NULL, BYTES("content"), BYTES("secret"), &error));
    FINE(content = tagwise_cms_decrypt_password(NULL, tagwise_buffer_bytes(message), BYTES("secret"), NULL, &error));
    CHECK(buffer_is(content, "content"));
    error = NULL;
    CHECK(tagwise_cms_decrypt_password(NULL, tagwise_buffer_bytes(message), BYTES("other"), NULL, &error) == NULL && error != NULL);
    tagwise_error_free(error);
    tagwise_buffer_free(message);
}

static void stores(const tagwise_key *key, const tagwise_certificate *certificate, struct tagwise_bytes locked) {
    struct tagwise_bytes der = tagwise_certificate_der(certificate);
    struct tagwise_pkcs12_item item;
    tagwise_buffer *file;
    tagwise_pkcs12 *store;
    tagwise_key *again;
    size_t index;
    int keys = 0, certificates = 0;

    FINE(file = tagwise_pkcs12_build(NULL, "modern", key, &der, 1, "name", BYTES("secret"), 1000, &error));
    FAILS(tagwise_pkcs12_open(NULL, tagwise_buffer_bytes(file), BYTES("other"), &error), "password", NOWHERE);
    FINE(store = tagwise_pkcs12_open(NULL, tagwise_buffer_bytes(file), BYTES("secret"), &error));
    for (index = 0; tagwise_pkcs12_item_get(store, index, &item); index++) {
        CHECK(is_text(item.friendly_name, "name") && item.local_key_id.len == 1);
        if (item.kind == TAGWISE_ITEM_KIND_CERTIFICATE) {
            CHECK(is(item.value, der));
            certificates++;
        }
        if (item.kind == TAGWISE_ITEM_KIND_PRIVATE_KEY) {
            FINE(again = tagwise_key_read(NULL, item.value, bytes_of(NULL, 0), &error));
            CHECK(is(tagwise_key_public(again), tagwise_key_public(key)));
            tagwise_key_free(again);
            keys++;
        }
    }
    CHECK(keys == 1 && certificates == 1);
    tagwise_pkcs12_free(store);
    tagwise_buffer_free(file);
    FAILS(tagwise_pkcs12_open(NULL, locked, BYTES("wrong"), &error), "password", NOWHERE);
    /* version 3, authSafe of type id-data with an empty AuthenticatedSafe, and no macData. */
    {
        static const unsigned char bare[] = {0x30, 0x16, 0x02, 0x01, 0x03, 0x30, 0x11, 0x06, 0x09, 0x2A, 0x86, 0x48,
                                             0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01, 0xA0, 0x04, 0x04, 0x02, 0x30, 0x00};
        struct tagwise_bytes none = bytes_of(NULL, 0), unchecked = bytes_of(bare, sizeof bare);
        FAILS(tagwise_pkcs12_open(NULL, unchecked, none, &error), "integrity", NOWHERE);
        FINE(store = tagwise_pkcs12_open_unchecked(NULL, unchecked, none, &error));
        CHECK(!tagwise_pkcs12_item_get(store, 0, &item));
        tagwise_pkcs12_free(store);
    }
}

static void ocsp(struct tagwise_bytes der, const tagwise_certificate *certificate) {
    struct tagwise_bytes rest, name, hash;
    struct tagwise_ocsp_single single;
    tagwise_ocsp_response *response;
    tagwise_buffer *request;
    int64_t produced;

    FINE(response = tagwise_ocsp_response_read(der, NULL, &error));
    CHECK(tagwise_ocsp_response_status(response) == 0 && tagwise_ocsp_response_status(NULL) == 255);
    FINE(tagwise_ocsp_response_produced_at(response, &produced, &error));
    FINE(tagwise_ocsp_response_responder(response, &name, &hash, &error));
    CHECK((name.ptr == NULL) != (hash.ptr == NULL));
    if (name.ptr != NULL) {
        tagwise_buffer *text;
        FINE(text = tagwise_name_rfc4514(name, &error));
        tagwise_buffer_free(text);
    }
    FINE(tagwise_ocsp_response_singles(response, &rest, &error));
    FINE(tagwise_ocsp_single_next(&rest, NULL, &single, &error));
    CHECK(single.serial.len > 0 && single.this_update <= produced + 1);
    CHECK((single.status == TAGWISE_OCSP_STATUS_REVOKED) == (single.revoked_at != 0));
    tagwise_ocsp_response_free(response);
    FINE(request = tagwise_ocsp_request_build(certificate, certificate, "SHA-256", BYTES("0123456789abcdef"), &error));
    CHECK(tagwise_buffer_bytes(request).len > 100);
    tagwise_buffer_free(request);
    FAILS(tagwise_ocsp_request_build(certificate, certificate, "MD5", BYTES(""), &error), "argument", NOWHERE);
}

static void stamps(struct tagwise_bytes response) {
    struct tagwise_bytes none = {NULL, 0};
    tagwise_buffer *request;

    FINE(request = tagwise_timestamp_request(NULL, "SHA-256", BYTES("data"), true, &error));
    CHECK(tagwise_buffer_bytes(request).len > 50);
    /* The stamp of other data. */
    error = NULL;
    CHECK(tagwise_timestamp_verify(NULL, response, BYTES("data"), none, NULL, 0, NULL, NULL, &error) == NULL && error != NULL);
    tagwise_error_free(error);
    tagwise_buffer_free(request);
}

int main(int argc, char **argv) {
    struct tagwise_bytes files[4];
    tagwise_certificate_builder *builder = tagwise_certificate_builder_new();
    tagwise_certificate *certificate;
    tagwise_buffer *der, *bundle;
    tagwise_key *key;
    int index;

    CHECK(argc == 5);
    for (index = 0; index < 4; index++) files[index] = file(argv[index + 1]);
    FINE(key = tagwise_key_generate(NULL, "rsa-2048", &error));
    FINE(tagwise_certificate_builder_subject(builder, "CN=Signer", &error));
    FINE(tagwise_certificate_builder_validity(builder, 1577836800, 1893456000, &error));
    FINE(der = tagwise_certificate_builder_self_sign(builder, key, &error));
    FINE(certificate = tagwise_certificate_read(tagwise_buffer_bytes(der), NULL, &error));
    signing(key, certificate);
    tolerating(key);
    evidence();
    encrypting(key, certificate);
    ocsp(files[0], certificate);
    FINE(tagwise_buffer_bytes(der).len > 0);
    tagwise_buffer_free(der);
    FINE(bundle = tagwise_pem_decode(files[1], "PKCS7", NULL, &error));
    FINE(der = tagwise_pkcs7_certificates(tagwise_buffer_bytes(bundle), &error));
    CHECK(tagwise_buffer_bytes(der).len > 0);
    tagwise_buffer_free(der);
    tagwise_buffer_free(bundle);
    stores(key, certificate, files[2]);
    stamps(files[3]);
    for (index = 0; index < 4; index++) free((void *)files[index].ptr);
    tagwise_certificate_free(certificate);
    tagwise_certificate_builder_free(builder);
    tagwise_key_free(key);
    printf("ok\n");
    return 0;
}
