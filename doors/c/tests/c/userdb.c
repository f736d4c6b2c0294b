/* Users and groups by varlink: of a service whose socket is the first argument; one that hangs up; one that is silent; one that is not there. */
#include "check.h"

#include <unistd.h>

static tagwise_error *error;

static tagwise_userdb_client *client_of(const char *path) {
    tagwise_userdb_client *client;
    FINE(client = tagwise_userdb_client_new("org.example.Crabs", path, &error));
    return client;
}

static void user(const tagwise_userdb_client *client) {
    uint32_t uid = 4242, other = 77, number = 0;
    uint64_t time = 0;
    tagwise_user *ferris;
    tagwise_buffer *json;

    FINE(ferris = tagwise_userdb_client_user(client, "ferris", &uid, &error));
    CHECK(is_text(tagwise_user_name(ferris), "ferris"));
    CHECK(is_text(tagwise_user_realm(ferris), "sea.example"));
    CHECK(is_text(tagwise_user_real_name(ferris), "Ferris the Crab"));
    CHECK(is_text(tagwise_user_email(ferris), "ferris@sea.example"));
    CHECK(is_text(tagwise_user_home(ferris), "/home/ferris"));
    CHECK(is_text(tagwise_user_shell(ferris), "/bin/sh"));
    CHECK(is_text(tagwise_user_alias(ferris, 0), "crab"));
    CHECK(tagwise_user_alias(ferris, 1).ptr == NULL);
    CHECK(is_text(tagwise_user_member_of(ferris, 0), "claws"));
    CHECK(tagwise_user_member_of(ferris, 1).ptr == NULL);
    CHECK(tagwise_user_uid(ferris, &number) && number == 4242);
    CHECK(tagwise_user_gid(ferris, &number) && number == 4243);
    CHECK(tagwise_user_not_before(ferris, &time) && time == 1);
    CHECK(tagwise_user_not_after(ferris, &time) && time == 2);
    CHECK(tagwise_user_is_locked(ferris));
    CHECK(tagwise_user_disposition(ferris) == TAGWISE_DISPOSITION_REGULAR);
    FINE(tagwise_user_has_name(ferris, "ferris@sea.example", &error));
    CHECK(!tagwise_user_has_name(ferris, "ferris@land.example", &error) && error == NULL);

    FINE(json = tagwise_user_json(ferris, false, &error));
    CHECK(strstr(tagwise_buffer_text(json), "\"iconName\":\"crab\"") != NULL);
    CHECK(strstr(tagwise_buffer_text(json), "$y$x") == NULL);
    tagwise_buffer_free(json);
    FINE(json = tagwise_user_json(ferris, true, &error));
    /* The service gives it to root alone. */
    CHECK((strstr(tagwise_buffer_text(json), "$y$x") != NULL) == (geteuid() == 0));
    CHECK(tagwise_user_is_incomplete(ferris) == (geteuid() != 0));
    tagwise_buffer_free(json);
    tagwise_user_free(ferris);

    FINE(ferris = tagwise_userdb_client_user(client, "crab", NULL, &error));
    tagwise_user_free(ferris);
    FINE(ferris = tagwise_userdb_client_user(client, NULL, &other, &error));
    CHECK(is_text(tagwise_user_name(ferris), "ghost"));
    CHECK(tagwise_user_realm(ferris).ptr == NULL && !tagwise_user_gid(ferris, &number) && !tagwise_user_is_locked(ferris));
    tagwise_user_free(ferris);
    CHECK(tagwise_userdb_client_user(client, "nobody-here", NULL, &error) == NULL && error == NULL);
    FAILS(tagwise_userdb_client_user(client, "ferris", &other, &error), "conflicting-record", NOWHERE);
    FAILS(tagwise_userdb_client_user(client, NULL, NULL, &error), "argument", NOWHERE);
    FAILS(tagwise_userdb_client_user(client, "\xFF", NULL, &error), "argument", NOWHERE);
}

static void users(const tagwise_userdb_client *client) {
    const char *names[] = {"FERRIS", "eel"};
    struct tagwise_userdb_filter filter;
    tagwise_users *found;

    FINE(found = tagwise_userdb_client_users(client, NULL, &error));
    CHECK(tagwise_users_count(found) == 2);
    CHECK(is_text(tagwise_user_name(tagwise_users_at(found, 1)), "ghost"));
    CHECK(tagwise_users_at(found, 2) == NULL);
    tagwise_users_free(found);

    memset(&filter, 0, sizeof filter);
    filter.names = names;
    filter.name_count = 2;
    FINE(found = tagwise_userdb_client_users(client, &filter, &error));
    CHECK(tagwise_users_count(found) == 1 && is_text(tagwise_user_name(tagwise_users_at(found, 0)), "ferris"));
    tagwise_users_free(found);

    memset(&filter, 0, sizeof filter);
    filter.dispositions = TAGWISE_DISPOSITION_SYSTEM | TAGWISE_DISPOSITION_DYNAMIC;
    FINE(found = tagwise_userdb_client_users(client, &filter, &error));
    CHECK(tagwise_users_count(found) == 1 && is_text(tagwise_user_name(tagwise_users_at(found, 0)), "ghost"));
    tagwise_users_free(found);
    filter.dispositions = TAGWISE_DISPOSITION_OTHER;
    FAILS(tagwise_userdb_client_users(client, &filter, &error), "argument", NOWHERE);

    memset(&filter, 0, sizeof filter);
    filter.min = 78;
    filter.max = 4241;
    FINE(found = tagwise_userdb_client_users(client, &filter, &error));
    CHECK(tagwise_users_count(found) == 0);
    tagwise_users_free(found);
}

