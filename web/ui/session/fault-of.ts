import type { Fault, FieldFault } from './answers.ts'

/** The body of a refusal, as it may come ([rest.errors.1]). */
export interface Refusal {
  readonly error?: unknown
  readonly code?: unknown
  readonly details?: unknown
  /** Of routes that tell `error` in another language ([flows.scope.2]). */
  readonly errorEN?: unknown
  /** What is wrong with the document of a Flow ([flows.errors.5]). */
  readonly validationErrors?: unknown
}

/** The fault that an answer tells: its kind by code and status, and what the service said. */
export function faultOf(response: Pick<Response, 'status' | 'headers'>, refusal: Refusal): Fault {
  const { error, errorEN = error, code, validationErrors } = refusal
  const details = validationErrors === undefined ? refusal.details : { validationErrors }
  const fields = Array.isArray(details) ? details.filter(isFieldFault) : []
  const said = {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof errorEN === 'string' ? { said: errorEN } : {}),
    ...(fields.length === 0 ? {} : { fields }),
    ...(isNamed(details) ? { details } : {}),
  }
  if (response.status === 429) return { ...said, kind: 'BUSY', retryAfterMs: retryAfterOf(response.headers) }
  return { ...said, kind: BY_CODE[said.code ?? ''] ?? kindOf(response.status, said.code) }
}

type Plain = Exclude<Fault['kind'], 'BUSY'>

/** Codes that name their kind, whatever their status. */
const BY_CODE: Readonly<Record<string, Plain>> = {
  INVALID_CREDENTIALS: 'WRONG',
  HTTPS_REQUIRED: 'HTTPS',
  CSRF_REJECTED: 'ELSEWHERE',
}

function kindOf(status: number, code: string | undefined): Plain {
  switch (status) {
    case 400:
    case 422:
      return 'INVALID'
    case 401:
      return 'SIGNED_OUT'
    case 403:
      return 'DENIED'
    case 404:
      return code === 'ROUTE_NOT_FOUND' ? 'OFF' : 'GONE'
    default:
      return status < 500 ? 'REFUSED' : 'SERVER'
  }
}

function isNamed(details: unknown): details is Readonly<Record<string, unknown>> {
  return typeof details === 'object' && details !== null && !Array.isArray(details)
}

function isFieldFault(detail: unknown): detail is FieldFault {
  return (
    typeof detail === 'object'
    && detail !== null
    && 'path' in detail
    && typeof detail.path === 'string'
    && 'message' in detail
    && typeof detail.message === 'string'
  )
}

/** Ms to wait before another try; null when the answer names none. RFC 9110, 10.2.3: this service sends seconds. */
function retryAfterOf(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : null
}
