import * as z from "zod";
import { UsageError } from "../../cli/command-line";
import { adapterNames, engineNames } from "../engines/engine";
import { type Figures, operations } from "./figures";
import { carryingName, providerNames } from "./subjects";

const measured = {
  operation: z.enum(operations),
  size: z.number(),
  latencyMs: z.number(),
  requests: z.number(),
  wallMs: z.number(),
};

const figures = z.object({
  date: z.string(),
  machine: z.object({
    platform: z.string(),
    processors: z.number(),
    load: z.number(),
    node: z.string(),
    cli: z
      .string()
      .optional()
      .transform((version) => version),
  }),
  engine: z.enum(engineNames),
  samples: z.array(
    z.object({
      ...measured,
      engine: z.enum([...engineNames, "no checkpoints", "none"]),
      provider: z.enum([...providerNames, carryingName]),
      adapter: z.enum(adapterNames),
      usage: z
        .object({ cpuMs: z.number(), peakMiB: z.number() })
        .optional()
        .transform((usage) => usage),
      stateBytes: z.number().optional(),
    }),
  ),
  starts: z.array(z.object({ what: z.string(), portMs: z.array(z.number()), responseMs: z.array(z.number()) })),
  settings: z.array(z.object({ ...measured, setting: z.string() })),
});

/** The figures of a file that `--json` has written. @throws UsageError for another file */
export function figuresIn(text: string, file: string): Figures {
  const found = figures.safeParse(JSON.parse(text));
  if (!found.success) throw new UsageError(`--from ${file}: these are no figures of a bench: ${z.prettifyError(found.error)}`);
  return found.data;
}

/** All figures, under the date and the machine of the last ones. */
export function mergedFigures(all: readonly Figures[]): Figures {
  const last = all.at(-1);
  if (!last) throw new Error("there are no figures to merge");
  return {
    ...last,
    samples: all.flatMap(({ samples }) => samples),
    starts: all.flatMap(({ starts }) => starts),
    settings: all.flatMap(({ settings }) => settings),
  };
}
