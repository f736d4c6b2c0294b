/* CRLs: fields, entries, look-up by serial number, also in one of 9 MB that is written here. Argument: a CRL with three entries. */
#include "check.h"

#define COUNT 400000

static tagwise_error *error;

static void fields(const tagwise_crl *crl) {
    struct tagwise_bytes rest, number;
    struct tagwise_crl_entry entry;
    struct tagwise_extension extension;
    tagwise_crl_index *index;
    uint32_t reason;
    int64_t next;
    size_t count = 0;
    bool indirect;

    CHECK(buffer_is(tagwise_name_rfc4514(tagwise_crl_issuer(crl), NULL),
                    "CN=Example Root,O=Beispiel AG\\, M\xC3\xBCller & S\xC3\xB6hne,C=DE"));
    CHECK(tagwise_crl_this_update(crl) == 1795265489 && tagwise_crl_next_update(crl, &next) && next == 4948865489);
    FINE(tagwise_crl_number(crl, &number, &error));
    CHECK(is(number, BYTES("\x07")));
    CHECK(!tagwise_crl_delta_base(crl, &number, &error) && error == NULL);
    FINE(tagwise_crl_is_indirect(crl, &indirect, &error));
    CHECK(!indirect && tagwise_crl_count(crl) == 3);
    rest = tagwise_crl_extensions(crl);
    while (tagwise_extension_next(&rest, NULL, &extension, &error)) count++;
    CHECK(error == NULL && count == 2);

    rest = tagwise_crl_entries(crl);
    FINE(tagwise_crl_entry_next(&rest, NULL, &entry, &error));
    CHECK(is(entry.serial, BYTES("\x0A")) && entry.date == 1767323045);
    FINE(tagwise_crl_entry_reason(&entry, &reason, &error));
    CHECK(reason == 1);
    FINE(tagwise_crl_entry_next(&rest, NULL, &entry, &error));
    FINE(tagwise_crl_entry_next(&rest, NULL, &entry, &error));
    CHECK(!tagwise_crl_entry_reason(&entry, &reason, &error) && error == NULL);
    CHECK(!tagwise_crl_entry_next(&rest, NULL, &entry, &error) && error == NULL);

    FINE(tagwise_crl_find(crl, BYTES("\x0C"), &entry, &error));
    FINE(tagwise_crl_find(crl, BYTES("\x00\x0C"), &entry, &error));
    CHECK(!tagwise_crl_find(crl, BYTES("\x0B"), &entry, &error) && error == NULL);
    FINE(index = tagwise_crl_index_new(crl, &error));
    FINE(tagwise_crl_index_find(index, BYTES("\x0C"), bytes_of(NULL, 0), &entry, &error));
    FINE(tagwise_crl_index_find(index, BYTES("\x0C"), tagwise_crl_issuer(crl), &entry, &error));
    CHECK(!tagwise_crl_index_find(index, BYTES("\x0C"), BYTES("\x30\x00"), &entry, &error) && error == NULL);
    CHECK(!tagwise_crl_index_find(index, BYTES("\x0B"), bytes_of(NULL, 0), &entry, &error) && error == NULL);
    tagwise_crl_index_free(index);
}

/* A list with an entry for each number from 1000000 on, signed by nobody. */
static tagwise_buffer *large(void) {
    tagwise_writer *writer = tagwise_writer_new(NULL);
    tagwise_buffer *oid, *name, *done;
    int64_t serial;

    FINE(oid = tagwise_oid_from_text("1.2.840.10045.4.3.2", &error));
    FINE(name = tagwise_name_from_text(BYTES("CN=Large"), &error));
    FINE(tagwise_writer_begin(writer, TAGWISE_SEQUENCE, &error));
    FINE(tagwise_writer_begin(writer, TAGWISE_SEQUENCE, &error));
    FINE(tagwise_writer_begin(writer, TAGWISE_SEQUENCE, &error));
    FINE(tagwise_writer_oid(writer, 0, tagwise_buffer_bytes(oid), &error));
    FINE(tagwise_writer_end(writer, &error));
    FINE(tagwise_writer_encoded(writer, tagwise_buffer_bytes(name), &error));
    FINE(tagwise_writer_time(writer, 1767323045, &error));
    FINE(tagwise_writer_begin(writer, TAGWISE_SEQUENCE, &error));
    for (serial = 1000000; serial < 1000000 + COUNT; serial++) {
        FINE(tagwise_writer_begin(writer, TAGWISE_SEQUENCE, &error));
        FINE(tagwise_writer_int64(writer, 0, serial, &error));
        FINE(tagwise_writer_time(writer, 1767323045, &error));
        FINE(tagwise_writer_end(writer, &error));
    }
    FINE(tagwise_writer_end(writer, &error));
    FINE(tagwise_writer_end(writer, &error));
    FINE(tagwise_writer_begin(writer, TAGWISE_SEQUENCE, &error));
    FINE(tagwise_writer_oid(writer, 0, tagwise_buffer_bytes(oid), &error));
    FINE(tagwise_writer_end(writer, &error));
    FINE(tagwise_writer_bits(writer, 0, BYTES("\x00"), 0, &error));
    FINE(tagwise_writer_end(writer, &error));
    FINE(done = tagwise_writer_finish(writer, &error));
    tagwise_buffer_free(oid);
    tagwise_buffer_free(name);
    tagwise_writer_free(writer);
    return done;
}

int main(int argc, char **argv) {
    struct tagwise_bytes text, rest;
    struct tagwise_crl_entry entry;
    tagwise_crl_index *index;
    tagwise_buffer *der;
    tagwise_crl *crl;
    size_t count = 0;

    CHECK(argc == 2);
    text = file(argv[1]);
    FINE(crl = tagwise_crl_from_pem(text, NULL, &error));
    fields(crl);
    tagwise_crl_free(crl);
    free((void *)text.ptr);

    der = large();
    CHECK(tagwise_buffer_bytes(der).len > 8 * 1000 * 1000);
    FINE(crl = tagwise_crl_outline(tagwise_buffer_bytes(der), NULL, &error));
    tagwise_buffer_free(der);
    CHECK(tagwise_crl_count(crl) == COUNT);
    FINE(tagwise_crl_find(crl, BYTES("\x15\x5C\xBF"), &entry, &error));
    CHECK(entry.date == 1767323045);
    CHECK(!tagwise_crl_find(crl, BYTES("\x15\x5C\xC0"), &entry, &error) && error == NULL);
    FINE(index = tagwise_crl_index_new(crl, &error));
    FINE(tagwise_crl_index_find(index, BYTES("\x15\x5C\xBF"), bytes_of(NULL, 0), &entry, &error));
    CHECK(!tagwise_crl_index_find(index, BYTES("\x15\x5C\xC0"), bytes_of(NULL, 0), &entry, &error) && error == NULL);
    tagwise_crl_index_free(index);
    rest = tagwise_crl_entries(crl);
    while (tagwise_crl_entry_next(&rest, NULL, &entry, &error)) count++;
    CHECK(error == NULL && count == COUNT);
    tagwise_crl_free(crl);
    printf("ok\n");
    return 0;
}
