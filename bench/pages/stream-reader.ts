/**
 * Readers of inbox streams, as browsers are: a process of its own, so that what they cost is not the gateway's. Told of
 * `tokens` by its parent, opens one stream each; tells once all are open, and, asked for it, how long changes took.
 */
import { Agent, get } from 'node:http'

/** Read from the text of a message: when it was written, ms since the epoch. */
const WRITTEN = /bench at (\d+)/g
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const delaysMs: number[] = []
let opened = 0

/** Resolves at the stream's hello. */
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

/** Takes whole events; answers what is left. Conversations tell of messages a second time: only messages count. */
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
