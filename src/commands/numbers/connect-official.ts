import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { newId } from '../../domain/ids.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import { DEFAULT_SETTINGS, mergeSettings } from '../../domain/number.ts'
import type { ChannelNumber, NumberSettings } from '../../domain/number.ts'
import { webhookUrlOf } from '../../domain/official.ts'
import { DEFAULT_RETENTION, mergeRetention } from '../../domain/retention.ts'
import type { RetentionInput } from '../../domain/retention.ts'
import { makeVerifyToken } from '../../domain/verify-token.ts'
import type { OfficialCredentials } from '../../ports/official/credentials.ts'
import type { IssuedKey } from '../../ports/stores/key-store.ts'
import { giveFlowKey } from '../flow-endpoints/key-pair.ts'
import type { NumberPorts } from './ports.ts'

export interface ConnectInput {
  readonly tenantId: TenantId
  readonly name: string
  /** Digits only, with the country code. */
  readonly number: string
  readonly credentials: OfficialCredentials
  /** The settings that differ from the defaults. */
  readonly settings: Partial<NumberSettings>
  readonly retention: RetentionInput
}

export interface ConnectedNumber {
  readonly number: ChannelNumber
  readonly key: IssuedKey
  readonly webhookUrl: string
  readonly verifyToken: string
}

/**
 * Connects a number of the official platform ([official.create.1]–[official.create.4]): checks it upstream, stores it,
 * subscribes its account, tries to enable calling, and gives it the key that the phones of the account's Flows encrypt
 * for. Refusals: OFFICIAL_CREDENTIALS_REJECTED, VALIDATION, NUMBER_ALREADY_EXISTS, NUMBER_LIMIT_EXCEEDED, and those of
 * upstream.
 */
export async function connectOfficial(ports: NumberPorts, input: ConnectInput): Promise<Outcome<ConnectedNumber>> {
  const { tenantId, credentials } = input
  const verifyToken = makeVerifyToken()
  // The row comes first, because upstream verifies the callback while it is being subscribed.
  const created = await createChecked(ports, input, verifyToken)
  if (!created.ok) return created
  const { number, key } = created.value
  const webhookUrl = webhookUrlOf(ports.baseUrl, number.id)
  const subscribed = await ports.officialOf(credentials).subscription.subscribe(webhookUrl, verifyToken)
  if (!subscribed.ok) {
    await takeBack(ports, number)
    return subscribed
  }
  await ports.officialCommands.enableCalling({ tenantId, numberId: number.id, credentials, triesBefore: 0 })
  await handKey(ports, number.id, tenantId, credentials)
  const opened = await ports.official.opened(tenantId, number.id)
  wake(ports, number.id)
  ports.templatesWanted()
  ports.flowsWanted()
  return succeed({ number: opened ?? number, key, webhookUrl, verifyToken })
}

/**
 * Checks upstream that the phone id stands for the number given, and stores the number. The phone id of another number
 * would send and call in that number's name.
 */
async function createChecked(
  { official, officialOf }: NumberPorts,
  input: ConnectInput,
  verifyToken: string,
): Promise<Outcome<{ number: ChannelNumber; key: IssuedKey }>> {
  const { tenantId, name, number: digits, credentials, settings, retention } = input
  const health = await officialOf(credentials).health.read()
  if (!health.ok) return health
  if (health.value.number !== digits) {
    return fail(
      refuse('OFFICIAL_CREDENTIALS_REJECTED', 'The phone id stands for another number than the one given', {
        upstreamCode: null,
        upstreamMessage: `The phone number of this id is +${health.value.number}`,
      }),
    )
  }
  const merged = mergeRetention(DEFAULT_RETENTION, retention)
  if (!merged.ok) return merged
  return official.create({
    id: newId('num'),
    tenantId,
    name,
    number: digits,
    credentials,
    verifyToken,
    health: health.value,
    settings: mergeSettings(DEFAULT_SETTINGS, settings),
    ...merged.value,
  })
}

/**
 * Removes a number whose account could not be subscribed, because it would hear nothing. If the removal fails too, the
 * retries of calling subscribe again.
 */
async function takeBack({ numbers, revokeCallers }: NumberPorts, { tenantId, id }: ChannelNumber): Promise<void> {
  await numbers.remove(tenantId, id)
  await revokeCallers(id)
}

/**
 * Gives the number the key of its account, on a best effort. Without the key only its Flows cannot ask their endpoint,
 * and the command `key create` gives it one later.
 */
async function handKey(
  ports: NumberPorts,
  numberId: NumberId,
  tenantId: TenantId,
  credentials: OfficialCredentials,
): Promise<void> {
  const given = await giveFlowKey(
    ports,
    { tenantId, accountId: credentials.accountId },
    ports.officialOf(credentials).encryption,
  )
  if (given?.status === 'FAILED') ports.log.warn({ numberId }, 'a new number did not get the key of its account')
}

function wake({ receive, log }: NumberPorts, numberId: NumberId): void {
  receive(numberId).catch((error: unknown) =>
    log.warn(
      { numberId, error: String(error) },
      'a new number was stored but not started; it starts with its first request',
    ),
  )
}
