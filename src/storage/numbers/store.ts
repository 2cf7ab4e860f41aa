import { fail, refuse, succeed, type Outcome } from '../../domain/errors.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { Fence } from '../../ports/leases.ts'
import type { IssuedKey } from '../../ports/stores/key-store.ts'
import type {
  ConnectionPatch,
  NewNumber,
  NumberPatch,
  NumberRange,
  NumberStore,
} from '../../ports/stores/number-store.ts'
import { ChannelNumberEntity } from './entity.ts'
import { makeKey } from '../keys/material.ts'
import { credentialsContext, toNumber } from './rows.ts'
import type { Engine } from '../engine/engine.ts'
import { TenantEntity } from '../tenants/entity.ts'
import { deleteNumber } from './removal.ts'
import { insertNumber, lockAllowance, saveConnection, toIssuedKey } from './sql.ts'

function among(numberIds: readonly NumberId[] | null) {
  return numberIds === null ? {} : { id: { $in: [...numberIds] } }
}

/** Numbers: what a tenant reads and sets as entities of the tenant, what their owners write as SQL under the fence. */
class SqlNumberStore implements NumberStore {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #onEvents: Engine['onEvents']

  constructor({ database, cipher, clock, onEvents }: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#onEvents = onEvents
  }

  async create(number: NewNumber): Promise<Outcome<{ number: ChannelNumber; key: IssuedKey }>> {
    const nowMs = this.#clock.now()
    const key = makeKey(this.#cipher)
    const refusal = await this.#database.unitOfWork({ tenantId: number.tenantId }, async (rows, session) => {
      const allowance = await lockAllowance(rows, number.tenantId)
      if (!allowance) throw new Error('the tenant of the new number does not exist')
      if (allowance.max !== null && allowance.used >= allowance.max) {
        return refuse('NUMBER_LIMIT_EXCEEDED', `Your plan allows ${allowance.max} numbers; remove one first`, {
          maxNumbers: allowance.max,
        })
      }
      const isNew = await insertNumber(session, number, key, nowMs)
      return isNew ? null : refuse('NUMBER_ALREADY_EXISTS', 'This number exists already')
    })
    if (refusal) return fail(refusal)
    this.#onEvents()
    const createdAt = new Date(nowMs)
    return succeed({
      number: {
        ...number,
        state: 'CLOSE',
        isFullyConnected: false,
        isPaired: false,
        pairingReason: null,
        engine: null,
        sessionHealth: null,
        createdAt,
        updatedAt: createdAt,
      },
      key: toIssuedKey(key, number, nowMs),
    })
  }

  async find(tenantId: TenantId, numberId: NumberId): Promise<ChannelNumber | null> {
    const row = await this.#database.entities({ tenantId }).readOne(ChannelNumberEntity, { id: numberId })
    return row && toNumber(row)
  }

  async findByDigits(tenantId: TenantId, digits: string): Promise<ChannelNumber | null> {
    const row = await this.#database.entities({ tenantId }).readOne(ChannelNumberEntity, { number: digits })
    return row && toNumber(row)
  }

  async load(numberId: NumberId): Promise<ChannelNumber | null> {
    const row = await this.#database.entities('everybody').readOne(ChannelNumberEntity, { id: numberId })
    return row && toNumber(row)
  }

  /** Oldest first. */
  async list(tenantId: TenantId): Promise<ChannelNumber[]> {
    const rows = await this.#database
      .entities({ tenantId })
      .read(ChannelNumberEntity, {}, { orderBy: { createdAt: 'asc', id: 'asc' } })
    return rows.map(toNumber)
  }

  async listSome(
    tenantId: TenantId,
    numberIds: readonly NumberId[] | null,
    range: NumberRange,
  ): Promise<ChannelNumber[]> {
    const after = 'after' in range ? range.after : null
    const rows = await this.#database.entities({ tenantId }).read(
      ChannelNumberEntity,
      {
        ...among(numberIds),
        ...(after
          ? { $or: [{ createdAt: { $gt: after.createdAt } }, { createdAt: after.createdAt, id: { $gt: after.id } }] }
          : {}),
      },
      { orderBy: { createdAt: 'asc', id: 'asc' }, limit: range.limit, offset: 'offset' in range ? range.offset : 0 },
    )
    return rows.map(toNumber)
  }

  count(tenantId: TenantId, numberIds: readonly NumberId[] | null): Promise<number> {
    return this.#database.entities({ tenantId }).count(ChannelNumberEntity, among(numberIds))
  }

  async patch(
    tenantId: TenantId,
    numberId: NumberId,
    { name, settings, piiMode, piiRetentionDays }: NumberPatch,
  ): Promise<ChannelNumber | null> {
    const [row] = await this.#database.entities({ tenantId }).updated(
      ChannelNumberEntity,
      { id: numberId },
      {
        updatedAt: new Date(this.#clock.now()),
        ...(name === undefined ? {} : { name }),
        ...(settings === undefined ? {} : { settings }),
        ...(piiMode === undefined ? {} : { piiMode, isWiped: false }),
        ...(piiRetentionDays === undefined ? {} : { piiRetentionDays }),
      },
    )
    return row ? toNumber(row) : null
  }

  async remove(tenantId: TenantId, numberId: NumberId): Promise<boolean> {
    // All its messages go with it: that may take longer than a request waits for a statement.
    const isRemoved = await this.#database.transaction(
      (session) => deleteNumber(session, tenantId, numberId, this.#clock.now()),
      'chore',
    )
    if (isRemoved) this.#onEvents()
    return isRemoved
  }

  async saveConnection(
    fence: Fence,
    patch: ConnectionPatch,
    events: readonly NewEvent[],
  ): ReturnType<NumberStore['saveConnection']> {
    const { credentials, ...plain } = patch
    const sealed =
      typeof credentials === 'string' ? this.#cipher.seal(credentials, credentialsContext(fence.numberId)) : credentials
    const change = sealed === undefined ? plain : { ...plain, sealedCredentials: sealed }
    const result = await saveConnection(this.#database, fence, change, events, this.#clock.now())
    if (result === 'applied' && events.length > 0) this.#onEvents()
    return result
  }

  async credentials(numberId: NumberId): Promise<{ credentials: string | null; ackedSeq: number }> {
    const row = await this.#database.entities('everybody').readOne(ChannelNumberEntity, { id: numberId })
    const sealed = row?.sealedCredentials ?? null
    return {
      credentials: sealed === null ? null : this.#cipher.open(sealed, credentialsContext(numberId)),
      ackedSeq: row?.ackedSeq ?? 0,
    }
  }

  async usage(tenantId: TenantId): Promise<{ plan: string; maxNumbers: number | null; usedNumbers: number }> {
    const tenant = await this.#database.entities().readOne(TenantEntity, { id: tenantId })
    if (!tenant) throw new Error('the tenant does not exist')
    return { plan: tenant.plan, maxNumbers: tenant.maxNumbers, usedNumbers: await this.count(tenantId, null) }
  }
}

/** Numbers over an open database. */
export function openNumbers(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents'>): {
  readonly numbers: NumberStore
} {
  return { numbers: new SqlNumberStore(engine) }
}
