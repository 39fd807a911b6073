const whyNot =
  process.platform === "win32" && "Windows has no modes and owners of files, no /dev, and wants a privilege for links to files";

/** A test of a feature that only Unix-like systems have. Elsewhere it is left out, and says why. */
export function posixTest(name: string, run: () => unknown): void {
  test(name, async () => {
    if (whyNot) console.log(`Left out: ${whyNot}.`);
    else await run();
  });
}
