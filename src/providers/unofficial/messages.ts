import { succeed } from '../../domain/errors.ts'
import type { MessageErrorCode, MessageFailure } from '../../domain/message.ts'
import { mediaIn } from '../../domain/outgoing.ts'
import type { ProviderSession, SendResult } from '../../ports/provider.ts'
import { bridgeContent } from './bridge-content.ts'
import { nothingOf } from './calls.ts'
import type { EngineOutcome, EngineRequests } from './engine-requests.ts'
import { messageFailureOf, NO_LINK } from './error-map.ts'

type MessageOps = Pick<ProviderSession, 'sendText' | 'sendMessage' | 'markRead'>

/** Our choice: an engine has to fetch the files of a message first, up to 100 MB each (spec: Limits). */
const MEDIA_MS = 60_000

/** Messages, over `message.*`. `messageId` is the idempotency key (contract 8): sending again cannot deliver twice. */
export function messageOps(requests: EngineRequests): MessageOps {
  return {
    async sendText(to, text, messageId) {
      const outcome = await requests.ask('message.send', { messageId, to, content: { type: 'text', text } }, 'again')
      return outcome.ok
        ? succeed({ externalMessageId: outcome.value.externalMessageId })
        : { ok: false, error: outcome.error }
    },
    async sendMessage({ messageId, to, content, quotedMessageId }) {
      if (content.mode === 'template' || content.mode === 'flow') return UPSTREAM_ONLY
      return sendResultOf(
        await requests.ask(
          'message.send',
          {
            messageId,
            to: to.address,
            content: bridgeContent(content),
            ...(quotedMessageId === null ? {} : { quoted: quotedMessageId }),
          },
          'again',
          mediaIn(content).length > 0 ? { timeoutMs: MEDIA_MS } : {},
        ),
      )
    },
    async markRead(externalMessageIds) {
      if (externalMessageIds.length === 0) return succeed(null)
      return nothingOf(await requests.ask('message.read', { externalMessageIds: [...externalMessageIds] }, 'again'))
    },
  }
}

/** Devices know no templates, those of their numbers are filled in here, and no Flows. */
const UPSTREAM_ONLY: SendResult = {
  kind: 'refused',
  failure: plainFailure('MEDIA_UNSUPPORTED', 'The device network has no approved templates and no Flows.'),
}

/** Engine codes that say that nothing was sent, for now. */
const LATER_CODES: ReadonlySet<string> = new Set(['NOT_CONNECTED', 'UNAUTHORIZED'])

function sendResultOf(outcome: EngineOutcome<{ externalMessageId: string }>): SendResult {
  if (outcome.ok) return { kind: 'sent', externalMessageId: outcome.value.externalMessageId }
  const { engineError, error } = outcome
  if (!engineError) {
    const failure = plainFailure('DELIVERY_TIMEOUT', error.message)
    // The link broke, the answer was late or none: the engine may have taken it.
    return { kind: error === NO_LINK ? 'unsent' : 'unknown', failure }
  }
  const failure = messageFailureOf(engineError)
  if (engineError.code === 'RATE_LIMITED') return { kind: 'throttled', failure, afterMs: null, scope: 'number' }
  if (LATER_CODES.has(engineError.code)) return { kind: 'unsent', failure }
  // Codes with a meaning of their own are final, whatever the engine thinks of trying again.
  const isOpen = failure.code === 'DELIVERY_TIMEOUT' && engineError.retryable
  return { kind: isOpen ? 'unsent' : 'refused', failure }
}

function plainFailure(code: MessageErrorCode, message: string): MessageFailure {
  return { code, message, details: null, upstreamCode: null }
}
