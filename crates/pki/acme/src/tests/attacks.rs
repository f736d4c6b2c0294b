//! Attacks, each of which is refused with the error of the standard (RFC 8555 §6, §10).

use super::*;

/// Requests by a client whose header is changed before it is signed.
#[test]
fn headers() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let other = Client::new(&mut server);
    let account = path(&json!(client.account));
    type Change<'c> = &'c dyn Fn(&mut Value);
    let cases: [(&str, Change<'_>, &str); 14] = [
        (
            "no nonce",
            &|it| {
                it.as_object_mut().unwrap().remove("nonce");
            },
            "badNonce",
        ),
        ("invented nonce", &|it| it["nonce"] = json!("AAAAAAAAAAAAAAAAAAAAAA"), "badNonce"),
        ("nonce that is not base64url", &|it| it["nonce"] = json!("a/b"), "badNonce"),
        ("another URL", &|it| it["url"] = json!(format!("{URL}/new-order")), "unauthorized"),
        ("another server", &|it| it["url"] = json!("https://evil.test/acme/new-order"), "unauthorized"),
        ("no signature", &|it| it["alg"] = json!("none"), "badSignatureAlgorithm"),
        ("MAC with the public key", &|it| it["alg"] = json!("HS256"), "badSignatureAlgorithm"),
        ("another curve", &|it| it["alg"] = json!("ES384"), "badSignatureAlgorithm"),
        ("another family", &|it| it["alg"] = json!("RS256"), "badSignatureAlgorithm"),
        ("critical extension", &|it| it["crit"] = json!(["exp"]), "malformed"),
        ("unencoded payload", &|it| it["b64"] = json!(false), "malformed"),
        ("jwk and kid", &|it| it["jwk"] = public(&*client.key), "malformed"),
        ("kid of another account", &|it| it["kid"] = json!(other.account), "malformed"),
        ("kid of no account", &|it| it["kid"] = json!(format!("{URL}/account/none")), "accountDoesNotExist"),
    ];
    for (name, change, expected) in cases {
        let mut header = client.header(&mut server, &account, false);
        change(&mut header);
        let reply = server.send("POST", &account, &jws(&*client.key, &header, b""));
        assert_eq!(problem(&reply), expected, "{name}");
        assert!(super::header(&reply, "replay-nonce").is_some(), "{name}");
    }
    // jwk where kid is required, and the reverse.
    let header = client.header(&mut server, &account, true);
    assert_eq!(problem(&server.send("POST", &account, &jws(&*client.key, &header, b""))), "malformed");
    let header = client.header(&mut server, "new-account", false);
    assert_eq!(problem(&server.send("POST", "new-account", &jws(&*client.key, &header, b"{}"))), "malformed");
}

#[test]
fn nonce_is_used_once() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let account = path(&json!(client.account));
    let header = client.header(&mut server, &account, false);
    let request = jws(&*client.key, &header, b"");
    assert_eq!(server.send("POST", &account, &request).status, 200);
    assert_eq!(problem(&server.send("POST", &account, &request)), "badNonce");
    // A forged request does not use up a nonce.
    let header = client.header(&mut server, &account, false);
    let forger = Client::unregistered(KeyType::P256);
    assert_eq!(problem(&server.send("POST", &account, &jws(&*forger.key, &header, b""))), "malformed");
    assert_eq!(server.send("POST", &account, &jws(&*client.key, &header, b"")).status, 200);
}

