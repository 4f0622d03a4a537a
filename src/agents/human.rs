//! `human`: numbered choices for a person at a terminal.
//!
//! The person types a number, or an action in its text form. `?` explains, `q` leaves. Where the text forms
//! are numbers themselves (squares of a board), they stand in the menu as they are, so that a number never
//! means two things.

use std::io::{self, BufRead, Write};

use super::registry::Entry;
use crate::game::{Game, Narrate, Seat, Turn, some_of};
use crate::text::one_line;

/// What [`super::registry`] shows.
pub const ENTRY: Entry =
    Entry { name: "human", summary: "asks a person at the terminal (`dhow play` only)", parameters: &[] };

/// So many choices stand on one page of a menu.
const PAGE: usize = 20;
/// So many outcomes of luck are named in an explanation.
const OUTCOMES: usize = 6;

/// Asks a person. Generic over where the answers come from and where the questions go.
#[derive(Debug)]
pub struct Human<R, W> {
    input: R,
    output: W,
    /// Whether answers are written out again: they are not on the screen when the input is no terminal.
    echo: bool,
}

/// The choices of one question.
struct Menu<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    seat: Seat,
    actions: &'a [G::Action],
    labels: Vec<String>,
    /// Indices of the actions that are shown: all, or those that were searched for.
    shown: Vec<usize>,
    page: usize,
}

impl<R: BufRead, W: Write> Human<R, W> {
    /// Reads answers from `input` and writes questions to `output`; `echo` writes the answers too.
    pub fn new(input: R, output: W, echo: bool) -> Human<R, W> {
        Human { input, output, echo }
    }

    /// Asks for one of the legal actions of `seat` until one is named. `None` when the person leaves, by
    /// `q` or by the end of the input. An only choice is taken without asking.
    ///
    /// `state` is shown through descriptions of the actions; in a game with hidden information it must be
    /// re-sampled for `seat`, and what an action leads to is not explained.
    ///
    /// # Errors
    /// Those of input and output.
    pub fn ask<G: Narrate>(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
    ) -> io::Result<Option<G::Action>> {
        let mut actions = Vec::new();
        game.actions(state, seat, &mut actions);
        if let [only] = actions[..] {
            writeln!(self.output, "Seat {seat} has one choice: {}.", game.describe(state, seat, only))?;
            return Ok(Some(only));
        }
        let mut menu = Menu::new(game, state, seat, &actions);
        menu.show(&mut self.output)?;
        loop {
            menu.prompt(&mut self.output)?;
            self.output.flush()?;
            let Some(line) = self.line()? else {
                writeln!(self.output)?;
                return Ok(None);
            };
            let line = line.trim();
            match line {
                "" => {}
                "q" | "Q" => return Ok(None),
                "?" => menu.explain_page(&mut self.output)?,
                ">" | "<" => menu.turn_page(line == ">", &mut self.output)?,
                _ => {
                    if let Some(words) = line.strip_prefix('/') {
                        menu.search(words.trim(), &mut self.output)?;
                        continue;
                    }
                    let (asked, text) = match line.strip_prefix('?') {
                        Some(text) => (true, text.trim()),
                        None => (false, line),
                    };
                    match menu.find(text) {
                        Ok(at) if asked => menu.explain(at, &mut self.output)?,
                        Ok(at) => return Ok(Some(actions[at])),
                        Err(reason) => writeln!(self.output, "{reason}")?,
                    }
                }
            }
        }
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&bytes).into_owned();
        if self.echo {
            writeln!(self.output, "{}", line.trim_end())?;
        }
        Ok(Some(line))
    }
}

