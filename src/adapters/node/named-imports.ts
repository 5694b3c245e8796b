import http, * as httpByName from 'node:http'
import https, * as httpsByName from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { shareBetweenBuilds } from '../../lib/share-between-builds.js'

/** What msw replaces in the modules themselves. Code that imports it by name has a copy of it. */
const NAMES = ['request', 'get', 'ClientRequest']

type Values = Readonly<Record<string, unknown>>

const originals = shareBetweenBuilds<{ values?: readonly Values[] | undefined }>('named imports', () => ({}))

/** Makes the named imports the same as the modules. */
export function replaceNamedImports(): void {
  originals.values ??= [readNames(httpByName), readNames(httpsByName)]
  syncBuiltinESMExports()
}

/** Makes them what they were, even if an msw server of the user still replaces the modules: nobody is told when it closes. */
export function restoreNamedImports(): void {
  if (originals.values === undefined) return
  const replaced = [readNames(http), readNames(https)]
  writeNames(originals.values)
  syncBuiltinESMExports()
  writeNames(replaced)
  originals.values = undefined
}

function readNames(module: object): Values {
  return Object.fromEntries(NAMES.filter((name) => name in module).map((name) => [name, Reflect.get(module, name)]))
}

function writeNames([ofHttp, ofHttps]: readonly Values[]): void {
  Object.assign(http, ofHttp)
  Object.assign(https, ofHttps)
}
