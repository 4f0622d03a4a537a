//! A game read from a small tree file: decisions, luck, choices at once, hidden events and ends with a payoff
//! for each seat. It poses traps to searchers: see [`Tree::parse`] for a tree in a test, and [`TreeFile`] for
//! the format.
//!
//! ```
//! use dhow::game::{Game, Turn};
//! use dhow::games::yardsticks::tree::Tree;
//!
//! // Seat 1 cannot see the coin: whatever it does, it gets one half.
//! let game = Tree::parse(
//!     r#"
//!     seats = 2
//!     start = "coin"
//!     [node.coin]
//!     chance = { heads = "a", tails = "b" }
//!     seen_by = []
//!     [node.a]
//!     seat = 1
//!     actions = { left = [1, 0], right = [0, 1] }
//!     [node.b]
//!     seat = 1
//!     actions = { left = [0, 1], right = [1, 0] }
//!     "#,
//! )?;
//! assert!(game.has_hidden() && matches!(game.turn(&game.initial()), Turn::Chance(_)));
//! # Ok::<(), dhow::games::yardsticks::tree::TreeError>(())
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

pub use super::tree_file::{Goal, MAX_DEPTH, MAX_LETTERS, MAX_NODES, NodeText, TreeError, TreeFile, Word};
use super::tree_file::{Step, check_node, check_payoffs};
use crate::game::{
    Game, Heuristics, Ink, Luck, MAX_SEATS, Narrate, Outcome, Seat, SeatSet, Source, Turn, state_key,
};
use crate::games::Catalogued;
use crate::games::switches::{Kind, RuleError, Switch, closest};
use crate::streams::{Stream, unit};
use crate::text::wrap;

const BUILT_IN: &str = "built-in";

/// A game tree.
#[derive(Clone, Debug)]
pub struct Tree {
    rules: Rules,
    file: TreeFile,
    /// In the order of a walk that goes down first.
    nodes: Vec<Node>,
    /// For each seat, the nodes of each of its information sets.
    classes: Vec<Vec<Vec<u16>>>,
    longest: u32,
}

/// The switches: the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// `built-in` or the path of a tree file.
    pub tree: String,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// The number of the node in a walk that goes down first and takes words in alphabetical order; the start
    /// is 0, and ends count.
    pub node: u16,
}

/// One event as a seat remembers it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Memory {
    /// Luck gave this.
    Luck(Word),
    /// A seat chose this.
    Chose(usize, Word),
    /// Something happened.
    Unseen,
}

/// A node, with all that follows from its place.
#[derive(Clone, Debug)]
struct Node {
    name: String,
    kind: NodeKind,
    next: Vec<u16>,
    /// The estimate in the file, or the mean payoffs of uniform play.
    value: [f64; MAX_SEATS],
    /// Number of its information set, for each seat.
    class: [u16; MAX_SEATS],
    /// How likely it is when all choose at random.
    reach: f64,
    depth: u32,
    turn_id: u32,
    seen_by: SeatSet,
    memories: Vec<Vec<Memory>>,
}

#[derive(Clone, Debug)]
enum NodeKind {
    Chance(Vec<(Word, f64)>),
    Choice(Vec<(Seat, Vec<Word>)>),
    End([f64; MAX_SEATS]),
}

impl Node {
    fn choosers(&self) -> SeatSet {
        match &self.kind {
            NodeKind::Choice(seats) => seats.iter().map(|(seat, _)| *seat).collect(),
            _ => SeatSet::default(),
        }
    }

    fn words(&self, seat: Seat) -> &[Word] {
        match &self.kind {
            NodeKind::Choice(seats) => {
                seats.iter().find(|(chooser, _)| *chooser == seat).map_or(&[], |(_, words)| words)
            }
            _ => &[],
        }
    }
}

/// Grows the nodes of a file, downwards first.
struct Builder<'f> {
    file: &'f TreeFile,
    seats: usize,
    nodes: Vec<Node>,
    used: BTreeSet<&'f str>,
}

/// What a node takes over from the one above it.
struct Above {
    memories: Vec<Vec<Memory>>,
    reach: f64,
    depth: u32,
    turn_id: u32,
    /// Who chose last.
    last: SeatSet,
}

