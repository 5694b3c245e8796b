import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packInto } from '../support/packed.js'
import { run } from './tools.js'

export interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

let build: Promise<string> | undefined

/** Packs the last build, as it would be published, once for all judges. Returns the tarball. */
export function packBuild(): Promise<string> {
  build ??= packInto(createFolder())
  return build
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-judges-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Packs a project into the folder. Returns the tarball. */
export async function pack(folder: string, project: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  const { code, stdout, output } = await run('npm', args, project)
  if (code !== 0) throw new Error(`npm pack ended with exit code ${code}\n${output}`)
  return join(folder, stdout.trim().split('\n').at(-1) as string)
}

/** Unpacks the tarball into the folder, and returns the folder of the package. */
export async function unpack(tarball: string, folder: string): Promise<string> {
  const { code, output } = await run('tar', ['-xzf', tarball, '-C', folder])
  if (code !== 0) throw new Error(`tar ended with exit code ${code}\n${output}`)
  return join(folder, 'package')
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** A package with an entry without a file, and with an unused file. */
export function writeWrongPackage(folder: string): string {
  const project = join(folder, 'wrong')
  mkdirSync(project)
  const exports = { '.': { types: './index.d.ts', default: './index.js' }, './missing': './missing.js' }
  const manifest = { name: 'wrong', version: '1.0.0', type: 'module', exports, files: ['*.js', '*.ts'] }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(project, 'index.js'), 'export const one = 1\n')
  writeFileSync(join(project, 'index.d.ts'), 'export declare const one: 1\n')
  writeFileSync(join(project, 'unused.js'), 'export const two = 2\n')
  return project
}
