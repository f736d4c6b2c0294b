//! Parses the syntax of `#[asn1(…)]`: names, values and spans. `ast.rs` interprets them.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, LitByteStr, LitInt, LitStr, Path, Token, Type, parenthesized};

mod inner;

/// The errors found so far, which are all reported at once.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    pub(crate) fn push(&mut self, span: Span, message: impl std::fmt::Display) {
        self.0.push(syn::Error::new(span, message));
    }

    pub(crate) fn add(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// Combines all errors into one. Returns `None` if there are none.
    pub(crate) fn into_error(self) -> Option<syn::Error> {
        self.0.into_iter().reduce(|mut all, error| {
            all.combine(error);
            all
        })
    }
}

/// The ranges of `size(…)` or `value(…)`.
#[derive(Clone)]
pub(crate) struct Ranges {
    pub(crate) ranges: Vec<(Option<Expr>, Option<Expr>)>,
    pub(crate) extensible: bool,
}

/// The characters of `from(…)`.
#[derive(Clone)]
pub(crate) struct Alphabet {
    /// The first and last code points of each range. The ranges are ascending and disjoint.
    pub(crate) ranges: Vec<(u32, u32)>,
    pub(crate) extensible: bool,
}

/// The component constraints of `with_components(…)`.
#[derive(Clone)]
pub(crate) struct Lines {
    pub(crate) lines: Vec<Line>,
    /// True if the list begins with `...`.
    pub(crate) partial: bool,
}

/// One component of `with_components(…)`, with its constraints.
#[derive(Clone)]
pub(crate) struct Line {
    /// The ASN.1 name.
    pub(crate) name: String,
    pub(crate) present: Option<bool>,
    pub(crate) constraints: Vec<Rule>,
}

/// A constraint inside `with_components(…)` or `constraints(…)`.
#[derive(Clone)]
pub(crate) enum Rule {
    Size(Ranges),
    Value(Ranges),
    From(Alphabet),
    Pattern(LitStr),
    Settings(LitStr),
    /// Single values in DER.
    Values(Vec<LitByteStr>),
    /// A range, with its bounds as DER content bytes.
    Between(End, End),
    Components(Lines),
    Item(Vec<Rule>),
    AllOf(Vec<Rule>),
    AnyOf(Vec<Rule>),
    NoneOf(Vec<Rule>),
    /// CONSTRAINED BY, as text.
    Words(LitStr),
    /// CONTAINING, for a string that is stored as bytes.
    Contents(Type),
    /// The identifier content bytes of ENCODED BY.
    EncodedBy(Vec<u8>),
}

/// A bound of `between(…)`. An absent value is MIN or MAX.
#[derive(Clone)]
pub(crate) struct End {
    pub(crate) content: Option<LitByteStr>,
    /// True if the bound is exclusive.
    pub(crate) open: bool,
}

/// One name in `named_bits(…)` or `named_numbers(…)`.
#[derive(Clone)]
pub(crate) struct Named {
    pub(crate) ident: Ident,
    pub(crate) name: Option<String>,
    pub(crate) number: i64,
}

enum Value {
    Flag,
    Number(u32),
    Expr(Expr),
    Text(LitStr),
    Path(Path),
    Paths(Vec<Path>),
    Selector(Vec<Ident>),
    Ranges(Ranges),
    Names(Vec<Named>),
    Type(Type),
    Alphabet(Alphabet),
    Lines(Lines),
    Rules(Vec<Rule>),
}

struct Attr {
    name: String,
    span: Span,
    value: Value,
}

/// The arguments in an item's `#[asn1(…)]`. Consumers remove those that they support. The remaining ones are errors.
#[derive(Default)]
pub(crate) struct Attrs(Vec<Attr>);