impl<'f> Builder<'f> {
    fn push(&mut self, name: &str, kind: NodeKind, above: Above) -> Result<usize, TreeError> {
        if self.nodes.len() == MAX_NODES {
            return Err(TreeError::Form(format!("it has more than {MAX_NODES} nodes")));
        }
        let Above { memories, reach, depth, turn_id, .. } = above;
        let (next, value, class) = (Vec::new(), [0.0; MAX_SEATS], [0; MAX_SEATS]);
        let seen_by = SeatSet::all(self.seats);
        let name = name.to_owned();
        self.nodes.push(Node { name, kind, next, value, class, reach, depth, turn_id, seen_by, memories });
        Ok(self.nodes.len() - 1)
    }

    fn end(&mut self, from: &str, payoffs: &[f64], mut above: Above) -> Result<usize, TreeError> {
        let wrong = |reason| TreeError::Node { node: from.to_owned(), reason };
        check_payoffs(payoffs, self.seats).map_err(wrong)?;
        let mut all = [0.0; MAX_SEATS];
        all[..self.seats].copy_from_slice(payoffs);
        above.turn_id += 1;
        let at = self.push("", NodeKind::End(all), above)?;
        self.nodes[at].value = all;
        Ok(at)
    }

    fn grow(&mut self, name: &'f str, mut above: Above) -> Result<usize, TreeError> {
        let wrong = |reason| TreeError::Node { node: name.to_owned(), reason };
        let Some(text) = self.file.node.get(name) else {
            let near = closest(name, self.file.node.keys().map(String::as_str));
            let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            return Err(TreeError::Form(format!("there is no node `{name}`{near}")));
        };
        if !self.used.insert(name) {
            return Err(wrong("it is reached in two ways, and this is no tree".into()));
        }
        if above.depth == MAX_DEPTH {
            return Err(wrong(format!("it lies more than {MAX_DEPTH} events deep")));
        }
        let checked = check_node(text, self.seats).map_err(wrong)?;
        let seen_by: SeatSet = match &text.seen_by {
            Some(seats) => seats.iter().map(|seat| Seat::new(seat - 1)).collect(),
            None => SeatSet::all(self.seats),
        };
        // What is chosen on each way out, by whom; luck has no chooser.
        let (kind, ways): (NodeKind, Vec<Vec<(Option<usize>, Word)>>) = match checked.step {
            Step::Chance(probabilities) => {
                let ways = checked.words.iter().map(|&word| vec![(None, word)]).collect();
                (NodeKind::Chance(checked.words.into_iter().zip(probabilities).collect()), ways)
            }
            Step::Choice(seats) => {
                let mut ways = vec![Vec::new()];
                for (seat, words) in &seats {
                    let longer = |way: &Vec<_>| {
                        let way = way.clone();
                        words.iter().map(move |&word| [way.as_slice(), &[(Some(*seat), word)]].concat())
                    };
                    ways = ways.iter().flat_map(longer).collect();
                }
                let seats = seats.into_iter().map(|(seat, words)| (Seat::new(seat), words)).collect();
                (NodeKind::Choice(seats), ways)
            }
        };
        let depth = above.depth;
        let at = self.push(name, kind, Above { memories: above.memories.clone(), ..above })?;
        let choosers = self.nodes[at].choosers();
        if !choosers.is_empty() {
            // A turn goes on as long as the same seat chooses alone.
            above.turn_id += (choosers.len() > 1 || above.last != choosers) as u32;
            above.last = if choosers.len() > 1 { SeatSet::default() } else { choosers };
            self.nodes[at].turn_id = above.turn_id;
        }
        self.nodes[at].seen_by = seen_by;
        for (number, (way, goal)) in ways.iter().zip(checked.goals).enumerate() {
            let share = match &self.nodes[at].kind {
                NodeKind::Chance(outcomes) => outcomes[number].1,
                _ => 1.0 / ways.len() as f64,
            };
            let mut memories = above.memories.clone();
            for (seat, memory) in memories.iter_mut().enumerate() {
                for &(chooser, word) in way {
                    let sees = seen_by.contains(Seat::new(seat)) || chooser == Some(seat);
                    memory.push(match chooser {
                        _ if !sees => Memory::Unseen,
                        Some(chooser) => Memory::Chose(chooser, word),
                        None => Memory::Luck(word),
                    });
                }
            }
            let (reach, depth) = (above.reach * share, depth + 1);
            let below = Above { memories, reach, depth, turn_id: above.turn_id, last: above.last };
            let next = match goal {
                Goal::Node(next) => self.grow(next, below)?,
                Goal::End(payoffs) => self.end(name, payoffs, below)?,
            };
            self.nodes[at].next.push(next as u16);
            for seat in 0..self.seats {
                self.nodes[at].value[seat] += share * self.nodes[next].value[seat];
            }
        }
        Ok(at)
    }
}

