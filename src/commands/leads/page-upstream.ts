import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { pageWebhookUrlOf } from '../../domain/lead-page.ts'
import type { PageWebhookStatus } from '../../domain/lead.ts'
import type { PagePort, UpstreamRead } from '../../ports/official/pages.ts'
import { readOutcome } from '../official/read-outcome.ts'
import type { ReadWords } from '../official/read-outcome.ts'
import { pagePort } from './page-port.ts'
import type { LoadedPage } from './page-port.ts'
import type { LeadPorts } from './ports.ts'

const WORDS: ReadWords = {
  rejected: ({ upstreamCode, upstreamMessage }) =>
    refuse('LEAD_PAGE_REJECTED', `The official platform refused: ${upstreamMessage}`, {
      upstreamCode,
      upstreamMessage,
    }),
  throttled: 'The official platform throttles this Page. Try again later.',
  failed: 'The official platform gave no answer that can be used. Try again shortly.',
}

/**
 * Turns a read upstream into an outcome for the caller who waits for it. Refusals: LEAD_PAGE_REJECTED,
 * OFFICIAL_THROTTLED, OFFICIAL_ERROR.
 */
export function outcomeOf<T>(read: UpstreamRead<T>): Outcome<T> {
  return readOutcome(read, WORDS)
}

/** The Page's name, once the token is known to be this Page's. Refusals: those of `outcomeOf`. */
export async function provePage(port: PagePort, pageId: string): Promise<Outcome<string | null>> {
  const read = outcomeOf(await port.read())
  if (!read.ok) return read
  return read.value.pageId === pageId
    ? succeed(read.value.pageName)
    : fail(WORDS.rejected({ upstreamCode: null, upstreamMessage: 'The token is of another Page' }))
}

/**
 * Has upstream tell of the Page's leads, then has it tell the Page's app ([leads.linking.1]). Refusals: those of
 * `outcomeOf`; a refusal of the app's subscription is a status, not a refusal ([leads.linking.5]).
 */
export async function subscribePage(
  { baseUrl, pageVerifyToken }: LeadPorts,
  port: PagePort,
  appId: string,
): Promise<Outcome<PageWebhookStatus>> {
  const subscribed = outcomeOf(await port.subscribe())
  return subscribed.ok
    ? outcomeOf(await port.subscribeApp(pageWebhookUrlOf(baseUrl, appId), pageVerifyToken(appId)))
    : subscribed
}

/** Asks upstream with the Page's token. When the token is dead, that is stored first, unless it was replaced since. */
export async function askPage<T>(
  { pageOf, leadPages }: LeadPorts,
  loaded: LoadedPage,
  ask: (port: PagePort) => Promise<UpstreamRead<T>>,
): Promise<UpstreamRead<T>> {
  const read = await ask(pagePort(pageOf, loaded))
  if (read.kind === 'token-dead') await leadPages.tokenDied(loaded.page.pageId, loaded.secrets.tokenVersion)
  return read
}
