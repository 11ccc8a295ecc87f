//! The systems: take what the surveyors have found, walk, hand over what is new.
#![expect(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]

use crate::agent::{Agent, Avoid, Goal, Hop, Paused, Position, Route, Speed, Status, Why};
use crate::gather::Gathering;
use crate::message::{AgentNews, Edit, Gather, News, WorldNews};
use crate::track::{FEW, Order, Progress, Told, What};
use crate::world::{Site, WorldId, Worlds, is_step};
use bevy_ecs::prelude::*;
use bevy_time::Time;
use farstride::atlas::Place;
use std::mem;

/// An agent that is farther from its route than this many cells gets a new one.
const ASTRAY: f32 = 1.5;

/// Takes the replies of the surveyors that have finished.
pub(crate) fn collect(
    mut worlds: ResMut<'_, Worlds>,
    mut agents: Query<'_, '_, (&Agent, &Position, &mut Route, Option<&Goal>)>,
    mut commands: Commands<'_, '_>,
    mut agent_news: MessageWriter<'_, AgentNews>,
    mut world_news: MessageWriter<'_, WorldNews>,
) {
    let Worlds { sites, renew, is_lock_step, .. } = &mut *worlds;
    for site in sites {
        let Some(reply) = site.collect(*is_lock_step) else { continue };
        for Told { agent, serial, what } in reply.told {
            let Ok((who, position, mut route, goal)) = agents.get_mut(agent) else { continue };
            if route.serial != serial || route.world != Some(site.id) {
                continue;
            }
            let at = site.places.place(position.floor, position.point, site.size(who.mover));
            match take(&mut route, at, what, goal) {
                Some(news) => {
                    agent_news.write(AgentNews { agent, news });
                }
                None if route.status == Status::Waiting => renew.push(agent),
                None => {}
            }
        }
        for (agent, place) in reply.goals {
            if let Ok(mut agent) = commands.get_entity(agent) {
                agent.try_insert(Goal::new(place).or_nearest());
            }
        }
        site.is_ready |= reply.news.contains(&WorldNews::Ready(site.id));
        world_news.write_batch(reply.news);
    }
}

/// Puts what an agent is told into its route. `None` if that is no news, or, with the status
/// `Waiting`, if the agent has gone elsewhere meanwhile.
fn take(route: &mut Route, at: Option<Place>, what: What, goal: Option<&Goal>) -> Option<News> {
    match what {
        What::More { hops, is_complete } => {
            route.ahead.extend(hops);
            route.bound();
            route.is_complete = is_complete;
            None
        }
        What::NoWay { from, why } => {
            route.ahead.truncate(1);
            // It was looked for from where the hop began because the hop is forbidden now.
            if from.is_some() && from == route.here && route.next() != from {
                route.turn_back();
            }
            route.is_complete = false;
            route.goal = None;
            let is_news = route.status != Status::NoWay(why);
            route.status = Status::NoWay(why);
            is_news.then_some(News::NoWay(why))
        }
        What::Route { from, hops, goal: to, is_complete } => {
            let mut way: Vec<Hop> = [Hop::new(from, None)].into_iter().chain(hops).collect();
            let index = |place: Option<Place>| way.iter().position(|hop| Some(hop.place) == place);
            // The step that has begun is made if the new way makes it, too.
            let committed = route.ahead.front().copied();
            let kept = index(committed.map(|hop| hop.place))
                .filter(|&at| at == 0 || at == 1 && is_step(from, way[1].place));
            let first = kept.or_else(|| index(at)).or_else(|| index(route.here));
            let Some(first) = first else {
                route.status = Status::Waiting;
                return None;
            };
            if let Some(hop) = committed.filter(|hop| hop.place == way[first].place) {
                way[first] = hop;
            }
            route.ahead.clear();
            route.ahead.extend(way.drain(first..));
            route.bound();
            route.is_complete = is_complete;
            route.goal = Some(to);
            let was_walking = mem::replace(&mut route.status, Status::Walking) == Status::Walking;
            let is_substitute = goal.is_some_and(|goal| goal.place != to);
            Some(if was_walking { News::Rerouted } else { News::Started { goal: to, is_substitute } })
        }
    }
}

