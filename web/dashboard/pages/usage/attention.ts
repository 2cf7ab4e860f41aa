import type { Tone } from '../../ground/shown.tsx'
import type { Webhook } from '../hooks/webhook.ts'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import type { UsageWords } from './usage-words.ts'

type Words = UsageWords['attention']

/** How many templates of an account upstream are in a state that keeps them from being sent. */
export interface StoppedTemplates {
  /** A number of the account, as which its templates are read. */
  readonly number: string
  readonly status: 'REJECTED' | 'DISABLED'
  readonly count: number
}

/** What the account should look at, with the page where it is dealt with. */
export interface Concern {
  /** Unlike those of all others. */
  readonly id: string
  readonly tone: Tone
  readonly name: string
  readonly text: string
  readonly path: string
}

/** Ratings and statuses upstream that need nobody. */
const GOOD_QUALITIES: ReadonlySet<string> = new Set(['GREEN', 'UNKNOWN', 'NA'])
const GOOD_STATUSES: ReadonlySet<string> = new Set(['CONNECTED'])

/** What to look at in a number: its connection first, then how upstream rates it. */
export function concernsOfNumber(number: ShownNumber, words: Words): readonly Concern[] {
  const { id, name, state, health, calling, official } = number
  const { level, sendable, officialStatus, qualityRating } = health
  const isPoor = qualityRating !== null && !GOOD_QUALITIES.has(qualityRating)
  const found: readonly (readonly [Tone, string] | null)[] = [
    state === 'OPEN' ? null : [state === 'CLOSE' ? 'bad' : 'warn', words.states[state]],
    official !== null && !sendable ? ['bad', words.notSendable] : null,
    officialStatus === null || GOOD_STATUSES.has(officialStatus) ? null : ['warn', words.status(officialStatus)],
    isPoor ? [qualityRating === 'RED' ? 'bad' : 'warn', words.quality(qualityRating)] : null,
    level === null || level === 'ok' ? null : [level === 'restricted' ? 'bad' : 'warn', words.levels[level]],
    calling?.status === 'PENDING_WEBHOOK' ? ['warn', words.callsWait] : null,
  ]
  return found.flatMap((one, at) => {
    if (one === null) return []
    const [tone, text] = one
    return [{ id: `${id} ${at}`, tone, text, name, path: `/dashboard/numbers/${encodeURIComponent(id)}` }]
  })
}

/**
 * Webhooks whose last delivery failed, and those that the service switched off. `webhooks` are those that the session
 * may read; of others the id stands in the place of the name.
 */
export function concernsOfWebhooks(
  failures: ReadonlyMap<string, number>,
  webhooks: readonly Webhook[],
  words: Words,
): readonly Concern[] {
  const named = new Map(webhooks.map((webhook) => [webhook.id, webhook]))
  const off = webhooks.filter(({ disabledReason }) => disabledReason !== null).map(({ id }) => id)
  return [...new Set([...off, ...failures.keys()])].map((id) => {
    const { name = null, url = null, disabledReason = null } = named.get(id) ?? {}
    return {
      id,
      tone: 'bad',
      name: name ?? url ?? `${words.webhook} ${id}`,
      text: disabledReason === null ? words.webhookFails(failures.get(id) ?? 0) : words.webhookOff[disabledReason],
      path: `/dashboard/webhooks/${encodeURIComponent(id)}`,
    }
  })
}

/** Templates that upstream rejected, paused or disabled. */
export function concernsOfTemplates(
  stopped: readonly StoppedTemplates[],
  numbers: readonly ShownNumber[],
  words: Words,
): readonly Concern[] {
  return stopped
    .filter(({ count }) => count > 0)
    .map(({ number, status, count }) => ({
      id: `${number} ${status}`,
      tone: 'warn',
      name: `${words.templates}, ${numbers.find(({ id }) => id === number)?.name ?? number}`,
      text: status === 'REJECTED' ? words.rejected(count) : words.disabled(count),
      path: `/dashboard/templates?number=${encodeURIComponent(number)}&status=${status}`,
    }))
}

/** Our choice: of how many accounts upstream templates are looked at, by two small requests each. */
const MOST_ACCOUNTS = 5

/** A number of each account upstream, at most `MOST_ACCOUNTS`: templates belong to the whole account. */
export function oneOfEachAccount(numbers: readonly ShownNumber[]): readonly string[] {
  const first = new Map<string, string>()
  for (const { id, official } of numbers)
    if (official !== null && !first.has(official.accountId)) first.set(official.accountId, id)
  return [...first.values()].slice(0, MOST_ACCOUNTS)
}

/** What is bad before what only warns; otherwise in the order in which it came. */
export function worstFirst(concerns: readonly Concern[]): readonly Concern[] {
  return concerns.toSorted((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'))
}
