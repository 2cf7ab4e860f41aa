import { FetchFault } from '../../src/net/fetch-failure.ts'
import type { DialFailure } from './dial-socket.ts'

/** [voice.connect-to.6], in ms: the pauses before a refused or lost socket is dialled again. */
export const REDIAL_MS = [1_000, 2_000, 4_000] as const

/**
 * Our choice, in ms: a socket that is lost sooner after it opened counts as a try that failed. A server that takes each
 * connection and fails at once would be dialled each second for as long as its call lasts.
 */
export const STEADY_MS = 10_000

/**
 * RFC 6455 section 7.4.1: 1000 ends a conversation in order, and 1005 is a close without a code. Our choice: any other
 * close by the server is a socket that was lost.
 */
const ENDS_IN_ORDER: ReadonlySet<number> = new Set([1000, 1005])

/** Whether a socket that its server closed, or that broke, is dialled again. */
export function isLost(code: number): boolean {
  return !ENDS_IN_ORDER.has(code)
}

/** Begins the codes of Node and OpenSSL that say that the certificate or the handshake of TLS is no good. */
const TLS_CODES = ['ERR_TLS', 'ERR_SSL', 'CERT_', 'DEPTH_ZERO', 'SELF_SIGNED', 'UNABLE_TO_', 'HOSTNAME_MISMATCH']

/** Says in words why a socket was not opened. It names neither the address nor a header. */
export function wordsOf(failure: DialFailure): string {
  if (failure.kind === 'refused') return `The server answered the handshake with status ${failure.status}.`
  const { error } = failure
  if (error instanceof FetchFault) return error.failure.message
  const code = 'code' in error ? String(error.code) : ''
  if (TLS_CODES.some((begin) => code.startsWith(begin))) return `The TLS connection could not be trusted: ${code}.`
  if (/handshake has timed out/i.test(error.message)) return 'The server did not answer the handshake in 10 s.'
  if (code === 'ECONNREFUSED') return 'Nothing listens at the address.'
  return 'The connection broke before the socket was open.'
}
