/**
 * Fields that a client may register (RFC 7591). All others are dropped, `scope` too, since it bounds nothing
 * ([oauth.endpoints.13]).
 */
const TAKEN = [
  'redirect_uris',
  'token_endpoint_auth_method',
  'grant_types',
  'response_types',
  'client_name',
  'client_uri',
  'logo_uri',
  'contacts',
  'tos_uri',
  'policy_uri',
  'software_id',
  'software_version',
]
const GRANT_TYPES: readonly unknown[] = ['authorization_code', 'refresh_token']

/**
 * A registration reduced to the fields above, as JSON. Anything but an object stays unchanged, for the protocol to
 * refuse.
 */
export function takenOfRegistration(body: Buffer): Buffer {
  const sent = parsed(body)
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return body
  const taken = Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => TAKEN.includes(name) && value !== null),
  )
  if (Array.isArray(taken['grant_types'])) taken['grant_types'] = known(taken['grant_types'])
  return Buffer.from(JSON.stringify(taken))
}

/** Fields that the library adds for protocols that are not served. */
const UNSPOKEN: readonly string[] = [
  'application_type',
  'id_token_signed_response_alg',
  'require_auth_time',
  'subject_type',
]

/** The answer to a registration, without the fields that mean nothing here. */
export function shownOfRegistration(body: string): string {
  const answered = parsed(Buffer.from(body)) as Record<string, unknown> | null
  return answered === null
    ? body
    : JSON.stringify(Object.fromEntries(Object.entries(answered).filter(([name]) => !UNSPOKEN.includes(name))))
}

/** The grant types that are served. A client that also names others is not refused for it. */
function known(grantTypes: readonly unknown[]): readonly unknown[] {
  const taken = grantTypes.filter((type) => GRANT_TYPES.includes(type))
  return taken.includes('authorization_code') ? taken : grantTypes
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