impl Tree {
    /// The tree of a text, for tests: see [`TreeFile`] for the format.
    ///
    /// # Errors
    /// [`TreeError`] with the node and what is wrong with it.
    pub fn parse(text: &str) -> Result<Tree, TreeError> {
        Tree::new_from(TreeFile::parse(text)?, "text")
    }

    /// The tree of a file that was read; `origin` is its path.
    ///
    /// # Errors
    /// [`TreeError`] with the node and what is wrong with it.
    pub fn new_from(file: TreeFile, origin: &str) -> Result<Tree, TreeError> {
        if !Tree::SEATS.contains(&file.seats) {
            return Err(TreeError::Form(format!("`seats` is {}: expected 2 to 6", file.seats)));
        }
        if file.node.len() > MAX_NODES {
            return Err(TreeError::Form(format!("it has more than {MAX_NODES} nodes")));
        }
        let seats = file.seats;
        let mut builder = Builder { file: &file, seats, nodes: Vec::new(), used: BTreeSet::new() };
        let memories = vec![Vec::new(); seats];
        let above = Above { memories, reach: 1.0, depth: 0, turn_id: 0, last: SeatSet::default() };
        builder.grow(&file.start, above)?;
        if let Some(name) = file.node.keys().find(|name| !builder.used.contains(name.as_str())) {
            return Err(TreeError::Node { node: name.clone(), reason: "nothing leads to it".into() });
        }
        let mut nodes = builder.nodes;
        // Means of uniform play were needed above a node even where its file says something else of it.
        for node in &mut nodes {
            if let Some(estimate) = file.node.get(&node.name).and_then(|text| text.estimate.as_ref())
                && !matches!(node.kind, NodeKind::End(_))
            {
                node.value[..seats].copy_from_slice(estimate);
            }
        }
        let classes = Seat::all(seats).map(|seat| classes_of(&mut nodes, seat)).collect::<Result<_, _>>()?;
        let mut decisions = vec![0_u32; nodes.len()];
        for at in (0..nodes.len()).rev() {
            let below = nodes[at].next.iter().map(|&next| decisions[next as usize]).max().unwrap_or(0);
            decisions[at] = below + nodes[at].choosers().len() as u32;
        }
        let longest = decisions[0];
        Ok(Tree { rules: Rules { tree: origin.to_owned() }, file, nodes, classes, longest })
    }

    /// The name of a node; none for an end.
    pub fn name(&self, state: &State) -> &str {
        &self.node(state).name
    }

    /// A number beyond the tree can only come from a doctored record: it stands for the last node.
    #[inline]
    fn node(&self, state: &State) -> &Node {
        &self.nodes[(state.node as usize).min(self.nodes.len() - 1)]
    }

    /// The nodes that `seat` cannot tell from this one, itself included.
    fn class(&self, state: &State, seat: Seat) -> &[u16] {
        &self.classes[seat.index()][self.node(state).class[seat.index()] as usize]
    }
}

/// What a seat knows of a node besides its memories.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Waits,
    Chooses,
    Over,
}

