/** The facts of a request that decide its answer. */
export interface PlainRequest {
  /** In lower case, as the library has it. */
  readonly method: string
  readonly path: string
  /** The value of a header by its lower-case name; empty without one. */
  header(name: string): string
}

/** The answer to a request that becomes no socket. */
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

/** RFC 6455 section 4.1: 16 bytes in base64. */
const KEY = /^[\d+/A-Za-z]{22}==$/
/** RFC 6455 section 4.1: names are tokens of RFC 9110, and none is empty. */
const PROTOCOLS = /^[\w!#$%&'*+.^`|~-]+([\t ]*,[\t ]*[\w!#$%&'*+.^`|~-]+)*$/

/** True when a pattern names the path. A pattern that ends with `*` names all paths that begin like it. */
export function isOfPattern(path: string, pattern: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}

/**
 * Why a request becomes no socket: none is at its path, it asks for none, or its handshake is invalid (RFC 6455
 * sections 4.2.1 and 4.4). Null when it may become one. `patterns` are the paths of sockets.
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
