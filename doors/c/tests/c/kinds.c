// Members of generated structs of crates/asn1/tables/tests/kinds.asn1. kinds.c of the generated code is included before.
#include "check.h"

static struct tagwise_error *error;

static struct tagwise_bytes bytes(const char *text) {
    struct tagwise_bytes made;
    made.ptr = (const uint8_t *)text;
    made.len = strlen(text);
    return made;
}

static void refused(const char *path, const char *part) {
    CHECK(error != NULL);
    if (strcmp(tagwise_error_path(error), path) != 0 || strstr(tagwise_error_message(error), part) == NULL) {
        fprintf(stderr, "%s: %s\n", tagwise_error_path(error), tagwise_error_message(error));
        exit(1);
    }
    tagwise_error_free(error);
    error = NULL;
}

/* A SET with a REAL, a large INTEGER, DEFAULT values, a CHOICE and an addition. */
static void record(struct tagwise_arena *arena) {
    static const uint8_t half[] = {0x80, 0xFF, 0x03}, large[] = {1, 0, 0, 0, 0, 0, 0, 0, 0}, second[] = {0x40};
    struct Record made, *read;
    struct tagwise_buffer *der;
    struct tagwise_bytes out;
    memset(&made, 0, sizeof made);
    made.real.ptr = half;
    made.real.len = sizeof half;
    made.large.ptr = large;
    made.large.len = sizeof large;
    made.has_small = true;
    made.small = 5;
    made.has_flags = true;
    made.flags.bytes.ptr = second;
    made.flags.bytes.len = 1;
    made.flags.unused = 6;
    made.choice.choice = Record_choice_choice_second;
    made.choice.u.second = true;
    made.has_later = true;
    made.later = 7;
    made.unknown = bytes("\x9F\x50\x01\x05\x9F\x51\x01\x06");
    der = Record_encode(&made, &error);
    if (der == NULL) fprintf(stderr, "%s: %s\n", tagwise_error_path(error), tagwise_error_message(error));
    CHECK(der != NULL);
    out = tagwise_buffer_bytes(der);
    FINE(Record_decode(out.ptr, out.len, arena, &read, &error));
    CHECK(!read->has_small && read->small == 5);
    CHECK(!read->has_flags && read->flags.unused == 6 && read->flags.bytes.len == 1 && read->flags.bytes.ptr[0] == 0x40);
    CHECK(read->real.len == 3 && read->large.len == 9 && !read->has_text && !read->has_time);
    CHECK(read->choice.choice == Record_choice_choice_second && read->choice.u.second);
    CHECK(read->has_later && read->later == 7 && read->unknown.len == 8 && read->unknown.ptr[5] == 0x51);
    tagwise_buffer_free(der);
    made.small = -130;
    CHECK(Record_encode(&made, &error) == NULL);
    refused("small", "");
    made.small = 4;
    made.unknown.len = 3;
    CHECK(Record_encode(&made, &error) == NULL);
    refused("$additions[0]", "");
}

/* Groups of additions, and an unknown addition between two roots. */
static void versions(struct tagwise_arena *arena) {
    static const uint8_t later[] = {0x30, 0x0C, 0xA0, 3, 2, 1, 5, 0x8A, 0, 0x04, 3, 1, 2, 3};
    struct Versions *read, made;
    struct tagwise_buffer *der;
    FINE(Versions_decode(later, sizeof later, arena, &read, &error));
    CHECK(read->first == 5 && !read->has_grouped && !read->has_single && read->has_last && read->last.len == 3);
    CHECK(read->unknown.len == 2 && read->unknown.ptr[0] == 0x8A);
    der = Versions_encode(read, &error);
    CHECK(der != NULL && tagwise_buffer_bytes(der).len == sizeof later);
    CHECK(memcmp(tagwise_buffer_bytes(der).ptr, later, sizeof later) == 0);
    tagwise_buffer_free(der);
    memset(&made, 0, sizeof made);
    made.has_other = true;
    CHECK(Versions_encode(&made, &error) == NULL);
    refused("grouped", "");
}

/* A type that contains itself in lists and strings. A SET OF is sorted. */
static void trees(struct tagwise_arena *arena) {
    struct Tree root, inner, leaves[4], *read;
    struct Tree_set set;
    struct Tree_branches branches;
    struct tagwise_buffer *der, *text;
    struct tagwise_bytes out;
    memset(&root, 0, sizeof root);
    memset(&inner, 0, sizeof inner);
    memset(leaves, 0, sizeof leaves);
    root.choice = Tree_choice_wrapped;
    root.u.wrapped = &inner;
    inner.choice = Tree_choice_set;
    inner.u.set = &set;
    set.count = 3;
    set.items = leaves;
    leaves[0].choice = leaves[1].choice = leaves[2].choice = leaves[3].choice = Tree_choice_leaf;
    leaves[0].u.leaf = bytes("ccc");
    leaves[1].u.leaf = bytes("b");
    leaves[2].u.leaf = bytes("a");
    leaves[3].u.leaf = bytes("d");
    der = Tree_encode(&root, &error);
    CHECK(der != NULL);
    out = tagwise_buffer_bytes(der);
    FINE(Tree_decode(out.ptr, out.len, arena, &read, &error));
    CHECK(read->choice == Tree_choice_wrapped && read->u.wrapped->choice == Tree_choice_set);
    CHECK(read->u.wrapped->u.set->count == 3 && read->u.wrapped->u.set->items[0].u.leaf.ptr[0] == 'a');
    CHECK(read->u.wrapped->u.set->items[2].u.leaf.len == 3);
    text = Tree_print(read, &error);
    CHECK(text != NULL && strstr(tagwise_buffer_text(text), "ccc") != NULL);
    tagwise_buffer_free(text);
    tagwise_buffer_free(der);
    branches.count = 4;
    branches.items = leaves;
    inner.choice = Tree_choice_branches;
    inner.u.branches = &branches;
    CHECK(!Tree_check(&root, &error));
    CHECK(error != NULL && strstr(tagwise_error_path(error), "branches") != NULL);
    tagwise_error_free(error);
    error = NULL;
    // What is not allowed is shown nevertheless.
    text = Tree_print(&root, &error);
    CHECK(text != NULL && strstr(tagwise_buffer_text(text), "ccc") != NULL);
    tagwise_buffer_free(text);
}

