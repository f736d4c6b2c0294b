//! Each resource as clients use it.

use tagwise_codec::{Oid, oid};
use tagwise_pkix::Certificate;
use tagwise_pkix::build::CertificateBuilder;

use super::*;
use crate::problem::Kind;

#[test]
fn directory_and_nonces() {
    let mut server =
        Server::new(&format!("{POLICY}\nterms-of-service = 'https://ca.test/terms'\npreauthorization = true"));
    let reply = server.get("directory");
    let directory = body(&reply);
    assert_eq!(directory["newNonce"], "https://ca.test/acme/new-nonce");
    assert_eq!(directory["newAuthz"], "https://ca.test/acme/new-authorization");
    assert_eq!(directory["meta"]["termsOfService"], "https://ca.test/terms");
    assert_eq!(directory["meta"]["profiles"]["short"], "6 days");
    assert_eq!(directory["meta"]["caaIdentities"], json!(["ca.test"]));
    assert_eq!(header(&reply, "link"), None);
    for (method, status) in [("HEAD", 200), ("GET", 204)] {
        let reply = server.send(method, "new-nonce", b"");
        assert_eq!(reply.status, status);
        assert_eq!(header(&reply, "cache-control").as_deref(), Some("no-store"));
        assert_eq!(header(&reply, "link").as_deref(), Some("<https://ca.test/acme/directory>;rel=\"index\""));
        assert!(header(&reply, "replay-nonce").is_some());
    }
}

#[test]
fn every_key_type_registers() {
    let mut server = Server::new(POLICY);
    for kind in [KeyType::P256, KeyType::P384, KeyType::P521, KeyType::Rsa(2048), KeyType::Ed25519, KeyType::MlDsa44] {
        let mut client = Client::unregistered(kind);
        let missing = client.register(&mut server, &json!({ "onlyReturnExisting": true }));
        assert_eq!(problem(&missing), "accountDoesNotExist", "{kind}");
        let reply = client.register(&mut server, &json!({ "contact": ["mailto:a@example.org"] }));
        assert_eq!((reply.status, body(&reply)["status"].as_str()), (201, Some("valid")), "{kind}: {}", body(&reply));
        client.account = header(&reply, "location").unwrap();
        let again = client.register(&mut server, &json!({ "onlyReturnExisting": true }));
        assert_eq!((again.status, header(&again, "location")), (200, Some(client.account.clone())));
        let path = path(&json!(client.account));
        let changed = client.post(&mut server, &path, &json!({ "contact": [] }));
        assert_eq!(body(&changed)["contact"], json!([]), "{kind}");
    }
}

#[test]
fn account_is_deactivated() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let account = path(&json!(client.account));
    let reply = client.post(&mut server, &account, &json!({ "status": "deactivated" }));
    assert_eq!(body(&reply)["status"], "deactivated");
    assert_eq!(problem(&client.read(&mut server, &account)), "unauthorized");
    assert_eq!(problem(&client.register(&mut server, &json!({}))), "unauthorized");
}

#[test]
fn terms_and_contacts_are_checked() {
    let mut server = Server::new(&format!("{POLICY}\nterms-of-service = 'https://ca.test/terms'"));
    let client = Client::unregistered(KeyType::P256);
    assert_eq!(problem(&client.register(&mut server, &json!({}))), "userActionRequired");
    for (contact, kind) in [
        ("tel:+1", "unsupportedContact"),
        ("mailto:a@b?subject=x", "invalidContact"),
        ("mailto:a@example.org,b@example.org", "invalidContact"),
        ("mailto:", "invalidContact"),
    ] {
        let reply = client.register(&mut server, &json!({ "contact": [contact], "termsOfServiceAgreed": true }));
        assert_eq!(problem(&reply), kind, "{contact}");
    }
    assert_eq!(client.register(&mut server, &json!({ "termsOfServiceAgreed": true })).status, 201);
}

