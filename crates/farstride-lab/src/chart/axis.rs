//! Where an axis begins and ends, and what is written along it.

/// How an axis turns values into distances.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Scale {
    /// Equal steps are equally long. Starts at zero unless the values lie far
    /// from it.
    #[default]
    Linear,
    /// Equal factors are equally long; ticks at 1, 2 and 5 times powers of ten,
    /// or at powers of ten alone.
    Log10,
    /// Equal factors are equally long; ticks at powers of two.
    Log2,
}

/// Beyond this, sums and differences of values could become infinite; its
/// inverse is as near to zero as a logarithmic axis goes.
const LARGEST: f64 = 1e300;
/// Values that differ by no more than this share are drawn as one, since ticks
/// between them would need more digits than anyone reads.
const ALIKE: f64 = 1e-9;
/// Share of a step by which rounding may take a value past the last tick.
const SLACK: f64 = 1e-6;
/// Labels that would be larger, or have more digits after the point, are
/// written with an exponent.
const LONG: i64 = 10_000_000;
const MAX_DECIMALS: i32 = 4;
/// Powers of ten from which on 1, 2 and 5 are too many labels.
const MANY_DECADES: i32 = 3;

impl Scale {
    /// Whether there is a place for this value on an axis.
    pub(super) fn admits(self, value: f64) -> bool {
        match self {
            Self::Linear => value.abs() <= LARGEST,
            Self::Log10 | Self::Log2 => (1.0 / LARGEST..=LARGEST).contains(&value),
        }
    }

    /// Distance of a value from wherever this scale begins.
    fn distance(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Log10 | Self::Log2 => value.log2(),
        }
    }
}

/// A place on an axis. Those without a label are drawn faintly.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: Option<String>,
}

/// An axis that has room for all values it was made for.
///
/// # Invariants
///
/// 1. `low < high`, both finite, and above zero if the scale is logarithmic.
/// 2. Ticks rise, and lie between them.
/// 3. There are at most four times as many ticks as steps were asked for.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    ticks: Vec<Tick>,
}

impl Axis {
    /// An axis for `values`, those left out that the scale does not admit, with
    /// about `steps` labels.
    pub(super) fn spanning(scale: Scale, values: impl Iterator<Item = f64>, steps: u16) -> Self {
        let bounds = values.filter(|&value| scale.admits(value)).fold(None, |bounds, value| {
            let (low, high) = bounds.unwrap_or((value, value));
            Some((value.min(low), value.max(high)))
        });
        // Without any value, some axis at which nothing is drawn.
        let bounds = bounds.unwrap_or((1.0, 10.0));
        match scale {
            Scale::Linear => linear(bounds, steps),
            Scale::Log10 => decades(bounds, steps),
            Scale::Log2 => doublings(bounds, steps),
        }
    }

    pub(super) fn scale(&self) -> Scale {
        self.scale
    }

    pub(super) fn ticks(&self) -> &[Tick] {
        &self.ticks
    }

    pub(super) fn labels(&self) -> impl Iterator<Item = &str> {
        self.ticks.iter().filter_map(|tick| tick.label.as_deref())
    }

    /// How far along the axis a value is, from 0 to 1 within its ends; `None`
    /// if it has no place.
    pub(super) fn share(&self, value: f64) -> Option<f64> {
        let distance = |value| self.scale.distance(value);
        let (low, high) = (distance(self.low), distance(self.high));
        self.scale.admits(value).then(|| (distance(value) - low) / (high - low))
    }
}

fn linear((low, high): (f64, f64), steps: u16) -> Axis {
    let (low, high) = from_zero(apart(low, high));
    let step = Decimal::round_step((high - low) / f64::from(steps));
    let first = (low / step.value() + SLACK).floor() as i64;
    let last = (high / step.value() - SLACK).ceil() as i64;
    let numbers: Vec<_> = (first..=last).map(|count| step.times(count)).collect();
    let brief = numbers.iter().all(Decimal::is_brief);
    let ticks = numbers.iter().map(|number| number.tick(brief)).collect();
    Axis { scale: Scale::Linear, low: step.times(first).value(), high: step.times(last).value(), ticks }
}

