import { nextTryAt } from '../../domain/lead-schedule.ts'
import type { LeadPage } from '../../domain/lead.ts'
import { ASIDE_TRIES, failureCode, isOwnFault } from '../../domain/set-aside.ts'
import { StoreAway } from '../../domain/store-away.ts'
import type { PagePort, UpstreamLead } from '../../ports/official/pages.ts'
import type { TakenNotice } from '../../ports/stores/lead-notice-store.ts'
import { storeLead } from './capture.ts'
import type { ReadLead } from './capture.ts'
import type { FetchOutcome } from './measures.ts'
import type { LeadNode } from './node.ts'
import { pagePort } from './page-port.ts'
import type { LoadedPage } from './page-port.ts'

/** Our choice: leads that a node asks for at once. */
const AT_ONCE = 32
/**
 * Our choice: leads of one Page that one turn takes. With those of the turn before, at most twice as many are asked for
 * at once.
 */
const OF_A_PAGE = 4
/** Our choice: longer than upstream may take to answer. After it, what a process left behind is taken again. */
const LEASE_MS = 60_000
/** Our choice: a lead whose number's privacy mode cannot be read is tried again after so long. */
const MODE_WAIT_MS = 10_000

/** A try that has to be made again. `heldMs`: how long upstream says to wait, null when it does not say. */
type TriedInVain = {
  readonly outcome: 'throttled' | 'refused' | 'failed' | 'error'
  readonly code: number | null
  readonly heldMs: number | null
}

/**
 * Fetches the leads that upstream told of ([leads.fetching.1]–[leads.fetching.3]). A slow one does not hold up those of
 * other Pages.
 */
export class LeadFetching {
  readonly #node: LeadNode
  readonly #running = new Set<Promise<void>>()
  #hasBegun = false
  /** Leads that are being asked for, by Page. */
  readonly #busy = new Map<string, number>()
  /** Pages that upstream throttles, each with the monotonic ms until which it does. */
  readonly #held = new Map<string, number>()

  constructor(node: LeadNode) {
    this.#node = node
  }

  /** Begins what is due, as far as there is room beside what is under way. */
  async turn(isWanted: () => boolean): Promise<void> {
    const free = AT_ONCE - this.#running.size
    if (free <= 0) return
    const { leadNotices, processId: by } = this.#node
    // At its first turn a process gives back what processes that are gone had under way, without waiting for the
    // leases.
    if (!this.#hasBegun) await leadNotices.giveBack()
    this.#hasBegun = true
    for (const notice of await leadNotices.take(free, OF_A_PAGE, {
      by,
      leaseMs: LEASE_MS,
      except: this.#passedOver(),
    })) {
      // Another turn takes the rest once the leases have run out.
      if (!isWanted()) return
      this.#begin(notice)
    }
  }

  /** Waits for the fetches under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#running)
  }

  #passedOver(): string[] {
    const nowMs = this.#node.clock.monotonicMs()
    for (const [pageId, untilMs] of this.#held) if (untilMs <= nowMs) this.#held.delete(pageId)
    const full = [...this.#busy].filter(([, count]) => count > OF_A_PAGE).map(([pageId]) => pageId)
    return [...full, ...this.#held.keys()]
  }

  #begin(notice: TakenNotice): void {
    const { pageId } = notice
    this.#busy.set(pageId, (this.#busy.get(pageId) ?? 0) + 1)
    const running = this.#work(notice).finally(() => {
      this.#running.delete(running)
      const left = (this.#busy.get(pageId) ?? 1) - 1
      if (left === 0) this.#busy.delete(pageId)
      else this.#busy.set(pageId, left)
      this.#node.leadsDue()
    })
    this.#running.add(running)
  }

  /** Never throws: when the database is away, the lead is taken again after its lease. */
  async #work(notice: TakenNotice): Promise<void> {
    const { log, measures } = this.#node
    try {
      measures.fetched(await this.#fetch(notice))
    } catch (error) {
      if (error instanceof StoreAway) return
      log.error({ pageId: notice.pageId, leadgenId: notice.leadgenId, error: nameOf(error) }, 'a lead was not stored')
      measures.fetched('error')
      await this.#failed(notice, error).catch(() => {})
    }
  }

  /** A lead that fails for a reason of its own is set aside, instead of being tried for seven days. */
  async #failed(notice: TakenNotice, error: unknown): Promise<void> {
    const tries = notice.tries + 1
    if (tries >= ASIDE_TRIES && isOwnFault(error))
      await this.#node.setAside.leadNotice(notice, { reason: failureCode(error), tries })
    else await this.#again(notice, { outcome: 'error', code: null, heldMs: null })
  }

