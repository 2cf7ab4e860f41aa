import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { isFlowId } from '../../domain/ids.ts'
import { own } from '../../domain/json-fields.ts'
import type { Fields } from '../../domain/json-fields.ts'
import { FLOW_KEY_GRACE_MS } from '../../domain/limits.ts'
import type { OpenedExchange } from '../../ports/official/flow-exchange.ts'
import type { FlowExchangeFacts } from '../../ports/stores/flow-key-store.ts'
import type { FlowEndpointPorts } from './ports.ts'

/** What a phone sent, as it came. */
export interface SentExchange {
  readonly bytes: Uint8Array
  /** `x-hub-signature-256`; undefined without one. */
  readonly signature: string | undefined
}

/** What the phone is told. */
export type ExchangeAnswer =
  /** `body`: encrypted for it. */
  | { readonly kind: 'sealed'; readonly body: string }
  /** Its token is good no more. `body`: JSON text. */
  | { readonly kind: 'stale'; readonly body: string }

/** Upstream: what its health checks are answered with. */
const ACTIVE = '{"data":{"status":"active"}}'
/** One text whatever the cause, a Flow that is not there included. */
const UNSIGNED = refuse('FLOW_ASK_UNSIGNED', 'The signature does not fit the body and the app secret of the account')
const UNREADABLE = refuse('FLOW_ASK_UNREADABLE', 'The body cannot be decrypted')
const FAILED = refuse('FLOW_ENDPOINT_FAILED', 'The endpoint of the Flow gave no answer that can be passed on')

/**
 * Answers what a Flow's phone asks its endpoint (contract 11, data_exchange): proved, read, passed on, and the answer
 * encrypted. Nothing of it is kept. Refusals: FLOW_ASK_UNSIGNED, of Flows that are not there, too; FLOW_ASK_UNREADABLE;
 * FLOW_ENDPOINT_FAILED.
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
 * The phone's own text with the Flow's id in it: numbers keep all their digits. What it says of the id itself does not
 * count.
 */
function withFlow(text: string, asked: Fields, flowId: string): string {
  if (Object.hasOwn(asked, 'flowId')) return JSON.stringify({ ...asked, flowId })
  return `${text.trimEnd().slice(0, -1)}${Object.keys(asked).length === 0 ? '' : ','}"flowId":"${flowId}"}`
}
