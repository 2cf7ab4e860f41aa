/** One event of a stream (WHATWG HTML, server-sent events). */
export interface StreamEvent {
  readonly type: string
  readonly data: string
}

export interface StreamReader {
  /** Takes a piece of the stream, cut anywhere; returns the events that are complete now. */
  take(piece: string): readonly StreamEvent[]
  /** The id of the last event that had one; a resumed stream sends it as Last-Event-ID. */
  readonly lastId: string | null
  /** How long the server wants clients to wait before the next try, in ms; null when it did not say. */
  readonly retryMs: number | null
}

/**
 * Makes a reader of `text/event-stream`. `lastId` is the last event id of an earlier stream; null when there was none.
 */
export function createStreamReader(lastId: string | null): StreamReader {
  let rest = ''
  let data: string[] = []
  let type = ''
  const read = { lastId, retryMs: null as number | null }
  let pendingId = lastId

  function line(text: string, events: StreamEvent[]): void {
    if (text === '') {
      // The id counts once its event is complete, so that an event that was cut off is sent again.
      read.lastId = pendingId
      if (data.length > 0) events.push({ type: type || 'message', data: data.join('\n') })
      data = []
      type = ''
      return
    }
    const colon = text.indexOf(':')
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + (text[colon + 1] === ' ' ? 2 : 1))
    if (field === 'data') data.push(value)
    else if (field === 'event') type = value
    else if (field === 'id' && !value.includes('\0')) pendingId = value
    else if (field === 'retry' && /^\d+$/.test(value)) read.retryMs = Number(value)
  }

  return {
    take(piece) {
      const events: StreamEvent[] = []
      rest += piece
      for (;;) {
        const end = /\r\n|\n|\r(?!$)/.exec(rest)
        if (!end) return events
        const text = rest.slice(0, end.index)
        rest = rest.slice(end.index + end[0].length)
        line(text, events)
      }
    },
    get lastId() {
      return read.lastId
    },
    get retryMs() {
      return read.retryMs
    },
  }
}