impl Attrs {
    pub(crate) fn parse(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut all: Vec<Attr> = Vec::new();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("asn1")) {
            match attribute.parse_args_with(Punctuated::<Attr, Token![,]>::parse_terminated) {
                Ok(list) => {
                    for attr in list {
                        if all.iter().any(|earlier| earlier.name == attr.name) {
                            errors.push(attr.span, format!("duplicate `{}`", attr.name));
                        } else {
                            all.push(attr);
                        }
                    }
                }
                Err(error) => errors.add(error),
            }
        }
        Self(all)
    }

    /// Adds the arguments in `other`. Used for a tuple struct, whose field and container share their attributes.
    pub(crate) fn merge(&mut self, other: Attrs, errors: &mut Errors) {
        for attr in other.0 {
            if self.0.iter().any(|earlier| earlier.name == attr.name) {
                errors.push(attr.span, format!("`{}` is already specified on the struct", attr.name));
            } else {
                self.0.push(attr);
            }
        }
    }

    fn take(&mut self, name: &str, wanted: impl Fn(&Value) -> bool) -> Option<Attr> {
        let index = self.0.iter().position(|attr| attr.name == name && wanted(&attr.value))?;
        Some(self.0.remove(index))
    }

    pub(crate) fn has(&self, name: &str) -> Option<Span> {
        self.0.iter().find(|attr| attr.name == name).map(|attr| attr.span)
    }

    pub(crate) fn flag(&mut self, name: &str) -> Option<Span> {
        self.take(name, |value| matches!(value, Value::Flag)).map(|attr| attr.span)
    }

    pub(crate) fn number(&mut self, name: &str) -> Option<(Span, u32)> {
        let attr = self.take(name, |value| matches!(value, Value::Number(_)))?;
        if let Value::Number(number) = attr.value { Some((attr.span, number)) } else { None }
    }

    pub(crate) fn expr(&mut self, name: &str) -> Option<(Span, Expr)> {
        let attr = self.take(name, |value| matches!(value, Value::Expr(_)))?;
        if let Value::Expr(expr) = attr.value { Some((attr.span, expr)) } else { None }
    }

    pub(crate) fn text(&mut self, name: &str) -> Option<LitStr> {
        match self.take(name, |value| matches!(value, Value::Text(_)))?.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn path(&mut self, name: &str) -> Option<Path> {
        match self.take(name, |value| matches!(value, Value::Path(_)))?.value {
            Value::Path(path) => Some(path),
            _ => None,
        }
    }

    pub(crate) fn paths(&mut self, name: &str) -> Vec<Path> {
        match self.take(name, |value| matches!(value, Value::Paths(_))).map(|attr| attr.value) {
            Some(Value::Paths(paths)) => paths,
            _ => Vec::new(),
        }
    }

    pub(crate) fn selector(&mut self) -> Option<(Span, Vec<Ident>)> {
        let attr = self.take("defined_by", |value| matches!(value, Value::Selector(_)))?;
        if let Value::Selector(path) = attr.value { Some((attr.span, path)) } else { None }
    }

    pub(crate) fn ranges(&mut self, name: &str) -> Option<(Span, Ranges)> {
        let attr = self.take(name, |value| matches!(value, Value::Ranges(_)))?;
        if let Value::Ranges(ranges) = attr.value { Some((attr.span, ranges)) } else { None }
    }

    pub(crate) fn names(&mut self, name: &str) -> Option<(Span, Vec<Named>)> {
        let attr = self.take(name, |value| matches!(value, Value::Names(_)))?;
        if let Value::Names(names) = attr.value { Some((attr.span, names)) } else { None }
    }

    pub(crate) fn ty(&mut self, name: &str) -> Option<(Span, Type)> {
        let attr = self.take(name, |value| matches!(value, Value::Type(_)))?;
        if let Value::Type(ty) = attr.value { Some((attr.span, ty)) } else { None }
    }

    pub(crate) fn alphabet(&mut self, name: &str) -> Option<Alphabet> {
        let attr = self.take(name, |value| matches!(value, Value::Alphabet(_)))?;
        if let Value::Alphabet(alphabet) = attr.value { Some(alphabet) } else { None }
    }

    pub(crate) fn lines(&mut self, name: &str) -> Option<Lines> {
        let attr = self.take(name, |value| matches!(value, Value::Lines(_)))?;
        if let Value::Lines(lines) = attr.value { Some(lines) } else { None }
    }

    pub(crate) fn rules(&mut self, name: &str) -> Vec<Rule> {
        match self.take(name, |value| matches!(value, Value::Rules(_))).map(|attr| attr.value) {
            Some(Value::Rules(rules)) => rules,
            _ => Vec::new(),
        }
    }

    /// Reports the remaining arguments as not applicable to `place`.
    pub(crate) fn finish(self, place: &str, errors: &mut Errors) {
        for attr in self.0 {
            errors.push(attr.span, format!("`{}` is not supported on {place}", attr.name));
        }
    }
}

