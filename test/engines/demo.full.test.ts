/** The steps of the demo. */
import { play } from "../../tools/demo/play";
import { CheckFailed, type Step, steps } from "../../tools/demo/steps";
import { adapterNames } from "../../tools/engines/engine";
import { demoProject } from "../../tools/engines/project";
import { playOnBothEngines } from "../support/both-engines";

it.each(adapterNames)(
  "the demo succeeds through the %s adapter, with the same state and the same requests on both engines",
  async (adapter) => {
    await playOnBothEngines(
      (simulator) => demoProject(simulator, adapter),
      async ({ engine, simulator }) => {
        const said: string[] = [];
        const endedWell = await play({ engine, simulator, say: (line) => said.push(line) }, steps);
        expect(endedWell ? "ended well" : said.join("\n")).toBe("ended well");
      },
    );
  },
);

it("the demo ends with the first step that fails, and prints its result", async () => {
  await playOnBothEngines(
    (simulator) => demoProject(simulator),
    async ({ engine, simulator }) => {
      const said: string[] = [];
      const failing: Step = {
        title: "A check that fails",
        run: () => Promise.reject(new CheckFailed("the cluster has one role\n         found 0")),
      };
      const never: Step = { title: "Never reached", run: () => Promise.reject(new Error("reached")) };
      expect(await play({ engine, simulator, say: (line) => said.push(line) }, [failing, never])).toBe(false);
      expect(said.join("\n")).toBe("\n[1/2] A check that fails\n  NOT  the cluster has one role\n         found 0");
    },
  );
});
