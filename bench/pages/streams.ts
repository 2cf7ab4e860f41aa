import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { load, type Ask } from '../load.ts'
import { closePosts, connectOfficial, messagesPost, steady, type OfficialBenchNumber } from '../posts.ts'
import { at, cpuMs, install, type Installation, median, postJson, residentKib } from '../programs.ts'

/** [embeds.stream.6]: the most streams of one session. */
const OF_SESSION = 5
/** Our choice: readers of one number, as in a team; each receives everything written to it. */
const OF_NUMBER = 20
/**
 * Targets: ms from a change to the client, KiB of memory per stream, and accepted sends with open streams relative to
 * those without.
 */
const TARGETS = { delayMs: 1_000, streamKb: 60, accepts: 0.95 }
/** The number of peers, used in turn, so that there are as many conversations as in a busy inbox. */
const PEERS = 200
const TURNS = 3
/** Ms: longer than the feed waits between two looks, and than garbage collection takes. */
const SETTLE_MS = 3_000

export interface StreamsSize {
  readonly streams: number
  /** Inbound messages per second. */
  readonly perSecond: number
  readonly seconds: number
}

/** A process that reads streams; it ends with its parent. */
class Readers {
  readonly #child: ChildProcess = fork(new URL('stream-reader.ts', import.meta.url), [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

  async open(url: string, event: string, headers: readonly Readonly<Record<string, string>>[]): Promise<void> {
    await this.#ask({ url, event, headers })
  }

  /** How long changes took to reach readers since the last call, in ms, sorted. */
  async delays(): Promise<number[]> {
    const { delaysMs } = await this.#ask('delays')
    return delaysMs.toSorted((a: number, b: number) => a - b)
  }

  stop(): void {
    this.#child.kill()
  }

  async #ask(what: object | string): Promise<any> {
    const answered = once(this.#child, 'message')
    this.#child.send(what)
    const ended = once(this.#child, 'exit').then(([code]): never => {
      throw new Error(`the readers ended with ${code}`)
    })
    const [answer] = await Promise.race([answered, ended])
    return answer
  }
}

/** Which streams are measured. */
export interface StreamKind {
  readonly path: string
  /** The type of the messages that tell what was written. */
  readonly event: string
  /** How many of the streams tell a message. */
  readersOf(size: StreamsSize): number
  /** The headers that open each stream. */
  headersOf(
    installation: Installation,
    numbers: readonly OfficialBenchNumber[],
    streams: number,
  ): Promise<Record<string, string>[]>
}

/** Streams of the inbox, with OF_SESSION streams per session and OF_NUMBER per number. */
export const inboxStreams: StreamKind = {
  path: '/api/public/embed/stream',
  event: 'message',
  readersOf: ({ streams }) => Math.min(streams, OF_NUMBER),
  async headersOf({ gateway, tenantKey }, numbers, streams) {
    const all: Record<string, string>[] = []
    while (all.length < streams) {
      const body = {
        surface: 'chat',
        channelNumberIds: [numbers[Math.floor(all.length / OF_NUMBER)]?.id],
        allowedOrigins: ['https://crm.example'],
      }
      const { token } = await postJson<{ token: string }>(`http://127.0.0.1:${gateway.port}/v1/embed/sessions`, body, {
        'x-api-key': tenantKey,
      })
      const own = { authorization: `Bearer ${token}` }
      all.push(...Array.from({ length: Math.min(OF_SESSION, streams - all.length) }, () => own))
    }
    return all
  },
}

let lastMessage = 0

/** A message of a peer whose text says when it was written. */
function written(number: OfficialBenchNumber) {
  const from = String(5_511_990_000_001 + (Math.floor(lastMessage / OF_NUMBER) % PEERS) * 10)
  const text = {
    id: `wamid.bench${++lastMessage}`,
    from,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'text',
    text: { body: `bench at ${Date.now()}` },
  }
  return {
    ...messagesPost(number, { contacts: [{ wa_id: from, profile: { name: 'Ann' } }], messages: [text] }),
    url: number.webhookUrl,
  }
}

/** The memory of the gateway's process, in KiB. */
function heldKb({ gateway }: Installation): number {
  return residentKib(gateway.child.pid)
}

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, SETTLE_MS)
  })
}

