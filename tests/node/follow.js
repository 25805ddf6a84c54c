// Reads positions as JSON lines, writes what the example bot's rules say of each: `tests/node/test_rules.py` judges.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { Order, beats, follows, leads, unitOf } = await import(pathToFileURL(process.argv[2]).href);

for await (const line of createInterface({ input: process.stdin })) {
  const { trump, hand, lead } = JSON.parse(line);
  const order = new Order(trump);
  const unit = unitOf(order, lead);
  const cards = Array.from({ length: 54 }, (_, index) => index + 1);
  const answer = {
    suits: cards.map((card) => order.suit(card)),
    levels: cards.map((card) => order.level(card)),
    leads: leads(order, hand),
    unit,
    duty: unit && follows(order, hand, unit),
    winners: unit && leads(order, hand).filter((play) => beats(order, play, unit)),
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
