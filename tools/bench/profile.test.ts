import { type CpuProfile, sharesOf, sharesTable } from "./profile";

const frames = [
  ["(idle)", ""],
  ["(garbage collector)", ""],
  ["writev", ""],
  ["parse", "file:///app/node_modules/zod/v4/core/parse.cjs"],
  ["load", "/app/node_modules/.pnpm/x/node_modules/@grpc/grpc-js/build/src/server.js"],
  ["send", "file:///app/dist/provider/apis/http/http.js"],
  ["decode", "file:///app/dist/provider/adapters/plugin/values.js"],
  ["push", "node:internal/streams/readable"],
  ["emit", "node:events"],
];
const profile: CpuProfile = {
  nodes: frames.map(([functionName = "", url = ""], id) => ({ id, callFrame: { functionName, url } })),
  samples: [0, 1, 2, 3, 4, 5, 6, 7, 8, 3],
  timeDeltas: [9000, 1000, 200, 300, 400, 500, 600, 700, 10, 100],
};

test("a profile is divided by package, by part of this package and by module of Node, without idle time", () => {
  expect(Object.fromEntries(sharesOf(profile, 10))).toEqual({
    "garbage collection": 0.1,
    "V8, and Node's native code": 0.02,
    zod: expect.closeTo(0.04),
    "@grpc/grpc-js": 0.04,
    "provider/apis/http": 0.05,
    "provider/adapters": 0.06,
    "Node's streams": expect.closeTo(0.07),
    "Node's events": 0.001,
  });
});

test("the table has the largest parts first, and small ones as one", () => {
  expect(
    sharesTable("created", [
      ["ours", sharesOf(profile, 10)],
      [
        "theirs",
        new Map([
          ["zod", 1],
          ["other", 0.01],
        ]),
      ],
    ]).split("\n"),
  ).toEqual([
    expect.stringMatching(/^\| ms of processor time per object created \| ours \| theirs \|$/),
    expect.stringMatching(/^\| -+ \| -+ \| -+ \|$/),
    expect.stringMatching(/^\| garbage collection +\| 0\.10 \| 0\.00 +\|$/),
    ...["Node's streams", "provider/adapters", "provider/apis/http"].map((part) => expect.stringContaining(`| ${part} `)),
    expect.stringMatching(/^\| zod +\| 0\.04 \| 1\.00 +\|$/),
    expect.stringContaining("| @grpc/grpc-js "),
    expect.stringMatching(/^\| all others +\| 0\.02 \| 0\.01 +\|$/),
    expect.stringMatching(/^\| together +\| 0\.38 \| 1\.01 +\|$/),
  ]);
});
