//! ASN.1 modules, compiled at run time. Compiled schemas stay in a table until they are freed.

use std::sync::{Arc, Mutex};

use serde_json::json as object;
use tagwise_codec::value::{Dynamic, Value};
use tagwise_codec::{Options, ber, cer};
use tagwise_tables::{Schema, Source, untagged};

use crate::Response;
use crate::error::Failure;
use crate::request::{Request, json};

static SCHEMAS: Mutex<Vec<Option<Arc<Schema>>>> = Mutex::new(Vec::new());

/// Compiles modules, and returns the number of the schema and its types.
pub(crate) fn compile(request: &Request<'_>) -> Result<Response, Failure> {
    let names = request.options.names.iter().map(String::as_str).chain(std::iter::repeat("input.asn1"));
    let sources = request.blobs().iter().zip(names).map(|(text, name)| Source::from_bytes(name, text));
    let schema = Schema::compile(sources).map_err(Failure::input)?;
    let types = schema.names().iter();
    let types: Vec<_> =
        types.map(|name| object!({ "module": name.module, "name": name.name, "top": name.top })).collect();
    let mut schemas = SCHEMAS.lock().map_err(Failure::input)?;
    let free = schemas.iter().position(Option::is_none);
    let number = free.unwrap_or_else(|| {
        schemas.push(None);
        schemas.len().saturating_sub(1)
    });
    if let Some(slot) = schemas.get_mut(number) {
        *slot = Some(Arc::new(schema));
    }
    json(&object!({ "schema": number, "types": types }))
}

/// Frees a schema.
pub(crate) fn free(request: &Request<'_>) -> Result<Response, Failure> {
    let mut schemas = SCHEMAS.lock().map_err(Failure::input)?;
    if let Some(slot) = schemas.get_mut(request.options.schema as usize) {
        *slot = None;
    }
    json(&object!({}))
}

fn schema(request: &Request<'_>) -> Result<Arc<Schema>, Failure> {
    let schemas = SCHEMAS.lock().map_err(Failure::input)?;
    let found = schemas.get(request.options.schema as usize).cloned().flatten();
    found.ok_or_else(|| Failure::usage("the schema was freed"))
}

/// Encoding rules.
enum Rules {
    Der,
    Ber,
    Cer,
    Untagged(untagged::Rules),
}

fn rules(request: &Request<'_>) -> Result<Rules, Failure> {
    Ok(match request.options.rules.as_deref().unwrap_or("der") {
        "der" => Rules::Der,
        "ber" => Rules::Ber,
        "cer" => Rules::Cer,
        other => Rules::Untagged(untagged::Rules::named(other).ok_or_else(|| {
            Failure::usage(format!(
                "unknown encoding rules {other:?}; expected der, ber, cer, uper, aper, cuper, caper, oer, coer, xer, cxer or exer"
            ))
        })?),
    })
}

/// Returns the name of the requested type or, if none is requested, of the only type that no other type refers to.
fn name(request: &Request<'_>, schema: &Schema) -> Result<String, Failure> {
    if let Some(name) = &request.options.ty {
        return Ok(name.clone());
    }
    let mut top = schema.names().iter().filter(|name| name.top);
    match (top.next(), top.next(), schema.names()) {
        (Some(one), None, _) | (None, None, [one]) => Ok(format!("{}.{}", one.module, one.name)),
        _ => Err(Failure::usage("the schema has several types: name one")),
    }
}

fn jer(ty: &Dynamic<'_>, value: &Value<'_>) -> Response {
    Response::Json(tagwise_jer::to_string(ty.types(), value).into_bytes())
}

/// Decodes a value to X.697 JSON.
pub(crate) fn decode(request: &Request<'_>) -> Result<Response, Failure> {
    let schema = schema(request)?;
    let (name, input) = (name(request, &schema)?, request.blob(0)?);
    let ty = schema.ty(&name).map_err(Failure::usage)?;
    let options = Options::der().rules(request.rules()?);
    let canonical = match rules(request)? {
        Rules::Der => return Ok(jer(&ty, &ty.options(options).decode(input)?.value)),
        Rules::Untagged(rules) => {
            let untagged = schema.untagged(&name, rules).map_err(Failure::usage)?.options(options);
            return Ok(jer(&ty, &untagged.decode(input)?.value));
        }
        Rules::Ber => {
            let basic = options.rules(options.tolerated().union(tagwise_codec::RuleSet::BER_DEFINITE));
            (ber::to_der_as(ty.ty(), ty.types().schema(), input, &basic)?, basic)
        }
        Rules::Cer => (cer::to_der_as(ty.ty(), ty.types().schema(), input, &options)?, options),
    };
    let (canonical, options) = canonical;
    let read = ty.options(options).decode(&canonical.bytes).map_err(|error| canonical.original(error))?;
    Ok(jer(&ty, &read.value))
}

/// Encodes a value from X.697 JSON.
pub(crate) fn encode(request: &Request<'_>) -> Result<Response, Failure> {
    let schema = schema(request)?;
    let name = name(request, &schema)?;
    let ty = schema.ty(&name).map_err(Failure::usage)?;
    let text = std::str::from_utf8(request.blob(0)?).map_err(Failure::usage)?;
    let value = tagwise_jer::from_str(&ty, text).map_err(Failure::input)?;
    let bytes = match rules(request)? {
        Rules::Untagged(rules) => schema.untagged(&name, rules).map_err(Failure::usage)?.encode(&value)?,
        Rules::Der | Rules::Ber => ty.encode(&value).map_err(Failure::input)?,
        Rules::Cer => {
            let der = ty.encode(&value).map_err(Failure::input)?;
            cer::from_der_as(ty.ty(), ty.types().schema(), &der, &Options::der())?.bytes.into_owned()
        }
    };
    Ok(Response::Bytes(bytes))
}
