//! A dump as JSON lines: an object for the file, one for each element in order, and one for the end or the error.

use std::io::{self, Write};
use std::path::Path;

use serde::ser::{Serialize, Serializer};
use serde_json::{Value, json};
use tagwise_codec::Class;
use tagwise_codec::stream::Rules;
use tagwise_codec::text::hex::Hex;
use tagwise_show::render::json::line;

use super::{Content, Element, Fault, Meaning, Sink, meaning};

/// The maximum number of bytes of a value to write.
const FEW: usize = 1024;

/// A JSON object that preserves the order of its keys.
#[derive(Default)]
struct Object(Vec<(&'static str, Value)>);

impl Object {
    fn put(&mut self, key: &'static str, value: impl Into<Value>) {
        self.0.push((key, value.into()));
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Writes a dump as JSON lines.
pub(crate) struct Json<W> {
    out: W,
    full: bool,
    elements: u64,
}

impl<W: Write> Json<W> {
    pub(crate) const fn new(out: W, full: bool) -> Self {
        Self { out, full, elements: 0 }
    }

    fn write(&mut self, object: &Object) -> io::Result<()> {
        line(&mut self.out, object)
    }

    fn value(&self, element: &Element<'_>, octets: &[u8], whole: bool, object: &mut Object) {
        let shown = if self.full { octets } else { octets.get(..FEW).unwrap_or(octets) };
        let complete = whole && shown.len() == octets.len();
        match meaning(element.header.tag, octets, whole) {
            Meaning::Octets | Meaning::Nothing | Meaning::Integer(None) => {}
            Meaning::Bool(yes) => object.put("boolean", yes),
            Meaning::Integer(Some(decimal)) => object.put("decimal", decimal),
            Meaning::Oid(dotted, name) => {
                object.put("oid", dotted);
                if let Some(name) = name {
                    object.put("oid_name", name);
                }
            }
            Meaning::Real(text) => object.put("real", text),
            Meaning::Bits(unused) => object.put("unused_bits", unused),
            Meaning::Text(text, iso) => {
                if complete {
                    object.put("text", text);
                }
                if let Some(iso) = iso {
                    object.put("iso", iso);
                }
            }
        }
        object.put("content", Hex(shown).to_string());
        object.put("complete", complete);
    }
}

impl<W: Write> Sink for Json<W> {
    fn file(&mut self, path: &Path, _: Option<&str>, form: &'static str, rules: Rules) -> io::Result<()> {
        self.elements = 0;
        let rules = match rules {
            Rules::Der => "der",
            Rules::Ber => "ber",
            Rules::Cer => "cer",
        };
        let tool = concat!("tagwise ", env!("CARGO_PKG_VERSION"));
        let mut object = Object::default();
        object.put("schema", "tagwise.dump/1");
        object.put("tool", tool);
        object.put("path", path_of(path));
        object.put("form", form);
        object.put("rules", rules);
        self.write(&object)
    }

    fn block(&mut self, label: &str, line: usize) -> io::Result<()> {
        self.write(&Object(vec![("block", label.into()), ("line", line.into())]))
    }

    fn element(&mut self, element: &Element<'_>) -> io::Result<()> {
        self.elements = self.elements.saturating_add(1);
        let header = &element.header;
        let class = match header.tag.class() {
            Class::Universal => "universal",
            Class::Application => "application",
            Class::Context => "context",
            Class::Private => "private",
        };
        let mut object = Object::default();
        object.put("offset", header.offset);
        object.put("depth", element.depth);
        object.put("header_length", header.header_len);
        object.put("length", header.len);
        object.put("class", class);
        object.put("number", header.tag.number());
        object.put("constructed", header.tag.is_constructed());
        object.put("name", header.tag.to_string());
        if let Some(within) = element.within {
            object.put("encapsulated_in", within);
        }
        match element.content {
            Content::Elements { cut } => {
                if cut {
                    object.put("cut", true);
                }
            }
            Content::Hidden => object.put("hidden", true),
            Content::Wrong(octets) => {
                object.put("content", Hex(octets.get(..FEW).unwrap_or(octets)).to_string());
                object.put("complete", octets.len() as u64 == header.len.unwrap_or_default() && octets.len() <= FEW);
            }
            Content::Whole { encapsulates: true, .. } => object.put("encapsulates", true),
            Content::Whole { octets, .. } => self.value(element, octets, true, &mut object),
            Content::Front(octets) => self.value(element, octets, false, &mut object),
        }
        self.write(&object)
    }

    fn more(&mut self, offset: u64, octets: &[u8], _: usize) -> io::Result<()> {
        self.write(&Object(vec![("more", offset.into()), ("content", Hex(octets).to_string().into())]))
    }

    fn end_of_contents(&mut self, offset: u64, depth: usize) -> io::Result<()> {
        self.write(&Object(vec![("end_of_contents", offset.into()), ("depth", depth.into())]))
    }

    fn fault(&mut self, fault: &Fault<'_>) -> io::Result<()> {
        let error = fault.error;
        self.write(&Object(vec![(
            "error",
            json!({
                "code": error.code(),
                "offset": error.offset(),
                "clause": error.clause(),
                "message": error.message().to_string(),
                "excerpt": fault.excerpt,
            }),
        )]))
    }

    fn wrong(&mut self, line: &str) -> io::Result<()> {
        self.write(&Object(vec![("error", json!({ "message": line }))]))
    }

    fn unreadable(&mut self, path: &Path, line: &str) -> io::Result<()> {
        let error = ("error", json!({ "message": line }));
        self.write(&Object(vec![("schema", "tagwise.dump/1".into()), ("path", path_of(path)), error]))
    }

    fn done(&mut self) -> io::Result<()> {
        self.write(&Object(vec![("sound", true.into()), ("elements", self.elements.into())]))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn path_of(path: &Path) -> Value {
    if path.as_os_str() == "-" { Value::Null } else { json!(path.to_string_lossy()) }
}
