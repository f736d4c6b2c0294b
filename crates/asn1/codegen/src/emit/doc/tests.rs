use tagwise_schema::{Source, compile};

use super::{PageFormat, emit};
use crate::lower::lower;
use crate::overlay::Overlay;

const TEXT: &str = "\
Base DEFINITIONS AUTOMATIC TAGS ::= BEGIN
  Name ::= UTF8String (SIZE (1..8))
  Kind ::= ENUMERATED { small(0), large(1), ... }
END
More DEFINITIONS AUTOMATIC TAGS ::= BEGIN
  IMPORTS Name, Kind FROM Base;
  Person ::= SEQUENCE { name Name, kind Kind DEFAULT small, age INTEGER (0..150) OPTIONAL, ... }
  limit INTEGER ::= 7
END
";

fn page(form: PageFormat, name: &str) -> String {
    let model = compile(vec![Source::new("m.asn1", TEXT)]).into_model().unwrap();
    let plan = lower(&model, &Overlay::default()).unwrap();
    emit(&plan, form).unwrap().into_iter().find(|file| file.name == name).unwrap().text
}

#[test]
fn markdown() {
    let text = page(PageFormat::Markdown, "more.md");
    let expected = [
        "# More\n",
        "<a id=\"Person\"></a>\n\n## Person\n",
        "SEQUENCE, line 7.",
        "| Component | Tag | Type | Presence |",
        "| `name` | `[0] IMPLICIT` | [Name](base.md#Name) |  |",
        "| `kind` | `[1] IMPLICIT` | [Kind](base.md#Kind) | `DEFAULT small` |",
        "| `age` | `[2] IMPLICIT` | INTEGER `(0..150)` | `OPTIONAL` |",
        "| `...` |  | additions by later versions |  |",
        "| `limit` | INTEGER | `7` |",
    ];
    for line in expected {
        assert!(text.contains(line), "{line}\n---\n{text}");
    }
    let base = page(PageFormat::Markdown, "base.md");
    assert!(base.contains("Used in [Person](more.md#Person)."), "{base}");
    assert!(base.contains("UTF8String `SIZE (1..8)`"), "{base}");
    let index = page(PageFormat::Markdown, "index.md");
    assert!(index.contains("[Base](base.md)") && index.contains("[More](more.md)"), "{index}");
}

#[test]
fn html() {
    let text = page(PageFormat::Html, "more.html");
    let expected = [
        "<h2 id=\"Person\">Person</h2>",
        "<td><a href=\"base.html#Name\">Name</a></td>",
        "<td><code>DEFAULT small</code></td>",
        "</body></html>\n",
    ];
    for line in expected {
        assert!(text.contains(line), "{line}\n---\n{text}");
    }
}

/// Nothing of a schema is taken for markup.
#[test]
fn markup_is_escaped() {
    let text = "M DEFINITIONS ::= BEGIN A ::= PrintableString v UTF8String ::= \"<script>|`*\" END";
    let model = compile(vec![Source::new("<b>.asn1", text)]).into_model().unwrap();
    let plan = lower(&model, &Overlay::default()).unwrap();
    for file in emit(&plan, PageFormat::Html).unwrap() {
        assert!(!file.text.contains("<script>"), "{}", file.text);
    }
    let markdown = emit(&plan, PageFormat::Markdown).unwrap();
    assert!(markdown.iter().any(|file| file.text.contains("`\"<script>\\|'*\"`")), "{markdown:?}");
}
