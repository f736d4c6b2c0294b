//! Generates the type's table as constant data, with everything that an engine needs.

use proc_macro2::TokenStream;
use syn::Type;

use crate::ast::{Body, Component, DefaultValue, Judged, Presence, Role, Value, Wrapper};
use crate::attr::{Alphabet, End, Expr, Ranges, Rule};
use crate::expand::value::tagging_list;
use crate::expand::{Context, Parts, elided, eternal, q};

/// Generates `impl Typed`.
pub(crate) fn typed(context: &Context<'_>, parts: &Parts) -> TokenStream {
    let Parts { tag, shape, constraints, bounds, .. } = parts;
    let held = held(context);
    let (codec, input) = (&context.codec, context.input);
    let name = &input.name;
    let list = |constraints: TokenStream| {
        (!constraints.is_empty()).then(|| q!(.constrained(#codec::table::List::Const(const { &[#constraints] }))))
    };
    let (check, judged) = (check(context, tag.is_some() || input.tagging.is_some()), judged(context, &input.judged));
    let check = q!(#judged #check);
    let (verbatim, secret) = (input.verbatim.then(|| q!(.verbatim())), input.secret.then(|| q!(.secret())));
    let rules = &input.rules;
    let ruled = (!rules.is_empty()).then(|| q!(.ruled(#codec::table::List::Const(const { &[#(&#rules),*] }))));
    let marks = q!(#ruled #verbatim #secret);
    let some = |tag: &TokenStream| q!(::core::option::Option::Some(#tag));
    let own = tag.as_ref().map_or_else(|| q!(::core::option::Option::None), some);
    let ty = match &input.tagging {
        // The inner type has the shape, the outer one the tag.
        Some(tagging) if tagging.explicit => {
            let tag = context.tag(tagging);
            let tagging = tagging_list(context, tagging);
            // A newtype's constraints are checked before its explicit tag is entered, an INTEGER's of named numbers inside.
            let newtype = matches!(input.body, Body::Newtype(_));
            let (held, constrained) =
                if newtype { (list(q!(#held)), q!(#constraints #check)) } else { (list(q!(#constraints)), q!(#check)) };
            let inner = match &parts.inner {
                Some(inner) => q!(#inner),
                None => q! {
                    #codec::table::TypeRef::Const(|| const {
                        &#codec::table::Type::new(#name, #own, #shape) #held
                    })
                },
            };
            let constrained = list(constrained);
            q! {
                #codec::table::Type::new(
                    #name,
                    ::core::option::Option::Some(#tag.constructed()),
                    #codec::table::Shape::Tagged { tagging: #tagging, inner: #inner },
                ) #constrained #marks
            }
        }
        Some(tagging) => {
            let outer = context.tag(tagging);
            let tag = tag.as_ref().map_or_else(|| q!(#outer), |own| q!(#outer.formed_like(#own)));
            let tag = some(&tag);
            let constrained = list(q!(#held #constraints #check));
            q!(#codec::table::Type::new(#name, #tag, #shape) #constrained #marks)
        }
        None => {
            let constrained = list(q!(#held #constraints #check));
            q!(#codec::table::Type::new(#name, #own, #shape) #constrained #marks)
        }
    };
    let header = context.header(&q!(Typed), false, &bounds.typed);
    q! {
        #header {
            // Short enough for the compiler to inline everywhere, with the whole table and the functions in it.
            #[inline(never)]
            fn ty() -> &'static #codec::table::Type {
                const { &#ty }
            }
        }
    }
}

/// Generates the constraint that a number fits in the inner Rust type. Used if the table has its own named numbers, and so does
/// not refer to the inner type's table.
fn held(context: &Context<'_>) -> TokenStream {
    let codec = &context.codec;
    match &context.input.body {
        Body::Newtype(newtype) if !newtype.named_numbers.is_empty() && !context.is_generic(&newtype.value.ty) => {
            let ty = elided(&newtype.value.ty);
            q! {
                #codec::table::Constraint::Check(|reader, at| {
                    #codec::__private::held(reader, at, |reader, len| {
                        <#ty as #codec::DecodeValue<'_>>::decode_value(reader, len)
                    })
                }),
            }
        }
        _ => q!(),
    }
}

/// Generates the constraint for `check = …`. The table of a generic type has none, because it also exists for type parameters
/// that cannot be decoded.
fn check(context: &Context<'_>, tagged: bool) -> TokenStream {
    let (codec, input) = (&context.codec, context.input);
    let Some(check) = input.check.as_ref().filter(|_| input.generics.type_params().next().is_none()) else {
        return q!();
    };
    let ident = &input.ident;
    let arguments = input.generics.lifetimes().map(|_| q!('_));
    let ty = if input.generics.lifetimes().next().is_some() { q!(#ident<#(#arguments),*>) } else { q!(#ident) };
    let read = if tagged {
        q!(|reader, len| <#ty as #codec::DecodeValue<'_>>::decode_value(reader, len))
    } else {
        q!(|reader, _| reader.read::<#ty>())
    };
    q! {
        #codec::table::Constraint::Check(|reader, at| #codec::__private::recheck(reader, at, #read, #check)),
    }
}

/// Generates the reference to a type's table. `outside` is true if it must be valid outside the enclosing `impl`.
fn reference(context: &Context<'_>, ty: &Type, outside: bool) -> TokenStream {
    let codec = &context.codec;
    match eternal(context, ty).filter(|_| outside) {
        Some(ty) => q!(#codec::table::TypeRef::of::<#ty>()),
        None => q!(#codec::table::TypeRef::of::<#ty>()),
    }
}

/// Generates the reference to the table of a value's own encoding, not including strings that wrap it.
fn value_reference(context: &Context<'_>, value: &Value, outside: bool) -> TokenStream {
    let (codec, lifetime) = (&context.codec, &context.lifetime);
    if value.octets {
        let codec = &context.codec;
        return q!(#codec::table::TypeRef::of::<#codec::OctetStr<'static>>());
    }
    let Some(selector) = &value.defined_by else { return reference(context, &value.ty, outside) };
    let eternal = eternal(context, &value.ty).filter(|_| outside);
    let (ty, lifetime) = match &eternal {
        Some(ty) => (ty, q!('static)),
        None => (&value.ty, q!(#lifetime)),
    };
    let selector = selector_path(context, selector);
    let open = q!(<#ty as #codec::DecodeOpen<#lifetime>>);
    let alone = q! {
        #codec::table::Type::new(
            "ANY",
            ::core::option::Option::None,
            #codec::open_shape(#open::governing, #selector),
        )
    };
    q! {
        #codec::table::TypeRef::Const(|| const {
            &match #open::LIST {
                ::core::option::Option::None => #alone,
                ::core::option::Option::Some(list) => {
                    list.table(#codec::table::TypeRef::Const(|| const { &#alone }))
                }
            }
        })
    }
}

/// Returns the path to the selecting component in ASN.1 names, as far as they are known here.
fn selector_path(context: &Context<'_>, selector: &[syn::Ident]) -> String {
    let components = match &context.input.body {
        Body::Sequence(components) | Body::Set(components) | Body::Group(components) => components.as_slice(),
        _ => &[],
    };
    let own = |ident: &syn::Ident| {
        components.iter().find_map(|component| match (&component.member, &component.role) {
            (syn::Member::Named(name), Role::Value { value, .. }) if name == ident => Some(value.name.clone()),
            _ => None,
        })
    };
    let names: Vec<String> = selector
        .iter()
        .enumerate()
        .map(|(depth, ident)| {
            let known = if depth == 0 { own(ident) } else { None };
            known.unwrap_or_else(|| crate::names::field(ident))
        })
        .collect();
    names.join(".")
}

/// Generates the table entry of a component or alternative. `outside` is true for a constant outside any function.
pub(crate) fn field(context: &Context<'_>, value: &Value, presence: &Presence, outside: bool) -> TokenStream {
    let codec = &context.codec;
    let name = &value.name;
    let held = value_reference(context, value, outside);
    let (ty, containing) = match value.wrapper {
        None => (held, None),
        Some(Wrapper::OctetString) => {
            (q!(#codec::table::TypeRef::of::<#codec::OctetStr<'static>>()), Some(q!(.containing(#held))))
        }
        Some(Wrapper::BitString) => {
            (q!(#codec::table::TypeRef::of::<#codec::BitStr<'static>>()), Some(q!(.containing(#held))))
        }
    };
    let tagged = value.tagging.as_ref().map(|tagging| {
        let tagging = tagging_list(context, tagging);
        q!(.tagged(#codec::table::List::Const(const { &[#tagging] })))
    });
    let presence = match presence {
        Presence::Required => None,
        Presence::Optional => Some(q!(.presence(#codec::table::Presence::Optional))),
        Presence::Default(DefaultValue::Der(octets), _) => Some(q! {
            .presence(#codec::table::Presence::Default(
                #codec::table::DefaultValue::Der(#codec::table::List::Const(const { &#octets })),
            ))
        }),
        Presence::Default(DefaultValue::Value(default), _) => {
            let eternal = eternal(context, &value.ty).filter(|_| outside);
            let ty = eternal.as_ref().unwrap_or(&value.ty);
            let written = value.wired(context, &q!(&default));
            let write = q! {
                |writer: &mut #codec::Writer<'_>| {
                    let default: #ty = #default;
                    writer.write(#written)
                }
            };
            Some(q! {
                .presence(#codec::table::Presence::Default(#codec::table::DefaultValue::Write(#write)))
            })
        }
    };
    let constraints = constraints(context, value);
    let constrained =
        (!constraints.is_empty()).then(|| q!(.constrained(#codec::table::List::Const(const { &[#constraints] }))));
    let secret = value.secret.then(|| q!(.secret()));
    q!(#codec::table::Field::new(#name, #ty) #tagged #presence #constrained #secret #containing)
}

/// Generates the table of the components of a SEQUENCE or SET.
pub(crate) fn fields(context: &Context<'_>, components: &[Component]) -> TokenStream {
    let codec = &context.codec;
    let grouped = components.iter().any(|component| matches!(component.role, Role::Group { .. }));
    let (mut parts, mut start, mut end) = (Vec::new(), None, None);
    let mut groups = 0u16;
    for component in components {
        match &component.role {
            Role::Extensions { .. } => start = Some(parts.len()),
            Role::Value { value, presence, root, group } => {
                if root.is_some() {
                    end = Some(parts.len());
                }
                let field = field(context, value, presence, grouped);
                let group = group.map(|number| q!(.grouped(#number)));
                parts.push(q!(#field #group));
            }
            Role::Group { inner, number, .. } => {
                groups = number.unwrap_or(groups.saturating_add(1));
                let inner = eternal(context, inner).unwrap_or_else(|| inner.clone());
                parts.push(
                    q!(#codec::__private::Part::Group(<#inner as #codec::__private::GroupFields>::FIELDS, #groups)),
                );
            }
        }
    }
    let count = parts.len();
    let is_group: Vec<bool> = components
        .iter()
        .filter(|component| !matches!(component.role, Role::Extensions { .. }))
        .map(|component| matches!(component.role, Role::Group { .. }))
        .collect();
    let marker = match start {
        None => q!(::core::option::Option::None),
        Some(start) => {
            let end = end.unwrap_or(count);
            let (start, end) = if grouped {
                (
                    q!(#codec::__private::fields_len(PARTS.split_at(#start).0) as u32),
                    q!(#codec::__private::fields_len(PARTS.split_at(#end).0) as u32),
                )
            } else {
                let (start, end) = (start as u32, end as u32);
                (q!(#start), q!(#end))
            };
            q!(::core::option::Option::Some(#codec::table::Marker { start: #start, end: #end }))
        }
    };
    if !grouped {
        return q!(#codec::table::Fields { list: #codec::table::List::Const(const { &[#(#parts),*] }), marker: #marker });
    }
    let parts = parts.iter().zip(is_group).map(
        |(part, group)| {
            if group { q!(#part) } else { q!(#codec::__private::Part::One(#part)) }
        },
    );
    q! {{
        const PARTS: &[#codec::__private::Part] = &[#(#parts),*];
        const LEN: usize = #codec::__private::fields_len(PARTS);
        const FIELDS: &[#codec::table::Field] = &#codec::__private::fields::<LEN>(PARTS);
        #codec::table::Fields { list: #codec::table::List::Const(FIELDS), marker: #marker }
    }}
}

/// Generates a value's constraints as list items: first those that generated code checks, then those that are checked
/// through the table.
pub(crate) fn constraints(context: &Context<'_>, value: &Value) -> TokenStream {
    let codec = &context.codec;
    let encoded_by = value
        .encoded_by
        .as_ref()
        .map(|rules| q!(#codec::table::Constraint::EncodedBy(#codec::table::List::Const(&[#(#rules),*])),));
    let size = value.size.clone().map(Rule::Size);
    let range = value.range.clone().map(Rule::Value);
    let from = value.from.clone().map(Rule::From);
    let pattern = value.pattern.clone().map(Rule::Pattern);
    let tested = [size, range, from, pattern].into_iter().flatten().map(|one| rule(context, &one));
    let judged = judged(context, &value.judged);
    q!(#encoded_by #(#tested)* #judged)
}

/// Generates the constraints that are checked through the table, as list items.
pub(crate) fn judged(context: &Context<'_>, judged: &Judged) -> TokenStream {
    let codec = &context.codec;
    let rules = rules(context, &judged.rules);
    let table =
        judged.table.as_ref().map(|path| q!(#codec::table::Constraint::AllOf(#codec::table::List::Const(#path)),));
    q!(#rules #table)
}

fn rules(context: &Context<'_>, rules: &[Rule]) -> TokenStream {
    let rules = rules.iter().map(|one| rule(context, one));
    q!(#(#rules)*)
}

/// Generates a constraint as a list item, followed by a comma.
// Recursion follows the attribute.
fn rule(context: &Context<'_>, rule: &Rule) -> TokenStream {
    let codec = &context.codec;
    let list = |name: TokenStream, all: &[Rule]| {
        let all = rules(context, all);
        q!(#codec::table::Constraint::#name(#codec::table::List::Const(const { &[#all] })),)
    };
    match rule {
        Rule::Size(ranges) => {
            let (ranges, extensible) = (range_list(context, ranges), ranges.extensible);
            q!(#codec::table::Constraint::Size { ranges: #ranges, extensible: #extensible },)
        }
        Rule::Value(ranges) => {
            let (ranges, extensible) = (range_list(context, ranges), ranges.extensible);
            q!(#codec::table::Constraint::Value { ranges: #ranges, extensible: #extensible },)
        }
        Rule::From(alphabet) => from(context, alphabet),
        Rule::Pattern(pattern) => {
            let steps = steps(context, pattern);
            q!(#codec::table::Constraint::Pattern(#codec::pattern::Pattern::constant(#pattern, #steps)),)
        }
        Rule::Settings(text) => q!(#codec::table::Constraint::Settings(#codec::table::Text::Const(#text)),),
        Rule::Words(text) => q!(#codec::table::Constraint::User(#codec::table::Text::Const(#text)),),
        Rule::Values(values) => q! {
            #codec::table::Constraint::Values(
                #codec::table::List::Const(const { &[#(#codec::table::List::Const(#values)),*] })
            ),
        },
        Rule::Between(low, high) => {
            let (low, high) = (bound(context, low), bound(context, high));
            q! {
                #codec::table::Constraint::Between {
                    ranges: #codec::table::List::Const(
                        const { &[#codec::table::Interval { min: #low, max: #high }] }
                    ),
                    extensible: false,
                },
            }
        }
        Rule::Components(lines) => {
            let partial = lines.partial;
            let lines = lines.lines.iter().map(|line| {
                let (name, constraints) = (&line.name, rules(context, &line.constraints));
                let present = match line.present {
                    Some(present) => q!(::core::option::Option::Some(#present)),
                    None => q!(::core::option::Option::None),
                };
                q!(#codec::table::ComponentConstraint {
                    name: #codec::table::Text::Const(#name),
                    present: #present,
                    constraints: #codec::table::List::Const(const { &[#constraints] }),
                })
            });
            q! {
                #codec::table::Constraint::WithComponents {
                    components: #codec::table::List::Const(const { &[#(#lines),*] }),
                    partial: #partial,
                },
            }
        }
        Rule::Item(all) => list(q!(WithComponent), all),
        Rule::AllOf(all) => list(q!(AllOf), all),
        Rule::AnyOf(all) => list(q!(AnyOf), all),
        Rule::NoneOf(all) => list(q!(NoneOf), all),
        Rule::Contents(ty) => {
            let ty = eternal(context, ty).unwrap_or_else(|| ty.clone());
            q!(#codec::table::Constraint::Containing(#codec::table::TypeRef::of::<#ty>()),)
        }
        Rule::EncodedBy(rules) => {
            q!(#codec::table::Constraint::EncodedBy(#codec::table::List::Const(&[#(#rules),*])),)
        }
    }
}

fn from(context: &Context<'_>, alphabet: &Alphabet) -> TokenStream {
    let codec = &context.codec;
    let extensible = alphabet.extensible;
    let ranges = alphabet.ranges.iter().map(|(first, last)| {
        let (first, last) = (i128::from(*first), i128::from(*last));
        q!(#codec::table::Range {
            min: ::core::option::Option::Some(#first),
            max: ::core::option::Option::Some(#last),
        })
    });
    q! {
        #codec::table::Constraint::Alphabet {
            ranges: #codec::table::List::Const(const { &[#(#ranges),*] }),
            extensible: #extensible,
        },
    }
}

fn bound(context: &Context<'_>, end: &End) -> TokenStream {
    let (codec, open) = (&context.codec, end.open);
    match &end.content {
        Some(content) => q! {
            ::core::option::Option::Some(#codec::table::Bound {
                content: #codec::table::List::Const(#content),
                open: #open,
            })
        },
        None => q!(::core::option::Option::None),
    }
}

/// Generates the program of a regular expression, which is compiled at compile time. Errors are reported at its
/// position.
pub(crate) fn steps(context: &Context<'_>, pattern: &syn::LitStr) -> TokenStream {
    let codec = &context.codec;
    quote::quote_spanned! {pattern.span()=> {
        const LEN: usize = #codec::pattern::size(#pattern);
        const STEPS: [#codec::pattern::Step; LEN] = #codec::pattern::program(#pattern);
        &STEPS
    }}
}

/// Generates an expression that is `true` if every character of the string at the reference `place` is in the alphabet.
/// Returns `None` if all characters are allowed.
pub(crate) fn from_test(context: &Context<'_>, alphabet: &Alphabet, place: &TokenStream) -> Option<TokenStream> {
    let codec = &context.codec;
    let ranges = alphabet.ranges.iter().map(|(first, last)| q!(#first..=#last));
    let test = if alphabet.ranges.is_empty() { q!(false) } else { q!(::core::matches!(point, #(#ranges)|*)) };
    let point = if alphabet.ranges.is_empty() { q!(_) } else { q!(point) };
    (!alphabet.extensible).then(|| q!(#codec::__private::Characters::all(#place, |#point| #test)))
}

/// Generates an expression that is `true` if the string at the reference `place` matches the regular expression.
pub(crate) fn pattern_test(context: &Context<'_>, pattern: &syn::LitStr, place: &TokenStream) -> TokenStream {
    let (codec, steps) = (&context.codec, steps(context, pattern));
    q!(#codec::__private::Characters::matches(#place, #steps))
}

fn range_list(context: &Context<'_>, ranges: &Ranges) -> TokenStream {
    let codec = &context.codec;
    let ranges = ranges.ranges.iter().map(|(min, max)| {
        let (min, max) = (end(min.as_ref()), end(max.as_ref()));
        q!(#codec::table::Range { min: #min, max: #max })
    });
    q!(#codec::table::List::Const(const { &[#(#ranges),*] }))
}

fn end(end: Option<&Expr>) -> TokenStream {
    match end {
        Some(end) => q!(::core::option::Option::Some((#end) as i128)),
        None => q!(::core::option::Option::None),
    }
}

/// Generates an expression that is `true` if the size of the value at the reference `place` is within the ranges.
/// Returns `None` if all sizes are allowed.
pub(crate) fn size_test(context: &Context<'_>, ranges: &Ranges, place: &TokenStream) -> Option<TokenStream> {
    let codec = &context.codec;
    let tests = ranges.ranges.iter().map(|(min, max)| {
        let min = min.as_ref().map_or_else(|| q!(0), |min| q!((#min) as usize));
        let max = max.as_ref().map_or_else(|| q!(usize::MAX), |max| q!((#max) as usize));
        q!(#codec::__private::Measure::size_within(#place, #min, #max))
    });
    (!ranges.extensible).then(|| q!(#(#tests)||*))
}

/// Generates an expression that is `true` if the number at the reference `place` is within the ranges. Returns `None`
/// if all numbers are allowed.
pub(crate) fn value_test(context: &Context<'_>, ranges: &Ranges, place: &TokenStream) -> Option<TokenStream> {
    let codec = &context.codec;
    let tests = ranges.ranges.iter().map(|(min, max)| {
        let (min, max) = (end(min.as_ref()), end(max.as_ref()));
        q!(#codec::__private::Number::within(#place, #min, #max))
    });
    (!ranges.extensible).then(|| q!(#(#tests)||*))
}

/// Generates named numbers as list items.
pub(crate) fn named_numbers<'n>(
    context: &Context<'_>,
    numbers: impl Iterator<Item = (&'n str, TokenStream)>,
) -> TokenStream {
    let codec = &context.codec;
    let numbers = numbers.map(
        |(name, number)| q!(#codec::table::NamedNumber { name: #codec::table::Text::Const(#name), number: #number }),
    );
    q!(#codec::table::List::Const(const { &[#(#numbers),*] }))
}
