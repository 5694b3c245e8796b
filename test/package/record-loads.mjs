/** For `node --import`: writes down the address of every module that is loaded, to the file in LOADED. */
import { appendFileSync } from 'node:fs'
import { register } from 'node:module'

register(import.meta.url)

export async function load(url, context, next) {
  appendFileSync(process.env.LOADED, `${url}\n`)
  return next(url, context)
}
