/** One part in a process of its own, so that it is not measured with what another one left behind. */
import type { Mode } from './outcome.js'
import { parts } from './parts.js'

// Whoever asked is gone.
process.on('disconnect', () => process.exit(1))

const [name = '', mode = '{}'] = process.argv.slice(2)
const outcome = await parts[name]?.run(JSON.parse(mode) as Mode)
process.send?.(outcome, () => process.exit())
