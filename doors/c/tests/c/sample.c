// Values of tests/schema/sample.asn1 in generated structs, made, encoded, decoded, checked and refused. Sample.c is included before.
#include "check.h"

static struct tagwise_bytes bytes(const char *text) {
    struct tagwise_bytes made;
    made.ptr = (const uint8_t *)text;
    made.len = strlen(text);
    return made;
}

static struct tagwise_error *error;

static void refused(const char *path, const char *part) {
    CHECK(error != NULL);
    if (strcmp(tagwise_error_path(error), path) != 0 || strstr(tagwise_error_message(error), part) == NULL) {
        fprintf(stderr, "%s: %s\n", tagwise_error_path(error), tagwise_error_message(error));
        exit(1);
    }
    tagwise_error_free(error);
    error = NULL;
}

static void numbers(void) {
    struct Numbers made, *read;
    struct tagwise_buffer *der;
    struct tagwise_bytes out;
    static const uint8_t large[] = {0x01, 0, 0, 0, 0, 0, 0, 0, 0};
    memset(&made, 0, sizeof made);
    made.tiny = -3;
    made.byte = 255;
    made.word = 65535;
    made.has_word = true;
    made.long_ = INT32_MIN;
    made.unsigned_ = UINT64_MAX;
    made.any.ptr = large;
    made.any.len = sizeof large;
    der = Numbers_encode(&made, &error);
    CHECK(der != NULL);
    out = tagwise_buffer_bytes(der);
    CHECK(Numbers_decode(out.ptr, out.len, NULL, &read, &error));
    CHECK(read->tiny == -3 && read->byte == 255 && read->word == 65535 && read->has_word && !read->has_short);
    CHECK(read->long_ == INT32_MIN && read->unsigned_ == UINT64_MAX);
    CHECK(read->any.len == sizeof large && memcmp(read->any.ptr, large, sizeof large) == 0);
    Numbers_free(read);
    tagwise_buffer_free(der);
    // The DEFAULT value is absent in DER, and put in where it is read.
    made.word = 443;
    der = Numbers_encode(&made, &error);
    out = tagwise_buffer_bytes(der);
    CHECK(Numbers_decode(out.ptr, out.len, NULL, &read, &error));
    CHECK(read->word == 443 && !read->has_word);
    Numbers_free(read);
    tagwise_buffer_free(der);
    made.tiny = 4;
    CHECK(!Numbers_check(&made, &error));
    refused("tiny", "");
    // A number that is no INTEGER's content.
    made.tiny = 0;
    made.any.len = 0;
    CHECK(Numbers_encode(&made, &error) == NULL);
    refused("any", "");
}

