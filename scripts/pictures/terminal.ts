import { endCommands, spawnCommand } from '../../test/support/command.js'
import { runProgram } from '../../test/support/programs.js'
import { parseAnsi, type Span } from './ansi.js'
import { createCanvas } from './canvas.js'
import type { Scheme } from './palette.js'
import { type Block, drawWindow, WINDOW_WIDTH } from './window.js'

interface Step {
  readonly command: string
  /** What curl printed. */
  readonly printed: string
  /** What the mock printed about the request. */
  readonly log: string
}

/** A run of the built command, with curl. */
export interface TerminalRun {
  readonly ready: string
  readonly steps: readonly Step[]
}

const PORT = 4010
/** Every body ends its line, as in the pages. */
const SILENT = ['-sS', '-w', '\\n']

/** Arguments of curl: create a pet, order it, order it again, go back to the starting data. */
const REQUESTS: readonly (readonly string[])[] = [
  ['/pets', '--json', '{"name":"Rex","categoryId":1}'],
  ['/store/orders', '--json', '{"petId":73}'],
  ['/store/orders', '--json', '{"petId":73}'],
  ['/__admin/reset', '-X', 'POST'],
  ['/pets/73'],
]

/** Needs the built command, and curl. What differs from run to run is replaced: the port, the time, and the duration. */
export async function recordTerminal(): Promise<TerminalRun> {
  const mock = spawnCommand(['--port', '0'], { variables: { FORCE_COLOR: '1' } })
  try {
    const [, url = ''] = await mock.printed(/API +(\S+)/)
    const printed: string[] = []
    for (const [path, ...args] of REQUESTS) {
      printed.push(await runProgram('curl', ...SILENT, url + path, ...args))
    }
    await mock.printed(/PET_NOT_FOUND/)
    mock.kill('SIGTERM')
    const lines = (await mock.ended()).stdout.replaceAll(url, `http://127.0.0.1:${PORT}`).split('\n')
    const logs = lines.filter((line) => / ms\b/.test(line)).map(settle)
    const steps = REQUESTS.map(([path, ...args], index) => ({
      command: ['curl', `http://127.0.0.1:${PORT}${path}`, ...args].map(toShell).join(' '),
      printed: printed[index] ?? '',
      log: logs[index] ?? '',
    }))
    return {
      ready: lines
        .slice(
          0,
          lines.findIndex((line) => / ms\b/.test(line)),
        )
        .join('\n'),
      steps,
    }
  } finally {
    await endCommands()
  }
}

function settle(log: string, index: number): string {
  return (
    log
      .replace(/\d\d:\d\d:\d\d/, `09:00:0${index + 1}`)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the duration is dimmed
      .replace(/ \u001b\[2m[\d.]+ ms\u001b\[22m/, '')
  )
}

function toShell(argument: string): string {
  return /[{" ]/.test(argument) ? `'${argument}'` : argument
}

const FIRST_SECOND = 0.6
const SECONDS_PER_STEP = 1.3

/**
 * Two windows: the mock and its log, and below them curl. Where animations are on, the lines appear once, one request after
 * the other; otherwise all of them are there.
 */
export function drawTerminal({ ready, steps }: TerminalRun, scheme: Scheme): string {
  const canvas = createCanvas(scheme, WINDOW_WIDTH, describe(steps))
  const appear = steps.map(
    (_, index) => `.s${index}{animation-delay:${(FIRST_SECOND + index * SECONDS_PER_STEP).toFixed(1)}s}`,
  )
  canvas.style(
    `@media(prefers-reduced-motion:no-preference){.s{animation:a .3s both}${appear.join('')}}@keyframes a{from{opacity:0}}`,
  )
  const server: Block[] = [
    { lines: [prompt('npx petstore-mock'), ...parseAnsi(ready)] },
    ...steps.map(({ log }, index) => ({ lines: parseAnsi(log), className: `s s${index}` })),
  ]
  const client = steps.map(({ command, printed }, index) => ({
    lines: [prompt(command), ...(printed === '' ? [] : parseAnsi(printed))],
    className: `s s${index}`,
  }))
  const middle = drawWindow(canvas, 'the mock', server, 0)
  return canvas.finish(drawWindow(canvas, 'another terminal', client, middle + 10))
}

function prompt(command: string): Span[] {
  return [
    { text: '$ ', ink: 'green', bold: true },
    { text: command, ink: 'text', bold: true },
  ]
}

function describe(steps: readonly Step[]): string {
  const requests = steps.map(({ command, printed }) => `${command} prints ${printed || 'nothing'}.`)
  return `A terminal starts petstore-mock. Another one uses it. ${requests.join(' ')}`
}
