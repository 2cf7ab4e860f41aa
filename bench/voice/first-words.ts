import { controlOf, pairNumber } from '../paired-number.ts'
import { at, type Installation } from '../programs.ts'
import { awaited } from '../awaited.ts'
import { openBot } from './bot.ts'

/** Target, in ms: what the service adds from the ring to the bot's first sound. */
const MOST_MS = 150
const RATE_HZ = 16_000
const DIGITS = '5511977780022'
const PEER = '5511970000021'

/** A word of 400 ms: a tone that no phone takes for silence. */
const WORD = Buffer.from(
  Int16Array.from({ length: RATE_HZ * 0.4 }, (_, i) => 8_000 * Math.sin((2 * Math.PI * 500 * i) / RATE_HZ)).buffer,
)

interface Turn {
  readonly dialledAtMs: number
  readonly spokeAtMs: number
}

/** Rings a number again and again, whose bot speaks as soon as it is greeted. */
export async function measureFirstWords(installation: Installation, calls: number): Promise<void> {
  const control = controlOf(installation.gateway)
  const turns: Turn[] = []
  const bot = await openBot((socket, dialledAtMs) =>
    socket.once('message', () => {
      socket.send(WORD)
      turns.push({ dialledAtMs, spokeAtMs: Date.now() })
    }),
  )
  await answerBy(bot.url, installation)
  const added: number[] = []
  const whole: number[] = []
  for (let n = 0; n < calls; n++) {
    const rungAtMs = Date.now()
    const { callId } = await control('POST', `/peers/${PEER}/calls`, { to: DIGITS })
    const soundAtMs = await awaited('the first sound', async () => {
      const { heard } = await control('GET', `/calls/${callId}`)
      return (heard?.firstSoundAt as number | null | undefined) ?? null
    })
    const { dialledAtMs, spokeAtMs } = turns.at(-1)!
    whole.push(soundAtMs - rungAtMs)
    added.push(soundAtMs - rungAtMs - (spokeAtMs - dialledAtMs))
    await control('POST', `/calls/${callId}/hangup`)
  }
  bot.close()
  const tell = (values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    return `p50 ${at(sorted, 0.5)} ms, p95 ${at(sorted, 0.95)} ms`
  }
  console.log(`ring to the bot's first sound, of ${calls} calls: ${tell(whole)}`)
  console.log(`  above the bot's own time: ${tell(added)}, target ${MOST_MS} ms`)
}

/** Connects a number, and has this bot answer its calls. */
async function answerBy(url: string, installation: Installation): Promise<void> {
  const { gateway, tenantKey } = installation
  const { id } = await pairNumber(installation, DIGITS)
  const voice = { connectTo: url, rate: RATE_HZ, answer: 'accept', onUnreachable: 'reject' }
  const patched = await fetch(`http://127.0.0.1:${gateway.port}/v1/numbers/${id}`, {
    method: 'PATCH',
    headers: { 'x-api-key': tenantKey, 'content-type': 'application/json' },
    body: JSON.stringify({ voice }),
  })
  if (!patched.ok) throw new Error(`the setting was answered ${patched.status}: ${await patched.text()}`)
}
