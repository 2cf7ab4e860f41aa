/** A request as far as it decides what is said to it. */
export interface PlainRequest {
  /** In lower case, as the library gives it. */
  readonly method: string
  readonly path: string
  /** Lower-case name, empty when absent. */
  header(name: string): string
}

/** What a request that becomes no socket is told. */
export interface HttpRefusal {
  readonly status: number
  readonly body: object
  readonly retryAfterSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
}

const NO_ROUTE: HttpRefusal = { status: 404, body: { error: 'Route not found', code: 'ROUTE_NOT_FOUND' } }
const SOCKETS_ONLY: HttpRefusal = {
  status: 426,
  body: { error: 'This path takes WebSocket upgrades only', code: 'UPGRADE_REQUIRED' },
  headers: { upgrade: 'websocket' },
}
const OTHER_VERSION: HttpRefusal = {
  status: 426,
  body: { error: 'The WebSocket version must be 13', code: 'UPGRADE_REQUIRED' },
  headers: { upgrade: 'websocket', 'sec-websocket-version': '13' },
}
const OTHER_METHOD: HttpRefusal = {
  status: 405,
  body: { error: 'A WebSocket is opened by GET' },
  headers: { allow: 'GET' },
}
export const BROKEN_HANDSHAKE: HttpRefusal = {
  status: 400,
  body: { error: 'The WebSocket handshake is not well-formed' },
}

/** RFC 6455 4.1: 16 bytes in base64. */
const KEY = /^[\d+/A-Za-z]{22}==$/
/** RFC 6455 4.1: names as tokens of RFC 9110, none of them empty. */
const PROTOCOLS = /^[\w!#$%&'*+.^`|~-]+([\t ]*,[\t ]*[\w!#$%&'*+.^`|~-]+)*$/

/** True of a path that a pattern names: one that ends with `*` names all that begin so. */
export function isOfPattern(path: string, pattern: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}

/**
 * Why a request becomes no socket: there is none at its path, it asks for none, or its handshake is none (RFC 6455
 * 4.2.1, 4.4). Null when it may become one. `patterns`: where sockets are.
 */
export function refusalOf(request: PlainRequest, patterns: readonly string[]): HttpRefusal | null {
  if (!patterns.some((pattern) => isOfPattern(request.path, pattern))) return NO_ROUTE
  if (request.header('upgrade').toLowerCase() !== 'websocket') return SOCKETS_ONLY
  if (request.method !== 'get') return OTHER_METHOD
  if (request.header('sec-websocket-version') !== '13') return OTHER_VERSION
  const protocols = request.header('sec-websocket-protocol')
  return KEY.test(request.header('sec-websocket-key')) && (protocols === '' || PROTOCOLS.test(protocols))
    ? null
    : BROKEN_HANDSHAKE
}
