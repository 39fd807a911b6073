import { rehearseCommand } from "./rehearse-command";

const cancellation = new AbortController();
/** The first signal cancels the operation; at the second one this process exits, which kills the others. */
function interrupt(): void {
  if (cancellation.signal.aborted) process.exit(130);
  cancellation.abort();
}
process.on("SIGINT", interrupt).on("SIGTERM", interrupt);

rehearseCommand(process.argv.slice(2), { print: console.log, complain: console.error }, cancellation.signal).then((code) => {
  process.exitCode = code;
});
