/** What to use, and other clients' names for it, separated by spaces. */
export type Habits = readonly (readonly [use: string, names: string])[];

/** The first option that does not exist, in sentences that show no value: it may be a secret. */
export function unknownOption(
  given: object,
  owner: string,
  names: readonly string[],
  habits: Habits = [],
): { readonly name: string; readonly summary: string; readonly remedy: string } | undefined {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return undefined;
  const same = names.map((known) => [known, known] as const);
  const [use] = [...same, ...habits].find((habit) => isMeant(habit, unknown)) ?? [];
  // Any other name may be a secret in the wrong place.
  const isWord = /^(?!svc_|rly_|whsec_)[a-z]\w{0,39}$/i.test(unknown);
  const name = isWord ? unknown : 'One of the names';
  const remedy = use ? `Use ${use}.` : `It takes ${names.join(', ')}.`;
  return { name, summary: `${name} is not an option of ${owner}`, remedy };
}

function isMeant([, names]: Habits[number], name: string): boolean {
  return ` ${plain(names)} `.includes(` ${plain(name)} `);
}

/** Without case, and without what separates words: `base_url` and `baseURL` are the same. */
function plain(text: string): string {
  return text.replace(/[_-]/g, '').toLowerCase();
}
