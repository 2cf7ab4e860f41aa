import type { Frame } from 'playwright-core'
import type { Role } from '../../src/domain/permissions.ts'
import type { DashboardStage } from './dashboard-stage.ts'
import type { Script } from './people-scenes.ts'
import { until } from './until.ts'

export const NUMBERS = [
  { id: 'num_1', name: 'Front desk', number: '5511988887771' },
  { id: 'num_2', name: 'Sales', number: '5511988887772' },
]
export const MINT = 'POST /api/v1/embed/sessions'

/** The id of the session that is minted as the n-th of a test, from 1 on. */
export function idOf(n: number): string {
  return `emb_${String(n).padStart(26, '0')}`
}

export function tokenOf(n: number): string {
  return `${idOf(n)}.${'s'.repeat(43)}`
}

/** The answers of a service with some numbers, which mints sessions with rising ids. */
export function scriptOf(numbers: readonly object[] = NUMBERS): Script {
  let minted = 0
  return {
    'GET /api/v1/numbers': { body: numbers },
    [MINT]: () => ({ status: 201, body: { id: idOf(++minted), token: tokenOf(minted) } }),
  }
}

/** In the place of the service's frame: greets, is ready with 3 unread messages, and keeps what it is told. */
const FRAME = `<!doctype html><html lang="en"><title>Frame</title><main><h1>Frame</h1></main><script>
  const say = (type, payload) => ({ source: 'channel-embed', v: 1, type, payload })
  self.heard = []
  addEventListener('message', ({ data, ports: [port] }) => {
    if (data?.type !== 'init') return
    self.init = data.payload
    self.tell = (type, payload) => port.postMessage(say(type, payload))
    port.onmessage = ({ data: { type, payload } }) => self.heard.push([type, payload])
    tell('ready', {})
    tell('chat:unread-count', { count: 3 })
  })
  parent.postMessage(say('hello', { surface: 'chat', versions: [1] }), '*')
</script></html>`

/** Puts the frame of these tests in the place of the service's. */
export async function framed({ page }: DashboardStage): Promise<void> {
  await page.unrouteAll()
  await page.route('**/chat?*', (route) => route.fulfill({ contentType: 'text/html', body: FRAME }))
}

/** Opens a path of the dashboard, with the frame of these tests. */
export async function openFramed(stage: DashboardStage, path: string, script: Script, role?: Role): Promise<void> {
  await framed(stage)
  await stage.open(path, script, role)
}

/** The frame of the session that was minted as the n-th, once it was greeted. */
export async function frameOf({ page }: DashboardStage, n: number): Promise<Frame> {
  return await until(`the frame of session ${n} is greeted`, async () => {
    const frame = page.frames().find((one) => one.url().includes(`/chat?s=${idOf(n)}`))
    return frame && (await frame.evaluate(`self.init?.token === '${tokenOf(n)}'`)) ? frame : null
  })
}
