/* Gets a ticket within a tunnel: otp ARMOR PRINCIPAL ANSWER. Prints the question that the responder is asked, then yes or the error. */
#include <krb5/krb5.h>
#include <stdio.h>

static krb5_error_code respond(krb5_context context, void *data, krb5_responder_context rctx)
{
    const char *question = krb5_responder_get_challenge(context, rctx, KRB5_RESPONDER_QUESTION_OTP);
    printf("%s\n", question != NULL ? question : "none");
    return question != NULL ? krb5_responder_set_answer(context, rctx, KRB5_RESPONDER_QUESTION_OTP, data) : 0;
}

int main(int argc, char **argv)
{
    krb5_context context;
    krb5_principal princ;
    krb5_get_init_creds_opt *opt;
    krb5_creds creds;
    krb5_error_code code;

    if (argc != 4 || krb5_init_context(&context) != 0)
        return 2;
    if ((code = krb5_parse_name(context, argv[2], &princ)) == 0 &&
        (code = krb5_get_init_creds_opt_alloc(context, &opt)) == 0) {
        code = krb5_get_init_creds_opt_set_fast_ccache_name(context, opt, argv[1]);
        if (code == 0)
            code = krb5_get_init_creds_opt_set_fast_flags(context, opt, KRB5_FAST_REQUIRED);
        if (code == 0)
            code = krb5_get_init_creds_opt_set_responder(context, opt, respond, argv[3]);
        if (code == 0)
            code = krb5_get_init_creds_password(context, &creds, princ, NULL, NULL, NULL, 0, NULL, opt);
        if (code == 0)
            krb5_free_cred_contents(context, &creds);
        krb5_get_init_creds_opt_free(context, opt);
        krb5_free_principal(context, princ);
    }
    if (code == 0) {
        printf("yes\n");
    } else {
        const char *message = krb5_get_error_message(context, code);
        printf("error %ld %s\n", (long)code, message);
        krb5_free_error_message(context, message);
    }
    krb5_free_context(context);
    return code != 0;
}
