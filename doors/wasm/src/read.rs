//! Reading: trees, components, findings and differences, in the JSON documents of the command.

use serde::Serialize;
use serde_json::value::RawValue;
use tagwise_codec::Options;
use tagwise_codec::value::{Dynamic, Found, Types, Value};
use tagwise_input::{Content, InputItem, find, secret};
use tagwise_pkix::lint::Severity;
use tagwise_show::diff::{Comparison, Place, Unequal};
use tagwise_show::lint::{File, Judged, Selection, document};
use tagwise_show::named::{Named, field};
use tagwise_show::render::json::raw;
use tagwise_show::tree::{Record, Value as Tree};
use tagwise_show::{Lens, Scene, fields, report};

use crate::Response;
use crate::error::Failure;
use crate::request::{Request, json};

/// The maximum number of components in an outline.
const ROWS: usize = 20_000;

fn scene(request: &Request<'_>) -> Result<Scene, Failure> {
    Ok(Scene {
        lens: Lens::new(request.rules()?),
        now: request.now(),
        entries: request.options.entries,
        depth: 0,
        #[cfg(feature = "full")]
        proof: Some(tagwise_mtc::show::proof),
        #[cfg(not(feature = "full"))]
        proof: None,
        #[cfg(feature = "verify")]
        verify: Some(crate::verify::signature),
        #[cfg(not(feature = "verify"))]
        verify: None,
    })
}

/// Returns the values of an input with their trees: a file of `tagwise.show/1`.
pub(crate) fn parse(request: &Request<'_>) -> Result<Response, Failure> {
    let input = request.blob(0)?;
    let (rules, scene) = (request.rules()?, scene(request)?);
    let found = find(input, rules);
    let total = found.items.len();
    let items = found.items.iter().zip(1..);
    let items = items.map(|(item, number)| Tree::Record(report(item, (number, total), "", rules, &scene).record));
    let items: Vec<Tree<'_>> = items.collect();
    let is_known = found.items.iter().any(|item| !matches!(item.content, Content::Other(_) | Content::Nothing));
    let mut file = Record::default()
        .with("form", Tree::word(found.form.name()))
        .with("size", Tree::number(input.len()))
        .with("items", Tree::List(items));
    if !is_known && found.items.iter().all(|item| item.problem.is_none()) {
        file = file.with("error", Tree::text(found.nothing("certificate and no CRL", input.len())));
    }
    json(&Tree::Record(file))
}

/// Returns a value in an input.
pub(crate) fn item<'r>(request: &Request<'r>, blob: usize, number: usize) -> Result<InputItem<'r>, Failure> {
    let input = request.blob(blob)?;
    let mut found = find(input, request.rules()?);
    if number >= found.items.len() {
        return Err(match found.items.is_empty() {
            true => Failure::input(found.nothing("certificate and no CRL", input.len())),
            false => Failure::usage(format!("item {number} does not exist: the input has {}", found.items.len())),
        });
    }
    let item = found.items.swap_remove(number);
    match &item.problem {
        Some(problem) => Err(problem.into()),
        None => Ok(item),
    }
}

/// Returns the type of a value.
fn dynamic(request: &Request<'_>, item: &InputItem<'_>) -> Result<Dynamic<'static>, Failure> {
    let kind = item.content.kind().ok_or_else(|| Failure::input("unknown content"))?;
    Ok(Dynamic::new(kind.ty()).options(Options::der().rules(request.rules()?)))
}

/// Returns the components of a value with their positions.
pub(crate) fn outline(request: &Request<'_>) -> Result<Response, Failure> {
    let item = item(request, 0, request.options.item)?;
    let kind = item.content.kind().ok_or_else(|| Failure::input("unknown content"))?;
    let limit = request.options.entries.unwrap_or(ROWS).min(ROWS);
    let rows = tagwise_show::outline::outline(kind, &item.der, request.rules()?, limit)?;
    json(&tagwise_show::outline::document(&rows))
}

/// Returns the DER of a value, in which offsets count.
pub(crate) fn bytes(request: &Request<'_>) -> Result<Response, Failure> {
    Ok(Response::Bytes(item(request, 0, request.options.item)?.der.into_owned()))
}

