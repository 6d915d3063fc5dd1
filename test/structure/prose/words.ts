/** A word or phrase that is not written here, and what to write instead. */
export interface Word {
  readonly not: RegExp;
  readonly say: string;
}

/** One word per concept. */
const concepts: Readonly<Record<string, Word>> = {
  response: { not: /\banswer(?:s|ed|ing)?\b/gi, say: 'response, respond' },
  duplicate: {
    not: /\brepeat(?:s|ed|edly|ing)?\b/gi,
    say: 'duplicate (delivery, event), retry (request), or "again"',
  },
  retry: {
    not: /\b(?:try|tries|tried|trying) (?:it |them |this |that )?again\b|\banother (?:try|attempt)\b|\b(?:two|three|four|five|more|further|first|last|second|next) (?:try|tries)\b/gi,
    say: 'retry, attempt',
  },
  'rate limit': {
    not: /\ballowances?\b|\blimit of (?:calls|requests)\b|\bcalls (?:a|per|in a) (?:minute|second)\b/gi,
    say: 'rate limit, requests per minute',
  },
  team: {
    // The guide links the two words once, as "the administration of the service in the contract".
    not: /\badministration\b(?! of the service in the contract)/gi,
    say: 'the Screen Advertising team',
  },
  expires: {
    not: /\b(?:tokens?|sessions?|links?|keys?) (?:ends?|ended|is over|are over)\b|\babout to end\b/gi,
    say: 'expires, expired',
  },
  ID: {
    not: /\bidentifiers?\b|\bnumber of (?:a|the|your) (?:user|lead|request|campaign|coupon|screen|app)\b/gi,
    say: 'ID',
  },
  availability: { not: /\bfree ad time\b/gi, say: 'availability, available ad time' },
  arrive: {
    not: /\b(?:deliver(?:y|ies)|events?|responses?|requests?|retr(?:y|ies)) (?:come|comes|came|coming)\b/gi,
    say: 'arrive (delivery, event), is sent (request)',
  },
};

/** American English. */
const american: Readonly<Record<string, Word>> = {
  email: { not: /\be-mails?\b|\bmails?\b/gi, say: 'email' },
  spelling: {
    not: /\b(?:cancelled|cancelling|licences?|behaviours?|colours?|favours?|neighbours?|honours?|centre|criticise|recognise[ds]?|organise[ds]?|realise[ds]?|minimise[ds]?|serialise[ds]?|normalise[ds]?|initialise[ds]?|misspelt|learnt|spelt|whilst|amongst|look-ups?)\b/gi,
    say: 'American spelling: canceled, license, behavior, color, center, recognize, lookup',
  },
};

/** Phrases that read like a translation. */
const riddles: Readonly<Record<string, Word>> = {
  nobody: { not: /\b(?:nobody|somebody|anybody|everybody)\b/gi, say: 'you, a user, a client' },
  whoever: {
    not: /\b(?:whoever|whomever|the one who|for who)\b/gi,
    say: 'you, the client, anyone who',
  },
  tell: {
    not: /\b(?:told|tells|telling)\b|\btell (?:of|whether|apart|from)\b|\bcan tell\b/gi,
    say: 'report, show, mention',
  },
  'is there': {
    not: /\b(?:that|what|which|who) (?:is|are|was|were) there\b|\bwhat there (?:is|are)\b|\bwhat (?:came|comes|went)\b/gi,
    say: 'exists, or name the thing',
  },
  continue: { not: /\b(?:go|goes|going|went|gone) on\b/gi, say: 'continue' },
  also: { not: /\bbesides\b/gi, say: 'also, in addition, other than' },
  again: { not: /\b(?:anew|afresh|once more)\b/gi, say: 'again, or a verb with re-' },
  fix: { not: /\bmend(?:s|ed|ing)?\b/gi, say: 'fix' },
  pass: { not: /\bhand(?:s|ed|ing)? (?:on|over)\b/gi, say: 'pass, send' },
  return: { not: /\b(?:give|gives|gave|given|giving) (?:it |them |one )?back\b/gi, say: 'return' },
  'is in': {
    not: /\bstands? (?:in|there|at|under|on|beside)\b|\bas (?:it|they) stands?\b/gi,
    say: 'is in',
  },
  'your own': { not: /\bof (?:your|its|their|our|his|one's) own\b/gi, say: 'your own …' },
  'is not': {
    not: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|such\b)/gi,
    say: 'is not a …',
  },
  had: { not: /\b(?:be|is|are|was|were) had\b/gi, say: 'get, receive' },
  'makes up': { not: /\bma(?:ke|kes|de|king) up\b(?! to\b)/gi, say: 'generate, invent' },
  automatically: {
    not: /\bby (?:itself|themselves|yourself)\b/gi,
    say: 'automatically, on its own, or nothing',
  },
  'found nothing': { not: /\bf(?:ound|inds) nothing\b/gi, say: 'No screen has the ID …' },
  plain: {
    not: /\b(?:nevertheless|thereby|whereby|thereof|therein|wherein|hence|henceforth)\b|\bin (?:peace|vain)\b|\bat hand\b|\bof late\b|\bso far as\b/gi,
    say: 'a plain word: so, still, available',
  },
  concerned: { not: /\b(?:is|are|was|were) (?:not )?concerned\b/gi, say: 'affects' },
};

export const words: Readonly<Record<string, Word>> = { ...concepts, ...american, ...riddles };