/// The names of all attributes.
const NAMES: &[&str] = &[
    "application",
    "bit_string",
    "boxed",
    "check",
    "choice",
    "constrained_by",
    "constraints",
    "constructor",
    "containing",
    "contents",
    "convert",
    "crate",
    "default",
    "default_der",
    "defaults",
    "defined_by",
    "encoded_by",
    "enumerated",
    "explicit",
    "extensions",
    "from",
    "group",
    "implicit",
    "in_group",
    "inline",
    "integer",
    "name",
    "named_bits",
    "named_numbers",
    "number",
    "numbers",
    "octet_string",
    "octets",
    "oid",
    "open_type",
    "optional",
    "own_debug",
    "pattern",
    "private",
    "root",
    "rules",
    "secret",
    "set",
    "shape",
    "size",
    "universal",
    "unknown",
    "value",
    "verbatim",
    "with_components",
];

/// Creates the error for an unknown attribute, with the one that was probably meant.
fn no_such(name: &str, span: Span) -> syn::Error {
    let close = NAMES.iter().map(|known| (distance(name, known), known)).min().filter(|(distance, _)| *distance <= 2);
    let hint = close.map(|(_, known)| format!("; did you mean `{known}`?")).unwrap_or_default();
    syn::Error::new(span, format!("unknown attribute `{name}`{hint}"))
}

/// Returns the number of letters to insert, delete or change to turn one word into the other.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (done, from) in left.bytes().enumerate() {
        let mut last = done + 1;
        let next = row.windows(2).zip(right.bytes()).map(|(above, to)| {
            let change = above.first().copied().unwrap_or_default() + usize::from(from != to);
            last = change.min(last + 1).min(above.last().copied().unwrap_or_default() + 1);
            last
        });
        row = std::iter::once(done + 1).chain(next.collect::<Vec<_>>()).collect();
    }
    row.last().copied().unwrap_or_default()
}

impl Parse for Attr {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        // `crate` and the like are keywords.
        let ident: Ident = input.call(syn::ext::IdentExt::parse_any)?;
        let (name, span) = (ident.to_string(), ident.span());
        let value = match name.as_str() {
            "optional" | "secret" | "root" | "extensions" | "octet_string" | "bit_string" | "containing"
            | "unknown" | "set" | "choice" | "enumerated" | "integer" | "open_type" | "boxed" | "verbatim"
            | "inline" | "octets" | "numbers" | "own_debug" | "constructor" | "defaults" | "convert" => Value::Flag,
            "explicit" | "group" if !input.peek(Token![=]) => Value::Flag,
            "implicit" | "explicit" | "application" | "private" | "universal" | "group" | "in_group" => {
                Value::Number(after_equals::<LitInt>(input)?.base10_parse()?)
            }
            "default" | "default_der" | "number" => Value::Expr(after_equals(input)?),
            // A constant, or the identifier itself.
            "oid" => {
                input.parse::<Token![=]>()?;
                match input.peek(syn::LitStr) {
                    true => Value::Text(input.parse()?),
                    false => Value::Path(input.call(Path::parse_mod_style)?),
                }
            }
            "name" | "pattern" | "constrained_by" | "encoded_by" => Value::Text(after_equals(input)?),
            "contents" => Value::Type(after_equals(input)?),
            "from" => Value::Alphabet(parenthesized(input)?.call(Alphabet::parse)?),
            "with_components" => Value::Lines(parenthesized(input)?.call(Lines::parse)?),
            "constraints" if input.peek(syn::token::Paren) => {
                let rules = Punctuated::<Rule, Token![,]>::parse_terminated(&parenthesized(input)?)?;
                Value::Rules(rules.into_iter().collect())
            }
            "check" | "shape" | "crate" | "constraints" => {
                input.parse::<Token![=]>()?;
                // `crate = crate` names the codec from within itself.
                Value::Path(input.call(Path::parse_mod_style)?)
            }
            "rules" => {
                let paths = Punctuated::<Path, Token![,]>::parse_terminated(&parenthesized(input)?)?;
                Value::Paths(paths.into_iter().collect())
            }
            "defined_by" => {
                input.parse::<Token![=]>()?;
                let path = Punctuated::<Ident, Token![.]>::parse_separated_nonempty(input)?;
                Value::Selector(path.into_iter().collect())
            }
            "size" | "value" => Value::Ranges(parenthesized(input)?.parse_ranges()?),
            "named_bits" | "named_numbers" => {
                let names = Punctuated::<Named, Token![,]>::parse_terminated(&parenthesized(input)?)?;
                Value::Names(names.into_iter().collect())
            }
            _ => return Err(no_such(&name, span)),
        };
        Ok(Self { name, span, value })
    }
}

