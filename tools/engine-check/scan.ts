import { renderUnicodeCompact } from 'uqr'
import type { SeenEvent } from './engine-end.ts'
import { Unmet } from './finding.ts'
import type { World } from './world.ts'

/** our choice, in ms: how long a person may take to find the phone and the right menu. */
const HAND_MS = 180_000
/** our choice, in ms: how often to look for a newer code to draw. */
const REDRAW_MS = 500
const MAX_ANSWER_BYTES = 4_096

/** Asks the control route to have a simulated phone scan the code. */
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

/** Draws each code as it comes; returns the function that stops this. */
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

/** How a code gets scanned: through a control route, or by a person. */
export const scan = {
  /** Begins; resolves to the function that stops it. Throws `Unmet` when the control route refuses to scan. */
  async begin(world: World): Promise<() => void> {
    const { scanUrl } = world.options
    if (scanUrl === null) return drawEach(world)
    const code = world.current.events.findLast(({ ev }) => ev === 'session.qr')
    if (code) await post(world, scanUrl, code)
    return () => {}
  },
  /** How long the phone may take, in ms. */
  patienceMs: ({ options: { scanUrl, patienceMs } }: World): number => (scanUrl === null ? HAND_MS : patienceMs),
}
