import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import * as z from "zod";
import { main, oneOf, readArguments, wholeNumber } from "../../cli/command-line";
import { dynamicAdapter, pluginAdapterBy } from "../support/adapters";
import { soak } from "./soak";

const usage = `usage: npm run soak -- [--sequences N] [--seed N] [--provider dynamic|plugin] [--dialect measured|documented]
  --sequences  how many random lifecycles to run; default 2000
  --seed       the same seed gives the same lifecycles; default random
  --provider   dynamic resources or the plugin; default dynamic
  --dialect    servers like the measured one, or as the API documents say; default measured
  --help       prints this`;

/** How many sequences a worker runs at a time. A batch has its own seed, by which it can be repeated alone. */
const batchSize = 250;
const largestSeed = 2 ** 31 - 1;

const adapters = { dynamic: dynamicAdapter, plugin: pluginAdapterBy("connectByGrpc") };
const adapterName = z.enum(["dynamic", "plugin"]);
const dialectName = z.enum(["measured", "documented"]);
const batch = z.object({ sequences: z.number(), seed: z.number(), adapter: adapterName, dialect: dialectName });
const report = z.union([z.object({ lived: z.number() }), z.object({ failure: z.string() })]);
type Batch = z.output<typeof batch>;

async function soaked(args: string[]): Promise<number> {
  const { sequences, seed, adapter, dialect } = readBatch(args);
  const batches = Array.from({ length: Math.ceil(sequences / batchSize) }, (_, index): Batch => {
    return { sequences: Math.min(batchSize, sequences - index * batchSize), seed: (seed + index) % largestSeed, adapter, dialect };
  });
  console.log(
    `${sequences} random lifecycles through the ${adapter} adapter, with ${dialect} servers, from the seed ${seed}, in batches of ${batchSize}`,
  );
  const started = Date.now();
  let lived = 0;
  let failures = 0;
  const takeTurns = async (): Promise<void> => {
    for (let next = batches.shift(); next; next = batches.shift()) {
      const result = await inWorker(next);
      const seconds = Math.round((Date.now() - started) / 1000);
      if ("lived" in result) {
        lived += result.lived;
        console.log(`${lived} of ${sequences} lifecycles done, ${seconds} s`);
      } else {
        failures += 1;
        console.error(
          `${result.failure}\nTo repeat it: npm run soak -- --sequences ${next.sequences} --seed ${next.seed} --provider ${adapter} --dialect ${dialect}`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, takeTurns));
  const seconds = (Date.now() - started) / 1000;
  console.log(`seed ${seed}: ${lived} lifecycles without a violation, ${failures} batches with one, in ${seconds.toFixed(0)} s`);
  return failures === 0 ? 0 : 1;
}

function readBatch(args: string[]): Batch {
  const text = { type: "string" } as const;
  const { values } = readArguments({ args, options: { sequences: text, seed: text, provider: text, dialect: text } });
  return {
    sequences: wholeNumber("sequences", values.sequences) ?? 2_000,
    seed: wholeNumber("seed", values.seed) ?? randomInt(largestSeed),
    adapter: oneOf(adapterName.options, "provider", values.provider) ?? "dynamic",
    dialect: oneOf(dialectName.options, "dialect", values.dialect) ?? "measured",
  };
}

/** Runs a batch in its own thread, which uses one processor. Its end closes everything that the batch has opened. */
function inWorker(wanted: Batch): Promise<z.output<typeof report>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(__filename, { workerData: wanted });
    worker.once("message", (message) => resolve(report.parse(message)));
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a worker ended without a result, with the code ${code}`)));
  });
}

async function work(): Promise<void> {
  const { adapter, ...given } = batch.parse(workerData);
  const result = await soak({ ...given, adapter: adapters[adapter] }).then(
    (lived) => ({ lived }),
    (error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }),
  );
  parentPort?.postMessage(result);
}

if (isMainThread) main(usage, soaked);
else work();
