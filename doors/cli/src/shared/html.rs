//! Pages in HTML. They contain no scripts and load no resources.

use tagwise_pkix::name::visible;

/// Escapes text for HTML, and makes every character visible.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for character in visible(&text).to_string().chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Builds a page from a title, a style sheet, and the elements of its body, which the caller has escaped.
#[must_use]
pub fn html_page(title: &str, style: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
<title>{}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escaped("<b>\"&'"), "&lt;b&gt;&quot;&amp;&#39;");
        assert!(!escaped("\u{1B}[31m\u{202E}").contains(['\u{1B}', '\u{202E}']));
        let page = html_page("a < b", "p{}", "<p>x</p>");
        assert!(
            page.contains("<title>a &lt; b</title>\n<style>p{}</style>")
                && page.ends_with("<p>x</p></body>\n</html>\n")
        );
    }
}
