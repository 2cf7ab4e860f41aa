import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import { webhookUrlOf } from '../../domain/official.ts'
import type { OfficialCredentials } from '../../ports/official/credentials.ts'
import type { OfficialHealth } from '../../ports/official/health.ts'
import type { CredentialsChange } from '../../ports/stores/official-store.ts'
import type { OfficialPorts } from './ports.ts'
import { tellChange } from './read-limits.ts'
import { SECRET_REPLACED } from './targets.ts'

/**
 * Gives an OFFICIAL number another token, app or secret ([official.create.5]), once upstream took the token for this
 * very number. Its webhooks are subscribed again when the app or its token changed. Refusals: FEATURE_NOT_SUPPORTED,
 * OFFICIAL_CREDENTIALS_REJECTED, and those of upstream.
 */
export async function replaceCredentials(
  ports: OfficialPorts,
  number: ChannelNumber,
  change: CredentialsChange,
): Promise<Outcome<ChannelNumber>> {
  if (!number.official) return fail(refuse('FEATURE_NOT_SUPPORTED', 'Only OFFICIAL numbers have a token and an app'))
  const current = await ports.official.credentials(number.tenantId, number.id)
  if (!current) return gone()
  const next = { ...current, ...change }
  const checked = await check(ports, number, next)
  if (!checked.ok) return checked
  if (next.accessToken !== current.accessToken || next.appId !== current.appId) {
    const subscribed = await subscribe(ports, number, next)
    if (!subscribed.ok) return subscribed
  }
  const stored = await ports.official.replaceCredentials(number.tenantId, number.id, change, checked.value)
  if (!stored) return gone()
  await ports.broadcast.publish(SECRET_REPLACED, number.id)
  // The other token may allow what calling waits for.
  await ports.official.hastenCalling(number.tenantId, number.official.accountId)
  await tellChange(ports, number, stored)
  return succeed(await reopen(ports, stored))
}

/**
 * Checks upstream that the credentials are this number's. The token of another number would send and call in that
 * number's name.
 */
async function check(
  ports: OfficialPorts,
  number: ChannelNumber,
  next: OfficialCredentials,
): Promise<Outcome<OfficialHealth>> {
  const health = await ports.officialOf(next).health.read()
  if (!health.ok || health.value.number === number.number) return health
  return fail(
    refuse('OFFICIAL_CREDENTIALS_REJECTED', 'The token is of another number', {
      upstreamCode: null,
      upstreamMessage: `The phone number of this id is +${health.value.number}`,
    }),
  )
}

async function subscribe(
  { officialOf, inbound, baseUrl }: OfficialPorts,
  { id }: ChannelNumber,
  next: OfficialCredentials,
): Promise<Outcome<null>> {
  const target = await inbound.findTarget(id)
  return target ? officialOf(next).subscription.subscribe(webhookUrlOf(baseUrl, id), target.verifyToken) : gone()
}

/**
 * Has the number's session begin anew, on a best effort: a number that is not started reads its credentials when it
 * starts.
 */
async function reopen({ askReopen, numbers, log }: OfficialPorts, stored: ChannelNumber): Promise<ChannelNumber> {
  const reopened = await askReopen(stored.id)
  if (!reopened.ok)
    log.info(
      { numberId: stored.id, code: reopened.error.code },
      'credentials were stored, but the number still uses the earlier ones until it next opens',
    )
  return (await numbers.find(stored.tenantId, stored.id)) ?? stored
}

function gone(): Outcome<never> {
  return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
}
