//! Rust types from the schema compiler, compared with the same modules as tables at run time. Both must accept the same
//! inputs, and reject all others with the same kind, offset and path.
#![allow(missing_docs, reason = "generated, and names that say it")]

use std::collections::HashMap;
use std::sync::OnceLock;

use tagwise_codec::table::Type;
use tagwise_codec::value::Dynamic;
use tagwise_codec::{Decode, Encode, Error, FaultKind, Options, Rule, Typed, encode};
use tagwise_tables::{Schema, Source};

/// Generates the cases: the Rust code of the compiler's golden cases, which its own tests keep up to date, and the source
/// text.
macro_rules! cases {
    ($($name:ident = $path:literal),* $(,)?) => {
        $(
            #[allow(dead_code, clippy::pedantic, missing_debug_implementations)]
            #[path = $path]
            pub mod $name;
        )*

        /// Returns the modules of a case.
        #[must_use]
        pub fn text(case: &str) -> Option<&'static str> {
            match case {
                $(stringify!($name) => Some(include_str!(concat!(
                    "../../crates/asn1/codegen/tests/golden/", stringify!($name), "/input.asn1"
                ))),)*
                _ => None,
            }
        }

        /// The names of the cases.
        pub const CASES: &[&str] = &[$(stringify!($name)),*];
    };
}

cases! {
    bits = "../../crates/asn1/codegen/tests/golden/bits/expected.rs",
    choice = "../../crates/asn1/codegen/tests/golden/choice/expected.rs",
    constraints = "../../crates/asn1/codegen/tests/golden/constraints/expected.rs",
    containing = "../../crates/asn1/codegen/tests/golden/containing/expected.rs",
    enumerated = "../../crates/asn1/codegen/tests/golden/enumerated/expected.rs",
    extensions = "../../crates/asn1/codegen/tests/golden/extensions/expected.rs",
    integers = "../../crates/asn1/codegen/tests/golden/integers/expected.rs",
    lists = "../../crates/asn1/codegen/tests/golden/lists/expected.rs",
    modules = "../../crates/asn1/codegen/tests/golden/modules/expected/mod.rs",
    names = "../../crates/asn1/codegen/tests/golden/names/expected.rs",
    old_any = "../../crates/asn1/codegen/tests/golden/old_any/expected.rs",
    open_types = "../../crates/asn1/codegen/tests/golden/open_types/expected.rs",
    parameters = "../../crates/asn1/codegen/tests/golden/parameters/expected.rs",
    sequence = "../../crates/asn1/codegen/tests/golden/sequence/expected.rs",
    set = "../../crates/asn1/codegen/tests/golden/set/expected.rs",
    strings = "../../crates/asn1/codegen/tests/golden/strings/expected.rs",
    values = "../../crates/asn1/codegen/tests/golden/values/expected.rs",
}

/// Returns the case's modules at run time.
#[must_use]
pub fn schema(case: &str) -> &'static Schema {
    static SCHEMAS: OnceLock<HashMap<&'static str, Schema>> = OnceLock::new();
    let compile = |case: &'static str| {
        let source = Source::new("input.asn1", text(case).unwrap());
        (case, Schema::compile([source]).unwrap_or_else(|error| panic!("{case}: {error}")))
    };
    &SCHEMAS.get_or_init(|| CASES.iter().map(|case| compile(case)).collect())[case]
}

/// A type of the schema, as a Rust type and as a table.
#[derive(Clone, Copy)]
pub struct Twin {
    /// The golden case.
    pub case: &'static str,
    /// The name in the schema.
    pub name: &'static str,
    /// The table of the Rust type.
    pub table: fn() -> &'static Type,
    /// The reason why the Rust type checks less than the tables do, if that is the case.
    pub lax: Option<&'static str>,
    hold: for<'a> fn(&str, bool, &'a [u8], Dynamic<'a>, Options<'a>) -> Outcome,
}

/// The outcome for an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both accepted the input.
    Taken,
    /// Both rejected the input in the same way.
    Refused,
    /// The Rust type checks less than the tables do, as permitted.
    Lax,
}

impl Twin {
    /// Returns the type at run time.
    #[must_use]
    pub fn tables(self) -> Dynamic<'static> {
        schema(self.case).ty(self.name).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// Compares the Rust type and the table on one input.
    pub fn hold<'a>(self, data: &'a [u8], options: Options<'a>) -> Outcome {
        (self.hold)(self.name, self.lax.is_some(), data, self.tables(), options)
    }
}

