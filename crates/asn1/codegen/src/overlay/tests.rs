use super::{Overlay, means};

#[test]
fn all_keys() {
    let text = r#"
codec = "crate::codec"
derive = "crate::Asn1"

[modules.M]
file = "m"
feature = "all-of-m"
only = ["A", "B"]

[modules.N]
use = "crate::n"

[types."M.A"]
rename = "Ay"
verbatim = true
shape = "crate::shape::a"
derive = ["Eq", "Hash"]
fields.b = { raw = true, rename = "bee" }

[types.A.fields.type]
boxed = true
open = "now"

[sets.Extensions]
rename = "ExtensionValue"
"#;
    let overlay = Overlay::parse("o.toml", text).unwrap();
    assert_eq!((overlay.codec.as_deref(), overlay.derive.as_deref()), (Some("crate::codec"), Some("crate::Asn1")));
    assert_eq!(overlay.modules[0].only.as_deref(), Some(&["A".to_owned(), "B".to_owned()][..]));
    assert_eq!(overlay.modules[0].feature.as_deref(), Some("all-of-m"));
    assert_eq!(overlay.modules[1].path.as_deref(), Some("crate::n"));
    let [ma, a] = &overlay.types[..] else { panic!("{:?}", overlay.types) };
    assert!(ma.verbatim && ma.fields[0].raw && !a.verbatim && a.fields[0].boxed);
    assert_eq!(ma.fields[0].rename.as_deref(), Some("bee"));
    assert_eq!(a.fields[0].open.as_deref(), Some("now"));
    assert_eq!(overlay.sets[0].rename.as_deref(), Some("ExtensionValue"));
}

#[test]
fn errors_have_places() {
    let cases = [
        ("[types.A]\n  bosed = true", "o:2:3: unknown key `bosed`"),
        ("[types.A.fields.b]\nboxd = true", "o:2:1: unknown key `boxd`; did you mean `boxed`?"),
        ("[types.A]\nverbatim = 1", "o:2:1: `verbatim` must be true or false"),
        (
            "[modules.M]\nfeature = 'a\"'",
            "o:2:1: `feature` must be a feature name: letters, digits, `_`, `-`, `+` and `.`",
        ),
        ("[types]\nA = 1", "o:2:1: `A` must be a table"),
        ("types = 1", "o:1:1: `types` must be a table"),
        ("[modules.M]\nonly = [1]", "o:2:1: `only` must be a list of strings"),
        (
            "[types.A]\ninteger = \"u7\"",
            "o:2:1: `integer` must be one of enum, u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, any",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(Overlay::parse("o", text).unwrap_err().to_string(), expected, "{text}");
    }
    assert!(Overlay::parse("o", "a = [").unwrap_err().to_string().starts_with("o:1:"));
}

#[test]
fn keys() {
    assert!(means("A", "M", "A") && means("M.A", "M", "A") && means("A-*", "M", "A-B") && means("M.A-*", "M", "A-B"));
    assert!(!means("A", "M", "B") && !means("N.A", "M", "A") && !means("A-*", "M", "AB"));
}
