//! Plain text: columns and wrapped paragraphs, and numbers as people write them.

use std::num::IntErrorKind;

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

/// A whole number as people write it: `10000`, `10_000` or `1e4`, with a `-` before it if it is negative.
pub fn whole_number(text: &str) -> Option<i128> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let digits = |text: &str| -> Option<i128> {
        // Single underscores, between digits.
        let groups = text.split('_');
        let sound = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
        groups.clone().all(sound).then(|| groups.collect::<String>().parse().ok())?
    };
    match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            let power = 10_i128.checked_pow(digits(exponent)?.try_into().ok()?)?;
            digits(mantissa)?.checked_mul(sign * power)
        }
        None => Some(sign * digits(text)?),
    }
}

/// What is wrong where a whole number that TOML cannot hold stands at byte `start` of a file; `most` gives the
/// largest number that a key takes. `None` if something else stands there.
pub fn too_large(file: &str, start: usize, most: impl Fn(Option<&str>) -> String) -> Option<String> {
    let (before, after) = file.split_at_checked(start)?;
    let ends = |character: char| !(character.is_ascii_alphanumeric() || "+-_".contains(character));
    let number = after.split(ends).next()?;
    let digits = number.replace('_', "");
    let parsed = match digits.split_at_checked(2) {
        Some(("0x", digits)) => i64::from_str_radix(digits, 16),
        Some(("0o", digits)) => i64::from_str_radix(digits, 8),
        Some(("0b", digits)) => i64::from_str_radix(digits, 2),
        _ => digits.parse(),
    };
    // The last one of its line, which may be in an inline table.
    let key = before.rsplit('\n').next()?.rsplit_once('=');
    let key = key.and_then(|(key, _)| key.rsplit(['{', ',']).next()).map(str::trim);
    let what = key.map_or(format!("{number} does not fit"), |key| format!("`{key}` cannot be {number}"));
    match parsed.err()?.kind() {
        IntErrorKind::PosOverflow => Some(format!("{what}: expected a whole number up to {}", most(key))),
        IntErrorKind::NegOverflow => Some(format!("{what}: expected a whole number not below {}", i64::MIN)),
        _ => None,
    }
}

/// `text` on one line and without control characters: what came from outside must not steer a terminal.
pub fn one_line(text: &str) -> String {
    let lines = text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    let line = lines.collect::<Vec<_>>().join(" ");
    line.chars().filter(|character| !character.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_too_large_are_named_with_their_key() {
        let most = |_: Option<&str>| "7".to_owned();
        let said = |file: &str, number: &str| too_large(file, file.find(number).unwrap(), most);
        for (file, number, expected) in [
            (
                "a = 1\nb = 99999999999999999999",
                "999",
                Some("`b` cannot be 99999999999999999999: expected a whole number up to 7"),
            ),
            (
                "p = { b = 1, c = 9_9999999999999999999 }",
                "9_",
                Some("`c` cannot be 9_9999999999999999999: expected a whole number up to 7"),
            ),
            (
                "b = 0xFFFFFFFFFFFFFFFF",
                "0x",
                Some("`b` cannot be 0xFFFFFFFFFFFFFFFF: expected a whole number up to 7"),
            ),
            (
                "b = -99999999999999999999",
                "-9",
                Some(
                    "`b` cannot be -99999999999999999999: expected a whole number not below -9223372036854775808",
                ),
            ),
            (
                "b = [\n99999999999999999999]",
                "999",
                Some("99999999999999999999 does not fit: expected a whole number up to 7"),
            ),
            ("b = 12", "12", None),
            ("b = true", "true", None),
        ] {
            assert_eq!(said(file, number).as_deref(), expected, "{file}");
        }
    }

    #[test]
    fn numbers_are_read_strictly() {
        for (text, number) in [
            ("0", 0),
            ("1000000", 1_000_000),
            ("1_000_000", 1_000_000),
            ("1e6", 1_000_000),
            ("1_2E1", 120),
            ("-5", -5),
            ("-1e2", -100),
            ("18446744073709551615", u64::MAX as i128),
        ] {
            assert_eq!(whole_number(text), Some(number), "{text}");
        }
        for text in [
            "", "-", "+10", "--1", "_1", "1_", "1__0", "__1__0__", "1.5", "1e", "e6", "1e-2", "1e+2", "1e99",
            "1 0", " 1", "0x10", "many", "[1", "\u{662}",
        ] {
            assert_eq!(whole_number(text), None, "{text}");
        }
    }

    #[test]
    fn one_line_keeps_spaces_and_drops_what_steers_a_terminal() {
        assert_eq!(one_line("a  b\n   c\r\n\nd "), "a  b c d");
        assert_eq!(one_line("\u{1b}[31mred\u{7}"), "[31mred");
    }

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