static void trees(void) {
    struct tagwise_arena *arena = tagwise_arena_new(0);
    struct Tree root, child, *read, *deep;
    struct Leaf leaves[3];
    struct tagwise_buffer *der, *text;
    struct tagwise_bytes out;
    int level;
    memset(&root, 0, sizeof root);
    memset(&child, 0, sizeof child);
    memset(leaves, 0, sizeof leaves);
    root.name = bytes("root");
    root.left = &child;
    child.name = bytes("child");
    leaves[0].choice = Leaf_choice_number;
    leaves[0].u.number = 7;
    leaves[1].choice = Leaf_choice_nothing;
    leaves[2].choice = Leaf_choice_text;
    leaves[2].u.text = bytes("words");
    child.leaves.count = 3;
    child.leaves.items = leaves;
    der = Tree_encode(&root, &error);
    CHECK(der != NULL);
    out = tagwise_buffer_bytes(der);
    CHECK(Tree_decode(out.ptr, out.len, arena, &read, &error));
    CHECK(read->right == NULL && read->left != NULL && read->leaves.count == 0);
    CHECK(read->left->leaves.count == 3 && read->left->leaves.items[0].u.number == 7);
    CHECK(read->left->leaves.items[1].choice == Leaf_choice_nothing);
    CHECK(memcmp(read->left->leaves.items[2].u.text.ptr, "words", 5) == 0);
    Tree_free(read); // It is the arena's.
    text = Tree_print(read, &error);
    CHECK(text != NULL && strstr(tagwise_buffer_text(text), "words") != NULL);
    tagwise_buffer_free(text);
    tagwise_buffer_free(der);
    // Too long a name, an alternative that there is not, a list without items.
    child.name = bytes("0123456789abcdef0");
    CHECK(Tree_encode(&root, &error) == NULL);
    refused("left.name", "");
    child.name = bytes("child");
    leaves[1].choice = 5;
    CHECK(Tree_encode(&root, &error) == NULL);
    refused("left.leaves[1]", "no alternative has this number");
    leaves[1].choice = -1;
    CHECK(Tree_encode(&root, &error) == NULL);
    refused("left.leaves[1]", "negative");
    leaves[1].choice = Leaf_choice_tree;
    leaves[1].u.tree = NULL;
    CHECK(Tree_encode(&root, &error) == NULL);
    refused("left.leaves[1]", "NULL");
    child.leaves.items = NULL;
    CHECK(Tree_encode(&root, &error) == NULL);
    refused("left.leaves", "NULL");
    // A tree that is its own branch.
    child.leaves.count = 0;
    child.left = &root;
    CHECK(Tree_encode(&root, &error) == NULL);
    CHECK(error != NULL && strstr(tagwise_error_message(error), "contains itself") != NULL);
    tagwise_error_free(error);
    error = NULL;
    // Sixty levels of trees come back.
    deep = (struct Tree *)tagwise_arena_alloc(arena, 60 * sizeof *deep);
    CHECK(deep != NULL);
    for (level = 0; level < 60; level++) {
        deep[level].name = bytes("deep");
        deep[level].left = level == 59 ? NULL : &deep[level + 1];
    }
    der = Tree_encode(deep, &error);
    CHECK(der != NULL);
    out = tagwise_buffer_bytes(der);
    CHECK(Tree_decode(out.ptr, out.len, arena, &read, &error));
    for (level = 0; read->left != NULL; level++) read = read->left;
    CHECK(level == 59);
    tagwise_buffer_free(der);
    tagwise_arena_free(arena);
}

/* Every bit of an encoding changed, and every length cut: what is still a value comes back byte by byte. */
static void mutations(struct tagwise_bytes der) {
    struct tagwise_arena *arena = tagwise_arena_new(0);
    struct Everything *read;
    size_t at;
    int bit, taken = 0;
    static uint8_t copy[4096];
    CHECK(der.len < sizeof copy);
    for (at = 0; at < der.len; at++)
        for (bit = 0; bit < 9; bit++) {
            size_t length = bit == 8 ? at : der.len;
            memcpy(copy, der.ptr, der.len);
            if (bit < 8) copy[at] ^= (uint8_t)(1 << bit);
            if (Everything_decode(copy, length, arena, &read, &error)) {
                struct tagwise_buffer *again = Everything_encode(read, &error);
                CHECK(again != NULL && tagwise_buffer_bytes(again).len == length);
                CHECK(memcmp(tagwise_buffer_bytes(again).ptr, copy, length) == 0);
                tagwise_buffer_free(again);
                taken++;
            } else {
                CHECK(tagwise_error_get_kind(error) == TAGWISE_ERROR_KIND_INPUT && tagwise_error_message(error)[0] != 0);
                tagwise_error_free(error);
                error = NULL;
            }
            tagwise_arena_reset(arena);
        }
    CHECK(taken > 50);
    tagwise_arena_free(arena);
}

