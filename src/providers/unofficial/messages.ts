import { succeed } from '../../domain/errors.ts'
import type { ProviderSession } from '../../ports/provider.ts'
import type { EngineRequests } from './engine-requests.ts'

/** Outgoing messages, over `message.send`. */
export function messageOps(requests: EngineRequests): Pick<ProviderSession, 'sendText'> {
  return {
    async sendText(to, text, messageId) {
      // `messageId` is the idempotency key (contract 8): sending again cannot deliver twice.
      const outcome = await requests.ask('message.send', { messageId, to, content: { type: 'text', text } }, 'again')
      return outcome.ok ? succeed({ externalMessageId: outcome.value.externalMessageId }) : { ok: false, error: outcome.error }
    },
  }
}
