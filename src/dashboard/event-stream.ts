/** One event of a stream: its name and its data. */
export interface StreamEvent {
  readonly name: string
  readonly data: string
}

/**
 * Reads server-sent events from text that comes in pieces, cut anywhere. Returns the events that are complete with
 * the piece; comments and the fields that nobody here needs are passed over.
 */
export function createEventReader(): (piece: string) => StreamEvent[] {
  let rest = ''
  let name = ''
  let data: string[] = []

  function readLine(line: string, events: StreamEvent[]): void {
    if (line === '') {
      if (data.length > 0) events.push({ name: name || 'message', data: data.join('\n') })
      name = ''
      data = []
      return
    }
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (field === 'event') name = value
    else if (field === 'data') data.push(value)
  }

  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() as string
    const events: StreamEvent[] = []
    for (const line of lines) readLine(line, events)
    return events
  }
}
