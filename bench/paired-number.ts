import { awaited } from './awaited.ts'
import { postJson, type Installation, type Server } from './programs.ts'

/** What the three statuses of a sent message make. */
export const SENT_EVENTS = ['message.sent', 'message.delivered', 'message.read']

/** Asks the control API of a sandbox. */
export type Control = <T = any>(method: string, path: string, body?: object) => Promise<T>

/** The control API of the gateway's sandbox; a request that is refused throws. */
export function controlOf({ sandboxPort }: Pick<Server, 'sandboxPort'>): Control {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${sandboxPort}/control${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return (await answer.json()) as T
  }
}

/** A QR-paired number with these digits, which is connected. */
export async function pairNumber(
  { gateway, tenantKey }: Pick<Installation, 'gateway' | 'tenantKey'>,
  digits: string,
): Promise<{ readonly id: string; readonly key: string; readonly digits: string }> {
  const origin = `http://127.0.0.1:${gateway.port}`
  const headers = { 'x-api-key': tenantKey }
  const { id, apiKey } = await postJson<{ id: string; apiKey: { key: string } }>(
    `${origin}/v1/numbers`,
    { name: 'Bench', number: digits },
    headers,
  )
  await awaited('the code', () => controlOf(gateway)('POST', `/devices/${digits}/scan`))
  await awaited('the connection', async () => {
    const answer = await fetch(`${origin}/v1/numbers/${id}/status`, { headers })
    return ((await answer.json()) as { state: string }).state === 'OPEN' ? true : null
  })
  return { id, key: apiKey.key, digits }
}

/** Pairs numbers whose events of a sent message go to a receiver, and gives their keys. */
export async function subscribedKeys(installation: Installation, count: number, receiver: string): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < count) {
    const { key } = await pairNumber(installation, String(5_511_970_000_009 + keys.length * 10_000))
    await postJson(
      `http://127.0.0.1:${installation.gateway.port}/v1/webhooks`,
      { name: 'Bench', url: receiver, events: SENT_EVENTS },
      { 'x-api-key': key },
    )
    keys.push(key)
  }
  return keys
}
