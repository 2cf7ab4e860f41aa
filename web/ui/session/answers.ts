import type { Permission, Role } from '../../../src/domain/permissions.ts'

/** The signed-in person, from `/api/session` ([sessions.login.2]). */
export interface Session {
  readonly tenant: { readonly id: string; readonly name: string }
  readonly csrfToken: string
  /** Null when the account's key or a login link opened the session: it acts as an owner. */
  readonly user: Person | null
  readonly permissions: readonly Permission[]
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
}

/** A client with a grant, from `/api/grants` ([sessions.login.7]). */
export interface Grant {
  readonly id: string
  readonly clientId: string
  readonly clientName: string | null
  /** Null when it was let in by a session of the key or of a login link. */
  readonly user: { readonly id: string; readonly email: string } | null
  readonly resource: string
  readonly scopes: readonly Permission[]
  /** Null for all numbers, those added later too. */
  readonly channelNumberIds: readonly string[] | null
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** A field that the service refused, by its path in the body ([rest.errors.3]). */
export interface FieldFault {
  readonly path: string
  readonly message: string
  /** True when the message is in the words of the page; else it is the service's, in English. */
  readonly isWorded?: boolean
}

/** What the service said when it refused a request ([rest.errors.1]); absent where it said nothing. */
interface Refused {
  readonly code?: string
  /** The words of the service, in English. */
  readonly said?: string
  readonly fields?: readonly FieldFault[]
  /** What the refusal tells programs by names, such as the variables that are missing. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Why a request failed, as far as a page has words of its own for it. */
export type Fault = Refused
  & (
    | {
        readonly kind:
          | 'WRONG'
          | 'GONE'
          | 'SIGNED_OUT'
          | 'DENIED'
          | 'INVALID'
          /** The state of what was asked for does not allow it; `code` says why. */
          | 'REFUSED'
          | 'HTTPS'
          | 'ELSEWHERE'
          | 'OFF'
          | 'LOST'
          | 'SERVER'
      }
    | { readonly kind: 'BUSY'; readonly retryAfterMs: number | null }
  )

export type FaultKind = Fault['kind']

export type Answer<T> = { readonly body: T; readonly fault?: never } | { readonly fault: Fault; readonly body?: never }