/// Makes room around values that are all alike.
fn apart(low: f64, high: f64) -> (f64, f64) {
    let magnitude = low.abs().max(high.abs());
    if magnitude < 1.0 / LARGEST {
        (0.0, 1.0)
    } else if high - low > magnitude * ALIKE {
        (low, high)
    } else {
        (low - magnitude / 2.0, high + magnitude / 2.0)
    }
}

/// Moves the end nearer to zero there, if that at most doubles the length.
fn from_zero((low, high): (f64, f64)) -> (f64, f64) {
    if low > 0.0 && low <= high / 2.0 {
        (0.0, high)
    } else if high < 0.0 && high >= low / 2.0 {
        (low, 0.0)
    } else {
        (low, high)
    }
}

fn decades((low, high): (f64, f64), steps: u16) -> Axis {
    let (first, last) = rungs_around(low, high);
    let span = (last - first) / 3;
    let stride = stride(span, steps);
    let is_labelled =
        |number: &Decimal| span < MANY_DECADES || (number.digits == 1 && number.tens.rem_euclid(stride) == 0);
    let is_drawn = |number: &Decimal| stride == 1 || is_labelled(number);
    let numbers: Vec<_> = (first..=last).map(Decimal::rung).filter(is_drawn).collect();
    let brief = numbers.iter().filter(|number| is_labelled(number)).all(Decimal::is_brief);
    let ticks = numbers.iter().map(|number| {
        let Tick { value, label } = number.tick(brief);
        Tick { value, label: label.filter(|_| is_labelled(number)) }
    });
    let (low, high) = (Decimal::rung(first).value(), Decimal::rung(last).value());
    Axis { scale: Scale::Log10, low, high, ticks: ticks.collect() }
}

/// The last rung that is not above `low`, and the first that is not below
/// `high`; two different ones.
fn rungs_around(low: f64, high: f64) -> (i32, i32) {
    // Starts a decade too low, in case the logarithm was rounded up.
    let mut first = 3 * (low.log10().floor() as i32 - 1);
    while Decimal::rung(first + 1).value() <= low {
        first += 1;
    }
    let mut last = first;
    while Decimal::rung(last).value() < high {
        last += 1;
    }
    if first < last { (first, last) } else { (first - 1, last + 1) }
}

fn doublings((low, high): (f64, f64), steps: u16) -> Axis {
    let mut first = (low.log2() + SLACK).floor() as i32;
    let mut last = (high.log2() - SLACK).ceil() as i32;
    if first >= last {
        (first, last) = (first - 1, first + 1);
    }
    let stride = stride(last - first, steps);
    let brief = first >= 0 && last <= LONG.ilog2() as i32;
    let label =
        |power: i32| if brief { Decimal::whole(1 << power).label(true) } else { format!("2^{power}") };
    let ticks = (first..=last)
        .filter(|power| power.rem_euclid(stride) == 0)
        .map(|power| Tick { value: f64::from(power).exp2(), label: Some(label(power)) })
        .collect();
    Axis { scale: Scale::Log2, low: f64::from(first).exp2(), high: f64::from(last).exp2(), ticks }
}

/// Every how many steps to stop, so as to stop about `most` times.
fn stride(steps: i32, most: u16) -> i32 {
    (steps as u32).div_ceil(u32::from(most)).max(1) as i32
}

/// The number `digits * 10^tens`, exactly: multiples of 0.1 that are added up
/// or multiplied as floats show their rounding in labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Decimal {
    digits: i64,
    tens: i32,
}

impl Decimal {
    const fn whole(digits: i64) -> Self {
        Self { digits, tens: 0 }
    }

    /// The numbers 1, 2, 5, 10, 20, … from 0 up, and 0.5, 0.2, … from −1 down.
    fn rung(rung: i32) -> Self {
        Self { digits: [1, 2, 5][rung.rem_euclid(3) as usize], tens: rung.div_euclid(3) }
    }

    /// The least of 1, 2 or 5 times a power of ten that is no less than this.
    fn round_step(least: f64) -> Self {
        let tens = least.log10().floor() as i32;
        let is_enough = |step: &Self| step.value() >= least * (1.0 - SLACK);
        [1, 2, 5]
            .map(|digits| Self { digits, tens })
            .into_iter()
            .find(is_enough)
            .unwrap_or(Self { digits: 1, tens: tens + 1 })
    }