#[test]
fn bodies() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let account = path(&json!(client.account));
    let header = client.header(&mut server, &account, false);
    let good: Value = serde_json::from_slice(&jws(&*client.key, &header, b"")).unwrap();
    let changed = |name: &str, value: Value| {
        let mut body = good.clone();
        body[name] = value;
        body.to_string().into_bytes()
    };
    for (name, body) in [
        ("unprotected header", changed("header", json!({ "kid": "x" }))),
        ("several signatures", changed("signatures", json!([]))),
        ("changed payload", changed("payload", json!("e30"))),
        ("padding", changed("payload", json!("e30="))),
        ("no signature", changed("signature", json!(""))),
        (
            "DER signature",
            changed(
                "signature",
                json!(jwk::base64url(&client.key.sign(&Scheme::Ecdsa(Digest::Sha256), b"x").unwrap())),
            ),
        ),
        ("no JSON", b"{".to_vec()),
        ("nothing", Vec::new()),
        ("not UTF-8", b"\xFF".to_vec()),
        ("deep", "[".repeat(100_000).into_bytes()),
        ("duplicate member", good.to_string().replacen('{', "{\"payload\":\"\",", 1).into_bytes()),
    ] {
        assert_eq!(problem(&server.send("POST", &account, &body)), "malformed", "{name}");
    }
    let content_type = Some(&b"application/json"[..]);
    let asked = Asked { method: "POST", path: "/acme/new-order", content_type, accept: None, body: b"" };
    assert_eq!(server.call().answer(asked).status, 415);
    for (method, path, status) in [
        ("GET", account.as_str(), 405),
        ("GET", "new-order", 405),
        ("PUT", "directory", 405),
        ("POST", "directory", 405),
        ("GET", "nothing", 404),
    ] {
        assert_eq!(server.send(method, path, b"").status, status, "{method} {path}");
    }
}

#[test]
fn keys() {
    let mut server = Server::new(POLICY);
    let client = Client::unregistered(KeyType::P256);
    let mut private = public(&*client.key);
    private["d"] = json!(jwk::base64url(&[1; 32]));
    let weak = json!({ "kty": "RSA", "e": "AQAB", "n": jwk::base64url(&[0xC1; 128]) });
    let off_curve =
        json!({ "kty": "EC", "crv": "P-256", "x": jwk::base64url(&[1; 32]), "y": jwk::base64url(&[1; 32]) });
    for (name, jwk) in [
        ("private", private),
        ("weak", weak),
        ("point off the curve", off_curve),
        ("symmetric", json!({ "kty": "oct", "k": "AAAA" })),
        ("agreement", json!({ "kty": "OKP", "crv": "X25519", "x": jwk::base64url(&[9; 32]) })),
        ("set", json!({ "keys": [public(&*client.key)] })),
    ] {
        let mut header = client.header(&mut server, "new-account", true);
        header["jwk"] = jwk;
        let reply = server.send("POST", "new-account", &jws(&*client.key, &header, b"{}"));
        assert_eq!(problem(&reply), "badPublicKey", "{name}");
    }
}

#[test]
fn other_accounts() {
    let mut server = Server::new(POLICY);
    let owner = Client::new(&mut server);
    let (order, content) = owner.order(&mut server, &["a.example.org"]);
    let authorization = path(&content["authorizations"][0]);
    let challenge = path(&body(&owner.read(&mut server, &authorization))["challenges"][0]["url"]);
    let (_, certificate, _) = owner.issue(&mut server, &["b.example.org"]);
    let account = path(&json!(owner.account));
    let stranger = Client::new(&mut server);
    for path in [&order, &authorization, &challenge, &certificate, &account, &format!("{account}/orders")] {
        let reply = stranger.read(&mut server, path);
        assert_eq!((problem(&reply).as_str(), reply.status), ("unauthorized", 403), "{path}");
    }
    let reply = stranger.post(&mut server, &challenge, &json!({}));
    assert_eq!((problem(&reply).as_str(), reply.jobs.len()), ("unauthorized", 0));
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let reply = stranger.finalize(&mut server, &order, &csr(&key, &["a.example.org"], ""));
    assert_eq!(problem(&reply), "unauthorized");
    let reply = stranger.post(&mut server, &authorization, &json!({ "status": "deactivated" }));
    assert_eq!(problem(&reply), "unauthorized");
    let reply = stranger.post(&mut server, &account, &json!({ "status": "deactivated" }));
    assert_eq!(problem(&reply), "unauthorized");
}

