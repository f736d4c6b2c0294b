/* Tells what messages of Kerberos say, one in a file:

       kerberos_messages FILE...

   krb5.h and krb5.c are made by `tagwise compile --lang c --name krb5 -o . schemas/krb5/KerberosV5Spec2.asn1`. Exit code 3 for a file that
   is none. */
#include "common.h"
#include "krb5.h"

static struct tagwise_error *error;
static struct tagwise_arena *arena;

static void principal(const char *what, const struct PrincipalName *name, const struct tagwise_bytes *realm) {
    size_t part;
    if (name == NULL || realm == NULL) return;
    printf(" %s ", what);
    for (part = 0; part < name->name_string.count; part++)
        printf("%s%.*s", part == 0 ? "" : "/", TAGWISE_TEXT(name->name_string.items[part]));
    printf("@%.*s", TAGWISE_TEXT(*realm));
}

static void request(const char *kind, const struct KDC_REQ *req) {
    size_t one;
    printf("%s:", kind);
    principal("of", req->req_body.cname, &req->req_body.realm);
    principal("for", req->req_body.sname, &req->req_body.realm);
    for (one = 0; one < req->req_body.etype.count; one++)
        printf("%s%ld", one == 0 ? " etypes " : ",", (long)req->req_body.etype.items[one]);
    puts("");
}

static void reply(const char *kind, const struct KDC_REP *rep) {
    printf("%s:", kind);
    principal("to", &rep->cname, &rep->crealm);
    principal("for", &rep->ticket.sname, &rep->ticket.realm);
    printf(", ticket of %lu bytes\n", (unsigned long)rep->ticket.enc_part.cipher.len);
}

static void tell(const char *path) {
    struct tagwise_bytes bytes = read_file(path);
    int first = bytes.len == 0 ? -1 : bytes.ptr[0];
    union {
        AS_REQ_t *as_req;
        TGS_REQ_t *tgs_req;
        AS_REP_t *as_rep;
        TGS_REP_t *tgs_rep;
        KRB_ERROR_t *failure;
        AP_REQ_t *ap_req;
    } read;
    bool fine = true;
    switch (first) {
    case 0x6A:
        if ((fine = AS_REQ_decode(bytes.ptr, bytes.len, arena, &read.as_req, &error))) request("AS-REQ", read.as_req);
        break;
    case 0x6C:
        if ((fine = TGS_REQ_decode(bytes.ptr, bytes.len, arena, &read.tgs_req, &error))) request("TGS-REQ", read.tgs_req);
        break;
    case 0x6B:
        if ((fine = AS_REP_decode(bytes.ptr, bytes.len, arena, &read.as_rep, &error))) reply("AS-REP", read.as_rep);
        break;
    case 0x6D:
        if ((fine = TGS_REP_decode(bytes.ptr, bytes.len, arena, &read.tgs_rep, &error))) reply("TGS-REP", read.tgs_rep);
        break;
    case 0x6E:
        if ((fine = AP_REQ_decode(bytes.ptr, bytes.len, arena, &read.ap_req, &error))) {
            printf("AP-REQ:");
            principal("for", &read.ap_req->ticket.sname, &read.ap_req->ticket.realm);
            puts("");
        }
        break;
    case 0x7E:
        if ((fine = KRB_ERROR_decode(bytes.ptr, bytes.len, arena, &read.failure, &error))) {
            printf("KRB-ERROR: %ld", (long)read.failure->error_code);
            principal("for", &read.failure->sname, &read.failure->realm);
            if (read.failure->has_e_text) printf(": %.*s", TAGWISE_TEXT(read.failure->e_text));
            puts("");
        }
        break;
    default:
        die(path, NULL);
    }
    if (!fine) die(path, error);
    free((void *)bytes.ptr);
    tagwise_arena_reset(arena);
}

int main(int count, char **files) {
    int file;
    arena = tagwise_arena_new(0);
    for (file = 1; file < count; file++) tell(files[file]);
    tagwise_arena_free(arena);
    return count < 2 ? 2 : 0;
}
