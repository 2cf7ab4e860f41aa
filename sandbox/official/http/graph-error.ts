import { randomBytes } from 'node:crypto'

interface Meaning {
  readonly status: number
  readonly title: string
}

/** Codes of the platform with their HTTP status and title. Rate codes have 400 or 429, as upstream's. */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  1: { status: 400, title: 'API Unknown' },
  2: { status: 503, title: 'API Service' },
  3: { status: 500, title: 'API Method' },
  4: { status: 400, title: 'API Too Many Calls' },
  10: { status: 403, title: 'Permission Denied' },
  15: { status: 400, title: 'This method must be called with an app access_token' },
  17: { status: 400, title: 'User request limit reached' },
  32: { status: 400, title: 'Page request limit reached' },
  100: { status: 400, title: 'Invalid parameter' },
  104: { status: 401, title: 'An access token is required to request this resource.' },
  190: { status: 401, title: 'Error validating access token' },
  192: { status: 400, title: 'Invalid phone number' },
  200: { status: 403, title: 'API Permission' },
  368: { status: 403, title: 'Temporarily blocked for policies violations' },
  613: { status: 429, title: 'Calls to this api have exceeded the rate limit' },
  2200: { status: 400, title: 'Callback verification failed' },
  2500: { status: 400, title: 'Unknown path components' },
  80001: { status: 400, title: 'There have been too many calls to this Page account' },
  80004: { status: 400, title: 'There have been too many calls to this ad-account' },
  80005: { status: 400, title: 'There have been too many leadgen api calls from this Page account' },
  80007: { status: 400, title: 'Rate limit issues' },
  130429: { status: 400, title: 'Rate limit hit' },
  131000: { status: 500, title: 'Something went wrong' },
  131002: { status: 400, title: 'Header file could not be taken' },
  131003: { status: 400, title: 'Header file is of a wrong type' },
  131008: { status: 400, title: 'Required parameter is missing' },
  131009: { status: 400, title: 'Parameter value is not valid' },
  131016: { status: 500, title: 'Service unavailable' },
  131026: { status: 400, title: 'Message undeliverable' },
  131030: { status: 400, title: 'Recipient phone number not in allowed list' },
  131031: { status: 403, title: 'Account has been locked' },
  131042: { status: 400, title: 'Business eligibility payment issue' },
  131044: { status: 400, title: 'Business eligibility payment issue' },
  131047: { status: 400, title: 'Re-engagement message' },
  131048: { status: 400, title: 'Spam rate limit hit' },
  131049: { status: 400, title: 'Message not delivered to maintain healthy engagement' },
  131051: { status: 400, title: 'Unsupported message type' },
  131052: { status: 400, title: 'Media download error' },
  131053: { status: 400, title: 'Media upload error' },
  131055: { status: 400, title: 'Method not allowed' },
  131056: { status: 400, title: '(Business Account, Consumer Account) pair rate limit hit' },
  131057: { status: 500, title: 'Account in maintenance mode' },
  131063: { status: 400, title: 'Marketing templates are disabled' },
  132000: { status: 400, title: 'Number of parameters does not match the expected number of params' },
  132001: { status: 404, title: 'Template name does not exist in the translation' },
  132005: { status: 400, title: 'Translated text too long' },
  132007: { status: 400, title: 'Template format character policy violated' },
  132012: { status: 400, title: 'Parameter format does not match format in the created template' },
  132015: { status: 400, title: 'Template is paused' },
  132016: { status: 400, title: 'Template is disabled' },
  132018: { status: 400, title: 'There is an issue with the parameters in your template' },
  132068: { status: 400, title: 'Flow is blocked' },
  132069: { status: 400, title: 'Flow is throttled' },
  133004: { status: 503, title: 'Server Temporarily Unavailable' },
  134100: { status: 400, title: 'Only marketing messages are supported' },
  134101: { status: 400, title: 'Template is syncing' },
  134102: { status: 400, title: 'Template is not available' },
  138000: { status: 401, title: 'Calling not enabled' },
  138001: { status: 400, title: 'Receiver uncallable' },
  138002: { status: 429, title: 'Concurrent calls limit' },
  138003: { status: 400, title: 'Duplicate call' },
  138004: { status: 500, title: 'Connection error' },
  138005: { status: 429, title: 'Call rate limit exceeded' },
  138006: { status: 401, title: 'No approved call permission from the recipient' },
  138007: { status: 500, title: 'Connection timeout' },
  138009: { status: 400, title: 'Call permission request limit hit' },
  138012: { status: 400, title: 'Business initiated calling limit hit' },
  138013: { status: 400, title: 'Business initiated calling is not available' },
  138014: { status: 400, title: 'Calling is temporarily disabled' },
  138015: { status: 400, title: 'Calling cannot be enabled' },
  138017: { status: 400, title: 'Permanent call permission exists' },
  138018: { status: 400, title: 'Calling prerequisites are not met' },
  138019: { status: 400, title: 'Call setup failed' },
  138020: { status: 400, title: 'Relay connection failed' },
  138021: { status: 400, title: 'Media receive timeout' },
  138022: { status: 400, title: 'Media transmit timeout' },
  138023: { status: 400, title: 'No media signals' },
  139000: { status: 400, title: 'Blocked by Integrity' },
  139001: { status: 400, title: "Flow can't be updated" },
  139002: { status: 400, title: "Flow can't be published" },
  139003: { status: 400, title: "Flow can't be deprecated" },
  139004: { status: 400, title: "Flow can't be deleted" },
  139005: { status: 400, title: "Flow can't be migrated" },
  139006: { status: 400, title: 'Metrics threshold is not reached' },
}

