/** One line for the bot's author; standard output is not used. */
export function log(line) {
  process.stderr.write(`bot: ${line}\n`);
}
