//! A scripted client over the protocol.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on fails")]

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

const MODULE: &str = "\
Example DEFINITIONS AUTOMATIC TAGS ::= BEGIN
IMPORTS Label FROM Names;

-- A point in the plane.
Point ::= SEQUENCE { x INTEGER, y INTEGER, name Label OPTIONAL }
Line ::= SEQUENCE OF Point
END
";
const NAMES: &str = "Names DEFINITIONS ::= BEGIN\nLabel ::= UTF8String (SIZE (1..max))\nmax INTEGER ::= 20\nEND\n";

struct Client {
    connection: Connection,
    server: Option<std::thread::JoinHandle<Result<(), tagwise_lsp::Error>>>,
    /// The last published diagnostics of each document.
    published: std::collections::BTreeMap<String, Value>,
    id: i32,
}

impl Client {
    fn new(params: Value) -> (Self, Value) {
        let (server, connection) = Connection::memory();
        let server = Some(std::thread::spawn(move || tagwise_lsp::serve(&server)));
        let mut client = Self { connection, server, published: Default::default(), id: 0 };
        let about = client.ask("initialize", params).unwrap();
        client.tell("initialized", json!({}));
        (client, about)
    }

    fn open() -> Self {
        let (mut client, _) = Self::new(json!({ "capabilities": {} }));
        client.document("file:///w/example.asn1", MODULE);
        client.document("file:///w/names.asn1", NAMES);
        client
    }