    fn times(self, count: i64) -> Self {
        Self { digits: self.digits * count, ..self }
    }

    /// The nearest float, which no product with a power of ten is sure to be.
    fn value(self) -> f64 {
        format!("{}e{}", self.digits, self.tens).parse().unwrap_or_default()
    }

    fn tick(&self, brief: bool) -> Tick {
        Tick { value: self.value(), label: Some(self.label(brief)) }
    }

    /// Whether all digits can be written out.
    fn is_brief(&self) -> bool {
        self.digits == 0 || (self.tens >= -MAX_DECIMALS && self.value().abs() <= LONG as f64)
    }

    /// With all digits, or with an exponent.
    fn label(self, brief: bool) -> String {
        match self {
            Self { digits: 0, .. } => "0".into(),
            _ if brief => self.written_out(),
            _ => self.with_exponent(),
        }
    }

    fn written_out(self) -> String {
        let sign = if self.digits < 0 { "−" } else { "" };
        let decimals = usize::try_from(-self.tens).unwrap_or(0);
        let zeros = "0".repeat(usize::try_from(self.tens).unwrap_or(0));
        let digits = format!("{:0>width$}{zeros}", self.digits.unsigned_abs(), width = decimals + 1);
        let (whole, fraction) = digits.split_at(digits.len() - decimals);
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{}{point}{fraction}", grouped(whole))
    }

    fn with_exponent(self) -> String {
        let sign = if self.digits < 0 { "−" } else { "" };
        let digits = self.digits.unsigned_abs().to_string();
        let (first, rest) = digits.split_at(1);
        let exponent = self.tens + rest.len() as i32;
        let rest = rest.trim_end_matches('0');
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}{first}{point}{rest}e{exponent}")
    }
}

