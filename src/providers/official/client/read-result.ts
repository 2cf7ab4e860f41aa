import type { Fields } from '../../../domain/json-fields.ts'
import type { UpstreamRead } from '../../../ports/official/pages.ts'
import type { UpstreamNo } from '../../../ports/official/write.ts'
import type { GraphFailure } from '../errors/graph-error.ts'
import { waitMsOf } from '../errors/graph-error.ts'
import type { GraphAnswer } from './graph.ts'
import { markOf, outcomeOf } from '../errors/error-map.ts'
import { isDecided } from './write-result.ts'

type NotRead = Exclude<UpstreamRead<never>, { kind: 'read' }>

const TOO_MANY_REQUESTS = 429
/** Our choice, in characters: upstream's message is shown and stored, and is shorter. */
const LONGEST_MESSAGE = 1_000

/** Stands in place of a secret. */
const BLOT = '***'

/**
 * Reads the result of a request about a Page, a form, a lead or an ad, by one map for all of them. `valueOf` answers
 * null when the answer does not hold what was asked for. Upstream's words are freed of all `secrets`.
 */
export function readOf<T>(
  answer: GraphAnswer,
  secrets: readonly string[],
  valueOf: (body: Fields) => { readonly value: T } | null,
): UpstreamRead<T> {
  if (!answer.ok) return notRead(answer.failure, secrets)
  if (answer.body['success'] === false)
    return { kind: 'refused', no: noOf('The official platform did not do it, and gave no reason.') }
  const read = valueOf(answer.body)
  return read ? { kind: 'read', value: read.value } : unread('The answer does not hold what was asked for.')
}

/** The value of a request that changes something: null unless upstream says that it did it. */
export function doneIn(body: Fields): { readonly value: null } | null {
  return body['success'] === true ? { value: null } : null
}

/** The result of an answer, or of several, that cannot be read. */
export function unread(reason: string): NotRead {
  return { kind: 'failed', no: noOf(reason) }
}

function notRead(failure: GraphFailure, secrets: readonly string[]): NotRead {
  switch (failure.kind) {
    case 'crowded':
      return unread('Too many requests wait for the official platform.')
    case 'unanswered':
      return unread(failure.failure.message)
    case 'unreadable': {
      const no = noOf(`The answer (HTTP ${failure.status}) cannot be read.`)
      return failure.status === TOO_MANY_REQUESTS
        ? { kind: 'throttled', no, waitMs: waitMsOf(failure) }
        : { kind: 'failed', no }
    }
    case 'error': {
      const no = {
        upstreamCode: failure.code,
        upstreamSubcode: failure.subcode,
        upstreamMessage: blotted(failure.message, secrets),
      }
      if (outcomeOf(failure) === 'throttled' || failure.status === TOO_MANY_REQUESTS)
        return { kind: 'throttled', no, waitMs: waitMsOf(failure) }
      if (markOf(failure) === 'TOKEN_INVALID') return { kind: 'token-dead', no }
      return { kind: isDecided(failure) ? 'refused' : 'failed', no }
    }
  }
}

function noOf(upstreamMessage: string): UpstreamNo {
  return { upstreamCode: null, upstreamSubcode: null, upstreamMessage }
}

function blotted(message: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, BLOT), message)
    .slice(0, LONGEST_MESSAGE)
}
