import { rehearseCommand } from "./rehearse-command";

const cancellation = new AbortController();
/** The first time the operation is ended in good order; the second time the processes are killed as this one exits. */
function interrupt(): void {
  if (cancellation.signal.aborted) process.exit(130);
  cancellation.abort();
}
process.on("SIGINT", interrupt).on("SIGTERM", interrupt);

rehearseCommand(process.argv.slice(2), { print: console.log, complain: console.error }, cancellation.signal).then((code) => {
  process.exitCode = code;
});