/// An expression, which is passed on unparsed. Parsing it would require a feature of `syn` that doubles its build time.
#[derive(Clone)]
pub(crate) struct Expr(TokenStream);

impl Expr {
    /// Creates an expression from tokens.
    pub(crate) fn of(tokens: impl ToTokens) -> Self {
        Self(tokens.into_token_stream())
    }

    /// Parses the tokens up to a range operator or comma.
    fn before_range(input: ParseStream<'_>) -> syn::Result<Self> {
        Self::until(input, |input| input.peek(Token![,]) || input.peek(Token![..]))
    }

    fn until(input: ParseStream<'_>, is_end: impl Fn(ParseStream<'_>) -> bool) -> syn::Result<Self> {
        let mut tokens = TokenStream::new();
        // Commas between the arguments of a path (`Limit::<A, B>::MAX`) are inside.
        let mut depth = 0usize;
        while !input.is_empty() && (depth > 0 || !is_end(input)) {
            if depth == 0 && input.peek(Token![::]) && input.peek3(Token![<]) {
                tokens.extend([input.parse::<TokenTree>()?, input.parse()?, input.parse()?]);
                depth = 1;
                continue;
            }
            match (depth, input.peek(Token![<]), input.peek(Token![>])) {
                (1.., true, _) => depth += 1,
                (1.., _, true) => depth -= 1,
                _ => {}
            }
            tokens.extend([input.parse::<TokenTree>()?]);
        }
        if tokens.is_empty() { Err(input.error("expected an expression")) } else { Ok(Self(tokens)) }
    }
}

impl Parse for Expr {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Self::until(input, |input| input.peek(Token![,]))
    }
}

impl ToTokens for Expr {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.clone());
    }
}

fn after_equals<T: Parse>(input: ParseStream<'_>) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

fn parenthesized<'p>(input: ParseStream<'p>) -> syn::Result<syn::parse::ParseBuffer<'p>> {
    let content;
    parenthesized!(content in input);
    Ok(content)
}

trait ParseRanges {
    fn parse_ranges(&self) -> syn::Result<Ranges>;
}

impl ParseRanges for syn::parse::ParseBuffer<'_> {
    fn parse_ranges(&self) -> syn::Result<Ranges> {
        let mut all = Ranges { ranges: Vec::new(), extensible: false };
        while !self.is_empty() {
            if self.peek(Token![...]) {
                self.parse::<Token![...]>()?;
                all.extensible = true;
                break;
            }
            let end = |input: ParseStream<'_>| {
                let is_there = !input.is_empty() && !input.peek(Token![,]) && !input.peek(Token![..]);
                if is_there { Expr::before_range(input).map(Some) } else { Ok(None) }
            };
            let min = end(self)?;
            let dots = self.span();
            let range = if self.parse::<Option<Token![..=]>>()?.is_some() {
                (min, Some(Expr::before_range(self)?))
            } else if self.parse::<Option<Token![..]>>()?.is_some() {
                if end(self)?.is_some() {
                    return Err(syn::Error::new(dots, "ASN.1 ranges include both ends: write `..=`"));
                }
                (min, None)
            } else {
                (min.clone(), min)
            };
            all.ranges.push(range);
            if !self.is_empty() {
                self.parse::<Token![,]>()?;
            }
        }
        if !self.is_empty() {
            return Err(self.error("nothing may follow `...`"));
        }
        if all.ranges.is_empty() {
            return Err(self.error("expected a range, such as `1..=64` or `1..`"));
        }
        Ok(all)
    }
}

impl Parse for Named {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ident: Ident = input.parse()?;
        let name =
            if input.peek(syn::token::Paren) { Some(parenthesized(input)?.parse::<LitStr>()?.value()) } else { None };
        input.parse::<Token![=]>()?;
        let sign = if input.parse::<Option<Token![-]>>()?.is_some() { -1 } else { 1 };
        let number = input.parse::<LitInt>()?.base10_parse::<i64>()? * sign;
        Ok(Self { ident, name, number })
    }
}
