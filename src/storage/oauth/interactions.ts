import { randomBytes } from 'node:crypto'
import { newId, type GrantId } from '../../domain/ids.ts'
import { CODE_MS, INTERACTION_MS, type Interaction } from '../../domain/oauth.ts'
import type { Allowed, Decided, OAuthInteractionStore } from '../../ports/stores/oauth-store.ts'
import type { Engine } from '../engine/engine.ts'
import type { UnitManager } from '../engine/orm-units.ts'
import type { RecordOf } from '../engine/rows-of.ts'
import { digestOf } from '../engine/rows.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { OAuthGrantEntity, OAuthGrantNumberEntity, OAuthInteractionEntity, OAuthTokenEntity } from './entity.ts'

/** Thrown to roll the decision back. */
class ForeignNumber extends Error {}

/** Requests of clients until somebody decides, as rows. */
export class SqlOAuthInteractionStore implements OAuthInteractionStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async begin(id: string, browserSecret: string, interaction: Omit<Interaction, 'expiresAt'>): Promise<void> {
    await this.#database.entities().added(OAuthInteractionEntity, {
      idHash: digestOf(id),
      browserHash: digestOf(browserSecret),
      asked: interaction,
      expiresAt: this.#in(INTERACTION_MS),
    })
  }

  async find(id: string, browserSecret: string): Promise<Interaction | null> {
    const row = await this.#database.entities().readOne(OAuthInteractionEntity, this.#undecided(id, browserSecret))
    return row && toInteraction(row)
  }

  deny(id: string, browserSecret: string): Promise<Interaction | null> {
    return this.#database.unitOfWork(null, (rows) => this.#close(rows, id, browserSecret))
  }

  async allow(id: string, browserSecret: string, allowed: Allowed): Promise<Decided> {
    try {
      return await this.#database.unitOfWork({ tenantId: allowed.tenantId }, async (rows): Promise<Decided> => {
        const interaction = await this.#close(rows, id, browserSecret)
        if (!interaction) return { kind: 'unknown' }
        const grantId = await this.#grant(rows, interaction, allowed)
        return { kind: 'allowed', grantId, code: await this.#code(rows, grantId, interaction, allowed), interaction }
      })
    } catch (error) {
      if (error instanceof ForeignNumber) return { kind: 'foreign number' }
      throw error
    }
  }

  /** Removes the row under a lock, so that only one of several decisions finds it. */
  async #close(rows: UnitManager, id: string, browserSecret: string): Promise<Interaction | null> {
    const row = await rows.readOne(OAuthInteractionEntity, this.#undecided(id, browserSecret), { lock: 'update' })
    if (!row) return null
    await rows.removed(OAuthInteractionEntity, { idHash: row.idHash })
    return toInteraction(row)
  }

  async #grant(
    rows: UnitManager,
    { client, resource }: Interaction,
    { tenantId, userId, scopes, numberIds }: Allowed,
  ): Promise<GrantId> {
    if (
      numberIds !== null
      && (await rows.count(ChannelNumberEntity, { id: { $in: [...numberIds] } })) !== numberIds.length
    )
      throw new ForeignNumber()
    const id = newId('grt')
    await rows.added(OAuthGrantEntity, {
      id,
      tenantId,
      userId,
      clientId: client.clientId,
      clientName: client.name,
      clientUri: client.uri,
      resource,
      scopes: [...scopes],
      isAccountWide: numberIds === null,
      createdAt: this.#in(0),
    })
    await rows.added(OAuthGrantNumberEntity, ...(numberIds ?? []).map((numberId) => ({ grantId: id, numberId })))
    return id
  }

  /** Stores a code with the payload that the token endpoint reads. */
  async #code(
    rows: UnitManager,
    grantId: GrantId,
    { client, redirectUri, codeChallenge }: Interaction,
    { tenantId, userId, scopes }: Allowed,
  ): Promise<string> {
    const code = randomBytes(32).toString('base64url')
    const payload = { clientId: client.clientId, accountId: userId ?? tenantId, redirectUri, codeChallenge, scopes }
    await rows.added(OAuthTokenEntity, {
      tokenHash: digestOf(code),
      kind: 'code',
      grantId,
      payload,
      createdAt: this.#in(0),
      expiresAt: this.#in(CODE_MS),
    })
    return code
  }

  #undecided(id: string, browserSecret: string) {
    return { idHash: digestOf(id), browserHash: digestOf(browserSecret), expiresAt: { $gt: this.#in(0) } }
  }

  #in(ms: number): Date {
    return new Date(this.#clock.now() + ms)
  }
}

function toInteraction({ asked, expiresAt }: RecordOf<typeof OAuthInteractionEntity>): Interaction {
  return { ...asked, expiresAt }
}
