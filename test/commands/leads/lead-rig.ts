import { LocalBroadcast } from '../../../src/cluster/local.ts'
import { createLeads } from '../../../src/commands/leads/leads.ts'
import type { LeadCommands } from '../../../src/commands/leads/leads.ts'
import type { LeadPorts } from '../../../src/commands/leads/ports.ts'
import { fail, refuse } from '../../../src/domain/errors.ts'
import { LEAD_RETRY_MS } from '../../../src/domain/lead-schedule.ts'
import type { Labels } from '../../../src/ports/metrics.ts'
import type { PageOf, PagePort, UpstreamForm, UpstreamLead, UpstreamRead } from '../../../src/ports/official/pages.ts'
import { NOON } from '../../contracts/lead-world.ts'
import type { World } from '../../contracts/world.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'

export function read<T>(value: T): UpstreamRead<T> {
  return { kind: 'read', value }
}

/** A refusal of the upstream. */
export function no(kind: 'token-dead' | 'refused' | 'failed', upstreamCode: number | null = null): UpstreamRead<never> {
  return { kind, no: { upstreamCode, upstreamSubcode: null, upstreamMessage: 'No.' } }
}

export function throttled(waitMs: number | null): UpstreamRead<never> {
  return { kind: 'throttled', waitMs, no: { upstreamCode: 4, upstreamSubcode: null, upstreamMessage: 'Too many.' } }
}

export function upstreamLead(leadgenId: string, fields: Partial<UpstreamLead> = {}): UpstreamLead {
  return {
    leadgenId,
    createdAt: new Date(NOON - 60_000),
    formId: '77',
    adId: null,
    adName: null,
    adsetName: null,
    campaignName: null,
    answers: [{ key: 'full_name', values: ['Ana'] }],
    consents: null,
    isOrganic: true,
    platform: 'fb',
    ...fields,
  }
}

export function upstreamForm(fields: Partial<UpstreamForm> = {}): UpstreamForm {
  return {
    formId: '77',
    formName: 'Newsletter',
    pageId: null,
    status: 'ACTIVE',
    questions: [{ key: 'full_name', label: 'Who?', type: 'FULL_NAME' }],
    checkboxes: [],
    ...fields,
  }
}

/**
 * A scripted upstream. It refuses every operation that the test does not script, and records each request as `op id`
 * together with its Page.
 */
export class ScriptedPages {
  readonly #asked: { readonly pageId: string; readonly what: string }[] = []
  readonly tokens: string[] = []
  script: Partial<PagePort> = {}
  /** The Page that the script applies to; null when it applies to all. */
  only: string | null = null

  asked(pageId: string): string[] {
    return this.#asked.filter((one) => one.pageId === pageId).map(({ what }) => what)
  }

  readonly pageOf: PageOf = ({ pageId, accessToken }) => {
    const refused = async () => no('refused', 100)
    const script = (): Partial<PagePort> => (this.only === null || this.only === pageId ? this.script : {})
    const note =
      <A extends readonly unknown[], R>(op: string, ask: (...given: A) => Promise<R>) =>
      (...given: A): Promise<R> => {
        this.#asked.push({ pageId, what: `${op} ${String(given[0])}` })
        this.tokens.push(accessToken)
        return ask(...given)
      }
    return {
      read: refused,
      subscribe: refused,
      unsubscribe: refused,
      subscribeApp: refused,
      appWebhook: refused,
      forms: note('forms', (after) => script().forms?.(after) ?? refused()),
      form: note('form', (formId) => script().form?.(formId) ?? refused()),
      lead: note('lead', (leadgenId) => script().lead?.(leadgenId) ?? refused()),
      leadsOf: note('leadsOf', (formId, range, after) => script().leadsOf?.(formId, range, after) ?? refused()),
    }
  }
}

/** The port of a process that is killed before `step` is done. */
export function killedAt<T extends object>(port: T, step: keyof T): T {
  return new Proxy(port, {
    get(of, name) {
      const does: unknown = Reflect.get(of, name)
      if (name === step) return () => Promise.reject(new Error('killed'))
      return typeof does === 'function' ? does.bind(of) : does
    },
  })
}

/** The commands of leads, over real rows and a scripted upstream. */
export class LeadWork {
  readonly world: World
  readonly pages = new ScriptedPages()
  readonly outcomes: string[] = []
  readonly ports: LeadPorts
  readonly leads: LeadCommands
  answersWanted = 0
  fetchesWanted = 0

  constructor(world: World) {
    this.world = world
    const { clock, stores } = world
    this.ports = {
      ...stores,
      pageOf: this.pages.pageOf,
      messageCommands: { send: async () => fail(refuse('BUSY', 'not scripted')) },
      broadcast: new LocalBroadcast(silentLog),
      processId: 'rig',
      retryMs: LEAD_RETRY_MS,
      baseUrl: 'https://api.example',
      pageVerifyToken: (appId) => appId,
      leadsDue: () => void this.fetchesWanted++,
      backfillsDue: () => {},
      autoSendsDue: () => void this.answersWanted++,
      clock,
      log: silentLog,
      metrics: { ...noMetrics, counter: (name) => ({ add: (labels) => this.#counted(name, labels) }) },
    }
    this.leads = createLeads(this.ports)
  }

  /** Records how the fetching of each lead ended, from the metrics that count it. */
  #counted(name: string, labels?: Labels): void {
    if (name === 'lead_fetches_total') this.outcomes.push(labels?.['outcome'] ?? '')
    if (name === 'lead_notices_given_up_total') this.outcomes.push('gave up')
  }

  /** Runs one turn of fetching; returns the outcome of each lead. */
  async fetch(): Promise<string[]> {
    const before = this.outcomes.length
    await this.leads.fetch(() => true)
    await this.leads.fetched()
    return this.outcomes.slice(before)
  }
}
