/* Modules of the examples whose functions that only free are recorded: a module in Rust does not see those calls. MODULES is the path. */
#define _GNU_SOURCE
#include <krb5/krb5.h>
#include <krb5/certauth_plugin.h>
#include <krb5/clpreauth_plugin.h>
#include <krb5/hostrealm_plugin.h>
#include <krb5/kadm5_auth_plugin.h>
#include <krb5/kdcpreauth_plugin.h>
#include <krb5/localauth_plugin.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef krb5_error_code (*fill_fn)(krb5_context, int, int, krb5_plugin_vtable);

static void called(const char *interface, const char *method)
{
    const char *path = getenv("TAGWISE_PLUGIN_TRACE");
    char host[1024], *base;
    ssize_t length = readlink("/proc/self/exe", host, sizeof(host) - 1);
    FILE *file = path != NULL && length > 0 ? fopen(path, "a") : NULL;
    if (file == NULL)
        return;
    host[length] = '\0';
    base = strrchr(host, '/');
    fprintf(file, "%s\t%s\t%s\t\n", interface, method, base != NULL ? base + 1 : host);
    fclose(file);
}

/* The example's own function; its library stays loaded. */
static fill_fn example(const char *name)
{
    static void *library;
    if (library == NULL)
        library = dlopen(MODULES, RTLD_NOW);
    return library != NULL ? (fill_fn)dlsym(library, name) : NULL;
}

/* Exports INTERFACE's function, in whose table FIELD is recorded. A module that leaves the field empty is not the example. */
#define COUNTED(interface, vtable_type, field, parameters, arguments)                                                      \
    static void (*interface##_##field##_of) parameters;                                                                    \
    static void interface##_##field parameters                                                                             \
    {                                                                                                                      \
        called(#interface, #field);                                                                                        \
        interface##_##field##_of arguments;                                                                                \
    }                                                                                                                      \
    krb5_error_code interface##_example_initvt(krb5_context context, int major, int minor, krb5_plugin_vtable table);     \
    krb5_error_code interface##_example_initvt(krb5_context context, int major, int minor, krb5_plugin_vtable table)      \
    {                                                                                                                      \
        fill_fn fill = example(#interface "_example_initvt");                                                              \
        krb5_error_code code = fill != NULL ? fill(context, major, minor, table) : KRB5_PLUGIN_OP_NOTSUPP;                 \
        if (code != 0)                                                                                                     \
            return code;                                                                                                   \
        interface##_##field##_of = ((vtable_type)table)->field;                                                            \
        if (interface##_##field##_of == NULL)                                                                              \
            return KRB5_PLUGIN_OP_NOTSUPP;                                                                                 \
        ((vtable_type)table)->field = interface##_##field;                                                                 \
        return 0;                                                                                                          \
    }

COUNTED(hostrealm, krb5_hostrealm_vtable, free_list, (krb5_context c, krb5_hostrealm_moddata d, char **l), (c, d, l))
COUNTED(localauth, krb5_localauth_vtable, free_string, (krb5_context c, krb5_localauth_moddata d, char *s), (c, d, s))
COUNTED(certauth, krb5_certauth_vtable, free_ind, (krb5_context c, krb5_certauth_moddata d, char **l), (c, d, l))
COUNTED(kadm5_auth, kadm5_auth_vtable, free_restrictions,
        (krb5_context c, kadm5_auth_moddata d, struct kadm5_auth_restrictions *r), (c, d, r))
COUNTED(kdcpreauth, krb5_kdcpreauth_vtable, free_modreq, (krb5_context c, krb5_kdcpreauth_moddata d, krb5_kdcpreauth_modreq r),
        (c, d, r))
COUNTED(clpreauth, krb5_clpreauth_vtable, request_fini, (krb5_context c, krb5_clpreauth_moddata d, krb5_clpreauth_modreq r),
        (c, d, r))
