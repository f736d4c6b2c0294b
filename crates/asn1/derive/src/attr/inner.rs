//! Parses `from(…)`, `with_components(…)` and `constraints(…)`.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, Lit, LitByteStr, LitChar, LitStr, Token};

use super::{Alphabet, End, Line, Lines, ParseRanges, Rule, after_equals, distance, parenthesized};
use crate::names;

impl Parse for Alphabet {
    /// Parses characters, ranges, and strings that represent all of their characters.
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut points: Vec<(u32, u32)> = Vec::new();
        let mut extensible = false;
        while !input.is_empty() {
            if input.peek(Token![...]) {
                input.parse::<Token![...]>()?;
                extensible = true;
                break;
            }
            match input.parse::<Lit>()? {
                Lit::Char(first) => {
                    let mut last = first.value();
                    if input.peek(Token![..=]) {
                        input.parse::<Token![..=]>()?;
                        let end: LitChar = input.parse()?;
                        last = end.value();
                        if last < first.value() {
                            return Err(syn::Error::new(end.span(), "the range is reversed"));
                        }
                    }
                    points.push((first.value().into(), last.into()));
                }
                Lit::Str(text) => points.extend(text.value().chars().map(|one| (u32::from(one), u32::from(one)))),
                other => {
                    return Err(syn::Error::new(other.span(), "expected characters: `'a'..='z'`, `'_'` or `\"+-\"`"));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        if !input.is_empty() {
            return Err(input.error("nothing may follow `...`"));
        }
        points.sort_unstable();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for (first, last) in points {
            match ranges.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => ranges.push((first, last)),
            }
        }
        Ok(Self { ranges, extensible })
    }
}

impl Parse for Lines {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut all = Self { lines: Vec::new(), partial: false };
        if input.peek(Token![...]) {
            input.parse::<Token![...]>()?;
            all.partial = true;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        while !input.is_empty() {
            let line: Line = input.parse()?;
            if all.lines.iter().any(|earlier| earlier.name == line.name) {
                return Err(input.error(format!("duplicate `{}`", line.name)));
            }
            all.lines.push(line);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(all)
    }
}

impl Parse for Line {
    /// Parses `name`, `name = present` or `name(present, size(1..=3))`. A string literal specifies an ASN.1 name that differs
    /// from the Rust name.
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = if input.peek(LitStr) {
            input.parse::<LitStr>()?.value()
        } else {
            names::field(&input.call(Ident::parse_any)?)
        };
        let mut line = Self { name, present: None, constraints: Vec::new() };
        if input.peek(Token![=]) {
            let word: Ident = after_equals(input)?;
            line.present = Some(presence(&word).ok_or_else(|| {
                syn::Error::new(word.span(), "expected `present` or `absent`; constraints go in parentheses")
            })?);
        } else if input.peek(syn::token::Paren) {
            let content = parenthesized(input)?;
            while !content.is_empty() {
                match content.fork().parse::<Ident>().ok().as_ref().and_then(presence) {
                    Some(present) => {
                        content.parse::<Ident>()?;
                        line.present = Some(present);
                    }
                    None => line.constraints.push(content.parse()?),
                }
                if !content.is_empty() {
                    content.parse::<Token![,]>()?;
                }
            }
        }
        Ok(line)
    }
}

/// The names of all constraints.
const RULES: &[&str] = &[
    "all_of",
    "any_of",
    "between",
    "constrained_by",
    "contents",
    "encoded_by",
    "from",
    "none_of",
    "pattern",
    "settings",
    "size",
    "value",
    "values",
    "with_component",
    "with_components",
];

impl Parse for Rule {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let word: Ident = input.parse()?;
        let rules = |input: ParseStream<'_>| {
            let content = parenthesized(input)?;
            let rules = Punctuated::<Rule, Token![,]>::parse_terminated(&content)?;
            Ok::<Vec<Rule>, syn::Error>(rules.into_iter().collect())
        };
        Ok(match word.to_string().as_str() {
            "size" => Self::Size(parenthesized(input)?.parse_ranges()?),
            "value" => Self::Value(parenthesized(input)?.parse_ranges()?),
            "from" => Self::From(parenthesized(input)?.call(Alphabet::parse)?),
            "pattern" => Self::Pattern(after_equals(input)?),
            "settings" => Self::Settings(after_equals(input)?),
            "constrained_by" => Self::Words(after_equals(input)?),
            "contents" => Self::Contents(after_equals(input)?),
            "encoded_by" => {
                let text: LitStr = after_equals(input)?;
                let octets = names::oid_octets(&text.value());
                Self::EncodedBy(octets.map_err(|message| syn::Error::new(text.span(), message))?)
            }
            "values" => {
                let content = parenthesized(input)?;
                let values = Punctuated::<LitByteStr, Token![,]>::parse_terminated(&content)?;
                Self::Values(values.into_iter().collect())
            }
            "between" => {
                let content = parenthesized(input)?;
                let low = content.parse()?;
                content.parse::<Token![,]>()?;
                Self::Between(low, content.parse()?)
            }
            "with_components" => Self::Components(parenthesized(input)?.call(Lines::parse)?),
            "with_component" => Self::Item(rules(input)?),
            "all_of" => Self::AllOf(rules(input)?),
            "any_of" => Self::AnyOf(rules(input)?),
            "none_of" => Self::NoneOf(rules(input)?),
            other => {
                let close = RULES.iter().map(|known| (distance(other, known), known)).min();
                let hint = close.filter(|(distance, _)| *distance <= 2);
                let hint = hint.map(|(_, known)| format!("; did you mean `{known}`?")).unwrap_or_default();
                return Err(syn::Error::new(word.span(), format!("unknown constraint `{other}`{hint}")));
            }
        })
    }
}

impl Parse for End {
    /// Parses a bound: `_` for MIN or MAX, the content bytes, or `open` and the content bytes.
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![_]) {
            input.parse::<Token![_]>()?;
            return Ok(Self { content: None, open: false });
        }
        let open = input.peek(Ident);
        if open {
            let word: Ident = input.parse()?;
            if word != "open" {
                return Err(syn::Error::new(
                    word.span(),
                    "expected the content bytes, optionally preceded by `open`, or `_`",
                ));
            }
        }
        Ok(Self { content: Some(input.parse()?), open })
    }
}

fn presence(word: &Ident) -> Option<bool> {
    if word == "present" {
        Some(true)
    } else if word == "absent" {
        Some(false)
    } else {
        None
    }
}