static void everything(void) {
    struct tagwise_arena *arena = tagwise_arena_new(0), *small;
    struct Everything made, *read;
    struct Label label;
    struct tagwise_buffer *der, *again;
    struct tagwise_bytes out;
    static const uint8_t flags[] = {0x40, 0x80}, other[] = {0x04, 0x01, 0x2A};
    memset(&made, 0, sizeof made);
    memset(&label, 0, sizeof label);
    made.colour = Colour_blue;
    made.shade = 5; // A later version's.
    made.flags.bytes.ptr = flags;
    made.flags.bytes.len = sizeof flags;
    made.flags.unused = 7;
    made.class_ = Sample_id_sample;
    made.octets = bytes("\x01\x02");
    made.inside.text = bytes("inside");
    made.id = Sample_id_label;
    made.value.choice = Everything_value_choice_label;
    made.value.u.label = &label;
    label.text = bytes("open");
    label.has_colour = true;
    label.colour = Colour_red;
    der = Everything_encode(&made, &error);
    if (der == NULL) fprintf(stderr, "%s: %s\n", tagwise_error_path(error), tagwise_error_message(error));
    CHECK(der != NULL);
    out = tagwise_buffer_bytes(der);
    CHECK(Everything_decode(out.ptr, out.len, arena, &read, &error));
    CHECK(!read->has_flag && !read->flag && read->colour == Colour_blue && read->shade == 5);
    CHECK(read->flags.unused == 7 && read->flags.bytes.len == 2 && read->flags.bytes.ptr[1] == 0x80);
    CHECK(read->inside.colour == Colour_green && !read->inside.has_colour);
    CHECK(memcmp(read->inside.text.ptr, "inside", 6) == 0);
    CHECK(read->numbers == NULL && !read->has_later && !read->has_time && read->unknown.len == 0);
    CHECK(read->value.choice == Everything_value_choice_label && read->value.u.label->colour == Colour_red);
    again = Everything_encode(read, &error);
    CHECK(again != NULL && tagwise_buffer_bytes(again).len == out.len);
    CHECK(memcmp(tagwise_buffer_bytes(again).ptr, out.ptr, out.len) == 0);
    tagwise_buffer_free(again);
    mutations(out);
    // What is cut off is refused at its byte.
    CHECK(!Everything_decode(out.ptr, out.len - 1, arena, &read, &error));
    CHECK(read != NULL && tagwise_error_get_kind(error) == TAGWISE_ERROR_KIND_INPUT);
    tagwise_error_free(error);
    error = NULL;
    // An arena that is too small.
    small = tagwise_arena_new(64);
    CHECK(!Everything_decode(out.ptr, out.len, small, &read, &error));
    refused("", "exceeds the arena");
    tagwise_arena_reset(small);
    tagwise_arena_free(small);
    tagwise_buffer_free(der);
    // The type of an open type must be the one that is selected.
    made.id = Sample_id_count;
    CHECK(!Everything_check(&made, &error));
    CHECK(error != NULL);
    tagwise_error_free(error);
    error = NULL;
    // One that nobody knows is an element of its own.
    made.id = Sample_id_sample;
    made.value.choice = Everything_value_choice_unknown;
    made.value.unknown.ptr = other;
    made.value.unknown.len = sizeof other;
    made.unknown.ptr = (const uint8_t *)"\x9F\x50\x01\x05";
    made.unknown.len = 4;
    der = Everything_encode(&made, &error);
    if (der == NULL) fprintf(stderr, "%s: %s\n", tagwise_error_path(error), tagwise_error_message(error));
    CHECK(der != NULL);
    out = tagwise_buffer_bytes(der);
    CHECK(Everything_decode(out.ptr, out.len, arena, &read, &error));
    CHECK(read->value.choice == Everything_value_choice_unknown && read->value.unknown.len == sizeof other);
    CHECK(read->unknown.len == 4 && read->unknown.ptr[1] == 0x50);
    made.value.unknown.len = 0;
    CHECK(Everything_encode(&made, &error) == NULL);
    refused("value", "empty");
    tagwise_buffer_free(der);
    tagwise_arena_free(arena);
}

static void rules(void) {
    // A BOOLEAN of BER, in a SEQUENCE of indefinite length.
    static const uint8_t ber[] = {0x30, 0x80, 0x80, 0x01, 0x41, 0x81, 0x01, 0x07, 0x00, 0x00};
    struct tagwise_arena *arena = tagwise_arena_new(0);
    struct Label *read;
    CHECK(!Label_decode(ber, sizeof ber, arena, &read, &error));
    tagwise_error_free(error);
    error = NULL;
    CHECK(tagwise_arena_set_rules(arena, TAGWISE_RULES_BER, NULL, &error));
    CHECK(Label_decode(ber, sizeof ber, arena, &read, &error));
    CHECK(read->colour == Colour_blue && read->text.len == 1 && read->text.ptr[0] == 'A');
    CHECK(!tagwise_arena_set_rules(arena, 2, NULL, &error));
    tagwise_error_free(error);
    error = NULL;
    tagwise_arena_free(arena);
}

int main(void) {
    numbers();
    trees();
    everything();
    rules();
    puts("ok");
    return 0;
}
