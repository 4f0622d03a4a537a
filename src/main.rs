//! The command line: parse, call, turn an error into one line and an exit code.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
