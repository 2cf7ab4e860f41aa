/** What the page of embeds reads of the service. */
import type { EmbedSurface } from '../../../../src/domain/embed-session.ts'

/** A live session ([embeds.routes.2]). */
export interface EmbedSession {
  readonly id: string
  readonly surface: EmbedSurface
  readonly channelNumberIds: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly expiresAt: string
  readonly maxExpiresAt: string
}

/** A session that was just made; its token is told this once ([embeds.routes.1]). */
export interface MintedSession extends Omit<EmbedSession, 'createdAt' | 'lastUsedAt'> {
  readonly token: string
}

/** A version of the SDK ([sdk.files.3]). */
export interface SdkVersion {
  readonly version: string
  readonly url: string
  readonly integrity: string
}

/** Where embeds live, and the newest script ([sdk.files.3], [sdk.files.4]). */
export interface Sdk {
  readonly script: SdkVersion
  readonly chatUrl: string
  readonly connectUrl: string
}
