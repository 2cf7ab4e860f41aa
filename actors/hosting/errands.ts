import type { Outcome, RefusalCode } from '../../src/domain/errors.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import { ASIDE_TRIES, failureCode, isOwnFault } from '../../src/domain/set-aside.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Errand, ErrandStore, StoredErrand } from '../../src/ports/stores/errand-store.ts'
import type { NumberStore } from '../../src/ports/stores/number-store.ts'
import type { SetAsideStore } from '../../src/ports/stores/set-aside-store.ts'
import { pause } from '../engine/pause.ts'
import type { Ask, NumberAsk } from './ask.ts'
import { warnOf } from '../../src/leases/ownership.ts'

/**
 * our choice: the node that notes an errand or takes one up has it for this many ms; the longest such ask takes 20 s.
 */
const HELD_MS = 25_000
/** our choice: most errands taken up at a time. */
const AT_ONCE = 20
/**
 * our choice: an errand that could not be delivered for a day is dropped, because each session reads the settings anew.
 */
const KEPT_MS = 24 * 3_600_000

/** our choice: what could not be noted is tried again after this many ms; most of that at a time. */
const NOTE_AGAIN_MS = 2_000
const MOST_KEPT = 1_000

/** Refusals after which the owner may not have heard the errand. */
const UNHEARD: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'NOT_OWNER',
  'BUSY',
  'TIMEOUT',
  'UNAVAILABLE',
  'INTERNAL',
])

export function isUnheard(outcome: Outcome<unknown>): boolean {
  return !outcome.ok && UNHEARD.has(outcome.error.code)
}

export interface ErrandsDeps {
  readonly clock: Clock
  readonly errands: ErrandStore
  readonly setAside: Pick<SetAsideStore, 'errand'>
  readonly numbers: Pick<NumberStore, 'load'>
  readonly log: Log
  /** Asks the node that holds the number. */
  ask(ask: Ask): Promise<Outcome<unknown>>
}

/** The errand of an ask that its number may hear late; null for other asks. */
export function errandOf(ask: Ask): Errand | null {
  if (ask.to !== 'number') return null
  if (ask.type === 'ApplySettings') return { kind: 'settings' }
  if (ask.type === 'Reopen') return { kind: 'reopen' }
  if (ask.type === 'ReadMessages' && 'externalMessageIds' in ask.fields)
    return { kind: 'read', externalMessageIds: ask.fields.externalMessageIds as readonly string[] }
  return null
}

function commandOf(errand: Errand): Pick<NumberAsk, 'type' | 'fields'> {
  switch (errand.kind) {
    case 'settings':
      return { type: 'ApplySettings', fields: {} }
    case 'reopen':
      return { type: 'Reopen', fields: {} }
    case 'read':
      return { type: 'ReadMessages', fields: { externalMessageIds: errand.externalMessageIds } }
  }
}

/** Whether an ask tells of what a row has. */
export function isOfRow(ask: Ask): ask is NumberAsk & { readonly type: 'ApplySettings' } {
  return ask.to === 'number' && ask.type === 'ApplySettings'
}

/**
 * The ask with the current settings and limits of the row, which go before those that were asked. Null when the number
 * is gone.
 */
export async function asStored(numbers: Pick<NumberStore, 'load'>, ask: Ask): Promise<Ask | null> {
  if (!isOfRow(ask)) return ask
  const number = await numbers.load(ask.numberId)
  if (!number) return null
  const { settings, piiMode, official } = number
  const { messagingLimitTier = null, perSecond = null } = official ?? {}
  return { ...ask, fields: { settings, piiMode, limits: official ? { messagingLimitTier, perSecond } : null } }
}

/**
 * Messages to the owners of other nodes' numbers. Each is stored before it is sent, so that neither the death of this
 * node nor an owner that cannot be reached loses it.
 */
export class Errands {
  readonly #deps: ErrandsDeps
  /** Errands that are kept in memory alone. */
  #kept = 0

  constructor(deps: ErrandsDeps) {
    this.#deps = deps
  }

  /**
   * Stores an errand, asks, and deletes it once the owner heard. `noted` hears why it cannot be stored; null once it
   * is.
   */
  async carry(ask: Ask, errand: Errand, noted: (why: unknown) => void = () => {}): Promise<Outcome<unknown>> {
    const { errands, log } = this.#deps
    let why: unknown = null
    const id = await errands.note(ask.numberId, errand, HELD_MS).catch((error: unknown) => {
      warnOf(log, error, 'what an owner is to be told could not be noted', { numberId: ask.numberId })
      why = error
      return null
    })
    noted(why)
    const outcome = await this.#deps.ask(ask)
    if (id !== null) await this.#settle(id, ask.numberId, outcome)
    else if (isUnheard(outcome)) this.#keep(ask, errand)
    return outcome
  }

  /** Keeps in memory what could not be noted, and tries again until the owner heard it or it is noted. */
  #keep(ask: Ask, errand: Errand): void {
    const { clock } = this.#deps
    if (this.#kept >= MOST_KEPT) return
    this.#kept += 1
    void pause(clock, NOTE_AGAIN_MS).then(() => {
      this.#kept -= 1
      return this.carry(ask, errand)
    })
  }

  /** Takes up errands that other nodes left, some at a time. */
  async work(): Promise<void> {
    const due = await this.#deps.errands.takeDue(AT_ONCE, HELD_MS)
    await Promise.all(due.map((errand) => this.#tell(errand)))
  }

  async purge(): Promise<number> {
    return await this.#deps.errands.purge(KEPT_MS)
  }

  /**
   * Delivers one errand. One that keeps failing for a reason of its own is set aside, so that it neither ends the turn
   * of the others nor is tried for ever.
   */
  async #tell(due: StoredErrand): Promise<void> {
    try {
      await this.#tellOwner(due)
    } catch (error) {
      if (!isOwnFault(error)) throw error
      const { errands, setAside, log } = this.#deps
      const tries = await errands.failed(due.id)
      warnOf(log, error, 'an owner could not be told', { numberId: due.numberId, tries })
      if (tries >= ASIDE_TRIES) await setAside.errand(due.id, { reason: failureCode(error), tries })
    }
  }

  async #tellOwner({ id, numberId, errand }: StoredErrand): Promise<void> {
    const { numbers, errands } = this.#deps
    if (errand === null) throw new SyntaxError('an errand cannot be read')
    const ask = await asStored(numbers, { to: 'number', numberId, ...commandOf(errand) })
    if (ask === null) return await errands.done(id)
    await this.#settle(id, numberId, await this.#deps.ask(ask))
  }

  async #settle(id: string, numberId: NumberId, outcome: Outcome<unknown>): Promise<void> {
    if (isUnheard(outcome)) return
    await this.#deps.errands
      .done(id)
      .catch((error: unknown) =>
        warnOf(this.#deps.log, error, 'what an owner was told could not be forgotten', { numberId }),
      )
  }
}
