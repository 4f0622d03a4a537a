//! `dhow play`: one game told in words and boards, with persons at the table or without.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Stdin, Write};
use std::path::{Path, PathBuf};

use dhow::agents::Explanation;
use dhow::agents::human::Human;
use dhow::agents::registry::Spec;
use dhow::experiment;
use dhow::game::{Game, Outcome, Seat};
use dhow::games::Catalogued;
use dhow::games::registry::{self, Setup, Visitor};
use dhow::play::{self, Detail, Heading, Player, Stop, Table, Teller};
use dhow::report::manifest::Manifest;
use dhow::streams::Phase;
use dhow::tournament::{GameKey, Mode, line_ups, quietly};
use dhow::trace::{self, Step};

use super::common::{self, GameArgs, SeatCounts};
use super::terminal::{self, Screen};
use super::{Answer, Ending, Failure};

#[derive(clap::Args)]
pub struct Args {
    /// The game (`dhow games` lists them)
    #[arg(required_unless_present = "from")]
    game: Option<String>,
    /// Who plays: one agent for all seats, or one for each, separated by commas (`human` is you)
    #[arg(long, value_delimiter = ',', default_value = "greedy")]
    agents: Vec<String>,
    /// Number of seats (default: the number of agents if several are named, else the game's fewest)
    #[arg(long, value_parser = common::seats)]
    seats: Option<SeatCounts>,
    /// Sets a rule switch, lists separated by commas; may be repeated
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = common::assignment)]
    rules: Vec<(String, String)>,
    /// Master seed of luck and agents
    #[arg(long, value_parser = common::number, default_value = "1")]
    seed: u64,
    /// A game of a tournament of these agents: the number of its block, from 0
    #[arg(long, value_parser = common::number)]
    block: Option<u64>,
    /// A game of a tournament of these agents: its number within the block, from 0
    #[arg(long, value_parser = common::number)]
    rotation: Option<u64>,
    /// A game of a tournament of these agents: its line-up, by number from 1 or by name
    #[arg(long)]
    line_up: Option<String>,
    /// A game of a tournament of these agents: whether they meet each other or each plays itself
    #[arg(long, value_enum)]
    play: Option<common::Play>,
    /// A game of a tournament of these agents: on the fresh deals on which a fair setting is measured again
    #[arg(long)]
    fresh: bool,
    /// A game of a run, again: the folder with its manifest.json
    #[arg(long, value_name = "DIR", conflicts_with_all = ["game", "agents", "rules", "seed", "play", "fresh"])]
    from: Option<PathBuf>,
    /// With --from: which arm of the run, from 1
    #[arg(long, value_parser = common::number)]
    arm: Option<u64>,
    /// Writes every step as JSON lines (- for standard output, which then tells nothing else)
    #[arg(long, value_name = "FILE.jsonl")]
    trace: Option<String>,
    /// Shows the agents' reasons in numbers
    #[arg(long)]
    explain: bool,
    /// Says only how the game ended
    #[arg(long)]
    quiet: bool,
}

pub fn run(args: Args) -> Answer {
    let (setup, data, specs, seating) = match &args.from {
        Some(folder) => of_run(folder, &args)?,
        None if args.arm.is_some() => {
            return Err(Failure::new("--arm needs --from DIR, a run that has arms"));
        }
        None => of_arguments(&args)?,
    };
    let humans = specs.iter().filter(|spec| spec.is_human()).count();
    let to_stdout = args.trace.as_deref() == Some("-");
    if humans > 0 && (args.quiet || to_stdout) {
        let flag = if to_stdout { "--trace -" } else { "--quiet" };
        return Err(Failure::new(format!("a person at the table must see the game: leave out {flag}")));
    }
    let show = Show { trace: args.trace, explain: args.explain, quiet: args.quiet };
    let job = Job { specs, seating, show };
    match args.from {
        // A run is played again from its record alone, whatever a file that it loaded holds by now.
        Some(_) => registry::restore(&setup, data.as_ref(), job)?,
        None => registry::visit(&setup, job)?,
    }
}

/// Who sits where, on which luck.
enum Seating {
    /// As the agents are named, on the luck of the first deal.
    AsNamed { seed: u64 },
    /// As in a game of a tournament. `games` is how many of them there are, where that is known.
    Tournament {
        seed: u64,
        phase: Phase,
        mode: Mode,
        line_up: String,
        block: u64,
        rotation: u64,
        games: Option<u64>,
    },
}