  async #fetch(notice: TakenNotice): Promise<FetchOutcome> {
    const { leadPages, forms, pageOf } = this.#node
    const loaded = await leadPages.load(notice.pageId)
    if (loaded === null) return 'gone'
    const port = pagePort(pageOf, loaded)
    // Read beside the lead, because both are upstream's and forms seldom change.
    if (notice.formId !== null) void forms.read(port, notice.pageId, notice.formId)
    const read = await port.lead(notice.leadgenId)
    if (read.kind === 'read') return this.#store(notice, loaded.page, port, read.value)
    if (read.kind === 'token-dead') return this.#tokenDied(notice, loaded)
    return this.#again(notice, {
      outcome: read.kind,
      code: read.no.upstreamCode,
      heldMs: read.kind === 'throttled' ? read.waitMs : null,
    })
  }

  async #store(notice: TakenNotice, page: LeadPage, port: PagePort, read: UpstreamLead): Promise<FetchOutcome> {
    const { leads, leadNotices, forms, measures, clock, autoSendsDue } = this.#node
    const lead = readLead(notice, read)
    if (lead === null) return this.#again(notice, { outcome: 'failed', code: null, heldMs: null })
    const form = await forms.read(port, page.pageId, lead.formId)
    const result = await storeLead(leads, { lead, page, form, source: 'webhook' })
    if (result.kind === 'waits') await leadNotices.postpone(notice, new Date(clock.now() + MODE_WAIT_MS), false)
    if (result.kind !== 'stored') return result.kind
    measures.stored(result.lead)
    if (result.lead.autoSendStatus === 'pending') autoSendsDue()
    return 'stored'
  }

  /** All leads that wait for the Page wait for a new token, without further tries. */
  async #tokenDied(notice: TakenNotice, { page, secrets }: LoadedPage): Promise<FetchOutcome> {
    const { leadPages, leadNotices, clock, log } = this.#node
    await leadPages.tokenDied(page.pageId, secrets.tokenVersion)
    await leadNotices.postpone(notice, new Date(clock.now()), false)
    log.warn(
      { pageId: page.pageId, numberId: page.channelNumberId },
      'upstream refuses the token of a Page; its leads wait for a new token',
    )
    return 'token-dead'
  }

  async #again(notice: TakenNotice, { outcome, code, heldMs }: TriedInVain): Promise<FetchOutcome> {
    const { leadNotices, retryMs, measures, clock, log } = this.#node
    const { pageId, leadgenId, tries, noticedAt } = notice
    if (heldMs !== null) this.#held.set(pageId, clock.monotonicMs() + heldMs)
    const dueAt = nextTryAt({ tries, since: noticedAt, heldMs: heldMs ?? 0 }, retryMs, clock.now())
    if (dueAt !== null) {
      await leadNotices.postpone(notice, dueAt, true)
      return outcome
    }
    await leadNotices.drop(notice)
    measures.gaveUp()
    log.warn(
      { pageId, leadgenId, outcome, code, tries: tries + 1 },
      'a lead was given up: upstream has not shown it for seven days',
    )
    return outcome
  }
}

/** Null when the answer lacks its time or its form. The ad of the notice counts when the lead names none. */
function readLead(notice: TakenNotice, read: UpstreamLead): ReadLead | null {
  const formId = read.formId ?? notice.formId
  if (read.createdAt === null || formId === null) return null
  return { ...read, leadgenId: notice.leadgenId, createdAt: read.createdAt, formId, adId: read.adId ?? notice.adId }
}

/** The kind of error without its text: the text of a database error may quote a lead's answer. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