/// Sorts the nodes by what a seat knows, and checks that decisions it cannot tell apart ask the same of it.
fn classes_of(nodes: &mut [Node], seat: Seat) -> Result<Vec<Vec<u16>>, TreeError> {
    let mut sets: BTreeMap<(Standing, &[Memory]), Vec<u16>> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        let standing = match node.kind {
            NodeKind::End(_) => Standing::Over,
            _ if node.choosers().contains(seat) => Standing::Chooses,
            _ => Standing::Waits,
        };
        sets.entry((standing, &node.memories[seat.index()])).or_default().push(at as u16);
    }
    let classes: Vec<Vec<u16>> = sets.into_values().collect();
    for class in &classes {
        let first = &nodes[class[0] as usize];
        for &at in class {
            let other = &nodes[at as usize];
            let alike = other.choosers() == first.choosers() && other.words(seat) == first.words(seat);
            if first.choosers().contains(seat) && !alike {
                let reason =
                    format!("seat {seat} cannot tell it from `{}`, which asks otherwise of it", other.name);
                return Err(TreeError::Node { node: first.name.clone(), reason });
            }
        }
    }
    for (number, class) in classes.iter().enumerate() {
        for &at in class {
            nodes[at as usize].class[seat.index()] = number as u16;
        }
    }
    Ok(classes)
}

impl Game for Tree {
    type State = State;
    type Action = Word;

    fn seats(&self) -> usize {
        self.file.seats
    }
    fn luck(&self) -> &'static [Luck] {
        const { &[Luck::shared("luck")] }
    }
    fn endings(&self) -> &'static [&'static str] {
        &["end"]
    }
    fn step_limit(&self) -> u32 {
        self.longest
    }
    fn initial(&self) -> State {
        State { node: 0 }
    }
    fn turn(&self, state: &State) -> Turn {
        match &self.node(state).kind {
            NodeKind::Chance(_) => Turn::Chance(Source::shared(0)),
            NodeKind::End(_) => Turn::Over,
            NodeKind::Choice(seats) => match seats[..] {
                [(seat, _)] => Turn::Decision(seat),
                _ => Turn::Simultaneous(self.node(state).choosers()),
            },
        }
    }
    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Word>) {
        out.clear();
        out.extend_from_slice(self.node(state).words(seat));
    }
    fn chance(&self, state: &State, out: &mut Vec<(Word, f64)>) {
        out.clear();
        if let NodeKind::Chance(outcomes) = &self.node(state).kind {
            out.extend_from_slice(outcomes);
        }
    }
    fn sample_chance(&self, state: &State, word: u64) -> Word {
        let NodeKind::Chance(outcomes) = &self.node(state).kind else {
            unreachable!("luck decides at chance nodes alone")
        };
        let (target, mut sum) = (unit(word), 0.0_f64);
        let found = outcomes.iter().find(|(_, probability)| {
            sum += probability;
            target < sum
        });
        found.unwrap_or(&outcomes[outcomes.len() - 1]).0
    }
    /// # Panics
    /// For a word that is not listed, as for any illegal action.
    fn apply(&self, state: &mut State, action: Word) {
        let node = self.node(state);
        let place = match &node.kind {
            NodeKind::Chance(outcomes) => outcomes.iter().position(|(word, _)| *word == action),
            NodeKind::Choice(seats) => seats[0].1.iter().position(|word| *word == action),
            NodeKind::End(_) => None,
        };
        state.node = node.next[place.expect("a word of this node")];
    }
    fn apply_together(&self, state: &mut State, actions: &[Word]) {
        let node = self.node(state);
        if let NodeKind::Choice(seats) = &node.kind {
            let place = seats.iter().zip(actions).fold(0, |place, ((_, words), action)| {
                let digit = words.iter().position(|word| word == action).expect("a word of this seat");
                place * words.len() + digit
            });
            state.node = node.next[place];
        }
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let NodeKind::End(payoffs) = &self.node(state).kind else { return None };
        let payoffs = &payoffs[..self.seats()];
        let (mut ranks, mut scores) = ([0; MAX_SEATS], [0; MAX_SEATS]);
        for (seat, own) in payoffs.iter().enumerate() {
            ranks[seat] = 1 + payoffs.iter().filter(|other| *other > own).count() as u8;
            scores[seat] = own.round() as i32;
        }
        let seats = payoffs.len();
        Some(Outcome::from_ranks("end", &ranks[..seats], &scores[..seats]).with_payoffs(payoffs))
    }
    fn turns(&self, state: &State) -> u32 {
        self.node(state).depth
    }
    fn has_hidden(&self) -> bool {
        self.classes.iter().flatten().any(|class| class.len() > 1)
    }
    /// Any node that looks the same, as likely as it is when all choose at random.
    fn resample_hidden(&self, state: &mut State, observer: Seat, stream: &mut Stream) {
        let class = self.class(state, observer);
        if class.len() < 2 {
            return;
        }
        let reach = |at: &u16| self.nodes[*at as usize].reach;
        let mut left = unit(stream.word()) * class.iter().map(reach).sum::<f64>();
        let found = class.iter().find(|at| {
            left -= reach(at);
            left < 0.0
        });
        state.node = found.copied().unwrap_or(class[class.len() - 1]);
    }
    fn information_key(&self, state: &State, seat: Seat) -> u128 {
        state_key(&(seat, self.node(state).class[seat.index()]))
    }
}