static void groups(const tagwise_userdb_client *client) {
    uint32_t gid = 4243, number = 0;
    tagwise_group *crabs;
    tagwise_groups *found;
    tagwise_buffer *json;
    tagwise_memberships *memberships;

    FINE(crabs = tagwise_userdb_client_group(client, NULL, &gid, &error));
    CHECK(is_text(tagwise_group_name(crabs), "crabs"));
    CHECK(is_text(tagwise_group_description(crabs), "All crabs"));
    CHECK(is_text(tagwise_group_member(crabs, 0), "ferris") && tagwise_group_member(crabs, 1).ptr == NULL);
    CHECK(is_text(tagwise_group_administrator(crabs, 0), "root"));
    CHECK(tagwise_group_gid(crabs, &number) && number == 4243);
    CHECK(tagwise_group_realm(crabs).ptr == NULL && !tagwise_group_is_incomplete(crabs));
    CHECK(tagwise_group_disposition(crabs) == TAGWISE_DISPOSITION_REGULAR);
    FINE(tagwise_group_has_name(crabs, "crabs", &error));
    FINE(json = tagwise_group_json(crabs, true, &error));
    CHECK(strstr(tagwise_buffer_text(json), "\"groupName\":\"crabs\"") != NULL);
    tagwise_buffer_free(json);
    tagwise_group_free(crabs);
    CHECK(tagwise_userdb_client_group(client, "lobsters", NULL, &error) == NULL && error == NULL);

    FINE(found = tagwise_userdb_client_groups(client, NULL, &error));
    CHECK(tagwise_groups_count(found) == 1 && is_text(tagwise_group_name(tagwise_groups_at(found, 0)), "crabs"));
    tagwise_groups_free(found);

    FINE(memberships = tagwise_userdb_client_memberships(client, NULL, "crabs", &error));
    CHECK(tagwise_memberships_count(memberships) == 2);
    CHECK(is_text(tagwise_memberships_user(memberships, 1), "ghost"));
    CHECK(is_text(tagwise_memberships_group(memberships, 1), "crabs"));
    CHECK(tagwise_memberships_user(memberships, 2).ptr == NULL);
    tagwise_memberships_free(memberships);
    FINE(memberships = tagwise_userdb_client_memberships(client, "eel", NULL, &error));
    CHECK(tagwise_memberships_count(memberships) == 0);
    tagwise_memberships_free(memberships);
}

static void misbehaving(const char *rude, const char *silent, const char *nobody) {
    tagwise_userdb_client *client = client_of(rude);
    int round;
    for (round = 0; round < 20; round++) {
        CHECK(tagwise_userdb_client_user(client, "ferris", NULL, &error) == NULL);
        CHECK(tagwise_error_get_kind(error) == TAGWISE_ERROR_KIND_SERVICE);
        tagwise_error_free(error);
    }
    tagwise_userdb_client_free(client);

    client = client_of(silent);
    FINE(tagwise_userdb_client_set_budget(client, 50, 0, 0, &error));
    FAILS(tagwise_userdb_client_users(client, NULL, &error), "time", NOWHERE);
    tagwise_userdb_client_free(client);

    client = client_of(nobody);
    FAILS(tagwise_userdb_client_users(client, NULL, &error), "no-service", NOWHERE);
    tagwise_userdb_client_free(client);
    FAILS(tagwise_userdb_client_new("../../etc", NULL, &error), "argument", NOWHERE);
}

int main(int count, char **arguments) {
    uint32_t zero = 0;
    tagwise_userdb_client *client;
    tagwise_user *root;
    tagwise_group *first;

    CHECK(count == 5);
    client = client_of(arguments[1]);
    user(client);
    users(client);
    groups(client);
    FINE(tagwise_userdb_client_set_budget(client, 0, 0, 1, &error));
    FAILS(tagwise_userdb_client_users(client, NULL, &error), "records", NOWHERE);
    tagwise_userdb_client_free(client);
    misbehaving(arguments[2], arguments[3], arguments[4]);

    /* This host, by its service or by its tables. */
    FINE(root = tagwise_user_find(NULL, &zero, &error));
    CHECK(is_text(tagwise_user_name(root), "root"));
    tagwise_user_free(root);
    FINE(first = tagwise_group_find(NULL, &zero, &error));
    tagwise_group_free(first);
    FAILS(tagwise_user_find(NULL, NULL, &error), "argument", NOWHERE);
    printf("ok\n");
    return 0;
}
