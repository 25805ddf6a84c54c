// Cards, suits, shapes, and what a hand may play: as much of the rule book as a bot needs to decide by itself.
// A card is its number on the wire (1 to 54, `proto/erqiwang/v1/cards.proto`). R-nn are rulings of the rule book.

const SUITS = "SHCD";
const RANKS = "AKQJT98765432";
const PLAIN = "345689TJQKA"; // ranks that are trump in one suit only, from the lowest up
const BIG_JOKER = 53;

export const TRUMPS = ["TRUMP_SPADES", "TRUMP_HEARTS", "TRUMP_CLUBS", "TRUMP_DIAMONDS", "TRUMP_NONE"];
export const TRUMP_SUIT = "T";

export const isJoker = (card) => card >= BIG_JOKER;
export const suitOf = (card) => (isJoker(card) ? "" : SUITS[Math.floor((card - 1) / 13)]);
export const rankOf = (card) => (isJoker(card) ? "" : RANKS[(card - 1) % 13]);
export const nameOf = (card) => (isJoker(card) ? (card === BIG_JOKER ? "BJ" : "LJ") : suitOf(card) + rankOf(card));
export const pointsOf = (card) => ({ 5: 5, T: 10, K: 10 })[rankOf(card)] ?? 0;
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
export const points = (cards) => sum(cards.map(pointsOf));

/** `cards` without `taken`, one copy for one copy. */
export function without(cards, taken) {
  const left = [...cards];
  for (const card of taken) left.splice(left.indexOf(card), 1);
  return left;
}

/** What a trump decides: the effective suit and the level of every card. */
export class Order {
  constructor(trump) {
    const letter = `${SUITS}N`[TRUMPS.indexOf(trump)];
    const cards = Array.from({ length: BIG_JOKER + 2 }, (_, card) => card);
    this.suits = cards.map((card) => effectiveSuit(card, letter));
    this.levels = cards.map((card) => levelOf(card, letter));
  }

  suit(card) {
    return this.suits[card];
  }

  level(card) {
    return this.levels[card];
  }

  /** The cards of one effective suit, from the lowest up. */
  inSuit(cards, suit) {
    return cards.filter((card) => this.suit(card) === suit).sort((a, b) => this.level(a) - this.level(b) || a - b);
  }
}

/** `T` for a trump, else the printed suit. */
function effectiveSuit(card, letter) {
  return isJoker(card) || "72".includes(rankOf(card)) || suitOf(card) === letter ? TRUMP_SUIT : suitOf(card);
}

/** Height within the effective suit. Levels that differ by one are neighbours in a tractor. */
function levelOf(card, letter) {
  const rank = rankOf(card);
  if (letter === "N") {
    if (isJoker(card)) return card === BIG_JOKER ? 3 : 2;
    return "27".includes(rank) ? "27".indexOf(rank) : PLAIN.indexOf(rank);
  }
  if (isJoker(card)) return PLAIN.length + (card === BIG_JOKER ? 5 : 4);
  const isMain = suitOf(card) === letter ? 1 : 0;
  if (rank === "7") return PLAIN.length + 2 + isMain;
  if (rank === "2") return PLAIN.length + isMain;
  return PLAIN.indexOf(rank);
}

/** Every card held twice, once. Only identical cards are a pair. */
export function pairsIn(cards) {
  const seen = new Set();
  return cards.filter((card) => seen.has(card) || !seen.add(card));
}

/**
 * The unit that some cards are, or null: `pairs` is 0 for a single, 1 for a pair, more for a tractor. A tractor has
 * exactly one pair on each of its levels.
 */
export function unitOf(order, cards) {
  const suit = order.suit(cards[0]);
  if (cards.some((card) => order.suit(card) !== suit)) return null;
  const top = Math.max(...cards.map((card) => order.level(card)));
  if (cards.length === 1) return { suit, pairs: 0, size: 1, top };
  const pairs = pairsIn(cards);
  const levels = new Set(pairs.map((card) => order.level(card)));
  const isRun = levels.size === pairs.length && top - Math.min(...levels) === pairs.length - 1;
  return pairs.length * 2 === cards.length && isRun ? { suit, pairs: pairs.length, size: cards.length, top } : null;
}

/** Whether a play beats the unit that wins so far: the same form, higher, or trump on a side suit. */
export function beats(order, cards, best) {
  const unit = cards.length === best.size ? unitOf(order, cards) : null;
  if (unit === null || unit.pairs !== best.pairs) return false;
  return unit.suit === best.suit ? unit.top > best.top : unit.suit === TRUMP_SUIT;
}

/** Every tractor of `length` pairs among the pairs of one suit, as lists of those pairs. */
export function tractorsIn(order, pairs, length) {
  const grow = (run) =>
    run.length === length
      ? [run]
      : pairs.filter((card) => order.level(card) === order.level(run.at(-1)) + 1).flatMap((card) => grow([...run, card]));
  return pairs.flatMap((card) => grow([card]));
}

/** Every legal lead that is one unit; a throw of trumps is never needed. */
export function leads(order, hand) {
  const pairs = pairsIn(hand);
  const found = [...new Set(hand)].map((card) => [card]);
  for (const suit of [...SUITS, TRUMP_SUIT]) {
    const ofSuit = order.inSuit(pairs, suit);
    for (let length = 1; length <= ofSuit.length; length++) {
      const runs = length === 1 ? ofSuit.map((card) => [card]) : tractorsIn(order, ofSuit, length);
      if (runs.length === 0) break;
      found.push(...runs.map((run) => run.flatMap((card) => [card, card])));
    }
  }
  return found;
}

/**
 * What a hand may play to a lead of `unit`: one of `options`, and `count` cards of `rest`, freely
 * chosen. Every option with any such rest is legal.
 */
export function follows(order, hand, unit) {
  const held = order.inSuit(hand, unit.suit);
  if (held.length <= unit.size) {
    return { options: [held], count: unit.size - held.length, rest: without(hand, held) };
  }
  if (unit.size === 1) return { options: held.map((card) => [card]), count: 0, rest: [] };
  const pairs = pairsIn(held);
  const chosen = pairs.length <= unit.pairs ? [pairs] : bestChoices(order, pairs, unit.pairs);
  return {
    options: chosen.map((cards) => cards.flatMap((card) => [card, card])),
    count: unit.size - 2 * chosen[0].length,
    rest: held.filter((card) => !pairs.includes(card)),
  };
}

/** Every choice of `count` pairs that shows the longest tractors that the hand could show. */
function bestChoices(order, pairs, count) {
  const owed = String(bestRuns(order, pairs, count));
  return subsets(pairs, count).filter((choice) => String(bestRuns(order, choice, count)) === owed);
}

function subsets(items, count) {
  if (count === 0) return [[]];
  return items.flatMap((item, at) => subsets(items.slice(at + 1), count - 1).map((rest) => [item, ...rest]));
}

/** The greatest list of lengths of disjoint tractors (1: a lone pair) that sums to `limit` at most. */
function bestRuns(order, pairs, limit, longest = limit) {
  for (let length = Math.min(limit, longest); length > 0; length--) {
    const lists = tractorsIn(order, pairs, length).map((run) => [
      length,
      ...bestRuns(order, without(pairs, run), limit - length, length),
    ]);
    if (lists.length > 0) return lists.reduce((best, list) => (isGreater(list, best) ? list : best));
  }
  return [];
}

function isGreater(list, other) {
  const at = list.findIndex((length, index) => length !== other[index]);
  return at >= 0 && (other[at] === undefined || list[at] > other[at]);
}
