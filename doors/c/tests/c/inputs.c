/* Input in any form: each row of a table has the same answer as in Rust, Python and the command. Argument: the table, whose rows
   have a name, the answer, and the input in base64. */
#include "check.h"

#include <stdlib.h>

static tagwise_error *error;

static int digit(char character) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = character == '\0' ? NULL : strchr(digits, character);
    return found == NULL ? -1 : (int)(found - digits);
}

/* Decodes base64 in place, up to its end or padding. */
static size_t decoded(char *text) {
    size_t read = 0, written = 0;
    unsigned bits = 0, count = 0;
    int value;
    while ((value = digit(text[read++])) >= 0) {
        bits = (bits << 6 | (unsigned)value) & 0xFFFFFF;
        count += 6;
        if (count >= 8) {
            count -= 8;
            text[written++] = (char)(bits >> count & 0xFF);
        }
    }
    return written;
}

static void check_row(const char *name, const char *expected, char *text) {
    static char answer[1 << 16];
    struct tagwise_input_value value;
    struct tagwise_bytes form;
    tagwise_input *input;
    size_t at, index, size = decoded(text);

    FINE(input = tagwise_input_find(bytes_of(text, size), NULL, &error));
    form = tagwise_input_form(input);
    at = (size_t)sprintf(answer, "%.*s:", (int)form.len, (const char *)form.ptr);
    for (index = 0; tagwise_input_get(input, index, &value); index++) {
        at += (size_t)sprintf(answer + at, "%s %.*s", index > 0 ? "," : "", (int)value.kind.len, (const char *)value.kind.ptr);
        if (value.line > 0) at += (size_t)sprintf(answer + at, "@%lu", (unsigned long)value.line);
        at += (size_t)sprintf(answer + at, "/%lu", (unsigned long)value.der.len);
        if (value.error_code.ptr != NULL) {
            at += (size_t)sprintf(answer + at, "!%.*s", (int)value.error_code.len, (const char *)value.error_code.ptr);
            CHECK(value.error_text.len > 0);
        }
        CHECK(value.description.len > 0);
    }
    if (strcmp(answer, expected) != 0) {
        fprintf(stderr, "%s: %s, expected %s\n", name, answer, expected);
        exit(1);
    }
    tagwise_input_free(input);
}

int main(int argc, char **argv) {
    static char line[1 << 20];
    size_t rows = 0;
    FILE *table;
    CHECK(argc == 2);
    table = fopen(argv[1], "r");
    CHECK(table != NULL && fgets(line, sizeof line, table) != NULL);
    while (fgets(line, sizeof line, table) != NULL) {
        char *answer = strchr(line, '\t'), *input = answer == NULL ? NULL : strchr(answer + 1, '\t');
        CHECK(input != NULL);
        *answer++ = '\0';
        *input++ = '\0';
        check_row(line, answer, input);
        rows++;
    }
    fclose(table);
    CHECK(rows >= 50);
    puts("ok");
    return 0;
}
