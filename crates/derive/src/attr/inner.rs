//! The syntax of `from(…)` and `with_components(…)`.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Lit, LitChar, LitStr, Token};

use super::{Alphabet, Inner, Line, Lines, ParseRanges, after_equals, no_such, parenthesized};
use crate::names;

impl Parse for Alphabet {
    /// Characters, ranges of them, and texts for all their characters.
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
                            return Err(syn::Error::new(end.span(), "the range is empty: it ends before it begins"));
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
            return Err(input.error("nothing follows `...`"));
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
                return Err(input.error(format!("`{}` is listed twice", line.name)));
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
    /// `name`, `name = present`, `name(present, size(1..=3))`; a text where the name in ASN.1 is another one.
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = if input.peek(LitStr) {
            input.parse::<LitStr>()?.value()
        } else {
            names::field(&input.call(Ident::parse_any)?)
        };
        let mut line = Self { name, present: None, constraints: Inner::default() };
        if input.peek(Token![=]) {
            let word: Ident = after_equals(input)?;
            line.present = Some(presence(&word).ok_or_else(|| {
                syn::Error::new(word.span(), "expected `present` or `absent`; constraints stand in parentheses")
            })?);
        } else if input.peek(syn::token::Paren) {
            let content = parenthesized(input)?;
            while !content.is_empty() {
                let word: Ident = content.parse()?;
                let inner = &mut line.constraints;
                match word.to_string().as_str() {
                    "size" => inner.size = Some(parenthesized(&content)?.parse_ranges()?),
                    "value" => inner.range = Some(parenthesized(&content)?.parse_ranges()?),
                    "from" => inner.from = Some(parenthesized(&content)?.call(Alphabet::parse)?),
                    "pattern" => inner.pattern = Some(after_equals(&content)?),
                    "with_components" => inner.components = Some(parenthesized(&content)?.call(Lines::parse)?),
                    other => match presence(&word) {
                        Some(present) => line.present = Some(present),
                        None => return Err(no_such(other, word.span())),
                    },
                }
                if !content.is_empty() {
                    content.parse::<Token![,]>()?;
                }
            }
        }
        Ok(line)
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