#[test]
fn orders_that_are_not_ready() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let csr = csr(&key, &["a.example.org"], "");
    let (order, content) = client.order(&mut server, &["a.example.org"]);
    assert_eq!(problem(&client.finalize(&mut server, &order, &csr)), "orderNotReady");
    // A challenge that is being processed is not yet valid.
    let authorization = body(&client.read(&mut server, &path(&content["authorizations"][0])));
    client.post(&mut server, &path(&authorization["challenges"][0]["url"]), &json!({}));
    assert_eq!(problem(&client.finalize(&mut server, &order, &csr)), "orderNotReady");
    // Only once.
    let order = client.ready(&mut server, &["a.example.org"]);
    assert_eq!(client.finalize(&mut server, &order, &csr).status, 200);
    assert_eq!(problem(&client.finalize(&mut server, &order, &csr)), "orderNotReady");
    // Not after an authorization was deactivated.
    let order = client.ready(&mut server, &["a.example.org"]);
    let content = body(&client.read(&mut server, &order));
    client.post(&mut server, &path(&content["authorizations"][0]), &json!({ "status": "deactivated" }));
    assert_eq!(problem(&client.finalize(&mut server, &order, &csr)), "orderNotReady");
    // Not after it has expired.
    let order = client.ready(&mut server, &["a.example.org"]);
    server.now = UnixTime(NOW.0 + 9 * 3600);
    assert_eq!(problem(&client.finalize(&mut server, &order, &csr)), "orderNotReady");
}

#[test]
fn requests_for_other_names() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let order = client.ready(&mut server, &["a.example.org", "192.0.2.1"]);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let exact = ["a.example.org", "192.0.2.1"];
    let email = CsrBuilder::new().dns("a.example.org").ip([192, 0, 2, 1]).email("a@example.org");
    let email = email.sign(&KeySigner::preferred(Arc::clone(&key)).unwrap()).unwrap().as_der().to_vec();
    let mut forged = csr(&key, &exact, "");
    *forged.last_mut().unwrap() ^= 1;
    for (name, csr) in [
        ("a further name", csr(&key, &["a.example.org", "192.0.2.1", "evil.example.org"], "")),
        ("a wildcard", csr(&key, &["a.example.org", "192.0.2.1", "*.a.example.org"], "")),
        ("a missing name", csr(&key, &["a.example.org"], "")),
        ("another common name", csr(&key, &exact, "CN=evil.example.org")),
        ("an email address", email),
        ("no names", csr(&key, &[], "")),
        ("the account's key", csr(&client.key, &exact, "")),
        ("no proof of possession", forged),
        ("nothing", Vec::new()),
    ] {
        let reply = client.finalize(&mut server, &order, &csr);
        assert_eq!(problem(&reply), "badCSR", "{name}");
    }
    let reply = client.finalize(&mut server, &order, &csr(&key, &["A.Example.ORG", "192.0.2.1"], "CN=a.example.org"));
    assert_eq!(body(&reply)["status"], "valid", "{}", body(&reply));
}

#[test]
fn identifiers_outside_the_policy() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    for (names, expected) in [
        (&["evil.test"][..], "rejectedIdentifier"),
        (&["notexample.org"], "rejectedIdentifier"),
        (&["198.51.100.1"], "rejectedIdentifier"),
        (&["a.example.org", "evil.test", "other.test"], "rejectedIdentifier"),
        (&["evil.test", "a..example.org"], "compound"),
        (&["a.example.org\0.evil.test"], "malformed"),
        (&["**.example.org"], "malformed"),
        (&["xn--99999999999.example.org"], "malformed"),
        (&[], "malformed"),
    ] {
        let reply = client.post(&mut server, "new-order", &json!({ "identifiers": identifiers(names) }));
        assert_eq!(problem(&reply), expected, "{names:?}");
    }
    let several = client.post(&mut server, "new-order", &json!({ "identifiers": identifiers(&["x.test", "y.test"]) }));
    assert_eq!(body(&several)["subproblems"][1]["identifier"]["value"], "y.test");
    let email = json!({ "identifiers": [{ "type": "email", "value": "a@example.org" }] });
    assert_eq!(problem(&client.post(&mut server, "new-order", &email)), "unsupportedIdentifier");
}

