import type { NumberId } from '../../domain/ids.ts'
import { createRemembered } from '../../domain/remembered.ts'
import { SharedWork } from '../../domain/shared-work.ts'
import type { Broadcast } from '../../ports/broadcast.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { AskLetIn, MarketingDoor } from '../../ports/official/marketing.ts'
import type { MarketingAccount, MarketingFacts, MarketingStore } from '../../ports/stores/marketing-store.ts'

/** Broadcast topic. Its text is the id of a number, or of an account, of which something changed. */
const MARKETING_CHANGED = 'official.marketing'
/** Upstream is asked for an account once a day ([message-verbs.delivery.2]). */
const DAY_MS = 24 * 3_600_000
/** Our choice: a question without an answer is asked again after an hour. */
const HOUR_MS = 3_600_000
/** Our choice: a question belongs to its node for so long, several times what a request may take. */
const LEASE_MS = 60_000

export interface MarketingPorts {
  readonly marketing: MarketingStore
  readonly broadcast: Broadcast
  readonly clock: Clock
  readonly log: Log
}

/** The door, and what moves it from outside. */
export interface Marketing extends MarketingDoor {
  /** Tells every node that the number's setting changed. */
  chosen(numberId: NumberId): Promise<void>
  /** Upstream told that the account is let in from now on: it is asked anew. */
  signed(account: MarketingAccount): Promise<void>
}

/**
 * Makes the door of MARKETING templates, once a node. What decides is remembered for a moment, because campaigns send
 * many in a row; changes are told to every node.
 */
export function createMarketing(ports: MarketingPorts): Marketing {
  const { marketing, broadcast, clock, log } = ports
  const known = createRemembered<MarketingFacts>(clock)
  const questions = new SharedWork<boolean>()
  broadcast.subscribe(MARKETING_CHANGED, (id) =>
    known.forget(({ account }, numberId) => numberId === id || account.accountId === id),
  )
  const changed = (id: string) => broadcast.publish(MARKETING_CHANGED, id)
  const factsOf = (numberId: NumberId) => known.find(numberId, () => marketing.read(numberId))

  /** Asks once for all that wait. Whoever finds the question taken goes by what was known before. */
  async function question(numberId: NumberId, account: MarketingAccount, ask: AskLetIn): Promise<boolean> {
    const lease = await marketing.take(account, LEASE_MS)
    if (lease === null) {
      known.delete(numberId)
      return (await factsOf(numberId))?.isOpen ?? false
    }
    const answer = await ask()
    await marketing.answered(account, lease, answer ?? false, answer === null ? HOUR_MS : DAY_MS)
    await changed(account.accountId)
    return answer === true
  }

  async function isOpen(numberId: NumberId, ask: AskLetIn): Promise<boolean> {
    const facts = await factsOf(numberId)
    if (facts === null || facts.way === 'messages') return false
    const { account, askAt } = facts
    const key = `${account.tenantId} ${account.accountId}`
    // What is read while this node asks has the lease for the time of the next question.
    if (!questions.has(key) && askAt !== null && askAt.getTime() > clock.now()) return facts.isOpen
    return questions.join(key, () => question(numberId, account, ask))
  }

  return {
    isOpen: (numberId, ask) =>
      isOpen(numberId, ask).catch((error: unknown) => {
        log.warn({ numberId, error: String(error) }, 'the way of a marketing template is not known')
        return false
      }),
    async refused(numberId) {
      try {
        const facts = await factsOf(numberId)
        if (facts === null) return
        await marketing.shut(facts.account)
        await changed(facts.account.accountId)
      } catch (error) {
        log.warn({ numberId, error: String(error) }, 'a refusal of marketing templates was not stored')
      }
    },
    chosen: (numberId) => changed(numberId),
    async signed(account) {
      await marketing.askAnew(account)
      await changed(account.accountId)
    },
  }
}
