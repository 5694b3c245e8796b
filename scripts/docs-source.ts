/** Reads the exports of modules, the members of interfaces and their comments, so that descriptions are written only once. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { oneLine } from './docs-markdown.js'

const root = fileURLToPath(new URL('../', import.meta.url))

const OPTIONS: ts.CompilerOptions = {
  // Only names and comments are needed, so the types of the language and of packages are not loaded.
  noLib: true,
  types: [],
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
}

export interface Source {
  /** The exports of a module, sorted by name. */
  exportsOf(file: string): Export[]
  /** The members that an interface itself declares, in order; overloads are combined. */
  membersOf(file: string, name: string): Member[]
  /** The literal values in a constant object. */
  literalsOf(file: string, name: string): Map<string, unknown>
}

export interface Export {
  readonly name: string
  readonly kind: 'type' | 'function' | 'class' | 'constant'
  readonly description: string
}

export interface Member {
  readonly name: string
  /** With its parameters if it is a method. */
  readonly signature: string
  readonly description: string
  /** The text after "Default:" in the comment. */
  readonly defaultValue: string
}

/** Reads the given files and their imports. */
export function readSource(files: readonly string[]): Source {
  const program = createProgram(files)
  const checker = program.getTypeChecker()

  function sourceOf(file: string): ts.SourceFile {
    const found = program.getSourceFile(root + file)
    if (found === undefined) throw new Error(`${file} is not among the source files.`)
    return found
  }

  const descriptionOf = (symbol: ts.Symbol) => oneLine(ts.displayPartsToString(symbol.getDocumentationComment(checker)))

  function toExport(exported: ts.Symbol): Export {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    return {
      name: exported.name,
      kind: kindOf(symbol),
      description: descriptionOf(symbol),
    }
  }

  return {
    exportsOf(file) {
      const module = checker.getSymbolAtLocation(sourceOf(file))
      if (module === undefined) throw new Error(`${file} has no exports.`)
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
        ...splitDefault(descriptionOf(symbol)),
      }))
    },
    literalsOf(file, name) {
      const { initializer } = find(sourceOf(file), ts.isVariableDeclaration, name)
      const members = initializer && ts.isObjectLiteralExpression(initializer) ? [...initializer.properties] : []
      return new Map(members.filter(ts.isPropertyAssignment).flatMap((member) => readLiteral(member)))
    },
  }
}

function kindOf({ flags }: ts.Symbol): Export['kind'] {
  if ((flags & ts.SymbolFlags.Value) === 0) return 'type'
  if (flags & ts.SymbolFlags.Function) return 'function'
  return flags & ts.SymbolFlags.Class ? 'class' : 'constant'
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
  if (found === undefined) throw new Error(`${name} is not declared in ${source.fileName.slice(root.length)}.`)
  return found
}

/** The name with the parameters of its longest overload. */
function signatureOf(symbol: ts.Symbol): string {
  const declarations = (symbol.declarations ?? []).filter(ts.isMethodSignature)
  if (declarations.length === 0) return symbol.name
  const all = declarations.map(({ parameters }) => parameters.map((parameter) => parameter.name.getText()))
  return `${symbol.name}(${all.reduce((longest, each) => (each.length > longest.length ? each : longest)).join(', ')})`
}

function splitDefault(comment: string): { description: string; defaultValue: string } {
  const [, description = comment, defaultValue = ''] = /^(.*?) ?Default: (.+)\.$/.exec(comment) ?? []
  return {
    description,
    defaultValue: /^(?:true|false|[\d,]+)$/.test(defaultValue) ? `\`${defaultValue}\`` : defaultValue,
  }
}

/** The value of a member, or the first one of its list: the default in a row of options. */
function readLiteral({ name, initializer: given }: ts.PropertyAssignment): [string, unknown][] {
  const [initializer = given] = ts.isArrayLiteralExpression(given) ? given.elements : []
  if (ts.isStringLiteral(initializer)) return [[name.getText(), initializer.text]]
  if (initializer.kind === ts.SyntaxKind.TrueKeyword) return [[name.getText(), true]]
  if (initializer.kind === ts.SyntaxKind.FalseKeyword) return [[name.getText(), false]]
  return []
}