#[test]
fn certificate_is_issued() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let names = ["www.example.org", "*.example.org", "192.0.2.7"];
    let (path_of, order) = client.order(&mut server, &names);
    assert_eq!(order["status"], "pending");
    let mut kinds = Vec::new();
    for url in order["authorizations"].as_array().unwrap() {
        let authorization = body(&client.read(&mut server, &path(url)));
        let list = authorization["challenges"].as_array().unwrap();
        kinds.push(list.iter().map(|challenge| challenge["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>());
        let challenge = path(&list[0]["url"]);
        let reply = client.post(&mut server, &challenge, &json!({}));
        assert_eq!(body(&reply)["status"], "processing");
        assert!(reply.headers.contains(&("link", format!("<{}>;rel=\"up\"", url.as_str().unwrap()))));
        // Repeated while it is processed, it does nothing.
        assert!(client.post(&mut server, &challenge, &json!({})).jobs.is_empty());
        server.conclude(&reply.jobs, Ok(()));
        let authorization = body(&client.read(&mut server, &path(url)));
        assert_eq!(authorization["status"], "valid");
        assert_eq!(authorization["challenges"].as_array().unwrap().len(), 1);
        assert!(authorization["challenges"][0]["validated"].is_string());
    }
    assert_eq!(kinds, [&["http-01", "dns-01", "tls-alpn-01"][..], &["dns-01"], &["http-01", "tls-alpn-01"]]);
    let key = BACKEND.generate(KeyType::MlDsa44).unwrap();
    let reply = client.finalize(&mut server, &path_of, &csr(&key, &names, "CN=www.example.org"));
    let order = body(&reply);
    assert_eq!(order["status"], "valid", "{order}");
    let chain = client.read(&mut server, &path(&order["certificate"]));
    assert_eq!(chain.kind, "application/pem-certificate-chain");
    let list = certificates(&chain.body);
    assert_eq!(list[1], server.acme.authority.certificate_der());
    let certificate = Certificate::from_der(&list[0]).unwrap();
    assert_eq!(certificate.tbs_certificate.subject.to_string(), "CN=www.example.org");
    let names: Vec<String> = certificate.names().map(|name| name.unwrap().to_string()).collect();
    assert_eq!(names, ["DNS:www.example.org", "DNS:*.example.org", "IP:192.0.2.7"]);
    let orders = body(&client.read(&mut server, &format!("{}/orders", path(&json!(client.account)))));
    assert_eq!(orders["orders"], json!([format!("{URL}/{path_of}")]));
}

#[test]
fn failed_validation_ends_the_order() {
    let mut server = Server::new(&format!("{POLICY}\nfailures-per-hour = 2"));
    let client = Client::new(&mut server);
    for round in 0..3 {
        let (path_of, order) = client.order(&mut server, &["a.example.org"]);
        let url = path(&order["authorizations"][0]);
        let challenge = path(&body(&client.read(&mut server, &url))["challenges"][0]["url"]);
        let reply = client.post(&mut server, &challenge, &json!({}));
        if round == 2 {
            assert_eq!((problem(&reply).as_str(), reply.status), ("rateLimited", 429));
            assert!(header(&reply, "retry-after").is_some());
            continue;
        }
        server.conclude(&reply.jobs, Err(Problem::new(Kind::Connection, "refused")));
        let authorization = body(&client.read(&mut server, &url));
        assert_eq!(authorization["status"], "invalid");
        assert_eq!(authorization["challenges"][0]["error"]["type"], "urn:ietf:params:acme:error:connection");
        assert_eq!(body(&client.read(&mut server, &path_of))["status"], "invalid");
    }
}

#[test]
fn profile_and_validity() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let mut order = json!({ "identifiers": identifiers(&["a.example.org"]), "profile": "short" });
    let reply = client.post(&mut server, "new-order", &order);
    assert_eq!(body(&reply)["profile"], "short");
    order["notAfter"] = json!(UnixTime(NOW.0 + 7 * 86_400).to_string());
    assert_eq!(problem(&client.post(&mut server, "new-order", &order)), "malformed");
    order["notAfter"] = json!(UnixTime(NOW.0 + 6 * 86_400).to_string());
    let reply = client.post(&mut server, "new-order", &order);
    let last = UnixTime(NOW.0 + 6 * 86_400 - 1).to_string();
    assert!(
        body(&reply)["detail"].as_str().unwrap().contains(&format!("expected {last} or earlier")),
        "{}",
        body(&reply)
    );
    order["notAfter"] = json!(last);
    assert_eq!(client.post(&mut server, "new-order", &order).status, 201);
    order["profile"] = json!("none");
    assert_eq!(problem(&client.post(&mut server, "new-order", &order)), "invalidProfile");
}

#[test]
fn an_ordered_time_is_issued_or_refused() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let mut order = json!({ "identifiers": identifiers(&["a.example.org"]) });
    // Earlier than the profile's backdating, and between two seconds.
    for text in ["2001-01-01T00:00:00Z".to_owned(), UnixTime(NOW.0 + 60).to_string().replace('Z', ".5Z")] {
        order["notBefore"] = json!(text);
        assert_eq!(problem(&client.post(&mut server, "new-order", &order)), "malformed", "{text}");
    }
    // The time passes before the order is finalized.
    let (from, to) = (NOW, UnixTime(NOW.0 + 86_400));
    order["notBefore"] = json!(from.to_string());
    order["notAfter"] = json!(to.to_string());
    let reply = client.post(&mut server, "new-order", &order);
    assert_eq!(reply.status, 201, "{}", body(&reply));
    let path_of = path(&json!(header(&reply, "location").unwrap()));
    let authorization = body(&client.read(&mut server, &path(&body(&reply)["authorizations"][0])));
    let challenge = client.post(&mut server, &path(&authorization["challenges"][0]["url"]), &json!({}));
    server.conclude(&challenge.jobs, Ok(()));
    server.now = UnixTime(NOW.0 + 7_200);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let reply = client.finalize(&mut server, &path_of, &csr(&key, &["a.example.org"], ""));
    assert_eq!(body(&reply)["status"], "valid", "{}", body(&reply));
    let chain = client.read(&mut server, &path(&body(&reply)["certificate"]));
    let der = certificates(&chain.body).remove(0);
    let validity = tagwise_pkix::Certificate::from_der(&der).unwrap().tbs_certificate.validity;
    assert_eq!((validity.not_before.unix(), validity.not_after.unix()), (from, to));
}