/// What is to be seen of the game.
struct Show {
    trace: Option<String>,
    explain: bool,
    quiet: bool,
}

/// A match, data that its rules loaded, agents, and who sits where.
type Wanted = (Setup, Option<serde_json::Value>, Vec<Spec>, Seating);

fn of_arguments(args: &Args) -> Result<Wanted, Failure> {
    let specs: Vec<Spec> = args.agents.iter().map(|text| Spec::parse(text)).collect::<Result<_, _>>()?;
    let name = args.game.clone().unwrap_or_default();
    let mut game = GameArgs { game: name, seats: args.seats.clone(), rules: args.rules.clone() };
    let possible = game.entry()?.seats();
    let of_tournament =
        args.block.is_some() || args.rotation.is_some() || args.line_up.is_some() || args.play.is_some();
    let of_tournament = of_tournament || args.fresh;
    if of_tournament {
        let seating = Seating::Tournament {
            seed: args.seed,
            phase: args.fresh.into(),
            mode: args.play.map_or(Mode::RoundRobin, Mode::from),
            line_up: args.line_up.clone().unwrap_or_else(|| "1".into()),
            block: args.block.unwrap_or(0),
            rotation: args.rotation.unwrap_or(0),
            games: None,
        };
        return Ok((game.setup()?, None, specs, seating));
    }
    if game.seats.is_none() && specs.len() > 1 && possible.contains(&specs.len()) {
        game.seats = Some(SeatCounts(vec![specs.len()]));
    }
    let setup = game.setup()?;
    let specs = match specs.len() {
        1 => vec![specs[0].clone(); setup.seats],
        count if count == setup.seats => specs,
        count => {
            return Err(Failure::new(format!(
                "{count} agents are named for {} seats; name one for all, or one for each",
                setup.seats
            )));
        }
    };
    Ok((setup, None, specs, Seating::AsNamed { seed: args.seed }))
}

fn of_run(folder: &Path, args: &Args) -> Result<Wanted, Failure> {
    let result = Manifest::read(folder).map_err(Failure::new)?.result;
    if result.dhow != env!("CARGO_PKG_VERSION") {
        eprintln!("dhow: this run was made by version {}; its games may differ here", result.dhow);
    }
    let config = result.config;
    let wanted = args.arm.unwrap_or(1) as usize;
    let seats = match &args.seats {
        None => None,
        Some(SeatCounts(counts)) if counts.len() == 1 => Some(counts[0]),
        Some(_) => return Err(Failure::new("--seats names several numbers; this command takes one")),
    };
    let found =
        config.arms.iter().find(|arm| arm.arm == wanted && seats.is_none_or(|seats| arm.seats == seats));
    let Some(arm) = found else {
        let most = config.arms.iter().map(|arm| arm.arm).max().unwrap_or(0);
        let seats = seats.map(|seats| format!(" for {seats} seats")).unwrap_or_default();
        return Err(Failure::new(format!("the run has no arm {wanted}{seats}; its arms are 1 to {most}")));
    };
    let seating = Seating::Tournament {
        seed: config.seed,
        phase: 0,
        mode: config.play,
        line_up: args.line_up.clone().unwrap_or_else(|| "1".into()),
        block: args.block.unwrap_or(0),
        rotation: args.rotation.unwrap_or(0),
        games: Some(config.games),
    };
    Ok((arm.setup(&config.game), arm.data.clone(), config.specs()?, seating))
}

struct Job {
    specs: Vec<Spec>,
    seating: Seating,
    show: Show,
}

