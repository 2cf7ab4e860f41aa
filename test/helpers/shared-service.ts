import { registerSharedWorker } from 'ava/plugin'
import { FAST } from './message-service.ts'
import { comeFrom, Service, type Seat } from './service.ts'
import type { SharedAsk } from './shared-services.ts'
import { until } from './until.ts'

const worker = registerSharedWorker({
  filename: new URL('./shared-services.ts', import.meta.url),
  supportedProtocols: ['ava-4'],
})

/** Environment of a service that may reach only one address of this machine. */
export const GUARDED = { ...FAST, EGRESS_ALLOW: '127.0.0.2' }

/**
 * Environment of a service with short waits for answers and media, early retries of webhooks, and a wait for the status
 * of a lost send that is long enough for a busy machine.
 */
export const HASTY = {
  ...FAST,
  CALL_RING_SECONDS: '4',
  CALL_MEDIA_SECONDS: '3',
  OFFICIAL_RECONCILE_SECONDS: '10',
  WEBHOOK_RETRY_SECONDS: Array.from({ length: 11 }, () => '0.3').join(','),
}

/**
 * Joins the service that all files of a run with this environment share, because a start costs seconds of both cores.
 * The file gets a tenant and numbers of its own. A file must not stop this service; a test that stops the gateway or
 * reads its rows starts a service of its own (`Service.start`). For its logs see `inLogs`.
 */
export async function joinService(env: Record<string, string> = FAST): Promise<Service> {
  for await (const { data } of worker.publish({ env, texts: null } satisfies SharedAsk).replies()) {
    const seat = data as Seat | { readonly fault: string }
    if ('fault' in seat) throw new Error(seat.fault)
    // Of a block that is set aside for tests of networks: no machine has such an address.
    comeFrom(`198.18.${Math.floor(seat.place / 256)}.${seat.place % 256}`)
    return Service.at(seat, env)
  }
  throw new Error('the run ended before the service was there')
}

/** Which of some texts are in the logs of the shared service, at the lowest level, up to a request that is made now. */
export async function inLogs(
  service: Service,
  texts: readonly string[],
  env: Record<string, string> = FAST,
): Promise<readonly string[]> {
  const last = `last-${crypto.randomUUID()}`
  await service.api('GET', '/v1/numbers', service.tenantKey, undefined, { 'x-request-id': last })
  return await until('all is written', async () => {
    const found = await askLogs(env, [last, ...texts])
    return found.includes(last) ? found.filter((text) => text !== last) : null
  })
}

async function askLogs(env: Record<string, string>, texts: readonly string[]): Promise<readonly string[]> {
  for await (const { data } of worker.publish({ env, texts } satisfies SharedAsk).replies())
    return (data as readonly string[] | null) ?? []
  return []
}
