import type { NumberId, TenantId } from './domain/ids.ts'
import { callingRetryMs } from './domain/official.ts'
import type { OfficialUpkeep } from './http/official-parts.ts'
import type { Clock, Timer } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { OfficialCredentials, OfficialPlatform } from './ports/official-platform.ts'
import type { InboundStore } from './ports/stores/inbound-store.ts'
import type { NumberStore } from './ports/stores/number-store.ts'
import type { DueCalling, OfficialStore } from './ports/stores/official-store.ts'
import type { NumberMark } from './providers/official/error-map.ts'

export interface OfficialUpkeepDeps {
  readonly platform: OfficialPlatform
  readonly store: OfficialStore
  readonly numbers: NumberStore
  readonly inbound: InboundStore
  /** Where upstream delivers what happens on a number. */
  readonly webhookUrlOf: (numberId: NumberId) => string
  /** Starts a number, so that its session sees what changed. */
  readonly receive: (numberId: NumberId) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

export interface RunningUpkeep extends OfficialUpkeep {
  /** An answer of upstream said something of the number itself. Stored in the background. */
  mark(phoneId: string, mark: NumberMark): void
  /** Looks for due tries from now on. */
  start(): void
  /** Waits for the round under way. Idempotent. */
  stop(): Promise<void>
}

/** Our choice: how often due tries are looked for; one index read. */
const LOOK_MS = 30_000
/** Our choice: numbers a round takes, tried one after another. */
const TAKEN = 20
/** Our choice: for so long a taken number is this node's: longer than a round whose every request waits for its timeout. */
const LEASE_MS = 30 * 60_000

/** Keeps OFFICIAL numbers in shape: calling enabled as soon as upstream lets it be (spec: Number calling enablement), marks stored. */
export function createOfficialUpkeep(deps: OfficialUpkeepDeps): RunningUpkeep {
  return new Upkeep(deps)
}

class Upkeep implements RunningUpkeep {
  readonly #deps: OfficialUpkeepDeps
  #marks: Promise<void> = Promise.resolve()
  #round: Promise<void> = Promise.resolve()
  #timer: Timer | null = null
  #isRunning = false

  constructor(deps: OfficialUpkeepDeps) {
    this.#deps = deps
  }

  async enable(tenantId: TenantId, numberId: NumberId, credentials: OfficialCredentials): Promise<void> {
    await this.#try(tenantId, numberId, credentials, 0)
  }

  hasten(tenantId: TenantId, accountId: string): void {
    this.#deps.store.hastenCalling(tenantId, accountId).then(
      (count) => { if (count > 0) this.#look(0) },
      (error: unknown) => this.#deps.log.warn({ error: String(error) }, 'a try to enable calling was not put forward'),
    )
  }

  async handOver(tenantId: TenantId, accountId: string): Promise<void> {
    await this.#handOver(tenantId, accountId).catch((error: unknown) => {
      this.#deps.log.warn({ error: String(error) }, 'webhooks of an account were not handed over')
    })
  }

  async #handOver(tenantId: TenantId, accountId: string): Promise<void> {
    const { numbers, inbound, store, platform, log, webhookUrlOf } = this.#deps
    const heir = (await numbers.list(tenantId)).find(({ official }) => official?.accountId === accountId)
    if (!heir) return
    const [target, credentials] = await Promise.all([inbound.findTarget(heir.id), store.credentials(tenantId, heir.id)])
    if (!target || !credentials) return
    const subscribed = await platform.subscribe(credentials, webhookUrlOf(heir.id), target.verifyToken)
    if (!subscribed.ok) log.warn({ numberId: heir.id, code: subscribed.error.code }, 'webhooks of an account still go to a number that was removed')
  }

  mark(phoneId: string, mark: NumberMark): void {
    const stored = this.#storeMark(phoneId, mark)
      .catch((error: unknown) => this.#deps.log.warn({ mark, error: String(error) }, 'what upstream said of a number was not stored'))
    this.#marks = Promise.all([this.#marks, stored]).then(() => {})
  }

  marksStored(): Promise<void> {
    return this.#marks
  }

  async #storeMark(phoneId: string, mark: NumberMark): Promise<void> {
    const { store, receive } = this.#deps
    const number = await store.findByPhone(phoneId)
    if (!number?.official) return
    const { callingStatus, isTokenValid } = number.official
    switch (mark) {
      case 'TOKEN_INVALID':
        if (!isTokenValid) return
        await store.save(number.tenantId, number.id, { isTokenValid: false })
        return receive(number.id)
      case 'CALLING_DISABLED':
        if (callingStatus === 'ENABLED') await store.save(number.tenantId, number.id, { callingStatus: 'NOT_ENABLED' })
        return
      case 'PENDING_TIER':
      case 'PENDING_WEBHOOK':
        if (callingStatus !== mark) await store.save(number.tenantId, number.id, { callingStatus: mark, callingRetry: { tries: 1, inMs: callingRetryMs(1) } })
    }
  }

  start(): void {
    this.#isRunning = true
    this.#look(LOOK_MS)
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    this.#timer?.cancel()
    await Promise.all([this.#round, this.#marks])
  }

  /** One round at a time; the last one plans the next. */
  #look(inMs: number): void {
    if (!this.#isRunning) return
    this.#timer?.cancel()
    this.#timer = this.#deps.clock.after(inMs, () => {
      this.#round = this.#round.then(() => this.#tryDue()).catch((error: unknown) => {
        this.#deps.log.warn({ error: String(error) }, 'due tries to enable calling could not be read')
      }).then(() => this.#look(LOOK_MS))
    })
  }

  async #tryDue(): Promise<void> {
    if (!this.#isRunning) return
    const taken = await this.#deps.store.takeDueCalling(TAKEN, LEASE_MS)
    for (const due of taken) {
      await this.#tryOne(due).catch((error: unknown) => {
        // Its lease brings it back.
        this.#deps.log.warn({ numberId: due.numberId, error: String(error) }, 'a due try to enable calling failed')
      })
    }
  }

  async #tryOne(due: DueCalling): Promise<void> {
    if (due.callingStatus !== 'PENDING_TIER') await this.#subscribe(due)
    await this.#try(due.tenantId, due.numberId, due.credentials, due.tries)
  }

  /** The field may be missing because the account is not subscribed, or lost its callback. */
  async #subscribe({ numberId, credentials, verifyToken }: DueCalling): Promise<void> {
    const { platform, log, webhookUrlOf } = this.#deps
    const subscribed = await platform.subscribe(credentials, webhookUrlOf(numberId), verifyToken)
    if (!subscribed.ok) log.info({ numberId, code: subscribed.error.code }, 'the account of a number could not be subscribed')
  }

  async #try(tenantId: TenantId, numberId: NumberId, credentials: OfficialCredentials, triesBefore: number): Promise<void> {
    const { platform, store, log } = this.#deps
    const outcome = await platform.enableCalling(credentials)
    // What the answer said as a mark comes first, so that this plan is the one that stays.
    await this.#marks
    if (!outcome.ok) log.info({ numberId, code: outcome.error.code }, 'calling could not be enabled')
    const tries = triesBefore + 1
    const isEnabled = outcome.ok && outcome.value === 'ENABLED'
    // A failure says nothing of what the number waits for.
    const known = outcome.ok ? { callingStatus: outcome.value, isTokenValid: true } : {}
    await store.save(tenantId, numberId, { ...known, callingRetry: isEnabled ? null : { tries, inMs: callingRetryMs(tries) } })
    if (outcome.ok && triesBefore > 0) log.info({ numberId, callingStatus: outcome.value }, 'calling was tried again')
  }
}
