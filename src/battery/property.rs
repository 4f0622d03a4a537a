//! The properties that the battery holds every game to.

use std::fmt::{self, Display};

macro_rules! properties {
    ($($(#[$meaning:meta])* $property:ident $name:literal: $sentence:literal,)+) => {
        /// One property; its name and what it demands in words.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Property {
            $(#[doc = $sentence] $property,)+
        }

        impl Property {
            /// Every property.
            pub const ALL: &'static [Property] = &[$(Property::$property),+];

            /// A short name.
            pub const fn name(self) -> &'static str {
                match self { $(Property::$property => $name,)+ }
            }

            /// What it demands.
            pub const fn meaning(self) -> &'static str {
                match self { $(Property::$property => $sentence,)+ }
            }
        }
    };
}

properties! {
    NoPanic "no panic": "Nothing that the rules allow panics.",
    Rules "rules": "The switches match the rules' fields, unknown fields are refused, random settings build a match, and the same settings give the same rules again.",
    Table "table": "Seats, endings, sources of luck and tally names are well formed.",
    Turn "turn": "Whoever the turn names is there: seats at the table, luck that is declared, with an owner exactly when it is per seat; the count of turns never falls.",
    SomethingLegal "something legal": "Every seat that must choose has an action, and luck has an outcome, unless the game is over.",
    NoDuplicates "no duplicates": "No action and no outcome of luck is listed twice.",
    StableLists "stable lists": "The same state lists the same actions and outcomes in the same order, whatever the buffer held.",
    Legal "legal means applicable": "Every listed action is accepted by the checked entries, which do what the unchecked ones do, and leads to a state that can go on.",
    Refused "illegal means refused": "An action that is not listed, or by a seat that does not choose, is refused with a reason and leaves the state alone.",
    Together "simultaneous choices": "Every joint choice can be played at once, and none of its parts alone.",
    RandomAction "random action": "A random action is a listed one, and leads to the same state if it is played at once.",
    RandomUniform "uniform random action": "Random actions are uniform over the list (chi-squared).",
    Probabilities "chance adds to 1": "The probabilities of a chance node are positive and add to 1.",
    Sampling "sampling inverts chance": "A word gives the outcome in whose part of the cumulative distribution it falls, in the order of the list.",
    FairLuck "luck as declared": "The outcomes that were applied follow the declared distributions (chi-squared).",
    Clones "clone independence": "Playing on with a clone leaves the original untouched, and the other way round.",
    Past "past states": "No state that was left behind has moved when the game is over.",
    SameSeed "same seed, same game": "A second match with the same rules and the same seed goes through the same states.",
    Ends "ends in time": "The game is over within its limit of decisions, and luck never goes on for ever.",
    Outcome "outcome": "There is an outcome exactly when the game is over, and it ends in one of the declared ways.",
    Shares "win shares": "Win shares add to 1, those of rank 1 share equally, the others get nothing.",
    Payoffs "payoffs and tallies": "Payoffs are finite and every tally is filled.",
    Serde "serialisation": "The JSON of every state reads back as the same state with the same hash, in one form and order of fields.",
    Text "action texts": "The text of every action reads back as that action, and no two actions of a state share it.",
    Value "value": "Estimates are finite, within 0..1 and adding to 1 where payoffs are win shares, and the payoff itself when the game is over; what is kept from other states changes no bit, and outcomes of luck that are said to come to the same do.",
    Prior "prior": "Every action has one finite weight of at least 0.",
    Prune "prune": "Pruning keeps some of the actions and adds none.",
    Keys "keys": "Equal states have equal keys for search and for information; what is not hidden is told apart.",
    Push "roll or stop": "A roll-or-stop decision names two different legal actions, and a limit if its kind says so.",
    HiddenKept "re-sampling keeps what is known": "After re-sampling, the observer cannot tell the difference and may choose among the same actions.",
    HiddenVaried "re-sampling varies what is hidden": "Where the observer cannot tell states apart, samples differ.",
    HiddenOwn "re-sampling knows no truth": "States that the observer cannot tell apart give the same sample with the same stream.",
    NothingHidden "nothing hidden": "Re-sampling changes nothing in a game without hidden information.",
    Narration "narration": "Boards and sentences are there, boards at most 100 characters wide, sentences of one line.",
}

impl Display for Property {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}