#[test]
fn extensions_that_the_certificate_would_lack_are_refused() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let names = ["a.example.org"];
    let signed = |change: &dyn Fn(CsrBuilder) -> CsrBuilder| {
        let key = BACKEND.generate(KeyType::P256).unwrap();
        let builder = change(CsrBuilder::new().subject("").unwrap().dns("a.example.org"));
        builder.sign(&KeySigner::preferred(key).unwrap()).unwrap().as_der().to_vec()
    };
    let extension = |id: Oid<'static>, critical: bool, value: &'static [u8]| {
        signed(&move |builder: CsrBuilder| builder.extension_der(id, critical, value.to_vec()).unwrap())
    };
    for (what, csr) in [
        // SEQUENCE { INTEGER 5 }: status_request (RFC 7633 §4.2.3.1).
        ("must-staple", extension(oid!("1.3.6.1.5.5.7.1.24"), false, b"\x30\x03\x02\x01\x05")),
        ("CA", extension(oid!("2.5.29.19"), true, b"\x30\x03\x01\x01\xFF")),
        ("keyCertSign", extension(oid!("2.5.29.15"), true, b"\x03\x02\x02\x04")),
        ("unknown", extension(oid!("1.3.6.1.4.1.99999.1"), true, b"\x05\x00")),
    ] {
        let order = client.ready(&mut server, &names);
        let reply = client.finalize(&mut server, &order, &csr);
        assert_eq!(problem(&reply), "badCSR", "{what}");
        assert!(body(&reply)["detail"].as_str().unwrap().starts_with("extension "), "{}", body(&reply));
        // The order is still there for another request.
        assert_eq!(body(&client.read(&mut server, &order))["status"], "ready", "{what}");
    }
    for (what, csr) in [
        // What clients request by default: the profile decides about usages.
        ("no CA", extension(oid!("2.5.29.19"), false, b"\x30\x00")),
        ("usage", extension(oid!("2.5.29.15"), true, b"\x03\x02\x05\xA0")),
        ("purpose", extension(oid!("2.5.29.37"), false, b"\x30\x0A\x06\x08\x2B\x06\x01\x05\x05\x07\x03\x01")),
        ("key identifier", extension(oid!("2.5.29.14"), false, b"\x04\x01\x07")),
    ] {
        let order = client.ready(&mut server, &names);
        let reply = client.finalize(&mut server, &order, &csr);
        assert_eq!(body(&reply)["status"], "valid", "{what}: {}", body(&reply));
    }
}

#[test]
fn abandoned_work_is_resumed() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let (path_of, order) = client.order(&mut server, &["a.example.org"]);
    let url = path(&order["authorizations"][0]);
    let challenge = path(&body(&client.read(&mut server, &url))["challenges"][0]["url"]);
    let lost = client.post(&mut server, &challenge, &json!({})).jobs;
    assert!(client.read(&mut server, &url).jobs.is_empty());
    server.now = UnixTime(NOW.0 + 200);
    let jobs = client.read(&mut server, &url).jobs;
    assert_eq!(jobs.len(), 1);
    // The result of the lost node no longer counts.
    server.conclude(&lost, Err(Problem::new(Kind::Connection, "late")));
    server.conclude(&jobs, Ok(()));
    assert_eq!(body(&client.read(&mut server, &path_of))["status"], "ready");

    // A node stops before it signs, and after it has signed.
    for signed in [false, true] {
        let path_of = client.ready(&mut server, &["b.example.org"]);
        let key = BACKEND.generate(KeyType::P256).unwrap();
        let csr = csr(&key, &["b.example.org"], "");
        let id = path_of.strip_prefix("order/").unwrap().to_owned();
        let now = server.now;
        let mut call = server.call();
        let mut row = call.get::<crate::records::Order>(&id).unwrap().unwrap();
        let prepared = call.prepare(&row.value, &csr, client.key.public_key_info()).unwrap();
        row.value.status = crate::records::Status::Processing;
        row.value.claimed = Some(now.0);
        row.value.csr = Some(jwk::base64url(&csr));
        let mut serial = None;
        if signed {
            let new = prepared.sign(&*call.acme.signer, now).unwrap();
            serial = Some(new.serial.to_string());
            row.value.serial.clone_from(&serial);
            row.value.certificate = Some(jwk::base64url(&new.der));
        }
        call.update(&mut row).unwrap();
        assert_eq!(body(&client.read(&mut server, &path_of))["status"], "processing");
        server.now = UnixTime(server.now.0 + 60);
        let order = body(&client.read(&mut server, &path_of));
        assert_eq!(order["status"], "valid");
        if let Some(serial) = serial {
            assert_eq!(order["certificate"], format!("{URL}/certificate/{serial}"));
        }
    }
}