/* Open types whose selector lies outside of their list, in a string, and behind them in a SET. */
static void parcels(struct tagwise_arena *arena) {
    static const uint8_t ber[] = {0x31, 0x80, 0xA0, 5, 0x30, 3, 0x80, 1, 7, 0x81, 0x81, 1, 2, 0, 0};
    struct Parcel made, *read;
    struct Parcel_values_item values[2];
    struct Parcel_inside inside;
    struct Point points[2];
    struct Swapped *swapped;
    struct tagwise_buffer *der;
    struct tagwise_bytes out;
    memset(&made, 0, sizeof made);
    memset(values, 0, sizeof values);
    memset(&inside, 0, sizeof inside);
    memset(points, 0, sizeof points);
    made.head.unit = bytes("\x04");
    made.values.count = 2;
    made.values.items = values;
    values[0].choice = values[1].choice = Parcel_values_item_choice_Point;
    values[0].u.Point = &points[0];
    values[1].u.Point = &points[1];
    points[1].x = 9;
    inside.choice = Parcel_inside_choice_Point;
    inside.u.Point = &points[1];
    made.inside = &inside;
    der = Parcel_encode(&made, &error);
    if (der == NULL) fprintf(stderr, "%s: %s\n", tagwise_error_path(error), tagwise_error_message(error));
    CHECK(der != NULL);
    out = tagwise_buffer_bytes(der);
    FINE(Parcel_decode(out.ptr, out.len, arena, &read, &error));
    CHECK(read->values.items[1].choice == Parcel_values_item_choice_Point && read->values.items[1].u.Point->x == 9);
    CHECK(read->inside != NULL && read->inside->choice == Parcel_inside_choice_Point && read->inside->u.Point->x == 9);
    tagwise_buffer_free(der);
    made.head.unit = bytes("\x01");
    CHECK(Parcel_encode(&made, &error) == NULL);
    tagwise_error_free(error);
    error = NULL;
    // The end of an indefinite length, and a length in long form.
    CHECK(!Swapped_decode(ber, sizeof ber, arena, &swapped, &error));
    tagwise_error_free(error);
    error = NULL;
    FINE(tagwise_arena_set_rules(arena, TAGWISE_RULES_BER, NULL, &error));
    FINE(Swapped_decode(ber, sizeof ber, arena, &swapped, &error));
    CHECK(swapped->value.choice == Swapped_value_choice_Point && swapped->value.u.Point->x == 7);
}

/* A structured DEFAULT value is NULL; constraints on whole values are checked. */
static void shapes(struct tagwise_arena *arena) {
    static const uint8_t plain[] = {0x30, 2, 0xA1, 0}, usual[] = {0x30, 10, 0xA0, 6, 0x80, 1, 1, 0x81, 1, 2, 0xA1, 0};
    static const uint8_t tall[] = {0x30, 10, 0xA1, 8, 0x30, 6, 0x80, 1, 1, 0x81, 1, 2};
    static const uint8_t external[] = {0x30, 0x0D, 0xA0, 3, 2, 1, 5, 0xA1, 6, 6, 1, 0x29, 0x81, 1, 0xFF};
    struct Shape *read;
    struct Loose *loose;
    FINE(Shape_decode(plain, sizeof plain, arena, &read, &error));
    CHECK(read->origin == NULL && read->flats.count == 0 && !read->has_name);
    CHECK(!Shape_decode(usual, sizeof usual, arena, &read, &error));
    refused("origin", "DEFAULT");
    CHECK(!Shape_decode(tall, sizeof tall, arena, &read, &error));
    CHECK(error != NULL && tagwise_error_offset(error) == 6);
    tagwise_error_free(error);
    error = NULL;
    FINE(Loose_decode(external, sizeof external, arena, &loose, &error));
    CHECK(loose->any.len == 3 && loose->external != NULL && loose->external->has_direct_reference);
    CHECK(loose->external->encoding.choice == Loose_external_encoding_choice_octet_aligned);
}

int main(void) {
    struct tagwise_arena *arena = tagwise_arena_new(0);
    record(arena);
    versions(arena);
    trees(arena);
    shapes(arena);
    parcels(arena);
    tagwise_arena_free(arena);
    kinds_unload();
    puts("ok");
    return 0;
}
