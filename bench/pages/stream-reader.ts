/**
 * Readers of inbox streams, in a process of its own so that their cost does not count as the gateway's. It opens one
 * stream for each of the `tokens` that its parent sends, reports when all are open and, when asked, how long changes
 * took.
 */
import { Agent, get } from 'node:http'

/** Matches the time at which a message was written, in ms since the epoch, in its text. */
const WRITTEN = /bench at (\d+)/g
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const delaysMs: number[] = []
let opened = 0

/** Resolves at the hello event of the stream. */
function open(url: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = get(
      url,
      { agent, headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' } },
      (response) => {
        if (response.statusCode !== 200) return reject(new Error(`a stream answered ${response.statusCode}`))
        let rest = ''
        response.setEncoding('utf8')
        response.on('data', (text: string) => {
          rest = take(rest + text)
          resolve()
        })
        response.on('end', () => {
          throw new Error('a stream ended')
        })
      },
    )
    asked.on('error', reject)
  })
}

/**
 * Reads complete events; returns the rest. Only message events count, because a conversation event reports the same
 * message again.
 */
function take(text: string): string {
  const end = text.lastIndexOf('\n\n')
  if (end < 0) return text
  for (const event of text.slice(0, end).split('\n\n')) {
    if (!/^event: message$/m.test(event)) continue
    const nowMs = Date.now()
    for (const [, atMs] of event.matchAll(WRITTEN)) delaysMs.push(nowMs - Number(atMs))
  }
  return text.slice(end + 2)
}

process.on('message', (message: { url: string; tokens: string[] } | 'delays') => {
  if (message === 'delays') return void process.send?.({ delaysMs: delaysMs.splice(0) })
  void Promise.all(message.tokens.map((token) => open(message.url, token))).then(() => {
    opened += message.tokens.length
    process.send?.({ opened })
  })
})
process.on('disconnect', () => process.exit())
