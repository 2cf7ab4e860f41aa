import type { ExecutionContext } from 'ava'
import { until } from './until.ts'

export interface ReadEvent {
  readonly id: string | null
  readonly event: string
  readonly data: any
}

/** Says what is wrong with an event; null when nothing is. */
export type EventCheck = (event: ReadEvent) => string | null

/** A reader of server-sent events that can be interrupted at any point. */
export class EventReader {
  readonly events: ReadEvent[] = []
  /** The text of the stream so far. */
  text = ''
  isOver = false
  readonly #cut = new AbortController()
  #taken = 0

  /**
   * Opens a stream. Rejects with the status when the answer is none. At its end the test fails where `check` has found
   * a fault of an event.
   */
  static async open(
    t: ExecutionContext,
    url: string,
    headers: Record<string, string>,
    check: EventCheck = () => null,
  ): Promise<EventReader> {
    const reader = new EventReader()
    t.teardown(() => {
      reader.cut()
      const faults = reader.events.map(check).filter((fault) => fault !== null)
      if (faults.length > 0) throw new Error(`events that the document describes otherwise: ${faults.join('\n')}`)
    })
    const response = await fetch(url, { headers, signal: reader.#cut.signal })
    if (response.status !== 200 || !response.body)
      throw new Error(`no stream: ${response.status} ${await response.text()}`)
    t.is(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    t.regex(response.headers.get('cache-control') ?? '', /no-transform/)
    void reader.#read(response.body)
    return reader
  }

  /** The last complete id, which a reader sends when it reconnects. */
  get lastId(): string {
    return this.events.findLast(({ id }) => id !== null)?.id ?? ''
  }

  cut(): void {
    this.#cut.abort()
  }

  /** Resolves to the first event of this name that fits, already received or still to come. */
  async next(event: string, fits: (data: any) => boolean = () => true): Promise<ReadEvent> {
    const find = () => this.events.find((one) => one.event === event && fits(one.data))
    await until(`the event ${event}`, async () => find() !== undefined)
    return find() as ReadEvent
  }

  /**
   * Resolves to a message once it is told with one of these statuses, by a status event or in the message event itself.
   */
  async toldAs(id: string, ...statuses: readonly string[]): Promise<any> {
    const find = () =>
      this.events
        .map(({ event, data }) => (event === 'message' ? data.message : event === 'status' ? data : null))
        .find((one) => one?.id === id && statuses.includes(one.status))
    await until(`message ${id} is ${statuses.join(' or ')}`, async () => find() !== undefined)
    return find()
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const piece of body) this.#take(decoder.decode(piece, { stream: true }))
    } catch {
      // The stream was cut.
    }
    this.isOver = true
  }

  #take(piece: string): void {
    this.text += piece
    for (let end = this.text.indexOf('\n\n', this.#taken); end >= 0; end = this.text.indexOf('\n\n', this.#taken)) {
      const fields = new Map(
        this.text
          .slice(this.#taken, end)
          .split('\n')
          .map((line) => {
            const colon = line.indexOf(': ')
            return [line.slice(0, colon), line.slice(colon + 2)] as const
          }),
      )
      this.#taken = end + 2
      const event = fields.get('event')
      if (event !== undefined)
        this.events.push({ id: fields.get('id') ?? null, event, data: JSON.parse(fields.get('data') ?? 'null') })
    }
  }
}
