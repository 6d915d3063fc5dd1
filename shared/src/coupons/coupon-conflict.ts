import type { Problem } from '../errors/screen-advertising-error.ts';

/**
 * What a new coupon conflicts with (section 7): its code is taken, or its lead has an active one.
 * Only the words of the service tell, since the contract does not show the values of `type`. `code`
 * is that of the request, if the caller knows it: it may be any word, and without one only the lead
 * can conflict.
 */
export function couponConflict(
  problem: Problem | undefined,
  code?: string,
): 'code' | 'lead' | 'either' {
  if (code === '') return 'lead';
  const words = `${problem?.title ?? ''} ${problem?.detail ?? ''}`;
  const said = code === undefined ? words : words.replaceAll(code, '');
  const isLead = /\blead|e-?mail|active/i.test(said);
  const isCode = /\bcode\b.*\b(taken|use|exists?)/i.test(said);
  if (isLead === isCode) return 'either';
  return isLead ? 'lead' : 'code';
}