/// What walking needs.
type Walking<'a> = (Entity, &'a Agent, &'a mut Position, &'a mut Route, Option<&'a Speed>);

/// Moves the agents that have a speed, and notes how far all of them have come.
pub(crate) fn follow(
    time: Res<'_, Time>,
    mut worlds: ResMut<'_, Worlds>,
    mut agents: Query<'_, '_, Walking<'_>, Without<Paused>>,
    mut news: MessageWriter<'_, AgentNews>,
) {
    let Worlds { sites, renew, .. } = &mut *worlds;
    let passed = time.delta_secs();
    for (entity, agent, mut position, mut route, speed) in &mut agents {
        if route.ahead.is_empty() {
            continue;
        }
        let Some(site) = sites.get(agent.world.index()).filter(|site| !site.is_paused) else { continue };
        let walker = Walker { site, agent, entity };
        let is_astray = match speed {
            Some(speed) => walker.walk(&mut position, &mut route, speed.0 * passed, &mut news),
            None => walker.notice(&mut position, &mut route, &mut news),
        };
        if is_astray && route.status != Status::Waiting {
            renew.push(entity);
        }
    }
}

/// An agent on its way.
struct Walker<'a> {
    site: &'a Site,
    agent: &'a Agent,
    entity: Entity,
}

impl Walker<'_> {
    /// Moves the agent along its route. Returns whether it was put elsewhere.
    fn walk(
        &self,
        position: &mut Position,
        route: &mut Route,
        length: f32,
        news: &mut MessageWriter<'_, AgentNews>,
    ) -> bool {
        let size = self.site.size(self.agent.mover);
        let mut left = length.max(0.0);
        let mut point = position.point;
        while let Some(&hop) = route.ahead.front() {
            let way = self.site.places.point(hop.place, size) - point;
            let distance = way.length();
            if self.is_astray(route, hop, distance) {
                return true;
            }
            if is_forbidden(self.site, self.agent, route) {
                break;
            }
            if distance > left {
                point += way * (left / distance);
                break;
            }
            left -= distance;
            point += way;
            position.floor = hop.place.floor;
            self.reach(route, hop, news);
        }
        if point != position.point {
            position.point = point;
        }
        false
    }

    /// Notes which hops an agent that its user moves has made. Returns whether it left the route.
    fn notice(
        &self,
        position: &mut Position,
        route: &mut Route,
        news: &mut MessageWriter<'_, AgentNews>,
    ) -> bool {
        let size = self.site.size(self.agent.mover);
        while let Some(&hop) = route.ahead.front() {
            let distance = self.site.places.point(hop.place, size).distance(position.point);
            let is_there = distance <= self.site.places.layout().cell_size() / 2.0;
            if !is_there {
                return self.is_astray(route, hop, distance);
            }
            if position.floor != hop.place.floor {
                position.floor = hop.place.floor;
            }
            self.reach(route, hop, news);
        }
        false
    }

    fn reach(&self, route: &mut Route, hop: Hop, news: &mut MessageWriter<'_, AgentNews>) {
        let agent = self.entity;
        route.ahead.pop_front();
        route.here = Some(hop.place);
        if let Some(link) = hop.link {
            news.write(AgentNews { agent, news: News::TookLink(link) });
        }
        if route.ahead.is_empty() && route.is_complete && route.status == Status::Walking {
            route.status = Status::Arrived;
            news.write(AgentNews { agent, news: News::Arrived });
        }
    }

    /// Whether the agent is farther from the next place than the hop and some tolerance.
    fn is_astray(&self, route: &Route, hop: Hop, distance: f32) -> bool {
        let cell_size = self.site.places.layout().cell_size();
        if distance <= ASTRAY * cell_size {
            return false;
        }
        let Some(here) = route.here.filter(|_| hop.link.is_none()) else { return false };
        let (dx, dy) = (here.cell.x.abs_diff(hop.place.cell.x), here.cell.y.abs_diff(hop.place.cell.y));
        let cells = f32::from(dx).hypot(f32::from(dy)) + ASTRAY;
        distance > cells * cell_size
    }
}