impl Heuristics for Tree {
    /// What the file says of the node, or the mean payoffs when all choose at random.
    fn value(&self, state: &State, out: &mut [f64]) {
        out.copy_from_slice(&self.node(state).value[..out.len()]);
    }
    fn turn_id(&self, state: &State) -> u32 {
        self.node(state).turn_id
    }
    fn search_key(&self, state: &State) -> u128 {
        state.node as u128
    }
}

fn payoffs_in_words(payoffs: &[f64]) -> String {
    payoffs.iter().map(|payoff| payoff.to_string()).collect::<Vec<_>>().join(", ")
}

impl Tree {
    /// What is asked of whom at a node, as far as `viewer` may know.
    fn question(&self, node: &Node, ink: Ink, viewer: Option<Seat>) -> String {
        match &node.kind {
            NodeKind::End(_) if viewer.is_some() => "the end".into(),
            _ if viewer.is_some_and(|viewer| !node.choosers().contains(viewer)) => "waiting".into(),
            NodeKind::Chance(_) => "luck decides".into(),
            NodeKind::End(payoffs) => format!("the end: {}", payoffs_in_words(&payoffs[..self.seats()])),
            NodeKind::Choice(seats) => {
                let name = |seat: Seat| ink.seat(seat, &format!("seat {seat}"));
                let names: Vec<String> = seats.iter().map(|(seat, _)| name(*seat)).collect();
                names.join(" and ") + if names.len() > 1 { " choose at once" } else { " chooses" }
            }
        }
    }
}

impl Narrate for Tree {
    fn draw(&self, state: &State, ink: Ink) -> String {
        let node = self.node(state);
        let head = if node.name.is_empty() { String::new() } else { format!("node {}: ", node.name) };
        wrap("", &(head + &self.question(node, ink, None)), 100).join("\n")
    }
    fn draw_seen(&self, state: &State, viewer: Seat, ink: Ink) -> Option<String> {
        let node = self.node(state);
        let seen = node.memories[viewer.index()].iter().map(|memory| match memory {
            Memory::Luck(word) => format!("luck {word}"),
            Memory::Chose(seat, word) => format!("seat {} {word}", seat + 1),
            Memory::Unseen => "something unseen".to_owned(),
        });
        let seen: Vec<String> = seen.collect();
        let seen = if seen.is_empty() { "nothing yet".to_owned() } else { seen.join(", ") };
        let mut lines = wrap("so far: ", &seen, 100);
        lines.push(self.question(node, ink, Some(viewer)));
        Some(lines.join("\n"))
    }
    fn tell(&self, _before: &State, seat: Option<Seat>, action: Word, after: &State) -> String {
        let who = seat.map_or("Luck gives".to_owned(), |seat| format!("Seat {seat} chooses"));
        match self.outcome(after) {
            Some(outcome) => {
                let payoffs: Vec<f64> = outcome.results().iter().map(|result| result.payoff).collect();
                format!("{who} {action}: the end, and it pays {}.", payoffs_in_words(&payoffs))
            }
            None => format!("{who} {action}."),
        }
    }
    fn tell_seen(
        &self,
        before: &State,
        seat: Option<Seat>,
        action: Word,
        _after: &State,
        viewer: Seat,
    ) -> Option<String> {
        let sees = self.node(before).seen_by.contains(viewer) || seat == Some(viewer);
        let who = seat.map_or("Luck gives".to_owned(), |seat| format!("Seat {seat} chooses"));
        Some(if sees { format!("{who} {action}.") } else { "Something happens unseen.".into() })
    }
    fn describe(&self, _state: &State, _seat: Seat, action: Word) -> String {
        format!("choose {action}")
    }
}

