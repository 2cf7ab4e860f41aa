import { renderUnicodeCompact } from 'uqr'
import type { SeenEvent } from './engine-end.ts'
import { Unmet } from './finding.ts'
import type { World } from './world.ts'

/** our choice: a person finds a phone, and the place in its menus, in so long. */
const HAND_MS = 180_000
/** our choice: how often it is looked whether a newer code has to be drawn. */
const REDRAW_MS = 500
const MAX_ANSWER_BYTES = 4_096

/** Has a simulated phone scan, by one request to its control route. */
async function post(
  { parts: { fetchUrl }, options: { number, patienceMs } }: World,
  url: string,
  code: SeenEvent,
): Promise<void> {
  const body = JSON.stringify({ number, qr: code['qr'], pairingCode: code['pairingCode'] ?? null })
  const outcome = await fetchUrl.request({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    maxBytes: MAX_ANSWER_BYTES,
    totalMs: patienceMs,
  })
  if (!outcome.ok) throw new Unmet(`the scan URL could not be reached: ${outcome.failure.kind}`)
  await outcome.response.body.cancel()
  if (outcome.response.status >= 300) throw new Unmet(`the scan URL answered HTTP ${outcome.response.status}`)
}

function draw({ parts: { tell } }: World, code: SeenEvent): void {
  const pairingCode = code['pairingCode']
  tell(renderUnicodeCompact(String(code['qr']), { border: 2 }))
  tell(`scan this with the phone${typeof pairingCode === 'string' ? `, or type ${pairingCode} there` : ''}`)
}

/** Draws each code as it comes, until it is stopped. */
function drawEach(world: World): () => void {
  const end = world.current
  let drawn = -1
  let isOver = false
  const look = (): void => {
    const code = end.events.findLast(({ ev }) => ev === 'session.qr')
    if (code && code.seq !== drawn) draw(world, code)
    drawn = code?.seq ?? drawn
    if (!isOver && end.ending === null) world.parts.clock.after(REDRAW_MS, look)
  }
  look()
  return () => {
    isOver = true
  }
}

/** How the code on show comes to be scanned: by a control route, or by a hand. */
export const scan = {
  /** Begins; answers what stops it. Throws `Unmet` where the control route does not scan. */
  async begin(world: World): Promise<() => void> {
    const { scanUrl } = world.options
    if (scanUrl === null) return drawEach(world)
    const code = world.current.events.findLast(({ ev }) => ev === 'session.qr')
    if (code) await post(world, scanUrl, code)
    return () => {}
  },
  /** How long the phone has, ms. */
  patienceMs: ({ options: { scanUrl, patienceMs } }: World): number => (scanUrl === null ? HAND_MS : patienceMs),
}
