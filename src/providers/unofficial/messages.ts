import { succeed } from '../../domain/errors.ts'
import type { MessageErrorCode, MessageFailure } from '../../domain/message.ts'
import { mediaIn } from '../../domain/outgoing.ts'
import type { ProviderSession, SendResult } from '../../ports/provider.ts'
import { bridgeContent, isBridgeable } from './bridge-content.ts'
import { nothingOf } from './calls.ts'
import type { EngineOutcome, EngineRequests, TakenMessage } from './engine-requests.ts'
import { messageFailureOf, NO_LINK } from './error-map.ts'
import { namedWith } from './peer-events.ts'

type MessageOps = Pick<ProviderSession, 'sendText' | 'sendMessage' | 'markRead'>

/** Our choice, ms: an engine has to fetch the files of a message first, up to 100 MB each ([media.ceilings.4]). */
const MEDIA_MS = 60_000

/**
 * Messages, over `message.*`. `messageId` is the idempotency key ([bridge.ops.4]), so that sending again cannot deliver
 * twice.
 */
export function messageOps(requests: EngineRequests): MessageOps {
  return {
    async sendText(to, text, messageId) {
      const outcome = await requests.ask('message.send', { messageId, to, content: { type: 'text', text } }, 'again')
      return outcome.ok
        ? succeed({ externalMessageId: outcome.value.externalMessageId })
        : { ok: false, error: outcome.error }
    },
    async sendMessage({ messageId, to, content, quotedMessageId, trace }) {
      if (!isBridgeable(content)) return UPSTREAM_ONLY
      return sendResultOf(
        await requests.ask(
          'message.send',
          {
            messageId,
            to: to.address,
            content: bridgeContent(content),
            ...(quotedMessageId === null ? {} : { quoted: quotedMessageId }),
            ...(trace ? { traceparent: trace } : {}),
          },
          'again',
          mediaIn(content).length > 0 ? { timeoutMs: MEDIA_MS } : {},
        ),
        to.address,
      )
    },
    async markRead(externalMessageIds) {
      if (externalMessageIds.length === 0) return succeed(null)
      return nothingOf(await requests.ask('message.read', { externalMessageIds: [...externalMessageIds] }, 'again'))
    },
  }
}

/** Engines know no templates, which are filled in here for their numbers. */
const UPSTREAM_ONLY: SendResult = {
  kind: 'refused',
  failure: plainFailure(
    'MEDIA_UNSUPPORTED',
    'The device network has no approved templates, no Flows and no requests for numbers.',
  ),
}

/** Engine codes for a message that was not sent, for now. */
const LATER_CODES: ReadonlySet<string> = new Set(['NOT_CONNECTED', 'UNAUTHORIZED'])

function sendResultOf(outcome: EngineOutcome<TakenMessage>, address: string): SendResult {
  if (outcome.ok) {
    const { externalMessageId, peer } = outcome.value
    const named = namedWith(address, peer)
    return { kind: 'sent', externalMessageId, ...(named ? { named } : {}) }
  }
  const { engineError, error } = outcome
  if (!engineError) {
    const failure = plainFailure('DELIVERY_TIMEOUT', error.message)
    // The link broke, or the answer was late or missing: the engine may have accepted the message.
    return { kind: error === NO_LINK ? 'unsent' : 'unknown', failure }
  }
  const failure = messageFailureOf(engineError)
  if (engineError.code === 'RATE_LIMITED') return { kind: 'throttled', failure, afterMs: null, scope: 'number' }
  if (LATER_CODES.has(engineError.code)) return { kind: 'unsent', failure }
  // Codes with a meaning of their own are final, whatever the engine says of trying again.
  const isOpen = failure.code === 'DELIVERY_TIMEOUT' && engineError.retryable
  return { kind: isOpen ? 'unsent' : 'refused', failure }
}

function plainFailure(code: MessageErrorCode, message: string): MessageFailure {
  return { code, message, details: null, upstreamCode: null }
}
