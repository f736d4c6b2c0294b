//! The policy and the operator's decisions, when they change after an order was created.

use super::*;

fn narrow(server: &mut Server, change: impl FnOnce(&mut Policy)) {
    let mut policy = (*server.acme.policy).clone();
    change(&mut policy);
    server.acme.policy = Arc::new(policy);
}

fn request(names: &[&str]) -> Vec<u8> {
    csr(&BACKEND.generate(KeyType::P256).unwrap(), names, "")
}

#[test]
fn a_ready_order_is_refused_once_the_policy_does_not_allow_it() {
    type Change = fn(&mut Policy);
    let changes: [(Change, &str); 3] = [
        (|policy| policy.dns = vec!["other.example".to_owned()], "rejectedIdentifier"),
        (|policy| policy.wildcards = false, "rejectedIdentifier"),
        (|policy| policy.external_account_required = true, "unauthorized"),
    ];
    for (change, expected) in changes {
        let mut server = Server::new(POLICY);
        let client = Client::new(&mut server);
        let names = ["a.example.org", "*.example.org"];
        let order = client.ready(&mut server, &names);
        narrow(&mut server, change);
        let reply = client.finalize(&mut server, &order, &request(&names));
        assert_eq!((reply.status, problem(&reply).as_str()), (403, expected));
        let after = body(&client.read(&mut server, &order));
        assert_eq!(after["status"], "invalid");
        assert_eq!(after["error"]["type"], format!("urn:ietf:params:acme:error:{expected}"));
        let again = client.finalize(&mut server, &order, &request(&names));
        assert_eq!(problem(&again), "orderNotReady");
    }
}

#[test]
fn a_profile_that_is_no_longer_offered_is_refused() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let order = client.ready(&mut server, &["a.example.org"]);
    server.acme.profiles = server.acme.profiles[1..].to_vec().into();
    let reply = client.finalize(&mut server, &order, &request(&["a.example.org"]));
    assert_eq!(problem(&reply), "invalidProfile");
    assert_eq!(body(&client.read(&mut server, &order))["status"], "invalid");
}

#[test]
fn a_domain_covers_names_below_it_only_while_the_policy_lets_it() {
    let mut server = Server::new(&format!("{POLICY}\nsubdomains = true\ncaa = 'never'"));
    let client = Client::new(&mut server);
    let identifier = json!({ "type": "dns", "value": "a.example.org", "ancestorDomain": "example.org" });
    let created = client.post(&mut server, "new-order", &json!({ "identifiers": [identifier] }));
    let order = path(&json!(header(&created, "location").unwrap()));
    let authorization = body(&client.read(&mut server, &path(&body(&created)["authorizations"][0])));
    assert_eq!(authorization["identifier"]["value"], "example.org");
    let challenge = client.post(&mut server, &path(&authorization["challenges"][0]["url"]), &json!({}));
    server.conclude(&challenge.jobs, Ok(()));
    narrow(&mut server, |policy| policy.subdomains = false);
    let reply = client.finalize(&mut server, &order, &request(&["a.example.org"]));
    assert_eq!(problem(&reply), "unauthorized");
    assert_eq!(body(&reply)["identifier"], json!({ "type": "dns", "value": "a.example.org" }));
}

#[test]
fn a_challenge_is_not_validated_once_the_policy_does_not_allow_its_name() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let (order, created) = client.order(&mut server, &["a.example.org"]);
    let authorization = path(&created["authorizations"][0]);
    let url = path(&body(&client.read(&mut server, &authorization))["challenges"][0]["url"]);
    narrow(&mut server, |policy| policy.dns = vec!["other.example".to_owned()]);
    let reply = client.post(&mut server, &url, &json!({}));
    assert_eq!(problem(&reply), "rejectedIdentifier");
    assert!(reply.jobs.is_empty());
    let after = body(&client.read(&mut server, &authorization));
    assert_eq!(after["status"], "invalid");
    assert_eq!(after["challenges"][0]["error"]["type"], "urn:ietf:params:acme:error:rejectedIdentifier");
    assert_eq!(body(&client.read(&mut server, &order))["status"], "invalid");
}

#[test]
fn a_revoked_account_can_do_nothing() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let order = client.ready(&mut server, &["a.example.org"]);
    let authority = Arc::clone(&server.acme.authority);
    let id = client.account.rsplit('/').next().unwrap().to_owned();
    assert!(!crate::accounts::revoke(&mut server.store, &authority, "other").unwrap());
    assert!(crate::accounts::revoke(&mut server.store, &authority, &id).unwrap());
    let reply = client.finalize(&mut server, &order, &request(&["a.example.org"]));
    assert_eq!((reply.status, problem(&reply).as_str()), (403, "unauthorized"));
    assert_eq!(body(&reply)["detail"], "the operator has revoked the account");
    assert_eq!(problem(&client.register(&mut server, &json!({}))), "unauthorized");
    let status = client.post(&mut server, &format!("account/{id}"), &json!({ "status": "valid" }));
    assert_eq!(problem(&status), "unauthorized");
    let list = crate::accounts::list(&mut server.store, &authority).unwrap();
    let expected = crate::accounts::ListedAccount { id, status: "revoked", contact: Vec::new(), external_key: None };
    assert_eq!(list, [expected]);
}

#[test]
fn clients_cannot_set_the_status_revoked() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let path = path(&json!(client.account));
    assert_eq!(problem(&client.post(&mut server, &path, &json!({ "status": "revoked" }))), "malformed");
    assert_eq!(body(&client.read(&mut server, &path))["status"], "valid");
}

#[test]
fn a_change_to_the_present_key_is_named() {
    let mut server = Server::new(POLICY);
    let client = Client::new(&mut server);
    let inner = json!({ "alg": "ES256", "jwk": public(&*client.key), "url": format!("{URL}/key-change") });
    let change = json!({ "account": client.account, "oldKey": public(&*client.key) });
    let inner = jws(&*client.key, &inner, change.to_string().as_bytes());
    let header = client.header(&mut server, "key-change", false);
    let reply = server.send("POST", "key-change", &jws(&*client.key, &header, &inner));
    assert_eq!((reply.status, problem(&reply).as_str()), (400, "malformed"));
    assert_eq!(body(&reply)["detail"], "the new key is the account's present key (RFC 8555 §7.3.5)");
}
