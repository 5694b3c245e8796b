import { extname } from 'node:path'
import { compiledModule } from '../engine/document/compiled-module.js'
import { readService } from './choose-service.js'
import { UsageError } from './flag-values.js'
import { type Io, write } from './io.js'
import { checkOutputFile, writeOutputFile } from './output-file.js'
import type { CompileSettings } from './settings.js'

const TYPESCRIPT = ['.ts', '.mts']
const EXTENSIONS = ['.js', '.mjs', ...TYPESCRIPT]

/** Writes what a page needs of a document, or of the document of a service file, so that it can forbid `eval`. */
export async function compile(file: string, { output, force = false }: CompileSettings, io: Io): Promise<void> {
  const extension = output === undefined ? '.js' : extname(output)
  if (!EXTENSIONS.includes(extension)) {
    throw new UsageError(`--output must be a file name that ends in ${EXTENSIONS.join(', ')}.`)
  }
  if (output !== undefined) checkOutputFile(output, force)
  const { service } = await readService(file)
  const text = await compiledModule(service, { hasTypes: TYPESCRIPT.includes(extension) })
  if (output === undefined) await write(io.stdout, text)
  else writeOutputFile(output, text, force)
}