#[test]
fn key_changes_without_both_keys() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let other = Client::new(&mut server);
    let new = BACKEND.generate(KeyType::P256).unwrap();
    let url = format!("{URL}/key-change");
    let head = json!({ "alg": "ES256", "jwk": public(&*new), "url": url });
    let change = json!({ "account": client.account, "oldKey": public(&*client.key) });
    let changed = |value: &Value, name: &str, to: Value| {
        let mut value = value.clone();
        value[name] = to;
        value
    };
    let signed = |head: &Value, change: &Value| jws(&*new, head, change.to_string().as_bytes());
    for (name, inner, expected) in [
        ("inner signature by the old key", jws(&*client.key, &head, change.to_string().as_bytes()), "malformed"),
        ("another old key", signed(&head, &changed(&change, "oldKey", public(&*other.key))), "malformed"),
        ("another account", signed(&head, &changed(&change, "account", json!(other.account))), "malformed"),
        ("another URL", signed(&changed(&head, "url", json!(format!("{URL}/new-order"))), &change), "malformed"),
        ("a nonce inside", signed(&changed(&head, "nonce", json!("AAAA")), &change), "malformed"),
        ("no inner JWS", change.to_string().into_bytes(), "malformed"),
    ] {
        let header = client.header(&mut server, "key-change", false);
        let reply = server.send("POST", "key-change", &jws(&*client.key, &header, &inner));
        assert_eq!(problem(&reply), expected, "{name}");
    }
    // Without the signature by the old key.
    let inner = signed(&head, &change);
    let header = client.header(&mut server, "key-change", false);
    assert_eq!(problem(&server.send("POST", "key-change", &jws(&*new, &header, &inner))), "malformed");
    // The key of another account.
    let head = json!({ "alg": "ES256", "jwk": public(&*other.key), "url": url });
    let inner = jws(&*other.key, &head, change.to_string().as_bytes());
    let header = client.header(&mut server, "key-change", false);
    let reply = server.send("POST", "key-change", &jws(&*client.key, &header, &inner));
    assert_eq!((reply.status, super::header(&reply, "location")), (409, Some(other.account.clone())));
}

#[test]
fn revocation_by_strangers() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let (_, _, der) = client.issue(&mut server, &["a.example.org"]);
    let payload = json!({ "certificate": jwk::base64url(&der) });
    let stranger = Client::new(&mut server);
    assert_eq!(problem(&stranger.post(&mut server, "revoke-certificate", &payload)), "unauthorized");
    // A key that is neither the certificate's nor used with an account.
    let header = stranger.header(&mut server, "revoke-certificate", true);
    let reply =
        server.send("POST", "revoke-certificate", &jws(&*stranger.key, &header, payload.to_string().as_bytes()));
    assert_eq!(problem(&reply), "unauthorized");
    // The same serial number in another certificate.
    let mut changed = der.clone();
    *changed.last_mut().unwrap() ^= 1;
    let payload = json!({ "certificate": jwk::base64url(&changed) });
    assert_eq!(client.post(&mut server, "revoke-certificate", &payload).status, 404);
    // The CA's own.
    let own = json!({ "certificate": jwk::base64url(server.acme.authority.certificate_der()) });
    assert_eq!(problem(&client.post(&mut server, "revoke-certificate", &own)), "unauthorized");
}

#[test]
fn too_many_orders() {
    let mut server = Server::new(&format!("{}\naccounts-per-hour = 2", POLICY.replace("= 20", "= 2")));
    let client = Client::new(&mut server);
    client.order(&mut server, &["a.example.org"]);
    client.order(&mut server, &["a.example.org"]);
    let payload = json!({ "identifiers": identifiers(&["a.example.org"]) });
    let reply = client.post(&mut server, "new-order", &payload);
    assert_eq!((problem(&reply).as_str(), reply.status), ("rateLimited", 429));
    let other = Client::new(&mut server);
    other.order(&mut server, &["a.example.org"]);
    let third = Client::unregistered(KeyType::P256);
    assert_eq!(problem(&third.register(&mut server, &json!({}))), "rateLimited");
    server.now = UnixTime(NOW.0 + 3600);
    client.order(&mut server, &["a.example.org"]);
}
