import {
  Composer,
  Document,
  type DocumentOptions,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  visit,
} from 'yaml'
import { escapeInvisible, isVisible } from './text.js'

/** Text that is not YAML, or that stands for more than JSON can express. The message is one sentence for the user. */
export class YamlError extends Error {}

/** Parses a YAML document to the values that JSON has. Integers are exact, as with `parseJson`. Throws a YamlError. */
export function parseYaml(text: string): unknown {
  return toValues(() => readDocument(text).toJS({ reviver: (_key, value) => toExactNumber(value) }))
}

function toValues(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    // An unknown alias, or too many.
    if (error instanceof ReferenceError) throw new YamlError(`Invalid YAML: ${error.message}`)
    // An alias may refer to a list or map that contains it.
    if (error instanceof RangeError) throw new YamlError(STACK_OVERFLOW)
    throw error
  }
}

/** Parses a YAML document with numbers as `JSON.parse` reads them, and accepts large ones faster. Throws a YamlError. */
export function parseYamlDocument(text: string): unknown {
  // The library would compare each key with all others.
  return toValues(() => readDocument(text, { intAsBigInt: false, uniqueKeys: false }).toJS())
}

/** Writes JSON values as YAML. Values that occur twice are written twice. */
export function formatYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_key, node) {
      // Only there can such characters be escaped.
      if (!isVisible(String(node.value))) node.type = 'QUOTE_DOUBLE'
    },
  })
  return escapeInvisible(document.toString({ lineWidth: 120 }))
}

const STACK_OVERFLOW = 'Nested too deeply, or contains itself.'

function readDocument(text: string, options: Options = {}) {
  const lineCounter = new LineCounter()
  const document = composeDocument(text, lineCounter, {
    intAsBigInt: true,
    // Not as dates, sets or bytes, which JSON does not have.
    resolveKnownTags: false,
    ...options,
  })
  // Without its tag, a value may mean something else.
  const problem = document.errors[0] ?? document.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED')
  if (problem === undefined) return document
  if (problem.code === 'RESOURCE_EXHAUSTION') throw new YamlError(STACK_OVERFLOW)
  const { line, col } = lineCounter.linePos(problem.pos[0])
  throw new YamlError(`Invalid YAML at line ${line}, column ${col}: ${problem.message}`)
}

type Options = ParseOptions & DocumentOptions & SchemaOptions

const MAX_DEPTH = 400

/** The library composes recursively. Node aborts if it compiles a regular expression at the end of the stack. */
class ShallowParser extends Parser {
  override *next(source: string) {
    yield* super.next(source)
    if (this.stack.length > MAX_DEPTH) throw new YamlError(STACK_OVERFLOW)
  }
}

/** Instead of `parseDocument` of the library, which takes no parser. Throws a YamlError. */
function composeDocument(text: string, lineCounter: LineCounter, options: Options): Document.Parsed {
  const tokens = new ShallowParser(lineCounter.addNewLine).parse(text)
  const [document, next] = new Composer(options).compose(tokens, true, text.length)
  if (next === undefined) return document as Document.Parsed
  const { line, col } = lineCounter.linePos(next.range[0])
  throw new YamlError(`Invalid YAML at line ${line}, column ${col}: Contains multiple documents.`)
}

/**
 * The line of each place in a text that is YAML or JSON, or of the nearest place around it that exists. None if the text is
 * nested too deeply.
 */
export function findLines(text: string, places: readonly (readonly string[])[]): number[] {
  const lineCounter = new LineCounter()
  let contents: unknown
  try {
    contents = composeDocument(text, lineCounter, {}).contents
  } catch {
    return []
  }
  return places.map((place) => {
    let node: unknown = contents
    let start = 0
    for (const name of place) {
      const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name) : undefined
      const item = pair?.key ?? (isSeq(node) ? node.items[Number(name)] : undefined)
      const range = (item as { range?: readonly number[] } | undefined)?.range
      if (range === undefined) break
      start = range[0] as number
      node = pair === undefined ? item : pair.value
    }
    return lineCounter.linePos(start).line
  })
}

/** Integers as `parseJson` returns them: a number if it is exact, otherwise a bigint. */
function toExactNumber(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}