    fn document(&mut self, uri: &str, text: &str) {
        self.tell("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "text": text, "version": 1 } }));
    }

    fn tell(&mut self, method: &str, params: Value) {
        let note = Notification::new(method.to_owned(), params);
        self.connection.sender.send(Message::Notification(note)).unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.id += 1;
        let id = RequestId::from(self.id);
        self.connection.sender.send(Message::Request(Request::new(id.clone(), method.to_owned(), params))).unwrap();
        loop {
            let message = self.connection.receiver.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
            match message {
                Message::Notification(note) => {
                    let uri = note.params["uri"].as_str().unwrap().to_owned();
                    self.published.insert(uri, note.params["diagnostics"].clone());
                }
                Message::Response(Response { id: of, result, error }) => {
                    assert_eq!(of, id);
                    return error.map_or_else(|| Ok(result.unwrap_or_default()), |error| Err(error.message));
                }
                Message::Request(request) => panic!("{request:?}"),
            }
        }
    }

    /// A request at the first place of a text in the example, plus some bytes.
    fn at(&mut self, method: &str, text: &str, skip: usize, more: Value) -> Result<Value, String> {
        let mut params = json!({
            "textDocument": { "uri": "file:///w/example.asn1" },
            "position": position(MODULE, text, skip),
        });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.ask(method, params)
    }

    fn diagnostics(&mut self, uri: &str) -> Value {
        // Notifications are processed in order, before this request.
        self.ask("workspace/symbol", json!({ "query": "nothing" })).unwrap();
        self.published[uri].clone()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(server) = self.server.take().filter(|_| !std::thread::panicking()) {
            self.ask("shutdown", Value::Null).unwrap();
            self.tell("exit", Value::Null);
            server.join().unwrap().unwrap();
        }
    }
}

/// The position in a module of the first place of a text, plus some bytes.
fn position(module: &str, text: &str, skip: usize) -> Value {
    let offset = module.find(text).unwrap() + skip;
    let before = &module[..offset];
    let line = before.matches('\n').count();
    json!({ "line": line, "character": offset - before.rfind('\n').map_or(0, |at| at + 1) })
}

fn document() -> Value {
    json!({ "textDocument": { "uri": "file:///w/example.asn1" } })
}

#[test]
fn the_handshake_agrees_on_an_encoding() {
    let (_client, about) = Client::new(json!({ "capabilities": {} }));
    assert_eq!(about["capabilities"]["positionEncoding"], "utf-16");
    let offered = json!({ "capabilities": { "general": { "positionEncodings": ["utf-8", "utf-16"] } } });
    let (_client, about) = Client::new(offered);
    assert_eq!(about["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(about["serverInfo"]["name"], "tagwise");
}

#[test]
fn errors_are_published_while_the_user_types() {
    let mut client = Client::open();
    let uri = "file:///w/example.asn1";
    assert_eq!(client.diagnostics(uri), json!([]), "the import is found in the other document");
    let edit = |text: &str, from: u32, to: u32| {
        json!({
            "textDocument": { "uri": uri, "version": 2 },
            "contentChanges": [{
                "range": { "start": { "line": 5, "character": from }, "end": { "line": 5, "character": to } },
                "text": text,
            }],
        })
    };
    client.tell("textDocument/didChange", edit("Pomt", 21, 26));
    let found = client.diagnostics(uri);
    assert_eq!(found[0]["message"], "there is no Pomt in Example [X.680 §14.4]");
    assert_eq!(found[0]["range"]["start"], json!({ "line": 5, "character": 21 }));
    assert_eq!((&found[0]["severity"], &found[0]["code"]), (&json!(1), &json!("undefined")));
    client.tell("textDocument/didChange", edit("Point", 21, 25));
    assert_eq!(client.diagnostics(uri), json!([]));
    // A change of a module affects those that import from it.
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": "file:///w/names.asn1" } }));
    assert_ne!(client.diagnostics(uri), json!([]));
    assert_eq!(client.diagnostics("file:///w/names.asn1"), json!([]));
}

#[test]
fn names_lead_to_definitions_in_other_documents() {
    let mut client = Client::open();
    let found = client.at("textDocument/definition", "name Label", 6, json!({})).unwrap();
    assert_eq!(found["uri"], "file:///w/names.asn1");
    assert_eq!(found["range"]["start"], json!({ "line": 1, "character": 0 }));
    let found = client.at("textDocument/references", "name Label", 6, json!({})).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 3, "{found}");
    let found = client.at("textDocument/documentHighlight", "OF Point", 4, json!({})).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 2);
    assert_eq!(client.at("textDocument/definition", "x INTEGER", 0, json!({})).unwrap(), Value::Null);
}

#[test]
fn hover_shows_type_tag_and_comment() {
    let mut client = Client::open();
    let found = client.at("textDocument/hover", "OF Point", 4, json!({})).unwrap();
    let text = found["contents"]["value"].as_str().unwrap();
    for part in
        ["Point ::= SEQUENCE { x", "SEQUENCE, tag `[UNIVERSAL 16]`", "A point in the plane.", "module `Example`"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn renaming_changes_every_document() {
    let mut client = Client::open();
    let prepared = client.at("textDocument/prepareRename", "name Label", 6, json!({})).unwrap();
    assert_eq!(prepared["placeholder"], "Label");
    let renamed = client.at("textDocument/rename", "name Label", 6, json!({ "newName": "Title" })).unwrap();
    let count = |uri: &str| renamed["changes"][uri].as_array().unwrap().len();
    assert_eq!((count("file:///w/example.asn1"), count("file:///w/names.asn1")), (2, 1));
    for (new, why) in
        [("title", "must begin with an uppercase letter"), ("A_B", "is not a name"), ("A--B", "is not a name")]
    {
        let refused = client.at("textDocument/rename", "name Label", 6, json!({ "newName": new })).unwrap_err();
        assert!(refused.contains(why), "{refused}");
    }
}

#[test]
fn automatic_tags_are_hints() {
    let mut client = Client::open();
    let found = client.ask("textDocument/inlayHint", document()).unwrap();
    let labels: Vec<_> = found.as_array().unwrap().iter().map(|hint| hint["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["[0]", "[1]", "[2]"]);
    assert_eq!(found[0]["position"], json!({ "line": 4, "character": 22 }));
}

#[test]
fn a_type_decodes_hexadecimal() {
    let mut client = Client::open();
    let lenses = client.ask("textDocument/codeLens", document()).unwrap();
    assert_eq!(lenses.as_array().unwrap().len(), 2);
    let mut arguments = lenses[0]["command"]["arguments"].as_array().unwrap().clone();
    arguments.push(json!("30 06 80 01 05 81 01 07"));
    let mut run = |arguments: &Value| {
        client.ask("workspace/executeCommand", json!({ "command": "tagwise.decode", "arguments": arguments }))
    };
    assert_eq!(run(&json!(arguments)).unwrap(), "x: 5\ny: 7\n");
    arguments[3] = json!("30 03 80 01 05");
    assert_eq!(run(&json!(arguments)).unwrap_err(), "y: a required element is missing, at byte 5 (X.680 §25)");
    arguments[3] = json!("30 0g");
    assert!(run(&json!(arguments)).unwrap_err().starts_with("the input is not hexadecimal"));
    assert!(run(&json!(arguments[..3])).unwrap_err().contains("four arguments"));
}

#[test]
fn outlines_completions_tokens_and_layout() {
    let mut client = Client::open();
    let outline = client.ask("textDocument/documentSymbol", document()).unwrap();
    assert_eq!(outline[0]["name"], "Example");
    assert_eq!(outline[0]["children"][0]["children"][2]["name"], "name");
    let offered = client.at("textDocument/completion", "OF Point", 3, json!({})).unwrap();
    let labels: Vec<_> =
        offered["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
    for label in ["Point", "Label", "Names", "OCTET STRING"] {
        assert!(labels.contains(&label), "{label}");
    }
    let tokens = client.ask("textDocument/semanticTokens/full", document()).unwrap();
    assert_eq!(tokens["data"].as_array().unwrap()[..10], [0, 0, 7, 0, 1, 0, 8, 11, 9, 0].map(|n| json!(n)));
    let edits = client.ask("textDocument/formatting", document()).unwrap();
    assert!(edits[0]["newText"].as_str().unwrap().contains("Point ::= SEQUENCE {\n  x INTEGER,"));
}

#[test]
fn modules_in_the_folder_are_found() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("names.asn1"), NAMES).unwrap();
    std::fs::write(folder.path().join("other.asn1"), "Names DEFINITIONS ::= BEGIN END -- has the same name").unwrap();
    let root = format!("file://{}", folder.path().display());
    let (mut client, _) =
        Client::new(json!({ "capabilities": {}, "workspaceFolders": [{ "uri": root, "name": "w" }] }));
    let uri = format!("{root}/example.asn1");
    client.document(&uri, MODULE);
    assert_eq!(client.diagnostics(&uri), json!([]));
}

#[test]
fn hostile_messages_have_answers() {
    let mut client = Client::open();
    let broken = "A DEFINITIONS ::= BEGIN B ::= SEQUENCE {{{{ \"\u{1F600} C ::= D (".repeat(50);
    client.document("file:///w/broken.asn1", &broken);
    for method in ["textDocument/hover", "textDocument/rename", "textDocument/inlayHint", "textDocument/codeLens"] {
        for params in [
            json!(null),
            json!({ "textDocument": { "uri": 7 } }),
            json!({
                "textDocument": { "uri": "file:///w/broken.asn1" },
                "position": { "line": u64::MAX, "character": u64::MAX },
            }),
        ] {
            let _ = client.ask(method, params);
        }
    }
    client.tell(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": "file:///w/broken.asn1" },
            "contentChanges": [{ "text": "x", "range": {
                "start": { "line": 9, "character": 9 }, "end": { "line": 0, "character": 0 } } }],
        }),
    );
    assert!(client.ask("textDocument/nothing", json!({})).unwrap_err().contains("not supported"));
}

#[test]
fn the_modules_of_rfc_5912_have_no_errors_and_lead_to_each_other() {
    let schemas = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas").canonicalize().unwrap();
    let root = format!("file://{}", schemas.display());
    let (mut client, _) =
        Client::new(json!({ "capabilities": {}, "workspaceFolders": [{ "uri": root, "name": "schemas" }] }));
    // The modules that these import are found in the folder.
    let name = "rfc5912/PKIX1Explicit-2009.asn1";
    let (uri, text) = (format!("{root}/{name}"), std::fs::read_to_string(schemas.join(name)).unwrap());
    client.document(&uri, &text);
    assert_eq!(client.diagnostics(&uri), json!([]));
    let place = json!({ "textDocument": { "uri": uri }, "position": position(&text, "ATTRIBUTE.&id", 0) });
    let found = client.ask("textDocument/definition", place.clone()).unwrap();
    assert_eq!(found["uri"], format!("{root}/rfc5912/PKIX-CommonTypes-2009.asn1"));
    let hover = client.ask("textDocument/hover", place).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("ATTRIBUTE ::= CLASS {"), "{hover}");
}

#[test]
fn published_modules_have_the_compilers_diagnostics() {
    let Some(modules) = tagwise_testing::corpus("asn1-modules/asn1tools-git") else { return };
    for name in ["3gpp/rrc_14_4_0.asn", "3gpp/s1ap_14_4_0.asn", "3gpp/lpp_14_3_0.asn"] {
        let text = std::fs::read_to_string(modules.join(name)).unwrap();
        let expected = tagwise_schema::compile(vec![tagwise_schema::Source::new(name, &text)]);
        let (mut client, _) = Client::new(json!({ "capabilities": {} }));
        let uri = "file:///w/module.asn";
        client.document(uri, &text);
        let found = client.diagnostics(uri);
        assert_eq!(found.as_array().unwrap().len(), expected.diagnostics().list().len(), "{name}");
        let document = json!({ "textDocument": { "uri": uri } });
        let tokens = client.ask("textDocument/semanticTokens/full", document.clone()).unwrap();
        assert!(tokens["data"].as_array().unwrap().len() > 5000, "{name}");
        let lenses = client.ask("textDocument/codeLens", document).unwrap();
        assert!(lenses.as_array().unwrap().len() > 100, "{name}");
    }
}
