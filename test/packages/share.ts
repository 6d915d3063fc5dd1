/** Which of the consumers run: `SHARE=2/4` takes the second quarter. Default: all. */
const [nth = 1, of = 1] = (process.env.SHARE ?? '1/1').split('/').map(Number);

export function shareOf<Consumer>(all: readonly Consumer[]): readonly Consumer[] {
  return all.filter((_, index) => index % of === nth - 1);
}
