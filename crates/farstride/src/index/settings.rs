//! How an index is built.

use super::Engine;
use crate::groups::GridGroupSettings;
use crate::hpa;
use crate::labels;
use crate::overlay::OverlaySettings;
use crate::straight::StraightSettings;
use crate::subgoal::{self, Partition};

/// How an index is built; the variant decides which kind of index it is.
///
/// The settings of each kind convert into this, so that [`Index::build`] takes any
/// of them. The same settings always give the same index.
///
/// [`Index::build`]: super::Index::build
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum IndexSettings {
    /// Clusters of HPA*, or of HPT* if [`hpa::HpaSettings::local`] is any-angle.
    Hpa(hpa::HpaSettings),
    /// Subgoal graphs.
    Subgoals(subgoal::SubgoalSettings),
    /// Groups of cells.
    Groups(GridGroupSettings),
    /// Hub labels.
    Labels(labels::LabelSettings),
    /// Overlays.
    Overlay(OverlaySettings),
    /// Hub labels over corners.
    Straight(StraightSettings),
}

impl IndexSettings {
    /// The engine that uses an index built with these settings.
    pub const fn engine(&self) -> Engine {
        match self {
            Self::Hpa(settings) if settings.local.is_any_angle() => Engine::Hpt,
            Self::Hpa(_) => Engine::Hpa,
            Self::Subgoals(settings) => match settings.partition {
                Partition::Simple => Engine::Ssg,
                Partition::TwoLevel => Engine::Tsg,
                Partition::TwoLevelLossy => Engine::Tl,
                Partition::Basic(_) => Engine::Nsg,
                Partition::Advanced(_) => Engine::NsgPlus,
            },
            Self::Groups(_) => Engine::Groups,
            Self::Labels(_) => Engine::Labels,
            Self::Overlay(_) => Engine::Overlay,
            Self::Straight(_) => Engine::Straight,
        }
    }
}

impl Engine {
    /// The settings an index of this engine is built with unless others are
    /// given; `None` if the engine searches the map without an index.
    pub const fn default_settings(self) -> Option<IndexSettings> {
        let partition = match self {
            Self::Dijkstra | Self::Astar | Self::Theta | Self::LazyTheta => return None,
            Self::Hpa => return Some(IndexSettings::Hpa(hpa::HpaSettings::astar())),
            Self::Hpt => return Some(IndexSettings::Hpa(hpa::HpaSettings::any_angle())),
            Self::Groups => return Some(IndexSettings::Groups(GridGroupSettings::DEFAULT)),
            Self::Labels => return Some(IndexSettings::Labels(labels::LabelSettings::DEFAULT)),
            Self::Overlay => return Some(IndexSettings::Overlay(OverlaySettings::DEFAULT)),
            Self::Straight => return Some(IndexSettings::Straight(StraightSettings::DEFAULT)),
            Self::Ssg => Partition::Simple,
            Self::Tsg => Partition::TwoLevel,
            Self::Tl => Partition::TwoLevelLossy,
            Self::Nsg => Partition::Basic(None),
            Self::NsgPlus => Partition::Advanced(None),
        };
        Some(IndexSettings::Subgoals(subgoal::SubgoalSettings::new(partition)))
    }
}

impl From<hpa::HpaSettings> for IndexSettings {
    fn from(settings: hpa::HpaSettings) -> Self {
        Self::Hpa(settings)
    }
}

impl From<subgoal::SubgoalSettings> for IndexSettings {
    fn from(settings: subgoal::SubgoalSettings) -> Self {
        Self::Subgoals(settings)
    }
}

impl From<GridGroupSettings> for IndexSettings {
    fn from(settings: GridGroupSettings) -> Self {
        Self::Groups(settings)
    }
}

impl From<labels::LabelSettings> for IndexSettings {
    fn from(settings: labels::LabelSettings) -> Self {
        Self::Labels(settings)
    }
}

impl From<OverlaySettings> for IndexSettings {
    fn from(settings: OverlaySettings) -> Self {
        Self::Overlay(settings)
    }
}

impl From<StraightSettings> for IndexSettings {
    fn from(settings: StraightSettings) -> Self {
        Self::Straight(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_settings_lead_back_to_their_engine() {
        for engine in Engine::ALL {
            let back = engine.default_settings().map(|settings| settings.engine());
            assert_eq!(back, engine.has_index().then_some(engine));
        }
    }
}
