//! Layout of plain text: columns and wrapped paragraphs.

/// Characters that take a place on the screen: all but ANSI colour sequences.
fn width(text: &str) -> usize {
    let mut count = 0;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => {
                // A colour sequence ends with its first letter.
                let _ = characters.by_ref().find(char::is_ascii_alphabetic);
            }
            _ => count += 1,
        }
    }
    count
}

/// Rows as lines, each column as wide as its widest cell, two spaces between; nothing is cut.
pub fn columns(rows: &[Vec<String>]) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|column| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let mut line = String::new();
        for (cell, &wide) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(wide - width(cell) + 2));
        }
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// `text` broken at spaces into lines of at most `wide` characters (a longer word keeps its line). The first
/// line begins with `first`, the others with spaces of the same width.
pub fn wrap(first: &str, text: &str, wide: usize) -> Vec<String> {
    let indent = width(first);
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut fresh = true;
    for word in text.split_whitespace() {
        if !fresh && width(&line) + 1 + width(word) > wide {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            fresh = true;
        }
        if !fresh {
            line.push(' ');
        }
        line.push_str(word);
        fresh = false;
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// `one`, `one and two`, `one, two and three`.
pub fn and_list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// `1 game`, `2 games`.
pub fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_keep_to_the_width() {
        let lines = wrap("- ", "one two three four", 9);
        assert_eq!(lines, ["- one two", "  three", "  four"]);
        assert_eq!(wrap("", "incomprehensibilities", 5), ["incomprehensibilities"]);
        assert_eq!(wrap("x:", "", 5), ["x:"]);
    }

    #[test]
    fn colours_take_no_place() {
        let rows = [vec!["\u{1b}[31mX\u{1b}[0m".into(), "a".into()], vec!["YY".into(), "b".into()]];
        assert_eq!(columns(&rows), ["\u{1b}[31mX\u{1b}[0m   a", "YY  b"]);
    }
}
