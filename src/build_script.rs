//! Build script: puts the commit into release builds, for the manifest of a run. Debug builds go without, so
//! that a commit does not recompile everything.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=src/build_script.rs");
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return;
    }
    println!("cargo:rerun-if-changed=.git/HEAD");
    println!("cargo:rerun-if-changed=.git/refs/heads");
    let commit = Command::new("git").args(["rev-parse", "HEAD"]).output();
    if let Ok(output) = commit
        && output.status.success()
        && let Ok(hash) = String::from_utf8(output.stdout)
    {
        println!("cargo:rustc-env=DHOW_COMMIT={}", hash.trim());
    }
}
