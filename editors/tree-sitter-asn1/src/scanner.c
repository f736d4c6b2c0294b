// Comments (X.680 §12.6): from `--` to the next `--` or the end of the line, and from `/*` to `*/`, which nest.
#include "tree_sitter/parser.h"

enum { COMMENT };

void *tree_sitter_asn1_external_scanner_create(void) { return NULL; }
void tree_sitter_asn1_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_asn1_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload, (void)buffer;
  return 0;
}
void tree_sitter_asn1_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload, (void)buffer, (void)length;
}

static bool is_space(int32_t c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0xFEFF; }
// X.680 §12.1.6: the characters that end a line.
static bool ends_line(int32_t c) { return c >= '\n' && c <= '\r'; }

static bool dashes(TSLexer *lexer) {
  while (!lexer->eof(lexer) && !ends_line(lexer->lookahead)) {
    bool dash = lexer->lookahead == '-';
    lexer->advance(lexer, false);
    if (dash && lexer->lookahead == '-') {
      lexer->advance(lexer, false);
      return true;
    }
  }
  return true;
}

static bool block(TSLexer *lexer) {
  unsigned depth = 1;
  while (depth > 0) {
    if (lexer->eof(lexer)) return false;
    int32_t first = lexer->lookahead;
    lexer->advance(lexer, false);
    if (first == '*' && lexer->lookahead == '/') {
      lexer->advance(lexer, false);
      depth -= 1;
    } else if (first == '/' && lexer->lookahead == '*') {
      lexer->advance(lexer, false);
      depth += 1;
    }
  }
  return true;
}

bool tree_sitter_asn1_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  (void)payload;
  if (!valid_symbols[COMMENT]) return false;
  while (is_space(lexer->lookahead)) lexer->advance(lexer, true);
  int32_t first = lexer->lookahead;
  if (first != '-' && first != '/') return false;
  lexer->result_symbol = COMMENT;
  lexer->advance(lexer, false);
  if (first == '-' && lexer->lookahead == '-') {
    lexer->advance(lexer, false);
    return dashes(lexer);
  }
  if (first == '/' && lexer->lookahead == '*') {
    lexer->advance(lexer, false);
    return block(lexer);
  }
  return false;
}
