// One table as one seat sees it: built from the events of the turns, nothing else.

import { Order, beats, points, unitOf } from "./rules.js";

export class Table {
  /** `buried` is what the declarer remembers of a table that is opened again after a reconnect. */
  constructor(seat, seats, buried = []) {
    this.seat = seat;
    this.seats = seats;
    this.standingBid = null;
    this.declarer = null;
    this.order = null;
    this.hand = [];
    this.unseen = [];
    this.seen = []; // every card played so far
    this.buried = buried; // known to the declarer alone
    this.voidSeats = []; // seats that hold no trump
    this.trick = []; // plays of the current trick: { seat, cards }
  }

  observe(event) {
    const body = event[event.event];
    switch (event.event) {
      case "bidMade":
        this.standingBid = body.bid ?? this.standingBid; // a pass carries no bid
        break;
      case "kittyShown":
        this.declarer = body.declarer;
        break;
      case "trumpNamed":
        this.order = new Order(body.trump);
        break;
      case "played":
        this.trick.push({ seat: body.seat, cards: [...body.cards] });
        this.seen.push(...body.cards);
        break;
      case "announced":
        this.voidSeats = body.voidSeats;
        break;
      case "trickWon":
        this.trick = [];
        break;
    }
  }

  get isDeclarer() {
    return this.seat === this.declarer;
  }

  /** The trick on the table: what was led, the unit that wins so far, who wins, the points; null if ours to lead. */
  standing() {
    if (this.trick.length === 0) return null;
    const [lead, ...others] = this.trick;
    const led = unitOf(this.order, lead.cards); // null for a throw
    let best = led;
    let winner = lead.seat;
    for (const play of led === null ? [] : others) {
      if (!beats(this.order, play.cards, best)) continue;
      best = unitOf(this.order, play.cards);
      winner = play.seat;
    }
    return { size: lead.cards.length, led, best, winner, points: points(this.trick.flatMap((play) => play.cards)) };
  }

  /** Whether two seats play for different sides: the declarer plays alone. */
  areOpposed(seat, other) {
    return seat !== other && (seat === this.declarer || other === this.declarer);
  }

  /** How many opponents of ours still play to the current trick after us. */
  opponentsBehind() {
    const played = new Set([this.seat, ...this.trick.map((play) => play.seat)]);
    const others = Array.from({ length: this.seats }, (_, seat) => seat).filter((seat) => !played.has(seat));
    return others.filter((seat) => this.areOpposed(this.seat, seat)).length;
  }

  /** Take the own cards of a turn, and find the others: neither ours nor played, so in other hands, or buried. */
  hold(hand) {
    this.hand = hand;
    const known = [...hand, ...this.seen, ...this.buried];
    const copies = Array(55).fill(2);
    for (const card of known) copies[card] -= 1;
    this.unseen = copies.flatMap((left, card) => (card > 0 ? Array(left).fill(card) : []));
  }

  /** Whether nothing unseen of its suit beats a unit. */
  isMaster(unit) {
    const higher = this.unseen.filter(
      (card) => this.order.suit(card) === unit.suit && this.order.level(card) > unit.top,
    );
    return unit.pairs === 0 ? higher.length === 0 : new Set(higher).size === higher.length;
  }
}