/// What an order is made of.
type Ordered<'a> = (Entity, &'a Agent, &'a Goal, &'a Position, Option<&'a Avoid>, &'a mut Route);
/// Whether an order has changed.
type IsNew = Or<(Changed<Goal>, Changed<Agent>, Changed<Avoid>)>;

/// Puts edits and orders into the batches of their worlds.
pub(crate) fn order(
    mut worlds: ResMut<'_, Worlds>,
    mut edits: MessageReader<'_, '_, Edit>,
    mut gathers: MessageReader<'_, '_, Gather>,
    changed: Query<'_, '_, Entity, (IsNew, With<Goal>)>,
    mut orders: Query<'_, '_, Ordered<'_>>,
    everyone: Query<'_, '_, (&Agent, &Position)>,
    mut news: MessageWriter<'_, AgentNews>,
) {
    for &edit in edits.read() {
        if let Some(site) = worlds.site_mut(edit.world) {
            site.add_edit(edit);
        }
    }
    let renew = mem::take(&mut worlds.renew);
    for entity in changed.iter().chain(renew) {
        let Ok((entity, agent, goal, position, avoid, mut route)) = orders.get_mut(entity) else { continue };
        if let Some(before) = route.world.replace(agent.world).filter(|&before| before != agent.world)
            && let Some(site) = worlds.site_mut(before)
        {
            site.batch.gone.push(entity);
            route.here = None;
            route.ahead.clear();
        }
        let order = worlds.site_mut(agent.world).and_then(|site| {
            if is_forbidden(site, agent, &route) {
                route.turn_back();
            }
            let from = start(site, agent, position, &route)?;
            Some((site, from))
        });
        let Some((site, from)) = order else {
            route.stop(Status::NoWay(Why::Outside));
            news.write(AgentNews { agent: entity, news: News::NoWay(Why::Outside) });
            continue;
        };
        let is_committed = route.next() == Some(from);
        route.stop(Status::Waiting);
        if !is_committed {
            route.ahead.clear();
            route.here = Some(from);
        }
        site.batch.orders.push(Order {
            agent: entity,
            serial: route.serial,
            mover: agent.mover,
            from,
            goal: goal.place,
            or_nearest: goal.or_nearest,
            is_smooth: agent.is_smooth,
            avoid: avoid.map(|avoid| avoid.0.clone()).unwrap_or_default(),
        });
    }
    for Gather { world, agents, around, gap } in gathers.read() {
        let Some(site) = worlds.site_mut(*world) else { continue };
        let locate = |&entity: &Entity| {
            let (agent, position) = everyone.get(entity).ok().filter(|(agent, _)| agent.world == *world)?;
            let place = site.places.place(position.floor, position.point, site.size(agent.mover))?;
            Some((entity, agent.mover, place))
        };
        let agents = agents.iter().filter_map(locate).collect();
        site.batch.gatherings.push(Gathering { agents, around: *around, gap: *gap });
    }
}

/// What is looked at to tell how an agent stands.
type Reporting<'a> = (Entity, &'a Agent, &'a Position, &'a mut Route, Option<&'a Goal>, Has<Avoid>);

