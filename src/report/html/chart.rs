//! The pictures of a report as inline SVG: win shares with their intervals, and bars.
//!
//! Colours are those of Okabe and Ito, which colour-blind people can tell apart; every series also has a
//! marker of its own. Ink and paper follow the page, light or dark.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor;

/// Drawn so wide that a phone shows it without shrinking the letters.
const WIDTH: u32 = 400;
const LETTERS: i32 = 13;
/// Stand-ins that are replaced by the page's own colours.
const INK: RGBColor = RGBColor(1, 2, 3);
const FAINT: RGBColor = RGBColor(4, 5, 6);
const BAND: RGBColor = RGBColor(7, 8, 9);

/// Colours of series, in order.
const SERIES: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// A win share with its interval, shares of one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// The estimate.
    pub share: f64,
    /// Lower and upper end.
    pub ends: Option<(f64, f64)>,
}

/// Named points, one for each label of the chart; `None` where there is none.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// By label.
    pub points: Vec<Option<Point>>,
}

/// Win shares over some settings (or seats), with the fair share as a line and the margin as a band.
#[derive(Clone, PartialEq, Debug)]
pub struct Shares {
    /// What the horizontal axis shows, in words.
    pub across: String,
    /// Its labels.
    pub labels: Vec<String>,
    /// What is shown.
    pub series: Vec<Series>,
    /// Fair share, share of one.
    pub fair: f64,
    /// Margin on either side of it.
    pub margin: f64,
    /// Whether neighbouring points are joined: settings that follow each other.
    pub joined: bool,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Plane<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

/// Draws on a fresh sheet of so many pixels in height; `title` is read out to those who cannot see it.
fn sheet(height: u32, title: &str, draw: impl FnOnce(&Area<'_>) -> Drawn<'static>) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        // Writing to a string cannot fail; a chart with nothing in it is left out by its maker.
        if draw(&area).and_then(|()| area.present()).is_err() {
            return String::new();
        }
    }
    let body = svg.find("<svg").map_or("", |at| &svg[at..]);
    let body = body.find('>').map_or("", |at| &body[at + 1..]);
    let body = [("#010203", "var(--ink)"), ("#040506", "var(--faint)"), ("#070809", "var(--band)")]
        .into_iter()
        .fold(body.to_owned(), |body, (from, to)| body.replace(from, to));
    let title = super::escaped(title);
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\" \
         xmlns=\"http://www.w3.org/2000/svg\">\n<title>{title}</title>{body}"
    )
}

fn letters(colour: &RGBColor) -> TextStyle<'_> {
    ("sans-serif", LETTERS).into_font().color(colour)
}

/// Round steps for an axis from `low` to `high` with about `count` of them.
fn step(low: f64, high: f64, count: f64) -> f64 {
    let least = (high - low).max(1e-9) / count;
    let mut ten = 1e-9;
    while ten * 10.0 <= least {
        ten *= 10.0;
    }
    [1.0, 2.0, 5.0, 10.0].map(|factor| factor * ten).into_iter().find(|&step| step >= least).unwrap_or(ten)
}

/// A chart of win shares.
pub fn shares(chart: &Shares, title: &str) -> String {
    let ends = |point: &Point| point.ends.unwrap_or((point.share, point.share));
    let points = || chart.series.iter().flat_map(|series| series.points.iter().flatten());
    if points().next().is_none() || chart.labels.is_empty() {
        return String::new();
    }
    let (band_low, band_high) = (chart.fair - chart.margin, chart.fair + chart.margin);
    let low = points().map(|point| ends(point).0).fold(band_low, f64::min);
    let high = points().map(|point| ends(point).1).fold(band_high, f64::max);
    let room = (high - low) * 0.08;
    let (low, high) = ((low - room).max(0.0), (high + room).min(1.0));
    let legend = if chart.series.len() > 1 { 22 } else { 0 };
    let count = chart.labels.len();
    sheet(270 + legend, title, |area| {
        let (head, body) = area.split_vertically(legend);
        if legend > 0 {
            draw_legend(&head, &chart.series)?;
        }
        let mut plane = ChartBuilder::on(&body)
            .margin(6)
            .margin_right(12)
            .x_label_area_size(44)
            .y_label_area_size(50)
            .build_cartesian_2d(-0.5..count as f64 - 0.5, low..high)?;
        let band = [(-0.5, band_low.max(low)), (count as f64 - 0.5, band_high.min(high))];
        plane.draw_series([Rectangle::new(band, BAND.filled())])?;
        let fair = [(-0.5, chart.fair), (count as f64 - 0.5, chart.fair)];
        plane.draw_series([PathElement::new(fair, INK.stroke_width(1))])?;
        draw_axes(&mut plane, low, high)?;
        let labels: Vec<&str> = chart.labels.iter().map(String::as_str).collect();
        draw_labels(area, &plane, &labels, &chart.across)?;
        for (number, series) in chart.series.iter().enumerate() {
            draw_series(&mut plane, number, series, chart)?;
        }
        Ok(())
    })
}

