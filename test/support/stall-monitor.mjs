// Preloaded into a process with --import. Between the messages 'start' and 'stop' it measures the longest turn of the event
// loop, in milliseconds of processor time, so that a busy machine does not matter. Reads Linux's accounting of the main
// thread: Node 20 can only tell the time of all threads together.
import { readFileSync } from 'node:fs'

const ACCOUNTING = `/proc/self/task/${process.pid}/schedstat`
const processorTime = () => Number(readFileSync(ACCOUNTING, 'utf8').split(' ')[0]) / 1e6

let longest = 0
let isRunning = false

function measureTurn(since) {
  const now = processorTime()
  longest = Math.max(longest, now - since)
  if (isRunning) setImmediate(measureTurn, processorTime())
  else process.send({ longest })
}

process.on('message', (message) => {
  if (message === 'start') {
    longest = 0
    isRunning = true
    setImmediate(measureTurn, processorTime())
  } else if (message === 'stop') {
    isRunning = false
  }
})
process.channel?.unref()
