//! A second implementation of the game, plain and slow: grids of booleans, sets, queues, texts. It shares
//! nothing with the engine but the words of the actions, and is held against it in `twin_play`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use toml::{Table, Value};

pub type Spot = (i32, i32);
pub type Pattern = [[bool; 3]; 3];

/// `true` is blocked.
pub fn rotate(pattern: &Pattern) -> Pattern {
    let mut turned = [[false; 3]; 3];
    for (i, row) in pattern.iter().enumerate() {
        for (j, &blocked) in row.iter().enumerate() {
            turned[j][2 - i] = blocked;
        }
    }
    turned
}

pub fn spot_text((row, column): Spot) -> String {
    format!("{}{}", &"abcdefghijkl"[column as usize..=column as usize], row + 1)
}

fn spot_of(text: &str) -> Spot {
    let column = "abcdefghijkl".find(&text[..1]).unwrap() as i32;
    (text[1..].parse::<i32>().unwrap() - 1, column)
}

fn square_of((row, column): Spot) -> usize {
    (row / 3 * 4 + column / 3) as usize
}

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Tile,
    Facing,
    Arrange,
    Tie(Vec<usize>),
    Djinn,
    Choice,
    First,
    Act(u8),
    Wish,
    Over(Option<usize>),
}

#[derive(Clone, Debug)]
pub struct Twin {
    rules: Table,
    pub seats: usize,
    patterns: Vec<Pattern>,
    palaces: Vec<usize>,
    /// Square to (tile, pattern as it lies).
    pub board: BTreeMap<usize, (usize, Pattern)>,
    last_laid: usize,
    pub carpets: Vec<BTreeSet<Spot>>,
    pub djinn: Option<Spot>,
    pub targets: Vec<Vec<Spot>>,
    pub visible: Vec<Vec<u8>>,
    pub hand: Vec<BTreeSet<u8>>,
    pub favor: Option<usize>,
    pub first_favor: Option<usize>,
    pub node: Node,
    pub round: i64,
    pub order: Vec<usize>,
    pub turn: usize,
    chain: i64,
    /// Wishes, chained wishes, free actions, djinn moves, passes.
    pub counts: Vec<[i64; 5]>,
}

