import { awaited } from './awaited.ts'
import { postJson, type Installation, type Server } from './programs.ts'

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
