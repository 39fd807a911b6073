const commands: readonly unknown[] = ["preview", "up", "refresh", "destroy"];

const forms = {
  rehearse: 'rehearse("up", { program: FOLDER, state: FILE })',
  rehearseInProcess: 'rehearseInProcess({ command: "up", program: (stack) => { ... }, providers: { ... } })',
};

/**
 * Programs in JavaScript may confuse the two functions, and one that is given nothing that it knows would do nothing and succeed.
 *
 * @param needed the options that there must be, and their types
 * @throws TypeError with what the function takes
 */
export function refuseOtherArguments(
  name: keyof typeof forms,
  command: unknown,
  options: unknown,
  needed: Readonly<Record<string, "string" | "function" | "object">>,
): void {
  const given = new Map<string, unknown>(Object.entries(options ?? {}));
  const wrong = Object.entries(needed).find(([option, type]) => typeof given.get(option) !== type || given.get(option) === null);
  const problem = !commands.includes(command)
    ? `the command must be one of ${commands.join(", ")}`
    : wrong && `${wrong[0]} must be ${wrong[1] === "object" ? "an object" : `a ${wrong[1]}`}`;
  if (!problem) return;
  const other = name === "rehearse" ? "rehearseInProcess" : "rehearse";
  const what = { rehearse: "runs the project of a folder", rehearseInProcess: "runs a program that is a function" };
  throw new TypeError(`${name}: ${problem}. Call it as ${forms[name]}. ${other} ${what[other]}: ${forms[other]}.`);
}
