import type { Permission } from '../../src/domain/permissions.ts'

/** Whom an invitation is for, from `/api/invitations/read`. */
export interface Invited {
  readonly email: string
  readonly name: string | null
  readonly tenant: { readonly name: string }
}

/** What a client asks for, from `/api/oauth/interactions/{id}` ([oauth.consent.4]). */
export interface Interaction {
  readonly id: string
  readonly client: {
    readonly clientId: string
    readonly name: string | null
    readonly uri: string | null
    readonly redirectHost: string
    readonly isLoopback: boolean
  }
  readonly resource: string
  readonly scopes: readonly { readonly scope: Permission; readonly description: string; readonly allowed: boolean }[]
  readonly numbers: readonly { readonly id: string; readonly name: string; readonly number: string }[]
  readonly expiresAt: string
}

/** The person's decision; `numbers` null means all numbers of the account. */
export interface Decision {
  readonly decision: 'allow' | 'deny'
  readonly scopes?: readonly string[]
  readonly channelNumberIds?: readonly string[] | null
}

/** What a person signs in with. */
export type Proof =
  | { readonly email: string; readonly password: string }
  | { readonly tenantKey: string }
  | { readonly loginToken: string }
