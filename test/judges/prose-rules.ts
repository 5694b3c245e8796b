/** Harper's rules that are switched off, and why. All others, some 870, are on. */
export const OFF: Readonly<Record<string, string>> = {
  Anybody: 'takes "any body" of a request for "anybody"',
  CompoundNouns: 'wants "hostname" and "datasets", where we write two words',
  Dashes: 'takes the names of flags for dashes',
  ExpandControl: 'wants "Control-C" for Ctrl-C',
  ExpandMemoryShorthands: 'wants "megabytes" for MB',
  ExpandTimeShorthands: 'wants "milliseconds" for ms',
  OrthographicConsistency: 'does not know a word at the start of a sentence, such as "Ids"',
  OutOfDate: 'wants hyphens in "is out of date"',
  OxfordComma: 'a matter of taste: our lists have none',
  SentenceCapitalization: 'names such as msw start sentences, and cells of tables are not sentences',
  SplitWords: 'takes names such as vitest apart, even those in our list of words',
  UseTitleCase: 'a matter of taste: our headings are sentences',
}

/** Single findings that are wrong: the rule and its text. */
export const ACCEPTED: readonly (readonly [rule: string, text: string])[] = [
  // "A field that is left out stays as it is."
  ['DisjointPrefixes', 'out stays'],
  // "… under State": the name of a tab.
  ['DisjointPrefixes', 'under State'],
  // "a leading `-`"
  ['MassNouns', 'a leading'],
  // "It needs bash"
  ['MissingTo', 'needs'],
  // "walk over all records"
  ['Overall', 'over all'],
  ['PhrasalVerbAsCompoundNoun', 'loopback'],
  // "With --url: …", the name of a flag
  ['SpellCheck', 'url'],
  // "openapi-backend", "openapi-typescript", "@mockoon/cli"
  ['SpellCheck', 'openapi'],
  ['SpellCheck', 'mockoon'],
  ['SpellCheck', 'typescript'],
  // "The header then lists"
  ['ThenThan', 'then'],
]

/** Names and technical words that are in no dictionary; their possessive forms are accepted, too. */
export const WORDS: readonly string[] = `
  Ajv ajv Asana DigitalOcean PetClinic ApiError AsyncAPI axios fulfilled Counterfact deno esbuild Hono jsdom mkcert mockd Mockoon MockServer msw mswjs nginx nock Nuxt
  petstore preact undici vite vitest WireMock TanStack pytest xdist JUnit backreferences addon mock misspelt serializers got base64 bigint cli CommonJS cors Ctrl dom Esc esm HAR HSTS http
  https IndexedDB int64 js json KB MB md modelcontextprotocol OpenAPI operationId operationIds PEM RST sdk SIGHUP SIGTERM ssr ui UTF W3C WSDL
  x509 yaml MockAgent MockError RequestMatch TextDecoder TextEncoder XMLHttpRequest P1DT2H
`
  .trim()
  .split(/\s+/)

/** Words that we do not use, and what we say instead. */
export const REPLACED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\btest doubles?\b/gi, 'mock'],
  [/\bstand-ins?\b/gi, 'mock'],
  [/\bdoors?\b/gi, 'adapter, or way to run it'],
  [/\bworlds?\b/gi, 'starting data, state or data'],
  [/\bcontrol planes?\b/gi, 'admin API'],
  [/\boccupants?\b/gi, 'sandbox'],
  [/\b(?:disturbances?|interferences?)\b/gi, 'fault'],
  [/\bcomplaints?\b/gi, 'unreported error'],
  [/\bstart(?:s|ed)? over\b/gi, 'reset'],
  [/\b(?:the|an) answers?\b/gi, 'response'],
  [/\bone's own\b/gi, 'your own, custom'],
  [/\bspeaks? of\b/gi, 'matches'],
  [/\bhears? of\b/gi, 'is called with, is reported to'],
]
