export interface ForbiddenMark {
  readonly name: string;
  /** Written so that it does not match its own source. */
  readonly pattern: RegExp;
  /** The files that it applies to. */
  readonly files: RegExp;
}

const written = /^(?!pnpm-lock\.yaml$)/;
const code = /\.[cm]?[jt]sx?$/;
const tests = /^test\/.*\.ts$/;

/** Texts that no file of the project may contain. */
export const forbiddenMarks: readonly ForbiddenMark[] = [
  { name: 'work left for later', pattern: /\b(?:TO[D]O|FIX[M]E|HA[C]K)\b/, files: written },
  { name: 'a test left out', pattern: /[.](?:only|skip|todo|failing)\b\s*[(.`]/, files: tests },
  {
    name: 'a test left out by its name',
    pattern: /\b(?:fit|xit|xtest|fdescribe|xdescribe)[(]/,
    files: tests,
  },
  {
    name: 'a type error kept quiet',
    // The compiler refuses an expectation that is not met, so a type test may state one and why.
    pattern: /@ts-(?:ignore|nocheck|expect-error(?! [A-Z].*\.$))\b/,
    files: code,
  },
  { name: 'an ESLint rule switched off', pattern: /\beslint-disabl[e]\b/, files: code },
  {
    name: 'a Biome rule switched off without a reason',
    pattern: /\bbiome-ignor[e](?:-\w+)?(?!-?\w* [\w/]+: \S+ \S+)/,
    files: code,
  },
];

/** Every forbidden mark in a file, as `path:line holds …`. */
export function findMarks(path: string, text: string): string[] {
  const rules = forbiddenMarks.filter(({ files }) => files.test(path));
  return text
    .split('\n')
    .flatMap((line, index) =>
      rules
        .filter(({ pattern }) => pattern.test(line))
        .map(({ name }) => `${path}:${index + 1} holds ${name}`),
    );
}
