/**
 * Readers of streams, in a process of its own so that their cost does not count as the gateway's. It opens one stream
 * for each of the `headers` that its parent sends, reports when all are open and, when asked, how long changes took.
 */
import { Agent, get } from 'node:http'

interface Opening {
  readonly url: string
  readonly event: string
  readonly headers: readonly Record<string, string>[]
}

/** Matches the time at which a message was written, in ms since the epoch, in its text. */
const WRITTEN = /bench at (\d+)/g
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const delaysMs: number[] = []
let opened = 0

/** Resolves at the hello event of the stream. */
function open(url: string, event: string, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { agent, headers: { ...headers, accept: 'text/event-stream' } }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`a stream answered ${response.statusCode}`))
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        rest = take(rest + text, event)
        resolve()
      })
      response.on('end', () => {
        throw new Error('a stream ended')
      })
    })
    asked.on('error', reject)
  })
}

/**
 * Reads complete events; returns the rest. Only those of one type count, because others report the same message again.
 */
function take(text: string, type: string): string {
  const end = text.lastIndexOf('\n\n')
  if (end < 0) return text
  for (const event of text.slice(0, end).split('\n\n')) {
    if (!event.includes(`event: ${type}\n`)) continue
    const nowMs = Date.now()
    for (const [, atMs] of event.matchAll(WRITTEN)) delaysMs.push(nowMs - Number(atMs))
  }
  return text.slice(end + 2)
}

process.on('message', (message: Opening | 'delays') => {
  if (message === 'delays') return void process.send?.({ delaysMs: delaysMs.splice(0) })
  void Promise.all(message.headers.map((headers) => open(message.url, message.event, headers))).then(() => {
    opened += message.headers.length
    process.send?.({ opened })
  })
})
process.on('disconnect', () => process.exit())
