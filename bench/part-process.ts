/** Runs one part in a separate process, so that its measurements are not affected by the memory of other parts. */
import type { Mode } from './outcome.js'
import { parts } from './parts.js'

// The parent process has exited.
process.on('disconnect', () => process.exit(1))

const [name = '', mode = '{}'] = process.argv.slice(2)
const outcome = await parts[name]?.run(JSON.parse(mode) as Mode)
process.send?.(outcome, () => process.exit())
