import { cases } from './interception.js'

for (const [name, run] of Object.entries(cases)) Deno.test(name, run)
