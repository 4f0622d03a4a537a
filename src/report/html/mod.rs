//! `report.html`: one page that answers an experiment's question for somebody who has never seen dhow.
//!
//! One file, no network: styles and pictures stand inside. It is made from the CSV tables and the manifest
//! alone, so `dhow report` makes the same page again.

mod chart;
mod sections;
mod style;
mod words;

use super::book::Book;

/// Name of the file in a run's folder.
pub const REPORT: &str = "report.html";

/// The page of a run.
pub fn page(book: &Book) -> String {
    let config = &book.manifest.result.config;
    let title =
        config.question.clone().unwrap_or_else(|| format!("{}: {}", config.game, config.agents.join(", ")));
    let title = escaped(&title);
    let sections = [
        sections::answer(book),
        sections::seats(book),
        sections::ladder(book),
        sections::groups(book),
        sections::lengths(book),
        sections::shape(book),
        sections::trust(book),
    ];
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<main>\n<p class=\"game\">{}</p>\n<h1>{title}</h1>\n{}</main>\n\
         </body>\n</html>\n",
        style::SHEET,
        escaped(&config.game),
        sections.concat()
    )
}

/// Text that can stand in a page or an attribute.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
