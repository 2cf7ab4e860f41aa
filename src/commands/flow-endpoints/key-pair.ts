import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import { refuseFlow } from '../../domain/flow-refusals.ts'
import type { FlowOwner } from '../../ports/stores/flow-store.ts'
import type { EncryptionPort } from '../../ports/official/flows.ts'
import type { FlowEndpointPorts } from './ports.ts'

/** Which key upstream has for a number: this one, another one, none, or unknown. */
export type NumberKeyStatus = 'UPLOADED' | 'OTHER_KEY' | 'MISSING' | 'FAILED'

/** The public half of an account's key pair, and which numbers have it upstream. */
export interface ShownFlowKey {
  readonly accountId: string
  /** PEM. */
  readonly publicKey: string
  /** `reason`: set when the status is FAILED. */
  readonly numbers: readonly {
    readonly numberId: NumberId
    readonly status: NumberKeyStatus
    readonly reason?: string
  }[]
}

type KeyState = Pick<ShownFlowKey['numbers'][number], 'status' | 'reason'>

const NO_KEY = refuse('NOT_FOUND', 'The account has no key pair: create one')

/**
 * Makes a key pair for the number's account and gives its public half to each of the account's numbers upstream. It is
 * stored before that, because phones encrypt for it from then on. Refusals: NUMBER_NOT_FOUND,
 * FLOW_REQUIRES_OFFICIAL_NUMBER.
 */
export async function createFlowKey(ports: FlowEndpointPorts, numberId: NumberId): Promise<Outcome<ShownFlowKey>> {
  const owner = await ownerOf(ports, numberId)
  if (!owner.ok) return owner
  const pair = await ports.makeKeyPair()
  if (!(await ports.flowKeys.create(owner.value, pair)))
    return fail(refuse('NUMBER_NOT_FOUND', 'The last number of the account was removed meanwhile'))
  return succeed(await shownKey(ports, owner.value, pair.publicKey, (port) => upload(port, pair.publicKey)))
}

/**
 * Shows the key pair in use and what upstream has for each number of the account. Refusals: those of createFlowKey;
 * NOT_FOUND.
 */
export async function showFlowKey(ports: FlowEndpointPorts, numberId: NumberId): Promise<Outcome<ShownFlowKey>> {
  const owner = await ownerOf(ports, numberId)
  if (!owner.ok) return owner
  const key = await ports.flowKeys.current(owner.value)
  return key
    ? succeed(await shownKey(ports, owner.value, key.publicKey, (port) => stateOf(port, key.publicKey)))
    : fail(NO_KEY)
}

/**
 * Gives the public key in use to a number that came to the account after the key was made. Answers null when the
 * account has no key.
 */
export async function giveFlowKey(
  { flowKeys }: Pick<FlowEndpointPorts, 'flowKeys'>,
  owner: FlowOwner,
  port: EncryptionPort,
): Promise<KeyState | null> {
  const key = await flowKeys.current(owner)
  return key && upload(port, key.publicKey)
}

async function ownerOf({ numbers }: FlowEndpointPorts, numberId: NumberId): Promise<Outcome<FlowOwner>> {
  const number = await numbers.load(numberId)
  if (!number) return fail(refuse('NUMBER_NOT_FOUND', `There is no number ${numberId}`))
  return number.official
    ? succeed({ tenantId: number.tenantId, accountId: number.official.accountId })
    : fail(refuseFlow('FLOW_REQUIRES_OFFICIAL_NUMBER'))
}

async function shownKey(
  { numbers, official, officialOf }: FlowEndpointPorts,
  { tenantId, accountId }: FlowOwner,
  publicKey: string,
  ask: (port: EncryptionPort) => Promise<KeyState>,
): Promise<ShownFlowKey> {
  const ofAccount = (await numbers.list(tenantId)).filter((number) => number.official?.accountId === accountId)
  const states = await Promise.all(
    ofAccount.map(async ({ id }) => {
      const credentials = await official.credentials(tenantId, id)
      return credentials ? [{ numberId: id, ...(await ask(officialOf(credentials).encryption)) }] : []
    }),
  )
  return { accountId, publicKey, numbers: states.flat() }
}

/** When the answer was lost, reading the key back tells whether it was taken. */
async function upload(port: EncryptionPort, publicKey: string): Promise<KeyState> {
  const written = await port.setPublicKey(publicKey)
  if (written.kind === 'done') return { status: 'UPLOADED' }
  if (written.kind === 'refused') return { status: 'FAILED', reason: written.no.upstreamMessage }
  const state = written.kind === 'unknown' ? await stateOf(port, publicKey) : null
  return state?.status === 'UPLOADED' ? state : { status: 'FAILED', reason: written.refusal.message }
}

async function stateOf(port: EncryptionPort, publicKey: string): Promise<KeyState> {
  const shown = await port.publicKey()
  if (!shown.ok) return { status: 'FAILED', reason: shown.error.message }
  if (!shown.value) return { status: 'MISSING' }
  return { status: bare(shown.value.publicKey) === bare(publicKey) ? 'UPLOADED' : 'OTHER_KEY' }
}

/** Upstream may change line ends, so white space does not count. */
function bare(pem: string): string {
  return pem.replaceAll(/\s/g, '')
}
