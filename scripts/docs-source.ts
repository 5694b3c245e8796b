/**
 * Reads what the sources say of themselves: what a module exports, what an interface declares, and the comments above
 * them, so that the words stand once and next to what they speak of.
 */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { oneLine } from './docs-markdown.js'

const root = fileURLToPath(new URL('../', import.meta.url))

const OPTIONS: ts.CompilerOptions = {
  // Comments and names are all that is asked for: neither the types of the language nor those of packages matter.
  noLib: true,
  types: [],
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
}

export interface Source {
  /** What a module exports, in the order of the alphabet. */
  exportsOf(file: string): Export[]
  /** What an interface declares itself, in its order; overloads are one. */
  membersOf(file: string, name: string): Member[]
  /** The literals among the members of an object that a constant holds. */
  literalsOf(file: string, name: string): Map<string, unknown>
}

interface Export {
  readonly name: string
  readonly isType: boolean
  readonly words: string
}

export interface Member {
  readonly name: string
  /** With its parameters, where it is called. */
  readonly signature: string
  readonly words: string
  /** What the comment says behind "Default:". */
  readonly usual: string
}

/** Reads the given files and all that they import from one another. */
export function readSource(files: readonly string[]): Source {
  const program = createProgram(files)
  const checker = program.getTypeChecker()

  function sourceOf(file: string): ts.SourceFile {
    const found = program.getSourceFile(root + file)
    if (found === undefined) throw new Error(`${file} is not among the sources that are read`)
    return found
  }

  const wordsOf = (symbol: ts.Symbol) => oneLine(ts.displayPartsToString(symbol.getDocumentationComment(checker)))

  function toExport(exported: ts.Symbol): Export {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    return { name: exported.name, isType: (symbol.flags & ts.SymbolFlags.Value) === 0, words: wordsOf(symbol) }
  }

  return {
    exportsOf(file) {
      const module = checker.getSymbolAtLocation(sourceOf(file))
      if (module === undefined) throw new Error(`${file} exports nothing`)
      return checker
        .getExportsOfModule(module)
        .map(toExport)
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    membersOf(file, name) {
      const declared = find(sourceOf(file), ts.isInterfaceDeclaration, name).members
      const symbols = new Set(declared.flatMap((member) => checker.getSymbolAtLocation(member.name as ts.Node) ?? []))
      return [...symbols].map((symbol) => ({
        name: symbol.name,
        signature: signatureOf(symbol),
        ...partDefault(wordsOf(symbol)),
      }))
    },
    literalsOf(file, name) {
      const { initializer } = find(sourceOf(file), ts.isVariableDeclaration, name)
      const members = initializer && ts.isObjectLiteralExpression(initializer) ? [...initializer.properties] : []
      return new Map(members.filter(ts.isPropertyAssignment).flatMap((member) => readLiteral(member)))
    },
  }
}

function createProgram(files: readonly string[]): ts.Program {
  const host = ts.createCompilerHost(OPTIONS)
  host.resolveModuleNameLiterals = (names, file) =>
    names.map(({ text }) =>
      text.startsWith('.') ? ts.resolveModuleName(text, file, OPTIONS, host) : { resolvedModule: undefined },
    )
  return ts.createProgram(
    files.map((file) => root + file),
    OPTIONS,
    host,
  )
}

function find<Found extends ts.InterfaceDeclaration | ts.VariableDeclaration>(
  source: ts.SourceFile,
  is: (node: ts.Node) => node is Found,
  name: string,
): Found {
  const search = (node: ts.Node): Found | undefined =>
    is(node) && node.name.getText() === name ? node : ts.forEachChild(node, search)
  const found = search(source)
  if (found === undefined) throw new Error(`there is no ${name} in ${source.fileName.slice(root.length)}`)
  return found
}

/** The name, and those of the parameters that the longest of its overloads takes. */
function signatureOf(symbol: ts.Symbol): string {
  const declarations = (symbol.declarations ?? []).filter(ts.isMethodSignature)
  if (declarations.length === 0) return symbol.name
  const all = declarations.map(({ parameters }) => parameters.map((parameter) => parameter.name.getText()))
  return `${symbol.name}(${all.reduce((longest, each) => (each.length > longest.length ? each : longest)).join(', ')})`
}

function partDefault(comment: string): { words: string; usual: string } {
  const [, words = comment, usual = ''] = /^(.*?) ?Default: (.+)\.$/.exec(comment) ?? []
  return { words, usual: /^(?:true|false|[\d,]+)$/.test(usual) ? `\`${usual}\`` : usual }
}

function readLiteral({ name, initializer }: ts.PropertyAssignment): [string, unknown][] {
  if (ts.isStringLiteral(initializer)) return [[name.getText(), initializer.text]]
  if (initializer.kind === ts.SyntaxKind.TrueKeyword) return [[name.getText(), true]]
  if (initializer.kind === ts.SyntaxKind.FalseKeyword) return [[name.getText(), false]]
  return []
}