const NEIGHBOURS: [Spot; 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
const DIAGONALS: [Spot; 4] = [(-1, -1), (1, 1), (1, -1), (-1, 1)];

fn around(spot: Spot, diagonal: bool) -> Vec<Spot> {
    let more: &[Spot] = if diagonal { &DIAGONALS } else { &[] };
    let steps = NEIGHBOURS.iter().chain(more);
    steps
        .map(|step| (spot.0 + step.0, spot.1 + step.1))
        .filter(|next| (0..12).contains(&next.0) && (0..12).contains(&next.1))
        .collect()
}

/// The most carpets that can be given different targets out of those they reach.
fn most_matched(reached: &[Vec<usize>], used: &BTreeSet<usize>) -> usize {
    let Some((first, rest)) = reached.split_first() else { return 0 };
    let mut most = most_matched(rest, used);
    for target in first.iter().filter(|target| !used.contains(target)) {
        let mut used = used.clone();
        used.insert(*target);
        most = most.max(1 + most_matched(rest, &used));
    }
    most
}

impl Twin {
    pub fn new(rules: &Table, seats: usize, patterns: Vec<Pattern>) -> Twin {
        let layout = rules["palace_layout"].as_str().unwrap();
        let palaces = match layout {
            "corners" => vec![0, 3, 15, 12],
            "pinwheel" => vec![1, 7, 14, 8],
            _ => vec![2, 11, 13, 4],
        };
        let starts: Vec<[Spot; 3]> = match (&rules["start_cells"], layout) {
            (Value::Array(list), _) => {
                let spot = |value: &Value| {
                    let number = value.as_integer().unwrap() as i32;
                    (number / 100 - 1, number % 100 - 1)
                };
                list.chunks(3).map(|three| [spot(&three[0]), spot(&three[1]), spot(&three[2])]).collect()
            }
            (_, "corners") => vec![
                [(2, 0), (1, 1), (0, 2)],
                [(0, 9), (1, 10), (2, 11)],
                [(9, 11), (10, 10), (11, 9)],
                [(11, 2), (10, 1), (9, 0)],
            ],
            (_, "pinwheel") => vec![
                [(0, 3), (0, 4), (0, 5)],
                [(3, 11), (4, 11), (5, 11)],
                [(11, 8), (11, 7), (11, 6)],
                [(8, 0), (7, 0), (6, 0)],
            ],
            _ => vec![
                [(0, 8), (0, 7), (0, 6)],
                [(6, 11), (7, 11), (8, 11)],
                [(11, 3), (11, 4), (11, 5)],
                [(5, 0), (4, 0), (3, 0)],
            ],
        };
        let seats3: Vec<usize> = rules["seats3"]
            .as_array()
            .unwrap()
            .iter()
            .map(|value| value.as_integer().unwrap() as usize)
            .collect();
        let taken = match seats {
            2 => vec![0, 2],
            3 => seats3,
            _ => vec![0, 1, 2, 3],
        };
        let any = rules["targets34"].as_str() == Some("any_two_of_three");
        let (mut carpets, mut targets) = (Vec::new(), Vec::new());
        for palace in taken {
            let (own, goal) = (starts[palace], starts[(palace + 2) % 4]);
            let plain = |three: [Spot; 3]| vec![three[0], three[2]];
            carpets.push(if seats == 2 { own.to_vec() } else { plain(own) }.into_iter().collect());
            targets.push(if seats == 2 || any { goal.to_vec() } else { plain(goal) });
        }
        Twin {
            rules: rules.clone(),
            seats,
            patterns,
            palaces,
            board: BTreeMap::new(),
            last_laid: 0,
            carpets,
            djinn: None,
            targets,
            visible: vec![Vec::new(); seats],
            hand: vec![BTreeSet::new(); seats],
            favor: None,
            first_favor: None,
            node: Node::Tile,
            round: 1,
            order: Vec::new(),
            turn: 0,
            chain: 0,
            counts: vec![[0; 5]; seats],
        }
    }

    fn says(&self, key: &str, word: &str) -> bool {
        self.rules[key].as_str() == Some(word)
    }

    fn allows(&self, key: &str) -> bool {
        self.rules[key].as_bool().unwrap()
    }

    pub fn is_free(&self, spot: Spot) -> bool {
        let square = square_of(spot);
        if self.palaces.contains(&square) {
            return true;
        }
        let (row, column) = ((spot.0 % 3) as usize, (spot.1 % 3) as usize);
        self.board.get(&square).is_some_and(|(_, pattern)| !pattern[row][column])
    }

    fn pawns(&self) -> BTreeSet<Spot> {
        self.carpets.iter().flatten().copied().chain(self.djinn).collect()
    }

    fn all_spots() -> impl Iterator<Item = Spot> {
        (0..12).flat_map(|row| (0..12).map(move |column| (row, column)))
    }

    /// Breadth first, with a queue.
    fn walk(&self, start: Spot, steps: usize) -> Vec<Spot> {
        let pawns = self.pawns();
        let mut distance = BTreeMap::from([(start, 0)]);
        let mut queue = VecDeque::from([start]);
        while let Some(spot) = queue.pop_front() {
            let so_far = distance[&spot];
            if so_far == steps {
                continue;
            }
            for next in around(spot, false) {
                if self.is_free(next) && !pawns.contains(&next) && !distance.contains_key(&next) {
                    distance.insert(next, so_far + 1);
                    queue.push_back(next);
                }
            }
        }
        distance.into_keys().filter(|&spot| spot != start).collect()
    }

    pub fn hidden(&self, seat: usize) -> BTreeSet<u8> {
        let playing = match self.node {
            Node::Act(tile) if self.order[self.turn] == seat => Some(tile),
            _ => None,
        };
        (1..=8)
            .filter(|tile| !self.visible[seat].contains(tile) && !self.hand[seat].contains(tile))
            .filter(|&tile| Some(tile) != playing)
            .collect()
    }

    /// What happens next, in words.
    pub fn turn_text(&self) -> String {
        let everybody = || format!("all {}", self.seats);
        match &self.node {
            Node::Tile => "luck 0".into(),
            Node::Facing => "luck 1".into(),
            Node::Arrange => match self.rules["arrangement"].as_str().unwrap() {
                "random" => "luck 2".into(),
                "simultaneous" => everybody(),
                _ => format!("seat {}", self.visible.iter().position(Vec::is_empty).unwrap()),
            },
            Node::Tie(_) => "luck 3".into(),
            Node::Djinn => format!("seat {}", self.favor.unwrap()),
            Node::Choice => everybody(),
            Node::First | Node::Act(_) | Node::Wish => format!("seat {}", self.order[self.turn]),
            Node::Over(_) => "over".into(),
        }
    }

    fn shows() -> Vec<String> {
        let mut out = Vec::new();
        for a in 1..=8 {
            for b in (1..=8).filter(|&b| b != a) {
                for c in (1..=8).filter(|&c| c != a && c != b) {
                    for d in (1..=8).filter(|&d| d != a && d != b && d != c) {
                        out.push(format!("show {a} {b} {c} {d}"));
                    }
                }
            }
        }
        out
    }

    /// Everything luck can do now; all equally likely.
    pub fn luck(&self) -> Vec<String> {
        match &self.node {
            Node::Tile => (0..12)
                .filter(|tile| !self.board.values().any(|(laid, _)| laid == tile))
                .map(|tile| format!("cloud {tile}"))
                .collect(),
            Node::Facing => {
                let (_, printed) = self.board[&self.last_laid];
                let mut seen = vec![printed];
                let mut out = vec!["facing 0".to_owned()];
                let mut pattern = printed;
                for degrees in [90, 180, 270] {
                    pattern = rotate(&pattern);
                    if !seen.contains(&pattern) {
                        seen.push(pattern);
                        out.push(format!("facing {degrees}"));
                    }
                }
                out
            }
            Node::Arrange => Twin::shows(),
            Node::Tie(seats) => seats.iter().map(|seat| format!("favor {}", seat + 1)).collect(),
            _ => Vec::new(),
        }
    }

    /// Every legal action of a seat.
    pub fn legal(&self, seat: usize) -> Vec<String> {
        match &self.node {
            Node::Arrange => Twin::shows(),
            Node::Djinn => ["djinn f6", "djinn g6", "djinn f7", "djinn g7"].map(String::from).into(),
            Node::Choice => {
                let hidden = self.hidden(seat);
                let mut out = Vec::new();
                for a in &hidden {
                    out.extend(hidden.iter().filter(|b| *b > a).map(|b| format!("choose {a} {b}")));
                }
                out
            }
            Node::First => self.hand[seat].iter().map(|tile| format!("first {tile}")).collect(),
            Node::Wish => {
                let mut out: Vec<String> =
                    self.hidden(seat).iter().map(|tile| format!("wish {tile}")).collect();
                out.push("no wish".into());
                out
            }
            Node::Act(tile) => {
                let mut out = self.effects(seat, *tile);
                let may_pass = match self.rules["pass_allowed"].as_str().unwrap() {
                    "all" => true,
                    "all_but_6" => *tile != 6,
                    _ => out.is_empty(),
                };
                if may_pass {
                    out.push("pass".into());
                }
                out
            }
            _ => Vec::new(),
        }
    }

    fn effects(&self, seat: usize, tile: u8) -> Vec<String> {
        let pawns = self.pawns();
        let mut out = Vec::new();
        match tile {
            1 | 5 | 7 => {
                let steps =
                    [(1, 3), (5, 6), (7, 12)].into_iter().find(|&(which, _)| which == tile).unwrap().1;
                for &carpet in &self.carpets[seat] {
                    let to = self.walk(carpet, steps);
                    out.extend(
                        to.into_iter().map(|to| format!("move {} {}", spot_text(carpet), spot_text(to))),
                    );
                }
            }
            3 => {
                for &carpet in &self.carpets[seat] {
                    for to in Twin::all_spots() {
                        let far = (to.0 - carpet.0).abs() + (to.1 - carpet.1).abs();
                        if (1..=2).contains(&far) && self.is_free(to) && !pawns.contains(&to) {
                            out.push(format!("move {} {}", spot_text(carpet), spot_text(to)));
                        }
                    }
                }
            }
            2 => {
                let corner = self.says("swap_adjacency", "edge_or_corner");
                for &a in self.board.keys() {
                    for &b in self.board.keys().filter(|&&b| b > a) {
                        let rows = (a / 4).abs_diff(b / 4);
                        let columns = (a % 4).abs_diff(b % 4);
                        if (rows, columns) == (0, 1)
                            || (rows, columns) == (1, 0)
                            || corner && (rows, columns) == (1, 1)
                        {
                            out.push(format!("swap {} {}", a + 1, b + 1));
                        }
                    }
                }
            }
            4 => {
                for &square in self.board.keys() {
                    let mut seen = vec![self.snapshot()];
                    let mut turned = self.clone();
                    for degrees in [90, 180, 270] {
                        turned.turn_square(square);
                        if !seen.contains(&turned.snapshot()) {
                            seen.push(turned.snapshot());
                            out.push(format!("turn {} {degrees}", square + 1));
                        }
                    }
                }
            }
            6 => {
                let with_carpets: BTreeSet<usize> =
                    self.carpets.iter().flatten().map(|&spot| square_of(spot)).collect();
                for to in Twin::all_spots() {
                    let square = square_of(to);
                    let palace_refused =
                        self.palaces.contains(&square) && !self.allows("call_djinn_on_palace");
                    let same_refused =
                        self.djinn.map(square_of) == Some(square) && !self.allows("call_djinn_same_tile");
                    let empty = self.is_free(to) && !pawns.contains(&to) && !with_carpets.contains(&square);
                    if empty && !palace_refused && !same_refused {
                        out.push(format!("djinn {}", spot_text(to)));
                    }
                }
            }
            _ => out.extend(
                self.walk(self.djinn.unwrap(), 4).into_iter().map(|to| format!("djinn {}", spot_text(to))),
            ),
        }
        out
    }

    /// What can be seen of the board: clouds and pawns.
    fn snapshot(&self) -> (Vec<bool>, Vec<BTreeSet<Spot>>, Option<Spot>) {
        (Twin::all_spots().map(|spot| self.is_free(spot)).collect(), self.carpets.clone(), self.djinn)
    }

    fn move_pawns(&mut self, to: impl Fn(Spot) -> Spot) {
        for carpets in &mut self.carpets {
            *carpets = carpets.iter().map(|&spot| to(spot)).collect();
        }
        self.djinn = self.djinn.map(to);
    }

    /// One quarter clockwise.
    fn turn_square(&mut self, square: usize) {
        let entry = self.board.get_mut(&square).unwrap();
        entry.1 = rotate(&entry.1);
        self.move_pawns(|spot| {
            if square_of(spot) != square {
                return spot;
            }
            let (top, left) = (spot.0 / 3 * 3, spot.1 / 3 * 3);
            let (i, j) = (spot.0 - top, spot.1 - left);
            (top + j, left + 2 - i)
        });
    }

    fn swap_squares(&mut self, a: usize, b: usize) {
        let (on_a, on_b) = (self.board[&a], self.board[&b]);
        self.board.insert(a, on_b);
        self.board.insert(b, on_a);
        let shift = |spot: Spot, from: usize, to: usize| {
            let rows = to as i32 / 4 - from as i32 / 4;
            let columns = to as i32 % 4 - from as i32 % 4;
            (spot.0 + 3 * rows, spot.1 + 3 * columns)
        };
        self.move_pawns(|spot| match square_of(spot) {
            square if square == a => shift(spot, a, b),
            square if square == b => shift(spot, b, a),
            _ => spot,
        });
    }

    fn first_empty(&self) -> Option<usize> {
        (0..16).find(|square| !self.palaces.contains(square) && !self.board.contains_key(square))
    }

    fn tile_laid(&mut self) {
        if self.first_empty().is_some() {
            self.node = Node::Tile;
            return;
        }
        self.node = Node::Arrange;
        if self.says("arrangement", "fixed") {
            let list = self.rules["fixed_arrangement"].as_array().unwrap().clone();
            for (seat, number) in list.iter().enumerate() {
                self.visible[seat] =
                    number.as_integer().unwrap().to_string().bytes().map(|digit| digit - b'0').collect();
            }
            self.all_arranged();
        }
    }

    fn all_arranged(&mut self) {
        let totals: Vec<u32> =
            self.visible.iter().map(|tiles| tiles.iter().map(|&tile| u32::from(tile)).sum()).collect();
        let highest = *totals.iter().max().unwrap();
        let tied: Vec<usize> = (0..self.seats).filter(|&seat| totals[seat] == highest).collect();
        if tied.len() == 1 || self.says("favor_tie", "lowest_seat") {
            self.take_first_favor(tied[0]);
        } else {
            self.node = Node::Tie(tied);
        }
    }

    fn take_first_favor(&mut self, seat: usize) {
        self.favor = Some(seat);
        self.first_favor = Some(seat);
        self.node = Node::Djinn;
    }

    fn reached(&self, seat: usize) -> Vec<Vec<usize>> {
        let diagonal = self.says("blocked_adjacent", "with_diagonal");
        let own = &self.carpets[seat];
        let pawns = self.pawns();
        let reaches = |carpet: Spot, target: Spot| {
            let blocked = pawns.contains(&target) && !own.contains(&target);
            carpet == target || blocked && around(target, diagonal).contains(&carpet)
        };
        own.iter()
            .map(|&carpet| {
                let targets = self.targets[seat].iter().enumerate();
                targets.filter(|(_, target)| reaches(carpet, **target)).map(|(at, _)| at).collect()
            })
            .collect()
    }

    pub fn score(&self, seat: usize) -> usize {
        most_matched(&self.reached(seat), &BTreeSet::new())
    }

    fn finish_tile(&mut self, seat: usize, tile: u8, wish: bool) {
        self.visible[seat].insert(0, tile);
        self.visible[seat].pop();
        let watched = if self.says("win_check", "active_only") { 1 } else { self.seats };
        for other in (0..watched).map(|step| (seat + step) % self.seats) {
            if self.score(other) == self.carpets[other].len() {
                self.node = Node::Over(Some(other));
                return;
            }
        }
        let longest = if self.says("wish_chain", "allow") {
            self.rules["wish_chain_cap"].as_integer().unwrap()
        } else {
            1
        };
        if wish && self.chain < longest {
            self.counts[seat][0] += 1;
            self.counts[seat][1] += i64::from(self.chain > 0);
            self.node = Node::Wish;
        } else {
            self.go_on(seat);
        }
    }

    fn go_on(&mut self, seat: usize) {
        self.chain = 0;
        if let Some(tile) = self.hand[seat].pop_first() {
            self.node = Node::Act(tile);
        } else if self.turn + 1 < self.seats {
            self.turn += 1;
            self.node = Node::First;
        } else if self.round == self.rules["round_cap"].as_integer().unwrap() {
            self.node = Node::Over(None);
        } else {
            self.round += 1;
            self.turn = 0;
            self.node = Node::Choice;
        }
    }

    /// A meeting on this square counts.
    fn meeting(&self, square: usize) -> bool {
        self.allows("palace_is_tile_for_wish") || !self.palaces.contains(&square)
    }

    pub fn apply(&mut self, text: &str) {
        let words: Vec<&str> = text.split(' ').collect();
        let number = |at: usize| words[at].parse::<usize>().unwrap();
        if let Node::Act(tile) = self.node {
            let seat = self.order[self.turn];
            let mut wish = false;
            match words[0] {
                "move" => {
                    let (from, to) = (spot_of(words[1]), spot_of(words[2]));
                    assert!(self.carpets[seat].remove(&from));
                    assert!(self.carpets[seat].insert(to));
                    let met = self.djinn.map(square_of) == Some(square_of(to));
                    wish = met && square_of(from) != square_of(to) && self.meeting(square_of(to));
                }
                "swap" => self.swap_squares(number(1) - 1, number(2) - 1),
                "turn" => (0..number(2) / 90).for_each(|_| self.turn_square(number(1) - 1)),
                "djinn" => {
                    let to = spot_of(words[1]);
                    let from = self.djinn.replace(to).unwrap();
                    self.favor = Some(seat);
                    self.counts[seat][3] += 1;
                    let own = self.carpets[seat].iter().any(|&spot| square_of(spot) == square_of(to));
                    wish =
                        tile == 8 && own && square_of(from) != square_of(to) && self.meeting(square_of(to));
                }
                _ => {
                    assert_eq!(text, "pass");
                    self.counts[seat][4] += 1;
                    if tile == 8 && self.allows("favor_on_null_8") {
                        self.favor = Some(seat);
                    }
                }
            }
            self.finish_tile(seat, tile, wish);
            return;
        }
        match words[0] {
            "cloud" => {
                let square = self.first_empty().unwrap();
                self.board.insert(square, (number(1), self.patterns[number(1)]));
                self.last_laid = square;
                if self.says("setup_orientation", "random") {
                    self.node = Node::Facing
                } else {
                    self.tile_laid()
                }
            }
            "facing" => {
                (0..number(1) / 90).for_each(|_| self.turn_pattern(self.last_laid));
                self.tile_laid();
            }
            "show" => {
                let seat = self.visible.iter().position(Vec::is_empty).unwrap();
                self.visible[seat] = (1..5).map(|at| number(at) as u8).collect();
                if seat + 1 == self.seats {
                    self.all_arranged();
                }
            }
            "favor" => self.take_first_favor(number(1) - 1),
            "djinn" => {
                self.djinn = Some(spot_of(words[1]));
                self.node = Node::Choice;
            }
            "first" => {
                let seat = self.order[self.turn];
                assert!(self.hand[seat].remove(&(number(1) as u8)));
                self.node = Node::Act(number(1) as u8);
            }
            "wish" => {
                self.counts[self.order[self.turn]][2] += 1;
                self.chain += 1;
                self.node = Node::Act(number(1) as u8);
            }
            "no" => self.go_on(self.order[self.turn]),
            other => panic!("{other}"),
        }
    }

    fn turn_pattern(&mut self, square: usize) {
        let entry = self.board.get_mut(&square).unwrap();
        entry.1 = rotate(&entry.1);
    }

    pub fn apply_together(&mut self, texts: &[String]) {
        if self.node == Node::Arrange {
            texts.iter().for_each(|text| self.apply(text));
            return;
        }
        let mut ranked = Vec::new();
        for (seat, text) in texts.iter().enumerate() {
            let tiles: Vec<u8> = text.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
            let after_favor = (seat + self.seats - self.favor.unwrap()) % self.seats;
            ranked.push((-i64::from(tiles[0] + tiles[1]), after_favor, seat));
            self.hand[seat] = tiles.into_iter().collect();
        }
        ranked.sort();
        self.order = ranked.into_iter().map(|(_, _, seat)| seat).collect();
        self.turn = 0;
        self.node = Node::First;
    }
}
