const whyNot =
  process.platform === "win32" && "Windows has no modes and owners of files, no /dev, and wants a privilege for links to files";

/** A test of a feature that only Unix-like systems have. On other systems it only prints why it is left out. */
export function posixTest(name: string, run: () => unknown): void {
  test(name, async () => {
    if (whyNot) console.log(`Left out: ${whyNot}.`);
    else await run();
  });
}