/// Returns the path of the component at an offset.
pub(crate) fn explain(request: &Request<'_>) -> Result<Response, Failure> {
    let (item, offset) = (item(request, 0, request.options.item)?, request.options.offset);
    if offset >= item.der.len() {
        return Err(Failure::usage(format!("the value has {} bytes", item.der.len())));
    }
    let dynamic = dynamic(request, &item)?;
    let path = dynamic.path_at(&item.der, offset);
    json(&serde_json::json!({ "path": path, "type": &*dynamic.ty().name }))
}

/// A selected component.
#[derive(Serialize)]
struct Selected {
    path: String,
    offset: Option<usize>,
    size: Option<usize>,
    value: Option<Box<RawValue>>,
}

/// Calls a function with a selected value, or with its DEFAULT.
fn with<'a, R>(types: Types<'a>, found: &Found<'_, 'a>, with: impl FnOnce(&Value<'_>) -> R) -> Option<R> {
    match (found.value, found.default) {
        (Some(value), _) => Some(with(value)),
        (None, Some(field)) => types.with_default(field, with),
        (None, None) => None,
    }
}

/// Returns the components at a path, or the text of a field with a customary name.
pub(crate) fn get(request: &Request<'_>) -> Result<Response, Failure> {
    let (item, path) = (item(request, 0, request.options.item)?, request.options.path.as_str());
    let rules = request.rules()?;
    let raw = |text: String| raw(text).map_err(Failure::input);
    let mut values = Vec::new();
    let kind = item.content.kind();
    let named = field(path).zip(kind.and_then(|kind| Named::read(kind, &item.der, rules).transpose()));
    if let Some((field, value)) = named {
        for text in field.texts(&value?)? {
            let text = serde_json::to_string(&text).map_err(Failure::input)?;
            values.push(Selected { path: field.name().to_owned(), offset: None, size: None, value: Some(raw(text)?) });
        }
    } else {
        let dynamic = dynamic(request, &item)?;
        let (read, types) = (dynamic.decode(&item.der)?, dynamic.types());
        for found in read.value.select(types, path, &fields::identifier).map_err(Failure::usage)? {
            let value = with(types, &found, |value| {
                (!secret::holds_secret(value)).then(|| tagwise_jer::to_string(types, value))
            });
            values.push(Selected {
                offset: found.value.map(Value::offset),
                size: found.value.and_then(Value::as_bytes).map(<[u8]>::len),
                value: value.flatten().map(raw).transpose()?,
                path: found.path,
            });
        }
    }
    match values.is_empty() {
        true => Err(Failure::absent(format!("{path} is absent"))),
        false => json(&values),
    }
}

/// Returns the findings on all certificates and CRLs of an input: `tagwise.lint/1`.
pub(crate) fn lint(request: &Request<'_>) -> Result<Response, Failure> {
    let options = &request.options;
    let severity = match options.severity.as_deref() {
        None | Some("warning") => Severity::Warning,
        Some("error") => Severity::Error,
        Some(_) => return Err(Failure::usage("severity must be \"warning\" or \"error\"")),
    };
    let selection = Selection::new(severity, &options.only, &options.skip).map_err(Failure::usage)?;
    let (mut file, mut judged) = (File::new(None, "input".to_owned()), Judged::default());
    file.check(request.blob(0)?, &selection, &mut judged);
    json(&document(&[file], &judged))
}

/// Returns the differences between two values: `tagwise.diff/1`.
pub(crate) fn diff(request: &Request<'_>) -> Result<Response, Failure> {
    let one = item(request, 0, request.options.item)?;
    let other = item(request, 1, request.options.other_item)?;
    let found = Comparison::of(&one, &other, request.options.precert).map_err(|why| match why {
        Unequal::Kinds([one, other]) => Failure::usage(format!("different kinds of values: {one}, {other}")),
        Unequal::NotCertificates => Failure::usage("precert requires certificates"),
        Unequal::Precertificate(message) => Failure::input(message),
        Unequal::Malformed(0, message) => Failure::input(format!("first value: {message}")),
        Unequal::Malformed(_, message) => Failure::input(format!("second value: {message}")),
    })?;
    let place = |item: &InputItem<'_>| Place { path: None, line: item.line, offset: item.offset, size: item.der.len() };
    json(&found.document([&place(&one), &place(&other)]))
}