/// Commas between thousands, from five digits on.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        let left = digits.len() - index;
        if digits.len() > 4 && index > 0 && left.is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::testing::SPECIAL;

    fn axis(scale: Scale, values: &[f64]) -> Axis {
        let axis = Axis::spanning(scale, values.iter().copied(), 8);
        check(&axis, values);
        axis
    }

    fn labels(scale: Scale, values: &[f64]) -> Vec<String> {
        axis(scale, values).labels().map(String::from).collect()
    }

    /// Re-proves the invariants, and that every value has its place.
    fn check(axis: &Axis, values: &[f64]) {
        let Axis { scale, low, high, ref ticks } = *axis;
        assert!(low < high && low.is_finite() && high.is_finite(), "{axis:?}");
        assert!(low > 0.0 || scale == Scale::Linear, "{axis:?}");
        assert!(ticks.is_sorted_by(|a, b| a.value < b.value), "{axis:?}");
        let inside = |tick: &Tick| low <= tick.value && tick.value <= high;
        assert!(ticks.iter().all(inside) && ticks.len() <= 32, "{axis:?}");
        assert!((2..=12).contains(&axis.labels().count()), "{axis:?}");
        for &value in values {
            assert_eq!(axis.share(value).is_some(), scale.admits(value), "{value}");
            let place = axis.share(value).unwrap_or(0.5);
            assert!((-1e-5..=1.0 + 1e-5).contains(&place), "{value} at {place} of {axis:?}");
        }
    }

    #[test]
    fn linear_ticks_are_round() {
        let linear = |values: &[f64]| labels(Scale::Linear, values).join(" ");
        assert_eq!(linear(&[3.0, 97.0]), "0 20 40 60 80 100");
        assert_eq!(linear(&[0.3, 0.7]), "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7");
        assert_eq!(linear(&[-0.01, 0.02]), "−0.010 −0.005 0 0.005 0.010 0.015 0.020");
        assert_eq!(linear(&[1001.0, 1003.0]), "1001.0 1001.5 1002.0 1002.5 1003.0");
        assert_eq!(linear(&[0.0, 60_000.0]), "0 10,000 20,000 30,000 40,000 50,000 60,000");
        assert_eq!(linear(&[-8.0, -6.0]), "−8.0 −7.5 −7.0 −6.5 −6.0");
        assert_eq!(linear(&[0.0, 5e7]), "0 1e7 2e7 3e7 4e7 5e7");
        assert_eq!(linear(&[0.0, -1.5e-6]), "−1.6e-6 −1.4e-6 −1.2e-6 −1e-6 −8e-7 −6e-7 −4e-7 −2e-7 0");
    }

    #[test]
    fn ticks_are_the_nearest_floats() {
        let axis = axis(Scale::Linear, &[0.0, 0.7]);
        let values: Vec<f64> = axis.ticks().iter().map(|tick| tick.value).collect();
        assert_eq!(values, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
    }

    #[test]
    fn decades_are_split_while_they_are_few() {
        let decades = |values: &[f64]| labels(Scale::Log10, values).join(" ");
        assert_eq!(decades(&[256.0, 4096.0]), "200 500 1000 2000 5000");
        assert_eq!(decades(&[0.03, 0.6]), "0.02 0.05 0.1 0.2 0.5 1");
        assert_eq!(decades(&[300.0, 2e6]), "1000 10,000 100,000 1,000,000");
        assert_eq!(decades(&[1.0, 1e9]), "1e0 1e2 1e4 1e6 1e8");
        assert_eq!(decades(&[1000.0]), "500 1000 2000");
        assert_eq!(decades(&[7e-5, 1.0]), "0.0001 0.001 0.01 0.1 1");
        assert_eq!(decades(&[1e-3, 1e3]), "0.001 0.01 0.1 1 10 100 1000");
    }

    #[test]
    fn between_labelled_decades_lines_are_faint() {
        let axis = axis(Scale::Log10, &[300.0, 2e6]);
        let faint = axis.ticks().iter().filter(|tick| tick.label.is_none());
        let values: Vec<f64> = faint.map(|tick| tick.value).collect();
        assert_eq!(values, [200.0, 500.0, 2e3, 5e3, 2e4, 5e4, 2e5, 5e5, 2e6]);
    }

    #[test]
    fn doublings_are_powers_of_two() {
        let doublings = |values: &[f64]| labels(Scale::Log2, values).join(" ");
        assert_eq!(doublings(&[256.0, 4096.0]), "256 512 1024 2048 4096");
        assert_eq!(doublings(&[300.0, 20_000.0]), "256 512 1024 2048 4096 8192 16,384 32,768");
        assert_eq!(doublings(&[64.0]), "32 64 128");
        assert_eq!(doublings(&[65.0]), "64 128");
        assert_eq!(doublings(&[0.25, 2.0]), "2^-2 2^-1 2^0 2^1");
        assert_eq!(doublings(&[1.0, 2_f64.powi(30)]), "2^0 2^4 2^8 2^12 2^16 2^20 2^24 2^28");
    }

    #[test]
    fn equal_factors_are_equally_long() {
        for scale in [Scale::Log10, Scale::Log2] {
            let axis = axis(scale, &[256.0, 4096.0]);
            let place = |value| axis.share(value).unwrap();
            let (first, second) = (place(512.0) - place(256.0), place(4096.0) - place(2048.0));
            assert!((first - second).abs() < 1e-12, "{first} {second}");
        }
    }

    #[test]
    fn any_values_make_a_sound_axis() {
        for scale in [Scale::Linear, Scale::Log10, Scale::Log2] {
            axis(scale, &[]);
            axis(scale, &SPECIAL);
            for a in SPECIAL {
                axis(scale, &[a]);
                for b in SPECIAL {
                    axis(scale, &[a, b]);
                    axis(scale, &[a, a * (1.0 + 1e-8), b]);
                }
            }
        }
    }

    #[test]
    fn any_two_ordinary_values_make_a_sound_axis() {
        for scale in [Scale::Linear, Scale::Log10, Scale::Log2] {
            for low in 1..120 {
                for high in (low..1200).step_by(7) {
                    axis(scale, &[f64::from(low) / 10.0, f64::from(high) / 10.0]);
                }
            }
        }
    }

    #[test]
    fn values_that_hardly_differ_are_drawn_as_one() {
        assert_eq!(labels(Scale::Linear, &[1e15, 1e15 + 1.0]), labels(Scale::Linear, &[1e15]));
        assert_eq!(labels(Scale::Linear, &[0.0]), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }
}
