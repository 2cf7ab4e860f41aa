/** What an example is tried on: a gateway with its sandbox, which is started unless the environment names one. */
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateApiKey } from '../src/domain/api-key.ts'
import { superviseChild } from '../src/process/child.ts'
import { systemClock } from '../src/process/clock.ts'
import { createLog } from '../src/process/log.ts'
import { eventually } from '../tools/demo/eventually.ts'
import { Rest } from '../tools/demo/rest.ts'

export interface Stage {
  readonly base: string
  readonly tenant: Rest
  /** The control API of the sandbox; null when the gateway has none. */
  readonly control: { readonly url: string; readonly rest: Rest } | null
  /** True when the gateway was started here, which printed a link to its dashboard. */
  readonly isOwn: boolean
  /** What is done at the end, the last of them first. */
  readonly stops: (() => unknown)[]
}

/** A number of the stage, and its own key; null where that is shown no more. */
export interface StageNumber {
  readonly id: string
  readonly digits: string
  readonly key: string | null
}

interface NumberBody {
  readonly id: string
  readonly apiKey: { readonly key: string }
}

const controlAt = (url: string) => ({ url: `${url}/control`, rest: new Rest(url) })

/** Uses the running gateway at `base` with a tenant's key; `sandbox` is where its sandbox listens, null without one. */
export function runningStage(base: string, tenantKey: string, sandbox: string | null): Stage {
  const control = sandbox === null ? null : controlAt(sandbox)
  return { base, tenant: new Rest(base, tenantKey), control, isOwn: false, stops: [] }
}

/** Starts everything on free ports, with data that is gone at the end. */
export async function startStage(): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'channel-example-'))
  const tenantKey = generateApiKey()
  const env = () => ({
    PORT: '0',
    MEDIA_PORT: '0',
    MEDIA_CONTROL_PORT: '0',
    SANDBOX_PORT: '0',
    SANDBOX: 'on',
    DATA_DIR: dataDir,
    BOOTSTRAP_TENANT_KEY: tenantKey,
    LOG_LEVEL: 'error',
    SHUTDOWN_DELAY_SECONDS: '0',
  })
  const spec = { name: 'gateway', file: new URL('../src/main.ts', import.meta.url), env }
  const gateway = await superviseChild(spec, systemClock, createLog('example', 'error'))
  const base = `http://localhost:${String(gateway.listening['port'])}`
  return {
    base,
    tenant: new Rest(base, tenantKey),
    control: controlAt(`http://localhost:${String(gateway.listening['sandboxPort'])}`),
    isOwn: true,
    stops: [() => rm(dataDir, { recursive: true, force: true }), () => gateway.stop()],
  }
}

/** Makes a number and has its phone in the sandbox scan the code. A gateway that runs on is left as it was found. */
export async function pairNumber({ tenant, control, isOwn, stops }: Stage, name: string): Promise<StageNumber> {
  if (!control) throw new Error('SANDBOX names the sandbox whose phones are paired, or NUMBER_ID a number of yours')
  const digits = `5511${randomInt(600_000_000, 700_000_000)}`
  const { id, apiKey } = await tenant.post<NumberBody>('/v1/numbers', { name, number: digits })
  if (!isOwn) stops.push(() => tenant.delete(`/v1/numbers/${id}`))
  await eventually('a code to scan', () =>
    control.rest.post(`/control/devices/${digits}/scan`).then(
      () => true,
      () => null,
    ),
  )
  await eventually('the number is OPEN', async () => {
    const { state } = await tenant.get<{ state: string }>(`/v1/numbers/${id}/status`)
    return state === 'OPEN' ? state : null
  })
  return { id, digits, key: apiKey.key }
}