/// The roles of the game (indices into `names`, the agents) and its key.
fn seat<G: Game>(game: &G, names: &[String], seating: &Seating) -> Result<(Vec<usize>, GameKey), Failure> {
    let seats = game.seats();
    let (seed, phase, mode, line_up, block, rotation, games) = match seating {
        Seating::AsNamed { seed } => {
            let seating = std::array::from_fn(|seat| seat);
            let key = GameKey { seed: *seed, phase: 0, block: 0, rotation: 0, luck_rotation: 0, seating };
            return Ok(((0..seats).collect(), key));
        }
        Seating::Tournament { seed, phase, mode, line_up, block, rotation, games } => {
            (*seed, *phase, *mode, line_up, *block, *rotation, *games)
        }
    };
    experiment::check_line_ups(names.len(), seats, mode)?;
    let luck_goes_round = game.luck().iter().any(|luck| luck.per_seat);
    let all = line_ups(names.len(), seats, mode, luck_goes_round);
    let found = match line_up.parse::<usize>() {
        Ok(number) => number.checked_sub(1).and_then(|at| all.get(at)),
        Err(_) => all.iter().find(|one| one.name(names) == *line_up),
    };
    let Some(found) = found else {
        let numbered: Vec<String> = all
            .iter()
            .zip(1..)
            .take(6)
            .map(|(one, number)| format!("{number} ({})", one.name(names)))
            .collect();
        let more = if all.len() > 6 { format!(" and more, up to {}", all.len()) } else { String::new() };
        return Err(Failure::new(format!(
            "there is no line-up `{line_up}`; these agents have {}{more}",
            numbered.join(", ")
        )));
    };
    let per_block = found.games_per_block() as u64;
    if rotation >= per_block {
        let most = per_block - 1;
        return Err(Failure::new(format!(
            "a block of this line-up has the rotations 0 to {most}, not {rotation}"
        )));
    }
    if let Some(blocks) = games.map(|games| games.div_ceil(per_block)).filter(|&blocks| block >= blocks) {
        return Err(Failure::new(format!("the run has the blocks 0 to {}, not {block}", blocks - 1)));
    }
    let rotation = rotation as usize;
    let key = GameKey {
        seed,
        phase,
        block,
        rotation,
        luck_rotation: found.luck_rotation(rotation),
        seating: found.seating(seed, phase, block, rotation),
    };
    Ok((found.roles.clone(), key))
}

impl Visitor for Job {
    type Output = Answer;

    fn visit<G: Catalogued>(self, game: G) -> Answer {
        let Job { specs, seating, show } = self;
        let specs: Vec<Spec> =
            specs.iter().map(|spec| spec.resolve(&game, G::NAME)).collect::<Result<_, _>>()?;
        let names: Vec<String> = specs.iter().map(Spec::to_string).collect();
        let (roles, key) = seat(&game, &names, &seating)?;
        let mut players = Vec::new();
        for &role in &roles {
            let spec = &specs[role];
            players.push(if spec.is_human() {
                Player::Person
            } else {
                Player::Agent(spec.build_for::<G>()?)
            });
        }
        let role_of = |seat: Seat| key.seating[seat.index()];
        let agents: Vec<String> =
            Seat::all(game.seats()).map(|seat| names[roles[role_of(seat)]].clone()).collect();
        let persons: Vec<Seat> = Seat::all(game.seats())
            .filter(|&seat| matches!(players[role_of(seat)], Player::Person))
            .collect();
        let viewer = if game.has_hidden() { persons.first().copied() } else { None };
        if viewer.is_some() && persons.len() > 1 {
            return Err(Failure::new(format!(
                "in {} something is hidden, and persons at one terminal would see it: only one seat can be human",
                G::NAME
            )));
        }
        let detail = match (&show.trace, show.quiet) {
            (Some(path), _) if path == "-" => Detail::Nothing,
            (_, true) => Detail::End,
            _ => Detail::Whole,
        };
        let recorder = match &show.trace {
            None => None,
            Some(path) => Some(Recorder::new(path, trace_header(&agents, &key))?),
        };
        let heading = Heading { agents, game: in_words(&key, &seating) };
        let teller = Teller::new(Screen::new(), terminal::ink(), heading, detail, viewer);
        let mut theatre = Theatre { teller, human: None, recorder };
        let played = quietly(|| Ok(play::play(&game, &key, &mut players, show.explain, &mut theatre)));
        let fault = match played {
            Ok(Ok(_)) | Ok(Err(Stop::Table(Halt::Closed))) => return Ok(Ending::Done),
            Ok(Err(Stop::Table(Halt::Failure(failure)))) => return Err(failure),
            Ok(Err(Stop::Left(seat))) => {
                let screen = theatre.teller.out();
                writeln!(screen, "Seat {seat} left; the game is not over.").map_err(terminal::trouble)?;
                return Ok(Ending::Done);
            }
            Ok(Err(Stop::Fault(reason))) | Err(reason) => reason,
        };
        let Failure(line) = Failure::new(format!("the game broke off: {fault}"));
        eprintln!("dhow: {line}");
        Ok(Ending::Faulty)
    }
}

