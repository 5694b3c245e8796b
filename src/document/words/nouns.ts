/** Plurals that no rule explains. */
export const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  children: 'child',
  men: 'man',
  women: 'woman',
  indices: 'index',
  vertices: 'vertex',
  matrices: 'matrix',
  criteria: 'criterion',
  movies: 'movie',
  cookies: 'cookie',
  caches: 'cache',
  leaves: 'leaf',
}

/** Without a plural of their own, or the same in both. */
export const INVARIABLE = /(ss|us|sis|xis|news|series|species)$/

/** Plurals that lose `es`, rather than `s`. */
export const ENDS_WITH_ES = /(ss|x|zz|tz|ch|sh|tus|rus|ias|bus)es$/

/** The start of words that have the article "an": an hour. */
export const VOWEL = /^([aeiou]|ho(ur|nest|nou?r)|heir)/i

/** The start of words with a vowel that is spoken as in "you" and "one". */
export const CONSONANT = /^(uni(?![nm])|ur[ail]|us[aeu]|util|ubiq|uuid|u[ikt]\b|usb|eu|ewe|one\b|once)/i
