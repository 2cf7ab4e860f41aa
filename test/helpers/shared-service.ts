import { registerSharedWorker } from 'ava/plugin'
import { FAST } from './message-service.ts'
import { Service, type Seat } from './service.ts'

const worker = registerSharedWorker({ filename: new URL('./shared-services.ts', import.meta.url), supportedProtocols: ['ava-4'] })

/** Environment of a service that reaches no address of this machine but one. */
export const GUARDED = { ...FAST, EGRESS_ALLOW: '127.0.0.2' }

/** Environment of a service that waits for an answer, for media and for the status of a lost send no longer than a story has to. */
export const HASTY = { ...FAST, CALL_RING_SECONDS: '4', CALL_MEDIA_SECONDS: '3', OFFICIAL_RECONCILE_SECONDS: '4' }

/**
 * The service that all files of a run with this environment share: a start costs seconds of both cores. The file has a tenant, and numbers, of its own. It is
 * not the file's to stop; who stops the gateway, or reads its output or rows, starts one of its own (`Service.start`).
 */
export async function joinService(env: Record<string, string> = FAST): Promise<Service> {
  for await (const { data } of worker.publish(env).replies()) {
    const seat = data as Seat | { readonly fault: string }
    if ('fault' in seat) throw new Error(seat.fault)
    return Service.at(seat, env)
  }
  throw new Error('the run ended before the service was there')
}