#[test]
fn one_order_has_one_certificate() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let path_of = client.ready(&mut server, &["a.example.org"]);
    let key = BACKEND.generate(KeyType::P256).unwrap();
    let csr = csr(&key, &["a.example.org"], "");
    let id = path_of.strip_prefix("order/").unwrap().to_owned();
    // Two nodes read the same version of the order.
    let mut call = server.call();
    let mut one = call.get::<crate::records::Order>(&id).unwrap().unwrap();
    let mut other = one.clone();
    let prepare = |call: &mut Call<'_>, row: &tagwise_ca::Row<crate::records::Order>| {
        call.prepare(&row.value, &csr, client.key.public_key_info()).unwrap()
    };
    let (first, second) = (prepare(&mut call, &one), prepare(&mut call, &other));
    call.issue(&mut one, first).unwrap();
    assert_eq!(call.issue(&mut other, second).unwrap_err().status(), 503);
    let mut count = 0;
    let id = server.acme.authority.id();
    tagwise_ca::Store::certificates(&mut server.store, id, &mut |_| {
        count += 1;
        Ok(())
    })
    .unwrap();
    // The CA's own, and this one.
    assert_eq!(count, 2);
}

#[test]
fn key_is_changed() {
    let mut server = Server::new(POLICY);
    let mut client = Client::new(&mut server);
    let (order, _) = client.order(&mut server, &["a.example.org"]);
    let new = BACKEND.generate(KeyType::Ed25519).unwrap();
    let inner = json!({ "alg": "EdDSA", "jwk": public(&*new), "url": format!("{URL}/key-change") });
    let change = json!({ "account": client.account, "oldKey": public(&*client.key) });
    let inner = jws(&*new, &inner, change.to_string().as_bytes());
    let header = client.header(&mut server, "key-change", false);
    let reply = server.send("POST", "key-change", &jws(&*client.key, &header, &inner));
    assert_eq!(reply.status, 200, "{}", body(&reply));
    assert_eq!(problem(&client.read(&mut server, &order)), "badSignatureAlgorithm");
    let old = std::mem::replace(&mut client.key, new);
    assert_eq!(client.read(&mut server, &order).status, 200);
    // The old key is free again.
    let other = Client { key: old, account: String::new() };
    assert_eq!(problem(&other.register(&mut server, &json!({ "onlyReturnExisting": true }))), "accountDoesNotExist");
    assert_eq!(other.register(&mut server, &json!({})).status, 201);
}

#[test]
fn external_accounts_are_bound_once() {
    let mut server = Server::new(&format!("{POLICY}\nexternal-account-required = true"));
    let client = Client::unregistered(KeyType::P256);
    assert_eq!(problem(&client.register(&mut server, &json!({}))), "externalAccountRequired");
    let authority = Arc::clone(&server.acme.authority);
    let (id, secret) = crate::external::add(&mut server.store, &authority, &BACKEND, "team a", NOW).unwrap();
    let bind = |key: &dyn PrivateKey, secret: &[u8]| {
        let header = json!({ "alg": "HS256", "kid": id, "url": format!("{URL}/new-account") });
        let (protected, payload) =
            (jwk::base64url(header.to_string().as_bytes()), jwk::base64url(public(key).to_string().as_bytes()));
        let mut mac = tagwise_crypto::Primitives::hmac(&BACKEND, Digest::Sha256, secret).unwrap();
        mac.update(format!("{protected}.{payload}").as_bytes());
        json!({ "protected": protected, "payload": payload, "signature": jwk::base64url(&mac.finish().unwrap()) })
    };
    let key = jwk::from_base64url(std::str::from_utf8(secret.expose()).unwrap()).unwrap();
    let wrong = client.register(&mut server, &json!({ "externalAccountBinding": bind(&*client.key, b"guess") }));
    assert_eq!(problem(&wrong), "unauthorized");
    let other = Client::unregistered(KeyType::P256);
    let stolen = other.register(&mut server, &json!({ "externalAccountBinding": bind(&*client.key, key.expose()) }));
    assert_eq!(problem(&stolen), "malformed");
    let reply = client.register(&mut server, &json!({ "externalAccountBinding": bind(&*client.key, key.expose()) }));
    assert_eq!(reply.status, 201, "{}", body(&reply));
    let again = other.register(&mut server, &json!({ "externalAccountBinding": bind(&*other.key, key.expose()) }));
    assert_eq!(problem(&again), "unauthorized");
    let keys = crate::external::list(&mut server.store, &authority).unwrap();
    assert_eq!(keys.len(), 1);
    assert_eq!((keys[0].note.as_str(), keys[0].account.is_some()), ("team a", true));
    assert!(crate::external::remove(&mut server.store, &authority, &id).unwrap());
    assert!(!crate::external::remove(&mut server.store, &authority, &id).unwrap());
}

