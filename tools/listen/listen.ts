/**
 * `npm run listen`: prints stored events in a terminal as they come, and forwards them to a local address (see USAGE).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import { systemClock } from '../../src/process/clock.ts'
import { createLog } from '../../src/process/log.ts'
import { makeSecret } from '../../src/domain/webhook-secret.ts'
import { EventFeed, FeedRefusal, type ShownEvent } from './event-feed.ts'
import { forward, type ForwardOptions, type Forwarded } from './forward.ts'
import { readOptions, USAGE, UsageError, type ListenOptions } from './options.ts'
import { prettyLine } from './pretty.ts'

/** Whoever runs this chose a local address to forward to, so no address is blocked. */
const ANYWHERE = ['0.0.0.0/0', '::/0']

function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

function show(event: ShownEvent, isJson: boolean): void {
  process.stdout.write(`${isJson ? JSON.stringify(event) : prettyLine(event, process.stdout.isTTY)}\n`)
}

function tellForwarded(event: ShownEvent, { status, statusCode, response, durationMs, tries }: Forwarded): void {
  const answer = statusCode === 0 ? response : `answered ${statusCode}`
  if (status === 'SUCCESS')
    tell(`  forwarded ${event.id}: ${answer} in ${durationMs} ms${tries > 1 ? `, try ${tries}` : ''}`)
  else tell(`  NOT forwarded ${event.id}: ${answer}, after ${tries} tries`)
}

/** A signal that fires on Ctrl-C, and when the reader of a pipe goes away. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  process.stdout.on('error', () => stop.abort())
  return stop.signal
}

function forwardOptions(options: ListenOptions, rest: Pick<ForwardOptions, 'pause' | 'signal'>): ForwardOptions | null {
  if (options.forwardTo === null) return null
  const secret = options.secret ?? makeSecret()
  tell(
    options.secret === null
      ? `signing with ${secret} (made for this run; give --secret to keep one)`
      : 'signing with the secret given',
  )
  return {
    url: options.forwardTo,
    secret,
    fetchUrl: createGuardedFetch({ egressAllow: ANYWHERE, clock: systemClock }),
    clock: systemClock,
    log: createLog('listen', 'silent'),
    ...rest,
  }
}

async function listen(options: ListenOptions): Promise<void> {
  const signal = stopSignal()
  const pause = (ms: number): Promise<void> => wait(ms, undefined, { signal }).catch(() => {})
  const forwarding = forwardOptions(options, { pause, signal })
  const feed = new EventFeed({
    url: options.url,
    key: options.key,
    event: options.event,
    pause,
    signal,
    notice: (text) => tell(`-- ${text}`),
    from: options.after === null ? (options.isFromOldest ? 'oldest' : 'next') : { after: options.after },
  })
  tell(
    `listening to ${options.url}${options.event ? `, ${options.event} only` : ''}${forwarding ? `, forwarding to ${forwarding.url}` : ''}; Ctrl-C ends it`,
  )
  try {
    for await (const event of feed.events()) {
      show(event, options.isJson)
      if (!forwarding) continue
      const forwarded = await forward(event, forwarding)
      tellForwarded(event, forwarded)
      // An interrupted event was not delivered, so it stays the next one for --after.
      if (signal.aborted && forwarded.status === 'FAILED') break
    }
  } finally {
    await forwarding?.fetchUrl.close()
    if (feed.lastId) tell(`\nlast event ${feed.lastId}; go on with --after ${feed.lastId}`)
  }
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options) await listen(options)
  else process.stdout.write(USAGE)
} catch (error) {
  if (!(error instanceof UsageError) && !(error instanceof FeedRefusal)) throw error
  tell(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error.message)
  process.exitCode = 1
}