/// Hands the batches to the surveyors that are not at work, with how far the agents have come.
pub(crate) fn hand_over(mut worlds: ResMut<'_, Worlds>, mut agents: Query<'_, '_, Reporting<'_>>) {
    let mut renew = mem::take(&mut worlds.renew);
    for (entity, agent, position, mut route, goal, avoids) in &mut agents {
        let Some(site) = worlds.site_mut(agent.world) else { continue };
        if site.is_paused || !site.is_home() {
            continue;
        }
        let is_edited = !site.batch.edits.is_empty();
        // Surveyors look after the hops of those that walk. The others do so here.
        if is_edited && route.status != Status::Walking && is_forbidden(site, agent, &route) {
            route.turn_back();
            if route.status == Status::Waiting {
                route.serial = route.serial.wrapping_add(1);
                renew.push(entity);
            }
        }
        // Edits may help those that go to a substitute or have no way. Of the others they concern those
        // that were told to walk there, and those whose path was found at once.
        let is_substitute = || goal.is_none_or(|goal| route.goal != Some(goal.place));
        let is_touched = || route.bounds.is_none_or(|bounds| site.may_touch(agent.mover, bounds));
        let wants = match route.status {
            Status::Walking => {
                !route.is_complete && route.ahead.len() < FEW
                    || is_edited && (avoids || is_substitute() || is_touched())
            }
            Status::Arrived => is_edited && is_substitute(),
            Status::NoWay(_) => is_edited,
            Status::Idle | Status::Waiting => false,
        };
        if wants && let Some(here) = whereabouts(site, agent, position, &route) {
            let next = route.next();
            site.batch.progress.push(Progress { agent: entity, serial: route.serial, here, next });
        }
    }
    worlds.renew = renew;
    let (budget, pool) = (worlds.budget, worlds.pool);
    for site in worlds.sites.iter_mut().filter(|site| !site.is_paused) {
        site.send(budget, pool);
    }
}

/// Whether an edit that is not made yet may forbid the hop that an agent is on.
fn is_forbidden(site: &Site, agent: &Agent, route: &Route) -> bool {
    let hop = route.ahead.front().copied().filter(|_| site.has_edits_waiting());
    let hop = hop.zip(route.here).filter(|(hop, here)| hop.place != *here);
    hop.is_some_and(|(hop, here)| site.may_forbid(agent.mover, here, hop))
}

/// The cell of an agent: during a step the one where it began.
fn whereabouts(site: &Site, agent: &Agent, position: &Position, route: &Route) -> Option<Place> {
    let at = || site.places.place(position.floor, position.point, site.size(agent.mover));
    match (route.here, route.ahead.front()) {
        (Some(here), Some(hop)) if hop.link.is_some() || is_step(here, hop.place) => Some(here),
        _ => at(),
    }
}

/// Agents that go, and orders that are taken back, are forgotten.
pub(crate) fn forget_agent(
    removed: On<'_, '_, Remove<Agent>>,
    agents: Query<'_, '_, (&Agent, Option<&Route>)>,
    mut worlds: ResMut<'_, Worlds>,
) {
    if let Ok((agent, route)) = agents.get(removed.entity) {
        let world = route.and_then(|route| route.world).unwrap_or(agent.world);
        forget(&mut worlds, world, removed.entity);
    }
}

/// The agent makes the step that it is on and stands.
pub(crate) fn forget_goal(
    removed: On<'_, '_, Remove<Goal>>,
    mut routes: Query<'_, '_, &mut Route>,
    mut worlds: ResMut<'_, Worlds>,
) {
    if let Ok(mut route) = routes.get_mut(removed.entity)
        && let Some(world) = route.world
    {
        route.stop(Status::Idle);
        forget(&mut worlds, world, removed.entity);
    }
}

/// The agent gets its order again, without zones.
pub(crate) fn forget_zones(removed: On<'_, '_, Remove<Avoid>>, mut worlds: ResMut<'_, Worlds>) {
    worlds.renew.push(removed.entity);
}

fn forget(worlds: &mut Worlds, world: WorldId, agent: Entity) {
    if let Some(site) = worlds.site_mut(world) {
        // An order of this frame would come after it.
        site.batch.orders.retain(|order| order.agent != agent);
        site.batch.gone.push(agent);
    }
}

/// Where an order begins: at the end of the step that the agent is on, or where it is.
fn start(site: &Site, agent: &Agent, position: &Position, route: &Route) -> Option<Place> {
    let at = site.places.place(position.floor, position.point, site.size(agent.mover))?;
    let next = route.ahead.front().filter(|hop| hop.link.is_none()).map(|hop| hop.place);
    Some(next.filter(|&next| is_step(at, next)).unwrap_or(at))
}
