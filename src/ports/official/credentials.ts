/** The credentials of a call to the official platform; sealed at rest, never logged. */
export interface OfficialCredentials {
  readonly phoneId: string
  readonly accountId: string
  readonly accessToken: string
  readonly appId: string | null
  readonly appSecret: string | null
}
