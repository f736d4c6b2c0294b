/* Calls of libkrb5 that ask plugins: ask VERB ARGUMENT..., the answer on standard output. */
#include <krb5/krb5.h>
#include <stdio.h>
#include <string.h>

static int fail(krb5_context context, krb5_error_code code)
{
    const char *message = krb5_get_error_message(context, code);
    printf("error %ld %s\n", (long)code, message);
    krb5_free_error_message(context, message);
    return 1;
}

/* Answers the question of the example's mechanism. */
static krb5_error_code respond(krb5_context context, void *data, krb5_responder_context rctx)
{
    const char *challenge = krb5_responder_get_challenge(context, rctx, "token");
    printf("challenge %s\n", challenge != NULL ? challenge : "none");
    return challenge != NULL ? krb5_responder_set_answer(context, rctx, "token", data) : 0;
}

/* Gets a ticket with a password and a token. */
static krb5_error_code login(krb5_context context, krb5_principal princ, char *password, char *token)
{
    krb5_get_init_creds_opt *opt;
    krb5_creds creds;
    krb5_error_code code = krb5_get_init_creds_opt_alloc(context, &opt);
    if (code != 0)
        return code;
    code = krb5_get_init_creds_opt_set_responder(context, opt, respond, token);
    if (code == 0)
        code = krb5_get_init_creds_password(context, &creds, princ, password, NULL, NULL, 0, NULL, opt);
    if (code == 0)
        krb5_free_cred_contents(context, &creds);
    krb5_get_init_creds_opt_free(context, opt);
    return code;
}

int main(int argc, char **argv)
{
    krb5_context context;
    krb5_principal princ = NULL, found = NULL;
    krb5_ccache cache = NULL;
    krb5_error_code code;
    char name[256], **realms, *realm;
    int i;

    if (argc < 2 || krb5_init_context(&context) != 0)
        return 2;
    if (strcmp(argv[1], "default") == 0) {
        if ((code = krb5_get_default_realm(context, &realm)) != 0)
            return fail(context, code);
        printf("%s\n", realm);
        krb5_free_default_realm(context, realm);
    } else if (strcmp(argv[1], "host") == 0 || strcmp(argv[1], "fallback") == 0) {
        krb5_data host = { 0, (unsigned)strlen(argv[2]), argv[2] };
        code = argv[1][0] == 'h' ? krb5_get_host_realm(context, argv[2], &realms)
                                 : krb5_get_fallback_host_realm(context, &host, &realms);
        if (code != 0)
            return fail(context, code);
        for (i = 0; realms[i] != NULL; i++)
            printf("[%s]", realms[i]);
        printf("\n");
        krb5_free_host_realm(context, realms);
    } else {
        if ((code = krb5_parse_name(context, argv[2], &princ)) != 0)
            return fail(context, code);
        if (strcmp(argv[1], "userok") == 0) {
            printf("%s\n", krb5_kuserok(context, princ, argv[3]) ? "yes" : "no");
        } else if (strcmp(argv[1], "login") == 0) {
            if ((code = login(context, princ, argv[3], argv[4])) != 0)
                return fail(context, code);
            printf("yes\n");
        } else if (strcmp(argv[1], "an2ln") == 0) {
            if ((code = krb5_aname_to_localname(context, princ, sizeof(name), name)) != 0)
                return fail(context, code);
            printf("%s\n", name);
        } else {
            code = krb5_cc_select(context, princ, &cache, &found);
            if (found != NULL) {
                char *text;
                if (krb5_unparse_name(context, found, &text) == 0) {
                    printf("%s ", text);
                    krb5_free_unparsed_name(context, text);
                }
                krb5_free_principal(context, found);
            }
            if (cache != NULL) {
                printf("%s:%s", krb5_cc_get_type(context, cache), krb5_cc_get_name(context, cache));
                krb5_cc_close(context, cache);
            }
            printf(" %ld\n", (long)code);
        }
        krb5_free_principal(context, princ);
    }
    krb5_free_context(context);
    return 0;
}