const TRANSIENT: ReadonlySet<number> = new Set([
  1, 2, 4, 613, 80007, 130429, 131000, 131016, 131056, 131057, 133004, 138002, 138004, 138005, 138007,
])

/** Title of a code as errors of webhooks show it. */
export function titleOf(code: number): string {
  return MEANINGS[code]?.title ?? 'Unknown error'
}

export interface GraphErrorParts {
  /** `error_data.details`: what exactly was wrong. */
  readonly details?: string
  readonly subcode?: number
  /** Replaces `(#code) Title`. */
  readonly message?: string
  readonly type?: string
  readonly status?: number
  /** Words for people; errors of management have them, and say whether trying again may help. */
  readonly user?: { readonly title: string; readonly text: string }
}

/** A request that the platform refuses; becomes the one error envelope of all its endpoints. */
export class GraphError extends Error {
  readonly status: number
  readonly code: number
  readonly #parts: GraphErrorParts

  constructor(code: number, parts: GraphErrorParts = {}) {
    super(parts.message ?? `(#${code}) ${titleOf(code)}`)
    this.name = 'GraphError'
    this.code = code
    this.status = parts.status ?? MEANINGS[code]?.status ?? 400
    this.#parts = parts
  }

  envelope(): object {
    const { details, subcode, type = 'OAuthException', user } = this.#parts
    const isTransient = TRANSIENT.has(this.code)
    return {
      error: {
        message: this.message,
        type,
        code: this.code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        ...(isTransient || user ? { is_transient: isTransient } : {}),
        ...(user ? { error_user_title: user.title, error_user_msg: user.text } : {}),
        ...(details === undefined ? {} : { error_data: { messaging_product: 'whatsapp', details } }),
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
    }
  }
}

/** The one answer for an object that does not exist and for one that the token may not see. */
export function unknownObject(method: string, id: string): GraphError {
  return new GraphError(100, {
    subcode: 33,
    type: 'GraphMethodException',
    message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
  })
}

/** An error in the form of management's, with words for people. */
export function managed(code: number, title: string, text: string, subcode?: number): GraphError {
  return new GraphError(code, {
    ...(subcode === undefined ? {} : { subcode }),
    message: titleOf(code),
    user: { title, text },
  })
}

/** Error 100 with what is wrong in it. */
export function invalid(details: string): GraphError {
  return new GraphError(100, { details })
}
