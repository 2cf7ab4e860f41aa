/**
 * Every refusal that the service can answer: its HTTP status, and whether `code` is shown. Codes marked `hidden` are
 * answered as `{error}` alone, since the contract gives those errors no code ([rest.errors.3], [rest.errors.17]).
 */
export const REFUSALS = {
  VALIDATION: { status: 400, hidden: true },
  UNAUTHENTICATED: { status: 401, hidden: true },
  FORBIDDEN: { status: 403, hidden: true },
  RATE_LIMITED: { status: 429, hidden: true },
  NOT_FOUND: { status: 404, hidden: true },
  INVALID_JSON: { status: 400 },
  PAYLOAD_TOO_LARGE: { status: 413 },
  UNSUPPORTED_MEDIA_TYPE: { status: 415 },
  METHOD_NOT_ALLOWED: { status: 405 },
  /** The part of a file that was asked for lies past its end (RFC 9110, 15.5.17). */
  RANGE_NOT_SATISFIABLE: { status: 416, hidden: true },
  ROUTE_NOT_FOUND: { status: 404 },
  TENANT_SCOPE_NOT_ALLOWED: { status: 403 },
  NUMBER_SCOPE_NOT_ALLOWED: { status: 403 },
  PERMISSION_DENIED: { status: 403 },
  FEATURE_NOT_SUPPORTED: { status: 400 },
  IDEMPOTENCY_KEY_REUSED: { status: 422 },
  IDEMPOTENCY_IN_PROGRESS: { status: 409 },
  NUMBER_NOT_FOUND: { status: 404 },
  NUMBER_NOT_BOUND: { status: 400 },
  NUMBER_ALREADY_EXISTS: { status: 409 },
  NUMBER_LIMIT_EXCEEDED: { status: 409 },
  ALREADY_CONNECTED: { status: 409 },
  DEVICE_NETWORK_TIMEOUT: { status: 504 },
  DEVICE_NETWORK_ERROR: { status: 502 },
  PAIRING_NOT_FOUND: { status: 404 },
  WEBHOOK_NOT_FOUND: { status: 404 },
  WEBHOOK_INACTIVE: { status: 409 },
  WEBHOOK_LIMIT_EXCEEDED: { status: 409 },
  WEBHOOK_URL_FORBIDDEN: { status: 400 },
  INVALID_EVENT: { status: 400 },
  NUMBER_MISMATCH: { status: 400 },
  NUMBER_REQUIRED: { status: 400 },
  CHANNEL_INSTANCE_NOT_CONNECTED: { status: 409 },
  CALL_NOT_FOUND: { status: 404 },
  CALL_INVALID_STATE: { status: 409 },
  CALL_PEER_UNREACHABLE: { status: 422 },
  RECORDING_NOT_FOUND: { status: 404 },
  RECORDING_RUNNING: { status: 409 },
  RECORDING_NOT_ALLOWED: { status: 400 },
  INVALID_LIMIT: { status: 400 },
  INVALID_BEFORE: { status: 400 },
  MISSING_TO: { status: 400 },
  INVALID_SDP: { status: 400 },
  MEDIA_URL_FORBIDDEN: { status: 400 },
  MEDIA_DOWNLOAD_FAILED: { status: 422 },
  MEDIA_UNSUPPORTED: { status: 422 },
  MEDIA_TOO_LARGE: { status: 422 },
  /** A download of received media failed: 500 without a code ([media.inbound.6]). */
  MEDIA_READ_FAILED: { status: 500, hidden: true },
  OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED: { status: 422 },
  /** Dates that are malformed, or in the wrong order ([rest.errors.15]). */
  INVALID_DATE_RANGE: { status: 400 },
  INVALID_PAGINATION: { status: 400 },
  PLAYBACK_QUEUE_FULL: { status: 409 },
  OFFICIAL_CREDENTIALS_REJECTED: { status: 422 },
  OFFICIAL_CALLING_NOT_ENABLED: { status: 409 },
  OFFICIAL_CALL_PERMISSION_REQUIRED: { status: 403 },
  OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT: { status: 429 },
  OFFICIAL_CALL_LIMIT_REACHED: { status: 429 },
  OFFICIAL_CALLING_TIER_TOO_LOW: { status: 409 },
  OFFICIAL_CALLING_PREREQUISITES_UNMET: { status: 409 },
  OFFICIAL_CALLING_PAYMENT_REQUIRED: { status: 402 },
  /** Upstream refused what was asked. Our choice of status: the contract names none ([calls.upstream-codes.8]). */
  OFFICIAL_OUTSIDE_24H_WINDOW: { status: 422 },
  /** Upstream failed or gave no answer. */
  OFFICIAL_ERROR: { status: 502 },
  /** OFFICIAL_ERROR with the status of a refused request; shown under that name ([calls.upstream-codes.9]). */
  OFFICIAL_REQUEST_REFUSED: { status: 422, shownAs: 'OFFICIAL_ERROR' },
  /** OFFICIAL_ERROR while upstream throttles the account; shown under that name (our choice of status). */
  OFFICIAL_THROTTLED: { status: 429, shownAs: 'OFFICIAL_ERROR' },
  TEMPLATE_NOT_FOUND: { status: 404 },
  TEMPLATE_NAME_AMBIGUOUS: { status: 409 },
  TEMPLATE_NAME_INVALID: { status: 400 },
  TEMPLATE_LANGUAGE_INVALID: { status: 400 },
  TEMPLATE_ALREADY_EXISTS: { status: 409 },
  TEMPLATE_COMPONENT_NOT_SUPPORTED: { status: 400 },
  TEMPLATE_BODY_REQUIRED: { status: 400 },
  TEMPLATE_VARIABLE_MALFORMED: { status: 400 },
  TEMPLATE_FIELD_TOO_LONG: { status: 400 },
  TEMPLATE_BODY_VARIABLE_AT_EDGE: { status: 400 },
  TEMPLATE_HEADER_TEXT_INVALID: { status: 400 },
  TEMPLATE_HEADER_MEDIA_INVALID: { status: 400 },
  TEMPLATE_FOOTER_VARIABLE: { status: 400 },
  TEMPLATE_FOOTER_TEXT_INVALID: { status: 400 },
  TEMPLATE_BUTTON_INVALID: { status: 400 },
  TEMPLATE_BUTTON_LIMIT: { status: 400 },
  TEMPLATE_BUTTON_GROUPING: { status: 400 },
  TEMPLATE_URL_INVALID: { status: 400 },
  TEMPLATE_URL_PLACEHOLDER_DOMAIN: { status: 400 },
  TEMPLATE_BUTTON_PHONE_INVALID: { status: 400 },
  TEMPLATE_COPY_CODE_INVALID: { status: 400 },
  TEMPLATE_PAYMENT_INVALID: { status: 400 },
  TEMPLATE_FLOW_INVALID: { status: 400 },
  TEMPLATE_OTP_INVALID: { status: 400 },
  TEMPLATE_CAROUSEL_INVALID: { status: 400 },
  TEMPLATE_CARD_MEDIA_URL_INVALID: { status: 400 },
  TEMPLATE_EXAMPLES_REQUIRED: { status: 400 },
  TEMPLATE_CARD_MEDIA_REFUSED: { status: 422 },
  TEMPLATE_NAME_BEING_DELETED: { status: 409 },
  TEMPLATE_NOT_EDITABLE: { status: 409 },
  TEMPLATE_CATEGORY_FIXED: { status: 409 },
  TEMPLATE_IDENTITY_FIXED: { status: 409 },
  /** Upstream refused to delete a template: 409 without a code ([templates.delete.4]). */
  TEMPLATE_DELETION_REFUSED: { status: 409, hidden: true },
  MISSING_TEMPLATE_VARIABLES: { status: 400 },
  INVALID_TEMPLATE_VARIABLE_VALUE: { status: 400 },
  TEMPLATE_MEDIA_REQUIRED: { status: 400 },
  TEMPLATE_CARDS_MISMATCH: { status: 400 },
  OFFICIAL_APP_ID_REQUIRED: { status: 422 },
  OFFICIAL_TEMPLATE_SUBMIT_FAILED: { status: 422 },
  FLOW_NOT_FOUND: { status: 404 },
  FLOW_NOT_DRAFT: { status: 409 },
  FLOW_NOT_PUBLISHED: { status: 409 },
  FLOW_NOT_SENDABLE: { status: 409 },
  FLOW_REQUIRES_OFFICIAL_NUMBER: { status: 422 },
  FLOW_NUMBER_FROM_KEY: { status: 422 },
  FLOW_JSON_INVALID: { status: 422 },
  FLOW_JSON_REQUIRED: { status: 400 },
  FLOW_NAME_REQUIRED: { status: 400 },
  FLOW_NAME_INVALID: { status: 400 },
  FLOW_CATEGORY_INVALID: { status: 400 },
  FLOW_CLONE_SOURCE_INVALID: { status: 400 },
  FLOW_PATCH_EMPTY: { status: 400 },
  FLOW_UNKNOWN_FIELDS: { status: 400 },
  FLOW_PUBLISH_REQUIRES_CONFIRMATION: { status: 400 },
  FLOW_DEPRECATE_INVALID_SUCCESSOR: { status: 400 },
  FLOW_BODY_INVALID: { status: 400 },
  LEAD_NOT_FOUND: { status: 404 },
  LEAD_PAGE_NOT_FOUND: { status: 404 },
  LEAD_PAGE_ALREADY_LINKED: { status: 409 },
  LEAD_PAGE_REJECTED: { status: 422 },
  LEAD_FORM_NOT_FOUND: { status: 404 },
  BACKFILL_RUNNING: { status: 409 },
  BACKFILL_NOT_FOUND: { status: 404 },
  INVALID_SOURCE_TYPE: { status: 400 },
  AD_ACCESS_REJECTED: { status: 422 },
  /** A logo that cannot be read, or is too large in pixels ([branding.logo.3]). */
  IMAGE_INVALID: { status: 422 },
  /** Embed sessions, and the refusals of their tokens (docs/contract/embeds.md). */
  EMBED_SESSION_NOT_FOUND: { status: 404 },
  INVALID_TOKEN: { status: 401 },
  TOKEN_EXPIRED: { status: 401 },
  TOKEN_REVOKED: { status: 401 },
  ORIGIN_NOT_ALLOWED: { status: 403 },
  SURFACE_NOT_ALLOWED: { status: 403 },
  CONVERSATION_NOT_FOUND: { status: 404 },
  MESSAGE_INVALID_STATE: { status: 409 },
  /** An edit or a revocation for which it is too late (docs/contract/message-verbs.md). */
  MESSAGE_TOO_OLD: { status: 409 },
  MESSAGE_NOT_TEXT: { status: 400 },
  MEDIA_GONE: { status: 404 },
  /** MEDIA_GONE for a message that is to be sent again ([embeds.inbox-routes.8]). */
  MEDIA_GONE_OF_RETRY: { status: 409, shownAs: 'MEDIA_GONE' },
  /** A request that a foreign page may have sent ([sessions.csrf.1], [sessions.csrf.2]). */
  CSRF_REJECTED: { status: 403 },
  /** Texts to answer with (docs/contract/canned-replies.md). */
  CANNED_REPLY_NOT_FOUND: { status: 404 },
  CANNED_REPLY_EXISTS: { status: 409 },
  CANNED_REPLY_LIMIT: { status: 409 },
  /** Notes on conversations (docs/contract/handling.md). */
  NOTE_NOT_FOUND: { status: 404 },
  NOTE_LIMIT: { status: 409 },
  /** People and their logins (docs/contract/people.md, docs/contract/sessions.md). */
  USER_NOT_FOUND: { status: 404 },
  USER_ALREADY_EXISTS: { status: 409 },
  LAST_OWNER: { status: 409 },
  INVALID_CREDENTIALS: { status: 401 },
  INVITATION_NOT_FOUND: { status: 404 },
  HTTPS_REQUIRED: { status: 403 },
  /** Clients and their grants (docs/contract/oauth.md). */
  INTERACTION_NOT_FOUND: { status: 404 },
  GRANT_NOT_FOUND: { status: 404 },
  /** The pages were not built ([configuration.hosts.3]). */
  WEB_ASSETS_MISSING: { status: 503 },
  /** Upstream's own statuses for what phones ask ([flows.data-exchange.6], [flows.data-exchange.8]). */
  FLOW_ASK_UNREADABLE: { status: 421 },
  FLOW_ASK_UNSIGNED: { status: 432 },
  FLOW_ENDPOINT_FAILED: { status: 502 },
  /** INTERNAL under the name that Flows give it ([flows.errors.17]). */
  INTERNAL_ERROR: { status: 500 },
  MEDIA_CAPACITY: { status: 503 },
  MEDIA_UNAVAILABLE: { status: 503 },
  /** The database, or a disk, is away ([rest.bounds.3]). */
  UNAVAILABLE: { status: 503 },
  BUSY: { status: 503 },
  NOT_OWNER: { status: 503 },
  TIMEOUT: { status: 504 },
  INTERNAL: { status: 500, hidden: true },
} as const satisfies Record<string, { status: number; hidden?: true; shownAs?: string }>

export type RefusalCode = keyof typeof REFUSALS

/** An expected "no", as plain data: it crosses actors and nodes unchanged. */
export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  readonly details?: unknown
  /** Seconds after which trying again makes sense; becomes `retry-after`. */
  readonly retryAfterSeconds?: number
}

/** Makes a refusal. `message` is shown to the caller, so it says what to do. */
export function refuse(code: RefusalCode, message: string, details?: unknown, retryAfterSeconds?: number): Refusal {
  return {
    code,
    message,
    ...(details === undefined ? {} : { details }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

/** Carries a refusal through code that throws (HTTP middlewares, drivers). */
export class RefusalError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.name = 'RefusalError'
    this.refusal = refusal
  }
}

/** The answer of an ask or a port that may refuse. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Refusal }

export function succeed<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

export function fail<T = never>(error: Refusal): Outcome<T> {
  return { ok: false, error }
}

/** A provider or media failure, already translated by its driver. */
export interface UpstreamFailure {
  /** Code shown as the call's `errorCode`. */
  readonly code: string
  readonly message: string
  readonly retryable: boolean
}
