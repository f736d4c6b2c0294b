/* Binds to a directory, searches it, and prints the entries:

       ldap_search HOST PORT BIND-DN PASSWORD BASE ATTRIBUTE VALUE

   An empty BIND-DN binds anonymously; an empty VALUE looks for entries that have the attribute. ldap.h and ldap.c are made by
   `tagwise compile --lang c --name ldap -o . ldap.asn1`. Exit code 0 if there are entries, 1 if there are none, 3 for errors. */
#define _POSIX_C_SOURCE 200112L

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>

#include "common.h"
#include "ldap.h"

/* No message of a server may be longer. */
#define LARGEST ((size_t)1 << 20)

static struct tagwise_error *error;

static struct tagwise_bytes text(const char *words) {
    struct tagwise_bytes bytes;
    bytes.ptr = (const uint8_t *)words;
    bytes.len = strlen(words);
    return bytes;
}

static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(3);
}

static int connected(const char *host, const char *port) {
    struct addrinfo hints, *found, *one;
    struct timeval patience;
    int stream = -1;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, port, &hints, &found) != 0) fail("no such host");
    for (one = found; one != NULL && stream < 0; one = one->ai_next) {
        stream = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (stream >= 0 && connect(stream, one->ai_addr, one->ai_addrlen) != 0) {
            close(stream);
            stream = -1;
        }
    }
    freeaddrinfo(found);
    if (stream < 0) fail("nobody listens there");
    patience.tv_sec = 10;
    patience.tv_usec = 0;
    setsockopt(stream, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(stream, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    return stream;
}

static void send_message(int stream, const struct LDAPMessage *message) {
    struct tagwise_buffer *der = LDAPMessage_encode(message, &error);
    struct tagwise_bytes rest;
    if (der == NULL) die("request", error);
    rest = tagwise_buffer_bytes(der);
    while (rest.len > 0) {
        ssize_t sent = send(stream, rest.ptr, rest.len, 0);
        if (sent <= 0) fail("the server does not take the request");
        rest.ptr += sent;
        rest.len -= (size_t)sent;
    }
    tagwise_buffer_free(der);
}

static void receive(int stream, uint8_t *into, size_t count) {
    while (count > 0) {
        ssize_t got = recv(stream, into, count, 0);
        if (got <= 0) fail("the server does not answer");
        into += got;
        count -= (size_t)got;
    }
}

/* The next message. It is a SEQUENCE of definite length (RFC 4511 §5.1); its header says how many bytes are to come. */
static struct LDAPMessage *receive_message(int stream, struct tagwise_arena *arena) {
    static uint8_t message[LARGEST];
    struct LDAPMessage *read;
    size_t length, head = 2, octet;
    receive(stream, message, 2);
    length = message[1];
    if (message[0] != 0x30 || length == 0x80) fail("the server does not speak LDAP");
    if (length > 0x80) {
        head += length - 0x80;
        if (head > 6) fail("the server's message is too long");
        receive(stream, message + 2, head - 2);
        for (length = 0, octet = 2; octet < head; octet++) length = length << 8 | message[octet];
    }
    if (length > LARGEST - head) fail("the server's message is too long");
    receive(stream, message + head, length);
    if (!LDAPMessage_decode(message, head + length, arena, &read, &error)) die("answer", error);
    return read;
}

static void check(int64_t code, struct tagwise_bytes diagnostic) {
    if (code == LDAPResult_resultCode_success) return;
    fprintf(stderr, "the server says %lld: %.*s\n", (long long)code, TAGWISE_TEXT(diagnostic));
    exit(3);
}

static void bind_to(int stream, struct tagwise_arena *arena, const char *dn, const char *password) {
    struct LDAPMessage message, *answer;
    struct BindRequest request;
    memset(&message, 0, sizeof message);
    memset(&request, 0, sizeof request);
    message.messageID = 1;
    message.protocolOp.choice = LDAPMessage_protocolOp_choice_bindRequest;
    message.protocolOp.u.bindRequest = &request;
    request.version = 3;
    request.name = text(dn);
    request.authentication.choice = BindRequest_authentication_choice_simple;
    request.authentication.u.simple = text(password);
    send_message(stream, &message);
    answer = receive_message(stream, arena);
    if (answer->protocolOp.choice != LDAPMessage_protocolOp_choice_bindResponse) fail("no answer to bind");
    check(answer->protocolOp.u.bindResponse->resultCode, answer->protocolOp.u.bindResponse->diagnosticMessage);
    tagwise_arena_reset(arena);
}

static int search(int stream, struct tagwise_arena *arena, const char *base, const char *attribute, const char *value) {
    struct LDAPMessage message, *answer;
    struct SearchRequest request;
    struct AttributeValueAssertion assertion;
    int found = 0;
    memset(&message, 0, sizeof message);
    memset(&request, 0, sizeof request);
    memset(&assertion, 0, sizeof assertion);
    message.messageID = 2;
    message.protocolOp.choice = LDAPMessage_protocolOp_choice_searchRequest;
    message.protocolOp.u.searchRequest = &request;
    request.baseObject = text(base);
    request.scope = SearchRequest_scope_wholeSubtree;
    request.timeLimit = 10;
    if (*value == 0) {
        request.filter.choice = Filter_choice_present;
        request.filter.u.present = text(attribute);
    } else {
        request.filter.choice = Filter_choice_equalityMatch;
        request.filter.u.equalityMatch = &assertion;
        assertion.attributeDesc = text(attribute);
        assertion.assertionValue = text(value);
    }
    send_message(stream, &message);
    for (;;) {
        answer = receive_message(stream, arena);
        if (answer->messageID != 2) fail("an answer to something else");
        if (answer->protocolOp.choice == LDAPMessage_protocolOp_choice_searchResEntry) {
            const struct SearchResultEntry *entry = answer->protocolOp.u.searchResEntry;
            size_t row, one;
            printf("dn: %.*s\n", TAGWISE_TEXT(entry->objectName));
            for (row = 0; row < entry->attributes.count; row++)
                for (one = 0; one < entry->attributes.items[row].vals.count; one++)
                    printf("%.*s: %.*s\n", TAGWISE_TEXT(entry->attributes.items[row].type),
                           TAGWISE_TEXT(entry->attributes.items[row].vals.items[one]));
            puts("");
            found++;
        } else if (answer->protocolOp.choice == LDAPMessage_protocolOp_choice_searchResDone) {
            check(answer->protocolOp.u.searchResDone->resultCode, answer->protocolOp.u.searchResDone->diagnosticMessage);
            return found;
        }
        tagwise_arena_reset(arena);
    }
}

int main(int count, char **words) {
    struct tagwise_arena *arena;
    struct LDAPMessage farewell;
    int stream, found;
    if (count != 8) {
        fprintf(stderr, "usage: ldap_search HOST PORT BIND-DN PASSWORD BASE ATTRIBUTE VALUE\n");
        return 2;
    }
    stream = connected(words[1], words[2]);
    arena = tagwise_arena_new(16 * LARGEST);
    /* Servers write lengths and BOOLEANs as BER lets them. */
    if (!tagwise_arena_set_rules(arena, TAGWISE_RULES_BER, NULL, &error)) die("rules", error);
    bind_to(stream, arena, words[3], words[4]);
    found = search(stream, arena, words[5], words[6], words[7]);
    memset(&farewell, 0, sizeof farewell);
    farewell.messageID = 3;
    farewell.protocolOp.choice = LDAPMessage_protocolOp_choice_unbindRequest;
    send_message(stream, &farewell);
    tagwise_arena_free(arena);
    close(stream);
    return found == 0;
}