fn in_words(key: &GameKey, seating: &Seating) -> String {
    match seating {
        Seating::AsNamed { seed } => format!("seed {seed}"),
        Seating::Tournament { seed, .. } => {
            let fresh = if key.phase > 0 { "fresh deals, " } else { "" };
            format!("seed {seed}, {fresh}block {}, rotation {}", key.block, key.rotation)
        }
    }
}

fn trace_header(agents: &[String], key: &GameKey) -> trace::Header {
    let &GameKey { seed, phase, block, rotation, .. } = key;
    trace::Header { agents: agents.to_vec(), seed, phase, block, rotation }
}

/// Why the telling stops.
enum Halt {
    /// Nobody reads standard output any more.
    Closed,
    Failure(Failure),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Halt {
        Halt::Failure(terminal::trouble(error))
    }
}

/// Where the game is told and recorded, and persons are asked.
struct Theatre<G: Catalogued> {
    teller: Teller<G, Screen>,
    human: Option<BufReader<Stdin>>,
    recorder: Option<Recorder>,
}

impl<G: Catalogued> Theatre<G> {
    /// Stops when nobody reads, unless a record is being made.
    fn heard(&mut self) -> Result<(), Halt> {
        if self.recorder.is_none() && self.teller.out().is_closed() { Err(Halt::Closed) } else { Ok(()) }
    }
}

impl<G: Catalogued> Table<G> for Theatre<G> {
    type Error = Halt;

    fn start(&mut self, game: &G, state: &G::State) -> Result<(), Halt> {
        if let Some(recorder) = &mut self.recorder {
            recorder.start(game, state)?;
        }
        self.teller.start(game)?;
        self.heard()
    }

    fn ask(
        &mut self,
        game: &G,
        state: &G::State,
        sample: &G::State,
        seat: Seat,
    ) -> Result<Option<G::Action>, Halt> {
        self.teller.position(game, state)?;
        let input = self.human.get_or_insert_with(|| BufReader::new(io::stdin()));
        let echo = !io::stdin().is_terminal();
        let answer = Human::new(input, self.teller.out(), echo).ask(game, sample, seat)?;
        if self.teller.out().is_closed() { Err(Halt::Closed) } else { Ok(answer) }
    }

    fn step(
        &mut self,
        game: &G,
        before: &G::State,
        step: &Step<G::Action>,
        after: &G::State,
        reasons: &[(Seat, Explanation<G::Action>)],
    ) -> Result<(), Halt> {
        if let Some(recorder) = &mut self.recorder {
            recorder.write(|writer| writer.step(game, before, step, after))?;
        }
        self.teller.step(game, before, step, after, reasons)?;
        self.heard()
    }

    fn end(&mut self, game: &G, state: &G::State, outcome: &Outcome) -> Result<(), Halt> {
        if let Some(recorder) = &mut self.recorder {
            recorder.write(|writer| writer.end(outcome))?;
        }
        Ok(self.teller.end(game, state, outcome)?)
    }
}

/// Writes the trace into a file.
struct Recorder {
    path: String,
    header: trace::Header,
    target: Option<Box<dyn Write>>,
    writer: Option<trace::Writer<Box<dyn Write>>>,
}

impl Recorder {
    fn new(path: &str, header: trace::Header) -> Result<Recorder, Failure> {
        let target: Box<dyn Write> = match path {
            "-" => Box::new(Screen::new()),
            path => Box::new(File::create(path).map_err(|error| refused(path, error))?),
        };
        Ok(Recorder { path: path.to_owned(), header, target: Some(target), writer: None })
    }

    fn start<G: Catalogued>(&mut self, game: &G, state: &G::State) -> Result<(), Halt> {
        let target = self.target.take().expect("a game starts once");
        let writer = trace::Writer::start(target, game, &self.header, state);
        self.writer = Some(writer.map_err(|error| Halt::Failure(refused(&self.path, error)))?);
        Ok(())
    }

    fn write(
        &mut self,
        line: impl FnOnce(&mut trace::Writer<Box<dyn Write>>) -> io::Result<()>,
    ) -> Result<(), Halt> {
        let writer = self.writer.as_mut().expect("the trace was started");
        line(writer).map_err(|error| Halt::Failure(refused(&self.path, error)))
    }
}

fn refused(path: &str, error: io::Error) -> Failure {
    Failure::new(format!("cannot write the trace {path}: {error}"))
}