/** Posts `perSecond` messages a second; resolves to the gateway's CPU time meanwhile, in ms per second. */
async function inbound(
  { gateway }: Installation,
  numbers: readonly OfficialBenchNumber[],
  { perSecond, seconds }: StreamsSize,
): Promise<number> {
  const beforeMs = cpuMs(gateway)
  const next = () => written(numbers[lastMessage % numbers.length] as OfficialBenchNumber)
  await steady({ url: '', next }, perSecond, seconds)
  await settled()
  return (cpuMs(gateway) - beforeMs) / seconds
}

/** Compares accepted sends with and without open streams, in turns; each turn opens and closes the streams. */
async function compareAccepts(
  installation: Installation,
  numbers: readonly OfficialBenchNumber[],
  size: StreamsSize,
  kind: StreamKind,
): Promise<void> {
  const { apiKey } = await postJson(
    `http://127.0.0.1:${installation.gateway.port}/v1/numbers`,
    { name: 'Bench', number: '5511988887777' },
    { 'x-api-key': installation.tenantKey },
  )
  const bodies = Array.from({ length: 2_000 }, (_, peer) =>
    JSON.stringify({
      destinationNumber: String(5_511_980_000_009 + peer * 10),
      text: 'Your order 4711 is on its way.',
    }),
  )
  const ask: Ask = {
    path: '/v1/messages/send',
    headers: { 'x-api-key': apiKey.key, 'content-type': 'application/json' },
    bodies,
  }
  const turnSeconds = Math.max(2, Math.round(size.seconds / 4))
  const rates: { without: number[]; open: number[] } = { without: [], open: [] }
  await load(installation.gateway, ask, turnSeconds)
  for (let turn = 0; turn < TURNS; turn++) {
    rates.without.push((await load(installation.gateway, ask, turnSeconds)).perSecond)
    const readers = await openReaders(installation, numbers, size.streams, kind)
    rates.open.push((await load(installation.gateway, ask, turnSeconds)).perSecond)
    readers.stop()
    await settled()
  }
  const [without, open] = [median(rates.without), median(rates.open)]
  console.log(
    `${'accepts'.padEnd(22)} ${open.toFixed(0)}/s with ${size.streams} streams, ${without.toFixed(0)}/s without: ${(open / without).toFixed(2)}, target ${TARGETS.accepts}`,
  )
}

async function openReaders(
  installation: Installation,
  numbers: readonly OfficialBenchNumber[],
  streams: number,
  kind: StreamKind,
): Promise<Readers> {
  const readers = new Readers()
  await readers.open(
    `http://127.0.0.1:${installation.gateway.port}${kind.path}`,
    kind.event,
    await kind.headersOf(installation, numbers, streams),
  )
  return readers
}

/**
 * Measures open streams on PostgreSQL: how long a change takes to reach readers, what a stream costs, and how
 * much they slow sends.
 */
export async function measureStreams(size: StreamsSize, kind: StreamKind): Promise<void> {
  const installation = await install('postgres', { LOG_LEVEL: 'warn' })
  let readers: Readers | null = null
  try {
    const numbers: OfficialBenchNumber[] = []
    while (numbers.length * OF_NUMBER < size.streams)
      numbers.push(await connectOfficial(installation, String(15_550_002_000 + numbers.length)))
    const idleMs = await inbound(installation, numbers, size)
    const beforeKb = heldKb(installation)
    readers = await openReaders(installation, numbers, size.streams, kind)
    await settled()
    const streamKb = (heldKb(installation) - beforeKb) / size.streams
    const busyMs = await inbound(installation, numbers, size)
    const delays = await readers.delays()
    const wanted = size.perSecond * size.seconds * kind.readersOf(size)
    console.log(
      `${'change to reader'.padEnd(22)} p50 ${at(delays, 0.5)} ms, p99 ${at(delays, 0.99)} ms, max ${at(delays, 1)} ms, target p99 ${TARGETS.delayMs} ms; ${delays.length} of ${wanted}, ${size.streams} streams at ${size.perSecond}/s`,
    )
    console.log(
      `${'a stream'.padEnd(22)} ${streamKb.toFixed(0)} KiB of the gateway, target ${TARGETS.streamKb}; ${((busyMs - idleMs) / size.streams).toFixed(2)} ms CPU a second at ${size.perSecond}/s (all: ${busyMs.toFixed(0)} ms, none: ${idleMs.toFixed(0)} ms)`,
    )
    readers.stop()
    readers = null
    await compareAccepts(installation, numbers, size, kind)
  } finally {
    readers?.stop()
    closePosts()
    await installation.close()
  }
}
