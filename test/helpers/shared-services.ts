/**
 * One service per environment for all test files of a run that ask for it. It runs beside them and stops when no file
 * has used it for a while.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { SharedWorker } from 'ava/plugin'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import type { Seat } from './service.ts'
import { Service } from './service.ts'
import { spanFaults } from './span-faults.ts'
import { TraceCollector } from './trace-collector.ts'

/** How long an unused service waits for the next file, in ms: a full run has more files, a single file does not. */
const IDLE_MS = process.env['TEST_RESULTS'] ? 45_000 : 1_000

/** A request of a test file: for a seat, or for which of some texts are in the logs. */
export interface SharedAsk {
  readonly env: Record<string, string>
  readonly texts: readonly string[] | null
}

class Shared {
  readonly #env: Record<string, string>
  #service: Promise<Service> | null = null
  #collector: TraceCollector | null = null
  #users = 0
  #turn = 0

  constructor(env: Record<string, string>) {
    this.#env = env
  }

  /** A tenant and digits for the asking file alone. */
  async seat(): Promise<Seat> {
    this.#users += 1
    this.#turn += 1
    const place = this.#turn
    // Each file says from which address it comes.
    this.#service ??= this.#start()
    const { dataDir, ports } = await this.#service
    const tenant = await askToCreateTenant(dataDir, `Seat ${place}`)
    if (!tenant) throw new Error('the shared service does not answer')
    return { dataDir, ports, tenantKey: tenant.key, place }
  }

  /** Starts the service with a collector, so that what traces tell is checked for whatever the files do. */
  async #start(): Promise<Service> {
    this.#collector = await TraceCollector.open()
    const env = { TRUSTED_PROXIES: '127.0.0.1', OTEL_EXPORTER_OTLP_ENDPOINT: this.#collector.origin, ...this.#env }
    return await Service.start({ env })
  }

  /** Which of the texts its programs wrote to their logs; null when the service does not run. */
  async written(texts: readonly string[]): Promise<readonly string[] | null> {
    const output = (await this.#service)?.gateway.output.join('') ?? null
    return output === null ? null : texts.filter((text) => output.includes(text))
  }

  async leave(): Promise<void> {
    this.#users -= 1
    const turn = this.#turn
    await pause(IDLE_MS)
    if (this.#users > 0 || turn !== this.#turn) return
    const [service, collector] = [this.#service, this.#collector]
    this.#service = null
    this.#collector = null
    await (await service)?.stop()
    await collector?.close()
    const faults = [...new Set(collector?.spans.flatMap(spanFaults))]
    if (faults.length > 0) throw new Error(`traces tell what they must not:\n${faults.slice(0, 20).join('\n')}`)
  }
}

const byEnv = new Map<string, Shared>()

async function serve(testWorker: SharedWorker.TestWorker<unknown>): Promise<void> {
  for await (const message of testWorker.subscribe()) {
    const { env, texts } = message.data as SharedAsk
    const key = JSON.stringify(env)
    const shared = byEnv.get(key) ?? new Shared(env)
    byEnv.set(key, shared)
    if (texts) {
      message.reply(await shared.written(texts))
      continue
    }
    testWorker.teardown(() => shared.leave())
    message.reply(await shared.seat().catch((error: unknown) => ({ fault: String(error) })))
  }
}

const factory: SharedWorker.Factory = async ({ negotiateProtocol }) => {
  const protocol = negotiateProtocol(['ava-4']).ready()
  for await (const testWorker of protocol.testWorkers()) void serve(testWorker)
}

export default factory
