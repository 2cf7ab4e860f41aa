import { DEFAULT_BRANDING } from '../../domain/branding.ts'
import type { Branding } from '../../domain/branding.ts'
import type { TenantId } from '../../domain/ids.ts'
import { LOGO_KEPT_MS } from '../../domain/logo.ts'
import type { BrandingStore, StoredLogo } from '../../ports/stores/branding-store.ts'
import type { Engine } from '../engine/engine.ts'
import { despiteOthers } from '../engine/overtaken.ts'
import { rowsOf, type RowOf } from '../engine/rows-of.ts'
import { BrandLogoEntity, TenantBrandingEntity } from './entity.ts'

/** The columns of a logo that callers see. */
const LOGO = rowsOf(BrandLogoEntity).without('createdAt', 'referencedAt')

/** Our choice: a reference to a logo is noted this often at most, ms. */
const NOTED_EVERY_MS = 3_600_000

/**
 * SQL of the keys of logos in the brands of tenants, in links that are kept and in embed sessions: `referred (key)`. It
 * reads those that name a logo at all in one pass, so that many links cost no more than being read once.
 */
const REFERRED = `brands (fields) as (
    select fields from tenant_branding where fields like '%/branding/logos/%'
    union all select branding::text from pairing_links where branding::text like '%/branding/logos/%'
    union all select branding from embed_sessions where branding like '%/branding/logos/%'
  ), referred (key) as (
    select distinct named[1] from brands, regexp_matches(fields, '/branding/logos/([0-9a-z]{26}\\.[a-z]{3,4})', 'g') named
  )`

class SqlBrandingStore implements BrandingStore {
  #database: Engine['database']
  #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async read(tenantId: TenantId): Promise<Branding> {
    const brand = await this.#database.entities({ tenantId }).readOne(TenantBrandingEntity, {})
    return brandingOf(setIn(brand))
  }

  change(tenantId: TenantId, fields: Partial<Branding>): Promise<Branding> {
    return despiteOthers('tenant_branding_pkey', async () => {
      const rows = this.#database.entities({ tenantId })
      const brand = await rows.readOne(TenantBrandingEntity, {})
      const set = withFields(setIn(brand), fields)
      const written = { fields: JSON.stringify(set), updatedAt: this.#ago(0) }
      if (brand) await rows.changedSince(TenantBrandingEntity, brand, written)
      else await rows.added(TenantBrandingEntity, { tenantId, ...written })
      return brandingOf(set)
    })
  }

  async addLogo(logo: StoredLogo): Promise<void> {
    const now = this.#ago(0)
    await this.#database.entities().added(BrandLogoEntity, { ...logo, createdAt: now, referencedAt: now })
  }

  async findLogo(key: string): Promise<StoredLogo | null> {
    const logo = await this.#database.entities().readOne(BrandLogoEntity, { key })
    return logo && logoOf(logo)
  }

  async takeUnreferencedLogos(limit: number): Promise<readonly StoredLogo[]> {
    await this.#database.query(
      `with ${REFERRED} update brand_logos set referenced_at = $1::timestamptz
      where referenced_at < $2::timestamptz and key in (select key from referred)`,
      [this.#ago(0).toISOString(), this.#ago(NOTED_EVERY_MS).toISOString()],
    )
    // The statement that deletes asks again: a logo may have been referred to since.
    const rows = await this.#database.query<RowOf<StoredLogo>>(
      `with ${REFERRED} delete from brand_logos where key in (
        select key from brand_logos where referenced_at <= $1::timestamptz and key not in (select key from referred) order by referenced_at limit $2::integer
      ) returning ${LOGO.list()}`,
      [this.#ago(LOGO_KEPT_MS).toISOString(), limit],
    )
    return rows.map((row) => LOGO.read(row))
  }

  #ago(ms: number): Date {
    return new Date(this.#clock.now() - ms)
  }
}

/** The fields that a tenant has set. */
function setIn(brand: { readonly fields: string } | null): Partial<Branding> {
  return brand === null ? {} : (JSON.parse(brand.fields) as Partial<Branding>)
}

/** A field given as null is no longer set; a missing one stays as it is. */
function withFields(set: Partial<Branding>, fields: Partial<Branding>): Partial<Branding> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    Object.entries({ ...set, ...Object.fromEntries(given) }).filter(([, value]) => value !== null),
  )
}

function brandingOf(set: Partial<Branding>): Branding {
  return { ...DEFAULT_BRANDING, ...set }
}

function logoOf({ key, tenantId, mimeType, fileName, sizeBytes }: StoredLogo): StoredLogo {
  return { key, tenantId, mimeType, fileName, sizeBytes }
}

/** Brands of tenants and their logos, over an open database. */
export function openBranding(engine: Pick<Engine, 'database' | 'clock'>): { readonly branding: BrandingStore } {
  return { branding: new SqlBrandingStore(engine) }
}
