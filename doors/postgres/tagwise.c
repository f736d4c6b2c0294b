/*
 * Certificates in PostgreSQL, over libtagwise. The functions have the names and results of libx509pq, which crt.sh uses;
 * functions.tsv lists them.
 *
 * Memory: a handle of the library is freed when the memory context of the call is reset, so also after an error. No error is raised
 * while a frame of the library is on the stack.
 */

#include "postgres.h"

#include "support.h"

PG_MODULE_MAGIC;

#include "functions.inc"

struct tagwise_options *lenient;
struct tagwise_backend *backend;

void _PG_init(void);

void _PG_init(void)
{
    lenient = tagwise_options_new();
    backend = tagwise_backend_new("aws-lc", NULL);
    if (lenient == NULL || backend == NULL || !tagwise_options_allow(lenient, "all", NULL))
        ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("cannot initialize libtagwise")));
}