#[test]
fn certificates_are_revoked() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let other = Client::new(&mut server);
    let revoke = |der: &[u8], reason: u8| json!({ "certificate": jwk::base64url(der), "reason": reason });
    // By the account that ordered it.
    let (_, _, der) = client.issue(&mut server, &["a.example.org"]);
    assert_eq!(problem(&client.post(&mut server, "revoke-certificate", &revoke(&der, 6))), "badRevocationReason");
    assert_eq!(problem(&other.post(&mut server, "revoke-certificate", &revoke(&der, 1))), "unauthorized");
    // Only the key proves its compromise: the account could have ordered with a copy of another's CSR.
    assert_eq!(problem(&client.post(&mut server, "revoke-certificate", &revoke(&der, 1))), "badRevocationReason");
    assert_eq!(client.post(&mut server, "revoke-certificate", &revoke(&der, 4)).status, 200);
    assert_eq!(problem(&client.post(&mut server, "revoke-certificate", &revoke(&der, 4))), "alreadyRevoked");
    // By the certificate's key.
    let (key, _, der) = client.issue(&mut server, &["b.example.org"]);
    let holder = Client { key, account: String::new() };
    let header = holder.header(&mut server, "revoke-certificate", true);
    let reply =
        server.send("POST", "revoke-certificate", &jws(&*holder.key, &header, revoke(&der, 1).to_string().as_bytes()));
    assert_eq!(reply.status, 200, "{}", body(&reply));
    let order = client.ready(&mut server, &["b.example.org"]);
    let reply = client.finalize(&mut server, &order, &csr(&holder.key, &["b.example.org"], ""));
    assert_eq!(problem(&reply), "badCSR");
    assert!(body(&reply)["detail"].as_str().unwrap().contains("compromised"), "{}", body(&reply));
    // Nor is it a key for accounts.
    assert_eq!(problem(&holder.register(&mut server, &json!({}))), "badPublicKey");
    let url = format!("{URL}/key-change");
    let inner = json!({ "alg": "ES256", "jwk": public(&*holder.key), "url": url });
    let change = json!({ "account": client.account, "oldKey": public(&*client.key) });
    let inner = jws(&*holder.key, &inner, change.to_string().as_bytes());
    let header = client.header(&mut server, "key-change", false);
    let reply = server.send("POST", "key-change", &jws(&*client.key, &header, &inner));
    assert_eq!(problem(&reply), "badPublicKey");
    // By an account with authorizations for all names.
    let (_, _, der) = client.issue(&mut server, &["c.example.org", "*.d.example.org"]);
    other.ready(&mut server, &["c.example.org", "d.example.org"]);
    assert_eq!(problem(&other.post(&mut server, "revoke-certificate", &revoke(&der, 4))), "unauthorized");
    other.ready(&mut server, &["*.d.example.org"]);
    assert_eq!(other.post(&mut server, "revoke-certificate", &revoke(&der, 4)).status, 200);
}

#[test]
fn renewal_information() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let (_, _, der) = client.issue(&mut server, &["a.example.org"]);
    let certificate = Certificate::from_der(&der).unwrap();
    assert_eq!(certificate.tbs_certificate.validity.length().as_secs(), 90 * 86_400);
    let own = certificate.extension::<tagwise_pkix::ext::AuthorityKeyIdentifier<'_>>().unwrap().unwrap();
    let serial = certificate.tbs_certificate.serial_number.0;
    let id =
        format!("{}.{}", jwk::base64url(own.key_identifier.unwrap().as_bytes()), jwk::base64url(serial.as_bytes()));
    let reply = server.get(&format!("renewal-info/{id}"));
    assert_eq!(reply.status, 200, "{}", body(&reply));
    assert_eq!(body(&reply)["suggestedWindow"]["start"], UnixTime(NOW.0 + 60 * 86_400).to_string());
    assert!(header(&reply, "retry-after").is_some());
    for wrong in ["x", "AAAA.AAAA", ".", "!.!"] {
        assert_eq!(problem(&server.get(&format!("renewal-info/{wrong}"))), "malformed", "{wrong}");
    }
    let order = |names: &[&str]| json!({ "identifiers": identifiers(names), "replaces": id });
    assert_eq!(problem(&client.post(&mut server, "new-order", &order(&["b.example.org"]))), "malformed");
    let other = Client::new(&mut server);
    assert_eq!(problem(&other.post(&mut server, "new-order", &order(&["a.example.org"]))), "unauthorized");
    let reply = client.post(&mut server, "new-order", &order(&["a.example.org"]));
    assert_eq!((reply.status, &body(&reply)["replaces"]), (201, &json!(id)));
    let again = client.post(&mut server, "new-order", &order(&["a.example.org"]));
    assert_eq!((problem(&again).as_str(), again.status), ("alreadyReplaced", 409));
}

