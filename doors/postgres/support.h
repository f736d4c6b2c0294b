/* What the functions of the extension share: memory, arguments, results and parts of certificates. */

#ifndef TAGWISE_POSTGRES_SUPPORT_H
#define TAGWISE_POSTGRES_SUPPORT_H

#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"

#include "tagwise.h"

#include "functions.h"

/* The module exports the functions of functions.h only. */
#pragma GCC visibility push(hidden)

/* What the text functions of libx509pq return for a malformed certificate. */
#define MALFORMED "ERROR!"

/* Tolerates everything that the library can tolerate, as libx509pq does. */
extern struct tagwise_options *lenient;
extern struct tagwise_backend *backend;

void free_certificate(void *certificate);
void free_buffer(void *buffer);
MemoryContextCallback *owner(void (*release)(void *));
struct tagwise_bytes bytes_of(const bytea *value);
struct tagwise_certificate *certificate_arg(FunctionCallInfo fcinfo);
struct tagwise_bytes kept(MemoryContextCallback *callback, struct tagwise_buffer *buffer);
bytea *bytea_of(struct tagwise_bytes bytes);
Datum text_or_null(FunctionCallInfo fcinfo, struct tagwise_bytes bytes);
Datum bytea_or_null(FunctionCallInfo fcinfo, struct tagwise_bytes bytes);
Datum text_or_malformed(struct tagwise_bytes bytes);
ReturnSetInfo *begin_set(FunctionCallInfo fcinfo);
void add(ReturnSetInfo *set, struct tagwise_bytes bytes);
void add_oid(ReturnSetInfo *set, struct tagwise_bytes oid, bool is_numeric);
struct tagwise_bytes oid_of(const char *dotted);
bool extension_of(const struct tagwise_certificate *certificate, const char *dotted, struct tagwise_extension *found);
bool field_of(const struct tagwise_extension *extension, const char *path, size_t index, struct tagwise_element *field);
bool is_text(struct tagwise_bytes bytes, const char *expected);
struct tagwise_bytes nested(struct tagwise_bytes rest, const int *indexes);
struct tagwise_bytes one_line(struct tagwise_bytes name);

/* `kept` with a callback that exists before the buffer does. */
#define KEPT(call) kept(owner(free_buffer), (call))

#pragma GCC visibility pop

#endif