/// Labels under their places, evenly spaced, and what they stand for. Those that would overlap are thinned out.
fn draw_labels(area: &Area<'_>, plane: &Plane<'_, '_>, labels: &[&str], across: &str) -> Drawn<'static> {
    /// So many letters fit beside each other.
    const FIT: usize = 38;
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let every = (longest * labels.len()).div_ceil(FIT).max(1);
    let style = letters(&INK).pos(text_anchor::Pos::new(text_anchor::HPos::Center, text_anchor::VPos::Top));
    let wide = plane.plotting_area().get_x_axis_pixel_range();
    let base = plane.plotting_area().get_y_axis_pixel_range().end;
    let step = (wide.end - wide.start) as f64 / labels.len() as f64;
    for (at, label) in labels.iter().enumerate().step_by(every) {
        let x = wide.start + ((at as f64 + 0.5) * step) as i32;
        area.draw(&Text::new((*label).to_owned(), (x, base + 5), style.clone()))?;
    }
    area.draw(&Text::new(across.to_owned(), ((wide.start + wide.end) / 2, base + 24), style))
}

fn draw_axes(plane: &mut Plane<'_, '_>, low: f64, high: f64) -> Drawn<'static> {
    let step = step(low, high, 5.0);
    let digits = if step < 0.01 - 1e-12 { 1 } else { 0 };
    plane
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .y_labels(6)
        .y_label_formatter(&|share| format!("{:.digits$} %", share * 100.0))
        .y_label_style(letters(&INK))
        .bold_line_style(FAINT)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT)
        .draw()
}

fn marker(number: usize, at: (i32, i32)) -> Vec<(i32, i32)> {
    let (x, y) = at;
    match number % 3 {
        0 => (0..12)
            .map(|turn| {
                let angle = turn as f64 * std::f64::consts::TAU / 12.0;
                (x + (4.6 * angle.cos()).round() as i32, y + (4.6 * angle.sin()).round() as i32)
            })
            .collect(),
        1 => vec![(x - 4, y - 4), (x + 4, y - 4), (x + 4, y + 4), (x - 4, y + 4)],
        _ => vec![(x - 5, y + 4), (x + 5, y + 4), (x, y - 5)],
    }
}

fn draw_series(plane: &mut Plane<'_, '_>, number: usize, series: &Series, chart: &Shares) -> Drawn<'static> {
    let colour = SERIES[number % SERIES.len()];
    // Series stand a little apart, so that no interval hides another.
    let count = chart.series.len() as f64;
    let shift = if count > 1.0 { (number as f64 - (count - 1.0) / 2.0) * 0.12 } else { 0.0 };
    let place = |at: usize| at as f64 + shift;
    let known: Vec<(f64, Point)> =
        series.points.iter().enumerate().filter_map(|(at, point)| Some((place(at), (*point)?))).collect();
    if chart.joined {
        let line: Vec<(f64, f64)> = known.iter().map(|&(x, point)| (x, point.share)).collect();
        plane.draw_series([PathElement::new(line, colour.stroke_width(1))])?;
    }
    for (x, point) in known {
        if let Some((low, high)) = point.ends {
            plane.draw_series([PathElement::new([(x, low), (x, high)], colour.stroke_width(2))])?;
        }
        let shape = marker(number, (0, 0));
        plane.draw_series([EmptyElement::at((x, point.share)) + Polygon::new(shape, colour.filled())])?;
    }
    Ok(())
}

fn draw_legend(area: &Area<'_>, series: &[Series]) -> Drawn<'static> {
    let wide = WIDTH as i32 / series.len().max(1) as i32;
    for (number, series) in series.iter().enumerate() {
        let colour = SERIES[number % SERIES.len()];
        let x = 10 + number as i32 * wide;
        area.draw(&Polygon::new(marker(number, (x, 11)), colour.filled()))?;
        area.draw(&Text::new(series.name.clone(), (x + 9, 4), letters(&INK)))?;
    }
    Ok(())
}

/// Bars: a label and a count for each.
pub fn bars(across: &str, bars: &[(String, u64)], title: &str) -> String {
    let most = bars.iter().map(|&(_, count)| count).max().unwrap_or(0);
    if most == 0 {
        return String::new();
    }
    let all: u64 = bars.iter().map(|&(_, count)| count).sum();
    let high = most as f64 / all as f64;
    let count = bars.len();
    sheet(230, title, |area| {
        let mut plane = ChartBuilder::on(area)
            .margin(6)
            .margin_right(12)
            .x_label_area_size(44)
            .y_label_area_size(50)
            .build_cartesian_2d(-0.5..count as f64 - 0.5, 0.0..high * 1.05)?;
        draw_axes(&mut plane, 0.0, high)?;
        for (at, (_, games)) in bars.iter().enumerate() {
            let share = *games as f64 / all as f64;
            let x = at as f64;
            let corners = [(x - 0.42, 0.0), (x + 0.42, share)];
            plane.draw_series([Rectangle::new(corners, SERIES[0].filled())])?;
        }
        let labels: Vec<&str> = bars.iter().map(|(label, _)| label.as_str()).collect();
        draw_labels(area, &plane, &labels, across)?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert!((step(0.4, 0.6, 5.0) - 0.05).abs() < 1e-9);
        assert!((step(0.0, 1.0, 5.0) - 0.2).abs() < 1e-9);
    }

    #[test]
    fn nothing_to_show_is_no_picture() {
        let empty = Shares {
            across: String::new(),
            labels: vec![],
            series: vec![],
            fair: 0.5,
            margin: 0.02,
            joined: false,
        };
        assert_eq!(shares(&empty, ""), "");
        assert_eq!(bars("", &[("1".into(), 0)], ""), "");
    }

    #[test]
    fn names_cannot_break_the_picture() {
        let point = Some(Point { share: 0.5, ends: Some((0.4, 0.6)) });
        let series = Series { name: "<b>&".into(), points: vec![point] };
        let chart = Shares {
            across: "seat".into(),
            labels: vec!["1<".into()],
            series: vec![series.clone(), series],
            fair: 0.5,
            margin: 0.02,
            joined: false,
        };
        let svg = shares(&chart, "\"<");
        assert!(svg.contains("&lt;b&gt;&amp;") && svg.contains("aria-label=\"&quot;&lt;\""), "{svg}");
        assert!(!svg.contains("<b>"));
    }
}
