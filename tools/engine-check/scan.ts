import { renderUnicodeCompact } from 'uqr'
import { postControl } from './control.ts'
import type { SeenEvent } from './engine-end.ts'
import type { World } from './world.ts'

/** our choice, in ms: how long a person may take to find the phone and the right menu. */
const HAND_MS = 180_000
/** our choice, in ms: how often to look for a newer code to draw. */
const REDRAW_MS = 500

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
    const { scanUrl, number } = world.options
    if (scanUrl === null) return drawEach(world)
    const code = world.current.events.findLast(({ ev }) => ev === 'session.qr')
    const asked = { number, qr: code?.['qr'], pairingCode: code?.['pairingCode'] ?? null }
    if (code) await postControl(world, 'scan URL', scanUrl, asked)
    return () => {}
  },
  /** How long the phone may take, in ms. */
  patienceMs: ({ options: { scanUrl, patienceMs } }: World): number => (scanUrl === null ? HAND_MS : patienceMs),
}
