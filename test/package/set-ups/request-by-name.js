import { request } from 'node:http'

/** In a file without a default import: for that, Babel would copy all functions of the module. */
export const requestByName = (...args) => request(...args)
