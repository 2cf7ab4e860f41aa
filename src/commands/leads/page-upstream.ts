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

/** An answer of upstream for whoever waits for it. Refusals: LEAD_PAGE_REJECTED, OFFICIAL_THROTTLED, OFFICIAL_ERROR. */
export function outcomeOf<T>(read: UpstreamRead<T>): Outcome<T> {
  return readOutcome(read, WORDS)
}

/** Its name, once the token is known to be of this very Page. Refusals: those of `outcomeOf`. */
export async function provePage(port: PagePort, pageId: string): Promise<Outcome<string | null>> {
  const read = outcomeOf(await port.read())
  if (!read.ok) return read
  return read.value.pageId === pageId
    ? succeed(read.value.pageName)
    : fail(WORDS.rejected({ upstreamCode: null, upstreamMessage: 'The token is of another Page' }))
}

/**
 * Has upstream tell of the Page's leads, then of those of its app (contract 12, Linking). Refusals: those of
 * `outcomeOf`; what it refuses of the app alone is a status.
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

/** Asks upstream with the Page's token; that it is dead is stored first, unless it was replaced since. */
export async function askPage<T>(
  { pageOf, leadPages }: LeadPorts,
  loaded: LoadedPage,
  ask: (port: PagePort) => Promise<UpstreamRead<T>>,
): Promise<UpstreamRead<T>> {
  const read = await ask(pagePort(pageOf, loaded))
  if (read.kind === 'token-dead') await leadPages.tokenDied(loaded.page.pageId, loaded.secrets.tokenVersion)
  return read
}