/// Compares a Rust type with the tables of the same definition, named `name`. Both must accept an input, with the same JSON
/// and the same bytes when encoded again, or reject it in the same way. If the Rust type may check less (`lax`), that is a
/// separate outcome.
pub fn hold<'a, T: Decode<'a> + Encode + Typed>(
    name: &str,
    may_be_lax: bool,
    data: &'a [u8],
    tables: Dynamic<'a>,
    options: Options<'a>,
) -> Outcome {
    // Where nothing can be tolerated or spent, there are shorter ways.
    let (plain, long) = (T::from_der(data), Options::der().decode::<T>(data));
    assert_eq!(
        plain.map_err(|error| error.fault()).err(),
        long.map_err(|error| error.fault()).err(),
        "{name}: {data:02X?}"
    );
    let tables = tables.options(options);
    match (options.decode::<T>(data), tables.decode(data)) {
        (Ok(derived), Ok(dynamic)) => {
            // A type of a type has the constraints of both, each noted by itself; in Rust they are one.
            let seen = |list: &[tagwise_codec::Deviation]| -> Vec<(&'static str, usize)> {
                let mut seen: Vec<_> = list.iter().map(|one| (one.rule.name, one.offset)).collect();
                seen.dedup();
                seen
            };
            let (one, other) = (seen(&derived.deviations), seen(&dynamic.deviations));
            if one != other {
                assert!(may_be_lax, "{}: {one:?} is tolerated, but {other:?}: {data:02X?}", name);
                return Outcome::Lax;
            }
            let own = Dynamic::of::<T>().options(options);
            let value = own.decode(data).unwrap().value;
            let json = tagwise_jer::to_string(own.types(), &value);
            if may_be_lax && json != tagwise_jer::to_string(tables.types(), &dynamic.value) {
                return Outcome::Lax;
            }
            assert_eq!(json, tagwise_jer::to_string(tables.types(), &dynamic.value), "{}: {data:02X?}", name);
            if derived.deviations.is_empty() {
                assert_eq!(encode(&derived.value).as_deref(), Ok(data), "{}", name);
                assert_eq!(tables.encode(&dynamic.value).as_deref(), Ok(data), "{}", name);
                let back = tagwise_jer::from_str(&tables, &json).unwrap_or_else(|error| panic!("{error} in {json}"));
                assert_eq!(tables.encode(&back).as_deref(), Ok(data), "{json}");
            }
            Outcome::Taken
        }
        (Err(derived), Err(dynamic)) if same(&derived, &dynamic) => Outcome::Refused,
        // X.680 §51.4 twice: a native integer holds what the constraint allows, and nothing else can be tolerated. A constraint of
        // the whole (WITH COMPONENTS) is told by tables at the whole.
        (Err(derived), Ok(_)) if derived.kind() == FaultKind::IntegerRange && options.tolerated().has(&Rule::VALUE) => {
            Outcome::Refused
        }
        (Err(derived), Err(dynamic))
            if derived.kind() == FaultKind::IntegerRange
                && (options.tolerated().has(&Rule::VALUE)
                    || (dynamic.kind() == FaultKind::Value
                        && derived.path().starts_with(dynamic.path())
                        && dynamic.offset() <= derived.offset())) =>
        {
            Outcome::Refused
        }
        (Ok(_), Err(_)) | (Err(_), _) if may_be_lax => Outcome::Lax,
        (derived, dynamic) => panic!(
            "{}, as Rust: {:?}; by tables: {:?}; {data:02X?}",
            name,
            derived.map(|read| read.deviations).map_err(|error| error.to_string()),
            dynamic.map(|read| read.deviations).map_err(|error| error.to_string())
        ),
    }
}

fn same(one: &Error, other: &Error) -> bool {
    (one.fault(), one.path()) == (other.fault(), other.path())
}

macro_rules! twins {
    ($($case:ident: { $($name:literal $(lax $why:literal)? = $ty:ty),* $(,)? })*) => {
        /// All types.
        pub const TWINS: &[Twin] = &[$($(Twin {
            case: stringify!($case),
            name: $name,
            table: <$ty as Typed>::ty,
            lax: [$(Some($why),)? None][0],
            hold: |name, lax, data, tables, options| hold::<$ty>(name, lax, data, tables, options),
        }),*),*];
    };
}

