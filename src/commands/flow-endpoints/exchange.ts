import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { isFlowId } from '../../domain/ids.ts'
import { own } from '../../domain/json-fields.ts'
import type { Fields } from '../../domain/json-fields.ts'
import { FLOW_KEY_GRACE_MS } from '../../domain/limits.ts'
import type { OpenedExchange } from '../../ports/official/flow-exchange.ts'
import type { FlowExchangeFacts } from '../../ports/stores/flow-key-store.ts'
import type { FlowEndpointPorts } from './ports.ts'

/** A phone's request, as it came. */
export interface SentExchange {
  readonly bytes: Uint8Array
  /** The header `x-hub-signature-256`; undefined when there is none. */
  readonly signature: string | undefined
}

/** What the phone is answered. */
export type ExchangeAnswer =
  /** `body` is encrypted for the phone. */
  | { readonly kind: 'sealed'; readonly body: string }
  /** The phone's token is no longer valid. `body` is JSON text. */
  | { readonly kind: 'stale'; readonly body: string }

/** The answer that upstream's health checks expect. */
const ACTIVE = '{"data":{"status":"active"}}'
/** The same text whatever the cause, so that it does not tell whether the Flow exists. */
const UNSIGNED = refuse('FLOW_ASK_UNSIGNED', 'The signature does not fit the body and the app secret of the account')
const UNREADABLE = refuse('FLOW_ASK_UNREADABLE', 'The body cannot be decrypted')
const FAILED = refuse('FLOW_ENDPOINT_FAILED', 'The endpoint of the Flow gave no answer that can be passed on')

/**
 * Answers what a Flow's phone asks its endpoint ([flows.data-exchange.6]–[flows.data-exchange.9]): checks the
 * signature, decrypts, passes it on and encrypts the answer. Nothing of it is kept. Refusals: FLOW_ASK_UNSIGNED, also
 * for a Flow that does not exist; FLOW_ASK_UNREADABLE; FLOW_ENDPOINT_FAILED.
 */
export async function exchange(
  ports: FlowEndpointPorts,
  flowId: string,
  sent: SentExchange,
): Promise<Outcome<ExchangeAnswer>> {
  const facts =
    isFlowId(flowId) && sent.signature !== undefined
      ? await ports.flowExchanges.factsOf(flowId, FLOW_KEY_GRACE_MS)
      : null
  if (!facts?.appSecrets.some((secret) => ports.isSigned(secret, sent.bytes, sent.signature))) return fail(UNSIGNED)
  const opened = await ports.openExchange(sent.bytes, facts.privateKeys)
  if (!opened) return fail(UNREADABLE)
  if (own(opened.asked, 'action') === 'ping') return succeed({ kind: 'sealed', body: opened.seal(ACTIVE) })
  return passOn(ports, flowId, facts, opened)
}

async function passOn(
  { askEndpoint, log }: FlowEndpointPorts,
  flowId: string,
  { endpoint }: FlowExchangeFacts,
  { text, asked, seal }: OpenedExchange,
): Promise<Outcome<ExchangeAnswer>> {
  if (!endpoint) return fail(FAILED)
  const answer = await askEndpoint(endpoint, withFlow(text, asked, flowId))
  if (answer.kind === 'stale') return succeed({ kind: 'stale', body: answer.text })
  if (answer.kind === 'answered') return succeed({ kind: 'sealed', body: seal(answer.text) })
  log.debug({ flowId, reason: answer.reason }, 'the endpoint of a Flow gave no answer')
  return fail(FAILED)
}

/**
 * Adds the Flow's id to the phone's own text, so that numbers keep all their digits. A `flowId` that the phone sent is
 * replaced.
 */
function withFlow(text: string, asked: Fields, flowId: string): string {
  if (Object.hasOwn(asked, 'flowId')) return JSON.stringify({ ...asked, flowId })
  return `${text.trimEnd().slice(0, -1)}${Object.keys(asked).length === 0 ? '' : ','}"flowId":"${flowId}"}`
}
