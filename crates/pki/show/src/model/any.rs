//! Values of unknown type in a compact notation: `{sha256 NULL}`.

use std::fmt::Write;

use tagwise_codec::text::hex::Hex;
use tagwise_codec::{Any, Class, Decode, Int, Oid};
use tagwise_pkix::{name, oids};

use crate::tree::{Line, Record, Value, decimal};

/// The nesting depth below which elements are written in hexadecimal.
const DEEP: u32 = 12;
/// The maximum length of a notation, in characters. Longer ones are omitted, because the bytes contain the same information.
const LONG: usize = 2000;

/// Shows an element: its notation in text, and its notation and bytes in JSON.
pub(crate) fn any<'a>(element: &Any<'a>) -> Value<'a> {
    let mut text = String::new();
    notation(element, DEEP, &mut text);
    let record = Record::titled(Line::plain(&text)).json("notation", Value::text(text));
    record.json("der", Value::hex(element.as_bytes())).into()
}

/// Returns the notation of bytes, if they are a single element whose notation is not too long.
pub(crate) fn of_octets(octets: &[u8]) -> Option<String> {
    let mut text = String::new();
    notation(&Any::from_der(octets).ok()?, DEEP, &mut text);
    (text.len() <= LONG).then_some(text)
}

fn notation(element: &Any<'_>, levels: u32, out: &mut String) {
    let tag = element.tag();
    let content = element.content();
    let hex = |out: &mut String| {
        let _ = write!(out, "'{}'H", Hex(content));
    };
    if tag.class() != Class::Universal {
        let class = match tag.class() {
            Class::Application => "APPLICATION ",
            Class::Private => "PRIVATE ",
            _ => "",
        };
        let _ = write!(out, "[{class}{}] ", tag.number());
    }
    if tag.is_constructed() {
        let Some(below) = levels.checked_sub(1) else { return hex(out) };
        out.push('{');
        for (index, child) in element.children().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            match child {
                Ok(child) => notation(&child, below, out),
                Err(fault) => {
                    let _ = write!(out, "<{fault}>");
                }
            }
        }
        out.push('}');
        return;
    }
    let universal = if tag.class() == Class::Universal { tag.number() } else { 0 };
    match universal {
        1 => out.push_str(if content == [0] { "FALSE" } else { "TRUE" }),
        2 | 10 => match decimal(Int::from_signed(content)) {
            Some(number) => out.push_str(&number),
            None => hex(out),
        },
        5 if content.is_empty() => out.push_str("NULL"),
        6 => match Oid::from_content(content) {
            Ok(oid) => match oids::lookup(oid) {
                Some(info) => out.push_str(info.short_name()),
                None => {
                    let _ = write!(out, "{oid}");
                }
            },
            Err(_) => hex(out),
        },
        23 | 24 if content.is_ascii() => out.extend(content.iter().map(|octet| char::from(*octet))),
        _ => match name::text(element) {
            Some(text) => {
                out.push('"');
                for char in text.chars() {
                    if matches!(char, '"' | '\\') {
                        out.push('\\');
                    }
                    out.push(char);
                }
                out.push('"');
            }
            None => hex(out),
        },
    }
}
