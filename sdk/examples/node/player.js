// The decisions: it bids by a rough count, buries short suits, leads what nobody can beat, and
// weighs every way to follow by the points at stake against the cards it costs.

import {
  Order, TRUMPS, TRUMP_SUIT, beats, follows, isJoker, leads, pairsIn, points, pointsOf, rankOf, sum, unitOf,
} from "./rules.js";
import { log } from "./log.js";
import { Table } from "./table.js";

// Profiles of 108 cards and four seats: what `rules.js` knows. Any other, or any switch, is left to the fallback.
const KNOWN = ["classic", "tongchengle", "jiangxi", "qq"];
const SEATS = 4;
const HIGHEST_BID = 120;
const BID_STEP = 5;
const SUIT_TRUMPS = TRUMPS.slice(0, 4);
const ORDERS = new Map(TRUMPS.map((trump) => [trump, new Order(trump)]));

export class Player {
  constructor() {
    this.tables = new Map();
  }

  joined({ profile, switches }) {
    this.isKnown = KNOWN.includes(profile) && Object.keys(switches).length === 0;
    if (!this.isKnown) log(`no rules of my own for ${profile}: every turn is the fallback`);
  }

  tableOpened({ tableId, seat }) {
    this.tables.set(tableId, new Table(seat, SEATS, this.tables.get(tableId)?.buried));
  }

  tableOver({ tableId }) {
    this.tables.delete(tableId);
  }

  matchOver() {
    this.tables.clear(); // the numbers of the next match begin anew
  }

  decide(turn) {
    const table = this.tables.get(turn.tableId);
    for (const event of turn.events) table.observe(event);
    if (turn.kind !== "TURN_KIND_PLAY") table.buried = []; // asked again after a break: nothing is buried yet
    table.hold([...turn.hand]);
    return (this.isKnown && chooseAction(table, turn)) || { useFallback: true };
  }
}

/** The action for a turn; undefined where the fallback is as good. */
function chooseAction(table, turn) {
  switch (turn.kind) {
    case "TURN_KIND_BID":
      return chooseBid(table);
    case "TURN_KIND_NAME_TRUMP":
      return { trump: bestTrump(table.hand) };
    case "TURN_KIND_BURY":
      table.buried = chooseBurial(table, turn.fallback.bury.length);
      return { bury: Buffer.from(table.buried) };
    case "TURN_KIND_PLAY": {
      const cards = table.trick.length === 0 ? chooseLead(table) : chooseFollow(table);
      return cards && { play: Buffer.from(cards) };
    }
  }
}

// Before the play.

/** A guess of the points that the defenders would take from this hand. */
function countAgainst(hand, trump) {
  const order = ORDERS.get(trump);
  const trumps = order.inSuit(hand, TRUMP_SUIT);
  const aces = hand.filter((card) => rankOf(card) === "A");
  const sevens = hand.filter((card) => rankOf(card) === "7");
  const worth = 4.5 * trumps.length + 2 * pairsIn(trumps).length + 7 * trumps.filter(isJoker).length;
  return 205 - worth - 4 * aces.length - 2.5 * sevens.length;
}

function bestTrump(hand) {
  return SUIT_TRUMPS.reduce((best, trump) => (countAgainst(hand, trump) < countAgainst(hand, best) ? trump : best));
}

function chooseBid({ hand, standingBid }) {
  const bid = standingBid === null ? HIGHEST_BID : standingBid - BID_STEP;
  return bid > 0 && bid >= countAgainst(hand, bestTrump(hand)) ? { bid } : { pass: true };
}

/** Keep trumps, aces and pairs; empty the short suits. */
function chooseBurial({ hand, order }, size) {
  const pairs = pairsIn(hand);
  const keep = (card) => {
    const suit = order.suit(card);
    const prized = (rankOf(card) === "A" ? 30 : 0) + (pairs.includes(card) ? 15 : 0);
    return (suit === TRUMP_SUIT ? 100 : 0) + prized + pointsOf(card) + 3 * order.inSuit(hand, suit).length + order.level(card);
  };
  return [...hand].sort((a, b) => keep(a) - keep(b)).slice(0, size);
}

// The play.

/** What it costs to part with cards: trumps are dear, high cards dearer. */
function price(order, cards) {
  return sum(cards.map((card) => (order.suit(card) === TRUMP_SUIT ? 4 + order.level(card) : order.level(card) / 3)));
}

function best(plays, value) {
  const valued = plays.map((cards) => ({ cards, value: value(cards) }));
  return valued.reduce((one, other) => (other.value > one.value ? other : one)).cards;
}

function chooseLead(table) {
  const { order, hand } = table;
  const trumps = order.inSuit(hand, TRUMP_SUIT).length;
  const trumpsOut = order.inSuit(table.unseen, TRUMP_SUIT).length;
  const draws = table.isDeclarer && 2 * trumps > trumpsOut && table.voidSeats.length < SEATS - 1;
  return best(leads(order, hand), (cards) => {
    const unit = unitOf(order, cards);
    const isMaster = table.isMaster(unit);
    if (unit.suit === TRUMP_SUIT) return draws ? (isMaster ? 40 + cards.length : 10 - unit.top) : -20 - unit.top;
    return isMaster ? 25 + 3 * cards.length : -unit.top - 2 * points(cards);
  });
}

function chooseFollow(table) {
  const { order, hand, seat } = table;
  const trick = table.standing();
  if (trick.led === null) return undefined; // a throw: we hold no trump, and nothing can beat it
  const behind = table.opponentsBehind();
  const chance = (unit) => (behind === 0 ? 1 : table.isMaster(unit) ? 0.9 : 0.45);
  return best(waysToFollow(order, hand, trick), (cards) => {
    const wins = beats(order, cards, trick.best);
    const isOurs = wins || !table.areOpposed(seat, trick.winner);
    const odds = isOurs ? chance(wins ? unitOf(order, cards) : trick.best) : 0;
    return (2 * odds - 1) * (trick.points + points(cards)) + (wins ? 3 * odds : 0) - price(order, cards);
  });
}

/** Legal plays worth a thought: every duty filled up cheaply or richly, and every ruff that wins. */
function waysToFollow(order, hand, { led, best: standing }) {
  const { options, count, rest } = follows(order, hand, led);
  const cost = (card) => price(order, [card]);
  const cheap = [...rest].sort((a, b) => pointsOf(a) + cost(a) - pointsOf(b) - cost(b)).slice(0, count);
  const rich = [...rest].sort((a, b) => 2 * pointsOf(b) - cost(b) - 2 * pointsOf(a) + cost(a)).slice(0, count);
  const ways = options.flatMap((cards) => (count > 0 ? [[...cards, ...cheap], [...cards, ...rich]] : [cards]));
  const isVoid = count === led.size && order.inSuit(hand, led.suit).length === 0;
  const trumps = isVoid ? order.inSuit(hand, TRUMP_SUIT) : [];
  return [...ways, ...leads(order, trumps).filter((cards) => beats(order, cards, standing))];
}
