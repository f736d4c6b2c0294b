/*
 * Verifies a server's certificate: verify_chain HOST ANCHORS CERTIFICATE [INTERMEDIATE ...]
 * Exit code 0 if there is a valid path, which is printed, and 1 with the reason if there is none.
 */
#include <time.h>

#include "common.h"

int main(int argc, char **argv) {
    tagwise_anchors *anchors = tagwise_anchors_new();
    tagwise_pool *pool = tagwise_pool_new();
    tagwise_policy *policy;
    tagwise_certificate *leaf, *other;
    tagwise_path *path;
    tagwise_error *error = NULL;
    struct tagwise_bytes content, der;
    size_t at;
    int index, status = 0;

    if (argc < 4) {
        fprintf(stderr, "usage: %s HOST ANCHORS CERTIFICATE [INTERMEDIATE ...]\n", argv[0]);
        return 2;
    }
    content = read_file(argv[2]);
    if (!tagwise_anchors_read(anchors, content, &error)) die(argv[2], error);
    free((void *)content.ptr);
    leaf = read_certificate(argv[3]);
    for (index = 4; index < argc; index++) {
        other = read_certificate(argv[index]);
        if (!tagwise_pool_add(pool, tagwise_certificate_der(other), &error)) die(argv[index], error);
        tagwise_certificate_free(other);
    }
    policy = tagwise_policy_new("webpki", (int64_t)time(NULL), &error);
    if (policy == NULL || !tagwise_policy_require_dns(policy, argv[1], &error)) die(argv[1], error);

    path = tagwise_path_find(leaf, pool, anchors, policy, NULL, NULL, &error);
    if (path == NULL) {
        printf("not valid: %s (%s, %s)\n", tagwise_error_message(error), tagwise_error_code(error), tagwise_error_clause(error));
        status = tagwise_error_get_kind(error) == TAGWISE_ERROR_KIND_PATH ? 1 : 3;
        tagwise_error_free(error);
    } else {
        for (at = 0; tagwise_path_certificate_get(path, at, &der); at++) {
            tagwise_buffer *subject;
            other = tagwise_certificate_outline(der, NULL, &error);
            if (other == NULL) die("path", error);
            subject = tagwise_name_rfc4514(tagwise_certificate_subject(other), NULL);
            printf("%lu: %s\n", (unsigned long)at, tagwise_buffer_text(subject));
            tagwise_buffer_free(subject);
            tagwise_certificate_free(other);
        }
        printf("valid\n");
        tagwise_path_free(path);
    }
    tagwise_policy_free(policy);
    tagwise_certificate_free(leaf);
    tagwise_pool_free(pool);
    tagwise_anchors_free(anchors);
    return status;
}
