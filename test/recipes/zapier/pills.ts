/** The output of a step, by the names that Zapier shows for its fields. */
export type Outputs = ReadonlyMap<string, unknown>;

const pill = /\{\{(\d+)\. ([^}]+)\}\}/g;

/**
 * The value of a field in which a person wrote text and picked fields of earlier steps, such as
 * `WELCOME-{{2. User ID}}`. A single picked field keeps its type. Throws for a field that no step
 * offers.
 */
export function fill(text: string, outputs: readonly Outputs[]): unknown {
  const chosen = (number: string, label: string): unknown => {
    const step = outputs[Number(number) - 1];
    if (!step?.has(label)) {
      const offered = [...(step?.keys() ?? [])].join(', ') || 'nothing';
      throw new Error(`Step ${number} offers no field "${label}", but ${offered}.`);
    }
    return step.get(label) ?? '';
  };
  const [alone] = text.matchAll(pill);
  const [whole, number = '', label = ''] = alone ?? [];
  if (whole === text) return chosen(number, label);
  return text.replace(pill, (_match, ...groups: string[]) =>
    String(chosen(groups[0] ?? '', groups[1] ?? '')),
  );
}
