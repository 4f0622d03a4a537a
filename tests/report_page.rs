//! `report.html`: it can be made again from the tables, needs no network, and opens in a browser at two widths
//! without a complaint (that last part needs Chromium and is in the ignored set).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

fn dhow(folder: &Path, arguments: &[&str]) {
    let output =
        assert_cmd::Command::cargo_bin("dhow").unwrap().current_dir(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A sweep with self-play, and a tournament of three agents: the two kinds of page.
fn pages(home: &TempDir) -> [PathBuf; 2] {
    let sweep = ["tournament", "pig", "--agents", "random", "--sweep", "target=20/30/40", "--games", "300"];
    dhow(home.path(), &[&sweep[..], &["--by", "busts", "--quiet", "--out", "sweep"]].concat());
    // Far enough apart that 300 games tell all of them from each other.
    let agents = "random,threshold:hold=60,threshold:hold=20";
    let meeting = ["tournament", "pig", "--agents", agents, "--seats", "2,3", "--games", "300"];
    dhow(home.path(), &[&meeting[..], &["--quiet", "--out", "meeting"]].concat());
    ["sweep", "meeting"].map(|name| home.path().join(name).join("report.html"))
}

#[test]
fn a_page_can_be_made_again_from_its_tables() {
    let home = TempDir::new().unwrap();
    for page in pages(&home) {
        let before = fs::read_to_string(&page).unwrap();
        fs::remove_file(&page).unwrap();
        dhow(home.path(), &["report", page.parent().unwrap().to_str().unwrap()]);
        assert!(before == fs::read_to_string(&page).unwrap(), "{page:?} differs");
    }
}

#[test]
fn no_page_is_made_from_tables_that_were_changed() {
    let home = TempDir::new().unwrap();
    let page = &pages(&home)[1];
    let before = fs::read(page).unwrap();
    let table = page.with_file_name("agents.csv");
    let sound = fs::read_to_string(&table).unwrap();
    for text in [String::new(), sound.replacen("random", "greedy", 1), sound.clone() + "\r\n"] {
        fs::write(&table, text).unwrap();
        let mut report = assert_cmd::Command::cargo_bin("dhow").unwrap();
        let output = report.current_dir(home.path()).args(["report", "meeting"]).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("meeting/agents.csv is not what the manifest"), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(fs::read(page).unwrap() == before, "the page was written all the same");
    }
}

#[test]
fn a_page_says_what_was_found_and_needs_no_network() {
    let home = TempDir::new().unwrap();
    let [sweep, meeting] = pages(&home).map(|page| fs::read_to_string(page).unwrap());
    for page in [&sweep, &meeting] {
        let without_names = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!without_names.contains("http") && !page.contains("<script") && !page.contains("@import"));
        assert!(!page.contains("NaN") && !page.contains("inf "), "a number is missing");
        assert!(
            page.contains("To repeat it") && page.contains("--seed") || page.contains("dhow tournament pig")
        );
    }
    assert!(sweep.contains("Which seat is better off?") && sweep.contains("Nearest to fair is target = "));
    assert!(sweep.contains("Win share by busts"));
    // Several line-ups get an answer over all of them, one needs none.
    let both = ["tournament", "rock-paper-scissors", "--agents", "random,greedy", "--play", "self"];
    dhow(home.path(), &[&both[..], &["--games", "5000", "--quiet", "--out", "both"]].concat());
    let both = fs::read_to_string(home.path().join("both/report.html")).unwrap();
    assert!(both.contains("In short: the seats are balanced for random and greedy."), "{both}");
    assert!(!sweep.contains("In short: "));
    assert!(meeting.contains("Who plays better?") && meeting.contains("Strongest: threshold:hold=20"));
    assert!(meeting.contains("Shown, all together (Holm, 95&nbsp;%): "));
    assert!(sweep.contains("Benjamini-Hochberg"));
    assert!(meeting.contains("Is it over early?") && meeting.contains("whoever leads half-way"));
}

fn chromium() -> Command {
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    Command::new(found.expect("the check of the page needs Chromium"))
}

/// Opens a page in a frame of so many pixels and gives what a script in the outer page found out.
fn measured(home: &Path, page: &Path, width: u32) -> String {
    let outer = home.join(format!("outer{width}.html"));
    let script = "const frame = document.querySelector('iframe');\n\
         frame.onload = () => {\n\
           const inside = frame.contentDocument, root = inside.documentElement;\n\
           const pictures = inside.querySelectorAll('svg').length;\n\
           const sections = inside.querySelectorAll('h2').length;\n\
           document.body.textContent = `MEASURED overflow=${root.scrollWidth - root.clientWidth} \
         pictures=${pictures} sections=${sections} title=${inside.title.length > 0}`;\n\
         };";
    let name = page.strip_prefix(home).unwrap().to_str().unwrap();
    let frame = format!("<iframe src=\"{name}\" style=\"width:{width}px;height:900px;border:0\"></iframe>");
    fs::write(&outer, format!("<!doctype html><body>{frame}<script>{script}</script></body>")).unwrap();
    let output = chromium()
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--allow-file-access-from-files", "--enable-logging=stderr", "--virtual-time-budget=5000"])
        .arg(format!("--user-data-dir={}", home.join(format!("profile{width}")).display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", outer.display()))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let complaints: Vec<&str> = errors.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let at = text.find("MEASURED").unwrap_or_else(|| panic!("nothing was measured: {text}\n{errors}"));
    text[at..].split('<').next().unwrap().to_owned()
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_opens_in_a_browser_at_two_widths() {
    let home = TempDir::new().unwrap();
    for page in pages(&home) {
        for width in [375, 1200] {
            let found = measured(home.path(), &page, width);
            assert!(found.contains("overflow=0 "), "{page:?} at {width}: {found}");
            assert!(!found.contains("pictures=0 ") && found.contains("title=true"), "{found}");
            assert!(!found.contains("sections=0 "), "{found}");
        }
    }
}