#[test]
fn authorizations_before_an_order() {
    let mut server = Server::new(&format!("{POLICY}\npreauthorization = true"));
    let client = Client::new(&mut server);
    let identifier = json!({ "identifier": { "type": "dns", "value": "A.example.org" } });
    let reply = client.post(&mut server, "new-authorization", &identifier);
    assert_eq!(reply.status, 201);
    let url = header(&reply, "location").unwrap();
    let challenge = client.post(&mut server, &path(&body(&reply)["challenges"][0]["url"]), &json!({}));
    server.conclude(&challenge.jobs, Ok(()));
    let (_, order) = client.order(&mut server, &["a.example.org"]);
    assert_eq!((&order["status"], &order["authorizations"]), (&json!("ready"), &json!([url])));
    // Not for a wildcard, and not for another account.
    assert_eq!(client.order(&mut server, &["*.a.example.org"]).1["status"], "pending");
    let other = Client::new(&mut server);
    assert_eq!(other.order(&mut server, &["a.example.org"]).1["status"], "pending");
    // Nor after it was deactivated or has expired.
    let path_of = path(&json!(url));
    assert_eq!(body(&client.post(&mut server, &path_of, &json!({ "status": "deactivated" })))["status"], "deactivated");
    assert_eq!(client.order(&mut server, &["a.example.org"]).1["status"], "pending");
}

