//! Converts between PER, OER or XER and JSON, for comparisons with other implementations.
//!
//! Arguments: files of modules. Each line of the standard input is `decode VARIANT TYPE HEX`,
//! `recode VARIANT TYPE HEX`, `random VARIANT TYPE HEX` or `encode VARIANT TYPE JSON`. `random` reads any bits and writes the
//! encoding of the value that they resemble. `boundaries VARIANT TYPE COUNT` writes encodings of values at the ends of ranges and sizes, and `values VARIANT TYPE COUNT`
//! those without large strings and lists. `names - TYPE -` lists the types. Each line of the output is `ok RESULT` or `error MESSAGE`.

mod boundaries;

use std::error::Error;
use std::io::{self, BufRead, Write};

use tagwise_codec::text::hex;

use tagwise_tables::untagged::{Rules, Tolerance};
use tagwise_tables::{Departure, Schema, SchemaOptions, Source};

fn main() -> Result<(), Box<dyn Error>> {
    let mut sources = Vec::new();
    for name in std::env::args().skip(1) {
        sources.push(Source::new(&name, &std::fs::read_to_string(&name)?));
    }
    let options = Departure::ALL.iter().fold(SchemaOptions::default(), |options, one| options.allow(*one));
    let schema = Schema::compile_with(sources, &options)?;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        match answer(&schema, &line?) {
            Ok(text) => writeln!(out, "ok {text}")?,
            Err(error) => writeln!(out, "error {}", error.to_string().replace('\n', " "))?,
        }
        out.flush()?;
    }
    Ok(())
}

fn answer(schema: &Schema, line: &str) -> Result<String, Box<dyn Error>> {
    let mut words = line.splitn(4, ' ');
    let mut next = || words.next().ok_or("expected four words");
    let (verb, rules, name, data) = (next()?, next()?, next()?, next()?);
    if verb == "names" {
        let names = schema.names().iter().map(|name| format!("{}.{}", name.module, name.name));
        return Ok(names.collect::<Vec<_>>().join(" "));
    }
    if let Some(variant) = tagwise_tables::xer::Variant::named(rules) {
        return xml(schema, name, variant, (verb, data));
    }
    let ty = schema.untagged(name, Rules::named(rules).ok_or("unknown rules")?)?;
    let dynamic = schema.ty(name)?;
    let hex = |octets: Vec<u8>| format!("{:X}", hex::Hex(&octets));
    let octets = || hex::decode_pairs(data).ok_or("expected hexadecimal");
    Ok(match verb {
        "encode" => hex(ty.encode(&tagwise_jer::from_str(&dynamic, data)?)?),
        "decode" => tagwise_jer::to_string(dynamic.types(), &ty.decode(&octets()?)?.value),
        "recode" => hex(ty.encode(&ty.decode(&octets()?)?.value)?),
        "random" => {
            let value = ty.tolerating(Tolerance::ALL).decode(&octets()?)?.value;
            format!("{} {}", hex(ty.encode(&value)?), tagwise_jer::to_string(dynamic.types(), &value))
        }
        "boundaries" | "values" => {
            let values = boundaries::values(schema, &dynamic, verb == "boundaries");
            let encoded = values.iter().take(data.parse()?).filter_map(|value| ty.encode(value).ok());
            encoded.map(hex).collect::<Vec<_>>().join(" ")
        }
        verb => return Err(format!("unknown verb {verb}").into()),
    })
}

/// Answers with a variant of XER.
fn xml(
    schema: &Schema,
    name: &str,
    variant: tagwise_tables::xer::Variant,
    (verb, data): (&str, &str),
) -> Result<String, Box<dyn Error>> {
    let (ty, dynamic) = (schema.xer(name)?.variant(variant), schema.ty(name)?);
    let value = match verb {
        "encode" => tagwise_jer::from_str(&dynamic, data)?,
        _ => ty.decode(&hex::decode_pairs(data).ok_or("expected hexadecimal")?)?.value,
    };
    match verb {
        "decode" => Ok(tagwise_jer::to_string(dynamic.types(), &value)),
        _ => Ok(format!("{:X}", hex::Hex(&ty.encode(&value)?))),
    }
}