impl<'a, G: Narrate> Menu<'a, G> {
    fn new(game: &'a G, state: &'a G::State, seat: Seat, actions: &'a [G::Action]) -> Menu<'a, G> {
        let texts: Vec<String> = actions.iter().map(G::Action::to_string).collect();
        let are_numbers = texts.iter().any(|text| text.parse::<u64>().is_ok());
        let labels =
            if are_numbers { texts } else { (1..=actions.len()).map(|number| number.to_string()).collect() };
        Menu { game, state, seat, actions, labels, shown: (0..actions.len()).collect(), page: 0 }
    }

    fn pages(&self) -> usize {
        self.shown.len().div_ceil(PAGE)
    }

    fn on_page(&self) -> &[usize] {
        self.shown.chunks(PAGE).nth(self.page).unwrap_or_default()
    }

    fn show(&self, output: &mut impl Write) -> io::Result<()> {
        let wide = self.labels.iter().map(String::len).max().unwrap_or(0);
        for &at in self.on_page() {
            let (label, action) = (&self.labels[at], self.actions[at]);
            let (text, words) = (action.to_string(), self.game.describe(self.state, self.seat, action));
            let form = if *label == text || words == text { String::new() } else { format!(" [{text}]") };
            writeln!(output, "  {label:>wide$}) {words}{form}")?;
        }
        if self.pages() > 1 {
            writeln!(
                output,
                "  page {} of {} ({} choices): > and < turn pages, /WORD searches, or type a choice in full",
                self.page + 1,
                self.pages(),
                self.shown.len()
            )?;
        }
        Ok(())
    }

    fn prompt(&self, output: &mut impl Write) -> io::Result<()> {
        let secret = match self.game.turn(self.state) {
            Turn::Simultaneous(_) => ", at the same time as others",
            _ => "",
        };
        write!(output, "Seat {} chooses{secret} (a number, ? explains, q leaves): ", self.seat)
    }

    fn turn_page(&mut self, forward: bool, output: &mut impl Write) -> io::Result<()> {
        let pages = self.pages().max(1);
        self.page = (self.page + if forward { 1 } else { pages - 1 }) % pages;
        self.show(output)
    }

    /// Shows only the choices whose words hold `text`; all of them for an empty text.
    fn search(&mut self, text: &str, output: &mut impl Write) -> io::Result<()> {
        let wanted = text.to_lowercase();
        let holds = |&at: &usize| {
            let action = self.actions[at];
            let words = self.game.describe(self.state, self.seat, action);
            action.to_string().to_lowercase().contains(&wanted) || words.to_lowercase().contains(&wanted)
        };
        let found: Vec<usize> = (0..self.actions.len()).filter(holds).collect();
        if found.is_empty() {
            return writeln!(output, "No choice mentions `{text}`.");
        }
        self.shown = found;
        self.page = 0;
        self.show(output)
    }

    /// The action that `text` means, as an index.
    fn find(&self, text: &str) -> Result<usize, String> {
        if let Some(at) = self.labels.iter().position(|label| label == text) {
            return Ok(at);
        }
        let same = |action: &G::Action| action.to_string().eq_ignore_ascii_case(text);
        if let Some(at) = self.actions.iter().position(same) {
            return Ok(at);
        }
        match text.parse::<G::Action>() {
            Ok(action) => match self.actions.iter().position(|&legal| legal == action) {
                Some(at) => Ok(at),
                None => Err(match self.game.check_action(self.state, self.seat, action) {
                    Err(error) => format!("{error}."),
                    Ok(()) => format!("`{text}` is not possible now."),
                }),
            },
            Err(_) if text.parse::<u64>().is_ok() => Err(format!("There is no choice {text}.")),
            // What the text forms of the game could be includes luck; what matters is what is offered.
            Err(_) => {
                Err(format!("`{}` is no choice here; the rules offer {}.", one_line(text), self.offered()))
            }
        }
    }

    fn offered(&self) -> String {
        some_of(self.actions.iter())
    }

    fn explain_page(&self, output: &mut impl Write) -> io::Result<()> {
        for &at in self.on_page() {
            self.explain(at, output)?;
        }
        if self.pages() > 1 {
            writeln!(output, "  (this page; ? NUMBER explains a single choice)")?;
        }
        Ok(())
    }

    fn explain(&self, at: usize, output: &mut impl Write) -> io::Result<()> {
        let action = self.actions[at];
        let words = self.game.describe(self.state, self.seat, action);
        writeln!(output, "  {}) type `{action}`: {words}; {}", self.labels[at], self.leads_to(action))
    }

    /// What comes after an action, as a fact of the rules.
    fn leads_to(&self, action: G::Action) -> String {
        if let Turn::Simultaneous(_) = self.game.turn(self.state) {
            return "the others choose at the same time".into();
        }
        if self.game.has_hidden() {
            return "what follows depends on what is hidden".into();
        }
        let mut after = self.state.clone();
        self.game.apply(&mut after, action);
        match self.game.turn(&after) {
            Turn::Over => {
                let outcome = self.game.outcome(&after).expect("the game is over");
                match outcome.win_share(self.seat) {
                    1.0 => format!("that wins the game (`{}`)", outcome.ending()),
                    0.0 => format!("that loses the game (`{}`)", outcome.ending()),
                    _ => format!("that ends the game (`{}`), the first place is shared", outcome.ending()),
                }
            }
            Turn::Decision(seat) if seat == self.seat => "you choose again".into(),
            Turn::Decision(seat) => format!("seat {seat} chooses next"),
            Turn::Simultaneous(_) => "several seats choose at once next".into(),
            Turn::Chance(source) => {
                let mut outcomes = Vec::new();
                self.game.chance(&after, &mut outcomes);
                let named = outcomes.iter().take(OUTCOMES);
                let mut parts: Vec<String> =
                    named.map(|(outcome, p)| format!("{outcome} {:.1} %", 100.0 * p)).collect();
                if outcomes.len() > OUTCOMES {
                    parts.push(format!("{} more", outcomes.len() - OUTCOMES));
                }
                format!(
                    "luck follows ({}): {}",
                    self.game.luck()[source.kind as usize].name,
                    parts.join(", ")
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ink, Luck, Outcome, ParseActionError};
    use crate::games::switches::build;
    use crate::games::yardsticks::tic_tac_toe::{Mark, TicTacToe};

    /// The answer to a question in a tic-tac-toe game after `moves`, and what was written.
    fn ask(moves: &[u8], typed: &str) -> (Option<Mark>, String) {
        let game: TicTacToe = build(&toml::Table::new(), 2).unwrap();
        let mut state = game.initial();
        moves.iter().for_each(|&square| game.apply(&mut state, Mark(square - 1)));
        let Turn::Decision(seat) = game.turn(&state) else { panic!("over") };
        let mut output = Vec::new();
        let answer = Human::new(typed.as_bytes(), &mut output, false).ask(&game, &state, seat).unwrap();
        (answer, String::from_utf8(output).unwrap())
    }

    #[test]
    fn squares_keep_their_numbers_in_the_menu() {
        let (answer, output) = ask(&[1, 2], "3\n");
        assert_eq!(answer, Some(Mark(2)));
        assert!(output.contains("  3) mark square 3\n") && !output.contains("  1)"), "{output}");
    }

    #[test]
    fn what_is_not_possible_is_refused_and_asked_again() {
        let (answer, output) = ask(&[1, 2], "\n2\n12\nfive\n 5 \n");
        assert_eq!(answer, Some(Mark(4)));
        assert!(output.contains("`2` is not allowed: the rules offer `3`"), "{output}");
        assert!(output.contains("There is no choice 12."), "{output}");
        assert!(
            output.contains("`five` is no choice here; the rules offer `3`, `4`, `5`, `6`, `7`, `8`, `9`."),
            "{output}"
        );
        assert_eq!(output.matches("Seat 1 chooses").count(), 5);
    }

    #[test]
    fn a_question_mark_explains() {
        let (answer, output) = ask(&[1, 4, 2, 5], "?\n? 9\n3\n");
        assert_eq!(answer, Some(Mark(2)));
        assert!(output.contains("type `3`: mark square 3; that wins the game (`line`)"), "{output}");
        assert_eq!(output.matches("type `9`: mark square 9; seat 2 chooses next").count(), 2, "{output}");
    }

    #[test]
    fn leaving_by_letter_or_by_the_end_of_input() {
        assert_eq!(ask(&[], "q\n5\n").0, None);
        assert_eq!(ask(&[], "").0, None);
        assert_eq!(ask(&[], "44\n").0, None);
    }

    #[test]
    fn an_only_choice_is_taken() {
        let (answer, output) = ask(&[1, 2, 3, 5, 4, 6, 8, 7], "");
        assert_eq!(answer, Some(Mark(8)));
        assert!(output.contains("one choice: mark square 9"), "{output}");
    }

    #[test]
    fn input_that_is_no_text_does_no_harm() {
        let game: TicTacToe = build(&toml::Table::new(), 2).unwrap();
        let state = game.initial();
        let typed: &[u8] = &[0xff, 0x00, 0xfe, b'\n', b'7'];
        let answer = Human::new(typed, Vec::new(), true).ask(&game, &state, Seat::new(0)).unwrap();
        assert_eq!(answer, Some(Mark(6)));
    }

    /// One decision among very many: a number below so many is named.
    struct Many(u16);

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    struct Name(u16);

    impl std::fmt::Display for Name {
        fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(out, "name {}", self.0)
        }
    }

    impl std::str::FromStr for Name {
        type Err = ParseActionError;
        fn from_str(text: &str) -> Result<Name, ParseActionError> {
            let number = text.strip_prefix("name ").and_then(|number| number.trim().parse().ok());
            number.map(Name).ok_or_else(|| ParseActionError::new(text, "`name` and a number"))
        }
    }

    impl Game for Many {
        type State = Option<u16>;
        type Action = Name;
        fn seats(&self) -> usize {
            1
        }
        fn luck(&self) -> &'static [Luck] {
            &[]
        }
        fn endings(&self) -> &'static [&'static str] {
            &["named"]
        }
        fn step_limit(&self) -> u32 {
            1
        }
        fn initial(&self) -> Option<u16> {
            None
        }
        fn turn(&self, state: &Option<u16>) -> Turn {
            if state.is_none() { Turn::Decision(Seat::new(0)) } else { Turn::Over }
        }
        fn actions(&self, _: &Option<u16>, _: Seat, out: &mut Vec<Name>) {
            out.clear();
            out.extend((0..self.0).map(Name));
        }
        fn chance(&self, _: &Option<u16>, out: &mut Vec<(Name, f64)>) {
            out.clear();
        }
        fn apply(&self, state: &mut Option<u16>, action: Name) {
            *state = Some(action.0);
        }
        fn outcome(&self, state: &Option<u16>) -> Option<Outcome> {
            state.map(|_| Outcome::winner("named", Seat::new(0), &[0]))
        }
        fn turns(&self, _: &Option<u16>) -> u32 {
            1
        }
    }

    impl Narrate for Many {
        fn draw(&self, _: &Option<u16>, _: Ink) -> String {
            String::new()
        }
        fn tell(&self, _: &Option<u16>, _: Option<Seat>, action: Name, _: &Option<u16>) -> String {
            action.to_string()
        }
        fn describe(&self, _: &Option<u16>, _: Seat, action: Name) -> String {
            format!("say the number {}", action.0)
        }
    }

    fn ask_among(count: u16, typed: &str) -> (Option<Name>, String) {
        let mut output = Vec::new();
        let mut human = Human::new(typed.as_bytes(), &mut output, false);
        let answer = human.ask(&Many(count), &None, Seat::new(0)).unwrap();
        (answer, String::from_utf8(output).unwrap())
    }

    #[test]
    fn long_menus_have_pages() {
        let (answer, output) = ask_among(1680, ">\n<\n<\nq\n");
        assert_eq!(answer, None);
        assert!(output.lines().count() < 90, "{output}");
        for page in ["page 1 of 84 (1680 choices)", "page 2 of 84", "page 84 of 84"] {
            assert!(output.contains(page), "{page}: {output}");
        }
        assert!(output.contains("  1680) say the number 1679 [name 1679]\n"), "{output}");
        assert!(!ask_among(20, "q\n").1.contains("page"));
    }

    #[test]
    fn long_menus_take_numbers_and_text_off_the_page() {
        assert_eq!(ask_among(1680, "1680\n").0, Some(Name(1679)));
        assert_eq!(ask_among(1680, "Name 1500\n").0, Some(Name(1500)));
        assert_eq!(ask_among(1680, "name  77\n").0, Some(Name(77)));
        let (answer, output) = ask_among(1680, "0\n1681\nname 1680\n1\n");
        assert_eq!(answer, Some(Name(0)));
        assert!(
            output.contains("There is no choice 0.\nSeat") && output.contains("There is no choice 1681.")
        );
        assert!(output.contains("`name 1680` is not allowed"), "{output}");
    }

    #[test]
    fn long_menus_can_be_searched_and_keep_their_numbers() {
        let (answer, output) = ask_among(1680, "/NUMBER 167\n/nothing such\n?\n168\n");
        assert_eq!(answer, Some(Name(167)));
        assert!(output.contains("   168) say the number 167 [name 167]\n"), "{output}");
        assert!(output.contains("  1671) say the number 1670 [name 1670]\n"), "{output}");
        assert!(output.contains("No choice mentions `nothing such`."), "{output}");
        // The explanation keeps to what was found: 167 and 1670 to 1679.
        assert_eq!(output.matches("that wins the game (`named`)").count(), 11, "{output}");
    }
}