/// Clients choose a chain by its URL (RFC 8555 §7.4.2).
#[test]
fn alternate_chains_are_offered() {
    let mut store = SqliteStore::in_memory().unwrap();
    let now: UnixTime = std::time::SystemTime::now().into();
    let own = authority(&mut store, UnixTime(NOW.0 - 86_400));
    let other = KeySigner::preferred(BACKEND.generate(KeyType::P256).unwrap()).unwrap();
    let root = |name: &str, key: &KeySigner| {
        CertificateBuilder::new().subject(name).unwrap().ca(None).days(30).self_signed(key).unwrap()
    };
    let other_root = root("CN=Other", &other);
    let info = tagwise_codec::encode(&own.certificate().tbs_certificate.subject_public_key_info).unwrap();
    let cross = |subject: &str, to: UnixTime| {
        let builder = CertificateBuilder::new().subject(subject).unwrap().public_key(&info).unwrap();
        let builder = builder.issuer(&other_root).unwrap().ca(None);
        let builder = builder.not_before(UnixTime(to.0 - 86_400)).not_after(to);
        builder.sign(&other).unwrap().as_der().to_vec()
    };
    let later = UnixTime(now.0 + 86_400);
    let (good, other_root) = (cross("CN=Root", later), other_root.as_der().to_vec());
    let folder = std::env::temp_dir().join(format!("tagwise-acme-chains-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, list: &[&[u8]]| {
        let text: String = list.iter().map(|der| tagwise_codec::pem::encode("CERTIFICATE", der).unwrap()).collect();
        std::fs::write(folder.join(name), text).unwrap();
        Policy { alternate_chains: vec![folder.join(name)], ..Policy::from_toml(POLICY).unwrap() }
    };
    let stranger = root("CN=Root", &other).as_der().to_vec();
    for (name, list, expected) in [
        ("none", &[][..], "0 certificates found"),
        ("stranger", &[&stranger[..], &other_root], "its subject or key differs"),
        ("name", &[&cross("CN=Elsewhere", later)[..]], "its subject or key differs"),
        ("order", &[&other_root[..], &good], "its subject or key differs"),
        ("issuer", &[&good[..], &stranger], "certificate 1 was not issued by the next one"),
        ("expired", &[&cross("CN=Root", UnixTime(now.0 - 1))[..]], "certificate 1 expired"),
    ] {
        let error = crate::alternate_chains(&write(name, list), &own, &BACKEND, now).unwrap_err();
        assert!(error.starts_with("alternate-chains: ") && error.contains(expected), "{name}: {error}");
    }
    let missing = Policy { alternate_chains: vec![folder.join("missing")], ..Policy::default() };
    assert!(crate::alternate_chains(&missing, &own, &BACKEND, now).is_err());
    let chains = crate::alternate_chains(&write("good", &[&good, &other_root]), &own, &BACKEND, now).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(chains, [vec![good, other_root]]);

    let mut server = Server { acme: acme(own, POLICY, URL), store, now: NOW };
    let default = server.acme.chains.first().unwrap().clone();
    server.acme = server.acme.clone().with_chains([vec![default.clone()], chains.clone()].concat());
    let client = Client::new(&mut server);
    let (_, path_of, der) = client.issue(&mut server, &["a.example.org"]);
    let reply = client.read(&mut server, &path_of);
    assert_eq!(certificates(&reply.body), [vec![der.clone()], default].concat());
    let link = header(&reply, "link").unwrap();
    assert_eq!(link, format!("<{URL}/{path_of}/1>;rel=\"alternate\""));
    let other = client.read(&mut server, &format!("{path_of}/1"));
    assert_eq!(certificates(&other.body), [vec![der], chains.concat()].concat());
    assert_eq!(header(&other, "link").unwrap(), format!("<{URL}/{path_of}/0>;rel=\"alternate\""));
    assert_eq!(client.read(&mut server, &format!("{path_of}/2")).status, 404);
}

/// A persistent record has no token, because the record names the account (draft-ietf-acme-dns-persist-01).
#[test]
fn persistent_records_are_described() {
    let mut server = Server::new(&format!("{POLICY}\nchallenges = ['dns-persist-01']"));
    let client = Client::new(&mut server);
    let (_, order) = client.order(&mut server, &["*.example.org"]);
    let authorization = body(&client.read(&mut server, &path(&order["authorizations"][0])));
    let challenge = &authorization["challenges"][0];
    assert_eq!(challenge["type"], "dns-persist-01");
    assert_eq!(challenge["token"], Value::Null);
    assert_eq!(challenge["issuer-domain-names"], json!(["ca.test"]));
    assert_eq!(challenge["accounturi"], json!(client.account));
    let reply = client.post(&mut server, &path(&challenge["url"]), &json!({}));
    let attempt = server.call().attempt(&reply.jobs[0]).unwrap().unwrap();
    assert_eq!((attempt.account, attempt.wildcard), (client.account.clone(), true));
}

/// Authorizations of a domain cover the names below it, whose CAA records are not checked (RFC 9444).
#[test]
fn subdomains_are_covered() {
    const PRIVATE: &str =
        "dns = ['example.org', 'corp.internal']\nwildcards = true\nsubdomains = true\npreauthorization = true";
    let mut server = Server::new(PRIVATE);
    assert_eq!(body(&server.get("directory"))["meta"]["subdomainAuthAllowed"], true);
    let client = Client::new(&mut server);
    let order = |server: &mut Server, client: &Client, name: &str, ancestor: &str| {
        let identifier = json!({ "type": "dns", "value": name, "ancestorDomain": ancestor });
        client.post(server, "new-order", &json!({ "identifiers": [identifier] }))
    };
    let authorization = |server: &mut Server, client: &Client, order: &Reply| {
        body(&client.read(server, &path(&body(order)["authorizations"][0])))
    };
    // Only a domain above the name, in whole labels.
    for (name, ancestor) in [
        ("a.corp.internal", "b.corp.internal"),
        ("a.corp.internal", "rp.internal"),
        ("corp.internal", "a.corp.internal"),
    ] {
        assert_eq!(problem(&order(&mut server, &client, name, ancestor)), "malformed", "{name} {ancestor}");
    }
    // The policy, CAA records and wildcards require authorizations of their own.
    for (name, ancestor, own) in [
        ("a.corp.internal", "internal", "a.corp.internal"),
        ("a.example.org", "example.org", "a.example.org"),
        ("*.a.corp.internal", "corp.internal", "a.corp.internal"),
        ("corp.internal", "corp.internal", "corp.internal"),
    ] {
        let order = order(&mut server, &client, name, ancestor);
        let authorization = authorization(&mut server, &client, &order);
        assert_eq!(authorization["identifier"]["value"], own, "{name}");
        assert_eq!(authorization["subdomainAuthAllowed"], Value::Null, "{name}");
    }
    // The DNS alone shows control of the names below a domain.
    let first = order(&mut server, &client, "a.corp.internal", "Corp.internal");
    let found = authorization(&mut server, &client, &first);
    assert_eq!(
        (&found["identifier"]["value"], &found["subdomainAuthAllowed"]),
        (&json!("corp.internal"), &json!(true))
    );
    let kinds: Vec<_> = found["challenges"].as_array().unwrap().iter().map(|one| one["type"].clone()).collect();
    assert_eq!(kinds, ["dns-01"]);
    let challenge = client.post(&mut server, &path(&found["challenges"][0]["url"]), &json!({}));
    server.conclude(&challenge.jobs, Ok(()));
    let path_of = path(&json!(header(&first, "location").unwrap()));
    let key = BACKEND.generate(KeyType::P256).unwrap();
    // The names are those of the order all the same.
    assert_eq!(problem(&client.finalize(&mut server, &path_of, &csr(&key, &["b.corp.internal"], ""))), "badCSR");
    let issued = client.finalize(&mut server, &path_of, &csr(&key, &["a.corp.internal"], ""));
    assert_eq!(body(&issued)["status"], "valid", "{}", body(&issued));
    // Later orders need nothing, whether they name the domain or not.
    let second = order(&mut server, &client, "b.c.corp.internal", "corp.internal");
    assert_eq!(
        (&body(&second)["status"], &body(&second)["authorizations"]),
        (&json!("ready"), &body(&first)["authorizations"])
    );
    let (_, third) = client.order(&mut server, &["d.corp.internal", "e.corp.internal"]);
    assert_eq!((&third["status"], &third["authorizations"]), (&json!("ready"), &body(&first)["authorizations"]));
    // Not for wildcards, other accounts, or names above.
    assert_eq!(client.order(&mut server, &["*.corp.internal"]).1["status"], "pending");
    let other = Client::new(&mut server);
    assert_eq!(other.order(&mut server, &["d.corp.internal"]).1["status"], "pending");
    // Nor after it was deactivated.
    let url = path(&body(&first)["authorizations"][0]);
    client.post(&mut server, &url, &json!({ "status": "deactivated" }));
    assert_eq!(client.order(&mut server, &["d.corp.internal"]).1["status"], "pending");
    // An ordinary authorization covers nothing below.
    let (_, plain) = client.order(&mut server, &["corp.internal"]);
    let found = body(&client.read(&mut server, &path(&plain["authorizations"][0])));
    let challenge = client.post(&mut server, &path(&found["challenges"][0]["url"]), &json!({}));
    server.conclude(&challenge.jobs, Ok(()));
    assert_eq!(client.order(&mut server, &["d.corp.internal"]).1["status"], "pending");
    // Before an order.
    let domain = json!({ "identifier": { "type": "dns", "value": "corp.internal", "subdomainAuthAllowed": true } });
    assert_eq!(body(&client.post(&mut server, "new-authorization", &domain))["subdomainAuthAllowed"], true);
    // The flag is a member of the identifier (RFC 9444 §4.2), not of the request.
    let beside = json!({ "identifier": { "type": "dns", "value": "b.corp.internal" }, "subdomainAuthAllowed": true });
    assert_eq!(body(&client.post(&mut server, "new-authorization", &beside))["subdomainAuthAllowed"], Value::Null);
    // Without the capability, the members are ignored.
    let mut server = Server::new(&PRIVATE.replace("subdomains = true", ""));
    let client = Client::new(&mut server);
    assert_eq!(body(&server.get("directory"))["meta"]["subdomainAuthAllowed"], Value::Null);
    let plain = order(&mut server, &client, "a.corp.internal", "corp.internal");
    assert_eq!(authorization(&mut server, &client, &plain)["identifier"]["value"], "a.corp.internal");
    assert_eq!(body(&client.post(&mut server, "new-authorization", &domain))["subdomainAuthAllowed"], Value::Null);
    // Without a challenge in the DNS, there is nothing that validates a domain and the names below it.
    let mut server = Server::new(&format!("{PRIVATE}\nchallenges = ['http-01']"));
    let client = Client::new(&mut server);
    assert_eq!(problem(&order(&mut server, &client, "a.corp.internal", "corp.internal")), "rejectedIdentifier");
}

#[test]
fn expired_documents_are_deleted() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let (order, _) = client.order(&mut server, &["a.example.org"]);
    let nonce = server.nonce();
    server.now = UnixTime(NOW.0 + 2 * 86_400);
    assert_eq!(body(&client.read(&mut server, &order))["status"], "invalid");
    let id = server.acme.authority.id();
    tagwise_ca::Documents::purge_documents(&mut server.store, id, server.now, 1000).unwrap();
    assert_eq!(client.read(&mut server, &order).status, 200);
    let mut stale = client.header(&mut server, &order, false);
    stale["nonce"] = json!(nonce);
    assert_eq!(problem(&server.send("POST", &order, &jws(&*client.key, &stale, b""))), "badNonce");
    server.now = UnixTime(NOW.0 + 30 * 86_400);
    tagwise_ca::Documents::purge_documents(&mut server.store, id, server.now, 1000).unwrap();
    assert_eq!(client.read(&mut server, &order).status, 404);
}

/// The operator sees for whom a certificate was issued.
#[test]
fn the_requester_of_a_certificate_is_known() {
    use tagwise_ca::Serial;
    let mut server = Server::new(POLICY);
    let lines = Arc::new(std::sync::Mutex::new(Vec::new()));
    let own = Arc::clone(&lines);
    server.acme = server.acme.with_issued(Arc::new(move |line: &str| own.lock().unwrap().push(line.to_owned())));
    let client = Client::new(&mut server);
    let (_, _, der) = client.issue(&mut server, &["a.example.org", "b.example.org"]);
    let serial = Serial::from_int(Certificate::from_der(&der).unwrap().tbs_certificate.serial_number.0);
    let account = client.account.strip_prefix(&format!("{URL}/")).unwrap();
    let authority = Arc::clone(&server.acme.authority);
    let mut requester = |serial: &Serial| crate::accounts::requester(&mut server.store, &authority, serial).unwrap();
    assert_eq!(requester(&serial).as_deref(), Some(account));
    assert_eq!(requester(&"01".parse().unwrap()), None);
    let expected = format!("serial {serial}, profile server, to {account}, names DNS:a.example.org, DNS:b.example.org");
    assert_eq!(*lines.lock().unwrap(), [expected]);
}
