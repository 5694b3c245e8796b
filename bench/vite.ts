/** How much longer Vite takes to start with the plugin. Each start with it follows one without it. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mode, Outcome } from './outcome.js'
import { type Command, here, start } from './processes.js'
import { median } from './statistics.js'
import { count, printTable, printTitle } from './table.js'

const SPAWNS = { quick: 7, full: 15 }
const PLUGIN = here('../dist/vite.js')
const VITE = here('../node_modules/vite/bin/vite.js')

export async function measureVite({ quick }: Mode): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-vite-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Shop</title>')
    symlinkSync(here('../node_modules'), join(folder, 'node_modules'))
    const without = writeConfig(folder, 'without', '')
    const withPlugin = writeConfig(folder, 'with', `import { petstoreMock } from ${JSON.stringify(PLUGIN)}`)
    const pairs: { without: number; withPlugin: number }[] = []
    // The first pair fills the caches of the disk.
    for (let round = 0; round <= (quick ? SPAWNS.quick : SPAWNS.full); round++) {
      const pair = { without: await spawnOnce(folder, without), withPlugin: await spawnOnce(folder, withPlugin) }
      if (round > 0) pairs.push(pair)
    }
    const figures = {
      without: median(pairs.map((pair) => pair.without)),
      withPlugin: median(pairs.map((pair) => pair.withPlugin)),
      difference: median(pairs.map((pair) => pair.withPlugin - pair.without)),
    }
    printTitle('Vite', 'From spawning Vite to its first response, medians in milliseconds.')
    printTable(
      ['without the plugin', 'with it', 'difference', 'spawns'],
      [[count(figures.without), count(figures.withPlugin), count(figures.difference), String(pairs.length)]],
    )
    return {
      figures,
      targets: [{ name: 'start of Vite with the plugin, ms more', value: figures.difference, atMost: 100 }],
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function writeConfig(folder: string, name: string, importPlugin: string): string {
  const file = join(folder, `${name}.config.js`)
  const plugins = importPlugin === '' ? '' : 'petstoreMock()'
  writeFileSync(file, `${importPlugin}\nexport default { plugins: [${plugins}] }\n`)
  return file
}

async function spawnOnce(folder: string, config: string): Promise<number> {
  const args = [VITE, folder, '--config', config, '--host', '127.0.0.1', '--port', '{port}', '--strictPort']
  const { startMs, stop } = await start({ args } satisfies Command)
  await stop()
  return startMs
}
