import type { Outcome, RefusalCode } from '../../src/domain/errors.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import { ASIDE_TRIES, failureCode, isOwnFault } from '../../src/domain/set-aside.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Errand, ErrandStore, StoredErrand } from '../../src/ports/stores/errand-store.ts'
import type { NumberStore } from '../../src/ports/stores/number-store.ts'
import type { SetAsideStore } from '../../src/ports/stores/set-aside-store.ts'
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

/** Refusals after which the owner may not have heard the errand. */
const UNHEARD: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'NOT_OWNER',
  'BUSY',
  'TIMEOUT',
  'UNAVAILABLE',
  'INTERNAL',
])

export interface ErrandsDeps {
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

/**
 * The ask with the current settings and limits of the row, which go before those that were asked. Null when the number
 * is gone.
 */
export async function asStored(numbers: Pick<NumberStore, 'load'>, ask: Ask): Promise<Ask | null> {
  if (ask.to !== 'number' || ask.type !== 'ApplySettings') return ask
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

  constructor(deps: ErrandsDeps) {
    this.#deps = deps
  }

  /** Stores an errand, asks, and deletes it once the owner heard. `noted` is called when it is stored, or cannot be. */
  async carry(ask: Ask, errand: Errand, noted: () => void = () => {}): Promise<Outcome<unknown>> {
    const { errands, log } = this.#deps
    const id = await errands.note(ask.numberId, errand, HELD_MS).catch((error: unknown) => {
      warnOf(log, error, 'what an owner is to be told could not be noted', { numberId: ask.numberId })
      return null
    })
    noted()
    const outcome = await this.#deps.ask(ask)
    if (id !== null) await this.#settle(id, ask.numberId, outcome)
    return outcome
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
    if (!outcome.ok && UNHEARD.has(outcome.error.code)) return
    await this.#deps.errands
      .done(id)
      .catch((error: unknown) =>
        warnOf(this.#deps.log, error, 'what an owner was told could not be forgotten', { numberId }),
      )
  }
}
