import { findNearest } from '../lib/nearest.js'
import { EVERY_FLAG, variableOf } from './flags.js'

const PREFIX = variableOf('')

/**
 * A warning for each variable that is nearly one of ours. Others that begin alike are left alone: the application that
 * the mock is for may well call the address of its pet store PETSTORE_URL. Values are never shown.
 */
export function findMisspelled(environment: NodeJS.ProcessEnv): string[] {
  const known = Object.keys(EVERY_FLAG).map(variableOf)
  const others = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !known.includes(name))
  return others.flatMap((name) => {
    const nearest = findNearest(name.slice(PREFIX.length), Object.keys(EVERY_FLAG))
    return nearest === undefined ? [] : [`there is no variable ${name}; did you mean ${variableOf(nearest)}?`]
  })
}
