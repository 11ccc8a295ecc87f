//! The searches that are compared.

use super::published::{self, Row};
use crate::paper::book::Searcher;
use farstride::Engine;
use farstride::hpa::{Connect, HpaSettings, Local, Skip, Tactics};

/// A search, in the order of the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    Astar,
    Theta,
    LazyTheta,
    Hpa,
    Hpt,
    HptLazy,
    AstarByTheBook,
    ThetaByTheBook,
    HpaByTheBook,
    HptByTheBook,
    HpaOurTactics,
    HptOurTactics,
    HpaOurDefaults,
    HptOurDefaults,
}

/// How a method answers a query.
#[derive(Clone, Copy)]
pub(super) enum Setup {
    /// An engine without preparation.
    Engine(Engine),
    /// A hierarchy.
    Hierarchy(HpaSettings, Tactics),
    /// A search of the whole map as textbooks have it.
    Book(Searcher),
    /// A hierarchy of the thesis, its searches inside clusters counted by the
    /// book.
    BookInside(HpaSettings),
}

/// The clusters of the thesis, start and goal connected and paths searched as
/// we do by default.
const OUR_TACTICS: Tactics = Tactics::DEFAULT
    .with_smooth(true)
    .with_shortcuts(false)
    .with_connect(Connect::OnTheWay)
    .with_skip(Skip::Afterwards)
    .with_one_by_one(false);

impl Method {
    pub(super) const COUNT: usize = 14;

    pub(super) const ALL: [Self; Self::COUNT] = [
        Self::Astar,
        Self::Theta,
        Self::LazyTheta,
        Self::Hpa,
        Self::Hpt,
        Self::HptLazy,
        Self::AstarByTheBook,
        Self::ThetaByTheBook,
        Self::HpaByTheBook,
        Self::HptByTheBook,
        Self::HpaOurTactics,
        Self::HptOurTactics,
        Self::HpaOurDefaults,
        Self::HptOurDefaults,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Astar => "A*",
            Self::Theta => "Theta*",
            Self::LazyTheta => "Lazy Theta*",
            Self::Hpa => "HPA*",
            Self::Hpt => "HPT*",
            Self::HptLazy => "HPT* with Lazy Theta*",
            Self::AstarByTheBook => "A* by the book",
            Self::ThetaByTheBook => "Theta* by the book",
            Self::HpaByTheBook => "HPA* by the book",
            Self::HptByTheBook => "HPT* by the book",
            Self::HpaOurTactics => "HPA*, our tactics",
            Self::HptOurTactics => "HPT*, our tactics",
            Self::HpaOurDefaults => "HPA*, our defaults",
            Self::HptOurDefaults => "HPT*, our defaults",
        }
    }

    pub(super) const fn setup(self) -> Setup {
        match self {
            Self::Astar => Setup::Engine(Engine::Astar),
            Self::Theta => Setup::Engine(Engine::Theta),
            Self::LazyTheta => Setup::Engine(Engine::LazyTheta),
            Self::Hpa => Setup::Hierarchy(HpaSettings::paper(1), Tactics::thesis()),
            Self::Hpt => Setup::Hierarchy(HpaSettings::thesis(), Tactics::thesis()),
            Self::HptLazy => {
                let settings = HpaSettings::thesis().with_local(Local::LazyTheta);
                Setup::Hierarchy(settings, Tactics::thesis())
            }
            Self::AstarByTheBook => Setup::Book(Searcher::Astar),
            Self::ThetaByTheBook => Setup::Book(Searcher::Theta),
            Self::HpaByTheBook => Setup::BookInside(HpaSettings::paper(1)),
            Self::HptByTheBook => Setup::BookInside(HpaSettings::thesis()),
            Self::HpaOurTactics => Setup::Hierarchy(HpaSettings::paper(1), OUR_TACTICS),
            Self::HptOurTactics => Setup::Hierarchy(HpaSettings::thesis(), OUR_TACTICS),
            Self::HpaOurDefaults => Setup::Hierarchy(HpaSettings::astar(), Tactics::DEFAULT),
            Self::HptOurDefaults => Setup::Hierarchy(HpaSettings::any_angle(), Tactics::DEFAULT),
        }
    }

    /// The Theta* that its lengths are compared with.
    pub(super) const fn theta(self) -> Self {
        if self.is_by_the_book() { Self::ThetaByTheBook } else { Self::Theta }
    }

    /// The HPA* that its visits and nodes in memory are compared with.
    pub(super) const fn hpa(self) -> Self {
        match self {
            Self::HpaOurTactics | Self::HptOurTactics => Self::HpaOurTactics,
            Self::HpaOurDefaults | Self::HptOurDefaults => Self::HpaOurDefaults,
            _ if self.is_by_the_book() => Self::HpaByTheBook,
            _ => Self::Hpa,
        }
    }

    const fn is_by_the_book(self) -> bool {
        matches!(self.setup(), Setup::Book(_) | Setup::BookInside(_))
    }

    /// What the thesis has for it.
    pub(super) const fn published(self) -> Option<Row> {
        match self {
            Self::Astar | Self::AstarByTheBook => Some(published::ASTAR),
            Self::Theta | Self::ThetaByTheBook => Some(published::THETA),
            Self::Hpa | Self::HpaByTheBook => Some(published::HPA),
            Self::Hpt | Self::HptByTheBook => Some(published::HPT),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_numbered_in_their_order() {
        for (number, method) in Method::ALL.into_iter().enumerate() {
            assert_eq!(method as usize, number);
            assert!(method.hpa().name().starts_with("HPA*"));
            assert!(method.theta().name().starts_with("Theta*"));
        }
    }
}
