/* Many logins in one process, each in a context of its own, which loads and closes the plugins: logins COUNT PRINCIPAL PASSWORD [TOKEN]. */
#include <krb5/krb5.h>
#include <stdio.h>
#include <stdlib.h>

/* Answers the question of the example's mechanism. */
static krb5_error_code respond(krb5_context context, void *data, krb5_responder_context rctx)
{
    const char *challenge = krb5_responder_get_challenge(context, rctx, "token");
    return challenge != NULL ? krb5_responder_set_answer(context, rctx, "token", data) : 0;
}

static krb5_error_code login(krb5_context context, const char *name, char *password, char *token)
{
    krb5_get_init_creds_opt *opt = NULL;
    krb5_principal princ = NULL;
    krb5_creds creds;
    krb5_error_code code = krb5_parse_name(context, name, &princ);
    if (code == 0)
        code = krb5_get_init_creds_opt_alloc(context, &opt);
    if (code == 0 && token != NULL)
        code = krb5_get_init_creds_opt_set_responder(context, opt, respond, token);
    if (code == 0)
        code = krb5_get_init_creds_password(context, &creds, princ, password, NULL, NULL, 0, NULL, opt);
    if (code == 0)
        krb5_free_cred_contents(context, &creds);
    krb5_get_init_creds_opt_free(context, opt);
    krb5_free_principal(context, princ);
    return code;
}

/* Pages that the process holds. */
static long resident(void)
{
    long size = 0, held = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return -1;
    if (fscanf(file, "%ld %ld", &size, &held) != 2)
        held = -1;
    fclose(file);
    return held;
}

int main(int argc, char **argv)
{
    long count, done, warm = 0;

    if (argc < 4)
        return 2;
    count = atol(argv[1]);
    for (done = 0; done < count; done++) {
        krb5_context context;
        krb5_error_code code = krb5_init_context(&context);
        if (code != 0)
            return 2;
        code = login(context, argv[2], argv[3], argc > 4 ? argv[4] : NULL);
        if (code != 0) {
            const char *message = krb5_get_error_message(context, code);
            printf("login %ld: %ld %s\n", done, (long)code, message);
            krb5_free_error_message(context, message);
            krb5_free_context(context);
            return 1;
        }
        krb5_free_context(context);
        if (done == count / 2)
            warm = resident();
    }
    printf("%ld logins %ld %ld\n", done, warm, resident());
    return 0;
}
