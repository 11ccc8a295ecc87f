//! Floors that follow image assets.

use bevy::prelude::*;
use bevy_farstride::farstride::atlas::{Floor, FloorError, FloorId};
use bevy_farstride::{Edit, FarstrideSystems, WorldId, maps};

/// A floor from the pixels of an image, one cell for each; `class` gets red, green, blue and alpha.
/// Pixels that cannot be read, as those of compressed textures, count as black.
///
/// # Errors
/// [`FloorError`] if the size is not supported.
pub fn floor_of(image: &Image, class: impl Fn([u8; 4]) -> u8) -> Result<Floor, FloorError> {
    maps::from_fn(image.size(), |at| {
        let colour = image.get_color_at(at.x, at.y).unwrap_or(Color::BLACK);
        class(colour.to_srgba().to_u8_array())
    })
}

/// Spawn it to let a floor follow an image: whenever the asset changes, the cells whose pixels mean another class than
/// before are edited. What the game itself has changed elsewhere stays. With the feature `file_watcher` of Bevy
/// a saved file changes the map of the running game.
///
/// The image must keep its size; what is beyond the smaller of both is left alone.
#[derive(Component)]
pub struct MapImage {
    image: Handle<Image>,
    world: WorldId,
    floor: FloorId,
    /// The floor as the image had it last.
    known: Floor,
    class: Box<dyn Fn([u8; 4]) -> u8 + Send + Sync>,
}

impl MapImage {
    /// Follows an image. `known` is the floor as it was added to the world, as [`floor_of`] makes it.
    pub fn new(
        image: Handle<Image>,
        known: Floor,
        class: impl Fn([u8; 4]) -> u8 + Send + Sync + 'static,
    ) -> Self {
        Self { image, world: WorldId::FIRST, floor: FloorId::new(0), known, class: Box::new(class) }
    }

    /// The same for another floor of another world.
    #[must_use]
    pub fn on(self, world: WorldId, floor: FloorId) -> Self {
        Self { world, floor, ..self }
    }
}

/// Follows [`MapImage`]s. In the schedule `Update`, before edits are handed over.
pub struct MapImagePlugin;

impl Plugin for MapImagePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, follow.before(FarstrideSystems::Send));
    }
}

fn follow(
    mut changes: MessageReader<AssetEvent<Image>>,
    images: Res<Assets<Image>>,
    mut maps: Query<&mut MapImage>,
    mut edits: MessageWriter<Edit>,
) {
    for change in changes.read() {
        let AssetEvent::Modified { id } = change else { continue };
        for mut map in maps.iter_mut().filter(|map| map.image.id() == *id) {
            let Some(Ok(now)) = images.get(*id).map(|image| floor_of(image, &map.class)) else { continue };
            let (world, floor) = (map.world, map.floor);
            edits.write_batch(
                maps::edits_between(&map.known, &now).map(|edit| edit.on_floor(floor).in_world(world)),
            );
            map.known = now;
        }
    }
}
