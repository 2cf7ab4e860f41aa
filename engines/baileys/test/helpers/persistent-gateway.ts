import type { ExecutionContext } from 'ava'
import { connectBridge, type BridgeClient, type ClientEvent } from './bridge-client.ts'
import type { LinkedNumber } from './linked-number.ts'

/** A gateway's records of one number: it stores events, acknowledges them, and reconnects until it is stopped. */
export interface PersistentGateway {
  /** Stored messages by upstream id, with the sequence numbers of the events that told each. */
  readonly told: ReadonlyMap<string, ReadonlySet<number>>
  /** Stored messages in the order of their first telling. */
  readonly texts: readonly { readonly from: string; readonly text: string }[]
  /** The number's state on the present socket; null before it told one. */
  readonly state: string | null
  /** Codes to scan that were told. */
  readonly scans: number
  /** The port of the engine that it is connected to, or tries. */
  readonly port: number
  /** Repeats a request until an answer comes, over as many sockets as that takes. */
  askUntilAnswered(op: string, fields: object): ReturnType<BridgeClient['ask']>
  /** Resolves once `count` messages are stored. */
  reaches(count: number): Promise<void>
  /** Cuts its socket, as a killed gateway does. */
  drop(): void
  stop(): void
}

/** our choice, in ms: the pause between two tries to reach a killed engine. */
const RETRY_MS = 50

/** `port` gives that of the engine to try next. */
export function persistGateway(
  t: Pick<ExecutionContext, 'teardown'>,
  linked: LinkedNumber,
  port: () => number,
): PersistentGateway {
  const told = new Map<string, Set<number>>()
  const texts: { from: string; text: string }[] = []
  const waiters: { count: number; resolve: () => void }[] = []
  let current = Promise.withResolvers<BridgeClient>()
  let live: BridgeClient | null = null
  const stopping = new AbortController()
  let state: string | null = null
  let scans = 0
  let tried = port()

  function store(event: ClientEvent): void {
    if (event.ev === 'session.state') state = event['state']
    if (event.ev === 'session.qr') scans += 1
    if (event.ev !== 'message.received') return
    const seqs = told.get(event['externalMessageId']) ?? new Set<number>()
    if (seqs.size === 0) texts.push({ from: event['from'], text: event['content'].text })
    told.set(event['externalMessageId'], seqs.add(event.seq))
    for (const waiter of waiters) if (told.size >= waiter.count) waiter.resolve()
  }

  async function serve(client: BridgeClient): Promise<void> {
    live = client
    state = null
    const take = (event: ClientEvent): void => {
      store(event)
      client.ack(event.seq)
    }
    for (const event of client.events) take(event)
    client.onEvent(take)
    current.resolve(client)
    await client.closed
    state = null
    current = Promise.withResolvers()
  }

  async function run(): Promise<void> {
    await serve(linked.client)
    while (!stopping.signal.aborted) {
      try {
        tried = port()
        const client = await connectBridge(t, tried, linked.numberId)
        await client.start({ number: linked.number, credentials: linked.credentials })
        await serve(client)
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  void run()
  return {
    told,
    texts,
    get state() {
      return state
    },
    get scans() {
      return scans
    },
    get port() {
      return tried
    },
    async askUntilAnswered(op, fields) {
      for (;;) {
        try {
          const answer = await (await current.promise).ask(op, fields)
          if (answer.ok || answer.error?.retryable !== true) return answer
        } catch {
          // The socket closed during the request, so it may or may not have run.
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    },
    reaches: (count) =>
      new Promise((resolve) => {
        if (told.size >= count) resolve()
        else waiters.push({ count, resolve })
      }),
    drop: () => live?.close(),
    stop() {
      stopping.abort()
      live?.close()
    },
  }
}
