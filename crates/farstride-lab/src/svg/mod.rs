//! What charts and diagrams lay out alike: text, legends and paths.

pub(crate) mod legend;
mod shape;
pub(crate) mod text;

pub(crate) use farstride_io::internal::{Escaped, Paint, Short};
pub(crate) use shape::Shape;

/// What the tests of all that is drawn as SVG share.
#[cfg(test)]
pub(crate) mod testing {
    /// Texts in the order in which they are drawn; panics unless every element
    /// is closed in turn, all attributes are quoted and no number is missing.
    pub(crate) fn texts(svg: &str) -> Vec<&str> {
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        let (mut texts, mut open) = (Vec::new(), Vec::new());
        for tag in svg.split('<').skip(1) {
            let (tag, text) = tag.split_once('>').expect("every tag ends");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
                continue;
            }
            let name = tag.split([' ', '/']).next().unwrap_or_default();
            if !tag.ends_with('/') {
                open.push(name);
            }
            if name == "text" {
                texts.push(text);
            }
        }
        assert!(open.is_empty(), "{open:?} are left open");
        texts
    }
}