/// Reads `built-in` or a path, and refuses what looks like `built-in` misspelt.
fn check_name(name: &str) -> Result<(), RuleError> {
    let near = (name != BUILT_IN && !name.contains(['/', '\\', '.'])).then(|| closest(name, [BUILT_IN]));
    match near.flatten() {
        None => Ok(()),
        near => Err(RuleError::Value {
            key: "tree".into(),
            value: name.into(),
            expected: Kind::Path.expected(None),
            near,
        }),
    }
}

fn conflict(reason: impl ToString) -> RuleError {
    RuleError::Conflict(reason.to_string())
}

impl Tree {
    fn for_seats(file: TreeFile, rules: Rules, seats: usize) -> Result<Tree, RuleError> {
        if file.seats != seats {
            let reason = format!("the tree {} is for {} seats, not {seats}", rules.tree, file.seats);
            return Err(conflict(reason));
        }
        Tree::new_from(file, &rules.tree).map_err(conflict)
    }
}

impl Catalogued for Tree {
    type Rules = Rules;
    const NAME: &'static str = "tree";
    const SUMMARY: &'static str = "a game tree read from a file, to pose traps to searchers";
    const SEATS: RangeInclusive<usize> = 2..=6;
    const YARDSTICK: bool = true;

    fn switches() -> &'static [Switch] {
        const { &[Switch { key: "tree", kind: Kind::Path, meaning: "the tree: built-in, or a TOML file" }] }
    }
    fn default_rules(_seats: usize) -> Rules {
        Rules { tree: BUILT_IN.into() }
    }
    fn new(rules: Rules, seats: usize) -> Result<Tree, RuleError> {
        check_name(&rules.tree)?;
        let file = match rules.tree.as_str() {
            BUILT_IN => TreeFile::built_in(seats),
            path => TreeFile::load(path).map_err(conflict)?,
        };
        Tree::for_seats(file, rules, seats)
    }
    fn rules(&self) -> &Rules {
        &self.rules
    }
    fn loaded_data(&self) -> Option<serde_json::Value> {
        // Names, lists and finite numbers: nothing that JSON cannot hold.
        serde_json::to_value(&self.file).ok()
    }
    fn restore(rules: Rules, seats: usize, data: Option<&serde_json::Value>) -> Result<Tree, RuleError> {
        check_name(&rules.tree)?;
        let data = data.ok_or_else(|| conflict("the tree (`data`) is missing"))?;
        let file = TreeFile::deserialize(data).map_err(|error| conflict(format!("tree: {error}")))?;
        if rules.tree == BUILT_IN && file != TreeFile::built_in(seats) {
            return Err(conflict("the tree (`data`) is not the built-in one"));
        }
        Tree::for_seats(file, rules, seats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Tree::parse(text).unwrap_err().to_string()
    }

    fn word(text: &str) -> Word {
        text.parse().unwrap()
    }

    /// Walks down from the start.
    fn walk(game: &Tree, words: &str) -> State {
        let mut state = game.initial();
        for text in words.split(' ') {
            match game.turn(&state) {
                Turn::Chance(_) => game.play_chance(&mut state, word(text)).unwrap(),
                Turn::Decision(seat) => game.play(&mut state, seat, word(text)).unwrap(),
                _ => {
                    let joint: Vec<Word> = text.split('+').map(word).collect();
                    game.play_together(&mut state, &joint).unwrap();
                }
            }
        }
        state
    }

    const EVERYTHING: &str = r#"
        seats = 3
        start = "coin"
        [node.coin]
        chance = { heads = "call", tails = "blind" }
        weights = { heads = 1, tails = 3 }
        seen_by = [2]
        [node.call]
        seat = 1
        actions = { left = [1, 0, 0], right = "both" }
        estimate = [0.9, 0.1, 0]
        [node.both]
        seats = [2, 3]
        choices = { "up in" = [1, 0, 0], "up out" = [0, 1, 0], "down in" = [0, 0, 1], "down out" = "again" }
        [node.again]
        seat = 2
        actions = { "on" = "more" }
        [node.more]
        seat = 2
        actions = { "a.b-c_9" = [0.5, 0.25, 0.25] }
        [node.blind]
        seat = 1
        actions = { left = [0, 0, 1], right = [-1e9, 2, 2] }
    "#;

    #[test]
    fn every_kind_of_node_is_read() {
        let game = Tree::parse(EVERYTHING).unwrap();
        let mut outcomes = Vec::new();
        game.chance(&game.initial(), &mut outcomes);
        assert_eq!(outcomes, [(word("heads"), 0.25), (word("tails"), 0.75)]);
        let both = walk(&game, "heads right");
        assert_eq!(game.name(&both), "both");
        let seats: SeatSet = [1, 2].map(Seat::new).into_iter().collect();
        assert_eq!(game.turn(&both), Turn::Simultaneous(seats));
        let end = walk(&game, "heads right up+out");
        assert_eq!(game.outcome(&end).unwrap().win_share(Seat::new(1)), 1.0);
        let deep = walk(&game, "heads right down+out on a.b-c_9");
        assert_eq!(game.outcome(&deep).unwrap().payoff(Seat::new(0)), 0.5);
        let tied = game.outcome(&walk(&game, "tails right")).unwrap();
        assert_eq!((tied.payoff(Seat::new(0)), tied.win_share(Seat::new(2))), (-1e9, 0.5));
        assert_eq!(game.step_limit(), 5);
    }

    /// The example in the documentation of the format is a tree.
    #[test]
    fn the_documented_tree_is_sound() {
        let source = include_str!("tree_file.rs");
        let example = source.split("/// ```").nth(1).expect("an example");
        let text: Vec<&str> = example.lines().skip(1).map(|line| line.trim_start_matches("///")).collect();
        let game = Tree::parse(&text.join("\n")).unwrap();
        assert_eq!((game.seats(), game.step_limit(), game.has_hidden()), (2, 3, true));
    }

    #[test]
    fn values_are_means_of_uniform_play_unless_the_file_says_otherwise() {
        let game = Tree::parse(EVERYTHING).unwrap();
        let value = |words: &str| {
            let mut out = [0.0; 3];
            game.value(&walk(&game, words), &mut out);
            out
        };
        assert_eq!(value("heads"), [0.9, 0.1, 0.0]);
        assert_eq!(value("heads right"), [0.375, 0.3125, 0.3125]);
    }

    #[test]
    fn a_turn_goes_on_while_the_same_seat_chooses() {
        let game = Tree::parse(EVERYTHING).unwrap();
        let id = |words: &str| game.turn_id(&walk(&game, words));
        assert_eq!(id("heads right down+out"), id("heads right down+out on"));
        assert_ne!(id("heads"), id("heads right"));
        assert_ne!(id("heads right"), id("heads right down+out"));
    }

    #[test]
    fn seats_remember_what_they_saw() {
        let game = Tree::parse(EVERYTHING).unwrap();
        let key = |words: &str, seat| game.information_key(&walk(&game, words), Seat::new(seat));
        assert_eq!(key("heads", 0), key("tails", 0));
        assert_ne!(key("heads", 1), key("tails", 1));
        // An end that has been seen to follow is one more event.
        assert_ne!(key("heads", 0), key("tails left", 0));
        let (mut stream, mut tails) = (Stream::from_seed(1), 0);
        for _ in 0..4000 {
            let mut state = walk(&game, "heads");
            game.resample_hidden(&mut state, Seat::new(0), &mut stream);
            tails += (game.name(&state) == "blind") as u32;
        }
        assert!(tails.abs_diff(3000) < 150, "{tails}");
        let told = |words: &str| game.draw_seen(&walk(&game, words), Seat::new(0), Ink::Plain).unwrap();
        assert_eq!(told("heads"), told("tails"));
        assert!(told("heads").contains("something unseen"), "{}", told("heads"));
    }

    #[test]
    fn data_of_a_record_takes_the_place_of_the_file() {
        let path = Rules { tree: "nowhere/tree.toml".into() };
        let data = Tree::parse(EVERYTHING).unwrap().loaded_data();
        let game = Tree::restore(path.clone(), 3, data.as_ref()).unwrap();
        assert_eq!((game.loaded_data(), game.rules()), (data.clone(), &path));
        assert!(
            Tree::restore(path.clone(), 2, data.as_ref()).unwrap_err().to_string().contains("is for 3 seats")
        );
        assert!(Tree::restore(path.clone(), 3, None).is_err());
        assert!(Tree::restore(Tree::default_rules(3), 3, data.as_ref()).is_err());
        assert!(
            Tree::new(path, 3).unwrap_err().to_string().starts_with("cannot read the tree file nowhere/")
        );
        let typo = Tree::new(Rules { tree: "buitl-in".into() }, 2).unwrap_err();
        assert!(typo.to_string().contains("did you mean `built-in`?"));
    }

    #[test]
    fn what_is_wrong_is_said_in_one_line() {
        let tree = |nodes: &str| format!("seats = 2\nstart = \"a\"\n[node.a]\n{nodes}");
        for (nodes, expected) in [
            ("seat = 3\nactions = { x = [1, 0] }", "node `a`: there is no seat 3 among 2"),
            ("seat = 1\nactions = { x = [1] }", "node `a`: 1 payoffs for 2 seats"),
            ("seat = 1\nactions = { x = [nan, 1] }", "is not within"),
            (
                "seat = 1\nactions = { x = 5 }",
                "line 5: invalid type: integer `5`, expected the name of a node",
            ),
            ("seat = 1\nactions = { x = \"b\" }", "there is no node `b`"),
            ("seat = 1\nactions = { x = \"a\" }", "node `a`: it is reached in two ways"),
            ("seat = 1\nactions = {}", "nothing to choose"),
            ("seat = 1\nactions = { \"x y\" = [1, 0] }", "`x y` is no action here"),
            ("actions = { x = [1, 0] }", "`actions` need one `seat`"),
            ("seat = 1", "expected exactly one of"),
            ("seat = 1\nchance = { x = [1, 0] }", "luck is nobody's choice"),
            ("chance = {}", "luck has no outcome"),
            ("chance = { x = [1, 0] }\nweights = { y = 1 }", "do not name the same outcomes"),
            ("chance = { x = [1, 0] }\nweights = { x = 0 }", "the weight of `x` is 0"),
            ("seat = 1\nactions = { x = [1, 0] }\nweights = { x = 1 }", "`weights` belong to `chance`"),
            ("seats = [2, 1]\nchoices = { \"x y\" = [1, 0] }", "ascending"),
            ("seats = [1]\nchoices = { x = [1, 0] }", "two seats or more"),
            ("seats = [1, 2]\nchoices = { x = [1, 0] }", "`x` has 1 words for 2 seats"),
            ("seats = [1, 2]\nchoices = { \"x y\" = [1, 0], \"z w\" = [1, 0] }", "4 are possible"),
            ("seat = 1\nactions = { x = [1, 0] }\nestimate = [1]", "1 payoffs for 2 seats"),
            ("seat = 1\nactions = { x = [1, 0] }\ncolour = 1", "unknown field `colour`"),
            (
                "seat = 1\nactions = { x = [1, 0] }\n[node.b]\nseat = 1\nactions = { x = [1, 0] }",
                "nothing leads",
            ),
            (
                "chance = { x = \"b\", y = \"c\" }\nseen_by = [2]\n[node.b]\nseat = 1\n\
                 actions = { l = [1, 0] }\n[node.c]\nseat = 1\nactions = { r = [1, 0] }",
                "node `b`: seat 1 cannot tell it from `c`",
            ),
        ] {
            let message = error(&tree(nodes));
            assert!(message.contains(expected), "{nodes}: {message}");
            assert!(message.starts_with("tree file") && !message.contains('\n'), "{message}");
        }
        assert!(error("seats = 9\nstart = \"a\"\n[node]").contains("`seats` is 9: expected 2 to 6"));
    }

    #[test]
    fn a_tree_that_is_too_deep_is_refused() {
        let mut text = "seats = 2\nstart = \"n0\"\n".to_owned();
        for at in 0..2000 {
            text += &format!("[node.n{at}]\nseat = 1\nactions = {{ x = \"n{}\" }}\n", at + 1);
        }
        text += "[node.n2000]\nseat = 1\nactions = { x = [1, 0] }\n";
        assert!(error(&text).contains("more than 100 events deep"));
    }
}