twins! {
    bits: {
        "KeyUsage" = bits::KeyUsage<'_>,
        "Flags" = bits::Flags<'_>,
        "Uses" = bits::Uses<'_>,
    }
    choice: {
        "GeneralName" = choice::GeneralName<'_>,
        "Later" = choice::Later<'_>,
        "Switch" = choice::Switch,
        "Filter" = choice::Filter<'_>,
        "Tagged" = choice::Tagged<'_>,
        "Holder" = choice::Holder<'_>,
    }
    constraints: {
        "Code" = constraints::Code<'_>,
        "Answer" = constraints::Answer<'_>,
        "Date" = constraints::Date<'_>,
        "Word" = constraints::Word<'_>,
        "Half" = constraints::Half<'_>,
        "Huge" = constraints::Huge<'_>,
        "Day" = constraints::Day<'_>,
        "Key" = constraints::Key<'_>,
        "Yes" = constraints::Yes,
        "Colour" = constraints::Colour,
        "Warm" = constraints::Warm,
        "Flags" = constraints::Flags<'_>,
        "Few" = constraints::Few<'_>,
        "Level" = constraints::Level,
        "Point" = constraints::Point<'_>,
        "Narrow" = constraints::Narrow<'_>,
        "Either" = constraints::Either<'_>,
        "Names" = constraints::Names<'_>,
        "Short" = constraints::Short<'_>,
        "Uses" = constraints::Uses<'_>,
        "Listed" = constraints::Listed,
        "Kind" = constraints::Kind<'_>,
        "NamedThree" = constraints::NamedThree<'_>,
    }
    containing: {
        "Inner" = containing::Inner<'_>,
        "Outer" = containing::Outer<'_>,
        "Named" = containing::Named<'_>,
    }
    enumerated: {
        "CRLReason" = enumerated::CrlReason,
        "Colour" = enumerated::Colour,
        "Signed" = enumerated::Signed,
        "Reported" = enumerated::Reported,
    }
    extensions: {
        "First" = extensions::First<'_>,
        "Second" = extensions::Second<'_>,
    }
    integers: {
        "Byte" = integers::Byte,
        "Count" = integers::Count,
        "Offset" = integers::Offset,
        "Wide" = integers::Wide,
        "Positive" = integers::Positive<'_>,
        "Extensible" = integers::Extensible<'_>,
        "Odd" = integers::Odd,
        "Narrow" = integers::Narrow,
        "Serial" = integers::Serial<'_>,
        "Level" = integers::Level,
        "All" = integers::All<'_>,
    }
    lists: {
        "Names" = lists::Names<'_>,
        "NonEmpty" = lists::NonEmpty<'_>,
        "Ports" = lists::Ports<'_>,
        "Points" = lists::Points<'_>,
        "Tree" = lists::Tree<'_>,
        "Nested" = lists::Nested<'_>,
        "Chain" = lists::Chain<'_>,
        "All" = lists::All<'_>,
    }
    modules: {
        "Name" = modules::base::Name<'_>,
        "Key" = modules::base::Key<'_>,
        "Int" = modules::base::Int,
        "Person" = modules::more_types::Person<'_>,
    }
    names: {
        "Foo-Bar" = names::FooBar<'_>,
        "FooBar" = names::FooBar2,
        "Option" = names::OptionType<'_>,
        "Any" = names::AnyType<'_>,
        "Box" = names::BoxType,
        "Int" = names::Int<'_>,
        "Parent" = names::Parent<'_>,
        "ParentChild" = names::ParentChild,
        "Unit" = names::Unit,
    }
    old_any: {
        "AlgorithmIdentifier" = old_any::AlgorithmIdentifier<'_>,
        "Wrapped" = old_any::Wrapped<'_>,
    }
    open_types: {
        "SkipCerts" = open_types::SkipCerts<'_>,
        "Extension" = open_types::Extension<'_>,
        "Attribute" = open_types::Attribute<'_>,
        "Attributes" = open_types::Attributes<'_>,
        "Message" = open_types::Message<'_>,
    }
    parameters: {
        "Order" = parameters::Order<'_>,
        "Content" = parameters::Content<'_>,
    }
    sequence: {
        "Ticket" = sequence::Ticket<'_>,
        "Version" = sequence::Version<'_>,
        "Empty" = sequence::Empty,
        "Twice" lax "under two tags in Rust is a type of its own, at whose content its constraint is told" = sequence::Twice<'_>,
        "AnotherTicket" = sequence::AnotherTicket<'_>,
    }
    set: {
        "Member" = set::Member<'_>,
        "Open" = set::Open<'_>,
    }
    strings: {
        "Name" = strings::Name<'_>,
        "Digits" = strings::Digits<'_>,
        "Country" = strings::Country<'_>,
        "All" = strings::All<'_>,
    }
    values: {
        "Version" = values::Version,
        "Colour" = values::Colour,
        "Point" = values::Point,
        "Zeros" = values::Zeros<'_>,
        "Either" = values::Either,
    }
}
