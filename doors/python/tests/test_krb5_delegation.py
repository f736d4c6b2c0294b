"""Tickets in the names of others against Heimdal's KDC, which has a rule of delegation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tagwise import KerberosError, krb5

from .heimdal import Heimdal, running


@pytest.fixture(scope="module")
def realm() -> Iterator[Heimdal]:
    yield from running()


def named(realm: Heimdal, ticket: krb5.Credential) -> tuple[str, str]:
    """Whom the service finds in the ticket, and the service."""
    [part] = krb5.decrypt(ticket.ticket, realm.keytab)
    assert part.opened
    return part.content["cname"]["name"], str(ticket.server)


def test_constrained_delegation(realm: Heimdal) -> None:
    tgt = realm.client.kinit("HTTP/front.test", keytab=realm.keytab, forwardable=True)
    mine = realm.client.s4u2self("bob", tgt=tgt)
    assert named(realm, mine) == ("bob", "HTTP/front.test@HEIM.TEST") and "forwardable" in mine.flags
    got = realm.client.s4u2proxy("HTTP/back.test", evidence=mine, tgt=tgt)
    assert named(realm, got) == ("bob", "HTTP/back.test@HEIM.TEST") and str(got.client) == "bob@HEIM.TEST"


def test_what_no_rule_allows(realm: Heimdal) -> None:
    front = realm.client.kinit("HTTP/front.test", keytab=realm.keytab, forwardable=True)
    mine = realm.client.s4u2self("bob", tgt=front)
    # The rule is for one service.
    with pytest.raises(KerberosError) as refused:
        realm.client.s4u2proxy("host/localhost", evidence=mine, tgt=front)
    assert (refused.value.code, refused.value.name) == (13, "KDC_ERR_BADOPTION")
    # Another service has no rule, and may not use what is another's.
    back = realm.client.kinit("HTTP/back.test", keytab=realm.keytab, forwardable=True)
    own = realm.client.s4u2self("bob", tgt=back)
    for evidence in (own, mine):
        with pytest.raises(KerberosError) as refused:
            realm.client.s4u2proxy("HTTP/front.test", evidence=evidence, tgt=back)
        assert refused.value.code is not None


def test_a_ticket_that_is_not_forwardable(realm: Heimdal) -> None:
    tgt = realm.client.kinit("HTTP/front.test", keytab=realm.keytab, forwardable=False)
    mine = realm.client.s4u2self("bob", tgt=tgt)
    assert named(realm, mine)[0] == "bob" and "forwardable" not in mine.flags
    with pytest.raises(KerberosError) as refused:
        realm.client.s4u2proxy("HTTP/back.test", evidence=mine, tgt=tgt)
    assert refused.value.code == 13
