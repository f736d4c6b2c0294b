//! A page from a template and what stands in it.

use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

pub use minijinja::Error;

/// Renders `template`, which extends `page.html` and fills its block `body`, with the fields of `context`.
///
/// Text is escaped; plots of this crate are marked `|safe` in the template. The filter `places(n)` writes a number with n decimal
/// places, and a dash for one that is not there; `figure` writes one in three significant places.
///
/// # Errors
/// A template that does not parse, or names what the context does not have.
pub fn page(title: &str, template: &str, context: impl Serialize) -> Result<String, Error> {
    let mut templates = Environment::new();
    templates.set_auto_escape_callback(|_| AutoEscape::Html);
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.add_filter("places", places);
    templates.add_filter("figure", crate::svg::figure);
    templates.add_global("title", title);
    templates.add_global("style", Value::from_safe_string(include_str!("page.css").to_owned()));
    templates.add_template("page.html", include_str!("page.html"))?;
    templates.add_template("template", template)?;
    Ok(templates.get_template("template")?.render(Serde(context))?
        + "
")
}

fn places(value: Option<f64>, places: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.places$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str =
        "{% extends 'page.html' %}{% block body %}{{ name }} {{ some|places(2) }} {{ none|places(2) }}{% endblock %}";

    #[derive(Serialize)]
    struct Context {
        name: &'static str,
        some: f64,
        none: Option<f64>,
    }

    #[test]
    fn text_is_escaped_and_what_is_missing_is_an_error() {
        let context = Context {
            name: "<b>&",
            some: 1.005,
            none: None,
        };
        let text = page("a < b", TEMPLATE, context).unwrap();
        assert!(text.contains("<title>a &lt; b</title>"), "{text}");
        assert!(text.contains("&lt;b&gt;&amp; 1.00 –"), "{text}");
        assert!(
            text.starts_with("<!doctype html>") && text.ends_with("</html>\n"),
            "{text}"
        );
        assert!(
            page(
                "",
                "{% extends 'page.html' %}{% block body %}{{ nothing }}{% endblock %}",
                ()
            )
            .is_err()
        );
    }
}
