//! `dhow play`: one game told in words and boards, with persons at the table or without.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Stdin, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use dhow::agents::Explanation;
use dhow::agents::human::Human;
use dhow::agents::registry::Spec;
use dhow::game::{Outcome, Seat};
use dhow::games::Catalogued;
use dhow::games::registry::{self, Setup, Visitor};
use dhow::play::{self, Detail, GameId, Heading, Player, Stop, Table, Teller};
use dhow::trace::{self, Step};

use super::common::{self, GameArgs, SeatCounts};
use super::terminal::{self, Screen};
use super::{Answer, Ending, Failure};

#[derive(clap::Args)]
pub struct Args {
    /// The game (`dhow games` lists them)
    game: String,
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
    /// Number of the deal
    #[arg(long, value_parser = common::number, default_value = "0")]
    block: u64,
    /// Number of the game within its block
    #[arg(long, value_parser = common::number, default_value = "0")]
    rotation: u64,
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
    let specs: Vec<Spec> = args.agents.iter().map(|text| Spec::parse(text)).collect::<Result<_, _>>()?;
    let mut game = GameArgs { game: args.game.clone(), seats: args.seats.clone(), rules: args.rules.clone() };
    let possible = game.entry()?.seats();
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
    let rotation = args.rotation as usize;
    let id = GameId { seed: args.seed, phase: 0, block: args.block, rotation, luck_rotation: rotation };
    let show = Show { trace: args.trace, explain: args.explain, quiet: args.quiet };
    tell(&setup, specs, id, show)
}

/// What is to be seen of the game.
struct Show {
    trace: Option<String>,
    explain: bool,
    quiet: bool,
}

fn tell(setup: &Setup, specs: Vec<Spec>, id: GameId, show: Show) -> Answer {
    let humans = specs.iter().filter(|spec| spec.is_human()).count();
    let to_stdout = show.trace.as_deref() == Some("-");
    if humans > 0 && (show.quiet || to_stdout) {
        let flag = if to_stdout { "--trace -" } else { "--quiet" };
        return Err(Failure::new(format!("a person at the table must see the game: leave out {flag}")));
    }
    registry::visit(setup, Job { setup, specs, id, show })?
}

struct Job<'a> {
    setup: &'a Setup,
    specs: Vec<Spec>,
    id: GameId,
    show: Show,
}

impl Visitor for Job<'_> {
    type Output = Answer;

    fn visit<G: Catalogued>(self, game: G) -> Answer {
        let Job { setup, specs, id, show } = self;
        let mut players = Vec::new();
        let mut agents = Vec::new();
        for spec in specs {
            let spec = spec.resolve(&game, G::NAME)?;
            agents.push(spec.to_string());
            players.push(if spec.is_human() { Player::Person } else { Player::Agent(spec.build::<G>()?) });
        }
        let persons: Vec<Seat> =
            Seat::all(setup.seats).filter(|seat| matches!(players[seat.index()], Player::Person)).collect();
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
            Some(path) => Some(Recorder::new(path, trace_header(&agents, id))?),
        };
        let heading = Heading { agents, game: in_words(id) };
        let teller = Teller::new(Screen::new(), terminal::ink(), heading, detail, viewer);
        let mut theatre = Theatre { teller, human: None, recorder };
        // The hook would print a page for a fault that is told in one line below.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let played = catch_unwind(AssertUnwindSafe(|| {
            play::play(&game, id, &mut players, show.explain, &mut theatre)
        }));
        std::panic::set_hook(hook);
        let fault = match played {
            Ok(Ok(_)) | Ok(Err(Stop::Table(Halt::Closed))) => return Ok(Ending::Done),
            Ok(Err(Stop::Table(Halt::Failure(failure)))) => return Err(failure),
            Ok(Err(Stop::Left(seat))) => {
                let screen = theatre.teller.out();
                writeln!(screen, "Seat {seat} left; the game is not over.").map_err(terminal::trouble)?;
                return Ok(Ending::Done);
            }
            Ok(Err(Stop::Fault(reason))) => reason,
            Err(panic) => match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
                (Some(text), _) => text.clone(),
                (_, Some(text)) => (*text).to_owned(),
                _ => "an unknown fault".into(),
            },
        };
        let Failure(line) = Failure::new(format!("the game broke off: {fault}"));
        eprintln!("dhow: {line}");
        Ok(Ending::Faulty)
    }
}

fn in_words(id: GameId) -> String {
    let mut text = format!("seed {}", id.seed);
    if id.phase != 0 {
        text.push_str(&format!(", phase {}", id.phase));
    }
    if (id.block, id.rotation) != (0, 0) {
        text.push_str(&format!(", block {}, rotation {}", id.block, id.rotation));
    }
    text
}

fn trace_header(agents: &[String], id: GameId) -> trace::Header {
    let GameId { seed, phase, block, rotation, .. } = id;
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
